"""Measures of an operating point for weighted and clustered cases."""

import math

import numpy as np
import pytest

import rocscope as rs
from slow import designs

SHARES = ("sensitivity", "specificity", "ppv", "npv", "accuracy", "f1")


def cases(seed, n=240, n_groups=40):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, n_groups, n)
    y = rng.integers(0, 2, n)
    odds = y + rng.normal(size=n) + rng.normal(size=n_groups)[groups]
    return y, np.round(1 / (1 + np.exp(-odds)), 2), groups


@pytest.mark.parametrize("cost", [3, [[1, 4], [7, 2]]])
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_equal_weights_give_the_measures_of_the_cases(prevalence, cost):
    y, scores, _ = cases(1)
    how = {"threshold": 0.6, "cost": cost, "prevalence": prevalence}
    plain = rs.point_measures(y, scores, **how)
    weighted = rs.point_measures(y, scores, sample_weight=np.full(y.size, 2.5), **how)
    assert (weighted.tp, weighted.fp, weighted.fn, weighted.tn) == (plain.tp, plain.fp, plain.fn, plain.tn)
    for name, one in plain.estimates.items():
        other = weighted.estimates[name]
        assert other.value == pytest.approx(one.value, rel=1e-12)
        assert other.se == pytest.approx(one.se, rel=0.01)  # n - 1 in place of n
        if prevalence is None and name in SHARES:
            assert (other.low, other.high) == pytest.approx((one.low, one.high), rel=1e-12)


def test_clusters_agree_with_the_ratio_estimator():
    y, scores, groups = cases(2)
    found = rs.point_measures(y, scores, threshold=0.6, groups=groups)
    positive, tested = y == 1, scores >= 0.6
    for name, counted, members in (
        ("sensitivity", tested, positive),
        ("specificity", ~tested, ~positive),
        ("ppv", positive, tested),
        ("npv", ~positive, ~tested),
        ("accuracy", tested == positive, np.ones(y.size, bool)),
    ):
        expected = designs.ratio_variance(counted.tolist(), members.tolist(), groups.tolist())
        assert found.estimates[name].se == pytest.approx(math.sqrt(expected), rel=1e-12)


@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_standard_errors_are_the_spread_of_drawn_clusters(prevalence):
    y, scores, groups = cases(3, n=600, n_groups=120)
    how = {"threshold": 0.55, "cost": 2, "prevalence": prevalence}
    found = rs.point_measures(y, scores, groups=groups, **how)
    rng = np.random.default_rng(1)
    members = [np.flatnonzero(groups == g) for g in range(120)]
    drawn = {name: [] for name in found.estimates}
    for _ in range(400):
        rows = np.concatenate([members[g] for g in rng.integers(0, 120, 120)])
        for name, one in rs.point_measures(y[rows], scores[rows], **how).estimates.items():
            drawn[name].append(one.value)
    for name, values in drawn.items():
        assert found.estimates[name].se == pytest.approx(np.std(values), rel=0.15), name


def test_a_point_is_selected_by_weights():
    y, scores, _ = cases(4)
    weight = np.random.default_rng(1).integers(1, 5, y.size)
    chosen = rs.point_measures(y, scores, sample_weight=weight)
    repeated = rs.point_measures(np.repeat(y, weight), np.repeat(scores, weight))
    assert chosen.threshold == repeated.threshold
    assert chosen.sensitivity.value == pytest.approx(repeated.sensitivity.value)
    counted = rs.point_measures(y, scores, sample_weight=weight, weight_kind="frequency")
    assert counted == repeated


def test_shares_of_0_and_1_have_intervals_of_so_many_clusters():
    y, scores, groups = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 1, 2, 3, 3, 4, 5]
    found = rs.point_measures(y, scores, threshold=4.5, groups=groups)
    assert found.sensitivity.value == 1.0
    # Clusters of 2, 1 and 1 cases weigh as 16 / 6 equal ones.
    z2 = 1.959963984540054**2
    assert found.sensitivity.low == pytest.approx(1 / (1 + z2 * 6 / 16))
    assert (found.lr_pos.value, found.lr_pos.status) == (math.inf, "partial")
    assert found.lr_pos.reason == "a share is 0, so the log method gives no interval"
    assert found.ppv.value == 1.0


def test_one_cluster_has_values_alone():
    found = rs.point_measures([0, 1, 0, 1], [1, 2, 3, 4], threshold=2, groups=[1, 1, 1, 1])
    for name in ("sensitivity", "specificity", "youden", "accuracy"):
        one = found.estimates[name]
        assert one.status in ("ok", "partial")
        assert one.value is not None
    assert found.specificity.reason == "the variance needs two clusters"


def test_refuses_an_exact_interval():
    with pytest.raises(rs.RocInputError) as error:
        rs.point_measures([0, 1, 0, 1], [1, 2, 3, 4], threshold=2, groups=[1, 1, 2, 2], interval="exact")
    assert str(error.value) == "interval must be 'wilson' for weighted or clustered cases, got 'exact'"


@pytest.mark.parametrize(
    "design", [{"groups": np.arange(40) // 4}, {"sample_weight": np.linspace(0.5, 2, 40)}]
)
def test_without_variance_there_is_no_interval(design):
    """Not one of no width, which says that the value is known for sure."""
    y = np.tile([0, 1], 20)
    found = rs.point_measures(y, y, threshold=1, cost=[[0, 1], [1, 0]], **design)
    for one in (found.youden, found.balanced_accuracy, found.expected_cost):
        assert (one.status, one.low, one.high) == ("partial", None, None)
        assert one.reason == "no case or cluster moves it, so its variance is 0"
    all_positive = rs.point_measures(y, y, threshold=0, prevalence=0.1, **design)
    assert (all_positive.lr_pos.low, all_positive.ppv.low) == (None, None)
