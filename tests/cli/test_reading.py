"""Commands read every format, within a limit of memory where one is given, and show their progress."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from rocscope.cli import reading

ILL = ("--label", "state", "--pos-label", "ill")


@pytest.fixture
def formats():
    """The same table in every format."""
    with duckdb.connect() as connection:
        for name in ("scores.parquet", "scores.jsonl"):
            kind = {"parquet": "parquet", "jsonl": "json"}[name.partition(".")[2]]
            connection.execute(f"COPY (FROM 'scores.csv') TO '{name}' (FORMAT {kind})")
    return ("scores.csv", "scores.parquet", "scores.jsonl")


def results(done):
    assert done.code == 0
    return done.document["results"]


@pytest.mark.parametrize("limit", [(), ("--memory-limit", "512MB")])
def test_auc_of_every_format(run, formats, limit):
    asked = (*ILL, "--score", "a", "--score", "b", "--json")
    expected = results(run("auc", "scores.csv", *asked))
    for name in formats:
        assert results(run("auc", name, *asked, *limit)) == expected


@pytest.mark.parametrize("command", [("compare", "--score", "a", "--score", "b"), ("points", "--score", "a")])
def test_other_commands_of_every_format(run, formats, command):
    name, *scores = command
    expected = results(run(name, "scores.csv", *ILL, *scores, "--json"))
    for path in formats:
        assert results(run(name, path, *ILL, *scores, "--json")) == expected


def test_format_by_option(run, formats):
    Path("scores.parquet").rename("odd.csv")
    done = run("auc", "odd.csv", *ILL, "--score", "a")
    assert (done.code, done.out) == (3, "")
    assert "--format parquet" in done.err
    assert run("auc", "odd.csv", *ILL, "--score", "a", "--format", "parquet").code == 0
    assert run("auc", "odd.csv", *ILL, "--score", "a", "--format", "xls").code == 2


@pytest.mark.parametrize("method", ["delong", "logit"])
def test_intervals_within_a_limit(run, method):
    asked = ("auc", "scores.csv", *ILL, "--score", "a", "--method", method, "--alternative", "greater")
    assert run(*asked, "--memory-limit", "64MB") == run(*asked)


def test_missing_values_within_a_limit(run):
    Path("gaps.csv").write_text("y,s,t\n0,1,1\n0,2,\n1,,3\n1,4,5\n1,4,6\n0,0,0\n")
    asked = ("auc", "gaps.csv", "--label", "y", "--score", "s", "--score", "t", "--na", "drop", "--json")
    assert run(*asked, "--memory-limit", "1GB") == run(*asked)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            ("--memory-limit", "much"),
            3,
            "memory_limit must be a size such as '512MB' or '2GiB', got 'much'",
        ),
        (
            ("--memory-limit", "1GB", "--method", "bootstrap"),
            3,
            "method must be one of 'delong', 'logit', got 'bootstrap'",
        ),
        (("--memory-limit", "1GB", "--level", "95"), 3, "level must lie between 0 and 1, got 95.0"),
        (
            ("--memory-limit", "1GB", "--out", "roc.png"),
            2,
            "--out must be a .csv or .json file with --memory-limit, got 'roc.png'",
        ),
    ],
)
def test_what_a_limit_does_not_go_with(run, options, code, message):
    done = run("auc", "scores.csv", *ILL, "--score", "a", *options)
    assert (done.code, done.out, done.err) == (code, "", f"error: {message}\n")


def test_too_little_memory(run):
    Path("t.jsonl").write_text('{"y": 0, "s": 1}\n{"y": 1, "s": 2}\n')
    done = run("auc", "t.jsonl", "--label", "y", "--score", "s", "--memory-limit", "64MB")
    assert (done.code, done.out) == (5, "")
    assert done.err.startswith("error: t.jsonl cannot be read within a memory_limit of 64 MB: ")


# Progress


def test_no_progress_where_nobody_looks(run):
    with reading.opened("scores.csv") as source:
        assert source.watch is None


def test_progress_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with reading.opened("scores.csv") as source:
        source.watch("sorting [red]", 0.5)
    assert "scores.csv: sorting [red]" in capsys.readouterr().err


# Signals

SLOW = "COPY (SELECT range % 2 AS y, hash(range) / 1e9 AS s FROM range(1000000)) TO 't.csv'"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupts_leave_nothing(tmp_path, number, code):
    with duckdb.connect() as connection:
        connection.execute(SLOW)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    asked = ["--label", "y", "--score", "s", "--memory-limit", "64MB"]
    process = subprocess.Popen(
        [sys.executable, "-m", "rocscope", "auc", "t.csv", *asked],
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    deadline = time.monotonic() + 20
    while not list(temporary.rglob("*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (code, b"interrupted\n")
    assert list(temporary.iterdir()) == []
