import dataclasses
import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference_cases import case_data, load_reference
from rocscope import (
    AveragedRoc,
    BinaryScores,
    RocInputError,
    ScoreTable,
    UndefinedError,
    average_roc,
    plotting,
    roc_curve,
)
from rocscope.inference.point_measures import (
    CHOSEN,
    INFINITE,
    MEASURES,
    PointMeasures,
    estimates,
    point_measures,
)
from rocscope.inference.proportions import COMBINED, IntervalKind, Spread, quotient_ends
from rocscope.plotting.forest import point_measures_picture
from slow import decisions, likelihoods, proportions, samples

REFERENCE = load_reference("points")
POINTS = [(case, point) for case in REFERENCE["cases"] for point in case["points"]]
Y = [0, 0, 0, 0, 1, 1, 1]
S = [0.1, 0.2, 0.3, 0.7, 0.4, 0.8, 0.9]
ALTERNATIVES = st.sampled_from(["two-sided", "less", "greater"])


@st.composite
def cells(draw, least=0, most=30):
    """A confusion matrix with both classes."""
    tp, fp, fn, tn = (draw(st.integers(least, most)) for _ in range(4))
    return {"tp": tp + (tp + fn == 0), "fp": fp + (fp + tn == 0), "fn": fn, "tn": tn}


def measured(counts, **options):
    kind = {k: options.pop(k) for k in ("interval", "level", "alternative") if k in options}
    ratio = options.pop("ratio_interval", "mover")
    return estimates(IntervalKind(**kind, ratio=ratio), **counts, **options)


# ---- Against R --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "point"), POINTS, ids=[f"{c['name']}-{p['threshold']}" for c, p in POINTS])
def test_agrees_with_r(case, point):
    y, scores = case_data(case)
    cut = float(point["threshold"])
    result = point_measures(y, scores["a"], threshold=cut)
    assert (result.tp, result.fp, result.fn, result.tn) == tuple(point[k] for k in ("tp", "fp", "fn", "tn"))
    for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy"):
        assert getattr(result, name).value == _near(point[name])
    assert result.youden.value == _near(point["youden"] - 1)  # pROC's criterion is se + sp
    at = point_measures(y, scores["a"], threshold=cut, prevalence=REFERENCE["prevalence"])
    for name in ("ppv", "npv"):
        assert getattr(at, name).value == _near(point["at_prevalence"][name])
    by_log = point_measures(y, scores["a"], threshold=cut, ratio_interval="log")
    for name in ("lr_pos", "lr_neg"):
        assert getattr(result, name).value == getattr(by_log, name).value
        _check_log_ratio(getattr(by_log, name), point[name])


def _check_log_ratio(estimate, reference):
    """metafor gives the log risk ratio and its variance, from which the interval follows.

    Where a share is 0 metafor adds 1/2 to each cell, and where it is 1 its variance counts as 0.
    """
    if reference["log"] is None:
        assert (estimate.value, estimate.low, estimate.status) == (None, None, "undefined")
        return
    if not reference["added"]:
        assert estimate.value == _near(math.exp(reference["log"]))
        assert estimate.se == _near(estimate.value * math.sqrt(reference["variance"]))
    if estimate.method == "mover-wilson":
        assert estimate.warnings == (COMBINED,)
        return
    assert not reference["added"]
    reach = 1.959963984540054 * math.sqrt(reference["variance"])
    low, high = math.exp(reference["log"] - reach), math.exp(reference["log"] + reach)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), rel=REFERENCE["tolerance"])


def _near(value):
    return None if value is None else pytest.approx(value, rel=REFERENCE["tolerance"], abs=1e-14)


# ---- Against the formulas of the books --------------------------------------------------------------------


@given(cells(), st.sampled_from([None, 0.01, 0.5, 0.9]), st.sampled_from([0.0, 0.2, 0.7]))
def test_values_agree_with_fractions(counts, prevalence, probability):
    matrix = ((counts["tn"], counts["fp"]), (counts["fn"], counts["tp"]))
    cost = ((0, 2), (7, 1))
    expected = decisions.measures(matrix, prevalence, cost)
    result = measured(counts, prevalence=prevalence, cost=cost, probability=probability)
    names = {"sensitivity": "tpr", "specificity": "tnr", "ppv": "precision", "expected_cost": "cost"}
    for name in MEASURES:
        if name == "net_benefit":
            m, n = counts["tp"] + counts["fn"], counts["fp"] + counts["tn"]
            share = Fraction(m, m + n) if prevalence is None else Fraction(prevalence)
            odds = Fraction(probability) / (1 - Fraction(probability))
            exact = share * expected["tpr"] - (1 - share) * expected["fpr"] * odds
        else:
            exact = expected[names.get(name, name)]
        value = result[name].value
        if exact is None or exact == math.inf:
            assert value == exact
            assert result[name].status == ("undefined" if exact is None else "partial")
            assert result[name].reason
        else:
            assert value == pytest.approx(float(exact), abs=1e-12)
            assert result[name].low <= value + 1e-12
            assert value <= result[name].high + 1e-12


