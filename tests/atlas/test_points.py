"""Families of operating points: true measures, designs, and calls of the public function."""

import numpy as np
import pytest
from scipy import special

import rocscope as rs
from rocscope.atlas import points
from rocscope.atlas.cells import Cell, families
from rocscope.atlas.laws import LAWS, score_law


def answers(name, method, data, seed=0):
    """What a method of a family answers for one data set."""
    return families()[name].methods[method](data, np.random.default_rng(seed))


# ---- A fixed threshold ------------------------------------------------------------------------------------

FAMILY = families()["point_measures"]


def cell_of(n_pos, n_neg, area=0.9, tpr=0.8, drawn="classes"):
    return Cell("normal", area, n_pos, n_neg, False, (("tpr", tpr), ("drawn", drawn)))


@pytest.mark.parametrize("drawn", ["cases", "classes"])
@pytest.mark.parametrize(("area", "tpr"), [(0.7, 0.8), (0.9, 0.95)])
def test_true_measures_are_those_of_a_large_sample(area, tpr, drawn):
    cell = cell_of(30_000, 90_000, area, tpr, drawn)
    y, scores, threshold = FAMILY.draw(cell, np.random.default_rng(6))
    how = {"threshold": threshold, "threshold_probability": 0.2, "cost": 5}
    own = rs.point_measures(y, scores, **how).estimates
    other = rs.point_measures(y, scores, prevalence=0.1, **how).estimates
    estimates = [own[name] for name in points.OWN] + [other[name] for name in points.AT_PREVALENCE]
    assert len(FAMILY.quantities) == len(estimates) == 18
    for name, estimate, true in zip(FAMILY.quantities, estimates, FAMILY.truth(cell), strict=True):
        assert estimate.se > 0
        assert abs(estimate.value - true) < 4 * estimate.se, name


def test_true_measures_of_a_table():
    # 80 of 100 positives and 60 of 300 negatives test positive.
    table = points.measures_of(0.2, 0.8, 0.25)
    assert table["ppv"] == pytest.approx(80 / 140)
    assert table["npv"] == pytest.approx(240 / 260)
    assert table["accuracy"] == pytest.approx(320 / 400)
    assert table["f1"] == pytest.approx(160 / (160 + 60 + 20))
    assert table["net_benefit"] == pytest.approx(80 / 400 - 60 / 400 / 4)
    assert table["expected_cost"] == pytest.approx((60 + 5 * 20) / 400)
    assert (table["youden"], table["balanced_accuracy"]) == pytest.approx((0.6, 0.8))
    assert (table["lr_pos"], table["lr_neg"]) == pytest.approx((4, 0.25))


def test_the_threshold_is_that_of_the_tpr():
    for tpr in (0.8, 0.95):
        cell = cell_of(20, 20, tpr=tpr)
        *_, threshold = FAMILY.draw(cell, np.random.default_rng(0))
        assert cell.score_law.rates(threshold)[1] == pytest.approx(tpr)
        assert FAMILY.truth(cell)[0] == pytest.approx(tpr)


def test_cases_of_a_population_have_random_classes():
    rng = np.random.default_rng(3)
    n_pos = [int(FAMILY.draw(cell_of(10, 30, drawn="cases"), rng)[0].sum()) for _ in range(2000)]
    assert abs(np.mean(n_pos) - 10) < 4 * np.sqrt(7.5 / 2000)
    assert np.var(n_pos) == pytest.approx(7.5, rel=4 * np.sqrt(2 / 2000))
    sizes = {int(FAMILY.draw(cell_of(10, 30), rng)[0].sum()) for _ in range(20)}
    assert sizes == {10}
    # No data set lacks a class.
    n_pos = [int(FAMILY.draw(cell_of(1, 3, drawn="cases"), rng)[0].sum()) for _ in range(200)]
    assert (min(n_pos), max(n_pos)) == (1, 3)


