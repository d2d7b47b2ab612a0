"""Where things go on a panel: ranges of axes, labels and legends that hide nothing, the square of ROC space.

Sizes of texts are estimates for a plot of the default size, good enough to choose a free place.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from rocscope.core import checks, formatting
from rocscope.core.curve import RocCurve, vertices_at
from rocscope.core.points import OperatingPoint, cut_of
from rocscope.errors import RocInputError
from rocscope.plotting import marks

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

SHOWN_VERTICES = 2000
CHANCE: marks.Outline = (np.array([0.0, 1.0]), np.array([0.0, 1.0]))
CORNERS: tuple[marks.Legend, ...] = ("lower right", "upper left", "upper right", "lower left")
WRITTEN_CLASSES = 12  # numbers stand in the cells of so many classes
ROOM = 0.05  # left free on both sides of the marks, as a share, where an axis has no ends of its own
# Rates with a tick on a normal-deviate axis and their deviates; on a long axis some would run together.
RATES = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999)
TICKS: dict[float, float] = dict(zip(RATES, ndtri(RATES).round(5).tolist(), strict=True))
CLOSE = (0.05, 0.2, 0.8, 0.95)
LEAST_REACH, LONG_REACH, MOST_REACH = 2.4, 2.8, 4.0


# ---- ROC space: both rates on a square, the chance diagonal, curves thinned for display -------------------


def roc_panel(
    drawn: Sequence[marks.Mark],
    *,
    labels: Sequence[PointLabel] = (),
    outlines: Sequence[marks.Outline] | None = None,
    taken: Sequence[Box] = (),
    positive: Iterable[Any] = (),
    title: str = "",
    short: bool = False,
) -> marks.Panel:
    """Return marks on the square of both rates, with legend and point labels where they hide nothing.

    Parameters
    ----------
    drawn
        Marks, in their order.
    labels
        Texts of points.
    outlines
        Rising curves that legend and labels avoid; by default all lines of the marks and the edges of bands.
    taken
        Further boxes that the labels avoid.
    positive
        Positive classes of the curves, named on the axes where there is just one.
    title
        Title of the panel.
    short
        Whether the names of the axes leave out sensitivity and specificity, as small panels do.
    """
    if outlines is None:
        lines = [m for m in drawn if isinstance(m, (marks.Line, marks.Band)) and m.role != "chance"]
        edges = [edge for mark in lines for edge in mark.outlines()[:2]]
        outlines = [(x[~np.isnan(y)], y[~np.isnan(y)]) for x, y in edges if not np.isnan(y).all()]
    entries = [mark.label for mark in drawn if mark.label is not None]
    legend, box = place_legend(outlines, entries) if entries else (None, [])
    names = {str(name) for name in positive}
    return marks.Panel(
        marks=(*drawn, *point_texts(labels, outlines, [*box, *taken])),
        x=rate_axis("False positive rate" + ("" if short else " (1 - specificity)"), names),
        y=rate_axis("True positive rate" + ("" if short else " (sensitivity)"), names),
        equal_aspect=True,
        legend=legend,
        title=title,
    )


def rate_axis(label: str, positive: Iterable[str] = ()) -> marks.Axis:
    """Axis of a rate from 0 to 1; the positive class is named where there is just one."""
    names = list(positive)
    text = f"{label}\n(Positive label: {names[0]})" if len(names) == 1 else label
    return marks.Axis(label=text, low=-0.01, high=1.01, ticks=(0.0, 0.2, 0.4, 0.6, 0.8, 1.0))


def chance_line(label: str | None = "Chance (AUC = 0.5)") -> marks.Line:
    """The diagonal of a classifier without information."""
    return marks.Line(x=CHANCE[0], y=CHANCE[1], role="chance", label=label)


def curve_line(
    x: Any,
    y: Any,
    *,
    label: str | None = None,
    series: int = 0,
    role: Any = "curve",
    thresholds: Any = None,
) -> marks.Line:
    """A rising curve, of which at most `SHOWN_VERTICES` vertices are drawn; the page shows its thresholds."""
    kept = shown_vertices(x, y)
    hover = None
    if thresholds is not None:
        hover = tuple(f"Threshold: {formatting.threshold(one)}" for one in thresholds[kept].tolist())
    return marks.Line(x=x[kept], y=y[kept], role=role, label=label, series=series, hover=hover)


def shown_vertices(x: Any, y: Any) -> Any:
    """Vertices evenly spaced along a long rising curve, its ends among them; every vertex of a short one."""
    return slice(None) if len(x) <= SHOWN_VERTICES else evenly_along(x + y, SHOWN_VERTICES)


def thinned(x: Any, y: Any) -> marks.Outline:
    """The vertices of a rising curve that are drawn."""
    kept = shown_vertices(x, y)
    return x[kept], y[kept]


def evenly_along(along: Any, n: int) -> Any:
    """Indices of about n places with even steps of a rising number, the first and the last among them."""
    steps = np.linspace(along[0], along[-1], n)
    return np.unique(np.searchsorted(along, steps).clip(max=len(along) - 1))


def evenly(n: int, most: int) -> NDArray[np.int64]:
    """Indices of at most `most` of n places, evenly spaced, the first and the last among them.

    Examples
    --------
    >>> evenly(9, 3).tolist(), evenly(2, 3).tolist()
    ([0, 4, 8], [0, 1])
    """
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.int64))


def place_legend(outlines: Sequence[marks.Outline], entries: Sequence[str]) -> tuple[marks.Legend, list[Box]]:
    """The lower right corner if no rising curve is there, else the upper left one, else below the plot.

    Returns the place and the box that is taken by it, if any.
    """
    width = max(map(len, entries)) * CHARACTER + HANDLE
    height = len(entries) * LINE + GAP
    corners: list[tuple[marks.Legend, Box]] = [
        ("lower right", box(1 - width, 0, width, height)),
        ("upper left", box(0, 1 - height, width, height)),
    ]
    for place, corner in corners:
        if width < 1 and not any(corner.is_crossed(outline) for outline in (CHANCE, *outlines)):
            return place, [corner]
    return "below", []


# ---- Normal-deviate axes: false negatives over false positives -------------------------------------------

FARTHEST = 8.0  # the deviate of a rate of 0, outside of every panel


def deviate_axis(label: str, reach: float) -> marks.Axis:
    """Axis of normal deviates from -reach to reach, with rates at its ticks."""
    ticks = {
        rate: z for rate, z in TICKS.items() if abs(z) < reach and (reach < LONG_REACH or rate not in CLOSE)
    }
    return marks.Axis(
        label=f"{label} (normal-deviate scale)",
        low=-reach,
        high=reach,
        ticks=tuple(ticks.values()),
        tick_labels=tuple(f"{rate:g}" for rate in ticks),
    )


def det_panel(drawn: Sequence[marks.Mark], rates: Iterable[NDArray[Any]]) -> marks.Panel:
    """Return marks of ROC space on the axes of a detection error tradeoff; `rates` are to be seen there.

    Examples
    --------
    >>> rates = np.array([0.0, 0.1, 1.0])
    >>> panel = det_panel([chance_line(), curve_line(rates, rates)], [rates])
    >>> panel.y.label, panel.marks[0].y.tolist()
    ('False negative rate (normal-deviate scale)', [8.0, -8.0])
    """
    known = np.concatenate([np.ravel(one) for one in rates])
    small = known[(known > 0) & (known < 1)]
    reach = float(np.abs(ndtri(small)).max(initial=LEAST_REACH / 1.05)) * 1.05
    x, y = (deviate_axis(f"False {kind} rate", min(reach, MOST_REACH)) for kind in ("positive", "negative"))
    panel = marks.Panel(marks=tuple(map(_deviates, drawn)), x=x, y=y, equal_aspect=True)
    return with_legend(panel, ("upper right", "lower left"))


def _deviates(mark: marks.Mark) -> marks.Mark:
    """A mark of ROC space with the deviates of its rates, up those of 1 - TPR."""

    def deviate(rate: Any) -> Any:
        return None if rate is None else ndtri(rate).clip(-FARTHEST, FARTHEST)

    def misses(tpr: Any) -> Any:
        return None if tpr is None else deviate(1 - tpr)

    if isinstance(mark, marks.Line):
        x, y = _dense(mark.x, mark.y) if mark.role != "chance" else (mark.x, mark.y)
        hover = mark.hover if len(x) == len(mark.x) else None
        return replace(mark, x=deviate(x), y=misses(y), hover=hover)
    if isinstance(mark, marks.Points):
        return replace(mark, x=deviate(mark.x), y=misses(mark.y))
    if isinstance(mark, marks.Band):
        return replace(mark, x=deviate(mark.x), low=misses(mark.high), high=misses(mark.low))
    if isinstance(mark, marks.ErrorBars):
        ends = {"x_low": deviate(mark.x_low), "x_high": deviate(mark.x_high)}
        ends |= {"y_low": misses(mark.y_high), "y_high": misses(mark.y_low)}
        return replace(mark, x=deviate(mark.x), y=misses(mark.y), **ends)
    raise NotImplementedError(f"no normal deviates of a mark of type {type(mark).__name__}")


def _dense(x: marks.Values, y: marks.Values) -> marks.Outline:
    """A curve with more places on its slanted pieces, which are no straight lines between deviates."""
    slanted = np.flatnonzero((np.diff(x) > 0) & (np.diff(y) > 0))
    if not len(slanted) or len(slanted) > SHOWN_VERTICES // DENSE:
        return x, y
    # Even steps of the deviates along each piece, as many towards both of its ends.
    share = ndtr(np.linspace(-3, 3, DENSE))
    after = np.repeat(slanted + 1, DENSE)
    inserted = [np.add.outer(v[slanted], 0 * share) + np.outer(np.diff(v)[slanted], share) for v in (x, y)]
    return np.insert(x, after, inserted[0].ravel()), np.insert(y, after, inserted[1].ravel())


# ---- Labels of points on the unit square ------------------------------------------------------------------


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

    def is_crossed(self, outline: marks.Outline) -> NDArray[np.bool_]:
        """Whether a polyline comes closer than half a gap.

        A rising curve stays out exactly if it is above the box at its left or below it at its right edge.
        """
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


def box(left: float, bottom: float, width: float, height: float) -> Box:
    """One rectangle."""
    return Box(np.array(left), np.array(bottom), width, height)


@dataclass(frozen=True, slots=True)
class PointLabel:
    """A text that belongs to the point (x, y) of a curve."""

    x: float
    y: float
    text: str
    series: int = 0


def operating_labels(thresholds: Any, fpr: Any, tpr: Any, *, series: int = 0) -> list[PointLabel]:
    """Labels of operating points: the threshold and its rates."""
    rows = zip(thresholds.tolist(), fpr.tolist(), tpr.tolist(), strict=True)
    return [PointLabel(x, y, formatting.operating_point(cut, x, y), series) for cut, x, y in rows]


def point_indices(result: Any, points: Any) -> list[int]:
    """Indices of points of a curve or an average: one or several of indices, points and selection rules.

    Of a ROC curve also thresholds, such as the result of `cutpoint`.

    Examples
    --------
    >>> from rocscope import roc_curve
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> point_indices(curve, "tpr>=0.9"), point_indices(curve, [1, curve.select()]), point_indices(curve, ())
    ([3], [1, 1], [])
    """
    found = list[int]()
    for point in [points] if isinstance(points, str) or not np.iterable(points) else points:
        if isinstance(point, str):
            found.append(result.select(point).index)
            continue
        cut = cut_of(point)
        if cut is not point and not isinstance(point, OperatingPoint) and isinstance(result, RocCurve):
            found += vertices_at(result, np.array([cut])).tolist()
            continue
        found += vertex_indices(point, len(result))
    return found


def vertex_indices(points: Any, n: int) -> list[int]:
    """Check the indices, one or several, of n vertices."""
    found = [
        checks.check_integer(point, name="points", low=0)
        for point in (points if np.iterable(points) else [points])
    ]
    if found and max(found) >= n:
        raise RocInputError(f"must hold indices from 0 to {n - 1}, got {max(found)}", argument="points")
    return found


def point_texts(
    labels: Sequence[PointLabel], outlines: Sequence[marks.Outline], taken: Sequence[Box]
) -> list[marks.Mark]:
    """Texts of points where they hide nothing, after lines to those that stand apart."""
    lines, texts = list[marks.Mark](), list[marks.Mark]()
    for label, place in zip(labels, place_labels(labels, outlines, taken), strict=True):
        line = leader(label, place)
        if line is not None:
            lines.append(marks.Line(x=line[0], y=line[1], role="leader", series=label.series))
        middle = float(place.bottom + place.height / 2)
        texts.append(
            marks.Text(x=float(place.left), y=middle, text=label.text, role="note", series=label.series)
        )
    return [*lines, *texts]


def leader(label: PointLabel, place: Box) -> marks.Outline | None:
    """The line from a point to its label, where they stand apart."""
    x, y = place.nearest(label.x, label.y)
    if np.hypot(x - label.x, y - label.y) < LEADER:
        return None
    return np.array([label.x, float(x)]), np.array([label.y, float(y)])


def place_labels(
    labels: Sequence[PointLabel], outlines: Sequence[marks.Outline], taken: Sequence[Box]
) -> list[Box]:
    """Give every label a box near its point that covers no other text and, if it can, no curve.

    Of all places on a fine grid that of the least cost is taken. Labels are placed from the upper left.
    """
    texts = [*taken, *(box(label.x - GAP / 2, label.y - GAP / 2, GAP, GAP) for label in labels)]
    placed: dict[int, Box] = {}
    for k in sorted(range(len(labels)), key=lambda k: labels[k].x - labels[k].y):
        label, width = labels[k], len(labels[k].text) * CHARACTER
        left, bottom = np.meshgrid(np.arange(0, max(1 - width, STEP), STEP), np.arange(0, 1 - LINE, STEP))
        tried = Box(left, bottom, width, LINE)
        x, y = tried.nearest(label.x, label.y)
        begin = np.hypot(left - label.x, bottom + LINE / 2 - label.y)
        # Distance from the point to the text, and a little for the way to where the text begins.
        cost = np.hypot(x - label.x, y - label.y) + 0.1 * begin + ON_CHANCE * tried.is_crossed(CHANCE)
        for outline in outlines:
            cost += ON_CURVE * tried.is_crossed(outline)
        for other in (*texts, *placed.values()):
            cost += ON_TEXT * tried.meets(other)
            cost += ON_LEADER * _leader_passes(label, tried, other)
        for earlier, other in placed.items():
            cost += ON_LEADER * _leader_passes(labels[earlier], other, tried)
        best = np.unravel_index(np.argmin(cost), cost.shape)
        placed[k] = box(left[best], bottom[best], width, LINE)
    return [placed[k] for k in range(len(labels))]


def _leader_passes(label: PointLabel, place: Box, other: Box) -> NDArray[np.bool_]:
    """Whether the line from a point to its label goes through another box."""
    x, y = place.nearest(label.x, label.y)
    along = (0.3, 0.5, 0.7, 0.9)
    hits = [other.holds(label.x + t * (x - label.x), label.y + t * (y - label.y)) for t in along]
    return np.asarray(np.any(hits, axis=0))


# ---- Any panel: the ranges of its axes, and a corner for the legend in which nothing is drawn -------------


def limits(panel: marks.Panel) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ends of both axes: their own, else those of the finite numbers of the marks with a little room.

    A text takes no room; the cells of a heat map reach the edges.
    """
    outlines = [line for mark in panel.marks if not isinstance(mark, marks.Text) for line in mark.outlines()]
    room = 0.0 if any(isinstance(mark, marks.HeatMap) for mark in panel.marks) else ROOM
    ends = []
    for k, axis in enumerate((panel.x, panel.y)):
        known = np.concatenate([np.empty(0), *(np.ravel(outline[k]) for outline in outlines)])
        known = known[np.isfinite(known)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        margin = room * ((high - low) or 1.0)
        low = low - margin if axis.low is None else axis.low
        high = high + margin if axis.high is None else axis.high
        ends.append((low, high))
    return ends[0], ends[1]


def with_legend(panel: marks.Panel, corners: Sequence[marks.Legend] = CORNERS) -> marks.Panel:
    """Return a panel with its legend where it hides nothing: the first free one of the corners, or below.

    Examples
    --------
    >>> line = marks.Line(x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]), role="curve", label="rising")
    >>> with_legend(marks.Panel(marks=(line,), x=marks.Axis(), y=marks.Axis())).legend
    'lower right'
    """
    return replace(panel, legend=free_place(panel, corners))


def free_place(panel: marks.Panel, corners: Sequence[marks.Legend] = CORNERS) -> marks.Legend:
    """The first of the corners where nothing is drawn, else below; the first one where none can be free."""
    entries = list(dict.fromkeys(mark.label for mark in panel.marks if mark.label is not None))
    if (
        isinstance(panel, marks.Panel3)
        or not entries
        or any(isinstance(mark, marks.HeatMap) for mark in panel.marks)
    ):
        return corners[0]
    spans = limits(panel)
    paths = [_path(outline, spans) for mark in panel.marks for outline in mark.outlines()]
    across, up = (SIDE, SIDE) if panel.equal_aspect else WIDE
    width = (max(map(len, entries)) * CHARACTER + HANDLE) * SIDE / across + GAP
    height = (len(entries) * LINE + GAP) * SIDE / up + GAP
    for corner in corners:
        if corner == "below" or width >= 1:
            continue
        left = 0.0 if corner.endswith("left") else 1 - width
        bottom = 0.0 if corner.startswith("lower") else 1 - height
        place = box(left - GAP, bottom - GAP, width + 2 * GAP, height + 2 * GAP)
        if not any(place.holds(*path).any() for path in paths):
            return corner
    return "below"


def _path(outline: marks.Outline, spans: Sequence[tuple[float, float]]) -> marks.Outline:
    """A polyline in shares of the axes, with so many points that none of its pieces jumps over a legend."""
    x, y = ((v - low) / (high - low) for v, (low, high) in zip(outline, spans, strict=True))
    known = ~(np.isnan(x) | np.isnan(y))
    # What has no end reaches the edge; what is far outside is near, so that its line has points inside.
    x, y = (np.where(np.isinf(v), v > 0, v)[known].clip(-1, 2) for v in (x, y))
    if not len(x):
        return x, y
    place = np.arange(len(x))
    steps = np.linspace(0, len(place) - 1, DENSE * max(1, len(place) - 1))
    return np.interp(steps, place, x), np.interp(steps, place, y)


def heat_map(
    x: marks.Values, y: marks.Values, values: marks.Values, label: str, **scale: Any
) -> marks.HeatMap:
    """Cells around centres, `values[row, column]` with rows along y; `scale` says what HeatMap does of it."""
    x_edges, y_edges = cell_edges(x), cell_edges(y)
    return marks.HeatMap(x_edges=x_edges, y_edges=y_edges, values=values, role="cells", label=label, **scale)


def cell_texts(cells: marks.HeatMap, texts: Sequence[Sequence[str]]) -> list[marks.Text]:
    """Texts in the cells of a map, light on dark colours; an empty one is left out."""
    drawn = []
    low, high = float(cells.low or 0.0), float(cells.high or 1.0)
    for row, line in enumerate(texts):
        for column, text in enumerate(line):
            if text:
                shade = (float(cells.values[row, column]) - low) / (high - low)
                dark = abs(shade - 0.5) > 0.3 if cells.signed else shade < 0.6
                drawn.append(
                    marks.Text(
                        x=float(cells.x_edges[column : column + 2].mean()),
                        y=float(cells.y_edges[row : row + 2].mean()),
                        text=text,
                        role="cell-text-light" if dark else "cell-text",
                        horizontal="center",
                    )
                )
    return drawn


def category_axis(
    names: Sequence[str],
    *,
    label: str = "",
    low: float | None = None,
    high: float | None = None,
    far: Sequence[str] | None = None,
) -> marks.Axis:
    """Axis with a name at each whole number from 0 on, texts on the far side, and no grid."""
    return marks.Axis(
        label=label,
        low=low,
        high=high,
        ticks=tuple(map(float, range(len(names)))),
        tick_labels=tuple(names),
        far_labels=None if far is None else tuple(far),
        grid=False,
    )


def cell_edges(centres: marks.Values) -> marks.Values:
    """Borders of the cells of a heat map: half-way between neighbours, and as far beyond the outer ones.

    Examples
    --------
    >>> cell_edges(np.array([1.0, 2.0, 4.0])).tolist(), cell_edges(np.array([3.0])).tolist()
    ([0.5, 1.5, 3.0, 5.0], [2.5, 3.5])
    """
    if centres.size == 1:
        return np.asarray(centres[0] + np.array([-0.5, 0.5]))
    middle = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - middle[0]], middle, [2 * centres[-1] - middle[-1]]])


