import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rocscope import ScoreTable, auc
from rocscope.core.table import exact_dot
from rocscope.inference.variance import bamber_variance, hanley_mcneil_variance, score_interval
from slow import pairs, samples, variance
from slow.variance import max_variance

# Hanley and McNeil 1982, table I: ratings 1 to 5 of 51 abnormal and 58 normal images.
ABNORMAL, NORMAL = (3, 2, 2, 11, 33), (33, 6, 6, 11, 2)

LAWS = [
    ({0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: Fraction(2, 3), 1: Fraction(1, 3)}),  # many ties
    ({1: Fraction(1, 5), 3: Fraction(4, 5)}, {0: Fraction(3, 4), 2: Fraction(1, 4)}),  # none between classes
    ({0: Fraction(1, 6), 1: Fraction(1, 2), 2: Fraction(1, 3)}, {0: Fraction(2, 5), 2: Fraction(3, 5)}),
    (
        {1: Fraction(1)},
        {0: Fraction(1, 2), 2: Fraction(1, 2)},
    ),  # one positive value between two negative ones
]
SIZES = [(2, 2), (2, 4), (3, 2), (3, 3)]


def table_of(pos, neg):
    return ScoreTable.from_sorted(np.sort(np.array(pos, float)), np.sort(np.array(neg, float)))


def of_table(table):
    return bamber_variance(table.sums(), tied_pairs=exact_dot(table.pos, table.neg))


def bamber(pos, neg):
    return Fraction(of_table(table_of(pos, neg)))


# ---- Bamber -----------------------------------------------------------------------------------------------


@given(data=samples.labelled(min_each=2, max_size=12))
def test_bamber_agrees_with_pairs_of_different_cases(data):
    pos, neg = pairs.split(*data)
    exact = variance.unbiased(pos, neg)
    assert bamber(pos, neg) == pytest.approx(exact, rel=1e-15, abs=0)


@given(data=samples.labelled(min_each=2, max_size=12))
def test_bamber_is_the_squared_area_less_that_of_disjoint_pairs(data):
    pos, neg = pairs.split(*data)
    assert variance.unbiased(pos, neg) == pairs.area(pos, neg) ** 2 - variance.disjoint(pos, neg)


@given(data=samples.labelled(min_each=2, max_size=12))
def test_bamber_is_the_plug_in_with_a_smaller_divisor(data):
    pos, neg = pairs.split(*data)
    m, n = len(pos), len(neg)
    assert variance.unbiased(pos, neg) * (m - 1) * (n - 1) == variance.plug_in(pos, neg) * m * n


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("laws", LAWS)
def test_bamber_is_unbiased_over_all_samples(laws, m, n):
    expected = variance.expectation(bamber, *laws, m, n)
    assert float(expected) == pytest.approx(float(variance.true_variance(*laws, m, n)), rel=1e-14)


@pytest.mark.parametrize("laws", LAWS[:3])
def test_plug_in_and_delong_are_biased_over_all_samples(laws):
    true = variance.true_variance(*laws, 3, 3)
    assert variance.expectation(variance.plug_in, *laws, 3, 3) == true * Fraction(4, 9)

    def delong(pos, neg):
        return pairs.delong_variance([1] * 3 + [0] * 3, [*pos, *neg])

    excess = variance.expectation(variance.unexplained, *laws, 3, 3) / 36
    assert variance.expectation(delong, *laws, 3, 3) == true + excess
    assert (excess == 0) == (len(laws[0].keys() | laws[1].keys()) == 2)


@given(data=samples.labelled(min_each=2, max_size=12))
def test_delong_exceeds_bamber_by_what_neither_class_explains(data):
    y, scores = data
    pos, neg = pairs.split(y, scores)
    m, n = len(pos), len(neg)
    excess = variance.unexplained(pos, neg) / (m * n * (m - 1) * (n - 1))
    assert pairs.delong_variance(y, scores) == variance.unbiased(pos, neg) + excess


@given(data=samples.labelled(min_each=2, max_size=12))
def test_bamber_is_zero_only_where_all_comparisons_agree(data):
    pos, neg = pairs.split(*data)
    agree = len({pairs.kernel(x, y) for x in pos for y in neg}) == 1
    assert (bamber(pos, neg) == 0) == agree
    assert bamber(pos, neg) >= 0


