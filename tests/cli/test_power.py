"""`rocscope power` plans a study, forwards and backwards."""

import csv
from pathlib import Path

import pytest

import rocscope


def test_known_study(run):
    done = run("power", "--auc", "0.73", "--n-pos", "41", "--n-neg", "72")
    assert (done.code, done.err) == (0, "")
    assert done.out == (  # as pROC's power.roc.test gives it: power = 0.9897453
        "Area 0.73 against 0.5: 41 positive and 72 negative cases give power 0.9897 "
        "(95% level, two-sided,\n  obuchowski)\n"
    )


@pytest.mark.parametrize(
    ("options", "function", "arguments"),
    [
        ("--auc 0.75 --power 0.9", "sample_size", {"auc": 0.75, "power": 0.9}),
        (
            "--auc 0.9 --null 0.8 --power 0.8 --ratio 3 --level 0.9 --alternative greater --method binormal",
            "sample_size",
            {
                "auc": 0.9,
                "null": 0.8,
                "power": 0.8,
                "ratio": 3,
                "level": 0.9,
                "alternative": "greater",
                "method": "binormal",
            },
        ),
        (
            "--auc 0.85 --auc2 0.8 --corr 0.5 --power 0.8",
            "sample_size",
            {"auc": 0.85, "auc2": 0.8, "corr": 0.5, "power": 0.8},
        ),
        (
            "--auc 0.85 --auc2 0.8 --rating-corr 0.5,0.6 --n-pos 80 --n-neg 90",
            "power",
            {"auc": 0.85, "auc2": 0.8, "rating_corr": (0.5, 0.6), "n_pos": 80, "n_neg": 90},
        ),
        (
            "--auc 0.85 --auc2 0.8 --rating-corr 0.5 --half-width 0.05",
            "sample_size",
            {"auc": 0.85, "auc2": 0.8, "rating_corr": 0.5, "half_width": 0.05},
        ),
        (
            "--auc 0.85 --auc2 0.8 --unpaired --n-pos 80 --n-neg 90",
            "power",
            {"auc": 0.85, "auc2": 0.8, "paired": False, "n_pos": 80, "n_neg": 90},
        ),
        ("--auc 0.8 --half-width 0.05", "sample_size", {"auc": 0.8, "half_width": 0.05}),
        ("--n-pos 41 --n-neg 72 --power 0.9", "power", {"n_pos": 41, "n_neg": 72, "power": 0.9}),
        (
            "--auc2 0.8 --corr 0.5 --n-pos 90 --n-neg 80 --power 0.9 --level 0.9",
            "power",
            {"auc2": 0.8, "corr": 0.5, "n_pos": 90, "n_neg": 80, "power": 0.9, "level": 0.9},
        ),
        (
            "--auc 0.73 --n-pos 41 --n-neg 72 --power 0.9",
            "power",
            {"auc": 0.73, "n_pos": 41, "n_neg": 72, "power": 0.9, "level": None},
        ),
        (
            "--auc 0.85 --auc2 0.8 --rating-corr 0.5 --fpr 0,0.1 --power 0.8",
            "sample_size",
            {"auc": 0.85, "auc2": 0.8, "rating_corr": 0.5, "fpr": (0, 0.1), "power": 0.8},
        ),
        ("--tpr-gap 0.05 --power 0.9", "sample_size", {"tpr_gap": 0.05, "power": 0.9}),
        (
            "--fpr-gap 0.05 --n-neg 200 --folds 10",
            "power",
            {"fpr_gap": 0.05, "n_neg": 200, "folds": 10},
        ),
    ],
)
def test_every_question(run, options, function, arguments):
    expected = getattr(rocscope, function)(**arguments)
    (result,) = run("power", *options.split(), "--json").document["results"]
    assert result == expected.to_dict()
    done = run("power", *options.split())
    assert (done.code, done.err) == (0, "")
    assert " ".join(done.out.split()).startswith(" ".join(str(expected).split()))
    assert max(map(len, done.out.splitlines())) <= 100


