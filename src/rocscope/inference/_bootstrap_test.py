"""Tests between curves by the stratified bootstrap: areas, partial areas, rates at one point.

Paired curves see the same drawn cases, unpaired ones draw each from their own. The statistic is the
difference over the standard deviation of its replicates and is taken as normal, as pROC does, and so is the
interval. On few cases the quantiles of the replicates may say otherwise: who asks for an interval of these
gets the p-value of that interval too, so that a row never contradicts itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from rocscope.core.curve import curve_of, partial_areas
from rocscope.core.resampling import Rng, spawn_streams
from rocscope.core.scores import BinaryScores
from rocscope.inference import curve_tests
from rocscope.inference.curve_tests import (
    Answer,
    CurveSamples,
    Floats,
    JointTest,
    PairTest,
    Question,
    within_margin,
)
from rocscope.inference.partial import EXTREMES, area_name
from rocscope.inference.resampling import (
    CurveChunk,
    bootstrap_statistic,
    paired_bootstrap_areas,
    percentile_interval,
    percentile_p,
)
from rocscope.inference.variance import AreaMatrix


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is compared: its name, its value for each curve of a stack, the largest difference.

    Without a `measure` it is the whole area, which needs no curve.
    """

    name: str
    measure: Callable[[CurveChunk], Floats] | None = None
    bound: float = 1.0


def bootstrap_test(question: Question) -> Answer:
    """Compare areas, or partial areas where there are ranges."""
    if question.ranges == (None, None) and not question.standardize:
        return _answer(question, Quantity("AUC"))

    def measure(curves: CurveChunk) -> Floats:
        areas = partial_areas(curves.fpr, curves.tpr, question.ranges, standardize=question.standardize)
        return np.asarray(areas)

    worst, best = measure(CurveChunk(*EXTREMES))
    name = area_name(question.ranges, question.standardize)
    return _answer(question, Quantity(name, measure, float(best - worst)))


def sensitivity_test(question: Question) -> Answer:
    """Compare the TPR at one FPR."""
    at = question.at
    assert at is not None
    return _answer(question, Quantity(f"TPR at FPR {at:g}", partial(tpr_at, fpr=at)))


def specificity_test(question: Question) -> Answer:
    """Compare the TNR at one TPR."""
    at = question.at
    assert at is not None
    return _answer(question, Quantity(f"TNR at TPR {at:g}", partial(tnr_at, tpr=at)))


def tpr_at(curves: CurveChunk, fpr: float) -> Floats:
    """TPR of every curve at one FPR, linear between vertices; at a vertical step its upper end."""
    return _heights(curves.fpr, curves.tpr, fpr)


def tnr_at(curves: CurveChunk, tpr: float) -> Floats:
    """TNR of every curve at one TPR, linear between vertices; at a horizontal step its left end."""
    # Walked back from (1, 1) the TNR rises. A sign turns without rounding, 1 - tpr would miss vertices.
    return _heights(-curves.tpr[:, ::-1], 1 - curves.fpr[:, ::-1], -tpr)


def _heights(x: Floats, y: Floats, at: float) -> Floats:
    """Height of rising polylines, one in each row, at one x; at a jump the upper end."""
    before = np.count_nonzero(x <= at, axis=1) - 1
    after = np.minimum(before + 1, x.shape[1] - 1)
    rows = np.arange(len(x))
    width = x[rows, after] - x[rows, before]
    share = np.divide(at - x[rows, before], width, out=np.zeros(len(x)), where=width > 0)
    return np.asarray(y[rows, before] + share * (y[rows, after] - y[rows, before]))


def _answer(question: Question, quantity: Quantity) -> Answer:
    curves = question.curves
    values = np.array([_value(quantity, *curve) for curve in curves.curves])
    replicates = np.full((2, len(values)), np.nan)
    if curves.smallest_class > 1:
        replicates = resampled_values(curves, quantity, n_boot=question.n_boot, rng=question.rng)
    matrix = _matrix(question, values, replicates)
    pairs = [_pair(question, quantity, matrix, replicates, pair) for pair in question.pairs]
    joint = _joint(question, values, replicates) if question.is_joint else curve_tests.joint_from(pairs)
    return Answer(
        matrix=matrix,
        pairs=pairs,
        joint=joint,
        quantity=quantity.name,
        hypothesis=f"the curves have the same {quantity.name}",
        n_resamples=question.n_boot,
        warnings=curve_tests.zero_variance_words(matrix),
    )


