"""How often the intervals of point measures hold, at fixed thresholds and fixed numbers of both classes.

    python validation/point_coverage.py [wilson | exact | modified-wilson] [mover | log]

The two counts are binomial, so coverage is a sum over all tables. Of every measure: the smallest, mean and
largest coverage of 42 cells, how many are below 93 %, and the three worst. Ten seconds.
"""

import sys

import numpy as np
from scipy import stats

from rocscope.atlas.laws import ScoreLaw
from rocscope.atlas.points import AT_PREVALENCE, COST, OWN, PREVALENCE, PROBABILITY, measures_of
from rocscope.inference.point_measures import estimates
from rocscope.inference.proportions import IntervalKind

SIZES = ((10, 10), (20, 20), (50, 50), (200, 200), (10, 40), (10, 190), (50, 200))
AREAS, TPRS = (0.7, 0.9, 0.99), (0.8, 0.95)
RARE = 2e-6  # chance of a table that is left out


def coverage(kind, m, n, fpr, tpr):
    """Coverage of every measure; without a prevalence that of these cases stands for the population's."""
    names = [(name, None) for name in OWN] + [(name, PREVALENCE) for name in AT_PREVALENCE]
    truth = [measures_of(fpr, tpr, m / (m + n) if p is None else p)[name] for name, p in names]
    held, total = np.zeros(len(names)), np.zeros(len(names))
    of_tp, of_fp = stats.binom.pmf(np.arange(m + 1), m, tpr), stats.binom.pmf(np.arange(n + 1), n, fpr)
    for tp, fp in np.argwhere(np.outer(of_tp, of_fp) > RARE).tolist():
        chance = of_tp[tp] * of_fp[fp]
        counts = {"tp": tp, "fp": fp, "fn": m - tp, "tn": n - fp, "cost": COST, "probability": PROBABILITY}
        found = {p: estimates(kind, **counts, prevalence=p) for p in (None, PREVALENCE)}
        for i, (name, p) in enumerate(names):
            one = found[p][name]
            if one.low is not None:
                total[i] += chance
                held[i] += chance * (one.low - 1e-12 <= truth[i] <= one.high + 1e-12)
    return dict(zip([f"{name} at {p}" if p else name for name, p in names], held / total, strict=True))


def main(interval="wilson", ratio="mover"):
    cells = {}
    for m, n in SIZES:
        for area in AREAS:
            for at in TPRS:
                law = ScoreLaw("normal", area)
                rates = law.rates(law.threshold_near(at))
                cells[f"{m}+{n} {area} {at}"] = coverage(
                    IntervalKind(interval=interval, ratio=ratio), m, n, *rates
                )
    for name in next(iter(cells.values())):
        rates = sorted((found[name], cell) for cell, found in cells.items())
        values = np.array([rate for rate, _ in rates])
        worst = ", ".join(f"{100 * rate:.1f} ({cell})" for rate, cell in rates[:3])
        few = np.count_nonzero(values < 0.93)
        ends = f"{100 * values.min():5.1f} {100 * values.mean():5.1f} {100 * values.max():5.1f}"
        print(f"{name:24s} {ends}  {few:2d}  {worst}")


if __name__ == "__main__":
    main(*sys.argv[1:])
