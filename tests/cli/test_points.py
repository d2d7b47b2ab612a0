"""`rocscope points` chooses an operating point and says what it does."""

import csv
import json
from pathlib import Path

import docx
import numpy as np
import openpyxl
import pytest

import rocscope
from data_folder import data_file
from rocscope.cli.options import read_threshold
from rocscope.errors import RocInputError
from saved_commands import write_cases

ILL = ("--label", "state", "--pos-label", "ill")
B = ("points", "scores.csv", *ILL, "--score", "b")
Y, SCORES = [0] * 4 + [1] * 4, [1, 2, 4, 3, 2, 1, 4, 5]
OWNERS = "belongs to --bootstrap, --pr, --grey-zone and --band (pointwise, at fixed FPR)"
CHOSEN = (
    "note: the point was chosen on these same cases: the measures are optimistic and the intervals do not "
    "know of the choice; see --bootstrap\n"
)


def test_known_file(run):
    path = data_file("aSAH", "aSAH.csv")
    done = run("points", path, "--label", "outcome", "--pos-label", "Poor", "--score", "s100b")
    assert (done.code, done.err) == (0, CHOSEN)
    # As pROC's coords "best" gives it: specificity .8056, sensitivity .6341.
    assert done.out.splitlines() == [
        "Classify as Poor where s100b >= 0.22 (largest TPR - FPR)",
        "26 true and 14 false positives, 58 true and 15 false negatives",
        "  sensitivity 0.6341 (95% interval 0.4812-0.7641, wilson)",
        "  specificity 0.8056 (95% interval 0.6997-0.8805, wilson)",
        "  PPV 0.6500 (95% interval 0.4951-0.7787, wilson)",
        "  NPV 0.7945 (95% interval 0.6883-0.8713, wilson)",
        "  LR+ 3.2613 (95% interval 1.9430-5.4741, mover-wilson)",
        "  LR- 0.4542 (95% interval 0.2906-0.6631, mover-wilson)",
        "  accuracy 0.7434 (95% interval 0.6558-0.8150, wilson)",
        "  balanced accuracy 0.7199 (95% interval 0.6268-0.7949, mover-wilson)",
        "  F1 0.6420 (95% interval 0.5151-0.7516, wilson)",
        "  Youden's index 0.4397 (95% interval 0.2537-0.5897, mover-wilson)",
    ]


# Scores b: well 1 2 4 3, ill 2 1 4 5.
@pytest.mark.parametrize(
    ("options", "first"),
    [
        ([], "Classify as ill where b >= 5 (largest TPR - FPR)"),
        (["--rule", "closest"], "Classify as ill where b >= 4 (closest to the corner FPR 0, TPR 1)"),
        (["--select", "tpr>=0.7"], "Classify as ill where b >= 2 (smallest FPR with tpr>=0.7)"),
        (["--select", "fpr<=0.3"], "Classify as ill where b >= 4 (largest TPR with fpr<=0.3)"),
        (
            ["--select", "tpr>=0.5", "--select", "precision>=0.5"],
            "Classify as ill where b >= 4 (smallest FPR with tpr>=0.5, precision>=0.5)",
        ),
        (["--cost", "5"], "Classify as ill where b >= 1 (least expected cost)"),
        (["--cost", "5,1"], "Classify as ill where b >= 5 (least expected cost)"),
        (
            ["--prevalence", "0.01"],
            "Classify as ill where b >= 5 (least expected cost, at a prevalence of 0.01)",
        ),
        (["--threshold", "2.5"], "Classify as ill where b >= 2.5 (as given)"),
        (["--threshold", "inf"], "Classify nothing as ill (as given)"),
    ],
)
def test_choices(run, options, first):
    done = run(*B, *options)
    assert done.code == 0
    assert (CHOSEN in done.err) == ("--threshold" not in options)
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
    expected = rocscope.point_measures(Y, SCORES, select="tpr>=0.7", prevalence=0.1, cost=(1, 9))
    assert result["type"] == "OperatingPoint"
    assert result["threshold"] == expected.threshold
    assert result["measures"] == {name: e.to_dict() for name, e in expected.estimates.items()}
    assert (result["cost"], result["prevalence"], result["constraints"]) == ([1, 9], 0.1, ["tpr>=0.7"])
    assert (result["pos_label"], result["neg_label"], result["n_pos"], result["n_neg"]) == (
        "ill",
        "well",
        4,
        4,
    )
    assert result["cutpoint"] is None
    assert "seed" not in done.document["input"]


