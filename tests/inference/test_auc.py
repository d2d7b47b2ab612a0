import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope import RocInputError, ScoreTable, auc
from rocscope.inference.auc import AreaEstimate, auc_from_sums
from rocscope.inference.variance import score_interval
from slow import designs, pairs, samples

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
Z = 1.959963984540054  # the normal quantile of 0.975
METHODS = ("delong", "logit")
SIDES = ("less", "greater")
BELOW = "the area is below 0.5: the scores rank the negative class higher (see direction lower)"
SEPARATED = "the classes are separated: the interval is the exact bound for an area of "


@given(data=samples.labelled(min_each=2), method=st.sampled_from(METHODS))
def test_value_and_standard_error_are_exact(path, data, method):
    y, scores = data
    result = auc(y, scores, method=method)
    variance = float(pairs.delong_variance(y, scores))
    assert result.value == float(pairs.area(*pairs.split(y, scores)))
    assert result.se == pytest.approx(math.sqrt(variance), rel=1e-15)
    assert result.method == method
    assert result.status == ("ok" if result.low is not None else "partial")
    if result.low is not None:
        assert 0 <= result.low <= result.value <= result.high <= 1
    json.dumps(result.to_dict(), allow_nan=False)


@given(data=samples.labelled(elements=samples.BIG_INTEGERS, min_each=2))
def test_long_integers(path, data):
    y, scores = data
    assert auc(y, scores).value == float(pairs.area(*pairs.split(y, scores)))


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_intervals_by_hand(level):
    y, s = [0] * 5 + [1] * 5, [1, 2, 3, 4, 6, 3, 5, 7, 8, 9]
    area, variance = pairs.area(*pairs.split(y, s)), pairs.delong_variance(y, s)
    z = {0.5: 0.6744897501960817, 0.9: 1.6448536269514722, 0.95: Z}[level]
    se = math.sqrt(variance)
    wald = auc(y, s, level=level, method="delong")
    assert (wald.low, wald.high) == pytest.approx((area - z * se, min(1, area + z * se)), abs=1e-12)
    logit = auc(y, s, level=level, method="logit")
    centre, reach = math.log(area / (1 - area)), z * se / (area * (1 - area))
    ends = [1 / (1 + math.exp(-x)) for x in (centre - reach, centre + reach)]
    assert (logit.low, logit.high) == pytest.approx(ends, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_one_sided_bounds_are_those_of_wider_levels(method):
    y, s = [0] * 5 + [1] * 5, [1, 2, 3, 4, 6, 3, 5, 7, 8, 9]
    both = auc(y, s, level=0.9, method=method)
    lower, upper = (auc(y, s, level=0.95, method=method, alternative=a) for a in ("greater", "less"))
    assert (lower.low, lower.high) == pytest.approx((both.low, 1.0), abs=1e-12)
    assert (upper.low, upper.high) == pytest.approx((0.0, both.high), abs=1e-12)
    assert (lower.alternative, upper.alternative) == ("greater", "less")


# ---- Ends and edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sizes", [(2, 2), (5, 3), (4, 40)])
def test_separated_classes_get_the_exact_bound(path, method, sizes):
    y = np.repeat([1, 0], sizes)
    smaller = min(sizes)
    for level in (0.9, 0.95):
        best, worst = auc(y, y, method=method, level=level), auc(y, 1 - y, method=method, level=level)
        bound = ((1 - level) / 2) ** (1 / smaller)
        assert (best.value, best.se, best.low, best.high) == (1.0, 0.0, pytest.approx(bound), 1.0)
        assert (worst.value, worst.low, worst.high) == (0.0, 0.0, pytest.approx(1 - bound))
        assert best.warnings == (SEPARATED + "1",)
        assert worst.warnings == (BELOW, SEPARATED + "0")
        assert best.status == worst.status == "ok"


def test_one_sided_exact_bounds(path):
    y = [1, 1, 1, 0, 0, 0]
    ends = {a: (e.low, e.high) for a in SIDES for e in [auc(y, y, alternative=a, method="delong")]}
    assert ends["less"] == (0.0, 1.0)
    assert ends["greater"] == (pytest.approx(0.05 ** (1 / 3)), 1.0)
    reverse = {a: auc(y, [-v for v in y], alternative=a, method="delong") for a in SIDES}
    assert (reverse["less"].low, reverse["less"].high) == (0.0, pytest.approx(1 - 0.05 ** (1 / 3)))
    assert (reverse["greater"].low, reverse["greater"].high) == (0.0, 1.0)


@pytest.mark.parametrize("sizes", [(3, 3), (10, 4)])
def test_the_exact_bound_covers(sizes):
    """At the bound the chance of an area of 1 is at most alpha / 2, whatever the distributions."""
    m, n = sizes
    y = np.repeat([1, 0], sizes)
    bound = Fraction(auc(y, y, method="logit").low)
    # The worst case: one class constant, so min(m, n) independent pairs decide.
    assert bound ** min(m, n) == pytest.approx(0.025)


@pytest.mark.parametrize(
    ("y", "which"), [([1, 0, 0, 0], "positive"), ([0, 1, 1, 1], "negative"), ([0, 1], "positive")]
)
def test_one_case_in_a_class(path, y, which):
    result = auc(y, range(len(y)), method="delong")
    assert result.value is not None
    assert (result.se, result.low, result.high) == (None, None, None)
    assert result.status == "partial"
    assert result.reason == f"the variance needs two cases in each class, the {which} class has one"
    assert result.summary().endswith(f"(no interval: {result.reason})")


@pytest.mark.parametrize("method", METHODS)
def test_constant_scores(path, method):
    result = auc(Y, [3, 3, 3, 3], method=method)
    assert (result.value, result.se, result.low, result.high) == (0.5, 0.0, None, None)
    assert result.status == "partial"
    assert result.reason == "all scores are equal, so their variance is 0 and gives no interval"


def test_an_area_below_half_is_reported_as_it_is(path):
    result = auc(Y, [-s for s in S])
    assert result.value == 0.25
    assert result.warnings == (BELOW,)
    assert result.status == "ok"


def test_infinite_scores_are_extreme_ranks(path):
    result = auc(Y, [-math.inf, 0.4, 0.35, math.inf])
    assert result == AreaEstimate(
        **{
            **dict(auc(Y, S)),
            "warnings": ("infinite scores were ranked above or below all others",),
        }
    )


@pytest.mark.parametrize("size", [46_341, 2**31, 2**40])
def test_counts_beyond_any_machine_integer(size):
    pos, neg = [size, 3, size - 7], [5, size + 1, size]
    result = auc_from_sums(ScoreTable.from_counts([3, 2, 1], pos=pos, neg=neg).sums())
    assert result.value == float(pairs.table_area(pos, neg))
    assert 0 < result.se < 1 / math.sqrt(size)
    assert result.se == pytest.approx(_table_se(pos, neg), rel=1e-14)


def _table_se(pos, neg):
    """DeLong's standard error of a table, in fractions over its rows."""
    m, n = sum(pos), sum(neg)
    of_pos = [Fraction(2 * sum(neg[k + 1 :]) + neg[k], 2 * n) for k in range(len(pos))]
    of_neg = [Fraction(2 * sum(pos[:k]) + pos[k], 2 * m) for k in range(len(neg))]
    area = pairs.table_area(pos, neg)
    variance = sum(p * (v - area) ** 2 for p, v in zip(pos, of_pos, strict=True)) / (m * (m - 1))
    variance += sum(c * (v - area) ** 2 for c, v in zip(neg, of_neg, strict=True)) / (n * (n - 1))
    return math.sqrt(variance)


def test_a_count_table_stands_alone():
    table = ScoreTable.from_counts([3, 2, 1], pos=[3, 2, 1], neg=[1, 2, 3])
    assert auc(table) == auc_from_sums(table.sums())
    for more in ({"y_score": [1, 2, 3]}, {"pos_label": "ill"}):
        with pytest.raises(RocInputError):
            auc(table, **more)


def test_a_thinned_table_is_refused_or_leaves_a_warning():
    thin = ScoreTable.from_counts(range(100), pos=[1] * 100, neg=[2] * 100).thin(5)
    try:
        result = auc(thin)
    except RocInputError:
        return
    assert any("thin" in text for text in result.warnings)


# ---- Arguments --------------------------------------------------------------------------------------------

ERRORS = [
    ({"level": 95}, "level must lie between 0 and 1, got 95"),
    ({"level": "0.95"}, "level must be a number, got '0.95'"),
    (
        {"alternative": "two.sided"},
        "alternative must be one of 'two-sided', 'less', 'greater', got 'two.sided'; "
        "did you mean 'two-sided'?",
    ),
    ({"pos_label": 2}, "pos_label must be one of the labels in y_true (2: 0, 1), got 2"),
    ({"y_true": [1, 1, 1, 1]}, "y_true must hold two classes, got only 1"),
    ({"y_score": [0.1, math.nan, 1, 2]}, "y_score must have no missing scores, got NaN in row 1"),
    ({"y_score": [0.1]}, "y_true and y_score must have the same length: y_true has 4, y_score has 1"),
]


@pytest.mark.parametrize(("options", "message"), ERRORS)
def test_refuses(options, message):
    options = {"y_true": Y, "y_score": S} | options
    with pytest.raises(RocInputError) as error:
        auc(options.pop("y_true"), options.pop("y_score"), **options)
    assert str(error.value) == message


def test_refuses_methods():
    with pytest.raises(RocInputError) as error:
        auc(Y, S, method="dlong")
    assert str(error.value).startswith("method must be one of 'delong', 'logit'")
    assert "got 'dlong'; did you mean 'delong'" in str(error.value)


@pytest.mark.parametrize("level", [np.float32(0.5), Fraction(1, 2), np.float64(0.5)])
def test_levels_of_any_kind_of_number(level):
    assert json.loads(auc(Y, S, level=level).to_json()) == json.loads(auc(Y, S, level=0.5).to_json())


# ---- The method that fits the study -----------------------------------------------------------------------


def test_auto_is_the_default(path):
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [40, 50])
    for shift, method in ((0.3, "delong"), (2.0, "score")):
        s = rng.normal(size=90) + shift * y
        assert auc(y, s) == auc(y, s, method="auto") == auc(y, s, method=method)
        assert auc(y, s).method == method
        assert auc(y, s).validity().method == method


