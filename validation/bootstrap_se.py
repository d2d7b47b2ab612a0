"""Standard errors of the bootstrap estimates of one data set against their spread over data sets.

    python validation/bootstrap_se.py [TRIALS [REPLICATES]]

Two normal classes in five dimensions with unit covariance and squared distance 0.8, n cases in each. Every
trial draws a data set, bootstraps it class by class and computes the estimates with their standard errors, as
`bootstrap_auc` does; for LDA those of the error rate as well. Printed for each: the standard deviation over
the trials, the mean standard error, their ratio with its own Monte-Carlo error, and how often the 95 %
interval holds the estimate's expectation. The table of docs/bootstrap.md comes from here.
"""

import sys
from functools import partial

import numpy as np

from rocscope.bootstrap import left_out
from rocscope.bootstrap.families import estimate_areas, estimate_losses
from rocscope.bootstrap.left_out import LeftOut
from rocscope.bootstrap.point632 import LossRule
from rocscope.core.kernels.learners import LDA, QDA
from rocscope.core.kernels.trials import draw_replicates, prepare_training, replicate_scores
from rocscope.training.datasets import Dataset

TRIALS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
REPLICATES = int(sys.argv[2]) if len(sys.argv) > 2 else 500
SIZES = (40, 100)
LEARNERS = {"LDA": LDA, "QDA": QDA}
DIMENSION = 5
SQUARED_DISTANCE = 0.8
AREAS = {
    "leave_pair_out": "leave-pair-out AUC",
    "star": "AUC(*)",
    "point632": ".632 AUC",
    "point632plus": ".632+ AUC",
}
ERRORS = {
    "left_out": "leave-one-out bootstrap error",
    "point632": ".632 error",
    "point632plus": ".632+ error",
}
LEVEL = 0.95
HEADER = "| n per class | learner | estimate | SD over trials | mean se | ratio | interval holds | no se |"

left_out.LARGE = 0  # compiled at every size


def draw(n, rng):
    """A data set, negatives first, and how often each case is in each replicate."""
    y = np.repeat([0, 1], n)
    shift = np.sqrt(SQUARED_DISTANCE / DIMENSION)
    cases = rng.normal(size=(2 * n, DIMENSION)) + shift * y[:, np.newaxis]
    counts, _ = draw_replicates(n, n, REPLICATES, rng.integers(2**63, size=4, dtype=np.uint64))
    return Dataset.read(cases, y), counts


def picked(estimates, names):
    """Values and standard errors; NaN where one is hidden by noise."""
    return [estimates[key].value for key in names], [estimates[key].se or np.nan for key in names]


def area_trial(learner, n, rng):
    """Estimates of the AUC from one data set."""
    sample, counts = draw(n, rng)
    training = prepare_training(learner, sample.X[:n], sample.X[n:])
    own, _ = replicate_scores(learner, training, np.ones((1, 2 * n), np.int32))
    scores, _ = replicate_scores(learner, training, counts)
    scores[counts > 0] = np.nan
    nothing = np.zeros(counts.shape, bool)
    replicates = LeftOut(counts=counts, scores=scores, decided=nothing, decided_at_cost=nothing, failed=())
    areas = estimate_areas(sample, own[0], replicates, strata=2, rule="yousef", level=LEVEL)
    return picked(areas, AREAS)


def lda_decisions(counts, cases, n):
    """Which cases LDA classifies as positive, (replicates, cases), trained on counted cases; equal priors."""
    means = [counts[:, part] @ cases[part] / n for part in (slice(0, n), slice(n, None))]
    products = np.einsum("ni,nj->nij", cases, cases).reshape(len(cases), -1)
    scatter = (counts @ products).reshape(len(counts), DIMENSION, DIMENSION)
    for mean in means:
        scatter -= n * np.einsum("bi,bj->bij", mean, mean)
    weights = np.linalg.solve(scatter / (2 * n - 2), (means[1] - means[0])[..., np.newaxis])[..., 0]
    return weights @ cases.T >= (weights * (means[0] + means[1]) / 2).sum(axis=1)[:, np.newaxis]


def error_trial(n, rng):
    """Estimates of the error rate of LDA from one data set."""
    sample, counts = draw(n, rng)
    decided = lda_decisions(np.vstack([np.ones(2 * n), counts]), sample.X, n)
    replicates = LeftOut(
        counts=counts, scores=None, decided=decided[1:], decided_at_cost=decided[1:], failed=()
    )
    losses = estimate_losses(
        "error", sample, LossRule.read(), decided[0], decided[1:], replicates, strata=2, level=LEVEL
    )
    return picked(losses, ERRORS)


def run(trial, seed):
    """All trials of one learner and size: estimates and standard errors, (estimates, trials)."""
    found = [trial(stream) for stream in np.random.default_rng(seed).spawn(TRIALS)]
    return np.array([f[0] for f in found]).T, np.array([f[1] for f in found]).T


def line(values, errors):
    """One row of the table."""
    sd, known = values.std(ddof=1), ~np.isnan(errors)
    mean, spread = errors[known].mean(), errors[known].std(ddof=1)
    # The SD of a nearly normal estimate has itself the relative error 1 / sqrt(2 trials).
    error = mean / sd * np.hypot(1 / np.sqrt(2 * len(values)), spread / mean / np.sqrt(len(values)))
    held = np.mean(np.abs(values - values.mean())[known] <= 1.96 * errors[known])
    return f"{sd:.4f} | {mean:.4f} | {mean / sd:.3f} ± {error:.3f} | {held:.1%} | {(~known).sum()}"


def show(n, learner, names, values, errors):
    """The rows of one learner and size."""
    for k, name in enumerate(names.values()):
        print(f"| {n} | {learner} | {name} | {line(values[k], errors[k])} |", flush=True)


def main():
    print(f"{TRIALS} trials, {REPLICATES} replicates\n\n{HEADER}\n|--:|---|---|--:|--:|--:|--:|--:|")
    for n in SIZES:
        for name, learner in LEARNERS.items():
            show(n, name, AREAS, *run(partial(area_trial, learner, n), seed=n))
        show(n, "LDA", ERRORS, *run(partial(error_trial, n), seed=n))


if __name__ == "__main__":
    main()
