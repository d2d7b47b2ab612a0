"""The proper binormal curve on the latent scale of the negatives, with its derivatives.

A binormal pair (a, b) whose cases are ranked by their likelihood ratio gives a curve without hooks [1]_.
Where b < 1 a case is called positive in both tails of the latent variable, where b > 1 between two limits.
With A1 and A2 the two limits as deviates of the negatives (signs turned) and B1, B2 those of the positives,
H = 1 where b > 1 and else 0::

    FPR = Phi(A1) + Phi(A2) - H        A2 = A1 - gap,  gap = 2 a b / (1 - b^2)
    TPR = Phi(B1) + Phi(B2) - H        B1 = a + b A1,  B2 = -a + b A2

which is the form of [1]_ with c = (b - 1) / (b + 1), d_a = sqrt(2) a / sqrt(1 + b^2) and its cut-point v as
A1 = -(1 - c) v - d_a sqrt(1 + c^2) / 2. Its v is no parameter here, because the range of v moves with the
curve: a point is given by the deviate t with FPR = Phi(-t), as in the binormal model, and A1 follows
(`_folded`). Both limits have the same likelihood ratio, which makes the derivatives short: at equal FPR
that of TPR by a parameter p is the sum over both limits of phi(B) (dB/dp - b dA/dp).

References
----------
.. [1] C. E. Metz, X. Pan: "Proper" binormal ROC curves: theory and maximum-likelihood estimation, Journal
   of Mathematical Psychology 43, 1999.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from rocscope.binormal.latent import Floats, Local, normal_density

# Limits further apart than this share no cases: what the second one adds is less than 1e-300.
FAR = 60.0
# Nearer to b = 1 the second limit is out of sight, and 1 - b^2 would only overflow.
LEAST_CONTRAST = 1e-9
NEWTON_STEPS = 60
ROUNDING = 1e-14
SMALLEST_TAIL = 1e-300
# Deviates beyond this are 1e-268 and less of a class.
REACH = 35.0


@dataclass(frozen=True, slots=True)
class Limits:
    """Deviates of both classes at the two limits of the calls, for every t."""

    neg: tuple[Floats, Floats]
    pos: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class ProperShape:
    """The proper curve of a binormal pair with a >= 0 and b > 0.

    Examples
    --------
    >>> shape = ProperShape(0.7, 0.5)
    >>> below, above = shape.tails(np.array([-1.0, 0.0, 1.0]))
    >>> above.round(4).tolist()
    [0.9424, 0.8069, 0.6044]
    """

    a: float
    b: float

    @property
    def contrast(self) -> float:
        """1 - b^2, kept away from 0."""
        found = (1 - self.b) * (1 + self.b)
        return found if abs(found) > LEAST_CONTRAST else math.copysign(LEAST_CONTRAST, found)

    @property
    def gap(self) -> float:
        """How far the limits of the negatives lie apart; below 0 where b > 1."""
        return 2 * self.a * self.b / self.contrast

    def limits(self, t: Floats) -> Limits:
        """Both limits at the deviates t, FPR = Phi(-t)."""
        side = 1.0 if self.contrast > 0 else -1.0  # b > 1: the complement of the calls is folded
        first = -side * _folded(side * t.clip(-REACH, REACH), abs(self.gap))
        second = first - self.gap
        return Limits((first, second), (self.a + self.b * first, -self.a + self.b * second))

    def tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Shares of the positives below and above t, 1 - TPR and TPR at FPR = Phi(-t)."""
        return self._tails(self.limits(t))

    def _tails(self, limits: Limits) -> tuple[Floats, Floats]:
        first, second = limits.pos
        if self.contrast > 0:
            below = special.ndtr(-first) - special.ndtr(second)
            above = special.ndtr(first) + special.ndtr(second)
        else:
            below = special.ndtr(-first) + special.ndtr(-second)
            above = special.ndtr(first) - special.ndtr(-second)
        return below.clip(0, 1), above.clip(0, 1)

    def log_slope(self, t: Floats) -> Floats:
        """Logarithm of the likelihood ratio, which is the slope of the curve; it rises with t."""
        limits = self.limits(t)
        return np.asarray(math.log(self.b) + (limits.neg[0] ** 2 - limits.pos[0] ** 2) / 2)

    def local(self, t: Floats) -> Local:
        """Distribution of the positives at t with all derivatives up to the second."""
        limits = self.limits(t)
        below, above = self._tails(limits)
        neg, pos = ([normal_density(x) for x in pair] for pair in (limits.neg, limits.pos))
        both = np.maximum(neg[0] + neg[1], SMALLEST_TAIL)
        by_t = -normal_density(t) / both  # of A1 and of A2
        density = -self.b * (pos[0] + pos[1]) * by_t
        (a1, a2), (b1, b2) = limits.neg, limits.pos
        moves = self._limits_by_parameters(neg[1] / both)
        first = np.stack([np.ones_like(t), a1]) + self.b * moves[0]
        second = np.stack([-np.ones_like(t), a2]) + self.b * moves[1]
        return Local(
            below=below,
            above=above,
            density=density,
            by_parameters=np.stack([pos[1] - pos[0], -(pos[0] * a1 + pos[1] * a2)]),
            density_by_t=density * ((a1 - self.b * b1) * by_t - t),
            density_by_parameters=by_t
            * np.stack(
                [
                    self.b * (b1 * pos[0] - b2 * pos[1]),
                    pos[0] * (self.b * a1 * b1 - 1) + pos[1] * (self.b * a2 * b2 - 1),
                ]
            ),
            curvature=np.stack(
                [
                    b1 * pos[0] * first - b2 * pos[1] * second,
                    pos[0] * (a1 * b1 * first - moves[0]) + pos[1] * (a2 * b2 * second - moves[1]),
                ]
            ),
        )

    def _limits_by_parameters(self, share: Floats) -> tuple[Floats, Floats]:
        """Derivatives of A1 and A2 by a and b at equal FPR; `share` is that of the second limit's density."""
        gap_by = np.array([2 * self.b, 2 * self.a * (1 + self.b**2) / self.contrast]) / self.contrast
        wide = gap_by[:, np.newaxis]
        return wide * share, wide * (share - 1)


