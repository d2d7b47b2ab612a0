"""A binormal curve in the forms it is shown in: with a band, on normal-deviate axes, as two densities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.latent import LatentCurve, normal_density
from rocscope.core import checks, significance
from rocscope.core.result import Result
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.bands import Band

Floats = NDArray[np.float64]

# Reach of the deviates at which a curve is shown, and their number.
REACH, PLACES = 5.0, 121
# Standard deviations to either side of the means that densities are shown for, and the number of places.
TAILS, STEPS = 4.0, 401


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
        The place from which on cases are called positive.
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


def tpr_band(
    curve: Binormal | LatentCurve, fpr: Any = None, *, level: float = 0.95, simultaneous: bool = False
) -> Band:
    """TPR with its interval at every FPR, made on the scale of normal deviates.

    The simultaneous band holds the whole line with the given probability (Working and Hotelling), so it is
    for the binormal curve alone.

    Examples
    --------
    >>> curve = Binormal(a=1.5, b=0.8, cov=[[0.04, 0.01], [0.01, 0.02]])
    >>> band = tpr_band(curve, [0.1, 0.5])
    >>> band.low.round(3).tolist(), band.high.round(3).tolist()
    ([0.519, 0.866], [0.816, 0.971])
    """
    level = checks.check_level(level)
    checks.check_flag(simultaneous, name="simultaneous")
    if curve.cov is None:
        raise UndefinedError(f"the curve has no band, as it has no covariance: {curve.reason or curve}")
    x = shown_rates(curve) if fpr is None else np.atleast_1d(checks.as_rates(fpr, name="fpr"))
    if isinstance(curve, Binormal):
        reach = math.sqrt(special.chdtri(2, 1 - level)) if simultaneous else significance.quantile(level)
        low, high = (special.ndtr(_line_end(curve, special.ndtri(x), sign * reach)) for sign in (-1, 1))
    else:
        if simultaneous:
            raise RocInputError(
                "must be False for a curve that is no line of normal deviates", argument="simultaneous"
            )
        low, high = _pointwise(curve, x, level)
    return Band(
        name="fitted curve",
        x=x,
        mean=curve.tpr(x),
        low=low,
        high=high,
        defined=~np.isnan(low),
        level=level,
        method=curve.auc_estimate(level).method,
        x_label="false positive rate",
        y_label="true positive rate",
        simultaneous=simultaneous,
        warnings=curve.warnings,
    )


def deviate_plot(curve: Binormal) -> DeviatePlot:
    """The line, and the points of the data behind it.

    Examples
    --------
    >>> print(deviate_plot(Binormal(a=1.5, b=0.8)))
    Phi^-1(TPR) = 1.5000 + 0.8000 Phi^-1(FPR), 0 points, 0 left out at rates of 0 or 1
    """
    a, b = curve.parameters()
    rates = (np.zeros(0), np.zeros(0)) if curve.categories is None else curve.categories.rates()
    x, y = (special.ndtri(rate) for rate in rates)
    inside = np.isfinite(x) & np.isfinite(y)
    return DeviatePlot(
        a=a, b=b, x=x[inside], y=y[inside], n_left_out=int((~inside).sum()), method=curve.method
    )


def latent_densities(
    curve: Binormal, *, fpr: float | None = None, threshold: float | None = None
) -> Densities:
    """The two densities, and the errors at a threshold.

    Without a threshold (or the FPR it has) it is that of Youden's index, where the densities cross.

    Examples
    --------
    >>> print(latent_densities(Binormal(a=2, b=1)))
    Latent threshold 1.0000: FPR 0.1587, FNR 0.1587
    """
    a, b = curve.parameters()
    cut = _threshold(a, b, fpr, threshold)
    ends = [
        end for mean, sd in ((0.0, 1.0), (a / b, 1 / b)) for end in (mean - TAILS * sd, mean + TAILS * sd)
    ]
    # The threshold is among the places, so that the areas of error end there.
    x = np.unique(np.append(np.linspace(min(ends), max(ends), STEPS), cut))
    return Densities(
        x=x,
        negatives=normal_density(x),
        positives=b * normal_density(b * x - a),
        threshold=cut,
        fpr=float(special.ndtr(-cut)),
        fnr=float(special.ndtr(b * cut - a)),
    )


def shown_rates(curve: Binormal | LatentCurve) -> Floats:
    """FPR at evenly spaced deviates of either rate, with both ends: enough for a smooth curve.

    Examples
    --------
    >>> shown_rates(Binormal(a=1.5, b=0.8))[[0, -1]].tolist()
    [0.0, 1.0]
    """
    rates = special.ndtr(np.linspace(-REACH, REACH, PLACES))
    return np.unique(np.concatenate([[0.0], rates, curve.fpr(rates), [1.0]]))


def _pointwise(curve: LatentCurve, x: Floats, level: float) -> tuple[Floats, Floats]:
    """Ends of the interval at every FPR; at 0 and 1 the curve itself."""
    ends = np.stack([x, x])
    for k in np.flatnonzero((x > 0) & (x < 1)):
        found = curve.tpr_estimate(float(x[k]), level)
        ends[:, k] = [np.nan if end is None else end for end in (found.low, found.high)]
    return ends[0], ends[1]


def _line_end(curve: Binormal, z: Floats, reach: float) -> Floats:
    """The line a + b z and so many of its standard errors; at rates of 0 and 1 the line itself."""
    a, b = curve.parameters()
    finite = np.where(np.isfinite(z), z, 0.0)
    gradient = np.stack([np.ones(len(z)), finite])
    se = np.sqrt(np.einsum("im,ij,jm->m", gradient, np.asarray(curve.cov), gradient))
    return np.asarray(np.where(np.isfinite(z), a + b * finite + reach * se, z))


def _threshold(a: float, b: float, fpr: float | None, threshold: float | None) -> float:
    if fpr is not None and threshold is not None:
        raise RocInputError("fpr and threshold must not both be given: one follows from the other")
    if threshold is not None:
        return checks.check_number(threshold, name="threshold")
    if fpr is not None:
        return -float(special.ndtri(checks.check_number(fpr, name="fpr", low=0, high=1)))
    return _crossing(a, b)


def _crossing(a: float, b: float) -> float:
    """Where the densities cross, phi(t) = b phi(b t - a), at the largest TPR - FPR."""
    if b == 1:
        return a / 2
    root = math.sqrt(a * a - 2 * (1 - b * b) * math.log(b))
    crossings = [(-a * b + sign * root) / (1 - b * b) for sign in (-1, 1)]
    return max(crossings, key=lambda t: float(special.ndtr(a - b * t) - special.ndtr(-t)))
