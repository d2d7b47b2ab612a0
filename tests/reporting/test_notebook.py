import html
import re
import subprocess
import sys
import time
from xml.etree import ElementTree

import numpy as np
import pytest

import rocscope as rs
from browser.one_set import together
from every_result import every_class, every_result
from report_pages import EVIL, Parsed
from rocscope.errors import RocInputError
from rocscope.plotting import is_table
from rocscope.reporting import notebook


def test_a_result_shows_its_text_and_first_rows(curve):
    found = Parsed(curve._repr_html_())
    assert found.all("pre")[0].text == str(curve)
    assert [one.text for one in found.all("th")] == ["threshold", "fpr", "tpr"]
    assert len(found.all("tr")) == 11
    assert [one.text for one in found.all("p")] == [f"{len(curve) - 10} more rows: frame()"]


def test_the_first_threshold_of_a_curve_is_infinite(curve):
    assert [one.text for one in Parsed(curve._repr_html_()).all("td")][:3] == ["∞", "0.0000", "0.0000"]


def test_a_single_row_is_described_by_the_text(cases):
    area = rs.auc(*cases[:2])
    head, picture = area._repr_html_().split("</pre>")
    assert head == f"<div><pre>{html.escape(str(area))}"
    assert picture.startswith("<svg")
    assert picture.endswith("</svg></div>")


@pytest.mark.parametrize("name", [n for n, result in every_class().items() if not is_table(result)])
def test_a_result_has_a_small_picture(name):
    text = every_class()[name]._repr_html_()
    (drawn,) = re.findall(r"<svg xmlns.*</svg>", text, re.DOTALL)
    assert len(drawn.encode()) < 30_000
    ElementTree.fromstring(drawn)
    assert "nan" not in re.sub(r">[^<]*<", "><", drawn)


def test_a_large_curve_has_a_small_picture_at_once():
    """Of a long table only the rows that are shown are made into text."""
    rng = np.random.default_rng(1)

    def cost(n):
        y = rng.integers(0, 2, n)
        curve = rs.roc_curve(y, y + rng.normal(size=y.size))
        costs = []
        for _ in range(5):
            begin = time.process_time()
            assert len(curve._repr_html_()) < 40_000
            costs.append(time.process_time() - begin)
        return min(costs)

    assert cost(200_000) < 10 * cost(2_000)


