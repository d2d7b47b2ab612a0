"""A picture as a plotly figure: an interactive one for notebooks, plain JSON for the report."""

from __future__ import annotations

from typing import Any

from rocscope.draw import style
from rocscope.draw.figure import ROW, figure_size
from rocscope.draw.plotly_axes import Place
from rocscope.draw.plotly_limits import limits
from rocscope.draw.plotly_panel import (
    CHARACTER,
    GAP,
    LINE,
    axis_height,
    legend_height,
    margins,
    panel_parts,
)
from rocscope.draw.plotly_style import PIXELS, wrapped
from rocscope.views.marks import Panel, Panel3, Picture

INCH = 96.0  # pixels
# Buttons of plotly's toolbar that send a chart to a service, by their names in all its versions.
SENDING = ("sendChartToCloud", "sendDataToCloud", "editInChartStudio")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"


def plotly(picture: Picture) -> Any:
    """Draw a picture with plotly, which shows numbers under the pointer and zooms; three axes turn.

    Parameters
    ----------
    picture
        What `views.picture` returns.

    Returns
    -------
    plotly.graph_objects.Figure
        With one pair of axes, or one scene, for each panel.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import views
    >>> figure = plotly(views.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> figure.data[1].name, figure.data[1].y
    ('AUC = 0.75', (0.0, 0.5, 0.5, 1.0, 1.0))
    """
    from plotly.graph_objects import Figure

    return Figure(figure_json(picture))


def figure_json(picture: Picture) -> dict[str, Any]:
    """Return a picture as `{"data": traces, "layout": layout}` of plain Python.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import views
    >>> drawn = figure_json(views.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
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
