"""Two binormal curves on the same cases, and the correlations of their scores."""

import csv
import json
import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.path import Path
from scipy import special

from data_folder import data_file
from rocscope.binormal import pair as module
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import fit_binormal, fit_categories
from rocscope.binormal.latent import bivariate_cdf, cells
from rocscope.binormal.pair import (
    PARAMETERS,
    BinormalPair,
    Margin,
    choose_cuts,
    class_correlation,
    common_order,
    fit_binormal_pair,
    fit_correlation,
    fit_margin,
)
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.compare import compare_auc
from slow import bivariate as slow

X, Y = np.array([-0.8, 0.1, 1.2]), np.array([-0.3, 0.9])


def drawn(seed=1, n_neg=80, n_pos=60, first=(1.0, 0.8), second=(1.4, 1.1), rho_neg=0.5, rho_pos=0.7):
    return slow.draw(np.random.default_rng(seed), n_neg, n_pos, first, second, rho_neg, rho_pos)


# ---- The correlation of a table ---------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_agrees_with_cell_by_cell_likelihood(seed):
    rng = np.random.default_rng(seed)
    counts = rng.poisson(40 * cells(bivariate_cdf, X, Y, rng.uniform(-0.9, 0.9)))
    assert fit_correlation(counts, X, Y).rho == pytest.approx(slow.correlation(counts, X, Y), abs=2e-7)


def test_four_fields_have_a_closed_form():
    """At cut-points of 0 the quadrant probability is 1/4 + arcsin(rho) / (2 pi)."""
    found = fit_correlation(np.array([[40, 10], [10, 40]]), np.array([0.0]), np.array([0.0]))
    assert found.rho == pytest.approx(math.sin(2 * math.pi * (0.4 - 0.25)), abs=1e-10)


@pytest.mark.parametrize("rho", [-0.95, 0.0, 0.6, 0.99])
def test_an_expected_table_gives_its_correlation_back(rho):
    found = fit_correlation(1000 * cells(bivariate_cdf, X, Y, rho), X, Y)
    assert found.rho == pytest.approx(rho, abs=1e-8)


def test_derivatives_by_the_cut_points():
    """In an expected table the correlation moves with a cut-point as the information says."""
    table, step = 1000 * cells(bivariate_cdf, X, Y, 0.6), 1e-5
    found = fit_correlation(table, X, Y)
    for cuts, by in ((X, found.by_first), (Y, found.by_second)):
        for place in range(len(cuts)):
            rhos = []
            for sign in (1, -1):
                moved = {"x": X, "y": Y}
                moved["x" if cuts is X else "y"] = cuts + sign * step * (np.arange(len(cuts)) == place)
                rhos.append(fit_correlation(table, **moved).rho)
            slope = (rhos[0] - rhos[1]) / (2 * step)
            assert -by[place] / found.information == pytest.approx(slope, abs=1e-6)


def test_the_information_is_the_curvature():
    table, step = 1000 * cells(bivariate_cdf, X, Y, 0.3), 1e-3
    heights = [slow.log_likelihood(0.3 + d, table, X, Y) for d in (-step, 0, step)]
    curvature = -(heights[0] - 2 * heights[1] + heights[2]) / step**2
    assert fit_correlation(table, X, Y).information == pytest.approx(curvature, rel=1e-4)


def test_correlations_that_are_at_their_limit_or_undefined():
    up = fit_correlation(np.diag([5, 5, 5]), np.array([-0.4, 0.4]), np.array([-0.4, 0.4]))
    assert (up.rho, up.information, up.reason) == (1.0, 0.0, "the likelihood rises up to there")
    down = fit_correlation(np.diag([5, 5, 5])[::-1], np.array([-0.4, 0.4]), np.array([-0.4, 0.4]))
    assert down.rho == -1.0
    known = fit_correlation(np.array([[5, 1], [1, 5]]), np.array([0.0]), np.array([0.0]), order=-1)
    assert (known.rho, known.reason) == (-1.0, "the two scores order its cases in opposite ways")
    none = fit_correlation(np.array([[5, 5], [0, 0]]), np.array([1.0]), np.array([0.0]))
    assert (none.rho, none.reason) == (None, "all its cases lie in one category of a score")


