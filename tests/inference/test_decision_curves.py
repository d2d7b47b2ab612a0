import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

from reference_cases import RECIPES
from rocscope import BinaryScores, RocInputError, ScoreTable
from rocscope.core import kernels
from rocscope.core.resampling import Cases, Sampling
from rocscope.inference.bands import Band
from rocscope.inference.decision_curve import net_benefit
from rocscope.inference.point_measures import point_measures
from rocscope.inference.precision_recall import RECALLS, PrCurve, _ordered_uniform, precision_recall
from rocscope.inference.proportions import CountedScores
from slow import choices, precision, samples

RECALL = st.one_of(st.fractions(Fraction(1, 50), 1), st.sampled_from([Fraction(1, 3), Fraction(1)]))
PROBABILITIES = st.integers(0, 8).map(lambda k: k / 8)


def by_class(y, scores):
    scores = np.asarray(scores)
    return scores[np.asarray(y) == 1].tolist(), scores[np.asarray(y) == 0].tolist()


# ---- Precision and recall ---------------------------------------------------------------------------------


@pytest.mark.parametrize("recipe", [name for name in RECIPES if name != "n10000"])
def test_agrees_with_scikit_learn(recipe):
    y, scores = RECIPES[recipe]()
    result = precision_recall(y, scores["a"], n_boot=100, rng=1)
    p, r, cuts = metrics.precision_recall_curve(y, scores["a"])
    assert result.precision == pytest.approx(p[:-1][::-1], abs=1e-12)
    assert result.recall == pytest.approx(r[:-1][::-1], abs=1e-12)
    assert result.thresholds.tolist() == cuts[::-1].tolist()
    expected = metrics.average_precision_score(y, scores["a"])
    assert result.average_precision.value == pytest.approx(expected, abs=1e-12)


@given(samples.labelled(samples.LEVELS, max_size=16), st.sampled_from([0.5, 0.125]), RECALL)
def test_curve_agrees_with_counting(labelled, share, recall):
    y, scores = labelled
    pos, neg = by_class(y, scores)
    curve = PrCurve.of_table(CountedScores.read(y, scores).table, share)
    assert curve.average_precision() == pytest.approx(float(precision.average_precision(pos, neg, share)))
    assert curve.area() == pytest.approx(precision.area(pos, neg, share), abs=1e-9)
    result = curve.precision_at(np.array([float(recall)]))[0]
    assert result == pytest.approx(float(precision.precision_at(pos, neg, recall, share)), abs=1e-9)


def test_precision_between_thresholds_is_not_linear():
    """Davis and Goadrich's example: from (TP 5, FP 5) to (TP 10, FP 30), 20 positives, 2000 negatives.

    Every further true positive brings five false ones: TP 6 has FP 10, TP 7 has FP 15, ...
    """
    table = ScoreTable.from_counts([3, 2, 1], pos=[5, 5, 10], neg=[5, 25, 1970])
    curve = PrCurve.of_table(table, 20 / 2020)
    result = curve.precision_at(np.array([5, 6, 7, 8, 9, 10]) / 20)
    assert result == pytest.approx([5 / 10, 6 / 16, 7 / 22, 8 / 28, 9 / 34, 10 / 40])
    assert result[1:5].max() < 0.5 - 0.25 / 5  # the straight line lies above all of them


def test_flat_stretches_take_the_smallest_false_positive_rate():
    """At a recall of 0.07 of 100 positives the seventh is just reached, whatever 0.07 * 100 rounds to."""
    table = ScoreTable.from_counts([4, 3, 2, 1], pos=[7, 0, 93, 0], neg=[1, 9, 0, 10])
    curve = PrCurve.of_table(table, 0.5)
    assert 0.07 * 100 > 7
    assert curve.precision_at(np.array([0.07]))[0] == pytest.approx(0.07 / (0.07 + 1 / 20))


def test_area_when_the_curve_starts_with_negatives():
    """One negative above two positives: precision t / (t + 1) at t true positives."""
    result = precision_recall([0, 1, 1], [3, 2, 1], n_boot=100, rng=1)
    assert result.area.value == pytest.approx((2 - math.log(3)) / 2)
    assert result.average_precision.value == pytest.approx(0.5 * 1 / 2 + 0.5 * 2 / 3)


