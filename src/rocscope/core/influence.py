"""How much each case moves a statistic, and the variance that follows from the design of the study.

The influence of a case is the derivative of the statistic with respect to its weight, times the weight: the
statistic of other cases differs from this one by the sum of their influences, but for terms of second order.
The influences of the cases that a statistic counts add up to 0. Of the area they are the placements: for
a positive w (V - A) / W, where V is the weight of the negatives below it, ties by one half, divided by the
weight of all negatives, A the area and W the weight of the positives [1]_.

Cases of one cluster (a patient, a family) vary together, so influences are added up inside a cluster before
they are squared. With P_k and N_k, the sums over the positives and over the negatives of cluster k,

    Var = I1 / (I1 - 1) sum P_k^2 + I0 / (I0 - 1) sum N_k^2 + 2 I / (I - 1) sum P_k N_k,

I1 clusters having positives, I0 negatives and I any case [2]_. Where every case is its own cluster the last
sum is 0, and this is DeLong's variance [1]_; weights from a survey enter by the influences alone [3]_. It is
computed as I / (I - 1) sum (P_k + N_k)^2 and what the factors of the classes add, so that it is never below
0; sums that cancel but for rounding are 0.

Few clusters, or a few that hold most of the cases, leave this variance itself uncertain. Intervals of
clusters take Student's t with Satterthwaite's degrees of freedom [4]_, 2 V^2 / Var(V), where V is the sum of
the squares of T_k = P_k + N_k and Var(V) comes from their spread over the K clusters:

    df = 2 (sum T_k^2)^2 / (sum T_k^4 - (sum T_k^2)^2 / K),  at most min(I1, I0) - 1.

For normal T_k it is about K; with clusters of unequal size it is less. Independent cases keep the normal
distribution, as DeLong has it, and so do cases that are each a cluster of their own.

References
----------
.. [1] DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated receiver operating
   characteristic curves: a nonparametric approach, Biometrics 44, 1988.
.. [2] Obuchowski: Nonparametric analysis of clustered ROC curve data, Biometrics 53, 1997.
.. [3] Binder: On the variances of asymptotically normal estimators from complex surveys, International
   Statistical Review 51, 1983.
.. [4] Satterthwaite: An approximate distribution of estimates of variance components, Biometrics Bulletin 2,
   1946.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.partial_area import Ranges, placement_limits, segment_placements
from rocscope.core.scores import BinaryScores
from rocscope.core.table import LARGE

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
# Sums of influences below this share of the largest terms are rounding.
ROUNDING = 2.0**-48


@dataclass(frozen=True)
class Design:
    """Which cases vary together: clusters, numbered from 0 on, or None where all are independent.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1], [1, 3, 2, 4])
    >>> area, influence = area_influence(data)
    >>> area, influence.tolist(), Design.of(data).variance(influence)
    (0.75, [0.125, -0.125, -0.125, 0.125], 0.125)
    """

    positive: Bools
    groups: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, data: BinaryScores) -> Design:
        """The design of checked data."""
        return cls(data.positive, data.groups)

    @cached_property
    def n_clusters(self) -> tuple[int, int, int]:
        """Clusters that have positives, that have negatives, and all."""
        if self.groups is None:
            n_pos = int(np.count_nonzero(self.positive))
            return n_pos, self.positive.size - n_pos, self.positive.size
        has_neg, has_pos = np.bincount(self._cells, minlength=self._n_cells).reshape(-1, 2).T > 0
        return int(has_pos.sum()), int(has_neg.sum()), int((has_pos | has_neg).sum())

    def totals(self, influences: Floats) -> Totals:
        """Influences of the cases on some statistics, (statistics, cases), summed inside clusters."""
        if self.groups is None:
            classes = (~self.positive, self.positive)
            of_neg, of_pos = (influences.compress(of_class, axis=1) for of_class in classes)
        else:
            sums = np.stack([_summed(self._cells, row, self._n_cells) for row in influences])
            of_neg, of_pos = (np.ascontiguousarray(sums[:, code::2]) for code in (0, 1))
        return Totals(of_pos, of_neg, self.n_clusters, clustered=self.groups is not None)

    def covariance(self, influences: Floats) -> Floats:
        """Covariance of statistics, from the influences of the cases on each, (statistics, cases).

        NaN where positives or negatives that vary lie in one cluster alone.
        """
        for n, of_class in zip(self.n_clusters, (self.positive, ~self.positive), strict=False):
            if n < 2 and influences[:, of_class].any():
                return np.full((len(influences),) * 2, np.nan)
        return self.totals(influences).covariance()

    def variance(self, influence: Floats) -> float:
        """Variance of one statistic; see `covariance`."""
        return float(self.covariance(influence[None])[0, 0])

    def degrees_of_freedom(self, influence: Floats) -> float | None:
        """Degrees of freedom of the variance of one statistic; None for the normal distribution."""
        return None if self.groups is None else self.totals(influence[None]).degrees_of_freedom()

    def share_variance(self, influence: Floats, members: Bools) -> float:
        """Variance of a share of the `members`, a random sample of clusters whatever their classes."""
        totals = influence[members] if self.groups is None else self.by_cluster(influence)
        n = int(members.sum()) if self.groups is None else np.unique(self.groups[members]).size
        if n < 2 and influence.any():
            return math.nan
        return float(np.square(totals).sum()) * (n / (n - 1) if n > 1 else 0.0)

    def by_cluster(self, influence: Floats) -> Floats:
        """Influence of every cluster, or of every case where they are independent."""
        return influence if self.groups is None else _summed(self.groups, influence)

    @cached_property
    def _cells(self) -> NDArray[np.int64]:
        """Cluster and class of every case as one number."""
        assert self.groups is not None
        return 2 * self.groups + self.positive

    @cached_property
    def _n_cells(self) -> int:
        assert self.groups is not None
        return 2 * (int(self.groups.max()) + 1)


@dataclass(frozen=True)
class Totals:
    """Influences on one or more statistics, summed inside the clusters of each class: (statistics, clusters).

    Of clustered cases both classes have the same clusters, some of them empty.
    """

    of_pos: Floats
    of_neg: Floats
    n_clusters: tuple[int, int, int]
    clustered: bool

    def covariance(self) -> Floats:
        """Covariance of the statistics."""
        pos, neg, both = (n / (n - 1) if n > 1 else 0.0 for n in self.n_clusters)
        squares = [_products(totals, totals) for totals in (self.of_pos, self.of_neg)]
        if not self.clustered:
            return pos * squares[0] + neg * squares[1]
        totals = self._by_cluster()
        own = max(pos - both, 0.0) * squares[0] + max(neg - both, 0.0) * squares[1]
        return both * _products(totals, totals) + own

    def variance(self) -> float:
        """Variance of one statistic."""
        return float(self.covariance()[0, 0])

    def by_cluster(self) -> Floats:
        """Influence of every cluster on one statistic."""
        return np.asarray(self._by_cluster()[0])

    def degrees_of_freedom(self) -> float | None:
        """Satterthwaite's degrees of freedom of the variance of one statistic [4]; None without clusters."""
        if not self.clustered:
            return None
        squares, most = self.by_cluster() ** 2, min(self.n_clusters[:2]) - 1
        squares = squares / (squares.max() or 1.0)  # no square of a square underflows
        total = float(squares.sum())
        spread = float(np.square(squares).sum()) - total**2 / self.n_clusters[2]
        return float(min(2 * total**2 / spread, most)) if spread > 0 else float(most)

    def _by_cluster(self) -> Floats:
        terms = np.abs(self.of_pos) + np.abs(self.of_neg)
        return _without_rounding(self.of_pos + self.of_neg, terms)


