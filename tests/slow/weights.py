"""Class weights by their definitions, case by case; products are those of floats, shares are fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np


def decide(row, weights, reject=None):
    """The first class with the largest product; the number of classes if its share is too small."""
    products = [w * y for w, y in zip(weights, row, strict=True)]
    best = products.index(max(products))
    if reject is None:
        return best
    total = sum(map(Fraction, products))
    share = Fraction(products[best]) / total if total else Fraction(1, len(products))
    return len(products) if share < reject else best


def scaled(weights):
    return [w / max(weights) for w in weights]


def confusion(codes, scores, weights, reject=None, scale=True):
    """Cases by true and decided class."""
    n_classes = len(weights)
    counts = [[0] * (n_classes + (reject is not None)) for _ in range(n_classes)]
    used = scaled(weights) if scale else weights
    for code, row in zip(codes, scores, strict=True):
        counts[code][decide(row, used, reject)] += 1
    return counts


def folded(codes, scores, weights, fold, n_folds, reject=None):
    """Confusion matrices by fold."""
    parts = [[k for k, f in enumerate(fold) if f == number] for number in range(n_folds)]
    return [confusion([codes[k] for k in rows], [scores[k] for k in rows], weights, reject) for rows in parts]


def class_errors(matrix):
    """Wrong decisions per case of each class; None without cases."""
    found = []
    for true, row in enumerate(matrix):
        wrong = sum(row[: len(matrix)]) - row[true]
        found.append(Fraction(wrong, sum(row)) if sum(row) else None)
    return found


def max_error(matrix):
    return max(class_errors(matrix))


def mean_error(matrix):
    """Rounded as NumPy does, since searches order by it what is equal otherwise."""
    return float(np.mean([float(error) for error in class_errors(matrix)]))


def error(matrix):
    cases = sum(map(sum, matrix))
    return Fraction(cases - sum(matrix[k][k] for k in range(len(matrix))), cases)


def rate(matrix, true, decided):
    return Fraction(matrix[true][decided], sum(matrix[true]))


def turning_points(scores, weights, swept):
    """Distinct log weights of one class at which some case goes over to it, ascending."""
    found = set()
    for row in scores:
        rival = max(w * y for c, (w, y) in enumerate(zip(weights, row, strict=True)) if c != swept)
        if rival > 0 and row[swept] > 0:
            found.add(math.log(rival) - math.log(row[swept]))
    return sorted(found)


def best_maximum(codes, scores):
    """Least largest class error of two classes, by every threshold on the ratio of the outputs."""
    ratios = [Fraction(b) / Fraction(a) if a else math.inf for a, b in scores]
    cuts = [*sorted(set(ratios)), math.inf]
    sizes = codes.count(0), codes.count(1)
    best = Fraction(1)
    for low, high in itertools.pairwise([-1, *cuts]):
        if high == low:
            continue
        called = [ratio > low for ratio in ratios]
        alarms = sum(c for c, code in zip(called, codes, strict=True) if code == 0)
        missed = sum(not c for c, code in zip(called, codes, strict=True) if code == 1)
        best = min(best, max(Fraction(alarms, sizes[0]), Fraction(missed, sizes[1])))
    return best


def search(codes, scores, n_classes, loss, *, n_start, steps, keep, seed):
    """The greedy search, one weight vector at a time, with the random numbers of NumPy's generator."""
    rng = np.random.default_rng(seed)
    pool = rng.dirichlet(np.ones(n_classes), n_start).tolist()
    pool[0] = [1 / n_classes] * n_classes
    kept = _best(codes, scores, pool, loss, keep)
    for step in range(steps):
        noise = rng.standard_normal((n_start, n_classes))
        moved = []
        for k in range(n_start):
            near = kept[k % keep]
            far = [w * float(np.exp(0.5**step / 2 * z)) for w, z in zip(near, noise[k], strict=True)]
            moved.append([w / float(np.sum(far)) for w in far])
        kept = _best(codes, scores, kept + moved, loss, keep)
    return kept


def _best(codes, scores, pool, loss, keep):
    """The best of the first of each matrix; if they are too few, the best of the others as well."""
    matrices = [confusion(codes, scores, weights) for weights in pool]
    order = sorted(range(len(pool)), key=lambda k: (loss(matrices[k]), mean_error(matrices[k])))
    seen, first, again = set(), [], []
    for place, k in enumerate(order):
        (again if str(matrices[k]) in seen else first).append(place)
        seen.add(str(matrices[k]))
    chosen = sorted((first + again)[:keep])
    return [pool[order[place]] for place in chosen]
