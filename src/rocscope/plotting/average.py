"""Pictures of operating-point averaging: means with bars, a chosen point and those not told apart from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.point_tests import IndifferenceRegion, PointComparison
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import checks, formatting
from rocscope.errors import RocInputError
from rocscope.plotting import layout
from rocscope.plotting.layout import CHANCE_LINE, Outline, evenly_along, rate_axis
from rocscope.plotting.marks import Axis, ErrorBars, Line, Mark, Panel, Panel3, Picture, Points, Points3

# Pairs of so many measures are shown, ten panels; of more the first ones.
SHOWN_MEASURES = 5
# So many points of a curve have bars and dots.
SHOWN_BARS = 40
LABELS = {
    "tpr": "True positive rate (sensitivity)",
    "fpr": "False positive rate (1 - specificity)",
    "recall": "Recall (sensitivity)",
    "sensitivity": "Sensitivity (true positive rate)",
    "precision": "Precision (positive predictive value)",
    "ppv": "Positive predictive value (precision)",
    "tnr": "True negative rate (specificity)",
    "fnr": "False negative rate (1 - sensitivity)",
    "max-class-error": "Largest class error",
    "mean-class-error": "Mean class error",
}
# Pairs (across, up) that are shown by themselves where both were averaged.
PLANES = (("fpr", "tpr"), ("tpr", "precision"), ("recall", "precision"), ("sensitivity", "ppv"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """An averaged ROC with what is pointed out on it."""

    roc: AveragedRoc
    index: int | None = None
    alike: NDArray[np.bool_] | None = None

    def column(self, name: str) -> NDArray[np.float64]:
        return self.roc.mean[:, self.roc.measures.index(name)]

    def reach(self, name: str) -> NDArray[np.float64]:
        """Standard error of the mean, 0 where there is none to be shown."""
        return np.nan_to_num(self.roc.sem[:, self.roc.measures.index(name)])

    def others(self) -> NDArray[np.int64]:
        """Points that cannot be told apart from the chosen one, without it."""
        alike = np.zeros(len(self.roc), dtype=bool) if self.alike is None else self.alike.copy()
        if self.index is not None:
            alike[self.index] = False
        return np.flatnonzero(alike)

    def order(self) -> NDArray[np.int64] | None:
        """Points along their curve; None where they have no order."""
        thresholds = self.roc.thresholds
        return None if thresholds is None else np.argsort(-thresholds.astype(np.float64), kind="stable")


@singledispatch
def average_picture(result: Any, **options: Any) -> Picture:
    """Show an averaged ROC, or a comparison of its points.

    Parameters
    ----------
    result
        `AveragedRoc`, `PointComparison` or `IndifferenceRegion`.
    **options
        `measures`, the names of two or more to show, of which three make a picture in perspective;
        for an `AveragedRoc` also `index`, a point to mark with a cross.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> y, fold = [0, 1] * 6, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.8, 0.0, 0.7, 0.35, 0.45]
    >>> roc = average_roc(y, score, fold=fold, points=[0.7, 0.5, 0.4, 0.2])
    >>> shown = average_picture(roc.compare_to(1))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Chance', 'Mean of 3 folds, bars: standard error', '2 points not told apart (paired-t, 95%)',
     'Point 1: threshold 0.5 (FPR 0.17, TPR 0.67)']
    """
    raise RocInputError(f"must be an average, got {type(result).__name__}", argument="result")


@average_picture.register
def _roc(result: AveragedRoc, *, measures: Any = None, index: int | None = None) -> Picture:
    chosen = None if index is None else result.check_index(index)
    return _picture(_Shown(roc=result, index=chosen), measures, "")


@average_picture.register
def _comparison(result: PointComparison, *, measures: Any = None) -> Picture:
    shown = _Shown(roc=result.roc, index=result.index, alike=result.indistinguishable)
    return _picture(shown, measures, f" ({result.method}, {result.level * 100:g}%)")


@average_picture.register
def _region(result: IndifferenceRegion, *, measures: Any = None) -> Picture:
    return _comparison(result.comparison, measures=measures)


def _picture(shown: _Shown, measures: Any, test: str) -> Picture:
    names = _names(shown.roc, measures)
    if len(names) == 1:
        return Picture(panels=(_over_thresholds(shown, names[0], test),))
    panels = [
        _solid(shown, plane, test)
        if len(plane) == 3
        else _panel(shown, plane[0], plane[1], test, legend=k == 0)
        for k, plane in enumerate(_planes(names))
    ]
    if len(panels) == 1:
        return Picture(panels=tuple(panels))
    left_out = len(names) - SHOWN_MEASURES
    title = f"The first {SHOWN_MEASURES} of {len(names)} measures" if left_out > 0 else ""
    return Picture(panels=tuple(panels), columns=2 if len(panels) <= 4 else 3, title=title)


def panel_measures(roc: AveragedRoc) -> tuple[tuple[str, ...], ...]:
    """The measures on the axes of each panel of the picture of an average, in the order of the panels.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
    >>> panel_measures(roc)
    (('fpr', 'tpr'),)
    """
    return _planes(_names(roc, None))


def _planes(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """All pairs, and of three measures all of them first."""
    pairs = tuple(_plane(pair) for pair in combinations(names[:SHOWN_MEASURES], 2))
    return (tuple(names), *pairs) if len(names) == 3 else pairs


def _names(roc: AveragedRoc, measures: Any) -> tuple[str, ...]:
    """Measures to show: those asked for, else the plane of the curve, else all."""
    if measures is not None:
        names = checks.check_names(
            [measures] if isinstance(measures, str) else measures, name="measures", at_least=1
        )
        for name in names:
            checks.check_choice(name, roc.measures, name="measures")
        return names
    planes = [plane for plane in PLANES if set(plane) <= set(roc.measures)]
    return planes[0] if planes else roc.measures


def _plane(pair: Sequence[str]) -> tuple[str, str]:
    """Which of two measures goes across: of a known pair the one that is drawn so."""
    first, second = pair
    return (second, first) if (second, first) in PLANES else (first, second)


# ---- Two measures -----------------------------------------------------------------------------------------


def _panel(shown: _Shown, across: str, up: str, test: str, *, legend: bool) -> Panel:
    x, y, order = shown.column(across), shown.column(up), shown.order()
    marks: list[Mark] = [_chance()] if (across, up) == ("fpr", "tpr") else []
    if order is None:
        marks += [_bars(shown, across, up, _chosen_only(shown)), _dots(shown, x, y)]
    else:
        marks += [
            _bars(shown, across, up, _spread_over(x, y, order)),
            Line(x=x[order], y=y[order], role="curve", label=_mean_label(shown)),
        ]
        if len(order) <= SHOWN_BARS:  # more dots would only thicken the line
            marks.append(Points(x=x[order], y=y[order], role="point"))
    marks += _pointed_out(shown, x, y, test)
    rates = (across, up) in PLANES
    return Panel(
        marks=tuple(marks),
        x=_axis(across, shown.roc, rates),
        y=_axis(up, shown.roc, rates),
        equal_aspect=rates,
        legend=_legend(shown, across, up, marks, order) if legend else None,
    )


def _chance() -> Line:
    return Line(x=CHANCE_LINE.x, y=CHANCE_LINE.y, role="chance", label="Chance")


def _mean_label(shown: _Shown) -> str:
    return f"Mean of {len(shown.roc.folds)} folds, bars: standard error"


def _cloud_label(shown: _Shown) -> str:
    if len(shown.roc.folds) == 1:
        return f"{len(shown.roc)} points, all cases together"
    bars = "" if shown.index is None else "; bars: standard error"
    return f"{len(shown.roc)} points, mean of {len(shown.roc.folds)} folds{bars}"


def _dots(shown: _Shown, x: NDArray[Any], y: NDArray[Any]) -> Points:
    return Points(x=x, y=y, role="point", label=_cloud_label(shown))


def _chosen_only(shown: _Shown) -> NDArray[np.int64]:
    """In a cloud of points only the chosen one has bars; a hundred crosses would hide it."""
    return np.array([] if shown.index is None else [shown.index], dtype=np.int64)


def _spread_over(x: NDArray[Any], y: NDArray[Any], order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every point of a short curve, and of a long one those at even steps."""
    if len(order) <= SHOWN_BARS:
        return order
    steps = np.abs(np.diff(x[order], prepend=x[order[0]])) + np.abs(np.diff(y[order], prepend=y[order[0]]))
    kept: NDArray[np.int64] = order[evenly_along(np.cumsum(np.nan_to_num(steps)), SHOWN_BARS)]
    return kept


