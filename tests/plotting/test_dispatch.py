import json
import subprocess
import sys
from importlib import import_module

import pytest

import rocscope as rs
from every_result import every_class, views
from rocscope import plotting
from rocscope.errors import RocInputError
from rocscope.plotting.marks import Panel3


def test_every_view_has_its_type_and_function():
    for view in views().values():
        module, function = view.split(".")
        assert callable(getattr(import_module(f"rocscope.plotting.{module}"), function))


def on_one_pair_of_axes():
    """Results whose picture is one flat panel, which `plot(ax)` can draw on axes of the user."""
    shown = {name: plotting.picture(result).panels for name, result in every_class().items()}
    flat = [name for name, panels in shown.items() if len(panels) == 1 and not isinstance(panels[0], Panel3)]
    return [pytest.param(every_class()[name], id=name) for name in flat]


@pytest.mark.parametrize("result", every_class().values(), ids=every_class().keys())
def test_every_result_has_a_picture(result):
    assert isinstance(plotting.picture(result), plotting.Picture)
    assert json.loads(json.dumps(plotting.record(plotting.picture(result)), allow_nan=False))


@pytest.mark.parametrize("result", on_one_pair_of_axes())
def test_every_result_plots_itself(result):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure()
    FigureCanvasAgg(figure)
    ax = figure.add_subplot()
    assert result.plot(ax) is ax
    figure.canvas.draw()


def test_subclass_is_shown_like_its_base():
    class Special(rs.Estimate):
        pass

    estimate = Special(name="AUC", value=0.8, se=0.1, low=0.6, high=1.0, level=0.95, method="delong")
    assert plotting.picture(estimate).panels[0].y.tick_labels == ("AUC",)


def test_what_is_no_result_has_no_picture():
    with pytest.raises(RocInputError) as error:
        plotting.picture([1, 2])
    assert str(error.value) == "result must be a result of rocscope, got list"


def test_import_loads_no_drawing_library():
    code = (
        "import sys, rocscope.plotting; sys.exit(bool({'matplotlib', 'plotly', 'numba'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
