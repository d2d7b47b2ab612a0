"""Results made again from their JSON, where a file may hold anything."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rocscope.core.result import Result
from rocscope.errors import RocscopeError

# What a file that was changed by hand can make of a result: then its numbers are shown as they stand.
BROKEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    RuntimeError,
    RuntimeWarning,
    StopIteration,
    TypeError,
    ValueError,
    RocscopeError,
)


def restored(fields: Mapping[str, Any]) -> Result | None:
    """Make the result again that was saved; None where its type or its fields do not allow it.

    Examples
    --------
    >>> import rocscope as rs
    >>> area = rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> restored(area.to_dict()) == area
    True
    """
    try:
        return Result.from_dict(fields)
    except BROKEN:
        return None


@contextmanager
def checked() -> Iterator[None]:
    """Take a warning about numbers, as infinite ones make it, for an error that `BROKEN` names."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield
