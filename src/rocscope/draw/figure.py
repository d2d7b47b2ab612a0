"""A picture as a matplotlib figure, on the user's axes or on new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import numpy as np

from rocscope.draw import style
from rocscope.draw.artists import literal
from rocscope.draw.panel import fill, titled, wrapped
from rocscope.draw.shown import shown_on
from rocscope.draw.solid import fill_solid, projection
from rocscope.errors import RocInputError
from rocscope.views.marks import HeatMap, Panel, Panel3, Picture

if TYPE_CHECKING:
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
        What `views.picture` returns.
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
    >>> from rocscope import views
    >>> from matplotlib.figure import Figure
    >>> curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> ax = matplotlib(views.picture(curve), ax=Figure().add_subplot())
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
        raise RocInputError(f"ax must hold one axes per panel ({len(picture.panels)}), got {len(axes)}")
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
