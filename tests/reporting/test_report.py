import dataclasses
import inspect
import math
import pydoc
import re

import numpy as np
import pytest

import rocscope as rs
from every_result import every_result
from report_pages import EVIL, TEMPLATE, explorers
from rocscope.core.formatting import sentence
from rocscope.errors import ResourceError, RocInputError
from rocscope.reporting import page, report_html
from rocscope.reporting.explorer import explorer_section
from rocscope.reporting.sections import read_items


def page_of(parsed, *results, **options):
    return parsed(report_html(*results, **options))


# ---- The file ---------------------------------------------------------------------------------------------


def test_a_report_is_one_file(tmp_path, curve):
    path = tmp_path / "roc.html"
    assert rs.report(curve, path=path, title="Mine") == path
    text = path.read_text(encoding="utf-8")
    assert text == report_html(curve, title="Mine")
    assert [file.name for file in tmp_path.iterdir()] == ["roc.html"]


def test_a_file_is_not_replaced_without_force(tmp_path, curve):
    path = tmp_path / "roc.html"
    path.write_text("kept")
    with pytest.raises(RocInputError, match=r"roc\.html exists already; overwrite=True replaces it$"):
        rs.report(curve, path=path)
    assert path.read_text() == "kept"
    rs.report(curve, path=path, overwrite=True)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("roc.txt", r"path must end in \.html or \.htm, got 'roc.txt'"),
        ("nowhere/roc.html", "path must lie in an existing folder, got 'nowhere/roc.html'"),
        (".html", r"path must end in"),
    ],
)
def test_paths_are_checked_before_any_work(path, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RocInputError, match=message):
        rs.report("no result", path=path)


def test_a_folder_is_no_file(tmp_path, curve):
    (tmp_path / "roc.html").mkdir()
    with pytest.raises(RocInputError, match="path must be a file, got the folder"):
        rs.report(curve, path=tmp_path / "roc.html", overwrite=True)


def test_a_full_disk_leaves_nothing(tmp_path, curve, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(ResourceError, match=r"roc\.html cannot be written: No space left on device"):
        rs.report(curve, path=tmp_path / "roc.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("given", [(), ("text",), ({"a": "text"},), ([1],), ({"a": {"b": 1}},)])
def test_only_results_are_taken(given):
    with pytest.raises(
        RocInputError, match=r"^report must be given results of rocscope, BinaryScores, or mappings"
    ):
        report_html(*given)


def test_titles_are_texts(curve):
    with pytest.raises(RocInputError, match=r"^title must be a text, got 7$"):
        report_html(curve, title=7)


@pytest.mark.slow
def test_the_door_opens_whatever_was_imported_first(tmp_path):
    """The room is a module of the same name as the function."""
    import subprocess
    import sys

    code = """
import sys, rocscope
if sys.argv[2] == "room": import rocscope.reporting.page
curve = rocscope.roc_curve([0, 1], [0, 1])
print(rocscope.report(curve, path=sys.argv[1], overwrite=True).name)
if sys.argv[2] == "door": import rocscope.reporting.page
print(rocscope.report(curve, path=sys.argv[1], overwrite=True).name)
"""
    for first in ("room", "door"):
        found = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "roc.html"), first],
            capture_output=True,
            text=True,
            check=True,
        )
        assert found.stdout == "roc.html\nroc.html\n"


def test_help_describes_the_parameters():
    assert list(inspect.signature(rs.report).parameters) == ["results", "path", "title", "overwrite"]
    text = pydoc.plain(pydoc.render_doc(rs.report))
    for wording in ("path", "must end in .html", "overwrite", "Title of the page."):
        assert wording in text


def test_the_same_results_give_the_same_bytes(cases):
    y, a, *_ = cases
    assert report_html(rs.roc_curve(y, a)) == report_html(rs.roc_curve(y, a))


# ---- Sections ---------------------------------------------------------------------------------------------


def test_sections_are_there_for_what_is_given_and_no_others(parsed, cases, curve):
    y, a, b, fold = cases
    assert page_of(parsed, rs.auc(y, a)).titles == ["Areas"]
    assert page_of(parsed, rs.compare_auc(y, {"a": a, "b": b})).titles == ["Comparison of markers"]
    titles = page_of(parsed, rs.average_roc(y, a, fold=fold), rs.auc(y, a), curve).titles
    assert titles[0] == "Summary"
    assert titles.index("Areas") < titles.index("Average over folds")


