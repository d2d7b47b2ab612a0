"""Forest plots: one row per estimate, its interval, and the figures beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocscope.views.marks import Axis, ErrorBars, Mark, Panel, Picture, Points, ReferenceLine, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: its name, its numbers (None where undefined) and the text on its right."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    figures: str


def forest(rows: Sequence[Row], *, label: str, reference: float | None, title: str = "") -> Picture:
    """Rows from top to bottom over one axis, with a line at the reference value."""
    x, low, high = (_column([getattr(row, end) for row in rows]) for end in ("value", "low", "high"))
    y = np.arange(len(rows), dtype=np.float64)
    marks: list[Mark] = [
        ErrorBars(x=x, y=y, x_low=low, x_high=high, role="estimate"),
        Points(x=x, y=y, role="estimate"),
    ]
    if reference is not None:
        marks.insert(0, ReferenceLine(axis="x", at=reference, role="reference"))
    names = Axis(
        low=len(rows) - 0.5,
        high=-0.5,
        ticks=tuple(y.tolist()),
        tick_labels=tuple(row.name for row in rows),
        far_labels=tuple(row.figures for row in rows),
        grid=False,
    )
    return Picture(panels=(Panel(marks=tuple(marks), x=Axis(label=label), y=names, title=title),))


def _column(values: Sequence[float | None]) -> Values:
    return np.array([np.nan if value is None else value for value in values])
