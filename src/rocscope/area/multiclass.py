"""Areas for more than two classes: Hand and Till's mean over pairs, and each class against the rest.

With A(i|j) the share of pairs (case of class i, case of class j) in which the score of class i is larger for
the case of class i, ties counted one half, and C classes [1]_:

    M = 2 / (C (C - 1)) sum_{i<j} (A(i|j) + A(j|i)) / 2.

Every average made here is a sum of shares[i, j] A(i|j) with fixed shares, a statistic of C independent
samples that is linear in the distribution of each: DeLong's variance carries over (`Influence`).

References
----------
.. [1] Hand, Till: A simple generalisation of the area under the ROC curve for multiple class classification
   problems, Machine Learning 45, 2001.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from rocscope.area.auc import delong_interval
from rocscope.area.multiclass_bootstrap import bootstrap_multiclass
from rocscope.area.multiclass_placements import (
    ClassSplit,
    Floats,
    Influence,
    PairSums,
    RestSums,
    pair_placements,
    pair_sums,
)
from rocscope.area.multiclass_rows import (
    FEWEST,
    ClassArea,
    PairArea,
    class_row,
    few_words,
    finish,
    pair_row,
    undefined,
)
from rocscope.area.resampled import check_n_boot, percentile_interval
from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng
from rocscope.core.result import Estimate
from rocscope.core.scores import ClassScores

SCHEMES = ("ovo", "ovr")
AVERAGES = ("macro", "weighted")
METHODS = ("delong", "bootstrap")
MISSING = ("undefined", "drop")
Rows: TypeAlias = tuple[PairArea, ...] | tuple[ClassArea, ...]


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

    scheme: str
    average: str
    rows: Rows
    n_undefined: int

    def columns(self) -> dict[str, Any]:
        """Return one row per pair or class."""
        return {name: [row[name] for row in self.rows] for name in self.rows[0].keys()}  # noqa: SIM118

    def __str__(self) -> str:
        parts = "pairs of classes" if self.scheme == "ovo" else "classes against the rest"
        head = f"{self.average} average over {len(self.rows) - self.n_undefined} {parts}"
        return "\n".join([f"{Estimate.__str__(self)}, {head}", *(f"  {row}" for row in self.rows)])


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
        "ovo": pairs of classes, each the mean of A(i|j) and A(j|i); with the macro average Hand and
        Till's M, which does not depend on how frequent the classes are. "ovr": each class against all
        others together, which does.
    average
        "macro": all rows count the same. "weighted": by the number of cases, of the two classes of the
        pair or of the class.
    method
        Of the average's interval. "delong": from each case's contribution to the average. "bootstrap":
        percentiles, the cases drawn class by class. Both take the size of each class as given. The rows
        have DeLong's interval in any case; with "ovr" that of `auc` for the class and the rest, which
        takes the classes in the rest as drawn at random.
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    missing
        What becomes of the average where a class has no member or only one: "undefined", or "drop" to
        leave out such classes, their columns and their cases. Their rows are undefined either way.
    n_boot, rng
        Number of bootstrap replicates and their source of chance.

    Returns
    -------
    MulticlassAuc
        An `Estimate` with `scheme`, `average`, `rows` and `n_undefined`. Where all classes are separated
        the interval is an exact bound, as that of `auc`.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "b", "c", "c"]
    >>> p = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]
    >>> print(multiclass_auc(y, p, classes=["a", "b", "c"]))
    AUC 0.9444 (95% interval 0.8254-1.0000, delong), macro average over 3 pairs of classes
      a - b: AUC 0.8333 (95% interval 0.4763-1.0000, delong)
      a - c: AUC 1.0000 (95% interval 0.1581-1.0000, delong)
      b - c: AUC 1.0000 (95% interval 0.1581-1.0000, delong)
    """
    checks.check_choice(scheme, SCHEMES, name="scheme")
    checks.check_choice(average, AVERAGES, name="average")
    checks.check_choice(method, METHODS, name="method")
    checks.check_choice(missing, MISSING, name="missing")
    checks.check_level(level)
    checks.check_alternative(alternative)
    check_n_boot(n_boot)
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    ask = _Ask(scheme, average, method, level, alternative, n_boot, rng)
    sizes = dict(
        zip(data.classes, np.bincount(data.codes, minlength=len(data.classes)).tolist(), strict=True)
    )
    kept = [code for code, n in enumerate(sizes.values()) if missing == "undefined" or n >= FEWEST]
    return ask.answer(_Survey(data, kept, ask), sizes)
