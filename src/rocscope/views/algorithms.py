"""Pictures of compared learning algorithms: pairs, distributions of folds, ranks, p-values, losses."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any, Literal

import numpy as np

from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.distribution import FoldDistribution
from rocscope.algorithms.learner_tests import CONDITIONAL
from rocscope.algorithms.loss_result import LossCurves
from rocscope.algorithms.pair import AlgorithmPair
from rocscope.algorithms.rank_result import RankComparison
from rocscope.core import checks
from rocscope.views.algorithm_folds import NAMES, distribution, pair
from rocscope.views.algorithm_losses import losses
from rocscope.views.algorithm_ranks import rank_panel, ranks
from rocscope.views.marks import Axis, HeatMap, Mark, Panel, Picture, Text

Show = Literal["p-values", "ranks"]
# Below this p-values look alike.
LEAST_P = 1e-4


def picture(result: Any, **options: Any) -> Picture:
    """Show a comparison, a pair, a distribution, ranks or losses, each in its way."""
    views: dict[type, Callable[..., Picture]] = {
        AlgorithmComparison: comparison,
        AlgorithmPair: pair,
        FoldDistribution: distribution,
        RankComparison: ranks,
        LossCurves: losses,
    }
    return views[type(result)](result, **options)


def comparison(result: AlgorithmComparison, *, show: Show = "p-values") -> Picture:
    """Show the p-values of both tests for all pairs and data sets, or the ranks over the data sets.

    Parameters
    ----------
    result
        What `compare_algorithms` returns.
    show
        "p-values": one heat map for AUC and one for error. "ranks": a critical-difference diagram each.
    """
    checks.check_choice(show, ("p-values", "ranks"), name="show")
    if show == "ranks":
        panels = [rank_panel(found) for found in result.ranks.values()]
    else:
        panels = [_p_map(result, measure) for measure in ("auc", "error")]
    return Picture(panels=tuple(panels), columns=2 if show == "p-values" else 1)


def _p_map(result: AlgorithmComparison, measure: str) -> Panel:
    pairs = list(combinations(result.algorithms, 2))
    names = [row.name for row in result.datasets]
    p = np.full((len(pairs), len(names)), np.nan)
    texts: list[Mark] = []
    for verdict in result.verdicts:
        i, j = pairs.index((verdict.first, verdict.second)), names.index(verdict.dataset)
        test = verdict[measure]
        if test.p_value is not None:
            p[i, j] = math.log10(max(test.p_value, LEAST_P))
        texts.append(_cell_text(i, j, test.p_value, test.rejects))
    cells = HeatMap(
        x_edges=np.arange(len(names) + 1.0),
        y_edges=np.arange(len(pairs) + 1.0),
        values=p,
        low=math.log10(LEAST_P),
        high=0.0,
        role="cells",
        label="log10 of the p-value",
    )
    method = result.verdict_test[measure]
    given = f"\n{CONDITIONAL}" if any(row[measure].conditional for row in result.verdicts) else ""
    return Panel(
        marks=(cells, *texts),
        x=Axis(ticks=_middles(len(names)), tick_labels=tuple(names), low=0, high=len(names), grid=False),
        y=Axis(
            ticks=_middles(len(pairs)),
            tick_labels=tuple(f"{a} - {b}" for a, b in pairs),
            low=len(pairs),
            high=0,
            grid=False,
        ),
        title=f"{NAMES[measure]} test ({method}; * p < {1 - result.level:.3g}){given}",
    )


def _middles(n: int) -> tuple[float, ...]:
    return tuple(k + 0.5 for k in range(n))


def _cell_text(row: int, column: int, p: float | None, rejects: bool | None) -> Text:
    text = "undefined" if p is None else f"{p:.2g}{'*' if rejects else ''}"
    return Text(x=column + 0.5, y=row + 0.5, text=text, role="note", horizontal="center")
