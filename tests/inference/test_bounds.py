import math
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.inference import variance as module
from rocscope.inference.variance import agarwal_interval, cortes_mohri_interval
from slow import bounds as slow

SIDES = ["two-sided", "less", "greater"]
COUNTS = st.integers(1, 60)


def moments_of(k, m, n):
    """Mean and variance for one number of errors, or for several."""
    means, variances = module.cortes_mohri_moments(np.atleast_1d(np.asarray(k, dtype=np.float64)), m, n)
    return (means, variances) if np.ndim(k) else (float(means[0]), float(variances[0]))


@st.composite
def errors(draw):
    m, n = draw(COUNTS), draw(COUNTS)
    return draw(st.integers(0, m + n)), m, n


# ---- Cortes and Mohri: moments ----------------------------------------------------------------------------


@pytest.mark.parametrize(("m", "n"), slow.SIZES)
def test_moments_agree_with_all_rankings_written_down(m, n):
    means, variances = moments_of(range(m + n + 1), m, n)
    for k, areas in enumerate(slow.areas_by_errors(m, n)):
        mean, variance = slow.mean_and_variance(areas)
        assert (mean, variance) == slow.mixture(k, m, n)
        assert means[k] == pytest.approx(float(mean), rel=1e-15, abs=1e-16)
        assert variances[k] == pytest.approx(float(variance), rel=1e-15)


@pytest.mark.parametrize(("m", "n"), [*slow.SIZES, (60, 40)])
def test_closed_mean_is_right_up_to_the_smaller_class_only(m, n):
    agree = [slow.closed_mean(k, m, n) == slow.mixture(k, m, n)[0] for k in range(m + n + 1)]
    assert all(agree[: min(m, n) + 1])
    assert not any(agree[min(m, n) + 1 :])


@pytest.mark.parametrize(("m", "n"), [(60, 40), (50, 50), (1, 120), (3, 90), (1, 1)])
def test_moments_agree_with_fractions_at_larger_sizes(m, n):
    means, variances = moments_of(np.arange(m + n + 1), m, n)
    exact = [slow.mixture(k, m, n) for k in range(m + n + 1)]
    np.testing.assert_allclose(means, [float(mean) for mean, _ in exact], rtol=1e-15)
    np.testing.assert_allclose(variances, [float(variance) for _, variance in exact], rtol=2e-15)


@given(case=errors())
def test_moments_agree_with_fractions(case):
    mean, variance = moments_of(*case)
    exact = slow.mixture(*case)
    assert mean == pytest.approx(float(exact[0]), rel=1e-15, abs=0)
    assert variance == pytest.approx(float(exact[1]), rel=2e-15, abs=0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "m", "n"), [(1000, 1500, 500), (990, 1000, 1000), (499, 500, 3000), (300, 900, 20)]
)
def test_moments_keep_their_figures_where_the_mixture_is_long(k, m, n):
    mean, variance = moments_of(k, m, n)
    exact = slow.mixture(k, m, n)
    assert mean == pytest.approx(float(exact[0]), rel=1e-15)
    assert variance == pytest.approx(float(exact[1]), rel=3e-15)


@pytest.mark.parametrize(
    ("k", "m", "n"),
    [
        (150_000, 500_000, 500_000),
        (850_000, 500_000, 500_000),
        (50_000, 900_000, 100_000),
        (300_000, 100_000, 900_000),
        (40, 900_000, 100_000),
        (250_000, 40, 900_000),
    ],
)
def test_moments_agree_with_the_long_mixture(k, m, n):
    mean, variance = slow.long_mixture(k, m, n)
    assert moments_of(k, m, n) == (
        pytest.approx(mean, rel=1e-11),
        pytest.approx(variance, rel=1e-10),
    )


@pytest.mark.parametrize("k", [1, 1000, 99_999, 100_000, 300_000, 490_000, 499_999, 500_000])
@pytest.mark.parametrize(("m", "n"), [(500_000, 500_000), (900_000, 100_000)])
def test_left_out_terms_cannot_be_seen(k, m, n, monkeypatch):
    moments = moments_of(k, m, n)
    monkeypatch.setattr(module, "INVISIBLE", 150.0)
    assert moments_of(k, m, n) == moments


