"""What all tests between curves share: the question, the answer, and tests by standard errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.area.curve_samples import CurveSamples
from rocscope.area.delong import AreaMatrix
from rocscope.core import wald
from rocscope.core.checks import Alternative
from rocscope.core.curve import Ranges
from rocscope.core.resample import Rng

Floats = NDArray[np.float64]

# Eigenvalues of a correlation matrix below this share of the largest are taken as 0.
RANK_TOLERANCE = 1e-10
# Contrasts of areas, and their standard errors, below this are rounding.
ROUNDING = 1e-14
FEW = "the variance needs two cases in each class"
NO_VARIANCE = "the areas differ but their difference has no variance"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Everything a method may ask for, checked."""

    curves: CurveSamples
    level: float
    alternative: Alternative
    contrasts: Floats | None
    ranges: Ranges
    standardize: bool
    at: float | None
    margin: float | None
    n_boot: int
    bootstrap: str
    rng: Rng

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of curves, each the first minus the second."""
        return list(combinations(range(len(self.curves.names)), 2))

    @property
    def is_joint(self) -> bool:
        """Whether a chi-square test is asked for rather than the one difference."""
        return len(self.curves.names) > 2 or self.contrasts is not None

    @property
    def contrast_rows(self) -> Floats:
        """The contrasts to be tested; without any given, successive differences."""
        if self.contrasts is not None:
            return self.contrasts
        k = len(self.curves.names)
        return np.asarray(np.eye(k - 1, k) - np.eye(k - 1, k, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTest:
    """One difference, first minus second; `interval` names how its interval was made.

    `p_equivalence` is given by tests that do not rest on the standard error.
    """

    difference: float
    se: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None
    reason: str | None = None
    interval: str = "delong"
    p_equivalence: float | None = None


@dataclass(frozen=True, slots=True)
class JointTest:
    """The test of all curves together."""

    kind: str
    statistic: float | None
    df: float | None
    p_value: float | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a method found: values and covariance, one test for each pair, the joint test."""

    matrix: AreaMatrix
    pairs: Sequence[PairTest]
    joint: JointTest
    quantity: str = "AUC"
    hypothesis: str = "the curves have the same AUC"
    n_resamples: int | None = None
    warnings: tuple[str, ...] = ()


def joint_from(pairs: Sequence[PairTest]) -> JointTest:
    """Two curves: the joint test is that of the difference."""
    pair = pairs[0]
    return JointTest("z", pair.statistic, pair.df, pair.p_value, pair.reason)


def delong_test(question: Question) -> Answer:
    """Compare areas by DeLong's covariance; Student's t for two unpaired curves."""
    curves = question.curves
    return wald_answer(question, curves.delong(), interval="delong", welch=not curves.paired)


def wald_answer(
    question: Question, matrix: AreaMatrix, *, interval: str, welch: bool = False, undefined: str = FEW
) -> Answer:
    """Answer from areas and their covariance alone.

    `welch` takes Student's t with Welch's degrees of freedom; `undefined` is the reason where a variance
    is NaN.
    """
    pairs = [
        wald_difference(
            matrix,
            pair,
            level=question.level,
            alternative=question.alternative,
            welch=welch,
            interval=interval,
            undefined=undefined,
        )
        for pair in question.pairs
    ]
    joint = (
        contrast_test(matrix, question.contrast_rows, undefined=undefined)
        if question.is_joint
        else joint_from(pairs)
    )
    return Answer(matrix=matrix, pairs=pairs, joint=joint, warnings=zero_variance_words(matrix))


