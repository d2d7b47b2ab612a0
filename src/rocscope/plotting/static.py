"""A picture as a matplotlib figure, on the user's axes or on new ones."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from weakref import WeakKeyDictionary, WeakSet, ref

import numpy as np

from rocscope.core import checks
from rocscope.core.files import replace_file
from rocscope.errors import RocInputError
from rocscope.plotting import layout, marks
from rocscope.plotting.joined import joined

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes

# Three axes in perspective: the share of its place that the box fills, and the points between axis and
# label, for the numbers of such an axis stand beside it.
SOLID_TICKS, ZOOM, LABEL_PAD = 5, 0.92, 8.0
SLANTED_HEIGHT = 0.42  # of a character in a slanted text, in sizes of the font
SLANTED = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"}  # names side by side
Style: TypeAlias = Literal["rocscope"] | None


def matplotlib(
    picture: marks.Picture,
    *,
    ax: Any = None,
    style: Style = "rocscope",
    colors: Sequence[Any] = (),
    line: Mapping[str, Any] | None = None,
) -> Any:
    """Draw a picture with matplotlib.

    Parameters
    ----------
    picture
        What `plotting.picture` returns.
    ax
        Axes to draw on: one, or as many as there are panels. Labels, title and ends that they have stay.
        Without it a new figure is made by pyplot, so that a notebook shows it; pyplot is not touched
        otherwise.
    style
        "rocscope": our own look, whatever the settings of matplotlib are; None: that of the settings
        (rcParams), colours by their cycle.
    colors
        Colours of the curves, in their order; None leaves one as it is.
    line
        Keywords of matplotlib for the lines of the curves, such as `linewidth` or `label`.

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
    from matplotlib.colors import is_color_like

    if style not in ("rocscope", None):
        raise RocInputError(f"must be 'rocscope' or None, got {checks.show(style)}", argument="style")
    for color in colors:
        if color is not None and not is_color_like(color):
            raise RocInputError(f"must be a colour of matplotlib, got {checks.show(color)}", argument="color")
    keywords = line_keywords(line or {}, name="line_kw")
    look = Look(ours=style is not None, colours=dict(enumerate(colors)), line=keywords)
    if ax is not None:
        axes = np.array(ax, dtype=object).ravel()
        if len(axes) != len(picture.panels):
            raise RocInputError(
                f"must hold one axes per panel ({len(picture.panels)}), got {len(axes)}", argument="ax"
            )
        for one in axes:
            if not hasattr(one, "get_xlim"):
                raise RocInputError(f"must be axes of matplotlib, got {checks.show(one)}", argument="ax")
        return _fill_all(picture, axes, look)
    from matplotlib import pyplot as plt
    from matplotlib import style as sheets

    # pyplot may load its backend here, which in a notebook turns the interactive mode on: settings that
    # were restored around this call would turn it off again.
    if not look.ours:
        alone = len(picture.panels) == 1
        return draw_on(plt.figure(figsize=None if alone else layout.figure_size(picture)), picture, look)
    figure = plt.figure(
        figsize=layout.figure_size(picture), facecolor=marks.PAPER, edgecolor=marks.PAPER, frameon=True
    )
    _OURS.add(figure)
    with sheets.context("default"):
        return draw_on(figure, picture, look)


