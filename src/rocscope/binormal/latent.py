"""The base of all latent-normal ROC curves, and the data they are fitted to.

On the latent scale the negatives are N(0, 1); a curve is the distribution of the positives there.
`Categories` hold the counts of a fit, `LatentCurve` what the binormal, the proper and the contaminated curve
share; the functions of the normal distribution that they need stand at the end.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, significance
from rocscope.core.partial_area import WHOLE, Ranges, read_ranges, standardized, whole_area
from rocscope.core.result import CurveResult, Estimate, Result
from rocscope.core.scores import BinaryScores
from rocscope.core.table import THINNED, ScoreTable
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.bands import Band

Floats = NDArray[np.float64]

# Deviates beyond this are 1e-17 and less of a class, and count for nothing in an integral.
REACH = 8.5
NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(200)
# Deviates at which a curve is drawn.
DRAWN = np.linspace(-5.0, 5.0, 121)


# ---- The data of a fit: how many negatives and positives fall between neighbouring cut-points -------------
# A curve model sees scores only through their order. Between neighbouring distinct scores a cut-point matters
# unless both hold cases of one and the same class: such pure runs merge, which changes the likelihood by a
# constant factor and leaves its maximum where it is (LABROC4, [1]_ section 2). No other cut-point is dropped.
# References
# ----------
# .. [1] C. E. Metz, B. A. Herman, J.-H. Shen: Maximum likelihood estimation of receiver operating
#    characteristic (ROC) curves from continuously-distributed data, Statistics in Medicine 17, 1998.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Categories(Result):
    """Counts of both classes in K categories of rising score.

    Attributes
    ----------
    neg, pos
        Cases of each class in every category, int64.
    boundaries
        The K - 1 score values between the categories: midpoints, and never a score of the lower one.
    warnings
        What a reader should know about the data behind the counts.

    Examples
    --------
    >>> runs = truth_runs(ScoreTable.from_counts([1, 2, 3, 4], pos=[0, 0, 1, 1], neg=[2, 1, 1, 0]))
    >>> runs.neg.tolist(), runs.pos.tolist(), runs.boundaries.tolist()
    ([3, 1, 0], [0, 1, 1], [2.5, 3.5])
    """

    view: ClassVar[str] = "binormal.binormal_picture"

    neg: NDArray[np.int64]
    pos: NDArray[np.int64]
    boundaries: NDArray[Any]
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.neg)

    def _summary(self) -> str:
        return f"{len(self)} categories of {self.n_pos} positives and {self.n_neg} negatives"

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(self.pos.sum())

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return int(self.neg.sum())

    def rates(self) -> tuple[Floats, Floats]:
        """FPR and TPR at every cut-point, from the lowest one on: both fall."""
        fpr, tpr = (np.cumsum(counts[::-1])[-2::-1] / counts.sum() for counts in (self.neg, self.pos))
        return fpr, tpr

    @property
    def auc(self) -> float:
        """Area under the polyline through the points; merged runs of one class leave it as it was."""
        places = np.arange(len(self), 0, -1)
        return ScoreTable(scores=places, pos=self.pos[::-1], neg=self.neg[::-1]).auc

    def columns(self) -> dict[str, Any]:
        """One row per category, with the value from which on its scores lie."""
        return {"from": [None, *self.boundaries.tolist()], "negatives": self.neg, "positives": self.pos}


def truth_runs(data: ScoreTable | BinaryScores) -> Categories:
    """Categories of a fit to scores: pure runs of one class merged, all other cut-points kept."""
    table = _whole_cases(data)
    has_neg, has_pos = table.neg[::-1] > 0, table.pos[::-1] > 0
    changed = (has_neg[1:] ^ has_neg[:-1]) | (has_pos[1:] ^ has_pos[:-1])
    return _joined(table, np.flatnonzero(changed | (has_neg & has_pos)[1:]) + 1)


def ratings(data: ScoreTable | BinaryScores) -> Categories:
    """Every distinct score as a category of its own."""
    table = _whole_cases(data)
    return _joined(table, np.arange(1, len(table.scores)))


def _whole_cases(data: ScoreTable | BinaryScores) -> ScoreTable:
    """The table of whole cases with finite scores; fractions and infinite scores are refused."""
    table = data if isinstance(data, ScoreTable) else data.single().table()
    if not table.is_counted:
        raise RocInputError("must count whole cases for a fit, got fractions", argument="sample_weight")
    if not np.isfinite(table.scores[[0, -1]].astype(np.float64)).all():
        raise RocInputError("must be finite for a fit, got infinite values", argument="y_score")
    return table


def _joined(table: ScoreTable, first: NDArray[np.int64]) -> Categories:
    """Categories that begin at the lowest score and at the scores at `first`, counted from the lowest.

    A boundary is the midpoint of its neighbours; where that rounds onto the lower one, it is the upper one.
    """
    starts, ascending = np.concatenate([[0], first]), table.scores[::-1]
    low, high = ascending[first - 1], ascending[first]
    if ascending.dtype.kind == "i":  # halves first, as a sum may overflow
        middle = low // 2 + high // 2 + (low % 2 + high % 2) // 2
    else:
        middle = low / 2 + high / 2
    own: tuple[str, ...] = getattr(table, "warnings", ())
    thinned = (f"{THINNED}: scores inside a bin are taken as equal",) if table.thinned else ()
    return Categories(
        neg=np.add.reduceat(table.neg[::-1], starts),
        pos=np.add.reduceat(table.pos[::-1], starts),
        boundaries=np.where(middle > low, middle, high),
        warnings=tuple(text for text in own if not text.startswith(THINNED)) + thinned,
    )


# ---- The base of all curves -------------------------------------------------------------------------------


class Measured(NamedTuple):
    """A measure of a curve from 0 to `whole`: its value, and Phi^-1(value / whole), with standard errors.

    The standard errors are None where the curve has no covariance.
    """

    value: float
    se: float | None = None
    deviate: float = math.nan
    se_deviate: float = math.nan
    whole: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LatentCurve(CurveResult):
    """What all latent-normal curves have, made alone or fitted; each adds its two parameters.

    Attributes
    ----------
    cov
        Covariance matrix of the parameters; None where it is not known.
    auc
        Area under the curve; None where it is undefined.
    log_likelihood
        Of the counts in the categories, without the multinomial constant; None without a fit by
        likelihood. Comparable between models on the same categories only.
    status, reason
        "ok", or what is lacking.
    method
        How the curve was fitted; "given" where it was made from its parameters.
    n_pos, n_neg, n_categories
        Cases and categories behind the fit.
    categories, cutpoints
        Their counts, and the fitted cut-points between them on the latent scale, the deviates of FPR.
    warnings
        What a reader should know.
    """

    view: ClassVar[str] = "binormal.binormal_picture"
    topic: ClassVar[str] = "models"
    model: ClassVar[str]
    PARAMETERS: ClassVar[tuple[str, str]]
    # The status of a curve that exists: inside the range of its parameters, or at a boundary of it.
    DEFINED: ClassVar[tuple[str, ...]] = ("ok", "boundary", "chance")

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

    def _named(self) -> dict[str, float | None]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self.PARAMETERS}

    @abstractmethod
    def _checked_area(self) -> float:
        """Check the parameters, and return the area under the curve."""

    @abstractmethod
    def _tpr_inside(self, fpr: Floats) -> Floats:
        """TPR at values of FPR strictly between 0 and 1."""

    @abstractmethod
    def _fpr_inside(self, tpr: Floats) -> Floats:
        """FPR at values of TPR strictly between 0 and 1."""

    @abstractmethod
    def _area_up_to(self, fpr: float) -> float:
        """Integral of TPR over FPR from 0."""

    @abstractmethod
    def _measured_area(self, ranges: Ranges | None) -> Measured:
        """The area inside ranges of FPR and TPR with its standard errors; the whole area where None."""

    @abstractmethod
    def _measured_tpr(self, fpr: float) -> Measured:
        """TPR at one FPR with its standard errors."""

    @abstractmethod
    def _band(self, x: Floats, level: float, simultaneous: bool) -> tuple[Floats, Floats]:
        """Ends of the intervals of TPR at many FPR."""

    @classmethod
    def _fitted(
        cls, categories: Categories, *, method: str = "ml", warnings: tuple[str, ...] = (), **fields: Any
    ) -> Self:
        """A curve with its data; without parameters where `fields` have another status and its reason."""
        return cls(
            method=method,
            n_pos=categories.n_pos,
            n_neg=categories.n_neg,
            n_categories=len(categories),
            categories=categories,
            warnings=categories.warnings + warnings,
            **fields,
        )

    def __post_init__(self) -> None:
        if self.status in self.DEFINED:
            object.__setattr__(self, "auc", self._checked_area())
        else:
            for name, value in self._named().items():
                if value is not None:
                    wrong = f"must be None where status is {self.status!r}, got {checks.show(value)}"
                    raise RocInputError(wrong, argument=name)
        if self.cov is not None:
            cov = np.asarray(self.cov, dtype=np.float64)
            if cov.shape != (2, 2):
                raise RocInputError(f"must be a 2 x 2 matrix, got shape {cov.shape}", argument="cov")
            object.__setattr__(self, "cov", cov)
        # The arguments are needed, as a dataclass with slots is another class than the one super() sees.
        Result.__post_init__(self)

    def _summary(self) -> str:
        title = f"{self.model.capitalize()} curve"
        if self.status not in self.DEFINED:
            return f"{title} {self.status}: {self.reason}"
        named = self._named() | {"AUC": self.auc}
        errors = [None, None] if self.cov is None else np.sqrt(np.diag(self.cov)).tolist()
        figures = ", ".join(
            f"{name} {value:.4f}" + ("" if se is None else f" (se {se:.4f})")
            for (name, value), se in zip(named.items(), [*errors, self.se_auc], strict=True)
        )
        return f"{title}{'' if self.method == 'given' else f' ({self.method})'}: {figures}"

    def parameters(self) -> tuple[float, float]:
        """Return the two parameters, or raise `UndefinedError` with the reason where the fit has none."""
        first, second = self._named().values()
        if first is None or second is None:
            raise UndefinedError(f"the {self.model} curve is undefined ({self.status}): {self.reason}")
        return first, second

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON, the parameters first, with standard errors."""
        fields = Result.to_dict(self)
        warnings = fields.pop("warnings")
        first = {"type": fields["type"]} | self._named()
        return first | fields | {"warnings": warnings} | self._derived()

    def _derived(self) -> dict[str, Any]:
        """What follows from the fields, for strict JSON."""
        return {"se_auc": self.se_auc}

    def tpr(self, fpr: Any) -> Any:
        """TPR at one FPR or an array of them."""
        self.parameters()
        return _at_rates(self._tpr_inside, fpr, name="fpr")

    def fpr(self, tpr: Any) -> Any:
        """FPR at one TPR or an array of them."""
        self.parameters()
        return _at_rates(self._fpr_inside, tpr, name="tpr")

    def partial_auc(self, *, fpr: Any = None, tpr: Any = None, standardize: bool = False) -> float:
        """Area over a range of FPR, over a range of TPR, or inside both.

        Parameters
        ----------
        fpr, tpr, standardize
            As in `RocCurve.partial_auc`.

        Examples
        --------
        >>> from rocscope import Binormal
        >>> round(Binormal(a=1.5, b=0.8).partial_auc(fpr=(0, 0.2)), 6)
        0.12848
        """
        checks.check_flag(standardize, name="standardize")
        self.parameters()
        ranges = read_ranges(fpr, tpr)
        area = self._area_inside(ranges)
        return float(standardized(area, ranges)) if standardize else area

    def partial_auc_estimate(self, *, fpr: Any = None, tpr: Any = None, level: float = 0.95) -> Estimate:
        """A partial area (not standardized) with its standard error, by the delta method, and its interval.

        The interval is made on the scale of normal deviates of the share that the area has of its ranges.
        """
        level = checks.check_level(level)
        ranges = read_ranges(fpr, tpr)
        return self._estimate("partial AUC", lambda: self._measured_area(ranges), level)

    def auc_estimate(self, level: float = 0.95) -> Estimate:
        """The area with its standard error, by the delta method, and its interval.

        The interval is made on the scale of normal deviates of the area, which keeps it inside (0, 1).
        """
        level = checks.check_level(level)
        return self._estimate("AUC", lambda: self._measured_area(None), level)

    def tpr_estimate(self, fpr: float, level: float = 0.95) -> Estimate:
        """TPR at one FPR with its standard error and interval, made on the scale of normal deviates."""
        level = checks.check_level(level)
        at = checks.check_number(fpr, name="fpr", low=0, high=1)
        return self._estimate(f"TPR at FPR {at:g}", lambda: self._measured_tpr(at), level)

    def band(self, fpr: Any = None, *, level: float = 0.95, simultaneous: bool = False) -> Band:
        """Return the curve with an interval of TPR at every FPR, made on the scale of normal deviates.

        A simultaneous band holds the whole curve with the probability `level`; the binormal curve alone has
        one.

        Examples
        --------
        >>> from rocscope import Binormal
        >>> band = Binormal(a=1.5, b=0.8, cov=[[0.04, 0.01], [0.01, 0.02]]).band([0.1, 0.5])
        >>> band.low.round(3).tolist(), band.high.round(3).tolist()
        ([0.519, 0.866], [0.816, 0.971])
        """
        level = checks.check_level(level)
        checks.check_flag(simultaneous, name="simultaneous")
        if self.cov is None:
            raise UndefinedError(f"the curve has no band, as it has no covariance: {self.reason or self}")
        x = self.fpr_grid() if fpr is None else np.atleast_1d(checks.as_rates(fpr, name="fpr"))
        low, high = self._band(x, level, simultaneous)
        return Band(
            name="fitted curve",
            x=x,
            mean=self.tpr(x),
            low=low,
            high=high,
            defined=~np.isnan(low),
            level=level,
            method=self._estimation(),
            x_label="false positive rate",
            y_label="true positive rate",
            simultaneous=simultaneous,
            warnings=self.warnings,
        )

    def fpr_grid(self) -> Floats:
        """FPR at evenly spaced deviates of either rate, with both ends: enough for a smooth curve."""
        rates = special.ndtr(DRAWN)
        return np.unique(np.concatenate([[0.0], rates, self.fpr(rates), [1.0]]))

    @property
    def se_auc(self) -> float | None:
        """Standard error of the area."""
        return self.auc_estimate().se

    def _estimation(self) -> str:
        """How estimates name their method."""
        return self.model

    def _estimate(self, name: str, measure: Callable[[], Measured], level: float) -> Estimate:
        value, se, low, high = None, None, None, None
        if self.auc is not None:
            value, se, deviate, se_deviate, whole = measure()
            if se is not None:
                ends = significance.interval(deviate, se_deviate, level=level)
                low, high = (whole * float(special.ndtr(end)) for end in ends)
                low, high = min(low, value), max(high, value)  # the way to deviates and back rounds
        no_error = f"a curve by method {self.method!r} has no covariance"
        if self.cov is not None:
            no_error = "at an end of its range the value has no standard error"
        return Estimate(
            name=name,
            value=value,
            se=se,
            low=low,
            high=high,
            level=level,
            method=self._estimation(),
            status="undefined" if value is None else "ok" if se is not None else "partial",
            reason=None if se is not None else self.reason or no_error,
            warnings=self.warnings + ((self.reason,) if se is not None and self.reason else ()),
        )

    def _inside(self, ranges: Ranges) -> tuple[float, float]:
        """FPR between which the curve runs inside the ranges."""
        (low, high), steps = ranges[0] or WHOLE, ranges[1] or WHOLE
        enters, leaves = (float(self.fpr(end)) for end in steps)
        return min(max(enters, low), high), min(max(leaves, low), high)

    def _area_inside(self, ranges: Ranges) -> float:
        """Part of the rectangle below the curve: where the curve is inside, and where it is above."""
        right, (bottom, top) = (ranges[0] or WHOLE)[1], ranges[1] or WHOLE
        low, high = self._inside(ranges)
        below = self._area_up_to(high) - self._area_up_to(low) - bottom * (high - low)
        # A difference of two areas may round beyond the rectangle.
        return min(max(below + (top - bottom) * (right - high), 0.0), whole_area(ranges))


