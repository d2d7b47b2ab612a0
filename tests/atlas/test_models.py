"""Families of models: their true values, and what their methods ask of the public functions."""

import numpy as np
import pytest
from scipy import special

import rocscope as rs
from rocscope.atlas import models
from rocscope.atlas.cells import Cell, families


def answers(name, data, seed=0):
    """What the default method of a family answers for one data set."""
    family = families()[name]
    return family.methods[family.default](data, np.random.default_rng(seed))


# ---- Trained without a test set ---------------------------------------------------------------------------


def test_the_target_is_the_area_of_the_trained_model_on_new_cases():
    cell = Cell("normal", 0.85, 20, 30, False, (("features", 4),))
    X, y, target = families()["bootstrap_auc"].draw(cell, np.random.default_rng(1))
    model = models.MeanDifference().fit(X, y)
    new_y = np.arange(80_000) % 2
    new = np.random.default_rng(2).standard_normal((80_000, 4))
    new[:, 0] += cell.score_law.shift * new_y
    found = rs.auc(new_y, model.decision_function(new))
    assert abs(found.value - target) < 4 * found.se
    assert 0.6 < target < 0.85
    assert np.mean(model.predict(new) == new_y) == pytest.approx(
        special.ndtr(special.ndtri(target) / 2**0.5), abs=0.02
    )


def test_intervals_of_a_trained_model_are_those_of_the_public_function():
    cell = Cell("normal", 0.85, 20, 30, False, (("features", 4),))
    X, y, target = data = families()["bootstrap_auc"].draw(cell, np.random.default_rng(1))
    how = {"n_boot": 200, "cv": 2, "leave_one_out": False}
    found = rs.bootstrap_auc(models.MeanDifference(), X, y, rng=np.random.default_rng(3), **how)
    expected = [(one.low - target, one.high - target) for one in (found.star, found.point632)]
    assert answers("bootstrap_auc", data, 3)[:2] == expected
    assert answers("bootstrap_auc", data, 3)[3][0] == found.leave_pair_out.low - target


# ---- Averages over folds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["normal", "exponential", "heavy"])
def test_true_averages_are_those_of_large_folds(name):
    cell = Cell(name, 0.85, 40_000, 40_000)
    y, scores, fold, threshold = families()["average_curves"].draw(cell, np.random.default_rng(4))
    assert np.bincount(fold, weights=y).tolist() == [4000] * 10
    curves = [
        rs.average_curves(y, scores, fold=fold, along=along, x=[x])
        for along, x in (("fpr", 0.2), ("tpr", 0.8), ("threshold", threshold))
    ]
    means = [*(one.mean[0] for one in curves), curves[2].fpr[0]]
    truth = families()["average_curves"].truth(cell)
    assert means == pytest.approx(truth, abs=4 * 0.5 / np.sqrt(40_000))
    assert truth[2] == pytest.approx(0.8)


def test_intervals_of_averages_are_those_of_the_public_function():
    cell = Cell("normal", 0.85, 40, 40)
    y, scores, fold, threshold = data = families()["average_curves"].draw(cell, np.random.default_rng(4))
    vertical = rs.average_curves(y, scores, fold=fold, x=[0.2])
    fixed = rs.average_curves(y, scores, fold=fold, along="threshold", x=[threshold])
    found = answers("average_curves", data)
    assert found[0] == (vertical.low[0], vertical.high[0])
    assert found[2:] == [(fixed.low[0], fixed.high[0]), (fixed.fpr_low[0], fixed.fpr_high[0])]


# ---- Calibration ------------------------------------------------------------------------------------------


def test_probabilities_are_true_and_their_figures_known():
    cell = Cell("normal", 0.8, 20_000, 60_000)
    y, p = families()["calibration"].draw(cell, np.random.default_rng(5))
    assert y.mean() == pytest.approx(0.25, abs=4 * np.sqrt(0.25 * 0.75 / 80_000))
    found = rs.calibration(y, p, n_boot=10, rng=1)
    truth = families()["calibration"].truth(cell)
    figures = (found.intercept, found.slope, found.ratio, found.brier)
    for one, true in zip(figures, truth, strict=True):
        assert abs(one.value - true) < 4 * one.se
    assert answers("calibration", (y, p)) == [(one.low, one.high) for one in figures]


def test_the_brier_score_of_chance():
    assert models.true_brier(0.0, 0.25) == pytest.approx(0.25 * 0.75)


# ---- Predicted combinations -------------------------------------------------------------------------------


@pytest.mark.parametrize("correlation", [0.0, 0.5])
def test_areas_of_sums(correlation):
    cell = Cell("normal", 0.8, 20_000, 20_000, False, (("correlation", correlation),))
    y, first, second = families()["preview_fusion"].draw(cell, np.random.default_rng(6))
    for k in (0, 1):
        assert np.corrcoef(first[y == k], second[y == k])[0, 1] == pytest.approx(correlation, abs=0.03)
    independent, correlated, empirical = families()["preview_fusion"].truth(cell)
    found = rs.auc(y, first + second)
    assert abs(found.value - empirical) < 4 * found.se
    assert correlated == empirical
    shuffled = second.copy()
    for k in (0, 1):
        shuffled[y == k] = np.random.default_rng(7).permutation(second[y == k])
    found = rs.auc(y, first + shuffled)
    assert abs(found.value - independent) < 4 * found.se


def test_intervals_of_a_sum_are_those_of_the_public_function():
    cell = Cell("normal", 0.8, 20, 20, False, (("correlation", 0.5),))
    data = families()["preview_fusion"].draw(cell, np.random.default_rng(6))
    found = rs.preview_fusion(*data, weights=[[1, 1]], n_boot=100, rng=np.random.default_rng(8))
    expected = list(zip(found.low[0], found.high[0], strict=True))
    assert answers("preview_fusion", data, 8) == expected


def test_a_family_may_draw_fewer_data_sets():
    from dataclasses import replace

    from numpy.random import SeedSequence

    from rocscope.atlas import cells

    family = replace(families()["calibration"], most=1500)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(cells.FAMILIES, "calibration", family)
        limits = cells.Limits(least=60, most=100, batch=10)
        counts = cells.simulate_cell(
            "calibration", "wald", Cell("normal", 0.8, 20, 20), limits, 0, SeedSequence(1)
        )
    assert {one[0] for one in counts} == {50}
