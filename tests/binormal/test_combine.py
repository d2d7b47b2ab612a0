import math

import numpy as np
import pytest
from scipy import special

from rocscope.binormal.combine import JointScores, combine_binormals, combined_score, predicted_auc
from rocscope.binormal.curve import Binormal
from rocscope.errors import RocInputError, UndefinedError
from slow import fusion

SETS = 100


def random_curves(rng, k=2):
    return [
        Binormal(a=a, b=b)
        for a, b in zip(rng.normal(1.0, 0.8, k), np.exp(rng.normal(0, 0.4, k)), strict=True)
    ]


def random_correlation(rng, k):
    parts = rng.normal(size=(k, k + 1))
    cov = parts @ parts.T
    scale = 1 / np.sqrt(np.diagonal(cov))
    corr = cov * np.outer(scale, scale)
    np.fill_diagonal(corr, 1.0)
    return (corr + corr.T) / 2


@pytest.fixture
def rng():
    return np.random.default_rng(7)


# ---- The paper's formulas ---------------------------------------------------------------------------------


def test_rates_and_densities_are_the_papers(rng):
    for _ in range(25):
        curves, weights = random_curves(rng), rng.uniform(0.1, 1, 2)
        plain = [(c.a, c.b) for c in curves]
        score = combined_score(curves, weights)
        for t in rng.normal(0.5, 1, 4):
            for positive, rate, of in ((False, score.fpr, "neg"), (True, score.tpr, "pos")):
                assert rate(t) == pytest.approx(
                    1 - fusion.integral_cdf(t, plain, weights, positive), abs=1e-9
                )
                assert rate(t) == pytest.approx(fusion.printed_rate(t, plain, weights, positive), abs=1e-13)
                found = score.density(t, of=of)
                assert found == pytest.approx(fusion.integral_density(t, plain, weights, positive), abs=1e-9)
                assert found == pytest.approx(fusion.printed_density(t, plain, weights, positive), rel=1e-9)


def test_closed_form_of_two(rng):
    """METHODS: A = (sum w a / b) / s, b = sqrt(sum w^2) / s, s = sqrt(sum w^2 / b^2)."""
    for _ in range(20):
        (first, second), (u, v) = random_curves(rng), rng.normal(size=2)
        s = math.hypot(u / first.b, v / second.b)
        found = combine_binormals([first, second], (u, v))
        mean = u * first.a / first.b + v * second.a / second.b
        assert found.a == pytest.approx(mean / s, rel=1e-13)
        assert found.b == pytest.approx(math.hypot(u, v) / s, rel=1e-13)
        assert found.auc == pytest.approx(special.ndtr(mean / math.hypot(math.hypot(u, v), s)), rel=1e-13)
        assert found.method == "combined"


def test_agrees_with_simulated_correlated_normals():
    """Within four standard errors, for 100 random sets of two to five correlated classifiers."""
    rng = np.random.default_rng(13)
    n, deviations = 3000, []
    for _ in range(SETS):
        k = int(rng.integers(2, 6))
        fits, weights = random_curves(rng, k), rng.normal(size=k)
        corr = [random_correlation(rng, k) for _ in range(2)]
        noise = [rng.multivariate_normal(np.zeros(k), c, size=n, method="cholesky") for c in corr]
        a, b = (np.array([getattr(fit, name) for fit in fits]) for name in ("a", "b"))
        neg, pos = np.sort(noise[0] @ weights), ((noise[1] + a) / b) @ weights
        placed = np.searchsorted(neg, pos) / n
        placed_neg = np.searchsorted(np.sort(pos), neg) / n
        se = math.sqrt(placed.var(ddof=1) / n + placed_neg.var(ddof=1) / n)
        predicted = combine_binormals(fits, weights, corr_neg=corr[0], corr_pos=corr[1]).auc
        deviations.append((placed.mean() - predicted) / se)
    assert np.abs(deviations).max() < 4
    assert 0.8 < np.std(deviations) < 1.2  # they have the size that the standard errors say


def test_scale_of_the_weights_does_not_matter(rng):
    for _ in range(20):
        fits, weights = random_curves(rng, 3), rng.normal(size=3)
        corr = random_correlation(rng, 3)
        base = combine_binormals(fits, weights, corr_neg=corr, corr_pos=corr)
        for factor in (2.0**40, 1e-300, 3e7, 1e300):
            found = combine_binormals(fits, weights * factor, corr_neg=corr, corr_pos=corr)
            assert (found.a, found.b) == pytest.approx((base.a, base.b), rel=1e-14)
        turned = combine_binormals(fits, -weights, corr_neg=corr, corr_pos=corr)
        assert turned.auc == pytest.approx(1 - base.auc, abs=1e-15)