@given(cells(least=1), st.sampled_from([0.8, 0.95]), ALTERNATIVES, st.sampled_from([0.001, 0.3]))
def test_ratios_and_predictive_values_agree_with_the_books(counts, level, alternative, prevalence):
    result = measured(
        counts, level=level, alternative=alternative, prevalence=prevalence, ratio_interval="log"
    )
    for name, formula in (("lr_pos", likelihoods.lr_pos), ("lr_neg", likelihoods.lr_neg)):
        expected = formula(**counts, level=level, alternative=alternative)
        assert (result[name].low, result[name].high) == pytest.approx(expected, rel=1e-9)
    for name, formula in (("ppv", likelihoods.ppv), ("npv", likelihoods.npv)):
        expected = formula(**counts, prevalence=prevalence, level=level, alternative=alternative)
        assert (result[name].low, result[name].high) == pytest.approx(expected, rel=1e-9)


def test_a_likelihood_ratio_worked_by_hand():
    """Sensitivity 90/100, specificity 180/200: LR+ = 9, LR- = 1/9.

    var log LR+ = 0.1/90 + 0.9/20 = 0.0461111, SE 0.214735; 9 exp(-+ 1.96 SE) = 5.908 to 13.71.
    var log LR- = 0.9/10 + 0.1/180 = 0.0905556, SE 0.300924; exp(-+ 1.96 SE) / 9 = 0.0616 to 0.2004.
    """
    result = measured({"tp": 90, "fp": 20, "fn": 10, "tn": 180}, ratio_interval="log")
    plus, minus = result["lr_pos"], result["lr_neg"]
    assert (plus.value, plus.low, plus.high) == pytest.approx((9, 5.9083, 13.7096), rel=1e-5)
    assert (minus.value, minus.low, minus.high) == pytest.approx((1 / 9, 0.061605, 0.200400), rel=1e-4)
    assert plus.se == pytest.approx(9 * 0.214735, rel=1e-5)


def test_ratios_agree_with_printed_intervals():
    """7 of 34 and 1 of 34 (Perondi et al. 2004), by the R package contingencytables: 1.1537 to 41.9763."""
    result = measured({"tp": 7, "fp": 1, "fn": 27, "tn": 33})["lr_pos"]
    assert (result.value, result.method, result.warnings) == (7, "mover-wilson", ())
    assert (result.low, result.high) == pytest.approx((1.1537, 41.9763), abs=5e-5)


def test_a_ratio_worked_by_hand():
    """Sensitivity 90/100 (Wilson 0.825634 to 0.944772), FPR 20/200 (0.065668 to 0.149424).

    Lower end: (0.9 - 0.1 t)^2 = 0.074366^2 + t^2 0.049424^2, so 0.0075573 t^2 - 0.18 t + 0.8044697 = 0 and
    t = (0.09 - sqrt(0.0081 - 0.0060796)) / 0.0075573 = 5.9620. Upper end: (0.1 t - 0.9)^2 =
    0.044772^2 + t^2 0.034332^2, 0.0088213 t^2 - 0.18 t + 0.8079955 = 0, t = 13.7371.
    """
    result = measured({"tp": 90, "fp": 20, "fn": 10, "tn": 180})
    assert (result["lr_pos"].low, result["lr_pos"].high) == pytest.approx((5.9620, 13.7371), rel=1e-4)
    by_log = measured({"tp": 90, "fp": 20, "fn": 10, "tn": 180}, ratio_interval="log")
    assert by_log["lr_pos"].method == "log"
    assert by_log["lr_pos"].se == result["lr_pos"].se
    at = measured({"tp": 90, "fp": 20, "fn": 10, "tn": 180}, prevalence=0.25)["ppv"]
    assert (at.low, at.high) == pytest.approx((5.9620 / 8.9620, 13.7371 / 16.7371), rel=1e-4)
    assert at.method == "mover-wilson"


