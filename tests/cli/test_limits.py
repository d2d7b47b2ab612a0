"""Commands within a limit of memory say the same as without one, or that the rows do not fit."""

import gzip
import io
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rocscope.inference.auc import METHODS
from rocscope.io import files, large

pytestmark = pytest.mark.slow

ILL = ("--label", "state", "--pos-label", "ill")
LIMIT = ("--memory-limit", "512MB")
A = ("auc", "--score", "a", "--score", "b")
# Every command that reads a file of scores. A format is read without knowing of the method: formats take
# turns with commands, not with methods.
EVERY_FORMAT = [
    A,
    ("compare", "--score", "a", "--score", "b"),
    ("points", "--score", "b"),
    ("average", "--score", "a", "--fold", "site", "--points", "3"),
]
COMMANDS = [
    *((*A, "--method", method, "--seed", "1") for method in METHODS if method != "cortes-mohri"),
    (*A, "--method", "cortes-mohri", "--threshold", "2.5"),
    (*A, "--alternative", "greater", "--level", "0.9"),
    ("auc", "--score", "b", "--fpr", "0,0.5", "--seed", "1"),
    ("compare", "--score", "a", "--sample", "site"),
    ("points", "--score", "b", "--bootstrap", "--seed", "1"),
    ("points", "--score", "b", "--select", "precision>=0.6", "--cost", "2", "--prevalence", "0.2"),
]


def results(done):
    assert done.code == 0, done.err
    return done.document["results"]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_same_within_a_limit(run, command):
    name, *options = command
    line = (name, "scores.csv", *ILL, *options, "--json")
    assert results(run(*line, *LIMIT)) == results(run(*line))


@pytest.mark.parametrize("command", EVERY_FORMAT, ids=" ".join)
def test_the_same_of_every_format_within_a_limit(run, formats, monkeypatch, command):
    name, *request = command
    expected = results(run(name, "scores.csv", *ILL, *request, "--json"))
    for path in formats:
        assert results(run(name, path, *ILL, *request, "--json", *LIMIT)) == expected
    for path, kind in (("scores.csv", "csv"), ("scores.jsonl", "jsonl")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(path).read_bytes())))
        assert results(run(name, "-", "--format", kind, *ILL, *request, "--json", *LIMIT)) == expected


def test_ordinal_within_a_limit(run):
    Path("grades.csv").write_text("grade,e\n" + "".join(f"{k % 3},{k % 3 + k % 4 / 2}\n" for k in range(24)))
    request = ("ordinal", "grades.csv", "--label", "grade", "--score", "e", "--json")
    assert results(run(*request, *LIMIT)) == results(run(*request))


def test_classes_within_a_limit(run):
    Path("p.csv").write_text("g,p,q\nx,3,1\nx,2,2\ny,1,4\ny,2,3\n")
    request = ("auc", "p.csv", "--label", "g", "--classes", "x,y", "--score", "p", "--score", "q", "--json")
    assert results(run(*request, *LIMIT)) == results(run(*request))


def test_models_within_a_limit(run):
    request = ("average", "scores.csv", *ILL, "--model", "lda", "--folds", "2", "--seed", "1", "--json")
    assert results(run(*request, *LIMIT)) == results(run(*request))


def test_text_and_notes_are_the_same(run):
    Path("gaps.csv").write_text("y,s,t\n0,1,1\n0,2,\n1,,3\n1,4,inf\n1,4,6\n0,0,0\n")
    request = ("--label", "y", "--score", "s", "--score", "t", "--na", "drop")
    for method in ("delong", "bamber"):
        expected = run("auc", "gaps.csv", *request, "--method", method)
        assert "left out" in expected.err
        assert "infinite" in expected.err
        assert run("auc", "gaps.csv", *request, "--method", method, *LIMIT) == expected
    request = ("points", "gaps.csv", "--label", "y", "--score", "t", "--na", "drop")
    assert run(*request, *LIMIT) == run(*request)


@pytest.mark.parametrize(
    ("codes", "suffix"),
    [
        ((-99,), ".csv"),
        ((999, 888), ".csv"),
        ((-9, 9999), ".csv"),
        ((9,), ".csv"),
        ((999, 888), ".parquet"),
        ((999, 888), ".jsonl"),
    ],
)
def test_codes_for_missing_values_are_noted_the_same(run, codes, suffix):
    scores = [round(k * 0.37 % 1, 3) for k in range(40)] + [code for code in codes for _ in range(3)]
    frame = pl.DataFrame({"y": [k % 2 for k in range(len(scores))], "s": [*map(float, scores)]})
    write = {".csv": frame.write_csv, ".parquet": frame.write_parquet, ".jsonl": frame.write_ndjson}
    write[suffix](f"t{suffix}")
    for command in ("auc", "points"):
        request = (command, f"t{suffix}", "--label", "y", "--score", "s")
        done = run(*request)
        assert done.err.count("far outside all others (0 to 0.99)") == len(codes)
        assert run(*request, *LIMIT) == done


