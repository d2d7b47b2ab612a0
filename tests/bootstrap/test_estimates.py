"""`bootstrap_auc`: what it promises, and what it makes of hard cases."""

import json

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import ExtraTreeClassifier

from rocscope.bootstrap.estimates import bootstrap_auc
from rocscope.bootstrap.left_out import Spread
from rocscope.bootstrap.point632 import point632plus_auc
from rocscope.core.table import BELOW
from rocscope.errors import PartlyFailedError, RocInputError, UndefinedError
from rocscope.training.datasets import Dataset
from rocscope.training.splits import bootstrap_splits

LDA = LinearDiscriminantAnalysis()
FEW = {"n_boot": 30, "rng": 1}
QUICK = FEW | {"cv": 2, "leave_one_out": False}  # without most of the cross-validation


def cases(n_neg=15, n_pos=12, shift=1.0, p=2, seed=1):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [n_neg, n_pos])
    return rng.normal(size=(len(y), p)) + shift * y[:, np.newaxis], y


def message_of(*args, kind=RocInputError, **options):
    with pytest.raises(kind) as error:
        bootstrap_auc(*args, **options)
    return str(error.value)


class LabelsOnly(ClassifierMixin, BaseEstimator):
    """The sign of the first feature, as a label."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(np.asarray(X)[:, 0] > 0.5).astype(int)]


class Scored(LabelsOnly):
    """Scores that `kind` says: by the first feature, turned round, or NaN; may fail on some training sets."""

    def __init__(self, kind="good", fails_below=None):
        self.kind = kind
        self.fails_below = fails_below

    def fit(self, X, y):
        if self.fails_below is not None and len(np.unique(X[:, 0])) < self.fails_below:
            raise ValueError("too few\ndifferent cases")
        return super().fit(X, y)

    def decision_function(self, X):
        return {"good": 1.0, "turned": -1.0, "missing": np.nan}[self.kind] * np.asarray(X)[:, 0]


class NearestMean(LabelsOnly):
    """Scores along the line between the means: cheap to train, and never the same on two replicates."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        means = [X[y == name].mean(axis=0) for name in self.classes_]
        self.direction_ = means[1] - means[0]
        return self

    def decision_function(self, X):
        return X @ self.direction_


class Noise(LabelsOnly):
    """Scores that know nothing."""

    def __init__(self, random_state=None):
        self.random_state = random_state

    def decision_function(self, X):
        return np.random.default_rng(self.random_state).normal(size=len(X))


# ---- What it promises -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model",
    [LDA, LinearSVC(), KNeighborsClassifier(3), make_pipeline(StandardScaler(), LogisticRegression())],
    ids=lambda model: type(model).__name__,
)
def test_any_classifier(model):
    X, y = cases()
    options = {"n_boot": 10, "cv": 2, "leave_one_out": False}
    found = bootstrap_auc(model, X, y, rng=3, **options)
    assert 0.5 < found.star.value <= 1
    assert found == bootstrap_auc(model, X, y, rng=3, **options)
    assert found.star.value != bootstrap_auc(model, X, y, rng=4, **options).star.value


@pytest.mark.slow
def test_any_number_of_jobs_gives_the_same_numbers():
    """The estimator has a random state of its own, which the seed sets."""
    X, y = cases()
    options = {"n_boot": 25, "rng": 3, "cost": 4}
    one = bootstrap_auc(ExtraTreeClassifier(), X, y, **options)
    two = bootstrap_auc(ExtraTreeClassifier(), X, y, n_jobs=2, **options)
    assert one == two
    assert one.to_json() == two.to_json()


def test_estimates_are_ordered_and_carry_their_errors():
    X, y = cases(40, 40, shift=0.4, p=5)
    found = bootstrap_auc(LDA, X, y, n_boot=200, rng=1)
    assert found.star.value < found.point632plus.value < found.point632.value < found.apparent.value
    assert found.error.left_out.value > found.error.point632plus.value > found.error.apparent.value
    assert found.star.se == found.leave_pair_out.se
    assert found.star.method == "influence function of leave-pair-out"
    scale = (1 - found.point632.value) / (1 - found.star.value)
    assert found.point632.se == pytest.approx(found.star.se * scale)
    error = found.error
    assert error.point632plus.se == pytest.approx(
        error.left_out.se * error.point632plus.value / error.left_out.value
    )
    for each in (*found.estimates().values(), *error.estimates().values()):
        assert each.mc_error is not None
        assert (each.se is None) == (each.status == "partial") == (each.reason is not None)
    assert found.star.mc_error == pytest.approx(found.replicates.std(ddof=1) / 200**0.5)
    assert found.point632.mc_error == pytest.approx(0.632 * found.star.mc_error)
    assert found.loss == error


