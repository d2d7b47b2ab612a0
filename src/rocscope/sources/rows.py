"""One score of a file as rows of two columns, `positive` and `score`, scanned as often as needed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.labels import read_binary_labels
from rocscope.core.scores import CODES, MOST_CODES, outlying_codes
from rocscope.errors import RocInputError
from rocscope.sources.columns import label_like
from rocscope.sources.database import Database
from rocscope.sources.profile import Profile, dropped_words

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
        found = self.query("positive, score", tail, doing=doing, **stretch.values)
        return None if found["score"].size > most else (found["positive"], found["score"])

    def sample(self, size: int) -> NDArray[Any]:
        """Scores of rows drawn at random, ascending."""
        found = self.query("score", f"USING SAMPLE reservoir({size:d} ROWS)", doing="sampling")
        return np.sort(found["score"])

    def different(self) -> int:
        """About how many different scores there are."""
        return int(self.query("approx_count_distinct(score) AS n", doing="counting")["n"][0])

    def counts_at(self, scores: NDArray[Any]) -> list[tuple[int, int]]:
        """Number of positives and negatives at each of these scores."""
        kind = "BIGINT" if scores.dtype.kind == "i" else "DOUBLE"
        # A subquery, not a list: lists are also asked of filters within the file, which may confuse 0 and -0.
        tail = f"WHERE score IN (SELECT unnest($scores::{kind}[])) GROUP BY score"
        found = self.query(f"score, {COUNTS}", tail, doing="counting", scores=scores.tolist())
        rows = zip(*(found[name].tolist() for name in ("score", "pos", "neg")), strict=True)
        counts = {score: (pos, neg) for score, pos, neg in rows}
        return [counts.get(score, (0, 0)) for score in scores.tolist()]

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


@dataclass(frozen=True, slots=True)
class Classes:
    """Names of the classes, and the positive one as the file holds it."""

    pos_label: Any
    neg_label: Any
    value: Any


@dataclass(frozen=True)
class ScoreColumn:
    """One score of a table that has been looked at; rows that lack it or the label do not count."""

    profile: Profile
    label: str
    score: str
    pos_label: Any

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
        infinite = (INFINITE,) if self.profile.found[self.score]["largest"] == np.inf else ()
        return (*infinite, *self._codes(), *dropped_words(self.dropped))

    def _codes(self) -> tuple[str, ...]:
        """Say which scores look like codes for a missing value, as `BinaryScores` does of rows in memory."""
        score, complete = self.profile.typed(self.score), self.profile.complete(self._names)
        source = self.profile.source
        facts = self.profile.found[self.score]
        if not (complete or CODES & {facts["low"], facts["high"]}):
            return ()
        found: dict[Any, int] = {}
        for order in ("ASC", "DESC"):
            tail = f"{complete} GROUP BY 1 ORDER BY 1 {order} LIMIT {MOST_CODES + 2}"
            some = source.query(f"{score} AS score, count(*) AS n", tail, doing="checking")
            found |= dict(zip(some["score"].tolist(), some["n"].tolist(), strict=True))
        values = sorted(found)
        counts = np.array([found[value] for value in values])
        return tuple(f"the scores hold {words}" for words in outlying_codes(np.array(values), counts))

    @cached_property
    def classes(self) -> Classes:
        """Which label is positive, found out from the different labels alone."""
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
            label_like(self.pos_label, self.profile.found[self.label]),
            name=where,
        )
        return Classes(positive_name, negative_name, labels[positive].tolist()[0])

    @contextmanager
    def rows(self) -> Iterator[Rows]:
        """The rows; those of a text file are copied to a temporary one, to be scanned quickly."""
        source = self.profile.source
        label, score = (self.profile.typed(name) for name in self._names)
        complete = self.profile.complete(self._names)
        rows = Rows(
            source.database,
            f"(SELECT ({label}) = $positive AS positive, {score} AS score FROM {source.relation} {complete})",
            {**source.values, "positive": self.classes.value},
            self.profile.rows - sum(self.dropped.values()),
        )
        if source.file.format == "parquet":
            yield rows
            return
        with rows.copied(EVERYTHING, "copying", expected=rows.count) as copy:
            yield copy
