"""One score of several classes in `multiclass_auc`."""

import csv
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rocscope as rs
from data_folder import data_file
from reference_cases import load_reference
from rocscope.inference import _multiclass_sums
from rocscope.inference.multiclass import DIRECTIONS_CHOSEN, multiclass_auc
from slow import multiclass as slow

REFERENCE = load_reference("multiclass")
NEAR = {"rel": REFERENCE["tolerance"], "abs": REFERENCE["tolerance"]}
DIRECTIONS = ("auto", "higher", "lower")
SIGNS = {"<": "higher", ">": "lower"}
Y, S = [1, 1, 1, 2, 2, 2, 3, 3], [0.1, 0.3, 0.4, 0.2, 0.5, 0.6, 0.7, 0.5]


@st.composite
def scored(draw):
    """Labels of two to four classes, two members or more each, and a score with many ties."""
    sizes = draw(st.lists(st.integers(2, 5), min_size=2, max_size=4))
    y = draw(st.permutations([code for code, size in enumerate(sizes) for _ in range(size)]))
    score = st.integers(-3, draw(st.sampled_from([-2, 3, 50]))).map(lambda k: k / 4)
    return y, [draw(score) for _ in y], list(range(len(sizes)))


@pytest.mark.parametrize("average", ["macro", "weighted"])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("large", [2**62, 0])
@settings(max_examples=30)
@given(data=scored())
def test_average_agrees_with_its_definition(large, direction, average, data):
    y, s, classes = data
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_multiclass_sums, "LARGE", large)
        result = multiclass_auc(y, s, direction=direction, average=average)
    cases = slow.group(y, [[value] * len(classes) for value in s], classes)
    shares = slow.one_score_shares(cases, average, direction)
    exact = float(slow.shared_area(cases, shares))
    variance = float(slow.jackknife_variance(cases, shares))
    assert result.value == pytest.approx(exact, rel=1e-15)
    assert result.se == pytest.approx(math.sqrt(variance), rel=1e-12, abs=1e-15)
    for row in result.rows:
        higher = slow.higher_class(cases, row.first, row.second, direction)
        assert row.direction == ("higher" if higher == row.second else "lower")
        inside = [label in (row.first, row.second) for label in y]
        two = rs.auc(
            [label for label, kept in zip(y, inside, strict=True) if kept],
            [value for value, kept in zip(s, inside, strict=True) if kept],
            pos_label=higher,
            method="logit",
        )
        for name in ("value", "se", "low", "high", "status"):
            assert row[name] == two[name]


def test_many_classes_take_the_way_by_columns(monkeypatch):
    rng = np.random.default_rng(3)
    y, s = rng.integers(0, 5, 80), rng.integers(0, 9, 80)
    expected = multiclass_auc(y, s)
    monkeypatch.setattr(_multiclass_sums, "MANY_CLASSES", 0)
    assert multiclass_auc(y, s) == expected


def check_against_proc(result, expected):
    assert result.value == pytest.approx(expected["auc"], **NEAR)
    assert len(result.rows) == len(expected["pairs"])
    for row, pair in zip(result.rows, expected["pairs"], strict=True):
        assert [row.first, row.second] == pair["levels"]
        assert row.direction == SIGNS[pair["direction"]]
        assert row.value == pytest.approx(pair["auc"], **NEAR)
        assert row.se**2 == pytest.approx(pair["variance"], **NEAR)
        if row.se:  # without a variance we have the exact bound, or none
            assert (row.low, row.high) == pytest.approx(pair["interval"], **NEAR)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["name"])