def test_prevalence_replaces_the_share_of_the_cases():
    """Ten copies of every negative are the same as a share of positives ten times as small, in odds."""
    y, scores = np.array([1, 0, 1, 1, 0]), np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    many = np.repeat(np.arange(5), np.where(y == 1, 1, 10))
    one = precision_recall(y, scores, prevalence=3 / 23, n_boot=100, rng=1)
    other = precision_recall(y[many], scores[many], n_boot=100, rng=1)
    assert one.precision == pytest.approx(other.precision)
    assert one.band.mean == pytest.approx(other.band.mean)
    assert one.area.value == pytest.approx(other.area.value)
    assert (one.prevalence, other.prevalence) == pytest.approx((3 / 23, 3 / 23))


@settings(max_examples=15)
@given(samples.labelled(samples.LEVELS, min_each=2), st.integers(0, 99))
def test_band_holds_the_percentiles_of_the_replicates(labelled, seed):
    y, scores = labelled
    recalls = np.array([0.3, 0.5, 1.0])
    how = {"n_boot": 100, "level": 0.8, "rng": seed, "method": "bootstrap"}
    result = precision_recall(y, scores, prevalence=0.25, recall=recalls, **how)
    table = CountedScores.read(y, scores).table
    pos, neg = (np.repeat(table.scores, counts).tolist() for counts in (table.pos, table.neg))
    values, averages, areas = [], [], []
    drawn_cases = Sampling(n_boot=100, rng=seed).replicates(
        Cases((table.n_neg, table.n_pos)), lambda draws: draws.classes
    )
    for of_neg, of_pos in zip(*drawn_cases, strict=True):
        drawn = choices.spread(pos, of_pos), choices.spread(neg, of_neg)
        exact = [Fraction(3, 10), Fraction(1, 2), Fraction(1)]
        values.append([float(precision.precision_at(*drawn, r, 0.25)) for r in exact])
        averages.append(float(precision.average_precision(*drawn, 0.25)))
        areas.append(precision.area(*drawn, 0.25))
    low, high = np.quantile(values, [0.1, 0.9], axis=0)
    assert result.band.defined.tolist() == (high - low > 1e-9).tolist()
    assert result.band.low[result.band.defined] == pytest.approx(low[result.band.defined], abs=1e-8)
    assert result.band.high[result.band.defined] == pytest.approx(high[result.band.defined], abs=1e-8)
    for estimate, replicates in ((result.average_precision, averages), (result.area, areas)):
        if estimate.status == "ok":
            ends = np.quantile(replicates, [0.1, 0.9])
            assert (estimate.low, estimate.high) == pytest.approx(tuple(ends), abs=1e-8)
            assert estimate.se == pytest.approx(np.std(replicates, ddof=1), abs=1e-8)


def test_an_unknown_prevalence_widens_the_band():
    """All positives above, with 40 of 400 negatives: precision 1 / (1 + odds FPR) at every recall.

    Variance of logit precision: 1/40 - 1/400 of log FPR, and 1/100 + 1/400 of the logit of the share.
    """
    table = ScoreTable.from_counts([2, 1], pos=[100, 0], neg=[40, 360])
    for prevalence, variance in ((0.2, 1 / 40 - 1 / 400), (None, 1 / 40 + 1 / 100)):
        band = precision_recall(table, prevalence=prevalence, recall=[0.8], n_boot=4000, rng=1).band
        low, high = (np.log(end[0] / (1 - end[0])) for end in (band.low, band.high))
        assert (high - low) / 3.92 == pytest.approx(math.sqrt(variance), rel=0.05)


def test_replicates_that_agree_give_no_interval():
    result = precision_recall([0] * 10 + [1] * 10, range(20), n_boot=100, rng=1, method="bootstrap")
    assert (result.area.value, result.area.low, result.area.status) == (1.0, None, "partial")
    assert result.area.reason == "the replicates agree, so they show no uncertainty"
    assert not result.band.defined.any()
    assert np.isnan(result.band.low).all()
    assert result.band.warnings == (
        "at 100 of 100 recalls the replicates agree, so they show no uncertainty",
    )
    assert json.loads(result.to_json())["band"]["low"][0] is None


def test_one_case_in_a_class_gives_no_interval():
    result = precision_recall([0, 0, 0, 1], [1, 2, 4, 3], n_boot=100, rng=1, method="bootstrap")
    assert (result.average_precision.value, result.average_precision.status) == (0.5, "partial")
    assert result.average_precision.reason == "the bootstrap needs two cases in each class, one has 1"


def test_constant_scores_have_the_precision_of_the_prevalence():
    result = precision_recall([0, 0, 0, 1, 1], [7] * 5, n_boot=200, rng=1)
    assert result.band.mean == pytest.approx(0.4)
    assert result.area.value == pytest.approx(0.4)
    assert result.area.low < 0.4 < result.area.high  # the share of positives is drawn