def to_pair(d_a: float, c: float) -> tuple[float, float]:
    """Return (a, b) of the underlying pair from d_a and c.

    Examples
    --------
    >>> to_pair(1.0, 0.0)
    (1.0, 1.0)
    """
    return d_a * math.hypot(1.0, c) / (1 - c), (1 + c) / (1 - c)


def from_pair(a: float, b: float) -> tuple[float, float]:
    """Return (d_a, c) from a and b."""
    return math.sqrt(2) * a / math.hypot(1.0, b), (b - 1) / (b + 1)


def pair_derivatives(a: float, b: float) -> Floats:
    """Derivatives of (d_a, c), in rows, by (a, b)."""
    s = math.hypot(1.0, b)
    return np.array([[math.sqrt(2) / s, -math.sqrt(2) * a * b / s**3], [0.0, 2 / (1 + b) ** 2]])


def _folded(t: Floats, gap: float) -> Floats:
    """Solve Phi(-e) + Phi(-e - gap) = Phi(-t) for e >= -gap / 2.

    Newton's steps on the scale of deviates, kept inside a bracket: e lies above t, and below the solution of
    2 Phi(-e) = Phi(-t).
    """
    if gap > FAR:
        return np.asarray(t)
    low = np.maximum(t, -gap / 2)
    high = np.maximum(low, -special.ndtri(special.ndtr(-t) / 2))
    near_fold = special.ndtr(t) / (2 * normal_density(gap / 2)) - gap / 2
    e = np.where(near_fold < high, np.maximum(near_fold, low), low)
    for _ in range(NEWTON_STEPS):
        deviate, slope = _folded_deviate(e, gap)
        low, high = np.where(deviate < t, e, low), np.where(deviate > t, e, high)
        step = np.clip((deviate - t) / slope, -2 * REACH, 2 * REACH)
        small = np.abs(step) <= ROUNDING
        settled = small & (np.abs(deviate - t) < 1e-3)  # at the fold the slope is infinite, and steps 0
        outside = ~settled & (small | (e - step <= low) | (e - step >= high))
        e = np.where(outside, (low + high) / 2, e - step)
        if bool(settled.all()):
            break
    return np.asarray(e)


def _folded_deviate(e: Floats, gap: float) -> tuple[Floats, Floats]:
    """The t that belongs to e, from the smaller tail, and its derivative."""
    above = special.ndtr(-e) + special.ndtr(-e - gap)
    below = special.ndtr(e) - special.ndtr(-e - gap)
    tail = np.clip(np.minimum(above, below), SMALLEST_TAIL, 0.5)
    deviate = np.where(above < below, -1.0, 1.0) * special.ndtri(tail)
    return deviate, (normal_density(e) + normal_density(e + gap)) / normal_density(deviate)
