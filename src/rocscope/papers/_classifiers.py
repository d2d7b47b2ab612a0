"""Classifiers behind scikit-learn's interface: tuned nearest neighbours, a tree pruned as by C4.5, Ripper."""

from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, gammaln
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocscope.core.resampling import as_generator, stratified_folds

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


# ---- Ripper, with posteriors from the coverage of its rules -----------------------------------------------
# References
# ----------
# .. [1] W. W. Cohen, "Fast effective rule induction", ICML 1995.
# .. [2] J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter 5: bits of exceptions.

# A condition: the number of a cut, and whether values lie above it. A rule: conditions that all hold.
Condition: TypeAlias = tuple[int, bool]
Rule: TypeAlias = tuple[Condition, ...]
Flags: TypeAlias = NDArray[np.bool_]
# A rule set grows until its description is this many bits longer than the shortest so far ([1] section 3.2).
EXTRA_BITS = 64.0
# One case in so many prunes, the others grow.
PRUNING = 3


class Ripper(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Rules for the rarer of two classes, grown, pruned and optimised by Cohen's Ripper [1]_.

    Every feature is cut at up to `n_cuts` places and a condition says on which side a value lies; Cohen's
    Ripper tries all places. A case gets the Laplace estimate of the first rule that covers it, taken from the
    training cases that come as far as that rule; or of those that no rule covers.

    Parameters
    ----------
    optimisations
        Optimisation steps.
    n_cuts
        Most cuts of a feature: half-way between its values, or at quantiles where it has more.
    random_state
        Which cases grow rules and which prune them.

    Examples
    --------
    >>> X, y = np.arange(40.0).reshape(-1, 1), np.repeat([0, 1], [25, 15])
    >>> model = Ripper(random_state=0).fit(X, y)
    >>> model.predict([[3.0], [37.0]]).tolist()
    [0, 1]
    """

    def __init__(self, *, optimisations: int = 2, n_cuts: int = 9, random_state: int | None = None) -> None:
        self.optimisations = optimisations
        self.n_cuts = n_cuts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rules, and what they are worth on the training cases."""
        X, y = np.asarray(X, dtype=np.float64), np.asarray(y)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.rarer_ = int(counts.argmin())
        rarer = y == self.classes_[self.rarer_]
        self.cuts_ = find_cuts(X, self.n_cuts)
        sides = self._sides(X)
        self.rules_ = learn_rules(sides, rarer, self.optimisations, self.random_state)
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


def learn_rules(sides: Flags, rarer: Flags, optimisations: int, random_state: int | None) -> tuple[Rule, ...]:
    """Rules for the rarer class: a first rule set, optimised so many times ([1] section 3)."""
    learner = RuleLearner(sides, rarer, np.random.default_rng(random_state))
    rules = learner.extend([])
    for _ in range(optimisations):
        for k in range(len(rules)):
            rules[k] = learner.best_variant(rules, k)
        rules = learner.shortest(learner.extend(rules))
    return tuple(rules)


class RuleLearner:
    """The training cases of a rule set: on which side of every cut each lies, and which are of the class.

    Parameters
    ----------
    sides
        Whether a case lies above a cut, shape (cases, cuts).
    positive
        Cases of the class that rules are for.
    rng
        Which cases grow and which prune.
    """

    def __init__(self, sides: Flags, positive: Flags, rng: np.random.Generator) -> None:
        self.sides, self.positive, self.rng = sides, positive, rng
        self.above = sides.astype(np.float32)  # whole numbers add up faster than truth values
        self.known: dict[Rule, Flags] = {(): np.ones(len(positive), dtype=np.bool_)}

    def covered(self, rule: Rule) -> Flags:
        """Cases for which all conditions hold."""
        if rule not in self.known:
            cut, above = rule[-1]
            self.known[rule] = self.covered(rule[:-1]) & (self.sides[:, cut] == above)
        return self.known[rule]

    def extend(self, rules: list[Rule]) -> list[Rule]:
        """Add rules for what is not covered yet until the description is too long, or a rule is too poor."""
        rules, left = list(rules), np.ones(len(self.positive), dtype=np.bool_)
        for rule in rules:
            left &= ~self.covered(rule)
        shortest = self.bits(rules)
        while (left & self.positive).any():
            grow, prune = self.split(left)
            rule = self.pruned(self.grown((), grow), prune)
            covered = self.covered(rule)
            right, wrong = (int((covered & prune & one).sum()) for one in (self.positive, ~self.positive))
            # [1]: stop at a rule whose error on the pruning cases is more than a half.
            if not rule or wrong > right or not (covered & left & self.positive).any():
                break
            rules.append(rule)
            bits = self.bits(rules)
            if bits > shortest + EXTRA_BITS:
                return self.shortest(rules)
            shortest, left = min(shortest, bits), left & ~covered
        return self.shortest(rules)

    def split(self, among: Flags) -> tuple[Flags, Flags]:
        """Cases that grow and cases that prune, a third of each class."""
        prune = np.zeros(len(among), dtype=np.bool_)
        for part in (among & self.positive, among & ~self.positive):
            rows = self.rng.permutation(np.flatnonzero(part))
            prune[rows[: len(rows) // PRUNING]] = True
        return among & ~prune, prune

    def grown(self, rule: Rule, cases: Flags) -> Rule:
        """Add the condition of the largest information gain, until no negative is covered or none gains."""
        left = cases & self.covered(rule)
        while (left & ~self.positive).any():
            p, n = (int((left & one).sum()) for one in (self.positive, ~self.positive))
            if not p:
                break
            # Positives and negatives above each cut, then below it.
            above = [
                self.above[left & one].sum(axis=0).astype(np.float64)
                for one in (self.positive, ~self.positive)
            ]
            p_new, n_new = (np.stack([a, total - a]) for a, total in zip(above, (p, n), strict=True))
            share = np.divide(p_new, p_new + n_new, out=np.zeros_like(p_new), where=p_new > 0)
            gain = p_new * (np.log2(share, out=np.zeros_like(share), where=p_new > 0) - np.log2(p / (p + n)))
            side, cut = divmod(int(gain.argmax()), gain.shape[1])
            if gain[side, cut] <= 0:
                break
            rule = (*rule, (cut, side == 0))
            left = left & (self.sides[:, cut] == (side == 0))
        return rule

    def pruned(self, rule: Rule, cases: Flags, others: Flags | None = None) -> Rule:
        """Drop the last conditions to the best value on the pruning cases; the shortest of equals.

        The value is (p - n) / (p + n) of the rule alone, or, with the cases that other rules cover, minus the
        errors of all rules together.
        """
        lengths = range(len(rule) + 1) if others is not None else range(1, len(rule) + 1)
        values = []
        for length in lengths:
            covered = self.covered(rule[:length]) if length else np.zeros(len(cases), dtype=np.bool_)
            if others is not None:
                values.append(-float(((covered | others) != self.positive)[cases].sum()))
                continue
            p, n = (int((covered & cases & one).sum()) for one in (self.positive, ~self.positive))
            values.append((p - n) / (p + n) if p + n else 0.0)
        return rule[: lengths[int(np.argmax(values))]] if values else ()

    def best_variant(self, rules: list[Rule], k: int) -> Rule:
        """The rule, one grown anew in its place or one grown from it, by the shortest description of all."""
        others, earlier = (
            np.zeros(len(self.positive), dtype=np.bool_),
            np.zeros(len(self.positive), dtype=np.bool_),
        )
        for at, rule in enumerate(rules):
            others |= self.covered(rule) if at != k else False
            earlier |= self.covered(rule) if at < k else False
        grow, prune = self.split(~earlier)
        variants = [rules[k]]
        variants += [self.pruned(self.grown(start, grow), prune, others) for start in ((), rules[k])]
        return min(
            (rule for rule in variants if rule),
            key=lambda rule: self.bits([*rules[:k], rule, *rules[k + 1 :]]),
        )

    def shortest(self, rules: list[Rule]) -> list[Rule]:
        """Without the rules, from the last on, whose absence makes the description shorter."""
        kept = list(rules)
        for k in range(len(kept) - 1, -1, -1):
            without = kept[:k] + kept[k + 1 :]
            if self.bits(without) < self.bits(kept):
                kept = without
        return kept

    def bits(self, rules: list[Rule]) -> float:
        """Length of the description: of the rules, and of the cases that they classify wrongly."""
        covered = np.zeros(len(self.positive), dtype=np.bool_)
        for rule in rules:
            covered |= self.covered(rule)
        wrong = covered != self.positive
        among = [(int(part.sum()), int((part & wrong).sum())) for part in (covered, ~covered)]
        theory = sum(rule_bits(len(rule), 2 * self.sides.shape[1]) for rule in rules)
        return theory + sum(log_choose(n, k) for n, k in among)  # [2]


def rule_bits(n_conditions: int, n_possible: int) -> float:
    """Bits of a rule of so many conditions out of all possible ones, half of them as they overlap [1]_.

    Examples
    --------
    >>> round(rule_bits(2, 20), 3)  # half of log2(2) and of 2 log2(10) + 18 log2(10 / 9)
    5.19
    """
    share = n_conditions / n_possible
    others = 0.0 if share == 1 else (n_possible - n_conditions) * np.log2(1 / (1 - share))
    return float((np.log2(n_conditions) + n_conditions * np.log2(1 / share) + others) / 2)


def log_choose(n: int, k: int) -> float:
    """Bits that say which k of n.

    Examples
    --------
    >>> round(log_choose(4, 2), 4)  # log2(6)
    2.585
    """
    return float((gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)) / np.log(2))
