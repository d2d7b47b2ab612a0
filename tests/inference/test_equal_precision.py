"""Limits of all sorted cases at once: exact probabilities, and shares between the limits."""

import numpy as np
import pytest
from scipy import special, stats

import rocscope
from rocscope.core import kernels
from rocscope.inference import equal_precision
from rocscope.inference.equal_precision import (
    BANDWIDTH,
    DEVIATES,
    RATES,
    calibrated_tail,
    inside_probability,
    sample_counts,
    sample_vertices,
    share_limits,
    smooth_curve,
    tail_limits,
    tail_of,
)
from slow import calibrated as slow_band
from slow import limits


@pytest.mark.parametrize("seed", range(12))
def test_the_probability_is_that_of_the_determinant(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 8))
    low, high = np.sort(rng.random((2, n)) * [[0.7], [0.9]], axis=1)
    low, high = np.minimum(low, high), np.maximum(low, high) + 0.1
    high = np.minimum(np.maximum.accumulate(high), 1.0)
    found = inside_probability(np.arange(1, n + 1), n, low, high)
    assert found == pytest.approx(float(limits.steck(low, high)), abs=1e-12)


@pytest.mark.parametrize(("n", "level"), [(1, 0.9), (10, 0.9), (50, 0.95), (100, 0.99)])
def test_constant_limits_have_the_probability_of_kolmogorov(n, level):
    """Exact quantiles of Kolmogorov's statistic by scipy (Simard, L'Ecuyer 2011)."""
    d, k = float(stats.kstwo.ppf(level, n)), np.arange(1, n + 1)
    low, high = np.maximum(k / n - d, 0), np.minimum((k - 1) / n + d, 1)
    assert inside_probability(k, n, low, high) == pytest.approx(level, abs=1e-10)


def test_some_ranks_are_those_of_the_others_without_limits():
    n, low, high = 6, np.array([0.05, 0.5]), np.array([0.5, 0.95])
    every_low, every_high = np.zeros(n), np.ones(n)
    every_low[[1, 4]], every_high[[1, 4]] = low, high
    every_low, every_high = np.maximum.accumulate(every_low), np.minimum.accumulate(every_high[::-1])[::-1]
    found = inside_probability(np.array([2, 5]), n, low, high)
    assert found == pytest.approx(float(limits.steck(every_low, every_high)), abs=1e-12)


def test_nothing_lies_within_limits_that_cross():
    assert inside_probability(np.array([1, 2]), 2, np.array([0.0, 0.3]), np.array([0.2, 0.1])) == 0


@pytest.mark.parametrize("n", [1, 2, 30, 900])
@pytest.mark.parametrize("outside", [0.5, 0.05, 1e-6])
def test_all_limits_hold_with_the_level(n, outside):
    tail, ranks = tail_of(n, outside), equal_precision._ranks(n)
    low, high = (
        special.betaincinv(ranks, n + 1 - ranks, tail),
        special.betainccinv(ranks, n + 1 - ranks, tail),
    )
    assert 1 - inside_probability(ranks, n, low, high) == pytest.approx(outside, rel=1e-5)
    assert outside / (2 * n) <= tail * (1 + 1e-6)
    assert tail <= outside / 2 * (1 + 1e-6)


def test_a_share_lies_between_the_limits_of_the_cases_beside_it():
    n, tail = 20, tail_of(20, 0.1)
    low, high = share_limits(np.arange(21), n, 0.1)
    for k in range(21):
        assert low[k] == (0 if k == 0 else special.betaincinv(k, n + 1 - k, tail))
        assert high[k] == (1 if k == n else special.betainccinv(k + 1, n - k, tail))
    np.testing.assert_allclose(low, 1 - high[::-1], atol=1e-14)


def test_many_cases_have_limits_of_some_ranks():
    n = 3000
    low, high = share_limits(np.arange(n + 1), n, 0.05)
    assert (np.diff(low) >= 0).all()
    assert (np.diff(high) >= 0).all()
    z = float(special.ndtri(1 - tail_of(n, 0.05)))
    assert high[1500] - low[1500] == pytest.approx(z / np.sqrt(n), rel=0.1)  # twice z times 1 / (2 sqrt n)
    assert high[3] - low[3] < 0.1 * (high[1500] - low[1500])
    assert share_limits(10, n, 1e-12)[1] > share_limits(10, n, 1e-3)[1]


# ---- The calibrated band of a ROC curve -------------------------------------------------------------------


