"""What all pictures in ROC space share: axes, the chance diagonal, curves thinned for display."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocscope.views import layout
from rocscope.views.layout import Outline, PointLabel
from rocscope.views.marks import Axis, Legend, Line, Mark, Panel, Picture, Text

SHOWN_VERTICES = 2000
LIMITS = (-0.01, 1.01)
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
CHANCE = Line(x=layout.CHANCE[0], y=layout.CHANCE[1], role="chance", label="Chance (AUC = 0.5)")


def roc_picture(
    marks: Iterable[Mark], *, positive: Iterable[Any] = (), legend: Legend, title: str = ""
) -> Picture:
    """Marks on a square of both rates; the positive class is named where there is just one."""
    names = {str(name) for name in positive}
    panel = Panel(
        marks=tuple(marks),
        x=rate_axis("False positive rate (1 - specificity)", names),
        y=rate_axis("True positive rate (sensitivity)", names),
        equal_aspect=True,
        legend=legend,
        title=title,
    )
    return Picture(panels=(panel,))


def rate_axis(label: str, positive: Iterable[str] = ()) -> Axis:
    """Axis of a rate from 0 to 1."""
    names = list(positive)
    text = f"{label}\n(Positive label: {names[0]})" if len(names) == 1 else label
    return Axis(label=text, low=LIMITS[0], high=LIMITS[1], ticks=TICKS)


def thinned(x: Any, y: Any) -> Outline:
    """Vertices evenly spaced along a long rising curve, its ends among them; every vertex of a short one."""
    if len(x) <= SHOWN_VERTICES:
        return x, y
    kept = evenly_along(x + y, SHOWN_VERTICES)
    return x[kept], y[kept]


def evenly_along(along: Any, n: int) -> Any:
    """Indices of about n places with even steps of a rising number, the first and the last among them."""
    steps = np.linspace(along[0], along[-1], n)
    return np.unique(np.searchsorted(along, steps).clip(max=len(along) - 1))


def point_texts(labels: list[PointLabel], outlines: list[Outline], taken: list[layout.Box]) -> list[Mark]:
    """Texts of points where they hide nothing, with lines to those that stand apart."""
    boxes = layout.place_labels(labels, outlines, taken)
    leaders = [(label.series, layout.leader(label, box)) for label, box in zip(labels, boxes, strict=True)]
    lines = [Line(x=line[0], y=line[1], role="leader", series=k) for k, line in leaders if line is not None]
    return [*lines, *(_text(label, box) for label, box in zip(labels, boxes, strict=True))]


def _text(label: PointLabel, box: layout.Box) -> Mark:
    return Text(x=float(box.left), y=float(box.bottom + box.height / 2), text=label.text, role="note")
