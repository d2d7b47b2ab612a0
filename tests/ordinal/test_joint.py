"""Best thresholds of all classes together against a search through every choice."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocscope.errors import RocInputError, UndefinedError
from rocscope.ordinal import decision
from rocscope.ordinal.decision import quadratic_kappa
from rocscope.ordinal.roc import ordinal_roc
from slow import ordinal as slow

CLASSES = (1.0, 2.0, 4.0, 5.0)
COST = [[0, 1, 3, 9], [2, 0, 1, 4], [4, 2, 0, 1], [8, 4, 3, 0]]
LOSSES = {
    "error": slow.error,
    "cost": lambda table: slow.mean_cost(table, COST),
    "kappa": lambda table: -slow.kappa(table),
}


@st.composite
def samples(draw, max_size=14):
    """At least two classes; estimates in quarters, some of them thresholds."""
    size = draw(st.integers(3, max_size))
    o = [1.0, 4.0, *(draw(st.sampled_from(CLASSES)) for _ in range(size - 2))]
    return o, [draw(st.integers(0, 24)) / 4 for _ in o]


def call(o, e, objective, **options):
    cost = COST if objective == "cost" else None
    return ordinal_roc(o, e, classes=CLASSES, objective=objective, cost=cost, **options).thresholds


@pytest.mark.parametrize("cuts", ["gaps", "range"])
@pytest.mark.parametrize("objective", list(LOSSES))
@settings(max_examples=30)
@given(data=samples())
def test_no_choice_is_better(objective, cuts, data):
    o, e = data
    gaps = slow.equidistant(CLASSES, 3)
    pool = [t for gap in gaps for t in gap]
    candidates = gaps if cuts == "gaps" else [pool] * 3
    found = call(o, e, objective, thresholds=3, cuts=cuts)
    loss = LOSSES[objective]
    best = slow.best_cuts(o, e, CLASSES, candidates, loss)
    table = slow.confusion(o, e, CLASSES, found.values)
    assert loss(table) == best
    assert found.confusion.tolist() == table
    assert found.value == pytest.approx(float(abs(best) if objective != "kappa" else -best), abs=1e-12)
    assert found.kappa == pytest.approx(float(slow.kappa(table)), abs=1e-12)
    assert found.error == pytest.approx(float(slow.error(table)), abs=1e-15)
    assert all(s <= t for s, t in pairwise(found.values))


@pytest.mark.parametrize("objective", list(LOSSES))
@settings(max_examples=20)
@given(data=samples(max_size=9))
def test_all_estimates_as_cuts(objective, data):
    o, e = data
    candidates = [sorted(set(e))] * 3
    loss = LOSSES[objective]
    found = call(o, e, objective, thresholds="all", cuts="range")
    if found.status == "ok":
        table = slow.confusion(o, e, CLASSES, found.values)
        assert loss(table) == slow.best_cuts(o, e, CLASSES, candidates, loss)


@settings(max_examples=30)
@given(data=samples())
def test_python_integers_choose_as_64_bits_do(data):
    o, e = data
    plain = call(o, e, "kappa", thresholds=4, cuts="range")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision, "SAFE", 0)
        assert call(o, e, "kappa", thresholds=4, cuts="range") == plain


def test_of_equal_choices_the_middle_is_taken():
    found = ordinal_roc([1, 1, 2, 2, 3, 3], [1, 1, 2, 2, 3, 3], thresholds=9).thresholds
    assert found.values.tolist() == [1.5, 2.5]


def test_range_is_never_worse_than_gaps():
    rng = np.random.default_rng(3)
    y = rng.integers(1, 6, 300)
    e = 3 + 0.4 * (y - 3) + rng.normal(0, 0.4, 300)  # shrunken, as regressions are
    for objective in ("error", "kappa"):
        gaps, span = (
            ordinal_roc(y, e, thresholds=20, objective=objective, cuts=cuts).thresholds
            for cuts in ("gaps", "range")
        )
        assert span.error < gaps.error if objective == "error" else span.kappa > gaps.kappa


def test_kappa_is_that_of_scikit_learn():
    from sklearn.metrics import cohen_kappa_score

    rng = np.random.default_rng(4)
    y = rng.choice([1, 2, 4, 5], 500)
    e = y + rng.normal(size=500)
    for objective in ("error", "kappa"):
        found = ordinal_roc(y, e, objective=objective)
        decided = found.thresholds.decide(e)
        peer = cohen_kappa_score(y, decided, weights="quadratic", labels=[1, 2, 4, 5])
        assert found.kappa == found.thresholds.kappa == pytest.approx(peer, abs=1e-13)
        assert found.thresholds.error == pytest.approx((decided != y).mean(), abs=1e-15)


def test_kappa_needs_two_classes():
    assert np.isnan(quadratic_kappa(np.array([[5, 0], [0, 0]])))
    assert quadratic_kappa(np.array([[[4, 1], [1, 4]], [[0, 5], [5, 0]]])).tolist() == pytest.approx(
        [0.6, -1]
    )


def test_decisions_are_at_or_above_the_threshold():
    found = ordinal_roc(["a", "a", "b", "b"], [1, 1.25, 1.5, 2], classes={"a": 1, "b": 2}, thresholds=3)
    assert found.thresholds.values.tolist() == [1.5]
    assert found.thresholds.decide([1.49, 1.5]).tolist() == ["a", "b"]
    columns = {"below": ("a",), "above": ("b",), "threshold": [1.5], "cutoff": [1.5]}
    assert found.thresholds.columns() == columns


def test_no_threshold_in_a_gap_leaves_no_choice():
    result = ordinal_roc([1, 1, 2, 2, 3, 3], [1, 1.2, 2, 2, 2.2, 3], thresholds=[1.5])
    assert result.thresholds.value is None
    assert result.thresholds.reason == "no threshold lies between 2 and 3"
    assert result.kappa is None
    assert result.estimates["kappa"].reason == "no threshold lies between 2 and 3"
    with pytest.raises(UndefinedError) as error:
        result.thresholds.decide([1])
    assert str(error.value) == "there are no thresholds to decide by: no threshold lies between 2 and 3"
    assert ordinal_roc([1, 1, 2, 2, 3, 3], [1, 1.2, 2, 2, 2.2, 3], thresholds=[1.5], cuts="range").kappa


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"objective": "cost"}, "cost must be given with objective 'cost', and only then, got None"),
        (
            {"cost": [[0, 1], [1, 0]]},
            "cost must be given with objective 'cost', and only then, got [[0, 1], [1, 0]]",
        ),
        (
            {"objective": "cost", "cost": [[0, 1, 1], [1, 0, 1]]},
            "cost must have one column per class (2), got 3",
        ),
        (
            {"objective": "accuracy"},
            "objective must be one of 'error', 'cost', 'kappa', got 'accuracy'",
        ),
        ({"cuts": "gap"}, "cuts must be one of 'gaps', 'range', got 'gap'; did you mean 'gaps'?"),
    ],
)
def test_refuses(options, message):
    with pytest.raises(RocInputError) as error:
        ordinal_roc([1, 1, 2, 2], [1, 1, 2, 2], **options)
    assert str(error.value) == message


def test_sums_beyond_64_bits_stay_exact():
    sizes = np.array([10**8, 10**8])
    losses = decision.kappa_losses(sizes, 10**8 - 1, 10**16)
    assert losses.dtype == object
    assert losses[0, 1] == 10**16 - (10**8 - 1) * 10**8
