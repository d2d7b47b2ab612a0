"""Pictures of combined scores: the curve of a weighted sum, and the best weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rocscope.binormal.combine import CombinedScore
from rocscope.binormal.quadrature import CombinedCurve
from rocscope.binormal.weights import BestWeights
from rocscope.views import binormal, layout, words
from rocscope.views.legend import with_legend
from rocscope.views.marks import Axis, Bars, Line, Panel, Picture, ReferenceLine
from rocscope.views.roc_space import CHANCE, roc_picture, thinned

WIDTH = 0.35


def picture(result: Any, **options: Any) -> Picture:
    """Show the curve of a combined score, or the best weights."""
    views: dict[type, Callable[..., Picture]] = {
        CombinedCurve: curve,
        CombinedScore: score,
        BestWeights: weights,
    }
    return views[type(result)](result, **options)


def curve(result: CombinedCurve, *, name: str | None = None) -> Picture:
    """Show the curve of a weighted sum of two scores.

    Examples
    --------
    >>> import rocscope as rs
    >>> found = rs.combine_curves(rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8), [0.5, 0.5])
    >>> [mark.label for mark in curve(found).panels[0].marks]
    ['Chance (AUC = 0.5)', 'Weights 0.5, 0.5 (AUC = 0.88)']
    """
    x, y = (np.concatenate([[0.0], rates, [1.0]]) for rates in (result.fpr, result.tpr))
    x, y = thinned(x, y)
    label = f"{name or _weights(result)} ({words.area(result.auc, None)})"
    line = Line(x=x, y=y, role="curve", label=label)
    legend, _ = layout.place_legend([(x, y)], [CHANCE.label or "", label])
    return roc_picture([CHANCE, line], legend=legend)


def score(result: CombinedScore, *, name: str | None = None) -> Picture:
    """Show the binormal curve of a combined latent score.

    Examples
    --------
    >>> import rocscope as rs
    >>> found = rs.combined_score([rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8)], [0.5, 0.5])
    >>> [mark.label for mark in score(found).panels[0].marks]
    ['Chance (AUC = 0.5)', 'Weights 0.5, 0.5 (AUC = 0.88)']
    """
    return binormal.picture(result.curve(), name=name or _weights(result))


def _weights(result: CombinedCurve | CombinedScore) -> str:
    return "Weights " + ", ".join(f"{weight:.3g}" for weight in result.weights)


def weights(result: BestWeights) -> Picture:
    """Show the best weights of every classifier, free and at least 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = weights(rs.best_weights([rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8)]))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Free (AUC = 0.88)', 'At least 0 (AUC = 0.88)']
    """
    middle = np.arange(len(result.free), dtype=np.float64)
    kinds = (
        ("Free", result.free, result.auc_free),
        ("At least 0", result.nonnegative, result.auc_nonnegative),
    )
    bars = [
        Bars(
            low=middle + (series - 1) * WIDTH,
            high=middle + series * WIDTH,
            length=values,
            role="count",
            series=series,
            label=f"{kind} ({words.area(area, None)})",
        )
        for series, (kind, values, area) in enumerate(kinds)
    ]
    panel = Panel(
        marks=(*bars, ReferenceLine(axis="y", at=0.0, role="reference")),
        x=Axis(
            ticks=tuple(middle.tolist()),
            tick_labels=tuple(
                f"Classifier {k + 1}\nAUC = {words.rate(area)}" for k, area in enumerate(result.auc_single)
            ),
            grid=False,
        ),
        y=Axis(label="Best weight"),
    )
    return Picture(panels=(with_legend(panel),))
