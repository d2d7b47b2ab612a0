import numpy as np
import pytest
from scipy import integrate, special

from binormal.test_combine import random_curves
from rocscope.binormal.combine import combined_score
from rocscope.binormal.contaminated import ContaminatedBinormal
from rocscope.binormal.curve import Binormal
from rocscope.binormal.proper import ProperBinormal
from rocscope.binormal.quadrature import REACH, Law, ScoreLaws, combine_curves, laws_of
from rocscope.errors import RocInputError, UndefinedError


class OnlyHeights:
    """A curve of which nothing is known but its height at a false positive rate."""

    def __init__(self, curve):
        self.tpr = curve.tpr


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def differences(found, score):
    t = found.thresholds
    return [
        abs(found.auc - score.auc),
        np.abs(found.fpr - score.fpr(t)).max(),
        np.abs(found.tpr - score.tpr(t)).max(),
        np.abs(found.density_neg - score.density(t, of="neg")).max(),
        np.abs(found.density_pos - score.density(t, of="pos")).max(),
    ]


def test_equals_the_closed_form(rng):
    """To 1e-8 requested; both weights of any sign and correlations up to 0.97."""
    for _ in range(100):
        fits, weights, rho = random_curves(rng), rng.normal(size=2), rng.uniform(-0.97, 0.97, 2)
        found = combine_curves(*fits, weights, rho=rho)
        score = combined_score(fits, weights, corr_neg=rho[0], corr_pos=rho[1])
        assert max(differences(found, score)) < 1e-10


def test_equals_the_closed_form_where_scales_differ():
    fits = [Binormal(a=2.0, b=8.0), Binormal(a=0.3, b=0.2)]
    for weights in ([1, 0.001], [0.001, 1], [1, -50]):
        found = combine_curves(*fits, weights, rho=(0.3, -0.4))
        assert max(differences(found, combined_score(fits, weights, corr_neg=0.3, corr_pos=-0.4))) < 1e-9


@pytest.mark.parametrize("scale", [1e-100, 1e-6, 3.0, 1e6, 1e100])
def test_the_scale_of_the_weights_does_not_matter(scale):
    fits = [Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8)]
    base, found = combine_curves(*fits, [1.0, 0.5]), combine_curves(*fits, [scale, scale / 2])
    assert found.auc == base.auc
    np.testing.assert_array_equal(found.fpr, base.fpr)
    np.testing.assert_array_equal(found.tpr, base.tpr)
    np.testing.assert_allclose(found.thresholds, base.thresholds * scale, rtol=1e-15)
    np.testing.assert_allclose(found.density_pos, base.density_pos / scale, rtol=1e-14)
    np.testing.assert_allclose(found.weights, [scale, scale / 2], rtol=1e-15)
    again = combine_curves(*fits, [scale, scale / 2], thresholds=found.thresholds)
    np.testing.assert_allclose(again.tpr, found.tpr, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_weights_too_small_or_large_for_thresholds_are_refused(scale):
    with pytest.raises(RocInputError) as error:
        combine_curves(Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8), [scale, scale])
    message = "weights must have a largest size from 1e-150 to 1e+150, for the thresholds of their sum, got ["
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("a", [-40.0, -20.0, 5.0, 20.0, 40.0])
@pytest.mark.parametrize("b", [0.2, 1.0, 5.0])
def test_rates_and_areas_stay_between_0_and_1(a, b):
    fits = [Binormal(a=a, b=b), Binormal(a=1.2, b=0.8)]
    found = combine_curves(*fits, [1, 1])
    assert 0 <= found.auc <= 1
    assert found.auc == pytest.approx(combined_score(fits, [1, 1]).auc, abs=1e-12)
    for rates in (found.fpr, found.tpr):
        assert rates.min() >= 0
        assert rates.max() <= 1
        assert (np.diff(rates) >= 0).all()


@pytest.mark.parametrize("b", [1e-20, 1e-3, 1e3, 1e20])
def test_one_class_much_narrower_than_the_other(b):
    fits = [Binormal(a=0.5, b=b), Binormal(a=1.0, b=b)]
    found, score = combine_curves(*fits, [1, 1]), combined_score(fits, [1, 1])
    assert found.auc == pytest.approx(score.auc, abs=1e-12)
    expected = score.density(found.thresholds, of="pos")
    np.testing.assert_allclose(found.density_pos, expected, rtol=1e-10, atol=1e-10 * expected.max())


