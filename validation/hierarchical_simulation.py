"""How the hierarchical test does on data of its own model, and on one with normal data sets.

    python validation/hierarchical_simulation.py [REPETITIONS]

Prints, for each setting, how often the 95 % interval holds the mean difference, and the mean probability of a
larger difference on the next data set beside the share of next data sets that have one.
"""

import sys

import numpy as np
from scipy import stats

from rocscope.algorithms.hierarchical import hierarchical_posterior

RHO, FOLDS, ROPE = 0.1, 10, 0.01
# data sets, mean difference, scale between data sets, degrees of freedom (inf: normal)
SETTINGS = [(4, 0.01, 0.01, 5), (10, 0.0, 0.01, 5), (10, 0.02, 0.01, np.inf), (20, 0.01, 0.005, 5)]


def main(repetitions: int) -> None:
    print("| data sets | mean | scale | df | interval holds % | P(larger) | share larger |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for datasets, mean, scale, df in SETTINGS:
        rng = np.random.default_rng(1)
        law = stats.norm(mean, scale) if np.isinf(df) else stats.t(df, mean, scale)
        held, larger = [], []
        for _ in range(repetitions):
            delta = law.rvs(size=(datasets, 1), random_state=rng)
            width = 0.02 * rng.uniform(0.5, 2, size=(datasets, 1))
            common, own = rng.normal(size=(datasets, 1)), rng.normal(size=(datasets, FOLDS))
            x = delta + width * (np.sqrt(RHO) * common + np.sqrt(1 - RHO) * own)
            found = hierarchical_posterior(x, rho=RHO, rope=ROPE, level=0.95)
            held.append(found.low <= mean <= found.high)
            larger.append(found.posterior[2])
        share, error = np.mean(held), np.sqrt(np.mean(held) * (1 - np.mean(held)) / repetitions)
        figures = f"{100 * share:.1f} ± {100 * error:.1f} | {np.mean(larger):.3f} | {law.sf(ROPE):.3f}"
        print(f"| {datasets} | {mean:g} | {scale:g} | {df:g} | {figures} |", flush=True)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
