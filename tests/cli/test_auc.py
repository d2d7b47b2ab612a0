"""`rocscope auc` prints areas with intervals, and writes them in every form."""

import csv
import hashlib
import io
import sys
from pathlib import Path

import numpy as np
import pytest

import rocscope
from data_folder import data_file
from rocscope.core.result import Estimate

ILL = ("--label", "state", "--pos-label", "ill")
A = ("auc", "scores.csv", *ILL, "--score", "a")
# What the atlas knows of so small a study.
SMALL = (
    "note: a: at 10 + 10 cases and an area of 0.95 the 95% interval (delong) held the true area in "
    "83.7 to 91.4 % of simulated studies, by kind of scores; --method auto holds better\n"
)


def test_known_file(run):
    path = data_file("aSAH", "aSAH.csv")
    request = ("--label", "outcome", "--pos-label", "Poor", "--score", "s100b", "--score", "ndka")
    done = run("auc", path, *request, "--method", "delong")
    assert done.code == 0
    assert done.out.splitlines() == [  # as pROC prints them: 0.7314, 95% CI: 0.6301-0.8326 (DeLong)
        "score      AUC (95% interval)  method  positive: Poor  negative: Good",
        "s100b  0.7314 (0.6301-0.8326)  delong              41              72",
        "ndka   0.6120 (0.5012-0.7227)  delong              41              72",
    ]
    default = run("auc", path, *request)  # min(A, 1 - A) 41 is 11.0 and 15.9
    assert (default.code, default.err) == (0, "")
    assert default.out.splitlines()[1:] == [
        "s100b  0.7314 (0.6184-0.8175)   score              41              72",
        "ndka   0.6120 (0.5012-0.7227)  delong              41              72",
    ]


def test_json(run):
    done = run(*A, "--json", "--level", "0.9", "--method", "logit")
    expected = rocscope.auc([0] * 4 + [1] * 4, [1, 2, 3, 5, 4, 6, 7, 8], level=0.9, method="logit")
    assert done.document == {
        "rocscope": rocscope.__version__,
        "command": "auc",
        "input": {
            "path": "scores.csv",
            "sha256": hashlib.sha256(Path("scores.csv").read_bytes()).hexdigest(),
        },
        "results": [
            {"score": "a", "n_pos": 4, "n_neg": 4, "pos_label": "ill", "neg_label": "well"}
            | expected.to_dict()
        ],
        "notes": [],
    }


def test_one_sided(run):
    done = run(*A, "--alternative", "greater")
    assert done.out.splitlines()[0].split("  ")[-4].strip() == "AUC (95% lower bound)"
    low = rocscope.auc([0] * 4 + [1] * 4, [1, 2, 3, 5, 4, 6, 7, 8], alternative="greater").low
    assert f"0.9375 (>= {low:.4f})" in done.out


def test_numbers_as_labels_need_no_pos_label(run):
    Path("n.csv").write_text("y,s\n0,1\n0,2\n1,3\n1,4\n")
    plain = run("auc", "n.csv", "--label", "y", "--score", "s", "--method", "delong")
    named = run("auc", "n.csv", "--label", "y", "--score", "s", "--pos-label", "1", "--method", "delong")
    assert (plain.code, named.code) == (0, 0)
    assert plain.out == named.out
    assert plain.err == (
        "note: s: the classes are separated: the interval is the exact bound for an area of 1\n"
    )


def test_no_interval(run):
    Path("n.csv").write_text("y,s\n0,1\n0,2\n1,1\n")
    done = run("auc", "n.csv", "--label", "y", "--score", "s", "--method", "delong")
    assert done.code == 0
    assert "0.2500 (no interval)" in done.out
    assert done.err == (
        "note: s: the area is below 0.5: the scores rank the negative class higher (see direction lower)\n"
        "note: s: the variance needs two cases in each class, the positive class has one\n"
    )