def test_intervals(run):
    done = run(*B, "--threshold", "4", "--interval", "exact", "--level", "0.9")
    found = rocscope.point_measures(Y, SCORES, threshold=4, interval="exact", level=0.9)
    assert f"  {found.sensitivity.summary()}\n" in done.out


def test_undefined_and_infinite_measures(run):
    done = run(*B, "--threshold", "inf", "--json")
    (result,) = done.document["results"]
    assert result["threshold"] == "inf"
    assert result["measures"]["ppv"]["value"] is None
    # What simulations say of the other intervals comes after it.
    assert done.err.startswith(
        "note: PPV: no case tests positive\nnote: LR+: no case tests positive, so the ratio is 0/0\n"
    )
    assert "  PPV undefined: no case tests positive\n" in run(*B, "--threshold", "inf").out
    infinite = run(*B, "--threshold", "5")
    assert "so the ratio is infinite" in infinite.err


def test_minus_infinity(run):
    done = run(*B, "--threshold=-inf", "--json", "--save", "point.json")
    assert done.document["results"][0]["confusion"] == {"tp": 4, "fn": 0, "fp": 4, "tn": 0}
    point = rocscope.Threshold.from_json(Path("point.json").read_text())
    assert point.decide([-1e300]).tolist() == ["ill"]


def test_benefit_and_cost_where_they_are_defined(run):
    Path("p.csv").write_text("y,s\n0,0.1\n0,0.6\n1,0.4\n1,0.9\n")
    done = run("points", "p.csv", "--label", "y", "--score", "s", "--threshold", "0.5", "--cost", "3")
    found = rocscope.point_measures([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], threshold=0.5, cost=3)
    assert done.code == 0
    lines = [f"  {estimate.summary()}" for estimate in (found.net_benefit, found.expected_cost)]
    assert done.out.splitlines()[-2:] == lines
    assert "net benefit" not in run(*B, "--threshold", "2").out


@pytest.mark.parametrize("point", [{"threshold": 4}, {"select": "tpr>=0.7"}])
def test_net_benefit_of_scores_that_are_no_probabilities(run, point):
    ((name, value),) = point.items()
    options = (*B, f"--{name}", str(value), "--threshold-probability", "0.2", "--prevalence", "0.3")
    found = rocscope.point_measures(Y, SCORES, **point, threshold_probability=0.2, prevalence=0.3)
    assert f"  {found.net_benefit.summary()}\n" in run(*options).out + "\n"
    (result,) = run(*options, "--json").document["results"]
    assert result["threshold_probability"] == 0.2
    assert result["measures"]["net_benefit"] == found.net_benefit.to_dict()


# How sure the threshold is


def test_bootstrap(run):
    done = run(*B, "--bootstrap", "--n-boot", "200", "--seed", "1")
    found = rocscope.cutpoint(Y, SCORES, n_boot=200, rng=1)
    assert (done.code, CHOSEN in done.err) == (0, False)
    assert done.out.endswith(f"\nOn 200 bootstrap samples:\n{found.summary()}\n")
    document = run(*B, "--bootstrap", "--n-boot", "200", "--seed", "1", "--json").document
    assert document["results"][0]["cutpoint"] == found.to_dict()
    assert document["input"]["seed"] == 1


