"""Probabilities of two correlated normal variables."""

import numpy as np
import pytest
from scipy import special, stats

from rocscope.binormal.latent import bivariate_cdf, bivariate_density, cells
from slow import bivariate as slow

CORRELATIONS = (-0.999, -0.7, -0.1, 0.0, 0.3, 0.95, 0.9999)


@pytest.mark.parametrize("rho", CORRELATIONS)
def test_the_distribution_is_an_integral(rho):
    rng = np.random.default_rng(1)
    h, k = rng.normal(scale=1.5, size=(2, 25))
    expected = [slow.cdf(*pair, rho) for pair in zip(h, k, strict=True)]
    np.testing.assert_allclose(bivariate_cdf(h, k, rho), expected, atol=1e-12)


def test_agrees_with_scipy():
    rng = np.random.default_rng(2)
    for h, k, rho in zip(*rng.normal(size=(2, 50)), rng.uniform(-0.99, 0.99, 50), strict=True):
        expected = stats.multivariate_normal.cdf([h, k], cov=[[1, rho], [rho, 1]])
        assert bivariate_cdf(h, k, rho) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("rho", CORRELATIONS)
def test_quarters_of_the_plane(rho):
    """Sheppard: the quadrant has 1/4 + arcsin(rho) / (2 pi)."""
    quarter = 0.25 + np.arcsin(rho) / (2 * np.pi)
    assert bivariate_cdf(0.0, 0.0, rho) == pytest.approx(quarter, abs=1e-15)
    assert bivariate_cdf(-0.0, 0.0, rho) == pytest.approx(quarter, abs=1e-15)


@pytest.mark.parametrize("rho", [-1.0, -0.5, 0.0, 0.8, 1.0])
def test_one_limit_at_zero_or_at_infinity(rho):
    for x in (-1.5, 0.0, 2.0):
        assert bivariate_cdf(x, np.inf, rho) == pytest.approx(special.ndtr(x), abs=1e-15)
        assert bivariate_cdf(np.inf, x, rho) == pytest.approx(special.ndtr(x), abs=1e-15)
        assert bivariate_cdf(-np.inf, x, rho) == 0
        assert bivariate_cdf(x, 0.0, rho) + bivariate_cdf(x, 0.0, -rho) == pytest.approx(special.ndtr(x))
    assert bivariate_cdf(np.inf, np.inf, rho) == 1


def test_correlations_of_one_and_minus_one():
    assert bivariate_cdf(0.3, 1.0, 1.0) == pytest.approx(special.ndtr(0.3), abs=1e-15)
    assert bivariate_cdf(0.3, 1.0, -1.0) == pytest.approx(special.ndtr(1.0) - special.ndtr(-0.3), abs=1e-15)
    assert bivariate_cdf(-0.3, 0.1, -1.0) == 0


def test_the_density_is_the_derivative_by_the_correlation():
    h, k, step = np.array([-1.0, 0.0, 0.7]), np.array([0.5, 0.0, 2.0]), 1e-5
    rise = (bivariate_cdf(h, k, 0.4 + step) - bivariate_cdf(h, k, 0.4 - step)) / (2 * step)
    np.testing.assert_allclose(bivariate_density(h, k, 0.4), rise, atol=1e-9)
    assert bivariate_density(np.inf, 0.0, 0.4) == 0
    assert bivariate_density(-np.inf, np.inf, 0.4) == 0


def test_cells_cover_the_plane():
    x, y = np.array([-1.0, 0.2, 1.5]), np.array([-0.4, 0.9])
    found = cells(bivariate_cdf, x, y, -0.6)
    assert found.shape == (4, 3)
    assert found.sum() == pytest.approx(1, abs=1e-15)
    np.testing.assert_allclose(found.sum(axis=1), np.diff([0, *special.ndtr(x), 1]), atol=1e-15)
    assert found[1, 1] == pytest.approx(slow.cell((-1.0, 0.2), (-0.4, 0.9), -0.6), abs=1e-12)
