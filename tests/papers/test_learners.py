"""The papers' learners: each against a literal twin, or against what is printed."""

import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from rocscope.errors import ResourceError
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


def test_rules_of_many_cases_are_learned_from_some_and_judged_on_all(monkeypatch):
    X, y = noisy(seed=8, n=300)
    seen = []
    learn = _classifiers.learn_rules

    def watched(sides, targets, *others):
        seen.append((len(targets), int(targets.sum())))
        return learn(sides, targets, *others)

    monkeypatch.setattr(_classifiers, "learn_rules", watched)
    model = Ripper(max_cases=100, random_state=1).fit(X, y)
    rarer = min(np.bincount(y))
    assert seen == [(100, pytest.approx(rarer * 100 / 300, abs=0.5))]
    assert len(model.posteriors_) == len(model.rules_) + 1
    # Shares of all 300 cases.
    hits = model.posteriors_ * (np.bincount(model._first_rule(model._sides(X))) + 2) - 1
    assert hits.sum() == pytest.approx(rarer)


def test_cuts_leave_something_on_both_sides():
    X = np.column_stack([np.arange(100.0), np.repeat([0.0, 9.0], [95, 5]), np.zeros(100)])
    cuts = find_cuts(X, 9)
    assert sorted(set(cuts[:, 0])) == [0, 1]
    for feature, place in cuts:
        above = X[:, int(feature)] > place
        assert above.any()
        assert not above.all()


def test_without_the_package_ripper_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "wittgenstein", None)
    with pytest.raises(ResourceError) as error:
        Ripper().fit(*noisy(n=20))
    assert str(error.value) == "Ripper needs wittgenstein: pip install 'rocscope[studies]'"


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
