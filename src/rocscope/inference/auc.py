"""The area under one ROC curve, or under a part of it, with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, resampling, significance, spread
from rocscope.core.curve import RocCurve, curve_of, partial_estimate
from rocscope.core.frames import Missing
from rocscope.core.influence import Design, area_totals, partial_influence
from rocscope.core.partial_area import (
    SAME,
    WHOLE,
    Ranges,
    counted_areas,
    extreme_areas,
    partial_placements,
    placed_area,
    placement_limits,
    read_ranges,
    standardized,
)
from rocscope.core.result import Estimate, Status, TestResult
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores, Columns, WeightKind, read_counts_or_cases, refuse_design
from rocscope.core.table import (
    LARGE,
    PlacementSums,
    ScoreTable,
    below_note,
    exact_dot,
    table_labels,
    table_warnings,
)
from rocscope.errors import RocInputError
from rocscope.inference import variance
from rocscope.inference.variance import ScoreVariance, misranked, partial_score_interval, score_interval

if TYPE_CHECKING:
    from rocscope.atlas.results import Validity

AreaMethod: TypeAlias = Literal[
    "delong", "logit", "score", "auto", "hanley-mcneil", "bamber", "bootstrap", "cortes-mohri", "agarwal"
]
Bootstrap: TypeAlias = Literal["percentile", "bca"]
PartialMethod: TypeAlias = Literal["auto", "score", "logit", "delong", "bootstrap"]
METHODS: tuple[AreaMethod, ...] = get_args(AreaMethod)
PARTIAL_METHODS: tuple[PartialMethod, ...] = get_args(PartialMethod)
# Methods that need no more than the sums of the placements.
FROM_SUMS = ("delong", "logit", "score", "auto", "hanley-mcneil", "agarwal")
# Methods that have an interval where a class has one case.
FROM_MODEL = ("hanley-mcneil", "score")
# DeLong's interval holds its level, by the atlas, where so many cases of the smaller class are misranked.
MISRANKED = 15

Floats: TypeAlias = NDArray[np.float64]
# Deviations of the cases from a statistic, with how many cases have each, class by class.
Deviations: TypeAlias = Sequence[tuple[NDArray[Any], NDArray[Any]]]

UNIT = (0.0, 1.0)
SEPARATED = "the classes are separated: the interval is the exact bound for an area of {:g}"
NO_SPREAD = "no case moves the area, so its variance is 0 and gives no interval"
# A range with fewer cases of the class on its axis.
FEWEST_INSIDE = 5
FEW_INSIDE = "the range holds {:.3g} cases of the class on its axis: of so few the interval may be too short"
FEW_WEIGHTED = "few cases are misranked: the interval of weighted cases may be too short (docs/atlas.md)"
# A smaller class that counts as fewer cases, by what unequal weights leave, may lack some kind of case.
FEWEST_WEIGHTED = 10
UNSEEN = (
    "the smaller class counts as {:.2g} cases by its weights: a kind of case that weighs much may be missing "
    "there, and the interval too short (docs/atlas.md)"
)
# Where the score interval has no estimate of the variance.
MODEL_ALONE = "{}, which shows no variance: the interval is that of exponential scores"
NO_LOGIT = "the area is one of the ends of its scale, which have no logit"
ERRORS_ALONE = "the interval rests on the number of errors alone, and leaves out the observed area"


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaEstimate(Estimate):
    """An area under the curve of two classes with its interval.

    Attributes
    ----------
    n_pos, n_neg
        Cases of each class; None where cases are weighted or belong to clusters, whose number says little.
    n_effective
        Positives and negatives of equal weight that would show as much as the weighted cases; None without
        weights.
    """

    n_pos: int | None = None
    n_neg: int | None = None
    n_effective: tuple[float, float] | None = None

    def test(self, null: float, *, alternative: checks.Alternative = "two-sided") -> TestResult:
        """Test whether the area differs from a number, so that the test agrees with a score interval.

        Parameters
        ----------
        null, alternative
            As in `Estimate.test`. With a score interval z takes the standard error of the area at `null`.

        Returns
        -------
        TestResult
            With method "score", or else "z".

        Examples
        --------
        >>> y, s = [0] * 20 + [1] * 20, [*range(20), *range(7, 27)]
        >>> area = auc(y, s)
        >>> print(area)
        AUC 0.7887 (95% interval 0.6179-0.8912, score)
        >>> print(area.test(0.5))
        AUC = 0.5: statistic 3.2, p = 0.001376 (score, two-sided)
        """
        null = checks.check_number(null, name="null")
        value, sizes = self.value, self.n_effective
        if self.n_pos is not None and self.n_neg is not None:
            sizes = self.n_pos, self.n_neg
        if self.method != "score" or value is None or sizes is None or not 0 < null < 1:
            return Estimate.test(self, null, alternative=alternative)
        checks.check_alternative(alternative)
        spread = ScoreVariance.of(value, None if self.se is None else self.se**2, *sizes)
        z = (value - null) / math.sqrt(spread.at(null))
        p = significance.p_value(z, alternative=alternative)
        name = f"{self.name} = {null:g}"
        return TestResult(name=name, method="score", statistic=z, df=None, p_value=p, alternative=alternative)

    def validity(self) -> Validity:
        """How often intervals of this method held the true area in simulated studies like this one.

        Returns
        -------
        Validity
            From the cells of the atlas with the nearest numbers of cases and the nearest area. Undefined
            where none is near, or the method was not measured.

        Examples
        --------
        >>> y, s = [0] * 20 + [1] * 20, [*range(20), *range(10, 30)]
        >>> auc(y, s, method="delong").validity().n_pos
        20
        """
        from rocscope.atlas.results import area_validity

        return area_validity(self)


@checks.known_arguments
def auc(
    y_true: Any,
    y_score: Any = None,
    *,
    method: AreaMethod = "auto",
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    threshold: float | None = None,
    n_boot: int = 2000,
    bootstrap: Bootstrap = "percentile",
    stratify: bool = True,
    max_points: int | None = None,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> AreaEstimate:
    """Return the area under the empirical ROC curve with its interval.

    The area is P(score of a positive > score of a negative) with ties counted one half, computed in
    integers and rounded once; it is the same for every method.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. Or all in one:
        a data frame with `label` and `score`, a `BinaryScores` or a `ScoreTable` as `read_scores` gives them,
        a `RocCurve`, or the result of `cross_scores`, whose folds are taken together.
    y_score
        Scores, larger for the positive class; never flipped or transformed.
    method
        How the interval is made; the result names the method that was used:

        - "auto": "delong" where at least 15 cases of the smaller class are misranked, that is
          min(A, 1 - A) min(n_pos, n_neg) >= 15, and "score" below, where DeLong's interval is known to be too
          short (see the atlas); of survey weights the numbers of cases are the effective ones; "logit" for
          clusters;
        - "delong": normal, with DeLong's standard error, cut at 0 and 1;
        - "logit": the same on the scale log(A / (1 - A)), which keeps the interval inside (0, 1);
        - "score": all areas that a normal test does not reject, its variance that of Newcombe (2006) at
          each of them, and DeLong's where enough cases are misranked; the one that holds best in small
          studies (see the atlas); with weights for as many cases as they are worth (`n_effective`);
        - "hanley-mcneil": normal, with the variance of exponential scores (1982);
        - "bamber": normal, with Bamber's unbiased variance estimate (1975);
        - "bootstrap": replicates, see `bootstrap` and `stratify`;
        - "cortes-mohri": a bound from the number of errors at `threshold` alone (2004); it assumes all
          rankings with these errors equally likely, and misses the area where they are not;
        - "agarwal": a bound that holds for any scores (2005), hence wide.
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    threshold
        For "cortes-mohri": decisions `score >= threshold` (or <=, by `direction`) are counted as right or
        wrong.
    n_boot, bootstrap, rng
        For "bootstrap": number of replicates; "percentile" or "bca" (bias-corrected and accelerated);
        seed or generator.
    stratify
        For "bootstrap": whether positives and negatives are drawn apart, so that each class keeps its size.
        False draws from all cases together; a replicate that lacks a class has no area and is drawn again
        (pROC leaves it out, which is the same).
    max_points
        For "bootstrap" on large data: replicates of a table thinned to so many thresholds, which are much
        quicker. A warning states the bound of what the thinning may move. None thins nothing.
    n_jobs, progress
        For "bootstrap": number of workers, as in joblib, which does not change the numbers; True for a
        progress bar, False for none, None for one after two seconds where somebody watches.
    sample_weight, weight_kind
        Weight of every case. "survey": the case stands for so many of the population; the area is that of
        the population, its variance follows by linearisation, for methods "delong", "logit" and "score".
        "frequency": the row stands for so many cases,
        as if it were repeated.
    groups
        Cluster of every case, for example the patient where a patient has several lesions. Cases of one
        cluster, of one class or of both, may depend on each other in any way; the variance is Obuchowski's
        (1997), the interval takes Student's t with Satterthwaite's degrees of freedom, at most one less than
        the clusters of either class, and the bootstrap draws whole clusters. Where no cluster has two cases
        the interval is that of independent cases. For methods "delong", "logit" and "bootstrap".
    pos_label
        The label of the positive class, or a list of labels that make it up.
    label, score
        Columns of a data frame in the place of `y_true`.
    na
        "error" refuses missing values, "drop" leaves out the rows that hold one, with a warning.
    direction
        Which scores stand for the positive class: "higher" ones, or "lower" ones; never guessed.

    Returns
    -------
    AreaEstimate
        With `value`, `se`, `low`, `high`, `status`, `reason`, `warnings`, `n_pos` and `n_neg`. Its
        `validity()` says how often such intervals held the true area in simulations. One member in a class
        leaves an interval that needs a variance undefined. At an area of 1 or 0 a variance estimate
        is 0 and useless; the interval is then the exact bound from disjoint pairs,
        P(all right) <= A^min(m, n), but for "score", which needs none.

    Examples
    --------
    >>> y, s = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]
    >>> print(auc(y, s))
    AUC 0.8889 (95% interval 0.3912-0.9888, score)
    >>> print(auc(y, s, method="delong"))
    AUC 0.8889 (95% interval 0.5809-1.0000, delong)
    >>> print(auc(y, s, method="logit", alternative="greater"))
    AUC 0.8889 (95% lower bound 0.3688, logit)
    """
    checks.check_choice(method, METHODS, name="method")
    checks.check_choice(bootstrap, get_args(Bootstrap), name="bootstrap")
    level = checks.check_level(level)
    checks.check_alternative(alternative)
    options: dict[str, Any] = {"n_boot": n_boot, "stratify": stratify, "max_points": max_points}
    options |= {"n_jobs": n_jobs, "progress": progress}
    sampling = None
    if method == "bootstrap":
        sampling = resampling.Sampling(rng=rng, **options)
    else:
        checks.check_draws(**options, nothing_drawn=f"method {method!r}")
    if threshold is not None:
        checks.check_number(threshold, name="threshold", closed=True)
        if method != "cortes-mohri":
            raise RocInputError(
                f"must be given with method 'cortes-mohri' alone, got {method!r}", argument="threshold"
            )
    elif method == "cortes-mohri":
        raise RocInputError("must be given for method 'cortes-mohri', got None", argument="threshold")
    columns: Columns = {"pos_label": pos_label, "label": label, "score": score, "na": na}
    columns |= {"direction": direction, "sample_weight": sample_weight, "groups": groups}
    if checks.is_dask_frame(y_true):
        found = spread.read_frame(y_true, y_score=y_score, **columns).single()
        if method in FROM_SUMS:
            how: dict[str, Any] = {"method": method, "level": level, "alternative": alternative}
            return auc_from_sums(found.sums(), warnings=found.warnings, direction=direction, **how)
        y_true, columns = found.table(), {}
    data = read_counts_or_cases(y_true, y_score, weight_kind=weight_kind, clustered=True, **columns)
    table = data if isinstance(data, ScoreTable) else None
    warnings = table_warnings(data) if isinstance(data, ScoreTable) else data.warnings
    side: dict[str, Any] = {"method": method, "level": level, "alternative": alternative}
    side["warnings"] = warnings
    if isinstance(data, BinaryScores) and not data.is_plain:
        return _designed_auc(data, sampling, bootstrap, **side)
    if isinstance(data, BinaryScores) and (data.weight is not None or method not in FROM_SUMS):
        table = data.table()
    if table is not None and not table.is_counted:
        reason = "cases with fractional weights have no interval by these methods"
        none: dict[str, Any] = {"se": None, "low": None, "high": None, "status": "partial", "reason": reason}
        side["method"] = "delong" if method == "auto" else method
        return AreaEstimate(name="AUC", value=table.auc, **none, **side)
    tied_pairs = exact_dot(table.pos, table.neg) if table is not None and method == "bamber" else None
    errors = None if table is None or threshold is None else table.errors_at(threshold)
    draws: dict[str, Any] = {"table": table, "sampling": sampling, "bootstrap": bootstrap}
    more: dict[str, Any] = {"tied_pairs": tied_pairs, "errors": errors, "direction": data.direction}
    return auc_from_sums(data.sums(), **more, **draws, **side)


def _designed_auc(
    data: BinaryScores,
    sampling: resampling.Sampling | None,
    bootstrap: Bootstrap,
    *,
    method: AreaMethod,
    warnings: tuple[str, ...],
    **side: Any,
) -> AreaEstimate:
    """Area and interval of weighted or clustered cases, by the influences of the cases."""
    if method == "auto" and data.groups is not None:
        method = "logit"
    if method != "auto":
        scored = () if data.groups is not None else ("score",)
        refuse_design(data, method, drawn=("bootstrap",), others=("delong", "logit", *scored))
    value, totals = area_totals(data)
    sizes, warnings = None, warnings + below_note(value, data.direction)
    if data.weight is not None and data.groups is None:
        weight = data.weight.astype(np.float64)
        of_pos, of_neg = weight[data.positive], weight[~data.positive]
        sizes = (
            variance.effective_size(value, of_pos, totals.of_pos[0]),
            variance.effective_size(value, of_neg, totals.of_neg[0]),
        )
        method = interval_method(value, *sizes) if method == "auto" else method
        if method == "score":
            warnings += _unseen(of_pos, of_neg)
    smallest, reason = min(totals.n_clusters[:2]), None
    if smallest < 2 and method != "score":
        reason = variance.FEW if data.groups is None else variance.FEW_CLUSTERS
    elif value in UNIT and data.weight is not None and method != "score":
        return AreaEstimate(
            name="AUC",
            value=value,
            se=0.0,
            low=None,
            high=None,
            method=method,
            status="partial",
            reason="the classes are separated, and weights give no interval there",
            warnings=warnings,
            n_effective=sizes,
            **side,
        )

    def draw() -> tuple[Floats, Deviations]:
        assert sampling is not None
        own = totals.by_cluster()
        replicates = resampling.paired_bootstrap_areas(data, sampling)[:, 0]
        return replicates, [(own * own.size, np.ones(own.size))]

    squared = 0.0 if smallest < 2 else totals.variance()
    few = misranked(value, data.n_pos, data.n_neg) < MISRANKED
    if data.is_survey and few and not reason and method != "score":
        warnings += (FEW_WEIGHTED,)
    return _area_estimate(
        value,
        method=method,
        variance=lambda: squared,
        few=reason,
        flat=NO_SPREAD if smallest > 1 and squared < SAME**2 and value not in UNIT else None,
        smallest=smallest,
        df=totals.degrees_of_freedom(),
        sampling=sampling,
        draw=draw,
        bootstrap=bootstrap,
        warnings=warnings,
        n_effective=sizes,
        **side,
    )


def _unseen(*weights: Floats) -> tuple[str, ...]:
    """A warning where the smaller class counts as few cases by Kish's share of the more unequal class."""
    if all(weight.min() == weight.max() for weight in weights):
        return ()
    left = min(float(weight.sum() ** 2 / np.square(weight).sum()) / weight.size for weight in weights)
    counted = min(weight.size for weight in weights) * left
    return (UNSEEN.format(counted),) if counted < FEWEST_WEIGHTED else ()


