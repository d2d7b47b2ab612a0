"""Scorers: the values of rocscope's own functions on the same outputs, inside scikit-learn's tools."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC, OneClassSVM

import rocscope as rs
from rocscope.errors import RocInputError
from slow import scorers as slow

IRIS_X, IRIS_CODES = load_iris(return_X_y=True)
ORDER = np.random.default_rng(0).permutation(np.arange(50, 150))
X, Y = IRIS_X[ORDER][:, :2], (IRIS_CODES[ORDER] == 2).astype(int)
NAMES = np.array(["well", "ill"])[Y]


class Known(ClassifierMixin, BaseEstimator):
    """A classifier whose probability of class 1 is its one feature."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.stack([1 - X[:, 0], X[:, 0]], axis=1)


CASES = {
    "auc": ({}, lambda y, s: rs.auc(y, s).value, slow.area),
    "average_precision": (
        {},
        lambda y, s: rs.precision_recall(y, s, n_boot=100, rng=0).average_precision.value,
        slow.average_precision,
    ),
    "tpr_at_fpr": (
        {"value": 0.3},
        lambda y, s: rs.roc_curve(y, s).tpr_at(0.3).item(),
        lambda y, s: slow.tpr_at_fpr(y, s, 0.3),
    ),
    "neg_fpr_at_tpr": (
        {"value": 0.8},
        lambda y, s: -rs.roc_curve(y, s).fpr_at(0.8).item(),
        lambda y, s: -slow.fpr_at_tpr(y, s, 0.8),
    ),
    "net_benefit": (
        {"value": 0.25},
        lambda y, s: rs.net_benefit(y, s, probabilities=[0.25]).band.mean[0],
        lambda y, s: slow.net_benefit(y, s, 0.25),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_values_are_those_of_the_functions_and_of_counting(name):
    options, own, literal = CASES[name]
    rng = np.random.default_rng(1)
    score = rs.scorer(name, **options)
    for _ in range(30):
        y = rng.permutation([0, 0, 1, 1, *rng.integers(0, 2, 12)])
        s = rng.integers(0, 5, len(y)) / 4
        value = score(Known().fit(s[:, None], y), s[:, None], y)
        assert type(value) is float
        assert value == own(y, s)
        assert value == pytest.approx(literal(y.tolist(), s.tolist()), abs=1e-13)


@pytest.mark.parametrize(
    "options",
    [
        {"fpr": (0, 0.1)},
        {"tpr": (0.8, 1)},
        {"fpr": (0, 0.5), "tpr": (0.5, 1)},
        {"fpr": (0, 0.2), "standardize": True},
    ],
)
def test_partial_areas(options):
    model = GaussianNB().fit(X, Y)
    expected = rs.partial_auc(Y, model.predict_proba(X)[:, 1], n_boot=100, rng=0, **options).value
    assert rs.scorer("partial_auc", **options)(model, X, Y) == expected


@pytest.mark.parametrize("model", [GaussianNB(), LinearSVC(), LogisticRegression()])
@pytest.mark.parametrize("name", ["auc", "average_precision"])
def test_agrees_with_the_scorers_of_scikit_learn(model, name):
    theirs = get_scorer({"auc": "roc_auc"}.get(name, name))
    ours = cross_val_score(model, X, Y, cv=4, scoring=rs.scorer(name))
    np.testing.assert_allclose(ours, cross_val_score(model, X, Y, cv=4, scoring=theirs), rtol=1e-13)


def test_the_response_is_that_of_cross_scores():
    model = LogisticRegression().fit(X, Y)
    for response in ("predict_proba", "decision_function"):
        outputs = getattr(model, response)(X)
        scores = outputs[:, 1] if outputs.ndim == 2 else outputs
        found = rs.scorer("auc", response=response)(model, X, Y)
        assert found == rs.auc(Y, scores).value
    detector = OneClassSVM().fit(X[Y == 1])
    assert rs.scorer("auc")(detector, X, Y) == rs.auc(Y, detector.decision_function(X)).value


@pytest.mark.parametrize("options", [{}, {"scheme": "ovr", "average": "weighted"}])
def test_several_classes(options):
    model = GaussianNB().fit(IRIS_X[:, :2], IRIS_CODES)
    expected = rs.multiclass_auc(IRIS_CODES, model.predict_proba(IRIS_X[:, :2]), classes=[0, 1, 2], **options)
    assert rs.scorer("auc", **options)(model, IRIS_X[:, :2], IRIS_CODES) == expected.value


def test_the_positive_class_is_named():
    model = GaussianNB().fit(X, NAMES)
    for positive, column in (("ill", 0), ("well", 1)):
        expected = (
            rs.roc_curve(NAMES, model.predict_proba(X)[:, column], pos_label=positive).tpr_at(0.1).item()
        )
        for labels in (NAMES, NAMES.tolist(), pd.Series(NAMES)):
            assert rs.scorer("tpr_at_fpr", 0.1, pos_label=positive)(model, X, labels) == expected
    with pytest.raises(RocInputError, match=r"^pos_label must "):
        rs.scorer("tpr_at_fpr", 0.1)(model, X, NAMES)


def test_in_the_tools_of_scikit_learn():
    folds = rs.cross_scores(GaussianNB(), X, Y, cv=[0, 1] * 50)
    split = [(np.flatnonzero(folds.fold != k), np.flatnonzero(folds.fold == k)) for k in (0, 1)]
    found = cross_val_score(GaussianNB(), X, Y, cv=split, scoring=rs.scorer("auc"), error_score="raise")
    assert found.tolist() == [curve.auc for curve in folds.fold_curves().values()]
    scoring = {name: rs.scorer(name, **options) for name, (options, *_) in CASES.items()}
    several = cross_validate(GaussianNB(), X, Y, cv=split, scoring=scoring, error_score="raise")
    assert several["test_auc"].tolist() == found.tolist()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression()),
        {"logisticregression__C": [0.01, 1]},
        scoring=rs.scorer("partial_auc", fpr=(0, 0.2)),
        cv=3,
        error_score="raise",
    )
    search = clone(search).fit(X, Y)
    again = pickle.loads(pickle.dumps(search))
    assert again.score(X, Y) == search.score(X, Y)
    assert clone(search).scoring == search.scoring


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("tpr_at_fpr", {}, "value must be a number, got None"),
        ("tpr_at_fpr", {"value": 5}, "value must lie between 0 and 1 (both allowed), got 5"),
        ("net_benefit", {"value": 1}, "value must lie between 0 and 1, got 1"),
        ("auc", {"value": 0.1}, "value must be left out for the scorer 'auc', got 0.1"),
        ("auc", {"fpr": (0, 0.1)}, "fpr must be left out for the scorer 'auc', got (0, 0.1)"),
        (
            "auc",
            {"scheme": "ova"},
            "scheme must be one of 'ovo', 'ovr', got 'ova'; did you mean 'ovr' or 'ovo'?",
        ),
        (
            "net_benefit",
            {"value": 0.1, "response": "decision_function"},
            "response must give probabilities for the scorer 'net_benefit', got 'decision_function'",
        ),
        (
            "fpr_at_tpr",
            {"value": 0.1},
            "name must be one of 'auc', 'partial_auc', 'tpr_at_fpr', 'neg_fpr_at_tpr', 'average_precision', "
            "'net_benefit', got 'fpr_at_tpr'; did you mean 'neg_fpr_at_tpr' or 'tpr_at_fpr'?",
        ),
    ],
)
def test_what_is_refused(name, options, words):
    with pytest.raises(RocInputError) as error:
        rs.scorer(name, **options)
    assert str(error.value) == words