@pytest.mark.parametrize("size", [1.7e308, 2e-308, 5e-324])
def test_weights_may_be_of_any_size(size):
    """The sum itself would leave float64, its curve does not."""
    fits = [Binormal(a=3.0, b=0.2), Binormal(a=0.5, b=0.8)]
    found, plain = (combine_binormals(fits, [weight, -weight]) for weight in (size, 1.0))
    assert (found.a, found.b) == (plain.a, plain.b)
    assert predicted_auc(fits, [[size, -size]]).tolist() == predicted_auc(fits, [[1, -1]]).tolist()


@pytest.mark.parametrize("size", [1.7e308, 5e-324])
def test_a_sum_that_float64_cannot_hold_is_refused(size):
    with pytest.raises(RocInputError) as error:
        combined_score([Binormal(a=3.0, b=0.2), Binormal(a=0.5, b=0.8)], [size, size])
    assert str(error.value) == (
        "weights must be of a size that float64 holds the combined score in; combine_binormals takes any "
        f"size, got [{size}, {size}]"
    )


def test_one_weight_gives_the_classifier_itself(rng):
    fits = random_curves(rng, 3)
    corr = random_correlation(rng, 3)
    for k, fit in enumerate(fits):
        found = combine_binormals(fits, np.eye(3)[k] * 0.3, corr_neg=corr, corr_pos=corr)
        assert (found.a, found.b) == pytest.approx((fit.a, fit.b), rel=1e-14)


def test_combining_in_steps_is_combining_at_once(rng):
    """Independent classifiers: the combined one is a classifier again, on its own latent scale."""
    fits, weights = random_curves(rng, 3), rng.uniform(0.1, 1, 3)
    first = combined_score(fits[:2], weights[:2])
    # The latent scale of the combined curve is z / sd_neg.
    found = combine_binormals([first.curve(), fits[2]], [first.sd_neg, weights[2]])
    expected = combine_binormals(fits, weights)
    assert (found.a, found.b) == pytest.approx((expected.a, expected.b), rel=1e-13)


def test_method_of_a_curve_is_the_same(rng):
    first, second = random_curves(rng)
    found = first.combine(second, [0.3, 0.9], rho=(0.4, -0.2))
    assert found == combine_binormals([first, second], [0.3, 0.9], corr_neg=0.4, corr_pos=-0.2)


def test_many_combinations_at_once(rng):
    fits, weights = random_curves(rng, 4), rng.normal(size=(50, 4))
    corr = random_correlation(rng, 4)
    found = predicted_auc(fits, weights, corr_neg=corr)
    expected = [combine_binormals(fits, row, corr_neg=corr).auc for row in weights]
    np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_score_of_the_sum_is_on_its_own_scale():
    score = combined_score([Binormal(a=1.0, b=1.0)] * 2, [3.0, 4.0])
    assert (score.mean_pos, score.sd_neg, score.sd_pos) == pytest.approx((7.0, 5.0, 5.0))
    assert score.weights.tolist() == [3.0, 4.0]
    assert str(score) == "combined score, weights 3, 4: AUC 0.8389"
    assert score.curve().auc == pytest.approx(score.auc, rel=1e-15)


# ---- What is refused --------------------------------------------------------------------------------------

PAIR = [Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8)]
THREE = [*PAIR, Binormal(a=0.5, b=1.1)]
LOST = Binormal(status="perfect", reason="the classes are separated")


