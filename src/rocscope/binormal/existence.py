"""Whether a binormal curve can be fitted to the data at all.

The likelihood has its maximum at a curve with finite a and a slope between 0 and infinity unless a limiting
curve fits the data exactly. There are three: the corner of perfect (or perverse) separation, the horizontal
line of slope 0 (TPR constant for 0 < FPR < 1) and the vertical line of infinite slope. For all other data
the likelihood is 0 along these limits. One point of the ROC square alone lies on many binormal curves.
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


def _why_degenerate(categories: Categories) -> Undefined | None:
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
