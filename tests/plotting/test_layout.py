import itertools
from dataclasses import replace

import numpy as np
import pytest

from rocscope.plotting.layout import CHANCE, PointLabel, box, free_place, leader, place_labels, place_legend
from rocscope.plotting.marks import Axis, Line, Panel, ReferenceLine

GOOD = (np.array([0.0, 0.1, 1.0]), np.array([0.0, 0.9, 1.0]))
POOR = (np.array([0.0, 0.9, 1.0]), np.array([0.0, 0.1, 1.0]))
TEXT = "0.205 (FPR 0.19, TPR 0.63)"


@pytest.mark.parametrize(
    ("outlines", "entries", "place"),
    [
        ([GOOD], ["Chance", "AUC = 0.9"], "lower right"),
        ([POOR], ["Chance", "AUC = 0.1"], "upper left"),
        ([GOOD, POOR], ["Chance", "AUC = 0.9", "AUC = 0.1"], "below"),
        ([GOOD], ["a name longer than the plot is wide " * 3], "below"),
        ([GOOD], ["many"] * 30, "below"),
    ],
)
def test_legend_covers_no_curve(outlines, entries, place):
    found, taken = place_legend(outlines, entries)
    assert found == place
    assert len(taken) == (place != "below")
    assert not any(corner.is_crossed(line) for corner in taken for line in (CHANCE, *outlines))


@pytest.mark.parametrize("outline", [GOOD, POOR, CHANCE])
def test_labels_cover_neither_texts_nor_points(outline):
    x = np.linspace(0, 1, 9)
    labels = [PointLabel(a, b, TEXT) for a, b in zip(x, np.interp(x, *outline), strict=True)]
    _, taken = place_legend([outline], ["Chance", "AUC"])
    boxes = place_labels(labels, [outline], taken)
    assert not any(a.meets(b) for a, b in itertools.combinations([*boxes, *taken], 2))
    assert not any(place.holds(label.x, label.y) for place in boxes for label in labels)
    assert all(place.left >= 0 and place.right <= 1.001 and place.bottom >= 0 for place in boxes)


def test_label_avoids_the_curves():
    label = PointLabel(0.1, 0.9, TEXT)
    (place,) = place_labels([label], [GOOD, POOR], [])
    assert not place.is_crossed(GOOD)
    assert not place.is_crossed(POOR)


@pytest.mark.parametrize("size", [1, 100])
def test_label_of_any_length_finds_a_place(size):
    (place,) = place_labels([PointLabel(0.5, 0.5, "x" * size)], [CHANCE], [])
    assert place.left >= 0


def test_leader_only_to_distant_labels():
    label = PointLabel(0.2, 0.5, TEXT)
    assert leader(label, box(0.22, 0.48, 0.3, 0.04)) is None
    x, y = leader(label, box(0.4, 0.3, 0.3, 0.04))
    assert (x.tolist(), y.tolist()) == ([0.2, 0.4], [0.5, pytest.approx(0.32)])


FALLING = (np.array([0.0, 1.0]), np.array([1.0, 0.0]))
LOW = (np.array([0.0, 1.0]), np.array([0.05, 0.05]))
UNIT = Axis(low=0.0, high=1.0)


def panel(outlines, entries, *, square=True):
    """A panel with these lines, and these entries of the legend."""
    lines = [Line(x=x, y=y, role="curve") for x, y in outlines]
    lines += [Line(x=np.empty(0), y=np.empty(0), role="curve", label=label) for label in entries]
    return Panel(marks=tuple(lines), x=UNIT, y=UNIT, equal_aspect=square)


@pytest.mark.parametrize(
    ("outlines", "corners", "place"),
    [
        ([FALLING], ("lower left",), "lower left"),
        ([FALLING, LOW], ("lower left", "upper right"), "upper right"),
        ([FALLING, LOW], ("lower left",), "below"),
        ([FALLING], ("upper left", "lower right"), "below"),
        ([], ("upper right",), "upper right"),
    ],
)
def test_free_place_avoids_any_line(outlines, corners, place):
    assert free_place(panel(outlines, ["one", "two", "three"]), corners) == place


def test_free_place_avoids_what_has_no_end():
    at = [
        ReferenceLine(axis="y", at=0.05, role="reference"),
        ReferenceLine(axis="x", at=0.05, role="reference"),
    ]
    shown = panel([], ["entry"])
    assert free_place(replace(shown, marks=(*shown.marks, *at))) == "upper right"


def test_free_place_needs_room():
    assert free_place(panel([], ["x" * 80]), ("lower left",)) == "below"
    assert free_place(panel([], ["x" * 80], square=False), ("lower left",)) == "lower left"
