"""Pandas objects with different indices are different rows: refused at every door that takes two columns."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.naive_bayes import GaussianNB

import rocscope as rs

N = 12
Y = pd.Series(np.arange(N) % 2, name="y")
S = pd.Series(np.arange(N) * 7 % 5 / 4 + Y)
FOLD = pd.Series(np.arange(N) // 4)
MATRIX = pd.DataFrame({0: 1 - S / 4, 1: S / 4})
X = pd.DataFrame({"a": S, "b": S.to_numpy()[::-1]})
FITTED, FITTED_3 = GaussianNB().fit(X, Y), GaussianNB().fit(X, FOLD)


def moved(values):
    """The same rows under other labels."""
    return values.set_axis(np.arange(N) + 100, axis=0)


def turned(values):
    """The same labels in another order."""
    return values.set_axis(np.arange(N)[::-1], axis=0)


# Every door with the argument that is given another index, and its name in the message.
DOORS = {
    "auc": (lambda other: rs.auc(Y, other(S)), "y_true", "y_score"),
    "y_true": (lambda other: rs.auc(other(Y), S), "y_true", "y_score"),
    "roc_curve": (lambda other: rs.roc_curve(Y, S, sample_weight=other(Y + 1)), "y_true", "sample_weight"),
    "precision_recall": (lambda other: rs.precision_recall(Y, other(S)), "y_true", "y_score"),
    "calibration": (lambda other: rs.calibration(Y, other(S / 4)), "y_true", "y_prob"),
    "point_measures": (lambda other: rs.point_measures(Y, other(S), threshold=1), "y_true", "y_score"),
    "partial_auc": (lambda other: rs.partial_auc(Y, other(S), fpr=(0, 0.5)), "y_true", "y_score"),
    "compare_auc": (lambda other: rs.compare_auc(Y, {"a": S, "b": other(S)}), "y_true", "scores['b']"),
    "arrays between": (
        lambda other: rs.compare_auc(Y.to_numpy(), {"a": S, "b": other(S)}),
        "scores['a']",
        "scores['b']",
    ),
    "unpaired": (
        lambda other: rs.compare_auc({"a": Y, "b": Y}, {"a": S, "b": other(S)}, paired=False),
        "y_true",
        "scores['b']",
    ),
    "fit_binormal": (lambda other: rs.fit_binormal(Y, other(S)), "y_true", "y_score"),
    "fit_binormal_pair": (lambda other: rs.fit_binormal_pair(Y, S, other(S)), "y_true", "score_b"),
    "preview_fusion": (lambda other: rs.preview_fusion(Y, S, other(S)), "y_true", "score_b"),
    "multiclass_auc": (
        lambda other: rs.multiclass_auc(Y, other(MATRIX), classes=[0, 1]),
        "y_true",
        "y_score",
    ),
    "search_weights": (
        lambda other: rs.search_weights(Y, other(MATRIX), classes=[0, 1]),
        "y_true",
        "y_score",
    ),
    "average_roc": (lambda other: rs.average_roc(Y, S, fold=other(FOLD)), "y_true", "fold"),
    "average of classes": (
        lambda other: rs.average_roc(Y, MATRIX, fold=other(FOLD), classes=[0, 1]),
        "y_true",
        "fold",
    ),
    "average_curves": (lambda other: rs.average_curves(Y, other(S), fold=FOLD), "y_true", "y_score"),
    "ordinal_roc": (lambda other: rs.ordinal_roc(Y, other(S)), "y_true", "y_pred"),
    "ordinal folds": (lambda other: rs.ordinal_roc(Y, S, fold=other(FOLD)), "y_true", "fold"),
    "paired_tests": (lambda other: rs.paired_tests(S, other(S)), "a", "b"),
    "cross_scores": (lambda other: rs.cross_scores(GaussianNB(), X, other(Y), cv=2), "X", "y"),
    "folds of cross_scores": (lambda other: rs.cross_scores(GaussianNB(), X, Y, cv=other(FOLD)), "X", "cv"),
    "ordinal_scores": (lambda other: rs.ordinal_scores(GaussianNB(), X, other(Y), cv=2), "X", "y"),
    "bootstrap_auc": (lambda other: rs.bootstrap_auc(GaussianNB(), X, other(Y), n_boot=10), "X", "y"),
    "compare_algorithms": (
        lambda other: rs.compare_algorithms({"a": GaussianNB(), "b": GaussianNB()}, (X, other(Y)), folds=2),
        "X of 'data'",
        "y of 'data'",
    ),
    "learning_curve": (
        lambda other: rs.learning_curve(GaussianNB(), X, other(Y), sizes=[2, 3], n_boot=2, rng=0),
        "X",
        "y",
    ),
    "scorer": (lambda other: rs.scorer("auc")(FITTED, X, other(Y)), "X", "y"),
    "scorer of classes": (lambda other: rs.scorer("auc")(FITTED_3, X, other(FOLD)), "X", "y"),
    "display": (lambda other: rs.RocDisplay.from_estimator(FITTED, X, other(Y)), "X", "y"),
    "weights of a display": (
        lambda other: rs.RocDisplay.from_estimator(FITTED, X, Y, sample_weight=other(Y + 1)),
        "X",
        "sample_weight",
    ),
    "known point": (
        lambda other: rs.OperatingPointClassifier(GaussianNB(), 0.5).fit(X, other(Y)),
        "X",
        "y",
    ),
    "selected point": (
        lambda other: rs.OperatingPointClassifier(GaussianNB(), "tpr>=0.9", cv=2).fit(X, other(Y)),
        "X",
        "y",
    ),
    "weights of a point": (
        lambda other: rs.OperatingPointClassifier(GaussianNB(), 0.5).fit(X, Y, sample_weight=other(Y + 1)),
        "X",
        "sample_weight",
    ),
    "from_counts": (lambda other: rs.ScoreTable.from_counts(S, pos=Y, neg=other(1 - Y)), "scores", "neg"),
}
each_door = pytest.mark.parametrize(("call", "first", "second"), DOORS.values(), ids=DOORS.keys())


def message_of(call):
    with pytest.raises(rs.RocInputError) as error:
        call()
    return str(error.value)


@each_door
def test_other_labels_are_refused(call, first, second):
    assert message_of(lambda: call(moved)).replace("100 and 0", "0 and 100") == (
        f"{first} and {second} must have the same pandas index, got different labels in rows 0, 1, 2, 3, 4 "
        "and 7 more (0 and 100 in row 0); align them, or give .to_numpy() of each to match them by position"
    )


@each_door
def test_the_same_labels_in_another_order_are_refused(call, first, second):
    assert message_of(lambda: call(turned)).startswith(
        f"{first} and {second} must have the same pandas index"
    )
    assert "and 7 more" in message_of(lambda: call(turned))
    assert ": the same labels in another order; align them" in message_of(lambda: call(turned))


def test_one_row_that_differs_is_named():
    other = S.rename(index={3: 99})
    assert "different labels in row 3 (3 and 99 in row 3); align" in message_of(lambda: rs.auc(Y, other))


def test_what_has_no_index_is_matched_by_position():
    expected = rs.auc(Y.to_numpy(), S.to_numpy()).value
    pairs = [
        (Y, S),
        (moved(Y), moved(S)),
        (moved(Y), S.to_numpy()),
        (Y.to_list(), moved(S)),
        (Y, moved(S).array),
        (moved(Y), pl.Series(S.to_list())),
        (Y.set_axis(pd.Index(np.arange(N))), S.set_axis(pd.RangeIndex(N, name="row"))),
        (Y.set_axis(np.arange(N) * 1.0), S),
        (Y.set_axis([np.nan] * N), S.set_axis([np.nan] * N)),
        (Y.set_axis(["a"] * N), S.set_axis(["a"] * N)),
    ]
    for y, s in pairs:
        assert rs.auc(y, s).value == expected


def test_lengths_are_looked_at_first():
    assert message_of(lambda: rs.auc(Y, S[:-1])) == (
        "y_true and y_score must have the same length: y_true has 12, y_score has 11"
    )


def test_pandas_is_not_imported_for_it():
    code = "import sys, rocscope; rocscope.auc([0, 1], [1, 2]); sys.exit('pandas' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