def test_a_ratio_with_an_empty_cell_worked_by_hand():
    """9 of 10 positives (Wilson 0.5958 to 0.9821), none of 18 negatives (0 to 0.1759).

    FPR = 0, so theta^2 0.1759^2 = 0.9^2 - (0.9 - 0.5958)^2 = 0.7175 at the lower end: theta = 4.816.
    """
    result = measured({"tp": 9, "fp": 0, "fn": 1, "tn": 18})["lr_pos"]
    assert (result.value, result.high, result.status) == (math.inf, math.inf, "partial")
    assert result.low == pytest.approx(4.816, rel=1e-3)
    assert (
        result.reason
        == f"no negative case tests positive, so the ratio is infinite, at least {result.low:.4g}"
    )


def test_a_point_that_calls_nothing_positive_worked_by_hand():
    """None of 10 positives, none of 20 negatives: LR- = 1 / 1, and Wilson's lower ends are 0.7225 and 0.8389.

    The ratio may be as small as 0.7225 / 1 and as large as 1 / 0.8389 = 1.1921.
    """
    counts = {"tp": 0, "fp": 0, "fn": 10, "tn": 20}
    result = measured(counts)["lr_neg"]
    assert (result.value, result.se, result.method) == (1, 0, "mover-wilson")
    assert (result.low, result.high) == pytest.approx((0.72247, 1.19207), rel=1e-4)
    npv = measured(counts, prevalence=0.5)["npv"]
    assert (npv.value, npv.low, npv.high) == pytest.approx((0.5, 1 / 2.19207, 1 / 1.72247), rel=1e-4)


def test_f1_worked_by_hand():
    """8 hits, 3 false alarms, 2 missed: F1 = 16/21, J = 8/13.

    se of J = sqrt(8/13 x 5/13 / 13) = 0.134932, times 2 / (21/13)^2 = 0.766440 is 0.103417. Wilson's interval
    of 8/13: (8 + 1.92073 -+ 1.959964 sqrt(8 x 5 / 13 + 0.960365)) / 16.84146 = 0.355229 and 0.822903, of
    which 2 J / (1 + J) is 0.524235 and 0.902849.
    """
    result = measured({"tp": 8, "fp": 3, "fn": 2, "tn": 40})["f1"]
    assert (result.value, result.se) == pytest.approx((16 / 21, 0.103417), rel=1e-5)
    assert (result.low, result.high) == pytest.approx((0.524235, 0.902849), abs=2e-6)
    # True negatives do not matter.
    other = measured({"tp": 8, "fp": 3, "fn": 2, "tn": 4000})["f1"]
    assert (other.se, other.low, other.high) == (result.se, result.low, result.high)


@given(cells(), st.sampled_from(["wilson", "exact", "modified-wilson"]), st.sampled_from([0.05, 0.5]))
def test_quotients_take_the_slow_interval(counts, interval, prevalence):
    tp, fp, fn, tn = (counts[k] for k in ("tp", "fp", "fn", "tn"))
    result = measured(counts, interval=interval, prevalence=prevalence)
    shares = [(k / n, *proportions.BY_NAME[interval](k, n)) for k, n in ((tp, tp + fn), (fp, fp + tn))]
    odds = (1 - prevalence) / prevalence
    ends = likelihoods.quotient(shares[0], [1 + odds * share for share in shares[1]])
    expected = [2 * end / (1 + end) for end in ends]
    assert (result["f1"].low, result["f1"].high) == pytest.approx(expected, abs=1e-7)
    assert result["f1"].method == f"mover-{interval}"
    if tp + fp:
        assert result["lr_pos"].method == f"mover-{interval}"
        ends = likelihoods.quotient(*shares)
        assert (result["lr_pos"].low, result["lr_pos"].high) == pytest.approx(ends, rel=1e-6, abs=1e-7)


@given(cells(), ALTERNATIVES)
def test_the_interval_of_the_reciprocal_is_the_reciprocal(counts, alternative):
    kind = IntervalKind(alternative=alternative)
    other = {"less": "greater", "greater": "less"}.get(alternative, alternative)
    one = Spread.of_share(counts["tp"], counts["tp"] + counts["fn"], kind)
    two = Spread.of_share(counts["fp"], counts["fp"] + counts["tn"], kind)
    if one.value + two.value == 0:
        return
    low, high = quotient_ends(one, two, kind)
    turned = quotient_ends(two, one, IntervalKind(alternative=other))
    invert = lambda end: math.inf if end == 0 else 1 / end  # noqa: E731
    assert (low, high) == pytest.approx((invert(turned[1]), invert(turned[0])), rel=1e-9)


