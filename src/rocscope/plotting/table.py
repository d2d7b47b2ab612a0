"""Picture of a result that has only numbers to show: its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocscope.core.formatting import in_words, shortened
from rocscope.core.result import Result
from rocscope.plotting.marks import Axis, Mark, Panel, Picture, Text

SHOWN_ROWS = 20
# Longer texts lose their middle.
MOST_CHARACTERS = 48
GAP = 3  # characters between two columns


def table_picture(result: Result) -> Picture:
    """Show the rows of `columns()`; a single row stands upright, one line for each value it has.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = table_picture(rs.power(0.8, n_pos=20, n_neg=20)).panels[0]
    >>> shown.title, shown.y.tick_labels[:2], [mark.text for mark in shown.marks[:2]]
    ('Study plan', ('question', 'n pos'), ['one area', '20'])
    """
    columns = {str(name): list(values) for name, values in result.columns().items()}
    names = [name.replace("_", " ") for name in columns]
    rows = list(zip(*columns.values(), strict=True))
    title = in_words(type(result))
    if len(rows) == 1:
        known = {name: cell(value) for name, value in zip(names, rows[0], strict=True) if value is not None}
        return _picture(list(known), [[text] for text in known.values()], header=(), title=title)
    if len(rows) > SHOWN_ROWS:
        title = f"{title}: the first {SHOWN_ROWS} of {len(rows)} rows"
    cells = [[cell(value) for value in row] for row in rows[:SHOWN_ROWS]]
    return _picture([row[0] for row in cells], [row[1:] for row in cells], header=names, title=title)


def cell(value: Any) -> str:
    """A value of a table as a short text.

    Examples
    --------
    >>> [cell(value) for value in (0.123456, None, True, 20, "a name")]
    ['0.1235', '-', 'yes', '20', 'a name']
    """
    if value is None:
        return "-"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    text = f"{value:.4g}" if isinstance(value, (float, np.floating)) else " ".join(str(value).split())
    return shortened(text, MOST_CHARACTERS)


def _picture(
    names: Sequence[str], cells: Sequence[Sequence[str]], *, header: Sequence[str], title: str
) -> Picture:
    """Texts in columns that are as wide as their longest text, in shares of the width of all."""
    heads = list(header[1:]) or [""] * len(cells[0])
    widths = [max(map(len, column)) + GAP for column in zip(heads, *cells, strict=True)]
    places = np.concatenate([[0.0], np.cumsum(widths)])
    lines = [heads, *cells] if header else cells
    first = -1 if header else 0
    marks: list[Mark] = [
        Text(x=float(x), y=float(row + first), text=text, role="note")
        for row, line in enumerate(lines)
        for x, text in zip(places[:-1], line, strict=True)
    ]
    panel = Panel(
        marks=tuple(marks),
        x=Axis(low=0.0, high=float(places[-1]), ticks=(), grid=False),
        y=Axis(
            low=len(cells) - 0.5,
            high=first - 0.5,
            ticks=tuple(float(row + first) for row in range(len(lines))),
            tick_labels=(*header[:1], *names),
            grid=False,
        ),
        title=title,
    )
    return Picture(panels=(panel,))
