"""Results in a notebook: a small table of each, and the page on which its points can be moved."""

from __future__ import annotations

import html
import os
import re
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rocscope.core.result import Result
from rocscope.plotting.files import encoded
from rocscope.reporting.contents import sections_of
from rocscope.reporting.html import Html, element
from rocscope.reporting.page import check_page_path, page_of, write_page
from rocscope.reporting.sections import Item, Section, Table
from rocscope.reporting.tables import columns_table
from rocscope.reporting.topics.curves import explored
from rocscope.reporting.topics.folds import index_of, roc_of
from rocscope.reporting.topics.plain import TABULAR

# Rows of a table that is shown whole, and those that are shown of a longer one.
MOST_ROWS, SHOWN_ROWS = 20, 10
NUMBER = re.compile(r"\d+\.\d{3,}")  # as texts and tables write values
LONG = 15  # characters of a cell that is no name
HEIGHT = 900  # pixels of the page in a notebook


def result_html(result: Result) -> str:
    """Return a result as its text with what it warns of, and the first rows of its numbers, all escaped.

    Lines of the text that are rows of the table are left to the table.

    Examples
    --------
    >>> from rocscope.core.result import TestResult
    >>> test = TestResult(name="<b>", method="t", statistic=1.0, df=None, p_value=0.5)
    >>> result_html(test)[:47]
    '<div><pre>&lt;b&gt;: statistic 1, p = 0.5 (t, t'
    """
    table = columns_table(result, named=str)  # the names that `frame()` has
    if table is not None:
        table = _first_rows(table)
    lines = str(result).splitlines()
    if table is not None:
        lines = _beside(lines, table)
    warnings = [text for text in getattr(result, "warnings", ()) if not any(text in line for line in lines)]
    text = "\n".join([*lines, *(f"note: {text}" for text in warnings)])
    return element("div", element("pre", text) if text else None, _rows(result, table))


def _first_rows(table: Table) -> Table | None:
    """All rows of a short table, the first of a long one; a single row is told by the text."""
    if len(table.rows) < 2:
        return None
    return table if len(table.rows) <= MOST_ROWS else replace(table, rows=table.rows[:SHOWN_ROWS])


def _beside(lines: Sequence[str], table: Table) -> list[str]:
    """The lines of a text that are not rows of a table beside it."""
    rows = [(_numbers(" ".join(row)), [cell for cell in row if len(cell) > LONG]) for row in table.rows]

    def is_row(line: str) -> bool:
        numbers = _numbers(line)
        return any((numbers and numbers <= own) or any(cell in line for cell in cells) for own, cells in rows)

    repeated = [is_row(line) for line in lines]
    if sum(repeated) < 2:  # a number of the text that is one of the table too
        repeated = [False] * len(lines)
    return [
        line for line, again in zip(lines, repeated, strict=True) if not again and not TABULAR.search(line)
    ]


def _numbers(text: str) -> set[str]:
    """The values in a text, however many decimals it gives them."""
    return {number.rstrip("0") for number in NUMBER.findall(text)}


def _rows(result: Result, table: Table | None) -> Html | None:
    """The first rows of a table."""
    if table is None:
        return None
    head = element("tr", [element("th", name) for name in table.header])
    rows = [element("tr", [element("td", text) for text in row]) for row in table.rows]
    left = len(next(iter(result.columns().values()))) - len(rows)
    more = element("p", f"{left} more rows: frame()") if left else None
    return element("div", element("table", element("thead", head), element("tbody", rows)), more)


@dataclass(frozen=True, slots=True, repr=False)
class Page:
    """A page of HTML that a notebook shows; elsewhere `show()` opens a browser, `save(path)` keeps it."""

    html: str

    def __repr__(self) -> str:
        return f"Page of {len(self.html) / 1e6:.1f} MB: show() opens it in a browser, save(path) writes it"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, where its policy holds and no style of the notebook does."""
        look = f"width: 100%; height: {HEIGHT}px; border: 0"
        return f'<iframe style="{look}" sandbox="allow-scripts" srcdoc="{html.escape(self.html)}"></iframe>'

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the page to a file, which appears whole or not at all."""
        return write_page(self.html, check_page_path(path, force))

    def show(self) -> None:
        """Open the page in the browser of this machine, from a temporary file."""
        handle, name = tempfile.mkstemp(prefix="rocscope-", suffix=".html")
        with os.fdopen(handle, "wb") as file:
            file.write(encoded(self.html))
        webbrowser.open(Path(name).as_uri())


def explore(result: Any) -> Page:
    """Return the page on which the operating points of a result are explored; of others the report.

    Examples
    --------
    >>> import rocscope as rs
    >>> explore(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])).html[:15]
    '<!DOCTYPE html>'
    """
    return Page(page_of(_sections(result), title=None, made=str(result).partition("\n")[0]))


def _sections(result: Any) -> list[Section]:
    """The explorer alone, or with the panels that it is linked to; without points the report."""
    found = _explorer(result)
    return found if found and not found[0].payload.get("panels") else sections_of([Item(None, result)])


def _explorer(result: Any) -> list[Section]:
    from rocscope.core.curve import RocCurve

    averaged = roc_of(result)
    if isinstance(result, RocCurve):
        return explored(result, None)
    return [] if averaged is None else explored(averaged, None, start=index_of(result))
