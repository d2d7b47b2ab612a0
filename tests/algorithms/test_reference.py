"""Every number in tests/reference/algorithms.json, made by R."""

import numpy as np
import pytest
from scipy import stats

from reference_cases import load_reference
from rocscope.algorithms.paired_tests import paired_tests
from rocscope.algorithms.ranks import compare_ranks, critical_difference, nemenyi_p_values, rank_se
from rocscope.core.significance import bonferroni

REFERENCE = load_reference("algorithms")
RTOL = REFERENCE["tolerance"]
# R finds the quantile of the studentized range by a few secant steps; its probabilities are sharp.
QUANTILE_TOLERANCE = 1e-8


def test_the_reference_says_where_it_comes_from():
    assert REFERENCE["script"] == "validation/algorithms_reference.R"
    assert REFERENCE["source"].startswith("R ")
    assert len(REFERENCE["pairs"]) == len(REFERENCE["tables"]) == 3


@pytest.mark.parametrize("case", REFERENCE["pairs"], ids=lambda case: f"{len(case['a'])} folds")
def test_tests_over_folds(case):
    tests = paired_tests(case["a"], case["b"])
    t = tests["paired-t"]
    assert t.statistic == pytest.approx(case["t"]["statistic"], rel=RTOL)
    assert t.p_value == pytest.approx(case["t"]["p_value"], rel=RTOL)
    assert [t.low, t.high] == pytest.approx(case["t"]["interval"], rel=RTOL)
    for name in ("wilcoxon", "sign"):
        assert tests[name].p_value == pytest.approx(case[name]["p_value"], rel=RTOL), name


@pytest.mark.parametrize("case", REFERENCE["pairs"], ids=lambda case: f"{len(case['a'])} folds")
def test_normality_that_distributions_use(case):
    found = stats.shapiro(case["a"])
    assert tuple(found) == pytest.approx(tuple(case["shapiro"].values()), rel=1e-6)  # R's is the older code


@pytest.mark.parametrize("case", REFERENCE["tables"], ids=lambda case: f"{len(case['values'])} data sets")
def test_ranks_over_data_sets(case):
    names = [f"algorithm {k}" for k in range(len(case["ranks"]))]
    found = compare_ranks(case["values"], names)
    assert found.average_ranks.tolist() == pytest.approx(case["ranks"], rel=RTOL)
    assert found.friedman.statistic == pytest.approx(case["friedman"]["statistic"], rel=RTOL)
    assert found.friedman.p_value == pytest.approx(case["friedman"]["p_value"], rel=RTOL)
    assert found.critical_difference == pytest.approx(case["critical_difference"], rel=QUANTILE_TOLERANCE)
    assert [row.p_nemenyi for row in found.pairs] == pytest.approx(case["nemenyi"], rel=RTOL)
    assert [row.p_holm for row in found.pairs] == pytest.approx(case["holm"], rel=RTOL)
    assert bonferroni(case["plain"]).tolist() == pytest.approx(case["bonferroni"], rel=RTOL)


@pytest.mark.parametrize(("k", "n"), [(2, 5), (4, 14), (7, 30)])
def test_the_critical_difference_has_the_p_value_of_its_level(k, n):
    reach = critical_difference(k, n, level=0.9)
    assert nemenyi_p_values(np.array([reach / rank_se(k, n)]), k).item() == pytest.approx(0.1, rel=1e-9)


def test_nemenyi_of_two_algorithms_is_the_normal_test():
    """The range of two values is their difference: the p-value is that of z."""
    z = np.array([0.0, 0.5, 1.96, 4.0])
    assert nemenyi_p_values(z, 2).tolist() == pytest.approx((2 * stats.norm.sf(z)).tolist(), rel=1e-9)
