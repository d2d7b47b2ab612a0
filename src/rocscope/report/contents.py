"""Which sections a report has: one topic after the other, each for the results that belong to it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from rocscope.report.items import Item
from rocscope.report.safety import element
from rocscope.report.sections import Section

# The topics in the order of a page, and the results each speaks of; all others have a plain section.
TOPICS = {
    "curves": ("RocCurve", "Band", "Estimate"),
    "comparison": ("CurveComparison",),
    "points": ("PointMeasures", "CutPoint"),
    "folds": ("AveragedRoc", "PointComparison", "IndifferenceRegion", "AveragedCurve"),
    "classes": ("MulticlassAuc", "OrdinalRoc"),
    "models": ("Binormal", "LatentCurve", "FusionPreview"),
    "learners": ("AlgorithmComparison", "BootstrapAuc"),
    "plain": (),
}
LEFT_OUT = "What this report does not show, and why"
TOPIC_OF = {name: topic for topic, names in TOPICS.items() for name in names}


def sections_of(items: Sequence[Item]) -> list[Section]:
    """Return the sections of all results, topic by topic.

    Examples
    --------
    >>> import rocscope as rs
    >>> curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> [section.title for section in sections_of([Item(None, curve)])][0]
    'ROC curve'
    """
    made = list[Section]()
    for topic in TOPICS:
        mine = [item for item in items if topic_of(item.result) == topic]
        if mine:
            made += import_module(f"rocscope.report.topics.{topic}").sections(mine)
    return made


def left_out(lines: Sequence[str]) -> list[Section]:
    """Return the last section of a page: what it does not show, and what would show it; none without a line.

    Examples
    --------
    >>> [section.title for section in left_out(["Averages over folds: --fold COLUMN."])]
    ['What this report does not show, and why']
    """
    told = [element("li", line) for line in dict.fromkeys(lines)]
    return [Section(title=LEFT_OUT, body=(element("ul", told),), kind="left-out")] if told else []


def topic_of(result: Any) -> str:
    """Name of the topic that a result belongs to, by its class or the nearest one above."""
    found = (
        TOPIC_OF.get(cls.__name__) for cls in type(result).__mro__ if cls.__module__.startswith("rocscope.")
    )
    return next((topic for topic in found if topic is not None), "plain")
