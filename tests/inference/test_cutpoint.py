import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference_cases import RECIPES
from rocscope import BinaryScores, RocInputError, UndefinedError, roc_curve
from rocscope.core.resampling import Cases, Sampling
from rocscope.inference.cutpoint import cutpoint, resampled_choices, threshold_interval
from rocscope.inference.point_measures import point_measures
from rocscope.inference.proportions import CountedScores
from slow import choices, decisions, samples

Y = [0] * 6 + [1] * 6
S = [1, 2, 3, 4, 5, 8, 6, 7, 9, 10, 11, 12]
NO_COST = "neither cost nor prevalence was given"


def relative(y, cost=(1, 1), prevalence=None):
    """Weight of a false positive against a false negative."""
    share = Fraction(int(sum(y)), len(y)) if prevalence is None else Fraction(prevalence)
    return Fraction(cost[0]) * (1 - share) / (Fraction(cost[1]) * share)


# Selection rules, and how the slow twin says them: the loss of a point (FPR, TPR), the measures allowed.
RULES = {
    "youden": (((), {}), lambda y: (decisions.youden_loss(), lambda _: True)),
    "closest": (((), {"rule": "closest"}), lambda y: (decisions.corner_loss(), lambda _: True)),
    "cost": (((), {"cost": 5}), lambda y: (decisions.youden_loss(relative(y, (1, 5))), lambda _: True)),
    "prevalence": (
        ((), {"cost": (3, 1), "prevalence": 0.25}),
        lambda y: (decisions.youden_loss(relative(y, (3, 1), 0.25)), lambda _: True),
    ),
    "tpr": ((("tpr>=0.75",), {}), lambda y: (lambda p: p[0], lambda m: m["tpr"] >= 0.75)),
    "fpr": ((("fpr<=0.25",), {}), lambda y: (lambda p: 1 - p[1], lambda m: m["fpr"] <= 0.25)),
    "both": (
        (("tpr>=0.25", "fpr<=0.25"), {}),
        lambda y: (lambda p: p[0], lambda m: m["tpr"] >= 0.25 and m["fpr"] <= 0.25),
    ),
    "precision": (
        (("precision>=0.625",), {}),
        lambda y: (lambda p: 1 - p[1], lambda m: m["precision"] is not None and m["precision"] >= 0.625),
    ),
}


def drawn_cases(data, n_boot, rng):
    """Of every replicate, the scores drawn and the scores left out, of each class."""
    pos, neg = (np.repeat(data.table.scores, counts).tolist() for counts in (data.table.pos, data.table.neg))
    sizes = Cases((data.n_neg, data.n_pos))
    for of_neg, of_pos in zip(
        *Sampling(n_boot=n_boot, rng=rng).replicates(sizes, lambda draws: draws.classes), strict=True
    ):
        drawn = choices.spread(pos, of_pos), choices.spread(neg, of_neg)
        yield drawn, (choices.spread(pos, of_pos == 0), choices.spread(neg, of_neg == 0))


def slow_choices(data, y, name, n_boot, rng):
    loss, allowed = RULES[name][1](y)
    for drawn, left_out in drawn_cases(data, n_boot, rng):
        threshold = choices.choose(*drawn, loss, allowed)
        yield threshold, choices.judge(*left_out, threshold)


@settings(max_examples=40)
@given(
    st.one_of(samples.labelled(samples.LEVELS), samples.labelled(samples.FLOATS)),
    st.sampled_from(list(RULES)),
    st.integers(0, 99),
)
def test_replicates_choose_and_judge_as_by_hand(labelled, name, seed):
    y, scores = labelled
    bounds, options = RULES[name][0]
    data = CountedScores.read(y, scores)
    curve = data.curve()
    result = resampled_choices(data.table, curve, bounds, **options, sampling=Sampling(n_boot=20, rng=seed))
    for i, (threshold, judged) in enumerate(slow_choices(data, y, name, 20, seed)):
        assert result.feasible[i] == (threshold is not None)
        if threshold is not None:
            assert curve.thresholds[result.vertex[i]] == threshold
        assert result.judged[i] == (judged is not None)
        if judged is not None:
            assert (result.tpr[i], result.fpr[i]) == (float(judged[0]), float(judged[1]))


