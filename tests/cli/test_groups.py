"""Groups and folds of cases in `auc`, `compare`, `points` and `report`, and grey zones in `points`."""

import csv
import json
from pathlib import Path

import pytest

import rocscope as rs
from data_folder import data_file
from saved_commands import write_cases

POOR = ("--label", "outcome", "--pos-label", "Poor")
S = ("--score", "s100b")


@pytest.fixture(scope="module")
def asah():
    return data_file("aSAH", "aSAH.csv")


def by_gender(path, **more):
    data = rs.read_scores(path, label="outcome", score="s100b", pos_label="Poor", fold="gender")
    return rs.auc_by(
        rs.BinaryScores.from_arrays(data.positive, data.columns[0]), by={"gender": data.fold}, **more
    )


def test_areas_of_groups(run, asah):
    done = run("auc", asah, *POOR, *S, "--by", "gender", "--threshold", "0.25")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "AUC 0.7314 (95% interval 0.6184-0.8175, score) of all cases"
    assert lines[2] == "Equal areas by gender: Q = 0.2488, df = 1, p = 0.6179"
    assert lines[4].split()[:4] == ["Female", "21", "50", "0.720"]
    document = run("auc", asah, *POOR, *S, "--by", "gender", "--threshold", "0.25", "--json").document
    (saved,) = document["results"]
    expected = by_gender(asah, threshold=0.25).to_dict()
    assert saved["score"] == "s100b"
    assert saved["groups"] == expected["groups"]
    assert saved["tests"] == expected["tests"]


