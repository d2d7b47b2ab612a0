"""DeLong's covariance of the areas of several curves, kept in integers until the last division."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.scores import BinaryScores
from rocscope.core.table import PlacementSums, delong_term, exact_dot


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaMatrix:
    """Areas of k curves, their covariance, and the variance of each difference.

    The variance of a difference comes from the integers as well: taken from the rounded covariance it
    would lose its digits where two classifiers are much alike.
    """

    names: tuple[str, ...]
    areas: NDArray[np.float64]
    covariance: NDArray[np.float64]
    difference_variance: Mapping[tuple[int, int], float]
    sizes: tuple[int, ...]
    smallest_class: int
    differences: Mapping[tuple[int, int], float] | None = None
    step_covariance: NDArray[np.float64] | None = None

    def difference(self, pair: tuple[int, int]) -> float:
        """First area less the second, rounded once where it comes from the integers."""
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


def unpaired_areas(samples: Mapping[str, BinaryScores]) -> AreaMatrix:
    """Areas of curves on different cases: their variances add up."""
    sums = [data.sums() for data in samples.values()]
    variances = [_variance(s) for s in sums]
    pairs = combinations(range(len(sums)), 2)
    return AreaMatrix(
        names=tuple(samples),
        areas=np.array([s.auc for s in sums]),
        covariance=np.diag(variances),
        difference_variance={(i, j): variances[i] + variances[j] for i, j in pairs},
        sizes=tuple(s.n_pos + s.n_neg for s in sums),
        smallest_class=min(min(s.n_pos, s.n_neg) for s in sums),
    )


def _variance(sums: PlacementSums) -> float:
    return sums.delong_variance() if min(sums.n_pos, sums.n_neg) > 1 else np.nan


# One curve, or a first curve less a second one.
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
