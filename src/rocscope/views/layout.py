"""Where labels and legend go on the unit square of a ROC plot, so that they hide nothing.

Every curve rises, so it stays out of a box exactly if it is above the box at its left edge or below it
at its right edge. Sizes of texts are estimates for a square plot of the default size, good enough to
choose a free place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.views.marks import Legend, Values

SIDE = 4.0  # inches of the side of a square plot
WIDE = (5.5, 3.3)  # inches of a wide one
CHARACTER = 0.0148  # width of a character and height of a line, as shares of the side of the plot
LINE = 0.042
HANDLE = 0.09  # what a legend entry has besides its text
GAP = 0.018
LEADER = 0.035  # from this distance on, a line leads from the point to its label
STEP = 0.01  # of the places that are tried
DENSE = 20  # points on each piece of a polyline
# What it costs to stand on something, in distance from the point.
ON_CHANCE, ON_CURVE, ON_LEADER, ON_TEXT = 0.06, 0.3, 0.5, 10.0

Outline: TypeAlias = tuple[Values, Values]
CHANCE: Outline = (np.array([0.0, 1.0]), np.array([0.0, 1.0]))


@dataclass(frozen=True, slots=True)
class Box:
    """Rectangles in the coordinates of the plot: one, or with arrays as edges many of one size."""

    left: NDArray[np.float64]
    bottom: NDArray[np.float64]
    width: float
    height: float

    @property
    def right(self) -> NDArray[np.float64]:
        """The right edge."""
        return self.left + self.width

    @property
    def top(self) -> NDArray[np.float64]:
        """The upper edge."""
        return self.bottom + self.height

    def meets(self, other: Box) -> NDArray[np.bool_]:
        """Whether the two overlap."""
        across = (self.left < other.right) & (other.left < self.right)
        return across & (self.bottom < other.top) & (other.bottom < self.top)

    def is_crossed(self, outline: Outline) -> NDArray[np.bool_]:
        """Whether a rising polyline comes closer than half a gap."""
        above = np.interp(self.left - GAP / 2, *outline) > self.top + GAP / 2
        below = np.interp(self.right + GAP / 2, *outline) < self.bottom - GAP / 2
        return ~(above | below)

    def holds(self, x: Any, y: Any) -> NDArray[np.bool_]:
        """Whether (x, y) lies inside."""
        return np.asarray((self.left < x) & (x < self.right) & (self.bottom < y) & (y < self.top))

    def nearest(self, x: float, y: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The point of the edge to which a line from (x, y) leads: the middle of a side, or straight."""
        beside = (x < self.left) | (x > self.right)
        middle = self.bottom + self.height / 2
        return np.clip(x, self.left, self.right), np.where(beside, middle, np.clip(y, self.bottom, self.top))


@dataclass(frozen=True, slots=True)
class PointLabel:
    """A text that belongs to the point (x, y) of a curve."""

    x: float
    y: float
    text: str
    series: int = 0


def place_legend(outlines: Sequence[Outline], entries: Sequence[str]) -> tuple[Legend, list[Box]]:
    """The lower right corner if no curve is there, else the upper left one, else below the plot.

    Returns the place and the box that is taken by it, if any.
    """
    width = max(map(len, entries)) * CHARACTER + HANDLE
    height = len(entries) * LINE + GAP
    corners: list[tuple[Legend, Box]] = [
        ("lower right", box(1 - width, 0, width, height)),
        ("upper left", box(0, 1 - height, width, height)),
    ]
    for place, corner in corners:
        if width < 1 and not any(corner.is_crossed(outline) for outline in (CHANCE, *outlines)):
            return place, [corner]
    return "below", []