@pytest.mark.parametrize("interval", ["wilson", "exact"])
def test_methods_are_calls_of_the_public_function(interval):
    y, scores = score_law("normal", 0.9, False).draw(20, 25, np.random.default_rng(2))
    answers = FAMILY.methods[interval]((y, scores, 0.7), np.random.default_rng(0))
    point = rs.point_measures(y, scores, threshold=0.7, interval=interval)
    assert answers[0] == (point.sensitivity.low, point.sensitivity.high)
    assert answers[3] == (point.npv.low, point.npv.high)
    assert answers[9] == (point.youden.low, point.youden.high)
    at = rs.point_measures(y, scores, threshold=0.7, interval=interval, prevalence=0.1, cost=5)
    assert answers[12] == (at.ppv.low, at.ppv.high)
    assert answers[17] == (at.expected_cost.low, at.expected_cost.high)


def test_an_infinite_ratio_has_a_lower_bound_and_undefined_values_none():
    y, scores = np.array([1, 1, 1, 0, 0]), np.array([5.0, 4, 1, 0, 0])
    answers = FAMILY.methods["wilson"]((y, scores, 3.0), np.random.default_rng(0))
    ratio = answers[FAMILY.quantities.index("LR+")]
    assert ratio[0] > 0
    assert ratio[1] == np.inf
    answers = FAMILY.methods["wilson"]((y, scores, 9.0), np.random.default_rng(0))
    assert np.isnan(answers[FAMILY.quantities.index("PPV")]).all()


# ---- Bands ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("name", LAWS)
def test_true_rates_are_those_of_a_large_sample(name, categories):
    cell = Cell(name, 0.85, 30_000, 30_000, categories)
    data = cell.score_law.draw(cell.n_pos, cell.n_neg, np.random.default_rng(9))
    four_errors = 2 * float(special.ndtr(4)) - 1
    band = rs.roc_band(*data, x=points.RATES, method="wilson", level=four_errors)
    truth = np.array(families()["roc_band"].truth(cell))
    assert ((band.low <= truth) & (truth <= band.high)).all()
    assert (band.high - band.low < 0.12).all()


def test_band_methods_are_calls_of_the_public_function():
    data = score_law("normal", 0.9, False).draw(20, 25, np.random.default_rng(2))
    for method in ("fiducial", "bootstrap", "wilson"):
        drawn = {"n_boot": 500, "rng": np.random.default_rng(4)} if method == "bootstrap" else {}
        band = rs.roc_band(*data, x=[0.02, 0.05, 0.1, 0.3], method=method, **drawn)
        np.testing.assert_array_equal(
            answers("roc_band", method, data, 4), np.column_stack([band.low, band.high])
        )


def test_a_whole_band_holds_0_where_it_holds_the_curve():
    law = score_law("normal", 0.9, False)
    y, scores = law.draw(50, 60, np.random.default_rng(1))
    band = rs.roc_band(y, scores, simultaneous=True, method="dkw")
    width = np.mean(band.high - band.low)

    def interval(curve):
        return answers("roc_band simultaneous", "dkw", (y, scores, curve))[0]

    assert interval(points.true_curve(law)) == pytest.approx((-width / 2, width / 2))
    assert interval(band.high) == interval(band.low) == pytest.approx((-width / 2, width / 2))
    higher = band.high.copy()
    higher[40] += 0.01
    assert interval(higher) == pytest.approx((-0.01 - width, -0.01))
    lower = band.low.copy()
    lower[60] -= 0.02
    assert interval(lower) == pytest.approx((0.02, 0.02 + width))
    lower[40] = band.high[40] + 0.01  # outside on both sides
    assert interval(lower) == pytest.approx((0.02, 0.02 + width))


def test_the_curve_of_a_whole_band_is_the_true_one():
    cell = Cell("heavy", 0.9, 15, 15, True)
    y, scores, curve = families()["roc_band simultaneous"].draw(cell, np.random.default_rng(0))
    assert len(y) == len(scores) == 30
    assert curve == pytest.approx([cell.score_law.true_tpr(k / 100) for k in range(101)])


