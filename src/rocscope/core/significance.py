"""Intervals and p-values from an estimate and its standard error; normal, or Student's t with df.

Tests on paired differences are the paired t test [1]_ and the corrected resampled t test [2]_. Both have
J - 1 degrees of freedom for J differences, unless others are given.

References
----------
.. [1] P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, "Variance estimation for two-class and
   multi-class ROC analysis using operating point averaging", ICPR 2008.
.. [2] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from rocscope.core import checks
from rocscope.errors import RocInputError

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


def bonferroni(p_values: Any) -> NDArray[np.float64]:
    """Bonferroni's adjustment: times the number of tests; undefined p-values (NaN) do not count as tests.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5]).tolist()
    [0.03, 0.12, 1.0]
    """
    p = np.asarray(p_values, dtype=np.float64)
    return np.asarray(np.minimum(1.0, p * np.count_nonzero(~np.isnan(p))))


# ---- Tests on paired differences --------------------------------------------------------------------------


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest:
    """One test for every row of differences; the arrays have the leading shape of the differences.

    A row that holds NaN or an infinite value has no test: it is NaN here and not `defined`.
    """

    mean: Floats
    se: Floats
    statistic: Floats
    p_value: Floats
    low: Floats
    high: Floats
    defined: NDArray[np.bool_]
    df: float


def paired_t(
    differences: ArrayLike,
    *,
    test_over_train: float | None = None,
    alternative: checks.Alternative = "two-sided",
    level: float = 0.95,
    df: float | None = None,
) -> PairedTest:
    """Test whether paired differences have mean zero, by Student's t.

    Parameters
    ----------
    differences : array of shape (..., J)
        Each row of J differences, J at least 2, is tested for itself.
    test_over_train : float, optional
        Test cases over training cases of one fold, 1 / (k - 1) for k folds: the corrected resampled t test
        [2]_ of models whose training sets overlap, with one difference for each fold and repeat.
    alternative : {"two-sided", "less", "greater"}
        One-sided tests have one-sided intervals.
    level : float
        Confidence level of the interval.
    df : float, optional
        Degrees of freedom other than J - 1; [1]_ eq. (3) takes 2J - 2.

    Returns
    -------
    PairedTest
        Rows whose differences are all equal are settled by the limit: statistic plus or minus
        infinity, or 0 with p-value 1 when every difference is zero.

    Examples
    --------
    >>> test = paired_t([1.0, 2.0, 3.0])
    >>> round(float(test.statistic), 4), round(float(test.p_value), 4), test.df
    (3.4641, 0.0742, 2.0)
    >>> test = paired_t([1.0, 2.0, 3.0], test_over_train=1 / 2)
    >>> round(float(test.statistic), 4), round(float(test.p_value), 4)
    (2.1909, 0.1598)
    """
    sample = np.asarray(differences, dtype=np.float64)
    if sample.ndim == 0 or sample.shape[-1] < 2:
        raise RocInputError(
            f"must hold at least 2 values on the last axis, got shape {sample.shape}", argument="differences"
        )
    factor = 1 / sample.shape[-1]
    if test_over_train is not None:  # [2]: the correlation between overlapping training sets
        factor += checks.check_number(test_over_train, name="test_over_train", low=0)
    checks.check_alternative(alternative)
    checks.check_level(level)
    freedom = sample.shape[-1] - 1.0 if df is None else checks.check_number(df, name="df", low=0)
    defined = np.asarray(np.isfinite(sample).all(axis=-1))
    mean, sd = _moments(np.where(defined[..., np.newaxis], sample, np.nan))
    se = np.asarray(np.sqrt(factor) * sd)
    limit = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))  # where the standard error is zero
    statistic = np.divide(mean, se, out=limit, where=se != 0)
    p = p_value(statistic, alternative=alternative, df=freedom)
    half = critical_value(level, alternative=alternative, df=freedom) * se
    return PairedTest(
        mean=mean,
        se=se,
        statistic=statistic,
        # All differences zero: no alternative is supported, so a one-sided p is 1 as well, not 1/2.
        p_value=np.where((se == 0) & (statistic == 0), 1.0, p),
        # Adding NaN or infinity keeps an undefined row undefined on its open side too.
        low=np.asarray(mean - (half if alternative != "less" else np.inf)),
        high=np.asarray(mean + (half if alternative != "greater" else np.inf)),
        defined=defined,
        df=freedom,
    )


def _moments(sample: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of each row, exactly zero deviation for equal values."""
    # Scaling by a power of two rounds nothing, and keeps squares from overflow and underflow.
    _, exponent = np.frexp(np.abs(sample).max(axis=-1, keepdims=True))
    scaled = np.ldexp(sample, -exponent)
    # Centred on its first value, a row of equal values is all zeros; centred on its own rounded
    # mean it would keep a tiny variance and a huge t.
    first = scaled[..., :1]
    centred = scaled - first
    shift = centred.mean(axis=-1, keepdims=True)
    deviation = np.sqrt(((centred - shift) ** 2).sum(axis=-1, keepdims=True) / (sample.shape[-1] - 1))
    mean, sd = np.ldexp(first + shift, exponent), np.ldexp(deviation, exponent)
    return mean[..., 0], sd[..., 0]
