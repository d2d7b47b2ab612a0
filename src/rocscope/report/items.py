"""What a report is given: results, alone or by name, in the order in which they came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rocscope.core import checks
from rocscope.core.curve import curve_of
from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError

WANTED = "results of rocscope, BinaryScores, or mappings from names to results or lists of them"


@dataclass(frozen=True, slots=True)
class Item:
    """A result, and the name of the classifier or data it belongs to; None without one."""

    name: str | None
    result: Any

    def titled(self, title: str) -> str:
        """A title with the name, where there is one.

        Examples
        --------
        >>> Item("marker", None).titled("ROC curve"), Item(None, None).titled("ROC curve")
        ('ROC curve: marker', 'ROC curve')
        """
        return title if self.name is None else f"{title}: {self.name}"


def read_items(results: Sequence[Any]) -> list[Item]:
    """Return every result that was given, with its name; scores become their curves.

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
    return items


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