def test_a_search_that_fails_gives_no_last_step(monkeypatch):
    monkeypatch.setattr(module, "MAX_STEPS", 1)
    found = fit_correlation(np.array([[40, 10], [10, 40]]), np.array([0.0]), np.array([0.0]))
    assert (found.rho, found.reason) == (None, "1 steps did not reach a maximum of the likelihood")
    pair = fit_binormal_pair(*drawn())
    assert (pair.status, pair.rho_neg, pair.se_rho_neg) == ("partial", None, None)
    assert pair.reason.startswith("the correlation among the negatives is undefined: 1 steps")
    assert pair.equal_areas().status == "ok"


def test_common_orders():
    values = np.array([3.0, 1.0, 1.0, 2.0])
    assert common_order(values, np.exp(values)) == 1
    assert common_order(values, -values) == -1
    assert common_order(values, np.array([3.0, 1.0, 1.5, 2.0])) == 0


# ---- Cut-points inside runs -------------------------------------------------------------------------------


def test_cut_points_inside_runs_have_their_share():
    """A category with a mass of 0.4 and four cases: every case has 0.1 of it."""
    fitted = special.ndtri(np.array([0.3, 0.7]))
    scores, category = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), np.array([0, 1, 1, 1, 1, 2])
    cuts = choose_cuts(scores, category, fitted)
    np.testing.assert_allclose(special.ndtr(cuts.deviates), [0.3, 0.4, 0.5, 0.6, 0.7], atol=1e-15)
    assert cuts.cells(scores).tolist() == [0, 1, 2, 3, 4, 5]
    few = choose_cuts(scores, category, fitted, most=3)
    assert few.values.tolist() == [1.0, 5.0]  # 1/3 and 2/3 are nearest to 0.3 and 0.7


def test_how_cut_points_follow_the_fitted_ones():
    fitted, step = np.array([-0.5, 0.6]), 1e-6
    scores, category = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), np.array([0, 1, 1, 1, 1, 2])
    cuts, by = choose_cuts(scores, category, fitted), np.array([0.3, -1.0, 2.0, 0.5, 0.7])
    moved = [
        by
        @ (
            choose_cuts(scores, category, fitted + m).deviates
            - choose_cuts(scores, category, fitted - m).deviates
        )
        for m in step * np.eye(2)
    ]
    np.testing.assert_allclose(cuts.spread(by, fitted), np.array(moved) / (2 * step), rtol=1e-7)


@pytest.mark.slow
def test_how_cut_points_follow_the_shares():
    """One case more among very many of each moves the share below a cut-point."""
    fitted = np.array([-0.5, 0.6])
    scores, category = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), np.array([0, 1, 1, 1, 1, 2])
    cuts = choose_cuts(scores, category, fitted)
    times, weight = 10**6, np.eye(5)[1]  # the cut-point above 2
    many = np.repeat(np.arange(6), times)
    for case in range(6):
        rows = np.append(many, case)
        found = choose_cuts(scores[rows], category[rows], fitted)
        slope = (weight @ (found.deviates - cuts.deviates)) * times
        assert cuts.within(weight, scores, category)[case] == pytest.approx(slope, abs=1e-5)


# ---- Influences -------------------------------------------------------------------------------------------


def test_influences_add_up_to_nothing():
    """At the maximum all scores cancel; and the squares add up to about the covariance of the fit."""
    y, a, b = drawn(n_neg=800, n_pos=800)
    data = BinaryScores.from_arrays(y, {"a": a, "b": b})
    for column in (0, 1):
        fit = fit_margin(data, column, fit_categories)
        margin = Margin.of(fit, data.columns[column])
        rows = margin.of_cases(margin.curve_influence(), data.positive)
        np.testing.assert_allclose(rows.sum(axis=1), 0, atol=1e-7)
        np.testing.assert_allclose(np.diag(rows @ rows.T), np.diag(fit.cov), rtol=0.25)


