"""Bad files, odd names and full disks: a clear word, the right code, and nothing left over."""

import gzip
import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytestmark = pytest.mark.slow

A = ("--label", "state", "--pos-label", "ill", "--score", "a")
READERS = [("auc",), ("points",), ("compare", "--score", "b"), ("auc", "--memory-limit", "512MB")]
COUNTED = "(data rows are counted from 1)"
ONE_CLASS = "column 'state' of t.csv must hold two classes, got only 'ill'"


@pytest.fixture(params=READERS, ids=" ".join)
def says(run, request):
    """The one message that every command refuses a file with."""

    def call(path, *requested_options):
        name, *more = request.param
        done = run(name, path, *(requested_options or A), *more)
        assert (done.code, done.out) == (3, "")
        return done.err.removeprefix("error: ").removesuffix("\n")

    return call


def column(*names, hint):
    return f"t.csv must have a column 'state', got {', '.join(map(repr, names))}; did you mean {hint!r}?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv must hold a table with a header, got an empty file"),
        ("state,a,b\n", "t.csv must hold at least two rows of data, got only a header"),
        ("state,a,b\nill,1,2\n", "t.csv must hold at least two rows of data, got 1"),
        ("state,a,b\nill,1,1\nill,2,2\n", ONE_CLASS),
        (
            "state,a,b,b\nill,1,1,1\nwell,2,2,2\n",
            "t.csv must have different column names, got 'b' more than once",
        ),
        (
            "state;a;b\nill;0,5;1\nwell;0.7;2\n",
            f"column 'a' of t.csv must hold numbers, got '0,5' in row 1 {COUNTED}; a decimal comma must "
            "be a point; or --decimal , reads all of them so",
        ),
        (
            "state,a,b\nill,0,5,1\nwell,0,7,2\n",
            "t.csv must have 3 cells in every line, got 4 in line 2; a decimal comma must be a point, and a "
            "comma in a text stand in quotes",
        ),
        ("state,a,b\nill,1,1\nwell,2\n", "t.csv must have 3 cells in every line, got 2 in line 3"),
        ("State,a,b\nill,1,1\nwell,2,2\n", column("State", "a", "b", hint="State")),
        ("state , A,b\nill,1,1\nwell,2,2\n", column("state ", " A", "b", hint="state ")),
        ("stat,a,b\nill,1,1\nwell,2,2\n", column("stat", "a", "b", hint="stat")),
    ],
)
def test_tables(says, text, message):
    Path("t.csv").write_text(text)
    assert says("t.csv") == message


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "t.csv.gz",
            gzip.compress(b"y,s\n", mtime=0)[:-6],
            "t.csv.gz must be a whole gzip file, got a damaged one: Compressed file ended before the "
            "end-of-stream marker was reached",
        ),
        ("t.parquet", b"", "t.parquet must hold a Parquet table, got an empty file"),
        ("t.parquet", b"PAX1....", "t.parquet must be a Parquet file, got one that begins with b'PAX1'"),
        ("t.parquet", b"PAR1....", "t.parquet must be a whole Parquet file, got one that is cut off"),
        ("t.jsonl", b"\n", "t.jsonl must hold a JSON object in every line, got an empty file"),
        (
            "t.json",
            b'[{"a": 1}]',
            "t.json must hold a JSON object in every line, got '[{\"a\": 1}]' in line 1; an array must "
            "become a line for each of its objects",
        ),
    ],
)
def test_other_files(says, name, content, message):
    Path(name).write_bytes(content)
    assert says(name) == message


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("none.csv", "none.csv cannot be read: no such file or directory"),
        ("folder", "folder must be a folder of Parquet files (.parquet or .pq), got none"),
        ("", "'' cannot be read: is a directory"),
        (
            "https://example.org/t.csv",
            "https://example.org/t.csv cannot be read: no such file or directory; it must be a file of this "
            "machine: download it first",
        ),
    ],
)
def test_names(says, name, message):
    Path("folder").mkdir()
    assert says(name) == message


def test_a_file_without_permission(says, monkeypatch):
    """As any user but root would meet it."""
    opened = Path.open

    def refuse(self, *how, **more):
        if self.name == "scores.csv":
            raise PermissionError(13, "Permission denied")
        return opened(self, *how, **more)

    monkeypatch.setattr(Path, "open", refuse)
    assert says("scores.csv") == "scores.csv cannot be read: permission denied"


ODD = ['quo"te.csv', "semi;colon.csv", "it's.csv", "ü→.csv", "[x].csv", "*.csv", "$path.csv", "new\nline.csv"]
EVIL = "we\"ird; DROP TABLE x;--'ü→\n</script>"


@pytest.mark.parametrize("limit", [(), ("--memory-limit", "512MB")])
@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_names(run, name, limit):
    table = pl.DataFrame({EVIL: ["=1+1;'\"ü", "<b>"] * 3, f"s {EVIL}": [3.0, 1.0, 2.0, 2.0, 4.0, 0.0]})
    table.write_csv(name)
    requested_options = (
        "--label",
        EVIL,
        "--pos-label",
        "=1+1;'\"ü",
        "--score",
        f"s {EVIL}",
        "--json",
        *limit,
    )
    for command in ("auc", "points"):
        (found,) = run(command, name, *requested_options).document["results"]
        assert (found["score"], found["pos_label"], found["neg_label"]) == (f"s {EVIL}", "=1+1;'\"ü", "<b>")
        assert found.get("auc", found.get("value")) == 17 / 18


# Missing values that the statistics of a Parquet file say nothing about


