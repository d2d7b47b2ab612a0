"""Pictures around one operating point: its measures, the choice of its threshold, its benefit."""

import numpy as np
import pytest

import rocscope as rs
from rocscope import plotting

Y = np.array([0, 0, 0, 0, 0, 1, 1, 1, 1])
S = np.array([0.1, 0.2, 0.3, 0.4, 0.7, 0.35, 0.6, 0.8, 0.9])


def panel_of(picture):
    return plotting.record(picture)["panels"][0]


# Measures


def test_measures_are_a_forest_and_ratios_text():
    found = rs.point_measures(Y, S, threshold=0.5, cost=2)
    panel = panel_of(plotting.picture(found, name="s"))
    bars, points = panel["marks"]
    names = ["sensitivity", "specificity", "ppv", "npv", "accuracy", "balanced_accuracy", "f1", "youden"]
    shown = [found.estimates[name] for name in names]
    assert points["x"] == [e.value for e in shown] + [None] * 4
    assert bars["x_low"] == [e.low for e in shown] + [None] * 4
    assert bars["x_high"] == [e.high for e in shown] + [None] * 4
    assert panel["y"]["tick_labels"][8:] == [
        "Likelihood ratio +",
        "Likelihood ratio -",
        "Net benefit",
        "Expected cost",
    ]
    ratio = found.lr_pos
    assert panel["y"]["far_labels"][8] == f"{ratio.value:.3f} ({ratio.low:.3f}–{ratio.high:.3f})"
    assert panel["title"] == "1 where s >= 0.5\nTP 3, FP 1, FN 1, TN 4"
    assert (panel["x"]["label"], panel["x"]["high"]) == ("Value (95% interval)", 1.02)


def test_measures_that_lack_an_argument_have_no_row():
    found = rs.point_measures(Y, S * 10, threshold=5)
    assert panel_of(plotting.picture(found))["y"]["tick_labels"][-1] == "Likelihood ratio -"


def test_measures_that_are_undefined_or_infinite():
    panel = panel_of(plotting.picture(rs.point_measures(Y, S, threshold=0.75)))
    figures = dict(zip(panel["y"]["tick_labels"], panel["y"]["far_labels"], strict=True))
    assert figures["Likelihood ratio +"].startswith("infinite (at least ")
    nothing = panel_of(plotting.picture(rs.point_measures(Y, S, threshold=np.inf)))
    figures = dict(zip(nothing["y"]["tick_labels"], nothing["y"]["far_labels"], strict=True))
    assert figures["Precision (PPV)"] == "undefined"
    assert nothing["title"].startswith("1 where score >= inf\n")


def test_a_selected_point_says_so_and_a_negative_index_is_shown():
    panel = panel_of(plotting.picture(rs.point_measures(Y, S)))
    assert "chosen on these cases" in panel["title"]
    bad = rs.point_measures(Y, -S, threshold=-0.3)
    assert bad.youden.low < 0
    assert panel_of(plotting.picture(bad))["x"]["low"] == bad.youden.low


# Thresholds


def test_cutpoint_shows_every_choice():
    found = rs.cutpoint(Y, S, n_boot=100, rng=1)
    panel = panel_of(plotting.picture(found, name="marker"))
    stems, interval, selected = panel["marks"]
    finite = np.isfinite(found.choices)
    assert (stems["x"], stems["y_high"]) == (found.choices[finite].tolist(), found.share[finite].tolist())
    assert set(stems["y_low"]) == {0}
    assert (interval["x_low"], interval["x_high"]) == ([found.low], [found.high])
    assert interval["label"] == f"95% interval {found.low:g}–{found.high:g}"
    assert (selected["at"], selected["label"]) == (
        found.threshold,
        f"Chosen on all cases: {found.threshold:g}",
    )
    assert panel["x"]["label"] == "Threshold of marker"
    assert panel["title"].splitlines() == [
        f"{name} {row.apparent:.3f}, on cases left out {row.out_of_bag:.3f}"
        for name, row in zip(("TPR", "FPR", "Youden's index"), found.measures, strict=False)
    ]


def test_cutpoint_tells_of_infinite_thresholds():
    y, s = [0] * 6 + [1] * 6, [1, 2, 3, 4, 5, 12, 6, 7, 8, 9, 10, 11]
    found = rs.cutpoint(y, s, "fpr<=0.1", n_boot=100, rng=1)
    assert found.threshold == np.inf
    panel = panel_of(plotting.picture(found))
    share = found.share[np.isinf(found.choices)].sum()
    assert panel["x"]["label"] == f"Threshold of score\n(infinite in {100 * share:.2g}% of the samples)"
    assert [mark["role"] for mark in panel["marks"]] == ["estimate", "selected"]


def test_cutpoint_without_an_interval():
    found = rs.cutpoint([0, 0, 0, 1], [1, 2, 3, 4], n_boot=100, rng=1)
    panel = panel_of(plotting.picture(found))
    assert [mark["role"] for mark in panel["marks"]] == ["estimate", "reference"]
    assert panel["title"].splitlines()[0] == "TPR 1.000"


def test_integers_beyond_float_can_be_shown():
    found = rs.cutpoint([0, 0, 1, 1], [2**60, 2**60 + 4, 2**60 + 1024, 2**60 + 4096], n_boot=100, rng=1)
    assert isinstance(plotting.picture(found), plotting.Picture)


# Benefit


def test_decision_curve():
    found = rs.net_benefit(Y, S)
    panel = panel_of(plotting.picture(found, name="model"))
    none, all_, shade, model = panel["marks"]
    assert [mark["label"] for mark in panel["marks"]] == [
        "Treat none",
        "Treat all",
        "95% pointwise intervals (mover-wilson)",
        "model",
    ]
    assert none["y"] == [0] * 99
    assert all_["y"] == found.treat_all.tolist()
    assert (model["x"], model["y"]) == (found.band.x.tolist(), found.band.mean.tolist())
    assert shade["low"] == found.band.low.tolist()
    assert panel["y"]["low"] < 0 < max(found.band.high) < panel["y"]["high"]
    assert panel["y"]["label"] == "Net benefit (per case, prevalence 0.444)"


@pytest.mark.parametrize("probabilities", [[0.5], [0.6, 0.2]])
def test_decision_curve_of_few_probabilities(probabilities):
    found = rs.net_benefit(Y, S, probabilities=probabilities, prevalence=0.1)
    line = panel_of(plotting.picture(found))["marks"][-1]
    assert line["x"] == sorted(probabilities)
    assert sorted(line["y"]) == sorted(found.band.mean.tolist())
