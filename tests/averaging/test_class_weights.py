"""Confusion matrices of many class weights, by NumPy and by compiled code, against case by case."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope import ClassScores, ClassWeights, RocInputError, UndefinedError
from rocscope.averaging import class_weights
from rocscope.averaging.class_weights import (
    choose_reject,
    reject_candidates,
    weighted_confusion,
)
from rocscope.core import kernels
from rocscope.core.measures import count_decisions
from slow import weights as slow

LEVELS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0])
HARD = st.sampled_from([0.0, 5e-324, 1e-300, 0.1, 0.2, 0.3, 0.6, 1e300])
FLOATS = st.floats(0, 10)
SOME = st.sampled_from([2, 3, 5, 10])


@pytest.fixture(params=["small", "large"])
def way(request, monkeypatch):
    """Both ways: NumPy for small problems, compiled code for large ones."""
    monkeypatch.setattr(class_weights, "LARGE", {"small": 2**62, "large": 0}[request.param])
    return request.param


@st.composite
def problems(draw, n_classes=SOME, elements=(LEVELS, HARD, FLOATS)):
    """True classes, outputs, weight vectors; ties and zeros are common."""
    c = draw(n_classes)
    size = draw(st.integers(1, 12))
    codes = draw(st.lists(st.integers(0, c - 1), min_size=size, max_size=size))
    outputs = draw(st.sampled_from(elements))
    row = st.lists(outputs, min_size=c, max_size=c)
    scores = draw(st.lists(row, min_size=size, max_size=size))
    weights = draw(st.lists(row.filter(any), min_size=1, max_size=4))
    return np.array(codes), np.array(scores), np.array(weights)


def message_of(call, *args, kind=RocInputError, **options):
    with pytest.raises(kind) as error:
        call(*args, **options)
    return str(error.value)


# ---- Decisions --------------------------------------------------------------------------------------------


@given(problem=problems())
def test_decides_case_by_case(way, problem):
    codes, scores, weights = problem
    found = weighted_confusion(codes, scores, weights)
    expected = [[slow.confusion(codes.tolist(), scores.tolist(), row)] for row in weights.tolist()]
    assert found.dtype == np.int64
    assert found.tolist() == expected


@given(problem=problems(), fold=st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_counts_every_fold(way, problem, fold):
    codes, scores, weights = problem
    fold = fold[: len(codes)]
    found = weighted_confusion(codes, scores, weights, np.array(fold), 4)
    expected = [slow.folded(codes.tolist(), scores.tolist(), row, fold, 4) for row in weights.tolist()]
    assert found.tolist() == expected


@given(problem=problems(elements=[LEVELS]), reject=st.sampled_from([0.0, 0.3, 0.37, 0.5, 0.77, 1.0]))
def test_rejects_case_by_case(way, problem, reject):
    codes, scores, weights = problem
    found = weighted_confusion(codes, scores, weights, reject=reject)[:, 0]
    expected = [slow.confusion(codes.tolist(), scores.tolist(), row, reject) for row in weights.tolist()]
    assert found.tolist() == expected


@given(problem=problems(), reject=st.sampled_from([None, 0.0, 0.3, 1 / 3, 0.5, 0.6, 1.0]))
def test_decides_as_class_weights_do(way, problem, reject):
    codes, scores, weights = problem
    n_classes = scores.shape[1]
    found = weighted_confusion(codes, scores, weights, reject=reject)[:, 0]
    for matrix, row in zip(found, weights, strict=True):
        point = ClassWeights(row, classes=range(n_classes), reject=reject)
        expected = count_decisions(codes, point.decide_codes(scores), n_classes)
        np.testing.assert_array_equal(matrix, expected if reject is not None else expected[:, :-1])


@given(problem=problems(elements=[LEVELS]))
def test_every_point_has_its_own_reject_threshold(way, problem):
    codes, scores, weights = problem
    thresholds = np.linspace(0, 1, len(weights))
    found = weighted_confusion(codes, scores, weights, reject=thresholds)
    for k, threshold in enumerate(thresholds):
        one = weighted_confusion(codes, scores, weights[[k]], reject=threshold)
        np.testing.assert_array_equal(found[[k]], one)


def large_problem(n_classes, n=3001, seed=3):
    """More cases than a block holds, in few levels."""
    rng = np.random.default_rng(seed)
    return (
        rng.integers(0, n_classes, n) * (rng.random(n) < 0.9),
        rng.integers(0, 4, (n, n_classes)) / 4,
        rng.integers(0, 4, (7, n_classes)) + np.eye(7, n_classes) / 8 + 0.125,
        rng.integers(0, 3, n),
    )


@pytest.mark.parametrize("n_classes", [1, 2, 3, 5, 8, 9, 17])
@pytest.mark.parametrize("reject", [None, 0.3])
def test_both_ways_agree_over_many_blocks(monkeypatch, n_classes, reject):
    codes, scores, weights, fold = large_problem(n_classes)
    small = weighted_confusion(codes, scores, weights, fold, 4, reject=reject)
    monkeypatch.setattr(class_weights, "LARGE", 0)
    large = weighted_confusion(codes, scores, weights, fold, 4, reject=reject)
    assert small.shape == (7, 4, n_classes, n_classes + (reject is not None))
    np.testing.assert_array_equal(large, small)


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8, 9])
def test_no_count_runs_over(way, n_classes):
    """All cases of a block are given one class, whose field of the word must hold them."""
    for decided in range(n_classes):
        scores = np.full((3000, n_classes), 0.5)
        scores[:, decided] = 1.0
        found = weighted_confusion(np.ones(3000, int), scores, np.ones((1, n_classes)))
        expected = np.zeros((n_classes, n_classes), int)
        expected[1, decided] = 3000
        np.testing.assert_array_equal(found[0, 0], expected)


def test_small_codes_do_not_overflow():
    codes = np.full(300, 15, np.uint8)
    fold = (np.arange(300) % 20).astype(np.uint8)
    found = weighted_confusion(codes, np.eye(16)[codes], np.ones((1, 16)), fold, 20)
    assert found[0, :, 15, 15].tolist() == [15] * 20


def test_memory_layout_does_not_matter(way):
    codes, scores, weights, _ = large_problem(5)
    found = weighted_confusion(codes, np.asfortranarray(scores), np.asfortranarray(weights), reject=0.3)
    np.testing.assert_array_equal(found, weighted_confusion(codes, scores, weights, reject=0.3))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            [1, 2, 3],
            "weights must have one row per point and one column per class (3), got shape (3,)",
        ),
        ([[1, 2]], "weights must have one row per point and one column per class (3), got shape (1, 2)"),
        ([[1, 1, 1], [1, -1, 1]], "weights must have weights of at least 0, got negative values in row 1"),
        ([[1, np.nan, 1]], "weights must have finite weights, got NaN or infinite values in row 0"),
        ([[1, np.inf, 1]], "weights must have finite weights, got NaN or infinite values in row 0"),
        (
            [[1, 1, 1], [0, 0, 0]],
            "weights must have a weight greater than 0 in every row, got only 0 in row 1",
        ),
        ([["a", "b", "c"]], "weights must hold numbers, got <U1"),
        ([[1, 2], [1]], "weights must be an array, got rows of unequal length"),
    ],
)
def test_refuses_weights(weights, message):
    assert message_of(weighted_confusion, np.zeros(1, int), np.ones((1, 3)), weights) == message


@pytest.mark.parametrize(
    ("reject", "message"),
    [
        (1.5, "reject must hold rates from 0 to 1, got 1.5"),
        (np.nan, "reject must hold rates from 0 to 1, got nan"),
        ([0.5, 0.5], "reject must be one number or one per row of weights (1), got shape (2,)"),
    ],
)
def test_refuses_reject_thresholds(reject, message):
    call = message_of(weighted_confusion, np.zeros(1, int), np.ones((1, 2)), [[1, 1]], reject=reject)
    assert call == message


# ---- The compiled loops -----------------------------------------------------------------------------------


def packed(counts, bits):
    """The word whose fields are these counts, as a signed number."""
    word = sum(count << (k * bits) for k, count in enumerate(counts))
    return word if word < 2**63 else word - 2**64


@given(problem=problems(n_classes=st.sampled_from([2, 3, 5])))
def test_few_classes_are_packed_into_one_word(problem):
    _, scores, weights = problem
    n_classes = scores.shape[1]
    found = kernels.count_few(np.ascontiguousarray(scores.T), weights, (0,) * n_classes, 12, None)
    zeros = [0] * len(scores)
    counts = [slow.confusion(zeros, scores.tolist(), row, scale=False)[0] for row in weights.tolist()]
    assert found.tolist() == [packed(row, 12) for row in counts]


@given(problem=problems(n_classes=st.sampled_from([2, 3, 5]), elements=[LEVELS]))
def test_rejected_cases_have_the_last_field(problem):
    _, scores, weights = problem
    n_classes = scores.shape[1]
    thresholds = np.linspace(0.37, 0.83, len(weights))
    found = kernels.count_few(np.ascontiguousarray(scores.T), weights, (0,) * n_classes, 10, thresholds)
    zeros = [0] * len(scores)
    counts = [
        slow.confusion(zeros, scores.tolist(), row, reject, scale=False)[0]
        for row, reject in zip(weights.tolist(), thresholds.tolist(), strict=True)
    ]
    assert found.tolist() == [packed(row, 10) for row in counts]


@given(problem=problems(n_classes=st.sampled_from([2, 8, 9, 17])))
def test_many_classes_are_packed_eight_to_a_word(problem):
    _, scores, weights = problem
    found = kernels.count_many(np.ascontiguousarray(scores.T), weights)
    zeros = [0] * len(scores)
    counts = [slow.confusion(zeros, scores.tolist(), row, scale=False)[0] for row in weights.tolist()]
    assert found.tolist() == [[packed(row[k : k + 8], 8) for k in range(0, len(row), 8)] for row in counts]


# ---- The door ---------------------------------------------------------------------------------------------


class Stacked:
    """What the result of cross_scores has."""

    y_true = np.array(["b", "a"])
    y_score = np.array([[0.2, 0.8], [0.7, 0.3]])
    classes = ("a", "b")
    fold = np.array([0, 1])


def test_data_may_come_in_one_piece():
    stacked = ClassScores.from_arrays(Stacked())
    assert stacked.codes.tolist() == [1, 0]
    assert stacked.classes == ("a", "b")
    assert ClassScores.from_arrays(stacked) is stacked


def test_numbers_of_columns_need_no_names():
    assert ClassScores.from_arrays([2, 0, 1], np.ones((3, 3))).classes == (0, 1, 2)


UNNAMED = "classes must name the class of each score column, in order; y_true holds "


@pytest.mark.parametrize(
    ("y_true", "y_score", "classes", "message"),
    [
        (["b", "a"], np.ones((2, 2)), None, UNNAMED + "['a', 'b']"),
        ([1, 2], np.ones((2, 2)), None, UNNAMED + "[1, 2]"),
        ([0, 1], np.ones((2, 3)), None, UNNAMED + "[0, 1]"),
        ([0.0, 1.0], np.ones((2, 2)), None, UNNAMED + "[0.0, 1.0]"),
        ([0, 1], [0.1, 0.2], None, UNNAMED + "[0, 1]"),
        ([0, 1], [0.1, 0.2], [0, 1], "y_score must have one column per class (2), got shape (2,)"),
        (
            [0, 1],
            [[1, -1], [1, 1]],
            None,
            "y_score must have outputs of at least 0, got negative values in row 0",
        ),
        (
            [0, 1],
            [[1, 1], [1, np.nan]],
            None,
            "y_score must have finite outputs, got NaN or infinite values in row 1",
        ),
        (
            [0, 1, 1],
            np.ones((2, 2)),
            None,
            "y_true and y_score must have the same length: y_true has 3, y_score has 2",
        ),
        (
            ClassScores.from_arrays([0, 1], np.ones((2, 2)), classes=[0, 1]),
            np.ones((2, 2)),
            None,
            "y_score must be left out where y_true is a ClassScores, which holds it",
        ),
        (
            Stacked(),
            None,
            ["a", "b"],
            "classes must be left out where y_true is a Stacked, which holds it",
        ),
    ],
)
def test_refuses_data(y_true, y_score, classes, message):
    assert message_of(ClassScores.from_arrays, y_true, y_score, classes=classes) == message


# ---- The reject option ------------------------------------------------------------------------------------


def outcomes(codes, scores, weights):
    """(rejected, wrong) of every set of cases that a threshold can reject, from none on."""
    products = [[w * y for w, y in zip(slow.scaled(weights), row, strict=True)] for row in scores]
    shares = [max(p) / sum(p) if any(p) else 1 / len(p) for p in products]
    found = []
    for cut in [0, *sorted(set(shares))]:
        kept = [k for k, share in enumerate(shares) if share > cut]
        wrong = sum(products[k].index(max(products[k])) != codes[k] for k in kept)
        found.append((len(codes) - len(kept), wrong))
    # Nothing above a share of 1 could reject a case that has it.
    return found if max(shares) < 1 else found[:-1]


@given(problem=problems(n_classes=st.integers(2, 4), elements=[LEVELS]), limit=st.floats(0, 1))
def test_rejects_as_many_as_requested(problem, limit):
    codes, scores, weights = problem
    names = list(range(scores.shape[1]))
    point = choose_reject(codes, scores, weights[0], classes=names, rate=limit)
    rejected = int((point.decide_codes(scores) < 0).sum())
    options = outcomes(codes.tolist(), scores.tolist(), weights[0].tolist())
    assert rejected == max(n for n, _ in options if n / len(codes) <= limit)


@given(problem=problems(n_classes=st.integers(2, 4), elements=[LEVELS]), limit=st.floats(0, 1))
def test_rejects_as_few_as_the_error_allows(problem, limit):
    codes, scores, weights = problem
    names = list(range(scores.shape[1]))
    options = outcomes(codes.tolist(), scores.tolist(), weights[0].tolist())
    allowed = [n for n, wrong in options if wrong / len(codes) <= limit]
    if not allowed:
        least = min(wrong for _, wrong in options) / len(codes)
        message = message_of(
            choose_reject, codes, scores, weights[0], classes=names, error=limit, kind=UndefinedError
        )
        assert message == f"no reject threshold has error<={limit:g}; it reaches {least:.4g}"
        return
    point = choose_reject(codes, scores, weights[0], classes=names, error=limit)
    assert int((point.decide_codes(scores) < 0).sum()) == min(allowed)


def test_neighbouring_shares_are_rejected_together():
    """No float lies between them."""
    inverse = np.array([1.5, np.nextafter(1.5, 1), 1.2])
    thresholds, n_rejected, n_wrong = reject_candidates(inverse, np.array([True, True, False]))
    assert n_rejected.tolist() == [0, 2, 3]
    assert n_wrong.tolist() == [2, 0, 0]
    assert (thresholds[1:, np.newaxis] * inverse > 1).sum(axis=1).tolist() == [2, 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "rate or error must be given, and not both, got None and None"),
        ({"rate": 0.1, "error": 0.2}, "rate or error must be given, and not both, got 0.1 and 0.2"),
        ({"rate": 2}, "rate must lie between 0 and 1 (both allowed), got 2"),
        ({"error": -1}, "error must lie between 0 and 1 (both allowed), got -1"),
        (
            {"rate": 0.1, "weights": [1, 1, 1]},
            "weights must have one row per point and one column per class (2), got shape (1, 3)",
        ),
    ],
)
def test_refuses_reject_choices(options, message):
    assert message_of(choose_reject, [0, 1], np.eye(2), **options) == message
