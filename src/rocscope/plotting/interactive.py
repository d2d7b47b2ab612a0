"""A picture as a plotly figure: an interactive one for notebooks, plain JSON for the report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocscope.core.formatting import shortened
from rocscope.errors import require
from rocscope.plotting import style
from rocscope.plotting.layout import limits
from rocscope.plotting.marks import (
    Axis,
    HeatMap,
    Panel,
    Panel3,
    Picture,
)
from rocscope.plotting.plotly_traces import PIXELS, Drawn, Frame, draw, literal, solid_literal, wrapped
from rocscope.plotting.static import AZIMUTH, ELEVATION, ROW, figure_size

INCH = 96.0  # pixels
# Buttons of plotly's toolbar that send a chart to a service, by their names in all its versions.
SENDING = ("sendChartToCloud", "sendDataToCloud", "editInChartStudio")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


def plotly(picture: Picture) -> Any:
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


def figure_json(picture: Picture) -> dict[str, Any]:
    """Return a picture as `{"data": traces, "layout": layout}` of plain Python.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> drawn = figure_json(plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> drawn["data"][1]["type"], drawn["layout"]["xaxis"]["range"]
    ('scatter', [-0.01, 1.01])
    """
    width, height = (INCH * inches for inches in figure_size(picture))
    around = _around(picture)
    layout: dict[str, Any] = _common(picture) | {"width": width, "height": height, "margin": around}
    data, shapes, notes = list[Any](), list[Any](), list[Any]()
    for panel, place in zip(picture.panels, _places(picture, width, height, around), strict=True):
        parts, entries = panel_parts(panel, place)
        data += _with_scales(parts.traces, place)
        shapes += parts.shapes
        notes += parts.annotations
        layout |= entries
    return {"data": data, "layout": layout | {"shapes": shapes, "annotations": notes}}


def _common(picture: Picture) -> dict[str, Any]:
    layout: dict[str, Any] = {
        "paper_bgcolor": style.PAPER,
        "plot_bgcolor": style.PAPER,
        "font": {"family": FONT, "color": style.INK},
        "hovermode": "closest",
        "hoverlabel": {"namelength": -1},
        "barmode": "overlay",
        "bargap": 0,
        "modebar": {"remove": list(SENDING)},
        "meta": _kind(picture.panels[0]),
    }
    if picture.title:
        font = {"size": (style.TITLE_SIZE + 1) * PIXELS, "color": style.INK}
        layout["title"] = {"text": wrapped(picture.title, 80), "font": font, "x": 0.5, "y": 0.99}
    return layout


def _kind(panel: Panel) -> dict[str, Any]:
    """What a page must know to give a panel its height: its shape, its rows, its legend."""
    _, y_ends = limits(panel)
    shape = "square" if panel.equal_aspect else "wide"
    if isinstance(panel, Panel3):
        shape = "solid"
    elif panel.y.far_labels is not None:
        shape = "table"
    return {
        "shape": shape,
        "rows": abs(y_ends[1] - y_ends[0]) if shape == "table" else 0,
        "row": ROW * INCH,
        "legend": 0 if panel.legend is None else legend_height(panel),
    }


def _around(picture: Picture) -> dict[str, float]:
    """Margins of the figure: those of a single panel; several have theirs inside their places."""
    title = LINE * 1.6 if picture.title else 0.0
    if len(picture.panels) > 1:
        return {"l": 0, "r": 0, "t": title, "b": 0}
    found = margins(picture.panels[0])
    return found | {"t": found["t"] + title}


def _places(picture: Picture, width: float, height: float, around: dict[str, float]) -> list[Place]:
    """Cells in rows, each panel inside the margins of its own cell."""
    if len(picture.panels) == 1:
        return [Place()]
    columns = min(picture.columns, len(picture.panels))
    rows = -(-len(picture.panels) // columns)
    cell = (width / columns, (height - around["t"]) / rows)
    return [
        _place(panel, k, column=k % columns, row=rows - 1 - k // columns, cell=cell, count=(columns, rows))
        for k, panel in enumerate(picture.panels)
    ]


def _place(
    panel: Panel,
    number: int,
    *,
    column: int,
    row: int,
    cell: tuple[float, float],
    count: tuple[int, int],
) -> Place:
    inner = margins(panel)
    left = inner["l"] + _widest_tick(panel)
    whole = (cell[0] * count[0], cell[1] * count[1])
    bottom = row * cell[1] + inner["b"]
    y = bottom / whole[1], ((row + 1) * cell[1] - inner["t"]) / whole[1]
    x = (column * cell[0] + left) / whole[0], ((column + 1) * cell[0] - inner["r"]) / whole[0]
    hanging = (bottom - axis_height(panel)) / whole[1]
    return Place(number=number, x=x, y=y, legend_top=hanging)


def _widest_tick(panel: Panel) -> float:
    """Pixels that long tick labels on the left need beyond those of numbers."""
    names = [line for text in panel.y.tick_labels or () for line in text.splitlines()]
    return max(0.0, CHARACTER * max(map(len, names), default=0) - GAP)


def _with_scales(traces: tuple[dict[str, Any], ...], place: Place) -> list[dict[str, Any]]:
    """Set the colour scale of a heat map beside its own panel."""
    beside = {"x": place.x[1] + 0.01, "y": sum(place.y) / 2, "len": place.y[1] - place.y[0]}
    return [
        trace | {"colorbar": trace["colorbar"] | beside} if trace["type"] == "heatmap" else trace
        for trace in traces
    ]


# ---- A panel in plotly's layout: its axes, title, legend and margins --------------------------------------

LINE = 17.0  # pixels from one line of text to the next
CHARACTER = 6.3
TITLE_WIDTH = 60
GAP = 12.0
# Pixels of tick labels and axis label, below and on the left.
AXIS = 46.0
CORNERS = {"left": 0.01, "right": 0.99, "lower": 0.01, "upper": 0.99}


def panel_parts(panel: Panel, place: Place) -> tuple[Drawn, dict[str, Any]]:
    """Traces, shapes and annotations of a panel, and its entries of the layout."""
    drawn = [draw(mark, _frame(panel, place)) for mark in panel.marks]
    traces = [trace for one in drawn for trace in one.traces]
    shapes = [shape for one in drawn for shape in one.shapes]
    notes = [note for one in drawn for note in one.annotations]
    for rank, entry in enumerate([*traces, *shapes]):
        _enter(entry, panel, place, rank)
    order = sorted(traces, key=lambda trace: style.LOOKS[trace["meta"]["role"]].order)
    parts = Drawn(
        traces=tuple(_hover(trace, panel) for trace in order),
        shapes=tuple(shapes),
        annotations=(*notes, *far_labels(panel, place), *_title(panel, place)),
    )
    axes = scene(panel, place) if isinstance(panel, Panel3) else flat_axes(panel, place)
    legend = {} if panel.legend is None else {place.key("legend"): _legend(panel, place)}
    return parts, axes | legend


def _frame(panel: Panel, place: Place) -> Frame:
    if isinstance(panel, Panel3):
        return Frame(x=place.key("scene"))
    x_ends, y_ends = limits(panel)
    return Frame(x=place.key("x"), y=place.key("y"), x_ends=x_ends, y_ends=y_ends)


def _enter(entry: dict[str, Any], panel: Panel, place: Place, rank: int) -> None:
    """Give a trace or a shape its place in the legend, in the order of the marks."""
    if "showlegend" not in entry:
        return
    entry["showlegend"] = entry["showlegend"] and panel.legend is not None
    if entry["showlegend"]:
        entry["legend"] = place.key("legend")
        entry["legendrank"] = rank + 1


def _hover(trace: dict[str, Any], panel: Panel) -> dict[str, Any]:
    """What a trace tells under the pointer: the name of each axis with its number."""
    if trace.get("hoverinfo") == "skip":
        return trace
    names = [("x", panel.x), ("y", panel.y)]
    if isinstance(panel, Panel3):
        names.append(("z", panel.z))
    lines = [f"{_short(axis, key)}: %{{{key}:.4~g}}" for key, axis in names]
    if trace["type"] == "heatmap":
        lines.append(f"{trace['colorbar']['title']['text']}: %{{z:.4~g}}")
    name = "" if trace["type"] == "heatmap" else trace["name"]
    return trace | {"hovertemplate": "<br>".join(lines) + f"<extra>{name}</extra>"}


def _short(axis: Axis, key: str) -> str:
    first = axis.label.splitlines()[0] if axis.label else key
    return literal(first.split(" (")[0])


# ---- Title, legend, margins -------------------------------------------------------------------------------


def _title(panel: Panel, place: Place) -> list[dict[str, Any]]:
    if not panel.title:
        return []
    middle = sum(place.x) / 2
    shift = LINE if panel.x.far_labels is not None else 0
    at = {"x": middle, "xref": "paper", "xanchor": "center", "y": place.y[1], "yref": "paper"}
    said = {"text": wrapped(panel.title, TITLE_WIDTH), "showarrow": False, "font": font(style.TITLE_SIZE)}
    return [at | said | {"yanchor": "bottom", "yshift": 6 + shift, "name": "title"}]


def _legend(panel: Panel, place: Place) -> dict[str, Any]:
    """Inside a corner of the panel, or below it."""
    look = {
        "font": font(style.TEXT_SIZE),
        "bgcolor": style.PAPER,
        "borderwidth": 0,
        "itemsizing": "trace",
        "tracegroupgap": 2,
    }
    if is_below(panel):
        return look | _below(place)
    up, across = str(panel.legend).split()
    y = place.y[0] + CORNERS[up] * (place.y[1] - place.y[0])
    x = place.x[0] + CORNERS[across] * (place.x[1] - place.x[0])
    return look | {"x": x, "xanchor": across, "y": y, "yanchor": {"lower": "bottom", "upper": "top"}[up]}


def _below(place: Place) -> dict[str, Any]:
    """Stand on the bottom of a single panel's figure, whose margin has room; or hang under the axis label."""
    if place.legend_top is None:
        return {"x": 0, "xanchor": "left", "yref": "container", "y": 0, "yanchor": "bottom"}
    return {"x": place.x[0], "xanchor": "left", "y": place.legend_top, "yanchor": "top"}


def margins(panel: Panel) -> dict[str, float]:
    """Pixels around the axes that their texts need; tick labels of the left side add their own."""
    far = [line for text in panel.y.far_labels or () for line in text.splitlines()]
    right = GAP + (CHARACTER * max(map(len, far)) if far else 0)
    if any(isinstance(mark, HeatMap) for mark in panel.marks):
        right += 70
    lines = wrapped(panel.title, TITLE_WIDTH).count("<br>") + 1 if panel.title else 0
    top = GAP + LINE * lines + (LINE if panel.x.far_labels is not None else 0) + (6 if lines else 0)
    left = GAP if isinstance(panel, Panel3) else AXIS + LINE * _breaks(panel.y.label)
    return {
        "l": left,
        "r": right,
        "t": top,
        "b": axis_height(panel) + (legend_height(panel) if is_below(panel) else 0),
    }


def axis_height(panel: Panel) -> float:
    """Pixels of tick labels and axis label below a panel."""
    return GAP if isinstance(panel, Panel3) else AXIS + LINE * _breaks(panel.x.label)


def _breaks(label: str) -> int:
    return wrapped(label, LABEL_WIDTH).count("<br>")


def is_below(panel: Panel) -> bool:
    """Whether the legend is under the panel: one that turns has no free corner."""
    return panel.legend is not None and (panel.legend == "below" or isinstance(panel, Panel3))


def legend_height(panel: Panel) -> float:
    """Pixels of all legend entries below each other."""
    labels = [mark.label for mark in panel.marks if mark.label is not None and not isinstance(mark, HeatMap)]
    return GAP + LINE * sum(wrapped(label).count("<br>") + 1 for label in labels)


# -----------------------------------------------------------------------------------------------------------
# The axes of a panel in plotly's layout: two, or three that turn, with what is written along them

LABEL_WIDTH = 48  # characters of a line
TICK_WIDTH = 48
DISTANCE = 2.35  # of the eye, in sides of the cube


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a panel stands: its number, from which its axes have their names, and its share of the figure.

    `legend_top` is where a legend below the panel begins; None puts it at the bottom of the figure.
    """

    number: int = 0
    x: tuple[float, float] = (0.0, 1.0)
    y: tuple[float, float] = (0.0, 1.0)
    legend_top: float | None = None

    def key(self, name: str) -> str:
        """Name of an axis, a legend or a scene of this panel, as traces write it.

        Examples
        --------
        >>> Place(number=0).key("x"), Place(number=1).key("legend")
        ('x', 'legend2')
        """
        return name if self.number == 0 else f"{name}{self.number + 1}"


def flat_axes(panel: Panel, place: Place) -> dict[str, Any]:
    """Both axes of a panel, as entries of the layout."""
    x_ends, y_ends = limits(panel)
    x = _axis(panel.x) | {"range": list(x_ends), "domain": list(place.x), "anchor": place.key("y")}
    y = _axis(panel.y) | {"range": list(y_ends), "domain": list(place.y), "anchor": place.key("x")}
    if panel.equal_aspect:
        y |= {"scaleanchor": place.key("x"), "scaleratio": 1, "constrain": "domain"}
        x |= {"constrain": "domain"}
    return {place.key("xaxis"): x, place.key("yaxis"): y}


def _axis(axis: Axis) -> dict[str, Any]:
    drawn: dict[str, Any] = {
        "title": {"text": wrapped(axis.label, LABEL_WIDTH), "font": font(style.LABEL_SIZE), "standoff": 8},
        "showgrid": axis.grid,
        "gridcolor": style.GRID,
        "zeroline": False,
        "showline": True,
        "linecolor": style.SOFT_INK,
        "ticks": "outside",
        "ticklen": 4,
        "tickcolor": style.SOFT_INK,
        "tickfont": font(style.TICK_SIZE),
        "nticks": style.TICKS,
        "automargin": True,
    }
    return drawn | _ticks(axis)


def _range(axis: Axis) -> dict[str, Any]:
    return {} if axis.low is None and axis.high is None else {"range": [axis.low, axis.high]}


def _ticks(axis: Axis) -> dict[str, Any]:
    if axis.ticks is None:
        return {}
    ticks = {"tickmode": "array", "tickvals": list(axis.ticks)}
    if axis.tick_labels is None:
        return ticks
    return ticks | {"ticktext": list(map(_tick_label, axis.tick_labels))}


def _tick_label(text: str) -> str:
    return literal("\n".join(shortened(line, TICK_WIDTH) for line in text.splitlines()))


def font(size: float, colour: str = style.INK) -> dict[str, Any]:
    """A font whose size is given in points."""
    return {"size": size * PIXELS, "color": colour}


def far_labels(panel: Panel, place: Place) -> list[dict[str, Any]]:
    """Texts beyond the far end of each tick."""
    found = []
    for which, axis in (("x", panel.x), ("y", panel.y)):
        for tick, text in zip(axis.ticks or (), axis.far_labels or (), strict=False):
            found.append(_far_label(which, tick, text, place))
    return found


def _far_label(which: str, tick: float, text: str, place: Place) -> dict[str, Any]:
    x, y = place.key("x"), place.key("y")
    at = {"x": 1, "xref": f"{x} domain", "xanchor": "left", "y": tick, "yref": y, "yanchor": "middle"}
    if which == "x":
        at = {"x": tick, "xref": x, "xanchor": "center", "y": 1, "yref": f"{y} domain", "yanchor": "bottom"}
    said = {"text": literal(text), "showarrow": False, "align": "left", "font": font(style.TICK_SIZE)}
    return at | said | {"name": "far", "xshift": 8 if which == "y" else 0}


def scene(panel: Panel3, place: Place) -> dict[str, Any]:
    """Three axes that turn; the eye is where matplotlib's is."""
    elevation, azimuth = math.radians(ELEVATION), math.radians(AZIMUTH)
    eye = {
        "x": DISTANCE * math.cos(elevation) * math.cos(azimuth),
        "y": DISTANCE * math.cos(elevation) * math.sin(azimuth),
        "z": DISTANCE * math.sin(elevation),
    }
    scene = {
        "domain": {"x": list(place.x), "y": list(place.y)},
        "aspectmode": "cube",
        "camera": {"eye": eye, "center": {"x": 0, "y": 0, "z": -0.06}},
        **{
            f"{name}axis": _solid_axis(axis)
            for name, axis in zip("xyz", (panel.x, panel.y, panel.z), strict=True)
        },
    }
    return {place.key("scene"): scene}


def _solid_axis(axis: Axis) -> dict[str, Any]:
    drawn = {
        "title": {"text": solid_literal(axis.label), "font": font(style.LABEL_SIZE)},
        "gridcolor": style.GRID,
        "linecolor": style.SOFT_INK,
        "zeroline": False,
        "showbackground": False,
        "nticks": style.TICKS - 2,
        "tickfont": font(style.TICK_SIZE),
    }
    return drawn | _range(axis) | _ticks(axis)