def auc_from_sums(
    sums: PlacementSums,
    *,
    method: AreaMethod = "auto",
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    warnings: tuple[str, ...] = (),
    direction: Direction = "higher",
    tied_pairs: int | None = None,
    errors: int | None = None,
    table: ScoreTable | None = None,
    sampling: resampling.Sampling | None = None,
    bootstrap: Bootstrap = "percentile",
) -> AreaEstimate:
    """Area and interval from exact placement sums of any source.

    Some methods need more: "bamber" the number of tied (positive, negative) pairs, "cortes-mohri" the
    number of errors at the threshold, "bootstrap" the table of scores.
    """
    value, m, n = sums.auc, sums.n_pos, sums.n_neg
    if method == "auto":
        method = interval_method(value, m, n)
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    warnings += below_note(value, direction)
    if method in ("cortes-mohri", "agarwal"):
        if method == "agarwal":
            low, high = variance.agarwal_interval(value, m, n, **side)
            low, high = min(low, value), max(high, value)  # roundings must not leave the value out
        elif errors is None:
            raise RocInputError("must be known for method 'cortes-mohri', got None", argument="errors")
        else:
            low, high = variance.cortes_mohri_interval(errors, m, n, **side)
            warnings += () if low <= value <= high else (ERRORS_ALONE,)
        ends: dict[str, Any] = {"low": low, "high": high, "warnings": warnings}
        return AreaEstimate(name="AUC", value=value, se=None, method=method, n_pos=m, n_neg=n, **ends, **side)

    def squared() -> float:
        if method == "hanley-mcneil":
            return variance.hanley_mcneil_variance(value, m, n)
        if method != "bamber":
            return sums.delong_variance()
        if tied_pairs is None:
            raise RocInputError("must be known for method 'bamber', got None", argument="tied_pairs")
        return variance.bamber_variance(sums, tied_pairs=tied_pairs)

    def draw() -> tuple[Floats, Deviations]:
        if table is None or sampling is None:
            raise RocInputError("must be one that needs no scores, got 'bootstrap'", argument="method")
        return resampling.bootstrap_areas(table, sampling), table.placement_deviations()

    few = flat = None
    if min(m, n) < 2 and (method not in FROM_MODEL or (value in UNIT and method != "score")):
        which = "positive" if m < 2 else "negative"
        few = f"the variance needs two cases in each class, the {which} class has one"
    elif min(m, n) > 1 and value not in UNIT and sums.delong_variance() == 0:
        flat = "all scores are equal, so their variance is 0 and gives no interval"
    return _area_estimate(
        value,
        method=method,
        variance=squared,
        few=few,
        flat=flat,
        smallest=min(m, n),
        sampling=sampling,
        draw=draw,
        thinned=table,
        bootstrap=bootstrap,
        warnings=warnings,
        n_pos=m,
        n_neg=n,
        **side,
    )