def test_the_influence_on_a_cut_point_is_that_of_refitting():
    """Every case k times, and one of them once more: the estimates move by its influence."""
    y, score, _ = drawn(n_neg=25, n_pos=25)
    times = 400
    data = BinaryScores.from_arrays(y, score)
    fit = fit_margin(data, 0, fit_categories)
    margin = Margin.of(fit, score)
    curve = margin.curve_influence()
    weights = np.zeros(len(fit.cutpoints))
    weights[3] = 1.0
    # Influences take the expected information, refitting the observed one: both agree but roughly.
    found = margin.of_cases(margin.cutpoint_influence(weights, np.zeros(2), curve), data.positive)
    rows = np.repeat(np.arange(50), times)
    moved = []
    for case in range(0, 50, 7):
        again = fit_binormal(y[np.append(rows, case)], score[np.append(rows, case)])
        moved.append((again.cutpoints[3] - fit.cutpoints[3]) * times)
    assert np.corrcoef(moved, found[::7])[0, 1] > 0.95


def test_the_influences_on_the_correlations_cancel():
    y, a, b = drawn(n_neg=120, n_pos=90)
    data = BinaryScores.from_arrays(y, {"a": a, "b": b})
    fits = fit_margin(data, 0, fit_categories), fit_margin(data, 1, fit_categories)
    pair = [Margin.of(fit, column) for fit, column in zip(fits, data.columns, strict=True)]
    curves = [margin.curve_influence() for margin in pair]
    for kind in (0, 1):
        _, influence = class_correlation(pair, curves, data, kind)
        assert influence.sum() == pytest.approx(0, abs=1e-7)
        assert np.abs(influence).max() > 1e-3


# ---- The pair ---------------------------------------------------------------------------------------------


def test_each_curve_is_its_own_fit():
    y, a, b = drawn()
    pair = fit_binormal_pair(y, a, b)
    for curve, score, block in ((pair.first, a, slice(0, 2)), (pair.second, b, slice(2, 4))):
        alone = fit_binormal(y, score)
        assert (curve.a, curve.b, curve.auc) == (alone.a, alone.b, alone.auc)
        np.testing.assert_allclose(pair.cov[block, block], alone.cov, rtol=1e-9)
    assert pair.status == "ok"
    assert (pair.n_neg, pair.n_pos, pair.parameters) == (80, 60, PARAMETERS)
    assert pair.defined.all()
    assert np.linalg.eigvalsh(pair.cov).min() > 0
    assert pair.se_rho_neg == pytest.approx(math.sqrt(pair.cov[4, 4]))


def test_exchanging_the_classifiers():
    y, a, b = drawn()
    pair, other = fit_binormal_pair(y, a, b), fit_binormal_pair(y, b, a)
    order = [2, 3, 0, 1, 4, 5]
    np.testing.assert_allclose(other.cov, pair.cov[np.ix_(order, order)], rtol=1e-6, atol=1e-12)
    assert (other.rho_neg, other.rho_pos) == pytest.approx((pair.rho_neg, pair.rho_pos), abs=1e-9)
    assert other.equal_areas().statistic == pytest.approx(-pair.equal_areas().statistic)
    assert other.equal_curves().statistic == pytest.approx(pair.equal_curves().statistic)


def test_exchanging_the_classes():
    """Scores turned and labels changed: the same curves from their other corner."""
    y, a, b = drawn()
    pair, other = fit_binormal_pair(y, a, b), fit_binormal_pair(1 - y, -a, -b)
    assert (other.rho_pos, other.rho_neg) == pytest.approx((pair.rho_neg, pair.rho_pos), abs=1e-7)
    assert other.first.auc == pytest.approx(pair.first.auc, abs=1e-9)
    assert other.equal_areas().statistic == pytest.approx(pair.equal_areas().statistic, rel=1e-6)


