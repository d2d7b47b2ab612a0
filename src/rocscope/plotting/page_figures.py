"""A picture as plain JSON for the page, whose own script (`reporting/assets/drawing.js`) draws it as SVG.

Looks come from the one table in `marks`; the script resolves nothing but places. Lengths are pixels of 1/96
inch, colours are pairs: one for light, one for dark paper. What has its default is left out.
"""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.formatting import shortened
from rocscope.core.result import plain
from rocscope.plotting import layout, marks

INCH = 96.0  # pixels
PIXELS = INCH / 72  # of a point
LONGEST = 184  # characters of a line of a text: four lines of a legend
RESOLVED = 6  # decimals of the range of numbers, which is more than a screen can show
FAR = 2.0  # an infinite end, in lengths of the axis
DASHES = {"-": [], "--": [5, 3]}
# Lines as bright as these take the place of a colour on dark paper; all keep their hue.
DARK = {
    marks.INK: "#E6E6E6",
    marks.SOFT_INK: "#A8ABB2",
    marks.GRID: "#34373D",
    marks.PAPER: "#1B1D21",
    "#000000": "#FFFFFF",
    marks.PALETTE[0]: "#4CA6DB",
    marks.PALETTE[1]: "#F0803C",
    marks.PALETTE[2]: "#2BC49A",
    marks.PALETTE[3]: "#E29BC4",
}
DARKEST = 0.25  # of the colour scale, for a line on dark paper


def theme_colours() -> dict[str, list[str]]:
    """Colours of what every figure has, on light and on dark paper.

    Examples
    --------
    >>> theme_colours()["paper"]
    ['#FFFFFF', '#1B1D21']
    """
    names = {"ink": marks.INK, "soft": marks.SOFT_INK, "grid": marks.GRID, "paper": marks.PAPER}
    return {name: _pair(colour) for name, colour in names.items()}


def figure_json(picture: marks.Picture) -> list[dict[str, Any]]:
    """Return the panels of a picture as plain Python that strict JSON can hold.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> (panel,) = figure_json(plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> panel["shape"], panel["x"]["ends"], panel["marks"][1]["y"], panel["marks"][1]["hover"][1]
    ('square', [-0.01, 1.01], [0, 0.5, 0.5, 1, 1], 'Threshold: 0.8')
    """
    return [_panel(panel) for panel in picture.panels]


def _panel(panel: marks.Panel) -> dict[str, Any]:
    ends = dict(zip("xy", layout.limits(panel), strict=True))
    shape = "square" if panel.equal_aspect else "wide"
    axes = {"x": panel.x, "y": panel.y}
    if isinstance(panel, marks.Panel3):
        shape, axes["z"] = "solid", panel.z
        ends = {name: _solid_ends(panel, name) for name in "xyz"}
    elif panel.y.far_labels is not None:
        shape = "table"
    drawn = sorted(panel.marks, key=lambda mark: marks.LOOKS[mark.role].order)
    # Entries of the legend keep the order in which the marks came.
    labelled = (mark for mark in panel.marks if not isinstance(mark, (marks.HeatMap, marks.Text)))
    entries = list(dict.fromkeys(_short(mark.label) for mark in labelled if mark.label is not None))
    return _known(
        shape=shape,
        title=_short(panel.title) or None,
        legend=panel.legend,
        entries=entries if panel.legend is not None else [],
        row=layout.ROW * INCH if shape == "table" else None,
        **{name: _axis(axis, ends[name]) for name, axis in axes.items()},
        marks=[_mark(mark, ends) for mark in drawn],
    )


def _solid_ends(panel: marks.Panel3, name: str) -> tuple[float, float]:
    """Ends of one of three axes: its own, else those of the points with a little room."""
    axis: marks.Axis = getattr(panel, name)
    points = [getattr(mark, name) for mark in panel.marks if isinstance(mark, marks.Points3)]
    along = np.concatenate([np.empty(0), *points])
    line = marks.Line(x=along, y=along, role="point")
    return layout.limits(marks.Panel(marks=(line,), x=axis, y=marks.Axis()))[0]


def _axis(axis: marks.Axis, ends: tuple[float, float]) -> dict[str, Any]:
    return _known(
        label=_short(axis.label),
        ends=list(ends),
        ticks=None if axis.ticks is None else list(axis.ticks),
        texts=None if axis.tick_labels is None else list(map(_short, axis.tick_labels)),
        far=None if axis.far_labels is None else list(map(_short, axis.far_labels)),
        grid=None if axis.grid else False,
    )


