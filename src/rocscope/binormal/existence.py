"""Whether a binormal curve can be fitted to the data at all.

The likelihood has its maximum at a curve with finite a and a slope between 0 and infinity unless a limiting
curve passes through all ROC points. There are four:

- the perfect curve along the left and the upper side of the ROC square (a goes to infinity, area 1), and the
  perverse one along the lower and the right side (area 0). Separated classes lie there, and also classes
  that share one category alone: only negatives below it, only positives above it (or the other way round);
- the horizontal line of slope 0 (TPR constant for 0 < FPR < 1), and the vertical one of infinite slope.

The likelihood comes up to that of the observed shares along such a limit, which no curve exceeds. For all
other data it goes to 0 there. One point of the ROC square alone lies on many binormal curves or limits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rocscope.binormal.categories import Categories, Floats
from rocscope.core import checks
from rocscope.core.table import ScoreTable


class Undefined(NamedTuple):
    """Why there is no fit."""

    status: str
    reason: str


def why_undefined(categories: Categories) -> Undefined | None:
    """Status and reason if the data determine no binormal curve, else None.

    Examples
    --------
    >>> from rocscope.core.table import ScoreTable
    >>> from rocscope.binormal.categories import truth_runs
    >>> why_undefined(truth_runs(ScoreTable.from_counts([1, 2, 3], pos=[0, 1, 1], neg=[2, 0, 0]))).status
    'perfect'
    """
    neg, pos = (np.flatnonzero(counts) for counts in (categories.neg, categories.pos))
    if len(categories) == 1:
        return Undefined("undetermined", "all scores are equal, so the ROC curve has no point inside")
    if neg[-1] < pos[0]:
        return Undefined("perfect", "all positives have higher scores than all negatives")
    if pos[-1] < neg[0]:
        return Undefined("perverse", "all positives have lower scores than all negatives")
    if len(categories) == 2:
        why = "the ROC curve has one point between its ends, and many curves pass through it"
        return Undefined("undetermined", why)
    return _why_degenerate(categories)


def curve_along_sides(categories: Categories) -> str | None:
    """Name the curve, "perfect" or "perverse", that passes through all ROC points, if one does."""
    fpr, tpr = categories.rates()
    if ((fpr == 0) | (tpr == 1)).all():
        return "perfect"
    return "perverse" if ((fpr == 1) | (tpr == 0)).all() else None


def degenerate_along_sides(name: str) -> Undefined:
    """Status and reason for data on the perfect or the perverse curve."""
    return Undefined("degenerate", f"the {name} curve passes through all ROC points")


def _why_degenerate(categories: Categories) -> Undefined | None:
    name = curve_along_sides(categories)
    if name is not None:
        return degenerate_along_sides(name)
    fpr, tpr = categories.rates()
    for line, inside, slope in (("TPR", tpr[_open(fpr)], "0"), ("FPR", fpr[_open(tpr)], "infinity")):
        if len(inside) == 0 or inside.min() == inside.max():
            why = f"a curve of slope {slope} (constant {line}) fits the ROC points exactly"
            return Undefined("degenerate", why)
    return None


def _open(rates: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    return np.asarray((rates > 0) & (rates < 1))


def zero_variance(table: ScoreTable) -> str:
    """Name a class whose scores are all equal, for the reason of a fit that failed for it."""
    constant = [
        f"the {name} have zero variance: all have the score {checks.show(table.scores[counts > 0][0])}"
        for name, counts in (("negatives", table.neg), ("positives", table.pos))
        if np.count_nonzero(counts) == 1
    ]
    return "; ".join(constant)
