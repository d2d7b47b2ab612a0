"""How the cells of a column are read: the SQL that finds its type, its missing and its wrong cells.

Columns are called c0, c1, ... in SQL, by position: what a user wrote never becomes part of a statement.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from rocscope.core.checks import EXACT_FLOAT_INTEGERS
from rocscope.errors import RocInputError

# "label": a number or a truth value only if the whole column is.
Kind: TypeAlias = Literal["number", "weight", "label"]
REQUIRED = {"number": "numbers", "weight": "finite weights of at least 0", "label": "labels"}
MISSING_TEXTS = "('', 'na', 'nan', '+nan', '-nan', 'null')"
WHOLE = "[+-]?[0-9]+"
# How a value below the limit of detection begins.
BELOW = r"^\s*[<≤]=?\s*"
DECIMAL = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def count_of(condition: str) -> str:
    """Aggregate: the rows that meet a condition.

    Not by FILTER: of each such aggregate DuckDB keeps a copy of the cells that all aggregates see, so that
    memory would grow with the square of the columns.
    """
    return f"count(CASE WHEN {condition} THEN 1 END)"


@dataclass(frozen=True, slots=True)
class Column(ABC):
    """One required column of a file."""

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

    @property
    def plain_text(self) -> str:
        """The cell as text without quotes, for any kind of column."""
        return self.text

    @property
    def bare(self) -> str:
        """The text without blanks around it."""
        return self.text

    @property
    def is_label(self) -> str:
        """Whether the cell can be a label at all."""
        return "true"

    @property
    def is_number(self) -> str:
        """Whether the cell may be a number, whatever its text."""
        return "true"

    @property
    def is_truth(self) -> str:
        """Whether the cell is a truth value."""
        return f"lower({self.bare}) IN ('true', 'false')"

    @property
    def wrong(self) -> str:
        """Whether a cell is not what its kind requires."""
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
        facts = {"missing": count_of(self.missing), "wrong": count_of(self.wrong)}
        if self.kind != "label":
            present = f"CASE WHEN NOT ({self.missing}) THEN abs({self.number}) END"
            facts["largest"] = f"coalesce(max({present}), 0)"
        if self.kind == "number":
            number = f"CASE WHEN NOT ({self.missing}) THEN {self.number} END"
            facts |= {"low": f"min({number})", "high": f"max({number})"}
        return facts

    def known(self) -> dict[str, Any]:
        """What is known of all cells without a look."""
        return {}

    def shapes(self) -> dict[str, str]:
        """Aggregates over the distinct cells: what all that are not missing have in common."""
        return {
            "whole": self.all_present(f"{self.is_number} AND regexp_full_match({self.bare}, '{WHOLE}')"),
            "decimal": self.all_present(f"{self.is_number} AND regexp_full_match({self.bare}, '{DECIMAL}')"),
            "truth": self.all_present(self.is_truth),
            "long": count_of(self.long),
            "merged": self.merged(),
        }

    def typed(self, facts: Mapping[str, Any]) -> str:
        """The cell in the type that its column has."""
        if facts.get("whole") and not facts["long"]:
            return f"TRY_CAST({self.text} AS BIGINT)"
        if self.kind != "label" or (facts["decimal"] and not facts["whole"]):
            return self.number
        return f"lower({self.bare}) = 'true'" if facts["truth"] else self.text

    def needs_shapes(self, counts: Mapping[str, Any]) -> bool:
        """Whether the type is not settled yet: of labels, and of numbers that float64 may not hold."""
        return self.kind == "label" or (self.kind == "number" and counts["largest"] >= EXACT_FLOAT_INTEGERS)

    def merged(self) -> str:
        """Aggregate over the distinct cells: how many numbers as written become equal as doubles.

        Only long whole numbers are looked at: beside a fraction they must become doubles, and a double of
        their size is a whole number as well.
        """
        text, double = self.bare, f"TRY_CAST(({self.number}) AS HUGEINT)"
        whole = f"TRY_CAST({text} AS HUGEINT)"
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
    """A column of text cells, as CSV has them.

    With `comma` a comma stands before the decimals and a point nowhere; with `below` a cell such as "<0.05"
    is the number behind the sign.
    """

    comma: bool = False
    below: bool = False

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
        text, unread = self.cell, f"contains({self.cell}, '_')"
        if self.below:
            text = f"regexp_replace({text}, '{BELOW}', '')"
        if self.comma:
            text, unread = f"replace({text}, ',', '.')", f"{unread} OR contains({self.cell}, '.')"
        return f"CASE WHEN {unread} THEN NULL ELSE TRY_CAST({text} AS DOUBLE) END"

    @property
    def is_below(self) -> str:
        """Whether the cell says that a value lies below a limit."""
        return f"coalesce(regexp_matches({self.cell}, '{BELOW}'), false)"

    @property
    def missing(self) -> str:
        """Whether the cell is empty or one of the texts for nothing."""
        by_text = f"coalesce(lower({self.bare}) IN {MISSING_TEXTS}, true)"
        if self.kind == "label":
            return by_text
        return f"CASE WHEN isfinite({self.number}) THEN false ELSE {by_text} END"  # cheap for most cells


def label_like(label: Any, facts: Mapping[str, Any]) -> Any:
    """Read a label that a user typed the way the cells of its column are read, or leave it as it is."""
    if isinstance(label, (list, tuple)):
        return [label_like(one, facts) for one in label]
    if not isinstance(label, str):
        return label
    bare = label.strip(" \t")
    try:
        if facts["whole"] and not facts["long"]:
            return int(bare)
        if facts["decimal"] and not facts["whole"]:
            return float(bare)
    except ValueError:
        return label
    truth = {"true": True, "false": False}
    return truth.get(bare.lower(), label) if facts["truth"] else label


# ---- Columns whose cells have types already: those of Parquet, and the values of JSON ---------------------

Group: TypeAlias = Literal["truth", "whole", "float", "decimal", "text", "time", "other"]
GROUPS: dict[str, Group] = {
    "BOOLEAN": "truth",
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "whole"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "whole"),
    **dict.fromkeys(("FLOAT", "DOUBLE"), "float"),
    **dict.fromkeys(("VARCHAR", "UUID"), "text"),
}
SHORT = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
NUMBERS = ("truth", "whole", "float", "decimal")
TITLES = {"text": "text", "time": "dates or times", "other": "values that are neither text nor numbers"}
BLANK = "trim({}, ' ' || chr(9) || chr(10) || chr(13)) = ''"
SHOWN_TYPE = 60


def group_of(sql_type: str) -> Group:
    """What a DuckDB type is to us.

    Examples
    --------
    >>> group_of("DECIMAL(18,0)"), group_of("DECIMAL(18,2)"), group_of("INTEGER[]")
    ('whole', 'decimal', 'other')
    """
    scale = re.fullmatch(r"DECIMAL\(\d+,(\d+)\)", sql_type)
    if scale:
        return "decimal" if int(scale[1]) else "whole"
    if re.fullmatch(r"(DATE|TIME|TIMESTAMP|INTERVAL)[\w ]*", sql_type):
        return "time"
    return GROUPS.get(sql_type, "other")


@dataclass(frozen=True, slots=True)
class TypedColumn(Column):
    """A column of one SQL type, as Parquet has them."""

    sql_type: str

    @property
    def group(self) -> Group:
        """What the type is to us."""
        return group_of(self.sql_type)

    @property
    def text(self) -> str:
        """The cell written out."""
        return f"CAST({self.cell} AS VARCHAR)"

    @property
    def number(self) -> str:
        """The cell as a double; a decimal by its digits, which rounds once."""
        return f"CAST({self.text if self.group == 'decimal' else self.cell} AS DOUBLE)"

    @property
    def missing(self) -> str:
        """Whether the cell is NULL, not a number, or blank text."""
        if self.group == "float":
            # Not isnan: DuckDB reads that from the statistics of the file, and these leave NaN out.
            return f"({self.cell} IS NULL OR (NOT isfinite({self.cell}) AND NOT isinf({self.cell})))"
        if self.group == "text":
            return f"coalesce({BLANK.format(self.text)}, true)"
        return f"({self.cell} IS NULL)"

    @property
    def long(self) -> str:
        """Whether a cell is beyond 64-bit integers."""
        return f"NOT ({self.missing}) AND TRY_CAST({self.cell} AS BIGINT) IS NULL"

    def counts(self) -> dict[str, str]:
        """Add what the type leaves open: integers beyond 64 bits, decimals of more digits than a double."""
        facts = super(TypedColumn, self).counts()
        if self.group == "whole" and self.sql_type not in SHORT:
            facts["long"] = count_of(self.long)
        if self.group == "decimal" and self.kind == "number":
            back = f"TRY_CAST({self.number} AS {self.sql_type})"
            facts["rounded"] = count_of(f"NOT ({self.missing}) AND {back} IS DISTINCT FROM {self.cell}")
        return facts

    def needs_shapes(self, counts: Mapping[str, Any]) -> bool:
        """Only where decimals lose digits: do they still differ?"""
        return bool(counts.get("rounded"))

    def shapes(self) -> dict[str, str]:
        """How many different decimals become equal as doubles."""
        return {"merged": f"count({self.cell}) - count(DISTINCT {self.number})"}

    def known(self) -> dict[str, Any]:
        """What the type says about all cells."""
        decimal = self.group in ("float", "decimal")
        return {"whole": self.group == "whole", "decimal": decimal, "truth": self.group == "truth", "long": 0}

    def typed(self, facts: Mapping[str, Any]) -> str:
        """The cell as a 64-bit integer, a double, a truth value or text."""
        if self.kind == "weight" or (self.kind == "number" and facts["largest"] < EXACT_FLOAT_INTEGERS):
            return self.number
        if self.group == "whole":
            return self.text if facts["long"] else f"CAST({self.cell} AS BIGINT)"
        if self.group == "truth":
            return self.cell
        return self.number if self.group in NUMBERS else self.text


def typed_column(name: str, position: int, kind: Kind, *, sql_type: str, shown: str) -> TypedColumn:
    """Make a column, if its type can serve: nested and binary ones cannot, scores must be numbers."""
    column = TypedColumn(name, position, kind, sql_type)
    if column.group == "other" or (kind != "label" and column.group not in NUMBERS):
        short = sql_type if len(sql_type) <= SHOWN_TYPE else f"{sql_type[: SHOWN_TYPE - 3]}..."
        raise RocInputError(
            f"column {name!r} of {shown} must hold {REQUIRED[kind]}, got {TITLES[column.group]} ({short})"
        )
    return column


@dataclass(frozen=True, slots=True)
class JsonColumn(Column):
    """A column of JSON values, each with a type of its own; text is never read as a number."""

    @property
    def json_type(self) -> str:
        """DuckDB's name for the type of the value."""
        return f"json_type({self.cell})"

    @property
    def is_number(self) -> str:
        """Whether the value is a number."""
        return f"{self.json_type} IN ('UBIGINT', 'BIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE')"

    @property
    def is_label(self) -> str:
        """Whether the value is no list and no object."""
        return f"{self.json_type} NOT IN ('ARRAY', 'OBJECT')"

    @property
    def text(self) -> str:
        """The value: text without its quotes, a number as it is written; for scores the JSON itself."""
        return f"({self.cell} ->> '$')" if self.kind == "label" else f"CAST({self.cell} AS VARCHAR)"

    @property
    def plain_text(self) -> str:
        """The value without quotes."""
        return f"({self.cell} ->> '$')"

    @property
    def number(self) -> str:
        """The value as a double, NULL if it is no number."""
        return f"CASE WHEN {self.is_number} THEN TRY_CAST(CAST({self.cell} AS VARCHAR) AS DOUBLE) END"

    @property
    def missing(self) -> str:
        """Whether the value is absent, null or NaN, or a blank label."""
        by_number = f"{self.cell} IS NULL OR coalesce(isnan({self.number}), false)"
        if self.kind != "label":
            return f"({by_number})"
        return f"({by_number} OR coalesce({BLANK.format(self.text)}, true))"

    @property
    def is_truth(self) -> str:
        """Whether the value is true or false, not text."""
        return f"{self.json_type} = 'BOOLEAN'"

    def shapes(self) -> dict[str, str]:
        """Add whether the types of the values are `mixed`."""
        types = f"CASE WHEN {self.is_number} THEN 'number' ELSE {self.json_type} END"
        mixed = f"count(DISTINCT {types}) FILTER (NOT ({self.missing})) > 1"
        return super(JsonColumn, self).shapes() | {"mixed": mixed}
