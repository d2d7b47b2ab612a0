import numpy as np
import pandas as pd
import polars as pl
import pytest

from rocscope import RocInputError
from rocscope.core.scores import distinct_labels, read_binary_labels

EVIDENT = [
    ([0, 1, 1], 0, 1),
    ([-1, 1, 1], -1, 1),
    ([False, True, True], False, True),
    ([0.0, 1.0, 1.0], 0, 1),
    (np.array([0, 1, 1], np.uint8), 0, 1),
    (np.array([0, 1, 1], object), 0, 1),
    (np.array([False, True, True], object), False, True),
    (pd.Series([0, 1, 1], index=[5, 5, 5]), 0, 1),
    (pd.Series([0, 1, 1], dtype="Int64"), 0, 1),
    (pd.Series([False, True, True], dtype="boolean"), False, True),
    (pd.Series([0, 1, 1], dtype="category"), 0, 1),
    (pl.Series([0, 1, 1]), 0, 1),
    (pl.Series([False, True, True]), False, True),
]


@pytest.mark.parametrize(("labels", "negative", "positive"), EVIDENT)
def test_some_pairs_say_which_is_positive(labels, negative, positive):
    found, neg_label, pos_label = read_binary_labels(labels, None)
    assert found.dtype == bool
    assert found.tolist() == [False, True, True]
    assert (neg_label, pos_label) == (negative, positive)
    assert type(pos_label) is type(positive)


NAMED = [
    (["no", "yes", "yes"], "yes", "no"),
    ([1, 2, 2], 2, 1),
    ([1, 0, 0], 0, 1),
    ([2.5, 1.5, 1.5], 1.5, 2.5),
    (np.array(["no", "yes", "yes"], object), "yes", "no"),
    (np.array([b"no", b"yes", b"yes"]), b"yes", b"no"),
    (np.array(["no", "yes", "yes"], np.dtypes.StringDType()), "yes", "no"),
    (np.array(["a", 1, 1], object), 1, "a"),
    (pd.Series(["no", "yes", "yes"], dtype="category"), "yes", "no"),
    (pd.Series(["no", "yes", "yes"], dtype="string"), "yes", "no"),
    (pl.Series(["no", "yes", "yes"]), "yes", "no"),
    (pl.Series(["no", "yes", "yes"], dtype=pl.Categorical), "yes", "no"),
    ([False, True, True], True, False),
    ([0, 1, 1], np.int64(1), 0),
    (np.array(["2020-01-01", "2021-01-01", "2021-01-01"], "M8[D]"), np.datetime64("2021-01-01"), None),
]


@pytest.mark.parametrize(("labels", "pos_label", "neg_label"), NAMED)
def test_other_pairs_need_pos_label(labels, pos_label, neg_label):
    found, negative, positive = read_binary_labels(labels, pos_label)
    assert found.tolist() == [False, True, True]
    assert positive == pos_label
    if neg_label is not None:
        assert negative == neg_label


