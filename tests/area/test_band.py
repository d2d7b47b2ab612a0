"""Bands: Wilson and DKW at thresholds in closed form, bootstrap bands at rates, and what they hold."""

import math

import numpy as np
import pytest

import rocscope as rs

Y = [0, 0, 0, 0, 1, 1, 1, 1]
S = [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]


def wilson(k, n, z=1.959963984540054):
    centre = (k + z * z / 2) / (n + z * z)
    half = z * math.sqrt(k * (n - k) / n + z * z / 4) / (n + z * z)
    return centre - half, centre + half


def test_at_every_threshold_both_rates_have_their_interval():
    band = rs.roc_band(Y, S, at="threshold")
    curve = rs.roc_curve(Y, S)
    np.testing.assert_array_equal(band.x, curve.thresholds[1:])
    np.testing.assert_array_equal(band.mean, curve.tpr[1:])
    np.testing.assert_array_equal(band.fpr, curve.fpr[1:])
    for k in range(len(band)):
        tpr, fpr = wilson(4 * band.mean[k], 4), wilson(4 * band.fpr[k], 4)
        np.testing.assert_allclose([band.low[k], band.high[k]], tpr, atol=1e-12)
        np.testing.assert_allclose([band.fpr_low[k], band.fpr_high[k]], fpr, atol=1e-12)
    assert band.method == "wilson"


def test_given_thresholds_need_not_be_observed():
    band = rs.roc_band(Y, S, at="threshold", x=[0.65, 0.5, 0.0, 2.0])
    assert band.mean.tolist() == [0.75, 1.0, 1.0, 0.0]
    assert band.fpr.tolist() == [0.0, 0.25, 1.0, 0.0]


def test_the_simultaneous_band_at_thresholds_is_that_of_massart():
    band = rs.roc_band(Y, S, at="threshold", x=[0.65], simultaneous=True, level=0.81)
    reach = math.sqrt(math.log(2 / 0.1) / (2 * 4))  # each class at sqrt(0.81) = 0.9
    assert band.low[0] == pytest.approx(max(0.75 - reach, 0))
    assert band.fpr_high[0] == pytest.approx(min(reach, 1))
    assert band.simultaneous
    assert band.method == "dkw"


def test_at_rates_the_curve_is_inside_its_band():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    s = rng.normal(size=200) + y
    band = rs.roc_band(y, s, rng=1)
    np.testing.assert_array_equal(band.mean, rs.roc_curve(y, s).tpr_at(np.linspace(0, 1, 101)))
    assert ((band.low <= band.mean) & (band.mean <= band.high)).all()
    wide = rs.roc_band(y, s, simultaneous=True)
    assert (wide.low <= band.low).all()
    assert (wide.high >= band.high).all()
    assert wide.method == "dkw"


@pytest.mark.slow
@pytest.mark.parametrize(("simultaneous", "floor"), [(False, 0.90), (True, 0.90)])
def test_coverage_at_rates(simultaneous, floor):
    """Binormal scores: pointwise at FPR 0.2, or over the whole curve, in 300 simulations at 95 %."""
    from scipy.special import ndtr, ndtri

    rng = np.random.default_rng(7)
    grid = np.linspace(0.05, 0.95, 19)
    truth = ndtr(1.2 + ndtri(grid))
    y = np.repeat([0, 1], 100)
    held = 0
    for _ in range(300):
        s = rng.normal(size=200) + 1.2 * y
        band = rs.roc_band(y, s, x=grid, simultaneous=simultaneous, n_boot=500, rng=rng)
        inside = (band.low <= truth) & (truth <= band.high)
        held += inside.all() if simultaneous else inside[3]
    assert held / 300 >= floor


def test_the_dkw_band_holds_the_whole_curve():
    rng = np.random.default_rng(3)
    from scipy.special import ndtr

    y = np.repeat([0, 1], 60)
    held = 0
    for _ in range(400):
        band = rs.roc_band(y, rng.normal(size=120) + y, at="threshold", simultaneous=True)
        tpr, fpr = ndtr(1 - band.x), ndtr(-band.x)
        inside = (band.low <= tpr) & (tpr <= band.high) & (band.fpr_low <= fpr) & (fpr <= band.fpr_high)
        held += inside.all()
    assert held / 400 >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 400)


def test_one_case_in_a_class_leaves_the_band_undefined():
    band = rs.roc_band([0, 0, 1], [1, 2, 3], x=[0.5])
    assert band.mean.tolist() == [1.0]
    assert not band.defined.any()
    assert np.isnan(band.low).all()
    assert band.warnings == ("the bootstrap needs two cases in each class",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at": "tpr"}, "at must be one of 'fpr', 'threshold', got 'tpr'; did you mean 'fpr'?"),
        ({"x": [0.5, 1.5]}, "x must hold rates from 0 to 1, got [0.5, 1.5]"),
        ({"at": "threshold", "x": ["a"]}, "x must hold numbers, got text: 'a'"),
    ],
)
def test_refuses(options, message):
    with pytest.raises(rs.RocInputError) as error:
        rs.roc_band(Y, S, **options)
    assert str(error.value) == message
