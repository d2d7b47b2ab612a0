"""`rocscope compare` tests areas jointly and in pairs, on the same cases or between groups."""

import csv
from pathlib import Path

import numpy as np
import pytest

import rocscope
from data_folder import data_file

ILL = ("--label", "state", "--pos-label", "ill")
DELONG = ("--method", "delong")


def test_known_file(run):
    path = data_file("aSAH", "aSAH.csv")
    done = run(
        "compare", path, "--label", "outcome", "--pos-label", "Poor", "--score", "s100b", "--score", "wfns"
    )
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [  # as pROC prints them: Z = -2.209, p-value = 0.02718
        "score      AUC (95% interval)  method  positive: Poor  negative: Good",
        "s100b  0.7314 (0.6184-0.8175)   score              41              72",
        "wfns   0.8237 (0.7327-0.8859)   score              41              72",
        "",
        "Areas (paired, delong): s100b 0.7314, wfns 0.8237",
        "Equal areas: z = -2.209, p = 0.02718",
        "Differences (95% interval):",
        "  s100b - wfns: -0.0923 (-0.1742 to -0.0104), p = 0.02718",
        "",
        "s100b and wfns cross at FPR 0.0432",
    ]


def test_three_scores(run):
    path = data_file("aSAH", "aSAH.csv")
    scores = [word for name in ("s100b", "wfns", "ndka") for word in ("--score", name)]
    done = run("compare", path, "--label", "outcome", "--pos-label", "Poor", *scores)
    assert "Equal areas: chi2 = 12.51, df = 2, p = 0.001918\n" in done.out
    assert [line.split()[0] for line in done.out.splitlines()[-7:-4]] == ["s100b", "s100b", "wfns"]
    assert "p = 0.02718 (Holm 0.0" in done.out


def test_json_is_the_result(run):
    done = run("compare", "scores.csv", *ILL, "--score", "a", "--score", "b", "--json")
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    expected = rocscope.compare_auc(y, {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]})
    assert done.document["command"] == "compare"
    (result,) = done.document["results"]
    assert result.pop("crossings")
    assert result == expected.to_dict()


def test_groups(run):
    done = run("compare", "scores.csv", *ILL, "--score", "b", "--sample", "site")
    y = {"N": [0, 0, 1, 1], "S": [0, 0, 1, 1]}
    expected = rocscope.compare_auc(y, {"N": [1, 2, 2, 1], "S": [4, 3, 4, 5]}, paired=False)
    assert done.code == 0
    assert done.out.splitlines()[0].startswith("site ")
    assert done.out.splitlines()[4:8] == expected.summary().splitlines()


def test_one_sided(run):
    done = run(
        "compare", "scores.csv", *ILL, "--score", "a", "--score", "b", "--alternative", "greater", *DELONG
    )
    assert done.out.splitlines()[-4] == "Differences (95% lower bound):"
    assert done.out.splitlines()[-3].startswith("  a - b: +0.3438 (-0.0197), p = 0.0599")


def test_identical_scores(run):
    Path("n.csv").write_text("y,s,t\n0,1,1\n0,2,2\n1,1,1\n1,3,3\n")
    done = run("compare", "n.csv", "--label", "y", "--score", "s", "--score", "t")
    assert done.code == 0
    assert "Equal areas: z = 0, p = 1\n" in done.out
    assert done.err == "note: the variance of the difference is 0, so its interval says nothing: s - t\n"


def test_undefined_test(run):
    Path("n.csv").write_text("y,s,t\n0,1,1\n0,2,2\n1,2,3\n")
    done = run("compare", "n.csv", "--label", "y", "--score", "s", "--score", "t")
    assert done.code == 4
    assert "Equal areas: undefined, the variance needs two cases in each class" in done.out
    assert done.err.splitlines()[-1] == (
        "error: the areas cannot be compared: the variance needs two cases in each class"
    )


BELOW = "the area is below 0.5: the scores rank the negative class higher (see direction lower)"


def test_missing_values_are_left_out_of_all_curves(run):
    Path("n.csv").write_text("y,s,t\n0,1,1\n0,2,\n1,3,0\n1,4,2\n0,5,5\n1,2,1\n")
    done = run("compare", "n.csv", "--label", "y", "--score", "s", "--score", "t", "--na", "drop", "--json")
    assert done.document["results"][0]["warnings"] == [
        "1 row with missing values left out: 1 of class '0'",
        f"t: {BELOW}",
    ]
    assert done.err.splitlines()[0] == "note: 1 row with missing values left out: 1 of class '0'"