def test_a_drawn_curve_has_the_area_of_its_polyline():
    rng = np.random.default_rng(3)
    for size in (1, 2, 7):
        tpr, fpr = (np.sort(rng.random((4, size - 1)), axis=1) for _ in range(2))
        tpr, fpr = (np.pad(x, ((0, 0), (1, 1)), constant_values=(0, 1)) for x in (tpr, fpr))
        tied = rng.random(size) < 0.5
        share = rng.uniform(0.05, 0.9, 4)
        average, area = kernels.slanted_precision(tpr, fpr, (1 - share) / share, tied)
        for k in range(4):
            points = list(zip(fpr[k], tpr[k], strict=True))
            assert area[k] == pytest.approx(precision.polyline_area(points, share[k]), rel=1e-9)
            steps = precision.polyline_average(points, share[k], tied.tolist())
            assert average[k] == pytest.approx(steps, rel=1e-9)


@pytest.mark.parametrize("prevalence", [0.1, None])
@pytest.mark.parametrize("digits", [0, 1, 6])
@pytest.mark.parametrize("sizes", [(6, 9), (8, 25)])
def test_the_fiducial_interval_is_that_of_curves_drawn_one_by_one(sizes, digits, prevalence):
    """With all thresholds, from sorted uniform numbers; the ends are quantiles of 3000 draws of either."""
    rng = np.random.default_rng(sum(sizes) + digits)
    y = np.repeat([1, 0], sizes)
    scores = np.round(rng.normal(size=y.size) + 1.2 * y, digits)
    found = precision_recall(y, scores, prevalence=prevalence, recall=[0.5], n_boot=3000, level=0.8, rng=1)
    slow = precision.fiducial_draws(*by_class(y, scores), prevalence, 3000, np.random.default_rng(2))
    for estimate, draws in zip((found.average_precision, found.area), slow, strict=True):
        assert (estimate.method, estimate.status) == ("fiducial", "ok")
        low, high = np.quantile(draws, [0.1, 0.9])
        near = 0.07 * (high - low)  # four standard errors of a difference of such quantiles
        assert estimate.low == pytest.approx(min(low, estimate.value), abs=near)
        assert estimate.high == pytest.approx(max(high, estimate.value), abs=near)


def test_ordered_uniform_numbers_have_their_moments():
    """Of n = 9 the k-th has mean k / 10; a gap has mean 1 / 10 whatever its place."""
    counts = np.array([0, 0, 2, 3, 9])
    low, gap = _ordered_uniform(np.random.default_rng(1), 20_000, counts, 9)
    assert (low[:, 0] == 0).all()
    assert (low[:, 0] == low[:, 1]).all()
    assert low.mean(axis=0) == pytest.approx(counts / 10, abs=0.004)
    assert gap.mean(axis=0) == pytest.approx([0.1] * 5, abs=0.003)
    assert low[:, 2].var() == pytest.approx(2 * 8 / (100 * 11), rel=0.05)  # of beta(2, 8)
    assert low[:, 2] + gap[:, 2] == pytest.approx(low[:, 3])
    assert low[:, 4] + gap[:, 4] == pytest.approx(np.ones(20_000))
    alone, whole = _ordered_uniform(np.random.default_rng(1), 10, np.array([], int), 9)
    assert alone.shape == whole.shape == (10, 0)


def test_the_fiducial_interval_needs_no_overlap_and_one_case():
    separated = precision_recall([0] * 10 + [1] * 10, range(20), n_boot=400, rng=1)
    assert (separated.area.value, separated.area.high, separated.area.se) == (1.0, 1.0, None)
    assert 0.5 < separated.area.low < 0.9
    assert not separated.band.defined.any()
    one = precision_recall([0, 0, 0, 1], [1, 2, 4, 3], n_boot=400, rng=1).average_precision
    assert 0 < one.low < one.value == 0.5 < one.high < 1
    constant = precision_recall([0, 0, 1], [7, 7, 7], prevalence=0.1, n_boot=400, rng=1)
    assert constant.area.value == pytest.approx(0.1)
    assert (constant.area.low, constant.area.reason) == (
        None, "the replicates agree, so they show no uncertainty"
    )  # fmt: skip


