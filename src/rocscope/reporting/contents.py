"""Which sections a report has: one topic after the other, each for the results that belong to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from rocscope.reporting.analysis import LEFT_OUT_MARK, missing_line
from rocscope.reporting.html import element
from rocscope.reporting.sections import Item, Section
from rocscope.reporting.tables import type_words

# The topics in the order of a page, which result classes name (`Result.topic`), and the
# function of `reporting.topics` that makes their sections; it is loaded when it is needed.
SECTIONS = {
    "curves": "curves.curve_sections",
    "comparison": "classes.comparison_sections",
    "points": "curves.point_sections",
    "folds": "folds.fold_sections",
    "classes": "classes.class_sections",
    "models": "models.model_sections",
    "learners": "learners.learner_sections",
    "plain": "plain.plain_sections",
}
LEFT_OUT = "What this report does not show, and why"


def sections_of(items: Sequence[Item], missing: list[str] | None = None) -> list[Section]:
    """Return the sections of all results, topic by topic.

    Where a list is given for what is missing, a result that cannot be shown costs no other one: it is left
    out, and the list gets a line that says why. Without one the error is raised.

    Examples
    --------
    >>> import rocscope as rs
    >>> curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> [section.title for section in sections_of([Item(None, curve)])][0]
    'ROC curve'
    """
    made = list[Section]()
    for topic in SECTIONS:
        mine = [item for item in items if item.result.topic == topic]
        if mine:
            module, function = SECTIONS[topic].split(".")
            make = getattr(import_module(f"rocscope.reporting.topics.{module}"), function)
            made += make(mine) if missing is None else _possible(make, mine, missing)
    return made


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
            missing.append(missing_line(item.titled(type_words(type(item.result).__name__)), error))
        else:
            kept.append(item)
    return sections


def left_out(lines: Sequence[str]) -> list[Section]:
    """Return the last section of a page: what it does not show, and what would show it; none without a line.

    Examples
    --------
    >>> [section.title for section in left_out(["Averages over folds: --fold COLUMN."])]
    ['What this report does not show, and why']
    """
    shown = [element("li", _as_sentence(line)) for line in dict.fromkeys(lines)]
    return [Section(title=LEFT_OUT, body=(element("ul", shown),), kind="left-out")] if shown else []


def _as_sentence(line: str) -> str:
    return f"L{line[1:]}" if line.startswith(LEFT_OUT_MARK) else line
