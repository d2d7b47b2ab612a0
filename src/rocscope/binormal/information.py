"""The information matrix of a binormal fit: tridiagonal in the cut-points, bordered by a and b.

    [ T   B ]      T: cut-points among themselves, tridiagonal
    [ B'  C ]      B: cut-points with (a, b), C: (a, b) among themselves

Eliminating the cut-points leaves the 2 x 2 matrix C - B' T^-1 B, the information about (a, b), in time and
memory that grow with the number of categories alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from rocscope.binormal.likelihood import MANY, ClassTerms, Counts, Floats, class_terms, expected_terms


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """The bordered matrix: T by its row sums (`excess`) and off-diagonal (-`coupling`), B' and C."""

    excess: Floats
    coupling: Floats
    border: Floats
    corner: Floats

    def eliminate(self, right: Floats) -> tuple[Floats, Floats, Floats]:
        """T^-1 right, T^-1 B, and the information about (a, b)."""
        solved = solve_tridiagonal(self.excess, self.coupling, np.vstack([right, self.border]))
        schur = self.corner - inner(self.border, solved[1:])
        return solved[0], solved[1:], (schur + schur.T) / 2

    def covariance(self) -> Floats | None:
        """Covariance of (a, b), or None where the information is singular."""
        _, _, schur = self.eliminate(np.zeros(len(self.excess)))
        if not np.isfinite(schur).all() or np.linalg.eigvalsh(schur)[0] <= 1e-12 * np.trace(schur):
            return None
        return np.asarray(np.linalg.inv(schur))


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Log-likelihood at a point with its gradient by the cut-points and by (a, b), and the information."""

    log_likelihood: float
    by_cutpoints: Floats
    by_curve: Floats
    arrow: Arrow

    def gradient_norm(self) -> float:
        """Largest derivative, in absolute value."""
        return float(max(np.abs(self.by_cutpoints).max(), np.abs(self.by_curve).max()))


def evaluate(cutpoints: Floats, a: float, b: float, neg: Counts, pos: Counts) -> Evaluation:
    """Log-likelihood, gradient and observed information at a point.

    Negatives are standard normal; on the scale of the positives a cut-point t lies at b t - a.
    """
    of_neg, of_pos = class_terms(cutpoints, neg), class_terms(b * cutpoints - a, pos)
    return Evaluation(
        log_likelihood=of_neg.log_likelihood + of_pos.log_likelihood,
        by_cutpoints=of_neg.score + b * of_pos.score,
        by_curve=np.array([-of_pos.score.sum(), inner(cutpoints, of_pos.score)]),
        arrow=_arrow(cutpoints, b, of_neg, of_pos, of_pos.score),
    )


def expected_information(cutpoints: Floats, a: float, b: float, n_neg: int, n_pos: int) -> Arrow:
    """Fisher's information: the cases of each category replaced by those the model expects there."""
    of_neg, of_pos = expected_terms(cutpoints, n_neg), expected_terms(b * cutpoints - a, n_pos)
    return _arrow(cutpoints, b, of_neg, of_pos, np.zeros(len(cutpoints)))


def _arrow(cutpoints: Floats, b: float, neg: ClassTerms, pos: ClassTerms, score: Floats) -> Arrow:
    """Put the classes together by the chain rule; `score` is that of the positives, 0 in expectation."""
    flux = pos.coupling * np.diff(cutpoints)
    product = pos.excess * cutpoints  # the positives' matrix times the cut-points
    product[:-1] -= flux
    product[1:] += flux
    mixed = -inner(pos.excess, cutpoints)
    return Arrow(
        excess=neg.excess + b * b * pos.excess,
        coupling=neg.coupling + b * b * pos.coupling,
        border=np.stack([-b * pos.excess, b * product - score]),
        corner=np.array([[pos.excess.sum(), mixed], [mixed, inner(cutpoints, product)]]),
    )


def solve_tridiagonal(excess: Floats, coupling: Floats, right: Floats) -> Floats:
    """Solve T x = right for every row, T with row sums `excess` and -`coupling` off the diagonal.

    NaN where T is not positive definite: there are cut-points that no case holds.
    """
    if len(excess) >= MANY:
        from rocscope.core import kernels

        return kernels.solve_row_sums(excess, coupling, right)
    diagonal = excess.copy()
    diagonal[:-1] += coupling
    diagonal[1:] += coupling
    if len(excess) == 1:  # LAPACK's routine refuses it
        return right / diagonal if diagonal[0] > 0 else np.full_like(right, np.nan)
    bands = np.stack([np.concatenate([[0.0], -coupling]), diagonal])
    try:
        return np.asarray(linalg.solveh_banded(bands, right.T, check_finite=False).T)
    except linalg.LinAlgError:
        return np.full_like(right, np.nan)


def solve_upwards(matrix: Floats, right: Floats) -> tuple[Floats, float]:
    """Solve with all eigenvalues made positive, so that a step leads up; and the least one as it was.

    Examples
    --------
    >>> step, least = solve_upwards(np.diag([2.0, -4.0]), np.array([1.0, 1.0]))
    >>> step.tolist(), least
    ([0.5, 0.25], -4.0)
    """
    values, vectors = np.linalg.eigh(matrix)
    floor = max(float(np.abs(values).max()) * 1e-10, float(np.finfo(np.float64).tiny))
    return np.asarray(vectors @ (vectors.T @ right / np.maximum(np.abs(values), floor))), float(values[0])


def inner(x: Floats, y: Floats) -> Any:
    """Product over the cut-points, of vectors or of rows with rows.

    BLAS would share the sum among threads, so that its last digits depend on their number.
    """
    return np.einsum("...m,m->..." if y.ndim == 1 else "im,jm->ij", x, y)
