"""The count table: distinct scores with the number of positives and negatives at each.

Every statistic of one score column is a function of this table. It is made by one sort, tables of
parts of the data add up, and its counts are exact integers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, points
from rocscope.core.rules import Direction
from rocscope.errors import RocInputError

if TYPE_CHECKING:
    from rocscope.core.bins import BinnedTable

# Largest sum that int64 holds.
INT64_MAX = 2**63 - 1
FIELDS = ("scores", "pos", "neg", "bound", "thinned", "direction")
# Rows from which loading numba pays off; kernels.py itself is imported only beyond it.
LARGE = 65_536
THINNED = "the table was thinned"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementSums:
    """Exact sums of the doubled placement values, from which AUC and DeLong's variance follow.

    The doubled placement of a positive is #{negatives below} + #{negatives not above}: ties count
    one half each, and everything stays an integer.
    """

    n_pos: int
    n_neg: int
    twice_u: int
    squares_pos: int
    squares_neg: int

    @classmethod
    def of_classes(cls, pos: NDArray[Any], neg: NDArray[Any]) -> PlacementSums:
        """The sums of scores of both classes, which are sorted in place; 4 m n max(m, n) fits 64 bits."""
        from rocscope.core import kernels

        pos.sort()
        neg.sort()
        twice_u, of_pos, of_neg = map(int, kernels.placement_sums(pos, neg))
        return cls(n_pos=pos.size, n_neg=neg.size, twice_u=twice_u, squares_pos=of_pos, squares_neg=of_neg)

    @property
    def auc(self) -> float:
        """Area under the empirical curve, correctly rounded: 2U / (2 m n)."""
        return self.twice_u / (2 * self.n_pos * self.n_neg)

    def delong_variance(self) -> float:
        """DeLong's variance S10 / m + S01 / n; both classes need two members."""
        return sum(self.delong_terms())

    def delong_terms(self) -> tuple[float, float]:
        """S10 / m and S01 / n: what the positives and what the negatives add to DeLong's variance."""
        u, m, n = self.twice_u, self.n_pos, self.n_neg
        return delong_term(self.squares_pos, u, u, m, n), delong_term(self.squares_neg, u, u, n, m)


def delong_term(product: int, sum_a: int, sum_b: int, m: int, n: int) -> float:
    """cov(V_a, V_b) / m over the m members of one class, V = doubled placement / (2 n).

    The numerator is an integer, so the quotient is rounded once, and equal curves give exactly 0.
    """
    return (m * product - sum_a * sum_b) / (4 * n * n * m * m * (m - 1))


