"""Compiled learners and trials against NumPy's textbook forms, scikit-learn and loops over pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from rocscope.bootstrap.engine import LEARNERS
from rocscope.core.kernels import draws, learners, trials
from slow import learners as slow
from slow import left_out, pairs

TIED = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=30)


def state(seed=1):
    return np.random.SeedSequence(seed).generate_state(4, np.uint64).astype(np.uint64)


def classes(n_neg, n_pos, p, seed=1):
    rng = np.random.default_rng(seed)
    mixed = np.eye(p) + 0.3 * rng.normal(size=(p, p))
    return rng.normal(size=(n_neg, p)) @ mixed - 0.3, rng.normal(size=(n_pos, p)) + 0.3


def trained(learner, neg, pos, n_boot, seed=1):
    """Counts, scores and counters of the replicates of a training set."""
    code = LEARNERS.index(learner)
    training = trials.prepare_training(code, neg, pos)
    counts, redrawn = trials.draw_replicates(len(neg), len(pos), n_boot, state(seed))
    scores, singular = trials.replicate_scores(code, training, counts)
    return counts, scores, redrawn, singular


# ---- Random numbers ---------------------------------------------------------------------------------------


def test_normals_are_normal():
    values = draws.draw_normals(200_001, state())
    assert stats.kstest(values, "norm").pvalue > 0.01
    assert abs(np.corrcoef(values[:-1], values[1:])[0, 1]) < 0.01
    # Both numbers of a pair, and their squares: the polar method makes them from one point.
    first, second = values[:-1:2], values[1::2]
    assert abs(np.corrcoef(first**2, second**2)[0, 1]) < 0.015
    assert stats.kstest(second, "norm").pvalue > 0.01
    assert stats.kurtosis(values) == pytest.approx(0, abs=0.05)


def test_a_stream_goes_on():
    one, two = state(), state()
    whole = draws.draw_normals(8, one)
    parts = [draws.draw_normals(4, two) for _ in range(2)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, state())
    np.testing.assert_array_equal(draws.draw_normals(3, state()), whole[:3])


def test_cases_have_the_mean_and_covariance_requested():
    covariance = np.array([[2.0, 0.6, -0.5], [0.6, 1.0, 0.2], [-0.5, 0.2, 0.5]])
    mean = np.array([1.0, -2.0, 0.5])
    cases = draws.draw_cases(200_000, mean, np.linalg.cholesky(covariance), state())
    np.testing.assert_allclose(cases.mean(axis=0), mean, atol=0.02)
    np.testing.assert_allclose(np.cov(cases.T), covariance, atol=0.03)


def test_replicates_are_drawn_class_by_class_and_leave_some_out():
    counts, redrawn = trials.draw_replicates(3, 4, 4000, state())
    assert (counts[:, :3].sum(axis=1) == 3).all()
    assert (counts[:, 3:].sum(axis=1) == 4).all()
    assert (counts[:, :3].min(axis=1) == 0).all()
    assert (counts[:, 3:].min(axis=1) == 0).all()
    again = [share / (1 - share) for share in (6 / 27, 24 / 256)]  # all three or four drawn once
    assert redrawn == pytest.approx(4000 * sum(again), rel=0.1)
    assert counts[:, :3].mean(axis=0) == pytest.approx(np.ones(3), abs=0.05)


# ---- Learners ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("n_neg", "n_pos", "p"), [(12, 15, 1), (30, 20, 2), (25, 40, 5)])
def test_scores_are_those_of_the_textbook(learner, n_neg, n_pos, p):
    neg, pos = classes(n_neg, n_pos, p)
    counts, scores, _, singular = trained(learner, neg, pos, 20)
    assert singular == 0
    cases = np.concatenate([neg, pos])
    for b in range(20):
        expected = slow.scores(learner, counts[b], cases, n_neg)
        shift = 0.0 if learner == "1nn" else (expected - scores[b]).mean()  # constants rank nothing
        np.testing.assert_allclose(scores[b] + shift, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("learner", ["lda", "qda"])
@pytest.mark.parametrize(("n_neg", "n_pos", "p"), [(3, 4, 5), (2, 2, 3), (6, 6, 5)])
def test_a_singular_covariance_gets_a_ridge(learner, n_neg, n_pos, p):
    """Scores are then as large as 1e6: their order is what must agree."""
    neg, pos = classes(n_neg, n_pos, p, seed=n_neg)
    counts, scores, _, singular = trained(learner, neg, pos, 30)
    assert singular > 0
    assert np.isfinite(scores).all()
    cases = np.concatenate([neg, pos])
    for b in range(30):
        expected = slow.scores(learner, counts[b], cases, n_neg)
        scale = np.ptp(expected)
        np.testing.assert_allclose(
            (scores[b] - scores[b].mean()) / scale, (expected - expected.mean()) / scale, atol=1e-6
        )


def test_singular_covariances_are_counted_one_by_one():
    neg, pos = classes(6, 6, 5)
    counts, _, _, singular = trained("qda", neg, pos, 200)
    distinct = [(row[part] > 0).sum() for row in counts for part in (slice(6), slice(6, 12))]
    assert singular == sum(number <= 5 for number in distinct)


def test_a_constant_feature_is_singular_in_every_replicate():
    neg, pos = classes(20, 20, 3)
    neg[:, 1] = pos[:, 1] = 4.0
    assert trained("qda", neg, pos, 10)[3] == 20
    assert trained("lda", neg, pos, 10)[3] == 10


def distance_gain(model, cases):
    """NearestCentroid scales its own scores by the features' spread, so its centroids serve."""
    to_neg, to_pos = (((cases - centre) ** 2).sum(axis=1) for centre in model.centroids_)
    return to_neg - to_pos


