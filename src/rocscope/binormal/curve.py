"""The binormal curve, a straight line on normal-deviate axes, with its latent densities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from rocscope.binormal.latent import Floats, LatentCurve, Measured, bivariate_cdf, normal_density
from rocscope.core import checks, significance
from rocscope.core.partial_area import Ranges, whole_area
from rocscope.core.result import Result, TestResult
from rocscope.errors import RocInputError

# A share of 0 or 1 has no deviate. A partial area is a difference of areas with an error of some 1e-16: from
# this share on it has digits.
LEAST_SHARE, EPS = 1e-15, float(np.finfo(np.float64).epsneg)
# Width in FPR from which a stretch below chance is worth a warning.
VISIBLE = 1e-6
# Standard deviations to either side of the means that densities are drawn for, and the number of places.
TAILS, STEPS = 4.0, 401


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binormal(LatentCurve):
    """The ROC curve of two normal distributions: TPR = Phi(a + b Phi^-1(FPR)).

    On the latent scale negatives are N(0, 1) and positives N(a / b, 1 / b^2); so
    a = (mu_pos - mu_neg) / sigma_pos and b = sigma_neg / sigma_pos. A curve can also be made alone, from
    `a` and `b`.

    Attributes
    ----------
    a, b
        Intercept and slope on normal-deviate axes; None unless `status` is "ok".
    cov
        Covariance matrix of (a, b); None where it is not known.
    auc
        Area under the curve, Phi(a / sqrt(1 + b^2)).
    log_likelihood
        Of the counts in the categories, without the multinomial constant; None without a fit by
        likelihood. Comparable between models on the same categories only.
    status, reason
        "ok"; or, with the reason: "perfect" or "perverse" (the classes are separated), "degenerate" (a curve
        of slope 0 or infinity fits exactly), "undetermined" (fewer than two points to fit), "not-converged"
        (the search failed; its last step is not given).
    method
        "ml", "least-squares", "moments"; "given" for a curve made from `a` and `b`, "combined" for one that
        follows from others.
    n_pos, n_neg
        Cases behind the fit.
    n_categories
        Number of categories of the fit.
    categories, cutpoints
        Their counts, and the fitted cut-points between them on the latent scale.
    goodness
        Pearson's test of the fit on pooled categories.
    warnings
        What a reader should know, such as where the curve lies below chance.

    Examples
    --------
    >>> curve = Binormal(a=1.5, b=0.8)
    >>> round(curve.auc, 4), curve.tpr([0.0, 0.1, 1.0]).round(4).tolist()
    (0.8793, [0.0, 0.6825, 1.0])
    >>> print(curve)
    Binormal curve: a 1.5000, b 0.8000, AUC 0.8793
    """

    model: ClassVar[str] = "binormal"
    PARAMETERS: ClassVar[tuple[str, str]] = ("a", "b")
    DEFINED: ClassVar[tuple[str, ...]] = ("ok",)

    a: float | None = None
    b: float | None = None
    goodness: TestResult | None = None

    def _checked_area(self) -> float:
        a, b = checks.check_number(self.a, name="a"), checks.check_number(self.b, name="b", low=0)
        return float(special.ndtr(a / math.hypot(1.0, b)))

    @property
    def se_a(self) -> float | None:
        """Standard error of the intercept."""
        return None if self.cov is None else math.sqrt(self.cov[0, 0])

    @property
    def se_b(self) -> float | None:
        """Standard error of the slope."""
        return None if self.cov is None else math.sqrt(self.cov[1, 1])

    @property
    def se_auc(self) -> float | None:
        """Standard error of the area, by the delta method."""
        if self.cov is None or self.auc is None:
            return None
        gradient = self.area_gradient()
        return math.sqrt(gradient @ self.cov @ gradient)

    @property
    def hook(self) -> tuple[float, float] | None:
        """The range of FPR where the curve lies below chance; every slope other than 1 has one.

        Examples
        --------
        >>> low, high = Binormal(a=1, b=2).hook
        >>> low, round(high, 4)
        (0.0, 0.1587)
        """
        return below_chance(*self.parameters())

    def area_gradient(self) -> Floats:
        """Derivatives of the area by a and b."""
        a, b = self.parameters()
        return normal_density(a / math.hypot(1.0, b)) * deviate_gradient(a, b)

    def deviates(self) -> DeviatePlot:
        """Return the fit on normal-deviate axes, a straight line, with the points behind it.

        Examples
        --------
        >>> print(Binormal(a=1.5, b=0.8).deviates())
        Phi^-1(TPR) = 1.5000 + 0.8000 Phi^-1(FPR), 0 points, 0 left out at rates of 0 or 1
        """
        a, b = self.parameters()
        rates = (np.zeros(0), np.zeros(0)) if self.categories is None else self.categories.rates()
        x, y = (special.ndtri(rate) for rate in rates)
        inside = np.isfinite(x) & np.isfinite(y)
        return DeviatePlot(
            a=a, b=b, x=x[inside], y=y[inside], n_left_out=int((~inside).sum()), method=self.method
        )

    def densities(self, *, fpr: float | None = None, threshold: float | None = None) -> Densities:
        """Return the two latent densities with the errors at a threshold (or at the FPR it has).

        Without either it is the threshold of Youden's index, where the densities cross.

        Examples
        --------
        >>> print(Binormal(a=2, b=1).densities())
        Latent threshold 1.0000: FPR 0.1587, FNR 0.1587
        """
        a, b = self.parameters()
        if fpr is not None and threshold is not None:
            wrong = "must be left out where fpr is there: one follows from the other"
            raise RocInputError(wrong, argument="threshold")
        if threshold is not None:
            cut = checks.check_number(threshold, name="threshold")
        elif fpr is not None:
            cut = -float(special.ndtri(checks.check_number(fpr, name="fpr", low=0, high=1)))
        else:
            cut = _crossing(a, b)
        ends = [
            end for mean, sd in ((0.0, 1.0), (a / b, 1 / b)) for end in (mean - TAILS * sd, mean + TAILS * sd)
        ]
        # The threshold is among the places, so that the areas of error end there.
        x = np.unique(np.append(np.linspace(min(ends), max(ends), STEPS), cut))
        with np.errstate(over="ignore"):  # b may be of any size
            positives = b * normal_density(b * x - a)
        return Densities(
            x=x,
            negatives=normal_density(x),
            positives=positives,
            threshold=cut,
            fpr=float(special.ndtr(-cut)),
            fnr=float(special.ndtr(b * cut - a)),
        )

    def combine(
        self, other: Binormal, weights: Sequence[float], *, rho: tuple[float, float] = (0.0, 0.0)
    ) -> Binormal:
        """Return the curve of weights[0] * y1 + weights[1] * y2 on the latent scales.

        `rho` holds the correlation of the two scores among the negatives and among the positives.
        """
        from rocscope.binormal.combine import combine_binormals

        both = checks.as_vector(rho, name="rho").tolist()
        if len(both) != 2:
            wrong = f"must be a pair (negatives, positives), got {checks.show(rho)}"
            raise RocInputError(wrong, argument="rho")
        neg, pos = both
        return combine_binormals(
            [self, other], weights, corr_neg=[[1.0, neg], [neg, 1.0]], corr_pos=[[1.0, pos], [pos, 1.0]]
        )

    def _derived(self) -> dict[str, Any]:
        hook = None if self.auc is None else self.hook
        errors = {"se_a": self.se_a, "se_b": self.se_b, "se_auc": self.se_auc}
        return errors | {"hook": None if hook is None else list(hook)}

    def _estimation(self) -> str:
        return f"binormal {self.method}"

    def _tpr_inside(self, fpr: Floats) -> Floats:
        a, b = self.parameters()
        with np.errstate(over="ignore"):  # b may be of any size
            return np.asarray(special.ndtr(a + b * special.ndtri(fpr)))

    def _fpr_inside(self, tpr: Floats) -> Floats:
        a, b = self.parameters()
        return np.asarray(special.ndtr((special.ndtri(tpr) - a) / b))

    def _band(self, x: Floats, level: float, simultaneous: bool) -> tuple[Floats, Floats]:
        """The simultaneous band holds the whole line (Working and Hotelling)."""
        reach = math.sqrt(special.chdtri(2, 1 - level)) if simultaneous else significance.quantile(level)
        a, b = self.parameters()
        z = special.ndtri(x)
        finite = np.isfinite(z)  # at rates of 0 and 1 the band is the curve itself
        inside = np.where(finite, z, 0.0)
        gradient = np.stack([np.ones(len(z)), inside])
        se = np.sqrt(np.einsum("im,ij,jm->m", gradient, np.asarray(self.cov), gradient))
        low, high = (
            special.ndtr(np.where(finite, a + b * inside + sign * reach * se, z)) for sign in (-1, 1)
        )
        return low, high

    def _area_up_to(self, fpr: float) -> float:
        return area_up_to(*self.parameters(), fpr)

    def _area_inside(self, ranges: Ranges) -> float:
        fpr, tpr = ranges
        if fpr is not None or tpr is None:
            return LatentCurve._area_inside(self, ranges)
        # The curve seen from the corner (1, 1) is binormal again, with 1 - TPR as its abscissa.
        a, b = self.parameters()
        area = area_up_to(a / b, 1 / b, 1 - tpr[0]) - area_up_to(a / b, 1 / b, 1 - tpr[1])
        return min(max(area, 0.0), whole_area(ranges))

    def _measured_area(self, ranges: Ranges | None) -> Measured:
        a, b = self.parameters()
        if ranges is None:
            return self._measured(a / math.hypot(1.0, b), deviate_gradient(a, b))
        whole = whole_area(ranges)
        share = self._area_inside(ranges) / whole
        deviate = float(special.ndtri(min(max(share, LEAST_SHARE), 1 - EPS)))
        # The stretch where the curve is inside is all that counts.
        low, high = (_gradient_up_to(a, b, end) for end in self._inside(ranges))
        return self._measured(deviate, (high - low) / whole / normal_density(deviate), whole)

    def _measured_tpr(self, fpr: float) -> Measured:
        a, b = self.parameters()
        z = float(special.ndtri(fpr))
        return self._measured(a + b * z, np.array([1.0, z]))

    def _measured(self, deviate: float, gradient: Floats, whole: float = 1.0) -> Measured:
        """Phi(deviate) of the whole; its standard error is that of the deviate times the density there."""
        value = whole * float(special.ndtr(deviate))
        if self.cov is None:
            return Measured(value)
        spread = math.sqrt(gradient @ self.cov @ gradient)
        return Measured(value, whole * spread * float(normal_density(deviate)), deviate, spread, whole)


# ---- Closed forms, and where the curve lies below chance --------------------------------------------------


def deviate_gradient(a: float, b: float) -> Floats:
    """Derivatives of a / sqrt(1 + b^2) by a and b."""
    s = math.hypot(1.0, b)
    cube = s**3 if s < 1e100 else math.inf  # ** raises where the product would be infinite
    return np.array([1.0 / s, -a * b / cube])


def area_up_to(a: float, b: float, fpr: float) -> float:
    """Integral of TPR over FPR from 0, P(a Z-score of a positive exceeds that of a negative above the FPR).

    Examples
    --------
    >>> area_up_to(0.0, 1.0, 0.5)
    0.125
    """
    s = math.hypot(1.0, b)
    return float(bivariate_cdf(a / s, special.ndtri(fpr), -b / s))


def _gradient_up_to(a: float, b: float, fpr: float) -> Floats:
    """Integrals of phi(a + b z) phi(z) and of z times it, up to z = Phi^-1(FPR): a square is completed."""
    s = math.hypot(1.0, b)
    shift = a * b / s
    end = s * float(special.ndtri(fpr)) + shift
    below = float(special.ndtr(end))
    slope = np.array([below / s, -(float(normal_density(end)) + shift * below) / (s * s)])
    return np.asarray(normal_density(a / s) * slope)


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


def hook_warning(a: float, b: float) -> tuple[str, ...]:
    """Warn with the FPR range below chance, unless it is too narrow to be seen.

    Examples
    --------
    >>> hook_warning(1.0, 2.0)
    ('the fitted curve lies below chance for FPR from 0 to 0.1587 (a hook: b is not 1)',)
    """
    hook = below_chance(a, b)
    if hook is None or hook[1] - hook[0] < VISIBLE:
        return ()
    low, high = (f"{end:.4f}" if 1e-4 < end < 1 - 1e-4 else f"{end:.7g}" for end in hook)
    why = " (a hook: b is not 1)" if b != 1 else ""
    return (f"the fitted curve lies below chance for FPR from {low} to {high}{why}",)


# ---- The curve on normal-deviate axes, and as two densities ----------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeviatePlot(Result):
    """A fit on normal-deviate axes, where it is a straight line (Yousef et al. 2004, figure 2).

    Attributes
    ----------
    a, b
        Intercept and slope of the line.
    x, y
        Normal deviates of FPR and TPR at the cut-points of the data.
    n_left_out
        Cut-points with a rate of 0 or 1, which has no deviate.
    """

    view: ClassVar[str] = "binormal.binormal_picture"

    a: float
    b: float
    x: Floats
    y: Floats
    n_left_out: int
    method: str = "given"

    def _summary(self) -> str:
        points = f"{len(self.x)} points, {self.n_left_out} left out at rates of 0 or 1"
        return f"Phi^-1(TPR) = {self.a:.4f} + {self.b:.4f} Phi^-1(FPR), {points}"

    def columns(self) -> dict[str, Any]:
        """One row per point."""
        return {"fpr_deviate": self.x, "tpr_deviate": self.y}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Densities(Result):
    """The latent densities of both classes and the errors at a threshold (Yousef et al. 2004, figure 1).

    Attributes
    ----------
    x, negatives, positives
        Places on the latent scale, and the densities there: N(0, 1) and N(a / b, 1 / b^2).
    threshold
        The place from which on cases test positive.
    fpr, fnr
        Share of the negatives above it and of the positives below it: the two areas of error.
    """

    view: ClassVar[str] = "binormal.binormal_picture"

    x: Floats
    negatives: Floats
    positives: Floats
    threshold: float
    fpr: float
    fnr: float

    def _summary(self) -> str:
        return f"Latent threshold {self.threshold:.4f}: FPR {self.fpr:.4f}, FNR {self.fnr:.4f}"

    def columns(self) -> dict[str, Any]:
        """One row per place."""
        return {"x": self.x, "negatives": self.negatives, "positives": self.positives}


def _crossing(a: float, b: float) -> float:
    """Where the densities cross, phi(t) = b phi(b t - a), at the largest TPR - FPR."""
    if b == 1:
        return a / 2
    unit = b if b > 1e150 else 1.0  # so that no square overflows
    m, n, s = a / unit, 1 / unit, b / unit
    root = math.sqrt(m * m - 2 * (n * n - s * s) * math.log(b)) / unit
    crossings = [(-m * s + sign * root) / (n * n - s * s) for sign in (-1, 1)]
    return max(crossings, key=lambda t: float(special.ndtr(a - b * t) - special.ndtr(-t)))
