import numpy as np
import pytest
from matplotlib.colors import to_hex

from every_mark import EVERY_MARK, ONES, ZEROS, X
from rocscope.plotting import marks, static
from rocscope.plotting.static import add


def segments(artist):
    return [segment.tolist() for segment in artist.get_segments()]


@pytest.mark.parametrize("mark", EVERY_MARK, ids=lambda mark: type(mark).__name__)
def test_every_mark_is_drawn(ax, mark):
    assert add(mark, ax) is not None
    ax.figure.canvas.draw()


def test_every_mark_is_tested():
    kinds = {cls.__name__ for parent in (marks.Mark, marks.Line) for cls in parent.__subclasses__()}
    assert {type(mark).__name__ for mark in EVERY_MARK} == kinds


def test_unknown_mark_is_named(ax):
    with pytest.raises(NotImplementedError, match="no drawing for a mark of type Mark"):
        add(marks.Mark(role="note"), ax)


def test_line_has_the_style_of_role_and_series(ax):
    line = add(marks.Line(x=X, y=X**2, role="curve", series=1, label="a"), ax)
    np.testing.assert_array_equal(line.get_xydata(), np.column_stack([X, X**2]))
    assert line.get_color() == marks.PALETTE[1]
    assert line.get_linewidth() == marks.LOOKS["curve"].width
    assert line.get_label() == "a"


def test_shades_run_over_the_colour_scale(ax):
    from matplotlib import colormaps

    lines = [add(marks.ShadedLine(x=X, y=X, role="curve", series=k, shade=k / 8), ax) for k in range(9)]
    scale = colormaps[marks.COLOUR_MAP]
    assert [line.get_color() for line in lines] == [scale(k / 8 * marks.LIGHTEST) for k in range(9)]
    assert {line.get_linestyle() for line in lines} == {"-"}


def test_chance_is_black_and_dashed(ax):
    line = add(marks.Line(x=X, y=X, role="chance", series=3), ax)
    assert (line.get_color(), line.get_linestyle()) == ("#000000", "--")


@pytest.mark.parametrize(
    ("role", "marker", "face"),
    [
        ("selected", "o", marks.PALETTE[0]),
        ("indistinguishable", "o", marks.PAPER),
        ("operating-point", "x", marks.LOOKS["operating-point"].colour),
    ],
)
def test_points_have_the_marker_of_their_role(ax, role, marker, face):
    points = add(marks.Points(x=X, y=X, role=role), ax)
    np.testing.assert_array_equal(points.get_xdata(), X)
    assert (points.get_linestyle(), points.get_marker()) == ("None", marker)
    assert points.get_markerfacecolor() == face


def test_band_lies_between_its_ends(ax):
    band = add(marks.Band(x=X, low=X - 0.1, high=X + 0.2, role="band"), ax)
    box = band.get_datalim(ax.transData)
    assert (box.x0, box.x1, box.y0, box.y1) == pytest.approx((0, 1, -0.1, 1.2))


def test_error_bars_run_from_end_to_end_both_ways(ax):
    one = np.array([0.5])
    mark = marks.ErrorBars(
        x=one, y=one, x_low=one - 0.1, x_high=one + 0.2, y_low=one - 0.3, y_high=one + 0.4, role="interval"
    )
    assert segments(add(mark, ax)) == [[[0.4, 0.5], [0.7, 0.5]], [[0.5, 0.2], [0.5, 0.9]]]
    assert ax.dataLim.extents == pytest.approx([0.4, 0.2, 0.7, 0.9])


def test_error_bars_may_exclude_their_point(ax):
    mark = marks.ErrorBars(x=ZEROS, y=X, x_low=ONES, x_high=ONES + 1, role="estimate")
    assert segments(add(mark, ax))[0] == [[1, 0], [2, 0]]


def test_missing_ends_are_left_out_and_infinite_ones_reach_the_edge(ax):
    low, high = np.array([np.nan, -np.inf, 0.2]), np.array([1.0, 0.5, np.inf])
    bars = segments(add(marks.ErrorBars(x=X, y=X, x_low=low, x_high=high, role="estimate"), ax))
    assert len(bars) == 2
    left, right = ax.get_xlim()
    assert bars[0][0][0] < left
    assert bars[0][1][0] == 0.5
    assert bars[1][0][0] == 0.2
    assert bars[1][1][0] > right
    assert np.isfinite(bars).all()
    assert -1 < left < right < 2


def test_error_bars_without_any_end_draw_nothing(ax):
    assert segments(add(marks.ErrorBars(x=X, y=X, role="estimate"), ax)) == []


def test_standing_and_lying_bars(ax):
    mark = {"low": X, "high": X + 0.5, "length": np.array([1.0, 2.0, 3.0]), "role": "count"}
    standing = add(marks.Bars(**mark), ax)
    assert [(b.get_x(), b.get_width(), b.get_height()) for b in standing] == [
        (0, 0.5, 1),
        (0.5, 0.5, 2),
        (1, 0.5, 3),
    ]
    lying = add(marks.Bars(**mark, horizontal=True), ax)
    assert [(b.get_y(), b.get_height(), b.get_width()) for b in lying] == [
        (0, 0.5, 1),
        (0.5, 0.5, 2),
        (1, 0.5, 3),
    ]


def test_heat_map_hides_undefined_cells(ax):
    values = np.array([[0.1, np.nan], [0.3, 0.4]])
    cells = add(
        marks.HeatMap(x_edges=X, y_edges=X, values=values, low=0, high=1, role="cells", label="A $"), ax
    )
    np.testing.assert_array_equal(np.ma.getmaskarray(cells.get_array()), np.isnan(values))
    assert cells.get_clim() == (0, 1)
    scale = ax.figure.axes[1]
    assert scale.get_ylabel() == r"A \$"


@pytest.mark.parametrize(("axis", "data"), [("x", [0.3, 0.3]), ("y", [0, 1])])
def test_reference_line_crosses_the_panel(ax, axis, data):
    line = add(marks.ReferenceLine(axis=axis, at=0.3, role="reference"), ax)
    assert list(line.get_xdata()) == data


def test_text_is_literal_and_aligned(ax):
    text = add(marks.Text(x=0.1, y=0.2, text="$a$", horizontal="right", vertical="top", role="note"), ax)
    assert (text.get_position(), text.get_ha(), text.get_va()) == ((0.1, 0.2), "right", "top")
    assert text.get_text() == r"\$a\$"


@pytest.mark.parametrize("text", ["$a$ or $b$", "$5", r"\$5$", "100 %", r"\alpha_1^2", "{x}"])
def test_literal_text_is_shown_as_written(ax, text):
    drawn = ax.text(0, 0, static.literal(text))
    assert drawn._preprocess_math(drawn.get_text()) == (text, False)


def test_every_role_has_a_look():
    from typing import get_args

    from rocscope.plotting.marks import Role

    assert set(marks.LOOKS) == set(get_args(Role))


def test_more_series_than_colours_change_their_dashes():
    seen = {(marks.colour("curve", k), marks.dash("curve", k)) for k in range(24)}
    assert len(seen) == 24
    assert len({to_hex(colour) for colour in marks.PALETTE}) == len(marks.PALETTE)
