import numpy as np
import pytest

import rocscope as rs
from rocscope import plotting
from rocscope.plotting.layout import SHOWN_VERTICES

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def panel_of(picture):
    return plotting.record(picture)["panels"][0]


def sample(n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    return y, y + rng.normal(size=n)


def test_curve_goes_through_vertices_and_band():
    found = rs.precision_recall(Y, S, recall=[0.25, 0.75, 1], n_boot=100, rng=1)
    chance, _, line = panel_of(plotting.picture(found))["marks"]
    assert (chance["x"], chance["y"]) == ([0, 1], [0.5, 0.5])
    assert line["x"] == [0.25, 0.5, 0.5, 0.75, 1, 1, 1]
    assert line["y"] == pytest.approx([1, 1, 1 / 2, 3 / 5, 2 / 3, 1 / 2, 2 / 3])


def test_band_legend_and_axes():
    y, s = sample(60)
    found = rs.precision_recall(y, s, n_boot=100, rng=1, level=0.9)
    panel = panel_of(plotting.picture(found, name="test"))
    chance, shade, line = panel["marks"]
    area = found.average_precision
    assert line["label"] == f"test (AP = {area.value:.2f}, 90% CI {area.low:.2f}–{area.high:.2f})"
    assert chance["label"] == f"No information (precision = {found.prevalence:.2f})"
    assert shade["label"] == "90% pointwise intervals (bootstrap)"
    assert shade["x"] == found.band.x.tolist()
    assert panel["x"]["label"] == "Recall (sensitivity)\n(Positive label: 1)"
    assert panel["y"]["label"].startswith("Precision (positive predictive value)")


def test_undefined_intervals_leave_gaps():
    found = rs.precision_recall([0, 1], [0, 1], n_boot=100, rng=1, method="bootstrap")
    _, shade, line = panel_of(plotting.picture(found))["marks"]
    assert set(shade["low"]) == set(shade["high"]) == {None}
    assert line["label"] == "AP = 1.00"


@pytest.mark.parametrize(("prevalence", "legend"), [(0.5, "lower left"), (0.01, "below")])
def test_legend_covers_nothing(prevalence, legend):
    y = np.repeat([0, 1], 30)
    s = y * 1.5 + np.random.default_rng(1).normal(size=60)
    found = rs.precision_recall(y, s, prevalence=prevalence, n_boot=100, rng=1)
    assert panel_of(plotting.picture(found))["legend"] == legend


def test_long_curve_is_thinned():
    found = rs.precision_recall(*sample(20_000), recall=[0.5], n_boot=100, rng=1)
    line = panel_of(plotting.picture(found))["marks"][-1]
    assert len(line["x"]) <= SHOWN_VERTICES
    assert line["x"][-1] == 1