def test_a_prevalence_next_to_nothing_does_not_overflow():
    for prevalence in (1e-300, 1 - 1e-16):
        for counts in ({"tp": 5, "fp": 0, "fn": 0, "tn": 9}, {"tp": 0, "fp": 4, "fn": 5, "tn": 5}):
            result = measured(counts, prevalence=prevalence, cost=1)
            for name in ("ppv", "npv", "f1", "accuracy", "expected_cost"):
                if result[name].value is not None:
                    assert 0 <= result[name].low <= result[name].value <= result[name].high <= 1


@given(cells(), ALTERNATIVES, st.sampled_from([0.02, 0.4]))
def test_predictive_values_are_likelihood_ratios_in_disguise(counts, alternative, prevalence):
    result = measured(counts, alternative=alternative, prevalence=prevalence)
    odds = prevalence / (1 - prevalence)
    if result["ppv"].value is not None:
        for end in ("low", "high"):
            after = getattr(result["lr_pos"], end) * odds
            assert getattr(result["ppv"], end) == pytest.approx(1 - 1 / (1 + after), abs=1e-9)


@given(cells(), st.sampled_from(["wilson", "exact"]), ALTERNATIVES)
def test_shares_take_the_interval_of_their_counts(counts, interval, alternative):
    result = measured(counts, interval=interval, alternative=alternative)
    tp, fp, fn, tn = (counts[k] for k in ("tp", "fp", "fn", "tn"))
    shares = {
        "sensitivity": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "accuracy": (tp + tn, tp + fp + fn + tn),
    }
    for name, (k, n) in shares.items():
        if n == 0:
            assert result[name].reason == f"no case tests {'positive' if name == 'ppv' else 'negative'}"
            continue
        ends = IntervalKind(interval=interval, alternative=alternative).ends(k, n)
        assert (result[name].low, result[name].high, result[name].method) == (*ends, interval)
        assert result[name].se == pytest.approx(math.sqrt(k / n * (1 - k / n) / n))


@given(cells())
def test_sums_take_the_slow_interval(counts):
    tp, fp, fn, tn = (counts[k] for k in ("tp", "fp", "fn", "tn"))
    m, n = tp + fn, fp + tn
    here = measured(counts, cost=(1, 5), probability=0.2)
    there = measured(counts, cost=(1, 5), probability=0.2, prevalence=0.1)
    expected = {
        here["youden"]: ([(1, tp, m), (-1, fp, n)], False),
        here["balanced_accuracy"]: ([(0.5, tp, m), (0.5, tn, n)], False),
        here["net_benefit"]: ([(1, tp, m + n), (-0.25, fp, m + n)], True),
        here["expected_cost"]: ([(1, fp, m + n), (5, fn, m + n)], True),
        there["accuracy"]: ([(0.1, tp, m), (0.9, tn, n)], False),
        there["net_benefit"]: ([(0.1, tp, m), (-0.9 * 0.25, fp, n)], False),
        there["expected_cost"]: ([(0.9, fp, n), (0.1 * 5, fn, m)], False),
    }
    for result, (terms, same_cases) in expected.items():
        ends = proportions.squared_and_added(terms, proportions.wilson, same_cases=same_cases)
        assert (result.low, result.high) == pytest.approx(ends, abs=1e-6)
        assert result.method == "mover-wilson"


@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 20), (30, 30)])
def test_covers(n_pos, n_neg):
    """Probability that the interval holds the truth, summed over all confusion matrices."""
    sens, spec, prevalence = 0.9, 0.8, 0.1
    truth = {
        "lr_pos": sens / (1 - spec),
        "lr_neg": (1 - sens) / spec,
        "ppv": prevalence * sens / (prevalence * sens + (1 - prevalence) * (1 - spec)),
        "accuracy": prevalence * sens + (1 - prevalence) * spec,
        "balanced_accuracy": (sens + spec) / 2,
        "f1": 2 * prevalence * sens / (prevalence * (1 + sens) + (1 - prevalence) * (1 - spec)),
        "youden": sens + spec - 1,
        "net_benefit": prevalence * sens - (1 - prevalence) * (1 - spec) * 0.25,
        "expected_cost": prevalence * (1 - sens) * 5 + (1 - prevalence) * (1 - spec),
    }
    covered = dict.fromkeys(truth, 0.0)
    for tp in range(n_pos + 1):
        for fp in range(n_neg + 1):
            chance = _binomial(tp, n_pos, sens) * _binomial(fp, n_neg, 1 - spec)
            if chance < 1e-6:
                continue
            counts = {"tp": tp, "fp": fp, "fn": n_pos - tp, "tn": n_neg - fp}
            result = measured(counts, prevalence=prevalence, probability=0.2, cost=5)
            for name, value in truth.items():
                low, high = result[name].low, result[name].high
                covered[name] += chance * (low is None or low <= value <= high)
    for name, chance in covered.items():
        assert 0.925 < chance <= 1, name