def cases(seed, m=15, n=20, decimals=6):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [m, n])
    return y, np.round(rng.normal(size=m + n) + y, decimals)


def counts(y, s):
    curve = rocscope.roc_curve(y, s)
    return np.asarray(curve.tp, np.int64), np.asarray(curve.fp, np.int64)


@pytest.mark.parametrize("decimals", [6, 0])
@pytest.mark.parametrize("seed", range(6))
def test_the_smooth_curve_is_that_of_the_formula(seed, decimals):
    tp, fp = counts(*cases(seed, decimals=decimals))
    x, y = smooth_curve(tp, fp)
    expected = np.array(slow_band.smooth_curve(tp.tolist(), fp.tolist(), DEVIATES.tolist(), BANDWIDTH))
    assert x[1:-1] == pytest.approx(np.maximum.accumulate(expected[:, 0]), abs=1e-12)
    assert y[1:-1] == pytest.approx(np.maximum.accumulate(expected[:, 1]), abs=1e-12)
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)


def test_the_smooth_curve_of_many_cases_is_the_true_one():
    x, y = smooth_curve(*counts(*cases(1, 4000, 4000)))
    true = special.ndtr(special.ndtri(np.linspace(0.02, 0.98, 25)) + 1)
    assert np.interp(np.linspace(0.02, 0.98, 25), x, y) == pytest.approx(true, abs=0.03)


