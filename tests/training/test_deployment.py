"""The classifier at an operating point: scikit-learn's own checks, decisions case by case, class names."""

import pickle
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.ensemble import StackingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC, OneClassSVM
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import rocscope as rs
from rocscope.errors import RocInputError
from rocscope.training.cross_scores import cross_scores
from rocscope.training.deployment import OperatingPointClassifier
from rocscope.training.detectors import GaussianDetector

IRIS_X, IRIS_CODES = load_iris(return_X_y=True)
IRIS_Y = np.array(["setosa", "versicolor", "virginica"])[IRIS_CODES]
# Two classes that overlap, rows mixed.
ORDER = np.random.default_rng(0).permutation(np.arange(50, 150))
X, Y = IRIS_X[ORDER], IRIS_Y[ORDER]
POINT = rs.Threshold(0.3, positive="virginica", negative="versicolor")
WEIGHTS = rs.ClassWeights([1.0, 1.0, 4.0], classes=["virginica", "setosa", "versicolor"])

# ---- Checks of scikit-learn ------------------------------------------------------------------------------

# A point with names refuses all other labels, and these checks bring their own.
OTHER_LABELS = {
    "check_estimators_dtypes": "labels 1 and 2, not those of the point",
    "check_classifier_data_not_an_array": "labels 1 and 2, not those of the point",
    "check_classifiers_classes": "labels 'one' and 'two', not those of the point",
    "check_fit2d_1feature": "labels 1 and 2, not those of the point",
}


