"""Learners with a closed form, trained on weighted cases: nearest mean, LDA and QDA; and 1-nearest neighbour.

The score of the first three is a polynomial in the features, at most a quadratic one. A training set is
therefore kept as its monomials: the sums over a bootstrap replicate give mean and covariance, and one product
of coefficients and monomials gives the scores of all cases. Constants of a score are left out, because no
ranking depends on them. 1-nearest neighbour scores a case by the class of its neighbour, 1 or 0.
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled

Floats = NDArray[np.float64]
Counts = NDArray[np.int32]

NEAREST_MEAN: Final = 0
LDA: Final = 1
QDA: Final = 2
NEAREST_NEIGHBOUR: Final = 3

# A covariance is singular where a feature keeps less than this share of its variance given those before it.
SINGULAR: Final = 1e-10
# A singular covariance gets this share of the mean variance of the class's training cases on its diagonal.
RIDGE: Final = 1e-6


@compiled
def monomials(cases: Floats) -> Floats:
    """Return x_1 .. x_p and every product x_i x_j, i <= j, of each case."""
    n, p = cases.shape
    terms = np.empty((n, p + p * (p + 1) // 2))
    for row in range(n):
        place = p
        for i in range(p):
            terms[row, i] = cases[row, i]
            for j in range(i, p):
                terms[row, place] = cases[row, i] * cases[row, j]
                place += 1
    return terms


@compiled
def class_mean(cases: Floats) -> Floats:
    """Return the mean of each feature."""
    n, p = cases.shape
    mean = np.zeros(p)
    for row in range(n):
        for k in range(p):
            mean[k] += cases[row, k]
    return np.asarray(mean / n)


@compiled
def mean_variance(own: Floats, p: int) -> float:
    """Return the mean over the features of the variance of cases given as monomials about their mean."""
    total = 0.0
    for row in range(own.shape[0]):
        for k in range(p):
            total += own[row, k] * own[row, k]
    return float(total / (p * max(own.shape[0] - 1, 1)))


@compiled
def weighted_sums(counts: Counts, terms: Floats, n_terms: int) -> Floats:
    """Add up the first terms of every case, as often as the case is drawn."""
    sums = np.zeros(n_terms)
    for row in range(counts.size):
        count = counts[row]
        if count:
            for k in range(n_terms):
                sums[k] += count * terms[row, k]
    return sums


@compiled
def scatter_of(sums: Floats, n: int, p: int) -> Floats:
    """Return the sums of squares and products about the mean, from the sums of monomials."""
    scatter = np.empty((p, p))
    place = p
    for i in range(p):
        for j in range(i, p):
            scatter[i, j] = sums[place] - sums[i] * sums[j] / n
            scatter[j, i] = scatter[i, j]
            place += 1
    return scatter


@compiled
def factor(covariance: Floats, root: Floats) -> bool:
    """Write the lower triangle whose square is the covariance; False where it is singular."""
    p = covariance.shape[0]
    for i in range(p):
        for j in range(i + 1):
            rest = covariance[i, j]
            for k in range(j):
                rest -= root[i, k] * root[j, k]
            if i == j:
                if not rest > SINGULAR * covariance[i, i]:
                    return False
                root[i, i] = math.sqrt(rest)
            else:
                root[i, j] = rest / root[j, j]
    return True


@compiled
def factor_or_ridge(covariance: Floats, ridge: float) -> tuple[Floats, int]:
    """Return the triangular root of a covariance, and 1 where it was singular and got a ridge."""
    p = covariance.shape[0]
    root = np.zeros((p, p))
    if factor(covariance, root):
        return root, 0
    for k in range(p):
        covariance[k, k] += ridge
    factor(covariance, root)
    return root, 1


@compiled
def solve(root: Floats, right: Floats) -> Floats:
    """Solve root root' x = right."""
    p = right.size
    x = right.copy()
    for i in range(p):
        for k in range(i):
            x[i] -= root[i, k] * x[k]
        x[i] /= root[i, i]
    for i in range(p - 1, -1, -1):
        for k in range(i + 1, p):
            x[i] -= root[k, i] * x[k]
        x[i] /= root[i, i]
    return x


@compiled
def inverse_of_square(root: Floats) -> Floats:
    """Return the inverse of root root'; `root` becomes its own inverse on the way."""
    p = root.shape[0]
    for i in range(p):
        root[i, i] = 1.0 / root[i, i]
        for j in range(i):
            rest = 0.0
            for k in range(j, i):
                rest -= root[i, k] * root[k, j]
            root[i, j] = rest * root[i, i]
    inverse = np.empty((p, p))
    for i in range(p):
        for j in range(i + 1):
            total = 0.0
            for k in range(i, p):
                total += root[k, i] * root[k, j]
            inverse[i, j] = total
            inverse[j, i] = total
    return inverse


