"""Any other result: its picture where it has one, its text, its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rocscope import views
from rocscope.errors import RocInputError
from rocscope.report.items import Item
from rocscope.report.safety import element
from rocscope.report.sections import Part, Plot, Section, Table
from rocscope.report.tables import columns_table, remarks, type_words
from rocscope.report.topics.told import told


def sections(items: Sequence[Item]) -> list[Section]:
    """One section for each result."""
    return [_section(item) for item in items]


def _section(item: Item) -> Section:
    text = told(item.result)
    picture = None if views.is_table(item.result) else picture_of(item.result)
    notes = remarks([("", item.result)])
    body: list[Part] = [
        element("p", text, class_="reading"),
        *(element("p", note, class_="note") for note in notes),
    ]
    if picture is not None:
        body = [Plot(picture=picture, reading=text, notes=notes)]
    table = columns_table(item.result)
    title = type_words(type(item.result).__name__)
    return Section(title=item.titled(title), body=(*body, *([] if table is None else [_upright(table)])))


def _upright(table: Table) -> Table:
    """A table of one row with its columns below each other."""
    if len(table.rows) != 1:
        return table
    rows = tuple(zip(table.header, table.rows[0], strict=True))
    return replace(table, header=("", "value"), rows=rows)


def picture_of(result: Any) -> views.Picture | None:
    """The picture of a result, or None for a type without one."""
    try:
        return views.picture(result)
    except RocInputError:
        return None