def expected_failures(model):
    point = getattr(model, "point", None)
    if isinstance(point, rs.Threshold):
        return OTHER_LABELS
    # scikit-learn expects the same failure of its own FixedThresholdClassifier.
    other = {"check_classifiers_train": "the estimator decides at 0.5, this one where the rule says"}
    return other if point == "tpr>=0.9" else {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        OperatingPointClassifier(LinearSVC()),
        OperatingPointClassifier(LogisticRegression(), rs.Threshold(0.5, positive=1, negative=0)),
        OperatingPointClassifier(LogisticRegression(), "tpr>=0.9"),
        OperatingPointClassifier(DecisionTreeClassifier(random_state=0), ("tpr>=0.5", "youden"), cv=3),
        OperatingPointClassifier(DecisionTreeClassifier(random_state=0), 0.3),
        GaussianDetector(),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# ---- Decisions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.0, 0.05, 0.3, 0.5, 0.9, 1.0, None])
@pytest.mark.parametrize("positive", ["versicolor", "virginica"])
def test_a_threshold_decides_every_case(value, positive):
    negative = ({"versicolor", "virginica"} - {positive}).pop()
    model = OperatingPointClassifier(GaussianNB(), rs.Threshold(value, positive, negative)).fit(X, Y)
    column = sorted([positive, negative]).index(positive)
    for probability, decided in zip(
        model.estimator_.predict_proba(X)[:, column], model.predict(X), strict=True
    ):
        expected = positive if value is not None and probability >= value else negative
        assert decided == expected


def test_weights_decide_every_case_whatever_their_order():
    model = OperatingPointClassifier(GaussianNB(), WEIGHTS).fit(IRIS_X, IRIS_Y)
    weight = dict(zip(WEIGHTS.classes, WEIGHTS.values, strict=True))
    for outputs, decided in zip(model.predict_proba(IRIS_X), model.predict(IRIS_X), strict=True):
        weighted = {name: weight[name] * out for name, out in zip(model.classes_, outputs, strict=True)}
        assert decided == max(weighted, key=weighted.get)
    assert (model.predict(IRIS_X) == "versicolor").sum() > (IRIS_Y == "versicolor").sum()


def test_two_classes_may_be_weighted():
    weights = rs.ClassWeights([7, 3], classes=["virginica", "versicolor"])
    decided = OperatingPointClassifier(GaussianNB(), weights).fit(X, Y).predict(X)
    np.testing.assert_array_equal(decided, OperatingPointClassifier(GaussianNB(), POINT).fit(X, Y).predict(X))


@pytest.mark.parametrize("model", [GaussianNB(), LinearSVC(random_state=0)], ids=["proba", "decision"])
@pytest.mark.parametrize("positive", ["versicolor", "virginica"])
def test_decides_as_the_point_does_on_cross_scores(model, positive):
    """A point chosen on cross-validated scores means the same when it is deployed."""
    found = cross_scores(model, X, Y, cv=4, rng=0, pos_label=positive)
    point = rs.Threshold(np.quantile(found.y_score, 0.4), positive=positive, negative=found.classes[0])
    expected = point.decide(found.y_score)
    for k in found.folds:
        train, test = found.row[found.fold != k], found.row[found.fold == k]
        deployed = OperatingPointClassifier(model, point).fit(X[train], Y[train])
        assert deployed.response_ == found.response
        np.testing.assert_array_equal(deployed.predict(X[test]), expected[found.fold == k])


def test_decides_as_weights_do_on_cross_scores():
    found = cross_scores(QuadraticDiscriminantAnalysis(), IRIS_X, IRIS_Y, cv=4, rng=0)
    point = rs.ClassWeights([1, 5, 1], classes=found.classes)
    expected = point.decide(found.y_score)
    for k in found.folds:
        train, test = found.row[found.fold != k], found.row[found.fold == k]
        deployed = OperatingPointClassifier(QuadraticDiscriminantAnalysis(), point).fit(
            IRIS_X[train], IRIS_Y[train]
        )
        np.testing.assert_array_equal(deployed.predict(IRIS_X[test]), expected[found.fold == k])


@pytest.mark.parametrize("detector", [GaussianDetector(), OneClassSVM()], ids=["gauss", "svm"])
@pytest.mark.parametrize("target", ["versicolor", "virginica"])
def test_a_detector_decides_as_the_point_does_on_cross_scores(detector, target):
    found = cross_scores(detector, X, Y, cv=4, rng=0, target=target)
    point = rs.Threshold(np.quantile(found.y_score, 0.3), positive=target, negative=found.classes[0])
    expected = point.decide(found.y_score)
    # A decision function turned round for the class that is first in sorted order would show here.
    for k in found.folds:
        train, test = found.row[found.fold != k], found.row[found.fold == k]
        deployed = OperatingPointClassifier(detector, point, target=target).fit(X[train], Y[train])
        np.testing.assert_array_equal(deployed.predict(X[test]), expected[found.fold == k])


@pytest.mark.slow
def test_without_a_point_the_neutral_one_decides():
    for inner in (LogisticRegression(max_iter=1000), LinearSVC(random_state=0)):
        for data, y in ((X, Y), (IRIS_X, IRIS_Y)):
            model = OperatingPointClassifier(inner).fit(data, y)
            np.testing.assert_array_equal(model.predict(data), clone(inner).fit(data, y).predict(data))
    assert OperatingPointClassifier(GaussianNB()).fit(X, Y).point_ == rs.Threshold(
        0.5, "virginica", "versicolor"
    )


def test_a_response_that_shows_only_after_training_is_found():
    stack = StackingClassifier([("nb", GaussianNB())], cv=3)
    model = OperatingPointClassifier(stack, POINT).fit(X, Y)
    assert model.response_ == "predict_proba"
    np.testing.assert_array_equal(model.predict(X) == "virginica", model.predict_proba(X)[:, 1] >= 0.3)


def test_the_response_can_be_named():
    point = rs.Threshold(1.5, positive="virginica", negative="versicolor")
    model = OperatingPointClassifier(LogisticRegression(max_iter=1000), point, response="decision_function")
    decided = model.fit(X, Y).predict(X)
    np.testing.assert_array_equal(decided == "virginica", model.decision_function(X) >= 1.5)


@dataclass
class Never:
    """A rule of one's own: the positive class if the score is exactly 1, nothing in the middle."""

    classes: tuple = ("versicolor", "virginica")

    def decide_codes(self, y_score):
        assert y_score.ndim == 1
        return np.select([y_score == 1, y_score < 0.5], [1, 0], -1)


def test_a_rule_of_the_same_protocol():
    model = OperatingPointClassifier(GaussianNB(), Never(), reject_label="?").fit(X, Y)
    score = model.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(model.predict(X) == "versicolor", score < 0.5)
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(GaussianNB(), Never()).fit(X, Y).predict(X)
    assert str(error.value) == "reject_label must be given where cases are rejected, got None"


# ---- Other forms of a point ------------------------------------------------------------------------------

SCORES = cross_scores(GaussianNB(), X, Y, cv=4, rng=0, pos_label="virginica")
CURVE = rs.roc_curve(SCORES)
CUT = rs.cutpoint(SCORES, rule="youden", n_boot=100, rng=0)


@pytest.mark.parametrize("form", ["object", "json"])
def test_a_selected_point_decides_and_is_kept(form):
    point = CURVE.select("tpr>=0.9")
    model = OperatingPointClassifier(GaussianNB(), point if form == "object" else point.to_json()).fit(X, Y)
    assert model.point_ == point
    np.testing.assert_array_equal(model.predict(X), point.decide(model.predict_proba(X)[:, 1]))


def test_a_selected_point_of_an_average_decides():
    scores = cross_scores(GaussianNB(), IRIS_X, IRIS_Y, cv=4, rng=0)
    point = rs.average_roc(scores).point(3)
    model = OperatingPointClassifier(GaussianNB(), point).fit(IRIS_X, IRIS_Y)
    np.testing.assert_array_equal(model.predict(IRIS_X), point.decide(model.predict_proba(IRIS_X)))
    # Two classes, a weight each.
    pair = GaussianNB().fit(X, Y).predict_proba(X)
    point = rs.average_roc(
        Y, pair, fold=np.arange(100) % 2, points=[[1, 4]], classes=["versicolor", "virginica"]
    ).point(0)
    decided = OperatingPointClassifier(GaussianNB(), point).fit(X, Y).predict(X)
    np.testing.assert_array_equal(decided == "virginica", 4 * pair[:, 1] > pair[:, 0])


@pytest.mark.parametrize("positive", ["versicolor", "virginica"])
def test_numbers_and_cutpoints_are_thresholds_of_the_positive_class(positive):
    column = ["versicolor", "virginica"].index(positive)
    for point, value in (
        (0.2, 0.2),
        (CUT, CUT.threshold),
        (CUT.to_json(), CUT.threshold),
        (np.float32(0.5), 0.5),
    ):
        model = OperatingPointClassifier(GaussianNB(), point, pos_label=positive).fit(X, Y)
        decided = model.predict_proba(X)[:, column] >= value
        np.testing.assert_array_equal(model.predict(X) == positive, decided)
    assert OperatingPointClassifier(GaussianNB(), 0.2).fit(X, Y).point_.positive == "virginica"
    assert OperatingPointClassifier(GaussianNB(), CUT).fit(X, Y == "virginica").point_.positive is True
    assert OperatingPointClassifier(GaussianNB(), np.inf).fit(X, Y).point_.value is None


# ---- A rule that selects in fit --------------------------------------------------------------------------


@pytest.mark.parametrize("model", [GaussianNB(), LinearSVC(random_state=0)], ids=["proba", "decision"])
@pytest.mark.parametrize(
    ("point", "constraints", "rule"),
    [
        ("tpr>=0.9", ["tpr>=0.9"], None),
        (("tpr>=0.9", "precision>=0.5"), ["tpr>=0.9", "precision>=0.5"], None),
        ("youden", [], "youden"),
        (["fpr<=0.3", "closest"], ["fpr<=0.3"], "closest"),
    ],
)
@pytest.mark.parametrize("positive", ["versicolor", "virginica"])
def test_a_rule_selects_on_scores_out_of_fold(model, point, constraints, rule, positive):
    tuned = OperatingPointClassifier(model, point, cv=4, pos_label=positive, random_state=7).fit(X, Y)
    scores = cross_scores(model, X, Y, cv=4, rng=7, pos_label=positive)
    np.testing.assert_array_equal(tuned.cv_scores_.y_score, scores.y_score)
    assert tuned.curve_ == rs.roc_curve(scores)
    assert tuned.point_ == rs.roc_curve(scores).select(*constraints, rule=rule)
    # After the selection it is the estimator trained on all rows that decides.
    known = OperatingPointClassifier(model, tuned.point_).fit(X, Y)
    np.testing.assert_array_equal(tuned.predict(X), known.predict(X))


def test_the_folds_of_a_rule():
    rule = OperatingPointClassifier(GaussianNB(), "youden", random_state=0)
    assert rule.fit(X, Y).cv_scores_.folds.size == 5
    few = np.r_[np.flatnonzero(Y == "versicolor"), np.flatnonzero(Y == "virginica")[:3]]
    assert rule.fit(X[few], Y[few]).cv_scores_.folds.size == 3
    folds = StratifiedKFold(3)
    rule.set_params(cv=folds).fit(X, Y)
    assert sorted(rule.cv_scores_.row[rule.cv_scores_.fold == 0]) == list(next(folds.split(X, Y))[1])
    rule.set_params(point=0.5).fit(X, Y)
    assert not hasattr(rule, "cv_scores_")
    assert not hasattr(rule, "curve_")


def test_a_seed_makes_the_selection_repeatable():
    for seed in (3, np.random.default_rng(3)):
        first, second = (
            clone(OperatingPointClassifier(GaussianNB(), "youden", random_state=seed)).fit(X, Y) for _ in "ab"
        )
        assert first.point_ == second.point_
    states = np.random.RandomState(0)
    model = OperatingPointClassifier(GaussianNB(), "youden", random_state=states)
    folds = {tuple(model.fit(X, Y).cv_scores_.fold) for _ in range(2)}
    assert len(folds) == 2


def test_a_fitted_estimator_lets_the_rule_select_on_the_rows_of_fit():
    fitted = GaussianNB().fit(X[:50], Y[:50])
    curve = rs.roc_curve(Y[50:], fitted.predict_proba(X[50:])[:, 1], pos_label="virginica")
    for inner, cv in (
        (FrozenEstimator(fitted), None),
        (fitted, "prefit"),
        (FrozenEstimator(fitted), "prefit"),
    ):
        model = OperatingPointClassifier(inner, "tpr>=0.9", cv=cv).fit(X[50:], Y[50:])
        assert model.point_ == curve.select("tpr>=0.9")
        assert not hasattr(model, "cv_scores_")
    with pytest.raises(NotFittedError):
        OperatingPointClassifier(GaussianNB(), "tpr>=0.9", cv="prefit").fit(X, Y)
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(FrozenEstimator(GaussianNB().fit(X, Y == "virginica")), "youden").fit(X, Y)
    assert str(error.value) == (
        "estimator must have the classes of the point, ['versicolor', 'virginica'], got [False, True]"
    )
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(FrozenEstimator(fitted), "youden").fit(X, None)
    assert str(error.value) == "y must be given, got None"
    assert OperatingPointClassifier(FrozenEstimator(fitted), 0.3).fit(X, None).point_ == POINT


def test_a_rule_selects_for_a_detector():
    model = OperatingPointClassifier(
        GaussianDetector(), "tpr>=0.9", target="versicolor", cv=4, random_state=0
    ).fit(X, Y)
    scores = cross_scores(GaussianDetector(), X, Y, cv=4, rng=0, target="versicolor")
    assert model.point_ == rs.roc_curve(scores).select("tpr>=0.9")
    assert model.point_.classes == ("virginica", "versicolor")


def test_case_weights_count_in_training_and_in_the_selection():
    weight = np.random.default_rng(0).integers(1, 6, len(Y)).astype(float)
    model = OperatingPointClassifier(GaussianNB(), "fpr<=0.1", cv=4, random_state=0)
    model.fit(X, Y, sample_weight=weight)
    scores = model.cv_scores_
    for k in scores.folds:
        train, test = scores.row[scores.fold != k], scores.row[scores.fold == k]
        fold = GaussianNB().fit(X[train], Y[train], sample_weight=weight[train])
        np.testing.assert_array_equal(scores.y_score[scores.fold == k], fold.predict_proba(X[test])[:, 1])
    curve = rs.roc_curve(Y, scores.y_score, pos_label="virginica", sample_weight=weight)
    assert model.point_ == curve.select("fpr<=0.1")
    with sklearn.config_context(enable_metadata_routing=True):
        inner = GaussianNB().set_fit_request(sample_weight=True)
        routed = clone(model).set_params(estimator=inner).fit(X, Y, sample_weight=pd.Series(weight))
        assert routed.point_ == model.point_


def test_weights_of_a_step_count_in_the_selection():
    weight = np.where(Y == "virginica", np.linspace(0.01, 5, len(Y)), 1.0)
    other = weight[::-1].copy()
    rule = OperatingPointClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), "tpr>=0.9", cv=4, random_state=0
    )

    def selected(weights, **fit_params):
        model = clone(rule).fit(X[:, :1], Y, **fit_params)
        scores = model.cv_scores_
        curve = rs.roc_curve(Y, scores.y_score, pos_label="virginica", sample_weight=weights)
        return model.point_, curve.select("tpr>=0.9")

    own, expected = selected(weight, logisticregression__sample_weight=weight)
    assert own == expected
    assert own != selected(None, logisticregression__sample_weight=weight)[1]
    both = {"standardscaler__sample_weight": weight, "logisticregression__sample_weight": weight}
    own, expected = selected(weight, **both)
    assert own == expected
    own, expected = selected(None, **both | {"standardscaler__sample_weight": other})
    assert own == expected


