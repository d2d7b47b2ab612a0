"""How the bootstrap of one data set is called on a sample: its one feature is the rank of the score."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

import rocscope as rs
from invariances.calls_average import ranks
from invariances.sample import Figures, Sample


class Ranked(ClassifierMixin, BaseEstimator):
    """The class of the higher median is decided from the middle of both medians on."""

    def fit(self, X: Any, y: Any) -> Self:
        self.classes_ = np.unique(y)
        first, second = (float(np.median(X[y == name])) for name in self.classes_.tolist())
        self.middle_, self.sign_ = (first + second) / 2, float(np.sign(second - first))
        return self

    def decision_function(self, X: Any) -> Any:
        return self.sign_ * X[:, 0]

    def predict(self, X: Any) -> Any:
        high = X[:, 0] >= self.middle_
        return self.classes_[(high if self.sign_ >= 0 else ~high).astype(int)]


def estimates(sample: Sample) -> Figures:
    found = rs.bootstrap_auc(
        Ranked(),
        ranks(sample.scores[0])[:, np.newaxis].astype(np.float64),
        sample.y,
        n_boot=6,
        cv=2,
        leave_one_out=False,
        rng=1,
        **sample.options,
    )
    drawn = {name: getattr(found, name).value for name in DRAWN_AREAS}
    errors = {f"error {name}": getattr(found.error, name).value for name in DRAWN_ERRORS}
    kept = {"apparent": found.apparent.value, "apparent error": found.error.apparent.value}
    more = {"se": found.leave_pair_out.se, "redrawn": found.redrawn, "replicates": found.replicates}
    return kept | {"gamma": found.error.gamma} | drawn | errors | more


DRAWN_AREAS = ("star", "leave_pair_out", "point632", "point632plus", "kfold")
DRAWN_ERRORS = ("left_out", "point632", "point632plus", "kfold")
DRAWN = (*DRAWN_AREAS, *(f"error {name}" for name in DRAWN_ERRORS), "se", "redrawn", "replicates")


def learning(sample: Sample) -> Figures:
    found = rs.learning_curve(
        Ranked(),
        ranks(sample.scores[0])[:, np.newaxis].astype(np.float64),
        sample.y,
        sizes=[12, 20],
        n_boot=3,
        rng=1,
        **sample.options,
    )
    return {name: getattr(found, name) for name in ("sizes", "values", "mc_error", "cases", "defined")}
