"""Coverage of the 95 % bootstrap intervals of `ordinal_roc`, by simulation.

    python validation/ordinal_coverage.py [SIMULATIONS [PROCESSES [SCALE]]]

Four classes with normal estimates around their numbers, 10 thresholds per gap. The true figures are those of
the normal distributions: the rates of every pair of thresholds are differences of normal probabilities. On
the scale "rank" a threshold is the estimate below which the true share of all cases is that of the scale.
Printed for each figure: its true value, the mean of its estimates, and how often the interval holds it.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from scipy import integrate, optimize, special

from rocscope.ordinal.roc import ordinal_roc

SIMULATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
PROCESSES = int(sys.argv[2]) if len(sys.argv) > 2 else 2
SCALE = sys.argv[3] if len(sys.argv) > 3 else "raw"
CLASSES = np.array([1.0, 2.0, 3.0, 4.0])
N_BOOT = 400
SHOWN = (
    "max_auc(1)",
    "max_auc(2)",
    "max_auc(3)",
    "avg_auc(2)",
    "avg_auc(3)",
    "max_auc macro",
    "avg_auc macro",
)
SHOWN += ("adjacent_auc", "vus")


def true_areas(code, sd):
    """Area of every curve of a class, the lower threshold fixed, classes of equal size."""
    steps = np.arange(1, 11) / 11
    lower = estimate_at(CLASSES[code - 1] + steps, sd) if code else np.array([-np.inf])
    upper = estimate_at(CLASSES[code] + steps, sd) if code < 3 else np.array([np.inf])
    inside = [
        special.ndtr((upper - c) / sd) - special.ndtr((lower[:, None] - c) / sd) for c in CLASSES
    ]  # (lower, upper) per class
    tpr, fpr = inside[code], np.mean([inside[k] for k in range(4) if k != code], axis=0)
    if code == 3:
        tpr, fpr = tpr.T[:, ::-1], fpr.T[:, ::-1]
    ends = np.zeros((len(tpr), 1)), np.ones((len(tpr), 1))
    x, y = (np.hstack([ends[0], rates, ends[1]]) for rates in (fpr, tpr))
    return np.trapezoid(y, x, axis=1)


def estimate_at(thresholds, sd):
    """Thresholds on the scale of the classes as estimates: of "rank" by the share of all cases below them.

    A quarter of the cases is of each class: the share rises by it from c - 1/2 to c + 1/2.
    """
    if SCALE == "raw":
        return thresholds
    shares = (thresholds - 0.5) / 4
    return np.array(
        [
            optimize.brentq(lambda x, p=p: special.ndtr((x - CLASSES) / sd).mean() - p, -9, 14, xtol=1e-13)
            for p in shares
        ]
    )


def volume(sd):
    """P(X1 < X2 < X3 < X4), by integrating class after class on a grid."""
    x = np.linspace(-8 * sd, 5 + 8 * sd, 20_001)
    below = np.ones(x.size)
    for c in CLASSES:
        density = np.exp(-(((x - c) / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi))
        below = integrate.cumulative_trapezoid(density * below, x, initial=0)
    return below[-1]


def truth(sd):
    areas = [true_areas(code, sd) for code in range(4)]
    figures = {f"max_auc({k + 1})": areas[k].max() for k in range(4)}
    figures |= {f"avg_auc({k + 1})": areas[k].mean() for k in range(4)}
    figures["max_auc macro"] = np.mean([a.max() for a in areas])
    figures["avg_auc macro"] = np.mean([a.mean() for a in areas])
    return figures | {"adjacent_auc": special.ndtr(1 / (sd * np.sqrt(2))), "vus": volume(sd)}


def simulate(n, sd, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(CLASSES, n)
    estimates = y + sd * rng.normal(size=y.size)
    found = ordinal_roc(y, estimates, scale=SCALE, n_boot=N_BOOT, rng=seed).estimates
    return [(found[name].value, found[name].low, found[name].high) for name in SHOWN]


def main():
    print("| n per class | sd | figure | true | mean | coverage | width |\n|--:|--:|---|--:|--:|--:|--:|")
    with ProcessPoolExecutor(PROCESSES) as pool:
        for n in (30, 200):
            for sd in (0.5, 1.0):
                results = pool.map(partial(simulate, n, sd), range(SIMULATIONS), chunksize=20)
                values, low, high = np.moveaxis(np.array(list(results), dtype=float), 2, 0)
                expected = np.array([truth(sd)[name] for name in SHOWN])
                held = ((low <= expected) & (expected <= high)).mean(axis=0)
                rows = zip(SHOWN, expected, values.mean(axis=0), held, (high - low).mean(axis=0), strict=True)
                for name, *row in rows:
                    print(
                        "| {} | {} | {} | {:.4f} | {:.4f} | {:.3f} | {:.3f} |".format(n, sd, name, *row),
                        flush=True,
                    )


if __name__ == "__main__":
    main()