@pytest.mark.parametrize("seed", range(8))
def test_how_many_bands_hold_a_curve(seed):
    rng = np.random.default_rng(seed)
    m, n = rng.integers(1, 12, 2).tolist()
    curve = smooth_curve(*counts(*cases(seed, m, n, decimals=int(seed % 2))))
    tp, fp = sample_vertices(curve, m, n, 25, rng)
    kept = np.sort(rng.permutation(np.arange(1, m + n))[: (m + n) // 2])  # some ties, too
    tp, fp = (np.ascontiguousarray(np.insert(of[:, [*kept, -1]], 0, 0, axis=1)) for of in (tp, fp))
    tails = np.geomspace(0.002, 0.49, 40)
    of_pos, of_neg = (
        [np.array(ends) for ends in zip(*(tail_limits(np.arange(k + 1), k, t) for t in tails), strict=True)]
        for k in (m, n)
    )
    at = np.linspace(0, 1, 41)
    heights = np.interp(at, *curve)
    found = kernels.count_holding(tp, fp, *of_pos, *of_neg, at, heights)
    points = list(zip(at.tolist(), heights.tolist(), strict=True))
    expected = [
        [
            slow_band.holds(
                t.tolist(), f.tolist(), of_pos[0][k], of_pos[1][k], of_neg[0][k], of_neg[1][k], points
            )
            for k in range(len(tails))
        ]
        for t, f in zip(tp, fp, strict=True)
    ]
    assert found.tolist() == [sum(row) for row in expected]
    assert all(row == sorted(row, reverse=True) for row in expected)  # wider bands hold what narrow ones do
    assert len(set(found.tolist())) > 3


@pytest.mark.parametrize("decimals", [6, 0])
@pytest.mark.parametrize("level", [0.9, 0.5])
def test_the_tail_is_the_largest_that_keeps_the_level(monkeypatch, decimals, level):
    tails = np.geomspace(1e-4, 0.45, 25)
    monkeypatch.setattr(equal_precision, "N_DRAWN", 60)
    monkeypatch.setattr(equal_precision, "TAILS", tails)
    equal_precision._limit_table.cache_clear()
    tp, fp = counts(*cases(3, decimals=decimals))
    found = calibrated_tail(tp, fp, level)
    equal_precision._limit_table.cache_clear()
    m, n = int(tp[-1]), int(fp[-1])
    turned = fp[-1] - fp[::-1], tp[-1] - tp[::-1]
    if np.stack(turned).tolist() < np.stack([tp, fp]).tolist():
        (tp, fp), (m, n) = turned, (n, m)
    curve, rng, at = smooth_curve(tp, fp), np.random.default_rng(0), RATES
    if decimals:
        samples = zip(*sample_vertices(curve, m, n, 60, rng), strict=True)
        knots = np.array(curve)
    else:  # straight between the cuts, where the shares of all cases are those observed
        cuts = (tp + fp) / (m + n)
        pooled = (n * curve[0] + m * curve[1]) / (m + n)
        knots = np.array([np.interp(cuts, pooled, rates) for rates in curve])
        at = np.union1d(RATES, knots[0])
        samples = zip(sample_counts(knots[1], m, 60, rng), sample_counts(knots[0], n, 60, rng), strict=True)
    points = list(zip(at.tolist(), np.interp(at, *knots).tolist(), strict=True))
    held = np.zeros(len(tails))
    for t, f in samples:
        for k, tail in enumerate(tails):
            limits_of = [*tail_limits(np.arange(m + 1), m, tail), *tail_limits(np.arange(n + 1), n, tail)]
            held[k] += slow_band.holds(t.tolist(), f.tolist(), *limits_of, points)
    assert found == tails[held / 60 >= level].max()
    assert (held / 60 < level).any()


def test_samples_are_those_of_the_curve():
    curve = smooth_curve(*counts(*cases(5)))
    rng = np.random.default_rng(0)
    tp, fp = sample_vertices(curve, 6, 9, 400, rng)
    again = np.random.default_rng(0)
    heights = again.random((400, 6)), np.interp(again.random((400, 9)), *curve)
    for row in range(5):
        sample = slow_band.drawn_sample(heights[0][row].tolist(), heights[1][row].tolist())
        assert (tp[row].tolist(), fp[row].tolist()) == sample
    areas = np.sum(np.diff(fp, axis=1) * tp[:, 1:], axis=1) / 54
    assert areas.mean() == pytest.approx(np.trapezoid(curve[1], curve[0]), abs=4 * areas.std() / 20)
    shares = np.array([0.0, 0.2, 0.7, 1.0])
    drawn = sample_counts(shares, 10, 4000, rng)
    assert drawn[:, -1].tolist() == [10] * 4000
    assert drawn.mean(axis=0) == pytest.approx(10 * shares, abs=0.1)


def test_a_calibrated_band_holds_its_share_of_curves():
    """The true curve of normal classes, at the 101 rates; "equal-precision" holds nearly all of them."""
    held, rng, rates = [], np.random.default_rng(8), np.linspace(0, 1, 101)
    true = special.ndtr(special.ndtri(rates) + 1.2)
    for _ in range(250):
        y = np.repeat([1, 0], [25, 40])
        s = rng.normal(size=65) + 1.2 * y
        bands = [
            rocscope.roc_band(y, s, simultaneous=True, level=0.8, method=m) for m in (None, "equal-precision")
        ]
        assert bands[0].method == "calibrated"
        assert np.mean(bands[0].high - bands[0].low) < 0.8 * np.mean(bands[1].high - bands[1].low)
        held.append([bool(np.all((b.low <= true + 1e-9) & (true <= b.high + 1e-9))) for b in bands])
    share, other = np.mean(held, axis=0)
    assert 0.76 < share < 0.9
    assert other > 0.95


@pytest.mark.parametrize("decimals", [6, 0])
def test_exchanged_classes_have_the_mirrored_band(decimals):
    y, s = cases(4, 30, 20, decimals)
    band = rocscope.roc_band(y, s, simultaneous=True)
    turned = rocscope.roc_band(1 - y, -s, simultaneous=True, at="tpr")
    assert 1 - turned.fpr_low[::-1] == pytest.approx(band.high, abs=1e-12)
    assert 1 - turned.fpr_high[::-1] == pytest.approx(band.low, abs=1e-12)
    other = rocscope.roc_band(y, np.exp(s), simultaneous=True)
    assert (other.low.tolist(), other.high.tolist()) == (band.low.tolist(), band.high.tolist())


def test_where_bands_are_calibrated():
    y, s = cases(2)
    for more in ({"at": "threshold"}, {"level": 0.995}):
        assert rocscope.roc_band(y, s, simultaneous=True, **more).method == "equal-precision"
        with pytest.raises(rocscope.RocInputError) as caught:
            rocscope.roc_band(y, s, simultaneous=True, method="calibrated", **more)
        assert str(caught.value) == "method must be one of 'equal-precision', 'dkw', got 'calibrated'"
    many = np.repeat([1, 0], [5001, 1]), np.arange(5002)
    assert rocscope.roc_band(*many, simultaneous=True).method == "equal-precision"
    for m, n in ((1, 1), (1, 5), (6, 1)):
        band = rocscope.roc_band(np.repeat([1, 0], [m, n]), np.arange(m + n), simultaneous=True)
        assert band.method == "calibrated"
        assert ((band.low <= band.mean) & (band.mean <= band.high)).all()
