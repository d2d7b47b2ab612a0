"""Page one of a report: the data, one row per marker, texts for a paper, the 2x2 table."""

import csv

import numpy as np
import pytest

import rocscope as rs
from data_folder import data_file
from rocscope.reporting.page import report_html
from rocscope.reporting.sections import (
    Item,
    Table,
    constraint_text,
    cutoff,
    read_items,
    sections_of,
    two_by_two,
)

RNG = np.random.default_rng(5)
Y = np.arange(120) % 3 == 0
WEAK = np.round(RNG.normal(size=120) + 0.6 * Y, 1)  # with ties
STRONG = np.round(RNG.normal(size=120) + 1.6 * Y, 1)
QUICK = {"n_boot": 100, "rng": 1}


@pytest.fixture(scope="module")
def analysis():
    return rs.analyse(np.where(Y, "ill", "well"), {"weak": WEAK, "strong": STRONG}, pos_label="ill", **QUICK)


def test_markers_stand_in_the_order_of_their_areas(parsed, analysis):
    found = parsed(report_html(analysis))
    assert found.titles[0] == "Summary"
    names = [one.text for one in found.all("th", scope="row")]
    assert names[:2] == ["strong", "weak"]
    area, point = rs.auc(Y, STRONG), rs.point_measures(Y, STRONG)
    test = area.test(0.5)
    cells = [one.text for one in found.all("td")][:9]
    assert cells[0] == f"{area.value:.3f} ({area.low:.3f}–{area.high:.3f})"
    assert cells[1:3] == [f"{area.se:.3f}", f"{test.statistic:.2f}"]
    assert cells[3] == "<.001"
    assert cells[4] == f"≥ {point.threshold:.4g}"
    for cell, one in zip(cells[5:7], (point.sensitivity, point.specificity), strict=True):
        assert cell == f"{100 * one.value:.1f} ({100 * one.low:.1f}–{100 * one.high:.1f})"
    assert cells[7:] == [f"{100 * one.value:.1f}" for one in (point.ppv, point.npv)]


def test_the_data_are_counted(parsed, analysis):
    found = parsed(report_html(analysis))
    facts = dict(
        zip([one.text for one in found.all("dt")], [one.text for one in found.all("dd")], strict=True)
    )
    assert facts == {
        "Cases": "120",
        "Positive (ill)": "40",
        "Negative (well)": "80",
        "Prevalence in the data": "33.3%",
    }


def test_the_2x2_table_is_in_the_order_of_stard(parsed, analysis):
    point = rs.point_measures(Y, STRONG)
    found = parsed(report_html(analysis))
    captions = [one.text for one in found.all("caption")]
    assert captions[1] == f"strong at the cut-off ≥ {point.threshold:.4g}"
    rows = two_by_two((point.tp, point.fp, point.fn, point.tn), classes=("ill", "well"), caption="t").rows
    assert rows == [
        ("Test positive", str(point.tp), str(point.fp), str(point.tp + point.fp)),
        ("Test negative", str(point.fn), str(point.tn), str(point.fn + point.tn)),
        ("Total", "40", "80", "120"),
    ]
    heads = [one.text for one in found.all("th", scope="col")]
    assert heads[10:14] == ["", "ill (present)", "well (absent)", "Total"]


def test_texts_for_a_paper_have_the_numbers_of_the_results(parsed, analysis):
    found = parsed(report_html(analysis))
    results, methods = (one.text for one in found.all("div", **{"class": "quotation"}))
    area = rs.auc(Y, STRONG)
    assert (
        f"The AUC of strong was {area.value:.3f} (95% CI {area.low:.3f}–{area.high:.3f}; P < 0.001)."
        in results
    )
    (pair,) = rs.compare_auc(Y, {"weak": WEAK, "strong": STRONG}).pairs
    assert f"strong minus weak {-pair.difference:.3f} (95% CI {-pair.high:.3f}–{-pair.low:.3f}; P" in results
    assert "Higher values stand for ill." in methods
    assert rs.auc(Y, WEAK).method == rs.auc(Y, STRONG).method == "score"
    assert "confidence intervals (CI) by a score test (Newcombe's variance, with" in methods
    assert "z = (AUC - 0.5) / SE, the SE being that at 0.5 for the score intervals." in methods
    assert "AUCs were compared by a paired score test (Newcombe's variance" in methods
    assert f"rocscope {rs.__version__}" in methods
    assert "Wilson's method" in methods


def test_with_folds_the_page_has_their_cut_off_and_says_what_all_cases_select(parsed):
    fold = np.random.default_rng(2).permutation(120) % 4
    found = rs.analyse(Y, {"m": WEAK}, fold=fold, **QUICK)
    averaged = rs.average_roc(Y, WEAK, fold=fold, points="all")
    threshold = averaged.points[averaged.select().index]
    point = next(one for one in found.results["m"] if isinstance(one, rs.inference.PointMeasures))
    assert point.threshold == threshold
    page = parsed(report_html(found))
    assert any("as the mean over 4 folds selects it" in note for note in page.notes)
    whole = rs.roc_curve(Y, WEAK).select(rule="youden").threshold
    differs = whole != threshold
    assert any(f"the same rule selects ≥ {whole:.4g}" in note for note in page.notes) == differs


def test_what_is_advanced_is_folded(parsed, analysis):
    found = parsed(report_html(analysis))
    folded = {one.text for one in found.all("li", **{"class": "more"})}
    assert {"Areas", "Bands of the curves", "All measures at the cut-off", "Binormal fits"} <= folded
    assert "Comparison of markers" not in folded


