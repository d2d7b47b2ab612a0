"""The parts of a multi-class area: one row per pair of classes, or one per class against the rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

from rocscope.area.auc import auc_from_sums
from rocscope.area.intervals import SEPARATED, UNIT, exact_bound, logit_interval
from rocscope.area.multiclass.sums import PairSums, Survey
from rocscope.core import wald
from rocscope.core.checks import Alternative, show
from rocscope.core.result import Estimate

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
        return wald.interval(value, se, level=level, alternative=alternative, bounds=UNIT)
    return logit_interval(value, se, level=level, alternative=alternative)


def few_words(classes: Mapping[Any, int]) -> str:
    """Say which classes have too few members; nothing if none has."""
    counts = {0: "no member", 1: "one member, not two"}
    return ", ".join(f"class {show(name)} has {counts[n]}" for name, n in classes.items() if n < FEWEST)
