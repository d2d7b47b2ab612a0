"""The binormal curve with equal variances, b = 1: one parameter, and never a hook."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.categories import Categories
from rocscope.binormal.contaminated_shape import EqualShape
from rocscope.binormal.curve import Binormal, described
from rocscope.binormal.existence import (
    Undefined,
    curve_along_sides,
    degenerate_along_sides,
    why_undefined,
)
from rocscope.binormal.latent import Floats
from rocscope.binormal.shape_fit import NO_MAXIMUM, covariance, fit_family

METHOD = "ml, b = 1"
# A distance of the classes that no data but separated ones have.
FARTHEST = 20.0


class EqualFamily:
    """The curves with b = 1 and any a."""

    def shape(self, theta: Floats) -> EqualShape:
        """The curve with this parameter."""
        return EqualShape(float(theta[0]))

    def project(self, theta: Floats, previous: Floats) -> Floats:
        """Every a is allowed; the search ends where the classes have left each other."""
        return theta.clip(-FARTHEST, FARTHEST)

    def free(self, theta: Floats, slope: Floats) -> NDArray[np.bool_]:
        """The parameter moves up to the end of the search."""
        return np.abs(theta) < FARTHEST


def fit_equal_variance(categories: Categories) -> Binormal:
    """Maximum-likelihood fit of the curve with b = 1; one point inside the ROC square is enough for it.

    Examples
    --------
    >>> fit_equal_variance(Categories(neg=np.array([84, 16]), pos=np.array([50, 50]), boundaries=[0.5]))
    ... # doctest: +ELLIPSIS
    Binormal(a=0.99445..., b=1.0, ...
    """
    undefined = _why_undefined(categories)
    if undefined is not None:
        return _without_curve(categories, undefined)
    family = EqualFamily()
    best = fit_family(family, categories, _starts(categories))
    if best is None:
        return _without_curve(categories, Undefined("not-converged", NO_MAXIMUM))
    cov = covariance(EqualShape(float(best.theta[0])), best.cutpoints, categories)
    if cov is None:
        return _without_curve(categories, Undefined("not-converged", NO_MAXIMUM))
    a = float(best.theta[0])
    return Binormal(
        a=a,
        b=1.0,
        cov=np.diag([float(cov[0, 0]), 0.0]),
        log_likelihood=best.log_likelihood,
        cutpoints=best.cutpoints,
        **described(categories, METHOD, a, 1.0),
    )


def _why_undefined(categories: Categories) -> Undefined | None:
    """Separated classes and equal scores; and points along the sides of the square, where a has no end."""
    found = why_undefined(categories)
    if found is not None and (found.status in ("perfect", "perverse") or len(categories) == 1):
        return found
    name = curve_along_sides(categories)
    return None if name is None else degenerate_along_sides(name)


def _starts(categories: Categories) -> list[Floats]:
    """The curve of the empirical area, and two others."""
    fpr, tpr = (np.concatenate([[0.0], rates[::-1], [1.0]]) for rates in categories.rates())
    area = min(max(float(np.trapezoid(tpr, fpr)), 0.01), 0.99)
    return [np.array([a]) for a in (math.sqrt(2) * float(special.ndtri(area)), 1.0, 0.0)]


def _without_curve(categories: Categories, why: Undefined) -> Binormal:
    return Binormal(status=why.status, reason=why.reason, **described(categories, METHOD))
