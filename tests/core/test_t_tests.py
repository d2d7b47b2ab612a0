import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from rocscope.core.t_tests import paired_t
from rocscope.errors import RocInputError
from slow import paired as slow

ALTERNATIVES = ("two-sided", "less", "greater")
ROWS = arrays(float, st.tuples(st.integers(1, 4), st.integers(2, 12)), elements=st.floats(-1e6, 1e6))


@pytest.fixture
def differences():
    return np.random.default_rng(1).normal(0.2, 1.0, (3, 4, 10))


@settings(deadline=None)
@given(ROWS, st.floats(0.01, 2))
def test_statistic_is_that_of_exact_sums(rows, ratio):
    naive, corrected = paired_t(rows), paired_t(rows, test_over_train=ratio)
    for i, row in enumerate(rows):
        size = np.abs(row).max()
        assert naive.mean[i] == pytest.approx(math.fsum(row) / len(row), abs=1e-14 * size)
        assert naive.se[i] == pytest.approx(slow.standard_error(row), rel=1e-12, abs=1e-300)
        if slow.standard_error(row) > 1e-6 * size:
            assert naive.statistic[i] == pytest.approx(slow.t_statistic(row), rel=1e-8, abs=1e-7)
            assert corrected.statistic[i] == pytest.approx(slow.t_statistic(row, ratio), rel=1e-8, abs=1e-7)


@pytest.mark.parametrize("level", [0.5, 0.95])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_agrees_with_scipy(differences, alternative, level):
    ours = paired_t(differences, alternative=alternative, level=level)
    theirs = stats.ttest_1samp(differences, 0, axis=-1, alternative=alternative)
    interval = theirs.confidence_interval(level)
    assert ours.statistic.shape == (3, 4)
    assert ours.df == 9
    np.testing.assert_allclose(ours.statistic, theirs.statistic, rtol=1e-12)
    np.testing.assert_allclose(ours.p_value, theirs.pvalue, rtol=1e-11)
    np.testing.assert_allclose(ours.low, interval.low, rtol=1e-11)
    np.testing.assert_allclose(ours.high, interval.high, rtol=1e-11)
    assert ours.defined.all()


