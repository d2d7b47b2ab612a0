"""The ways to an interval for one area, behind `auc(method=...)`: each a function of one question."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import special

from rocscope.area.bounds import agarwal_interval, cortes_mohri_interval
from rocscope.area.resampled import bca_interval, bootstrap_areas, percentile_interval
from rocscope.area.variance import bamber_from_sums, hanley_mcneil_variance
from rocscope.core import wald
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng
from rocscope.core.scores import BinaryScores
from rocscope.core.table import PlacementSums, ScoreTable, exact_dot
from rocscope.errors import RocInputError

UNIT = (0.0, 1.0)
SEPARATED = "the classes are separated: the interval is the exact bound for an area of {:g}"


class Ends(NamedTuple):
    """Standard error and ends of an interval; a bound that needs no variance has no standard error."""

    se: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What single methods need beyond the placement sums, where the scores themselves are not at hand.

    `tied_pairs` counts (positive, negative) pairs with one score, `errors` the wrong decisions at the
    threshold.
    """

    tied_pairs: int | None = None
    errors: int | None = None


@dataclass(frozen=True, kw_only=True)
class AreaQuestion:
    """What an interval method may look at."""

    sums: PlacementSums
    data: BinaryScores | ScoreTable | None = None
    counts: Counts = Counts()
    level: float = 0.95
    alternative: Alternative = "two-sided"
    threshold: float | None = None
    n_boot: int = 2000
    bootstrap: str = "percentile"
    rng: Rng = None

    @cached_property
    def table(self) -> ScoreTable:
        """Count table of the data."""
        if self.data is None:
            raise RocInputError("method must be one that needs the placement sums alone")
        return self.data.table() if isinstance(self.data, BinaryScores) else self.data

    @property
    def tied_pairs(self) -> int:
        """Number of (positive, negative) pairs with one score."""
        if self.counts.tied_pairs is not None:
            return self.counts.tied_pairs
        return int(exact_dot(self.table.pos, self.table.neg))

    @property
    def errors(self) -> int:
        """Number of wrong decisions at the threshold."""
        if self.counts.errors is not None:
            return self.counts.errors
        if self.threshold is None:
            raise RocInputError("threshold must be given for method 'cortes-mohri', got None")
        return int(self.table.errors_at(self.threshold))

    def wald(self, value: float, se: float) -> Ends:
        """Normal interval on the scale of the area, cut at 0 and 1."""
        return Ends(
            se, *wald.interval(value, se, level=self.level, alternative=self.alternative, bounds=UNIT)
        )


def delong_ends(ask: AreaQuestion) -> Ends:
    """Area plus and minus normal quantiles of DeLong's standard error."""
    return ask.wald(ask.sums.auc, math.sqrt(ask.sums.delong_variance()))


def logit_ends(ask: AreaQuestion) -> Ends:
    """Normal interval on the scale log(A / (1 - A)), where the standard error is se / (A (1 - A))."""
    value, se = ask.sums.auc, math.sqrt(ask.sums.delong_variance())
    return Ends(se, *logit_interval(value, se, level=ask.level, alternative=ask.alternative))


def logit_interval(value: float, se: float, *, level: float, alternative: Alternative) -> tuple[float, float]:
    """Ends of the normal interval on the scale log(A / (1 - A)), taken back to areas.

    Examples
    --------
    >>> low, high = logit_interval(0.9, 0.03, level=0.95, alternative="two-sided")
    >>> round(low, 4), round(high, 4)
    (0.824, 0.9453)
    """
    logit, reach = float(special.logit(value)), se / (value * (1 - value))
    ends = wald.interval(logit, reach, level=level, alternative=alternative)
    return float(special.expit(ends[0])), float(special.expit(ends[1]))


def hanley_mcneil_ends(ask: AreaQuestion) -> Ends:
    """Normal interval with the variance of exponential scores (Hanley and McNeil 1982)."""
    value = ask.sums.auc
    return ask.wald(value, math.sqrt(hanley_mcneil_variance(value, ask.sums.n_pos, ask.sums.n_neg)))


def bamber_ends(ask: AreaQuestion) -> Ends:
    """Normal interval with the unbiased variance estimate of Bamber 1975."""
    return ask.wald(ask.sums.auc, math.sqrt(bamber_from_sums(ask.sums, tied_pairs=ask.tied_pairs)))


def bootstrap_ends(ask: AreaQuestion) -> Ends:
    """Interval from areas of stratified bootstrap replicates: percentile, or BCa."""
    replicates = bootstrap_areas(ask.table, n_boot=ask.n_boot, rng=ask.rng)
    se = float(np.std(replicates, ddof=1))
    how: dict[str, Any] = {"level": ask.level, "alternative": ask.alternative, "bounds": UNIT}
    if ask.bootstrap == "bca":
        return Ends(se, *bca_interval(replicates, ask.sums.auc, ask.table.placement_deviations(), **how))
    low, high = percentile_interval(replicates, value=ask.sums.auc, **how)
    return Ends(se, float(low), float(high))


def cortes_mohri_ends(ask: AreaQuestion) -> Ends:
    """Bound from the number of errors at the threshold alone (Cortes and Mohri 2004)."""
    sizes = ask.sums.n_pos, ask.sums.n_neg
    return Ends(None, *cortes_mohri_interval(ask.errors, *sizes, ask.level, ask.alternative))


def agarwal_ends(ask: AreaQuestion) -> Ends:
    """Bound that holds for any scores (Agarwal et al. 2005)."""
    sums = ask.sums
    return Ends(None, *agarwal_interval(sums.auc, sums.n_pos, sums.n_neg, ask.level, ask.alternative))


METHODS: dict[str, Callable[[AreaQuestion], Ends]] = {
    "delong": delong_ends,
    "logit": logit_ends,
    "hanley-mcneil": hanley_mcneil_ends,
    "bamber": bamber_ends,
    "bootstrap": bootstrap_ends,
    "cortes-mohri": cortes_mohri_ends,
    "agarwal": agarwal_ends,
}
# Methods whose interval does not rest on an estimated variance, so that no data makes them degenerate.
WITHOUT_VARIANCE = ("cortes-mohri", "agarwal")


def exact_bound(
    value: float, smallest: int, *, level: float, alternative: Alternative
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
