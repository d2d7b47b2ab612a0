import numpy as np
import pytest

from rocscope import plotting
from rocscope.bootstrap.components import difference_components, variance_components
from rocscope.bootstrap.monte_carlo import monte_carlo
from rocscope.errors import RocInputError
from rocscope.plotting import monte_carlo as monte_carlo_views


@pytest.fixture(scope="module")
def result():
    return monte_carlo("lda", n=[20, 10, 40], trials=30, n_boot=10, n_test=50, rng=1)


def panel_of(picture):
    return plotting.record(picture)["panels"][0]


def lines_of(panel):
    return {mark["label"]: mark for mark in panel["marks"] if mark["role"] == "curve"}


def test_estimators_are_drawn_over_the_size(result):
    panel = panel_of(plotting.picture(result))
    lines = lines_of(panel)
    assert list(lines) == ["True AUC", "AUC(*)", ".632", ".632+"]
    assert [lines[name]["series"] for name in lines] == [0, 1, 2, 3]
    for name, estimator in zip(lines, ("true", "star", "point632", "point632plus"), strict=True):
        assert lines[name]["x"] == np.log2([10, 20, 40]).tolist()
        assert lines[name]["y"] == [result.row(n, estimator).mean for n in (10, 20, 40)]
    assert panel["x"]["tick_labels"] == ["10", "20", "40"]
    assert panel["title"] == "LDA, 5 features: 30 trials, 10 bootstraps"


def test_bars_are_intervals_of_the_monte_carlo_error(result):
    panel = panel_of(plotting.picture(result))
    bars = [mark for mark in panel["marks"] if mark["role"] == "interval"]
    row = result.row(10, "star")
    assert bars[1]["y_low"][0] == pytest.approx(row.mean - 1.959964 * row.mean_error)
    assert bars[1]["y_high"][0] == pytest.approx(row.mean + 1.959964 * row.mean_error)
    ends = [end for bar in bars for end in (*bar["y_low"], *bar["y_high"])]
    assert panel["y"]["low"] < min(ends)
    assert panel["y"]["high"] > max(ends)


@pytest.mark.parametrize(("sizes", "ticks"), [((20, 40), "10 20 40"), ((25,), "13 25")])
def test_ticks_of_rescaled_curves_begin_where_the_curves_do(sizes, ticks):
    study = monte_carlo("lda", n=sizes, trials=5, n_boot=2, n_test=9, rng=1)
    panel = panel_of(plotting.picture(study, show="rescaled"))
    assert panel["x"]["tick_labels"] == ticks.split()
    np.testing.assert_allclose(2 ** np.array(panel["x"]["ticks"]), [float(one) for one in ticks.split()])
    assert panel["x"]["low"] < panel["x"]["ticks"][0]


def test_rescaled_curves_are_shown_where_there_are_all_three(result):
    panel = panel_of(plotting.picture(result, show="rescaled"))  # sizes 10, 20 and 40
    assert panel["x"]["tick_labels"] == ["10", "20"]
    assert np.log2(9) < panel["x"]["low"] < np.log2(10) < np.log2(20) < panel["x"]["high"] < np.log2(22)
    means = [result.row(n, "star").mean for n in (20, 40)] + [result.row(n, "true").mean for n in (10, 20)]
    assert panel["y"]["low"] < min(means)
    assert max(means) < panel["y"]["high"]


def test_rescaled_star_stands_at_the_size_it_is_said_to_train_on(result):
    lines = lines_of(panel_of(plotting.picture(result, show="rescaled")))
    assert list(lines) == ["True AUC at n", "AUC(*) at n / .632", "AUC(*) at n / .5"]
    np.testing.assert_allclose(2 ** np.array(lines["AUC(*) at n / .632"]["x"]), [6.32, 12.64, 25.28])
    np.testing.assert_allclose(2 ** np.array(lines["AUC(*) at n / .5"]["x"]), [5, 10, 20])
    assert lines["AUC(*) at n / .5"]["y"] == [result.row(n, "star").mean for n in (10, 20, 40)]


