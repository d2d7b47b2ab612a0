"""Many data sets: ranks of the algorithms, and the tests between them.

References
----------
.. [1] J. Demsar, "Statistical comparisons of classifiers over multiple data sets", Journal of Machine
   Learning Research 7, 2006.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocscope.algorithms.battery import Conditions, run_battery
from rocscope.algorithms.differences import Floats, fold_differences
from rocscope.algorithms.friedman import critical_difference, friedman_tests, nemenyi_p_values, rank_se
from rocscope.algorithms.rank_result import RankComparison, RankPair
from rocscope.core import checks, wald
from rocscope.core.adjust import holm
from rocscope.errors import RocInputError


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
    >>> found = compare_ranks(table, ["nb", "tree", "knn"])
    >>> found.average_ranks.tolist(), round(found.friedman.p_value, 4), round(found.critical_difference, 3)
    ([1.0, 2.25, 2.75], 0.0388, 1.657)
    """
    names = checks.check_names(algorithms, name="algorithms")
    checks.check_level(level)
    sign = 1.0 if checks.check_flag(larger_is_better, name="larger_is_better") else -1.0
    table = _read_table(values, len(names))
    whole = np.asarray(np.isfinite(table).all(axis=1))
    left_out = _left_out(whole, datasets)
    if whole.sum() < 2:
        return _undefined(names, measure, left_out, int(whole.sum()), level)
    kept = sign * table[whole]
    ranks = mean_ranks(kept)
    average = ranks.mean(axis=0)
    friedman, davenport = friedman_tests(ranks)
    reach = critical_difference(len(names), len(kept), level=level)
    return RankComparison(
        measure=measure,
        algorithms=names,
        average_ranks=average,
        n_datasets=len(kept),
        left_out=left_out,
        friedman=friedman,
        iman_davenport=davenport,
        critical_difference=reach,
        groups=_groups(names, average, reach),
        pairs=_pairs(names, kept, average, sign),
        level=level,
    )


def _read_table(values: ArrayLike, columns: int) -> Floats:
    table = checks.as_array(values, name="values")
    if table.dtype.kind not in "biuf" or table.ndim != 2 or table.shape[1] != columns:
        wanted = f"numbers, one row per data set and one column for each of {columns} algorithms"
        raise RocInputError(f"values must be {wanted}, got {table.dtype} of shape {table.shape}")
    return table.astype(np.float64)


def _left_out(whole: NDArray[np.bool_], datasets: Any) -> tuple[str, ...]:
    names = [f"data set {k}" for k in range(len(whole))] if datasets is None else list(datasets)
    if len(names) != len(whole):
        raise RocInputError(f"datasets must name the {len(whole)} rows of values, got {len(names)} names")
    return tuple(str(name) for name, good in zip(names, whole, strict=True) if not good)


def _undefined(
    names: tuple[Any, ...], measure: str, left_out: tuple[str, ...], n: int, level: float
) -> RankComparison:
    return RankComparison(
        measure=measure,
        algorithms=names,
        average_ranks=None,
        n_datasets=n,
        left_out=left_out,
        friedman=None,
        iman_davenport=None,
        critical_difference=None,
        groups=(),
        pairs=(),
        level=level,
        status="undefined",
        reason=f"ranks need at least 2 data sets on which every algorithm has a value, got {n}",
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
    found = run_battery(differences, Conditions(), only=("paired-t", "wilcoxon"))
    gap = average[index[:, 0]] - average[index[:, 1]]
    z = gap / rank_se(k, n)
    nemenyi, adjusted = nemenyi_p_values(z, k), holm(wald.p_value(z))
    return tuple(
        RankPair(
            first=names[i],
            second=names[j],
            difference=float(sign * differences.values[p].mean()),
            wins=int((differences.steps[p] > 0).sum()),
            ties=int((differences.steps[p] == 0).sum()),
            losses=int((differences.steps[p] < 0).sum()),
            p_t=float(found["paired-t"].p_value[p]),
            p_wilcoxon=float(found["wilcoxon"].p_value[p]),
            rank_difference=float(gap[p]),
            p_nemenyi=float(nemenyi[p]),
            p_holm=float(adjusted[p]),
        )
        for p, (i, j) in enumerate(index)
    )
