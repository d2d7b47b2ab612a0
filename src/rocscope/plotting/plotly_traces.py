"""Each mark as plotly traces, shapes or annotations, in plain dicts.

`style` has the one table of looks; nothing here chooses a look of its own. matplotlib measures in points of
1/72 inch, plotly in pixels of 1/96.
"""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.formatting import shortened, spelt
from rocscope.core.result import plain
from rocscope.plotting import marks, style

PIXELS = 96 / 72  # of a point
RESOLVED = 6  # decimals of the range of numbers, which is more than a screen can show
FAR = 1e3  # an infinite end, in lengths of the axis
MARKERS = {"o": "circle", "s": "square", "x": "x-thin"}
# scatter3d has fewer; its "x" is a letter of a font that many machines lack, and then nothing is drawn.
SOLID_MARKERS = {
    ("o", True): "circle",
    ("o", False): "circle-open",
    ("s", True): "square",
    ("x", True): "diamond",
}
DASHES = {"-": "solid", "--": "dash"}
# Lines as bright as these take the place of a colour on dark paper; all keep their hue.
DARK = {
    style.INK: "#E6E6E6",
    style.SOFT_INK: "#A8ABB2",
    style.GRID: "#34373D",
    style.PAPER: "#1B1D21",
    "#000000": "#FFFFFF",
    style.PALETTE[0]: "#4CA6DB",
    style.PALETTE[1]: "#F0803C",
    style.PALETTE[2]: "#2BC49A",
    style.PALETTE[3]: "#E29BC4",
}
COLOUR_SCALE = style.COLOUR_MAP.capitalize()  # plotly's name of it
DARKEST = 0.25  # of the colour scale, for a line on dark paper
LEGEND_WIDTH = 46  # characters of a line: a plot of a page is narrower than one on paper
LEGEND_LINES = 4  # that one of its names may have
NOTHING = "\u200b"  # a space without width, which makes a tag no tag
SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%{": "&#37;{", "\n": "<br>"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where marks stand: the keys of their axes, and the ends beyond which infinite bars are cut."""

    x: str = "x"
    y: str = "y"
    x_ends: tuple[float, float] = (0.0, 1.0)
    y_ends: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What marks become: traces, and parts of the layout."""

    traces: list[dict[str, Any]] = field(default_factory=list)
    shapes: list[dict[str, Any]] = field(default_factory=list)
    annotations: list[dict[str, Any]] = field(default_factory=list)


@singledispatch
def draw(mark: marks.Mark, frame: Frame) -> Drawn:
    """Return a mark in the form of plotly."""
    raise NotImplementedError(f"no drawing for a mark of type {type(mark).__name__}")


@draw.register
def _(mark: marks.Line, frame: Frame) -> Drawn:
    return _scatter(mark, frame, x=numbers(mark.x), y=numbers(mark.y), mode="lines", line=stroke(mark))


@draw.register
def _(mark: marks.ShadedLine, frame: Frame) -> Drawn:
    from plotly.colors import sample_colorscale

    places = [mark.shade * style.LIGHTEST, DARKEST + (1 - DARKEST) * mark.shade]
    light, dark = sample_colorscale(COLOUR_SCALE, places)  # on light and on dark paper
    line = stroke(mark) | {"color": light, "dash": "solid"}
    drawn = _scatter(mark, frame, x=numbers(mark.x), y=numbers(mark.y), mode="lines", line=line)
    drawn.traces[0]["meta"]["dark"] = dark
    return drawn


@draw.register
def _(mark: marks.Points, frame: Frame) -> Drawn:
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    edge = style.PAPER if mark.role == "selected" else colour
    marker = {
        "symbol": MARKERS[look.marker],
        "size": look.size * PIXELS,
        "color": colour if look.filled else style.PAPER,
        "line": {"color": edge, "width": look.width * PIXELS},
    }
    return _scatter(mark, frame, x=numbers(mark.x), y=numbers(mark.y), mode="markers", marker=marker)


@draw.register
def _(mark: marks.Points3, frame: Frame) -> Drawn:
    look = style.LOOKS[mark.role]
    marker = {
        "symbol": SOLID_MARKERS[look.marker, look.filled],
        "size": look.size,  # seen from the eye, which is nearer than matplotlib's
        "color": style.colour(mark.role, mark.series),
    }
    places = {name: numbers(getattr(mark, name)) for name in "xyz"}
    look3 = {"type": "scatter3d", "scene": frame.x, "mode": "markers", "marker": marker}
    return Drawn(traces=[_base(mark) | look3 | places])


@draw.register
def _(mark: marks.Band, frame: Frame) -> Drawn:
    """Draw a polygon for every run of places where the band is defined."""
    known = np.isfinite(mark.x) & np.isfinite(mark.low) & np.isfinite(mark.high)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    x, y = list[Any](), list[Any]()
    for first, last in ends.reshape(-1, 2):
        run = slice(first, last)
        x += [*numbers(mark.x[run]), *numbers(mark.x[run][::-1]), None]
        y += [*numbers(mark.low[run]), *numbers(mark.high[run][::-1]), None]
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return _scatter(
        mark,
        frame,
        x=x[:-1],
        y=y[:-1],
        mode="lines",
        line={"color": colour, "width": look.width * PIXELS},
        fill="toself",
        fillcolor=f"rgba({red},{green},{blue},{look.alpha:g})",
        opacity=1.0,
        hoverinfo="skip",
    )


@draw.register
def _(mark: marks.ErrorBars, frame: Frame) -> Drawn:
    """Draw bars as plain segments: an estimate may lie outside of its interval."""
    x, y = list[Any](), list[Any]()
    for bar in mark.outlines():
        for values, places, ends in zip(bar, (x, y), (frame.x_ends, frame.y_ends), strict=True):
            far = FAR * abs(ends[1] - ends[0])
            places += [*numbers(np.clip(values, min(ends) - far, max(ends) + far)), None]
    return _scatter(mark, frame, x=x[:-1], y=y[:-1], mode="lines", line=stroke(mark), hoverinfo="skip")


@draw.register
def _(mark: marks.Bars, frame: Frame) -> Drawn:
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    along, across = ("x", "y") if mark.horizontal else ("y", "x")
    trace = _base(mark) | {
        "type": "bar",
        "xaxis": frame.x,
        "yaxis": frame.y,
        "orientation": "h" if mark.horizontal else "v",
        across: numbers((mark.low + mark.high) / 2),
        along: numbers(mark.length),
        "width": numbers(mark.high - mark.low),
        "marker": {"color": colour, "line": {"color": style.PAPER, "width": look.width * PIXELS}},
    }
    return Drawn(traces=[trace])


@draw.register
def _(mark: marks.HeatMap, frame: Frame) -> Drawn:
    """Draw the cells over a grey ground, which is seen where they are undefined."""
    trace = _base(mark) | {
        "type": "heatmap",
        "xaxis": frame.x,
        "yaxis": frame.y,
        "x": numbers(mark.x_edges),
        "y": numbers(mark.y_edges),
        "z": [numbers(row) for row in mark.values],
        "colorscale": COLOUR_SCALE,
        "showlegend": False,
        "hoverongaps": False,
        "colorbar": {
            "title": {"text": wrapped(mark.label or ""), "side": "right"},
            "thickness": 12,
            "outlinewidth": 0,
            "tickfont": {"size": style.TICK_SIZE * PIXELS},
        },
    }
    if None not in plain([mark.low, mark.high]):
        trace |= {"zmin": mark.low, "zmax": mark.high}
    ground = {"type": "rect", "layer": "below", "fillcolor": style.GRID, "line": {"width": 0}}
    refs = {"xref": f"{frame.x} domain", "yref": f"{frame.y} domain"}
    return Drawn(traces=[trace], shapes=[ground | refs | {"x0": 0, "x1": 1, "y0": 0, "y1": 1}])


@draw.register
def _(mark: marks.ReferenceLine, frame: Frame) -> Drawn:
    """Draw a shape from edge to edge, with an entry of its own in the legend."""
    place = {"xref": frame.x, "x0": mark.at, "x1": mark.at, "yref": f"{frame.y} domain", "y0": 0, "y1": 1}
    if mark.axis == "y":
        place = {"yref": frame.y, "y0": mark.at, "y1": mark.at, "xref": f"{frame.x} domain", "x0": 0, "x1": 1}
    shape = _base(mark) | {"type": "line", "line": stroke(mark), "layer": "below"} | place
    del shape["meta"]
    return Drawn(shapes=[shape])


@draw.register
def _(mark: marks.Text, frame: Frame) -> Drawn:
    """Write on a patch of paper, so that a line below does not run through the letters."""
    note = {
        "x": mark.x,
        "y": mark.y,
        "xref": frame.x,
        "yref": frame.y,
        "text": literal(mark.text),
        "showarrow": False,
        "xanchor": mark.horizontal,
        "yanchor": {"center": "middle"}.get(mark.vertical, mark.vertical),
        "align": mark.horizontal,
        "font": font(style.TEXT_SIZE, style.colour(mark.role, mark.series)),
        "bgcolor": style.PAPER,
        "borderpad": 1,
        "opacity": 0.9,
    }
    return Drawn(annotations=[note])


def _base(mark: marks.Mark) -> dict[str, Any]:
    """What traces of every type have: the legend entry, and the role for those who look for a trace."""
    return {
        "name": wrapped(mark.label or ""),
        "showlegend": mark.label is not None,
        "opacity": style.LOOKS[mark.role].alpha,
        "meta": {"role": mark.role, "series": mark.series},
    }


def _scatter(mark: marks.Mark, frame: Frame, **more: Any) -> Drawn:
    """A trace drawn as SVG: plotly's other one for many points compiles code, which the report forbids."""
    return Drawn(traces=[_base(mark) | {"type": "scatter", "xaxis": frame.x, "yaxis": frame.y} | more])


def numbers(values: NDArray[Any]) -> list[Any]:
    """Numbers as plotly reads them: to a millionth of their range, None where there is none.

    Examples
    --------
    >>> numbers(np.array([1 / 3, np.nan, 2.0]))
    [0.333333, None, 2.0]
    """
    floats = np.asarray(values, dtype=np.float64)
    known = floats[np.isfinite(floats)]
    span = float(np.ptp(known)) if known.size else 0.0
    if span:
        floats = np.round(floats, RESOLVED - math.floor(math.log10(span)))
    kept: list[Any] = plain(floats)
    return kept


def font(size: float, colour: str = style.INK) -> dict[str, Any]:
    """A font whose size is in points."""
    return {"size": size * PIXELS, "color": colour}


def stroke(mark: marks.Mark) -> dict[str, Any]:
    """The line of a mark."""
    return {
        "color": style.colour(mark.role, mark.series),
        "dash": dash(style.dash(mark.role, mark.series)),
        "width": style.LOOKS[mark.role].width * PIXELS,
    }


def dash(value: style.Dash) -> str:
    """Dashes of a line; matplotlib's are multiples of its width, plotly's are pixels.

    Examples
    --------
    >>> dash("--"), dash((0, (4, 2)))
    ('dash', '6px,3px')
    """
    if isinstance(value, str):
        return DASHES[value]
    return ",".join(f"{1.5 * length:g}px" for length in value[1])


# ---- Untrusted text ---------------------------------------------------------------------------------------


def literal(text: str) -> str:
    r"""Write a text so that plotly shows it as it is: no tags, no formula, no template; lines stay lines.

    Examples
    --------
    >>> print(literal("<b>$x$</b> %{y} & more\nnext"))
    &lt;b&gt;&#36;x&#36;&lt;/b&gt; &#37;{y} &amp; more<br>next
    """
    text = spelt(text)
    for character, written in SPECIAL.items():
        text = text.replace(character, written)
    return text


def solid_literal(text: str) -> str:
    r"""Write the label of an axis in three dimensions, where plotly knows tags and templates but no entities.

    Examples
    --------
    >>> solid_literal("<b> & %{x}")
    '<\u200bb> & %\u200b{x}'
    """
    return spelt(text).replace("<", f"<{NOTHING}").replace("%{", f"%{NOTHING}{{").replace("\n", "<br>")


def wrapped(label: str, width: int = LEGEND_WIDTH) -> str:
    """Break the lines of a long legend entry or title, as they are to be shown.

    Examples
    --------
    >>> wrapped("a name that somebody wrote in full, with all that it means (AUC = 0.73)")
    'a name that somebody wrote in full, with all<br>that it means (AUC = 0.73)'
    """
    lines = [textwrap.fill(shortened(line, LEGEND_LINES * width), width) for line in label.splitlines()]
    return literal("\n".join(lines))
