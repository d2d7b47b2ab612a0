"""The proper binormal curve itself: its shape, its areas, and what it answers."""

import json
import math
import pickle

import numpy as np
import pytest
from scipy import integrate, optimize, special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.proper import ProperBinormal, ProperShape, from_pair, pair_derivatives, to_pair
from rocscope.errors import RocInputError, UndefinedError
from slow import binormal_models as slow

CURVES = [
    (1.0, -0.5),
    (1.0, 0.5),
    (2.0, 0.05),
    (2.0, -0.05),
    (0.5, 0.03),
    (0.3, -0.8),
    (0.3, 0.8),
    (1.0, 0.0),
    (0.0, 0.4),
    (0.0, -0.4),
    (0.01, 0.3),
    (3.0, 0.001),
    (2.5, 0.9),
    (0.0, 0.0),
]
RATES = np.array([1e-6, 0.001, 0.02, 0.1, 0.3, 0.5, 0.8, 0.99, 1 - 1e-5])
COV = np.array([[0.04, -0.01], [-0.01, 0.02]])

curves = pytest.mark.parametrize(("d_a", "c"), CURVES)


@curves
def test_agrees_with_the_printed_formulas(d_a, c):
    np.testing.assert_allclose(
        ProperBinormal(d_a=d_a, c=c).tpr(RATES), slow.proper_tpr(RATES, d_a, c), atol=2e-13
    )


@curves
def test_no_hooks(d_a, c):
    """Never below chance, and the slope falls all the way."""
    curve = ProperBinormal(d_a=d_a, c=c)
    fpr = special.ndtr(np.linspace(-6, 6, 501))
    assert (curve.tpr(fpr) >= fpr - 1e-15).all()
    assert (np.diff(curve.tpr(fpr)) >= 0).all()
    slopes = curve.slope(fpr)
    assert (np.diff(slopes) <= 1e-12 * slopes[1:]).all()


@pytest.mark.parametrize(("d_a", "c"), [(0.53, 0.17), (0.83, 0.11), (1.0, -0.5), (0.07, -0.84), (0.0, 0.4)])
def test_tails_keep_their_digits_where_the_limits_meet(d_a, c):
    """The integral of the density between the limits, which cancels nothing, is the twin."""
    shape = ProperShape(*to_pair(d_a, c))
    side = math.copysign(1, shape.contrast)
    nodes, weights = np.polynomial.legendre.leggauss(100)

    def mass(middle, half):
        return half * weights @ np.exp(-((middle + half * nodes) ** 2) / 2) / math.sqrt(2 * math.pi)

    for deviate in (2.0, 4.0, 4.5, 5.0, 6.0, 8.0, 8.2, 10.0, 20.0):
        log_half = optimize.brentq(
            lambda x, tail: math.log(mass(shape.gap / 2, math.exp(x)) / tail),
            *(-300, 2),
            args=(special.ndtr(-deviate),),
            xtol=1e-14,
            rtol=1e-15,
        )
        expected = mass(shape.a / shape.contrast, shape.b * math.exp(log_half))
        below, above = shape.tails(np.array([-side * deviate]))
        assert (below if side > 0 else above)[0] == pytest.approx(expected, rel=1e-9, abs=0)


def test_a_binormal_curve_with_a_hook_lies_below_chance_where_the_proper_one_does_not():
    a, b = 1.0, 2.0
    proper = ProperBinormal(**dict(zip(("d_a", "c"), from_pair(a, b), strict=True)))
    assert Binormal(a=a, b=b).tpr(0.1) < 0.1 < proper.tpr(0.1)
    assert proper.auc > Binormal(a=a, b=b).auc


@curves
def test_the_slope_is_the_derivative(d_a, c):
    curve, step = ProperBinormal(d_a=d_a, c=c), 1e-6
    fpr = np.array([0.05, 0.3, 0.7, 0.95])
    rise = (curve.tpr(fpr + step) - curve.tpr(fpr - step)) / (2 * step)
    np.testing.assert_allclose(curve.slope(fpr), rise, rtol=1e-5, atol=1e-8)


@curves
def test_fpr_is_the_way_back(d_a, c):
    curve = ProperBinormal(d_a=d_a, c=c)
    for fpr in (0.05, 0.3, 0.7):
        tpr = curve.tpr(fpr)
        if 1e-9 < tpr < 1 - 1e-9:
            assert curve.fpr(tpr) == pytest.approx(fpr, abs=1e-8)
    assert curve.tpr([0, 1]).tolist() == [0, 1]
    assert curve.fpr([0, 1]).tolist() == [0, 1]


