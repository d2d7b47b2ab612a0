"""The binormal curve itself: rates, areas, estimates, and the forms it is shown in."""

import json
import pickle

import numpy as np
import pytest
from scipy import integrate, special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import fit_binormal
from rocscope.binormal.proper import ProperBinormal
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError, UndefinedError

CURVES = [(1.5, 0.8), (0.3, 2.5), (-0.7, 1.0), (3.0, 0.1), (0.0, 1.0)]
COV = np.array([[0.04, 0.01], [0.01, 0.02]])
RATINGS = fit_binormal(ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33]))


def integral(function, low, high):
    return integrate.quad(function, low, high, epsabs=1e-12, epsrel=1e-12, limit=500, points=[0.5])[0]


@pytest.mark.parametrize(("a", "b"), CURVES)
def test_areas_are_integrals(a, b):
    curve = Binormal(a=a, b=b)
    assert curve.auc == pytest.approx(integral(curve.tpr, 0, 1), abs=1e-9)
    for low, high in ((0.0, 0.1), (0.2, 0.7), (0.4, 1.0)):
        assert curve.partial_auc(fpr=(low, high)) == pytest.approx(integral(curve.tpr, low, high), abs=1e-9)
        inverse = integral(lambda tpr: 1 - curve.fpr(tpr), low, high)
        assert curve.partial_auc(tpr=(low, high)) == pytest.approx(inverse, abs=1e-9)
    both = integral(lambda x: np.clip(curve.tpr(x), 0.3, 0.8) - 0.3, 0.05, 0.6)
    assert curve.partial_auc(fpr=(0.05, 0.6), tpr=(0.3, 0.8)) == pytest.approx(both, abs=1e-6)
    assert curve.partial_auc() == pytest.approx(curve.auc, abs=1e-14)


def test_standardized_partial_areas():
    chance, better = Binormal(a=0, b=1), Binormal(a=1.5, b=0.8)
    assert chance.partial_auc(fpr=(0, 0.2), standardize=True) == pytest.approx(0.5)
    raw = better.partial_auc(fpr=(0, 0.2))
    assert better.partial_auc(fpr=(0, 0.2), standardize=True) == pytest.approx(
        0.5 * (1 + (raw - 0.02) / (0.2 - 0.02))
    )


@pytest.mark.parametrize(("a", "b"), CURVES)
def test_rates_are_inverse_and_keep_the_ends(a, b):
    curve = Binormal(a=a, b=b)
    rates = np.array([0.0, 1e-6, 0.3, 0.9, 1.0])
    np.testing.assert_allclose(curve.fpr(curve.tpr(rates)), rates, atol=1e-12 if b > 0.5 else 1e-3)
    assert curve.tpr(0.0) == 0.0
    assert curve.tpr(1.0) == 1.0
    assert isinstance(curve.tpr(0.5), float)


def test_the_hook_is_where_the_curve_is_below_chance():
    for a, b in CURVES:
        curve = Binormal(a=a, b=b)
        grid = np.linspace(0.001, 0.999, 999)
        below = curve.tpr(grid) < grid - 1e-12
        low, high = curve.hook or (1.0, 1.0)
        np.testing.assert_array_equal(below, (grid > low) & (grid < high))


# ---- Estimates --------------------------------------------------------------------------------------------


def test_standard_errors_are_those_of_the_delta_method():
    curve = Binormal(a=1.5, b=0.8, cov=COV)
    step = 1e-6

    def slope(value):
        by_a = (value(1.5 + step, 0.8) - value(1.5 - step, 0.8)) / (2 * step)
        by_b = (value(1.5, 0.8 + step) - value(1.5, 0.8 - step)) / (2 * step)
        return np.array([by_a, by_b])

    parts = ({"fpr": (0.0, 0.2)}, {"tpr": (0.8, 1.0)}, {"fpr": (0.02, 0.3), "tpr": (0.4, 0.8)}, {})
    partial = [
        (curve.partial_auc_estimate(**part), lambda a, b, part=part: Binormal(a=a, b=b).partial_auc(**part))
        for part in parts
    ]
    for estimate, value in (
        (curve.auc_estimate(), lambda a, b: Binormal(a=a, b=b).auc),
        (curve.tpr_estimate(0.1), lambda a, b: Binormal(a=a, b=b).tpr(0.1)),
        *partial,
    ):
        gradient = slope(value)
        assert estimate.value == pytest.approx(value(1.5, 0.8), rel=1e-12)
        assert estimate.se == pytest.approx(np.sqrt(gradient @ COV @ gradient), rel=1e-6)
    assert (curve.se_a, curve.se_b) == (pytest.approx(0.2), pytest.approx(np.sqrt(0.02)))
    assert curve.se_auc == pytest.approx(curve.auc_estimate().se)