def _area_estimate(
    value: float,
    *,
    method: AreaMethod,
    variance: Callable[[], float],
    few: str | None,
    flat: str | None,
    smallest: int,
    sampling: resampling.Sampling | None,
    draw: Callable[[], tuple[Floats, Deviations]],
    bootstrap: Bootstrap,
    warnings: tuple[str, ...],
    df: float | None = None,
    thinned: ScoreTable | None = None,
    n_pos: int | None = None,
    n_neg: int | None = None,
    n_effective: tuple[float, float] | None = None,
    **side: Any,
) -> AreaEstimate:
    """Area with the interval of its variance, or of its replicates and the deviations of its cases.

    `few` and `flat` say why there is none: too few cases, or nothing varies. Separated classes have the
    exact bound of the `smallest` class.
    """
    fields: dict[str, Any] = {"se": None, "low": None, "high": None, "reason": few or flat}
    if few is not None:
        pass
    elif value in UNIT and method != "score":
        fields["low"], fields["high"] = exact_bound(value, smallest, **side)
        fields |= {"se": 0.0, "reason": None}
        warnings += (SEPARATED.format(value),)
    elif flat is not None:
        fields["se"] = 0.0
    elif method == "score":
        sizes = n_effective
        if n_pos is not None and n_neg is not None:
            sizes = n_pos, n_neg
        assert sizes is not None  # clusters are refused
        estimated = variance() if smallest > 1 else None
        if smallest == 1 or value in UNIT:
            why = "a class has one case" if smallest == 1 else f"the area is {value:g}"
            warnings += (MODEL_ALONE.format(why),)
        fields["se"] = None if estimated is None else math.sqrt(estimated)
        fields["low"], fields["high"] = score_interval(value, estimated, *sizes, **side)
    elif method == "bootstrap":
        replicates, deviations = draw()
        assert sampling is not None
        warnings += sampling.warnings(thinned, replicates, side["level"])
        if bootstrap == "bca":
            ends = resampling.bca_interval(replicates, value, deviations, bounds=UNIT, **side)
        else:
            ends = resampling.percentile_interval(replicates, value=value, bounds=UNIT, **side)
        fields |= {"se": resampling.standard_error(replicates), "low": float(ends[0]), "high": float(ends[1])}
    else:
        fields["se"] = math.sqrt(variance())
        low, high = area_interval(value, fields["se"], logit=method == "logit", df=df, **side)
        fields |= {"low": low, "high": high}
    if fields["low"] is not None:  # roundings must not leave the value out
        fields |= {"low": min(fields["low"], value), "high": max(fields["high"], value)}
    status: Status = "ok" if fields["reason"] is None else "partial"
    fields |= {"n_pos": n_pos, "n_neg": n_neg, "n_effective": n_effective}
    return AreaEstimate(
        name="AUC", value=value, method=method, status=status, warnings=warnings, **fields, **side
    )


