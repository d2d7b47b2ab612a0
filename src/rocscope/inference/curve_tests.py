"""The curves that are compared: columns of one sample, or a sample for each."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, significance
from rocscope.core.checks import Alternative
from rocscope.core.curve import Ranges
from rocscope.core.resampling import Rng
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.inference.variance import AreaMatrix, hanley_mcneil_variance, paired_areas, unpaired_areas


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveSamples:
    """Two or more curves; `samples` holds one sample of all cases if they are paired, else one each."""

    names: tuple[str, ...]
    samples: tuple[BinaryScores, ...]
    paired: bool

    @property
    def curves(self) -> tuple[tuple[BinaryScores, int], ...]:
        """The sample and the column of every curve."""
        if self.paired:
            return tuple((self.samples[0], column) for column in range(len(self.names)))
        return tuple((sample, 0) for sample in self.samples)

    @property
    def smallest_class(self) -> int:
        """Number of cases in the smallest class of any sample."""
        return min(min(sample.n_pos, sample.n_neg) for sample in self.samples)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the doors had to say about the data, once each."""
        return tuple(dict.fromkeys(text for sample in self.samples for text in sample.warnings))

    def only(self, *chosen: int) -> CurveSamples:
        """Return some of the curves."""
        names = tuple(self.names[i] for i in chosen)
        if not self.paired:
            return CurveSamples(names=names, samples=tuple(self.samples[i] for i in chosen), paired=False)
        columns = tuple(self.samples[0].columns[i] for i in chosen)
        sample = dataclasses.replace(self.samples[0], columns=columns, names=names)
        return CurveSamples(names=names, samples=(sample,), paired=True)

    def delong(self) -> AreaMatrix:
        """Areas with DeLong's covariance."""
        if self.paired:
            return paired_areas(self.samples[0])
        return unpaired_areas(dict(zip(self.names, self.samples, strict=True)))


def read_curves(y_true: Any, scores: Any, *, paired: bool, pos_label: Any) -> CurveSamples:
    """Check labels and scores of all curves; `y_true` may be paired data that was checked before.

    Examples
    --------
    >>> y = {"a": [0, 1, 1], "b": [0, 1]}
    >>> read_curves(y, {"a": [1, 2, 3], "b": [2, 1]}, paired=False, pos_label=None).smallest_class
    1
    """
    if paired and isinstance(y_true, BinaryScores):
        sample = _check_again(BinaryScores.from_arrays(y_true, scores, pos_label=pos_label))
        return CurveSamples(names=sample.names, samples=(sample,), paired=True)
    names = _check_names(scores)
    if not paired:
        _check_same_names(y_true, scores)
        samples = [
            BinaryScores.from_arrays(y_true[name], {name: scores[name]}, pos_label=pos_label)
            for name in scores
        ]
        return CurveSamples(names=names, samples=tuple(samples), paired=False)
    if isinstance(y_true, Mapping):
        raise RocInputError(
            "must be one array for paired curves; for a mapping give paired=False", argument="y_true"
        )
    sample = BinaryScores.from_arrays(y_true, scores, pos_label=pos_label)
    return CurveSamples(names=names, samples=(sample,), paired=True)


def _check_again(data: BinaryScores) -> BinaryScores:
    """Refuse checked data that holds one classifier only, or weights, which these tests do not know."""
    if len(data.columns) < 2:
        raise RocInputError(
            f"must hold the scores of two or more classifiers, got {len(data.columns)}", argument="y_true"
        )
    if data.weight is not None:
        raise RocInputError("must hold cases without weights, got weighted ones", argument="y_true")
    return data


def _check_names(scores: Any) -> tuple[str, ...]:
    if not isinstance(scores, Mapping) or len(scores) < 2:
        raise RocInputError(
            f"must map two or more curve names to scores, got {checks.show(scores)}", argument="scores"
        )
    names = tuple(map(str, scores))
    if len(set(names)) < len(names):
        raise RocInputError(
            f"must have names that differ as text, got {checks.show(list(scores))}", argument="scores"
        )
    return names


def _check_same_names(y_true: Any, scores: Mapping[Any, Any]) -> None:
    if not isinstance(y_true, Mapping) or set(y_true) != set(scores):
        raise RocInputError(
            f"must map the same names to labels for unpaired curves, {list(scores)}, "
            f"got {list(y_true) if isinstance(y_true, Mapping) else type(y_true).__name__}",
            argument="y_true",
        )


# ---- What all tests between curves share: the question, the answer, and tests by standard errors ----------

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
    low, high = significance.interval(
        difference, se, level=level, alternative=alternative, df=df, bounds=(-bound, bound)
    )
    p = significance.p_value(statistic, alternative=alternative, df=df) if se > 0 else 1.0
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


# ---- Equivalence and non-inferiority: is a difference surely smaller than a margin? -----------------------
# Two one-sided tests: the difference is shown to lie above -margin and below margin, each at 1 - level. Both
# succeed exactly where the interval of level 2 level - 1 lies inside (-margin, margin).

NO_MARGIN = "the difference has no variance, so nothing can be said about the margin"