SKLEARN = {
    "qda": (QuadraticDiscriminantAnalysis(), QuadraticDiscriminantAnalysis.decision_function),
    "lda": (LinearDiscriminantAnalysis(), LinearDiscriminantAnalysis.decision_function),
    "1nn": (KNeighborsClassifier(1), KNeighborsClassifier.predict),
    "nearest-mean": (NearestCentroid(), distance_gain),
}


@pytest.mark.parametrize("learner", LEARNERS)
def test_left_out_areas_are_those_of_scikit_learn(learner):
    """Classes of one size: scikit-learn's QDA divides by n, or by n - 1 in older versions."""
    n_neg = n_pos = 35
    neg, pos = classes(n_neg, n_pos, 5)
    counts, scores, _, _ = trained(learner, neg, pos, 25)
    found = trials.left_out_areas(counts, scores, n_neg)
    model, score = SKLEARN[learner]
    cases, y = np.concatenate([neg, pos]), np.repeat([0, 1], [n_neg, n_pos])
    for b in range(25):
        rows = np.repeat(np.arange(len(y)), counts[b])
        model.fit(cases[rows], y[rows])
        out = counts[b] == 0
        assert found[b] == pytest.approx(left_out.auc(score(model, cases[out]), y[out]), abs=1e-12)


@pytest.mark.parametrize("learner", LEARNERS)
def test_areas_on_a_test_set_and_on_the_training_set(learner):
    code = LEARNERS.index(learner)
    neg, pos = classes(20, 25, 3)
    test_neg, test_pos = classes(250, 210, 3, seed=2)
    training = trials.prepare_training(code, neg, pos)
    everyone = np.ones(45, np.int32)
    coefficients, singular = trials.train_on(code, training, everyone)
    assert singular == 0
    cases, test = np.concatenate([neg, pos]), np.concatenate([test_neg, test_pos])
    found = trials.area_on(code, training, coefficients, trials.prepare_cases(code, test_neg, test_pos))
    scores = slow.scores(learner, everyone, cases, 20, test)
    y = np.repeat([0, 1], [250, 210])
    assert found == pytest.approx(left_out.auc(scores, y), abs=1e-12)
    own = trials.area_on(code, training, coefficients, training.cases)
    y = np.repeat([0, 1], [20, 25])
    assert own == pytest.approx(left_out.auc(slow.scores(learner, everyone, cases, 20), y), abs=1e-12)
    assert learner != "1nn" or own == 1.0


# ---- Areas and pairs --------------------------------------------------------------------------------------


@given(pos=TIED, neg=TIED)
def test_both_ways_to_count_pairs(pos, neg):
    expected = round(2 * len(pos) * len(neg) * pairs.area(pos, neg))
    for count in (learners.twice_u_by_pairs, learners.twice_u_by_sorting):
        assert count(np.array(pos), np.array(neg)) == expected
    assert learners.area_of(np.array(pos), np.array(neg)) == float(pairs.area(pos, neg))


def test_area_without_a_class_is_not_a_number():
    assert np.isnan(learners.area_of(np.empty(0), np.ones(2)))


def drawn_rows(counts):
    return [np.repeat(np.arange(len(row)), row) for row in counts]


