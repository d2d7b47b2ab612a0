"""Families of areas and bands: their true values, and what their methods ask of the public functions."""

import numpy as np
import pytest
from scipy import integrate, special, stats

import rocscope as rs
from rocscope.atlas import areas
from rocscope.atlas.areas import FROM_SUMS, area_from_sums
from rocscope.atlas.cells import Cell, families
from rocscope.atlas.laws import LAWS, RATIO, score_law


def answers(name, method, data, seed=0):
    """What a method of a family answers for one data set."""
    return families()[name].methods[method](data, np.random.default_rng(seed))


# ---- The whole area ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("method", FROM_SUMS)
def test_the_short_way_to_an_interval_is_that_of_auc(method, categories):
    rng = np.random.default_rng(11)
    for n_pos, n_neg in [(10, 10), (7, 30), (40, 12)]:
        for area in (0.5, 0.8, 0.99):
            y, s = score_law("mixture", area, categories).draw(n_pos, n_neg, rng)
            before = s.copy()
            [(low, high)] = area_from_sums(method)((y, s), rng)
            estimate = rs.auc(y, s, method=method)
            assert (low, high) == (estimate.low, estimate.high)
            assert (s == before).all()


# ---- Partial areas ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("name", LAWS)
def test_true_partial_areas_are_those_of_a_large_sample(name, categories):
    cell = Cell(name, 0.85, 30_000, 30_000, categories)
    data = cell.score_law.draw(cell.n_pos, cell.n_neg, np.random.default_rng(8))
    truth = families()["partial_auc"].truth(cell)
    for part, true in zip(areas.PARTS.values(), truth, strict=True):
        estimate = rs.partial_auc(*data, **part, method="delong")
        assert abs(estimate.value - true) < 4 * estimate.se


def test_true_partial_areas_in_closed_form():
    theta = np.exp(-score_law("exponential", 0.8, False).shift)  # TPR = FPR ** theta
    truth = families()["partial_auc"].truth(Cell("exponential", 0.8, 10, 10))
    expected = [rate ** (1 + theta) / (1 + theta) for rate in (0.1, 0.2, 0.5)]
    expected.append(0.2 - (1 - 0.8 ** (1 / theta + 1)) / (1 / theta + 1))
    assert truth == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("name", ["normal", "unequal"])
def test_the_area_over_tpr_is_the_integral_of_specificity(name):
    law = score_law(name, 0.9, False)
    ratio = RATIO if name == "unequal" else 1.0

    def specificity(tpr):
        return special.ndtr(law.shift - ratio * special.ndtri(tpr))

    expected, _ = integrate.quad(specificity, 0.8, 1)
    assert law.true_area_over_tpr(0.8, 1) == pytest.approx(expected, abs=1e-8)
    assert law.true_area_over_tpr(0, 1) == pytest.approx(0.9, abs=1e-9)


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("name", LAWS)
def test_the_inverse_of_the_curve(name, categories):
    law = score_law(name, 0.9, categories)
    for tpr in (0.0, 0.3, 0.8, 0.97, 1.0):
        assert law.true_tpr(law.true_fpr(tpr)) == pytest.approx(tpr, abs=1e-9)
    if not categories:
        assert law.rates(law.threshold_near(0.8))[1] == pytest.approx(0.8, abs=1e-12)


def test_the_threshold_of_categories_is_the_nearest():
    for name in LAWS:
        law = score_law(name, 0.9, True)
        distances = [abs(law.rates(k)[1] - 0.8) for k in range(1, 5)]
        assert law.threshold_near(0.8) == 1 + int(np.argmin(distances))


def test_partial_methods_are_calls_of_the_public_function():
    data = score_law("normal", 0.9, False).draw(20, 25, np.random.default_rng(2))
    parts = [{"fpr": (0, 0.1)}, {"fpr": (0, 0.2)}, {"fpr": (0, 0.5)}, {"tpr": (0.8, 1)}]
    expected = [rs.partial_auc(*data, **part, method="delong") for part in parts]
    assert answers("partial_auc", "delong", data) == [(one.low, one.high) for one in expected]
    rng = np.random.default_rng(3)
    expected = [rs.partial_auc(*data, **part, method="bootstrap", n_boot=500, rng=rng) for part in parts]
    assert answers("partial_auc", "bootstrap", data, 3) == [(one.low, one.high) for one in expected]


