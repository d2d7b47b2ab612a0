"""`rocscope reproduce`: the folder it writes, going on after all that may end it, and clean refusals."""

import csv
import importlib.util
import io
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from rocscope.cli import study
from rocscope.papers import base
from rocscope.run.journal import Journal
from rocscope.run.study import look_at_study

pytestmark = pytest.mark.slow

HOME = Path(__file__).parent


@pytest.fixture
def tiny(monkeypatch):
    """A study of no time under the name of a paper."""
    spec = importlib.util.spec_from_file_location("rocscope.papers.tiny", HOME / "tiny_paper.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setitem(sys.modules, "rocscope.papers.tiny", module)
    monkeypatch.setitem(base.all_papers(), "tiny", module.PAPER)
    return module.state


def test_folder_of_tables_figures_and_readme(run, tiny):
    done = run("reproduce", "tiny", "--quick", "--out", "r")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"study tiny: 3 of 3 tasks done\nIt was found.\nwrote {Path('r/README.md')}\n"
    assert sorted(p.name for p in Path("r").iterdir()) == [
        "README.md",
        "journal",
        "numbers.csv",
        "one.png",
        "two.png",
    ]
    with open("r/numbers.csv", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["key", "paper", "ours", "difference", "mc_error"]
    assert all(float(row[3]) == float(row[2]) - 0.5 for row in rows)
    text = Path("r/README.md").read_text()
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == [
        "# tiny: a paper's experiment, repeated",
        "## What came out",
        "## What is as in the paper",
        "## What had to be chosen",
        "## What could not be had",
        "## Where the paper contradicts itself, or mathematics",
        "## Tables",
        "## Figures",
    ]
    assert "N. N.: A tiny paper" in text
    assert "`rocscope reproduce tiny --quick --seed 0 --out DIR`" in text
    assert f"With Python {platform.python_version()}, rocscope " in text


def test_nothing_is_done_twice(run, tiny):
    assert run("reproduce", "tiny", "--out", "r").code == 0
    assert sorted(tiny["ran"]) == [0, 1, 2, 3, 4, 5]
    tiny["ran"].clear()
    assert run("reproduce", "tiny", "--out", "r").code == 0
    assert tiny["ran"] == []


def test_other_parameters_are_refused(run, tiny):
    run("reproduce", "tiny", "--out", "r")
    done = run("reproduce", "tiny", "--out", "r", "--seed", "3")
    where = Path("r/journal")
    said = f"{where} holds another study, or other parameters: seed is 0 there, 3 here; take another folder"
    assert (done.code, done.err) == (3, f"error: {said}\n")
    assert "size is 'full' there, 'quick' here" in run("reproduce", "tiny", "--out", "r", "--quick").err


def test_interrupt_says_how_to_go_on(run, tiny):
    tiny["interrupt"] = 4
    done = run("reproduce", "tiny", "--out", "my study")
    assert done.code == 130
    assert "what is done is kept in my study; to go on: rocscope study resume 'my study'" in done.err
    assert not Path("my study/README.md").exists()
    tiny["interrupt"] = None
    *before, _ = tiny["ran"]
    tiny["ran"].clear()
    assert run("study", "resume", "my study").code == 0
    assert 0 < len(before) < 5
    assert sorted([*before, *tiny["ran"]]) == [0, 1, 2, 3, 4, 5]
    assert Path("my study/README.md").exists()


def test_failed_tasks_are_reported_and_can_be_run_again(run, tiny):
    tiny["bad"] = 2
    done = run("reproduce", "tiny", "--out", "r")
    assert done.code == 6
    assert done.err == (
        "error: 1 of 6 tasks failed; the first is 't/2': ValueError: a bad day; "
        "retry: rocscope study resume r --retry-failed\n"
    )
    tiny["bad"] = None
    tiny["ran"].clear()
    assert run("study", "resume", "r").code == 6
    assert run("study", "resume", "r", "--retry-failed").code == 0
    assert tiny["ran"] == [2]


def test_shards_are_merged_by_export(run, tiny):
    run("reproduce", "tiny", "--out", "whole")
    one = run("reproduce", "tiny", "--out", "parts", "--shard", "1/2")
    assert one.code == 0
    assert one.out.splitlines()[1] == "when all 2 shards are done: rocscope study export parts"
    early = run("study", "export", "parts")
    assert early.code == 3
    assert "there is nothing to export yet; to go on: rocscope study resume parts" in early.err
    assert run("reproduce", "tiny", "--out", "parts", "--shard", "2/2").code == 0
    assert run("study", "export", "parts").code == 0
    digests = [run("study", "status", name, "--json").document["digest"] for name in ("whole", "parts")]
    assert digests[0] == digests[1] is not None
    assert Path("parts/numbers.csv").read_text() == Path("whole/numbers.csv").read_text()


def test_resume_goes_on_from_shards(run, tiny):
    run("reproduce", "tiny", "--out", "parts", "--shard", "1/2")
    before = list(tiny["ran"])
    assert run("study", "resume", "parts").code == 0
    assert sorted(tiny["ran"]) == [0, 1, 2, 3, 4, 5]
    assert 0 < len(before) < 6


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["tinny"], 3, "did you mean 'tiny'?"),
        (["tiny", "--scheduler", "tcp://a:1"], 2, "--scheduler needs --backend dask"),
        (
            ["tiny", "--backend", "dask", "--scheduler", "tcp://a:1", "--n-jobs", "2"],
            2,
            "--n-jobs must be left out with --scheduler",
        ),
        (["tiny", "--backend", "dask", "--timeout", "5"], 2, "--timeout needs --backend loky"),
        (["tiny", "--shard", "3/2"], 2, "--shard must be I/N with I from 1 to N, got 3/2"),
        (["tiny", "--data", "nowhere"], 3, "--data must be a folder, got 'nowhere'"),
        (["tiny", "--n-jobs", "0"], 2, "--n-jobs must be a whole number other than 0, got 0"),
    ],
)
def test_wrong_arguments(run, tiny, arguments, code, message):
    done = run("reproduce", *arguments, "--out", "r")
    assert done.code == code
    assert message in done.err
    assert tiny["ran"] == []


