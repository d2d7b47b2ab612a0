"""The explorer as a widget, by itself and in notebooks that a real kernel executes."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import rocscope as rs
from rocscope.errors import RocInputError

pytest.importorskip("anywidget", reason="the widget is an extra")

RNG = np.random.default_rng(5)
Y = np.arange(60) % 2
A, B = (np.round(RNG.normal(size=60) + shift * Y, 1) for shift in (1.5, 0.8))
CURVE = rs.roc_curve(Y, A)


def test_a_widget_has_the_point_of_its_index():
    widget = CURVE.explore()
    assert widget.index == CURVE.select().index
    assert widget.point == CURVE.point(widget.index)
    widget.index = 3
    assert widget.point == CURVE.point(3)
    assert repr(widget) == f"Explorer at {CURVE.point(3).summary()}"
    assert type(widget.index) is int


def test_other_indices_are_refused():
    widget = CURVE.explore()
    for index in (len(CURVE), -len(CURVE) - 1):
        with pytest.raises(RocInputError, match="index must"):
            widget.index = index
    widget.index = -1
    assert widget.index == len(CURVE) - 1


def test_changes_are_told_to_whoever_observes():
    widget, seen = CURVE.explore(), []
    widget.observe(lambda change: seen.append(change["new"]), names="index")
    widget.index = 4
    assert seen == [4]


def test_what_is_sent_is_the_page_and_the_index():
    widget = CURVE.explore()
    state = widget.get_state()
    assert state["index"] == widget.index
    assert "explorer_notebook" not in state["_page"]  # scripts are inside, none is loaded
    assert "window.parent.postMessage" in state["_page"]
    assert "window.parent.postMessage" not in widget.html
    assert len(json.dumps(state, default=str)) < 250_000


def test_averages_give_their_points_back():
    roc = rs.average_roc(Y, A, fold=np.arange(60) // 12, points=12)
    widget = roc.compare_to(4).explore()
    assert widget.index == 4
    assert widget.point == roc.point(4)


def test_it_is_saved_as_the_page(tmp_path):
    widget = CURVE.explore()
    assert widget.save(tmp_path / "x.html").read_text(encoding="utf-8") == widget.html
    with pytest.raises(RocInputError, match="overwrite=True replaces it"):
        widget.save(tmp_path / "x.html")


# ---- A real kernel ----------------------------------------------------------------------------------------

CELLS = [
    "import numpy as np, rocscope as rs\nfrom matplotlib import pyplot as plt\n"
    "y = np.arange(60) % 2\nrng = np.random.default_rng(1)\na, b = y + rng.normal(size=(2, 60))\n"
    "curve = rs.roc_curve(y, a)",
    "curve.plot(name='a', band=True, points='youden');",
    "rs.RocDisplay.from_predictions(y, b, style=None);",
    "curve",
    "widget = curve.explore()\nwidget",
    "widget.index = 3\nprint(widget.point == curve.point(3), widget.index)",
    "rs.compare_auc(y, {'a': a, 'b': b}).explore()",
    "plt.plot([1, 2], [3, 4]);",
    "print(plt.isinteractive(), plt.get_fignums())",
]
EXECUTE = """
import json, sys
import nbformat
from nbclient import NotebookClient

cells = [nbformat.v4.new_code_cell(source) for source in json.load(sys.stdin)]
notebook = NotebookClient(nbformat.v4.new_notebook(cells=cells), timeout=300, kernel_name="python3").execute()
print(json.dumps([cell["outputs"] for cell in notebook["cells"]]))
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """What every cell of the notebook shows, executed by a kernel that keeps its files to itself."""
    pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    place = str(tmp_path_factory.mktemp("kernel"))
    names = ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    environment = {**os.environ, **dict.fromkeys(names, place)}
    environment.pop("MPLBACKEND", None)
    run = subprocess.run(
        [sys.executable, "-c", EXECUTE],
        input=json.dumps(CELLS),
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    return json.loads(run.stdout)


def shown(outputs, cell, kind):
    return [one["data"][kind] for one in outputs[cell] if kind in one.get("data", {})]


def printed(outputs, cell):
    return "".join(one.get("text", "") for one in outputs[cell] if one["output_type"] == "stream")


@pytest.mark.slow
@pytest.mark.parametrize("cell", [1, 2, 7])
def test_a_cell_that_plots_shows_its_figure(outputs, cell):
    """Ours, and after them the user's own."""
    assert len(shown(outputs, cell, "image/png")) == 1


@pytest.mark.slow
def test_a_result_shows_its_text_and_picture(outputs):
    (text,) = shown(outputs, 3, "text/html")
    assert text.startswith("<div><pre>ROC curve")
    assert text.count("<svg xmlns") == 1


@pytest.mark.slow
def test_the_widget_is_shown_and_gives_its_point_back(outputs):
    (view,) = shown(outputs, 4, "application/vnd.jupyter.widget-view+json")
    assert view["model_id"]
    assert printed(outputs, 5) == "True 3\n"


@pytest.mark.slow
def test_a_comparison_adds_little_to_a_notebook(outputs):
    (text,) = shown(outputs, 6, "text/html")
    assert len(text.encode()) < 120_000


@pytest.mark.slow
def test_the_state_of_matplotlib_is_as_it_was(outputs):
    assert printed(outputs, 8) == "True []\n"


@pytest.mark.slow
def test_no_cell_warns(outputs):
    assert not [one for cell in outputs for one in cell if one.get("name") == "stderr"]