def interval_method(value: float, n_pos: float, n_neg: float) -> Literal["delong", "score"]:
    """The interval that holds its level by the atlas: DeLong's where enough cases are misranked.

    Examples
    --------
    >>> interval_method(0.8, 100, 100), interval_method(0.9, 100, 100)
    ('delong', 'score')
    """
    return "delong" if misranked(value, n_pos, n_neg) >= MISRANKED else "score"


def area_interval(
    value: float,
    se: float,
    *,
    level: float,
    alternative: checks.Alternative,
    logit: bool = False,
    df: float | None = None,
) -> tuple[float, float]:
    """Ends of the normal interval of an area, or with `df` of Student's, cut at 0 and 1.

    With `logit` it is made on the scale log(A / (1 - A)), where the standard error is se / (A (1 - A)).

    Examples
    --------
    >>> low, high = area_interval(0.9, 0.03, level=0.95, alternative="two-sided", logit=True)
    >>> round(low, 4), round(high, 4)
    (0.824, 0.9453)
    """
    side: dict[str, Any] = {"level": level, "alternative": alternative, "df": df}
    if not logit:
        return significance.interval(value, se, bounds=UNIT, **side)
    middle, se = float(special.logit(value)), se / (value * (1 - value))
    low, high = significance.interval(middle, se, **side)
    return float(special.expit(low)), float(special.expit(high))