def test_agrees_with_proc(case, direction):
    y, scores = slow.recipe(**case["recipe"])
    result = multiclass_auc(y, [row[0] for row in scores], direction=direction, method="delong")
    check_against_proc(result, case["one_score"][direction])


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_agrees_with_the_example_of_proc(direction):
    with data_file("aSAH", "aSAH.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    y, s = [int(row["gos6"]) for row in rows], [float(row["s100b"]) for row in rows]
    result = multiclass_auc(y, s, direction=direction, method="delong")
    check_against_proc(result, REFERENCE["asah"][direction])
    if direction == "auto":
        assert f"{result:.3f}" == "0.654"  # as pROC prints it


def test_bootstrap_and_delong_tell_much_the_same():
    rng = np.random.default_rng(1)
    y = np.repeat([1, 2, 3], [60, 40, 50])
    s = np.round(y + rng.normal(size=y.size), 1)
    normal = multiclass_auc(y, s, method="delong")
    drawn = multiclass_auc(y, s, method="bootstrap", n_boot=4000, rng=7)
    assert (drawn.value, drawn.rows) == (normal.value, multiclass_auc(y, s).rows)
    assert drawn.se == pytest.approx(normal.se, rel=0.05)
    assert (drawn.low, drawn.high) == pytest.approx((normal.low, normal.high), abs=0.15 * normal.se)


def test_a_chosen_direction_is_said():
    result = multiclass_auc(Y, S, direction="auto")
    assert result.warnings == (DIRECTIONS_CHOSEN,)
    assert multiclass_auc(Y, S).warnings == ()
    assert [row.label for row in multiclass_auc(Y, S, direction="lower").rows] == ["1 > 2", "1 > 3", "2 > 3"]


def test_order_of_the_classes():
    names = ["low", "mid", "high"]
    texts = [names[label - 1] for label in Y]
    assert multiclass_auc(texts, S, classes=names).value == multiclass_auc(Y, S).value
    auto = multiclass_auc(texts, S, direction="auto")
    assert auto.value == multiclass_auc(Y, S, direction="auto").value
    with pytest.raises(rs.RocInputError) as refused:
        multiclass_auc(texts, S)
    assert str(refused.value) == (
        "classes must list the classes in order, from that of the lowest scores on; "
        "y_true holds ['high', 'low', 'mid']"
    )


def test_frames_and_missing_values():
    frame = pd.DataFrame({"stage": Y, "marker": S})
    expected = multiclass_auc(Y, S)
    assert multiclass_auc(frame, label="stage", score="marker") == expected
    frame.loc[len(frame)] = [2, math.nan]
    dropped = multiclass_auc(frame, label="stage", score="marker", na="drop")
    assert dropped.value == expected.value
    assert dropped.warnings == ("1 row with missing values left out: 1 of class 2",)


def test_classes_with_too_few_members():
    y, s = [*Y, 5], [*S, 0.9]
    result = multiclass_auc(y, s, classes=[1, 2, 3, 4, 5])
    assert (result.status, result.value, result.n_undefined) == ("undefined", None, 4)
    dropped = multiclass_auc(y, s, classes=[1, 2, 3, 4, 5], missing="drop", direction="auto")
    assert dropped.value == multiclass_auc(Y, S, direction="auto").value
    assert [row.label for row in dropped.rows[:4]] == ["1 < 2", "1 < 3", "1 - 4", "1 - 5"]
    partial = multiclass_auc(y, s)
    assert (partial.status, partial.se) == ("partial", None)


def test_scores_may_be_negative_infinite_and_long():
    expected = multiclass_auc(Y, S)
    assert multiclass_auc(Y, [int(10 * value) + 2**60 for value in S]) == expected
    infinite = [-math.inf if value == 0.1 else math.inf if value == 0.7 else value for value in S]
    assert multiclass_auc(Y, infinite).value == expected.value
    assert multiclass_auc(Y, [value - 7 for value in S]).value == expected.value


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"scheme": "ovr"}, "scheme must be 'ovo' where all classes have one score, got 'ovr'"),
        ({"direction": "<"}, "direction must be one of 'higher', 'lower', 'auto', got '<'"),
        ({"classes": [1, 2]}, "y_true must hold only labels in classes [1, 2], got [3]"),
        ({"y_score": S[:-1]}, "y_true and y_score must have the same length: y_true has 8, y_score has 7"),
        ({"y_true": [1] * 8}, "y_true must hold two classes, got only 1"),
        ({"y_score": ["a"] * 8}, "y_score must hold numbers, got text: 'a'"),
        (
            {"y_score": [[1, 2, 3]] * 8, "classes": [1, 2, 3], "direction": "auto"},
            "direction must be left out where every class has its score, got 'auto'",
        ),
    ],
)
def test_refusals_name_the_argument(wrong, message):
    with pytest.raises(rs.RocInputError) as refused:
        multiclass_auc(**{"y_true": Y, "y_score": S} | wrong)
    assert str(refused.value) == message
