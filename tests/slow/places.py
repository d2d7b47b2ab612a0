"""The fiducial interval of a rate by drawing what is uncertain about it, case by case."""

import numpy as np


def placement(score, pos):
    """Positives above a negative, those with its score half."""
    return sum((p > score) + 0.5 * (p == score) for p in pos)


def fiducial(pos, neg, f, level, rng, draws=20_000):
    """Ends of the TPR at the FPR f: the score that f of the negatives exceed lies anywhere among them."""
    m, n = len(pos), len(neg)
    ordered = sorted(neg, reverse=True)
    at = [0.0]
    for k, score in enumerate(ordered):
        tied = [j for j, other in enumerate(ordered) if other == score]
        first = sum(p > score for p in pos) + 0.5
        share = (k - tied[0] + 0.5) / len(tied)  # spread along the slanted step
        at.append(first + share * sum(p == score for p in pos))
        if len(tied) == 1:
            assert at[-1] == 0.5 + placement(score, pos)
    at.append(m + 1.0)
    low, high = np.empty(draws), np.empty(draws)
    for i in range(draws):
        true = np.concatenate([[0.0], np.sort(rng.random(n)), [1.0]])  # the FPRs of the sorted negatives
        k = int(np.searchsorted(true, f)) - 1
        w = (f - true[k]) / (true[k + 1] - true[k])
        x = at[k] + w * (at[k + 1] - at[k])
        top = at[1] if k == 0 else m + 1.0 if k == n else x
        low[i] = beta(x, -1, m, rng)
        high[i] = beta(top, 1, m, rng)
    tail = (1 - level) / 2
    return np.quantile(low, tail), np.quantile(high, 1 - tail)


def beta(x, side, m, rng):
    """The true rate of the x-th of m cases; near the ends a quarter of a case further out."""
    x += side * 0.25 * max(0.0, 1 - min(x, m + 1 - x) / 4)
    if x <= 0:
        return 0.0
    return 1.0 if x >= m + 1 else rng.beta(x, m + 1 - x)
