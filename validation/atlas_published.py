"""Cells of published simulation studies, simulated again with our methods; printed figures beside ours.

    python validation/atlas_published.py --sets 20000

1. D. P. Chakraborty: Validation and statistical power comparison of methods for analyzing free-response
   observer performance studies, Academic Radiology 15, 2008, table 2 (human observer, lowest cut-off at minus
   infinity) and table 1 (parameters). One reader sees 100 normal and 100 abnormal cases, the latter with one
   lesion, in two modalities without a difference; a case is rated by its highest site. Printed is how often
   the jackknife test of the two areas rejects at 5 %, in 2,000 data sets. The ratings of a case's sites have
   the same correlation within and between the modalities: a common part of the case.
2. Table 1 of the Journal of Biometrics & Biostatistics 6:270, 2015. 100 cases and 100 controls, normal with
   unit variance, are measured twice with a normal error; the Mann-Whitney interval of the mean of both is
   compared with the area without the error. Printed is its coverage in 100 times 1,000 data sets. The table
   does not say how the interval was made, nor the variance of the error; 1 gives the three biases that are
   (-0.013, -0.025, -0.042). Where the bias is small the figures agree; where it is large ours is higher.
"""

import argparse
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from scipy import special

import rocscope as rs
from rocscope.atlas.areas import area_from_sums

MU, SITES, FOUND = (
    1.5,
    1.3,
    0.8,
)  # of table 1: separation, noise sites of a case, share of lesions that are sites
CASES = 100  # of each class, in both studies
LOWEST = -10.0


class Published(NamedTuple):
    """A printed figure in percent, its Monte-Carlo standard error, and what happens in one data set."""

    study: str
    setting: str
    printed: float
    error: float
    happens: Callable[[Generator], bool]


def highest_ratings(correlation: float, rng: Generator) -> tuple[Any, Any]:
    """Labels, and the highest rating of every case in two modalities; one without a site has the lowest."""
    y = np.repeat([1, 0], CASES)
    common = np.sqrt(correlation) * rng.standard_normal(y.size)
    scores = []
    for _ in range(2):
        noise = rng.poisson(SITES, y.size)
        lesion = (y == 1) & (rng.random(y.size) < FOUND)
        rating = np.full(y.size, -np.inf)
        for k in range(int(noise.max())):
            site = common + np.sqrt(1 - correlation) * rng.standard_normal(y.size)
            rating = np.where(noise > k, np.maximum(rating, site), rating)
        site = MU + common + np.sqrt(1 - correlation) * rng.standard_normal(y.size)
        rating = np.where(lesion, np.maximum(rating, site), rating)
        scores.append(np.where(np.isinf(rating), LOWEST, rating))
    return y, scores


def rejects(correlation: float) -> Callable[[Generator], bool]:
    """Whether the test of two equal areas rejects at 5 %."""

    def happens(rng: Generator) -> bool:
        y, (first, second) = highest_ratings(correlation, rng)
        p_value = rs.compare_auc(y, {"first": first, "second": second}, method="delong").p_value
        return p_value is not None and p_value <= 0.05

    return happens


def holds(distance: float) -> Callable[[Generator], bool]:
    """Whether the interval of scores that are measured with error holds the area of those without."""
    interval, y = area_from_sums("delong"), np.repeat([1, 0], CASES)
    truth = special.ndtr(distance / np.sqrt(2))

    def happens(rng: Generator) -> bool:
        scores = np.sqrt(1.5) * rng.standard_normal(y.size) + distance * y
        [(low, high)] = interval((y, scores), rng)
        return bool(low <= truth <= high)

    return happens


def standard_error(percent: float, sets: int) -> float:
    """Monte-Carlo standard error of a rate, in percent."""
    return float(np.sqrt(percent * (100 - percent) / sets))


CELLS = [
    *(
        Published(
            "Chakraborty 2008",
            f"size, correlation {rho:g}",
            printed,
            standard_error(printed, 2000),
            rejects(rho),
        )
        for rho, printed in ((0.1, 6.05), (0.5, 5.65), (0.9, 5.60))
    ),
    *(
        Published(
            "JBMBS 6:270, 2015",
            f"coverage, distance {d:g}",
            printed,
            standard_error(printed, 100_000),
            holds(d),
        )
        for d, printed in ((0.25, 93.7), (0.5, 90.3), (1.0, 76.6))
    ),
]


def simulate(cell: Published, sets: int, seed: int = 0) -> tuple[float, float]:
    """Our rate in percent, and the standard error of its difference from the printed one."""
    rng = np.random.default_rng([seed, sets])
    ours = 100 * float(np.mean([cell.happens(rng) for _ in range(sets)]))
    return ours, float(np.hypot(cell.error, standard_error(ours, sets)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", type=int, default=20_000)
    sets = parser.parse_args().sets
    print(f"{'study':18s} {'setting':24s} printed    ours  difference  standard error")
    for cell in CELLS:
        ours, error = simulate(cell, sets)
        figures = f"{cell.printed:7.2f} {ours:7.2f} {ours - cell.printed:+11.2f} {error:15.2f}"
        print(f"{cell.study:18s} {cell.setting:24s} {figures}", flush=True)


if __name__ == "__main__":
    main()
