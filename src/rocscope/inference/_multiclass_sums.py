"""Placements between classes, each in the score column of one of the two, doubled to be integers.

A(i|j) is the share of pairs (case of class i, case of class j) in which the score of class i is larger for
the case of class i. Its placements are those of a two-class area: of each case of i among those of j, and of
each case of j among those of i. Areas, their variance and the variance of any average follow from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import resampling
from rocscope.core.scores import ClassScores
from rocscope.core.table import INT64_MAX, LARGE, PlacementSums, delong_term, exact_dot

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

# From here on one search per column costs less than two per pair of classes.
MANY_CLASSES = 30


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
class Placements:
    """Doubled placements of every case against every class, (classes, cases), 0 against its own.

    `own[j, case]` is its placement among the cases of class j in the column of its own class, up to
    2 n_j; `other[j, case]` that against the cases of class j in the column of j, up to 2 n_j.
    """

    own: NDArray[np.int32]
    other: NDArray[np.int32]


def class_placements(split: ClassSplit) -> Placements:
    """Place few classes pair by pair, many column by column; the numbers are the same."""
    placements = Placements(*(np.zeros(split.scores.shape, np.int32) for _ in range(2)))
    if len(split.sizes) < MANY_CLASSES:
        _place_pairs(split, placements)
    else:
        _place_columns(split, placements)
    return placements


def _place_pairs(split: ClassSplit, placements: Placements) -> None:
    """Merge the sorted scores of every pair of classes that have members, in the column of each."""
    own, other = placements.own, placements.other
    present = [code for code, size in enumerate(split.sizes) if size]
    ascending = {code: _sort(split, code, code) for code in present}
    for i, j in combinations(present, 2):
        first, second = split.members(i), split.members(j)
        own[j, first], other[i, second] = _place(*ascending[i], *_sort(split, i, j), split)
        own[i, second], other[j, first] = _place(*ascending[j], *_sort(split, j, i), split)


def _sort(split: ClassSplit, column: int, code: int) -> tuple[Floats, Integers]:
    """Sorted scores of one class in one column, and the case each belongs to."""
    scores = split.scores[column, split.members(code)]
    if split.scores.size >= LARGE:
        from rocscope.core import kernels

        return kernels.sort_with_rows(scores)
    rows = np.argsort(scores, kind="stable")
    return scores[rows], rows


def _place(
    own: Floats, own_rows: Integers, other: Floats, other_rows: Integers, split: ClassSplit
) -> tuple[Integers, Integers]:
    """Doubled placements of the class of the column, and of the other class."""
    if split.scores.size >= LARGE:
        from rocscope.core import kernels

        return kernels.doubled_placements(own, own_rows, other, other_rows)
    of_own, of_other = np.empty(own.size, np.int64), np.empty(other.size, np.int64)
    of_own[own_rows] = np.searchsorted(other, own, "left") + np.searchsorted(other, own, "right")
    beaten = np.searchsorted(own, other, "left") + np.searchsorted(own, other, "right")
    of_other[other_rows] = 2 * own.size - beaten
    return of_own, of_other


def _place_columns(split: ClassSplit, placements: Placements) -> None:
    """Place all classes against the class of each column by one search.

    A case x lies below the p-th of the ascending cases of the class if at most p of them are <= x, and not
    above it if at most p of them are < x: counted for every class at once.
    """
    own, other, sizes = placements.own, placements.other, split.sizes
    codes = np.repeat(np.arange(len(sizes)), sizes)
    for code, size in enumerate(sizes):
        members, scores = split.members(code), split.scores[code]
        order = np.argsort(scores[members], kind="stable")
        ascending = scores[members][order]
        places = [np.searchsorted(ascending, scores, side) for side in ("left", "right")]
        other[code] = 2 * size - (places[0] + places[1])
        width = size + 1
        counts = sum(np.bincount(codes * width + place, minlength=len(sizes) * width) for place in places)
        own[:, members.start + order] = np.cumsum(np.reshape(counts, (-1, width)), axis=1)[:, :size]
        own[code, members] = other[code, members] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums:
    """Exact sums for the mean of A(i|j) and A(j|i), from which its area and variance follow.

    The mean is itself a share of pairs, each with the value 0, 1/4, ... 1, so DeLong's variance holds for it
    with the sums of both placements of a case in place of its one.
    """

    n_first: int
    n_second: int
    twice_u_first: int
    twice_u_second: int
    squares_first: int
    squares_second: int

    @property
    def by_first(self) -> float:
        """A(i|j): the area in the column of the first class."""
        return self.twice_u_first / (2 * self.n_first * self.n_second)

    @property
    def by_second(self) -> float:
        """A(j|i): the area in the column of the second class."""
        return self.twice_u_second / (2 * self.n_first * self.n_second)

    @property
    def auc(self) -> float:
        """(A(i|j) + A(j|i)) / 2, rounded once."""
        return (self.twice_u_first + self.twice_u_second) / (4 * self.n_first * self.n_second)

    def delong_variance(self) -> float:
        """DeLong's variance of the mean; both classes need two members."""
        m, n, u = self.n_first, self.n_second, self.twice_u_first + self.twice_u_second
        return delong_term(self.squares_first, u, u, m, 2 * n) + delong_term(
            self.squares_second, u, u, n, 2 * m
        )


