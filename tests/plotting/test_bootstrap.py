import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB

from rocscope import plotting
from rocscope.bootstrap.estimates import bootstrap_auc
from rocscope.bootstrap.learning import learning_curve
from rocscope.plotting import forest


def cases(n=30):
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], n // 2)
    return rng.normal(size=(n, 2)) + 0.8 * y[:, np.newaxis], y


def record(result, **options):
    return plotting.record(plotting.picture(result, **options))


def marks_of(panel, kind):
    return [mark for mark in panel["marks"] if mark["mark"] == kind]


def test_rows_are_the_estimates():
    found = bootstrap_auc(GaussianNB(), *cases(), n_boot=40, rng=1)
    area, error = record(found, show="all")["panels"]
    assert record(found)["panels"] == [area]
    assert record(found, show="error")["panels"] == [error]
    names = ["Apparent", "Leave-pair-out", "AUC(*)", ".632", ".632+", "10-fold", "Leave-one-out"]
    assert area["y"]["tick_labels"] == names
    assert error["y"]["tick_labels"][1] == "Leave-one-out bootstrap"
    shown = {}
    for points in marks_of(area, "Points"):
        shown |= dict(zip(points["y"], points["x"], strict=True))
    assert [shown[float(k)] for k in range(7)] == [each.value for each in found.estimates().values()]
    assert marks_of(error, "ReferenceLine")[0]["at"] == found.error.gamma
    assert area["y"]["far_labels"][0] == f"{found.apparent.value:.3f} (no interval)"


def test_undefined_rows_stay_in_their_place():
    X, y = cases()
    found = bootstrap_auc(GaussianNB(), X, y, n_boot=10, rng=1)
    area = record(found)["panels"][0]
    assert area["y"]["far_labels"][-1] == "undefined"
    lone = bootstrap_auc(GaussianNB(), X[:16], y[:16], n_boot=10, rng=1)
    assert record(lone)["panels"][0]["y"]["far_labels"][1] == "undefined"


def test_a_loss_has_a_panel_of_its_own():
    found = bootstrap_auc(GaussianNB(), *cases(), n_boot=10, rng=1, cost=5)
    assert [panel.title for panel in forest.bootstrap_picture(found, show="all").panels][1:] == [
        "Error rate",
        "Expected loss",
    ]


def test_learning_curve_has_four_curves_with_bars():
    found = learning_curve(GaussianNB(), *cases(60), sizes=[12, 24, 40], n_boot=6, rng=1)
    (panel,) = record(found)["panels"]
    lines, bars = marks_of(panel, "Line"), marks_of(panel, "ErrorBars")
    assert [line["label"] for line in lines] == [
        "AUC of n training cases",
        "Apparent AUC",
        "AUC(*) of n / .632 cases",
        "AUC(*) of n / .5 cases",
    ]
    assert lines[0]["y"] == found.auc.tolist()
    assert lines[3]["x"] == [12.0, 24.0]
    reach = np.subtract(bars[0]["y_high"], bars[0]["y"])
    assert reach == pytest.approx(1.959964 * found.mc_error[:, 0], rel=1e-6)


def test_several_learning_curves_have_a_colour_each():
    learners = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}
    found = learning_curve(learners, *cases(40), sizes=[10, 20], n_boot=5, rng=1)
    (panel,) = record(found)["panels"]
    lines, nb = marks_of(panel, "Line"), found.curves["nb"]
    styles = [(line["label"], line["series"]) for line in lines]
    assert styles == [(None, 6), ("lda", 0), (None, 7), ("nb", 1)]  # apparent dashed, of one colour with AUC
    assert [line["y"] for line in lines[2:]] == [nb.apparent.tolist(), nb.auc.tolist()]
