"""Learners that fail in one way each; in a file of their own, for worker processes to import."""

import os
import signal
import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB


def cases(seed=5, n=120):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 3)) + y[:, None], np.array(["no", "yes"])[y]


class Failing(GaussianNB):
    """Fails on some training sets, known by their first value."""

    def fit(self, X, y):
        if X[0, 0] > 0:
            raise ValueError("will not learn this")
        return super().fit(X, y)


class NoNumbers(GaussianNB):
    def predict_proba(self, X):
        return np.full((len(X), 2), np.nan)


class HardLabels(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Leaving(GaussianNB):
    def fit(self, X, y):
        raise SystemExit(3)


class Hanging(GaussianNB):
    """Does not come back from a training set without the first case of all."""

    def fit(self, X, y):
        if X[0, 0] != cases()[0][0, 0]:
            time.sleep(600)
        return super().fit(X, y)


class Deadly(GaussianNB):
    """Kills the process it is trained in."""

    def fit(self, X, y):
        os.kill(os.getpid(), signal.SIGKILL)


class Moody(GaussianNB):
    """Fails with a message of its own on every training set."""

    def fit(self, X, y):
        raise ValueError(f"no luck with {X[0, 0]:.6f}\nand much more to say")


class Decided(ClassifierMixin, BaseEstimator):
    """A linear score in a decision function of one shape or another."""

    def __init__(self, kind="flat"):
        self.kind = kind

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(X.sum(axis=1) > 1.5).astype(int)]

    def decision_function(self, X):
        score = X.sum(axis=1) - 1.5
        return {
            "flat": score,
            "column": score[:, None],
            "two columns": np.stack([-score, score], axis=1),
            "three columns": np.stack([score] * 3, axis=1),
            "too short": score[1:],
            "text": np.full(len(score), "yes"),
        }[self.kind]


class Labelled(GaussianNB):
    """Decides by labels of one kind or another."""

    def __init__(self, kind="column"):
        super().__init__()
        self.kind = kind

    def predict(self, X):
        labels = super().predict(X)
        return {
            "column": labels[:, None],
            "codes": (labels == "yes").astype(int) * 0,
            "missing": np.full(len(labels), np.nan),
            "table": np.stack([labels, labels], axis=1),
            "short": labels[1:],
        }[self.kind]
