"""Areas of several labels, of which a case may have any number; and the micro average, of classes as well.

A case has a score and a 0 or 1 for every label. With A_c the area of label c over the cases and m_c its
positives, the averages are those of scikit-learn:

    macro      the mean of A_c
    weighted   sum m_c A_c / sum m_c
    micro      the area of all entries (case, label) together
    samples    the mean over cases of the area among the labels of the case

A case is drawn with all its entries, which are not independent. With the placement V of an entry, the share
of the other class's entries that it is ranked rightly against, the deviation V - A over the number of its
class says how much the entry moves an area; the sum over the entries of a case says how much the case moves
the average, and the sum of squares of these is its variance. Deviations of positives are scaled by
sqrt(I / (I - 1)), I the cases that have one, those of negatives alike: for one label this is DeLong's
variance, for the micro average that of clustered data [1]_.

References
----------
.. [1] Obuchowski: Nonparametric analysis of clustered ROC curve data, Biometrics 53, 1997.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, frames, resampling
from rocscope.core.scores import BinaryScores, score_warnings
from rocscope.errors import RocInputError
from rocscope.inference.auc import auc_from_sums
from rocscope.inference.multiclass import FEWEST, LabelArea, MulticlassAuc, average_fields

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

# The largest share of bootstrap replicates that may lack a class of a label.
MOST_UNDEFINED = 0.5


def multilabel_auc(
    data: LabelScores,
    *,
    average: str,
    method: Any,
    level: float,
    alternative: checks.Alternative,
    missing: str,
    sampling: resampling.Sampling,
) -> MulticlassAuc:
    """Areas of every label and their average; the arguments are those of `multiclass_auc`."""
    side: dict[str, Any] = {"level": level, "alternative": alternative}
    row_side = {"method": "logit" if method == "bootstrap" else method, **side}
    rows = tuple(_label_area(data, column, row_side) for column in range(len(data.names)))
    few = ", ".join(row.reason for row in rows if row.reason and min(row.n_pos, row.n_neg) < FEWEST)
    if average == "samples":
        part = _part_of_cases(data, missing)
    else:
        part = _part_of_labels(data, average, missing, few)
    fields: dict[str, Any]
    if not part.defined:
        fields = average_fields(None, part.reason, method=method, **side)
    else:
        reason, se, replicates = part.reason, None, None
        value, deviations = label_average(part.positive, part.scores, average, scaled=reason is None)
        lost = 0
        if reason is None and method == "bootstrap":
            sizes = (len(part.positive),)
            n_boot = sampling.n_boot
            drawn = bootstrap_labels(part.positive, part.scores, average, sizes, sampling)
            replicates = drawn[np.isfinite(drawn)]
            lost = n_boot - replicates.size
            if lost > n_boot * MOST_UNDEFINED:
                reason = f"a label has one class alone in {lost} of {n_boot} bootstrap replicates"
            else:
                se = resampling.standard_error(replicates)
        elif reason is None:
            se = math.sqrt(float(deviations @ deviations))
        fields = average_fields(value, reason, se, part.bound, replicates, method=method, **side)
        if se is not None and lost:
            of_all = f"{lost} of {sampling.n_boot} bootstrap replicates"
            fields["warnings"] += (f"{of_all}, in which a label has one class alone, left out",)
        fields["warnings"] += part.warnings
    fields["warnings"] += data.warnings
    n_undefined = sum(row.value is None for row in rows)
    return MulticlassAuc(scheme="multilabel", average=average, rows=rows, n_undefined=n_undefined, **fields)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Part:
    """The cases and labels of an average: whether it is defined, why it has no interval, what was left out.

    `bound` is the number of independent comparisons of an area of exactly 0 or 1, see `exact_bound`.
    """

    positive: Bools
    scores: Floats
    defined: bool
    reason: str | None
    bound: int | None
    warnings: tuple[str, ...] = ()


def _part_of_labels(data: LabelScores, average: str, missing: str, few: str) -> _Part:
    """For averages over labels: those with both classes; the micro average takes the others, too."""
    n_pos = data.positive.sum(axis=0)
    smallest = np.minimum(n_pos, len(data.positive) - n_pos)
    kept = smallest >= FEWEST
    if missing == "undefined":
        kept = np.ones_like(kept)
    positive, scores = data.positive[:, kept], data.scores[:, kept]
    n_out = int((~kept).sum())
    number = f"{n_out} of {len(kept)} labels {'is' if n_out == 1 else 'are'}"
    warnings = (f"{number} left out: {few}",) if n_out else ()
    reason = None
    if average == "micro":
        defined = bool(0 < positive.sum() < positive.size)
        if not defined:
            reason = few
        elif min(side.any(axis=1).sum() for side in (positive, ~positive)) < FEWEST:
            reason = "the variance needs two cases with a label and two without one"
        return _Part(
            positive=positive, scores=scores, defined=defined, reason=reason, bound=None, warnings=warnings
        )
    undefined = int((smallest[kept] == 0).sum())
    defined = bool(kept.any()) and not undefined
    if not kept.any():
        reason = few
    elif undefined:
        number = f"{undefined} of {len(kept)} labels {'is' if undefined == 1 else 'are'}"
        reason = f"{number} undefined: {few}; they can be left out"
    elif smallest[kept].min() < FEWEST:
        reason = f"the variance needs two cases of each class, {few}; such labels can be left out"
    bound = int(smallest[kept].min()) if kept.any() else None
    return _Part(
        positive=positive, scores=scores, defined=defined, reason=reason, bound=bound, warnings=warnings
    )


def _part_of_cases(data: LabelScores, missing: str) -> _Part:
    """For the average over cases: those that have a label and lack one."""
    n_labels = data.positive.sum(axis=1)
    kept = (n_labels > 0) & (n_labels < len(data.names))
    n_out = int((~kept).sum())
    number = f"{n_out} of {len(kept)} cases {'has' if n_out == 1 else 'have'} no label or every label"
    positive, scores = data.positive[kept], data.scores[kept]
    defined, reason = bool(kept.any()) and (not n_out or missing == "drop"), None
    if not defined:
        reason = f"{number}; they can be left out" if kept.any() else number
    elif len(positive) < FEWEST:
        reason = f"the variance needs two cases{f', {number}' if n_out else ''}"
    warnings = (f"{number}, and {'is' if n_out == 1 else 'are'} left out",) if n_out else ()
    # The mean of n areas is 1 with a probability of at most its expectation to the power n.
    bound = len(positive)
    return _Part(
        positive=positive, scores=scores, defined=defined, reason=reason, bound=bound, warnings=warnings
    )


def _label_area(data: LabelScores, column: int, side: dict[str, Any]) -> LabelArea:
    """The row of a label, whose area is that of two classes."""
    name, positive = data.names[column], data.positive[:, column]
    n_pos = int(positive.sum())
    sizes: dict[str, Any] = {"n_pos": n_pos, "n_neg": positive.size - n_pos}
    few = [
        f"{'one' if n else 'no'} {'positive' if key == 'n_pos' else 'negative'} case"
        for key, n in sizes.items()
        if n < FEWEST
    ]
    reason = f"label {checks.show(name)} has {' and '.join(few)}" if few else None
    if min(sizes.values()) == 0:
        return LabelArea(positive=name, **sizes, **average_fields(None, reason, **side))
    fields = dict(auc_from_sums(_two_classes(positive, data.scores[:, column]).sums(), **side))
    fields["reason"] = reason or fields["reason"]
    return LabelArea(positive=name, **fields | sizes)


# ---- Labels and scores, checked ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelScores:
    """Which labels each case has, (cases, labels), and the scores of the labels.

    Examples
    --------
    >>> data = LabelScores.from_arrays([[1, 0], [1, 1]], [[0.9, 0.2], [0.4, 0.6]], classes=["cat", "dog"])
    >>> data.positive.tolist(), data.names
    ([[True, False], [True, True]], ('cat', 'dog'))
    """

    positive: Bools
    scores: Floats
    names: tuple[Any, ...]
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_arrays(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        classes: Sequence[Any] | None = None,
        label: Any = None,
        score: Any = None,
        na: frames.Missing = "error",
    ) -> LabelScores:
        """Check a matrix of 0 and 1 and one of scores; or a data frame, the columns of both being named."""
        checks.check_choice(na, get_args(frames.Missing), name="na")
        if label is not None:
            y_true, y_score = _named_columns(y_true, y_score, label, score)
        frame = frames.as_frame(y_true)
        checks.check_same_index(y_true=y_true, y_score=y_score)
        values, matrix = checks.as_array(y_true, name="y_true"), checks.as_array(y_score, name="y_score")
        checks.check_same_length(y_true=values, y_score=np.atleast_1d(matrix))
        names: Any = classes
        if classes is None:
            names = range(values.shape[1]) if frame is None else [str(name) for name in frame.columns]
        names = checks.check_names(names, name="classes")
        if len(names) != values.shape[1]:
            raise RocInputError(
                f"must name every label ({values.shape[1]}), got {checks.show(list(names))}",
                argument="classes",
            )
        warnings: tuple[str, ...] = ()
        if na == "drop":
            gone = np.asarray(checks.missing(values).any(axis=1))
            gone |= checks.missing(matrix).reshape(len(gone), -1).any(axis=1)
            if gone.all():
                raise RocInputError("must leave rows without missing values, got none", argument="na")
            values, y_score = values[~gone], matrix[~gone] if gone.any() else y_score
            n = int(gone.sum())
            warnings = (f"{n} row{'s' if n > 1 else ''} with missing values left out",) if n else ()
        missing = checks.missing(values)
        checks.refuse_rows(missing, name="y_true", required="a 0 or 1 for every label", got="missing values")
        if values.dtype.kind not in "biufO":
            raise RocInputError(
                f"must hold a 0 or 1 for every label, got {checks.show(values[0, 0])}", argument="y_true"
            )
        positive = np.asarray(values == 1, dtype=bool)
        checks.refuse_rows(
            ~(positive | np.asarray(values == 0, dtype=bool)),
            name="y_true",
            required="a 0 or 1 for every label",
            got="other values",
        )
        scores = checks.as_matrix(y_score, name="y_score", columns=len(names), ranks=True)
        of_scores = score_warnings(("y_score",), (scores.ravel(),))
        return cls(positive=positive, scores=scores, names=names, warnings=(*of_scores, *warnings))


def _named_columns(y_true: Any, y_score: Any, label: Any, score: Any) -> tuple[Any, Any]:
    """The columns of a data frame that hold labels, and those that hold their scores."""
    frame = frames.as_frame(y_true)
    if y_score is not None:
        raise RocInputError("must be left out where label names columns of y_true", argument="y_score")
    parts = []
    for argument, names in (("label", label), ("score", score)):
        if isinstance(names, str):
            raise RocInputError(f"must name one column per label, got {names!r}", argument=argument)
        for name in checks.check_names(names, name=argument):
            frames.column(frame, name, argument=argument)
        parts.append(frame.select(*names).to_native())
    return parts[0], parts[1]


def is_multilabel(y_true: Any, y_score: Any, label: Any) -> bool:
    """Whether `y_true` holds a column for each of two or more labels.

    Examples
    --------
    >>> is_multilabel([[1, 0], [0, 1]], None, None), is_multilabel(["a", "b"], None, None)
    (True, False)
    """
    frame = frames.as_frame(y_true)
    if frame is not None:
        several = label is not None and not isinstance(label, str)
        return several or (y_score is not None and label is None and len(frame.columns) > 1)
    shape = checks.as_array(y_true, name="y_true").shape
    return len(shape) == 2 and shape[1] > 1 and shape[0] > 0


# ---- Averages, and how much each case moves them -----------------------------------------------------------


def _two_classes(positive: Bools, scores: Floats) -> BinaryScores:
    return BinaryScores(positive=positive, columns=(scores,), names=("y_score",), pos_label=1, neg_label=0)


def label_average(
    positive: Bools, scores: Floats, average: str, *, scaled: bool = True
) -> tuple[float, Floats]:
    """An average, and of each case how much it moves the average.

    The sum of squares of the deviations is the variance, if they are `scaled`; without, they sum to 0.

    Examples
    --------
    >>> positive = np.array([[1, 0], [0, 1], [1, 1], [0, 0]], dtype=bool)
    >>> scores = np.array([[0.9, 0.2], [0.4, 0.3], [0.3, 0.8], [0.1, 0.6]])
    >>> label_average(positive, scores, "macro")[0], label_average(positive, scores, "micro")[0]
    (0.75, 0.75)
    """
    n_cases = len(positive)
    whole = math.sqrt(n_cases / (n_cases - 1)) if scaled else 1.0
    if average == "samples":
        areas = row_areas(positive, scores)
        value = math.fsum(areas) / n_cases
        return value, whole * (areas - value) / n_cases
    if average == "micro":
        value, of_pos, of_neg = _deviations(positive.ravel(), scores.ravel())
        of_pos, of_neg = (part.reshape(positive.shape).sum(axis=1) for part in (of_pos, of_neg))
        return value, sum(
            part * (_scale(int(side.any(axis=1).sum())) if scaled else 1.0)
            for part, side in ((of_pos, positive), (of_neg, ~positive))
        )
    n_pos = positive.sum(axis=0)
    weights = n_pos if average == "weighted" else np.ones(len(n_pos), np.int64)
    total = int(weights.sum())
    areas = np.empty(len(n_pos))
    deviations = np.zeros(n_cases)
    for column, weight in enumerate(weights.tolist()):
        areas[column], of_pos, of_neg = _deviations(positive[:, column], scores[:, column])
        if scaled:
            m = int(n_pos[column])
            of_pos, of_neg = of_pos * _scale(m), of_neg * _scale(n_cases - m)
        deviations += weight / total * (of_pos + of_neg)
    value = math.fsum((weights * areas).tolist()) / total
    if average == "weighted":  # a case moves the weights of its labels, too
        deviations += whole * (positive @ (areas - value)) / total
    return value, deviations


def _scale(n: int) -> float:
    return math.sqrt(n / (n - 1))


def _deviations(positive: Bools, scores: Floats) -> tuple[float, Floats, Floats]:
    """An area, and of each positive and each negative the deviation of its placement over their number."""
    of_pos, of_neg = _two_classes(positive, scores).doubled_placements()
    m, n = of_pos.size, of_neg.size
    area = int(of_pos.sum()) / (2 * m * n)
    by_pos, by_neg = np.zeros(positive.size), np.zeros(positive.size)
    by_pos[positive] = (of_pos / (2 * n) - area) / m
    by_neg[~positive] = (of_neg / (2 * m) - area) / n
    return area, by_pos, by_neg


def row_areas(positive: Bools, scores: Floats) -> Floats:
    """Area among the labels of each case, which has one at least and lacks one at least.

    Examples
    --------
    >>> row_areas(np.array([[True, False, False]]), np.array([[0.5, 0.5, 0.1]])).tolist()
    [0.75]
    """
    twice_u = np.zeros(len(positive), np.int64)
    for column in range(positive.shape[1]):
        own = scores[:, [column]]
        placement = ((scores < own) & ~positive).sum(axis=1) + ((scores <= own) & ~positive).sum(axis=1)
        twice_u += np.where(positive[:, column], placement, 0)
    n_pos = positive.sum(axis=1)
    return np.asarray(twice_u / (2 * n_pos * (positive.shape[1] - n_pos)))


# ---- Bootstrap of cases, each with all its labels ----------------------------------------------------------


def bootstrap_labels(
    positive: Bools, scores: Floats, average: str, sizes: Sequence[int], sampling: resampling.Sampling
) -> Floats:
    """Replicates of an average; NaN where a label has one class alone.

    Cases stand in groups of these sizes, one after another; each group is drawn apart and keeps its size.
    """
    n_cases, n_labels = positive.shape
    rows = row_areas(positive, scores) if average == "samples" else None
    if average == "micro":  # all entries of a case are drawn with it
        columns = [_ranking(positive.ravel(), scores.ravel(), np.arange(positive.size) // n_labels)]
    else:
        cases = np.arange(n_cases)
        columns = [_ranking(positive[:, c], scores[:, c], cases) for c in range(n_labels)]

    def averages(draws: resampling.Draws) -> Floats:
        drawn = np.concatenate(draws.classes, axis=1)
        if rows is not None:
            return np.asarray(drawn @ rows / n_cases)
        sums = np.stack([column.twice_u(drawn, drawn) for column in columns], axis=1)
        twice_u, n_neg, n_pos = np.moveaxis(sums, -1, 0)
        weights = n_pos if average == "weighted" else np.ones_like(n_pos)
        with np.errstate(invalid="ignore"):
            areas = twice_u / (2 * n_pos * n_neg)
        return np.asarray((areas * weights).sum(axis=1) / weights.sum(axis=1))

    return np.asarray(sampling.replicates(resampling.Cases(tuple(sizes)), averages))


def _ranking(positive: Bools, scores: Floats, cases: NDArray[Any]) -> resampling.Ranking:
    """Entries of two classes, numbered by their cases."""
    return resampling.Ranking.of(scores[~positive], scores[positive], cases[~positive], cases[positive])
