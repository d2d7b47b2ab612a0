"""Doors take what a user has: arrays, series, frames of pandas and polars, checked and stacked scores."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rocscope as rs
from rocscope.core.scores import BinaryScores, ClassScores, OrdinalScores

Y = [0, 1, 0, 1, 1, 0, 0, 1, 1, 0]
A = [0.1, 0.7, 0.3, 0.4, 0.9, 0.5, 0.2, 0.8, 0.45, 0.35]
B = [0.3, 0.6, 0.1, 0.2, 0.8, 0.7, 0.4, 0.5, 0.9, 0.15]
FOLD = [0, 0, 1, 1, 0, 0, 1, 1, 0, 1]
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame}
ONE_SCORE = {
    "auc": rs.auc,
    "roc_curve": rs.roc_curve,
    "roc_band": lambda *data, **door: rs.roc_band(*data, n_boot=100, rng=1, **door),
    "partial_auc": lambda *data, **door: rs.partial_auc(*data, fpr=(0, 0.5), n_boot=100, rng=1, **door),
    "cutpoint": lambda y, s=None, **door: rs.cutpoint(y, s, "tpr>=0.5", n_boot=100, rng=1, **door),
    "point_measures": lambda *data, **door: rs.point_measures(*data, threshold=0.4, **door),
    "precision_recall": lambda *data, **door: rs.precision_recall(*data, n_boot=100, rng=1, **door),
    "net_benefit": rs.net_benefit,
    "calibration": lambda *data, **door: rs.calibration(*data, n_boot=100, rng=1, **door),
}


@pytest.fixture(params=FRAMES)
def cases(request):
    return FRAMES[request.param]({"y": Y, "a": A, "b": B, "fold": FOLD})


class Stacked:
    """What the result of cross_scores has."""

    def __init__(self, score, row=None):
        self.y_true, self.y_score, self.fold = np.array(Y), np.array(score), np.array(FOLD)
        self.classes, self.row = (0, 1), np.arange(len(Y)) if row is None else np.array(row)


@pytest.mark.parametrize("name", ONE_SCORE)
def test_a_frame_with_columns_is_its_arrays(name, cases):
    assert ONE_SCORE[name](cases, label="y", score="a") == ONE_SCORE[name](Y, A)


@pytest.mark.parametrize("name", ONE_SCORE)
def test_stacked_and_checked_scores_stand_alone(name):
    call = ONE_SCORE[name]
    assert call(Stacked(A)) == call(BinaryScores.from_arrays(Y, A)) == call(Y, A)


@pytest.mark.parametrize("name", ONE_SCORE)
def test_a_curve_and_its_counts_stand_alone(name):
    call, curve = ONE_SCORE[name], rs.roc_curve(Y, A)
    table = rs.ScoreTable.from_counts(A, pos=Y, neg=[1 - one for one in Y])
    assert call(curve) == call(table)
    assert call(curve).warnings == call(Y, A).warnings


def test_a_curve_keeps_names_and_warnings():
    labels = ["ill" if one else "well" for one in Y]
    curve = rs.roc_curve(labels, [*A[:-1], np.inf], pos_label="ill")
    assert rs.point_measures(curve, threshold=0.4).pos_label == "ill"
    assert rs.auc(curve) == rs.auc(labels, [*A[:-1], np.inf], pos_label="ill")
    assert rs.roc_curve(curve) == curve
    assert rs.roc_curve(rs.RocCurve.from_dict(curve.to_dict())) == curve
    with pytest.raises(rs.RocInputError, match="y_score must be left out where y_true is a RocCurve, which"):
        rs.auc(curve, A)


def test_a_curve_of_long_integers_keeps_them():
    scores = [2**53 + k for k in range(10)]
    curve = rs.roc_curve(Y, scores)
    assert curve.score_table().scores.tolist() == sorted(scores, reverse=True)
    assert rs.auc(curve) == rs.auc(Y, scores)


def test_a_curve_with_fractional_weights_keeps_its_cases():
    weight = [0.5, *[1] * 9]
    curve = rs.roc_curve(Y, A, sample_weight=weight)
    assert rs.auc(curve) == rs.auc(Y, A, sample_weight=weight)
    assert rs.point_measures(curve, threshold=0.4) == rs.point_measures(
        Y, A, threshold=0.4, sample_weight=weight
    )
    with pytest.raises(rs.RocInputError, match="y_true must count whole cases for an interval"):
        rs.cutpoint(curve)


def test_a_curve_of_clusters_keeps_its_cases():
    groups = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    curve = rs.roc_curve(Y, A, groups=groups)
    assert rs.auc(curve) == rs.auc(Y, A, groups=groups)
    table = curve.coords(measures=["sensitivity", "error"])
    for k in range(1, len(curve)):
        point = rs.point_measures(Y, A, threshold=curve.thresholds[k], groups=groups)
        found = table.values[0, k], table.low[0, k], table.high[0, k]
        assert found == (point.sensitivity.value, point.sensitivity.low, point.sensitivity.high)
        assert table.low[1, k] == pytest.approx(1 - point.accuracy.high)
    again = rs.RocCurve.from_dict(curve.to_dict())
    assert again == curve
    for lost in (again, curve.hull()):
        with pytest.raises(
            rs.RocInputError, match="must be made from the cases: a hull, or a curve from JSON"
        ):
            rs.auc(lost)
        with pytest.raises(rs.RocInputError, match="must be made from the cases"):
            lost.coords()
    with pytest.raises(rs.RocInputError, match="groups must be left out: this takes all cases"):
        rs.fit_binormal(curve)


def test_a_curve_of_a_thinned_table_stays_one():
    table = rs.ScoreTable.from_counts(A, pos=Y, neg=[1 - one for one in Y]).thin(4)
    curve = rs.roc_curve(table)
    assert rs.auc(curve) == rs.auc(table)
    with pytest.raises(rs.RocInputError, match="got a thinned one"):
        rs.point_measures(curve, threshold=0.4)


def test_intervals_from_a_hull_are_noted():
    assert any("were chosen on these cases" in text for text in rs.auc(rs.roc_curve(Y, A).hull()).warnings)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda curve: rs.compare_auc(curve), "two or more classifiers, got RocCurve with 1"),
        (lambda curve: rs.compare_auc({"a": curve, "b": curve}), "cross_scores where .* got 2 of RocCurve"),
        (lambda curve: rs.average_roc(curve), "y_true must hold cases with their folds, got a RocCurve"),
        (lambda curve: rs.ordinal_roc(curve), "got an object of type RocCurve"),
        (lambda curve: rs.multiclass_auc(curve), "got an object of type RocCurve"),
        (lambda curve: rs.fit_binormal_pair(curve), "y_true must come with two scores"),
    ],
)
def test_what_a_curve_cannot_mean_is_refused_by_its_type(call, message):
    with pytest.raises(rs.RocInputError, match=message):
        call(rs.roc_curve(Y, A))


def test_curves_of_different_cases_are_compared():
    expected = rs.compare_auc({"a": Y, "b": Y}, {"a": A, "b": B}, paired=False)
    curves = {"a": rs.roc_curve(Y, A), "b": rs.roc_curve(Y, B)}
    assert rs.compare_auc(curves, paired=False) == expected


def test_ordered_classes_of_cross_scores_are_estimated_by_the_expected_class():
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    y = np.repeat([1, 2, 3], 20)
    X, fold = y[:, None] + rng.normal(size=(60, 2)), np.arange(60) % 4
    scores = rs.cross_scores(LogisticRegression(), X, y, cv=fold, rng=1)
    same = rs.ordinal_scores(LogisticRegression(), X, y, cv=fold, rng=1)
    result = rs.ordinal_roc(scores)
    assert result == rs.ordinal_roc(same)
    assert result == rs.ordinal_roc(y, scores.y_score @ [1, 2, 3], fold=scores.fold)
    labels = np.where(y == 1, "no", "yes")
    two = rs.cross_scores(LogisticRegression(), X, labels, cv=4, pos_label="yes", rng=1)
    with pytest.raises(rs.RocInputError, match="must hold numbers, got text"):
        rs.ordinal_roc(two)
    named = rs.ordinal_roc(two, classes={"no": 0, "yes": 1})
    assert named.labels == ("no", "yes")
    margins = rs.cross_scores(LogisticRegression(), X, y, cv=fold, response="decision_function", rng=1)
    with pytest.raises(rs.RocInputError, match="got CrossScores with decision_function"):
        rs.ordinal_roc(margins)


LATENT = {
    "fit_binormal": rs.fit_binormal,
    "proper": lambda *data, **door: rs.fit_binormal(*data, proper=True, **door),
    "least-squares": lambda *data, **door: rs.fit_binormal(*data, method="least-squares", **door),
    "moments": lambda *data, **door: rs.fit_binormal(*data, method="moments", **door),
    "fit_contaminated": rs.fit_contaminated,
    "choose_binormal": rs.choose_binormal,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LATENT)
def test_latent_curves_take_what_auc_takes(name, cases):
    fit = LATENT[name]
    expected = fit(Y, A)
    assert fit(cases, label="y", score="a") == expected
    assert fit(Stacked(A)) == fit(BinaryScores.from_arrays(Y, A)) == fit(rs.roc_curve(Y, A)) == expected
    dropped = fit([*Y, 1], [*A, None], na="drop")
    assert dropped.warnings[0] == "1 row with missing values left out: 1 of class 1"


@pytest.mark.parametrize(
    "call", [rs.fit_binormal_pair, lambda *data, **door: rs.preview_fusion(*data, weights=[1, 2], **door)]
)
def test_pairs_of_scores_take_what_compare_auc_takes(call, cases):
    expected = call(BinaryScores.from_arrays(Y, {"a": A, "b": B}))
    assert call(cases, label="y", score=["a", "b"]) == expected
    assert call({"a": Stacked(A), "b": Stacked(B)}) == expected
    assert call(Y, pd.Series(A, name="a"), pd.Series(B, name="b")) == expected
    dropped = call([*Y, 1], [*A, None], [*B, 1], na="drop")
    assert "1 row with missing values left out: 1 of class 1" in dropped.warnings
    with pytest.raises(rs.RocInputError, match="score must be left out unless y_true is a data frame"):
        call(Y, A, B, score=["a", "b"])


def test_fusion_is_tested_on_another_frame(cases):
    door = {"label": "y", "score": ["a", "b"], "weights": [1, 2]}
    assert rs.preview_fusion(cases, test=cases, **door) == rs.preview_fusion(cases, test=(Y, A, B), **door)


def test_cases_that_were_tested_twice_are_noted():
    area = rs.auc(Stacked(A, row=[*range(9), 0]))
    assert area.warnings == (
        "cases that were tested several times count as different ones: intervals are too narrow",
    )


@pytest.mark.parametrize("name", ONE_SCORE)
def test_missing_values_are_refused_or_dropped(name):
    call, y, s = ONE_SCORE[name], [*Y, 1, None, 0], [*A, np.nan, 0.5, None]
    with pytest.raises(rs.RocInputError, match="missing"):
        call(y, s)
    result = call(y, s, na="drop")
    assert (
        "3 rows with missing values left out: 1 of class 0, 1 of class 1, 1 without a label"
        in result.warnings
    )
    frame = pl.DataFrame({"y": y, "s": s}, strict=False)
    assert call(frame, label="y", score="s", na="drop") == result


def test_curves_of_a_frame_are_compared(cases):
    expected = rs.compare_auc(Y, {"a": A, "b": B})
    assert rs.compare_auc(cases, label="y", score=["a", "b"]) == expected
    assert rs.compare_auc(cases["y"], cases[["a", "b"]]) == expected
    assert rs.compare_auc({"a": Stacked(A), "b": Stacked(B)}) == expected


def test_stacked_scores_of_other_cases_are_not_compared():
    with pytest.raises(rs.RocInputError, match="must hold the same cases in every result of cross_scores"):
        rs.compare_auc({"a": Stacked(A), "b": Stacked(B, row=range(10, 20))})


def test_names_of_series_are_kept():
    assert BinaryScores.from_arrays(Y, pd.Series(A, name="marker")).names == ("marker",)
    assert BinaryScores.from_arrays(Y, pl.Series("marker", A)).names == ("marker",)


def test_columns_of_folds_and_weights_by_name(cases):
    data = BinaryScores.from_arrays(cases, label="y", score="a", fold="fold", sample_weight="fold")
    assert data.fold.tolist() == data.weight.tolist() == FOLD


def test_columns_of_classes(cases):
    labels = ["a" if one else "b" for one in Y]
    frame = cases[["a", "b"]]
    expected = rs.multiclass_auc(labels, np.column_stack([A, B]), classes=["a", "b"])
    assert rs.multiclass_auc(labels, frame) == expected
    assert rs.multiclass_auc(Y, np.column_stack([B, A])).value is not None
    whole = type(cases)({"state": labels, "a": A, "b": B})
    assert rs.multiclass_auc(whole, label="state", score=["a", "b"]) == expected
    assert ClassScores.from_arrays(whole, label="state", score=["a", "b"], fold="state").fold[0] == "b"


def test_ordered_classes_of_a_frame(cases):
    expected = rs.ordinal_roc(Y, A)
    assert rs.ordinal_roc(cases, label="y", score="a") == expected
    assert OrdinalScores.from_arrays([*Y, None], [*A, 1], na="drop").warnings == (
        "1 row with missing values left out: 1 without a label",
    )
    dropped = rs.ordinal_roc([*Y, 1], [*A, None], na="drop")
    assert dropped.warnings == (*expected.warnings, "1 row with missing values left out: 1 of class 1")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda frame: rs.auc(frame, label="Y", score="a"),
            "label must name a column of the frame ('y', 'a', 'b', 'fold'), got 'Y'; did you mean 'y'?",
        ),
        (
            lambda frame: rs.auc(frame, label="y", score=["a", "c"]),
            "score must name a column of the frame ('y', 'a', 'b', 'fold'), got 'c'",
        ),
        (lambda frame: rs.auc(frame), "label must name a column of the frame, got None"),
        (
            lambda frame: rs.auc(frame, A, label="y", score="a"),
            "y_score must be left out where y_true is a data frame: score names its column",
        ),
        (
            lambda frame: rs.auc(Y, A, score="a"),
            "score must be left out unless y_true is a data frame, got 'a'",
        ),
        (
            lambda frame: rs.auc(frame, label="y", score=["a", "b"]),
            "y_score must be of one classifier, got 2: ['a', 'b']",
        ),
        (lambda frame: rs.auc(Y, A, na="omit"), "na must be one of 'error', 'drop', got 'omit'"),
        (
            lambda frame: rs.compare_auc(frame, label="y", score=["a"]),
            "score must hold the scores of two or more classifiers, got DataFrame with 1",
        ),
    ],
)
def test_wrong_columns_are_refused(call, message, cases):
    with pytest.raises(rs.RocInputError) as error:
        call(cases)
    assert str(error.value).startswith(message)


def test_lazy_frames_are_refused():
    with pytest.raises(rs.RocInputError, match="must be collected first"):
        rs.auc(pl.LazyFrame({"y": Y, "a": A}), label="y", score="a")


@pytest.mark.parametrize(
    ("y_true", "y_score", "message"),
    [
        (-1, [0], "y_true must be a one-dimensional array, got -1"),
        ([], [], "y_true must have at least one row, got none"),
        ([0, 1], 3, "y_score must be a one-dimensional array, got 3"),
        ([None, 1], [1, None], "na must leave rows without missing values, got none"),
    ],
)
def test_what_is_no_column_has_no_missing_rows(y_true, y_score, message):
    with pytest.raises(rs.RocInputError) as error:
        rs.auc(y_true, y_score, na="drop")
    assert str(error.value) == message


def test_an_average_says_which_rows_were_left_out():
    y, p, fold = (
        [0, 1, 2, 0, 1, 2, 1],
        np.vstack([np.tile(np.eye(3), (2, 1)), [np.nan] * 3]),
        [0, 0, 0, 1, 1, 1, 1],
    )
    data = ClassScores.from_arrays(y, p, classes=[0, 1, 2], fold=fold, na="drop")
    assert data.warnings == ("1 row with missing values left out: 1 of class 1",)
    assert data.warnings[0] in rs.average_roc(data).warnings


@pytest.mark.parametrize("average", [rs.average_roc, rs.average_curves])
def test_averages_of_a_frame(average, cases):
    expected = average(Y, A, fold=FOLD)
    assert average(cases, label="y", score="a", fold="fold") == expected
    dropped = average([*Y, 1], [*A, None], fold=[*FOLD, 0], na="drop")
    left_out = "1 row with missing values left out: 1 of class 1"
    assert sorted(dropped.warnings) == sorted([left_out, *expected.warnings])
    with pytest.raises(rs.RocInputError, match="fold must name a column of the frame"):
        average(cases, label="y", score="a", fold="folds")


def test_an_average_of_columns_of_classes(cases):
    whole = type(cases)({"state": ["a" if one else "b" for one in Y], "a": A, "b": B, "fold": FOLD})
    expected = rs.average_roc(
        whole["state"], whole[["a", "b"]], fold=whole["fold"], classes=["a", "b"], points=5
    )
    assert rs.average_roc(whole, label="state", score=["a", "b"], fold="fold", points=5) == expected


def test_constraints_of_a_cut_point_follow_what_holds_the_scores(cases):
    expected = rs.cutpoint(Y, A, "tpr>=0.8", n_boot=100, rng=1)
    assert rs.cutpoint(cases, "tpr>=0.8", label="y", score="a", n_boot=100, rng=1) == expected
    assert rs.cutpoint(Stacked(A), "tpr>=0.8", n_boot=100, rng=1) == expected


def test_a_frame_by_another_name_is_the_first_argument(cases):
    with pytest.raises(rs.RocArgumentError, match="auc has no argument 'data'; did you mean 'y_true'"):
        rs.auc(data=cases, label="y", score="a")


def test_a_result_in_the_place_of_labels_is_named():
    with pytest.raises(rs.RocInputError, match="got an object of type AreaEstimate"):
        rs.auc(rs.auc(Y, A))
