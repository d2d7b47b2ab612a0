"""A picture as a plotly figure: an interactive one for notebooks, plain JSON for the report.

`style` has the one table of looks; nothing here chooses a look of its own. matplotlib measures in points of
1/72 inch, plotly in pixels of 1/96.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.formatting import shortened, spelt
from rocscope.core.result import plain
from rocscope.errors import require
from rocscope.plotting import layout, marks

INCH = 96.0  # pixels
PIXELS = INCH / 72  # of a point
# Buttons of plotly's toolbar that send a chart to a service, by their names in all its versions.
SENDING = ("sendChartToCloud", "sendDataToCloud", "editInChartStudio")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
LINE = 17.0  # pixels from one line of text to the next
CHARACTER = 6.3
GAP = 12.0
AXIS = 46.0  # pixels of tick labels and axis label, below and on the left
TITLE_WIDTH, LABEL_WIDTH, TICK_WIDTH = 60, 48, 48  # characters of a line
LEGEND_WIDTH = 46  # the same of a legend: a plot of a page is narrower than one on paper
MOST_LINES = 4  # that a line of a text may become
DISTANCE = 2.35  # of the eye, in sides of the cube
CORNERS = {"left": 0.01, "right": 0.99, "lower": 0.01, "upper": 0.99}
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
COLOUR_SCALE = marks.COLOUR_MAP.capitalize()  # plotly's name of it
DARKEST = 0.25  # of the colour scale, for a line on dark paper
NOTHING = "\u200b"  # a space without width, which makes a tag no tag
SPECIAL = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;", "%{": "&#37;{", "\n": "<br>"}


def plotly(picture: marks.Picture) -> Any:
    """Draw a picture with plotly, which shows numbers under the pointer and zooms; three axes turn.

    Parameters
    ----------
    picture
        What `plotting.picture` returns.

    Returns
    -------
    plotly.graph_objects.Figure
        With one pair of axes, or one scene, for each panel.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> figure = plotly(plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> figure.data[1].name, figure.data[1].y
    ('AUC = 0.75', (0.0, 0.5, 0.5, 1.0, 1.0))
    """
    return require("plotly.graph_objects", "an interactive figure").Figure(figure_json(picture))


def figure_json(picture: marks.Picture) -> dict[str, Any]:
    """Return a picture as `{"data": traces, "layout": layout}` of plain Python.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> drawn = figure_json(plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> drawn["data"][1]["type"], drawn["layout"]["xaxis"]["range"]
    ('scatter', [-0.01, 1.01])
    """
    width, height = (INCH * inches for inches in layout.figure_size(picture))
    first, several = picture.panels[0], len(picture.panels) > 1
    # Several panels have their margins inside their places.
    around: dict[str, float] = {"l": 0, "r": 0, "t": 0, "b": 0} if several else margins(first)
    around["t"] += LINE * 1.6 if picture.title else 0.0
    figure: dict[str, Any] = {
        "paper_bgcolor": marks.PAPER,
        "plot_bgcolor": marks.PAPER,
        "font": {"family": FONT, "color": marks.INK},
        "hovermode": "closest",
        "hoverlabel": {"namelength": -1},
        "barmode": "overlay",
        "bargap": 0,
        "modebar": {"remove": list(SENDING)},
        "meta": _kind(first),
        "width": width,
        "height": height,
        "margin": around,
    }
    if picture.title:
        figure["title"] = _text(picture.title, marks.TITLE_SIZE + 1, 80) | {"x": 0.5, "y": 0.99}
    columns = min(picture.columns, len(picture.panels))
    rows = -(-len(picture.panels) // columns)
    cell = (width / columns, (height - around["t"]) / rows)
    data = list[dict[str, Any]]()
    figure |= {"shapes": [], "annotations": []}
    for k, panel in enumerate(picture.panels):
        place = Place()
        if several:
            row, column = divmod(k, columns)
            place = _place(panel, k, at=(column, rows - 1 - row), cell=cell, count=(columns, rows))
        data += _add_panel(panel, place, figure)
    return {"data": data, "layout": figure}


def _kind(panel: marks.Panel) -> dict[str, Any]:
    """What a page must know to give a panel its height: its shape, its rows, its legend."""
    _, y_ends = layout.limits(panel)
    shape = "square" if panel.equal_aspect else "wide"
    if isinstance(panel, marks.Panel3):
        shape = "solid"
    elif panel.y.far_labels is not None:
        shape = "table"
    return {
        "shape": shape,
        "rows": abs(y_ends[1] - y_ends[0]) if shape == "table" else 0,
        "row": layout.ROW * INCH,
        "legend": 0 if panel.legend is None else legend_height(panel),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a panel stands: its number, from which its axes have their names, and its share of the figure.

    `x_ends` and `y_ends` are the ends of its axes. `legend_top` is where a legend below the panel begins;
    None puts it at the bottom of the figure.
    """

    number: int = 0
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)
    x_ends: tuple[float, float] = (0.0, 1.0)
    y_ends: tuple[float, float] = (0.0, 1.0)
    legend_top: float | None = None

    def key(self, name: str) -> str:
        """Name of an axis, a legend or a scene of this panel, as traces write it.

        Examples
        --------
        >>> Place(number=0).key("x"), Place(number=1).key("legend")
        ('x', 'legend2')
        """
        return name if self.number == 0 else f"{name}{self.number + 1}"

    @property
    def axes(self) -> dict[str, str]:
        """The names of both axes, as a trace has them."""
        return {"xaxis": self.key("x"), "yaxis": self.key("y")}


def _place(
    panel: marks.Panel, number: int, *, at: tuple[int, int], cell: tuple[float, float], count: tuple[int, int]
) -> Place:
    """The place of a panel inside the margins of its cell, which include long tick labels on the left."""
    inner, (column, row) = margins(panel), at
    whole = (cell[0] * count[0], cell[1] * count[1])
    names = [line for text in panel.y.tick_labels or () for line in text.splitlines()]
    left = inner["l"] + max(0.0, CHARACTER * max(map(len, names), default=0) - GAP)
    bottom = row * cell[1] + inner["b"]
    x = (column * cell[0] + left) / whole[0], ((column + 1) * cell[0] - inner["r"]) / whole[0]
    y = bottom / whole[1], ((row + 1) * cell[1] - inner["t"]) / whole[1]
    return Place(number=number, x=x, y=y, legend_top=(bottom - axis_height(panel)) / whole[1])


# ---- A panel: its marks, axes, title, legend and margins --------------------------------------------------


def _add_panel(panel: marks.Panel, place: Place, figure: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the traces of a panel; its shapes, annotations, axes and legend go to the figure."""
    if isinstance(panel, marks.Panel3):
        figure[place.key("scene")] = _scene(panel, place)
    else:
        x_ends, y_ends = layout.limits(panel)
        place = replace(place, x_ends=x_ends, y_ends=y_ends)
        figure |= _flat_axes(panel, place)
    traces, shapes, notes = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for mark in panel.marks:
        kind = {marks.ReferenceLine: shapes, marks.Text: notes}.get(type(mark), traces)
        kind.append(draw(mark, place))
        if isinstance(mark, marks.HeatMap):  # a grey ground, which is seen where cells are undefined
            ground = {"type": "rect", "layer": "below", "fillcolor": marks.GRID, "line": {"width": 0}}
            refs = {"xref": f"{place.key('x')} domain", "yref": f"{place.key('y')} domain"}
            shapes.append(ground | refs | {"x0": 0, "x1": 1, "y0": 0, "y1": 1})
    # Entries of the legend have the order of the marks.
    for rank, entry in enumerate([*traces, *shapes], start=1):
        if "showlegend" in entry:
            entry["showlegend"] = entry["showlegend"] and panel.legend is not None
            if entry["showlegend"]:
                entry |= {"legend": place.key("legend"), "legendrank": rank}
    for trace in traces:
        _finish_trace(trace, panel, place)
    notes += _far_labels(panel, place)
    if panel.title:
        shift = LINE if panel.x.far_labels is not None else 0
        at = {"x": sum(place.x) / 2, "xref": "paper", "xanchor": "center", "y": place.y[1], "yref": "paper"}
        text = _text(panel.title, marks.TITLE_SIZE, TITLE_WIDTH) | {"showarrow": False}
        notes.append(at | text | {"yanchor": "bottom", "yshift": 6 + shift, "name": "title"})
    if panel.legend is not None:
        figure[place.key("legend")] = _legend(panel, place)
    figure["shapes"] += shapes
    figure["annotations"] += notes
    return sorted(traces, key=lambda trace: marks.LOOKS[trace["meta"]["role"]].order)


def _finish_trace(trace: dict[str, Any], panel: marks.Panel, place: Place) -> None:
    """Set the text under the pointer, axis by axis, and the colour scale of a heat map beside its panel."""
    is_map = trace["type"] == "heatmap"
    if is_map:
        trace["colorbar"] |= {"x": place.x[1] + 0.01, "y": sum(place.y) / 2, "len": place.y[1] - place.y[0]}
    if trace.get("hoverinfo") == "skip":
        return
    lines = []
    for key in ("x", "y", "z") if isinstance(panel, marks.Panel3) else ("x", "y"):
        label = getattr(panel, key).label
        short = label.splitlines()[0].split(" (")[0] if label else key
        lines.append(f"{literal(short)}: %{{{key}:.4~g}}")
    if is_map:
        lines.append(f"{trace['colorbar']['title']['text']}: %{{z:.4~g}}")
    trace["hovertemplate"] = "<br>".join(lines) + f"<extra>{'' if is_map else trace['name']}</extra>"


def _legend(panel: marks.Panel, place: Place) -> dict[str, Any]:
    """Inside a corner of the panel, or below it."""
    look = {
        "font": font(marks.TEXT_SIZE),
        "bgcolor": marks.PAPER,
        "borderwidth": 0,
        "itemsizing": "trace",
        "tracegroupgap": 2,
    }
    if is_below(panel) and place.legend_top is None:  # on the bottom of the figure, whose margin has room
        return look | {"x": 0, "xanchor": "left", "yref": "container", "y": 0, "yanchor": "bottom"}
    if is_below(panel):  # under the axis label
        return look | {"x": place.x[0], "xanchor": "left", "y": place.legend_top, "yanchor": "top"}
    up, across = str(panel.legend).split()
    y = place.y[0] + CORNERS[up] * (place.y[1] - place.y[0])
    x = place.x[0] + CORNERS[across] * (place.x[1] - place.x[0])
    return look | {"x": x, "xanchor": across, "y": y, "yanchor": {"lower": "bottom", "upper": "top"}[up]}


def margins(panel: marks.Panel) -> dict[str, float]:
    """Pixels around the axes that their texts need; tick labels of the left side add their own."""
    far = [line for text in panel.y.far_labels or () for line in text.splitlines()]
    right = GAP + (CHARACTER * max(map(len, far)) if far else 0)
    if any(isinstance(mark, marks.HeatMap) for mark in panel.marks):
        right += 70
    top = GAP + (_lines(panel.title, TITLE_WIDTH) + 6 if panel.title else 0)
    top += LINE if panel.x.far_labels is not None else 0
    left = GAP if isinstance(panel, marks.Panel3) else AXIS + _lines(panel.y.label, LABEL_WIDTH) - LINE
    bottom = axis_height(panel) + (legend_height(panel) if is_below(panel) else 0)
    return {"l": left, "r": right, "t": top, "b": bottom}


def axis_height(panel: marks.Panel) -> float:
    """Pixels of tick labels and axis label below a panel."""
    return GAP if isinstance(panel, marks.Panel3) else AXIS + _lines(panel.x.label, LABEL_WIDTH) - LINE


def is_below(panel: marks.Panel) -> bool:
    """Whether the legend is under the panel: one that turns has no free corner."""
    return panel.legend is not None and (panel.legend == "below" or isinstance(panel, marks.Panel3))


def legend_height(panel: marks.Panel) -> float:
    """Pixels of all legend entries below each other."""
    flat = (mark for mark in panel.marks if not isinstance(mark, marks.HeatMap))
    return GAP + sum(_lines(mark.label, LEGEND_WIDTH) for mark in flat if mark.label is not None)


def _lines(text: str, width: int) -> float:
    """Pixels of a text below each other, at least of one line."""
    return LINE * (wrapped(text, width).count("<br>") + 1)


def _flat_axes(panel: marks.Panel, place: Place) -> dict[str, Any]:
    """Both axes of a panel, as entries of the layout."""
    axes = []
    for axis, ends, domain, anchor in (
        (panel.x, place.x_ends, place.x, place.key("y")),
        (panel.y, place.y_ends, place.y, place.key("x")),
    ):
        drawn: dict[str, Any] = {
            "title": _text(axis.label, marks.LABEL_SIZE, LABEL_WIDTH) | {"standoff": 8},
            "showgrid": axis.grid,
            "gridcolor": marks.GRID,
            "zeroline": False,
            "showline": True,
            "linecolor": marks.SOFT_INK,
            "ticks": "outside",
            "ticklen": 4,
            "tickcolor": marks.SOFT_INK,
            "tickfont": font(marks.TICK_SIZE),
            "nticks": marks.TICKS,
            "automargin": True,
            "range": list(ends),
            "domain": list(domain),
            "anchor": anchor,
        }
        axes.append(drawn | _ticks(axis) | ({"constrain": "domain"} if panel.equal_aspect else {}))
    if panel.equal_aspect:
        axes[1] |= {"scaleanchor": place.key("x"), "scaleratio": 1}
    return {place.key("xaxis"): axes[0], place.key("yaxis"): axes[1]}


def _ticks(axis: marks.Axis) -> dict[str, Any]:
    if axis.ticks is None:
        return {}
    ticks: dict[str, Any] = {"tickmode": "array", "tickvals": list(axis.ticks)}
    if axis.tick_labels is not None:
        rows = (text.splitlines() for text in axis.tick_labels)
        ticks["ticktext"] = [literal("\n".join(shortened(one, TICK_WIDTH) for one in row)) for row in rows]
    return ticks


def _far_labels(panel: marks.Panel, place: Place) -> list[dict[str, Any]]:
    """Texts beyond the far end of each tick."""
    x, y, notes = place.key("x"), place.key("y"), list[dict[str, Any]]()
    look = {"showarrow": False, "align": "left", "font": font(marks.TICK_SIZE), "name": "far"}
    for tick, text in zip(panel.x.ticks or (), panel.x.far_labels or (), strict=False):
        at = {"x": tick, "xref": x, "xanchor": "center", "y": 1, "yref": f"{y} domain", "yanchor": "bottom"}
        notes.append(look | at | {"text": literal(text), "xshift": 0})
    for tick, text in zip(panel.y.ticks or (), panel.y.far_labels or (), strict=False):
        at = {"x": 1, "xref": f"{x} domain", "xanchor": "left", "y": tick, "yref": y, "yanchor": "middle"}
        notes.append(look | at | {"text": literal(text), "xshift": 8})
    return notes


def _scene(panel: marks.Panel3, place: Place) -> dict[str, Any]:
    """Three axes that turn; the eye is where matplotlib's is."""
    elevation, azimuth = math.radians(marks.ELEVATION), math.radians(marks.AZIMUTH)
    eye = {
        "x": DISTANCE * math.cos(elevation) * math.cos(azimuth),
        "y": DISTANCE * math.cos(elevation) * math.sin(azimuth),
        "z": DISTANCE * math.sin(elevation),
    }
    scene: dict[str, Any] = {
        "domain": {"x": list(place.x), "y": list(place.y)},
        "aspectmode": "cube",
        "camera": {"eye": eye, "center": {"x": 0, "y": 0, "z": -0.06}},
    }
    for name in "xyz":
        axis: marks.Axis = getattr(panel, name)
        drawn = {
            "title": {"text": solid_literal(axis.label), "font": font(marks.LABEL_SIZE)},
            "gridcolor": marks.GRID,
            "linecolor": marks.SOFT_INK,
            "zeroline": False,
            "showbackground": False,
            "nticks": marks.TICKS - 2,
            "tickfont": font(marks.TICK_SIZE),
        }
        if (axis.low, axis.high) != (None, None):
            drawn["range"] = [axis.low, axis.high]
        scene[f"{name}axis"] = drawn | _ticks(axis)
    return scene


# ---- Each mark as a trace, a shape or an annotation, in plain dicts ---------------------------------------


@singledispatch
def draw(mark: marks.Mark, place: Place) -> dict[str, Any]:
    """Return a mark in the form of plotly."""
    raise NotImplementedError(f"no drawing for a mark of type {type(mark).__name__}")


@draw.register
def _(mark: marks.Line, place: Place) -> dict[str, Any]:
    return _scatter(mark, place, x=numbers(mark.x), y=numbers(mark.y), mode="lines", line=stroke(mark))


@draw.register
def _(mark: marks.ShadedLine, place: Place) -> dict[str, Any]:
    from plotly.colors import sample_colorscale

    shades = [mark.shade * marks.LIGHTEST, DARKEST + (1 - DARKEST) * mark.shade]
    light, dark = sample_colorscale(COLOUR_SCALE, shades)  # on light and on dark paper
    line = stroke(mark) | {"color": light, "dash": "solid"}
    trace = _scatter(mark, place, x=numbers(mark.x), y=numbers(mark.y), mode="lines", line=line)
    trace["meta"]["dark"] = dark
    return trace


@draw.register
def _(mark: marks.Points, place: Place) -> dict[str, Any]:
    look, colour = marks.LOOKS[mark.role], marks.colour(mark.role, mark.series)
    edge = marks.PAPER if mark.role == "selected" else colour
    marker = {
        "symbol": MARKERS[look.marker],
        "size": look.size * PIXELS,
        "color": colour if look.filled else marks.PAPER,
        "line": {"color": edge, "width": look.width * PIXELS},
    }
    return _scatter(mark, place, x=numbers(mark.x), y=numbers(mark.y), mode="markers", marker=marker)


@draw.register
def _(mark: marks.Points3, place: Place) -> dict[str, Any]:
    look = marks.LOOKS[mark.role]
    marker = {
        "symbol": SOLID_MARKERS[look.marker, look.filled],
        "size": look.size,  # seen from the eye, which is nearer than matplotlib's
        "color": marks.colour(mark.role, mark.series),
    }
    look3 = {"type": "scatter3d", "scene": place.key("scene"), "mode": "markers", "marker": marker}
    return _base(mark) | look3 | {name: numbers(getattr(mark, name)) for name in "xyz"}


@draw.register
def _(mark: marks.Band, place: Place) -> dict[str, Any]:
    """Draw a polygon for every run of places where the band is defined."""
    known = np.isfinite(mark.x) & np.isfinite(mark.low) & np.isfinite(mark.high)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], known, [False]])))
    x, y = list[Any](), list[Any]()
    for first, last in ends.reshape(-1, 2):
        run = slice(first, last)
        x += [*numbers(mark.x[run]), *numbers(mark.x[run][::-1]), None]
        y += [*numbers(mark.low[run]), *numbers(mark.high[run][::-1]), None]
    look, colour = marks.LOOKS[mark.role], marks.colour(mark.role, mark.series)
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return _scatter(
        mark,
        place,
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
def _(mark: marks.ErrorBars, place: Place) -> dict[str, Any]:
    """Draw bars as plain segments: an estimate may lie outside of its interval."""
    x, y = list[Any](), list[Any]()
    for bar in mark.outlines():
        for values, along, ends in zip(bar, (x, y), (place.x_ends, place.y_ends), strict=True):
            far = FAR * abs(ends[1] - ends[0])
            along += [*numbers(np.clip(values, min(ends) - far, max(ends) + far)), None]
    return _scatter(mark, place, x=x[:-1], y=y[:-1], mode="lines", line=stroke(mark), hoverinfo="skip")


@draw.register
def _(mark: marks.Bars, place: Place) -> dict[str, Any]:
    look, colour = marks.LOOKS[mark.role], marks.colour(mark.role, mark.series)
    along, across = ("x", "y") if mark.horizontal else ("y", "x")
    return _base(mark) | {
        "type": "bar",
        **place.axes,
        "orientation": "h" if mark.horizontal else "v",
        across: numbers((mark.low + mark.high) / 2),
        along: numbers(mark.length),
        "width": numbers(mark.high - mark.low),
        "marker": {"color": colour, "line": {"color": marks.PAPER, "width": look.width * PIXELS}},
    }


@draw.register
def _(mark: marks.HeatMap, place: Place) -> dict[str, Any]:
    trace = _base(mark) | {
        "type": "heatmap",
        **place.axes,
        "x": numbers(mark.x_edges),
        "y": numbers(mark.y_edges),
        "z": [numbers(row) for row in mark.values],
        "colorscale": [[k / 2, one] for k, one in enumerate(marks.SIGNED)] if mark.signed else COLOUR_SCALE,
        "showlegend": False,
        "hoverongaps": False,
        "colorbar": {
            "title": {"text": wrapped(mark.label or "", LEGEND_WIDTH), "side": "right"},
            "thickness": 12,
            "outlinewidth": 0,
            "tickfont": {"size": marks.TICK_SIZE * PIXELS},
        },
    }
    if None not in plain([mark.low, mark.high]):
        trace |= {"zmin": mark.low, "zmax": mark.high}
    return trace


@draw.register
def _(mark: marks.ReferenceLine, place: Place) -> dict[str, Any]:
    """Draw a shape from edge to edge, with an entry of its own in the legend."""
    at, along = ("x", "y") if mark.axis == "x" else ("y", "x")
    ends = {f"{at}ref": place.key(at), f"{at}0": mark.at, f"{at}1": mark.at}
    ends |= {f"{along}ref": f"{place.key(along)} domain", f"{along}0": 0, f"{along}1": 1}
    shape = _base(mark) | {"type": "line", "line": stroke(mark), "layer": "below"} | ends
    del shape["meta"]
    return shape


@draw.register
def _(mark: marks.Text, place: Place) -> dict[str, Any]:
    """Write on a patch of paper, so that a line below does not run through the letters; in a cell without."""
    patch = {"bgcolor": marks.PAPER, "borderpad": 1, "opacity": 0.9}
    return {
        "x": mark.x,
        "y": mark.y,
        "xref": place.key("x"),
        "yref": place.key("y"),
        "text": literal(mark.text),
        "showarrow": False,
        "xanchor": mark.horizontal,
        "yanchor": {"center": "middle"}.get(mark.vertical, mark.vertical),
        "align": mark.horizontal,
        "font": font(marks.TEXT_SIZE, marks.colour(mark.role, mark.series)),
        **({"name": "cell"} if mark.role.startswith("cell-text") else patch),
    }


def _base(mark: marks.Mark) -> dict[str, Any]:
    """What traces of every type have: the legend entry, and the role for those who look for a trace."""
    return {
        "name": wrapped(mark.label or "", LEGEND_WIDTH),
        "showlegend": mark.label is not None,
        "opacity": marks.LOOKS[mark.role].alpha,
        "meta": {"role": mark.role, "series": mark.series},
    }


def _scatter(mark: marks.Mark, place: Place, **more: Any) -> dict[str, Any]:
    """A trace drawn as SVG: plotly's other one for many points compiles code, which the report forbids."""
    return _base(mark) | {"type": "scatter", **place.axes} | more


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


def font(size: float, colour: str = marks.INK) -> dict[str, Any]:
    """A font whose size is in points."""
    return {"size": size * PIXELS, "color": colour}


def _text(text: str, size: float, width: int) -> dict[str, Any]:
    """A title in its font."""
    return {"text": wrapped(text, width), "font": font(size)}


def stroke(mark: marks.Mark) -> dict[str, Any]:
    """The line of a mark."""
    return {
        "color": marks.colour(mark.role, mark.series),
        "dash": dash(marks.dash(mark.role, mark.series)),
        "width": marks.LOOKS[mark.role].width * PIXELS,
    }


def dash(value: marks.Dash) -> str:
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


def wrapped(text: str, width: int) -> str:
    """Break the lines of a long legend entry or title, as they are to be shown.

    Examples
    --------
    >>> wrapped("a name that somebody wrote in full, with all that it means (AUC = 0.73)", 46)
    'a name that somebody wrote in full, with all<br>that it means (AUC = 0.73)'
    """
    lines = (shortened(line, MOST_LINES * width) for line in text.splitlines())
    return literal(layout.wrapped("\n".join(lines), width))