def test_the_interval_of_a_bound_needs_no_draws(run, tmp_path):
    kept = (*B, "--select", "tpr>=0.7", "--bootstrap", "--n-boot", "200", "--seed", "1")
    found = rocscope.cutpoint(Y, SCORES, "tpr>=0.7", n_boot=200, rng=1)
    assert (found.low, found.method) == (-np.inf, "order-statistics")
    done = run(*kept)
    head = "The cut-off, and its measures on 200 bootstrap samples:"
    assert done.out.endswith(f"\n{head}\n{found.summary()}\n")
    assert "note: the interval of the cut-off has no lower end: 4 positives do not bound it" in done.err
    cut = run(*kept, "--json").document["results"][0]["cutpoint"]
    assert (cut["low"], cut["method"]) == ("-inf", "order-statistics")
    run(*kept, "--out", tmp_path / "cut.csv")
    with (tmp_path / "cut.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["threshold_low"], float(row["threshold_high"])) == ("-inf", found.high)


def test_a_seed_repeats_what_chance_gave(run):
    options = (*B, "--bootstrap", "--n-boot", "100", "--cost", "2")
    first = run(*options)
    (note,) = [line for line in first.err.splitlines() if "--seed" in line]
    seed = note.split()[-3]
    assert run(*options, "--seed", seed).out == first.out


def test_bootstrap_without_an_interval(run):
    Path("n.csv").write_text("y,s\n0,1\n0,2\n1,3\n")
    done = run(
        "points", "n.csv", "--label", "y", "--score", "s", "--bootstrap", "--n-boot", "100", "--seed", "1"
    )
    assert "Threshold 3 (no interval: the bootstrap needs two cases in each class, one has 1)" in done.out
    assert "not judged" in done.out


# Curves beside the point

TRUTH, CHANCES = [0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.2, 0.4, 0.9, 0.8]
P = ("points", "p.csv", "--label", "y", "--score", "s")
SEEDED = {"n_boot": 200, "rng": 1}
BAND_KINDS = {
    (): SEEDED,
    ("--simultaneous",): {"simultaneous": True},
    ("--band-at", "threshold"): {"at": "threshold"},
    ("--band-at", "threshold", "--simultaneous"): {"at": "threshold", "simultaneous": True},
}
CURVES = [
    (("--band", *options), rocscope.roc_band, arguments) for options, arguments in BAND_KINDS.items()
] + [
    (("--pr", "--prevalence", "0.2"), rocscope.precision_recall, SEEDED | {"prevalence": 0.2}),
    (("--net-benefit",), rocscope.net_benefit, {}),
    (("--smooth",), rocscope.smooth_roc, {}),
]


@pytest.fixture
def chances():
    rows = [f"{label},{score}\n" for label, score in zip(TRUTH, CHANCES, strict=True)]
    Path("p.csv").write_text("y,s\n" + "".join(rows))


@pytest.mark.usefixtures("chances")
@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--band", "--seed", "1"], "95% pointwise"),
        (["--band", "--simultaneous"], "95% simultaneous"),
        pytest.param(["--band", "--band-at", "threshold"], "95% pointwise", marks=pytest.mark.slow),
        pytest.param(["--pr", "--seed", "1"], "AP = ", marks=pytest.mark.slow),
        pytest.param(["--net-benefit"], "Treat all", marks=pytest.mark.slow),
        pytest.param(["--smooth"], "AUC = ", marks=pytest.mark.slow),
    ],
)
def test_other_figures(run, options, shown):
    assert run(*P, *options, "--out", "a.svg").code == 0
    assert shown in Path("a.svg").read_text()
    assert run(*P, *options, "--out", "b.svg").code == 0
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()


@pytest.mark.usefixtures("chances")
@pytest.mark.parametrize(("options", "function", "arguments"), CURVES)
def test_numbers_of_other_curves(run, options, function, arguments):
    found = function(TRUTH, CHANCES, level=0.9, **arguments)
    draws = ("--seed", "1", "--n-boot", "200") if "rng" in arguments else ()
    summary = run(*P, *options, *draws, "--level", "0.9", "--json")
    assert summary.code == 0
    point, curve = summary.document["results"]
    assert point["type"] == "OperatingPoint"
    assert curve == found.to_dict()
    assert run(*P, *options, *draws, "--level", "0.9", "--out", "c.json").code == 0
    assert json.loads(Path("c.json").read_text()) == summary.document
    assert run(*P, *options, *draws, "--level", "0.9", "--out", "c.csv").code == 0
    rows = [*csv.DictReader(Path("c.csv").read_text().splitlines())]
    for name, values in found.columns().items():
        expected = [str(value) for value in np.asarray(values).tolist()]
        assert [row[name] or "nan" for row in rows] == expected


