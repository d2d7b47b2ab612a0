"""The proper binormal curve, given or fitted: it rises with a falling slope and has no hooks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import special

from rocscope.binormal.latent import Floats
from rocscope.binormal.latent_curve import DEFINED, LatentCurve
from rocscope.binormal.proper_areas import proper_area, proper_area_up_to
from rocscope.binormal.proper_shape import ProperShape, from_pair, pair_derivatives, to_pair
from rocscope.core import checks
from rocscope.core.result import Result, plain
from rocscope.errors import RocInputError

# d_a at which the errors of a curve with d_a = 0 are taken. Towards 0 the errors of its rates and areas
# hardly change, but those of d_a and c grow beyond what can be computed.
NEAR = 0.15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProperBinormal(LatentCurve):
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
        d_a and c can hardly be told from each other, while rates and areas have finite errors.
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

    d_a: float | None = None
    c: float | None = None
    near_cov: Floats | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if not self._without_parameters():
            d_a = checks.check_number(self.d_a, name="d_a", low=0, closed=True)
            c = checks.check_number(self.c, name="c", low=-1, high=1)
            checks.check_number(d_a, name="d_a")
            object.__setattr__(self, "auc", proper_area(d_a, c))
        # The arguments are needed, as a dataclass with slots is another class than the one super() sees.
        Result.__post_init__(self)

    @property
    def a(self) -> float | None:
        """Distance of the means of the underlying pair, in standard deviations of the positives."""
        return self.shape().a if self.status in DEFINED else None

    @property
    def b(self) -> float | None:
        """Ratio of the standard deviations of the underlying pair, negatives to positives."""
        return self.shape().b if self.status in DEFINED else None

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
            raise RocInputError(f"fpr must hold rates inside (0, 1), got {checks.show(fpr)}")
        slopes = np.exp(self.shape().log_slope(-special.ndtri(rates)))
        return float(slopes) if slopes.ndim == 0 else slopes

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON, with a and b of the underlying pair and the area's error."""
        return LatentCurve.to_dict(self) | {"a": self.a, "b": self.b, "near_cov": plain(self.near_cov)}

    def _named(self) -> dict[str, float | None]:
        return {"d_a": self.d_a, "c": self.c}

    def _model(self) -> str:
        return "proper binormal"

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
