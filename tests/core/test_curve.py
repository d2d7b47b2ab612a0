import dataclasses
import json
import math
import sys
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope import (
    RocCurve,
    RocInputError,
    ScoreTable,
    Threshold,
    UndefinedError,
    cutpoint,
    point_measures,
    roc_curve,
)
from rocscope.core.partial_area import BELOW_CHANCE
from rocscope.core.result import Result
from slow import curves, decisions, pairs, samples

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
GRID = [Fraction(k, 8) for k in range(9)]


def exact_points(y, scores):
    return [(x, t) for _, x, t in curves.vertices(*pairs.split(y, scores))]


def curve_of_counts(pos, neg):
    return RocCurve.from_table(ScoreTable.from_counts(range(len(pos), 0, -1), pos=pos, neg=neg))


# ---- Vertices ---------------------------------------------------------------------------------------------


@given(data=st.one_of(samples.labelled(), samples.labelled(elements=samples.BIG_INTEGERS)))
def test_one_vertex_for_every_distinct_score(path, data):
    y, scores = data
    curve, expected = roc_curve(y, scores), curves.vertices(*pairs.split(y, scores))
    assert curve.thresholds.tolist() == [cut for cut, _, _ in expected]
    assert curve.fpr.tolist() == [float(x) for _, x, _ in expected]
    assert curve.tpr.tolist() == [float(t) for _, _, t in expected]
    assert curve.auc == float(pairs.area(*pairs.split(y, scores)))
    assert curve.auc == float(curves.polyline_area([(x, t) for _, x, t in expected]))
    assert len(curve) == len(expected)


@given(data=samples.labelled())
def test_confusion_matrices_are_those_of_the_decisions(path, data):
    y, scores = data
    curve = roc_curve(y, scores)
    for cut, matrix in zip(curve.thresholds[1:], curve.confusion()[1:].tolist(), strict=True):
        called = scores >= cut
        expected = [[int(((y == a) & (called == b)).sum()) for b in (False, True)] for a in (0, 1)]
        assert matrix == expected


def test_thresholds_of_long_integers_stay_integers(path):
    curve = roc_curve([0, 1, 0, 1], [2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3])
    assert curve.thresholds.tolist() == [math.inf, 2**60 + 3, 2**60 + 2, 2**60 + 1, 2**60]
    assert all(isinstance(t, int) for t in curve.thresholds[1:])


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_scores_of_any_precision(path, dtype):
    scores = np.array([0.1, 0.4, 0.35, 0.8], dtype)
    curve = roc_curve(Y, scores)
    assert curve.auc == 0.75
    assert set(curve.thresholds[1:].tolist()) == set(scores.tolist())


def test_float16_of_float64_may_tie():
    scores = np.array([1.0, 1.0001, 2.0, 2.0001])
    assert len(roc_curve(Y, scores)) == 5
    assert len(roc_curve(Y, scores.astype(np.float16))) == 3


HARD = {
    "neighbours": [1.0, math.nextafter(1, 2), math.nextafter(math.nextafter(1, 2), 2), 1.0],
    "subnormal": [5e-324, 1e-323, 0.0, -5e-324],
    "largest": [-sys.float_info.max, sys.float_info.max, 0.0, math.nextafter(sys.float_info.max, 0)],
    "infinite": [-math.inf, math.inf, 0.0, sys.float_info.max],
    "sums": [0.1 + 0.2, 0.3, 0.1 * 3, 0.3],
}


@pytest.mark.parametrize("scores", HARD.values(), ids=HARD.keys())
@pytest.mark.parametrize("y", [[0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 0, 1]])
def test_hard_scores_are_distinguished(path, y, scores):
    curve = roc_curve(y, scores)
    assert curve.thresholds[1:].tolist() == sorted(set(scores), reverse=True)
    assert curve.auc == float(pairs.area(*pairs.split(y, scores)))


def test_infinite_scores_leave_a_warning():
    assert roc_curve(Y, [0, 1, 2, math.inf]).warnings == (
        "infinite scores were ranked above or below all others",
    )


def test_constant_scores():
    curve = roc_curve(Y, [7, 7, 7, 7])
    assert (curve.fpr.tolist(), curve.tpr.tolist(), curve.auc) == ([0, 1], [0, 1], 0.5)


def test_text_and_class_names():
    curve = roc_curve(["ill", "well", "ill"], [3, 2, 1], pos_label="ill")
    assert (curve.pos_label, curve.neg_label) == ("ill", "well")
    assert str(curve) == "ROC curve (2 of class ill, 1 of class well): AUC 0.5000, 3 thresholds"