def test_monte_carlo_error_is_the_spread_over_seeds():
    X, y = cases(20, 20, shift=0.6)
    options = {"n_boot": 80, "cv": 2, "leave_one_out": False}
    found = [bootstrap_auc(NearestMean(), X, y, rng=k, **options) for k in range(40)]
    estimates = [lambda each, w=w: getattr(each, w) for w in ("star", "leave_pair_out", "point632plus")]
    estimates += [lambda each: each.error.left_out, lambda each: each.error.point632plus]
    for estimate in estimates:
        values = [estimate(each).value for each in found]
        result = np.mean([estimate(each).mc_error for each in found])
        # The SD of 40 values is known to 11 %; three times that.
        assert result == pytest.approx(np.std(values, ddof=1), rel=0.33)


@pytest.mark.parametrize("stratify", [True, False])
def test_stratified_replicates_keep_the_class_sizes(stratify):
    X, y = cases(20, 6)
    sizes = set()

    class Watching(Scored):
        def fit(self, X, y):
            sizes.add(int(np.sum(y)))
            return super().fit(X, y)

    bootstrap_auc(Watching(), X, y, n_boot=20, rng=1, stratify=stratify, cv=2, leave_one_out=False)
    assert (sizes == {3, 6}) == stratify  # 6 in all cases and in replicates, 3 in folds


def test_labels_of_any_kind_give_the_same_numbers():
    X, y = cases()
    plain = bootstrap_auc(LDA, X, y, **QUICK)
    for labels, pos_label in (
        (np.where(y == 1, "ill", "well"), "ill"),
        ([bool(v) for v in y], None),
        (np.where(y == 1, "a", "b").astype(object), "a"),
        (np.where(y == 1, 2.0, 7.0), 2.0),
    ):
        found = bootstrap_auc(LDA, X, labels, pos_label=pos_label, **QUICK)
        assert found.star.value == pytest.approx(plain.star.value, abs=1e-12)
        assert found.error.point632plus.value == pytest.approx(plain.error.point632plus.value, abs=1e-12)


def test_pandas_and_lists():
    import pandas as pd

    X, y = cases()
    plain = bootstrap_auc(LDA, X, y, **QUICK)
    assert bootstrap_auc(LDA, pd.DataFrame(X), pd.Series(y), **QUICK) == plain
    assert bootstrap_auc(LDA, X.tolist(), y.tolist(), **QUICK) == plain


def test_exchanged_classes_mirror_the_scores():
    X, y = cases()
    found = bootstrap_auc(Scored(), X, y, pos_label=1, **QUICK)
    turned = bootstrap_auc(Scored("turned"), X, y, pos_label=1, **QUICK)
    assert turned.star.value == pytest.approx(1 - found.star.value, abs=1e-12)
    assert turned.leave_pair_out.se == pytest.approx(found.leave_pair_out.se, abs=1e-12)


def test_result_is_strict_json_a_frame_and_text():
    X, y = cases()
    found = bootstrap_auc(LDA, X, y, **FEW)
    document = json.loads(found.to_json())
    assert document["type"] == "BootstrapAuc"
    assert document["star"]["mc_error"] == found.star.mc_error
    frame = found.frame()
    assert frame["estimate"].tolist()[:3] == ["auc apparent", "auc leave_pair_out", "auc star"]
    assert len(frame) == 7 + 6 + 6
    head = "12 positives, 15 negatives, 30 replicates drawn class by class (0 drawn again)"
    assert str(found).splitlines()[0] == head
    assert str(found.error).splitlines()[1] == found.error.left_out.summary()


def test_progress_is_reported():
    X, y = cases()
    seen = []
    bootstrap_auc(LDA, X, y, progress=lambda done, total: seen.append((done, total)), **QUICK)
    assert seen[-1][0] == seen[-1][1] == len(seen)