@given(data=samples.labelled(min_each=2))
def test_bamber_does_not_change_with_the_classes_or_the_direction(data):
    pos, neg = pairs.split(*data)
    turned = ([-y for y in neg], [-x for x in pos])
    assert bamber(pos, neg) == bamber(neg, pos) == bamber(*turned)


def test_tied_pairs_are_needed_beside_the_placement_sums():
    first = ScoreTable.from_counts([4, 3, 2, 1], pos=[0, 1, 2, 1], neg=[1, 3, 0, 1])
    second = ScoreTable.from_counts([4, 3, 2, 1], pos=[0, 2, 0, 2], neg=[3, 0, 1, 1])
    assert first.sums() == second.sums()  # 4 tied pairs in the first, 2 in the second
    assert of_table(first) != of_table(second)


def test_bamber_stays_exact_where_doubles_would_not():
    big = 10**7
    table = ScoreTable.from_counts([3, 2, 1], pos=[big, 1, 0], neg=[0, 1, big])
    m = n = big + 1
    sums = table.sums()
    numerator = m * n * (sums.squares_pos + sums.squares_neg - 2 * sums.twice_u + 1)
    exact = Fraction(numerator - (m + n - 1) * sums.twice_u**2, 4 * m**2 * n**2 * (m - 1) * (n - 1))
    assert of_table(table) == float(exact) > 0


def test_hanley_and_mcneils_ratings():
    pos = [r for r, count in enumerate(ABNORMAL) for _ in range(count)]
    neg = [r for r, count in enumerate(NORMAL) for _ in range(count)]
    table = table_of(pos, neg)
    assert table.auc == pytest.approx(0.893171, abs=5e-7)
    # Their text prints 0.032 for both of their ways; figures here are from the formulas in fractions.
    assert math.sqrt(hanley_mcneil_variance(table.auc, 51, 58)) == pytest.approx(0.032487, abs=5e-7)
    assert math.sqrt(variance.hanley_mcneil_ratings(ABNORMAL, NORMAL)) == pytest.approx(0.031990, abs=5e-7)
    assert math.sqrt(of_table(table)) == pytest.approx(0.030611, abs=5e-7)
    assert math.sqrt(table.sums().delong_variance()) == pytest.approx(0.030724, abs=5e-7)


def test_bamber_needs_two_cases_in_each_class():
    one = auc([1, 0, 0], [1, 0, 2], method="bamber")
    assert (one.value, one.se, one.status) == (0.5, None, "partial")
    assert one.reason == "the variance needs two cases in each class, the positive class has one"


# ---- Hanley and McNeil, and the largest variance ----------------------------------------------------------

AREAS = st.fractions(0, 1)
COUNTS = st.integers(1, 500)


@given(area=AREAS, m=COUNTS, n=COUNTS)
def test_hanley_mcneil_agrees_with_the_printed_formula(area, m, n):
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    exact = (area * (1 - area) + (m - 1) * (q1 - area**2) + (n - 1) * (q2 - area**2)) / (m * n)
    assert hanley_mcneil_variance(float(area), m, n) == pytest.approx(float(exact), rel=1e-9)


@given(area=st.integers(0, 64).map(lambda k: k / 64), m=COUNTS, n=COUNTS)
def test_exchanged_classes_have_the_same_variance(area, m, n):
    assert hanley_mcneil_variance(1 - area, n, m) == pytest.approx(
        hanley_mcneil_variance(area, m, n), rel=1e-14
    )
    assert max_variance(1 - area, n, m) == max_variance(area, m, n)


@given(area=AREAS.map(float), m=COUNTS, n=COUNTS)
def test_hanley_mcneil_lies_below_the_largest_and_falls_with_the_sample(area, m, n):
    model = hanley_mcneil_variance(area, m, n)
    assert 0 <= model <= max_variance(area, m, n) * (1 + 1e-14)
    assert hanley_mcneil_variance(area, m + 1, n) <= model
    assert hanley_mcneil_variance(area, m, n + 1) <= model