def _bars(shown: _Shown, across: str, up: str, at: NDArray[np.int64]) -> ErrorBars:
    x, y = shown.column(across)[at], shown.column(up)[at]
    dx, dy = shown.reach(across)[at], shown.reach(up)[at]
    return ErrorBars(x=x, y=y, x_low=x - dx, x_high=x + dx, y_low=y - dy, y_high=y + dy, role="interval")


def _pointed_out(shown: _Shown, x: NDArray[Any], y: NDArray[Any], test: str) -> list[Mark]:
    marks: list[Mark] = []
    others = shown.others()
    if len(others):
        marks.append(
            Points(x=x[others], y=y[others], role="indistinguishable", label=_alike_label(others, test))
        )
    if shown.index is not None:
        at = [shown.index]
        marks.append(Points(x=x[at], y=y[at], role="chosen", label=_point_label(shown)))
    return marks


def _alike_label(others: NDArray[Any], test: str) -> str:
    return f"{len(others)} point{'s' if len(others) > 1 else ''} not told apart{test}"


def _point_label(shown: _Shown) -> str:
    """Name the chosen point by its threshold and rates, or by its weights."""
    roc, k = shown.roc, shown.index
    if roc.kind == "weights":
        shares = roc.points[k] / roc.points[k].sum()
        return f"Point {k}: weights " + ", ".join(f"{share:.2g}" for share in shares)
    thresholds = roc.thresholds
    if thresholds is None or k is None:
        return f"Point {k}"
    if {"fpr", "tpr"} <= set(roc.measures):
        return f"Point {k}: threshold " + formatting.operating_point(
            thresholds[k], float(shown.column("fpr")[k]), float(shown.column("tpr")[k])
        )
    return f"Point {k}: threshold {formatting.threshold(thresholds[k])}"


