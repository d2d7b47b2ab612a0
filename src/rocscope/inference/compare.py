"""Tests between ROC curves: is the difference real, and does it matter?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, resampling, significance, spread
from rocscope.core.formatting import interval_name, sentence, shared
from rocscope.core.frames import Missing
from rocscope.core.partial_area import read_ranges
from rocscope.core.result import Result, Status, row_columns
from rocscope.core.rules import Direction
from rocscope.core.scores import WeightKind, refuse_design
from rocscope.core.table import below_note
from rocscope.core.tables import METHODS as NAMES
from rocscope.errors import RocInputError
from rocscope.inference import curve_tests, permutation
from rocscope.inference.auc import MISRANKED, area_interval, exact_bound, interval_method
from rocscope.inference.variance import AreaMatrix, misranked, score_interval

CompareMethod: TypeAlias = Literal[
    "auto",
    "delong",
    "score",
    "bootstrap",
    "hanley-mcneil",
    "permutation",
    "venkatraman",
    "sensitivity",
    "specificity",
]
# What the replicates of a bootstrap make: a standard error with the normal distribution, or quantiles.
PairBootstrap: TypeAlias = Literal["auto", "normal", "t", "percentile"]
METHODS: tuple[CompareMethod, ...] = get_args(CompareMethod)
# Methods that an option belongs to; those not named here go with all.
OWNERS = {
    "margin": ("auto", "delong", "score", "bootstrap", "hanley-mcneil", "sensitivity", "specificity"),
    "contrasts": (
        "auto",
        "delong",
        "bootstrap",
        "hanley-mcneil",
        "permutation",
        "sensitivity",
        "specificity",
    ),
    "fpr": ("bootstrap",),
    "tpr": ("bootstrap",),
    "standardize": ("bootstrap",),
    "at": ("sensitivity", "specificity"),
    "bootstrap": ("bootstrap", "sensitivity", "specificity"),
    "stratify": ("bootstrap", "sensitivity", "specificity"),
}
CONTRASTS = "every contrast"
# A fixed rate of so few cases of its class moves with each of them.
FEWEST_BEYOND, ROUNDING = 2, 1e-9
FEW_BEYOND = (
    "fewer than two {}s lie beyond the fixed rate: of so few the test may reject up to 8 % of true nulls at "
    "5 %, and the interval be too short"
)
# Two areas of the same cases are compared by the score where fewer cases are misranked: DeLong's test rejects
# up to 8 % of true hypotheses there, and its interval holds down to 87 %; from there on both hold.
PAIRED_MISRANKED = 6.0
NO_ROWS = (
    f"a curve has fewer than {PAIRED_MISRANKED:g} misranked cases of the smaller class: in memory, where "
    "their ranks are known, the areas would be compared by the score"
)
NO_MARGIN = "the difference has no variance, so nothing can be said about the margin"


# What the tests at a point compare, for texts.
AT_A_POINT = {
    "sensitivity": "Compared are sensitivities at a fixed specificity (in pROC: method specificity)",
    "specificity": "Compared are specificities at a fixed sensitivity (in pROC: method sensitivity)",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveComparison(Result):
    """Two or more curves, compared.

    Attributes
    ----------
    names, auc, cov
        The curves, the compared values (areas unless `quantity` says otherwise), and their covariance.
    defined
        Where the covariance is defined, elsewhere it is NaN: with one case in a class it is nowhere, and
        Hanley and McNeil's lacks the pairs whose scores have no correlation.
    kind
        "z" for two curves: the difference, first minus second, over its standard error, normal where
        the curves are paired or compared by the score, Student's t with `df` where they are not paired
        (DeLong), of clusters, and of rates by the bootstrap. "chi2" for more curves or for contrasts, of
        rates "T2", Hotelling's T squared. "E" for Venkatraman's test.
    statistic, df, p_value
        The test of `hypothesis`; None where undefined. The p-value is that of the statistic, but where
        `by_percentiles` says that it is that of a percentile interval.
    pairs
        One row per pair of curves: difference, interval, p-value and Holm's adjusted p-value.
    quantity
        What is compared: "AUC", "partial AUC over FPR 0-0.1", "TPR at FPR 0.1" and the like.
    hypothesis
        What the p-value speaks about: values, or whole curves.
    margin
        The largest difference that does not matter, where one was given.
    n_pos, n_neg
        Cases of each class, one number per curve.
    cov_pos
        The part of `cov` that comes from the positive cases, by DeLong; None by methods that do not know it.
    n_resamples
        Bootstrap replicates or exchanges behind the p-values (of the first pair); None without any.
    """

    view: ClassVar[str] = "forest.comparison_picture"
    topic: ClassVar[str] = "comparison"

    names: tuple[str, ...]
    auc: NDArray[np.float64]
    cov: NDArray[np.float64]
    defined: NDArray[np.bool_]
    kind: str
    statistic: float | None
    df: float | None
    p_value: float | None
    pairs: tuple[curve_tests.PairDifference, ...]
    method: str
    paired: bool
    level: float
    alternative: str
    status: Status = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    quantity: str = "AUC"
    hypothesis: str = "the curves have the same AUC"
    margin: float | None = None
    n_resamples: int | None = None
    n_pos: tuple[int, ...] = ()
    n_neg: tuple[int, ...] = ()
    cov_pos: NDArray[np.float64] | None = None

    @property
    def statistic_name(self) -> str:
        """The letter of the statistic: its kind, but "t" for a difference with degrees of freedom."""
        return "t" if self.kind == "z" and self.df is not None else self.kind

    def columns(self) -> dict[str, Any]:
        """Return one row per pair of curves."""
        return row_columns(self.pairs)

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """One row per pair, with the area of either curve and its interval before their difference."""
        places = {name: k for k, name in enumerate(self.names)}
        areas = [self._area_interval(k) for k in range(len(self.names))]
        methods = {name: how for name, (_, _, how) in zip(self.names, areas, strict=True) if how is not None}
        columns, headings = dict[str, Any](), dict[str, str]()
        for name, values in self.columns().items():
            columns[name] = values
            if name == "second":
                for side in ("first", "second"):
                    of = [(self.auc[k], *areas[k][:2]) for k in (places[row[side]] for row in self.pairs)]
                    ends = zip(*of, strict=True)
                    columns |= dict(
                        zip((f"{side}_value", f"{side}_value_low", f"{side}_value_high"), ends, strict=True)
                    )
                    headings[f"{side}_value"] = f"{sentence(self.quantity)} of {side}"
        others = {*methods.values()} - {NAMES.get(self.method, self.method)}
        return columns, headings, [f"Intervals of {self.quantity}: {shared(methods)}."] if others else []

    def _area_interval(self, k: int) -> tuple[float | None, float | None, str | None]:
        """Interval of one value from its variance in the comparison, and its method.

        By the score where the areas are compared by it; by DeLong's covariance it is the interval that `auc`
        chooses. None for clusters: `auc` gives it, with the degrees of freedom of that area; nor has an area
        of 0 or 1 of weighted cases one.
        """
        designed = self.method == "delong" and self.cov_pos is None
        if designed and self.pairs[0].df is not None:
            return None, None, None
        value, variance = float(self.auc[k]), float(self.cov[k, k])
        side: dict[str, Any] = {"level": self.level, "alternative": self.alternative}
        if self.quantity == "AUC" and self.n_pos and not designed:
            m, n = self.n_pos[k], self.n_neg[k]
            by_score = self.cov_pos is not None and interval_method(value, m, n) == "score"
            if by_score or self.method == "score":
                known = variance if variance > 0 else None
                return *score_interval(value, known, m, n, **side), NAMES["score"]
            if value in (0.0, 1.0):
                return *exact_bound(value, min(m, n), **side), "exact bound"
        if not variance > 0:
            return None, None, None
        logit = designed and self.quantity == "AUC"
        how = "logit" if logit else NAMES["delong"] if self.cov_pos is not None else "normal"
        return *area_interval(value, math.sqrt(variance), logit=logit, **side), how

    def _summary(self) -> str:
        how = "paired" if self.paired else "unpaired"
        values = ", ".join(f"{name} {value:.4f}" for name, value in zip(self.names, self.auc, strict=True))
        quantity, plural = ("Areas", "areas") if self.quantity == "AUC" else (self.quantity, self.quantity)
        test = f"Equal {'curves' if self.kind == 'E' else plural}"
        if self.hypothesis.startswith(CONTRASTS):
            test = "Contrasts of 0"
        if self.p_value is None:
            outcome = f"undefined, {self.reason}"
        else:
            df = f", df = {self.df:.4g}" if self.df is not None else ""
            outcome = f"{self.statistic_name} = {self.statistic:.4g}{df}, p = {self.p_value:.4g}"
            outcome += " by percentiles" if self.by_percentiles else ""
        interval = interval_name(self.level, self.alternative)
        if self.method in ("permutation", "venkatraman"):  # these have no interval of their own
            interval += " by DeLong"
        heads = [
            f"{quantity} ({how}, {self.method}): {values}",
            *([AT_A_POINT[self.method]] if self.method in AT_A_POINT else []),
            f"{test}: {outcome}",
            f"Differences ({interval}):",
        ]
        return "\n".join(heads + [f"  {pair.text(self.alternative)}" for pair in self.pairs])

    @property
    def by_percentiles(self) -> bool:
        """Whether `p_value` is that of a percentile interval, not of the statistic."""
        return self.kind == "z" and self.pairs[0].interval == "percentile"


@checks.known_arguments
def compare_auc(
    y_true: Any,
    scores: Any = None,
    *,
    method: CompareMethod = "auto",
    paired: bool = True,
    margin: float | None = None,
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    contrasts: Any = None,
    fpr: Any = None,
    tpr: Any = None,
    standardize: bool = False,
    at: float | None = None,
    n_boot: int = 2000,
    bootstrap: PairBootstrap = "auto",
    stratify: bool = True,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: Sequence[str] | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> CurveComparison:
    """Compare the areas of two or more ROC curves, parts of them, single points or whole curves.

    Parameters
    ----------
    y_true
        Labels of two classes; with `paired=False` a mapping of curve name to labels. Or what holds the scores
        as well: a data frame with `label` and `score`, a `BinaryScores`, or a mapping of curve name to the
        result of `cross_scores` on the same cases; with `paired=False` to anything that `auc` takes alone,
        such as a `RocCurve` each.
    scores
        Two curves or more, in the order of the differences: a mapping of curve name to scores, or a data
        frame.
    method
        How the curves are compared; the result names the method that was used:

        - "auto": "score" where a curve has few misranked cases of the smaller class: fewer than 6 where the
          curves come from the same cases, fewer than 15 where they do not, as in `auc`; "delong" otherwise,
          and for clusters, weights, `contrasts`, and the same cases counted in pieces or on workers, or with
          one case in a class.
        - "delong": areas, by DeLong's covariance.
        - "score": areas, by the variances that they would have if they were equal, or differed by as much as
          each difference in the interval. It holds its level in small samples and beside large ones,
          where DeLong's test rejects too often and its interval is too short.
        - "bootstrap": areas, or partial areas over `fpr` and `tpr`; the difference over the standard
          deviation of its replicates. See `bootstrap` and `stratify`.
        - "hanley-mcneil": areas, by Hanley and McNeil's standard errors and correlation (1982, 1983).
        - "permutation": areas, by exchanging the classifiers. Every exchange is tried if there are no
          more than 4096, else `n_boot` random ones.
        - "venkatraman": **whole curves, not areas**, by exchanging the classifiers: curves that cross
          differ even where their areas are equal.
        - "sensitivity": the TPR at the FPR `at`, by bootstrap.
        - "specificity": the TNR at the TPR `at`, by bootstrap.

        The last two name the rate that is compared; pROC names the one that is fixed, so its "specificity" is
        "sensitivity" here.
    paired
        Whether all curves come from the same cases.
    margin
        Largest difference that does not matter, greater than 0. Each pair then says whether it is
        `equivalent`, at the error rate alpha = 1 - level, with the p-value `p_equivalence`:

        - alternative "two-sided": equivalence by two one-sided tests; -margin < difference < margin.
        - "greater": the first is not inferior, difference > -margin.
        - "less": the second is not inferior, difference < margin.

        `p_value` stays that of the plain difference. For methods that have a standard error.
    level
        Confidence level of the intervals of the differences.
    alternative
        For two curves: "greater" tests whether the first is larger, "less" whether it is smaller.
    contrasts
        Matrix with one column per curve; tests that every row times the values is 0, by chi-square.
    fpr, tpr, standardize
        Ranges of a partial area and its scale, as in `partial_auc`; for the bootstrap.
    at
        The fixed rate of "sensitivity" (an FPR) and "specificity" (a TPR), 0 to 1.
    n_boot
        Number of bootstrap replicates or of random exchanges.
    bootstrap
        How methods with replicates make interval and p-value of a pair, both in the same way:

        - "normal": by the standard deviation of the replicates (the p-value of pROC).
        - "t": the same by Student's t, with 2 (k - 1) degrees of freedom, k being the number of cases in the
          smallest class.
        - "percentile": by quantiles of the replicates, p being 1 minus the level at which the interval
          reaches 0, and no less than 2 / (n_boot + 1).
        - "auto": "t" for "sensitivity" and "specificity", "normal" for areas; `interval` of a pair says it.

        The joint test of more curves rests on the covariance of the replicates with all of them; with "t" it
        is Hotelling's. Where the fixed rate is that of hardly a case, "t" rejects up to 8 % of true nulls at
        5 %, and the result has a warning.
    stratify
        Whether positives and negatives are drawn apart, as in `auc`; for methods with replicates.
    rng, n_jobs, progress
        Seed or generator, number of workers and progress bar, as in `auc`; the same seed gives the same
        numbers for any number of workers.
    sample_weight, weight_kind, groups
        Weights and clusters of the cases, as in `auc`, for methods "delong" and, without survey weights,
        "bootstrap", "sensitivity" and "specificity", which draw whole clusters. The difference of two areas
        of the same clusters takes Student's t, as in `auc`; the joint test of more is by chi-square.
    pos_label, label, score, na, direction
        As in `auc`; `score` lists the columns of the curves.

    Returns
    -------
    CurveComparison
        The joint test, and for each pair the difference with interval, p-value and Holm's adjustment.
        Curves that do not differ at all give a statistic of 0 and p = 1.

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]}
    >>> print(compare_auc(y, scores))
    Areas (paired, score): a 0.9375, b 0.5938
    Equal areas: z = 1.851, p = 0.06418
    Differences (95% interval):
      a - b: +0.3438 (-0.0191 to +0.7429), p = 0.06418
    >>> compare_auc(y, scores, method="venkatraman", rng=1).hypothesis
    'the whole ROC curves are equal; the areas are shown beside this test, not tested'
    """
    checks.check_choice(method, METHODS, name="method")
    checks.check_choice(bootstrap, get_args(PairBootstrap), name="bootstrap")
    checks.check_flag(standardize, name="standardize")
    sampling = resampling.Sampling(
        n_boot=n_boot, rng=rng, stratify=stratify, n_jobs=n_jobs, progress=progress
    )
    options = {"margin": margin, "contrasts": contrasts, "fpr": fpr, "tpr": tpr, "at": at}
    options |= {"standardize": standardize or None, "bootstrap": None if bootstrap == "auto" else bootstrap}
    options |= {"stratify": None if stratify else stratify}
    for name, option in options.items():  # the method would ignore them
        if option is not None and method not in OWNERS[name]:
            owners = f"be left out for method {method!r} (it belongs to {', '.join(map(repr, OWNERS[name]))})"
            raise RocInputError(f"must {owners}, got {checks.show(option)}", argument=name)
    checks.check_flag(paired, name="paired")
    if checks.is_dask_frame(y_true):
        for name, value, only in (("method", method, "delong"), ("paired", paired, True)):
            if value not in (only, "auto"):
                raise RocInputError(f"must be {only!r} for a dask data frame, got {value!r}", argument=name)
        design = {"scores": scores, "contrasts": contrasts, "sample_weight": sample_weight, "groups": groups}
        names: dict[str, Any] = {"label": label, "score": score, "pos_label": pos_label, "na": na}
        found = spread.read_frame(y_true, direction=direction, **names, **design)
        products = found.products()
        many: dict[str, Any] = {"margin": margin, "level": level, "alternative": alternative}
        return compare_sums(
            AreaMatrix.of_products(found.names, *products),
            paired=True,
            n_pos=(products[0].size,) * len(found.names),
            n_neg=(products[1].size,) * len(found.names),
            direction=direction,
            warnings=found.warnings,
            **many,
        )
    curves = curve_tests.read_curves(
        y_true,
        scores,
        paired=paired,
        pos_label=pos_label,
        label=label,
        score=score,
        na=na,
        direction=direction,
        sample_weight=sample_weight,
        weight_kind=weight_kind,
        groups=groups,
        designed=True,
    )
    for sample in curves.samples:
        refuse_design(sample, method, drawn=OWNERS["bootstrap"], others=("auto", "delong"))
    k = len(curves.names)
    level, alternative = checks.check_level(level), checks.check_alternative(alternative)
    joint = k > 2 or contrasts is not None
    if alternative != "two-sided" and (joint or method == "venkatraman"):
        test = "a joint test" if joint else "method 'venkatraman'"
        raise RocInputError(f"must be 'two-sided' for {test}, got {alternative!r}", argument="alternative")
    rows = None
    if joint:  # successive differences, unless there are contrasts
        rows = _steps(k, alternative) if contrasts is None else check_contrasts(contrasts, k)
    ranges = read_ranges(fpr, tpr)
    if margin is not None:
        margin = checks.check_number(margin, name="margin", low=0)
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    sizes = [(sample.n_pos, sample.n_neg) for sample, _ in curves.curves]
    plain = all(sample.is_plain for sample in curves.samples)
    if method == "score" and not plain:
        raise RocInputError("must be another for weighted or clustered cases, got 'score'", argument="method")
    if method in ("auto", "score"):
        tests = curve_tests.delong_test(curves, rows, **side)
        few = curves.smallest_class > 1 or not curves.paired
        few = few and needs_score(tests.matrix.areas, sizes, paired=curves.paired)
        if plain and contrasts is None and (method == "score" or few):
            if curves.paired:
                side["correlations"] = curve_tests.score_correlations(curves.samples[0], tests.matrix)
            method, tests = "score", curve_tests.score_tests(tests.matrix, sizes, margin=margin, **side)
        else:
            method = "delong"
    elif method in ("delong", "permutation", "venkatraman"):
        tests = curve_tests.delong_test(curves, rows, **side)
        if method == "permutation":
            tests = permutation.permutation_test(curves, rows, tests, sampling, alternative=alternative)
        elif method == "venkatraman":
            tests = permutation.venkatraman_test(curves, rows, tests, sampling)
    elif method == "hanley-mcneil":
        tests = curve_tests.hanley_mcneil_test(curves, rows, **side)
    else:
        quantity = curve_tests.compared_quantity(method, at=at, ranges=ranges, standardize=standardize)
        tests = curve_tests.bootstrap_test(
            curves,
            rows,
            quantity,
            interval=bootstrap,
            margin=margin,
            sampling=sampling,
            **side,
        )
        if at is not None:
            column, name = (1, "negative") if method == "sensitivity" else (0, "positive")
            if min(size[column] for size in sizes) * min(at, 1 - at) < FEWEST_BEYOND - ROUNDING:
                tests = replace(tests, warnings=(*tests.warnings, FEW_BEYOND.format(name)))
    return _comparison(
        tests,
        contrasts=contrasts,
        margin=margin,
        method=method,
        paired=curves.paired,
        level=level,
        alternative=alternative,
        warnings=curves.warnings,
        direction=curves.samples[0].direction,
        n_pos=tuple(n_pos for n_pos, _ in sizes),
        n_neg=tuple(n_neg for _, n_neg in sizes),
    )


def needs_score(
    areas: Sequence[float] | NDArray[np.float64], sizes: Sequence[tuple[int, int]], *, paired: bool = False
) -> bool:
    """Whether a sample has too few misranked cases for DeLong's variance: by the rule of `auc`, or if paired.

    Examples
    --------
    >>> needs_score([0.8, 0.9], [(80, 80), (160, 200)]), needs_score([0.8, 0.9], [(80, 80), (140, 200)])
    (False, True)
    >>> [needs_score([0.8, 0.9], [(n, 80)] * 2, paired=True) for n in (80, 50)]
    [False, True]
    """
    few = PAIRED_MISRANKED if paired else MISRANKED
    return any(misranked(a, *size) < few for a, size in zip(areas, sizes, strict=True))


def compare_sums(
    matrix: AreaMatrix,
    *,
    paired: bool,
    n_pos: Sequence[int],
    n_neg: Sequence[int],
    direction: Direction,
    method: Literal["auto", "delong", "score"] = "auto",
    warnings: Sequence[str] = (),
    margin: float | None = None,
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
) -> CurveComparison:
    """Compare areas from sums of placements, which need no rows, as `compare_auc` does by method "auto".

    Examples
    --------
    >>> from rocscope import ScoreTable
    >>> tables = [ScoreTable.from_counts([1, 2], pos=[1, k], neg=[k, 2]) for k in (3, 9)]
    >>> matrix = AreaMatrix.of_sums(["a", "b"], [table.sums() for table in tables])
    >>> result = compare_sums(matrix, paired=False, n_pos=(4, 10), n_neg=(5, 11), direction="higher")
    >>> round(result.pairs[0].difference, 4)
    -0.1841
    """
    k = len(matrix.names)
    level, alternative = checks.check_level(level), checks.check_alternative(alternative)
    rows = _steps(k, alternative) if k > 2 else None
    if margin is not None:
        margin = checks.check_number(margin, name="margin", low=0)
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    sizes = list(zip(n_pos, n_neg, strict=True))
    few = method == "auto" and needs_score(matrix.areas, sizes, paired=paired)
    few = few and not (paired and matrix.smallest_class < 2)
    by_score = method == "score" or (few and not paired)
    if by_score:
        tests = curve_tests.score_tests(matrix, sizes, margin=margin, **side)
    else:
        tests = curve_tests.wald_tests(matrix, rows, welch=not paired, **side)
    return _comparison(
        tests,
        margin=margin,
        method="score" if by_score else "delong",
        paired=paired,
        warnings=(*warnings, *([NO_ROWS] if few and paired else [])),
        direction=direction,
        n_pos=tuple(n_pos),
        n_neg=tuple(n_neg),
        **side,
    )


def _comparison(
    tests: curve_tests.CurveTests,
    *,
    margin: float | None,
    method: str,
    paired: bool,
    level: float,
    alternative: checks.Alternative,
    warnings: Sequence[str],
    direction: Direction,
    n_pos: tuple[int, ...],
    n_neg: tuple[int, ...],
    contrasts: Any = None,
) -> CurveComparison:
    """The result of the tests of one method."""
    hypothesis = tests.hypothesis if contrasts is None else f"{CONTRASTS} of the {tests.quantity} is 0"
    # The pairs with Holm's adjustment, and with a margin whether they are equivalent.
    adjusted = significance.holm([math.nan if test.p_value is None else test.p_value for test in tests.pairs])
    pairs = []
    for pair, p_adjusted in zip(tests.pairs, adjusted.tolist(), strict=True):
        row = replace(pair, p_adjusted=None if math.isnan(p_adjusted) else p_adjusted)
        if margin is not None:
            p = pair.p_equivalence
            p = curve_tests.equivalence_p(pair, margin, alternative) if p is None else p
            equivalent, reason = (
                (None, pair.reason or NO_MARGIN) if p is None else (p < 1 - level, pair.reason)
            )
            row = replace(row, p_equivalence=p, equivalent=equivalent, reason=reason)
        pairs.append(row)
    return CurveComparison(
        names=tests.matrix.names,
        auc=tests.matrix.areas,
        cov=tests.matrix.covariance,
        defined=~np.isnan(tests.matrix.covariance),
        kind=tests.joint.kind,
        statistic=tests.joint.statistic,
        df=tests.joint.df,
        p_value=tests.joint.p_value,
        pairs=tuple(pairs),
        method=method,
        paired=paired,
        level=level,
        alternative=alternative,
        status="ok" if tests.joint.reason is None else "undefined",
        reason=tests.joint.reason,
        warnings=(
            *warnings,
            *tests.warnings,
            *(
                f"{name}: {note}"
                for name, area in zip(tests.matrix.names, tests.matrix.areas.tolist(), strict=True)
                for note in (below_note(area, direction) if tests.quantity == "AUC" else ())
            ),
        ),
        quantity=tests.quantity,
        hypothesis=hypothesis,
        margin=margin,
        n_resamples=tests.n_resamples,
        n_pos=n_pos,
        n_neg=n_neg,
        cov_pos=tests.matrix.covariance_pos,
    )


def _steps(k: int, alternative: checks.Alternative) -> NDArray[np.float64]:
    """Contrasts of a joint test: from each curve to the next."""
    if alternative != "two-sided":
        got = f"got {alternative!r}"
        raise RocInputError(f"must be 'two-sided' for a joint test, {got}", argument="alternative")
    return np.eye(k - 1, k) - np.eye(k - 1, k, 1)


def check_contrasts(contrasts: Any, k: int) -> NDArray[np.float64]:
    """Return contrasts as rows whose largest entry is 1 or -1: their scale must not matter.

    Examples
    --------
    >>> check_contrasts([2, -1, -1], 3).tolist()
    [[1.0, -0.5, -0.5]]
    """
    try:
        rows = np.atleast_2d(np.asarray(contrasts, dtype=np.float64))
    except (TypeError, ValueError):
        rows = np.empty((0, 0))
    if rows.ndim != 2 or rows.shape[1] != k or not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise RocInputError(
            f"must hold finite rows of {k} numbers, none all 0, got {checks.show(contrasts)}",
            argument="contrasts",
        )
    return np.asarray(rows / np.abs(rows).max(axis=1, keepdims=True))