def equivalence_p(test: PairTest, margin: float, alternative: Alternative) -> float | None:
    """P-value of the claim that the difference stays within the margin; None without a standard error.

    Parameters
    ----------
    test
        Difference, first minus second, with standard error and degrees of freedom.
    margin
        Largest difference that does not matter.
    alternative
        "two-sided": -margin < difference < margin, the larger of the two one-sided p-values;
        "greater": the first is not inferior, difference > -margin;
        "less": the second is not inferior, difference < margin.

    Examples
    --------
    >>> round(equivalence_p(PairTest(difference=0.01, se=0.02), 0.05, "two-sided"), 4)
    0.0228
    """
    if not test.se:
        return None
    above = significance.p_value((test.difference + margin) / test.se, alternative="greater", df=test.df)
    below = significance.p_value((test.difference - margin) / test.se, alternative="less", df=test.df)
    return within_margin(above, below, alternative)


def within_margin(above: float, below: float, alternative: Alternative) -> float:
    """Join the p-values of difference > -margin and of difference < margin; both must hold for two sides."""
    return float({"two-sided": max(above, below), "greater": above, "less": below}[alternative])


# ---- Hanley and McNeil's test of two areas from the same cases [1]_ ---------------------------------------
#     z = (A1 - A2) / sqrt(se1^2 + se2^2 - 2 r se1 se2)
# The standard errors are those of their earlier paper [2]_. The correlation r of the areas follows from that
# of the scores inside the classes. Hanley and McNeil print it as a table for the binormal model; here it is
# computed. With z0 the normal quantile of the mean area A and B(rho) = Phi2(z0, z0; rho), the chance that
# both classifiers order a pair rightly when the differences of their scores have the correlation rho:
#     r = [B(rbar) - A^2 + c (B(rbar / 2) - A^2)] / [A - A^2 + c (B(1 / 2) - A^2)],  c = n_pos + n_neg - 2
# rbar being the mean of the correlations among positives and among negatives. Pairs that share one case of
# two have half the correlation of the scores. For 50 + 50 cases it gives the printed row rbar = 0.5.
# References
# ----------
# .. [1] Hanley, McNeil: A method of comparing the areas under receiver operating characteristic curves
#    derived from the same cases, Radiology 148, 1983.
# .. [2] Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic (ROC)
#    curve, Radiology 143, 1982.

NO_CORRELATION = "the scores of a class do not vary or are infinite, so their correlation is undefined"


def hanley_mcneil_test(question: Question) -> Answer:
    """Compare areas by their correlation; unpaired curves have none."""
    curves = question.curves
    areas = np.array([data.sums(column).auc for data, column in curves.curves])
    sizes = [(data.n_pos, data.n_neg) for data, _ in curves.curves]
    se = np.sqrt([hanley_mcneil_variance(a, *size) for a, size in zip(areas.tolist(), sizes, strict=True)])
    r = np.eye(len(areas))
    if curves.paired:
        r = _correlations(curves.samples[0], areas, question.pairs)
    matrix = AreaMatrix(
        names=curves.names,
        areas=areas,
        covariance=r * np.outer(se, se),
        difference_variance={
            (i, j): float((se[i] - se[j]) ** 2 + 2 * (1 - r[i, j]) * se[i] * se[j]) for i, j in question.pairs
        },
        sizes=tuple(sum(size) for size in sizes),
        smallest_class=curves.smallest_class,
    )
    return wald_answer(question, matrix, interval="hanley-mcneil", undefined=NO_CORRELATION)


def _correlations(
    data: BinaryScores, areas: NDArray[np.float64], pairs: list[tuple[int, int]]
) -> NDArray[np.float64]:
    """Correlation of every two areas; NaN where that of the scores is undefined."""
    by_class = [data.by_class(column) for column in range(len(areas))]
    r = np.eye(len(areas))
    for i, j in pairs:
        of_scores = np.mean([pearson(*both) for both in zip(by_class[i], by_class[j], strict=True)])
        mean_area = float(areas[i] + areas[j]) / 2
        r[i, j] = r[j, i] = area_correlation(float(of_scores), mean_area, data.n_pos, data.n_neg)
    return r


def area_correlation(of_scores: float, area: float, n_pos: int, n_neg: int) -> float:
    """Correlation of two areas from the mean correlation of the scores inside the classes.

    Examples
    --------
    >>> round(area_correlation(0.5, area=0.9, n_pos=50, n_neg=50), 3)
    0.41
    """
    if area in (0.0, 1.0) or of_scores == 1:  # perfect curves have no variance that could correlate
        return of_scores
    z0 = float(special.ndtri(area))
    sharing = n_pos + n_neg - 2
    both = _both_right(z0, of_scores) - area**2 + sharing * (_both_right(z0, of_scores / 2) - area**2)
    one = area - area**2 + sharing * (_both_right(z0, 0.5) - area**2)
    return both / one


def _both_right(z0: float, rho: float) -> float:
    """Phi2(z0, z0; rho), by Owen's T."""
    if rho <= -1:
        return max(0.0, 2 * float(special.ndtr(z0)) - 1)
    return float(special.ndtr(z0) - 2 * special.owens_t(z0, math.sqrt(max(0.0, 1 - rho) / (1 + rho))))


def pearson(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Pearson's correlation; NaN where a column is constant or infinite.

    Examples
    --------
    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 6)
    0.5
    """
    centred = []
    for values in (x, y):
        if not np.isfinite(values.astype(np.float64)).all() or values.max() == values.min():
            return math.nan
        if values.dtype.kind == "i":
            values = values - values.min()  # exact for long integers
        scaled = values / np.abs(values).max()  # no square overflows
        centred.append(scaled - scaled.mean())
    a, b = centred
    return float(np.clip(a @ b / math.sqrt((a @ a) * (b @ b)), -1.0, 1.0))
