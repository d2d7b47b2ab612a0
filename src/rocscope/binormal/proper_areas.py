"""Areas under a proper binormal curve in closed form.

With s = sqrt(1 + b^2) the integral of TPR over FPR is, at each limit, of the form
``integral of Phi(k + b x) phi(x) up to A = Phi2(A, k / s; -b / s)`` with k = a or k = a (1 + b^2) / (1 - b^2)
and both signs, because TPR at one limit of the calls can be told from either limit.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from rocscope.binormal.bivariate import bivariate_cdf
from rocscope.binormal.proper_shape import FAR, ProperShape

ROOT_2 = math.sqrt(2)


def proper_area(d_a: float, c: float) -> float:
    """Area under the whole curve, Phi(d_a / sqrt 2) + 2 Phi2(-d_a / sqrt 2, 0; -(1 - c^2) / (1 + c^2)).

    Examples
    --------
    >>> proper_area(0.0, 0.0), round(proper_area(1.0, 0.0), 6), round(proper_area(1.0, -0.5), 6)
    (0.5, 0.76025, 0.84682)
    """
    correlation = -(1 - c * c) / (1 + c * c)
    return float(special.ndtr(d_a / ROOT_2) + 2 * bivariate_cdf(-d_a / ROOT_2, 0.0, correlation))


def proper_area_up_to(shape: ProperShape, fpr: float) -> float:
    """Integral of TPR over FPR from 0.

    Examples
    --------
    >>> proper_area_up_to(ProperShape(0.0, 1.0), 0.5)
    0.125
    """
    if fpr <= 0:
        return 0.0
    limits = shape.limits(np.array([-special.ndtri(fpr)]))
    first, second = (float(limit[0]) for limit in limits.neg)
    if abs(shape.gap) > FAR:
        return _sum(shape, first, shape.a)
    if shape.contrast > 0:
        return _both_limits(shape, first, second)
    fold = abs(shape.gap) / 2  # where b > 1, FPR is 0 at the limits -fold and fold
    return _both_limits(shape, first, second) - _both_limits(shape, -fold, fold) - fpr


def _both_limits(shape: ProperShape, first: float, second: float) -> float:
    far = shape.a * (1 + shape.b**2) / shape.contrast
    return _sum(shape, first, shape.a, -far) + _sum(shape, second, far, -shape.a)


def _sum(shape: ProperShape, limit: float, *means: float) -> float:
    s = math.hypot(1.0, shape.b)
    return sum(float(bivariate_cdf(limit, k / s, -shape.b / s)) for k in means)