@given(case=errors())
def test_classes_and_decisions_may_change_places(case):
    k, m, n = case
    mean, variance = moments_of(k, m, n)
    assert moments_of(k, n, m) == (mean, variance)
    turned = moments_of(m + n - k, m, n)
    assert turned == (pytest.approx(1 - mean, abs=2e-16), variance)


@given(m=COUNTS, n=COUNTS)
def test_the_mean_falls_with_every_error_from_1_to_0(m, n):
    means, variances = moments_of(range(m + n + 1), m, n)
    assert (np.diff(means) < 0).all()
    assert (means[0], variances[0]) == (1, 0)
    assert (means[-1], variances[-1]) == (0, 0)
    assert (variances[1:-1] >= 0).all()


def test_equal_classes_have_the_accuracy_as_mean():
    means, _ = moments_of(range(81), 40, 40)
    np.testing.assert_allclose(means, 1 - np.arange(81) / 80, rtol=0, atol=2e-16)


# ---- Cortes and Mohri: interval ---------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
@pytest.mark.parametrize(
    ("k", "m", "n"), [(0, 3, 4), (7, 3, 4), (2, 9, 5), (20, 49, 50), (20, 50, 50), (35, 30, 90), (70, 8, 97)]
)
def test_interval_agrees_with_every_count_tried(k, m, n, level, alternative):
    result = cortes_mohri_interval(k, m, n, level, alternative)
    assert result == pytest.approx(slow.interval(k, m, n, level, alternative), abs=1e-14)
    shorter = cortes_mohri_interval(k, m, n, level, alternative, chebyshev="level")
    assert shorter == pytest.approx(slow.interval(k, m, n, level, alternative, 1 - level), abs=1e-14)


@pytest.mark.parametrize(("m", "n"), [(60, 1000), (3, 200), (25, 31)])
@pytest.mark.parametrize("reach", [0.5, 3.0, 10.0])
def test_counts_left_out_by_their_bounds_do_not_matter(m, n, reach):
    counts = np.arange(m + n + 1.0)
    mean, variance = moments_of(counts.astype(int), m, n)
    distance = reach * np.sqrt(variance)
    low, high = module._envelope(counts, m, n, reach)
    assert (low <= mean - distance + 1e-14).all()
    assert (high >= mean + distance - 1e-14).all()
    result = module._cover((0, m + n), m, n, reach)
    assert result == pytest.approx(((mean - distance).min(), (mean + distance).max()), abs=1e-14)


def test_the_lower_end_can_rise_with_the_errors():
    # Why all counts of the range are tried: here its last count does not give the lower end.
    mean, variance = moments_of(range(1061), 60, 1000)
    low = np.maximum(0, mean - 10 * np.sqrt(variance))
    assert (np.diff(low) > 0).any()


@given(case=errors(), level=st.floats(0.01, 0.999))
def test_interval_holds_its_mean_and_mirrors(case, level):
    k, m, n = case
    low, high = cortes_mohri_interval(k, m, n, level)
    assert 0 <= low <= moments_of(k, m, n)[0] <= high <= 1
    assert cortes_mohri_interval(k, n, m, level) == (low, high)
    assert cortes_mohri_interval(m + n - k, m, n, level) == pytest.approx((1 - high, 1 - low), abs=1e-13)


@given(case=errors(), level=st.floats(0.3, 0.95))
def test_more_confidence_is_wider_and_one_side_leaves_the_other_open(case, level):
    low, high = cortes_mohri_interval(*case, level)
    wide = cortes_mohri_interval(*case, level + 0.04)
    assert wide[0] <= low <= high <= wide[1]
    assert cortes_mohri_interval(*case, level, "greater")[1] == 1
    assert cortes_mohri_interval(*case, level, "less")[0] == 0
    narrow = cortes_mohri_interval(*case, level, chebyshev="level")
    assert low <= narrow[0] <= narrow[1] <= high


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 4), (200, 100), (500_000, 500_000)])
def test_interval_at_no_errors_and_at_errors_only(m, n):
    low, high = cortes_mohri_interval(0, m, n)
    assert 0 <= low < 1 == high
    assert cortes_mohri_interval(m + n, m, n) == (0, pytest.approx(1 - low, abs=1e-15))
    assert cortes_mohri_interval(0, m, n, 0.95, "less") == (0, 1)
    assert cortes_mohri_interval(m + n, m, n, 0.95, "greater") == (0, 1)


