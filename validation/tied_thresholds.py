"""How often intervals of thresholds that keep a rate of one class hold where scores are tied.

    python validation/tied_thresholds.py --sets 1000

Scores are cut into five categories, as in the atlas, or rounded to steps of 0.5, 0.2 and 0.05 standard
deviations of the negatives. The true threshold is the highest of all possible scores that keeps the
sensitivity, or the lowest that keeps the specificity.
"""

import argparse
from itertools import product

import numpy as np

from rocscope.atlas.laws import LawName, ScoreLaw, score_law
from rocscope.core.curve import roc_curve
from rocscope.inference.cutpoint import Rate, quantile_interval

LAWS: tuple[LawName, ...] = ("normal", "exponential", "heavy")
SIZES = ((10, 40), (20, 20), (50, 50), (10, 190), (200, 200))
STEPS = (None, 0.5, 0.2, 0.05)  # None: categories
KEPT = (0.8, 0.9, 0.95)
ROUNDING = 1e-9


def true_thresholds(law: ScoreLaw, step: float | None, kept: float) -> tuple[float, float]:
    """The thresholds that keep a sensitivity and a specificity, among all possible scores."""
    scores = np.arange(7.0) if step is None else step * np.arange(round(-20 / step), round(60 / step))
    rates = np.array([law.rates(score - (step or 0.0) / 2) for score in scores.tolist()])
    keeps = rates[:, 1] >= kept - ROUNDING, rates[:, 0] <= 1 - kept + ROUNDING
    return float(scores[keeps[0]].max()), float(scores[keeps[1]].min())


def coverage(
    law: ScoreLaw, step: float | None, n_pos: int, n_neg: int, kept: float, sets: int
) -> list[float]:
    """How often the intervals of both thresholds hold."""
    truth, rng, hits = true_thresholds(law, step, kept), np.random.default_rng(n_pos + n_neg), [0, 0]
    bounds: tuple[tuple[Rate, str, float], ...] = (("tpr", ">=", kept), ("fpr", "<=", round(1 - kept, 9)))
    for _ in range(sets):
        y, scores = law.draw(n_pos, n_neg, rng)
        curve = roc_curve(y, scores if step is None else step * np.round(scores / step))
        for k, (rate, relation, bound) in enumerate(bounds):
            point = curve.select(f"{rate}{relation}{bound}")
            low, high = quantile_interval(curve, point, rate, bound, 0.95)
            hits[k] += low - ROUNDING <= truth[k] <= high + ROUNDING
    return [hit / sets for hit in hits]


def main() -> None:
    """Print the lowest and highest coverage for every kind of ties."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sets", type=int, default=1000)
    sets = parser.parse_args().sets
    for step in STEPS:
        rates = [
            coverage(score_law(name, area, step is None), step, *size, kept, sets)
            for name, area, size, kept in product(LAWS, (0.7, 0.9), SIZES, KEPT)
        ]
        for title, found in zip(("sensitivity", "specificity"), np.transpose(rates), strict=True):
            ties = "five categories" if step is None else f"rounded to {step:g}"
            print(
                f"{ties:16s} {title}: {found.min():.3f} to {found.max():.3f}, below 0.93 in "
                f"{np.sum(found < 0.93)} of {found.size} cells, above 0.98 in {np.sum(found > 0.98)}",
                flush=True,
            )


if __name__ == "__main__":
    main()