def test_a_weight_that_changes_no_digit():
    fits = [Binormal(a=1.0, b=1.0), ProperBinormal(d_a=0.4, c=-0.8)]
    assert combine_curves(*fits, [1, 1e-100]).auc == pytest.approx(fits[0].auc, abs=1e-12)


def test_a_curve_known_by_its_heights_alone(rng):
    for _ in range(5):
        fits = [
            Binormal(a=a, b=b) for a, b in zip(rng.normal(1, 0.5, 2), rng.uniform(0.9, 1.3, 2), strict=True)
        ]
        weights, rho = rng.uniform(0.1, 1, 2), rng.uniform(-0.8, 0.8, 2)
        found = combine_curves(*map(OnlyHeights, fits), weights, rho=rho)
        score = combined_score(fits, weights, corr_neg=rho[0], corr_pos=rho[1])
        assert max(differences(found, score)) < 1e-8


def test_one_classifier_alone(rng):
    first, second = random_curves(rng)
    assert combine_curves(first, second, [2, 0]).auc == pytest.approx(first.auc, abs=1e-12)
    assert combine_curves(first, second, [0, -1]).auc == pytest.approx(1 - second.auc, abs=1e-12)


# ---- Other laws -------------------------------------------------------------------------------------------


def contaminated(mu, share):
    """Positives of which only a share has moved."""
    return ScoreLaws(Law.normal(mean=0.0, sd=1.0), Law.mixture([mu, 0.0], [1.0, 1.0], [share, 1 - share]))


def test_mixtures_add_up_as_mixtures():
    """The sum of two mixtures of normals is the mixture of the sums of their parts."""
    first, second = contaminated(2.0, 0.7), contaminated(1.5, 0.6)
    weights = np.array([0.4, 0.9])
    found = combine_curves(first, second, weights)
    sd = np.hypot(*weights)
    parts = [
        (p1 * p2, weights @ [m1, m2])
        for p1, m1 in ((0.7, 2.0), (0.3, 0.0))
        for p2, m2 in ((0.6, 1.5), (0.4, 0.0))
    ]
    area = sum(p * special.ndtr(m / (sd * np.sqrt(2))) for p, m in parts)
    tpr = sum(p * special.ndtr((m - found.thresholds) / sd) for p, m in parts)
    density = sum(
        p * np.exp(-(((found.thresholds - m) / sd) ** 2) / 2) / (sd * np.sqrt(2 * np.pi)) for p, m in parts
    )
    assert found.auc == pytest.approx(area, abs=1e-11)
    np.testing.assert_allclose(found.tpr, tpr, atol=1e-11)
    np.testing.assert_allclose(found.density_pos, density, atol=1e-10)


def test_fitted_curves_of_other_models():
    """A contaminated curve is a mixture; a proper one with c = 0 is binormal with equal variances."""
    curves = ContaminatedBinormal(alpha=0.7, mu=2.0), ContaminatedBinormal(alpha=0.6, mu=1.5)
    weights = [0.4, 0.9]
    found = combine_curves(*curves, weights)
    assert found.auc == pytest.approx(
        combine_curves(contaminated(2.0, 0.7), contaminated(1.5, 0.6), weights).auc, abs=1e-9
    )
    found = combine_curves(
        ProperBinormal(d_a=1.1, c=0.0), ProperBinormal(d_a=0.7, c=0.0), weights, rho=(0.5, 0.3)
    )
    fits = [Binormal(a=1.1, b=1.0), Binormal(a=0.7, b=1.0)]
    assert max(differences(found, combined_score(fits, weights, corr_neg=0.5, corr_pos=0.3))) < 1e-8


