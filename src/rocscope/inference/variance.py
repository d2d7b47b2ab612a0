"""The variance of the area under the empirical curve: by model, without a model, and of several areas.

With phi = 1, 1/2 or 0 for one positive against one negative, m positives, n negatives and A = E[phi],

    m n Var = E[phi^2] - A^2 + (m - 1)(Q1 - A^2) + (n - 1)(Q2 - A^2),

where Q1 is the mean product of phi for two different positives against one negative, Q2 for one positive
against two different negatives [1]_, [2]_. Without ties E[phi^2] = A.

References
----------
.. [1] Bamber: The area above the ordinal dominance graph and the area below the receiver operating
   characteristic graph, Journal of Mathematical Psychology 12, 1975.
.. [2] Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic (ROC)
   curve, Radiology 143, 1982.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.scores import BinaryScores
from rocscope.core.table import PlacementSums, delong_term, exact_dot

FEW = "the variance needs two cases in each class"
NO_VARIANCE = "the areas differ but their difference has no variance"


def hanley_mcneil_variance(area: float, n_pos: float, n_neg: float) -> float:
    """Variance of the area if the scores of both classes are exponential, [2].

    It needs the area alone, and stays the same when the classes change places and the area becomes
    1 - area. The sizes of a study that is planned need not be whole.

    Examples
    --------
    >>> round(hanley_mcneil_variance(0.893171, n_pos=51, n_neg=58) ** 0.5, 6)
    0.032487
    """
    # [2]: Q1 = A / (2 - A), Q2 = 2 A^2 / (1 + A); each minus A^2, with A (1 - A) taken out of all terms.
    two_pos = (n_pos - 1) * (1 - area) / (2 - area)
    two_neg = (n_neg - 1) * area / (1 + area)
    return area * (1 - area) * (1 + two_pos + two_neg) / (n_pos * n_neg)


def bamber_variance(sums: PlacementSums, *, tied_pairs: int) -> float:
    """Unbiased estimate of the variance of the area, with no model of the scores, [1].

    Products are averaged over different positives and different negatives only, ties count one half in
    each comparison. The estimate is unbiased for every pair of distributions, with ties or without, and
    never negative; it is 0 only where all comparisons agree (area 0, area 1 or all scores equal).
    DeLong's estimate is larger by R / (m n (m - 1)(n - 1)), R being the sum of squares of phi that the
    effects of single cases leave unexplained; so it is biased upwards, unless there are two scores only.

    Parameters
    ----------
    sums
        Exact sums of the placements; two or more cases in each class.
    tied_pairs
        Number of (positive, negative) pairs with one score.

    Examples
    --------
    >>> sums = PlacementSums(n_pos=2, n_neg=2, twice_u=6, squares_pos=20, squares_neg=20)
    >>> bamber_variance(sums, tied_pairs=0)
    0.0625
    """
    m, n = sums.n_pos, sums.n_neg
    # 4 times the sum of phi_ij phi_kl over pairs of pairs that share a case; 4 sum phi^2 = 4 U - tied pairs.
    sharing = sums.squares_pos + sums.squares_neg - (2 * sums.twice_u - tied_pairs)
    # Pairs that share no case have the mean product A^2, so Ahat^2 minus their mean product is unbiased. It
    # is the formula above at the estimates, divided by (m - 1)(n - 1) in place of m n; rounded once.
    surplus = m * n * sharing - (m + n - 1) * sums.twice_u**2
    return surplus / (4 * m**2 * n**2 * (m - 1) * (n - 1))


# ---- DeLong's covariance of the areas of several curves, kept in integers until the last division ---------


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaMatrix:
    """Areas of k curves, their covariance, and the variance of each difference.

    The variance of a difference comes from the integers as well: taken from the rounded covariance it
    would lose its digits where two classifiers are much alike. `interval` names the method, `bound` is the
    largest difference, `undefined` the reason where a variance is NaN and `no_variance` where it is 0.
    """

    names: tuple[str, ...]
    areas: NDArray[np.float64]
    covariance: NDArray[np.float64]
    difference_variance: Mapping[tuple[int, int], float]
    sizes: tuple[int, ...]
    smallest_class: int
    differences: Mapping[tuple[int, int], float] | None = None
    step_covariance: NDArray[np.float64] | None = None
    interval: str = "delong"
    bound: float = 1.0
    undefined: str = FEW
    no_variance: str = NO_VARIANCE

    def difference(self, pair: tuple[int, int]) -> float:
        """First area minus the second, rounded once where it comes from the integers."""
        if self.differences is not None:
            return self.differences[pair]
        return float(self.areas[pair[0]] - self.areas[pair[1]])

    def contrast_covariance(self, contrasts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Covariance of contrasts of the areas, L S L'.

        A row that adds up to 0 is a sum of steps from each curve to the next, whose covariance
        (`step_covariance`) comes from the integers.
        """
        sums = np.cumsum(contrasts, axis=1)
        if self.step_covariance is not None and np.abs(sums[:, -1]).max() == 0:
            return np.asarray(sums[:, :-1] @ self.step_covariance @ sums[:, :-1].T)
        return np.asarray(contrasts @ self.covariance @ contrasts.T)


