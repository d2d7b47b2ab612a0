"""Grey zones: every threshold tried in fractions, bootstrap samples one by one, and bad input."""

import math
from fractions import Fraction

import numpy as np
import pytest

import rocscope as rs
from rocscope.core import resampling
from rocscope.core.result import Result
from rocscope.inference.grey_zone import zone_vertices
from rocscope.inference.proportions import wilson_interval
from slow import zones

BOUNDS = [("0.9", "0.9"), ("0.5", "0.95"), ("0.99", "0.6"), ("0.05", "0.05"), ("0.8", "0.7")]
DRAWS = {"n_boot": 100, "rng": 1}


def sample(seed, n_pos=23, n_neg=31, step=0.25, shift=1.0):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1, 0], [n_pos, n_neg]))
    return y, np.round((rng.normal(size=y.size) + shift * y) / step) * step


def split(y, s):
    return s[y == 1].tolist(), s[y == 0].tolist()


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("step", [1e-9, 0.25, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_every_threshold(seed, step, bounds):
    y, s = sample(seed, step=step, shift=seed)
    out, into = zones.cut_offs(*split(y, s), *map(Fraction, bounds))
    found = rs.grey_zone(y, s, sensitivity=float(bounds[0]), specificity=float(bounds[1]), **DRAWS)
    assert (found.rule_out, found.rule_in) == (out, into)
    assert (found.single is None) == (out < into)
    if found.single is not None:
        assert into <= found.single <= out
        out = into = found.single
    for cases, members in (("1", y == 1), ("0", y == 0), ("all", y >= 0)):
        for zone in ("negative", "undecided", "positive"):
            count = sum(zones.zone(score, out, into) == zone for score in s[members].tolist())
            row = found.share(cases, zone)
            assert (row.count, row.n) == (count, members.sum())
            assert (row.value, row.low, row.high) == (count / row.n, *wilson_interval(count, row.n))
    assert found.sensitivity.value == np.mean(s[y == 1] >= out) >= float(bounds[0])
    assert found.specificity.value == np.mean(s[y == 0] < into) >= float(bounds[1])


@pytest.mark.parametrize("n", [10, 20, 30, 70, 90, 100])
def test_bounds_that_a_rate_meets_exactly_are_met(n):
    """1 - 0.9 is less than 0.1 in floating point: 0.9 of 10 negatives must be enough all the same."""
    y, s = np.arange(2 * n) % 2, np.arange(2.0 * n)
    for tenths in range(1, 10):
        found = rs.grey_zone(y, s, sensitivity=tenths / 10, specificity=tenths / 10, n_boot=1, rng=1)
        kept, spared = np.sum(s[y == 1] >= found.rule_out), np.sum(s[y == 0] < found.rule_in)
        assert 10 * kept == 10 * spared == tenths * n


def test_replicates_agree_with_every_threshold():
    y, s = sample(3, n_pos=9, n_neg=12)
    data = rs.BinaryScores.from_arrays(y, s)
    table = data.table()
    neg, pos = (np.repeat(table.scores, counts) for counts in (table.neg, table.pos))
    thresholds = np.array([math.inf, *table.scores])
    draws = []

    def keep(drawn, counts):
        found = zone_vertices(counts.tp, counts.fp, np.full(len(drawn), 8), np.full(len(drawn), 2))
        for k in range(len(drawn)):
            samples = [
                np.repeat(scores, times[k]).tolist()
                for scores, times in zip((pos, neg), drawn.classes[::-1], strict=True)
            ]
            slow = zones.cut_offs(*samples, Fraction(8, 9), Fraction(10, 12))
            draws.append((slow, tuple(float(thresholds[vertex[k]]) for vertex in found)))
        return found

    resampling.bootstrap_table(table, keep, resampling.Sampling(n_boot=60, rng=4))
    assert len(draws) == 60
    assert all(slow == fast for slow, fast in draws)


@pytest.mark.parametrize("method", ["order-statistics", "bootstrap"])
def test_intervals_are_scores(method):
    y, s = sample(5, n_pos=80, n_neg=90)
    how = {"sensitivity": 0.9, "specificity": 0.9, "method": method, "n_boot": 400, "rng": 3}
    found, wide = rs.grey_zone(y, s, **how), rs.grey_zone(y, s, **how, level=0.99)
    assert found.method == method
    for name in ("rule_out", "rule_in"):
        low, value, high = (getattr(found, f"{name}{end}") for end in ("_low", "", "_high"))
        assert low <= value <= high
        assert {low, high} <= {*s}
        assert getattr(wide, f"{name}_low") <= low
        assert getattr(wide, f"{name}_high") >= high
    assert rs.grey_zone(y, s, **how, n_jobs=2) == found
    assert 0 <= found.single_share <= 1


def test_a_good_score_has_no_grey_zone():
    y = np.repeat([0, 1], 10)
    found = rs.grey_zone(y, np.arange(20.0), sensitivity=0.9, specificity=0.9, **DRAWS)
    assert found.single == 10.0
    assert found.undecided.value == 0
    assert (found.sensitivity.value, found.specificity.value) == (1.0, 1.0)
    assert str(found).splitlines()[0] == "No grey zone: score >= 10 meets both bounds"
    assert found.decision == rs.Threshold(10.0)


def test_the_decision_is_the_reject_option_of_a_threshold():
    y, s = sample(1)
    found = rs.grey_zone(y, s, sensitivity=0.9, specificity=0.9, **DRAWS)
    assert found.decision == rs.Threshold(found.rule_in, reject=found.rule_out)
    decided = found.decision.decide(s)
    counts = {zone: found.share("all", zone).count for zone in ("negative", "undecided", "positive")}
    assert counts == {
        "negative": sum(one == 0 for one in decided),
        "undecided": sum(one is None for one in decided),
        "positive": sum(one == 1 for one in decided),
    }


def test_lower_scores_for_the_positive_class():
    y, s = sample(2)
    higher = rs.grey_zone(y, s, sensitivity=0.9, specificity=0.9, **DRAWS)
    lower = rs.grey_zone(y, -s, sensitivity=0.9, specificity=0.9, direction="lower", **DRAWS)
    assert (lower.rule_out, lower.rule_in) == (-higher.rule_out, -higher.rule_in)
    ends = lower.rule_out_low, lower.rule_out_high, lower.rule_in_low, lower.rule_in_high
    assert ends == (
        -higher.rule_out_high,
        -higher.rule_out_low,
        -higher.rule_in_high,
        -higher.rule_in_low,
    )
    assert lower.shares == higher.shares
    np.testing.assert_array_equal(lower.decision.decide(-s), higher.decision.decide(s))
    assert str(lower).startswith("Negative where score > ")


def test_scores_that_allow_no_decision():
    y, s = [0, 1] * 10, [*range(20)]
    found = rs.grey_zone(y, [-score for score in s], sensitivity=0.99, specificity=0.99, **DRAWS)
    assert found.rule_in == math.inf
    assert found.share("all", "positive").count == 0
    assert "no case is ruled in: no positive reaches a cut-off of specificity 0.99" in found.warnings
    assert (
        "the sensitivity lets none of 10 cases be wrong: see its interval for what that shows"
        in found.warnings
    )
    assert Result.from_dict(found.to_dict()) == found
    constant = rs.grey_zone(y, [1] * 20, sensitivity=0.5, specificity=0.5, **DRAWS)
    assert constant.undecided.value == 1.0
    assert "no case is ruled out: no negative is below a cut-off of sensitivity 0.5" in constant.warnings


def test_one_case_in_a_class_tells_nothing():
    y, s, how = [0, 0, 1], [1, 3, 2], {"sensitivity": 0.9, "specificity": 0.9} | DRAWS
    ranked = rs.grey_zone(y, s, **how)
    assert (ranked.rule_out_low, ranked.rule_out_high) == (-math.inf, math.inf)
    assert (ranked.single_share, ranked.status) == (None, "partial")
    assert "Negative where score < 2 (95% interval -inf to inf)" in str(ranked)
    found = rs.grey_zone(y, s, **how, method="bootstrap")
    assert (found.rule_out, found.rule_out_low, found.single_share, found.status) == (
        2.0,
        None,
        None,
        "partial",
    )
    assert found.reason == "the bootstrap needs two cases in each class, one has 1"
    assert "(no interval: the bootstrap needs two cases in each class, one has 1)" in str(found)


def test_long_integers_are_exact():
    s = [2**60 + k for k in (1, 2, 3, 5, 4, 6, 7, 8)]
    found = rs.grey_zone([0] * 4 + [1] * 4, s, sensitivity=0.9, specificity=0.9, **DRAWS)
    assert (found.rule_out, found.rule_in) == (2**60 + 4, 2**60 + 6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sensitivity": 1}, "sensitivity must lie between 0 and 1, got 1"),
        ({"sensitivity": 0}, "sensitivity must lie between 0 and 1, got 0"),
        ({"specificity": 95}, "specificity must lie between 0 and 1, got 95"),
        ({"specificity": "high"}, "specificity must be a number, got 'high'"),
        ({"specificity": math.nan}, "specificity must lie between 0 and 1, got nan"),
        ({"level": 0}, "level must lie between 0 and 1, got 0"),
        ({"n_boot": 0}, "n_boot must be a whole number of at least 1, got 0"),
        ({"y_score": [1, 2]}, "y_true and y_score must have the same length: y_true has 4, y_score has 2"),
        ({"y_score": [1, 2, None, 3]}, "y_score must have no missing scores, got missing values in row 2"),
        ({"y_true": [1] * 4}, "y_true must hold two classes, got only 1"),
    ],
)
def test_bad_input(arguments, message):
    good = {"y_true": [0, 1, 0, 1], "y_score": [1, 2, 3, 4], "sensitivity": 0.9, "specificity": 0.9}
    with pytest.raises(rs.RocInputError) as caught:
        rs.grey_zone(**(good | arguments))
    assert str(caught.value) == message


def test_shares_are_of_known_cases_and_zones():
    y, s = sample(1)
    found = rs.grey_zone(y, s, sensitivity=0.9, specificity=0.9, **DRAWS)
    with pytest.raises(rs.RocInputError) as caught:
        found.share("2", "undecided")
    assert str(caught.value) == "cases must be one of '1', '0', 'all', got '2'"


def test_clusters_are_drawn_whole():
    rng = np.random.default_rng(6)
    clusters = np.repeat(np.arange(50), 6)
    y = rng.integers(0, 2, 300)
    scores = np.round(y + 0.3 * rng.normal(size=300) + rng.normal(size=50)[clusters], 1)
    how = {"sensitivity": 0.9, "specificity": 0.9, "n_boot": 400, "rng": 1, "method": "bootstrap"}
    plain, found = rs.grey_zone(y, scores, **how), rs.grey_zone(y, scores, groups=clusters, **how)
    assert rs.grey_zone(y, scores, groups=clusters, **how | {"method": "auto"}) == found
    assert (found.rule_out, found.rule_in) == (plain.rule_out, plain.rule_in)
    assert found.rule_in_high - found.rule_in_low > 1.3 * (plain.rule_in_high - plain.rule_in_low)
    at = rs.point_measures(y, scores, threshold=found.rule_out, groups=clusters)
    assert found.sensitivity == at.sensitivity
    assert found.share("1", "negative").low == pytest.approx(1 - at.sensitivity.high)
    assert found.undecided.value == plain.undecided.value
    assert rs.grey_zone(y, scores, groups=np.arange(300), **how) == plain
    one = rs.grey_zone(y, scores, groups=np.where(y, 0, np.arange(300)), **how)
    assert one.reason == "the variance needs two clusters with positives and two with negatives"
