"""Low scores for the positive class: the same curve as of the opposite scores, in the units of the scores."""

import json

import numpy as np
import pytest

import rocscope as rs
from rocscope.errors import RocInputError

RNG = np.random.default_rng(5)
Y = RNG.random(200) < 0.4
S = np.round(RNG.normal(size=200) - Y, 1)
LOW = {"direction": "lower"}


def test_areas_and_comparisons_are_those_of_the_opposite_scores():
    for method in ("delong", "logit", "bootstrap"):
        assert rs.auc(Y, S, method=method, rng=1, **LOW) == rs.auc(Y, -S, method=method, rng=1)
    assert rs.partial_auc(Y, S, fpr=(0, 0.2), rng=1, **LOW) == rs.partial_auc(Y, -S, fpr=(0, 0.2), rng=1)
    other = np.round(S + RNG.normal(size=200), 1)
    assert rs.compare_auc(Y, {"a": S, "b": other}, **LOW) == rs.compare_auc(Y, {"a": -S, "b": -other})
    error = rs.auc(Y, S, method="cortes-mohri", threshold=-0.5, **LOW)
    assert error == rs.auc(Y, -S, method="cortes-mohri", threshold=0.5)


def test_the_curve_has_the_scores_as_they_came():
    curve, opposite = rs.roc_curve(Y, S, **LOW), rs.roc_curve(Y, -S)
    assert np.array_equal(curve.tpr, opposite.tpr)
    assert np.array_equal(curve.fpr, opposite.fpr)
    assert curve.thresholds.tolist() == (0 - opposite.thresholds).tolist()
    assert not np.signbit(curve.thresholds[curve.thresholds == 0]).any()
    assert set(curve.thresholds[1:]) == set(S)
    assert "low scores positive" in str(curve)
    assert rs.RocCurve.from_dict(json.loads(curve.to_json())) == curve


def test_points_decide_on_the_scores_as_they_came():
    curve = rs.roc_curve(Y, S, **LOW)
    for index in (0, 5, len(curve) - 1):
        point = curve.point(index)
        decided = np.asarray(point.decide(S)) == True  # noqa: E712
        assert (decided[Y].sum(), decided[~Y].sum()) == (curve.tp[index], curve.fp[index])
        again = rs.OperatingPoint.from_dict(json.loads(point.to_json()))
        assert again == point
        assert again.decide(S).tolist() == point.decide(S).tolist()
        saved = rs.Threshold.from_json(point.decision.to_json())
        assert saved == point.decision
        assert saved.distance
        assert rs.Threshold.from_json(point.to_json()) == saved
    point = curve.select(rule="youden")
    measures = rs.point_measures(Y, S, **LOW)
    assert (measures.threshold, measures.tp) == (point.threshold, curve.tp[point])
    assert f"where score <= {point.threshold}" in str(measures)
    assert "score <= " in str(point)
    for threshold in (point, point.threshold, point.decision):
        given = rs.point_measures(Y, S, threshold=threshold, **LOW)
        assert (given.tp, given.fp) == (measures.tp, measures.fp)
    assert curve.coords([point]).tp.tolist() == [measures.tp]


def test_bands_and_cut_points():
    cut = rs.cutpoint(Y, S, rng=1, n_boot=200, **LOW)
    opposite = rs.cutpoint(Y, -S, rng=1, n_boot=200)
    assert (cut.threshold, cut.low, cut.high) == (-opposite.threshold, -opposite.high, -opposite.low)
    assert cut.measures == opposite.measures
    band = rs.roc_band(Y, S, at="threshold", x=[-0.55, 0.0], **LOW)
    assert band.mean.tolist() == [np.mean(S[Y] <= -0.55), np.mean(S[Y] <= 0)]
    found = rs.precision_recall(Y, S, rng=1, n_boot=100, **LOW)
    assert found.precision.tolist() == rs.precision_recall(Y, -S, rng=1, n_boot=100).precision.tolist()
    assert found.thresholds[0] == S.min()


def test_long_integers_and_infinite_scores():
    scores = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3])
    curve = rs.roc_curve([1, 1, 0, 0], scores, **LOW)
    assert (curve.auc, curve.thresholds.tolist()) == (1.0, [-np.inf, *scores.tolist()])
    with pytest.raises(RocInputError, match="must hold integers above -9223372036854775808"):
        rs.roc_curve([1, 0], np.array([-(2**63), 5]), **LOW)
    curve = rs.roc_curve([1, 0, 1], [-np.inf, 1.0, np.inf], **LOW)
    assert curve.thresholds.tolist() == [-np.inf, -np.inf, 1, np.inf]
    assert curve.tpr.tolist() == [0, 0.5, 0.5, 1]


