"""`rocscope demo` runs a whole study on made-up data."""

from pathlib import Path

import numpy as np
import pytest

from rocscope.cli.demo import MARKERS, made_up_cases


def test_demo(run):
    done = run("demo", "--out", "new/demo")
    assert (done.code, done.err) == (0, "")
    first = "Two markers of an illness (made up), seed 1: 105 ill and 195 well people"
    assert done.out.splitlines()[0] == first
    assert "Equal areas: z = " in done.out
    assert "(tpr>=0.9):" in done.out
    names = ["demo_markers.csv", "demo_report.html", "demo_roc.png"]
    assert sorted(path.name for path in Path("new/demo").iterdir()) == names
    for line in done.out.splitlines()[-3:]:
        assert Path(line.split(":")[0]).is_file()


def test_it_ends_with_the_report(run):
    last = run("demo").out.splitlines()[-1]
    assert last == "demo/demo_report.html: all of it, to be explored"
    page = Path("demo/demo_report.html").read_text(encoding="utf-8")
    assert "protein, 10 folds" in page
    assert "Comparison of markers" in page


def test_it_says_a_command_that_works(run):
    (summary,) = (line for line in run("demo", "--out", "demo").out.splitlines() if line.startswith("Try: "))
    assert summary.startswith("Try: rocscope compare ")
    assert run(*summary.split()[2:]).code == 0


def test_every_fold_has_both_classes_in_equal_shares():
    cases = made_up_cases(3)
    for fold in range(1, 11):
        states = [case["state"] for case in cases if case["fold"] == fold]
        assert 10 <= states.count("ill") <= 11
        assert 19 <= states.count("well") <= 20


@pytest.mark.slow
def test_demo_repeats_itself_and_replaces_only_its_own(run):
    Path("demo").mkdir()
    Path("demo/mine.txt").write_text("mine")
    first = run("demo")
    content = Path("demo/demo_markers.csv").read_bytes()
    assert run("demo").out == first.out
    assert Path("demo/demo_markers.csv").read_bytes() == content
    assert Path("demo/mine.txt").read_text() == "mine"
    assert run("demo", "--seed", "2").out != first.out


def test_every_seed_is_worth_showing():
    for seed in range(20):
        cases = made_up_cases(seed)
        scores = np.array([[case[name] for name in MARKERS] for case in cases], dtype=float)
        ill = np.array([case["state"] == "ill" for case in cases])
        assert ill.sum() == 105
        assert np.corrcoef(scores[ill].T)[0, 1] > 0.1
        assert all(len(np.unique(column)) < len(cases) / 2 for column in scores.T)


def test_a_file_in_the_way(run):
    Path("demo").write_text("mine")
    done = run("demo")
    assert (done.code, done.err) == (3, "error: demo must be a folder, got a file\n")


def test_wrong_seed(run):
    assert run("demo", "--seed", "-1").code == 2
