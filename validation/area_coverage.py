"""How well the variances and intervals of one area do: simulated coverage, width and bias.

python validation/area_coverage.py [REPEATS]

Prints one table per setting; nothing is written. "ratio" is the mean estimated variance over the true one
(that of the simulated areas, whose own relative error is about sqrt(2 / REPEATS)).
"""

import sys
from math import sqrt
from statistics import NormalDist

import numpy as np

from rocscope import ScoreTable
from rocscope.core import significance
from rocscope.core.table import exact_dot
from rocscope.inference.variance import (
    agarwal_interval,
    bamber_variance,
    cortes_mohri_interval,
    hanley_mcneil_variance,
)

LEVEL = 0.95
# distance of the classes, standard deviation of the positives, m, n, decimals kept (None: no ties)
SETTINGS = [
    (1.0, 1.0, 20, 20, None),
    (1.5, 1.5, 10, 60, None),
    (2.5, 1.0, 30, 30, None),
    (1.0, 1.0, 20, 20, 0),
    (1.0, 1.0, 200, 100, None),
    (1.0, 1.0, 2000, 2000, None),
]


def variances(table):
    m, n, area = table.n_pos, table.n_neg, table.auc
    return {
        "bamber": bamber_variance(table.sums(), tied_pairs=exact_dot(table.pos, table.neg)),
        "delong": table.sums().delong_variance(),
        "hanley-mcneil": hanley_mcneil_variance(area, m, n),
        "maximum": area * (1 - area) / min(m, n),  # of any two distributions (Birnbaum and Klose 1957)
    }


def intervals(table, pos, neg, middle):
    """Interval of each method; Cortes and Mohri's at the middle threshold and at one too low."""
    area, m, n = table.auc, table.n_pos, table.n_neg
    found = {
        name: significance.interval(area, sqrt(value), level=LEVEL, bounds=(0.0, 1.0))
        for name, value in variances(table).items()
    }
    found["agarwal"] = agarwal_interval(area, m, n, LEVEL)
    for name, cut in (("cortes-mohri", middle), ("cortes-mohri, threshold 1.5 lower", middle - 1.5)):
        errors = int((pos < cut).sum() + (neg >= cut).sum())
        found[name] = cortes_mohri_interval(errors, m, n, LEVEL)
    return found


def true_area(distance, spread, decimals):
    if decimals is None:
        return NormalDist().cdf(distance / sqrt(1 + spread**2))
    rng = np.random.default_rng(0)
    pos = np.sort(np.round(distance + spread * rng.standard_normal(2_000_000), decimals))
    neg = np.sort(np.round(rng.standard_normal(2_000_000), decimals))
    return ScoreTable.from_sorted(pos, neg).auc


def simulate(distance, spread, m, n, decimals, repeats):
    rng = np.random.default_rng(1)
    truth = true_area(distance, spread, decimals)
    areas, estimates, inside, widths = [], {}, {}, {}
    for _ in range(repeats):
        pos, neg = distance + spread * rng.standard_normal(m), rng.standard_normal(n)
        if decimals is not None:
            pos, neg = np.round(pos, decimals), np.round(neg, decimals)
        table = ScoreTable.from_sorted(np.sort(pos), np.sort(neg))
        areas.append(table.auc)
        for name, value in variances(table).items():
            estimates.setdefault(name, []).append(value)
        for name, (low, high) in intervals(table, pos, neg, distance / 2).items():
            inside.setdefault(name, []).append(low <= truth <= high)
            widths.setdefault(name, []).append(high - low)
    print(f"\ndistance {distance}, sd {spread}, m {m}, n {n}, decimals {decimals}: area {truth:.4f}")
    print(f"{'method':36}{'ratio':>8}{'coverage':>10}{'width':>8}")
    for name in inside:
        ratio = f"{np.mean(estimates[name]) / np.var(areas):8.3f}" if name in estimates else " " * 8
        print(f"{name:36}{ratio}{np.mean(inside[name]):10.3f}{np.mean(widths[name]):8.3f}")


if __name__ == "__main__":
    for setting in SETTINGS:
        simulate(*setting, repeats=int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
