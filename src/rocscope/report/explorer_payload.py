"""What the explorer of operating points gets from Python: exact counts, texts and quantiles.

The page evaluates measures on the counts and tests on their differences by functions that the tests compare
with those of `core.measures`, `core.points` and `average.point_test` on this same payload.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.average.averaged import AveragedRoc
from rocscope.average.point_test import METHODS
from rocscope.core import wald
from rocscope.core.curve import RocCurve
from rocscope.core.measures import MEASURES, TWO_CLASS, evaluate
from rocscope.errors import RocInputError
from rocscope.report import explorer_points as points
from rocscope.report.explorer_histogram import average_histogram, curve_histogram
from rocscope.views.average import panel_measures

LEVELS = (0.8, 0.9, 0.95, 0.99)
LABELS = {
    "tpr": "True positive rate",
    "fpr": "False positive rate",
    "tnr": "True negative rate",
    "fnr": "False negative rate",
    "precision": "Precision (PPV)",
    "npv": "Negative predictive value",
    "accuracy": "Accuracy",
    "error": "Error",
    "balanced_accuracy": "Balanced accuracy",
    "f1": "F1",
    "youden": "Youden's index",
    "lr_pos": "Likelihood ratio +",
    "lr_neg": "Likelihood ratio −",
    "cost": "Expected cost",
    "reject_rate": "Rejected",
    "max-class-error": "Largest class error",
    "mean-class-error": "Mean class error",
}


def curve_payload(
    curve: RocCurve,
    most: int = points.MOST_POINTS,
    *,
    start: int | None = None,
    select: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the explorer of one curve needs; see `explorer_section`.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> sent = curve_payload(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    >>> sent["start"], sent["counts"][4:8], sent["code"]["parts"][1]
    (1, [2, 0, 1, 1], '0.8')
    """
    begin = points.start_of(curve, select) if start is None else start
    kept = points.kept_vertices(curve, most, begin)
    rules = [curve.operating_point(k) for k in kept.tolist()]
    counts = curve.confusion()[kept]
    return _common(curve, kept, rules, counts[:, np.newaxis], begin) | {
        "bounds": ", ".join(select),
        "averaged": False,
        "complete": len(kept) == len(curve),
        "kind": "threshold",
        "classes": [str(curve.neg_label), str(curve.pos_label)],
        "folds": [],
        "thresholds": [points.finite_or_text(float(t)) for t in curve.thresholds[kept]],
        "order": list(range(len(kept))),
        "counted": _is_whole(counts),
        "rounded": False,
        "compared": ["tpr", "fpr"],
        "farthest": points.farthest_left_out(curve, kept) if len(kept) < len(curve) else None,
        "histogram": curve_histogram(curve),
    }


