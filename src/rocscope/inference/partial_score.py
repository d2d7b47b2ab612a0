"""The score interval of an area over a range of FPR or of TPR.

It holds all areas P that a normal test does not reject, |value - P| <= z sqrt(f V(P)). V is the variance of a
model with one parameter t whose curve is TPR = FPR^t, Lehmann's alternative of exponential scores, as Hanley
and McNeil's is for the whole area. With I(k) = (h^(k+1) - l^(k+1)) / (k + 1), the integral of f^k over the
range from l to h, w = h - l and T(f) = f^t,

    P = I(t),   V(P) = V1 / m + V2 / n,
    V1 = 2 (h I(t) - I(t + 1)) - P^2,
    V2 = l D^2 + w T(h)^2 - 2 T(h) P + I(2t) - (l D + w T(h) - P)^2,   D = T(h) - T(l):

V1 is the variance of the part of the range to the right of a positive, V2 that of the part of the curve that
a negative takes away (the placements of `partial_auc`, in the limit). Over a range of TPR the classes change
places: the curve is that of 1 - TPR on the axis and 1 - FPR upwards.

The factor f brings in the variance of the placements, as in `variance.score_interval`: its ratio r to
V(value) where that is 1 or more, and (e r + 2) / (e + 2) below, where e counts the cases that support it: the
smaller of value / w and 1 - value / w times the smaller of the positives and the negatives in the range.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rocscope.core import checks, significance
from rocscope.inference.variance import SHRINKAGE

# The logarithm of t lies between these: beyond them the area is 0 or the whole.
FARTHEST = 600.0


def partial_score_interval(
    value: float,
    variance: float,
    limits: tuple[float, float],
    n_up: int,
    n_across: int,
    *,
    level: float,
    alternative: checks.Alternative,
) -> tuple[float, float]:
    """Score interval of the area over a range of the rate across, for so many cases of both classes.

    Examples
    --------
    >>> side = {"level": 0.95, "alternative": "two-sided"}
    >>> low, high = partial_score_interval(0.08, 0.0002, (0.0, 0.1), 40, 40, **side)
    >>> round(low, 4), round(high, 4)
    (0.0398, 0.0944)
    """
    whole = limits[1] - limits[0]
    at = _log_parameter(value, limits)
    factor = 1.0
    if abs(at) < FARTHEST:
        factor = variance / model_variance(at, limits, n_up, n_across)[1]
        if factor < 1:
            misses = min(value, whole - value) / whole * min(n_up, whole * n_across)
            factor = (misses * factor + SHRINKAGE) / (misses + SHRINKAGE)
    critical = max(significance.critical_value(level, alternative=alternative), 0.0)

    def is_rejected(log_t: float) -> bool:
        area, own = model_variance(log_t, limits, n_up, n_across)
        return abs(value - area) > critical * math.sqrt(factor * own)

    def end(extreme: float) -> float:
        return model_variance(_last(is_rejected, extreme, at), limits, n_up, n_across)[0]

    low = 0.0 if alternative == "less" or at == FARTHEST else end(FARTHEST)
    high = whole if alternative == "greater" or at == -FARTHEST else end(-FARTHEST)
    return min(low, value), max(high, value)


def model_variance(
    log_t: float, limits: tuple[float, float], n_up: int, n_across: int
) -> tuple[float, float]:
    """Partial area and its variance in the model of curves f^t.

    Examples
    --------
    >>> area, variance = model_variance(0.0, (0.0, 1.0), 50, 50)  # the diagonal
    >>> area, round(variance, 6)
    (0.5, 0.003333)
    """
    t, (low, high) = math.exp(log_t), limits

    def integral(k: float) -> float:
        return float(high ** (k + 1) - low ** (k + 1)) / (k + 1)

    area, whole = integral(t), high - low
    top, drop = high**t, high**t - low**t
    of_up = 2 * (high * area - integral(t + 1)) - area**2
    taken = low * drop + whole * top - area
    of_across = low * drop**2 + whole * top**2 - 2 * top * area + integral(2 * t) - taken**2
    return area, max(of_up, 0.0) / n_up + max(of_across, 0.0) / n_across


def _log_parameter(value: float, limits: tuple[float, float]) -> float:
    """The parameter at which the model has this area; an end of its range where none has."""
    if value <= 0:
        return FARTHEST
    if value >= limits[1] - limits[0]:
        return -FARTHEST
    return _last(lambda log_t: model_variance(log_t, limits, 1, 1)[0] < value, FARTHEST, -FARTHEST)


def _last(is_outside: Callable[[float], bool], outside: float, inside: float) -> float:
    """The last parameter inside, by halving."""
    while (middle := (outside + inside) / 2) not in (outside, inside):
        if is_outside(middle):
            outside = middle
        else:
            inside = middle
    return inside