def _axis(name: str, roc: AveragedRoc, rates: bool) -> Axis:
    label = LABELS.get(name, formatting.sentence(name.replace("_", " ")))
    if name.startswith("error(") and name.endswith(")"):
        label = f"Error of class {name[6:-1]}"
    return rate_axis(label, [str(roc.classes[1])]) if rates else Axis(label=label)


def _legend(shown: _Shown, across: str, up: str, marks: list[Mark], order: NDArray[np.int64] | None) -> Any:
    """Inside the square where no curve and no bar is, else below it."""
    if order is None or (across, up) not in PLANES:
        return "below"
    entries = [mark.label for mark in marks if mark.label]
    x, y = shown.column(across)[order], shown.column(up)[order]
    dx, dy = shown.reach(across)[order], shown.reach(up)[order]
    known = ~(np.isnan(x) | np.isnan(y))
    lines: list[Outline] = [(x[known], y[known]), ((x + dx)[known], (y - dy)[known])]
    lines.append(((x - dx)[known], (y + dy)[known]))
    if (across, up) == PLANES[0]:
        lines.append(layout.CHANCE)
    return layout.free_corner(
        [line for line in lines if len(line[0])],
        entries,
        corners=("lower right", "upper left") if across == "fpr" else ("lower left", "upper right"),
    )


# ---- One measure, three measures --------------------------------------------------------------------------


def _over_thresholds(shown: _Shown, name: str, test: str) -> Panel:
    """One measure over the thresholds, or over the numbers of points that have none."""
    order, y = shown.order(), shown.column(name)
    thresholds = shown.roc.thresholds
    x = np.arange(len(y), dtype=np.float64) if thresholds is None else thresholds.astype(np.float64)
    at = np.arange(len(y)) if order is None else order
    dy = shown.reach(name)
    at = at[np.isfinite(x[at])]
    marks: list[Mark] = [
        ErrorBars(x=x[at], y=y[at], y_low=(y - dy)[at], y_high=(y + dy)[at], role="interval"),
        Points(x=x[at], y=y[at], role="point", label=_mean_label(shown)),
    ]
    if order is not None:
        marks.insert(1, Line(x=x[at], y=y[at], role="curve"))
    return Panel(
        marks=(*marks, *_pointed_out(shown, x, y, test)),
        x=Axis(label="Operating point" if thresholds is None else "Threshold"),
        y=_axis(name, shown.roc, rates=False),
        legend="below",
    )


def _solid(shown: _Shown, names: Sequence[str], test: str) -> Panel3:
    """Three measures in perspective, as figure 3 of the paper."""
    x, y, z = (shown.column(name) for name in names)
    marks: list[Mark] = [Points3(x=x, y=y, z=z, role="point", label=_cloud_label(shown))]
    others = shown.others()
    if len(others):
        label = _alike_label(others, test)
        marks.append(Points3(x=x[others], y=y[others], z=z[others], role="indistinguishable", label=label))
    if shown.index is not None:
        at = [shown.index]
        marks.append(Points3(x=x[at], y=y[at], z=z[at], role="chosen", label=_point_label(shown)))
    first, second, third = (_axis(name, shown.roc, rates=False) for name in names)
    return Panel3(marks=tuple(marks), x=first, y=second, z=third, legend="below", equal_aspect=True)
