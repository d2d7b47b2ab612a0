"""The app in a real browser: from a dropped file to a saved report, by mouse and by keys, wide and narrow."""

import threading

import numpy as np
import openpyxl
import pyreadstat
import pytest

from browser.axe import violations
from browser.conftest import WAIT
from rocscope.app.server import open_server

MAKING = 120_000  # milliseconds
HOSTILE = "<script>window.hacked=1</script>"
CONTROLS = {
    "button",
    "checkbox",
    "combobox",
    "link",
    "radio",
    "spinbutton",
    "textbox",
    "DisclosureTriangle",
    "Iframe",
}


def unnamed(page):
    """Controls of the accessibility tree that a screen reader could not name."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    found = [node for node in nodes if not node["ignored"] and node["role"]["value"] in CONTROLS]
    assert len(found) > 2
    return [node["role"]["value"] for node in found if not node.get("name", {}).get("value", "").strip()]


def cases(n=90):
    """Labels and two markers."""
    rng = np.random.default_rng(5)
    ill = np.arange(n) % 3 == 0
    return ["ill" if one else "well" for one in ill], (rng.normal(size=(2, n)) + 1.4 * ill).round(2)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server of this module: any free port of 127.0.0.1, in a thread that ends with the module."""
    folder = tmp_path_factory.mktemp("private")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tempfile.tempdir", str(folder))
        with open_server() as (server, listener, own):
            thread = threading.Thread(target=server.run, args=([listener],))
            thread.start()
            yield own
            server.should_exit = True
            thread.join(60)
            assert not thread.is_alive()
    assert list(folder.iterdir()) == []


@pytest.fixture(scope="module")
def open_app(browser, address):
    contexts = []

    def open_one(*, width=1100, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.requests, page.problems = [], []
        context.on("request", lambda request: page.requests.append(request.url))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda said: page.problems.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: (page.problems.append(dialog.message), dialog.dismiss()))
        page.goto(address)
        return page

    yield open_one
    for context in contexts:
        context.close()


def european(path):
    labels, markers = cases()
    rows = [
        f"{label};{a:.2f};{b:.2f}".replace(".", ",") for label, a, b in zip(labels, *markers, strict=True)
    ]
    path.write_text("\n".join(["Zustand;Eiweiß;Dichte", *rows]), encoding="cp1252")


def workbook(path):
    labels, markers = cases()
    book = openpyxl.Workbook()
    for row in [("state", "protein", "density"), *zip(labels, *markers.tolist(), strict=True)]:
        book.active.append(row)
    book.save(path)


def spss(path):
    import pandas as pd

    labels, markers = cases()
    frame = pd.DataFrame(
        {"state": [float(one == "ill") for one in labels], "protein": markers[0], "density": markers[1]}
    )
    pyreadstat.write_sav(frame, str(path), variable_value_labels={"state": {0.0: "well", 1.0: "ill"}})


