"""The papers' learners: each against a literal twin, or against what is printed."""

import math

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from rocscope.papers import _classifiers
from rocscope.papers._classifiers import (
    SLACK,
    PrunedTree,
    Ripper,
    TunedNeighbours,
    find_cuts,
    pessimistic_errors,
)
from rocscope.papers.learners import DIFFERENCES, linear_svm, one_hot, paper_learners, small_mlp
from rocscope.training.fitting import collected_warnings


def noisy(n=300, seed=0, features=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, features))
    y = (X[:, 0] + rng.normal(size=n) > 0.3).astype(int)
    return X, y


# ---- C4.5 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("errors", "cases", "printed", "tolerance"),
    # Quinlan, C4.5 (1993), p. 41: U25%(E, N); his program interpolates the last.
    [(0, 6, 0.206, 5e-4), (0, 9, 0.143, 5e-4), (0, 1, 0.750, 5e-4), (1, 16, 0.157, 3e-3)],
)
def test_pessimistic_errors_are_quinlans(errors, cases, printed, tolerance):
    found = pessimistic_errors(np.array([float(errors)]), np.array([float(cases)]), 0.25)[0] / cases
    assert found == pytest.approx(printed, abs=tolerance)


def test_a_leaf_that_is_all_wrong_is_charged_with_all_its_cases():
    assert pessimistic_errors(np.array([3.0]), np.array([3.0]), 0.25).tolist() == [3.0]


def pruned_by_recursion(tree, node, confidence):
    """Literal twin: charge of the pruned subtree, and its leaves with the class shares."""
    cases = float(tree.n_node_samples[node])
    wrong = round(cases * (1 - tree.value[node, 0].max()))
    charge = pessimistic_errors(np.array([float(wrong)]), np.array([cases]), confidence)[0]
    if tree.children_left[node] == -1:
        return charge, {"share": tree.value[node, 0]}
    sides = [
        pruned_by_recursion(tree, child[node], confidence)
        for child in (tree.children_left, tree.children_right)
    ]
    if charge <= sides[0][0] + sides[1][0] + SLACK:
        return charge, {"share": tree.value[node, 0]}
    split = {"feature": tree.feature[node], "at": tree.threshold[node], "sides": [sides[0][1], sides[1][1]]}
    return sides[0][0] + sides[1][0], split


def share_by_walk(split, x):
    while "share" not in split:
        split = split["sides"][0 if np.float32(x[split["feature"]]) <= split["at"] else 1]
    return split["share"]


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.9])
def test_pruning_is_that_of_a_literal_recursion(confidence):
    X, y = noisy()
    model = PrunedTree(confidence=confidence, random_state=1).fit(X, y)
    _, twin = pruned_by_recursion(model.grown_.tree_, 0, confidence)
    new = np.random.default_rng(2).normal(size=(200, 4))
    assert np.array_equal(model.predict_proba(new), [share_by_walk(twin, x) for x in new])


def test_more_certainty_prunes_more():
    X, y = noisy()
    leaves = [PrunedTree(confidence=c, random_state=1).fit(X, y).n_leaves_ for c in (0.01, 0.25, 0.99)]
    assert leaves == sorted(leaves)
    assert leaves[0] < leaves[-1]


# ---- k-NN -------------------------------------------------------------------------------------------------


def test_neighbours_are_those_of_the_best_choice_on_the_validation_cases():
    X, y = noisy(seed=3)
    fit, val, test = X[:150], X[150:220], X[220:]
    scale = StandardScaler().fit(fit)
    errors = {}
    for k in (1, 3, 5, 7, 11, 21):
        one = KNeighborsClassifier(k).fit(scale.transform(fit), y[:150])
        errors[k] = np.mean(one.predict(scale.transform(val)) != y[150:220])
    best = min(errors, key=lambda k: (errors[k], k))
    model = TunedNeighbours().fit(fit, y[:150], X_val=val, y_val=y[150:220])
    twin = KNeighborsClassifier(best).fit(scale.transform(fit), y[:150])
    assert model.k_ == best
    assert len(set(errors.values())) > 1
    np.testing.assert_allclose(
        model.predict_proba(test), twin.predict_proba(scale.transform(test)), atol=1e-12
    )
    assert np.array_equal(model.predict(test), twin.predict(scale.transform(test)))


def test_without_validation_cases_all_training_cases_are_neighbours():
    X, y = noisy(seed=4)
    model = TunedNeighbours(choices=(1,), random_state=0).fit(X, y)
    assert np.array_equal(model.predict(X), y)


def test_neighbours_take_text_labels_and_fewer_cases_than_choices():
    X, y = np.arange(20.0).reshape(-1, 1), np.repeat(["no", "yes"], 10)
    model = TunedNeighbours(random_state=0).fit(X, y)
    assert model.predict([[0.0], [19.0]]).tolist() == ["no", "yes"]


# ---- Ripper -----------------------------------------------------------------------------------------------


