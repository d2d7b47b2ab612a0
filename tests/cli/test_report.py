import itertools
import json
import re
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs
from report_pages import EVIL, Parsed, explorers
from rocscope.averaging.search import SEARCHED

pytestmark = pytest.mark.slow

TABLE = ("--label", "state", "--pos-label", "ill")
QUICK = ("--n-boot", "100", "--seed", "1")
CASES = ("cases.csv", "--label", "y", "--score", "s")
SEARCHED_NOTE = f"note: {SEARCHED}\n"


def shown(name="r.html"):
    return Parsed(Path(name).read_text(encoding="utf-8"))


def left_out(found):
    """The lines of the last section."""
    assert found.titles[-1] == "What this report does not show, and why"
    return [one.text for one in found.all("li") if not any(one.text == title for title in found.titles)]


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
        "Summary",
        "Areas",
        "Comparison of markers",
        "All measures at the cut-off",
        "Choice of the cut-offs",
        "Binormal fits",
    ):
        assert title in found.titles
    assert not [title for title in found.titles if "folds" in title]
    assert found.all("p", **{"class": "made"})[0].text == "From scores.csv, random numbers from seed 1."


def test_the_numbers_are_those_of_the_functions(run):
    table = write_cases()
    run(
        "report",
        *CASES,
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
        assert any(f"{estimate.low:.4f}–{estimate.high:.4f}" in cell for cell in cells)


def test_folds_are_averaged(run):
    table = write_cases()
    code = run("report", *CASES, "--fold", "fold", *QUICK, "--out", "r.html").code
    assert code == 0
    found = shown()
    assert "Average over folds: s" in found.titles
    roc = rs.average_roc(table["y"], table["s"], fold=table["fold"], points=100)
    index = roc.select().index
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
    assert (done.code, SEARCHED_NOTE in done.err) == (0, True)
    found = shown()
    assert {"Areas of pairs of classes", "Areas of each class against the rest"} <= set(found.titles)
    assert "Errors of every class over folds" in found.titles
    assert any("at one of 100 class weights" in reading for reading in found.readings)
    assert "All points (100 rows)" in [one.text for one in found.all("summary")]


def test_several_classes_without_folds_are_counted_together_and_explored(run):
    rng = np.random.default_rng(2)
    y = np.arange(60) % 3
    p = rng.random((60, 3)).round(3) + 0.7 * np.eye(3)[y]
    write_cases(y=[f"class {k}" for k in y], a=p[:, 0], b=p[:, 1], c=p[:, 2])
    done = run(
        *("report", "cases.csv", "--label", "y", "--classes", "class 0,class 1,class 2"),
        *("--score", "a", "--score", "b", "--score", "c", "--seed", "1", "--out", "r.html"),
    )
    assert (done.code, done.err) == (0, SEARCHED_NOTE)
    found = shown()
    assert found.titles[:4] == [
        "Summary",
        "Areas of pairs of classes",
        "Areas of each class against the rest",
        "Errors of every class",
    ]
    (confusion,) = found.figures("s1")
    assert confusion["shape"] == "square"
    figures = found.figures("s4")
    assert [figure["shape"] for figure in figures] == ["solid", "wide", "wide", "wide"]
    cloud = next(mark for mark in figures[0]["marks"] if mark["role"] == "point")
    weights = rs.search_weights(y, p, keep=100, rng=1)
    decided = (weights[:, np.newaxis] * p).argmax(axis=2)
    errors = [(decided[:, y == c] != c).mean(axis=1) for c in range(3)]
    n = len(cloud["x"])
    assert n > 100  # the weights of the front come after those of the search
    for axis, error in zip("xyz", errors, strict=True):
        np.testing.assert_allclose(cloud[axis][:100], error, atol=1e-6)
    assert any(f"Every point counts all cases at one of {n} class weights." in one for one in found.readings)
    assert "standard error" not in " ".join(one.text for one in found.all("th") if "error(" in one.text)
    assert found.titles[4] == "Operating point"
    (sent,) = (one for one in found.data.values() if "averaged" in one)
    assert (sent["averaged"], sent["folds"], sent["start"]) == (False, [], sent["index"][sent["start"]])
    assert any("tests between operating points: --fold COLUMN" in line for line in left_out(found))


def test_ordered_classes(run):
    y = np.arange(60) % 3 + 1
    write_cases(y=y, s=y + np.sin(np.arange(60)))
    arguments = (
        "report",
        *CASES,
        "--ordinal",
        *QUICK,
        "--out",
        "r.html",
    )
    assert run(*arguments).code == 0
    assert shown().titles[0] == "Ordered classes"
    assert "Means and standard deviations over folds: --fold COLUMN" in left_out(shown())[0]
    write_cases(y=np.array(["low", "mid", "high"])[y - 1], s=y)
    assert run(*arguments, "--force", "--classes", "low=1,mid=2,high=3").code == 0


def test_scores_of_ordered_classes_are_compared(run):
    y, angle = np.arange(60) % 3 + 1, np.arange(60)
    write_cases(y=y, s=y + np.sin(angle), t=y + 2 * np.cos(angle))
    arguments = ("report", *CASES, "--score", "t", "--ordinal", *QUICK)
    assert run(*arguments, "--out", "r.html").code == 0
    page = shown()
    titles = ["Ordered classes: s", "Ordered classes: t", "Comparison of ordered classes"]
    assert page.titles[:3] == titles
    (reading,) = [text for text in page.readings if "s minus t" in text]
    scores = {"s": y + np.sin(angle), "t": y + 2 * np.cos(angle)}
    expected = rs.compare_ordinal(y, scores, n_boot=100, rng=1)
    total = next(row for row in expected.differences if row.figure == "max_auc weighted")
    assert (
        f"weighted by their cases, {total.difference:+.4f} ({total.low:+.4f} to {total.high:+.4f})" in reading
    )


def test_standard_input_is_read(run, monkeypatch):
    import io
    import sys

    class Piped(io.TextIOWrapper):
        def __init__(self):
            super().__init__(io.BytesIO(Path("scores.csv").read_bytes()))

    monkeypatch.setattr(sys, "stdin", Piped())
    assert run("report", "-", *TABLE, "--score", "a", *QUICK, "--out", "r.html").code == 0
    assert shown().titles[0] == "Summary"


def test_without_a_seed_one_is_taken_and_reported(run):
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
    done = run("report", *CASES, *QUICK, "--out", "r.html")
    assert done.code == 0
    assert "note: left out: the binormal fit of s: " in done.err
    titles = shown().titles
    assert titles[0] == "Summary"
    assert "Binormal fit: s" not in titles


def test_a_bound_that_no_point_meets_leaves_the_point_out(run):
    bounds = ("--select", "tpr>=1", "--select", "fpr<=0", "--fold", "fold")
    write_cases()
    done = run("report", *CASES, *bounds, *QUICK, "--out", "r.html")
    assert done.code == 0
    assert "note: left out: the point of s: " in done.err
    assert "note: left out: the choice of the cut-off of s: " in done.err
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


# ---- Several scores, and what is not shown ----------------------------------------------------------------


def test_three_scores_are_fused_by_pairs(run):
    write_scores("a", "b", "c")
    done = run(*many("a", "b", "c"))
    assert done.code == 0
    fused = [title for title in shown().titles if title.startswith("Fusion of")]
    assert sorted(fused) == ["Fusion of a and b", "Fusion of a and c", "Fusion of b and c"]


def test_of_many_pairs_those_with_the_largest_predicted_gain_are_fused(run):
    names = ("a", "b", "c", "d")
    table = write_scores(*names)
    assert run(*many(*names)).code == 0
    fused = [title for title in shown().titles if title.startswith("Fusion of")]
    gains = {}
    for first, second in itertools.combinations(names, 2):
        found = rs.preview_fusion(table["y"], table[first], table[second])
        best = found.best("correlated").value
        gains[f"Fusion of {first} and {second}"] = best - max(found.first.auc, found.second.auc)
    assert fused == sorted(gains, key=gains.get, reverse=True)[:3]
    assert any(
        "than the 3 with the largest predicted gain, of 6 pairs: rocscope fuse" in line
        for line in left_out(shown())
    )


def write_scores(*names):
    rng = np.random.default_rng(8)
    y = np.arange(60) % 2
    return write_cases(
        **{name: np.round((1 - 0.2 * k) * y + rng.normal(size=60), 2) for k, name in enumerate(names)}
    )


def many(*names):
    scores = [part for name in names for part in ("--score", name)]
    return ("report", "cases.csv", "--label", "y", *scores, *QUICK, "--out", "r.html")


def test_the_page_ends_with_what_it_does_not_show(run):
    write_cases()
    one = ("report", *CASES, *QUICK, "--out", "r.html", "--force")
    run(*one)
    assert left_out(shown()) == [
        "Averages over folds and indistinguishable operating points: --fold COLUMN, the fold of every case.",
        "Comparison and fusion of scores: a second --score COLUMN.",
        "Learning algorithms and bootstrap estimates, for which models are trained: rocscope algorithms and "
        "rocscope bootstrap with --out FILE.json, and that file given to rocscope report after the table.",
    ]
    run(*one, "--fold", "fold", "--select", "tpr>=1", "--select", "fpr<=0")
    lines = left_out(shown())
    assert any(line.startswith("Left out: the point of s: ") for line in lines)
    assert not any("--fold" in line for line in lines)


def test_names_of_scores_are_never_changed(run):
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    scores = {name: np.round(y + rng.normal(size=60), 2) for name in ("s100b", "éa", "wfns")}
    write_cases(fold=np.arange(60) // 15, **scores)
    assert run(*many(*scores), "--fold", "fold").code == 0
    text = " ".join(one.text for one in shown().elements if one.tag not in ("script", "style"))
    for name in scores:
        assert name in text
        assert name.capitalize() not in text


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
    assert found.titles == [
        "Areas",
        "Comparison of markers",
        "Where the curves cross",
        "Average over folds",
        "Operating point",
    ]
    assert found.all("h1")[0].text == "Saved"
    saved = json.loads(Path("areas.json").read_text())["results"][0]
    assert f"{saved['low']:.4f}–{saved['high']:.4f}" in [one.text for one in found.all("td")]


# ---- Refusals ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("scores.csv", "--out", "r.html"),
            2,
            "a table needs --label and --score; saved results need neither",
        ),
        (("x.json", "--out", "r.html"), 3, "there is no file x.json"),
        (("scores.csv", *TABLE, "--out", "r.html"), 2, "a table needs --label and --score"),
        (
            ("scores.csv", "x.csv", *TABLE, "--score", "a", "--out", "r.html"),
            3,
            "x.csv cannot be read: no such file or directory",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--out", "r.pdf"),
            2,
            "--out must end in .html or .htm, got 'r.pdf'",
        ),
        (("scores.csv", *TABLE, "--score", "a"), 2, "--out must be given"),
        (("scores.csv", *TABLE, "--score", "A", "--out", "r.html"), 3, "did you mean 'a'?"),
        (
            ("scores.csv", *TABLE, "--score", "a", "--level", "95", "--out", "r.html"),
            2,
            "level must lie between",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--n-boot", "0", "--out", "r.html"),
            2,
            "must be a whole number of at least 1, got 0",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--select", "tpr>>1", "--out", "r.html"),
            2,
            "--select must read",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--ordinal", "--out", "r.html"),
            2,
            "--pos-label belongs to two",
        ),
        (
            ("scores.csv", *TABLE, "--score", "a", "--select", "tpt>=1", "--out", "r.html"),
            2,
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


def test_files_are_not_overwritten_without_force(run):
    Path("r.html").write_text("kept")
    done = run("report", "scores.csv", *TABLE, "--score", "a", "--out", "r.html")
    assert (done.code, done.err) == (3, "error: r.html exists already; --force overwrites it\n")
    assert Path("r.html").read_text() == "kept"


# ---- One cut-off ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fold", [(), ("--fold", "fold")])
def test_the_selection_rules_the_whole_page(run, fold):
    table = write_cases(n=240)  # more scores than averages have points
    expected = rs.point_measures(table["y"], table["s"], select="tpr>=0.85").threshold
    how = ("--label", "y", "--score", "s", "--select", "tpr>=0.85", *fold, *QUICK, "--out", "r.html")
    assert run("report", "cases.csv", *how).code == 0
    found = shown()
    assert f"At the cut-off ≥ {expected:g} (sensitivity ≥ 0.85" in found.readings[0]
    shown_first = [sent["thresholds"][sent["start"]] for sent in explorers(found)]
    assert shown_first == [expected] * (2 if fold else 1)
    assert [sent["bounds"] for sent in explorers(found)] == ["tpr>=0.85"] * len(shown_first)
    assert f"s at the cut-off ≥ {expected:g}" in [one.text for one in found.all("caption")]  # the 2x2 table
    averages = [text for text in found.readings if "indistinguishable from" in text]
    assert all(f"(threshold {expected:g})" in text for text in averages)
    assert len(averages) == bool(fold)


def test_without_a_selection_there_is_one_cut_off_as_well(run):
    table = write_cases(n=240)
    run("report", *CASES, "--fold", "fold", *QUICK, "--out", "r.html")
    best = rs.point_measures(table["y"], table["s"]).threshold
    assert [sent["thresholds"][sent["start"]] for sent in explorers(shown())] == [best, best]


def three_classes(**more):
    rng = np.random.default_rng(2)
    y = np.arange(60) % 3
    p = rng.random((60, 3)).round(3) + 0.5 * np.eye(3)[y]
    write_cases(y=[f"c{k}" for k in y], a=p[:, 0], b=p[:, 1], c=p[:, 2], **more)
    scores = ("--score", "a", "--score", "b", "--score", "c")
    return ("report", "cases.csv", "--label", "y", "--classes", "c0,c1,c2", *scores, "--seed", "1")


def test_the_selection_rules_class_weights_without_folds(run):
    assert run(*three_classes(), "--select", "error(c0)<=0.1", "--out", "r.html").code == 0
    found = shown()
    (sent,) = explorers(found)
    k = sent["index"][sent["start"]]
    counts = np.array(sent["counts"]).reshape(-1, 3, 3)[sent["start"]]
    assert counts[0, 0] >= 0.9 * counts[0].sum()
    assert k != 0  # the point without a constraint
    assert sent["bounds"] == "error(c0)<=0.1"
    assert f"Chosen by error(c0)<=0.1 is point {k}, where it errs on" in " ".join(found.readings)


def test_class_weights_that_nothing_meets_are_described(run):
    done = run(*three_classes(), "--select", "error(c0)<=-1", "--out", "r.html")
    wording = r"the choice on the classes: none of the \d{3} operating points shown has error\(c0\)<=-1"
    assert done.code == 0
    assert re.search(f"note: left out: {wording}\n", done.err)
    assert any(re.search(f"Left out: {wording}", line) for line in left_out(shown()))


def test_a_selection_of_what_is_unknown_is_refused(run):
    done = run("report", "scores.csv", *TABLE, "--score", "a", "--select", "nonsense>=0.9", "--out", "r.html")
    assert done.code in (2, 3)
    assert not Path("r.html").exists()


# ---- Notes and warnings ------------------------------------------------------------------------------------


def test_warnings_of_results_are_notes_and_on_page_one(run):
    write_cases(s=-np.round(np.arange(60) % 2 + np.sin(np.arange(60)), 2))
    done = run("report", *CASES, *QUICK, "--out", "r.html")
    wording = "the area is below 0.5: the scores rank the negative class higher (see direction lower)"
    assert done.err.count(f"note: s: {wording}\n") == 1
    assert wording.capitalize() in shown().notes


def test_dropped_rows_of_ordered_classes_are_described(run):
    y = np.arange(60) % 3 + 1
    write_cases(y=y, s=["" if k == 5 else v for k, v in enumerate((y + np.sin(np.arange(60))).tolist())])
    done = run(
        *("report", *CASES, "--ordinal", "--na", "drop"),
        *QUICK,
        "--out",
        "r.html",
    )
    assert done.code == 0
    assert "note: 1 row with missing values left out" in done.err


def test_the_head_names_the_files_and_not_where_they_lie(run, tmp_path):
    write_cases(tmp_path / "cases.csv")
    run("report", str(tmp_path / "cases.csv"), "--label", "y", "--score", "s", *QUICK, "--out", "r.html")
    made = shown().all("p", **{"class": "made"})[0].text
    assert made == "From cases.csv, random numbers from seed 1."
    assert str(tmp_path) not in Path("r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("scores", [("a",), ("a", "b")])
def test_the_bar_moves_to_its_end(run, monkeypatch, scores):
    heard = []

    @contextmanager
    def watching(_):
        yield lambda doing, share: heard.append((doing, share))

    monkeypatch.setattr("rocscope.cli.options.watching", watching)
    columns = [part for name in scores for part in ("--score", name)]
    assert run("report", "scores.csv", *TABLE, *columns, *QUICK, "--out", "r.html").code == 0
    begin = next(k for k, (doing, _) in enumerate(heard) if doing == "the band of a")
    shares = [share for _, share in heard[begin:]]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1], heard[-1][0]) == (0.0, 1.0, "the page")
    assert 0.8 < shares[-2] < 1.0


# ---- What fails costs nothing else ------------------------------------------------------------------------


def broken(*_, **__):
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("place", "subject", "others"),
    [
        (
            "analysis.preview_fusion",
            "the fusion of a and b",
            {"Comparison of markers", "Binormal fits"},
        ),
        ("topics.curves.comparison_reading", "Curve comparison", {"Binormal fits"}),
    ],
    ids=["method", "section"],
)
def test_what_fails_costs_no_other(run, monkeypatch, place, subject, others):
    monkeypatch.setattr(f"rocscope.reporting.{place}", broken)
    done = run("report", "scores.csv", *TABLE, "--score", "a", "--score", "b", *QUICK, "--out", "r.html")
    wording = f"{subject}: a fault of rocscope itself, ZeroDivisionError: division by zero"
    assert (done.code, f"note: left out: {wording}\n" in done.err) == (0, True)
    found = shown()
    assert f"Left out: {wording}" in left_out(found)
    assert {"Summary", "Areas", *others} <= set(found.titles)


def test_one_case_in_a_class(run):
    Path("one.csv").write_text("y,s,t\n" + "".join(f"0,{k},{-k}\n" for k in range(7)) + "1,3.5,1\n")
    done = run("report", "one.csv", "--label", "y", "--score", "s", "--score", "t", *QUICK, "--out", "r.html")
    assert (done.code, "fault" in done.err) == (0, False)
    assert {"Summary", "Areas", "All measures at the cut-off"} <= set(shown().titles)
    done = run("points", "one.csv", "--label", "y", "--score", "s", "--band", "--seed", "1", "--out", "x.png")
    assert done.code == 0
    assert Path("x.png").stat().st_size > 1000