def test_undefined_alone(run, monkeypatch):
    nothing = Estimate(
        name="AUC",
        value=None,
        se=None,
        low=None,
        high=None,
        level=0.95,
        method="delong",
        status="undefined",
        reason="none",
    )
    monkeypatch.setattr(rocscope, "auc", lambda *_, **__: nothing)
    done = run(*A)
    assert done.code == 4
    assert "undefined (no interval)" in done.out
    assert done.err == "note: a: none\nerror: a: none\n"


def test_missing_values_of_one_score_leave_the_other_alone(run):
    Path("n.csv").write_text("y,s,t\n0,1,1\n0,2,\n1,3,3\n1,4,NA\n0,,5\n1,2,1\n")
    refused = run("auc", "n.csv", "--label", "y", "--score", "s", "--score", "t")
    assert refused.code == 3
    assert refused.err == (
        "error: n.csv must have no missing values, got 1 in column 's' (row 5), 2 in column 't' (rows 2, 4); "
        "data rows are counted from 1; --na drop leaves such rows out\n"
    )
    done = run("auc", "n.csv", "--label", "y", "--score", "s", "--score", "t", "--na", "drop", "--json")
    assert [(r["n_pos"], r["n_neg"]) for r in done.document["results"]] == [(3, 2), (2, 2)]
    assert done.document["results"][0]["warnings"] == ["1 row with missing values left out: 1 of class '0'"]
    assert done.err.splitlines()[1:] == [
        "note: t: 2 rows with missing values left out: 1 of class '0', 1 of class '1'",
        "note: t: the area is below 0.5: the scores rank the negative class higher (see direction lower)",
    ]


def test_standard_input(run, monkeypatch):
    class Stdin:
        buffer = io.BytesIO(Path("scores.csv").read_bytes())

    monkeypatch.setattr(sys, "stdin", Stdin)
    done = run("auc", "-", *ILL, "--score", "a", "--json")
    assert done.document["input"] == {
        "path": "standard input",
        "sha256": hashlib.sha256(Path("scores.csv").read_bytes()).hexdigest(),
    }


def test_csv(run):
    assert run(*A, "--out", "areas.csv", "--method", "delong").err == f"wrote areas.csv\n{SMALL}"
    (row,) = csv.DictReader(Path("areas.csv").read_text().splitlines())
    assert (row["score"], row["value"], row["n_pos"], row["status"]) == ("a", "0.9375", "4", "ok")


def test_json_file_is_what_is_printed(run):
    done = run(*A, "--json", "--out", "areas.json")
    assert Path("areas.json").read_text() == done.out


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_figure(run, ending, start):
    assert run(*A, "--score", "b", "--out", f"roc.{ending}").code == 0
    assert Path(f"roc.{ending}").read_bytes().startswith(start)


def test_odd_names_are_shown_literally(run):
    Path("it's [red].csv").write_text('y,"[red]\n=1"\n0,1\n0,3\n1,2\n1,4\n')
    done = run("auc", "it's [red].csv", "--label", "y", "--score", "[red]\n=1", "--out", "t.csv")
    assert done.out.splitlines()[1].startswith("[red]\\n=1  0.7500 (")
    assert run("auc", "it's [red].csv", "--label", "y", "--score", "[red]\n=1", "--out", "t.png").code == 0


# Other intervals and other areas

