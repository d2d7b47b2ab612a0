"""A picture as a plotly figure: an interactive one for notebooks, plain JSON for the report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocscope.core.formatting import shortened
from rocscope.errors import require
from rocscope.plotting import marks, plotly_traces, static, style
from rocscope.plotting.layout import limits

INCH = 96.0  # pixels
# Buttons of plotly's toolbar that send a chart to a service, by their names in all its versions.
SENDING = ("sendChartToCloud", "sendDataToCloud", "editInChartStudio")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
LINE = 17.0  # pixels from one line of text to the next
CHARACTER = 6.3
GAP = 12.0
AXIS = 46.0  # pixels of tick labels and axis label, below and on the left
TITLE_WIDTH, LABEL_WIDTH, TICK_WIDTH = 60, 48, 48  # characters of a line
DISTANCE = 2.35  # of the eye, in sides of the cube
CORNERS = {"left": 0.01, "right": 0.99, "lower": 0.01, "upper": 0.99}


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
    width, height = (INCH * inches for inches in static.figure_size(picture))
    first, several = picture.panels[0], len(picture.panels) > 1
    # Several panels have their margins inside their places.
    around: dict[str, float] = {"l": 0, "r": 0, "t": 0, "b": 0} if several else margins(first)
    around["t"] += LINE * 1.6 if picture.title else 0.0
    layout: dict[str, Any] = {
        "paper_bgcolor": style.PAPER,
        "plot_bgcolor": style.PAPER,
        "font": {"family": FONT, "color": style.INK},
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
        text = {
            "text": plotly_traces.wrapped(picture.title, 80),
            "font": plotly_traces.font(style.TITLE_SIZE + 1),
        }
        layout["title"] = text | {"x": 0.5, "y": 0.99}
    columns = min(picture.columns, len(picture.panels))
    rows = -(-len(picture.panels) // columns)
    cell = (width / columns, (height - around["t"]) / rows)
    data, shapes, notes = list[Any](), list[Any](), list[Any]()
    for k, panel in enumerate(picture.panels):
        place = Place()
        if several:
            place = _place(
                panel, k, at=(k % columns, rows - 1 - k // columns), cell=cell, count=(columns, rows)
            )
        parts, entries = _panel_parts(panel, place)
        data += parts.traces
        shapes += parts.shapes
        notes += parts.annotations
        layout |= entries
    return {"data": data, "layout": layout | {"shapes": shapes, "annotations": notes}}


def _kind(panel: marks.Panel) -> dict[str, Any]:
    """What a page must know to give a panel its height: its shape, its rows, its legend."""
    _, y_ends = limits(panel)
    shape = "square" if panel.equal_aspect else "wide"
    if isinstance(panel, marks.Panel3):
        shape = "solid"
    elif panel.y.far_labels is not None:
        shape = "table"
    return {
        "shape": shape,
        "rows": abs(y_ends[1] - y_ends[0]) if shape == "table" else 0,
        "row": static.ROW * INCH,
        "legend": 0 if panel.legend is None else legend_height(panel),
    }


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


def _panel_parts(panel: marks.Panel, place: Place) -> tuple[plotly_traces.Drawn, dict[str, Any]]:
    """Traces, shapes and annotations of a panel, and its entries of the layout."""
    if isinstance(panel, marks.Panel3):
        frame, entries = plotly_traces.Frame(x=place.key("scene")), _scene(panel, place)
    else:
        x_ends, y_ends = limits(panel)
        frame = plotly_traces.Frame(x=place.key("x"), y=place.key("y"), x_ends=x_ends, y_ends=y_ends)
        entries = _flat_axes(panel, place, frame)
    parts = plotly_traces.Drawn()
    for mark in panel.marks:
        drawn = plotly_traces.draw(mark, frame)
        parts.traces.extend(drawn.traces)
        parts.shapes.extend(drawn.shapes)
        parts.annotations.extend(drawn.annotations)
    # Entries of the legend have the order of the marks.
    for rank, entry in enumerate([*parts.traces, *parts.shapes], start=1):
        if "showlegend" in entry:
            entry["showlegend"] = entry["showlegend"] and panel.legend is not None
            if entry["showlegend"]:
                entry |= {"legend": place.key("legend"), "legendrank": rank}
    for trace in parts.traces:
        _finish_trace(trace, panel, place)
    parts.traces.sort(key=lambda trace: style.LOOKS[trace["meta"]["role"]].order)
    parts.annotations.extend(_far_labels(panel, place))
    if panel.title:
        shift = LINE if panel.x.far_labels is not None else 0
        at = {"x": sum(place.x) / 2, "xref": "paper", "xanchor": "center", "y": place.y[1], "yref": "paper"}
        text = {
            "text": plotly_traces.wrapped(panel.title, TITLE_WIDTH),
            "showarrow": False,
            "font": plotly_traces.font(style.TITLE_SIZE),
        }
        parts.annotations.append(at | text | {"yanchor": "bottom", "yshift": 6 + shift, "name": "title"})
    if panel.legend is not None:
        entries[place.key("legend")] = _legend(panel, place)
    return parts, entries


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
        lines.append(f"{plotly_traces.literal(short)}: %{{{key}:.4~g}}")
    if is_map:
        lines.append(f"{trace['colorbar']['title']['text']}: %{{z:.4~g}}")
    trace["hovertemplate"] = "<br>".join(lines) + f"<extra>{'' if is_map else trace['name']}</extra>"


def _legend(panel: marks.Panel, place: Place) -> dict[str, Any]:
    """Inside a corner of the panel, or below it."""
    look = {
        "font": plotly_traces.font(style.TEXT_SIZE),
        "bgcolor": style.PAPER,
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
    lines = plotly_traces.wrapped(panel.title, TITLE_WIDTH).count("<br>") + 1 if panel.title else 0
    top = GAP + LINE * lines + (LINE if panel.x.far_labels is not None else 0) + (6 if lines else 0)
    breaks = plotly_traces.wrapped(panel.y.label, LABEL_WIDTH).count("<br>")
    left = GAP if isinstance(panel, marks.Panel3) else AXIS + LINE * breaks
    bottom = axis_height(panel) + (legend_height(panel) if is_below(panel) else 0)
    return {"l": left, "r": right, "t": top, "b": bottom}


def axis_height(panel: marks.Panel) -> float:
    """Pixels of tick labels and axis label below a panel."""
    breaks = plotly_traces.wrapped(panel.x.label, LABEL_WIDTH).count("<br>")
    return GAP if isinstance(panel, marks.Panel3) else AXIS + LINE * breaks


def is_below(panel: marks.Panel) -> bool:
    """Whether the legend is under the panel: one that turns has no free corner."""
    return panel.legend is not None and (panel.legend == "below" or isinstance(panel, marks.Panel3))


def legend_height(panel: marks.Panel) -> float:
    """Pixels of all legend entries below each other."""
    labels = [
        mark.label for mark in panel.marks if mark.label is not None and not isinstance(mark, marks.HeatMap)
    ]
    return GAP + LINE * sum(plotly_traces.wrapped(label).count("<br>") + 1 for label in labels)


def _flat_axes(panel: marks.Panel, place: Place, frame: plotly_traces.Frame) -> dict[str, Any]:
    """Both axes of a panel, as entries of the layout."""
    axes = []
    for axis, ends, domain, anchor in (
        (panel.x, frame.x_ends, place.x, frame.y),
        (panel.y, frame.y_ends, place.y, frame.x),
    ):
        drawn: dict[str, Any] = {
            "title": {
                "text": plotly_traces.wrapped(axis.label, LABEL_WIDTH),
                "font": plotly_traces.font(style.LABEL_SIZE),
                "standoff": 8,
            },
            "showgrid": axis.grid,
            "gridcolor": style.GRID,
            "zeroline": False,
            "showline": True,
            "linecolor": style.SOFT_INK,
            "ticks": "outside",
            "ticklen": 4,
            "tickcolor": style.SOFT_INK,
            "tickfont": plotly_traces.font(style.TICK_SIZE),
            "nticks": style.TICKS,
            "automargin": True,
            "range": list(ends),
            "domain": list(domain),
            "anchor": anchor,
        }
        axes.append(drawn | _ticks(axis) | ({"constrain": "domain"} if panel.equal_aspect else {}))
    if panel.equal_aspect:
        axes[1] |= {"scaleanchor": frame.x, "scaleratio": 1}
    return {place.key("xaxis"): axes[0], place.key("yaxis"): axes[1]}


def _ticks(axis: marks.Axis) -> dict[str, Any]:
    if axis.ticks is None:
        return {}
    ticks: dict[str, Any] = {"tickmode": "array", "tickvals": list(axis.ticks)}
    if axis.tick_labels is not None:
        texts = (
            "\n".join(shortened(line, TICK_WIDTH) for line in text.splitlines()) for text in axis.tick_labels
        )
        ticks["ticktext"] = list(map(plotly_traces.literal, texts))
    return ticks


def _far_labels(panel: marks.Panel, place: Place) -> list[dict[str, Any]]:
    """Texts beyond the far end of each tick."""
    x, y, notes = place.key("x"), place.key("y"), list[dict[str, Any]]()
    look = {"showarrow": False, "align": "left", "font": plotly_traces.font(style.TICK_SIZE), "name": "far"}
    for tick, text in zip(panel.x.ticks or (), panel.x.far_labels or (), strict=False):
        at = {"x": tick, "xref": x, "xanchor": "center", "y": 1, "yref": f"{y} domain", "yanchor": "bottom"}
        notes.append(look | at | {"text": plotly_traces.literal(text), "xshift": 0})
    for tick, text in zip(panel.y.ticks or (), panel.y.far_labels or (), strict=False):
        at = {"x": 1, "xref": f"{x} domain", "xanchor": "left", "y": tick, "yref": y, "yanchor": "middle"}
        notes.append(look | at | {"text": plotly_traces.literal(text), "xshift": 8})
    return notes


def _scene(panel: marks.Panel3, place: Place) -> dict[str, Any]:
    """Three axes that turn; the eye is where matplotlib's is."""
    elevation, azimuth = math.radians(static.ELEVATION), math.radians(static.AZIMUTH)
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
            "title": {
                "text": plotly_traces.solid_literal(axis.label),
                "font": plotly_traces.font(style.LABEL_SIZE),
            },
            "gridcolor": style.GRID,
            "linecolor": style.SOFT_INK,
            "zeroline": False,
            "showbackground": False,
            "nticks": style.TICKS - 2,
            "tickfont": plotly_traces.font(style.TICK_SIZE),
        }
        if (axis.low, axis.high) != (None, None):
            drawn["range"] = [axis.low, axis.high]
        scene[f"{name}axis"] = drawn | _ticks(axis)
    return {place.key("scene"): scene}