def _at_rates(function: Callable[[Floats], Floats], rates: Any, *, name: str) -> Any:
    """A rising function of a rate that begins at (0, 0) and ends at (1, 1)."""
    at = checks.as_rates(rates, name=name)
    inside = (at > 0) & (at < 1)
    values = np.where(inside, function(np.where(inside, at, 0.5)), at)
    return float(values) if values.ndim == 0 else values


# ---- Curves with a falling slope, known by the distribution of their positives ----------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """The distribution G of the positives at places t, and its derivatives; p is the vector of parameters.

    Attributes
    ----------
    below, above
        G and 1 - G.
    density, density_by_t, density_by_parameters
        G_t, G_tt and G_tp (a row for each parameter).
    by_parameters, curvature
        G_p (a row for each parameter) and G_pp (parameters x parameters x places).
    """

    below: Floats
    above: Floats
    density: Floats
    by_parameters: Floats
    density_by_t: Floats
    density_by_parameters: Floats
    curvature: Floats

    def deviates(self) -> Deviates:
        """The same of x = Phi^-1(G), on whose scale the positives are standard normal."""
        x = deviate_of(self.below, self.above)
        height = normal_density(x)
        by_t, by_p = self.density / height, self.by_parameters / height
        return Deviates(
            x=x,
            by_t=by_t,
            by_parameters=by_p,
            by_t_twice=self.density_by_t / height + x * by_t**2,
            by_both=self.density_by_parameters / height + x * by_t * by_p,
            curvature=self.curvature / height + x * by_p[:, np.newaxis] * by_p[np.newaxis],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviates:
    """Deviates x of the positives at places t, and their derivatives as in `Local`."""

    x: Floats
    by_t: Floats
    by_parameters: Floats
    by_t_twice: Floats
    by_both: Floats
    curvature: Floats


class Shape(Protocol):
    """One curve of a family."""

    def tails(self, t: Floats) -> tuple[Floats, Floats]:
        """Shares of the positives below and above t, 1 - TPR and TPR at FPR = Phi(-t)."""

    def local(self, t: Floats) -> Local:
        """The first of them with all derivatives up to the second."""

    def __hash__(self) -> int:
        """Of its parameters, by which tables of a curve are kept."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConcaveCurve(LatentCurve):
    """A curve that rises with a falling slope, with the `Shape` of its positives."""

    @abstractmethod
    def shape(self) -> Shape:
        """Return the latent shape, or raise `UndefinedError` with the reason where there is none."""

    def _errors(self) -> tuple[Floats | None, Shape]:
        """Covariance of the parameters of a shape, and the shape at which it holds."""
        return self.cov, self.shape()

    def _tpr_inside(self, fpr: Floats) -> Floats:
        return self.shape().tails(np.asarray(-special.ndtri(fpr)))[1]

    def _measured_tpr(self, fpr: float) -> Measured:
        cov, shape = self._errors()
        t = np.array([-special.ndtri(fpr)])
        return _measured(float(self.tpr(fpr)), cov, lambda: shape.local(t).by_parameters[:, 0], 1.0)

    def _band(self, x: Floats, level: float, simultaneous: bool) -> tuple[Floats, Floats]:
        if simultaneous:
            wrong = "must be False for a curve that is no line of normal deviates"
            raise RocInputError(wrong, argument="simultaneous")
        low, high = np.stack([x, x])
        for k in np.flatnonzero((x > 0) & (x < 1)):
            estimate = self.tpr_estimate(float(x[k]), level)
            low[k], high[k] = (np.nan if end is None else end for end in (estimate.low, estimate.high))
        return low, high

    def _measured_area(self, ranges: Ranges | None) -> Measured:
        """The gradient is the integral of that of TPR over FPR, by Gauss and Legendre.

        An area inside ranges of TPR has the same one: where the curve enters or leaves the ranges it adds
        nothing.
        """
        assert self.auc is not None
        cov, shape = self._errors()
        low, high = WHOLE if ranges is None else self._inside(ranges)

        def gradient() -> Floats:
            with np.errstate(divide="ignore"):
                ends = -special.ndtri(np.array([high, low]))
            left, right = ends.clip(-REACH, REACH)
            t = (left + right) / 2 + (right - left) / 2 * NODES
            weights = NODE_WEIGHTS * normal_density(t) * (right - left) / 2
            return np.asarray(-(shape.local(t).by_parameters * weights).sum(axis=1))

        if ranges is None:
            return _measured(self.auc, cov, gradient, 1.0)
        return _measured(self._area_inside(ranges), cov, gradient, whole_area(ranges))


