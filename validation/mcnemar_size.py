"""Size and power of McNemar's test on the decisions of left-out folds, and after one training.

    python validation/mcnemar_size.py [REPETITIONS]

The learners and cases of validation/algorithm_tests.py. Level 0.05, with the Monte-Carlo error; power is not
at equal size here.
"""

import numpy as np
from algorithm_tests import GAIN, HALF, LEVEL, POSITIVE, REPETITIONS, draw, judge, percent

from rocscope.algorithms.decisions import decision_tests
from rocscope.algorithms.protocol import plan_trainings, read_protocol

PROTOCOLS = {
    "30 left-out folds, pooled": (30, slice(0, -1)),
    "10 left-out folds, pooled": (10, slice(0, -1)),
    "one training, a third tested": (3, slice(-1, None)),
}


def p_values(folds, part, gain, seed):
    """Exact and chi-square p-values, one row per repetition."""
    protocol, rows = read_protocol("kfold", folds, None), []
    for stream in np.random.default_rng(seed).spawn(REPETITIONS):
        X, splits = draw(stream, gain), plan_trainings(protocol, POSITIVE, stream)[part]
        wrong = [
            np.concatenate([record.called != record.positive for record in judge(half, splits)])
            for half in (X[:, :HALF], X[:, HALF:])
        ]
        (pair,) = decision_tests(["first", "second"], np.array(wrong)).pairs
        rows.append((pair.p_value, pair.p_chi2))
    return np.array(rows)


def main():
    """Print the table."""
    print("| decisions | exact: size % | chi2: size % | exact: power % | chi2: power % |")
    print("|---|--:|--:|--:|--:|")
    for name, (folds, part) in PROTOCOLS.items():
        shares = [
            percent(float(share))
            for gain, seed in ((0.0, 1), (GAIN, 2))
            for share in (p_values(folds, part, gain, seed) < LEVEL).mean(axis=0)
        ]
        print(f"| {name} | {' | '.join(shares)} |", flush=True)


main()