GIVE = "pos_label must be given for labels other than 0/1, -1/1 and booleans, got "
ERRORS = [
    ([1, 2], None, GIVE + "1 and 2"),
    ([0, -1], None, GIVE + "-1 and 0"),
    (["no", "yes"], None, GIVE + "'no' and 'yes'"),
    (["0", "1"], None, GIVE + "'0' and '1'"),
    ([0, 0.5], None, GIVE + "0.0 and 0.5"),
    ([0.0, 0.9999999], None, GIVE + "0.0 and 0.9999999"),
    ([0.0, 0.9999999, 1.0], None, "y_true must hold two labels, got 3: 0.0, 0.9999999, 1.0"),
    ([0, 1, 2], None, "y_true must hold two labels, got 3: 0, 1, 2"),
    ([-1, 0, 1], None, "y_true must hold two labels, got 3: -1, 0, 1"),
    (["a", "b", "c"], "a", "y_true must hold two labels, got 3: 'a', 'b', 'c'"),
    (list("abcdefg"), "a", "y_true must hold two labels, got 7: 'a', 'b', 'c', 'd', 'e' and 2 more"),
    (np.array(["a", 1, 2], object), "a", "y_true must hold two labels, got 3: 'a', 1, 2"),
    (
        ["yes", "yes ", "no"],
        "yes",
        "y_true must hold two labels, got 3: 'no', 'yes', 'yes ' (mind the blanks around them)",
    ),
    ([1, 1], None, "y_true must hold two classes, got only 1"),
    ([0, 0], None, "y_true must hold two classes, got only 0"),
    ([-1, -1], None, "y_true must hold two classes, got only -1"),
    ([2, 2], None, "y_true must hold two classes, got only 2"),
    ([False, False], None, "y_true must hold two classes, got only False"),
    (["a", "a"], "a", "y_true must hold two classes, got only 'a'"),
    ([1], None, "y_true must hold two classes, got only 1"),
    ([], None, "y_true must have at least one row, got none"),
    ([0, 1, None], None, "y_true must have a label in every row, got missing labels in row 2"),
    ([0, 1, np.nan], None, "y_true must have a label in every row, got missing labels in row 2"),
    (["a", None, "b"], "a", "y_true must have a label in every row, got missing labels in row 1"),
    (pl.Series([0, None, 1]), None, "y_true must have a label in every row, got missing labels in row 1"),
    (
        pd.Series([True, None, False], dtype="boolean"),
        None,
        "y_true must have a label in every row, got missing labels in row 1",
    ),
    (
        pd.Series(["a", None, "b"], dtype="category"),
        "a",
        "y_true must have a label in every row, got missing labels in row 1",
    ),
    (
        np.array(["a", None, "b"], np.dtypes.StringDType(na_object=None)),
        "a",
        "y_true must have a label in every row, got missing labels in row 1",
    ),
    (np.ones((2, 2, 2)), None, "y_true must be one-dimensional, got shape (2, 2, 2)"),
]
ABSENT = [
    (["yes", "no"], "maybe", "(2: 'no', 'yes'), got 'maybe'"),
    (["yes", "no"], "Yes", "(2: 'no', 'yes'), got 'Yes'; did you mean 'yes'?"),
    (["positive", "no"], "positiv", "(2: 'no', 'positive'), got 'positiv'; did you mean 'positive'?"),
    (
        ["yes ", "no"],
        "yes",
        "(2: 'no', 'yes ' (mind the blanks around them)), got 'yes'; did you mean 'yes '?",
    ),
    (["0", "1"], 1, "(2: '0', '1'), got 1; the labels are of type str"),
    ([0, 1], "1", "(2: 0, 1), got '1'; the labels are of type int"),
    ([0, 1], 2, "(2: 0, 1), got 2"),
    ([0, 1], float("nan"), "(2: 0, 1), got nan"),
    ([True, False], "True", "(2: False, True), got 'True'; the labels are of type bool"),
]


@pytest.mark.parametrize(("labels", "pos_label", "message"), ERRORS)
def test_refuses_labels(labels, pos_label, message):
    with pytest.raises(RocInputError) as error:
        read_binary_labels(labels, pos_label)
    assert str(error.value) == message


@pytest.mark.parametrize(("labels", "pos_label", "words"), ABSENT)
def test_refuses_an_absent_positive_label(labels, pos_label, words):
    with pytest.raises(RocInputError) as error:
        read_binary_labels(labels, pos_label)
    assert str(error.value) == f"pos_label must be one of the labels in y_true {words}"


@pytest.mark.parametrize("pos_label", [np.array([1]), [1, 0, 1, 0], [], {1}])
def test_the_positive_label_is_one_label_or_a_list(pos_label):
    with pytest.raises(RocInputError) as error:
        read_binary_labels([0, 1, 0, 1], pos_label)
    assert str(error.value).startswith("pos_label must ")


def test_masked_labels_are_missing_labels():
    with pytest.raises(RocInputError) as error:
        read_binary_labels(np.ma.array([0, 1, 1], mask=[0, 0, 1]), None)
    assert str(error.value) == "y_true must have a label in every row, got missing labels in row 2"


def test_distinct_labels_are_plain_and_sorted():
    assert distinct_labels(np.array([3, 1, 3])) == [1, 3]
    assert distinct_labels(np.array(["b", 1, "b"], object)) == ["b", 1]