def test_text_shows_counts_in_full():
    curve = curve_of_counts([1_234_567, 1], [1, 2_000_001])
    assert str(curve).startswith("ROC curve (1234568 of class 1, 2000002 of class 0): ")


# ---- Weights ----------------------------------------------------------------------------------------------


def weighted(data):
    y, scores = data
    weights = st.one_of(st.sampled_from([0.1, 0.2, 0.3, 0.7, 1 / 3, 1e-3, 0.0]), st.floats(0, 1))
    return st.tuples(st.just(y), st.just(scores), st.lists(weights, min_size=y.size, max_size=y.size))


@given(data=samples.labelled(max_size=16).flatmap(weighted))
def test_weighted_curve(path, data):
    y, scores, weights = data
    weights = np.array(weights)
    if not all(weights[y == c].sum() > 1e-9 for c in (0, 1)):
        return
    curve = roc_curve(y, scores, sample_weight=weights)
    for rates in (curve.fpr, curve.tpr):
        assert (np.diff(rates) >= 0).all()
        assert (rates[0], rates[-1]) == (0.0, 1.0)
    assert 0 <= curve.auc <= 1
    assert curve.auc == pytest.approx(float(pairs.weighted_area(y, scores, weights)), abs=1e-12)
    assert curve.partial_auc(fpr=(0.25, 1)).value <= 0.75 + 1e-12


def test_weighted_rates_stay_below_one():
    """The total of a class is added up in another order than its partial sums."""
    rng = np.random.default_rng(0)
    for _ in range(300):
        y, s, w = rng.integers(0, 2, 25), rng.normal(size=25), rng.random(25)
        curve = roc_curve(y, s, sample_weight=w)
        assert curve.fpr.max() <= 1
        assert curve.tpr.max() <= 1
        assert (np.diff(curve.fpr) >= 0).all()
        assert (np.diff(curve.tpr) >= 0).all()


def test_weighted_partial_areas_of_any_curve():
    rng = np.random.default_rng(0)
    for _ in range(300):
        y, s, w = rng.integers(0, 2, 25), rng.normal(size=25), rng.random(25)
        curve = roc_curve(y, s, sample_weight=w)
        halves = [curve.partial_auc(fpr=half).value for half in ((0, 0.5), (0.5, 1))]
        assert sum(halves) == pytest.approx(curve.auc)
        assert curve.partial_auc(fpr=(0.5, 1), tpr=(0.5, 0.9)).value <= 0.2 + 1e-12


def test_weighted_area_of_separated_classes_stays_between_0_and_1():
    rng = np.random.default_rng(1)
    for _ in range(300):
        y, w = np.repeat([0, 1], [6, 4]), rng.random(10)
        best, worst = (roc_curve(y, s * np.arange(10), sample_weight=w).auc for s in (1, -1))
        assert 1 - 1e-15 < best <= 1
        assert 0 <= worst < 1e-15


def test_weight_zero_removes_a_threshold():
    curve = roc_curve(Y, S, sample_weight=[0, 2, 0, 1.5])
    assert curve.thresholds.tolist() == [math.inf, 0.8, 0.4]
    assert (curve.n_pos, curve.n_neg) == (1.5, 2.0)


# ---- Partial areas ----------------------------------------------------------------------------------------

RANGE = st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda r: r[0] < r[1])


@given(table=samples.counts(), fpr=RANGE, tpr=RANGE, which=st.sampled_from(["fpr", "tpr", "both"]))
def test_partial_areas_are_exact(table, fpr, tpr, which):
    pos, neg = table
    scores, y = curves.spread_table(range(len(pos), 0, -1), pos, neg)
    ranges = {"fpr": (GRID[fpr[0]], GRID[fpr[1]]), "tpr": (GRID[tpr[0]], GRID[tpr[1]])}
    ranges = ranges if which == "both" else {which: ranges[which]}
    request = {name: tuple(map(float, pair)) for name, pair in ranges.items()}
    curve, points = curve_of_counts(pos, neg), exact_points(y, scores)
    found = curve.partial_auc(**request).value
    assert found == pytest.approx(float(curves.partial_area(points, **ranges)), abs=1e-14)
    standard = curves.standardized(points, **ranges)
    if standard is None:
        with pytest.raises(UndefinedError):
            curve.partial_auc(**request, standardize=True)
    else:
        found = curve.partial_auc(**request, standardize=True).value
        assert found == pytest.approx(float(standard), abs=1e-12)


