"""Partial areas with bootstrap intervals; the areas themselves are tested in tests/core/test_curve.py."""

import numpy as np
import pytest

import rocscope as rs
from rocscope.core.partial_area import area_name

Y = [0, 0, 0, 0, 1, 1, 1, 1]
S = [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]


def test_the_value_is_that_of_the_curve():
    curve = rs.roc_curve(Y, S)
    for ranges in ({"fpr": (0, 0.3)}, {"tpr": (0.5, 1)}, {"fpr": (0, 0.5), "tpr": (0.5, 1)}, {}):
        for standardize in (False, True):
            result = rs.partial_auc(Y, S, **ranges, standardize=standardize, rng=1)
            part = curve.partial_auc(**ranges, standardize=standardize)
            assert (result.value, result.name, result.warnings) == (part.value, part.name, part.warnings)
            assert result.low <= result.value <= result.high


def test_the_whole_area_has_the_interval_of_the_area():
    """Different draws of the same distribution."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    s = rng.normal(size=300) + y
    whole = rs.partial_auc(y, s, n_boot=5000, rng=1)
    area = rs.auc(y, s, method="bootstrap", n_boot=5000, rng=2)
    assert whole.value == pytest.approx(area.value, abs=1e-14)
    assert whole.se == pytest.approx(area.se, rel=0.05)
    assert whole.low == pytest.approx(area.low, abs=0.1 * area.se)


def test_one_sided_intervals_end_at_the_bound():
    lower = rs.partial_auc(Y, S, fpr=(0, 0.5), alternative="greater", rng=1)
    upper = rs.partial_auc(Y, S, fpr=(0, 0.5), alternative="less", rng=1)
    assert lower.high == 0.5
    assert upper.low == 0.0


def test_the_same_seed_gives_the_same_interval():
    first, second, other = (rs.partial_auc(Y, S, fpr=(0, 0.5), rng=seed) for seed in (1, 1, 2))
    assert first == second
    assert (first.low, first.se) != (other.low, other.se)


def test_one_case_in_a_class_has_a_value_and_no_interval():
    result = rs.partial_auc([0, 0, 1], [1, 2, 3], fpr=(0, 0.5))
    assert (result.value, result.se, result.low, result.status) == (0.5, None, None, "partial")
    assert result.reason == "the bootstrap needs two cases in each class"


def test_whole_weights_repeat_cases():
    weight = [1, 2, 1, 1, 1, 1, 3, 1]
    data = rs.BinaryScores.from_arrays(Y, S, sample_weight=weight)
    repeated = rs.partial_auc(np.repeat(Y, weight), np.repeat(S, weight), fpr=(0, 0.5), rng=1)
    assert rs.partial_auc(data, fpr=(0, 0.5), rng=1) == repeated


def test_names_say_the_part():
    assert area_name((None, None)) == "AUC"
    assert area_name((None, (0.9, 1)), True) == "standardized partial AUC over TPR 0.9-1"
    assert area_name(((0, 0.1), (0.9, 1))) == "partial AUC over FPR 0-0.1 and TPR 0.9-1"


@pytest.mark.parametrize("ranges", [{"fpr": (0.5, 0.2)}, {"fpr": 0.1}, {"tpr": (0, 2)}, {"tpr": ("a", 1)}])
def test_refuses_ranges(ranges):
    with pytest.raises(rs.RocInputError, match=f"^{next(iter(ranges))}"):
        rs.partial_auc(Y, S, **ranges)


def test_a_standardized_area_below_chance_stands_with_a_warning():
    """By hand: TPR is 0 up to FPR 0.5, so the area over 0-0.2 is 0; chance has 0.02, perfection 0.2."""
    y, scores = [1, 1, 0, 0, 0, 0], [0.3, 0.1, 0.5, 0.4, 0.2, 0.1]
    below = rs.partial_auc(y, scores, fpr=(0, 0.2), standardize=True, rng=1)
    assert below.value == pytest.approx(0.5 * (1 + (0 - 0.02) / (0.2 - 0.02)))
    assert any("below that of chance" in text for text in below.warnings)
    assert rs.partial_auc(y, scores, fpr=(0, 0.2), rng=1).warnings == ()
    above = rs.partial_auc(y, [-s for s in scores], fpr=(0, 0.9), standardize=True, rng=1)
    assert above.value > 0.5
    assert above.warnings == ()
    chance = rs.partial_auc([0, 1, 0, 1], [1, 1, 2, 2], fpr=(0.1, 0.7), standardize=True, rng=1)
    assert chance.value == pytest.approx(0.5, abs=1e-15)
    assert chance.warnings == ()


@pytest.mark.parametrize(("low", "high"), [(0, 0.2), (0.3, 0.8), (0.9, 1)])
def test_the_worst_curve_has_the_least_standardized_area(low, high):
    """Positives all below negatives: by the algebra of the docstring, far below 0 at the end of chance."""
    y, scores = [1, 1, 0, 0, 0], [0, 1, 2, 3, 4]
    over_fpr = rs.partial_auc(y, scores, fpr=(low, high), standardize=True, rng=1)
    assert over_fpr.value == pytest.approx(1 - 1 / (2 - low - high))
    over_tpr = rs.partial_auc(y, scores, tpr=(low, high), standardize=True, rng=1)
    assert over_tpr.value == pytest.approx(1 - 1 / (low + high))
