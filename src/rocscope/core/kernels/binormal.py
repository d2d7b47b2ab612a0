"""Passes over the cut-points of a binormal fit with very many categories.

The formulas are those of `rocscope.binormal.maximum`, category by category, without the arrays between.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled

NARROW = 0.05
FAR_OUT = -35.0
LOG_ROOT_2PI = 0.5 * math.log(2 * math.pi)
ROOT_2 = math.sqrt(2.0)
ROOT_HALF_PI = math.sqrt(math.pi / 2)
# From here on Mills' ratio comes from its continued fraction, which has converged after so many terms.
TAIL = 4.0
TERMS = 80


@compiled
def normal_terms(
    x: NDArray[np.float64], counts: NDArray[Any], expected: float
) -> tuple[float, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Log-likelihood of the counts of one class, score, excess and coupling of the cut-points x, ascending.

    With `expected` cases the counts are not read: each category has what the model expects there.
    """
    n = x.size
    total = 0.0
    lost = 0.0  # what rounding took from the total so far
    score = np.zeros(n)
    excess = np.zeros(n)
    coupling = np.zeros(n - 1)
    for j in range(n + 1):
        c = expected if expected > 0.0 else float(counts[j])
        if c == 0.0:
            continue
        low = x[j - 1] if j > 0 else -np.inf
        high = x[j] if j < n else np.inf
        half, middle = (high - low) / 2, (low + high) / 2
        if half * max(1.0, abs(middle)) < NARROW:
            log_mass, lower, upper, to_lower, to_upper = _narrow(half, middle)
        else:
            log_mass, lower, upper, to_lower, to_upper = _wide(low, high)
        if expected > 0.0:
            c *= math.exp(log_mass)
        term = c * log_mass - lost
        raised = total + term
        lost = (raised - total) - term
        total = raised
        if j > 0:
            score[j - 1] -= c * lower
            excess[j - 1] += c * lower * to_lower
        if j < n:
            score[j] += c * upper
            excess[j] += c * upper * to_upper
        if 0 < j < n:
            coupling[j - 1] = c * lower * upper
    return total, score, excess, coupling


@compiled
def solve_row_sums(
    excess: NDArray[np.float64], coupling: NDArray[np.float64], right: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Solve T x = right for every row of `right`, T tridiagonal with row sums `excess`, -`coupling` beside.

    With fine categories the couplings are larger than the row sums by the square of the number of cases. The
    elimination carries the row sums along and subtracts nothing, so that they keep their digits. A matrix
    that is not positive definite gives NaN.
    """
    rows, n = right.shape
    solved = right.copy()
    pivot = np.empty(n - 1)
    carried = excess[0]
    for i in range(n - 1):
        pivot[i] = carried + coupling[i]
        if not pivot[i] > 0.0:
            return np.full_like(right, np.nan)
        share = coupling[i] / pivot[i]
        carried = excess[i + 1] + share * carried
        for k in range(rows):
            solved[k, i + 1] += share * solved[k, i]
    if not carried > 0.0:
        return np.full_like(right, np.nan)
    for k in range(rows):
        solved[k, n - 1] /= carried
    for i in range(n - 2, -1, -1):
        for k in range(rows):
            solved[k, i] = (solved[k, i] + coupling[i] * solved[k, i + 1]) / pivot[i]
    return solved


@compiled
def _narrow(half: float, middle: float) -> tuple[float, float, float, float, float]:
    h = half * half
    m = middle * middle
    sixth = ((m - 15) * m + 45) * m - 15
    width = 2 * half * (1 + h * ((m - 1) / 6 + h * (((m - 6) * m + 3) / 120 + h * sixth / 5040)))
    tilt = middle * half
    share = math.exp(-h / 2) / width
    rise = math.exp(tilt)
    # |tilt| < 0.05, where four terms of sinh are exact.
    q = tilt * tilt
    bend = tilt * (1 + q / 6 * (1 + q / 20 * (1 + q / 42)))
    off = middle - 2 * share * bend
    return -m / 2 - LOG_ROOT_2PI + math.log(width), share * rise, share / rise, half - off, half + off


@compiled
def _wide(low: float, high: float) -> tuple[float, float, float, float, float]:
    turned = low + high < 0
    start = max(-high if turned else low, FAR_OUT)
    stop = -low if turned else high
    fall = 0.0
    rest = 0.0
    if stop < np.inf:
        fall = math.exp(-(stop - start) * (stop + start) / 2)
        rest = fall * _mills_ratio(stop)
    first = 1 / (_mills_ratio(start) - rest)
    last = first * fall
    log_mass = -start * start / 2 - LOG_ROOT_2PI - math.log(first)
    if start < 0:  # the mass may be close to 1, and then what it lacks has more digits
        log_mass = math.log1p(-(math.erfc(-start / ROOT_2) + math.erfc(stop / ROOT_2)) / 2)
    if turned:
        return log_mass, last, first, last - first - low, high + first - last
    return log_mass, first, last, first - last - low, high - first + last


@compiled
def _mills_ratio(x: float) -> float:
    if x < TAIL:
        return ROOT_HALF_PI * math.exp(x * x / 2) * math.erfc(x / ROOT_2)
    rest = x
    for k in range(TERMS, 0, -1):
        rest = x + k / rest
    return 1 / rest