@pytest.mark.parametrize("ends", [(0.1, 0.3), (0.0, 0.05), (1 / 3, 2 / 3), (0.95, 1.0)])
@given(data=samples.labelled())
def test_partial_areas_between_any_ends(ends, data):
    y, scores = data
    curve, points = roc_curve(y, scores), exact_points(y, scores)
    for ranges in ({"fpr": ends}, {"tpr": ends}, {"fpr": ends, "tpr": (0.2, 0.9)}):
        exact = curves.partial_area(points, **{k: tuple(map(Fraction, v)) for k, v in ranges.items()})
        assert curve.partial_auc(**ranges).value == pytest.approx(float(exact), abs=1e-14)


@pytest.mark.parametrize("size", [10**3, 10**6, 10**9])
def test_two_way_areas_keep_their_digits_on_flat_pieces(size):
    """A long piece that climbs by one case in a million is still a trapezoid."""
    pos, neg = [size, size, 1], [0, 1, size]
    fp, tp = np.cumsum([0, *neg]).tolist(), np.cumsum([0, *pos]).tolist()
    points = [(Fraction(x, sum(neg)), Fraction(t, sum(pos))) for x, t in zip(fp, tp, strict=True)]
    for ranges in ({"fpr": (0.1, 0.75), "tpr": (0.25, 0.9)}, {"fpr": (0.3, 0.6), "tpr": (0.1, 1.0)}):
        exact = curves.partial_area(points, **{k: tuple(map(Fraction, v)) for k, v in ranges.items()})
        assert curve_of_counts(pos, neg).partial_auc(**ranges).value == pytest.approx(float(exact), abs=1e-13)


def test_the_parts_of_the_area_add_up():
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 300)
    curve = roc_curve(y, np.round(y + rng.normal(size=300), 1))
    cuts = np.linspace(0, 1, 12)
    for rate in ("fpr", "tpr"):
        parts = [curve.partial_auc(**{rate: (a, b)}).value for a, b in pairwise(cuts)]
        assert sum(parts) == pytest.approx(curve.auc, abs=1e-14)
    assert curve.partial_auc().value == pytest.approx(curve.auc, abs=1e-14)
    assert curve.partial_auc(standardize=True).value == pytest.approx(curve.auc, abs=1e-14)


def test_chance_and_perfection_on_the_standard_scale():
    chance, perfect = roc_curve(Y, [1, 1, 1, 1]), roc_curve(Y, [0, 0, 1, 1])
    for ranges in ({"fpr": (0.1, 0.3)}, {"tpr": (0.7, 1)}, {"fpr": (0, 0.3), "tpr": (0.5, 1)}):
        assert chance.partial_auc(**ranges, standardize=True).value == pytest.approx(0.5, abs=1e-15)
        assert perfect.partial_auc(**ranges, standardize=True).value == pytest.approx(1.0, abs=1e-15)


def test_a_partial_area_of_a_curve_is_an_estimate_without_an_interval():
    curve = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    part = curve.partial_auc(fpr=(0, 0.5))
    assert (part.name, part.value, part.status) == ("partial AUC over FPR 0-0.5", 0.25, "partial")
    assert (part.se, part.low, part.high) == (None, None, None)
    assert str(part) == ("partial AUC over FPR 0-0.5 0.2500 (no interval: rocscope.partial_auc gives it)")
    assert (float(part), f"{part:.2f}", part < 0.3) == (0.25, "0.25", True)
    upside_down = roc_curve([0, 1, 0, 1], [4, 3, 2, 1]).partial_auc(fpr=(0, 0.5), standardize=True)
    assert upside_down.warnings == (BELOW_CHANCE,)


@pytest.mark.parametrize("ends", [(0.999999, 1.0), (0.0, 1e-7)])
def test_narrow_ranges_have_a_standard_scale(ends):
    perfect = roc_curve(Y, [0, 0, 1, 1])
    assert perfect.partial_auc(fpr=ends, standardize=True).value == pytest.approx(1.0, abs=1e-9)


@given(
    ends=st.lists(st.integers(0, 100), min_size=4, max_size=4).map(sorted).filter(lambda e: len(set(e)) == 4)
)
def test_a_rectangle_below_the_diagonal_has_no_standard_scale(ends):
    """There chance and perfection have the same area, whatever rounding makes of it."""
    tpr, fpr = (ends[0] / 100, ends[1] / 100), (ends[2] / 100, ends[3] / 100)
    with pytest.raises(UndefinedError) as error:
        roc_curve(Y, S).partial_auc(fpr=fpr, tpr=tpr, standardize=True)
    expected = f"the area over fpr={fpr}, tpr={tpr} is the same for chance and for perfection"
    assert str(error.value) == expected


