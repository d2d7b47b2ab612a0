"""Measures of one confusion matrix of several classes: values, errors, intervals and their coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.core.measures import evaluate
from rocscope.inference.point_measures import estimates, expected_cost
from rocscope.inference.proportions import IntervalKind, wilson_interval
from slow import class_costs, proportions
from slow.class_estimates import AT_A_MAXIMUM, class_estimates

CLASSES = ["a", "b(c)", "d"]
COST = [[0, 1, 2], [5, 0, 5], [0.5, 0.25, 0.25]]
PREVALENCE = [0.2, 0.1, 0.7]
NAMES = (
    "accuracy",
    "error",
    "reject_rate",
    "balanced_accuracy",
    "mean-class-error",
    "max-class-error",
    "cost",
)


@st.composite
def matrices(draw, columns=3, most=9):
    """Three classes, none of them empty; many cells are."""
    cells = np.array(draw(st.lists(st.integers(-most, most), min_size=3 * columns, max_size=3 * columns)))
    counts = np.maximum(cells, 0).reshape(3, columns)
    counts[:, 0] += counts.sum(axis=1) == 0
    return counts


def figures(one):
    return one.value, one.se, one.low, one.high


@given(st.sampled_from([3, 4]).flatmap(matrices), st.sampled_from([None, PREVALENCE]), st.booleans())
def test_values_are_those_of_the_measures(counts, prevalence, priced):
    cost = COST if priced else None
    result = class_estimates(counts, IntervalKind(), classes=CLASSES, prevalence=prevalence, cost=cost)
    assert set(result) == {*NAMES, *(f"error({name})" for name in CLASSES)}
    for name, one in result.items():
        expected = evaluate(name, counts, classes=CLASSES, prevalence=prevalence, cost=cost)
        assert one.value == pytest.approx(float(expected), abs=1e-12), name
        if name != "max-class-error":
            assert one.low <= one.value + 1e-12
            assert one.value <= one.high + 1e-12


@given(matrices(), st.sampled_from([None, PREVALENCE]), st.sampled_from([0.8, 0.95]))
def test_the_cost_agrees_with_adding_case_by_case(counts, prevalence, level):
    result = class_estimates(
        counts, IntervalKind(level=level), classes=CLASSES, prevalence=prevalence, cost=COST
    )["cost"]
    twin = class_costs.expected_cost(counts.tolist(), COST, prevalence, level)
    assert figures(result) == pytest.approx(twin, abs=1e-7)


@given(matrices(columns=4), st.sampled_from([0.8, 0.95]))
def test_means_of_classes_agree_with_the_slow_twin(counts, level):
    result = class_estimates(counts, IntervalKind(level=level), classes=CLASSES, prevalence=PREVALENCE)
    sizes, right = counts.sum(axis=1), np.diagonal(counts)
    wrong = sizes - right - counts[:, 3]
    expected = {
        "balanced_accuracy": (right, [1 / 3] * 3),
        "mean-class-error": (wrong, [1 / 3] * 3),
        "accuracy": (right, PREVALENCE),
        "error": (wrong, PREVALENCE),
        "reject_rate": (counts[:, 3], PREVALENCE),
    }
    for name, (counted, weights) in expected.items():
        terms = list(zip(weights, counted.tolist(), sizes.tolist(), strict=True))
        twin = proportions.squared_and_added(terms, proportions.wilson, level)
        assert (result[name].low, result[name].high) == pytest.approx(twin, abs=1e-7)
        variance = sum(w * w * (k / n) * (1 - k / n) / n for w, k, n in terms)
        assert result[name].se == pytest.approx(math.sqrt(variance), abs=1e-12)


def test_worked_by_hand():
    """Errors 2 of 10, 1 of 20, 4 of 30; all 7 of 60. At 0.2, 0.2, 0.6 the error is 0.04 + 0.01 + 0.08.

    Its variance: 0.04 (0.16 / 10) + 0.04 (0.0475 / 20) + 0.36 (0.115556 / 30) = 0.00212167, SE 0.0460615.
    """
    counts = [[8, 1, 1], [0, 19, 1], [2, 2, 26]]
    result = class_estimates(counts, IntervalKind(), classes="abc")
    assert result["error(a)"].value == 0.2
    assert result["error(a)"].se == pytest.approx(math.sqrt(0.2 * 0.8 / 10))
    assert (result["error"].low, result["error"].high) == wilson_interval(7, 60)
    at = class_estimates(counts, IntervalKind(), classes="abc", prevalence=[0.2, 0.2, 0.6])
    assert (at["error"].value, at["error"].se) == pytest.approx((0.13, 0.0460615), rel=1e-5)


@given(matrices(), st.sampled_from([None, PREVALENCE]))
def test_costs_of_one_for_every_error_are_the_error(counts, prevalence):
    result = class_estimates(counts, IntervalKind(), classes=CLASSES, prevalence=prevalence)
    assert figures(result["cost"]) == pytest.approx(figures(result["error"]), abs=1e-12)


@given(matrices(), st.sampled_from([None, PREVALENCE]))
def test_a_cost_of_all_decisions_alike_only_moves_the_interval(counts, prevalence):
    here, there = (
        expected_cost("cost", counts, np.array(COST) + more, IntervalKind(), prevalence) for more in (0, 3)
    )
    assert figures(there) == pytest.approx((here.value + 3, here.se, here.low + 3, here.high + 3), abs=1e-9)


@given(
    st.lists(st.integers(0, 9), min_size=4, max_size=4),
    st.sampled_from([None, 0.1]),
    st.permutations(range(2)),
)
def test_two_classes_agree_with_their_own_estimates(cells, prevalence, order):
    tn, fp, fn, tp = cells
    counts = np.array([[tn + (tn + fp == 0), fp], [fn, tp + (tp + fn == 0)]])
    (tn, fp), (fn, tp) = counts.tolist()
    cost = np.array([[0, 1], [5, 0.5]])
    shares = None if prevalence is None else np.array([1 - prevalence, prevalence])[order]
    turned = {"cost": cost[np.ix_(order, order)], "prevalence": shares}
    result = class_estimates(counts[np.ix_(order, order)], IntervalKind(), classes=[0, 1], **turned)
    expected = estimates(IntervalKind(), tp=tp, fp=fp, fn=fn, tn=tn, prevalence=prevalence, cost=cost)
    for name, other in (("accuracy",) * 2, ("balanced_accuracy",) * 2, ("cost", "expected_cost")):
        assert figures(result[name]) == pytest.approx(figures(expected[other]), abs=1e-12)


@pytest.mark.parametrize(
    ("alternative", "kept", "given"), [("greater", "low", "high"), ("less", "high", "low")]
)
def test_one_sided_costs(alternative, kept, given):
    counts = np.array([[8, 1, 1], [3, 15, 2], [2, 0, 28]])
    one = IntervalKind(level=0.95, alternative=alternative)
    two = IntervalKind(level=0.9)
    for prevalence in (None, PREVALENCE):
        result, expected = (
            expected_cost("c", counts, np.array(COST), kind, prevalence) for kind in (one, two)
        )
        assert getattr(result, kept) == pytest.approx(getattr(expected, kept))
        ends = np.array([(min(row), max(row)) for row in COST])
        range_ = (0, 5) if prevalence is None else np.array(PREVALENCE) @ ends
        assert getattr(result, given) == pytest.approx(range_[int(given == "high")])


def test_the_largest_error_has_a_value_and_no_more():
    result = class_estimates(np.eye(3, dtype=int) * 5, IntervalKind(), classes=CLASSES)["max-class-error"]
    assert figures(result) == (0.0, None, None, None)
    assert (result.status, result.reason) == ("partial", AT_A_MAXIMUM)


def test_a_class_without_cases_is_named():
    counts = [[3, 1, 0], [0, 0, 0], [0, 1, 5]]
    result = class_estimates(counts, IntervalKind(), classes=CLASSES)
    for name in ("error(b(c))", "balanced_accuracy", "mean-class-error", "max-class-error", "cost"):
        assert (result[name].value, result[name].reason) == (None, "class b(c) has no cases")
    assert result["error"].value == 0.2
    at = class_estimates(counts, IntervalKind(), classes=CLASSES, prevalence=PREVALENCE)
    assert at["error"].reason == "class b(c) has no cases"
    nothing = class_estimates(np.zeros((3, 3), int), IntervalKind(), classes=CLASSES)
    assert {one.status for one in nothing.values()} == {"undefined"}


@pytest.mark.slow
@pytest.mark.parametrize("prevalence", [None, PREVALENCE])
def test_intervals_cover(prevalence):
    """How often the 95% interval holds the expected cost in 2,000 samples of 150 cases."""
    rng = np.random.default_rng(1)
    rates = np.array([[0.85, 0.1, 0.05], [0.05, 0.92, 0.03], [0.02, 0.08, 0.9]])
    shares, cost = np.array([0.3, 0.3, 0.4]), np.array(COST)
    at = shares if prevalence is None else np.array(prevalence)
    truth = {"cost": float(at @ (rates * cost).sum(axis=1)), "mean-class-error": 1 - np.trace(rates) / 3}
    held, squares, values = dict.fromkeys(truth, 0), [], []
    for _ in range(2000):
        sizes = rng.multinomial(150, shares)
        counts = np.stack([rng.multinomial(n, row) for n, row in zip(sizes, rates, strict=True)])
        result = class_estimates(counts, IntervalKind(), classes=CLASSES, prevalence=prevalence, cost=cost)
        for name, value in truth.items():
            held[name] += result[name].low <= value <= result[name].high
        values.append(result["cost"].value)
        squares.append(result["cost"].se ** 2)
    for name, times in held.items():
        assert 0.935 <= times / 2000 <= 0.985, name
    assert np.sqrt(np.mean(squares)) == pytest.approx(np.std(values), rel=0.05)
