"""`rocscope points` chooses an operating point and tells what it does."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import rocscope
from data_folder import data_file
from rocscope.cli.chosen import read_cost, read_threshold
from rocscope.errors import RocUsageError

ILL = ("--label", "state", "--pos-label", "ill")
B = ("points", "scores.csv", *ILL, "--score", "b")


def test_known_file(run):
    path = data_file("aSAH", "aSAH.csv")
    done = run("points", path, "--label", "outcome", "--pos-label", "Poor", "--score", "s100b")
    assert (done.code, done.err) == (0, "")
    assert (
        done.out.splitlines()
        == [  # as pROC's coords "best" gives it: specificity .8056, sensitivity .6341
            "Call Poor where s100b >= 0.22 (largest TPR - FPR)",
            "",
            "true class  called Poor  called Good",
            "Poor                 26           15",
            "Good                 14           58",
            "",
            "measure                 value",
            "TPR (sensitivity)      0.6341",
            "FPR (1 - specificity)  0.1944",
            "precision (PPV)        0.6500",
            "NPV                    0.7945",
            "accuracy               0.7434",
            "likelihood ratio +     3.2613",
            "likelihood ratio -     0.4542",
        ]
    )


# Scores b: well 1 2 4 3, ill 2 1 4 5.
@pytest.mark.parametrize(
    ("options", "first"),
    [
        ([], "Call ill where b >= 5 (largest TPR - FPR)"),
        (["--rule", "closest"], "Call ill where b >= 4 (closest to the corner FPR 0, TPR 1)"),
        (["--select", "tpr>=0.7"], "Call ill where b >= 2 (smallest FPR with tpr>=0.7)"),
        (["--select", "fpr<=0.3"], "Call ill where b >= 4 (largest TPR with fpr<=0.3)"),
        (
            ["--select", "tpr>=0.5", "--select", "precision>=0.5"],
            "Call ill where b >= 4 (smallest FPR with tpr>=0.5, precision>=0.5)",
        ),
        (["--cost", "5"], "Call ill where b >= 1 (least expected cost)"),
        (["--cost", "5,1"], "Call ill where b >= 5 (least expected cost)"),
        (["--prevalence", "0.01"], "Call ill where b >= 5 (least expected cost)"),
        (["--threshold", "2.5"], "Call ill where b >= 2.5 (as given)"),
        (["--threshold", "inf"], "Call nothing ill (as given)"),
    ],
)
def test_choices(run, options, first):
    done = run(*B, *options)
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == first


@pytest.mark.parametrize("threshold", ["-1", "1", "2", "2.5", "4", "5", "5.5", "inf"])
def test_a_given_threshold_decides_like_the_point_it_saves(run, threshold):
    done = run(*B, f"--threshold={threshold}", "--json", "--save", "point.json")
    point = rocscope.Threshold.from_json(Path("point.json").read_text())
    decided = point.decide([1, 2, 4, 3, 2, 1, 4, 5])
    truth = np.array(["well"] * 4 + ["ill"] * 4)
    pairs = {"tp": ("ill", "ill"), "fn": ("ill", "well"), "fp": ("well", "ill"), "tn": ("well", "well")}
    counted = {k: int(((truth == t) & (decided == d)).sum()) for k, (t, d) in pairs.items()}
    assert done.document["results"][0]["confusion"] == counted


def test_json(run):
    done = run(*B, "--select", "tpr>=0.7", "--prevalence", "0.1", "--cost", "1,9", "--json")
    (result,) = done.document["results"]
    curve = rocscope.roc_curve([0] * 4 + [1] * 4, [1, 2, 4, 3, 2, 1, 4, 5])
    index = curve.select("tpr>=0.7", prevalence=0.1, cost=(1, 9))
    names = ["tpr", "fpr", "precision", "npv", "accuracy", "lr_pos", "lr_neg"]
    assert result["type"] == "OperatingPoint"
    assert result["threshold"] == curve.thresholds[index]
    assert result["measures"] == {name: curve.measure(name, prevalence=0.1)[index] for name in names}
    assert (result["cost"], result["prevalence"], result["constraints"]) == ([1, 9], 0.1, ["tpr>=0.7"])
    assert (result["pos_label"], result["neg_label"], result["n_pos"], result["n_neg"]) == (
        "ill",
        "well",
        4,
        4,
    )


def test_undefined_measures_are_null(run):
    done = run(*B, "--threshold", "inf", "--json")
    (result,) = done.document["results"]
    assert result["threshold"] is None
    assert result["measures"]["precision"] is None
    assert "precision (PPV)        undefined" in run(*B, "--threshold", "inf").out


def test_minus_infinity(run):
    done = run(*B, "--threshold=-inf", "--json")
    assert done.document["results"][0]["confusion"] == {"tp": 4, "fn": 0, "fp": 4, "tn": 0}
    done = run(*B, "--threshold=-inf", "--save", "point.json")
    message = "error: the threshold of the point is minus infinity, which JSON cannot hold\n"
    assert (done.code, done.out, done.err) == (4, "", message)


def test_prevalence_is_told(run):
    done = run(*B, "--threshold", "4", "--prevalence", "0.2")
    assert done.out.splitlines()[-1] == "Precision, NPV and accuracy at a prevalence of 0.2."


def test_integers_beyond_float64(run):
    Path("n.csv").write_text(f"y,s\n0,{2**53}\n1,{2**53 + 1}\n0,3\n1,{2**53 + 2}\n")
    done = run("points", "n.csv", "--label", "y", "--score", "s", "--save", "point.json")
    assert done.out.splitlines()[0] == f"Call 1 where s >= {2**53 + 1} (largest TPR - FPR)"
    assert json.loads(Path("point.json").read_text())["value"] == 2**53 + 1
    done = run("points", "n.csv", "--label", "y", "--score", "s", "--threshold", str(2**53 + 1), "--json")
    assert done.document["results"][0]["confusion"] == {"tp": 2, "fn": 0, "fp": 0, "tn": 2}


def test_csv_and_figure(run):
    assert run(*B, "--out", "point.csv").code == 0
    (row,) = csv.DictReader(Path("point.csv").read_text().splitlines())
    assert (row["score"], row["threshold"], row["tp"], row["lr_pos"]) == ("b", "5.0", "1", "")
    assert run(*B, "--out", "roc.svg").code == 0
    assert "FPR 0.00, TPR 0.25" in Path("roc.svg").read_text()


def test_unreachable(run):
    done = run(*B, "--select", "tpr>=0.9", "--select", "fpr<=0.1", "--save", "point.json")
    assert (done.code, done.out) == (4, "")
    assert done.err == (
        "error: no operating point has tpr>=0.9 and fpr<=0.1; alone, tpr reaches 1, fpr reaches 0\n"
    )
    assert not Path("point.json").exists()


def test_saved_point_is_not_overwritten(run):
    Path("point.json").write_text("mine")
    done = run(*B, "--save", "point.json")
    assert (done.code, done.err) == (3, "error: point.json exists already; --force overwrites it\n")
    assert Path("point.json").read_text() == "mine"
    assert run(*B, "--save", "point.json", "--force").err == "wrote point.json\n"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--score", "a"], 2, "points chooses on one curve, got 2 scores"),
        (["--cost", "a"], 2, "--cost must be one number (FN) or two (FP,FN), got 'a'"),
        (["--cost", "1,2,3"], 2, "--cost must be one number (FN) or two (FP,FN), got '1,2,3'"),
        (["--threshold", "x"], 2, "--threshold must be a number, got 'x'"),
        (["--threshold", "nan"], 2, "--threshold must be a number, got 'nan'"),
        (
            ["--threshold", "1", "--rule", "youden"],
            2,
            "--threshold must come without --select, --rule and --cost",
        ),
        (["--prevalence", "2"], 3, "prevalence must lie between 0 and 1, got 2.0"),
        (["--select", "tpr=1"], 3, "a constraint must read like 'tpr>=0.9', got 'tpr=1'"),
    ],
)
def test_wrong_usage(run, options, code, message):
    done = run(*B, *options)
    assert (done.code, done.out, done.err) == (code, "", f"error: {message}\n")


def test_numbers_are_read_exactly():
    assert read_cost(None) is None
    assert read_threshold(None) is None
    assert read_threshold(str(2**60 + 1)) == 2**60 + 1
    with pytest.raises(RocUsageError):
        read_threshold("1_0")
