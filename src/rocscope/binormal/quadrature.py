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
from typing import Any

import numpy as np
from scipy import special

from rocscope.binormal.joint import Floats, as_weights
from rocscope.binormal.latent import normal_density
from rocscope.binormal.laws import REACH, Law, laws_of
from rocscope.core import checks
from rocscope.core.result import Result
from rocscope.errors import RocInputError, UndefinedError

# Nodes of the first rule, doubled until the answer stays; and the most that are tried.
FEWEST, MOST = 64, 16_384
SETTLED = 1e-10
# With fewer nodes to the spread of a score given the other, the answer never settles.
NODES_PER_SPREAD = 50
# Cells of one matrix of thresholds by nodes: 16 MB of float64.
CELLS = 2_000_000
# Sizes of the largest weight, so that neither thresholds nor densities leave the range of float64.
SCALES = (1e-150, 1e150)
# A score as small beside the other changes no digit of a rate.
NEGLIGIBLE = 1e-17
SHOWN = 201  # thresholds of a curve
SHOWN_REACH = 5.0  # and how many deviates they span on both sides of each class


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinedCurve(Result):
    """The curve of a combined score z = w_1 y_1 + w_2 y_2 at many thresholds.

    Attributes
    ----------
    weights, rho
        As they were given: weights, and correlations of the normal deviates (negatives, positives).
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
    >>> found = combine_curves(Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8), [0.5, 0.5])
    >>> print(found)
    combined curve, weights 0.5, 0.5: AUC 0.8791 (quadrature)
    """

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
        told = ", ".join(f"{weight:g}" for weight in self.weights)
        return f"combined curve, weights {told}: AUC {self.auc:.4f} (quadrature)"

    def columns(self) -> dict[str, Any]:
        """One row per threshold."""
        names = ("fpr", "tpr", "density_neg", "density_pos")
        return {"threshold": self.thresholds} | {name: getattr(self, name) for name in names}


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
    >>> found = combine_curves(*pair, [0.5, 0.5], thresholds=[1.0, 0.0])
    >>> found.fpr.round(4).tolist(), found.tpr.round(4).tolist()
    ([0.0786, 0.5], [0.6226, 0.9408])
    """
    # The curve does not depend on the scale of the weights: the quadrature has the largest at 1.
    scaled = as_weights(weights, 2)
    if scaled.ndim != 1:
        raise RocInputError(f"weights must be two numbers, got {checks.show(weights)}")
    scale = _check_scale(weights)
    correlations = _check_rho(rho)
    laws = laws_of(first, name="first"), laws_of(second, name="second")
    neg, pos = (
        _Sum.of(law_1, law_2, scaled, r)
        for law_1, law_2, r in zip(
            (laws[0].neg, laws[0].pos), (laws[1].neg, laws[1].pos), correlations, strict=True
        )
    )
    if thresholds is None:
        at = _spanned(neg, pos)
        shown = at * scale
    else:
        shown = np.sort(_as_thresholds(thresholds))[::-1]
        at = shown / scale
    found, error = _settled(lambda n: _answer(neg, pos, at, n))
    fpr, tpr, *densities = np.split(found[1:], 4)
    return CombinedCurve(
        weights=scaled * scale,
        rho=correlations,
        thresholds=shown,
        fpr=_rising(fpr),
        tpr=_rising(tpr),
        density_neg=densities[0] / (neg.width() * scale),
        density_pos=densities[1] / (pos.width() * scale),
        auc=min(max(float(found[0]), 0.0), 1.0),
        error=error,
    )


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

    def rates(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        """Distribution function and density at the thresholds, with n nodes: [1] eqs. (6) and (7)."""
        if self.inner is None:
            x = self.outer.deviate(t)
            return special.ndtr(x), normal_density(x) * self.outer.slope(t)
        rows = max(1, CELLS // n)
        parts = [self._rates(t[k : k + rows], n) for k in range(0, len(t), rows)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _rates(self, t: Floats, n: int) -> tuple[Floats, Floats]:
        assert self.inner is not None
        low, high = self.inner.quantile(np.array([-REACH, REACH])).tolist()
        y = np.linspace(low, high, n + 1)
        x = self.inner.deviate(y)
        share = normal_density(x) * self.inner.slope(y) * (y[1] - y[0])  # dF(y)
        rest = t[:, np.newaxis] - y
        root = np.sqrt(1 - self.rho**2)
        z = (self.outer.deviate(rest) - self.rho * x) / root
        return special.ndtr(z) @ share, (normal_density(z) * self.outer.slope(rest) / root) @ share

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


def _answer(neg: _Sum, pos: _Sum, at: Floats, n: int) -> Floats:
    """Area, rates and densities in one array, so that all must settle together.

    The densities are those of a score of width 1: a narrow score has high ones, which would settle late.
    """
    (below_neg, density_neg), (below_pos, density_pos) = neg.rates(at, n), pos.rates(at, n)
    densities = density_neg * neg.width(), density_pos * pos.width()
    return np.concatenate([[_area(neg, pos, n)], 1 - below_neg, 1 - below_pos, *densities])


def _area(neg: _Sum, pos: _Sum, n: int) -> float:
    """Integral of TPR dFPR over the thresholds, or of (1 - FPR) dTPR where the positives are narrower.

    The rates of the wider class change little over the density of the narrower one: few nodes are enough.
    """
    spans = neg.span(REACH), pos.span(REACH)
    inner, outer = (neg, pos) if np.ptp(spans[0]) <= np.ptp(spans[1]) else (pos, neg)
    t = np.linspace(*inner.span(REACH), 2 * n + 1)
    below, density = outer.rates(t, n)[0], inner.rates(t, n)[1]
    return float((1 - below if inner is neg else below) @ density * (t[1] - t[0]))


def _settled(answer: Callable[[int], Floats]) -> tuple[Floats, float]:
    """Double the nodes until nothing changes any more."""
    n, before = FEWEST, answer(FEWEST)
    while n < MOST:
        n *= 2
        found = answer(n)
        error = float(np.abs(found - before).max())
        if error < SETTLED:
            return found, error
        before = found
    raise UndefinedError(f"the quadrature has not settled with {MOST} nodes: it still changes by {error:.2g}")


def _spanned(neg: _Sum, pos: _Sum) -> Floats:
    ends = [*neg.span(SHOWN_REACH), *pos.span(SHOWN_REACH)]
    return np.linspace(max(ends), min(ends), SHOWN)


def _rising(rates: Floats) -> Floats:
    """Rates without the rounding of a sum: from 0 to 1, and never less at a lower threshold."""
    return np.maximum.accumulate(rates.clip(0.0, 1.0))


def _check_scale(weights: Any) -> float:
    """The largest weight, on whose scale the thresholds and the densities are."""
    scale = float(np.abs(np.asarray(weights, dtype=np.float64)).max())
    if not SCALES[0] <= scale <= SCALES[1]:
        low, high = SCALES
        raise RocInputError(
            f"weights must have a largest size from {low:g} to {high:g}, for the thresholds of their sum, "
            f"got {checks.show(weights)}"
        )
    return scale


def _as_thresholds(thresholds: Any) -> Floats:
    values = checks.as_scores(thresholds, name="thresholds").astype(np.float64)
    checks.refuse_rows(~np.isfinite(values), name="thresholds", wanted="finite values", got="infinite ones")
    return values


def _check_rho(rho: Any) -> tuple[float, float]:
    pair = list(rho) if isinstance(rho, (tuple, list, np.ndarray)) else []
    if len(pair) != 2:
        raise RocInputError(f"rho must be a pair (negatives, positives), got {checks.show(rho)}")
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