def wald_difference(
    matrix: AreaMatrix,
    pair: tuple[int, int],
    *,
    level: float,
    alternative: Alternative,
    welch: bool = False,
    interval: str = "delong",
    undefined: str = FEW,
    bound: float = 1.0,
) -> PairTest:
    """Test one difference by its standard error; equal curves give a statistic of 0 and p = 1."""
    difference = matrix.difference(pair)
    if matrix.smallest_class < 2:
        return PairTest(difference=difference, reason=FEW, interval=interval)
    variance = matrix.difference_variance[pair]
    if math.isnan(variance):
        return PairTest(difference=difference, reason=undefined, interval=interval)
    se = math.sqrt(variance)
    if se == 0 and difference != 0:
        return PairTest(difference=difference, se=0.0, reason=NO_VARIANCE, interval=interval)
    df = unpaired_df(matrix, *pair) if welch and se > 0 else None
    statistic = difference / se if se > 0 else 0.0
    low, high = wald.interval(
        difference, se, level=level, alternative=alternative, df=df, bounds=(-bound, bound)
    )
    p = wald.p_value(statistic, alternative=alternative, df=df) if se > 0 else 1.0
    return PairTest(
        difference=difference,
        se=se,
        low=low,
        high=high,
        statistic=statistic,
        df=df,
        p_value=p,
        interval=interval,
    )


def unpaired_df(matrix: AreaMatrix, i: int, j: int) -> float:
    """Welch's degrees of freedom over the cases of each curve, as pROC has them."""
    a, b = matrix.covariance[i, i], matrix.covariance[j, j]
    return float((a + b) ** 2 / (a**2 / (matrix.sizes[i] - 1) + b**2 / (matrix.sizes[j] - 1)))


def contrast_test(matrix: AreaMatrix, contrasts: Floats, *, undefined: str = FEW) -> JointTest:
    """Chi-square test that contrasts of the areas are 0: (LA)' (LSL')^- (LA), df = rank ([1] eq. 9)."""
    if matrix.smallest_class < 2:
        return JointTest("chi2", None, None, None, FEW)
    return chi_square_test(
        contrasts @ matrix.areas, matrix.contrast_covariance(contrasts), undefined=undefined
    )


def chi_square_test(effect: Floats, covariance: Any, *, undefined: str = FEW) -> JointTest:
    """Test that an effect is 0, given its covariance.

    Curves that are functions of each other make the covariance singular: only its range is tested, and
    a difference outside of it, which has no variance at all, is undefined rather than infinite. Ranges
    are found on the scale of standard errors, where a small variance is not taken for none.
    """
    if not np.isfinite(covariance).all():
        return JointTest("chi2", None, None, None, undefined)
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    moves = se > ROUNDING
    if np.abs(effect[~moves]).max(initial=0.0) > ROUNDING:
        return JointTest("chi2", None, None, None, NO_VARIANCE)
    if not moves.any():
        return JointTest("chi2", 0.0, 0, 1.0, None)
    correlation = covariance[np.ix_(moves, moves)] / np.outer(se[moves], se[moves])
    return _chi_square(effect[moves] / se[moves], correlation, rounding=ROUNDING / float(se[moves].min()))


def _chi_square(z: Floats, correlation: Floats, *, rounding: float) -> JointTest:
    values, vectors = np.linalg.eigh(correlation)
    kept = values > RANK_TOLERANCE * values.max()
    along = vectors.T @ z
    rounding = max(rounding, math.sqrt(RANK_TOLERANCE) * float(np.abs(z).max()))
    if np.abs(along[~kept]).max(initial=0.0) > rounding:
        return JointTest("chi2", None, None, None, NO_VARIANCE)
    statistic = float((along[kept] ** 2 / values[kept]).sum())
    df = int(kept.sum())
    return JointTest("chi2", statistic, df, float(special.chdtrc(df, statistic)), None)


def zero_variance_words(matrix: AreaMatrix) -> tuple[str, ...]:
    """Name the differences whose variance is 0."""
    zero = [
        f"{matrix.names[i]} - {matrix.names[j]}"
        for (i, j), variance in matrix.difference_variance.items()
        if variance == 0
    ]
    if not zero:
        return ()
    return (f"the variance of the difference is 0, so its interval says nothing: {', '.join(zero)}",)
