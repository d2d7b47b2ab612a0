"""What a report is given: results, alone or by name, in the order in which they came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocscope.area.point_measures import PointMeasures
from rocscope.core import checks
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError

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
        raise RocInputError(f"report must be given {WANTED}, got none")
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
        raise RocInputError(f"report must be given {WANTED}, got {checks.show(given)}")