def test_leave_one_out_only_where_it_is_no_more_work_or_requested():
    X, y = cases()
    reason = "it takes 27 trainings, more than the bootstrap, and was not requested"
    found = bootstrap_auc(LDA, X, y, n_boot=20, rng=1)
    assert (found.leave_one_out.status, found.leave_one_out.reason) == ("undefined", reason)
    assert found.error.leave_one_out.value is None
    request = bootstrap_auc(LDA, X, y, n_boot=20, rng=1, leave_one_out=True)
    assert request.leave_one_out.value == bootstrap_auc(LDA, X, y, **FEW).leave_one_out.value
    refused = bootstrap_auc(LDA, X, y, leave_one_out=False, **FEW)
    assert refused.leave_one_out.reason == "not requested"


# ---- 1-nearest neighbour, the case that motivates .632+ ---------------------------------------------------


@pytest.mark.slow
def test_nearest_neighbour_without_information():
    """Apparent 1 and AUC(*) near .5: .632 claims .68, .632+ does not."""
    plain, robust, errors = [], [], []
    for seed in range(10):
        X, y = cases(20, 20, shift=0.0, seed=seed)
        found = bootstrap_auc(KNeighborsClassifier(1), X, y, n_boot=30, cv=2, leave_one_out=False, rng=1)
        assert (found.apparent.value, found.error.apparent.value) == (1, 0)
        if found.star.value > 0.5:
            assert found.point632plus.value < found.point632.value
        else:
            assert found.point632plus.value == found.point632.value
        plain.append(found.point632.value)
        robust.append(float(point632plus_auc(1.0, found.star.value, rule="efron-tibshirani")))
        errors.append((found.error.point632.value, found.error.point632plus.value))
    assert np.mean(plain) == pytest.approx(0.368 + 0.632 * 0.5, abs=0.04)
    assert np.mean(robust) == pytest.approx(0.5, abs=0.05)
    assert np.mean(errors, axis=0) == pytest.approx([0.632 * 0.5, 0.5], abs=0.05)


# ---- Hard cases -------------------------------------------------------------------------------------------


def test_class_of_one_member():
    X, y = cases(10, 1)
    found = bootstrap_auc(LDA, X, y, **FEW)
    reason = "a class of one member cannot both train and be left out; the smallest class has 1 (class 1)"
    assert found.apparent.value is not None
    assert found.error.apparent.value is not None
    for name in ("star", "leave_pair_out", "point632", "point632plus"):
        each = getattr(found, name)
        assert (each.value, each.status, each.reason) == (None, "undefined", reason)
    assert found.error.left_out.reason == reason
    assert found.kfold.reason == "folds need two cases of each class; the smallest has 1 (class 1)"
    one = "without its one case a class cannot be trained; the smallest has 1 (class 1)"
    assert found.leave_one_out.reason == one
    assert found.n_boot == 0


def test_class_of_two_members_is_drawn_again_and_counted():
    X, y = cases(10, 2)
    found = bootstrap_auc(Scored(), X, y, n_boot=200, rng=1)
    # Half the draws of two hold both; each is drawn again until one is left out.
    assert found.redrawn == pytest.approx(200, abs=60)
    assert found.star.value is not None
    assert bootstrap_auc(Scored(), X, y, n_boot=200, rng=1, stratify=False).redrawn > 60


def test_draws_that_never_leave_a_class_out_give_up():
    X, y = cases(60, 2)

    class Stream:
        """Draws every row once."""

        def integers(self, low, high, size):
            return np.arange(size)

    with pytest.raises(UndefinedError) as error:
        bootstrap_splits(Dataset.read(X, y), 2, Stream())
    assert str(error.value) == (
        "each of 101 bootstrap draws lacked a class in training or among the left-out rows; "
        "the smallest class has 2 (class 1)"
    )


def test_perfect_separation():
    X, y = cases(12, 10, shift=100.0)
    found = bootstrap_auc(Scored(), X, y, **QUICK)
    bound = 0.025 ** (1 / 10)
    for name in ("star", "leave_pair_out", "point632", "point632plus"):
        each = getattr(found, name)
        assert (each.value, each.se, each.high, each.mc_error) == (1.0, None, 1.0, 0.0)
        assert each.method == "exact bound"
        assert each.low == pytest.approx(bound)
        assert each.status == "ok"
        assert each.warnings[-1] == (
            "every replicate separates its left-out classes: the interval is the exact bound of one fixed "
            "classifier with an area of 1"
        )
    assert found.overfitting == 0
    assert found.point632plus.warnings[0] == (
        "AUC(*) equals the apparent AUC, R' would be 0/0: it is 0, no overfitting"
    )