def test_a_pilot_study(run):
    Path("cases.csv").write_text("y,a,b\n1,5,3\n1,4,6\n1,7,7\n1,2,4\n0,1,6\n0,3,1\n0,4,5\n0,0,4\n0,2,2\n")
    saved = ("--label", "y", "--score", "a", "--score", "b", "--json", "--out", "pilot.json")
    assert run("compare", "cases.csv", *saved).code == 0
    y = [1] * 4 + [0] * 5
    scores = {"a": [5, 4, 7, 2, 1, 3, 4, 0, 2], "b": [3, 6, 7, 4, 6, 1, 5, 4, 2]}
    pilot = rocscope.compare_auc(y, scores)
    lines = {
        "--power 0.9": rocscope.sample_size(pilot, power=0.9),
        "--power 0.9 --ratio 2 --difference 0.1": rocscope.sample_size(
            pilot, power=0.9, ratio=2, difference=0.1
        ),
        "--half-width 0.1 --method binormal": rocscope.sample_size(pilot, half_width=0.1, method="binormal"),
        "": rocscope.power(pilot),
        "--n-pos 40 --n-neg 50": rocscope.power(pilot, n_pos=40, n_neg=50),
        "--n-pos 400 --n-neg 50 --power 0.7": rocscope.power(pilot, n_pos=400, n_neg=50, power=0.7),
        "--n-pos 400 --n-neg 50 --power 0.7 --difference 0.3": rocscope.power(
            pilot, n_pos=400, n_neg=50, power=0.7, difference=0.3, level=None
        ),
    }
    for options, expected in lines.items():
        done = run("power", "--pilot", "pilot.json", *options.split(), "--json")
        assert done.document["results"] == [expected.to_dict()]
        assert done.document["input"]["pilot"] == "pilot.json"
    both = run("power", "--pilot", "pilot.json", "--auc", "0.8", "--power", "0.9")
    assert both.err == "error: --auc must be left out where --pilot is given\n"
    Path("other.json").write_text('{"type": "Estimate"}')
    other = run("power", "--pilot", "other.json", "--power", "0.9")
    assert (other.code, other.err) == (
        3,
        "error: other.json must hold one comparison, as rocscope compare --json writes it, got 0\n",
    )


def test_files(run):
    done = run("power", "--auc", "0.75", "--power", "0.9", "--out", "plan.csv")
    assert done.err == "wrote plan.csv\n"
    (row,) = csv.DictReader(Path("plan.csv").read_text().splitlines())
    assert (row["n_pos"], row["power"], row["null"], row["auc2"]) == ("26", "0.9", "0.5", "")
    document = run("power", "--auc", "0.75", "--power", "0.9", "--json", "--out", "plan.json")
    assert Path("plan.json").read_text() == document.out
    assert document.document["input"] == {"auc": 0.75, "power": 0.9}


def test_nothing_to_detect(run):
    done = run("power", "--auc", "0.7", "--null", "0.7", "--power", "0.9")
    assert done.code == 4
    assert done.out.startswith("Area 0.7 against 0.7: undefined, there is no difference to detect")
    assert done.err == "error: there is no difference to detect\n"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            "--auc 0.8",
            2,
            "one of --power and --half-width must be given, got none",
        ),
        ("--auc 0.8 --n-pos 5 --power 0.9", 2, "--n-neg must be a number, got None"),
        (
            "--auc 0.8 --n-pos 5 --n-neg 5 --power 0.9 --level 0.9",
            2,
            "one of --auc, --power and --level must be left out, got all",
        ),
        ("--auc 0.8 --fpr 0.1 --power 0.9", 2, "--fpr must be two numbers LOW,HIGH, got '0.1'"),
        (
            "--auc 0.8 --n-pos 5 --n-neg 5 --ratio 2",
            2,
            "--ratio must be left out where --n-pos or --n-neg is given",
        ),
        (
            "--auc 0.8 --auc2 0.7 --rating-corr x --power 0.9",
            2,
            "--rating-corr must be one number or two (NEG,POS), got 'x'",
        ),
        ("--power 0.9", 2, "one of --auc, --tpr-gap and --fpr-gap must be given, got none"),
        ("--auc 1.2 --power 0.9", 2, "--auc must lie between 0 and 1, got 1.2"),
        ("--auc 0.8 --n-pos 20", 2, "--n-neg must be a number, got None"),
        (
            "--auc 0.8 --n-pos 20 --n-neg 20 --half-width 0",
            2,
            "--half-width must be left out where --n-pos or --n-neg is given",
        ),
        (
            "--auc 0.8 --auc2 0.7 --power 0.9",
            2,
            "one of --corr and --rating-corr must be given for paired curves, got none",
        ),
    ],
)
def test_wrong_usage(run, options, code, message):
    done = run("power", *options.split())
    assert (done.code, done.out, done.err) == (code, "", f"error: {message}\n")
