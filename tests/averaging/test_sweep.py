"""Exact coordinate sweeps against weights tried one by one."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope import ClassScores, ClassWeights, RocInputError, UndefinedError
from rocscope.averaging import search
from rocscope.averaging.search import (
    NARROWEST,
    best_of_path,
    coordinate_path,
    read_goal,
    sweep_weights,
)
from rocscope.core.measures import class_errors, count_decisions
from slow import weights as slow

LEVELS = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0, 2.0])
TENTHS = st.integers(0, 10).map(lambda k: k / 10)
HARD = st.sampled_from([0.0, 5e-324, 1e-300, 0.1, 0.2, 0.3, 0.6, 1e300])
FLOATS = st.floats(0, 10)
NOT_TINY = st.one_of(st.just(0.0), st.floats(1e-50, 1e50))  # products stay within the range of floats


UP_TO_TEN = st.integers(2, 10)


@st.composite
def problems(draw, n_classes=UP_TO_TEN, elements=(LEVELS, TENTHS, HARD, FLOATS), max_more=12):
    """Cases of every class, outputs with ties and zeros, one weight vector."""
    c = draw(n_classes)
    more = draw(st.lists(st.integers(0, c - 1), max_size=max_more))
    codes = [*range(c), *more]
    row = st.lists(draw(st.sampled_from(elements)), min_size=c, max_size=c)
    scores = draw(st.lists(row, min_size=len(codes), max_size=len(codes)))
    weights = draw(st.lists(LEVELS, min_size=c, max_size=c).filter(any))
    return np.array(codes), np.array(scores), np.array(weights) / max(weights)


def decided(codes, scores, weights):
    point = ClassWeights(weights, classes=range(len(weights)))
    return count_decisions(codes, point.decide_codes(scores), len(weights))[:, :-1].tolist()


# ---- One coordinate ---------------------------------------------------------------------------------------


@given(problem=problems(elements=[LEVELS, TENTHS, NOT_TINY]), swept=st.integers(0, 9))
def test_matrices_are_those_of_weights_between_break_points(problem, swept):
    codes, scores, weights = problem
    swept %= len(weights)
    path = coordinate_path(codes, scores, weights, swept)
    matrices = np.concatenate(list(path.confusions()))
    assert len(matrices) == len(path.breaks) + 1 == len(path.widths())
    assert path.breaks.tolist() == slow.turning_points(scores.tolist(), weights.tolist(), swept)
    for interval in np.flatnonzero(path.widths() > NARROWEST):
        weight = math.exp(path.inside(int(interval)))
        tried = [weight if c == swept else w for c, w in enumerate(weights.tolist())]
        assert matrices[interval].tolist() == slow.confusion(
            codes.tolist(), scores.tolist(), tried, scale=False
        )


@given(problem=problems(), swept=st.integers(0, 9))
def test_class_errors_are_those_of_the_matrices(problem, swept):
    codes, scores, weights = problem
    path = coordinate_path(codes, scores, weights, swept % len(weights))
    expected = class_errors(np.concatenate(list(path.confusions())))
    np.testing.assert_array_equal(path.class_errors(), expected)


@pytest.mark.parametrize("cells", [1, 30, 200])
def test_matrices_come_in_pieces(monkeypatch, cells):
    rng = np.random.default_rng(5)
    codes, scores = rng.integers(0, 3, 200), rng.integers(0, 9, (200, 3)) / 8
    path = coordinate_path(codes, scores, np.array([1.0, 0.5, 0.25]), 1)
    whole = np.concatenate(list(path.confusions()))
    goal = read_goal("error", classes=range(3))
    best = best_of_path(path, goal)
    monkeypatch.setattr(search, "CHUNK_CELLS", cells)
    pieces = list(path.confusions())
    assert len(pieces) > 2
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    assert best_of_path(path, goal) == best


def test_a_case_without_any_output_belongs_to_the_first_class():
    codes, scores = np.array([0, 1]), np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0]])
    for swept in range(3):
        path = coordinate_path(codes, scores, np.ones(3), swept)
        assert path.breaks.size == 0
        assert path.first.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]
        assert path.inside(0) == 0.0


def test_break_points_that_rounding_parts_are_one():
    """0.3 / 0.1 and 0.6 / 0.2 are the same number, but not their logarithms: nothing lies between."""
    scores = np.array([[0.3, 0.1], [0.6, 0.2], [0.9, 0.3]])
    path = coordinate_path(np.array([0, 1, 1]), scores, np.ones(2), 1)
    assert len(path.breaks) > 1
    assert (path.widths() > NARROWEST).sum() == 2
    log_weight, _ = best_of_path(path, read_goal("error", classes=range(2)))
    assert log_weight == path.breaks[-1] + 1


def test_takes_the_widest_of_equal_intervals():
    codes = np.array([0, 0, 1])
    scores = np.array([[8.0, 1.0], [2.0, 1.0], [1.0, 1.0]])
    path = coordinate_path(codes, scores, np.ones(2), 1)
    log_weight, key = best_of_path(path, read_goal(lambda m: np.zeros(len(m)), classes=range(2)))
    assert key == (0.0, 0.0, 0.0)
    assert log_weight == pytest.approx(math.log(2) / 2)


@given(problem=problems(n_classes=st.just(2), elements=[LEVELS, TENTHS, FLOATS]))
def test_two_classes_are_thresholds_on_a_ratio(problem):
    codes, scores, _ = problem
    scores = np.where(scores < 1e-6, 0.0, scores)
    ratios = sorted({b / a for a, b in scores.tolist() if a > 0 and b > 0})
    path = coordinate_path(codes, scores, np.ones(2), 1)
    merged = [ratio for k, ratio in enumerate(ratios) if k == 0 or ratio > ratios[k - 1] * (1 + 1e-14)]
    breaks = path.breaks[::-1]
    breaks = breaks[np.diff(breaks, prepend=np.inf) < -1e-14]
    np.testing.assert_allclose(np.exp(-breaks), merged, rtol=1e-14)


# ---- Cycles -----------------------------------------------------------------------------------------------


@given(problem=problems(elements=[LEVELS, TENTHS, HARD, FLOATS]))
def test_never_ends_worse_than_it_began(problem):
    codes, scores, weights = problem
    found = sweep_weights(codes, scores, [weights])
    assert found.shape == (1, len(weights))
    assert found.sum() == pytest.approx(1) or found.max() == 1
    before = decided(codes, scores, weights)
    after = decided(codes, scores, found[0])
    order = [(slow.max_error(m), slow.mean_error(m)) for m in (after, before)]
    assert order[0] <= order[1]


@given(problem=problems(n_classes=st.integers(2, 4)), bound=st.sampled_from([0.0, 0.25, 0.5]))
def test_never_leaves_what_the_constraints_allow(problem, bound):
    codes, scores, weights = problem
    found = sweep_weights(
        codes, scores, [weights], objective="error", constraints=(f"rate(0,1)<={bound}", f"error(1)<{bound}")
    )

    def key(matrix):
        rate, error = slow.rate(matrix, 0, 1), slow.class_errors(matrix)[1]
        broken = max(rate - Fraction(bound), 0) + max(error - Fraction(bound), 0)
        return broken, broken == 0 and error == bound, slow.error(matrix)

    assert key(decided(codes, scores, found[0])) <= key(decided(codes, scores, weights))


@given(problem=problems(n_classes=st.just(2), elements=[LEVELS, TENTHS, FLOATS], max_more=20))
def test_two_classes_reach_the_best_of_all_thresholds(problem):
    """One sweep of two classes sees every threshold, so no other weights can be better."""
    codes, scores, _ = problem
    scores = np.round(scores * 10)  # whole numbers: ratios are equal, or differ by more than rounding
    found = sweep_weights(codes, scores)
    after = slow.max_error(decided(codes, scores, found[0]))
    # A row without any output is given class 0 at every weight, and no threshold can change that.
    silent = ~scores.any(axis=1)
    moved = [(1.0, 0.0) if s else tuple(row) for s, row in zip(silent, scores.tolist(), strict=True)]
    assert after == slow.best_maximum(codes.tolist(), moved)


@pytest.mark.parametrize(
    "objective", ["max-class-error", "accuracy", "cost", "rate(1,1)", "mean-class-error"]
)
@pytest.mark.parametrize("n_classes", [3, 10])
def test_no_class_can_be_improved_in_the_end(objective, n_classes):
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(0, n_classes, 300)
    scores = rng.random((300, n_classes)) * np.linspace(0.3, 1, n_classes)
    scores[np.arange(300), codes] += 0.4
    starts = rng.dirichlet(np.ones(n_classes), 3)
    goal = read_goal(objective, classes=range(n_classes))
    ends = sweep_weights(codes, scores, starts, objective=objective)
    keys = [
        [goal.keys(np.array([decided(codes, scores, row)]))[:, 0].tolist() for row in rows]
        for rows in (starts, ends)
    ]
    assert all(after < before for before, after in zip(*keys, strict=True))
    for row, key in zip(ends, keys[1], strict=True):
        for swept in range(n_classes):
            for step in np.linspace(-3, 3, 61):
                tried = row * np.exp(step * np.eye(n_classes)[swept])
                at = goal.keys(np.array([decided(codes, scores, tried)]))[:, 0].tolist()
                assert at[:2] >= key[:2]


def test_rows_are_swept_apart():
    rng = np.random.default_rng(2)
    codes, scores = rng.integers(0, 3, 100), rng.random((100, 3))
    starts = rng.dirichlet(np.ones(3), 4)
    together = sweep_weights(codes, scores, starts)
    apart = np.concatenate([sweep_weights(codes, scores, [row]) for row in starts])
    np.testing.assert_array_equal(together, apart)


def test_max_cycles_stops_early():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 4, 200)
    scores = (rng.random((200, 4)) + np.eye(4)[codes] / 2) * [1, 2, 3, 4]
    goal = read_goal("max-class-error", classes=range(4))
    losses = [
        goal.keys(np.array([decided(codes, scores, sweep_weights(codes, scores, max_cycles=cycles)[0])]))[
            1, 0
        ]
        for cycles in (1, 100)
    ]
    assert losses[1] < losses[0] < goal.keys(np.array([decided(codes, scores, np.ones(4))]))[1, 0]


def test_scale_of_rows_does_not_matter():
    """Powers of two move no rounding."""
    rng = np.random.default_rng(4)
    codes, scores = rng.integers(0, 3, 80), rng.random((80, 3))
    scaled = scores * 2.0 ** rng.integers(-20, 20, (80, 1))
    np.testing.assert_allclose(sweep_weights(codes, scaled), sweep_weights(codes, scores), rtol=1e-12)


def test_class_names_reach_the_objective():
    data = ClassScores.from_arrays(["x", "y", "x"], [[1, 2], [2, 3], [1, 1]], classes=["x", "y"])
    row = sweep_weights(data, objective="rate(x, y)")[0]
    assert ClassWeights(row, classes=["x", "y"]).decide(data.scores).tolist() == ["x", "x", "x"]


def message_of(call, *args, kind=RocInputError, **options):
    with pytest.raises(kind) as error:
        call(*args, **options)
    return str(error.value)


def test_refuses_weights():
    assert message_of(sweep_weights, [0, 1], np.eye(2), [[1, -1]]) == (
        "weights must have weights of at least 0, got negative values in row 0"
    )
    assert message_of(sweep_weights, [0, 1], np.eye(2), max_cycles=0) == (
        "max_cycles must be a whole number of at least 1, got 0"
    )


def test_an_objective_without_its_class_is_undefined():
    message = message_of(
        sweep_weights, ["a", "b"], np.ones((2, 3)), classes=["a", "b", "c"], kind=UndefinedError
    )
    assert message == "objective 'max-class-error' is undefined for all weights: there are no cases of ['c']"


def test_constraints_that_are_no_texts_are_refused():
    message = message_of(sweep_weights, [0, 1, 0, 1], [[1, 2], [2, 1], [3, 1], [1, 3]], constraints=5)
    assert message == "constraints must be a list of texts such as 'error(a)<=0.1', got 5"
