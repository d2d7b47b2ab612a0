"""Page one in the browser: markers and cut-off of the whole page, tables and texts to take away, paper."""

import csv
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest

import rocscope as rs
from rocscope.reporting import report

RNG = np.random.default_rng(11)
Y = np.arange(160) % 4 == 0
SCORES = {
    "weak": np.round(RNG.normal(size=160) + 0.7 * Y, 1),
    "strong": np.round(RNG.normal(size=160) + 1.5 * Y, 1),
}


@pytest.fixture(scope="module")
def two_markers(tmp_path_factory):
    analysis = rs.analyse(np.where(Y, "ill", "well"), SCORES, pos_label="ill", n_boot=200, rng=1)
    return report(analysis, path=tmp_path_factory.mktemp("summary") / "two.html", title="Two markers")


@pytest.fixture(scope="module")
def page(open_page, two_markers):
    return open_page(two_markers, width=1300, accept_downloads=True)


def counts(page):
    table = page.locator('[data-table="two-by-two"]')
    return table.locator("caption").inner_text(), [
        int(text) for text in table.locator("tbody td").all_inner_texts()
    ]


def table_of(score, index):
    curve = rs.roc_curve(Y, score)
    (tn, fp), (fn, tp) = curve.confusion()[index].tolist()
    return [tp, fp, tp + fp, fn, tn, fn + tn, tp + fn, fp + tn, 160]


def test_one_cut_off_on_the_whole_page(page):
    best = rs.roc_curve(Y, SCORES["strong"]).select(rule="youden")
    caption, cells = counts(page)
    assert caption == f"strong at the cut-off ≥ {best.threshold:.4g}"
    assert cells == table_of(SCORES["strong"], best.index)
    assert page.get_by_label("Marker").locator("option:checked").inner_text() == "strong"


def test_a_row_shows_its_marker_in_the_explorer_and_the_2x2_table(page):
    page.get_by_role("button", name="weak", exact=True).click()
    assert page.get_by_label("Marker").locator("option:checked").inner_text() == "weak"
    best = rs.roc_curve(Y, SCORES["weak"]).select(rule="youden")
    caption, cells = counts(page)
    assert caption.startswith("weak at the cut-off")
    assert cells == table_of(SCORES["weak"], best.index)
    slider = page.get_by_role("slider", name="Operating point").first
    slider.focus()
    slider.press("ArrowRight")
    assert counts(page)[1] == table_of(SCORES["weak"], best.index + 1)
    page.get_by_role("button", name="strong", exact=True).click()


def saved(page, button):
    with page.expect_download() as download:
        page.get_by_role("button", name=button, exact=True).first.click()
    return download.value.suggested_filename, download.value.path()


def test_tables_are_saved_with_a_telling_name(page):
    name, path = saved(page, "CSV: Markers, the largest area first")
    assert name == "two-markers_summary_markers-the-largest-area-first.csv"
    rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    assert rows[0][:3] == ["Marker", "AUC (95% CI)", "SE"]
    area = rs.auc(Y, SCORES["strong"])
    assert rows[1][:3] == ["strong", f"{area.value:.3f} ({area.low:.3f}–{area.high:.3f})", f"{area.se:.3f}"]
    assert [len(row) for row in rows] == [10] * 3


def test_no_two_files_have_the_same_name(page):
    names = page.evaluate("""() => [1, 2, 1].map((k) => rocscope.saving.fileName(
      document.querySelectorAll("section.summary table")[k - 1], "a table", "csv"))""")
    assert names[0] == names[2] == "two-markers_summary_a-table.csv"
    assert names[1] == "two-markers_summary_a-table-2.csv"


def test_a_workbook_holds_numbers_and_texts(page):
    openpyxl = pytest.importorskip("openpyxl")
    name, path = saved(page, "XLSX: Markers, the largest area first")
    assert name.endswith(".xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(path.read_bytes())).active
    rows = [[cell.value for cell in row] for row in sheet.rows]
    assert rows[1][0] == "strong"
    assert rows[1][2] == pytest.approx(rs.auc(Y, SCORES["strong"]).se, abs=5e-4)  # a number, not a text


def test_latex_is_escaped(page):
    _, path = saved(page, "LaTeX: Markers, the largest area first")
    text = path.read_text()
    assert text.startswith("\\begin{tabular}{lrrrrrrrrr}")
    assert "95\\% CI" in text
    assert "$\\geq$" in text


def test_texts_and_tables_are_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".quotation button").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("The AUC of strong was ")
    page.get_by_role("button", name="Copy: Markers, the largest area first").click()
    page.locator('button[aria-label^="Copy: Markers"]', has_text="Copied").wait_for()
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert [len(line.split("\t")) for line in lines] == [10] * 3
    html = "async () => (await (await navigator.clipboard.read())[0].getType('text/html')).text()"
    assert "<td>strong</td>" in page.evaluate(html)


