"""Size of the tests of `compare_ordinal` and coverage of its 95 % intervals, by simulation.

    python validation/ordinal_comparison.py [SIMULATIONS [PROCESSES]]

Four classes, two normal estimates of each case around the number of its class with correlated errors (0.5).
The true differences are those of the normal distributions (ordinal_coverage.py). Estimates of equal standard
deviation have equal figures: there 1 - coverage is the size of the test at 5 %. Printed for each figure: the
true difference, the mean of its estimates, how often the interval holds the truth, and how often p < 0.05.
"""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from ordinal_coverage import CLASSES, N_BOOT, PROCESSES, SHOWN, SIMULATIONS, truth

from rocscope.ordinal.comparison import compare_ordinal

CORRELATION = 0.5


def simulate(n, sds, seed):
    rng = np.random.default_rng(seed)
    y = np.repeat(CLASSES, n)
    common, *own = rng.normal(size=(3, y.size))
    errors = [np.sqrt(CORRELATION) * common + np.sqrt(1 - CORRELATION) * one for one in own]
    scores = {name: y + sd * error for name, sd, error in zip("ab", sds, errors, strict=True)}
    found = compare_ordinal(y, scores, n_boot=N_BOOT, rng=seed)
    rows = {row.figure: row for row in found.differences}
    return [(rows[name].difference, rows[name].low, rows[name].high, rows[name].p_value) for name in SHOWN]


def main():
    print("| n per class | sd | figure | true | mean | coverage | p < 0.05 |\n|--:|--:|---|--:|--:|--:|--:|")
    with ProcessPoolExecutor(PROCESSES) as pool:
        for n in (30, 200):
            for sds in ((0.5, 0.5), (1.0, 1.0), (0.5, 0.8)):
                results = pool.map(partial(simulate, n, sds), range(SIMULATIONS), chunksize=20)
                values, low, high, p = np.moveaxis(np.array(list(results), dtype=float), 2, 0)
                first, second = (truth(sd) for sd in sds)
                expected = np.array([first[name] - second[name] for name in SHOWN])
                held = ((low <= expected) & (expected <= high)).mean(axis=0)
                small = (p < 0.05).mean(axis=0)
                for name, *row in zip(SHOWN, expected, values.mean(axis=0), held, small, strict=True):
                    head = f"| {n} | {sds[0]} and {sds[1]} | {name} |"
                    print("{} {:.4f} | {:+.4f} | {:.3f} | {:.3f} |".format(head, *row), flush=True)


if __name__ == "__main__":
    main()
