"""Soft outputs of estimators: which method, which column, which sign; and what is refused."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.mixture import GaussianMixture
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.svm import SVC, LinearSVC, OneClassSVM

from rocscope.errors import RocInputError
from rocscope.training.datasets import count_rows
from rocscope.training.fitting import choose_response, soft_outputs, unseen_classes

RNG = np.random.default_rng(0)
CODES = np.arange(60) % 3
X = RNG.normal(size=(60, 2)) + np.eye(3)[CODES][:, :2] * 2
THREE = np.array(["a", "b", "c"])[CODES]
TWO = np.where(CODES == 0, "a", "b")


class Outputs:
    """A fitted model with the given outputs."""

    def __init__(self, outputs, classes=("a", "b")):
        self.outputs, self.classes_ = outputs, np.array(classes)

    def predict_proba(self, X):
        return self.outputs

    decision_function = score_samples = predict_proba


# ---- Which method ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("estimator", "options", "method"),
    [
        (LogisticRegression(), {}, "predict_proba"),
        (LogisticRegression(), {"response": "decision_function"}, "decision_function"),
        (Perceptron(), {}, "decision_function"),
        (SVC(), {"n_classes": 3}, "decision_function"),
        (KernelDensity(), {}, "score_samples"),
        (GaussianMixture(), {"detector": True}, "score_samples"),
        (OneClassSVM(), {"detector": True}, "decision_function"),
        (OneClassSVM(), {"detector": True, "response": "score_samples"}, "score_samples"),
    ],
)
def test_the_method_is_the_first_at_hand_or_the_named_one(estimator, options, method):
    assert choose_response(estimator, **options) == method


@pytest.mark.parametrize(
    ("estimator", "options", "words"),
    [
        (
            LinearRegression(),
            {},
            "estimator LinearRegression must have one of predict_proba, decision_function, score_samples, "
            "got one with predict only: hard labels are no scores",
        ),
        (
            GaussianNB(),
            {"response": "decision_function"},
            "estimator GaussianNB must have the response 'decision_function', got ['predict_proba']",
        ),
        (
            KernelDensity(),
            {"n_classes": 3},
            "estimator KernelDensity must score each of more than two classes, got score_samples",
        ),
        (
            SVC(decision_function_shape="ovo"),
            {"n_classes": 3},
            "estimator must have one output per class, got one per pair: set decision_function_shape='ovr'",
        ),
        (
            GaussianNB(),
            {"detector": True},
            "estimator must be a detector where target is given, got the classifier GaussianNB",
        ),
        (GaussianNB, {}, "estimator must be an object, got the class GaussianNB"),
        ("lda", {}, "estimator must be a scikit-learn estimator, got 'lda'"),
    ],
)
def test_what_has_no_soft_outputs_is_refused(estimator, options, words):
    with pytest.raises(RocInputError) as error:
        choose_response(estimator, **options)
    assert str(error.value) == words


# ---- Columns and signs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [("a", "b"), ("b", "a")])
def test_of_two_classes_the_second_is_scored(classes):
    bayes, svc = GaussianNB().fit(X, TWO), LinearSVC(random_state=0).fit(X, TWO)
    column, sign = ["a", "b"].index(classes[1]), {"b": 1, "a": -1}[classes[1]]
    np.testing.assert_array_equal(soft_outputs(bayes, X, classes), bayes.predict_proba(X)[:, column])
    np.testing.assert_array_equal(soft_outputs(svc, X, classes), sign * svc.decision_function(X))
    both = soft_outputs(bayes, X, classes, columns=True)
    np.testing.assert_array_equal(both[:, 1], bayes.predict_proba(X)[:, column])
    np.testing.assert_array_equal(both[:, 0], bayes.predict_proba(X)[:, 1 - column])


def test_columns_come_in_the_order_of_the_classes():
    for model in (GaussianNB().fit(X, THREE), LinearSVC(random_state=0).fit(X, THREE)):
        raw = getattr(model, choose_response(model))(X)
        np.testing.assert_array_equal(soft_outputs(model, X, ("c", "a", "b")), raw[:, [2, 0, 1]])


def test_a_class_that_was_not_seen_has_0():
    model = GaussianNB().fit(X[CODES > 0], THREE[CODES > 0])
    found = soft_outputs(model, X, ("a", "b", "c"))
    assert (found[:, 0] == 0).all()
    np.testing.assert_array_equal(found[:, 1:], model.predict_proba(X))
    assert unseen_classes(model, ("a", "b", "c")) == ("a",)


def test_a_detector_speaks_for_the_positive_class():
    model = OneClassSVM().fit(X)
    for classes in (("a", "b"), ("b", "a")):
        np.testing.assert_array_equal(soft_outputs(model, X, classes), model.decision_function(X))
    assert unseen_classes(model, ("a", "b")) == ()


@pytest.mark.parametrize("outputs", [np.arange(60.0), np.arange(60.0)[:, np.newaxis]])
def test_one_column_of_either_shape(outputs):
    found = soft_outputs(Outputs(outputs), X, ("b", "a"), response="decision_function")
    np.testing.assert_array_equal(found, -np.arange(60.0))


@pytest.mark.parametrize(
    ("outputs", "options", "words"),
    [
        (
            np.full((60, 2), np.nan),
            {},
            "must have no missing outputs, got NaN in rows 0, 1, 2, 3, 4 and 55 more",
        ),
        (np.zeros((59, 2)), {}, "must give one row per case (60), got shape (59, 2)"),
        (0.5, {}, "must give one row per case (60), got shape ()"),
        (np.zeros((60, 3)), {}, "must give one column per class ['a', 'b'], got shape (60, 3)"),
        (np.zeros(60), {}, "must give one column per class ['a', 'b'], got shape (60,)"),
        (np.array([["x", "y"]] * 60), {}, "must give numbers, got <U1"),
    ],
)
def test_spoilt_outputs_are_refused(outputs, options, words):
    with pytest.raises(RocInputError) as error:
        soft_outputs(Outputs(outputs), X, ("a", "b"), response="predict_proba", **options)
    assert str(error.value) == f"predict_proba {words}"


def test_classes_that_nobody_knows_are_refused():
    with pytest.raises(RocInputError) as error:
        soft_outputs(GaussianNB().fit(X, THREE), X, ("a", "b"))
    assert str(error.value) == "classes_ must be among the labels ['a', 'b'], got ['c']"


def test_one_output_cannot_be_weighted():
    for model, method in (
        (LinearSVC().fit(X, TWO), "decision_function"),
        (KernelDensity().fit(X), "score_samples"),
    ):
        with pytest.raises(RocInputError) as error:
            soft_outputs(model, X, ("a", "b"), columns=True)
        assert str(error.value) == f"{method} must give one output per class to be weighted, got one per case"


def test_clusters_are_no_classes():
    with pytest.raises(RocInputError) as error:
        soft_outputs(GaussianMixture(2, random_state=0).fit(X), X, ("a", "b"))
    assert str(error.value) == (
        "predict_proba of GaussianMixture must be that of classes, got an estimator without any"
    )
    with pytest.raises(RocInputError, match="estimator KMeans must have one of"):
        soft_outputs(KMeans(2, n_init=1).fit(X), X, ("a", "b"))


# ---- Rows ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows", [X, X.tolist(), pd.DataFrame(X), sparse.csr_array(X)], ids=["array", "list", "frame", "sparse"]
)
def test_rows_of_any_kind_are_counted(rows):
    assert count_rows(rows) == 60


def test_what_has_no_rows_is_refused():
    with pytest.raises(RocInputError) as error:
        count_rows(7)
    assert str(error.value) == "X must have one row per case, got 7"


def test_scikit_learn_is_loaded_late():
    code = "import sys, rocscope.training.fitting; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
