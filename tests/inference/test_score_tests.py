"""Areas of different cases compared by the score: twins, identities, and the rule that takes it."""

import numpy as np
import pytest
from scipy import stats

import rocscope as rs
from rocscope.errors import RocInputError
from rocscope.inference.curve_tests import AreaDifference
from rocscope.inference.variance import ScoreVariance
from slow import score_tests as slow

Z = stats.norm.ppf(0.975)


def sample(rng, m, n, shift, digits=1):
    """Labels and tied scores."""
    return np.repeat([1, 0], [m, n]), np.round(rng.normal(size=m + n) + np.repeat([shift, 0], [m, n]), digits)


def drawn(seed, k=2):
    """Samples of any sizes, some of them separated."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 25, (k, 2))
    shifts = rng.choice([0.0, 1.0, 2.0, 9.0, -9.0], k, p=[0.3, 0.3, 0.2, 0.15, 0.05])
    data = [sample(rng, *size, shift) for size, shift in zip(sizes.tolist(), shifts.tolist(), strict=True)]
    return {str(i): y for i, (y, _) in enumerate(data)}, {str(i): s for i, (_, s) in enumerate(data)}


@pytest.mark.parametrize("seed", range(60))
def test_agrees_with_the_slow_twin(seed):
    y, scores = drawn(seed)
    first, second = (slow.sample(y[name], scores[name]) for name in "01")
    result = rs.compare_auc(y, scores, paired=False, method="score", margin=0.1)
    pair = result.pairs[0]
    assert (result.method, pair.interval) == ("score", "score")
    assert pair.statistic == pytest.approx(slow.statistic(first, second, 0.0), rel=1e-7, abs=1e-9)
    assert pair.p_value == pytest.approx(2 * stats.norm.sf(abs(pair.statistic)), rel=1e-9)
    assert (pair.low, pair.high) == pytest.approx(slow.interval(first, second, Z), abs=1e-7)
    above, below = (slow.statistic(first, second, margin) for margin in (-0.1, 0.1))
    assert pair.p_equivalence == pytest.approx(max(stats.norm.sf(above), stats.norm.cdf(below)), rel=1e-6)


@pytest.mark.parametrize("seed", range(200))
def test_the_interval_leaves_out_0_where_the_test_rejects(seed):
    y, scores = drawn(seed)
    for alternative in ("two-sided", "less", "greater"):
        how = {"paired": False, "method": "score", "level": 0.9, "alternative": alternative}
        pair = rs.compare_auc(y, scores, **how).pairs[0]
        assert -1 <= pair.low <= pair.difference <= pair.high <= 1
        if abs(pair.p_value - 0.1) > 1e-9:
            assert (pair.low <= 0 <= pair.high) == (pair.p_value > 0.1)


@pytest.mark.parametrize("seed", range(40))
def test_more_curves(seed):
    y, scores = drawn(seed, k=4)
    samples = [slow.sample(y[name], scores[name]) for name in scores]
    result = rs.compare_auc(y, scores, paired=False, method="score")
    if len({area for area, _ in samples}) == 1:
        assert result.statistic == 0
        return
    _, statistic = slow.heterogeneity(samples)
    assert (result.kind, result.df) == ("chi2", 3)
    assert result.statistic == pytest.approx(statistic, rel=1e-7)
    assert result.p_value == pytest.approx(stats.chi2.sf(result.statistic, 3), rel=1e-9)


def test_classes_and_curves_may_change_places():
    y, scores = drawn(3)
    one = rs.compare_auc(y, scores, paired=False, method="score").pairs[0]
    turned = [{n: data[n] for n in "10"} for data in (y, scores)]
    other = rs.compare_auc(*turned, paired=False, method="score").pairs[0]
    assert (other.statistic, other.low, other.high) == pytest.approx((-one.statistic, -one.high, -one.low))
    mirrored = rs.compare_auc({n: 1 - y[n] for n in "01"}, scores, paired=False, method="score").pairs[0]
    assert (mirrored.statistic, mirrored.low) == pytest.approx((-one.statistic, -one.high))


def test_beside_an_area_that_is_known_it_is_the_interval_of_one_area():
    y, s = sample(np.random.default_rng(5), 12, 30, 1.2)
    area = rs.auc(y, s, method="score")
    spread = ScoreVariance.of(area.value, area.se**2, 12, 30)
    known = AreaDifference(area.value, 0.7, spread, ScoreVariance(1e-20, 12, 30))
    ends = [known.end(Z, below=below) + 0.7 for below in (True, False)]
    assert ends == pytest.approx([area.low, area.high], abs=1e-8)


def test_equal_samples_do_not_differ():
    y, s = sample(np.random.default_rng(6), 8, 8, 1.0)
    pair = rs.compare_auc({"a": y, "b": y}, {"a": s, "b": s}, paired=False).pairs[0]
    assert (pair.difference, pair.statistic, pair.p_value) == (0.0, 0.0, 1.0)
    assert pair.low == pytest.approx(-pair.high)


def test_small_samples_are_compared_by_the_score_and_large_ones_by_delong():
    rng = np.random.default_rng(7)
    large, small = sample(rng, 200, 200, 1.0, 9), sample(rng, 20, 20, 1.0, 9)
    for others, method in ((large, "delong"), (small, "score")):
        y, scores = ({"a": large[k], "b": others[k] + 0} for k in range(2))
        result = rs.compare_auc(y, scores, paired=False)
        assert (result.method, result.pairs[0].interval) == (method, method)
        named = rs.compare_auc(y, scores, paired=False, method=method)
        assert result.to_dict() == named.to_dict()
        assert rs.compare_auc(y, scores, paired=False, contrasts=[1, -1]).method == "delong"
    assert rs.compare_auc(small[0], {"a": small[1], "b": -small[1]}).method == "delong"


def test_it_holds_its_level_beside_a_large_sample_where_delong_does_not():
    """200 + 200 and 10 + 90 cases, area 0.9: of 1,000 studies size 0.05 rejects fewer than 73 (0.999)."""
    rng = np.random.default_rng(8)
    shift, rejected = stats.norm.ppf(0.9) * 2**0.5, {"score": 0, "delong": 0}
    for _ in range(1000):
        data = sample(rng, 200, 200, shift, 9), sample(rng, 10, 90, shift, 9)
        y, scores = ({"a": data[0][k], "b": data[1][k]} for k in range(2))
        for method in rejected:
            p = rs.compare_auc(y, scores, paired=False, method=method).p_value
            rejected[method] += p is not None and p <= 0.05
    assert rejected["score"] < 73
    assert rejected["delong"] > 90


@pytest.mark.parametrize("clustered", [False, True])
def test_refuses_what_has_no_score(clustered):
    y, s = sample(np.random.default_rng(9), 9, 9, 1.0)
    curves = {"a": s, "b": -s}
    if clustered:
        y = {name: rs.BinaryScores.from_arrays(y, s, groups=np.arange(18) // 2) for name in curves}
    with pytest.raises(RocInputError) as error:
        rs.compare_auc(y, None if clustered else curves, paired=not clustered, method="score")
    assert error.value.argument == "method"
    assert "'score'" in str(error.value)
