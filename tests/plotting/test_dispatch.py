import json
import subprocess
import sys
from importlib import import_module

import pytest

import rocscope as rs
from every_result import every_class, views
from rocscope import plotting
from rocscope.errors import RocInputError


def test_every_view_has_its_type_and_function():
    for view in views().values():
        module, function = view.split(".")
        assert callable(getattr(import_module(f"rocscope.plotting.{module}"), function))


@pytest.mark.parametrize("result", every_class().values(), ids=every_class().keys())
def test_every_result_has_a_picture(result):
    assert isinstance(plotting.picture(result), plotting.Picture)
    assert json.loads(json.dumps(plotting.record(plotting.picture(result)), allow_nan=False))


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
    code = "import sys, rocscope.plotting; sys.exit(bool({'matplotlib', 'numba'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