def test_increasing_maps_and_row_order_change_nothing():
    y, a, b = drawn()
    pair = fit_binormal_pair(y, a, b)
    rows = np.random.default_rng(3).permutation(len(y))
    other = fit_binormal_pair(y[rows], np.exp(a[rows]), b[rows] ** 3)
    assert (other.rho_neg, other.rho_pos) == pytest.approx((pair.rho_neg, pair.rho_pos), abs=1e-10)
    np.testing.assert_allclose(other.cov, pair.cov, rtol=1e-6, atol=1e-10)


def test_tests_from_the_covariance():
    y, a, b = drawn()
    pair = fit_binormal_pair(y, a, b)
    step, theta = 1e-6, np.array([pair.first.a, pair.first.b, pair.second.a, pair.second.b])

    def difference(a1, b1, a2, b2):
        return special.ndtr(a1 / math.hypot(1, b1)) - special.ndtr(a2 / math.hypot(1, b2))

    gradient = [(difference(*(theta + m)) - difference(*(theta - m))) / (2 * step) for m in step * np.eye(4)]
    se = math.sqrt(gradient @ pair.cov[:4, :4] @ gradient)
    estimate, areas, curves = pair.difference(), pair.equal_areas(), pair.equal_curves()
    assert estimate.value == pytest.approx(pair.first.auc - pair.second.auc)
    assert estimate.se == pytest.approx(se, rel=1e-6)
    assert areas.statistic == pytest.approx(estimate.value / se, rel=1e-6)
    assert areas.p_value == pytest.approx(2 * special.ndtr(-abs(areas.statistic)))
    assert estimate.low == pytest.approx(estimate.value - 1.959964 * se, rel=1e-5)
    assert pair.equal_areas("less").p_value == pytest.approx(special.ndtr(areas.statistic))
    apart = theta[:2] - theta[2:]
    spread = pair.cov[:2, :2] + pair.cov[2:4, 2:4] - pair.cov[:2, 2:4] - pair.cov[2:4, :2]
    assert curves.statistic == pytest.approx(apart @ np.linalg.solve(spread, apart))
    assert curves.df == 2
    assert curves.p_value == pytest.approx(math.exp(-curves.statistic / 2))


def test_near_delong_on_many_cases():
    y, a, b = drawn(seed=5, n_neg=1000, n_pos=1000)
    delong = compare_auc(y, {"a": a, "b": b})
    pair = fit_binormal_pair(y, a, b)
    assert pair.difference().se == pytest.approx(delong.pairs[0].se, rel=0.1)
    assert pair.equal_areas().statistic == pytest.approx(delong.statistic, abs=0.6)
    assert (pair.rho_neg, pair.rho_pos) == pytest.approx((0.5, 0.7), abs=0.1)


@pytest.mark.slow
def test_standard_errors_are_the_spread():
    rows, errors = [], []
    for seed in range(100):
        pair = fit_binormal_pair(*drawn(seed=seed, n_neg=100, n_pos=100))
        rows.append([pair.first.a, pair.first.b, pair.second.a, pair.second.b, pair.rho_neg, pair.rho_pos])
        rows[-1].append(pair.difference().value)
        errors.append([*np.sqrt(np.diag(pair.cov)), pair.difference().se])
    np.testing.assert_allclose(np.mean(errors, axis=0), np.std(rows, axis=0, ddof=1), rtol=0.25)


def test_strong_correlations_are_found_every_time():
    for seed in range(20):
        data = drawn(seed=seed, n_neg=200, n_pos=200, second=(1.0, 0.8), rho_neg=0.97, rho_pos=0.95)
        pair = fit_binormal_pair(*data)
        assert pair.status == "ok"
        assert abs(pair.rho_neg - 0.97) < 5 * pair.se_rho_neg