def test_infinite_thresholds_are_written(run):
    Path("n.csv").write_text("y,s\n0,-inf\n0,1\n1,2\n1,inf\n")
    N = ("points", "n.csv", "--label", "y", "--score", "s")
    for curve, place in ((["--band", "--band-at", "threshold"], "x"), (["--pr"], "threshold")):
        assert run(*N, *curve, "--out", "c.csv", "--force").code == 0
        rows = [*csv.DictReader(Path("c.csv").read_text().splitlines())]
        assert [row[place] for row in rows] == ["inf", "2.0", "1.0", "-inf"]


def test_rates_that_few_cases_reach_are_reported(run):
    Path("n.csv").write_text("y,s\n0,1\n0,2\n1,3\n")
    done = run("points", "n.csv", "--label", "y", "--score", "s", "--band", "--out", "c.csv")
    assert "note: 49 places have an FPR below 1/2, which 2 negatives do not resolve" in done.err


def test_net_benefit_needs_probabilities(run):
    done = run(*B, "--net-benefit", "--out", "a.svg")
    message = "error: column 'b' must hold probabilities from 0 to 1, got scores from 1 to 5\n"
    assert (done.code, done.out, done.err) == (3, "", message)


def test_integers_beyond_float64(run):
    Path("n.csv").write_text(f"y,s\n0,{2**53}\n1,{2**53 + 1}\n0,3\n1,{2**53 + 2}\n")
    done = run("points", "n.csv", "--label", "y", "--score", "s", "--save", "point.json")
    assert done.out.splitlines()[0] == f"Classify as 1 where s >= {2**53 + 1} (largest TPR - FPR)"
    assert json.loads(Path("point.json").read_text())["value"] == 2**53 + 1
    done = run("points", "n.csv", "--label", "y", "--score", "s", "--threshold", str(2**53 + 1), "--json")
    assert done.document["results"][0]["confusion"] == {"tp": 2, "fn": 0, "fp": 0, "tn": 2}


def test_csv_and_figure(run):
    assert run(*B, "--out", "point.csv").code == 0
    (row,) = csv.DictReader(Path("point.csv").read_text().splitlines())
    assert (row["score"], row["threshold"], row["tp"], row["lr_pos"]) == ("b", "5.0", "1", "inf")
    found = rocscope.point_measures(Y, SCORES).sensitivity
    names = ("sensitivity", "sensitivity_se", "sensitivity_low", "sensitivity_high")
    assert [float(row[name]) for name in names] == [found.value, found.se, found.low, found.high]
    assert (row["threshold_low"], row["threshold_high"]) == ("", "")
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
    assert run(*B, "--save", "point.json", "--force").err.startswith("wrote point.json\n")


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--score", "a"], 2, "Parameter --score specified multiple times. Try 'rocscope points --help'."),
        (["--cost", "a"], 2, "--cost must be one number (FN) or two (FP,FN), got 'a'"),
        (["--cost", "1,2,3"], 2, "--cost must be one number (FN) or two (FP,FN), got '1,2,3'"),
        (["--threshold", "x"], 2, "--threshold must be a number, got 'x'"),
        (["--threshold", "nan"], 2, "--threshold must be a number, got 'nan'"),
        (
            ["--threshold", "1", "--rule", "youden"],
            2,
            "--rule must be left out with --threshold",
        ),
        (
            ["--threshold", "1", "--bootstrap"],
            2,
            "--bootstrap must be left out with --threshold",
        ),
        (["--n-boot", "200"], 2, f"--n-boot {OWNERS}"),
        (["--seed", "1"], 2, f"--seed {OWNERS}"),
        (["--seed", "1", "--net-benefit", "--json"], 2, f"--seed {OWNERS}"),
        (["--seed", "1", "--band", "--simultaneous", "--json"], 2, f"--seed {OWNERS}"),
        (["--n-boot", "200", "--band", "--band-at", "threshold", "--json"], 2, f"--n-boot {OWNERS}"),
        (["--pr", "--out", "t.txt"], 2, "--out must end in .png, .svg, .pdf, .csv, .json, got 't.txt'"),
        (
            ["--pr", "--net-benefit", "--out", "t.svg"],
            2,
            "--band, --pr, --smooth, --net-benefit, --grey-zone and --all must not come together: --out "
            "writes one curve",
        ),
        (["--simultaneous"], 2, "--simultaneous belongs to --band"),
        (["--pr", "--json", "--band-at", "fpr"], 2, "--band-at belongs to --band"),
        (
            ["--threshold-probability", "1"],
            2,
            "--threshold-probability must be below 1, where a false positive weighs infinitely, got 1",
        ),
        (["--bootstrap", "--n-boot", "0"], 2, "--n-boot must be a whole number of at least 1, got 0"),
        (["--prevalence", "2"], 2, "--prevalence must lie between 0 and 1, got 2.0"),
        (["--select", "tpr=1"], 2, "--select must read like 'tpr>=0.9', got 'tpr=1'"),
    ],
)
def test_wrong_usage(run, options, code, message):
    done = run(*B, *options)
    assert (done.code, done.out, done.err) == (code, "", f"error: {message}\n")


