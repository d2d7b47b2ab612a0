"""The binormal likelihood written out, and a general optimiser on it.

Formulas are those of Dorfman and Alf (1969) for ratings and of Metz, Herman and Shen (1998) for scores:
p_i = Phi(t_i) - Phi(t_(i-1)), q_i = Phi(b t_i - a) - Phi(b t_(i-1) - a), and with A_i = k_i / p_i -
k_(i+1) / p_(i+1), B_i likewise, dL/dt_i = A_i phi(t_i) + B_i b phi(b t_i - a), dL/da = - sum B_i g_i,
dL/db = sum B_i t_i g_i.
"""

import numpy as np
from scipy import optimize, special


def runs(y, score):
    """Counts of negatives and positives in truth-state runs, and the scores of each run, by a walk."""
    found = []
    for value in sorted(set(score)):
        here = [label for label, s in zip(y, score, strict=True) if s == value]
        neg, pos = here.count(0), here.count(1)
        before = found[-1] if found else None
        pure = before is not None and (
            (pos == 0 and before[1] == 0 and before[0] > 0) or (neg == 0 and before[0] == 0 and before[1] > 0)
        )
        if pure:
            found[-1] = (before[0] + neg, before[1] + pos, [*before[2], value])
        else:
            found.append((neg, pos, [value]))
    return [run[0] for run in found], [run[1] for run in found], [run[2] for run in found]


def least_squares_line(y, score):
    """Intercept and slope of the regression of Phi^-1(TPR) on Phi^-1(FPR), point by point.

    There is a point for each distinct score as the threshold, `score >= threshold`; a point with a rate of 0
    or 1 has no finite deviates and is left out.
    """
    points = []
    for threshold in sorted(set(score)):
        above = [label for label, s in zip(y, score, strict=True) if s >= threshold]
        fpr, tpr = above.count(0) / list(y).count(0), above.count(1) / list(y).count(1)
        if 0 < fpr < 1 and 0 < tpr < 1:
            points.append((special.ndtri(fpr), special.ndtri(tpr)))
    n = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return mean_y - slope * mean_x, slope


def saturated(neg, pos):
    """Log-likelihood of the observed shares, which no curve exceeds."""
    return sum(float((n[n > 0] * np.log(n[n > 0] / n.sum())).sum()) for n in map(np.asarray, (neg, pos)))


def phi(x):
    return np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def masses(x):
    """Differences of Phi, each taken in the tail where it cancels least."""
    ends = np.concatenate([[-np.inf], x, [np.inf]])
    low, high = ends[:-1], ends[1:]
    return np.where(low > 0, special.ndtr(-low) - special.ndtr(-high), special.ndtr(high) - special.ndtr(low))


def log_likelihood(a, b, t, neg, pos):
    held = ((np.asarray(neg), masses(t)), (np.asarray(pos), masses(b * t - a)))
    return sum(float((n[n > 0] * np.log(p[n > 0])).sum()) for n, p in held)


def gradient(a, b, t, neg, pos):
    """By a, b and the cut-points."""
    u = b * t - a
    of_neg, of_pos = (np.where(n > 0, n / m, 0.0) for n, m in ((neg, masses(t)), (pos, masses(u))))
    A, B = of_neg[:-1] - of_neg[1:], of_pos[:-1] - of_pos[1:]
    g = phi(u)
    return np.concatenate([[-(B * g).sum(), (B * t * g).sum()], A * phi(t) + B * b * g])


def expected_information(a, b, t, n_neg, n_pos):
    """N sum dp dp' / p over both classes, dense; parameters a, b, cut-points."""
    u, k = b * t - a, len(t)
    by_neg, by_pos = np.zeros((k + 1, k + 2)), np.zeros((k + 1, k + 2))
    for i in range(k):
        for row, sign in ((i, 1), (i + 1, -1)):
            by_neg[row, i + 2] += sign * phi(t[i])
            by_pos[row, i + 2] += sign * b * phi(u[i])
            by_pos[row, 0] -= sign * phi(u[i])
            by_pos[row, 1] += sign * t[i] * phi(u[i])
    return n_neg * (by_neg.T / masses(t)) @ by_neg + n_pos * (by_pos.T / masses(u)) @ by_pos


def generic_fit(neg, pos):
    """a, b and cut-points by scipy's BFGS, over a, log b, the first cut-point and the logarithms of gaps."""
    neg, pos = np.asarray(neg), np.asarray(pos)

    def unpack(x):
        return x[0], np.exp(x[1]), np.cumsum(np.concatenate([[x[2]], np.exp(x[3:])]))

    def loss(x):
        a, b, t = unpack(x)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = -log_likelihood(a, b, t, neg, pos)
        return value if np.isfinite(value) else 1e10

    def slope(x):
        a, b, t = unpack(x)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            g = gradient(a, b, t, neg, pos)
        later = np.cumsum(g[:1:-1])[::-1]
        return -np.concatenate([[g[0], g[1] * b, later[0]], later[1:] * np.exp(x[3:])])

    share = np.cumsum(neg + pos)[:-1] / (neg + pos).sum()
    t = special.ndtri(share)
    x = np.concatenate([[1.0, 0.0, t[0]], np.log(np.diff(t))])
    for _ in range(20):  # each round forgets the curvature it has collected
        found = optimize.minimize(loss, x, jac=slope, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000})
        x = found.x
        if np.abs(slope(x)).max() < 1e-8:
            break
    return unpack(x)
