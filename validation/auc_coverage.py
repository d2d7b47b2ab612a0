"""How often each interval of the AUC holds the true area: the table in docs/coverage.md.

    python validation/auc_coverage.py [--simulations 2000] [--jobs 2] > docs/coverage.md

Scores are normal with unit variance, one class shifted so that the area is the one named; with ties they
are cut into six categories, and the true area is that of the categories. The threshold of cortes-mohri is
halfway between the two means, the best one for the untied scores.
"""

from __future__ import annotations

import argparse
import math
import zlib
from itertools import product
from typing import Any

import numpy as np
from scipy import special

import rocscope as rs
from rocscope.core.execution import Task, run_tasks, values_of

AREAS = (0.7, 0.9, 0.97)
SIZES = (20, 200)
METHODS: dict[str, dict[str, Any]] = {
    "delong": {"method": "delong"},
    "logit": {"method": "logit"},
    "hanley-mcneil": {"method": "hanley-mcneil"},
    "bamber": {"method": "bamber"},
    "bootstrap": {"method": "bootstrap"},
    "bootstrap bca": {"method": "bootstrap", "bootstrap": "bca"},
    "cortes-mohri": {"method": "cortes-mohri"},
    "agarwal": {"method": "agarwal"},
}

READING = """\
How to read it. With 20 cases in each class and an area near 1 the normal intervals (delong, bamber)
and the percentile bootstrap fall short of their level, down to 82 %, because the variance estimate
shrinks as the area nears 1; logit and the BCa bootstrap keep it, and are the ones to take there.
With 200 in each class all are near their level. hanley-mcneil, whose variance is that of
exponential scores, is too wide at large areas of normal scores. agarwal always holds and says
little. cortes-mohri looks only at the number of errors at the threshold and assumes that all
rankings with so many errors are equally likely. Normal scores rank better than that: the interval
holds here only because it is wide, and with 2000 cases in each class, one standard deviation apart,
it never held the area in 300 simulations (`python validation/area_coverage.py`)."""


def categories(shift: float) -> np.ndarray:
    """Five cuts that spread both classes over six categories."""
    return np.linspace(-1.5, shift + 1.5, 5)


def true_area(shift: float, ties: bool) -> float:
    """P(X > Y) + P(X = Y) / 2 of the shifted and the unshifted class."""
    if not ties:
        return float(special.ndtr(shift / math.sqrt(2)))
    cuts = np.concatenate([[-np.inf], categories(shift), [np.inf]])
    pos, neg = np.diff(special.ndtr(cuts - shift)), np.diff(special.ndtr(cuts))
    return float(pos @ (np.cumsum(neg) - neg / 2))


def simulate(area: float, n: int, ties: bool, simulations: int) -> dict[str, tuple[float, float]]:
    """Coverage and mean width of every interval."""
    shift = math.sqrt(2) * float(special.ndtri(area))
    truth = true_area(shift, ties)
    rng = np.random.default_rng(zlib.crc32(f"{area} {n} {ties}".encode()))
    y = np.repeat([0, 1], n)
    hits, widths = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0.0)
    for _ in range(simulations):
        scores = rng.normal(size=2 * n) + shift * y
        threshold = shift / 2
        if ties:
            scores = np.searchsorted(categories(shift), scores).astype(float)
            threshold = 3.0  # above the middle one of the five cuts
        for name, options in METHODS.items():
            more = {"threshold": threshold} if name == "cortes-mohri" else {}
            found = rs.auc(y, scores, rng=rng, **options, **more)
            hits[name] += found.low <= truth <= found.high
            widths[name] += found.high - found.low
    return {name: (hits[name] / simulations, widths[name] / simulations) for name in METHODS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    cases = list(product((False, True), AREAS, SIZES))
    tasks = [Task(str(c), simulate, (c[1], c[2], c[0], arguments.simulations)) for c in cases]
    found = values_of(run_tasks(tasks, n_jobs=arguments.jobs))
    error = math.sqrt(0.95 * 0.05 / arguments.simulations)
    print("# Coverage of the intervals of the AUC\n")
    print(
        f"Made by `python validation/auc_coverage.py`: normal scores, {arguments.simulations} simulations "
        f"each, nominal 95 %, Monte-Carlo error of a true 95 % {error:.1%}. Bootstraps have 2000 replicates. "
        "Each cell: coverage in percent (mean width).\n"
    )
    for ties in (False, True):
        print(f"## {'Scores in six categories' if ties else 'No ties'}\n")
        columns = [(c, f) for c, f in zip(cases, found, strict=True) if c[0] == ties]
        head = [f"area {area}, n = {n} + {n}" for (_, area, n), _ in columns]
        print("| method | " + " | ".join(head) + " |")
        print("|---|" + "--:|" * len(head))
        for name in METHODS:
            cells = [f"{100 * f[name][0]:.1f} ({f[name][1]:.3f})" for _, f in columns]
            print(f"| {name} | " + " | ".join(cells) + " |")
        print()
    print(READING)


if __name__ == "__main__":
    main()
