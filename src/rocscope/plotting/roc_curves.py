"""Pictures of ROC curves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.curves import AveragedCurve
from rocscope.core import checks, formatting
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.errors import RocInputError
from rocscope.inference.crossings import CurveCrossings
from rocscope.plotting import layout
from rocscope.plotting.layout import (
    CHANCE_LINE,
    Outline,
    PointLabel,
    evenly_along,
    point_texts,
    roc_picture,
    thinned,
)
from rocscope.plotting.marks import Band, ErrorBars, Line, Mark, Panel, Picture, Points


@dataclass(frozen=True, slots=True, kw_only=True)
class _Series:
    """A curve with all that is shown of it."""

    index: int
    curve: RocCurve
    label: str
    points: tuple[int, ...]
    hull: RocCurve | None

    def point_labels(self) -> list[PointLabel]:
        found = ((self.curve.thresholds[k], self.curve.fpr[k], self.curve.tpr[k]) for k in self.points)
        return [
            PointLabel(float(fpr), float(tpr), formatting.operating_point(threshold, fpr, tpr), self.index)
            for threshold, fpr, tpr in found
        ]


def curve_picture(
    curve: RocCurve,
    *,
    name: str | None = None,
    estimate: Estimate | None = None,
    points: Iterable[int] = (),
    hull: bool = False,
) -> Picture:
    """Show one ROC curve with the chance diagonal.

    Parameters
    ----------
    curve
        The curve. Beyond 2000 vertices it is thinned for display, which moves it by 0.001 or so.
    name
        Name of the classifier in the legend.
    estimate
        The area with an interval, as `auc` returns it, for the legend.
    points
        Indices of vertices, as `select` returns them, to mark with their threshold and rates.
    hull
        Whether to show the convex hull.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = curve_picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="test")
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Chance (AUC = 0.5)', 'test (AUC = 0.75)']
    """
    area = formatting.area(curve.auc, estimate)
    label = area if name is None else f"{name} ({area})"
    return _picture([_series(0, curve, label, points, hull)])


def curves(
    curves: Mapping[str, RocCurve],
    *,
    estimates: Mapping[str, Estimate] | None = None,
    points: Mapping[str, Iterable[int]] | None = None,
    hull: bool = False,
) -> Picture:
    """Show several ROC curves in one plot.

    Parameters
    ----------
    curves
        Mapping of name to curve, in the order of the legend.
    estimates
        Mapping of name to the area with its interval, for all curves or some.
    points
        Mapping of name to indices of the vertices to mark.
    hull
        Whether to show the convex hulls.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [0, 0, 1, 1]
    >>> shown = curves({"a": rs.roc_curve(y, [1, 3, 2, 4]), "b": rs.roc_curve(y, [1, 2, 3, 4])})
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Chance (AUC = 0.5)', 'a (AUC = 0.75)', 'b (AUC = 1.00)']
    """
    if not curves:
        raise RocInputError("must map at least one name to a curve, got none", argument="curves")
    estimates, points = estimates or {}, points or {}
    _check_names(estimates, curves, name="estimates")
    _check_names(points, curves, name="points")
    return _picture(
        [
            _series(
                k,
                curve,
                f"{name} ({formatting.area(curve.auc, estimates.get(name))})",
                points.get(name, ()),
                hull,
            )
            for k, (name, curve) in enumerate(curves.items())
        ]
    )


def _check_names(given: Iterable[str], known: Iterable[str], *, name: str) -> None:
    for key in given:
        checks.check_choice(key, list(known), name=f"a name in {name}")


def _series(index: int, curve: RocCurve, label: str, points: Iterable[int], hull: bool) -> _Series:
    kept = tuple(checks.check_integer(k, name="points", low=0) for k in points)
    if kept and max(kept) >= len(curve):
        raise RocInputError(
            f"must hold indices from 0 to {len(curve) - 1}, got {max(kept)}", argument="points"
        )
    return _Series(index=index, curve=curve, label=label, points=kept, hull=curve.hull() if hull else None)


def _picture(series: Sequence[_Series]) -> Picture:
    lines = [line for one in series for line in _lines(one)]
    outlines = [(line.x, line.y) for line in lines]
    legend, taken = layout.place_legend(outlines, [line.label or "" for line in (CHANCE_LINE, *lines)])
    labels = [label for one in series for label in one.point_labels()]
    texts = point_texts(labels, outlines, taken)
    leaders = [mark for mark in texts if isinstance(mark, Line)]
    notes = [mark for mark in texts if not isinstance(mark, Line)]
    return roc_picture(
        [CHANCE_LINE, *lines, *leaders, *_selected(series), *notes],
        positive=[one.curve.pos_label for one in series],
        legend=legend,
    )


def _lines(one: _Series) -> list[Line]:
    x, y = thinned(one.curve.fpr, one.curve.tpr)
    lines = [Line(x=x, y=y, role="curve", label=one.label, series=one.index)]
    if one.hull is not None:
        x, y = thinned(one.hull.fpr, one.hull.tpr)
        label = f"Convex hull (AUC = {formatting.rate(one.hull.auc)})"
        lines.append(Line(x=x, y=y, role="hull", label=label, series=one.index))
    return lines


def _selected(series: Sequence[_Series]) -> list[Mark]:
    return [
        Points(
            x=one.curve.fpr[list(one.points)],
            y=one.curve.tpr[list(one.points)],
            role="selected",
            series=one.index,
        )
        for one in series
        if one.points
    ]


# ---- Picture of two ROC curves and the points where they cross --------------------------------------------

# So many crossings are named by their rates.
NAMED_POINTS = 6


def crossings_picture(
    result: CurveCrossings,
    *,
    first: RocCurve | None = None,
    second: RocCurve | None = None,
    names: tuple[str, str] = ("First", "Second"),
) -> Picture:
    """Show the crossings, and shade the false positive rates where each curve lies above.

    Parameters
    ----------
    result
        The crossings. They hold no curves:
    first, second
        give the two curves to see them as well.
    names
        Names of the curves in the legend.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [1, 0, 1, 0]
    >>> a, b = rs.roc_curve(y, [4, 3, 2, 1]), rs.roc_curve(y, [2, 2, 2, 1])
    >>> shown = crossings_picture(rs.crossings(a, b), first=a, second=b, names=("a", "b"))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Chance (AUC = 0.5)', 'a above', 'b above', 'a (AUC = 0.75)', 'b (AUC = 0.75)', 'Crossing']
    """
    if (first is None) != (second is None):
        raise RocInputError("first and second must be given together, got one of them")
    curves = [] if first is None or second is None else [first, second]
    lines = [_line(curve, name, k) for k, (curve, name) in enumerate(zip(curves, names, strict=False))]
    strips = [*_strips(result.first_above, names[0], 0), *_strips(result.second_above, names[1], 1)]
    entry = "Crossing" if len(result.fpr) == 1 else "Crossings"
    points = Points(x=result.fpr, y=result.tpr, role="selected", series=2, label=entry)
    marks: list[Mark] = [CHANCE_LINE, *strips, *lines, *([points] if len(result.fpr) else [])]
    outlines: list[Outline] = [(line.x, line.y) for line in lines]
    legend, taken = layout.place_legend(outlines, [mark.label for mark in marks if mark.label])
    return roc_picture(
        [*marks, *_named(result, outlines, taken)],
        positive=[curve.pos_label for curve in curves],
        legend=legend,
        title=_title(result, names),
    )


def _line(curve: RocCurve, name: str, series: int) -> Line:
    x, y = thinned(curve.fpr, curve.tpr)
    return Line(x=x, y=y, role="curve", label=f"{name} (AUC = {formatting.rate(curve.auc)})", series=series)


def _strips(intervals: Any, name: str, series: int) -> list[Mark]:
    """One strip per interval; the first brings the entry of the legend."""
    wide = intervals[intervals[:, 1] > intervals[:, 0]]
    return [
        Band(
            x=row,
            low=np.zeros(2),
            high=np.ones(2),
            role="band",
            series=series,
            label=f"{name} above" if k == 0 else None,
        )
        for k, row in enumerate(wide)
    ]


def _named(result: CurveCrossings, outlines: list[Outline], taken: list[layout.Box]) -> list[Mark]:
    if len(result.fpr) > NAMED_POINTS:
        return []
    rates = zip(result.fpr.tolist(), result.tpr.tolist(), strict=True)
    labels = [PointLabel(x, y, f"FPR {formatting.rate(x)}, TPR {formatting.rate(y)}", 2) for x, y in rates]
    return point_texts(labels, outlines, taken)


def _title(result: CurveCrossings, names: tuple[str, str]) -> str:
    if result.dominant == "equal":
        return "The curves are equal"
    if result.dominant is not None:
        above, below = names if result.dominant == "first" else names[::-1]
        return f"{above} is nowhere below {below}"
    times = {1: "once", 2: "twice"}.get(len(result.fpr), f"{len(result.fpr)} times")
    return f"The curves cross {times}"


# ---- Picture of cross-validated scores: the curve of every fold, and that of all scores stacked -----------

# So many classes have a panel, of more the first ones.
SHOWN_CLASSES = 9
# So many folds have a line of their own.
SHOWN_FOLDS = 100


def cross_scores_picture(result: Any) -> Picture:
    """Show the ROC curve of every fold and that of all scores together; a panel per class of three or more.

    Examples
    --------
    >>> from rocscope.training.detectors import GaussianDetector
    >>> from rocscope.training.cross_scores import cross_scores
    >>> X, y = [[float(x)] for x in range(12)], [1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0]
    >>> shown = cross_scores_picture(cross_scores(GaussianDetector(), X, y, cv=3, target=1, rng=0))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Chance', '3 folds (AUC 0.50 to 1.00)', 'All folds stacked (AUC = 0.75)']
    """
    if len(result.classes) == 2:
        return Picture(panels=(_panel(result, result.pos_label, ""),))
    names = result.classes[:SHOWN_CLASSES]
    left_out = len(result.classes) - len(names)
    title = f"The first {len(names)} of {len(result.classes)} classes" if left_out else ""
    panels = tuple(_panel(result, name, f"Class {name} against all others") for name in names)
    return Picture(panels=panels, columns=min(3, len(panels)), title=title)


def _panel(result: Any, name: Any, title: str) -> Panel:
    folds, stacked = list(result.fold_curves(name).values()), result.curve(name)
    shown = folds[:SHOWN_FOLDS]
    lines = [
        _line_cross_scores(curve, "fold", None if k else _folds_label(folds)) for k, curve in enumerate(shown)
    ]
    lines.append(
        _line_cross_scores(stacked, "curve", f"All folds stacked ({formatting.area(stacked.auc, None)})")
    )
    chance = Line(x=CHANCE_LINE.x, y=CHANCE_LINE.y, role="chance", label="Chance")
    marks: list[Mark] = [chance, *lines]
    entries = [mark.label for mark in marks if mark.label is not None]
    legend, _ = layout.place_legend([(line.x, line.y) for line in lines], entries)
    return roc_picture(marks, positive=[name], legend=legend, title=title).panels[0]


def _folds_label(folds: list[RocCurve]) -> str:
    areas = [curve.auc for curve in folds]
    decimals = formatting.digits_apart(min(areas), max(areas))
    span = " to ".join(formatting.rate(end, decimals=decimals) for end in (min(areas), max(areas)))
    shown = f", {SHOWN_FOLDS} of them shown" if len(folds) > SHOWN_FOLDS else ""
    return f"{len(folds)} fold{'s' if len(folds) > 1 else ''} (AUC {span}){shown}"


def _line_cross_scores(curve: RocCurve, role: Any, label: str | None) -> Line:
    x, y = thinned(curve.fpr, curve.tpr)
    return Line(x=x, y=y, role=role, label=label)


# ---- Picture of averaged ROC curves -----------------------------------------------------------------------

# So many points have bars.
SHOWN_BARS = 25


def averaged_curve_picture(result: AveragedCurve, *, name: str | None = None) -> Picture:
    """Show the mean curve with its intervals, and behind it the curves of the folds where they are known.

    Examples
    --------
    >>> from rocscope.averaging.curves import average_curves
    >>> y, fold = [0, 0, 1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.4, 0.35, 0.8, 0.1, 0.2, 0.3, 0.4]
    >>> shown = averaged_curve_picture(average_curves(y, score, fold=fold))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Chance', 'Folds', '95% interval (t over folds)', 'Vertical average of 2 folds']
    """
    order = np.argsort(result.fpr + result.tpr, kind="stable")
    line = Line(
        x=result.fpr[order],
        y=result.tpr[order],
        role="curve",
        label=f"{name or result.name} of {len(result.folds)} folds",
    )
    chance = Line(x=CHANCE_LINE.x, y=CHANCE_LINE.y, role="chance", label="Chance")
    spread, outlines = _spread(result, order)
    marks: list[Mark] = [chance, *_folds(result), *spread, line]
    legend, _ = layout.place_legend(
        [(line.x, line.y), *outlines], [mark.label for mark in marks if mark.label is not None]
    )
    return roc_picture(marks, positive=[result.pos_label], legend=legend)


def _label(result: AveragedCurve) -> str:
    return f"{result.level * 100:g}% interval ({result.method})"


def _folds(result: AveragedCurve) -> list[Mark]:
    """One thin curve per fold; at thresholds only one rate of each fold is at hand."""
    if result.along == "threshold":
        return []
    lines = [(result.x, row) if result.along == "fpr" else (row, result.x) for row in result.values]
    return [Line(x=x, y=y, role="fold", label=None if k else "Folds") for k, (x, y) in enumerate(lines)]


def _spread(result: AveragedCurve, order: NDArray[np.int64]) -> tuple[list[Mark], list[Outline]]:
    if result.along == "fpr":
        band = Band(x=result.x, low=result.low, high=result.high, role="band", label=_label(result))
        return [band], [(result.x, result.low), (result.x, result.high)]
    at = order
    if len(order) > SHOWN_BARS:
        at = order[evenly_along((result.fpr + result.tpr)[order], SHOWN_BARS)]
    low, high = (result.tpr, result.tpr) if result.along == "tpr" else (result.low, result.high)
    bars = ErrorBars(
        x=result.fpr[at],
        y=result.tpr[at],
        x_low=result.fpr_low[at],
        x_high=result.fpr_high[at],
        y_low=None if result.along == "tpr" else low[at],
        y_high=None if result.along == "tpr" else high[at],
        role="interval",
        label=_label(result),
    )
    return [bars], [(result.fpr_high[order], low[order]), (result.fpr_low[order], high[order])]
