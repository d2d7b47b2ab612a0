"""Terms of the likelihood, the bordered matrix and their kernels, against what they mean."""

import numpy as np
import pytest
from scipy import special

from rocscope.binormal import maximum
from rocscope.binormal.latent import Categories
from rocscope.binormal.maximum import (
    BinormalLikelihood,
    categories_between,
    class_terms,
    expected_information,
    expected_terms,
    solve_tridiagonal,
)
from slow import binormal as slow

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)


def log_mass(low, high):
    """Log of the mass between two cut-points, by the tails or, where these cancel, by integration."""
    if high - low > 1:
        if low + high < 0:
            low, high = -high, -low
        top, rest = special.log_ndtr(-low), special.log_ndtr(-high)
        return float(top + np.log1p(-np.exp(rest - top)))
    middle, half = (low + high) / 2, (high - low) / 2
    inside = np.exp(-middle * half * NODES - (half * NODES) ** 2 / 2) @ WEIGHTS
    return float(np.log(half * inside) - middle**2 / 2 - np.log(2 * np.pi) / 2)


PLACES = [-12.0, -6.0, -3.0, -0.7, 0.0, 0.4, 2.0, 5.0, 11.0, 40.0]
WIDTHS = [1e-9, 1e-5, 1e-2, 0.049, 0.051, 0.3, 0.99, 2.0, 7.0]


@pytest.mark.parametrize("low", PLACES)
@pytest.mark.parametrize("width", WIDTHS)
def test_masses_keep_their_digits_in_both_tails(low, width):
    x = np.array([low, low + width])
    inside = categories_between(x, np.array([1]))
    expected = log_mass(*x)
    np.testing.assert_allclose(inside.log_mass, expected, rtol=1e-12, atol=1e-13)
    for ratio, end in ((inside.lower, x[0]), (inside.upper, x[1])):
        np.testing.assert_allclose(ratio, np.exp(-(end**2) / 2 - np.log(2 * np.pi) / 2 - expected), rtol=1e-9)


@pytest.mark.parametrize("x", PLACES)
def test_ends_reach_to_infinity(x):
    below, above = categories_between(np.array([x]), np.array([0, 1])).log_mass
    np.testing.assert_allclose(below, special.log_ndtr(x), rtol=1e-13, atol=1e-200)
    np.testing.assert_allclose(above, special.log_ndtr(-x), rtol=1e-13, atol=1e-200)


@pytest.mark.parametrize("width", [1e-8, 1e-4, 0.049, 0.051, 1.0])
def test_the_mean_lies_inside_and_keeps_its_distance(width):
    """Distances of the mean of a truncated normal variable: half - mean s and half + mean s, exactly."""
    x = np.array([1.3, 1.3 + width])
    inside = categories_between(x, np.array([1]))
    middle, half = x.mean(), np.diff(x)[0] / 2
    density = np.exp(-middle * half * NODES - (half * NODES) ** 2 / 2) * WEIGHTS
    shift = half * float(density @ NODES / density.sum())
    np.testing.assert_allclose(inside.to_lower, half + shift, rtol=1e-6)
    np.testing.assert_allclose(inside.to_upper, half - shift, rtol=1e-6)


