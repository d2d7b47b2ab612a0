"""Where the axes of a panel end: at what is given, or so that every mark is inside."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from rocscope.views.marks import (
    Axis,
    Band,
    Bars,
    ErrorBars,
    HeatMap,
    Line,
    Mark,
    Panel,
    Points,
    ReferenceLine,
)

INSIDE = 0.05  # of the span of marks that is left free on both sides, where no ends are given


def limits(panel: Panel) -> tuple[tuple[float, float], tuple[float, float]]:
    """Ends of both axes: those given, else those of the finite numbers of the marks with a little room."""
    return _ends(panel, "x", panel.x), _ends(panel, "y", panel.y)


def _ends(panel: Panel, which: str, axis: Axis) -> tuple[float, float]:
    found = [np.ravel(values) for mark in panel.marks for values in extent(mark, which)]
    known = np.concatenate([*found, np.empty(0)])
    known = known[np.isfinite(known)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    room = 0.0 if any(isinstance(mark, HeatMap) for mark in panel.marks) else INSIDE * ((high - low) or 1.0)
    return (
        low - room if axis.low is None else axis.low,
        high + room if axis.high is None else axis.high,
    )


@singledispatch
def extent(mark: Mark, which: str) -> list[Any]:
    """Numbers of a mark along an axis, "x" or "y"; a text takes no room."""
    return []


@extent.register(Line)
@extent.register(Points)
def _(mark: Any, which: str) -> list[Any]:
    return [getattr(mark, which)]


@extent.register
def _(mark: ErrorBars, which: str) -> list[Any]:
    ends = [getattr(mark, f"{which}_{end}") for end in ("low", "high")]
    return [getattr(mark, which), *(end for end in ends if end is not None)]


@extent.register
def _(mark: Band, which: str) -> list[Any]:
    return [mark.x] if which == "x" else [mark.low, mark.high]


@extent.register
def _(mark: Bars, which: str) -> list[Any]:
    return [mark.low, mark.high] if (which == "y") == mark.horizontal else [[0.0], mark.length]


@extent.register
def _(mark: HeatMap, which: str) -> list[Any]:
    return [mark.x_edges if which == "x" else mark.y_edges]


@extent.register
def _(mark: ReferenceLine, which: str) -> list[Any]:
    return [[mark.at]] if mark.axis == which else []