def group_bars(
    groups: Mapping[str, marks.Values], names: Sequence[str], *, width: float, label: str = ""
) -> tuple[list[marks.Bars], marks.Axis]:
    """Bars of several series side by side, one group for each name; and the axis with the names."""
    middle = np.arange(len(names), dtype=np.float64)
    bars = [
        marks.Bars(
            low=middle + (series - len(groups) / 2) * width,
            high=middle + (series + 1 - len(groups) / 2) * width,
            length=length,
            role="count",
            series=series,
            label=entry,
        )
        for series, (entry, length) in enumerate(groups.items())
    ]
    return bars, category_axis(names, label=label)


def crowded(panel: marks.Panel) -> int:
    """Characters of the longest name below a panel if side by side the names run into each other, else 0."""
    if panel.x.tick_labels is None or panel.x.grid:  # an axis of names has no grid
        return 0
    inches = SIDE if panel.equal_aspect else WIDE[0]
    longest = max((len(line) for name in panel.x.tick_labels for line in name.splitlines()), default=0)
    return longest if len(panel.x.tick_labels) * (longest + 1) * LETTER > inches else 0


# ---- The size of a figure ---------------------------------------------------------------------------------

SQUARE_PANEL, WIDE_PANEL = (4.9, 4.9), (6.4, 4.0)  # inches with axes and titles
TABLE = (4.2, 0.75)  # besides its rows and texts
ROW = 0.36
TEXT_ROW = 0.75  # of a row without marks
NARROWEST = 3.5
TITLE_LINE = 0.22
LETTER = 0.075
LEGEND_ROW = 0.16
COLOUR_SCALE = 0.9
PAD = 0.08


