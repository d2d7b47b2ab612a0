"""The score interval of a partial area: its model by quadrature, its ends by a walk, and what it holds."""

import math

import numpy as np
import pytest
from scipy import stats

import rocscope as rs
from rocscope.inference.variance import model_variance, partial_score_interval
from slow import partial_score as slow

TWO_SIDED = {"level": 0.95, "alternative": "two-sided"}


@pytest.mark.parametrize("limits", [(0.0, 0.1), (0.0, 1.0), (0.05, 0.2), (0.5, 1.0)])
@pytest.mark.parametrize("t", [0.1, 0.5, 1.0, 3.0])
def test_the_model_is_its_definition(limits, t):
    area, variance = model_variance(math.log(t), limits, 30, 50)
    assert area == pytest.approx(slow.area(t, *limits), rel=1e-10)
    assert variance == pytest.approx(slow.variance(t, *limits, 30, 50), rel=1e-3)


def test_the_whole_area_has_the_variance_of_hanley_and_mcneil_in_the_limit():
    area, variance = model_variance(math.log(0.25), (0.0, 1.0), 10**6, 10**6)
    assert area == 0.8
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    assert variance == pytest.approx((q1 + q2 - 2 * area**2) / 10**6, rel=1e-12)


@pytest.mark.parametrize(
    ("value", "own", "limits"), [(0.07, 2e-4, (0.0, 0.1)), (0.07, 4e-5, (0.0, 0.1)), (0.1, 4e-4, (0.05, 0.2))]
)
def test_it_holds_what_the_test_does_not_reject(value, own, limits):
    found = partial_score_interval(value, own, limits, 30, 40, **TWO_SIDED)
    expected = slow.interval(value, own, *limits, 30, 40, stats.norm.ppf(0.975), steps=200)
    assert found == pytest.approx(expected, abs=1.5e-3)  # the step of the walk
    lower = partial_score_interval(value, own, limits, 30, 40, level=0.975, alternative="greater")
    upper = partial_score_interval(value, own, limits, 30, 40, level=0.975, alternative="less")
    assert lower == (pytest.approx(found[0], rel=1e-12), limits[1] - limits[0])
    assert upper == (0.0, pytest.approx(found[1], rel=1e-12))


def test_a_range_of_tpr_is_that_of_fpr_with_the_classes_exchanged():
    rng = np.random.default_rng(2)
    y = np.repeat([0, 1], [30, 40])
    s = np.round(rng.normal(size=70) + 1.5 * y, 1)
    over_tpr = rs.partial_auc(y, s, tpr=(0.7, 1))
    over_fpr = rs.partial_auc(1 - y, -s, fpr=(0, 0.3))
    for name in ("value", "se", "low", "high"):
        assert over_tpr[name] == pytest.approx(over_fpr[name], rel=1e-9)
    assert over_tpr.method == over_fpr.method == "score"
    raw, scaled = (rs.partial_auc(y, s, fpr=(0, 0.3), standardize=one) for one in (False, True))
    slope = (scaled.value - 0.5) / (raw.value - 0.045)
    for name in ("low", "high"):
        assert scaled[name] - scaled.value == pytest.approx(slope * (raw[name] - raw.value), rel=1e-9)


def test_auto_is_score_over_one_rate_and_logit_elsewhere():
    rng = np.random.default_rng(3)
    y = np.tile([0, 1], 40)
    s = rng.normal(size=80) + 1.2 * y
    groups, weight = np.repeat(np.arange(40), 2), rng.uniform(0.5, 2, 80)
    assert rs.partial_auc(y, s, fpr=(0, 0.2)).method == "score"
    assert rs.partial_auc(y, s).method == "score"
    for options in ({"tpr": (0.5, 1)}, {"groups": groups}, {"sample_weight": weight}):
        found = rs.partial_auc(y, s, fpr=(0, 0.2), **options)
        assert found == rs.partial_auc(y, s, fpr=(0, 0.2), method="logit", **options)
        assert found.method == "logit"
        assert 0 < found.low < found.value < found.high < 0.2
    with pytest.raises(rs.RocInputError, match="method must be another one inside ranges of both rates"):
        rs.partial_auc(y, s, fpr=(0, 0.2), tpr=(0.5, 1), method="score")
    table = rs.BinaryScores.from_arrays(y, s).table()
    assert rs.partial_auc(table, fpr=(0, 0.2)).low == rs.partial_auc(y, s, fpr=(0, 0.2)).low


def test_the_logit_interval_by_hand():
    rng = np.random.default_rng(4)
    y = np.repeat([0, 1], [40, 30])
    s = rng.normal(size=70) + 1.2 * y
    one = rs.partial_auc(y, s, fpr=(0, 0.2), method="logit")
    p, se = one.value / 0.2, one.se / 0.2
    ends = [
        0.2 / (1 + math.exp(-(math.log(p / (1 - p)) + z * se / (p * (1 - p))))) for z in (-1.959964, 1.959964)
    ]
    assert (one.low, one.high) == pytest.approx(ends, rel=1e-6)


def test_separated_classes_and_narrow_ranges_have_notes():
    y, s = [0] * 20 + [1] * 20, range(40)
    perfect = rs.partial_auc(y, s, fpr=(0, 0.5))
    assert (perfect.value, perfect.se, perfect.high) == (0.5, 0.0, 0.5)
    assert 0.4 < perfect.low < 0.5
    assert perfect.warnings == (
        "the area is 0.5, which shows no variance: the interval is that of exponential scores",
    )
    worst = rs.partial_auc(y, s[::-1], fpr=(0, 0.5))
    assert (worst.value, worst.low) == (0.0, 0.0)
    assert worst.high > 0
    assert rs.partial_auc(y, s, fpr=(0, 0.5), method="logit").low is None
    narrow = rs.partial_auc([0, 1] * 20, range(40), fpr=(0, 0.2)).warnings
    assert narrow == (
        "the range holds 4 cases of the class on its axis: of so few the interval may be too short",
    )


@pytest.mark.slow
def test_it_holds_its_level_where_the_others_do_not():
    """20 + 20 cases, area 0.9: of 600 studies 0.95 hold at least 551 (0.999); of the bootstrap fewer."""
    rng = np.random.default_rng(5)
    shift = stats.norm.ppf(0.9) * 2**0.5
    f = (np.arange(20_000) + 0.5) / 20_000 * 0.2
    truth = 0.2 * stats.norm.cdf(shift + stats.norm.ppf(f)).mean()
    y, held = np.repeat([0, 1], 20), {"score": 0, "delong": 0}
    for _ in range(600):
        s = rng.normal(size=40) + shift * y
        for method in held:
            one = rs.partial_auc(y, s, fpr=(0, 0.2), method=method)
            held[method] += one.low is not None and one.low <= truth <= one.high
    assert held["score"] >= 551
    assert held["delong"] < 551
