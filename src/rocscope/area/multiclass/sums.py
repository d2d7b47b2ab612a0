"""What follows from the placements: sums per pair and per class, and the variance of any average of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rocscope.area.multiclass.placements import (
    ClassSplit,
    ColumnPlacements,
    Floats,
    Integers,
    PairPlacements,
    column_placements,
    pair_placements,
)
from rocscope.core.table import INT64_MAX, PlacementSums, delong_term, exact_dot

# From here on two matrices of placements, each half as large as the scores, cost less than all the pairs.
MANY_CLASSES = 30


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

    def add_columns(self, split: ClassSplit, placed: ColumnPlacements) -> None:
        """Take in all pairs at once."""
        for code, size in enumerate(self.sizes):
            against = placed.other[:, code].astype(np.int64)
            self.own[code] += placed.own[split.members(code)].sum(axis=1, dtype=np.int64)
            self.squares_rest[code] += exact_dot(against, against, largest=max(1, 4 * size**2))

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

    def add_columns(self, split: ClassSplit, placed: ColumnPlacements) -> None:
        """Take in all pairs at once; each case adds its classes in the order in which `add` does."""
        codes = np.repeat(np.arange(len(self.sizes)), self.sizes)
        found = np.zeros(codes.size)
        for j, size in enumerate(self.sizes):
            by_own, by_other = self.shares[codes, j], self.shares[j, codes]
            found += (by_own * placed.own[:, j] + by_other * placed.other[:, j]) / (2 * size)
        self.of_class = [found[split.members(code)] for code in range(len(self.sizes))]

    def variance(self) -> float:
        """Variance of the sum; every class needs two members."""
        # Deviations from the first case, so that equal contributions give exactly 0.
        return float(sum(np.var(psi - psi[0], ddof=1) / psi.size for psi in self.of_class))


@dataclass(frozen=True, slots=True)
class Survey:
    """Sums of one pass over the pairs of classes."""

    pairs: dict[tuple[int, int], PairSums]  # empty where they were not wanted
    rest: RestSums
    influence: Influence | None


def survey_pairs(split: ClassSplit, shares: Floats | None, *, of_pairs: bool) -> Survey:
    """Place the cases and add up; without `shares` there is no average to prepare.

    Few classes are placed pair by pair, which needs memory for one pair alone; many column by column. The
    sums are the same to the last digit. `of_pairs` says whether those of each pair are wanted.
    """
    survey = Survey({}, RestSums(split), None if shares is None else Influence(split, shares))
    if len(split.sizes) >= MANY_CLASSES and 16 * max(split.sizes) ** 3 <= INT64_MAX:
        placed = column_placements(split)
        survey.rest.add_columns(split, placed)
        if survey.influence is not None:
            survey.influence.add_columns(split, placed)
        if of_pairs:
            survey.pairs.update(_pairs_of_columns(split, placed))
        return survey
    for pair in pair_placements(split):
        survey.pairs[pair.first, pair.second] = pair_sums(pair)
        survey.rest.add(pair)
        if survey.influence is not None:
            survey.influence.add(pair)
    return survey


def _pairs_of_columns(
    split: ClassSplit, placed: ColumnPlacements
) -> Iterator[tuple[tuple[int, int], PairSums]]:
    """Exact sums of every pair of classes that have members."""
    sizes = split.sizes
    twice_u, squares = [], []
    for code in range(len(sizes)):
        own = placed.own[split.members(code)].astype(np.int64)
        both = own + placed.other[split.members(code)]
        twice_u.append(own.sum(axis=0).tolist())
        squares.append((both * both).sum(axis=0).tolist())
    for i, j in combinations([code for code, size in enumerate(sizes) if size], 2):
        yield (
            (i, j),
            PairSums(
                n_first=sizes[i],
                n_second=sizes[j],
                twice_u_first=twice_u[i][j],
                twice_u_second=twice_u[j][i],
                squares_first=squares[i][j],
                squares_second=squares[j][i],
            ),
        )