@pytest.mark.slow
@pytest.mark.parametrize(("interval", "least"), [("wilson", 0.91), ("modified-wilson", 0.94)])
def test_ratios_hold_in_small_samples(interval, least):
    """Summed over all tables of 20 positives with 20 or 40 negatives; see docs/methods.md."""
    truths = {(0.8, 0.06), (0.95, 0.23), (0.8, 0.37)}
    for (sens, fpr), n_neg in itertools.product(truths, (20, 40)):
        truth = {"lr_pos": sens / fpr, "lr_neg": (1 - sens) / (1 - fpr)}
        covered = dict.fromkeys(truth, 0.0)
        for tp, fp in itertools.product(range(21), range(n_neg + 1)):
            chance = _binomial(tp, 20, sens) * _binomial(fp, n_neg, fpr)
            if chance < 1e-6:
                continue
            result = measured({"tp": tp, "fp": fp, "fn": 20 - tp, "tn": n_neg - fp}, interval=interval)
            for name, value in truth.items():
                found = result[name]
                covered[name] += chance * (found.low is None or found.low <= value <= found.high)
        assert min(covered.values()) > least, (sens, fpr, n_neg)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(10, 20), (50, 200)])
@pytest.mark.parametrize("called", [(0.01, 0.01), (0.06, 0.01), (0.03, 0.05)])
def test_ratios_cover_where_almost_nothing_is_called_positive(n_pos, n_neg, called):
    """As above, at the beginning of a curve, where LR- is near 1; the log method alone covers 78 %."""
    truth = {"lr_neg": (1 - called[0]) / (1 - called[1])}
    truth["npv"] = 1 / (1 + truth["lr_neg"])
    covered = dict.fromkeys(truth, 0.0)
    for tp in range(n_pos + 1):
        for fp in range(n_neg + 1):
            chance = _binomial(tp, n_pos, called[0]) * _binomial(fp, n_neg, called[1])
            if chance < 1e-6:
                continue
            result = measured({"tp": tp, "fp": fp, "fn": n_pos - tp, "tn": n_neg - fp}, prevalence=0.5)
            for name, value in truth.items():
                covered[name] += chance * (result[name].low <= value <= result[name].high)
    assert min(covered.values()) > 0.92


@pytest.mark.slow
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_standard_errors_are_the_deviations_of_the_estimates(prevalence):
    """The mean of the standard errors over many samples is the deviation of the values over them."""
    rng = np.random.default_rng(4)
    share = (0.255, 0.045, 0.07, 0.63) if prevalence is None else None  # tp, fn, fp, tn
    names = [name for name in MEASURES if name != "net_benefit"]
    values, errors = [], []
    for _ in range(1500):
        if share is not None:
            tp, fn, fp, tn = rng.multinomial(400, share).tolist()
        else:
            tp, fp = int(rng.binomial(150, 0.85)), int(rng.binomial(250, 0.1))
            fn, tn = 150 - tp, 250 - fp
        result = measured({"tp": tp, "fp": fp, "fn": fn, "tn": tn}, prevalence=prevalence, cost=(1, 4))
        values.append([result[name].value for name in names])
        errors.append([result[name].se for name in names])
    ratios = np.mean(errors, axis=0) / np.std(values, axis=0, ddof=1)
    np.testing.assert_allclose(ratios, 1, atol=0.07, err_msg=str(dict(zip(names, ratios, strict=True))))


@pytest.mark.slow
def test_f1_covers():
    """Of 100 cases drawn from a population."""
    rng = np.random.default_rng(6)
    truth = 2 * 0.2 / (2 * 0.2 + 0.1 + 0.05)
    covered = []
    for tp, fp, fn, tn in rng.multinomial(100, (0.2, 0.1, 0.05, 0.65), size=2000).tolist():
        result = measured({"tp": tp, "fp": fp, "fn": fn, "tn": tn})["f1"]
        covered.append(result.low <= truth <= result.high)
    assert 0.935 < np.mean(covered) < 0.975  # Monte-Carlo error 0.005


