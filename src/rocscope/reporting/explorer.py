"""The explorer of operating points: a curve on which the reader moves a point and watches what it is worth.

Python sends exact counts (`curve_payload`, `average_payload`); the scripts of assets/explorer_*.js do the
rest, one concern each, in the order of `SCRIPTS`: arithmetic, measures, their intervals, the model of the
payload, the choice of a point, the tests between points, the state and its place in the address, texts, and
what is seen.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.point_tests import METHODS
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import significance
from rocscope.core.curve import CLUSTERED, RocCurve
from rocscope.core.measures import MEASURES, TWO_CLASS, evaluate
from rocscope.core.points import ClassWeights, Threshold
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.cutpoint import CutPoint
from rocscope.plotting import average, layout
from rocscope.reporting.sections import Paragraph, Section

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
# A curve of more vertices is thinned to so many.
MOST_POINTS = 2000
# An average is thinned where its confusion matrices would be more numbers than these: about a megabyte.
MOST_NUMBERS = 400_000
# The dots of more cases hide each other: such scores are shown as a histogram alone.
MOST_DOTS = 2000
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
    "explorer_texts.js",
    "explorer_dom.js",
    "explorer_scale.js",
    "explorer_tip.js",
    "explorer_plot.js",
    "explorer_pointer.js",
    "explorer_histogram.js",
    "explorer_dots.js",
    "explorer_panel.js",
    "explorer_pinned.js",
    "explorer_controls.js",
    "explorer_prevalence.js",
    "explorer_criterion.js",
    "explorer_copy.js",
    "explorer_links.js",
    "explorer_instance.js",
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


TITLE = "Operating point"
ALL_CASES = "all cases"  # the marker without a name, in a menu


def explorer_section(
    result: RocCurve | AveragedRoc,
    *,
    name: str | None = None,
    most: int = MOST_POINTS,
    start: int | None = None,
    select: Sequence[str] = (),
    rule: str | None = None,
    cutpoint: CutPoint | None = None,
) -> Section | None:
    """Return the section in which the operating points of a result are explored.

    Parameters
    ----------
    result
        A ROC curve, or an average over folds, whose points are then shown with their variance, and with the
        points that are indistinguishable from the selected one. An average of one fold is one set of cases,
        as a curve is: its points have the standard errors and intervals of shares.
    name
        Name of the score or classifier.
    most
        Points of a curve that are shown; of an average as many as take the room of so many times 200 numbers.
    start
        Index of the point that is shown first; by default the one that `select` and `rule` give.
    select, rule
        Constraints such as "tpr>=0.9" and the rule, such as "youden", with which the choice of the best point
        begins.
    cutpoint
        The interval of the selected cut-off and its measures on cases left out, shown beside that cut-off.

    Returns
    -------
    Section or None
        None where there is no choice, with fewer than two points.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> section = explorer_section(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="marker")
    >>> section.title, section.kind, section.payload["name"]
    ('Operating point', 'explorer', 'marker')
    """
    if len(result) < 2:
        return None
    options: dict[str, Any] = {"start": start, "select": select, "rule": rule}
    marker = name
    if isinstance(result, AveragedRoc):
        payload = average_payload(result, most, **options)
        if len(result.folds) > 1:
            marker = ", ".join(filter(None, [name, f"{len(result.folds)} folds"]))
    else:
        payload = curve_payload(result, most, **options)
    payload |= {"name": marker, "note": _thinning_note(payload), "cutpoint": cutpoint_payload(cutpoint)}
    where = IN_CLOUD if payload["order"] is None else ON_CURVE
    return Section(
        title=TITLE if name is None or is_marker(payload) else f"{TITLE}: {name}",
        body=(Paragraph(where + KEYS + (LINKED if payload.get("panels") else ""), "explorer-help"),),
        kind="explorer",
        payload=payload,
        scripts=SCRIPTS,
        styles=STYLES,
        fewer=lambda most: explorer_section(result, name=name, most=most, cutpoint=cutpoint, **options),
    )


def _thinning_note(payload: dict[str, Any]) -> str | None:
    """What a reader should know of the points that are left out; None where all are there."""
    n, total = len(payload["index"]), payload["n_points"]
    if n == total:
        return None
    text = f"{n} of {total} points are shown, each with its exact counts"
    if payload.get("farthest") is not None:
        text += f"; no other differs by more than {payload['farthest']:.2g} in a rate from one of them"
    return f"{text}."


def is_marker(payload: Any) -> bool:
    """Whether an explorer is that of the thresholds of one score of two classes."""
    return payload.get("kind") == "threshold" and len(payload["classes"]) == 2


def merge(sections: Sequence[Section]) -> list[Section]:
    """Return the sections of a page with one explorer for all scores, in the place of the first.

    Explorers of thresholds of two classes become one, with a menu of the scores and of the averages over
    their folds; one alone stays as it is, and so do those of three classes and more.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> (merged,) = merge([explorer_section(curve, name=name) for name in "ab"])
    >>> merged.title, [marker["name"] for marker in merged.payload["markers"]]
    ('Operating point', ['a', 'b'])
    """
    explorers = [section for section in sections if section.kind == "explorer" and is_marker(section.payload)]
    if len(explorers) < 2:
        return list(sections)
    one = _merged(explorers)
    others = [section for section in sections if not any(section is own for own in explorers)]
    place = next(k for k, section in enumerate(sections) if section is explorers[0])
    before = sum(any(section is other for other in others) for section in sections[:place])
    return [*others[:before], one, *others[before:]]


def _merged(explorers: Sequence[Section]) -> Section:
    def fewer(most: int) -> Section:
        smaller = (None if one.fewer is None else one.fewer(most) for one in explorers)
        return _merged([own if less is None else less for own, less in zip(explorers, smaller, strict=True)])

    # Names that occur more than once are numbered, so that an address knows each.
    names = [one.payload["name"] or ALL_CASES for one in explorers]
    totals, seen, markers = Counter(names), Counter[str](), list[dict[str, Any]]()
    for one, name in zip(explorers, names, strict=True):
        seen[name] += 1
        markers.append({**one.payload, "name": f"{name} ({seen[name]})" if totals[name] > 1 else name})
    return replace(explorers[0], title=TITLE, payload={"markers": markers}, fewer=fewer)


def cutpoint_payload(cut: CutPoint | None) -> dict[str, Any] | None:
    """Return the interval of a selected cut-off and its measures on cases left out, as the page shows them.

    Examples
    --------
    >>> from rocscope.inference.cutpoint import cutpoint
    >>> cut = cutpoint([0] * 6 + [1] * 6, [1, 2, 3, 4, 5, 8, 6, 7, 9, 10, 11, 12], rng=7)
    >>> sent = cutpoint_payload(cut)
    >>> sent["threshold"], sent["low"], sent["high"], round(sent["youden"], 4)
    (6.0, 6.0, 10.0, 0.5431)
    """
    if cut is None:
        return None
    fpr = cut.fpr.out_of_bag
    return {
        "threshold": finite_or_text(cut.threshold),
        "low": finite_or_text(cut.low),
        "high": finite_or_text(cut.high),
        "level": cut.level,
        "method": cut.method,
        "n_boot": cut.n_boot,
        "reason": cut.reason,
        "sensitivity": cut.tpr.out_of_bag,
        "specificity": None if fpr is None else 1 - fpr,
        "youden": cut.youden.out_of_bag,
    }


# ---- What the explorer gets from Python: exact counts, texts and quantiles --------------------------------
# The page evaluates measures on the counts and tests on their differences by functions that the tests compare
# with those of `core.measures`, `core.points` and `averaging.point_tests` on this same payload.

LEVELS = (0.8, 0.9, 0.95, 0.99)
# The measures that the page lists, in the order in which clinicians read them; the first eight are seen at
# once. Others are there where a result has them.
LABELS = {
    "tpr": "Sensitivity",
    "tnr": "Specificity",
    "precision": "PPV",
    "npv": "NPV",
    "lr_pos": "Positive likelihood ratio",
    "lr_neg": "Negative likelihood ratio",
    "accuracy": "Accuracy",
    "youden": "Youden's index",
    "fpr": "1 \u2212 specificity (FPR)",
    "fnr": "1 \u2212 sensitivity (FNR)",
    "error": "Error",
    "balanced_accuracy": "Balanced accuracy",
    "f1": "F1",
    "cost": "Expected cost",
    "reject_rate": "Rejected",
    "max-class-error": "Largest class error",
    "mean-class-error": "Mean class error",
}
FIRST = tuple(LABELS)[: tuple(LABELS).index("fpr")]


def curve_payload(
    curve: RocCurve,
    most: int = MOST_POINTS,
    *,
    start: int | None = None,
    select: Sequence[str] = (),
    rule: str | None = None,
) -> dict[str, Any]:
    """Return what the explorer of one curve needs; see `explorer_section`.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> sent = curve_payload(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    >>> sent["start"], sent["counts"][4:8], sent["code"]["parts"][1]
    (1, [2, 0, 1, 1], '0.8')
    """
    begin = start_of(curve, select, rule) if start is None else start
    kept = kept_vertices(curve, most, begin)
    counts = curve.confusion()[kept]
    # Only independent cases, neither clusters nor fractional weights, have intervals of shares.
    whole = bool(counts.dtype.kind in "iu" or (counts == np.round(counts)).all())
    whole = whole and curve.cases is None and CLUSTERED not in curve.warnings
    points = [curve.decision(k) for k in kept.tolist()]
    return _common(curve, kept, points, counts[:, np.newaxis], begin, select) | {
        "averaged": False,
        "complete": len(kept) == len(curve),
        "kind": "threshold",
        "lower": curve.direction == "lower",
        "classes": [str(curve.neg_label), str(curve.pos_label)],
        "folds": [],
        "thresholds": [finite_or_text(float(t)) for t in curve.thresholds[kept]],
        "order": list(range(len(kept))),
        "counted": whole,
        "rounded": False,
        "compared": ["tpr", "fpr"],
        "farthest": farthest_left_out(curve, kept) if len(kept) < len(curve) else None,
        "histogram": curve_histogram(curve),
        "dots": whole and len(kept) == len(curve) and curve.n_pos + curve.n_neg <= MOST_DOTS,
        "rule": rule,
    }


def average_payload(
    roc: AveragedRoc,
    most: int = MOST_POINTS,
    *,
    start: int | None = None,
    select: Sequence[str] = (),
    rule: str | None = None,
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
    begin = start_of(roc, select, rule) if start is None else start
    kept = kept_points(roc, MOST_NUMBERS * most // MOST_POINTS, begin)
    order, thresholds, n_folds = along(roc), roc.thresholds, len(roc.folds)
    points = [roc.decision(k) for k in kept.tolist()]
    payload = _common(roc, kept, points, roc.counts[kept], begin, select) | {
        "complete": False,
        "kind": roc.kind,
        "classes": [str(name) for name in roc.classes],
        "thresholds": None if thresholds is None else [finite_or_text(float(t)) for t in thresholds[kept]],
        "order": None if order is None else [int(k) for k in np.argsort(np.argsort(order)[kept])],
        "counted": True,
        "rounded": True,
        "compared": list(roc.measures),
        # Values of measures that the counts alone do not give: functions of the user's own.
        "own_measures": {
            name: [finite_or_text(value) for value in roc.values[kept, k].ravel().tolist()]
            for k, name in enumerate(roc.measures)
            if not _is_built_in(roc, name, k)
        },
        "prevalence": None if roc.prevalence is None else np.asarray(roc.prevalence).tolist(),
        "cost": None if roc.cost is None else np.asarray(roc.cost).tolist(),
        "histogram": average_histogram(roc),
        "dots": False,
        "rule": rule,
        # The measures of each of the panels that show the same points, as they are linked; none of a curve.
        "panels": [] if thresholds is not None else list(average.panel_measures(roc)),
        "averaged": n_folds > 1,
        "folds": [],
    }
    if n_folds > 1:  # degrees of freedom of every test, and the half width of its intervals at each level
        payload["folds"] = [str(name) for name in roc.folds]
        payload["test_over_train"] = roc.test_over_train
        df = {method: 2 * n_folds - 2 if method == "paclik" else n_folds - 1 for method in METHODS}
        payload["t"] = {
            method: {"df": n, "reach": [significance.quantile(level, df=n) for level in LEVELS]}
            for method, n in df.items()
        }
    return payload


def _common(
    result: Any, kept: Indices, points: list[Any], counts: NDArray[Any], begin: int, select: Sequence[str]
) -> dict[str, Any]:
    """What curves and averages share; `n_first` measures are seen at once, the others are folded."""
    n_classes, n_columns = counts.shape[-2:]
    names = [name for name in LABELS if name in MEASURES and (n_classes == 2 or name not in TWO_CLASS)]
    names = [name for name in names if name != "reject_rate" or n_columns > n_classes]
    if n_classes > 2:
        names = [f"error({name})" for name in result.classes] + names
    else:
        names = [name for name in names if not name.endswith("class-error")]
    first = [name for name in FIRST if name in names] if n_classes == 2 else []
    own = [name for name in getattr(result, "measures", ()) if n_classes > 2 or name not in LABELS]
    measures = dict.fromkeys([*first, *own, *names])
    return {
        "n_points": len(result),
        "index": kept.tolist(),
        "start": int(np.searchsorted(kept, begin).clip(max=len(kept) - 1)),
        "bounds": ", ".join(select),
        "counts": counts.ravel().tolist(),
        "columns": counts.shape[-1],
        "labels": shared([point_label(point) for point in points]),
        "json": _shared_or_none(point_json, points),
        "code": _shared_or_none(point_code, points),
        "measures": [
            {
                "name": name,
                "label": f"Error of {name[6:-1]}" if name.startswith("error(") else LABELS.get(name, name),
            }
            for name in measures
        ],
        "n_first": len(first) + len(own) if n_classes == 2 else len(measures),
        "levels": list(LEVELS),
        "z": [significance.quantile(level) for level in LEVELS],
    }


def _is_built_in(roc: AveragedRoc, name: str, k: int) -> bool:
    try:
        values = evaluate(name, roc.counts, classes=roc.classes, prevalence=roc.prevalence, cost=roc.cost)
    except RocInputError:
        return False
    return np.array_equal(values, roc.values[:, k], equal_nan=True)


# ---- The operating points of an explorer: which are shown, their names, JSON and code ---------------------


def kept_vertices(curve: RocCurve, most: int = MOST_POINTS, start: int = 0) -> Indices:
    """Vertices of a curve to be shown: all of a short one, of a long one those with even steps and the hull.

    The least expected cost is always reached on the hull, so the optimum is not lost; nor is the vertex that
    is shown first.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> kept_vertices(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])).tolist()
    [0, 1, 2, 3, 4]
    """
    if len(curve) <= most:
        return np.arange(len(curve))
    hull = curve.hull()
    corners = np.searchsorted(curve.fpr + curve.tpr, hull.fpr + hull.tpr)[: most // 2]
    even = layout.evenly_along(curve.fpr + curve.tpr, most - len(corners))
    return np.union1d(even, [*corners, start])


def farthest_left_out(curve: RocCurve, kept: Indices) -> float:
    """Largest difference of a rate between a vertex that is left out and the nearer of its kept neighbours.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> farthest_left_out(roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), np.array([0, 4]))
    0.5
    """
    after = np.searchsorted(kept, np.arange(len(curve))).clip(max=len(kept) - 1)
    distances = [
        np.maximum(np.abs(curve.fpr - curve.fpr[at]), np.abs(curve.tpr - curve.tpr[at]))
        for at in (kept[np.maximum(after - 1, 0)], kept[after])
    ]
    return float(np.minimum(*distances).max())


def kept_points(roc: AveragedRoc, most: int = MOST_NUMBERS, start: int | None = None) -> Indices:
    """Points of an average to be shown: all, or where they are very many some at even steps and the start.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
    >>> kept_points(roc).tolist(), kept_points(roc, most=24).tolist()
    ([0, 1, 2, 3], [0, 3])
    """
    n, fit = len(roc), max(2, most // roc.counts[0].size)
    if n <= fit:
        return np.arange(n)
    order = along(roc)
    places = np.arange(n) if order is None else order
    even = places[np.round(np.linspace(0, n - 1, fit - 1)).astype(np.int64)]
    return np.union1d(even, [start_of(roc) if start is None else start])


def along(roc: AveragedRoc) -> Indices | None:
    """The points from the largest threshold to the smallest; None where they are not thresholds."""
    thresholds = roc.thresholds
    return None if thresholds is None else np.argsort(-thresholds.astype(np.float64), kind="stable")


def start_of(result: RocCurve | AveragedRoc, select: Sequence[str] = (), rule: str | None = None) -> int:
    """Where the explorer begins: the point that `select` and `rule` give, else the best, else the first."""
    for constraints, by in ((select, rule), ((), None)):
        try:
            return result.select(*constraints, rule=by).index  # type: ignore[arg-type]
        except (RocInputError, UndefinedError):  # nothing meets them, or a class without cases has no error
            continue
    return 0


def shared(texts: Sequence[str]) -> dict[str, Any]:
    """Write texts that begin and end alike without repeating it.

    Examples
    --------
    >>> shared(["Threshold(0.5)", "Threshold(0.25)"])
    {'before': 'Threshold(0.', 'parts': ['', '2'], 'after': '5)'}
    """
    before = _common_start(texts)
    rest = [text[len(before) :] for text in texts]
    after = _common_start([text[::-1] for text in rest])[::-1]
    return {"before": before, "parts": [text[: len(text) - len(after)] for text in rest], "after": after}


def _common_start(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)  # what these two share, all between them do
    same = (k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, min(len(first), len(last)))]


def _shared_or_none(write: Callable[[Any], str | None], points: Sequence[Any]) -> dict[str, Any] | None:
    """Texts of all points as by `shared`; None where one of them has none."""
    texts = [write(point) for point in points]
    return None if None in texts else shared([str(text) for text in texts])


def point_json(point: Any) -> str | None:
    """Return the JSON by which `OperatingPointClassifier` knows a point; None where it cannot be saved.

    Examples
    --------
    >>> point_json(Threshold(0.5))
    '{"type": "Threshold", "value": 0.5, "positive": 1, "negative": 0, "distance": false, "reject": null}'
    """
    if not isinstance(point, (Threshold, ClassWeights)):
        return None
    try:
        return point.to_json()
    except RocInputError:  # a name of a class that JSON does not know
        return None


def point_code(point: Any) -> str | None:
    """Return the Python that makes a point; None where it is a rule of the user's own.

    Examples
    --------
    >>> print(point_code(Threshold(0.5, positive="ill", negative="well")))
    rs.Threshold(0.5, positive='ill', negative='well')
    >>> print(point_code(ClassWeights([1, 3], classes=["a", "b"], reject=0.4)))
    rs.ClassWeights((1.0, 3.0), classes=('a', 'b'), reject=0.4)
    """
    if point_json(point) is None:
        return None
    if isinstance(point, ClassWeights):
        names = tuple(_plain(name) for name in point.classes)
        arguments = [repr(point.values), f"classes={names!r}"]
    else:
        arguments = [_number(point.value)]
        arguments += [f"{k}={_plain(getattr(point, k))!r}" for k in ("positive", "negative")]
        arguments += ["distance=True"] if point.distance else []
    arguments += [] if point.reject is None else [f"reject={_number(point.reject)}"]
    return f"rs.{type(point).__name__}({', '.join(arguments)})"


def _number(value: Any) -> str:
    infinite = isinstance(value, float) and math.isinf(value)
    return f'float("{value}")' if infinite else repr(_plain(value))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def point_label(point: Any) -> str:
    """Name a point to a reader: what decides, in a few figures.

    Examples
    --------
    >>> point_label(Threshold(0.123456789)), point_label(Threshold(None))
    ('score ≥ 0.123457', 'nothing tests positive')
    >>> point_label(ClassWeights([1, 3], classes="ab"))
    'weights 0.25, 0.75'
    """
    if not isinstance(point, (ClassWeights, Threshold)):
        return str(point)
    undecided = "" if point.reject is None else f", undecided from {point.reject:.3g}"
    if isinstance(point, ClassWeights):
        weights = ", ".join(f"{value / sum(point.values):.3g}" for value in point.values)
        return f"weights {weights}{undecided}"
    if point.value is None:
        return "nothing tests positive"
    return f"score {'≤' if point.distance else '≥'} {point.value:.6g}{undecided}"


def finite_or_text(value: Any) -> Any:
    """Return a number that JSON keeps: infinite ones as text, NaN as None.

    Examples
    --------
    >>> [finite_or_text(x) for x in (0.5, float("inf"), float("nan"))]
    [0.5, 'inf', None]
    """
    number = _plain(value)
    if isinstance(number, float) and not math.isfinite(number):
        return None if math.isnan(number) else str(number)
    return number


# ---- The scores of each class, counted in bins for the histogram under an explorer's curve ----------------

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
    counts = list[list[Any]]()
    for of_class in cases:
        sums = np.zeros(len(edges) - 1, dtype=of_class.dtype)
        np.add.at(sums, place, of_class[finite])
        counts.append(sums.tolist())
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
    descending = thresholds[finite]
    places = np.arange(len(descending))
    if len(descending) > bins + 1:  # some of them, as evenly apart as they allow
        share = np.linspace(0, 1, bins + 1)
        even = descending[-1] * (1 - share) + descending[0] * share
        ascending = np.unique(np.searchsorted(descending[::-1], even).clip(max=len(descending) - 1))
        places = len(descending) - 1 - ascending[::-1]
    at = order[finite][places]
    positive = confusion[at, :, 1].T
    between = np.diff(positive, axis=1)
    between[:, 0] += positive[:, 0]
    outside = int((roc.class_sizes - positive[:, -1]).sum())
    edges = roc.thresholds[at][::-1].astype(np.float64).tolist()
    return {"edges": edges, "counts": between[:, ::-1].tolist(), "outside": outside, "even": False}
