"""Pictures of compared learning algorithms: pairs, distributions of folds, ranks, p-values, losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from rocscope.algorithms.comparison import AlgorithmComparison, Measured, PairTests
from rocscope.algorithms.distribution import AlgorithmPair, FoldDistribution
from rocscope.algorithms.losses import LossCurves
from rocscope.algorithms.paired_tests import CONDITIONAL, LearnerTest, LearnerTests
from rocscope.algorithms.ranks import RankComparison
from rocscope.core import checks, formatting
from rocscope.plotting import layout
from rocscope.plotting.forest import Row, forest
from rocscope.plotting.layout import CHANCE_LINE, PointLabel, point_texts, rate_axis, thinned, with_legend
from rocscope.plotting.marks import (
    Axis,
    Bars,
    ErrorBars,
    HeatMap,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    ReferenceLine,
    Text,
    Values,
)

Show = Literal["p-values", "ranks"]
# Below this p-values look alike.
LEAST_P = 1e-4


def algorithms_picture(result: Any, **options: Any) -> Picture:
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


# -----------------------------------------------------------------------------------------------------------
# Pictures of the values that folds gave: of two algorithms side by side, and of one with its intervals

NAMES = {"auc": "AUC", "error": "Error"}


def pair(result: AlgorithmPair) -> Picture:
    """Show the distributions of error and AUC of two algorithms, and the curves of all their folds."""
    panels = (
        _histograms(result.error, "Error", _told(result.verdict.error)),
        _histograms(result.auc, "AUC", _told(result.verdict.auc)),
        _fold_curves(result),
    )
    return Picture(panels=panels, columns=3, title=f"{result.dataset}: {result.verdict.case or 'undefined'}")


def _told(test: Measured) -> str:
    if test.p_value is None:
        return str(test.reason)
    given = f"\n{CONDITIONAL}" if test.conditional else ""
    return f"{test.method}, p = {test.p_value:.2g}{given}"


def _histograms(found: Sequence[FoldDistribution], label: str, title: str) -> Panel:
    low, high = _ends(found)
    marks: list[Mark] = []
    for series, one in enumerate(found):
        marks += _histogram(one, series, np.linspace(low, high, 200))
    return Panel(
        marks=tuple(marks),
        x=Axis(label=label, low=low, high=high),
        y=Axis(label="Folds", low=0),
        title=title,
        legend="below",
    )


def _ends(found: Sequence[FoldDistribution]) -> tuple[float, float]:
    values = np.concatenate([one.values[np.isfinite(one.values)] for one in found])
    if not len(values):
        return 0.0, 1.0
    margin = max(0.15 * float(np.ptp(values)), 0.005)
    return float(values.min()) - margin, float(values.max()) + margin


def _histogram(one: FoldDistribution, series: int, x: Values) -> list[Mark]:
    bars = Bars(
        low=one.edges[:-1],
        high=one.edges[1:],
        length=one.counts.astype(np.float64),
        role="count",
        series=series,
        label=one.algorithm,
    )
    if one.mean is None:
        return [bars]
    return [bars, Line(x=x, y=one.normal_density(x), role="curve", series=series)]


def _fold_curves(result: AlgorithmPair) -> Panel:
    marks: list[Mark] = [Line(x=CHANCE_LINE.x, y=CHANCE_LINE.y, role="chance")]
    for series, (curves, decided) in enumerate(zip(result.curves, result.decisions, strict=True)):
        for curve in curves:
            x, y = thinned(curve.fpr, curve.tpr)
            marks.append(Line(x=x, y=y, role="fold", series=series))
        name = f"{result.algorithms[series]}: its decisions"
        marks.append(Points(x=decided[:, 0], y=decided[:, 1], role="point", series=series, label=name))
    return Panel(
        marks=tuple(marks),
        x=rate_axis("False positive rate"),
        y=rate_axis("True positive rate"),
        title="Curves of all folds",
        equal_aspect=True,
        legend="lower right",
    )


def distribution(result: FoldDistribution) -> Picture:
    """Show the fold values with their fitted normal, and above them the intervals of one training."""
    return distributions([result])


def distributions(results: Sequence[FoldDistribution]) -> Picture:
    """Show one or more distributions of a measure, with the intervals of one training above (AUC only)."""
    top = max(float(one.counts.max(initial=0)) for one in results)
    intervals = [
        (series, estimate)
        for series, one in enumerate(results)
        for estimate in one.single
        if one.measure == "auc"
    ]
    ends = _wide_ends(results, intervals)
    x = np.linspace(*ends, 300)
    marks: list[Mark] = [mark for k, one in enumerate(results) for mark in _histogram(one, k, x)]
    height = max([top, *(float(one.normal_density(x).max()) for one in results)])
    for k, (series, estimate) in enumerate(intervals):
        y = height * (1.12 + 0.12 * k)
        marks += _interval(estimate, y, series)
    first = results[0]
    return Picture(
        panels=(
            Panel(
                marks=tuple(marks),
                x=Axis(label=NAMES[first.measure], low=ends[0], high=ends[1]),
                y=Axis(
                    label="Folds", low=0, high=height * (1.2 + 0.12 * len(intervals)), ticks=_counts(height)
                ),
                title=f"{first.dataset}, {len(first.values)} folds",
                legend="below",
            ),
        )
    )


def _counts(height: float) -> tuple[float, ...]:
    """Ticks at some whole numbers up to the highest bar: the intervals above it are no counts."""
    step = max(1, round(height / 5))
    return tuple(float(k) for k in range(0, int(height) + 1, step))


def _wide_ends(
    results: Sequence[FoldDistribution], intervals: Sequence[tuple[int, Any]]
) -> tuple[float, float]:
    low, high = _ends(results)
    known = [estimate for _, estimate in intervals if estimate.low is not None]
    least = min([low, *(estimate.low for estimate in known)])
    most = max([high, *(estimate.high for estimate in known)])
    # Room for the names of the intervals on their left.
    return least - (most - least) * (0.25 if known else 0.03), most + 0.03 * (most - least)


def _interval(estimate: Any, y: float, series: int) -> list[Mark]:
    at, low, high = (np.array([end], dtype=float) for end in (estimate.value, estimate.low, estimate.high))
    name = f"{estimate.method}  "
    return [
        ErrorBars(x=at, y=np.array([y]), x_low=low, x_high=high, role="estimate", series=series),
        Points(x=at, y=np.array([y]), role="estimate", series=series),
        Text(x=float(low[0]), y=y, text=name, role="note", horizontal="right"),
    ]


# -----------------------------------------------------------------------------------------------------------
# Pictures of expected losses: mean curves with the thresholds that costs ask for, and loss against cost

# Costs of a false positive whose thresholds are marked on the mean curves, as in figure 1 of the paper.
MARKED = (0.5, 1.0, 2.0, 10.0)


def losses(result: LossCurves) -> Picture:
    """Show the mean ROC curves with the thresholds that some costs ask for, and the loss at every cost."""
    return Picture(panels=(_mean_curves(result), _loss_panel(result)), columns=2, title=result.dataset)


def _mean_curves(result: LossCurves) -> Panel:
    marks: list[Mark] = [Line(x=CHANCE_LINE.x, y=CHANCE_LINE.y, role="chance")]
    at = [int(np.argmin(np.abs(result.lambdas - lam))) for lam in MARKED]
    for series, name in enumerate(result.algorithms):
        marks.append(Line(x=result.fpr, y=result.tpr[series], role="curve", series=series, label=name))
        points = result.marks[series, at]
        marks.append(Points(x=points[:, 0], y=points[:, 1], role="selected", series=series))
    panel = Panel(
        marks=tuple(marks),
        x=rate_axis("False positive rate"),
        y=rate_axis("True positive rate"),
        title="Mean curves, decisions at λ/(1 + λ)",
        equal_aspect=True,
    )
    return with_legend(replace(panel, marks=(*marks, *_cost_names(result, at))))


def _cost_names(result: LossCurves, at: list[int]) -> list[Mark]:
    """The costs beside the marks of one algorithm, where they hide no curve and no mark."""
    rows = zip(*result.marks[_roomiest(result, at), at].T, result.lambdas[at], strict=True)
    labels = [PointLabel(float(x), float(y), f"λ = {lam:.2g}") for x, y, lam in rows]
    outlines = [thinned(result.fpr, tpr) for tpr in result.tpr]
    size = 2 * layout.GAP
    taken = [
        layout.box(x - size / 2, y - size / 2, size, size)
        for x, y in result.marks[:, at].reshape(-1, 2).tolist()
    ]
    return point_texts(labels, outlines, taken)


def _roomiest(result: LossCurves, at: list[int]) -> int:
    """The algorithm whose marks are farthest apart: their names do not run over each other there."""
    gaps = np.linalg.norm(np.diff(result.marks[:, at], axis=1), axis=2)
    return int(np.argmax(gaps.min(axis=1)))


def _loss_panel(result: LossCurves) -> Panel:
    """Loss over the harmonic scale 1 + lambda, so that cheap and dear false positives share one axis."""
    along = np.log10(result.lambdas)
    scale = 1 + result.lambdas
    marks: list[Mark] = [
        Line(x=along, y=row / scale, role="curve", series=series, label=name)
        for series, (name, row) in enumerate(zip(result.algorithms, result.mean, strict=True))
    ]
    top = float((result.mean / scale).max())
    for row in result.best:
        x = np.log10([row.low, row.high])
        y = np.full(2, -0.04 * top)
        marks.append(Line(x=x, y=y, role="curve", series=result.algorithms.index(row.algorithm)))
    marks.append(ReferenceLine(axis="x", at=0.0, role="reference"))
    whole = range(math.ceil(along[0] - 1e-9), math.floor(along[-1] + 1e-9) + 1)
    panel = Panel(
        marks=tuple(marks),
        x=Axis(
            label="λ: cost of a false positive, a false negative costs 1",
            ticks=tuple(map(float, whole)),
            tick_labels=tuple(f"{10.0**k:g}" for k in whole),
        ),
        y=Axis(label="Expected loss / (1 + λ)", low=-0.08 * top),
        title="Bars below: significantly the best" if result.best else "",
    )
    return with_legend(panel, first=("upper right",))


# -----------------------------------------------------------------------------------------------------------
# A critical-difference diagram: average ranks over data sets, and which of them cannot be told apart

# Bars over groups stand above the algorithms, the ruler of the critical difference above them.
FIRST_BAR, BAR_STEP = -0.7, 0.45


def ranks(result: RankComparison) -> Picture:
    """Show a critical-difference diagram: average ranks, and bars over those that cannot be told apart."""
    return Picture(panels=(rank_panel(result),))


def rank_panel(result: RankComparison) -> Panel:
    """One diagram; where there are no ranks, the reason."""
    title = f"{NAMES.get(result.measure, result.measure)} over {result.n_datasets} data sets"
    if result.average_ranks is None or result.critical_difference is None:
        note = Text(x=0.5, y=0.5, text=str(result.reason), role="note", horizontal="center")
        return Panel(marks=(note,), x=Axis(low=0, high=1), y=Axis(low=0, high=1), title=title)
    columns = result.columns()
    names, average = columns["algorithm"], columns["average_rank"]
    marks: list[Mark] = []
    for row, rank in enumerate(average):
        marks += _rank_marks(rank, row)
    marks += _group_bars(result, dict(zip(names, average, strict=True)))
    top = FIRST_BAR - BAR_STEP * len(result.groups)
    marks += _ruler(result.critical_difference, top - 0.5)
    return Panel(
        marks=tuple(marks),
        x=_rank_axis(len(names), 1.0 + result.critical_difference),
        y=_name_axis(names, average, high=top - 1.3),
        title=title,
    )


def _rank_marks(rank: float, row: int) -> list[Mark]:
    return [
        Line(x=np.array([rank, rank]), y=np.array([-0.4, float(row)]), role="leader", series=0),
        Points(x=np.array([rank]), y=np.array([float(row)]), role="estimate", series=0),
    ]


def _group_bars(result: RankComparison, rank_of: dict[str, float]) -> list[Mark]:
    bars: list[Mark] = []
    for step, group in enumerate(result.groups):
        ends = [rank_of[name] for name in group]
        x = np.array([min(ends) - 0.04, max(ends) + 0.04])
        bars.append(Line(x=x, y=np.full(2, FIRST_BAR - BAR_STEP * step), role="curve", series=1))
    return bars


def _ruler(length: float, y: float) -> list[Mark]:
    text = f"critical difference {length:.2f}"
    return [
        Line(x=np.array([1.0, 1.0 + length]), y=np.full(2, y), role="curve", series=3),
        Text(x=1 + length / 2, y=y - 0.15, text=text, role="note", horizontal="center", vertical="bottom"),
    ]


def _rank_axis(n: int, ruler_end: float) -> Axis:
    """Ticks at the ranks; few data sets have a critical difference that reaches beyond the last one."""
    ticks = tuple(map(float, range(1, n + 1)))
    return Axis(label="Average rank (1 is best)", low=0.8, high=max(n, ruler_end) + 0.2, ticks=ticks)


def _name_axis(names: Sequence[str], average: Sequence[float], *, high: float) -> Axis:
    return Axis(
        low=len(names) - 0.5,
        high=high,
        ticks=tuple(map(float, range(len(names)))),
        tick_labels=tuple(names),
        far_labels=tuple(f"{rank:.2f}" for rank in average),
        grid=False,
    )


# ---- Pictures of tests between two learning algorithms: one row for each test -----------------------------


def learner_tests_picture(result: LearnerTest | LearnerTests | PairTests) -> Picture:
    """Show the mean difference, with the interval and the p-value of every test.

    Examples
    --------
    >>> import rocscope as rs
    >>> tests = rs.paired_tests([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.8, 0.6], n_train=30, n_test=10)
    >>> shown = learner_tests_picture(tests).panels[0]
    >>> shown.y.tick_labels[:2], shown.y.far_labels[0]
    (('paired-t', 'corrected-t'), '+0.100 (-0.030 to +0.230), p = 0.0917')
    """
    if isinstance(result, LearnerTest):
        return _forest([result], "")
    if isinstance(result, LearnerTests):
        return _forest(result.rows, f"{result.n_folds} folds")
    return _forest(result.tests, f"{result.dataset}: {result.first} - {result.second}, {result.measure}")


def _forest(tests: Sequence[LearnerTest], title: str) -> Picture:
    return forest(
        [_row(test) for test in tests],
        label="Mean difference, first minus second (interval)",
        reference=0.0,
        title=title,
    )


def _row(test: LearnerTest) -> Row:
    return Row(name=test.method, value=test.difference, low=test.low, high=test.high, figures=_figures(test))


def _figures(test: LearnerTest) -> str:
    if test.status != "ok":
        return "undefined"
    parts = (
        []
        if test.low is None or test.difference is None
        else [formatting.with_interval(test.difference, test.low, test.high, signed=True)]
    )
    if test.p_value is not None:
        parts.append(f"p = {formatting.p_value(test.p_value)}")
    if test.posterior is not None:
        names = ("worse", "equal", "better")
        parts += [f"{name} {share:.2f}" for name, share in zip(names, test.posterior, strict=True)]
    return ", ".join(parts)
