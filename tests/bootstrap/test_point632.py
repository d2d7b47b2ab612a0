"""The .632 family: the paper's conditions, and what happens at their edges."""

import numpy as np
import pytest

from rocscope.bootstrap.point632 import (
    LossRule,
    overfitting_auc,
    overfitting_error,
    plus_slope,
    point632,
    point632plus_auc,
    point632plus_error,
)
from rocscope.errors import RocInputError
from slow import left_out as slow

GRID = np.linspace(0, 1, 21)


def test_auc_agrees_with_the_equations_everywhere():
    apparent, star = (grid.ravel() for grid in np.meshgrid(GRID, GRID))
    plain = [slow.point632(a, s) for a, s in zip(apparent, star, strict=True)]
    plus = [slow.plus_auc(a, s) for a, s in zip(apparent, star, strict=True)]
    np.testing.assert_allclose(point632(apparent, star), plain, rtol=0, atol=1e-15)
    np.testing.assert_allclose(point632plus_auc(apparent, star), plus, rtol=0, atol=1e-15)


@pytest.mark.parametrize("gamma", [0.0, 0.3, 0.5, 1.0])
def test_error_agrees_with_the_equations_everywhere(gamma):
    apparent, left_out = (grid.ravel() for grid in np.meshgrid(GRID, GRID))
    plus = [slow.plus_error(a, e, gamma) for a, e in zip(apparent, left_out, strict=True)]
    np.testing.assert_allclose(point632plus_error(apparent, left_out, gamma), plus, rtol=0, atol=1e-15)


def test_auc_and_error_mirror_each_other_above_chance_and_by_rule_below():
    apparent, star = (grid.ravel() for grid in np.meshgrid(GRID[GRID > 0.5], GRID))
    mirrored = 1 - point632plus_error(1 - apparent, 1 - star, 0.5)
    by_rule = point632plus_auc(apparent, star, rule="efron-tibshirani")
    np.testing.assert_allclose(by_rule, mirrored, atol=1e-14)
    above = star > 0.5
    np.testing.assert_allclose(point632plus_auc(apparent, star)[above], mirrored[above], atol=1e-14)
    below = ~above
    np.testing.assert_array_equal(point632plus_auc(apparent, star)[below], point632(apparent, star)[below])


def test_no_warning_and_no_nan_where_the_rate_is_zero_over_zero():
    same = np.array([0.0, 0.5, 1.0])
    assert overfitting_auc(same, same).tolist() == [0, 0, 0]
    assert overfitting_error(same, same, same).tolist() == [0, 0, 0]
    np.testing.assert_allclose(point632plus_auc(same, same), same)


def test_rate_reaches_one_at_chance():
    assert overfitting_auc(1.0, 0.5 + 1e-12) == pytest.approx(1.0)
    assert float(point632plus_auc(1.0, 0.5 + 1e-12)) == pytest.approx(0.5)


def test_slope_is_the_derivative():
    step = 1e-6
    for apparent, star in [(0.9, 0.7), (1.0, 0.55), (0.8, 0.79), (0.9, 0.95), (0.9, 0.3)]:
        there, here = (float(point632plus_auc(apparent, star + s)) for s in (step, -step))
        slope = plus_slope(overfitting_auc(apparent, star))
        assert float(slope) == pytest.approx((there - here) / (2 * step), rel=1e-6)


def test_no_information_loss_by_counting_all_pairs():
    rng = np.random.default_rng(1)
    positive, called = rng.random(50) < 0.3, rng.random(50) < 0.4
    expected = np.mean([t != c for t in positive for c in called])
    assert LossRule.read().no_information(positive, called) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        (-1, "cost must hold finite costs of at least 0, not all 0, got -1"),
        ([[2, 1], [1, 0]], "cost must not be less for wrong decisions, got [[2, 1], [1, 0]]"),
        ([[0, 1, 1], [1, 0, 1]], "cost must be of two decisions, got a matrix of shape (2, 3)"),
    ],
)
def test_wrong_costs(cost, message):
    with pytest.raises(RocInputError) as error:
        LossRule.read(cost)
    assert str(error.value) == message


def test_unknown_rule():
    with pytest.raises(RocInputError) as error:
        point632plus_auc(0.9, 0.7, rule="efron")
    allowed = "rule must be one of 'yousef', 'efron-tibshirani'"
    assert str(error.value).startswith(f"{allowed}, got 'efron'")


def test_threshold_makes_the_least_loss():
    """Eq. 2 put right: no other threshold on the probability does better on a long grid of them."""
    rng = np.random.default_rng(2)
    positive = rng.random(200_000) < 0.4
    x = rng.normal(size=positive.size) + positive
    odds = np.exp(x - 0.5) * 0.4 / 0.6
    probability = odds / (1 + odds)
    rule = LossRule.read((1, 6), 0.15)
    best = rule.threshold(positive, 0.4)

    def risk(threshold):
        called = probability >= threshold
        miss, alarm = 1 - called[positive].mean(), called[~positive].mean()
        return 6 * 0.15 * miss + 0.85 * alarm

    grid = np.linspace(0.02, 0.98, 97)
    assert abs(grid[np.argmin([risk(t) for t in grid])] - best) < 0.05
    assert risk(best) <= min(risk(t) for t in grid) + 1e-3
