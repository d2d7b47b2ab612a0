"""Sections of a report: what each shows, and the contract by which further ones are written.

A section is made by a function of a result and is plain data; `page` turns it into HTML.

**In Python.** The function returns a `Section`::

    def explorer_section(result: AveragedRoc | RocCurve, *, name: str | None = None) -> Section | None:
        body = (
            element("p", "Move the point with the arrow keys."),      # rocscope.reporting.html.element
            Plot(picture=views.picture(result), reading="…"),         # a figure with its reading
            element("div", class_="explorer-panel"),                  # filled by the section's scripts
        )
        return Section(
            title="Operating points", body=body, kind="explorer",
            payload={"thresholds": […], "values": […]},               # anything `core.result.plain` can hold
            scripts=("explorer_state.js", "explorer_view.js"),        # files of report/assets
            styles=("explorer.css",),
        )

- `body` holds `Html` made by `safety.element` (which escapes every text), `Plot`s and `Table`s.
- `payload` goes to the page as JSON; NaN and infinity become null. Keep it small: the page has 8 MB, of which
  plotly takes 4.8. It is left out where it is empty; so is plotly where no section of the page has a `Plot`.
- `scripts` and `styles` are inlined once however many sections name them, scripts in the order of their first
  mention, after plotly and the scripts of every page. They are covered by the content-security policy, so
  there are no inline handlers, no `eval`, no request, and no `javascript:` address. Styles set by script
  (`element.style.x = …`) are allowed.
- `fewer` makes the same section with a payload of at most so many points; a page that would be too large
  calls it. It is left out where the payload is small.
- None means that there is nothing to show.

`explorer.explorer_section(result, name=…)` is called for every `AveragedRoc` and `RocCurve` of a report (also
for the `roc` of a `PointComparison`), and its section comes right after the section of the result.

**In the page.** A section is ``<section id="s3" class="section explorer" data-kind="explorer">`` with the
title as its first heading. Its scripts register a function by the section's kind, which is called once the
page is there, for each such section, with the section and its payload::

    rocscope.mount("explorer", (section, payload) => { … });

`rocscope` also has

- ``rocscope.plot(div, figure)``: draw plotly's ``{data, layout}`` into a div in the colours of the theme, and
  again when the theme changes; calling it again updates the plot. Colours are those of `draw.style`; names
  given to plotly must be escaped by ``rocscope.literal(text)``, since plotly reads a kind of HTML;
- ``rocscope.onTheme(listener)``: called with "light" or "dark" when the reader changes it;
- ``rocscope.figure(section, name)``: the first panel of a ``Plot(name=…)`` of this section as
  ``{div, figure}``, of further panels ``rocscope.figure(section, `${name}-1`)`` and so on. Change
  ``figure.data`` and give it to ``rocscope.plot(div, figure)``; every trace tells its role in ``meta``;
- ``rocscope.whenDrawn(div, listener)``: figures are drawn when they come near the window, and have plotly's
  events (``div.on("plotly_click", …)``) from then on;
- ``rocscope.element(tag, attributes, ...children)``: a DOM element whose children are text nodes or elements.

All texts go to the page by `textContent` or by ``rocscope.element``; `innerHTML` is not used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from rocscope.core import checks
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.inference.point_measures import PointMeasures
from rocscope.plotting.marks import Picture
from rocscope.reporting.html import Html


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plot:
    """A picture with what it says.

    Attributes
    ----------
    picture
        What `views.picture` returns; each of its panels becomes a figure that scales with the page.
    reading
        The picture in words, under it and for those who do not see it.
    notes
        What a reader should know of it, such as how far a line was thinned.
    name
        By which a script of the section finds the figure; None for a figure that no script looks for.
    linked
        Whether a point that is touched in one panel lights up in all of them.
    """

    picture: Picture
    reading: str
    notes: tuple[str, ...] = ()
    name: str | None = None
    linked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Numbers in rows: names on the left, cells as texts; the caption says what they are.

    `folded` hides a long one until the reader opens it; `total` tells of how many rows these are the first.
    """

    caption: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    folded: bool = False
    total: int | None = None
    notes: tuple[str, ...] = ()


