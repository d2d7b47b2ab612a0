"""Files as people have them, from the command line."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from rocscope.cli import main

STATES = ["normal"] * 5 + ["abnormal"] * 5
COUNTS = [33, 6, 6, 11, 2, 3, 2, 2, 11, 33]


@pytest.fixture
def ratings():
    """The table of Hanley and McNeil 1982."""
    rows = [f"{state},{k % 5 + 1},{n}" for k, (state, n) in enumerate(zip(STATES, COUNTS, strict=True))]
    Path("ratings.csv").write_text("\n".join(["state,rating,cases", *rows]))
    return ("ratings.csv", "--label", "state", "--pos-label", "abnormal", "--score", "rating")


def test_a_table_of_counts(run, ratings):
    for more in ((), ("--memory-limit", "256MB")):
        (found,) = run("auc", *ratings, "--count", "cases", "--json", *more).document["results"]
        assert (round(found["value"], 3), found["n_pos"], found["n_neg"]) == (0.893, 51, 58)
    (found,) = run("points", *ratings, "--count", "cases", "--json").document["results"]
    assert found["confusion"] == {"tp": 44, "fn": 7, "fp": 13, "tn": 45}


@pytest.mark.slow
@pytest.mark.parametrize("limit", [(), ("--memory-limit", "256MB")])
def test_direction(run, limit):
    a = ("--label", "state", "--pos-label", "well", "--score", "a", "--json")
    rng = np.random.default_rng(1)
    rows = [(state, x) for state in ("well", "ill") for x in rng.normal(state == "ill", 1, 40).round(1)]
    for name, sign in (("low.csv", 1), ("high.csv", -1)):
        Path(name).write_text("\n".join(["state,a", *(f"{state},{sign * x}" for state, x in rows)]))
    low = run("auc", "low.csv", *a, "--direction", "lower", *limit).document["results"]
    assert low == run("auc", "high.csv", *a, *limit).document["results"]
    (point,) = run("points", "low.csv", *a, "--direction", "lower", *limit).document["results"]
    (opposite,) = run("points", "high.csv", *a, *limit).document["results"]
    assert (point["threshold"], point["direction"]) == (-opposite["threshold"], "lower")
    assert point["confusion"] == opposite["confusion"]
    done = run("points", "low.csv", *a[:-1], "--direction", "lower", "--threshold", "0.5", "--save", "p.json")
    assert done.out.startswith("Classify as well where a <= 0.5 (as given)\n")
    assert json.loads(Path("p.json").read_text())["distance"]
    done = run("auc", "low.csv", *a[:-1])
    assert (
        "note: a: the area is below 0.5: the scores rank the negative class higher (see direction lower)"
        in done.err
    )
    assert run("auc", "low.csv", *a, "--direction", "auto").code == 2


@pytest.mark.parametrize("limit", [(), ("--memory-limit", "256MB")])
def test_several_positive_labels(run, limit):
    Path("stages.csv").write_text("stage,s\nI,1\nII,3\nIII,2\nIV,4\nIII,5\nI,0\n")
    done = run(
        "auc",
        "stages.csv",
        "--label",
        "stage",
        "--score",
        "s",
        "--pos-label",
        "III",
        "--pos-label",
        "IV",
        *limit,
    )
    assert "positive: III + IV  negative: I + II" in done.out
    assert done.code == 0
    done = run("auc", "stages.csv", "--label", "stage", "--score", "s", "--pos-label", "IV", *limit)
    assert done.code == 3


def test_a_workbook(run):
    book = openpyxl.Workbook()
    book.active.title = "notes"
    sheet = book.create_sheet("data")
    for row in [("state", "a"), ("ill", "<0,5"), ("ill", 2), ("well", "<0,5"), ("well", "."), ("ill", 3.5)]:
        sheet.append(row)
    book.save("t.xlsx")
    options = ("--label", "state", "--pos-label", "ill", "--score", "a", "--sheet", "data")
    options += ("--missing", ".", "--below", "keep", "--na", "drop")
    done = run("auc", "t.xlsx", *options, "--json")
    assert done.code == 0
    assert done.document["notes"] == [
        "a: the comma was read as the decimal sign: with it every cell is a number",
        "a: 2 of 'a' below a limit were given the limit as their value",
        "a: 1 row with missing values left out: 1 of class 'well'",
        "a: a class has one case, which shows no variance: the interval is that of exponential scores",
    ]
    done = run("auc", "t.xlsx", *options[:6], "--sheet", "daten")
    assert (done.code, done.err.startswith("error: --sheet must be a sheet of t.xlsx")) == (3, True)


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx", "t.xls", "t.sav", "t.dta", "t.sas7bdat", "t.rds"])
def test_a_web_page_under_any_name(run, name):
    Path(name).write_text("<!DOCTYPE html><html><script>alert(1)</script></html>")
    done = run("auc", name, "--label", "y", "--score", "s")
    assert (done.code, done.out, done.err.count("\n")) == (3, "", 1)
    assert done.err.startswith(f"error: {name} ")


def test_two_outcomes_with_one_value_each(run):
    Path("t.csv").write_text("y,z,s\n1,0,1\n1,0,2\n")
    for label, only in (("y", "1"), ("z", "0")):
        done = run("auc", "t.csv", "--label", label, "--score", "s")
        assert (done.code, done.err) == (
            3,
            f"error: column {label!r} of t.csv must hold two classes, got only {only}\n",
        )


# ---- Without the names of columns -------------------------------------------------------------------------


def test_the_columns_are_shown(run):
    done = run("auc", "scores.csv")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        "error: --label must be given. Try 'rocscope auc --help'.",
        "Columns of scores.csv:",
        "column   type  distinct  missing  example",
        "state    text         2        0     well",
        "a       whole         8        0        8",
        "b       whole         5        0        5",
        "site     text         2        0        S",
        "Perhaps: rocscope auc scores.csv --label state --pos-label ill --score a (or --pos-label well)",
    ]
    guess = done.err.splitlines()[-1].removeprefix("Perhaps: rocscope ").partition(" (or")[0]
    assert run(*guess.split()).code == 0
    done = run("compare", "scores.csv", "--label", "site")
    assert "rocscope compare scores.csv --label site --pos-label N --score a --score b (or" in done.err
    done = run("report", "scores.csv", "--out", "t.html")
    assert done.code == 2
    assert "Columns of scores.csv:" in done.err
    assert " --score a --out report.html (or" in done.err
    Path("t.csv").write_text("id,y,a,b\n1,0,0.5,0.1\n2,1,0.7,0.2\n3,1,0.8,0.3\n")
    guess = run("report", "t.csv", "--out", "t.html").err.splitlines()[-1].removeprefix("Perhaps: ")
    assert guess == "rocscope report t.csv --label y --score a --score b --out report.html"
    assert run("auc", "no.csv").err == "error: --label must be given. Try 'rocscope auc --help'.\n"


def test_the_columns_say_what_is_in_the_way_of_numbers(run):
    Path("t.csv").write_text("y,crp\n0,<0.05\n1,0.7\n1,0.8\n0,.\n")
    lines = run("auc", "t.csv").err.splitlines()
    assert lines[4].split() == ["crp", "text,", "not", "numeric:", ".,", "<0.05", "4", "0", "<0.05"]
    assert "Not numeric: --missing CODE reads a text as missing, --below keep reads <0.05 as 0.05" in lines


def test_a_cover_sheet_does_not_hide_the_others(run):
    book = openpyxl.Workbook()
    book.active.title = "Cover"
    data = book.create_sheet("Data")
    for row in (("y", "s"), (0, 0.5), (1, 0.7), (1, 0.8)):
        data.append(row)
    book.save("empty.xlsx")
    done = run("auc", "empty.xlsx")
    assert "--label y --score s" in done.err
    assert "note: sheet 'Data' was read, the first of 2 that is not empty" in done.err
    book["Cover"].append(("Study of markers",))
    book.save("cover.xlsx")
    done = run("auc", "cover.xlsx")
    assert "Study of markers" in done.err
    assert "note: sheet 'Cover' was read, the first of 2: 'Cover', 'Data'" in done.err


def test_the_columns_of_hostile_files(run):
    Path("t.csv").write_text('"\x1b[31mred","a;b\'--",y,' + "x" * 200 + "\n1,2,0,3\n2,3,1,4\n")
    done = run("auc", "t.csv")
    assert done.code == 2
    assert "\x1b" not in done.err
    assert max(map(len, done.err.splitlines()[:-1])) <= 100
    Path("t.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    done = run("auc", "t.xlsx")
    assert done.code == 2
    assert "must be a whole Excel workbook" in done.err


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(run, shell):
    done = run("--completion", shell)
    assert done.code == 0
    assert all(word in done.out for word in ("rocscope", "compare", "pos-label"))


COMPLETED = """
source completion.bash
function=$(complete -p rocscope | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=({words} "") COMP_CWORD={n} COMP_LINE="{words} " COMPREPLY=()
COMP_WORDS[{n}]={typed}
$function rocscope {typed} ""
printf '%s\\n' "${{COMPREPLY[@]}}"
complete -p rocscope >&2
"""


OFFERED = {
    ("rocscope", "po"): ["points", "power"],
    ("rocscope points scores.csv", "--la"): ["--label"],
    ("rocscope compare scores.csv --alternative", "l"): ["less"],
    ("rocscope points", "sc"): [""],  # then bash goes on with names of files
}


@pytest.mark.slow
@pytest.mark.posix
def test_completion_in_bash(run):
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    Path("completion.bash").write_text(run("--completion", "bash").out)
    for (words, typed), offered in OFFERED.items():
        script = COMPLETED.format(words=words, typed=typed, n=len(words.split()))
        done = subprocess.run([bash, "--norc", "-c", script], capture_output=True, text=True, timeout=60)
        assert done.stdout.splitlines() == offered
        assert done.stderr.strip() == "complete -o default -F _rocscope rocscope"


def test_completion_of_an_unknown_shell(capsys):
    assert main(["--completion", "dos"]) == 2
    assert "--completion must be followed by one of bash, zsh, fish, powershell" in capsys.readouterr().err
