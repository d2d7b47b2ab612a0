"""Areas of a binormal curve in closed form, and where it lies below chance."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.bivariate import bivariate_cdf
from rocscope.binormal.latent import normal_density
from rocscope.core.curve import partial_areas
from rocscope.core.polyline import WHOLE, Range

# Width in FPR from which a stretch below chance is worth a warning.
VISIBLE = 1e-6
DIAGONAL = np.array([0.0, 1.0])


def binormal_area(a: float, b: float) -> float:
    """Area under the curve, Phi(a / sqrt(1 + b^2)).

    Examples
    --------
    >>> binormal_area(0.0, 3.0)
    0.5
    """
    return float(special.ndtr(a / math.hypot(1.0, b)))


def deviate_gradient(a: float, b: float) -> NDArray[np.float64]:
    """Derivatives of a / sqrt(1 + b^2) by a and b."""
    s = math.hypot(1.0, b)
    return np.array([1.0 / s, -a * b / s**3])


def area_gradient(a: float, b: float) -> NDArray[np.float64]:
    """Derivatives of the area by a and b."""
    return normal_density(a / math.hypot(1.0, b)) * deviate_gradient(a, b)


def below_chance(a: float, b: float) -> tuple[float, float] | None:
    """FPR between which the curve lies below the diagonal: a + b z < z; None where nowhere.

    Examples
    --------
    >>> below_chance(1.0, 1.0) is None, below_chance(-1.0, 1.0)
    (True, (0.0, 1.0))
    """
    if b == 1:
        return (0.0, 1.0) if a < 0 else None
    crossing = float(special.ndtr(a / (1 - b)))
    return (0.0, crossing) if b > 1 else (crossing, 1.0)


def hook_words(a: float, b: float) -> tuple[str, ...]:
    """Warn with the FPR range below chance, unless it is too narrow to be seen.

    Examples
    --------
    >>> hook_words(1.0, 2.0)
    ('the fitted curve lies below chance for FPR from 0 to 0.1587 (a hook: b is not 1)',)
    """
    hook = below_chance(a, b)
    if hook is None or hook[1] - hook[0] < VISIBLE:
        return ()
    low, high = (f"{end:.4f}" if 1e-4 < end < 1 - 1e-4 else f"{end:.7g}" for end in hook)
    why = " (a hook: b is not 1)" if b != 1 else ""
    return (f"the fitted curve lies below chance for FPR from {low} to {high}{why}",)


def partial_area(
    a: float, b: float, fpr: Range | None, tpr: Range | None, *, standardize: bool = False
) -> float:
    """Area inside the ranges (both None: the whole), raw or on McClish's scale."""
    if tpr is None:
        raw = area_up_to(a, b, (fpr or WHOLE)[1]) - area_up_to(a, b, (fpr or WHOLE)[0])
    elif fpr is None:
        # The curve seen from the corner (1, 1) is binormal again, with 1 - TPR as its abscissa.
        raw = area_up_to(a / b, 1 / b, 1 - tpr[0]) - area_up_to(a / b, 1 / b, 1 - tpr[1])
    else:
        raw = _two_way(a, b, fpr, tpr)
    raw = min(max(raw, 0.0), _whole(fpr, tpr))  # a difference of two areas may round beyond
    return _standardized(raw, fpr, tpr) if standardize else raw


def area_up_to(a: float, b: float, fpr: float) -> float:
    """Integral of TPR over FPR from 0, P(a Z-score of a positive exceeds that of a negative above the FPR).

    Examples
    --------
    >>> area_up_to(0.0, 1.0, 0.5)
    0.125
    """
    s = math.hypot(1.0, b)
    return float(bivariate_cdf(a / s, special.ndtri(fpr), -b / s))


def partial_gradient(a: float, b: float, fpr: Range | None, tpr: Range | None) -> NDArray[np.float64]:
    """Derivatives of a partial area by a and b; the stretch where the curve is inside is all that counts."""
    low, high = (_gradient_up_to(a, b, end) for end in inside(a, b, fpr or WHOLE, tpr or WHOLE))
    return np.asarray(high - low)


def _gradient_up_to(a: float, b: float, fpr: float) -> NDArray[np.float64]:
    """Integrals of phi(a + b z) phi(z) and of z times it, up to z = Phi^-1(FPR): a square is completed."""
    s = math.hypot(1.0, b)
    shift = a * b / s
    end = s * float(special.ndtri(fpr)) + shift
    below = float(special.ndtr(end))
    slope = np.array([below / s, -(float(normal_density(end)) + shift * below) / (s * s)])
    return np.asarray(normal_density(a / s) * slope)


def inside(a: float, b: float, fpr: Range, tpr: Range) -> Range:
    """FPR between which the curve runs inside both ranges."""
    enters, leaves = (float(special.ndtr((special.ndtri(t) - a) / b)) for t in tpr)
    return min(max(enters, fpr[0]), fpr[1]), min(max(leaves, fpr[0]), fpr[1])


def _two_way(a: float, b: float, fpr: Range, tpr: Range) -> float:
    """Part of the rectangle below the curve: where the curve is inside, and where it is above."""
    low, high = inside(a, b, fpr, tpr)
    below = area_up_to(a, b, high) - area_up_to(a, b, low) - tpr[0] * (high - low)
    return below + (tpr[1] - tpr[0]) * (fpr[1] - high)


def _standardized(raw: float, fpr: Range | None, tpr: Range | None) -> float:
    """McClish's scale, which is linear in the area: two known curves fix it."""
    raw_chance = float(partial_areas(DIAGONAL, DIAGONAL, (fpr, tpr), standardize=False))
    partial_areas(DIAGONAL, DIAGONAL, (fpr, tpr), standardize=True)  # refuses ranges without a scale
    return 0.5 * (1 + (raw - raw_chance) / (_whole(fpr, tpr) - raw_chance))


def _whole(fpr: Range | None, tpr: Range | None) -> float:
    """Area of the rectangle inside the ranges."""
    return math.prod(high - low for low, high in (fpr or WHOLE, tpr or WHOLE))
