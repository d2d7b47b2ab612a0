"""Files of any number of rows, within a limit of memory: exact placement sums, and count tables.

The rows are not sorted as a whole. A sample shows where to cut the scores; each pass over the file fetches
the rows between two cuts, which NumPy sorts far faster than a database sorts rows. Where that would take
too many passes, the rows between two cuts are copied to a file first and cut again.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import pairwise
from typing import Any, TypeAlias, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.frames import dropped_warning
from rocscope.core.rules import Direction
from rocscope.core.scores import CODES, MOST_CODES, outlying_codes, read_binary_labels
from rocscope.core.table import (
    LARGE,
    NOTHING,
    LabelledTable,
    PlacementSums,
    ScoreTable,
    exact_dot,
    own_scores,
    sorted_sums,
    stacked_sums,
)
from rocscope.errors import ResourceError, RocInputError
from rocscope.io import database, files, input_file
from rocscope.io.columns import Kind, label_like
from rocscope.io.database import Database, Profile

# Up to so many different scores, counting them by score is faster than sorting them.
FEW_SCORES = 1 << 18
# A row of a table, and one of its columns once more while the pieces are put together.
TABLE_BYTES = 32
Taken = TypeVar("Taken")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSums:
    """Placement sums of one score of a file, with the names of its classes."""

    name: str
    sums: PlacementSums
    pos_label: Any
    neg_label: Any
    warnings: tuple[str, ...] = ()
    direction: Direction = "higher"

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return self.sums.n_pos

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return self.sums.n_neg


class Reading(TypedDict, total=False):
    """How a file is read, as for `read_scores`; with the limits that its user gave."""

    pos_label: Any
    limits: input_file.Limits | None
    na: str
    format: str | None
    direction: Direction


def sums_of_file(
    path: input_file.FilePath, *, label: str, score: str | Sequence[str], **reading: Unpack[Reading]
) -> dict[str, FileSums]:
    r"""Exact placement sums of each score, from which the area and DeLong's interval follow.

    The number of rows does not matter: memory stays within the limit, and the sums are the same integers
    that all rows at once would give. With `na="drop"` each score loses only the rows where it is missing
    itself. CSV and JSON lines are copied to temporary files (nine bytes per row), Parquet only where the
    memory is a small part of what all scores would take.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("y,a,b\n1,0.9,1\n0,0.2,1\n1,0.2,\n")
    >>> found = sums_of_file(path, label="y", score=["a", "b"], na="drop")
    >>> found["a"].sums.auc, found["b"].sums.auc, found["b"].warnings
    (0.75, 0.5, ("1 row with missing values left out: 1 of class '1'",))
    """
    every = dict[str, FileSums]()
    with score_columns(path, label=label, score=score, **reading) as columns:
        for column in columns:
            with column.rows() as rows:
                pieces = taken(rows, rows.different(), lambda piece: piece.sums())
                sums = reduce(stacked_sums, pieces, NOTHING)
                check_counts(rows, sums.n_pos, sums.n_neg)
            every[column.score] = FileSums(
                name=column.score, sums=sums, direction=column.direction, **column.labels()
            )
    return every


def table_of_file(
    path: input_file.FilePath, *, label: str, score: str, **reading: Unpack[Reading]
) -> LabelledTable:
    r"""Count table of one score.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.jsonl"
    >>> _ = path.write_text('{"y": 1, "s": 0.9}\n{"y": 0, "s": 0.2}\n{"y": 1, "s": 0.2}\n')
    >>> table = table_of_file(path, label="y", score="s")
    >>> table.scores, table.pos, table.neg
    (array([0.9, 0.2]), array([1, 1]), array([0, 1]))
    """
    with score_columns(path, label=label, score=score, **reading) as columns:
        (column,) = columns
        with column.rows() as rows:
            different, half = rows.different(), rows.database.limits.half
            if TABLE_BYTES * different > half:
                raise ResourceError(
                    f"{rows.database.file.shown} has about {different:,} different scores, whose table "
                    f"needs {input_file.show_size(2 * TABLE_BYTES * different)} to be made, where "
                    f"{input_file.show_size(2 * half)} may be used; its area and operating points need less",
                    remedy=("memory_limit", None, "a larger {} helps"),
                )
            parts = [
                *taken(
                    rows, different, lambda piece: piece if isinstance(piece, ScoreTable) else piece.table()
                )
            ][::-1]  # descending
            table = _table(
                *(np.concatenate([getattr(t, name) for t in parts]) for name in ("scores", "pos", "neg"))
            )
            check_counts(rows, table.n_pos, table.n_neg)
        counts: dict[str, Any] = {"scores": table.scores, "pos": table.pos, "neg": table.neg}
        return LabelledTable(**counts, name=score, direction=column.direction, **column.labels())


@contextmanager
def score_columns(
    path: input_file.FilePath,
    *,
    label: str,
    score: str | Sequence[str],
    pos_label: Any = None,
    limits: input_file.Limits | None = None,
    na: str = "error",
    format: str | None = None,
    direction: Direction = "higher",
) -> Iterator[list[ScoreColumn]]:
    """The scores of a file that is open for passes over its rows, every cell looked at."""
    names = files.score_names(score, label)
    kinds: dict[str, Kind] = {label: "label"}
    kinds |= dict.fromkeys(names, "number")
    with (
        input_file.local_file(path, format=format, limits=limits) as file,
        files.open_source(file, kinds, (limits or file.limits).settled(), spill=True) as source,
    ):
        profile = database.look(source, kinds, na=na)
        yield [ScoreColumn(profile, label, name, pos_label, direction) for name in names]


def taken(rows: Rows, different: int, take: Callable[[Piece], Taken]) -> Iterator[Taken]:
    """Whatever is to be taken of each piece, ascending; few different scores are one piece, counted."""
    if different > FEW_SCORES:
        yield from of_pieces(rows, take)
        return
    counts = rows.query(f"score, {COUNTS}", "GROUP BY score ORDER BY score DESC", doing="counting")
    yield take(_table(counts["score"], counts["pos"], counts["neg"]))


def _table(scores: NDArray[Any], pos: NDArray[Any], neg: NDArray[Any]) -> ScoreTable:
    held = (pos > 0) | (neg > 0)
    if not held.all():
        scores, pos, neg = scores[held], pos[held], neg[held]
    values = checks.as_scores(scores, name="scores")
    return ScoreTable(scores=values + values.dtype.type(0), pos=pos, neg=neg)  # -0.0 becomes 0.0


def check_counts(rows: Rows, pos: int, neg: int) -> None:
    """Refuse what several passes put together if they contradict each other, as in a damaged file.

    Both classes were found before, and the rows were counted.
    """
    if pos + neg != rows.count or not (pos and neg):
        raise RocInputError(
            f"{rows.database.file.shown} must be a whole table, got a damaged one: {rows.count} rows were "
            f"counted first, then {pos} positive and {neg} negative ones"
        )


# ---- The curve of a file of any size, exact at the vertices that are kept ---------------------------------
# All vertices of a long file do not fit into memory, so pieces of it pass by, from the lowest scores to the
# highest; the sizes of the classes are counted first, and the counts at a score follow from the cases
# below it.
# Kept are vertices evenly along the curve, for figures, and those that the caller names of every stretch:
# if a rule selects its best vertex of each, its selection among the kept ones is that among all.

# Vertices along the curve that a figure may show.
STEPS = 4_000
# Different scores of each class that are looked at together.
STRETCH_ROWS = 1 << 17
# Indices of the vertices of a stretch that must be kept.
Keep: TypeAlias = Callable[[RocCurve], Iterable[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCurve(FileSums):
    """Placement sums of one score of a file, and its curve.

    Attributes
    ----------
    curve
        Exact counts at the vertices that were kept; its area is that of all scores.
    tied_pairs
        Number of (positive, negative) pairs with one score.
    """

    curve: RocCurve
    tied_pairs: int


def curves_of_file(
    path: input_file.FilePath,
    *,
    label: str,
    score: str | Sequence[str],
    keep: Keep | None = None,
    **reading: Unpack[Reading],
) -> dict[str, FileCurve]:
    r"""Curve of each score, within a limit of memory.

    Parameters
    ----------
    path, label, score, **reading
        As for `sums_of_file`.
    keep
        Gives the vertices of a stretch of the curve that must be kept.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "cases.csv"
    >>> _ = path.write_text("y,s\n1,0.9\n0,0.2\n1,0.2\n")
    >>> found = curves_of_file(path, label="y", score="s")["s"]
    >>> found.curve.thresholds, found.curve.auc, found.tied_pairs
    (array([inf, 0.9, 0.2]), 0.75, 1)
    """
    curves = dict[str, FileCurve]()
    with score_columns(path, label=label, score=score, **reading) as columns:
        for column in columns:
            with column.rows() as rows:
                sizes = {cls: int(count[0]) for cls, count in rows.query(COUNTS, doing="counting").items()}
                check_counts(rows, **sizes)
                outline = _Outline(sizes["pos"], sizes["neg"], keep, column.direction)
                for _ in taken(rows, rows.different(), outline.add):
                    pass
                check_counts(rows, outline.sums.n_pos, outline.sums.n_neg)
            labels = column.labels()
            curves[column.score] = FileCurve(
                name=column.score,
                sums=outline.sums,
                curve=replace(outline.curve(), **labels),
                tied_pairs=outline.tied_pairs,
                direction=column.direction,
                **labels,
            )
    return curves


class _Outline:
    """What was kept of the pieces so far, which come in ascending order."""

    def __init__(self, n_pos: int, n_neg: int, keep: Keep | None, direction: Direction) -> None:
        self.sizes, self.direction = (n_pos, n_neg), direction
        self.keep: Keep = keep or (lambda _: ())
        self.above = self.sizes  # cases that have not come yet
        self.sums = NOTHING
        self.tied_pairs = 0
        self.kept: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []

    def add(self, piece: Piece) -> None:
        """Take the next higher piece."""
        self.sums = stacked_sums(self.sums, piece.sums())
        for table in [piece] if isinstance(piece, ScoreTable) else piece.tables(STRETCH_ROWS):
            self.tied_pairs += exact_dot(table.pos, table.neg)
            self._add_stretch(table)

    def _add_stretch(self, table: ScoreTable) -> None:
        self.above = self.above[0] - table.n_pos, self.above[1] - table.n_neg
        tp, fp = self.above[0] + np.cumsum(table.pos), self.above[1] + np.cumsum(table.neg)
        stretch = RocCurve(
            fpr=fp / self.sizes[1],
            tpr=tp / self.sizes[0],
            thresholds=own_scores(table.scores, self.direction),
            direction=self.direction,
            n_pos=self.sizes[0],
            n_neg=self.sizes[1],
            auc=math.nan,  # a stretch has none
            tp=tp,
            fp=fp,
        )
        # The first vertex, and the last of each step along the whole curve.
        step = np.floor((stretch.tpr + stretch.fpr) * (STEPS / 2))
        last = np.append(step[1:] != step[:-1], True)
        last[0] = True
        rows = np.unique([*np.flatnonzero(last), *self.keep(stretch)])
        self.kept.append((table.scores[rows], tp[rows], fp[rows]))

    def curve(self) -> RocCurve:
        """The curve of the vertices that were kept."""
        scores, tp, fp = (np.concatenate(column) for column in zip(*reversed(self.kept), strict=True))
        counts = (np.diff(column, prepend=0) for column in (tp, fp))
        table = ScoreTable(scores=scores, pos=next(counts), neg=next(counts), thinned=True)
        table = replace(table, direction=self.direction)
        return replace(RocCurve.from_table(table), auc=self.sums.auc)


def vertex_at(curve: RocCurve, threshold: Any) -> int:
    """Index of the vertex that decides like a threshold, the lowest score that it does not exceed; or -1.

    Examples
    --------
    >>> table = ScoreTable.from_counts([3, 2, 1], pos=[1, 1, 0], neg=[0, 1, 1])
    >>> curve = RocCurve.from_table(table)
    >>> vertex_at(curve, 1.5), curve.thresholds[2]
    (2, np.float64(2.0))
    """
    scores = curve.thresholds
    lower = curve.direction == "lower"
    is_double = isinstance(threshold, float) or abs(threshold) <= checks.EXACT_FLOAT_INTEGERS
    if scores.dtype.kind != "f" or not is_double:
        scores = scores.astype(object)  # Python compares integers and floats exactly
    return int(np.count_nonzero(scores <= threshold if lower else scores >= threshold)) - 1


# ---- Scores of both classes in pieces that fit into memory, from the lowest to the highest ----------------

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
