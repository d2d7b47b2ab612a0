"""What the table says of a result: the nearest cells, in words, and when a note is due."""

from dataclasses import replace
from pathlib import Path

import pytest

import rocscope as rs
from rocscope.atlas import results
from rocscope.atlas.cells import families
from rocscope.atlas.results import Atlas, AtlasCell, Validity, side_of, validity, validity_notes
from rocscope.errors import RocInputError

CELL = AtlasCell(
    family="auc",
    quantity="AUC",
    method="delong",
    law="normal",
    area=0.9,
    categories=False,
    n_pos=20,
    n_neg=20,
    others="",
    fingerprint="00000000",
    truth=0.9,
    simulations=1000,
    hits=950,
    below=0,
    above=50,
    undefined=0,
    width=0.2,
)


@pytest.fixture
def table(monkeypatch):
    """A table of our own instead of the package's."""

    def use(*cells):
        monkeypatch.setattr(results, "load", lambda family=None: Atlas(cells=cells).select(family=family))

    return use


def look_up(n_pos=20, n_neg=20, **how):
    return validity("auc", n_pos, n_neg, **{"method": "delong", "quantity": "AUC", "area": 0.9} | how)


def test_bounds_are_judged_by_wilson_intervals_of_95_percent():
    sides = [side_of(replace(CELL, hits=hits), "interval") for hits in (880, 915, 950, 987, 999)]
    assert sides == [-1, 0, 0, 0, 1]
    assert [side_of(replace(CELL, hits=hits), "test") for hits in (5, 65, 79, 95)] == [0, 0, 0, 1]


def test_all_kinds_of_scores_of_the_nearest_cell_count(table):
    table(
        CELL,
        replace(CELL, law="heavy", hits=880),
        replace(CELL, n_pos=50, n_neg=50, hits=100),
        replace(CELL, area=0.7, hits=100),
        replace(CELL, method="logit", hits=100),
    )
    found = look_up(18, 25, area=0.88)
    assert (found.n_pos, found.n_neg, found.area) == (20, 20, 0.9)
    assert (found.lowest, found.highest, found.cells) == (0.88, 0.95, 2)
    assert (found.too_low, found.too_high, found.is_low, found.is_outside) == (1, 0, True, True)
    assert str(found) == (
        "at 20 + 20 cases and an area of 0.9 the 95% interval (delong) held the true area in 88.0 to 95.0 % "
        "of simulated studies, by kind of scores"
    )
    assert look_up(area=0.12).area == 0.9  # an area below 0.5 is as far from chance on the other side
    assert look_up(area=1.0).area == 0.9


def test_what_is_far_away_is_unknown_and_larger_studies_are_like_the_largest(table):
    table(CELL, replace(CELL, n_pos=200, n_neg=200))
    assert look_up(7, 7).reason == "no simulated study has about 7 + 7 cases"
    assert look_up(5000, 9000).n_pos == 200
    assert look_up(method="bamber").reason == "this method was not simulated"
    assert str(look_up(7, 7)) == "validity of delong undefined: no simulated study has about 7 + 7 cases"
    assert not look_up(7, 7).is_outside


def test_a_value_stands_for_the_area(table):
    table(
        replace(CELL, truth=0.30, hits=880),
        replace(CELL, truth=0.32, law="heavy"),
        replace(CELL, truth=0.60, hits=100),
        replace(CELL, truth=8.0, hits=999),
    )
    found = look_up(area=None, value=0.31)
    assert (found.cells, found.area) == (2, None)
    assert found.value in (0.30, 0.32)
    assert "a true value near 0.3" in found.summary()
    high = look_up(area=None, value=7.0)
    assert (high.value, high.too_high, high.is_low) == (8.0, 1, False)
    assert look_up(area=None, value=0.0).cells == 2
    for wrong in ({"value": 0.3}, {"area": None}):
        with pytest.raises(RocInputError, match="must be given, or value, and not both"):
            look_up(**wrong)


def test_a_test_is_judged_by_its_true_nulls(table):
    size = replace(CELL, truth=1.0, hits=110, width=None)
    table(size, replace(size, truth=0.0, hits=900), replace(size, law="heavy", hits=50))
    found = look_up(kind="test")
    assert (found.lowest, found.highest, found.too_high) == (0.05, 0.11, 1)
    assert str(found) == (
        "at 20 + 20 cases and areas of 0.9 the test (delong) rejected a true null hypothesis at 5 % in 5.0 "
        "to 11.0 % of simulated studies, by kind of scores"
    )
    assert validity_notes({"comparison": found}) == [f"comparison: {found.summary()}"]
    table(replace(size, hits=5))
    assert not look_up(kind="test").is_outside  # a test that is careful breaks no promise


