"""Decisions at class weights and what moves with each of them, by hand."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocscope as rs
from rocscope.averaging.neighbourhood import ConfusionRates, WeightNeighbourhood
from rocscope.errors import RocInputError
from slow import average as slow

NAMES = ("a", "b", "c")


@st.composite
def three_classes(draw):
    """Every class in every fold, ties common: codes, eighths as outputs, folds."""
    n_folds = draw(st.integers(2, 4))
    cells = [(c, f) for f in range(n_folds) for c in range(3) for _ in range(draw(st.integers(1, 3)))]
    codes, fold = map(np.array, zip(*draw(st.permutations(cells)), strict=True))
    eighth = st.integers(0, 8).map(lambda k: k / 8)
    scores = np.array([draw(st.lists(eighth, min_size=3, max_size=3)) for _ in codes])
    return codes, scores, fold


WEIGHTS = st.lists(st.integers(1, 4), min_size=3, max_size=3)


def by_hand(data, weights):
    """Confusion matrices of every fold, each case decided in fractions."""
    codes, scores, fold = (column.tolist() for column in data)
    return slow.fold_confusions(codes, scores, fold, slow.decide_weights(weights), 3)


def agrees(found, se, expected):
    mean, _, sem, _ = slow.moments(expected)
    assert found == pytest.approx(float(mean), abs=1e-12)
    assert se == pytest.approx(sem, abs=1e-12)


@settings(max_examples=60)
@given(data=three_classes(), weights=WEIGHTS, other=WEIGHTS)
def test_rates_and_differences_by_hand(data, weights, other):
    codes, scores, fold = data
    names = np.array(NAMES)[codes]
    roc = rs.average_roc(names, scores, fold=fold, classes=NAMES, points=[weights, other])
    here, there = roc.confusion_rates(0), roc.confusion_rates(0, minus=1)
    first, second = by_hand(data, weights), by_hand(data, other)
    for true in range(3):
        for decided in range(3):
            rates = [[slow.rate(m[true][decided], sum(m[true])) for m in one] for one in (first, second)]
            agrees(here.value[true, decided], here.se[true, decided], rates[0])
            both = [a - b for a, b in zip(*rates, strict=True)]
            agrees(there.value[true, decided], there.se[true, decided], both)
            test = slow.point_test(rates[0], rates[1], "paired-t", 0.95)
            assert there.low[true, decided] == pytest.approx(test["low"], abs=1e-12)
            assert there.high[true, decided] == pytest.approx(test["high"], abs=1e-12)


@settings(max_examples=40)
@given(data=three_classes(), weights=WEIGHTS)
def test_neighbourhood_by_hand(data, weights):
    codes, scores, fold = data
    names = np.array(NAMES)[codes]
    found = rs.weight_neighbourhood(names, scores, weights, fold=fold, classes=NAMES, steps=2)
    assert found.factors.tolist() == [0.25, 0.5, 1, 2, 4]
    base = by_hand(data, weights)
    joined = set()
    for c in range(3):
        for f, factor in enumerate((Fraction(1, 4), Fraction(1, 2), 1, 2, 4)):
            moved = by_hand(data, [w * factor if k == c else w for k, w in enumerate(weights)])
            for k in range(3):
                errors = [slow.class_error(k)(matrix) for matrix in moved]
                agrees(found.errors[c, f, k], found.errors_se[c, f, k], errors)
                if factor == 2:
                    before = [slow.class_error(k)(matrix) for matrix in base]
                    change = [a - b for a, b in zip(errors, before, strict=True)]
                    agrees(found.change[k, c], found.change_se[k, c], change)
                    if sum(change) / len(change) >= Fraction(1, 50):
                        joined.add((k, c))
    for k, c in joined:
        assert any({NAMES[k], NAMES[c]} <= set(group) for group in found.groups)
    assert sorted(name for group in found.groups for name in group) == list(NAMES)
    assert len(found.groups) >= 3 - len({frozenset(pair) for pair in joined})
    np.testing.assert_allclose(found.rates.value.sum(axis=1), 1)


def example(**options):
    rng = np.random.default_rng(7)
    codes = np.arange(120) % 4
    scores = np.round(rng.random((120, 4)) + 0.6 * np.eye(4)[codes], 2)
    scores[:, 3] *= np.where(codes == 3, 20, 0.01)  # class 3 is apart from the others
    return rs.weight_neighbourhood(codes, scores, fold=np.arange(120) // 30, **options)


def test_result():
    found = example()
    assert found.groups == ((0, 1, 2), (3,))
    assert "(0, 1, 2); alone: 3" in str(found)
    assert WeightNeighbourhood.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    frame = found.frame()
    assert len(frame) == 16
    row = frame[(frame["weight of"] == 1) & (frame["error of"] == 0)].iloc[0]
    assert row["change"] == found.change[0, 1]
    assert len(found.plot()) == 2
    assert len(found.rates.frame()) == 16
    assert str(found.rates).startswith("Decision rates, these weights: mean (standard error) over 4 folds")


def test_without_folds_there_are_no_errors():
    codes = np.arange(60) % 3
    scores = np.random.default_rng(1).random((60, 3)) + 0.5 * np.eye(3)[codes]
    found = rs.weight_neighbourhood(codes, scores, rs.ClassWeights([1, 2, 1], classes=range(3)))
    assert not found.defined.any()
    assert np.isfinite(found.change).all()
    assert np.isnan(found.rates.se).all()
    counts = [np.mean((scores * [1, 2, 1])[codes == k].argmax(axis=1) != k) for k in range(3)]
    np.testing.assert_allclose(found.errors[0, 3], counts)


def test_rejected_cases_have_a_column():
    y = np.array(["x", "y"] * 4)
    scores = np.array([[0.9, 0.1], [0.1, 0.9], [0.5, 0.5], [0.4, 0.6]] * 2)
    rules = [rs.ClassWeights([1, 1], classes=("x", "y"), reject=0.55)]
    roc = rs.average_roc(y, scores, fold=np.arange(8) // 4, classes=("x", "y"), points=rules)
    found = roc.confusion_rates(0)
    assert found.decisions == ("x", "y", "rejected")
    assert found.value.tolist() == [[0.5, 0, 0.5], [0, 1, 0]]
    assert ConfusionRates.from_dict(found.to_dict()) == found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"factor": 1}, "factor must be greater than 1, got 1"),
        ({"steps": 0}, "steps must be a whole number of at least 1, got 0"),
        ({"least": 2}, "least must lie between 0 and 1 (both allowed), got 2"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
        (
            {"weights": [1, 2]},
            "weights must have one row per point and one column per class (4), got shape (1, 2)",
        ),
    ],
)
def test_refusals(options, message):
    with pytest.raises(RocInputError) as error:
        example(**options)
    assert str(error.value) == message


def test_refuses_other_points():
    roc = rs.average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1])
    with pytest.raises(RocInputError, match="minus must be one of the 4 points, 0 to 3, got 9"):
        roc.confusion_rates(0, minus=9)
