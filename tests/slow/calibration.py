"""Calibration case by case: isotonic values by the min-max formula, Newton's method by hand, bins by rank."""

import math
from fractions import Fraction


def isotonic(y, p):
    """Value at each distinct probability: the largest over a of the smallest over b of the mean of a to b."""
    distinct = sorted(set(p))
    groups = [[outcome for outcome, q in zip(y, p, strict=True) if q == one] for one in distinct]

    def mean(a, b):
        cases = [int(outcome) for group in groups[a : b + 1] for outcome in group]
        return Fraction(sum(cases), len(cases))

    k = range(len(groups))
    return {distinct[i]: max(min(mean(a, b) for b in k if b >= i) for a in k if a <= i) for i in k}


def brier(y, p):
    """Mean squared error, in fractions."""
    return sum((Fraction(q) - int(outcome)) ** 2 for outcome, q in zip(y, p, strict=True)) / len(y)


def log_score(y, p):
    """Mean of -log of the probability of what happened."""
    chances = [q if outcome else 1 - q for outcome, q in zip(y, p, strict=True)]
    return math.inf if 0 in chances else -math.fsum(math.log(float(q)) for q in chances) / len(y)


def parts(y, p, score):
    """Miscalibration, discrimination and uncertainty of a score."""
    curve, share = isotonic(y, p), Fraction(int(sum(y)), len(y))
    own, best, constant = (score(y, q) for q in (p, [curve[q] for q in p], [share] * len(y)))
    return own - best, constant - best, constant


def bins(p, n_bins, strategy):
    """Bin of every case: how many edges lie below its probability."""
    ordered = sorted(p)
    n_bins = min(n_bins, len(p)) if strategy == "quantile" else n_bins
    if strategy == "quantile":
        edges = [ordered[(len(p) - 1) * k // n_bins] for k in range(1, n_bins)]
    else:
        edges = [k * (1 / n_bins) for k in range(1, n_bins)]
    return [sum(edge < q for edge in edges) for q in p]


def ece(y, p, bin_of):
    """Sum over the bins of |positives - sum of probabilities|, by the number of cases; in fractions."""
    total = Fraction(0)
    for one in set(bin_of):
        total += abs(sum(int(o) - Fraction(q) for o, q, b in zip(y, p, bin_of, strict=True) if b == one))
    return total / len(y)


def newton(y, x, free_slope):
    """Intercept and slope (fixed at 1 or free) of a logistic regression, with the inverse information."""
    a, b = 0.0, 0.0 if free_slope else 1.0
    for _ in range(60):
        mu = [1 / (1 + math.exp(-(a + b * v))) for v in x]
        g = [math.fsum(o - m for o, m in zip(y, mu, strict=True))]
        g.append(math.fsum((o - m) * v for o, m, v in zip(y, mu, x, strict=True)))
        w = [m * (1 - m) for m in mu]
        h0, h1, h2 = (math.fsum(u * v**k for u, v in zip(w, x, strict=True)) for k in range(3))
        if not free_slope:
            a += max(-1.0, min(1.0, g[0] / h0))
            continue
        det = h0 * h2 - h1 * h1
        steps = (h2 * g[0] - h1 * g[1]) / det, (h0 * g[1] - h1 * g[0]) / det
        size = max(1.0, abs(steps[0]), abs(steps[1]))  # no step above 1: plain Newton may jump away
        a, b = a + steps[0] / size, b + steps[1] / size
    return (a, math.sqrt(1 / h0)) if not free_slope else (b, math.sqrt(h0 / det), a)


def likelihood(y, x, a, b):
    """Log likelihood of logit P(y = 1) = a + b x."""
    signs = [1 if outcome else -1 for outcome in y]
    return -math.fsum(math.log1p(math.exp(-s * (a + b * v))) for s, v in zip(signs, x, strict=True))


def spiegelhalter(y, p):
    """Spiegelhalter's z."""
    above = math.fsum((o - q) * (1 - 2 * q) for o, q in zip(y, p, strict=True))
    return above / math.sqrt(math.fsum((1 - 2 * q) ** 2 * q * (1 - q) for q in p))


def miscalibration(y, p):
    """The part of the Brier score that the isotonic values take away, in fractions."""
    return parts(y, p, brier)[0]
