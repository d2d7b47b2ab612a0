"""What binormal fits claim against what simulated curves show: standard errors, coverage, size of the test.

    python validation/binormal_coverage.py

Prints a Markdown table: the standard deviation of a, b and the area over the simulations beside the mean of
their standard errors from the expected and from the observed information; the share of 95 % intervals that
hold the area and the TPR at an FPR of 0.1; and how often the goodness-of-fit test rejects at 5 %: as it is,
with pools that end where the class changes, and with these and the curve of the single scores.
"""

import numpy as np
from scipy import special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import (
    expected_counts,
    fit_binormal,
    fit_categories,
    joined,
    pool_starts,
)
from rocscope.binormal.latent import truth_runs
from rocscope.core.scores import BinaryScores

DESIGNS = [(50, 1.0, 0.7, 400), (200, 1.0, 0.7, 300), (200, 2.0, 1.0, 300), (2000, 1.0, 0.7, 100)]


def sample(rng, n, a, b):
    y = np.repeat([0, 1], n)
    return BinaryScores.from_arrays(y, np.concatenate([rng.normal(size=n), (a + rng.normal(size=n)) / b]))


def p_value(categories, fit):
    df = len(categories) - 3
    if df < 1 or fit.cutpoints is None:
        return np.nan
    observed = np.stack([categories.neg, categories.pos])
    expected = expected_counts(categories, fit.cutpoints, fit.a, fit.b)
    return special.chdtrc(df, ((observed - expected) ** 2 / expected).sum())


def other_tests(data, fit):
    """P-values with pools of truth-state runs, refitted and with the curve of the single scores."""
    runs, n = truth_runs(data), data.n_pos
    least = [max(5.0, n / 100)] * 2
    starts = pool_starts(expected_counts(runs, fit.cutpoints, fit.a, fit.b), least)
    by_runs = joined(runs, starts)
    single = Binormal(a=fit.a, b=fit.b, cutpoints=fit.cutpoints[starts[1:] - 1])
    return p_value(by_runs, fit_categories(by_runs)), p_value(by_runs, single)


def simulate(n, a, b, times):
    rng = np.random.default_rng(7)
    truth = Binormal(a=a, b=b)
    values, errors, held, tests = [], [], [], []
    for _ in range(times):
        data = sample(rng, n, a, b)
        fit, observed = fit_binormal(data), fit_binormal(data, information="observed")
        if fit.status != "ok":
            continue
        values.append([fit.a, fit.b, fit.auc])
        errors.append([[f.se_a, f.se_b, f.se_auc] for f in (fit, observed)])
        area, tpr = fit.auc_estimate(), fit.tpr_estimate(0.1)
        held.append([area.low < truth.auc < area.high, tpr.low < truth.tpr(0.1) < tpr.high])
        own = np.nan if fit.goodness.p_value is None else fit.goodness.p_value
        tests.append([own, *other_tests(data, fit)])
    return np.array(values), np.array(errors), np.array(held), np.array(tests)


def main():
    columns = "n per class, a, b, fits, SD of a b area, expected, observed, area held, TPR held, rejected"
    print(f"| {' | '.join(columns.split(', '))} |")
    print("|--:|--:|--:|--:|---|---|---|--:|--:|---|")
    for n, a, b, times in DESIGNS:
        values, errors, held, tests = simulate(n, a, b, times)
        spread = values.std(axis=0, ddof=1)
        summary = [", ".join(f"{v:.4f}" for v in row) for row in (spread, *errors.mean(axis=0))]
        rejected = [np.mean(column[~np.isnan(column)] < 0.05) for column in tests.T]
        shares = [f"{share:.3f}" for share in held.mean(axis=0)]
        tests_summary = ", ".join(f"{share:.3f}" for share in rejected)
        print(
            f"| {n} | {a:g} | {b:g} | {len(values)} | {' | '.join([*summary, *shares, tests_summary])} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
