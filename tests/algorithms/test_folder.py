"""Comparisons with a folder: every training is kept, and the same call goes on where it was."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from algorithms.bad_learners import Failing, cases
from rocscope.algorithms.comparison import compare_algorithms
from rocscope.core.execution import Outcome, call
from rocscope.errors import ResourceError, RocInputError

LEARNERS = {"tree": DecisionTreeClassifier(max_features=1), "nb": GaussianNB(), "failing": Failing()}
DATA = {"fold": cases(), "seed": cases(n=60)}  # names that are also those of arguments
HOW = {"folds": 4, "rng": 3, "scorers": ["neg_log_loss"]}


class Stopping:
    """Runs tasks here, and is interrupted after so many."""

    def __init__(self, after=10**6):
        self.after, self.tasks, self.run = after, [], 0

    def submit(self, task):
        self.tasks.append(task)

    def as_completed(self):
        for task in self.tasks:
            if self.run == self.after:
                raise KeyboardInterrupt
            self.run += 1
            yield call(task)


def test_a_journal_gives_back_every_bit(tmp_path):
    plain = compare_algorithms(LEARNERS, DATA, **HOW)
    kept = compare_algorithms(LEARNERS, DATA, **HOW, folder=tmp_path / "run")
    again = compare_algorithms(LEARNERS, DATA, **HOW, folder=tmp_path / "run", executor=Stopping(0))
    for other in (kept, again):
        assert other.to_dict() | {"failures": []} == plain.to_dict() | {"failures": []}
        assert [str(row) for row in other.failures] == [str(row) for row in plain.failures]
        assert "in fit" in other.failures[0].traceback
        assert other.records[0][0][0].score.tobytes() == plain.records[0][0][0].score.tobytes()
        assert [row[:2] for row in other.singles] == [row[:2] for row in plain.singles]


def test_what_is_done_is_not_done_again(tmp_path):
    first, second = Stopping(after=7), Stopping()
    with pytest.raises(KeyboardInterrupt):
        compare_algorithms(LEARNERS, DATA, **HOW, folder=tmp_path, executor=first)
    seen = []
    found = compare_algorithms(
        LEARNERS, DATA, **HOW, folder=tmp_path, executor=second, progress=lambda *n: seen.append(n)
    )
    assert seen[0] == (first.run, 30)
    assert seen[-1] == (30, 30)
    assert first.run + second.run == 30
    assert found.auc.tobytes() == compare_algorithms(LEARNERS, DATA, **HOW).auc.tobytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"folds": 3}, "folds is 4 there, 3 here"),
        ({"rng": 4}, "seed is 3 there, 4 here"),
        ({"datasets": {"fold": cases(), "seed": cases(n=70)}}, "the data are others"),
        ({"algorithms": LEARNERS | {"tree": DecisionTreeClassifier(max_depth=1)}}, "the tasks are others"),
    ],
)
def test_another_comparison_is_refused(tmp_path, change, message):
    request = {"algorithms": LEARNERS, "datasets": DATA, **HOW}
    compare_algorithms(**request, folder=tmp_path)
    with pytest.raises(RocInputError) as caught:
        compare_algorithms(**(request | change), folder=tmp_path)
    assert message in str(caught.value)


class Lacking(ClassifierMixin, BaseEstimator):
    """Needs something that is not there at first."""

    there = False

    def fit(self, X, y):
        if not Lacking.there:
            raise ResourceError("a package is missing")
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        share = np.clip(np.asarray(X)[:, 0], 0, 1)
        return np.column_stack([1 - share, share])

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


def test_what_was_given_up_is_tried_again(tmp_path, monkeypatch):
    learners = {"nb": GaussianNB(), "lacking": Lacking()}
    found = compare_algorithms(learners, cases(), folds=3, folder=tmp_path)
    assert {row.reason for row in found.failures} == {"ResourceError: a package is missing"}
    monkeypatch.setattr(Lacking, "there", True)
    assert compare_algorithms(learners, cases(), folds=3, folder=tmp_path).failures == ()


class Late(Stopping):
    """Gives every task up."""

    def as_completed(self):
        for task in self.tasks:
            yield Outcome(key=task.key, error="TimeoutError: no result within 1 s")


def test_trainings_that_took_too_long_are_failed_folds(tmp_path):
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    found = compare_algorithms(learners, cases(), folds=2, folder=tmp_path, executor=Late())
    assert {row.reason for row in found.failures} == {"TimeoutError: no result within 1 s"}
    assert len(compare_algorithms(learners, cases(), folds=2, folder=tmp_path).failures) == 0


def test_a_folder_needs_a_seed(tmp_path):
    with pytest.raises(RocInputError, match="rng must be a seed where a folder is given, got None"):
        compare_algorithms(LEARNERS, DATA, folds=2, rng=None, folder=tmp_path)
    with pytest.raises(RocInputError, match="progress must be a function of two numbers, got 3"):
        compare_algorithms(LEARNERS, DATA, folds=2, progress=3, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_bar_shows_the_trainings(capsys):
    compare_algorithms({"a": GaussianNB(), "b": GaussianNB()}, cases(n=40), folds=2, progress=True)
    assert capsys.readouterr().out == ""
