"""Picture of two ROC curves and the points where they cross."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocscope.area.crossing import CurveCrossings
from rocscope.core.curve import RocCurve
from rocscope.errors import RocInputError
from rocscope.views import layout, words
from rocscope.views.layout import Outline, PointLabel
from rocscope.views.marks import Band, Line, Mark, Picture, Points
from rocscope.views.roc_space import CHANCE, point_texts, roc_picture, thinned

# So many crossings are named by their rates.
NAMED_POINTS = 6


def picture(
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
    >>> shown = picture(rs.crossings(a, b), first=a, second=b, names=("a", "b"))
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
    marks: list[Mark] = [CHANCE, *strips, *lines, *([points] if len(result.fpr) else [])]
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
    return Line(x=x, y=y, role="curve", label=f"{name} (AUC = {words.rate(curve.auc)})", series=series)


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
    labels = [PointLabel(x, y, f"FPR {words.rate(x)}, TPR {words.rate(y)}", 2) for x, y in rates]
    return point_texts(labels, outlines, taken)


def _title(result: CurveCrossings, names: tuple[str, str]) -> str:
    if result.dominant == "equal":
        return "The curves are equal"
    if result.dominant is not None:
        above, below = names if result.dominant == "first" else names[::-1]
        return f"{above} is nowhere below {below}"
    times = {1: "once", 2: "twice"}.get(len(result.fpr), f"{len(result.fpr)} times")
    return f"The curves cross {times}"
