"""Plain marks: what a picture is made of before any drawing library, and how each of them looks.

A mark holds numbers, the label of its legend entry, a `role` from which a backend takes its style and
the index of its `series`, from which it takes its colour. Numbers that are not finite are not drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import plain

Values: TypeAlias = NDArray[np.float64]
Outline: TypeAlias = tuple[Values, Values]
Role: TypeAlias = Literal[
    "curve",
    "hull",
    "fold",
    "other",
    "chance",
    "band",
    "interval",
    "point",
    "selected",
    "operating-point",
    "indistinguishable",
    "estimate",
    "count",
    "cells",
    "cell-text",
    "cell-text-light",
    "reference",
    "leader",
    "note",
]
Legend: TypeAlias = Literal["lower right", "lower left", "upper left", "upper right", "below"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mark:
    """What every mark has."""

    role: Role
    label: str | None = None
    series: int = 0

    def outlines(self) -> list[Outline]:
        """Return polylines through all that the mark covers, for the ranges of axes and the free corners."""
        return []


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Line(Mark):
    """A polyline; `hover` says what the page shows of each vertex besides its numbers."""

    x: Values
    y: Values
    hover: tuple[str, ...] | None = None

    def outlines(self) -> list[Outline]:
        """Return the line itself."""
        return [(self.x, self.y)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShadedLine(Line):
    """A solid polyline that belongs to a number: its colour is a place from 0 to 1 on the colour scale.

    A backend that knows no such scale draws it as any line of its series.
    """

    shade: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Points(Mark):
    """Single points; the role says which marker: a dot, an open circle, a cross."""

    x: Values
    y: Values

    def outlines(self) -> list[Outline]:
        """Return each point."""
        return [(self.x[k : k + 1], self.y[k : k + 1]) for k in range(len(self.x))]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Points3(Points):
    """Points with a third coordinate, for a `Panel3`."""

    z: Values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Band(Mark):
    """The area between two curves over the same x."""

    x: Values
    low: Values
    high: Values

    def outlines(self) -> list[Outline]:
        """Return both edges, and lines between them."""
        between = ((1 - t) * self.low + t * self.high for t in (0.25, 0.5, 0.75))
        return [(self.x, y) for y in (self.low, self.high, *between)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorBars(Mark):
    """Bars through points, from end to end (not lengths); None where a direction has none.

    An infinite end reaches the edge of the panel; a bar with a NaN end is left out.
    """

    x: Values
    y: Values
    x_low: Values | None = None
    x_high: Values | None = None
    y_low: Values | None = None
    y_high: Values | None = None

    def outlines(self) -> list[Outline]:
        """Return the bars along x, then those along y, each from end to end."""
        bars: list[Outline] = []
        directions = (("x", self.x_low, self.x_high, self.y), ("y", self.y_low, self.y_high, self.x))
        for direction, low, high, across in directions:
            if low is None or high is None:
                continue
            rows = np.column_stack([low, high, across])
            for row in rows[~np.isnan(rows).any(axis=1)]:
                ends, level = row[:2], row[[2, 2]]
                bars.append((ends, level) if direction == "x" else (level, ends))
        return bars


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bars(Mark):
    """Bars from 0 to `length` between the edges `low` and `high`; lying ones stand on the y axis."""

    low: Values
    high: Values
    length: Values
    horizontal: bool = False

    def outlines(self) -> list[Outline]:
        """Return five lines along each bar."""
        rows = zip(self.low, self.high, self.length, strict=True)
        lines = [
            (np.array([at, at]), np.array([0.0, end]))
            for low, high, end in rows
            for at in np.linspace(low, high, 5)
        ]
        return [line[::-1] for line in lines] if self.horizontal else lines


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeatMap(Mark):
    """Cells between edges, `values[row, column]` with rows along y; the label names the colour scale.

    `low` and `high` are the ends of the colour scale, those of the values where None: maps side by side
    share one scale when they share its ends. A `signed` scale is white at zero.
    """

    x_edges: Values
    y_edges: Values
    values: Values
    low: float | None = None
    high: float | None = None
    signed: bool = False

    def outlines(self) -> list[Outline]:
        """Return the diagonal from corner to corner."""
        return [(self.x_edges[[0, -1]], self.y_edges[[0, -1]])]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReferenceLine(Mark):
    """A line through the whole panel: vertical at x = `at`, or horizontal at y = `at`."""

    axis: Literal["x", "y"]
    at: float

    def outlines(self) -> list[Outline]:
        """Return the line, which has no ends."""
        line = np.array([self.at, self.at]), np.array([-np.inf, np.inf])
        return [line if self.axis == "x" else line[::-1]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Text(Mark):
    """A text at (x, y), which is its corner or middle as the alignments say; shown as it is written."""

    x: float
    y: float
    text: str
    horizontal: Literal["left", "center", "right"] = "left"
    vertical: Literal["top", "center", "bottom"] = "center"

    def outlines(self) -> list[Outline]:
        """Return the point where it stands."""
        return [(np.array([self.x]), np.array([self.y]))]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Axis:
    """An axis of a panel.

    Attributes
    ----------
    label
        What the axis shows, with its unit.
    low, high
        Its ends, chosen by the backend where None; low above high turns it round.
    ticks, tick_labels
        Places of the ticks and their texts: names of rows, probabilities on a normal-deviate axis.
    far_labels
        Texts at the same ticks on the opposite side of the panel.
    grid
        Whether its ticks carry grid lines.
    """

    label: str = ""
    low: float | None = None
    high: float | None = None
    ticks: tuple[float, ...] | None = None
    tick_labels: tuple[str, ...] | None = None
    far_labels: tuple[str, ...] | None = None
    grid: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """One pair of axes and the marks on it, drawn in their order; no legend where `legend` is None."""

    marks: tuple[Mark, ...]
    x: Axis
    y: Axis
    title: str = ""
    equal_aspect: bool = False
    legend: Legend | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel3(Panel):
    """Three axes in perspective, for marks of three coordinates."""

    z: Axis


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture:
    """Panels in rows of `columns`, under a common title.

    Examples
    --------
    >>> line = Line(x=np.array([0.0, 1.0]), y=np.array([0.0, 1.0]), role="chance", label="Chance")
    >>> picture = Picture(panels=(Panel(marks=(line,), x=Axis(label="FPR"), y=Axis(label="TPR")),))
    >>> picture.panels[0].marks[0].label
    'Chance'
    """

    panels: tuple[Panel, ...]
    columns: int = 1
    title: str = ""


def record(picture: Picture) -> dict[str, Any]:
    """Return a picture as nested dicts and lists, which strict JSON can hold; NaN and infinity become None.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> drawn = record(plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> curve = drawn["panels"][0]["marks"][1]
    >>> curve["mark"], curve["label"], curve["y"]
    ('Line', 'AUC = 0.75', [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    drawn: dict[str, Any] = _record(picture)
    return drawn


def _record(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_record(item) for item in value]
    if not is_dataclass(value):
        return plain(value)
    kind = {"mark": type(value).__name__} if isinstance(value, Mark) else {}
    return kind | {field.name: _record(getattr(value, field.name)) for field in fields(value)}


# ---- How a picture looks: one table from roles to colours, lines and markers ------------------------------
# The colours are those of Okabe and Ito (Color universal design, 2008), which people with any kind of colour
# vision can distinguish; yellow, too light for a line, is left out and black is kept for chance. Beyond six
# series the dashes change.

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
Dash: TypeAlias = str | tuple[float, tuple[float, ...]]
SERIES_DASHES: tuple[Dash, ...] = ("-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1, 1)))
COLOUR_MAP = "viridis"
SCALE = (  # its colours by equal steps
    "#440154",
    "#482475",
    "#414487",
    "#355F8D",
    "#2A788E",
    "#21918C",
    "#22A884",
    "#44BF70",
    "#7AD151",
    "#BDDF26",
    "#FDE725",
)
SIGNED = ("#D55E00", "#FFFFFF", "#0072B2")  # of negative and positive numbers
LIGHTEST = 0.9  # of the scale, for a line: beyond it is yellow

INK = "#222222"
SOFT_INK = "#555555"
INKS = ("#000000", INK, SOFT_INK)  # what is dark because the paper is light
GRID = "#E4E4E4"
PAPER = "#FFFFFF"

TITLE_SIZE = 10.0
LABEL_SIZE = 9.5
TICK_SIZE = 8.5
TEXT_SIZE = 8.0
LINE_SPACING = 1.35
LEGEND_WIDTH = 56  # characters of a line
TITLE_WIDTH = 64
TICKS = 7  # at most so many steps on an axis that has no ticks of its own
ELEVATION, AZIMUTH = 22.0, 38.0  # from where one looks at three axes, in degrees

LEGEND: dict[str, Any] = {
    "fontsize": TEXT_SIZE,
    "frameon": True,
    "framealpha": 0.9,
    "edgecolor": "none",
    "facecolor": PAPER,
    "borderaxespad": 0.4,
    "borderpad": 0.3,
    "handlelength": 2.2,
    "labelspacing": 0.35,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The style of a role; a colour of None is that of the series, a dash of None likewise."""

    colour: str | None = None
    width: float = 1.0
    dash: Dash | None = "-"
    alpha: float = 1.0
    marker: str = "o"
    size: float = 5.0
    filled: bool = True
    order: float = 3.0


LOOKS: dict[Role, Look] = {
    "curve": Look(width=1.8, dash=None, order=4),
    "hull": Look(width=1.0, dash=(0, (4, 2)), alpha=0.8, order=3.5),
    "fold": Look(width=0.8, alpha=0.4, order=3),
    "other": Look(colour="#8A8F98", width=1.0, alpha=0.6, order=3),
    "chance": Look(colour="#000000", width=1.0, dash="--", order=2.5),
    "band": Look(width=0.0, alpha=0.2, order=2),
    "interval": Look(width=0.9, alpha=0.6, order=3.5),
    "point": Look(width=0.0, size=3.5, order=4.5),
    "selected": Look(width=1.2, size=7.5, order=6),
    "operating-point": Look(colour="#D55E00", width=2.4, marker="x", size=9.0, order=6),
    "indistinguishable": Look(width=1.2, size=6.5, filled=False, order=5),
    "estimate": Look(width=1.6, marker="s", size=5.5, order=4),
    "count": Look(width=0.6, alpha=0.45, order=2),
    "cells": Look(width=0.0, order=1),
    # On the colours of a map, which no theme changes.
    "cell-text": Look(colour="#1A1A1A", order=7),
    "cell-text-light": Look(colour="#FAFAFA", order=7),
    "reference": Look(colour=SOFT_INK, width=0.9, dash=(0, (3, 2)), order=2),
    "leader": Look(width=0.8, order=5),
    "note": Look(colour=INK, order=7),
}


def colour(role: Role, series: int) -> str:
    """Colour of a role in a series.

    Examples
    --------
    >>> colour("curve", 1), colour("chance", 1)
    ('#D55E00', '#000000')
    """
    return LOOKS[role].colour or PALETTE[series % len(PALETTE)]


def scale_colour(share: float, scale: Sequence[str] = SCALE) -> str:
    """Colour at a share of a colour scale, between those of its steps.

    Examples
    --------
    >>> scale_colour(0.0), scale_colour(0.05), scale_colour(2.0)
    ('#440154', '#461264', '#fde725')
    """
    place = min(max(share, 0.0), 1.0) * (len(scale) - 1)
    k = min(int(place), len(scale) - 2)
    ends = [[int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in scale[k : k + 2]]
    return "#" + "".join(f"{round(a + (place - k) * (b - a)):02x}" for a, b in zip(*ends, strict=True))


def dash(role: Role, series: int) -> Dash:
    """Dashes of a role in a series: solid for the first six curves.

    Examples
    --------
    >>> dash("curve", 5), dash("curve", 6)
    ('-', (0, (5, 1.5)))
    """
    own = LOOKS[role].dash
    return own if own is not None else SERIES_DASHES[series // len(PALETTE) % len(SERIES_DASHES)]
