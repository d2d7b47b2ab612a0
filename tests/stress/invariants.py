"""What holds for everything that rocscope returns, whatever went in. One place for all of it."""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import numbers
import pickle
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from rocscope.core.result import Estimate, Result

# Parts of results that hold every case, which their JSON does not.
NO_READER = {"Categories", "FoldRecord"}
# Fields that are probabilities or shares, and methods that return them.
PROBABILITIES = {
    "p_value", "p_adjusted", "p_equivalence", "joint_p", "p_t", "p_wilcoxon", "p_nemenyi", "p_holm",
    "auc", "max_auc", "avg_auc", "adjacent_auc", "auc_free", "auc_nonnegative", "auc_single", "vus",
    "fpr", "tpr", "fpr_low", "fpr_high", "precision", "recall", "level", "power", "share", "prevalence",
    "posterior", "tpr_at", "fpr_at", "partial_auc", "predicted_auc", "error",
}  # fmt: skip
# Estimates that are shares, by the beginning of their names.
SHARES = (
    "AUC",
    "partial AUC",
    "sensitivity",
    "specificity",
    "PPV",
    "NPV",
    "accuracy",
    "F1",
    "TPR",
    "FPR",
    "average precision",
)
# An interval and what it is an interval of.
INTERVALS = (("low", "value", "high"), ("low", "mean", "high"), ("low", "difference", "high"),
             ("fpr_low", "fpr", "fpr_high"), ("low", "threshold", "high"))  # fmt: skip
# Scalars that are only missing for a reason.
NEED_A_REASON = {"value", "low", "high", "p_value", "auc", "a", "b", "max_auc", "avg_auc"}
# What the classes document otherwise, and where they say why.
REASON_ELSEWHERE = {
    "ClassFront.auc": "reason of the class's curves",
    "LearnerTest.low": "tests without an interval",
    "LearnerTest.high": "tests without an interval",
    "PairDifference.p_adjusted": "one pair needs no adjustment",
    "RocCurve.measure": "NaN where 0/0",
    "CriterionTable.values": "NaN where 0/0",
    "CriterionTable.low": "measures without an interval, and 0/0",
    "CriterionTable.high": "measures without an interval, and 0/0",
    "StudyPlan.auc": "plans of two points have no area",
    "AveragedRoc.values": "n_defined",
    "AveragedRoc.pooled": "NaN where 0/0",
    "FoldRecord.auc": "failure, or a fold without one of the classes",
    "FusionAgreement.low": "n_boot",
    "FusionAgreement.high": "n_boot",
    "FusionChoice.value": "status of the preview",
    "WeightNeighbourhood.errors": "cases of the class that errs",
    "WeightNeighbourhood.errors_se": "folds with cases of the class that errs",
    "IndifferenceRegion.mean": "n_defined of the averaged ROC",
    "ComparisonTable.mean": "failures of the comparison",
    "ComparisonTable.sd": "failures of the comparison",
    "ComparisonTable.ranks": "failures of the comparison",
    "FusionCurve.independent": "status",
    "FusionCurve.correlated": "status",
    "FusionCurve.empirical": "status",
    "FusionCurve.first": "status",
    "FusionCurve.second": "status",
    "FusionPreview.best_share": "n_boot",
    "FusionPreview.se": "n_boot",
    "FusionPreview.low": "n_boot",
    "FusionPreview.high": "n_boot",
}
# Differences of estimates can be negative.
SIGNED = {"VarianceComponent.share"}


class UnsoundError(AssertionError):
    """Something returned is not what it must be; the words before the first colon name the invariant."""


def check(value: Any, name: str, *, with_picture: bool, owner: Any = None) -> None:
    """Check what a call of the function or method `name` returned; drawing its picture is slow.

    `owner` is the object whose method it was: where it has a mask of what is defined, its numbers may be NaN.
    """
    if isinstance(value, Result):
        check_numbers(value)
        check_text(value)
        check_json(value)
        check_frame(value)
        if with_picture:
            check_picture(value)
    elif isinstance(value, Path):
        _require(value.read_text().rstrip().endswith("</html>"), f"half a page: {value}")
    else:
        documented = f"{type(owner).__name__}.{name}" in REASON_ELSEWHERE
        check_bare(value, name, may_be_nan=documented or hasattr(owner, "defined"))
    check_copies(value)


# ---- Numbers -----------------------------------


