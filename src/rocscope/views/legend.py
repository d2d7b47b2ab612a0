"""Where the legend of any panel goes: a corner in which nothing is drawn, or below the panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocscope.views import layout
from rocscope.views.layout import Outline
from rocscope.views.marks import (
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
    Points,
    Text,
)

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
    size = (layout.SIDE, layout.SIDE) if panel.equal_aspect else layout.WIDE
    outlines = [outline for mark in panel.marks for outline in _outlines(mark)]
    return layout.free_corner(_as_shares(panel, outlines), labels, corners=corners, size=size)


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
