"""Where labels and legend go on the unit square of a ROC plot, so that they hide nothing.

Below and to the right of a point on a rising curve there is no curve: labels hang there. Sizes of texts
are estimates for a square plot of the default size, good enough to choose a free place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rocscope.views.marks import Legend, Values

CHARACTER = 0.0158  # width of a character and height of a line, as shares of the side of the plot
LINE = 0.055
GAP = 0.022
LEADER = 2 * GAP  # from this distance on, a line leads from the point to its label

Outline: TypeAlias = tuple[Values, Values]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in the coordinates of the plot."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top - self.height

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.bottom < other.top and other.bottom < self.top


@dataclass(frozen=True, slots=True)
class PointLabel:
    """A text that belongs to the point (x, y) of a curve."""

    x: float
    y: float
    text: str
    outline: Outline


def place_labels(labels: Sequence[PointLabel]) -> list[Box]:
    """Give every label a box of its own, the upper ones first."""
    boxes: dict[int, Box] = {}
    for k in sorted(range(len(labels)), key=lambda k: -labels[k].y):
        boxes[k] = _free_box(labels[k], list(boxes.values()))
    return [boxes[k] for k in range(len(labels))]


def _free_box(label: PointLabel, taken: Sequence[Box]) -> Box:
    width = len(label.text) * CHARACTER
    left = max(0.0, min(label.x + GAP, 1 - width))
    roof = label.y if left >= label.x else min(label.y, height_at(label.outline, left))
    top = roof - GAP / 2
    for other in sorted(taken, key=lambda box: -box.top):
        if Box(left, top, width, LINE).meets(other):
            top = other.bottom
    return Box(left, max(top, LINE), width, LINE)


def leader(label: PointLabel, box: Box) -> Outline | None:
    """The line from a point to its label, where they stand apart."""
    x, y = min(max(label.x, box.left), box.right), box.top - LINE / 4
    if np.hypot(label.x - x, label.y - y) < LEADER:
        return None
    return np.array([label.x, x]), np.array([label.y, y])


def place_legend(outlines: Sequence[Outline], entries: Sequence[str], taken: Sequence[Box]) -> Legend:
    """The lower right corner if it is free; else the upper left one; else below the plot."""
    width = (max(map(len, entries)) + 4) * CHARACTER
    height = len(entries) * LINE + GAP
    corner = Box(1 - width, height, width, height)
    if not any(corner.meets(box) for box in taken) and all(
        height_at(outline, corner.left) > corner.top for outline in outlines
    ):
        return "lower right"
    corner = Box(0, 1, width, height)
    if not any(corner.meets(box) for box in taken) and all(
        height_at(outline, corner.right) < corner.bottom for outline in outlines
    ):
        return "upper left"
    return "below"


def height_at(outline: Outline, x: float) -> float:
    """Height of a rising polyline at x."""
    return float(np.interp(x, *outline))
