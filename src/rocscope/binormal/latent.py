"""What a fit by likelihood needs to know of a curve: the positives on the negatives' latent scale."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, significance
from rocscope.core.curve import WHOLE, Ranges, partial_areas, read_ranges
from rocscope.core.result import Estimate, Result
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError, UndefinedError

Floats = NDArray[np.float64]

SQRT_2PI = math.sqrt(2 * math.pi)
SMALLEST_TAIL = 1e-300


def normal_density(x: Any) -> Floats:
    """Density of the standard normal distribution."""
    return np.asarray(np.exp(-np.square(x) / 2) / SQRT_2PI)


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


def deviate_of(below: Floats, above: Floats) -> Floats:
    """Phi^-1(below), from the smaller tail of the two."""
    tail = np.clip(np.minimum(below, above), SMALLEST_TAIL, 0.5)
    return np.asarray(np.where(below < above, 1.0, -1.0) * special.ndtri(tail))


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
    >>> found = truth_runs(ScoreTable.from_counts([1, 2, 3, 4], pos=[0, 0, 1, 1], neg=[2, 1, 1, 0]))
    >>> found.neg.tolist(), found.pos.tolist(), found.boundaries.tolist()
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
        return _above(self.neg), _above(self.pos)

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
    table, warnings = _counted(data)
    neg, pos = table.neg[::-1], table.pos[::-1]
    has_neg, has_pos = neg > 0, pos > 0
    changed = (has_neg[1:] ^ has_neg[:-1]) | (has_pos[1:] ^ has_pos[:-1])
    first = np.flatnonzero(changed | (has_neg & has_pos)[1:]) + 1
    starts = np.concatenate([[0], first])
    return Categories(
        neg=np.add.reduceat(neg, starts),
        pos=np.add.reduceat(pos, starts),
        boundaries=_between(table.scores[::-1], first),
        warnings=warnings,
    )


def ratings(data: ScoreTable | BinaryScores) -> Categories:
    """Every distinct score as a category of its own."""
    table, warnings = _counted(data)
    scores = table.scores[::-1]
    boundaries = _between(scores, np.arange(1, len(scores)))
    return Categories(neg=table.neg[::-1], pos=table.pos[::-1], boundaries=boundaries, warnings=warnings)


def _counted(data: ScoreTable | BinaryScores) -> tuple[ScoreTable, tuple[str, ...]]:
    """The table of whole cases with finite scores; what a fit cannot use is refused."""
    table = data if isinstance(data, ScoreTable) else data.single().table()
    if not table.is_counted:
        raise RocInputError("must count whole cases for a fit, got fractions", argument="sample_weight")
    if not np.isfinite(table.scores[[0, -1]].astype(np.float64)).all():
        raise RocInputError("must be finite for a fit, got infinite values", argument="y_score")
    thinned = ("the table was thinned: scores inside a bin are taken as equal",) if table.thinned else ()
    return table, thinned


def _above(counts: NDArray[np.int64]) -> Floats:
    """Share of the cases above each cut-point."""
    return np.asarray(np.cumsum(counts[::-1])[-2::-1] / counts.sum())


def _between(ascending: NDArray[Any], first: NDArray[np.int64]) -> NDArray[Any]:
    """Midpoints below the scores at `first`; where a midpoint rounds onto the lower score, the upper one."""
    low, high = ascending[first - 1], ascending[first]
    if ascending.dtype.kind == "i":  # halves first, as a sum may overflow
        middle = low // 2 + high // 2 + (low % 2 + high % 2) // 2
    else:
        middle = low / 2 + high / 2
    return np.where(middle > low, middle, high)


# ---- What the fitted curves of latent models can do: rates, areas, and their standard errors --------------

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

    view: ClassVar[str] = "binormal.binormal_picture"
    topic: ClassVar[str] = "models"

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
            ends = significance.interval(deviate, se / whole / float(normal_density(deviate)), level=level)
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
