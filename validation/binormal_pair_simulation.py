"""Bias and standard errors of `fit_binormal_pair`, and the size of its tests, by simulation.

    python validation/binormal_pair_simulation.py [REPLICATES]

Prints the tables of docs/binormal_pairs.md. Latent scores are drawn from the model itself: negatives from a
bivariate normal distribution with correlation rho_neg, positives from one with rho_pos, moved and stretched
so that each classifier has the binormal curve (a, b).
"""

import math
import sys
import time
from dataclasses import dataclass

import numpy as np

from rocscope.binormal.curve import Binormal
from rocscope.binormal.pair import PARAMETERS, fit_binormal_pair
from rocscope.inference.compare import compare_auc

REPLICATES = int(sys.argv[1]) if len(sys.argv) > 1 else 500
LEVEL = 0.95


@dataclass(frozen=True)
class Setting:
    n_neg: int
    n_pos: int
    first: tuple[float, float]
    second: tuple[float, float]
    rho_neg: float
    rho_pos: float
    categories: int | None = None

    @property
    def truth(self):
        return np.array([*self.first, *self.second, self.rho_neg, self.rho_pos])

    @property
    def difference(self):
        return (
            Binormal(a=self.first[0], b=self.first[1]).auc - Binormal(a=self.second[0], b=self.second[1]).auc
        )

    def __str__(self):
        kind = f", {self.categories} categories" if self.categories else ""
        return f"{self.n_neg} + {self.n_pos}{kind}"


def same_area(b, other):
    """The curve of slope b that has the area of another one."""
    return other[0] * math.hypot(1, b) / math.hypot(1, other[1]), b


SETTINGS = [
    Setting(100, 100, (1.0, 0.8), (1.4, 1.1), 0.5, 0.7),
    Setting(100, 100, (1.0, 0.8), (1.0, 0.8), 0.0, 0.0),
    Setting(100, 100, (1.0, 0.8), (1.2, 1.0), -0.4, -0.2),
    Setting(100, 100, (1.0, 0.6), same_area(1.2, (1.0, 0.6)), 0.5, 0.5),
    Setting(200, 100, (1.2, 0.9), (1.2, 0.9), 0.3, 0.5),
    Setting(200, 200, (1.0, 0.8), (1.0, 0.8), 0.9, 0.8),
    Setting(200, 200, (1.6, 0.7), (1.6, 0.7), 0.6, 0.5, categories=5),
    Setting(500, 500, (1.0, 0.8), (1.0, 0.8), 0.95, 0.95),
    Setting(60, 60, (2.5, 0.8), (2.5, 0.8), 0.8, 0.8),
]


def correlated(rng, n, rho):
    first, second = rng.standard_normal((2, n))
    return np.stack([first, rho * first + math.sqrt(1 - rho**2) * second])


def draw(rng, setting):
    neg, pos = (
        correlated(rng, setting.n_neg, setting.rho_neg),
        correlated(rng, setting.n_pos, setting.rho_pos),
    )
    y = np.repeat([0, 1], [setting.n_neg, setting.n_pos])
    curves = (setting.first, setting.second)
    scores = [np.concatenate([neg[k], (pos[k] + a) / b]) for k, (a, b) in enumerate(curves)]
    if setting.categories:
        cuts = np.linspace(-0.5, 2.0, setting.categories - 1)
        scores = [np.digitize(column, cuts) for column in scores]
    return y, *scores


def replicate(rng, setting):
    """Estimates, errors, p-values (areas, curves, DeLong), cover and error of the difference of areas."""
    y, a, b = draw(rng, setting)
    pair = fit_binormal_pair(y, a, b)
    if pair.status != "ok":
        return None
    estimates = [*pair.first.parameters(), *pair.second.parameters(), pair.rho_neg, pair.rho_pos]
    difference = pair.difference(LEVEL)
    p_values = (
        pair.equal_areas().p_value,
        pair.equal_curves().p_value,
        compare_auc(y, {"a": a, "b": b}).p_value,
    )
    covered = difference.low <= setting.difference <= difference.high
    area = [difference.value - setting.difference, difference.se]
    return np.array([*estimates, *np.sqrt(np.diag(pair.cov)), *p_values, covered, *area])


def simulate(setting, seed):
    rng = np.random.default_rng(seed)
    found = [replicate(rng, setting) for _ in range(REPLICATES)]
    return np.array([row for row in found if row is not None])


def estimates_table(results):
    print("| cases | parameter | truth | bias | Monte-Carlo error | spread | mean standard error | ratio |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for setting, rows in results:
        for k, name in enumerate(PARAMETERS):
            _estimate_row(str(setting) if k == 0 else "", name, setting.truth[k], rows[:, k], rows[:, 6 + k])
        _estimate_row(
            "", "difference of AUC", setting.difference, rows[:, 16] + setting.difference, rows[:, 17]
        )


def _estimate_row(cases, name, truth, values, errors):
    spread = values.std(ddof=1)
    bias, error, mean = values.mean() - truth, spread / math.sqrt(len(values)), errors.mean()
    figures = f"{truth:.3f} | {bias:+.4f} | {error:.4f} | {spread:.4f} | {mean:.4f} | {mean / spread:.2f}"
    print(f"| {cases} | {name} | {figures} |")


def tests_table(results):
    print(
        "| cases | areas | curves | correlations | fitted | equal areas | equal curves | DeLong | coverage |"
    )
    print("|---|---|---|---|--:|--:|--:|--:|--:|")
    for setting, rows in results:
        rejected = [100 * (rows[:, 12 + k] < 1 - LEVEL).mean() for k in range(3)]
        areas = "equal" if abs(setting.difference) < 1e-12 else "differ"
        curves = "equal" if setting.first == setting.second else "differ"
        summary = " | ".join(f"{share:.1f}" for share in [*rejected, 100 * rows[:, 15].mean()])
        rho = f"{setting.rho_neg:g}, {setting.rho_pos:g}"
        print(f"| {setting} | {areas} | {curves} | {rho} | {len(rows)} | {summary} |")


if __name__ == "__main__":
    began = time.perf_counter()
    results = [(setting, simulate(setting, seed)) for seed, setting in enumerate(SETTINGS)]
    print(f"{REPLICATES} simulations of each setting.\n")
    estimates_table(results)
    print()
    tests_table(results)
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