def line_keywords(line: Mapping[str, Any], *, name: str) -> dict[str, Any]:
    """Check keywords of a line and return them with their full names."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.lines import Line2D

    try:
        known: dict[str, Any] = normalize_kwargs(dict(line), Line2D)
        Line2D([], [], **known)
    except (AttributeError, TypeError, ValueError) as error:
        message = f"must be keywords of a line of matplotlib, got {checks.show(line)}: {error}"
        raise RocInputError(message, argument=name) from error
    return known


def draw_on(figure: Any, picture: marks.Picture, look: Look) -> Any:
    """Draw every panel of a picture on an empty figure and return the axes."""
    if look.ours or figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained", w_pad=layout.PAD, h_pad=layout.PAD)
    rows = -(-len(picture.panels) // picture.columns)
    axes = np.empty(len(picture.panels), dtype=object)
    for k, panel in enumerate(picture.panels):
        solid = {"projection": "3d"} if isinstance(panel, marks.Panel3) else {}
        axes[k] = figure.add_subplot(rows, picture.columns, k + 1, **solid)
    if picture.title:
        figure.suptitle(literal(picture.title), **look.text(marks.TITLE_SIZE + 1))
    return _fill_all(picture, axes, look)


def _fill_all(picture: marks.Picture, axes: Any, look: Look) -> Any:
    """Draw each panel on its axes; a figure of ours that has one grows with what is added."""
    for panel, ax in zip(picture.panels, axes, strict=True):
        earlier = drawn_on(ax)
        fill(panel, ax, look)
        now = drawn_on(ax)
        if earlier is not None and now is not None and len(axes) == 1 and ax.figure in _OURS:
            more = np.subtract(layout.panel_size(now.panel), layout.panel_size(earlier.panel))
            ax.figure.set_size_inches(ax.figure.get_size_inches() + np.maximum(more, 0))
    return axes[0] if len(axes) == 1 else axes


# ---- What is drawn on axes, so that a second result takes the next colours and repeats nothing ------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """A panel with one artist for each of its marks, and the axes that carry its far labels."""

    panel: marks.Panel
    artists: Sequence[Any]
    far: Sequence[Any]


# Figures that were made here, not by the user.
_OURS: WeakSet[Any] = WeakSet()
# Artists know their axes, so that a strong reference to them would keep both for ever.
_DRAWN: WeakKeyDictionary[Any, Drawn] = WeakKeyDictionary()


def drawn_on(ax: Any) -> Drawn | None:
    """The panel on axes, with those of its marks that nobody has removed; None on axes without any."""
    kept = _DRAWN.get(ax)
    if kept is None:
        return None
    pairs = zip(kept.panel.marks, (artist() for artist in kept.artists), strict=True)
    left = [(mark, artist) for mark, artist in pairs if getattr(artist, "axes", None) is ax]
    if not left:
        return None
    left_marks, artists = zip(*left, strict=True)
    return Drawn(replace(kept.panel, marks=left_marks), artists, [far() for far in kept.far])


# ---- How marks look: as ours, or by the settings of matplotlib --------------------------------------------


@dataclass(frozen=True, slots=True)
class Look:
    """How one call draws: in our own look or by rcParams, with colours of series and keywords of curves."""

    ours: bool = True
    colours: Mapping[int, Any] = field(default_factory=dict)
    line: Mapping[str, Any] = field(default_factory=dict)

    def on(self, ax: Any, panel: marks.Panel) -> Look:
        """Return the look for the marks of a panel: colours in their order, else those of the axes' cycle."""
        free = (mark.series for mark in panel.marks if marks.LOOKS[mark.role].colour is None)
        colours = dict[int, Any]()
        for place, series in enumerate(sorted(set(free))):
            colour = self.colours.get(place)
            if colour is None and not self.ours:
                (scout,) = ax.plot([], [])
                colour = scout.get_color()
                scout.remove()
            if colour is not None:
                colours[series] = colour
        return replace(self, colours=colours)

    def text(self, size: float, role: marks.Role = "note", series: int = 0) -> dict[str, Any]:
        """Size and colour of a text."""
        return {"size": size, "color": marks.colour(role, series)} if self.ours else {}

    def colour(self, mark: marks.Mark) -> Any:
        """Colour of a mark; what is black on our paper has the settings' colour of texts."""
        from matplotlib import rcParams

        fixed = marks.LOOKS[mark.role].colour
        if fixed is not None:
            return fixed if self.ours or fixed not in marks.INKS else rcParams["text.color"]
        return self.colours.get(mark.series, marks.colour(mark.role, mark.series))

    def stroke(self, mark: marks.Mark) -> dict[str, Any]:
        """Keywords of a line."""
        look, keywords = marks.LOOKS[mark.role], dict[str, Any]()
        keywords |= {"color": self.colour(mark), "alpha": look.alpha, "zorder": look.order}
        if self.ours or mark.role != "curve":
            keywords |= {"linestyle": marks.dash(mark.role, mark.series), "linewidth": look.width}
        return keywords

    def fill(self, mark: marks.Mark) -> dict[str, Any]:
        """Keywords of an area."""
        look = marks.LOOKS[mark.role]
        colour = self.colour(mark)
        return {"facecolor": colour, "alpha": look.alpha, "linewidth": look.width, "zorder": look.order}

    def paper(self, ax: Any) -> Any:
        """The ground on which marks stand."""
        return marks.PAPER if self.ours else ax.get_facecolor()


OURS = Look()


