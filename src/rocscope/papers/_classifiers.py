"""Classifiers behind scikit-learn's interface: tuned nearest neighbours, a tree pruned as by C4.5, Ripper."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocscope.core.resampling import as_generator, stratified_folds
from rocscope.errors import require

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
        Which training cases choose, where there are no validation cases: one in ten, of each class, is
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
        validation = np.zeros(len(y), dtype=bool)
        if X_val is None:
            parts = stratified_folds(y == self.classes_[-1], SET_ASIDE, as_generator(self.random_state))
            validation = parts == 0
            X_val, y_val = X[validation], y[validation]
        self._remember(X[~validation], y[~validation])
        positive = self._shares(X_val, self.choices) > 0.5
        errors = (positive != (np.asarray(y_val) == self.classes_[-1])[:, None]).mean(axis=0)
        self.k_ = int(self.choices[int(errors.argmin())])
        return self._remember(X, y) if validation.any() else self

    def _remember(self, X: NDArray[np.float64], y: NDArray[Any]) -> Self:
        self.scaler_ = StandardScaler().fit(X)
        self.nearest_ = NearestNeighbors().fit(self.scaler_.transform(X))
        self.votes_ = (y == self.classes_[-1]).astype(np.float64)
        return self

    def _shares(self, X: Any, numbers: tuple[int, ...]) -> NDArray[np.float64]:
        """Share of the second class among the nearest cases, a column for each number of them."""
        most = min(max(numbers), len(self.votes_))
        scaled = self.scaler_.transform(np.asarray(X, dtype=np.float64))
        neighbours = self.nearest_.kneighbors(scaled, most, return_distance=False)
        sums = np.cumsum(self.votes_[neighbours], axis=1)
        at = [min(k, most) for k in numbers]
        return np.asarray(np.column_stack([sums[:, k - 1] / k for k in at]))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Shares of the two classes among the k nearest cases."""
        share = self._shares(X, (self.k_,))[:, 0]
        return np.column_stack([1 - share, share])

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of most neighbours; an even vote goes to the first class."""
        predicted: NDArray[Any] = self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]
        return predicted


# ---- A decision tree pruned as C4.5 prunes: by pessimistic errors -----------------------------------------
# References
# ----------
# .. [1] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter 4.

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
        predicted: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return predicted


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


# ---- Ripper behind scikit-learn's interface, with posteriors from the coverage of its rules ---------------
# References
# ----------
# .. [1] W. W. Cohen, "Fast effective rule induction", ICML 1995.

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
        rarer = y == self.classes_[self.rarer_]
        self.cuts_ = find_cuts(X, self.n_cuts)
        sides = self._sides(X)
        rows = np.arange(len(y))
        if len(y) > self.max_cases:  # each class has its share
            rng, share = np.random.default_rng(self.random_state), self.max_cases / len(y)
            of_each = (np.flatnonzero(rarer), np.flatnonzero(~rarer))
            drawn = [rng.permutation(part)[: max(1, round(share * len(part)))] for part in of_each]
            rows = np.sort(np.concatenate(drawn))
        self.rules_ = learn_rules(sides[rows], rarer[rows], self.optimisations, self.random_state)
        rule, n_rules = self._first_rule(sides), len(self.rules_) + 1
        hits = np.bincount(rule[rarer], minlength=n_rules)
        self.posteriors_ = (hits + 1) / (np.bincount(rule, minlength=n_rules) + 2)
        return self

    def _sides(self, X: Any) -> NDArray[np.bool_]:
        X = np.asarray(X, dtype=np.float64)
        return np.asarray(X[:, self.cuts_[:, 0].astype(int)] > self.cuts_[:, 1])

    def _first_rule(self, sides: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Number of the first rule that covers each case; one more than there are where none does."""
        first = np.full(len(sides), len(self.rules_))
        for number in range(len(self.rules_) - 1, -1, -1):
            covered = np.ones(len(sides), dtype=np.bool_)
            for cut, above in self.rules_[number]:
                covered &= sides[:, cut] == above
            first[covered] = number
        return first

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Posteriors of the two classes."""
        rarer = self.posteriors_[self._first_rule(self._sides(X))]
        columns = [1 - rarer, rarer] if self.rarer_ == 1 else [rarer, 1 - rarer]
        return np.column_stack(columns)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the larger posterior."""
        predicted: NDArray[Any] = self.classes_[self.predict_proba(X).argmax(axis=1)]
        return predicted


def find_cuts(X: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Rows (feature, place): half-way between neighbouring values, at quantiles where there are too many.

    Examples
    --------
    >>> find_cuts(np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0]]), 9).tolist()
    [[0.0, 0.5], [0.0, 1.5]]
    """
    cuts: list[tuple[int, float]] = []
    for feature, column in enumerate(X.T):
        values = np.unique(column)
        places = (values[1:] + values[:-1]) / 2
        if len(values) > most + 1:
            # Of the largest value nothing lies above.
            shares = np.arange(1, most + 1) / (most + 1)
            places = np.setdiff1d(np.quantile(column, shares, method="inverted_cdf"), values[-1:])
        cuts += [(feature, place) for place in places.tolist()]
    return np.array(cuts, dtype=np.float64).reshape(-1, 2)


def learn_rules(
    sides: NDArray[np.bool_], rarer: NDArray[np.bool_], optimisations: int, random_state: int | None
) -> tuple[tuple[Condition, ...], ...]:
    """Rules for the rarer class, each a list of conditions."""
    pd, ripper = require("pandas", "Ripper"), require("wittgenstein", "Ripper").RIPPER
    frame = pd.DataFrame(sides.astype(np.int64), columns=[f"c{k}" for k in range(sides.shape[1])])
    learner = ripper(k=optimisations, n_discretize_bins=None, random_state=random_state)
    learner.fit(frame, rarer.astype(np.int64), pos_class=1)
    return tuple(
        tuple((int(one.feature[1:]), bool(one.val)) for one in rule.conds) for rule in learner.ruleset_.rules
    )
