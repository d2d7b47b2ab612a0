"""Pictures as the JSON that the script of the page draws."""

import dataclasses
import json
import math

import numpy as np
import pytest

import rocscope as rs
from every_mark import EVERY_MARK, X
from rocscope import plotting
from rocscope.plotting import marks, page_figures
from rocscope.plotting.marks import (
    Axis,
    ErrorBars,
    HeatMap,
    Line,
    Mark,
    Panel,
    Panel3,
    Picture,
    Points,
    Points3,
    ShadedLine,
    Text,
)
from rocscope.plotting.page_figures import DARK, PIXELS

EVIL = "</b><a href='javascript:x'>\n$x$ %{y} & {{7*7}}"


def figure(*marks, **more):
    """The JSON of one panel, which is strict."""
    fields = {"marks": marks, "x": Axis(label="across"), "y": Axis(label="up"), "legend": "below"} | more
    (drawn,) = plotting.figure_json(Picture(panels=(Panel(**fields),)))
    assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn
    return drawn


def drawn(mark, **more):
    (found,) = figure(mark, **more)["marks"]
    return found


# ---- Marks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", EVERY_MARK, ids=lambda mark: type(mark).__name__)
def test_every_mark_has_its_kind_role_and_text(mark):
    found = drawn(mark)
    assert "entry" in (found.get("label"), found.get("text"))
    assert found["role"] == mark.role
    in_legend = not isinstance(mark, (HeatMap, Text))
    assert figure(mark)["entries"] == (["entry"] if in_legend else [])


def test_every_mark_is_tested():
    known = {type(mark).__name__ for mark in [*EVERY_MARK, Points3(x=X, y=X, z=X, role="point")]}
    below = {inner.__name__ for cls in Mark.__subclasses__() for inner in cls.__subclasses__()}
    assert known == {cls.__name__ for cls in Mark.__subclasses__()} | below


def test_unknown_mark_is_named():
    with pytest.raises(NotImplementedError, match="no drawing for a mark of type Mark"):
        figure(Mark(role="note"))


@pytest.mark.parametrize("series", [0, 1, 8])
def test_lines_have_the_look_of_the_one_table(series):
    found = drawn(Line(x=X, y=X**2, role="curve", series=series, label="a"))
    assert (found["x"], found["y"]) == ([0, 0.5, 1], [0, 0.25, 1])
    assert found["colour"][0] == marks.colour("curve", series)
    assert found["width"] == pytest.approx(marks.LOOKS["curve"].width * PIXELS, abs=0.01)
    assert bool(found["dash"]) == (series >= len(marks.PALETTE))


def test_shades_are_those_of_the_other_backend():
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    for shade in (0.0, 0.3, 0.77, 1.0):
        found = drawn(ShadedLine(x=X, y=X, role="curve", shade=shade))
        light, dark = found["colour"]
        expected = to_rgb(colormaps["viridis"](shade * marks.LIGHTEST))
        np.testing.assert_allclose(to_rgb(light), expected, atol=0.02)
        assert dark != light
        assert found["dash"] == []


def test_open_and_outlined_markers_are_named():
    assert drawn(Points(x=X, y=X, role="indistinguishable"))["open"] is True
    assert drawn(Points(x=X, y=X, role="selected"))["outlined"] is True
    assert drawn(Points(x=X, y=X, role="operating-point"))["marker"] == "x"


def test_bars_through_points_reach_from_end_to_end():
    bars = ErrorBars(x=X, y=X, x_low=X - 1, x_high=X + 1, y_low=X - 2, y_high=X, role="interval")
    found = drawn(bars)
    assert (found["x"][:2], found["y"][:2]) == ([-1, 1], [0, 0])
    assert (found["x"][-2:], found["y"][-2:]) == ([1, 1], [-1, 1])


