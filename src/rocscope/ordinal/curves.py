"""The set of ROC curves of one class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Result, Status
from rocscope.ordinal.closure import Closure, closed_curve
from rocscope.ordinal.counts import (
    INT64_MAX,
    ClassCounts,
    Counts,
    Fixed,
    ThresholdCounts,
    class_counts,
    few_members,
    side_fixed,
    twice_areas,
)
from rocscope.ordinal.estimates import ClassEstimates, Gaps

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalCurve(Result):
    """One ROC curve of a class: one threshold is fixed, the other one moves.

    Attributes
    ----------
    label
        The class.
    side, at
        Which threshold is fixed, "lower" or "upper", and its value; infinite for an outer class.
    thresholds
        The other threshold, from the narrowest interval to the widest.
    fpr, tpr
        Rates at the thresholds, after (0, 0) and before the closing point: `fpr[1:-1]` goes with
        `thresholds`. A curve that is not closed has its own first and last point twice.
    auc
        Area below the curve.
    """

    view: ClassVar[str] = "ordinal.ordinal_curve_picture"

    label: Any
    side: Fixed
    at: float
    thresholds: Floats
    fpr: Floats
    tpr: Floats
    auc: float

    def _summary(self) -> str:
        return f"Class {self.label}, {self.side} threshold {self.at:g}: AUC {self.auc:.4f}"

    def columns(self) -> dict[str, Any]:
        """Return one row per point; the first and the last have no threshold."""
        return {
            "threshold": np.pad(self.thresholds, 1, constant_values=np.nan),
            "fpr": self.fpr,
            "tpr": self.tpr,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClassCurves(Result):
    """The set of ROC curves of one class: a sequence of `OrdinalCurve`, one per fixed threshold.

    Attributes
    ----------
    label, value
        The class, and the number that stands for it.
    n_pos, n_neg
        Its members, and those of all other classes.
    lower, upper
        Thresholds t_a below and t_b above the class, ascending; infinite beside an outer class.
    fixed, closure
        Which threshold is fixed in a curve, and how the curves are closed.
    auc
        Area of every curve, in the order of the fixed thresholds; empty where undefined.
    max_auc, max_at
        The largest area, and the fixed threshold of its curve (the lowest one if several have it);
        `best` is the curve itself.
    avg_auc
        Mean of the areas.
    youden, youden_lower, youden_upper
        The largest TPR - FPR over all pairs of thresholds, and the pair that reaches it.
    pos_below, neg_below, pos_upto, neg_upto
        Members and others with an estimate below each lower, and not above each upper threshold: the
        points of all pairs are their differences.
    status, reason
        "undefined", and why, where the class has fewer than two members or a gap without a threshold.
    """

    view: ClassVar[str] = "ordinal.class_curves_picture"

    label: Any
    value: float
    n_pos: int
    n_neg: int
    lower: Floats
    upper: Floats
    fixed: Fixed
    closure: Closure
    auc: Floats
    max_auc: float | None
    max_at: float | None
    avg_auc: float | None
    youden: float | None
    youden_lower: float | None
    youden_upper: float | None
    pos_below: Counts
    neg_below: Counts
    pos_upto: Counts
    neg_upto: Counts
    status: Status = "ok"
    reason: str | None = None

    @property
    def counts(self) -> ClassCounts:
        """The counts behind the points."""
        names = ("pos_below", "neg_below", "pos_upto", "neg_upto", "n_pos", "n_neg")
        return ClassCounts(**{name: getattr(self, name) for name in names})

    @property
    def tp(self) -> Counts:
        """True positives of every pair (lower, upper), made on demand."""
        return self.counts.tp

    @property
    def fp(self) -> Counts:
        """False positives of every pair (lower, upper), made on demand."""
        return self.counts.fp

    @property
    def tpr(self) -> Floats:
        """True positive rates of every pair; NaN for a class without a member."""
        return self.tp / self.n_pos if self.n_pos else np.full((self.lower.size, self.upper.size), np.nan)

    @property
    def fpr(self) -> Floats:
        """False positive rates of every pair."""
        return np.asarray(self.fp / self.n_neg)

    def __len__(self) -> int:
        return len(self.auc)

    def __iter__(self) -> Iterator[OrdinalCurve]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> OrdinalCurve:
        index = range(len(self))[index]
        of_lower = self.fixed == "lower"
        counts = self.counts
        if of_lower:
            tp, fp = counts.pos_upto - counts.pos_below[index], counts.neg_upto - counts.neg_below[index]
        else:
            tp, fp = counts.pos_upto[index] - counts.pos_below, counts.neg_upto[index] - counts.neg_below
            tp, fp = tp[::-1], fp[::-1]
        fp, tp = closed_curve(fp, tp, self.n_neg, self.n_pos, self.closure)
        return OrdinalCurve(
            label=self.label,
            side=self.fixed,
            at=float((self.lower if of_lower else self.upper)[index]),
            thresholds=self.upper if of_lower else self.lower[::-1],
            fpr=fp / self.n_neg,
            tpr=tp / self.n_pos,
            auc=float(self.auc[index]),
        )

    @property
    def best(self) -> OrdinalCurve | None:
        """The curve of MaxAUC, with its fixed threshold `at` and those it runs over; None where undefined."""
        return self[int(np.argmax(self.auc))] if len(self) else None

    def _summary(self) -> str:
        if self.max_auc is None:
            return f"Class {self.label} undefined: {self.reason}"
        curves = f"{len(self)} curve{'s' if len(self) > 1 else ''}"
        return f"Class {self.label}: MaxAUC {self.max_auc:.4f}, AvgAUC {self.avg_auc:.4f} ({curves})"

    @property
    def n_points(self) -> int:
        """Points of all curves, without those that close them."""
        return self.lower.size * self.upper.size

    def point_columns(self) -> dict[str, Any]:
        """Return one row per pair of thresholds: the points behind all curves, and Youden's index."""
        lower, upper = (axis.ravel() for axis in np.meshgrid(self.lower, self.upper, indexing="ij"))
        counts = {"tp": self.tp.ravel(), "fp": self.fp.ravel()}
        tpr, fpr = self.tpr.ravel(), self.fpr.ravel()
        return {"lower": lower, "upper": upper} | counts | {"fpr": fpr, "tpr": tpr, "youden": tpr - fpr}

    def columns(self) -> dict[str, Any]:
        """Return one row per curve."""
        fixed = self.lower if self.fixed == "lower" else self.upper
        return {self.fixed: fixed[: len(self)], "auc": self.auc}


