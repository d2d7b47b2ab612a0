import re

import numpy as np
import pytest

import rocscope as rs
from rocscope.plotting.marks import Axis, Band, ErrorBars, HeatMap, Line, Panel, Picture, Points, Points3
from rocscope.reporting.page import curve_note, thin

RNG = np.random.default_rng(2)
X = np.linspace(0, 1, 10_001)


def picture(mark):
    return Picture(panels=(Panel(marks=(mark,), x=Axis(), y=Axis()),))


def thinned(mark, limit=2000):
    shown, notes = thin(picture(mark), limit)
    return shown.panels[0].marks[0], notes


def distance_to_line(x, y, line_x, line_y):
    """The largest distance, over points, to the nearest place of a polyline: each piece tried in turn."""
    worst = 0.0
    for px, py in zip(x, y, strict=True):
        dx, dy = np.diff(line_x), np.diff(line_y)
        t = np.clip(
            ((px - line_x[:-1]) * dx + (py - line_y[:-1]) * dy) / np.maximum(dx**2 + dy**2, 1e-300), 0, 1
        )
        worst = max(worst, np.hypot(px - line_x[:-1] - t * dx, py - line_y[:-1] - t * dy).min())
    return worst


def stated(note):
    return float(re.search(r"more than (\S+)", note)[1])


def test_short_marks_stay():
    line = Line(x=X[:2000], y=X[:2000], role="curve")
    shown, notes = thinned(line)
    assert shown is line
    assert notes == ()


@pytest.mark.parametrize(
    "y", [np.sqrt(X), np.sin(20 * X), np.where(X > 0.5, 1.0, 0.0)], ids=["rising", "waves", "step"]
)
def test_the_error_of_a_line_is_not_larger_than_stated(y):
    shown, (note,) = thinned(Line(x=X, y=y, role="curve"), 200)
    assert len(shown.x) <= 200
    assert (shown.x[0], shown.x[-1]) == (0.0, 1.0)
    some = RNG.choice(len(X), 400)
    assert distance_to_line(X[some], y[some], shown.x, shown.y) <= 1.1 * np.sqrt(2) * stated(note) + 1e-12
    assert f"{len(shown.x)} of its 10001 points" in note


def test_a_million_vertices_of_a_curve_become_two_thousand():
    n = 1_000_000
    y = np.arange(n) % 2
    curve = rs.roc_curve(y, y + RNG.normal(size=n))
    (note,) = curve_note(curve, "marker")
    assert len(curve) == n + 1
    shown = re.search(r"by (\d+) of its 1000001 vertices", note)
    assert 1900 < int(shown[1]) <= 2000
    assert 0 < stated(note) < 0.001
    assert curve_note(rs.roc_curve([0, 1], [0, 1])) == ()


def test_the_error_of_a_curve_is_that_of_what_is_drawn():
    from rocscope import plotting

    n = 20_000
    y = np.arange(n) % 2
    curve = rs.roc_curve(y, y + RNG.normal(size=n))
    drawn = plotting.picture(curve).panels[0].marks[1]
    some = RNG.choice(len(curve), 300)
    off = distance_to_line(curve.fpr[some], curve.tpr[some], drawn.x, drawn.y)
    assert 0 < off <= np.sqrt(2) * stated(curve_note(curve)[0]) * 1.1


def test_bands_keep_their_ends():
    band = Band(x=X, low=X**2, high=np.sqrt(X), role="band")
    shown, (note,) = thinned(band, 100)
    off = max(
        np.abs(np.interp(X, shown.x, end) - whole).max()
        for end, whole in ((shown.low, band.low), (shown.high, band.high))
    )
    assert len(shown.x) <= 100
    assert off <= 1.1 * float(re.search(r"at most (\S+)\.$", note)[1])


def test_points_are_chosen_evenly_and_the_same_in_every_panel():
    points = Points(x=X, y=X**2, role="point")
    solid = Points3(x=X, y=X**2, z=X**3, role="point")
    bars = ErrorBars(x=X, y=X, y_low=X - 1, y_high=X + 1, role="interval")
    flat, notes = thinned(points, 50)
    deep, _ = thinned(solid, 50)
    lines, _ = thinned(bars, 50)
    assert notes == ("50 of 10001 points are shown.",)
    np.testing.assert_array_equal(flat.x, deep.x)
    np.testing.assert_allclose(deep.z, deep.x**3)
    np.testing.assert_array_equal(lines.y_high, lines.x + 1)
    assert lines.x_low is None


def test_large_maps_keep_their_edges():
    values = np.add.outer(np.arange(400.0), np.arange(200.0))
    heat = HeatMap(x_edges=np.arange(201.0), y_edges=np.arange(401.0), values=values, role="cells")
    shown, notes = thinned(heat)
    assert shown.values.shape == (150, 150)
    assert (shown.x_edges[0], shown.x_edges[-1], len(shown.x_edges)) == (0, 200, 151)
    assert notes == ("150 by 150 of 400 by 200 cells are shown.",)
    assert thinned(HeatMap(x_edges=X[:4], y_edges=X[:4], values=np.eye(3), role="cells"))[1] == ()


def test_lines_with_gaps_are_thinned():
    y = X.copy()
    y[5000:5100] = np.nan
    shown, notes = thinned(Line(x=X, y=y, role="curve"), 100)
    assert len(shown.x) <= 100
    assert len(notes) == 1


def test_many_lines_have_one_note_with_the_largest_error():
    lines = [Line(x=X, y=np.sin(k * X), role="curve") for k in (1, 5, 20)]
    whole = Picture(panels=(Panel(marks=tuple(lines), x=Axis(), y=Axis()),))
    _, (note,) = thin(whole, 200)
    alone = [stated(thinned(line, 200)[1][0]) for line in lines]
    assert note.startswith("3 lines are drawn through at most ")
    assert "of up to 10001 points" in note
    assert stated(note) == max(alone)