Y, SCORES = [0] * 4 + [1] * 4, [1, 2, 3, 5, 4, 6, 7, 8]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--method", "hanley-mcneil"], {"method": "hanley-mcneil"}),
        (["--method", "bamber"], {"method": "bamber"}),
        (["--method", "agarwal"], {"method": "agarwal"}),
        (["--method", "cortes-mohri", "--threshold", "4"], {"method": "cortes-mohri", "threshold": 4}),
        (
            ["--method", "bootstrap", "--n-boot", "300", "--seed", "7"],
            {"method": "bootstrap", "n_boot": 300, "rng": 7},
        ),
        (
            ["--method", "bootstrap", "--unstratified", "--seed", "7"],
            {"method": "bootstrap", "stratify": False, "rng": 7},
        ),
        (
            ["--method", "bootstrap", "--bootstrap", "bca", "--seed", "7"],
            {"method": "bootstrap", "bootstrap": "bca", "rng": 7},
        ),
    ],
)
def test_methods(run, options, arguments):
    (result,) = run(*A, *options, "--json").document["results"]
    expected = rocscope.auc(Y, SCORES, **arguments).to_dict()
    assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--fpr", "0,0.5"], {"fpr": (0, 0.5)}),
        (["--tpr", "0.5,1", "--standardize"], {"tpr": (0.5, 1), "standardize": True}),
        (["--fpr", "0,0.5", "--tpr", "0.5,1"], {"fpr": (0, 0.5), "tpr": (0.5, 1)}),
    ],
)
def test_partial_areas(run, options, arguments):
    drawn = (*options, "--method", "bootstrap", "--seed", "3")
    done = run(*A, *drawn, "--n-boot", "200", "--json")
    expected = rocscope.partial_auc(Y, SCORES, method="bootstrap", **arguments, n_boot=200, rng=3).to_dict()
    (result,) = done.document["results"]
    assert {name: result[name] for name in expected} == expected
    assert done.document["input"]["seed"] == 3
    assert expected["name"] in run(*A, *drawn).out.splitlines()[0]
    assert run(*A, *options, "--out", "part.svg").code == 0
    (default,) = run(*A, *options, "--json").document["results"]
    expected = rocscope.partial_auc(Y, SCORES, **arguments).to_dict()
    assert {name: default[name] for name in expected} == expected
    assert default["method"] == ("logit" if len(arguments) > 1 and "fpr" in arguments else "score")


def test_a_seed_repeats_what_chance_gave(run):
    first = run(*A, "--method", "bootstrap", "--n-boot", "100")
    seed = first.err.split()[-3]
    assert first.err.endswith(f"note: random numbers from seed {seed}: --seed {seed} repeats them\n")
    assert "the 95% interval (bootstrap) held the true area in" in first.err
    assert run(*A, "--method", "bootstrap", "--n-boot", "100", "--seed", seed).out == first.out
    assert run(*A, "--seed", "1", "--json").document["input"].keys() == {"path", "sha256"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--threshold", "1"], "--threshold belongs to --method cortes-mohri, got method 'auto'"),
        (["--method", "cortes-mohri"], "--method cortes-mohri needs --threshold"),
        (["--method", "cortes-mohri", "--threshold", "x"], "--threshold must be a number, got 'x'"),
        (["--n-boot", "200"], "--n-boot belongs to --method bootstrap, got method 'auto'"),
        (["--bootstrap", "bca"], "--bootstrap belongs to --method bootstrap, got method 'auto'"),
        (["--unstratified"], "--unstratified belongs to --method bootstrap, got method 'auto'"),
        (
            ["--fpr", "0,0.1", "--method", "bamber"],
            "--method must be one of 'auto', 'score', 'logit', 'delong', 'bootstrap', got 'bamber'",
        ),
        (
            ["--fpr", "0,0.1", "--bootstrap", "bca"],
            "--bootstrap must be left out with --fpr and --tpr: a partial area has a percentile bootstrap "
            "interval",
        ),
        (["--fpr", "0.1"], "--fpr must be two numbers LOW,HIGH, got '0.1'"),
        (["--standardize"], "--standardize belongs to partial areas: give --fpr or --tpr"),
        (["--scheme", "ovr"], "--scheme needs --classes"),
        (["--drop-classes"], "--drop-classes needs --classes"),
    ],
)
def test_options_that_do_not_belong_together(run, options, message):
    done = run(*A, *options)
    assert (done.code, done.out, done.err) == (2, "", f"error: {message}\n")


def test_a_wrong_range_is_wrong_usage(run):
    done = run(*A, "--fpr", "0.5,0.1")
    assert (done.code, done.err) == (2, "error: --fpr must be a pair with low < high, got (0.5, 0.1)\n")


