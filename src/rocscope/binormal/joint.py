"""Latent scores of several classifiers together: means and covariances in each class, checked once.

On the latent scale of a binormal curve the negatives are N(0, 1) and the positives N(a / b, 1 / b^2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.curve import Binormal
from rocscope.core import checks
from rocscope.errors import RocInputError, UndefinedError

Floats = NDArray[np.float64]
# Eigenvalues and asymmetries of a correlation matrix below this are rounding.
ROUNDING = 1e-10
# Beyond this condition number a combination whose weights cancel has too few digits left.
WORST_CONDITION = 1e10
# Slopes b beyond these ends leave one class without variance, in floating point.
WIDEST = (1e-50, 1e50)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointScores:
    """Latent scores of k classifiers: the mean of the positives, and a covariance matrix in each class.

    Examples
    --------
    >>> joint = JointScores.of([Binormal(a=1.0, b=1.0), Binormal(a=2.0, b=0.5)], corr_pos=0.5)
    >>> joint.mean_pos.tolist(), joint.cov_pos.tolist()
    ([1.0, 4.0], [[1.0, 1.0], [1.0, 4.0]])
    """

    mean_pos: Floats
    cov_neg: Floats
    cov_pos: Floats

    @classmethod
    def of(cls, fits: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> JointScores:
        """Check fitted curves and correlations; without correlations the scores are independent."""
        curves = as_binormals(fits)
        a, b = (np.array([getattr(curve, name) for curve in curves]) for name in ("a", "b"))
        neg, pos = (
            as_correlation(given, len(curves), name=name)
            for name, given in (("corr_neg", corr_neg), ("corr_pos", corr_pos))
        )
        _check_spread(a, b)
        return cls(mean_pos=a / b, cov_neg=neg, cov_pos=pos / np.outer(b, b))

    def __len__(self) -> int:
        return len(self.mean_pos)

    @property
    def cov_sum(self) -> Floats:
        """Covariance of a positive's scores less a negative's."""
        return self.cov_neg + self.cov_pos


def as_binormals(fits: Any) -> Sequence[Binormal]:
    """Return the fitted curves, each of which must have its a and b."""
    curves = list(fits) if isinstance(fits, Sequence) else None
    if not curves or not all(isinstance(fit, Binormal) for fit in curves):
        kinds = checks.show(fits) if curves is None else str([type(fit).__name__ for fit in curves])
        raise RocInputError(
            f"fits must be a list of Binormal curves, got {kinds}; combine_curves takes any two curves"
        )
    for place, fit in enumerate(curves):
        if fit.a is None or fit.b is None:
            raise UndefinedError(f"fits[{place}] has no curve to combine ({fit.status}): {fit.reason}")
    return curves


def _check_spread(a: Floats, b: Floats) -> None:
    """Refuse slopes so far from 1 that a class has no variance beside the other's."""
    low, high = WIDEST
    wrong = ~((b >= low) & (b <= high) & (np.abs(a) <= high))
    if wrong.any():
        place = int(np.argmax(wrong))
        raise UndefinedError(
            f"fits[{place}] has no variance in one of its classes: a = {a[place]:g}, b = {b[place]:g}"
        )


def as_correlation(given: Any, k: int, *, name: str) -> Floats:
    """Return a k by k correlation matrix; None is independence, a number the one correlation of two.

    Raises
    ------
    RocInputError
        If it is no correlation matrix.
    UndefinedError
        If it is singular, as with a correlation of 1 or -1: such classifiers are copies of each other.
    """
    if given is None:
        return np.eye(k)
    matrix = checks.as_array(given, name=name)
    if matrix.ndim == 0 and k == 2 and matrix.dtype.kind in "iuf":
        matrix = np.array([[1.0, matrix], [matrix, 1.0]], dtype=np.float64)
    wanted = f"be a {k} by {k} matrix of numbers" + (" or one correlation" if k == 2 else "")
    if matrix.shape != (k, k) or matrix.dtype.kind not in "iuf":
        raise RocInputError(f"{name} must {wanted}, got {checks.show(given)}")
    _check_correlation(matrix.astype(np.float64), name)
    return matrix.astype(np.float64)


def _check_correlation(matrix: Floats, name: str) -> None:
    if not bool((np.abs(matrix) <= 1).all()):
        worst = matrix.flat[np.argmax(np.where(np.isnan(matrix), np.inf, np.abs(matrix)))]
        raise RocInputError(f"{name} must hold correlations from -1 to 1, got {checks.show(worst)}")
    if not bool((np.diagonal(matrix) == 1).all()):
        raise RocInputError(f"{name} must have 1 along its diagonal, got {np.diagonal(matrix).tolist()}")
    if np.abs(matrix - matrix.T).max() > ROUNDING:
        raise RocInputError(f"{name} must be symmetric, got {checks.show(matrix.tolist())}")
    spread = np.linalg.eigvalsh(matrix)
    if spread[0] < -ROUNDING:
        raise RocInputError(
            f"{name} must be positive semidefinite, got a smallest eigenvalue of {spread[0]:.3g}"
        )
    condition = spread[-1] / spread[0] if spread[0] > 0 else np.inf
    if condition > WORST_CONDITION:
        raise UndefinedError(
            f"{name} is singular (condition number {condition:.3g}): {_copies(matrix)}, so that weights can "
            "cancel; leave one of them out"
        )


def _copies(matrix: Floats) -> str:
    """Name two classifiers whose correlation is 1 or -1."""
    off = np.abs(matrix - np.diag(np.diagonal(matrix)))
    i, j = divmod(int(np.argmax(off)), len(matrix))
    if off[i, j] < 1 - 2 / WORST_CONDITION:
        return "a classifier is a sum of others"
    return f"classifiers {i} and {j} have correlation {matrix[i, j]:g}"


def as_weights(given: Any, k: int) -> Floats:
    """Return weights, (k,) or (m, k), scaled so that the largest of each combination is 1 or -1.

    Curves do not depend on the scale of the weights, and squares of scaled ones cannot overflow.
    """
    weights = checks.as_array(given, name="weights")
    if weights.ndim not in (1, 2) or weights.shape[-1] != k or weights.dtype.kind not in "iuf":
        raise RocInputError(f"weights must hold one number per classifier ({k}), got {checks.show(given)}")
    weights = weights.astype(np.float64)
    rows = np.atleast_2d(weights)
    checks.refuse_rows(~np.isfinite(rows), name="weights", wanted="finite numbers", got="NaN or infinite")
    largest = np.abs(rows).max(axis=1, initial=0.0)
    checks.refuse_rows(largest == 0, name="weights", wanted="a weight other than 0", got="only 0")
    return np.asarray((rows / largest[:, np.newaxis]).reshape(weights.shape))


def times_units(weights: Floats, units: Floats, *, power: int = 1) -> Floats:
    """Weights, (k,) or (m, k), times the power 1 or -1 of a positive unit per classifier, up to a scale.

    Curves do not depend on the scale of the weights. Here it is a power of two that brings the largest near
    1, so that squares of weights keep their digits whatever the size of the units.

    Examples
    --------
    >>> times_units(np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([1e200, 1e-200])).round(4).tolist()
    [[0.3266, 0.0], [0.0, 0.5741]]
    """
    (share, exponent), (unit, size) = np.frexp(weights), np.frexp(units)
    product, total = share * unit**power, exponent + size * power
    largest = np.where(product == 0, total.min(), total).max(axis=-1, keepdims=True)
    return np.asarray(np.ldexp(product, total - largest))