Part: TypeAlias = Html | Plot | Table


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Section:
    """One section of the page; see above."""

    title: str
    body: tuple[Part, ...]
    kind: str = "plain"
    payload: Mapping[str, Any] = field(default_factory=dict)
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    fewer: Callable[[int], Section | None] | None = None


# ---- What a report is given: results, alone or by name, in the order in which they came -------------------

WANTED = "results of rocscope, BinaryScores, or mappings from names to results or lists of them"


@dataclass(frozen=True, slots=True)
class Item:
    """A result, and the name of the classifier or data it belongs to; None without one.

    `select` holds the constraints, such as "tpr>=0.9", by which the operating point of the page is chosen;
    `point` the index of that point, where another result of the page says it.
    """

    name: str | None
    result: Any
    select: tuple[str, ...] = ()
    point: int | None = None

    def titled(self, title: str) -> str:
        """A title with the name, where there is one.

        Examples
        --------
        >>> Item("marker", None).titled("ROC curve"), Item(None, None).titled("ROC curve")
        ('ROC curve: marker', 'ROC curve')
        """
        return title if self.name is None else f"{title}: {self.name}"


def read_items(results: Sequence[Any], select: Sequence[str] = ()) -> list[Item]:
    """Return every result that was given, with its name; scores become their curves.

    A curve whose operating point is in the report as well, under the same name, is shown at that point.

    Examples
    --------
    >>> from rocscope.core.result import TestResult
    >>> test = TestResult(name="t", method="t", statistic=0.0, df=None, p_value=1.0)
    >>> [item.name for item in read_items([{"a": test, "b": [test]}, test])]
    ['a', 'b', None]
    """
    items = [item for given in results for item in _items(given, None)]
    if not items:
        raise RocInputError(f"must be given {WANTED}, got none", argument="report")
    return at_one_cutoff(items, select)


def at_one_cutoff(items: Sequence[Item], select: Sequence[str] = ()) -> list[Item]:
    """Return the items of one page with the operating point that it shows of each curve."""
    return [replace(item, select=tuple(select), point=_point(item, items)) for item in items]


def _point(item: Item, items: Sequence[Item]) -> int | None:
    """Vertex of a curve at which the first operating point of its name decides as the vertex does."""
    if not isinstance(item.result, RocCurve):
        return None
    curve = item.result
    for other in items:
        if other.name == item.name and isinstance(other.result, PointMeasures):
            same = (curve.tp == other.result.tp) & (curve.fp == other.result.fp)
            return int(np.argmax(same)) if same.any() else None
    return None


def warnings_of(items: Sequence[Item], but: Sequence[str] = ()) -> list[str]:
    """Return what the results warn of, each with its name, without what was said already.

    Examples
    --------
    >>> import rocscope as rs
    >>> warnings_of([Item("marker", rs.auc([0, 0, 0, 1, 1], [3, 4, 5, 1, 4]))])
    ['marker: the area is below 0.5: the scores rank the negative class higher']
    """
    return [
        text if item.name is None else f"{item.name}: {text}"
        for item in items
        for result in (item.result, getattr(item.result, "roc", None))  # a comparison is of averaged points
        for text in getattr(result, "warnings", ())
        if text not in but
    ]


def _items(given: Any, name: str | None) -> Iterator[Item]:
    if isinstance(given, Result):
        yield Item(name, given)
    elif isinstance(given, BinaryScores):
        several = name is not None and len(given.names) > 1
        for k, column in enumerate(given.names):
            yield Item(f"{name}, {column}" if several else name or column, curve_of(given, k))
    elif isinstance(given, Mapping) and name is None:
        for key, inner in given.items():
            yield from _items(inner, str(key))
    elif isinstance(given, (list, tuple)) and name is not None:
        for inner in given:
            yield from _items(inner, name)
    else:
        raise RocInputError(f"must be given {WANTED}, got {checks.show(given)}", argument="report")
