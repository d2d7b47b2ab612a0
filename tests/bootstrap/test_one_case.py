"""The numbers behind the picture of one case in docs/bootstrap.md, against models trained one by one."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from slow import learners, left_out

SCRIPT = Path(__file__).parents[2] / "docs" / "make_one_case.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def sample(script):
    rng = np.random.default_rng(1)
    y = script["POSITIVE"].astype(int)
    return rng.normal(size=(len(y), 2)) + 0.5 * y[:, np.newaxis], y, script["draw_replicates"](rng)[:40]


def log_ratios(X, y, rows):
    """Of two normal densities with one covariance, trained on these rows."""
    neg, pos = (X[[k for k in rows if y[k] == label]] for label in (0, 1))
    middle = ((neg.mean(axis=0) + pos.mean(axis=0)) / 2)[np.newaxis]
    return learners.lda(neg, pos, neg, pos, X) - learners.lda(neg, pos, neg, pos, middle)


def test_the_estimates_are_those_of_models_trained_one_by_one(script, sample):
    X, y, counts = sample
    found = script["estimates"](X, counts)
    everyone, rows = np.arange(len(y)), [np.repeat(np.arange(len(y)), one) for one in counts]
    alone = [log_ratios(X, y, np.delete(everyone, k))[k] for k in everyone]
    star = left_out.star([log_ratios(X, y, row) for row in rows], rows, y)
    apparent = left_out.auc(log_ratios(X, y, everyone), y)
    assert found["apparent"] == pytest.approx(apparent)
    assert found["leave_one_out"] == pytest.approx(left_out.auc(alone, y))
    assert found["star"] == pytest.approx(star)
    assert found["point632"] == pytest.approx(0.368 * apparent + 0.632 * star)


def test_a_weight_of_two_is_a_case_that_is_there_twice(script, sample):
    X, y, counts = sample
    case = script["CASE"]
    found = script["estimates"](X, counts, 2.0)
    doubled = np.append(np.arange(len(y)), case)
    scores = log_ratios(X, y, doubled)
    assert found["apparent"] == pytest.approx(left_out.auc(scores[doubled], y[doubled]))
    # AUC(*): the case is drawn twice as often, and counts twice where it is left out.
    n, total, weights = script["N"], 0.0, []
    for one in counts:
        rows = np.repeat(np.arange(len(y)), one)
        chances = np.where(np.arange(n, 2 * n) == case, 2 / (n + 1), 1 / (n + 1))
        weights.append(np.prod((chances * n) ** one[n:]))
        out = [*np.flatnonzero(one == 0), *[case] * int(one[case] == 0)]
        total += weights[-1] * left_out.auc(log_ratios(X, y, rows)[out], y[out])
    assert found["star"] == pytest.approx(total / sum(weights))


def test_only_the_bootstrap_is_smooth(script, sample):
    X, _, counts = sample
    rows = []
    for place in np.linspace(-3, 3, 601):
        moved = X.copy()
        moved[script["CASE"], 0] = place
        rows.append(script["estimates"](moved, counts))
    steps = {name: np.abs(np.diff([row[name] for row in rows])) for name in rows[0]}
    assert steps["apparent"].max() >= 1 / script["N"] ** 2 - 1e-9
    assert np.median(steps["apparent"]) == 0
    assert steps["point632"].max() > 0.3 * steps["apparent"].max()
