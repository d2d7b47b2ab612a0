"""Each mark as matplotlib artists on one pair of axes."""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocscope.draw import style
from rocscope.views.marks import (
    Band,
    Bars,
    ErrorBars,
    HeatMap,
    Line,
    Mark,
    Points,
    ReferenceLine,
    ShadedLine,
    Text,
    Values,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
