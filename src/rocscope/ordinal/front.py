"""The Pareto front of one class: the points over all pairs of thresholds that no other pair betters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Result
from rocscope.ordinal.areas import INT64_MAX, Closure
from rocscope.ordinal.counts import Counts, Sides

Floats = NDArray[np.float64]
# Pairs up to which all points are sorted at once; beyond, memory stays linear in the number of cases.
MANY_PAIRS = 65_536


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassFront(Result):
    """Points that no other pair of thresholds betters, by rising false positives.

    Attributes
    ----------
    label
        The class.
    lower, upper
        A pair of thresholds that reaches each point; infinite beside an outer class.
    tp, fp, tpr, fpr
        Its counts and rates. Empty where the class has no curve.
    auc
        Area below the front, closed as the curves are; None where the class has no curve. The front
        picks its pair anew for every FPR, which no single curve does.
    """

    label: Any
    lower: Floats
    upper: Floats
    tp: Counts
    fp: Counts
    tpr: Floats
    fpr: Floats
    auc: float | None

    def __len__(self) -> int:
        return len(self.fp)

    def _summary(self) -> str:
        area = "undefined" if self.auc is None else f"{self.auc:.4f}"
        return f"Front of class {self.label}: {len(self)} points, area {area}"

    def columns(self) -> dict[str, Any]:
        """Return one row per point."""
        return {"lower": self.lower, "upper": self.upper, "fpr": self.fpr, "tpr": self.tpr}


def empty_front(label: Any) -> ClassFront:
    """Front of a class that has no curve."""
    none, nothing = np.empty(0), np.empty(0, np.int64)
    return ClassFront(
        label=label, lower=none, upper=none, tp=nothing, fp=nothing, tpr=none, fpr=none, auc=None
    )


def front_of(label: Any, sides: Sides, lower: Floats, upper: Floats, closure: Closure) -> ClassFront:
    """Find the front of a class that has curves.

    Time grows with the number of pairs that remain after thresholds which can never be on it are left out
    (at worst N^2 / 4 pairs: this is a (max, +) convolution); memory grows with N.
    """
    low, high = _front_pairs(sides)
    tp = sides.pos_upto[high] - sides.pos_below[low]
    fp = sides.neg_upto[high] - sides.neg_below[low]
    return ClassFront(
        label=label,
        lower=lower[low],
        upper=upper[high],
        tp=tp,
        fp=fp,
        tpr=tp / sides.n_pos,
        fpr=fp / sides.n_neg,
        auc=_closed_area(tp, fp, sides, closure),
    )


def _front_pairs(sides: Sides) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Indices of lower and upper thresholds of the points of the front."""
    # TP = A - a and FP = B - b: a threshold that another betters on its own side is on no best pair.
    kept_high = _unbettered(sides.pos_upto, sides.neg_upto)
    kept_low = _unbettered(-sides.pos_below[::-1], -sides.neg_below[::-1])[::-1]
    kept_low = sides.pos_below.size - 1 - kept_low
    pairs = kept_low.size * kept_high.size
    few = pairs <= MANY_PAIRS and pairs * (sides.n_pos + 1) * (sides.n_neg + 1) <= INT64_MAX
    low, high = (_sorted_front if few else _streamed_front)(sides, kept_low, kept_high)
    return kept_low[low], kept_high[high]


def _unbettered(gain: Counts, loss: Counts) -> NDArray[np.intp]:
    """Places of two rising counts that no other place betters: more gain for no more loss, or less loss."""
    last_of_loss = np.ones(loss.size, dtype=bool)
    np.greater(loss[1:], loss[:-1], out=last_of_loss[:-1])
    kept = np.flatnonzero(last_of_loss)
    return kept[_records(gain[kept])]


def _sorted_front(sides: Sides, low: Any, high: Any) -> tuple[Any, Any]:
    tp = (sides.pos_upto[high] - sides.pos_below[low][:, None]).ravel()
    fp = (sides.neg_upto[high] - sides.neg_below[low][:, None]).ravel()
    # One sort by false positives, then by most true positives, then by the number of the pair: NumPy
    # sorts integers much faster than indices.
    key = (fp * (sides.n_pos + 1) + (sides.n_pos - tp)) * tp.size + np.arange(tp.size)
    key.sort()
    pair = key % tp.size
    return np.divmod(pair[_records(tp[pair])], high.size)


def _streamed_front(sides: Sides, low: Any, high: Any) -> tuple[Any, Any]:
    from rocscope.core import kernels

    most, i, j = kernels.best_by_false_positives(
        sides.pos_below[low], sides.neg_below[low], sides.pos_upto[high], sides.neg_upto[high], sides.n_neg
    )
    rising = _records(most)
    rising = rising[most[rising] >= 0]
    return i[rising], j[rising]


def _records(values: Counts) -> NDArray[np.intp]:
    """Places where a sequence exceeds everything before."""
    highest = np.maximum.accumulate(values)
    exceeds = np.ones(values.size, dtype=bool)
    np.greater(highest[1:], highest[:-1], out=exceeds[1:])
    return np.flatnonzero(exceeds)


def _closed_area(tp: Counts, fp: Counts, sides: Sides, closure: Closure) -> float:
    end = sides.n_pos if closure == "diagonal" else int(tp[-1])
    y, x = np.concatenate([[0], tp, [end]]), np.concatenate([[0], fp, [sides.n_neg]])
    twice = int((np.diff(x) * (y[1:] + y[:-1])).sum())
    return twice / (2 * sides.n_pos * sides.n_neg)