def curves_of(
    code: int, estimates: ClassEstimates, at: ThresholdCounts, gaps: Gaps, *, fixed: Fixed, closure: Closure
) -> ClassCurves:
    """Curves of one class."""
    labels, counts = estimates.labels, class_counts(at, code)
    side = side_fixed(code, len(labels), fixed)
    lower = gaps[code - 1] if code else np.array([-np.inf])
    upper = gaps[code] if code < len(gaps) else np.array([np.inf])
    reason = few_members(labels[code], counts.n_pos)
    for gap in (code - 1, code):
        if reason is None and 0 <= gap < len(gaps) and not gaps[gap].size:
            reason = f"no threshold lies between {labels[gap]} and {labels[gap + 1]}"
    pairs = counts.n_pos * counts.n_neg
    areas: dict[str, Any] = dict.fromkeys(("max_auc", "max_at", "avg_auc"))
    youden: dict[str, Any] = dict.fromkeys(("youden", "youden_lower", "youden_upper"))
    twice = np.empty(0, np.int64)
    if reason is None:
        twice = twice_areas(counts, side, closure)
        best, n = int(np.argmax(twice)), twice.size
        total = twice.sum() if n * int(twice.max()) <= INT64_MAX else sum(twice.tolist())
        # Integers are divided once, so that each area is rounded once.
        areas = {
            "max_auc": int(twice[best]) / (2 * pairs),
            "max_at": float((lower if side == "lower" else upper)[best]),
            "avg_auc": int(total) / (2 * pairs * n),
        }
        # TPR - FPR is a sum over the two counts, so each side is best on its own.
        above = counts.pos_upto * counts.n_neg - counts.neg_upto * counts.n_pos
        below = counts.pos_below * counts.n_neg - counts.neg_below * counts.n_pos
        i, j = int(np.argmin(below)), int(np.argmax(above))
        youden = {
            "youden": int(above[j] - below[i]) / pairs,
            "youden_lower": float(lower[i]),
            "youden_upper": float(upper[j]),
        }
    return ClassCurves(
        label=labels[code],
        value=estimates.classes[code],
        n_pos=counts.n_pos,
        n_neg=counts.n_neg,
        lower=lower,
        upper=upper,
        fixed=side,
        closure=closure,
        auc=twice / (2 * max(counts.n_pos, 1) * counts.n_neg),
        pos_below=counts.pos_below,
        neg_below=counts.neg_below,
        pos_upto=counts.pos_upto,
        neg_upto=counts.neg_upto,
        status="undefined" if reason else "ok",
        reason=reason,
        **areas,
        **youden,
    )


