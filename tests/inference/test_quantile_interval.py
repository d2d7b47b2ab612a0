"""Intervals of thresholds that keep a rate of one class: slow twin, exact ones of scipy, printed ranks."""

import math

import numpy as np
import pytest
from scipy import stats

import rocscope as rs
from rocscope.core.curve import roc_curve
from rocscope.inference.cutpoint import _rank, quantile_interval, quantile_of
from slow import quantiles

DRAWS = {"n_boot": 1, "rng": 1}


def sample(seed, n_pos, n_neg, step):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1, 0], [n_pos, n_neg]))
    return y, np.round((rng.normal(size=y.size) + y) / step) * step


@pytest.mark.parametrize("step", [1e-9, 0.25, 1.0])
@pytest.mark.parametrize("sizes", [(23, 31), (60, 12), (9, 80), (2, 40), (1, 5)])
@pytest.mark.parametrize(("share", "level"), [(0.8, 0.95), (0.95, 0.95), (0.5, 0.9), (0.9, 0.2)])
def test_agrees_with_counting(sizes, step, share, level):
    y, s = sample(sum(sizes), *sizes, step)
    pos, neg = s[y == 1].tolist(), s[y == 0].tolist()
    curve = roc_curve(y, s)
    for rate, own, other, bound in (("tpr", pos, neg, share), ("fpr", neg, pos, round(1 - share, 12))):
        point = curve.select(f"{rate}{'>=' if rate == 'tpr' else '<='}{bound}")
        threshold = float(curve.thresholds[point])
        slow = quantiles.interval(own, other, bound, level, threshold, spares=rate == "fpr")
        assert quantile_interval(curve, point, rate, bound, level) == slow