# One curve, or a first curve minus a second one.
Curves: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassProducts:
    """Sums and sums of products of the doubled placements of one class, for several curves on the same cases.

    Attributes
    ----------
    size, other
        Number of cases of the class, and of the other class.
    totals
        For each curve the sum of the doubled placements.
    products
        For each pair of curves, the first not after the second, the sum of their products.
    """

    size: int
    other: int
    totals: tuple[int, ...]
    products: Mapping[tuple[int, int], int]

    @classmethod
    def of_placements(cls, placements: Sequence[NDArray[np.int64]], *, other: int) -> ClassProducts:
        """Sum up doubled placements, one array per curve."""
        k = len(placements)
        return cls(
            size=len(placements[0]),
            other=other,
            totals=tuple(int(p.sum()) for p in placements),
            products={
                (i, j): exact_dot(placements[i], placements[j], largest=4 * other * other)
                for i in range(k)
                for j in range(i, k)
            },
        )

    def covariance(self, first: Curves, second: Curves) -> float:
        """Part of the covariance of two areas, or of two differences, that comes from this class."""
        if self.size < 2:
            return math.nan
        product = sum(
            (-1) ** (p + q) * self.products[min(i, j), max(i, j)]
            for p, i in enumerate(first)
            for q, j in enumerate(second)
        )
        return delong_term(product, self._total(first), self._total(second), self.size, self.other)

    def _total(self, curves: Curves) -> int:
        return sum((-1) ** place * self.totals[i] for place, i in enumerate(curves))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScoreTable:
    """Distinct scores, descending, and how many positives and negatives have each.

    Counts are int64; fractional weights make them float64. `bound` is 0 for an exact table; for a
    `thinned` one the true area differs from the table's by no more. With `direction` "lower" low scores stand
    for the positive class: `scores` then have the opposite sign, so that they descend all the same, and
    `own_scores` are those that came.

    Examples
    --------
    >>> table = ScoreTable.from_counts([1, 2, 3], pos=[0, 1, 2], neg=[2, 1, 0])
    >>> table.scores
    array([3., 2., 1.])
    >>> table.twice_u, table.auc
    (17, 0.9444444444444444)
    """

    scores: NDArray[Any]
    pos: NDArray[Any]
    neg: NDArray[Any]
    bound: float = 0.0
    thinned: bool = False
    direction: Direction = "higher"

    def __post_init__(self) -> None:
        for name in ("scores", "pos", "neg"):
            frozen = np.asarray(getattr(self, name)).view()
            frozen.setflags(write=False)
            object.__setattr__(self, name, frozen)
        checks.check_same_length(scores=self.scores, pos=self.pos, neg=self.neg)
        if not bool((self.scores[1:] < self.scores[:-1]).all()):
            raise RocInputError(
                "must descend without ties; from_counts takes them in any order", argument="scores"
            )

    def __reduce__(self) -> Any:
        # Built anew by pickle and copy, so that the arrays are read-only there as well.
        fields = {name: getattr(self, name) for name in FIELDS}
        return partial(ScoreTable, **fields), ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in FIELDS)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_counts(cls, scores: Any, *, pos: Any, neg: Any) -> ScoreTable:
        """Make a table from counts per score, for example ratings; equal scores are added up."""
        values = checks.as_scores(scores, name="scores")
        counts = [checks.as_weights(pos, name="pos"), checks.as_weights(neg, name="neg")]
        checks.check_same_length(scores=values, pos=counts[0], neg=counts[1])
        checks.check_same_index(scores=scores, pos=pos, neg=neg)
        for name, weights in zip(("pos", "neg"), counts, strict=True):
            if weights.any():
                checks.check_weight_sizes(weights, name=name)
        table = collect(values, counts[0], counts[1])
        for name, total in (("pos", table.n_pos), ("neg", table.n_neg)):
            if total == 0:
                raise RocInputError("must count at least one case, got none", argument=name)
        return table

    @classmethod
    def from_sorted(cls, pos: NDArray[Any], neg: NDArray[Any], direction: Direction = "higher") -> ScoreTable:
        """Make a table from the ascending scores of each class (the door has checked them)."""
        if pos.size + neg.size >= LARGE:
            from rocscope.core import kernels

            scores, n_pos, n_neg = kernels.merge_classes(pos, neg)
            scores += scores.dtype.type(0)  # -0.0 becomes 0.0
            return cls(scores=scores, pos=n_pos, neg=n_neg, direction=direction)
        ones = np.repeat([1, 0], [pos.size, neg.size])
        return collect(np.concatenate([pos, neg]), ones, 1 - ones, direction)

    @classmethod
    def binned(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        bins: int = 65_536,
        step: float | None = None,
        pos_label: Any = None,
        direction: Direction = "higher",
    ) -> BinnedTable:
        """Count cases in bins: a table with the `bound` of its area, and `se_bound` of its standard error.

        Parameters
        ----------
        y_true, y_score, pos_label, direction
            As in `auc`.
        bins
            About how many bins; they are narrow where many pairs of the two classes meet.
        step
            Width of all bins, a power of two. Tables of the same step add up by `merge`.

        Examples
        --------
        >>> import numpy as np
        >>> rng = np.random.default_rng(1)
        >>> y = rng.random(20_000) < 0.5
        >>> s = rng.normal(y)
        >>> table = ScoreTable.binned(y, s, bins=1000)
        >>> abs(table.auc - ScoreTable.binned(y, s, bins=10**6).auc) < table.bound < 0.0005
        True
        """
        from rocscope.core.bins import binned_table

        return binned_table(y_true, y_score, bins=bins, step=step, pos_label=pos_label, direction=direction)

    @property
    def own_scores(self) -> NDArray[Any]:
        """The scores as they came: ascending where low ones stand for the positive class."""
        return own_scores(self.scores, self.direction)

    @property
    def n_pos(self) -> Any:
        """Number (or weight) of positives."""
        return self.pos.sum().item()

    @property
    def n_neg(self) -> Any:
        """Number (or weight) of negatives."""
        return self.neg.sum().item()

    @property
    def is_counted(self) -> bool:
        """Whether the table holds whole cases rather than fractional weights."""
        return bool(self.pos.dtype.kind == "i" and self.neg.dtype.kind == "i")

    @property
    def twice_u(self) -> Any:
        """Twice Mann and Whitney's U, an exact integer for counted tables."""
        return exact_dot(self.pos, self._doubled_pos())

    @property
    def auc(self) -> float:
        """Area under the empirical curve; ties count one half."""
        area = float(self.twice_u / (2 * self.n_pos * self.n_neg))
        return min(max(area, 0.0), 1.0)  # fractional weights round

    def sums(self) -> PlacementSums:
        """Exact sums of placements, for counted tables."""
        if not self.is_counted:
            raise RocInputError("must be taken over whole cases, got fractional weights", argument="sums")
        of_pos, of_neg = self._doubled_pos(), self._doubled_neg()
        return PlacementSums(
            n_pos=self.n_pos,
            n_neg=self.n_neg,
            twice_u=exact_dot(self.pos, of_pos),
            squares_pos=exact_dot(self.pos, of_pos, of_pos),
            squares_neg=exact_dot(self.neg, of_neg, of_neg),
        )

    def errors_at(self, threshold: float) -> Any:
        """Number of wrong decisions `score >= threshold`; `score <= threshold` with direction "lower"."""
        checks.check_number(threshold, name="threshold", closed=True)
        positive = points.reaches(self.own_scores, threshold, self.direction == "lower")
        return (self.neg[positive].sum() + self.pos[~positive].sum()).item()

    def placement_deviations(self) -> list[tuple[NDArray[Any], NDArray[Any]]]:
        """Placements minus the area at each score, with the number of cases that have it, per class."""
        of_pos = self._doubled_pos() / (2 * self.n_neg) - self.auc
        of_neg = self._doubled_neg() / (2 * self.n_pos) - self.auc
        return [(of_pos, self.pos), (of_neg, self.neg)]

    def merge(self, other: ScoreTable) -> ScoreTable:
        """Add up two tables: the table of both parts of the data together."""
        checks.check_instance(other, ScoreTable, name="other")
        if self.thinned or other.thinned:
            raise RocInputError(
                "must be merged before they are thinned, got a thinned one", argument="tables"
            )
        if self.direction != other.direction:
            raise RocInputError("must have one direction, got both", argument="tables")
        a, b = self.scores, other.scores
        if a.dtype != b.dtype:  # one type for both, unless that would round an integer
            floats = b if a.dtype.kind == "i" else a
            if not ((np.abs(floats) < 2**63).all() and np.array_equal(floats, floats.astype(np.int64))):
                raise RocInputError(
                    "must hold scores of one type, got integers beyond 2**53 beside fractions",
                    argument="tables",
                )
            a, b = a.astype(np.int64), b.astype(np.int64)
        pos, neg = np.concatenate([self.pos, other.pos]), np.concatenate([self.neg, other.neg])
        return collect(np.concatenate([a, b]), pos, neg, self.direction)

    def thin(self, max_rows: int) -> ScoreTable:
        """Keep at most `max_rows` thresholds, evenly spaced along the curve; exact at those kept.

        Each kept row carries the counts of the rows it replaces, so the rates at its threshold stay
        exact. Inside a bin of p positives and n negatives U is unknown by at most p n / 2, which adds
        up to `bound`.
        """
        checks.check_integer(max_rows, name="max_rows", low=2)
        if len(self.scores) <= max_rows:
            return self
        along = np.cumsum(self.pos) / self.n_pos + np.cumsum(self.neg) / self.n_neg
        spaced = np.searchsorted(along, np.linspace(0, 2, max_rows + 1)[1:-1])
        last = np.unique(np.append(spaced, len(along) - 1))
        first = np.concatenate([[0], last[:-1] + 1])
        pos, neg = np.add.reduceat(self.pos, first), np.add.reduceat(self.neg, first)
        mixed = last > first
        unknown = float((pos[mixed] / self.n_pos * (neg[mixed] / self.n_neg)).sum()) / 2
        bound = (self.bound + unknown) * (1 + 1e-12)  # rounding must not make it too small
        side: dict[str, Any] = {"bound": bound, "thinned": True, "direction": self.direction}
        return ScoreTable(scores=self.scores[last], pos=pos, neg=neg, **side)

    def thinning_text(self) -> str:
        """Say how far a thinned table may be from the scores."""
        return f"{THINNED}: the true area is within {self.bound:.2g} of this one"

    def _doubled_pos(self) -> NDArray[Any]:
        """Doubled placement of the positives at each score."""
        return np.asarray(2 * (self.n_neg - np.cumsum(self.neg)) + self.neg)

    def _doubled_neg(self) -> NDArray[Any]:
        """Doubled placement of the negatives at each score."""
        return np.asarray(2 * np.cumsum(self.pos) - self.pos)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelledTable(ScoreTable):
    """Count table of one score, of a file or of a curve, with the names of its classes."""

    name: str = "y_score"
    pos_label: Any
    neg_label: Any
    warnings: tuple[str, ...] = ()

    def __reduce__(self) -> Any:
        return partial(LabelledTable, **{field.name: getattr(self, field.name) for field in fields(self)}), ()

    def thin(self, max_rows: int) -> LabelledTable:
        """Keep at most so many thresholds, as `ScoreTable.thin` does, and all names."""
        thinned = ScoreTable.thin(self, max_rows)
        return replace(self, **{field.name: getattr(thinned, field.name) for field in fields(ScoreTable)})