def figure_size(picture: marks.Picture) -> tuple[float, float]:
    """Inches that a picture needs, by the largest of its panels."""
    widths, heights = zip(*map(panel_size, picture.panels), strict=True)
    rows = -(-len(picture.panels) // picture.columns)
    columns = min(picture.columns, len(picture.panels))
    return max(widths) * columns, max(heights) * rows + (0.3 if picture.title else 0.0)


def panel_size(panel: marks.Panel) -> tuple[float, float]:
    """Inches of a panel; a table needs one row per tick and the texts on both sides."""
    width, height = SQUARE_PANEL if panel.equal_aspect else WIDE_PANEL
    names, far = panel.y.tick_labels or (), panel.y.far_labels or ()
    near, beyond = (
        max((len(line) for t in texts for line in t.splitlines()), default=0) for texts in (names, far)
    )
    title = len(wrapped(panel.title, marks.TITLE_WIDTH).splitlines())  # in lines
    if panel.y.far_labels is not None:
        width, height = TABLE[0] + LETTER * (near + beyond), TABLE[1] + ROW * len(far) + TITLE_LINE * title
    if panel.x.ticks == ():  # a table of texts alone, whose x axis counts characters
        width = max(LETTER * (near + (panel.x.high or 0.0)) + 2 * PAD, NARROWEST)
        height = ROW * TEXT_ROW * len(names) + TITLE_LINE * (title + 1)
    if any(isinstance(mark, marks.HeatMap) for mark in panel.marks):
        width += COLOUR_SCALE
    if panel.legend == "below":
        labels = [mark.label for mark in panel.marks if mark.label is not None]
        height += LEGEND_ROW * sum(wrapped(one, marks.LEGEND_WIDTH).count("\n") + 1 for one in labels)
    return width, height


def wrapped(text: str, width: int) -> str:
    """Break the long lines of a title or a legend entry; its own line ends stay.

    Examples
    --------
    >>> print(wrapped("a name that somebody wrote in full, with all that it means (AUC = 0.73)", 56))
    a name that somebody wrote in full, with all that it
    means (AUC = 0.73)
    """
    return "\n".join(textwrap.fill(line, width) for line in text.splitlines())