@pytest.mark.parametrize(
    ("ranges", "message"),
    [
        ({"fpr": 0.5}, "fpr must be a pair (low, high), got 0.5"),
        ({"fpr": (0.5, 0.2)}, "fpr must be a pair with low < high, got (0.5, 0.2)"),
        ({"tpr": (0, 1.5)}, "tpr[1] must lie between 0 and 1 (both allowed), got 1.5"),
    ],
)
def test_refuses_ranges(ranges, message):
    with pytest.raises(RocInputError) as error:
        roc_curve(Y, S).partial_auc(**ranges)
    assert str(error.value) == message


# ---- Heights ----------------------------------------------------------------------------------------------


@given(table=samples.counts(), at=st.integers(0, 24).map(lambda k: Fraction(k, 24)))
def test_heights_are_those_of_the_polyline(table, at):
    pos, neg = table
    scores, y = curves.spread_table(range(len(pos), 0, -1), pos, neg)
    curve, points = curve_of_counts(pos, neg), exact_points(y, scores)
    assert float(curve.tpr_at(float(at))) == pytest.approx(float(curves.height(points, at)), abs=1e-14)
    turned = [(1 - t, 1 - x) for x, t in reversed(points)]
    expected = 1 - curves.height(turned, 1 - at)
    assert float(curve.fpr_at(float(at))) == pytest.approx(float(expected), abs=1e-14)


def test_heights_of_arrays_keep_their_shape():
    curve = roc_curve(Y, S)
    assert curve.tpr_at([[0, 0.25], [0.5, 1]]).tolist() == [[0.5, 0.5], [1.0, 1.0]]
    assert curve.fpr_at([0, 0.5, 0.75, 1]).tolist() == [0.0, 0.0, 0.5, 0.5]


@pytest.mark.parametrize("at", [-0.5, 1.5, math.nan, [0.5, math.nan], "half", None])
def test_heights_are_requested_between_0_and_1(at):
    curve = roc_curve(Y, S)
    for heights in (curve.tpr_at, curve.fpr_at):
        with pytest.raises(RocInputError):
            heights(at)


# ---- Points of the curve ----------------------------------------------------------------------------------


@given(data=st.one_of(samples.labelled(), samples.labelled(elements=samples.BIG_INTEGERS)))
def test_every_vertex_decides_as_it_says(path, data):
    """Also after the way through JSON: the same confusion matrix at every threshold."""
    y, scores = data
    curve = roc_curve(y, scores)
    for index, matrix in enumerate(curve.confusion().tolist()):
        point = Threshold.from_json(curve.point(index).to_json())
        decided = point.decide(scores)
        found = [[int(((y == a) & (decided == b)).sum()) for b in (0, 1)] for a in (0, 1)]
        assert found == matrix


