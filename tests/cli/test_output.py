"""Files are written whole or not at all, and never over others unasked."""

import csv
import io
import os
from pathlib import Path

import pytest

from rocscope.cli.output import TextTable, csv_text, print_blocks, printable, write_text
from rocscope.errors import ResourceError

A = ("auc", "scores.csv", "--label", "state", "--pos-label", "ill", "--score", "a")


@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.svg"])
def test_no_file_is_overwritten_unasked(run, name):
    Path(name).write_text("mine")
    done = run(*A, "--out", name)
    assert (done.code, done.out) == (3, "")
    assert done.err == f"error: {name} exists already; --force overwrites it\n"
    assert Path(name).read_text() == "mine"
    assert run(*A, "--out", name, "--force").err == f"wrote {name}\n"
    assert Path(name).read_text() != "mine"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none/t.csv", "none/t.csv cannot be written: there is no folder none"),
        ("folder.csv", "folder.csv cannot be written: it is a folder"),
    ],
)
def test_places_that_cannot_be_written(run, name, message):
    Path("folder.csv").mkdir()
    done = run(*A, "--out", name)
    assert (done.code, done.out, done.err) == (3, "", f"error: {message}\n")


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    def fail(_):
        raise OSError(28, "No space left on device")

    target = tmp_path / "new" / "t.csv"
    target.parent.mkdir()
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(ResourceError) as caught:
        write_text("text", target, force=False)
    assert str(caught.value) == f"{target} cannot be written: No space left on device"
    assert list(target.parent.iterdir()) == []


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(30, "Read-only file system")

    target = tmp_path / "t.csv"
    target.write_text("old")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(ResourceError):
        write_text("new", target, force=True)
    assert target.read_text() == "old"


def test_figures_that_cannot_be_written(run, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    done = run(*A, "--out", "roc.png")
    assert (done.code, done.err) == (5, "error: roc.png cannot be written: No space left on device\n")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_spreadsheets_run_nothing(start):
    header, row = csv.reader(io.StringIO(csv_text([{f"{start}x": f"{start}1", "y": -0.5}]), newline=""))
    assert (header, row) == ([f"'{start}x", "y"], [f"'{start}1", "-0.5"])


def test_numbers_keep_all_their_digits():
    assert csv_text([{"x": 0.1 + 0.2, "n": None}]) == "x,n\r\n0.30000000000000004,\r\n"


TABLE = TextTable(("score", "AUC"), (("a\x1b[31m", "0.5"), ("longer [bold]", "0.75")))


def test_plain_tables_are_never_cut(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "5")
    print_blocks([TABLE])
    lines = ["score           AUC", "a\\x1b[31m       0.5", "longer [bold]  0.75"]
    assert capsys.readouterr().out.splitlines() == lines


def test_printable_names():
    assert printable("ä 日本\t\n") == "ä 日本\\t\\n"
    assert str(TextTable(("a",), ())) == "a"


@pytest.mark.posix
@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.png"])
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_is_replaced_keeps_its_mode(run, name, mode):
    Path(name).write_text("old")
    Path(name).chmod(mode)
    request = ("auc", "scores.csv", "--label", "state", "--pos-label", "ill", "--score", "a", "--out", name)
    assert run(*request, "--force").code == 0
    assert Path(name).read_bytes() != b"old"
    assert Path(name).stat().st_mode & 0o777 == mode
