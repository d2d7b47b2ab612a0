"""Tests on ranks: Friedman's, that of Iman and Davenport, and Nemenyi's critical difference.

The studentized range behind Nemenyi's test is scipy's; the rest is arithmetic on the ranks.

References
----------
.. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
   Learning Research 7, 2006.
.. [2] R. L. Iman, J. M. Davenport, "Approximations of the critical region of the Friedman statistic",
   Communications in Statistics 9, 1980.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from rocscope.algorithms.differences import Floats
from rocscope.core.result import TestResult

NULL = "all algorithms rank equally"


def friedman_tests(ranks: Floats) -> tuple[TestResult, TestResult]:
    """Friedman's chi-square with its correction for ties, and the F of [2]_ made of it.

    Parameters
    ----------
    ranks : array of shape (datasets, algorithms)
        Ranks within each data set.

    Returns
    -------
    pair of TestResult
        The second names both degrees of freedom of its F.

    Examples
    --------
    >>> chi2, f = friedman_tests(np.array([[1.0, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3]]))
    >>> print(f)
    all algorithms rank equally, F(2, 6): statistic 13, p = 0.006592 (iman-davenport, two-sided)
    """
    n, k = ranks.shape
    middle = (k + 1) / 2
    spread = np.square(ranks - middle).sum()
    between = n * np.square(ranks.mean(axis=0) - middle).sum()
    chi2 = float(n * (k - 1) * between / spread) if spread else 0.0
    left = n * (k - 1) - chi2
    f = (n - 1) * chi2 / left if left > 0 else np.inf
    df = (k - 1.0, (k - 1.0) * (n - 1.0))
    return (
        TestResult(
            name=NULL, method="friedman", statistic=chi2, df=df[0], p_value=float(special.chdtrc(df[0], chi2))
        ),
        TestResult(
            name=f"{NULL}, F({df[0]:g}, {df[1]:g})",
            method="iman-davenport",
            statistic=float(f),
            df=None,
            p_value=float(special.fdtrc(*df, f)) if np.isfinite(f) else 0.0,
        ),
    )


def critical_difference(n_algorithms: int, n_datasets: int, *, level: float = 0.95) -> float:
    """Nemenyi's critical difference of average ranks: beyond it two algorithms differ [1]_.

    Examples
    --------
    >>> round(critical_difference(4, 14, level=0.9), 2)  # the example of [1]
    1.12
    """
    from scipy.stats import studentized_range

    quantile = float(studentized_range.ppf(level, n_algorithms, np.inf))
    return quantile * math.sqrt(0.5) * rank_se(n_algorithms, n_datasets)


def nemenyi_p_values(z: Floats, n_algorithms: int) -> Floats:
    """P-values of differences of average ranks, each in units of `rank_se`.

    Examples
    --------
    >>> nemenyi_p_values(np.array([0.0, 2.0]), 3).round(4).tolist()
    [1.0, 0.1122]
    """
    from scipy.stats import studentized_range

    return np.atleast_1d(studentized_range.sf(np.abs(z) * math.sqrt(2), n_algorithms, np.inf))


def rank_se(n_algorithms: int, n_datasets: int) -> float:
    """Standard error of the difference of two average ranks, without ties.

    Examples
    --------
    >>> rank_se(3, 2)
    1.0
    """
    return math.sqrt(n_algorithms * (n_algorithms + 1) / (6 * n_datasets))
