"""A decision tree pruned as C4.5 prunes: by pessimistic errors.

References
----------
.. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter 4.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

# A leaf may have this many pessimistic errors more than the subtree it stands for, as in C4.5's release 8.
SLACK = 0.1


class PrunedTree(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """An entropy tree of scikit-learn with the error-based pruning of C4.5 [1]_.

    Other than C4.5 it splits in two by information gain (not its ratio, and never into one branch for each
    value), and it does not raise subtrees. Posteriors are the shares of the classes in a leaf.

    Parameters
    ----------
    confidence
        C4.5's certainty factor: smaller prunes more.
    min_leaf
        Fewest training cases of a leaf.
    random_state
        Order in which equally good splits are tried.

    Examples
    --------
    >>> X, y = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], 20)
    >>> tree = PrunedTree(random_state=0).fit(X, y)
    >>> tree.predict_proba([[3.0], [33.0]]).tolist(), tree.n_leaves_
    ([[1.0, 0.0], [0.0, 1.0]], 2)
    """

    def __init__(
        self, *, confidence: float = 0.25, min_leaf: int = 2, random_state: int | None = None
    ) -> None:
        self.confidence = confidence
        self.min_leaf = min_leaf
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the tree, then prune it."""
        self.grown_ = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=self.min_leaf, random_state=self.random_state
        ).fit(X, y)
        self.classes_ = self.grown_.classes_
        self.ends_ = pruned_ends(self.grown_.tree_, self.confidence)
        return self

    @property
    def n_leaves_(self) -> int:
        """Leaves of the pruned tree."""
        leaves = self.grown_.tree_.children_left == -1
        return len(np.unique(self.ends_[leaves]))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Shares of the classes in the leaf of each case."""
        shares: NDArray[np.float64] = self.grown_.tree_.value[self.ends_[self.grown_.apply(X)], 0]
        return shares

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest share."""
        called: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return called


def pessimistic_errors(
    errors: NDArray[np.float64], cases: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """Errors that a leaf is charged with: the upper binomial limit of its error rate, times its cases.

    Examples
    --------
    >>> float(pessimistic_errors(np.array([0.0]), np.array([6.0]), 0.25).round(3)[0])
    1.238
    """
    all_wrong = errors >= cases
    limit = betaincinv(errors + 1, np.where(all_wrong, 1.0, cases - errors), 1 - confidence)
    return np.asarray(cases * np.where(all_wrong, 1.0, limit))


def pruned_ends(tree: Any, confidence: float) -> NDArray[np.intp]:
    """For each node, the node where a case that reaches it ends: itself, or a cut one above."""
    cases = tree.n_node_samples.astype(np.float64)
    wrong = np.rint(cases * (1 - tree.value[:, 0].max(axis=1)))
    charged = pessimistic_errors(wrong, cases, confidence)
    below = charged.copy()
    is_end = tree.children_left == -1
    # Children come after their parents in scikit-learn's order.
    for node in range(tree.node_count - 1, -1, -1):
        if tree.children_left[node] != -1:
            subtree = below[tree.children_left[node]] + below[tree.children_right[node]]
            is_end[node] = charged[node] <= subtree + SLACK
            below[node] = charged[node] if is_end[node] else subtree
    ends = np.arange(tree.node_count)
    for node in range(tree.node_count):
        for child in (tree.children_left[node], tree.children_right[node]):
            if child != -1 and is_end[ends[node]]:
                ends[child] = ends[node]
    return ends