def test_notes_name_low_ones_one_by_one_and_wide_ones_together():
    low = Validity(method="m", n_pos=20, n_neg=20, area=0.9, lowest=0.8, highest=0.9, cells=2, too_low=1)
    wide = replace(low, lowest=0.99, highest=1.0, too_low=0, too_high=2)
    fine = replace(low, too_low=0)
    assert validity_notes({"a": fine}) == []
    notes = validity_notes({"a": low, "b": wide, "c": fine, "d": wide}, "; remedy")
    assert notes == [
        f"a: {low.summary()}; remedy",
        "b, d: wider than need be; at 20 + 20 cases such intervals held the true value in more than 98 % of "
        "simulated studies",
    ]


def test_the_result_of_auc_looks_itself_up(table):
    y, s = [0] * 20 + [1] * 20, [*range(20), *range(10, 30)]
    table(CELL)
    assert rs.auc(y, s, method="delong").validity() == look_up()
    for options, reason in (
        ({"level": 0.9}, "only two-sided intervals of level 0.95 were simulated"),
        ({"alternative": "greater"}, "only two-sided intervals of level 0.95 were simulated"),
        (
            {"groups": [k // 2 for k in range(40)]},
            "of weights and clusters some kinds alone were simulated: 'auc weights', 'auc clusters'",
        ),
    ):
        assert rs.auc(y, s, method="delong", **options).validity().reason == reason


# ---- The commands print it --------------------------------------------------------------------------------


@pytest.fixture
def scores(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{k >= 20:d},{(k * 7 % 20) + 10 * (k >= 20)},{(k * 3 % 20) + 12 * (k >= 20)},{k % 4}"
        for k in range(40)
    ]
    (tmp_path / "s.csv").write_text("\n".join(["y,s,t,fold", *lines]))
    return ["s.csv", "--label", "y", "--score", "s"]


def run(capsys, *words):
    from rocscope.cli import main

    assert main([*words]) == 0
    return " ".join(capsys.readouterr().err.split())


def test_partial_areas_and_folds(table, scores, capsys):
    part = replace(CELL, family="partial_auc", quantity="FPR 0-0.2", method="delong", truth=0.1, hits=880)
    folds = replace(
        CELL, family="cross_auc", quantity="mean area of the trained models", method="mean", hits=880
    )
    table(part, folds)
    said = run(capsys, "auc", *scores, "--fpr", "0,0.2", "--method", "delong")
    expected = (
        "s, FPR 0-0.2: at 20 + 20 cases and a true value near 0.1 the 95% interval (delong) held it in 88.0 %"
    )
    assert expected in said
    assert "simulated" not in run(capsys, "auc", *scores, "--fpr", "0,0.3", "--method", "delong")
    assert "simulated" not in run(
        capsys, "auc", *scores, "--fpr", "0,0.2", "--method", "delong", "--level", "0.9"
    )
    said = run(capsys, "auc", *scores, "--fold", "fold")
    assert "the 95% interval (mean) held the true area in 88.0 %" in said


def test_points_and_bands(table, scores, capsys):
    ratio = replace(CELL, family="point_measures", quantity="LR+", method="wilson", truth=2.0, hits=880)
    wide = replace(ratio, quantity="sensitivity", truth=0.7, hits=999)
    rate = replace(CELL, family="roc_band", quantity="TPR at FPR 0.1", method="fiducial", truth=0.4, hits=880)
    whole = replace(
        CELL, family="roc_band simultaneous", quantity="whole curve", method="calibrated", hits=1000
    )
    table(ratio, wide, rate, whole)
    said = run(capsys, "points", *scores, "--threshold", "15")
    assert "LR+: at 20 + 20 cases and a true value near 2 the 95% interval (wilson) held it in 88.0 %" in said
    assert "sensitivity: wider than need be" in said
    assert "simulated" not in run(capsys, "points", *scores)  # a point that was selected on these cases
    band = ("--band",)
    assert "TPR at FPR 0.1: at 20 + 20 cases" in run(capsys, "points", *scores, *band)
    assert "whole curve: wider than need be" in run(capsys, "points", *scores, "--band", "--simultaneous")


def test_comparisons(table, scores, capsys):
    size = replace(CELL, family="compare_auc paired", quantity="equal areas", truth=1.0, hits=110, width=None)
    table(size)
    said = run(capsys, "compare", *scores, "--score", "t", "--method", "delong")
    assert "equal areas: at 20 + 20 cases and areas of 0.9 the test (delong) rejected a true null" in said
    assert "simulated" not in run(capsys, "compare", *scores, "--score", "t", "--method", "hanley-mcneil")


def test_tests_of_rates_and_of_whole_curves(table, scores, capsys):
    size = replace(CELL, truth=1.0, hits=110, width=None)
    rate = replace(size, family="compare_auc rates", quantity="TPR at FPR 0.1", method="t", area=0.8)
    curve = replace(size, family="curves paired", quantity="equal curves", method="venkatraman")
    difference = replace(
        CELL, family="compare_auc difference paired", quantity="difference", truth=0.1, hits=880
    )
    table(rate, curve, difference)
    two, few = (*scores, "--score", "t"), ("--n-boot", "50", "--seed", "1")
    noted = "at 20 + 20 cases and areas of 0.8 the test (t) rejected a true null hypothesis at 5 % in 11.0 %"
    assert noted in run(capsys, "compare", *two, "--method", "sensitivity", "--at", "0.1", *few)
    assert "simulated" not in run(capsys, "compare", *two, "--method", "sensitivity", "--at", "0.2", *few)
    assert "equal curves: at 20 + 20 cases" in run(capsys, "compare", *two, "--method", "venkatraman", *few)
    said = run(capsys, "compare", *two, "--method", "delong")
    assert "the 95% interval (delong) held the true difference in 88.0 %" in said


def test_clusters_weights_and_groups(table, scores, capsys):
    clusters = replace(CELL, family="auc clusters", method="logit", hits=880)
    groups = replace(CELL, family="auc_by", method="auto", truth=1.0, hits=110, width=None, n_pos=5, n_neg=5)
    table(
        clusters,
        replace(clusters, family="auc weights", hits=870),
        *(replace(groups, quantity=name) for name in ("homogeneity", "first minus the rest")),
    )
    held = "the 95% interval (logit) held the true area in"
    assert f"{held} 88.0 %" in run(capsys, "auc", *scores, "--groups", "t", "--method", "logit")
    assert f"{held} 87.0 %" in run(capsys, "auc", *scores, "--weight", "t", "--method", "logit")
    said = run(capsys, "auc", *scores, "--by", "fold")
    assert "homogeneity: at 5 + 5 cases and areas of 0.9 the test (auto) rejected a true null" in said
    assert "first minus the rest: at 5 + 5 cases" in said


def test_readers(table, scores, capsys):
    table(replace(CELL, family="reader_study", quantity="equal areas", truth=1.0, hits=110, width=None))
    rows = [
        f"{case >= 20:d},{(case * step + 3 * reader) % 40 + 9 * (case >= 20)},{reader},{step},{case}"
        for case in range(40)
        for reader in range(3)
        for step in (7, 11)
    ]
    Path("readings.csv").write_text("\n".join(["y,s,reader,modality,case", *rows]))
    columns = ("--reader", "reader", "--modality", "modality", "--case", "case")
    words = ("readers", "readings.csv", "--label", "y", "--score", "s", *columns)
    noted = "equal areas: at 20 + 20 cases and areas of 0.9 the test (delong) rejected a true null hypothesis"
    assert noted in run(capsys, *words)
    assert "simulated" not in run(capsys, *words, "--readers", "fixed")


def test_learners(table, scores, capsys):
    """The family follows from the folds; of tests over folds that share a test set nothing is known."""
    size = replace(CELL, quantity="AUC", truth=1.0, hits=110, width=None)
    table(
        replace(size, family="paired_tests", method="corrected-t"),
        replace(size, family="paired_tests 5x2", method="corrected-t", hits=120),
        replace(size, family="compare_algorithms holdout", method="over cases", hits=130),
    )
    words = ("algorithms", "s.csv", "--label", "y", "--models", "lda,nb", "--seed", "1")
    noted = (
        "s, AUC: at 20 + 20 cases and areas of 0.9 the test ({}) rejected a true null hypothesis at 5 % in {}"
    )
    assert noted.format("corrected-t", "11.0 %") in run(capsys, *words, "--folds", "4")
    assert noted.format("corrected-t", "12.0 %") in run(capsys, *words, "--protocol", "5x2")
    held_out = (*words, "--protocol", "holdout", "--folds", "4")
    assert noted.format("over cases", "13.0 %") in run(capsys, *held_out)
    assert "simulated" not in run(capsys, *held_out, "--test", "corrected-t")
    assert "simulated" not in run(capsys, *words, "--protocol", "repeated", "--folds", "4", "--repeats", "2")


def test_sums_of_two_scores(table, scores, capsys):
    table(
        replace(CELL, family="preview_fusion", quantity="correlated", method="bootstrap", hits=880),
        replace(CELL, family="preview_fusion", quantity="empirical", method="bootstrap"),
    )
    words = ("fuse", *scores, "--score", "t", "--seed", "1")
    said = run(capsys, *words, "--n-boot", "20")
    held = "the 95% interval (bootstrap) held the true area in 88.0 %"
    assert f"area of a sum, correlated: at 20 + 20 cases and an area of 0.9 {held}" in said
    assert "sum, empirical" not in said
    assert "simulated studies" not in run(capsys, *words, "--n-boot", "20", "--level", "0.9")
    assert "simulated studies" not in run(capsys, "fuse", *scores, "--score", "t")


def test_fits_ordered_classes_and_models_without_a_test_set(table, scores, capsys):
    fit = replace(CELL, family="fit_binormal", quantity="b", method="expected", truth=1.0, hits=880)
    ordered = replace(CELL, family="ordinal_roc", quantity="VUS", method="bootstrap", truth=0.8, hits=870)
    trained = replace(CELL, family="bootstrap_auc", quantity=".632+", method="influence", hits=860)
    table(fit, ordered, trained)
    assert "s, b: at 20 + 20 cases and a true value near 1 " in run(capsys, "binormal", *scores)
    rows = [f"{k % 3},{k % 3 + (k * 7 % 10) / 4}" for k in range(60)]
    Path("o.csv").write_text("\n".join(["grade,s", *rows]))
    drawn = ("--n-boot", "30", "--seed", "1")
    said = run(capsys, "ordinal", "o.csv", "--label", "grade", "--score", "s", *drawn)
    assert (
        "VUS: at 20 + 20 cases and a true value near 0.8 the 95% interval (bootstrap) held it in 87.0 %"
        in said
    )
    model = ("--label", "y", "--feature", "s", "--feature", "t", "--model", "lda")
    said = run(capsys, "bootstrap", "s.csv", *model, *drawn)
    assert (
        ".632+: at 20 + 20 cases and an area of 0.9 the 95% interval (influence) held the true area" in said
    )


def test_selected_cut_offs_grey_zones_and_precision(table, scores, capsys):
    cut = replace(CELL, family="cutpoint", quantity="largest Youden index", method="bootstrap", hits=880)
    kept = replace(cut, quantity="sensitivity of at least 0.9", method="auto", hits=850)
    zone = replace(kept, family="grey_zone", quantity="rule in at specificity 0.95", hits=870)
    precision = replace(cut, family="precision_recall", quantity="average precision", hits=860)
    table(
        cut,
        kept,
        replace(kept, method="bootstrap", hits=100),
        zone,
        precision,
        replace(precision, method="fiducial", hits=850),
    )
    few = ("--n-boot", "50", "--seed", "1")
    held = "at 20 + 20 cases and an area of 0.9 the 95% interval (bootstrap) held the true value in"
    said = run(capsys, "points", *scores, "--bootstrap", *few)
    assert f"largest Youden index: {held} 88.0 %" in said
    assert "simulated" not in run(capsys, "points", *scores, "--bootstrap", "--rule", "closest", *few)
    # What "auto" is in the table is called by its name where a result has it.
    ranked = held.replace("bootstrap", "order-statistics")
    said = run(capsys, "points", *scores, "--bootstrap", "--select", "sensitivity>=0.9", *few)
    assert f"sensitivity of at least 0.9: {ranked} 85.0 %" in said
    said = run(capsys, "points", *scores, "--grey-zone", "0.95,0.95", *few)
    assert f"rule in at specificity 0.95: {ranked} 87.0 %" in said
    assert "at prevalence" not in run(capsys, "points", *scores, "--pr", *few)
    said = run(capsys, "points", *scores, "--pr", "--prevalence", "0.1", *few)
    held = held.replace("bootstrap", "fiducial")
    assert f"at prevalence 0.1, average precision: {held} 85.0 %" in said


# Families whose intervals and tests commands look up (the tests above), or whose results have warnings.
PRINTED = {
    *(
        "auc",
        "auc clusters",
        "auc weights",
        "auc_by",
        "bootstrap_auc",
        "compare_auc paired",
        "compare_auc rates",
    ),
    *(
        "compare_auc difference paired",
        "compare_auc difference unpaired",
        "compare_auc unpaired",
        "cross_auc",
    ),
    *("compare_algorithms holdout", "paired_tests", "paired_tests 5x2", "preview_fusion"),
    *("curves paired", "curves unpaired", "cutpoint", "fit_binormal", "fit_binormal moments", "grey_zone"),
    *("ordinal_roc", "partial_auc", "point_measures", "precision_recall", "reader_study", "roc_band"),
    "roc_band simultaneous",
}
WARNED = {"average_curves", "calibration"}


def test_every_default_outside_its_bounds_has_a_note():
    """Where the package's table knows a default to fail, a note says so, and the nearest cell says it."""
    unknown = set()
    for name, family in families().items():
        for row in results.load(name).select(method=family.default).cells:
            judged = row.defined and (family.kind == "interval" or row.truth)
            if not judged or not side_of(row, family.kind):
                continue
            if name not in PRINTED | WARNED:
                unknown.add((name, row.quantity))
            if name in PRINTED:
                how = {"quantity": row.quantity, "method": family.default, "kind": family.kind}
                assert validity(name, row.n_pos, row.n_neg, area=row.area, **how).is_outside
    assert not unknown