def _binomial(k, n, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


def test_costs_of_right_decisions_count():
    counts = {"tp": 6, "fp": 3, "fn": 2, "tn": 9}
    base = measured(counts, cost=[[0, 2], [5, 0]])["expected_cost"]
    moved = measured(counts, cost=[[1, 3], [6, 1]])["expected_cost"]
    assert moved.value == pytest.approx(base.value + 1)
    assert (moved.low, moved.high) == pytest.approx((base.low + 1, base.high + 1))
    at = measured(counts, cost=[[1, 3], [6, 1]], prevalence=0.25)["expected_cost"]
    assert at.value == pytest.approx(1 + 0.75 * 0.25 * 2 + 0.25 * 0.25 * 5)


# ---- The point --------------------------------------------------------------------------------------------


@given(samples.labelled(), st.data())
def test_counts_agree_with_counting(labelled, data):
    y, scores = labelled
    cut = data.draw(st.one_of(st.sampled_from(scores.tolist()), samples.SCORES))
    result = point_measures(y, scores, threshold=cut)
    called = scores >= cut
    expected = [np.count_nonzero(called & (y == 1)), np.count_nonzero(called & (y == 0))]
    assert [result.tp, result.fp] == expected
    assert result.tp + result.fn == y.sum()
    assert result.fp + result.tn == (1 - y).sum()
    assert not result.chosen
    assert CHOSEN not in result.warnings


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rule": "closest"},
        {"select": ("tpr>=0.9",)},
        {"select": "fpr<=0.1"},
        {"cost": 5},
        {"cost": (1, 3), "prevalence": 0.1, "select": ["tpr>=0.5"]},
    ],
)
def test_chooses_as_the_curve_does(options):
    curve = roc_curve(Y, S)
    bounds = options.get("select", ())
    bounds = (bounds,) if isinstance(bounds, str) else bounds
    index = curve.select(*bounds, **{k: v for k, v in options.items() if k != "select"})
    result = point_measures(Y, S, **options)
    assert result.threshold == curve.thresholds[index]
    assert [[result.tn, result.fp], [result.fn, result.tp]] == curve.confusion()[index].tolist()
    assert result.chosen
    assert result.warnings == (CHOSEN,)


def test_all_and_nothing():
    nothing = point_measures(Y, S, threshold=math.inf)
    assert (nothing.tp, nothing.fp, nothing.fn, nothing.tn) == (0, 0, 3, 4)
    assert str(nothing.ppv) == "PPV undefined: no case tests positive"
    assert str(nothing.lr_pos) == "LR+ undefined: no case tests positive, so the ratio is 0/0"
    assert nothing.lr_neg.value == 1
    assert nothing.lr_neg.low < 1 < nothing.lr_neg.high
    everything = point_measures(Y, S, threshold=-math.inf, prevalence=0.2)
    assert (everything.tp, everything.fp, everything.fn, everything.tn) == (3, 4, 0, 0)
    assert everything.ppv.value == pytest.approx(0.2)
    assert everything.ppv.low < 0.2 < everything.ppv.high
    assert str(everything.npv) == "NPV undefined: no case tests negative"


def test_infinite_scores():
    y, s = [0, 0, 1, 1], [-math.inf, 3.0, 1.0, math.inf]
    assert point_measures(y, s, threshold=math.inf).tp == 1
    assert point_measures(y, s, threshold=-math.inf).fp == 2
    result = point_measures(y, s, select="fpr<=0")
    assert (result.threshold, result.tp) == (math.inf, 1)
    assert INFINITE not in result.warnings
    nothing = point_measures([1, 1, 0, 0], s, select="fpr<=0")
    assert (nothing.threshold, nothing.tp, nothing.fp) == (math.inf, 0, 0)
    assert INFINITE in nothing.warnings


def test_long_integers_are_cut_exactly():
    big = 2**53
    result = point_measures([0, 1, 1], [big, big + 1, big + 2], threshold=big + 1)
    assert (result.tp, result.fp) == (2, 0)
    assert result.threshold == big + 1


def test_constant_scores():
    chosen = point_measures([0, 1], [5, 5])
    assert (chosen.threshold, chosen.tp, chosen.youden.value) == (math.inf, 0, 0)
    assert point_measures([0, 1], [5, 5], threshold=5).tp == 1


def test_one_case_in_a_class_has_its_intervals():
    result = point_measures([0, 0, 1], [0.1, 0.2, 0.9], threshold=0.5)
    assert (result.sensitivity.low, result.sensitivity.high) == pytest.approx(
        proportions.wilson(1, 1), abs=1e-9
    )
    assert result.youden.status == "ok"


def test_checked_scores_and_tables_come_in_too():
    expected = point_measures(Y, S, threshold=0.4)
    assert point_measures(BinaryScores.from_arrays(Y, S), threshold=0.4) == expected
    table = ScoreTable.from_counts(S, pos=Y, neg=[1 - y for y in Y])
    assert point_measures(table, threshold=0.4) == expected
    weighted = BinaryScores.from_arrays(Y, S, sample_weight=[2, 1, 1, 1, 1, 1, 1])
    assert point_measures(weighted, threshold=0.4).tn == expected.tn + 1


