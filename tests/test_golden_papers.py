"""The five papers' experiments in their quick form, against what was frozen in tests/reference/golden."""

import json

import pytest

import goldens
from data_folder import data_dir
from test_goldens import TOLERANCE, differences

LONG = {"aslan": pytest.mark.stress}  # a hundred seconds; the others take ten each


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=LONG.get(name, ())) for name in goldens.PAPERS])
def test_no_paper_moved(name, tmp_path):
    data_dir()  # skips without the data sets
    if name == "winkler":
        pytest.importorskip("gplearn")  # one of its learners
    was = json.loads((goldens.FOLDER / "papers.json").read_text(encoding="utf-8"))[name]
    now = goldens.paper(name, tmp_path / name)
    if TOLERANCE:  # a digest is of every bit
        was["digest"] = now["digest"]
    assert list(differences(was, now)) == []
