import subprocess
import sys
from importlib import import_module

import pytest

import rocscope as rs
from rocscope import views
from rocscope.errors import RocInputError

Y, SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def test_every_view_has_its_type_and_function():
    for name, home in views._VIEWS.items():
        module, _, cls = name.rpartition(".")
        assert isinstance(getattr(import_module(module), cls), type)
        assert callable(import_module(home).picture)


@pytest.mark.parametrize(
    "result",
    [rs.roc_curve(Y, SCORES), rs.auc(Y, SCORES), rs.compare_auc(Y, {"a": SCORES, "b": [1, 2, 2, 1]})],
)
def test_every_result_has_a_picture(result):
    assert isinstance(views.picture(result), views.Picture)


def test_subclass_is_shown_like_its_base():
    class Special(rs.Estimate):
        pass

    estimate = Special(name="AUC", value=0.8, se=0.1, low=0.6, high=1.0, level=0.95, method="delong")
    assert views.picture(estimate).panels[0].y.tick_labels == ("AUC",)


def test_unknown_type_is_named():
    with pytest.raises(RocInputError) as error:
        views.picture([1, 2])
    assert str(error.value) == (
        "result must be of a type that has a picture (CurveComparison, RocCurve, Estimate), got list"
    )


@pytest.mark.parametrize("room", ["views", "draw"])
def test_import_loads_no_drawing_library(room):
    code = (
        f"import sys, rocscope.{room}; sys.exit(bool({{'matplotlib', 'plotly', 'numba'}} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