def covered_by(rule, cuts, x):
    return all((x[int(cuts[cut][0])] > cuts[cut][1]) == above for cut, above in rule)


def test_posteriors_are_laplace_estimates_of_the_first_rule():
    X, y = noisy(seed=5)
    model = Ripper(random_state=1).fit(X, y)
    assert model.rules_

    def first(x):
        return next((k for k, rule in enumerate(model.rules_) if covered_by(rule, model.cuts_, x)), -1)

    rarer = int(np.bincount(y).argmin())
    reached = [first(x) for x in X]
    for x, found in zip(X[:50], model.predict_proba(X[:50])[:, rarer], strict=True):
        same = [y[i] == rarer for i, k in enumerate(reached) if k == first(x)]
        assert found == pytest.approx((sum(same) + 1) / (len(same) + 2), abs=1e-15)


def test_rules_find_a_box():
    X = np.random.default_rng(6).integers(10, size=(400, 3)).astype(float)  # all its places are cuts
    y = np.where((X[:, 0] > 5) & (X[:, 1] > 3), "in", "out")
    model = Ripper(random_state=1).fit(X, y)
    assert np.mean(model.predict(X) == y) > 0.99
    assert model.classes_[model.rarer_] == "in"


def test_the_same_seed_gives_the_same_rules():
    X, y = noisy(seed=7, n=150)
    first, second = (Ripper(random_state=3).fit(X, y).rules_ for _ in range(2))
    assert first == second


def test_cuts_leave_something_on_both_sides():
    X = np.column_stack([np.arange(100.0), np.repeat([0.0, 9.0], [95, 5]), np.zeros(100)])
    cuts = find_cuts(X, 9)
    assert sorted(set(cuts[:, 0])) == [0, 1]
    for feature, place in cuts:
        above = X[:, int(feature)] > place
        assert above.any()
        assert not above.all()


def learner_of(seed, n=60, cuts=5):
    """Cases with tied sides; a cut, or two of them, carry the class."""
    rng = np.random.default_rng(seed)
    sides = rng.random((n, cuts)) < 0.5
    positive = (sides[:, 0] & sides[:, 1]) ^ (rng.random(n) < 0.15)
    return _classifiers.RuleLearner(sides, positive, np.random.default_rng(seed))


def matches(rule, row):
    return all(row[cut] == above for cut, above in rule)


def grown_slowly(learner, rule, cases):
    """Information gain of every condition, one case after the other."""
    while True:
        left = [k for k in np.flatnonzero(cases) if matches(rule, learner.sides[k])]
        p, n = (sum(bool(learner.positive[k]) == one for k in left) for one in (True, False))
        best, gained = None, 0.0
        for above in (True, False):
            for cut in range(learner.sides.shape[1]):
                kept = [k for k in left if learner.sides[k, cut] == above]
                p_new = sum(bool(learner.positive[k]) for k in kept)
                if not p_new or not p or not n:
                    continue
                gain = p_new * (math.log2(p_new / len(kept)) - math.log2(p / (p + n)))
                if gain > gained + 1e-12:
                    best, gained = (cut, above), gain
        if best is None:
            return rule
        rule = (*rule, best)