@pytest.mark.parametrize(
    ("recipe", "name"),
    [
        pytest.param(recipe, name, marks=[pytest.mark.slow] if recipe == "n20" and name != "youden" else [])
        for recipe in ("n20", "ties_five_levels")
        for name in RULES
    ],
)
def test_the_result_sums_up_the_replicates(recipe, name):
    y, scores = RECIPES[recipe]()
    (bounds, options), n_boot = RULES[name][0], 200
    drawn = {"method": "bootstrap", "n_boot": n_boot, "rng": 11}
    result = cutpoint(y, scores["a"], *bounds, **options, level=0.9, **drawn)
    data = CountedScores.read(y, scores["a"])
    slow = list(slow_choices(data, y, name, n_boot, 11))
    chosen = sorted(threshold for threshold, _ in slow if threshold is not None)
    judged = [rates for _, rates in slow if rates is not None]
    assert result.n_infeasible == n_boot - len(chosen)
    assert result.n_not_left_out == len(chosen) - len(judged)
    outside = math.floor(len(chosen) / 20)
    assert (result.low, result.high) == (chosen[outside], chosen[-1 - outside])
    assert result.share.sum() == pytest.approx(1)
    for threshold, share in zip(result.choices, result.share, strict=True):
        assert share == pytest.approx(chosen.count(threshold) / len(chosen))
    curve = roc_curve(y, scores["a"])
    index = curve.select(*bounds, **options)
    assert result.threshold == curve.thresholds[index]
    for row, values in (
        (result.tpr, [float(tpr) for tpr, _ in judged]),
        (result.fpr, [float(fpr) for _, fpr in judged]),
        (result.youden, [float(tpr - fpr) for tpr, fpr in judged]),
    ):
        assert row.apparent == pytest.approx(curve.measure(row.name)[index])
        assert row.out_of_bag == pytest.approx(np.mean(values))
        assert row.optimism == pytest.approx(row.apparent - np.mean(values))
        assert row.sd == pytest.approx(np.std(values, ddof=1))


def test_expected_cost_on_cases_left_out():
    result = cutpoint(Y, S, cost={"fp": 2, "fn": 7}, prevalence=0.1, n_boot=150, rng=3)
    tpr, fpr = result.tpr, result.fpr
    assert result.cost.apparent == pytest.approx(0.1 * 7 * (1 - tpr.apparent) + 0.9 * 2 * fpr.apparent)
    expected = 0.1 * 7 * (1 - tpr.out_of_bag) + 0.9 * 2 * fpr.out_of_bag
    assert result.cost.out_of_bag == pytest.approx(expected)
    assert cutpoint(Y, S, n_boot=150, rng=3).cost.reason == NO_COST


def test_choosing_flatters_and_cases_left_out_do_not():
    """Youden's index of normal scores, d = 1: apparent, on cases left out, and in truth at the threshold."""
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], 30)
    rows = []
    for seed in range(150):
        result = cutpoint(y, rng.normal(size=60) + y, n_boot=100, rng=seed)
        # Thresholds are observed scores, mostly of positives, on both sides of this equation.
        truth = _upper(result.threshold - 1) - _upper(result.threshold)
        rows.append((result.youden.apparent, result.youden.out_of_bag, truth))
    apparent, out_of_bag, truth = np.mean(rows, axis=0)
    assert apparent > truth + 0.08
    assert abs(out_of_bag - truth) < 0.03


def _upper(x):
    return math.erfc(x / math.sqrt(2)) / 2


# ---- Reliability ------------------------------------------------------------------------------------------


def test_same_seed_same_numbers_in_any_row_order():
    for method in ("bootstrap", "order-statistics"):
        how = {"method": method, "n_boot": 130}
        first = cutpoint(Y, S, "tpr>=0.75", rng=8, **how)
        order = np.random.default_rng(0).permutation(12)
        mixed = cutpoint(np.array(Y)[order], np.array(S)[order], "tpr>=0.75", rng=8, **how)
        assert str(mixed) == str(first)
        assert str(cutpoint(BinaryScores.from_arrays(Y, S), None, "tpr>=0.75", rng=8, **how)) == str(first)
        assert str(cutpoint(Y, S, "tpr>=0.75", rng=9, **how)) != str(first)


def test_thresholds_come_from_drawn_scores():
    """A score of which no case was drawn is never chosen: the highest with the same rates is."""
    data = CountedScores.read(Y, S)
    result = resampled_choices(data.table, data.curve(), rule="youden", sampling=Sampling(n_boot=200, rng=1))
    for vertex, (drawn, _) in zip(result.vertex, drawn_cases(data, 200, 1), strict=True):
        assert vertex == 0 or data.table.scores[vertex - 1] in drawn[0] + drawn[1]


def test_bounds_that_some_replicates_cannot_meet():
    result = cutpoint(Y, S, "tpr>=0.6", "fpr<=0.1", n_boot=300, rng=2)
    assert 0 < result.n_infeasible < 300
    assert f"{result.n_infeasible} of 300 replicates had no point that meets the bounds" in result.warnings[0]


def test_one_case_in_a_class_is_never_left_out():
    result = cutpoint([0, 0, 0, 1], [1, 2, 3, 4], n_boot=100, rng=1)
    assert (result.threshold, result.low, result.high, result.status) == (4, None, None, "partial")
    assert result.reason == "the bootstrap needs two cases in each class, one has 1"
    assert result.n_not_left_out == 100
    assert str(result.tpr) == "tpr 1.0000 (not judged: no replicate left out cases of both classes)"