@pytest.mark.parametrize("alternative", SIDES)
@pytest.mark.parametrize("level", [1e-300, 1e-9, math.nextafter(1, 0)])
def test_interval_at_the_ends_of_the_level(level, alternative):
    for k in (0, 1, 60, 119, 120):
        low, high = cortes_mohri_interval(k, 40, 80, level, alternative)
        assert 0 <= low <= high <= 1
    assert cortes_mohri_interval(60, 40, 80, math.nextafter(1, 0)) == (0, 1)


def test_interval_of_a_million_cases():
    low, high = cortes_mohri_interval(150_000, 500_000, 500_000)
    share = 1 - math.sqrt(0.95)
    reach = math.floor(NormalDist().inv_cdf(1 - share / 2) * 500)
    (least, below), (most, above) = (
        slow.long_mixture(150_000 + e, 500_000, 500_000) for e in (reach, -reach)
    )
    assert low == pytest.approx(least - math.sqrt(below / share), rel=1e-11)
    assert high == pytest.approx(most + math.sqrt(above / share), rel=1e-11)


def test_interval_misses_normal_scores_whose_rankings_are_not_equally_likely():
    # Normal classes one standard deviation apart: area Phi(1 / sqrt 2), 30.9 % errors at the best threshold.
    area, error = NormalDist().cdf(1 / math.sqrt(2)), NormalDist().cdf(-1 / 2)
    low, high = cortes_mohri_interval(round(4000 * error), 2000, 2000)
    assert low < 1 - error < high < area


# ---- Agarwal ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "sides"), [("two-sided", 2), ("less", 1), ("greater", 1)])
def test_agarwal_solves_the_inequality(side, sides):
    low, high = agarwal_interval(0.5, 300, 700, 0.9, side)
    reach = max(0.5 - low if low > 0 else 0, high - 0.5 if high < 1 else 0)
    share = 300 / 1000
    assert sides * math.exp(-2 * share * (1 - share) * 1000 * reach**2) == pytest.approx(0.1)
    assert (low == 0) == (side == "less")
    assert (high == 1) == (side == "greater")


@given(area=st.floats(0, 1), m=COUNTS, n=COUNTS, level=st.floats(0.01, 0.99))
def test_agarwal_mirrors_and_narrows_with_the_sample(area, m, n, level):
    low, high = agarwal_interval(area, m, n, level)
    assert 0 <= low <= area <= high <= 1
    assert agarwal_interval(area, n, m, level) == pytest.approx((low, high), abs=1e-14)
    assert agarwal_interval(1 - area, m, n, level) == pytest.approx((1 - high, 1 - low), abs=1e-14)
    inner = agarwal_interval(area, m + 1, n, level)
    assert low <= inner[0] <= inner[1] <= high


@pytest.mark.parametrize("alternative", SIDES)
def test_agarwal_at_an_area_of_0_and_1(alternative):
    reach = math.sqrt(2 * math.log((2 if alternative == "two-sided" else 1) / 0.05) / 2000)
    low, high = agarwal_interval(1, 1000, 1000, 0.95, alternative)
    assert (low, high) == (0 if alternative == "less" else pytest.approx(1 - reach), 1)
    low, high = agarwal_interval(0, 1000, 1000, 0.95, alternative)
    assert (low, high) == (0, 1 if alternative == "greater" else pytest.approx(reach))


def test_agarwal_says_nothing_about_one_case_each():
    assert agarwal_interval(1, 1, 1) == (0, 1)
