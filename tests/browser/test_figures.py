"""Figures of the page: marks at their places, legends that switch, numbers under the pointer, saved files."""

import re
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import rocscope as rs
from browser.explorers import until
from every_mark import EVERY_MARK
from rocscope import plotting
from rocscope.plotting.marks import Axis, ErrorBars, Line, Panel, Panel3, Picture, Points, Points3
from rocscope.reporting.page import page as page_html
from rocscope.reporting.sections import Plot, Section

EVIL = "</text><script>window.hacked=1</script>"
Y = np.arange(80) % 2
SCORE = np.round(np.random.default_rng(2).normal(size=80) + 1.2 * Y, 2)
CURVES = {name: rs.roc_curve(Y, SCORE + shift) for name, shift in (("a", 0.0), (EVIL, 3.0))}
DRAWN = "[...document.querySelectorAll('[data-figure]')].every((div) => div.dataset.drawn !== undefined)"
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def alone(mark):
    """A mark on axes from 0 to 2 that turn nothing round."""
    axes = {"x": Axis(label="across", low=0.0, high=2.0), "y": Axis(label="up", low=0.0, high=2.0)}
    return Panel(marks=(mark,), legend="below", title=type(mark).__name__, **axes)


def solid():
    at = np.array([0.1, 0.5, 0.9])
    points = Points3(x=at, y=at[::-1], z=at, role="point", label="cloud")
    axes = {name: Axis(label=f"axis {name}", low=0.0, high=1.0) for name in "xyz"}
    return Panel3(marks=(points,), legend="below", title="box", **axes)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    pictures = [
        ("every", Picture(panels=tuple(map(alone, EVERY_MARK)), columns=3)),
        ("curves", plotting.curves(CURVES)),
        ("box", Picture(panels=(solid(),))),
    ]
    sections = [
        Section(title=f"Section {name}", body=(Plot(picture=picture, reading="What is seen.", name=name),))
        for name, picture in pictures
    ]
    file = tmp_path_factory.mktemp("figures") / "figures.html"
    file.write_text(page_html(sections, title="My page"), encoding="utf-8")
    return file


@pytest.fixture
def opened(open_page, path):
    page = open_page(path, accept_downloads=True)
    for place in page.locator("[data-figure]").all():
        place.scroll_into_view_if_needed()
    until(page, DRAWN)
    yield page
    assert page.problems == []
    assert page.evaluate("window.hacked") is None


def named(page, name):
    return page.locator(f'[data-name="{name}"]')


def axes_of(plot):
    """Pixels of a place, read from the ticks that are seen."""
    scales = []
    for axis, attribute in (("x", "x"), ("y", "y")):
        ticks = plot.locator(f".{axis}-tick tspan").evaluate_all(
            "(all, name) => all.map((one) => [Number(one.textContent), Number(one.getAttribute(name))])",
            attribute,
        )
        values, places = np.array(ticks, dtype=float).T
        slope, start = np.polyfit(values, places, 1)
        shift = 0.0 if axis == "x" else -0.35 * 12  # a text stands on its line
        scales.append(lambda value, slope=slope, start=start + shift: start + slope * np.asarray(value))
    return scales


def numbers(plot, selector):
    return [
        list(map(float, NUMBER.findall(d)))
        for d in plot.locator(selector).evaluate_all("(all) => all.map((one) => one.getAttribute('d'))")
    ]


# Where the corners of each kind of mark are, by its own numbers.
EXPECTED = {
    "Line": lambda m: list(zip(m.x, m.y, strict=True)),
    "ShadedLine": lambda m: list(zip(m.x, m.y, strict=True)),
    "Band": lambda m: [*zip(m.x, m.low, strict=True), *zip(m.x[::-1], m.high[::-1], strict=True)],
    "ErrorBars": lambda m: [
        end for k in range(len(m.x)) for end in ((m.x_low[k], m.y[k]), (m.x_high[k], m.y[k]))
    ],
}