# ---- Limits and bad data ----------------------------------------------------------------------------------


def test_equal_classifiers():
    y, a, _ = drawn()
    pair = fit_binormal_pair(y, a, 3 * a + 1)
    assert (pair.rho_neg, pair.rho_pos, pair.se_rho_neg, pair.se_rho_pos) == (1, 1, None, None)
    assert pair.status == "partial"
    assert pair.reason == (
        "the correlation among the negatives is 1: the two scores order its cases alike; "
        "the correlation among the positives is 1: the two scores order its cases alike"
    )
    assert pair.defined.tolist() == [True] * 4 + [False] * 2
    assert np.isnan(pair.cov[4:]).all()
    areas, curves = pair.equal_areas(), pair.equal_curves()
    assert (areas.statistic, areas.p_value) == (0, 1)
    assert (curves.statistic, curves.df, curves.p_value) == (0, 0, 1)
    assert (pair.difference().value, pair.difference().se) == (0, 0)


def test_opposite_orders_inside_the_classes():
    y, a, _ = drawn()
    pair = fit_binormal_pair(y, a, 4 * y - a)
    assert (pair.rho_neg, pair.rho_pos) == (-1, -1)
    assert "in opposite ways" in pair.reason


FLAT_TOWARDS_THE_LIMIT = {
    "eight cases": ([1, 1, 0, 0, 1, 1, 1, 0], [1, 3, -1, -1, -2, 2, 0, 2], [0, 0, 1, 2, 2, 0, 1, 0]),
    "25 ratings": (
        [0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1],
        [0, 1, 1, 1, -1, -1, 0, 0, 0, 1, -1, 1, -2, -2, 1, 1, -1, -2, -1, -2, 1, 0, 0, -2, -1],
        [0, 0, 0, 0, 1, 2, 0, 1, 1, -1, 2, 0, 2, 3, -1, -1, 2, 3, 2, 2, 0, 0, 0, 2, 1],
    ),
}


@pytest.mark.parametrize("name", FLAT_TOWARDS_THE_LIMIT)
def test_a_likelihood_that_is_flat_before_it_reaches_its_limit(name):
    """Far out no cell changes with the correlation: its information is 0, and the limit has been reached."""
    pair = fit_binormal_pair(*FLAT_TOWARDS_THE_LIMIT[name])
    assert pair.rho_neg == -1
    assert "the correlation among the negatives is -1: the likelihood rises up to there" in pair.reason
    assert (pair.status, pair.se_rho_neg, pair.defined[4]) == ("partial", None, False)


def test_cells_that_no_correlation_changes():
    counts = np.array([[3, 1], [1, 3]])
    fitted = fit_correlation(counts, np.array([60.0]), np.array([-60.0]))
    assert (fitted.rho, fitted.information) == (None, 0)
    assert fitted.reason == "its cut-points lie so far out that no cell depends on it"


def test_a_curve_that_rests_on_one_pair_of_cases():
    """One pair out of order among thousands: a and b have errors, but no influences to correlate."""
    neg, pos = [565, 0, 2434, 0, 1, 0], [0, 1, 0, 2938, 0, 61]
    a = np.concatenate([np.repeat(np.arange(6), counts) for counts in (neg, pos)])
    y = np.repeat([0, 1], 3000)
    b = np.random.default_rng(1).normal(size=6000) + y
    pair = fit_binormal_pair(y, a, b)
    assert pair.defined.tolist() == [False, False, True, True, True, True]
    assert pair.status == "partial"
    assert pair.reason == (
        "score_a: the influences of the cases on its curve are singular, so it has no covariance in the pair"
    )
    assert pair.first.se_a > 1000
    assert pair.difference().reason == pair.equal_areas().reason == pair.equal_curves().reason == pair.reason
    assert pair.columns()["se"][:2] == [None, None]
    json.dumps(pair.to_dict(), allow_nan=False)