def exact_bound(
    value: float, smallest: int, *, level: float, alternative: checks.Alternative
) -> tuple[float, float]:
    """Interval for an observed area of exactly 0 or 1, the smallest class having so many cases.

    Disjoint groups with one case of each class are independent: there are as many as the smallest class
    has cases. A group is right in all its comparisons with at most the probability of the least certain
    one, which is at most the average area A (of two classes: the area). So an area of 1 has at most
    probability A^smallest; the smallest A that leaves it alpha (or alpha / 2) is the bound.

    Examples
    --------
    >>> low, high = exact_bound(1.0, 20, level=0.95, alternative="greater")
    >>> round(low, 4), high
    (0.8609, 1.0)
    """
    alpha = 1 - level if alternative != "two-sided" else (1 - level) / 2
    bound = alpha ** (1 / smallest)
    if value:
        return (0.0 if alternative == "less" else bound), 1.0
    return 0.0, (1.0 if alternative == "greater" else 1 - bound)


# ---- The area under a part of the curve -------------------------------------------------------------------


@checks.known_arguments
def partial_auc(
    y_true: Any,
    y_score: Any = None,
    *,
    fpr: Any = None,
    tpr: Any = None,
    standardize: bool = False,
    method: PartialMethod = "auto",
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    n_boot: int = 2000,
    stratify: bool = True,
    max_points: int | None = None,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> Estimate:
    """Return the area under a part of the ROC curve with its interval.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na, direction
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
    method
        How the interval is made; the result names the method that was used:

        - "auto": "score" over a range of one rate; "logit" inside both, and for clusters and weights;
        - "score": all areas that a normal test does not reject, its variance that of curves TPR = FPR^t at
          each of them, and that of the placements where enough cases support it; without any draw, so also of
          millions of cases; the one that holds best in small studies;
        - "logit": from the variance of the placements inside the range, on the scale log(p / (1 - p)), p the
          share of the largest possible area;
        - "delong": normal, from the same variance; over the whole curve it is DeLong's;
        - "bootstrap": the percentile interval of bootstrap curves.
    level, alternative
        Confidence level and side of the interval.
    n_boot, stratify, max_points, rng, n_jobs, progress
        The bootstrap, as in `auc`; the same seed gives the same interval for any number of workers.
    sample_weight, weight_kind, groups
        Weights and clusters of the cases, as in `auc`, for methods "logit", "delong" and, without survey
        weights, "bootstrap".

    Returns
    -------
    Estimate
        `se` is the root of the variance of the placements, or the standard deviation of the replicates. A
        range that holds fewer than five cases of the class on its axis has a warning: there every interval
        falls short of its level with scores of heavy tails (docs/methods.md).

    Notes
    -----
    A case more moves the curve from its own score on: a positive up, a negative to the right. How far that
    moves the partial area is its placement, counted over the part of the curve inside the range alone; the
    variance is that of the placements of the positives, divided by their number, plus that of the negatives.
    It is the limit of the variances that [1]_ and [2]_ write down for a range of FPR, and holds for ties and
    for ranges of TPR and of both as well.

    References
    ----------
    .. [1] D. D. Zhang, X.-H. Zhou, D. H. Freeman, J. L. Freeman, "A non-parametric method for the comparison
       of partial areas under ROC curves and its application to large health care data sets", Statistics in
       Medicine 21, 2002.
    .. [2] Y. He, M. Escobar, "Nonparametric statistical inference method for partial areas under receiver
       operating characteristic curves, with application to genomic studies", Statistics in Medicine 27, 2008.

    Examples
    --------
    >>> y, s = [0] * 20 + [1] * 20, [*range(20), *range(12, 32)]
    >>> print(partial_auc(y, s, fpr=(0, 0.5)))
    partial AUC over FPR 0-0.5 0.4200 (95% interval 0.3083-0.4687, score)
    >>> print(partial_auc(y, s, fpr=(0, 0.5), method="delong"))
    partial AUC over FPR 0-0.5 0.4200 (95% interval 0.3425-0.4975, delong)
    """
    checks.check_choice(method, PARTIAL_METHODS, name="method")
    level = checks.check_level(level)
    checks.check_alternative(alternative)
    options: dict[str, Any] = {"n_boot": n_boot, "stratify": stratify, "max_points": max_points}
    options |= {"n_jobs": n_jobs, "progress": progress}
    checks.check_draws(**options, nothing_drawn=None if method == "bootstrap" else f"method {method!r}")
    checks.check_flag(standardize, name="standardize")
    ranges = read_ranges(fpr, tpr)
    if method == "score" and None not in ranges:
        raise RocInputError("must be another one inside ranges of both rates, got 'score'", argument="method")
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    columns: Columns = {"pos_label": pos_label, "label": label, "score": score, "na": na}
    columns |= {"direction": direction, "sample_weight": sample_weight, "groups": groups}
    if checks.is_dask_frame(y_true):
        if method == "bootstrap":
            raise RocInputError(
                "must draw nothing for a dask data frame, whose rows are not drawn again, got 'bootstrap'",
                argument="method",
            )
        table = spread.read_frame(y_true, y_score=y_score, **columns).single().table()
        return replace(_placed_estimate(table, ranges, standardize, method, **side), **side)
    data = BinaryScores.from_arrays(
        y_true, y_score, weight_kind=weight_kind, clustered=True, **columns
    ).single()
    if method == "auto" and not data.is_plain:
        method = "logit"
    refuse_design(data, method, drawn=("bootstrap",), others=("logit", "delong"))
    data = data if data.is_survey else data.counted(clustered=True)
    if method != "bootstrap":
        return replace(_placed_estimate(data, ranges, standardize, method, **side), **side)
    sampling = resampling.Sampling(rng=rng, **options)
    part = curve_of(data).partial_auc(fpr=ranges[0], tpr=ranges[1], standardize=standardize)
    part = replace(part, method=method, reason=resampling.FEW, **side)
    if min(data.n_pos, data.n_neg) < 2:
        return part
    replicates = resampling.bootstrap_curves(
        data, partial(counted_areas, ranges=ranges, standardize=standardize), sampling
    )
    notes = part.warnings + sampling.warnings(data.table() if max_points else None, replicates, level)
    if np.ptp(replicates) < SAME:
        return replace(part, se=0.0, reason=resampling.AGREE, warnings=notes)
    low, high = resampling.percentile_interval(
        replicates, bounds=extreme_areas(ranges, standardize), value=part.value, **side
    )
    return replace(
        part,
        se=resampling.standard_error(replicates),
        low=float(low),
        high=float(high),
        status="ok",
        reason=None,
        warnings=notes,
    )


def _placed_estimate(
    data: BinaryScores | ScoreTable,
    ranges: Ranges,
    standardize: bool,
    method: PartialMethod,
    *,
    level: float,
    alternative: checks.Alternative,
) -> Estimate:
    """Partial area with an interval from the variance of its placements."""
    if method == "auto":
        method = "score" if None in ranges else "logit"
    m, n = data.n_pos, data.n_neg
    limits = placement_limits(ranges, m, n)
    cases = data if isinstance(data, BinaryScores) else None
    moments, df = None, None
    if m + n >= LARGE and None in ranges and (cases is None or (cases.is_plain and cases.weight is None)):
        from rocscope.core import kernels

        if isinstance(data, ScoreTable):
            moments = kernels.partial_placements(data.pos, data.neg, limits, counted=True)
        else:
            pos, neg = data.by_class()
            pos.sort()
            neg.sort()
            moments = kernels.partial_placements(pos, neg, limits)
        area = placed_area(moments, ranges, m, n)
        area = float(standardized(area, ranges)) if standardize else area
        notes = table_warnings(data) if isinstance(data, ScoreTable) else data.warnings
        part = partial_estimate(area, ranges, standardize=standardize, warnings=notes)
    else:
        if isinstance(data, ScoreTable):
            curve = RocCurve.from_table(data, **table_labels(data))
        else:
            curve = curve_of(data)
        part = curve.partial_auc(fpr=ranges[0], tpr=ranges[1], standardize=standardize)
        if cases is None or cases.is_plain:
            table = data if isinstance(data, ScoreTable) else data.table()
            moments = partial_placements(table.pos, table.neg, limits)
    clustered = cases is not None and cases.groups is not None
    part = replace(part, method=method, reason=variance.FEW_CLUSTERS if clustered else variance.FEW)
    if min((m, n) if cases is None else Design.of(cases).n_clusters[:2]) < 2:
        return part
    if moments is not None:
        _, of_pos, _, of_neg = moments
        se = math.sqrt(of_pos / (m * (m - 1)) / n**2 + of_neg / (n * (n - 1)) / m**2)
    else:
        assert cases is not None  # a table has moments
        totals = Design.of(cases).totals(partial_influence(cases, ranges)[None])
        se, df = math.sqrt(totals.variance()), totals.degrees_of_freedom()
    if standardize:
        se *= float(standardized(1.0, ranges) - standardized(0.0, ranges))
    worst, best = extreme_areas(ranges, standardize)
    whole, share = best - worst, (float(part) - worst) / (best - worst)
    extreme = share < SAME or share > 1 - SAME
    if se < SAME and not (extreme and method == "score"):
        return replace(part, se=0.0, reason=NO_SPREAD)
    if extreme and method == "logit":
        return replace(part, se=se, reason=NO_LOGIT)
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    notes = part.warnings
    if method == "score":
        # Of a range of TPR the classes change places.
        across, sizes = ranges[0] or WHOLE, (m, n)
        if ranges[1] is not None:
            across, sizes = (1 - ranges[1][1], 1 - ranges[1][0]), (n, m)
        width = across[1] - across[0]
        area = width * (round(share) if extreme else share)
        ends = partial_score_interval(area, (se / whole * width) ** 2, across, *sizes, **side)
        low, high = (worst + whole * end / width for end in ends)
        notes += (MODEL_ALONE.format(f"the area is {float(part):.4g}"),) if extreme else ()
    elif method == "logit":
        low, high = (
            worst + whole * end for end in area_interval(share, se / whole, logit=True, df=df, **side)
        )
    else:
        low, high = significance.interval(float(part), se, df=df, bounds=(worst, best), **side)
    of_axes = zip(ranges, (n, m), strict=True)
    inside = min(((r[1] - r[0]) * size for r, size in of_axes if r is not None), default=math.inf)
    if inside < FEWEST_INSIDE:
        notes += (FEW_INSIDE.format(inside),)
    low, high = min(low, float(part)), max(high, float(part))
    return replace(part, se=se, low=low, high=high, status="ok", reason=None, warnings=notes)