@compiled
def add_distance(coefficients: Floats, inverse: Floats, mean: Floats, sign: float) -> None:
    """Add sign times half the squared Mahalanobis distance from the mean, without its constant."""
    p = mean.size
    place = p
    for i in range(p):
        for j in range(p):
            coefficients[i] -= sign * inverse[i, j] * mean[j]
        for j in range(i, p):
            coefficients[place] += sign * inverse[i, j] * (0.5 if i == j else 1.0)
            place += 1


@compiled
def train(
    learner: int,
    sizes: tuple[int, int],
    sums: tuple[Floats, Floats],
    centres: tuple[Floats, Floats],
    ridges: tuple[float, float],
) -> tuple[Floats, int]:
    """Return the coefficients of the score, larger for positives, and how many covariances were singular.

    Pairs hold negatives and positives: cases drawn, sums of their monomials about `centres`, and the ridge
    of a singular covariance.
    """
    p = centres[0].size
    n_neg, n_pos = sizes
    neg = centres[0] + sums[0][:p] / n_neg
    pos = centres[1] + sums[1][:p] / n_pos
    if learner == NEAREST_MEAN:
        return pos - neg, 0
    if learner == LDA:
        pooled = scatter_of(sums[0], n_neg, p) + scatter_of(sums[1], n_pos, p)
        root, singular = factor_or_ridge(pooled / max(n_neg + n_pos - 2, 1), (ridges[0] + ridges[1]) / 2)
        return solve(root, pos - neg), singular
    coefficients = np.zeros(sums[0].size)
    root, first = factor_or_ridge(scatter_of(sums[0], n_neg, p) / max(n_neg - 1, 1), ridges[0])
    add_distance(coefficients, inverse_of_square(root), neg, 1.0)
    root, second = factor_or_ridge(scatter_of(sums[1], n_pos, p) / max(n_pos - 1, 1), ridges[1])
    add_distance(coefficients, inverse_of_square(root), pos, -1.0)
    return coefficients, first + second


@compiled
def polynomial_scores(coefficients: Floats, terms: Floats, scores: Floats) -> None:
    """Write the scores of cases whose monomials are given row by row, (terms, cases)."""
    scores[:] = 0.0
    for k in range(coefficients.size):
        weight = coefficients[k]
        for i in range(scores.size):
            scores[i] += weight * terms[k, i]


@compiled
def squared_distances(case: Floats, cases: Floats) -> Floats:
    """Return the squared Euclidean distances from one case to others."""
    n, p = cases.shape
    result = np.zeros(n)
    for i in range(n):
        for k in range(p):
            step = case[k] - cases[i, k]
            result[i] += step * step
    return result


@compiled
def nearest_is_positive(distances: Floats, members: NDArray[np.int64], n_neg: int) -> float:
    """Return 1 where the nearest of the members is positive, else 0; the negatives come first."""
    nearest, least = 0, np.inf
    for place in members:
        if distances[place] < least:
            nearest, least = place, distances[place]
    return 1.0 if nearest >= n_neg else 0.0


# ---- Areas under the curve of few scores, many times over -------------------------------------------------

# Pairs that are counted one by one; beyond, sorting is quicker.
FEW_PAIRS: Final = 40_000


@compiled
def area_of(pos: Floats, neg: Floats) -> float:
    """Share of pairs in which the positive scores higher, ties one half; NaN without a case in each class."""
    pairs = pos.size * neg.size
    if pairs == 0:
        return np.nan
    twice_u = twice_u_by_pairs(pos, neg) if pairs <= FEW_PAIRS else twice_u_by_sorting(pos, neg)
    return float(twice_u / (2.0 * pairs))


@compiled
def twice_u_by_pairs(pos: Floats, neg: Floats) -> int:
    """Count every pair: no branch, so that several are compared at once."""
    total = np.int64(0)
    for i in range(pos.size):
        value = pos[i]
        for j in range(neg.size):
            total += np.int64(value > neg[j]) + np.int64(value >= neg[j])
    return int(total)


@compiled
def twice_u_by_sorting(pos: Floats, neg: Floats) -> int:
    """Walk up both sorted classes."""
    low, high = np.sort(neg), np.sort(pos)
    below, not_above, total = 0, 0, 0
    for i in range(high.size):
        while below < low.size and low[below] < high[i]:
            below += 1
        not_above = max(not_above, below)
        while not_above < low.size and low[not_above] <= high[i]:
            not_above += 1
        total += below + not_above
    return total
