"""Intervals and p-values from an estimate and its standard error; normal, or Student's t with df."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks

# Smaller tails are looked up as such: 1 - tail would lose its digits.
SMALL_TAIL = 1e-9


def quantile(
    level: float, *, alternative: checks.Alternative = "two-sided", df: float | None = None
) -> float:
    """How many standard errors the interval reaches to each side (or to its one side).

    Examples
    --------
    >>> round(quantile(0.95), 4)
    1.96
    """
    share = (1 + level) / 2 if alternative == "two-sided" else level
    outside = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    if outside < SMALL_TAIL:  # here `share` has lost digits, or is 1 and has no quantile
        return -float(special.ndtri(outside) if df is None else special.stdtrit(df, outside))
    return float(special.ndtri(share) if df is None else special.stdtrit(df, share))


def critical_value(
    level: float, *, alternative: checks.Alternative = "two-sided", df: float | None = None
) -> float:
    """`quantile`, but at least 0: at one-sided levels below 1/2 the bound is the estimate, not beyond it.

    Examples
    --------
    >>> quantile(0.4, alternative="less") < 0, critical_value(0.4, alternative="less")
    (True, 0.0)
    """
    return max(quantile(level, alternative=alternative, df=df), 0.0)


def interval(
    value: float,
    se: float,
    *,
    level: float,
    alternative: checks.Alternative = "two-sided",
    df: float | None = None,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> tuple[float, float]:
    """Ends of the interval, cut at the bounds of the parameter.

    "greater" gives a lower bound alone, "less" an upper bound alone; the other end is the parameter's.
    """
    half = critical_value(level, alternative=alternative, df=df) * se
    low = bounds[0] if alternative == "less" else max(bounds[0], value - half)
    high = bounds[1] if alternative == "greater" else min(bounds[1], value + half)
    return low, high


def p_value(statistic: Any, *, alternative: checks.Alternative = "two-sided", df: Any = None) -> Any:
    """Probability of a statistic at least as extreme under the null hypothesis.

    Examples
    --------
    >>> round(p_value(-2.2089836), 5)
    0.02718
    """
    signed: NDArray[Any] = np.asarray(statistic, dtype=np.float64)
    if alternative == "two-sided":
        p = 2 * _below(-np.abs(signed), df)
    else:
        p = _below(signed if alternative == "less" else -signed, df)
    return float(p) if signed.ndim == 0 else p


def _below(x: NDArray[Any], df: Any) -> Any:
    return special.ndtr(x) if df is None else special.stdtr(df, x)


# Fields of a difference that is not defined; those below the second number are rounding.
NO_DIFFERENCE = dict.fromkeys(("difference", "se", "low", "high", "statistic", "p_value"))
ROUNDING = 1e-14


def difference_test(
    difference: float, se: float, *, level: float, alternative: checks.Alternative, largest: float
) -> dict[str, Any]:
    """Numbers of a `Difference`: interval and normal test of a difference of at most `largest`.

    Equal values give a statistic of 0 and p = 1; a difference that does not vary has no test.

    Examples
    --------
    >>> difference_test(0.0, 0.0, level=0.95, alternative="less", largest=1)["p_value"]
    1.0
    """
    row = NO_DIFFERENCE | {"difference": difference, "se": se}
    if se <= ROUNDING:
        equal = {"low": difference, "high": difference, "statistic": 0.0, "p_value": 1.0}
        return row | {"se": 0.0} | (equal if abs(difference) <= ROUNDING else {})
    low, high = interval(difference, se, level=level, alternative=alternative, bounds=(-largest, largest))
    p = p_value(difference / se, alternative=alternative)
    return row | {"low": low, "high": high, "statistic": difference / se, "p_value": p}


# ---- P-values adjusted for the number of tests made -------------------------------------------------------


def holm(p_values: Any) -> NDArray[np.float64]:
    """Holm's step-down adjustment; undefined p-values (NaN) stay so and do not count as tests.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def adjust(rows: Sequence[dict[str, Any]], families: Sequence[Any]) -> None:
    """Write Holm's adjustment of every row's `p_value` inside its family as `p_adjusted`."""
    for family in dict.fromkeys(families):
        members = [row for row, name in zip(rows, families, strict=True) if name == family]
        adjusted = holm(np.array([row["p_value"] for row in members], dtype=np.float64))
        for member, p in zip(members, adjusted.tolist(), strict=True):
            member["p_adjusted"] = None if np.isnan(p) else p


def shaffer(p_values: Any, n_groups: int) -> NDArray[np.float64]:
    """Shaffer's static adjustment of the tests of all pairs of `n_groups` groups [1]_.

    Hypotheses of pairs depend on each other: of three groups exactly two pairs cannot be equal. The factors
    of the steps are the largest numbers of hypotheses that can be true together, at most those of Holm.

    References
    ----------
    .. [1] J. P. Shaffer, "Modified sequentially rejective multiple test procedures", Journal of the American
       Statistical Association 81, 1986.

    Examples
    --------
    >>> shaffer([0.01, 0.02, 0.03], 3).tolist()
    [0.03, 0.03, 0.03]
    """
    p = np.asarray(p_values, dtype=np.float64)
    # Numbers of equal pairs among j groups: one set of i equal groups, and any number among the others.
    possible: list[set[int]] = [{0}]
    for j in range(1, n_groups + 1):
        possible.append({i * (i - 1) // 2 + rest for i in range(1, j + 1) for rest in possible[j - i]})
    factors = [max(t for t in possible[n_groups] if t <= left) for left in range(len(p), 0, -1)]
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return adjusted


def bonferroni(p_values: Any) -> NDArray[np.float64]:
    """Bonferroni's adjustment: times the number of tests; undefined p-values (NaN) do not count as tests.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5]).tolist()
    [0.03, 0.12, 1.0]
    """
    p = np.asarray(p_values, dtype=np.float64)
    return np.asarray(np.minimum(1.0, p * np.count_nonzero(~np.isnan(p))))
