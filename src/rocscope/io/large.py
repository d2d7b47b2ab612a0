"""Files of any number of rows, within a limit of memory: exact placement sums, and count tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, TypeAlias, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.rules import Direction
from rocscope.core.stretches import NOTHING, stacked_sums
from rocscope.core.table import LabelledTable, PlacementSums, ScoreTable, exact_dot, own_scores
from rocscope.errors import ResourceError, RocInputError
from rocscope.io import database, files, input_file
from rocscope.io.columns import Kind
from rocscope.io.pieces import COUNTS, Piece, Rows, ScoreColumn, of_pieces

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
