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
- `payload` goes to the page as JSON; NaN and infinity become null. Keep it small: a page has at most 8 MB.
  It is left out where it is empty; so are the scripts that draw figures where no section has a `Plot`.
- `scripts` and `styles` are inlined once however many sections name them, scripts in the order of their first
  mention, after the scripts of every page. They are covered by the content-security policy, so
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

- ``rocscope.figure(section, name)``: the first panel of a ``Plot(name=…)`` of this section as
  ``{div, figure}``, of further panels ``rocscope.figure(section, `${name}-1`)`` and so on; ``figure`` is what
  `plotting.figure_json` made of the panel, with a role for each of ``figure.marks``;
- ``rocscope.plot(div, figure)``: draw a figure, changed or new, into a div, in the colours of the theme; it
  is drawn again when theme or width change. Figures of the page are drawn when they come near the window;
- ``rocscope.isDrawn(div)``: whether that has happened;
- ``rocscope.onPoint(div, listener)``: called with ``{mark, index}`` when a reader clicks a point;
- ``rocscope.onTheme(listener)``: called with "light" or "dark" when the reader changes it, and for paper;
- ``rocscope.element(tag, attributes, ...children)``: a DOM element whose children are text nodes or elements.

All texts go to the page by `textContent` or by ``rocscope.element``; `innerHTML` is not used.
"""

from __future__ import annotations

import contextlib
import math
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatch
from importlib import import_module
from importlib.metadata import version
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np

from rocscope import __version__
from rocscope.core import checks, formatting
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.points import Constraint
from rocscope.core.result import Estimate, Result, plain
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.cutpoint import CutPoint
from rocscope.inference.point_measures import PointMeasures
from rocscope.plotting import marks
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
    aside
        A table beside the picture.
    off
        Roles of marks that are hidden until the reader switches them on in the legend.
    """

    picture: Picture
    reading: str
    notes: tuple[str, ...] = ()
    name: str | None = None
    linked: bool = False
    aside: Table | None = None
    off: tuple[marks.Role, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Table:
    """Numbers in rows: names on the left, cells as texts; the caption says what they are.

    `folded` hides a long one until the reader opens it; `total` is the number of rows of which these are the
    first. A script of the section finds the table by its `name`.
    """

    caption: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    folded: bool = False
    total: int | None = None
    notes: tuple[str, ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of its own; `style` is the class of its element: "reading", "note" or "explorer-help"."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Bullets:
    """Lines of a list."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """Short facts side by side, each a name and a value."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Quotation:
    """A text that a reader takes into a paper, under a title and with a button that copies it."""

    title: str
    text: str


Part: TypeAlias = Plot | Table | Paragraph | Bullets | Facts | Quotation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Section:
    """One section of the page; see above. A `folded` one shows its title alone until the reader opens it."""

    title: str
    body: tuple[Part, ...]
    kind: str = "plain"
    folded: bool = False
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
    Beside a curve `measures` and `cutpoint` are the measures of its point and the repeated choice of it.
    `explored` says that page one and the explorer show the result. `analysis` is what it belongs to.
    """

    name: str | None
    result: Any
    select: tuple[str, ...] = ()
    rule: Rule | None = None
    point: int | None = None
    measures: PointMeasures | None = None
    cutpoint: CutPoint | None = None
    explored: bool = False
    analysis: Analysis | None = None

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
    points, choices = dict[str | None, PointMeasures](), dict[str | None, CutPoint]()
    for item in items:
        if isinstance(item.result, PointMeasures):
            points.setdefault(item.name, item.result)
        elif isinstance(item.result, CutPoint):
            choices.setdefault(item.name, item.result)
    curves = {item.name for item in items if isinstance(item.result, RocCurve)}
    placed = list[Item]()
    for item in items:
        curve, point = item.result, points.get(item.name)
        if item.name in curves and (curve is point or curve is choices.get(item.name)):
            item = replace(item, explored=True)
        if isinstance(curve, RocCurve):
            item = replace(item, cutpoint=choices.get(item.name))
            if point is not None:
                same = (curve.tp == point.tp) & (curve.fp == point.fp)
                vertex = int(np.argmax(same)) if same.any() else None
                item = replace(item, point=vertex, measures=point if same.any() else None)
        placed.append(item)
    return placed


# Measures as people call them in the text of a constraint.
SPOKEN = {
    "tpr": "sensitivity",
    "tnr": "specificity",
    "precision": "PPV",
    "npv": "NPV",
    "fpr": "1 - specificity",
}


def constraint_text(constraint: str) -> str:
    """Return a constraint as people write it.

    Examples
    --------
    >>> constraint_text("tpr>=0.9"), constraint_text("fpr <= 0.2")
    ('sensitivity ≥ 0.9', '1 - specificity ≤ 0.2')
    """
    read = Constraint.parse(constraint)
    sign = {">=": "≥", "<=": "≤"}.get(read.relation, read.relation)
    return f"{SPOKEN.get(read.measure, read.measure)} {sign} {read.bound:g}"


RULES = {"youden": "the largest Youden index", "closest": "the point closest to the upper left corner"}


def cutoff(item: Item) -> tuple[int, str]:
    """Return the vertex of a curve that the page shows, and how it was selected.

    It is that of another result of the page, that of the constraints, else Youden's.

    Examples
    --------
    >>> import rocscope as rs
    >>> cutoff(Item(None, rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    (1, 'the largest Youden index')
    """
    curve: RocCurve = item.result
    best = curve.select(rule="youden").index
    rule = " and ".join(map(constraint_text, item.select)) or RULES.get(item.rule or "youden", str(item.rule))
    folds = None if item.analysis is None else item.analysis.n_folds
    if item.point is not None and folds is not None:
        return item.point, f"{rule}, as the mean over {folds} folds selects it"
    if item.point is not None:
        given = item.select or item.rule or item.point == best
        return item.point, rule if given else "given"
    if item.select:
        with contextlib.suppress(UndefinedError):  # nothing meets the constraints
            return curve.select(*item.select).index, rule
    return best, RULES["youden"]


def warnings_of(items: Sequence[Item], but: Sequence[str] = ()) -> list[str]:
    """Return what the results warn of, each with its name, without what was said already.

    Examples
    --------
    >>> import rocscope as rs
    >>> warnings_of([Item("marker", rs.auc([0, 0, 0, 1, 1], [3, 4, 5, 1, 4]))])
    ['marker: the area is below 0.5: the scores rank the negative class higher (see direction lower)']
    """
    return [
        text if item.name is None else f"{item.name}: {text}"
        for item in items
        for result in (item.result, getattr(item.result, "roc", None))  # a comparison is of averaged points
        for text in getattr(result, "warnings", ())
        if text not in but
    ]


def _items(results: Any, name: str | None = None, *, nested: bool = False) -> Iterator[Item]:
    if isinstance(results, Analysis):
        for item in _items({**results.results, None: results.shared}):
            yield replace(item, select=results.select, rule=results.rule, analysis=results)
    elif isinstance(results, Result):
        yield Item(name, results)
    elif isinstance(results, BinaryScores):
        several = name is not None and len(results.names) > 1
        for k, column in enumerate(results.names):
            yield Item(f"{name}, {column}" if several else name or column, curve_of(results, k))
    elif isinstance(results, Mapping) and not nested:
        for key, inner in results.items():
            yield from _items(inner, None if key is None else str(key), nested=True)
    elif isinstance(results, (list, tuple)) and nested:
        for inner in results:
            yield from _items(inner, name, nested=True)
    else:
        raise RocInputError(f"must be given {ALLOWED}, got {checks.show(results)}", argument="report")


# ---- Which sections a report has: one topic after the other, each for the results that belong to it -------

# The topics in the order of a page, which result classes name (`Result.topic`), and the module of
# `reporting.topics` that makes their sections; it is loaded when it is needed.
TOPICS = {
    "summary": "summary",  # of all results together
    "curves": "curves",
    "comparison": "curves",
    "points": "curves",
    "readers": "curves",
    "classes": "classes",
    "folds": "classes",
    "models": "models",
    "learners": "models",
    "atlas": "atlas",
    "plain": "models",
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
    >>> [section.title for section in sections_of([Item(None, curve)])]
    ['Summary', 'Operating point']
    """
    sections = list[Section]()
    for topic, name in TOPICS.items():
        own = [item for item in items if topic in ("summary", item.result.topic)]
        if own:
            module = import_module(f"rocscope.reporting.topics.{name}")
            make = getattr(module, f"{topic}_sections", one_by_one)
            sections += make(own) if missing is None else _possible(make, own, missing)
    return import_module("rocscope.reporting.explorer").merge(sections)  # type: ignore[no-any-return]


def one_by_one(items: Sequence[Item]) -> list[Section]:
    """One section for each result: what a topic has that shows no results together."""
    return [section_of(item.result, item) for item in items]


@singledispatch
def section_of(result: Any, item: Item) -> Section:
    """Return the section of a result; modules of topics register that of each class."""
    raise NotImplementedError(f"no section for a {type(result).__name__}")


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
    "DecisionCurves": "Net benefit of several models",
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


# ---- Results as tables of texts: numbers for people, long columns cut -----------------------------------

# Rows of a long table that the page shows; the rest is in `frame()`.
SHOWN_ROWS = 120
FOLDED_ROWS = 12
# Names of fields and columns for people; in others the underscores are blanks.
HEADINGS = {
    "dataset": "data set",
    "df": "degrees of freedom",
    "empirical": "counted",
    "fnr": "FNR",
    "fpr": "FPR",
    "half_width": "half the width of the interval",
    "high": "upper end",
    "kendall": "Kendall's tau",
    "low": "lower end",
    "max_abs_error": "largest absolute error",
    "mean_abs_error": "mean absolute error",
    "n_neg": "negative cases",
    "n_pos": "positive cases",
    "neg_label": "negative class",
    "npv": "NPV",
    "p_adjusted": "p (Holm)",
    "p_holm": "p (Holm)",
    "p_value": "p",
    "pos_label": "positive class",
    "ppv": "precision (PPV)",
    "real_n_neg": "negative cases before rounding up",
    "real_n_pos": "positive cases before rounding up",
    "sd": "standard deviation",
    "se": "standard error",
    "sem": "standard error of the mean",
    "spearman": "Spearman's rho",
    "tnr": "TNR",
    "tpr": "TPR",
}
# The same inside a longer name.
PARTS = {
    "auc": "AUC",
    "fnr": "FNR",
    "fpr": "FPR",
    "rms": "RMS",
    "sd": "SD",
    "se": "SE",
    "tnr": "TNR",
    "tpr": "TPR",
}


def cell(value: Any) -> str:
    """Return a value as the text of a cell: four figures, "undefined" where there is no number.

    Examples
    --------
    >>> cell(0.731371), cell(None), cell(True), cell(12000), cell("a")
    ('0.7314', 'undefined', 'yes', '12000', 'a')
    """
    if value is None:
        return formatting.UNDEFINED
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return formatting.table_number(float(value))
    if isinstance(value, (list, tuple)):
        return ", ".join(map(cell, value)) or "none"
    return str(value)


def heading(name: str) -> str:
    """Return the name of a field or column for people; names of scores and classes stay as they are.

    Examples
    --------
    >>> heading("p_value"), heading("max_auc"), heading("tpr sem"), heading("weight(my_class)")
    ('p', 'max AUC', 'TPR sem', 'weight(my_class)')
    """
    if name in HEADINGS or "(" in name or "[" in name:
        return HEADINGS.get(name, name)
    return measure_name(name.replace("_", " "))


def measure_name(name: str) -> str:
    """Return the name of a measure as people write it; one of the user's own stays as it is.

    Examples
    --------
    >>> measure_name("tpr sem"), measure_name("error(my_class)"), measure_name("my_measure")
    ('TPR sem', 'error(my_class)', 'my_measure')
    """
    return " ".join(PARTS.get(part, part) for part in name.split(" "))


def estimate_table(estimates: Mapping[str, Estimate], *, caption: str) -> Table:
    """Return one row per estimate, with its interval and method.

    The method has the kind of the interval beside it where the table holds several kinds.
    """
    kinds = {name: formatting.interval_name(one.level, one.alternative) for name, one in estimates.items()}
    one_kind = len(set(kinds.values())) == 1
    rows = list[tuple[str, ...]]()
    for name, one in estimates.items():
        method = one.method if one_kind else f"{kinds[name]}, {one.method}"
        if one.low is None and one.high is None and one.se is None:
            method = "none"
        se = "none" if one.se is None else formatting.table_number(one.se)
        rows.append(
            (
                name,
                formatting.table_number(one.value),
                formatting.table_interval(one.low, one.high),
                se,
                method,
            )
        )
    kind = next(iter(kinds.values())) if one_kind else "interval"
    header = ("", "value", kind, "standard error", "method")
    return Table(caption=caption, header=header, rows=rows, notes=remarks(estimates.items()))


def two_by_two(
    counts: Sequence[float], *, classes: tuple[Any, Any], caption: str, name: str | None = None
) -> Table:
    """Return a 2x2 table in STARD's order: test positive and negative by condition present and absent.

    `counts` are true and false positives, false and true negatives; of `classes` the positive one is first.
    """
    tp, fp, fn, tn = counts
    rows = (("Test positive", tp, fp), ("Test negative", fn, tn), ("Total", tp + fn, fp + tn))
    return Table(
        caption=caption,
        header=("", f"{classes[0]} (present)", f"{classes[1]} (absent)", "Total"),
        rows=[(text, *(f"{n:,.12g}" for n in (here, there, here + there))) for text, here, there in rows],
        name=name,
    )


def column_table(
    columns: Mapping[str, Any], *, caption: str = "Numbers", named: Callable[[str], str] = heading
) -> Table | None:
    """Return named columns of equal length, such as `columns()` of a result; of a long table the first rows.

    Columns without any value are left out, as is the status of what is all in order; in a column of texts
    nothing stands where there is none. None where no column is left.
    """
    kept, empty, n = dict[str, list[Any]](), dict[str, str | None](), 0
    for name, values in columns.items():
        is_array = isinstance(values, np.ndarray)
        numbers = is_array and values.dtype.kind in "biuf"
        listed = (values[:SHOWN_ROWS] if numbers else values).tolist() if is_array else values
        # NaN becomes None, infinite numbers stay.
        items = [one if isinstance(one, float) and math.isinf(one) else plain(one) for one in listed]
        missing = bool(np.isnan(values).all()) if numbers else all(one is None for one in items)
        if missing or (name == "status" and all(one == "ok" for one in items)):
            continue
        kept[name], n = items, max(n, len(values))
        empty[name] = "" if any(isinstance(one, str) for one in items) else None
    if n == 0:
        return None
    n_rows = min(n, SHOWN_ROWS)
    rows = [
        [cell(empty[name] if items[k] is None else items[k]) for name, items in kept.items()]
        for k in range(n_rows)
    ]
    return Table(
        caption=caption,
        header=tuple(map(named, kept)),
        rows=rows,
        folded=n > FOLDED_ROWS,
        total=n if n_rows < n else None,
        notes=(f"The first {n_rows} of {n} rows.",) if n_rows < n else (),
    )


def row_table(
    rows: Sequence[Any], names: Sequence[str], *, caption: str, named: Mapping[str, str] | None = None
) -> Table:
    """Return some fields of several rows; a field that has no value in any of them is left out.

    Besides fields, and fields of fields with a dot, there are "pair" (first and second) and "interval" (low
    and high). `named` has the headings of fields that have other names here than elsewhere.
    """

    def text(row: Any, name: str) -> str | None:
        if name == "pair":
            return f"{row.first} - {row.second}"
        if name == "interval":
            return formatting.table_interval(row.low, row.high, signed=True)
        value = plain(attrgetter(name)(row))
        if value is not None and name.endswith("difference"):
            return formatting.table_number(value, signed=True)
        return None if value is None else cell(value)

    cells = {name: [text(row, name) for row in rows] for name in names}
    kept = {name: column for name, column in cells.items() if any(one is not None for one in column)}
    return Table(
        caption=caption,
        header=tuple((named or {}).get(name) or " ".join(map(heading, name.split("."))) for name in kept),
        rows=[[cell(one) for one in line] for line in zip(*kept.values(), strict=True)],
        folded=len(rows) > FOLDED_ROWS,
    )


# ---- Reasons and warnings of results ----------------------------------------------------------------------

# What reasons and warnings say to those who call a function, for those who read a page.
CALLS = {
    "; see cutpoint": "; the choice made again on bootstrap samples shows by how much",
    " (n_boot=0)": "",
}


def plainly(text: str) -> str:
    """Return a reason or a warning without the names of arguments and functions.

    Examples
    --------
    >>> plainly("no interval was requested (n_boot=0)")
    'no interval was requested'
    """
    for call, plain_text in CALLS.items():
        text = text.replace(call, plain_text)
    return text


def difference_text(pair: Any, level: float, *, several: bool) -> str:
    """Return a difference of a pair with its interval and test; of several pairs the adjusted p-value."""
    difference = formatting.table_with_interval(pair.difference, pair.low, pair.high, signed=True)
    test = formatting.p_value_phrase(pair.p_adjusted if several else pair.p_value, level)
    holm = ", adjusted for the number of pairs" if several else ""
    return f"{pair.first} minus {pair.second}: {difference}, {test}{holm}."


def remarks(results: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    """Return reasons and warnings of results, each once, with the names of the results they are about."""
    names: dict[str, list[str]] = {}
    for name, result in results:
        for text in (getattr(result, "reason", None), *getattr(result, "warnings", ())):
            if text:
                names.setdefault(text, []).append(name)
    return tuple(
        f"{formatting.sentence(text)} ({', '.join(of)})" if all(of) else formatting.sentence(text)
        for text, of in names.items()
    )


def data_notes(analysis: Analysis) -> list[Part]:
    """Return what is wrong with the data of an analysis, for its first page."""
    return [
        Paragraph(formatting.sentence(f"{note}."), "note")
        for note in analysis.notes
        if not note.startswith(LEFT_OUT_MARK)
    ]


# ---- Sentences for a paper --------------------------------------------------------------------------------

METHODS = {
    "delong": "the method of DeLong et al.",
    "logit": "DeLong's variance on the logit scale",
    "score": "a score test (Newcombe's variance, with DeLong's as far as misranked cases support it)",
    "hanley-mcneil": "the method of Hanley and McNeil",
    "bamber": "Bamber's variance",
    "bootstrap": "the bootstrap",
    "wilson": "Wilson's method",
    "exact": "the method of Clopper and Pearson",
}


def software_text(analysis: Analysis | None) -> str:
    """Return the last sentences of the methods: the seed, and the versions of what computed the results."""
    libraries = f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {version('scipy')}"
    text = f"The analysis was made with rocscope {__version__} ({libraries})."
    if analysis is None or analysis.seed is None:
        return text
    return f"Random numbers were drawn with seed {analysis.seed}. {text}"


# A line of the text of a result that is set like a row of a table.
TABULAR = re.compile(r"\S {2,}\S|^ {2,}\S+$")
