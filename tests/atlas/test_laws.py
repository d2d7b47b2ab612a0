"""Laws of scores: their true areas and curves against integrals and large samples."""

import numpy as np
import pytest
from scipy import integrate, stats

import rocscope as rs
from rocscope.atlas.laws import LAWS, RATIO, score_law


@pytest.mark.parametrize("area", [0.5, 0.7, 0.99])
@pytest.mark.parametrize("name", LAWS)
def test_the_curve_has_the_area(name, area):
    law = score_law(name, area, False)
    found, _ = integrate.quad(law.true_tpr, 0, 1, limit=300)
    assert found == pytest.approx(area, abs=1e-8)


@pytest.mark.parametrize("name", LAWS)
def test_the_categories_have_the_area(name):
    law = score_law(name, 0.9, True)
    assert len(law.cuts) == 4
    assert law.true_area() == pytest.approx(0.9, abs=1e-12)
    assert law.true_area(0, 0.3) + law.true_area(0.3, 1) == pytest.approx(0.9, abs=1e-12)
    # P(X > Y) + P(X = Y) / 2 of the categories.
    neg, pos = (-np.diff([1, *(law.rates(k)[c] for k in range(1, 5)), 0]) for c in (0, 1))
    assert pos @ (np.cumsum(neg) - neg / 2) == pytest.approx(0.9, abs=1e-12)


def test_closed_forms():
    d = score_law("unequal", 0.8, False).shift
    assert stats.norm.cdf(d / np.hypot(1, RATIO)) == pytest.approx(0.8)
    assert np.exp(score_law("exponential", 0.75, False).shift) == pytest.approx(3)
    law = score_law("exponential", 0.75, False)
    assert law.true_tpr(0.2) == pytest.approx(0.2 ** (1 / 3))
    assert law.true_area(0, 0.2) == pytest.approx(0.75 * 0.2 ** (4 / 3))
    assert score_law("heavy", 0.9, False).rates(1.0)[0] == pytest.approx(stats.t.sf(1, 3))


@pytest.mark.parametrize("categories", [False, True])
@pytest.mark.parametrize("name", LAWS)
def test_draws_follow_the_law(name, categories):
    law = score_law(name, 0.85, categories)
    n = 40_000
    y, s = law.draw(n, n, np.random.default_rng(5))
    estimate = rs.auc(y, s)
    assert abs(estimate.value - 0.85) < 4 * estimate.se
    assert len(np.unique(s)) == (5 if categories else 2 * n)
    threshold = 2.0 if categories else 0.7
    for k, rate in enumerate(law.rates(threshold)):
        assert abs((s[y == k] >= threshold).mean() - rate) < 4 * np.sqrt(rate * (1 - rate) / n)
    assert abs(np.interp(0.2, *_curve(y, s)) - law.true_tpr(0.2)) < 0.02


def _curve(y, s):
    curve = rs.roc_curve(y, s)
    return curve.fpr, curve.tpr
