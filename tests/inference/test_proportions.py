import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_cases import load_reference
from rocscope import RocInputError
from rocscope.inference.proportions import (
    INTERVALS,
    IntervalKind,
    exact_interval,
    modified_wilson_interval,
    wilson_interval,
)
from slow import proportions

REFERENCE = load_reference("points")
ALTERNATIVES = ("two-sided", "less", "greater")
# Newcombe 1998, table II, method 10: x1/n1 - x2/n2 with the 95% interval, four digits.
NEWCOMBE = [
    (56, 70, 48, 80, 0.0524, 0.3339),
    (9, 10, 3, 10, 0.1705, 0.8090),
    (6, 7, 2, 7, 0.0582, 0.8062),
    (5, 56, 0, 29, -0.0381, 0.1926),
    (0, 10, 0, 20, -0.1611, 0.2775),
    (0, 10, 0, 10, -0.2775, 0.2775),
    (10, 10, 0, 20, 0.6791, 1.0000),
    (10, 10, 0, 10, 0.6075, 1.0000),
]


@st.composite
def counted(draw, max_n=40):
    n = draw(st.integers(1, max_n))
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize("case", REFERENCE["proportions"], ids=lambda c: f"{c['count']:g}/{c['n']:g}")
@pytest.mark.parametrize("method", ["wilson", "exact"])
def test_agrees_with_r(case, method):
    formula = {"wilson": wilson_interval, "exact": exact_interval}[method]
    ends = formula(int(case["count"]), int(case["n"]), level=case["level"], alternative=case["alternative"])
    assert ends == pytest.approx(case[method], rel=REFERENCE["tolerance"], abs=1e-15)


@given(counted(), st.sampled_from([0.5, 0.8, 0.95, 0.999]), st.sampled_from(ALTERNATIVES))
def test_agrees_with_trying_every_proportion(pair, level, alternative):
    k, n = pair
    if level == 0.5 and alternative != "two-sided":
        level = 0.51  # at 0.5 the bound is the share itself, where the search has no room
    for name, formula in INTERVALS.items():
        twin = proportions.BY_NAME[name]
        ends = formula(k, n, level=level, alternative=alternative)
        assert ends == pytest.approx(twin(k, n, level, alternative), abs=1e-9)


def test_the_modified_ends_worked_by_hand():
    """Half of the 5 % quantiles of chi-square with 2, 4 and 6 degrees of freedom: 0.1026, 0.7107, 1.6354."""
    for k, n, chi2 in ((1, 20, 0.10259), (2, 50, 0.71072), (3, 51, 1.63538)):
        assert modified_wilson_interval(k, n)[0] == pytest.approx(chi2 / 2 / n, rel=1e-4)
        assert modified_wilson_interval(n - k, n)[1] == pytest.approx(1 - chi2 / 2 / n, rel=1e-4)
        assert modified_wilson_interval(k, n)[1] == pytest.approx(wilson_interval(k, n)[1], rel=1e-14)
    for k, n in ((0, 20), (3, 50), (4, 51), (10, 20)):
        assert modified_wilson_interval(k, n) == pytest.approx(wilson_interval(k, n), rel=1e-14)


def test_arrays_give_the_same_as_numbers():
    counts, sizes = np.array([0, 3, 7]), np.array([5, 5, 7])
    for formula in INTERVALS.values():
        low, high = formula(counts, sizes)
        assert list(zip(low, high, strict=True)) == [
            formula(k, n) for k, n in zip(counts, sizes, strict=True)
        ]


@pytest.mark.parametrize("formula", INTERVALS.values())
def test_a_class_change_turns_the_interval(formula):
    low, high = formula(3, 29)
    assert formula(26, 29) == pytest.approx((1 - high, 1 - low), abs=1e-15)


@pytest.mark.parametrize("formula", [wilson_interval, exact_interval])
def test_keeps_digits_for_rare_events(formula):
    low, high = formula(1, 10**9)
    assert low * 10**9 == pytest.approx({wilson_interval: 0.1765, exact_interval: 0.02532}[formula], rel=1e-3)
    assert 0 < low < 1e-9 < high


@pytest.mark.parametrize(("interval", "least"), [("wilson", 0.94), ("exact", 0.95)])
def test_covers(interval, least):
    """Probability that the interval holds the proportion, summed over all outcomes of 30 trials."""
    n, result = 30, []
    low, high = IntervalKind(interval=interval).ends(np.arange(n + 1), n)
    for p in np.linspace(0.02, 0.98, 97):
        pmf = np.array([math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)])
        result.append(pmf[(low <= p) & (p <= high)].sum())
    assert np.mean(result) >= least
    if interval == "exact":
        assert min(result) >= 0.95