@pytest.mark.parametrize(
    ("fits", "weights", "options", "message"),
    [
        (PAIR, [0, 0], {}, "weights must have a weight other than 0, got only 0 in row 0"),
        (PAIR, [1], {}, "weights must hold one number per classifier (2), got [1]"),
        (PAIR, [1, math.nan], {}, "weights must have finite numbers, got NaN or infinite in row 0"),
        (PAIR, ["a", "b"], {}, "weights must hold one number per classifier (2), got ['a', 'b']"),
        (PAIR, [[1, 2]], {}, "weights must be those of one combination, got shape (1, 2)"),
        (PAIR, [1, 1], {"corr_neg": 1.5}, "corr_neg must hold correlations from -1 to 1, got 1.5"),
        (PAIR, [1, 1], {"corr_pos": math.nan}, "corr_pos must hold correlations from -1 to 1, got nan"),
        (
            PAIR,
            [1, 1],
            {"corr_pos": "high"},
            "corr_pos must be a 2 by 2 matrix of numbers or one correlation, got 'high'",
        ),
        (
            PAIR,
            [1, 1],
            {"corr_neg": [[1, 0.2], [0.3, 1]]},
            "corr_neg must be symmetric, got [[1.0, 0.2], [0.3, 1.0]]",
        ),
        (
            PAIR,
            [1, 1],
            {"corr_neg": [[0.5, 0], [0, 1]]},
            "corr_neg must have 1 along its diagonal, got [0.5, 1.0]",
        ),
        (THREE, [1, 1, 1], {"corr_neg": 0.3}, "corr_neg must be a 3 by 3 matrix of numbers, got 0.3"),
        (
            THREE,
            [1, 1, 1],
            {"corr_neg": [[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]]},
            "corr_neg must be positive semidefinite, got a smallest eigenvalue of -0.8",
        ),
        (
            [1.0, 2.0],
            [1, 1],
            {},
            "fits must be a list of Binormal curves, got ['float', 'float']; combine_curves takes any two "
            "curves",
        ),
        (
            3,
            [1, 1],
            {},
            "fits must be a list of Binormal curves, got 3; combine_curves takes any two curves",
        ),
        ([], [], {}, "fits must be a list of Binormal curves, got []; combine_curves takes any two curves"),
    ],
)
def test_wrong_arguments(fits, weights, options, message):
    with pytest.raises(RocInputError) as error:
        combine_binormals(fits, weights, **options)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("fits", "weights", "options", "message"),
    [
        (
            PAIR,
            [1, -1],
            {"corr_neg": 1},
            "corr_neg is singular (condition number inf): classifiers 0 and 1 have correlation 1, so that "
            "weights can cancel; leave one of them out",
        ),
        (
            PAIR,
            [1, 1],
            {"corr_pos": -1.0},
            "corr_pos is singular (condition number inf): classifiers 0 and 1 have correlation -1, so that "
            "weights can cancel; leave one of them out",
        ),
        (
            [LOST, *PAIR],
            [1, 1, 1],
            {},
            "fits[0] has no curve to combine (perfect): the classes are separated",
        ),
        (
            [PAIR[0], Binormal(a=1.0, b=1e-80)],
            [1, 1],
            {},
            "fits[1] has no variance in one of its classes: a = 1, b = 1e-80",
        ),
    ],
)
def test_undefined_combinations(fits, weights, options, message):
    with pytest.raises(UndefinedError) as error:
        combine_binormals(fits, weights, **options)
    assert str(error.value) == message


def test_a_classifier_that_is_a_sum_of_others():
    """Correlations of (x, y, x + y) with independent x and y: singular without a correlation of 1."""
    r = 1 / math.sqrt(2)
    with pytest.raises(UndefinedError, match=r"condition number .*: a classifier is a sum of others"):
        combine_binormals(THREE, [1, 1, 1], corr_pos=[[1, 0, r], [0, 1, r], [r, r, 1]])


def test_rows_of_weights_that_are_all_zero():
    with pytest.raises(RocInputError) as error:
        predicted_auc(PAIR, [[1, 1], [0, 0], [2, 0], [0, 0]])
    assert str(error.value) == "weights must have a weight other than 0, got only 0 in rows 1, 3"


def test_nearly_equal_classifiers_keep_their_digits():
    """w'Sw of weights 1 and -1 is 2 (1 - rho): what is left of it decides."""
    rho = 1 - 1e-8
    found = combine_binormals(PAIR, [1, -1], corr_neg=rho, corr_pos=0.0)
    assert combined_score(PAIR, [1, -1], corr_neg=rho).sd_neg == pytest.approx(math.sqrt(2e-8), rel=1e-6)
    assert found.b == pytest.approx(math.sqrt(2e-8) / math.hypot(1, 1 / 0.8), rel=1e-6)


def test_density_names_its_class():
    score = combined_score(PAIR, [1, 1])
    with pytest.raises(RocInputError, match="of must be one of 'neg', 'pos', got 'positive'"):
        score.density(0.0, of="positive")
    with pytest.raises(RocInputError, match="t must hold numbers, got 'x'"):
        score.fpr("x")


def test_joint_scores_are_read_once():
    joint = JointScores.of(PAIR, corr_neg=0.5, corr_pos=-0.5)
    assert len(joint) == 2
    np.testing.assert_allclose(joint.cov_neg, [[1, 0.5], [0.5, 1]])
    np.testing.assert_allclose(joint.cov_pos, [[1, -0.625], [-0.625, 1.5625]])