def test_a_part_without_bounds_is_the_whole():
    model = GaussianNB().fit(X, Y)
    assert rs.scorer("partial_auc")(model, X, Y) == pytest.approx(rs.scorer("auc")(model, X, Y), abs=1e-14)


WEIGHTS = np.random.default_rng(3).integers(0, 4, size=len(Y))


@pytest.mark.parametrize("name", CASES)
def test_whole_weights_count_cases(name):
    options, _, _ = CASES[name]
    score, model = rs.scorer(name, **options), LogisticRegression().fit(X, Y)
    rows = np.repeat(np.arange(len(Y)), WEIGHTS)
    weighted = score(model, X, Y, sample_weight=WEIGHTS)
    assert weighted == pytest.approx(score(model, X[rows], Y[rows]), rel=1e-12)
    assert weighted != score(model, X, Y)
    assert score(model, X, Y, sample_weight=WEIGHTS / 3) == pytest.approx(weighted, rel=1e-12)


def test_weights_are_those_of_scikit_learn():
    model = LogisticRegression().fit(X, Y)
    for name, peer in (("auc", "roc_auc"), ("average_precision", "average_precision")):
        expected = get_scorer(peer)(model, X, Y, sample_weight=WEIGHTS / 3)
        assert rs.scorer(name)(model, X, Y, sample_weight=WEIGHTS / 3) == pytest.approx(expected, rel=1e-12)


def test_the_area_of_several_classes_has_no_weights():
    model = LogisticRegression(max_iter=1000).fit(IRIS_X, IRIS_CODES)
    with pytest.raises(RocInputError, match="sample_weight must be left out for the area of 3 classes"):
        rs.scorer("auc")(model, IRIS_X, IRIS_CODES, sample_weight=np.ones(150))


@pytest.mark.slow
def test_weights_are_routed():
    peer, options = get_scorer("roc_auc"), {"cv": 3, "params": {"sample_weight": WEIGHTS}}
    with config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        score = rs.scorer("auc").set_score_request(sample_weight=True)
        values = cross_val_score(model, X, Y, scoring=score, **options)
        expected = cross_val_score(model, X, Y, scoring=peer.set_score_request(sample_weight=True), **options)
        np.testing.assert_allclose(values, expected)
        search = GridSearchCV(model, {"C": [1.0, 10.0]}, scoring=score, cv=3)
        assert search.fit(X, Y, sample_weight=WEIGHTS).best_score_ <= 1
        with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
            cross_val_score(model, X, Y, scoring=rs.scorer("auc"), **options)
    with pytest.raises(RocInputError, match="sample_weight must be True, False, None or a name, got 1"):
        rs.scorer("auc").set_score_request(sample_weight=1)
