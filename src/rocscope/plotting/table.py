"""Picture of a result that has only numbers to show: its table."""

from typing import Any

import numpy as np

from rocscope.core.formatting import class_title, shortened
from rocscope.core.result import Result
from rocscope.plotting.marks import Axis, Panel, Picture, Text

SHOWN_ROWS = 20
MOST_CHARACTERS = 48  # longer texts lose their middle
GAP = 3  # characters between two columns


def table_picture(result: Result) -> Picture:
    """Show the rows of `columns()`; a single row stands upright, one line for each value it has.

    Columns are as wide as their longest text; the x axis counts characters.

    Examples
    --------
    >>> import rocscope as rs
    >>> panel = table_picture(rs.power(0.8, n_pos=20, n_neg=20)).panels[0]
    >>> panel.title, panel.y.tick_labels[:2], [mark.text for mark in panel.marks[:2]]
    ('Study plan', ('question', 'n pos'), ['one area', '20'])
    """
    columns = {str(name): list(values) for name, values in result.columns().items()}
    header = [name.replace("_", " ") for name in columns]
    rows = list(zip(*columns.values(), strict=True))
    title = class_title(type(result))
    first = -1  # the header stands above the first row
    if len(rows) == 1:
        first = 0
        lines = [[name, cell(v)] for name, v in zip(header, rows[0], strict=True) if v is not None]
    else:
        if len(rows) > SHOWN_ROWS:
            title = f"{title}: the first {SHOWN_ROWS} of {len(rows)} rows"
        lines = [header, *([cell(value) for value in row] for row in rows[:SHOWN_ROWS])]
    names, *texts = zip(*lines, strict=True)
    places = np.cumsum([0.0, *(max(map(len, column)) + GAP for column in texts)]).tolist()
    at = tuple(float(row + first) for row in range(len(lines)))
    panel = Panel(
        marks=tuple(
            Text(x=x, y=y, text=text, role="note")
            for y, line in zip(at, lines, strict=True)
            for x, text in zip(places[:-1], line[1:], strict=True)
        ),
        x=Axis(low=0.0, high=places[-1], ticks=(), grid=False),
        y=Axis(low=at[-1] + 0.5, high=first - 0.5, ticks=at, tick_labels=names, grid=False),
        title=title,
    )
    return Picture(panels=(panel,))


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
