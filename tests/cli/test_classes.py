"""`rocscope auc --classes`: one score for each of several classes."""

import csv
from pathlib import Path

import numpy as np
import pytest

import rocscope
from saved_commands import with_options

NAMES = ("low", "middle", "high")
SCORES = ("--score", "p0", "--score", "p1", "--score", "p2")
P = ("auc", "p.csv", "--label", "grade", "--classes", "low,middle,high", *SCORES)


def cases():
    rng = np.random.default_rng(3)
    codes = rng.permutation(np.repeat([0, 1, 2], [12, 10, 8]))
    return codes, np.abs(rng.normal(size=(30, 3)) + np.eye(3)[codes]).round(3)


@pytest.fixture(autouse=True)
def table(folder):
    codes, outputs = cases()
    rows = [f"{NAMES[c]},{c},{','.join(map(str, row))}" for c, row in zip(codes, outputs, strict=True)]
    Path("p.csv").write_text("\n".join(["grade,code,p0,p1,p2", *rows]) + "\n")


def expected(**options):
    codes, outputs = cases()
    return rocscope.multiclass_auc(np.array(NAMES)[codes], outputs, classes=NAMES, **options)


def test_pairs(run):
    done = run(*P)
    found = expected()
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{found.summary()}\n"


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["--scheme", "ovr", "--average", "weighted"], {"scheme": "ovr", "average": "weighted"}),
        (["--method", "logit", "--alternative", "greater"], {"method": "logit", "alternative": "greater"}),
        (
            ["--method", "bootstrap", "--n-boot", "100", "--seed", "1"],
            {"method": "bootstrap", "n_boot": 100, "rng": 1},
        ),
    ],
)
def test_json(run, options, arguments):
    assert run(*P, *options, "--json").document["results"] == [expected(**arguments).to_dict()]


def test_numbers_as_labels(run):
    done = run("auc", "p.csv", "--label", "code", "--classes", "0,1,2", *SCORES, "--scheme", "ovr", "--json")
    (result,) = done.document["results"]
    assert result["value"] == expected(scheme="ovr").value
    assert [row["positive"] for row in result["rows"]] == [0, 1, 2]


def test_csv_and_figure(run):
    assert run(*P, "--out", "t.csv").code == 0
    rows = list(csv.DictReader(Path("t.csv").read_text().splitlines()))
    assert [row["row"] for row in rows] == ["low - middle", "low - high", "middle - high", "macro average"]
    assert float(rows[-1]["value"]) == expected().value
    assert run(*P, "--out", "t.svg").code == 0
    assert "Macro average" in Path("t.svg").read_text()


def test_a_class_without_cases(run):
    Path("p.csv").write_text("grade,p0,p1,p2\nlow,1,2,3\nlow,3,1,1\nmiddle,1,2,1\nmiddle,2,1,2\n")
    done = run(*P)
    reason = "2 of 3 pairs of classes are undefined: class 'high' has no member; they can be left out"
    assert done.code == 4
    assert done.out.startswith("AUC undefined: 2 of 3 pairs")
    assert done.err == f"note: {reason}\nerror: no average: {reason}\n"
    assert run(*P, "--drop-classes").code == 0


def test_a_class_of_one_case(run):
    Path("p.csv").write_text("grade,p0,p1,p2\nlow,1,2,3\nlow,3,1,1\nmiddle,1,2,1\nmiddle,2,1,2\nhigh,1,1,2\n")
    done = run(*P)
    assert done.code == 0
    assert "low - high: AUC 0.6250 (no interval: " in done.out
    assert "class 'high' has one member, not two; such classes can be left out" in done.err


def test_missing_values(run):
    text = Path("p.csv").read_text().splitlines()
    Path("p.csv").write_text("\n".join([text[0], "low,0,,0.1,0.1", *text[1:]]) + "\n")
    assert run(*P).code == 3
    done = run(*P, "--na", "drop", "--json")
    assert done.document["results"][0]["value"] == expected().value
    assert (
        done.document["results"][0]["warnings"][0] == "1 row with missing values left out: 1 of class 'low'"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--classes", "low,middle"],
            "--classes must name the class of each --score, in their order, got 2 classes and 3 scores",
        ),
        (
            ["--classes", "low,low,high"],
            "--classes must be two or more different names between commas, got 'low,low,high'",
        ),
        (["--pos-label", "low"], "--pos-label must be left out with --classes"),
        (
            ["--fpr", "0,0.1"],
            "--classes must be left out with --fpr and --tpr: a partial area has a percentile bootstrap "
            "interval",
        ),
    ],
)
def test_wrong_usage(run, options, message):
    done = run(*with_options(P, options))
    assert (done.code, done.out, done.err) == (2, "", f"error: {message}\n")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--method", "bamber"], 2, "--method must be one of 'delong', 'logit', 'bootstrap', got 'bamber'"),
        (
            ["--classes", "low,middle,top"],
            3,
            "column 'grade' must hold only labels in classes ['low', 'middle', 'top'], got ['high']",
        ),
    ],
)
def test_refusals(run, options, code, message):
    done = run(*with_options(P, options))
    assert (done.code, done.out, done.err) == (code, "", f"error: {message}\n")


@pytest.mark.parametrize("command", [("auc",), ("average", "--fold", "f", "--seed", "1")])
def test_integers_that_float64_does_not_hold(run, command):
    """Beside fractions of another class they would become equal."""
    rows = [("x", 2**53 + 1, 0.5), ("x", 2**53, 0.5), ("y", 2**53, 0.5), ("y", 1, 0.5)] * 2
    lines = "".join(f"{y},{p},{q},{k // 4}\n" for k, (y, p, q) in enumerate(rows))
    Path("p.csv").write_text(f"g,p,q,f\n{lines}")
    name, *more = command
    done = run(name, "p.csv", "--label", "g", "--classes", "x,y", "--score", "p", "--score", "q", *more)
    message = "column 'p' of p.csv must hold numbers that float64 holds exactly, got longer ones"
    assert (done.code, done.out, done.err) == (3, "", f"error: {message}\n")


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ([], {}),
        (["--direction", "auto", "--average", "weighted"], {"direction": "auto", "average": "weighted"}),
    ],
)
def test_one_score_of_all_classes(run, options, arguments):
    codes, outputs = cases()
    line = ("auc", "p.csv", "--label", "grade", "--classes", "low,middle,high", "--score", "p2", "--json")
    found = rocscope.multiclass_auc(np.array(NAMES)[codes], outputs[:, 2], classes=NAMES, **arguments)
    assert run(*line, *options).document["results"] == [found.to_dict()]


def test_direction_belongs_to_one_score(run):
    assert run(*P, "--direction", "lower").err == "error: --direction belongs to one score of all classes\n"
    done = run("auc", "p.csv", "--label", "code", "--score", "p0", "--direction", "auto")
    assert done.err == "error: --direction auto belongs to one score of several classes: --classes\n"
