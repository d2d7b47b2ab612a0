from dataclasses import replace

import numpy as np
import pytest

from rocscope import plotting
from rocscope.binormal.fusion import preview_fusion
from rocscope.errors import RocInputError
from rocscope.plotting import binormal


def simulated(n=300, seed=1):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], n // 2)
    shared = rng.normal(size=n)
    return y, *(0.8 * shared + 0.6 * rng.normal(size=n) + shift * y for shift in (1.0, 1.4))


@pytest.fixture(scope="module")
def preview():
    return preview_fusion(*simulated())


def panels_of(result, **options):
    return plotting.record(binormal.fusion_picture(result, **options))["panels"]


def marks_of(panel, role):
    return [mark for mark in panel["marks"] if mark["role"] == role]


def test_three_maps_side_by_side(preview):
    shown = binormal.fusion_picture(preview)
    assert shown.columns == 3
    assert shown.title == "AUC of weighted sums, raw outputs"
    titles = [panel.title.splitlines()[0] for panel in shown.panels]
    assert titles == ["Predicted, independent", "Predicted, correlated", "Counted"]
    best = preview.best("correlated")
    best_text = f"best {best.value:.4f} at {best.weight_a:g} : {best.weight_b:g} (cross)"
    assert shown.panels[1].title.splitlines()[1] == best_text
    assert (shown.panels[0].x.label, shown.panels[0].y.label) == ("Weight of score_a", "Weight of score_b")


def test_cells_are_the_columns(preview):
    for panel, name in zip(panels_of(preview), ("independent", "correlated", "empirical"), strict=True):
        (cells,) = marks_of(panel, "cells")
        values = np.array(cells["values"])
        assert values.shape == (10, 10)
        # Rows go along the second weight, columns along the first.
        assert values[9, 0] == getattr(preview, name)[9]
        assert preview.weights[9].tolist() == [0.1, 1.0]
        np.testing.assert_allclose(cells["x_edges"], np.arange(0.05, 1.1, 0.1))


def test_common_and_own_colours(preview):
    ends = {tuple(marks_of(p, "cells")[0][k] for k in ("low", "high")) for p in panels_of(preview)}
    assert ends == {(preview.values().min(), preview.values().max())}
    own = [marks_of(p, "cells")[0]["low"] for p in panels_of(preview, colours="own")]
    assert own == [None, None, None]


def test_all_pairs_of_the_best_ratio_are_marked():
    found = preview_fusion(*simulated(), weights=[[1, 1], [1, 2], [2, 1], [2, 2]])
    for panel, by in zip(panels_of(found), ("independent", "correlated", "empirical"), strict=True):
        (best,), (worst,) = marks_of(panel, "operating-point"), marks_of(panel, "indistinguishable")
        assert len(best["x"]) == found.best(by).n_equal
        assert len(worst["x"]) == found.worst(by).n_equal


def test_a_grid_with_zeros_leaves_one_cell_empty():
    found = preview_fusion(*simulated(), weights=[0, 0.5, 1])
    (cells,) = marks_of(panels_of(found)[2], "cells")
    assert np.isnan(np.array(cells["values"], dtype=float)).sum() == 1


def test_weights_without_a_grid_are_shown_over_their_angle():
    found = preview_fusion(*simulated(), weights=[[1, 0], [2, 1], [1, 1], [1, 2], [0, 1], [2, 2]])
    (panel,) = panels_of(found)
    lines = marks_of(panel, "curve")
    assert [line["label"].split(":")[0] for line in lines] == [
        "Predicted, independent",
        "Predicted, correlated",
        "Counted",
    ]
    np.testing.assert_allclose(
        lines[2]["x"], [0, np.degrees(np.arctan(0.5)), 45, np.degrees(np.arctan(2)), 90]
    )
    np.testing.assert_allclose(lines[2]["y"], found.empirical[:5])
    assert len(marks_of(panel, "selected")) == 3
    assert marks_of(panel, "band") == []
    with pytest.raises(RocInputError) as error:
        binormal.fusion_picture(found, show="maps")
    assert str(error.value) == "show must be 'angle' for weights that make no full grid, got 'maps'"


def test_bands_and_bests_of_a_cost():
    found = preview_fusion(*simulated(100), weights=[[1, 0], [1, 1], [0, 1]], target="cost", cost=(1, 3))
    found = replace(found, low=found.values() - 0.1, high=found.values() + 0.2, n_boot=100)
    (panel,) = panels_of(found, show="angle")
    bands, selected = marks_of(panel, "band"), marks_of(panel, "selected")
    assert len(bands) == 3
    np.testing.assert_array_equal(bands[2]["low"], found.low[:, 2])
    assert selected[2]["y"] == [found.empirical.min()]
    assert panel["title"].endswith("bands: 95% interval, bootstrap")


def test_what_is_undefined_says_why():
    y, a, _ = simulated()
    found = preview_fusion(y, a, 3 * a)
    panels = panels_of(found)
    assert marks_of(panels[1], "cells") == []
    assert marks_of(panels[1], "note")[0]["text"].startswith("Corr_neg is singular")
    assert len(marks_of(panels_of(found, show="angle")[0], "curve")) == 2


def test_wrong_options(preview):
    with pytest.raises(RocInputError, match="show must be one of 'maps', 'angle', got 'curve'"):
        binormal.fusion_picture(preview, show="curve")
    with pytest.raises(RocInputError, match="colours must be one of 'common', 'own', got 'all'"):
        binormal.fusion_picture(preview, colours="all")


@pytest.mark.slow
def test_drawn(preview, tmp_path):
    assert plotting.picture(preview).panels[2].title.startswith("Counted")
    for show in ("maps", "angle"):
        path = tmp_path / f"{show}.png"
        plotting.save(plotting.picture(preview, show=show), path, dpi=40)
        assert path.stat().st_size > 3000
