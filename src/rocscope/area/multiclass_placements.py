"""Placements between classes, each in the score column of one of the two; sums stay integers.

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
from rocscope.core.table import LARGE, PlacementSums, delong_term, exact_dot

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
        rows = [np.flatnonzero(data.codes == code) for code in kept]
        borders = np.concatenate([[0], np.cumsum([r.size for r in rows])])
        return cls(
            scores=np.ascontiguousarray(data.scores[np.ix_(np.concatenate(rows), kept)].T),
            borders=tuple(borders.tolist()),
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
    def mean(self) -> float:
        """(A(i|j) + A(j|i)) / 2, rounded once."""
        return (self.twice_u_first + self.twice_u_second) / (4 * self.n_first * self.n_second)

    def variance(self) -> float:
        """DeLong's variance of the mean; both classes need two members."""
        m, n, u = self.n_first, self.n_second, self.twice_u_first + self.twice_u_second
        return delong_term(self.squares_first, u, u, m, 2 * n) + delong_term(
            self.squares_second, u, u, n, 2 * m
        )


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


def _sort(split: ClassSplit, column: int, code: int) -> Ascending:
    scores = split.scores[column, split.members(code)]
    if split.scores.shape[1] >= LARGE:
        from rocscope.core import kernels

        return Ascending(*kernels.sort_with_rows(scores))
    rows = np.argsort(scores, kind="stable")
    return Ascending(scores[rows], rows)


def _place(own: Ascending, other: Ascending, split: ClassSplit) -> tuple[Integers, Integers]:
    """Doubled placements of the class of the column, and of the other class."""
    if split.scores.shape[1] >= LARGE:
        from rocscope.core import kernels

        return kernels.doubled_placements(own.scores, own.rows, other.scores, other.rows)
    of_own = np.empty(own.rows.size, np.int64)
    of_own[own.rows] = _twice_rank(own.scores, other.scores)
    of_other = np.empty(other.rows.size, np.int64)
    of_other[other.rows] = 2 * own.rows.size - _twice_rank(other.scores, own.scores)
    return of_own, of_other


def _twice_rank(scores: Floats, among: Floats) -> Integers:
    return np.searchsorted(among, scores, "left") + np.searchsorted(among, scores, "right")


def pair_sums(pair: PairPlacements) -> PairSums:
    """Exact sums of one pair."""
    of_first = pair.first_by_first + pair.first_by_second
    of_second = pair.second_by_first + pair.second_by_second
    m, n = of_first.size, of_second.size
    return PairSums(
        n_first=m,
        n_second=n,
        twice_u_first=int(pair.first_by_first.sum()),
        twice_u_second=int(pair.second_by_second.sum()),
        squares_first=exact_dot(of_first, of_first, largest=16 * n * n),
        squares_second=exact_dot(of_second, of_second, largest=16 * m * m),
    )


class RestSums:
    """Adds up, pair by pair, the placements of each class against all others together."""

    def __init__(self, split: ClassSplit) -> None:
        self.sizes = split.sizes
        self.own = [np.zeros(size, np.int64) for size in split.sizes]
        self.squares_rest = [0] * len(split.sizes)

    def add(self, pair: PairPlacements) -> None:
        """Take in one pair: each class is part of the rest of the other."""
        self._add(pair.first, pair.first_by_first, pair.second_by_first)
        self._add(pair.second, pair.second_by_second, pair.first_by_second)

    def _add(self, code: int, of_own: Integers, of_other: Integers) -> None:
        self.own[code] += of_own
        self.squares_rest[code] += exact_dot(of_other, of_other, largest=4 * self.sizes[code] ** 2)

    def sums(self, code: int) -> PlacementSums:
        """Exact sums of one class against the rest."""
        own, n_rest = self.own[code], sum(self.sizes) - self.sizes[code]
        return PlacementSums(
            n_pos=own.size,
            n_neg=n_rest,
            twice_u=int(own.sum()),
            squares_pos=exact_dot(own, own, largest=4 * n_rest * n_rest),
            squares_neg=self.squares_rest[code],
        )


class Influence:
    """Adds up, pair by pair, what each case contributes to sum_ij shares[i, j] A(i|j).

    The sum is linear in the distribution of each class, so the contributions of a class have its part of
    the sum as their mean, and DeLong's argument gives the variance for any number of classes:
    the sum over classes of the variance of the contributions over the class size.
    """

    def __init__(self, split: ClassSplit, shares: Floats) -> None:
        self.sizes, self.shares = split.sizes, shares
        self.of_class = [np.zeros(size) for size in split.sizes]

    def add(self, pair: PairPlacements) -> None:
        """Take in one pair: each case is placed once by each of the two columns."""
        i, j = pair.first, pair.second
        by_first, by_second = self.shares[i, j], self.shares[j, i]
        self.of_class[i] += (by_first * pair.first_by_first + by_second * pair.first_by_second) / (
            2 * self.sizes[j]
        )
        self.of_class[j] += (by_first * pair.second_by_first + by_second * pair.second_by_second) / (
            2 * self.sizes[i]
        )

    def variance(self) -> float:
        """Variance of the sum; every class needs two members."""
        # Deviations from the first case, so that equal contributions give exactly 0.
        return float(sum(np.var(psi - psi[0], ddof=1) / psi.size for psi in self.of_class))
