"""What every command saves as JSON becomes a section with a picture, a reading and a table in words."""

import json
from pathlib import Path

import numpy as np
import pytest

from report_pages import Parsed

TWO = ("--label", "y")
THREE = ("--label", "class", "--classes", "a,b,c", "--score", "pa", "--score", "pb", "--score", "pc")
MODEL = ("--feature", "s", "--feature", "t")
SEED = ("--seed", "1")
# The arguments of a command, the titles of its sections, and words that its readings have.
COMMANDS = {
    "auc": (("auc", *TWO, "--score", "s", "--score", "t"), ["Areas"], "AUC of s: 0."),
    "auc of a part": (
        ("auc", *TWO, "--score", "s", "--fpr", "0,0.2", "--n-boot", "100", *SEED),
        ["Partial AUC over FPR 0-0.2"],
        "partial AUC over FPR 0-0.2 of s: 0.",
    ),
    "auc of classes": (
        ("auc", *THREE),
        ["Areas of pairs of classes"],
        "The macro average of the areas is 0.",
    ),
    "compare": (
        ("compare", *TWO, "--score", "s", "--score", "t"),
        ["Comparison of classifiers", "Where the curves cross"],
        "s less t: ",
    ),
    "points": (("points", *TWO, "--score", "s"), ["Operating point: s"], "Cases with a score of at least "),
    "points again": (
        ("points", *TWO, "--score", "s", "--bootstrap", "--band", "--n-boot", "100", *SEED),
        ["Bands", "Operating point: s", "Choice of the threshold: s"],
        "Chosen again on 100 bootstrap samples",
    ),
    "precision": (
        ("points", *TWO, "--score", "s", "--pr", "--n-boot", "100", *SEED),
        ["Operating point: s", "Precision and recall"],
        "average precision 0.",
    ),
    "net benefit": (
        ("points", *TWO, "--score", "p", "--net-benefit"),
        ["Operating point: p", "Net benefit"],
        "Cases with a score of at least ",
    ),
    "average": (
        ("average", *TWO, "--score", "s", "--fold", "fold"),
        ["Average over folds", "Choose an operating point by its folds", "Chosen point"],
        "was chosen for its largest TPR - FPR",
    ),
    "average of classes": (
        ("average", *THREE, "--fold", "fold", *SEED),
        ["Errors of every class over folds", "Choose an operating point by its folds", "Chosen point"],
        "was chosen for its smallest largest class error",
    ),
    "ordinal": (
        ("ordinal", "--label", "grade", "--score", "estimate", "--n-boot", "100", *SEED),
        ["Ordered classes: estimate"],
        "The largest area is that of class ",
    ),
    "binormal": (
        ("binormal", *TWO, "--score", "s"),
        ["Binormal fit: s"],
        "area under the fitted curve is 0.",
    ),
    "proper": (
        ("binormal", *TWO, "--score", "s", "--proper"),
        ["Fitted curve: s"],
        "area under the fitted curve is 0.",
    ),
    "fuse": (("fuse", *TWO, "--score", "s", "--score", "t"), ["Fusion of s and t"], "Best as counted: "),
    "bootstrap": (
        ("bootstrap", *TWO, *MODEL, "--model", "lda", "--n-boot", "20", *SEED),
        ["Bootstrap estimates: lda"],
        "A classifier trained on these 60 cases is expected",
    ),
    "algorithms": (
        ("algorithms", *TWO, *MODEL, "--models", "lda,nb", "--folds", "4", *SEED),
        ["Learning algorithms"],
        "2 algorithms on 1 data set",
    ),
    "two algorithms": (
        ("algorithms", *TWO, *MODEL, "--models", "lda,nb", "--folds", "4", "--show", "pair", *SEED),
        ["Learning algorithms", "Two learning algorithms"],
        "2 algorithms on 1 data set",
    ),
}


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch):
    monkeypatch.setattr("rocscope.report.page._plotly_source", lambda: "")