@pytest.mark.slow
def test_few_replicates_leave_the_standard_error_in_doubt():
    X, y = cases(20, 20, shift=0.0, seed=7)
    few, many = (bootstrap_auc(KNeighborsClassifier(1), X, y, n_boot=n, rng=2) for n in (15, 600))
    assert few.leave_pair_out.se is not None
    assert any("the standard error is itself uncertain by" in text for text in few.leave_pair_out.warnings)
    assert not any("uncertain" in text for text in many.leave_pair_out.warnings)
    (text,) = (text for text in few.leave_pair_out.warnings if "uncertain" in text)
    notes = [line for line in str(few).splitlines() if line.startswith("note: ") and line.endswith(text)]
    assert len(notes) == 1
    assert "leave-pair-out AUC" in notes[0].removesuffix(text)


def test_doubt_is_the_spread_of_the_standard_error():
    rng = np.random.default_rng(0)
    true, noise = rng.normal(size=80) * 0.01, 1e-5
    found = Spread(variance=float(true @ true), mc_variance=0.0, noise=noise, n_cases=80)
    noisy = true + rng.normal(size=(4000, 80)) * np.sqrt(noise)
    errors = np.sqrt(np.square(noisy).sum(axis=1) - 80 * noise)
    assert errors.std() / errors.mean() == pytest.approx(found.doubt, rel=0.1)


def test_constant_scores():
    found = bootstrap_auc(DummyClassifier(), *cases(), **QUICK)
    reason = "all replicates have the same area, so the data show no variance"
    for name in ("star", "leave_pair_out", "point632", "point632plus"):
        each = getattr(found, name)
        assert (each.value, each.se, each.status, each.reason) == (0.5, None, "partial", reason)
    assert found.overfitting == 0


def test_never_wrong():
    X, y = cases(12, 10, shift=100.0)
    found = bootstrap_auc(LDA, X, y, **QUICK).error
    assert (found.left_out.value, found.left_out.se) == (0.0, None)
    reason = "all left-out cases of a class were decided alike, so the data show no variance"
    assert found.point632plus.reason == reason
    alike = bootstrap_auc(DummyClassifier(), *cases(), **QUICK).error
    assert alike.left_out.value == pytest.approx(12 / 27)
    assert (alike.left_out.se, alike.left_out.reason) == (None, reason)


def test_below_chance_is_never_turned_round():
    X, y = cases(20, 20, shift=1.0)
    found = bootstrap_auc(Scored("turned"), X, y, **QUICK)
    assert found.star.value < 0.5
    assert found.star.warnings == (BELOW,)


def test_below_chance_by_either_rule():
    X, y = cases(20, 20, shift=0.0, seed=7)
    found, other = (
        bootstrap_auc(KNeighborsClassifier(1), X, y, rule=rule, **QUICK)
        for rule in ("yousef", "efron-tibshirani")
    )
    assert found.star.value < 0.5 < found.apparent.value
    assert (found.overfitting, other.overfitting) == (0.0, 1.0)
    assert found.point632plus.value == found.point632.value
    assert found.point632plus.warnings[-1] == (
        f"AUC(*) is not above chance: R' is 0 and .632+ equals .632, {found.point632.value:.4f}; "
        f"the rule of Efron and Tibshirani sets R' to 1 and gives {other.point632plus.value:.4f}"
    )
    assert other.point632plus.warnings[-1] == "AUC(*) is not above chance: R' is 1"


def test_labels_only_have_an_error_rate_and_no_area():
    X, y = cases()
    found = bootstrap_auc(LabelsOnly(), X, y, **FEW)
    reason = "estimator LabelsOnly has predict only: hard labels are no scores"
    for each in found.estimates().values():
        assert (each.value, each.reason) == (None, reason)
    assert found.response is None
    assert found.warnings == (f"{reason}; only the error rates are given",)
    same = bootstrap_auc(Scored(), X, y, **FEW)
    assert found.error == same.error


