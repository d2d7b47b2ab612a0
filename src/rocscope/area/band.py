"""Bands around a ROC curve: at given false positive rates, or at given thresholds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.area.band_result import Band
from rocscope.area.binomial import wilson_interval
from rocscope.area.resampled import CurveChunk, bootstrap_statistic, check_n_boot, percentile_interval
from rocscope.core import checks
from rocscope.core.curve import RocCurve, curve_of
from rocscope.core.polyline import height_at
from rocscope.core.resample import Rng
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
FPR, TPR = "false positive rate", "true positive rate"
DEFAULT_GRID = np.linspace(0, 1, 101)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocBand(Band):
    """A band of the true positive rate, with the interval of the false positive rate beside it.

    At fixed FPR the three columns of the FPR are equal to `x`; at thresholds each point has an interval
    in both directions.
    """

    fpr: Floats
    fpr_low: Floats
    fpr_high: Floats

    def columns(self) -> dict[str, Any]:
        """One row per place, both rates with their intervals."""
        more = {name: getattr(self, name) for name in ("fpr", "fpr_low", "fpr_high")}
        return Band.columns(self) | more


def roc_band(
    y_true: Any,
    y_score: Any = None,
    *,
    at: str = "fpr",
    x: Any = None,
    simultaneous: bool = False,
    level: float = 0.95,
    n_boot: int = 2000,
    rng: Rng = None,
    pos_label: Any = None,
) -> RocBand:
    """Return the ROC curve with a confidence band.

    Parameters
    ----------
    y_true, y_score, pos_label
        Labels and scores, as in `auc`.
    at
        "fpr": the band of the TPR at fixed false positive rates, from stratified bootstrap curves,
        linear between their vertices. "threshold": both rates at fixed thresholds; each is a
        proportion, so the interval is Wilson's and needs no bootstrap.
    x
        The rates or thresholds; by default 101 rates from 0 to 1, or every observed score.
    simultaneous
        Whether the whole curve shall lie inside with probability `level`. At fixed FPR the band is the
        curve plus and minus a multiple of its bootstrap standard deviation, the multiple being the
        quantile of the largest deviation over the places, cut at 0 and 1. At thresholds it is the
        Dvoretzky-Kiefer-Wolfowitz band of each class at level sqrt(level): it holds for any scores and
        any number of thresholds.
    level, n_boot, rng
        Confidence level, number of bootstrap replicates, seed or generator.

    Returns
    -------
    RocBand
        With `x mean low high level method` for the TPR, and `fpr fpr_low fpr_high`.

    Examples
    --------
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]
    >>> band = roc_band(y, s, at="threshold", x=[0.5])
    >>> band.mean.tolist(), band.low.round(3).tolist(), band.fpr.tolist(), band.fpr_high.round(3).tolist()
    ([1.0], [0.51], [0.25], [0.699])
    """
    checks.check_choice(at, ("fpr", "threshold"), name="at")
    level = checks.check_level(level)
    check_n_boot(n_boot)
    data = BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label).single().counted()
    curve = curve_of(data)
    if at == "threshold":
        return _at_thresholds(curve, x, simultaneous, level)
    grid = DEFAULT_GRID if x is None else np.atleast_1d(checks.as_rates(x, name="x"))
    return _at_rates(data, curve, grid, simultaneous, level, n_boot, rng)


def _at_rates(
    data: BinaryScores,
    curve: RocCurve,
    grid: Floats,
    simultaneous: bool,
    level: float,
    n_boot: int,
    rng: Rng,
) -> RocBand:
    def heights(curves: CurveChunk) -> Floats:
        pairs = zip(curves.fpr, curves.tpr, strict=True)
        return np.array([height_at(fpr, tpr, grid) for fpr, tpr in pairs])

    mean = curve.tpr_at(grid)
    replicates = bootstrap_statistic(data, heights, n_boot=n_boot, rng=rng)
    if simultaneous:
        low, high = _largest_deviation_band(replicates, mean, level)
    else:
        low, high = percentile_interval(replicates, level=level)
    few = min(data.n_pos, data.n_neg) < 2
    return RocBand(
        name="ROC curve",
        x=grid,
        mean=mean,
        low=np.full(len(grid), np.nan) if few else low,
        high=np.full(len(grid), np.nan) if few else high,
        defined=np.full(len(grid), not few),
        level=level,
        method="bootstrap",
        x_label=FPR,
        y_label=TPR,
        simultaneous=simultaneous,
        warnings=data.warnings + (("the bootstrap needs two cases in each class",) if few else ()),
        fpr=grid,
        fpr_low=grid,
        fpr_high=grid,
    )


def _largest_deviation_band(replicates: Floats, mean: Floats, level: float) -> tuple[Floats, Floats]:
    """Curve plus and minus one multiple of the standard deviation that holds `level` of the replicates."""
    sd = replicates.std(axis=0, ddof=1)
    away = np.abs(replicates - mean)
    scaled = np.divide(away, sd, out=np.zeros_like(away), where=sd > 0)
    multiple = np.quantile(scaled.max(axis=1), level)
    return np.maximum(mean - multiple * sd, 0.0), np.minimum(mean + multiple * sd, 1.0)


def _at_thresholds(curve: RocCurve, x: Any, simultaneous: bool, level: float) -> RocBand:
    thresholds, tp, fp = _counts_at(curve, x)
    tpr_ends, fpr_ends = (
        _proportion_ends(count, n, simultaneous, level) for count, n in ((tp, curve.n_pos), (fp, curve.n_neg))
    )
    return RocBand(
        name="ROC curve",
        x=thresholds,
        mean=tp / curve.n_pos,
        low=tpr_ends[0],
        high=tpr_ends[1],
        defined=np.ones(len(thresholds), dtype=bool),
        level=level,
        method="dkw" if simultaneous else "wilson",
        x_label="threshold",
        y_label=TPR,
        simultaneous=simultaneous,
        warnings=curve.warnings,
        fpr=fp / curve.n_neg,
        fpr_low=fpr_ends[0],
        fpr_high=fpr_ends[1],
    )


def _counts_at(curve: RocCurve, x: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Thresholds, true and false positives; given thresholds need not be observed scores."""
    if isinstance(curve.n_pos, float) or isinstance(curve.n_neg, float):
        raise RocInputError("a band at thresholds must have whole cases, got fractional weights")
    if x is None:
        return curve.thresholds[1:], curve.tp[1:], curve.fp[1:]
    thresholds = checks.as_scores(x if np.ndim(x) else [x], name="x")
    ascending = curve.thresholds[:0:-1]
    above = len(ascending) - np.searchsorted(ascending, thresholds, "left")
    return thresholds, curve.tp[above], curve.fp[above]


def _proportion_ends(count: NDArray[Any], n: int, simultaneous: bool, level: float) -> tuple[Floats, Floats]:
    if not simultaneous:
        return wilson_interval(count, n, level=level)
    # Massart's constant: P(sup |F_n - F| > d) <= 2 exp(-2 n d^2); the classes are independent.
    reach = math.sqrt(math.log(2 / (1 - math.sqrt(level))) / (2 * n))
    return np.maximum(count / n - reach, 0.0), np.minimum(count / n + reach, 1.0)