def paired_areas(data: BinaryScores) -> AreaMatrix:
    """Areas of curves on the same cases."""
    placements = [data.doubled_placements(column) for column in range(len(data.columns))]
    of_pos = _ClassProducts([pos for pos, _ in placements], other=data.n_neg)
    of_neg = _ClassProducts([neg for _, neg in placements], other=data.n_pos)
    k = len(placements)
    pairs = list(combinations(range(k), 2))
    steps = [(i, i + 1) for i in range(k - 1)]
    twice_pairs = 2 * data.n_pos * data.n_neg
    totals, smallest = of_pos.totals, min(data.n_pos, data.n_neg)

    def covariance(first: _Curves, second: _Curves) -> float:
        return of_pos.covariance(first, second) + of_neg.covariance(first, second)

    return AreaMatrix(
        names=data.names,
        areas=np.array([total / twice_pairs for total in totals]),
        covariance=np.array([[covariance((i,), (j,)) for j in range(k)] for i in range(k)]),
        differences={(i, j): (totals[i] - totals[j]) / twice_pairs for i, j in pairs},
        difference_variance={pair: covariance(pair, pair) for pair in pairs if smallest > 1},
        step_covariance=np.array([[covariance(a, b) for b in steps] for a in steps]),
        sizes=(data.positive.size,) * k,
        smallest_class=smallest,
    )


def unpaired_areas(names: Sequence[str], samples: Sequence[BinaryScores]) -> AreaMatrix:
    """Areas of curves on different cases: their variances add up."""
    sums = [data.sums() for data in samples]
    variances = [s.delong_variance() if min(s.n_pos, s.n_neg) > 1 else np.nan for s in sums]
    pairs = combinations(range(len(sums)), 2)
    return AreaMatrix(
        names=tuple(names),
        areas=np.array([s.auc for s in sums]),
        covariance=np.diag(variances),
        difference_variance={(i, j): variances[i] + variances[j] for i, j in pairs},
        sizes=tuple(s.n_pos + s.n_neg for s in sums),
        smallest_class=min(min(s.n_pos, s.n_neg) for s in sums),
    )


# One curve, or a first curve minus a second one.
_Curves = tuple[int, ...]


class _ClassProducts:
    """Sums and sums of products of the doubled placements of one class, one row per curve."""

    def __init__(self, placements: list[NDArray[np.int64]], *, other: int) -> None:
        self.size, self.other = len(placements[0]), other
        self.totals = [int(p.sum()) for p in placements]
        k = len(placements)
        self.products: dict[tuple[int, int], Any] = {
            (i, j): exact_dot(placements[i], placements[j], largest=4 * other * other)
            for i in range(k)
            for j in range(i, k)
        }

    def covariance(self, first: _Curves, second: _Curves) -> float:
        """Part of the covariance of two areas, or of two differences, that comes from this class."""
        if self.size < 2:
            return np.nan
        product = sum(
            (-1) ** (p + q) * self.products[min(i, j), max(i, j)]
            for p, i in enumerate(first)
            for q, j in enumerate(second)
        )
        return delong_term(product, self._total(first), self._total(second), self.size, self.other)

    def _total(self, curves: _Curves) -> int:
        return sum((-1) ** place * self.totals[i] for place, i in enumerate(curves))
