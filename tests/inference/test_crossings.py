import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope import roc_curve
from rocscope.inference import crossings as module
from rocscope.inference.crossings import crossings
from slow import crossings as slow
from slow import pairs, samples

Y = [1, 0, 1, 0]


@pytest.fixture(params=["int64", "python"])
def whole_numbers(request, monkeypatch):
    """Both kinds of integers: those of NumPy and, beyond them, those of Python."""
    if request.param == "python":
        monkeypatch.setattr(module, "INT64_DENOMINATOR", 0)


def check_against_twin(result, first, second):
    one, two = slow.exact_points(*first), slow.exact_points(*second)
    expected = slow.crossings(one, two)
    assert result.fpr.tolist() == pytest.approx([float(x) for x in expected], abs=1e-14)
    for x, y in zip(expected, result.tpr, strict=True):
        for bottom, top in (slow.ends(one, x), slow.ends(two, x)):
            assert float(bottom) - 1e-12 <= y <= float(top) + 1e-12
    for sign, intervals in ((1, result.first_above), (-1, result.second_above), (0, result.equal)):
        ends = [(float(a), float(b)) for a, b in slow.intervals(one, two, sign)]
        assert intervals.shape == (len(ends), 2)
        assert intervals.ravel().tolist() == pytest.approx([end for pair in ends for end in pair], abs=1e-14)
    assert result.dominant == slow.dominant(one, two)


@given(data=samples.labelled(columns=2, max_size=20))
def test_paired_curves_by_hand(whole_numbers, data):
    y, (a, b) = data
    result = crossings(roc_curve(y, a), roc_curve(y, b))
    check_against_twin(result, pairs.split(y, a), pairs.split(y, b))


@given(one=samples.labelled(max_size=14), two=samples.labelled(max_size=14))
def test_curves_of_different_samples_by_hand(whole_numbers, one, two):
    result = crossings(roc_curve(*one), roc_curve(*two))
    check_against_twin(result, pairs.split(*one), pairs.split(*two))


@given(data=samples.labelled(columns=2, max_size=20))
def test_exchanging_the_curves(data):
    y, (a, b) = data
    one = crossings(roc_curve(y, a), roc_curve(y, b))
    other = crossings(roc_curve(y, b), roc_curve(y, a))
    assert other.fpr.tolist() == pytest.approx(one.fpr.tolist(), abs=1e-15)
    assert other.first_above.ravel().tolist() == pytest.approx(one.second_above.ravel().tolist(), abs=1e-15)
    turned = {"first": "second", "second": "first"}
    assert other.dominant == turned.get(one.dominant, one.dominant)


@given(data=samples.labelled(columns=2, max_size=20), weight=st.sampled_from([0.5, 0.1, 1 / 3]))
def test_fractional_weights_agree_with_whole_ones(data, weight):
    y, (a, b) = data
    weights = np.full(len(y), weight)
    whole = crossings(roc_curve(y, a), roc_curve(y, b))
    result = crossings(*(roc_curve(y, s, sample_weight=weights) for s in (a, b)))
    assert result.dominant == whole.dominant
    for name in ("fpr", "tpr", "first_above", "second_above", "equal"):
        assert getattr(result, name).ravel().tolist() == pytest.approx(
            getattr(whole, name).ravel().tolist(), abs=1e-9
        )


def test_a_curve_against_itself(whole_numbers):
    curve = roc_curve(Y, [4, 3, 2, 1])
    result = crossings(curve, curve)
    assert (result.dominant, result.fpr.size, result.equal.tolist()) == ("equal", 0, [[0.0, 1.0]])
    assert str(result) == "The curves are equal"


def test_a_curve_against_its_hull_and_chance(whole_numbers):
    curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    result = crossings(curve, curve.hull())
    assert (result.dominant, result.fpr.size) == ("second", 0)
    chance = roc_curve([0, 0, 1, 1], [1, 1, 1, 1])
    assert crossings(curve, chance).dominant == "first"
    assert str(crossings(chance, curve)) == "The second curve is nowhere below the other"


def test_touching_is_not_crossing(whole_numbers):
    """Both curves pass (1/2, 1/2) and nothing else inside; the staircase stays above."""
    steps = roc_curve(Y, [4, 3, 2, 1])
    diagonal = roc_curve(Y, [2, 2, 1, 1])
    result = crossings(steps, diagonal)
    assert (result.dominant, result.fpr.size) == ("first", 0)
    assert result.first_above.tolist() == [[0.0, 1.0]]
    assert result.equal.shape == (0, 2)


def test_a_common_stretch_between_different_leads(whole_numbers):
    """First above up to FPR 1/3, together from there to 2/3, second above after it: one crossing."""
    first = roc_curve([1, 0, 0, 1, 0, 1], [6, 5, 4, 2, 2, 2])
    second = roc_curve([0, 1, 0, 1, 1, 0], [6, 5, 4, 3, 2, 1])
    result = crossings(first, second)
    assert result.dominant is None
    assert result.fpr.tolist() == pytest.approx([1 / 3])
    assert result.tpr.tolist() == pytest.approx([1 / 3])
    assert result.equal.ravel().tolist() == pytest.approx([1 / 3, 2 / 3])
    assert str(result) == "The curves cross at (FPR, TPR) = (0.3333, 0.3333)"


def test_result_is_plain_and_frozen():
    result = crossings(roc_curve(Y, [4, 3, 2, 1]), roc_curve(Y, [2, 2, 2, 1]))
    read = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert (read["dominant"], read["fpr"], read["tpr"]) == (None, [0.25], [0.5])
    assert result.frame().shape == (1, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.dominant = "first"


@pytest.mark.slow
def test_work_grows_with_the_vertices():
    """100,000 vertices each, and a common denominator that needs Python's integers."""
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [50_021, 50_023])
    curves = [roc_curve(y, y + rng.normal(size=y.size)) for _ in range(2)]
    result = crossings(*curves)
    covered = [result.first_above, result.second_above, result.equal]
    assert sum((rows[:, 1] - rows[:, 0]).sum() for rows in covered) == pytest.approx(1)