def test_methods_of_average_precision():
    y, scores = RECIPES["n50"]()
    how = {"n_boot": 200, "rng": 4}
    found = {
        name: precision_recall(y, scores["a"], method=name, **how) for name in (None, "fiducial", "bootstrap")
    }
    assert found[None].to_dict() == found["fiducial"].to_dict()
    assert found["fiducial"].band == found["bootstrap"].band
    few = "interval of average precision"
    for name in ("fiducial", "bootstrap"):
        assert found[name].area.method == found[name].average_precision.method == name
        assert any(few in text for text in found[name].warnings) == (name == "bootstrap")
    assert found["fiducial"].area.se == found["bootstrap"].area.se
    assert found["fiducial"].area.low < found["bootstrap"].area.low
    groups = np.arange(y.size) // 2
    clustered = precision_recall(y, scores["a"], groups=groups, **how)
    assert clustered.area.method == "bootstrap"
    with pytest.raises(RocInputError, match="method must be 'bootstrap' for clusters, got 'fiducial'"):
        precision_recall(y, scores["a"], groups=groups, method="fiducial", **how)
    with pytest.raises(RocInputError, match="method must be one of 'fiducial', 'bootstrap', got 'bca'"):
        precision_recall(y, scores["a"], method="bca", **how)
    large = ScoreTable.from_counts([2, 1], pos=[4000, 2000], neg=[1000, 5000])
    assert precision_recall(large, recall=[0.5], n_boot=20, rng=1).area.method == "bootstrap"


def test_numbers_depend_on_the_seed_alone():
    y, scores = RECIPES["n50"]()
    first = precision_recall(y, scores["a"], n_boot=100, rng=4)
    order = np.random.default_rng(1).permutation(len(y))
    again = precision_recall(y[order], scores["a"][order], n_boot=100, rng=4)
    assert first.to_dict() == again.to_dict()
    assert precision_recall(BinaryScores.from_arrays(y, scores["a"]), n_boot=100, rng=4).area == first.area
    assert precision_recall(y, scores["a"], n_boot=100, rng=5).area.low != first.area.low
    assert precision_recall(y, scores["a"], n_boot=100, rng=4, n_jobs=2).area == first.area


def test_precision_recall_reads_as_text_and_rows():
    result = precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], n_boot=100, rng=7, method="bootstrap")
    head, average, area, note = str(result).splitlines()
    assert note.startswith(
        "note: a class has 2 cases: of so few the interval of average precision, and of the area"
    )
    assert head == "Precision-recall curve (2 of class 1, 2 of class 0) at prevalence 0.5"
    assert average.startswith("  average precision 0.8333 (95% interval ")
    assert area.startswith("  area under the precision-recall curve 0.7973 (95% interval ")
    assert list(result.columns()) == ["threshold", "recall", "precision"]
    assert str(result.band).startswith(
        "precision at 100 places of recall, 95% pointwise intervals (bootstrap)"
    )
    assert result.band.x.tolist() == RECALLS.tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recall": [0, 0.5]}, "recall must hold numbers greater than 0 and at most 1, got [0, 0.5]"),
        ({"recall": [1.5]}, "recall must hold numbers greater than 0 and at most 1, got [1.5]"),
        ({"recall": 0.5}, "recall must be a one-dimensional array, got 0.5"),
        ({"prevalence": 0}, "prevalence must lie between 0 and 1, got 0"),
        ({"n_boot": 0}, "n_boot must be a whole number of at least 1, got 0"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
    ],
)
def test_what_precision_recall_refuses(options, message):
    with pytest.raises(RocInputError, match=re.escape(message)):
        precision_recall([0, 1], [0.2, 0.7], **options)


# ---- Net benefit ------------------------------------------------------------------------------------------


def test_net_benefit_worked_by_hand():
    """Threshold 0.25: TP 2, FP 2 of 6 cases, 2/6 - 2/6 x 1/3; all: 2/6 - 4/6 x 1/3; at 0.5: 1/6 - 1/6."""
    y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.4, 0.9]
    result = net_benefit(y, s, probabilities=[0, 0.25, 0.5])
    assert (result.tp.tolist(), result.fp.tolist()) == ([2, 2, 1], [4, 2, 1])
    assert result.band.mean == pytest.approx([2 / 6, 2 / 6 - 2 / 18, 0])
    assert result.treat_all == pytest.approx([2 / 6, 2 / 6 - 4 / 18, 2 / 6 - 4 / 6])
    assert result.treat_none.tolist() == [0, 0, 0]


