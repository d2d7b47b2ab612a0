"""Learners that fail: each failure is recorded with its reason, and the others go on."""

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from algorithms.bad_learners import (
    Deadly,
    Decided,
    Failing,
    Hanging,
    HardLabels,
    Labelled,
    Leaving,
    Moody,
    NoNumbers,
    cases,
)
from rocscope.algorithms.comparison import compare_algorithms
from rocscope.algorithms.distribution import algorithm_pair, fold_distribution
from rocscope.algorithms.losses import loss_curves
from rocscope.core.execution import Outcome, call
from rocscope.errors import RocInputError, UndefinedError


def test_failure_is_recorded_and_others_go_on():
    learners = {"nb": GaussianNB(), "failing": Failing(), "tree": DecisionTreeClassifier()}
    rows = np.random.default_rng(5).permutation(120)
    X, y = cases()
    found = compare_algorithms(learners, (X[rows], y[rows]), folds=10)
    failed = [row for row in found.failures if row.fold is not None]
    assert {row.algorithm for row in found.failures} == {"failing"}
    assert failed[0].reason == "ValueError: will not learn this"
    assert "in fit" in failed[0].traceback
    assert str(failed[0]).startswith(f"failing on data, in fold {failed[0].fold}: ValueError")
    undefined, sound = found.verdicts[0], found.verdicts[1]
    assert undefined.case is None
    assert undefined.auc.p_value is None
    assert undefined.auc.reason.startswith("failing is undefined in fold")
    assert sound.auc.p_value is not None
    assert found.cases()["undefined"] == 2
    assert not found.defined[0, 1].all()
    assert found.ranks["auc"].status == "undefined"
    cause = "ValueError: will not learn this"
    assert str(undefined) == f"data: nb - failing: undefined: {undefined.auc.reason}"
    assert undefined.auc.reason.endswith(cause)


@pytest.fixture(scope="module")
def with_failures():
    """Every fit of one learner fails."""
    learners = {"nb": GaussianNB(), "none": NoNumbers(), "leaving": Leaving(), "lr": LogisticRegression()}
    return compare_algorithms(learners, {"made": cases()}, folds=4)


def test_outputs_that_are_no_numbers(with_failures):
    reasons = {row.reason for row in with_failures.failures if row.algorithm == "none"}
    message = "RocInputError: predict_proba must have no missing outputs, got NaN in rows 0, 1, 2, 3, 4 and"
    assert reasons == {f"{message} 25 more", f"{message} 35 more"}


def test_code_that_leaves_is_one_failed_fit(with_failures):
    folds = [row.fold for row in with_failures.failures if row.algorithm == "leaving"]
    assert folds == [0, 1, 2, 3, None]
    assert str(with_failures).endswith("8 folds without a value")


def test_missing_values_are_named_as_the_cause():
    """The one training without cross-validation, which has no value either, is no fold."""
    X, y = cases()
    X[::7, 1] = np.nan
    learners = {
        "lr": LogisticRegression(),
        "nan": HistGradientBoostingClassifier(max_iter=2),
        "nb": GaussianNB(),
    }
    found = compare_algorithms(learners, (X, y), folds=5)
    cause = "ValueError: Input X contains NaN."
    lines = str(found).splitlines()
    assert f"lr on data, 5 folds without a value: {cause}" in lines
    assert f"nb on data, 5 folds without a value: {cause}" in lines
    assert lines[-1] == "10 folds without a value"
    reason = f"lr is undefined in folds 0, 1, 2, 3, 4: {cause}"
    assert {test.reason for test in found.tests_of("data", "lr", "nan").tests} == {reason}
    assert found.verdicts[0].auc.reason == reason
    both = f"{reason}; nb is undefined in folds 0, 1, 2, 3, 4: {cause}"
    assert found.tests_of("data", "lr", "nb", "error").tests[0].reason == both


def test_several_causes_are_counted():
    found = compare_algorithms({"nb": GaussianNB(), "moody": Moody()}, cases(), folds=6, rng=2)
    reason = found.tests_of("data", "nb", "moody").tests[0].reason
    assert reason == (
        "moody is undefined in folds 0, 1, 2, 3, 4 and 1 more: "
        "ValueError: no luck with -0.801931 (and 1 other cause)"
    )