@curves
def test_equal_variances_are_the_limit(d_a, c):
    """c = 0 is the binormal curve with b = 1, and neighbours differ little."""
    equal = Binormal(a=d_a, b=1.0)
    np.testing.assert_allclose(ProperBinormal(d_a=d_a, c=0.0).tpr(RATES), equal.tpr(RATES), atol=1e-15)
    np.testing.assert_allclose(ProperBinormal(d_a=d_a, c=1e-7).tpr(RATES), equal.tpr(RATES), atol=1e-6)


@curves
def test_areas_are_integrals(d_a, c):
    curve = ProperBinormal(d_a=d_a, c=c)

    def integral(function, low, high):
        return integrate.quad(function, low, high, epsabs=1e-11, limit=500)[0]

    assert curve.auc == pytest.approx(integral(curve.tpr, 0, 1), abs=1e-8)
    for low, high in ((0.0, 0.1), (0.2, 0.7), (0.4, 1.0)):
        assert curve.partial_auc(fpr=(low, high)) == pytest.approx(integral(curve.tpr, low, high), abs=1e-9)
        expected = integral(lambda t: 1 - curve.fpr(t), low, high)
        assert curve.partial_auc(tpr=(low, high)) == pytest.approx(expected, abs=1e-8)


def test_two_way_area_and_scale():
    curve = ProperBinormal(d_a=1.5, c=-0.3)

    def below(x):
        return min(max(curve.tpr(x), 0.6), 0.9) - 0.6

    corners = [curve.fpr(0.6), curve.fpr(0.9)]
    expected = integrate.quad(below, 0.0, 0.5, points=corners, epsabs=1e-11)[0]
    assert curve.partial_auc(fpr=(0, 0.5), tpr=(0.6, 0.9)) == pytest.approx(expected, abs=1e-9)
    assert curve.partial_auc() == pytest.approx(curve.auc, abs=1e-14)
    raw, chance = curve.partial_auc(fpr=(0, 0.2)), 0.02
    expected = 0.5 * (1 + (raw - chance) / (0.2 - chance))
    assert curve.partial_auc(fpr=(0, 0.2), standardize=True) == pytest.approx(expected, abs=1e-14)
    assert ProperBinormal(d_a=0.0, c=0.0).partial_auc(fpr=(0, 0.2), standardize=True) == pytest.approx(0.5)


def differences(function, point, step=1e-5):
    """Central differences by each argument, stacked in front."""
    point = np.asarray(point, dtype=float)
    moves = step * np.eye(len(point))
    return np.stack([(function(*(point + m)) - function(*(point - m))) / (2 * step) for m in moves])


@pytest.mark.parametrize(("d_a", "c"), [(d, c) for d, c in CURVES if d > 0.005])
def test_all_derivatives_of_the_shape(d_a, c):
    a, b = to_pair(d_a, c)
    t = np.linspace(-3, 3, 13)
    local = ProperShape(a, b).local(t)
    found = local.deviates()

    def at(a, b, shift=0.0):
        return ProperShape(a, b).local(t + shift).deviates()

    def close(values, expected):
        np.testing.assert_allclose(values, expected, rtol=2e-6, atol=2e-6)

    close(found.by_t, differences(lambda shift: at(a, b, shift).x, [0.0])[0])
    close(found.by_t_twice, differences(lambda shift: at(a, b, shift).by_t, [0.0])[0])
    close(found.by_parameters, differences(lambda a, b: at(a, b).x, [a, b]))
    close(found.by_both, differences(lambda a, b: at(a, b).by_t, [a, b]))
    close(found.curvature, differences(lambda a, b: at(a, b).by_parameters, [a, b]))
    close(local.density_by_t, differences(lambda shift: ProperShape(a, b).local(t + shift).density, [0.0])[0])


def test_parameters_and_the_underlying_pair():
    assert from_pair(*to_pair(1.3, -0.4)) == pytest.approx((1.3, -0.4))
    expected = differences(lambda a, b: np.array(from_pair(a, b)), [1.2, 0.7])
    np.testing.assert_allclose(pair_derivatives(1.2, 0.7), expected.T, atol=1e-9)
    curve = ProperBinormal(d_a=1.3, c=-0.4)
    assert (curve.a, curve.b) == pytest.approx(to_pair(1.3, -0.4))


