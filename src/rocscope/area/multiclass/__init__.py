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

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.area.multiclass.average import Averaging, average_rows, average_shares
from rocscope.area.multiclass.placements import ClassSplit
from rocscope.area.multiclass.rows import FEWEST, Rows, class_rows, pair_rows
from rocscope.area.multiclass.sums import survey_pairs
from rocscope.area.resampled import check_n_boot
from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng
from rocscope.core.result import Estimate
from rocscope.core.scores import ClassScores
from rocscope.errors import ResourceError

# More rows than anyone reads: 500,000 take half a gigabyte, and 10,000 classes would have 50 million.
MOST_PAIRS = 500_000
MOST_CLASSES = 10_000
ROWS = {"ovo": pair_rows, "ovr": class_rows}
CHOICES = {
    "scheme": tuple(ROWS),
    "average": ("macro", "weighted"),
    "method": ("delong", "logit", "bootstrap"),
    "missing": ("undefined", "drop"),
}


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

    def _summary(self) -> str:
        told = Estimate._summary(self)
        if self.value is not None:
            n = len(self.rows) - self.n_undefined
            kind = "pairs of classes" if self.scheme == "ovo" else "classes against the rest"
            told += f", {self.average} average over {n} of {len(self.rows)} {kind}"
        return "\n".join([told, *(f"  {row.summary()}" for row in self.rows)])


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
        "ovo": pairs of classes (at most 500,000, of 1,000 classes), each the mean of A(i|j) and A(j|i);
        with the macro average Hand and Till's M, which does not depend on how frequent the classes are.
        "ovr": each class against all others together, which does.
    average
        "macro": all rows count the same. "weighted": by the number of cases, of the two classes of the
        pair or of the class.
    method
        "delong": area plus and minus normal quantiles of the standard error, which comes from each case's
        contribution to the average. "logit": the same on the scale log(A / (1 - A)); better where few
        cases are ranked wrongly. "bootstrap": percentiles of the average, the cases drawn class by class;
        the rows then have the interval of "delong".
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.
    missing
        What becomes of classes with no member or only one. "undefined": without a member the rows of the
        class and the average are undefined, with one they have a value and no interval. "drop": such
        classes are left out of the average, with their columns and their cases, and their rows are
        undefined.
    n_boot, rng
        Number of bootstrap replicates and their source of chance.

    Returns
    -------
    MulticlassAuc
        An `Estimate` with `scheme`, `average`, `rows` and `n_undefined`. Where all classes are separated
        the interval is an exact bound, as that of `auc`.

    Notes
    -----
    The intervals of the average take the size of each class as given. For Hand and Till's M this is no
    restriction. The other averages depend on how frequent the classes are: their intervals are for classes
    as frequent as in the data, and too short if the frequencies themselves are to be estimated. The rows
    of "ovr" are the areas of `auc`, whose interval takes the classes in the rest as drawn at random.

    Examples
    --------
    >>> y = ["a", "a", "b", "b", "b", "c", "c"]
    >>> p = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]
    >>> print(multiclass_auc(y, p, classes=["a", "b", "c"]))
    AUC 0.9444 (95% interval 0.7905-1.0000, delong), macro average over 3 of 3 pairs of classes
      a - b: AUC 0.8333 (95% interval 0.3714-1.0000, delong)
      a - c: AUC 1.0000 (95% interval 0.1581-1.0000, delong)
      b - c: AUC 1.0000 (95% interval 0.1581-1.0000, delong)
    note: a - c, b - c: the classes are separated: the interval is the exact bound for an area of 1
    """
    _check_choices(scheme=scheme, average=average, method=method, missing=missing)
    checks.check_level(level)
    checks.check_alternative(alternative)
    check_n_boot(n_boot)
    _check_size(classes, scheme)
    data = ClassScores.from_arrays(y_true, y_score, classes=classes)
    counts = np.bincount(data.codes, minlength=len(data.classes)).tolist()
    sizes = dict(zip(data.classes, counts, strict=True))
    kept = [code for code, n in enumerate(counts) if missing == "undefined" or n >= FEWEST]
    split = ClassSplit.of(data, kept)
    survey = survey_pairs(split, average_shares(scheme, average, split.sizes), of_pairs=scheme == "ovo")
    codes = {data.classes[code]: place for place, code in enumerate(kept)}
    rows = ROWS[scheme](
        survey,
        sizes,
        codes,
        method="delong" if method == "bootstrap" else method,
        level=level,
        alternative=alternative,
    )
    how = Averaging(average, method, level, alternative, n_boot, rng)
    return MulticlassAuc(
        scheme=scheme,
        average=average,
        rows=rows,
        n_undefined=sum(row.value is None for row in rows),
        **average_rows(rows, sizes, split, survey.influence, how),
    )


def _check_size(classes: Any, scheme: str) -> None:
    """Refuse, before any work, more classes than can be placed or written out."""
    n = len(classes) if isinstance(classes, Sized) else 0
    if n > MOST_CLASSES:
        raise ResourceError(f"multiclass_auc takes at most {MOST_CLASSES:,} classes, got {n:,}")
    pairs = n * (n - 1) // 2
    if scheme == "ovo" and pairs > MOST_PAIRS:
        raise ResourceError(
            f"scheme 'ovo' has a row for each pair of classes, at most {MOST_PAIRS:,} pairs, got {pairs:,} "
            f"of {n:,} classes: scheme='ovr' has one row per class"
        )


def _check_choices(**given: Any) -> None:
    for name, value in given.items():
        checks.check_choice(value, CHOICES[name], name=name)