def fill(panel: marks.Panel, ax: Any, look: Look = OURS) -> None:
    """Draw a panel on axes; what the axes already hold stays, also in the legend."""
    if isinstance(panel, marks.Panel3):
        if not hasattr(ax, "set_zlabel"):
            raise RocInputError(
                "must be of three dimensions (projection='3d') for this picture, got a flat one",
                argument="ax",
            )
        flat = [type(mark).__name__ for mark in panel.marks if not isinstance(mark, marks.Points3)]
        if flat:
            raise NotImplementedError(f"no drawing in three dimensions for a mark of type {flat[0]}")
    earlier = drawn_on(ax)
    if earlier is not None:
        for axes in earlier.far:  # the new far labels hold both
            if axes is not None and axes in ax.child_axes:
                axes.remove()
        panel = joined(earlier.panel, panel)
    users = _Users(ax, None if earlier is None else earlier.panel)
    look = look.on(ax, panel)
    artists = [add(mark, ax, look) for mark in panel.marks]
    far = _dress_solid(panel, ax) if isinstance(panel, marks.Panel3) else _dress(panel, ax, look, users)
    if panel.title and not users.title:
        ax.set_title(_title(panel), **look.text(marks.TITLE_SIZE))
    # A container of bars cannot be referred to weakly: its first bar stands for it, the axes for none at all.
    new = [ref(next(iter(artist), ax) if isinstance(artist, tuple) else artist) for artist in artists]
    if earlier is not None:
        panel = replace(panel, marks=(*earlier.panel.marks, *panel.marks))
        new = [*map(ref, earlier.artists), *new]
    _DRAWN[ax] = Drawn(panel, new, list(map(ref, far)))
    if panel.legend is not None:
        _add_legend(panel, ax, look)


# ---- Axes, grid and legend --------------------------------------------------------------------------------


def _title(panel: marks.Panel) -> str:
    return literal(layout.wrapped(panel.title, marks.TITLE_WIDTH))


class _Users:
    """What axes have of the user's own, and keep: a title, and of each axis its label and its ends."""

    def __init__(self, ax: Any, earlier: marks.Panel | None) -> None:
        self.title = ax.get_title() not in ("", "" if earlier is None else _title(earlier))
        self.label, self.ends = dict[str, bool](), dict[str, Any]()
        for name in "xy":
            axis: marks.Axis | None = getattr(earlier, name, None)
            label, ends = (getattr(ax, f"get_{name}{what}")() for what in ("label", "lim"))
            self.label[name] = label not in ("", "" if axis is None else literal(axis.label))
            # Ends that a neighbour shares may be ours there.
            shared = len(getattr(ax, f"get_shared_{name}_axes")().get_siblings(ax)) > 1
            kept = axis is not None and ends == (axis.low, axis.high)
            free = getattr(ax, f"get_autoscale{name}_on")()
            self.ends[name] = None if free or shared or kept else ends


def _dress(panel: marks.Panel, ax: Any, look: Look, users: _Users) -> list[Any]:
    """Set ends, ticks, texts and lines of both axes; return the axes on the far sides that carry texts."""
    if panel.equal_aspect and not any(users.ends.values()):
        ax.set_aspect("equal", adjustable="box")
    lines = panel.x.ticks != ()  # an axis without ticks is none: the panel is a table of texts
    if look.ours:
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        for side in ("left", "bottom"):
            ax.spines[side].set(color=marks.SOFT_INK, linewidth=0.8, visible=lines)
        ax.tick_params(
            labelsize=marks.TICK_SIZE, length=3 * lines, width=0.8, color=marks.SOFT_INK, labelcolor=marks.INK
        )
        ax.set_axisbelow(True)
    for name in "xy":
        _set_axis(panel, name, ax, look, users)
    added = []
    if panel.x.far_labels is not None:
        added.append((ax.secondary_xaxis("top"), "x", panel.x))
    if panel.y.far_labels is not None:
        added.append((ax.secondary_yaxis("right"), "y", panel.y))
    for far, name, axis in added:
        far.set_ticks(axis.ticks, labels=list(map(literal, axis.far_labels or ())))
        far.tick_params(axis=name, labelsize=marks.TICK_SIZE, length=0, labelcolor=marks.INK)
        for spine in far.spines.values():
            spine.set_visible(False)
    return [far for far, *_ in added]


