"""Placements between classes, each in the score column of one of the two, doubled to be integers.

A(i|j) is the share of pairs (case of class i, case of class j) in which the score of class i is larger for
the case of class i. Its placements are those of a two-class area: of each case of i among those of j, and
of each case of j among those of i.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core.scores import ClassScores
from rocscope.core.table import LARGE

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSplit:
    """The cases class by class: scores (columns, cases), and where the cases of each class begin and end."""

    scores: Floats
    borders: tuple[int, ...]

    @classmethod
    def of(cls, data: ClassScores, kept: Sequence[int]) -> ClassSplit:
        """Take the columns and the cases of the classes in `kept`, in that order."""
        members = [np.flatnonzero(data.codes == code) for code in kept]
        rows = np.concatenate([np.empty(0, np.intp), *members])
        return cls(
            scores=np.array([data.scores[rows, code] for code in kept]).reshape(len(kept), rows.size),
            borders=(0, *np.cumsum([m.size for m in members]).tolist()),
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """Cases of each class."""
        return tuple(np.diff(self.borders).tolist())

    def members(self, code: int) -> slice:
        """Where the cases of one class stand."""
        return slice(self.borders[code], self.borders[code + 1])


@dataclass(frozen=True, slots=True)
class Ascending:
    """Sorted scores of one class in one column, and the case each belongs to."""

    scores: Floats
    rows: Integers


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPlacements:
    """Doubled placements of two classes in both directions, cases in order.

    `first_by_first` holds those of the first class in the column of the first class, and so on. Those of
    the first class count up to 2 n_second, those of the second up to 2 n_first.
    """

    first: int
    second: int
    first_by_first: Integers
    second_by_first: Integers
    first_by_second: Integers
    second_by_second: Integers


def pair_placements(split: ClassSplit) -> Iterator[PairPlacements]:
    """Placements of every pair of classes that have members, in the order of the classes."""
    present = [code for code, size in enumerate(split.sizes) if size]
    own = {code: _sort(split, code, code) for code in present}
    for i, j in combinations(present, 2):
        first_by_first, second_by_first = _place(own[i], _sort(split, i, j), split)
        second_by_second, first_by_second = _place(own[j], _sort(split, j, i), split)
        yield PairPlacements(
            first=i,
            second=j,
            first_by_first=first_by_first,
            second_by_first=second_by_first,
            first_by_second=first_by_second,
            second_by_second=second_by_second,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnPlacements:
    """Doubled placements of every case against every class, (cases, classes), 0 against its own.

    `own[case, j]` is its placement among the cases of class j in the column of its own class, up to
    2 n_j; `other[case, j]` that against the cases of class j in the column of j, up to 2 n_j.
    """

    own: NDArray[np.int32]
    other: NDArray[np.int32]


def column_placements(split: ClassSplit) -> ColumnPlacements:
    """Placements column by column: one search for all pairs of the column, where `pair_placements` has two.

    A case x lies below the p-th of the ascending cases of the class if at most p of them are <= x, and not
    above it if at most p of them are < x: counted for every class at once.
    """
    sizes = split.sizes
    n_classes, n_cases = split.scores.shape
    codes = np.repeat(np.arange(n_classes), sizes)
    own, other = (np.zeros((n_cases, n_classes), np.int32) for _ in range(2))
    for code, size in enumerate(sizes):
        members, scores = split.members(code), split.scores[code]
        order = np.argsort(scores[members], kind="stable")
        ascending = scores[members][order]
        places = [np.searchsorted(ascending, scores, side) for side in ("left", "right")]
        other[:, code] = 2 * size - (places[0] + places[1])
        width = size + 1
        counts = sum(np.bincount(codes * width + place, minlength=n_classes * width) for place in places)
        upto = np.cumsum(np.reshape(counts, (n_classes, width)), axis=1)[:, :size]
        own[members.start + order] = upto.T
        own[members, code] = other[members, code] = 0
    return ColumnPlacements(own=own, other=other)


def _sort(split: ClassSplit, column: int, code: int) -> Ascending:
    scores = split.scores[column, split.members(code)]
    if split.scores.size >= LARGE:
        from rocscope.core import kernels

        return Ascending(*kernels.sort_with_rows(scores))
    rows = np.argsort(scores, kind="stable")
    return Ascending(scores[rows], rows)


def _place(own: Ascending, other: Ascending, split: ClassSplit) -> tuple[Integers, Integers]:
    """Doubled placements of the class of the column, and of the other class."""
    if split.scores.size >= LARGE:
        from rocscope.core import kernels

        return kernels.doubled_placements(own.scores, own.rows, other.scores, other.rows)
    of_own = np.empty(own.rows.size, np.int64)
    of_own[own.rows] = _twice_rank(own.scores, other.scores)
    of_other = np.empty(other.rows.size, np.int64)
    of_other[other.rows] = 2 * own.rows.size - _twice_rank(other.scores, own.scores)
    return of_own, of_other


def _twice_rank(scores: Floats, among: Floats) -> Integers:
    return np.searchsorted(among, scores, "left") + np.searchsorted(among, scores, "right")