def _mark(mark: marks.Mark, ends: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """A mark with its look in full and its numbers."""
    look, dash = marks.LOOKS[mark.role], marks.dash(mark.role, mark.series)
    return _known(
        role=mark.role,
        series=mark.series,
        label=None if mark.label is None else _short(mark.label),
        colour=_pair(marks.colour(mark.role, mark.series)),
        width=round(look.width * PIXELS, 2),
        dash=DASHES[dash] if isinstance(dash, str) else [round(1.5 * length, 2) for length in dash[1]],
        alpha=None if look.alpha == 1 else look.alpha,
    ) | _numbers(mark, ends)


# ---- The numbers of each mark -----------------------------------------------------------------------------


@singledispatch
def _numbers(mark: marks.Mark, ends: dict[str, tuple[float, float]]) -> dict[str, Any]:
    raise NotImplementedError(f"no drawing for a mark of type {type(mark).__name__}")


@_numbers.register
def _(mark: marks.Line, ends: Any) -> dict[str, Any]:
    hover = None if mark.hover is None else list(mark.hover)
    return _known(kind="line", x=numbers(mark.x), y=numbers(mark.y), hover=hover)


@_numbers.register
def _(mark: marks.ShadedLine, ends: Any) -> dict[str, Any]:
    shades = (mark.shade * marks.LIGHTEST, DARKEST + (1 - DARKEST) * mark.shade)  # on light and on dark paper
    colours = [marks.scale_colour(shade) for shade in shades]
    return {"kind": "line", "x": numbers(mark.x), "y": numbers(mark.y), "colour": colours, "dash": []}


@_numbers.register
def _(mark: marks.Points, ends: Any) -> dict[str, Any]:
    look = marks.LOOKS[mark.role]
    return _known(
        kind="points",
        x=numbers(mark.x),
        y=numbers(mark.y),
        z=numbers(mark.z) if isinstance(mark, marks.Points3) else None,
        marker=look.marker,
        size=round(look.size * PIXELS, 2),
        open=None if look.filled else True,
        outlined=True if mark.role == "selected" else None,  # with a rim of paper
    )


@_numbers.register
def _(mark: marks.Band, ends: Any) -> dict[str, Any]:
    return {"kind": "band", "x": numbers(mark.x), "low": numbers(mark.low), "high": numbers(mark.high)}


@_numbers.register
def _(mark: marks.ErrorBars, ends: dict[str, tuple[float, float]]) -> dict[str, Any]:
    """Bars as segments [x, y, x, y]: an estimate may lie outside of its interval."""
    bars = [np.column_stack(bar) for bar in mark.outlines()]
    places = np.array(bars).reshape(-1, 2, 2)
    for k, name in enumerate("xy"):
        low, high = sorted(ends[name])
        reach = FAR * (high - low)
        infinite = np.isinf(places[..., k])
        edge = np.clip(places[..., k], low - reach, high + reach)
        places[..., k] = np.where(infinite, edge, places[..., k])
    flat = [numbers(places[..., k].ravel()) for k in (0, 1)]
    return {"kind": "segments", "x": flat[0], "y": flat[1]}


@_numbers.register
def _(mark: marks.Bars, ends: Any) -> dict[str, Any]:
    return _known(
        kind="bars",
        low=numbers(mark.low),
        high=numbers(mark.high),
        length=numbers(mark.length),
        horizontal=mark.horizontal or None,
    )


@_numbers.register
def _(mark: marks.HeatMap, ends: Any) -> dict[str, Any]:
    known = mark.values[np.isfinite(mark.values)]
    low = float(known.min(initial=np.inf)) if mark.low is None else mark.low
    high = float(known.max(initial=-np.inf)) if mark.high is None else mark.high
    return {
        "kind": "cells",
        "x": numbers(mark.x_edges),
        "y": numbers(mark.y_edges),
        "values": [numbers(row) for row in mark.values],
        "ends": plain([low, high]) if low <= high else [0, 1],
        "scale": list(marks.SIGNED if mark.signed else marks.SCALE),
    }


@_numbers.register
def _(mark: marks.ReferenceLine, ends: Any) -> dict[str, Any]:
    return {"kind": "rule", "axis": mark.axis, "at": plain(float(mark.at))}


@_numbers.register
def _(mark: marks.Text, ends: Any) -> dict[str, Any]:
    place = {"x": plain(float(mark.x)), "y": plain(float(mark.y)), "text": _short(mark.text)}
    return {"kind": "text", "across": mark.horizontal, "up": mark.vertical, **place}


def numbers(values: NDArray[Any]) -> list[Any]:
    """Numbers to what a screen can resolve of their range, None where there is none.

    Examples
    --------
    >>> numbers(np.array([1 / 3, np.nan, 2.0]))
    [0.333333, None, 2]
    """
    floats = np.asarray(values, dtype=np.float64)
    known = floats[np.isfinite(floats)]
    span = float(np.ptp(known)) if known.size else 0.0
    if 0 < span < math.inf:
        floats = np.round(floats, RESOLVED - math.floor(math.log10(span)))
    kept: list[Any] = plain(floats)
    return [int(one) if isinstance(one, float) and one.is_integer() else one for one in kept]


def _pair(colour: str) -> list[str]:
    """A colour on light and on dark paper."""
    return [colour, DARK.get(colour, colour)]


def _short(text: str) -> str:
    """A text without the middle of its longest lines."""
    return "\n".join(shortened(line, LONGEST) for line in text.splitlines())


def _known(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
