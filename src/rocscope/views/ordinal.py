"""Pictures of sets of ROC curves: the Multi-ROC chart, all points, and Youden's index over the thresholds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.ordinal.curves import ClassCurves
from rocscope.ordinal.front import ClassFront
from rocscope.ordinal.result import OrdinalRoc
from rocscope.views import layout, words
from rocscope.views.cells import cell_edges
from rocscope.views.marks import (
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
from rocscope.views.roc_space import rate_axis, thinned

Show = Literal["curves", "points", "youden"]
# More would hide each other; the curve of MaxAUC is always among them.
SHOWN_CURVES = 10
# Of more thresholds on a side an even choice is shown.
SHOWN_POINTS = 25
SHOWN_CELLS = 100
CHANCE = Line(x=layout.CHANCE[0], y=layout.CHANCE[1], role="chance")
SIGNS = {"lower": "t_a", "upper": "t_b"}


def picture(result: OrdinalRoc, *, show: Show = "curves") -> Picture:
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
    >>> print(picture(result).panels[1].title)
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
    return _square([CHANCE, *lines], title, legend)


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
        CHANCE,
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
    title = f"Class {one.label} ({one.n_pos} cases)\nYouden index up to {words.rate(one.youden or 0.0)}"
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