def test_bands_are_switched_on_in_the_legend(page):
    figure = page.locator('section.summary [data-name="curves"]')
    entry = figure.get_by_role("button", name="95% pointwise intervals (fiducial)")
    assert entry.get_attribute("aria-pressed") == "false"
    entry.click()
    assert entry.get_attribute("aria-pressed") == "true"
    assert page.problems == []


def test_what_is_advanced_opens(page):
    section = page.locator("section", has=page.get_by_role("heading", name="Binormal fits"))
    assert not section.locator("table").is_visible()
    section.locator("summary").first.click()
    section.locator("svg").first.wait_for()
    assert section.locator("table").is_visible()


@pytest.mark.parametrize("what", ["the curve", "the scores"])
def test_pictures_of_the_explorer_are_saved_with_their_colours(page, what):
    name, path = saved(page, f"Save as SVG: {what}")
    assert name == f"two-markers_operating-point_strong-{what.split()[-1]}.svg"
    root = ElementTree.parse(path).getroot()
    assert float(root.get("width")) > 300
    drawn = [one.get("style") for one in root.iter() if one.tag.endswith("path") and one.get("d")]
    assert any("rgb(0, 114, 178)" in style for style in drawn)  # blue by the page's styles, now its own
    name, path = saved(page, f"Save as PNG: {what}")
    assert (name[-4:], path.read_bytes()[:8]) == (".png", b"\x89PNG\r\n\x1a\n")


CONTROLS = "button, input, select, textarea, summary, a, [role=slider], [role=button]"
UNNAMED = """(controls) => [...document.querySelectorAll(controls)]
  .filter((node) => node.checkVisibility())
  .filter((node) => {
    const ids = (node.getAttribute("aria-labelledby") ?? "").split(" ");
    const by = ids.map((id) => document.getElementById(id));
    const texts = [...by, ...(node.labels ?? []), node].map((one) => one?.textContent);
    return ![node.ariaLabel, node.title, ...texts].some((name) => name?.trim());
  })
  .map((node) => node.outerHTML.slice(0, 120))"""


def test_every_control_has_a_name(page):
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate(UNNAMED, CONTROLS) == []


def test_on_paper_it_is_short(open_page, two_markers):
    """The summary first, without buttons; two markers take at most five pages."""
    page = open_page(two_markers)
    document = page.pdf(format="A4")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b(?!s)", document)) <= 5
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    assert not page.get_by_role("button", name="CSV: Markers, the largest area first").is_visible()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_summary_of_two_markers_is_one_sheet(open_page, two_markers, paper):
    page = open_page(two_markers)
    page.evaluate("for (const one of document.querySelectorAll('section:not(.summary)')) one.remove()")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format=paper))) == 1


def test_two_markers_are_a_light_page(two_markers):
    assert two_markers.stat().st_size < 1_800_000


@pytest.fixture(scope="module")
def many_markers(open_page, tmp_path_factory):
    scores = {f"marker {k}": RNG.normal(size=160) + Y * k / 12 for k in range(24)}
    path = tmp_path_factory.mktemp("many") / "many.html"
    return open_page(report(rs.analyse(Y, scores, n_boot=100, rng=1), path=path), width=1300)


def test_many_markers_are_a_short_page(many_markers):
    page = many_markers
    assert page.evaluate("document.documentElement.scrollHeight") < 12_000
    assert page.get_by_label("Marker").locator("option").count() == 24
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 1300


def test_of_many_curves_the_best_three_have_a_colour(many_markers):
    figure = many_markers.locator('section.summary [data-name="curves"]')
    entries = figure.locator("[data-entry]").evaluate_all("(all) => all.map((one) => one.dataset.entry)")
    assert sum(text.startswith("marker ") for text in entries) == 3
    assert "21 other curves" in entries
