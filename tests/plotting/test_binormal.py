"""Pictures of binormal fits."""

import numpy as np
import pytest

from rocscope import plotting
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import fit_binormal
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError

TABLE = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
FIT = fit_binormal(TABLE)


def panel_of(result, **options):
    (panel,) = plotting.record(plotting.picture(result, **options))["panels"]
    return panel


def marks_of(panel, role):
    return [mark for mark in panel["marks"] if mark["role"] == role]


def labels_of(panel):
    return [mark["label"] for mark in panel["marks"] if mark["label"]]


# ---- ROC axes ---------------------------------------------------------------------------------------------


def test_the_fit_stands_on_its_band_and_beside_the_data():
    panel = panel_of(FIT, name="CT", level=0.9)
    assert labels_of(panel) == [
        "Chance (AUC = 0.5)",
        "90% pointwise intervals (binormal ml)",
        "Empirical (AUC = 0.89)",
        "CT (AUC = 0.91, 90% CI 0.85–0.95)",
    ]
    (curve,), (data,), (band,) = (marks_of(panel, role) for role in ("curve", "hull", "band"))
    np.testing.assert_allclose(curve["y"], FIT.tpr(curve["x"]))
    assert (curve["x"][0], curve["x"][-1]) == (0.0, 1.0)
    fpr, tpr = FIT.categories.rates()
    assert data["x"] == [0.0, *fpr[::-1].tolist(), 1.0]
    assert data["y"] == [0.0, *tpr[::-1].tolist(), 1.0]
    expected = FIT.band(band["x"], level=0.9)
    np.testing.assert_allclose(band["low"], expected.low)


def test_a_curve_made_alone_has_neither():
    assert labels_of(panel_of(Binormal(a=1.5, b=0.8))) == ["Chance (AUC = 0.5)", "Binormal (AUC = 0.88)"]


def test_without_a_fit_the_data_and_the_reason_are_shown():
    fit = fit_binormal([0, 0, 1, 1], [1, 2, 3, 4])
    panel = panel_of(fit)
    assert panel["title"] == "No fit (perfect): all positives have higher scores than all negatives"
    assert labels_of(panel) == ["Chance (AUC = 0.5)", "Empirical (AUC = 1.00)"]
    assert panel_of(fit, axes="deviate") == panel


def test_related_models_are_shown_the_same_way():
    fit = fit_binormal(TABLE, proper=True)
    panel = panel_of(fit)
    assert labels_of(panel)[-2] == "Empirical (AUC = 0.89)"
    assert labels_of(panel)[-1].startswith("Proper binormal (AUC = 0.91")
    (curve,) = marks_of(panel, "curve")
    np.testing.assert_allclose(curve["y"], fit.tpr(curve["x"]))
    with pytest.raises(RocInputError) as error:
        plotting.picture(fit, axes="density")
    assert str(error.value) == "axes must be 'roc' for a ProperBinormal, got 'density'"


def test_long_curves_are_thinned():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 20_000)
    panel = panel_of(fit_binormal(y, y + rng.normal(size=y.size)))
    (data,) = marks_of(panel, "hull")
    assert 1000 < len(data["x"]) <= 2000


# ---- Normal-deviate axes ----------------------------------------------------------------------------------


def test_the_line_and_the_points_on_deviate_axes():
    panel = panel_of(FIT, axes="deviate", name="CT")
    (line,), (points,) = (marks_of(panel, role) for role in ("curve", "point"))
    x, y = np.array(line["x"]), np.array(line["y"])
    np.testing.assert_allclose(y, FIT.a + FIT.b * x)
    assert line["label"] == "CT: 1.657 + 0.713 z"
    assert len(points["x"]) == 4
    assert panel["x"]["tick_labels"] == ["0.01", "0.05", "0.1", "0.2", "0.5", "0.8", "0.9", "0.95", "0.99"]
    from scipy import special

    rates = special.ndtr(panel["x"]["ticks"])
    np.testing.assert_allclose(rates, [float(text) for text in panel["x"]["tick_labels"]], atol=1e-4)
    assert panel_of(FIT.deviates(), name="CT") == panel


def test_a_long_axis_has_fewer_ticks_and_many_points_are_thinned():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 20_000)
    panel = panel_of(fit_binormal(y, y + rng.normal(size=y.size)), axes="deviate")
    assert panel["y"]["tick_labels"] == ["0.001", "0.01", "0.1", "0.5", "0.9", "0.99", "0.999"]
    (points,) = marks_of(panel, "point")
    assert len(points["x"]) <= 300


def test_a_line_without_data_has_no_points():
    assert labels_of(panel_of(Binormal(a=1, b=1), axes="deviate")) == ["Chance", "Binormal: 1.000 + 1.000 z"]


# ---- Densities --------------------------------------------------------------------------------------------


def test_densities_with_their_errors():
    found = FIT.densities(fpr=0.1)
    panel = panel_of(found, name="CT")
    assert labels_of(panel) == [
        "False positives (0.10)",
        f"False negatives ({found.fnr:.2f})",
        "Negatives",
        "Positives",
        "Threshold 1.282",
    ]
    false_pos, false_neg = marks_of(panel, "band")
    assert min(false_pos["x"]) == max(false_neg["x"]) == found.threshold
    assert panel["title"] == "CT"
    assert panel_of(FIT, axes="density") == panel_of(FIT.densities())


def test_axes_are_checked():
    with pytest.raises(RocInputError, match="axes must be one of 'roc', 'deviate', 'density', got 'rok'"):
        plotting.picture(FIT, axes="rok")
