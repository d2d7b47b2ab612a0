"""How much the values of two folds have in common.

Folds share training cases, and on a common test set the test cases as well; the tests over folds that take
them as independent go wrong by this.
"""

from __future__ import annotations

import numpy as np

from rocscope.algorithms.common_test import averaged_placements, variance_of_mean
from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.differences import Floats
from rocscope.algorithms.training import FoldRecord
from rocscope.core.result import Estimate

CONSTANT = "the values are all equal"
NO_VARIANCE = "the test cases tell no variance"


def fold_correlation(
    comparison: AlgorithmComparison, values: Floats, records: tuple[FoldRecord, ...], measure: str
) -> Estimate:
    """Estimate the correlation of the values of two folds, where the protocol tells it."""
    value, method, reason = None, "none", None
    if not np.isfinite(values).all():
        reason = "a fold is undefined"
    elif comparison.protocol == "holdout":
        method = "common test set"
        value = _common_set_correlation(records) if measure == "auc" else _loss_correlation(records)
        reason = NO_VARIANCE if value is None else None
    elif comparison.repeats > 1:
        method = "intraclass"
        value = _intraclass(values.reshape(comparison.repeats, comparison.folds))
        reason = CONSTANT if value is None else None
    else:
        reason = "one pass of left-out folds does not tell it: repeat, or use a common test set"
    return Estimate(
        name="fold correlation",
        value=value,
        se=None,
        low=None,
        high=None,
        level=comparison.level,
        method=method,
        status="undefined" if value is None else "partial",
        reason=reason if value is None else "no interval is known",
    )


def _common_set_correlation(records: tuple[FoldRecord, ...]) -> float | None:
    """Covariance between fold models over their mean variance, by the sum rule from averaged placements."""
    single = np.mean([_delong_variance(*averaged_placements([record])) for record in records])
    average = _delong_variance(*averaged_placements(records))
    return _shared(average, float(single), len(records))


def _delong_variance(pos: Floats, neg: Floats) -> float:
    return variance_of_mean(pos) + variance_of_mean(neg)


def _loss_correlation(records: tuple[FoldRecord, ...]) -> float | None:
    wrong = np.array([record.called != record.positive for record in records], dtype=np.float64)
    return _shared(float(wrong.mean(axis=0).var(ddof=1)), float(wrong.var(axis=1, ddof=1).mean()), len(wrong))


def _shared(average: float, single: float, n: int) -> float | None:
    """Mean correlation of n equally variable values from the variance of their mean and of one."""
    return (n * average / single - 1) / (n - 1) if single > 0 else None  # not for NaN either


def _intraclass(passes: Floats) -> float | None:
    """One-way intraclass correlation of the values of one pass."""
    n_folds = passes.shape[1]
    between = n_folds * float(passes.mean(axis=1).var(ddof=1))
    within = float(passes.var(axis=1, ddof=1).mean())
    total = between + (n_folds - 1) * within
    return (between - within) / total if total > 0 else None