def _summed(places: NDArray[np.int64], influence: Floats, n: int = 0) -> Floats:
    """Influences summed at their places."""
    terms = np.bincount(places, np.abs(influence), n)
    return _without_rounding(np.bincount(places, influence, n), terms)


def _without_rounding(sums: NDArray[Any], terms: NDArray[Any]) -> Floats:
    """Sums, but 0 where they are rounding beside the largest terms."""
    return np.where(np.abs(sums) > ROUNDING * terms.max(initial=0.0), sums, 0.0)


def _products(first: Floats, second: Floats) -> Floats:
    """Sums of products of rows; not by BLAS, whose threads cost more here than they bring."""
    return np.asarray(np.einsum("ik,jk->ij", first, second))


def area_influence(data: BinaryScores, column: int = 0) -> tuple[float, Floats]:
    """Area of one classifier, and the influence of every case on it, in row order.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 1, 1], [1, 1, 2], sample_weight=[1.0, 0.5, 1.5])
    >>> area, influence = area_influence(data)
    >>> area, influence.tolist()
    (0.875, [0.0, -0.09375, 0.09375])
    """
    if data.weight is None:
        of_pos, of_neg = data.doubled_placements(column)
        twice_pairs = 2 * data.n_pos * data.n_neg
        area = int(of_pos.sum()) / twice_pairs
        parts = of_pos / twice_pairs - area / data.n_pos, of_neg / twice_pairs - area / data.n_neg
    else:
        weight = data.weight.astype(np.float64)
        pos, neg = weight[data.positive], weight[~data.positive]
        scores = data.columns[column]
        above = _share_below(scores[data.positive], scores[~data.positive], neg)
        below = 1 - _share_below(scores[~data.positive], scores[data.positive], pos)
        area = float((pos * above).sum() / pos.sum())  # of separated or equal scores exactly 0, 1 or 1/2
        parts = pos * (above - area) / pos.sum(), neg * (below - area) / neg.sum()
    influence = np.empty(data.positive.size)
    for rows, part in zip((data.positive, ~data.positive), parts, strict=True):
        influence[np.flatnonzero(rows)] = part  # numbers are quicker than a mask
    return area, influence


