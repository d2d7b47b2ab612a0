"""Commands read every format and show their progress."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from rocscope.cli.options import Reading

ILL = ("--label", "state", "--pos-label", "ill")


def test_format_by_option(run, formats):
    Path("scores.parquet").rename("odd.csv")
    done = run("auc", "odd.csv", *ILL, "--score", "a")
    assert (done.code, done.out) == (3, "")
    assert "--format parquet reads a file of it" in done.err
    assert run("auc", "odd.csv", *ILL, "--score", "a", "--format", "parquet").code == 0
    assert run("auc", "odd.csv", *ILL, "--score", "a", "--format", "xls").code == 2


# Progress


def test_no_progress_where_nobody_looks(run):
    with Reading().open("scores.csv") as source:
        assert source.watch is None


def test_progress_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    with Reading().open("scores.csv") as source:
        source.watch("sorting [red]", 0.5)
    assert "scores.csv: sorting [red]" in capsys.readouterr().err


# Signals

SLOW = "COPY (SELECT range % 2 AS y, hash(range) / 1e9 AS s FROM range(1000000)) TO 't.csv'"


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupts_leave_nothing(tmp_path, number, code):
    with duckdb.connect() as connection:
        connection.execute(SLOW)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    request = ["--label", "y", "--score", "s", "--memory-limit", "64MB"]
    process = subprocess.Popen(
        [sys.executable, "-m", "rocscope", "auc", "t.csv", *request],
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
