"""The operating points of an explorer: which are shown, and what each is called, saved and coded as."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.roc import AveragedRoc
from rocscope.core.curve import RocCurve
from rocscope.core.points import ClassWeights, Threshold
from rocscope.errors import RocInputError, UndefinedError
from rocscope.plotting.layout import evenly_along

Indices = NDArray[np.int64]
# A curve of more vertices is thinned to so many.
MOST_POINTS = 2000
# An average is thinned where its confusion matrices would be more numbers than these: about a megabyte.
MOST_NUMBERS = 400_000


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
    even = evenly_along(curve.fpr + curve.tpr, most - len(corners))
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
    before = np.maximum(after - 1, 0)
    reach = [_apart(curve, kept[side]) for side in (before, after)]
    return float(np.minimum(*reach).max())


def _apart(curve: RocCurve, at: Indices) -> NDArray[np.float64]:
    return np.asarray(np.maximum(np.abs(curve.fpr - curve.fpr[at]), np.abs(curve.tpr - curve.tpr[at])))


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


def start_of(result: RocCurve | AveragedRoc, select: Sequence[str] = ()) -> int:
    """Where the explorer begins: the point that `select` gives, if need be by itself; else the first."""
    for constraints in (select, ()):
        try:
            return result.select(*constraints)
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


def shared_or_none(write: Callable[[Any], str | None], points: Sequence[Any]) -> dict[str, Any] | None:
    """Texts of all points as by `shared`; None where one of them has none."""
    texts = [write(point) for point in points]
    return None if None in texts else shared([str(text) for text in texts])


def saved(point: Any) -> str | None:
    """Return the JSON by which `OperatingPointClassifier` knows a point; None where it cannot be saved.

    Examples
    --------
    >>> saved(Threshold(0.5))
    '{"type": "Threshold", "value": 0.5, "positive": 1, "negative": 0, "distance": false, "reject": null}'
    """
    if not isinstance(point, (Threshold, ClassWeights)):
        return None
    try:
        return point.to_json()
    except RocInputError:  # a name of a class that JSON does not know
        return None


def code(point: Any) -> str | None:
    """Return the Python that makes a point; None where it is a rule of the user's own.

    Examples
    --------
    >>> print(code(Threshold(0.5, positive="ill", negative="well")))
    rs.Threshold(0.5, positive='ill', negative='well')
    >>> print(code(ClassWeights([1, 3], classes=["a", "b"], reject=0.4)))
    rs.ClassWeights((1.0, 3.0), classes=('a', 'b'), reject=0.4)
    """
    if saved(point) is None:
        return None
    if isinstance(point, ClassWeights):
        names = tuple(_plain(name) for name in point.classes)
        told = [repr(point.values), f"classes={names!r}"]
    else:
        told = [
            _number(point.value),
            *(f"{k}={_plain(getattr(point, k))!r}" for k in ("positive", "negative")),
        ]
        told += ["distance=True"] if point.distance else []
    told += [] if point.reject is None else [f"reject={_number(point.reject)}"]
    return f"rs.{type(point).__name__}({', '.join(told)})"


def _number(value: Any) -> str:
    infinite = isinstance(value, float) and math.isinf(value)
    return f'float("{value}")' if infinite else repr(_plain(value))


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def told(point: Any) -> str:
    """Name a point to a reader: what decides, in a few figures.

    Examples
    --------
    >>> told(Threshold(0.123456789)), told(Threshold(None)), told(ClassWeights([1, 3], classes="ab"))
    ('score ≥ 0.123457', 'nothing is called positive', 'weights 0.25, 0.75')
    """
    if isinstance(point, ClassWeights):
        weights = ", ".join(f"{value / sum(point.values):.3g}" for value in point.values)
        return f"weights {weights}" + _rejecting(point.reject)
    if not isinstance(point, Threshold):
        return str(point)
    if point.value is None:
        return "nothing is called positive"
    return f"score {'≤' if point.distance else '≥'} {point.value:.6g}" + _rejecting(point.reject)


def _rejecting(reject: float | None) -> str:
    return "" if reject is None else f", undecided from {reject:.3g}"


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
