"""The notebooks of the documentation run in a real kernel, and print what they show."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "notebooks").glob("*.ipynb"))


def outputs(notebook):
    """What every cell prints or shows, pictures by their kind alone; not the bar that a slow machine sees."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            shown = output.get("data", {})
            if "application/vnd.jupyter.widget-view+json" in shown or shown.get("text/plain") == "":
                continue  # a bar, as a widget or, without these, as text that is gone at the end
            if output.output_type == "stream":
                yield cell.id, output.name, output.text
            else:
                data = output.data
                yield cell.id, sorted(data), "" if "image/png" in data else data.get("text/plain")


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_prints(path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    stored = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(run, timeout=300, kernel_name="python3").execute()
    assert list(outputs(run)) == list(outputs(stored))
    assert any("image/png" in kinds for _, kinds, _ in outputs(run)), "a notebook without a picture"
