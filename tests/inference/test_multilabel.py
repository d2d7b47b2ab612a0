"""Labels, of which a case may have any number, and micro averages in `multiclass_auc`."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

import rocscope as rs
from rocscope.core.resampling import Cases, Sampling
from rocscope.inference.multiclass import multiclass_auc
from rocscope.inference.multilabel import bootstrap_labels
from slow import multilabel as slow

AVERAGES = ("macro", "weighted", "micro", "samples")
Y = [[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1], [0, 1, 0]]
S = [[0.9, 0.2, 0.3], [0.4, 0.6, 0.3], [0.5, 0.4, 0.7], [0.1, 0.4, 0.6], [0.8, 0.3, 0.2], [0.3, 0.7, 0.2]]


@st.composite
def labelled(draw):
    """Labels that two cases have and two lack; scores with many ties."""
    n, k = draw(st.integers(4, 8)), draw(st.integers(2, 4))
    columns = [
        draw(
            st.permutations([1, 1, 0, 0, *draw(st.lists(st.integers(0, 1), min_size=n - 4, max_size=n - 4))])
        )
        for _ in range(k)
    ]
    score = st.integers(-2, draw(st.sampled_from([-1, 2, 40]))).map(lambda number: number / 4)
    scores = [[draw(score) for _ in range(k)] for _ in range(n)]
    return [list(row) for row in zip(*columns, strict=True)], scores


def with_both(y, scores):
    """Cases that have a label and lack one."""
    rows = [k for k, row in enumerate(y) if 0 < sum(row) < len(row)]
    return [y[k] for k in rows], [scores[k] for k in rows]


@pytest.mark.parametrize("average", AVERAGES)
@settings(max_examples=60)
@given(data=labelled())
def test_average_agrees_with_its_definition(average, data):
    y, scores = data
    if average == "samples":
        kept = with_both(y, scores)
        result = multiclass_auc(y, scores, average=average, missing="drop")
        if len(kept[0]) < 2:
            assert result.status == ("partial" if kept[0] else "undefined")
            return
    else:
        kept = y, scores
        result = multiclass_auc(y, scores, average=average)
    assert result.value == pytest.approx(float(slow.average(*kept, average)), rel=1e-14)
    assert result.se == pytest.approx(slow.standard_error(*kept, average), rel=1e-10, abs=1e-15)
    for label, row in enumerate(result.rows):
        two = rs.auc([row[label] for row in y], [row[label] for row in scores], method="logit")
        assert dict(two) == {name: row[name] for name in two.keys()}  # noqa: SIM118


@pytest.mark.parametrize("seed", range(5))
def test_agrees_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, (60, 4))
    y[:4], y[4:8] = np.eye(4), 1 - np.eye(4)
    y = y[(y.sum(axis=1) > 0) & (y.sum(axis=1) < 4)]
    scores = rng.integers(0, 5, y.shape) + y
    for average in AVERAGES:
        expected = roc_auc_score(y, scores, average=average)
        assert multiclass_auc(y, scores, average=average).value == pytest.approx(expected, rel=1e-13)
    classes = rng.integers(0, 3, 60)
    outputs = rng.integers(1, 6, (60, 3)) + 2 * np.eye(3)[classes]
    outputs /= outputs.sum(axis=1, keepdims=True)
    micro = multiclass_auc(classes, outputs, scheme="ovr", average="micro")
    expected = roc_auc_score(classes, outputs, multi_class="ovr", average="micro")
    assert micro.value == pytest.approx(expected, rel=1e-13)
    assert micro.rows == multiclass_auc(classes, outputs, scheme="ovr").rows


def test_equal_labels_have_the_interval_of_one():
    y, s = [row[0] for row in Y], [row[0] for row in S]
    s[0] = 0.45
    one = rs.auc(y, s, method="logit")
    both = multiclass_auc([[label] * 2 for label in y], [[score] * 2 for score in s])
    assert (both.value, both.se) == pytest.approx((one.value, one.se), rel=1e-14)
    assert (both.low, both.high) == pytest.approx((one.low, one.high), rel=1e-13)


def simulated(n=100):
    rng = np.random.default_rng(8)
    common = rng.normal(size=(n, 1))
    y = (common + rng.normal(size=(n, 4)) > [0.0, 0.3, 0.6, 1.0]).astype(int)
    return y, np.round(y + common * 0.3 + 1.2 * rng.normal(size=y.shape), 1)


@pytest.mark.slow
@pytest.mark.parametrize("average", AVERAGES)
def test_bootstrap_jackknife_and_delong_tell_much_the_same(average):
    y, scores = simulated()
    if average == "samples":
        rows = (y.sum(axis=1) > 0) & (y.sum(axis=1) < 4)
        y, scores = y[rows], scores[rows]
    normal = multiclass_auc(y, scores, average=average)
    drawn = multiclass_auc(y, scores, average=average, method="bootstrap", n_boot=4000, rng=7)
    assert (drawn.value, drawn.rows) == (normal.value, normal.rows)
    assert drawn.se == pytest.approx(normal.se, rel=0.06)
    assert (drawn.low, drawn.high) == pytest.approx((normal.low, normal.high), abs=0.2 * normal.se)
    n = len(y)
    without = [roc_auc_score(np.delete(y, k, 0), np.delete(scores, k, 0), average=average) for k in range(n)]
    assert math.sqrt((n - 1) * np.var(without)) == pytest.approx(normal.se, rel=0.03)


def test_the_micro_average_of_classes_keeps_their_sizes():
    rng = np.random.default_rng(2)
    classes = np.repeat([0, 1, 2], [50, 40, 30])
    outputs = rng.random((120, 3)) + 0.5 * np.eye(3)[classes]
    how = {"scheme": "ovr", "average": "micro"}
    normal = multiclass_auc(classes, outputs, **how)
    drawn = multiclass_auc(classes, outputs, method="bootstrap", n_boot=4000, rng=7, **how)
    assert drawn.se == pytest.approx(normal.se, rel=0.06)
    assert (drawn.low, drawn.high) == pytest.approx((normal.low, normal.high), abs=0.2 * normal.se)
    cases = rng.permutation(120)
    moved = multiclass_auc(classes[cases], outputs[cases], **how)
    assert (moved.value, moved.se) == (normal.value, pytest.approx(normal.se, rel=1e-12))


@pytest.mark.parametrize("average", AVERAGES)
def test_replicates_are_the_averages_of_the_drawn_cases(average):
    y, scores = (np.array(part) for part in with_both(Y, S))
    sampling = Sampling(n_boot=100, rng=3)
    result = bootstrap_labels(y == 1, scores, average, (len(y),), sampling)
    counts = sampling.replicates(Cases((len(y),)), lambda draws: draws.classes[0])
    assert np.isnan(result).any() == (average in ("macro", "weighted"))
    for value, times in zip(result[:12], counts, strict=False):
        rows = np.repeat(np.arange(len(y)), times)
        exact = slow.average(y[rows].tolist(), scores[rows].tolist(), average)
        assert np.isnan(value) if exact is None else value == pytest.approx(float(exact), rel=1e-13)


# ---- What is undefined -------------------------------------------------------------------------------------


def test_a_label_with_one_class():
    y, scores = [[*row, 1] for row in Y], [[*row, 0.5] for row in S]
    result = multiclass_auc(y, scores)
    assert (result.status, result.value, result.n_undefined) == ("undefined", None, 1)
    assert result.reason == "1 of 4 labels is undefined: label 3 has no negative case; they can be left out"
    assert result.rows[3].reason == "label 3 has no negative case"
    dropped = multiclass_auc(y, scores, missing="drop")
    assert (dropped.value, dropped.se) == (multiclass_auc(Y, S).value, multiclass_auc(Y, S).se)
    assert dropped.warnings == ("1 of 4 labels is left out: label 3 has no negative case",)
    micro = multiclass_auc(y, scores, average="micro")
    assert micro.value == pytest.approx(float(slow.average(y, scores, "micro")), rel=1e-14)
    assert str(micro).splitlines()[0].endswith("micro average over all scores of 4 labels")


def test_one_case_of_a_class_has_no_variance():
    y = [[*row[:2], int(k == 0)] for k, row in enumerate(Y)]
    result = multiclass_auc(y, S)
    assert (result.status, result.se) == ("partial", None)
    assert result.reason == (
        "the variance needs two cases of each class, label 2 has one positive case; "
        "such labels can be left out"
    )
    assert multiclass_auc(y, S, average="micro").status == "ok"


def test_cases_with_no_label_or_every_label():
    y, scores = [*Y, [1, 1, 1], [0, 0, 0]], [*S, [1, 2, 3], [1, 2, 3]]
    result = multiclass_auc(y, scores, average="samples")
    assert result.reason == "2 of 8 cases have no label or every label; they can be left out"
    dropped = multiclass_auc(y, scores, average="samples", missing="drop")
    assert dropped.value == multiclass_auc(Y, S, average="samples").value
    assert dropped.warnings == ("2 of 8 cases have no label or every label, and are left out",)


@pytest.mark.parametrize("average", AVERAGES)
def test_labels_without_cases_have_no_average(average):
    result = multiclass_auc([[0, 0]] * 3, [[1, 2]] * 3, average=average, missing="drop")
    assert (result.status, result.value, result.n_undefined) == ("undefined", None, 2)
    assert "no positive case" in result.reason or "3 of 3 cases have no label" in result.reason


@pytest.mark.parametrize("average", AVERAGES)
def test_separated_labels(average):
    result = multiclass_auc(Y, Y, average=average, level=0.9)
    assert (result.value, result.se) == (1, 0)
    if average == "micro":
        assert (result.status, result.low) == ("partial", None)
        assert result.reason == "the area is 1, where the variance is 0 and gives no interval"
    else:  # three cases with and without each label, or six cases
        n = 6 if average == "samples" else 3
        assert (result.low, result.high) == (pytest.approx(0.05 ** (1 / n), rel=1e-14), 1)


def test_too_many_replicates_without_a_class_give_no_interval():
    y = np.zeros((40, 12), int)
    for label in range(12):
        y[[2 * label, 2 * label + 1], label] = 1
    scores = np.random.default_rng(1).random(y.shape)
    result = multiclass_auc(y, scores, method="bootstrap", rng=1)
    assert (result.status, result.low) == ("partial", None)
    assert result.reason.startswith("a label has one class alone in ")
    few = multiclass_auc(y[:6, :2], scores[:6, :2], method="bootstrap", rng=1)
    assert few.low is not None
    assert few.warnings[0].endswith(
        "of 1000 bootstrap replicates, in which a label has one class alone, left out"
    )


# ---- Doors -------------------------------------------------------------------------------------------------


def test_frames():
    expected = multiclass_auc(Y, S, classes=["cat", "dog", "owl"])
    labels, scores = pd.DataFrame(Y, columns=["cat", "dog", "owl"]), pd.DataFrame(S, columns=["a", "b", "c"])
    assert multiclass_auc(labels, scores) == expected
    assert multiclass_auc(pl.DataFrame(labels), pl.DataFrame(scores)) == expected
    both = pd.concat([labels, scores], axis=1)
    assert multiclass_auc(both, label=["cat", "dog", "owl"], score=["a", "b", "c"]) == expected
    with pytest.raises(rs.RocInputError, match="must have the same pandas index"):
        multiclass_auc(labels[::-1], scores)


def test_missing_values_and_infinite_scores():
    y, scores = [*Y, [1, 0, None]], [*S, [0.1, 0.2, 0.3]]
    dropped = multiclass_auc(y, scores, na="drop")
    assert dropped.value == multiclass_auc(Y, S).value
    assert dropped.warnings == ("1 row with missing values left out",)
    infinite = [[math.inf if score == 0.9 else score for score in row] for row in S]
    assert multiclass_auc(Y, infinite).value == multiclass_auc(Y, S).value
    assert multiclass_auc(Y, -np.array(S)).value == pytest.approx(1 - multiclass_auc(Y, S).value)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"y_true": [[2, 0, 1]] * 6}, "y_true must have a 0 or 1 for every label, got other values in rows"),
        ({"y_true": [["a", "b", "c"]] * 6}, "y_true must hold a 0 or 1 for every label, got 'a'"),
        ({"y_true": [*Y[:5], [1, 0, None]]},
         "y_true must have a 0 or 1 for every label, got missing values in row 5"),
        ({"y_true": Y[:5]}, "y_true and y_score must have the same length: y_true has 5, y_score has 6"),
        ({"y_score": [row[:2] for row in S]}, "y_score must have one column per class (3), got shape (6, 2)"),
        ({"y_score": [[math.nan] * 3] * 6}, "y_score must have no missing scores, got NaN in rows 0, 1, 2"),
        ({"classes": ["a", "b"]}, "classes must name every label (3), got ['a', 'b']"),
        ({"average": "all"}, "average must be one of 'macro', 'weighted', 'micro', 'samples', got 'all'"),
        ({"direction": "auto"}, "direction must be left out where every label has its score, got 'auto'"),
        ({"y_true": [0, 1, 2] * 2, "average": "micro"},
         "scheme must be 'ovr' for the micro average, got 'ovo'"),
        ({"y_true": [0, 1, 2] * 2, "average": "samples"},
         "average must be 'macro', 'weighted' or 'micro' for classes, got 'samples'"),
        ({"y_true": [[0], [1]] * 3}, "y_true must be one-dimensional, got shape (6, 1)"),
    ],
)  # fmt: skip
def test_refusals_name_the_argument(wrong, message):
    with pytest.raises(rs.RocInputError) as refused:
        multiclass_auc(**{"y_true": Y, "y_score": S} | wrong)
    assert str(refused.value).startswith(message)


def test_micro_average_of_rare_classes():
    classes, outputs = [0, 0, 0, 1, 1, 3], np.random.default_rng(4).random((6, 4))
    how = {"scheme": "ovr", "average": "micro", "classes": range(4)}
    partial = multiclass_auc(classes, outputs, **how)
    assert (partial.status, partial.n_undefined) == ("partial", 1)
    assert partial.reason.endswith("class 3 has one member, not two; such classes can be left out")
    ok = multiclass_auc(classes[:5], outputs[:5], **how)
    assert (ok.status, ok.n_undefined) == ("ok", 2)
    dropped = multiclass_auc(classes, outputs, missing="drop", **how)
    expected = multiclass_auc(classes[:5], outputs[:5, :2], scheme="ovr", average="micro", classes=range(2))
    assert (dropped.value, dropped.se) == (expected.value, expected.se)