def test_weights_are_routed_through_a_pipeline():
    weight = np.where(Y == "virginica", 5.0, 1.0)
    rule = OperatingPointClassifier(GaussianNB(), "fpr<=0.1", cv=4, random_state=0)
    scaled = StandardScaler().fit_transform(X)
    expected = clone(rule).fit(scaled, Y, sample_weight=weight)
    with sklearn.config_context(enable_metadata_routing=True):
        rule.set_params(estimator=GaussianNB().set_fit_request(sample_weight=True))
        steps = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), rule)
        assert steps.fit(X, Y, sample_weight=weight)[-1].point_ == expected.point_
        auc = rs.scorer("auc", pos_label="virginica").set_score_request(sample_weight=False)
        params = {"params": {"sample_weight": weight}, "scoring": auc, "error_score": "raise"}
        assert cross_val_score(steps, X, Y, cv=3, **params).min() > 0.9


def test_groups_are_routed_to_the_splitter():
    groups = np.arange(len(Y)) // 5
    with sklearn.config_context(enable_metadata_routing=True):
        model = OperatingPointClassifier(GaussianNB(), "youden", cv=GroupKFold(4)).fit(X, Y, groups=groups)
    assert all(len(set(model.cv_scores_.fold[groups == group])) == 1 for group in range(20))


