"""Sections of a report: what each shows, and the contract by which further ones are written.

A section is made by a function of results and is plain data; `page` turns it into HTML.

**In Python.** The function returns a `Section`::

    def explorer_section(result: AveragedRoc | RocCurve, *, name: str | None = None) -> Section | None:
        body = (
            Paragraph("Move the point with the arrow keys."),
            Plot(picture=plotting.picture(result), reading="…"),      # a figure with its reading
        )
        return Section(
            title="Operating points", body=body, kind="explorer",
            payload={"thresholds": […], "values": […]},               # anything `core.result.plain` can hold
            scripts=("explorer_state.js", "explorer_plot.js"),        # files of reporting/assets
            styles=("explorer.css",),
        )

- `body` holds `Paragraph`s, `Bullets`, `Plot`s and `Table`s; the templates escape every text.
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
  again when the theme changes; calling it again updates the plot. Colours are those of `plotting`; names
  that plotly shows must be escaped by ``rocscope.literal(text)``, since plotly reads a kind of HTML;
- ``rocscope.onTheme(listener)``: called with "light" or "dark" when the reader changes it;
- ``rocscope.figure(section, name)``: the first panel of a ``Plot(name=…)`` of this section as
  ``{div, figure}``, of further panels ``rocscope.figure(section, `${name}-1`)`` and so on. Change
  ``figure.data`` and give it to ``rocscope.plot(div, figure)``; every trace has its role in ``meta``;
- ``rocscope.whenDrawn(div, listener)``: figures are drawn when they come near the window, and have plotly's
  events (``div.on("plotly_click", …)``) from then on;
- ``rocscope.element(tag, attributes, ...children)``: a DOM element whose children are text nodes or elements.

All texts go to the page by `textContent` or by ``rocscope.element``; `innerHTML` is not used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from rocscope.core import checks
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.inference.point_measures import PointMeasures
from rocscope.plotting.marks import Picture
from rocscope.reporting.analysis import LEFT_OUT_MARK, Analysis, Rule, missing_line


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plot:
    """A picture with its description.

    Attributes
    ----------
    picture
        What `plotting.picture` returns; each of its panels becomes a figure that scales with the page.
    reading
        What the picture shows, under it and for those who do not see it.
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

    `folded` hides a long one until the reader opens it; `total` is the number of rows of which these are the
    first.
    """

    caption: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    folded: bool = False
    total: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of its own; `style` is the class of its element: "reading", "note" or "explorer-help"."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """Lines of a list."""

    lines: tuple[str, ...]


Part: TypeAlias = Plot | Table | Paragraph | Bullets


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


# ---- The results of a report: alone or by name, in the order in which they came ---------------------------

ALLOWED = "results of rocscope, BinaryScores, or mappings from names to results or lists of them"


@dataclass(frozen=True, slots=True)
class Item:
    """A result, and the name of the classifier or data it belongs to; None without one.

    `select` holds the constraints, such as "tpr>=0.9", and `rule` the rule by which the operating point of
    the page is selected; `point` is the index of that point, where another result of the page gives it.
    """

    name: str | None
    result: Any
    select: tuple[str, ...] = ()
    rule: Rule | None = None
    point: int | None = None

    def titled(self, title: str) -> str:
        """A title with the name, where there is one.

        Examples
        --------
        >>> Item("marker", None).titled("ROC curve"), Item(None, None).titled("ROC curve")
        ('ROC curve: marker', 'ROC curve')
        """
        return title if self.name is None else f"{title}: {self.name}"


def read_items(results: Sequence[Any]) -> list[Item]:
    """Return every result with its name; scores become their curves.

    A curve whose operating point is in the report as well, under the same name, is shown at that point.

    Examples
    --------
    >>> from rocscope.core.result import TestResult
    >>> test = TestResult(name="t", method="t", statistic=0.0, df=None, p_value=1.0)
    >>> [item.name for item in read_items([{"a": test, "b": [test]}, test])]
    ['a', 'b', None]
    """
    items = [item for result in results for item in _items(result)]
    if not items:
        raise RocInputError(f"must be given {ALLOWED}, got none", argument="report")
    return at_one_cutoff(items)


def at_one_cutoff(items: Sequence[Item]) -> list[Item]:
    """Return the items of one page with the operating point that it shows of each curve.

    That is the vertex at which the first `PointMeasures` of the same name decides as the vertex does.
    """
    points = dict[str | None, PointMeasures]()
    for item in items:
        if isinstance(item.result, PointMeasures):
            points.setdefault(item.name, item.result)
    placed = list[Item]()
    for item in items:
        curve, point = item.result, points.get(item.name)
        if isinstance(curve, RocCurve) and point is not None:
            same = (curve.tp == point.tp) & (curve.fp == point.fp)
            item = replace(item, point=int(np.argmax(same)) if same.any() else None)
        placed.append(item)
    return placed


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


def _items(results: Any, name: str | None = None, *, nested: bool = False) -> Iterator[Item]:
    if isinstance(results, Result):
        yield Item(name, results)
    elif isinstance(results, BinaryScores):
        several = name is not None and len(results.names) > 1
        for k, column in enumerate(results.names):
            yield Item(f"{name}, {column}" if several else name or column, curve_of(results, k))
    elif isinstance(results, Analysis):
        for item in _items(results.results):
            yield replace(item, select=results.select, rule=results.rule)
    elif isinstance(results, Mapping) and not nested:
        for key, inner in results.items():
            yield from _items(inner, None if key is None else str(key), nested=True)
    elif isinstance(results, (list, tuple)) and nested:
        for inner in results:
            yield from _items(inner, name, nested=True)
    else:
        raise RocInputError(f"must be given {ALLOWED}, got {checks.show(results)}", argument="report")


# ---- Which sections a report has: one topic after the other, each for the results that belong to it -------

# The topics in the order of a page, which result classes name (`Result.topic`), and the function of
# `reporting.topics` that makes their sections; it is loaded when it is needed.
SECTIONS = {
    "curves": "curves.curve_sections",
    "comparison": "curves.comparison_sections",
    "points": "curves.point_sections",
    "folds": "classes.fold_sections",
    "classes": "classes.class_sections",
    "models": "models.model_sections",
    "learners": "models.learner_sections",
    "plain": "plain.plain_sections",
}
LEFT_OUT = "What this report does not show, and why"


def sections_of(items: Sequence[Item], missing: list[str] | None = None) -> list[Section]:
    """Return the sections of all results, topic by topic.

    Where there is a list for what is missing, a result that cannot be shown costs no other one: it is left
    out, and the list gets a line that says why. Without one the error is raised.

    Examples
    --------
    >>> import rocscope as rs
    >>> curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> [section.title for section in sections_of([Item(None, curve)])][0]
    'ROC curve'
    """
    sections = list[Section]()
    for topic, name in SECTIONS.items():
        module, function = name.split(".")
        own = [item for item in items if item.result.topic == topic]
        if own:
            make = getattr(import_module(f"rocscope.reporting.topics.{module}"), function)
            sections += make(own) if missing is None else _possible(make, own, missing)
    return sections


def _possible(
    make: Callable[[Sequence[Item]], list[Section]], items: Sequence[Item], missing: list[str]
) -> list[Section]:
    """The sections of those results of a topic that can be shown."""
    try:
        return make(items)
    except Exception:  # which of them it is
        sections, kept = list[Section](), list[Item]()
    for item in items:
        try:
            sections = make([*kept, item])
        except Exception as error:
            missing.append(missing_line(item.titled(type_name(type(item.result).__name__)), error))
        else:
            kept.append(item)
    return sections


# Names of types for people; others are taken apart at their capitals.
TYPES = {
    "AlgorithmPair": "Two learning algorithms",
    "BinormalPair": "Binormal fit of two scores",
    "CrossScores": "Cross-validated scores",
    "CurveCrossings": "Where the curves cross",
    "DecisionCurve": "Net benefit",
    "FoldDistribution": "Values over folds",
    "LossCurves": "Losses over costs",
    "MonteCarlo": "Monte-Carlo study",
    "PrecisionRecall": "Precision and recall",
    "RocBand": "Band of the ROC curve",
}


def type_name(name: str) -> str:
    """Return the name of a result type for people.

    Examples
    --------
    >>> type_name("TestResult"), type_name("DecisionCurve")
    ('Test result', 'Net benefit')
    """
    if name in TYPES:
        return TYPES[name]
    first, *others = re.findall("[A-Z][a-z0-9]*", name) or [name]
    return " ".join([first, *(part.lower() for part in others)])


def left_out(lines: Sequence[str]) -> list[Section]:
    """Return the last section of a page: what it does not show, and what would show it; none without a line.

    Examples
    --------
    >>> [section.title for section in left_out(["Averages over folds: give the fold of every case."])]
    ['What this report does not show, and why']
    """
    texts = tuple(f"L{line[1:]}" if line.startswith(LEFT_OUT_MARK) else line for line in dict.fromkeys(lines))
    return [Section(title=LEFT_OUT, body=(Bullets(texts),), kind="left-out")] if texts else []