@pytest.mark.slow
def test_the_picture_touches_no_drawing_library():
    code = (
        "import sys, rocscope as rs; rs.roc_curve([0, 0, 1, 1], [1, 3, 2, 4])._repr_html_(); "
        "print(sorted({'matplotlib', 'numba'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_a_broken_result_is_shown_as_far_as_it_goes(curve, monkeypatch):
    def broken(*args, **kwargs):
        raise ValueError("<no>")

    monkeypatch.setattr(notebook, "picture", broken)
    assert "<svg" not in curve._repr_html_()
    assert Parsed(curve._repr_html_()).all("table")
    monkeypatch.setattr(rs.RocCurve, "columns", broken)
    assert curve._repr_html_() == f"<div><pre>{html.escape(str(curve))}</pre></div>"
    monkeypatch.setattr(rs.RocCurve, "_summary", broken)
    assert curve._repr_html_() == "<div><pre>RocCurve without a text: &lt;no&gt;</pre></div>"


def test_names_in_the_picture_are_text():
    y = np.array([EVIL, "well"] * 5)
    drawn = notebook.result_svg(rs.roc_curve(y, np.arange(10), pos_label=EVIL))
    ElementTree.fromstring(drawn)
    forest = notebook.result_svg(
        rs.compare_auc(y, {EVIL: np.arange(10), "b": -np.arange(10)}, pos_label=EVIL)
    )
    assert "<img" not in forest
    assert "&lt;img" in forest


def test_nothing_is_said_twice(cases):
    point = rs.point_measures(*cases[:2], threshold=0.5)
    text = point._repr_html_()
    assert Parsed(text).all("pre")[0].text == str(point).splitlines()[0]
    for estimate in (point.sensitivity, point.lr_pos):
        assert text.count(f"{estimate.low:.4f}") == 1
    assert len(Parsed(text).all("tr")) == 1 + len(point.estimates)  # a short table is whole


@pytest.mark.parametrize("name", ["algorithms", "bootstrap", "cutpoint", "monte carlo", "ordered", "ranks"])
def test_no_line_of_the_text_is_a_row_of_the_table(name):
    found = Parsed(every_result()[name]._repr_html_())
    rows = [set(re.findall(r"\d+\.\d{4}", row.text)) for row in found.all("tr")[1:]]
    for line in found.all("pre")[0].text.splitlines():
        numbers = set(re.findall(r"\d+\.\d{4}", line))
        assert not any(numbers and numbers <= row for row in rows), line


def test_text_beside_the_table_stays():
    found = Parsed(every_result()["fusion"]._repr_html_())
    assert found.all("pre")[0].text == str(every_result()["fusion"])


def test_warnings_are_shown():
    area = rs.auc([0, 0, 0, 1, 1], [3, 4, 5, 1, 4])
    text = Parsed(area._repr_html_()).all("pre")[0].text
    assert (
        text.count("the area is below 0.5: the scores rank the negative class higher (see direction lower)")
        == 1
    )
    (warning,) = every_result()["band"].warnings
    assert Parsed(every_result()["band"]._repr_html_()).all("pre")[0].text.count(warning) == 1


def test_untrusted_names_are_text():
    y = np.array([EVIL, "well"] * 5)
    comparison = rs.compare_auc(y, {EVIL: np.arange(10), "b": -np.arange(10)}, pos_label=EVIL)
    assert "<img" not in comparison._repr_html_()
    assert "&lt;img" in comparison._repr_html_()


def test_pages_of_a_notebook_are_small(cases):
    comparison = rs.compare_auc(cases[0], {"a": cases[1], "b": cases[2]})
    page = comparison.explore()
    shown = page._repr_html_()
    assert len(shown.encode()) < 120_000
    (frame,) = Parsed(shown).all("iframe")
    assert frame.attributes["srcdoc"] == page.html
    assert len(Parsed(page.html).figures()) == 1
    assert f"{comparison.pairs[0].difference:+.4f}" in frame.attributes["srcdoc"]


def test_a_curve_is_explored(curve):
    page = curve.explore()
    found = Parsed(page.html)
    assert len(found.all("section", **{"data-kind": "explorer"})) == 1
    assert len(found.titles) == 1


def test_averages_are_explored_through_their_comparison(cases):
    y, a, _, fold = cases
    roc = rs.average_roc(y, a, fold=fold)
    pages = [result.explore().html for result in (roc, roc.compare_to(3), roc.indifference_region(3))]
    sections = [Parsed(page).data["s1-data"] for page in pages]
    assert [sent.pop("start") for sent in sections] == [roc.select(), 3, 3]  # a comparison is about its point
    assert sections[0] == sections[1] == sections[2]


def test_other_results_have_their_report(cases):
    found = Parsed(rs.auc(*cases[:2]).explore().html)
    assert found.titles == ["Areas"]


def test_a_notebook_shows_the_page_in_a_frame_of_its_own(curve, monkeypatch):
    monkeypatch.setattr(notebook, "find_spec", lambda name: None)
    page = curve.explore()
    (frame,) = Parsed(page._repr_html_()).all("iframe")
    assert frame.attributes["srcdoc"] == page.html
    assert frame.attributes["sandbox"] == "allow-scripts allow-downloads"
    assert repr(page) == (
        f"Page of {len(page.html) / 1e6:.1f} MB: show() opens it in a browser, save(path) writes it"
    )


def test_a_page_is_saved(curve, tmp_path):
    page = curve.explore()
    assert page.save(tmp_path / "x.html").read_text(encoding="utf-8") == page.html
    with pytest.raises(RocInputError, match=r"x\.html exists already; overwrite=True replaces it$"):
        page.save(tmp_path / "x.html")
    assert page.save(tmp_path / "x.html", overwrite=True).exists()


def test_without_the_extra_the_point_says_what_it_needs(curve, monkeypatch):
    monkeypatch.setattr(notebook, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    page = curve.explore()
    for name in ("point", "index"):
        with pytest.raises(rs.ResourceError) as error:
            getattr(page, name)
        assert (
            str(error.value) == "the point of an explorer needs anywidget: pip install 'rocscope[notebook]'"
        )


def test_a_page_is_opened_in_a_browser(curve, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(notebook.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(notebook.webbrowser, "open", opened.append)
    page = curve.explore()
    page.show()
    (file,) = tmp_path.iterdir()
    assert opened == [file.as_uri()]
    assert file.read_text(encoding="utf-8") == page.html


def test_several_classes_are_explored_with_the_panels_they_are_linked_to():
    rng = np.random.default_rng(2)
    y = np.arange(60) % 3
    p = rng.random((60, 3)) + np.eye(3)[y]
    roc = rs.average_roc(y, p, fold=np.arange(60) // 12, classes=[0, 1, 2], points=rng.random((9, 3)) + 0.3)
    for result in (roc, together(roc)):
        found = Parsed(result.explore().html)
        kinds = [one.attributes["data-kind"] for one in found.all("section")]
        assert kinds == ["plain", "explorer"]
        panels = [figure["shape"] for figure in found.figures()][-4:]  # after the decisions at one point
        assert panels == ["solid", "wide", "wide", "wide"]
        assert "The panels above show the point" in result.explore().html
        assert "click a point to find it again" in result.explore().html
        shown = result.explore()
        shown = shown._page if hasattr(shown, "_page") else shown.html
        assert Parsed(shown).figures() == found.figures()
        assert len(Parsed(shown).data["s2-data"]["panels"]) == 4


def test_labels_that_are_numbers_are_described_as_labels():
    y, score = [0, 0, 0, 1, 1, 1], [0.1, 0.4, 0.5, 0.35, 0.8, 0.9]
    assert "(3 of class 1, 3 of class 0)" in rs.roc_curve(y, score)._repr_html_()
    assert "(3 of class 1, 3 of class 0)" in rs.precision_recall(y, score)._repr_html_()
    roc = rs.average_roc(y, score, fold=[0, 0, 1, 0, 1, 1])
    assert "(3 of class 0, 3 of class 1)" in roc._repr_html_()