@pytest.mark.parametrize("units", [(1.0, 1.0), (1e6, 1e-6)])
@pytest.mark.parametrize(("apart", "singular"), [(1e-8, True), (1e-7, True), (1e-5, False), (0.1, False)])
def test_singular_influences_in_any_unit(apart, singular, units):
    """The decision rests on the correlation of the influences, not on the rounding of their squares."""
    rng = np.random.default_rng(1)
    influence = rng.normal(size=300) + apart * rng.normal(size=(2, 300))
    fit = Binormal(a=1.0, b=1.0, cov=np.array([[0.04, 0.01], [0.01, 0.02]]) * np.outer(units, units))
    for k in range(20):
        rounded = influence * np.array(units)[:, np.newaxis] * (1 + k * 1e-16 * rng.normal(size=(2, 300)))
        found = module._matched(rounded, fit)
        assert (found is None) == singular
        if found is not None:
            np.testing.assert_allclose(found @ found.T, fit.cov, rtol=1e-4)


def random_ratings(rng):
    """A small table of ratings by two readers: independent, related or opposite ones."""
    n = int(rng.integers(6, 31))
    y = np.append(rng.integers(0, 2, n), [0, 1])
    a = np.round(rng.normal(size=n + 2) * 1.5 + rng.normal() * y).clip(-2, 2)
    kinds = (rng.integers(-2, 3, n + 2), a + rng.integers(-1, 2, n + 2), rng.integers(0, 2, n + 2) - a)
    return y, a, kinds[int(rng.integers(0, 3))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_random_ratings_have_a_result_or_a_reason(seed):
    """No error, no warning, no silent NaN, whatever small table comes."""
    for part in range(4):
        pair = fit_binormal_pair(*random_ratings(np.random.default_rng([seed, part])))
        known = pair.cov[np.ix_(pair.defined, pair.defined)]
        assert np.isfinite(known).all()
        complete = None not in (pair.rho_neg, pair.rho_pos, pair.se_rho_neg, pair.se_rho_pos)
        assert (pair.status == "ok") == complete == (pair.reason is None)
        for answer in (pair.difference(), pair.equal_areas(), pair.equal_curves()):
            assert answer.status == "ok" or answer.reason
        json.dumps(pair.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda y, a: np.zeros(len(y)), "all scores are equal, so the ROC curve has no point inside"),
        (lambda y, a: y + 0.001 * a, "all positives have higher scores than all negatives"),
        (
            lambda y, a: np.where(y == 0, 0.0, a),
            "the negatives have zero variance: all have the score 0.0; "
            "a curve of slope 0 (constant TPR) fits the ROC points exactly",
        ),
    ],
)
def test_a_curve_that_is_undefined_makes_the_pair_so(make, reason):
    y, a, _ = drawn()
    pair = fit_binormal_pair(y, a, make(y, a))
    assert (pair.status, pair.reason) == ("undefined", f"score_b: {reason}")
    assert (pair.rho_neg, pair.rho_pos) == (None, None)
    for answer in (pair.equal_areas(), pair.equal_curves(), pair.difference()):
        assert (answer.status, answer.reason) == ("undefined", pair.reason)
    assert not pair.defined.any()
    assert str(pair) == f"Binormal pair undefined: {pair.reason}"
    json.dumps(pair.to_dict(), allow_nan=False)


