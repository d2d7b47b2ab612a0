"""`rocscope demo` runs a whole study on real data."""

import shlex
from pathlib import Path

import pytest

from rocscope.io.example import MARKERS, example_cases


@pytest.mark.slow
def test_demo(run):
    done = run("demo", "--out", "new/demo")
    assert (done.code, done.err) == (0, "")
    first = "Breast tumours: three measurements of cell nuclei, 212 malignant and 357 benign"
    assert done.out.splitlines()[0] == first
    assert "concave_points  0.9667 (0.9482-0.9786)" in done.out
    assert "Equal areas: chi2 = " in done.out
    assert "(tpr>=0.9):" in done.out
    names = ["demo_markers.csv", "demo_report.html", "demo_roc.png"]
    assert sorted(path.name for path in Path("new/demo").iterdir()) == names
    for line in done.out.splitlines()[-5:-2]:
        assert Path(line.split(":")[0]).is_file()
    assert done.out.splitlines()[-1].endswith("rocscope app")
    page = Path("new/demo/demo_report.html").read_text(encoding="utf-8")
    assert "concave_points, 10 folds" in page
    assert "Comparison of markers" in page
    (summary,) = (line for line in done.out.splitlines() if line.startswith("Try: "))
    assert summary.startswith("Try: rocscope compare ")
    assert run(*shlex.split(summary)[2:]).code == 0


def test_every_fold_has_both_classes_in_equal_shares():
    cases = example_cases()
    for fold in range(1, 11):
        states = [case["diagnosis"] for case in cases if case["fold"] == fold]
        assert 21 <= states.count("malignant") <= 22
        assert 35 <= states.count("benign") <= 36


def test_the_example_is_the_data_set_of_scikit_learn():
    """0 is malignant there: the classes must not be exchanged."""
    from sklearn.datasets import load_breast_cancer

    data, cases = load_breast_cancer(as_frame=True), example_cases()
    for name, own in MARKERS.items():
        assert [case[name] for case in cases] == data.data[own].tolist()
    malignant = [case["diagnosis"] == "malignant" for case in cases]
    assert malignant == (data.target == 0).tolist()


@pytest.mark.slow
def test_demo_repeats_itself_and_replaces_only_its_own(run):
    Path("demo").mkdir()
    Path("demo/mine.txt").write_text("mine")
    first = run("demo")
    pages = Path("demo/demo_report.html").read_bytes()
    assert run("demo").out == first.out
    assert Path("demo/demo_report.html").read_bytes() == pages
    assert Path("demo/mine.txt").read_text() == "mine"
    assert run("demo", "--seed", "2").out == first.out  # the areas need no random numbers
    assert Path("demo/demo_report.html").read_bytes() != pages


def test_a_file_in_the_way(run):
    Path("demo").write_text("mine")
    done = run("demo")
    assert (done.code, done.err) == (3, "error: demo must be a folder, got a file\n")


def test_wrong_seed(run):
    assert run("demo", "--seed", "-1").code == 2
