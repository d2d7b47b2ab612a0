"""Forest plots: one row per estimate, its interval, and the figures beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocscope.views.marks import Axis, ErrorBars, Mark, Panel, Picture, Points, ReferenceLine, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: its name, its numbers (None where undefined), the text on its right, its colour's series."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    figures: str
    series: int = 0


def forest(
    rows: Sequence[Row],
    *,
    label: str,
    reference: float | None,
    title: str = "",
    limits: tuple[float | None, float | None] = (None, None),
    margins: Sequence[float] = (),
) -> Picture:
    """Rows from top to bottom over one axis, with a line at the reference value and at margins around it."""
    marks: list[Mark] = [ReferenceLine(axis="x", at=end, role="interval", series=1) for end in margins]
    if reference is not None:
        marks.append(ReferenceLine(axis="x", at=reference, role="reference"))
    for series in sorted({row.series for row in rows}):
        marks += _marks(rows, series)
    names = Axis(
        low=len(rows) - 0.5,
        high=-0.5,
        ticks=tuple(map(float, range(len(rows)))),
        tick_labels=tuple(row.name for row in rows),
        far_labels=tuple(row.figures for row in rows),
        grid=False,
    )
    along = Axis(label=label, low=limits[0], high=limits[1])
    return Picture(panels=(Panel(marks=tuple(marks), x=along, y=names, title=title),))


def _marks(rows: Sequence[Row], series: int) -> list[Mark]:
    """Bars and points of the rows of one colour."""
    kept = [(k, row) for k, row in enumerate(rows) if row.series == series]
    x, low, high = (_column([getattr(row, end) for _, row in kept]) for end in ("value", "low", "high"))
    y = np.array([float(k) for k, _ in kept])
    return [
        ErrorBars(x=x, y=y, x_low=low, x_high=high, role="estimate", series=series),
        Points(x=x, y=y, role="estimate", series=series),
    ]


def _column(values: Sequence[float | None]) -> Values:
    return np.array([np.nan if value is None else value for value in values])
