"""Ripper behind scikit-learn's interface, with posteriors from the coverage of its rules.

References
----------
.. [1] W. W. Cohen, "Fast effective rule induction", ICML 1995.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from rocscope.errors import ResourceError

# A condition: the number of a cut, and whether values lie above it.
Condition = tuple[int, bool]


class Ripper(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Rules for the rarer of two classes, learned by the package wittgenstein [1]_.

    That package knows equalities only, so every feature is cut at up to `n_cuts` places and a condition
    says on which side a value lies; Cohen's Ripper tries all places. A case gets the Laplace estimate of
    the first rule that covers it, taken from the training cases that come as far as that rule; or of those
    that no rule covers.

    Parameters
    ----------
    optimisations
        Optimisation steps.
    n_cuts
        Most cuts of a feature: half-way between its values, or at quantiles where it has more.
    max_cases
        Most training cases that rules are learned from, drawn class by class: the time of the package grows
        faster than their number. What the rules are worth is counted on all training cases.
    random_state
        Which cases are drawn, which grow rules and which prune them.

    Examples
    --------
    >>> X, y = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], [25, 15])
    >>> model = Ripper(random_state=0).fit(X, y)
    >>> model.predict([[3.0], [37.0]]).tolist()
    [0, 1]
    """

    def __init__(
        self,
        *,
        optimisations: int = 2,
        n_cuts: int = 9,
        max_cases: int = 2000,
        random_state: int | None = None,
    ) -> None:
        self.optimisations = optimisations
        self.n_cuts = n_cuts
        self.max_cases = max_cases
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rules, and what they are worth on the training cases."""
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.rarer_ = int(counts.argmin())
        wanted = y == self.classes_[self.rarer_]
        self.cuts_ = find_cuts(X, self.n_cuts)
        sides = self._sides(X)
        drawn = _drawn(wanted, self.max_cases, self.random_state)
        self.rules_ = _learn(sides[drawn], wanted[drawn], self.optimisations, self.random_state)
        self.posteriors_ = self._worth(self._first_rule(sides), wanted)
        return self

    def _sides(self, X: Any) -> NDArray[np.bool_]:
        X = np.asarray(X, dtype=np.float64)
        return np.asarray(X[:, self.cuts_[:, 0].astype(int)] > self.cuts_[:, 1])

    def _first_rule(self, sides: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Number of the first rule that covers each case; one more than there are where none does."""
        found = np.full(len(sides), len(self.rules_))
        for number in range(len(self.rules_) - 1, -1, -1):
            covered = np.ones(len(sides), dtype=np.bool_)
            for cut, above in self.rules_[number]:
                covered &= sides[:, cut] == above
            found[covered] = number
        return found

    def _worth(self, rule: NDArray[np.intp], wanted: NDArray[np.bool_]) -> NDArray[np.float64]:
        hits = np.bincount(rule[wanted], minlength=len(self.rules_) + 1)
        all_of_them = np.bincount(rule, minlength=len(self.rules_) + 1)
        return np.asarray((hits + 1) / (all_of_them + 2))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors of the two classes."""
        rarer = self.posteriors_[self._first_rule(self._sides(X))]
        columns = [1 - rarer, rarer] if self.rarer_ == 1 else [rarer, 1 - rarer]
        return np.column_stack(columns)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the larger posterior."""
        called: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return called


def _drawn(wanted: NDArray[np.bool_], most: int, random_state: int | None) -> NDArray[np.intp]:
    """Rows of so many cases, each class with its share; all rows where there are no more."""
    if len(wanted) <= most:
        return np.arange(len(wanted))
    rng, share = np.random.default_rng(random_state), most / len(wanted)
    of_each = (np.flatnonzero(wanted), np.flatnonzero(~wanted))
    drawn = [rng.permutation(rows)[: max(1, round(share * len(rows)))] for rows in of_each]
    return np.sort(np.concatenate(drawn))


def find_cuts(X: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Rows (feature, place): half-way between neighbouring values, at quantiles where there are too many.

    Examples
    --------
    >>> find_cuts(np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]]), 9).tolist()
    [[0.0, 0.5], [0.0, 1.5]]
    """
    cuts = [
        (feature, place) for feature, column in enumerate(X.T) for place in _cuts_of(column, most).tolist()
    ]
    return np.array(cuts, dtype=np.float64).reshape(-1, 2)


def _cuts_of(column: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    values = np.unique(column)
    if len(values) > most + 1:
        # Of the largest value nothing lies above.
        shares = np.arange(1, most + 1) / (most + 1)
        return np.setdiff1d(np.quantile(column, shares, method="inverted_cdf"), values[-1:])
    return np.asarray((values[1:] + values[:-1]) / 2)


def _learn(
    sides: NDArray[np.bool_], wanted: NDArray[np.bool_], optimisations: int, random_state: int | None
) -> tuple[tuple[Condition, ...], ...]:
    try:
        import pandas as pd
        from wittgenstein import RIPPER
    except ImportError as error:
        raise ResourceError("Ripper needs wittgenstein: pip install 'rocscope[studies]'") from error
    frame = pd.DataFrame(sides.astype(np.int64), columns=[f"c{k}" for k in range(sides.shape[1])])
    learner = RIPPER(k=optimisations, n_discretize_bins=None, random_state=random_state)
    learner.fit(frame, wanted.astype(np.int64), pos_class=1)
    return tuple(
        tuple((int(one.feature[1:]), bool(one.val)) for one in rule.conds) for rule in learner.ruleset_.rules
    )
