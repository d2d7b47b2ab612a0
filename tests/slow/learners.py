"""Learners as the textbooks write them: the drawn cases repeated, NumPy's covariance and inverse.

Cases are rows, negatives first; `counts` says how often each is in the training set.
"""

import math

import numpy as np
from scipy import special

RIDGE = 1e-6


def covariance(members, cases):
    """Covariance of the drawn members; a singular one gets a ridge, from all training cases of the class."""
    found = np.atleast_2d(np.cov(members.T, ddof=1)) if len(members) > 1 else np.zeros((cases.shape[1],) * 2)
    centred = members - members.mean(axis=0)
    if np.linalg.matrix_rank(centred, tol=1e-7) < cases.shape[1]:
        found = found + RIDGE * mean_variance(cases) * np.eye(cases.shape[1])
    return found


def mean_variance(cases):
    return cases.var(axis=0, ddof=1).mean()


def pooled(neg, pos, all_neg, all_pos):
    n = len(neg) + len(pos)
    found = ((len(neg) - 1) * scatter(neg) + (len(pos) - 1) * scatter(pos)) / (n - 2)
    centred = np.concatenate([neg - neg.mean(axis=0), pos - pos.mean(axis=0)])
    if np.linalg.matrix_rank(centred, tol=1e-7) < neg.shape[1]:
        ridge = RIDGE * (mean_variance(all_neg) + mean_variance(all_pos)) / 2
        found = found + ridge * np.eye(neg.shape[1])
    return found


def scatter(members):
    return np.atleast_2d(np.cov(members.T, ddof=1))


def scores(learner, counts, cases, n_neg, rows=None):
    """Score of every requested case (of all by default) by the learner trained on the counted ones."""
    rows = cases if rows is None else rows
    neg = np.repeat(cases[:n_neg], counts[:n_neg], axis=0)
    pos = np.repeat(cases[n_neg:], counts[n_neg:], axis=0)
    return LEARNERS[learner](neg, pos, cases[:n_neg], cases[n_neg:], rows)


def nearest_mean(neg, pos, _, __, rows):
    to_neg, to_pos = (((rows - c.mean(axis=0)) ** 2).sum(axis=1) for c in (neg, pos))
    return (to_neg - to_pos) / 2


def lda(neg, pos, all_neg, all_pos, rows):
    inverse = np.linalg.inv(pooled(neg, pos, all_neg, all_pos))
    return rows @ inverse @ (pos.mean(axis=0) - neg.mean(axis=0))


def qda(neg, pos, all_neg, all_pos, rows):
    def log_density(members, cases):
        sigma = covariance(members, cases)
        away = rows - members.mean(axis=0)
        distance = np.einsum("ij,jk,ik->i", away, np.linalg.inv(sigma), away)
        return -(distance + np.linalg.slogdet(sigma)[1]) / 2

    return log_density(pos, all_pos) - log_density(neg, all_neg)


def one_nearest_neighbour(neg, pos, _, __, rows):
    def nearest(case, members):
        return min(((case - member) ** 2).sum() for member in members)

    return np.array([float(nearest(case, pos) < nearest(case, neg)) for case in rows])


LEARNERS = {"nearest-mean": nearest_mean, "lda": lda, "qda": qda, "1nn": one_nearest_neighbour}


def exact_area(weights, mean, covariances):
    """Area of a linear score on two normal classes whose means differ by `mean`."""
    sd = math.sqrt(sum(weights @ c @ weights for c in covariances))
    return special.ndtr(weights @ mean / sd)
