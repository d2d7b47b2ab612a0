"""Tests between ROC curves from values and their covariance: DeLong's, Hanley and McNeil's, the bootstrap's.

Hanley and McNeil's test of two areas from the same cases [1]_:

    z = (A1 - A2) / sqrt(se1^2 + se2^2 - 2 r se1 se2)

The standard errors are those of their earlier paper [2]_. The correlation r of the areas follows from that
of the scores inside the classes. Hanley and McNeil print it as a table for the binormal model; here it is
computed. With z0 the normal quantile of the mean area A and B(rho) = Phi2(z0, z0; rho), the chance that
both classifiers order a pair rightly when the differences of their scores have the correlation rho:

    r = [B(rbar) - A^2 + c (B(rbar / 2) - A^2)] / [A - A^2 + c (B(1 / 2) - A^2)],  c = n_pos + n_neg - 2

rbar being the mean of the correlations among positives and among negatives. Pairs that share one case of
two have half the correlation of the scores. For 50 + 50 cases it gives the printed row rbar = 0.5.

Areas of different cases, by the score: with the variances V1 and V2 that the areas would have if they
differed by d (`ScoreVariance`; the scheme of Miettinen and Nurminen [4]_ for shares),

    z(d) = (A1 - A2 - d) / sqrt(V1(c + d) + V2(c))

where c is the mean of A1 - d and A2 with the weights 1 / V1(c + d) and 1 / V2(c). The test takes z(0), the
interval holds all d with |z(d)| below the normal quantile, so that both always agree. More than two areas
are tested by Q = sum (A_i - c)^2 / V_i(c), chi-square. DeLong's variance of a small sample is small by chance
where its area is large by chance, which such a test does not believe.

Areas of the same cases, by the score: the estimates are correlated,

    z(d) = (A1 - A2 - d) / sqrt(V1(c + d) + V2(c) - 2 r sqrt(V1(c + d) V2(c)))

where c is the plain mean of A1 - d and A2. Of few misranked cases DeLong's correlation r' says little, as its
variances do: r = (e r' + 2 q) / (e + 2), where e counts the misranked cases of the smaller class in the
better curve, as in `ScoreVariance`, and q is Hanley and McNeil's correlation of areas, from that of the ranks
of the scores inside the classes as if two more cases had none. r = q where a curve has no variance, and 1
where both rank the cases alike. More than two areas are tested by chi-square with these correlations and
with the variances at the mean of all areas.

Bootstrap: paired curves see the same drawn cases, unpaired ones draw each from their own. The statistic is
the difference over the standard deviation of its replicates. Of areas it is taken as normal, as pROC does,
and so is the interval. Of rates at one point it is taken as Student's t with 2 (k - 1) degrees of freedom,
where k counts the cases of the smallest class (of clusters, those with cases of the class): as normal such a
test rejects up to 9 % of true nulls at 10 cases. On few cases the quantiles of the replicates may say
otherwise: an interval of these comes with its own p-value, so that a row never contradicts itself. The joint
test of more curves is by chi-square, that of rates by Hotelling's T squared with k - 1 degrees of freedom (as
chi-square it rejects up to 12 % of true nulls, with 2 (k - 1) still 9 %).

References
----------
.. [1] Hanley, McNeil: A method of comparing the areas under receiver operating characteristic curves
   derived from the same cases, Radiology 148, 1983.
.. [2] Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic (ROC)
   curve, Radiology 143, 1982.
.. [3] DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated receiver operating
   characteristic curves: a nonparametric approach, Biometrics 44, 1988.
.. [4] Miettinen, Nurminen: Comparative analysis of two rates, Statistics in Medicine 4, 1985.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, resampling, significance
from rocscope.core.frames import Missing, named_columns
from rocscope.core.influence import Design
from rocscope.core.partial_area import Ranges, area_name, counted_areas, extreme_areas
from rocscope.core.result import Row
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, holds_scores, join_stacked
from rocscope.errors import RocInputError
from rocscope.inference.bands import tnr_at, tpr_at
from rocscope.inference.variance import (
    FEW,
    NO_VARIANCE,
    SHRINKAGE,
    AreaMatrix,
    ScoreVariance,
    hanley_mcneil_variance,
    misranked,
)

Floats = NDArray[np.float64]

# Eigenvalues of a correlation matrix below this share of the largest are taken as 0.
RANK_TOLERANCE = 1e-10
# Contrasts of areas, and their standard errors, below this are rounding.
ROUNDING = 1e-14


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifference(Row):
    """Difference of two curves, first minus second, with its interval and test.

    Attributes
    ----------
    difference, se, low, high
        The difference, its standard error and interval; `interval` says how the last two were made:
        "delong", "score" (beside DeLong's standard error), "hanley-mcneil", "normal" or "t" (by the standard
        deviation of bootstrap replicates) or "percentile" (of these). Permutation tests make none of their
        own and show DeLong's.
    statistic, df, p_value, p_adjusted
        The test of this pair, and Holm's adjustment for the number of pairs. The p-value goes with the
        interval, which leaves out 0 where p < 1 - level, but for permutation tests. With "percentile" it
        comes from inverting the interval, and the statistic is reported beside it.
    equivalent, p_equivalence
        With a margin: whether the difference was shown to stay within it at this level, and the p-value
        of that claim, not adjusted. None without a margin or without a standard error.
    reason
        Why something is None.
    """

    view: ClassVar[str] = "forest.comparison_picture"

    first: str
    second: str
    difference: float
    se: float | None = None
    low: float | None = None
    high: float | None = None
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    reason: str | None = None
    interval: str = "delong"
    equivalent: bool | None = None
    p_equivalence: float | None = None

    def _summary(self) -> str:
        return self.text()

    def text(self, alternative: str = "two-sided") -> str:
        """The difference with its interval, or with the bound of a one-sided alternative, and the test."""
        name = f"{self.first} - {self.second}: {self.difference:+.4f}"
        if self.p_value is None:
            return f"{name} (no test: {self.reason})"
        ends = f"no interval: {self.reason}"
        if self.low is not None and self.high is not None:
            bounds = {"greater": f"{self.low:+.4f}", "less": f"{self.high:+.4f}"}
            ends = bounds.get(alternative, f"{self.low:+.4f} to {self.high:+.4f}")
        text = f"{name} ({ends}), p = {self.p_value:.4g}"
        if self.p_adjusted is not None and self.p_adjusted != self.p_value:
            text += f" (Holm {self.p_adjusted:.4g})"
        if self.p_equivalence is None:
            return text
        verdict = "within the margin" if self.equivalent else "not shown to be within the margin"
        return f"{text}; {verdict}, p = {self.p_equivalence:.4g}"


@dataclass(frozen=True, slots=True)
class JointTest:
    """The test of all curves together, or of the one difference of two."""

    kind: str
    statistic: float | None = None
    df: float | None = None
    p_value: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveTests:
    """The tests of one method: values and covariance, one test for each pair, the joint test."""

    matrix: AreaMatrix
    pairs: Sequence[PairDifference]
    joint: JointTest
    quantity: str = "AUC"
    hypothesis: str = "the curves have the same AUC"
    n_resamples: int | None = None
    warnings: tuple[str, ...] = ()


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
    def fewest_draws(self) -> int:
        """How many cases, or clusters, a bootstrap sample draws of the class that has the fewest."""
        if all(sample.groups is None for sample in self.samples):
            return self.smallest_class
        return min(min(Design.of(sample).n_clusters[:2]) for sample in self.samples)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Pairs of curves, each the first minus the second."""
        return list(combinations(range(len(self.names)), 2))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the data, once each."""
        return tuple(dict.fromkeys(text for sample in self.samples for text in sample.warnings))

    def only(self, *places: int) -> CurveSamples:
        """Return some of the curves."""
        names = tuple(self.names[i] for i in places)
        if not self.paired:
            return CurveSamples(names=names, samples=tuple(self.samples[i] for i in places), paired=False)
        columns = tuple(self.samples[0].columns[i] for i in places)
        sample = replace(self.samples[0], columns=columns, names=names)
        return CurveSamples(names=names, samples=(sample,), paired=True)


def read_curves(
    y_true: Any,
    scores: Any = None,
    *,
    paired: bool,
    pos_label: Any = None,
    label: str | None = None,
    score: Sequence[str] | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
    designed: bool = False,
    **design: Any,
) -> CurveSamples:
    """Check labels and scores of all curves, paired ones from whatever `BinaryScores.from_arrays` takes.

    Clusters and fractional weights are refused unless the caller knows of them (`designed`).

    Examples
    --------
    >>> y = {"a": [0, 1, 1], "b": [0, 1]}
    >>> read_curves(y, {"a": [1, 2, 3], "b": [2, 1]}, paired=False).smallest_class
    1
    """
    if paired:
        if isinstance(y_true, Mapping) and scores is None:
            y_true = join_stacked(y_true)
        elif isinstance(y_true, Mapping):
            raise RocInputError(
                "must be one array for paired curves; for a mapping give paired=False", argument="y_true"
            )
        if scores is not None or not holds_scores(y_true):
            scores = _named_scores(scores)
        names: dict[str, Any] = {"pos_label": pos_label, "label": label, "score": score}
        design |= {"na": na, "direction": direction}
        sample = BinaryScores.from_arrays(y_true, scores, clustered=designed, **names, **design)
        if len(sample.columns) < 2:
            kind = type(y_true).__name__
            raise RocInputError(
                f"must hold the scores of two or more classifiers, got {kind} with {len(sample.columns)}",
                argument="y_true" if label is None else "score",
            )
        if not designed or not sample.is_survey:
            sample = sample.counted(clustered=designed)
        return CurveSamples(names=sample.names, samples=(sample,), paired=True)
    for name, value in design.items():
        if value is not None and name != "weight_kind":
            raise RocInputError(
                "must be left out for unpaired curves: give each as a BinaryScores that holds it",
                argument=name,
            )
    if isinstance(y_true, Mapping) and scores is None and len(y_true) > 1:
        wholes = {
            str(name): BinaryScores.from_arrays(one, na=na, clustered=designed).single()
            for name, one in y_true.items()
        }
        return CurveSamples(names=tuple(wholes), samples=tuple(wholes.values()), paired=False)
    scores = _named_scores(scores)
    if not isinstance(y_true, Mapping) or set(y_true) != set(scores):
        raise RocInputError(
            f"must map the same names to labels for unpaired curves, {list(scores)}, "
            f"got {list(y_true) if isinstance(y_true, Mapping) else type(y_true).__name__}",
            argument="y_true",
        )
    samples = tuple(
        BinaryScores.from_arrays(
            y_true[name], {name: scores[name]}, pos_label=pos_label, na=na, direction=direction
        )
        for name in scores
    )
    return CurveSamples(names=tuple(map(str, scores)), samples=samples, paired=False)


def _named_scores(scores: Any) -> Mapping[Any, Any]:
    """Two or more curves by name; a data frame gives its columns."""
    named = named_columns(scores, argument="scores")
    if not isinstance(named, Mapping) or len(named) < 2:
        raise RocInputError(
            f"must map two or more curve names to scores, got {checks.show(scores)}", argument="scores"
        )
    if len(set(map(str, named))) < len(named):
        raise RocInputError(
            f"must have names that differ as text, got {checks.show(list(named))}", argument="scores"
        )
    return named


def delong_test(
    curves: CurveSamples, contrasts: Floats | None, *, level: float, alternative: checks.Alternative
) -> CurveTests:
    """Compare areas by DeLong's covariance; Student's t for two unpaired curves.

    Without `contrasts` the joint test is that of the one difference of two curves.
    """
    if curves.paired:
        data = curves.samples[0]
        matrix = AreaMatrix.paired(data) if data.is_plain else AreaMatrix.designed(data)
    else:
        matrix = AreaMatrix.unpaired(curves.names, curves.samples)
    return wald_tests(matrix, contrasts, level=level, alternative=alternative, welch=not curves.paired)


def hanley_mcneil_test(
    curves: CurveSamples, contrasts: Floats | None, *, level: float, alternative: checks.Alternative
) -> CurveTests:
    """Compare areas by their correlation; unpaired curves have none."""
    areas = np.array([data.sums(column).auc for data, column in curves.curves])
    sizes = [(data.n_pos, data.n_neg) for data, _ in curves.curves]
    se = np.sqrt([hanley_mcneil_variance(a, *size) for a, size in zip(areas.tolist(), sizes, strict=True)])
    r = np.eye(len(areas))
    if curves.paired:
        by_class = [data.by_class(column) for data, column in curves.curves]
        for i, j in curves.pairs:
            of_scores = np.mean([pearson(*both) for both in zip(by_class[i], by_class[j], strict=True)])
            mean_area = float(areas[i] + areas[j]) / 2
            r[i, j] = r[j, i] = area_correlation(float(of_scores), mean_area, *sizes[0])
    matrix = AreaMatrix(
        names=curves.names,
        areas=areas,
        covariance=r * np.outer(se, se),
        difference_variance={
            (i, j): float((se[i] - se[j]) ** 2 + 2 * (1 - r[i, j]) * se[i] * se[j]) for i, j in curves.pairs
        },
        sizes=tuple(sum(size) for size in sizes),
        smallest_class=curves.smallest_class,
        interval="hanley-mcneil",
        undefined="the scores of a class do not vary or are infinite, so their correlation is undefined",
    )
    return wald_tests(matrix, contrasts, level=level, alternative=alternative)


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


# ---- Tests from areas and their covariance ----------------------------------------------------------------


def wald_tests(
    matrix: AreaMatrix,
    contrasts: Floats | None,
    *,
    level: float,
    alternative: checks.Alternative,
    welch: bool = False,
) -> CurveTests:
    """Tests from areas and their covariance alone; `welch` as for `wald_difference`."""
    pairs = [
        wald_difference(matrix, pair, level=level, alternative=alternative, welch=welch)
        for pair in combinations(range(len(matrix.names)), 2)
    ]
    joint = z_test(pairs) if contrasts is None else contrast_test(matrix, contrasts)
    return CurveTests(matrix=matrix, pairs=pairs, joint=joint, warnings=_zero_variance(matrix))


def wald_difference(
    matrix: AreaMatrix,
    pair: tuple[int, int],
    *,
    level: float,
    alternative: checks.Alternative,
    welch: bool = False,
) -> PairDifference:
    """Test one difference by its standard error; equal curves give a statistic of 0 and p = 1.

    `welch` takes Student's t with Welch's degrees of freedom.
    """
    difference, (first, second) = matrix.difference(pair), (matrix.names[i] for i in pair)
    known: dict[str, Any] = {"first": first, "second": second, "interval": matrix.interval}
    known["difference"] = difference
    if matrix.smallest_class < 2:
        return PairDifference(**known, reason=FEW)
    variance = matrix.difference_variance[pair]
    if math.isnan(variance):
        return PairDifference(**known, reason=matrix.undefined)
    se = math.sqrt(variance)
    if se == 0 and difference != 0:
        return PairDifference(**known, se=0.0, reason=matrix.no_variance)
    df, statistic, p = None if matrix.df is None else matrix.df[pair], 0.0, 1.0
    if se > 0:
        if welch and df is None:  # over the cases of each curve, as pROC has it
            (a, m), (b, n) = ((matrix.covariance[i, i], matrix.sizes[i]) for i in pair)
            df = float((a + b) ** 2 / (a**2 / (m - 1) + b**2 / (n - 1)))
        statistic = difference / se
        p = significance.p_value(statistic, alternative=alternative, df=df)
    bounds = (-matrix.bound, matrix.bound)
    low, high = significance.interval(
        difference, se, level=level, alternative=alternative, df=df, bounds=bounds
    )
    return PairDifference(**known, se=se, low=low, high=high, statistic=statistic, df=df, p_value=p)


def z_test(pairs: Sequence[PairDifference]) -> JointTest:
    """Two curves: the joint test is that of the difference."""
    pair = pairs[0]
    return JointTest("z", pair.statistic, pair.df, pair.p_value, pair.reason)


def contrast_test(matrix: AreaMatrix, contrasts: Floats) -> JointTest:
    """Chi-square test that contrasts of the areas are 0: (LA)' (LSL')^- (LA), df = rank ([3] eq. 9)."""
    if matrix.smallest_class < 2:
        return JointTest("chi2", reason=FEW)
    covariance = matrix.contrast_covariance(contrasts)
    reasons = {"undefined": matrix.undefined, "no_variance": matrix.no_variance}
    return chi_square_test(contrasts @ matrix.areas, covariance, **reasons)


def chi_square_test(
    effect: Floats, covariance: Any, *, undefined: str = FEW, no_variance: str = NO_VARIANCE
) -> JointTest:
    """Test that an effect is 0, by its covariance.

    Curves that are functions of each other make the covariance singular: only its range is tested, and
    a difference outside of it, which has no variance at all, is undefined rather than infinite. Ranges
    are determined on the scale of standard errors, where a small variance is not taken for none.
    """
    if not np.isfinite(covariance).all():
        return JointTest("chi2", reason=undefined)
    se = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    moves = se > ROUNDING
    if np.abs(effect[~moves]).max(initial=0.0) > ROUNDING:
        return JointTest("chi2", reason=no_variance)
    if not moves.any():
        return JointTest("chi2", 0.0, 0, 1.0)
    z = effect[moves] / se[moves]
    values, vectors = np.linalg.eigh(covariance[np.ix_(moves, moves)] / np.outer(se[moves], se[moves]))
    kept = values > RANK_TOLERANCE * values.max()
    along = vectors.T @ z
    rounding = max(ROUNDING / float(se[moves].min()), math.sqrt(RANK_TOLERANCE) * float(np.abs(z).max()))
    if np.abs(along[~kept]).max(initial=0.0) > rounding:
        return JointTest("chi2", reason=no_variance)
    statistic = float((along[kept] ** 2 / values[kept]).sum())
    df = int(kept.sum())
    return JointTest("chi2", statistic, df, float(special.chdtrc(df, statistic)))


def hotelling_test(test: JointTest, df: float) -> JointTest:
    """The same statistic as Hotelling's T squared, of a covariance with so many degrees of freedom.

    With k of its own it is k df / (df - k + 1) times F with k and df - k + 1.

    Examples
    --------
    >>> test = JointTest("chi2", 6.0, 2, 0.0498)
    >>> round(hotelling_test(test, 18).p_value, 4), round(hotelling_test(test, 1e9).p_value, 4)
    (0.0867, 0.0498)
    """
    if test.statistic is None or not test.df:
        return test
    k = test.df
    rest = max(df - k + 1, 1.0)
    p_value = float(special.fdtrc(k, rest, test.statistic * rest / (k * df)))
    return replace(test, kind="T2", p_value=p_value)


# ---- Areas by the variances that equal areas would have, [4] -----------------------------------------------

# Of a search for a root; the last digits of areas are below.
TOLERANCE = 1e-15
STEPS = 200
PLACES = 33  # differences that are looked through
# Variances are 0 where an area is 0 or 1; this far inside weights have their limits.
INSIDE = 1e-12


def score_tests(
    matrix: AreaMatrix,
    sizes: Sequence[tuple[int, int]],
    *,
    level: float,
    alternative: checks.Alternative,
    margin: float | None = None,
    correlations: Floats | None = None,
) -> CurveTests:
    """Compare areas by the score; `sizes` has the positives and negatives of each.

    `correlations` are those of the areas, where they come from the same cases: see `score_correlations`.
    """
    areas, variances = matrix.areas.tolist(), np.diag(matrix.covariance).tolist()
    spreads = [ScoreVariance.of(a, v, *size) for a, v, size in zip(areas, variances, sizes, strict=True)]
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    critical = significance.critical_value(**side)
    pairs, same = list[PairDifference](), dict[tuple[int, int], float]()
    for i, j in combinations(range(len(areas)), 2):
        r, se = None, math.sqrt(variances[i] + variances[j])
        if correlations is not None:
            r, se = float(correlations[i, j]), math.sqrt(matrix.difference_variance.get((i, j), math.nan))
            if r == 1 and areas[i] == areas[j]:  # one curve twice
                pairs.append(wald_difference(matrix, (i, j), **side))
                same[i, j] = 0.0
                continue
        difference = AreaDifference(areas[i], areas[j], spreads[i], spreads[j], r)
        statistic, beyond = difference.statistic(0.0), None
        if margin is not None:
            shifts = [margin] if r is None else difference.shifts(margin, 1.0)
            z = [(difference.statistic(-shift), difference.statistic(shift)) for shift in shifts]
            above = max(significance.p_value(one, alternative="greater") for one, _ in z)
            below = max(significance.p_value(one, alternative="less") for _, one in z)
            beyond = within_margin(above, below, alternative)
        pairs.append(
            PairDifference(
                first=matrix.names[i],
                second=matrix.names[j],
                difference=matrix.difference((i, j)),
                se=None if math.isnan(se) else se,
                low=-1.0 if alternative == "less" else difference.end(critical, below=True),
                high=1.0 if alternative == "greater" else difference.end(critical, below=False),
                statistic=statistic,
                p_value=significance.p_value(statistic, alternative=alternative),
                interval="score",
                p_equivalence=beyond,
            )
        )
    joint = z_test(pairs)
    if len(areas) > 2 and correlations is not None:
        mean = min(max(sum(areas) / len(areas), INSIDE), 1 - INSIDE)
        se_at = np.sqrt([spread.at(mean) for spread in spreads])
        # Each correlation has a weight of its own, so that together they may be none; and one curve twice
        # leaves a contrast without variance.
        values, vectors = np.linalg.eigh(correlations)
        values[values < RANK_TOLERANCE * values.max()] = 0.0
        steps = np.eye(len(areas) - 1, len(areas)) - np.eye(len(areas) - 1, len(areas), 1)
        half = steps @ (se_at[:, None] * vectors * np.sqrt(values))
        covariance = half @ half.T
        joint = chi_square_test(steps @ matrix.areas, covariance)
    elif len(areas) > 2:
        _, statistic = homogeneity(areas, spreads)
        df = len(areas) - 1
        joint = JointTest("chi2", statistic, df, float(special.chdtrc(df, statistic)))
    warnings = _zero_variance(replace(matrix, difference_variance=same))
    return CurveTests(matrix=replace(matrix, interval="score"), pairs=pairs, joint=joint, warnings=warnings)


def score_correlations(data: BinaryScores, matrix: AreaMatrix) -> Floats:
    """Correlations of areas of the same cases: DeLong's, held back by that of the ranks of the scores.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> curves = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 3, 4, 5]}
    >>> data = BinaryScores.from_arrays(y, curves)
    >>> score_correlations(data, AreaMatrix.paired(data)).round(3).tolist()
    [[1.0, 0.589], [0.589, 1.0]]
    """
    k, size = len(matrix.names), (data.n_pos, data.n_neg)
    ranks = [data.class_ranks(column) for column in range(k)]
    se, r = np.sqrt(np.diag(matrix.covariance)), np.eye(k)
    for i, j in combinations(range(k), 2):
        both = list(zip(ranks[i], ranks[j], strict=True))
        alike = [np.array_equal(a, b) for a, b in both]
        areas, variance = matrix.areas[[i, j]], matrix.difference_variance.get((i, j), 0.0)
        if all(alike) and matrix.difference((i, j)) == 0 and (variance == 0 or math.isnan(variance)):
            r[i, j] = r[j, i] = 1.0
            continue
        # Two scores that do not vary in a class are alike there; one that does not is like no other.
        of_classes = [pearson(a, b) for a, b in both]
        of_ranks = sum(
            float(same and len(a) > 1) if math.isnan(one) else one
            for one, same, (a, _) in zip(of_classes, alike, both, strict=True)
        )
        of_ranks /= 2
        of_ranks *= sum(size) / (sum(size) + SHRINKAGE)
        q = area_correlation(of_ranks, float(areas.mean()), *size)
        errors = min(misranked(area, *size) for area in areas.tolist())
        if se[i] > 0 and se[j] > 0:
            of_delong = matrix.covariance[i, j] / (se[i] * se[j])
            q = (errors * of_delong + SHRINKAGE * q) / (errors + SHRINKAGE)
        r[i, j] = r[j, i] = np.clip(q, -1.0, 1.0)
    return r


@dataclass(frozen=True, slots=True)
class AreaDifference:
    """Difference of two areas, with the variance that each has at every true area.

    `correlation` is that of two areas of the same cases, None for different cases.
    """

    first: float
    second: float
    of_first: ScoreVariance
    of_second: ScoreVariance
    correlation: float | None = None

    def variance(self, shift: float) -> float:
        """The variance of the difference where the true areas, c + shift and c, differ by `shift`."""
        if abs(shift) >= 1 - 4 * INSIDE:  # one area is 0, the other 1
            return 0.0
        low, high = sorted((self.first - shift, self.second))
        least, most = max(0.0, -shift) + INSIDE, min(1.0, 1.0 - shift) - INSIDE
        if self.correlation is not None:
            c = min(max((low + high) / 2, least), most)
            a, b = math.sqrt(self.of_first.at(c + shift)), math.sqrt(self.of_second.at(c))
            return (a - b) ** 2 + 2 * (1 - self.correlation) * (a * b)

        def excess(c: float) -> float:
            above = (self.first - shift - c) * self.of_second.at(c)
            return above + (self.second - c) * self.of_first.at(c + shift)

        start, end = min(max(low, least), most), max(min(high, most), least)
        c = start if excess(start) <= 0 else end if excess(end) >= 0 else find_root(excess, start, end)
        return self.of_first.at(c + shift) + self.of_second.at(c)

    def statistic(self, shift: float) -> float:
        """Z at a true difference; infinite where that leaves no variance.

        Examples
        --------
        >>> spread = ScoreVariance(1.0, 20, 20)
        >>> round(AreaDifference(0.9, 0.7, spread, spread).statistic(0.0), 4)
        1.9912
        """
        rest, variance = self.first - self.second - shift, self.variance(shift)
        if abs(rest) <= ROUNDING:
            return 0.0
        return rest / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, rest)

    def end(self, critical: float, *, below: bool) -> float:
        """The lowest or highest difference with |z| up to the critical value."""
        observed, outermost = self.first - self.second, -1.0 if below else 1.0

        def excess(shift: float) -> float:
            return (observed - shift) ** 2 - critical**2 * self.variance(shift)

        # Areas of 0 and 1 leave no variance at their own difference, but beside it.
        inside = observed + (outermost - observed) * 1e-9
        if excess(outermost) <= 0:
            return outermost
        if self.correlation is not None:  # beyond differences that are rejected others may not be
            for shift in self.shifts(outermost, inside):
                if excess(shift) <= 0:
                    inside = shift
                    break
                outermost = shift
        return find_root(excess, inside, outermost)

    @staticmethod
    def shifts(start: float, end: float) -> list[float]:
        """Differences from one to another, to look through where z is not monotone."""
        return [float(shift) for shift in np.linspace(start, end, PLACES)]


def homogeneity(areas: Sequence[float], spreads: Sequence[ScoreVariance]) -> tuple[float, float]:
    """The common area, and Q, of areas that are equal under the hypothesis.

    Examples
    --------
    >>> common, statistic = homogeneity([0.9, 0.7], [ScoreVariance(1.0, 20, 20)] * 2)
    >>> round(common, 4), round(statistic, 4)
    (0.8, 3.9648)
    """

    def excess(c: float) -> float:
        inside = min(max(c, INSIDE), 1 - INSIDE)
        return sum((a - c) / s.at(inside) for a, s in zip(areas, spreads, strict=True))

    if max(areas) - min(areas) <= ROUNDING:
        return areas[0], 0.0
    common = find_root(excess, min(areas), max(areas))
    return common, sum((a - common) ** 2 / s.at(common) for a, s in zip(areas, spreads, strict=True))


def find_root(function: Callable[[float], float], start: float, end: float) -> float:
    """Where a function changes its sign, by the rule of false position in the form of Illinois.

    Examples
    --------
    >>> find_root(lambda x: x * x - 2, 0.0, 2.0) == 2**0.5
    True
    """
    at_start, at_end = function(start), function(end)
    if at_start == 0:
        return start
    for _ in range(STEPS):
        if at_end == 0 or abs(end - start) <= TOLERANCE:
            break
        middle = end - at_end * (end - start) / (at_end - at_start)
        at_middle = function(middle)
        if (at_middle > 0) == (at_end > 0):
            at_start /= 2  # the other end has stayed where it was
        else:
            start, at_start = end, at_end
        if abs(middle - end) <= TOLERANCE:
            return middle
        end, at_end = middle, at_middle
    return end


def _zero_variance(matrix: AreaMatrix) -> tuple[str, ...]:
    """A warning that names the differences whose variance is 0."""
    zero = [
        f"{matrix.names[i]} - {matrix.names[j]}"
        for (i, j), variance in matrix.difference_variance.items()
        if variance == 0
    ]
    if not zero:
        return ()
    return (f"the variance of the difference is 0, so its interval says nothing: {', '.join(zero)}",)


# ---- Tests by the bootstrap: areas, partial areas, rates at one point --------------------------


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a bootstrap compares: its name, its value for each curve of a stack, the largest difference.

    Without a `measure` it is the whole area, which needs no curve. `is_rate` says that it is a rate at one
    point.
    """

    name: str
    measure: Callable[[resampling.VertexCounts], Floats] | None = None
    bound: float = 1.0
    is_rate: bool = False


