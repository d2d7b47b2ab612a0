"""The parts of a multi-class area: one row per pair of classes, or one per class against the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, ClassVar, TypeAlias

import numpy as np

from rocscope.core import checks, significance
from rocscope.core.checks import Alternative, show
from rocscope.core.resampling import Rng
from rocscope.core.result import Estimate
from rocscope.core.scores import ClassScores
from rocscope.errors import ResourceError
from rocscope.inference._multiclass_sums import (
    ClassSplit,
    Floats,
    Influence,
    PairSums,
    Survey,
    bootstrap_multiclass,
    survey_pairs,
)
from rocscope.inference.auc import SEPARATED, UNIT, auc_from_sums, exact_bound, logit_interval
from rocscope.inference.resampling import check_n_boot, percentile_interval

Interval: TypeAlias = tuple[float, float]
# Members that a class needs for an area with its variance.
FEWEST = 2
# A standard error below this is what rounding leaves of 0; the least real one, 1 / (2 n^2), is larger.
ROUNDING = 1e-15


@dataclass(frozen=True, slots=True, kw_only=True)
class PairArea(Estimate):
    """Mean of A(first|second) and A(second|first), with its interval.

    Attributes
    ----------
    first, second, n_first, n_second
        The two classes and their cases.
    by_first, by_second
        A(first|second), the area in the score column of the first class, where its cases should score
        higher, and A(second|first), the area in the column of the second class. None where undefined.
    """

    first: Any
    second: Any
    n_first: int
    n_second: int
    by_first: float | None
    by_second: float | None

    @property
    def label(self) -> str:
        """Name of the row."""
        return f"{self.first} - {self.second}"

    @property
    def n_cases(self) -> int:
        """Cases of both classes, by which a weighted average counts the row."""
        return self.n_first + self.n_second

    def _summary(self) -> str:
        return f"{self.label}: {Estimate._summary(self)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassArea(Estimate):
    """Area of one class against the rest in its own score column, with its interval.

    Attributes
    ----------
    positive
        The class; all others together are the negatives.
    n_pos, n_neg
        Its cases, and those of the rest.
    """

    positive: Any
    n_pos: int
    n_neg: int

    @property
    def label(self) -> str:
        """Name of the row."""
        return f"{self.positive} - rest"

    @property
    def n_cases(self) -> int:
        """Cases of the class, by which a weighted average counts the row."""
        return self.n_pos

    def _summary(self) -> str:
        return f"{self.label}: {Estimate._summary(self)}"


Rows: TypeAlias = tuple[PairArea, ...] | tuple[ClassArea, ...]


def pair_rows(survey: Survey, sizes: Mapping[Any, int], codes: Mapping[Any, int], **how: Any) -> Rows:
    """One row per pair of classes; `codes` says where a class stands in the survey."""

    def row(first: Any, second: Any) -> PairArea:
        few = few_words({name: sizes[name] for name in (first, second)})
        if not all(_has_area(name, sizes, codes) for name in (first, second)):
            numbers = undefined(few, **how) | {"by_first": None, "by_second": None}
        else:
            numbers = _pair_numbers(survey.pairs[codes[first], codes[second]], few, **how)
        return PairArea(first=first, second=second, n_first=sizes[first], n_second=sizes[second], **numbers)

    return tuple(row(first, second) for first, second in combinations(sizes, 2))


def _has_area(name: Any, sizes: Mapping[Any, int], codes: Mapping[Any, int]) -> bool:
    """Whether a class has a case, and was not left out."""
    return sizes[name] > 0 and name in codes


def _pair_numbers(sums: PairSums, few: str, *, method: str, **ask: Any) -> dict[str, Any]:
    by_each = {"by_first": sums.by_first, "by_second": sums.by_second}
    if few:
        return without_interval(sums.mean, few, method=method, **ask) | by_each
    value, se = sums.mean, math.sqrt(sums.variance())
    found = finish(
        value,
        se,
        lambda: wald_interval(method, value, se, **ask),
        smallest=min(sums.n_first, sums.n_second),
        method=method,
        **ask,
    )
    return found | by_each


def class_rows(survey: Survey, sizes: Mapping[Any, int], codes: Mapping[Any, int], **how: Any) -> Rows:
    """One row per class; the area against the rest is a two-class area."""
    n_kept = sum(sizes[name] for name in codes)

    def row(positive: Any) -> ClassArea:
        own = sizes[positive]
        n_rest = n_kept - own if positive in codes else n_kept
        few = few_words({positive: own})
        if not _has_area(positive, sizes, codes) or n_rest == 0:
            numbers = undefined(few or "there is no case of another class", **how)
        else:
            numbers = dict(auc_from_sums(survey.rest.sums(codes[positive]), **how))
            numbers["reason"] = few or numbers["reason"]
        return ClassArea(positive=positive, n_pos=own, n_neg=n_rest, **numbers)

    return tuple(map(row, sizes))


def undefined(reason: str, *, method: str, level: float, alternative: Alternative) -> dict[str, Any]:
    """Fields of an estimate that has no value."""
    return {
        "name": "AUC",
        "value": None,
        "se": None,
        "low": None,
        "high": None,
        "level": level,
        "method": method,
        "alternative": alternative,
        "status": "undefined",
        "reason": reason,
    }


def without_interval(value: float, reason: str, **how: Any) -> dict[str, Any]:
    """Fields of an estimate that has a value alone."""
    return undefined(reason, **how) | {"value": value, "status": "partial", "warnings": _below_chance(value)}


def _below_chance(value: float) -> tuple[str, ...]:
    return ("the area is below 0.5: the scores rank the wrong class higher",) if value < 0.5 else ()


def finish(
    value: float,
    se: float,
    interval: Callable[[], Interval],
    *,
    smallest: int,
    method: str,
    level: float,
    alternative: Alternative,
) -> dict[str, Any]:
    """Fields of an estimate; `interval` is called only where the variance says something.

    At an area of 0 or 1 the interval is the exact bound instead, at any other area without variance there
    is none.
    """
    fields = {"name": "AUC", "value": value, "se": se}
    fields |= {"level": level, "method": method, "alternative": alternative}
    notes = _below_chance(value)
    if value in (0.0, 1.0):
        low, high = exact_bound(value, smallest, level=level, alternative=alternative)
        notes += (SEPARATED.format(value),)
    elif se <= ROUNDING:
        reason = "all cases of a class are placed alike, so the variance is 0 and gives no interval"
        none = {"se": 0.0, "low": None, "high": None, "status": "partial", "reason": reason}
        return fields | none | {"warnings": notes}
    else:
        low, high = interval()
        low, high = min(low, value), max(high, value)  # as replicates of few cases would not have it
    return fields | {"low": low, "high": high, "warnings": notes}


def wald_interval(method: str, value: float, se: float, level: float, alternative: Alternative) -> Interval:
    """Normal interval: "delong" on the scale of the area, cut at 0 and 1, "logit" on log(A / (1 - A))."""
    if method == "delong":
        return significance.interval(value, se, level=level, alternative=alternative, bounds=UNIT)
    return logit_interval(value, se, level=level, alternative=alternative)


def few_words(classes: Mapping[Any, int]) -> str:
    """Say which classes have too few members; nothing if none has."""
    counts = {0: "no member", 1: "one member, not two"}
    return ", ".join(f"class {show(name)} has {counts[n]}" for name, n in classes.items() if n < FEWEST)


# -----------------------------------------------------------------------------------------------------------
# Areas for more than two classes: Hand and Till's mean over pairs, and each class against the rest
# With A(i|j) the share of pairs (case of class i, case of class j) in which the score of class i is
# larger for
# the case of class i, ties counted one half, and C classes [1]_:
#     M = 2 / (C (C - 1)) sum_{i<j} (A(i|j) + A(j|i)) / 2.
# Every average made here is a sum of shares[i, j] A(i|j) with fixed shares, a statistic of C independent
# samples that is linear in the distribution of each: DeLong's variance carries over (`Influence`).
# References
# ----------
# .. [1] Hand, Till: A simple generalisation of the area under the ROC curve for multiple class classification
#    problems, Machine Learning 45, 2001.

# More rows than anyone reads: 500,000 take half a gigabyte, and 10,000 classes would have 50 million.
MOST_PAIRS = 500_000
MOST_CLASSES = 10_000
ROWS = {"ovo": pair_rows, "ovr": class_rows}
CHOICES = {
    "scheme": tuple(ROWS),
    "average": ("macro", "weighted"),
    "method": ("delong", "logit", "bootstrap"),
    "missing": ("undefined", "drop"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class MulticlassAuc(Estimate):
    """An average area over the pairs of classes or over the classes, with its parts.

    Attributes
    ----------
    scheme, average
        As asked for.
    rows
        One `PairArea` per pair of classes ("ovo"), or one `ClassArea` per class ("ovr").
    n_undefined
        Rows without a value.
    """

    view: ClassVar[str] = "forest.multiclass_picture"
    topic: ClassVar[str] = "classes"

    scheme: str
    average: str
    rows: Rows
    n_undefined: int

    def columns(self) -> dict[str, Any]:
        """Return one row per pair or class."""
        return {name: [row[name] for row in self.rows] for name in self.rows[0].keys()}  # noqa: SIM118

    def _summary(self) -> str:
        told = Estimate._summary(self)
        if self.value is not None:
            n = len(self.rows) - self.n_undefined
            kind = "pairs of classes" if self.scheme == "ovo" else "classes against the rest"
            told += f", {self.average} average over {n} of {len(self.rows)} {kind}"
        return "\n".join([told, *(f"  {row.summary()}" for row in self.rows)])


def multiclass_auc(
    y_true: Any,
    y_score: Any,
    *,
    classes: Sequence[Any],
    scheme: str = "ovo",
    average: str = "macro",
    method: str = "delong",
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    missing: str = "undefined",
    n_boot: int = 1000,
    rng: Rng = None,
) -> MulticlassAuc:
    """Return the average area of a classifier of several classes, with its interval and its parts.

    Parameters
    ----------
    y_true
        Label of each case.
    y_score
        Matrix with one column of non-negative scores per class; rows need not sum to one.
    classes
        The class of each column, in order.
    scheme
        "ovo": pairs of classes (at most 500,000, of 1,000 classes), each the mean of A(i|j) and A(j|i);
        with the macro average Hand and Till's M, which does not depend on how frequent the classes are.
        "ovr": each class against all others together, which does.
    average
        "macro": all rows count the same. "weighted": by the number of cases, of the two classes of the
        pair or of the class.
    method
        "delong": area plus and minus normal quantiles of the standard error, which comes from each case's
        contribution to the average. "logit": the same on the scale log(A / (1 - A)); better where few
        cases are ranked wrongly. "bootstrap": percentiles of the average, the cases drawn class by class;
        the rows then have the interval of "delong".
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    missing
        What becomes of classes with no member or only one. "undefined": without a member the rows of the
        class and the average are undefined, with one they have a value and no interval. "drop": such
        classes are left out of the average, with their columns and their cases, and their rows are
        undefined.
    n_boot, rng
        Number of bootstrap replicates and their source of chance.

    Returns
    -------
    MulticlassAuc
        An `Estimate` with `scheme`, `average`, `rows` and `n_undefined`. Where all classes are separated
        the interval is an exact bound, as that of `auc`.

    Notes
    -----
    The intervals of the average take the size of each class as given. For Hand and Till's M this is no
    restriction. The other averages depend on how frequent the classes are: their intervals are for classes
    as frequent as in the data, and too short if the frequencies themselves are to be estimated. The rows
    of "ovr" are the areas of `auc`, whose interval takes the classes in the rest as drawn at random.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "b", "c", "c"]
    >>> p = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]
    >>> print(multiclass_auc(y, p, classes=["a", "b", "c"]))
    AUC 0.9444 (95% interval 0.7905-1.0000, delong), macro average over 3 of 3 pairs of classes
      a - b: AUC 0.8333 (95% interval 0.3714-1.0000, delong)
      a - c: AUC 1.0000 (95% interval 0.1581-1.0000, delong)
      b - c: AUC 1.0000 (95% interval 0.1581-1.0000, delong)
    note: a - c, b - c: the classes are separated: the interval is the exact bound for an area of 1
    """
    _check_choices(scheme=scheme, average=average, method=method, missing=missing)
    checks.check_level(level)
    checks.check_alternative(alternative)
    check_n_boot(n_boot)
    _check_size(classes, scheme)
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    counts = np.bincount(data.codes, minlength=len(data.classes)).tolist()
    sizes = dict(zip(data.classes, counts, strict=True))
    kept = [code for code, n in enumerate(counts) if missing == "undefined" or n >= FEWEST]
    split = ClassSplit.of(data, kept)
    survey = survey_pairs(split, average_shares(scheme, average, split.sizes), of_pairs=scheme == "ovo")
    codes = {data.classes[code]: place for place, code in enumerate(kept)}
    rows = ROWS[scheme](
        survey,
        sizes,
        codes,
        method="delong" if method == "bootstrap" else method,
        level=level,
        alternative=alternative,
    )
    how = Averaging(average, method, level, alternative, n_boot, rng)
    return MulticlassAuc(
        scheme=scheme,
        average=average,
        rows=rows,
        n_undefined=sum(row.value is None for row in rows),
        **average_rows(rows, sizes, split, survey.influence, how),
    )


def _check_size(classes: Any, scheme: str) -> None:
    """Refuse, before any work, more classes than can be placed or written out."""
    n = len(classes) if isinstance(classes, Sized) else 0
    if n > MOST_CLASSES:
        raise ResourceError(f"multiclass_auc takes at most {MOST_CLASSES:,} classes, got {n:,}")
    pairs = n * (n - 1) // 2
    if scheme == "ovo" and pairs > MOST_PAIRS:
        raise ResourceError(
            f"scheme 'ovo' has a row for each pair of classes, at most {MOST_PAIRS:,} pairs, got {pairs:,} "
            f"of {n:,} classes: scheme='ovr' has one row per class"
        )


def _check_choices(**given: Any) -> None:
    for name, value in given.items():
        checks.check_choice(value, CHOICES[name], name=name)


# ---- The average of the rows: its shares, its interval, and why it may have none --------------------------

DROP = "missing='drop'"


@dataclass(frozen=True, slots=True)
class Averaging:
    """How the rows are averaged and the interval is made."""

    average: str
    method: str
    level: float
    alternative: Alternative
    n_boot: int
    rng: Rng


def average_shares(scheme: str, average: str, sizes: Sequence[int]) -> Floats | None:
    """Part of the average that A(i|j) makes up, (classes, classes): 0 on the diagonal, 1 in all.

    None where the average is undefined: a class has no members, or there is but one.
    """
    if len(sizes) < 2 or min(sizes) == 0:
        return None
    n = np.array(sizes, dtype=np.float64)
    of_class = n if average == "weighted" else np.ones(n.size)
    if scheme == "ovo":
        shares = of_class[:, None] + of_class
    else:
        # The area against the rest is the mean of A(i|j) by the number of cases of each j.
        shares = of_class[:, None] * n / (n.sum() - n)[:, None]
    shares[np.diag_indices(n.size)] = 0.0
    return np.asarray(shares / shares.sum())


def average_rows(
    rows: Rows, sizes: Mapping[Any, int], split: ClassSplit, influence: Influence | None, how: Averaging
) -> dict[str, Any]:
    """Fields of the average, undefined where `influence` is."""
    ask: dict[str, Any] = {"method": how.method, "level": how.level, "alternative": how.alternative}
    if influence is None:
        return undefined(_undefined_words(rows, sizes), **ask)
    value = _mean(rows, how.average)
    if min(split.sizes) < FEWEST:
        return without_interval(value, _few_words(sizes), **ask)
    if how.method == "bootstrap":
        replicates = bootstrap_multiclass(split, influence.shares, n_boot=how.n_boot, rng=how.rng)
        se, interval = float(replicates.std(ddof=1)), partial(_percentiles, replicates, how)
    else:
        se = math.sqrt(influence.variance())
        interval = partial(wald_interval, how.method, value, se, how.level, how.alternative)
    fields = finish(value, se, interval, smallest=min(split.sizes), **ask)
    return fields | {"warnings": fields["warnings"] + _dropped_words(rows, sizes)}


def _mean(rows: Rows, average: str) -> float:
    """Average of the rows that have a value; rows of exactly 1 average to exactly 1."""
    found = [(row.n_cases if average == "weighted" else 1, row.value) for row in rows]
    defined = [(weight, value) for weight, value in found if value is not None]
    return math.fsum(weight * value for weight, value in defined) / sum(weight for weight, _ in defined)


def _percentiles(replicates: Floats, how: Averaging) -> Interval:
    low, high = percentile_interval(
        replicates, level=how.level, alternative=how.alternative, bounds=(0.0, 1.0)
    )
    return float(low), float(high)


def _few_words(sizes: Mapping[Any, int]) -> str:
    others = sum(n >= FEWEST for n in sizes.values())
    hint = f"; {DROP} leaves such classes out" if others > 1 else ""
    return f"the variance needs two cases in each class, {few_words(sizes)}{hint}"


def _undefined_words(rows: Rows, sizes: Mapping[Any, int]) -> str:
    if sum(n >= FEWEST for n in sizes.values()) < 2:
        return f"fewer than two classes have two members: {few_words(sizes)}"
    return f"{_how_many(rows)} undefined: {few_words(sizes)}; {DROP} leaves them out"


def _dropped_words(rows: Rows, sizes: Mapping[Any, int]) -> tuple[str, ...]:
    few = few_words(sizes)
    return (f"{_how_many(rows)} left out: {few}",) if few else ()


def _how_many(rows: Rows) -> str:
    n = sum(row.value is None for row in rows)
    kind = "pairs of classes" if isinstance(rows[0], PairArea) else "classes"
    return f"{n} of {len(rows)} {kind} {'is' if n == 1 else 'are'}"
