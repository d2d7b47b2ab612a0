"""The binormal curve from means and standard deviations of the scores themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.categories import Categories
from rocscope.binormal.curve import Binormal, described
from rocscope.binormal.existence import zero_variance
from rocscope.core.table import ScoreTable


def fit_by_moments(table: ScoreTable, categories: Categories) -> Binormal:
    """Intercept (mu_pos - mu_neg) / sigma_pos and slope sigma_neg / sigma_pos, Yousef et al. (2004) eq. 5.

    It takes the scores to be normal as they stand, whereas the other methods see their order alone; the
    covariance rests on the same assumption.
    """
    scale = _Scale(table.scores)
    (mean_n, sd_n), (mean_p, sd_p) = (_moments(scale.values, counts) for counts in (table.neg, table.pos))
    for name, n, sd in (("negatives", table.n_neg, sd_n), ("positives", table.n_pos, sd_p)):
        if n < 2:
            reason = f"a standard deviation needs two cases in each class, the {name} are one"
            return Binormal(status="undetermined", reason=reason, **described(categories, "moments"))
        if not sd > 0:
            reason = zero_variance(table) or f"the {name} are too close together to have a variance"
            return Binormal(status="degenerate", reason=reason, **described(categories, "moments"))
    a, b = (mean_p - mean_n) / sd_p, sd_n / sd_p
    cov = _covariance(a, b, table.n_neg, table.n_pos)
    return Binormal(a=a, b=b, cov=cov, **described(categories, "moments", a, b))


class _Scale:
    """Scores shifted and scaled so that no square overflows; a and b do not depend on either."""

    def __init__(self, scores: NDArray[Any]) -> None:
        floats = scores.astype(np.float64)
        high, low = floats[0], floats[-1]
        spread = high / 2 - low / 2
        self.values = (floats / 2 - low / 2) / spread if spread > 0 else np.zeros(len(floats))


def _moments(values: NDArray[np.float64], counts: NDArray[Any]) -> tuple[float, float]:
    """Mean and standard deviation (n - 1) of counted values; NaN for a single case."""
    n = int(counts.sum())
    mean = float(values @ counts) / n
    squares = float((values - mean) ** 2 @ counts)
    constant = np.count_nonzero(counts) == 1
    return mean, 0.0 if constant else math.sqrt(squares / (n - 1)) if n > 1 else math.nan


def _covariance(a: float, b: float, n_neg: int, n_pos: int) -> NDArray[np.float64]:
    """Delta method for normal scores: var(mean) = s^2 / n, var(s) = s^2 / (2 (n - 1))."""
    by_neg, by_pos = 1 / (2 * (n_neg - 1)), 1 / (2 * (n_pos - 1))
    mixed = a * b * by_pos
    return np.array([[1 / n_pos + b * b / n_neg + a * a * by_pos, mixed], [mixed, b * b * (by_neg + by_pos)]])
