"""The binormal curve: a straight line on normal-deviate axes, given or fitted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.bivariate import bivariate_cdf
from rocscope.binormal.latent import Categories, normal_density
from rocscope.core import checks, significance
from rocscope.core.curve import WHOLE, Range, partial_areas, read_ranges
from rocscope.core.result import Estimate, Result, TestResult
from rocscope.errors import RocInputError, UndefinedError

if TYPE_CHECKING:
    from rocscope.binormal.displays import Densities, DeviatePlot
    from rocscope.inference.bands import Band

Floats: TypeAlias = NDArray[np.float64]

# A share of 0 or 1 has no deviate. A partial area is a difference of areas with an error of some 1e-16: from
# this share on it has digits.
LEAST_SHARE, EPS = 1e-15, float(np.finfo(np.float64).epsneg)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binormal(Result):
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

    view: ClassVar[str] = "binormal.binormal_picture"
    topic: ClassVar[str] = "models"

    a: float | None = None
    b: float | None = None
    cov: Floats | None = None
    auc: float | None = None
    log_likelihood: float | None = None
    status: str = "ok"
    reason: str | None = None
    method: str = "given"
    n_pos: Any = None
    n_neg: Any = None
    n_categories: int | None = None
    categories: Categories | None = field(default=None, repr=False)
    cutpoints: Floats | None = field(default=None, repr=False)
    goodness: TestResult | None = None
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.status == "ok":
            a = checks.check_number(self.a, name="a")
            b = checks.check_number(self.b, name="b", low=0)
            object.__setattr__(self, "auc", binormal_area(a, b))
        elif self.a is not None or self.b is not None:
            raise RocInputError(f"a and b must be None where status is {self.status!r}")
        if self.cov is not None:
            object.__setattr__(self, "cov", _as_covariance(self.cov))
        # The arguments are needed, as a dataclass with slots is another class than the one super() sees.
        Result.__post_init__(self)

    def _summary(self) -> str:
        if self.status != "ok":
            return f"Binormal curve {self.status}: {self.reason}"
        figures = [("a", self.a, self.se_a), ("b", self.b, self.se_b), ("AUC", self.auc, self.se_auc)]
        told = ", ".join(f"{name} {value:.4f}{_se_words(se)}" for name, value, se in figures)
        return f"Binormal curve{'' if self.method == 'given' else f' ({self.method})'}: {told}"

    def parameters(self) -> tuple[float, float]:
        """Return (a, b), or raise `UndefinedError` with the reason where the fit has none."""
        if self.a is None or self.b is None:
            raise UndefinedError(f"the binormal curve is undefined ({self.status}): {self.reason}")
        return self.a, self.b

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
        if self.cov is None:
            return None
        gradient = area_gradient(*self.parameters())
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

    def tpr(self, fpr: Any) -> Any:
        """TPR at given FPR: Phi(a + b Phi^-1(FPR)).

        Examples
        --------
        >>> round(Binormal(a=1.5, b=0.8).tpr(0.1), 4)
        0.6825
        """
        a, b = self.parameters()
        with np.errstate(over="ignore"):  # b may be of any size
            return _plain(special.ndtr(a + b * special.ndtri(checks.as_rates(fpr, name="fpr"))))

    def fpr(self, tpr: Any) -> Any:
        """FPR at given TPR.

        Examples
        --------
        >>> curve = Binormal(a=1.5, b=0.8)
        >>> round(curve.fpr(curve.tpr(0.1)), 12)
        0.1
        """
        a, b = self.parameters()
        return _plain(special.ndtr((special.ndtri(checks.as_rates(tpr, name="tpr")) - a) / b))

    def partial_auc(self, *, fpr: Any = None, tpr: Any = None, standardize: bool = False) -> float:
        """Area over a range of FPR, over a range of TPR, or inside both, as `RocCurve.partial_auc`.

        Parameters
        ----------
        fpr
            Range (low, high): the integral of TPR over FPR.
        tpr
            Range (low, high): the integral of 1 - FPR over TPR. With both: the two-way area.
        standardize
            McClish's scale: 0.5 for the diagonal, 1 for the perfect curve.

        Examples
        --------
        >>> round(Binormal(a=1.5, b=0.8).partial_auc(fpr=(0, 0.2)), 6)
        0.12848
        """
        checks.check_flag(standardize, name="standardize")
        ranges = read_ranges(fpr, tpr)
        return partial_area(*self.parameters(), *ranges, standardize=standardize)

    def auc_estimate(self, level: float = 0.95) -> Estimate:
        """The area with its standard error and interval.

        The standard error is of the area itself, by the delta method. The interval is made on the scale of
        a / sqrt(1 + b^2), which keeps it inside (0, 1).
        """
        level = checks.check_level(level)
        if self.status != "ok":
            return _undefined("AUC", self, level)
        a, b = self.parameters()
        deviate = a / math.hypot(1.0, b)
        return _estimate("AUC", self, deviate, deviate_gradient(a, b), level)

    def partial_auc_estimate(self, *, fpr: Any = None, tpr: Any = None, level: float = 0.95) -> Estimate:
        """A partial area (not standardized) with its standard error, by the delta method, and its interval.

        The interval is made on the scale of normal deviates of the share that the area has of its ranges.
        """
        level = checks.check_level(level)
        ranges = read_ranges(fpr, tpr)
        if self.status != "ok":
            return _undefined("partial AUC", self, level)
        whole = math.prod(high - low for low, high in (ranges[0] or WHOLE, ranges[1] or WHOLE))
        share = partial_area(*self.parameters(), *ranges) / whole
        deviate = float(special.ndtri(min(max(share, LEAST_SHARE), 1 - EPS)))
        gradient = partial_gradient(*self.parameters(), *ranges) / whole / normal_density(deviate)
        return _estimate("partial AUC", self, deviate, gradient, level, whole=whole)

    def tpr_estimate(self, fpr: float, level: float = 0.95) -> Estimate:
        """TPR at one FPR with its standard error and interval, made on the scale of normal deviates."""
        level = checks.check_level(level)
        at = checks.check_number(fpr, name="fpr", low=0, high=1)
        name = f"TPR at FPR {at:g}"
        if self.status != "ok":
            return _undefined(name, self, level)
        a, b = self.parameters()
        z = float(special.ndtri(at))
        return _estimate(name, self, a + b * z, np.array([1.0, z]), level)

    def band(self, fpr: Any = None, *, level: float = 0.95, simultaneous: bool = False) -> Band:
        """Return the curve with an interval of TPR at every FPR, or with a band that holds all of it."""
        from rocscope.binormal.displays import tpr_band

        return tpr_band(self, fpr, level=level, simultaneous=simultaneous)

    def deviates(self) -> DeviatePlot:
        """Return the fit on normal-deviate axes, a straight line, with the points behind it."""
        from rocscope.binormal.displays import deviate_plot

        return deviate_plot(self)

    def densities(self, *, fpr: float | None = None, threshold: float | None = None) -> Densities:
        """Return the two latent densities with the errors at a threshold (or at the FPR it has)."""
        from rocscope.binormal.displays import latent_densities

        return latent_densities(self, fpr=fpr, threshold=threshold)

    def combine(
        self, other: Binormal, weights: Sequence[float], *, rho: tuple[float, float] = (0.0, 0.0)
    ) -> Binormal:
        """Return the curve of weights[0] * y1 + weights[1] * y2 on the latent scales.

        `rho` holds the correlation of the two scores among the negatives and among the positives.
        """
        from rocscope.binormal.combine import combine_binormals

        neg, pos = rho
        return combine_binormals(
            [self, other], weights, corr_neg=[[1.0, neg], [neg, 1.0]], corr_pos=[[1.0, pos], [pos, 1.0]]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON, with standard errors and the range below chance."""
        ok = self.status == "ok"
        hook = self.hook if ok else None
        errors = {name: getattr(self, name) if ok else None for name in ("se_a", "se_b", "se_auc")}
        return Result.to_dict(self) | errors | {"hook": None if hook is None else list(hook)}


