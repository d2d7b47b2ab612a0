import math
from statistics import NormalDist

import numpy as np
import pytest
from scipy import integrate, stats

from rocscope.core import significance

NORMAL = NormalDist()


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.999])
def test_quantiles_of_the_normal(level):
    assert significance.quantile(level) == pytest.approx(NORMAL.inv_cdf((1 + level) / 2), rel=1e-12)
    for side in ("less", "greater"):
        assert significance.quantile(level, alternative=side) == pytest.approx(
            NORMAL.inv_cdf(level), abs=1e-12
        )


@pytest.mark.parametrize("df", [1, 2.5, 30, 1000])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_quantiles_of_students_t_leave_out_the_right_share(df, level):
    """The density of t is integrated here, so that no inverse is checked against itself."""
    reach = significance.quantile(level, df=df)
    constant = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    inside, _ = integrate.quad(lambda t: constant * (1 + t * t / df) ** (-(df + 1) / 2), -reach, reach)
    assert inside == pytest.approx(level, abs=1e-9)


@pytest.mark.parametrize("statistic", [-40.0, -2.2, -0.1, 0.0, 0.3, 5.0])
def test_p_values_of_the_normal(statistic):
    upper = 0.5 * math.erfc(statistic / math.sqrt(2))
    lower = 0.5 * math.erfc(-statistic / math.sqrt(2))
    assert significance.p_value(statistic, alternative="greater") == pytest.approx(upper, rel=1e-12)
    assert significance.p_value(statistic, alternative="less") == pytest.approx(lower, rel=1e-12)
    assert significance.p_value(statistic) == pytest.approx(2 * min(upper, lower), rel=1e-12)
    assert significance.p_value(statistic) <= 1


def test_p_values_of_students_t():
    for df in (1, 7.3, 100):
        for statistic in (-3.0, 0.0, 1.5):
            both = significance.p_value(statistic, df=df)
            assert both == pytest.approx(2 * stats.t.sf(abs(statistic), df), rel=1e-10)
            sides = significance.p_value(statistic, alternative="less", df=df) + significance.p_value(
                statistic, alternative="greater", df=df
            )
            assert sides == pytest.approx(1, abs=1e-14)


def test_p_values_of_arrays():
    found = significance.p_value(np.array([[-1.0, 0.0], [1.0, np.nan]]))
    assert found.shape == (2, 2)
    assert found[0, 1] == 1
    assert np.isnan(found[1, 1])
    assert isinstance(significance.p_value(1.0), float)


@pytest.mark.parametrize(
    ("alternative", "ends"),
    [
        ("two-sided", (0.8 - 0.0979982, 0.8 + 0.0979982)),
        ("greater", (0.8 - 0.0822427, 1.0)),
        ("less", (0.0, 0.8822427)),
    ],
)
def test_intervals(alternative, ends):
    found = significance.interval(0.8, 0.05, level=0.95, alternative=alternative, bounds=(0.0, 1.0))
    assert found == pytest.approx(ends, abs=1e-6)


def test_intervals_are_cut_at_the_bounds():
    assert significance.interval(0.99, 0.05, level=0.95, bounds=(0.0, 1.0))[1] == 1.0
    assert significance.interval(0.01, 0.05, level=0.95, bounds=(0.0, 1.0))[0] == 0.0
    assert significance.interval(0.5, 0.0, level=0.95) == (0.5, 0.5)


@pytest.mark.parametrize("df", [None, 1, 7])
def test_the_level_nearest_to_1_has_a_finite_quantile(df):
    level = 1 - 2**-53
    law = stats.norm if df is None else stats.t(df)
    assert significance.quantile(level, df=df) == pytest.approx(law.isf(2**-54), rel=1e-9)
    assert significance.quantile(level, alternative="less", df=df) == pytest.approx(law.isf(2**-53), rel=1e-9)
    assert significance.interval(0.5, 0.0, level=level, df=df) == (0.5, 0.5)


@pytest.mark.parametrize("level", [0.5, 0.1, 1e-12])
def test_one_sided_bounds_do_not_pass_the_estimate(level):
    assert significance.interval(0.5, 0.1, level=level, alternative="greater") == (0.5, math.inf)
    assert significance.interval(0.5, 0.1, level=level, alternative="less") == (-math.inf, 0.5)