@pytest.mark.slow
def test_a_rule_in_a_pipeline_and_a_search():
    scaled = make_pipeline(StandardScaler(), OperatingPointClassifier(LogisticRegression(), "tpr>=0.9", cv=3))
    assert cross_val_score(scaled, X, Y, cv=3, error_score="raise").min() > 0.8
    grid = {
        "operatingpointclassifier__point": ["tpr>=0.9", ("tpr>=0.5", "youden"), 0.3, None, CURVE.select()],
        "operatingpointclassifier__random_state": [0],
        "operatingpointclassifier__estimator__C": [0.1, 1],
    }
    search = GridSearchCV(scaled, grid, cv=3, error_score="raise").fit(X, Y)
    assert len(search.cv_results_["mean_test_score"]) == 10
    again = pickle.loads(pickle.dumps(search))
    np.testing.assert_array_equal(again.predict(X), search.predict(X))


def test_a_rule_needs_two_classes():
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(GaussianNB(), "youden").fit(IRIS_X, IRIS_CODES)
    assert str(error.value) == (
        "Only binary classification is supported. y must hold two classes for this point, got 3: [0, 1, 2]"
    )
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(GaussianNB(), 0.5).fit(X, np.zeros(len(X), int))
    assert str(error.value) == "y must hold two classes for this point, got one class: [0]"


