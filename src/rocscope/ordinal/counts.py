"""True and false positives at pairs of thresholds, as differences of one-dimensional cumulative counts.

With the bounds inclusive, as in the paper, #{t_a <= e <= t_b} = #{e <= t_b} - #{e < t_a}. So the matrix of
points needs one number per threshold and side, and is made only on demand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.errors import ResourceError
from rocscope.ordinal.closure import Closure, end_height
from rocscope.ordinal.estimates import ClassEstimates, Gaps

# Which threshold is fixed in a curve; the paper does not say.
Fixed: TypeAlias = Literal["lower", "upper"]
FIXED: tuple[Fixed, ...] = ("lower", "upper")
Counts: TypeAlias = NDArray[np.int64]
# Gives, for a class and places in its ascending estimates, how many (drawn) cases come before each place.
Counter: TypeAlias = Callable[[int, Counts], NDArray[Any]]
# Members that a class needs for an entry.
FEWEST = 2
# Numbers of each of the two tables below; 50 million are 0.4 GB.
MOST_COUNTS = 50_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdCounts:
    """How many estimates of every class lie below the thresholds of every gap: cumulative counts.

    `below[gap][code]` holds #{e < t} and `upto[gap][code]` #{e <= t} over the thresholds t of the gap.
    """

    sizes: Counts
    below: tuple[Counts, ...]
    upto: tuple[Counts, ...]

    @classmethod
    def of(cls, estimates: ClassEstimates, gaps: Gaps) -> ThresholdCounts:
        """Look up the thresholds of all gaps at once."""
        together = np.concatenate(gaps)
        n = together.size * estimates.sizes.size
        if n > MOST_COUNTS:
            raise ResourceError(
                f"thresholds must be few enough to look up each in every class, at most {MOST_COUNTS:,} "
                f"places, got {n:,} for {together.size:,} thresholds and {estimates.sizes.size:,} classes"
            )
        ends = np.cumsum([len(gap) for gap in gaps])[:-1]
        below = counts_below(estimates, together)
        upto = below.copy()
        for part, row in zip(estimates.parts, upto, strict=True):
            # Only a threshold that is an estimate has estimates equal to it.
            inside = np.flatnonzero(row < part.size)
            equal = inside[part[row[inside]] == together[inside]]
            row[equal] = np.searchsorted(part, together[equal], "right")
        return cls(
            sizes=estimates.sizes,
            below=tuple(np.split(below, ends, axis=1)),
            upto=tuple(np.split(upto, ends, axis=1)),
        )


def counts_below(estimates: ClassEstimates, thresholds: NDArray[Any]) -> Counts:
    """Number of estimates below each threshold, one row per class."""
    return np.stack([np.searchsorted(part, thresholds) for part in estimates.parts]).astype(np.int64)


def whole(_: int, place: Counts) -> Counts:
    """Count every case once: a place is the number of cases before it."""
    return place


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassCounts:
    """Counts of one class (pos) and of all others (neg) at its lower and its upper thresholds.

    `pos_below`, `neg_below` count e < t_a over the lower thresholds, `pos_upto`, `neg_upto` e <= t_b over
    the upper ones, along the last axis; replicates run along the first. The first class has one lower
    threshold, minus infinity, the last class one upper threshold, infinity.
    """

    pos_below: NDArray[Any]
    neg_below: NDArray[Any]
    pos_upto: NDArray[Any]
    neg_upto: NDArray[Any]
    n_pos: int
    n_neg: int

    @property
    def tp(self) -> Counts:
        """TP(t_a, t_b) = |{e_j : t_a <= e_j <= t_b and t_a <= o_j <= t_b}|, section 2 of the paper."""
        return np.asarray(self.pos_upto[..., None, :] - self.pos_below[..., :, None])

    @property
    def fp(self) -> Counts:
        """FP(t_a, t_b) = |{e_j : t_a <= e_j <= t_b and (o_j < t_a or t_b < o_j)}|, section 2 of the paper."""
        return np.asarray(self.neg_upto[..., None, :] - self.neg_below[..., :, None])


def class_counts(at: ThresholdCounts, code: int, count: Counter = whole) -> ClassCounts:
    """Counts of one class against the rest; `count` stands for a bootstrap replicate."""
    n_pos = int(at.sizes[code])
    lower = at.below[code - 1] if code else np.zeros((at.sizes.size, 1), np.int64)
    upper = at.upto[code] if code < len(at.upto) else at.sizes[:, None]
    pos_below, neg_below = _against_rest(lower, code, count)
    pos_upto, neg_upto = _against_rest(upper, code, count)
    return ClassCounts(
        pos_below=pos_below,
        neg_below=neg_below,
        pos_upto=pos_upto,
        neg_upto=neg_upto,
        n_pos=n_pos,
        n_neg=int(at.sizes.sum()) - n_pos,
    )


def _against_rest(place: Counts, code: int, count: Counter) -> tuple[NDArray[Any], NDArray[Any]]:
    if count is whole:
        return place[code], np.asarray(place.sum(axis=0) - place[code])
    rest = sum(count(other, row) for other, row in enumerate(place) if other != code)
    return count(code, place[code]), np.asarray(rest)


def confusion_at(cut: Counts, sizes: Counts, count: Counter = whole) -> NDArray[np.int64]:
    """Confusion matrices (..., true class, decided class) of the decision e >= t for the upper class.

    `cut[code]` holds #{e < t} over the thresholds between the classes.
    """
    matrices = []
    for code, row in enumerate(cut):
        below = np.asarray(count(code, row))
        edge = [(0, 0)] * (below.ndim - 1)
        ends = np.pad(below, [*edge, (1, 1)], constant_values=(*edge, (0, int(sizes[code]))))
        matrices.append(np.diff(ends, axis=-1))
    return np.stack(matrices, axis=-2).astype(np.int64)


def few_members(label: Any, n: int) -> str | None:
    """Why a class has no entry, or None if it has enough members."""
    counts = {0: "no member", 1: "one member, not two"}
    return f"class {label} has {counts[n]}" if n < FEWEST else None


# ---- Areas below the curves of one class, all at once and in integers -------------------------------------
# Let A_k and B_k count the positives and negatives up to the k-th free threshold and a, b those beyond the
# fixed one, so that TP_k = A_k - a and FP_k = B_k - b. The trapezoids between the points of a curve then have
#     sum_k (FP_{k+1} - FP_k) (TP_{k+1} + TP_k) = sum_k (B_{k+1} - B_k) (A_{k+1} + A_k) - 2 a (B_n - B_1)
# as twice their area. The sum on the right is the same for all curves of a class: m curves over n thresholds
# take m + n steps instead of m n, and no matrix.

INT64_MAX = 2**63 - 1


def side_fixed(code: int, n_classes: int, fixed: Fixed) -> Fixed:
    """Which threshold stays fixed: the outer classes have only one that can move."""
    if code == 0:
        return "lower"
    return "upper" if code == n_classes - 1 else fixed


def twice_areas(of_class: ClassCounts, fixed: Fixed, closure: Closure) -> NDArray[Any]:
    """Twice the area below each curve, times n_pos n_neg; one number per fixed threshold."""
    free_pos, free_neg = of_class.pos_upto, of_class.neg_upto
    fixed_pos, fixed_neg = of_class.pos_below, of_class.neg_below
    if fixed == "upper":  # from the highest lower threshold down: A - a = (-a) - (-A), the same form again
        free_pos, fixed_pos = -fixed_pos[..., ::-1], -free_pos
        free_neg, fixed_neg = -fixed_neg[..., ::-1], -free_neg
    first_tp, first_fp = free_pos[..., :1] - fixed_pos, free_neg[..., :1] - fixed_neg
    last_tp, last_fp = free_pos[..., -1:] - fixed_pos, free_neg[..., -1:] - fixed_neg
    heights = free_pos[..., 1:] + free_pos[..., :-1]
    common = (np.diff(free_neg, axis=-1) * heights).sum(axis=-1, keepdims=True)
    between = np.asarray(common - 2 * fixed_pos * (last_fp - first_fp))
    if closure == "none":
        return between
    end = end_height(of_class.n_pos, last_tp, closure)
    return np.asarray(first_fp * first_tp + between + (of_class.n_neg - last_fp) * (end + last_tp))