def _value(quantity: Quantity, data: BinaryScores, column: int) -> float:
    if quantity.measure is None:
        return data.sums(column).auc
    curve = curve_of(data, column)
    return float(quantity.measure(CurveChunk(curve.fpr[None], curve.tpr[None]))[0])


def resampled_values(curves: CurveSamples, quantity: Quantity, *, n_boot: int, rng: Rng) -> Floats:
    """Values of the replicates, (replicates, curves)."""
    if curves.paired:
        return _paired_values(curves.samples[0], quantity, n_boot=n_boot, rng=rng)
    streams = spawn_streams(rng, len(curves.names))
    columns = [
        _paired_values(data, quantity, n_boot=n_boot, rng=stream)
        for data, stream in zip(curves.samples, streams, strict=True)
    ]
    return np.concatenate(columns, axis=1)


def _paired_values(data: BinaryScores, quantity: Quantity, *, n_boot: int, rng: Rng) -> Floats:
    measure = quantity.measure
    if measure is None:
        return paired_bootstrap_areas(data, n_boot=n_boot, rng=rng)

    def values(*chunks: CurveChunk) -> Floats:
        return np.stack([measure(chunk) for chunk in chunks], axis=1)

    columns = range(len(data.columns))
    return bootstrap_statistic(data, values, n_boot=n_boot, rng=rng, columns=columns)


def _matrix(question: Question, values: Floats, replicates: Floats) -> AreaMatrix:
    curves = question.curves
    return AreaMatrix(
        names=curves.names,
        areas=values,
        covariance=np.cov(replicates, rowvar=False),
        difference_variance={
            (i, j): _variance(replicates[:, i] - replicates[:, j]) for i, j in question.pairs
        },
        sizes=tuple(data.positive.size for data, _ in curves.curves),
        smallest_class=curves.smallest_class,
    )


def _variance(differences: Floats) -> float:
    """Variance; exactly 0 where all are the same, which the rounded mean would hide."""
    return 0.0 if np.ptp(differences) == 0 else float(np.var(differences, ddof=1))


def _pair(
    question: Question, quantity: Quantity, matrix: AreaMatrix, replicates: Floats, pair: tuple[int, int]
) -> PairTest:
    """Test and interval by the normal distribution, or both by percentiles."""
    test = curve_tests.wald_difference(
        matrix,
        pair,
        level=question.level,
        alternative=question.alternative,
        interval=question.bootstrap,
        bound=quantity.bound,
    )
    if not test.se:
        return dataclasses.replace(test, reason=_told(test.reason))
    if question.bootstrap == "normal":
        return test
    return _by_percentiles(question, test, replicates[:, pair[0]] - replicates[:, pair[1]], quantity.bound)


def _by_percentiles(question: Question, test: PairTest, differences: Floats, bound: float) -> PairTest:
    """Interval, p-value and that of equivalence from the same quantiles of the replicates."""
    side = question.alternative
    low, high = percentile_interval(
        differences, level=question.level, alternative=side, bounds=(-bound, bound), value=test.difference
    )
    p = percentile_p(differences, alternative=side)
    within = None
    if question.margin is not None:
        above = percentile_p(differences, at=-question.margin, alternative="greater")
        below = percentile_p(differences, at=question.margin, alternative="less")
        within = within_margin(above, below, side)
    return dataclasses.replace(test, low=float(low), high=float(high), p_value=p, p_equivalence=within)


def _joint(question: Question, values: Floats, replicates: Floats) -> JointTest:
    """Chi-square of the contrasts, whose own replicates give the covariance: equal curves give exactly 0."""
    rows = question.contrast_rows
    covariance = np.atleast_2d(np.cov(replicates @ rows.T, rowvar=False))
    test = curve_tests.chi_square_test(rows @ values, covariance)
    return dataclasses.replace(test, reason=_told(test.reason))


def _told(reason: str | None) -> str | None:
    return None if reason is None else reason.replace("the areas differ", "the values differ")