def test_true_and_apparent_areas_have_one_colour_per_dimension(result):
    other = monte_carlo("lda", n=[10, 80], dimension=2, trials=20, n_boot=0, n_test=50, rng=1)
    panel = panel_of(monte_carlo_views.dimensions([result, other]))
    series = [mark["series"] for mark in panel["marks"] if mark["role"] == "curve"]
    assert series == [6, 0, 7, 1]  # apparent dashed, true solid, of one colour
    assert list(filter(None, lines_of(panel))) == ["p = 5", "p = 2"]
    assert panel["title"] == "LDA: true (solid) and apparent (dashed) AUC"
    assert panel["x"]["tick_labels"] == ["10", "20", "40", "80"]
    single = panel_of(plotting.picture(other, show="training"))
    assert list(filter(None, lines_of(single))) == ["p = 2"]


def test_learners_are_named_where_they_differ(result):
    other = monte_carlo("1nn", n=10, trials=5, n_boot=0, n_test=20, rng=1)
    panel = panel_of(monte_carlo_views.dimensions([result, other]))
    assert list(filter(None, lines_of(panel))) == ["LDA, p = 5", "1-nearest neighbour, p = 5"]
    assert panel["title"] == "True (solid) and apparent (dashed) AUC"


def test_the_ideal_area_is_drawn_where_there_is_one(result):
    panel = panel_of(plotting.picture(result))
    (ideal,) = (mark for mark in panel["marks"] if mark["role"] == "reference")
    assert (ideal["label"], ideal["at"]) == ("Ideal classifier, 0.74", result.ideal_auc)
    unequal = monte_carlo("lda", n=5, covariance=([[1.0]], [[2.0]]), trials=5, n_boot=2, n_test=9, rng=1)
    assert not [mark for mark in panel_of(plotting.picture(unequal))["marks"] if mark["role"] == "reference"]


def test_a_result_without_bootstraps_has_one_picture():
    bare = monte_carlo("lda", n=5, trials=5, n_boot=0, n_test=9, rng=1)
    shown = [plotting.record(plotting.picture(bare, **given)) for given in ({}, {"show": "training"})]
    assert shown[0] == shown[1]
    with pytest.raises(RocInputError) as error:
        plotting.picture(bare, show="estimators")
    assert str(error.value) == ("show must be 'training' for a result without bootstraps, got 'estimators'")
    with pytest.raises(
        RocInputError, match=r"^show must be one of 'estimators', 'training', 'rescaled', got"
    ):
        plotting.picture(bare, show="all")
    assert panel_of(plotting.picture(bare, show="training"))["marks"]


def test_components_are_bars_in_groups():
    found = variance_components("qda", n=[10, 20], training_sets=20, test_sets=20, n_test=30, rng=1)
    panel = panel_of(plotting.picture(found))
    assert [mark["label"] for mark in panel["marks"]] == ["Training set", "Test set", "Both together"]
    assert panel["marks"][1]["length"] == [found.row(n, "test").sd for n in (10, 20)]
    edges = [(mark["low"][0], mark["high"][0]) for mark in panel["marks"]]
    assert [a[1] for a in edges[:2]] == pytest.approx([b[0] for b in edges[1:]])
    assert panel["title"] == "QDA: one training set and one test set of 30 per class"
    assert monte_carlo_views.components_picture(found).panels[0].legend == "upper right"


def test_components_of_a_difference_stand_beside_those_of_both_areas():
    found = difference_components("qda", "1nn", n=[10, 20], training_sets=20, test_sets=20, n_test=30, rng=1)
    panels = plotting.record(plotting.picture(found))["panels"]
    assert [panel["title"] for panel in panels] == [
        "QDA",
        "1-nearest neighbour",
        "QDA minus 1-nearest neighbour",
    ]
    for panel, part in zip(panels, (found.first, found.second, found.difference), strict=True):
        assert panel["marks"][0]["length"] == [part.row(n, "training").sd for n in (10, 20)]
    assert len({panel["y"]["high"] for panel in panels}) == 1  # bars of one height are of one size
    assert [panel["legend"] is None for panel in panels] == [True, True, False]
    none = difference_components("lda", "lda", n=5, training_sets=3, test_sets=3, n_test=9, rng=1)
    assert plotting.record(plotting.picture(none))["panels"][2]["marks"][0]["length"] == [0.0]


@pytest.mark.slow
@pytest.mark.parametrize("show", ["estimators", "training", "rescaled"])
@pytest.mark.parametrize("n", [20, [20, 40], range(5, 60, 2)])
def test_every_picture_can_be_drawn(show, n, tmp_path):
    found = monte_carlo("nearest-mean", n=n, trials=4, n_boot=4, n_test=10, rng=1)
    plotting.save(plotting.picture(found, show=show), tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 1000