def average_payload(
    roc: AveragedRoc,
    most: int = points.MOST_POINTS,
    *,
    start: int | None = None,
    select: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the explorer of an averaged ROC needs; one fold alone is sent as one set of cases.

    Examples
    --------
    >>> from rocscope.average.roc import average_roc
    >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
    >>> sent = average_payload(roc)
    >>> sent["folds"], sent["compared"], len(sent["counts"])
    (['0', '1'], ['tpr', 'fpr'], 32)
    """
    begin = points.start_of(roc, select) if start is None else start
    kept = points.kept_points(roc, points.MOST_NUMBERS * most // points.MOST_POINTS, begin)
    rules = [roc.point(k) for k in kept.tolist()]
    order = points.along(roc)
    thresholds = roc.thresholds
    return _common(roc, kept, rules, roc.counts[kept], begin) | {
        "bounds": ", ".join(select),
        "complete": False,
        "kind": roc.kind,
        "classes": [str(name) for name in roc.classes],
        "thresholds": None
        if thresholds is None
        else [points.finite_or_text(float(t)) for t in thresholds[kept]],
        "order": None if order is None else [int(k) for k in np.argsort(np.argsort(order)[kept])],
        "counted": True,
        "rounded": True,
        "compared": list(roc.measures),
        "given": _given(roc, kept),
        "prevalence": None if roc.prevalence is None else np.asarray(roc.prevalence).tolist(),
        "cost": None if roc.cost is None else np.asarray(roc.cost).tolist(),
        "histogram": average_histogram(roc),
        "panels": _panels(roc),
        **_over_folds(roc),
    }


def _over_folds(roc: AveragedRoc) -> dict[str, Any]:
    """What the tests between folds need; one fold has none."""
    if len(roc.folds) == 1:
        return {"averaged": False, "folds": []}
    return {
        "averaged": True,
        "folds": [str(name) for name in roc.folds],
        "test_over_train": roc.test_over_train,
        "t": _t_quantiles(len(roc.folds)),
    }


def _panels(roc: AveragedRoc) -> list[tuple[str, ...]]:
    """The measures of each of the panels that show the same points, as they are linked; none of a curve."""
    return [] if roc.thresholds is not None else list(panel_measures(roc))


def _common(
    result: Any, kept: points.Indices, rules: list[Any], counts: NDArray[Any], begin: int
) -> dict[str, Any]:
    start = int(np.searchsorted(kept, begin).clip(max=len(kept) - 1))
    return {
        "n_points": len(result),
        "index": kept.tolist(),
        "start": start,
        "counts": counts.ravel().tolist(),
        "columns": counts.shape[-1],
        "labels": points.shared([points.told(rule) for rule in rules]),
        "json": points.shared_or_none(points.saved, rules),
        "code": points.shared_or_none(points.code, rules),
        "measures": _measures(result, counts.shape[-2:]),
        "levels": list(LEVELS),
        "z": [wald.quantile(level) for level in LEVELS],
    }


def _measures(result: Any, shape: tuple[int, ...]) -> list[dict[str, str]]:
    """Names and labels of all measures that can be shown, those of the result first."""
    n_classes, n_columns = shape
    own = list(getattr(result, "measures", ()))
    names = [name for name in MEASURES if n_classes == 2 or name not in TWO_CLASS]
    names = [name for name in names if name != "reject_rate" or n_columns > n_classes]
    if n_classes > 2:
        names = [f"error({name})" for name in result.classes] + names
    else:
        names = [name for name in names if not name.endswith("class-error")]
    return [{"name": name, "label": _label(name)} for name in dict.fromkeys([*own, *names])]


def _label(name: str) -> str:
    if name.startswith("error(") and name.endswith(")"):
        return f"Error of {name[6:-1]}"
    return LABELS.get(name, name)


def _given(roc: AveragedRoc, kept: points.Indices) -> dict[str, Any]:
    """Values of those measures that the counts alone do not give: functions of the user's own."""
    return {
        name: [points.finite_or_text(value) for value in roc.values[kept, k].ravel().tolist()]
        for k, name in enumerate(roc.measures)
        if not _is_built_in(roc, name, k)
    }


def _is_built_in(roc: AveragedRoc, name: str, k: int) -> bool:
    try:
        found = evaluate(name, roc.counts, classes=roc.classes, prevalence=roc.prevalence, cost=roc.cost)
    except RocInputError:
        return False
    return np.array_equal(found, roc.values[:, k], equal_nan=True)


def _t_quantiles(n_folds: int) -> dict[str, Any]:
    """Degrees of freedom of every test, and how many standard errors its intervals reach at each level."""
    df = {method: 2 * n_folds - 2 if method == "paclik" else n_folds - 1 for method in METHODS}
    return {
        method: {"df": df[method], "reach": [wald.quantile(level, df=df[method]) for level in LEVELS]}
        for method in METHODS
    }


def _is_whole(counts: NDArray[Any]) -> bool:
    """Whether the counts are cases, not fractional weights: only these have intervals of shares."""
    return bool(counts.dtype.kind in "iu" or (counts == np.round(counts)).all())
