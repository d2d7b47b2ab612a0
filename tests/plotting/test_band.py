"""Bands: shaded over the FPR, crosses at thresholds, outlines where they hold all thresholds at once."""

import numpy as np
import pytest

import rocscope as rs
from rocscope import plotting
from rocscope.core.result import plain
from rocscope.errors import RocInputError
from rocscope.plotting.bands import SHOWN_CROSSES

RNG = np.random.default_rng(5)
Y = np.repeat([0, 1], [40, 30])
S = np.round(RNG.normal(size=70) + Y, 2)


def panel_of(picture):
    return plotting.record(picture)["panels"][0]


def marks_of(picture, kind):
    return [mark for mark in panel_of(picture)["marks"] if mark["mark"] == kind]


def labels_of(picture):
    return [mark["label"] for mark in panel_of(picture)["marks"] if mark["label"]]


def test_at_rates_the_band_is_shaded():
    band = rs.roc_band(Y, S, n_boot=100, rng=1)
    picture = plotting.picture(band)
    (shade,) = marks_of(picture, "Band")
    assert shade["x"] == band.x.tolist()
    assert shade["low"] == plain(band.low)  # undefined where all replicates agree
    assert shade["high"] == plain(band.high)
    _, line = marks_of(picture, "Line")
    assert (line["x"][0], line["y"][0]) == (0, 0)
    assert (line["x"][1:], line["y"][1:]) == (band.x.tolist(), band.mean.tolist())
    assert labels_of(picture) == ["Chance (AUC = 0.5)", "95% pointwise intervals (fiducial)", "ROC curve"]
    assert panel_of(picture)["equal_aspect"]


def test_at_sensitivities_the_band_has_outlines_or_bars_along_the_fpr():
    band = rs.roc_band(Y, S, at="tpr", n_boot=100, rng=1)
    _, left, right, line = marks_of(plotting.picture(band), "Line")
    order = np.argsort(band.fpr + band.mean, kind="stable")
    assert (left["x"], left["y"]) == (plain(band.fpr_low[order]), band.mean[order].tolist())
    assert (right["x"], right["y"]) == (plain(band.fpr_high[order]), band.mean[order].tolist())
    assert line["x"][1:] == band.fpr[order].tolist()
    few = rs.roc_band(Y, S, at="tpr", x=[0.5, 0.8], n_boot=100, rng=1)
    (bars,) = marks_of(plotting.picture(few), "ErrorBars")
    assert (bars["x_low"], bars["x_high"], bars["y_low"]) == (
        few.fpr_low.tolist(),
        few.fpr_high.tolist(),
        None,
    )


def test_the_curve_itself_may_be_given():
    curve, area = rs.roc_curve(Y, S), rs.auc(Y, S)
    band = rs.roc_band(Y, S, n_boot=100, rng=1, level=0.9, simultaneous=True)
    picture = plotting.picture(band, curve=curve, name="test", estimate=area)
    line = marks_of(picture, "Line")[1]
    assert (line["x"], line["y"]) == (curve.fpr.tolist(), curve.tpr.tolist())
    assert line["label"] == f"test (AUC = {area.value:.2f}, 95% CI {area.low:.2f}–{area.high:.2f})"
    assert f"90% simultaneous band ({band.method})" in labels_of(picture)
    assert panel_of(picture)["x"]["label"].endswith("(Positive label: 1)")


def test_at_thresholds_some_points_carry_bars_both_ways():
    band = rs.roc_band(Y, S, at="threshold")
    (bars,) = marks_of(plotting.picture(band), "ErrorBars")
    assert 5 < len(bars["x"]) <= SHOWN_CROSSES
    rows = {row: k for k, row in enumerate(zip(band.fpr.tolist(), band.mean.tolist(), strict=True))}
    kept = [rows[row] for row in zip(bars["x"], bars["y"], strict=True)]
    for name, values in {
        "x_low": band.fpr_low,
        "x_high": band.fpr_high,
        "y_low": band.low,
        "y_high": band.high,
    }.items():
        assert bars[name] == values[kept].tolist()


