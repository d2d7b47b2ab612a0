"""Cross-validated estimates: the same as scikit-learn's on the same folds."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import KFold, LeaveOneOut, PredefinedSplit, cross_val_predict
from sklearn.svm import LinearSVC

from rocscope.errors import PartlyFailedError, RocInputError
from rocscope.ordinal.roc import ordinal_roc
from rocscope.training.ordinal_scores import ordinal_scores


def sample(n=120, n_classes=4, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(1, n_classes + 1, n)
    return y[:, None] + rng.normal(size=(n, 3)), y


def test_regressor_predicts_what_it_does_in_scikit_learn():
    X, y = sample()
    found = ordinal_scores(LinearRegression(), X, y, cv=5, rng=1)
    assert found.row.tolist() == list(range(120))
    assert found.y_true.tolist() == y.tolist()
    assert (found.response, found.classes) == ("predict", (1, 2, 3, 4))
    peer = cross_val_predict(LinearRegression(), X, y.astype(float), cv=PredefinedSplit(found.fold))
    np.testing.assert_allclose(found.y_pred, peer, rtol=1e-12)


def test_classifier_gives_its_expected_class():
    X, y = sample()
    found = ordinal_scores(LogisticRegression(), X, y, cv=5, rng=1)
    split = PredefinedSplit(found.fold)
    peer = cross_val_predict(LogisticRegression(), X, y.astype(float), cv=split, method="predict_proba")
    np.testing.assert_allclose(found.y_pred, peer @ [1, 2, 3, 4], rtol=1e-9)
    assert found.response == "predict_proba"


def test_two_classes_of_a_classifier():
    X, y = sample(n_classes=2)
    found = ordinal_scores(LogisticRegression(), X, 3 * y, cv=4, rng=1)
    assert found.classes == (3, 6)
    assert 3 < found.y_pred.min() < found.y_pred.max() < 6


@pytest.mark.parametrize("estimator", [LinearRegression(), LogisticRegression()])
def test_classes_may_be_fractions(estimator):
    X, y = sample()
    whole, halves = (ordinal_scores(estimator, X, labels, cv=5, rng=1) for labels in (y, y / 2))
    assert (halves.classes, halves.labels) == ((0.5, 1, 1.5, 2), (0.5, 1, 1.5, 2))
    np.testing.assert_allclose(2 * halves.y_pred, whole.y_pred, rtol=1e-6)


@pytest.mark.parametrize("estimator", [LinearRegression(), LogisticRegression()])
def test_a_class_of_one_is_reported_by_its_name(estimator):
    X, y = sample(40, n_classes=3)
    names = np.append(np.array(["low", "mid", "high"])[y - 1], "top")
    order = {"low": 1, "mid": 2, "high": 3, "top": 4}
    found = ordinal_scores(estimator, np.vstack([X, [4, 4, 4]]), names, cv=2, classes=order, rng=1)
    assert any("no row of class 'top' to test" in reported for reported in found.warnings)
    result = ordinal_roc(found)
    assert result.labels == ("low", "mid", "high", "top")
    assert result.curves[3].reason == "class top has one member, not two"
    assert result.warnings[: len(found.warnings)] == found.warnings


@pytest.mark.slow
def test_jobs_and_order_do_not_matter():
    X, y = sample(60)
    forest = RandomForestRegressor(n_estimators=5)
    one, two = (ordinal_scores(forest, X, y, cv=3, rng=2, n_jobs=jobs) for jobs in (1, 2))
    assert one == two


@pytest.mark.parametrize("estimator", [LinearRegression(), LogisticRegression()])
def test_folds_that_every_class_is_too_small_for(estimator):
    """As many as the largest class are taken, and the folds without some class named; one more is refused."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(18, 2)), np.repeat([1, 2, 3], [8, 6, 4])
    found = ordinal_scores(estimator, X, y, cv=8, rng=1)
    assert [message.rpartition("have ")[2] for message in found.warnings[:2]] == [
        "no row of class 2 to test",
        "no row of class 3 to test",
    ]
    with pytest.raises(RocInputError) as error:
        ordinal_scores(estimator, X, y, cv=9, rng=1)
    assert str(error.value) == "cv must be at most the size of the largest class, 8 (class 1.0), got 9"
    assert ordinal_scores(estimator, X, y, cv=LeaveOneOut(), rng=1).row.size == 18


