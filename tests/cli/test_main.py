"""The console command: exit codes, messages without tracebacks, and a light start."""

import getpass
import os
import platform
import re
import signal
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

import rocscope
from rocscope import cli
from rocscope.errors import PartlyFailedError, ResourceError

A = ("auc", "scores.csv", "--label", "state", "--pos-label", "ill", "--score", "a")
HINT = "Try 'rocscope auc --help'."
MISSING = f"{{}} must be given. {HINT}"
UNKNOWN = f"Unknown option: --jsn. Did you mean --json? {HINT}"
HEAVY = {"numpy", "scipy", "matplotlib", "duckdb", "numba", "pandas", "joblib", "sklearn"}


def shell(*arguments, **options):
    command = [sys.executable, "-m", "rocscope", *arguments]
    environment = {**os.environ, **options.pop("env", {})}
    return subprocess.run(command, capture_output=True, check=False, env=environment, **options)


# A light start


def test_help_loads_nothing_heavy():
    commands = [
        ["--help"],
        ["--version"],
        ["auc", "--help"],
        ["power", "--help"],
        ["points", "--help"],
        ["nope"],
    ]
    code = f"""
import sys
from rocscope.cli import main
for arguments in {commands!r}:
    main(arguments)
    print("LOADED", *arguments, *sorted({HEAVY!r} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = [line for line in done.stdout.splitlines() if line.startswith("LOADED")]
    assert loaded == [f"LOADED {' '.join(arguments)}" for arguments in commands]


def test_parsing_loads_no_drawing_of_tables():
    code = """