def test_a_folder_of_other_things_is_not_touched(run, tiny):
    Path("mine").mkdir()
    Path("mine/README.md").write_text("my own")
    done = run("reproduce", "tiny", "--out", "mine")
    assert (done.code, done.err) == (
        3,
        "error: mine must be new, empty or hold an earlier run of the study, got other files\n",
    )
    assert Path("mine/README.md").read_text() == "my own"
    assert run("reproduce", "tiny", "--out", "scores.csv").code == 3


def test_what_cannot_be_had_is_reported_and_leaves_nothing(run, monkeypatch):
    monkeypatch.setenv("ROCSCOPE_OFFLINE", "1")
    Path("none").mkdir()
    done = run("reproduce", "marrocco", "--data", "none", "--out", "m")
    assert done.code == 5
    for name in ("german_numeric", "pima", "cmc"):
        assert f"data set '{name}' was not found; tried: none/{name}/{name}.csv is not there" in done.err
    assert "(ROCSCOPE_OFFLINE is set)" in done.err
    assert not Path("m").exists()


def test_what_is_left_out_is_reported_before_the_run(run, tiny):
    tiny["notes"] = ("left out: the moon",)
    assert run("reproduce", "tiny", "--out", "r").err == "tiny: left out: the moon\n"


def test_preparation_is_reported(run, tiny):
    tiny["prepare"] = lambda: None
    said = "tiny: getting ready; the first run on a machine compiles, later ones do not\n"
    assert run("reproduce", "tiny", "--out", "r").err == said
    assert run("reproduce", "tiny", "--out", "r").err == ""


def test_a_run_under_way_is_seen(run, tiny):
    tiny["bad"] = 2
    run("reproduce", "tiny", "--out", "r")
    assert run("study", "status", "r", "--json").document["running"] is False
    place = Path("r/journal")
    with closing(Journal.open(place / "journal.jsonl", look_at_study(place)[0].manifest)):
        assert ["running", "yes"] in [line.split() for line in run("study", "status", "r").out.splitlines()]
        done = run("study", "export", "r")
        assert done.err.endswith("1 failed: there is nothing to export yet; a run is under way\n")
        assert "is in use by another run: wait" in run("reproduce", "tiny", "--out", "r").err


@pytest.mark.parametrize("command", [["status"], ["resume"], ["export"]])
def test_journals_of_two_studies_in_one_folder_are_named(run, tiny, command):
    run("reproduce", "tiny", "--out", "a", "--shard", "1/2")
    run("reproduce", "tiny", "--out", "b", "--shard", "2/2", "--seed", "5")
    shutil.copy("b/journal/journal-2-of-2.jsonl", "a/journal")
    done = run("study", *command, "a")
    assert done.code == 3
    assert "got journal-2-of-2.jsonl beside journal-1-of-2.jsonl: seed is 5 there, 0 here" in done.err


@pytest.mark.parametrize("command", [["reproduce"], ["study"], ["study", "resume"]])
def test_help_loads_nothing_heavy(command):
    heavy = {"numpy", "scipy", "numba", "matplotlib", "sklearn", "distributed"}
    code = f"""
import sys
from rocscope.cli import main
main([*{command!r}, "--help"])
print("LOADED", *sorted({heavy!r} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1].strip() == "LOADED"


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "rocscope", *arguments],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "ROCSCOPE_OFFLINE": "1"},
    )


def test_ctrl_c_ends_the_run_but_not_the_study(run):
    process = start("reproduce", "yousef", "--quick", "--out", "y", "--n-jobs", "2")
    for _ in range(300):
        if any(Path("y").rglob("*.jsonl")) and run("study", "status", "y").code == 0:
            break
        time.sleep(0.1)
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130, said
    assert "to go on: rocscope study resume y" in said
    status = run("study", "status", "y", "--json").document
    assert status["done"] + status["to do"] == status["tasks"]
    assert status["failed"] == 0


class Terminal(io.StringIO):
    """A stream that someone looks at."""

    def isatty(self):
        return True


def test_a_terminal_sees_a_bar(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "100")
    with study.watched("tiny") as progress:
        progress(40, 100)
        progress(41, 100)
    assert "41/100" in screen.getvalue()


def test_elsewhere_a_line_has_the_time_left(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr(study, "monotonic", lambda: clock[0])
    with study.watched("tiny") as progress:
        for done in range(40, 45):
            progress(done, 50)
            clock[0] += 6.0
    # Of 40 earlier results nothing is known, and two say little of the rest; the four took 6 s each.
    said = ["tiny: 42 of 50 tasks", "tiny: 44 of 50 tasks, about 36 s left"]
    assert capsys.readouterr().err.splitlines() == said