def test_few_thresholds_are_named_points():
    band = rs.roc_band(Y, S, at="threshold", x=[1.0, 0.2])
    picture = plotting.picture(band)
    (bars,) = marks_of(picture, "ErrorBars")
    assert sorted(bars["x"]) == sorted(band.fpr.tolist())
    (points,) = marks_of(picture, "Points")
    assert (points["x"], points["y"]) == (band.fpr.tolist(), band.mean.tolist())
    texts = [mark["text"] for mark in marks_of(picture, "Text")]
    assert texts == [
        f"{t:g} (FPR {x:.2f}, TPR {y:.2f})" for t, x, y in zip((1, 0.2), band.fpr, band.mean, strict=True)
    ]
    assert [line["role"] for line in marks_of(picture, "Line") if line["role"] != "leader"] == ["chance"]


def test_few_rates_are_points_with_standing_bars():
    band = rs.roc_band(Y, S, x=[0.1, 0.5], n_boot=100, rng=1)
    picture = plotting.picture(band)
    (bars,) = marks_of(picture, "ErrorBars")
    assert bars["x_low"] is None
    assert (bars["y_low"], bars["y_high"]) == (band.low.tolist(), band.high.tolist())
    assert marks_of(picture, "Text") == []


def test_a_simultaneous_band_at_thresholds_has_two_outlines():
    band = rs.roc_band(Y, S, at="threshold", simultaneous=True)
    upper, lower = (m for m in marks_of(plotting.picture(band), "Line") if m["role"] == "interval")
    assert sorted(upper["x"]) == sorted(band.fpr_low.tolist())
    assert sorted(upper["y"]) == sorted(band.high.tolist())
    assert sorted(lower["x"]) == sorted(band.fpr_high.tolist())
    assert sorted(lower["y"]) == sorted(band.low.tolist())
    assert (upper["label"], lower["label"]) == ("95% simultaneous band (equal-precision)", None)


def test_a_band_without_intervals_keeps_its_curve():
    band = rs.roc_band([0, 0, 1], [1, 2, 3], method="bootstrap", n_boot=100, rng=1)
    picture = plotting.picture(band)
    assert set(marks_of(picture, "Band")[0]["low"]) == {None}
    assert len(marks_of(picture, "Line")) == 2


def test_a_band_without_intervals_leaves_room_for_the_texts_of_points():
    y, score = [0, 0, 1], [1, 2, 3]
    curve = rs.roc_curve(y, score)
    picture = plotting.picture(rs.roc_band(y, score, n_boot=100, rng=1), curve=curve, points=[curve.select()])
    assert [mark["text"] for mark in marks_of(picture, "Text")] == ["3 (FPR 0.00, TPR 1.00)"]


def test_a_band_of_something_else_has_its_own_axes():
    found = rs.precision_recall(Y, S, n_boot=100, rng=1).band
    panel = panel_of(plotting.picture(found))
    assert (panel["x"]["label"], panel["y"]["label"]) == ("Recall", "Precision")
    shade, line = panel["marks"]
    assert (line["x"], line["label"]) == (found.x.tolist(), "precision")
    assert shade["high"] == [None if np.isnan(v) else v for v in found.high.tolist()]
    with pytest.raises(RocInputError) as error:
        plotting.picture(found, curve=rs.roc_curve(Y, S))
    assert str(error.value) == "curve must be left out for a band that is not of a ROC curve"


def test_points_of_the_curve_are_marked():
    curve = rs.roc_curve(Y, S)
    index = curve.select()
    picture = plotting.picture(rs.roc_band(Y, S, n_boot=100, rng=1), curve=curve, points=[index])
    (points,) = marks_of(picture, "Points")
    assert (points["x"], points["y"]) == ([curve.fpr[index]], [curve.tpr[index]])
    (text,) = marks_of(picture, "Text")
    assert text["text"].startswith(f"{curve.thresholds[index]:.4g} (FPR ")


def test_a_selected_point_of_few_thresholds_is_named_once():
    y, s = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 4, 3, 2, 1, 4, 5]
    curve = rs.roc_curve(y, s)
    index = curve.select("tpr>=0.4")
    band = rs.roc_band(y, s, at="threshold", simultaneous=True)
    picture = plotting.picture(band, curve=curve, points=[index])
    texts = [text["text"] for text in marks_of(picture, "Text")]
    assert texts.count("4 (FPR 0.25, TPR 0.50)") == 1
    assert sorted(text[0] for text in texts) == ["1", "2", "3", "4", "5"]
    places, selected = marks_of(picture, "Points")
    assert (len(places["x"]), selected["x"]) == (5, [0.25])