def test_two_cases_in_a_class_are_sometimes_both_drawn():
    result = cutpoint([0] * 8 + [1] * 2, range(10), n_boot=400, rng=1)
    assert 150 < result.n_not_left_out < 250
    assert result.tpr.out_of_bag is not None


def test_constant_scores():
    result = cutpoint([0, 0, 1, 1], [3, 3, 3, 3], n_boot=100, rng=1)
    assert (result.threshold, result.low, result.high) == (math.inf, math.inf, math.inf)
    assert "no case tests positive at the chosen point" in result.warnings
    read = json.loads(result.to_json())
    assert (read["threshold"], read["low"], read["choices"], read["share"]) == ("inf", "inf", ["inf"], [1.0])


def test_perfect_separation():
    result = cutpoint([0] * 10 + [1] * 10, range(20), n_boot=200, rng=1)
    assert (result.tpr.apparent, result.fpr.apparent, result.fpr.out_of_bag) == (1, 0, 0)
    assert result.tpr.out_of_bag < 1
    assert result.threshold == result.low == 10


def test_infinite_scores_are_extreme_thresholds():
    result = cutpoint([0, 0, 0, 1, 1, 1], [-math.inf, 1, 2, 2, 3, math.inf], n_boot=100, rng=1)
    assert result.warnings[0] == "infinite scores were ranked above or below all others"
    assert result.low <= result.threshold <= result.high


def test_long_integers_stay_whole():
    result = cutpoint([0, 0, 1, 1], [2**60 + i for i in range(4)], n_boot=100, rng=1)
    assert result.threshold == 2**60 + 2
    assert isinstance(result.low, int)


def test_result_reads_as_text_json_and_rows():
    result = cutpoint(Y, S, n_boot=200, rng=7)
    text = str(result).splitlines()
    assert text[0].startswith("Threshold 6 (95% interval 6 to ")
    assert text[1].startswith("  tpr 1.0000, on cases left out 0.")
    assert text[4] == f"  cost undefined: {NO_COST}"
    assert result.columns()["name"] == ["tpr", "fpr", "youden", "cost"]
    assert json.loads(result.to_json())["measures"][0]["apparent"] == 1.0


def test_what_is_refused():
    with pytest.raises(RocInputError, match="n_boot must be a whole number of at least 1, got 0"):
        cutpoint(Y, S, n_boot=0)
    rules = "'youden', 'closest', 'se=sp', 'max-product', 'max-accuracy', 'max-f1', 'max-kappa', 'max-ppv'"
    with pytest.raises(RocInputError, match=f"rule must be one of {rules}, 'min-p', got 'best'"):
        cutpoint(Y, S, rule="best")
    with pytest.raises(UndefinedError, match="no operating point has"):
        cutpoint(Y, S, "tpr>=0.9", "fpr<=0.1")


def test_equal_optima_are_listed():
    y, s = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    note = "thresholds that are as good by the rule: 0.35"
    assert note in cutpoint(y, s, n_boot=100, rng=1).warnings
    assert note in point_measures(y, s, rule="youden").warnings
    # A bound leaves points of the same FPR with a smaller TPR, which are not as good.
    assert not any("as good" in text for text in point_measures(y, s, select=["tpr>=0.5"]).warnings)
    many = point_measures([0, 1] * 14, list(range(28, 0, -1)), rule="max-product")
    equal = roc_curve([0, 1] * 14, list(range(28, 0, -1))).select(rule="max-product").equal
    assert len(many.warnings) == 1 + bool(equal)
    tied = point_measures([1, 0] * 13, list(range(26, 0, -1)), rule="youden").warnings[-1]
    assert tied.startswith("thresholds that are as good by the rule: 24, 22, 20, ")
    assert tied.endswith(", 6 and 2 more")


@pytest.mark.parametrize(("level", "left_out"), [(0.9, 2), (0.95, 1), (0.5, 10)])
def test_the_interval_leaves_out_as_many_replicates_on_either_side(level, left_out):
    n = 40
    curve = roc_curve([0, 1] * n, range(2 * n))
    chosen = np.random.default_rng(1).permutation(np.arange(1, n + 1))
    low, high = threshold_interval(curve, 20, chosen, level)
    thresholds = sorted(curve.thresholds[chosen])
    assert (low, high) == (thresholds[left_out], thresholds[-1 - left_out])
    lower = roc_curve([1, 0] * n, range(2 * n), direction="lower")
    low, high = threshold_interval(lower, 20, chosen, level)
    thresholds = sorted(lower.thresholds[chosen])
    assert (low, high) == (thresholds[left_out], thresholds[-1 - left_out])