def free_corner(
    outlines: Sequence[Outline],
    entries: Sequence[str],
    *,
    corners: Sequence[Legend],
    size: tuple[float, float] = (SIDE, SIDE),
) -> Legend:
    """The first of the corners where no polyline is, else below the plot; the lines need not rise.

    Coordinates are shares of the plot, whose `size` is in inches.
    """
    width = (max(map(len, entries)) * CHARACTER + HANDLE) * SIDE / size[0] + GAP
    height = (len(entries) * LINE + GAP) * SIDE / size[1] + GAP
    for corner in corners:
        left = 0.0 if corner.endswith("left") else 1 - width
        bottom = 0.0 if corner.startswith("lower") else 1 - height
        place = box(left - GAP, bottom - GAP, width + 2 * GAP, height + 2 * GAP)
        if width < 1 and not any(place.holds(*_dense(outline)).any() for outline in outlines):
            return corner
    return "below"


def _dense(outline: Outline) -> Outline:
    """A polyline with so many points that none of its pieces jumps over a legend."""
    place = np.arange(len(outline[0]))
    steps = np.linspace(0, len(place) - 1, DENSE * max(1, len(place) - 1))
    return np.interp(steps, place, outline[0]), np.interp(steps, place, outline[1])


def place_labels(
    labels: Sequence[PointLabel], outlines: Sequence[Outline], taken: Sequence[Box]
) -> list[Box]:
    """Give every label a box near its point that covers no other text and, if it can, no curve."""
    points = [box(label.x - GAP / 2, label.y - GAP / 2, GAP, GAP) for label in labels]
    placed: dict[int, tuple[PointLabel, Box]] = {}
    for k in sorted(range(len(labels)), key=lambda k: labels[k].x - labels[k].y):  # from the upper left
        place = _best_place(labels[k], outlines, [*taken, *points], list(placed.values()))
        placed[k] = (labels[k], place)
    return [placed[k][1] for k in range(len(labels))]


def _best_place(
    label: PointLabel,
    outlines: Sequence[Outline],
    taken: Sequence[Box],
    placed: Sequence[tuple[PointLabel, Box]],
) -> Box:
    width = len(label.text) * CHARACTER
    left, bottom = np.meshgrid(np.arange(0, max(1 - width, STEP), STEP), np.arange(0, 1 - LINE, STEP))
    tried = Box(left, bottom, width, LINE)
    cost = _distance(tried, label) + ON_CHANCE * tried.is_crossed(CHANCE)
    for outline in outlines:
        cost += ON_CURVE * tried.is_crossed(outline)
    for other in (*taken, *(place for _, place in placed)):
        cost += ON_TEXT * tried.meets(other)
        cost += ON_LEADER * _passes(label, tried, other)
    for other_label, other in placed:
        cost += ON_LEADER * _passes(other_label, other, tried)
    best = np.unravel_index(np.argmin(cost), cost.shape)
    return box(left[best], bottom[best], width, LINE)


def _distance(tried: Box, label: PointLabel) -> NDArray[np.float64]:
    """Distance from the point to the text, and a little for the way to where the text begins."""
    x, y = tried.nearest(label.x, label.y)
    begin = np.hypot(tried.left - label.x, tried.bottom + LINE / 2 - label.y)
    return np.asarray(np.hypot(x - label.x, y - label.y) + 0.1 * begin)


def _passes(label: PointLabel, place: Box, other: Box) -> NDArray[np.bool_]:
    """Whether the line from a point to its label goes through another box."""
    x, y = place.nearest(label.x, label.y)
    along = (0.3, 0.5, 0.7, 0.9)
    hits = [other.holds(label.x + t * (x - label.x), label.y + t * (y - label.y)) for t in along]
    return np.asarray(np.any(hits, axis=0))


def leader(label: PointLabel, place: Box) -> Outline | None:
    """The line from a point to its label, where they stand apart."""
    x, y = place.nearest(label.x, label.y)
    if np.hypot(x - label.x, y - label.y) < LEADER:
        return None
    return np.array([label.x, float(x)]), np.array([label.y, float(y)])


def box(left: float, bottom: float, width: float, height: float) -> Box:
    """One rectangle."""
    return Box(np.array(left), np.array(bottom), width, height)
