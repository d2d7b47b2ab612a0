import numpy as np
import pytest

from rocscope import plotting
from rocscope.errors import RocInputError
from rocscope.ordinal.comparison import compare_ordinal
from rocscope.ordinal.roc import ordinal_roc
from rocscope.plotting import ordinal


def sample(n=300, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 5, n)
    return y, y + rng.normal(0, 0.6, n)


@pytest.fixture
def result():
    return ordinal_roc(*sample())


def panels_of(result, **options):
    return plotting.record(ordinal.ordinal_picture(result, **options))["panels"]


def marks_of(panel, role):
    return [mark for mark in panel["marks"] if mark["role"] == role]


def test_one_panel_per_class_with_its_figures(result):
    panels = panels_of(result)
    assert panels[0]["title"] == f"Class 1 ({result.curves[0].n_pos} cases)\nAUC {result.max_auc[0]:.3f}"
    assert panels[1]["title"] == (
        f"Class 2 ({result.curves[1].n_pos} cases)\n"
        f"MaxAUC {result.max_auc[1]:.3f}, AvgAUC {result.avg_auc[1]:.3f}"
    )
    assert len(panels) == 4
    assert ordinal.ordinal_picture(result).columns == 2


def test_curves_are_those_of_the_result(result):
    panels = panels_of(result)
    for one, panel in zip(result.curves, panels, strict=True):
        lines = marks_of(panel, "curve")
        assert [line["series"] for line in lines] == list(range(len(one)))
        shades = [line.get("shade") for line in lines]
        assert shades == ([k / 9 for k in range(10)] if len(one) > 1 else [None])
        for curve, line in zip(one, lines, strict=True):
            assert (line["x"], line["y"]) == (curve.fpr.tolist(), curve.tpr.tolist())
    labels = [line["label"] for line in marks_of(panels[1], "curve")]
    best = int(np.argmax(result.curves[1].auc))
    assert labels[best] == f"t_a = {result.curves[1].lower[best]:.3g} (max)"
    assert sum("max" in label for label in labels) == 1
    assert marks_of(panels[0], "curve")[0]["label"] == "t_b from 1.09 to 1.91"
    assert marks_of(panels[3], "curve")[0]["label"] == "t_a from 3.09 to 3.91"


def test_upper_thresholds_are_named_where_they_are_fixed():
    panels = panels_of(ordinal_roc(*sample(), fixed="upper"))
    assert marks_of(panels[1], "curve")[0]["label"].startswith("t_b = 2.09")


def test_of_many_curves_ten_are_shown_with_the_best():
    result = ordinal_roc(*sample(), thresholds=47)
    assert ordinal.ordinal_picture(result).title == "10 curves of each class, of up to 47"
    for one, panel in zip(result.curves[1:3], panels_of(result)[1:3], strict=True):
        lines = marks_of(panel, "curve")
        assert len(lines) == 10
        (best,) = (line for line in lines if "max" in line["label"])
        assert best["y"] == one[int(np.argmax(one.auc))].tpr.tolist()


def test_intervals_stand_in_the_title():
    result = ordinal_roc(*sample(), n_boot=100, rng=1)
    low, high = (result.estimates["avg_auc(2)"][end] for end in ("low", "high"))
    assert panels_of(result)[1]["title"].endswith(f"AvgAUC {result.avg_auc[1]:.3f} ({low:.3f}-{high:.3f})")


def test_points_are_the_matrix_and_its_front(result):
    for one, front, panel in zip(result.curves, result.front, panels_of(result, show="points"), strict=True):
        (points,) = marks_of(panel, "point")
        np.testing.assert_allclose(points["x"], one.fpr.ravel())
        np.testing.assert_allclose(points["y"], one.tpr.ravel())
        (line,) = marks_of(panel, "curve")
        assert (line["x"], line["y"]) == (front.fpr.tolist(), front.tpr.tolist())
        what = "thresholds" if one.value in (1, 4) else "pairs of thresholds"
        assert points["label"] == f"{one.tp.size} {what}"
        assert line["label"] == f"Pareto front ({len(front)} points)"


