"""The volume under the ROC surface of ordered classes, and the areas of neighbouring classes.

The volume is the share of all tuples with one case of each class whose estimates rise with the class. A run
of k equal estimates counts 1 / k!: 1/2 for a pair, 1/6 for three. Without information it is 1 / C!.

Let S_k(x) be the share of tuples of the classes up to k that rise and end below x, runs counted in full. A
case of class k at x continues the tuples that ended below x, S_{k-1}(x), and those that ended at x itself,
with a run one longer. T_k^r(x), the share of tuples per case of class k at x whose last r estimates are x,
follows from T_k^1(x) = S_{k-1}(x) and T_k^r(x) = (share of class k-1 at x) T_{k-1}^{r-1}(x). Then S_k adds up
sum_r T_k^r(x) / r! over the cases of class k. One pass per class, C passes more where runs are long.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.table import LARGE
from rocscope.ordinal.counts import Counter, whole
from rocscope.ordinal.estimates import ClassEstimates

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ClassRanks:
    """The distinct estimates of a class, and where they fall among those of the class below it.

    `starts` are the places of the distinct values among the cases, with the number of cases at the end;
    `below` counts the distinct values of the lower class below each; `tied` are those among them.
    """

    values: Floats
    starts: NDArray[np.int64]
    below: NDArray[np.int64]
    tied: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Members of the class."""
        return int(self.starts[-1])


@dataclass(frozen=True, slots=True)
class OrderedAreas:
    """The volume, and the area of each class against the one below it; without a meaning for empty classes.

    Replicates run along the first axis.
    """

    volume: Any
    adjacent: list[Any]


def rank_classes(estimates: ClassEstimates) -> list[ClassRanks]:
    """Rank every class among the one below it; the first among nothing."""
    ranked: list[ClassRanks] = []
    lower = np.empty(0)
    for part in estimates.parts:
        values, starts = _distinct(part)
        if values.size < LARGE // 8:
            below = np.searchsorted(lower, values).astype(np.int64)
        else:
            from rocscope.core import kernels

            below = kernels.count_below(lower, values).astype(np.int64)
        tied = np.flatnonzero(np.append(lower, np.nan)[below] == values)
        ranked.append(ClassRanks(values, starts, below, tied))
        lower = values
    return ranked


def _distinct(part: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Distinct values of an ascending array and where each begins, with the size at the end."""
    first = np.flatnonzero(np.insert(part[1:] != part[:-1], 0, True)) if part.size else np.empty(0, int)
    return part[first], np.append(first, part.size).astype(np.int64)


def ordered_areas(ranked: Sequence[ClassRanks], count: Counter = whole) -> OrderedAreas:
    """Volume and neighbouring areas of all cases, or of bootstrap replicates that `count` counts.

    Examples
    --------
    >>> from rocscope.ordinal.estimates import read_ordinal
    >>> areas = ordered_areas(rank_classes(read_ordinal([1, 2, 3], [5, 5, 5]).whole))
    >>> float(areas.volume), float(areas.adjacent[0])
    (0.16666666666666666, 0.5)
    """
    before = np.asarray(count(0, ranked[0].starts))
    drawn, n = np.diff(before), max(ranked[0].n, 1)
    share: Any = before / n  # S_k, before each distinct value
    runs: list[Any] = [np.ones(drawn.shape)]  # T_k^r, r = 1, 2, ...
    adjacent = []
    for code, rank in enumerate(ranked[1:], start=1):
        upper_before = np.asarray(count(code, rank.starts))
        upper_drawn, upper_n = np.diff(upper_before), max(rank.n, 1)
        partner = rank.below[rank.tied]
        tied_pairs = upper_drawn[..., rank.tied] * drawn[..., partner]
        twice = 2 * (upper_drawn * before[..., rank.below]).sum(axis=-1) + tied_pairs.sum(axis=-1)
        adjacent.append(twice / (2 * upper_n * n))
        # Tuples that end below each value of this class, and those that end at it with a run one longer.
        ended = share[..., rank.below]
        longer = [drawn[..., partner] / n * run[..., partner] for run in runs]
        runs, total = [ended], ended.copy()
        for r, run in enumerate(longer, start=2):
            total[..., rank.tied] += run / math.factorial(r)
            if rank.tied.size:
                over = np.zeros((*run.shape[:-1], rank.values.size))
                over[..., rank.tied] = run
                runs.append(over)
        continued = np.zeros((*total.shape[:-1], total.shape[-1] + 1))
        np.cumsum(upper_drawn * total, axis=-1, out=continued[..., 1:])
        share = continued / upper_n
        before, drawn, n = upper_before, upper_drawn, upper_n
    return OrderedAreas(share[..., -1], adjacent)


def areas_of(estimates: ClassEstimates) -> OrderedAreas:
    """Volume and neighbouring areas of all cases."""
    if sum(part.size for part in estimates.parts) < LARGE:
        return ordered_areas(rank_classes(estimates))
    # The same recursion in compiled walks, which give the same bits.
    from rocscope.core import kernels

    places = np.arange(max(part.size for part in estimates.parts) + 1)
    # Estimates of each class with the number of cases before each; distinct ones where most are equal.
    counted = [
        _distinct(part)
        if 2 * np.count_nonzero(part[1:] == part[:-1]) > part.size
        else (part, places[: part.size + 1])
        for part in estimates.parts
    ]
    share = counted[0][1] / max(estimates.parts[0].size, 1)
    first = np.ones(1), np.zeros(share.size, np.uint32)
    tied, runs = np.empty(0, np.int64), np.empty((0, 0))
    adjacent = []
    for lower, upper in pairwise(counted):
        share, first, tied, runs, twice = kernels.extend_chains(lower, share, first, tied, runs, upper)
        runs = runs if tied.size else np.empty((0, 0))
        adjacent.append(twice / max(2 * int(lower[1][-1]) * int(upper[1][-1]), 1))
    return OrderedAreas(float(share[-1]), adjacent)
