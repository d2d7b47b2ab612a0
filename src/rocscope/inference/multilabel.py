"""Areas of several labels, of which a case may have any number, and their averages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.core import checks, resampling
from rocscope.inference._multilabel_sums import (
    Bools,
    Floats,
    LabelScores,
    bootstrap_labels,
    label_average,
    two_classes,
)
from rocscope.inference.auc import auc_from_sums
from rocscope.inference.multiclass import FEWEST, LabelArea, MulticlassAuc, average_fields

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
    fields = dict(auc_from_sums(two_classes(positive, data.scores[:, column]).sums(), **side))
    fields["reason"] = reason or fields["reason"]
    return LabelArea(positive=name, **fields | sizes)
