"""The explorer of operating points: a curve on which the reader moves a point and watches what it is worth.

Python sends exact counts (`explorer_payload`); the scripts of assets/explorer_*.js do the rest, one concern
each, in the order of `SCRIPTS`: arithmetic, measures, their intervals, the model of the payload, the choice
of a point, the tests between points, the state and its place in the address, words, and what is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.point_tests import METHODS
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import significance
from rocscope.core.curve import RocCurve
from rocscope.core.measures import MEASURES, TWO_CLASS, evaluate
from rocscope.errors import RocInputError
from rocscope.plotting.average import panel_measures
from rocscope.reporting import explorer_points as points
from rocscope.reporting.explorer_points import MOST_POINTS, along
from rocscope.reporting.html import Html, element
from rocscope.reporting.sections import Section

SCRIPTS = (
    "explorer_numbers.js",
    "explorer_measures.js",
    "explorer_shares.js",
    "explorer_class_intervals.js",
    "explorer_intervals.js",
    "explorer_model.js",
    "explorer_select.js",
    "explorer_test.js",
    "explorer_state.js",
    "explorer_url.js",
    "explorer_words.js",
    "explorer_dom.js",
    "explorer_scale.js",
    "explorer_plot.js",
    "explorer_pointer.js",
    "explorer_histogram.js",
    "explorer_panel.js",
    "explorer_pinned.js",
    "explorer_controls.js",
    "explorer_copy.js",
    "explorer_links.js",
    "explorer_start.js",
)
STYLES = ("explorer.css",)
LINKED = " The panels above show the point that you choose here; click one of theirs to choose it."
ON_CURVE = "Click the curve or drag along it; or focus the curve and use the arrow keys"
IN_CLOUD = "Click a point or drag from one to another; or focus the picture and use the arrow keys"
KEYS = (
    " (Page Up and Page Down for ten points, Home and End for the ends), P to pin the point and O to go to "
    "the best one."
)


def explorer_section(
    result: RocCurve | AveragedRoc,
    *,
    name: str | None = None,
    most: int = MOST_POINTS,
    start: int | None = None,
    select: Sequence[str] = (),
) -> Section | None:
    """Return the section in which the operating points of a result are explored.

    Parameters
    ----------
    result
        A ROC curve, or an average over folds, whose points are then shown with their variance, and with the
        points that cannot be told apart from the chosen one. An average of one fold is one set of cases, as a
        curve is: its points have the standard errors and intervals of shares.
    name
        Name of the score or classifier, for the title.
    most
        Points of a curve that are shown; of an average as many as take the room of so many times 200 numbers.
    start
        Index of the point that is shown first; by default the one that `select` gives.
    select
        Constraints such as "tpr>=0.9", with which the choice of the best point begins.

    Returns
    -------
    Section or None
        None where there is no choice, with fewer than two points.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> section = explorer_section(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="marker")
    >>> section.title, section.kind
    ('Choose an operating point of marker', 'explorer')
    """
    if len(result) < 2:
        return None
    over_folds = isinstance(result, AveragedRoc) and len(result.folds) > 1
    make: Any = average_payload if isinstance(result, AveragedRoc) else curve_payload
    payload = make(result, most, start=start, select=select)
    of = f" of {name}" if name else ""
    return Section(
        title=f"Choose an operating point{of}{' by its folds' if over_folds else ''}",
        body=(element("p", _help(payload), class_="explorer-help"), *_notes(payload), _place()),
        kind="explorer",
        payload=payload,
        scripts=SCRIPTS,
        styles=STYLES,
        fewer=lambda most: explorer_section(result, name=name, most=most, start=start, select=select),
    )


def _help(payload: dict[str, Any]) -> str:
    where = IN_CLOUD if payload["order"] is None else ON_CURVE
    return where + KEYS + (LINKED if payload.get("panels") else "")


def _place() -> Html:
    return element(
        "div", element("noscript", "This part of the report needs JavaScript."), class_="explorer-place"
    )


def _notes(payload: dict[str, Any]) -> list[Html]:
    shown, total = len(payload["index"]), payload["n_points"]
    if shown == total:
        return []
    farthest = payload.get("farthest")
    apart = (
        ""
        if farthest is None
        else f"; no other differs by more than {farthest:.2g} in a rate from one of them"
    )
    return [
        element(
            "p", f"{shown} of {total} points are shown, each with its exact counts{apart}.", class_="note"
        )
    ]


# ---- What the explorer of operating points gets from Python: exact counts, texts and quantiles ------------
# The page evaluates measures on the counts and tests on their differences by functions that the tests compare
# with those of `core.measures`, `core.points` and `average.point_test` on this same payload.

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
    >>> from rocscope.averaging.roc import average_roc
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
        "z": [significance.quantile(level) for level in LEVELS],
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
        method: {"df": df[method], "reach": [significance.quantile(level, df=df[method]) for level in LEVELS]}
        for method in METHODS
    }


def _is_whole(counts: NDArray[Any]) -> bool:
    """Whether the counts are cases, not fractional weights: only these have intervals of shares."""
    return bool(counts.dtype.kind in "iu" or (counts == np.round(counts)).all())


# ---- The scores of each class, counted in bins for the histogram under an explorer's curve ----------------

Floats = NDArray[np.float64]
BINS = 40
LARGEST = 1e300  # beyond, a difference may be more than a float holds


def curve_histogram(curve: RocCurve, bins: int = BINS) -> dict[str, Any] | None:
    """Count the finite scores of both classes in bins of equal width; None where all are one number.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> curve_histogram(roc_curve([0, 0, 1, 1], [0.0, 0.4, 0.3, 1.0]), bins=2)
    {'edges': [0.0, 0.5, 1.0], 'counts': [[2, 0], [1, 1]], 'outside': 0, 'even': True}
    """
    scores = curve.thresholds[1:].astype(np.float64)
    finite = np.isfinite(scores)
    if not finite.any() or scores[finite].min() == scores[finite].max():
        return None
    edges = _edges(scores[finite], bins)
    place = np.searchsorted(edges, scores[finite], side="right").clip(1, len(edges) - 1) - 1
    cases = [np.diff(counted) for counted in (curve.fp, curve.tp)]
    counts = [_summed(place, of_class[finite], len(edges) - 1) for of_class in cases]
    outside = sum(of_class[~finite].sum().item() for of_class in cases)
    return {"edges": edges.tolist(), "counts": counts, "outside": outside, "even": True}


def _edges(scores: Floats, bins: int) -> Floats:
    """Edges of equal bins; scores that are few, as ratings are, have a bin each."""
    low, high = scores.min(), scores.max()
    if len(scores) <= bins // 2 and max(abs(low), abs(high)) < LARGEST:
        step = (high - low) / (len(scores) - 1)
        if np.ptp(np.diff(scores)) <= 1e-9 * (high - low):
            return np.linspace(low - step / 2, high + step / 2, len(scores) + 1)
    edges = np.linspace(0, 1, bins + 1)
    return np.asarray(low * (1 - edges) + high * edges)


def _summed(place: NDArray[np.int64], cases: NDArray[Any], bins: int) -> list[Any]:
    sums = np.zeros(bins, dtype=cases.dtype)
    np.add.at(sums, place, cases)
    return list(sums.tolist())


def average_histogram(roc: AveragedRoc, bins: int = BINS) -> dict[str, Any] | None:
    """Count the cases of both classes between the thresholds of an average; None where it has none.

    The scores themselves are not in the result: the bins are as wide as its thresholds are apart, or as
    nearly equal as many thresholds allow. Cases above the largest threshold are counted in the last bin,
    those below the smallest one are `outside`.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.8], fold=[0, 1, 0, 1])
    >>> average_histogram(roc)
    {'edges': [0.1, 0.3, 0.4, 0.8], 'counts': [[1, 0, 1], [0, 1, 1]], 'outside': 0, 'even': False}
    """
    order, confusion = along(roc), roc.confusion
    if order is None or roc.thresholds is None or confusion.shape[1:] != (2, 2) or roc.kind != "threshold":
        return None
    thresholds = roc.thresholds.astype(np.float64)[order]
    finite = np.isfinite(thresholds) & (np.diff(thresholds, prepend=np.inf) < 0)
    if np.count_nonzero(finite) < 3:
        return None
    at = order[finite][_spread(thresholds[finite], bins)]
    positive = confusion[at, :, 1].T
    between = np.diff(positive, axis=1)
    between[:, 0] += positive[:, 0]
    outside = int((roc.class_sizes - positive[:, -1]).sum())
    edges = roc.thresholds[at][::-1].astype(np.float64).tolist()
    return {"edges": edges, "counts": between[:, ::-1].tolist(), "outside": outside, "even": False}


def _spread(thresholds: Floats, bins: int) -> NDArray[np.int64]:
    """Places of at most `bins` + 1 of descending thresholds, as evenly apart as they allow."""
    if len(thresholds) <= bins + 1:
        return np.arange(len(thresholds))
    share = np.linspace(0, 1, bins + 1)
    wanted = thresholds[-1] * (1 - share) + thresholds[0] * share
    ascending = np.unique(np.searchsorted(thresholds[::-1], wanted).clip(max=len(thresholds) - 1))
    return np.asarray(len(thresholds) - 1 - ascending[::-1])