@pytest.mark.parametrize("command", ["auc", "points"])
def test_figures(run, command):
    request = (command, "scores.csv", *ILL, "--score", "b")
    assert run(*request, "--out", "all.svg").code == 0
    assert run(*request, "--out", "limited.svg", *LIMIT).code == 0
    assert Path("limited.svg").read_bytes() == Path("all.svg").read_bytes()


# Long files, cut into short pieces


@pytest.fixture
def long_file(monkeypatch):
    """A file whose rows are fetched piece by piece, and looked at in stretches."""
    monkeypatch.setattr(large, "ROW_BYTES", 32 * 10**6 // 3_000)
    monkeypatch.setattr(large, "FEW_SCORES", 0)
    monkeypatch.setattr(large, "STRETCH_ROWS", 500)
    monkeypatch.setattr(large, "STEPS", 50)
    rng = np.random.default_rng(1)
    y = rng.random(20_000) < 0.2
    s = np.where(
        rng.random(y.size) < 0.3, (rng.normal(size=y.size) + y).round(1), rng.normal(size=y.size) + y
    )
    pl.DataFrame({"y": y, "s": s}).write_parquet("long.parquet")
    return ("long.parquet", "--label", "y", "--score", "s", "--json")


@pytest.mark.parametrize("method", [m for m in METHODS if m not in ("bootstrap", "cortes-mohri")])
def test_areas_of_a_long_file(run, long_file, method):
    request = ("auc", *long_file, "--method", method)
    assert results(run(*request, "--memory-limit", "64MB")) == results(run(*request))


@pytest.mark.parametrize("threshold", ["-inf", "-9", "0.5", "0.50001", "1", "9", "inf"])
def test_thresholds_in_a_long_file(run, long_file, threshold):
    for command in (("auc", *long_file, "--method", "cortes-mohri"), ("points", *long_file)):
        request = (*command, f"--threshold={threshold}")
        assert results(run(*request, "--memory-limit", "64MB")) == results(run(*request))


REQUESTS = [
    (),
    ("--rule", "closest"),
    ("--select", "tpr>=0.9"),
    ("--select", "fpr<=0.001"),
    ("--select", "precision>=0.6", "--select", "tpr>=0.05"),
    ("--cost", "7"),
    ("--cost", "2", "--prevalence", "0.01"),
    ("--prevalence", "0.5", "--rule", "youden"),
    ("--select", "npv>=0.95", "--interval", "exact", "--level", "0.9"),
]


@pytest.mark.parametrize("demand", REQUESTS, ids=" ".join)
def test_points_of_a_long_file(run, long_file, demand):
    request = ("points", *long_file, *demand)
    assert results(run(*request, "--memory-limit", "64MB")) == results(run(*request))


@pytest.mark.parametrize("bounds", [("tpr>=0.99", "precision>=0.9"), ("fpr<=0.01", "tpr>=0.9"), ("npv>=2",)])
def test_bounds_that_no_point_of_a_long_file_meets(run, long_file, bounds):
    request = ("points", *long_file, *(part for bound in bounds for part in ("--select", bound)))
    done = run(*request, "--memory-limit", "64MB")
    assert done.code == 4
    assert done == run(*request)


# Refusals

NEEDS = (
    "long.parquet has 20,000 rows, which need {} in memory, where 64 MB may be used; a larger "
    "--memory-limit helps, or fewer columns or a sample of the rows; the area of one score and its operating "
    "points do not need the rows"
)


@pytest.mark.parametrize(
    "command",
    [
        ("auc", "--method", "bootstrap", "--seed", "1"),
        ("auc", "--fpr", "0,0.1", "--seed", "1"),
        ("points", "--bootstrap", "--seed", "1"),
        ("points", "--pr", "--out", "t.svg", "--seed", "1"),
        ("points", "--net-benefit", "--out", "t.svg"),
    ],
    ids=" ".join,
)
def test_rows_that_do_not_fit(run, long_file, monkeypatch, command):
    monkeypatch.setattr(files, "CELL_BYTES", 10_000)
    name, *request = command
    done = run(name, *long_file, *request, "--memory-limit", "64MB")
    assert (done.code, done.out, done.err) == (5, "", f"error: {NEEDS.format('400 MB')}\n")
    assert not Path("t.svg").exists()


def test_rows_of_other_commands_that_do_not_fit(run, monkeypatch):
    monkeypatch.setattr(files, "CELL_BYTES", 10**8)
    for name, *request in (
        ("compare", *ILL, "--score", "a", "--score", "b", "--method", "hanley-mcneil"),
        ("average", *ILL, "--score", "a", "--fold", "site"),
        ("ordinal", "--label", "b", "--score", "a"),
    ):
        done = run(name, "scores.csv", *request, *LIMIT)
        assert (done.code, done.out) == (5, "")
        assert "scores.csv has 8 rows, which need" in done.err
        assert "where 512 MB may be used; a larger --memory-limit helps" in done.err


@pytest.mark.parametrize(
    ("command", "fits"),
    [
        (("auc", "--method", "bootstrap"), True),
        (("auc", "--fpr", "0,0.1"), True),  # nothing is drawn
        (("auc", "--fpr", "0,0.1", "--method", "bootstrap"), False),
        (("points", "--bootstrap"), False),
        (("points", "--band", "--out", "t.svg"), False),
        (("compare", "--sample", "g"), True),
        (("compare", "--sample", "g", "--method", "sensitivity", "--at", "0.1"), False),
    ],
    ids=str,
)
def test_curves_that_are_drawn_again_need_more_than_rows(run, command, fits):
    pl.DataFrame({"y": np.arange(300_000) % 2, "g": np.arange(300_000) % 3, "s": 1.0}).write_parquet(
        "t.parquet"
    )
    name, *request = command
    options = ("--label", "y", "--score", "s", "--seed", "1", "--memory-limit", "64MB")
    done = run(name, "t.parquet", *options, *request)
    assert done.code == (0 if fits else 5)
    assert ("300,000 rows, which need 75 MB in memory" in done.err) is not fits


def test_text_needs_more_than_numbers(run, monkeypatch):
    """Labels of text are as wide as the longest."""
    monkeypatch.setattr(files, "TEXT_BYTES", 10**8)
    request = ("scores.csv", *ILL, "--score", "a", "--score", "b", "--method", "hanley-mcneil")
    assert run("compare", *request, *LIMIT).code == 5
    assert run("compare", *request).code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--memory-limit", "much"), "--memory-limit must be a size such as '512MB' or '2GiB', got 'much'"),
        (("--memory-limit", "1MB"), "--memory-limit must be at least 64 MB, got 1 MB"),
        (("--memory-limit", "1GB", "--level", "95"), "--level must lie between 0 and 1, got 95.0"),
        (
            ("--memory-limit", "1GB", "--method", "delon"),
            "--method must be one of 'delong', 'logit', 'score', 'auto', 'hanley-mcneil', 'bamber', "
            "'bootstrap', 'cortes-mohri', 'agarwal', got 'delon'; did you mean 'delong'?",
        ),
    ],
)
def test_bad_options(run, options, message):
    done = run("auc", "scores.csv", *ILL, "--score", "a", *options)
    assert (done.code, done.out, done.err) == (2, "", f"error: {message}\n")


