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


def paired_areas(data: BinaryScores) -> AreaMatrix:
    """Areas of curves on the same cases."""
    placements = [data.doubled_placements(column) for column in range(len(data.columns))]
    of_pos = _ClassProducts([pos for pos, _ in placements], other=data.n_neg)
    of_neg = _ClassProducts([neg for _, neg in placements], other=data.n_pos)
    k = len(placements)
    defined = min(data.n_pos, data.n_neg) > 1
    covariance = np.full((k, k), np.nan)
    difference = {}
    if defined:
        covariance = np.array([[of_pos.term(i, j) + of_neg.term(i, j) for j in range(k)] for i in range(k)])
        difference = {
            (i, j): of_pos.between(i, j) + of_neg.between(i, j) for i, j in combinations(range(k), 2)
        }
    return AreaMatrix(
        names=data.names,
        areas=np.array([total / (2 * data.n_pos * data.n_neg) for total in of_pos.totals]),
        covariance=covariance,
        difference_variance=difference,
        sizes=(data.positive.size,) * k,
        smallest_class=min(data.n_pos, data.n_neg),
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

    def term(self, i: int, j: int) -> float:
        """Part of the covariance of two areas that comes from this class."""
        product = self.products[min(i, j), max(i, j)]
        return delong_term(product, self.totals[i], self.totals[j], self.size, self.other)

    def between(self, i: int, j: int) -> float:
        """Part of the variance of a difference of areas that comes from this class."""
        squares = self.products[i, i] + self.products[j, j] - 2 * self.products[i, j]
        total = self.totals[i] - self.totals[j]
        return delong_term(squares, total, total, self.size, self.other)