def write_lesions():
    """Two lesions of each of 30 patients, of unequal weight."""
    rng = np.random.default_rng(1)
    patient = np.repeat(np.arange(30), 2)
    y = rng.integers(0, 2, 60)
    score = (y + rng.normal(size=60) + rng.normal(size=30)[patient]).round(3)
    weight = rng.uniform(0.5, 2, 60).round(2)
    rows = zip(patient, y, score, weight, patient % 2, strict=True)
    lines = [f"p{p:02},{a},{s},{w},{'AB'[g]}" for p, a, s, w, g in rows]
    Path("lesions.csv").write_text("\n".join(["patient,malignant,s,w,site", *lines]) + "\n", encoding="utf-8")
    return y, score, patient, weight


LESIONS = ("lesions.csv", "--label", "malignant", "--score", "s")


def test_clusters_and_weights(run):
    y, score, patient, weight = write_lesions()
    for options, how in (
        (("--groups", "patient"), {"groups": patient}),
        (("--weight", "w"), {"sample_weight": weight}),
        (
            ("--weight", "w", "--groups", "patient", "--method", "logit"),
            {"sample_weight": weight, "groups": patient, "method": "logit"},
        ),
        (
            ("--groups", "patient", "--method", "bootstrap", "--seed", "1"),
            {"groups": patient, "method": "bootstrap", "rng": 1},
        ),
        (("--groups", "patient", "--fpr", "0,0.2", "--method", "delong"), None),
    ):
        done = run("auc", *LESIONS, *options, "--json")
        assert done.code == 0
        (found,) = done.document["results"]
        if how is None:
            expected = rocscope.partial_auc(y, score, fpr=(0, 0.2), groups=patient, method="delong")
        else:
            expected = rocscope.auc(y, score, **how)
        for name in ("value", "se", "low", "high"):
            assert found[name] == pytest.approx(expected[name], rel=1e-13)
    assert run("auc", *LESIONS, "--groups", "patient").err == "note: 60 cases in 30 clusters (patient)\n"


def test_points_and_reports_of_clusters(run):
    y, score, patient, _ = write_lesions()
    done = run("points", *LESIONS, "--groups", "patient", "--threshold", "0", "--json")
    expected = rocscope.point_measures(y, score, threshold=0, groups=patient)
    assert done.document["results"][0]["measures"]["sensitivity"] == expected.sensitivity.to_dict()
    assert done.err == "note: 60 cases in 30 clusters (patient)\n"
    for option in ("--bootstrap", "--smooth"):
        refused = run("points", *LESIONS, "--groups", "patient", option)
        why = "must be left out with --groups, since it takes all cases as independent"
        assert (refused.code, refused.err) == (2, f"error: {option} {why}\n")
    for option in (("--pr",), ("--grey-zone", "0.9,0.9")):
        refused = run("points", *LESIONS, "--weight", "w", *option)
        why = "must be left out with survey weights: it draws cases"
        assert (refused.code, refused.err) == (2, f"error: {option[0]} {why}\n")
    request = ("--groups", "patient", "--n-boot", "100", "--seed", "1", "--out", "page.html")
    page = run("report", *LESIONS, *request)
    assert page.code == 0
    assert (
        "left out: areas by score, hanley-mcneil, bamber, agarwal, binormal fits, how certain the choice"
        in page.err
    )
    assert "and these lie in clusters" in page.err
    assert "and these lie in clusters" in Path("page.html").read_text(encoding="utf-8")


def test_groups_that_are_compared_may_hold_clusters(run):
    y, score, patient, weight = write_lesions()
    site = np.array(["A", "B"])[patient % 2]
    designs = (
        (("--groups", "patient"), {"groups": patient}),
        (("--groups", "patient", "--weight", "w"), {"groups": patient, "sample_weight": weight}),
    )
    for options, how in designs:
        expected = rocscope.auc_by(y, score, by={"site": site}, threshold=0, **how).to_dict()
        for command in ("auc", "points"):
            done = run(command, *LESIONS, "--by", "site", "--threshold", "0", *options, "--json")
            found = done.document["results"][-1]
            assert found["groups"] == expected["groups"]
            assert "note: 60 cases in 30 clusters (patient)\n" in done.err
    done = run("compare", *LESIONS, "--score", "w", "--by", "site", "--groups", "patient", "--json")
    for (name,), found in zip("AB", done.document["results"], strict=True):
        rows = site == name
        scores = {"s": score[rows], "w": weight[rows]}
        p_value = rocscope.compare_auc(y[rows], scores, groups=patient[rows]).p_value
        assert found["p_value"] == pytest.approx(p_value, rel=1e-12)