def test_agrees_with_scipy_on_pairs():
    a, b = np.random.default_rng(2).random((2, 30))
    ours, theirs = paired_t(a - b), stats.ttest_rel(a, b)
    assert float(ours.statistic) == pytest.approx(theirs.statistic, rel=1e-12)
    assert float(ours.p_value) == pytest.approx(theirs.pvalue, rel=1e-11)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_correction_widens_the_standard_error(differences, alternative):
    ratio, n = 1 / 9, 10
    ours = paired_t(differences, test_over_train=ratio, alternative=alternative)
    factor = math.sqrt((1 / n + ratio) * n)
    naive = stats.ttest_1samp(differences, 0, axis=-1)
    distribution = stats.t(n - 1)
    p_values = {
        "two-sided": 2 * distribution.sf(np.abs(naive.statistic / factor)),
        "less": distribution.cdf(naive.statistic / factor),
        "greater": distribution.sf(naive.statistic / factor),
    }
    np.testing.assert_allclose(ours.statistic, naive.statistic / factor, rtol=1e-12)
    np.testing.assert_allclose(ours.p_value, p_values[alternative], rtol=1e-11)
    np.testing.assert_allclose(ours.se, stats.sem(differences, axis=-1) * factor, rtol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_interval_holds_zero_exactly_when_the_test_does_not_reject(differences, alternative, level):
    test = paired_t(differences, test_over_train=0.1, alternative=alternative, level=level)
    rejects = test.p_value < 1 - level
    np.testing.assert_array_equal(rejects, (test.low > 0) | (test.high < 0))


def test_degrees_of_freedom_can_be_set(differences):
    paired, paclik = paired_t(differences), paired_t(differences, df=18)
    assert paclik.df == 18
    np.testing.assert_array_equal(paclik.statistic, paired.statistic)
    np.testing.assert_allclose(paclik.p_value, 2 * stats.t.sf(np.abs(paired.statistic), 18), rtol=1e-11)
    assert (paclik.high < paired.high).all()


@pytest.mark.parametrize(
    ("alternative", "p_up", "p_down"), [("two-sided", 0, 0), ("greater", 0, 1), ("less", 1, 0)]
)
@pytest.mark.parametrize("size", [0.1, 1 / 3, 1e-300, 1e300])
@pytest.mark.parametrize("n", [2, 3, 7, 10])
def test_equal_differences_are_settled_by_the_limit(alternative, p_up, p_down, size, n):
    test = paired_t([[size] * n, [-size] * n], alternative=alternative)
    np.testing.assert_array_equal(test.mean, [size, -size])
    np.testing.assert_array_equal(test.se, [0, 0])
    np.testing.assert_array_equal(test.statistic, [math.inf, -math.inf])
    np.testing.assert_array_equal(test.p_value, [p_up, p_down])
    np.testing.assert_array_equal(test.low, -np.inf if alternative == "less" else test.mean)
    np.testing.assert_array_equal(test.high, np.inf if alternative == "greater" else test.mean)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_no_difference_at_all_has_p_value_one(alternative, zero):
    test = paired_t([zero] * 5, test_over_train=0.25, alternative=alternative)
    assert (test.mean, test.se, test.statistic, test.p_value) == (0, 0, 0, 1)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_row_that_is_not_finite_is_undefined_and_leaves_the_others_alone(alternative, bad):
    rows = np.array([[1.0, 2.0, 4.0], [1.0, bad, 4.0], [0.0, 0.0, 0.0]])
    test = paired_t(rows, alternative=alternative)
    np.testing.assert_array_equal(test.defined, [True, False, True])
    for values in (test.mean, test.se, test.statistic, test.p_value, test.low, test.high):
        np.testing.assert_array_equal(np.isnan(values), [False, True, False])
    assert test.p_value[0] == paired_t(rows[0], alternative=alternative).p_value


@pytest.mark.parametrize("power", [-600, -3, 500])
def test_scale_does_not_matter(differences, power):
    here, there = paired_t(differences), paired_t(np.ldexp(differences, power))
    np.testing.assert_array_equal(there.statistic, here.statistic)
    np.testing.assert_array_equal(there.p_value, here.p_value)


def test_turning_the_difference_turns_the_test(differences):
    here, there = paired_t(differences, alternative="less"), paired_t(-differences, alternative="greater")
    np.testing.assert_array_equal(here.statistic, -there.statistic)
    np.testing.assert_array_equal(here.p_value, there.p_value)
    np.testing.assert_array_equal(here.high, -there.low)


def test_one_row_gives_arrays_without_axes():
    test = paired_t([1, 2, 4])
    for values in (test.mean, test.se, test.statistic, test.p_value, test.low, test.high, test.defined):
        assert isinstance(values, np.ndarray)
        assert values.shape == ()


def test_no_row_gives_no_test():
    assert paired_t(np.empty((0, 3))).p_value.shape == (0,)


@pytest.mark.parametrize("differences", [3.0, [1.0], np.empty((4, 1)), np.empty((4, 0))])
def test_refuses_fewer_than_two_differences(differences):
    with pytest.raises(RocInputError) as caught:
        paired_t(differences)
    shape = np.shape(differences)
    assert str(caught.value) == f"differences must hold at least 2 values on the last axis, got shape {shape}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"test_over_train": 0}, "test_over_train must be greater than 0, got 0"),
        ({"test_over_train": 0.1, "df": -1}, "df must be greater than 0, got -1"),
        ({"test_over_train": 0.1, "level": 95}, "level must lie between 0 and 1, got 95"),
        (
            {"test_over_train": 0.1, "alternative": "more"},
            "alternative must be one of 'two-sided', 'less', 'greater', got 'more'",
        ),
    ],
)
def test_refuses_bad_options(options, message):
    with pytest.raises(RocInputError) as caught:
        paired_t([1.0, 2.0], **options)
    assert str(caught.value) == message
