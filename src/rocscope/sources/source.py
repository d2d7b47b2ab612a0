"""An open table, whatever its format: columns c0, c1, ... by position, behind one connection.

What a user wrote, a path or a name, never becomes part of a statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.sources.columns import Column, Kind
from rocscope.sources.database import Database
from rocscope.sources.local import LocalFile

SHOWN_NAMES = 20


@dataclass(frozen=True, slots=True)
class Source:
    """A table with its column names known, ready for queries.

    Attributes
    ----------
    names
        Names of all columns, in their order.
    relation
        What stands after FROM, with $parameters.
    values
        The parameters.
    make_column
        Makes a column from its name, position and kind: how cells are read depends on the format.
    nothing
        What a table without rows is, in words.
    """

    database: Database
    names: tuple[str, ...]
    relation: str
    values: Mapping[str, Any]
    make_column: Callable[[str, int, Kind], Column]
    nothing: str = "none"

    @property
    def file(self) -> LocalFile:
        """The file that is read."""
        return self.database.file

    def columns(self, asked: Mapping[str, Kind]) -> list[Column]:
        """The columns of these names; an unknown name is refused with the nearest ones."""
        return [self.make_column(name, self._position(name), kind) for name, kind in asked.items()]

    def _position(self, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        shown = ", ".join(map(repr, self.names[:SHOWN_NAMES])) or "none"
        more = f" and {len(self.names) - SHOWN_NAMES} more" if len(self.names) > SHOWN_NAMES else ""
        raise RocInputError(
            f"{self.file.shown} must have a column {name!r}, got {shown}{more}{self._hint(name)}"
        )

    def _hint(self, name: str) -> str:
        if self.file.format == "csv" and all(re.fullmatch(r"[-+.\deE ]+", cell) for cell in self.names):
            return "; the first line must name the columns"
        if self.file.format == "csv" and self.names[0].startswith("{"):
            return "; JSON lines are read as format='jsonl' (--format jsonl)"
        alike = [known for known in self.names if known.strip().lower() == name.strip().lower()]
        return checks.did_you_mean(alike[0], alike) if alike else checks.did_you_mean(name, self.names)

    def query(
        self,
        select: str,
        tail: str = "",
        *,
        distinct: str | None = None,
        numbered: bool = False,
        values: Mapping[str, Any] | None = None,
        doing: str = "reading",
    ) -> dict[str, NDArray[Any]]:
        """Columns of a SELECT over all rows in file order, over `distinct` cells, or with a column `row`."""
        relation = self.relation
        if numbered:
            relation = f"(SELECT row_number() OVER () AS row, * FROM {relation})"
        if distinct is not None:
            relation = f"(SELECT DISTINCT {distinct} FROM {relation})"
        sql = f"SELECT {select} FROM {relation} {tail}"
        return self.database.query(sql, {**self.values, **(values or {})}, doing=doing)

    def query_one(
        self, columns: Mapping[str, str], *, distinct: str | None = None, doing: str = "checking"
    ) -> dict[str, Any]:
        """The only row of a query of named expressions, as plain Python."""
        select = ", ".join(f"{sql} AS {name}" for name, sql in columns.items())
        found = self.query(select, distinct=distinct, doing=doing)
        return {name: values.tolist()[0] for name, values in found.items()}


def refuse_duplicates(names: Sequence[str], file: LocalFile) -> None:
    """Two columns of one name are ambiguous; nameless ones cannot be asked for and may repeat."""
    twice = [name for name in dict.fromkeys(names) if name and names.count(name) > 1]
    if twice:
        raise RocInputError(
            f"{file.shown} must have different column names, got {', '.join(map(repr, twice))} more than once"
        )