def test_csv_and_figure(run):
    both = ("compare", "scores.csv", *ILL, "--score", "a", "--score", "b")
    assert run(*both, "--out", "pairs.csv").code == 0
    (row,) = csv.DictReader(Path("pairs.csv").read_text().splitlines())
    assert (row["first"], row["second"], row["difference"]) == ("a", "b", "0.34375")
    assert run(*both, "--out", "roc.svg").code == 0
    assert "a (AUC = 0.94" in Path("roc.svg").read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--score", "a"], "compare needs --score at least twice, or --sample"),
        (
            ["--score", "a", "--score", "b", "--sample", "site"],
            "--sample compares one score between samples, got 2 scores",
        ),
        (
            ["--score", "a", "--sample", "a"],
            "--sample must be another column than label and score, got 'a' for both",
        ),
    ],
)
def test_wrong_usage(run, options, message):
    done = run("compare", "scores.csv", *ILL, *options)
    assert (done.code, done.out, done.err) == (2, "", f"error: {message}\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("y,s,g\n0,1,x\n1,2,x\n", "column 'g' must hold two or more groups, got only 'x'"),
        ("y,s,g\n0,1,5\n1,2,5\n1,2,6\n", "group 6 of 'g' must hold two classes, got only 1"),
    ],
)
def test_groups_that_cannot_be_compared(run, content, message):
    Path("n.csv").write_text(content)
    done = run("compare", "n.csv", "--label", "y", "--score", "s", "--sample", "g")
    assert (done.code, done.err) == (3, f"error: {message}\n")


# Other tests

AB = ("compare", "scores.csv", *ILL, "--score", "a", "--score", "b")
Y = [0, 0, 0, 0, 1, 1, 1, 1]
SCORES = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]}


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (
            ["--method", "hanley-mcneil", "--margin", "0.2"],
            {"method": "hanley-mcneil", "margin": 0.2},
        ),
        (
            ["--method", "bootstrap", "--seed", "1", "--n-boot", "200"],
            {"method": "bootstrap", "rng": 1, "n_boot": 200},
        ),
        (
            ["--method", "bootstrap", "--seed", "1", "--n-boot", "200", "--fpr", "0,0.5", "--standardize"],
            {"method": "bootstrap", "rng": 1, "n_boot": 200, "fpr": (0, 0.5), "standardize": True},
        ),
        (
            ["--method", "permutation", "--seed", "1"],
            {"method": "permutation", "rng": 1},
        ),
        (
            ["--method", "venkatraman", "--seed", "1", "--n-boot", "200"],
            {"method": "venkatraman", "rng": 1, "n_boot": 200},
        ),
        (
            ["--method", "sensitivity", "--at", "0.25", "--seed", "1", "--alternative", "greater"],
            {"method": "sensitivity", "at": 0.25, "rng": 1, "alternative": "greater"},
        ),
        (
            ["--method", "specificity", "--at", "0.75", "--seed", "1", "--margin", "0.3"],
            {"method": "specificity", "at": 0.75, "rng": 1, "margin": 0.3},
        ),
    ],
)
def test_methods(run, options, arguments):
    expected = rocscope.compare_auc(Y, SCORES, **arguments)
    (result,) = run(*AB, *options, "--json").document["results"]
    del result["crossings"]
    assert result == expected.to_dict()
    done = run(*AB, *options)
    assert done.code == 0
    assert expected.summary() in done.out


@pytest.mark.parametrize("margin", ["0.1", "0.9"])
def test_margin(run, margin):
    expected = rocscope.compare_auc(Y, SCORES, margin=float(margin))
    assert expected.summary() in run(*AB, "--margin", margin).out


def test_groups_by_another_method(run):
    done = run("compare", "scores.csv", *ILL, "--score", "b", "--sample", "site", "--method", "venkatraman")
    assert "Areas (unpaired, venkatraman)" in done.out
    assert "--seed" in done.err


def test_percentiles_are_requested(run):
    how = ("--method", "bootstrap", "--n-boot", "200", "--seed", "1")
    normal, percentile = (run(*AB, *how, *more) for more in ((), ("--bootstrap", "percentile")))
    assert " by percentiles\n" in percentile.out
    assert "percentile" not in normal.out
    document = run(*AB, *how, "--bootstrap", "percentile", "--json").document
    assert [row["interval"] for row in document["results"][0]["pairs"]] == ["percentile"]


def test_a_seed_repeats_what_chance_gave(run):
    options = (*AB, "--method", "bootstrap", "--n-boot", "100")
    first = run(*options)
    seed = first.err.split()[-3]
    assert run(*options, "--seed", seed).out == first.out
    assert run(*options, "--seed", seed, "--json").document["input"]["seed"] == int(seed)


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            ["--n-boot", "200"],
            2,
            "--n-boot belongs to the methods bootstrap, permutation, venkatraman, sensitivity, specificity, "
            "got method 'auto'",
        ),
        (
            ["--bootstrap", "percentile"],
            2,
            "--bootstrap must be left out for method 'auto' (it belongs to 'bootstrap', 'sensitivity', "
            "'specificity'), got 'percentile'",
        ),
        (["--method", "sensitivity"], 2, "--at must be a number, got None"),
        (["--fpr", "x"], 2, "--fpr must be two numbers LOW,HIGH, got 'x'"),
        (
            ["--fpr", "0,0.1"],
            2,
            "--fpr must be left out for method 'auto' (it belongs to 'bootstrap'), got (0, 0.1)",
        ),
        (["--margin", "-1"], 2, "--margin must be greater than 0, got -1.0"),
        (
            ["--method", "venkatraman", "--alternative", "less"],
            2,
            "--alternative must be 'two-sided' for method 'venkatraman', got 'less'",
        ),
    ],
)
def test_options_that_do_not_belong_together(run, options, code, message):
    done = run(*AB, *options)
    assert (done.code, done.out, done.err) == (code, "", f"error: {message}\n")


