"""Does a study that was planned from a pilot study have its power? By simulation.

    ROCSCOPE_DATA=FOLDER python validation/pilot_power.py [REPLICATES] [PILOTS]

The first table takes the pilot study aSAH (41 + 72 cases, s100b against wfns) as it is. Studies of the sizes
that each method plans for a power of 0.9 are drawn, from the cases of the pilot study with replacement and
from a binormal pair that has its areas, its ratios of standard deviations and its correlations; each is
tested by `compare_auc`. pROC's sizes are those of validation/power_reference.R, in both orders of the curves.

The second table asks how the methods fare with other pilot studies. From each law many of them are drawn;
each plans a study for the true difference (`difference=`), and the power of that study is
Phi(|difference| / SE - z) by the variance of the law, which comes from 20,000 cases of each class. The first
table (left out with 0 REPLICATES) shows that this formula holds. What varies is how well a pilot study knows
the variance.
"""

import math
import os
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import special

import rocscope as rs

REPLICATES = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
PILOTS = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
METHODS = ("pilot", "binormal", "hanley-mcneil", "obuchowski")
# power.roc.test(s100b, wfns, power = 0.9) and with the curves swapped.
PROC = {"pROC": (123.0494, 216.0868), "pROC, swapped": (47.55464, 83.51058)}
GOAL, LEVEL = 0.9, 0.95


# ---- Laws: draw(rng, n_pos, n_neg) gives two scores of the positives, then of the negatives ----------------


def of_cases(y, scores):
    pos, neg = scores[y], scores[~y]

    def draw(rng, n_pos, n_neg):
        return np.concatenate([rng.choice(pos, n_pos), rng.choice(neg, n_neg)])

    return draw


def binormal(areas, b=(1.0, 1.0), rho=(0.5, 0.5), categories=None):
    """Normal scores: of the negatives with variance 1, of the positives with 1 / b^2."""
    b = np.array(b)
    shift = special.ndtri(areas) * np.sqrt(1 + 1 / b**2)

    def draw(rng, n_pos, n_neg):
        parts = []
        for n, r in ((n_pos, rho[1]), (n_neg, rho[0])):
            z = rng.standard_normal((n, 2))
            z[:, 1] = r * z[:, 0] + math.sqrt(1 - r * r) * z[:, 1]
            parts.append(z)
        scores = np.concatenate([parts[0] / b + shift, parts[1]])
        if categories is not None:  # a rating with few values in the place of the second score
            scores[:, 1] = np.digitize(scores[:, 1], categories)
        return scores

    return draw


def compare(draw, rng, n_pos, n_neg):
    scores = draw(rng, n_pos, n_neg)
    y = np.repeat([1, 0], [n_pos, n_neg])
    return rs.compare_auc(y, {"a": scores[:, 0], "b": scores[:, 1]})


# ---- The tables --------------------------------------------------------------------------------------------


def one_pilot(y, scores, names):
    pilot = rs.compare_auc(y, dict(zip(names, scores.T, strict=True)))
    pair = rs.fit_binormal_pair(y, *scores.T)
    b = (pair.first.b, pair.second.b)
    rho = (pair.rho_neg, pair.rho_pos)
    print(f"pilot: areas {pilot.auc.round(4)}, b {np.round(b, 3)}, rho {np.round(rho, 3)}")
    laws = {
        "cases": of_cases(y, scores),
        "binormal": binormal(pilot.auc, b, rho),
    }
    plans = {m: rs.sample_size(pilot, power=GOAL, method=m) for m in METHODS}
    sizes = {m: (plan.real_n_pos, plan.real_n_neg) for m, plan in plans.items()} | PROC
    rng = np.random.default_rng(1)
    for name, size in sizes.items():
        n_pos, n_neg = map(math.ceil, size)
        cells = []
        for draw in laws.values():
            rejected = [compare(draw, rng, n_pos, n_neg).p_value < 1 - LEVEL for _ in range(REPLICATES)]
            error = np.std(rejected) / math.sqrt(REPLICATES)
            cells.append(f"{np.mean(rejected):.4f} ({error:.4f})")
        print(f"{name:<16}{n_pos:>5} +{n_neg:>4}  " + "  ".join(cells), flush=True)


def many_pilots(laws):
    for name, (draw, areas, n_pos, n_neg) in laws.items():
        rng = np.random.default_rng(2)
        truth = compare(draw, rng, 20_000, 20_000)
        areas = truth.auc if areas is None else areas
        gap = float(areas[0] - areas[1])
        sign = np.array([1.0, -1.0])
        of_pos = 20_000 * float(sign @ truth.cov_pos @ sign)
        of_neg = 20_000 * float(sign @ (truth.cov - truth.cov_pos) @ sign)
        pilots = [compare(draw, rng, n_pos, n_neg) for _ in range(PILOTS)]
        # Around a mean area near 1 there is no room for the difference, and formulas of areas plan nothing.
        pilots = [p for p in pilots if p.auc.mean() + abs(gap) / 2 < 1]
        ratio = n_neg / n_pos
        total = special.ndtri((1 + LEVEL) / 2) + special.ndtri(GOAL)
        right = (total / gap) ** 2 * (of_pos + of_neg / ratio)
        print(f"{name}: difference {gap:+.4f}, {len(pilots)} pilots of {n_pos} + {n_neg}, right {right:.1f}")
        for method in METHODS:
            plans = [rs.sample_size(p, power=GOAL, difference=gap, method=method) for p in pilots]
            n = np.array([plan.real_n_pos for plan in plans])
            power = special.ndtr(abs(gap) / np.sqrt((of_pos + of_neg / ratio) / n) - 1.959963984540054)
            spread = np.quantile(power, [0.1, 0.9])
            error = power.std() / math.sqrt(len(pilots))
            print(
                f"  {method:<14} n_pos {np.median(n):7.1f}  power {power.mean():.4f} ({error:.4f}), "
                f"{spread[0]:.3f} to {spread[1]:.3f}",
                flush=True,
            )


if __name__ == "__main__":
    table = pd.read_csv(Path(os.environ["ROCSCOPE_DATA"]) / "aSAH" / "aSAH.csv")
    ill = (table["outcome"] == "Poor").to_numpy()
    both = table[["s100b", "wfns"]].to_numpy(dtype=float)
    if REPLICATES:
        one_pilot(ill, both, ("s100b", "wfns"))
    asah = rs.compare_auc(ill, {"a": both[:, 0], "b": both[:, 1]}).auc
    wide, cuts = {"b": (0.5, 0.5), "rho": (0.3, 0.7)}, (-0.5, 0.3, 1.0, 1.6)
    many_pilots(
        {
            "aSAH, cases": (of_cases(ill, both), asah, 41, 72),
            "equal variances": (binormal((0.85, 0.8)), (0.85, 0.8), 40, 40),
            "positives vary more": (binormal((0.85, 0.75), **wide), (0.85, 0.75), 40, 80),
            "large areas": (binormal((0.96, 0.92), rho=(0.6, 0.6)), (0.96, 0.92), 50, 50),
            "second in 5 categories": (binormal((0.85, 0.78), categories=cuts), None, 40, 80),
        }
    )
