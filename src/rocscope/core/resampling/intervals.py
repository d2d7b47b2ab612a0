"""Intervals and p-values from replicates, and how far chance moves them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks

Floats = NDArray[np.float64]


def standard_error(replicates: Floats) -> float | None:
    """Standard deviation of the replicates; None of a single one."""
    return float(np.std(replicates, ddof=1)) if len(replicates) > 1 else None


def percentile_interval(
    replicates: Floats,
    *,
    level: float,
    alternative: checks.Alternative = "two-sided",
    bounds: Any = (-np.inf, np.inf),
    value: Any = None,
) -> tuple[Any, Any]:
    """Quantiles of the replicates over the first axis; one-sided intervals end at the bound.

    An interval is widened to hold the estimate, if there is a `value`: replicates of few or tied cases can
    lie on one side of it, and at low levels their median is not the estimate.
    """
    low, high = tail_shares(level, alternative)
    ends = np.quantile(replicates, [low, high], axis=0)
    if value is not None:
        ends = np.stack([np.minimum(ends[0], value), np.maximum(ends[1], value)])
    if alternative == "less":
        ends[0] = bounds[0]
    if alternative == "greater":
        ends[1] = bounds[1]
    return ends[0], ends[1]


def end_error(replicates: Floats, level: float) -> float:
    """Monte-Carlo standard error of the ends of a percentile interval, the mean of both.

    The share of replicates below an end has a binomial standard error; the quantiles one such error to
    both sides show how far it moves the end.

    Examples
    --------
    >>> round(end_error(np.linspace(0, 1, 1001), 0.95), 4)
    0.0049
    """
    share = (1 - level) / 2
    error = np.sqrt(share * (1 - share) / len(replicates))
    shares = np.clip(np.add.outer([share, 1 - share], [-error, error]), 0.0, 1.0)
    return float(np.ptp(np.quantile(replicates, shares), axis=1).mean()) / 2


def percentile_p(
    replicates: Floats, *, at: float = 0.0, alternative: checks.Alternative = "two-sided"
) -> float:
    """P-value that belongs to `percentile_interval`: intervals of the level 1 - p just reach `at`.

    It is no less than what so many replicates can show, 1 / (n + 1) on a side.

    Examples
    --------
    >>> replicates = np.linspace(-0.1, 0.9, 1001)
    >>> round(percentile_p(replicates), 6), round(percentile_p(replicates, alternative="greater"), 6)
    (0.2, 0.1)
    """
    low, high = _share_up_to(replicates, at), _share_up_to(-replicates, -at)
    if alternative == "two-sided":
        return min(1.0, 2 * min(low, high))
    return low if alternative == "greater" else high


def _share_up_to(replicates: Floats, at: float) -> float:
    """Largest share whose quantile is not above `at`, quantiles being linear between replicates."""
    ascending = np.sort(replicates)
    n = len(ascending)
    known = int(np.searchsorted(ascending, at, "right"))
    if known in (0, n):
        return 1.0 if known else 1 / (n + 1)
    below, above = ascending[known - 1 : known + 1]
    return max(1 / (n + 1), float(known - 1 + (at - below) / (above - below)) / (n - 1))


def tail_shares(level: float, alternative: checks.Alternative) -> tuple[float, float]:
    """Shares of the distribution below the lower and below the upper end."""
    outside = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    return outside, 1 - outside


def bca_interval(
    replicates: Floats,
    value: float,
    influence: Sequence[tuple[Floats, Floats]],
    *,
    level: float,
    alternative: checks.Alternative = "two-sided",
    bounds: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """Efron's bias-corrected and accelerated interval.

    `influence` holds, for each class, the deviations of the placements from their mean and how many
    cases have each. The acceleration is skewness / 6 of the linear part of the statistic, the two
    classes being drawn apart.
    """
    below = float((replicates < value).mean() + (replicates == value).mean() / 2)
    shift = special.ndtri(min(max(below, 0.5 / len(replicates)), 1 - 0.5 / len(replicates)))
    third = sum(float((n * d**3).sum()) / float(n.sum()) ** 3 for d, n in influence)
    second = sum(float((n * d**2).sum()) / float(n.sum()) ** 2 for d, n in influence)
    acceleration = third / (6 * second**1.5) if second > 0 else 0.0

    def end(share: float) -> float:
        z = shift + (special.ndtri(share) if share < 1 else -special.ndtri(low))  # 1 - 1e-17 rounds to 1
        bounded = acceleration * z < 1  # beyond, the correction reaches every replicate
        share = special.ndtr(shift + z / (1 - acceleration * z)) if bounded else float(z > 0)
        return float(np.quantile(replicates, share))

    low, high = tail_shares(level, alternative)
    return (
        bounds[0] if alternative == "less" else min(end(low), value),
        bounds[1] if alternative == "greater" else max(end(high), value),
    )
