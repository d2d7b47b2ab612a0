"""Distributions of one score in each class, as the quadrature of a combination needs them.

A law is told by its normal deviates: `deviate(t)` is x with Phi(x) = F(t), and `quantile(x)` the way back.
Both are straight lines for a normal law, smooth for the others, and keep their digits in both tails.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.latent import Shape, deviate_of, normal_density
from rocscope.binormal.latent_curve import LatentCurve
from rocscope.core import checks
from rocscope.errors import RocInputError, UndefinedError

Floats = NDArray[np.float64]
Map: TypeAlias = Callable[[Floats], Floats]
# Halvings of the bracket of a quantile: beyond double precision; and the ends of a latent scale.
HALVINGS = 70
FARTHEST = (-60.0, 60.0)
# Normal deviates beyond this are 1e-16 and less of a class.
REACH = 8.2
SURE = 7.0  # beyond these, 1 - TPR has too few digits for a derivative
STEP = 0.01  # of the differences that stand for a derivative
KNOTS = 50  # of a table, for every standard deviation


@dataclass(frozen=True, slots=True)
class Law:
    """Distribution of a score in one class.

    Examples
    --------
    >>> law = Law.normal(mean=2.0, sd=0.5)
    >>> law.deviate(np.array([2.0, 3.0])).tolist(), law.quantile(np.array([-2.0])).tolist()
    ([0.0, 2.0], [1.0])
    """

    deviate: Map
    quantile: Map
    slope: Map  # derivative of the deviate

    @classmethod
    def normal(cls, *, mean: float, sd: float) -> Law:
        """A normal distribution."""
        return cls(lambda t: (t - mean) / sd, lambda x: mean + sd * x, lambda t: np.full(np.shape(t), 1 / sd))

    @classmethod
    def mixture(cls, means: Any, sds: Any, shares: Any) -> Law:
        """A mixture of normal distributions: a contaminated class, or a kernel estimate of any class.

        Examples
        --------
        >>> law = Law.mixture([0.0, 2.0], [1.0, 1.0], [0.5, 0.5])
        >>> law.deviate(np.array([0.0, 3.0])).round(4).tolist()
        [-0.6391, 1.4051]
        """
        m, s, p = (np.asarray(part, dtype=np.float64) for part in (means, sds, shares))
        p = p / p.sum()

        def deviate(t: Floats) -> Floats:
            z = (t[:, np.newaxis] - m) / s
            return deviate_of(special.ndtr(z) @ p, special.ndtr(-z) @ p)

        def slope(t: Floats) -> Floats:
            z = (t[:, np.newaxis] - m) / s
            return np.asarray(normal_density(z) @ (p / s) / normal_density(deviate(t)))

        ends = float((m - REACH * s).min()), float((m + REACH * s).max())
        knots = np.linspace(ends[0], ends[1], 1 + int(KNOTS * (ends[1] - ends[0]) / s.min()))
        return cls.tabulated(knots, deviate(knots), slope(knots))

    @classmethod
    def from_shape(cls, shape: Shape) -> Law:
        """The positives of a fitted latent curve, with derivatives of its own."""

        def deviate(t: Floats) -> Floats:
            return deviate_of(*shape.tails(t))

        ends = _inverse(deviate, *FARTHEST)(np.array([-REACH, REACH])).tolist()
        knots = np.linspace(ends[0], ends[1], 1 + int(KNOTS * (ends[1] - ends[0])))
        found = deviate(knots)
        return cls.tabulated(knots, found, shape.local(knots).density / normal_density(found))

    @classmethod
    def from_deviate(cls, deviate: Map) -> Law:
        """A law of which only the deviates are known; their derivative by differences of eighth order."""
        ends = _inverse(deviate, *FARTHEST)(np.array([-SURE, SURE])).tolist()
        knots = np.linspace(ends[0], ends[1], 1 + int(KNOTS * (ends[1] - ends[0])))
        return cls.tabulated(knots, deviate(knots), _difference(deviate, knots))

    @classmethod
    def tabulated(cls, knots: Floats, deviates: Floats, slopes: Floats) -> Law:
        """A law known at many knots: cubic pieces between them, straight lines beyond.

        A quadrature asks for millions of deviates, and a law can be slow to tell them.
        """
        from scipy.interpolate import CubicHermiteSpline, CubicSpline

        # The derivative of the first spline would have fewer digits than a spline of the slopes.
        inside, along = CubicHermiteSpline(knots, deviates, slopes), CubicSpline(knots, slopes)
        low, high = knots[0], knots[-1]

        def deviate(t: Floats) -> Floats:
            at = np.clip(t, low, high)
            return np.asarray(inside(at) + along(at) * (t - at))

        def slope(t: Floats) -> Floats:
            return np.asarray(along(np.clip(t, low, high)))

        span = high - low
        return cls(deviate, _inverse(deviate, low - span, high + span), slope)

    def times(self, weight: float) -> Law:
        """The law of the score times a weight other than 0; a negative one turns it round."""
        sign = np.sign(weight)
        return Law(
            lambda t: sign * self.deviate(t / weight),
            lambda x: weight * self.quantile(sign * x),
            lambda t: self.slope(t / weight) / abs(weight),
        )

    def spread(self) -> float:
        """Half the distance between the deviates -1 and 1: the standard deviation of a normal law."""
        ends = self.quantile(np.array([-1.0, 1.0]))
        return float(ends[1] - ends[0]) / 2


@dataclass(frozen=True, slots=True)
class ScoreLaws:
    """The laws of one classifier's score among the negatives and among the positives."""

    neg: Law
    pos: Law