# ---- Net benefit and cost ---------------------------------------------------------------------------------


def test_net_benefit_takes_a_given_threshold_of_probabilities():
    result = point_measures(Y, S, threshold=0.5)
    assert result.threshold_probability == 0.5
    assert result.net_benefit.value == pytest.approx(2 / 7 - 1 / 7)
    other = point_measures(Y, S, threshold=0.5, threshold_probability=0.2)
    assert other.net_benefit.value == pytest.approx(2 / 7 - 1 / 7 * 0.25)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({}, "a threshold chosen on the data does not say what a false positive weighs"),
        ({"threshold": 1.0}, "the threshold is not a probability of at least 0 and below 1"),
        ({"threshold": math.inf}, "the threshold is not a probability of at least 0 and below 1"),
    ],
)
def test_net_benefit_says_why_it_is_undefined(options, reason):
    result = point_measures(Y, S, **options).net_benefit
    assert (result.value, result.status) == (None, "undefined")
    assert result.reason == f"{reason}: give threshold_probability"


def test_scores_that_are_no_probabilities_have_no_net_benefit_of_their_own():
    result = point_measures(Y, np.array(S) * 10, threshold=0.5)
    assert result.net_benefit.reason.startswith("the scores are not all between 0 and 1")
    assert point_measures(Y, np.array(S) * 10, threshold=5, threshold_probability=0.5).net_benefit.value


def test_cost_is_an_option():
    assert point_measures(Y, S, threshold=0.5).expected_cost.reason == "cost was not given"
    assert point_measures(Y, S, threshold=0.5, cost=5).expected_cost.value == pytest.approx(6 / 7)


# ---- Form -------------------------------------------------------------------------------------------------


def test_result_reads_as_text_json_and_rows():
    result = point_measures(Y, S, threshold=0.5, pos_label=1)
    text = str(result).splitlines()
    assert (
        text[0] == "Test positive for 1 where score >= 0.5: "
        "2 true and 1 false positives, 3 true and 1 false negatives"
    )
    assert text[1] == "  sensitivity 0.6667 (95% interval 0.2077-0.9385, wilson)"
    assert len(text) == 1 + len(MEASURES)
    assert result.columns()["measure"] == list(MEASURES)
    assert json.loads(result.to_json())["lr_pos"]["value"] == pytest.approx(8 / 3)
    assert "see cutpoint" in str(point_measures(Y, S))


def test_json_is_strict_at_infinity():
    read = json.loads(point_measures(Y, S, threshold=math.inf).to_json())
    assert (read["threshold"], read["ppv"]["value"], read["ppv"]["status"]) == ("inf", None, "undefined")
    read = json.loads(point_measures(Y, S, threshold=0.75).to_json())
    assert (read["lr_pos"]["value"], read["lr_pos"]["high"]) == ("inf", None)


@pytest.mark.parametrize(
    ("cut", "name", "expected"),
    [
        (0.75, "lr_pos", math.inf),  # a positive and no negative case tests positive
        (math.inf, "lr_pos", None),  # no case does
        (0.15, "lr_neg", math.inf),  # a positive and no negative case tests negative
        (-math.inf, "lr_neg", None),  # no case does
        (0.75, "odds_ratio", math.inf),
        (math.inf, "odds_ratio", None),
    ],
)
def test_an_infinite_ratio_is_infinite_in_every_place(cut, name, expected):
    """Infinite as a number, "inf" in JSON, "infinite" in texts; None, NaN and "undefined" stay for 0/0."""
    y, s = [0, 0, 0, 1, 1, 1], [0.2, 0.3, 0.5, 0.1, 0.6, 0.8]
    curve, nan = roc_curve(y, s), math.nan
    k = 0 if cut == math.inf else int(np.flatnonzero(curve.thresholds >= cut)[-1])
    (value,) = curve.measure(name)[[k]]
    np.testing.assert_equal(value, nan if expected is None else expected)
    table = curve.coords([cut], measures=[name])
    np.testing.assert_equal(table.values[0, 0], value)
    np.testing.assert_equal(table.frame()[name].iloc[0], value)
    json_value = None if expected is None else "inf"
    assert json.loads(table.to_json())["values"] == [[json_value]]
    assert ("infinite" if expected else "undefined") in str(table).splitlines()[-1]
    fold = np.repeat([0, 1], 6)
    average = average_roc(y * 2, s * 2, fold=fold, points=[cut], measures=[name])
    np.testing.assert_equal(average.mean[0, 0], value)
    assert json.loads(average.to_json())["mean"] == [[json_value]]
    assert AveragedRoc.from_dict(json.loads(average.to_json())) == average
    point = average.point(0)
    assert point.measures[name] == expected
    assert json.loads(point.to_json())["measures"][name] == json_value
    if name == "odds_ratio":  # not among the measures of a point
        return
    result = point_measures(y, s, threshold=cut)
    estimate = getattr(result, name)
    assert estimate.value == expected
    assert json.loads(result.to_json())[name]["value"] == json_value
    assert PointMeasures.from_dict(json.loads(result.to_json())) == result
    frame = result.frame().set_index("measure")
    np.testing.assert_equal(float(frame["value"][name]), value)
    assert estimate.frame()["value"].tolist() == [expected]
    assert f"{estimate.name} {'infinite' if expected else 'undefined'}: no " in str(result)
    (row,) = [row for row in result.table().rows if row[0] == estimate.name]
    assert row[1].startswith("∞" if expected else "undefined")
    figures = point_measures_picture(result).panels[0].y.far_labels
    assert any("infinite" in text for text in figures) == (expected is not None)
    for draw in (plotting.matplotlib, plotting.figure_json):
        draw(plotting.picture(estimate))


