"""Linked panels of several classes: the point of the explorer stands out in every panel."""

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import Explorer, until
from rocscope.reporting import report

NAMES = ["ape", "bee", "cat"]
PAIRS = [("ape", "bee"), ("ape", "cat"), ("bee", "cat")]
SPOTS = """(id) => [...document.querySelectorAll(`#${id} [data-linked] .plot`)].map((div) => {
  const last = (div.data ?? []).at(-1);
  if (last?.meta?.role !== "spot") return null;
  return { at: [last.x[0], last.y[0], ...(last.z ? [last.z[0]] : [])], type: last.type, marker: last.marker };
})"""


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
    until(page, "[...document.querySelectorAll('[data-linked] .plot')].every((div) => div.data)")
    return page


@pytest.fixture
def explorer(opened):
    yield Explorer(opened, opened.evaluate("[...rocscope.explorer.running.keys()][0]"))
    assert opened.problems == []


def places(k):
    errors = {name: ROC.measure(f"error({name})")[k] for name in NAMES}
    return [list(errors.values()), *([errors[a], errors[b]] for a, b in PAIRS)]


def spots(page):
    section = page.evaluate("document.querySelector('[data-linked]').closest('section').id")
    return page.evaluate(SPOTS, section)


def wait_for(page, k):
    expected = places(k)[1]
    wording = "document.querySelectorAll('[data-linked] .plot')[1].data.at(-1)"
    until(page, f"Math.abs({wording}.x[0] - {expected[0]}) + Math.abs({wording}.y[0] - {expected[1]}) < 1e-9")


@pytest.mark.parametrize("k", [4, 33, 61])
def test_the_point_of_the_explorer_lights_up_in_every_panel(explorer, opened, k):
    explorer.running(f"x.store.set({{point: {k}}});")
    wait_for(opened, k)
    found = spots(opened)
    assert [spot["type"] for spot in found] == ["scatter3d", "scatter", "scatter", "scatter"]
    for spot, expected in zip(found, places(k), strict=True):
        np.testing.assert_allclose(spot["at"], expected, rtol=1e-12)
        assert spot["marker"]["size"] > 10
        assert spot["marker"]["line"]["width"] > 0
        # A shape that is drawn everywhere: "x" in three dimensions is a letter that fonts may lack.
        assert spot["marker"]["symbol"] == "circle"


def test_a_point_touched_in_a_panel_is_chosen_in_the_explorer(explorer, opened):
    explorer.running("x.store.set({point: 2});")
    wait_for(opened, 2)
    opened.evaluate(
        """() => {
          const div = document.querySelectorAll("[data-linked] .plot")[1];
          const curve = div.data.findIndex((trace) => trace.meta?.role === "point");
          div.emit("plotly_click", { points: [{ data: div.data[curve], pointNumber: 50 }] });
        }"""
    )
    wait_for(opened, 50)
    assert explorer.point == 50


def test_turning_the_box_outlasts_a_move(explorer, opened):
    """The box is turned by the mouse, and stands so when the figure is drawn again."""
    eye = "document.querySelector('[data-linked] .plot')._fullLayout.scene._scene.getCamera().eye"
    plot = opened.locator("[data-linked] .plot").first
    plot.scroll_into_view_if_needed()
    before, box = opened.evaluate(eye), plot.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 200
    for step in range(-1, 8):  # slowly: the box looks at the mouse when it is drawn
        opened.mouse.move(x + 15 * max(step, 0), y + 3 * max(step, 0))
        opened.wait_for_timeout(50)
        if step < 0:
            opened.mouse.down()
    opened.mouse.up()
    until(opened, f"Math.abs({eye}.y - {before['y']}) > 0.1")
    turned, now = None, opened.evaluate(eye)
    for _ in range(100):  # a busy machine draws the last moves later
        opened.wait_for_timeout(200)
        turned, now = now, opened.evaluate(eye)
        if now == turned:
            break
    assert now == turned
    explorer.running("x.store.set({point: 20});")
    wait_for(opened, 20)
    after = opened.evaluate(eye)
    assert [after[k] for k in "xyz"] == pytest.approx([turned[k] for k in "xyz"], abs=0.02)
    assert abs(after["y"] - before["y"]) > 0.1


def test_the_mark_is_seen(explorer, opened):
    """Pixels of the mark's colour are in the picture of the box, more of them than before."""
    box = opened.locator("[data-linked] .plot").first
    count = """async (div) => {
      const url = await Plotly.toImage(div, { format: "png", width: 500, height: 500 });
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 500;
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, 500, 500);
      let seen = 0;
      for (let k = 0; k < data.length; k += 4) {
        seen += Math.abs(data[k] - 213) + Math.abs(data[k + 1] - 94) + Math.abs(data[k + 2]) < 60;
      }
      return seen;
    }"""
    explorer.running("x.store.set({point: 10});")
    wait_for(opened, 10)
    box.scroll_into_view_if_needed()
    assert box.evaluate(count) > 150
