"""Dietterich's 5x2cv t test and Alpaydin's combined 5x2cv F test.

References
----------
.. [1] T. G. Dietterich, "Approximate statistical tests for comparing supervised classification learning
   algorithms", Neural Computation 10, 1998.
.. [2] E. Alpaydin, "Combined 5x2 cv F test for comparing supervised classification learning
   algorithms", Neural Computation 11, 1999.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from rocscope.algorithms.differences import Floats
from rocscope.core import wald
from rocscope.core.checks import Alternative

T_DF = 5.0
F_DF = (10.0, 5.0)


def five_by_two_t(differences: Floats, alternative: Alternative) -> tuple[Floats, Floats]:
    """Return statistic and p-value of every row, shape (rows, 5, 2).

    Only the first difference of the first repeat stands in the numerator [1]_, so the order of the
    repeats matters; `five_by_two_f` does without that.

    Examples
    --------
    >>> folds = np.array([[[0.1, 0.3], [0.2, 0.2], [0.1, 0.2], [0.3, 0.1], [0.0, 0.2]]])
    >>> statistic, p = five_by_two_t(folds, "two-sided")
    >>> round(statistic.item(), 4), round(p.item(), 4)
    (0.8771, 0.4206)
    """
    differences = _scaled(differences)
    statistic = _divide(differences[:, 0, 0], np.sqrt(_variances(differences).mean(axis=-1)))
    p = np.asarray(wald.p_value(statistic, alternative=alternative, df=T_DF))
    return statistic, np.where((differences == 0).all(axis=(-2, -1)), 1.0, p)


def five_by_two_f(differences: Floats) -> tuple[Floats, Floats]:
    """Return statistic and p-value of every row, shape (rows, 5, 2); two-sided by its nature.

    Examples
    --------
    >>> folds = np.array([[[0.1, 0.3], [0.2, 0.2], [0.1, 0.2], [0.3, 0.1], [0.0, 0.2]]])
    >>> statistic, p = five_by_two_f(folds)
    >>> round(statistic.item(), 4), round(p.item(), 4)
    (2.8462, 0.1299)
    """
    differences = _scaled(differences)
    squares = np.square(differences).sum(axis=(-2, -1))
    statistic = _divide(squares, 2 * _variances(differences).sum(axis=-1))
    return statistic, np.where(squares == 0, 1.0, special.fdtrc(*F_DF, statistic))


def _scaled(differences: Floats) -> Floats:
    """Differences times a power of two, which no statistic depends on: squares do not overflow or vanish."""
    _, exponent = np.frexp(np.abs(differences).max(axis=(-2, -1), keepdims=True))
    return np.asarray(np.ldexp(differences, -exponent))


def _variances(differences: Floats) -> Floats:
    """Sum of squared deviations of the two folds of every repeat."""
    return np.square(differences[..., 0] - differences[..., 1]) / 2


def _divide(above: Floats, below: Floats) -> Floats:
    """Ratio; without any variance its limit, and 0 when there is nothing above either."""
    limit = np.where(above == 0, 0.0, np.copysign(np.inf, above))
    return np.divide(above, below, out=limit, where=below != 0)