@pytest.mark.parametrize("p", [0.1, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("n", [40, 77, 150])
def test_between_cases_alone_the_ranks_are_those_of_scipy(n, p):
    """No score of the other class lies between: the exact interval of a binomial count."""
    x = np.random.default_rng(n).normal(size=n)
    exact = stats.quantile_test(x, p=p).confidence_interval(0.95)
    curve = roc_curve([1] * n + [0], [*x, x.min() - 1])
    assert quantile_interval(curve, round(n * (1 - p)), "tpr", 1 - p, 0.95) == (exact.low, exact.high)
    curve = roc_curve([0] * n + [1], [*x, x.max() + 1])
    assert quantile_interval(curve, 1 + round(n * (1 - p)), "fpr", 1 - p, 0.95) == (exact.low, exact.high)


@pytest.mark.parametrize(("n", "low", "high"), [(59, 0.37502, 0.62498), (37, 0.34414, 0.65586)])
def test_ranks_between_cases_are_those_of_hutson(n, low, high):
    """Hutson 1999, table 8, medians of floods of two rivers, as shares of n + 1.

    As R's QuantileNPCI prints them, whose roots have four digits.
    """
    assert _rank(0.5, n, 0.975) / (n + 1) == pytest.approx(low, abs=5e-5)
    assert _rank(0.5, n, 0.025) / (n + 1) == pytest.approx(high, abs=5e-5)


@pytest.mark.parametrize(("bound", "share"), [("tpr>=0.9", 0.9), ("fpr<=0.1", 0.1)])
def test_the_true_threshold_is_held_as_often_as_promised(bound, share):
    """Uniform scores, of which 2 of 20 miss the bound on average: 5 % errors, all of them on one side."""
    rng = np.random.default_rng(2)
    below = above = 0
    for _ in range(2000):
        y, s = np.repeat([1, 0], 20), rng.random(40)
        curve = roc_curve(y, s)
        low, high = quantile_interval(curve, curve.select(bound), bound[:3], share, 0.95)
        below, above = below + (1 - share < low), above + (1 - share > high)
    misses = (above, below) if share > 0.5 else (below, above)
    assert misses[1] == 0  # this end is infinite
    assert 0.02 < misses[0] / 2000 < 0.06


def test_which_selections_are_quantiles():
    for constraints, found in (
        (["tpr>=0.9"], ("tpr", 0.9)),
        (["sensitivity >= 1"], ("tpr", 1.0)),
        (["fpr<=0"], ("fpr", 0.0)),
        (["specificity>=0.75"], ("fpr", 0.25)),
    ):
        assert quantile_of(constraints) == found
    for constraints in (
        [],
        ["youden"],
        ["tpr>=0.9", "youden"],
        ["tpr>=0.9", "fpr<=0.5"],
        ["fnr<=0.1"],  # selects the largest TPR, which is 1
        ["tpr<=0.9"],
        ["tpr>=0"],
        ["fpr<=1"],
        ["precision>=0.9"],
    ):
        assert quantile_of(constraints) is None
    assert quantile_of(["tpr>=0.9"], rule="youden") is None
    assert quantile_of(["tpr>=0.9"], cost=2) is None
    assert roc_curve([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6]).select("fnr<=0.5").measures["tpr"] == 1


def test_cut_points_and_grey_zones_have_the_same_intervals():
    y, s = sample(4, 60, 70, 0.01)
    zone = rs.grey_zone(y, s, sensitivity=0.9, specificity=0.8, **DRAWS)
    out = rs.cutpoint(y, s, "tpr>=0.9", **DRAWS)
    into = rs.cutpoint(y, s, "specificity>=0.8", **DRAWS)
    assert zone.method == out.method == into.method == "order-statistics"
    assert (zone.rule_out_low, zone.rule_out, zone.rule_out_high) == (out.low, out.threshold, out.high)
    assert (zone.rule_in_low, zone.rule_in, zone.rule_in_high) == (into.low, into.threshold, into.high)
    assert {out.low, out.high, into.low, into.high} < {*s.tolist()}
    assert rs.cutpoint(y, s, rule="youden", **DRAWS).method == "bootstrap"
    named = rs.cutpoint(y, s, "tpr>=0.9", method="bootstrap", n_boot=400, rng=1)
    assert named.method == "bootstrap"
    assert {named.low, named.high} <= {*named.choices.tolist()}
    again = rs.cutpoint(y, s, "tpr>=0.9", n_boot=400, rng=1)
    assert (again.measures, again.share.tolist()) == (named.measures, named.share.tolist())


def test_lower_scores_for_the_positive_class():
    y, s = sample(5, 30, 25, 0.1)
    for bound in ("tpr>=0.8", "fpr<=0.05"):
        higher = rs.cutpoint(y, s, bound, **DRAWS)
        lower = rs.cutpoint(y, -s, bound, direction="lower", **DRAWS)
        assert (lower.low, lower.threshold, lower.high) == (-higher.high, -higher.threshold, -higher.low)
        sides = [{"lower": "upper", "upper": "lower"}[side] for side in _open_sides(higher)]
        assert _open_sides(lower) == sides


def _open_sides(cut):
    return [side for side in ("lower", "upper") for text in cut.warnings if f"no {side} end" in text]


def test_few_cases_leave_an_end_open_and_say_so():
    y, s = sample(6, 20, 20, 1e-9)
    cut = rs.cutpoint(y, s, "tpr>=0.95", **DRAWS)
    assert cut.low == -math.inf
    assert cut.threshold <= cut.high < math.inf
    assert "the interval of the cut-off has no lower end: 20 positives do not bound it" in cut.warnings
    assert cut.to_dict()["low"] == "-inf"
    assert type(cut).from_dict(cut.to_dict()) == cut
    zone = rs.grey_zone(y, s, sensitivity=0.95, specificity=0.95, **DRAWS)
    assert (zone.rule_out_low, zone.rule_in_high) == (-math.inf, math.inf)
    text = "the interval of the cut-off that rules in has no upper end: 20 negatives do not bound it"
    assert text in zone.warnings
    assert not any("too short" in text for text in (*cut.warnings, *zone.warnings))
    short = rs.grey_zone(y, s, sensitivity=0.95, specificity=0.95, method="bootstrap", **DRAWS)
    assert any("too short" in text for text in short.warnings)


def test_a_tied_score_is_spared_by_the_next_one():
    """All negatives at 1: no threshold up to 1 keeps an FPR of 0.2, the next score does."""
    y, s = [0] * 40 + [1] * 40, [1] * 40 + [1, 2] * 20
    cut = rs.cutpoint(y, s, "fpr<=0.2", **DRAWS)
    assert (cut.low, cut.threshold, cut.high) == (1, 2, 2)
    y, s = [0] * 40 + [1] * 40, [1] * 80
    cut = rs.cutpoint(y, s, "fpr<=0.2", **DRAWS)
    assert (cut.low, cut.threshold, cut.high) == (1, math.inf, math.inf)


def test_long_integers_stay_exact():
    y, s = np.repeat([0, 1], 40), np.random.default_rng(3).permutation(80)
    small = rs.cutpoint(y, s, "tpr>=0.7", **DRAWS)
    large = rs.cutpoint(y, [2**60 + int(k) for k in s], "tpr>=0.7", **DRAWS)
    assert (large.low, large.high) == (2**60 + int(small.low), 2**60 + int(small.high))
    assert isinstance(large.high, int)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda y, s: rs.cutpoint(y, s, method="order-statistics"),
            "method must not be 'order-statistics' but for one bound such as 'tpr>=0.9' or 'fpr<=0.1' alone, "
            "got []",
        ),
        (
            lambda y, s: rs.cutpoint(y, s, "tpr>=0.9", method="exact"),
            "method must be one of 'auto', 'order-statistics', 'bootstrap', got 'exact'",
        ),
        (
            lambda y, s: rs.grey_zone(
                y, s, sensitivity=0.9, specificity=0.9, method="order-statistics", groups=[1, 1, 2, 2, 3, 3]
            ),
            "method must not be 'order-statistics' with groups, whose cases are dependent",
        ),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(rs.RocInputError) as caught:
        call([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 6])
    assert str(caught.value) == message