def test_infinite_bars_leave_the_panel_and_missing_ones_are_left_out():
    low, high = np.array([0.2, np.nan, -np.inf]), np.array([np.inf, 0.8, 0.6])
    found = figure(ErrorBars(x=X, y=X, x_low=low, x_high=high, role="estimate"))
    left, right = found["x"]["ends"]
    (bars,) = found["marks"]
    assert len(bars["x"]) == 4
    assert bars["x"][1] > right
    assert bars["x"][2] < left
    assert all(map(math.isfinite, bars["x"]))
    assert -0.1 < left < right < 1.1


def test_heat_maps_share_a_scale_and_have_gaps():
    values = np.array([[0.0, np.nan], [0.5, 1.0]])
    cells = {"x_edges": X, "y_edges": X, "values": values, "role": "cells"}
    found = drawn(HeatMap(low=-1.0, high=2.0, label="AUC", **cells))
    assert found["values"] == [[0, None], [0.5, 1]]
    assert (found["ends"], found["scale"]) == ([-1.0, 2.0], list(marks.SCALE))
    assert drawn(HeatMap(**cells))["ends"] == [0.0, 1.0]
    assert drawn(HeatMap(signed=True, **cells))["scale"] == list(marks.SIGNED)
    assert drawn(HeatMap(**cells | {"values": values * np.nan}))["ends"] == [0, 1]


def test_numbers_that_are_not_finite_are_no_numbers():
    assert drawn(Line(x=X, y=np.array([0.0, np.nan, np.inf]), role="curve"))["y"] == [0, None, None]


def test_numbers_are_rounded_to_what_can_be_seen():
    large = 1.7e9 + np.array([0.0, 0.123456789, 1.0])
    assert drawn(Line(x=large, y=X / 3, role="curve"))["x"] == [1.7e9, 1.7e9 + 0.123457, 1.7e9 + 1]


def test_vertices_of_a_curve_say_their_thresholds():
    y, score = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    (found,) = plotting.figure_json(plotting.picture(rs.roc_curve(y, score)))
    texts = ["inf", "0.8", "0.4", "0.35", "0.1"]
    assert found["marks"][1]["hover"] == [f"Threshold: {text}" for text in texts]
    assert "hover" not in found["marks"][0]


def test_a_long_curve_keeps_the_thresholds_of_what_is_drawn():
    y = np.arange(9000) % 2
    curve = rs.roc_curve(y, y + np.random.default_rng(1).normal(size=9000))
    (found,) = plotting.figure_json(plotting.picture(curve))
    line = found["marks"][1]
    assert len(line["hover"]) == len(line["x"]) <= 2000
    k = 700
    vertex = np.flatnonzero(
        (np.abs(curve.fpr - line["x"][k]) < 1e-6) & (np.abs(curve.tpr - line["y"][k]) < 1e-6)
    )
    assert line["hover"][k] == f"Threshold: {curve.thresholds[vertex[0]]:.4g}"


# ---- Panels -----------------------------------------------------------------------------------------------


def test_texts_are_as_they_are_written():
    marked = Line(x=X, y=X, role="curve", label=EVIL)
    axis = Axis(label=EVIL, ticks=(0.0,), tick_labels=(EVIL,), far_labels=(EVIL,))
    found = figure(marked, Text(x=0, y=0, text=EVIL, role="note"), title=EVIL, x=axis, y=axis)
    assert found["title"] == EVIL
    assert found["entries"] == [EVIL]
    assert found["marks"][1]["text"] == EVIL
    assert found["x"] == found["y"] | {"ends": found["x"]["ends"]}
    assert (found["y"]["label"], found["y"]["texts"], found["y"]["far"]) == (EVIL, [EVIL], [EVIL])


def test_very_long_texts_lose_their_middle():
    found = figure(Line(x=X, y=X, role="curve", label="a" * 9000 + "z"))
    assert len(found["entries"][0]) == page_figures.LONGEST
    assert found["entries"][0].endswith("z")
    assert found["marks"][0]["label"] == found["entries"][0]