@pytest.mark.parametrize("k", range(len(EVERY_MARK)), ids=[type(mark).__name__ for mark in EVERY_MARK])
def test_every_mark_is_drawn_at_its_place(opened, k):
    mark, kind = EVERY_MARK[k], type(EVERY_MARK[k]).__name__
    plot = named(opened, f"every-{k}" if k else "every")
    x, y = axes_of(plot)
    group = plot.locator(".mark")
    assert group.get_attribute("data-role") == mark.role
    if kind in EXPECTED:
        (found,) = numbers(plot, ".mark path")
        expected = [(float(x(a)), float(y(b))) for a, b in EXPECTED[kind](mark)]
        np.testing.assert_allclose(np.reshape(found, (-1, 2)), expected, atol=0.15)
        return
    box = group.evaluate(
        "(one) => { const { x, y, width, height } = one.getBBox(); return [x, y, x + width, y + height]; }"
    )
    r = 7.5 * 96 / 72 / 2  # the radius of the marker
    corners = {
        "Points": lambda: (
            x(mark.x.min()) - r,
            y(mark.y.max()) - r,
            x(mark.x.max()) + r,
            y(mark.y.min()) + r,
        ),
        "Bars": lambda: (x(mark.low.min()), y(mark.length.max()), x(mark.high.max()), y(0)),
        "HeatMap": lambda: (x(0), y(2), x(2), y(0)),  # with the ground that is seen where cells are missing
        "ReferenceLine": lambda: (x(0.5), y(2), x(0.5), y(0)),
    }
    if kind in corners:
        np.testing.assert_allclose(box, [float(one) for one in corners[kind]()], atol=0.6)
    else:
        assert kind == "Text"
        left, top, _, bottom = box
        assert abs(left - x(0.5)) < 3
        assert abs((top + bottom) / 2 - y(0.5)) < 3
        assert group.text_content() == "entry"


def test_cells_of_a_map_have_their_colours(opened):
    k = next(k for k, mark in enumerate(EVERY_MARK) if type(mark).__name__ == "HeatMap")
    plot = named(opened, f"every-{k}")
    fills = plot.locator(".mark path").evaluate_all("(all) => all.map((one) => one.getAttribute('fill'))")
    assert set(fills) == {"#440154", "#fde725"}
    assert plot.locator(".scale-label").text_content() == "entry"


def test_the_legend_switches_marks_off_and_on(opened):
    plot = named(opened, "curves")
    curve = plot.locator('.mark[data-role="curve"]')
    entries = plot.get_by_role("button", name="Show ")
    assert entries.count() == 3
    assert curve.count() == 2
    entry = plot.locator("[data-entry]").nth(1)
    entry.click()
    assert curve.count() == 1
    assert plot.locator("[data-entry]").nth(1).get_attribute("aria-pressed") == "false"
    opened.keyboard.press("Enter")  # the focus has stayed
    assert curve.count() == 2
    assert plot.locator("[data-entry]").nth(1).evaluate("(one) => one === document.activeElement")
    opened.keyboard.press("Tab")
    opened.keyboard.press("Space")
    assert curve.count() == 1
    assert plot.locator("[data-entry]").nth(2).text_content().startswith(EVIL)


def test_bands_have_one_switch_and_go_with_their_curves(open_page, tmp_path):
    bands = {name: rs.roc_band(Y, SCORE, n_boot=100, rng=1) for name in CURVES}
    picture = plotting.curves(CURVES, bands=bands, points={"a": [5]})
    file = tmp_path / "bands.html"
    text = page_html([Section(title="A", body=(Plot(picture=picture, reading="r", name="p"),))], title="t")
    file.write_text(text, encoding="utf-8")
    page = open_page(file)
    until(page, DRAWN)
    plot = named(page, "p")

    def shown():
        return [plot.locator(f'.mark[data-role="{role}"]').count() for role in ("curve", "band", "selected")]

    entries = plot.locator("[data-entry]")
    assert (shown(), entries.count()) == ([2, 2, 1], 4)
    entries.nth(1).click()
    assert shown() == [2, 0, 1]
    entries.nth(1).click()
    entries.nth(2).click()
    assert shown() == [1, 1, 0]
    assert page.problems == []


