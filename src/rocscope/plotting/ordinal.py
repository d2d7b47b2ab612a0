"""Pictures of sets of ROC curves: the Multi-ROC chart, all points, and Youden's index over the thresholds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, formatting
from rocscope.ordinal.curves import ClassCurves, ClassFront, OrdinalCurve
from rocscope.ordinal.decision import OrdinalThresholds
from rocscope.ordinal.resampling import OrdinalFolds
from rocscope.ordinal.roc import OrdinalRoc
from rocscope.plotting import layout
from rocscope.plotting.forest import Row, forest
from rocscope.plotting.layout import CHANCE_LINE, cell_edges, rate_axis, roc_picture, thinned, with_legend
from rocscope.plotting.marks import (
    Axis,
    HeatMap,
    Legend,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    ReferenceLine,
    ShadedLine,
    Text,
)

Show = Literal["curves", "points", "youden"]
# More would hide each other; the curve of MaxAUC is always among them.
SHOWN_CURVES = 10
# Of more thresholds on a side an even choice is shown.
SHOWN_POINTS = 25
SHOWN_CELLS = 100
DIAGONAL = Line(x=layout.CHANCE[0], y=layout.CHANCE[1], role="chance")
SIGNS = {"lower": "t_a", "upper": "t_b"}


def ordinal_picture(result: OrdinalRoc, *, show: Show = "curves") -> Picture:
    """Show one panel per class.

    Parameters
    ----------
    result
        What `ordinal_roc` returns.
    show
        "curves": the Multi-ROC chart, coloured from dark to light by the fixed threshold, t_a below or t_b
        above the class; of more than ten curves ten are shown. "points": the point of every pair of
        thresholds, with the Pareto front. "youden": TPR - FPR over t_a and t_b, with the best pair.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> result = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1], thresholds=3)
    >>> print(ordinal_picture(result).panels[1].title)
    Class 2 (2 cases)
    MaxAUC 0.875, AvgAUC 0.708
    """
    checks.check_choice(show, ("curves", "points", "youden"), name="show")
    panels: dict[str, Callable[..., Panel]] = {"curves": _curves, "points": _points, "youden": _youden}
    ends = _youden_range(result) if show == "youden" else (None, None)
    made = [
        panels[show](result, one, front, ends) if one.status == "ok" else _nothing(one)
        for one, front in zip(result.curves, result.front, strict=True)
    ]
    return Picture(panels=tuple(made), columns=_columns(len(made)), title=_note(result, show))


def _columns(n: int) -> int:
    return n if n <= 3 else 2 if n == 4 else 3 if n <= 9 else 4


def _note(result: OrdinalRoc, show: Show) -> str:
    """Say that not all curves are shown."""
    most = max(len(one) for one in result.curves)
    many = show == "curves" and most > SHOWN_CURVES
    return f"{SHOWN_CURVES} curves of each class, of up to {most}" if many else ""


def _nothing(one: ClassCurves) -> Panel:
    note = Text(x=0.5, y=0.5, text=str(one.reason), role="note", horizontal="center")
    return _square([note], f"Class {one.label}\nundefined")


def _square(marks: list[Mark], title: str, legend: Legend | None = None) -> Panel:
    return Panel(
        marks=tuple(marks),
        x=rate_axis("False positive rate"),
        y=rate_axis("True positive rate"),
        title=title,
        equal_aspect=True,
        legend=legend,
    )


def _title(result: OrdinalRoc, one: ClassCurves) -> str:
    head = f"Class {one.label} ({one.n_pos} cases)"
    if len(one) == 1:
        return f"{head}\nAUC {_figure(result, f'max_auc({one.label})')}"
    areas = [_figure(result, f"{name}({one.label})") for name in ("max_auc", "avg_auc")]
    between = ", " if len(areas[0]) < 10 else "\n"  # intervals need a line each
    return f"{head}\nMaxAUC {areas[0]}{between}AvgAUC {areas[1]}"


def _figure(result: OrdinalRoc, name: str) -> str:
    found = result.estimates[name]
    if found.low is None or found.high is None:
        return f"{found.value:.3f}"
    return f"{found.value:.3f} ({found.low:.3f}-{found.high:.3f})"


# ---- The Multi-ROC chart ----------------------------------------------------------------------------------


def class_curves(one: ClassCurves) -> Picture:
    """Show the curves of one class.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> result = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1], thresholds=3)
    >>> print(class_curves(result.curves[1]).panels[0].title)
    Class 2 (2 cases)
    MaxAUC 0.875, AvgAUC 0.708
    """
    if one.max_auc is None or one.avg_auc is None:
        return Picture(panels=(_nothing(one),))
    areas = (
        f"MaxAUC {one.max_auc:.3f}, AvgAUC {one.avg_auc:.3f}" if len(one) > 1 else f"AUC {one.max_auc:.3f}"
    )
    return Picture(panels=(_curve_panel(one, f"Class {one.label} ({one.n_pos} cases)\n{areas}"),))


def _curves(result: OrdinalRoc, one: ClassCurves, *others: Any) -> Panel:
    return _curve_panel(one, _title(result, one))


def _curve_panel(one: ClassCurves, title: str) -> Panel:
    shown = _shown_curves(one)
    lines = [_curve_line(one, index, place, len(shown)) for place, index in enumerate(shown)]
    legend, _ = layout.place_legend([(line.x, line.y) for line in lines], [str(line.label) for line in lines])
    return _square([DIAGONAL, *lines], title, legend)


def _curve_line(one: ClassCurves, index: int, place: int, n: int) -> Line:
    """A curve in the shade of its fixed threshold; a single one is a line as any other."""
    curve = one[index]
    x, y = thinned(curve.fpr, curve.tpr)
    label = _curve_label(one, index)
    if n == 1:
        return Line(x=x, y=y, role="curve", label=label)
    return ShadedLine(x=x, y=y, role="curve", label=label, series=place, shade=place / (n - 1))


def _shown_curves(one: ClassCurves) -> list[int]:
    """Evenly chosen curves, that of MaxAUC in place of its nearest."""
    chosen = np.unique(np.linspace(0, len(one) - 1, min(len(one), SHOWN_CURVES)).round().astype(int))
    best = int(np.argmax(one.auc))
    if best not in chosen:
        chosen[np.argmin(np.abs(chosen - best))] = best
    return [int(index) for index in chosen]


def _curve_label(one: ClassCurves, index: int) -> str:
    fixed = one.lower if one.fixed == "lower" else one.upper
    if len(one) == 1 and not np.isfinite(fixed[0]):
        moving = one.upper if one.fixed == "lower" else one.lower
        sign = SIGNS["upper" if one.fixed == "lower" else "lower"]
        return f"{sign} from {moving[0]:.3g} to {moving[-1]:.3g}"
    return f"{SIGNS[one.fixed]} = {fixed[index]:.3g}{' (max)' if index == np.argmax(one.auc) else ''}"


# ---- All points -------------------------------------------------------------------------------------------


def _points(result: OrdinalRoc, one: ClassCurves, front: ClassFront, *others: Any) -> Panel:
    i, j = (_evenly(side.size, SHOWN_POINTS) for side in (one.lower, one.upper))
    tpr = (one.pos_upto[j] - one.pos_below[i][:, None]) / one.n_pos
    fpr = (one.neg_upto[j] - one.neg_below[i][:, None]) / one.n_neg
    x, y = thinned(front.fpr, front.tpr)
    n = one.lower.size * one.upper.size
    of_all = f"{tpr.size} of {n}" if tpr.size < n else f"{n}"
    what = "pairs of thresholds" if min(one.lower.size, one.upper.size) > 1 else "thresholds"
    marks: list[Mark] = [
        DIAGONAL,
        Points(x=fpr.ravel(), y=tpr.ravel(), role="point", label=f"{of_all} {what}"),
        Line(x=x, y=y, role="curve", series=1, label=_front_label(front)),
    ]
    entries = [mark.label for mark in marks if mark.label]
    legend, _ = layout.place_legend([(x, y)], entries)
    return _square(marks, _title(result, one), legend)


def _front_label(front: ClassFront) -> str:
    return f"Pareto front ({len(front)} point{'s' if len(front) > 1 else ''})"


def _evenly(n: int, most: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64))


# ---- Youden's index ---------------------------------------------------------------------------------------


def _index(one: ClassCurves, i: NDArray[Any], j: NDArray[Any]) -> NDArray[np.float64]:
    """TPR - FPR over chosen lower (rows) and upper (columns) thresholds."""
    above = one.pos_upto[j] / one.n_pos - one.neg_upto[j] / one.n_neg
    below = one.pos_below[i] / one.n_pos - one.neg_below[i] / one.n_neg
    return np.asarray(above - below[:, None])


def _cells(one: ClassCurves) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return _evenly(one.lower.size, SHOWN_CELLS), _evenly(one.upper.size, SHOWN_CELLS)


def _youden_range(result: OrdinalRoc) -> tuple[float, float]:
    """Ends of one colour scale for all classes."""
    shown = [_index(one, *_cells(one)) for one in result.curves if one.status == "ok"]
    ends = [end for index in shown for end in (index.min(), index.max())] or [0.0]
    return float(min(ends)), float(max(ends))


def _youden(_: OrdinalRoc, one: ClassCurves, __: ClassFront, ends: tuple[float, float]) -> Panel:
    i, j = _cells(one)
    index = _index(one, i, j)
    title = f"Class {one.label} ({one.n_pos} cases)\nYouden index up to {formatting.rate(one.youden or 0.0)}"
    if not (np.isfinite(one.lower[0]) and np.isfinite(one.upper[0])):
        return _youden_line(one, index.ravel(), title, ends)
    cells = HeatMap(
        x_edges=cell_edges(one.upper[j]),
        y_edges=cell_edges(one.lower[i]),
        values=index,
        low=ends[0],
        high=ends[1],
        role="cells",
        label="TPR - FPR",
    )
    best = Points(x=np.array([one.youden_upper]), y=np.array([one.youden_lower]), role="selected", series=1)
    return Panel(
        marks=(cells, best),
        x=Axis(label="Upper threshold t_b", grid=False),
        y=Axis(label="Lower threshold t_a", grid=False),
        title=title,
    )


def _youden_line(one: ClassCurves, index: NDArray[Any], title: str, ends: tuple[float, float]) -> Panel:
    """The first and the last class have one threshold that moves, and so a line."""
    first = bool(np.isfinite(one.upper[0]))
    side = one.upper if first else one.lower
    moving = side[_evenly(side.size, SHOWN_CELLS)]
    best = one.youden_upper if first else one.youden_lower
    room = 0.05 * (ends[1] - ends[0] or 1.0)
    return Panel(
        marks=(
            Line(x=moving, y=index, role="curve"),
            ReferenceLine(axis="x", at=float(best or 0.0), role="reference"),
            Points(x=np.array([best]), y=np.array([one.youden]), role="selected", series=1),
        ),
        x=Axis(label="Upper threshold t_b" if first else "Lower threshold t_a"),
        y=Axis(label="TPR - FPR", low=ends[0] - room, high=ends[1] + room),
        title=title,
    )


# ---- Pictures of what belongs to ordered classes: curves of one class, thresholds, folds, estimates -------

SHOWN_CASES = 2000


def ordinal_parts_picture(result: Any, **options: Any) -> Picture:
    """Show the curves of a class, its front, thresholds between classes, figures of folds, or estimates."""
    views: dict[type, Callable[..., Picture]] = {
        ClassCurves: class_curves,
        OrdinalCurve: curve,
        ClassFront: front,
        OrdinalThresholds: thresholds,
        OrdinalFolds: folds,
    }
    if type(result) in views:
        return views[type(result)](result, **options)
    return estimates(result, **options)  # their type is of a room that this one does not know


def curve(result: OrdinalCurve, *, name: str | None = None) -> Picture:
    """Show one curve of a class.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> found = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1], thresholds=3)
    >>> curve(found.curves[1][0]).panels[0].marks[-1].label
    'Class 2, t_a = 1.25 (AUC = 0.88)'
    """
    fixed = f", {SIGNS[result.side]} = {result.at:.3g}" if np.isfinite(result.at) else ""
    label = f"{name or f'Class {result.label}'}{fixed} ({formatting.area(result.auc, None)})"
    return _rates(result.fpr, result.tpr, label, result.label)


def front(result: ClassFront, *, name: str | None = None) -> Picture:
    """Show the points that no other pair of thresholds betters."""
    area = "no area" if result.auc is None else formatting.area(result.auc, None)
    label = f"{name or f'Front of class {result.label}'} ({area})"
    dots = Points(x=result.fpr, y=result.tpr, role="point")
    return _rates(result.fpr, result.tpr, label, result.label, dots)


def _rates(fpr: Any, tpr: Any, label: str, positive: Any, *more: Mark) -> Picture:
    x, y = thinned(fpr, tpr)
    line = Line(x=x, y=y, role="curve", label=label)
    legend, _ = layout.place_legend([(x, y)] if len(x) else [], [CHANCE_LINE.label or "", label])
    return roc_picture([CHANCE_LINE, line, *more], positive=[positive], legend=legend)


def thresholds(result: OrdinalThresholds) -> Picture:
    """Show the cases of every class by the class that the thresholds decide for.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> found = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.2, 1.9, 2.2, 2.6, 3.1])
    >>> [mark.text for mark in thresholds(found.thresholds).panels[0].marks[1:4]]
    ['2', '0', '0']
    """
    n = len(result.labels)
    edges = np.arange(n + 1, dtype=np.float64) - 0.5
    counts = result.confusion.astype(np.float64)
    cells = HeatMap(x_edges=edges, y_edges=edges, values=counts, low=0.0, role="cells", label="Cases")
    texts = [
        Text(x=column, y=row, text=str(result.confusion[row, column]), role="note", horizontal="center")
        for row in range(n if result.confusion.size else 0)
        for column in range(n)
    ]
    names, ticks = tuple(map(str, result.labels)), tuple(map(float, range(n)))
    panel = Panel(
        marks=(cells, *texts) if result.confusion.size else (),
        x=Axis(label="Decided class", ticks=ticks, tick_labels=names, low=-0.5, high=n - 0.5, grid=False),
        y=Axis(label="True class", ticks=ticks, tick_labels=names, low=n - 0.5, high=-0.5, grid=False),
        title=str(result).replace(": ", "\n", 1),
        equal_aspect=True,
    )
    return Picture(panels=(panel,))


def folds(result: OrdinalFolds) -> Picture:
    """Show mean and standard deviation of every figure over the folds."""
    rows = [
        _fold_row(name, int(n), float(mean), float(sd))
        for name, n, mean, sd in zip(result.names, result.n, result.mean, result.sd, strict=True)
    ]
    label = "Mean over the folds, plus and minus a standard deviation"
    return forest(rows, label=label, reference=None, title=f"{len(result.folds)} folds")


def _fold_row(name: str, n: int, mean: float, sd: float) -> Row:
    if n == 0:
        return Row(name=name, value=None, low=None, high=None, figures="undefined in every fold")
    if n == 1:
        return Row(name=name, value=mean, low=None, high=None, figures=f"{mean:.3f} (1 fold)")
    return Row(name=name, value=mean, low=mean - sd, high=mean + sd, figures=f"{mean:.3f} (SD {sd:.3f})")


def estimates(result: Any) -> Picture:
    """Show the estimate of every case over its true class; the line is where both are equal."""
    ends = np.array([result.classes[0], result.classes[-1]], dtype=np.float64)
    n = len(result.y_true)
    kept = np.unique(np.linspace(0, n - 1, min(n, SHOWN_CASES)).round().astype(int))
    label = f"{n:,} cases" if n == len(kept) else f"{len(kept):,} of {n:,} cases"
    panel = Panel(
        marks=(
            Line(x=ends, y=ends, role="chance", label="Estimate equals class"),
            Points(x=result.y_true[kept], y=result.y_pred[kept], role="point", label=label),
        ),
        x=Axis(
            label="True class",
            ticks=tuple(map(float, result.classes)),
            tick_labels=tuple(map(str, result.labels)),
        ),
        y=Axis(label="Estimate"),
    )
    return Picture(panels=(with_legend(panel),))
