import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import rocscope as rs
from rocscope import RocInputError, compare_calibration, plotting
from rocscope.core.resampling import Cases, Sampling
from slow import calibration as slow
from slow import samples

SIXTEENTHS = st.integers(0, 16).map(lambda k: k / 16)
FAST = {"n_boot": 100, "rng": 1}


def simulated(n=200, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return (rng.random(n) < p).astype(int), {"right": p, "timid": 0.25 + p / 2, "bold": p**2}


def test_scores_are_compared_by_paired_z_tests():
    y, models = simulated()
    found = compare_calibration(y, models, level=0.9, **FAST)
    pairs = [("right", "timid"), ("right", "bold"), ("timid", "bold")]
    assert [(row.first, row.second) for row in found.differences[::3]] == pairs
    for measure, loss in (
        ("Brier score", lambda p: (p - y) ** 2),
        ("log score", lambda p: -np.log(np.where(y == 1, p, 1 - p))),
    ):
        rows = [row for row in found.differences if row.measure == measure]
        p_values = []
        for row in rows:
            losses = loss(models[row.first]) - loss(models[row.second])
            z = losses.mean() / stats.sem(losses)
            assert (row.difference, row.se) == pytest.approx((losses.mean(), stats.sem(losses)), abs=1e-12)
            assert (row.statistic, row.p_value) == pytest.approx((z, 2 * stats.norm.sf(abs(z))))
            ends = stats.norm.interval(0.9, losses.mean(), stats.sem(losses))
            assert (row.low, row.high) == pytest.approx(ends)
            p_values.append(row.p_value)
        adjusted = [row.p_adjusted for row in rows]
        assert min(adjusted) == pytest.approx(3 * min(p_values))
        assert max(adjusted) >= max(p_values)


def test_values_are_those_of_calibration():
    y, models = simulated()
    found = compare_calibration(y, models, **FAST)
    for values, p in zip(found.values, models.values(), strict=True):
        alone = rs.calibration(y, p, **FAST)
        expected = alone.brier.value, alone.log_score.value, alone.decomposition[0].miscalibration
        assert tuple(values) == expected


@settings(max_examples=8)
@given(samples.labelled(SIXTEENTHS, columns=2, max_size=10), st.integers(0, 99))
def test_miscalibration_is_drawn_case_by_case(labelled, seed):
    y, (a, b) = labelled
    found = compare_calibration(y, {"a": a, "b": b}, n_boot=100, rng=seed).differences[2]
    order = np.lexsort((y, a, b))
    y, a, b = (values[order] for values in (y, a, b))
    differences = []
    for times in Sampling(n_boot=100, rng=seed).replicates(Cases((len(y),)), lambda draws: draws.classes[0]):
        cases = [np.repeat(values, times).tolist() for values in (y, a, b)]
        differences.append(
            float(slow.miscalibration(cases[0], cases[1]) - slow.miscalibration(cases[0], cases[2]))
        )
    whole = slow.miscalibration(y.tolist(), a.tolist()) - slow.miscalibration(y.tolist(), b.tolist())
    assert found.difference == pytest.approx(float(whole), abs=1e-12)
    if found.se is not None:
        assert found.se == pytest.approx(np.std(differences, ddof=1), abs=1e-12)


def test_equal_models_do_not_differ():
    y, models = simulated()
    found = compare_calibration(y, {"a": models["right"], "b": models["right"].copy()}, **FAST)
    for row in found.differences:
        numbers = (row.difference, row.se, row.low, row.high, row.statistic, row.p_value)
        assert numbers == (0, 0, 0, 0, 0, 1)


def test_a_difference_that_does_not_vary_is_not_tested():
    found = compare_calibration([0, 1, 1, 0], {"a": [0.5] * 4, "b": [0.25, 0.75, 0.75, 0.25]}, **FAST)
    row = found.differences[0]
    assert (row.difference, row.se, row.p_value) == (0.1875, None, None)
    assert row.reason == "the difference does not vary, which shows no uncertainty"


def test_one_sided_tests_go_with_their_bounds():
    y, models = simulated()
    two = {"right": models["right"], "timid": models["timid"]}
    less, both = (compare_calibration(y, two, alternative=how, **FAST) for how in ("less", "two-sided"))
    for one, other in zip(less.differences, both.differences, strict=True):
        assert one.p_value == pytest.approx(other.p_value / 2)
        assert one.high < other.high
    assert [row.low for row in less.differences] == [-1, -math.inf, -1]
    assert type(less).from_dict(json.loads(less.to_json())) == less


def test_infinite_log_scores_are_named():
    found = compare_calibration([0, 1, 1], {"a": [0.2, 0.0, 0.7], "b": [0.4, 0.5, 0.6]}, **FAST)
    row = found.differences[1]
    assert (row.difference, row.reason) == (None, "a: infinite, 1 positive case of probability 0")
    assert found.defined.tolist() == [[True, False, True], [True, True, True]]
    assert "a - b, log score: undefined, a: infinite" in str(found)
    assert json.loads(found.to_json())["values"][0][1] is None
    assert type(found).from_dict(json.loads(found.to_json())) == found


def test_numbers_depend_on_the_cases_and_the_seed_alone():
    y, models = simulated(60)
    rows = np.random.default_rng(2).permutation(60)
    first = compare_calibration(y, models, **FAST)
    again = compare_calibration(y[rows], {name: p[rows] for name, p in models.items()}, **FAST)
    assert first == again
    frame = pd.DataFrame({"y": y, **models})
    assert compare_calibration(frame, label="y", score=list(models), **FAST) == first
    assert compare_calibration(y, frame[list(models)], **FAST) == first
    assert compare_calibration(y, models, n_boot=100, rng=2) != first


def test_reads_as_text_rows_and_picture():
    y, models = simulated()
    found = compare_calibration(y, models, **FAST)
    head, first, *_ = str(found).splitlines()
    sizes = f"({found.n_pos} of class 1, {found.n_neg} of class 0)"
    assert head == f"Calibration of 3 models {sizes}, differences (95% interval):"
    assert first.startswith("  right - timid, Brier score: -0.0")
    assert len(found.frame()) == 9
    panels = plotting.record(plotting.picture(found))["panels"]
    assert [panel["title"] for panel in panels] == ["right - timid", "right - bold", "timid - bold"]
    assert panels[0]["y"]["tick_labels"] == ["Brier score", "Log score", "Miscalibration"]
    assert panels[0]["x"]["label"] == "Difference (95% interval); below 0 the first is better"


@pytest.mark.parametrize(
    ("y", "scores", "options", "message"),
    [
        ([0, 1], {"a": [0.1, 0.2]}, {}, "scores must map two or more curve names to scores"),
        (
            [0, 1],
            {"a": [0.1, 2], "b": [0.1, 0.2]},
            {},
            "scores['a'] must hold probabilities from 0 to 1, got numbers from 0.1 to 2",
        ),
        ({"a": [0, 1]}, {"a": [0.1, 0.2]}, {}, "y_true must be one array, of the cases of all models"),
        ([0, 1], {"a": [0.1, 0.2], "b": [0.1, 0.2]}, {"n_boot": 0}, "n_boot must be a whole number of at"),
        ([0, 1], {"a": [0.1, 0.2], "b": [0.1, 0.2]}, {"level": 2}, "level must lie between 0 and 1, got 2"),
    ],
)
def test_what_is_refused(y, scores, options, message):
    with pytest.raises(RocInputError, match=re.escape(message)):
        compare_calibration(y, scores, **options)
