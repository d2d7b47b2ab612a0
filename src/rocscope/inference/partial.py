"""The area under a part of the ROC curve, with its bootstrap interval."""

from typing import Any

import numpy as np

from rocscope.core import checks
from rocscope.core.curve import curve_of
from rocscope.core.frames import Missing
from rocscope.core.partial_area import Ranges, partial_areas, read_ranges
from rocscope.core.resampling import Rng
from rocscope.core.result import Estimate
from rocscope.core.scores import BinaryScores
from rocscope.inference import resampling

# Areas that differ by less are the same, but for rounding.
SAME = 1e-12
# The worst and the best curve, as two rows of vertices.
EXTREMES = (np.array([[0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]), np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]))

BELOW_CHANCE = (
    "the area is below that of chance: McClish's scale is made for 0.5 to 1, and a value below it has no "
    "interpretation"
)


def partial_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    fpr: Any = None,
    tpr: Any = None,
    standardize: bool = False,
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    n_boot: int = 2000,
    rng: Rng = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> Estimate:
    """Return the area under a part of the ROC curve with a stratified bootstrap interval.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na
        Labels and scores, as in `auc`.
    fpr
        Range (low, high) of the false positive rate: the integral of TPR over it.
    tpr
        Range (low, high) of the true positive rate: the integral of 1 - FPR over it. With both
        ranges: the part of the rectangle below the curve (two-way partial area).
    standardize
        McClish's scale, which maps the area of chance to 0.5 and that of perfection to 1. It is linear, so a
        curve below chance falls below 0.5: over FPR l to h down to 1 - 1 / (2 - l - h), over TPR l to h down
        to 1 - 1 / (l + h), far below 0 where the range lies at the end where chance is all but perfect. Such
        a value stands, as in scikit-learn, with a warning that it has no interpretation (pROC gives none).
    level, alternative
        Confidence level and side of the percentile interval.
    n_boot
        Number of bootstrap replicates; positives and negatives are drawn apart.
    rng
        Seed or generator; the same seed gives the same interval.

    Returns
    -------
    Estimate
        `se` is the standard deviation of the replicates. Over a narrow range the percentile interval
        rests on few cases and falls somewhat short of its level: docs/coverage.md.

    Examples
    --------
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]
    >>> print(partial_auc(y, s, fpr=(0, 0.5), rng=1))
    partial AUC over FPR 0-0.5 0.4375 (95% interval 0.2500-0.5000, bootstrap)
    """
    level = checks.check_level(level)
    checks.check_alternative(alternative)
    checks.check_n_boot(n_boot)
    checks.check_flag(standardize, name="standardize")
    ranges = read_ranges(fpr, tpr)
    data = (
        BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label, label=label, score=score, na=na)
        .single()
        .counted()
    )
    curve = curve_of(data)
    value = float(partial_areas(curve.fpr, curve.tpr, ranges, standardize=standardize))
    fields: dict[str, Any] = {"name": area_name(ranges, standardize), "value": value, "level": level}
    fields |= {"alternative": alternative, "method": "bootstrap", "warnings": data.warnings}
    if standardize and value < 0.5 - SAME:
        fields["warnings"] += (BELOW_CHANCE,)
    if min(data.n_pos, data.n_neg) < 2:
        return Estimate(**fields, se=None, low=None, high=None, status="partial", reason=resampling.FEW)

    def areas(curves: resampling.CurveChunk) -> Any:
        return partial_areas(curves.fpr, curves.tpr, ranges, standardize=standardize)

    replicates = resampling.bootstrap_statistic(data, areas, n_boot=n_boot, rng=rng)
    if np.ptp(replicates) < SAME:
        return Estimate(**fields, se=0.0, low=None, high=None, status="partial", reason=resampling.AGREE)
    worst, best = areas(resampling.CurveChunk(*EXTREMES))
    low, high = resampling.percentile_interval(
        replicates, level=level, alternative=alternative, bounds=(worst, best), value=value
    )
    return Estimate(**fields, se=float(np.std(replicates, ddof=1)), low=float(low), high=float(high))


def area_name(ranges: Ranges, standardize: bool = False) -> str:
    """Name of the part of the curve.

    Examples
    --------
    >>> area_name(((0, 0.1), None))
    'partial AUC over FPR 0-0.1'
    """
    parts = [
        f"{axis} {r[0]:g}-{r[1]:g}" for axis, r in zip(("FPR", "TPR"), ranges, strict=True) if r is not None
    ]
    if not parts:
        return "AUC"
    return f"{'standardized ' if standardize else ''}partial AUC over {' and '.join(parts)}"