def _set_axis(panel: marks.Panel, name: str, ax: Any, look: Look, users: _Users) -> None:
    from matplotlib.ticker import MaxNLocator

    axis, drawn = getattr(panel, name), getattr(ax, f"{name}axis")
    if (axis.low, axis.high) != (None, None) and users.ends[
        name
    ] is None:  # one without ends stays free to grow
        getattr(ax, f"set_{name}lim")(axis.low, axis.high)
    if not users.label[name]:
        getattr(ax, f"set_{name}label")(literal(axis.label), **look.text(marks.LABEL_SIZE))
    locator = drawn.get_major_locator()
    if axis.ticks is None and look.ours and isinstance(locator, MaxNLocator):  # not of a logarithmic axis
        locator.set_params(nbins=marks.TICKS)
    if axis.ticks is not None and (users.ends[name] is None or axis.tick_labels is not None):
        labels = None if axis.tick_labels is None else list(map(literal, axis.tick_labels))
        slanted = SLANTED if name == "x" and layout.crowded(panel) else {}
        drawn.set_ticks(axis.ticks, labels=labels, **slanted)
    if users.ends[name] is not None:  # ticks beyond them would move them
        getattr(ax, f"set_{name}lim")(users.ends[name])
    if look.ours:
        drawn.grid(axis.grid, **({"color": marks.GRID, "linewidth": 0.6} if axis.grid else {}))


def _dress_solid(panel: marks.Panel3, ax: Any) -> list[Any]:
    """Set ends, texts and lines of three axes in perspective, which have no far side."""
    from matplotlib.ticker import MaxNLocator

    for name in "xyz":
        axis, drawn = getattr(panel, name), getattr(ax, f"{name}axis")
        set_label = getattr(ax, f"set_{name}label")
        set_label(literal(axis.label), size=marks.LABEL_SIZE, color=marks.INK, labelpad=LABEL_PAD)
        drawn.set_tick_params(labelsize=marks.TICK_SIZE, color=marks.SOFT_INK, labelcolor=marks.INK)
        drawn.set_major_locator(MaxNLocator(nbins=SOLID_TICKS))
        drawn.set_pane_color((1.0, 1.0, 1.0, 1.0))
        drawn.line.set_color(marks.SOFT_INK)
        drawn._axinfo["grid"].update(color=marks.GRID, linewidth=0.9)  # matplotlib has no other door to it
        if (axis.low, axis.high) != (None, None):
            getattr(ax, f"set_{name}lim")(axis.low, axis.high)
    ax.view_init(elev=marks.ELEVATION, azim=marks.AZIMUTH)
    ax.set_box_aspect((1, 1, 0.9), zoom=ZOOM)
    return []


def _add_legend(panel: marks.Panel, ax: Any, look: Look) -> None:
    """One entry per label of ours, and those of the user; in the order of drawing."""
    from matplotlib.container import Container
    from matplotlib.legend_handler import HandlerTuple
    from matplotlib.transforms import ScaledTranslation

    drawn = drawn_on(ax)
    ours = [] if drawn is None else list(zip(drawn.panel.marks, drawn.artists, strict=True))
    entries = list(zip(*ax.get_legend_handles_labels(), strict=True))
    # matplotlib leaves out labels that begin with an underscore; names of classifiers may do so.
    entries += [(artist, literal(mark.label)) for mark, artist in ours if mark.label and mark.label[0] == "_"]
    if not entries:
        return
    order = {id(artist): place for place, artist in enumerate(ax.get_children())}
    grouped: dict[Any, list[Any]] = {}
    places: dict[Any, int] = {}
    known = {id(artist) for _, artist in ours}
    for handle, label in entries:
        key = (label, None if id(handle) in known else id(handle))
        parts = handle.get_children() if isinstance(handle, Container) else [handle]
        grouped.setdefault(key, []).append(handle)
        places[key] = min([places.get(key, len(order)), *(order.get(id(part), len(order)) for part in parts)])
    keys = sorted(grouped, key=places.__getitem__)
    handles = [tuple(grouped[key]) if len(grouped[key]) > 1 else grouped[key][0] for key in keys]
    place: dict[str, Any] = {"loc": panel.legend} if look.ours else {}
    if isinstance(panel, marks.Panel3) and panel.legend == "below":
        place = {"loc": "upper left"}
    elif panel.legend == "below":
        ax.set_anchor("N")  # a square that does not fill its place leaves the rest to the legend
        # Past tick labels and axis label.
        lines = panel.x.label.count("\n") + 1
        slanted = SLANTED_HEIGHT * layout.crowded(panel)
        points = (2 + slanted) * marks.TICK_SIZE + lines * marks.LINE_SPACING * marks.LABEL_SIZE
        under = ax.transAxes + ScaledTranslation(0, -points / 72, ax.figure.dpi_scale_trans)
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": under}
    colours = {tuple: HandlerTuple(ndivide=None)}  # of an entry that stands for marks of several colours
    labels = [layout.wrapped(label, marks.LEGEND_WIDTH) for label, _ in keys]
    own = marks.LEGEND if look.ours else {}
    ax.legend(handles, labels, handler_map=colours, **own, **place).set_zorder(8)