def pixels(page, name, k):
    """Where vertex k of the first curve is in the window."""
    return page.evaluate(
        """([name, k]) => {
          const div = document.querySelector(`[data-name="${name}"]`);
          const { figure } = rocscope.figure(div.closest("section"), name);
          const mark = figure.marks.find((one) => one.role === "curve");
          const { at } = rocscope.drawing.arrange(figure, { width: div.clientWidth });
          const box = div.getBoundingClientRect();
          return [box.left + at.x(mark.x[k]), box.top + at.y(mark.y[k])];
        }""",
        [name, k],
    )


def lines(plot):
    return plot.locator(".tip div").all_text_contents()


def test_pointing_at_a_curve_shows_its_threshold(opened):
    plot, curve = named(opened, "curves"), CURVES["a"]
    plot.scroll_into_view_if_needed()
    plot.locator("[data-entry]").nth(2).click()  # both curves are the same but for their thresholds
    for k in (3, 11, 30):
        opened.mouse.move(*pixels(opened, "curves", k))
        found = lines(plot)
        assert found[0].startswith("a (AUC = ")
        assert f"False positive rate: {curve.fpr[k]:.4g}" in found
        assert f"True positive rate: {curve.tpr[k]:.4g}" in found
        assert f"Threshold: {curve.thresholds[k]:.4g}" in found
    (x1, y1), (x2, y2) = (pixels(opened, "curves", k) for k in (len(curve) - 2, len(curve) - 1))
    opened.mouse.move(0.7 * x1 + 0.3 * x2, 0.7 * y1 + 0.3 * y2)  # on the line between two vertices
    assert f"Threshold: {curve.thresholds[-2]:.4g}" in lines(plot)
    opened.mouse.move(5, 5)
    assert plot.locator(".tip").is_hidden()


def test_keys_go_from_vertex_to_vertex(opened):
    plot = named(opened, "curves")
    plot.locator("> svg").focus()
    opened.keyboard.press("ArrowRight")
    first = lines(plot)
    opened.keyboard.press("ArrowRight")
    assert lines(plot) != first
    assert lines(plot)[0] == first[0]
    opened.keyboard.press("Escape")
    assert plot.locator(".tip").is_hidden()


def test_a_tap_shows_the_numbers(open_page, path):
    page = open_page(path, width=390, height=844, has_touch=True, is_mobile=True)
    plot = named(page, "curves")
    plot.scroll_into_view_if_needed()
    until(page, """document.querySelector('[data-name="curves"]').dataset.drawn !== undefined""")
    page.touchscreen.tap(*pixels(page, "curves", 11))
    assert any(line.startswith("Threshold: ") for line in lines(plot))
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390


def test_the_box_turns_by_keys_and_by_the_mouse(opened):
    plot = named(opened, "box")
    places = "(one) => [...one.querySelectorAll('[data-role=point]')].map((p) => p.getAttribute('d')).join()"
    seen = [plot.evaluate(places)]
    assert seen[0].count("z") == 3
    plot.locator("> svg").focus()
    for key in ("ArrowLeft", "ArrowUp"):
        opened.keyboard.press(key)
        opened.wait_for_timeout(100)
        seen.append(plot.evaluate(places))
    box = plot.bounding_box()
    opened.mouse.move(box["x"] + 200, box["y"] + 200)
    opened.mouse.down()
    opened.mouse.move(box["x"] + 280, box["y"] + 220, steps=4)
    opened.mouse.up()
    opened.wait_for_timeout(100)
    seen.append(plot.evaluate(places))
    assert len(set(seen)) == 4


def test_near_points_of_the_box_hide_far_ones(opened):
    """From above the points of the cloud are drawn from the lowest to the highest."""
    plot = named(opened, "box")
    plot.locator("> svg").focus()
    for _ in range(12):
        opened.keyboard.press("ArrowUp")
    opened.wait_for_timeout(150)
    widths = plot.locator("[data-role=point]").evaluate_all("(all) => all.map((p) => p.getBBox().width)")
    assert widths == sorted(widths)