def test_every_plot_has_a_figure_and_a_reading(parsed, cases, curve):
    y, a, b, _ = cases
    found = page_of(parsed, curve, rs.auc(y, a), rs.compare_auc(y, {"a": a, "b": b}))
    for section in found.all("section"):
        places = [
            int(one.attributes["data-figure"])
            for one in found.elements
            if one.attributes.get("data-figure")
            and one.attributes["aria-describedby"].startswith(section.attributes["id"])
        ]
        if places:
            assert places == list(range(len(found.figures(section.attributes["id"]))))
    plots = [one for one in found.elements if "data-figure" in one.attributes]
    captions = {one.attributes["id"]: one.text for one in found.all("figcaption")}
    assert plots
    for plot in plots:
        assert plot.attributes["role"] == "group"
        assert plot.attributes["aria-label"].startswith("Plot. ")
        assert len(captions[plot.attributes["aria-describedby"]]) > 40


def test_a_curve_with_its_band_and_areas_is_one_picture(parsed, cases):
    y, a, *_ = cases
    given = {"marker": [rs.roc_curve(y, a), rs.roc_band(y, a, simultaneous=True), rs.auc(y, a)]}
    (figure,) = page_of(parsed, given).figures()
    names = figure["entries"]
    assert any(name.startswith("95% simultaneous band") for name in names)
    assert any(re.match(r"marker \(AUC = 0\.\d+, 95% CI", name) for name in names)


def test_curves_of_several_classifiers_share_a_picture(parsed, cases):
    y, a, b, _ = cases
    figures = page_of(parsed, {"a": rs.roc_curve(y, a), "b": rs.roc_curve(y, b)}).figures()
    assert len(figures) == 1
    assert sum(mark["role"] == "curve" for mark in figures[0]["marks"]) == 2


def test_unnamed_and_equally_named_curves_are_described_apart(parsed, cases):
    y, a, b, _ = cases
    one, two = rs.roc_curve(y, a), rs.roc_curve(y, b)
    names = lambda *given: {  # noqa: E731
        mark["label"].split(" (AUC")[0]
        for mark in page_of(parsed, *given).figures()[0]["marks"]
        if mark["role"] == "curve"
    }
    assert names(one, two) == {"score 1", "score 2"}
    assert names({"m": [one, two]}) == {"m (1)", "m (2)"}


def test_scores_are_shown_by_their_curves(parsed, cases):
    y, a, b, _ = cases
    data = rs.BinaryScores.from_arrays(y, {"a": a, "b": b})
    assert [item.name for item in read_items([data])] == ["a", "b"]
    assert [item.name for item in read_items([{"x": data}])] == ["x, a", "x, b"]
    assert page_of(parsed, data).titles[0] == "Summary"


def test_every_interval_of_an_area_is_shown(parsed, cases):
    y, a, *_ = cases
    found = [rs.auc(y, a, method=method) for method in ("delong", "logit", "hanley-mcneil", "agarwal")]
    page = page_of(parsed, {"m": found})
    cells = [one.text for one in page.all("td")] + [one.text for one in page.all("th")]
    for area in found:
        assert f"m, {area.method}" in cells
        assert f"{area.low:.4f}–{area.high:.4f}" in cells


def test_results_of_every_topic(parsed, cases):
    """Results that are quick to make; each shows a picture and says its numbers."""
    y, a, b, fold = cases
    grades = 1 + np.arange(120) % 3
    results = [
        rs.point_measures(y, a, threshold=0.5),
        rs.cutpoint(y, a, n_boot=100, rng=1),
        rs.average_roc(y, a, fold=fold).compare_to(3),
        rs.average_curves(y, a, fold=fold),
        rs.ordinal_roc(grades, grades + b, thresholds=4),
        rs.fit_binormal(y, a),
        rs.preview_fusion(y, a, b),
        rs.precision_recall(y, a, n_boot=100, rng=1),
    ]
    found = page_of(parsed, *results)
    expected = [
        "Operating point (1)",
        "Choice of the cut-off",
        "Ordered classes",
        "Average over folds",
        "Mean curve over folds",
        "Binormal fit",
        "Fusion of score_a and score_b",
        "Precision and recall",
    ]
    assert [title for title in found.titles if title in expected] == expected
    assert all(re.search(r"\d", reading) for reading in found.readings)
    assert "undefined" not in " ".join(found.readings)


def test_any_other_result_has_its_text_and_numbers(parsed):
    plan = rs.power(auc=0.75, n_pos=50, n_neg=50)
    found = page_of(parsed, plan)
    assert plan.topic == "plain"
    assert found.titles == ["Study plan"]
    assert found.readings == [str(plan)]


