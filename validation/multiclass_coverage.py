"""Coverage of the 95% intervals of multi-class areas, by simulation.

    python validation/multiclass_coverage.py [SIMULATIONS [PROCESSES]]

Three classes; the logarithm of the score for class c is normal with a mean that depends on the class of the
case, plus noise common to all scores of the case, so every A(i|j) is known exactly. The first and the third
class are hard to separate. "sizes drawn" takes the classes of the cases at random: the intervals hold for
given class sizes, so those of averages that depend on the sizes ("ovr") must then be too short.

Printed: the area and the mean of its estimates; how often the intervals hold it, and the DeLong intervals of
the rows theirs; the mean of the squared standard errors over the variance of the estimates ("ratio").
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from scipy import special

from rocscope.inference.multiclass import multiclass_auc

SIMULATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
PROCESSES = int(sys.argv[2]) if len(sys.argv) > 2 else 2
CLASSES = (0, 1, 2)
# Mean of the score for class c (column) of a case of class k (row).
MEANS = np.array([[1.5, 0.0, 0.5], [0.0, 1.8, 0.0], [0.8, 0.2, 1.2]])
STRENGTHS = {"fair": 1.0, "good": 2.6}
SHARES = {"equal": np.array([1, 1, 1]) / 3, "uneven": np.array([6, 3, 1]) / 10}
DESIGNS = [
    (n, strength, shares, drawn, scheme, average)
    for strength in STRENGTHS
    for shares, drawn in (("equal", False), ("uneven", False), ("uneven", True))
    for scheme, average in (("ovo", "macro"), ("ovr", "macro"), ("ovr", "weighted"))
    for n in (60, 300)
]


def areas(means):
    """A(i|j), exactly: each score has variance 2, of its own and of the common noise, their difference 4."""
    return special.ndtr((np.diag(means)[:, None] - means.T) / 2)


def true_rows(scheme, shares, means):
    a = areas(means)
    if scheme == "ovo":
        return np.array([(a[i, j] + a[j, i]) / 2 for i, j in ((0, 1), (0, 2), (1, 2))])
    return np.array([sum(shares[j] * a[i, j] for j in CLASSES if j != i) / (1 - shares[i]) for i in CLASSES])


def simulate(design, seed):
    n, strength, which, drawn, scheme, average = design
    shares, means, rng = SHARES[which], STRENGTHS[strength] * MEANS, np.random.default_rng(seed)
    rows = true_rows(scheme, shares, means)
    truth = float(rows @ shares if average == "weighted" else rows.mean())
    y = rng.choice(3, size=n, p=shares) if drawn else np.repeat(CLASSES, np.rint(n * shares).astype(int))
    z = means[y] + rng.standard_normal((n, 3)) + rng.standard_normal((n, 1))
    settings = partial(multiclass_auc, y, np.exp(z), classes=CLASSES, scheme=scheme, average=average)
    delong, logit, boot = settings(), settings(method="logit"), settings(method="bootstrap", rng=seed)
    if delong.value is None:  # a class that was not drawn twice
        return None
    held = [row.low <= true <= row.high for row, true in zip(delong.rows, rows, strict=True)]
    inside = [found.low <= truth <= found.high for found in (delong, logit, boot)]
    return (*inside, np.mean(held), delong.value, truth, delong.se, boot.se)


def report(design, found):
    n, _, which, drawn, scheme, average = design
    results = np.array([one for one in found if one is not None])
    held = results[:, :4].mean(axis=0)
    value, truth, se, boot_se = results[:, 4:].T
    ratios = [(s**2).mean() / value.var(ddof=1) for s in (se, boot_se)]
    sizes = "sizes drawn" if drawn else "sizes fixed"
    words = [
        f"{scheme} {average:8s} {which:6s} {sizes} n = {n:3d}: area {truth[0]:.4f}, mean {value.mean():.4f}",
        "coverage delong {:.3f} logit {:.3f} bootstrap {:.3f}, rows {:.3f}".format(*held),
        "ratio delong {:.3f} bootstrap {:.3f}".format(*ratios),
        f"{len(found) - len(results)} undefined",
    ]
    print("; ".join(words), flush=True)


def main():
    with ProcessPoolExecutor(PROCESSES) as pool:
        for number, design in enumerate(DESIGNS):
            seeds = range(number * SIMULATIONS, (number + 1) * SIMULATIONS)
            report(design, list(pool.map(partial(simulate, design), seeds, chunksize=50)))


if __name__ == "__main__":
    main()