def compared_quantity(
    method: str, *, at: float | None = None, ranges: Ranges = (None, None), standardize: bool = False
) -> Quantity:
    """The rate of "sensitivity" or "specificity" at a fixed one, or the area over the ranges."""
    if method != "bootstrap":
        rate = checks.check_number(at, name="at", low=0, high=1, closed=True)
        if method == "sensitivity":
            name, read = f"TPR at FPR {rate:g}", tpr_at
        else:
            name, read = f"TNR at TPR {rate:g}", tnr_at
        return Quantity(name, lambda counts: read(counts, np.array([rate]))[:, 0], is_rate=True)
    if ranges == (None, None) and not standardize:
        return Quantity("AUC")
    worst, best = extreme_areas(ranges, standardize)
    areas = partial(counted_areas, ranges=ranges, standardize=standardize)
    return Quantity(area_name(ranges, standardize), areas, best - worst)


def bootstrap_test(
    curves: CurveSamples,
    contrasts: Floats | None,
    quantity: Quantity,
    *,
    level: float,
    alternative: checks.Alternative,
    interval: str,
    margin: float | None,
    sampling: resampling.Sampling,
) -> CurveTests:
    """Compare areas, parts of them or rates by the covariance of their replicates.

    `interval` "normal" and "t" test by the standard deviation of the replicates, "percentile" by their
    quantiles, "auto" by t where rates at one point are compared and by "normal" elsewhere.
    """
    if interval == "auto":
        interval = "t" if quantity.is_rate else "normal"
    if quantity.measure is None:
        values = np.array([data.sums(column).auc for data, column in curves.curves])
    else:
        stacks = (resampling.VertexCounts.of_table(data.table(column)) for data, column in curves.curves)
        values = np.array([float(quantity.measure(stack)[0]) for stack in stacks])
    replicates = np.full((2, len(values)), np.nan)
    if curves.smallest_class > 1 and curves.paired:
        replicates = _replicates(curves.samples[0], quantity, sampling)
    elif curves.smallest_class > 1:
        streams = resampling.spawn_streams(sampling.rng, len(curves.names))
        replicates = np.concatenate(
            [
                _replicates(data, quantity, replace(sampling, rng=stream))
                for data, stream in zip(curves.samples, streams, strict=True)
            ],
            axis=1,
        )
    if sampling.n_boot == 1:
        replicates = np.full((2, len(values)), np.nan)
    differences = {(i, j): replicates[:, i] - replicates[:, j] for i, j in curves.pairs}
    df = max(2 * (curves.fewest_draws - 1), 1)
    matrix = AreaMatrix(
        names=curves.names,
        areas=values,
        covariance=np.cov(replicates, rowvar=False),
        # Exactly 0 where all are the same, which the rounded mean would hide.
        difference_variance={
            pair: 0.0 if np.ptp(d) == 0 else float(np.var(d, ddof=1)) for pair, d in differences.items()
        },
        sizes=tuple(data.positive.size for data, _ in curves.curves),
        smallest_class=curves.smallest_class,
        df=dict.fromkeys(curves.pairs, float(df)) if interval == "t" else None,
        interval=interval,
        bound=quantity.bound,
        no_variance="the values differ but their difference has no variance",
        undefined="one replicate has no variance",
    )
    pairs = []
    for pair, replicated in differences.items():
        test = wald_difference(matrix, pair, level=level, alternative=alternative)
        if test.se and interval == "percentile":
            test = _by_percentiles(test, replicated, quantity.bound, margin, level, alternative)
        pairs.append(test)
    joint = z_test(pairs)
    if contrasts is not None:  # contrasts of the replicates have the covariance: equal curves give exactly 0
        covariance = np.atleast_2d(np.cov(replicates @ contrasts.T, rowvar=False))
        joint = chi_square_test(contrasts @ values, covariance, no_variance=matrix.no_variance)
        if interval == "t":
            joint = hotelling_test(joint, max(curves.fewest_draws - 1, 1))
    return CurveTests(
        matrix=matrix,
        pairs=pairs,
        joint=joint,
        quantity=quantity.name,
        hypothesis=f"the curves have the same {quantity.name}",
        n_resamples=sampling.n_boot,
        warnings=(*_zero_variance(matrix), *sampling.warnings()),
    )


