"""Pictures of the values that folds gave: of two algorithms side by side, and of one with its intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocscope.algorithms.distribution import FoldDistribution
from rocscope.algorithms.learner_tests import CONDITIONAL
from rocscope.algorithms.pair import AlgorithmPair
from rocscope.algorithms.verdicts import Measured
from rocscope.views.marks import (
    Axis,
    Bars,
    ErrorBars,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    Text,
    Values,
)
from rocscope.views.roc_space import CHANCE, rate_axis, thinned

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
    marks: list[Mark] = [Line(x=CHANCE.x, y=CHANCE.y, role="chance")]
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
