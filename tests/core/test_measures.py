import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocscope import RocInputError, roc_curve
from rocscope.core import measures
from slow import decisions

COUNTS = st.integers(0, 12)
MATRICES = st.tuples(st.tuples(COUNTS, COUNTS), st.tuples(COUNTS, COUNTS)).filter(
    lambda c: sum(c[0]) and sum(c[1])
)
few = settings(max_examples=50)
TWO_CLASS = sorted(decisions.measures(((1, 1), (1, 1))))
# Quotients of whole numbers, which one division rounds correctly: bounds such as "error<=0.3" rely on it.
ROUNDED_ONCE = ["tpr", "fpr", "tnr", "fnr", "precision", "npv", "accuracy", "error"]


def message_of(call, *args, **options):
    with pytest.raises(RocInputError) as error:
        call(*args, **options)
    return str(error.value)


def agrees(found, exact, tolerance=1e-14):
    if exact is None:
        assert math.isnan(found)
    elif exact == math.inf:
        assert found == math.inf
    else:
        assert found == pytest.approx(float(exact), rel=tolerance, abs=tolerance)


@few
@pytest.mark.parametrize("name", TWO_CLASS)
@given(matrix=MATRICES)
def test_agrees_with_the_textbook(name, matrix):
    agrees(float(measures.evaluate(name, np.array(matrix))), decisions.measures(matrix)[name])


@few
@pytest.mark.parametrize("name", TWO_CLASS)
@given(matrix=MATRICES, share=st.sampled_from([0.01, 0.25, 0.5, 0.9]))
def test_agrees_with_the_textbook_at_a_prevalence(name, matrix, share):
    found = float(measures.evaluate(name, np.array(matrix), prevalence=share))
    agrees(found, decisions.measures(matrix, prevalence=share)[name], 1e-13)


@few
@pytest.mark.parametrize("name", ROUNDED_ONCE)
@given(matrix=MATRICES)
def test_shares_of_cases_are_rounded_once(name, matrix):
    exact = decisions.measures(matrix)[name]
    if exact is not None:
        assert float(measures.evaluate(name, np.array(matrix))) == float(exact)


def test_a_bound_on_the_error_is_met_by_the_error_it_names():
    curve = roc_curve([0] * 5 + [1] * 5, [0, 0, 0, 0, 1, 1, 1, 1, 0, 0])  # 3 of 10 are wrong
    assert curve.select("error<=0.3") == 1


def test_a_bound_on_the_likelihood_ratio_is_met_without_false_positives():
    """0/0 is undefined; 1/0 is the best there is and meets every lower bound."""
    curve = roc_curve([0, 0, 1, 1], [1, 1, 2, 2])
    assert curve.select("lr_pos>=10") == 1


@pytest.mark.parametrize(("alias", "name"), sorted(measures.ALIASES.items()))
def test_aliases(alias, name):
    matrix = np.array([[7, 3], [2, 8]])
    assert measures.evaluate(alias, matrix) == measures.evaluate(name, matrix)


@given(matrices=st.lists(MATRICES, min_size=1, max_size=4))
def test_works_on_stacks(matrices):
    stack = np.array(matrices)
    for name in TWO_CLASS:
        one_by_one = [float(measures.evaluate(name, np.array(m))) for m in matrices]
        np.testing.assert_array_equal(measures.evaluate(name, stack), one_by_one)
        np.testing.assert_array_equal(measures.evaluate(name, stack[None])[0], one_by_one)


# ---- More classes, rejected cases -------------------------------------------------------------------------

THREE = np.array([[5, 1, 2], [0, 6, 2], [3, 3, 2]])
REJECTING = np.array([[5, 1, 2], [1, 6, 3]])  # the last column holds the rejected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("accuracy", Fraction(13, 24)),
        ("error", Fraction(11, 24)),
        ("balanced_accuracy", (Fraction(5, 8) + Fraction(6, 8) + Fraction(2, 8)) / 3),
        ("max-class-error", Fraction(6, 8)),
        ("mean-class-error", (Fraction(3, 8) + Fraction(2, 8) + Fraction(6, 8)) / 3),
        ("error(a)", Fraction(3, 8)),
        ("error(c)", Fraction(6, 8)),
        ("reject_rate", 0),
        ("cost", Fraction(11, 24)),
    ],
)
def test_three_classes(name, value):
    found = measures.evaluate(name, THREE, classes=["a", "b", "c"])
    assert float(found) == pytest.approx(float(value), abs=1e-15)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("reject_rate", Fraction(5, 18)),
        ("accuracy", Fraction(11, 18)),
        ("error", Fraction(2, 18)),
        ("tpr", Fraction(6, 10)),
        ("fpr", Fraction(1, 8)),
        ("tnr", Fraction(5, 8)),
        ("fnr", Fraction(1, 10)),
        ("precision", Fraction(6, 7)),
        ("npv", Fraction(5, 6)),
        ("error(0)", Fraction(1, 8)),
        ("max-class-error", Fraction(1, 8)),
    ],
)
def test_rejected_cases_are_neither_right_nor_wrong(name, value):
    assert float(measures.evaluate(name, REJECTING)) == pytest.approx(float(value), abs=1e-15)


