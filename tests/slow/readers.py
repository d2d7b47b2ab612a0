"""Reader studies by their definitions: every pair of cases is compared, every case really left out.

A study is a mapping {(modality, reader): {case: score}} and the set of its positive cases.
"""

from itertools import product

import numpy as np

from slow.pairs import kernel


def area(cell, positive):
    pos = [score for case, score in cell.items() if case in positive]
    neg = [score for case, score in cell.items() if case not in positive]
    return sum(float(kernel(x, y)) for x in pos for y in neg) / (len(pos) * len(neg))


def placement(cell, positive, case):
    """Mean of the kernel of one case over the other class."""
    others = [score for name, score in cell.items() if (name in positive) != (case in positive)]
    own = cell[case]
    pairs = [kernel(own, other) if case in positive else kernel(other, own) for other in others]
    return float(sum(pairs)) / len(pairs)


def delong(first, second, positive):
    """Sample covariance of the placements over the shared cases of each class, divided by their number."""
    shared = first.keys() & second.keys()
    total = 0.0
    for members in (shared & positive, shared - positive):
        if members:
            placements = [[placement(cell, positive, case) for case in members] for cell in (first, second)]
            total += float(np.cov(placements)[0, 1]) / len(members)
    return total


def jackknife(first, second, positive, cases):
    """Areas without each case of the study in turn."""
    left = []
    for cell in (first, second):
        without = [{name: score for name, score in cell.items() if name != case} for case in cases]
        left.append([area(one, positive) for one in without])
    n = len(cases)
    (a, b) = np.array(left)
    return (n - 1) / n * float(((a - a.mean()) * (b - b.mean())).sum())


def pairs(cell, positive):
    """Every positive with every negative, and its kernel."""
    pos = [case for case in cell if case in positive]
    neg = [case for case in cell if case not in positive]
    return [(i, j, float(kernel(cell[i], cell[j]))) for i, j in product(pos, neg)]


def unbiased(first, second, positive):
    """Product of the areas minus the mean product over pairs of pairs that share no case."""
    apart = [
        phi * psi
        for i, j, phi in pairs(first, positive)
        for k, m, psi in pairs(second, positive)
        if i != k and j != m
    ]
    return area(first, positive) * area(second, positive) - sum(apart) / len(apart)


def terms(study, modality, positive):
    """Every reader, positive and negative of a modality, and the kernel."""
    return [
        (reader, i, j, phi)
        for (name, reader), cell in study.items()
        if name == modality
        for i, j, phi in pairs(cell, positive)
    ]


def gallas(study, first, second, positive):
    """The eight moments by loops, each with the share of its pairs of terms; less the squared area."""
    sums, counts = np.zeros((2, 2, 2)), np.zeros((2, 2, 2))
    a, b = terms(study, first, positive), terms(study, second, positive)
    for (r, i, j, phi), (q, k, m, psi) in product(a, b):
        place = int(r == q), int(i == k), int(j == m)
        sums[place] += phi * psi
        counts[place] += 1
    moments = sums / np.maximum(counts, 1)
    shares = counts / counts.sum()
    return float((shares * moments).sum() - moments[0, 0, 0])


def mean_area(study, modality, positive):
    return float(np.mean([phi for *_, phi in terms(study, modality, positive)]))


def mean_squares(auc):
    """Two-way analysis of variance of a table (modality, reader): MS(T), MS(R), MS(TR)."""
    T, J = auc.shape
    grand = auc.mean()
    rows, columns = auc.mean(axis=1), auc.mean(axis=0)
    rest = auc - rows[:, None] - columns[None, :] + grand
    return (
        J * ((rows - grand) ** 2).sum() / (T - 1),
        T * ((columns - grand) ** 2).sum() / (J - 1),
        (rest**2).sum() / ((T - 1) * (J - 1)),
    )


def averages(covariance, T, J):
    """Var, Cov1, Cov2, Cov3: means over pairs of cells, sorted by what they share."""
    found = {(same_t, same_r): [] for same_t in (True, False) for same_r in (True, False)}
    for (t, r), (s, q) in product(product(range(T), range(J)), repeat=2):
        found[t == s, r == q].append(covariance[t * J + r, s * J + q])
    return tuple(
        float(np.mean(found[key])) for key in ((True, True), (False, True), (True, False), (False, False))
    )


def readers_apart(study, first, second, positive):
    """Product of the mean areas minus the mean product over different readers: cases are fixed."""
    apart = [
        phi * psi
        for (r, *_, phi), (q, *_, psi) in product(
            terms(study, first, positive), terms(study, second, positive)
        )
        if r != q
    ]
    return mean_area(study, first, positive) * mean_area(study, second, positive) - float(np.mean(apart))