# ---- Estimates --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("d_a", "c"), [(1.2, -0.3), (1.2, 0.3), (0.4, 0.6), (2.0, 0.0)])
def test_standard_errors_by_the_delta_method(d_a, c):
    curve = ProperBinormal(d_a=d_a, c=c, cov=COV)
    questions = {
        "AUC": (curve.auc_estimate(), lambda p: p.auc),
        "part": (curve.partial_auc_estimate(fpr=(0.1, 0.4)), lambda p: p.partial_auc(fpr=(0.1, 0.4))),
        "top": (curve.partial_auc_estimate(tpr=(0.8, 1)), lambda p: p.partial_auc(tpr=(0.8, 1))),
        "both": (
            curve.partial_auc_estimate(fpr=(0, 0.4), tpr=(0.5, 1)),
            lambda p: p.partial_auc(fpr=(0, 0.4), tpr=(0.5, 1)),
        ),
        "TPR": (curve.tpr_estimate(0.2), lambda p: p.tpr(0.2)),
    }
    for estimate, value in questions.values():
        gradient = differences(lambda d, c, value=value: value(ProperBinormal(d_a=d, c=c)), [d_a, c])
        assert estimate.value == pytest.approx(value(curve), abs=1e-12)
        assert estimate.se == pytest.approx(math.sqrt(gradient @ COV @ gradient), rel=1e-6)
        assert estimate.low < estimate.value < estimate.high
    wide = ProperBinormal(d_a=d_a, c=c, cov=100 * COV).auc_estimate()
    assert 0 <= wide.low < wide.high <= 1


def test_a_given_curve_has_no_interval():
    estimate = ProperBinormal(d_a=1.0, c=0.2).auc_estimate()
    assert (estimate.status, estimate.se, estimate.reason) == (
        "partial",
        None,
        "a curve by method 'given' has no covariance",
    )


def test_without_a_curve():
    curve = ProperBinormal(status="perfect", reason="all positives have higher scores than all negatives")
    assert (curve.a, curve.b, curve.auc, curve.se_auc) == (None, None, None, None)
    for estimate in (curve.auc_estimate(), curve.tpr_estimate(0.1), curve.partial_auc_estimate(fpr=(0, 0.1))):
        assert (estimate.status, estimate.value, estimate.reason) == ("undefined", None, curve.reason)
    for call in (lambda: curve.tpr(0.1), lambda: curve.fpr(0.1), lambda: curve.partial_auc(fpr=(0, 0.1))):
        with pytest.raises(UndefinedError) as error:
            call()
        assert str(error.value) == f"the proper binormal curve is undefined (perfect): {curve.reason}"
    assert str(curve) == f"Proper binormal curve perfect: {curve.reason}"
    json.dumps(curve.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"d_a": -0.1, "c": 0.0}, "d_a must be at least 0, got -0.1"),
        ({"d_a": math.inf, "c": 0.0}, "d_a must be finite, got inf"),
        ({"d_a": 1.0, "c": 1.0}, "c must lie between -1 and 1, got 1.0"),
        ({"d_a": None, "c": 0.0}, "d_a must be a number, got None"),
        ({"d_a": 1.0, "c": 0.0, "status": "perfect"}, "d_a must be None where status is 'perfect', got 1.0"),
    ],
)
def test_parameters_are_checked(fields, message):
    with pytest.raises(RocInputError) as error:
        ProperBinormal(**fields)
    assert str(error.value) == message


def test_rates_are_checked():
    curve = ProperBinormal(d_a=1.0, c=0.2)
    with pytest.raises(RocInputError, match="fpr must hold rates from 0 to 1, got 2"):
        curve.tpr(2)
    with pytest.raises(RocInputError, match=r"fpr must hold rates inside \(0, 1\), got 0"):
        curve.slope(0)


def test_results_travel():
    curve = ProperBinormal(d_a=1.0, c=0.2, cov=COV)
    assert pickle.loads(pickle.dumps(curve)) == curve
    document = json.loads(curve.to_json())
    assert (document["a"], document["b"], document["se_auc"]) == (curve.a, curve.b, curve.se_auc)
    assert not curve.cov.flags.writeable


def test_the_slope_of_an_all_but_perfect_curve_is_0():
    assert ProperBinormal(d_a=1e308, c=-0.3).slope(0.1) == 0