def test_data_keep_their_direction():
    data = rs.BinaryScores.from_arrays(Y, {"a": S, "b": S}, **LOW)
    one = data.each()["a"]
    assert rs.auc(one) == rs.auc(one, **LOW) == rs.auc(Y, S, **LOW)
    assert rs.roc_curve(one.table()) == rs.roc_curve(Y, S, **LOW)
    assert rs.roc_curve(one.table().merge(one.table())).thresholds[1] == S.min()
    assert rs.roc_curve(rs.BinaryScores.from_table(one.table())).thresholds[1] == S.min()
    with pytest.raises(RocInputError, match="direction must be left out where y_true is a BinaryScores"):
        rs.auc(rs.BinaryScores.from_arrays(Y, S), **LOW)
    with pytest.raises(RocInputError, match="direction must be one of 'higher', 'lower', got 'auto'"):
        rs.auc(Y, S, direction="auto")
    for call in (rs.net_benefit, rs.smooth_roc):
        with pytest.raises(RocInputError, match="direction must be 'higher' for"):
            call(one)


def test_an_area_below_one_half_names_the_direction():
    assert rs.auc(Y, S).warnings[-1].endswith("(see direction lower)")
    assert rs.auc(Y, -S, **LOW).warnings == (
        "the area is below 0.5: the scores rank the negative class lower",
    )


def test_codes_for_missing_values_are_named_as_they_came():
    scores = np.append(RNG.random(20), [-99, -99])
    data = rs.BinaryScores.from_arrays([0, 1] * 11, scores, **LOW)
    assert data.warnings[0].startswith("the scores hold -99 in 2 rows")
    assert data.each()["y_score"].warnings == data.warnings


# ---- Several labels, and counts ---------------------------------------------------------------------------


def test_several_labels_make_up_the_positive_class():
    labels, scores = list("abcdabcd"), [1, 2, 3, 4, 2, 1, 4, 3]
    data = rs.BinaryScores.from_arrays(labels, scores, pos_label=["c", "d"])
    assert (data.pos_label, data.neg_label) == ("c + d", "a + b")
    assert rs.auc(labels, scores, pos_label=["c", "d"]) == rs.auc([one in "cd" for one in labels], scores)
    assert rs.auc(data, pos_label=["c", "d"]).value == 1
    numbers = rs.BinaryScores.from_arrays([1, 2, 3], [1, 2, 3], pos_label=[2, 3])
    assert (numbers.pos_label, numbers.neg_label) == ("2 + 3", 1)
    for wrong, text in (
        (["c", "e"], "pos_label must be labels in y_true .* got 'e'"),
        ([], "pos_label must list one or more labels"),
        (["c", "c"], "each once"),
        (list("abcd"), "pos_label must leave labels for the negative class"),
    ):
        with pytest.raises(RocInputError, match=text):
            rs.auc(labels, scores, pos_label=wrong)
    with pytest.raises(RocInputError, match="y_true must hold two labels, got 4"):
        rs.auc(labels, scores, pos_label="d")


COUNTS = [33, 6, 6, 11, 2, 3, 2, 2, 11, 33]  # Hanley and McNeil 1982, table 1: normal, abnormal by rating


def test_counts_are_so_many_rows():
    states, ratings = [0] * 5 + [1] * 5, [1, 2, 3, 4, 5] * 2
    data = rs.BinaryScores.from_arrays(states, ratings, count=COUNTS)
    rows = rs.BinaryScores.from_arrays(np.repeat(states, COUNTS), np.repeat(ratings, COUNTS))
    assert (data.n_pos, data.n_neg) == (51, 58)
    assert round(rs.auc(data).value, 3) == 0.893
    for method in ("delong", "score", "hanley-mcneil", "bootstrap"):
        assert rs.auc(data, method=method, rng=1) == rs.auc(rows, method=method, rng=1)
    assert rs.BinaryScores.from_arrays(states, ratings, count=[0, *COUNTS[1:]]).n_neg == 25
    for wrong in ([0.5] * 10, [-1] * 10, [1] * 9, [0] * 5 + [1] * 5):
        with pytest.raises(RocInputError, match="count"):
            rs.BinaryScores.from_arrays(states, ratings, count=wrong)
    with pytest.raises(RocInputError, match="count must be left out with sample_weight"):
        rs.BinaryScores.from_arrays(states, ratings, count=COUNTS, sample_weight=COUNTS)