def test_bad_input():
    y, a, b = drawn()
    with pytest.raises(RocInputError) as error:
        fit_binormal_pair(y, a, b[:-1])
    assert str(error.value).endswith("must have the same length: y_true has 140, scores['score_b'] has 139")
    with pytest.raises(RocInputError, match="score_b must have no missing scores, got NaN in row 2"):
        fit_binormal_pair(y, a, np.where(np.arange(len(y)) == 2, np.nan, b))
    with pytest.raises(RocInputError, match="score_b must have finite scores, got infinite values in row 2"):
        fit_binormal_pair(y, a, np.where(np.arange(len(y)) == 2, np.inf, b))
    with pytest.raises(RocInputError, match="score_b must be a one-dimensional array, got None"):
        fit_binormal_pair(y, a)
    one = BinaryScores.from_arrays(y, a)
    with pytest.raises(RocInputError, match=r"y_true must come with two scores, got \['y_score'\]"):
        fit_binormal_pair(one)


def test_checked_data_and_names():
    y, a, b = drawn()
    data = BinaryScores.from_arrays(
        np.where(y, "ill", "well"), {"old": a, "new": np.zeros(len(y))}, pos_label="ill"
    )
    assert fit_binormal_pair(data).reason.startswith("new: all scores are equal")
    named = BinaryScores.from_arrays(np.where(y, "ill", "well"), {"old": a, "new": b}, pos_label="ill")
    pair = fit_binormal_pair(named)
    assert pair.names == ("old", "new")
    alone = fit_binormal_pair(np.where(y, "ill", "well"), a, b, pos_label="ill")
    assert alone.names == ("score_a", "score_b")
    assert replace(alone, names=pair.names) == pair
    twice = BinaryScores.from_arrays(y, {"a": a, "b": b}, sample_weight=np.full(len(y), 2))
    assert fit_binormal_pair(twice).n_neg == 160


def test_ellipses_hold_their_share():
    """Of cases drawn from the fitted pair itself."""
    pair = fit_binormal_pair(*drawn())
    rng = np.random.default_rng(1)
    for kind, rho in (("neg", pair.rho_neg), ("pos", pair.rho_pos)):
        x, other = rng.standard_normal((2, 20_000))
        z = np.stack([x, rho * x + math.sqrt(1 - rho**2) * other])
        if kind == "pos":
            z = np.stack([(z[k] + c.a) / c.b for k, c in enumerate((pair.first, pair.second))])
        outline = Path(np.stack(pair.ellipse(kind, 0.8), axis=1))
        assert outline.vertices[0] == pytest.approx(outline.vertices[-1])  # it is closed
        assert outline.contains_points(z.T).mean() == pytest.approx(0.8, abs=0.015)
    with pytest.raises(RocInputError, match="kind must be one of 'neg', 'pos', got 'negatives'"):
        pair.ellipse("negatives")
    with pytest.raises(UndefinedError, match="the correlation has no outline: score_b: all scores are equal"):
        fit_binormal_pair(*drawn()[:2], np.zeros(140)).ellipse("neg")


def test_results_travel():
    pair = fit_binormal_pair(*drawn())
    assert isinstance(pair, BinormalPair)
    assert pickle.loads(pickle.dumps(pair)) == pair
    document = json.loads(pair.to_json())
    assert document["first"]["a"] == pair.first.a
    assert document["rho_neg"] == pair.rho_neg
    assert list(pair.frame()["parameter"]) == list(PARAMETERS)
    assert pair.frame()["se"].iloc[4] == pair.se_rho_neg
    without = fit_binormal_pair(*drawn()[:2], np.zeros(140))
    assert without.columns()["se"] == [None] * 6


def test_real_markers():
    """aSAH, two markers of the same patients: tests near those of DeLong."""
    with data_file("aSAH", "aSAH.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    y = [row["outcome"] == "Poor" for row in rows]
    scores = {name: [float(row[name]) for row in rows] for name in ("wfns", "s100b")}
    pair = fit_binormal_pair(y, *scores.values())
    delong = compare_auc(y, scores)
    assert pair.first.auc == pytest.approx(0.845245, abs=5e-6)
    assert pair.second.auc == pytest.approx(0.733265, abs=5e-6)
    assert pair.status == "ok"
    assert pair.equal_areas().statistic == pytest.approx(delong.statistic, abs=0.5)
