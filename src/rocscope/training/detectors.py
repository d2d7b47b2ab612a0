"""The Gaussian detector of [1]: one class, described by its density.

References
----------
.. [1] Paclik, Lai, Novovicova, Duin: Variance estimation for two-class and multi-class ROC
   analysis using operating point averaging, ICPR 2008, section 4.1.
"""

import math
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from rocscope.core import checks
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]


class GaussianDetector(DensityMixin, BaseEstimator):  # type: ignore[misc]
    """A Gaussian with full covariance, fitted to the cases of one class; its soft output is the density.

    Parameters
    ----------
    log
        Return the logarithm of the density, which neither vanishes far from the mean nor overflows.

    Attributes
    ----------
    location_ : array (features,)
        Mean of the cases.
    covariance_ : array (features, features)
        Maximum-likelihood covariance, divided by the number of cases.
    n_features_in_ : int
        Number of features.

    Examples
    --------
    >>> import numpy as np
    >>> detector = GaussianDetector().fit([[-1.0], [1.0]])
    >>> detector.score_samples([[0.0], [1.0]]).round(4).tolist()
    [0.3989, 0.242]
    """

    def __init__(self, *, log: bool = False) -> None:
        self.log = log

    def fit(self, X: Any, y: Any = None) -> Self:
        """Fit mean and covariance; `y` is not looked at.

        Raises
        ------
        RocInputError
            If the covariance is singular: too few cases, a constant or a redundant feature.
        """
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self.location_ = X.mean(axis=0)
        # By the range: the mean of a constant may be rounded away from it.
        if (constant := np.flatnonzero(X.min(axis=0) == X.max(axis=0))).size:
            columns = ", ".join(map(str, constant[: checks.SHOWN_ROWS]))
            raise RocInputError(
                f"must vary in every feature, got a singular covariance: constant in column {columns}",
                argument="X",
            )
        scale = np.abs(X - self.location_).max(axis=0)  # of every feature; no square lets it vanish
        # Singular values of the data, not eigenvalues of the covariance: squaring would halve the digits.
        _, spread, axes = np.linalg.svd((X - self.location_) / scale, full_matrices=False)
        spread /= math.sqrt(len(X))
        n_rows, n_features = X.shape
        if n_rows <= n_features:
            raise RocInputError(
                "must have more rows than features, got a singular covariance: "
                f"{n_rows} rows of {n_features}",
                argument="X",
            )
        rank = int((spread > spread[0] * max(X.shape) * np.finfo(np.float64).eps).sum())
        if rank < n_features:
            raise RocInputError(
                f"must have independent features, got a singular covariance: rank {rank} of {n_features}",
                argument="X",
            )
        # Features may be of any size; the density does not use the covariance.
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            self.covariance_ = (axes.T * spread**2 @ axes) * np.outer(scale, scale)
        self._whitening = axes.T / spread / scale[:, np.newaxis]
        self._log_peak = -float(
            np.log(spread).sum() + np.log(scale).sum() + len(scale) * math.log(2 * math.pi) / 2
        )
        return self

    def score_samples(self, X: Any) -> Floats:
        """Return the density of every case, or its logarithm."""
        density = self._log_density(X)
        if self.log:
            return density
        with np.errstate(over="ignore", under="ignore"):
            density = np.exp(density)
        if np.isinf(density).any():
            raise RocInputError(
                "must have densities that float64 can hold, got larger ones: use log=True", argument="X"
            )
        return density

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log density of the cases, the larger the better; `y` is not looked at."""
        return float(self._log_density(X).mean())

    def _log_density(self, X: Any) -> Floats:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        with np.errstate(over="ignore"):  # infinitely far away: a density of 0
            distance = (((X - self.location_) @ self._whitening) ** 2).sum(axis=1)
        return np.asarray(self._log_peak - distance / 2)
