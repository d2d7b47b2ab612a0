"""What follows from the placements: sums per pair and per class, and the variance of any average of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core.resampling import CHUNK_SIZE, Rng, plan_chunks
from rocscope.core.scores import ClassScores
from rocscope.core.table import INT64_MAX, LARGE, PlacementSums, delong_term, exact_dot
from rocscope.inference.resampling import CHUNK_CELLS

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


# ---- Placements between classes, each in the score column of one of the two, doubled to be integers -------
# A(i|j) is the share of pairs (case of class i, case of class j) in which the score of class i is larger for
# the case of class i. Its placements are those of a two-class area: of each case of i among those of j, and
# of each case of j among those of i.

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


# ---- Stratified bootstrap of multi-class areas: the cases are drawn class by class ------------------------

Counts: TypeAlias = NDArray[np.int32]


def bootstrap_multiclass(split: ClassSplit, shares: Floats, *, n_boot: int, rng: Rng) -> Floats:
    """Replicates of sum_ij shares[i, j] A(i|j), every class keeping its size; the shares sum to 1."""
    from rocscope.core import kernels

    columns = [_Column.of(split, code, shares[code]) for code in range(len(split.sizes))]
    size = max(1, min(CHUNK_SIZE, CHUNK_CELLS // split.scores.shape[1]))
    replicates = []
    for chunk in plan_chunks(n_boot, rng, size=size):
        state = chunk.seed.generate_state(4, np.uint64).astype(np.uint64)
        drawn = np.vstack([kernels.draw_counts(n, len(chunk.range), state).T for n in split.sizes])
        # Every class keeps its size, so the pairs won are all pairs less those missed.
        replicates.append(1.0 - sum(column.missed(drawn) for column in columns))
    return np.clip(np.concatenate(replicates), 0.0, 1.0)  # rounding may pass the ends


@dataclass(frozen=True, slots=True)
class _Column:
    """One score column: the cases of its class in ascending order, and where all others fall among them."""

    order: NDArray[Any]
    below: NDArray[Any]
    not_above: NDArray[Any]
    weight: Floats

    @classmethod
    def of(cls, split: ClassSplit, code: int, shares: Floats) -> _Column:
        """Rank all cases among those of the class; each counts with the share of its own class."""
        members, sizes = split.members(code), np.array(split.sizes)
        own = split.scores[code, members]
        order = np.argsort(own, kind="stable")
        per_case = np.where(np.arange(sizes.size) == code, 0.0, shares / (2.0 * sizes[code] * sizes))
        return cls(
            order=order + members.start,
            below=np.searchsorted(own[order], split.scores[code], "left"),
            not_above=np.searchsorted(own[order], split.scores[code], "right"),
            weight=np.repeat(per_case, sizes),
        )

    def missed(self, drawn: Counts) -> Floats:
        """Weighted share of the pairs in which the drawn case of the class does not score higher.

        `drawn` has a row per case and a column per replicate: what belongs to a case lies together.
        """
        running = np.zeros((self.order.size + 1, drawn.shape[1]), np.int32)
        np.cumsum(drawn[self.order], axis=0, out=running[1:])
        not_higher = running[self.below] + running[self.not_above]
        return np.asarray(np.einsum("cr,cr,c->r", drawn, not_higher, self.weight))