def test_no_value_is_nan():
    for cut in [math.inf, -math.inf, *S]:
        result = point_measures(Y, S, threshold=cut, cost=3, prevalence=0.1, threshold_probability=0.2)
        for estimate in result.estimates.values():
            figures = [getattr(estimate, f.name) for f in dataclasses.fields(estimate)]
            assert not any(isinstance(x, float) and math.isnan(x) for x in figures)
            assert (estimate.value is None) == (estimate.status == "undefined")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.5, "rule": "youden"}, "threshold must come without select and rule"),
        ({"threshold": 0.5, "select": "tpr>=0.9"}, "threshold must come without select and rule"),
        ({"threshold": math.nan}, "threshold must be a number other than NaN, got nan"),
        ({"threshold": "0.5"}, "threshold must be a number, got '0.5'"),
        ({"prevalence": 1}, "prevalence must lie between 0 and 1, got 1"),
        ({"threshold_probability": 1}, "threshold_probability must be below 1"),
        ({"threshold_probability": -0.1}, r"threshold_probability must lie between 0 and 1 \(both allowed\)"),
        ({"interval": "wald"}, "interval must be one of 'wilson', 'exact', 'modified-wilson', got 'wald'"),
        ({"select": "tpr>0.9x"}, "a constraint must read like 'tpr>=0.9'"),
        ({"select": 5}, "a constraint must read like 'tpr>=0.9', got 5"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(RocInputError, match=message):
        point_measures(Y, S, **options)


def test_thinned_and_weighted_tables_are_refused():
    table = ScoreTable.from_counts(S, pos=Y, neg=[1 - y for y in Y])
    with pytest.raises(RocInputError, match="y_true must be an exact table, got a thinned one"):
        point_measures(table.thin(2), threshold=0.5)
    half = ScoreTable.from_counts(S, pos=[0.5 * y for y in Y], neg=[1 - y for y in Y])
    with pytest.raises(RocInputError, match="y_true must count whole cases for an interval"):
        point_measures(half, threshold=0.5)
    with pytest.raises(RocInputError, match="must be left out where y_true is a ScoreTable"):
        point_measures(table, S, threshold=0.5)


def test_bounds_that_no_point_meets():
    with pytest.raises(UndefinedError, match=r"no operating point has tpr>=0\.9 and fpr<=0"):
        point_measures(Y, S, select=("tpr>=0.9", "fpr<=0"))


def test_texts_print_the_figures_that_decide_the_same():
    scores = [0.1636267190106496, 0.1, 0.2, 0.3]
    point = point_measures([1, 0, 0, 1], scores, threshold=scores[0])
    assert "where score >= 0.163626:" in str(point)
    assert point.table().notes[0] == "Test positive where score >= 0.163626."
    assert point.to_dict()["threshold"] == scores[0]
    assert str(type(point).from_dict(point.to_dict())) == str(point)
    near = point_measures([1, 0, 0, 1], [scores[0], 0.1636267, 0.2, 0.3], threshold=scores[0])
    assert "where score >= 0.16362671:" in str(near)
    assert "where score >= 0.25:" in str(point_measures([1, 0, 0, 1], scores, threshold=0.25))
