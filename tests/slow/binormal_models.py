"""Proper and contaminated binormal curves as the literature writes them, and their likelihood by force."""

import numpy as np
from scipy import optimize, special

PHI = special.ndtr


def proper_rates(v, d_a, c):
    """FPF and TPF at the cut-point v (Metz and Pan 1999; RJafroc book, chapter 7)."""
    s = np.sqrt(1 + c**2)
    if c == 0:
        return PHI(-v - d_a / 2), PHI(-v + d_a / 2)
    step = 1.0 if c > 0 else 0.0
    fpf = PHI(-(1 - c) * v - d_a / 2 * s) + PHI(-(1 - c) * v + d_a / (2 * c) * s) - step
    tpf = PHI(-(1 + c) * v + d_a / 2 * s) + PHI(-(1 + c) * v + d_a / (2 * c) * s) - step
    return fpf, tpf


def proper_range(d_a, c):
    """Range of v: it ends where both rates are 1 (c < 0) or 0 (c > 0)."""
    end = d_a * np.sqrt(1 + c**2) / (4 * c) if c else None
    if c == 0:
        return -20.0, 20.0
    return (end, max(end, 0) + 60.0) if c < 0 else (min(end, 0) - 60.0, end)


def proper_tpr(fpr, d_a, c):
    """TPR at values of FPR: the cut-points by bisection."""
    low, high = (np.full(np.shape(fpr), end) for end in proper_range(d_a, c))
    for _ in range(70):
        middle = (low + high) / 2
        above = proper_rates(middle, d_a, c)[0] > fpr
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return proper_rates((low + high) / 2, d_a, c)[1]


def contaminated_tpr(fpr, alpha, mu):
    t = -special.ndtri(fpr)
    return alpha * PHI(mu - t) + (1 - alpha) * PHI(-t)


def log_likelihood(tpr_at, fprs, neg, pos):
    """Categories of rising score; `fprs` are the FPR of the cut-points between them, falling."""
    fpr = np.concatenate([[1.0], fprs, [0.0]])
    tpr = np.concatenate([[1.0], tpr_at(fprs), [0.0]])
    p, q = -np.diff(fpr), -np.diff(tpr)
    if min(p.min(), q.min()) <= 0:
        return -1e10
    return float(neg @ np.log(p) + pos @ np.log(q))


def maximum(tpr, neg, pos, *, starts, bounds):
    """Highest log-likelihood over the curve's parameters and the cut-points, by a generic optimiser."""
    neg, pos = np.asarray(neg), np.asarray(pos)
    shares = np.log((neg + pos + 0.5) / (neg + pos + 0.5)[-1])[:-1]

    def loss(x):
        gaps = np.exp(np.append(x[2:], 0.0))
        fprs = 1 - np.cumsum(gaps / gaps.sum())[:-1]
        return -log_likelihood(lambda f: tpr(f, x[0], x[1]), fprs, neg, pos)

    everywhere = [*bounds, *[(-15, 15)] * len(shares)]
    found = [
        optimize.minimize(
            loss,
            np.concatenate([start, shares]),
            bounds=everywhere,
            method="L-BFGS-B",
            options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 2000, "maxfun": 100_000},
        )
        for start in starts
    ]
    best = min(found, key=lambda result: result.fun)
    return best.x[:2], -best.fun