def test_rows_that_stand_for_several_cases_keep_their_group(run):
    y, score, patient, _ = write_lesions()
    lines = Path("lesions.csv").read_text(encoding="utf-8").splitlines()
    lines = [lines[0] + ",n", *(f"{line},{k % 3}" for k, line in enumerate(lines[1:]))]
    Path("lesions.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    options = ("--by", "site", "--weight", "n", "--weight-kind", "frequency", "--json")
    (found,) = run("auc", *LESIONS, *options).document["results"]
    times = np.arange(60) % 3
    expected = rocscope.auc_by(np.repeat(y, times), np.repeat(score, times), by=np.repeat(patient % 2, times))
    for of_group, row in zip(found["groups"], expected.groups, strict=True):
        assert (of_group["n"], of_group["auc"], of_group["se_auc"]) == (row.n, row.auc, row.se_auc)


def test_folds_of_clusters(run):
    y, score, patient, _ = write_lesions()
    lines = Path("lesions.csv").read_text(encoding="utf-8").splitlines()
    lines = [lines[0] + ",fold", *(f"{line},{k // 20}" for k, line in enumerate(lines[1:]))]
    Path("lesions.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (found,) = run("auc", *LESIONS, "--fold", "fold", "--groups", "patient", "--json").document["results"]
    expected = rocscope.cross_auc(y, score, fold=np.arange(60) // 20, groups=patient)
    assert (found["value"], found["se"]) == (expected.value, expected.se)
    refused = run("auc", *LESIONS, "--fold", "fold", "--weight", "w")
    assert (refused.code, refused.err) == (2, "error: --weight must be left out with --fold\n")


def test_comparison_between_sites_of_clusters(run):
    y, score, patient, _ = write_lesions()
    done = run("compare", *LESIONS, "--sample", "site", "--groups", "patient", "--json")
    samples = {
        name: rocscope.BinaryScores.from_arrays(y[rows], score[rows], groups=patient[rows])
        for name, rows in (("A", patient % 2 == 0), ("B", patient % 2 == 1))
    }
    expected = rocscope.compare_auc(samples, paired=False)
    assert done.document["results"][0]["p_value"] == pytest.approx(expected.p_value, rel=1e-12)
    older = run("compare", *LESIONS, "--group", "site", "--groups", "patient", "--json")
    assert older.document["results"] == done.document["results"]
    assert "note: --group is now called --sample, so that it is not taken for --groups" in older.err
    both = run("compare", *LESIONS, "--group", "site", "--sample", "site")
    assert (both.code, both.err) == (2, "error: --sample must be left out with --group, its older name\n")


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (("--groups", "s"), "--groups must be another column than label and score, got 's' for both", 2),
        (("--weight-kind", "survey"), "--weight-kind belongs to --weight", 2),
        (
            ("--weight", "w", "--weight-kind", "frequency"),
            "column 'w' must have whole numbers of cases, got fractions in rows 0, 1, 2, 3, 4 and 55 more",
            3,
        ),
        (
            ("--groups", "patient", "--method", "bamber"),
            "--method must be one of 'delong', 'logit', 'bootstrap' for clusters, got 'bamber'",
            2,
        ),
        (("--groups", "patiant"), "did you mean 'patient' or 'malignant'?", 3),
    ],
)
def test_bad_designs(run, options, message, code):
    write_lesions()
    done = run("auc", *LESIONS, *options)
    assert done.code == code
    assert message in done.err