@pytest.mark.parametrize(("n_neg", "n_pos", "n_boot"), [(7, 9, 40), (12, 5, 6), (4, 4, 3)])
def test_leave_pair_out_is_the_loop_over_pairs(n_neg, n_pos, n_boot):
    """Scores in thirds: many pairs tie; with few replicates some are never left out together."""
    counts, _ = trials.draw_replicates(n_neg, n_pos, n_boot, state(n_boot))
    scores = np.random.default_rng(5).integers(0, 6, counts.shape) / 3
    (value, variance, noise), dropped = trials.leave_pair_out(counts, scores, n_neg)
    y = [0] * n_neg + [1] * n_pos
    expected = left_out.leave_pair_out(scores.tolist(), drawn_rows(counts), y, 2)
    assert value == pytest.approx(expected[0], abs=1e-12)
    assert variance - noise == pytest.approx(expected[1], abs=1e-12)
    assert noise == pytest.approx((n_neg + n_pos - 2) * expected[2] * (n_boot - 1) / n_boot, abs=1e-12)
    share, _ = left_out.pair_shares(scores.tolist(), drawn_rows(counts), y)
    assert dropped == n_neg * n_pos - len(share)
    assert dropped > 0 or n_boot == 40


# ---- Trials -----------------------------------------------------------------------------------------------

MEANS = np.array([[-0.3, 0.0, 0.1], [0.3, 0.2, -0.1]])
ROOTS = np.stack([np.eye(3), np.diag([1.0, 2.0, 0.5])])
NONE = np.empty(0, np.uint64)


def states(n):
    return np.random.SeedSequence(9).generate_state(4 * n, np.uint64).reshape(n, 4).astype(np.uint64)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("common", [True, False])
def test_a_trial_is_what_its_parts_are(learner, common):
    """The same streams, drawn step by step, and every estimate by the literal twin."""
    code, sizes, n_boot, m = LEARNERS.index(learner), (11, 9), 12, 40
    test_state = state(77)
    values, counters = trials.run_trials(
        code, sizes, n_boot, True, MEANS, ROOTS, m, test_state if common else NONE, states(3)
    )
    y, test_y = [0] * 11 + [1] * 9, [0] * m + [1] * m
    for trial, stream in enumerate(states(3)):
        cases = np.concatenate(trials.draw_pair(11, 9, MEANS, ROOTS, stream))
        counts, redrawn = trials.draw_replicates(11, 9, n_boot, stream)
        drawn = trials.draw_pair(m, m, MEANS, ROOTS, test_state.copy() if common else stream)
        everyone = np.ones(20, np.int32)
        scores = [slow.scores(learner, row, cases, 11) for row in counts]
        rows = drawn_rows(counts)
        expected = [
            left_out.auc(slow.scores(learner, everyone, cases, 11, np.concatenate(drawn)), test_y),
            left_out.auc(slow.scores(learner, everyone, cases, 11), y),
            left_out.star(scores, rows, y),
            left_out.leave_pair_out(scores, rows, y, 2)[0],
        ]
        np.testing.assert_allclose(values[trial, :4], expected, atol=1e-12)
        corrected = left_out.leave_pair_out(scores, rows, y, 2)[1]
        assert values[trial, 4] - values[trial, 5] == pytest.approx(corrected, abs=1e-12)
        assert counters[trial, 0] == redrawn
    assert (test_state == state(77)).all()


def test_trials_do_not_depend_on_their_neighbours():
    all_three = trials.run_trials(2, (9, 9), 5, False, MEANS, ROOTS, 20, NONE, states(3))[0]
    last = trials.run_trials(2, (9, 9), 5, False, MEANS, ROOTS, 20, NONE, states(3)[2:])[0]
    np.testing.assert_array_equal(all_three[2:], last)
    assert np.isnan(all_three[:, 3:]).all()


def test_crossed_areas_are_those_of_single_trials():
    test_states = np.stack([state(5), state(6)])
    crossed = trials.cross_areas(1, (10, 12), MEANS, ROOTS, 30, test_states, states(4))
    for column, own in enumerate(test_states):
        single = trials.run_trials(1, (10, 12), 0, False, MEANS, ROOTS, 30, own, states(4))[0]
        np.testing.assert_array_equal(crossed[:, column], single[:, 0])


def test_codes_are_the_places_of_the_names():
    codes = (learners.NEAREST_MEAN, learners.LDA, learners.QDA, learners.NEAREST_NEIGHBOUR)
    assert dict(zip(("nearest-mean", "lda", "qda", "1nn"), codes, strict=True)) == {
        name: LEARNERS.index(name) for name in LEARNERS
    }
