"""The proper binormal curve, given or fitted: it rises with a falling slope and has no hooks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal import fit, latent, maximum
from rocscope.binormal.latent import SMALLEST_TAIL, Floats, bivariate_cdf, normal_density
from rocscope.core import checks
from rocscope.core.frames import Missing
from rocscope.core.result import plain
from rocscope.errors import RocInputError

# d_a at which the errors of a curve with d_a = 0 are taken. Towards 0 the errors of its rates and areas
# hardly change, but those of d_a and c grow beyond what can be computed.
NEAR = 0.15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProperBinormal(latent.ConcaveCurve):
    """The ROC curve of a binormal pair whose cases are ranked by their likelihood ratio.

    It rises with a falling slope and never lies below chance. `d_a` and `c` are those of Metz and Pan
    (1999): c = (b - 1) / (b + 1) and d_a = sqrt(2) a / sqrt(1 + b^2) of the underlying pair. A curve can also
    be made alone, from `d_a` and `c`.

    Attributes
    ----------
    d_a, c
        Parameters, d_a >= 0 and -1 < c < 1; None where the curve is undefined.
    cov
        Covariance matrix of (d_a, c); None where it is not known.
    auc
        Area, Phi(d_a / sqrt 2) + 2 Phi2(-d_a / sqrt 2, 0; -(1 - c^2) / (1 + c^2)).
    status, reason
        "ok"; "chance" (the likelihood is highest for the diagonal, d_a = c = 0), where the curve stands but
        has no standard errors; "boundary" (d_a = 0), where its rates and areas have those of neighbouring
        curves; or, without a curve, "perfect", "perverse", "degenerate", "undetermined" and "not-converged"
        as for `Binormal`.
    near_cov
        At the boundary, the covariance of (a, b) of the underlying pair at d_a = 0.15 and the same c. There
        d_a and c can hardly be distinguished, while rates and areas have finite errors.
    log_likelihood, method, n_pos, n_neg, n_categories, categories, cutpoints, warnings
        As for `Binormal`; the cut-points are deviates of FPR.

    Examples
    --------
    >>> curve = ProperBinormal(d_a=1.5, c=-0.3)
    >>> round(curve.auc, 4), curve.tpr([0.0, 0.1, 1.0]).round(4).tolist()
    (0.8608, [0.0, 0.6976, 1.0])
    >>> round(curve.fpr(curve.tpr(0.1)), 12)
    0.1
    """

    model: ClassVar[str] = "proper binormal"
    PARAMETERS: ClassVar[tuple[str, str]] = ("d_a", "c")

    d_a: float | None = None
    c: float | None = None
    near_cov: Floats | None = field(default=None, repr=False)

    def _checked_area(self) -> float:
        d_a = checks.check_number(self.d_a, name="d_a", low=0, closed=True)
        c = checks.check_number(self.c, name="c", low=-1, high=1)
        return proper_area(checks.check_number(d_a, name="d_a"), c)

    @property
    def a(self) -> float | None:
        """Distance of the means of the underlying pair, in standard deviations of the positives."""
        return None if self.auc is None else self.shape().a

    @property
    def b(self) -> float | None:
        """Ratio of the standard deviations of the underlying pair, negatives to positives."""
        return None if self.auc is None else self.shape().b

    def shape(self) -> ProperShape:
        """Return the latent shape, or raise `UndefinedError` with the reason where there is none."""
        return ProperShape(*to_pair(*self.parameters()))

    def slope(self, fpr: Any) -> Any:
        """Slope of the curve at given FPR strictly between 0 and 1, the likelihood ratio there.

        Examples
        --------
        >>> ProperBinormal(d_a=1.5, c=-0.3).slope([0.01, 0.1, 0.5]).round(3).tolist()
        [8.062, 1.081, 0.274]
        """
        rates = checks.as_rates(fpr, name="fpr")
        if not bool(((rates > 0) & (rates < 1)).all()):
            raise RocInputError(f"must hold rates inside (0, 1), got {checks.show(fpr)}", argument="fpr")
        slopes = np.exp(self.shape().log_slope(-special.ndtri(rates)))
        return float(slopes) if slopes.ndim == 0 else slopes

    def _derived(self) -> dict[str, Any]:
        """The underlying pair as well."""
        return latent.LatentCurve._derived(self) | {
            "a": self.a,
            "b": self.b,
            "near_cov": plain(self.near_cov),
        }

    def _area_up_to(self, fpr: float) -> float:
        return proper_area_up_to(self.shape(), fpr)

    def _fpr_inside(self, tpr: Floats) -> Floats:
        # Seen from the corner (1, 1) the curve is proper again, with -c for c.
        shape = self.shape()
        return ProperShape(shape.a / shape.b, 1 / shape.b).tails(special.ndtri(tpr))[0]

    def _errors(self) -> tuple[Floats | None, ProperShape]:
        shape = self.shape()
        if self.status == "boundary":
            return self.near_cov, beside_boundary(shape)
        if self.cov is None:
            return None, shape
        back = np.linalg.inv(pair_derivatives(shape.a, shape.b))
        return back @ self.cov @ back.T, shape


def beside_boundary(shape: ProperShape) -> ProperShape:
    """The neighbour of a curve with d_a = 0 whose errors stand for its own."""
    return ProperShape(*to_pair(NEAR, from_pair(shape.a, shape.b)[1]))


# ---- Fit a proper binormal curve by maximum likelihood ----------------------------------------------------

# Beyond this slope (or below its inverse) the search has left for a limit of the model.
STEEPEST = 1e3
# With more categories than this one good start is enough, and further ones cost seconds.
MANY_CATEGORIES = 2000
REASONS = {
    "chance": "no proper curve is likelier than the diagonal, which lies on the boundary of the model",
    "boundary": "d_a = 0 is on the boundary of the model: errors are those of neighbouring curves",
}


def fit_proper_binormal(
    y_true: Any,
    y_score: Any = None,
    *,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> ProperBinormal:
    """Fit a proper binormal ROC curve by maximum likelihood; also `fit_binormal(..., proper=True)`.

    Categories are those of `fit_binormal`, so both log-likelihoods can be compared. The search starts from
    several curves, at the boundary d_a = 0 as well, and the highest maximum is kept.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na
        As in `fit_binormal`, whose argument `proper` leads here.

    Returns
    -------
    ProperBinormal
        With `d_a`, `c`, `cov`, `auc`, `log_likelihood`, `status` and `reason`.

    Examples
    --------
    >>> from rocscope import ScoreTable
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> fit = fit_proper_binormal(table)
    >>> print(fit)
    Proper binormal curve (ml): d_a 1.9078 (se 0.2607), c -0.1675 (se 0.1474), AUC 0.9113 (se 0.0296)
    >>> print(fit.partial_auc_estimate(fpr=(0, 0.2)))
    partial AUC 0.1471 (95% interval 0.1147-0.1717, proper binormal)
    """
    table = fit.read_table(y_true, y_score, pos_label=pos_label, label=label, score=score, na=na)
    return fit.name_zero_variance(fit_proper_categories(latent.truth_runs(table)), table)


def fit_proper_categories(categories: latent.Categories) -> ProperBinormal:
    """Maximum-likelihood fit to counts in categories."""
    undefined = fit.why_no_concave_curve(categories)
    if undefined is not None:
        return ProperBinormal._fitted(categories, **undefined._asdict())
    likelihood = ProperLikelihood(categories)
    enough = len(categories) > MANY_CATEGORIES
    inside = likelihood.maximum(proper_starts(categories), first=enough)
    best = inside
    if not enough or inside is None or not likelihood.is_inside(inside):
        # At the boundary a = 0: on the diagonal, and beside the maximum inside or on both sides.
        slopes = (1.0, 0.6, 1 / 0.6) if inside is None else (1.0, float(inside.theta[1]))
        best = maximum.highest(likelihood.maximum(np.array([0.0, b]) for b in slopes), inside)
    if best is None:
        return ProperBinormal._fitted(categories, status="not-converged", reason=likelihood.no_maximum())
    a, b = best.theta.tolist()
    if not 1 / STEEPEST < b < STEEPEST:
        reason = f"the likelihood rises towards c = {math.copysign(1, b - 1):g}"
        return ProperBinormal._fitted(categories, status="degenerate", reason=reason)
    d_a, c = from_pair(a, b)
    status = "ok" if a > 0 else "chance" if b == 1 else "boundary"
    shape, cov, near = ProperShape(a, b), None, None
    if status == "ok":
        cov = likelihood.covariance(shape, best.cutpoints)
    elif status == "boundary":
        near = likelihood.covariance(beside_boundary(shape), best.cutpoints)
    turn = pair_derivatives(a, b)
    return ProperBinormal._fitted(
        categories,
        d_a=d_a,
        c=c,
        cov=None if cov is None else turn @ cov @ turn.T,
        log_likelihood=best.log_likelihood,
        cutpoints=best.cutpoints,
        status=status,
        reason=maximum.SINGULAR if status == "ok" and cov is None else REASONS.get(status),
        near_cov=near,
    )


class ProperLikelihood(maximum.ShapeLikelihood):
    """The curves with a >= 0 and b > 0; at a = 0 the curve turns at b = 1, where it is the diagonal."""

    def shape(self, theta: Floats) -> ProperShape:
        """The curve with these parameters."""
        return ProperShape(float(theta[0]), float(theta[1]))

    def project(self, theta: Floats, previous: Floats) -> Floats:
        """Stop at a = 0, there at b = 1, and go half the way to b = 0 at most."""
        a, b = max(float(theta[0]), 0.0), max(float(theta[1]), float(previous[1]) / 2)
        crosses = (b - 1) * (float(previous[1]) - 1) <= 0
        return np.array([a, 1.0 if a == 0 and crosses else b])

    def free(self, theta: Floats, slope: Floats) -> NDArray[np.bool_]:
        """The likelihood is even in a: at 0 it does not move, and on the diagonal nothing does."""
        return np.array([theta[0] > 0, theta[0] > 0 or theta[1] != 1])

    def arrival(self, point: maximum.Point, step: maximum.Step, last: float) -> tuple[bool, bool]:
        """A search that leaves for a limit of the model ends there: its likelihood is one to compare."""
        b, change = float(point.theta[1]), float(step.theta[1])
        if (b > STEEPEST and change > 0) or (b < 1 / STEEPEST and change < 0):
            return True, True
        return maximum.ShapeLikelihood.arrival(self, point, step, last)


def proper_starts(categories: latent.Categories) -> Iterator[Floats]:
    """Curves to start from: that of the line near the deviates, then others of about its area."""
    a, b = fit.start_line(categories)
    if not np.isfinite([a, b]).all() or b <= 0:
        a, b = 0.5, 1.0
    b = min(max(b, 0.1), 10.0)
    d_a = max(from_pair(a, b)[0], 0.1)
    for c in (from_pair(a, b)[1], -0.3, 0.3):
        yield np.array(to_pair(d_a, c))


# ---- The proper binormal curve on the latent scale of the negatives, with its derivatives -----------------
# A binormal pair (a, b) whose cases are ranked by their likelihood ratio gives a curve without hooks [1]_.
# Where b < 1 a case tests positive in both tails of the latent variable, where b > 1 between two limits.
# With A1 and A2 the two limits as deviates of the negatives (signs turned) and B1, B2 those of the positives,
# H = 1 where b > 1 and else 0::
#     FPR = Phi(A1) + Phi(A2) - H        A2 = A1 - gap,  gap = 2 a b / (1 - b^2)
#     TPR = Phi(B1) + Phi(B2) - H        B1 = a + b A1,  B2 = -a + b A2
# which is the form of [1]_ with c = (b - 1) / (b + 1), d_a = sqrt(2) a / sqrt(1 + b^2) and its cut-point v as
# A1 = -(1 - c) v - d_a sqrt(1 + c^2) / 2. Its v is no parameter here, because the range of v moves with the
# curve: a point is given by the deviate t with FPR = Phi(-t), as in the binormal model, and A1 follows
# (`_folded`). Both limits have the same likelihood ratio, which makes the derivatives short: at equal FPR
# that of TPR by a parameter p is the sum over both limits of phi(B) (dB/dp - b dA/dp).
# References
# ----------
# .. [1] C. E. Metz, X. Pan: "Proper" binormal ROC curves: theory and maximum-likelihood estimation, Journal
#    of Mathematical Psychology 43, 1999.

# Limits further apart than this share no cases: what the second one adds is less than 1e-300.
FAR = 60.0
# Nearer to b = 1 the second limit is out of sight, and 1 - b^2 would only overflow.
LEAST_CONTRAST = 1e-9
NEWTON_STEPS = 60
ROUNDING = 1e-14
# Deviates beyond this are 1e-268 and less of a class.
REACH = 35.0
# Limits nearer than this to their middle, in standard deviations of either class: the difference of two
# distribution functions loses digits there, and all of them further on.
NEAR_FOLD = 1e-5


@dataclass(frozen=True, slots=True)
class Limits:
    """Deviates of both classes at the two limits of the positive tests, for every t."""

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
        contrast = (1 - self.b) * (1 + self.b)
        return contrast if abs(contrast) > LEAST_CONTRAST else math.copysign(LEAST_CONTRAST, contrast)

    @property
    def gap(self) -> float:
        """How far the limits of the negatives lie apart; below 0 where b > 1."""
        return 2 * self.a * self.b / self.contrast

    def limits(self, t: Floats) -> Limits:
        """Both limits at the deviates t, FPR = Phi(-t)."""
        side = 1.0 if self.contrast > 0 else -1.0  # b > 1: the complement is folded
        first = -side * _folded(side * t.clip(-REACH, REACH), abs(self.gap))
        second = first - self.gap
        return Limits((first, second), (self.a + self.b * first, -self.a + self.b * second))

    def tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Shares of the positives below and above t, 1 - TPR and TPR at FPR = Phi(-t)."""
        return self._tails(t, self.limits(t))

    def _tails(self, t: Floats, limits: Limits) -> tuple[Floats, Floats]:
        first, second = limits.pos
        if self.contrast > 0:
            between = special.ndtr(-first) - special.ndtr(second)
            beyond = special.ndtr(first) + special.ndtr(second)
        else:
            beyond = special.ndtr(-first) + special.ndtr(-second)
            between = special.ndtr(first) - special.ndtr(-second)
        near = np.abs(limits.neg[0] - self.gap / 2) * max(1.0, self.b) < NEAR_FOLD
        if abs(self.gap) <= FAR and near.any():
            # Between limits this close the likelihood ratio is constant, but for a share of 1e-10: the
            # positives there are that ratio times the negatives.
            log_ratio = math.log(self.b) - self.a * self.a / (2 * self.contrast)
            negatives = special.log_ndtr(math.copysign(1.0, self.contrast) * t.clip(-REACH, REACH))
            between = np.where(near, np.exp(np.minimum(negatives + log_ratio, 0.0)), between)
        below, above = (between, beyond) if self.contrast > 0 else (beyond, between)
        return below.clip(0, 1), above.clip(0, 1)

    def log_slope(self, t: Floats) -> Floats:
        """Logarithm of the likelihood ratio, which is the slope of the curve; it rises with t."""
        limits = self.limits(t)
        with np.errstate(over="ignore"):  # a slope of 0 or infinity
            return np.asarray(math.log(self.b) + (limits.neg[0] ** 2 - limits.pos[0] ** 2) / 2)

    def local(self, t: Floats) -> latent.Local:
        """Distribution of the positives at t with all derivatives up to the second."""
        limits = self.limits(t)
        below, above = self._tails(t, limits)
        neg, pos = ([normal_density(x) for x in pair] for pair in (limits.neg, limits.pos))
        both = np.maximum(neg[0] + neg[1], SMALLEST_TAIL)
        by_t = -normal_density(t) / both  # of A1 and of A2
        density = -self.b * (pos[0] + pos[1]) * by_t
        (a1, a2), (b1, b2) = limits.neg, limits.pos
        # Derivatives of A1 and A2 by a and b at equal FPR.
        gap_by = np.array([2 * self.b, 2 * self.a * (1 + self.b**2) / self.contrast]) / self.contrast
        share = neg[1] / both
        moves = gap_by[:, np.newaxis] * share, gap_by[:, np.newaxis] * (share - 1)
        first = np.stack([np.ones_like(t), a1]) + self.b * moves[0]
        second = np.stack([-np.ones_like(t), a2]) + self.b * moves[1]
        return latent.Local(
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
        # The t that belongs to e, from the smaller tail, and its derivative.
        above = special.ndtr(-e) + special.ndtr(-e - gap)
        below = special.ndtr(e) - special.ndtr(-e - gap)
        tail = np.clip(np.minimum(above, below), SMALLEST_TAIL, 0.5)
        deviate = np.where(above < below, -1.0, 1.0) * special.ndtri(tail)
        slope = (normal_density(e) + normal_density(e + gap)) / normal_density(deviate)
        low, high = np.where(deviate < t, e, low), np.where(deviate > t, e, high)
        step = np.clip((deviate - t) / slope, -2 * REACH, 2 * REACH)
        small = np.abs(step) <= ROUNDING
        settled = small & (np.abs(deviate - t) < 1e-3)  # at the fold the slope is infinite, and steps 0
        outside = ~settled & (small | (e - step <= low) | (e - step >= high))
        e = np.where(outside, (low + high) / 2, e - step)
        if bool(settled.all()):
            break
    return np.asarray(e)


# ---- Areas under a proper binormal curve in closed form ---------------------------------------------------
# With s = sqrt(1 + b^2) the integral of TPR over FPR is, at each limit, of the form
# ``integral of Phi(k + b x) phi(x) up to A = Phi2(A, k / s; -b / s)`` with k = a or
# k = a (1 + b^2) / (1 - b^2) and both signs, because TPR at one limit follows from either limit.

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
    s = math.hypot(1.0, shape.b)

    def up_to(limit: float, *means: float) -> float:
        return sum(float(bivariate_cdf(limit, k / s, -shape.b / s)) for k in means)

    if abs(shape.gap) > FAR:
        return up_to(first, shape.a)
    far = shape.a * (1 + shape.b**2) / shape.contrast
    area = up_to(first, shape.a, -far) + up_to(second, far, -shape.a)
    if shape.contrast > 0:
        return area
    fold = abs(shape.gap) / 2  # where b > 1, FPR is 0 at the limits -fold and fold
    return area - (up_to(-fold, shape.a, -far) + up_to(fold, far, -shape.a)) - fpr
