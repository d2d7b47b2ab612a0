"""Methods of compare_auc other than DeLong's, and margins; DeLong's own tests are in test_compare.py."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reference_cases import case_data, load_reference
from rocscope import BinaryScores, RocInputError, compare_auc, roc_curve
from rocscope.core import kernels
from rocscope.core.resampling import (
    Sampling,
    VertexCounts,
    paired_bootstrap_areas,
    percentile_interval,
    percentile_p,
    plan_chunks,
)
from rocscope.inference import permutation
from rocscope.inference.bands import tnr_at, tpr_at
from rocscope.inference.curve_tests import area_correlation, pearson, read_curves
from slow import crossings as slow_points
from slow import curve_tests as slow
from slow import curves, pairs, samples

REFERENCE = load_reference("curve_tests")
PAIRS = [
    (case, pair, how)
    for case in REFERENCE["cases"]
    for pair in case["pairs"]
    for how in ("paired", "unpaired")
]
ALTERNATIVES = ("two-sided", "less", "greater")
WITH_ERROR = ("delong", "bootstrap", "hanley-mcneil", "sensitivity", "specificity")
OTHERS = ("bootstrap", "hanley-mcneil", "permutation", "venkatraman", "sensitivity", "specificity")
FEW = "the variance needs two cases in each class"


def simulated(n_pos=30, n_neg=40, shifts=(1.0, 0.6, 0.2), seed=5, decimals=1):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1, 0], [n_pos, n_neg]))
    common = rng.normal(size=y.size)
    scores = {
        name: np.round(common + rng.normal(size=y.size) + shift * y, decimals)
        for name, shift in zip("abc", shifts, strict=False)
    }
    return y, scores


def two(**more):
    return simulated(shifts=(1.0, 0.4), **more)


def compared(method, y, scores, **more):
    """Call with the options that the method needs; a seed and few replicates by default."""
    needed = {"at": 0.3} if method in ("sensitivity", "specificity") else {}
    return compare_auc(y, scores, method=method, **({"rng": 7, "n_boot": 200} | needed | more))


def lists(y, *columns):
    return [array.tolist() for array in (np.asarray(y), *columns)]


# ---- Against pROC -----------------------------------------------------------------------------------------


@pytest.fixture
def against(request):
    """Labels and scores as compare_auc takes them, the values of pROC, and further arguments."""
    case, pair, how = request.param
    y, scores = case_data(case)
    chosen = {name: scores[name] for name in (pair["first"], pair["second"])}
    labels = y if how == "paired" else dict.fromkeys(chosen, y)
    more = {"paired": how == "paired", "rng": 11, "n_boot": REFERENCE["resamples"]}
    return labels, chosen, pair[how], more


each_pair = pytest.mark.parametrize(
    "against",
    PAIRS,
    indirect=True,
    ids=[f"{c['name']}-{p['first']}-{p['second']}-{how}" for c, p, how in PAIRS],
)


def agrees(result, expected):
    """The same values; the same Z but for the error of two standard deviations, each of 1/sqrt(2 B).

    Replicates that are mostly 0 have longer tails than this error allows for: there Z is near 0 too.
    """
    assert result.auc.tolist() == pytest.approx(expected["values"], rel=0, abs=REFERENCE["tolerance"])
    allowed = 5 * math.sqrt(1 / REFERENCE["resamples"])
    assert result.statistic == pytest.approx(expected["statistic"], rel=allowed, abs=0.02)
    assert result.p_value == pytest.approx(2 * stats.norm.sf(abs(result.statistic)), rel=1e-10)


@each_pair
def test_bootstrap_agrees_with_proc(against):
    y, scores, expected, more = against
    agrees(compare_auc(y, scores, method="bootstrap", **more), expected["bootstrap"])


@each_pair
def test_partial_areas_agree_with_proc(against):
    y, scores, expected, more = against
    for part in expected["partial"]:
        ranges = {name: part[name] for name in ("fpr", "tpr") if name in part}
        agrees(compare_auc(y, scores, method="bootstrap", **ranges, **more), part)


@each_pair
@pytest.mark.parametrize("method", ["sensitivity", "specificity"])
def test_points_agree_with_proc(method, against):
    y, scores, expected, more = against
    for point in expected[method]:
        agrees(compare_auc(y, scores, method=method, at=point["at"], bootstrap="normal", **more), point)


@each_pair
def test_venkatraman_agrees_with_proc(against):
    """On ranks whose ties are broken by row, as pROC breaks them."""
    y, scores, expected, more = against
    broken = {name: slow.first_ranks(values.tolist()) for name, values in scores.items()}
    result = compare_auc(y, broken, method="venkatraman", **more)
    statistic, p = expected["venkatraman"]["statistic"], expected["venkatraman"]["p"]
    if more["paired"]:
        assert result.statistic == statistic
    else:
        # pROC leaves out the piece before both curves have a cut; the twin can leave it out as well.
        samples = [(y[name].tolist(), broken[name]) for name in broken]
        if len(samples[0][0]) < 150:
            assert float(slow.unpaired_e(*samples, whole=False)) == pytest.approx(statistic, rel=1e-12)
            assert result.statistic == pytest.approx(float(slow.unpaired_e(*samples)), rel=1e-12)
        assert result.statistic == pytest.approx(statistic, rel=2e-3)
    error = math.sqrt(2 * p * (1 - p) / REFERENCE["resamples"])
    assert result.p_value == pytest.approx(p, rel=0, abs=5 * error + 1e-3)


@pytest.mark.parametrize("case", REFERENCE["unequal"], ids=lambda case: f"{case['first']}-{case['second']}")
def test_samples_of_different_size_differ_from_proc_by_its_share(case):
    """pROC takes the positives over twice the first size as their share; with that share E is the same."""
    recipes = {
        name: case_data({"recipe": name, "checksum": _checksum(name)})
        for name in (case["first"], case["second"])
    }
    samples = [lists(y, scores[case["score"]]) for y, scores in recipes.values()]
    theirs = slow.unpaired_e(*samples, share=case["share"], whole=False)
    assert float(theirs) == pytest.approx(case["statistic"], rel=1e-12)
    labels, scores = ({name: s[k] for name, s in zip("ab", samples, strict=True)} for k in (0, 1))
    result = compare_auc(labels, scores, method="venkatraman", paired=False, n_boot=100, rng=1)
    assert result.statistic == pytest.approx(float(slow.unpaired_e(*samples)), rel=1e-12)


def _checksum(recipe):
    return next(case["checksum"] for case in REFERENCE["cases"] if case.get("recipe") == recipe)


def test_the_file_says_where_it_comes_from():
    assert REFERENCE["source"].startswith("pROC ")
    assert REFERENCE["script"] == "validation/curve_tests_reference.R"


# ---- Bootstrap --------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(data=samples.labelled(columns=2, max_size=12), seed=st.integers(0, 99))
def test_paired_replicates_are_areas_of_the_drawn_cases(path, data, seed):
    y, columns = data
    scores = BinaryScores.from_arrays(y, dict(zip("ab", columns, strict=True)))
    result = paired_bootstrap_areas(scores, Sampling(n_boot=3, rng=seed))
    state = plan_chunks(3, seed)[0].seed.generate_state(4, np.uint64).astype(np.uint64)
    drawn_neg, drawn_pos = (kernels.draw_counts(n, 3, state) for n in (scores.n_neg, scores.n_pos))
    for k, column in enumerate(columns):
        pos, neg = pairs.split(y, column)
        areas = [
            float(pairs.area(slow.repeated(pos, p), slow.repeated(neg, n)))
            for p, n in zip(drawn_pos, drawn_neg, strict=True)
        ]
        assert result[:, k].tolist() == pytest.approx(areas, abs=1e-15)


def test_the_statistic_is_the_difference_over_the_spread_of_the_replicates():
    y, scores = two()
    data = BinaryScores.from_arrays(y, scores)
    areas = paired_bootstrap_areas(data, Sampling(n_boot=500, rng=3))
    differences = areas[:, 0] - areas[:, 1]
    row = compare_auc(y, scores, method="bootstrap", n_boot=500, rng=3).pairs[0]
    assert row.se == pytest.approx(differences.std(ddof=1), rel=1e-12)
    assert row.statistic == pytest.approx(row.difference / row.se, rel=1e-12)
    reach = stats.norm.ppf(0.975) * row.se
    assert (row.low, row.high) == pytest.approx((row.difference - reach, row.difference + reach), rel=1e-12)
    assert row.interval == "normal"


def test_percentiles_of_the_replicates():
    y, scores = two()
    areas = paired_bootstrap_areas(BinaryScores.from_arrays(y, scores), Sampling(n_boot=500, rng=3))
    differences = areas[:, 0] - areas[:, 1]
    result = compare_auc(y, scores, method="bootstrap", bootstrap="percentile", n_boot=500, rng=3)
    row = result.pairs[0]
    assert (row.low, row.high) == pytest.approx(tuple(np.quantile(differences, [0.025, 0.975])), abs=1e-14)
    assert row.interval == "percentile"
    assert row.statistic == pytest.approx(row.difference / differences.std(ddof=1), rel=1e-12)
    assert str(result).splitlines()[1].endswith(f"p = {row.p_value:.4g} by percentiles")


@pytest.mark.parametrize("method", ["bootstrap", "sensitivity", "specificity"])
@pytest.mark.parametrize("how", ["auto", "normal", "t", "percentile"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_interval_and_p_value_never_contradict(method, how, alternative):
    for seed in range(40):
        y, scores = simulated(8, 8, (1.5, 0.3), seed=seed, decimals=1)
        row = compared(method, y, scores, bootstrap=how, alternative=alternative, rng=seed).pairs[0]
        if row.se:
            assert (row.p_value < 0.05) == (row.low > 0 or row.high < 0)


@pytest.mark.parametrize("method", ["sensitivity", "specificity"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_rates_take_students_t(method, alternative):
    """By scipy, from difference and standard error; with the cases, or clusters, of the smallest class."""
    y, scores = two(n_pos=12, n_neg=20)
    samples = {name: np.concatenate([values, values[:3]]) for name, values in scores.items()}
    labels = {"a": np.concatenate([y, y[:3]]), "b": y}
    group = np.arange(y.size) % 9
    group[y == 1] %= 5
    cases = [
        ((y, scores), {}, 2 * 11),
        ((labels, {"a": samples["a"], "b": scores["b"]}), {"paired": False}, 2 * 11),
        ((y, scores), {"groups": group}, 2 * 4),
    ]
    for data, more, df in cases:
        row = compared(method, *data, alternative=alternative, **more).pairs[0]
        other = compared(method, *data, alternative=alternative, bootstrap="normal", **more).pairs[0]
        assert (row.interval, row.df, other.interval, other.df) == ("t", df, "normal", None)
        assert (row.difference, row.se, row.statistic) == (other.difference, other.se, other.statistic)
        law, t = stats.t(df), row.difference / row.se
        tails = {"two-sided": 2 * law.sf(abs(t)), "greater": law.sf(t), "less": law.cdf(t)}
        assert row.p_value == pytest.approx(tails[alternative], rel=1e-12)
        reach = law.ppf(0.975 if alternative == "two-sided" else 0.95) * row.se
        low, high = max(row.difference - reach, -1), min(row.difference + reach, 1)
        ends = {"two-sided": (low, high), "greater": (low, 1), "less": (-1, high)}
        assert (row.low, row.high) == pytest.approx(ends[alternative], abs=1e-13)


@pytest.mark.parametrize(("n_neg", "few"), [(19, True), (20, False)])
def test_a_rate_of_hardly_a_case_has_a_warning(n_neg, few):
    y, scores = two(n_pos=30, n_neg=n_neg)
    said = "fewer than two negatives lie beyond the fixed rate"
    assert any(said in text for text in compared("sensitivity", y, scores, at=0.1).warnings) is few
    turned = compared("specificity", 1 - y, scores, at=0.9).warnings
    assert any(said.replace("negatives", "positives") in text for text in turned) is few
    assert not any("fixed rate" in text for text in compared("bootstrap", y, scores).warnings)


def test_which_methods_take_t():
    y, scores = two()
    areas, by_t = (compared("bootstrap", y, scores, bootstrap=how) for how in ("auto", "t"))
    assert (areas.pairs[0].interval, areas.df, by_t.pairs[0].interval) == ("normal", None, "t")
    assert by_t.df == 2 * 29
    assert by_t.p_value > areas.p_value
    assert "t = " in str(by_t)


def test_the_two_ways_differ_on_few_cases():
    """So that the test above can fail: percentile intervals beside p-values of the statistic would."""
    contradicted = 0
    for seed in range(40):
        y, scores = simulated(8, 8, (1.5, 0.3), seed=seed, decimals=1)
        row, other = (
            compared("bootstrap", y, scores, bootstrap=how, rng=seed).pairs[0]
            for how in ("normal", "percentile")
        )
        contradicted += (row.p_value < 0.05) != (other.low > 0 or other.high < 0)
    assert contradicted >= 2


@settings(max_examples=60)
@given(
    values=st.lists(st.integers(-3, 3), min_size=2, max_size=30),
    at=st.sampled_from([-1.0, 0.0, 0.25]),
    level=st.floats(0.02, 0.98),
    alternative=st.sampled_from(ALTERNATIVES),
)
def test_the_p_value_is_the_percentile_interval_inverted(values, at, level, alternative):
    replicates = np.array(values, dtype=float)
    p = percentile_p(replicates, at=at, alternative=alternative)
    low, high = percentile_interval(replicates, level=level, alternative=alternative)
    least = (2 if alternative == "two-sided" else 1) / (len(values) + 1)
    assert least <= p <= 1
    if 1 - level > least and abs(p - (1 - level)) > 1e-9:
        assert (p < 1 - level) == (low > at or high < at)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equivalence_by_percentiles_is_their_interval_inside_the_margin(alternative):
    y, scores = two()
    for margin in (0.05, 0.1, 0.15, 0.2, 0.3, 0.4):
        how = {"bootstrap": "percentile", "alternative": alternative, "margin": margin, "n_boot": 500}
        row = compared("bootstrap", y, scores, **how).pairs[0]
        inner = compared("bootstrap", y, scores, bootstrap="percentile", n_boot=500, level=0.9).pairs[0]
        above, below = inner.low > -margin, inner.high < margin
        inside = {"two-sided": above and below, "greater": above, "less": below}[alternative]
        assert row.equivalent is bool(inside)


@pytest.mark.parametrize("method", ["bootstrap", "sensitivity", "specificity"])
def test_one_sided_intervals_end_at_the_largest_difference(method):
    y, scores = two()
    lower, upper = (compared(method, y, scores, alternative=a).pairs[0] for a in ("greater", "less"))
    both = compared(method, y, scores, level=0.9).pairs[0]
    assert (lower.low, lower.high) == pytest.approx((both.low, 1.0), abs=1e-14)
    assert (upper.low, upper.high) == pytest.approx((-1.0, both.high), abs=1e-14)
    assert lower.p_value + upper.p_value == pytest.approx(1)


@pytest.mark.parametrize(
    ("ranges", "name", "largest"),
    [
        ({"fpr": (0, 0.1)}, "partial AUC over FPR 0-0.1", 0.1),
        ({"tpr": (0.8, 1)}, "partial AUC over TPR 0.8-1", 0.2),
        ({"fpr": (0, 0.5), "tpr": (0.5, 1)}, "partial AUC over FPR 0-0.5 and TPR 0.5-1", 0.25),
        ({"fpr": (0, 0.5), "standardize": True}, "standardized partial AUC over FPR 0-0.5", 2 / 3),
        ({}, "AUC", 1.0),
    ],
)
def test_parts_of_the_area(ranges, name, largest):
    y, scores = two()
    result = compared("bootstrap", y, scores, alternative="greater", **ranges)
    values = [roc_curve(y, s).partial_auc(**ranges).value for s in scores.values()]
    assert result.auc.tolist() == pytest.approx(values, abs=1e-15)
    assert (result.quantity, result.hypothesis) == (name, f"the curves have the same {name}")
    assert result.pairs[0].high == pytest.approx(largest)


@given(data=samples.labelled(max_size=16), at=st.sampled_from([0, 0.1, 0.25, 1 / 3, 0.5, 0.9, 1]))
def test_rates_at_a_point_by_hand(data, at):
    y, scores = data
    pos, neg = pairs.split(y, scores)
    counts = VertexCounts.of_table(BinaryScores.from_arrays(y, scores).table())
    points = [(fpr, tpr) for _, fpr, tpr in curves.vertices(pos, neg)]
    exact = next((x for point in points for x in point if float(x) == at), Fraction(at))
    place = np.array([float(at)])
    assert tpr_at(counts, place)[0, 0] == pytest.approx(float(slow_points.ends(points, exact)[1]), abs=1e-12)
    turned = [(1 - tpr, 1 - fpr) for fpr, tpr in reversed(points)]
    left = float(slow_points.ends(turned, 1 - exact)[1])
    assert tnr_at(counts, place)[0, 0] == pytest.approx(left, abs=1e-12)


@pytest.mark.parametrize(
    ("method", "quantity"), [("sensitivity", "TPR at FPR 0.3"), ("specificity", "TNR at TPR 0.3")]
)
def test_rates_at_a_point(method, quantity):
    y, scores = two()
    result = compared(method, y, scores)
    curve = [roc_curve(y, s) for s in scores.values()]
    values = [c.tpr_at(0.3) if method == "sensitivity" else 1 - c.fpr_at(0.3) for c in curve]
    assert result.auc.tolist() == pytest.approx([float(v) for v in values], abs=1e-14)
    assert (result.quantity, result.hypothesis) == (quantity, f"the curves have the same {quantity}")
    assert f"\nEqual {quantity}: t = " in str(result)
    assert f"\nEqual {quantity}: z = " in str(compared(method, y, scores, bootstrap="normal"))


@pytest.mark.parametrize("method", ["bootstrap", "sensitivity"])
def test_more_curves_by_the_covariance_of_the_replicates(method):
    y, scores = simulated()
    result = compared(method, y, scores, n_boot=500)
    contrasts = np.array([[1, -1, 0], [0, 1, -1]])
    effect = contrasts @ result.auc
    expected = effect @ np.linalg.solve(contrasts @ result.cov @ contrasts.T, effect)
    kind = "chi2" if method == "bootstrap" else "T2"
    assert (result.kind, result.df) == (kind, 2)
    assert result.statistic == pytest.approx(expected, rel=1e-9)
    p_value = stats.chi2.sf(expected, 2)
    if kind == "T2":  # Hotelling's, of 30 positives
        p_value = stats.f.sf(expected * 28 / (2 * 29), 2, 28)
        by_normal = compared(method, y, scores, n_boot=500, bootstrap="normal")
        assert (by_normal.kind, by_normal.statistic) == ("chi2", result.statistic)
    assert result.p_value == pytest.approx(p_value, rel=1e-9)
    for row, (i, j) in zip(result.pairs, ((0, 1), (0, 2), (1, 2)), strict=True):
        variance = result.cov[i, i] + result.cov[j, j] - 2 * result.cov[i, j]
        assert row.se == pytest.approx(math.sqrt(variance), rel=1e-9)


def test_unpaired_curves_draw_by_themselves():
    y, scores = two(n_pos=60, n_neg=60)
    paired = compared("bootstrap", y, scores, n_boot=2000)
    apart = compared("bootstrap", {"a": y, "b": y}, scores, n_boot=2000, paired=False)
    assert apart.cov[0, 1] == pytest.approx(0, abs=3 * apart.cov[0, 0] / math.sqrt(2000))
    assert paired.cov[0, 1] > 0.2 * paired.cov[0, 0]
    assert apart.pairs[0].df is None


def test_bootstrap_and_delong_agree_on_large_samples():
    y, scores = simulated(n_pos=400, n_neg=500, decimals=3)
    exact, drawn = compare_auc(y, scores), compared("bootstrap", y, scores, n_boot=4000)
    assert drawn.auc.tolist() == exact.auc.tolist()
    for a, b in zip(drawn.pairs, exact.pairs, strict=True):
        assert a.se == pytest.approx(b.se, rel=0.06)


# ---- Hanley and McNeil ------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(data=samples.labelled(elements=samples.LEVELS, columns=2, min_each=3, max_size=16))
def test_hanley_mcneil_by_hand(data):
    y, (a, b) = data
    if any(len(set(values)) < 2 for s in (a, b) for values in pairs.split(y, s)):
        row = compare_auc(y, {"a": a, "b": b}, method="hanley-mcneil").pairs[0]
        assert (row.p_value, row.se) == (None, None)
        assert row.reason == (
            "the scores of a class do not vary or are infinite, so their correlation is undefined"
        )
        return
    result = compare_auc(y, {"a": a, "b": b}, method="hanley-mcneil")
    areas = result.auc.tolist()
    if {0.0, 1.0} & {*areas, sum(areas) / 2}:
        return
    difference, se, r = slow.hanley_mcneil(y, a, b)
    row = result.pairs[0]
    assert row.difference == pytest.approx(difference, abs=1e-15)
    assert row.se == pytest.approx(se, rel=1e-6, abs=1e-8)
    if se > 1e-6:
        assert row.p_value == pytest.approx(2 * stats.norm.sf(abs(difference / se)), rel=1e-6)
    assert result.cov[0, 1] == pytest.approx(r * math.sqrt(result.cov[0, 0] * result.cov[1, 1]), rel=1e-6)
    assert row.interval == "hanley-mcneil"


@pytest.mark.parametrize(("area", "printed"), [(0.7, 0.47), (0.8, 0.45), (0.9, 0.41), (0.975, 0.32)])
def test_the_printed_table_of_1983(area, printed):
    """Row 0.5 of their table, as METHODS quotes it; they worked with 50 + 50 cases."""
    assert area_correlation(0.5, area, n_pos=50, n_neg=50) == pytest.approx(printed, abs=0.0051)


@pytest.mark.parametrize("of_scores", [-0.9, -0.3, 0.0, 0.2, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("area", [0.3, 0.5, 0.7, 0.95])
def test_correlation_of_areas_by_hand(of_scores, area):
    expected = slow.area_correlation(of_scores, area, 20, 35)
    assert area_correlation(of_scores, area, 20, 35) == pytest.approx(expected, abs=1e-9)


def test_pearson_holds_at_the_ends_of_float64():
    x = np.array([-1.7e308, 0.0, 1.7e308])
    assert pearson(x, np.array([1.0, 2.0, 3.0])) == pytest.approx(1)
    assert pearson(np.array([5e-324, 0.0, 5e-324]), np.array([1.0, 0.0, 1.0])) == pytest.approx(1)
    assert math.isnan(pearson(np.array([1.0, np.inf]), np.array([1.0, 2.0])))


def test_hanley_mcneil_of_unpaired_curves():
    y1, first = simulated(20, 30, (1.0,), seed=1)
    y2, second = simulated(25, 15, (0.5,), seed=2)
    result = compare_auc(
        {"a": y1, "b": y2}, {"a": first["a"], "b": second["a"]}, method="hanley-mcneil", paired=False
    )
    parts = [
        slow.hanley_mcneil_variance(area, m, n)
        for area, (m, n) in zip(result.auc.tolist(), ((20, 30), (25, 15)), strict=True)
    ]
    assert result.pairs[0].se == pytest.approx(math.sqrt(sum(parts)), rel=1e-12)
    assert result.pairs[0].df is None


def test_hanley_mcneil_of_more_curves():
    y, scores = simulated()
    result = compare_auc(y, scores, method="hanley-mcneil")
    for row, (i, j) in zip(result.pairs, ((0, 1), (0, 2), (1, 2)), strict=True):
        pair = compare_auc(
            y, {name: scores[name] for name in (row.first, row.second)}, method="hanley-mcneil"
        )
        assert (row.se, row.p_value) == (pair.pairs[0].se, pair.p_value)
        assert result.cov[i, j] == pair.cov[0, 1]
    assert (result.kind, result.df) == ("chi2", 2)


# ---- Permutation ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=15)
@given(data=samples.labelled(columns=2, max_size=8))
def test_every_exchange_of_paired_ranks(alternative, data):
    y, (a, b) = data
    result = compare_auc(y, {"a": a, "b": b}, method="permutation", alternative=alternative)
    p, spread = slow.paired_permutation(*lists(y, a, b), alternative)
    assert result.p_value == pytest.approx(float(p), rel=1e-12)
    assert result.n_resamples == 2 ** len(y)
    if spread > 0:
        expected = result.pairs[0].difference / math.sqrt(spread)
        assert result.statistic == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert result.kind == "z"


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@settings(max_examples=15)
@given(one=samples.labelled(max_size=5), two=samples.labelled(max_size=5))
def test_every_exchange_of_unpaired_cases(alternative, one, two):
    y, scores = {"a": one[0], "b": two[0]}, {"a": one[1], "b": two[1]}
    result = compare_auc(y, scores, method="permutation", paired=False, alternative=alternative)
    p, _ = slow.unpaired_permutation(lists(*one), lists(*two), alternative)
    assert result.p_value == pytest.approx(float(p), rel=1e-12)


@pytest.mark.parametrize("paired", [True, False])
def test_random_exchanges_come_near_all_of_them(paired, monkeypatch):
    y, scores = simulated(5, 7, (1.4, 0.1), seed=3) if paired else simulated(3, 4, (1.4, 0.1), seed=3)
    labels = y if paired else {"a": y, "b": y}
    exact = compare_auc(labels, scores, method="permutation", paired=paired)
    monkeypatch.setattr(permutation, "EXACT_LIMIT", 0)
    n = 20_000
    result = compare_auc(labels, scores, method="permutation", paired=paired, n_boot=n, rng=1)
    assert result.n_resamples == n
    error = math.sqrt(exact.p_value * (1 - exact.p_value) / n)
    assert result.p_value == pytest.approx(exact.p_value, abs=5 * error + 1 / n)
    assert result.statistic == pytest.approx(exact.statistic, rel=0.05)


def test_the_smallest_p_value_counts_the_observed_order():
    y = np.repeat([1, 0], 30)
    good, poor = np.arange(60)[::-1].astype(float), np.random.default_rng(1).normal(size=60)
    result = compare_auc(y, {"a": good, "b": poor}, method="permutation", n_boot=199, rng=1)
    assert result.p_value == 1 / 200


def test_the_interval_beside_a_permutation_test_is_delongs():
    y, scores = two()
    exact = compare_auc(y, scores).pairs[0]
    for method in ("permutation", "venkatraman"):
        row = compared(method, y, scores).pairs[0]
        assert (row.difference, row.se, row.low, row.high) == (
            exact.difference,
            exact.se,
            exact.low,
            exact.high,
        )
        assert row.interval == "delong"
        assert row.p_value != exact.p_value


@pytest.mark.parametrize("method", ["permutation", "venkatraman"])
@pytest.mark.parametrize("paired", [True, False])
def test_three_curves_are_exchanged_together(method, paired):
    y, scores = simulated(shifts=(1.6, 0.8, 0.0))
    labels = y if paired else dict.fromkeys(scores, y)
    result = compared(method, labels, scores, paired=paired, n_boot=500)
    assert result.p_value < 0.02
    assert len(result.pairs) == 3
    again = compared(method, labels, dict.fromkeys("abc", scores["a"]), paired=paired)
    assert (again.statistic, again.p_value) == (pytest.approx(0, abs=1e-9), 1.0)
    assert result.kind == {"permutation": "chi2", "venkatraman": "E"}[method]


def test_contrasts_of_a_permutation_test():
    y, scores = simulated(shifts=(1.6, 0.8, 0.0))
    result = compared("permutation", y, scores, contrasts=[1, -2, 1], n_boot=500)
    assert (result.kind, result.df) == ("chi2", 1)
    assert result.hypothesis == "every contrast of the AUC is 0"
    assert result.p_value > 0.05


# ---- Venkatraman ------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(data=samples.labelled(columns=2, max_size=20))
def test_paired_e_by_hand(data):
    y, (a, b) = data
    result = compare_auc(y, {"a": a, "b": b}, method="venkatraman", n_boot=100, rng=1)
    assert result.statistic == pytest.approx(float(slow.paired_e(*lists(y, a, b))), abs=1e-9)


@settings(max_examples=60)
@given(one=samples.labelled(max_size=12), two=samples.labelled(max_size=12))
def test_unpaired_e_by_hand(one, two):
    y, scores = {"a": one[0], "b": two[0]}, {"a": one[1], "b": two[1]}
    result = compare_auc(y, scores, method="venkatraman", paired=False, n_boot=100, rng=1)
    assert result.statistic == pytest.approx(float(slow.unpaired_e(lists(*one), lists(*two))), abs=1e-12)


@settings(max_examples=25)
@given(data=samples.labelled(elements=samples.LEVELS, max_size=6))
def test_ties_count_as_the_mean_over_their_orders(data):
    y, scores = lists(*data)
    assert slow.positives_up_to(y, scores) == slow.positives_over_orders(y, scores)


def test_crossing_curves_of_equal_area_differ():
    """A test of areas cannot see it; whole curves differ."""
    y = np.repeat([1, 0], 60)
    steep = np.concatenate([np.repeat([3.0, 1.0], 30), np.full(60, 2.0)])
    late = np.concatenate([np.full(60, 2.0), np.repeat([3.0, 1.0], 30)])
    noise = np.random.default_rng(2).normal(scale=0.01, size=(2, 120))
    scores = {"a": steep + noise[0], "b": late + noise[1]}
    areas, whole = compare_auc(y, scores), compared("venkatraman", y, scores)
    assert areas.p_value > 0.5
    assert whole.p_value < 0.01
    assert "whole ROC curves" in whole.hypothesis
    assert whole.kind == "E"
    assert str(whole).splitlines()[1].startswith("Equal curves: E = ")


@pytest.mark.parametrize("paired", [True, False])
def test_e_does_not_depend_on_rows_or_classes(paired):
    y, scores = two(decimals=0)
    order = np.random.default_rng(4).permutation(y.size)

    def statistic(labels, columns):
        given = labels if paired else dict.fromkeys(columns, labels)
        return compared("venkatraman", given, columns, paired=paired).statistic

    expected = statistic(y, scores)
    assert statistic(y[order], {k: s[order] for k, s in scores.items()}) == pytest.approx(expected, rel=1e-12)
    assert statistic(1 - y, {k: -s for k, s in scores.items()}) == pytest.approx(expected, rel=1e-12)


def test_the_common_scale_of_unpaired_samples_is_free_of_their_composition():
    """Every negative three times: plain ranks would move, places in the pooled population do not."""
    y, scores = simulated(6, 8, (1.0,))
    thrice = np.concatenate([np.flatnonzero(y), *([np.flatnonzero(y == 0)] * 3)])
    samples = read_curves(
        {"a": y, "b": y[thrice]}, {"a": scores["a"], "b": scores["a"][thrice]}, paired=False, pos_label=None
    )
    ranks = permutation.ranked(samples)
    pos, neg = ranks.ranks[ranks.positive], ranks.ranks[~ranks.positive]
    assert sorted(pos[:6]) == sorted(pos[6:])
    assert sorted(set(neg[:8])) == sorted(set(neg[8:]))


# ---- Equivalence ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("method", WITH_ERROR)
@pytest.mark.parametrize("margin", [0.01, 0.1, 0.25, 0.6])
def test_equivalence_is_the_interval_inside_the_margin(method, margin, paired):
    y, scores = two()
    labels = y if paired else dict.fromkeys(scores, y)
    result = compared(method, labels, scores, margin=margin, level=0.9, paired=paired)
    row = result.pairs[0]
    reach = (stats.norm.ppf(0.9) if row.df is None else stats.t.ppf(0.9, row.df)) * row.se
    inside = -margin < row.difference - reach and row.difference + reach < margin
    assert row.equivalent is bool(inside)
    distribution = stats.norm if row.df is None else stats.t(row.df)
    above = distribution.sf((row.difference + margin) / row.se)
    below = distribution.cdf((row.difference - margin) / row.se)
    assert row.p_equivalence == pytest.approx(max(above, below), rel=1e-9)
    assert result.margin == margin
    assert row.p_value == compared(method, labels, scores, level=0.9, paired=paired).p_value


@pytest.mark.parametrize("method", WITH_ERROR)
def test_non_inferiority_is_the_one_sided_bound(method):
    y, scores = two()
    for margin in (0.02, 0.1, 0.3):
        first = compared(method, y, scores, margin=margin, alternative="greater").pairs[0]
        second = compared(method, y, scores, margin=margin, alternative="less").pairs[0]
        z = stats.norm.ppf(0.95)
        assert first.equivalent is bool(first.difference - z * first.se > -margin)
        assert second.equivalent is bool(second.difference + z * second.se < margin)
        both = compared(method, y, scores, margin=margin).pairs[0]
        assert both.p_equivalence == max(first.p_equivalence, second.p_equivalence)


def test_mirrored_curves_mirror_non_inferiority():
    y, scores = two()
    one = compare_auc(y, scores, margin=0.1, alternative="greater").pairs[0]
    other = compare_auc(y, {"b": scores["b"], "a": scores["a"]}, margin=0.1, alternative="less").pairs[0]
    assert one.p_equivalence == pytest.approx(other.p_equivalence, rel=1e-12)


def test_without_a_margin_there_is_no_verdict():
    rows = compare_auc(*simulated()).pairs
    assert all((row.equivalent, row.p_equivalence) == (None, None) for row in rows)


def test_every_pair_gets_a_verdict():
    rows = compare_auc(*simulated(), margin=0.5).pairs
    assert [row.equivalent for row in rows] == [row.p_equivalence < 0.05 for row in rows]
    assert "; within the margin, p = " in str(rows[0])
    assert "not shown to be within" in str(compare_auc(*two(), margin=0.001).pairs[0])


def test_no_variance_no_verdict():
    y, scores = two()
    row = compare_auc(y, {"a": scores["a"], "b": scores["a"]}, margin=0.1).pairs[0]
    assert (row.equivalent, row.p_equivalence, row.p_value) == (None, None, 1.0)
    assert row.reason == "the difference has no variance, so nothing can be said about the margin"


# ---- Every method -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", OTHERS)
@pytest.mark.parametrize("paired", [True, False])
def test_shape_is_that_of_delong(method, paired):
    y, scores = simulated()
    labels = y if paired else dict.fromkeys(scores, y)
    result, exact = (
        compared(method, labels, scores, paired=paired),
        compare_auc(labels, scores, paired=paired),
    )
    assert result.to_dict().keys() == exact.to_dict().keys()
    assert result.columns().keys() == exact.columns().keys()
    assert result.auc.shape == (3,)
    assert result.cov.shape == (3, 3)
    assert [(r.first, r.second) for r in result.pairs] == [(r.first, r.second) for r in exact.pairs]
    assert [r.p_adjusted for r in result.pairs] == pairs.holm([r.p_value for r in result.pairs])
    assert (result.method, result.paired, result.status) == (method, paired, "ok")
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False))["quantity"] == result.quantity


@pytest.mark.parametrize("method", OTHERS)
@pytest.mark.parametrize("paired", [True, False])
def test_the_same_seed_gives_the_same_numbers(method, paired):
    y, scores = two()
    labels = y if paired else dict.fromkeys(scores, y)
    one, other = (compared(method, labels, scores, paired=paired, rng=5) for _ in range(2))
    assert one.to_dict() == other.to_dict()
    if method != "hanley-mcneil":
        third = compared(method, labels, scores, paired=paired, rng=6)
        assert [one.p_value, one.pairs[0].low] != [third.p_value, third.pairs[0].low]


@pytest.mark.parametrize("method", OTHERS)
def test_exchanging_the_curves_turns_the_sign(method):
    y, scores = two()
    one = compared(method, y, scores)
    other = compared(method, y, {"b": scores["b"], "a": scores["a"]})
    assert other.pairs[0].difference == -one.pairs[0].difference
    if method in ("bootstrap", "hanley-mcneil", "sensitivity", "specificity"):
        assert other.p_value == pytest.approx(one.p_value, rel=1e-9)
    if method == "venkatraman":
        assert other.statistic == one.statistic


@pytest.mark.parametrize("method", OTHERS)
def test_identical_curves(method):
    y, scores = two()
    result = compared(method, y, {"a": scores["a"], "b": scores["a"]})
    assert (result.statistic, result.p_value, result.status) == (0.0, 1.0, "ok")
    assert result.warnings[-1].startswith("the variance of the difference is 0")


@pytest.mark.parametrize("method", OTHERS)
def test_one_case_in_a_class(method):
    """Nothing varies without a second case; exchanges of ranks are counted all the same."""
    y, scores = [1, 0, 0, 0], {"a": [3, 1, 2, 4], "b": [1, 2, 3, 4], "c": [4, 3, 2, 1]}
    for names in ("ab", "abc"):
        result = compared(method, y, {name: scores[name] for name in names})
        assert all((row.se, row.low, row.reason) == (None, None, FEW) for row in result.pairs)
        defined = method in ("permutation", "venkatraman")
        assert (result.status, result.p_value is None) == (("ok", False) if defined else ("undefined", True))
        assert all((row.p_value is None) is not defined for row in result.pairs)
        json.dumps(result.to_dict(), allow_nan=False)
    if method == "permutation":
        assert f"(no interval: {FEW}), p = " in str(result)


@pytest.mark.parametrize("method", ["bootstrap", "sensitivity"])
def test_a_difference_without_variance_is_undefined(method):
    result = compared(method, [0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 1, 1, 1]})
    reason = "the values differ but their difference has no variance"
    assert (result.status, result.reason, result.pairs[0].reason) == ("undefined", reason, reason)
    assert (result.p_value, result.pairs[0].se, result.pairs[0].low) == (None, 0.0, None)


@pytest.mark.parametrize("method", ["bootstrap", "permutation", "venkatraman"])
def test_an_increasing_map_of_the_scores_changes_nothing(method):
    y, scores = two(decimals=3)
    mapped = {"a": np.exp(scores["a"]), "b": scores["b"] * 4 - 7}
    one, other = compared(method, y, scores), compared(method, y, mapped)
    assert (one.statistic, one.p_value) == (other.statistic, other.p_value)


def test_data_that_was_checked_before():
    y, scores = two()
    data = BinaryScores.from_arrays(y, scores)
    assert compare_auc(data).to_dict() == compare_auc(y, scores).to_dict()


Y = [0, 1, 0, 1]
AB = {"a": [1, 2, 3, 4], "b": [4, 3, 2, 1]}
EVERY = (
    "'auto', 'delong', 'score', 'bootstrap', 'hanley-mcneil', 'permutation', 'venkatraman', 'sensitivity', "
    "'specificity'"
)
ERRORS = [
    ({"method": "boot"}, f"method must be one of {EVERY}, got 'boot'; did you mean 'bootstrap'?"),
    ({"margin": 0}, "margin must be greater than 0, got 0"),
    ({"margin": -0.1}, "margin must be greater than 0, got -0.1"),
    ({"margin": "small"}, "margin must be a number, got 'small'"),
    (
        {"margin": 0.1, "method": "permutation"},
        "margin must be left out for method 'permutation' (it belongs to 'auto', 'delong', 'score', "
        "'bootstrap', 'hanley-mcneil', 'sensitivity', 'specificity'), got 0.1",
    ),
    (
        {"fpr": (0, 0.1)},
        "fpr must be left out for method 'auto' (it belongs to 'bootstrap'), got (0, 0.1)",
    ),
    (
        {"standardize": True, "method": "venkatraman"},
        "standardize must be left out for method 'venkatraman' (it belongs to 'bootstrap'), got True",
    ),
    (
        {"at": 0.1, "method": "bootstrap"},
        "at must be left out for method 'bootstrap' (it belongs to 'sensitivity', 'specificity'), got 0.1",
    ),
    (
        {"bootstrap": "percentile"},
        "bootstrap must be left out for method 'auto' (it belongs to 'bootstrap', 'sensitivity', "
        "'specificity'), got 'percentile'",
    ),
    (
        {"bootstrap": "bca", "method": "bootstrap"},
        "bootstrap must be one of 'auto', 'normal', 't', 'percentile', got 'bca'",
    ),
    ({"method": "sensitivity"}, "at must be a number, got None"),
    ({"method": "specificity", "at": 2}, "at must lie between 0 and 1 (both allowed), got 2"),
    ({"method": "bootstrap", "n_boot": 0}, "n_boot must be a whole number of at least 1, got 0"),
    ({"method": "bootstrap", "fpr": (0.5, 0.1)}, "fpr must be a pair with low < high, got (0.5, 0.1)"),
    (
        {"method": "venkatraman", "alternative": "less"},
        "alternative must be 'two-sided' for method 'venkatraman', got 'less'",
    ),
]


@pytest.mark.parametrize(("options", "message"), ERRORS)
def test_refuses(options, message):
    with pytest.raises(RocInputError) as error:
        compare_auc(Y, AB, **options)
    assert str(error.value) == message


def test_refuses_checked_data_it_cannot_compare():
    with pytest.raises(RocInputError) as error:
        compare_auc(BinaryScores.from_arrays(Y, AB["a"]))
    assert str(error.value) == (
        "y_true must hold the scores of two or more classifiers, got BinaryScores with 1"
    )


def test_whole_weights_repeat_cases():
    times = [1, 2, 1, 1]
    repeated = {name: np.repeat(scores, times) for name, scores in AB.items()}
    data = BinaryScores.from_arrays(Y, AB, sample_weight=times)
    assert compare_auc(data) == compare_auc(np.repeat(Y, times), repeated)
    assert compare_auc(Y, AB, sample_weight=times, weight_kind="frequency") == compare_auc(data)


@pytest.mark.parametrize(
    ("method", "line"),
    [
        ("sensitivity", "Compared are sensitivities at a fixed specificity (in pROC: method specificity)"),
        ("specificity", "Compared are specificities at a fixed sensitivity (in pROC: method sensitivity)"),
        ("delong", "Equal areas: "),
    ],
)
def test_the_text_says_which_rate_is_compared(method, line):
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    how = {} if method == "delong" else {"at": 0.3, "n_boot": 100, "rng": 1}
    result = compare_auc(y, {"a": y + rng.normal(size=40), "b": rng.normal(size=40)}, method=method, **how)
    assert str(result).splitlines()[1].startswith(line)
