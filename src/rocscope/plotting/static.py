"""A picture as a matplotlib figure, on the user's axes or on new ones."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet, ref

import numpy as np
from numpy.typing import NDArray

from rocscope.errors import RocInputError
from rocscope.plotting import style
from rocscope.plotting.joined import SomePanel, joined
from rocscope.plotting.marks import (
    Axis,
    Band,
    Bars,
    ErrorBars,
    HeatMap,
    Line,
    Mark,
    Panel,
    Panel3,
    Picture,
    Points,
    Points3,
    ReferenceLine,
    ShadedLine,
    Text,
    Values,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SQUARE = (4.9, 4.9)  # inches of a panel
WIDE = (6.4, 4.0)
TABLE = (4.2, 0.75)  # besides its rows and texts
ROW = 0.36
TEXT_ROW = 0.75  # of a row without marks
NARROWEST = 3.5
TITLE = 0.22
CHARACTER = 0.075
LEGEND_ROW = 0.16
COLOUR_SCALE = 0.9
PAD = 0.08

# Figures that were made here, not by the user: they grow with what is added.
_OURS: WeakSet[Any] = WeakSet()


def matplotlib(picture: Picture, *, ax: Any = None) -> Any:
    """Draw a picture with matplotlib.

    Parameters
    ----------
    picture
        What `plotting.picture` returns.
    ax
        Axes to draw on: one, or as many as there are panels. Without it a new figure is made with
        `pyplot.subplots`, so that a notebook shows it; pyplot is not touched otherwise.

    Returns
    -------
    Axes or array of Axes
        The axes of the panel; for several panels an array with one for each.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> from matplotlib.figure import Figure
    >>> curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ax = matplotlib(plotting.picture(curve), ax=Figure().add_subplot())
    >>> ax.lines[1].get_label()
    'AUC = 0.75'
    """
    if ax is not None:
        return _fill_all(picture, _given_axes(picture, ax))
    from matplotlib import pyplot as plt
    from matplotlib import style as sheets

    # pyplot may load its backend here, which in a notebook turns the interactive mode on: settings that
    # were restored around this call would turn it off again.
    figure = plt.figure(
        figsize=figure_size(picture), facecolor=style.PAPER, edgecolor=style.PAPER, frameon=True
    )
    _OURS.add(figure)
    with sheets.context("default"):
        return draw_on(figure, picture)


def draw_on(figure: Figure, picture: Picture) -> Any:
    """Draw every panel of a picture on an empty figure and return the axes."""
    figure.set_layout_engine("constrained", w_pad=PAD, h_pad=PAD)
    rows = -(-len(picture.panels) // picture.columns)
    axes = np.empty(len(picture.panels), dtype=object)
    for k, panel in enumerate(picture.panels):
        axes[k] = figure.add_subplot(rows, picture.columns, k + 1, **projection(panel))
    if picture.title:
        figure.suptitle(literal(picture.title), size=style.TITLE_SIZE + 1, color=style.INK)
    return _fill_all(picture, axes)


def figure_size(picture: Picture) -> tuple[float, float]:
    """Inches that a picture needs, by the largest of its panels."""
    sizes = [_panel_size(panel) for panel in picture.panels]
    rows = -(-len(picture.panels) // picture.columns)
    width = max(size[0] for size in sizes) * min(picture.columns, len(sizes))
    return width, max(size[1] for size in sizes) * rows + (0.3 if picture.title else 0.0)


def _panel_size(panel: Panel) -> tuple[float, float]:
    width, height = SQUARE if panel.equal_aspect else WIDE
    if panel.y.far_labels is not None:
        width, height = _table_size(panel)
    if panel.x.ticks == ():
        width, height = _text_size(panel)
    if any(isinstance(mark, HeatMap) for mark in panel.marks):
        width += COLOUR_SCALE
    if panel.legend == "below":
        lines = [wrapped(mark.label).count("\n") + 1 for mark in panel.marks if mark.label is not None]
        height += LEGEND_ROW * sum(lines)
    return width, height


def _table_size(panel: Panel) -> tuple[float, float]:
    """Room for one row per tick, with its texts on both sides."""
    near, far = panel.y.tick_labels or (), panel.y.far_labels or ()
    lines = len(titled(panel.title).splitlines())
    return TABLE[0] + CHARACTER * (_widest(near) + _widest(far)), TABLE[1] + ROW * len(far) + TITLE * lines


def _text_size(panel: Panel) -> tuple[float, float]:
    """Room for a table that is all text: its x axis counts characters."""
    near = panel.y.tick_labels or ()
    lines = len(titled(panel.title).splitlines())
    width = CHARACTER * (_widest(near) + (panel.x.high or 0.0)) + 2 * PAD
    return max(width, NARROWEST), ROW * TEXT_ROW * len(near) + TITLE * (lines + 1)


def _widest(texts: Sequence[str]) -> int:
    """Characters of the longest line of several texts."""
    return max((len(line) for text in texts for line in text.splitlines()), default=0)


def _given_axes(picture: Picture, ax: Any) -> Any:
    axes = np.array(ax, dtype=object).ravel()
    if len(axes) != len(picture.panels):
        raise RocInputError(
            f"must hold one axes per panel ({len(picture.panels)}), got {len(axes)}", argument="ax"
        )
    return axes


def _fill_all(picture: Picture, axes: Any) -> Any:
    for panel, ax in zip(picture.panels, axes, strict=True):
        earlier = shown_on(ax)
        if isinstance(panel, Panel3):
            fill_solid(panel, ax)
        else:
            fill(panel, ax)
        if earlier is not None and len(axes) == 1 and ax.figure in _OURS:
            _grow(ax, earlier)
    return axes[0] if len(axes) == 1 else axes


def _grow(ax: Any, earlier: Panel) -> None:
    """Give a figure of one panel the inches that further rows and legend entries need."""
    before, after = (np.array(_panel_size(panel)) for panel in (earlier, shown_on(ax) or earlier))
    ax.figure.set_size_inches(ax.figure.get_size_inches() + np.maximum(after - before, 0))


# ---- A panel on one pair of matplotlib axes: marks, axes, grid and legend ---------------------------------


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


# ---- Each mark as matplotlib artists on one pair of axes --------------------------------------------------


def literal(text: str) -> str:
    r"""Write a text so that matplotlib shows it as it is: `$` opens no formula.

    Examples
    --------
    >>> print(literal("between $1 and $2"))
    between \$1 and \$2
    """
    return text.replace("$", r"\$")


@singledispatch
def add(mark: Mark, ax: Axes) -> Any:
    """Draw a mark and return the artist that stands for it in a legend."""
    raise NotImplementedError(f"no drawing for a mark of type {type(mark).__name__}")


@add.register(Line)
def _line(mark: Line, ax: Axes) -> Any:
    return ax.plot(mark.x, mark.y, **_stroke(mark), solid_joinstyle="round", **_label(mark))[0]


@add.register(ShadedLine)
def _shaded_line(mark: ShadedLine, ax: Axes) -> Any:
    from matplotlib import colormaps

    stroke = _stroke(mark) | {
        "color": colormaps[style.COLOUR_MAP](mark.shade * style.LIGHTEST),
        "linestyle": "-",
    }
    return ax.plot(mark.x, mark.y, **stroke, solid_joinstyle="round", **_label(mark))[0]


@add.register(Points)
def _points(mark: Points, ax: Axes) -> Any:
    look, colour = style.LOOKS[mark.role], style.colour(mark.role, mark.series)
    edge = style.PAPER if mark.role == "selected" else colour
    return ax.plot(
        mark.x,
        mark.y,
        linestyle="none",
        marker=look.marker,
        markersize=look.size,
        markerfacecolor=colour if look.filled else style.PAPER,
        markeredgecolor=edge,
        markeredgewidth=look.width,
        alpha=look.alpha,
        zorder=look.order,
        **_label(mark),
    )[0]


@add.register(Band)
def _band(mark: Band, ax: Axes) -> Any:
    return ax.fill_between(mark.x, mark.low, mark.high, **_fill(mark), **_label(mark))


@add.register(ErrorBars)
def _error_bars(mark: ErrorBars, ax: Axes) -> Any:
    """Draw bars as plain segments: an estimate may lie outside of its interval."""
    from matplotlib.collections import LineCollection

    lying = _bars_along(mark.x_low, mark.x_high, mark.y)
    standing = _bars_along(mark.y_low, mark.y_high, mark.x)
    bars = [*lying, *(bar[:, ::-1] for bar in standing)]
    ends = np.concatenate([np.empty((0, 2)), *bars])
    ax.update_datalim(ends[np.isfinite(ends).all(axis=1)])
    ax.autoscale_view()
    shown = [_to_edge(bar, ax) for bar in bars]
    return ax.add_collection(LineCollection(shown, **_stroke(mark), **_label(mark)), autolim=False)


def _bars_along(low: Values | None, high: Values | None, across: Values) -> list[NDArray[np.float64]]:
    """Segments [[low, across], [high, across]]; those with a missing number are left out."""
    if low is None or high is None:
        return []
    bars = np.stack([np.column_stack([low, across]), np.column_stack([high, across])], axis=1)
    return list(bars[~np.isnan(bars).any(axis=(1, 2))])


def _to_edge(bar: NDArray[np.float64], ax: Axes) -> NDArray[np.float64]:
    """Let infinite ends run far out of the panel, which cuts them at its edge."""
    limits = np.array([ax.get_xlim(), ax.get_ylim()])
    with np.errstate(over="ignore"):
        reach = 100 * np.abs(limits[:, 1] - limits[:, 0])
        far = np.clip(bar, limits.min(axis=1) - reach, limits.max(axis=1) + reach)
    return np.where(np.isinf(bar), far, bar)


@add.register(Bars)
def _bars(mark: Bars, ax: Axes) -> Any:
    drawn: dict[str, Any] = {"align": "edge", **_fill(mark), "edgecolor": style.PAPER, **_label(mark)}
    if mark.horizontal:
        return ax.barh(mark.low, mark.length, height=mark.high - mark.low, **drawn)
    return ax.bar(mark.low, mark.length, width=mark.high - mark.low, **drawn)


@add.register(HeatMap)
def _heat_map(mark: HeatMap, ax: Axes) -> Any:
    """Draw the cells, undefined ones in grey, and their colour scale."""
    ax.set_facecolor(style.GRID)
    cells = ax.pcolormesh(
        mark.x_edges,
        mark.y_edges,
        np.ma.masked_invalid(mark.values),
        vmin=mark.low,
        vmax=mark.high,
        cmap=style.COLOUR_MAP,
        zorder=style.LOOKS[mark.role].order,
    )
    scale = ax.figure.colorbar(cells, ax=ax, pad=0.02)
    scale.outline.set_visible(False)
    scale.ax.tick_params(labelsize=style.TICK_SIZE, length=2, color=style.SOFT_INK)
    scale.set_label(literal(mark.label or ""), size=style.LABEL_SIZE)
    return cells


@add.register(ReferenceLine)
def _reference_line(mark: ReferenceLine, ax: Axes) -> Any:
    line = ax.axvline if mark.axis == "x" else ax.axhline
    return line(mark.at, **_stroke(mark), **_label(mark))


@add.register(Text)
def _text(mark: Text, ax: Axes) -> Any:
    """Write on a patch of paper, so that a line below does not run through the letters."""
    return ax.text(
        mark.x,
        mark.y,
        literal(mark.text),
        ha=mark.horizontal,
        va="center_baseline" if mark.vertical == "center" else mark.vertical,  # as tick labels, line by line
        size=style.TEXT_SIZE,
        color=style.colour(mark.role, mark.series),
        zorder=style.LOOKS[mark.role].order,
        bbox={"boxstyle": "square,pad=0.1", "facecolor": style.PAPER, "edgecolor": "none", "alpha": 0.85},
    )


def _stroke(mark: Mark) -> dict[str, Any]:
    look = style.LOOKS[mark.role]
    return {
        "color": style.colour(mark.role, mark.series),
        "linestyle": style.dash(mark.role, mark.series),
        "linewidth": look.width,
        "alpha": look.alpha,
        "zorder": look.order,
    }


def _fill(mark: Mark) -> dict[str, Any]:
    look = style.LOOKS[mark.role]
    colour = style.colour(mark.role, mark.series)
    return {"facecolor": colour, "alpha": look.alpha, "linewidth": look.width, "zorder": look.order}


def _label(mark: Mark) -> dict[str, Any]:
    return {} if mark.label is None else {"label": literal(mark.label)}


# ---- A panel of three axes, in matplotlib's perspective ---------------------------------------------------

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
            "must be of three dimensions (projection='3d') for this picture, got a flat one", argument="ax"
        )
    panel = beside(panel, ax)
    remember(panel, ax, [_add(mark, ax) for mark in panel.marks])
    for axis, drawn, name in ((panel.x, ax.xaxis, "x"), (panel.y, ax.yaxis, "y"), (panel.z, ax.zaxis, "z")):
        _dress_solid(axis, drawn, getattr(ax, f"set_{name}label"))
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


def _dress_solid(axis: Axis, drawn: Any, set_label: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    set_label(literal(axis.label), size=style.LABEL_SIZE, color=style.INK, labelpad=LABEL_PAD)
    drawn.set_tick_params(labelsize=style.TICK_SIZE, color=style.SOFT_INK, labelcolor=style.INK)
    drawn.set_major_locator(MaxNLocator(nbins=TICKS))
    drawn.set_pane_color((1.0, 1.0, 1.0, 1.0))
    drawn.line.set_color(style.SOFT_INK)
    drawn._axinfo["grid"].update(color=style.GRID, linewidth=0.9)  # matplotlib has no other door to it


# -----------------------------------------------------------------------------------------------------------
# What we have drawn on axes, so that a second result can take the next colours and repeat nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A panel with one artist for each of its marks, and the axes that carry its far labels."""

    panel: Panel
    artists: tuple[ref[Any], ...]
    far: tuple[ref[Any], ...]


