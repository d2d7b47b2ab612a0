import dataclasses
import math

import numpy as np
import pytest

import rocscope as rs
from every_mark import EVERY_MARK, X
from rocscope import plotting
from rocscope.plotting import interactive, marks
from rocscope.plotting.interactive import DARK, MARKERS, PIXELS, SOLID_MARKERS, Place, dash
from rocscope.plotting.marks import (
    Axis,
    Band,
    Bars,
    ErrorBars,
    HeatMap,
    Line,
    Mark,
    Panel,
    Panel3,
    Picture,
    Points,
    Points3,
    ReferenceLine,
    ShadedLine,
    Text,
)

EVIL = "</b><a href='javascript:x'>\n$x$ %{y} & {{7*7}}"
SHOWN = "&lt;/b&gt;&lt;a href='javascript:x'&gt;<br>&#36;x&#36; &#37;{y} &amp; {{7*7}}"


def panel(*marks, **more):
    return Panel(
        **({"marks": marks, "x": Axis(label="across"), "y": Axis(label="up"), "legend": "below"} | more)
    )


def figure(*marks, **more):
    """The figure of one panel, which plotly itself has found to be valid."""
    drawn = plotting.figure_json(Picture(panels=(panel(*marks, **more),)))
    plotting.plotly(Picture(panels=(panel(*marks, **more),)))
    return drawn


def trace(mark, frame=Place()):  # noqa: B008
    return interactive.draw(mark, frame)


# ---- Marks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", EVERY_MARK, ids=lambda mark: type(mark).__name__)
def test_every_mark_is_drawn_and_valid(mark):
    drawn = figure(mark)
    parts = [*drawn["data"], *drawn["layout"]["shapes"], *drawn["layout"]["annotations"]]
    assert any("entry" in (part.get("name"), part.get("text")) for part in parts)


def test_every_mark_is_tested():
    known = {type(mark).__name__ for mark in [*EVERY_MARK, Points3(x=X, y=X, z=X, role="point")]}
    below = {inner.__name__ for cls in Mark.__subclasses__() for inner in cls.__subclasses__()}
    assert known == {cls.__name__ for cls in Mark.__subclasses__()} | below


def test_unknown_mark_is_named():
    with pytest.raises(NotImplementedError, match="no drawing for a mark of type Mark"):
        interactive.draw(Mark(role="note"), Place())


@pytest.mark.parametrize("series", [0, 1, 8])
def test_lines_have_the_look_of_the_one_table(series):
    found = trace(Line(x=X, y=X**2, role="curve", series=series, label="a"))
    assert (found["x"], found["y"]) == ([0.0, 0.5, 1.0], [0.0, 0.25, 1.0])
    assert found["type"] == "scatter"
    assert found["line"] == {
        "color": marks.colour("curve", series),
        "dash": dash(marks.dash("curve", series)),
        "width": marks.LOOKS["curve"].width * PIXELS,
    }


@pytest.mark.parametrize("role", list(marks.LOOKS))
def test_every_look_has_words_in_plotly(role):
    look = marks.LOOKS[role]
    assert look.marker in MARKERS
    assert (look.marker, look.filled) in SOLID_MARKERS
    assert dash(marks.dash(role, 0))


def test_shades_are_those_of_the_other_backend():
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    for shade in (0.0, 0.3, 1.0):
        found = trace(ShadedLine(x=X, y=X, role="curve", shade=shade))
        rgb = [int(part) / 255 for part in found["line"]["color"][4:-1].split(",")]
        np.testing.assert_allclose(rgb, to_rgb(colormaps["viridis"](shade * marks.LIGHTEST)), atol=0.03)
        assert found["meta"]["dark"] != found["line"]["color"]


def test_open_markers_are_filled_with_paper():
    found = trace(Points(x=X, y=X, role="indistinguishable", series=2))
    assert found["marker"]["color"] == marks.PAPER
    assert found["marker"]["line"]["color"] == marks.PALETTE[2]
    assert found["mode"] == "markers"


def test_bands_have_gaps_where_they_are_undefined():
    x = np.arange(5.0)
    low, high = x.copy(), x + 1
    low[2] = np.nan
    found = trace(Band(x=x, low=low, high=high, role="band"))
    assert found["x"] == [0, 1, 1, 0, None, 3, 4, 4, 3]
    assert found["y"] == [0, 1, 2, 1, None, 3, 4, 5, 4]
    assert found["fill"] == "toself"
    assert found["fillcolor"] == "rgba(0,114,178,0.2)"