@pytest.fixture(autouse=True)
def _cases(folder):
    rng = np.random.default_rng(6)
    n = 60
    y, k = np.arange(n) % 2, np.arange(n) % 3
    outputs = rng.random((n, 3)) + 0.6 * np.eye(3)[k]
    score = y + rng.normal(size=n)
    columns = {
        "y": y,
        "s": np.round(score, 2),
        "t": np.round(0.5 * y + rng.normal(size=n), 1),
        "p": np.round(1 / (1 + np.exp(-score)), 3),
        "fold": np.arange(n) // 15,
        "class": np.array(["a", "b", "c"])[k],
        **{f"p{name}": outputs[:, at].round(4) for at, name in enumerate("abc")},
        "grade": k + 1,
        "estimate": np.round(k + 1 + rng.normal(size=n) * 0.7, 2),
    }
    lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    Path("cases.csv").write_text("\n".join(lines) + "\n")


def shown(run, *files):
    done = run("report", *files, "--out", "r.html")
    assert (done.code, done.err) == (0, "")
    return Parsed(Path("r.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_saved_comes_back(run, name):
    (command, *arguments), titles, words = COMMANDS[name]
    assert run(command, "cases.csv", *arguments, "--out", "x.json").code == 0
    found = shown(run, "x.json")
    assert found.titles == titles
    assert words in " ".join(found.readings)
    heads = [one.text for one in found.all("th")]
    assert [text for text in heads if "_" in text or text in ("reason", "se", "status")] == []
    drawn = [key for key in found.data if key.endswith(("-figures-data", "-data")) and key != "page-data"]
    assert drawn
    assert not any("Saved numbers" in one.text for one in found.all("p"))


def test_printed_json_is_read_like_written_json(run):
    (command, *arguments), titles, _ = COMMANDS["points"]
    Path("x.json").write_text(run(command, "cases.csv", *arguments, "--json").out)
    assert shown(run, "x.json").titles == titles


def test_a_plan_has_no_picture_but_a_sentence_and_its_numbers(run):
    run("power", "--auc", "0.75", "--power", "0.9", "--out", "plan.json")
    found = shown(run, "plan.json")
    plan = json.loads(Path("plan.json").read_text())["results"][0]
    assert found.titles == ["Study plan"]
    assert f"{plan['n_pos']} positive and {plan['n_neg']} negative cases" in found.readings[0]
    rows = [one.text for one in found.all("th", scope="row")]
    assert rows[:3] == ["question", "positive cases", "negative cases"]


def test_saved_results_stand_beside_a_table(run):
    (command, *arguments), titles, _ = COMMANDS["bootstrap"]
    run(command, "cases.csv", *arguments, "--out", "x.json")
    options = ("--label", "y", "--score", "s", "--n-boot", "100", "--seed", "1", "--out", "r.html")
    assert run("report", "cases.csv", "x.json", *options).code == 0
    found = Parsed(Path("r.html").read_text(encoding="utf-8"))
    assert found.titles[0] == "ROC curve"
    assert found.titles[-2:] == [*titles, "What this report does not show, and why"]
    assert "From cases.csv, x.json, random numbers" in found.all("p", **{"class": "made"})[0].text


def test_the_numbers_of_a_choice_are_those_that_were_saved(run):
    (command, *arguments), *_ = COMMANDS["average"]
    run(command, "cases.csv", *arguments, "--out", "x.json")
    _, chosen, _ = json.loads(Path("x.json").read_text())["results"]
    found = shown(run, "x.json")
    reading = found.readings[-1]
    assert reading.startswith(f"Point {chosen['index']} (threshold {chosen['point']['threshold']:.4f})")
    assert f"TPR {chosen['mean']['tpr']:.4f} (standard error {chosen['sem']['tpr']:.4f})" in reading


def test_models_of_one_kind_are_told_apart_by_their_names(run):
    (command, *arguments), *_ = COMMANDS["bootstrap"]
    for model in ("lda", "nb"):
        changed = [model if part == "lda" else part for part in arguments]
        run(command, "cases.csv", *changed, "--out", f"{model}.json")
    assert shown(run, "lda.json", "nb.json").titles == ["Bootstrap estimates: lda", "Bootstrap estimates: nb"]