# -----------------------------------------------------------------------------------------------------------
# The Pareto front of one class: the points over all pairs of thresholds that no other pair betters

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

    view: ClassVar[str] = "ordinal.ordinal_curve_picture"

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


def front_of(curves: ClassCurves) -> ClassFront:
    """Find the front of a class; an empty one where the class has no curve.

    Time grows with the number of pairs that remain after thresholds which can never be on it are left out
    (at worst N^2 / 4 pairs: this is a (max, +) convolution); memory grows with N.
    """
    if curves.status != "ok":
        none, nothing = np.empty(0), np.empty(0, np.int64)
        return ClassFront(
            label=curves.label, lower=none, upper=none, tp=nothing, fp=nothing, tpr=none, fpr=none, auc=None
        )
    n_pos, n_neg = curves.n_pos, curves.n_neg
    # TP = A - a and FP = B - b: a threshold that another betters on its own side is on no best pair.
    high = _unbettered(curves.pos_upto, curves.neg_upto)
    low = curves.pos_below.size - 1 - _unbettered(-curves.pos_below[::-1], -curves.neg_below[::-1])[::-1]
    pos_below, neg_below = curves.pos_below[low], curves.neg_below[low]
    pos_upto, neg_upto = curves.pos_upto[high], curves.neg_upto[high]
    pairs = low.size * high.size
    if pairs <= MANY_PAIRS and pairs * (n_pos + 1) * (n_neg + 1) <= INT64_MAX:
        tp = (pos_upto - pos_below[:, None]).ravel()
        fp = (neg_upto - neg_below[:, None]).ravel()
        # One sort by false positives, then by most true positives, then by the number of the pair: NumPy
        # sorts integers much faster than indices.
        key = (fp * (n_pos + 1) + (n_pos - tp)) * tp.size + np.arange(tp.size)
        key.sort()
        pair = key % tp.size
        i, j = np.divmod(pair[_records(tp[pair])], high.size)
    else:
        from rocscope.core import kernels

        most, i, j = kernels.best_by_false_positives(pos_below, neg_below, pos_upto, neg_upto, n_neg)
        rising = _records(most)
        rising = rising[most[rising] >= 0]
        i, j = i[rising], j[rising]
    tp, fp = pos_upto[j] - pos_below[i], neg_upto[j] - neg_below[i]
    x, y = closed_curve(fp, tp, n_neg, n_pos, curves.closure)
    twice = int((np.diff(x) * (y[1:] + y[:-1])).sum())
    return ClassFront(
        label=curves.label,
        lower=curves.lower[low[i]],
        upper=curves.upper[high[j]],
        tp=tp,
        fp=fp,
        tpr=tp / n_pos,
        fpr=fp / n_neg,
        auc=twice / (2 * n_pos * n_neg),
    )


def _unbettered(gain: Counts, loss: Counts) -> NDArray[np.intp]:
    """Places of two rising counts that no other place betters: more gain for no more loss, or less loss."""
    last_of_loss = np.ones(loss.size, dtype=bool)
    np.greater(loss[1:], loss[:-1], out=last_of_loss[:-1])
    kept = np.flatnonzero(last_of_loss)
    return kept[_records(gain[kept])]


def _records(values: Counts) -> NDArray[np.intp]:
    """Places where a sequence exceeds everything before."""
    highest = np.maximum.accumulate(values)
    exceeds = np.ones(values.size, dtype=bool)
    np.greater(highest[1:], highest[:-1], out=exceeds[1:])
    return np.flatnonzero(exceeds)
