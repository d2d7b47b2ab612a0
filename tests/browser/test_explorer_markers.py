"""One explorer for all scores of a page: the menu, the address, and what other sections are told."""

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import Explorer, until
from rocscope.reporting.explorer import explorer_section, merge
from rocscope.reporting.page import page as html_page

EVIL = "<img src=x onerror=alert(1)>&s1.point=3"


def cases(n=120):
    rng = np.random.default_rng(31)
    ill = np.arange(n) % 3 == 0
    markers = {name: np.round(np.exp(rng.normal(size=n) + ill), 1) for name in ("first", "second", EVIL)}
    return np.where(ill, "ill", "well"), markers, np.arange(n) // 3 % 5


Y, MARKERS, FOLD = cases()
CURVES = {name: rs.roc_curve(Y, score, pos_label="ill") for name, score in MARKERS.items()}
ROC = rs.average_roc(Y, MARKERS["first"], fold=FOLD, pos_label="ill")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    sections = [explorer_section(curve, name=name) for name, curve in CURVES.items()]
    sections.append(explorer_section(ROC, name="first"))
    path = tmp_path_factory.mktemp("markers") / "markers.html"
    path.write_text(html_page(merge(sections), title="Markers"))
    return path


@pytest.fixture
def page(open_page, file):
    page = open_page(file)
    yield page
    assert page.problems == []
    assert len(page.requests) == 1


def menu(page):
    return page.get_by_label("Marker", exact=True)


def running(page):
    return page.evaluate("[...rocscope.explorer.running.keys()]")


def test_the_menu_has_every_score_and_its_folds(page):
    names = menu(page).locator("option").all_inner_texts()
    assert names == ["first", "second", EVIL, "first, 5 folds"]
    assert page.locator("section.explorer").count() == 1
    assert page.locator("h2").inner_text() == "Operating point"


def test_an_explorer_is_made_when_its_marker_is_shown(page):
    assert running(page) == ["s1"]
    menu(page).select_option("second")
    assert running(page) == ["s1", "s1-1"]
    second = Explorer(page, "s1-1")
    assert second.point == CURVES["second"].select()
    assert second.matrix("confusion") == CURVES["second"].confusion()[second.point].tolist()
    assert page.locator(".explorer-plot").count() == 1


def test_every_marker_keeps_its_state(page):
    Explorer(page, "s1").press("Home", "ArrowRight", "p", "ArrowRight")
    menu(page).select_option("first, 5 folds")
    folds = Explorer(page, "s1-3")
    assert folds.point == ROC.select()
    folds.press("End")
    menu(page).select_option("first")
    first = Explorer(page, "s1")
    assert first.point == 2
    assert first.find(".explorer-compared").is_visible()
    menu(page).select_option("first, 5 folds")
    assert folds.point == len(ROC) - 1


def test_the_address_holds_the_marker_and_all_states(open_page, file, page):
    Explorer(page, "s1").press("Home")
    menu(page).select_option(EVIL)
    Explorer(page, "s1-2").press("End")
    until(page, "location.hash.includes('s1-2.point=')")
    assert "s1.marker=" in page.evaluate("location.hash")
    other = open_page(file, fragment=page.evaluate("location.hash"))
    assert menu(other).locator("option:checked").inner_text() == EVIL
    assert running(other) == ["s1-2"]  # the others are not made before they are shown
    assert Explorer(other, "s1-2").point == len(CURVES[EVIL]) - 1
    menu(other).select_option("first")
    assert Explorer(other, "s1").point == 0
    until(other, "!location.hash.includes('marker')")
    assert other.locator("img").count() == 0
    assert other.problems == []