# ---- Three classes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("area", "n_pos", "n_neg"), [(0.7, 9000, 9000), (0.95, 2000, 12_000)])
def test_true_averages_are_those_of_a_large_sample(area, n_pos, n_neg):
    family = families()["multiclass_auc"]
    cell = Cell("normal", area, n_pos, n_neg)
    y, scores = family.draw(cell, np.random.default_rng(4))
    assert np.bincount(y).tolist() == [n_neg, n_neg, n_pos]
    for scheme, true in zip(family.quantities, family.truth(cell), strict=True):
        estimate = rs.multiclass_auc(y, scores, scheme=scheme)
        assert abs(estimate.value - true) < 4 * estimate.se


def test_areas_of_pairs_in_closed_form():
    areas_of_pairs = areas.pair_areas(1.2)
    assert areas_of_pairs[0, 1] == areas_of_pairs[1, 0] == pytest.approx(special.ndtr(0.6 / np.sqrt(2)))
    assert areas_of_pairs[0, 2] == areas_of_pairs[2, 1] == pytest.approx(special.ndtr(1.2 / np.sqrt(2)))
    # Of equal classes both averages are the same.
    assert areas.true_averages(Cell("normal", 0.8, 20, 20)) == pytest.approx([0.8, 0.8])
    assert areas.true_averages(Cell("normal", 0.5, 10, 40)) == pytest.approx([0.5, 0.5])


@pytest.mark.parametrize("method", ["delong", "logit", "bootstrap"])
def test_multiclass_methods_are_calls_of_the_public_function(method):
    data = families()["multiclass_auc"].draw(Cell("normal", 0.8, 12, 15), np.random.default_rng(5))
    rng = np.random.default_rng(6)
    drawn = {"n_boot": 500, "rng": rng} if method == "bootstrap" else {}
    expected = [rs.multiclass_auc(*data, scheme=one, method=method, **drawn) for one in ("ovo", "ovr")]
    assert answers("multiclass_auc", method, data, 6) == [(one.low, one.high) for one in expected]


# ---- Three ordered classes --------------------------------------------------------------------------------


@pytest.mark.parametrize(("area", "n_pos", "n_neg"), [(0.7, 12_000, 12_000), (0.9, 5000, 12_000)])
def test_true_ordinal_figures_are_those_of_a_large_sample(area, n_pos, n_neg):
    family = families()["ordinal_roc"]
    cell = Cell("normal", area, n_pos, n_neg)
    y, estimates = family.draw(cell, np.random.default_rng(7))
    found = rs.ordinal_roc(y, estimates, n_boot=60, rng=1).estimates
    for name, true in zip(areas.ORDINAL, family.truth(cell), strict=True):
        assert 0 < found[name].se < 0.01
        assert abs(found[name].value - true) < 4 * found[name].se, name


def test_the_volume_of_ordered_classes():
    # Without any difference all orders of three estimates are as likely.
    cell = Cell("normal", 0.5 + 1e-9, 20, 20)
    assert areas.true_ordinal(cell)[-1] == pytest.approx(1 / 6, abs=1e-7)
    # Both neighbours in order: differences with the correlation -1/2.
    cell = Cell("normal", 0.9, 20, 20)
    z = special.ndtri(0.9)
    expected = stats.multivariate_normal([0, 0], [[1, -0.5], [-0.5, 1]]).cdf([z, z])
    assert areas.true_ordinal(cell)[-1] == pytest.approx(expected, abs=1e-5)


