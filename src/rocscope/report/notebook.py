"""Results in a notebook: a small table of each, and the page on which its points can be moved."""

from __future__ import annotations

import html
import os
import tempfile
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rocscope.core.result import Result
from rocscope.draw.files import encoded
from rocscope.report.contents import sections_of
from rocscope.report.items import Item
from rocscope.report.safety import Html, element
from rocscope.report.sections import Section
from rocscope.report.tables import columns_table
from rocscope.report.topics.explored import explored
from rocscope.report.topics.folds import roc_of
from rocscope.report.write import check_page_path, page_of, write_page

SHOWN_ROWS = 10
HEIGHT = 900  # pixels of the page in a notebook


def result_html(result: Result) -> str:
    """Return a result as its text and the first rows of its numbers, all escaped.

    Examples
    --------
    >>> from rocscope.core.result import TestResult
    >>> test = TestResult(name="<b>", method="t", statistic=1.0, df=None, p_value=0.5)
    >>> result_html(test)[:47]
    '<div><pre>&lt;b&gt;: statistic 1, p = 0.5 (t, t'
    """
    return element("div", element("pre", str(result)), _table(result))


def _table(result: Result) -> Html | None:
    """The first rows; nothing for a single one, which the text tells."""
    table = columns_table(result, named=str)  # the names that `frame()` has
    if table is None or len(table.rows) < 2:
        return None
    head = element("tr", [element("th", name) for name in table.header])
    rows = [element("tr", [element("td", text) for text in row]) for row in table.rows[:SHOWN_ROWS]]
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
    return [] if averaged is None else explored(averaged, None)
