"""JSON of any form as tables: what is shown of a file that does not become a result again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rocscope.report.sections import Part, Table
from rocscope.report.tables import cell, heading, table_of

DEEPEST = 3  # tables inside of tables
FEW = 8  # values that share a cell, and columns of a matrix that are shown


def tables(fields: Mapping[str, Any], caption: str, depth: int = DEEPEST) -> list[Part]:
    """Single values in one table, columns of one length in another, inner results in their own."""
    told = {name: value for name, value in fields.items() if name != "type"}
    single = {name: _short(value) for name, value in told.items() if _is_single(value)}
    parts: list[Part] = []
    if single:
        rows = [(heading(name), cell(value)) for name, value in single.items()]
        parts.append(Table(caption=caption, header=("", "value"), rows=rows))
    for columns in _columns(told).values():
        names = ", ".join(map(heading, columns))
        found = table_of(columns, caption=names if len(columns) < 4 else f"{caption}: numbers")
        parts += [] if found is None else [found]
    alike = {name: value for name, value in told.items() if isinstance(value, Mapping) and "value" in value}
    if len(alike) > 1:
        rows_alike = [{"": heading(name), **value} for name, value in alike.items()]
        parts += _inner(f"{caption}: estimates", rows_alike, depth)
        told = {name: value for name, value in told.items() if name not in alike}
    for name, value in told.items():
        parts += _inner(heading(name), value, depth - 1) if depth else []
    return parts


def _is_single(value: Any) -> bool:
    """Whether a value fits into one cell; what was not given or is undefined is left out."""
    return value is not None and (not isinstance(value, (list, Mapping)) or _is_row(value))


def _is_row(value: Any) -> bool:
    few = isinstance(value, list) and 0 < len(value) <= FEW
    return few and not any(isinstance(one, (list, Mapping)) for one in value)


def _columns(fields: Mapping[str, Any]) -> dict[int, dict[str, list[Any]]]:
    """Lists of numbers by their length; the columns of a small matrix are told apart by their number."""
    found: dict[int, dict[str, list[Any]]] = {}
    for name, value in fields.items():
        if not isinstance(value, list) or _is_row(value) or any(isinstance(one, Mapping) for one in value):
            continue
        rows = [one for one in value if isinstance(one, list)]
        if not rows:
            found.setdefault(len(value), {})[name] = value
        elif len(rows) == len(value) and len({len(row) for row in rows}) == 1 and len(rows[0]) <= FEW:
            columns = {f"{name} {k + 1}": [_short(row[k]) for row in rows] for k in range(len(rows[0]))}
            found.setdefault(len(value), {}).update(columns)
    return found


def _inner(name: str, value: Any, depth: int) -> list[Part]:
    if isinstance(value, Mapping):
        return tables(value, name, depth)
    if not isinstance(value, list) or not value or not all(isinstance(row, Mapping) for row in value):
        return []
    columns = dict.fromkeys(key for row in value for key in row if key != "type")
    made = table_of({key: [_short(row.get(key)) for row in value] for key in columns}, caption=name)
    return [] if made is None else [made]


def _short(value: Any) -> Any:
    """A value for a cell; what is nested deeper is told by its size."""
    if isinstance(value, Mapping):
        return value.get("value", f"{len(value)} fields")
    if isinstance(value, list):
        return [cell(one) for one in value] if _is_row(value) else f"{len(value)} values"
    return value
