"""`Dataset`: the labels' own types, classes and strata, and what is refused."""

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from rocscope.bootstrap.estimates import bootstrap_auc
from rocscope.errors import RocInputError
from rocscope.training.datasets import Dataset
from rocscope.training.splits import bootstrap_splits, plan_splits, stratified_splits

X = np.arange(12.0)[:, np.newaxis]


@pytest.mark.parametrize(
    ("y", "pos_label", "classes"),
    [
        ([0.0, 1.0] * 6, None, (0.0, 1.0)),
        ([0, 1] * 6, True, (0, 1)),
        ([False, True] * 6, 1, (False, True)),
        (np.array([0, 1] * 6, dtype=object), None, (0, 1)),
        (pd.array(["no", "yes"] * 6, dtype="string"), "no", ("yes", "no")),
        (["a", "b", "c"] * 4, None, ("a", "b", "c")),
    ],
)
def test_classes_are_of_the_labels_own_type(y, pos_label, classes):
    data = Dataset.read(X, y, pos_label=pos_label)
    assert data.classes == classes
    assert list(map(type, data.classes)) == list(map(type, classes))
    assert [data.classes[code] for code in data.codes] == list(y)


def test_folds_do_not_depend_on_which_class_is_positive():
    y = ["no", "yes", "yes"] * 4
    plans = [
        plan_splits(cv, Dataset.read(X, y, pos_label=name), np.random.default_rng(3)).splits
        for cv in (4, ("bootstrap", 3))
        for name in ("no", "yes")
    ]
    for one, other in zip(plans[::2], plans[1::2], strict=True):
        for a, b in zip(one, other, strict=True):
            assert a.fold == b.fold
            np.testing.assert_array_equal(a.train, b.train)
            np.testing.assert_array_equal(a.test, b.test)


def test_sizes_and_lacking_classes():
    data = Dataset.read(X, [0] * 8 + [1] * 4)
    assert (data.size, data.n_neg, data.n_pos, data.smallest) == (12, 8, 4, 4)
    assert data.smallest_class == "4 (class 1)"
    assert data.lacking(np.array([0, 9])) == ()
    assert data.lacking(np.array([0, 1])) == (1,)
    assert data.lacking(np.empty(0, np.intp)) == (0, 1)


def test_repeats_are_dealt_anew_and_test_every_row_once():
    splits = stratified_splits(np.array([0, 1] * 6), 3, 1, repeats=2)
    deals = [splits[:3], splits[3:]]
    for deal in deals:
        assert sorted(np.concatenate([split.test for split in deal])) == list(range(12))
        assert all(not set(split.train) & set(split.test) for split in deal)
    assert any((a.test != b.test).any() for a, b in zip(*deals, strict=True))


@pytest.mark.parametrize("stratify", [True, False])
def test_replicates_hold_every_class_on_both_sides(stratify):
    data = Dataset.read(X, [0] * 9 + [1] * 3)
    strata = data.codes if stratify else None
    plan = bootstrap_splits(data, 50, np.random.default_rng(0), strata=strata)
    for split in plan.splits:
        assert not data.lacking(split.train)
        assert not data.lacking(split.test)
        assert not set(split.train) & set(split.test)
        if stratify:
            assert np.bincount(data.codes[split.train]).tolist() == [9, 3]
    assert plan.redrawn > 0


def test_numpys_newer_text_is_trained_on():
    y = np.array(["no", "yes"] * 6, dtype=np.dtypes.StringDType())
    found = bootstrap_auc(GaussianNB(), X, y, pos_label="yes", n_boot=5, rng=1)
    assert found.classes == ("no", "yes")


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        ([0, 1], {"name": "iris"}, "X and y of 'iris' must have the same length: X has 12, y has 2"),
        (["a", "b"] * 6, {"target": "c"}, "target must be one of the labels ['a', 'b'], got 'c'"),
        (
            ["a", "b"] * 6,
            {"target": "a", "pos_label": "b"},
            "pos_label must be the target 'a' or None, got 'b'",
        ),
        ([0, 1] * 6, {"groups": [1, 2]}, "y and groups must have the same length: y has 12, groups has 2"),
    ],
)
def test_what_is_refused(y, options, message):
    with pytest.raises(RocInputError) as error:
        Dataset.read(X, y, **options)
    assert str(error.value) == message


def test_more_than_two_classes_where_two_are_needed():
    with pytest.raises(RocInputError, match="y must hold two labels"):
        Dataset.read(X, ["a", "b", "c"] * 4, pos_label="a", two_classes=True)
