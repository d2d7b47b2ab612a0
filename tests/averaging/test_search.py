"""The search for class weights: against one weight vector at a time, and by what it promises."""

from dataclasses import replace

import numpy as np
import pytest

from rocscope import ClassScores, ClassWeights, RocInputError, UndefinedError
from rocscope.averaging import class_weights
from rocscope.averaging.class_weights import weighted_confusion
from rocscope.averaging.search import Bound, Pool, front_weights, read_goal, search_weights, sweep_weights
from rocscope.core.measures import evaluate
from rocscope.core.points import Constraint
from slow import weights as slow


def data(n_classes=3, n=120, seed=1, levels=None):
    """Every class, outputs of unequal scale, often tied where there are few levels."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n - n_classes)])
    scores = rng.random((n, n_classes)) * np.linspace(0.4, 1, n_classes)
    scores[np.arange(n), codes] += 0.3
    return codes, scores if levels is None else np.round(scores * levels) / levels


def keys_of(codes, scores, weights, objective="max-class-error", **options):
    goal = read_goal(objective, classes=range(scores.shape[1]), **options)
    return goal.keys(weighted_confusion(codes, scores, weights)[:, 0]).T.tolist()


def message_of(call, *args, kind=RocInputError, **options):
    with pytest.raises(kind) as error:
        call(*args, **options)
    return str(error.value)


# ---- The search -------------------------------------------------------------------------------------------

LOSSES = {
    "max-class-error": lambda m: float(slow.max_error(m)),
    "error": lambda m: float(slow.error(m)),
    "accuracy": lambda m: -float(1 - slow.error(m)),
    "rate(0,2)": lambda m: float(slow.rate(m, 0, 2)),
    "rate(1, 1)": lambda m: -float(slow.rate(m, 1, 1)),
    "error(2)": lambda m: float(slow.class_errors(m)[2]),
}


@pytest.mark.parametrize("objective", LOSSES)
@pytest.mark.parametrize("levels", [None, 5])
def test_agrees_with_one_weight_vector_at_a_time(objective, levels):
    codes, scores = data(n=40, levels=levels)
    options = {"n_start": 24, "steps": 3, "keep": 6}
    found = search_weights(codes, scores, objective=objective, rng=7, **options)
    expected = slow.search(codes.tolist(), scores.tolist(), 3, LOSSES[objective], seed=7, **options)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_returns_the_best_first_with_sum_one():
    codes, scores = data()
    found = search_weights(codes, scores, rng=1)
    assert found.shape == (100, 3)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-15)
    keys = keys_of(codes, scores, found)
    assert keys == sorted(keys)


@pytest.mark.parametrize("refine", [False, True])
def test_is_reproducible_by_its_seed(refine):
    codes, scores = data()
    options = {"n_start": 50, "keep": 10, "refine": refine}
    first = search_weights(codes, scores, rng=3, **options)
    np.testing.assert_array_equal(search_weights(codes, scores, rng=3, **options), first)
    generator = np.random.default_rng(3)
    np.testing.assert_array_equal(search_weights(codes, scores, rng=generator, **options), first)
    assert not np.array_equal(search_weights(codes, scores, rng=generator, **options), first)


def test_both_ways_of_counting_find_the_same(monkeypatch):
    codes, scores = data(n=400)
    small = search_weights(codes, scores, n_start=60, keep=10, rng=1)
    monkeypatch.setattr(class_weights, "LARGE", 0)
    np.testing.assert_array_equal(search_weights(codes, scores, n_start=60, keep=10, rng=1), small)


def test_every_step_helps():
    codes, scores = data(n=400)
    best = [keys_of(codes, scores, search_weights(codes, scores, steps=k, rng=1)) for k in range(6)]
    heads = [rows[0] for rows in best]
    assert heads == sorted(heads, reverse=True)
    assert best[5][0] < keys_of(codes, scores, np.ones((1, 3)))[0]
    assert best[5][-1] < best[0][-1]


def test_is_never_worse_than_equal_weights():
    codes, scores = data(n_classes=6, n=60)
    for seed in range(5):
        found = search_weights(codes, scores, n_start=1, keep=1, steps=0, rng=seed)
        np.testing.assert_array_equal(found, np.full((1, 6), 1 / 6))


def test_decisions_differ_where_they_can():
    codes, scores = data(n=400)
    found = search_weights(codes, scores, rng=1)
    matrices = weighted_confusion(codes, scores, found)
    assert len(np.unique(matrices.reshape(100, -1), axis=0)) == 100


def test_few_different_decisions_are_repeated():
    """Two cases, two classes: three matrices at most, and the best of them first."""
    found = search_weights([0, 1], [[2, 1], [1, 2]], n_start=50, keep=20, rng=1)
    matrices = weighted_confusion(np.array([0, 1]), np.array([[2.0, 1], [1, 2]]), found)[:, 0]
    assert found.shape == (20, 2)
    assert len(np.unique(matrices.reshape(20, -1), axis=0)) == 3
    assert matrices[0].tolist() == [[1, 0], [0, 1]]
    assert (matrices[:18] == np.eye(2)).all()


def test_the_best_pool_keeps_different_matrices():
    confusion = np.array([[[2, 0], [1, 1]], [[2, 0], [0, 2]], [[2, 0], [1, 1]], [[1, 1], [0, 2]]])
    pool = Pool(np.arange(8.0).reshape(4, 2), confusion)
    goal = read_goal("error", classes=range(2))
    assert pool.best(goal, 3).weights[:, 0].tolist() == [2, 0, 6]
    assert pool.best(goal, 4).weights[:, 0].tolist() == [2, 0, 4, 6]


@pytest.mark.parametrize("n_classes", [3, 10])
def test_refining_never_harms(n_classes):
    codes, scores = data(n_classes, n=300)
    options = {"n_start": 100, "keep": 10, "rng": 1}
    plain = keys_of(codes, scores, search_weights(codes, scores, **options))
    refined = keys_of(codes, scores, search_weights(codes, scores, refine=True, **options))
    assert all(after <= before for before, after in zip(plain, refined, strict=True))
    if n_classes == 10:
        assert refined[0][1] < plain[0][1] - 0.1


def test_refined_weights_cannot_be_improved():
    codes, scores = data(n_classes=4, n=200)
    best = search_weights(codes, scores, n_start=100, keep=10, rng=1, refine=True)[:1]
    np.testing.assert_array_equal(sweep_weights(codes, scores, best), best / best.sum())


# ---- Objectives and constraints ---------------------------------------------------------------------------


def test_meets_the_constraints_and_then_the_objective():
    codes, scores = data(n=400)
    free = search_weights(codes, scores, objective="error", rng=1)[:1]
    bound = search_weights(codes, scores, objective="error", constraints="error(0)<=0.03", rng=1)[:1]
    errors = [
        [
            float(evaluate(name, weighted_confusion(codes, scores, row)[0, 0]))
            for name in ("error(0)", "error")
        ]
        for row in (free, bound)
    ]
    assert errors[0][0] > 0.03 >= errors[1][0]
    assert errors[0][1] < errors[1][1]


def test_rows_that_break_a_constraint_come_last():
    codes, scores = data(n=400)
    found = search_weights(codes, scores, constraints=["rate(0,2)<=0.05"], rng=1)
    values = weighted_confusion(codes, scores, found)[:, 0]
    met = values[:, 0, 2] / values[:, 0].sum(axis=-1) <= 0.05
    assert met[0]
    assert (np.diff(met.astype(int)) <= 0).all()


def test_takes_a_function():
    codes, scores = data()
    by_name = search_weights(codes, scores, objective="error", rng=2)
    by_function = search_weights(codes, scores, objective=lambda m: evaluate("error", m), rng=2)
    np.testing.assert_array_equal(by_function, by_name)


def test_costs_and_shares_are_used():
    codes, scores = data()
    dear = np.ones((3, 3)) - np.eye(3)
    dear[2] *= 50
    found = search_weights(codes, scores, objective="cost", cost=dear, prevalence=[0.2, 0.2, 0.6], rng=1)
    cheap = search_weights(codes, scores, objective="cost", rng=1)
    errors = [
        float(evaluate("error(2)", weighted_confusion(codes, scores, rows[:1])[0, 0]))
        for rows in (found, cheap)
    ]
    assert errors[0] == 0 < errors[1]


@pytest.mark.parametrize(
    ("name", "best"),
    [("tpr", [[0, 2], [0, 2]]), ("specificity", [[2, 0], [2, 0]]), ("fpr", [[2, 0], [2, 0]])],
)
def test_knows_which_measures_are_gains(name, best):
    matrices = np.array([[[1, 1], [1, 1]], best])
    assert read_goal(name, classes=range(2)).best(matrices, np.ones(2))[0] == 1


@pytest.mark.parametrize(
    ("text", "excess"),
    [
        ("error(0)<=0.5", 0.0),
        ("error(0)<0.5", np.finfo(float).tiny),
        ("error(0)<=0.25", 0.25),
        ("accuracy>=0.75", 0.25),
        ("lr_pos>=inf", np.inf),
        ("error(1)<=1", np.inf),
    ],
)
def test_a_broken_bound_tells_by_how_much(text, excess):
    """Class 1 has no cases."""
    matrix = np.array([[[1, 1], [0, 0]]])
    goal = read_goal("error", classes=range(2), constraints=text)
    assert goal.excess(matrix).tolist() == [excess]


def test_an_infinite_bound_can_be_met():
    """With no false alarm the likelihood ratio is infinite, and inf - inf is no number."""
    goal = read_goal("error", classes=range(2), constraints="lr_pos>=inf")
    assert goal.excess(np.array([[[2, 0], [1, 1]]])).tolist() == [0.0]


def test_class_names_may_hold_commas():
    goal = read_goal("rate(a,b,c)", classes=["a", "b,c"])
    assert goal.loss(np.array([[[1, 3], [0, 4]]])).tolist() == [0.75]
    message = message_of(read_goal, "rate(a,b,c)", classes=["a", "a,b", "c", "b,c"])
    assert message == (
        "rate(true,decided) must name two of ['a', 'a,b', 'c', 'b,c'], got 'rate(a,b,c)', "
        "which names more than one entry"
    )


def test_takes_data_in_one_piece():
    y, p = ["a", "a", "b", "b", "c", "c"], [[5, 4, 1], [4, 5, 1], [1, 8, 1], [2, 7, 1], [2, 4, 4], [1, 5, 4]]
    scores = ClassScores.from_arrays(y, p, classes=["a", "b", "c"])
    found = search_weights(scores, keep=5, rng=1)
    np.testing.assert_array_equal(found, search_weights(y, p, classes=["a", "b", "c"], keep=5, rng=1))
    assert ClassWeights(found[0], classes=scores.classes).decide(p).tolist() == y


# ---- What is refused --------------------------------------------------------------------------------------

COST = "cost must be left out unless the objective or a constraint is 'cost', got costs"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_start": 0}, "n_start must be a whole number of at least 1, got 0"),
        ({"steps": -1}, "steps must be a whole number of at least 0, got -1"),
        ({"keep": 0}, "keep must be a whole number of at least 1, got 0"),
        ({"keep": 2000}, "keep must be at most n_start (1000), got 2000"),
        (
            {"rng": -1},
            "rng must be None, a whole number of at least 0, a numpy Generator or a SeedSequence, got -1",
        ),
        ({"objective": "tpr"}, "tpr is a measure of two classes, got 3"),
        ({"objective": "error(7)"}, "error(class) must name one of ['0', '1', '2'], got '7'"),
        ({"objective": "rate(0,7)"}, "rate(true,decided) must name two of ['0', '1', '2'], got 'rate(0,7)'"),
        ({"constraints": 5}, "constraints must be a list of texts such as 'error(a)<=0.1', got 5"),
        ({"constraints": None}, "constraints must be a list of texts such as 'error(a)<=0.1', got None"),
        ({"constraints": [5]}, "a constraint must read like 'tpr>=0.9', got 5"),
        ({"constraints": "error(0)"}, "a constraint must read like 'tpr>=0.9', got 'error(0)'"),
        (
            {"constraints": ["rate(0)<=1"]},
            "rate(true,decided) must name two of ['0', '1', '2'], got 'rate(0)'",
        ),
        ({"cost": np.ones((3, 3))}, COST),
        ({"objective": "cost", "cost": np.ones((2, 2))}, None),
        (
            {"prevalence": [0.2, 0.3, 0.5]},
            "prevalence must be left out unless a measure uses it (precision, npv, accuracy, error, f1, "
            "kappa, mcc, lift, detection_prevalence, cost, reject_rate), got array([0.2, 0.3, 0.5])",
        ),
        (
            {"prevalence": 0.2, "objective": "error"},
            "prevalence must hold one share per class (3), got 0.2",
        ),
        (
            {"prevalence": [0.5, 0.5], "objective": "error"},
            "prevalence must hold 3 shares that add up to 1, got [0.5, 0.5]",
        ),
        (
            {"objective": lambda m: m},
            "objective <lambda> must return one number per confusion matrix, shape (1000,), "
            "got shape (1000, 3, 3)",
        ),
    ],
)
def test_refuses_options(options, message):
    codes, scores = data()
    text = message_of(search_weights, codes, scores, **options)
    if message is not None:
        assert text == message
    else:
        assert text.startswith("cost must be a number, a pair (fp, fn) or a 3 by 3 matrix, got array(")


def test_refuses_unknown_measures():
    codes, scores = data()
    message = message_of(search_weights, codes, scores, objective="max-class-errors")
    assert message.startswith("measure must be one of tpr, fpr,")
    assert message.endswith("got 'max-class-errors'; did you mean 'max-class-error' or 'mean-class-error'?")
    assert message_of(search_weights, codes, scores, objective=None).endswith("got None")


def test_refuses_labels_whose_columns_are_not_named():
    codes, scores = data()
    assert message_of(search_weights, codes + 1, scores) == (
        "classes must name the class of each score column, in order; y_true holds [1, 2, 3]"
    )


def test_constraints_that_nothing_meets():
    message = message_of(
        search_weights,
        [0, 1, 0, 1],
        [[2, 1], [2, 1], [1, 2], [1, 2]],
        constraints=["error(0)<=0.1", "rate(1,0)<0.4"],
        rng=1,
        kind=UndefinedError,
    )
    assert message == (
        "no class weights were found with error(0)<=0.1 and rate(1,0)<0.4; "
        "alone, error(0) reaches 0, rate(1,0) reaches 0"
    )


def test_bounds_on_what_is_undefined():
    constraint = Constraint.parse("error(1)<=1")
    goal = read_goal("error", classes=(0, 1))
    goal = replace(goal, bounds=(Bound(constraint, lambda m: np.full(len(m), np.nan)),))
    message = message_of(goal.check_reached, np.zeros((2, 2, 2)), kind=UndefinedError)
    assert message == "no class weights were found with error(1)<=1; alone, error(1) is nowhere defined"


def test_an_objective_that_is_never_defined():
    message = message_of(
        search_weights, [0, 1], np.eye(2), objective=lambda m: np.full(len(m), np.nan), kind=UndefinedError
    )
    assert message == "objective <lambda> is undefined for all weights"
    message = message_of(
        search_weights, ["a", "b"], np.ones((2, 3)), classes=["a", "b", "c"], kind=UndefinedError
    )
    assert message == "objective 'max-class-error' is undefined for all weights: there are no cases of ['c']"
    assert search_weights(["a", "b"], np.ones((2, 3)), classes=["a", "b", "c"], objective="error").shape == (
        100,
        3,
    )


# ---- The front --------------------------------------------------------------------------------------------


def pooled_errors(codes, scores, rows):
    """Errors of every class, each case decided by itself."""
    found = []
    for row in rows:
        products = (scores * (row / row.max())).tolist()
        decided = [one.index(max(one)) for one in products]
        wrong = [[d != c for d, t in zip(decided, codes, strict=True) if t == c] for c in range(len(row))]
        found.append([sum(one) / len(one) for one in wrong])
    return np.array(found)


@pytest.mark.parametrize("seed", range(4))
def test_no_weights_of_the_front_are_beaten(seed):
    rng = np.random.default_rng(seed)
    codes = np.arange(45) % 3
    scores = np.round(rng.random((45, 3)) + 0.3 * np.eye(3)[codes], 1)
    front = front_weights(codes, scores, n=1000)
    errors = pooled_errors(codes, scores, front)
    for k, one in enumerate(errors):
        others = np.delete(errors, k, axis=0)
        assert not (others <= one).all(axis=1).any()
    np.testing.assert_allclose(front.sum(axis=1), 1)


@pytest.mark.slow
def test_the_front_meets_every_bound_on_one_class():
    rng = np.random.default_rng(8)
    codes = np.arange(200) % 4
    scores = rng.random((200, 4)) + 0.4 * np.eye(4)[codes]
    best = search_weights(codes, scores, rng=1)[0]
    errors = pooled_errors(codes, scores, front_weights(codes, scores, best, n=300))
    for c in range(4):
        for bound in (0.0, 0.1, 0.3, 0.7):
            within = errors[errors[:, c] <= bound]
            # Raising the weight of class c alone, in small steps, does no better.
            raised = np.tile(best, (400, 1))
            raised[:, c] *= np.geomspace(0.01, 100, 400)
            swept = pooled_errors(codes, scores, raised)
            assert within.max(axis=1).min() <= swept[swept[:, c] <= bound].max(axis=1).min() + 1e-12


def test_a_front_of_few_weights():
    codes, scores = np.arange(12) % 3, np.eye(3)[np.arange(12) % 3] + 0.1
    assert front_weights(codes, scores).shape == (1, 3)
    with pytest.raises(RocInputError, match="n must be a whole number of at least 1, got 0"):
        front_weights(codes, scores, n=0)
