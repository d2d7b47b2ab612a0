"""The axes of a panel in plotly's layout: two, or three that turn, with what is written along them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from rocscope.core.characters import shortened
from rocscope.draw import style
from rocscope.draw.plotly_limits import limits
from rocscope.draw.plotly_style import PIXELS, literal, solid_literal, wrapped
from rocscope.draw.solid import AZIMUTH, ELEVATION
from rocscope.views.marks import Axis, Panel, Panel3

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
