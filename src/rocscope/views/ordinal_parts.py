"""Pictures of what belongs to ordered classes: curves of one class, thresholds, folds, estimates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rocscope.ordinal.curves import ClassCurves, OrdinalCurve
from rocscope.ordinal.decision import OrdinalThresholds
from rocscope.ordinal.front import ClassFront
from rocscope.ordinal.resampling import OrdinalFolds
from rocscope.views import layout, words
from rocscope.views.forest import Row, forest
from rocscope.views.legend import with_legend
from rocscope.views.marks import Axis, HeatMap, Line, Mark, Panel, Picture, Points, Text
from rocscope.views.ordinal import SIGNS, class_curves
from rocscope.views.roc_space import CHANCE, roc_picture, thinned

SHOWN_CASES = 2000


def picture(result: Any, **options: Any) -> Picture:
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
    label = f"{name or f'Class {result.label}'}{fixed} ({words.area(result.auc, None)})"
    return _rates(result.fpr, result.tpr, label, result.label)


def front(result: ClassFront, *, name: str | None = None) -> Picture:
    """Show the points that no other pair of thresholds betters."""
    area = "no area" if result.auc is None else words.area(result.auc, None)
    label = f"{name or f'Front of class {result.label}'} ({area})"
    dots = Points(x=result.fpr, y=result.tpr, role="point")
    return _rates(result.fpr, result.tpr, label, result.label, dots)


def _rates(fpr: Any, tpr: Any, label: str, positive: Any, *more: Mark) -> Picture:
    x, y = thinned(fpr, tpr)
    line = Line(x=x, y=y, role="curve", label=label)
    legend, _ = layout.place_legend([(x, y)] if len(x) else [], [CHANCE.label or "", label])
    return roc_picture([CHANCE, line, *more], positive=[positive], legend=legend)


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