def dropped(page, path):
    """Drop a file on the page, as a mouse does."""
    import base64

    data = page.evaluate_handle(
        """([name, text]) => {
          const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
          const transfer = new DataTransfer();
          transfer.items.add(new File([bytes], name));
          return transfer;
        }""",
        [path.name, base64.b64encode(path.read_bytes()).decode()],
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": data})
    page.wait_for_selector("#choices:not([hidden])")


def made(page):
    page.click("#make")
    page.wait_for_selector("#result:not([hidden])", timeout=MAKING)
    frame = page.frame_locator("#frame")
    frame.locator("h1").wait_for()
    return frame


def with_limits(path):
    """A workbook in which every fifth value lies below a limit and one is a point."""
    labels, markers = cases()
    book = openpyxl.Workbook()
    book.active.append(("state", "protein"))
    for k, (label, value) in enumerate(zip(labels, markers[0].tolist(), strict=True)):
        book.active.append((label, "." if k == 7 else "<0.05" if k % 5 == 0 else value))
    book.save(path)


@pytest.mark.parametrize(
    ("choice", "kept"),
    [("Count <0.05 as 0.05, treat “.” as missing", 89), ("Treat “<0.05”, “.” as missing", 71)],
)
def test_a_column_that_is_nearly_numbers_becomes_a_marker(open_app, tmp_path, choice, kept):
    with_limits(tmp_path / "limits.xlsx")
    page = open_app()
    dropped(page, tmp_path / "limits.xlsx")
    page.select_option("#outcome", index=1)
    page.get_by_label("ill", exact=True).check()
    assert page.locator("input[name=marker]").count() == 0
    assert "protein is not numeric: “<0.05” (18 cells), “.” (1 cell)." in page.inner_text("#unread")
    page.get_by_role("button", name=choice).click()
    page.wait_for_selector("input[name=marker]:checked")
    assert page.locator("#unread").is_hidden()
    frame = made(page)
    facts = frame.locator(".facts")
    assert f"Cases\n{kept}" in facts.inner_text()
    assert page.problems == []


FORMATS = {"cases.csv": european, "cases.xlsx": workbook, "cases.sav": spss}


@pytest.mark.parametrize("name", FORMATS)
def test_from_a_dropped_file_to_a_saved_report(open_app, tmp_path, name):
    path = tmp_path / name
    FORMATS[name](path)
    page = open_app()
    dropped(page, path)
    assert f"{name}: 90 rows, 3 columns." in page.inner_text("#table")
    page.select_option("#outcome", index=1)
    page.get_by_label("ill", exact=True).check()
    for box in page.locator("input[name=marker]").all():
        box.check()
    frame = made(page)
    assert frame.locator("text=Positive (ill)").count() == 1
    assert frame.locator("dd", has_text=name).count() == 1
    with page.expect_download() as download:
        page.click("#save")
    saved = tmp_path / download.value.suggested_filename
    download.value.save_as(saved)
    assert saved.name == "cases_report.html"
    assert f"From {name}, random numbers from seed 1." in saved.read_text(encoding="utf-8")
    page.click("#change")
    assert page.locator("input[name=marker]:checked").count() == 2
    assert page.get_by_label("ill", exact=True).is_checked()
    page.locator("input[name=marker]").first.uncheck()
    frame = made(page)
    assert frame.locator("text=Comparison of markers").count() == 0
    assert page.problems == []


def test_by_keys_alone(open_app):
    page = open_app()

    def go(selector, most=40):
        for _ in range(most):
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached by Tab")

    go("#pick")  # a file of one's own begins here
    go("#example")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices:not([hidden])")
    go("#outcome")
    go("input[name=positive]")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    go("input[name=marker]")
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    go("#rule")
    page.keyboard.press("s")
    assert page.input_value("#rule") == "sensitivity"
    go("#bound")
    page.keyboard.press("Control+A")
    page.keyboard.type("95")
    go("#more summary")
    page.keyboard.press("Enter")
    go("#level")
    go("#make")
    page.keyboard.press("Enter")
    page.wait_for_selector("#result:not([hidden])", timeout=MAKING)
    assert page.evaluate("document.activeElement.id") == "result-title"
    assert page.frame_locator("#frame").locator("text=sensitivity").first.inner_text()
    go("#save")
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename == "breast_tumours_report.html"
    page.evaluate("document.getElementById('change').focus()")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "choices-title"
    assert page.input_value("#bound") == "95"
    assert page.problems == []


def test_a_phone_needs_no_sideways_scrolling(open_app):
    page = open_app(width=390, height=844)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= 390
    page.click("#example")
    page.wait_for_selector("#choices:not([hidden])")
    for summary in page.locator("summary").all():
        summary.click()
    page.select_option("#rule", "specificity")
    assert page.evaluate(wide) <= 390
    made(page)
    assert page.evaluate(wide) <= 390
    inner = next(frame for frame in page.frames if frame.url.endswith("/page"))
    assert inner.evaluate(wide) <= 390


def test_errors_stand_next_to_their_field(open_app):
    page = open_app()
    page.click("#example")
    page.wait_for_selector("#choices:not([hidden])")
    page.select_option("#outcome", label="texture")
    assert "511 different values" in page.inner_text("#positive")
    page.click("#make")
    page.wait_for_selector("#outcome-error:not([hidden])")
    assert page.inner_text("#outcome-error").startswith("The outcome must have two to 12 different values")
    assert page.evaluate("document.activeElement.id") == "outcome"
    assert page.get_attribute("#outcome", "aria-invalid") == "true"
    page.select_option("#outcome", label="diagnosis")
    page.click("#make")
    page.wait_for_selector("#positive-error:not([hidden])")
    assert page.locator("#outcome-error").is_hidden()
    page.get_by_label("malignant").check()
    page.locator("#more summary").click()
    page.fill("#level", "150")
    page.click("#make")
    page.wait_for_selector("#level-error:not([hidden])")
    assert page.locator(".error:visible").count() == 1
    # Refused requests are listed by the browser, and nothing else.
    assert all("status of 422" in text for text in page.problems)


def test_a_bad_file_costs_nothing(open_app, tmp_path):
    page = open_app()
    page.click("#example")
    page.wait_for_selector("#choices:not([hidden])")
    path = tmp_path / "cases.csv"
    path.write_text("<!DOCTYPE html><html><script>window.hacked = 1</script></html>")
    page.set_input_files("#pick", path)
    page.wait_for_selector("#file-error:not([hidden])")
    assert "a web page (HTML), not a table" in page.inner_text("#file-error")
    assert "breast_tumours.csv" in page.inner_text("#table")
    assert page.locator("input[name=marker]:checked").count() == 3
    assert page.evaluate("window.hacked") is None


def test_hostile_names_are_text(open_app, tmp_path):
    labels, markers = cases()
    path = tmp_path / "<img src=x onerror=window.hacked=1>.csv"
    rows = [f"{label}<b>,{a},{b}" for label, a, b in zip(labels, *markers, strict=True)]
    path.write_text("\n".join([f'y\u202e,{HOSTILE},"a""b"', *rows]), encoding="utf-8")
    page = open_app()
    page.set_input_files("#pick", path)
    page.wait_for_selector("#choices:not([hidden])")
    assert HOSTILE in page.inner_text("#table")
    assert "\u202e" not in page.inner_text("body")
    page.get_by_label("ill<b>").check()
    page.get_by_label(HOSTILE).check()
    made(page)
    assert "\u202e" not in page.inner_text("body")
    for frame in page.frames:
        assert frame.evaluate("window.hacked") is None
    assert page.problems == []


def test_nothing_leaves_and_every_control_has_a_name(open_app, address):
    page = open_app()
    page.click("#example")
    page.wait_for_selector("#choices:not([hidden])")
    for summary in page.locator("summary").all():
        summary.click()
    page.select_option("#rule", "sensitivity")
    assert unnamed(page) == []
    page.click("#again")
    page.wait_for_selector("#again:not([disabled])")
    for control in page.locator("#choices input[type=checkbox], #choices input[type=radio]").all():
        control.click()
    page.locator("input[name=positive]").last.check()
    for box in page.locator("input[name=marker]").all():
        box.set_checked("texture" in box.evaluate("(node) => node.parentElement.textContent"))
    made(page)
    assert unnamed(page) == []
    inner = next(frame for frame in page.frames if frame.url.endswith("/page"))
    for button in inner.locator("button").all():
        if button.is_visible() and button.is_enabled():
            button.click(force=True)
    with page.context.expect_page() as opened:
        page.click("#open")
    opened.value.wait_for_selector("h1")
    with page.expect_download():
        page.click("#save")
    page.click("#change")
    page.click("#back")
    assert page.locator("#result").is_visible()
    outside = [url for url in page.requests if not url.startswith((address, "data:", "blob:"))]
    assert outside == []
    assert page.problems == []


def test_a_report_cannot_reach_the_app(open_app, address):
    """A script that got into a report could neither send a request nor read the page around it."""
    page = open_app()
    page.click("#example")
    page.wait_for_selector("#choices:not([hidden])")
    made(page)
    inner = next(frame for frame in page.frames if frame.url.endswith("/page"))
    assert inner.evaluate("window.origin") == "null"
    assert inner.evaluate(f"fetch('{address}').then(() => 'reached', () => 'refused')") == "refused"
    assert (
        inner.evaluate("(() => { try { return parent.document.title } catch { return 'refused' } })()")
        == "refused"
    )


def test_a_report_can_be_stopped_and_made_again(open_app):
    page = open_app()
    page.click("#example")
    page.wait_for_selector("#choices:not([hidden])")
    page.click("#make")
    page.wait_for_selector("#progress:not([hidden])")
    page.click("#stop")
    page.wait_for_selector("#make:not([disabled])")
    assert page.locator("#result").is_hidden()
    made(page)
    assert page.problems == []


@pytest.mark.parametrize(("width", "scheme"), [(1100, "light"), (390, "dark")])
def test_nobody_is_shut_out(open_app, tmp_path, width, scheme):
    """Under axe-core, from the empty page to the report, with errors beside their fields."""
    with_limits(tmp_path / "limits.xlsx")
    page = open_app(width=width, color_scheme=scheme)
    assert violations(page) == []
    dropped(page, tmp_path / "limits.xlsx")
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    page.click("#make")
    page.locator(".error:visible").first.wait_for()
    assert violations(page) == []
    page.select_option("#outcome", index=1)
    page.get_by_label("ill", exact=True).check()
    page.get_by_role("button", name="Count <0.05 as 0.05, treat “.” as missing").click()
    page.wait_for_selector("input[name=marker]:checked")
    made(page)
    assert violations(page) == []