def test_failing_replicates_are_counted_and_left_out():
    X, y = cases()
    found = bootstrap_auc(Scored(fails_below=17), X, y, n_boot=40, rng=1, cv=2)
    assert 0 < found.failed < 40
    assert found.n_boot == 40 - found.failed == len(found.replicates)
    message = f"{found.failed} of 40 replicates failed and are left out: ValueError: too few different cases"
    assert found.warnings[0] == message
    assert found.kfold.reason.startswith("training failed in 10 of 10 splits: ValueError: too few")


def test_all_replicates_fail():
    X, y = cases()
    found = bootstrap_auc(Scored(fails_below=27), X, y, **QUICK)
    assert found.star.value is None
    assert found.star.reason == (
        "training failed in 30 of 30 replicates: ValueError: too few different cases"
    )
    assert found.apparent.value is not None
    assert found.error.left_out.value is None


def test_failure_on_all_cases():
    X, y = cases()
    assert message_of(Scored("missing"), X, y, kind=PartlyFailedError, **FEW) == (
        "training on all cases failed: RocInputError: decision_function must have no missing outputs, "
        "got NaN in rows 0, 1, 2, 3, 4 and 22 more"
    )


def test_hidden_variance():
    X, y = cases(30, 30)
    found = [bootstrap_auc(Noise(), X, y, n_boot=10, rng=k, cv=2, leave_one_out=False) for k in range(8)]
    hidden = [each.leave_pair_out for each in found if each.leave_pair_out.se is None]
    assert hidden
    reason = "the noise of the replicates hides the variance: more of them would show it"
    assert {(each.status, each.reason) for each in hidden} == {("partial", reason)}


def test_pairs_never_left_out_together_are_dropped_and_counted():
    X, y = cases()
    found = bootstrap_auc(LDA, X, y, n_boot=3, rng=1)
    assert found.dropped_pairs > 0
    message = f"{found.dropped_pairs} of 180 pairs were never left out together, and are dropped"
    assert message in found.warnings
    assert found.error.dropped > 0


def test_loss_without_probabilities_is_that_of_predict():
    X, y = cases()
    found = bootstrap_auc(LinearSVC(), X, y, cost=5, **QUICK)
    assert found.loss.decisions == "predict"
    message = "the loss is that of predict: without predict_proba there is no threshold for the costs"
    assert message in found.warnings
    assert found.loss.cost == ((0.0, 1.0), (5.0, 0.0))


def test_training_warnings_are_collected():
    X, y = cases()
    X = np.column_stack([X, X[:, 0]])
    found = bootstrap_auc(make_pipeline(StandardScaler(), LogisticRegression(max_iter=1)), X, y, **FEW)
    (warning,) = [each for each in found.warnings if "ConvergenceWarning" in each]
    assert " of 108 trainings: ConvergenceWarning: " in warning  # 1 + 30 + 5 * 10 + 27


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_boot": 1}, "n_boot must be a whole number of at least 2, got 1"),
        ({"n_boot": 10**7}, "n_boot must lie between 2 and 1e+06 (both allowed), got 10000000"),
        ({"stratify": "no"}, "stratify must be True or False, got 'no'"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
        ({"cv": 1}, "cv must be a whole number of at least 2, got 1"),
        ({"cv": 13}, "cv must be at most the size of the smallest class, 12 (class 1), got 13"),
        ({"rule": "x"}, "rule must be one of 'yousef', 'efron-tibshirani', got 'x'"),
        ({"prevalence": 2}, "prevalence must lie between 0 and 1, got 2"),
        ({"leave_one_out": 1}, "leave_one_out must be True or False, got 1"),
        ({"pos_label": 2}, "pos_label must be one of the labels in y (2: 0, 1), got 2"),
    ],
)
def test_wrong_arguments(options, message):
    X, y = cases()
    assert message_of(LDA, X, y, **options) == message


def test_wrong_data_and_estimators():
    X, y = cases()
    assert message_of(LDA, X[:-1], y) == "X and y must have the same length: X has 26, y has 27"
    assert message_of(LDA, X, np.zeros(27)) == "y must hold two classes, got only 0.0"
    assert message_of(LinearDiscriminantAnalysis, X, y) == (
        "estimator must be an object, got the class LinearDiscriminantAnalysis"
    )
    assert message_of(3, X, y) == "estimator must be a scikit-learn estimator, got 3"