def test_numbers_are_read_exactly():
    assert read_threshold(str(2**60 + 1)) == 2**60 + 1
    with pytest.raises(RocInputError):
        read_threshold("1_0")


def test_the_text_prints_the_figures_that_decide_the_same(run):
    Path("long.csv").write_text("y,s\n0,0.1\n1,0.1636267190106496\n0,0.05\n1,0.7\n")
    done = run("points", "long.csv", "--label", "y", "--score", "s")
    assert done.out.splitlines()[0].startswith("Classify as 1 where s >= 0.163626 (")
    assert (
        run("points", "long.csv", "--label", "y", "--score", "s", "--json").document["results"][0][
            "threshold"
        ]
        == 0.1636267190106496
    )


# ---- The criterion table ----------------------------------------------------------------------------------


def test_all_cut_offs_are_written_for_excel_word_and_machines(run):
    write_cases(Path("cases.csv"))
    with open("cases.csv", encoding="utf-8") as file:
        cases = list(csv.DictReader(file))
    y, score = [int(row["y"]) for row in cases], [float(row["s"]) for row in cases]
    coords = rocscope.roc_curve(y, score).coords(
        measures=("sensitivity", "specificity", "lr_pos", "lr_neg", "ppv", "npv"), prevalence=0.1
    )
    how = ("points", "cases.csv", "--label", "y", "--score", "s", "--all", "--prevalence", "0.1")
    done = run(*how, "--out", "t.xlsx")
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 100
    sheet = openpyxl.load_workbook("t.xlsx").active
    header, *lines = sheet.iter_rows(values_only=True)
    assert header[0] == "Criterion"
    assert lines[1][0] == f"≥ {max(score):g}"
    at = header.index("Sensitivity")  # value and ends are numbers in columns of their own
    assert header[at + 1 : at + 3] == ("Sensitivity, 95% CI low", "Sensitivity, 95% CI high")
    written = np.array([line[at : at + 3] for line in lines[: len(coords)]], float)
    np.testing.assert_allclose(written.T, [one[0] for one in (coords.values, coords.low, coords.high)])
    assert lines[1][header.index("LR+")] == "∞"
    assert run(*how, "--out", "t.docx").code == 0
    (first, *_) = docx.Document("t.docx").tables
    assert len(first.rows) == len(coords.thresholds) + 1
    assert first.cell(1, 0).text == f"> {max(score):g}"
    assert " (" in first.cell(2, 5).text  # value and interval
    assert run(*how, "--out", "t.csv").code == 0
    with open("t.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [*rows[1]][:2] == ["criterion", "threshold"]
    assert rows[1]["criterion"] == f">= {max(score):g}"
    assert rows[1]["lr_pos"] == "inf"
    for name in ("sensitivity", "ppv", "lr_neg_high", "lr_pos"):
        written = [float(row[name]) if row[name] else np.nan for row in rows]
        np.testing.assert_array_equal(written, coords.columns()[name])


def test_only_the_criterion_table_is_for_excel(run):
    write_cases(Path("cases.csv"))
    done = run("points", "cases.csv", "--label", "y", "--score", "s", "--out", "t.xlsx")
    assert done.code == 2
    assert "--out must end in" in done.err
