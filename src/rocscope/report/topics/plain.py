"""Any other result: its picture where it has one, its text, its numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from rocscope import views
from rocscope.errors import RocInputError
from rocscope.report.items import Item
from rocscope.report.safety import element
from rocscope.report.sections import Part, Plot, Section
from rocscope.report.tables import columns_table, remarks


def sections(items: Sequence[Item]) -> list[Section]:
    """One section for each result."""
    return [_section(item) for item in items]


def _section(item: Item) -> Section:
    told = str(item.result)
    picture = picture_of(item.result)
    notes = remarks([("", item.result)])
    body: list[Part] = [
        element("p", told, class_="reading")
        if picture is None
        else Plot(picture=picture, reading=told, notes=notes)
    ]
    table = columns_table(item.result)
    return Section(
        title=item.titled(type_words(type(item.result).__name__)),
        body=(*body, *([] if table is None else [table])),
    )


def picture_of(result: Any) -> views.Picture | None:
    """The picture of a result, or None for a type without one."""
    try:
        return views.picture(result)
    except RocInputError:
        return None


def type_words(name: str) -> str:
    """Name of a type in words.

    Examples
    --------
    >>> type_words("TestResult")
    'Test result'
    """
    parts = re.findall("[A-Z][a-z0-9]*", name)
    return " ".join([parts[0], *(part.lower() for part in parts[1:])]) if parts else name