def area_totals(data: BinaryScores, column: int = 0) -> tuple[float, Totals]:
    """Area of one classifier, and the influences on it summed inside clusters.

    Of clusters without weights the placements are summed as the integers that they are, and a large column
    needs no list of the cases in any order.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1], [1, 3, 2, 4], groups=["a", "a", "b", "c"])
    >>> area, totals = area_totals(data)
    >>> area, totals.of_pos.tolist(), totals.of_neg.tolist()
    (0.75, [[0.0, -0.125, 0.125]], [[0.0, 0.0, 0.0]])
    """
    if data.groups is None or data.weight is not None:
        area, influence = area_influence(data, column)
        return area, Design.of(data).totals(influence[None])
    m, n, n_clusters, sums = data.n_pos, data.n_neg, int(data.groups.max()) + 1, None
    if data.positive.size >= LARGE and n_clusters < 2**31:
        from rocscope.core import kernels

        sums = kernels.cluster_placements(data.positive, data.columns[column], data.groups, n_clusters)
    if sums is None:
        of_class = ~data.positive, data.positive
        placements = data.doubled_placements(column)[::-1]
        clusters = [data.groups[members] for members in of_class]
        parts = [np.bincount(*both, n_clusters) for both in zip(clusters, placements, strict=True)]
        parts += [np.bincount(part, minlength=n_clusters).astype(np.float64) for part in clusters]
        sums = np.stack(parts, axis=1).astype(np.int64)
    area = int(sums[:, 1].sum()) / (2 * m * n)
    place_neg, place_pos, cases_neg, cases_pos = sums.T.astype(np.float64)
    return area, Totals(
        ((place_pos / (2 * n) - area * cases_pos) / m)[None],
        ((place_neg / (2 * m) - area * cases_neg) / n)[None],
        (
            int(np.count_nonzero(cases_pos)),
            int(np.count_nonzero(cases_neg)),
            int(np.count_nonzero(cases_pos + cases_neg)),
        ),
        clustered=True,
    )


def _share_below(scores: NDArray[Any], others: NDArray[Any], weight: Floats) -> Floats:
    """Share of the weight of the others below each score, that of ties by one half."""
    order = np.argsort(others)
    running = np.concatenate([[0.0], np.cumsum(weight[order])])
    ascending = others[order]
    left, right = (np.searchsorted(ascending, scores, side) for side in ("left", "right"))
    return np.asarray((running[left] + running[right]) / 2 / running[-1])


def partial_influence(data: BinaryScores, ranges: Ranges) -> Floats:
    """Influence of every case on a partial area, in row order; the scale is that of the raw area.

    A case more moves the curve from its own score on; see `partial_area.segment_placements`.
    """
    table = data.table()
    across, up = segment_placements(table.pos, table.neg, placement_limits(ranges, table.n_pos, table.n_neg))
    # Scores of the table descend.
    scores = data.columns[0]
    place = len(table.scores) - 1 - np.searchsorted(table.scores[::-1], scores)
    weight = np.ones(scores.size) if data.weight is None else data.weight.astype(np.float64)
    moved = weight * np.where(data.positive, across[place], -up[place]) / (table.n_pos * table.n_neg)
    for of_class in (data.positive, ~data.positive):  # influences of a class add up to 0
        moved[of_class] -= weight[of_class] * (moved[of_class].sum() / weight[of_class].sum())
    return np.asarray(moved)


def share_influence(
    counted: Bools, members: Bools, weight: NDArray[Any] | None = None
) -> tuple[float, Floats]:
    """Share of the members that are counted, such as positives that test positive, and its influences.

    Examples
    --------
    >>> share, influence = share_influence(np.array([True, False, True]), np.array([True, True, False]))
    >>> share, influence.tolist()
    (0.5, [0.25, -0.25, 0.0])
    """
    weights = np.where(members, 1.0 if weight is None else weight, 0.0)
    total = weights.sum()
    share = float((weights * counted).sum() / total)  # of all members exactly 1
    return share, np.asarray(weights * (counted - share) / total)
