"""How a picture looks: one table from roles to colours, lines and markers.

The colours are those of Okabe and Ito (Color universal design, 2008), which people with any kind of
colour vision can distinguish; yellow, too light for a line, is left out and black is kept for chance.
Beyond six series the dashes change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from rocscope.plotting.marks import Role

PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
Dash: TypeAlias = str | tuple[float, tuple[float, ...]]
SERIES_DASHES: tuple[Dash, ...] = ("-", (0, (5, 1.5)), (0, (5, 1.5, 1, 1.5)), (0, (1, 1)))
COLOUR_MAP = "viridis"
SIGNED = ("#D55E00", "#FFFFFF", "#0072B2")  # of negative and positive numbers
LIGHTEST = 0.9  # of the scale, for a line: beyond it is yellow

INK = "#222222"
SOFT_INK = "#555555"
GRID = "#E4E4E4"
PAPER = "#FFFFFF"

TITLE_SIZE = 10.0
LABEL_SIZE = 9.5
TICK_SIZE = 8.5
TEXT_SIZE = 8.0
LINE_SPACING = 1.35
LEGEND_WIDTH = 56  # characters of a line
TITLE_WIDTH = 64
TICKS = 7  # at most so many steps on an axis that has no ticks of its own
ELEVATION, AZIMUTH = 22.0, 38.0  # from where one looks at three axes, in degrees

LEGEND: dict[str, Any] = {
    "fontsize": TEXT_SIZE,
    "frameon": True,
    "framealpha": 0.9,
    "edgecolor": "none",
    "facecolor": PAPER,
    "borderaxespad": 0.4,
    "borderpad": 0.3,
    "handlelength": 2.2,
    "labelspacing": 0.35,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The style of a role; a colour of None is that of the series, a dash of None likewise."""

    colour: str | None = None
    width: float = 1.0
    dash: Dash | None = "-"
    alpha: float = 1.0
    marker: str = "o"
    size: float = 5.0
    filled: bool = True
    order: float = 3.0


LOOKS: dict[Role, Look] = {
    "curve": Look(width=1.8, dash=None, order=4),
    "hull": Look(width=1.0, dash=(0, (4, 2)), alpha=0.8, order=3.5),
    "fold": Look(width=0.8, alpha=0.4, order=3),
    "chance": Look(colour="#000000", width=1.0, dash="--", order=2.5),
    "band": Look(width=0.0, alpha=0.2, order=2),
    "interval": Look(width=0.9, alpha=0.6, order=3.5),
    "point": Look(width=0.0, size=3.5, order=4.5),
    "selected": Look(width=1.2, size=7.5, order=6),
    "operating-point": Look(colour="#D55E00", width=2.4, marker="x", size=9.0, order=6),
    "indistinguishable": Look(width=1.2, size=6.5, filled=False, order=5),
    "estimate": Look(width=1.6, marker="s", size=5.5, order=4),
    "count": Look(width=0.6, alpha=0.45, order=2),
    "cells": Look(width=0.0, order=1),
    # On the colours of a map, which no theme changes.
    "cell-text": Look(colour="#1A1A1A", order=7),
    "cell-text-light": Look(colour="#FAFAFA", order=7),
    "reference": Look(colour=SOFT_INK, width=0.9, dash=(0, (3, 2)), order=2),
    "leader": Look(width=0.8, order=5),
    "note": Look(colour=INK, order=7),
}


def colour(role: Role, series: int) -> str:
    """Colour of a role in a series.

    Examples
    --------
    >>> colour("curve", 1), colour("chance", 1)
    ('#D55E00', '#000000')
    """
    return LOOKS[role].colour or PALETTE[series % len(PALETTE)]


def dash(role: Role, series: int) -> Dash:
    """Dashes of a role in a series: solid for the first six curves.

    Examples
    --------
    >>> dash("curve", 5), dash("curve", 6)
    ('-', (0, (5, 1.5)))
    """
    own = LOOKS[role].dash
    return own if own is not None else SERIES_DASHES[series // len(PALETTE) % len(SERIES_DASHES)]
