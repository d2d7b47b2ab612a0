"""The weights with the largest predicted area: free, and none of them negative."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.combine import combined_areas
from rocscope.binormal.joint import Floats, JointScores, times_units
from rocscope.core.result import Result
from rocscope.errors import UndefinedError

# A weight below this share of the largest one is 0, but for rounding.
NOTHING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestWeights(Result):
    """Weights of the largest predicted area, scaled so that their sizes add up to 1.

    Attributes
    ----------
    free, auc_free
        The best of all weights and its area. A classifier that repeats what a better one says, with
        noise, gets a negative weight.
    nonnegative, auc_nonnegative
        The best weights of at least 0; a classifier of weight 0 is of no use then.
    auc_single
        Area of each classifier alone.
    """

    free: Floats
    auc_free: float
    nonnegative: Floats
    auc_nonnegative: float
    auc_single: Floats

    def _summary(self) -> str:
        lines = [
            f"{name:13}{_told(weights)}: AUC {area:.4f}"
            for name, weights, area in (
                ("free", self.free, self.auc_free),
                ("non-negative", self.nonnegative, self.auc_nonnegative),
            )
        ]
        return "\n".join([*lines, f"alone        AUC {_told(self.auc_single)}"])

    def columns(self) -> dict[str, Any]:
        """Return one row per classifier."""
        return {"free": self.free, "nonnegative": self.nonnegative, "auc_single": self.auc_single}


def best_weights(fits: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> BestWeights:
    """Return the weights that make the predicted area of a combination largest.

    Parameters
    ----------
    fits, corr_neg, corr_pos
        Curves and correlations, as in `combine_binormals`.

    Returns
    -------
    BestWeights
        With `free`, `nonnegative` and their areas.

    Raises
    ------
    UndefinedError
        If every curve lies on the diagonal in area (a = 0): all weights are then as good.

    Notes
    -----
    The area is Phi(w'm / sqrt(w'Sw)), with m the mean of the positives and S the sum of the covariances
    of both classes, so the free weights are S^-1 m (Su and Liu, 1993); for independent classifiers
    a_i b_i / (1 + b_i^2). The non-negative ones minimise w'Sw / 2 - w'm, a convex problem that an active
    set solves exactly. Where no classifier is better than chance that gives nothing, and the best is
    the least bad classifier alone.

    Examples
    --------
    >>> from rocscope.binormal.curve import Binormal
    >>> best = best_weights([Binormal(a=1.5, b=1), Binormal(a=0.9, b=1)], corr_neg=0.9, corr_pos=0.9)
    >>> print(best)
    free         0.6053, -0.3947: AUC 0.9011
    non-negative 1.0000, 0.0000: AUC 0.8556
    alone        AUC 0.8556, 0.7377
    """
    return best_of(JointScores.of(fits, corr_neg=corr_neg, corr_pos=corr_pos))


def best_of(joint: JointScores, units: Floats | None = None) -> BestWeights:
    """Best weights of checked scores, for sums in which each latent score is multiplied by its unit."""
    if not joint.mean_pos.any():
        raise UndefinedError("no weights are best: every curve has a = 0, so that all of them give area 0.5")
    latent = np.stack(
        [
            np.linalg.solve(joint.cov_sum, joint.mean_pos),
            nonnegative_weights(joint.cov_sum, joint.mean_pos),
        ]
    )
    areas = combined_areas(joint, _scaled(latent)).tolist()
    alone = special.ndtr(joint.mean_pos / np.sqrt(np.diagonal(joint.cov_sum)))
    free, nonnegative = _scaled(latent if units is None else times_units(latent, units, power=-1))
    return BestWeights(
        free=free, auc_free=areas[0], nonnegative=nonnegative, auc_nonnegative=areas[1], auc_single=alone
    )


def nonnegative_weights(covariance: Floats, mean: Floats) -> Floats:
    """Weights of at least 0 with the largest w'm / sqrt(w'Sw)."""
    from scipy.optimize import nnls  # heavy, and only needed here

    alone = mean / np.sqrt(np.diagonal(covariance))
    if alone.max() <= 0:
        # Below 0 the quotient is quasi-convex: its largest value is at a corner.
        return np.asarray(np.arange(len(mean)) == np.argmax(alone), dtype=np.float64)
    scale = 1 / np.sqrt(np.diagonal(covariance))  # classifiers with much spread must not drown the others
    root = np.linalg.cholesky(covariance * np.outer(scale, scale))
    weights, _ = nnls(root.T, np.linalg.solve(root, mean * scale))
    return _on_support(covariance, mean, weights * scale > NOTHING * (weights * scale).max())


def _on_support(covariance: Floats, mean: Floats, used: NDArray[np.bool_]) -> Floats:
    """Solve anew on the classifiers in use: their weights then have all their digits."""
    weights = np.zeros(len(mean))
    weights[used] = np.linalg.solve(covariance[np.ix_(used, used)], mean[used])
    return weights


def _scaled(weights: NDArray[Any]) -> Floats:
    return np.asarray(weights / np.abs(weights).sum(axis=-1, keepdims=True))


def _told(values: Floats) -> str:
    return ", ".join(f"{value:.4f}" for value in values)