def renew_legend(ax: Any, style: Style = None) -> None:
    """Write the legend of our marks again after some were removed."""
    drawn = drawn_on(ax)
    if drawn is not None and drawn.panel.legend is not None:
        _add_legend(drawn.panel, ax, Look(ours=style is not None))


def literal(text: str) -> str:
    r"""Write a text so that matplotlib shows it as it is: `$` opens no formula.

    Examples
    --------
    >>> print(literal("between $1 and $2"))
    between \$1 and \$2
    """
    return text.replace("$", r"\$")


# ---- Each mark as matplotlib artists on one pair of axes --------------------------------------------------


@singledispatch
def add(mark: marks.Mark, ax: Any, look: Look = OURS) -> Any:
    """Draw a mark and return the artist that stands for it in a legend."""
    raise NotImplementedError(f"no drawing for a mark of type {type(mark).__name__}")


@add.register
def _(mark: marks.Line, ax: Any, look: Look = OURS) -> Any:
    keywords = {"solid_joinstyle": "round", **look.stroke(mark), **_label(mark)}
    if mark.role == "curve":
        keywords |= look.line
    return ax.plot(mark.x, mark.y, **keywords)[0]


@add.register
def _(mark: marks.ShadedLine, ax: Any, look: Look = OURS) -> Any:
    from matplotlib import colormaps

    colour = colormaps[marks.COLOUR_MAP](mark.shade * marks.LIGHTEST)
    stroke = look.stroke(mark) | {"color": colour, "linestyle": "-"}
    return ax.plot(mark.x, mark.y, **stroke, solid_joinstyle="round", **_label(mark))[0]


@add.register
def _(mark: marks.Points, ax: Any, look: Look = OURS) -> Any:
    role, colour = marks.LOOKS[mark.role], look.colour(mark)
    solid = isinstance(mark, marks.Points3)
    places = (mark.x, mark.y, mark.z) if isinstance(mark, marks.Points3) else (mark.x, mark.y)
    return ax.plot(
        *places,
        color=colour,  # or the cycle of the axes moves on
        linestyle="none",
        marker=role.marker,
        markersize=role.size,
        markerfacecolor=colour if role.filled else look.paper(ax),
        markeredgecolor=look.paper(ax) if mark.role == "selected" and not solid else colour,
        markeredgewidth=role.width,
        alpha=role.alpha,
        zorder=role.order,
        **_label(mark),
    )[0]


@add.register
def _(mark: marks.Band, ax: Any, look: Look = OURS) -> Any:
    return ax.fill_between(mark.x, mark.low, mark.high, **look.fill(mark), **_label(mark))


@add.register
def _(mark: marks.ErrorBars, ax: Any, look: Look = OURS) -> Any:
    """Draw bars as plain segments: an estimate may lie outside of its interval."""
    from matplotlib.collections import LineCollection

    bars = [np.column_stack(bar) for bar in mark.outlines()]
    ends = np.concatenate([np.empty((0, 2)), *bars])
    ax.update_datalim(ends[np.isfinite(ends).all(axis=1)])
    ax.autoscale_view()
    # Infinite ends run far out of the panel, which cuts them at its edge.
    limits = np.array([ax.get_xlim(), ax.get_ylim()])
    with np.errstate(over="ignore"):
        reach = 100 * np.abs(limits[:, 1] - limits[:, 0])
        low, high = limits.min(axis=1) - reach, limits.max(axis=1) + reach
    bars = [np.where(np.isinf(bar), np.clip(bar, low, high), bar) for bar in bars]
    return ax.add_collection(LineCollection(bars, **look.stroke(mark), **_label(mark)), autolim=False)


@add.register
def _(mark: marks.Bars, ax: Any, look: Look = OURS) -> Any:
    keywords = {"align": "edge", **look.fill(mark), "edgecolor": look.paper(ax), **_label(mark)}
    if mark.horizontal:
        return ax.barh(mark.low, mark.length, height=mark.high - mark.low, **keywords)
    return ax.bar(mark.low, mark.length, width=mark.high - mark.low, **keywords)


