"""Places of a page: its links and addresses lead to their sections, and names change nothing around them."""

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import until
from rocscope.core.formatting import spelt
from rocscope.reporting import report

OVERRIDE = "ill\u202e) derm"
CONTROLS = "\x1b[31mwell\u2066"
LONG = "a very long name " * 600
HEIGHTS = "[...document.querySelectorAll('[data-figure]')].map((div) => div.getBoundingClientRect().height)"
DRAWN = "[...document.querySelectorAll('[data-figure]')].map((div) => div.dataset.drawn !== undefined)"
# Two frames in which nothing more is drawn: all that was to move has moved.
SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
  for (let [last, same] = ["", 0]; same < 6; ) {
    await frame();
    const drawn = document.querySelectorAll("[data-drawn]").length;
    const now = JSON.stringify([scrollY, document.body.scrollHeight, drawn]);
    [last, same] = [now, now === last ? same + 1 : 0];
  }
}"""


def cases(n=120):
    rng = np.random.default_rng(4)
    ill = np.arange(n) % 3 == 0
    return ill, rng.normal(size=n) + ill, rng.normal(size=n) + 1.5 * ill


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A page of many sections with figures of every shape."""
    ill, a, b = cases()
    given = {
        name: [
            rs.roc_curve(ill, score),
            rs.average_roc(ill, score, fold=np.arange(len(ill)) % 5),
            rs.precision_recall(ill, score),
            rs.fit_binormal(ill, score),
        ]
        for name, score in (("first", a), ("second", b))
    }
    compared = rs.compare_auc(ill, {"first": a, "second": b})
    return report(given, compared, path=tmp_path_factory.mktemp("places") / "places.html")


@pytest.fixture
def open_as_it_is(browser):
    """Open a page as its readers do: no style of it is changed."""
    contexts = []

    def open_one(path, *, fragment="", **options):
        contexts.append(browser.new_context(viewport={"width": 1200, "height": 800}, **options))
        page = contexts[-1].new_page()
        page.goto(path.as_uri() + fragment)
        return page

    yield open_one
    for context in contexts:
        context.close()


def top(page, href):
    return page.evaluate("(href) => document.querySelector(href).getBoundingClientRect().top", href)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_link_of_the_contents_leads_to_its_section(open_as_it_is, path, motion):
    page = open_as_it_is(path, reduced_motion=motion)
    for back in (2, 5):
        link = page.locator("nav a").nth(-back)
        link.click()
        page.evaluate(SETTLED)
        assert page.evaluate("scrollY") > 2000
        assert abs(top(page, link.get_attribute("href"))) < 3


def test_an_address_leads_to_its_section(open_as_it_is, path):
    number = path.read_text(encoding="utf-8").count("<section ") - 1
    page = open_as_it_is(path, fragment=f"#s{number}")
    page.evaluate(SETTLED)
    assert page.evaluate("scrollY") > 2000
    assert abs(top(page, f"#s{number}")) < 3


def test_a_figure_takes_the_room_that_was_kept_for_it(open_as_it_is, path):
    page = open_as_it_is(path)
    assert not all(page.evaluate(DRAWN))
    before = page.evaluate(HEIGHTS)
    for k in range(len(before)):
        page.locator("[data-figure]").nth(k).scroll_into_view_if_needed()
    until(page, f"{DRAWN}.every(Boolean)")
    page.evaluate(SETTLED)
    assert page.evaluate(HEIGHTS) == pytest.approx(before, abs=1)


def test_a_reader_who_goes_on_is_not_called_back(open_as_it_is, path):
    page = open_as_it_is(path, fragment="#s3")
    page.evaluate(SETTLED)
    page.mouse.move(600, 400)
    page.mouse.wheel(0, 3000)
    page.evaluate(SETTLED)
    assert top(page, "#s3") < -2500
    page.evaluate("document.querySelector('.section').style.paddingBottom = '90px'")
    page.evaluate(SETTLED)
    assert top(page, "#s3") < -2400


def test_a_place_is_kept_while_the_page_above_it_grows(open_as_it_is, path):
    page = open_as_it_is(path, fragment="#s3")
    page.evaluate(SETTLED)
    page.evaluate("document.body.style.overflowAnchor = 'none'")
    page.evaluate("document.querySelector('.section').style.paddingBottom = '290px'")
    page.evaluate(SETTLED)
    assert abs(top(page, "#s3")) < 3


