"""Tests that are valid when all fold models were tested on one common test set.

The fold models differ far less than the luck of the test set, so the differences between folds say
nothing of it; the test cases do. Both tests average over the fold models first, case by case, and
take their standard error over the cases: DeLong's from averaged placements for areas, the usual one
of a mean of paired differences for errors.

References
----------
.. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or more
   correlated receiver operating characteristic curves", Biometrics 44, 1988.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocscope.algorithms.differences import Floats
from rocscope.algorithms.training import FoldRecord
from rocscope.core import wald
from rocscope.core.scores import BinaryScores

METHODS = {"auc": "delong-averaged", "error": "case-averaged-t"}
ASSUMPTION = "test cases independent; averages over the fold models, which share most training cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragedTest:
    """Difference of two algorithms averaged over fold models: first minus second, over the test cases."""

    method: str
    difference: float
    se: float
    low: float
    high: float
    statistic: float
    p_value: float
    df: float | None = None


def averaged_delong(
    first: Sequence[FoldRecord], second: Sequence[FoldRecord], *, level: float
) -> AveragedTest:
    """Compare areas by DeLong's test on placements averaged over the fold models [1]_."""
    pos, neg = (a - b for a, b in zip(averaged_placements(first), averaged_placements(second), strict=True))
    se = float(np.sqrt(variance_of_mean(pos) + variance_of_mean(neg)))
    return _wald(METHODS["auc"], float(pos.mean()), se, level, None)


def averaged_error_test(
    first: Sequence[FoldRecord], second: Sequence[FoldRecord], *, level: float
) -> AveragedTest:
    """Compare errors by a paired t test over the test cases, on losses averaged over the fold models."""
    difference = averaged_losses(first) - averaged_losses(second)
    se = float(np.sqrt(variance_of_mean(difference)))
    return _wald(METHODS["error"], float(difference.mean()), se, level, len(difference) - 1.0)


def averaged_placements(records: Sequence[FoldRecord]) -> tuple[Floats, Floats]:
    """Share of the other class that each positive, then each negative, beats; mean over the models."""
    found = [_placements(record) for record in records]
    return np.mean([pos for pos, _ in found], axis=0), np.mean([neg for _, neg in found], axis=0)


def _placements(record: FoldRecord) -> tuple[Floats, Floats]:
    data = BinaryScores.from_arrays(record.positive, record.score)
    pos, neg = data.doubled_placements()
    return pos / (2 * data.n_neg), neg / (2 * data.n_pos)


def averaged_losses(records: Sequence[FoldRecord]) -> Floats:
    """Share of the fold models that decide wrongly on each test case."""
    wrong = [record.called != record.positive for record in records]
    return np.asarray(np.mean(wrong, axis=0, dtype=np.float64))


def variance_of_mean(values: Floats) -> float:
    """Squared standard error of the mean; NaN of one value alone."""
    return float(values.var(ddof=1)) / len(values) if len(values) > 1 else np.nan


def _wald(method: str, difference: float, se: float, level: float, df: float | None) -> AveragedTest:
    if se == 0:  # the two agree on every case, or differ by the same on each
        statistic = 0.0 if difference == 0 else float(np.copysign(np.inf, difference))
    else:
        statistic = difference / se
    low, high = wald.interval(difference, se, level=level, df=df)
    p = 1.0 if difference == 0 and se == 0 else float(wald.p_value(statistic, df=df))
    return AveragedTest(
        method=method, difference=difference, se=se, low=low, high=high, statistic=statistic, p_value=p, df=df
    )