def test_a_front_of_one_point_is_in_the_singular():
    panel = panels_of(ordinal_roc([1, 1, 2, 2], [1, 1.2, 1.8, 2], thresholds=1), show="points")[0]
    assert marks_of(panel, "curve")[0]["label"] == "Pareto front (1 point)"


def test_of_many_points_an_even_choice_is_shown():
    panel = panels_of(ordinal_roc(*sample(), thresholds="all"), show="points")[1]
    (points,) = marks_of(panel, "point")
    assert len(points["x"]) == 625
    assert points["label"].startswith("625 of ")


def test_heat_maps_share_one_scale(result):
    panels = panels_of(result, show="youden")
    maps = [marks_of(panel, "cells")[0] for panel in panels[1:3]]
    indices = [one.tpr - one.fpr for one in result.curves]
    ends = [min(i.min() for i in indices), max(i.max() for i in indices)]
    for cells in maps:
        assert [cells["low"], cells["high"]] == pytest.approx(ends)
    for cells, one, panel in zip(maps, result.curves[1:3], panels[1:3], strict=True):
        np.testing.assert_allclose(cells["values"], one.tpr - one.fpr, atol=1e-12)
        assert len(cells["x_edges"]) == len(one.upper) + 1
        assert cells["x_edges"][0] < one.upper[0] < cells["x_edges"][1]
        (best,) = marks_of(panel, "selected")
        assert (best["x"], best["y"]) == ([one.youden_upper], [one.youden_lower])


def test_outer_classes_have_a_line_of_the_index(result):
    first, last = (panels_of(result, show="youden")[k] for k in (0, -1))
    for panel, one, moving in (
        (first, result.curves[0], result.curves[0].upper),
        (last, result.curves[-1], result.curves[-1].lower),
    ):
        (line,) = marks_of(panel, "curve")
        assert line["x"] == moving.tolist()
        np.testing.assert_allclose(line["y"], (one.tpr - one.fpr).ravel(), atol=1e-12)
        (best,) = marks_of(panel, "selected")
        assert best["y"] == [one.youden]


@pytest.mark.parametrize("show", ["curves", "points", "youden"])
def test_undefined_class_says_why(show):
    y, e = sample()
    panels = panels_of(ordinal_roc(y, e, classes=[1, 2, 3, 4, 5]), show=show)
    assert panels[4]["title"] == "Class 5\nundefined"
    assert panels[4]["marks"][0]["text"] == "class 5 has no member"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("show", "thresholds"), [("curves", 1), ("curves", "all"), ("points", 1), ("youden", 10)]
)
def test_every_picture_can_be_drawn(show, thresholds, tmp_path):
    plotting.save(
        ordinal.ordinal_picture(ordinal_roc(*sample(), thresholds=thresholds), show=show), tmp_path / "a.png"
    )
    assert (tmp_path / "a.png").stat().st_size > 1000


def test_refuses_other_pictures(result):
    with pytest.raises(RocInputError) as error:
        ordinal.ordinal_picture(result, show="curve")
    assert str(error.value) == (
        "show must be one of 'curves', 'points', 'youden', got 'curve'; did you mean 'curves'?"
    )


def test_some_classes_alone(result):
    panels = panels_of(result, classes=[2])
    assert panels == [panels_of(result)[1]]
    with pytest.raises(RocInputError, match=r"classes must be among 1, 2, 3, 4, got 9"):
        ordinal.ordinal_picture(result, classes=[9])


def test_differences_of_two_scores():
    y, e = sample()
    compared = compare_ordinal(y, {"a": e, "b": -e}, n_boot=100, rng=1)
    (panel,) = plotting.record(ordinal.ordinal_comparison_picture(compared))["panels"]
    values = np.array([row.difference for row in compared.differences])
    for mark in marks_of(panel, "estimate"):
        np.testing.assert_array_equal(mark["x"], values)
    assert panel["x"]["label"] == "Difference (95% interval)"
    assert panel["y"]["tick_labels"][-1] == "kappa (quadratic)"
    alone = ordinal.ordinal_comparison_picture(compared.differences[0]).panels[0]
    assert (alone.title, alone.y.tick_labels) == ("a - b", ("MaxAUC(1)",))
