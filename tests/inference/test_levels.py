"""Few cases at levels near 0, at 1/2 and nearest to 1, one-sided and two-sided: no NaN, no warning."""

import itertools
import math

import numpy as np
import pytest
from scipy import special

import rocscope as rs
from rocscope.inference.point_measures import estimates
from rocscope.inference.proportions import IntervalKind, exact_interval, wilson_interval

LEVELS = (1e-12, 0.2, 0.5, 0.95, 1 - 1e-16)
ALTERNATIVES = ("two-sided", "less", "greater")
NEAREST_Z = -float(special.ndtri((1 - LEVELS[-1]) / 2))  # 8.29 standard errors
FEW = [(tp, fp, fn, tn) for tp, fp, fn, tn in itertools.product(range(3), repeat=4) if tp + fn and fp + tn]


def assert_in_order(estimate):
    numbers = [estimate[name] for name in ("value", "se", "low", "high")]
    assert not any(number is not None and math.isnan(number) for number in numbers)
    assert "nan" not in str(estimate)
    if estimate.value is None:
        assert estimate.reason
    elif estimate.low is not None:
        assert estimate.low <= estimate.value <= estimate.high


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("interval", ["wilson", "exact"])
@pytest.mark.parametrize("level", LEVELS)
def test_every_measure_of_few_cases(level, interval, alternative):
    kind = IntervalKind(interval=interval, level=level, alternative=alternative)
    for (tp, fp, fn, tn), prevalence in itertools.product(FEW, (None, 0.3)):
        result = estimates(
            kind, tp=tp, fp=fp, fn=fn, tn=tn, prevalence=prevalence, cost=(2, 3), probability=0.25
        )
        for estimate in result.values():
            assert_in_order(estimate)


def test_an_infinite_ratio_at_one_half_has_no_bound_to_name():
    point = rs.point_measures([0, 1], [1, 2], threshold=2, level=0.5, alternative="greater")
    assert point.lr_pos.reason == "no negative case tests positive, so the ratio is infinite"
    assert (point.lr_pos.low, point.lr_pos.high) == (None, None)
    at_95 = rs.point_measures([0, 1], [1, 2], threshold=2, alternative="greater")
    assert at_95.lr_pos.reason.startswith("no negative case tests positive, so the ratio is infinite, at")


@pytest.mark.parametrize("formula", [wilson_interval, exact_interval])
@pytest.mark.parametrize("level", [0.5, 0.2, 1e-12])
def test_one_sided_bounds_at_low_levels_are_not_beyond_the_share(formula, level):
    for k in range(5):
        assert formula(k, 4, level=level, alternative="greater")[0] <= k / 4
        assert formula(k, 4, level=level, alternative="less")[1] >= k / 4
    if formula is wilson_interval:
        assert formula(1, 4, level=level, alternative="greater") == (0.25, 1.0)


def test_the_level_nearest_to_1_has_a_wide_interval_and_not_none():
    point = rs.point_measures([0, 0, 1], [1, 2, 3], threshold=3, level=1 - 1e-16)
    assert point.sensitivity.low == pytest.approx(1 / (1 + NEAREST_Z**2), rel=1e-12)
    assert rs.auc([0, 0, 1, 1], [1, 3, 2, 4], level=1 - 1e-16, method="delong").low == 0.0


@pytest.mark.parametrize("level", LEVELS)
def test_curves_of_few_cases(level):
    for y, p in (([0, 1], [0.5, 0.5]), ([0, 0, 1, 1], [0.2, 0.5, 0.5, 0.9])):
        for interval in ("wilson", "exact"):
            band = rs.net_benefit(y, p, level=level, interval=interval).band
            assert ((band.low <= band.mean) & (band.mean <= band.high)).all()
        for at in ("fpr", "threshold"):
            band = rs.roc_band(y, p, at=at, simultaneous=True, level=level)
            assert ((band.low <= band.mean) & (band.mean <= band.high)).all()
    y, s, fold = [0, 0, 1, 1] * 2, [1, 2, 2, 3] * 2, [0] * 4 + [1] * 4  # equal folds: no deviation
    for along in ("fpr", "tpr", "threshold"):
        curve = rs.average_curves(y, s, fold=fold, along=along, level=level)
        np.testing.assert_array_equal(curve.low, curve.mean)
        np.testing.assert_array_equal(curve.high, curve.mean)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("level", LEVELS)
def test_paired_tests_of_two_folds(level, alternative):
    for a, b in (([0.5, 0.75], [0.5, 0.75]), ([0.25, 0.0, 0.5], [0.5, 0.0, 0.5]), ([1, 0.5], [0.5, 0])):
        for row in rs.paired_tests(a, b, level=level, alternative=alternative, n_train=4, n_test=2):
            if row.low is not None:
                assert row.low <= row.difference <= row.high


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("level", LEVELS)
def test_areas_of_few_cases(level, alternative):
    how = {"level": level, "alternative": alternative}
    draws = {"n_boot": 100, "rng": 1}
    for y, s in (([0, 0, 1], [1, 2, 2]), ([0, 0, 1, 1], [1, 3, 2, 4]), ([0, 0, 0, 1, 1], [0, 0, 1, 1, 0])):
        for method in ("delong", "logit", "score", "hanley-mcneil", "bamber", "agarwal"):
            assert_in_order(rs.auc(y, s, method=method, **how))
        for bootstrap in ("percentile", "bca"):
            assert_in_order(rs.auc(y, s, method="bootstrap", bootstrap=bootstrap, **how, **draws))
        assert_in_order(rs.partial_auc(y, s, fpr=(0, 0.5), **how, **draws))
        (pair,) = rs.compare_auc(y, {"a": s, "b": s[::-1]}, method="bootstrap", **how, **draws).pairs
        assert pair.low is None or pair.low <= pair.difference <= pair.high


@pytest.mark.parametrize("level", LEVELS)
def test_a_chosen_cut_off_lies_in_its_interval(level):
    result = rs.cutpoint([0, 0, 1, 1, 1], [1, 2, 2, 3, 4], level=level, n_boot=100, rng=1)
    assert result.low <= result.threshold <= result.high


def test_the_interval_of_f1_holds_it_to_the_last_digit():
    """One unit in the last place above its upper end before, where all cases but true negatives are hits."""
    for n in range(1, 60):
        result = estimates(IntervalKind(), tp=n, fp=0, fn=0, tn=3, prevalence=1 / n**0.5 / 1.1)
        assert result["f1"].low <= result["f1"].value <= result["f1"].high


def test_an_interval_from_errors_alone_says_when_it_leaves_the_area_out():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 2000)
    result = rs.auc(y, rng.normal(size=4000) + y, method="cortes-mohri", threshold=0.5)
    assert not result.low <= result.value <= result.high
    assert result.warnings == (
        "the interval rests on the number of errors alone, and leaves out the observed area",
    )