def pair_sums(split: ClassSplit, placements: Placements) -> dict[tuple[int, int], PairSums]:
    """Exact sums of every pair of classes that have members."""
    sizes = split.sizes
    fits = 16 * max(sizes, default=0) ** 3 <= INT64_MAX
    twice_u, squares = [], []
    for code in range(len(sizes)):
        members = split.members(code)
        own = placements.own[:, members].astype(np.int64)
        both = own + placements.other[:, members]
        twice_u.append(own.sum(axis=1).tolist())
        squares.append((both * both).sum(axis=1).tolist() if fits else [exact_dot(row, row) for row in both])
    return {
        (i, j): PairSums(
            n_first=sizes[i],
            n_second=sizes[j],
            twice_u_first=twice_u[i][j],
            twice_u_second=twice_u[j][i],
            squares_first=squares[i][j],
            squares_second=squares[j][i],
        )
        for i, j in combinations([code for code, size in enumerate(sizes) if size], 2)
    }


def directed_sums(
    split: ClassSplit, placements: Placements, pairs: Sequence[tuple[int, int]]
) -> list[PlacementSums | None]:
    """Exact sums of pairs (higher class, lower class) in the column of the former; None without members."""
    sums: list[PlacementSums | None] = []
    for higher, lower in pairs:
        own = placements.own[lower, split.members(higher)].astype(np.int64)
        other = placements.other[higher, split.members(lower)].astype(np.int64)
        of_pair = PlacementSums(
            n_pos=own.size,
            n_neg=other.size,
            twice_u=int(own.sum()),
            squares_pos=exact_dot(own, own, largest=max(1, 4 * other.size**2)),
            squares_neg=exact_dot(other, other, largest=max(1, 4 * own.size**2)),
        )
        sums.append(of_pair if own.size and other.size else None)
    return sums


def rest_sums(split: ClassSplit, placements: Placements) -> list[PlacementSums]:
    """Exact sums of each class against all others together."""
    sums = []
    for code, size in enumerate(split.sizes):
        own = placements.own[:, split.members(code)].sum(axis=0, dtype=np.int64)
        rest = placements.other[code].astype(np.int64)
        n_rest = rest.size - size
        sums.append(
            PlacementSums(
                n_pos=size,
                n_neg=n_rest,
                twice_u=int(own.sum()),
                squares_pos=exact_dot(own, own, largest=max(1, 4 * n_rest**2)),
                squares_neg=exact_dot(rest, rest, largest=max(1, 4 * size**2)),
            )
        )
    return sums


def average_variance(split: ClassSplit, placements: Placements, shares: Floats) -> float:
    """Variance of sum_ij shares[i, j] A(i|j); every class needs two members.

    The sum is linear in the distribution of each class, so the contributions of its cases have its part of
    the sum as their mean, and DeLong's argument gives the variance for any number of classes: the sum over
    classes of the variance of the contributions over the class size.
    """
    codes = np.repeat(np.arange(len(split.sizes)), split.sizes)
    contributions = np.zeros(codes.size)
    for j, size in enumerate(split.sizes):
        by_own, by_other = shares[codes, j], shares[j, codes]
        contributions += (by_own * placements.own[j] + by_other * placements.other[j]) / (2 * size)
    of_class = [contributions[split.members(code)] for code in range(len(split.sizes))]
    # Deviations from the first case, so that equal contributions give exactly 0.
    return float(sum(np.var(psi - psi[0], ddof=1) / psi.size for psi in of_class))


# ---- Stratified bootstrap of multi-class areas: the cases are drawn class by class ------------------------


def bootstrap_multiclass(split: ClassSplit, shares: Floats, sampling: resampling.Sampling) -> Floats:
    """Replicates of sum_ij shares[i, j] A(i|j), every class keeping its size; the shares sum to 1."""
    sizes = split.sizes
    pairs = [(i, j) for i in range(len(sizes)) for j in range(len(sizes)) if i != j and shares[i, j]]
    columns = {
        (i, j): resampling.Ranking.of(
            *(split.scores[i, split.members(code)] for code in (j, i))  # higher for the class of the column
        )
        for i, j in pairs
    }

    def average(draws: resampling.Draws) -> Floats:
        drawn = draws.classes
        parts = (shares[i, j] * columns[i, j].areas(drawn[j], drawn[i]) for i, j in pairs)
        return np.asarray(sum(parts, np.zeros(len(draws))))

    replicates = sampling.replicates(resampling.Cases(sizes), average)
    return np.asarray(np.clip(replicates, 0.0, 1.0))  # rounding may pass the ends
