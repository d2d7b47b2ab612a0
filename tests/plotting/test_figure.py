import subprocess
import sys
import warnings

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

import rocscope as rs
from rocscope import plotting
from rocscope.errors import RocInputError
from rocscope.plotting.marks import Axis, Bars, HeatMap, Line, Panel, Picture

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
CURVE = rs.roc_curve(Y, SCORES)
X = np.array([0.0, 1.0])


def panel(**changes):
    line = Line(x=X, y=X, role="curve", label="line")
    return Panel(**{"marks": (line,), "x": Axis(label="x"), "y": Axis(label="y")} | changes)


def legend_texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@pytest.mark.parametrize(
    "result", [CURVE, rs.auc(Y, SCORES), rs.compare_auc(Y, {"a": SCORES, "b": [1, 2, 2, 1]})]
)
def test_plot_returns_the_axes_it_was_given(result, ax):
    assert result.plot(ax) is ax
    ax.figure.canvas.draw()
    assert plt.get_fignums() == []


def test_plot_without_axes_makes_a_figure():
    ax = CURVE.plot()
    assert plt.get_fignums() == [ax.figure.number]
    np.testing.assert_array_equal(ax.lines[1].get_xdata(), CURVE.fpr)
    np.testing.assert_array_equal(ax.lines[1].get_ydata(), CURVE.tpr)


def test_roc_axes(ax):
    CURVE.plot(ax)
    assert ax.get_xlim() == ax.get_ylim() == (-0.01, 1.01)
    assert ax.get_aspect() == 1
    assert ax.get_xlabel().startswith("False positive rate")
    assert legend_texts(ax) == ["Chance (AUC = 0.5)", "AUC = 0.75"]


def test_legend_shows_names_literally(ax):
    names = ["cost $a$ and $b$", "_hidden", "a long name " * 8]
    plotting.matplotlib(plotting.curves(dict.fromkeys(names, CURVE)), ax=ax)
    shown = legend_texts(ax)
    assert shown[1:3] == [r"cost \$a\$ and \$b\$ (AUC = 0.75)", "_hidden (AUC = 0.75)"]
    assert max(map(len, shown[3].splitlines())) <= 56
    assert " ".join(shown[3].split()) == "a long name " * 8 + "(AUC = 0.75)"


def test_second_picture_joins_the_legend_of_the_first(ax):
    for name in ("a", "b"):
        plotting.matplotlib(plotting.picture(CURVE, name=name), ax=ax)
    assert legend_texts(ax) == ["Chance (AUC = 0.5)", "a (AUC = 0.75)", "b (AUC = 0.75)"]


def test_legend_below_clears_the_axis_label(ax):
    plotting.matplotlib(Picture(panels=(panel(legend="below", x=Axis(label="two\nlines")),)), ax=ax)
    ax.figure.canvas.draw()
    assert ax.get_legend().get_window_extent().y1 < ax.xaxis.label.get_window_extent().y0