def test_only_labelled_marks_enter_the_legend_in_their_order():
    several = (
        Points(x=X, y=X, role="selected", label="first"),
        Line(x=X, y=X, role="fold"),
        Line(x=X, y=X, role="chance", label="second"),
    )
    found = figure(*several)
    assert found["entries"] == ["first", "second"]
    # Drawn from the back to the front, as the table of looks says.
    assert [one["role"] for one in found["marks"]] == ["chance", "fold", "selected"]
    assert figure(*several, legend=None)["entries"] == []


def test_ends_are_those_given_and_elsewhere_hold_every_mark():
    given = figure(Line(x=X, y=X, role="curve"), x=Axis(low=2.0, high=-2.0), y=Axis(low=0.0))
    assert given["x"]["ends"] == [2.0, -2.0]
    assert given["y"]["ends"] == [0.0, pytest.approx(1.05)]
    cells = HeatMap(x_edges=X, y_edges=X * 2, values=np.eye(2), role="cells")
    assert figure(cells)["y"]["ends"] == [0.0, 2.0]


def test_shapes_say_how_high_a_figure_is():
    line = Line(x=X, y=X, role="curve")
    assert figure(line)["shape"] == "wide"
    assert figure(line, equal_aspect=True)["shape"] == "square"
    rows = Axis(low=1.5, high=-0.5, ticks=(0.0, 1.0), tick_labels=("a", "b"), far_labels=("0.7", "0.85"))
    table = figure(Points(x=X[:2], y=X[:2], role="estimate"), y=rows)
    assert (table["shape"], table["y"]["far"]) == ("table", ["0.7", "0.85"])
    assert table["row"] == pytest.approx(0.36 * 96)


def test_three_axes_have_ends_of_their_own():
    points = (Points3(x=X, y=X, z=X * 2, role="point", label="cloud"),)
    solid = Panel3(marks=points, x=Axis(label="a"), y=Axis(), z=Axis(label="c", low=0.0), legend="below")
    (found,) = plotting.figure_json(Picture(panels=(solid,)))
    assert found["shape"] == "solid"
    assert found["marks"][0]["z"] == [0, 1, 2]
    assert found["z"]["ends"] == [0.0, pytest.approx(2.1)]
    assert found["x"]["ends"] == [pytest.approx(-0.05), pytest.approx(1.05)]


def test_a_picture_is_left_as_it_was():
    picture = plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    before = plotting.record(picture)
    plotting.figure_json(picture)
    assert plotting.record(picture) == before


def test_the_look_is_in_one_table(monkeypatch):
    changed = dataclasses.replace(marks.LOOKS["curve"], colour="#123456", width=9.0)
    monkeypatch.setitem(marks.LOOKS, "curve", changed)
    found = drawn(Line(x=X, y=X, role="curve"))
    assert (found["colour"][0], found["width"]) == ("#123456", 12.0)


# ---- Dark paper -------------------------------------------------------------------------------------------


def luminance(colour):
    parts = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("paper", [marks.PAPER, DARK[marks.PAPER]])
def test_every_line_can_be_seen_on_both_papers(paper):
    dark = paper != marks.PAPER
    for role, look in marks.LOOKS.items():
        if role.startswith("cell-text"):  # stands on coloured cells, not on the paper
            continue
        colours = [look.colour] if look.colour else marks.PALETTE
        for colour in colours:
            shown = DARK.get(colour, colour) if dark else colour
            # The lightest two of the palette are below 3:1 on white, which their markers and dashes make up.
            assert contrast(shown, paper) >= (3.0 if dark else 2.1), (role, colour)


def test_texts_can_be_read_on_both_papers():
    for colour in (marks.INK, marks.SOFT_INK):
        assert contrast(colour, marks.PAPER) >= 4.5
        assert contrast(DARK[colour], DARK[marks.PAPER]) >= 4.5