def test_the_ordinal_bootstrap_is_a_call_of_the_public_function():
    data = families()["ordinal_roc"].draw(Cell("normal", 0.8, 12, 15), np.random.default_rng(5))
    expected = rs.ordinal_roc(*data, n_boot=500, rng=np.random.default_rng(6)).estimates
    assert answers("ordinal_roc", "bootstrap", data, 6) == [
        (expected[name].low, expected[name].high) for name in areas.ORDINAL
    ]


# ---- Fitted binormal curves -------------------------------------------------------------------------------


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("name", ["normal", "unequal"])
def test_true_binormal_curves_are_those_of_a_large_sample(name, categories):
    cell = Cell(name, 0.85, 20_000, 20_000, categories)
    y, scores = cell.score_law.draw(cell.n_pos, cell.n_neg, np.random.default_rng(3))
    fit = rs.fit_binormal(y, scores, method="ml" if categories else "moments")
    area, rate, a, b = areas.true_binormal(cell)
    assert abs(fit.auc - area) < 4 * fit.se_auc
    estimate = fit.tpr_estimate(0.1)
    assert abs(estimate.value - rate) < 4 * estimate.se
    assert abs(fit.a - a) < 4 * fit.se_a
    assert abs(fit.b - b) < 4 * fit.se_b


@pytest.mark.parametrize("name", ["normal", "unequal"])
def test_true_binormal_curves_of_continuous_scores_are_the_true_curves(name):
    cell = Cell(name, 0.85, 20, 20)
    assert areas.true_binormal(cell)[:2] == pytest.approx([0.85, cell.score_law.true_tpr(0.1)])


def test_binormal_methods_are_calls_of_the_public_function():
    data = score_law("unequal", 0.8, False).draw(20, 25, np.random.default_rng(2))
    for family, method, options in (
        ("fit_binormal", "expected", {}),
        ("fit_binormal", "observed", {"information": "observed"}),
        ("fit_binormal moments", "moments", {"method": "moments"}),
    ):
        fit = rs.fit_binormal(*data, **options)
        found = answers(family, method, data)
        for one, estimate in zip(found[:2], (fit.auc_estimate(), fit.tpr_estimate(0.1)), strict=True):
            assert one == (estimate.low, estimate.high)
        assert found[2] == pytest.approx((fit.a - 1.959964 * fit.se_a, fit.a + 1.959964 * fit.se_a))
        assert found[3] == pytest.approx((fit.b - 1.959964 * fit.se_b, fit.b + 1.959964 * fit.se_b))


def test_no_binormal_curve_no_interval():
    separated = np.array([1, 1, 1, 0, 0, 0]), np.array([5.0, 6, 7, 1, 2, 3])
    assert np.isnan(answers("fit_binormal", "expected", separated)).all()


# ---- Dependent and weighted cases -------------------------------------------------------------------------


def cluster_cell(law, n_pos, n_neg, classes, correlation=0.7):
    others = (("correlation", correlation), ("classes", classes))
    return Cell(law, 0.85, n_pos, n_neg, False, others)


@pytest.mark.parametrize("classes", ["mixed", "each"])
@pytest.mark.parametrize("name", ["normal", "exponential", "heavy"])
def test_the_area_of_clusters_is_that_of_a_large_sample(name, classes):
    cell = cluster_cell(name, 10_000, 10_000, classes)
    y, scores, groups = families()["auc clusters"].draw(cell, np.random.default_rng(1))
    estimate = rs.auc(y, scores, groups=groups)
    assert abs(estimate.value - families()["auc clusters"].truth(cell)[0]) < 4 * estimate.se