def test_bars_through_points_reach_from_end_to_end():
    bars = ErrorBars(x=X, y=X, x_low=X - 1, x_high=X + 1, y_low=X - 2, y_high=X, role="interval")
    found = trace(bars)
    assert found["x"][:3] == [-1.0, 1.0, None]
    assert found["y"][:3] == [0.0, 0.0, None]
    assert found["x"][-2:] == [1.0, 1.0]
    assert found["y"][-2:] == [-1.0, 1.0]


def test_infinite_bars_leave_the_panel_and_missing_ones_are_left_out():
    low, high = np.array([0.2, np.nan, -np.inf]), np.array([np.inf, 0.8, 0.6])
    drawn = figure(ErrorBars(x=X, y=X, x_low=low, x_high=high, role="estimate"))
    (found,) = drawn["data"]
    left, right = drawn["layout"]["xaxis"]["range"]
    assert len(found["x"]) == 5
    assert found["x"][1] > right
    assert found["x"][3] < left
    assert math.isfinite(found["x"][1])
    assert -0.1 < left < right < 1.1


def test_bars_stand_between_their_edges():
    standing = trace(Bars(low=X, high=X + 0.5, length=X + 1, role="count"))
    assert (standing["x"], standing["y"], standing["width"]) == ([0.25, 0.75, 1.25], [1, 1.5, 2], [0.5] * 3)
    lying = trace(Bars(low=X, high=X + 0.5, length=X + 1, role="count", horizontal=True))
    assert (lying["y"], lying["x"], lying["orientation"]) == ([0.25, 0.75, 1.25], [1, 1.5, 2], "h")


def test_heat_maps_share_a_scale_and_show_the_ground_where_they_are_undefined():
    values = np.array([[0.0, np.nan], [0.5, 1.0]])
    drawn = figure(
        HeatMap(x_edges=X, y_edges=X, values=values, low=-1.0, high=2.0, role="cells", label="AUC")
    )
    (found,) = drawn["data"]
    assert found["z"] == [[0.0, None], [0.5, 1.0]]
    assert (found["zmin"], found["zmax"], found["colorscale"]) == (-1.0, 2.0, "Viridis")
    assert found["colorbar"]["title"]["text"] == "AUC"
    assert [shape["fillcolor"] for shape in drawn["layout"]["shapes"]] == [marks.GRID]
    own = trace(HeatMap(x_edges=X, y_edges=X, values=values, role="cells"))
    assert "zmin" not in own


@pytest.mark.parametrize(("axis", "fixed", "free"), [("x", "x", "y"), ("y", "y", "x")])
def test_reference_lines_run_from_edge_to_edge(axis, fixed, free):
    drawn = figure(
        Line(x=X, y=X, role="curve"), ReferenceLine(axis=axis, at=3.0, role="reference", label="at")
    )
    (shape,) = drawn["layout"]["shapes"]
    assert (shape[f"{fixed}0"], shape[f"{fixed}1"], shape[f"{free}0"], shape[f"{free}1"]) == (3, 3, 0, 1)
    assert shape[f"{free}ref"] == f"{free} domain"
    assert shape["showlegend"] is True
    assert drawn["layout"][f"{axis}axis"]["range"][1] > 3.0


def test_numbers_that_are_not_finite_are_no_numbers():
    assert trace(Line(x=X, y=np.array([0.0, np.nan, np.inf]), role="curve"))["y"] == [0.0, None, None]


def test_numbers_are_rounded_to_what_can_be_seen():
    large = 1.7e9 + np.array([0.0, 0.123456789, 1.0])
    assert trace(Line(x=large, y=X / 3, role="curve"))["x"] == [1.7e9, 1.7e9 + 0.123457, 1.7e9 + 1]


# ---- Texts ------------------------------------------------------------------------------------------------


def test_names_are_shown_as_they_are_written():
    axis = Axis(label=EVIL, ticks=(0.0,), tick_labels=(EVIL,), far_labels=(EVIL,))
    drawn = figure(Line(x=X, y=X, role="curve", label=EVIL), Text(x=0, y=0, text=EVIL, role="note"), y=axis)
    layout = drawn["layout"]
    assert drawn["data"][0]["name"] == SHOWN
    assert f"<extra>{SHOWN}</extra>" in drawn["data"][0]["hovertemplate"]
    assert layout["yaxis"]["title"]["text"] == SHOWN
    assert layout["yaxis"]["ticktext"] == [SHOWN]
    assert [note["text"] for note in layout["annotations"]] == [SHOWN, SHOWN]


