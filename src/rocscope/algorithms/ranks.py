"""Ranks of algorithms over data sets: the result of `compare_ranks`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from rocscope.algorithms.fold_tests import Floats, fold_differences
from rocscope.algorithms.paired_tests import Conditions, run_battery
from rocscope.core import checks, significance
from rocscope.core.result import Result, Row, Status, TestResult
from rocscope.errors import RocInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPair(Row):
    """Two algorithms over all data sets, first minus second.

    Attributes
    ----------
    difference
        Mean difference of their values over the data sets.
    wins, ties, losses
        Data sets on which the first is better, equal, worse.
    p_t, p_wilcoxon
        Paired t and Wilcoxon's signed-rank test over the data sets.
    rank_difference, p_nemenyi, p_holm
        Difference of the average ranks, Nemenyi's p-value for it, and that of its z test after Holm's
        adjustment over all pairs.
    p_shaffer
        That of its z test after Shaffer's static adjustment, which knows that the pairs depend on each other.
    """

    first: str
    second: str
    difference: float
    wins: int
    ties: int
    losses: int
    p_t: float
    p_wilcoxon: float
    rank_difference: float
    p_nemenyi: float
    p_holm: float
    p_shaffer: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankComparison(Result):
    """Average ranks of algorithms over data sets, 1 for the best.

    Attributes
    ----------
    algorithms, average_ranks
        Names, and the mean of each one's ranks; equal values share the mean of their ranks.
    n_datasets
        Data sets that count; `left_out` names those on which some algorithm has no value.
    friedman, iman_davenport
        Tests that all algorithms rank equally.
    quade
        Quade's test of the same, in which data sets count by the range of their values.
    critical_difference
        Average ranks that differ by more differ at `level`, by Nemenyi's test.
    groups
        Sets of algorithms, from the best rank on, within the critical difference of each other.
    pairs
        A `RankPair` for every pair.
    """

    view: ClassVar[str] = "algorithms.ranks_picture"

    measure: str
    algorithms: tuple[str, ...]
    average_ranks: Floats | None = None
    n_datasets: int
    left_out: tuple[str, ...]
    friedman: TestResult | None = None
    iman_davenport: TestResult | None = None
    critical_difference: float | None = None
    groups: tuple[tuple[str, ...], ...] = ()
    pairs: tuple[RankPair, ...] = ()
    quade: TestResult | None = None
    level: float
    status: Status = "ok"
    reason: str | None = None

    def columns(self) -> dict[str, Any]:
        """Return one line per algorithm, in the order of their ranks."""
        if self.average_ranks is None:
            return {"algorithm": [], "average_rank": []}
        order = np.argsort(self.average_ranks, kind="stable")
        return {
            "algorithm": [self.algorithms[k] for k in order],
            "average_rank": self.average_ranks[order].tolist(),
        }

    def _summary(self) -> str:
        if self.average_ranks is None:
            return f"ranks by {self.measure} undefined: {self.reason}"
        lines = [f"average ranks by {self.measure} over {self.n_datasets} data sets"]
        lines += [f"  {rank:.2f}  {name}" for name, rank in zip(*self.columns().values(), strict=True)]
        lines += [f"critical difference {self.critical_difference:.3f} (Nemenyi)", str(self.friedman)]
        lines += [] if self.quade is None else [str(self.quade)]
        return "\n".join(lines)


# ---- Many data sets: ranks of the algorithms, and the tests between them ----------------------------------
# References
# ----------
# .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
#    Learning Research 7, 2006.


@checks.known_arguments
def compare_ranks(
    values: ArrayLike,
    algorithms: Any,
    *,
    datasets: Any = None,
    larger_is_better: bool = True,
    measure: str = "auc",
    level: float = 0.95,
) -> RankComparison:
    """Rank algorithms over several data sets and test their differences [1]_.

    Parameters
    ----------
    values : array of shape (datasets, algorithms)
        One value each, such as the mean AUC over folds; a data set with NaN is left out and named. Values
        that agree up to rounding share their rank.
    algorithms, datasets : sequence of str
        Their names.
    larger_is_better : bool
        False for errors.
    measure : str
        What the values are.
    level : float
        One minus the level of the tests behind the critical difference.

    Returns
    -------
    RankComparison
        Undefined with fewer than two data sets.

    References
    ----------
    .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
       Learning Research 7, 2006.

    Examples
    --------
    >>> table = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.75], [0.95, 0.9, 0.6], [0.7, 0.6, 0.5]]
    >>> ranks = compare_ranks(table, ["nb", "tree", "knn"])
    >>> ranks.average_ranks.tolist(), round(ranks.friedman.p_value, 4), round(ranks.critical_difference, 3)
    ([1.0, 2.25, 2.75], 0.0388, 1.657)
    """
    names = checks.check_names(algorithms, name="algorithms")
    checks.check_instance(measure, str, name="measure")
    checks.check_level(level)
    sign = 1.0 if checks.check_flag(larger_is_better, name="larger_is_better") else -1.0
    table = checks.as_array(values, name="values")
    if table.dtype.kind not in "biuf" or table.ndim != 2 or table.shape[1] != len(names):
        allowed = f"numbers, one row per data set and one column for each of {len(names)} algorithms"
        raise RocInputError(f"must be {allowed}, got {table.dtype} of shape {table.shape}", argument="values")
    table = table.astype(np.float64)
    default = [f"data set {k}" for k in range(len(table))]
    rows = checks.check_names(default if datasets is None else datasets, name="datasets", at_least=0)
    if len(rows) != len(table):
        raise RocInputError(
            f"must name the {len(table)} rows of values, got {len(rows)} names", argument="datasets"
        )
    whole = np.asarray(np.isfinite(table).all(axis=1))
    common: dict[str, Any] = {
        "measure": measure,
        "algorithms": names,
        "n_datasets": int(whole.sum()),
        "left_out": tuple(str(name) for name, good in zip(rows, whole, strict=True) if not good),
        "level": level,
    }
    if whole.sum() < 2:
        need = "ranks need at least 2 data sets on which every algorithm has a value"
        return RankComparison(**common, status="undefined", reason=f"{need}, got {whole.sum()}")
    kept = sign * table[whole]
    ranks = mean_ranks(kept)
    average = ranks.mean(axis=0)
    friedman, davenport = friedman_tests(ranks)
    reach = critical_difference(len(names), len(kept), level=level)
    return RankComparison(
        **common,
        average_ranks=average,
        friedman=friedman,
        iman_davenport=davenport,
        critical_difference=reach,
        groups=_groups(names, average, reach),
        pairs=_pairs(names, kept, average, sign),
        quade=quade_test(kept, ranks),
    )


def mean_ranks(values: Floats) -> Floats:
    """Ranks within each row, 1 for the largest; values equal up to rounding share the mean of theirs.

    Examples
    --------
    >>> mean_ranks(np.array([[0.3, 0.1 + 0.2, 0.5]])).tolist()
    [[2.5, 2.5, 1.0]]
    """
    columns = range(values.shape[1])
    ahead = np.stack(
        [np.sign(fold_differences(values, values[:, [k]]).steps) for k in columns], axis=2
    )  # (row, other, mine): 1 where the other is larger
    return np.asarray(1 + (ahead > 0).sum(axis=1) + ((ahead == 0).sum(axis=1) - 1) / 2)


def _groups(names: tuple[Any, ...], average: Floats, reach: float) -> tuple[tuple[str, ...], ...]:
    """Longest runs of neighbours in rank order that stay within the critical difference."""
    order = np.argsort(average, kind="stable")
    ends = [int(np.searchsorted(average[order], average[first] + reach, side="right")) for first in order]
    runs = [(i, end) for i, end in enumerate(ends) if end - i > 1]
    longest = [(i, end) for i, end in runs if not any(a < i and end <= b for a, b in runs)]
    return tuple(tuple(names[k] for k in order[i:end]) for i, end in longest)


def _pairs(names: tuple[Any, ...], kept: Floats, average: Floats, sign: float) -> tuple[RankPair, ...]:
    n, k = kept.shape
    index = np.array(list(combinations(range(k), 2)))
    differences = fold_differences(kept[:, index[:, 0]].T, kept[:, index[:, 1]].T)
    tests = run_battery(differences, Conditions(), only=("paired-t", "wilcoxon"))
    gap = average[index[:, 0]] - average[index[:, 1]]
    z = gap / rank_se(k, n)
    nemenyi, plain = nemenyi_p_values(z, k), significance.p_value(z)
    adjusted, static = significance.holm(plain), significance.shaffer(plain, k)
    return tuple(
        RankPair(
            first=names[i],
            second=names[j],
            difference=float(sign * differences.values[p].mean()),
            wins=int((differences.steps[p] > 0).sum()),
            ties=int((differences.steps[p] == 0).sum()),
            losses=int((differences.steps[p] < 0).sum()),
            p_t=float(tests["paired-t"].p_value[p]),
            p_wilcoxon=float(tests["wilcoxon"].p_value[p]),
            rank_difference=float(gap[p]),
            p_nemenyi=float(nemenyi[p]),
            p_holm=float(adjusted[p]),
            p_shaffer=float(static[p]),
        )
        for p, (i, j) in enumerate(index)
    )


# ---- Tests on ranks: Friedman's, that of Iman and Davenport, Quade's, Nemenyi's critical difference -------
# The studentized range behind Nemenyi's test is scipy's; the rest is arithmetic on the ranks.
# References
# ----------
# .. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
#    Learning Research 7, 2006.
# .. [2] R. L. Iman, J. M. Davenport, "Approximations of the critical region of the Friedman statistic",
#    Communications in Statistics 9, 1980.
# .. [3] D. Quade, "Using weighted rankings in the analysis of complete blocks with additive block effects",
#    Journal of the American Statistical Association 74, 1979.

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


def quade_test(values: Floats, ranks: Floats) -> TestResult:
    """Quade's F: Friedman's ranks, each data set weighted by the rank of its range of values [3]_.

    Parameters
    ----------
    values, ranks : arrays of shape (datasets, algorithms)
        Values, and their ranks within each data set.

    Returns
    -------
    TestResult
        It names both degrees of freedom of its F. Where all data sets rank alike the F is infinite, and the
        p-value is the exact one of that, n_algorithms! to the power 1 - n_datasets.

    Examples
    --------
    >>> values = np.array([[0.9, 0.8, 0.7], [0.8, 0.7, 0.75], [0.95, 0.9, 0.6], [0.7, 0.6, 0.5]])
    >>> print(quade_test(values, mean_ranks(values)))
    all algorithms rank equally, F(2, 6): statistic 10.11, p = 0.01198 (quade, two-sided)
    """
    n, k = ranks.shape
    spans = values.max(axis=1) - values.min(axis=1)
    weights = n + 1 - mean_ranks(spans[np.newaxis])[0]  # 1 for the smallest range
    weighted = 2 * weights[:, np.newaxis] * (2 * ranks - (k + 1))  # whole numbers: fourfold [3]
    within, between = np.square(weighted).sum(), np.square(weighted.sum(axis=0)).sum() / n
    df = (k - 1.0, (k - 1.0) * (n - 1.0))
    if within == 0:  # all are equal everywhere
        f, p = 0.0, 1.0
    elif n * within == np.square(weighted.sum(axis=0)).sum():
        f, p = np.inf, float(special.gamma(k + 1) ** (1 - n))
    else:
        f = float((n - 1) * between / (within - between))
        p = float(special.fdtrc(*df, f))
    return TestResult(
        name=f"{NULL}, F({df[0]:g}, {df[1]:g})", method="quade", statistic=f, df=None, p_value=p
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
