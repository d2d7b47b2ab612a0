"""The contaminated binormal curve and the one with equal variances, given and fitted."""

import json
import math

import numpy as np
import pytest
from scipy import integrate, special

from rocscope.binormal.contaminated import (
    ContaminatedBinormal,
    ContaminatedShape,
    fit_contaminated,
    fit_contaminated_categories,
    fit_equal_variance,
)
from rocscope.binormal.curve import Binormal
from rocscope.binormal.latent import Categories
from rocscope.errors import RocInputError, UndefinedError
from slow import binormal_models as slow

CURVES = [(0.8, 2.0), (0.3, 0.7), (1.0, 1.5), (0.0, 0.0), (0.5, 6.0)]
COV = np.array([[0.01, -0.005], [-0.005, 0.05]])


def counts(neg, pos):
    neg, pos = np.asarray(neg), np.asarray(pos)
    return Categories(neg=neg, pos=pos, boundaries=np.arange(1, len(neg)) - 0.5)


def differences(function, point, step=1e-5):
    point = np.asarray(point, dtype=float)
    moves = step * np.eye(len(point))
    return np.stack([(function(*(point + m)) - function(*(point - m))) / (2 * step) for m in moves])


# ---- The curve --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "mu"), CURVES)
def test_areas_are_integrals(alpha, mu):
    curve = ContaminatedBinormal(alpha=alpha, mu=mu)

    def integral(function, low, high):
        return integrate.quad(function, low, high, epsabs=1e-11, limit=500)[0]

    assert curve.auc == pytest.approx(0.5 * (1 - alpha) + alpha * special.ndtr(mu / math.sqrt(2)), abs=1e-15)
    assert curve.auc == pytest.approx(integral(curve.tpr, 0, 1), abs=1e-8)
    for low, high in ((0.0, 0.1), (0.2, 0.7), (0.4, 1.0)):
        assert curve.partial_auc(fpr=(low, high)) == pytest.approx(integral(curve.tpr, low, high), abs=1e-9)
        expected = integral(lambda t: 1 - curve.fpr(t), low, high)
        assert curve.partial_auc(tpr=(low, high)) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize(("alpha", "mu"), CURVES)
def test_rates(alpha, mu):
    curve, fpr = ContaminatedBinormal(alpha=alpha, mu=mu), special.ndtr(np.linspace(-5, 5, 201))
    np.testing.assert_allclose(curve.tpr(fpr), slow.contaminated_tpr(fpr, alpha, mu), atol=1e-14)
    assert (curve.tpr(fpr) >= fpr - 1e-15).all()
    assert (np.diff(np.diff(curve.tpr(fpr)) / np.diff(fpr)) < 1e-7).all()  # the slope falls
    assert curve.fpr(curve.tpr(0.3)) == pytest.approx(0.3, abs=1e-9)
    assert curve.tpr([0, 1]).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("shape", "point"),
    [(ContaminatedShape, (0.7, 1.4)), (ContaminatedShape, (0.2, 3.0))],
)
def test_all_derivatives_of_the_shapes(shape, point):
    t = np.linspace(-3, 4, 15)
    found = shape(*point).local(t).deviates()

    def close(values, expected):
        np.testing.assert_allclose(values, expected, rtol=1e-7, atol=1e-7)

    def at(*p, shift=0.0):
        return shape(*p).local(t + shift).deviates()

    close(found.by_t, differences(lambda s: at(*point, shift=s).x, [0.0])[0])
    close(found.by_t_twice, differences(lambda s: at(*point, shift=s).by_t, [0.0])[0])
    close(found.by_parameters, differences(lambda *p: at(*p).x, point))
    close(found.by_both, differences(lambda *p: at(*p).by_t, point))
    close(found.curvature, differences(lambda *p: at(*p).by_parameters, point))


def test_standard_errors_by_the_delta_method():
    curve = ContaminatedBinormal(alpha=0.7, mu=1.8, cov=COV)
    questions = [
        (curve.auc_estimate(), lambda p: p.auc),
        (curve.partial_auc_estimate(fpr=(0, 0.2)), lambda p: p.partial_auc(fpr=(0, 0.2))),
        (curve.partial_auc_estimate(tpr=(0.8, 1)), lambda p: p.partial_auc(tpr=(0.8, 1))),
        (curve.tpr_estimate(0.1), lambda p: p.tpr(0.1)),
    ]
    for estimate, value in questions:
        gradient = differences(
            lambda a, m, value=value: value(ContaminatedBinormal(alpha=a, mu=m)), (0.7, 1.8)
        )
        assert estimate.se == pytest.approx(math.sqrt(gradient @ COV @ gradient), rel=1e-6)
        assert estimate.low < estimate.value < estimate.high


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"alpha": 1.5, "mu": 1}, "alpha must lie between 0 and 1 (both allowed), got 1.5"),
        ({"alpha": 0.5, "mu": -1}, "mu must be at least 0, got -1"),
        ({"alpha": 0.5, "mu": math.inf}, "mu must be finite, got inf"),
        ({"alpha": 0.5, "status": "perfect"}, "alpha must be None where status is 'perfect', got 0.5"),
    ],
)
def test_parameters_are_checked(fields, message):
    with pytest.raises(RocInputError) as error:
        ContaminatedBinormal(**fields)
    assert str(error.value) == message


# ---- Fits -------------------------------------------------------------------------------------------------


RATINGS = [
    ([33, 6, 6, 11, 2], [3, 2, 2, 11, 33], "ok"),
    pytest.param([5, 1, 13, 1, 5, 7], [9, 5, 35, 6, 14, 40], "ok", marks=pytest.mark.slow),
    pytest.param([61, 10, 60, 4], [41, 2, 37, 41], "ok", marks=pytest.mark.slow),
    ([37, 34, 39], [0, 29, 115], "boundary"),
]