@pytest.mark.parametrize("area", [0, 1])
def test_no_variance_at_the_ends(area):
    assert hanley_mcneil_variance(area, 7, 9) == 0
    assert max_variance(area, 7, 9) == 0


@pytest.mark.parametrize(("m", "n"), SIZES)
@pytest.mark.parametrize("laws", LAWS)
def test_no_law_exceeds_the_largest_variance(laws, m, n):
    true = variance.true_variance(*laws, m, n)
    area = variance.expectation(pairs.area, *laws, 1, 1)
    assert float(true) <= max_variance(float(area), m, n) * (1 + 1e-14)


def test_the_largest_variance_is_reached():
    one_between_two = ({0: Fraction(1, 4), 2: Fraction(3, 4)}, {1: Fraction(1)})
    assert float(variance.true_variance(*one_between_two, 2, 3)) == max_variance(0.75, 2, 3)


# ---- The score interval -----------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_score_interval_holds_what_the_test_does_not_reject(alternative):
    rng = np.random.default_rng(4)
    for _ in range(200):
        m, n = rng.integers(2, 60, 2).tolist()
        area, level = float(rng.integers(1, m * n)) / (m * n), float(rng.uniform(0.6, 0.99))
        estimated = float(variance.score_variance(area, m, n) * rng.uniform(0.05, 3))
        low, high = score_interval(area, estimated, m, n, level=level, alternative=alternative)
        critical = stats.norm.ppf(level if alternative != "two-sided" else (1 + level) / 2)
        factor = variance.score_factor(area, estimated, m, n)
        for true in np.linspace(0.0005, 0.9995, 101):
            distance = abs(area - true) - critical * math.sqrt(factor * variance.score_variance(true, m, n))
            if abs(distance) < 1e-9:
                continue
            on_the_open_side = (alternative == "less" and true < area) or (
                alternative == "greater" and true > area
            )
            assert (low <= true <= high) == (distance < 0 or on_the_open_side)


def test_the_score_interval_at_one_half_is_the_test_of_mann_and_whitney():
    rng = np.random.default_rng(6)
    for m, n in [(5, 9), (12, 12), (30, 7)]:
        pos, neg = rng.normal(size=m) + 0.8, rng.normal(size=n)
        test = stats.mannwhitneyu(pos, neg, method="asymptotic", use_continuity=False)
        area = test.statistic / (m * n)
        low, high = score_interval(area, None, m, n, level=1 - test.pvalue, alternative="two-sided")
        assert min(abs(low - 0.5), abs(high - 0.5)) < 1e-12


@pytest.mark.parametrize("classes", [(1, 1), (1, 8), (9, 4), (200, 3)])
def test_the_score_interval_of_separated_classes(classes):
    m, n = classes
    low, high = score_interval(1.0, 0.0, m, n, level=0.95, alternative="two-sided")
    assert high == 1
    assert 1 - low == pytest.approx(stats.norm.ppf(0.975) * math.sqrt(variance.score_variance(low, m, n)))
    mirrored = score_interval(0.0, 0.0, n, m, level=0.95, alternative="two-sided")
    assert mirrored == pytest.approx((0.0, 1 - low))
    bound, _ = score_interval(1.0, None, m, n, level=0.95, alternative="greater")
    assert low < bound < 1
    assert score_interval(1.0, None, m, n, level=0.95, alternative="less") == (0.0, 1.0)


def test_the_score_interval_is_that_of_delong_in_large_samples():
    rng = np.random.default_rng(2)
    y = rng.random(100_000) < 0.4
    s = rng.normal(size=y.size) + 1.2 * y
    score, delong = auc(y, s, method="score"), auc(y, s, method="delong")
    assert score.se == delong.se
    assert score.low == pytest.approx(delong.low, abs=2e-5)
    assert score.high == pytest.approx(delong.high, abs=2e-5)


@pytest.mark.parametrize("scores", [[1, 2, 3], [2, 1, 3], [3, 1, 2]])
def test_a_score_interval_needs_no_second_case(scores):
    one = auc([0, 0, 1], scores, method="score")
    assert one.se is None
    assert one.status == "ok"
    assert 0 <= one.low <= one.value <= one.high <= 1
    assert one.high - one.low > 0.6
