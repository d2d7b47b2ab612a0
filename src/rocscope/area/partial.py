"""The area under a part of the ROC curve, with its bootstrap interval."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocscope.area.resampled import CurveChunk, bootstrap_statistic, check_n_boot, percentile_interval
from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.curve import Ranges, curve_of, partial_areas, read_ranges
from rocscope.core.resample import Rng
from rocscope.core.result import Estimate
from rocscope.core.scores import BinaryScores


def partial_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    fpr: Any = None,
    tpr: Any = None,
    standardize: bool = False,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    n_boot: int = 2000,
    rng: Rng = None,
    pos_label: Any = None,
) -> Estimate:
    """Return the area under a part of the ROC curve with a stratified bootstrap interval.

    Parameters
    ----------
    y_true, y_score, pos_label
        Labels and scores, as in `auc`.
    fpr
        Range (low, high) of the false positive rate: the integral of TPR over it.
    tpr
        Range (low, high) of the true positive rate: the integral of 1 - FPR over it. With both
        ranges: the part of the rectangle below the curve (two-way partial area).
    standardize
        McClish's scale: 0.5 for chance, 1 for perfection.
    level, alternative
        Confidence level and side of the percentile interval.
    n_boot
        Number of bootstrap replicates; positives and negatives are drawn apart.
    rng
        Seed or generator; the same seed gives the same interval.

    Returns
    -------
    Estimate
        `se` is the standard deviation of the replicates.

    Examples
    --------
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]
    >>> print(partial_auc(y, s, fpr=(0, 0.5), rng=1))
    partial AUC over FPR 0-0.5 0.4375 (95% interval 0.2500-0.5000, bootstrap)
    """
    level = checks.check_level(level)
    checks.check_alternative(alternative)
    check_n_boot(n_boot)
    ranges = read_ranges(fpr, tpr)
    data = BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label).single().counted()
    curve = curve_of(data)
    value = float(partial_areas(curve.fpr, curve.tpr, ranges, standardize=standardize))
    few = min(data.n_pos, data.n_neg) < 2
    se, low, high = (
        (None,) * 3 if few else _interval(data, ranges, standardize, level, alternative, n_boot, rng)
    )
    return Estimate(
        name=area_name(ranges, standardize),
        value=value,
        se=se,
        low=low,
        high=high,
        level=level,
        method="bootstrap",
        alternative=alternative,
        status="partial" if few else "ok",
        reason="the bootstrap needs two cases in each class" if few else None,
        warnings=data.warnings,
    )


def _interval(
    data: BinaryScores,
    ranges: Ranges,
    standardize: bool,
    level: float,
    alternative: Alternative,
    n_boot: int,
    rng: Rng,
) -> tuple[float, float, float]:
    def areas(curves: CurveChunk) -> Any:
        return partial_areas(curves.fpr, curves.tpr, ranges, standardize=standardize)

    replicates = bootstrap_statistic(data, areas, n_boot=n_boot, rng=rng)
    largest = 1.0 if standardize else _largest(ranges)
    low, high = percentile_interval(replicates, level=level, alternative=alternative, bounds=(0.0, largest))
    return float(np.std(replicates, ddof=1)), float(low), float(high)


def _largest(ranges: Ranges) -> float:
    return float(np.prod([high - low for low, high in (r for r in ranges if r is not None)]))


def area_name(ranges: Ranges, standardize: bool = False) -> str:
    """Say in words which part of the curve is meant.

    Examples
    --------
    >>> area_name(((0, 0.1), None))
    'partial AUC over FPR 0-0.1'
    """
    told = [
        f"{axis} {r[0]:g}-{r[1]:g}" for axis, r in zip(("FPR", "TPR"), ranges, strict=True) if r is not None
    ]
    if not told:
        return "AUC"
    return f"{'standardized ' if standardize else ''}partial AUC over {' and '.join(told)}"
