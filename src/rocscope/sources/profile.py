"""A look at every cell of the columns that were asked for: wrong and missing ones are named by their rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.sources.columns import WANTED, Column, Kind
from rocscope.sources.source import Source

NA = ("error", "drop")
COUNTED = "data rows are counted from 1"
# Columns whose cells are looked at in one pass over the rows.
COLUMNS_AT_ONCE = 50


@dataclass(frozen=True)
class Profile:
    """Columns of an open table whose cells have been looked at.

    Attributes
    ----------
    columns
        The columns that were asked for, by name.
    found
        What was found out about each: whether all its cells are whole numbers, and the like.
    rows
        Number of rows.
    """

    source: Source
    columns: Mapping[str, Column]
    found: Mapping[str, Mapping[str, Any]]
    rows: int

    def typed(self, name: str) -> str:
        """SQL of a cell in the type of its column."""
        return self.columns[name].typed(self.found[name])

    def is_text(self, name: str) -> bool:
        """Whether the cells of a column are read as text."""
        return self.typed(name) == self.columns[name].text

    def complete(self, names: Iterable[str]) -> str:
        """SQL of the rows that lack none of these, as a WHERE clause; empty where none is missing."""
        missing = [self.columns[name].missing for name in names if self.found[name]["missing"]]
        return f"WHERE NOT ({' OR '.join(missing)})" if missing else ""

    def dropped(self, label: str, names: Iterable[str]) -> dict[str | None, int]:
        """Count the incomplete rows of each label, so that a loss in one class alone can be seen."""
        missing = [self.columns[name].missing for name in names if self.found[name]["missing"]]
        if not missing:
            return {}
        column = self.columns[label]
        name = f"CASE WHEN {column.missing} THEN NULL ELSE {column.text} END"
        tail = f"WHERE {' OR '.join(missing)} GROUP BY ALL ORDER BY ALL NULLS LAST"
        found = self.source.query(f"{name} AS label, count(*) AS n", tail, doing="checking")
        return dict(zip(np.ma.asarray(found["label"]).tolist(), found["n"].tolist(), strict=True))


def look(source: Source, asked: Mapping[str, Kind], *, na: str) -> Profile:
    """Look at every cell; wrong ones are refused, and missing ones unless `na` is "drop"."""
    checks.check_choice(na, NA, name="na")
    columns = source.columns(asked)
    rows, found = counts_of(source, columns)
    for column in columns:
        facts = found[column.name]
        if column.needs_shapes(facts):
            facts |= source.query_one(column.shapes(), distinct=column.cell)
        _refuse_wrong_cells(source, column, facts)
    if na == "error":
        _refuse_missing(source, columns, found)
    return Profile(source, {column.name: column for column in columns}, found, rows)


def counts_of(source: Source, columns: Sequence[Column]) -> tuple[int, dict[str, dict[str, Any]]]:
    """Number of rows, and the counts of every column; a table of less than two rows is refused.

    Some columns share one pass over the rows: all at once would take memory for each of them.
    """
    rows, found = 0, dict[str, dict[str, Any]]()
    for first in range(0, len(columns), COLUMNS_AT_ONCE):
        some = columns[first : first + COLUMNS_AT_ONCE]
        wanted = {f"{key}_{k}": sql for k, column in enumerate(some) for key, sql in column.counts().items()}
        counts = source.query_one({"n": "count(*)", **wanted})
        rows = counts["n"]
        if rows < 2:
            got = rows or source.nothing
            raise RocInputError(f"{source.file.shown} must hold at least two rows of data, got {got}")
        for k, column in enumerate(some):
            found[column.name] = column.known() | {key: counts[f"{key}_{k}"] for key in column.counts()}
    return rows, found


def _refuse_wrong_cells(source: Source, column: Column, found: Mapping[str, Any]) -> None:
    if found["wrong"]:
        _refuse_cells(source, column, column.wrong, found["wrong"], WANTED[column.kind])
    if column.kind == "number" and found.get("whole") and found["long"]:
        _refuse_cells(source, column, column.long, found["long"], "integers of 64 bits")
    if found.get("merged") and column.typed(found) == column.number:
        what = "decimals" if source.file.format == "parquet" else "numbers"
        raise RocInputError(
            f"column {column.name!r} of {source.file.shown} must hold {what} that float64 tells apart, "
            f"got {found['merged']} that it does not"
        )
    if found.get("mixed") and column.kind == "label":  # JSON may hold 1 beside "1": are they one label?
        raise RocInputError(
            f"column {column.name!r} of {source.file.shown} must hold labels of one type, "
            "got text, numbers or truth values side by side"
        )


def _refuse_cells(source: Source, column: Column, condition: str, count: int, wanted: str) -> None:
    rows, cells = _first_rows(source, column, condition)
    hint = "; a decimal comma must be a point" if "," in cells[0] and source.file.format == "csv" else ""
    raise RocInputError(
        f"column {column.name!r} of {source.file.shown} must hold {wanted}, got {checks.show(cells[0])} in "
        f"{_rows_words(rows, count)} ({COUNTED}){hint}"
    )


def _refuse_missing(
    source: Source, columns: Iterable[Column], found: Mapping[str, Mapping[str, Any]]
) -> None:
    told = []
    for column in columns:
        count = found[column.name]["missing"]
        if count:
            rows, _ = _first_rows(source, column, column.missing)
            told.append(f"{count} in column {column.name!r} ({_rows_words(rows, count)})")
    if told:
        raise RocInputError(
            f"{source.file.shown} must have no missing values, got {', '.join(told)}; {COUNTED}, and "
            "na='drop' (--na drop) leaves such rows out"
        )


def _first_rows(source: Source, column: Column, condition: str) -> tuple[list[int], list[str]]:
    first = f"WHERE {condition} ORDER BY row LIMIT {checks.SHOWN_ROWS}"
    found = source.query(f"row, {column.text} AS cell", first, numbered=True, doing="checking")
    return found["row"].tolist(), found["cell"].tolist()


def _rows_words(rows: list[int], count: int) -> str:
    shown = ", ".join(map(str, rows))
    more = f" and {count - len(rows)} more" if count > len(rows) else ""
    return f"row{'s' if count > 1 else ''} {shown}{more}"


def dropped_words(dropped: Mapping[str | None, int]) -> tuple[str, ...]:
    """Say how many rows were left out, for the warnings of a result.

    Examples
    --------
    >>> dropped_words({"ill": 2, None: 1})
    ("3 rows with missing values left out: 2 of 'ill', 1 without a label",)
    """
    if not dropped:
        return ()
    told = [
        f"{n} of {label!r}" if label is not None else f"{n} without a label" for label, n in dropped.items()
    ]
    rows = "row" if sum(dropped.values()) == 1 else "rows"
    return (f"{sum(dropped.values())} {rows} with missing values left out: {', '.join(told)}",)