def test_forest_has_rows_from_the_top_and_figures_on_the_right(ax):
    rs.compare_auc(Y, {"a": SCORES, "b": [1, 2, 2, 1], "c": [2, 1, 3, 0]}).plot(ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a - b", "a - c", "b - c"]
    assert ax.get_ylim() == (2.5, -0.5)
    (far,) = ax.child_axes
    assert all("(" in label.get_text() for label in far.get_yticklabels())


def test_far_labels_of_an_x_axis(ax):
    axis = Axis(ticks=(0.0, 1.0), tick_labels=("a", "b"), far_labels=("n = 3", "$4"))
    plotting.matplotlib(Picture(panels=(panel(x=axis),)), ax=ax)
    assert [label.get_text() for label in ax.child_axes[0].get_xticklabels()] == ["n = 3", r"\$4"]


def test_axis_without_ends_grows_with_its_data(ax):
    plotting.matplotlib(Picture(panels=(panel(y=Axis(low=-2.0)),)), ax=ax)
    assert ax.get_xlim() == pytest.approx((-0.05, 1.05))
    assert ax.get_ylim() == pytest.approx((-2, 1.05))
    assert ax.get_autoscalex_on()


def test_logarithmic_axes_of_the_user_stay_so(ax):
    ax.set_xscale("log")
    plotting.matplotlib(Picture(panels=(panel(),)), ax=ax)
    assert ax.get_xscale() == "log"


def test_several_panels_give_an_array_of_axes():
    picture = Picture(panels=(panel(title="a"), panel(title="b $"), panel()), columns=2, title="all $")
    axes = plotting.matplotlib(picture)
    assert [ax.get_title() for ax in axes] == ["a", r"b \$", ""]
    assert axes[0].figure.get_suptitle() == r"all \$"
    assert axes[0].get_position().y0 > axes[2].get_position().y0


def test_several_panels_go_on_the_axes_given():
    given = Figure().subplots(2, 2)
    drawn = plotting.matplotlib(Picture(panels=(panel(),) * 4), ax=given)
    assert list(drawn) == list(given.ravel())


def test_refuses_too_few_axes(ax):
    with pytest.raises(RocInputError) as error:
        plotting.matplotlib(Picture(panels=(panel(), panel())), ax=ax)
    assert str(error.value) == "ax must hold one axes per panel (2), got 1"


def test_figure_has_room_for_what_it_shows():
    size = plotting.layout.figure_size
    one = size(Picture(panels=(panel(),)))
    assert size(Picture(panels=(panel(),) * 4, columns=2)) == (2 * one[0], 2 * one[1])
    assert size(Picture(panels=(panel(legend="below"),)))[1] > one[1]
    cells = HeatMap(x_edges=X, y_edges=X, values=np.eye(1), role="cells")
    assert size(Picture(panels=(panel(marks=(cells,)),)))[0] > one[0]


def test_long_titles_are_broken_and_find_room(ax):
    size = plotting.layout.figure_size
    rows = Axis(ticks=(0.0,), tick_labels=("a",), far_labels=("wide text\nin two lines",))
    short, long = (panel(y=rows, title=title) for title in ("short $", "a long title $ " * 8))
    plotting.matplotlib(Picture(panels=(long,)), ax=ax)
    lines = ax.get_title().splitlines()
    assert len(lines) == 2
    assert " ".join(lines) == r"a long title \$ " * 7 + r"a long title \$"
    widths, heights = zip(size(Picture(panels=(short,))), size(Picture(panels=(long,))), strict=True)
    assert widths[0] == widths[1]
    assert heights[1] > heights[0]


def test_style_of_the_user_does_not_reach_our_figures():
    with plt.style.context("dark_background"):
        ax = CURVE.plot(style="rocscope")
    assert ax.get_facecolor() == ax.figure.get_facecolor() == (1, 1, 1, 1)


def test_settings_of_the_user_are_left_alone():
    before = dict(plt.rcParams)
    CURVE.plot()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert dict(plt.rcParams) == before


@pytest.mark.parametrize("interactive", [True, False])
def test_interactive_mode_stays_as_it_was(interactive):
    with plt.ion() if interactive else plt.ioff():
        CURVE.plot()
        assert plt.isinteractive() is interactive
        assert plt.get_backend().lower() == "agg"


# What the backend of notebooks does when pyplot first loads it: it turns the interactive mode on, and shows
# at the end of a cell the figures that were made in that mode.
NOTEBOOK_BACKEND = """
import matplotlib
from matplotlib.backends import backend_agg
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas
from matplotlib.figure import Figure

matplotlib.interactive(True)
matplotlib.rcParams["figure.dpi"] = 72
waiting = []

def new_figure_manager(num, *args, FigureClass=Figure, **kwargs):
    return new_figure_manager_given_figure(num, FigureClass(*args, **kwargs))

def new_figure_manager_given_figure(num, figure):
    if matplotlib.is_interactive():
        waiting.append(num)
    return backend_agg.new_figure_manager_given_figure(num, figure)
"""
NOTEBOOK_CELLS = """
import rocscope as rs
from matplotlib import pyplot as plt
curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
curve.plot()
plt.figure()
curve.plot()
import notebook_backend
print(notebook_backend.waiting, plt.isinteractive(), plt.rcParams["figure.dpi"])
"""


@pytest.mark.slow
def test_a_notebook_shows_our_first_figure_and_all_after_it(tmp_path, monkeypatch):
    (tmp_path / "notebook_backend.py").write_text(NOTEBOOK_BACKEND)
    monkeypatch.setenv("MPLBACKEND", "module://notebook_backend")
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(tmp_path)!r}){NOTEBOOK_CELLS}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    assert run.stdout == "[1, 2, 3] True 72.0\n"


def test_grid_is_drawn_below_and_only_where_requested(ax):
    bars = Bars(low=X, high=X + 1, length=X, role="count")
    plotting.matplotlib(Picture(panels=(panel(marks=(bars,), y=Axis(grid=False)),)), ax=ax)
    assert all(line.get_visible() for line in ax.get_xgridlines())
    assert not any(line.get_visible() for line in ax.get_ygridlines())
    assert ax.get_axisbelow() is True