import sys
from rocscope.cli import app
app.parse_args(["auc", "x.csv", "--label", "y", "--score", "s"])
print("rich" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("arguments", [["--help"], ["auc", "--help"], ["auc"]])
def test_help_is_quick(arguments):
    """It loads less than twice what numpy alone does; how long that takes is for `make bench`."""

    def loaded(code):
        counted = f"import sys; start = len(sys.modules)\n{code}\nprint(len(sys.modules) - start)"
        done = subprocess.run([sys.executable, "-c", counted], capture_output=True, text=True, check=True)
        return int(done.stdout.splitlines()[-1])

    assert loaded(f"from rocscope.cli import main; main({arguments!r})") < 2 * loaded("import numpy")


def test_version(run):
    assert run("--version").out == f"rocscope {rocscope.__version__}\n"


def test_versions_for_a_report_of_a_defect(run, monkeypatch):
    monkeypatch.setenv("USER", "somebody")
    text = run("--version", "--verbose").out
    lines = [line.split(maxsplit=1) for line in text.splitlines()]
    rows = dict(lines)
    assert lines[0] == ["rocscope", rocscope.__version__]
    assert rows["Python"].startswith(platform.python_version())
    assert {"numpy", "duckdb", "jinja2", "platform"} <= set(rows)
    assert rows["numpy"] == metadata.version("numpy")
    assert rows["[report]"] == rows["[files]"] == "present"
    assert not {"somebody", getpass.getuser(), str(Path.home())} & set(re.split(r"[\s,()]+", text))
    assert "/" not in text


def test_versions_of_what_is_missing(monkeypatch):
    monkeypatch.setattr(cli, "version_of", lambda name: None if name == "jinja2" else "1.0")
    rows = [line.split(maxsplit=1) for line in cli.versions_text().splitlines()]
    assert ["jinja2", "missing"] in rows
    assert ["[report]", "needs jinja2"] in rows


def test_no_command_is_a_call_for_help(run):
    assert run() == run("--help")
    assert run().out.startswith("Usage: rocscope COMMAND\n")


@pytest.mark.parametrize("command", ["auc", "compare", "points", "power", "demo"])
@pytest.mark.parametrize("columns", ["20", "80"])
def test_help_has_examples(run, monkeypatch, command, columns):
    monkeypatch.setenv("COLUMNS", columns)
    done = run(command, "--help")
    examples = done.out.split("Examples:\n")[1].splitlines()
    assert done.code == 0
    assert all(f"rocscope {command}" in line for line in examples)


# Exit codes and messages


@pytest.mark.slow
def test_console_command():
    done = shell(*A)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"0.9375 (0.5179-0.9945)" in done.stdout


def test_console_error():
    done = shell("auc", "none.csv", "--label", "y", "--score", "s", text=True)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "error: none.csv cannot be read: no such file or directory\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["acu"],
            'Unknown command "acu". Did you mean "auc"? Available commands: auc, compare, points, average, '
            "ordinal, binormal, fuse, bootstrap, ... Try 'rocscope --help'.",
        ),
        (["auc"], MISSING.format("FILE")),
        (["auc", "none.csv", "--score", "a"], MISSING.format("--label")),
        (["auc", "none.csv", "--label", "state"], MISSING.format("--score")),
        (["auc", "scores.csv", "--label"], f"--label must be followed by a value. {HINT}"),
        ([*A, "extra"], f"unexpected 'extra'. {HINT}"),
        (
            ["study"],
            "rocscope study must be followed by one of its commands. Try 'rocscope study --help'.",
        ),
        (["auc", "--label", "state", "--score", "a", "--jsn"], UNKNOWN),
        ([*A, "--jsn"], UNKNOWN),
        ([*A, "--level", "x"], 'Invalid value for --level: unable to convert "x" into float. ' + HINT),
        ([*A, "--na", "skip"], 'Invalid value "skip" for --na. Choose from: "error", "drop". ' + HINT),
        ([*A, "--json=false"], "--json takes no value, got 'false'"),
        ([*A, "--fpr", "x"], "--fpr must be two numbers LOW,HIGH, got 'x'"),
        ([*A, "--out", "x.txt"], "--out must end in .png, .svg, .pdf, .csv, .json, got 'x.txt'"),
    ],
)
def test_wrong_usage(run, arguments, message):
    done = run(*arguments)
    assert (done.code, done.out, done.err) == (2, "", f"error: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["auc", "scores.csv", "--label", "state", "--score", "a"],
            "--pos-label must be given for labels other than 0/1, -1/1 and booleans, got 'ill' and 'well'",
        ),
        (
            [*A[:-1], "A"],
            "scores.csv must have a column 'A', got 'state', 'a', 'b', 'site'; did you mean 'a'?",
        ),
    ],
)
def test_bad_data(run, arguments, message):
    done = run(*arguments)
    assert (done.code, done.out, done.err) == (3, "", f"error: {message}\n")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (ResourceError("no room"), 5, "error: no room\n"),
        (PartlyFailedError("3 of 5"), 6, "error: 3 of 5\n"),
        (MemoryError(), 5, "error: out of memory\n"),
        (OSError(28, "No space left on device", "x"), 5, "error: No space left on device: x\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
    ],
)
def test_exit_codes(run, monkeypatch, error, code, message):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(rocscope, "auc", fail)
    done = run(*A)
    assert (done.code, done.err) == (code, message)


def test_internal_errors_show_where(run, monkeypatch):
    monkeypatch.setattr(rocscope, "auc", lambda *_, **__: 1 / 0)
    done = run(*A)
    assert done.code == 1
    assert done.err.startswith("Traceback (most recent call last):\n")
    last = "error: this is a fault of rocscope itself: ZeroDivisionError: division by zero"
    assert done.err.splitlines()[-1] == last


@pytest.mark.parametrize("by", ["option", "variable"])
def test_debug_shows_where(run, monkeypatch, by):
    arguments = ["auc", "none.csv", "--label", "y", "--score", "s"]
    if by == "variable":
        monkeypatch.setenv("ROCSCOPE_DEBUG", "1")
    done = run(*(["--debug"] if by == "option" else []), *arguments)
    assert done.code == 3
    assert done.err.startswith("Traceback (most recent call last):\n")
    assert done.err.splitlines()[-1] == "error: none.csv cannot be read: no such file or directory"


