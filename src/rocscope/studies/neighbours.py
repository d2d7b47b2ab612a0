"""Nearest neighbours whose number is chosen by the least error on validation cases."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from rocscope.core.resample import as_generator, stratified_folds

CHOICES = (1, 3, 5, 7, 11, 21)
# Without validation cases, one in so many training cases chooses the number.
SET_ASIDE = 10


class TunedNeighbours(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Two-class k-NN on standardised features, with the k of least validation error (the smallest of equals).

    Parameters
    ----------
    choices
        Numbers of neighbours to choose from.
    random_state
        Which training cases choose, where no validation cases are given: one in ten, of each class, is
        then judged by the others. All training cases are neighbours afterwards.

    Examples
    --------
    >>> X, y = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], 20)
    >>> model = TunedNeighbours(random_state=0).fit(X, y, X_val=[[1.0], [38.0]], y_val=[0, 1])
    >>> model.k_, model.predict([[3.0], [33.0]]).tolist()
    (1, [0, 1])
    """

    def __init__(self, *, choices: tuple[int, ...] = CHOICES, random_state: int | None = None) -> None:
        self.choices = choices
        self.random_state = random_state

    def fit(self, X: Any, y: Any, X_val: Any = None, y_val: Any = None) -> Self:
        """Keep the cases, and choose k."""
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        self.classes_ = np.unique(y)
        if X_val is None:
            dealt = stratified_folds(y == self.classes_[-1], SET_ASIDE, as_generator(self.random_state))
            judge = dealt == 0
            self.k_ = self._remember(X[~judge], y[~judge])._least_error(X[judge], y[judge])
            return self._remember(X, y)
        self.k_ = self._remember(X, y)._least_error(X_val, np.asarray(y_val))
        return self

    def _remember(self, X: NDArray[np.float64], y: NDArray[Any]) -> Self:
        self.scaler_ = StandardScaler().fit(X)
        self.nearest_ = NearestNeighbors().fit(self.scaler_.transform(X))
        self.votes_ = (y == self.classes_[-1]).astype(np.float64)
        return self

    def _shares(self, X: Any, numbers: tuple[int, ...]) -> NDArray[np.float64]:
        """Share of the second class among the nearest cases, a column for each number of them."""
        most = min(max(numbers), len(self.votes_))
        found = self.nearest_.kneighbors(
            self.scaler_.transform(np.asarray(X, dtype=np.float64)), most, return_distance=False
        )
        sums = np.cumsum(self.votes_[found], axis=1)
        at = [min(k, most) for k in numbers]
        return np.asarray(np.column_stack([sums[:, k - 1] / k for k in at]))

    def _least_error(self, X: Any, y: NDArray[Any]) -> int:
        called = self._shares(X, self.choices) > 0.5
        errors = (called != (y == self.classes_[-1])[:, None]).mean(axis=0)
        return int(self.choices[int(errors.argmin())])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Shares of the two classes among the k nearest cases."""
        share = self._shares(X, (self.k_,))[:, 0]
        return np.column_stack([1 - share, share])

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of most neighbours; an even vote goes to the first class."""
        called: NDArray[Any] = self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]
        return called
