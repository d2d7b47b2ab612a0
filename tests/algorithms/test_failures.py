"""Learners that fail: each failure is recorded with its reason, and the others go on."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from algorithms.bad_learners import Deadly, Failing, Hanging, HardLabels, Leaving, NoNumbers, cases
from rocscope.algorithms.compare import compare_algorithms
from rocscope.algorithms.distribution import fold_distribution
from rocscope.algorithms.losses import loss_curves
from rocscope.algorithms.pair import algorithm_pair
from rocscope.core.workers import Outcome, call
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
    assert "undefined" in str(undefined)


@pytest.fixture(scope="module")
def with_failures():
    """Every fit of one learner fails."""
    learners = {"nb": GaussianNB(), "none": NoNumbers(), "leaving": Leaving(), "lr": LogisticRegression()}
    return compare_algorithms(learners, {"made": cases()}, folds=4)


def test_outputs_that_are_no_numbers(with_failures):
    reasons = {row.reason for row in with_failures.failures if row.algorithm == "none"}
    told = "RocInputError: predict_proba must have no missing outputs, got NaN in rows 0, 1, 2, 3, 4 and"
    assert reasons == {f"{told} 25 more", f"{told} 35 more"}


def test_code_that_leaves_is_one_failed_fit(with_failures):
    folds = [row.fold for row in with_failures.failures if row.algorithm == "leaving"]
    assert folds == [0, 1, 2, 3, None]
    assert str(with_failures).endswith("10 folds without a value")


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
