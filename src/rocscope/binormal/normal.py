"""The standard normal distribution, and two correlated normal variables by Owen's T function.

    Phi2(h, k; r) = [Phi(h) + Phi(k)] / 2 - T(h, (k - r h) / (h s)) - T(k, (h - r k) / (k s)) - d / 2

with s = sqrt(1 - r^2), and d = 1 where h and k have different signs, else 0. The derivative with respect
to the correlation is the density at (h, k), which follows from the differential equation of the bivariate
normal density.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

SQRT_2PI = math.sqrt(2 * math.pi)
SMALLEST_TAIL = 1e-300
# Stands for 0 where the formula divides by it: the probability at 0 and here is the same number.
NEXT_TO_ZERO = 1e-300
TWO_PI = 2 * np.pi


def normal_density(x: Any) -> Floats:
    """Density of the standard normal distribution."""
    return np.asarray(np.exp(-np.square(x) / 2) / SQRT_2PI)


def deviate_of(below: Floats, above: Floats) -> Floats:
    """Phi^-1(below), from the smaller of the two tails."""
    tail = np.clip(np.minimum(below, above), SMALLEST_TAIL, 0.5)
    return np.asarray(np.where(below < above, 1.0, -1.0) * special.ndtri(tail))


def bivariate_cdf(h: Any, k: Any, rho: Any) -> Floats:
    """P(X <= h, Y <= k) of standard normal X and Y with correlation rho; arrays are broadcast.

    Correlations of 1 and -1 and infinite limits are allowed. The error is a few units of 1e-16.

    Examples
    --------
    >>> bivariate_cdf(0.0, 0.0, 0.5).round(12).item()
    0.333333333333
    >>> bivariate_cdf(1.0, [np.inf, -np.inf], -0.3).round(6).tolist()
    [0.841345, 0.0]
    """
    h, k, rho = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (h, k, rho)))
    # Beyond 40 standard deviations nothing is left, and infinities would meet as inf - inf.
    h, k = (np.where(x == 0, NEXT_TO_ZERO, x.clip(-40, 40)) for x in (h, k))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        root = np.sqrt((1 - rho) * (1 + rho))
        first, second = (special.owens_t(x, (y - rho * x) / (x * root)) for x, y in ((h, k), (k, h)))
        value = (special.ndtr(h) + special.ndtr(k)) / 2 - first - second
    value = np.where((h > 0) == (k > 0), value, value - 0.5)
    # A correlation of 1 or -1: both variables are one, or one is the negative of the other.
    between = np.maximum(0.0, special.ndtr(h) - special.ndtr(-k))
    degenerate = np.where(rho > 0, special.ndtr(np.minimum(h, k)), between)
    return np.asarray(np.where(root == 0, degenerate, value).clip(0, 1))


def bivariate_density(h: Any, k: Any, rho: float) -> Floats:
    """Density of two standard normal variables with a correlation inside (-1, 1); 0 at infinite values.

    It is also the derivative of `bivariate_cdf` with respect to the correlation.

    Examples
    --------
    >>> bivariate_density(0.0, [0.0, np.inf], 0.6).round(6).tolist()
    [0.198944, 0.0]
    """
    h, k = (np.asarray(x, dtype=np.float64).clip(-1e100, 1e100) for x in (h, k))
    rest = (1 - rho) * (1 + rho)
    return np.asarray(np.exp(-(h * h + (k - rho * h) ** 2 / rest) / 2) / (TWO_PI * np.sqrt(rest)))


def cells(function: Callable[[Floats, Floats, float], Floats], x: Floats, y: Floats, rho: float) -> Floats:
    """Differences of a function of (x, y) over the rectangles between cut-points: (len(x) + 1, len(y) + 1).

    The first rectangles begin at minus infinity, the last ones end at infinity.

    Examples
    --------
    >>> cells(bivariate_cdf, np.array([0.0]), np.array([0.0]), 0.5).round(4).tolist()
    [[0.3333, 0.1667], [0.1667, 0.3333]]
    """
    edges = [np.concatenate([[-np.inf], cuts, [np.inf]]) for cuts in (x, y)]
    corners = function(edges[0][:, np.newaxis], edges[1][np.newaxis, :], rho)
    return np.asarray(np.diff(np.diff(corners, axis=0), axis=1))