@runtime_checkable
class HasTpr(Protocol):
    """Any curve that gives its height at a false positive rate."""

    def tpr(self, fpr: Any) -> Any:
        """True positive rate at a false positive rate."""


def laws_of(curve: Any, *, name: str = "curve") -> ScoreLaws:
    """Laws of the latent score of a fitted curve, on which the negatives are N(0, 1).

    A curve tells its scores up to an increasing map; this is the scale of [1] eq. (3). The positives have
    F(t) = 1 - TPR at FPR = Phi(-t). `ScoreLaws` pass as they are.
    """
    if isinstance(curve, ScoreLaws):
        return curve
    if isinstance(curve, (Binormal, LatentCurve)) and curve.auc is None:
        raise UndefinedError(f"{name} has no curve to combine ({curve.status}): {curve.reason}")
    negatives = Law.normal(mean=0.0, sd=1.0)
    if isinstance(curve, Binormal):
        a, b = curve.parameters()
        return ScoreLaws(negatives, Law.normal(mean=a / b, sd=1 / b))
    if isinstance(curve, LatentCurve):
        return ScoreLaws(negatives, Law.from_shape(curve.shape()))
    if not isinstance(curve, HasTpr):
        raise RocInputError(
            f"{name} must be a fitted curve with a method tpr(fpr), or ScoreLaws, got {checks.show(curve)}"
        )

    def deviate(t: Floats) -> Floats:
        return np.asarray(-special.ndtri(np.asarray(curve.tpr(special.ndtr(-np.asarray(t))))))

    return ScoreLaws(negatives, Law.from_deviate(deviate))


def _inverse(deviate: Map, start: float, stop: float) -> Map:
    """Invert a rising map between two ends by halving brackets, all at once."""

    def quantile(x: Floats) -> Floats:
        low, high = np.full(np.shape(x), start), np.full(np.shape(x), stop)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            under = deviate(middle) < x
            low, high = np.where(under, middle, low), np.where(under, high, middle)
        return np.asarray((low + high) / 2)

    return quantile


def _difference(deviate: Map, t: Floats) -> Floats:
    """Derivative by central differences; 0 where a deviate is infinite."""
    parts = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
    with np.errstate(invalid="ignore"):
        total = sum(c * (deviate(t + k * STEP) - deviate(t - k * STEP)) for k, c in parts) / STEP
    return np.where(np.isfinite(total), total, 0.0)
