import numpy as np
import pytest
from matplotlib.figure import Figure

from rocscope import plotting
from rocscope.errors import RocInputError
from rocscope.plotting import marks
from rocscope.plotting.marks import Axis, Line, Panel, Panel3, Picture, Points, Points3

X, Y, Z = np.array([0.1, 0.2]), np.array([0.3, 0.4]), np.array([0.5, np.nan])


def solid(*marks, **options):
    axes = {"x": Axis(label="a"), "y": Axis(label="b", low=0, high=1), "z": Axis(label="cost $")}
    return Panel3(marks=marks, **axes, **options)


def test_points_have_three_coordinates(tmp_path):
    mark = Points3(x=X, y=Y, z=Z, role="indistinguishable", label="near")
    ax = plotting.matplotlib(
        Picture(panels=(solid(mark, legend="below", title="T"),)), ax=Figure().add_subplot(projection="3d")
    )
    (drawn,) = ax.lines
    for found, expected in zip(drawn.get_data_3d(), (X, Y, Z), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert drawn.get_marker() == marks.LOOKS["indistinguishable"].marker
    assert (ax.get_xlabel(), ax.get_zlabel(), ax.get_title()) == ("a", r"cost \$", "T")
    assert ax.get_ylim() == (0, 1)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["near"]


def test_flat_and_solid_panels_stand_side_by_side(tmp_path):
    flat = Panel(marks=(Points(x=X, y=Y, role="point"),), x=Axis(), y=Axis())
    picture = Picture(panels=(solid(Points3(x=X, y=Y, z=Z, role="point")), flat), columns=2)
    plotting.save(picture, tmp_path / "both.png")
    assert (tmp_path / "both.png").stat().st_size > 1000
    panels = plotting.record(picture)["panels"]
    assert panels[0]["marks"][0] == {
        "mark": "Points3",
        "role": "point",
        "label": None,
        "series": 0,
        "x": [0.1, 0.2],
        "y": [0.3, 0.4],
        "z": [0.5, None],
    }
    assert "z" not in panels[1]


def test_a_flat_axes_is_refused():
    with pytest.raises(RocInputError) as error:
        plotting.matplotlib(Picture(panels=(solid(),)), ax=Figure().add_subplot())
    assert str(error.value) == (
        "ax must be of three dimensions (projection='3d') for this picture, got a flat one"
    )


def test_other_marks_are_not_drawn_in_perspective():
    with pytest.raises(NotImplementedError, match="mark of type Line"):
        plotting.matplotlib(
            Picture(panels=(solid(Line(x=X, y=Y, role="curve")),)), ax=Figure().add_subplot(projection="3d")
        )
