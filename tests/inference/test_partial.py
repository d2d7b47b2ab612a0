"""Intervals of partial areas; the areas themselves are tested in tests/core/test_curve.py."""

import math
from fractions import Fraction

import numpy as np
import pytest

import rocscope as rs
from rocscope.core.partial_area import area_name
from slow import curves as slow

Y = [0, 0, 0, 0, 1, 1, 1, 1]
S = [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]


def test_the_value_is_that_of_the_curve():
    curve = rs.roc_curve(Y, S)
    for ranges in ({"fpr": (0, 0.3)}, {"tpr": (0.5, 1)}, {"fpr": (0, 0.5), "tpr": (0.5, 1)}, {}):
        for standardize in (False, True):
            result = rs.partial_auc(Y, S, **ranges, standardize=standardize, rng=1)
            part = curve.partial_auc(**ranges, standardize=standardize)
            assert (result.value, result.name) == (part.value, part.name)
            assert result.warnings[: len(part.warnings)] == part.warnings
            assert result.low <= result.value <= result.high


def test_the_whole_area_has_the_interval_of_the_area():
    """Different draws of the same distribution."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 300)
    s = rng.normal(size=300) + y
    whole = rs.partial_auc(y, s, method="bootstrap", n_boot=5000, rng=1)
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
    how = {"fpr": (0, 0.5), "method": "bootstrap"}
    first, second, other = (rs.partial_auc(Y, S, **how, rng=seed) for seed in (1, 1, 2))
    assert first == second
    assert (first.low, first.se) != (other.low, other.se)


def test_one_case_in_a_class_has_a_value_and_no_interval():
    result = rs.partial_auc([0, 0, 1], [1, 2, 3], fpr=(0, 0.5), method="bootstrap")
    assert (result.value, result.se, result.low, result.status) == (0.5, None, None, "partial")
    assert result.reason == "the bootstrap needs two cases in each class"


def test_whole_weights_repeat_cases():
    weight = [1, 2, 1, 1, 1, 1, 3, 1]
    data = rs.BinaryScores.from_arrays(Y, S, sample_weight=weight)
    for method in ("bootstrap", "score", "logit", "delong"):
        how = {"fpr": (0, 0.5), "method": method, "rng": 1}
        repeated = rs.partial_auc(np.repeat(Y, weight), np.repeat(S, weight), **how)
        assert rs.partial_auc(data, **how) == repeated
        assert repeated.low is not None


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
    assert not any("chance" in text for text in rs.partial_auc(y, scores, fpr=(0, 0.2)).warnings)
    above = rs.partial_auc(y, [-s for s in scores], fpr=(0, 0.9), standardize=True, rng=1)
    assert above.value > 0.5
    assert not any("chance" in text for text in above.warnings)
    chance = rs.partial_auc([0, 1, 0, 1], [1, 1, 2, 2], fpr=(0.1, 0.7), standardize=True, rng=1)
    assert chance.value == pytest.approx(0.5, abs=1e-15)
    assert not any("chance" in text for text in chance.warnings)


@pytest.mark.parametrize(("low", "high"), [(0, 0.2), (0.3, 0.8), (0.9, 1)])
def test_the_worst_curve_has_the_least_standardized_area(low, high):
    """Positives all below negatives: by the algebra of the docstring, far below 0 at the end of chance."""
    y, scores = [1, 1, 0, 0, 0], [0, 1, 2, 3, 4]
    over_fpr = rs.partial_auc(y, scores, fpr=(low, high), standardize=True, rng=1)
    assert over_fpr.value == pytest.approx(1 - 1 / (2 - low - high))
    over_tpr = rs.partial_auc(y, scores, tpr=(low, high), standardize=True, rng=1)
    assert over_tpr.value == pytest.approx(1 - 1 / (low + high))


# ---- DeLong's variance of a part of the curve -------------------------------------------------------------

PARTS = [
    {"fpr": (0, 0.3)},
    {"fpr": (0.2, 0.6)},
    {"tpr": (0.4, 1)},
    {"tpr": (0.25, 0.75)},
    {"fpr": (0.1, 0.7), "tpr": (0.3, 0.9)},
    {"fpr": (0, 0.5), "tpr": (0.5, 1)},
]


@pytest.mark.parametrize("seed", range(25))
def test_the_variance_is_that_of_the_influence_of_each_case(seed):
    """Ties, steps on the limits, and limits between steps."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(2, 8, 2)
    pos, neg = rng.integers(1, 7, m).tolist(), rng.integers(0, 6, n).tolist()
    y, s = np.repeat([1, 0], [m, n]), [*pos, *neg]
    for ranges in (*PARTS, {"fpr": (0, 1 / n)}, {"tpr": (1 / m, 1)}):
        # A limit that is a step but for rounding is that step.
        exact = {
            name: [Fraction(end).limit_denominator(1000) for end in ends] for name, ends in ranges.items()
        }
        expected = math.sqrt(slow.partial_variance(pos, neg, **exact))
        result = rs.partial_auc(y, s, **ranges, method="delong")
        assert result.se == pytest.approx(expected, rel=1e-7, abs=1e-8)  # of the difference quotient


