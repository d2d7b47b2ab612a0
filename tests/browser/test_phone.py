"""The report on a phone: nothing leaves the page, counts are seen whatever the classes are called."""

import itertools

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import Explorer, until
from rocscope.reporting import report

EVIL = "</script><img src=x onerror=alert(1)>_a_long_and_hostile_class_label"
LONG = "another class whose label has more than sixty characters, all of them"
WIDTH = 390

OUTSIDE = """(what) => [...document.querySelectorAll(what)].filter((node) => {
  const { left, right, width } = node.getBoundingClientRect();
  return width > 0 && (left < 0 || right > innerWidth + 0.5);
}).map((node) => node.textContent)"""
# A cell may lie inside of the page and yet be cut by a box that scrolls.
HIDDEN = """(what) => [...document.querySelectorAll(what)].filter((node) => {
  const box = node.closest(".scroll").getBoundingClientRect();
  const { right, width } = node.getBoundingClientRect();
  return width > 0 && right > box.right + 0.5;
}).map((node) => node.textContent)"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    rng = np.random.default_rng(2)
    ill = rng.random(300) < 0.4
    y, score = np.where(ill, EVIL, LONG), rng.normal(size=300) + 1.5 * ill
    other = rng.normal(size=300) + 1.5 * ill
    codes = rng.integers(0, 3, 150)
    output = rng.random((150, 3)) + 0.5 * np.eye(3)[codes]
    names = np.array([EVIL, LONG, "short"])
    three = rs.average_roc(names[codes], output, fold=np.arange(150) % 5, classes=names.tolist())
    given = {
        "three": three,
        "first": [
            rs.roc_curve(y, score, pos_label=EVIL),
            rs.average_roc(y, score, fold=np.arange(300) % 5, pos_label=EVIL),
        ],
        "second": rs.roc_curve(y, other, pos_label=EVIL),
    }
    return report(given, path=tmp_path_factory.mktemp("phone") / "hostile.html")


@pytest.fixture(scope="module", params=["light", "dark"])
def page(request, open_page, hostile):
    page = open_page(
        hostile, width=WIDTH, height=844, has_touch=True, is_mobile=True, color_scheme=request.param
    )
    for section in page.evaluate("[...rocscope.explorer.running.keys()]"):
        Explorer(page, section).press("p", "ArrowRight", "ArrowRight", "ArrowRight")
    return page


def test_the_page_is_no_wider_than_the_phone(page):
    assert page.evaluate("innerWidth") == WIDTH
    assert page.evaluate("document.scrollingElement.scrollWidth") <= WIDTH
    assert page.problems == []


def test_a_table_that_scrolls_says_so_until_its_end(page):
    box = "document.querySelector('section.summary .scroll')"
    assert page.evaluate(f"{box}.scrollWidth > {box}.clientWidth + 8")
    until(page, f"{box}.classList.contains('more-right')")
    page.evaluate(f"{box}.scrollLeft = {box}.scrollWidth")
    until(page, f"!{box}.classList.contains('more-right')")


def test_counts_and_measures_are_within_sight(page):
    cells = ".explorer-confusion td, .explorer-difference td, .explorer-measures td, .explorer-test td"
    assert page.locator(cells).count() > 100
    assert page.evaluate(OUTSIDE, cells) == []
    assert page.evaluate(HIDDEN, cells) == []


def test_long_labels_are_cut_and_described_in_full(page):
    names = page.locator(".explorer-confusion .explorer-name")
    assert set(names.evaluate_all("(all) => all.map((one) => one.title)")) == {EVIL, LONG, "short"}
    sizes = names.evaluate_all("(all) => all.map((one) => [one.clientHeight, one.scrollHeight])")
    assert all(seen < 80 for seen, _ in sizes)
    assert any(whole > seen for seen, whole in sizes)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0


TEXTS = """(div) => [...div.querySelectorAll(".note")].map((node) => {
  const { left, right, top, bottom } = node.getBoundingClientRect();
  return { left, right, top, bottom };
})"""


def test_texts_of_two_points_do_not_hide_each_other(open_page, tmp_path):
    """Two classifiers that are as good at almost the same point: both texts are read."""
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.5
    score = rng.normal(size=400) + 1.5 * y
    curves = {name: rs.roc_curve(y, score + 0.05 * rng.normal(size=400)) for name in ("one", "two", "three")}
    page = open_page(report(curves, path=tmp_path / "two.html"), width=WIDTH, height=844)
    until(page, "document.querySelectorAll('.plot .note').length >= 3")
    boxes = page.evaluate(f"({TEXTS})(document.querySelector('.plot'))")
    assert len(boxes) == 3
    for a, b in itertools.combinations(boxes, 2):
        beside = a["right"] <= b["left"] or b["right"] <= a["left"]
        above = a["bottom"] <= b["top"] + 1 or b["bottom"] <= a["top"] + 1
        assert beside or above
    assert all(box["left"] >= 0 and box["right"] <= WIDTH for box in boxes)


def test_nothing_glides(open_page, hostile):
    page = open_page(hostile)
    page.evaluate("document.documentElement.style.scrollBehavior = ''")
    for motion in ("reduce", "no-preference"):
        page.emulate_media(reduced_motion=motion)
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
