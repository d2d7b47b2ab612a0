"""The curve of a file of any size, exact at the vertices that are kept.

All vertices of a long file do not fit into memory, so pieces of it pass by, from the lowest scores to the
highest; the sizes of the classes are counted first, and the counts at a score follow from the cases below it.
Kept are vertices evenly along the curve, for figures, and those that the caller wants of every stretch: if a
choice takes its best vertex of each, its choice among the kept ones is its choice among all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.table import ScoreTable, exact_dot
from rocscope.sources.files import score_names
from rocscope.sources.large import FileSums, check_counts, looked_at, taken
from rocscope.sources.limits import Limits
from rocscope.sources.local import FilePath
from rocscope.sources.pieces import Piece
from rocscope.sources.rows import COUNTS, Rows, ScoreColumn
from rocscope.sources.sums import NOTHING, stacked_sums

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
    path: FilePath,
    *,
    label: str,
    score: str | Sequence[str],
    pos_label: Any = None,
    limits: Limits | None = None,
    na: str = "error",
    format: str | None = None,
    keep: Keep | None = None,
) -> dict[str, FileCurve]:
    r"""Curve of each score, within a limit of memory.

    Parameters
    ----------
    path, label, score, pos_label, limits, na, format
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
    names = score_names(score, label)
    with looked_at(path, label, names, limits, na, format) as profile:
        return {name: _file_curve(ScoreColumn(profile, label, name, pos_label), keep) for name in names}


def _file_curve(column: ScoreColumn, keep: Keep | None) -> FileCurve:
    with column.rows() as rows:
        outline = _outline(rows, keep)
    classes = column.classes
    return FileCurve(
        name=column.score,
        sums=outline.sums,
        pos_label=classes.pos_label,
        neg_label=classes.neg_label,
        warnings=column.warnings,
        curve=replace(
            outline.curve(),
            pos_label=classes.pos_label,
            neg_label=classes.neg_label,
            warnings=column.warnings,
        ),
        tied_pairs=outline.tied_pairs,
    )


def _outline(rows: Rows, keep: Keep | None) -> _Outline:
    sizes = {name: int(found[0]) for name, found in rows.query(COUNTS, doing="counting").items()}
    check_counts(rows, **sizes)
    outline = _Outline(sizes["pos"], sizes["neg"], keep)
    for _ in taken(rows, rows.different(), outline.add):
        pass
    check_counts(rows, outline.sums.n_pos, outline.sums.n_neg)
    return outline


class _Outline:
    """What was kept of the pieces so far, which come in ascending order."""

    def __init__(self, n_pos: int, n_neg: int, keep: Keep | None) -> None:
        self.sizes = n_pos, n_neg
        self.keep: Keep = keep or (lambda _: ())
        self.above = self.sizes  # cases that have not come yet
        self.sums = NOTHING
        self.tied_pairs = 0
        self.kept: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []

    def add(self, piece: Piece) -> None:
        """Take the next higher piece."""
        self.sums = stacked_sums(self.sums, piece.sums())
        for table in piece.tables(STRETCH_ROWS):
            self.tied_pairs += exact_dot(table.pos, table.neg)
            self._add_stretch(table)

    def _add_stretch(self, table: ScoreTable) -> None:
        self.above = self.above[0] - table.n_pos, self.above[1] - table.n_neg
        tp, fp = self.above[0] + np.cumsum(table.pos), self.above[1] + np.cumsum(table.neg)
        stretch = RocCurve(
            fpr=fp / self.sizes[1],
            tpr=tp / self.sizes[0],
            thresholds=table.scores,
            n_pos=self.sizes[0],
            n_neg=self.sizes[1],
            auc=math.nan,  # a stretch has none
            tp=tp,
            fp=fp,
        )
        rows = np.unique([*_evenly(stretch), *self.keep(stretch)])
        self.kept.append((table.scores[rows], tp[rows], fp[rows]))

    def curve(self) -> RocCurve:
        """The curve of the vertices that were kept."""
        scores, tp, fp = (np.concatenate(column) for column in zip(*reversed(self.kept), strict=True))
        counts = (np.diff(column, prepend=0) for column in (tp, fp))
        table = ScoreTable(scores=scores, pos=next(counts), neg=next(counts), thinned=True)
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
    is_double = isinstance(threshold, float) or abs(threshold) <= checks.EXACT_FLOAT_INTEGERS
    if scores.dtype.kind != "f" or not is_double:
        scores = scores.astype(object)  # Python compares integers and floats exactly
    return int(np.count_nonzero(scores >= threshold)) - 1


def _evenly(stretch: RocCurve) -> NDArray[np.int64]:
    """The first vertex, and the last of each step along the whole curve."""
    step = np.floor((stretch.tpr + stretch.fpr) * (STEPS / 2))
    last = np.append(step[1:] != step[:-1], True)
    last[0] = True
    return np.flatnonzero(last)
