import pytest

import rocscope as rs
from rocscope import plotting
from rocscope.errors import RocInputError

Y = [1, 0, 1, 0]
A, B = rs.roc_curve(Y, [4, 3, 2, 1]), rs.roc_curve(Y, [2, 2, 2, 1])
BEST = rs.roc_curve(Y, [4, 1, 3, 1])


def panel_of(picture):
    return plotting.record(picture)["panels"][0]


def marks_of(picture, kind):
    return [mark for mark in panel_of(picture)["marks"] if mark["mark"] == kind]


def test_without_curves_the_crossings_and_who_leads():
    found = rs.crossings(A, B)
    picture = plotting.picture(found)
    (points,) = marks_of(picture, "Points")
    assert (points["x"], points["y"], points["label"]) == ([0.25], [0.5], "Crossing")
    strips = marks_of(picture, "Band")
    expected = [*found.first_above.tolist(), *found.second_above.tolist()]
    assert [strip["x"] for strip in strips] == [row for row in expected if row[0] < row[1]]
    assert {strip["label"] for strip in strips} >= {"First above", "Second above"}
    assert [text["text"] for text in marks_of(picture, "Text")] == ["FPR 0.25, TPR 0.50"]
    assert panel_of(picture)["title"] == "The curves cross once"


def test_curves_are_drawn_where_they_are_given():
    picture = plotting.picture(rs.crossings(A, B), first=A, second=B, names=("a", "b"))
    lines = [line for line in marks_of(picture, "Line") if line["role"] == "curve"]
    assert [line["x"] for line in lines] == [A.fpr.tolist(), B.fpr.tolist()]
    assert [line["label"] for line in lines] == ["a (AUC = 0.75)", "b (AUC = 0.75)"]
    assert panel_of(picture)["x"]["label"].endswith("(Positive label: 1)")


@pytest.mark.parametrize(
    ("first", "second", "title"),
    [(BEST, A, "a is nowhere below b"), (A, BEST, "b is nowhere below a"), (A, A, "The curves are equal")],
)
def test_curves_that_do_not_cross(first, second, title):
    picture = plotting.picture(rs.crossings(first, second), names=("a", "b"))
    assert panel_of(picture)["title"] == title
    assert marks_of(picture, "Points") == []


def test_one_curve_is_refused():
    with pytest.raises(RocInputError) as error:
        plotting.picture(rs.crossings(A, B), first=A)
    assert str(error.value) == "second must be given together with first, got one of them"
