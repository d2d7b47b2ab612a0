"""`rocscope binormal` fits binormal curves."""

import csv
import json
from pathlib import Path

import pytest

from rocscope.binormal.fit import fit_binormal

RATINGS = ("binormal", "ratings.csv", "--label", "ill", "--score", "rating")
NEG, POS = (33, 6, 6, 11, 2), (3, 2, 2, 11, 33)


@pytest.fixture(autouse=True)
def ratings(folder):
    rows = [
        f"{ill},{k + 1},{k + 1}"
        for ill, counts in ((0, NEG), (1, POS))
        for k in range(5)
        for _ in range(counts[k])
    ]
    Path("ratings.csv").write_text("\n".join(["ill,rating,same", *rows]) + "\n")


def fitted(**options):
    y = [ill for ill, counts in ((0, NEG), (1, POS)) for n in counts for _ in range(n)]
    score = [k + 1 for counts in (NEG, POS) for k in range(5) for _ in range(counts[k])]
    return fit_binormal(y, score, **options)


def test_the_table(run):
    done = run(*RATINGS, "--at-fpr", "0.1")
    assert done.code == 0
    (note,) = done.err.splitlines()  # what the atlas knows
    assert note.startswith("note: rating, b: at 50 + 50 cases and a true value near 0.667 the 95% interval")
    header, row, goodness = done.out.splitlines()
    assert header.split("  ")[0] == "score"
    area, tpr = fitted().auc_estimate(), fitted().tpr_estimate(0.1)
    assert row.split() == [
        *("rating", "1.6568", "(0.3121)", "0.7130", "(0.2162)"),
        *("0.9113", f"({area.low:.4f}-{area.high:.4f})", "0.7713", f"({tpr.low:.4f}-{tpr.high:.4f})"),
        *("-123.6486", "5", "51", "58"),
    ]
    assert goodness == "rating: goodness of fit undefined: 2 pooled categories leave no degree of freedom"


def test_json_is_the_result(run):
    document = run(*RATINGS, "--json", "--level", "0.9").document
    (result,) = document["results"]
    fit = fitted()
    estimate = fit.auc_estimate(0.9).to_dict()
    about = {"score": "rating", "pos_label": 1, "neg_label": 0}
    assert result == about | json.loads(fit.to_json()) | {"estimates": [estimate]}


@pytest.mark.parametrize("method", ["least-squares", "moments"])
def test_other_methods(run, method):
    (result,) = run(*RATINGS, "--method", method, "--json").document["results"]
    fit = fitted(method=method)
    assert (result["method"], result["a"], result["b"]) == (method, fit.a, fit.b)


def test_the_proper_curve(run):
    (result,) = run(*RATINGS, "--proper", "--json").document["results"]
    fit = fitted(proper=True)
    assert (result["type"], result["d_a"], result["auc"]) == ("ProperBinormal", fit.d_a, fit.auc)
    assert run(*RATINGS, "--proper").out.startswith("score")


def test_a_hook_is_a_note(run):
    done = run("binormal", "scores.csv", "--label", "state", "--pos-label", "ill", "--score", "b")
    assert done.code == 0
    assert "note: b: the fitted curve lies below chance for FPR from" in done.err


@pytest.mark.parametrize("axes", ["roc", "deviate", "density"])
def test_figures(run, axes):
    done = run(*RATINGS, "--score", "same", "--axes", axes, "--out", "fit.png")
    assert done.code == 0
    assert Path("fit.png").stat().st_size > 10_000


def test_csv_has_all_digits(run):
    run(*RATINGS, "--out", "fit.csv", "--at-fpr", "0.2")
    with Path("fit.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    fit = fitted()
    assert float(row["a"]) == fit.a
    assert float(row["se_b"]) == fit.se_b
    assert float(row["TPR at FPR 0.2 low"]) == fit.tpr_estimate(0.2).low
    assert row["status"] == "ok"


def test_separated_classes_are_undefined(run):
    Path("perfect.csv").write_text("y,s\n0,1\n0,2\n1,3\n1,4\n")
    done = run("binormal", "perfect.csv", "--label", "y", "--score", "s")
    assert done.code == 4
    assert done.err.splitlines()[-1] == (
        "error: s: perfect, all positives have higher scores than all negatives"
    )
    assert "undefined" in done.out


def test_one_score_without_a_fit_leaves_the_others(run):
    Path("mixed.csv").write_text("y,s,u\n0,1,1\n0,2,4\n1,3,2\n1,4,3\n0,2,5\n1,5,6\n1,6,1\n0,2,2\n")
    done = run("binormal", "mixed.csv", "--label", "y", "--score", "s", "--score", "u")
    assert done.code == 0
    assert "note: s: all positives have higher scores than all negatives" in done.err


def test_infinite_scores_are_bad_data(run):
    Path("infinite.csv").write_text("y,s\n0,1\n0,inf\n1,3\n1,4\n")
    done = run("binormal", "infinite.csv", "--label", "y", "--score", "s")
    assert done.code == 3
    assert done.err.splitlines()[-1] == "error: column 's' must be finite for a fit, got infinite values"


def test_a_misspelt_column_is_named(run):
    done = run("binormal", "ratings.csv", "--label", "ill", "--score", "ratin")
    assert done.code == 3
    assert "did you mean 'rating'?" in done.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--proper", "--method", "ml"), "error: --method and --axes must be left out with --proper"),
        (("--at-fpr", "1.5"), "error: --at-fpr must lie between 0 and 1, got 1.5"),
        (("--level", "95"), "error: --level must lie between 0 and 1, got 95.0"),
        (("--out", "fit.doc"), "error: --out must end in .png, .svg, .pdf, .csv, .json, got 'fit.doc'"),
    ],
)
def test_wrong_options(run, options, words):
    done = run(*RATINGS, *options)
    assert done.code in (2, 3)
    assert done.err.splitlines()[-1] == words


def test_rows_without_a_value_are_dropped_for_their_score_alone(run):
    text = Path("ratings.csv").read_text().splitlines()
    text[1] = "0,,1"
    Path("gaps.csv").write_text("\n".join(text) + "\n")
    gaps = ("binormal", "gaps.csv", *RATINGS[2:], "--score", "same", "--na", "drop", "--json")
    first, second = run(*gaps).document["results"]
    assert (first["n_neg"], second["n_neg"]) == (57, 58)
