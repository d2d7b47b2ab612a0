"""Which map onto the scale of the classes is sound: areas with and without information, by simulation.

    python validation/ordinal_scales.py [SIMULATIONS]

Four classes; estimates without information, and normal ones around the numbers of the classes (sd 1), which
need no map. Beside the scales of `ordinal_roc` stands isotonic regression fitted to the cases that it maps.
"""

import sys

import numpy as np

from rocscope.ordinal.roc import ordinal_roc
from rocscope.ordinal.scale import isotonic

SIMULATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 100
CLASSES = np.array([1.0, 2.0, 3.0, 4.0])
MAPS = ("raw", "rank", "calibrated", "isotonic, same cases")


def figures(y, estimates, how, seed):
    if how in MAPS[:3]:
        found = ordinal_roc(y, estimates, scale=how, rng=seed)
    else:
        found = ordinal_roc(y, np.interp(estimates, *isotonic(estimates, y)))
    return found.overall.max_macro, found.overall.avg_macro, found.vus


def main():
    print("| n per class | estimates | scale | MaxAUC | AvgAUC | VUS |\n|--:|---|---|--:|--:|--:|")
    for n in (30, 200):
        for name, signal in (("noise", 0), ("sd 1", 1)):
            y = np.repeat(CLASSES, n)
            for how in MAPS:
                results = []
                for seed in range(SIMULATIONS):
                    noise = np.random.default_rng(seed).normal(size=y.size)
                    # Noise lies around the middle of the classes, so that it needs no map either.
                    estimates = noise + (y if signal else 2.5)
                    results.append(figures(y, estimates, how, seed))
                means = np.mean(results, axis=0)
                print("| {} | {} | {} | {:.3f} | {:.3f} | {:.3f} |".format(n, name, how, *means), flush=True)


if __name__ == "__main__":
    main()
