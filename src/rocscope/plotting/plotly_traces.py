"""Each mark as plotly traces, shapes or annotations, in plain dicts."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.formatting import shortened, spelt
from rocscope.core.result import plain
from rocscope.plotting import style
from rocscope.plotting.marks import (
    Band,
    Bars,
    ErrorBars,
    HeatMap,
    Line,
    Mark,
    Points,
    Points3,
    ReferenceLine,
    ShadedLine,
    Text,
    Values,
)
from rocscope.plotting.style import Dash

RESOLVED = 6  # decimals of the range of numbers, which is more than a screen can show
FAR = 1e3  # an infinite end, in lengths of the axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where marks stand: the keys of their axes, and the ends beyond which infinite bars are cut."""

    x: str = "x"
    y: str = "y"
    x_ends: tuple[float, float] = (0.0, 1.0)
    y_ends: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """What a mark becomes: traces, and parts of the layout."""

    traces: tuple[dict[str, Any], ...] = ()
    shapes: tuple[dict[str, Any], ...] = ()
    annotations: tuple[dict[str, Any], ...] = ()


@singledispatch
def draw(mark: Mark, frame: Frame) -> Drawn:
    """Return a mark in plotly's words."""
    raise NotImplementedError(f"no drawing for a mark of type {type(mark).__name__}")


@draw.register(Line)
def _line(mark: Line, frame: Frame) -> Drawn:
    trace = _scatter(mark, frame) | {"mode": "lines", "line": stroke(mark)}
    return Drawn(traces=(trace | {"x": numbers(mark.x), "y": numbers(mark.y)},))


@draw.register(ShadedLine)
def _shaded_line(mark: ShadedLine, frame: Frame) -> Drawn:
    trace = _line(mark, frame).traces[0]
    light, dark = shades(mark.shade)
    line = trace["line"] | {"color": light, "dash": "solid"}
    return Drawn(traces=(trace | {"line": line, "meta": trace["meta"] | {"dark": dark}},))


@draw.register(Points)
def _points(mark: Points, frame: Frame) -> Drawn:
    trace = _scatter(mark, frame) | {"mode": "markers", "marker": marker(mark)}
    return Drawn(traces=(trace | {"x": numbers(mark.x), "y": numbers(mark.y)},))


@draw.register(Points3)
def _points3(mark: Points3, frame: Frame) -> Drawn:
    trace = _base(mark) | {"type": "scatter3d", "scene": frame.x, "mode": "markers"}
    places = {"x": numbers(mark.x), "y": numbers(mark.y), "z": numbers(mark.z)}
    return Drawn(traces=(trace | {"marker": solid_marker(mark)} | places,))


@draw.register(Band)
def _band(mark: Band, frame: Frame) -> Drawn:
    """Draw a polygon for every run of places where the band is defined."""
    known = np.isfinite(mark.x) & np.isfinite(mark.low) & np.isfinite(mark.high)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    x, y = list[Any](), list[Any]()
    for first, last in ends.reshape(-1, 2):
        run = slice(first, last)
        x += [*numbers(mark.x[run]), *numbers(mark.x[run][::-1]), None]
        y += [*numbers(mark.low[run]), *numbers(mark.high[run][::-1]), None]
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    trace = _scatter(mark, frame) | {
        "mode": "lines",
        "line": {"color": colour, "width": look.width * PIXELS},
        "fill": "toself",
        "fillcolor": faded(colour, look.alpha),
        "opacity": 1.0,
        "hoverinfo": "skip",
    }
    return Drawn(traces=(trace | {"x": x[:-1], "y": y[:-1]},))


@draw.register(ErrorBars)
def _error_bars(mark: ErrorBars, frame: Frame) -> Drawn:
    """Draw bars as plain segments: an estimate may lie outside of its interval."""
    lying = _bars_along(mark.x_low, mark.x_high, mark.y, frame.x_ends)
    standing = _bars_along(mark.y_low, mark.y_high, mark.x, frame.y_ends)
    bars = [*lying, *([across, along] for along, across in standing)]
    x, y = ([end for bar in bars for end in (*bar[k], None)][:-1] for k in range(2))
    trace = _scatter(mark, frame) | {"mode": "lines", "line": stroke(mark), "hoverinfo": "skip"}
    return Drawn(traces=(trace | {"x": x, "y": y},))


def _bars_along(
    low: Values | None, high: Values | None, across: Values, ends: tuple[float, float]
) -> list[list[list[Any]]]:
    """Segments [[low, high], [across, across]]; those with a missing number are left out."""
    if low is None or high is None:
        return []
    far = FAR * abs(ends[1] - ends[0])
    rows = np.column_stack([low, high, across])
    rows = rows[~np.isnan(rows).any(axis=1)]
    rows[:, :2] = np.clip(rows[:, :2], min(ends) - far, max(ends) + far)
    return [[numbers(row[:2]), numbers(row[[2, 2]])] for row in rows]


@draw.register(Bars)
def _bars(mark: Bars, frame: Frame) -> Drawn:
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
    return Drawn(traces=(trace,))


@draw.register(HeatMap)
def _heat_map(mark: HeatMap, frame: Frame) -> Drawn:
    """Draw the cells over a grey ground, which is seen where they are undefined."""
    trace = _base(mark) | {
        "type": "heatmap",
        "xaxis": frame.x,
        "yaxis": frame.y,
        "x": numbers(mark.x_edges),
        "y": numbers(mark.y_edges),
        "z": [numbers(row) for row in mark.values],
        "zmin": mark.low,
        "zmax": mark.high,
        "colorscale": colour_scale(),
        "showlegend": False,
        "hoverongaps": False,
        "colorbar": {
            "title": {"text": wrapped(mark.label or ""), "side": "right"},
            "thickness": 12,
            "outlinewidth": 0,
            "tickfont": {"size": style.TICK_SIZE * PIXELS},
        },
    }
    ends = plain([mark.low, mark.high])
    kept = {name: value for name, value in trace.items() if name not in ("zmin", "zmax") or None not in ends}
    return Drawn(traces=(kept,), shapes=(_ground(frame),))


