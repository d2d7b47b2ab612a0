"""Literal twin of the bootstrap estimates: every equation as a loop over cases, pairs and replicates.

The rows of the replicates are given; the twin trains its own models on them. `y` is 1 for positives, 0 for
negatives. Class 1 of the paper is the positive one, class 2 the negative one.
"""

import math

import numpy as np


def psi(a, b):
    """Eq. 10: 1, 1/2 or 0."""
    return 1.0 if a > b else 0.5 if a == b else 0.0


def auc(scores, y):
    """Eq. 10."""
    pos = [s for s, label in zip(scores, y, strict=True) if label == 1]
    neg = [s for s, label in zip(scores, y, strict=True) if label == 0]
    return sum(psi(a, b) for a in pos for b in neg) / (len(pos) * len(neg))


def left_out(rows, n):
    """I_i^b of one replicate."""
    return [0 if i in set(rows.tolist()) else 1 for i in range(n)]


def star(scores, replicates, y):
    """Eq. 16; `scores[b][i]`, whether left out or not."""
    n, total = len(y), 0.0
    for b, rows in enumerate(replicates):
        out = left_out(rows, n)
        top = bottom = 0.0
        for i in range(n):
            for j in range(n):
                if y[i] == 1 and y[j] == 0:
                    top += out[i] * out[j] * psi(scores[b][i], scores[b][j])
                    bottom += out[i] * out[j]
        total += top / bottom
    return total / len(replicates)


def point632(apparent, other):
    """Eqs. 12 and 17."""
    return 0.368 * apparent + 0.632 * other


def plus_auc(apparent, other, gamma=0.5):
    """Eqs. 18 and 19."""
    rate = (other - apparent) / (gamma - apparent) if apparent > other > gamma else 0.0
    kept = max(other, gamma)
    return point632(apparent, other) + (kept - apparent) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)


def plus_error(apparent, other, gamma):
    """Eq. 15, with Efron and Tibshirani's R'."""
    kept = min(other, gamma)
    rate = (kept - apparent) / (gamma - apparent) if other > apparent and gamma > apparent else 0.0
    return point632(apparent, other) + (kept - apparent) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)


def leave_one_out_bootstrap(losses, replicates):
    """Eq. 14; `losses[b][i]`. Cases that no replicate leaves out are passed over."""
    n, kept = len(losses[0]), []
    for i in range(n):
        top = bottom = 0.0
        for b, rows in enumerate(replicates):
            out = left_out(rows, n)[i]
            top, bottom = top + out * losses[b][i], bottom + out
        if bottom:
            kept.append(top / bottom)
    return sum(kept) / len(kept)


def risk(called, y, cost_fp, cost_fn, prevalence):
    """Eqs. 3 and 8, put right: c_21 P_1 e_1 + c_12 P_2 e_2."""
    e1 = np.mean([c == 0 for c, label in zip(called, y, strict=True) if label == 1])
    e2 = np.mean([c == 1 for c, label in zip(called, y, strict=True) if label == 0])
    return cost_fn * prevalence * e1 + cost_fp * (1 - prevalence) * e2


def decide(probability, trained_share, cost_fp, cost_fn, prevalence):
    """Eq. 2, put right: log likelihood ratio against log(P_2 c_12 / (P_1 c_21))."""
    threshold = math.log((1 - prevalence) * cost_fp / (prevalence * cost_fn))
    if probability in (0.0, 1.0):
        return int(probability)
    h = math.log(probability / (1 - probability)) - math.log(trained_share / (1 - trained_share))
    return 1 if h >= threshold else 0


def pair_shares(scores, replicates, y):
    """A_ij and the number of replicates that left out both, by (i, j); never left out: no entry."""
    n, share, times = len(y), {}, {}
    for i in range(n):
        for j in range(n):
            if y[i] == 1 and y[j] == 0:
                seen = [
                    psi(scores[b][i], scores[b][j])
                    for b, rows in enumerate(replicates)
                    if left_out(rows, n)[i] and left_out(rows, n)[j]
                ]
                if seen:
                    share[i, j], times[i, j] = sum(seen) / len(seen), len(seen)
    return share, times


def leave_pair_out(scores, replicates, y, strata):
    """AUC(1,1); the variance of its influence function, less its noise; the Monte-Carlo variance."""
    n, n_boot = len(y), len(replicates)
    share, times = pair_shares(scores, replicates, y)
    value = sum(share.values()) / len(share)
    gradient = []
    for b, rows in enumerate(replicates):
        out = left_out(rows, n)
        total = sum(
            (psi(scores[b][i], scores[b][j]) - share[i, j]) / times[i, j]
            for i, j in share
            if out[i] and out[j]
        )
        gradient.append(total / len(share))
    variance = 0.0
    for k in range(n):
        own = sum(share[pair] - value for pair in share if k in pair) / len(share)
        drawn = sum((rows.tolist().count(k) - 1) * g for rows, g in zip(replicates, gradient, strict=True))
        variance += (own + drawn) ** 2
    noise = sum(g * g for g in gradient)
    return value, variance - (n - strata) * noise, noise * n_boot / (n_boot - 1)


def loss_variance(losses, replicates, y, strata):
    """Variance of eq. 14 by its influence function; without strata the shares of the classes vary too."""
    n = len(y)
    outs = [left_out(rows, n) for rows in replicates]
    times = [sum(out[i] for out in outs) for i in range(n)]
    mean = [sum(out[i] * losses[b][i] for b, out in enumerate(outs)) / times[i] for i in range(n)]
    gradient = [
        sum(out[i] * (losses[b][i] - mean[i]) / times[i] for i in range(n)) / n for b, out in enumerate(outs)
    ]
    variance = 0.0
    for k in range(n):
        others = [mean[i] for i in range(n) if strata == 1 or y[i] == y[k]]
        own = (mean[k] - sum(others) / len(others)) / n
        drawn = sum((rows.tolist().count(k) - 1) * g for rows, g in zip(replicates, gradient, strict=True))
        variance += (own + drawn) ** 2
    return variance - (n - strata) * sum(g * g for g in gradient)