def test_cost_of_rejecting():
    costs = [[0, 1, 0.25], [5, 0, 0.5]]
    expected = (1 * 1 + 2 * 0.25 + 5 * 1 + 3 * 0.5) / 18
    assert float(measures.evaluate("cost", REJECTING, cost=costs)) == pytest.approx(expected, abs=1e-15)


def test_prevalence_of_three_classes():
    found = measures.evaluate("accuracy", THREE, prevalence=[0.5, 0.3, 0.2])
    assert float(found) == pytest.approx(0.5 * 5 / 8 + 0.3 * 6 / 8 + 0.2 * 2 / 8, abs=1e-15)


def test_counts_decisions():
    found = measures.count_decisions(np.array([0, 1, 1, 2]), np.array([0, 2, -1, 2]), 3)
    assert found.tolist() == [[1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 1, 0]]


@given(tp=st.integers(0, 5), fp=st.integers(0, 7))
def test_confusion_from_counts(tp, fp):
    assert measures.confusion_from_counts(tp, fp, 5, 7).tolist() == [[7 - fp, fp], [5 - tp, tp]]


# ---- Costs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cost", "matrix"),
    [
        (None, [[0, 1], [1, 0]]),
        (5, [[0, 1], [5, 0]]),
        ((2, 5), [[0, 2], [5, 0]]),
        ({"fp": 2, "fn": 5}, [[0, 2], [5, 0]]),
        ([[0, 2], [5, 0]], [[0, 2], [5, 0]]),
        ([[0, 2, 1], [5, 0, 1]], [[0, 2, 1], [5, 0, 1]]),
    ],
)
def test_reads_costs(cost, matrix):
    assert measures.cost_matrix(cost).tolist() == matrix


COSTS = [
    ({"fp": 1}, "cost must name fp and fn, got {'fp': 1}"),
    ({"fp": 1, "fn": 1, "tp": 0}, "cost must name fp and fn, got {'fp': 1, 'fn': 1, 'tp': 0}"),
    ([1, 2, 3], "cost must be a number, a pair (fp, fn) or a 2 by 2 matrix, got [1, 2, 3]"),
    ([[1, 2]], "cost must be a number, a pair (fp, fn) or a 2 by 2 matrix, got [[1, 2]]"),
    (-1, "cost must hold finite costs of at least 0, not all 0, got -1"),
    ((0, 0), "cost must hold finite costs of at least 0, not all 0, got (0, 0)"),
    ((1, math.inf), "cost must hold finite costs of at least 0, not all 0, got (1, inf)"),
    (math.nan, "cost must hold finite costs of at least 0, not all 0, got nan"),
]


@pytest.mark.parametrize(("cost", "message"), COSTS)
def test_refuses_costs(cost, message):
    assert message_of(measures.cost_matrix, cost) == message


@pytest.mark.parametrize("cost", ["high", {"fp": "a", "fn": 1}, [[0, 1], [1]], [1, None], 1j])
def test_refuses_costs_that_are_no_numbers(cost):
    assert message_of(measures.cost_matrix, cost).startswith("cost must ")


# ---- Names ------------------------------------------------------------------------------------------------

KNOWN = (
    "tpr, fpr, tnr, fnr, precision, npv, accuracy, error, balanced_accuracy, f1, youden, lr_pos, lr_neg, "
    "kappa, mcc, odds_ratio, lift, detection_prevalence, cost, reject_rate, max-class-error, "
    "mean-class-error, sensitivity, recall, specificity, ppv, acc, dor, error(class)"
)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("precison", f"measure must be one of {KNOWN}, got 'precison'; did you mean 'precision'?"),
        ("gini", f"measure must be one of {KNOWN}, got 'gini'"),
        ("error(x)", "error(class) must name one of ['0', '1'], got 'x'"),
    ],
)
def test_refuses_measures(name, message):
    assert message_of(measures.evaluate, name, np.array([[1, 1], [1, 1]])) == message


def test_refuses_two_class_measures_of_three():
    assert message_of(measures.evaluate, "tpr", THREE) == "tpr is a measure of two classes, got 3"
    assert message_of(measures.evaluate, "ppv", THREE) == "ppv is a measure of two classes, got 3"


@pytest.mark.parametrize("name", [5, None, ["tpr"]])
def test_refuses_names_that_are_no_text(name):
    assert message_of(measures.evaluate, name, np.array([[1, 1], [1, 1]])).startswith(
        "measure must be one of "
    )


@pytest.mark.parametrize("prevalence", [5, -0.1, math.nan, "half", [0.5, 0.5, 0.5]])
def test_refuses_prevalences(prevalence):
    curve = roc_curve([0, 0, 1, 1], [1, 2, 3, 4])
    assert message_of(curve.measure, "precision", prevalence=prevalence).startswith("prevalence must ")