def test_a_rule_that_no_point_meets():
    with pytest.raises(rs.UndefinedError, match=r"no operating point has tpr>=0.99 and fpr<=0.001; alone, "):
        OperatingPointClassifier(GaussianNB(), ("tpr>=0.99", "fpr<=0.001"), random_state=0).fit(X, Y)


# ---- Rejected cases --------------------------------------------------------------------------------------


def test_rejected_cases_have_their_label():
    point = rs.Threshold(0.9, positive="virginica", negative="versicolor", reject=0.1)
    model = OperatingPointClassifier(GaussianNB(), point, reject_label="unsure").fit(X, Y)
    score, decided = model.predict_proba(X)[:, 1], model.predict(X)
    assert decided.dtype.kind == "U"
    for s, label in zip(score, decided, strict=True):
        assert label == ("virginica" if s >= 0.9 else "unsure" if s >= 0.1 else "versicolor")
    assert (decided == "unsure").any()


def test_a_reject_label_of_another_type_keeps_the_labels():
    point = rs.ClassWeights([1, 1, 1], classes=[0, 1, 2], reject=0.9)
    for reject_label, kind in ((-1, "i"), ("?", "O")):
        model = OperatingPointClassifier(GaussianNB(), point, reject_label=reject_label).fit(
            IRIS_X, IRIS_CODES
        )
        decided = model.predict(IRIS_X)
        assert decided.dtype.kind == kind
        assert set(decided.tolist()) == {0, 1, 2, reject_label}
        assert model.predict(IRIS_X[:3]).dtype.kind == kind


