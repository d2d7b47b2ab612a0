"""Cross-validated scores against literal loops and scikit-learn; every way to split; what is refused."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.ensemble import IsolationForest, RandomForestClassifier, StackingClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KernelDensity, LocalOutlierFactor, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC, OneClassSVM

import rocscope as rs
from rocscope.core.execution import LokyExecutor
from rocscope.core.resampling import stratified_folds
from rocscope.errors import PartlyFailedError, RocInputError
from rocscope.training.cross_scores import CrossScores, cross_scores
from rocscope.training.detectors import GaussianDetector


def two_blobs(n=40, seed=0, d=2):
    rng = np.random.default_rng(seed)
    return np.vstack([rng.normal(size=(n, d)), rng.normal(1, 1, size=(n, d))]), np.repeat([0, 1], n)


X, Y = two_blobs()
# Rows of one class must not lie together: a mistake in the order of rows would not show.
SHUFFLE = np.random.default_rng(5).permutation(len(Y))
X, Y = X[SHUFFLE], Y[SHUFFLE]
IRIS_X, IRIS_Y = load_iris(return_X_y=True)
IRIS_NAMES = np.array(["setosa", "versicolor", "virginica"])[IRIS_Y]


def looped(estimator, X, y, fold, response, column=None):
    """The literal way: one fold after another, one row after another."""
    found = [None] * len(y)
    for k in sorted(set(fold.tolist())):
        train = [i for i in range(len(y)) if fold[i] != k]
        model = clone(estimator).fit(X[train], y[train])
        for i in range(len(y)):
            if fold[i] == k:
                out = getattr(model, response)(X[i : i + 1])[0]
                found[i] = out if column is None else out[column]
    return np.array(found)


# ---- Equal to the literal loop and to scikit-learn --------------------------------------------------------


def test_two_classes_equal_the_loop():
    found = cross_scores(GaussianNB(), X, Y, cv=7, rng=3)
    np.testing.assert_array_equal(found.fold, stratified_folds(Y, 7, rng=3))
    np.testing.assert_allclose(
        found.y_score, looped(GaussianNB(), X, Y, found.fold, "predict_proba", 1), rtol=1e-12
    )
    named = cross_scores(GaussianNB(), X, np.where(Y, "ill", "well"), cv=7, rng=3, pos_label="ill")
    np.testing.assert_array_equal(named.fold, stratified_folds(np.where(Y, "ill", "well"), 7, rng=3))
    np.testing.assert_array_equal(found.y_true, Y)
    np.testing.assert_array_equal(found.row, np.arange(80))
    assert found.classes == (0, 1)
    assert found.pos_label == 1
    assert found.response == "predict_proba"
    assert found.warnings == ()
    assert found.n_test.tolist() == np.bincount(found.fold).tolist()
    np.testing.assert_array_equal(found.n_train + found.n_test, 80)


def test_three_classes_equal_the_loop():
    model = make_pipeline(PCA(3), QuadraticDiscriminantAnalysis())
    found = cross_scores(model, IRIS_X, IRIS_NAMES, rng=0)
    assert found.classes == ("setosa", "versicolor", "virginica")
    assert found.pos_label is None
    assert found.y_score.shape == (150, 3)
    expected = looped(model, IRIS_X, IRIS_NAMES, found.fold, "predict_proba")
    np.testing.assert_allclose(found.y_score, expected, rtol=1e-9, atol=1e-300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "method"),
    [(LogisticRegression(max_iter=1000), "predict_proba"), (LinearSVC(), "decision_function")],
    ids=["proba", "decision"],
)
def test_equal_to_cross_val_predict(model, method):
    cv = StratifiedKFold(5, shuffle=True, random_state=1)
    found = cross_scores(model, IRIS_X, IRIS_Y, cv=cv, response=method)
    expected = cross_val_predict(model, IRIS_X, IRIS_Y, cv=cv, method=method)
    np.testing.assert_allclose(found.y_score, expected, rtol=1e-9, atol=1e-12)


def test_highleyman_detector_equals_the_normal_density():
    from scipy.stats import multivariate_normal

    rng = np.random.default_rng(2)
    first = rng.multivariate_normal([1, 1], [[1, 0], [0, 0.25]], 100)
    second = rng.multivariate_normal([2, 0], [[0.01, 0], [0, 4]], 100)
    data, y = np.vstack([first, second]), np.repeat(["class 1", "class 2"], 100)
    found = cross_scores(GaussianDetector(), data, y, target="class 1", rng=4)
    assert found.classes == ("class 2", "class 1")
    assert found.response == "score_samples"
    assert found.n_train.tolist() == [90] * 10
    for k in range(10):
        own = data[(found.fold != k) & (y == "class 1")]
        density = multivariate_normal(own.mean(axis=0), np.cov(own.T, bias=True)).pdf(data[found.fold == k])
        np.testing.assert_allclose(found.y_score[found.fold == k], density, rtol=1e-11)


def test_the_scores_pass_the_doors():
    found = cross_scores(GaussianNB(), X, np.where(Y, "ill", "well"), cv=5, rng=0, pos_label="ill")
    assert rs.auc(found.y_true, found.y_score, pos_label=found.pos_label).value > 0.7
    many = cross_scores(GaussianNB(), IRIS_X, IRIS_NAMES, cv=5, rng=0)
    assert rs.multiclass_auc(many.y_true, many.y_score, classes=many.classes).value > 0.9


# ---- Chance ----------------------------------------------------------------------------------------------


FOREST = RandomForestClassifier(5)


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same():
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    model = make_pipeline(StandardScaler(), FOREST)
    one, two = (cross_scores(model, X, Y, cv=4, rng=9, n_jobs=n) for n in (1, 2))
    assert one == two
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    assert one != cross_scores(model, X, Y, cv=4, rng=10)


def test_open_random_states_come_from_rng_and_others_are_kept():
    fold = np.arange(80) % 4
    same = [cross_scores(FOREST, X, Y, cv=fold, rng=n).y_score.tolist() for n in (1, 1, 2)]
    assert same[0] == same[1] != same[2]
    fixed = clone(FOREST).set_params(random_state=0)
    found = cross_scores(fixed, X, Y, cv=fold, rng=1).y_score
    assert found.tolist() == cross_scores(fixed, X, Y, cv=fold, rng=2).y_score.tolist()
    np.testing.assert_array_equal(found, looped(fixed, X, Y, fold, "predict_proba", 1))
    assert FOREST.random_state is None


def test_inner_random_states_are_set_too():
    search = GridSearchCV(FOREST, {"max_depth": [1, 2]}, cv=2)
    first, second = (cross_scores(search, X, Y, cv=2, rng=4) for _ in range(2))
    assert first == second


def test_an_open_splitter_takes_its_seed_from_rng():
    cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=2)
    first, second, other = (cross_scores(GaussianNB(), X, Y, cv=cv, rng=n) for n in (1, 1, 2))
    assert first == second != other
    assert cv.random_state is None


def test_a_generator_moves_on():
    rng = np.random.default_rng(0)
    assert cross_scores(GaussianNB(), X, Y, cv=3, rng=rng) != cross_scores(GaussianNB(), X, Y, cv=3, rng=rng)


# ---- Every way to split ----------------------------------------------------------------------------------


def test_repeats_count_on_and_tell_their_rows():
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0)
    found = cross_scores(GaussianNB(), X, Y, cv=cv)
    np.testing.assert_array_equal(found.row, np.repeat(np.arange(80), 3))
    np.testing.assert_array_equal(found.y_true, Y[found.row])
    assert found.folds.tolist() == list(range(12))
    for k, (train, test) in enumerate(cv.split(X, Y)):
        assert sorted(found.row[found.fold == k]) == sorted(test)
        expected = GaussianNB().fit(X[train], Y[train]).predict_proba(X[np.sort(test)])[:, 1]
        np.testing.assert_allclose(found.y_score[found.fold == k], expected, rtol=1e-12)
    areas = [curve.auc for curve in found.fold_curves().values()]
    assert str(found) == (
        "240 scores of 80 cases in 12 folds, 2 classes (predict_proba); "
        f"AUC over 12 folds: mean {np.mean(areas):.4f}, SD {np.std(areas, ddof=1):.4f}"
    )


def test_groups_are_handed_on_and_stay_together():
    groups = np.repeat([f"p{i}" for i in range(20)], 4)
    for cv in (GroupKFold(5), LeaveOneGroupOut()):
        found = cross_scores(GaussianNB(), X, Y, cv=cv, groups=groups)
        assert all(len(set(found.fold[groups == g])) == 1 for g in set(groups))
        assert not any("groups" in warning for warning in found.warnings)


def test_spread_groups_are_reported():
    groups = np.array(["all"] * 10 + [f"p{i}" for i in range(70)])
    found = cross_scores(GaussianNB(), X, Y, cv=5, groups=groups, rng=0)
    assert found.warnings == ("groups lie in training and test rows of one fold: 1, such as 'all'",)


@pytest.mark.parametrize("kind", [np.array, list, tuple, pd.Series, pl.Series], ids=lambda k: k.__name__)
def test_given_folds_keep_their_names(kind):
    fold = np.arange(80) % 3 + 7
    found = cross_scores(GaussianNB(), X, Y, cv=kind(fold.tolist()))
    np.testing.assert_array_equal(found.fold, fold)
    assert found.folds.tolist() == [7, 8, 9]


@pytest.mark.parametrize("kind", [list, pd.Series], ids=lambda k: k.__name__)
def test_folds_may_be_named_by_text(kind):
    sites = np.where(np.arange(80) % 2, "north", "south")
    found = cross_scores(GaussianNB(), X, Y, cv=kind(sites.tolist()))
    np.testing.assert_array_equal(found.fold, sites)


def test_pairs_of_rows_and_masks():
    even = np.arange(80) % 2 == 0
    by_rows = cross_scores(
        GaussianNB(), X, Y, cv=((np.flatnonzero(a), np.flatnonzero(~a)[::-1]) for a in (even, ~even))
    )
    by_mask = cross_scores(GaussianNB(), X, Y, cv=[(even, ~even), (~even, even)])
    assert by_rows == by_mask
    np.testing.assert_array_equal(by_rows.fold, np.where(even, 1, 0))


def test_rows_without_test_are_left_out_and_reported():
    found = cross_scores(GaussianNB(), X, Y, cv=PredefinedSplit([-1] * 20 + [0] * 30 + [1] * 30))
    np.testing.assert_array_equal(found.row, np.arange(20, 80))
    assert found.warnings == ("20 of 80 rows are in no test set",)


def test_bootstrap_tests_the_rows_left_out():
    found = cross_scores(GaussianNB(), X, Y, cv=("bootstrap", 6), rng=1)
    assert found.folds.tolist() == list(range(6))
    assert found.n_train.tolist() == [80] * 6
    assert found.redrawn == 0
    for k in range(6):
        rows = found.row[found.fold == k]
        assert len(set(rows)) == len(rows)
        assert 0.2 < len(rows) / 80 < 0.55
        assert set(Y[rows]) == {0, 1}
    assert found == cross_scores(GaussianNB(), X, Y, cv=("bootstrap", 6), rng=1)


def test_bootstrap_draws_again_where_no_row_is_left_out():
    small, y = X[:8], np.array([0, 0, 1, 1, 1, 1, 1, 1])
    found = cross_scores(GaussianNB(), small, y, cv=("bootstrap", 40), rng=0)
    assert 10 < found.redrawn < 120  # half of the draws of a class of two leave none of it out
    for k in range(40):
        assert set(y[found.row[found.fold == k]]) == {0, 1}


def test_a_fold_without_a_class_is_reported():
    found = cross_scores(GaussianNB(), X, Y, cv=[*([0] * 40), *(1 + Y[40:])])
    assert found.warnings == (
        "fold 2 has no row of class 0 to test",
        "fold 1 has no row of class 1 to test",
    )


# ---- Soft outputs ----------------------------------------------------------------------------------------


def test_the_positive_class_chooses_column_and_sign():
    y = np.where(Y, "a", "b")  # the positive class is the first of scikit-learn's
    for model, method in ((GaussianNB(), "predict_proba"), (LinearSVC(random_state=0), "decision_function")):
        first, last = (cross_scores(model, X, y, cv=3, rng=0, pos_label=p) for p in "ab")
        assert (first.response, first.classes, last.classes) == (method, ("b", "a"), ("a", "b"))
        if method == "decision_function":
            np.testing.assert_array_equal(first.y_score, -last.y_score)
        else:
            np.testing.assert_allclose(first.y_score + last.y_score, 1)
        assert rs.auc(y, first.y_score, pos_label="a").value > 0.6
        np.testing.assert_array_equal(first.fold, last.fold)


def test_the_first_method_at_hand_is_taken():
    assert cross_scores(SVC(), X, Y, cv=2).response == "decision_function"
    assert cross_scores(KernelDensity(), X, Y, cv=2).response == "score_samples"
    found = cross_scores(LinearDiscriminantAnalysis(), X, Y, cv=2, rng=0, response="decision_function")
    assert found.response == "decision_function"
    assert found.y_score.min() < 0


@pytest.mark.parametrize(
    ("model", "response"),
    [
        (OneClassSVM(), "decision_function"),
        (IsolationForest(n_estimators=10), "decision_function"),
        (LocalOutlierFactor(novelty=True), "decision_function"),
        (KernelDensity(), "score_samples"),
        (GaussianMixture(2), "score_samples"),  # its predict_proba is about components
        (make_pipeline(StandardScaler(), GaussianDetector(log=True)), "score_samples"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_detectors_are_trained_on_the_target_alone(model, response):
    found = cross_scores(model, X, Y, cv=4, target=0, rng=1)
    assert (found.response, found.classes, found.pos_label) == (response, (1, 0), 0)
    changed = X.copy()
    train = (found.fold != 2) & (Y == 1)
    changed[train] += 100  # rows of the other class must not matter to fold 2
    again = cross_scores(model, changed, Y, cv=found.fold, target=0, rng=1)
    np.testing.assert_array_equal(again.y_score[found.fold == 2], found.y_score[found.fold == 2])
    assert rs.auc(found.y_true, found.y_score, pos_label=0).value > 0.5


def test_a_method_that_shows_only_after_training_is_found():
    for final, response in ((None, "predict_proba"), (RidgeClassifier(), "decision_function")):
        model = StackingClassifier([("nb", GaussianNB())], final_estimator=final, cv=3)
        found = cross_scores(model, X, Y, cv=3, rng=0)
        assert found.response == response
        assert found.curve().auc > 0.6
    named = StackingClassifier([("nb", GaussianNB())], cv=3)
    found = cross_scores(named, X, Y, cv=3, rng=0, response="decision_function")
    assert found.response == "decision_function"
    hard = StackingClassifier([("nb", GaussianNB())], VotingClassifier([("nb", GaussianNB())]), cv=3)
    with pytest.raises(RocInputError, match="got one with predict only: hard labels are no scores"):
        cross_scores(hard, X, Y, cv=3, rng=0)


class Stub(ClassifierMixin, BaseEstimator):
    """A classifier whose outputs can be spoilt."""

    def __init__(self, answer="fine"):
        self.answer = answer

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.answer == "raise" and 7 not in X[:, 0]:
            raise ZeroDivisionError("no seven")
        if self.answer == "other classes":
            self.classes_ = self.classes_ + 5
        return self

    def decision_function(self, X):
        out = np.asarray(X, float)[:, :2].copy()
        if self.answer == "nan":
            out[1] = np.nan
        return {"text": out.astype(str), "short": out[:-1], "cube": out[:, :, None]}.get(self.answer, out)

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_two_columns_of_a_decision_function():
    found = cross_scores(Stub(), X, Y, cv=3)
    np.testing.assert_array_equal(found.y_score, X[:, 1])
    np.testing.assert_array_equal(cross_scores(Stub(), X, Y, cv=3, pos_label=0).y_score, X[:, 0])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("nan", "RocInputError: decision_function must have no missing outputs, got NaN in row 1"),
        ("text", "RocInputError: decision_function must give numbers, got <U32"),
        ("short", "RocInputError: decision_function must give one row per case (40), got shape (39, 2)"),
        (
            "cube",
            "RocInputError: decision_function must give one column per class [0, 1], got shape (40, 2, 1)",
        ),
        ("other classes", "RocInputError: classes_ must be among the labels [0, 1], got [5, 6]"),
    ],
)
def test_spoilt_outputs_fail_the_fold(answer, words):
    with pytest.raises(PartlyFailedError) as error:
        cross_scores(Stub(answer), X, Y, cv=2)
    assert str(error.value) == f"2 of 2 tasks failed; the first is 'fold 0': {words}"


def test_an_estimator_that_raises_names_the_fold():
    numbered = np.column_stack([np.arange(80.0), X])
    fold = np.arange(80) % 4  # row 7 lies in fold 3, so only fold 3 trains without it
    with pytest.raises(PartlyFailedError) as error:
        cross_scores(Stub("raise"), numbered, Y, cv=fold)
    assert str(error.value) == ("1 of 4 tasks failed; the first is 'fold 3': ZeroDivisionError: no seven")
    assert "in fit" in error.value.__notes__[0]


@pytest.mark.slow
def test_a_worker_reports_the_same_failure():
    with pytest.raises(PartlyFailedError, match="2 of 2 tasks failed; the first is 'fold 0': RocInputError"):
        cross_scores(GaussianDetector(), np.ones((80, 2)), Y, cv=2, target=1, n_jobs=2)


def test_an_unseen_class_has_probability_0_and_is_reported():
    fold = IRIS_Y.copy()
    fold[::10] = 3
    found = cross_scores(GaussianNB(), IRIS_X, IRIS_NAMES, cv=fold[np.arange(150)])
    assert found.warnings[-1].endswith("to test")
    y = np.array(["a"] * 4 + ["b"] * 40 + ["c"] * 36)
    fold = np.r_[[0] * 4, np.arange(76) % 2]
    found = cross_scores(GaussianNB(), X, y, cv=fold)
    assert found.warnings == (
        "fold 1 has no row of class 'a' to test",
        "fold 0 has no training row of class 'a', whose score is 0 there",
    )
    assert (found.y_score[found.fold == 0, 0] == 0).all()
    np.testing.assert_allclose(found.y_score.sum(axis=1), 1)


def test_warnings_of_the_estimator_are_kept():
    found = cross_scores(LogisticRegression(max_iter=1), X * 1e3, Y, cv=3, rng=0)
    (warning,) = found.warnings
    assert warning.startswith("in 3 of 3 folds: ConvergenceWarning: lbfgs failed to converge")
    assert str(found).splitlines()[1].startswith("note: in 3 of 3 folds")


def test_negative_outputs_of_many_classes_are_reported():
    found = cross_scores(LinearSVC(), IRIS_X, IRIS_Y, cv=3, rng=0)
    assert found.warnings[0] == (
        "decision_function has negative values, to which class weights cannot be applied"
    )


def test_infinite_outputs_are_reported():
    far = X.copy()
    away = np.flatnonzero(Y == 0)[:4]
    far[away] = 1e200  # so far from the target that its density is 0
    found = cross_scores(GaussianDetector(log=True), far, Y, cv=2, target=1, rng=0)
    assert np.isneginf(found.y_score[away]).all()
    assert found.warnings == ("infinite scores were ranked above or below all others",)
    assert rs.average_roc(found).warnings == found.warnings

    class Extreme(GaussianNB):
        def predict_proba(self, X):
            return np.full((len(X), 3), np.inf)

    found = cross_scores(Extreme(), IRIS_X, IRIS_Y, cv=3, rng=0)
    assert found.warnings == ("predict_proba has infinite values, to which class weights cannot be applied",)
    with pytest.raises(RocInputError, match="y_score must have finite outputs, got NaN or infinite values"):
        rs.average_roc(found)


# ---- Overlap of training sets ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "ratio"),
    [
        ({"cv": 4}, 1 / 3),
        ({"cv": RepeatedStratifiedKFold(n_splits=4, n_repeats=3)}, 1 / 3),
        ({"cv": ShuffleSplit(6, test_size=0.25, random_state=0)}, 1 / 3),
        ({"cv": [(range(60), range(60, 70)), (range(20, 80), range(20))]}, (10 / 60 + 20 / 60) / 2),
    ],
    ids=["folds", "repeated", "shuffled", "pairs"],
)
def test_test_over_train_is_that_of_the_splits(options, ratio):
    found = cross_scores(GaussianNB(), X, Y, rng=0, **options)
    assert found.test_over_train == pytest.approx(ratio)
    assert rs.average_roc(found).test_over_train == found.test_over_train


def test_a_detector_overlaps_as_a_classifier_does():
    found = cross_scores(GaussianDetector(), X, Y, cv=4, target=1, rng=0)
    assert found.test_over_train == pytest.approx(1 / 3)


def test_bootstrap_rows_count_once():
    found = cross_scores(GaussianNB(), X, Y, cv=("bootstrap", 200), rng=0)
    assert (found.n_train == 80).all()
    assert found.test_over_train == pytest.approx(np.exp(-1) / (1 - np.exp(-1)), abs=0.02)


# ---- Curves ----------------------------------------------------------------------------------------------


def test_curves_of_folds_and_of_all():
    found = cross_scores(GaussianNB(), X, Y, cv=4, rng=0)
    assert found.curve() == rs.roc_curve(found.y_true, found.y_score)
    assert [*found.fold_curves()] == [0, 1, 2, 3]
    for k, curve in found.fold_curves().items():
        inside = found.fold == k
        assert curve == rs.roc_curve(found.y_true[inside], found.y_score[inside])


def test_curves_of_one_class_against_all_others():
    found = cross_scores(GaussianNB(), IRIS_X, IRIS_NAMES, cv=3, rng=0)
    curve = found.curve("virginica")
    expected = rs.roc_curve(IRIS_NAMES == "virginica", found.y_score[:, 2])
    np.testing.assert_array_equal(curve.tpr, expected.tpr)
    assert (curve.auc, curve.pos_label, curve.neg_label) == (expected.auc, "virginica", "others")
    for name, words in (
        (None, "name must be one of the classes ['setosa', 'versicolor', 'virginica'], got None"),
        ("rose", "name must be a class that has a score, got 'rose'"),
    ):
        with pytest.raises(RocInputError) as error:
            found.curve(name)
        assert str(error.value) == words
    with pytest.raises(RocInputError) as error:
        cross_scores(GaussianNB(), X, Y, cv=3, rng=0).curve(0)
    assert str(error.value) == "name must be a class that has a score, got 0"


def test_a_fold_without_a_class_has_no_curve():
    found = cross_scores(GaussianNB(), X, Y, cv=np.where(np.arange(80) < 70, np.arange(80) % 3, 4 + Y))
    assert [*found.fold_curves()] == [0, 1, 2]


# ---- Kinds of data ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind",
    [pd.DataFrame, pl.DataFrame, sparse.csr_array, lambda a: a.tolist()],
    ids=["pandas", "polars", "sparse", "list"],
)
def test_features_of_any_kind(kind):
    expected = cross_scores(LogisticRegression(), X, Y, cv=3, rng=0)
    found = cross_scores(LogisticRegression(), kind(X), Y, cv=3, rng=0)
    np.testing.assert_allclose(found.y_score, expected.y_score, rtol=1e-7)


def test_a_frame_stays_a_frame():
    frame = pd.DataFrame(
        {"size": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")}, index=range(80, 0, -1)
    )
    columns = ColumnTransformer([("colour", OneHotEncoder(), ["colour"])], remainder="passthrough")
    y = pd.Series(Y, index=frame.index)
    found = cross_scores(make_pipeline(columns, LogisticRegression()), frame, y, cv=3, rng=0)
    np.testing.assert_array_equal(found.y_true, Y)


def test_texts_are_features_too():
    texts = ["good fine nice" if y else "bad poor fine" for y in Y]
    found = cross_scores(make_pipeline(CountVectorizer(), MultinomialNB()), texts, Y, cv=2)
    assert rs.auc(found.y_true, found.y_score).value == 1


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (Y.astype(bool), (False, True)),
        (Y.astype(float), (0.0, 1.0)),
        (2 * Y - 1, (-1, 1)),
        (pd.Series(Y, dtype="Int64"), (0, 1)),
        (pl.Series(Y), (0, 1)),
        (np.array(Y, dtype=object), (0, 1)),
        (Y.tolist(), (0, 1)),
    ],
    ids=["bool", "float", "signs", "nullable", "polars", "object", "list"],
)
def test_labels_of_two_classes_of_any_kind(labels, classes):
    found = cross_scores(GaussianNB(), X, labels, cv=3, rng=0)
    assert found.classes == classes
    assert [type(name) for name in found.classes] == [type(name) for name in classes]
    expected = cross_scores(GaussianNB(), X, Y, cv=3, rng=0)
    np.testing.assert_array_equal(found.y_score, expected.y_score)


@pytest.mark.parametrize(
    "kind",
    [list, lambda y: pd.Series(y, dtype="category"), lambda y: pd.Series(y, dtype="str"), pl.Series],
    ids=["list", "category", "str", "polars"],
)
def test_text_labels_of_any_kind(kind):
    y = kind(np.where(Y, "ill", "well").tolist())
    found = cross_scores(GaussianNB(), X, y, cv=3, rng=0, pos_label="ill")
    assert found.classes == ("well", "ill")
    assert found.y_true.tolist() == list(y)


def test_rows_may_come_in_any_order():
    """The same folds give the same score to every case, wherever it stands."""
    fold = stratified_folds(Y, 4, rng=0)
    order = np.random.default_rng(1).permutation(80)
    straight = cross_scores(GaussianNB(), X, Y, cv=fold)
    shuffled = cross_scores(GaussianNB(), X[order], Y[order], cv=fold[order])
    np.testing.assert_allclose(shuffled.y_score, straight.y_score[order], rtol=1e-12)
    np.testing.assert_array_equal(shuffled.fold, straight.fold[order])


# ---- The result and its running --------------------------------------------------------------------------


def test_the_result_is_read_only_and_tells_its_columns():
    found = cross_scores(GaussianNB(), X, Y, cv=4, rng=0)
    assert isinstance(found, CrossScores)
    with pytest.raises(ValueError, match="read-only"):
        found.y_score[0] = 1
    frame = found.frame()
    assert list(frame.columns) == ["row", "fold", "y_true", "y_score"]
    assert len(frame) == 80
    many = cross_scores(GaussianNB(), IRIS_X, IRIS_NAMES, cv=4, rng=0)
    scores = [f"y_score[{name}]" for name in many.classes]
    assert list(many.frame().columns) == ["row", "fold", "y_true", *scores]
    assert '"pos_label": null' in many.to_json()
    assert str(found).startswith("80 scores in 4 folds, 2 classes (predict_proba); AUC over 4 folds: mean ")


def test_progress_and_executor():
    seen = []
    cross_scores(GaussianNB(), X, Y, cv=3, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]
    with LokyExecutor(1) as executor:
        found = cross_scores(GaussianNB(), X, Y, cv=3, rng=0, executor=executor)
        assert found == cross_scores(GaussianNB(), X, Y, cv=3, rng=0)
        with pytest.raises(RocInputError, match="n_jobs must be None when an executor is given, got 2"):
            cross_scores(GaussianNB(), X, Y, cv=3, executor=executor, n_jobs=2)


def test_the_module_loads_no_scikit_learn():
    code = "import sys, rocscope.training.cross_scores; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---- What is refused, before any training ----------------------------------------------------------------


class Untouchable(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise AssertionError("trained")


PAIRS = 'a scikit-learn splitter, pairs (train, test), the fold of each row, or ("bootstrap", n)'


@pytest.mark.parametrize(
    ("cv", "words"),
    [
        (1, "cv must be a whole number of at least 2, got 1"),
        (True, "cv must be a whole number of at least 2, got True"),
        (41, "cv must be at most the size of the smallest class, 40 (class 0), got 41"),
        (2.5, f"cv must be a number of folds, {PAIRS}, got 2.5"),
        (None, f"cv must be a number of folds, {PAIRS}, got None"),
        ("kfold", f"cv must be a number of folds, {PAIRS}, got 'kfold'"),
        ([(0, 1, 2)], f"cv must be a number of folds, {PAIRS}, got (0, 1, 2) among its items"),
        ([], "cv must have at least one pair (train, test), got none"),
        ([0, 1], "y and cv must have the same length: y has 80, cv has 2"),
        ([0] * 80, "cv must name two or more folds, got only 0"),
        (np.full(80, 0.5), "cv must name all folds by whole numbers or all by text, got [0.5, 0.5,"),
        (np.where(Y, 1.0, np.nan), None),
        ([0, "a"] * 40, "cv must name all folds by whole numbers or all by text, got [0, 'a', 0,"),
        ([([0, 1], [2, 99])], "cv[0][1] must hold row numbers from 0 to 79, got [2, 99]"),
        ([([-1, 1], [2, 3])], "cv[0][0] must hold row numbers from 0 to 79, got [-1, 1]"),
        ([([0, 1], [1, 2])], "cv[0][1] must hold rows that did not train, got row 1"),
        ([([0, 1], [2, 2])], "cv[0][1] must hold each row once, got twice row 2"),
        ([([0, 1], [])], "cv[0][1] must have at least one row, got none"),
        (StratifiedKFold, "cv must be a splitter object, got the class StratifiedKFold"),
        (
            GroupKFold(3),
            "cv must be able to split these rows, got from it: The 'groups' parameter should not be None.",
        ),
        (("bootstrap",), "cv must be (\"bootstrap\", n) with one number n, got ('bootstrap',)"),
        (("bootstrap", 0), "cv[1] must be a whole number of at least 1, got 0"),
    ],
)
def test_bad_splits_are_refused_before_any_training(cv, words):
    with pytest.raises(RocInputError) as error:
        cross_scores(Untouchable(), X, Y, cv=cv)
    if words is None:
        assert str(error.value).startswith("cv must have a fold in every row, got missing folds in rows")
    else:
        assert str(error.value).startswith(words)
        assert words.endswith(",") or str(error.value) == words


def test_stratified_splitters_with_too_many_folds_are_refused():
    y = np.array([0] * 77 + [1] * 3)
    for cv in (StratifiedKFold(5), RepeatedStratifiedKFold(n_splits=5, n_repeats=1)):
        with pytest.raises(RocInputError) as error:
            cross_scores(Untouchable(), X, y, cv=cv)
        message = "cv must have at most as many folds as the smallest class, 3 (class 1), got "
        assert str(error.value).startswith(message)
    found = cross_scores(GaussianNB(), X, y, cv=KFold(5, shuffle=True, random_state=0))
    assert "no row of class 1 to test" in found.warnings[0]


def test_a_class_of_one_leaves_nothing_out():
    with pytest.raises(RocInputError) as error:
        cross_scores(Untouchable(), X[:5], [0, 0, 0, 0, 1], cv=("bootstrap", 3))
    assert (
        str(error.value) == "cv must leave out rows of every class; the smallest class has only 1 (class 1)"
    )


def test_training_sets_must_hold_what_is_requested():
    with pytest.raises(RocInputError) as error:
        cross_scores(LinearSVC(), X, Y, cv=Y)
    assert str(error.value) == (
        "cv must train on every class for a decision_function, got no row of class 0 in fold 0"
    )
    with pytest.raises(RocInputError) as error:
        cross_scores(GaussianDetector(), X, Y, cv=Y, target=1)
    assert str(error.value) == "cv must train on rows of target 1, got none in fold 1"


@pytest.mark.parametrize(
    ("model", "options", "words"),
    [
        (
            RidgeClassifier(),
            {"response": "predict_proba"},
            "estimator RidgeClassifier must have the response 'predict_proba', got ['decision_function']",
        ),
        (GaussianNB, {}, "estimator must be an object, got the class GaussianNB"),
        (len, {}, "estimator must be a scikit-learn estimator, got <built-in function len>"),
        (
            GaussianNB(),
            {"response": "predict"},
            "response must be one of 'auto', 'predict_proba', 'decision_function', 'score_samples', "
            "got 'predict'; did you mean 'predict_proba'?",
        ),
        (
            GaussianNB(),
            {"target": 1},
            "estimator must be a detector where target is given, got the classifier GaussianNB",
        ),
        (
            GaussianDetector(),
            {"target": 1, "response": "predict_proba"},
            "response must be one of ('decision_function', 'score_samples') where target is given, "
            "got 'predict_proba'",
        ),
        (GaussianDetector(), {"target": 5}, "target must be one of the labels [0, 1], got 5"),
        (
            GaussianDetector(),
            {"target": 1, "pos_label": 0},
            "pos_label must be the target 1 or None, got 0",
        ),
        (
            LocalOutlierFactor(),
            {"target": 1},
            "estimator LocalOutlierFactor must have one of decision_function, score_samples",
        ),
    ],
)
def test_estimators_that_cannot_be_used(model, options, words):
    with pytest.raises(RocInputError) as error:
        cross_scores(model, X, Y, cv=2, **options)
    assert str(error.value) == words


class OnlyPredict(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        raise AssertionError("trained")

    def predict(self, X):
        return np.zeros(len(X))


def test_hard_labels_are_refused_by_name():
    with pytest.raises(RocInputError) as error:
        cross_scores(OnlyPredict(), X, Y)
    assert str(error.value) == (
        "estimator OnlyPredict must have one of predict_proba, decision_function, score_samples, "
        "got one with predict only: hard labels are no scores"
    )
    assert not hasattr(NearestCentroid(metric="manhattan"), "predict_proba")


def test_more_than_two_classes_need_a_column_each():
    with pytest.raises(RocInputError) as error:
        cross_scores(make_pipeline(SVC(decision_function_shape="ovo")), IRIS_X, IRIS_Y)
    assert str(error.value) == (
        "estimator must have one output per class, got one per pair: set svc__decision_function_shape='ovr'"
    )
    with pytest.raises(RocInputError) as error:
        cross_scores(KernelDensity(), IRIS_X, IRIS_Y)
    assert str(error.value) == (
        "estimator KernelDensity must score each of more than two classes, got score_samples"
    )
    with pytest.raises(PartlyFailedError, match="OneClassSVM must score every class"):
        cross_scores(OneClassSVM(), IRIS_X, IRIS_Y)
    with pytest.raises(PartlyFailedError, match="predict_proba of GaussianMixture must be that of classes"):
        cross_scores(GaussianMixture(), X, Y, cv=2)


@pytest.mark.parametrize(
    ("data", "labels", "options", "words"),
    [
        (X, Y[:9], {}, "X and y must have the same length: X has 80, y has 9"),
        (3, Y, {}, "X must have one row per case, got 3"),
        (X, [None, *Y[1:]], {}, "y must have a label in every row, got missing labels in row 0"),
        (X, np.where(Y, np.nan, 0), {}, None),
        (X, np.zeros(80), {}, "y must hold two classes, got only 0.0"),
        (
            X,
            np.where(Y, "a", "b"),
            {},
            "pos_label must be given for labels other than 0/1, -1/1 and booleans, got 'a' and 'b'",
        ),
        (X, Y, {"pos_label": 3}, "pos_label must be one of the labels in y (2: 0, 1), got 3"),
        (IRIS_X, IRIS_Y, {"pos_label": 1}, "y must hold two labels, got 3: 0, 1, 2"),
        (X, Y, {"groups": [1, 2]}, "y and groups must have the same length: y has 80, groups has 2"),
        (
            X,
            Y,
            {"groups": [None, *range(79)]},
            "groups must have a group in every row, got missing groups in row 0",
        ),
        (
            X,
            Y,
            {"rng": "seed"},
            "rng must be None, a whole number of at least 0, a numpy Generator or a SeedSequence, got 'seed'",
        ),
    ],
)
def test_data_that_cannot_be_used(data, labels, options, words):
    with pytest.raises(RocInputError) as error:
        cross_scores(Untouchable(), data, labels, **options)
    if words is None:
        assert str(error.value).startswith("y must have a label in every row, got missing labels in rows")
    else:
        assert str(error.value) == words


def test_a_target_among_many_classes_is_refused_with_the_way_out():
    with pytest.raises(RocInputError) as error:
        cross_scores(GaussianDetector(), IRIS_X, IRIS_NAMES, target="setosa")
    assert str(error.value) == (
        "y must hold two labels where target is given, got 3: give y == 'setosa' and target=True "
        "to set one class against all others"
    )
    found = cross_scores(GaussianDetector(), IRIS_X, IRIS_NAMES == "setosa", target=True, rng=0)
    assert rs.auc(found.y_true, found.y_score).value == 1


def test_splitters_that_are_only_partly_tested_work():
    found = cross_scores(GaussianNB(), X, Y, cv=ShuffleSplit(3, test_size=0.25), rng=0)
    assert found.n_test.tolist() == [20, 20, 20]


# ---- The Gaussian detector -------------------------------------------------------------------------------


def naive_density(train, x):
    """The formula, with sums, an inverse and a determinant."""
    n, d = train.shape
    mean = [sum(train[:, j]) / n for j in range(d)]
    cov = np.array(
        [
            [sum((row[j] - mean[j]) * (row[k] - mean[k]) for row in train) / n for k in range(d)]
            for j in range(d)
        ]
    )
    away = x - np.array(mean)
    return np.exp(-away @ np.linalg.inv(cov) @ away / 2) / np.sqrt((2 * np.pi) ** d * np.linalg.det(cov))


@pytest.mark.parametrize("d", [1, 2, 5])
def test_density_is_that_of_the_formula_and_of_a_mixture_of_one(d):
    rng = np.random.default_rng(d)
    train = rng.normal(size=(30, d)) @ rng.normal(size=(d, d)) * 10.0 ** rng.integers(-3, 3, d) + 5
    test = train[:10] + rng.normal(size=(10, d))
    detector = GaussianDetector().fit(train)
    expected = [naive_density(train, x) for x in test]
    np.testing.assert_allclose(detector.score_samples(test), expected, rtol=1e-8, atol=1e-300)
    mixture = GaussianMixture(reg_covar=0).fit(train)
    logs = GaussianDetector(log=True).fit(train)
    np.testing.assert_allclose(logs.score_samples(test), mixture.score_samples(test), rtol=1e-8)
    np.testing.assert_allclose(detector.covariance_, np.cov(train.T, bias=True).reshape(d, d), rtol=1e-9)
    np.testing.assert_allclose(detector.location_, train.mean(axis=0))
    assert detector.score(test) == pytest.approx(mixture.score(test))


@pytest.mark.parametrize(
    ("train", "words"),
    [
        (
            [[1.0, 2.0], [2.0, 3.0]],
            "X must have more rows than features, got a singular covariance: 2 rows of 2",
        ),
        (
            [[0.1, 1.0], [0.1, 2.0], [0.1, 4.0]],
            "X must vary in every feature, got a singular covariance: constant in column 0",
        ),
        (
            [[1.0, 1e6], [2.0, 2e6], [4.0, 4e6], [5.0, 5e6]],
            "X must have independent features, got a singular covariance: rank 1 of 2",
        ),
    ],
    ids=["few", "constant", "redundant"],
)
def test_a_singular_covariance_is_refused(train, words):
    with pytest.raises(RocInputError) as error:
        GaussianDetector().fit(train)
    assert str(error.value) == words


def test_extreme_scales_neither_vanish_nor_overflow_unseen():
    train = np.random.default_rng(0).normal(size=(20, 3))
    logs = GaussianDetector(log=True).fit(train * 1e-200).score_samples(train * 1e-200)
    plain = GaussianDetector(log=True).fit(train).score_samples(train)
    np.testing.assert_allclose(logs - 3 * np.log(1e200), plain, rtol=1e-9, atol=1e-9)
    with pytest.raises(RocInputError) as error:
        GaussianDetector().fit(train * 1e-200).score_samples(train * 1e-200)
    assert str(error.value) == ("X must have densities that float64 can hold, got larger ones: use log=True")
    assert GaussianDetector().fit(train).score_samples([[1e3, 0, 0], [1e200, 0, 0]]).tolist() == [0, 0]


@pytest.mark.parametrize("log", [False, True])
def test_the_detector_passes_the_checks_of_scikit_learn(log):
    import warnings

    from sklearn.utils.estimator_checks import check_estimator

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(GaussianDetector(log=log), on_skip=None)
    assert {r["status"] for r in results} <= {"passed", "skipped"}
