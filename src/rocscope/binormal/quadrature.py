"""The ROC curve of two combined classifiers by quadrature, whatever their distributions.

[1] eq. (6) is F(t) = int F_2((t - w_1 y) / w_2) dF_1(y): a smooth integrand that vanishes quickly on both
sides, which the trapezoidal rule integrates to all digits. A correlation rho of the normal deviates
x = Phi^-1(F(y)) (a Gaussian copula) turns F_2 into Phi((x_2 - rho x_1) / sqrt(1 - rho^2)). For binormal
curves this is the twin of the closed form.

References
----------
.. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
   ICIAP 2005, LNCS 3617.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
from scipy import special

from rocscope.binormal import combine, latent
from rocscope.binormal.curve import Binormal
from rocscope.binormal.latent import Floats, deviate_of, normal_density
from rocscope.core import checks
from rocscope.core.result import Result
from rocscope.errors import RocInputError, UndefinedError

# Nodes of the first rule, doubled until the result stays; and the most that are tried.
FEWEST, MOST = 64, 16_384
# Thresholds of the area, in pairs: more changed it by less than 1e-12 at correlations of .995 to .9999.
ENOUGH = 512
SETTLED = 1e-10
# With fewer nodes to the spread of a score given the other, the result never settles.
NODES_PER_SPREAD = 50
# Cells of one matrix of thresholds by nodes: few enough to stay in a cache of 1 MB.
CELLS = 131_072
# Sizes of the largest weight, so that neither thresholds nor densities leave the range of float64.
SCALES = (1e-150, 1e150)
# A score as small beside the other changes no digit of a rate.
NEGLIGIBLE = 1e-17
THRESHOLDS = 201  # of a curve
THRESHOLD_REACH = 5.0  # and how many deviates they span on both sides of each class


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinedCurve(Result):
    """The curve of a combined score z = w_1 y_1 + w_2 y_2 at many thresholds.

    Attributes
    ----------
    weights, rho
        Those of the call: weights, and correlations of the normal deviates (negatives, positives).
    thresholds
        Descending, on the scale of z.
    fpr, tpr
        Rates at the thresholds, z >= t.
    density_neg, density_pos
        Densities of z in both classes.
    auc
        Area under the whole curve.
    error
        How much the last doubling of the nodes has changed the area or a rate.

    Examples
    --------
    >>> from rocscope.binormal.curve import Binormal
    >>> print(combine_curves(Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8), [0.5, 0.5]))
    combined curve, weights 0.5, 0.5: AUC 0.8791 (quadrature)
    """

    view: ClassVar[str] = "binormal.combined_picture"

    weights: Floats
    rho: tuple[float, float]
    thresholds: Floats
    fpr: Floats
    tpr: Floats
    density_neg: Floats
    density_pos: Floats
    auc: float
    error: float

    def _summary(self) -> str:
        weights = ", ".join(f"{weight:g}" for weight in self.weights)
        return f"combined curve, weights {weights}: AUC {self.auc:.4f} (quadrature)"

    def columns(self) -> dict[str, Any]:
        """One row per threshold."""
        names = ("fpr", "tpr", "density_neg", "density_pos")
        return {"threshold": self.thresholds} | {name: getattr(self, name) for name in names}


@checks.known_arguments
def combine_curves(
    first: Any, second: Any, weights: Any, *, rho: Any = (0.0, 0.0), thresholds: Any = None
) -> CombinedCurve:
    """Predict the ROC curve of a weighted sum of two classifiers from any two fitted curves.

    Parameters
    ----------
    first, second
        Fitted curves with a method `tpr(fpr)`: ordinary, proper, contaminated or smoothed; each is read
        on the latent scale where its negatives are N(0, 1). Or `ScoreLaws`, for any other scale: that of
        the raw outputs, say, with `Law.mixture` of a kernel estimate.
    weights
        Two weights.
    rho
        Correlation of the normal deviates of the scores among the negatives and among the positives;
        (0, 0) is the independence of [1].
    thresholds
        Where to give the rates; by default 201 over both classes.

    Returns
    -------
    CombinedCurve
        With `fpr`, `tpr`, densities, `auc`; [1] eqs. (6) and (7).

    Examples
    --------
    >>> from rocscope.binormal.curve import Binormal
    >>> pair = Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8)
    >>> curve = combine_curves(*pair, [0.5, 0.5], thresholds=[1.0, 0.0])
    >>> curve.fpr.round(4).tolist(), curve.tpr.round(4).tolist()
    ([0.0786, 0.5], [0.6226, 0.9408])
    """
    # The curve does not depend on the scale of the weights: the quadrature has the largest at 1. Thresholds
    # and densities are on the scale of the call.
    scaled = combine.as_weights(weights, 2)
    if scaled.ndim != 1:
        raise RocInputError(f"must be two numbers, got {checks.show(weights)}", argument="weights")
    scale = float(np.abs(np.asarray(weights, dtype=np.float64)).max())
    if not SCALES[0] <= scale <= SCALES[1]:
        allowed = f"have a largest size from {SCALES[0]:g} to {SCALES[1]:g}, for the thresholds of their sum"
        raise RocInputError(f"must {allowed}, got {checks.show(weights)}", argument="weights")
    correlations = _check_rho(rho)
    laws = laws_of(first, name="first"), laws_of(second, name="second")
    neg = _Sum.of(laws[0].neg, laws[1].neg, scaled, correlations[0])
    pos = _Sum.of(laws[0].pos, laws[1].pos, scaled, correlations[1])
    if thresholds is None:
        ends = [*neg.span(THRESHOLD_REACH), *pos.span(THRESHOLD_REACH)]
        at = np.linspace(max(ends), min(ends), THRESHOLDS)
        places = at * scale
    else:
        values = checks.as_scores(thresholds, name="thresholds").astype(np.float64)
        infinite = ~np.isfinite(values)
        checks.refuse_rows(infinite, name="thresholds", required="finite values", got="infinite ones")
        places = np.sort(values)[::-1]
        at = places / scale
    # The nodes are doubled until the area, the rates and the densities stay.
    n, before, error = FEWEST, _integrals(neg, pos, at, FEWEST), np.inf
    while not error < SETTLED:
        if n >= MOST:
            raise UndefinedError(
                f"the quadrature has not settled with {MOST} nodes: it still changes by {error:.2g}"
            )
        n *= 2
        integrals = _integrals(neg, pos, at, n)
        error = float(np.abs(integrals - before).max())
        before = integrals
    fpr, tpr, density_neg, density_pos = np.split(before[1:], 4)
    # Rates without the rounding of a sum: from 0 to 1, and never less at a lower threshold.
    fpr, tpr = (np.maximum.accumulate(rates.clip(0.0, 1.0)) for rates in (fpr, tpr))
    return CombinedCurve(
        weights=scaled * scale,
        rho=correlations,
        thresholds=places,
        fpr=fpr,
        tpr=tpr,
        density_neg=density_neg / (neg.width() * scale),
        density_pos=density_pos / (pos.width() * scale),
        auc=min(max(float(before[0]), 0.0), 1.0),
        error=error,
    )


Rate: TypeAlias = Literal["below", "density"]


@dataclass(frozen=True, slots=True)
class _Sum:
    """The sum of two weighted scores in one class: `inner` is integrated out, `outer` is conditioned."""

    inner: Law | None
    outer: Law
    rho: float

    @classmethod
    def of(cls, first: Law, second: Law, weights: Floats, rho: float) -> _Sum:
        parts = [law.times(w) for law, w in zip((first, second), weights.tolist(), strict=True) if w != 0]
        if len(parts) == 1:
            return cls(None, parts[0], 0.0)
        # Conditioned on the narrower score, the other is a smooth function of it.
        narrow, wide = sorted(parts, key=Law.spread)
        if np.abs(narrow.quantile(np.array([-REACH, REACH]))).max() < NEGLIGIBLE * wide.spread():
            return cls(None, wide, 0.0)
        return cls(narrow, wide, rho * float(np.sign(weights).prod()))

    def rates(self, t: Floats, n: int, *, which: tuple[Rate, ...] = ("below", "density")) -> list[Floats]:
        """Distribution function and density at the thresholds, with n nodes: [1] eqs. (6) and (7)."""
        if self.inner is None:
            x = self.outer.deviate(t)
            return [
                special.ndtr(x) if rate == "below" else normal_density(x) * self.outer.slope(t)
                for rate in which
            ]
        low, high = self.inner.quantile(np.array([-REACH, REACH])).tolist()
        y = np.linspace(low, high, n + 1)
        x = self.inner.deviate(y)
        share = normal_density(x) * self.inner.slope(y) * (y[1] - y[0])  # dF(y)
        root = np.sqrt(1 - self.rho**2)
        rows = max(1, CELLS // n)
        rates: dict[Rate, list[Floats]] = {rate: [] for rate in which}
        for k in range(0, len(t), rows):
            rest = t[k : k + rows, np.newaxis] - y
            z = (self.outer.deviate(rest) - self.rho * x) / root
            if "below" in rates:
                rates["below"].append(special.ndtr(z) @ share)
            if "density" in rates:
                rates["density"].append((normal_density(z) * self.outer.slope(rest) / root) @ share)
        return [np.concatenate(parts) for parts in rates.values()]

    def width(self) -> float:
        """Half of what one deviate to both sides spans."""
        low, high = self.span(1.0)
        return (high - low) / 2

    def span(self, reach: float) -> tuple[float, float]:
        """Where nearly all of the sum lies."""
        ends = np.array([-reach, reach])
        total = self.outer.quantile(ends)
        if self.inner is not None:
            total = total + self.inner.quantile(ends)
        return float(total[0]), float(total[1])


def _integrals(neg: _Sum, pos: _Sum, at: Floats, n: int) -> Floats:
    """Area, rates and densities in one array, so that all must settle together.

    The densities are those of a score of width 1: a narrow score has high ones, which would settle late. The
    area is the integral of TPR dFPR over the thresholds, or of (1 - FPR) dTPR where the positives are
    narrower: the rates of the wider class change little over the density of the narrower one, and few nodes
    are enough.
    """
    (below_neg, density_neg), (below_pos, density_pos) = neg.rates(at, n), pos.rates(at, n)
    densities = density_neg * neg.width(), density_pos * pos.width()
    spans = neg.span(REACH), pos.span(REACH)
    narrow, wide = (neg, pos) if np.ptp(spans[0]) <= np.ptp(spans[1]) else (pos, neg)
    t = np.linspace(*narrow.span(REACH), 2 * min(n, ENOUGH) + 1)
    (below,), (density,) = wide.rates(t, n, which=("below",)), narrow.rates(t, n, which=("density",))
    area = float((1 - below if narrow is neg else below) @ density * (t[1] - t[0]))
    return np.concatenate([[area], 1 - below_neg, 1 - below_pos, *densities])


def _check_rho(rho: Any) -> tuple[float, float]:
    pair = list(rho) if isinstance(rho, (tuple, list, np.ndarray)) else []
    if len(pair) != 2:
        raise RocInputError(f"must be a pair (negatives, positives), got {checks.show(rho)}", argument="rho")
    neg, pos = (
        checks.check_number(r, name=f"rho[{k}]", low=-1, high=1, closed=True) for k, r in enumerate(pair)
    )
    for k, r in enumerate((neg, pos)):
        # Given one score the other has this spread, which the nodes must resolve.
        spread = np.sqrt((1 - r) * (1 + r))
        if spread * MOST < NODES_PER_SPREAD:
            condition = (1 + abs(r)) / (1 - abs(r)) if abs(r) < 1 else np.inf
            raise UndefinedError(
                f"rho[{k}] is {r:.10g} (condition number {condition:.3g}): such classifiers are copies, "
                "whose weights can cancel"
            )
    return neg, pos


# ---- Distributions of one score in each class, as the quadrature of a combination needs them --------------
# A law is known by its normal deviates: `deviate(t)` is x with Phi(x) = F(t), and `quantile(x)` the way back.
# Both are straight lines for a normal law, smooth for the others, and keep their digits in both tails.

Map: TypeAlias = Callable[[Floats], Floats]
# Halvings of the bracket of a quantile: beyond double precision; and the ends of a latent scale.
HALVINGS = 70
FARTHEST = (-60.0, 60.0)
# Normal deviates beyond this are 1e-16 and less of a class.
REACH = 8.2
SURE = 7.0  # beyond these, 1 - TPR has too few digits for a derivative
STEP = 0.01  # of the differences that stand for a derivative
KNOTS = 50  # of a table, for every standard deviation
MOST_KNOTS = 10_000_000


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
        n_knots = KNOTS * (ends[1] - ends[0]) / s.min()
        if not n_knots < MOST_KNOTS:
            raise UndefinedError("the parts of the mixture lie too far apart to be tabulated")
        knots = np.linspace(ends[0], ends[1], 1 + int(n_knots))
        return cls.tabulated(knots, deviate(knots), slope(knots))

    @classmethod
    @lru_cache(maxsize=4)  # a table takes longer than a quadrature, and predictions of all kinds share it
    def from_shape(cls, shape: latent.Shape) -> Law:
        """The positives of a fitted latent curve, with derivatives of its own."""

        def deviate(t: Floats) -> Floats:
            return deviate_of(*shape.tails(t))

        ends = _inverse(deviate, *FARTHEST)(np.array([-REACH, REACH])).tolist()
        knots = np.linspace(ends[0], ends[1], 1 + int(KNOTS * (ends[1] - ends[0])))
        deviates = deviate(knots)
        return cls.tabulated(knots, deviates, shape.local(knots).density / normal_density(deviates))

    @classmethod
    def from_deviate(cls, deviate: Map) -> Law:
        """A law of which only the deviates are known; their derivative by differences of eighth order."""
        ends = _inverse(deviate, *FARTHEST)(np.array([-SURE, SURE])).tolist()
        knots = np.linspace(ends[0], ends[1], 1 + int(KNOTS * (ends[1] - ends[0])))
        parts = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
        with np.errstate(invalid="ignore"):
            slopes = sum(c * (deviate(knots + k * STEP) - deviate(knots - k * STEP)) for k, c in parts) / STEP
        # The derivative is 0 where a deviate is infinite.
        return cls.tabulated(knots, deviate(knots), np.where(np.isfinite(slopes), slopes, 0.0))

    @classmethod
    def tabulated(cls, knots: Floats, deviates: Floats, slopes: Floats) -> Law:
        """A law known at many knots: cubic pieces between them, straight lines beyond.

        A quadrature needs millions of deviates, and a law can be slow to compute them.
        """
        from scipy.interpolate import CubicHermiteSpline, CubicSpline

        # The derivative of the first spline would have fewer digits than a spline of the slopes.
        inside, along = CubicHermiteSpline(knots, deviates, slopes), CubicSpline(knots, slopes)
        low, high = knots[0], knots[-1]

        def deviate(t: Floats) -> Floats:
            at = np.clip(t, low, high)
            values, beyond = np.asarray(inside(at)), at != t
            values[beyond] += along(at[beyond]) * (t[beyond] - at[beyond])
            return values

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

    A curve determines its scores up to an increasing map; this is the scale of [1] eq. (3). The positives
    have F(t) = 1 - TPR at FPR = Phi(-t). `ScoreLaws` pass as they are.
    """
    if isinstance(curve, ScoreLaws):
        return curve
    if isinstance(curve, latent.LatentCurve) and curve.auc is None:
        raise UndefinedError(f"{name} has no curve to combine ({curve.status}): {curve.reason}")
    negatives = Law.normal(mean=0.0, sd=1.0)
    if isinstance(curve, Binormal):
        a, b = curve.parameters()
        return ScoreLaws(negatives, Law.normal(mean=a / b, sd=1 / b))
    if isinstance(curve, latent.ConcaveCurve):
        return ScoreLaws(negatives, Law.from_shape(curve.shape()))
    if not isinstance(curve, HasTpr):
        raise RocInputError(
            f"must be a fitted curve with a method tpr(fpr), or ScoreLaws, got {checks.show(curve)}",
            argument=name,
        )

    def deviate(t: Floats) -> Floats:
        return np.asarray(-special.ndtri(np.asarray(curve.tpr(special.ndtr(-np.asarray(t))))))

    return ScoreLaws(negatives, Law.from_deviate(deviate))


def _inverse(deviate: Map, start: float, stop: float) -> Map:
    """Invert a rising map between two ends by halving brackets, all at once.

    The few deviates that a quadrature returns to at every weight are remembered.
    """
    known: dict[tuple[Any, ...], Floats] = {}

    def quantile(x: Floats) -> Floats:
        key = (np.shape(x), *np.ravel(x).tolist()) if np.size(x) <= 2 else ()
        if key in known:
            return known[key].copy()
        low, high = np.full(np.shape(x), start), np.full(np.shape(x), stop)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            under = deviate(middle) < x
            low, high = np.where(under, middle, low), np.where(under, high, middle)
        at = np.asarray((low + high) / 2)
        if key:
            known[key] = at.copy()
        return at

    return quantile