# ---- In scikit-learn's tools -----------------------------------------------------------------------------


def test_in_a_pipeline_and_a_search():
    scaled = make_pipeline(StandardScaler(), OperatingPointClassifier(LogisticRegression(), POINT))
    assert cross_val_score(scaled, X, Y, cv=3).min() > 0.8
    assert is_classifier(scaled)
    grid = {
        "operatingpointclassifier__point": [None, POINT, POINT.to_json()],
        "operatingpointclassifier__estimator__C": [0.1, 1],
    }
    search = GridSearchCV(scaled, grid, cv=3, error_score="raise").fit(X, Y)
    assert len(search.cv_results_["mean_test_score"]) == 6
    assert search.predict(X).shape == (100,)
    outside = OperatingPointClassifier(make_pipeline(StandardScaler(), LogisticRegression()), POINT).fit(X, Y)
    assert outside.n_features_in_ == 4


@pytest.mark.parametrize(
    "point", [None, POINT, POINT.to_json(), WEIGHTS], ids=["none", "point", "json", "weights"]
)
def test_pickles_and_clones(point):
    data, y = (IRIS_X, IRIS_Y) if point is WEIGHTS else (X, Y)
    model = OperatingPointClassifier(GaussianNB(), point).fit(data, y)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.predict(data), model.predict(data))
    copy = clone(model)
    assert not hasattr(copy, "estimator_")
    np.testing.assert_array_equal(copy.fit(data, y).predict(data), model.predict(data))


def test_a_saved_point_decides_as_before():
    for point, data, y in ((POINT, X, Y), (WEIGHTS, IRIS_X, IRIS_Y)):
        by_object, by_text = (
            OperatingPointClassifier(GaussianNB(), given).fit(data, y) for given in (point, point.to_json())
        )
        np.testing.assert_array_equal(by_object.predict(data), by_text.predict(data))
        assert by_text.point_ == point


