import json
import re
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs
from report_pages import EVIL, Parsed

TABLE = ("--label", "state", "--pos-label", "ill")
QUICK = ("--n-boot", "100", "--seed", "1")


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch):
    monkeypatch.setattr("rocscope.report.page._plotly_source", lambda: "")


def shown(name="r.html"):
    return Parsed(Path(name).read_text(encoding="utf-8"))


def write_cases(name="cases.csv", n=60, **columns):
    rng = np.random.default_rng(3)
    y = np.arange(n) % 2
    table = {"y": y, "s": np.round(y + rng.normal(size=n), 3), "fold": np.arange(n) // (n // 4)} | columns
    lines = [",".join(table), *(",".join(map(str, row)) for row in zip(*table.values(), strict=True))]
    Path(name).write_text("\n".join(lines) + "\n")
    return table


# ---- A table ----------------------------------------------------------------------------------------------


def test_a_table_becomes_a_page(run):
    done = run("report", "scores.csv", *TABLE, "--score", "a", "--score", "b", *QUICK, "--out", "r.html")
    assert (done.code, done.out) == (0, "r.html: open it in a browser\n")
    found = shown()
    for title in (
        "ROC curves",
        "Areas",
        "Comparison of classifiers",
        "Operating point: a",
        "Binormal fit: b",
    ):
        assert title in found.titles
    assert not [title for title in found.titles if "folds" in title]
    assert found.all("p", **{"class": "made"})[0].text == "From scores.csv, random numbers from seed 1."


def test_the_numbers_are_those_of_the_functions(run):
    table = write_cases()
    run(
        "report",
        "cases.csv",
        "--label",
        "y",
        "--score",
        "s",
        "--select",
        "tpr>=0.9",
        *QUICK,
        "--out",
        "r.html",
    )
    cells = [one.text for one in shown().all("td")]
    area = rs.auc(table["y"], table["s"])
    drawn = rs.auc(table["y"], table["s"], method="bootstrap", n_boot=100, rng=1)
    point = rs.point_measures(table["y"], table["s"], select="tpr>=0.9")
    for estimate in (area, drawn, point.sensitivity, point.ppv):
        assert f"{estimate.low:.4f} to {estimate.high:.4f}" in cells


def test_folds_are_averaged(run):
    table = write_cases()
    code = run(
        "report", "cases.csv", "--label", "y", "--score", "s", "--fold", "fold", *QUICK, "--out", "r.html"
    ).code
    assert code == 0
    found = shown()
    assert "Average over folds: s" in found.titles
    roc = rs.average_roc(table["y"], table["s"], fold=table["fold"])
    index = roc.select()
    assert any(f"point {index} (threshold" in reading for reading in found.readings)


def test_several_classes_are_shown_by_pairs_and_in_three_dimensions(run):
    rng = np.random.default_rng(2)
    y = np.arange(60) % 3
    p = rng.random((60, 3)).round(3) + np.eye(3)[y]
    write_cases(y=[f"class {k}" for k in y], a=p[:, 0], b=p[:, 1], c=p[:, 2])
    done = run(
        *("report", "cases.csv", "--label", "y", "--classes", "class 0,class 1,class 2"),
        *("--score", "a", "--score", "b", "--score", "c", "--fold", "fold", "--seed", "1", "--out", "r.html"),
    )
    assert (done.code, done.err) == (0, "")
    titles = shown().titles
    assert titles.count("Areas of several classes") == 2
    assert "Errors of every class over folds" in titles


def test_ordered_classes(run):
    y = np.arange(60) % 3 + 1
    write_cases(y=y, s=y + np.sin(np.arange(60)))
    arguments = (
        "report",
        "cases.csv",
        "--label",
        "y",
        "--score",
        "s",
        "--ordinal",
        *QUICK,
        "--out",
        "r.html",
    )
    assert run(*arguments).code == 0
    assert shown().titles == ["Ordered classes"]
    write_cases(y=np.array(["low", "mid", "high"])[y - 1], s=y)
    assert run(*arguments, "--force", "--classes", "low=1,mid=2,high=3").code == 0


def test_standard_input_is_read(run, monkeypatch):
    import io
    import sys

    class Piped(io.TextIOWrapper):
        def __init__(self):
            super().__init__(io.BytesIO(Path("scores.csv").read_bytes()))

    monkeypatch.setattr(sys, "stdin", Piped())
    assert run("report", "-", *TABLE, "--score", "a", *QUICK, "--out", "r.html").code == 0
    assert shown().titles[0] == "ROC curve"


def test_without_a_seed_one_is_taken_and_told(run):
    done = run("report", "scores.csv", *TABLE, "--score", "a", "--n-boot", "100", "--out", "r.html")
    seed = re.search(r"--seed (\d+) repeats them", done.err)[1]
    assert f"seed {seed}." in shown().all("p", **{"class": "made"})[0].text
    run(
        "report",
        "scores.csv",
        *TABLE,
        "--score",
        "a",
        "--n-boot",
        "100",
        "--seed",
        seed,
        "--out",
        "again.html",
    )
    assert Path("r.html").read_bytes() == Path("again.html").read_bytes()


def test_what_the_data_do_not_allow_is_left_out_with_a_note(run):
    write_cases(s=[1e308 if k % 7 else "inf" for k in range(60)])
    done = run("report", "cases.csv", "--label", "y", "--score", "s", *QUICK, "--out", "r.html")
    assert done.code == 0
    assert "note: left out: the binormal fit of s: " in done.err
    titles = shown().titles
    assert titles[0] == "ROC curve"
    assert "Binormal fit: s" not in titles


def test_a_bound_that_no_point_meets_leaves_the_point_out(run):
    bounds = ("--select", "tpr>=1", "--select", "fpr<=0", "--fold", "fold")
    write_cases()
    done = run("report", "cases.csv", "--label", "y", "--score", "s", *bounds, *QUICK, "--out", "r.html")
    assert done.code == 0
    assert "note: left out: the point of s: " in done.err
    assert "note: left out: the choice on s: " in done.err
    titles = shown().titles
    assert "Average over folds: s" in titles
    assert "Operating point: s" not in titles


def test_hostile_columns_and_labels(run):
    column = EVIL.replace('"', '""')
    rows = "\n".join(f'"{column}",{k}\n{{{{7*7}}}},{k / 3}' for k in range(1, 9))
    Path("evil.csv").write_text(f'"{column}",score\n{rows}\n')
    done = run(
        "report",
        "evil.csv",
        "--label",
        EVIL,
        "--pos-label",
        EVIL,
        "--score",
        "score",
        *QUICK,
        "--out",
        "r.html",
    )
    assert done.code == 0
    found = shown()
    assert not found.all("img")
    assert any(f"class {EVIL} and one of class {{{{7*7}}}}" in reading for reading in found.readings)


# ---- Saved results ----------------------------------------------------------------------------------------


def test_saved_results_become_a_page(run):
    run("auc", "scores.csv", *TABLE, "--score", "a", "--score", "b", "--out", "areas.json")
    run("compare", "scores.csv", *TABLE, "--score", "a", "--score", "b", "--out", "compared.json")
    Path("average.json").write_text(
        rs.average_roc([0, 1] * 8, range(16), fold=[k // 4 for k in range(16)]).to_json()
    )
    done = run("report", "areas.json", "compared.json", "average.json", "--title", "Saved", "--out", "r.html")
    assert (done.code, done.err) == (0, "")
    found = shown()
    assert found.titles == ["Areas", "Comparison of classifiers", "Averaged roc"]
    assert found.all("h1")[0].text == "Saved"
    saved = json.loads(Path("areas.json").read_text())["results"][0]
    assert f"{saved['low']:.4f} to {saved['high']:.4f}" in [one.text for one in found.all("td")]


# ---- Refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("scores.csv", "--out", "r.html"),
            2,
            "saved results must be .json files, got 'scores.csv'; a table needs",
        ),
        (("x.json", "--out", "r.html"), 3, "there is no file x.json"),
        (("scores.csv", *TABLE, "--out", "r.html"), 2, "a table needs --label and --score"),
        (
            ("scores.csv", "x.csv", *TABLE, "--score", "a", "--out", "r.html"),
            2,
            "a table must be one file, got 2",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--out", "r.pdf"),
            2,
            "--out must end in .html or .htm, got 'r.pdf'",
        ),
        (("scores.csv", *TABLE, "--score", "a"), 2, "Missing option '--out'"),
        (("scores.csv", *TABLE, "--score", "A", "--out", "r.html"), 3, "did you mean 'a'?"),
        (
            ("scores.csv", *TABLE, "--score", "a", "--level", "95", "--out", "r.html"),
            3,
            "level must lie between",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--n-boot", "1", "--out", "r.html"),
            3,
            "n_boot must be a whole",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--select", "tpr>>1", "--out", "r.html"),
            3,
            "a constraint must read",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--ordinal", "--out", "r.html"),
            2,
            "--pos-label belongs to two",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--select", "tpt>=1", "--out", "r.html"),
            3,
            "got 'tpt'; did you mean 'tpr'?",
        ),
        (
            ("scores.csv", "--label", "state", "--classes", "a,b,c", "--score", "a", "--out", "r.html"),
            2,
            "--classes must name the class of each --score, in their order, got 3 classes and 1 scores",
        ),
        (
            (
                "scores.csv",
                "--label",
                "state",
                "--ordinal",
                "--score",
                "a",
                "--score",
                "b",
                "--out",
                "r.html",
            ),
            2,
            "--ordinal needs one --score, got 2",
        ),
        (
            (
                "scores.csv",
                "--label",
                "state",
                "--ordinal",
                "--select",
                "tpr>=1",
                "--score",
                "a",
                "--out",
                "r.html",
            ),
            2,
            "--select must be left out with --ordinal",
        ),
    ],
)
def test_wrong_calls(run, arguments, code, message):
    done = run("report", *arguments)
    assert done.code == code, done.err
    assert message in done.err
    assert not Path("r.html").exists()


def test_files_are_not_overwritten_unasked(run):
    Path("r.html").write_text("kept")
    done = run("report", "scores.csv", *TABLE, "--score", "a", "--out", "r.html")
    assert (done.code, done.err) == (3, "error: r.html exists already; --force overwrites it\n")
    assert Path("r.html").read_text() == "kept"