def test_intervals_are_made_on_deviates():
    curve = Binormal(a=1.5, b=0.8, cov=COV)
    z = special.ndtri(0.1)
    spread = 1.6448536269514722 * np.sqrt(0.04 + 2 * z * 0.01 + z * z * 0.02)
    found = curve.tpr_estimate(0.1, level=0.9)
    assert found.low == pytest.approx(special.ndtr(1.5 + 0.8 * z - spread), rel=1e-12)
    assert found.high == pytest.approx(special.ndtr(1.5 + 0.8 * z + spread), rel=1e-12)
    part = curve.partial_auc_estimate(fpr=(0, 0.1), level=0.999)
    assert 0 < part.low < part.value < part.high < 0.1
    area = curve.auc_estimate(level=0.999999)
    assert 0 < area.low < curve.auc < area.high < 1


def test_a_part_that_is_full_but_for_rounding_has_an_interval():
    part = Binormal(a=12, b=1, cov=COV).partial_auc_estimate(fpr=(0.25, 0.5))
    assert (part.status, part.low, part.value, part.high) == ("ok", *[pytest.approx(0.25, abs=1e-15)] * 3)
    assert 0 < part.se < 1e-20


def test_a_curve_without_a_covariance_has_no_intervals():
    found = Binormal(a=1.5, b=0.8).auc_estimate()
    assert (found.status, found.se, found.low) == ("partial", None, None)
    assert str(found) == "AUC 0.8793 (no interval: a curve by method 'given' has no covariance)"


def test_an_undefined_fit_says_why_whatever_is_requested():
    fit = fit_binormal([0, 0, 1, 1], [1, 2, 3, 4])
    message = "all positives have higher scores than all negatives"
    assert str(fit) == f"Binormal curve perfect: {message}"
    assert str(fit.auc_estimate()) == f"AUC undefined: {message}"
    assert str(fit.tpr_estimate(0.1)) == f"TPR at FPR 0.1 undefined: {message}"
    assert str(fit.partial_auc_estimate(fpr=(0, 0.1))) == f"partial AUC undefined: {message}"
    for call in (lambda: fit.tpr(0.1), lambda: fit.hook, lambda: fit.partial_auc(), fit.deviates):
        with pytest.raises(UndefinedError) as error:
            call()
        assert str(error.value) == f"the binormal curve is undefined (perfect): {message}"


# ---- The result -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"a": 1.0}, "b must be a number, got None"),
        ({"a": 1.0, "b": 0.0}, "b must be greater than 0, got 0.0"),
        ({"a": np.nan, "b": 1.0}, "a must be finite, got nan"),
        ({"a": 1.0, "b": np.inf}, "b must be greater than 0, got inf"),
        ({"a": 1, "b": 1, "cov": [1.0]}, "cov must be a 2 x 2 matrix, got shape (1,)"),
        ({"a": 1, "b": 1, "status": "perfect"}, "a must be None where status is 'perfect', got 1"),
    ],
)
def test_what_is_no_curve_is_refused(fields, words):
    with pytest.raises(RocInputError) as error:
        Binormal(**fields)
    assert str(error.value) == words


def test_rates_outside_are_refused():
    with pytest.raises(RocInputError, match="fpr must hold rates from 0 to 1"):
        Binormal(a=1, b=1).tpr([0.5, 1.5])
    with pytest.raises(RocInputError, match="fpr must lie between 0 and 1, got 1"):
        Binormal(a=1, b=1).tpr_estimate(1)


def test_the_result_is_frozen_and_travels():
    assert pickle.loads(pickle.dumps(RATINGS)) == RATINGS
    with pytest.raises(AttributeError):
        RATINGS.a = 2.0
    with pytest.raises(ValueError, match="read-only"):
        RATINGS.cov[0, 0] = 1.0
    document = json.loads(RATINGS.to_json())
    assert document["type"] == "Binormal"
    assert document["se_auc"] == RATINGS.se_auc
    assert document["hook"] == list(RATINGS.hook)
    assert "categories" not in document
    assert RATINGS.frame()["a"].tolist() == [RATINGS.a]


def test_a_combined_curve():
    """Equal, independent classifiers with weights 1 and 1: the distance grows by the root of 2."""
    curve = Binormal(a=1.0, b=1.0)
    both = curve.combine(curve, (1, 1))
    assert [both.a, both.b] == pytest.approx([np.sqrt(2), 1.0])
    same = curve.combine(curve, (1, 1), rho=(0.999999999, 0.999999999))
    assert same.a == pytest.approx(1.0, abs=1e-6)


# ---- Forms ------------------------------------------------------------------------------------------------