def test_another_address_shows_another_marker(page):
    page.evaluate("location.hash = 's1.marker=second&s1-1.point=4'")
    until(page, "rocscope.explorer.running.has('s1-1')")
    until(page, "document.querySelector('.explorer-title').dataset.value === '4'")
    assert menu(page).locator("option:checked").inner_text() == "second"
    page.evaluate("location.hash = 's1.point=2'")
    until(page, "document.querySelector('.explorer-title').dataset.value === '2'")
    assert menu(page).locator("option:checked").inner_text() == "first"


def test_an_unknown_marker_is_ignored(open_page, file):
    page = open_page(file, fragment="#s1.marker=nobody&s1-7.point=3&s1.point=5")
    assert menu(page).locator("option:checked").inner_text() == "first"
    assert Explorer(page, "s1").point == 5
    assert page.problems == []


def test_the_copied_address_of_a_marker_leads_to_it(open_page, file, page):
    menu(page).select_option("second")
    second = Explorer(page, "s1-1").unfold()
    second.press("End")
    second.find(".explorer-link").click()
    address = second.find(".explorer-address").inner_text()
    assert "at=s1&" in address or address.endswith("at=s1")
    other = open_page(file, fragment="#" + address.partition("#")[2], height=500)
    until(other, "Math.abs(document.getElementById('s1').getBoundingClientRect().top) < 5")
    assert Explorer(other, "s1-1").point == len(CURVES["second"]) - 1


TOLD = """() => {
  globalThis.told = [];
  rocscope.explorer.onChange((one) => told.push(one));
}"""


def check_told(page, name, k):
    curve, last = CURVES[name], page.evaluate("told.at(-1)")
    assert (last["marker"], last["point"], last["threshold"]) == (name, k, curve.thresholds[k])
    assert last["counts"] == curve.confusion()[k].tolist()
    expected = rs.point_measures(Y, MARKERS[name], threshold=curve.thresholds[k], pos_label="ill").sensitivity
    found = last["measures"]["tpr"]
    assert [found[key] for key in ("value", "low", "high")] == pytest.approx(
        [expected.value, expected.low, expected.high]
    )


def test_other_sections_are_told_of_marker_and_point(page):
    page.evaluate(TOLD)
    check_told(page, "first", CURVES["first"].select())  # at once
    Explorer(page, "s1").press("Home", "ArrowRight", "ArrowRight")
    check_told(page, "first", 2)
    assert page.evaluate("rocscope.explorer.show('second')") is True
    assert menu(page).locator("option:checked").inner_text() == "second"
    check_told(page, "second", CURVES["second"].select())
    told = page.evaluate("told.length")
    page.evaluate("rocscope.explorer.running.get('s1').store.set({point: 7})")  # hidden
    assert page.evaluate("told.length") == told
    assert page.evaluate("rocscope.explorer.show('nobody')") is False
    check_told(page, "second", CURVES["second"].select())
    Explorer(page, "s1-1").type("Prevalence", "0.1")
    assert page.evaluate("told.at(-1).prevalence") == 0.1


def test_one_score_alone_has_no_menu(open_page, tmp_path):
    path = tmp_path / "one.html"
    path.write_text(html_page(merge([explorer_section(CURVES["first"], name="first")]), title="One"))
    page = open_page(path)
    assert page.locator("select").filter(has=page.locator("option", has_text="first")).count() == 0
    page.evaluate(TOLD)
    check_told(page, "first", CURVES["first"].select())


def test_many_markers_open_fast(open_page, tmp_path):
    rng = np.random.default_rng(3)
    y = np.arange(200) % 2
    curves = {f"marker {k}": rs.roc_curve(y, rng.normal(size=200) + y * k / 9) for k in range(24)}
    path = tmp_path / "many.html"
    path.write_text(
        html_page(merge([explorer_section(one, name=name) for name, one in curves.items()]), title="24")
    )
    page = open_page(path)
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    print(f"\n24 markers: interactive after {ready:.0f} ms")  # noqa: T201
    assert ready < 20_000  # printed to be read
    assert running(page) == ["s1"]
    assert page.evaluate("document.documentElement.scrollHeight") < 3000
