"""Linked panels of several classes: the point of the explorer stands out in every panel."""

import io

import numpy as np
import pytest
from PIL import Image

import rocscope as rs
from browser.explorers import Explorer, until
from rocscope.reporting import report

NAMES = ["ape", "bee", "cat"]
PAIRS = [("ape", "bee"), ("ape", "cat"), ("bee", "cat")]
PANELS = "[...document.querySelectorAll('[data-linked] .plot')]"
MARKS = """(div) => rocscope.figure(div.closest("section"), div.dataset.name).figure.marks"""
SPOTS = f"""() => {PANELS}.map((div) => {{
  const last = ({MARKS})(div).at(-1);
  if (last.role !== "spot") return null;
  return {{ at: [last.x[0], last.y[0], ...(last.z ? [last.z[0]] : [])], size: last.size, rim: last.rim }};
}})"""


def averaged():
    rng = np.random.default_rng(9)
    codes = rng.integers(0, 3, 210)
    output = rng.random((210, 3)) + 0.5 * np.eye(3)[codes]
    y = np.array(NAMES)[codes]
    return rs.average_roc(y, output, fold=np.arange(210) % 5, classes=NAMES, points=70)


ROC = averaged()


@pytest.fixture(scope="module")
def opened(open_page, tmp_path_factory):
    path = report(ROC.compare_to(ROC.select()), path=tmp_path_factory.mktemp("links") / "links.html")
    page = open_page(path)
    page.locator("[data-linked]").scroll_into_view_if_needed()
    until(page, f"{PANELS}.every((div) => div.dataset.drawn !== undefined)")
    return page


@pytest.fixture
def explorer(opened):
    yield Explorer(opened, opened.evaluate("[...rocscope.explorer.running.keys()][0]"))
    assert opened.problems == []


def places(k):
    errors = {name: ROC.measure(f"error({name})")[k] for name in NAMES}
    return [list(errors.values()), *([errors[a], errors[b]] for a, b in PAIRS)]


def wait_for(page, k):
    x, y = places(k)[1]
    last = f"({MARKS})({PANELS}[1]).at(-1)"
    until(page, f"Math.abs({last}.x[0] - {x}) + Math.abs({last}.y[0] - {y}) < 1e-9")


@pytest.mark.parametrize("k", [4, 33, 61])
def test_the_point_of_the_explorer_lights_up_in_every_panel(explorer, opened, k):
    explorer.running(f"x.store.set({{point: {k}}});")
    wait_for(opened, k)
    found = opened.evaluate(SPOTS)
    for spot, expected in zip(found, places(k), strict=True):
        np.testing.assert_allclose(spot["at"], expected, rtol=1e-12)
        assert spot["size"] > 10
        assert spot["rim"] == "#000000"
    assert opened.locator("[data-linked] .plot [data-role=spot]").count() == 4


def test_a_point_touched_in_a_panel_is_chosen_in_the_explorer(explorer, opened):
    explorer.running("x.store.set({point: 2});")
    wait_for(opened, 2)
    alone = lonely()
    plot = opened.locator("[data-linked] .plot").nth(1)
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    x, y = place_in_panel(opened, 1, *places(alone)[1])
    opened.mouse.click(box["x"] + x, box["y"] + y)
    wait_for(opened, alone)
    assert explorer.point == alone


def lonely():
    """The point of the first pair of classes that is farthest from all others."""
    at = np.array([places(k)[1] for k in range(len(ROC))])
    apart = np.linalg.norm(at[:, np.newaxis] - at, axis=2) + 9 * np.eye(len(at))
    return int(apart.min(axis=1).argmax())


def place_in_panel(page, panel, x, y):
    """Pixels of a place, by the same axes that the panel is drawn on."""
    return page.evaluate(
        f"""([k, x, y]) => {{
          const div = {PANELS}[k];
          const {{ figure }} = rocscope.figure(div.closest("section"), div.dataset.name);
          const {{ at }} = rocscope.drawing.arrange(figure, {{ width: div.clientWidth }});
          return [at.x(x), at.y(y)];
        }}""",
        [panel, x, y],
    )


# Where the end of the first axis of the box is: it moves when the box is turned.
TICKS = """[...document.querySelector('[data-linked] .plot').querySelectorAll('.x-tick tspan')]
  .map((one) => [one.getAttribute('x'), one.getAttribute('y')].join())"""


def test_turning_the_box_outlasts_a_move(explorer, opened):
    """The box is turned by the mouse, and stands so when the figure is drawn again."""
    plot = opened.locator("[data-linked] .plot").first
    plot.scroll_into_view_if_needed()
    before, box = opened.evaluate(TICKS), plot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 200
    opened.mouse.move(x, y)
    opened.mouse.down()
    for step in range(8):
        opened.mouse.move(x + 15 * step, y + 3 * step)
    opened.mouse.up()
    opened.wait_for_timeout(200)
    turned = opened.evaluate(TICKS)
    assert turned != before
    explorer.running("x.store.set({point: 20});")
    wait_for(opened, 20)
    assert opened.evaluate(TICKS) == turned


@pytest.mark.parametrize("key", ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"])
def test_the_box_turns_by_keys(opened, key):
    plot = opened.locator("[data-linked] .plot").first
    plot.locator("> svg").focus()
    before = opened.evaluate(TICKS)
    opened.keyboard.press(key)
    until(opened, f"{TICKS}.join() !== {','.join(before)!r}")
    assert opened.evaluate("document.activeElement.tagName") == "svg"


def test_the_mark_is_seen(explorer, opened):
    """Pixels of the mark's colour are in the picture of the box."""
    explorer.running("x.store.set({point: 10});")
    wait_for(opened, 10)
    shot = opened.locator("[data-linked] .plot").first.screenshot()
    pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
    assert (np.abs(pixels - [213, 94, 0]).sum(axis=2) < 60).sum() > 80
