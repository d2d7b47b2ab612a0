"""Degrees of freedom of the test of two modalities: Hillis's, and Satterthwaite's with a term for the cases.

    python validation/reader_degrees.py [DATA_SETS]

The variance of the difference is 2 / J (MS + J C), MS the mean square of readers by modalities and C = Cov2 -
Cov3 what the cases add. Hillis takes C as known: df = (MS + J C)^2 (J - 1) / MS^2. With k the cases of the
smaller class less one, C has about k degrees of freedom: df = (MS + J C)^2 / (MS^2 / (J - 1) + (J C)^2 / k).
Of cells of the atlas with equal modalities of area 0.7: how often each rejects at 5 %, in percent.
"""

import sys

import numpy as np
from scipy import stats

from rocscope.atlas.cells import DataSets, find_family
from rocscope.inference.reader_study import reader_study

FAMILY = "reader_study"


def rejects(data, readers, cases):
    """Whether each of the two rejects, for one study."""
    y, scores, (modality, reader, case) = data
    study = reader_study(y, scores, reader=reader, modality=modality, case=case)
    mean_square = study.components.ms_modality_reader
    of_cases = readers * max(study.components.cov2 - study.components.cov3, 0.0)
    total = mean_square + of_cases
    if total <= 0:
        return [False, False]
    t = abs(study.difference) / np.sqrt(2 / readers * total)
    of_readers = mean_square**2 / (readers - 1)
    return [
        2 * stats.t.sf(t, total**2 / part) <= 0.05 for part in (of_readers, of_readers + of_cases**2 / cases)
    ]


def main(n):
    """Print a row for each cell."""
    family = find_family(FAMILY)
    for cell in family.cells("full"):
        if cell.area != 0.7 or not family.truth(cell)[0]:
            continue
        data, readers = iter(DataSets(FAMILY, cell, 0)), int(cell.factor("readers"))
        cases = min(cell.n_pos, cell.n_neg) - 1
        rates = 100 * np.mean([rejects(next(data), readers, cases) for _ in range(n)], axis=0)
        errors = np.sqrt(rates * (100 - rates) / n)
        texts = [f"{rate:4.1f} ± {error:.1f}" for rate, error in zip(rates, errors, strict=True)]
        print(f"{cell.key:56s}", *texts, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