def test_titles_are_shown_as_they_are_written():
    drawn = plotting.figure_json(Picture(panels=(panel(title=EVIL),) * 2, columns=2, title=EVIL))
    assert [note["text"] for note in drawn["layout"]["annotations"]] == [SHOWN, SHOWN]
    assert drawn["layout"]["title"]["text"] == SHOWN


def test_names_in_three_dimensions_hold_no_tag():
    solid = Panel3(marks=(), x=Axis(label="<b>a</b>"), y=Axis(label="&amp;"), z=Axis(label="%{x}"))
    scene = plotting.figure_json(Picture(panels=(solid,)))["layout"]["scene"]
    texts = [scene[f"{name}axis"]["title"]["text"] for name in "xyz"]
    assert texts == ["<\u200bb>a<\u200b/b>", "&amp;", "%\u200b{x}"]


# ---- Panels -----------------------------------------------------------------------------------------------


def test_only_labelled_marks_enter_the_legend_in_their_order():
    marks = (
        Points(x=X, y=X, role="selected", label="first"),
        Line(x=X, y=X, role="fold"),
        Line(x=X, y=X, role="chance", label="second"),
    )
    drawn = figure(*marks)
    entries = sorted((one["legendrank"], one["name"]) for one in drawn["data"] if one["showlegend"])
    assert [name for _, name in entries] == ["first", "second"]
    # Drawn from the back to the front, as the table of looks says.
    assert [one["meta"]["role"] for one in drawn["data"]] == ["chance", "fold", "selected"]
    assert not any(one["showlegend"] for one in figure(*marks, legend=None)["data"])


@pytest.mark.parametrize(
    ("place", "x", "y"), [("lower right", "right", "bottom"), ("upper left", "left", "top")]
)
def test_legends_stand_in_their_corner(place, x, y):
    legend = figure(Line(x=X, y=X, role="curve", label="a"), legend=place)["layout"]["legend"]
    assert (legend["xanchor"], legend["yanchor"]) == (x, y)
    assert (legend["x"] > 0.5, legend["y"] > 0.5) == (x == "right", y == "top")


def test_a_legend_below_has_room_in_the_margin():
    marks = [Line(x=X, y=X, role="curve", label=f"entry {k}") for k in range(6)]
    below, none = figure(*marks)["layout"], figure(*marks, legend=None)["layout"]
    assert below["legend"]["yref"] == "container"
    assert below["margin"]["b"] > none["margin"]["b"] + 6 * 15
    assert "legend" not in none


def test_equal_axes_keep_their_ratio():
    layout = figure(Line(x=X, y=X, role="curve"), equal_aspect=True)["layout"]
    assert (layout["yaxis"]["scaleanchor"], layout["yaxis"]["scaleratio"]) == ("x", 1)
    assert "scaleanchor" not in figure(Line(x=X, y=X, role="curve"))["layout"]["yaxis"]


def test_ends_are_those_given_and_elsewhere_hold_every_mark():
    given = figure(Line(x=X, y=X, role="curve"), x=Axis(low=2.0, high=-2.0), y=Axis(low=0.0))["layout"]
    assert given["xaxis"]["range"] == [2.0, -2.0]
    assert given["yaxis"]["range"] == [0.0, pytest.approx(1.05)]
    bars = Bars(low=X, high=X + 1, length=X + 4, role="count")
    assert figure(bars)["layout"]["yaxis"]["range"] == [pytest.approx(-0.25), pytest.approx(5.25)]
    cells = HeatMap(x_edges=X, y_edges=X * 2, values=np.eye(2), role="cells")
    assert figure(cells)["layout"]["yaxis"]["range"] == [0.0, 2.0]


def test_far_labels_stand_beyond_their_ticks():
    axis = Axis(
        low=1.5, high=-0.5, ticks=(0.0, 1.0), tick_labels=("a", "b"), far_labels=("0.7", "0.85 (wide)")
    )
    layout = figure(Points(x=X[:2], y=X[:2], role="estimate"), y=axis)["layout"]
    far = [note for note in layout["annotations"] if note["name"] == "far"]
    assert [(note["y"], note["text"], note["x"]) for note in far] == [
        (0.0, "0.7", 1),
        (1.0, "0.85 (wide)", 1),
    ]
    assert layout["margin"]["r"] > 60
    assert layout["meta"] == {"shape": "table", "rows": 2.0, "row": pytest.approx(0.36 * 96), "legend": 12.0}


