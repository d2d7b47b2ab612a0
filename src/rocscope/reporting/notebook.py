"""Results in a notebook: text, picture and small table of each, and the page on which points can be moved."""

from __future__ import annotations

import html
import os
import re
import tempfile
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rocscope.averaging.point_tests import IndifferenceRegion, PointComparison
from rocscope.averaging.roc import AveragedRoc
from rocscope.binormal.latent import LatentCurve
from rocscope.core.curve import RocCurve
from rocscope.core.files import encoded, replace_text
from rocscope.core.formatting import spelt
from rocscope.core.points import OperatingPoint
from rocscope.core.result import Result
from rocscope.errors import require
from rocscope.plotting import is_table, picture
from rocscope.plotting.svg import small_svg
from rocscope.reporting import explorer, page
from rocscope.reporting.sections import TABULAR, Section, column_table, read_items, sections_of
from rocscope.reporting.topics.classes import averaged_point

# Rows of a table that is shown whole, and those that are shown of a longer one.
MOST_ROWS, SHOWN_ROWS = 20, 10
NUMBER = re.compile(r"\d+\.\d{3,}")  # as texts and tables write values
LONG = 15  # characters of a cell that is no name
HEIGHT = 900  # pixels of the page in a notebook


def result_html(result: Result) -> str:
    """Return a result as its text with what it warns of, its picture, and the first rows of its numbers.

    All text is escaped. Lines of the text that are rows of the table are left to the table. A notebook shows
    what it can of a result that is broken: nothing is raised here.

    Examples
    --------
    >>> from rocscope.core.result import TestResult
    >>> test = TestResult(name="<b>", method="t", statistic=1.0, df=None, p_value=0.5)
    >>> result_html(test)[:47]
    '<div><pre>&lt;b&gt;: statistic 1, p = 0.5 (t, t'
    """
    try:
        lines = str(result).splitlines()
    except Exception as error:
        return f"<div><pre>{_escaped(f'{type(result).__name__} without a text: {error}')}</pre></div>"
    shown = ""
    try:
        table = column_table(result.columns(), named=str)
        if table is not None and len(table.rows) > 1:  # a single row is in the text
            rows = table.rows if len(table.rows) <= MOST_ROWS else table.rows[:SHOWN_ROWS]
            beside = _beside(lines, rows)
            head = "".join(f"<th>{_escaped(name)}</th>" for name in table.header)
            cells = ["".join(f"<td>{_escaped(cell)}</td>" for cell in row) for row in rows]
            body = "".join(f"<tr>{row}</tr>" for row in cells)
            more = (table.total or len(table.rows)) - len(rows)
            note = f"<p>{more} more rows: frame()</p>" if more else ""
            shown = f"<div><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}</div>"
            lines = beside
    except Exception:  # the text stands
        shown = ""
    text = _escaped("\n".join(lines))
    return f"<div>{f'<pre>{text}</pre>' if text else ''}{result_svg(result)}{shown}</div>"


def result_svg(result: Result) -> str:
    """Return the picture of a result as a small SVG; empty where it has none, or none that is quick.

    Examples
    --------
    >>> import rocscope as rs
    >>> result_svg(rs.auc([0, 0, 1, 1], [1, 3, 2, 4]))[:4], result_svg(rs.power(0.8, n_pos=20, n_neg=20))
    ('<svg', '')
    """
    if is_table(result):
        return ""
    # The intervals of a fitted curve can take longer than all the rest.
    options: dict[str, Any] = {"band": False} if isinstance(result, LatentCurve) else {}
    try:
        return small_svg(picture(result, **options))
    except Exception:
        return ""


def _escaped(text: str) -> str:
    """Untrusted text, without the templates of a report: a small installation has no template library."""
    return html.escape(spelt(text))


