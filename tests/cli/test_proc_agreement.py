"""The commands give pROC's numbers: what test_known_file says of aSAH, on data that need no download."""

import numpy as np
import pytest

from reference_cases import case_data, load_reference

REFERENCE = load_reference("proc")
CASE = next(case for case in REFERENCE["cases"] if case["name"] == "three_correlated")
COLUMNS = ("--label", "y", "--pos-label", "Poor")


@pytest.fixture
def file(tmp_path):
    y, scores = case_data(CASE)
    rows = zip(np.where(y == 1, "Poor", "Good"), *scores.values(), strict=True)
    path = tmp_path / "cases.csv"
    path.write_text("\n".join([",".join(["y", *scores]), *(",".join(map(str, row)) for row in rows)]))
    return path


def close(value):
    return pytest.approx(value, rel=0, abs=REFERENCE["tolerance"])


def test_areas(run, file):
    names = [word for name in CASE["classifiers"] for word in ("--score", name)]
    results = run("auc", file, *COLUMNS, *names, "--method", "delong", "--json").document["results"]
    for result, theirs in zip(results, CASE["classifiers"].values(), strict=True):
        assert (result["value"], result["se"] ** 2) == close((theirs["auc"], theirs["variance"]))
        assert [result["low"], result["high"]] == close(theirs["interval"]["0.95"])


@pytest.mark.parametrize("pair", CASE["pairs"], ids=lambda pair: f"{pair['first']}-{pair['second']}")
def test_difference_of_areas(run, file, pair):
    names = ("--score", pair["first"], "--score", pair["second"])
    (result,) = run("compare", file, *COLUMNS, *names, "--json").document["results"]
    assert (result["statistic"], result["p_value"]) == close(
        (pair["paired"]["statistic"], pair["paired"]["p"]["two-sided"])
    )
    (row,) = result["pairs"]
    assert [row["low"], row["high"]] == close(pair["paired"]["interval"]["0.95"])


@pytest.mark.parametrize(("rule", "theirs"), [("youden", "youden"), ("closest", "closest_topleft")])
def test_best_point(run, file, rule, theirs):
    best = CASE["classifiers"]["a"]["best"][theirs]
    assert best["exact_ties"] == 1
    done = run("points", file, *COLUMNS, "--score", "a", "--rule", rule, "--json")
    measures = done.document["results"][0]["measures"]
    assert [measures["sensitivity"]["value"]] == close(best["sensitivity"])
    assert [measures["specificity"]["value"]] == close(best["specificity"])
