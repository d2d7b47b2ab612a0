"""A panel in plotly's layout: its axes, title, legend and margins."""

from __future__ import annotations

from typing import Any

from rocscope.draw import style
from rocscope.draw.plotly_axes import LABEL_WIDTH, Place, far_labels, flat_axes, font, scene
from rocscope.draw.plotly_limits import limits
from rocscope.draw.plotly_style import literal, wrapped
from rocscope.draw.plotly_traces import Drawn, Frame, draw
from rocscope.views.marks import Axis, HeatMap, Panel, Panel3

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