# ---- Weighted sums ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "m", "b", "n", "low", "high"), NEWCOMBE)
def test_agrees_with_newcombe(a, m, b, n, low, high):
    result = IntervalKind().weighted_sum("difference", [1, -1], [a, b], [m, n], same_cases=False)
    assert result.value == a / m - b / n
    assert (result.low, result.high) == pytest.approx((low, high), abs=5.01e-5)


@given(
    st.lists(st.tuples(st.sampled_from([-2.0, -1.0, 0.0, 0.5, 3.0]), counted()), min_size=1, max_size=4),
    st.sampled_from(["wilson", "exact"]),
    st.sampled_from(ALTERNATIVES),
)
def test_independent_sums_agree_with_the_slow_twin(terms, interval, alternative):
    kind = IntervalKind(interval=interval, level=0.9, alternative=alternative)
    weights, counts, sizes = [w for w, _ in terms], [k for _, (k, _) in terms], [n for _, (_, n) in terms]
    result = kind.weighted_sum("sum", weights, counts, sizes, same_cases=False)
    twin = getattr(proportions, interval)
    low, high = proportions.squared_and_added(
        list(zip(weights, counts, sizes, strict=True)), twin, level=0.9, alternative=alternative
    )
    least, most = sum(min(w, 0) for w in weights), sum(max(w, 0) for w in weights)
    assert result.low == pytest.approx(least if alternative == "less" else low, abs=1e-6)
    assert result.high == pytest.approx(most if alternative == "greater" else high, abs=1e-6)
    assert least - 1e-12 <= result.low <= result.value + 1e-12
    assert result.value - 1e-12 <= result.high <= most + 1e-12


@given(
    st.lists(
        st.tuples(st.sampled_from([-2.0, -1.0, 0.5, 3.0]), st.integers(0, 9)), min_size=2, max_size=4
    ).filter(lambda terms: sum(k for _, k in terms) > 0),
    st.integers(0, 9),
)
def test_sums_over_the_same_cases_agree_with_the_slow_twin(terms, rest):
    n = sum(k for _, k in terms) + rest
    weights, counts = [w for w, _ in terms], [k for _, k in terms]
    result = IntervalKind().weighted_sum("sum", weights, counts, n, same_cases=True)
    triples = [(w, k, n) for w, k in terms]
    twin = proportions.squared_and_added(triples, proportions.wilson, same_cases=True)
    assert (result.low, result.high) == pytest.approx(twin, abs=1e-6)
    cases = np.repeat([*weights, 0.0], [*counts, rest])
    assert result.value == pytest.approx(cases.mean(), abs=1e-12)
    assert result.se == pytest.approx(cases.std() / math.sqrt(n), abs=1e-9)


def test_a_sum_of_independent_shares_has_the_standard_error_of_the_delta_method():
    result = IntervalKind().weighted_sum("sum", [2, -1], [3, 5], [10, 20], same_cases=False, constant=1.0)
    assert result.value == pytest.approx(1 + 2 * 0.3 - 0.25)
    assert result.se == pytest.approx(math.sqrt(4 * 0.3 * 0.7 / 10 + 0.25 * 0.75 / 20))
    assert result.method == "mover-wilson"


def test_sums_of_many_points_agree_with_one_at_a_time():
    kind, weights = IntervalKind(interval="exact"), np.array([[1.0, 1.0], [-0.5, -2.0]])
    counts = np.array([[4, 7], [3, 0]])
    low, high = kind.sum_ends(weights, counts, 20, same_cases=True)
    for i in range(2):
        one = kind.weighted_sum("sum", weights[:, i], counts[:, i], 20, same_cases=True)
        assert (low[i], high[i]) == pytest.approx((one.low, one.high), abs=1e-15)


# ---- What is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "n", "came"), [(-1, 3, "-1 of 3"), (4, 3, "4 of 3"), (0, 0, "0 of 0"), (1.5, 3, "1.5 of 3")]
)
def test_impossible_counts_are_refused(count, n, came):
    with pytest.raises(RocInputError) as error:
        wilson_interval(count, n)
    assert str(error.value) == f"count must hold whole numbers from 0 to n, n at least 1, got {came}"


def test_unknown_intervals_are_refused():
    allowed = "'wilson', 'exact', 'modified-wilson'"
    with pytest.raises(RocInputError, match=f"interval must be one of {allowed}, got 'wald'"):
        IntervalKind(interval="wald")
    with pytest.raises(RocInputError, match="level must lie between 0 and 1, got 95"):
        IntervalKind(level=95)
