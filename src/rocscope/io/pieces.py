"""Scores of both classes in pieces that fit into memory, from the lowest scores to the highest.

The rows are not sorted as a whole. A sample shows where to cut the scores; each pass over the file fetches
the rows between two cuts, which NumPy sorts far faster than a database sorts rows. Where that would take
too many passes, the rows between two cuts are copied to a file first and cut again.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core.frames import dropped_warning
from rocscope.core.rules import Direction
from rocscope.core.scores import CODES, MOST_CODES, outlying_codes, read_binary_labels
from rocscope.core.stretches import sorted_sums
from rocscope.core.table import LARGE, PlacementSums, ScoreTable
from rocscope.errors import RocInputError
from rocscope.io.columns import label_like
from rocscope.io.database import Database, Profile

SAMPLE_ROWS = 20_000
# Sampled cuts are uneven by about one part in a hundred.
SLACK = 1.15
MOST_PASSES = 16


@dataclass(frozen=True, slots=True)
class SortedPiece:
    """Ascending scores of each class."""

    pos: NDArray[Any]
    neg: NDArray[Any]

    @classmethod
    def from_rows(cls, positive: NDArray[np.bool_], scores: NDArray[Any]) -> SortedPiece:
        """Split rows by class and sort."""
        if scores.size >= LARGE:
            from rocscope.core import kernels

            pos, neg = kernels.split_classes(positive, scores)
        else:
            pos, neg = scores[positive], scores[~positive]
        pos.sort()
        neg.sort()
        return cls(pos, neg)

    def sums(self) -> PlacementSums:
        """Exact placement sums."""
        return sorted_sums(self.pos, self.neg)

    def table(self) -> ScoreTable:
        """Counts of each score."""
        if self.pos.size and self.neg.size:
            return ScoreTable.from_sorted(self.pos, self.neg)
        scores, counts = np.unique(np.concatenate([self.pos, self.neg]), return_counts=True)
        none = np.zeros_like(counts)
        pos, neg = (counts, none) if self.pos.size else (none, counts)
        return ScoreTable(scores=scores[::-1] + scores.dtype.type(0), pos=pos[::-1], neg=neg[::-1])

    def tables(self, step: int) -> Iterator[ScoreTable]:
        """The same in parts, ascending, with at most so many different scores of each class in one."""
        cuts = np.unique(np.concatenate([self.pos[step::step], self.neg[step::step]]))
        parts = (np.split(scores, np.searchsorted(scores, cuts)) for scores in (self.pos, self.neg))
        for pos, neg in zip(*parts, strict=True):
            if pos.size or neg.size:
                yield SortedPiece(pos, neg).table()


# Cases in order of their scores, or counted by score where there are few different ones.
Piece: TypeAlias = SortedPiece | ScoreTable
Result = TypeVar("Result")


def of_pieces(rows: Rows, take: Callable[[Piece], Result]) -> Iterator[Result]:
    """Whatever is to be taken of each piece, from the lowest scores to the highest.

    Only what was taken leaves this function: two pieces at once would need twice the memory.
    """
    needed = math.ceil(SLACK * rows.count / rows.budget) if rows.count > rows.budget else 1
    cuts = np.empty(0)  # different scores that part the rows about evenly, ascending
    if needed > 1:
        sample = rows.sample(SAMPLE_ROWS)
        places = np.linspace(0, sample.size - 1, min(needed, MOST_PASSES) + 1)[1:-1].round().astype(int)
        cuts = np.unique(sample[places])
    # The cuts themselves are only counted: a score that very many rows share is always one of them.
    tied = rows.counts_at(cuts) if cuts.size else None
    ends = [None, *cuts.tolist(), None]
    for k, (low, high) in enumerate(pairwise(ends)):
        doing = f"part {k + 1} of {len(ends) - 1}"
        stretch = Stretch(low, high)
        fetched = rows.fetch(stretch, f"sorting {doing}") if needed <= MOST_PASSES else None
        if fetched is not None:
            piece = SortedPiece.from_rows(*fetched)
            del fetched
            yield take(piece)
            del piece
        else:  # it does not fit: it is copied and cut again
            with rows.copied(stretch, f"copying {doing}", expected=rows.count // MOST_PASSES) as part:
                yield from of_pieces(part, take)
        if tied is not None and high is not None:
            at = cuts[k : k + 1] + cuts.dtype.type(0)  # -0.0 becomes 0.0
            yield take(ScoreTable(scores=at, pos=tied[k, :1], neg=tied[k, 1:]))


# ---- One score of a file as rows of two columns, `positive` and `score`, scanned as often as needed -------

COUNTS = "count(*) FILTER (positive) AS pos, count(*) FILTER (NOT positive) AS neg"
# A row on its way from DuckDB through NumPy, at most: nine bytes, doubled while arrays grow, then split.
ROW_BYTES = 25
# A row in a temporary file.
COPY_BYTES = 9
MOST_LABELS = 1_000
INFINITE = "infinite scores were ranked above or below all others"


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


EVERYTHING = Stretch()


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of two columns, `positive` and `score`; `count` is their number."""

    database: Database
    relation: str
    values: Mapping[str, Any]
    count: int

    @property
    def budget(self) -> int:
        """Rows that may be in memory at once."""
        return self.database.limits.half // ROW_BYTES

    def query(self, select: str, tail: str = "", *, doing: str, **values: Any) -> dict[str, NDArray[Any]]:
        """Columns of a SELECT over the rows, in any order."""
        sql = f"SELECT {select} FROM {self.relation} {tail}"
        return self.database.query(sql, {**self.values, **values}, doing=doing)

    def fetch(self, stretch: Stretch, doing: str) -> tuple[NDArray[np.bool_], NDArray[Any]] | None:
        """Both columns of a stretch, or nothing if its rows are more than may be in memory."""
        most = self.budget
        tail = f"{stretch.where} LIMIT {most + 1}"
        rows = self.query("positive, score", tail, doing=doing, **stretch.values)
        return None if rows["score"].size > most else (rows["positive"], rows["score"])

    def sample(self, size: int) -> NDArray[Any]:
        """Scores of rows drawn at random, ascending."""
        return np.sort(
            self.query("score", f"USING SAMPLE reservoir({size:d} ROWS)", doing="sampling")["score"]
        )

    def different(self) -> int:
        """About how many different scores there are."""
        return int(self.query("approx_count_distinct(score) AS n", doing="counting")["n"][0])

    def counts_at(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        """Number of positives and of negatives at each of these scores."""
        kind = "BIGINT" if scores.dtype.kind == "i" else "DOUBLE"
        # A subquery, not a list: lists also reach filters within the file, which may confuse 0 and -0.
        tail = f"WHERE score IN (SELECT unnest($scores::{kind}[])) GROUP BY score"
        columns = self.query(f"score, {COUNTS}", tail, doing="counting", scores=scores.tolist())
        rows = zip(*(columns[name].tolist() for name in ("score", "pos", "neg")), strict=True)
        counts = {score: (pos, neg) for score, pos, neg in rows}
        return np.array([counts.get(score, (0, 0)) for score in scores.tolist()])

    @contextmanager
    def copied(self, stretch: Stretch, doing: str, *, expected: int) -> Iterator[Rows]:
        """The rows of a stretch, about as many as expected, in a file of their own; it goes afterwards."""
        self.database.check_room(COPY_BYTES * expected)
        folder = self.database.folder
        assert folder is not None
        path = folder / f"{secrets.token_hex(8)}.parquet"
        sql = f"COPY (SELECT positive, score FROM {self.relation} {stretch.where}) TO $copy (FORMAT parquet)"
        try:
            values = {**self.values, **stretch.values, "copy": str(path)}
            count = int(self.database.query(sql, values, doing=doing)["Count"][0])
            yield Rows(self.database, "read_parquet($path)", {"path": str(path)}, count)
        finally:
            path.unlink(missing_ok=True)


@dataclass(frozen=True)
class ScoreColumn:
    """One score of a table that has been looked at; rows that lack it or the label do not count."""

    profile: Profile
    label: str
    score: str
    pos_label: Any
    direction: Direction = "higher"

    @property
    def _names(self) -> Iterable[str]:
        return (self.label, self.score)

    @cached_property
    def dropped(self) -> Mapping[str | None, int]:
        """Number of rows that do not count, by label."""
        return self.profile.dropped(self.label, self._names)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of results should know."""
        infinite = (INFINITE,) if self.profile.facts[self.score]["largest"] == np.inf else ()
        notes = self.profile.source.notes
        return (*infinite, *self._codes(), *notes, *dropped_warning(self.dropped))

    def labels(self) -> dict[str, Any]:
        """Names of the classes and warnings, as results have them."""
        _, pos_label, neg_label = self.classes
        return {"pos_label": pos_label, "neg_label": neg_label, "warnings": self.warnings}

    def _codes(self) -> tuple[str, ...]:
        """Say which scores look like codes for a missing value, as `BinaryScores` does of rows in memory."""
        score, complete = self.profile.typed(self.score), self.profile.complete(self._names)
        source = self.profile.source
        facts = self.profile.facts[self.score]
        if not (complete or CODES & {facts["low"], facts["high"]}):
            return ()
        ends: dict[Any, int] = {}
        for order in ("ASC", "DESC"):
            tail = f"{complete} GROUP BY 1 ORDER BY 1 {order} LIMIT {MOST_CODES + 2}"
            some = source.query(f"{score} AS score, count(*) AS n", tail, doing="checking")
            ends |= dict(zip(some["score"].tolist(), some["n"].tolist(), strict=True))
        values = sorted(ends)
        counts = np.array([ends[value] for value in values])
        return tuple(f"the scores hold {text}" for text in outlying_codes(np.array(values), counts))

    @cached_property
    def classes(self) -> tuple[Any, Any, Any]:
        """The positive labels as the file holds them, the name of their class, and of the negative one."""
        source = self.profile.source
        select = f"DISTINCT {self.profile.typed(self.label)} AS label"
        tail = f"{self.profile.complete(self._names)} LIMIT {MOST_LABELS}"
        labels = source.query(select, tail, doing="checking")["label"]
        if not labels.size:
            raise RocInputError(f"{source.file.shown} must hold a row without missing values, got none")
        where = f"column {self.label!r} of {source.file.shown}"
        if labels.size == MOST_LABELS:
            raise RocInputError(f"{where} must hold two labels, got {MOST_LABELS} or more")
        positive, negative_name, positive_name = read_binary_labels(
            labels.astype(str) if labels.dtype.kind == "O" else labels,
            label_like(self.pos_label, self.profile.facts[self.label]),
            name=where,
        )
        return labels[positive].tolist(), positive_name, negative_name

    @contextmanager
    def rows(self) -> Iterator[Rows]:
        """The rows; those of a text file are copied to a temporary one, to be scanned quickly."""
        source = self.profile.source
        label, score = (self.profile.typed(name) for name in self._names)
        score = score if self.direction == "higher" else f"0 - ({score})"
        labels = self.classes[0]
        positive = f"({label}) = $positive" if len(labels) == 1 else f"list_contains($positive, {label})"
        complete = self.profile.complete(self._names)
        rows = Rows(
            source.database,
            f"(SELECT {positive} AS positive, {score} AS score FROM {source.relation} {complete})",
            {**source.values, "positive": labels if len(labels) > 1 else labels[0]},
            self.profile.rows - sum(self.dropped.values()),
        )
        if source.file.format == "parquet" or source.file.cells is not None:
            yield rows
            return
        with rows.copied(EVERYTHING, "copying", expected=rows.count) as copy:
            yield copy