@pytest.mark.parametrize("c", [-0.4, 0.3])
def test_proper_curves_by_their_shape_and_by_their_heights(c):
    curves = ProperBinormal(d_a=1.3, c=c), ProperBinormal(d_a=0.8, c=-c / 2)
    found = combine_curves(*curves, [0.5, 0.6], rho=(0.4, 0.6))
    heights = [OnlyHeights(curve) for curve in curves]
    by_heights = combine_curves(*heights, [0.5, 0.6], rho=(0.4, 0.6), thresholds=found.thresholds)
    assert found.auc == pytest.approx(by_heights.auc, abs=1e-8)
    np.testing.assert_allclose(found.tpr, by_heights.tpr, atol=1e-8)
    assert combine_curves(*curves, [1, 0]).auc == pytest.approx(curves[0].auc, abs=1e-9)


@pytest.mark.parametrize("c", [0.11196224731702253, -0.11196224731702253])
def test_the_table_of_a_proper_law_is_smooth_up_to_its_ends(c):
    """With c > 0 few positives test positive at high thresholds, with c < 0 few test negative at low ones."""
    law = laws_of(ProperBinormal(d_a=0.8286892346911653, c=c)).pos
    x = np.linspace(-REACH, REACH, 500)
    t = law.quantile(x)
    np.testing.assert_allclose(law.deviate(t), x, atol=1e-11)
    np.testing.assert_allclose(law.slope(t), np.gradient(x, t), rtol=0.01)


def test_a_proper_combination_is_an_integral_over_the_positives():
    """The sum is normal among the negatives, so the area is the mean of Phi over the positives."""
    fits = ProperBinormal(d_a=0.526, c=0.168), ProperBinormal(d_a=0.8286892346911653, c=0.11196224731702253)
    weights, (neg, pos) = (1.0, 2.0), (0.58, 0.7)
    grid = np.linspace(-8.2, 8.2, 401)
    share = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi) * (grid[1] - grid[0])
    first, second = grid[:, np.newaxis], pos * grid[:, np.newaxis] + np.sqrt(1 - pos**2) * grid
    total = sum(
        w * laws_of(fit).pos.quantile(x) for w, fit, x in zip(weights, fits, (first, second), strict=True)
    )
    spread = np.sqrt(weights[0] ** 2 + weights[1] ** 2 + 2 * neg * weights[0] * weights[1])
    expected = share @ special.ndtr(total / spread) @ share
    assert combine_curves(*fits, weights, rho=(neg, pos)).auc == pytest.approx(expected, abs=1e-9)


def test_a_proper_combination_agrees_with_simulated_cases():
    """Scores on the latent scale drawn through the quantiles of the curves themselves."""
    rng = np.random.default_rng(9)
    curves, weights, n = (
        (ProperBinormal(d_a=1.3, c=-0.4), ProperBinormal(d_a=0.9, c=0.2)),
        (0.5, 0.6),
        100_000,
    )
    pos = sum(w * -special.ndtri(curve.fpr(rng.random(n))) for w, curve in zip(weights, curves, strict=True))
    neg = np.sort(weights @ rng.normal(size=(2, n)))
    placed = np.searchsorted(neg, pos) / n
    placed_neg = np.searchsorted(np.sort(pos), neg) / n
    se = np.sqrt((placed.var() + placed_neg.var()) / n)
    assert placed.mean() == pytest.approx(combine_curves(*curves, weights).auc, abs=4 * se)


def kernel(scores, width):
    return Law.mixture(scores, np.full(len(scores), width), np.ones(len(scores)))


def test_kernel_estimates_on_the_scale_of_the_scores(rng):
    """Two kernel estimates, independent: every pair of cases is one part of a mixture."""
    samples = [(rng.normal(size=12), rng.normal(1, 1.5, 9)) for _ in range(2)]
    width, weights = 0.35, np.array([0.8, 0.5])
    laws = [ScoreLaws(kernel(neg, width), kernel(pos, width)) for neg, pos in samples]
    found = combine_curves(*laws, weights)
    neg, pos = (np.add.outer(weights[0] * samples[0][c], weights[1] * samples[1][c]).ravel() for c in (0, 1))
    sd = width * np.hypot(*weights)
    area = special.ndtr((pos[:, None] - neg) / (sd * np.sqrt(2))).mean()
    assert found.auc == pytest.approx(area, abs=1e-9)
    tpr = special.ndtr((pos - found.thresholds[:, None]) / sd).mean(axis=1)
    np.testing.assert_allclose(found.tpr, tpr, atol=1e-9)


