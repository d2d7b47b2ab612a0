"""Limits of all sorted cases at once: exact probabilities, and shares between the limits."""

import numpy as np
import pytest
from scipy import special, stats

from rocscope.inference import equal_precision
from rocscope.inference.equal_precision import inside_probability, share_limits, tail_of
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