def test_a_cut_off_names_its_rule():
    curve = rs.roc_curve(Y, WEAK)
    assert cutoff(Item(None, curve))[1] == "the largest Youden index"
    index, rule = cutoff(Item(None, curve, select=("tpr>=0.9",)))
    assert (index, rule) == (curve.select("tpr>=0.9").index, "sensitivity ≥ 0.9")
    assert constraint_text("error(a)<=0.1") == "error(a) ≤ 0.1"


def test_numbers_of_the_asah_study(parsed):
    """Areas as pROC prints them, intervals as it does where they are DeLong's; rates as its coords."""
    with open(data_file("aSAH/aSAH.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    scores = {name: [float(row[name]) for row in rows] for name in ("s100b", "wfns", "ndka")}
    found = rs.analyse([row["outcome"] for row in rows], scores, pos_label="Poor", **QUICK)
    page = parsed(report_html(found))
    cells = [one.text for one in page.all("td")]
    assert cells[0] == "0.824 (0.733–0.886)"
    assert cells[9] == "0.731 (0.618–0.818)"
    assert cells[18] == "0.612 (0.501–0.723)"
    assert cells[13] == "≥ 0.22"
    assert [cells[14].split()[0], cells[15].split()[0]] == ["63.4", "80.6"]
    methods = page.all("div", **{"class": "quotation"})[1].text
    assert "cases support it) (wfns and s100b) and the method of DeLong et al. (ndka) and were" in methods


# ---- The test of an estimate ------------------------------------------------------------------------------


def test_an_estimate_is_tested_by_its_standard_error():
    from scipy import stats

    area = rs.auc(Y, WEAK, method="delong")
    for alternative, p in (("two-sided", 2 * stats.norm.sf(abs((area.value - 0.5) / area.se))),):
        test = area.test(0.5, alternative=alternative)
        assert test.statistic == (area.value - 0.5) / area.se
        assert test.p_value == pytest.approx(p, rel=1e-12)
    assert area.test(0.9, alternative="less").p_value == pytest.approx(
        stats.norm.cdf((area.value - 0.9) / area.se), rel=1e-12
    )


def test_an_estimate_without_a_standard_error_is_not_tested():
    perfect = rs.auc([0, 0, 1, 1], [1, 2, 3, 4], method="delong")
    test = perfect.test(0.5)
    assert (test.statistic, test.p_value, test.status) == (None, None, "undefined")
    with pytest.raises(rs.RocInputError, match="null must be a number, got 'a'"):
        perfect.test("a")
    with pytest.raises(rs.RocInputError, match=r"alternative must be .*, got 'both'"):
        perfect.test(0.5, alternative="both")


# ---- Low scores stand for the positive class --------------------------------------------------------------


def test_a_page_of_low_scores_is_in_their_own_units(parsed):
    scores = {"weak": -WEAK, "strong": -STRONG}
    low = rs.analyse(Y, scores, direction="lower", **QUICK)
    high = rs.analyse(Y, {"weak": WEAK, "strong": STRONG}, **QUICK)
    assert low.shared[0].pairs[0].difference == high.shared[0].pairs[0].difference
    page, other = (parsed(report_html(one)) for one in (low, high))
    cells, mirrored = ([cell.text for cell in one.all("td")][:18] for one in (page, other))
    best = rs.roc_curve(Y, -STRONG, direction="lower").select(rule="youden").threshold
    assert cells[4] == f"≤ {best:.4g}"
    del cells[4], mirrored[4], cells[12], mirrored[12]  # the cut-offs
    assert cells == mirrored
    assert "strong is lower for the case of class" in page.readings[0]
    assert "Lower values stand for True." in page.all("div", **{"class": "quotation"})[1].text
    sent = next(one for one in page.data.values() if "markers" in one and "kind" in one["markers"][0])
    assert [one["lower"] for one in sent["markers"]] == [True, True]


def test_direction_belongs_to_two_classes():
    with pytest.raises(rs.RocInputError, match="direction must be left out unless there are two classes"):
        rs.analyse([1, 2, 3] * 4, [1, 2, 3] * 4, ordinal=True, direction="lower")


def test_fixed_values_have_their_cut_offs(analysis):
    (section,) = (one for one in sections_of(read_items([analysis])) if one.title.endswith("at fixed values"))
    tables = [part for part in section.body if isinstance(part, Table)]
    assert [table.header[-1] for table in tables] == ["cut-off"] * 2
    for table, rows, other in zip(tables, ("tpr", "tnr"), ("tnr", "tpr"), strict=True):
        for name, fixed, _, _, cut in table.rows:
            score = {"weak": WEAK, "strong": STRONG}[name]
            least, threshold = float(fixed.rstrip("%")) / 100, float(cut.removeprefix("≥ "))
            kept = [  # every cut-off by counting
                {"tpr": (score >= t)[Y].mean(), "tnr": (score < t)[~Y].mean(), "t": t}
                for t in np.unique(score)
            ]
            allowed = [one for one in kept if one[rows] >= least - 1e-12]
            best = max(allowed, key=lambda one: (one[other], one["tnr"]))
            assert threshold == best["t"]


def test_folds_give_the_reason_why_a_cut_off_has_no_interval(parsed):
    folds = np.arange(120) // 24
    found = parsed(report_html(rs.analyse(Y, {"strong": STRONG}, fold=folds, **QUICK)))
    notes = [one.text for one in found.all("p") if one.attributes.get("class") == "note"]
    assert (
        sum(text.startswith("A cut-off that the mean over folds selects has no confidence") for text in notes)
        == 1
    )
    without = parsed(report_html(rs.analyse(Y, {"strong": STRONG}, **QUICK)))
    assert not any("has no confidence interval here" in one.text for one in without.all("p"))
