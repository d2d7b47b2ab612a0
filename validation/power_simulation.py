"""Empirical power and half-width at the sizes that rocscope computes, by simulation.

    python validation/power_simulation.py [REPLICATES]

Scores are normal with equal variances in the classes; every replicate is tested by rocscope itself:
the area by DeLong's interval (does it hold the null value?), two areas by `compare_auc`, two points by
the paired t test on the 0/1 differences of the members, or on the rates of folds. "mann-whitney" is the
test of an area of 0.5 with the variance under the null hypothesis. Partial areas are tested by 300
bootstrap replicates, in a tenth of the studies. After each figure stands its Monte-Carlo standard error.
"""

import math
import sys
from functools import partial

import numpy as np
from scipy import special

from rocscope.core.t_tests import paired_t
from rocscope.inference.auc import auc, partial_auc
from rocscope.inference.compare import compare_auc
from rocscope.inference.power import sample_size

REPLICATES = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
LEVEL = 0.95


def labels(n_pos, n_neg):
    return np.repeat([1, 0], [n_pos, n_neg])


def scores(rng, area, n_pos, n_neg):
    drawn = rng.standard_normal(n_pos + n_neg)
    drawn[:n_pos] += math.sqrt(2) * special.ndtri(area)
    return drawn


def score_pair(rng, areas, n_pos, n_neg, rating_corr):
    both = rng.standard_normal((2, n_pos + n_neg))
    both[1] = rating_corr * both[0] + math.sqrt(1 - rating_corr**2) * both[1]
    both[:, :n_pos] += math.sqrt(2) * special.ndtri(areas)[:, np.newaxis]
    return both


# ---- One replicate of each question ----------------------------------------------------------------------


def delong_rejects(rng, area, null, n_pos, n_neg):
    found = auc(labels(n_pos, n_neg), scores(rng, area, n_pos, n_neg), method="delong", level=LEVEL)
    return not found.low <= null <= found.high


def mann_whitney_rejects(rng, area, null, n_pos, n_neg):
    found = auc(labels(n_pos, n_neg), scores(rng, area, n_pos, n_neg))
    null_se = math.sqrt((n_pos + n_neg + 1) / (12 * n_pos * n_neg))
    return abs(found.value - null) > special.ndtri((1 + LEVEL) / 2) * null_se


def half_width(rng, area, n_pos, n_neg):
    found = auc(labels(n_pos, n_neg), scores(rng, area, n_pos, n_neg))
    return special.ndtri((1 + LEVEL) / 2) * found.se


def paired_rejects(rng, areas, rating_corr, n_pos, n_neg):
    a, b = score_pair(rng, areas, n_pos, n_neg, rating_corr)
    return compare_auc(labels(n_pos, n_neg), {"a": a, "b": b}).p_value < 1 - LEVEL


def unpaired_rejects(rng, areas, n_pos, n_neg):
    drawn = {name: scores(rng, area, n_pos, n_neg) for name, area in zip("ab", areas, strict=True)}
    truth = dict.fromkeys("ab", labels(n_pos, n_neg))
    return compare_auc(truth, drawn, method="delong", paired=False).p_value < 1 - LEVEL


def points_rejected(rng, gap, n, folds):
    """All replicates at once: of members, or of the rates of folds as equal in size as can be."""
    between = rng.random((REPLICATES, n)) < gap
    if folds is None:
        differences = between.astype(float)
    else:
        parts = np.array_split(between, folds, axis=1)
        differences = np.stack([part.mean(axis=1) for part in parts], axis=1)
    return paired_t(differences, level=LEVEL).p_value < 1 - LEVEL


def partial_pair_rejects(rng, areas, rating_corr, fpr, n_pos, n_neg):
    a, b = score_pair(rng, areas, n_pos, n_neg, rating_corr)
    how = {"method": "bootstrap", "fpr": fpr, "n_boot": 300, "rng": rng}
    return compare_auc(labels(n_pos, n_neg), {"a": a, "b": b}, **how).p_value < 1 - LEVEL


def partial_rejects(rng, area, fpr, n_pos, n_neg):
    how = {"method": "bootstrap", "n_boot": 300, "rng": rng}
    found = partial_auc(labels(n_pos, n_neg), scores(rng, area, n_pos, n_neg), fpr=fpr, **how)
    chance = (fpr[1] ** 2 - fpr[0] ** 2) / 2
    return abs(found.value - chance) > special.ndtri((1 + LEVEL) / 2) * found.se


# ---- The table -------------------------------------------------------------------------------------------