def sample(seed, k):
    """Cut-points and counts, some of them 0."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.normal(size=k) * 2)
    return x, rng.integers(0, 4, k + 1), rng


def evaluate(t, a, b, neg, pos):
    categories = Categories(neg=neg, pos=pos, boundaries=np.arange(len(t)))
    return BinormalLikelihood(categories).evaluate(t, a, b)


def tridiagonal(excess, coupling):
    matrix = np.diag(excess)
    for i, c in enumerate(coupling):
        matrix[[i, i + 1, i, i + 1], [i, i + 1, i + 1, i]] += [c, c, -c, -c]
    return matrix


@pytest.mark.parametrize("seed", range(6))
def test_score_and_information_are_derivatives(seed):
    x, counts, _ = sample(seed, 7)
    terms = class_terms(x, counts)
    step = 1e-6
    for i in range(len(x)):
        e = step * (np.arange(len(x)) == i)
        up, down = class_terms(x + e, counts), class_terms(x - e, counts)
        slope = (up.log_likelihood - down.log_likelihood) / (2 * step)
        np.testing.assert_allclose(terms.score[i], slope, rtol=1e-5, atol=1e-6)
        bend = -(up.score - down.score) / (2 * step)
        np.testing.assert_allclose(tridiagonal(terms.excess, terms.coupling)[i], bend, rtol=1e-4, atol=1e-4)


def test_row_sums_are_positive_wherever_there_are_cases():
    x, counts, _ = sample(3, 30)
    assert (class_terms(x, counts + 1).excess > 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_likelihood_and_gradient_are_those_written_out(seed):
    t, neg, rng = sample(seed, 9)
    pos = rng.integers(0, 5, 10)
    a, b = rng.normal(), np.exp(rng.normal() / 2)
    found = evaluate(t, a, b, neg, pos)
    assert found.log_likelihood == pytest.approx(slow.log_likelihood(a, b, t, neg, pos), rel=1e-10)
    expected = slow.gradient(a, b, t, neg, pos)
    np.testing.assert_allclose(found.by_theta, expected[:2], rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(found.by_cutpoints, expected[2:], rtol=1e-7, atol=1e-8)


def dense(arrow):
    inner = tridiagonal(arrow.excess, arrow.coupling)
    return np.block([[inner, arrow.border.T], [arrow.border, arrow.corner]])


@pytest.mark.parametrize("seed", range(4))
def test_the_bordered_matrix_is_minus_the_second_derivative(seed):
    t, neg, rng = sample(seed, 6)
    pos = rng.integers(0, 5, 7)
    theta = np.concatenate([t, [0.7, 1.3]])

    def slope(values):
        at = evaluate(values[:-2], values[-2], values[-1], neg, pos)
        return np.concatenate([at.by_cutpoints, at.by_theta])

    step = 1e-6
    bends = [-(slope(theta + e) - slope(theta - e)) / (2 * step) for e in step * np.eye(len(theta))]
    expected = np.array(bends)
    arrow = evaluate(t, 0.7, 1.3, neg, pos).information
    np.testing.assert_allclose(dense(arrow), expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(4))
def test_expected_information_and_its_covariance_are_dense_ones(seed):
    t = sample(seed, 8)[0]
    a, b, n_neg, n_pos = 0.9, 0.8, 40, 70
    arrow = expected_information(t, a, b, n_neg, n_pos)
    order = [*range(2, len(t) + 2), 0, 1]
    expected = slow.expected_information(a, b, t, n_neg, n_pos)[np.ix_(order, order)]
    np.testing.assert_allclose(dense(arrow), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(arrow.covariance(), np.linalg.inv(expected)[-2:, -2:], rtol=1e-6)


def test_a_singular_information_has_no_covariance():
    """One point determines one of two parameters; categories without any case determine none."""
    assert expected_information(np.array([0.0]), 1.0, 1.0, 10, 10).covariance() is None
    nothing = np.zeros(4, dtype=np.int64)
    assert evaluate(np.array([-1.0, 0.0, 1.0]), 1.0, 1.0, nothing, nothing).information.covariance() is None


# ---- Kernels ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("spread", [0.01, 1.0, 8.0])
def test_the_kernel_agrees_with_numpy(seed, spread):
    from rocscope.core import kernels

    x, counts, _ = sample(seed, 300)
    x = x * spread
    for part, twin in zip(kernels.normal_terms(x, counts, 0.0), class_terms(x, counts), strict=True):
        np.testing.assert_allclose(part, twin, rtol=1e-10, atol=1e-10 * np.abs(twin).max())
    found, expected = kernels.normal_terms(x, counts, 25.0), expected_terms(x, 25)
    np.testing.assert_allclose(found[1], 0.0, atol=1e-9)
    for k in (0, 2, 3):
        np.testing.assert_allclose(found[k], expected[k], rtol=1e-10, atol=1e-10 * np.abs(expected[k]).max())


def test_many_cut_points_go_to_the_kernels(monkeypatch):
    x, counts, _ = sample(1, 50)
    plain = class_terms(x, counts), expected_terms(x, 9), solve_tridiagonal(*system(50))
    monkeypatch.setattr(maximum, "MANY", 10)
    fast = class_terms(x, counts), expected_terms(x, 9), solve_tridiagonal(*system(50))
    for one, other in zip(plain, fast, strict=True):
        for part, twin in zip(one, other, strict=True):
            np.testing.assert_allclose(part, twin, rtol=1e-9, atol=1e-9)


def system(n):
    rng = np.random.default_rng(4)
    return rng.random(n), 10 * rng.random(n - 1), rng.normal(size=(3, n))


def test_the_solver_solves():
    from rocscope.core import kernels

    excess, coupling, right = system(40)
    expected = np.linalg.solve(tridiagonal(excess, coupling), right.T).T
    np.testing.assert_allclose(kernels.solve_row_sums(excess, coupling, right), expected, rtol=1e-10)
    np.testing.assert_allclose(solve_tridiagonal(excess, coupling, right), expected, rtol=1e-10)


def test_the_solvers_tell_a_singular_matrix():
    from rocscope.core import kernels

    for solve in (kernels.solve_row_sums, solve_tridiagonal):
        assert np.isnan(solve(np.zeros(3), np.zeros(2), np.ones((1, 3)))).all()


def test_the_solver_keeps_the_digits_of_small_row_sums():
    """With a constant right side T x = 1 and row sums of 1e-13, x = 1e13: a pivot by subtraction loses it."""
    from rocscope.core import kernels

    n = 1000
    found = kernels.solve_row_sums(np.full(n, 1e-13), np.ones(n - 1), np.ones((1, n)))
    np.testing.assert_allclose(found, 1e13, rtol=1e-9)
