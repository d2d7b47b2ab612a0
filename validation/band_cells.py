"""How often pointwise and simultaneous bands hold in the cells of the atlas, and how wide they are.

    python validation/band_cells.py pointwise | simultaneous METHOD [DATA_SETS] [LAW ...]

Of every cell and quantity: coverage in percent, and the mean width. At the end the smallest coverage, and how
many cells are below 93 %. Simultaneous bands: up to 200 cases of a class.
"""

import sys

import numpy as np
from numpy.random import SeedSequence

from rocscope.atlas.cells import Limits, find_family, simulate_cell

FAMILIES = {"pointwise": "roc_band", "simultaneous": "roc_band simultaneous"}


def main(kind, method, data_sets="800", *laws):
    name, n = FAMILIES[kind], int(data_sets)
    rates = []
    for cell in find_family(name).cells("full"):
        if max(cell.n_pos, cell.n_neg) > 200 or (laws and cell.law not in laws):
            continue
        found = simulate_cell(name, method, cell, Limits(n, n, n), 1, SeedSequence(2))
        rates.append([hits / max(1, all_sets - none) for all_sets, hits, _, _, none, _ in found])
        texts = [f"{100 * rate:5.1f} ({one[-1]:.3f})" for rate, one in zip(rates[-1], found, strict=True)]
        print(f"{cell.key:32s}", *texts, flush=True)
    values = np.array(rates)
    print(f"{len(values)} cells; smallest {values.min(axis=0)}, below 0.93: {(values < 0.93).sum(axis=0)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
