"""How often the interval of a cross-validated area holds: a table of docs/coverage.md.

    python validation/cross_auc_coverage.py [SIMULATIONS]

Linear discriminants of five normal features, of which two tell the classes apart, in ten stratified folds;
nominal 95 %. The target is the mean of the areas that the ten trained models have on new cases, which is
known for linear scores of normal features; beside it the area of a model of all cases on average.
"""

import sys

import numpy as np
from scipy import special

import rocscope as rs

N_FOLDS, N_FEATURES = 10, 5
MEAN = np.array([0.9, 0.5, 0.0, 0.0, 0.0])
KINDS = (("mean", "logit"), ("mean", "influence"), ("pooled", "logit"), ("pooled", "influence"))
DESIGNS = ((100, 0.5), (500, 0.5), (100, 0.2), (500, 0.2))  # cases, share of positives


def discriminants(X, y, train):
    """Coefficients and intercept of the discriminant of each of several training sets, (sets, features)."""
    one, zero = train * y, train * (1 - y)
    n1, n0 = one.sum(axis=1), zero.sum(axis=1)
    mean1, mean0 = one @ X / n1[:, None], zero @ X / n0[:, None]
    squares = np.einsum("fn,ni,nj->fij", train, X, X)
    for n, mean in ((n1, mean1), (n0, mean0)):
        squares -= n[:, None, None] * mean[:, :, None] * mean[:, None, :]
    within = squares / (train.sum(axis=1) - 2)[:, None, None]
    slopes = np.linalg.solve(within, (mean1 - mean0)[:, :, None])[:, :, 0]
    return slopes, np.log(n1 / n0) - (slopes * (mean1 + mean0)).sum(axis=1) / 2


def true_area(slopes):
    """Area of linear scores on new cases: P(b'(x1 - x0) > 0)."""
    return special.ndtr(slopes @ MEAN / np.sqrt(2 * (slopes**2).sum(axis=-1)))


def simulate(n, share, simulations):
    rng = np.random.default_rng(n + int(100 * share))
    n_pos = round(n * share)
    y = np.repeat([1, 0], [n_pos, n - n_pos])
    fold = np.concatenate([np.arange(n_pos), np.arange(n - n_pos)]) % N_FOLDS
    train = (fold != np.arange(N_FOLDS)[:, None]).astype(float)
    rows = []
    for _ in range(simulations):
        X = rng.normal(size=(n, N_FEATURES)) + np.outer(y, MEAN)
        slopes, intercepts = discriminants(X, y, train)
        target = true_area(slopes).mean()
        whole = true_area(discriminants(X, y, np.ones((1, n)))[0])[0]
        scores = (X * slopes[fold]).sum(axis=1) + intercepts[fold]
        row = [target, whole]
        for method, interval in KINDS:
            found = rs.cross_auc(y, scores, fold=fold, method=method, interval=interval)
            row += [found.value, found.se, found.low, found.high]
        rows.append(row)
    return np.array(rows)


def main(simulations):
    print("| cases | method | mean value | mean of the target | SD of value - target | mean SE | coverage | "
          "coverage of the mean area of models of all cases |")  # fmt: skip
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for n, share in DESIGNS:
        rows = simulate(n, share, simulations)
        target, whole = rows[:, 0], rows[:, 1].mean()
        for k, (method, interval) in enumerate(KINDS):
            value, se, low, high = rows[:, 2 + 4 * k : 6 + 4 * k].T
            held = 100 * np.mean((low <= target) & (target <= high))
            of_all = 100 * np.mean((low <= whole) & (whole <= high))
            figures = (value.mean(), target.mean(), np.std(value - target), se.mean())
            cells = " | ".join(f"{figure:.4f}" for figure in figures)
            design = f"{round(n * share)} + {n - round(n * share)}"
            print(f"| {design} | {method}, {interval} | {cells} | {held:.1f} | {of_all:.1f} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