def test_classes_in_three_dimensions_are_linked_with_their_pairs(parsed):
    rng = np.random.default_rng(4)
    y = np.arange(90) % 3
    p = rng.random((90, 3)) + np.eye(3)[y]
    weights = rng.random((25, 3)) + 0.2
    roc = rs.average_roc(y, p, fold=np.arange(90) // 18, classes=[0, 1, 2], points=weights)
    found = page_of(parsed, {"wine": roc})
    confusion, *figures = found.figures()
    assert confusion["shape"] == "square"
    assert [figure["shape"] for figure in figures] == ["solid", "wide", "wide", "wide"]
    (group,) = [one for one in found.elements if "data-linked" in one.attributes]
    assert group.attributes["class"] == "panels columns-3"
    clouds = [next(mark for mark in figure["marks"] if mark["role"] == "point") for figure in figures]
    np.testing.assert_allclose(clouds[0]["x"], clouds[1]["x"])
    np.testing.assert_allclose(clouds[0]["z"], roc.mean[:, 2], atol=1e-6)
    k = roc.select().index
    assert f"smallest at point {k}, where it errs on" in found.readings[1]


# ---- What is said -----------------------------------------------------------------------------------------


def test_numbers_of_a_curve_are_computed(parsed, cases, curve):
    y, a, *_ = cases
    area = rs.auc(y, a)
    found = page_of(parsed, curve, area)
    k = curve.select(rule="youden")
    cells = [one.text for one in found.all("td")]
    assert f"{area.value:.3f} ({area.low:.3f}–{area.high:.3f})" in cells
    assert {f"{area.se:.3f}", f"{area.test(0.5).statistic:.2f}", f"≥ {curve.thresholds[k]:.4g}"} <= set(cells)
    tpr, tnr = (f"{100 * rates[k]:.1f}".removesuffix(".0") for rates in (curve.tpr, 1 - curve.fpr))
    at = f"At the cut-off ≥ {curve.thresholds[k]:.4g} (the largest Youden index) the sensitivity is {tpr}%"
    assert f"{at} and the specificity {tnr}%" in found.readings[0]


def test_a_test_is_described_with_its_verdict(parsed, cases):
    y, a, b, _ = cases
    result = rs.compare_auc(y, {"a": a, "b": b})
    (reading,) = page_of(parsed, result).readings
    (pair,) = result.pairs
    verdict = "a difference" if pair.p_value < 0.05 else "no difference shown"
    assert f"a minus b: {pair.difference:+.4f} ({pair.low:+.4f} to {pair.high:+.4f})" in reading
    assert f"p = {pair.p_value:.3g}, {verdict} at the 5% level" in reading


def test_indistinguishable_points_are_counted(parsed, cases):
    y, a, _, fold = cases
    comparison = rs.average_roc(y, a, fold=fold).compare_to(12)
    reading = page_of(parsed, comparison).readings[0]
    others = np.count_nonzero(comparison.indistinguishable) - 1
    assert others > 0
    assert f"{others} of {len(comparison) - 1} other points are indistinguishable from point 12" in reading


def test_reasons_and_warnings_are_shown(parsed):
    area = rs.auc([0, 0, 1], [1, 2, 3], method="delong")
    found = page_of(parsed, area)
    assert area.status == "partial"
    assert any(sentence(area.reason) in note for note in found.notes)
    undefined = page_of(parsed, rs.fit_binormal([0, 0, 1, 1], [1, 2, 3, 4]))
    assert "No curve was fitted (perfect)" in undefined.readings[0]


# ---- Untrusted text ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(1)
    y = np.where(np.arange(80) % 2 == 0, EVIL, TEMPLATE)
    a, b = ((y == EVIL) + rng.normal(size=80) for _ in range(2))
    how = {"pos_label": EVIL}
    named = {
        EVIL: [rs.roc_curve(y, a, **how), rs.auc(y, a, **how), rs.fit_binormal(y, a, **how)],
        TEMPLATE: [rs.roc_curve(y, b, **how), rs.point_measures(y, b, **how)],
    }
    results = [
        named,
        rs.compare_auc(y, {EVIL: a, TEMPLATE: b}, **how),
        rs.average_roc(y, a, fold=np.arange(80) // 20, **how).compare_to(2),
    ]
    return report_html(*results, title=EVIL + TEMPLATE)


def test_hostile_names_are_inert(parsed, hostile):
    found = parsed(hostile)
    assert not found.all("img")
    assert hostile.count("<img") == 0
    assert not [name for one in found.elements for name in one.attributes if name.startswith("on")]
    assert len(found.code) == len(found.policy["script-src"].split())


def test_hostile_names_are_shown_literally(parsed, hostile):
    found = parsed(hostile)
    assert found.all("h1")[0].text == EVIL + TEMPLATE
    assert any(TEMPLATE in one.text for one in found.all("th", scope="row"))
    assert any(EVIL in reading for reading in found.readings)
    assert "49" not in found.all("h1")[0].text


def test_hostile_names_reach_the_figures_as_they_are(parsed, hostile):
    """The script that draws them writes text nodes and nothing else."""
    found = parsed(hostile)
    figures = [
        figure for name, data in found.data.items() if name.endswith("-figures-data") for figure in data
    ]
    texts = list(strings(figures))
    assert any(EVIL in text for text in texts)
    assert any(TEMPLATE in text for text in texts)


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def test_broken_characters_do_not_stop_a_report(tmp_path, cases):
    y, a, *_ = cases
    path = rs.report({"half \ud800 a character": rs.roc_curve(y, a)}, path=tmp_path / "x.html")
    assert r"half \ud800 a character" in path.read_text(encoding="utf-8")


# ---- Size -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_million_points_fit_into_the_page(parsed):
    n = 1_000_000
    y = np.arange(n) % 2
    curve = rs.roc_curve(y, y + np.random.default_rng(1).normal(size=n))
    text = report_html({"large": curve})
    assert len(text.encode()) < 1_000_000
    found = parsed(text)
    lengths = [
        len(mark["x"]) for figure in found.figures() for mark in figure["marks"] if mark["kind"] == "line"
    ]
    assert 1900 < max(lengths) <= 2000
    (note,) = [note for note in found.notes if "vertices" in note]
    assert re.search(
        r"shown by \d+ of its 1000001 vertices; no vertex of it lies off the line through them by more",
        note,
    )


def test_a_page_of_many_results_is_small(cases):
    y, a, b, fold = cases
    results = {f"classifier {k}": [rs.roc_curve(y, a + k * b), rs.auc(y, a + k * b)] for k in range(6)}
    size = len(report_html(results, rs.average_roc(y, a, fold=fold)).encode())
    assert size < 900_000


def test_numbers_in_the_page_are_strict(hostile, parsed):
    for name, value in parsed(hostile).data.items():
        assert all(math.isfinite(number) for number in floats(value)), name


def floats(value):
    if isinstance(value, float):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from floats(inner)


# ---- One cut-off ------------------------------------------------------------------------------------------


def test_a_point_of_the_report_is_the_cut_off_of_its_curve(parsed, cases):
    y, a, b, _ = cases
    point, curve = rs.point_measures(y, a, select="tpr>=0.9"), rs.roc_curve(y, a)
    index = curve.select("tpr>=0.9")
    given = {"a": [curve, rs.roc_band(y, a, simultaneous=True), point], "b": rs.roc_curve(y, b)}
    found = parsed(report_html(given))
    assert f"≥ {point.threshold:.4g}" in [one.text for one in found.all("td")]
    first, second = explorers(found)
    assert (first["index"][first["start"]], first["bounds"]) == (index, "")
    assert second["index"][second["start"]] == given["b"].select()
    marked = next(one for one in found.figures()[0]["marks"] if one["role"] == "selected")
    assert (marked["x"], marked["y"]) == (
        [pytest.approx(curve.fpr[index])],
        [pytest.approx(curve.tpr[index])],
    )


def test_a_threshold_between_scores_is_the_vertex_that_decides_the_same(parsed, cases):
    y, a, *_ = cases
    curve = rs.roc_curve(y, a)
    between = float(curve.thresholds[7] - 1e-4)
    (sent,) = explorers(parsed(report_html(curve, rs.point_measures(y, a, threshold=between))))
    assert sent["index"][sent["start"]] == 7


def test_the_cut_off_stays_where_points_are_left_out():
    rng = np.random.default_rng(6)
    y = rng.random(9000) < 0.5
    curve = rs.roc_curve(y, rng.normal(size=9000) + y)
    index = curve.select("tpr>=0.77")
    for most in (2000, 100):
        sent = explorer_section(curve, most=most, start=index, select=["tpr>=0.77"]).payload
        assert sent["index"][sent["start"]] == index
        assert (sent["bounds"], sent["complete"]) == ("tpr>=0.77", False)


def test_where_nothing_is_gained_no_threshold_is_praised(parsed):
    found = parsed(report_html(rs.roc_curve([0, 0, 1, 1], [3, 4, 1, 2]), rs.auc([0, 0, 1, 1], [3, 4, 1, 2])))
    assert "At no cut-off is the sensitivity above 1 - specificity." in found.readings[0]
    assert "inf" not in found.readings[0]
    assert not [one for one in found.figures()[0]["marks"] if one["role"] == "selected"]
    assert any("rank the negative class higher (see direction lower)" in note for note in found.notes)


def test_a_point_at_which_nothing_tests_positive_is_described_without_a_threshold(parsed):
    y, score = [0, 0, 1, 1], [3, 4, 1, 2]
    point = rs.point_measures(y, score, select="fpr<=0")
    assert point.tp + point.fp == 0
    found = parsed(report_html({"m": [rs.roc_curve(y, score), point]}))
    readings = " ".join(found.readings)
    assert "At no cut-off is the sensitivity above 1 - specificity." in readings
    assert [one.text for one in found.all("td")][5] == "0.0 (0.0–65.8)"  # the sensitivity
    assert " inf" not in readings


# ---- Warnings ---------------------------------------------------------------------------------------------


def warning():
    """Names of the results that can warn of something."""
    return sorted(
        name
        for name, result in every_result().items()
        if "warnings" in {one.name for one in dataclasses.fields(result)}
    )


@pytest.mark.parametrize("name", warning())
def test_warnings_of_every_result_are_on_its_page(parsed, name):
    result = every_result()[name]
    wording = "what a reader should know although the number stands"
    text = parsed(report_html(dataclasses.replace(result, warnings=(wording,)))).source
    assert text.count(wording[1:]) == 1


# ---- What fails costs nothing else ------------------------------------------------------------------------


def broken(*_, **__):
    raise ZeroDivisionError("division by zero")


def last_lines(found):
    assert found.titles[-1] == "What this report does not show, and why"
    return [one.text for one in found.all("ul")[-1:]]


def test_a_result_that_cannot_be_described_costs_no_other(parsed, cases, curve, monkeypatch):
    monkeypatch.setattr("rocscope.reporting.topics.curves.measures_table", broken)
    point = rs.point_measures(*cases[:2], threshold=0.5)
    with pytest.warns(rs.RocWarning, match=r"left out: Point measures: m: a fault of rocscope itself, Zero"):
        found = parsed(report_html({"m": [curve, point, rs.auc(*cases[:2])]}))
    assert found.titles[:3] == ["Summary", "Operating point", "Areas"]
    (lines,) = last_lines(found)
    assert lines == (
        "Left out: Point measures: m: a fault of rocscope itself, ZeroDivisionError: division by zero"
    )


def test_within_one_topic_the_others_stay(parsed, cases, curve, monkeypatch):
    monkeypatch.setattr("rocscope.reporting.topics.curves.band_reading", broken)
    band = rs.roc_band(*cases[:2], simultaneous=True)
    with pytest.warns(rs.RocWarning, match="left out: Band of the ROC curve: a fault"):
        found = parsed(report_html(curve, band))
    assert found.titles[0] == "Summary"
    assert "of all pairs of a case of class 1" in found.readings[0]


def test_a_section_that_cannot_be_drawn_costs_no_other(parsed, cases, curve, monkeypatch):
    drawn = page.figure_json

    def figure_json(picture):
        return broken() if "AUC" in picture.panels[0].x.label else drawn(picture)

    monkeypatch.setattr(page, "figure_json", figure_json)
    with pytest.warns(rs.RocWarning, match="left out: Areas: a fault of rocscope itself, ZeroDivisionError"):
        found = parsed(report_html(curve, rs.auc(*cases[:2])))
    assert found.titles[:2] == ["Summary", "Operating point"]
    assert "Left out: Areas" in last_lines(found)[0]


def test_a_band_without_any_interval_is_shown(parsed):
    """One case in a class allows no interval."""
    y, score = [0, 0, 0, 1], [1.0, 2.0, 3.0, 2.5]
    band = rs.roc_band(y, score, method="bootstrap", n_boot=100, rng=1)
    found = parsed(report_html(rs.roc_curve(y, score), band))
    assert "There is no interval at any place." in " ".join(found.readings)
    assert [one for one in found.figures()[0]["marks"] if one["role"] == "selected"]
    assert any("needs two cases in each class" in note for note in found.notes)
