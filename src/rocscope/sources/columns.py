"""How the text of a column is read: the SQL that finds its type, its missing and its wrong cells.

Columns are called c0, c1, ... in SQL, by position: what a user wrote never becomes part of a statement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rocscope.core.checks import EXACT_FLOAT_INTEGERS

# "number": every cell must be one. "label": a number or a truth value only if the whole column is.
Kind: TypeAlias = Literal["number", "label"]

BLANKS = "' ' || chr(9)"
WHOLE = "[+-]?[0-9]+"
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a file that was asked for."""

    name: str
    position: int
    kind: Kind

    @property
    def cell(self) -> str:
        """The cell as text."""
        return f"c{self.position}"

    @property
    def bare(self) -> str:
        """The cell without blanks around it."""
        return f"trim({self.cell}, {BLANKS})"

    @property
    def missing(self) -> str:
        """Whether the cell is empty or one of the words for nothing."""
        return f"coalesce(lower({self.bare}) IN ('', 'na', 'nan', '-nan', 'null'), true)"

    @property
    def number(self) -> str:
        """The cell as a double, NULL if it is none; DuckDB's 1_000 is not a number in any table."""
        return f"CASE WHEN contains({self.cell}, '_') THEN NULL ELSE TRY_CAST({self.bare} AS DOUBLE) END"

    @property
    def wrong(self) -> str:
        """Whether a cell that should be a number is not."""
        return f"NOT {self.missing} AND ({self.number}) IS NULL"

    def profile(self) -> dict[str, str]:
        """Aggregates over the cells that are there: enough to declare the type of the column."""
        present = f"FILTER (NOT {self.missing})"
        return {
            "missing": f"count(*) FILTER ({self.missing})",
            "wrong": f"count(*) FILTER ({self.wrong})",
            "whole": f"bool_and(regexp_full_match({self.bare}, '{WHOLE}')) {present}",
            "decimal": f"bool_and(regexp_full_match({self.bare}, '{DECIMAL}')) {present}",
            "truth": f"bool_and(lower({self.bare}) IN ('true', 'false')) {present}",
            "long": f"count(*) FILTER (NOT {self.missing} AND TRY_CAST({self.bare} AS BIGINT) IS NULL)",
            "largest": f"max(abs({self.number})) {present}",
        }

    def typed(self, found: Mapping[str, Any]) -> str:
        """The cell in the type that the profile of the column declares."""
        if self.kind == "number":
            exact = found["whole"] and found["largest"] >= EXACT_FLOAT_INTEGERS and not found["long"]
            return f"TRY_CAST({self.bare} AS BIGINT)" if exact else self.number
        if found["whole"] and not found["long"]:
            return f"TRY_CAST({self.bare} AS BIGINT)"
        if found["decimal"] and not found["whole"]:
            return self.number
        return f"lower({self.bare}) = 'true'" if found["truth"] else self.cell


def read_like(text: str, found: Mapping[str, Any]) -> Any:
    """Read a label typed by a user the way the cells of its column are read; as text if it is none of them."""
    bare = text.strip(" \t")
    try:
        if found["whole"] and not found["long"]:
            return int(bare)
        if found["decimal"] and not found["whole"]:
            return float(bare)
    except ValueError:
        return text
    truth = {"true": True, "false": False}
    return truth.get(bare.lower(), text) if found["truth"] else text
