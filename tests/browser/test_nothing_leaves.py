"""Nothing leaves a page: every button of every section is clicked, and no request and no window follows."""

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import until
from rocscope.reporting import report

INSIDE = ("data:", "blob:")  # made in the page: a picture that is saved
DRAWN = "[...document.querySelectorAll('[data-figure]')].every((div) => div.dataset.drawn !== undefined)"


def every_kind_of_figure():
    """Curves, a forest plot, an explorer, linked panels and a box that turns."""
    rng = np.random.default_rng(3)
    y = np.arange(60) % 2
    score = y + rng.normal(size=60)
    codes = np.arange(90) % 3
    output = rng.random((90, 3)) + 0.6 * np.eye(3)[codes]
    classes = rs.average_roc(codes, output, fold=np.arange(90) // 30, classes=[0, 1, 2])
    return [rs.roc_curve(y, score), rs.auc(y, score), rs.point_measures(y, score, threshold=0.5), classes]


def leaving(page):
    """Record what leaves a page from now on: requests that are not its own, and windows it opens."""
    found = []
    page.context.on("page", lambda other: found.append(f"window {other.url}"))
    page.context.on("request", lambda request: found.append(f"request {request.url}"))
    return found


def outside(found):
    return [one for one in found if not one.split(" ", 1)[1].startswith(INSIDE)]


@pytest.fixture(scope="module")
def page(open_page, tmp_path_factory):
    path = report(*every_kind_of_figure(), path=tmp_path_factory.mktemp("leaving") / "all.html")
    page = open_page(path, height=700)
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    for place in page.locator("[data-figure]").all():  # figures are drawn when they come into sight
        place.scroll_into_view_if_needed()
    until(page, DRAWN)
    return page


def test_no_button_of_any_section_sends_anything(page):
    left = leaving(page)
    clicked = []
    for section in page.locator("section").all():
        buttons = section.locator("button, [role=button]").all()
        for button in [*buttons, *section.locator("summary").all()]:  # which folds buttons away
            name = (button.get_attribute("aria-label") or button.inner_text()).split(":")[0]
            if button.is_visible() and button.is_enabled():
                button.scroll_into_view_if_needed()
                button.click(force=True)
                clicked.append(name)
    page.locator("header button").click()
    page.wait_for_timeout(300)  # what a click has begun
    assert outside(left) == []
    assert {"Save as SVG", "Save as PNG", "Show Chance (AUC = 0.5)", "Copy as Python"} <= set(clicked)
    assert not [name for name in clicked if "share" in name.lower() or "cloud" in name.lower()]
    assert page.problems == []


def test_the_explorer_alone_opens_no_window_either(open_page, tmp_path):
    rng = np.random.default_rng(4)
    y = np.arange(40) % 2
    path = rs.roc_curve(y, y + rng.normal(size=40)).explore().save(tmp_path / "explorer.html")
    page = open_page(path)
    left = leaving(page)
    for button in page.locator("button").all():
        if button.is_visible() and button.is_enabled():
            button.click()
    assert page.evaluate("window.open('https://127.0.0.1:9/')") is None
    assert outside(left) == []
    assert page.problems == []


COVERED = """() => {
  const box = (node) => node.getBoundingClientRect();
  const hits = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return [...document.querySelectorAll(".panel.table [data-figure]")].map((div) => {
    const buttons = [...div.querySelectorAll("button")].map(box);
    const rows = [...div.querySelectorAll(".far, .mark, .y-tick")].map(box);
    return [buttons.length > 0, rows.length > 0, rows.some((row) => buttons.some((one) => hits(row, one)))];
  });
}"""


def test_the_buttons_cover_no_row_of_a_forest_plot(page):
    found = page.evaluate(COVERED)
    assert found == [[True, True, False]]  # of the area