# Signals and streams


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals(tmp_path, number, code):
    os.mkfifo("pipe")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "rocscope", "auc", "pipe", "--label", "y", "--score", "s"],
        stderr=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(temporary)},
    )
    with Path("pipe").open("wb") as pipe:  # opens when the command has begun to read
        pipe.write(b"y,s\n")
        pipe.flush()
        deadline = time.monotonic() + 10
        while not list(temporary.glob("rocscope-*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        err = _end(process, number)
    assert (process.returncode, err) == (code, b"interrupted\n")
    assert list(temporary.iterdir()) == []


def _end(process, number):
    """Signal until the process ends: Python drops what is raised inside a callback of its import system."""
    for _ in range(10):
        process.send_signal(number)
        try:
            return process.communicate(timeout=2)[1]
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("the process did not end")


@pytest.mark.slow
def test_broken_pipe_is_quiet():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "rocscope", *A, "--out", "t.csv"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"wrote t.csv\n")
    assert Path("t.csv").exists()


@pytest.mark.posix
@pytest.mark.slow
def test_head():
    pipeline = f"{sys.executable} -m rocscope points {' '.join(A[1:])} | head -n 1"
    done = subprocess.run(["sh", "-c", pipeline], capture_output=True, text=True, check=True)
    assert done.stdout == "Classify as ill where a >= 6 (largest TPR - FPR)\n"
    assert done.stderr.startswith("note: the point was chosen on these same cases")
    assert done.stderr.count("\n") == 3  # no word about the pipe
    assert "as good by the rule" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk_behind_stdout():
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rocscope", *A], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (5, b"error: No space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    "env",
    [
        {"COLUMNS": "20", "LC_ALL": "C"},
        {"LANG": "de_DE", "LC_ALL": "de_DE", "TZ": "Asia/Tokyo"},
        {"PYTHONIOENCODING": "ascii", "TERM": "dumb"},
    ],
)
def test_surroundings_do_not_change_the_numbers(env):
    name = "ä→b"
    Path("ü.csv").write_text(f"y,{name}\n0,1\n0,3\n1,2\n1,4\n", encoding="utf-8")
    done = shell("auc", "ü.csv", "--label", "y", "--score", name, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"0.7500 (0.1637-0.9777)   score            2            2" in done.stdout


@pytest.mark.slow
def test_json_is_valid_on_any_terminal():
    Path("n.csv").write_text("y,ä→b\n0,1\n0,3\n1,2\n1,4\n", encoding="utf-8")
    code = """
import io, json, sys
from rocscope.cli import main
out = sys.stdout
texts = {}
for encoding in ("utf-8", "ascii", "latin-1"):
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    assert main(["auc", "n.csv", "--label", "y", "--score", "ä→b", "--json"]) == 0
    texts[encoding] = sys.stdout.buffer.getvalue().decode(encoding)
sys.stdout = out
assert len({json.dumps(json.loads(text)) for text in texts.values()}) == 1
assert "ä→b" in texts["utf-8"]
"""
    subprocess.run([sys.executable, "-X", "utf8", "-c", code], check=True)


def test_closed_streams(run, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main([*A]) == 0
    monkeypatch.setattr(sys, "stderr", None)
    assert cli.main(["nope"]) == 2


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("auc", "scores.csv", "--label", "state", "--label", "site", "--score", "a"), "--label"),
        (
            ("compare", "scores.csv", "--label", "state", "--score", "a", "--sample", "b", "--sample=site"),
            "--sample",
        ),
        (("average", "scores.csv", "--label", "y", "--model", "lda", "--model", "qda"), "--model"),
        (("bootstrap", "scores.csv", "--label", "y", "--model", "lda", "--model", "qda"), "--model"),
        (("ordinal", "scores.csv", "--label", "a", "--score", "b", "--fold", "a", "--fold", "b"), "--fold"),
    ],
)
def test_no_value_of_an_option_is_lost(run, arguments, option):
    done = run(*arguments)
    assert (done.code, done.out, done.err) == (
        2,
        "",
        f"error: Parameter {option} specified multiple times. Try 'rocscope {arguments[0]} --help'.\n",
    )
