"""Size and power of every test between two learning algorithms, under every protocol, by simulation.

    python validation/algorithm_tests.py [REPETITIONS]

Linear discriminants on two disjoint halves of the features. Under the null hypothesis the halves are
exchangeable: two different learners with equal expected AUC and error. Under the alternative the
classes are farther apart in the first half. 600 cases, 300 of each class, 5 features a half.

Size: how often a test at level 0.05 rejects the true null, with its Monte-Carlo error. Power is
compared at equal true size: a test rejects when its p-value is below the 5 % quantile of its own
p-values under the null; a dash where ties at that quantile make the test reject more than 6 % there.
Printed as two tables in Markdown.
"""

import sys

import numpy as np

from rocscope.algorithms.fold_tests import fold_differences
from rocscope.algorithms.paired_tests import Conditions, run_battery
from rocscope.algorithms.protocol import plan_folds, read_protocol
from rocscope.algorithms.records import FoldRecord, compare_over_cases

REPETITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
PER_CLASS, HALF, LEVEL = 300, 5, 0.05
SEPARATION, GAIN = 0.35, 0.15  # of every feature, in standard deviations
PROTOCOLS = {
    "30 left-out folds": read_protocol("kfold", 30, None),
    "10 left-out folds": read_protocol("kfold", 10, None),
    "10 x 10 left-out folds": read_protocol("repeated", 10, 10),
    "5 x 2 halves": read_protocol("5x2", 2, None),
    "common test set, 30 folds": read_protocol("holdout", 30, None),
}
POSITIVE = np.repeat([False, True], PER_CLASS)


def draw(rng, gain):
    """Cases of both classes; the first half of the features is farther apart by `gain`."""
    shift = np.repeat([SEPARATION + gain, SEPARATION], HALF)
    return rng.normal(size=(2 * PER_CLASS, 2 * HALF)) + POSITIVE[:, None] * shift


def discriminants(X, trains):
    """Linear discriminant of every fold: weights (folds, features) and thresholds, all folds at once."""
    uses = np.zeros((len(trains), len(X)))
    for k, train in enumerate(trains):
        uses[k, train] = 1
    means, scatter = [], 0
    for of_class in (POSITIVE, ~POSITIVE):
        weights = uses * of_class
        size = weights.sum(axis=1)
        mean = weights @ X / size[:, None]
        squares = np.einsum("kn,nf,ng->kfg", weights, X, X, optimize=True)
        scatter = scatter + squares - size[:, None, None] * mean[:, :, None] * mean[:, None, :]
        means.append(mean)
    w = np.linalg.solve(scatter / (uses.sum(axis=1) - 2)[:, None, None], (means[0] - means[1])[:, :, None])
    return w[..., 0], np.einsum("kf,kf->k", w[..., 0], (means[0] + means[1]) / 2)


def judge(X, folds):
    """What the model of every fold says of its test cases: (area, error) per fold, and the records."""
    weights, thresholds = discriminants(X, [fold.train for fold in folds])
    records = []
    for w, threshold, fold in zip(weights, thresholds, folds, strict=True):
        score, positive = X[fold.test] @ w, POSITIVE[fold.test]
        beats = score[positive][:, None] > score[~positive]
        called = score >= threshold
        records.append(
            FoldRecord(
                positive=positive,
                score=score,
                called=called,
                auc=float(beats.mean()),
                error=float((called != positive).mean()),
            )
        )
    return records


def p_values(protocol, gain, seed):
    """P-values of every test on AUC and on error, one row per repetition."""
    values = {"auc": [], "error": []}
    over_cases = {"auc": [], "error": []}
    for stream in np.random.default_rng(seed).spawn(REPETITIONS):
        X, folds = draw(stream, gain), plan_folds(protocol, POSITIVE, stream)
        first, second = judge(X[:, :HALF], folds), judge(X[:, HALF:], folds)
        for measure, found in values.items():
            found.append([[getattr(record, measure) for record in half] for half in (first, second)])
        if protocol.common_test:
            for measure, found in over_cases.items():
                found.append(compare_over_cases(measure, first, second, level=0.95).p_value)
    conditions = Conditions(test_over_train=protocol.test_over_train("made"), halves=protocol.halves, rng=0)
    tables = {}
    for measure, found in values.items():
        pair = np.array(found)
        outcomes = run_battery(fold_differences(pair[:, 0], pair[:, 1]), conditions)
        tests = {name: outcome.p_value for name, outcome in outcomes.items() if name != "bayes-t"}
        # Two-sided reading of the posterior: twice the smaller of worse and better.
        tests["bayes-t"] = 2 * outcomes["bayes-t"].posterior[:, [0, 2]].min(axis=1)
        if protocol.common_test:
            tests["over cases"] = np.array(over_cases[measure])
        tables[measure] = tests
    return tables


def percent(share):
    """A share with its Monte-Carlo standard error, in percent."""
    return f"{100 * share:.1f} ± {100 * np.sqrt(share * (1 - share) / REPETITIONS):.1f}"


def at_equal_size(null, other):
    """Power of a test that rejects below the 5 % quantile of its p-values under the null."""
    cut = np.quantile(null, LEVEL)
    attained = float((null <= cut).mean())
    return percent(float((other <= cut).mean())) if attained <= 0.06 else "–"


def main():
    """Print the table of sizes and that of powers at equal size."""
    sizes = ["| protocol | test | AUC: size % | error: size % |", "|---|---|--:|--:|"]
    powers = ["| protocol | test | AUC: power % | error: power % |", "|---|---|--:|--:|"]
    for name, protocol in PROTOCOLS.items():
        null, other = p_values(protocol, 0.0, 1), p_values(protocol, GAIN, 2)
        for test in null["auc"]:
            found = {m: (null[m][test], other[m][test]) for m in ("auc", "error")}
            size = [percent(float((under < LEVEL).mean())) for under, _ in found.values()]
            power = [at_equal_size(*both) for both in found.values()]
            sizes.append(f"| {name} | {test} | {' | '.join(size)} |")
            powers.append(f"| {name} | {test} | {' | '.join(power)} |")
    print("\n".join([*sizes, "", *powers]))


if __name__ == "__main__":
    main()