@pytest.fixture(scope="module")
def controlled(open_page, tmp_path_factory):
    """A page whose names hold characters that turn or hide what stands beside them."""
    ill, score, other = cases()
    y = np.where(ill, OVERRIDE, CONTROLS)
    fold = np.array([f"{OVERRIDE}{k % 4}" for k in range(len(ill))])
    given = {
        OVERRIDE: [
            rs.roc_curve(y, score, pos_label=OVERRIDE),
            rs.average_roc(y, score, fold=fold, pos_label=OVERRIDE),
        ],
        CONTROLS: rs.roc_curve(y, other, pos_label=OVERRIDE),
    }
    path = report(given, path=tmp_path_factory.mktemp("names") / "names.html", title=OVERRIDE)
    page = open_page(path)
    for k in range(page.locator("[data-figure]").count()):
        page.locator("[data-figure]").nth(k).scroll_into_view_if_needed()
    until(page, f"{DRAWN}.every(Boolean)")
    return page


FOUND = r"""(kinds) => [...document.querySelectorAll("body *:not(script)")].flatMap((node) => [
  ...[...node.childNodes].filter((child) => child.nodeType === 3).map((child) => child.data),
  ...[...node.attributes].filter(({ name }) => kinds.includes(name)).map(({ value }) => value),
]).filter((text) => /[\u001b\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(text))"""


def test_names_turn_nothing_around(controlled):
    read = ["title", "aria-label", "aria-valuetext", "placeholder"]
    assert controlled.evaluate(FOUND, read) == []
    assert controlled.title() == controlled.locator("h1").inner_text() == spelt(OVERRIDE)
    assert spelt(OVERRIDE) in controlled.locator(".explorer-confusion").first.inner_text()
    assert spelt(CONTROLS) in controlled.locator(".explorer-confusion").first.inner_text()


def test_names_are_spelt_as_in_python(controlled):
    texts = [chr(k) for k in [*range(0x0600, 0x0620), *range(0x2000, 0x2070), *range(0xC0)]]
    texts += [OVERRIDE, "a\tb\nc", "שלום", "\U0001f600"]
    assert controlled.evaluate("(texts) => texts.map(rocscope.spelt)", texts) == [
        spelt(text) for text in texts
    ]


def test_long_names_leave_the_page_a_page(open_page, tmp_path):
    ill, score, other = cases()
    given = {LONG: [rs.roc_curve(ill, score), rs.auc(ill, score), rs.fit_binormal(ill, score)]}
    compared = rs.compare_auc(ill, {LONG: score, f"{LONG}2": other})
    path = report(given, compared, path=tmp_path / "long.html", title=LONG)
    page = open_page(path, width=390, height=844, is_mobile=True)
    parts = "h1, h2, h3, nav li, caption, tr, .plot, .reading"
    heights = page.evaluate(
        """(parts) => [...document.querySelectorAll(parts)]
          .map((node) => [node.getBoundingClientRect().height, node.outerHTML.slice(0, 60)])""",
        parts,
    )
    assert len(heights) > 40
    assert max(heights)[0] < 800
    assert page.evaluate("document.documentElement.scrollHeight") < 20_000
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert page.locator("h1 span").get_attribute("title") == LONG
    assert page.locator("h2 span[title]").last.get_attribute("title").endswith(LONG)
    assert page.locator("nav a span").count() == 1


def test_labels_that_are_numbers_are_described_as_labels(open_page, tmp_path):
    ill, score, _ = cases()
    codes = np.arange(90) % 3
    output = np.random.default_rng(6).random((90, 3)) + 0.6 * np.eye(3)[codes]
    three = rs.average_roc(codes, output, classes=[0, 1, 2], fold=np.arange(90) % 2)
    given = {"two": rs.roc_curve(ill.astype(int), score), "three": three}
    page = open_page(report(given, path=tmp_path / "numbers.html"))
    of_two, of_three = page.locator(".explorer-reading").all_inner_texts()
    tp, fp = page.evaluate("""() => {
      const [x] = rocscope.explorer.running.values();
      const cells = x.model.confusion(x.store.state.point);
      return [cells[1][1], cells[0][1]];
    }""")
    assert of_two.startswith(f"{tp} of 40 cases of class 1 test positive (sensitivity 0.")
    assert f"; {80 - fp} of 80 cases of class 0 test negative (specificity 0." in of_two
    dots = page.locator(".explorer-dots").get_attribute("aria-label")
    assert dots == f"Dot diagram of the scores. Test positive: {tp} of class 1 and {fp} of class 0."
    assert of_three.startswith("Errors: class 0: 0.")
    assert "(30 cases); class 1: 0." in of_three
