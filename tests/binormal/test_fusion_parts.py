"""Targets, weights and scales of a fusion, each against its literal twin."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

import rocscope as rs
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fusion_parts import (
    LatentMap,
    Target,
    WeightGrid,
    kendall,
    least_cost,
    spearman,
    spread_of_negatives,
)
from rocscope.errors import RocInputError
from slow import fusion


@pytest.fixture
def rng():
    return np.random.default_rng(2)


# ---- Weights ----------------------------------------------------------------------------------------------


def test_the_papers_grid():
    grid = WeightGrid.of()
    assert grid.weights.shape == (100, 2)
    assert (grid.weights.min(), grid.weights.max()) == (0.1, 1.0)
    # Ratios of two numbers from 1 to 10: those without a common divisor.
    assert len(grid.directions) == sum(math.gcd(i, j) == 1 for i in range(1, 11) for j in range(1, 11)) == 63
    for pair, direction in zip(grid.weights, grid.directions[grid.index], strict=True):
        assert direction.tolist() == [round(v) for v in direction]
        assert pair[0] * direction[1] == pytest.approx(pair[1] * direction[0])


@pytest.mark.parametrize(
    ("given", "directions", "index"),
    [
        ([[3, 0], [0.2, 0], [0, 5]], [[1, 0], [0, 1]], [0, 0, 1]),
        ([[1, 1], [-1, -1], [1, -1], [0.3, -0.3]], [[1, 1], [-1, -1], [1, -1]], [0, 1, 2, 2]),
        ([[0.7, 0.3], [1e-9 * 7, 1e-9 * 3]], [[7, 3]], [0, 0]),
        ([0, 1], [[0, 1], [1, 0], [1, 1]], [0, 1, 2]),
        ([1, math.sqrt(2)], None, [0, 1, 2, 0]),
    ],
)
def test_equal_ratios_are_one_direction(given, directions, index):
    grid = WeightGrid.of(given)
    assert grid.index.tolist() == index
    if directions is not None:
        assert grid.directions.tolist() == directions


def test_other_ratios_keep_their_size():
    grid = WeightGrid.of([[1.0, math.pi], [2.0, 2 * math.pi], [1.0, math.pi * (1 + 1e-9)]])
    assert grid.index.tolist() == [0, 0, 1]
    assert grid.directions[0] @ [math.pi, -1] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0, 0]], "weights must have a weight other than 0, got only 0 in row 0"),
        ([[1, 2, 3]], "weights must hold one number per classifier (2), got [[1, 2, 3]]"),
        ("all", "weights must hold one number per classifier (2), got 'all'"),
        ([], "weights must hold one number per classifier (2), got []"),
        ([0], "weights must hold one number per classifier (2), got [0]"),
        ([[1, math.inf]], "weights must have finite numbers, got NaN or infinite in row 0"),
    ],
)
def test_wrong_weights(given, message):
    with pytest.raises(RocInputError) as error:
        WeightGrid.of(given)
    assert str(error.value) == message


def test_rank_correlations_know_ties(rng):
    for _ in range(20):
        x, y = rng.integers(0, 6, (2, 30)).astype(float)
        assert kendall(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-14)
        assert kendall(x, y) == pytest.approx(fusion.kendall(x, y), abs=1e-14)
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-14)
    assert kendall(np.ones(4), np.arange(4.0)) is None
    assert spearman(np.ones(4), np.arange(4.0)) is None


# ---- Targets ----------------------------------------------------------------------------------------------


def curves(rng, n=30):
    return rng.normal(1, 0.8, n), np.exp(rng.normal(0, 0.5, n))


def test_predicted_areas_and_rates_are_those_of_the_curve(rng):
    a, b = curves(rng)
    fits = [Binormal(a=x, b=y) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(Target.read("auc").predict(a, b), [f.auc for f in fits], rtol=1e-14)
    partial = Target.read("partial-auc", fpr=(0.05, 0.3))
    expected = [f.partial_auc(fpr=(0.05, 0.3)) for f in fits]
    np.testing.assert_allclose(partial.predict(a, b), expected, rtol=1e-12)
    by_integral = [integrate.quad(f.tpr, 0.05, 0.3, epsabs=1e-12)[0] for f in fits[:5]]
    np.testing.assert_allclose(partial.predict(a, b)[:5], by_integral, atol=1e-10)
    at = Target.read("tpr", fpr=0.2)
    np.testing.assert_allclose(at.predict(a, b), [f.tpr(0.2) for f in fits], rtol=1e-14)


@pytest.mark.parametrize("costs", [(0.5, 0.5), (0.9, 0.1), (0.02, 3.0), (1.0, 1e-4)])
def test_least_cost(rng, costs):
    a, b = curves(rng)
    a, b = np.append(a, [2.0, 0.0, -1.0]), np.append(b, [1.0, 1.0, 1.0])
    found = least_cost(a, b, *costs)
    expected = [fusion.least_cost(x, y, *costs) for x, y in zip(a, b, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-7)


def test_a_useless_curve_costs_what_calling_all_alike_costs():
    assert least_cost(np.array([0.0]), np.array([1.0]), 0.3, 0.7).tolist() == [0.3]


def sample(rng, n=60):
    y = rng.integers(0, 2, n)
    return y, np.round(rng.normal(size=n) + y, 1)


@pytest.mark.parametrize(
    "how",
    [
        {"target": "auc"},
        {"target": "partial-auc", "fpr": (0.1, 0.4)},
        {"target": "tpr", "fpr": 0.17},
        {"target": "tpr", "fpr": 0.5},
        {"target": "cost", "cost": (1, 4)},
        {"target": "cost", "cost": (1, 4), "prevalence": 0.1},
        {"target": "cost", "cost": [[0.5, 2], [3, -0.0]]},
    ],
)
def test_counted_figures_are_those_of_the_curve(rng, how):
    for _ in range(10):
        y, s = sample(rng)
        curve = rs.roc_curve(y, s)
        found = Target.read(**how, class_sizes=(int(y.sum()), int((1 - y).sum())))
        expected = {
            "auc": lambda curve=curve: curve.auc,
            "partial-auc": lambda curve=curve: curve.partial_auc(fpr=how["fpr"]).value,
            "tpr": lambda curve=curve: float(curve.tpr_at(how["fpr"])),
            "cost": lambda curve=curve: curve.measure(
                "cost", cost=how["cost"], prevalence=how.get("prevalence")
            ).min(),
        }[how["target"]]()
        table = rs.BinaryScores.from_arrays(y, s).table()
        assert found.count(table) == pytest.approx(expected, abs=1e-12)
        both = found.of_curves(np.stack([curve.fpr] * 2), np.stack([curve.tpr] * 2))
        np.testing.assert_allclose(both, expected, atol=1e-12)


def test_a_cost_is_better_when_it_is_less():
    assert [Target.read("auc").sign, Target.read("cost").sign] == [1, -1]
    description = Target.read("cost", cost=(1, 5), prevalence=0.1).description
    assert description == "expected cost (FP 1, FN 5, prevalence 0.1)"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            {"target": "area"},
            "target must be one of 'auc', 'partial-auc', 'tpr', 'cost', got 'area'",
        ),
        (
            {"target": "auc", "fpr": 0.1},
            "fpr must be given with target 'partial-auc' or 'tpr' alone, got target 'auc'",
        ),
        ({"target": "tpr"}, "fpr must be a number, got None"),
        ({"target": "tpr", "fpr": 0}, "fpr must lie between 0 and 1, got 0"),
        ({"target": "partial-auc"}, "fpr must be a pair (low, high), got None"),
        (
            {"target": "tpr", "fpr": 0.1, "cost": 3},
            "cost must be given with target 'cost' alone, got target 'tpr'",
        ),
        (
            {"target": "auc", "prevalence": 0.1},
            "prevalence must be given with target 'cost' alone, got target 'auc'",
        ),
        (
            {"target": "cost", "cost": [[1, 1], [2, 1]]},
            "cost must be more for wrong than for right decisions, got [[1.0, 1.0], [2.0, 1.0]]",
        ),
    ],
)
def test_wrong_targets(how, message):
    with pytest.raises(RocInputError) as error:
        Target.read(**how)
    assert str(error.value).startswith(message)


# ---- Scales -----------------------------------------------------------------------------------------------


def test_latent_values_solve_their_equation(rng):
    y, s = sample(rng)
    table = rs.BinaryScores.from_arrays(y, s).table()
    fit = Binormal(a=1.3, b=0.7)
    found = LatentMap.of(table, fit).apply(s)
    for value, score in zip(found, s, strict=True):
        above = (s > score).sum() + (s == score).sum() / 2
        expected = fusion.latent_value(above, table.n_neg, table.n_pos, fit.a, fit.b)
        assert value == pytest.approx(expected, abs=1e-9)


def test_the_latent_map_rises_and_goes_on(rng):
    y, s = sample(rng)
    table = rs.BinaryScores.from_arrays(y, s).table()
    latent = LatentMap.of(table, Binormal(a=1.3, b=0.7))
    grid = np.linspace(s.min() - 5, s.max() + 5, 500)
    assert (np.diff(latent.apply(grid)) > 0).all()
    ends = latent.apply(np.array([s.min(), s.max()]))
    slope = np.diff(ends) / np.ptp(s)
    far = latent.apply(np.array([s.min() - 2, s.max() + 3]))
    np.testing.assert_allclose(far, ends + np.array([-2, 3]) * slope)


def test_true_latent_scores_are_found_again():
    """Any rising map of binormal scores leads back to the scores, the negatives standard normal."""
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1], 4000)
    latent = rng.normal(size=8000)
    latent[y == 1] = (latent[y == 1] + 1.2) / 0.8
    table = rs.BinaryScores.from_arrays(y, np.exp(latent)).table()
    found = LatentMap.of(table, Binormal(a=1.2, b=0.8)).apply(np.exp(latent))
    inside = np.abs(latent) < 2
    assert np.abs(found - latent)[inside].max() < 0.1
    assert np.std(found[y == 0]) == pytest.approx(1, abs=0.03)


def test_spread_of_negatives(rng):
    y, s = sample(rng)
    for scaled in (s, s * 1e200, s * 1e-200):
        table = rs.BinaryScores.from_arrays(y, scaled).table()
        assert spread_of_negatives(table) == pytest.approx(np.std(s[y == 0], ddof=1) * (scaled[0] / s[0]))