def _ground(frame: Frame) -> dict[str, Any]:
    whole = {"x0": 0, "x1": 1, "y0": 0, "y1": 1, "line": {"width": 0}}
    refs = {"xref": f"{frame.x} domain", "yref": f"{frame.y} domain"}
    return {"type": "rect", "layer": "below", "fillcolor": style.GRID} | refs | whole


@draw.register(ReferenceLine)
def _reference_line(mark: ReferenceLine, frame: Frame) -> Drawn:
    """Draw a shape from edge to edge, with an entry of its own in the legend."""
    place = {"xref": frame.x, "x0": mark.at, "x1": mark.at, "yref": f"{frame.y} domain", "y0": 0, "y1": 1}
    if mark.axis == "y":
        place = {"yref": frame.y, "y0": mark.at, "y1": mark.at, "xref": f"{frame.x} domain", "x0": 0, "x1": 1}
    named = {name: value for name, value in _base(mark).items() if name not in ("meta", "opacity")}
    shape = named | {"type": "line", "line": stroke(mark), "opacity": style.LOOKS[mark.role].alpha}
    return Drawn(shapes=(shape | place | {"layer": "below"},))


@draw.register(Text)
def _text(mark: Text, frame: Frame) -> Drawn:
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
        "font": {"size": style.TEXT_SIZE * PIXELS, "color": style.colour(mark.role, mark.series)},
        "bgcolor": style.PAPER,
        "borderpad": 1,
        "opacity": 0.9,
    }
    return Drawn(annotations=(note,))


def _base(mark: Mark) -> dict[str, Any]:
    """What traces of every type have: the legend entry, and the role for those who look for a trace."""
    return {
        "name": wrapped(mark.label or ""),
        "showlegend": mark.label is not None,
        "opacity": style.LOOKS[mark.role].alpha,
        "meta": {"role": mark.role, "series": mark.series},
    }


def _scatter(mark: Mark, frame: Frame) -> dict[str, Any]:
    """A trace drawn as SVG: plotly's other one for many points compiles code, which the report forbids."""
    return _base(mark) | {"type": "scatter", "xaxis": frame.x, "yaxis": frame.y}


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
    kept: list[Any] = plain(
        floats if span == 0 else np.round(floats, RESOLVED - math.floor(math.log10(span)))
    )
    return kept


# ---- The table of roles and looks in plotly's words: colours, lines, markers, texts -----------------------
# `style` has the one table; nothing here chooses a look of its own. matplotlib measures in points of 1/72
# inch, plotly in pixels of 1/96.

PIXELS = 96 / 72  # of a point
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
DARKEST = 0.25  # of the colour scale, for a line on dark paper
LEGEND_WIDTH = 46  # characters of a line: a plot of a page is narrower than one on paper
LEGEND_LINES = 4  # that one of its names may have
NOTHING = "\u200b"  # a space without width, which makes a tag no tag
SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%{": "&#37;{", "\n": "<br>"}


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


def dash(value: Dash) -> str:
    """Dashes of a line; matplotlib's are multiples of its width, plotly's are pixels.

    Examples
    --------
    >>> dash("--"), dash((0, (4, 2)))
    ('dash', '6px,3px')
    """
    if isinstance(value, str):
        return DASHES[value]
    return ",".join(f"{1.5 * length:g}px" for length in value[1])


def stroke(mark: Mark) -> dict[str, Any]:
    """The line of a mark."""
    look = style.LOOKS[mark.role]
    return {
        "color": style.colour(mark.role, mark.series),
        "dash": dash(style.dash(mark.role, mark.series)),
        "width": look.width * PIXELS,
    }


def marker(mark: Mark) -> dict[str, Any]:
    """The marker of a mark: filled, open on the colour of the paper, or a cross."""
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    edge = style.PAPER if mark.role == "selected" else colour
    return {
        "symbol": MARKERS[look.marker],
        "size": look.size * PIXELS,
        "color": colour if look.filled else style.PAPER,
        "line": {"color": edge, "width": look.width * PIXELS},
    }


def solid_marker(mark: Mark) -> dict[str, Any]:
    """The marker of a mark in three dimensions."""
    look = style.LOOKS[mark.role]
    return {
        "symbol": SOLID_MARKERS[look.marker, look.filled],
        "size": look.size,  # seen from the eye, which is nearer than matplotlib's
        "color": style.colour(mark.role, mark.series),
    }


def faded(colour: str, alpha: float) -> str:
    """Return a colour that lets the paper through.

    Examples
    --------
    >>> faded("#0072B2", 0.2)
    'rgba(0,114,178,0.2)'
    """
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def shades(place: float) -> tuple[str, str]:
    """Colours of a place from 0 to 1 on the colour scale, on light and on dark paper."""
    from plotly.colors import sample_colorscale

    places = [place * style.LIGHTEST, DARKEST + (1 - DARKEST) * place]
    light, dark = sample_colorscale(colour_scale(), places)
    return light, dark


def colour_scale() -> str:
    """Plotly's name of the colour scale."""
    return style.COLOUR_MAP.capitalize()
