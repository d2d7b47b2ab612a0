"""Leave-pair-out's standard error against its standard deviation over training sets.

`python validation/leave_pair_out_se.py` prints the table of docs/monte_carlo.md: two normal classes in 5
features, squared distance 0.8.
"""

import sys

import numpy as np

from rocscope.bootstrap.engine import Experiment, normal_population, run_sizes

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
SIZES = (20, 40, 100)
REPLICATES = (100, 500)
REQUIRED = {40: 0.20, 100: 0.10}  # with 500 replicates


def trials_of(learner, n_boot):
    experiment = Experiment(
        learner=learner,
        population=normal_population(),
        n_boot=n_boot,
        n_test=1000,
        common_test=True,
        pairs=True,
    )
    return run_sizes(experiment, SIZES, trials=TRIALS, rng=2004, n_jobs=1)


def row(learner, n_boot, n, found):
    value, se = found.leave_pair_out, found.standard_errors()
    raw = np.sqrt(found.variance)
    sd = value.std(ddof=1)
    ratio = np.nanmean(se) / sd
    # Relative errors of the mean standard error and of the standard deviation.
    error = ratio * np.hypot(
        np.nanstd(se, ddof=1) / np.sqrt(TRIALS) / np.nanmean(se),
        ((value - value.mean()) ** 2).std(ddof=1) / np.sqrt(TRIALS) / (2 * sd**2),
    )
    held = np.mean(np.abs(value - value.mean()) <= 1.96 * np.nan_to_num(se))
    star = np.corrcoef(value, found.star)[0, 1]
    required = REQUIRED.get(n) if n_boot == 500 else None
    verdict = "" if required is None else f"{'yes' if abs(ratio - 1) <= required else 'NO'} ({required:.0%})"
    return (
        f"| {learner} | {n} | {n_boot} | {value.mean():.4f} | {sd:.4f} | {raw.mean():.4f} | "
        f"{np.nanmean(se):.4f} | {ratio - 1:+.1%} ± {error:.1%} | {held:.1%} | {np.isnan(se).mean():.1%} | "
        f"{star:.4f} | {verdict} |"
    )


def main():
    print(
        "| learner | n | B | mean | SD | SE with noise | SE | SE against SD | 95 % interval holds the mean | "
        "no SE | correlation with AUC(*) | within |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|"
    )
    for learner in ("lda", "qda"):
        for n_boot in REPLICATES:
            for n, found in zip(SIZES, trials_of(learner, n_boot), strict=True):
                print(row(learner, n_boot, n, found), flush=True)


if __name__ == "__main__":
    main()
