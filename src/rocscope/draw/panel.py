"""A panel on one pair of matplotlib axes: marks, axes, grid and legend."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from rocscope.draw import style
from rocscope.draw.artists import add, literal
from rocscope.draw.shown import artists_on, beside, remember
from rocscope.views.marks import Axis, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def fill(panel: Panel, ax: Axes) -> None:
    """Draw a panel on axes; what the axes already hold stays, also in the legend."""
    panel = beside(panel, ax)
    artists = [add(mark, ax) for mark in panel.marks]
    _set_limits(panel, ax)
    _dress(panel, ax)
    remember(panel, ax, artists, far=_add_far_labels(panel, ax))
    if panel.legend is not None:
        _add_legend(panel, ax)


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
    drawn = panel.x.ticks != ()  # an axis without ticks is none: the panel is a table of texts
    for side in ("left", "bottom"):
        ax.spines[side].set(color=style.SOFT_INK, linewidth=0.8, visible=drawn)
    ax.tick_params(
        labelsize=style.TICK_SIZE, length=3 * drawn, width=0.8, color=style.SOFT_INK, labelcolor=style.INK
    )
    ax.set_axisbelow(True)
    _set_ticks(panel.x, ax.xaxis)
    _set_ticks(panel.y, ax.yaxis)


def _set_ticks(axis: Axis, drawn: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    locator = drawn.get_major_locator()
    if axis.ticks is None and isinstance(locator, MaxNLocator):  # the user's axes may be logarithmic
        locator.set_params(nbins=style.TICKS)
    if axis.ticks is not None:
        labels = None if axis.tick_labels is None else list(map(literal, axis.tick_labels))
        drawn.set_ticks(axis.ticks, labels=labels)
    drawn.grid(axis.grid, **({"color": style.GRID, "linewidth": 0.6} if axis.grid else {}))


def _add_far_labels(panel: Panel, ax: Axes) -> list[Any]:
    """Write on the opposite sides and return the axes that carry the texts."""
    added = []
    if panel.x.far_labels is not None:
        added.append(_far_axis(panel.x, ax.secondary_xaxis("top"), "x"))
    if panel.y.far_labels is not None:
        added.append(_far_axis(panel.y, ax.secondary_yaxis("right"), "y"))
    return added


def _far_axis(axis: Axis, far: Any, which: str) -> Any:
    far.set_ticks(axis.ticks, labels=list(map(literal, axis.far_labels or ())))
    far.tick_params(axis=which, labelsize=style.TICK_SIZE, length=0, labelcolor=style.INK)
    for spine in far.spines.values():
        spine.set_visible(False)
    return far


def _add_legend(panel: Panel, ax: Axes) -> None:
    from matplotlib.legend_handler import HandlerTuple

    entries = _entries(ax)
    if not entries:
        return
    place: dict[str, Any] = {"loc": panel.legend}
    if panel.legend == "below":
        ax.set_anchor("N")  # a square that does not fill its place leaves the rest to the legend
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": _under(panel, ax)}
    handles, labels = zip(*entries, strict=True)
    colours = {tuple: HandlerTuple(ndivide=None)}  # of an entry that stands for marks of several colours
    legend = ax.legend(handles, list(map(wrapped, labels)), handler_map=colours, **style.LEGEND, **place)
    legend.set_zorder(8)


def _entries(ax: Axes) -> list[tuple[Any, str]]:
    """What the legend shows, in the order of drawing; our marks of one label have one entry together."""
    ours = artists_on(ax)
    labelled = list(zip(*ax.get_legend_handles_labels(), strict=True))
    # matplotlib leaves out labels that begin with an underscore; names of classifiers may do so.
    labelled += [
        (artist, literal(mark.label)) for mark, artist in ours if mark.label and mark.label[0] == "_"
    ]
    order = {id(artist): place for place, artist in enumerate(ax.get_children())}
    labelled.sort(key=lambda pair: min(order.get(id(part), len(order)) for part in _parts(pair[0])))
    grouped: dict[Any, list[Any]] = {}
    known = {id(artist) for _, artist in ours}
    for handle, label in labelled:
        owner = None if id(handle) in known else id(handle)
        grouped.setdefault((label, owner), []).append(handle)
    return [(tuple(many) if len(many) > 1 else many[0], label) for (label, _), many in grouped.items()]


def _parts(handle: Any) -> list[Any]:
    """The artists of a container, or the artist itself."""
    from matplotlib.container import Container

    return handle.get_children() if isinstance(handle, Container) else [handle]


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
