"""Areas compared by the score: twins, identities, and the rule that takes it."""

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


def seeds(n, quick=15):
    """In the quick tests as many as hypothesis has examples there, or as reach every line."""
    return [*range(quick), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(quick, n))]


def drawn(seed, k=2):
    """Samples of any sizes, some of them separated."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 25, (k, 2))
    shifts = rng.choice([0.0, 1.0, 2.0, 9.0, -9.0], k, p=[0.3, 0.3, 0.2, 0.15, 0.05])
    data = [sample(rng, *size, shift) for size, shift in zip(sizes.tolist(), shifts.tolist(), strict=True)]
    return {str(i): y for i, (y, _) in enumerate(data)}, {str(i): s for i, (_, s) in enumerate(data)}


@pytest.mark.parametrize("seed", seeds(60))
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


@pytest.mark.parametrize("seed", seeds(200))
def test_the_interval_leaves_out_0_where_the_test_rejects(seed):
    y, scores = drawn(seed)
    for alternative in ("two-sided", "less", "greater"):
        how = {"paired": False, "method": "score", "level": 0.9, "alternative": alternative}
        pair = rs.compare_auc(y, scores, **how).pairs[0]
        assert -1 <= pair.low <= pair.difference <= pair.high <= 1
        if abs(pair.p_value - 0.1) > 1e-9:
            assert (pair.low <= 0 <= pair.high) == (pair.p_value > 0.1)


@pytest.mark.parametrize("seed", seeds(40, quick=23))
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


@pytest.mark.slow
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


@pytest.mark.parametrize("paired", [False, True])
def test_refuses_what_has_no_score(paired):
    y, s = sample(np.random.default_rng(9), 9, 9, 1.0)
    curves, clusters = {"a": s, "b": -s}, np.arange(18) // 2
    calls = {
        True: lambda: rs.compare_auc(y, curves, groups=clusters, method="score"),
        False: lambda: rs.compare_auc(
            {name: rs.BinaryScores.from_arrays(y, s, groups=clusters) for name in curves},
            paired=False,
            method="score",
        ),
    }
    with pytest.raises(RocInputError) as error:
        calls[paired]()
    assert error.value.argument == "method"
    assert "'score'" in str(error.value)


# ---- Areas of the same cases ------------------------------------------------------------------------------


def drawn_pairs(seed, k=2):
    """Labels and tied, correlated scores of the same cases, some of them separated or constant."""
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 20, 2)
    y, common = np.repeat([1, 0], [m, n]), rng.normal(size=m + n)
    shifts = rng.choice([0.0, 1.0, 2.0, 9.0], k, p=[0.3, 0.3, 0.3, 0.1])
    scores = {}
    for i, shift in enumerate(shifts.tolist()):
        values = common * rng.choice([0, 1, 3]) + rng.normal(size=m + n) + shift * y
        scores[str(i)] = np.round(values * (rng.random() > 0.05), 1)
    return y, scores


@pytest.mark.parametrize("seed", range(80))
def test_paired_agrees_with_the_slow_twin(seed):
    y, scores = drawn_pairs(seed)
    first, second = (slow.sample(y, scores[name]) for name in "01")
    r = slow.paired_correlation(y, scores["0"], scores["1"])
    result = rs.compare_auc(y, scores, method="score", margin=0.1)
    pair = result.pairs[0]
    assert result.method == "score"
    if pair.interval == "delong":  # one curve twice
        assert (pair.difference, pair.statistic) == (0.0, 0.0)
        return
    assert pair.statistic == pytest.approx(slow.paired_statistic(first, second, r, 0.0), rel=1e-4, abs=1e-9)
    assert pair.p_value == pytest.approx(2 * stats.norm.sf(abs(pair.statistic)), rel=1e-9)
    assert (pair.low, pair.high) == pytest.approx(slow.paired_interval(first, second, r, Z), abs=1e-4)
    above, below = (slow.paired_statistic(first, second, r, margin) for margin in (-0.1, 0.1))
    assert pair.p_equivalence == pytest.approx(max(stats.norm.sf(above), stats.norm.cdf(below)), abs=1e-4)


@pytest.mark.parametrize("seed", range(200))
def test_paired_the_interval_leaves_out_0_where_the_test_rejects(seed):
    y, scores = drawn_pairs(seed)
    for alternative in ("two-sided", "less", "greater"):
        pair = rs.compare_auc(y, scores, method="score", level=0.9, alternative=alternative).pairs[0]
        if pair.p_value is None:
            assert "case" in pair.reason
            continue
        assert -1 <= pair.low <= pair.difference <= pair.high <= 1
        if abs(pair.p_value - 0.1) > 1e-9:
            assert (pair.low <= 0 <= pair.high) == (pair.p_value > 0.1)


def test_paired_classes_and_curves_may_change_places():
    y, scores = drawn_pairs(3)
    one = rs.compare_auc(y, scores, method="score").pairs[0]
    other = rs.compare_auc(y, {n: scores[n] for n in "10"}, method="score").pairs[0]
    assert (other.statistic, other.low, other.high) == pytest.approx((-one.statistic, -one.high, -one.low))
    mirrored = rs.compare_auc(1 - y, scores, method="score").pairs[0]
    assert (mirrored.statistic, mirrored.low) == pytest.approx((-one.statistic, -one.high))
    mapped = rs.compare_auc(y, {n: np.exp(scores[n] / 10) for n in "01"}, method="score").pairs[0]
    assert (mapped.statistic, mapped.low, mapped.high) == (one.statistic, one.low, one.high)


def test_paired_one_curve_twice_does_not_differ():
    y, scores = drawn_pairs(4)
    pair = rs.compare_auc(y, {"a": scores["0"], "b": 2 * scores["0"]}, method="score").pairs[0]
    assert (pair.difference, pair.low, pair.high, pair.statistic, pair.p_value) == (0.0, 0.0, 0.0, 0.0, 1.0)


def test_paired_one_curve_twice_is_known_where_a_class_is_tied():
    y, x = np.repeat([0, 1], 5), [0, 0, 0, 0, 0, 0, 0, 1, 2, 3]
    for curves in ({"a": x, "b": x}, {"a": y, "b": 2 * y}, {"a": [0] * 10, "b": [7] * 10}):
        result = rs.compare_auc(y, curves, method="score")
        assert (result.pairs[0].low, result.pairs[0].high, result.p_value) == (0.0, 0.0, 1.0)
        assert "the variance of the difference is 0" in result.warnings[0]


@pytest.mark.parametrize("seed", range(20))
def test_paired_a_copy_of_a_curve_adds_no_degree_of_freedom(seed):
    rng = np.random.default_rng(seed)
    y, x, z = np.repeat([1, 0], [5, 6]), rng.normal(size=11), rng.normal(size=11)
    found = [
        rs.compare_auc(y, {name: curves[name] for name in order}, method="score")
        for curves in ({"x": x, "copy": 2 * x, "z": z},)
        for order in (("x", "copy", "z"), ("z", "copy", "x"), ("x", "z", "copy"))
    ]
    assert [one.df for one in found] == [1, 1, 1]
    assert [one.statistic for one in found] == pytest.approx([found[0].statistic] * 3, rel=1e-6)


@pytest.mark.parametrize("seed", range(60))
def test_paired_an_equivalent_difference_has_an_interval_inside_the_margin(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(3, 13, 2)
    y, base = np.repeat([1, 0], [m, n]), 3 * rng.normal(size=m + n)
    curves = {name: base + 2 * y + rng.uniform(0.2, 1) * rng.normal(size=m + n) for name in "ab"}
    for margin in (0.1, 0.15, 0.2):
        for side, level in (("less", 0.95), ("greater", 0.95)):
            pair = rs.compare_auc(
                y, curves, method="score", margin=margin, alternative=side, level=level
            ).pairs[0]
            inside = pair.high < margin if side == "less" else pair.low > -margin
            if pair.p_equivalence is not None and abs(pair.p_equivalence - 0.05) > 2e-3:
                assert pair.equivalent == inside


def test_paired_two_curves_without_errors_may_differ_all_the_same():
    y = np.repeat([1, 0], 10)
    rng = np.random.default_rng(5)
    pair = rs.compare_auc(y, {"a": 9 * y + rng.random(20), "b": 9 * y + rng.random(20)}).pairs[0]
    assert (pair.difference, pair.p_value, pair.interval) == (0.0, 1.0, "score")
    assert pair.low == pytest.approx(-pair.high)
    assert pair.high > 0.1


@pytest.mark.parametrize("seed", range(30))
def test_paired_more_curves(seed):
    y, scores = drawn_pairs(seed, k=3)
    result = rs.compare_auc(y, scores, method="score")
    names = list(scores)
    for pair in result.pairs:  # pair by pair as of two curves
        two = rs.compare_auc(y, {name: scores[name] for name in (pair.first, pair.second)}, method="score")
        assert (two.pairs[0].statistic, two.pairs[0].low) == pytest.approx(
            (pair.statistic, pair.low), rel=1e-9
        )
    samples = [slow.sample(y, scores[name]) for name in names]
    mean = np.mean([area for area, _ in samples])
    se = np.sqrt([variance(mean) for _, variance in samples])
    r = np.eye(3)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        r[i, j] = r[j, i] = slow.paired_correlation(y, scores[names[i]], scores[names[j]])
    if np.linalg.eigvalsh(r)[0] < 1e-6 or mean in (0, 1) or result.p_value is None:
        return
    steps = np.array([[1, -1, 0], [0, 1, -1]])
    effect = steps @ [area for area, _ in samples]
    expected = effect @ np.linalg.solve(steps @ (r * np.outer(se, se)) @ steps.T, effect)
    assert (result.kind, result.df) == ("chi2", 2)
    assert result.statistic == pytest.approx(expected, rel=1e-3, abs=1e-9)


def test_paired_few_misranked_cases_are_compared_by_the_score():
    rng = np.random.default_rng(7)
    for n, method in ((60, "delong"), (10, "score")):
        y = np.repeat([1, 0], n)
        scores = {"a": y + rng.normal(size=2 * n), "b": y / 2 + rng.normal(size=2 * n)}
        result = rs.compare_auc(y, scores)
        few = min(np.minimum(result.auc, 1 - result.auc)) * n < 6
        assert (result.method, few) == (method, method == "score")
        assert result.to_dict() == rs.compare_auc(y, scores, method=method).to_dict()
        assert rs.compare_auc(y, scores, contrasts=[1, -1]).method == "delong"


def test_paired_holds_where_delong_does_not():
    """10 + 90 cases, area 0.7 and no correlation: of 2,000 tests of size 0.05 fewer than 133 reject (0.9995).

    And the interval of a difference of 0.1, 20 + 20 cases, area 0.95, correlation 0.8: 1,868 hold, or more.
    """
    rng = np.random.default_rng(8)
    rejected, held = {"score": 0, "delong": 0}, {"score": 0, "delong": 0}
    y, shift = np.repeat([1, 0], [10, 90]), stats.norm.ppf(0.7) * 2**0.5
    small, shifts = np.repeat([1, 0], 20), stats.norm.ppf([0.95, 0.85]) * 2**0.5
    for _ in range(2000):
        scores = {name: rng.normal(size=100) + shift * y for name in "ab"}
        common = rng.normal(size=40) * 0.8**0.5
        near = {
            name: common + rng.normal(size=40) * 0.2**0.5 + one * small
            for name, one in zip("ab", shifts, strict=True)
        }
        for method in rejected:
            p = rs.compare_auc(y, scores, method=method).p_value
            rejected[method] += p <= 0.05
            pair = rs.compare_auc(small, near, method=method).pairs[0]
            held[method] += pair.low is not None and pair.low <= 0.1 <= pair.high
    assert rejected["score"] < 133
    assert rejected["delong"] > 120
    assert held["score"] >= 1868
    assert held["delong"] < 1868