def as_table(data: Any) -> Any:
    """Return what a ROC curve holds: its counts, or cases that counts do not describe; else `data` itself."""
    if not hasattr(type(data), "score_table"):
        return data
    return data.score_table() if data.cases is None else data.cases


def table_warnings(table: ScoreTable) -> tuple[str, ...]:
    """What a reader should know of a table: its own warnings, which a labelled one has, and its thinning."""
    own: tuple[str, ...] = getattr(table, "warnings", ())
    if not table.thinned or any(text.startswith(THINNED) for text in own):
        return own
    return (*own, table.thinning_text())


def table_labels(table: ScoreTable) -> dict[str, Any]:
    """Names of the classes and warnings of a table; one without names calls its classes 1 and 0.

    Examples
    --------
    >>> table_labels(ScoreTable.from_counts([1, 2], pos=[0, 1], neg=[1, 0]))
    {'pos_label': 1, 'neg_label': 0, 'warnings': ()}
    """
    names = {"pos_label": getattr(table, "pos_label", 1), "neg_label": getattr(table, "neg_label", 0)}
    return {**names, "warnings": table_warnings(table)}


def exact_dot(*factors: NDArray[Any], largest: int | None = None) -> Any:
    """Sum of the products of arrays: a Python integer, exact, where the arrays hold integers.

    `largest` bounds the products where the caller knows a bound.

    Examples
    --------
    >>> exact_dot(np.array([2**40, 1]), np.array([2**40, 3]))
    1208925819614629174706179
    """
    if any(factor.dtype.kind == "f" for factor in factors):
        return float(np.prod(factors, axis=0).sum())
    if largest is None:
        largest = math.prod(max(1, int(factor.max()), -int(factor.min())) for factor in factors)
    if largest > INT64_MAX:
        return sum(int(np.prod([int(f) for f in row], dtype=object)) for row in zip(*factors, strict=True))
    step = INT64_MAX // largest
    size = len(factors[0])
    parts = (tuple(f[start : start + step] for f in factors) for start in range(0, size, step))
    return sum(int(np.einsum(",".join("i" * len(part)) + "->", *part)) for part in parts)