def check_numbers(result: Result) -> None:
    """Intervals hold their value, probabilities lie in [0, 1], and nothing is undefined without a reason."""
    kind = type(result).__name__
    fields = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    _check_intervals(kind, fields)
    _check_reasons(kind, fields)
    if kind == "RocCurve":
        for rate in (result.fpr, result.tpr):
            _require_all(np.diff(rate) >= 0, "a curve that falls: RocCurve", np.diff(rate))
    defined = fields.get("defined")
    for name, value in fields.items():
        where = f"{kind}.{name}"
        if name in PROBABILITIES or (isinstance(result, Estimate) and _is_share(fields, name)):
            _check_probability(where, value)
        if isinstance(value, np.ndarray):
            _require(not value.flags.writeable, f"an array that can be changed: {where}")
            _check_array(where, value, defined)
        elif isinstance(value, float):
            _require(not math.isnan(value), f"NaN in a field: {where}")
    for part in _parts(tuple(fields.values())):
        check_numbers(part)


def _parts(value: Any) -> Iterator[Result]:
    """The results inside of a result."""
    if isinstance(value, Result):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _parts(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _parts(item)


def _check_intervals(kind: str, fields: Mapping[str, Any]) -> None:
    for names in INTERVALS:
        if not all(name in fields for name in names):
            continue
        low, value, high = (_floats(fields[name]) for name in names)
        if low is not None and high is not None:
            _require_all(low <= high, f"low above high: {kind}", low, high)
        if fields.get("alternative", "two-sided") != "two-sided" and fields.get("level", 1) < 0.5:
            continue  # a bound that holds with less than even odds lies beyond the value
        for smaller, larger in ((low, value), (value, high)):
            if smaller is not None and larger is not None and smaller.shape == larger.shape:
                _require_all(
                    smaller <= larger, f"value outside its interval: {kind}.{names[1]}", smaller, larger
                )


def _check_reasons(kind: str, fields: Mapping[str, Any]) -> None:
    status, reason = fields.get("status", "ok"), fields.get("reason")
    has_reason = isinstance(reason, str) and bool(reason.strip())
    _require(has_reason or status == "ok", f"no reason: {kind} has status {status!r}")
    missing = [
        name
        for name in NEED_A_REASON & set(fields)
        if fields[name] is None and f"{kind}.{name}" not in REASON_ELSEWHERE
    ]
    if not missing or fields.get("posterior") is not None:  # a posterior stands in place of a p-value
        return
    _require(
        has_reason, f"None without a reason: {kind}.{', '.join(sorted(missing))} ({fields.get('method')})"
    )


def _is_share(fields: Mapping[str, Any], name: str) -> bool:
    is_difference = re.search(r"difference| - |minus|less", str(fields["name"]))
    return name in ("value", "low", "high") and str(fields["name"]).startswith(SHARES) and not is_difference


def _check_probability(where: str, value: Any) -> None:
    values = _floats(value)
    if values is not None and where not in SIGNED:
        _require_all((values >= 0) & (values <= 1), f"not a probability: {where}", values)


def _check_array(where: str, array: np.ndarray, defined: Any) -> None:
    if array.dtype.kind != "f" or not np.isnan(array).any() or where in REASON_ELSEWHERE:
        return
    _require(isinstance(defined, np.ndarray), f"NaN in an array without a mask: {where}")
    if array.shape == 2 * defined.shape:  # a covariance matrix of parameters
        _require(not np.isnan(array[np.ix_(defined, defined)]).any(), f"NaN where it is defined: {where}")
    elif defined.shape == array.shape[: defined.ndim]:
        mask = defined.reshape(defined.shape + (1,) * (array.ndim - defined.ndim))
        _require(not np.any(np.isnan(array) & mask), f"NaN where it is defined: {where}")


def _require_all(holds: Any, words: str, *arrays: np.ndarray) -> None:
    """All elements hold, undefined ones aside; else the first that does not is shown."""
    holds = np.atleast_1d(holds | reduce(np.logical_or, map(np.isnan, arrays)))
    if not holds.all():
        place = tuple(np.argwhere(~holds)[0])
        shown = ", ".join(repr(float(np.atleast_1d(array)[place])) for array in arrays)
        where = f" at {[int(i) for i in place]}" if arrays[0].ndim else ""
        raise UnsoundError(f"{words}: {shown}{where}")


def _floats(value: Any) -> np.ndarray | None:
    """Numbers as an array, anything else as None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, numbers.Real):
        return np.array(float(value))
    if isinstance(value, tuple | list) and value and all(isinstance(one, numbers.Real) for one in value):
        return np.array(value, dtype=float)
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiu":
        return value.astype(float)
    return None


def check_bare(value: Any, name: str, *, may_be_nan: bool) -> None:
    """Numbers and arrays that come without a result around them."""
    values = _floats(value)
    if values is None:
        return
    _require(may_be_nan or not np.isnan(values).any(), f"NaN returned: by {name}")
    if name == "partial_auc":  # standardized, an area below that of chance has no lower bound
        _require_all(values <= 1, "above 1: partial_auc", values)
    elif name in PROBABILITIES:
        _check_probability(name, value)


# ---- What every result can do -----------------------------------


def check_copies(value: Any) -> None:
    """Equal to itself, to its copies and to what pickle makes of it, with the same hash."""
    for again in (value, copy.copy(value), pickle.loads(pickle.dumps(value))):
        check_same(value, again)
        if isinstance(value, Result):
            _require(hash(again) == hash(value), f"another hash: {type(value).__name__}")


def check_same(value: Any, again: Any) -> None:
    """Both are the same: results by `==`, arrays and frames by what they hold."""
    if isinstance(value, np.ndarray):
        same = np.array_equal(value, again, equal_nan=value.dtype.kind == "f")
    elif isinstance(value, pd.DataFrame):
        same = value.equals(again)
    elif isinstance(value, tuple | list):
        for one, other in zip(value, again, strict=True):
            check_same(one, other)
        return
    elif isinstance(value, dict):
        check_same([*value.items()], [*again.items()])
        return
    elif type(value).__eq__ is object.__eq__:  # compared by identity: data, estimators
        return
    else:
        same = value == again
    _require(bool(same), f"not equal to its twin: {type(value).__name__}")


def check_text(result: Result) -> None:
    kind, text = type(result).__name__, str(result)
    _require(bool(text.strip()), f"empty text: {kind}")
    _require(not text.startswith(f"{kind}("), f"a dump as text: str of {kind}")
    own = re.sub(r"a training failed: .*", "", text)  # the words of an estimator's own exception
    _require(not re.search(r"\bnan\b|\bNone\b", own), f"nan or None in the text: {kind}: {own[:200]}")
    _require(bool(repr(result)), f"empty repr: {kind}")
    _require(isinstance(result._repr_html_(), str), f"no HTML: {kind}")


def check_json(result: Result) -> None:
    """Strict JSON, that reads back equal where there is a reader."""
    kind = type(result).__name__
    saved = json.loads(
        result.to_json(), parse_constant=lambda word: _require(False, f"not strict JSON: {kind} has {word}")
    )
    if kind in NO_READER:
        return
    again = Result.from_dict(saved)
    _require(again.to_dict() == result.to_dict(), f"JSON reads back as another: {kind}.to_dict()")
    if _json_holds_all(result):
        _require(again == result, f"JSON reads back unequal: {kind}")


def _json_holds_all(result: Result) -> bool:
    """Whether JSON has a form for all of a result: not for infinite numbers and labels of odd types."""
    fields = [(field, getattr(result, field.name)) for field in dataclasses.fields(result)]
    holds = all(field.repr and _is_plain(value) for field, value in fields)
    return holds and all(map(_json_holds_all, _parts(tuple(value for _, value in fields))))


def _is_plain(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.size > 0 and (
            value.dtype.kind in "iubU" or (value.dtype == np.float64 and not np.isinf(value).any())
        )
    if isinstance(value, tuple | list):
        return all(map(_is_plain, value))
    if isinstance(value, float):
        return not math.isinf(value)
    return value is None or isinstance(value, bool | int | str | Result | Mapping)


def check_frame(result: Result) -> None:
    frame = result.frame()
    _require(len(frame.columns) > 0, f"frame without columns: {type(result).__name__}")


def check_picture(result: Result) -> None:
    """It draws itself, down to the last label."""
    import matplotlib.pyplot as plt

    try:
        axes = result.plot()
        _require(axes is not None, f"no axes: {type(result).__name__}.plot()")
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
    finally:
        plt.close("all")


def _require(holds: Any, words: str) -> None:
    if not holds:
        raise UnsoundError(words)