# ---- Chosen thresholds and precision ----------------------------------------------------------------------


@pytest.mark.parametrize("name", LAWS)
def test_true_thresholds_are_those_of_a_large_sample(name):
    cell = Cell(name, 0.85, 200_000, 200_000)
    y, scores = cell.score_law.draw(cell.n_pos, cell.n_neg, np.random.default_rng(10))
    curve = rs.roc_curve(y, scores)
    youden, reached = families()["cutpoint"].truth(cell)
    best = curve.tpr - curve.fpr
    at = np.searchsorted(-curve.thresholds, -youden)
    # Near its top the index is flat: no other threshold is better by more than chance.
    assert best.max() - best[at] < 4 * np.sqrt(0.5 / 200_000)
    fpr, tpr = cell.score_law.rates(youden)
    assert all(tpr - fpr > law_index(cell, youden + step) for step in (-0.05, 0.05))
    assert curve.tpr[np.searchsorted(-curve.thresholds, -reached)] == pytest.approx(0.9, abs=4 * 0.3 / 447)
    ruled_out, ruled_in = families()["grey_zone"].truth(cell)
    rates = [cell.score_law.rates(x) for x in (ruled_out, ruled_in)]
    assert (rates[0][1], rates[1][0]) == (pytest.approx(0.95), pytest.approx(0.05))


def law_index(cell, threshold):
    fpr, tpr = cell.score_law.rates(threshold)
    return tpr - fpr


@pytest.mark.parametrize("name", ["normal", "exponential", "heavy"])
def test_true_precision_is_that_of_a_large_sample(name):
    cell = Cell(name, 0.85, 20_000, 20_000)
    data = cell.score_law.draw(cell.n_pos, cell.n_neg, np.random.default_rng(11))
    found = rs.precision_recall(*data, prevalence=0.1, recall=[0.8], n_boot=100, rng=1)
    truth = families()["precision_recall"].truth(cell)
    assert abs(found.average_precision.value - truth[0]) < 4 * found.average_precision.se
    assert abs(found.area.value - truth[1]) < 4 * found.area.se
    assert found.band.mean[0] == pytest.approx(truth[2], abs=2 * (found.band.high - found.band.low)[0])


@pytest.mark.parametrize("method", ["auto", "bootstrap"])
def test_methods_of_choices_are_calls_of_the_public_functions(method):
    data = score_law("normal", 0.9, False).draw(20, 25, np.random.default_rng(2))
    how = {"method": method, "n_boot": 500, "rng": np.random.default_rng(4)}
    chosen = [rs.cutpoint(*data, rule="youden", **how), rs.cutpoint(*data, "tpr>=0.9", **how)]
    assert answers("cutpoint", method, data, 4) == [(one.low, one.high) for one in chosen]
    assert [one.method for one in chosen] == [
        "bootstrap",
        "order-statistics" if method == "auto" else "bootstrap",
    ]
    how["rng"] = np.random.default_rng(4)
    zone = rs.grey_zone(*data, sensitivity=0.95, specificity=0.95, **how)
    assert answers("grey_zone", method, data, 4) == [
        (zone.rule_out_low, zone.rule_out_high),
        (zone.rule_in_low, zone.rule_in_high),
    ]


def test_methods_of_precision_are_calls_of_the_public_function():
    data = score_law("normal", 0.9, False).draw(20, 25, np.random.default_rng(2))
    rng = np.random.default_rng(4)
    found = rs.precision_recall(*data, prevalence=0.1, recall=[0.8], n_boot=500, rng=rng)
    average, area, at = answers("precision_recall", "fiducial", data, 4)
    assert average == (found.average_precision.low, found.average_precision.high)
    assert area == (found.area.low, found.area.high)
    assert at == (found.band.low[0], found.band.high[0])