# Artists know their axes, so that a strong reference to them would keep both for ever.
_SHOWN: WeakKeyDictionary[Any, _Shown] = WeakKeyDictionary()


def shown_on(ax: Any) -> Panel | None:
    """The panel that axes show, with those of its marks that nobody has removed; None on axes without any."""
    shown = _SHOWN.get(ax)
    if shown is None:
        return None
    pairs = zip(shown.panel.marks, shown.artists, strict=True)
    left = [(mark, artist) for mark, artist in pairs if getattr(artist(), "axes", None) is ax]
    if not left:
        return None
    marks, artists = zip(*left, strict=True)
    _SHOWN[ax] = replace(shown, panel=replace(shown.panel, marks=marks), artists=artists)
    return _SHOWN[ax].panel


def artists_on(ax: Any) -> list[tuple[Mark, Any]]:
    """The marks that axes show, each with its artist."""
    panel = shown_on(ax)
    return [] if panel is None else [(m, a()) for m, a in zip(panel.marks, _SHOWN[ax].artists, strict=True)]


def beside(panel: SomePanel, ax: Any) -> SomePanel:
    """What a panel adds to axes; far labels of an earlier one are taken away, for the new ones hold both."""
    earlier = shown_on(ax)
    if earlier is None:
        return panel
    for far in _SHOWN[ax].far:
        axes = far()
        if axes is not None and axes in ax.child_axes:
            axes.remove()
    return joined(earlier, panel)


def remember(panel: Panel, ax: Any, artists: Iterable[Any], far: Iterable[Any] = ()) -> None:
    """Keep what was drawn on axes besides what they showed."""
    earlier = shown_on(ax)
    known = () if earlier is None else _SHOWN[ax].artists
    marks = () if earlier is None else earlier.marks
    # A container of bars cannot be referred to weakly: its first bar stands for it, the axes for none at all.
    new = [next(iter(artist), ax) if isinstance(artist, tuple) else artist for artist in artists]
    _SHOWN[ax] = _Shown(
        panel=replace(panel, marks=(*marks, *panel.marks)),
        artists=(*known, *map(ref, new)),
        far=tuple(map(ref, far)),
    )
