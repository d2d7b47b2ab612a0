"""Tests on paired differences: the paired t test [1]_ and the corrected resampled t test [2]_.

Both have J - 1 degrees of freedom for J differences, unless others are given.

References
----------
.. [1] P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin, "Variance estimation for two-class and
   multi-class ROC analysis using operating point averaging", ICPR 2008.
.. [2] C. Nadeau, Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.core.checks import Alternative, check_alternative, check_level, check_number
from rocscope.core.significance import critical_value, p_value
from rocscope.errors import RocInputError

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
    alternative: Alternative = "two-sided",
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
        factor += check_number(test_over_train, name="test_over_train", low=0)
    check_alternative(alternative)
    check_level(level)
    freedom = sample.shape[-1] - 1.0 if df is None else check_number(df, name="df", low=0)
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
