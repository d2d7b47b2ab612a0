"""Ranks over data sets against scipy and Demsar's printed example."""

import numpy as np
import pytest
from scipy import stats

from rocscope.algorithms.ranks import compare_ranks, critical_difference
from rocscope.errors import RocInputError

# J. Demsar, JMLR 7, 2006, table 6: AUC of C4.5, C4.5+m, C4.5+cf, C4.5+m+cf on 14 data sets.
DEMSAR = [
    [0.763, 0.768, 0.771, 0.798],
    [0.599, 0.591, 0.590, 0.569],
    [0.954, 0.971, 0.968, 0.967],
    [0.628, 0.661, 0.654, 0.657],
    [0.882, 0.888, 0.886, 0.898],
    [0.936, 0.931, 0.916, 0.931],
    [0.661, 0.668, 0.609, 0.685],
    [0.583, 0.583, 0.563, 0.625],
    [0.775, 0.838, 0.866, 0.875],
    [1.000, 1.000, 1.000, 1.000],
    [0.940, 0.962, 0.965, 0.962],
    [0.619, 0.666, 0.614, 0.669],
    [0.972, 0.981, 0.975, 0.975],
    [0.957, 0.978, 0.946, 0.970],
]
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]


def test_demsars_example():
    found = compare_ranks(DEMSAR, NAMES, level=0.9)
    # Printed: 3.143, 2.000, 2.893, 1.964. One pair ties in the printed digits alone: half a rank in 14.
    assert found.average_ranks.tolist() == pytest.approx([3.143, 2.0, 2.893, 1.964], abs=0.5 / 14 + 0.0005)
    assert found.critical_difference == pytest.approx(1.12, abs=0.005)


def test_friedman_equals_scipy_with_ties():
    theirs = stats.friedmanchisquare(*np.transpose(DEMSAR))
    ours = compare_ranks(DEMSAR, NAMES).friedman
    assert (ours.statistic, ours.p_value) == pytest.approx(tuple(theirs), rel=1e-10)


def test_iman_davenport_by_its_formula():
    found = compare_ranks(DEMSAR, NAMES)
    chi2 = found.friedman.statistic
    f = 13 * chi2 / (14 * 3 - chi2)
    assert found.iman_davenport.statistic == pytest.approx(f, rel=1e-12)
    assert found.iman_davenport.p_value == pytest.approx(stats.f.sf(f, 3, 39), rel=1e-10)


def test_pairs_equal_scipy():
    table = np.random.default_rng(0).normal(size=(12, 3))
    for row in compare_ranks(table, list("abc")).pairs:
        a, b = (table[:, "abc".index(name)] for name in (row.first, row.second))
        assert row.p_t == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-10)
        assert row.p_wilcoxon == pytest.approx(stats.wilcoxon(a, b, method="exact").pvalue, rel=1e-10)
        z = row.rank_difference / np.sqrt(3 * 4 / (6 * 12))
        assert row.p_nemenyi == pytest.approx(
            stats.studentized_range.sf(abs(z) * np.sqrt(2), 3, np.inf), rel=1e-8
        )
        assert row.wins + row.losses == 12


def test_smaller_errors_rank_first_and_differences_keep_their_sign():
    areas, errors = (
        compare_ranks(DEMSAR, NAMES),
        compare_ranks(-np.array(DEMSAR), NAMES, larger_is_better=False),
    )
    assert areas.average_ranks.tolist() == errors.average_ranks.tolist()
    assert errors.pairs[0].difference == pytest.approx(-areas.pairs[0].difference)
    assert errors.pairs[0].wins == areas.pairs[0].wins


def test_groups_are_the_runs_within_the_critical_difference():
    ranks = np.tile([[4.0, 3.0, 2.0, 1.0]], (40, 1))
    found = compare_ranks(ranks, list("abcd"))
    assert found.critical_difference == pytest.approx(critical_difference(4, 40))
    assert found.groups == ()
    few = compare_ranks(ranks[:4], list("abcd"))
    assert few.critical_difference > 2
    assert few.groups == (("a", "b", "c"), ("b", "c", "d"))


def test_data_set_without_a_value_is_left_out_and_named():
    table = np.array(DEMSAR)
    table[3, 1] = np.nan
    found = compare_ranks(table, NAMES, datasets=[f"set {k}" for k in range(14)])
    assert (found.n_datasets, found.left_out) == (13, ("set 3",))
    assert found.average_ranks.tolist() == compare_ranks(np.delete(table, 3, 0), NAMES).average_ranks.tolist()


def test_all_equal_values():
    found = compare_ranks(np.ones((3, 3)), list("abc"))
    assert (found.friedman.statistic, found.friedman.p_value) == (0.0, 1.0)
    assert found.groups == (("a", "b", "c"),)
    assert {row.p_wilcoxon for row in found.pairs} == {1.0}


def test_values_equal_up_to_rounding_share_their_rank():
    """Means of the same folds in another order differ in their last bits; that is no difference."""
    folds = np.random.default_rng(0).random((6, 30))
    table = np.column_stack(
        [folds.mean(axis=1), [np.sum(row[::-1]) / 30 for row in folds], folds.max(axis=1)]
    )
    assert (table[:, 0] != table[:, 1]).any()
    found = compare_ranks(table, list("abc"))
    assert found.average_ranks.tolist() == [2.5, 2.5, 1.0]
    first = found.pairs[0]
    assert (first.wins, first.ties, first.losses) == (0, 6, 0)
    assert (first.p_t, first.p_wilcoxon, first.p_nemenyi, first.p_holm) == (1.0, 1.0, 1.0, 1.0)


def test_f_of_iman_and_davenport_names_both_degrees_of_freedom():
    assert compare_ranks(DEMSAR, NAMES).iman_davenport.name == "all algorithms rank equally, F(3, 39)"


def test_one_data_set_is_undefined():
    found = compare_ranks([[0.5, 0.6]], list("ab"))
    assert found.status == "undefined"
    assert found.reason == "ranks need at least 2 data sets on which every algorithm has a value, got 1"
    assert str(found).startswith("ranks by auc undefined")
    assert found.to_dict()["average_ranks"] is None


def test_refused():
    with pytest.raises(RocInputError, match="datasets must name the 14 rows of values, got 1 names"):
        compare_ranks(DEMSAR, NAMES, datasets=["one"])
    with pytest.raises(RocInputError, match="level must lie between 0 and 1, got 95"):
        compare_ranks(DEMSAR, NAMES, level=95)
    with pytest.raises(RocInputError, match="values must be numbers, one row per data set"):
        compare_ranks(DEMSAR, NAMES[:3])
    with pytest.raises(RocInputError, match="larger_is_better must be True or False, got 'no'"):
        compare_ranks(DEMSAR, NAMES, larger_is_better="no")
