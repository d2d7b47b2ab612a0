"""What the fitted curves of latent models can do: rates, areas, and their standard errors."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import special

from rocscope.binormal.categories import Categories
from rocscope.binormal.latent import Floats, Shape, normal_density
from rocscope.core import checks, wald
from rocscope.core.curve import Ranges, partial_areas, read_ranges
from rocscope.core.polyline import WHOLE
from rocscope.core.result import Estimate, Result
from rocscope.errors import RocInputError, UndefinedError

# Deviates beyond this are 1e-17 and less of a class, and count for nothing in an integral.
REACH = 8.5
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(200)
DIAGONAL = np.array([0.0, 1.0])
# Where a curve is defined: inside the range of its parameters, or at a boundary of it.
DEFINED = ("ok", "boundary", "chance")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LatentCurve(Result):
    """What all curves with a latent `Shape` have, given or fitted; each adds its parameters.

    Attributes
    ----------
    cov
        Covariance matrix of the parameters; None where it is not known.
    auc
        Area under the curve; None where it is undefined.
    log_likelihood
        Of the counts in the categories, without the multinomial constant.
    status, reason
        "ok", or what is lacking.
    method
        "ml", or "given".
    n_pos, n_neg, n_categories, categories, cutpoints
        As for `Binormal`; the cut-points are deviates of FPR.
    warnings
        What a reader should know.
    """

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
    warnings: tuple[str, ...] = ()

    @abstractmethod
    def shape(self) -> Shape:
        """Return the latent shape, or raise `UndefinedError` with the reason where there is none."""

    @abstractmethod
    def _model(self) -> str:
        """Name of the model in words."""

    @abstractmethod
    def _named(self) -> dict[str, float | None]:
        """The parameters by name."""

    @abstractmethod
    def _area_up_to(self, fpr: float) -> float:
        """Integral of TPR over FPR from 0."""

    @abstractmethod
    def _fpr_inside(self, tpr: Floats) -> Floats:
        """FPR at values of TPR strictly between 0 and 1."""

    def _errors(self) -> tuple[Floats | None, Shape]:
        """Covariance of the parameters of a shape, and the shape at which it holds."""
        return self.cov, self.shape()

    def _summary(self) -> str:
        title = f"{self._model().capitalize()} curve"
        if self.status not in DEFINED:
            return f"{title} {self.status}: {self.reason}"
        named = self._named()
        errors = [None] * len(named) if self.cov is None else np.sqrt(np.diag(self.cov)).tolist()
        figures = zip([*named, "AUC"], [*named.values(), self.auc], [*errors, self.se_auc], strict=True)
        told = ", ".join(f"{name} {value:.4f}" + _se_words(se) for name, value, se in figures)
        return f"{title}{'' if self.method == 'given' else f' ({self.method})'}: {told}"

    def parameters(self) -> tuple[float, ...]:
        """Return the parameters, or raise `UndefinedError` with the reason where the fit has none."""
        values = tuple(value for value in self._named().values() if value is not None)
        if self.status not in DEFINED or not values:
            raise UndefinedError(f"the {self._model()} curve is undefined ({self.status}): {self.reason}")
        return values

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON, the parameters first, with the standard error of the area."""
        told = Result.to_dict(self)
        return {"type": told["type"]} | self._named() | told | {"se_auc": self.se_auc}

    def _without_parameters(self) -> bool:
        """Whether the status stands for no curve; parameters beside such a status are refused."""
        if self.status in DEFINED:
            return False
        names = list(self._named())
        if any(value is not None for value in self._named().values()):
            raise RocInputError(f"{' and '.join(names)} must be None where status is {self.status!r}")
        return True

    def tpr(self, fpr: Any) -> Any:
        """TPR at given FPR."""
        shape = self.shape()
        return _at_rates(lambda rates: shape.tails(np.asarray(-special.ndtri(rates)))[1], fpr, name="fpr")

    def fpr(self, tpr: Any) -> Any:
        """FPR at given TPR."""
        self.shape()
        return _at_rates(self._fpr_inside, tpr, name="tpr")

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
        """
        checks.check_flag(standardize, name="standardize")
        self.shape()
        ranges = read_ranges(fpr, tpr)
        area = self._area_inside(ranges)
        if not standardize:
            return area
        partial_areas(DIAGONAL, DIAGONAL, ranges, standardize=True)  # refuses ranges without a scale
        chance, perfect = _limits(ranges)
        return 0.5 * (1 + (area - chance) / (perfect - chance))

    def partial_auc_estimate(self, *, fpr: Any = None, tpr: Any = None, level: float = 0.95) -> Estimate:
        """Partial area (not standardized) with its standard error, by the delta method, and its interval."""
        level = checks.check_level(level)
        ranges = read_ranges(fpr, tpr)
        if self.auc is None:
            return self._estimate("partial AUC", None, None, 1.0, level)
        cov, shape = self._errors()
        variance = _variance(cov, lambda: _area_gradient(shape, *self._inside(ranges)))
        return self._estimate("partial AUC", self._area_inside(ranges), variance, _limits(ranges)[1], level)

    def auc_estimate(self, level: float = 0.95) -> Estimate:
        """Area with its standard error, by the delta method, and an interval that keeps inside (0, 1)."""
        level = checks.check_level(level)
        if self.auc is None:
            return self._estimate("AUC", None, None, 1.0, level)
        cov, shape = self._errors()
        variance = _variance(cov, lambda: _area_gradient(shape, 0.0, 1.0))
        return self._estimate("AUC", self.auc, variance, 1.0, level)

    def tpr_estimate(self, fpr: float, level: float = 0.95) -> Estimate:
        """TPR at one FPR with its standard error and an interval that keeps inside (0, 1)."""
        level = checks.check_level(level)
        at = checks.check_number(fpr, name="fpr", low=0, high=1)
        name = f"TPR at FPR {at:g}"
        if self.auc is None:
            return self._estimate(name, None, None, 1.0, level)
        cov, shape = self._errors()
        t = np.array([-special.ndtri(at)])
        variance = _variance(cov, lambda: shape.local(t).by_parameters[:, 0])
        return self._estimate(name, float(self.tpr(at)), variance, 1.0, level)

    @property
    def se_auc(self) -> float | None:
        """Standard error of the area."""
        return self.auc_estimate().se

    def _inside(self, ranges: Ranges) -> tuple[float, float]:
        """FPR between which the curve runs inside the ranges."""
        (low, high), steps = ranges[0] or WHOLE, ranges[1] or WHOLE
        enters, leaves = (float(self.fpr(end)) for end in steps)
        return min(max(enters, low), high), min(max(leaves, low), high)

    def _area_inside(self, ranges: Ranges) -> float:
        """Part of the rectangle below the curve: where the curve is inside, and where it is above."""
        (left, right), (bottom, top) = ranges[0] or WHOLE, ranges[1] or WHOLE
        low, high = self._inside(ranges)
        below = self._area_up_to(high) - self._area_up_to(low) - bottom * (high - low)
        # A difference of two areas may round beyond the rectangle.
        return min(max(below + (top - bottom) * (right - high), 0.0), (right - left) * (top - bottom))

    def _estimate(
        self, name: str, value: float | None, variance: float | None, whole: float, level: float
    ) -> Estimate:
        """Interval of value / whole on the scale of normal deviates."""
        se: float | None = None
        low = high = None
        if value is not None and variance is not None and 0 < value < whole:
            se = math.sqrt(max(0.0, variance))
            deviate = float(special.ndtri(value / whole))
            ends = wald.interval(deviate, se / whole / float(normal_density(deviate)), level=level)
            low, high = (whole * float(special.ndtr(end)) for end in ends)
        return Estimate(
            name=name,
            value=value,
            se=se,
            low=low,
            high=high,
            level=level,
            method=self._model(),
            status="undefined" if value is None else "ok" if se is not None else "partial",
            reason=None if se is not None else self.reason or "the curve has no covariance",
            warnings=self.warnings + ((self.reason,) if se is not None and self.reason else ()),
        )


def _se_words(se: float | None) -> str:
    return "" if se is None else f" (se {se:.4f})"


def _variance(cov: Floats | None, gradient: Callable[[], Floats]) -> float | None:
    """Variance by the delta method, None without a covariance."""
    if cov is None:
        return None
    along = gradient()
    return float(along @ cov @ along)


def _at_rates(function: Any, rates: Any, *, name: str) -> Any:
    """A rising function of a rate that begins at (0, 0) and ends at (1, 1)."""
    given = checks.as_rates(rates, name=name)
    inside = (given > 0) & (given < 1)
    values = np.where(inside, function(np.where(inside, given, 0.5)), given)
    return float(values) if values.ndim == 0 else values


def _limits(ranges: Ranges) -> tuple[float, float]:
    """Area inside the ranges below the diagonal, and in all."""
    chance = float(partial_areas(DIAGONAL, DIAGONAL, ranges, standardize=False))
    return chance, math.prod(high - low for low, high in (ranges[0] or WHOLE, ranges[1] or WHOLE))


def _area_gradient(shape: Shape, low: float, high: float) -> Floats:
    """Derivatives of the area between two FPR: the integral of those of TPR, by Gauss and Legendre.

    An area inside ranges of TPR has the same ones: where the curve enters or leaves the ranges it adds
    nothing.
    """
    with np.errstate(divide="ignore"):
        ends = -special.ndtri(np.array([high, low]))
    left, right = ends.clip(-REACH, REACH)
    t = (left + right) / 2 + (right - left) / 2 * NODES
    weights = NODE_WEIGHTS * normal_density(t) * (right - left) / 2
    return np.asarray(-(shape.local(t).by_parameters * weights).sum(axis=1))
