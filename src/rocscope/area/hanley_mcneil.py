"""Hanley and McNeil's test of two areas from the same cases [1]_.

    z = (A1 - A2) / sqrt(se1^2 + se2^2 - 2 r se1 se2)

The standard errors are those of their earlier paper [2]_. The correlation r of the areas follows from that
of the scores inside the classes. Hanley and McNeil print it as a table for the binormal model; here it is
computed. With z0 the normal quantile of the mean area A and B(rho) = Phi2(z0, z0; rho), the chance that
both classifiers order a pair rightly when the differences of their scores have the correlation rho:

    r = [B(rbar) - A^2 + c (B(rbar / 2) - A^2)] / [A - A^2 + c (B(1 / 2) - A^2)],  c = n_pos + n_neg - 2

rbar being the mean of the correlations among positives and among negatives. Pairs that share one case of
two have half the correlation of the scores. For 50 + 50 cases it gives the printed row rbar = 0.5.

References
----------
.. [1] Hanley, McNeil: A method of comparing the areas under receiver operating characteristic curves
   derived from the same cases, Radiology 148, 1983.
.. [2] Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic (ROC)
   curve, Radiology 143, 1982.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.area.delong import AreaMatrix
from rocscope.area.tests_between import Answer, Question, wald_answer
from rocscope.area.variance import hanley_mcneil_variance
from rocscope.core.scores import BinaryScores

NO_CORRELATION = "the scores of a class do not vary or are infinite, so their correlation is undefined"


def hanley_mcneil_test(question: Question) -> Answer:
    """Compare areas by their correlation; unpaired curves have none."""
    curves = question.curves
    areas = np.array([data.sums(column).auc for data, column in curves.curves])
    sizes = [(data.n_pos, data.n_neg) for data, _ in curves.curves]
    se = np.sqrt([hanley_mcneil_variance(a, *size) for a, size in zip(areas.tolist(), sizes, strict=True)])
    r = np.eye(len(areas))
    if curves.paired:
        r = _correlations(curves.samples[0], areas, question.pairs)
    matrix = AreaMatrix(
        names=curves.names,
        areas=areas,
        covariance=r * np.outer(se, se),
        difference_variance={
            (i, j): float((se[i] - se[j]) ** 2 + 2 * (1 - r[i, j]) * se[i] * se[j]) for i, j in question.pairs
        },
        sizes=tuple(sum(size) for size in sizes),
        smallest_class=curves.smallest_class,
    )
    return wald_answer(question, matrix, interval="hanley-mcneil", undefined=NO_CORRELATION)


def _correlations(
    data: BinaryScores, areas: NDArray[np.float64], pairs: list[tuple[int, int]]
) -> NDArray[np.float64]:
    """Correlation of every two areas; NaN where that of the scores is undefined."""
    by_class = [data.by_class(column) for column in range(len(areas))]
    r = np.eye(len(areas))
    for i, j in pairs:
        of_scores = np.mean([pearson(*both) for both in zip(by_class[i], by_class[j], strict=True)])
        mean_area = float(areas[i] + areas[j]) / 2
        r[i, j] = r[j, i] = area_correlation(float(of_scores), mean_area, data.n_pos, data.n_neg)
    return r


def area_correlation(of_scores: float, area: float, n_pos: int, n_neg: int) -> float:
    """Correlation of two areas from the mean correlation of the scores inside the classes.

    Examples
    --------
    >>> round(area_correlation(0.5, area=0.9, n_pos=50, n_neg=50), 3)
    0.41
    """
    if area in (0.0, 1.0) or of_scores == 1:  # perfect curves have no variance that could correlate
        return of_scores
    z0 = float(special.ndtri(area))
    sharing = n_pos + n_neg - 2
    both = _both_right(z0, of_scores) - area**2 + sharing * (_both_right(z0, of_scores / 2) - area**2)
    one = area - area**2 + sharing * (_both_right(z0, 0.5) - area**2)
    return both / one


def _both_right(z0: float, rho: float) -> float:
    """Phi2(z0, z0; rho), by Owen's T."""
    if rho <= -1:
        return max(0.0, 2 * float(special.ndtr(z0)) - 1)
    return float(special.ndtr(z0) - 2 * special.owens_t(z0, math.sqrt(max(0.0, 1 - rho) / (1 + rho))))


def pearson(x: NDArray[Any], y: NDArray[Any]) -> float:
    """Pearson's correlation; NaN where a column is constant or infinite.

    Examples
    --------
    >>> round(pearson(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 6)
    0.5
    """
    centred = []
    for values in (x, y):
        if not np.isfinite(values.astype(np.float64)).all() or values.max() == values.min():
            return math.nan
        if values.dtype.kind == "i":
            values = values - values.min()  # exact for long integers
        scaled = values / np.abs(values).max()  # no square overflows
        centred.append(scaled - scaled.mean())
    a, b = centred
    return float(np.clip(a @ b / math.sqrt((a @ a) * (b @ b)), -1.0, 1.0))