def test_folds_deal_each_class_evenly():
    X, y = sample(101)
    y[:3] = 5  # fewer than folds
    found = ordinal_scores(LinearRegression(), X, y, cv=10, rng=1)
    table = np.array([[np.sum((found.fold == k) & (y == c)) for c in range(1, 6)] for k in range(10)])
    assert (np.ptp(table, axis=0) <= 1).all()
    assert np.ptp(table.sum(axis=1)) <= 1


def test_splitters_and_given_folds():
    X, y = sample(40)
    given = np.arange(40) % 4
    assert ordinal_scores(LinearRegression(), X, y, cv=given).fold.tolist() == given.tolist()
    split = ordinal_scores(LinearRegression(), X, y, cv=KFold(4))
    np.testing.assert_allclose(split.y_pred, cross_val_predict(LinearRegression(), X, y, cv=KFold(4)))


@pytest.mark.parametrize("estimator", [LinearRegression(), LogisticRegression()])
def test_rows_that_are_tested_twice_are_reported(estimator):
    X, y = sample(40)
    twice = [*KFold(2).split(X), *KFold(2, shuffle=True, random_state=1).split(X)]
    found = ordinal_scores(estimator, X, y, cv=twice, rng=1)
    assert found.warnings[-1] == "80 estimates are of 40 cases"
    assert found.warnings[-1] in ordinal_roc(found).warnings


def test_text_with_numbers_and_the_way_to_ordinal_roc():
    X, y = sample()
    order = {"poor": 1, "fair": 2, "good": 3, "fine": 4}
    names = np.array(list(order))[y - 1]
    found = ordinal_scores(LinearRegression(), X, names, classes=order, rng=1)
    result = ordinal_roc(found)
    plain = ordinal_roc(found.y_true, found.y_pred, classes=found.classes, fold=found.fold)
    assert (result.labels, plain.labels) == (tuple(order), (1, 2, 3, 4))
    assert result.max_auc.tolist() == plain.max_auc.tolist()
    assert result.folds.values.shape[0] == 10
    assert result.overall.max_macro > 0.6


class Broken(BaseEstimator):
    def fit(self, X, y):
        raise RuntimeError("no luck")

    def predict(self, X):
        return X


class Pairs(LinearRegression):
    def predict(self, X):
        return np.column_stack([super().predict(X)] * 2)


def test_a_failing_estimator_is_named():
    X, y = sample(20)
    with pytest.raises(PartlyFailedError) as error:
        ordinal_scores(Broken(), X, y, cv=2)
    assert str(error.value) == "2 of 2 tasks failed; the first is 'fold 0': RuntimeError: no luck"
    with pytest.raises(PartlyFailedError) as error:
        ordinal_scores(Pairs(), X, y, cv=2)
    assert "predict must give one score per case, got shape (10, 2)" in str(error.value)


@pytest.mark.parametrize(
    ("estimator", "options", "message"),
    [
        (LinearRegression, {}, "estimator must be an object, got the class LinearRegression"),
        ("mean", {}, "estimator must be a regressor or a classifier, got 'mean'"),
        (LinearRegression(), {"cv": 1}, "cv must be a whole number of at least 2, got 1"),
        (
            LinearRegression(),
            {"cv": 21},
            "cv must be at most the size of the largest class, 6 (class 2.0), got 21",
        ),
        (
            LinearSVC(),
            {"cv": 5},
            "estimator LinearSVC must have the response 'predict_proba', got ['decision_function']",
        ),
        (
            LinearRegression(),
            {"classes": [1, 2]},
            "y must hold only values in classes [1.0, 2.0], got [3.0, 4.0]",
        ),
    ],
)
def test_refuses(estimator, options, message):
    X, y = sample(20)
    with pytest.raises(RocInputError) as error:
        ordinal_scores(estimator, X, y, **options)
    assert str(error.value) == message


def test_refuses_rows_that_do_not_match():
    X, y = sample(20)
    with pytest.raises(RocInputError) as error:
        ordinal_scores(LinearRegression(), X[:-1], y, cv=5)
    assert str(error.value) == "X and y must have the same length: X has 19, y has 20"