def show(question, plan, required, values):
    mean, error = np.mean(values), np.std(values, ddof=1) / math.sqrt(len(values))
    sizes = " + ".join(str(n) for n in (plan.n_pos, plan.n_neg) if n is not None)
    print(
        f"{question:<58} {plan.method:<14} {sizes:>11}  {required:.3f}  {mean:.4f} ({error:.4f})", flush=True
    )


def repeat(replicate, rng):
    return [replicate(rng) for _ in range(REPLICATES)]


def one_area(rng):
    for area, null, ratio in ((0.75, 0.5, 1), (0.65, 0.5, 2), (0.8, 0.7, 1), (0.9, 0.7, 1), (0.85, 0.7, 3)):
        for method in ("obuchowski", "hanley-mcneil", "binormal"):
            plan = sample_size(area, null=null, ratio=ratio, power=0.9, method=method)
            tests = {"DeLong": delong_rejects} | (
                {"Mann-Whitney": mann_whitney_rejects} if null == 0.5 else {}
            )
            for name, test in tests.items():
                replicate = partial(test, area=area, null=null, n_pos=plan.n_pos, n_neg=plan.n_neg)
                show(f"area {area} against {null}, ratio {ratio}, {name}", plan, 0.9, repeat(replicate, rng))


def interval(rng):
    for area in (0.7, 0.9):
        for method in ("obuchowski", "hanley-mcneil", "binormal"):
            plan = sample_size(area, half_width=0.05, method=method)
            replicate = partial(half_width, area=area, n_pos=plan.n_pos, n_neg=plan.n_neg)
            show(f"half-width of area {area}, mean", plan, 0.05, repeat(replicate, rng))


def two_areas(rng):
    for areas, corr in (((0.85, 0.8), 0.5), ((0.8, 0.7), 0.8), ((0.85, 0.8), 0.95)):
        for method in ("obuchowski", "binormal"):
            plan = sample_size(*areas, rating_corr=corr, power=0.8, method=method)
            replicate = partial(
                paired_rejects, areas=areas, rating_corr=corr, n_pos=plan.n_pos, n_neg=plan.n_neg
            )
            show(f"areas {areas}, paired, rating correlation {corr}", plan, 0.8, repeat(replicate, rng))
    for method in ("obuchowski", "hanley-mcneil", "binormal"):
        plan = sample_size(0.9, 0.8, paired=False, power=0.8, method=method)
        replicate = partial(unpaired_rejects, areas=(0.9, 0.8), n_pos=plan.n_pos, n_neg=plan.n_neg)
        show("areas (0.9, 0.8), unpaired", plan, 0.8, repeat(replicate, rng))


def partial_areas(rng):
    few = REPLICATES // 10
    for areas, corr, fpr in (
        ((0.9, 0.8), 0.5, (0, 0.2)),
        ((0.9, 0.75), 0.8, (0, 0.1)),
        ((0.8, 0.65), 0.3, (0.1, 0.5)),
    ):
        for method in ("obuchowski", "binormal"):
            plan = sample_size(*areas, rating_corr=corr, fpr=fpr, power=0.8, method=method)
            replicate = partial(
                partial_pair_rejects,
                areas=areas,
                rating_corr=corr,
                fpr=fpr,
                n_pos=plan.n_pos,
                n_neg=plan.n_neg,
            )
            question = f"areas {areas}, rating correlation {corr}, FPR {fpr}"
            show(question, plan, 0.8, [replicate(rng) for _ in range(few)])
    for area, fpr in ((0.7, (0, 0.2)), (0.65, (0.1, 0.5))):
        for method in ("obuchowski", "binormal"):
            plan = sample_size(area, fpr=fpr, power=0.8, method=method)
            replicate = partial(partial_rejects, area=area, fpr=fpr, n_pos=plan.n_pos, n_neg=plan.n_neg)
            show(f"area {area} against 0.5, FPR {fpr}", plan, 0.8, [replicate(rng) for _ in range(few)])


def two_points(rng):
    for gap in (0.02, 0.05, 0.2):
        for power in (0.8, 0.9):
            for method in ("exact", "normal"):
                plan = sample_size(tpr_gap=gap, power=power, method=method)
                show(
                    f"points, gap {gap}, all members",
                    plan,
                    power,
                    points_rejected(rng, gap, plan.n_pos, None),
                )
            for folds in (5, 10, 30):
                plan = sample_size(tpr_gap=gap, power=power, folds=folds)
                show(
                    f"points, gap {gap}, {folds} folds",
                    plan,
                    power,
                    points_rejected(rng, gap, plan.n_pos, folds),
                )


if __name__ == "__main__":
    print(f"{'question':<58} {'method':<14} {'cases':>11}  required found ({REPLICATES} replicates)")
    for seed, part in enumerate((one_area, interval, two_areas, two_points, partial_areas)):
        part(np.random.default_rng(seed))
