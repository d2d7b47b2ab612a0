import math

import numpy as np
import pytest

import rocscope as rs
from rocscope import plotting
from rocscope.averaging.curves import average_curves
from rocscope.averaging.roc import average_roc
from rocscope.core.points import Threshold
from rocscope.errors import RocInputError


def two_classes(n=60, seed=3):
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1], n)
    return y, rng.normal(size=2 * n) + 1.2 * y, np.repeat(np.arange(4), n // 2)


def averaged(**options):
    y, score, fold = two_classes()
    return average_roc(y, score, fold=fold, **options)


def of_classes(n_classes, **options):
    rng = np.random.default_rng(1)
    y, fold = np.tile(np.arange(n_classes), 20), np.repeat([0, 1, 2, 3], 5 * n_classes)
    scores = rng.dirichlet(np.ones(n_classes), y.size) + 0.3 * np.eye(n_classes)[y]
    return average_roc(y, scores, fold=fold, classes=range(n_classes), **options)


def panels_of(picture):
    return plotting.record(picture)["panels"]


def marks_of(picture, role, panel=0):
    return [mark for mark in panels_of(picture)[panel]["marks"] if mark["role"] == role]


def test_mean_curve_has_bars_in_both_directions():
    roc = averaged()
    picture = plotting.picture(roc)
    (line,) = marks_of(picture, "curve")
    (bars,) = marks_of(picture, "interval")
    tpr, fpr = roc.mean.T
    assert (line["x"], line["y"]) == (fpr.tolist(), tpr.tolist())
    assert line["label"] == "Mean of 4 folds, bars: standard error"
    assert bars["x_low"] == (fpr - roc.sem[:, 1]).tolist()
    assert bars["x_high"] == (fpr + roc.sem[:, 1]).tolist()
    assert bars["y_low"] == (tpr - roc.sem[:, 0]).tolist()
    assert bars["y_high"] == (tpr + roc.sem[:, 0]).tolist()
    panel = panels_of(picture)[0]
    assert panel["x"]["label"].startswith("False positive rate (1 - specificity)")
    assert panel["y"]["label"] == "True positive rate (sensitivity)\n(Positive label: 1)"
    assert panel["equal_aspect"]
    assert panel["legend"] == "lower right"
    assert marks_of(picture, "operating-point") == []


def test_the_compared_point_is_a_cross_and_the_others_circles():
    roc = averaged()
    compared = roc.compare_to(15)
    picture = plotting.picture(compared)
    (cross,), (circles,) = marks_of(picture, "operating-point"), marks_of(picture, "indistinguishable")
    assert (cross["x"], cross["y"]) == ([roc.mean[15, 1]], [roc.mean[15, 0]])
    others = [k for k in np.flatnonzero(compared.indistinguishable) if k != 15]
    assert len(others) > 1
    assert circles["x"] == roc.mean[others, 1].tolist()
    assert circles["label"] == f"{len(others)} points indistinguishable (paired-t, 95%)"
    assert cross["label"].startswith(f"Point 15: threshold {roc.points[15]:.4g} (FPR ")
    region = plotting.picture(roc.indifference_region(15))
    assert plotting.record(region) == plotting.record(picture)
    alone = plotting.picture(roc, index=15)
    assert marks_of(alone, "operating-point")[0]["x"] == cross["x"]
    assert marks_of(alone, "indistinguishable") == []


def test_points_given_in_any_order_make_one_curve():
    roc = averaged()
    mixed = averaged(points=np.random.default_rng(0).permutation(roc.points))
    expected = marks_of(plotting.picture(roc), "curve")
    assert marks_of(plotting.picture(mixed), "curve") == expected
    rules = averaged(points=[Threshold(t) for t in roc.points])
    assert marks_of(plotting.picture(rules), "curve") == expected


def test_precision_and_recall():
    picture = plotting.picture(averaged(measures=["precision", "tpr"]))
    panel = panels_of(picture)[0]
    assert panel["x"]["label"].startswith("True positive rate")
    assert panel["y"]["label"].startswith("Precision")
    assert marks_of(picture, "chance") == []


def test_a_long_curve_has_fewer_bars_and_no_dots():
    picture = plotting.picture(averaged(points=100))
    assert len(marks_of(picture, "curve")[0]["x"]) == 100
    assert len(marks_of(picture, "interval")[0]["x"]) <= 41
    assert marks_of(picture, "point") == []


def test_one_measure_over_thresholds():
    roc = averaged(measures=["error"], points=[math.inf, 1.0, 0.0, -1.0])
    picture = plotting.picture(roc.compare_to(2))
    panel = panels_of(picture)[0]
    assert (panel["x"]["label"], panel["y"]["label"]) == ("Threshold", "Error")
    (line,) = marks_of(picture, "curve")
    assert line["x"] == [1.0, 0.0, -1.0]
    assert marks_of(picture, "operating-point")[0]["label"] == "Point 2: threshold 0"
    weights = plotting.picture(of_classes(3, measures=["error"], points=5))
    assert panels_of(weights)[0]["x"]["label"] == "Operating point"
    assert marks_of(weights, "curve") == []


def test_three_classes_in_perspective_and_in_pairs():
    roc = of_classes(3)
    compared = roc.compare_to(roc.select())
    picture = plotting.picture(compared)
    panels = panels_of(picture)
    assert [panel["x"]["label"] for panel in panels] == [f"Error of class {c}" for c in (0, 0, 0, 1)]
    assert panels[0]["z"]["label"] == "Error of class 2"
    (dots,) = marks_of(picture, "point")
    assert (dots["x"], dots["y"], dots["z"]) == tuple(column.tolist() for column in roc.mean.T)
    (cross,) = marks_of(picture, "operating-point")
    assert [cross["x"], cross["y"], cross["z"]] == [[mean] for mean in roc.mean[compared.index]]
    (bars,) = marks_of(picture, "interval", panel=1)
    assert len(bars["x"]) == 1
    assert picture.columns == 2
    flat = plotting.picture(compared, measures=["error(2)", "error(0)"])
    assert len(flat.panels) == 1
    assert panels_of(flat)[0]["x"]["label"] == "Error of class 2"


def test_many_classes_stand_side_by_side():
    assert len(plotting.picture(of_classes(4)).panels) == 6
    roc = of_classes(6)
    compared = roc.compare_to(2)
    (panel,) = panels_of(plotting.picture(compared))
    assert panel["x"]["tick_labels"] == [str(name) for name in roc.classes]
    picture = plotting.picture(compared)
    (dots,) = marks_of(picture, "point")
    assert dots["x"] == np.repeat(np.arange(6.0), len(roc)).tolist()
    assert dots["y"] == roc.mean.T.ravel().tolist()
    (cross,) = marks_of(picture, "operating-point")
    assert cross["y"] == roc.mean[2].tolist()
    (bars,) = marks_of(picture, "interval")
    np.testing.assert_allclose(np.subtract(bars["y_high"], bars["y_low"]), 2 * roc.sem[2])


def test_heat_maps_of_decisions():
    roc = of_classes(4)
    rates, difference = roc.confusion_rates(1), roc.confusion_rates(1, minus=0)
    cells, *texts = plotting.record(plotting.picture(rates))["panels"][0]["marks"]
    assert (cells["mark"], cells["low"], cells["high"], cells["signed"]) == ("HeatMap", 0, 1, False)
    assert cells["values"] == rates.value.tolist()
    shown = [
        f"{v:.2f}\n±{se:.2f}" for v, se in zip(rates.value.flat, rates.se.flat, strict=True) if v >= 0.005
    ]
    assert [text["text"] for text in texts] == shown
    cells, *_ = plotting.record(plotting.picture(difference))["panels"][0]["marks"]
    assert cells["signed"]
    assert cells["high"] == -cells["low"] == np.abs(difference.value).max()


def test_neighbourhood_of_one_class():
    codes = np.arange(60) % 3
    scores = np.random.default_rng(1).random((60, 3)) + 0.5 * np.eye(3)[codes]
    found = rs.weight_neighbourhood(codes, scores, fold=np.arange(60) // 12)
    picture = plotting.picture(found, show=1)
    lines = [mark for mark in panels_of(picture)[0]["marks"] if mark["mark"] == "Line"]
    assert [line["label"] for line in lines] == ["Error of 1", "Error of 0", "Error of 2"]
    assert lines[0]["y"] == found.errors[1, :, 1].tolist()
    with pytest.raises(RocInputError, match="show must be one of '0', '1', '2', got 'x'"):
        plotting.picture(found, show="x")


def test_two_classifiers():
    y, fold = np.arange(80) % 2, np.arange(80) // 16
    rng = np.random.default_rng(3)
    first, second = (
        rs.average_roc(y, np.round(rng.normal(size=80) + shift * y, 1), fold=fold) for shift in (1, 2)
    )
    found = first.compare_with(second, at=["fpr=0.2", "youden"], names=("a", "b"))
    picture = plotting.picture(found)
    assert len(picture.panels) == 2
    curves = marks_of(picture, "curve")
    assert [curve["label"] for curve in curves] == ["a", "b"]
    estimates = [mark for mark in panels_of(picture)[1]["marks"] if mark["mark"] == "Points"]
    assert estimates[0]["x"] == found.difference.ravel().tolist()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measures": ["tpr", "ppv"]}, "measures must be one of 'tpr', 'fpr', got 'ppv'"),
        ({"index": 30}, "index must be one of the 30 points, 0 to 29, got 30"),
    ],
)
def test_refuses(options, message):
    with pytest.raises(RocInputError) as error:
        plotting.picture(averaged(), **options)
    assert str(error.value) == message


@pytest.mark.parametrize("along", ["fpr", "tpr", "threshold"])
def test_averaged_curves(along):
    y, score, fold = two_classes()
    curve = average_curves(y, score, fold=fold, along=along)
    picture = plotting.picture(curve, name="Mean")
    (line,) = marks_of(picture, "curve")
    kind = {"fpr": "vertical", "tpr": "horizontal", "threshold": "threshold"}[along]
    assert line["label"] == f"Mean: {kind} average of 4 folds"
    assert sorted(line["x"]) == sorted(curve.fpr.tolist())
    assert sorted(line["y"]) == sorted(curve.tpr.tolist())
    assert len(marks_of(picture, "fold")) == (0 if along == "threshold" else 4)
    if along == "fpr":
        (band,) = marks_of(picture, "band")
        assert (band["low"], band["high"]) == (curve.low.tolist(), curve.high.tolist())
    else:
        (bars,) = marks_of(picture, "interval")
        assert set(bars["x_high"]) <= set(curve.fpr_high.tolist())
        assert (bars["y_low"] is None) == (along == "tpr")