def test_clusters_have_their_correlation_and_classes():
    def draw(classes):
        cell = cluster_cell("normal", 2000, 6000, classes)
        y, scores, groups = families()["auc clusters"].draw(cell, np.random.default_rng(1))
        return y, scores - cell.score_law.shift * y, groups

    for classes in ("mixed", "each"):
        y, deviates, groups = draw(classes)
        assert set(np.unique(groups, return_counts=True)[1]) == {4}
        ordered = deviates[np.argsort(groups, kind="stable")].reshape(-1, 4)
        assert np.corrcoef(ordered[:, 1], ordered[:, 3])[0, 1] == pytest.approx(0.7, abs=0.05)
        assert np.corrcoef(ordered[:-1, 1], ordered[1:, 3])[0, 1] == pytest.approx(0, abs=0.1)
        assert deviates.std() == pytest.approx(1, abs=0.04)
        positives = y[np.argsort(groups, kind="stable")].reshape(-1, 4).sum(axis=1)
        assert set(positives.tolist()) == ({1} if classes == "mixed" else {0, 4})


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("name", LAWS)
def test_the_area_of_weighted_cases_is_that_of_the_population(name, categories):
    cell = Cell(name, 0.85, 10_000, 10_000, categories)
    y, scores, weights = families()["auc weights"].draw(cell, np.random.default_rng(2))
    assert np.bincount(y).tolist() == [10_000, 10_000]
    assert set(weights.tolist()) == {1.0, 4.0}
    estimate = rs.auc(y, scores, sample_weight=weights)
    assert abs(estimate.value - families()["auc weights"].truth(cell)[0]) < 4 * estimate.se
    cut = cell.score_law.threshold_near(0.5)
    for k, rate in enumerate(cell.score_law.rates(cut)):
        high = scores[y == k] >= cut
        assert high.mean() == pytest.approx(rate / (rate + (1 - rate) / 4), abs=4 * 0.5 / 100)
        assert np.average(high, weights=weights[y == k]) == pytest.approx(rate, abs=4 * 0.5 / 100)


def test_methods_of_designs_are_calls_of_the_public_function():
    y, scores, groups = data = families()["auc clusters"].draw(
        cluster_cell("normal", 20, 20, "mixed"), np.random.default_rng(3)
    )
    for method in ("delong", "logit", "bootstrap"):
        drawn = {"n_boot": 500, "rng": np.random.default_rng(4)} if method == "bootstrap" else {}
        one = rs.auc(y, scores, groups=groups, method=method, **drawn)
        assert answers("auc clusters", method, data, 4) == [(one.low, one.high)]
    y, scores, weights = data = families()["auc weights"].draw(
        Cell("normal", 0.8, 20, 20), np.random.default_rng(3)
    )
    for method in ("auto", "delong", "logit", "score"):
        one = rs.auc(y, scores, sample_weight=weights, method=method)
        assert answers("auc weights", method, data) == [(one.low, one.high)]


# ---- Cross-validated areas --------------------------------------------------------------------------------


def test_models_of_folds_have_the_target_area_on_new_cases():
    cell = Cell("normal", 0.85, 50, 100, False, (("features", 4),))
    shift = cell.score_law.shift
    y, scores, fold, target = families()["cross_auc"].draw(cell, np.random.default_rng(5))
    assert [int(y[fold == k].sum()) for k in range(5)] == [10] * 5
    # The same models again, tried on many new cases.
    rng = np.random.default_rng(5)
    features = rng.standard_normal((150, 4))
    features[:, 0] += shift * y
    new = np.random.default_rng(6).standard_normal((40_000, 4))
    new_y = np.arange(40_000) % 2
    new[:, 0] += shift * new_y
    found = []
    for k in range(5):
        slope = features[(fold != k) & (y == 1)].mean(axis=0) - features[(fold != k) & (y == 0)].mean(axis=0)
        assert scores[fold == k] == pytest.approx(features[fold == k] @ slope)
        found.append(rs.auc(new_y, new @ slope))
    assert abs(np.mean([one.value for one in found]) - target) < 4 * max(one.se for one in found)


@pytest.mark.parametrize("method", ["mean", "pooled"])
def test_cross_methods_are_calls_of_the_public_function(method):
    cell = Cell("normal", 0.85, 25, 25, False, (("features", 4),))
    y, scores, fold, target = data = families()["cross_auc"].draw(cell, np.random.default_rng(5))
    one = rs.cross_auc(y, scores, fold=fold, method=method)
    assert answers("cross_auc", method, data)[0] == (one.low - target, one.high - target)
    assert 0.5 < target < 0.85