@pytest.mark.parametrize(("neg", "pos", "status"), RATINGS)
def test_agrees_with_a_generic_optimiser(neg, pos, status):
    fit = fit_contaminated_categories(counts(neg, pos))
    assert fit.status == status
    found, height = slow.maximum(
        slow.contaminated_tpr, neg, pos, starts=[(0.9, 1.5), (0.5, 2.0)], bounds=[(0, 1), (0, 15)]
    )
    assert fit.log_likelihood == pytest.approx(height, abs=1e-7)
    np.testing.assert_allclose([fit.alpha, fit.mu], found, atol=1e-4)


def test_recovers_what_was_drawn():
    rng = np.random.default_rng(2)
    seen = rng.random(1500) < 0.6
    score = np.concatenate([rng.normal(size=1500), 2.0 * seen + rng.normal(size=1500)])
    fit = fit_contaminated(np.repeat([0, 1], 1500), score)
    assert fit.status == "ok"
    assert fit.alpha == pytest.approx(0.6, abs=4 * math.sqrt(fit.cov[0, 0]))
    assert fit.mu == pytest.approx(2.0, abs=4 * math.sqrt(fit.cov[1, 1]))
    assert math.sqrt(fit.cov[0, 0]) < 0.1


def test_boundaries():
    fit = fit_contaminated([0, 1, 0, 1, 0, 1, 1, 0], [9, 1, 8, 2, 7, 3, 4, 6])
    assert (fit.status, fit.alpha, fit.auc) == ("perverse", None, None)
    fit = fit_contaminated([0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0], [9, 1, 8, 2, 7, 3, 4, 6, 5, 2.5, 6.5, 1.5])
    assert (fit.status, fit.alpha, fit.mu, fit.auc) == ("chance", 0, 0, 0.5)
    assert fit.auc_estimate().status == "partial"
    edge = fit_contaminated_categories(counts([37, 34, 39], [0, 29, 115]))
    assert edge.alpha == 1
    assert edge.auc_estimate().warnings == (
        "alpha = 1 is on the boundary of the model: errors are those of neighbouring curves",
    )


def test_some_positives_above_all_negatives():
    fit = fit_contaminated_categories(counts([10, 10, 0], [4, 4, 12]))
    assert fit.status == "degenerate"
    assert fit.reason == (
        "the likelihood rises with mu without end: a share of the positives lies above all negatives"
    )
    with pytest.raises(UndefinedError, match="the contaminated binormal curve is undefined"):
        fit.tpr(0.1)
    json.dumps(fit.to_dict(), allow_nan=False)


def test_a_class_without_variance_is_named():
    fit = fit_contaminated([0, 0, 0, 0, 1, 1], [1, 2, 3, 4, 2.5, 2.5])
    assert fit.status == "degenerate"
    assert fit.reason.startswith("the positives have zero variance")


# ---- Equal variances --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("neg", "pos", "_"), RATINGS)
def test_equal_variances_agree_with_a_generic_optimiser(neg, pos, _):
    fit = fit_equal_variance(counts(neg, pos))
    _, height = slow.maximum(
        lambda fpr, a, unused: special.ndtr(a + special.ndtri(fpr)),
        neg,
        pos,
        starts=[(1.0, 0.0)],
        bounds=[(-10, 10), (0, 0)],
    )
    assert fit.log_likelihood == pytest.approx(height, abs=1e-7)
    assert fit.b == 1
    assert fit.method == "ml, b = 1"


def test_one_point_determines_equal_variances():
    """The curve passes through it; the error is that of two independent deviates."""
    fit = fit_equal_variance(counts([84, 16], [50, 50]))
    assert fit.a == pytest.approx(special.ndtri(0.5) - special.ndtri(0.16), abs=1e-9)
    assert fit.tpr(0.16) == pytest.approx(0.5, abs=1e-9)
    shares = np.array([0.16, 0.5])
    heights = np.exp(-(special.ndtri(shares) ** 2)) / (2 * np.pi)
    assert fit.cov[0, 0] == pytest.approx((shares * (1 - shares) / 100 / heights).sum(), rel=1e-9)
    assert fit.cov[1, 1] == 0


def test_equal_variances_of_curves_below_chance():
    fit = fit_equal_variance(counts([5, 10, 20], [20, 10, 5]))
    assert fit.a < -0.5
    assert isinstance(fit, Binormal)


@pytest.mark.parametrize(
    ("neg", "pos", "status"),
    [
        ([5, 0], [0, 5], "perfect"),
        ([0, 5], [5, 0], "perverse"),
        ([5], [5], "undetermined"),
        ([3, 3, 0], [0, 3, 3], "degenerate"),
        ([0, 3, 3], [3, 3, 0], "degenerate"),
    ],
)
def test_no_curve_with_equal_variances(neg, pos, status):
    fit = fit_equal_variance(counts(neg, pos))
    assert (fit.status, fit.a, fit.auc) == (status, None, None)


@pytest.mark.slow
def test_merged_runs_have_the_same_maximum():
    """Splitting a run of one class changes no estimate, of no model."""
    merged, split = counts([20, 4, 9, 5], [5, 8, 0, 22]), counts([20, 4, 5, 4, 5], [5, 8, 0, 0, 22])
    for fit in (fit_contaminated_categories, fit_equal_variance):
        first, second = fit(merged), fit(split)
        assert first.auc == pytest.approx(second.auc, abs=1e-8)
        assert first.log_likelihood != pytest.approx(second.log_likelihood)