def test_frames_and_their_names():
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = OperatingPointClassifier(GaussianNB(), POINT).fit(frame, pd.Series(Y, dtype="str"))
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "d"]
    assert set(model.predict(frame)) == {"versicolor", "virginica"}


def test_text_of_any_length_may_be_the_labels():
    """NumPy's newer text, which scikit-learn does not read."""
    labels = Y.astype(np.dtypes.StringDType())
    model = OperatingPointClassifier(GaussianNB(), POINT).fit(X, labels)
    np.testing.assert_array_equal(
        model.predict(X), OperatingPointClassifier(GaussianNB(), POINT).fit(X, Y).predict(X)
    )


def test_a_target_needs_labels():
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(GaussianDetector(), POINT, target="virginica").fit(X, None)
    assert str(error.value) == "y must be given where target is, got None"


def test_a_fitted_estimator_is_kept():
    fitted = GaussianNB().fit(X[:50], Y[:50])
    model = OperatingPointClassifier(FrozenEstimator(fitted), POINT).fit(X, Y)
    np.testing.assert_array_equal(model.predict_proba(X), fitted.predict_proba(X))
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(FrozenEstimator(GaussianNB().fit(IRIS_X, IRIS_CODES)), POINT).fit(X, Y)
    assert str(error.value) == (
        "Only binary classification is supported. estimator must have the classes of the point, "
        "['versicolor', 'virginica'], got [0, 1, 2]"
    )


def test_further_arguments_reach_the_estimator():
    weight = np.where(Y == "virginica", 5.0, 1.0)
    model = OperatingPointClassifier(GaussianNB(), POINT).fit(X, Y, sample_weight=weight)
    expected = GaussianNB().fit(X, Y, sample_weight=weight).predict_proba(X)
    np.testing.assert_array_equal(model.predict_proba(X), expected)
    with sklearn.config_context(enable_metadata_routing=True):
        inner = GaussianNB().set_fit_request(sample_weight=True)
        routed = OperatingPointClassifier(inner, POINT).fit(X, Y, sample_weight=weight)
        np.testing.assert_array_equal(routed.predict_proba(X), expected)


def test_only_what_the_estimator_has_is_delegated():
    assert not hasattr(OperatingPointClassifier(LinearSVC()), "predict_proba")
    assert not hasattr(OperatingPointClassifier(GaussianNB()), "decision_function")


# ---- What is refused -------------------------------------------------------------------------------------


NO_POINT = (
    "point must be an operating point or its JSON text, a number, or a rule such as 'tpr>=0.9' or 'youden', "
)
UNKNOWN_MEASURE = (
    "the measure of a constraint must be one of tpr, fpr, tnr, fnr, precision, npv, accuracy, error, "
    "balanced_accuracy, f1, youden, lr_pos, lr_neg, kappa, mcc, odds_ratio, lift, detection_prevalence, "
    "cost, reject_rate, max-class-error, mean-class-error, sensitivity, recall, specificity, ppv, acc, dor, "
    "error(class), got 'cake'"
)