def check_higher(direction: Direction, what: str) -> None:
    """Refuse data whose low scores stand for the positive class, where `what` needs high ones."""
    if direction == "lower":
        raise RocInputError(f"must be 'higher' for {what}, got 'lower'", argument="direction")


BELOW = "the area is below 0.5: the scores rank the negative class higher (see direction lower)"
BELOW_LOW = "the area is below 0.5: the scores rank the negative class lower"


def below_note(area: float, direction: Direction) -> tuple[str, ...]:
    """Say that an area is below 0.5, and which direction would have it above."""
    return () if area >= 0.5 else (BELOW if direction == "higher" else BELOW_LOW,)


def own_scores(scores: NDArray[Any], direction: Direction) -> NDArray[Any]:
    """Scores of a direction with the sign that they came with, and the other way round.

    Examples
    --------
    >>> own_scores(np.array([0.0, -0.5]), "lower").tolist(), own_scores(np.array([0.5]), "higher").tolist()
    ([0.0, 0.5], [0.5])
    """
    return scores if direction == "higher" else np.asarray(0 - scores)  # 0, not -0


def collect(
    scores: NDArray[Any], pos: NDArray[Any], neg: NDArray[Any], direction: Direction = "higher"
) -> ScoreTable:
    """Sort, add up equal scores, drop those that nobody has."""
    scores, pos, neg = (array[(pos > 0) | (neg > 0)] for array in (scores, pos, neg))
    ascending, inverse = np.unique(scores, return_inverse=True)
    totals = [np.zeros(len(ascending), dtype=weights.dtype) for weights in (pos, neg)]
    for total, weights in zip(totals, (pos, neg), strict=True):
        np.add.at(total, inverse, weights)
    counts = [total[::-1] for total in totals]
    descending = ascending[::-1] + ascending.dtype.type(0)
    return ScoreTable(scores=descending, pos=counts[0], neg=counts[1], direction=direction)


