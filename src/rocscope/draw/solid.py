"""A panel of three axes, in matplotlib's perspective."""

from __future__ import annotations

from typing import Any

from rocscope.draw import style
from rocscope.draw.artists import literal
from rocscope.draw.shown import beside, remember
from rocscope.errors import RocInputError
from rocscope.views.marks import Axis, Panel, Panel3, Points3

# From where one looks: three axes that rise from the near corner, the origin at the far end.
ELEVATION, AZIMUTH = 22.0, 38.0
TICKS = 5
# How much of its place the box fills; the rest is for labels and legend.
ZOOM = 0.92
# Points between axis and label: the numbers of an axis in perspective stand beside it, not below.
LABEL_PAD = 8.0


def projection(panel: Panel) -> dict[str, str]:
    """Keywords of `add_subplot` for a panel."""
    return {"projection": "3d"} if isinstance(panel, Panel3) else {}


def fill_solid(panel: Panel3, ax: Any) -> None:
    """Draw a panel on axes of three dimensions."""
    if not hasattr(ax, "set_zlabel"):
        raise RocInputError(
            "ax must be of three dimensions (projection='3d') for this picture, got a flat one"
        )
    panel = beside(panel, ax)
    remember(panel, ax, [_add(mark, ax) for mark in panel.marks])
    for axis, drawn, name in ((panel.x, ax.xaxis, "x"), (panel.y, ax.yaxis, "y"), (panel.z, ax.zaxis, "z")):
        _dress(axis, drawn, getattr(ax, f"set_{name}label"))
        if (axis.low, axis.high) != (None, None):
            getattr(ax, f"set_{name}lim")(axis.low, axis.high)
    ax.view_init(elev=ELEVATION, azim=AZIMUTH)
    ax.set_box_aspect((1, 1, 0.9), zoom=ZOOM)
    if panel.title:
        ax.set_title(literal(panel.title), size=style.TITLE_SIZE, color=style.INK)
    if panel.legend is not None:
        ax.legend(loc="upper left" if panel.legend == "below" else panel.legend, **style.LEGEND)


def _add(mark: Any, ax: Any) -> Any:
    if not isinstance(mark, Points3):
        raise NotImplementedError(f"no drawing in three dimensions for a mark of type {type(mark).__name__}")
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    return ax.plot(
        mark.x,
        mark.y,
        mark.z,
        linestyle="none",
        marker=look.marker,
        markersize=look.size,
        markerfacecolor=colour if look.filled else style.PAPER,
        markeredgecolor=colour,
        markeredgewidth=look.width,
        alpha=look.alpha,
        zorder=look.order,
        label=None if mark.label is None else literal(mark.label),
    )[0]


def _dress(axis: Axis, drawn: Any, set_label: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    set_label(literal(axis.label), size=style.LABEL_SIZE, color=style.INK, labelpad=LABEL_PAD)
    drawn.set_tick_params(labelsize=style.TICK_SIZE, color=style.SOFT_INK, labelcolor=style.INK)
    drawn.set_major_locator(MaxNLocator(nbins=TICKS))
    drawn.set_pane_color((1.0, 1.0, 1.0, 1.0))
    drawn.line.set_color(style.SOFT_INK)
    drawn._axinfo["grid"].update(color=style.GRID, linewidth=0.9)  # matplotlib has no other door to it