# Where curves cross

CROSSING = "y,s,t,u\n1,4,2,9\n0,3,2,1\n1,2,2,8\n0,1,1,1\n"
STU = ("compare", "n.csv", "--label", "y", "--score", "s", "--score", "t", "--score", "u")


def test_crossings(run):
    Path("n.csv").write_text(CROSSING)
    lines = run(*STU).out.splitlines()
    assert lines[-4:] == [
        "",
        "s and t cross at FPR 0.2500",
        "u is nowhere below s",
        "u is nowhere below t",
    ]
    (result,) = run(*STU, "--json").document["results"]
    assert result["crossings"] == [
        {"first": "s", "second": "t", "fpr": [0.25], "tpr": [0.5], "dominant": None, "reason": None},
        {"first": "s", "second": "u", "fpr": [], "tpr": [], "dominant": "second", "reason": None},
        {"first": "t", "second": "u", "fpr": [], "tpr": [], "dominant": "second", "reason": None},
    ]
    assert run("compare", "n.csv", "--label", "y", "--score", "u", "--score", "s").out.splitlines()[-1] == (
        "u is nowhere below s"
    )


def test_crossings_of_groups_and_of_equal_curves(run):
    Path("n.csv").write_text("y,s,t,g\n0,1,1,N\n0,2,2,N\n1,1,1,S\n1,3,3,N\n0,0,0,S\n0,2,2,S\n")
    equal = run("compare", "n.csv", "--label", "y", "--score", "s", "--score", "t")
    assert equal.out.splitlines()[-1] == "s and t have the same curve"
    groups = run("compare", "n.csv", "--label", "y", "--score", "s", "--sample", "g")
    assert groups.out.splitlines()[-1] == "N is nowhere below S"


def test_many_crossings_are_reported_in_part(run):
    scores = np.random.default_rng(1).normal(size=(400, 2)).tolist()
    rows = [f"{case % 2},{s},{t}" for case, (s, t) in enumerate(scores)]
    Path("n.csv").write_text("\n".join(["y,s,t", *rows]))
    both = ("compare", "n.csv", "--label", "y", "--score", "s", "--score", "t")
    (found,) = run(*both, "--json").document["results"][0]["crossings"]
    assert len(found["fpr"]) > 8
    first = ", ".join(f"{rate:.4f}" for rate in found["fpr"][:8])
    line = f"s and t cross at FPR {first} and {len(found['fpr']) - 8} more"
    assert run(*both).out.splitlines()[-1] == line


def test_crossings_of_long_curves_are_not_sought(run, monkeypatch):
    monkeypatch.setattr("rocscope.cli.compare.MOST_VERTICES", 5)
    reason = "crossings are not sought in curves of more than 5 vertices together"
    assert run(*AB).out.splitlines()[-1] == f"a and b: {reason}"
    (pair,) = run(*AB, "--json").document["results"][0]["crossings"]
    assert (pair["fpr"], pair["dominant"], pair["reason"]) == (None, None, reason)


def test_draws_from_all_cases_together(run):
    how = ("--method", "bootstrap", "--n-boot", "200", "--seed", "3", "--unstratified")
    scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]}
    done = run("compare", "scores.csv", *ILL, "--score", "a", "--score", "b", *how, "--json")
    expected = rocscope.compare_auc(
        [0, 0, 0, 0, 1, 1, 1, 1], scores, method="bootstrap", n_boot=200, rng=3, stratify=False
    )
    assert done.document["results"][0]["p_value"] == expected.p_value
    refused = run("compare", "scores.csv", *ILL, "--score", "a", "--score", "b", "--unstratified")
    assert refused.code == 2
    assert "--unstratified belongs to the methods bootstrap, sensitivity and specificity" in refused.err


def test_long_names_fit_100_columns(run):
    names = [
        "Neutrophil gelatinase-associated lipocalin (ng/mL) at admission",
        "x" * 130,
        "CRP day " * 12 + "3",
    ]
    rng = np.random.default_rng(2)
    rows = [[k % 2, *(rng.normal(size=3) + k % 2).round(3)] for k in range(60)]
    with Path("long.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["y", *names], *rows])
    done = run("compare", "long.csv", "--label", "y", *(word for name in names for word in ("--score", name)))
    assert done.code == 0
    wide = [line for line in done.out.splitlines() if len(line) > 100]
    assert all("x" * 130 in line for line in wide)  # a name without blanks stays whole in a sentence
    table = done.out.split("\n\n")[0].splitlines()
    assert table[0].split()[:1] == ["score"]
    whole = ["".join(line[:44].split()) for line in table[1:]]
    assert "".join(whole) == "".join("".join(name.split()) for name in names)  # nothing is lost