def test_too_little_memory_for_the_database(run):
    Path("t.jsonl").write_text('{"y": 0, "s": 1}\n{"y": 1, "s": 2}\n')
    done = run("auc", "t.jsonl", "--label", "y", "--score", "s", "--memory-limit", "64MB")
    assert (done.code, done.out) == (5, "")
    assert done.err.startswith("error: t.jsonl cannot be read within 64 MB of memory: ")


@pytest.mark.parametrize("group", [False, True])
def test_pairs_that_do_not_fit(run, group):
    """Of 500 curves every two are compared: refused before any of them is."""
    if group:
        lines = "".join(f"{y},{y + k % 3},{k}\n" for k in range(500) for y in (0, 1))
        Path("t.csv").write_text(f"y,s,g\n{lines}")
        request = ("--score", "s", "--sample", "g")
    else:
        names = [f"s{k}" for k in range(500)]
        lines = "".join(f"{y},{','.join([str(y)] * 500)}\n" for y in (0, 1))
        Path("t.csv").write_text(f"y,{','.join(names)}\n{lines}")
        request = tuple(part for name in names for part in ("--score", name))
    done = run("compare", "t.csv", "--label", "y", *request, *LIMIT)
    message = (
        "500 curves have 124,750 pairs, which need 748 MB in memory, where 512 MB may be used; "
        "a larger --memory-limit helps, or fewer curves"
    )
    assert (done.code, done.out, done.err) == (5, "", f"error: {message}\n")


ASKED_OF_A_PACKED_FILE = {
    "auc": ("--score", "a"),
    "compare": ("--score", "a", "--score", "b"),
    "points": ("--score", "a"),
    "readers": ("--score", "a", "--reader", "site", "--modality", "b", "--case", "case"),
    "average": ("--score", "a", "--fold", "site"),
    "binormal": ("--score", "a"),
    "fuse": ("--score", "a", "--score", "b"),
    "ordinal": ("--score", "a"),
    "bootstrap": ("--model", "lda"),
    "learning-curve": ("--model", "lda"),
    "algorithms": ("--models", "lda,nb"),
}


@pytest.mark.parametrize("command", ASKED_OF_A_PACKED_FILE)
def test_a_cap_on_what_is_unpacked(run, command):
    Path("t.csv.gz").write_bytes(gzip.compress(Path("scores.csv").read_bytes() + b"\n" * 3_000_000))
    request = (*ASKED_OF_A_PACKED_FILE[command], "--temp-limit", "1MB")
    labels = ("--label", "state") if command == "ordinal" else ILL
    done = run(command, "t.csv.gz", *labels, *request)
    message = (
        f"t.csv.gz, unpacked, needs more than the 1 MB that may be used in {tempfile.gettempdir()}; TMPDIR "
        "names another folder; a larger --temp-limit helps"
    )
    assert (done.code, done.out, done.err) == (5, "", f"error: {message}\n")