def test_three_axes_become_a_scene():
    points = (
        Points3(x=X, y=X, z=X * 2, role="point", label="cloud"),
        Points3(x=X, y=X, z=X, role="operating-point"),
    )
    solid = Panel3(
        marks=points, x=Axis(label="a"), y=Axis(label="b"), z=Axis(label="c", low=0.0), legend="below"
    )
    drawn = plotting.figure_json(Picture(panels=(solid,)))
    plotting.plotly(Picture(panels=(solid,)))
    assert [one["type"] for one in drawn["data"]] == ["scatter3d", "scatter3d"]
    assert drawn["data"][0]["z"] == [0.0, 1.0, 2.0]
    assert drawn["data"][1]["marker"]["color"] == marks.colour("operating-point", 0)
    assert drawn["layout"]["scene"]["zaxis"]["range"] == [0.0, None]


def test_several_panels_have_axes_and_legends_of_their_own():
    flat = panel(Line(x=X, y=X, role="curve", label="a"))
    heat = panel(HeatMap(x_edges=X, y_edges=X, values=np.eye(2), role="cells"))
    solid = Panel3(marks=(Points3(x=X, y=X, z=X, role="point"),), x=Axis(), y=Axis(), z=Axis())
    found = plotting.plotly(Picture(panels=(flat, heat, solid, flat), columns=2))
    layout = found.layout
    assert [one.xaxis for one in found.data if one.type != "scatter3d"] == ["x", "x2", "x4"]
    assert found.data[2].scene == "scene3"
    assert found.data[3].legend == "legend4"
    assert layout.xaxis.domain[1] < layout.xaxis2.domain[0]
    assert layout.yaxis.domain[0] > layout.yaxis4.domain[1]
    assert layout.xaxis2.domain[1] < found.data[1].colorbar.x < 1


def test_a_picture_is_left_as_it_was():
    picture = plotting.picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    before = plotting.record(picture)
    plotting.figure_json(picture)
    assert plotting.record(picture) == before


def test_nothing_compiles_code_in_the_browser():
    """The policy of the report forbids it; plotly's WebGL lines would need it."""
    kinds = {one["type"] for mark in EVERY_MARK for one in figure(mark)["data"]}
    assert kinds == {"scatter", "bar", "heatmap"}


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


# ---- Real results -----------------------------------------------------------------------------------------

Y, S = np.tile([0, 1], 30), np.tile([0, 1], 30) + np.random.default_rng(5).normal(size=60)
CALLS = {
    "curve": lambda: rs.roc_curve(Y, S),
    "area": lambda: rs.auc(Y, S),
    "band": lambda: rs.roc_band(Y, S, simultaneous=True),
    "comparison": lambda: rs.compare_auc(Y, {"a": S, "b": -S}),
    "point": lambda: rs.point_measures(Y, S, threshold=0.5),
    "average": lambda: rs.average_roc(Y, S, fold=np.arange(60) % 5),
    "binormal": lambda: rs.fit_binormal(Y, S),
    "fusion": lambda: rs.preview_fusion(Y, S, np.roll(S, 2)),
    "ordinal": lambda: rs.ordinal_roc(Y + 2 * (np.arange(60) % 3), Y + S),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_real_pictures_are_valid_and_hold_the_numbers_of_their_marks(name):
    picture = plotting.picture(CALLS[name]())
    found = plotting.plotly(picture)
    lines = [mark for one in picture.panels for mark in one.marks if isinstance(mark, (Line, Points))]
    for mark in lines:
        same = [one for one in found.data if one.type == "scatter" and len(one.x or ()) == len(mark.x)]
        shown = [np.array(one.y, dtype=float) for one in same]
        assert any(np.allclose(y, mark.y, rtol=0, atol=2e-6, equal_nan=True) for y in shown), mark


@pytest.mark.parametrize("name", list(CALLS))
def test_a_figure_has_no_button_that_sends_it_away(name):
    """The layout travels with the figure, into notebooks and into HTML that plotly writes."""
    found = plotting.plotly(plotting.picture(CALLS[name]()))
    assert "sendChartToCloud" in found.layout.modebar.remove


def test_the_look_is_in_one_table(monkeypatch):
    changed = dataclasses.replace(marks.LOOKS["curve"], colour="#123456", width=9.0)
    monkeypatch.setitem(marks.LOOKS, "curve", changed)
    found = trace(Line(x=X, y=X, role="curve"))
    assert (found["line"]["color"], found["line"]["width"]) == ("#123456", 12.0)
