"""The script of the widget in a real browser, with a model that stands for the kernel."""

from importlib.resources import files

import numpy as np
import pytest

import rocscope as rs
from rocscope.reporting import notebook

Y = np.arange(60) % 2
CURVE = rs.roc_curve(Y, np.round(np.random.default_rng(5).normal(size=60) + 1.5 * Y, 1))
# What a kernel does: it keeps values and tells those who listen that they were changed.
HOST = """
<!DOCTYPE html><title>host</title><div id="place"></div>
<script type="module">
const values = { index: __INDEX__, _page: __PAGE__ };
const listeners = new Map();
window.saved = [];
window.model = {
  get: (name) => values[name],
  set(name, value) { values[name] = value; listeners.get(`change:${name}`)?.(); },
  on: (name, listener) => listeners.set(name, listener),
  off: (name) => listeners.delete(name),
  save_changes: () => window.saved.push(values.index),
};
__SCRIPT__
window.stop = render({ model: window.model, el: document.getElementById("place") });
</script>
"""


@pytest.fixture
def host(browser, tmp_path):
    widget = CURVE.explore()
    shown = notebook.Explorer(getattr(widget, "_shown", widget)._sections, "made")
    script = files("rocscope.reporting").joinpath("assets/widget.js").read_text(encoding="utf-8")
    parts = {
        "__INDEX__": "3",
        "__PAGE__": notebook.page.json_text(shown.widget_html()),
        "__SCRIPT__": script.replace("export default { render };", ""),
    }
    text = HOST
    for name, value in parts.items():
        text = text.replace(name, value)
    path = tmp_path / "host.html"
    path.write_text(text, encoding="utf-8")
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    yield page
    assert errors == []
    page.close()


def valuetext(page):
    frame = page.frame_locator("iframe")
    return frame.locator('[role="slider"]').first.get_attribute("aria-valuenow")


def test_the_frame_begins_at_the_index_of_the_model_and_follows_it(host):
    host.wait_for_function("window.model !== undefined")
    slider = host.frame_locator("iframe").locator('[role="slider"]').first
    slider.wait_for()
    host.wait_for_timeout(300)
    assert slider.get_attribute("aria-valuenow") == "3"
    host.evaluate("window.model.set('index', 7)")
    host.wait_for_timeout(300)
    assert slider.get_attribute("aria-valuenow") == "7"
    assert host.evaluate("window.saved") == []  # what it was told it does not tell


def test_a_point_that_is_selected_reaches_the_model(host):
    slider = host.frame_locator("iframe").locator('[role="slider"]').first
    slider.focus()
    before = host.evaluate("window.model.get('index')")
    slider.press("ArrowRight")
    host.wait_for_function("window.saved.length > 0")
    assert abs(host.evaluate("window.model.get('index')") - before) == 1
    assert host.evaluate("window.saved.length") == 1


def test_the_frame_is_as_high_as_its_page(host):
    host.frame_locator("iframe").locator('[role="slider"]').first.wait_for()
    host.wait_for_timeout(300)
    height = host.evaluate("document.querySelector('iframe').offsetHeight")
    assert 500 < height <= 1600
    assert height != 900


def test_messages_of_others_are_not_heard(host):
    host.frame_locator("iframe").locator('[role="slider"]').first.wait_for()
    host.wait_for_timeout(300)
    host.evaluate("window.postMessage({ rocscope: { index: 9, height: 10 } }, '*')")
    host.wait_for_timeout(200)
    assert host.evaluate("window.model.get('index')") == 3
    host.evaluate("window.stop()")
