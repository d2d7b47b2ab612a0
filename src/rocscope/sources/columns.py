"""How the cells of a column are read: the SQL that finds its type, its missing and its wrong cells.

Columns are called c0, c1, ... in SQL, by position: what a user wrote never becomes part of a statement.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rocscope.core.checks import EXACT_FLOAT_INTEGERS

# "label": a number or a truth value only if the whole column is.
Kind: TypeAlias = Literal["number", "weight", "label"]
WANTED = {"number": "numbers", "weight": "finite weights of at least 0", "label": "labels"}
MISSING_WORDS = "('', 'na', 'nan', '+nan', '-nan', 'null')"
WHOLE = "[+-]?[0-9]+"
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def count_of(condition: str) -> str:
    """Aggregate: the rows that meet a condition.

    Not by FILTER: of each such aggregate DuckDB keeps a copy of the cells that all aggregates see, so that
    memory would grow with the square of the columns.
    """
    return f"count(CASE WHEN {condition} THEN 1 END)"


@dataclass(frozen=True, slots=True)
class Column(ABC):
    """One column of a file that was asked for."""

    name: str
    position: int
    kind: Kind

    @property
    def cell(self) -> str:
        """The cell as it is."""
        return f"c{self.position}"

    @property
    @abstractmethod
    def text(self) -> str:
        """The cell as text, for messages and for labels that are text."""

    @property
    @abstractmethod
    def number(self) -> str:
        """The cell as a double, NULL if it is none."""

    @property
    @abstractmethod
    def missing(self) -> str:
        """Whether the cell holds nothing."""

    @abstractmethod
    def typed(self, found: Mapping[str, Any]) -> str:
        """The cell in the type that its column was found to have."""

    @property
    def is_label(self) -> str:
        """Whether the cell can be a label at all."""
        return "true"

    @property
    def wrong(self) -> str:
        """Whether a cell is not what its kind wants."""
        right = {
            "number": f"({self.number}) IS NOT NULL",
            "weight": f"coalesce(({self.number}) >= 0 AND isfinite({self.number}), false)",
            "label": self.is_label,
        }
        return f"NOT ({self.missing}) AND NOT ({right[self.kind]})"

    @property
    def long(self) -> str:
        """Whether a cell is beyond 64-bit integers."""
        return f"NOT ({self.missing}) AND TRY_CAST({self.text} AS BIGINT) IS NULL"

    def counts(self) -> dict[str, str]:
        """Aggregates over all cells: how many are missing, are wrong, the ends and the largest size."""
        found = {"missing": count_of(self.missing), "wrong": count_of(self.wrong)}
        if self.kind != "label":
            present = f"CASE WHEN NOT ({self.missing}) THEN abs({self.number}) END"
            found["largest"] = f"coalesce(max({present}), 0)"
        if self.kind == "number":
            number = f"CASE WHEN NOT ({self.missing}) THEN {self.number} END"
            found |= {"low": f"min({number})", "high": f"max({number})"}
        return found

    def known(self) -> dict[str, Any]:
        """What is known of all cells without a look."""
        return {}

    def shapes(self) -> dict[str, str]:
        """Aggregates over the distinct cells: what all that are not missing have in common."""
        return {}

    def needs_shapes(self, counts: Mapping[str, Any]) -> bool:
        """Whether the type is not settled yet: of labels, and of numbers that float64 may not hold."""
        return self.kind == "label" or (self.kind == "number" and counts["largest"] >= EXACT_FLOAT_INTEGERS)

    def merged(self, text: str) -> str:
        """Aggregate over the distinct cells: how many numbers as written become equal as doubles.

        Only long whole numbers are looked at: beside a fraction they must become doubles, and a double of
        their size is a whole number as well.
        """
        whole, double = f"TRY_CAST({text} AS HUGEINT)", f"TRY_CAST(({self.number}) AS HUGEINT)"
        exact = (
            f"CASE WHEN regexp_full_match({text}, '{WHOLE}') THEN coalesce(CAST({whole} AS VARCHAR), {text}) "
            f"ELSE coalesce(CAST({double} AS VARCHAR), {text}) END"
        )
        long = f"coalesce(isfinite({self.number}) AND abs({self.number}) >= {EXACT_FLOAT_INTEGERS}, false)"
        return f"count(DISTINCT {exact}) FILTER ({long}) - count(DISTINCT ({self.number})) FILTER ({long})"

    def all_present(self, condition: str) -> str:
        """Aggregate: whether all cells that are not missing meet a condition."""
        return f"coalesce(bool_and({condition}) FILTER (NOT ({self.missing})), false)"


@dataclass(frozen=True, slots=True)
class TextColumn(Column):
    """A column of text cells, as CSV has them."""

    @property
    def text(self) -> str:
        """The cell as it is."""
        return self.cell

    @property
    def bare(self) -> str:
        """The cell without blanks around it."""
        return f"trim({self.cell}, ' ' || chr(9))"

    @property
    def number(self) -> str:
        """The cell as a double, NULL if it is none; DuckDB's 1_000 is not a number in any table."""
        return f"CASE WHEN contains({self.cell}, '_') THEN NULL ELSE TRY_CAST({self.cell} AS DOUBLE) END"

    @property
    def missing(self) -> str:
        """Whether the cell is empty or one of the words for nothing."""
        by_word = f"coalesce(lower({self.bare}) IN {MISSING_WORDS}, true)"
        if self.kind == "label":
            return by_word
        return f"CASE WHEN isfinite({self.number}) THEN false ELSE {by_word} END"  # cheap for most cells

    def shapes(self) -> dict[str, str]:
        """What the distinct cells have in common: the type that the column has."""
        return {
            "whole": self.all_present(f"regexp_full_match({self.bare}, '{WHOLE}')"),
            "decimal": self.all_present(f"regexp_full_match({self.bare}, '{DECIMAL}')"),
            "truth": self.all_present(f"lower({self.bare}) IN ('true', 'false')"),
            "long": count_of(self.long),
            "merged": self.merged(self.bare),
        }

    def typed(self, found: Mapping[str, Any]) -> str:
        """The cell in the type that its column was found to have."""
        if found.get("whole") and not found["long"]:
            return f"TRY_CAST({self.cell} AS BIGINT)"
        if self.kind != "label" or (found["decimal"] and not found["whole"]):
            return self.number
        return f"lower({self.bare}) = 'true'" if found["truth"] else self.text


def read_like(text: str, found: Mapping[str, Any]) -> Any:
    """Read a label typed by a user the way the cells of its column are read, or leave it text."""
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


def label_like(pos_label: Any, found: Mapping[str, Any]) -> Any:
    """Read the positive label the way the column of the labels was read."""
    return read_like(pos_label, found) if isinstance(pos_label, str) else pos_label