@pytest.mark.parametrize("name", ["every", "curves", "box"])
def test_a_figure_is_saved_as_svg(opened, name):
    plot = named(opened, name)
    with opened.expect_download() as saved:
        plot.get_by_role("button", name="Save as SVG").click()
    assert re.fullmatch(rf"my-page_section-{name}(_[a-z-]+)?\.svg", saved.value.suggested_filename)
    root = ElementTree.parse(saved.value.path()).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert float(root.get("width")) >= 480
    text = "".join(root.itertext())
    assert {"every": "entry", "curves": "False positive rate", "box": "axis z"}[name] in text
    assert not root.findall(".//{*}script")
    assert not [one for one in root.iter() if "role" in one.attrib or "tabindex" in one.attrib]
    if name == "curves":
        assert EVIL in text


def test_a_figure_is_saved_as_png_on_white_in_dark_colours(open_page, path):
    page = open_page(path, color_scheme="dark", accept_downloads=True)
    plot = named(page, "curves")
    plot.scroll_into_view_if_needed()
    until(page, """document.querySelector('[data-name="curves"]').dataset.drawn !== undefined""")
    stroke = plot.locator('.mark[data-role="curve"] path').first.get_attribute("stroke")
    with page.expect_download() as saved:
        plot.get_by_role("button", name="Save as PNG").click()
    assert saved.value.suggested_filename == "my-page_section-curves.png"
    picture = np.asarray(Image.open(BytesIO(saved.value.path().read_bytes())).convert("RGB")).astype(int)
    assert picture.shape[1] >= 2 * 480
    assert (picture[0, 0] == 255).all()
    assert stroke == "#4CA6DB"
    assert (np.abs(picture - [0xD5, 0x5E, 0x00]).sum(axis=2) < 20).sum() > 500
    assert page.problems == []


def test_the_theme_changes_the_colours_and_paper_is_white(opened):
    line = named(opened, "curves").locator('.mark[data-role="curve"] path').first
    assert line.get_attribute("stroke") == "#0072B2"
    opened.locator("#theme").click()
    assert line.get_attribute("stroke") == "#4CA6DB"
    opened.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert line.get_attribute("stroke") == "#0072B2"
    widths = opened.locator(".plot > svg").evaluate_all("(all) => all.map((one) => one.clientWidth)")
    assert max(widths) <= 640
    opened.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert line.get_attribute("stroke") == "#4CA6DB"


def test_bars_without_end_reach_the_edge(open_page, tmp_path):
    bars = ErrorBars(
        x=np.ones(1), y=np.ones(1), x_low=np.array([0.5]), x_high=np.array([np.inf]), role="estimate"
    )
    section = Section(title="A", body=(Plot(picture=Picture(panels=(alone(bars),)), reading="r", name="p"),))
    file = tmp_path / "bars.html"
    file.write_text(page_html([section], title="t"), encoding="utf-8")
    page = open_page(file)
    until(page, DRAWN)
    x, _ = axes_of(named(page, "p"))
    (found,) = numbers(named(page, "p"), ".mark path")
    assert found[0] == pytest.approx(float(x(0.5)), abs=0.15)
    assert found[2] > float(x(2.0))


def test_a_page_of_points_and_gaps(open_page, tmp_path):
    """Numbers that are missing interrupt a line and leave out a point."""
    values = np.array([0.2, np.nan, 0.8, 1.5])
    marks = (Line(x=values, y=values, role="curve"), Points(x=values, y=values, role="point"))
    picture = Picture(panels=(Panel(marks=marks, x=Axis(low=0.0, high=2.0), y=Axis(low=0.0, high=2.0)),))
    file = tmp_path / "gaps.html"
    text = page_html([Section(title="A", body=(Plot(picture=picture, reading="r", name="p"),))], title="t")
    file.write_text(text, encoding="utf-8")
    page = open_page(file)
    until(page, DRAWN)
    line, points = (
        named(page, "p")
        .locator(".mark path")
        .evaluate_all("(all) => all.map((one) => one.getAttribute('d'))")
    )
    assert (line.count("M"), line.count("L")) == (2, 1)
    assert points.count("z") == 3
    assert page.problems == []
