"""Scores of both classes in pieces that fit into memory, from the lowest scores to the highest.

The rows are not sorted as a whole. A sample tells where to cut the scores; each pass over the file fetches
the rows between two cuts, which NumPy sorts far faster than a database sorts rows. Where that would take
too many passes, the rows between two cuts are copied to a file first and cut again.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.scores import BinaryScores
from rocscope.core.table import LARGE
from rocscope.sources.database import Database

SAMPLE_ROWS = 20_000
# Sampled cuts are uneven by about one part in a hundred; more than this share above the mean is no chance.
SLACK = 1.15
MOST_PASSES = 16
# A row on its way from DuckDB through NumPy, at most: nine bytes, doubled while arrays grow, and split.
ROW_BYTES = 25
LEAST_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Piece:
    """Ascending scores of each class within one stretch of scores.

    A `tied` piece is one score; only its counts are kept.
    """

    pos: NDArray[Any]
    neg: NDArray[Any]
    tied: tuple[int, int] | None = None

    @property
    def counts(self) -> tuple[int, int]:
        """Number of positives and negatives."""
        return self.tied or (self.pos.size, self.neg.size)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Scores between two cuts, which are not part of it; None is no cut."""

    low: Any = None
    high: Any = None

    @property
    def where(self) -> str:
        """The rows, as a WHERE clause."""
        tests = [] if self.low is None else ["score > $low"]
        tests += [] if self.high is None else ["score < $high"]
        return f"WHERE {' AND '.join(tests)}" if tests else ""

    @property
    def values(self) -> dict[str, Any]:
        """The parameters of the clause."""
        cuts = {"low": self.low, "high": self.high}
        return {name: value for name, value in cuts.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of two columns, `positive` and `score`, that can be scanned as often as needed."""

    database: Database
    relation: str
    values: Mapping[str, Any]
    count: int

    @property
    def budget(self) -> int:
        """Rows that may be in memory at once."""
        return max(self.database.limits.half // ROW_BYTES, LEAST_ROWS)

    def query(self, select: str, tail: str = "", doing: str = "reading", **values: Any) -> dict[str, Any]:
        """Columns of a SELECT over the rows, in any order."""
        sql = f"SELECT {select} FROM {self.relation} {tail}"
        return self.database.query(sql, {**self.values, **values}, doing=doing)

    def fetch(self, stretch: Stretch, most: int) -> Piece | None:
        """The rows of a stretch, sorted, or nothing if they are more than `most`."""
        tail = f"{stretch.where} LIMIT {most + 1}"
        found = self.query("positive, score", tail, doing="sorting", **stretch.values)
        if found["score"].size > most:
            return None
        return sorted_piece(found["positive"], found["score"])

    def cuts(self, number: int) -> list[Any]:
        """At most so many different scores that part the rows about evenly, ascending."""
        sample = self.query(
            "score", f"USING SAMPLE reservoir({SAMPLE_ROWS} ROWS) REPEATABLE (1)", doing="sampling"
        )["score"]
        sample.sort()
        places = np.linspace(0, sample.size - 1, number + 2)[1:-1].round().astype(int)
        return np.unique(sample[places]).tolist()

    def at(self, cuts: list[Any]) -> dict[Any, Piece]:
        """The rows that lie on the cuts, counted: a score that many rows share is always among them."""
        kind = "BIGINT" if isinstance(cuts[0], int) else "DOUBLE"
        # A list in a subquery: an IN list may be pushed into filters of the file, made by who knows whom.
        tail = f"WHERE score IN (SELECT unnest($cuts::{kind}[])) GROUP BY score"
        counts = "count(*) FILTER (positive) AS pos, count(*) FILTER (NOT positive) AS neg"
        found = self.query(f"score, {counts}", tail, doing="counting", cuts=cuts)
        columns = (found[name].tolist() for name in ("score", "pos", "neg"))
        return {score: tied_piece(score, pos, neg) for score, pos, neg in zip(*columns, strict=True)}

    def copied(self, stretch: Stretch) -> Rows:
        """The rows of a stretch in a file of their own, in the temporary folder."""
        return copy_rows(
            replace(self, relation=f"(SELECT positive, score FROM {self.relation} {stretch.where})"),
            stretch.values,
        )

    def remove(self) -> None:
        """Remove the file of copied rows, to make room for the next."""
        path = self.values.get("copy")
        if path is not None:
            from pathlib import Path

            Path(path).unlink(missing_ok=True)


def copy_rows(rows: Rows, values: Mapping[str, Any]) -> Rows:
    """Write rows to a Parquet file in the temporary folder, from where they can be scanned quickly."""
    raise NotImplementedError