def _by_percentiles(
    test: PairDifference,
    differences: Floats,
    bound: float,
    margin: float | None,
    level: float,
    alternative: checks.Alternative,
) -> PairDifference:
    """Interval, p-value and that of equivalence from the same quantiles of the replicates."""
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    low, high = resampling.percentile_interval(
        differences, bounds=(-bound, bound), value=test.difference, **side
    )
    within = None
    if margin is not None:
        above = resampling.percentile_p(differences, at=-margin, alternative="greater")
        below = resampling.percentile_p(differences, at=margin, alternative="less")
        within = within_margin(above, below, alternative)
    p = resampling.percentile_p(differences, alternative=alternative)
    return replace(test, low=float(low), high=float(high), p_value=p, p_equivalence=within)


def _replicates(data: BinaryScores, quantity: Quantity, sampling: resampling.Sampling) -> Floats:
    """Values of the replicates of one sample, (replicates, classifiers)."""
    measure = quantity.measure
    if measure is None:
        return resampling.paired_bootstrap_areas(data, sampling)
    return resampling.bootstrap_curves(
        data, lambda *curves: np.stack([measure(counts) for counts in curves], axis=1), sampling
    )


# ---- Equivalence and non-inferiority: is a difference surely smaller than a margin? -----------------------
# Two one-sided tests: the difference is shown to lie above -margin and below margin, each at 1 - level. Both
# succeed exactly where the interval of level 2 level - 1 lies inside (-margin, margin).


def equivalence_p(test: PairDifference, margin: float, alternative: checks.Alternative) -> float | None:
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
    >>> pair = PairDifference(first="a", second="b", difference=0.01, se=0.02)
    >>> round(equivalence_p(pair, 0.05, "two-sided"), 4)
    0.0228
    """
    if not test.se:
        return None
    above = significance.p_value((test.difference + margin) / test.se, alternative="greater", df=test.df)
    below = significance.p_value((test.difference - margin) / test.se, alternative="less", df=test.df)
    return within_margin(above, below, alternative)


def within_margin(above: float, below: float, alternative: checks.Alternative) -> float:
    """Join the p-values of difference > -margin and of difference < margin; both must hold for two sides."""
    return float({"two-sided": max(above, below), "greater": above, "less": below}[alternative])