def test_several_columns_scores_and_files(run, asah):
    scores = (*S, "--score", "ndka")
    done = run("auc", asah, *POOR, *scores, "--by", "gender", "--by", "wfns", "--out", "groups.csv")
    assert done.code == 0
    assert (
        "s100b: by wfns: left out of the test of homogeneity: 3, which has no variance of the area"
        in done.err
    )
    assert "[a] No variance: the group has one case of class Poor" in done.out
    with Path("groups.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * (2 + 5)
    assert rows[0]["score"] == "s100b"
    assert float(rows[0]["auc"]) == by_gender(asah).groups[0].auc
    assert run("auc", asah, *POOR, *scores, "--by", "gender", "--out", "groups.png").code == 0
    assert Path("groups.png").stat().st_size > 5000


def test_areas_over_folds(run):
    write_cases(Path("cases.csv"))
    data = rs.read_scores("cases.csv", label="y", score="s", fold="fold")
    line = ("auc", "cases.csv", "--label", "y", "--score", "s", "--fold", "fold")
    for more, method in (((), "mean"), (("--pooled",), "pooled")):
        (saved,) = run(*line, *more, "--json").document["results"]
        expected = rs.cross_auc(data, method=method)
        assert (saved["value"], saved["se"], saved["low"]) == (expected.value, expected.se, expected.low)
        assert saved["name"] == f"{method} AUC of 4 folds"
    done = run(*line)
    assert done.out.splitlines()[0].startswith("score  mean AUC of 4 folds (95% interval)")
    assert run(*line, "--out", "folds.png").code == 0


def test_comparison_within_groups(run, asah):
    line = ("compare", asah, *POOR, *S, "--score", "ndka", "--by", "gender")
    done = run(*line, "--out", "pairs.csv")
    assert done.code == 0
    assert done.out.splitlines()[0] == "gender Female (21 + 50 cases)"
    data = rs.read_scores(asah, label="outcome", score=["s100b", "ndka"], pos_label="Poor", fold="gender")
    male = data.fold == "Male"
    columns = {name: column[male] for name, column in zip(data.names, data.columns, strict=True)}
    expected = rs.compare_auc(data.positive[male], columns).pairs[0]
    with Path("pairs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["group"] for row in rows] == ["Female", "Male"]
    assert float(rows[1]["p_value"]) == expected.p_value
    assert run(*line, "--out", "pairs.png").code == 0


def test_a_group_without_a_class_is_named(run):
    done = run("compare", "scores.csv", "--label", "site", "--pos-label", "S", "--score", "a", "--score", "b",
               "--by", "state")  # fmt: skip
    assert done.code == 0
    Path("one.csv").write_text("y,a,b,g\n1,1,2,x\n0,2,3,x\n1,4,1,x\n0,3,3,x\n1,2,2,z\n")
    line = ("one.csv", "--label", "y", "--score", "a")
    done = run("compare", *line, "--score", "b", "--by", "g", "--out", "one.out.csv")
    assert done.code == 0
    assert "note: g z: the group has no case of class 0\n" in done.err
    assert Path("one.out.csv").read_text().splitlines()[-1].startswith("g,z,")
    done = run("auc", *line, "--by", "g")
    assert done.code == 0
    assert "[b] The group has one case of class 1 and no case of class 0" in done.out


def test_a_point_in_every_group(run, asah):
    line = ("points", asah, *POOR, *S, "--select", "tpr>=0.9", "--by", "gender")
    done = run(*line)
    assert done.code == 0
    assert "Equal areas by gender: Q = 0.2488, df = 1, p = 0.6179" in done.out
    point, groups = run(*line, "--json").document["results"]
    assert groups["threshold"] == point["threshold"] == 0.08
    assert groups["groups"][0]["tpr"] == by_gender(asah, threshold=0.08).groups[0].tpr


def test_grey_zone(run, asah):
    line = ("points", asah, *POOR, *S, "--grey-zone", "0.9,0.9", "--seed", "1", "--n-boot", "200")
    done = run(*line)
    assert done.code == 0
    assert "Positive where score >= 0.44 (95% interval " in done.out
    _, saved = run(*line, "--json").document["results"]
    data = rs.read_scores(asah, label="outcome", score="s100b", pos_label="Poor")
    expected = rs.grey_zone(data, sensitivity=0.9, specificity=0.9, rng=1, n_boot=200)
    assert {name: saved[name] for name in ("rule_out_low", "rule_in", "shares")} == {
        name: expected.to_dict()[name] for name in ("rule_out_low", "rule_in", "shares")
    }
    assert run(*line, "--out", "zone.png").code == 0
    assert run(*line, "--out", "zone.csv").code == 0
    assert Path("zone.csv").read_text().splitlines()[0] == "cases,zone,count,n,value,low,high"


def test_report_of_groups(run, asah):
    done = run("report", asah, *POOR, *S, "--by", "gender", "--by", "wfns", "--n-boot", "100", "--seed", "1",
               "--out", "page.html")  # fmt: skip
    assert done.code == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "Subgroups: s100b" in page
    assert "By gender the areas reach from 0.720 (Female) to 0.773 (Male)" in page
    assert "Areas by wfns" in page


def test_missing_groups_follow_na(run):
    Path("gap.csv").write_text("y,s,g\n1,4,a\n0,1,a\n1,3,a\n0,2,a\n1,2,b\n0,3,b\n1,5,b\n0,2,b\n1,4,\n")
    line = ("auc", "gap.csv", "--label", "y", "--score", "s", "--by", "g")
    refused = run(*line)
    assert refused.code == 3
    assert "'g'" in refused.err
    done = run(*line, "--na", "drop", "--json")
    assert done.code == 0
    assert [row["n"] for row in done.document["results"][0]["groups"]] == [4, 4]
    assert "1 row with missing values left out" in json.dumps(done.document["notes"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("auc", "--score", "a", "--pooled"), "--pooled belongs to --fold"),
        (("auc", "--score", "a", "--by", "site", "--fold", "site"), "--by must be left out with --fold"),
        (("auc", "--score", "a", "--by", "site", "--method", "logit"), "--method must be left out with --by"),
        (("auc", "--score", "a", "--fold", "site", "--fpr", "0,0.5"), "--fpr must be left out with --fold"),
        (
            ("auc", "--score", "a", "--by", "site", "--alternative", "less"),
            "--alternative must be left out with --by",
        ),
        (
            ("auc", "--score", "a", "--by", "a"),
            "--by must name other columns than label and score, each once, got ['a']",
        ),
        (("auc", "--score", "a", "--by", "site", "--count", "b"), "--count must be left out with --by"),
        (
            ("compare", "--score", "a", "--sample", "site", "--by", "site"),
            "--by must be left out with --sample",
        ),
        (
            ("points", "--score", "a", "--grey-zone", "0.9"),
            "--grey-zone must be two numbers SENS,SPEC between 0 and 1, got '0.9'",
        ),
        (
            ("points", "--score", "a", "--grey-zone", "0.9,1"),
            "--grey-zone must be two numbers SENS,SPEC between 0 and 1, got '0.9,1'",
        ),
        (
            ("points", "--score", "a", "--grey-zone", "0.9,0.9", "--pr"),
            "--band, --pr, --smooth, --net-benefit, --grey-zone and --all must not come together: --out "
            "writes one curve",
        ),
    ],
)
def test_options_that_do_not_go_together(run, arguments, message):
    command, *rest = arguments
    done = run(command, "scores.csv", "--label", "state", "--pos-label", "ill", *rest)
    assert (done.code, done.err) == (2, f"error: {message}\n")