@pytest.mark.parametrize("kind", ["flat", "column", "two columns"])
def test_decision_functions_of_every_shape(kind):
    """One score per case, as a row or as a column, or one per class: the areas are the same."""
    plain = compare_algorithms({"a": Decided("flat"), "b": GaussianNB()}, cases(), folds=3)
    found = compare_algorithms({"a": Decided(kind), "b": GaussianNB()}, cases(), folds=3)
    assert found.failures == ()
    np.testing.assert_allclose(found.auc, plain.auc, atol=1e-12)
    np.testing.assert_array_equal(found.error, plain.error)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            "three columns",
            "decision_function must give one column per class ['no', 'yes'], got shape (40, 3)",
        ),
        ("too short", "decision_function must give one row per case (40), got shape (39,)"),
        ("text", "decision_function must give numbers, got <U3"),
    ],
)
def test_decision_functions_of_no_shape_are_failed_folds(kind, message):
    found = compare_algorithms({"a": Decided(kind), "b": GaussianNB()}, cases(), folds=3)
    failed = [row for row in found.failures if row.fold is not None]
    assert {row.algorithm for row in found.failures} == {"a"}
    assert {row.reason for row in failed} == {f"RocInputError: {message}"}
    assert all("in soft_outputs" in row.traceback for row in failed)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("codes", "predict must give the labels 'no' and 'yes', got 0"),
        ("missing", "predict must give the labels 'no' and 'yes', got nan"),
        ("table", "predict must give one label per case (40), got shape (40, 2)"),
        ("short", "predict must give one label per case (40), got shape (39,)"),
    ],
)
def test_decisions_that_are_no_labels_are_failed_folds(kind, message):
    """Labels that no class has would all count as negative, and a column against a row as a table."""
    found = compare_algorithms({"a": Labelled(kind), "b": GaussianNB()}, cases(), folds=3)
    failed = [row for row in found.failures if row.fold is not None]
    assert {row.algorithm for row in found.failures} == {"a"}
    assert {row.reason for row in failed} == {f"RocInputError: {message}"}


def test_decisions_in_a_column_are_decisions():
    found = compare_algorithms({"a": Labelled("column"), "b": GaussianNB()}, cases(), folds=3)
    assert found.failures == ()
    np.testing.assert_array_equal(found.error[0, 0], found.error[0, 1])


def test_views_of_a_failed_learner_say_so(with_failures):
    gone = fold_distribution(with_failures, "made", "none")
    assert (gone.mean, gone.single, gone.single_error) == (None, (), None)
    assert gone.normality.reason == "the test needs 3 values, got 0"
    assert gone.fold_correlation.reason == "a fold is undefined"
    pair = algorithm_pair(with_failures, "made", "nb", "none")
    assert (len(pair.curves[0]), len(pair.curves[1])) == (4, 0)
    losses = loss_curves(with_failures, "made")
    assert (losses.algorithms, losses.left_out) == (("nb", "lr"), ("none", "leaving"))
    assert pair.plot() is not None


def test_no_probabilities_at_all():
    found = compare_algorithms({"a": NoNumbers(), "b": Leaving()}, cases(), folds=2)
    with pytest.raises(UndefinedError, match="no algorithm has probabilities in every fold of 'data'"):
        loss_curves(found, "data")


def test_hard_labels_are_refused_before_any_training():
    with pytest.raises(RocInputError) as caught:
        compare_algorithms({"nb": Leaving(), "hard": HardLabels()}, cases(), folds=2)
    assert str(caught.value) == (
        "algorithms['hard']: estimator HardLabels must have one of predict_proba, decision_function, "
        "score_samples, got one with predict only: hard labels are no scores"
    )


class LateExecutor:
    """Runs tasks here, and gives those of one learner up as late."""

    def __init__(self):
        self.tasks = []

    def submit(self, task):
        self.tasks.append(task)

    def as_completed(self):
        for task in self.tasks:
            late = "'hanging'" in task.key
            yield Outcome(key=task.key, error="TimeoutError: no result within 1 s") if late else call(task)


def test_what_an_executor_gives_up_is_a_failure():
    learners = {"hanging": GaussianNB(), "nb": GaussianNB()}
    found = compare_algorithms(learners, cases(), folds=3, executor=LateExecutor())
    assert [(row.algorithm, row.fold) for row in found.failures] == [
        ("hanging", 0),
        ("hanging", 1),
        ("hanging", 2),
        ("hanging", None),
    ]
    assert np.isfinite(found.auc[0, 1]).all()


def test_executor_has_its_own_processes():
    for name, value in (("n_jobs", 2), ("timeout", 3)):
        own = {"executor": LateExecutor(), name: value}
        with pytest.raises(RocInputError) as error:
            compare_algorithms({"a": GaussianNB(), "b": GaussianNB()}, cases(), folds=2, **own)
        assert str(error.value) == f"{name} must be None when an executor is given, got {value}"


@pytest.mark.slow
def test_hanging_learner_is_stopped():
    """Worker processes load scikit-learn within the time of their first fit: it must not be too short."""
    learners = {"hanging": Hanging(), "nb": GaussianNB()}
    found = compare_algorithms(learners, cases(), folds=4, timeout=10, n_jobs=2)
    late = [row for row in found.failures if row.fold is not None]
    assert [row.algorithm for row in late] == ["hanging"]
    assert late[0].reason == "TimeoutError: no result within 10 s; its worker was killed"
    assert np.isfinite(found.auc[0, 1]).all()


@pytest.mark.posix
@pytest.mark.slow
def test_learner_that_kills_its_worker():
    found = compare_algorithms({"deadly": Deadly(), "nb": GaussianNB()}, cases(n=40), folds=2, n_jobs=2)
    assert [(row.algorithm, row.fold) for row in found.failures] == [
        ("deadly", 0),
        ("deadly", 1),
        ("deadly", None),
    ]
    assert found.failures[0].reason.startswith("TerminatedWorkerError")
    assert np.isfinite(found.auc[0, 1]).all()