def test_the_band_is_the_interval_at_every_rate():
    band = RATINGS.band([0.0, 0.05, 0.4, 1.0], level=0.9)
    for k, rate in ((1, 0.05), (2, 0.4)):
        found = RATINGS.tpr_estimate(rate, level=0.9)
        assert [band.mean[k], band.low[k], band.high[k]] == pytest.approx(
            [found.value, found.low, found.high]
        )
    assert band.low[[0, -1]].tolist() == band.high[[0, -1]].tolist() == [0.0, 1.0]


def test_the_simultaneous_band_is_wider_and_holds_the_curve():
    rates = np.linspace(0.01, 0.99, 30)
    narrow, wide = RATINGS.band(rates), RATINGS.band(rates, simultaneous=True)
    assert (wide.low < narrow.low).all()
    assert (wide.high > narrow.high).all()
    rng = np.random.default_rng(1)
    lines = rng.multivariate_normal([RATINGS.a, RATINGS.b], RATINGS.cov, 4000)
    drawn = special.ndtr(lines[:, :1] + lines[:, 1:] * special.ndtri(rates))
    held = np.mean(((drawn > wide.low) & (drawn < wide.high)).all(axis=1))
    assert 0.945 < held < 0.985  # the ellipse has 95 %, and the band holds a little more than it


def test_bands_of_other_models_come_from_their_estimates():
    curve = ProperBinormal(d_a=1.5, c=-0.3, cov=COV)
    band = curve.band([0.0, 0.2])
    found = curve.tpr_estimate(0.2)
    assert [band.low[1], band.high[1]] == [found.low, found.high]
    assert len(curve.band()) > 100
    with pytest.raises(RocInputError, match="simultaneous must be False"):
        curve.band(simultaneous=True)


def test_a_band_needs_a_covariance():
    with pytest.raises(UndefinedError, match="the curve has no band, as it has no covariance"):
        Binormal(a=1, b=1).band()


def test_deviates_of_the_points():
    plot = RATINGS.deviates()
    np.testing.assert_allclose(special.ndtr(plot.x), np.array([25, 19, 13, 2]) / 58)
    np.testing.assert_allclose(special.ndtr(plot.y), np.array([48, 46, 44, 33]) / 51)
    assert (plot.a, plot.b, plot.n_left_out) == (RATINGS.a, RATINGS.b, 0)
    runs = fit_binormal([1, 0, 1, 0, 0, 1, 1, 0], [1, 2, 3, 4, 5, 6, 7, 1]).deviates()
    assert runs.n_left_out == 1
    assert list(runs.columns()) == ["fpr_deviate", "tpr_deviate"]


@pytest.mark.parametrize(("a", "b"), CURVES)
def test_densities_integrate_to_the_errors(a, b):
    found = Binormal(a=a, b=b).densities(threshold=0.4)
    above, below = found.x >= 0.4, found.x <= 0.4
    for y in (found.negatives, found.positives):
        assert np.trapezoid(y, found.x) == pytest.approx(1.0, abs=1e-3)
    assert np.trapezoid(found.negatives[above], found.x[above]) == pytest.approx(found.fpr, abs=1e-3)
    assert np.trapezoid(found.positives[below], found.x[below]) == pytest.approx(found.fnr, abs=1e-3)
    assert 1 - found.fnr == pytest.approx(Binormal(a=a, b=b).tpr(found.fpr), rel=1e-12)


@pytest.mark.parametrize(("a", "b"), CURVES)
def test_the_threshold_is_youdens(a, b):
    curve = Binormal(a=a, b=b)
    found = curve.densities()
    grid = np.linspace(0, 1, 2001)
    assert 1 - found.fnr - found.fpr >= (curve.tpr(grid) - grid).max() - (1e-9 if b != 1 or a >= 0 else 1)
    assert curve.densities(fpr=0.25).fpr == pytest.approx(0.25)


def test_threshold_and_rate_exclude_each_other():
    with pytest.raises(RocInputError, match="threshold must be left out where fpr is there"):
        Binormal(a=1, b=1).densities(fpr=0.1, threshold=1.0)


def test_a_partial_area_that_is_next_to_nothing_has_an_error_and_an_interval():
    """Moments of a small sample: the area up to an FPR of 0.2 is 1e-19, and its deviate has no digits."""
    curve = Binormal(a=-5.0462, b=3.4536, cov=[[3.028, -1.245], [-1.245, 1.448]])
    found = curve.partial_auc_estimate(fpr=(0, 0.2))
    assert found.status == "ok"
    assert 0 <= found.low <= found.value <= found.high < 1e-12
    assert 0 < found.se < 1e-15


@pytest.mark.parametrize("seed", range(5))
def test_partial_areas_stay_inside_their_range(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        curve = Binormal(a=rng.normal() * rng.choice([1, 5, 30]), b=np.exp(2 * rng.normal()))
        low, high = np.sort(rng.random(2))
        assert 0 <= curve.partial_auc(fpr=(low, high)) <= high - low
        assert 0 <= curve.partial_auc(tpr=(low, high)) <= high - low