def _measured(value: float, cov: Floats | None, gradient: Callable[[], Floats], whole: float) -> Measured:
    """A measure by the delta method; without standard errors at the ends of its range."""
    if cov is None or not 0 < value < whole:
        return Measured(value)
    by_parameters = gradient()
    se = math.sqrt(max(0.0, float(by_parameters @ cov @ by_parameters)))
    deviate = float(special.ndtri(value / whole))
    return Measured(value, se, deviate, se / whole / float(normal_density(deviate)), whole)


# ---- The standard normal distribution, and two correlated normal variables by Owen's T function -----------
#     Phi2(h, k; r) = [Phi(h) + Phi(k)] / 2 - T(h, (k - r h) / (h s)) - T(k, (h - r k) / (k s)) - d / 2
# with s = sqrt(1 - r^2), and d = 1 where h and k have different signs, else 0. The derivative with respect to
# the correlation is the density at (h, k), which follows from the differential equation of the bivariate
# normal density.

SQRT_2PI = math.sqrt(2 * math.pi)
SMALLEST_TAIL = 1e-300
# Stands for 0 where the formula divides by it: the probability at 0 and here is the same number.
NEXT_TO_ZERO = 1e-300
TWO_PI = 2 * np.pi


def normal_density(x: Any) -> Floats:
    """Density of the standard normal distribution; far outside it is 0."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-np.square(x) / 2) / SQRT_2PI)


def deviate_of(below: Floats, above: Floats) -> Floats:
    """Phi^-1(below), from the smaller of the two tails."""
    tail = np.clip(np.minimum(below, above), SMALLEST_TAIL, 0.5)
    return np.asarray(np.where(below < above, 1.0, -1.0) * special.ndtri(tail))


def bivariate_cdf(h: Any, k: Any, rho: Any) -> Floats:
    """P(X <= h, Y <= k) of standard normal X and Y with correlation rho; arrays are broadcast.

    Correlations of 1 and -1 and infinite limits are allowed. The error is a few units of 1e-16.

    Examples
    --------
    >>> bivariate_cdf(0.0, 0.0, 0.5).round(12).item()
    0.333333333333
    >>> bivariate_cdf(1.0, [np.inf, -np.inf], -0.3).round(6).tolist()
    [0.841345, 0.0]
    """
    h, k, rho = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (h, k, rho)))
    # Beyond 40 standard deviations nothing is left, and infinities would meet as inf - inf.
    h, k = (np.where(x == 0, NEXT_TO_ZERO, x.clip(-40, 40)) for x in (h, k))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        root = np.sqrt((1 - rho) * (1 + rho))
        first, second = (special.owens_t(x, (y - rho * x) / (x * root)) for x, y in ((h, k), (k, h)))
        value = (special.ndtr(h) + special.ndtr(k)) / 2 - first - second
    value = np.where((h > 0) == (k > 0), value, value - 0.5)
    # A correlation of 1 or -1: both variables are one, or one is the negative of the other.
    between = np.maximum(0.0, special.ndtr(h) - special.ndtr(-k))
    degenerate = np.where(rho > 0, special.ndtr(np.minimum(h, k)), between)
    return np.asarray(np.where(root == 0, degenerate, value).clip(0, 1))


def bivariate_density(h: Any, k: Any, rho: float) -> Floats:
    """Density of two standard normal variables with a correlation inside (-1, 1); 0 at infinite values.

    It is also the derivative of `bivariate_cdf` with respect to the correlation.

    Examples
    --------
    >>> bivariate_density(0.0, [0.0, np.inf], 0.6).round(6).tolist()
    [0.198944, 0.0]
    """
    h, k = (np.asarray(x, dtype=np.float64).clip(-1e100, 1e100) for x in (h, k))
    rest = (1 - rho) * (1 + rho)
    return np.asarray(np.exp(-(h * h + (k - rho * h) ** 2 / rest) / 2) / (TWO_PI * np.sqrt(rest)))


def cells(function: Callable[[Floats, Floats, float], Floats], x: Floats, y: Floats, rho: float) -> Floats:
    """Differences of a function of (x, y) over the rectangles between cut-points: (len(x) + 1, len(y) + 1).

    The first rectangles begin at minus infinity, the last ones end at infinity.

    Examples
    --------
    >>> cells(bivariate_cdf, np.array([0.0]), np.array([0.0]), 0.5).round(4).tolist()
    [[0.3333, 0.1667], [0.1667, 0.3333]]
    """
    edges = [np.concatenate([[-np.inf], cuts, [np.inf]]) for cuts in (x, y)]
    corners = function(edges[0][:, np.newaxis], edges[1][np.newaxis, :], rho)
    return np.asarray(np.diff(np.diff(corners, axis=0), axis=1))