@pytest.mark.parametrize(("misranked", "method"), [(14, "score"), (15, "delong"), (16, "delong")])
def test_auto_is_delong_where_enough_cases_are_misranked(misranked, method):
    """Of 50 positives so many are below all of 60 negatives: min(A, 1 - A) times 50 is their number."""
    y = np.repeat([1, 0], [50, 60])
    s = np.concatenate([-np.arange(misranked) - 1.0, 100 + np.arange(50.0 - misranked), np.arange(60.0)])
    found = auc(y, s, method="auto")
    assert found == auc(y, s, method=method)
    assert found.method == method
    assert auc(y, -s, method="auto").method == method


def test_auto_is_logit_for_clusters():
    rng = np.random.default_rng(8)
    y, groups = np.tile([0, 1], 20), np.repeat(np.arange(1, 11), 4)
    s = rng.normal(size=40) + y
    weight = np.arange(1, 41) / 2
    for how in ({"groups": groups}, {"groups": groups, "sample_weight": weight}):
        assert auc(y, s, **how) == auc(y, s, method="logit", **how)
        assert auc(y, s, **how).n_effective is None


# ---- Weights of a survey ----------------------------------------------------------------------------------


def weighted_cases(seed, *, n=30, shift=1.2, digits=1):
    """Labels, tied scores and weights, the heavier the lower the score."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1, 0], [n // 3, n - n // 3]))
    s = np.round(rng.normal(size=n) + shift * y, digits)
    return y, s, np.where(s < 0.5, 4.0, 1.0) * rng.choice([1.0, 1.5], n)


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("seed", range(12))
def test_the_score_interval_of_weighted_cases_by_its_definition(seed, level):
    y, s, weight = weighted_cases(seed, shift=0.6 * (seed % 5))
    found = auc(y, s, sample_weight=weight, method="score", level=level)
    sizes = tuple(designs.effective_size(y, s, weight, label) for label in (1, 0))
    spread = designs.weighted_variance(y, s, weight)
    assert found.value == pytest.approx(designs.weighted_area(y, s, weight), rel=1e-13)
    assert found.n_effective == pytest.approx(sizes, rel=1e-11)
    assert found.se == pytest.approx(math.sqrt(spread), rel=1e-11)
    ends = score_interval(found.value, spread, *sizes, level=level, alternative="two-sided")
    assert (found.low, found.high) == pytest.approx(ends, rel=1e-9)
    assert (found.n_pos, found.n_neg, found.status) == (None, None, "ok")


@pytest.mark.parametrize("shift", [0.5, 1.5, 30.0])
@pytest.mark.parametrize("sizes", [(20, 30), (60, 70), (1, 5)])
def test_equal_weights_give_the_interval_of_plain_cases(sizes, shift):
    y = np.repeat([1, 0], sizes)
    s = np.round(np.random.default_rng(3).normal(size=y.size) + shift * y, 1)
    for method in ("auto", "score", "delong"):
        plain, weighted = (
            auc(y, s, method=method),
            auc(y, s, sample_weight=np.full(y.size, 0.1), method=method),
        )
        if method == "delong" and (plain.value == 1 or 1 in sizes):
            continue  # the exact bound is that of cases that count the same
        assert weighted.method == plain.method
        assert weighted.warnings == plain.warnings or method == "delong"
        assert (weighted.se is None) == (plain.se is None)
        for name in ("value", "low", "high", *(["se"] if plain.se is not None else [])):
            assert getattr(weighted, name) == pytest.approx(getattr(plain, name), rel=1e-12)
        assert weighted.n_effective == sizes


def test_auto_of_weighted_cases_goes_by_their_effective_numbers():
    rng = np.random.default_rng(5)
    y = np.repeat([1, 0], [60, 60])
    s = rng.normal(size=120) + 0.8 * y
    weight = np.where(s < 0.3, 4.0, 1.0)
    plain, weighted = auc(y, s), auc(y, s, sample_weight=weight)
    assert plain.method == "delong"
    assert min(weighted.n_effective) * (1 - weighted.value) < 15
    assert weighted == auc(y, s, sample_weight=weight, method="score")
    mild = auc(y, s, sample_weight=np.where(s < 0.3, 1.1, 1.0))
    assert (mild.method, mild.warnings) == ("delong", ())


@pytest.mark.parametrize("shift", [0.8, 2.0, 30.0])
def test_a_weighted_interval_does_not_depend_on_what_does_not_matter(shift):
    y, s, weight = weighted_cases(1, n=40, shift=shift)
    one = auc(y, s, sample_weight=weight)
    order = np.random.default_rng(2).permutation(y.size)
    same = [
        auc(y, s, sample_weight=weight * 700),
        auc(y, s, sample_weight=np.where(y == 1, weight / 3, weight)),  # the classes are sampled apart
        auc(y[order], s[order], sample_weight=weight[order]),
        auc(1 - y, -s, sample_weight=weight),
    ]
    for other in same:
        assert (other.low, other.high) == pytest.approx((one.low, one.high), rel=1e-9)
    assert same[-1].n_effective == pytest.approx(one.n_effective[::-1], rel=1e-12)
    idle = auc(np.append(y, [1, 0]), np.append(s, [0.1, 0.2]), sample_weight=np.append(weight, [0, 0]))
    assert (idle.value, idle.n_effective) == (one.value, one.n_effective)
    mirrored = auc(1 - y, s, sample_weight=weight)
    assert (1 - mirrored.high, 1 - mirrored.low) == pytest.approx((one.low, one.high), abs=1e-9)


def test_effective_numbers_are_no_more_than_kish_has():
    for seed in range(20):
        y, s, weight = weighted_cases(seed, shift=0.4 * (seed % 6))
        for label, number in zip((1, 0), auc(y, s, sample_weight=weight).n_effective, strict=True):
            own = weight[y == label]
            assert own.sum() / own.max() <= number * (1 + 1e-12)
            assert number <= own.sum() ** 2 / (own**2).sum() * (1 + 1e-12) <= own.size * (1 + 1e-9)


def test_separated_weighted_classes_have_a_score_interval_alone():
    y, s, weight = weighted_cases(4, n=60, shift=40.0)
    one = auc(y, s, sample_weight=weight)
    assert (one.value, one.high, one.se, one.method, one.status) == (1.0, 1.0, 0.0, "score", "ok")
    sizes = [weight[y == label].sum() / weight[y == label].max() for label in (1, 0)]
    assert one.n_effective == pytest.approx(sizes)
    assert one.low == pytest.approx(
        score_interval(1.0, None, *sizes, level=0.95, alternative="two-sided")[0], rel=1e-9
    )
    assert one.low < auc(y, s).low
    none = auc(y, s, sample_weight=weight, method="logit")
    assert (none.low, none.reason) == (None, "the classes are separated, and weights give no interval there")


def test_few_weighted_cases_have_a_warning():
    y, s, weight = weighted_cases(6, n=30)
    of_pos, of_neg = weight[y == 1], weight[y == 0]  # 10 and 20
    shares = [own.sum() ** 2 / (own**2).sum() / own.size for own in (of_pos, of_neg)]
    few = (
        f"the smaller class counts as {10 * min(shares):.2g} cases by its weights: a kind of case that "
        "weighs much may be missing there, and the interval too short (docs/atlas.md)"
    )
    assert auc(y, s, sample_weight=weight).warnings == (few,)
    assert auc(y, s, sample_weight=np.full(30, 0.5)).warnings == ()
    y, s, weight = weighted_cases(6, n=90)
    assert auc(y, s, sample_weight=weight).warnings == ()
    old = "few cases are misranked: the interval of weighted cases may be too short (docs/atlas.md)"
    assert auc(y, s, sample_weight=weight, method="logit").warnings == (old,)


def test_auto_of_one_case_is_score():
    one = auc([0, 0, 1], [1, 2, 3], method="auto")
    assert (one.method, one.se, one.status) == ("score", None, "ok")
    assert one.warnings == (
        "a class has one case, which shows no variance: the interval is that of exponential scores",
    )
    low, high = score_interval(1.0, None, 1, 2, level=0.95, alternative="two-sided")
    assert (one.low, one.high) == (low, high)
    separated = auc([0, 0, 1, 1], [1, 2, 3, 4])
    assert separated.warnings == (
        "the area is 1, which shows no variance: the interval is that of exponential scores",
    )
    assert separated.low == score_interval(1.0, None, 2, 2, level=0.95, alternative="two-sided")[0]
    assert auc([0, 0, 1, 1], [1, 3, 2, 4]).warnings == ()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_a_test_agrees_with_the_score_interval(alternative, weighted):
    rng = np.random.default_rng(4)
    rejected, side = 0, -1 if alternative == "less" else 1
    for shift in (0.0, 0.6 * side, 0.9 * side, 9.0 * side):
        for _ in range(30):
            m, n = rng.integers(1, 25, 2)
            y = np.repeat([1, 0], [m, n])
            s = np.round(rng.normal(size=m + n) + shift * y, 1)
            weight = {"sample_weight": rng.uniform(0.5, 4.0, m + n)} if weighted else {}
            area = auc(y, s, method="score", alternative=alternative, **weight)
            test = area.test(0.5, alternative=alternative)
            assert (test.method, test.status) == ("score", "ok")
            if abs(test.p_value - 0.05) > 1e-9:
                assert (area.low <= 0.5 <= area.high) == (test.p_value > 0.05)
            rejected += test.p_value < 0.05
    assert 20 < rejected < 100
    assert area.test(1.0).method == "z"
