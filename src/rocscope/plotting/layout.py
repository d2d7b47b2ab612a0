"""Where labels and legend go on the unit square of a ROC plot, so that they hide nothing.

Every curve rises, so it stays out of a box exactly if it is above the box at its left edge or below it
at its right edge. Sizes of texts are estimates for a square plot of the default size, good enough to
choose a free place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.plotting.marks import (
    Axis,
    Band,
    Bars,
    ErrorBars,
    HeatMap,
    Legend,
    Line,
    Mark,
    Panel,
    Panel3,
    Picture,
    Points,
    Text,
    Values,
)

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


# ---- What all pictures in ROC space share: axes, the chance diagonal, curves thinned for display ----------

SHOWN_VERTICES = 2000
LIMITS = (-0.01, 1.01)
TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
CHANCE_LINE = Line(x=CHANCE[0], y=CHANCE[1], role="chance", label="Chance (AUC = 0.5)")


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


def point_texts(labels: list[PointLabel], outlines: list[Outline], taken: list[Box]) -> list[Mark]:
    """Texts of points where they hide nothing, with lines to those that stand apart."""
    boxes = place_labels(labels, outlines, taken)
    leaders = [(label.series, leader(label, box)) for label, box in zip(labels, boxes, strict=True)]
    lines = [Line(x=line[0], y=line[1], role="leader", series=k) for k, line in leaders if line is not None]
    return [*lines, *(_text(label, box) for label, box in zip(labels, boxes, strict=True))]


def _text(label: PointLabel, box: Box) -> Mark:
    return Text(x=float(box.left), y=float(box.bottom + box.height / 2), text=label.text, role="note")


# ---- Borders of the cells of a heat map -------------------------------------------------------------------


def cell_edges(centres: Values) -> Values:
    """Borders half-way between neighbouring centres, and as far beyond the outer ones.

    Examples
    --------
    >>> cell_edges(np.array([1.0, 2.0, 4.0])).tolist(), cell_edges(np.array([3.0])).tolist()
    ([0.5, 1.5, 3.0, 5.0], [2.5, 3.5])
    """
    if centres.size == 1:
        return np.asarray(centres[0] + np.array([-0.5, 0.5]))
    middle = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]])


# ---- Where the legend of any panel goes: a corner in which nothing is drawn, or below the panel -----------

CORNERS: tuple[Legend, ...] = ("lower right", "upper left", "upper right", "lower left")
# What axes that choose their ends leave free around the data, as a share.
ROOM = 0.05


def with_legend(panel: Panel, *, first: Sequence[Legend] = ()) -> Panel:
    """Return a panel with its legend where it hides nothing, preferably in the corners of `first`.

    Examples
    --------
    >>> line = Line(x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]), role="curve", label="rising")
    >>> with_legend(Panel(marks=(line,), x=Axis(), y=Axis())).legend
    'lower right'
    """
    return replace(panel, legend=free_place(panel, first=first))


def free_place(panel: Panel, *, first: Sequence[Legend] = ()) -> Legend:
    """The first of the corners where nothing is drawn, with those of `first` before others; else below."""
    labels = list(dict.fromkeys(mark.label for mark in panel.marks if mark.label is not None))
    if isinstance(panel, Panel3) or not labels or any(isinstance(mark, HeatMap) for mark in panel.marks):
        return first[0] if first else "below"
    corners = [place for place in dict.fromkeys([*first, *CORNERS]) if place != "below"]
    size = (SIDE, SIDE) if panel.equal_aspect else WIDE
    outlines = [outline for mark in panel.marks for outline in _outlines(mark)]
    return free_corner(_as_shares(panel, outlines), labels, corners=corners, size=size)


def _outlines(mark: Mark) -> list[Outline]:
    """Lines through all that a mark covers."""
    if isinstance(mark, Band):
        return [(mark.x, (1 - t) * mark.low + t * mark.high) for t in (0.0, 0.25, 0.5, 0.75, 1.0)]
    if isinstance(mark, ErrorBars):
        standing = [] if mark.y_low is None or mark.y_high is None else [(mark.x, mark.y_low, mark.y_high)]
        lying = [] if mark.x_low is None or mark.x_high is None else [(mark.y, mark.x_low, mark.x_high)]
        bars = [(np.array([x, x]), np.array(ends)) for at in standing for x, *ends in zip(*at, strict=True)]
        bars += [(np.array(ends), np.array([y, y])) for at in lying for y, *ends in zip(*at, strict=True)]
        return bars
    if isinstance(mark, Bars):
        rows = [
            (at, end)
            for low, high, end in zip(mark.low, mark.high, mark.length, strict=True)
            for at in np.linspace(low, high, 5)
        ]
        lines = [(np.array([at, at]), np.array([0.0, end])) for at, end in rows]
        return [line[::-1] for line in lines] if mark.horizontal else lines
    if isinstance(mark, Points):
        return [(mark.x[k : k + 1], mark.y[k : k + 1]) for k in range(len(mark.x))]
    if isinstance(mark, Text):
        return [(np.array([mark.x]), np.array([mark.y]))]
    return [(mark.x, mark.y)] if isinstance(mark, Line) else []


def _as_shares(panel: Panel, outlines: Sequence[Outline]) -> list[Outline]:
    """Outlines in shares of the axes, cut at their edges."""
    spans = [_span(axis, [outline[k] for outline in outlines]) for k, axis in enumerate((panel.x, panel.y))]
    shares = []
    for outline in outlines:
        x, y = ((v - low) / (high - low) for v, (low, high) in zip(outline, spans, strict=True))
        seen = np.isfinite(x) & np.isfinite(y)
        shares.append((x[seen].clip(0, 1), y[seen].clip(0, 1)))
    return [(x, y) for x, y in shares if len(x)]


def _span(axis: Axis, values: Sequence[Any]) -> tuple[float, float]:
    """Both ends of an axis: its own, or those of the data and some room."""
    found = np.concatenate([np.zeros(0), *values])
    found = found[np.isfinite(found)]
    low, high = (float(found.min()), float(found.max())) if len(found) else (0.0, 1.0)
    room = ROOM * (high - low or 1.0)
    return (low - room if axis.low is None else axis.low, high + room if axis.high is None else axis.high)