@add.register
def _(mark: marks.HeatMap, ax: Any, look: Look = OURS) -> Any:
    """Draw the cells, undefined ones in grey, and their colour scale."""
    from matplotlib.colors import LinearSegmentedColormap

    ax.set_facecolor(marks.GRID)
    values, order = np.ma.masked_invalid(mark.values), marks.LOOKS[mark.role].order
    scale = LinearSegmentedColormap.from_list("signed", marks.SIGNED) if mark.signed else marks.COLOUR_MAP
    keywords = {"vmin": mark.low, "vmax": mark.high, "cmap": scale, "zorder": order}
    cells = ax.pcolormesh(mark.x_edges, mark.y_edges, values, **keywords)
    bar = ax.figure.colorbar(cells, ax=ax, pad=0.02)
    if look.ours:
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=marks.TICK_SIZE, length=2, color=marks.SOFT_INK)
    bar.set_label(literal(mark.label or ""), **({"size": marks.LABEL_SIZE} if look.ours else {}))
    return cells


@add.register
def _(mark: marks.ReferenceLine, ax: Any, look: Look = OURS) -> Any:
    line = ax.axvline if mark.axis == "x" else ax.axhline
    return line(mark.at, **look.stroke(mark), **_label(mark))


@add.register
def _(mark: marks.Text, ax: Any, look: Look = OURS) -> Any:
    """Write on a patch of paper, so that a line below does not run through the letters; in a cell without."""
    patch = {"boxstyle": "square,pad=0.1", "facecolor": look.paper(ax), "edgecolor": "none", "alpha": 0.85}
    return ax.text(
        mark.x,
        mark.y,
        literal(mark.text),
        ha=mark.horizontal,
        va="center_baseline" if mark.vertical == "center" else mark.vertical,  # as tick labels, line by line
        size=marks.TEXT_SIZE if look.ours else "small",
        color=look.colour(mark),
        zorder=marks.LOOKS[mark.role].order,
        bbox=None if mark.role.startswith("cell-text") else patch,
    )


def _label(mark: marks.Mark) -> dict[str, Any]:
    return {} if mark.label is None else {"label": literal(mark.label)}


# ---- Pictures as files: written whole or not at all, and the same bytes for the same picture --------------

# The entries that would carry a date or a version into the file, by format.
METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
# Names inside an SVG come from this instead of chance; type 42 keeps the text of a PDF editable.
SETTINGS = {"svg.hashsalt": "rocscope", "pdf.fonttype": 42}


def save(
    picture: marks.Picture,
    path: str | os.PathLike[str],
    *,
    size: tuple[float, float] | None = None,
    dpi: float = 200,
) -> None:
    """Write a picture to a PNG, SVG or PDF file, as the ending says.

    The file appears complete or not at all. pyplot is not used.

    Parameters
    ----------
    picture
        What `plotting.picture` returns.
    path
        The file; one of the same name is replaced.
    size
        Width and height in inches; without it what the picture needs.
    dpi
        Dots per inch of a PNG.

    Examples
    --------
    >>> import tempfile
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(plotting.picture(curve), f"{folder}/curve.svg")
    """
    from matplotlib import style as sheets
    from matplotlib.figure import Figure

    target, named = checks.as_path(path), checks.show(os.fspath(path))
    kind = target.suffix.lower().lstrip(".")
    if kind not in METADATA:
        raise RocInputError(f"must end in .png, .svg or .pdf, got {named}", argument="path")
    if not target.parent.is_dir():
        raise RocInputError(f"must lie in an existing folder, got {named}", argument="path")
    try:
        width, height = layout.figure_size(picture) if size is None else size
    except (TypeError, ValueError):
        raise RocInputError(
            f"must be a pair (width, height), got {checks.show(size)}", argument="size"
        ) from None
    for number, name in ((width, "size[0]"), (height, "size[1]"), (dpi, "dpi")):
        checks.check_number(number, name=name, low=0)
    content = io.BytesIO()
    with sheets.context(["default", SETTINGS]):
        figure = Figure(figsize=(width, height))
        draw_on(figure, picture, OURS)
        figure.savefig(content, format=kind, dpi=dpi, metadata=METADATA[kind])
    replace_file(target, content.getvalue())