def test_over_the_whole_curve_it_is_delongs():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    s = (rng.normal(size=200) + y).round(1)
    whole, area = rs.partial_auc(y, s, method="delong"), rs.auc(y, s)
    assert (whole.value, whole.se) == pytest.approx((area.value, area.se), rel=1e-13)
    assert (whole.low, whole.high) == pytest.approx((area.low, area.high), rel=1e-13)
    counted = rs.partial_auc(rs.roc_curve(y, s), method="delong")
    assert (counted.value, counted.se) == (whole.value, whole.se)


@pytest.mark.parametrize("digits", [1, 12])
@pytest.mark.parametrize("ranges", PARTS)
def test_large_data_walk_over_sorted_scores(ranges, digits, monkeypatch):
    """The compiled walk gives what the counts give."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 3000)
    s = (rng.normal(size=3000) + y).round(digits)
    for standardize in (False, True):
        how = {"method": "delong", "standardize": standardize, **ranges}
        monkeypatch.undo()
        counted = rs.partial_auc(y, s, **how)
        monkeypatch.setattr("rocscope.inference.auc.LARGE", 1)
        walked = rs.partial_auc(y, s, **how)
        assert (walked.value, walked.se) == pytest.approx((counted.value, counted.se), rel=1e-12)
        drawn = rs.partial_auc(
            y, s, standardize=standardize, **ranges, method="bootstrap", rng=1, n_boot=1000
        )
        assert walked.se == pytest.approx(drawn.se, rel=0.1)
        assert (walked.name, walked.warnings) == (drawn.name, drawn.warnings)


def test_no_interval_where_no_case_moves_the_area():
    result = rs.partial_auc([0, 0, 1, 1], [1, 2, 3, 4], fpr=(0.5, 1), method="delong")
    assert (result.value, result.se, result.low, result.status) == (0.5, 0.0, None, "partial")
    assert result.reason == "no case moves the area, so its variance is 0 and gives no interval"
    one = rs.partial_auc([0, 0, 1], [1, 2, 3], fpr=(0, 0.5), method="delong")
    assert (one.value, one.se, one.status) == (0.5, None, "partial")


def test_what_draws_nothing_takes_no_options_of_draws():
    with pytest.raises(rs.RocInputError, match="max_points must be None for method 'delong'"):
        rs.partial_auc(Y, S, fpr=(0, 0.5), method="delong", max_points=10)
    with pytest.raises(
        rs.RocInputError, match="method must be one of 'auto', 'score', 'logit', 'delong', 'bootstrap'"
    ):
        rs.partial_auc(Y, S, fpr=(0, 0.5), method="bamber")