def _beside(lines: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a text that are not rows of the table beside it."""
    cells = [(_numbers(" ".join(row)), [cell for cell in row if len(cell) > LONG]) for row in rows]
    own = [line for line in lines if not TABULAR.search(line)]
    repeated = {
        line
        for line in own
        for numbers, texts in cells
        if (_numbers(line) and _numbers(line) <= numbers) or any(text in line for text in texts)
    }
    # One such line alone has a number that is one of the table too.
    return own if len(repeated) < 2 else [line for line in own if line not in repeated]


def _numbers(text: str) -> set[str]:
    """The values in a text, however many decimals it gives them."""
    return {number.rstrip("0") for number in NUMBER.findall(text)}


# ---- The page of a result: in a frame, in a widget, in a browser, in a file --------------------------------


class Page:
    """A page of HTML that a notebook shows; elsewhere `show()` opens a browser, `save(path)` keeps it.

    Attributes
    ----------
    html
        The page with all its scripts.
    """

    def __init__(self, sections: Sequence[Section], made: str) -> None:
        self._sections, self._made = tuple(sections), made

    @cached_property
    def html(self) -> str:
        """The page with all its scripts."""
        return page.page_of(self._sections, title=None, made=self._made)

    def __repr__(self) -> str:
        return f"Page of {len(self.html) / 1e6:.1f} MB: show() opens it in a browser, save(path) writes it"

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, where its policy holds and no style of the notebook does."""
        look = f"width: 100%; height: {HEIGHT}px; border: 0"
        source = html.escape(self.html)
        return f'<iframe style="{look}" sandbox="allow-scripts allow-downloads" srcdoc="{source}"></iframe>'

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the page to a file, which appears whole or not at all."""
        target = page.check_page_path(path, overwrite)
        replace_text(target, self.html)
        return target

    def show(self) -> None:
        """Open the page in the browser of this machine, from a temporary file."""
        handle, name = tempfile.mkstemp(prefix="rocscope-", suffix=".html")
        with os.fdopen(handle, "wb") as file:
            file.write(encoded(self.html))
        webbrowser.open(Path(name).as_uri())


class Explorer(Page):
    """The page on which a point of a curve or an average is selected; the widget gives it back."""

    def widget_html(self) -> str:
        """The page that sends the selected point to the widget around it."""
        scripts = ("explorer_notebook.js",)
        sections = [replace(one, scripts=one.scripts + scripts) for one in self._sections]
        return page.page_of(sections, title=None, made=self._made)

    @property
    def index(self) -> int:
        """Index of the point that is selected, which needs a widget."""
        require("anywidget", "the point of an explorer")
        raise AssertionError  # `explore` makes a widget where there is one

    @property
    def point(self) -> OperatingPoint:
        """The point that is selected, which needs a widget."""
        require("anywidget", "the point of an explorer")
        raise AssertionError


@cache
def _widget_class() -> Any:
    """The explorer as a widget; its libraries are an extra."""
    base: Any = require("anywidget", "a widget").AnyWidget
    traitlets = require("traitlets", "a widget")

    class ExplorerWidget(base):  # type: ignore[misc]
        """The explorer in a notebook: `index` is the point that is selected there, and can be set here.

        `point` is the `OperatingPoint`; `html`, `save(path)` and `show()` are those of the page.
        """

        _esm = files("rocscope.reporting").joinpath("assets/widget.js").read_text(encoding="utf-8")
        _page = traitlets.Unicode().tag(sync=True)
        index = traitlets.Int().tag(sync=True)

        def __init__(self, result: RocCurve | AveragedRoc, shown: Explorer, index: int) -> None:
            self._result, self._shown = result, shown
            super().__init__(_page=shown.widget_html(), index=index)

        @traitlets.validate("index")  # type: ignore[untyped-decorator]
        def _checked(self, proposal: Any) -> int:
            return self._result.point(proposal["value"]).index

        @property
        def point(self) -> OperatingPoint:
            """The point that is selected."""
            return self._result.point(self.index)

        @property
        def html(self) -> str:
            """The page with all its scripts."""
            return self._shown.html

        def __repr__(self) -> str:
            return f"Explorer at {self.point.summary()}"

        def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
            """Write the page to a file, which appears whole or not at all."""
            return self._shown.save(path, overwrite=overwrite)

        def show(self) -> None:
            """Open the page in the browser of this machine, from a temporary file."""
            self._shown.show()

    return ExplorerWidget


def explore(result: Any) -> Page | Any:
    """Return the page on which the operating points of a result are explored; of others the report.

    With the extra `notebook` the explorer is a widget, whose `index` and `point` are those selected in it.

    Examples
    --------
    >>> import rocscope as rs
    >>> explore(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])).html[:15]
    '<!DOCTYPE html>'
    """
    made = str(result).partition("\n")[0]
    roc, index = result, None
    if isinstance(result, (AveragedRoc, PointComparison, IndifferenceRegion)):
        roc, index = averaged_point(result)
    section = (
        explorer.explorer_section(roc, start=index) if isinstance(roc, (RocCurve, AveragedRoc)) else None
    )
    if section is None:
        return Page(sections_of(read_items([result])), made)
    linked = section.payload.get("panels")  # they are in the report
    shown = Explorer(sections_of(read_items([result])) if linked else [section], made)
    if find_spec("anywidget") is None:
        return shown
    first = section.payload["index"][section.payload["start"]]
    return _widget_class()(roc, shown, first)
