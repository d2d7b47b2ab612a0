"""The parts of a multi-class area: one row per pair of classes, or one per class against the rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from rocscope.area.auc import auc_from_sums, delong_interval
from rocscope.area.multiclass_placements import PairSums
from rocscope.core.checks import Alternative, show
from rocscope.core.result import Estimate
from rocscope.core.table import PlacementSums

Interval: TypeAlias = tuple[float, float]
# Members that a class needs for an area with its variance.
FEWEST = 2
# A standard error below this is what rounding leaves of 0; the least real one, 1 / (2 n^2), is larger.
ROUNDING = 1e-15


@dataclass(frozen=True, slots=True, kw_only=True)
class PairArea(Estimate):
    """Mean of A(first|second) and A(second|first), with DeLong's interval.

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

    def __str__(self) -> str:
        return f"{self.label}: {Estimate.__str__(self)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassArea(Estimate):
    """Area of one class against the rest in its own score column, with DeLong's interval.

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

    def __str__(self) -> str:
        return f"{self.label}: {Estimate.__str__(self)}"


def pair_row(first: Any, second: Any, sums: PairSums, *, level: float, alternative: Alternative) -> PairArea:
    """Row of one pair of classes, both with two members or more."""
    m, n = sums.n_first, sums.n_second
    found = finish(
        sums.mean,
        math.sqrt(sums.variance()),
        smallest=min(m, n),
        level=level,
        alternative=alternative,
        ends=delong_interval,
    )
    return PairArea(
        first=first,
        second=second,
        n_first=m,
        n_second=n,
        by_first=sums.by_first,
        by_second=sums.by_second,
        method="delong",
        **found,
    )


def class_row(positive: Any, sums: PlacementSums, *, level: float, alternative: Alternative) -> ClassArea:
    """Row of one class against the rest: the two-class area of the two."""
    area = auc_from_sums(sums, method="delong", level=level, alternative=alternative)
    return ClassArea(positive=positive, n_pos=sums.n_pos, n_neg=sums.n_neg, **area)


def undefined(reason: str, *, level: float, alternative: Alternative) -> dict[str, Any]:
    """Fields of an estimate that has no value."""
    return {
        "name": "AUC",
        "value": None,
        "se": None,
        "low": None,
        "high": None,
        "level": level,
        "alternative": alternative,
        "status": "undefined",
        "reason": reason,
    }


def finish(
    value: float,
    se: float,
    *,
    smallest: int,
    level: float,
    alternative: Alternative,
    ends: Callable[[float, float, float, Alternative], Interval],
) -> dict[str, Any]:
    """Fields of an estimate from its value and standard error; `ends` makes the interval.

    Where the variance is useless, `ends` is not asked: at an area of 0 or 1 the interval is the exact
    bound, at any other area without variance there is none.
    """
    notes = ("the area is below 0.5: the scores rank the wrong class higher",) if value < 0.5 else ()
    fields = {"name": "AUC", "value": value, "se": se, "level": level, "alternative": alternative}
    if value in (0.0, 1.0):
        low, high = separated_interval(value, smallest, level, alternative)
        notes += (f"the classes are separated: the interval is the exact bound for an area of {value:g}",)
        return fields | {"low": low, "high": high, "warnings": notes}
    if se <= ROUNDING:
        reason = "all cases of a class are placed alike, so the variance is 0 and gives no interval"
        none = {"se": 0.0, "low": None, "high": None, "status": "partial", "reason": reason}
        return fields | none | {"warnings": notes}
    low, high = ends(value, se, level, alternative)
    return fields | {"low": low, "high": high, "warnings": notes}


def separated_interval(value: float, smallest: int, level: float, alternative: Alternative) -> Interval:
    """Interval for an observed multi-class area of exactly 0 or 1.

    Take disjoint groups with one case of each class: as many as the smallest class has cases. They are
    independent, and one is right in all comparisons with at most the probability of its least certain
    one, which is at most the average area A. So an area of 1 has at most probability A^smallest.
    """
    alpha = 1 - level if alternative != "two-sided" else (1 - level) / 2
    bound = alpha ** (1 / smallest)
    if value:
        return (0.0 if alternative == "less" else bound), 1.0
    return 0.0, (1.0 if alternative == "greater" else 1 - bound)


def few_words(classes: dict[Any, int]) -> str:
    """Say which classes have too few members."""
    counts = {0: "no member", 1: "one member, not two"}
    return ", ".join(f"class {show(name)} has {counts[n]}" for name, n in classes.items() if n < FEWEST)
