"""What a second panel adds to axes that show a first one."""

import numpy as np
import pytest

from rocscope.plotting.joined import joined
from rocscope.plotting.layout import free_place
from rocscope.plotting.marks import Axis, Band, Bars, Line, Panel, Points, ReferenceLine, Text

X = np.array([0.0, 1.0])


def panel(*marks, **changes):
    return Panel(**{"marks": marks, "x": Axis(label="x"), "y": Axis(label="y")} | changes)


def line(role="curve", x=X, y=X, **changes):
    return Line(x=np.array(x, dtype=float), y=np.array(y, dtype=float), role=role, **changes)


def test_series_go_on_where_the_first_panel_ends():
    earlier = panel(line(series=0), line(series=2))
    added = joined(earlier, panel(line(series=0), line(series=1))).marks
    assert [mark.series for mark in added] == [3, 4]


@pytest.mark.parametrize(
    ("other", "repeated"),
    [
        (line("chance"), True),
        (line("chance", label="another name"), True),
        (line("chance", x=[0, 0.5, 1], y=[0, 0.5, 1]), True),
        (line("chance", y=[0, 0.9]), False),
        (line("reference"), False),
        (line("curve"), False),
        (ReferenceLine(role="chance", axis="x", at=0.0), False),
    ],
)
def test_a_reference_line_is_drawn_once(other, repeated):
    assert (joined(panel(line("chance")), panel(other)).marks == ()) is repeated


def test_bent_lines_are_the_same_where_they_meet():
    bent = line("reference", x=[0.1, 0.2, 0.3], y=[1, 0.5, 0.4], label="all")
    same = line("reference", x=[0.2, 0.3], y=[0.5, 0.4], label="all")
    other = line("reference", x=[0.2, 0.3], y=[0.5, 0.45], label="all")
    assert joined(panel(bent), panel(same)).marks == ()
    (added,) = joined(panel(bent), panel(other)).marks
    assert added.label == "all (2)"
    before, after = joined(
        panel(same), panel(line("reference", x=[0.1, 0.2, 0.3, 0.4], y=[1, 0.5, 0.4, 0], label="all"))
    ).marks
    assert (before.x.tolist(), before.y.tolist(), before.label) == ([0.1, 0.2], [1, 0.5], None)
    assert (after.x.tolist(), after.y.tolist()) == ([0.3, 0.4], [0.4, 0])


def test_equal_names_of_lines_are_numbered_on():
    labels = ("a", "a (2)", "b")
    added = joined(panel(*(line(label=label) for label in labels)), panel(line(label="a"), line(label="b")))
    assert [mark.label for mark in added.marks] == ["a (3)", "b (2)"]


def test_axes_hold_both():
    earlier = panel(line(), x=Axis(label="rate\n(a)", low=0.0, high=0.5), y=Axis(low=1.0, high=-1.0))
    later = panel(line(), x=Axis(label="rate\n(b)", low=-0.1, high=0.2), y=Axis(low=2.0, high=0.0))
    both = joined(earlier, later)
    assert (both.x.label, both.x.low, both.x.high) == ("rate\n(a)\n(b)", -0.1, 0.5)
    assert (both.y.low, both.y.high) == (2.0, -1.0)


def test_ticks_of_both_are_named():
    earlier = panel(x=Axis(ticks=(0.0, 1.0), tick_labels=("20", "40")))
    later = panel(x=Axis(ticks=(0.0, 0.5), tick_labels=("30", "35")))
    axis = joined(earlier, later).x
    assert dict(zip(axis.ticks, axis.tick_labels, strict=True)) == {0.0: "20 / 30", 0.5: "35", 1.0: "40"}


def test_rows_keep_their_colours_and_stand_below():
    rows = Axis(low=1.5, high=-0.5, ticks=(0.0, 1.0), tick_labels=("a", "b"), far_labels=("1", "2"))
    dots = Points(x=X, y=X, role="estimate", series=1)
    at = ReferenceLine(axis="x", at=0.5, role="reference")
    added = joined(panel(at, dots, y=rows), panel(at, dots, y=rows))
    (moved,) = added.marks
    assert (moved.y.tolist(), moved.series) == ([2, 3], 1)
    assert added.y.tick_labels == ("a", "b", "a (2)", "b (2)")
    assert added.y.far_labels == ("1", "2", "1", "2")
    assert (added.y.ticks, added.y.low, added.y.high) == ((0, 1, 2, 3), 3.5, -0.5)


@pytest.mark.parametrize(
    ("mark", "place"),
    [
        (line(label="rising"), "lower right"),
        (line(y=[1, 0], label="falling"), "upper right"),
        (Band(x=X, low=0 * X, high=0 * X + 1, role="band", label="everywhere"), "below"),
        (Bars(low=X, high=X + 0.9, length=np.array([0.3, 1.0]), role="count", label="columns"), "upper left"),
        (
            Points(x=np.array([0, 0.9, 1]), y=np.array([1.0, 0.1, 0]), role="point", label="dots"),
            "upper right",
        ),
    ],
)
def test_the_legend_stands_where_nothing_is_drawn(mark, place):
    assert free_place(panel(mark)) == place


def test_a_text_keeps_the_legend_away():
    rising = line(label="rising")
    note = Text(x=0.95, y=0.05, text="n", role="note")
    assert free_place(panel(rising, note)) == "upper left"