def test_laws_are_consistent():
    for law in (contaminated(1.7, 0.4).pos, kernel(np.array([-1.0, 0.2, 3.0]), 0.5)):
        t = np.linspace(-3, 4, 50)
        np.testing.assert_allclose(law.quantile(law.deviate(t)), t, atol=1e-9)
        step = 1e-5
        slope = (law.deviate(t + step) - law.deviate(t - step)) / (2 * step)
        np.testing.assert_allclose(law.slope(t), slope, rtol=1e-6)
        turned = law.times(-2.0)
        np.testing.assert_allclose(turned.deviate(-2.0 * t), -law.deviate(t), atol=1e-12)


def test_a_law_known_by_its_deviates_alone():
    law = Law.from_deviate(lambda t: np.arctan(t) + t)
    t = np.linspace(-4, 4, 50)
    np.testing.assert_allclose(law.deviate(t), np.arctan(t) + t, atol=1e-8)
    np.testing.assert_allclose(law.slope(t), 1 / (1 + t**2) + 1, rtol=1e-7)
    np.testing.assert_allclose(law.quantile(np.arctan(t) + t), t, atol=1e-8)


def test_laws_on_any_scale():
    """Scores of a million with a spread of ten thousand are as good as scores of 1 with one of 0.01."""
    small = Law.mixture([1.0, 1.05], [0.01, 0.02], [1, 2])
    large = Law.mixture([1e6, 1.05e6], [1e4, 2e4], [1, 2])
    x = np.linspace(-3, 3, 9)
    np.testing.assert_allclose(large.quantile(x), 1e6 * small.quantile(x), rtol=1e-10)


def test_densities_integrate_to_the_rates(rng):
    found = combine_curves(*random_curves(rng), [0.5, 0.7], rho=(0.5, 0.5))
    t = found.thresholds[::-1]
    for density, rate in ((found.density_neg, found.fpr), (found.density_pos, found.tpr)):
        gone = integrate.simpson(density[::-1], x=t)
        assert gone == pytest.approx(rate[-1] - rate[0], abs=1e-6)


# ---- What is refused --------------------------------------------------------------------------------------

PAIR = Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((*PAIR, [0, 0]), {}, "weights must have a weight other than 0, got only 0 in row 0"),
        ((*PAIR, [1, 1]), {"rho": 0.5}, "rho must be a pair (negatives, positives), got 0.5"),
        ((*PAIR, [1, 1]), {"rho": (0, 2)}, "rho[1] must lie between -1 and 1 (both allowed), got 2"),
        (
            (PAIR[0], 3.0, [1, 1]),
            {},
            "second must be a fitted curve with a method tpr(fpr), or ScoreLaws, got 3.0",
        ),
        (
            (*PAIR, [1, 1]),
            {"thresholds": [np.inf]},
            "thresholds must have finite values, got infinite ones in row 0",
        ),
    ],
)
def test_wrong_arguments(arguments, options, message):
    with pytest.raises(RocInputError) as error:
        combine_curves(*arguments, **options)
    assert str(error.value) == message


def test_undefined():
    with pytest.raises(UndefinedError) as error:
        combine_curves(*PAIR, [1, 1], rho=(0, -1))
    message = "such classifiers are copies, whose weights can cancel"
    assert str(error.value) == f"rho[1] is -1 (condition number inf): {message}"
    with pytest.raises(UndefinedError) as error:
        combine_curves(*PAIR, [1, -1], rho=(0.9999999, 0))
    assert str(error.value) == f"rho[0] is 0.9999999 (condition number 2e+07): {message}"
    lost = Binormal(status="perfect", reason="the classes are separated")
    with pytest.raises(UndefinedError) as error:
        combine_curves(lost, PAIR[0], [1, 1])
    assert str(error.value) == "first has no curve to combine (perfect): the classes are separated"


def test_laws_pass_as_they_are():
    laws = contaminated(1.0, 0.5)
    assert laws_of(laws) is laws