class Untouchable(GaussianNB):
    def fit(self, X, y, sample_weight=None):
        raise AssertionError("trained")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"point": rs.Threshold(0.5, positive="ill", negative="well")},
            "y must have the classes of the point, ['well', 'ill'], got ['versicolor', 'virginica']",
        ),
        (
            {"point": WEIGHTS},
            "y must have the classes of the point, ['virginica', 'setosa', 'versicolor'], "
            "got ['versicolor', 'virginica']",
        ),
        ({"point": "0.5"}, NO_POINT + "got '0.5'"),
        ({"point": "tpr=0.5"}, NO_POINT + "got 'tpr=0.5'"),
        ({"point": ()}, NO_POINT + "got ()"),
        ({"point": ("tpr>=0.5", 3)}, NO_POINT + "got ('tpr>=0.5', 3)"),
        ({"point": '{"type": "Cut"}'}, NO_POINT + 'got \'{"type": "Cut"}\''),
        ({"point": True}, "point must be a number, got True"),
        ({"point": np.nan}, "point must be a number other than NaN, got nan"),
        ({"point": ("youden", "closest")}, "point must name one rule at most, got ('youden', 'closest')"),
        ({"point": "cake>=0.5"}, UNKNOWN_MEASURE),
        (
            {"point": "youden", "cv": "pre"},
            "cv must be None, 'prefit', or what cross_scores takes, got 'pre'",
        ),
        (
            {"point": "youden", "pos_label": "setosa"},
            "pos_label must be one of the labels in y, got 'setosa'",
        ),
        (
            {"point": CUT},
            "pos_label must be the positive class of the cut-point, one of ['versicolor', 'virginica'], "
            "got None",
        ),
        (
            {"point": POINT, "pos_label": "versicolor"},
            "pos_label must be the positive class of the point, 'virginica', got 'versicolor'",
        ),
        (
            {"point": rs.Threshold(0.5, "virginica", "versicolor", reject=0.2)},
            "reject_label must be given where the point has a reject, got None",
        ),
        ({"point": POINT, "reject_label": "virginica"}, "reject_label must not be a class, got 'virginica'"),
        (
            {"point": POINT, "target": "versicolor"},
            "target must be the positive class of the point, 'virginica', got 'versicolor'",
        ),
        ({"target": "setosa"}, "target must be one of the labels in y, got 'setosa'"),
        (
            {"response": "predict"},
            "response must be one of 'auto', 'predict_proba', 'decision_function', 'score_samples', "
            "got 'predict'; did you mean 'predict_proba'?",
        ),
    ],
)
def test_refused_before_any_training(options, words):
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(Untouchable(), **options).fit(X, Y)
    assert str(error.value) == words


def test_names_of_another_type_are_reported():
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(Untouchable(), rs.Threshold(0.5, "1", "0")).fit(X, Y == "virginica")
    assert str(error.value) == "y must have the classes of the point, ['0', '1'], got [False, True]"
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(Untouchable(), rs.Threshold(0.5, "1", "0")).fit(X, 1 * (Y == "virginica"))
    assert (
        str(error.value) == "y must have the classes of the point, ['0', '1'], got [0, 1]; their types differ"
    )


def test_refused_by_what_the_estimator_gives():
    weights = rs.ClassWeights([1, 2], classes=["virginica", "versicolor"])
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(LinearSVC(random_state=0), weights).fit(X, Y).predict(X)
    assert (
        str(error.value)
        == "decision_function must give one output per class to be weighted, got one per case"
    )
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(GaussianNB(), POINT, response="decision_function").fit(X, Y)
    assert str(error.value) == (
        "estimator GaussianNB must have the response 'decision_function', got ['predict_proba']"
    )
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(KernelDensity()).fit(X, Y)
    assert str(error.value) == "point must be given for an estimator with score_samples only, got None"


def test_outputs_that_are_not_one_per_class_are_refused():
    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(SVC(decision_function_shape="ovo")).fit(IRIS_X, IRIS_Y)
    assert str(error.value) == (
        "estimator must have one output per class, got one per pair: set decision_function_shape='ovr'"
    )
    for detector, words in (
        (KernelDensity(), "must score each of more than two classes, got score_samples"),
        (OneClassSVM(), "must score every class where there are more than two"),
    ):
        with pytest.raises(RocInputError) as error:
            OperatingPointClassifier(detector, WEIGHTS).fit(IRIS_X, IRIS_Y).predict(IRIS_X)
        assert str(error.value) == f"estimator {type(detector).__name__} {words}"


def test_missing_outputs_are_refused():
    class Broken(GaussianNB):
        def predict_proba(self, X):
            return super().predict_proba(X) * np.nan

    with pytest.raises(RocInputError) as error:
        OperatingPointClassifier(Broken(), POINT).fit(X, Y).predict(X[:2])
    assert str(error.value) == "predict_proba must have no missing outputs, got NaN in rows 0, 1"