def described(categories: Categories, method: str, *curve: float) -> dict[str, Any]:
    """What a fit says about its data, and about its curve (a, b) if it has one."""
    return {
        "method": method,
        "n_pos": categories.n_pos,
        "n_neg": categories.n_neg,
        "n_categories": len(categories),
        "categories": categories,
        "warnings": categories.warnings + (hook_words(*curve) if curve else ()),
    }


def _as_covariance(cov: Any) -> Floats:
    matrix = np.asarray(cov, dtype=np.float64)
    if matrix.shape != (2, 2):
        raise RocInputError(f"must be a 2 x 2 matrix, got shape {matrix.shape}", argument="cov")
    return matrix


def _plain(values: Any) -> Any:
    return float(values) if np.ndim(values) == 0 else values


def _se_words(se: float | None) -> str:
    return "" if se is None else f" (se {se:.4f})"


def _estimate(
    name: str, curve: Binormal, deviate: float, gradient: Floats, level: float, *, whole: float = 1.0
) -> Estimate:
    """Phi(deviate) of the whole; its own standard error is that of the deviate times the density there."""
    value, low, high, se = whole * float(special.ndtr(deviate)), None, None, None
    if curve.cov is not None:
        spread = math.sqrt(gradient @ curve.cov @ gradient)
        low, high = (
            whole * float(special.ndtr(end)) for end in significance.interval(deviate, spread, level=level)
        )
        se = whole * spread * float(normal_density(deviate))
    reason = None if se is not None else f"a curve by method {curve.method!r} has no covariance"
    return Estimate(
        name=name,
        value=value,
        se=se,
        low=low,
        high=high,
        level=level,
        method=f"binormal {curve.method}",
        status="ok" if se is not None else "partial",
        reason=reason,
        warnings=curve.warnings,
    )


def _undefined(name: str, curve: Binormal, level: float) -> Estimate:
    return Estimate(
        name=name,
        value=None,
        se=None,
        low=None,
        high=None,
        level=level,
        method=f"binormal {curve.method}",
        status="undefined",
        reason=curve.reason,
    )


# ---- Areas of a binormal curve in closed form, and where it lies below chance -----------------------------

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
    cube = s**3 if s < 1e100 else math.inf  # ** raises where the product would be infinite
    return np.array([1.0 / s, -a * b / cube])


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