@settings(max_examples=50)
@given(samples.labelled(PROBABILITIES), st.sampled_from([None, 0.1]), st.sampled_from(["wilson", "exact"]))
def test_every_point_is_the_point_at_its_threshold(labelled, prevalence, interval):
    y, scores = labelled
    p = np.array([0.0, 0.125, 0.3, 0.5, 0.875, 0.99])
    result = net_benefit(y, scores, probabilities=p, prevalence=prevalence, interval=interval, level=0.9)
    for i, cut in enumerate(p):
        point = point_measures(y, scores, threshold=cut, prevalence=prevalence, interval=interval, level=0.9)
        assert (result.tp[i], result.fp[i]) == (point.tp, point.fp)
        expected = point.net_benefit
        ends = result.band.mean[i], result.band.low[i], result.band.high[i]
        assert ends == pytest.approx((expected.value, expected.low, expected.high), abs=1e-12)


def test_at_the_prevalence_of_the_cases_the_value_is_the_same_and_the_interval_narrower():
    y, scores = RECIPES["n200"]()
    s = 1 / (1 + np.exp(-scores["a"]))
    here, there = net_benefit(y, s), net_benefit(y, s, prevalence=y.mean())
    assert here.band.mean == pytest.approx(there.band.mean, abs=1e-12)
    assert here.treat_all == pytest.approx(there.treat_all)
    # Where much is called positive, an unknown prevalence matters most.
    early = here.band.x < 0.3
    assert ((here.band.high - here.band.low) > (there.band.high - there.band.low))[early].all()


def test_the_bootstrap_agrees_with_the_interval():
    y, scores = RECIPES["n1000"]()
    s = 1 / (1 + np.exp(-scores["a"]))
    result = net_benefit(y, s, probabilities=[0.2, 0.5])
    rng, replicates = np.random.default_rng(2), []
    for _ in range(1500):
        rows = rng.integers(0, len(y), len(y))
        tp, fp = (((s[rows, None] >= result.band.x) & (y[rows, None] == c)).mean(axis=0) for c in (1, 0))
        replicates.append(tp - fp * result.band.x / (1 - result.band.x))
    low, high = np.quantile(replicates, [0.025, 0.975], axis=0)
    width = high - low
    assert np.abs(result.band.low - low).max() < 0.08 * width.max()
    assert np.abs(result.band.high - high).max() < 0.08 * width.max()


def test_decision_curve_reads_as_text_and_rows():
    result = net_benefit([0, 1, 1], [0.2, 0.4, 0.9])
    assert str(result) == (
        "net benefit at 99 places of threshold probability, 95% pointwise intervals (mover-wilson), "
        "at prevalence 0.6667"
    )
    assert list(result.columns()) == [
        "probability", "net_benefit", "low", "high", "treat_all", "treat_none", "interventions_avoided",
    ]  # fmt: skip
    assert json.loads(result.to_json())["band"]["x_label"] == "threshold probability"
    assert result.band.defined.all()


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([-0.1, 0.5], {}, "y_score must hold probabilities from 0 to 1, got scores from -0.1 to 0.5"),
        ([0.2, 7], {}, "y_score must hold probabilities from 0 to 1, got scores from 0.2 to 7"),
        ([0.2, math.inf], {}, "y_score must hold probabilities from 0 to 1, got scores from 0.2 to inf"),
        (
            [0.2, 0.5],
            {"probabilities": [0.5, 1]},
            "probabilities must hold numbers of at least 0 and below 1",
        ),
        ([0.2, 0.5], {"probabilities": [math.nan]}, "probabilities must"),
        ([0.2, 0.5], {"prevalence": 2}, "prevalence must lie between 0 and 1, got 2"),
        (
            [0.2, 0.5],
            {"interval": "wald"},
            "interval must be one of 'wilson', 'exact', 'modified-wilson', got 'wald'",
        ),
    ],
)
def test_what_net_benefit_refuses(scores, options, message):
    with pytest.raises(RocInputError, match=re.escape(message)):
        net_benefit([0, 1], scores, **options)


# ---- Bands ------------------------------------------------------------------------------------------------


def test_band_tells_what_it_is():
    x = np.array([0.1, 0.2])
    band = Band(
        name="TPR",
        x=x,
        mean=x,
        low=np.array([np.nan, 0.1]),
        high=np.array([np.nan, 0.3]),
        defined=np.array([False, True]),
        level=0.9,
        method="ks",
        x_label="FPR",
        y_label="TPR",
        simultaneous=True,
    )
    assert str(band) == "TPR at 2 places of FPR, 90% simultaneous band (ks), 1 without an interval"
    assert len(band) == 2
    assert list(band.frame().columns) == ["x", "mean", "low", "high", "defined"]
    assert json.loads(band.to_json())["low"] == [None, 0.1]


def test_shares_next_to_nothing_have_a_precision():
    found = precision_recall([0, 1], [0, 1], prevalence=5e-324, n_boot=100, rng=1)
    assert 0 <= found.average_precision.value <= 1