# ---- Placement sums of stretches of scores, which add up to those of all scores ---------------------------
#
# Let one stretch lie above another. A positive above beats all negatives below, a negative below is beaten
# by all positives above; so doubled placements grow by twice these counts, and the sums of their squares
# follow from the sums themselves, in integers.

NOTHING = PlacementSums(n_pos=0, n_neg=0, twice_u=0, squares_pos=0, squares_neg=0)


def stacked_sums(below: PlacementSums, above: PlacementSums) -> PlacementSums:
    """Sums of two stretches together, no score of the one reaching into the other.

    Examples
    --------
    >>> low, high = tied_sums(0, 2), tied_sums(3, 1)
    >>> stacked_sums(low, high).auc  # 3 x 2 pairs in order, 3 x 1 tied
    0.8333333333333334
    """
    beaten, by = 2 * below.n_neg, 2 * above.n_pos
    return PlacementSums(
        n_pos=below.n_pos + above.n_pos,
        n_neg=below.n_neg + above.n_neg,
        twice_u=below.twice_u + above.twice_u + beaten * above.n_pos,
        # (d + c)^2 summed over n placements d: the squares, 2 c times their sum, n c^2.
        squares_pos=below.squares_pos
        + above.squares_pos
        + beaten * (2 * above.twice_u + beaten * above.n_pos),
        squares_neg=below.squares_neg + above.squares_neg + by * (2 * below.twice_u + by * below.n_neg),
    )


def tied_sums(n_pos: int, n_neg: int) -> PlacementSums:
    """Sums of cases that all have one score: every placement is one half.

    Examples
    --------
    >>> tied_sums(2, 3).auc
    0.5
    """
    return PlacementSums(
        n_pos=n_pos,
        n_neg=n_neg,
        twice_u=n_pos * n_neg,
        squares_pos=n_pos * n_neg * n_neg,
        squares_neg=n_neg * n_pos * n_pos,
    )


def sorted_sums(pos: NDArray[Any], neg: NDArray[Any]) -> PlacementSums:
    """Sums of the ascending scores of each class, cut until they fit 64 bits.

    Examples
    --------
    >>> sorted_sums(np.array([2.0, 3.0]), np.array([1.0, 2.0])).auc
    0.875
    """
    m, n = pos.size, neg.size
    if m == 0 or n == 0:
        return tied_sums(m, n)
    if 4 * m * n * max(m, n) <= INT64_MAX:
        if m + n < LARGE:
            return ScoreTable.from_sorted(pos, neg).sums()
        from rocscope.core import kernels

        twice_u, of_pos, of_neg = map(int, kernels.placement_sums(pos, neg))
        return PlacementSums(n_pos=m, n_neg=n, twice_u=twice_u, squares_pos=of_pos, squares_neg=of_neg)
    middle = (pos if m >= n else neg)[max(m, n) // 2]
    below = [scores[: np.searchsorted(scores, middle, "left")] for scores in (pos, neg)]
    above = [scores[np.searchsorted(scores, middle, "right") :] for scores in (pos, neg)]
    at_middle = tied_sums(m - below[0].size - above[0].size, n - below[1].size - above[1].size)
    return stacked_sums(stacked_sums(sorted_sums(*below), at_middle), sorted_sums(*above))
