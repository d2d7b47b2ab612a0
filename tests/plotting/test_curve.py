import numpy as np
import pytest

import rocscope as rs
from rocscope import plotting
from rocscope.errors import RocInputError
from rocscope.plotting.layout import SHOWN_VERTICES

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


@pytest.fixture
def curve():
    return rs.roc_curve(Y, SCORES)


def panel_of(picture):
    return plotting.record(picture)["panels"][0]


def marks_of(picture, role):
    return [mark for mark in panel_of(picture)["marks"] if mark["role"] == role]


def long_curve(n=50_000, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return rs.roc_curve(y, y + rng.normal(size=n))


def test_shows_vertices_and_chance(curve):
    chance, line = panel_of(plotting.picture(curve))["marks"]
    assert (chance["x"], chance["y"], chance["label"]) == ([0, 1], [0, 1], "Chance (AUC = 0.5)")
    assert line["x"] == curve.fpr.tolist()
    assert line["y"] == curve.tpr.tolist()
    assert line["label"] == "AUC = 0.75"


def test_axes_of_a_roc_plot(curve):
    panel = panel_of(plotting.picture(curve))
    assert panel["x"]["label"] == "False positive rate (1 - specificity)\n(Positive label: 1)"
    assert panel["y"]["label"] == "True positive rate (sensitivity)\n(Positive label: 1)"
    for axis in (panel["x"], panel["y"]):
        assert (axis["low"], axis["high"]) == (-0.01, 1.01)
    assert panel["equal_aspect"]
    assert panel["legend"] == "lower right"


def test_label_has_name_and_interval(curve):
    estimate = rs.Estimate(name="AUC", value=0.75, se=0.1, low=0.55, high=0.95, level=0.9, method="delong")
    (line,) = marks_of(plotting.picture(curve, name="s100b", estimate=estimate), "curve")
    assert line["label"] == "s100b (AUC = 0.75, 90% CI 0.55–0.95)"


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"alternative": "greater"}, "AUC = 0.75, 90% bound > 0.55"),
        ({"alternative": "less"}, "AUC = 0.75, 90% bound < 0.95"),
        ({"low": None, "high": None, "status": "partial", "reason": "few"}, "AUC = 0.75"),
        ({"value": None, "status": "undefined", "reason": "few"}, "AUC = 0.75"),
    ],
)
def test_label_of_other_intervals(curve, changes, label):
    fields = {"name": "AUC", "value": 0.75, "se": 0.1, "low": 0.55, "high": 0.95, "level": 0.9, "method": "x"}
    (line,) = marks_of(plotting.picture(curve, estimate=rs.Estimate(**fields | changes)), "curve")
    assert line["label"] == label


def test_selected_points_are_labelled(curve):
    picture = plotting.picture(curve, points=[3, 0])
    (points,) = marks_of(picture, "selected")
    assert (points["x"], points["y"]) == ([0.5, 0.0], [1.0, 0.0])
    texts = [mark["text"] for mark in marks_of(picture, "note")]
    assert texts == ["0.35 (FPR 0.50, TPR 1.00)", "inf (FPR 0.00, TPR 0.00)"]


def test_hull_is_that_of_the_curve(curve):
    (line,) = marks_of(plotting.picture(curve, hull=True), "hull")
    assert (line["x"], line["y"]) == ([0, 0, 0.5, 1], [0, 0.5, 1, 1])
    assert line["label"] == "Convex hull (AUC = 0.88)"


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([5], "points must hold indices from 0 to 4, got 5"),
        ([-1], "points must be a whole number of at least 0, got -1"),
        ([0.5], "points must be a whole number of at least 0, got 0.5"),
    ],
)
def test_refuses_points_off_the_curve(curve, points, message):
    with pytest.raises(RocInputError) as error:
        plotting.picture(curve, points=points)
    assert str(error.value) == message


def test_several_curves_are_series(curve):
    other = rs.roc_curve(Y, [1, 2, 3, 4])
    estimate = rs.Estimate(name="AUC", value=1.0, se=0.0, low=0.16, high=1.0, level=0.95, method="delong")
    picture = plotting.curves({"a": curve, "b": other}, estimates={"b": estimate}, points={"b": [2]})
    lines = marks_of(picture, "curve")
    assert [line["series"] for line in lines] == [0, 1]
    assert [line["label"] for line in lines] == ["a (AUC = 0.75)", "b (AUC = 1.00, 95% CI 0.16–1.00)"]
    (points,) = marks_of(picture, "selected")
    assert (points["x"], points["y"], points["series"]) == ([0], [1], 1)


def test_positive_label_is_named_if_common():
    first = rs.roc_curve(["ill", "well"], [2, 1], pos_label="ill")
    second = rs.roc_curve(["ill", "well"], [1, 2], pos_label="well")
    common = panel_of(plotting.curves({"a": first, "b": first}))
    assert common["x"]["label"].endswith("\n(Positive label: ill)")
    mixed = panel_of(plotting.curves({"a": first, "b": second}))
    assert mixed["x"]["label"] == "False positive rate (1 - specificity)"


@pytest.mark.parametrize("option", ["estimates", "points"])
def test_refuses_unknown_names(curve, option):
    with pytest.raises(RocInputError) as error:
        plotting.curves({"s100b": curve}, **{option: {"s100": ()}})
    assert str(error.value) == (
        f"a name in {option} must be one of 's100b', got 's100'; did you mean 's100b'?"
    )


def test_refuses_no_curves():
    with pytest.raises(RocInputError) as error:
        plotting.curves({})
    assert str(error.value) == "curves must map at least one name to a curve, got none"


def test_long_curve_is_thinned_for_display():
    curve = long_curve()
    index = curve.select()
    picture = plotting.picture(curve, points=[index])
    (line,) = marks_of(picture, "curve")
    x, y = np.array(line["x"]), np.array(line["y"])
    assert len(x) <= SHOWN_VERTICES
    assert (x[0], y[0], x[-1], y[-1]) == (0, 0, 1, 1)
    assert np.abs(np.interp(curve.fpr + curve.tpr, x + y, y) - curve.tpr).max() < 1e-3
    assert set(zip(x, y, strict=True)) <= set(zip(curve.fpr, curve.tpr, strict=True))
    (points,) = marks_of(picture, "selected")
    assert (points["x"], points["y"]) == ([curve.fpr[index]], [curve.tpr[index]])
