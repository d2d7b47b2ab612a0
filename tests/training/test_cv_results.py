"""What scikit-learn has cross-validated: the same scores and averages as those of splits trained here."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

import rocscope as rs
from rocscope.errors import RocInputError

IRIS_X, IRIS_CODES = load_iris(return_X_y=True)
IRIS_X = IRIS_X[:, :2]
ORDER = np.random.default_rng(0).permutation(np.arange(50, 150))
X, Y = IRIS_X[ORDER], np.array(["well", "ill"])[IRIS_CODES[ORDER] - 1]
RETURNED = {"return_estimator": True, "return_indices": True}

SPLITTERS = {
    "stratified": StratifiedKFold(5, shuffle=True, random_state=3),
    "repeated": RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=3),
    "random": ShuffleSplit(6, test_size=0.3, random_state=3),
}
MODELS = {
    "proba": GaussianNB(),
    "decision": LinearSVC(random_state=0),
    "pipeline": make_pipeline(StandardScaler(), LogisticRegression()),
}


def same(first, second):
    assert first == second
    assert str(first) == str(second)


@pytest.mark.parametrize("cv", SPLITTERS.values(), ids=SPLITTERS)
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("positive", ["ill", "well"])
def test_equals_splits_that_are_trained_here(model, cv, positive):
    done = cross_validate(model, X, Y, cv=cv, **RETURNED)
    expected = rs.cross_scores(model, X, Y, cv=list(cv.split(X, Y)), pos_label=positive)
    same(rs.CrossScores.from_cv_results(done, X, Y, pos_label=positive), expected)
    options = {"points": 7, "also": "tpr>=0.9", "measures": ["tpr", "fpr", "cost"], "cost": (1, 5)}
    averaged = rs.AveragedRoc.from_cv_results(done, X, Y, pos_label=positive, **options)
    same(averaged, rs.average_roc(expected, **options))
    assert averaged.test_over_train == expected.test_over_train


def test_equals_splits_of_several_classes():
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    done = cross_validate(GaussianNB(), IRIS_X, IRIS_CODES, cv=cv, **RETURNED)
    expected = rs.cross_scores(GaussianNB(), IRIS_X, IRIS_CODES, cv=list(cv.split(IRIS_X, IRIS_CODES)))
    same(rs.CrossScores.from_cv_results(done, IRIS_X, IRIS_CODES), expected)
    same(rs.AveragedRoc.from_cv_results(done, IRIS_X, IRIS_CODES), rs.average_roc(expected))


def test_fitted_estimators_with_their_splits():
    pairs = list(StratifiedKFold(4).split(X, Y))
    models = [clone(GaussianNB()).fit(X[train], Y[train]) for train, _ in pairs]
    expected = rs.cross_scores(GaussianNB(), X, Y, cv=pairs, pos_label="ill")
    same(rs.CrossScores.from_cv_results(models, X, Y, cv=pairs, pos_label="ill"), expected)
    same(
        rs.AveragedRoc.from_cv_results(tuple(models), X, Y, cv=pairs, pos_label="ill"),
        rs.average_roc(expected),
    )
    fold = np.empty(len(Y), int)
    for k, (_, test) in enumerate(pairs):
        fold[test] = k
    same(rs.CrossScores.from_cv_results(models, X, Y, cv=fold, pos_label="ill"), expected)


def test_the_response_and_the_groups():
    done = cross_validate(LogisticRegression(), X, Y, cv=KFold(4), **RETURNED)
    found = rs.CrossScores.from_cv_results(done, X, Y, pos_label="well", response="decision_function")
    pairs = list(KFold(4).split(X))
    same(found, rs.cross_scores(
        LogisticRegression(), X, Y, cv=pairs, pos_label="well", response="decision_function"
    ))  # fmt: skip
    groups = np.arange(100) // 5
    done = cross_validate(GaussianNB(), X, Y, cv=GroupKFold(4), groups=groups, **RETURNED)
    assert rs.CrossScores.from_cv_results(done, X, Y, groups=groups, pos_label="ill").warnings == ()
    leaking = rs.CrossScores.from_cv_results(done, X, Y, groups=groups // 3, pos_label="ill")
    assert "groups lie in training and test rows of one fold" in leaking.warnings[0]


def test_a_class_that_did_not_train_is_reported():
    pairs = [
        (np.flatnonzero(IRIS_CODES < 2)[::2], np.arange(1, 150, 2)),
        (np.arange(1, 150, 2), np.arange(0, 150, 2)),
    ]
    models = [GaussianNB().fit(IRIS_X[train], IRIS_CODES[train]) for train, _ in pairs]
    found = rs.CrossScores.from_cv_results(models, IRIS_X, IRIS_CODES, cv=pairs)
    same(found, rs.cross_scores(GaussianNB(), IRIS_X, IRIS_CODES, cv=pairs))
    assert found.warnings == ("fold 0 has no training row of class 2, whose score is 0 there",)


DONE = cross_validate(GaussianNB(), X, Y, cv=3, **RETURNED)
PAIRS = "must be the pairs (train, test) that fitted the estimators, or the fold of each row, got "


@pytest.mark.parametrize(
    ("cv_results", "cv", "words"),
    [
        (
            {"test_score": DONE["test_score"], "estimator": DONE["estimator"]},
            None,
            "cv_results must come from cross_validate(return_estimator=True, return_indices=True), got the "
            "fields ['test_score', 'estimator']",
        ),
        (
            DONE | {"estimator": DONE["estimator"][:2]},
            None,
            "cv_results must hold one fitted estimator for each of 3 splits, got 2",
        ),
        (DONE, 3, "cv must be left out where cv_results holds indices"),
        (
            GaussianNB(),
            None,
            "cv_results must be what cross_validate returned or a list of fitted estimators, "
            "got GaussianNB()",
        ),
        (DONE["estimator"], None, f"cv {PAIRS}None"),
        (DONE["estimator"], 3, f"cv {PAIRS}3"),
        (DONE["estimator"], KFold(3), f"cv {PAIRS}KFold(n_splits=3, random_state=None, shuffle=False)"),
        (DONE["estimator"], ("bootstrap", 3), f"cv {PAIRS}('bootstrap', 3)"),
    ],
)
def test_what_is_refused(cv_results, cv, words):
    with pytest.raises(RocInputError) as error:
        rs.CrossScores.from_cv_results(cv_results, X, Y, cv=cv, pos_label="ill")
    assert str(error.value) == words


def test_the_text_has_mean_and_spread_of_the_area():
    found = rs.CrossScores.from_cv_results(DONE, X, Y, pos_label="ill")
    areas = [curve.auc for curve in found.fold_curves().values()]
    assert str(found) == (
        "100 scores in 3 folds, 2 classes (predict_proba); "
        f"AUC over 3 folds: mean {np.mean(areas):.4f}, SD {np.std(areas, ddof=1):.4f}"
    )
    one = rs.CrossScores.from_cv_results(
        DONE["estimator"][:1],
        X,
        Y,
        cv=[(DONE["indices"]["train"][0], DONE["indices"]["test"][0])],
        pos_label="ill",
    )
    assert one.summary() == "34 scores in 1 folds, 2 classes (predict_proba)"
