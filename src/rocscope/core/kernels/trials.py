"""The leave-pair-out bootstrap of one training set, with the variance of its influence function."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels import learners
from rocscope.core.kernels.compiling import compiled, inlined
from rocscope.core.kernels.draws import draw_cases, draw_counts

Floats = NDArray[np.float64]
Counts = NDArray[np.int32]


@compiled
def leave_pair_out(counts: Counts, scores: Floats, n_neg: int) -> tuple[Floats, int]:
    """Return the area over pairs left out together, its variance, the noise in that, and pairs dropped.

    Rows of `counts` and `scores` are replicates, columns cases, negatives first. A pair that no replicate
    leaves out is dropped. `noise` is what the finite number of replicates adds to the variance on average.
    """
    n_pos = counts.shape[1] - n_neg
    share, times = pair_shares(counts, scores, n_neg)
    kept = times > 0
    n_kept = kept.sum()
    if n_kept == 0:
        return np.full(3, np.nan), times.size
    value = share.sum() / n_kept
    excess = replicate_excess(counts, scores, n_neg, share, times) / n_kept
    of_pos, of_neg = np.zeros(n_pos), np.zeros(n_neg)
    for i in range(n_pos):
        for j in range(n_neg):
            if kept[i, j]:
                of_pos[i] += share[i, j] - value
                of_neg[j] += share[i, j] - value
    variance = 0.0
    for j in range(n_neg):
        influence = of_neg[j] / n_kept + drawn_excess(counts[:, j], excess)
        variance += influence * influence
    for i in range(n_pos):
        influence = of_pos[i] / n_kept + drawn_excess(counts[:, n_neg + i], excess)
        variance += influence * influence
    noise = (n_neg + n_pos - 2) * (excess * excess).sum()
    return np.array([value, variance, noise]), times.size - n_kept


@inlined
def twice_right(pos: Any, neg: Any) -> Any:
    """2 where the positive scores higher, 1 where they tie, else 0."""
    return 1.0 * (pos > neg) + 1.0 * (pos >= neg)


@compiled
def pair_shares(counts: Counts, scores: Floats, n_neg: int) -> tuple[Floats, Floats]:
    """Of the replicates leaving out a pair (positive, negative): the share ranking it right, their number."""
    n_pos = counts.shape[1] - n_neg
    wins, times = np.zeros((n_pos, n_neg)), np.zeros((n_pos, n_neg))
    left = np.empty(n_neg)
    for b in range(counts.shape[0]):
        for j in range(n_neg):
            left[j] = 0.5 * (counts[b, j] == 0)
        for i in range(n_pos):
            if counts[b, n_neg + i] == 0:
                value = scores[b, n_neg + i]
                for j in range(n_neg):
                    times[i, j] += 2.0 * left[j]
                    wins[i, j] += left[j] * twice_right(value, scores[b, j])
    for i in range(n_pos):
        for j in range(n_neg):
            if times[i, j] > 0:
                wins[i, j] /= times[i, j]
    return wins, times


@compiled
def replicate_excess(counts: Counts, scores: Floats, n_neg: int, share: Floats, times: Floats) -> Floats:
    """Per replicate: how much better than on average it ranks its left-out pairs, each over its `times`."""
    n_pos = counts.shape[1] - n_neg
    weight, expected = np.zeros((n_pos, n_neg)), np.zeros((n_pos, n_neg))
    for i in range(n_pos):
        for j in range(n_neg):
            if times[i, j] > 0:
                weight[i, j] = 1.0 / times[i, j]
                expected[i, j] = share[i, j] / times[i, j]
    excess = np.empty(counts.shape[0])
    left, total = np.empty(n_neg), np.empty(n_neg)
    for b in range(counts.shape[0]):
        for j in range(n_neg):
            left[j] = 1.0 * (counts[b, j] == 0)
            total[j] = 0.0
        for i in range(n_pos):
            if counts[b, n_neg + i] == 0:
                value = scores[b, n_neg + i]
                for j in range(n_neg):
                    right = 0.5 * twice_right(value, scores[b, j])
                    total[j] += left[j] * (right * weight[i, j] - expected[i, j])
        excess[b] = total.sum()
    return excess


@compiled
def drawn_excess(counts: Counts, excess: Floats) -> float:
    """Sum over the replicates of (draws of a case minus their mean, 1) times the excess."""
    total = 0.0
    for b in range(excess.size):
        total += (counts[b] - 1) * excess[b]
    return total


# ---- Monte-Carlo trials: draw a training set, train, bootstrap and test, all in compiled code -------------
# Cases are in one order everywhere: negatives, then positives. Each trial has a random stream of its
# own, from
# which it draws its training set, its replicates and, if it has one of its own, its test set.

State = NDArray[np.uint64]


class Cases(NamedTuple):
    """Cases of both classes, (cases, p), and what a learner scores them by, (terms, cases)."""

    n_neg: int
    features: Floats
    terms: Floats


class TrainingSet(NamedTuple):
    """Cases with what all replicates have in common; the pairs hold negatives and positives."""

    cases: Cases
    sizes: tuple[int, int]
    centres: tuple[Floats, Floats]
    own: tuple[Floats, Floats]
    ridges: tuple[float, float]
    distances: Floats


@compiled
def prepare_cases(learner: int, neg: Floats, pos: Floats) -> Cases:
    """Put the classes together; a quadratic score needs products of the features."""
    features = np.concatenate((neg, pos))
    terms = learners.monomials(features) if learner == learners.QDA else features
    return Cases(neg.shape[0], features, np.ascontiguousarray(terms.T))


@compiled
def prepare_training(learner: int, neg: Floats, pos: Floats) -> TrainingSet:
    """Compute once what every replicate of a training set needs."""
    p = neg.shape[1]
    cases = prepare_cases(learner, neg, pos)
    centres = (learners.class_mean(neg), learners.class_mean(pos))
    own = (learners.monomials(neg - centres[0]), learners.monomials(pos - centres[1]))
    ridges = (
        learners.RIDGE * learners.mean_variance(own[0], p),
        learners.RIDGE * learners.mean_variance(own[1], p),
    )
    n = cases.features.shape[0] if learner == learners.NEAREST_NEIGHBOUR else 0
    distances = np.empty((n, n))
    for row in range(n):
        distances[row] = learners.squared_distances(cases.features[row], cases.features)
    return TrainingSet(cases, (neg.shape[0], pos.shape[0]), centres, own, ridges, distances)


@compiled
def train_on(learner: int, training: TrainingSet, counts: Counts) -> tuple[Floats, int]:
    """Coefficients of the learner trained on counted cases, and its number of singular covariances."""
    if learner == learners.NEAREST_NEIGHBOUR:
        return np.empty(0), 0
    n_neg, p = training.sizes[0], training.centres[0].size
    n_terms = p if learner == learners.NEAREST_MEAN else training.own[0].shape[1]
    sums = (
        learners.weighted_sums(counts[:n_neg], training.own[0], n_terms),
        learners.weighted_sums(counts[n_neg:], training.own[1], n_terms),
    )
    return learners.train(learner, training.sizes, sums, training.centres, training.ridges)


@compiled
def area_on(learner: int, training: TrainingSet, coefficients: Floats, test: Cases) -> float:
    """Area on a test set of the learner trained on the whole training set."""
    trained = training.cases.features
    members = np.arange(trained.shape[0])
    scores = np.empty(test.features.shape[0])
    if learner != learners.NEAREST_NEIGHBOUR:
        learners.polynomial_scores(coefficients, test.terms, scores)
    else:
        for row in range(scores.size):
            distances = learners.squared_distances(test.features[row], trained)
            scores[row] = learners.nearest_is_positive(distances, members, training.sizes[0])
    return learners.area_of(scores[test.n_neg :], scores[: test.n_neg])


@compiled
def score_training(learner: int, training: TrainingSet, counts: Counts, scores: Floats) -> int:
    """Write the scores of the training cases by the learner trained on counted ones; return singular ones."""
    if learner != learners.NEAREST_NEIGHBOUR:
        coefficients, singular = train_on(learner, training, counts)
        learners.polynomial_scores(coefficients, training.cases.terms, scores)
        return singular
    members = np.flatnonzero(counts)
    for row in range(scores.size):
        if counts[row]:  # a training case is its own neighbour
            scores[row] = 1.0 * (row >= training.sizes[0])
        else:
            scores[row] = learners.nearest_is_positive(training.distances[row], members, training.sizes[0])
    return 0


@compiled
def draw_replicates(n_neg: int, n_pos: int, n_boot: int, state: State) -> tuple[Counts, int]:
    """How often each case is in each replicate, drawn class by class, and how many draws were repeated.

    A class of which no case is left out cannot be tested, so it is drawn again.
    """
    counts = np.empty((n_boot, n_neg + n_pos), np.int32)
    redrawn = 0
    for b in range(n_boot):
        redrawn += _draw_class(counts[b, :n_neg], state) + _draw_class(counts[b, n_neg:], state)
    return counts, redrawn


@compiled
def _draw_class(counts: Counts, state: State) -> int:
    again = -1
    complete = True
    while complete:
        counts[:] = draw_counts(counts.size, 1, state)[0]
        complete = counts.min() > 0
        again += 1
    return again


@compiled
def replicate_scores(learner: int, training: TrainingSet, counts: Counts) -> tuple[Floats, int]:
    """Scores of all cases by the learner trained on each replicate, and the count of singular covariances."""
    scores = np.empty(counts.shape)
    singular = 0
    for b in range(counts.shape[0]):
        singular += score_training(learner, training, counts[b], scores[b])
    return scores, singular


@compiled
def left_out_areas(counts: Counts, scores: Floats, n_neg: int) -> Floats:
    """Area of each replicate on the cases that are not in it."""
    n_boot, n = counts.shape
    areas = np.empty(n_boot)
    neg, pos = np.empty(n_neg), np.empty(n - n_neg)
    for b in range(n_boot):
        m, k = 0, 0
        for i in range(n_neg):
            neg[m] = scores[b, i]
            m += counts[b, i] == 0
        for i in range(n_neg, n):
            pos[k] = scores[b, i]
            k += counts[b, i] == 0
        areas[b] = learners.area_of(pos[:k], neg[:m])
    return areas


@compiled
def draw_pair(n_neg: int, n_pos: int, means: Floats, roots: Floats, state: State) -> tuple[Floats, Floats]:
    """Draw both classes of a normal population."""
    return draw_cases(n_neg, means[0], roots[0], state), draw_cases(n_pos, means[1], roots[1], state)


@compiled
def bootstrap_trial(
    learner: int, training: TrainingSet, n_boot: int, pairs: bool, state: State
) -> tuple[Floats, NDArray[np.int64]]:
    """Draw replicates of a training set; return what `run_trials` keeps of them."""
    n_neg, n_pos = training.sizes
    values, counters = np.full(4, np.nan), np.zeros(3, np.int64)
    counts, counters[0] = draw_replicates(n_neg, n_pos, n_boot, state)
    scores, counters[1] = replicate_scores(learner, training, counts)
    values[0] = left_out_areas(counts, scores, n_neg).mean()
    if pairs:
        values[1:], counters[2] = leave_pair_out(counts, scores, n_neg)
    return values, counters


@compiled
def run_trials(
    learner: int,
    sizes: tuple[int, int],
    n_boot: int,
    pairs: bool,
    means: Floats,
    roots: Floats,
    test_size: int,
    test_state: State,
    states: NDArray[np.uint64],
) -> tuple[Floats, NDArray[np.int64]]:
    """Run one trial per row of `states`.

    `test_state` draws the test set that all trials share; where it is empty each draws its own.

    Returns
    -------
    values : (trials, 6)
        Area on the test set, apparent area, AUC(*), and leave-pair-out's value, variance and noise.
    counters : (trials, 3)
        Repeated draws, singular covariances, pairs never left out together.
    """
    n_neg, n_pos = sizes
    values = np.full((states.shape[0], 6), np.nan)
    counters = np.zeros((states.shape[0], 3), np.int64)
    everyone = np.ones(n_neg + n_pos, np.int32)
    common = test_state.size > 0
    first = test_state.copy() if common else states[0].copy()
    test = prepare_cases(learner, *draw_pair(test_size, test_size, means, roots, first))
    for trial in range(states.shape[0]):
        state = states[trial].copy()
        training = prepare_training(learner, *draw_pair(n_neg, n_pos, means, roots, state))
        coefficients, singular = train_on(learner, training, everyone)
        values[trial, 1] = area_on(learner, training, coefficients, training.cases)
        if n_boot:
            values[trial, 2:], counters[trial] = bootstrap_trial(learner, training, n_boot, pairs, state)
        counters[trial, 1] += singular
        if not common:
            test = prepare_cases(learner, *draw_pair(test_size, test_size, means, roots, state))
        values[trial, 0] = area_on(learner, training, coefficients, test)
    return values, counters


@compiled
def cross_areas(
    learner: int,
    sizes: tuple[int, int],
    means: Floats,
    roots: Floats,
    test_size: int,
    test_states: NDArray[np.uint64],
    states: NDArray[np.uint64],
) -> Floats:
    """Area of every training set on every test set, (training sets, test sets); one stream for each set."""
    areas = np.empty((states.shape[0], test_states.shape[0]))
    everyone = np.ones(sizes[0] + sizes[1], np.int32)
    tests = [
        prepare_cases(learner, *draw_pair(test_size, test_size, means, roots, test_states[k].copy()))
        for k in range(test_states.shape[0])
    ]
    for row in range(states.shape[0]):
        drawn = draw_pair(sizes[0], sizes[1], means, roots, states[row].copy())
        training = prepare_training(learner, *drawn)
        coefficients, _ = train_on(learner, training, everyone)
        for column, test in enumerate(tests):
            areas[row, column] = area_on(learner, training, coefficients, test)
    return areas
