"""A panel on one pair of matplotlib axes: marks, axes, grid and legend."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from rocscope.draw import style
from rocscope.draw.artists import add, literal
from rocscope.views.marks import Axis, HeatMap, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def fill(panel: Panel, ax: Axes) -> None:
    """Draw a panel on axes; what the axes already hold stays, also in the legend."""
    handles = dict(zip(*reversed(ax.get_legend_handles_labels()), strict=True))
    for mark in panel.marks:
        artist = add(mark, ax)
        if mark.label is not None and not isinstance(mark, HeatMap):
            handles[literal(mark.label)] = artist
    _set_limits(panel, ax)
    _dress(panel, ax)
    if panel.legend is not None and handles:
        _add_legend(panel, ax, handles)


def _set_limits(panel: Panel, ax: Axes) -> None:
    """Set the ends that are given; an axis without any stays free to grow."""
    if (panel.x.low, panel.x.high) != (None, None):
        ax.set_xlim(panel.x.low, panel.x.high)
    if (panel.y.low, panel.y.high) != (None, None):
        ax.set_ylim(panel.y.low, panel.y.high)


def _dress(panel: Panel, ax: Axes) -> None:
    if panel.equal_aspect:
        ax.set_aspect("equal", adjustable="box")
    ax.set_xlabel(literal(panel.x.label), size=style.LABEL_SIZE, color=style.INK)
    ax.set_ylabel(literal(panel.y.label), size=style.LABEL_SIZE, color=style.INK)
    if panel.title:
        ax.set_title(literal(titled(panel.title)), size=style.TITLE_SIZE, color=style.INK)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set(color=style.SOFT_INK, linewidth=0.8)
    ax.tick_params(labelsize=style.TICK_SIZE, length=3, width=0.8, color=style.SOFT_INK, labelcolor=style.INK)
    ax.set_axisbelow(True)
    _set_ticks(panel.x, ax.xaxis)
    _set_ticks(panel.y, ax.yaxis)
    _add_far_labels(panel, ax)


def _set_ticks(axis: Axis, drawn: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    locator = drawn.get_major_locator()
    if axis.ticks is None and isinstance(locator, MaxNLocator):  # the user's axes may be logarithmic
        locator.set_params(nbins=style.TICKS)
    if axis.ticks is not None:
        labels = None if axis.tick_labels is None else list(map(literal, axis.tick_labels))
        drawn.set_ticks(axis.ticks, labels=labels)
    drawn.grid(axis.grid, **({"color": style.GRID, "linewidth": 0.6} if axis.grid else {}))


def _add_far_labels(panel: Panel, ax: Axes) -> None:
    if panel.x.far_labels is not None:
        _set_far_ticks(panel.x, ax.secondary_xaxis("top"), "x")
    if panel.y.far_labels is not None:
        _set_far_ticks(panel.y, ax.secondary_yaxis("right"), "y")


def _set_far_ticks(axis: Axis, far: Any, which: str) -> None:
    far.set_ticks(axis.ticks, labels=list(map(literal, axis.far_labels or ())))
    far.tick_params(axis=which, labelsize=style.TICK_SIZE, length=0, labelcolor=style.INK)
    for spine in far.spines.values():
        spine.set_visible(False)


def _add_legend(panel: Panel, ax: Axes, handles: dict[str, Any]) -> None:
    place: dict[str, Any] = {"loc": panel.legend}
    if panel.legend == "below":
        ax.set_anchor("N")  # a square that does not fill its place leaves the rest to the legend
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": _under(panel, ax)}
    legend = ax.legend(list(handles.values()), list(map(wrapped, handles)), **style.LEGEND, **place)
    legend.set_zorder(8)


def wrapped(label: str) -> str:
    """Break the line of a long legend entry.

    Examples
    --------
    >>> print(wrapped("a name that somebody wrote in full, with all that it means (AUC = 0.73)"))
    a name that somebody wrote in full, with all that it
    means (AUC = 0.73)
    """
    return label if len(label) <= style.LEGEND_WIDTH else textwrap.fill(label, style.LEGEND_WIDTH)


def titled(title: str) -> str:
    """Break the long lines of a title; its own line ends stay.

    Examples
    --------
    >>> print(titled("Pairs of classes: no average, 3 of 6 pairs are undefined: class 3 has no member"))
    Pairs of classes: no average, 3 of 6 pairs are undefined: class
    3 has no member
    """
    return "\n".join(textwrap.fill(line, style.TITLE_WIDTH) for line in title.splitlines())


def _under(panel: Panel, ax: Axes) -> Any:
    """Coordinates of the axes, moved down past tick labels and axis label."""
    from matplotlib.transforms import ScaledTranslation

    lines = panel.x.label.count("\n") + 1
    points = 2 * style.TICK_SIZE + lines * style.LINE_SPACING * style.LABEL_SIZE
    return ax.transAxes + ScaledTranslation(0, -points / 72, ax.figure.dpi_scale_trans)
