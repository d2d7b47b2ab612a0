"""The tables of docs/monte_carlo.md: `python validation/monte_carlo_tables.py`, a minute or two.

Table 1 of Yousef, Wagner and Loew has a command of its own, examples/yousef_table1.py; the standard errors of
leave-pair-out have theirs beside this one.
"""

import numpy as np

from rocscope.bootstrap.components import SOURCES, variance_components
from rocscope.bootstrap.monte_carlo import monte_carlo
from rocscope.bootstrap.point632 import point632plus_auc
from rocscope.papers.yousef import beside_table1

SEED = 2004
GRID = (8, 10, 13, 16, 20, 25, 32, 40, 50, 63, 80, 100, 126, 160, 200)


def table_1():
    """The table once more, with ten times as many trials on our side."""
    found = monte_carlo("qda", trials=10_000, rng=SEED, n_jobs=-1)
    exact = [row for row in beside_table1(found) if row.test_error == 0]
    worst = max(exact, key=lambda row: abs(row.z))
    print(f"10,000 trials: largest |z| of {len(exact)} means and SDs {abs(worst.z):.2f}", end=" ")
    print(f"({worst.figure} of {worst.estimator}, n = {worst.n})\n")


def neighbours():
    print("| separation | n | true | apparent | AUC(*) | .632 | .632+ (paper) | .632+ (Efron-Tibshirani) |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    for separation in (0.0, 0.8, 4.0):
        found = monte_carlo("1nn", n=(20, 40, 100), separation=separation, common_test=False, rng=SEED)
        for k, n in enumerate(found.n):
            values = dict(zip(found.estimators, found.values[k].T, strict=True))
            mirrored = point632plus_auc(values["apparent"], values["star"], rule="efron-tibshirani")
            means = [values[name].mean() for name in found.estimators] + [mirrored.mean()]
            print(f"| {separation} | {n} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |", flush=True)
    print()


def rules():
    print("| n | true | .632+ (paper): mean | RMS | .632+ (Efron-Tibshirani): mean | RMS |")
    print("|--:|--:|--:|--:|--:|--:|")
    settings = {"n": (20, 40, 100, 200), "common_test": False, "rng": SEED}
    both = [monte_carlo("qda", **settings, rule=rule) for rule in ("yousef", "efron-tibshirani")]
    for n in both[0].n:
        rows = [found.row(n, "point632plus") for found in both]
        figures = [both[0].row(n, "true").mean, *(v for row in rows for v in (row.mean, row.rms))]
        print(f"| {n} | " + " | ".join(f"{figure:.4f}" for figure in figures) + " |")
    print()


def support():
    """Share s of the sample with AUC(*) at n = true area at s n."""
    print(
        "| learner | "
        + " | ".join(f"n = {n}" for n in (20, 40, 63, 100, 200))
        + " |\n|---|--:|--:|--:|--:|--:|"
    )
    for learner in ("qda", "lda", "nearest-mean"):
        found = monte_carlo(learner, n=GRID, trials=2000, common_test=False, rng=SEED)
        true, star = found.figures("true", "mean"), found.figures("star", "mean")
        sizes = np.exp(np.interp(star, true, np.log(GRID)))
        shares = [f"{sizes[GRID.index(n)] / n:.2f}" for n in (20, 40, 63, 100, 200)]
        print(f"| {learner} | " + " | ".join(shares) + " |", flush=True)
    print()


def components():
    print("| learner | test cases | n | training | test | both | all |\n|---|--:|--:|--:|--:|--:|--:|")
    for learner in ("qda", "lda"):
        for n_test in (100, 1000):
            found = variance_components(learner, n_test=n_test, training_sets=200, test_sets=200, rng=SEED)
            for n in found.n:
                rows = [found.row(n, source) for source in SOURCES]
                total = np.sqrt(sum(row.variance for row in rows))
                sds = " | ".join(f"{row.sd:.4f}" for row in rows)
                print(f"| {learner} | {n_test} | {n} | {sds} | {total:.4f} |", flush=True)


if __name__ == "__main__":
    table_1()
    neighbours()
    rules()
    support()
    components()
