"""A picture as plain Python: what tests read, and what strict JSON can hold."""

from __future__ import annotations

import dataclasses
from typing import Any

from rocscope.core.result import plain
from rocscope.plotting.marks import Mark, Picture


def record(picture: Picture) -> dict[str, Any]:
    """Return a picture as nested dicts and lists; NaN and infinity become None.

    Examples
    --------
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> drawn = record(plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])))
    >>> curve = drawn["panels"][0]["marks"][1]
    >>> curve["mark"], curve["label"], curve["y"]
    ('Line', 'AUC = 0.75', [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    drawn: dict[str, Any] = _record(picture)
    return drawn


def _record(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_record(item) for item in value]
    if not dataclasses.is_dataclass(value):
        return plain(value)
    kind = {"mark": type(value).__name__} if isinstance(value, Mark) else {}
    return kind | {field.name: _record(getattr(value, field.name)) for field in dataclasses.fields(value)}