@pytest.mark.parametrize("seed", range(8))
def test_growing_and_pruning_case_by_case(seed):
    learner = learner_of(seed)
    cases, prune = learner.split(np.ones(60, dtype=bool))
    assert not (cases & prune).any()
    assert (cases | prune).all()
    assert prune.sum() == sum(int(part.sum()) // 3 for part in (learner.positive, ~learner.positive))
    rule = learner.grown((), cases)
    assert rule == grown_slowly(learner, (), cases)
    values = []
    for length in range(1, len(rule) + 1):
        rows = [k for k in np.flatnonzero(prune) if matches(rule[:length], learner.sides[k])]
        right = sum(bool(learner.positive[k]) for k in rows)
        values.append((2 * right - len(rows)) / len(rows) if rows else 0.0)
    assert learner.pruned(rule, prune) == (rule[: values.index(max(values)) + 1] if values else ())
    others = learner.covered(((2, True),))
    errors = [
        sum(
            bool((length and matches(rule[:length], learner.sides[k])) or others[k])
            != bool(learner.positive[k])
            for k in np.flatnonzero(prune)
        )
        for length in range(len(rule) + 1)
    ]
    assert learner.pruned(rule, prune, others) == rule[: errors.index(min(errors))]


@pytest.mark.parametrize("seed", range(4))
def test_bits_of_a_rule_set_written_out(seed):
    learner = learner_of(seed)
    rules = [((0, True), (1, True)), ((2, False),)]
    covered = [any(matches(rule, row) for rule in rules) for row in learner.sides]
    wrong = [c != p for c, p in zip(covered, learner.positive, strict=True)]
    exceptions = [
        math.log2(
            math.comb(covered.count(side), sum(w for w, c in zip(wrong, covered, strict=True) if c == side))
        )
        for side in (True, False)
    ]
    theory = [
        (math.log2(k) + k * math.log2(10 / k) + (10 - k) * math.log2(10 / (10 - k))) / 2 for k in (2, 1)
    ]
    assert learner.bits(rules) == pytest.approx(sum(exceptions) + sum(theory), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_optimised_rules_describe_the_cases_in_fewer_bits(seed):
    learner = learner_of(seed, n=200, cuts=12)
    rules = learner.extend([])
    again = [learner.best_variant(rules, k) for k in range(len(rules))]
    assert learner.bits([again[0], *rules[1:]]) <= learner.bits(rules)
    kept = learner.shortest(rules)
    assert learner.bits(kept) <= learner.bits(rules)
    assert learner.bits(kept) < learner.bits([])


@pytest.mark.slow
def test_rules_are_as_good_as_those_of_wittgenstein():
    wittgenstein, pd = pytest.importorskip("wittgenstein"), pytest.importorskip("pandas")
    errors = []
    for seed in range(5):
        X, y = noisy(n=600, seed=20 + seed)
        model = Ripper(random_state=seed).fit(X[:300], y[:300])
        theirs = wittgenstein.RIPPER(random_state=seed)
        theirs.fit(pd.DataFrame(X[:300]), y[:300], pos_class=1)
        wrong = [np.mean(m.predict(X[300:]) != y[300:]) for m in (model,)]
        wrong.append(np.mean(np.array(theirs.predict(pd.DataFrame(X[300:]))).astype(int) != y[300:]))
        errors.append(wrong)
    ours, theirs = np.mean(errors, axis=0)
    assert ours < theirs + 0.02


# ---- All of them ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(DIFFERENCES))
def test_every_learner_learns_behind_one_interface(name):
    X, y = noisy(n=400, seed=8)
    model = clone(paper_learners()[name])
    if "random_state" in model.get_params():
        model.set_params(random_state=1)
    posterior = model.fit(X[:300], y[:300]).predict_proba(X[300:])
    assert posterior.shape == (100, 2)
    np.testing.assert_allclose(posterior.sum(axis=1), 1)
    assert np.mean(model.predict(X[300:]) == y[300:]) > 0.6
    assert np.array_equal(model.classes_, [0, 1])


def test_learners_and_their_differences_have_the_same_names():
    assert list(paper_learners()) == list(DIFFERENCES)


def test_the_support_vector_machine_takes_svmlights_constant():
    X, _ = noisy()
    assert pytest.approx(1 / np.mean([row @ row for row in X]), rel=1e-12) == linear_svm(X).C


@pytest.mark.parametrize("gradient", ["mean", "sum"])
@pytest.mark.parametrize("activation", ["logistic", "tanh"])
def test_the_perceptron_is_trained_by_plain_back_propagation(gradient, activation):
    """Three epochs by hand from the same start; cross-entropy, a logistic output."""
    X, y = noisy(n=60, seed=9)
    request = {"gradient": gradient, "activation": activation, "state": 5}
    start = small_mlp(60, epochs=1, **request).set_params(learning_rate_init=1e-300)
    model = small_mlp(60, epochs=3, **request)
    with collected_warnings():
        start.fit(X, y)
        model.fit(X, y)
    (w1, w2), (b1, b2) = ([np.array(a) for a in group] for group in (start.coefs_, start.intercepts_))
    assert w1.shape == (4, 5)
    rate = 0.01 if gradient == "sum" else 0.01 / 60
    for _ in range(3):
        raw = X @ w1 + b1
        hidden = np.tanh(raw) if activation == "tanh" else 1 / (1 + np.exp(-raw))
        output = 1 / (1 + np.exp(-(hidden @ w2 + b2)))
        delta = output - y[:, None]
        slope = 1 - hidden**2 if activation == "tanh" else hidden * (1 - hidden)
        inner = (delta @ w2.T) * slope
        w2, b2 = w2 - rate * hidden.T @ delta, b2 - rate * delta.sum(axis=0)
        w1, b1 = w1 - rate * X.T @ inner, b1 - rate * inner.sum(axis=0)
    np.testing.assert_allclose(model.coefs_[0], w1, rtol=1e-9)
    np.testing.assert_allclose(model.coefs_[1], w2, rtol=1e-9)
    assert model.n_iter_ == 3


def test_text_becomes_a_column_for_each_value():
    X = np.array([[5.0, 0, 1], [6.0, 1, 0], [np.nan, 2, 0]])
    coded = one_hot(X, np.array([False, True, True]))
    assert coded.tolist() == [[5, 1, 0, 0, 1], [6, 0, 1, 0, 0], [5.5, 0, 0, 1, 0]]


def test_a_number_that_is_always_missing_becomes_a_constant():
    assert one_hot(np.full((3, 1), np.nan), np.array([False])).tolist() == [[0.0], [0.0], [0.0]]