@given(data=samples.labelled(elements=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_float32_scores_decide_as_the_curve_says(data):
    y, scores = data
    scores = scores.astype(np.float32)
    curve = roc_curve(y, scores)
    for index in range(len(curve)):
        decided = Threshold.from_json(curve.point(index).to_json()).decide(scores)
        assert decided[y == 1].mean() == curve.tpr[index]


@given(data=samples.labelled(elements=st.floats(allow_nan=False, allow_infinity=False)))
def test_thresholds_survive_the_json_of_the_curve(data):
    curve = roc_curve(*data)
    read = json.loads(curve.to_json())["thresholds"]
    assert read[0] is None
    assert read[1:] == curve.thresholds[1:].tolist()


def test_infinite_thresholds_are_distinguished_in_json():
    """The first vertex calls nobody positive; one at a score of -inf calls everybody."""
    curve = roc_curve(Y, [-math.inf, 0.5, 0.7, 1.0])
    read = json.loads(curve.to_json())["thresholds"]
    assert read[-1] != read[0]


def test_operating_point_carries_the_class_names():
    curve = roc_curve(["ill", "well", "ill"], [3, 2, 1], pos_label="ill")
    point = curve.point(2)
    assert point.decision == Threshold(2.0, positive="ill", negative="well")
    assert type(point.threshold) is float
    assert point.decide([1, 2, 3]).tolist() == ["well", "ill", "ill"]


def test_a_selected_point_stands_for_its_index():
    curve = roc_curve([0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6])
    point = curve.select("tpr>=0.9")
    assert (point, int(point), list(range(9))[point]) == (3 + 1, 4, 4)
    assert curve.tpr[point] == point.measures["tpr"] == 1
    assert curve.thresholds[point] == point.threshold == 3
    assert curve.point(point) == point
    assert Result.from_dict(json.loads(point.to_json())) == point
    y, s = [0, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 6]
    cut = cutpoint(y, s, "tpr>=0.9", n_boot=100, rng=1)
    for threshold in (point, point.decision, cut):
        assert point_measures(y, s, threshold=threshold).sensitivity.value == 1
    assert point_measures(y, s, threshold=curve.point(0)).sensitivity.value == 0


def test_points_that_are_as_good_are_listed():
    """Youden's index is 1/3 at three vertices; that of the smallest FPR is selected."""
    curve = roc_curve([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    point = curve.select()
    assert (point.index, point.equal) == (1, (3, 5))
    assert "as good: 3, 5" in str(point)


@given(table=samples.counts())
def test_measures_along_the_curve(table):
    pos, neg = table
    curve = curve_of_counts(pos, neg)
    for name in ("precision", "npv", "accuracy", "tnr"):
        found = curve.measure(name)
        for value, matrix in zip(found, curve.confusion().tolist(), strict=True):
            exact = decisions.measures(matrix)[name]
            assert math.isnan(value) if exact is None else value == pytest.approx(float(exact), abs=1e-15)


# ---- What every result has --------------------------------------------------------------------------------


def test_frame():
    frame = roc_curve(Y, S).frame()
    assert list(frame.columns) == ["threshold", "fpr", "tpr"]
    assert frame["threshold"].tolist() == [math.inf, 0.8, 0.4, 0.35, 0.1]
    assert len(frame) == 5


def test_strict_json():
    curve = roc_curve(Y, S, sample_weight=[1, 2, 1, 1])
    read = json.loads(json.dumps(curve.to_dict(), allow_nan=False))
    assert read["type"] == "RocCurve"
    assert read["thresholds"][0] is None
    assert (read["n_pos"], read["n_neg"], read["auc"]) == (2, 3, curve.auc)
    assert json.loads(curve.to_json()) == read


@pytest.mark.parametrize(
    ("labels", "pos_label"),
    [
        (np.array([b"n", b"n", b"y", b"y"]), b"y"),
        (
            np.array(["2020-01-01", "2020-01-01", "2021-01-01", "2021-01-01"], "M8[D]"),
            np.datetime64("2021-01-01"),
        ),
        (Y, np.int64(1)),
        (list("nnyy"), np.str_("y")),
    ],
    ids=["bytes", "dates", "np.int64", "np.str_"],
)
def test_labels_of_any_accepted_kind_go_into_json(labels, pos_label):
    json.loads(roc_curve(labels, S, pos_label=pos_label).to_json())


def test_is_frozen():
    curve = roc_curve(Y, S)
    with pytest.raises(dataclasses.FrozenInstanceError):
        curve.auc = 1.0
    with pytest.raises((TypeError, AttributeError)):
        curve.extra = 1  # slots: no new fields either


@pytest.mark.parametrize("name", ["fpr", "tpr", "thresholds"])
def test_arrays_of_a_frozen_result_cannot_be_written(name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(roc_curve(Y, S), name)[0] = 5


def test_comparing_two_curves_gives_one_answer():
    assert (roc_curve(Y, S) == roc_curve(Y, S)) in (True, False)
    assert roc_curve(Y, S) != roc_curve(Y, [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (99, "index must be one of the 4 vertices, 0 to 3, got 99"),
        (4, "index must be one of the 4 vertices, 0 to 3, got 4"),
        (-5, "index must be a whole number of at least -4, got -5"),
        ("a", "index must be a whole number of at least -4, got 'a'"),
        (None, "index must be a whole number of at least -4, got None"),
        (1.0, "index must be a whole number of at least -4, got 1.0"),
    ],
)
def test_an_operating_point_is_one_of_the_vertices(index, message):
    curve = roc_curve([0, 1, 1], [1, 2, 3])
    with pytest.raises(RocInputError) as error:
        curve.point(index)
    assert str(error.value) == message
    assert curve.point(-1).threshold == 1.0
    assert curve.point(-4).threshold is None


def test_an_area_below_one_half_is_noted_once():
    below = "the area is below 0.5: the scores rank the negative class higher (see direction lower)"
    curve = roc_curve([0, 0, 1, 1], [0.8, 0.4, 0.35, 0.1])
    assert curve.warnings == (below,)
    assert str(curve).count(below) == 1
    assert below in curve._repr_html_()
    assert roc_curve(ScoreTable.from_counts([1, 2], pos=[1, 0], neg=[0, 1])).warnings == (below,)
    assert below not in curve.hull().warnings
    assert roc_curve([0, 1], [1, 1]).warnings == ()
