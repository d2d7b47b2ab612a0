"""Pictures of ordered classes: curves, points and Youden's index of each; its parts, thresholds and folds."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, formatting
from rocscope.errors import RocInputError
from rocscope.ordinal import comparison, curves, decision, resampling, roc
from rocscope.plotting import layout
from rocscope.plotting.forest import difference_forests, forest, mean_row
from rocscope.plotting.marks import Axis, Line, Mark, Panel, Picture, Points, ReferenceLine, ShadedLine, Text

Show: TypeAlias = Literal["curves", "points", "youden"]
SHOWN_CURVES = 10  # more would hide each other; the curve of MaxAUC is always among them
SHOWN_POINTS = 25  # of more thresholds on a side, evenly spaced ones
SHOWN_CELLS = 100
SHOWN_CASES = 2000
SIGNS = {"lower": "t_a", "upper": "t_b"}


def ordinal_picture(
    result: roc.OrdinalRoc, *, show: Show = "curves", classes: Sequence[Any] | None = None
) -> Picture:
    """Show one panel per class.

    Parameters
    ----------
    result
        What `ordinal_roc` returns.
    show
        "curves": the Multi-ROC chart, coloured from dark to light by the fixed threshold, t_a below or t_b
        above the class; of more than ten curves ten are shown. "points": the point of every pair of
        thresholds, with the Pareto front. "youden": TPR - FPR over t_a and t_b, with the best pair.
    classes
        Labels of the classes to show; all unless given.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> result = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1], thresholds=3)
    >>> print(ordinal_picture(result).panels[1].title)
    Class 2 (2 cases)
    MaxAUC 0.875, AvgAUC 0.708
    """
    checks.check_choice(show, ("curves", "points", "youden"), name="show")
    shown = result.labels if classes is None else tuple(classes)
    unknown = [label for label in shown if label not in result.labels]
    if unknown or not shown:
        allowed = ", ".join(map(repr, result.labels))
        got = checks.show(unknown[0]) if unknown else "none"
        raise RocInputError(f"must be among {allowed}, got {got}", argument="classes")
    defined = [one for one in result.curves if one.status == "ok" and one.label in shown]
    ends = (0.0, 0.0)  # of one colour scale for all classes
    if show == "youden" and defined:
        indices = [_youden_index(one)[-1] for one in defined]
        ends = float(min(index.min() for index in indices)), float(max(index.max() for index in indices))
    panels = []
    for one, front in zip(result.curves, result.front, strict=True):
        if one.label not in shown:
            continue
        names = [f"{name}({one.label})" for name in ("max_auc", "avg_auc")]
        areas = []
        for name in names[: 1 if len(one) == 1 else 2] if one.status == "ok" else ():
            area = result.estimates[name]
            interval = "" if area.low is None or area.high is None else f" ({area.low:.3f}-{area.high:.3f})"
            areas.append(f"{area.value:.3f}{interval}")
        if one.status != "ok":
            panels.append(_undefined_panel(one))
        elif show == "curves":
            panels.append(_curves_panel(one, areas))
        elif show == "points":
            panels.append(_points_panel(one, front, areas))
        else:
            panels.append(_youden_panel(one, ends))
    n = len(panels)
    columns = n if n <= 3 else 2 if n == 4 else 3 if n <= 9 else 4
    most = max((len(one) for one in defined), default=0)
    many = show == "curves" and most > SHOWN_CURVES
    title = f"{SHOWN_CURVES} curves of each class, of up to {most}" if many else ""
    return Picture(panels=tuple(panels), columns=columns, title=title)


def class_curves_picture(one: curves.ClassCurves) -> Picture:
    """Show the curves of one class.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> result = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1], thresholds=3)
    >>> print(class_curves_picture(result.curves[1]).panels[0].title)
    Class 2 (2 cases)
    MaxAUC 0.875, AvgAUC 0.708
    """
    if one.max_auc is None or one.avg_auc is None:
        return Picture(panels=(_undefined_panel(one),))
    areas = [one.max_auc, one.avg_auc] if len(one) > 1 else [one.max_auc]
    return Picture(panels=(_curves_panel(one, [f"{area:.3f}" for area in areas]),))


def _undefined_panel(one: curves.ClassCurves) -> Panel:
    note = Text(x=0.5, y=0.5, text=str(one.reason), role="note", horizontal="center")
    return layout.roc_panel([note], title=f"Class {one.label}\nundefined", short=True)


def _title(one: curves.ClassCurves, areas: list[str]) -> str:
    """The class and its areas, MaxAUC and AvgAUC where it has several curves."""
    head = f"Class {one.label} ({one.n_pos} cases)"
    if len(areas) == 1:
        return f"{head}\nAUC {areas[0]}"
    between = ", " if len(areas[0]) < 10 else "\n"  # intervals need a line each
    return f"{head}\nMaxAUC {areas[0]}{between}AvgAUC {areas[1]}"


def _curves_panel(one: curves.ClassCurves, areas: list[str]) -> Panel:
    """Evenly spaced curves, that of MaxAUC in place of its nearest, in shades of their fixed thresholds."""
    best = int(np.argmax(one.auc))
    indices = layout.evenly(len(one), SHOWN_CURVES)
    if best not in indices:
        indices[np.argmin(np.abs(indices - best))] = best
    fixed, moving = (one.lower, one.upper) if one.fixed == "lower" else (one.upper, one.lower)
    marks: list[Mark] = [layout.chance_line(None)]
    for place, index in enumerate(indices.tolist()):
        x, y = layout.thinned(one[index].fpr, one[index].tpr)
        label = f"{SIGNS[one.fixed]} = {fixed[index]:.3g}{' (max)' if index == best else ''}"
        if len(one) == 1 and not np.isfinite(fixed[0]):
            sign = SIGNS["upper" if one.fixed == "lower" else "lower"]
            label = f"{sign} from {moving[0]:.3g} to {moving[-1]:.3g}"
        if len(indices) == 1:
            marks.append(Line(x=x, y=y, role="curve", label=label))
        else:
            shade = place / (len(indices) - 1)
            marks.append(ShadedLine(x=x, y=y, role="curve", label=label, series=place, shade=shade))
    return layout.roc_panel(marks, title=_title(one, areas), short=True)


def _points_panel(one: curves.ClassCurves, front: curves.ClassFront, areas: list[str]) -> Panel:
    """The points of all pairs of thresholds and their Pareto front."""
    i, j = layout.evenly(one.lower.size, SHOWN_POINTS), layout.evenly(one.upper.size, SHOWN_POINTS)
    tpr = (one.pos_upto[j] - one.pos_below[i][:, None]) / one.n_pos
    fpr = (one.neg_upto[j] - one.neg_below[i][:, None]) / one.n_neg
    n = one.lower.size * one.upper.size
    count = f"{tpr.size} of {n}" if tpr.size < n else f"{n}"
    kind = "pairs of thresholds" if min(one.lower.size, one.upper.size) > 1 else "thresholds"
    label = f"Pareto front ({len(front)} point{'s' if len(front) > 1 else ''})"
    marks = [
        layout.chance_line(None),
        Points(x=fpr.ravel(), y=tpr.ravel(), role="point", label=f"{count} {kind}"),
        layout.curve_line(front.fpr, front.tpr, series=1, label=label),
    ]
    return layout.roc_panel(marks, title=_title(one, areas), short=True)


def _youden_index(one: curves.ClassCurves) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    """Some lower (rows) and upper (columns) thresholds, and TPR - FPR of every pair of them."""
    i, j = layout.evenly(one.lower.size, SHOWN_CELLS), layout.evenly(one.upper.size, SHOWN_CELLS)
    above = one.pos_upto[j] / one.n_pos - one.neg_upto[j] / one.n_neg
    below = one.pos_below[i] / one.n_pos - one.neg_below[i] / one.n_neg
    return one.lower[i], one.upper[j], np.asarray(above - below[:, None])


def _youden_panel(one: curves.ClassCurves, ends: tuple[float, float]) -> Panel:
    """A heat map over both thresholds; of the first and the last class, where one moves, a line."""
    lower, upper, index = _youden_index(one)
    title = f"Class {one.label} ({one.n_pos} cases)\nYouden index up to {formatting.rate(one.youden or 0.0)}"
    labels = {"lower": "Lower threshold t_a", "upper": "Upper threshold t_b"}
    if np.isfinite(lower[0]) and np.isfinite(upper[0]):
        cells = layout.heat_map(upper, lower, index, "TPR - FPR", low=ends[0], high=ends[1])
        best = Points(
            x=np.array([one.youden_upper]), y=np.array([one.youden_lower]), role="selected", series=1
        )
        x, y = Axis(label=labels["upper"], grid=False), Axis(label=labels["lower"], grid=False)
        return Panel(marks=(cells, best), x=x, y=y, title=title)
    moving, side, at = lower, "lower", one.youden_lower
    if np.isfinite(upper[0]):
        moving, side, at = upper, "upper", one.youden_upper
    room = 0.05 * (ends[1] - ends[0] or 1.0)
    return Panel(
        marks=(
            Line(x=moving, y=index.ravel(), role="curve"),
            ReferenceLine(axis="x", at=float(at or 0.0), role="reference"),
            Points(x=np.array([at]), y=np.array([one.youden]), role="selected", series=1),
        ),
        x=Axis(label=labels[side]),
        y=Axis(label="TPR - FPR", low=ends[0] - room, high=ends[1] + room),
        title=title,
    )


def ordinal_curve_picture(
    result: curves.OrdinalCurve | curves.ClassFront, *, name: str | None = None
) -> Picture:
    """Show one curve of a class, or the points of its pairs of thresholds that no other pair betters.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> result = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1], thresholds=3)
    >>> ordinal_curve_picture(result.curves[1][0]).panels[0].marks[-1].label
    'Class 2, t_a = 1.25 (AUC = 0.88)'
    """
    area = "no area" if result.auc is None else formatting.area(result.auc, None)
    dots: list[Mark] = []
    if isinstance(result, curves.ClassFront):
        name = name or f"Front of class {result.label}"
        dots = [Points(x=result.fpr, y=result.tpr, role="point")]
    else:
        fixed = f", {SIGNS[result.side]} = {result.at:.3g}" if np.isfinite(result.at) else ""
        name = f"{name or f'Class {result.label}'}{fixed}"
    line = layout.curve_line(result.fpr, result.tpr, label=f"{name} ({area})")
    return Picture(panels=(layout.roc_panel([layout.chance_line(), line, *dots], positive=[result.label]),))


def ordinal_thresholds_picture(result: decision.OrdinalThresholds) -> Picture:
    """Show the cases of every class by the class that the thresholds decide for.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> result = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.2, 1.9, 2.2, 2.6, 3.1])
    >>> [mark.text for mark in ordinal_thresholds_picture(result.thresholds).panels[0].marks[1:4]]
    ['2', '0', '0']
    """
    n, marks = len(result.labels), list[Mark]()
    if result.confusion.size:
        centres = np.arange(n, dtype=np.float64)
        marks.append(layout.heat_map(centres, centres, result.confusion.astype(np.float64), "Cases", low=0.0))
        marks += [
            Text(x=column, y=row, text=str(count), role="note", horizontal="center")
            for (row, column), count in np.ndenumerate(result.confusion)
        ]
    names = list(map(str, result.labels))
    panel = Panel(
        marks=tuple(marks),
        x=layout.category_axis(names, label="Decided class", low=-0.5, high=n - 0.5),
        y=layout.category_axis(names, label="True class", low=n - 0.5, high=-0.5),
        title=str(result).replace(": ", "\n", 1),
        equal_aspect=True,
    )
    return Picture(panels=(panel,))


def ordinal_folds_picture(result: resampling.OrdinalFolds) -> Picture:
    """Show mean and standard deviation of every figure over the folds."""
    rows = [
        mean_row(
            name,
            float(mean) if n else None,
            float(sd) if n > 1 else None,
            note=" (1 fold)" if n else "undefined in every fold",
        )
        for name, n, mean, sd in zip(result.names, result.n, result.mean, result.sd, strict=True)
    ]
    label = "Mean over the folds, plus and minus a standard deviation"
    return forest(rows, label=label, reference=None, title=f"{len(result.folds)} folds")


def ordinal_comparison_picture(
    result: comparison.OrdinalComparison | comparison.FigureDifference,
) -> Picture:
    """Show the difference of every figure of two scores, its interval and p-value, around a line at 0.

    Examples
    --------
    >>> from rocscope.ordinal.comparison import compare_ordinal
    >>> y = [1, 1, 1, 2, 2, 2, 3, 3, 3]
    >>> scores = {"a": [0.7, 1.2, 1.6, 1.4, 2.1, 2.3, 2.4, 3.1, 3.3], "b": [1, 2, 3, 1, 2, 3, 1, 2, 3]}
    >>> drawn = ordinal_comparison_picture(compare_ordinal(y, scores, n_boot=100, rng=1))
    >>> drawn.panels[0].title, drawn.panels[0].y.tick_labels[:2]
    ('a - b', ('MaxAUC(1)', 'MaxAUC(2)'))
    """
    return difference_forests(result, name=lambda one: resampling.figure_title(one.figure))


def ordinal_scores_picture(result: Any) -> Picture:
    """Show the estimate of every case over its true class; the line is where both are equal."""
    ends = np.array([result.classes[0], result.classes[-1]], dtype=np.float64)
    n = len(result.y_true)
    kept = layout.evenly(n, SHOWN_CASES)
    label = f"{n:,} cases" if n == len(kept) else f"{len(kept):,} of {n:,} cases"
    ticks, names = tuple(map(float, result.classes)), tuple(map(str, result.labels))
    panel = Panel(
        marks=(
            Line(x=ends, y=ends, role="chance", label="Estimate equals class"),
            Points(x=result.y_true[kept], y=result.y_pred[kept], role="point", label=label),
        ),
        x=Axis(label="True class", ticks=ticks, tick_labels=names),
        y=Axis(label="Estimate"),
    )
    return Picture(panels=(layout.with_legend(panel),))