@pytest.mark.parametrize("limit", [(), ("--memory-limit", "512MB")])
def test_nan_in_a_file_with_statistics(run, limit):
    pl.DataFrame({"y": [0, 1, 1, 0, 1], "s": [1.0, np.nan, 3.0, 2.0, 1.5]}).write_parquet("t.parquet")
    requested_options = ("auc", "t.parquet", "--label", "y", "--score", "s", *limit)
    assert "got 1 in column 's' (row 2)" in run(*requested_options).err
    done = run(*requested_options, "--na", "drop")
    assert (done.code, done.err) == (0, "note: s: 1 row with missing values left out: 1 of class '1'\n")
    assert "0.7500" in done.out


# Targets


@pytest.mark.parametrize(
    ("command", "options", "taken"),
    [
        ("auc", ("--out", "./scores.csv"), "scores.csv"),
        ("points", ("--out", "scores.csv"), "scores.csv"),
        ("points", ("--save", "scores.csv"), "scores.csv"),
        ("points", ("--save", "t.csv", "--out", "t.csv"), "t.csv"),
    ],
)
def test_no_file_of_ours_is_written_over(run, command, options, taken):
    before = Path("scores.csv").read_text()
    done = run(command, "scores.csv", *A, *options, "--force")
    message = f"error: {taken} is read or written already: --out and --save need other names\n"
    assert (done.code, done.out, done.err) == (2, "", message)
    assert Path("scores.csv").read_text() == before
    assert not Path("t.csv").exists()


def shell(*arguments, most, stdin=None):
    """Run with a limit on the size of files, which acts like a full disk."""
    resource = pytest.importorskip("resource")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-m", "rocscope", *arguments],
        capture_output=True,
        text=True,
        preexec_fn=limit,
        stdin=stdin,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # half a compiled module would stay behind
        check=False,
    )


@pytest.mark.parametrize("name", ["t.csv", "t.json", "t.png"])
def test_a_full_disk_behind_a_target(name):
    done = shell("auc", "scores.csv", *A, "--out", name, most=100)
    assert (done.returncode, done.stdout) == (5, "")
    assert done.stderr == f"error: {name} cannot be written: File too large\n"
    assert os.listdir() == ["scores.csv"]


@pytest.mark.parametrize("way", ["copy", "pipe"])
def test_a_full_disk_behind_temporary_files(tmp_path, monkeypatch, way):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    Path("t.csv").write_text("y,s\n" + "".join(f"{k % 2},{k * 0.37 % 11}\n" for k in range(5_000)))
    requested_options = ("--label", "y", "--score", "s")
    if way == "copy":
        done = shell("auc", "t.csv", *requested_options, "--memory-limit", "512MB", most=2_000)
        assert done.stderr.startswith(
            f"error: t.csv needs more room for temporary files than there is in {temporary}"
        )
    else:
        with Path("t.csv").open() as stdin:
            done = shell("auc", "-", *requested_options, most=2_000, stdin=stdin)
        assert done.stderr.startswith("error: a pipe cannot be copied to ")
    assert (done.returncode, done.stdout) == (5, "")
    assert list(temporary.iterdir()) == []


# Options


def test_no_limit_is_too_large(run):
    requested_options = ("auc", "scores.csv", *A)
    assert run(*requested_options, "--memory-limit", "99999999999TB") == run(*requested_options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("compare", "scores.csv", *A, "--sample", "state"),
            "--sample must be another column than label and score, got 'state' for both",
        ),
        (
            ("compare", "scores.csv", *A, "--sample", "a"),
            "--sample must be another column than label and score, got 'a' for both",
        ),
    ],
)
def test_wrong_usage(run, arguments, message):
    done = run(*arguments)
    assert (done.code, done.out, done.err) == (2, "", f"error: {message}\n")


# Files that change


@pytest.mark.parametrize("limit", [(), ("--memory-limit", "512MB")])
@pytest.mark.parametrize("command", [("auc",), ("points",), ("compare", "--score", "b"), ("binormal",)])
def test_no_answer_carries_the_digest_of_another_file(run, monkeypatch, command, limit):
    """The file is replaced after its rows were read, before it is hashed."""
    from rocscope.io.input_file import InputFile

    digest = InputFile.sha256

    def replace_first(self):
        Path("other.csv").write_text(Path("scores.csv").read_text().replace("ill,8", "ill,0"))
        Path("other.csv").replace("scores.csv")
        return digest(self)

    monkeypatch.setattr(InputFile, "sha256", replace_first)
    name, *more = command
    done = run(name, "scores.csv", *A, *more, *limit, "--json")
    message = "error: scores.csv must stay as it is while it is read, but it changed\n"
    assert (done.code, done.out, done.err) == (3, "", message)


def test_a_file_may_change_once_its_cases_are_read(run, monkeypatch):
    """Training takes long, and knows the cases already."""
    from rocscope.cli import models

    read = models.read_cases
    text = Path("scores.csv").read_text()

    def change_afterwards(*arguments, **options):
        cases = read(*arguments, **options)
        Path("scores.csv").write_text("")
        return cases

    monkeypatch.setattr(models, "read_cases", change_afterwards)
    requested_options = (
        "bootstrap",
        "scores.csv",
        "--label",
        "state",
        "--pos-label",
        "ill",
        "--model",
        "lda",
    )
    done = run(*requested_options, "--feature", "a", "--n-boot", "5", "--seed", "1", "--json")
    assert done.code == 0
    assert done.document["input"]["sha256"] == hashlib.sha256(text.encode()).hexdigest()
