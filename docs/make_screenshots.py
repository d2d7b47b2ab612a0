"""Make the screenshots in docs/screenshots: of a report the explorer, sections and a phone; the app.

Needs chromium and playwright. Run from anywhere: .venv/bin/python docs/make_screenshots.py
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

import rocscope as rs
from rocscope.app.server import open_server
from rocscope.io import example
from rocscope.reporting import report

MARKERS = [*example.MARKERS][:2]
FOLDER = Path(__file__).resolve().parent / "screenshots"
MOST = 300_000  # bytes of a picture
# Where a part of a section begins and ends in the window.
EDGES = """([title, part]) => {
  const sections = [...document.querySelectorAll("section")];
  const section = sections.find((one) => one.querySelector("h2").textContent === title);
  const { top, bottom } = (part ? section.querySelector(part) : section).getBoundingClientRect();
  return [top, bottom];
}"""
AROUND = 12  # pixels
EXPLORER = "Operating point"
CLASSES = "Errors of every class over folds: digits"
# Name of the picture, the section, the part of it at which the picture ends, the colours.
SECTIONS: tuple[tuple[str, str, str, Any], ...] = (
    ("curves", "Summary", "figure", "light"),
    ("classes", CLASSES, "[data-linked]", "light"),
    ("dark", CLASSES, "[data-linked]", "dark"),
    ("fusion", f"Fusion of {MARKERS[0]} and {MARKERS[1]}", "figcaption", "light"),
)
STATE = "{point: 52, bounds: 'sensitivity >= 0.6', cost: [1, 2], prevalence: 0.35, aim: 'cost'}"
# A stricter test, which leaves more indistinguishable points.
PINNED = "{point: 58, pin: 70, method: 'corrected', level: 3}"


def results() -> list[Any]:
    """Two markers of the example, and a classifier of three classes."""
    cases = example.example_cases()
    state, fold = ([case[name] for case in cases] for name in (example.LABEL, example.FOLD))
    given = {name: (state, [case[name] for case in cases]) for name in MARKERS}
    positive: Any = {"pos_label": example.POSITIVE}
    curves = {
        name: [
            rs.roc_curve(*data, **positive),
            rs.auc(*data, **positive),
            rs.roc_band(*data, **positive, rng=1),
        ]
        for name, data in given.items()
    }
    folds = {MARKERS[0]: rs.average_roc(*given[MARKERS[0]], fold=fold, points=100, **positive)}
    scores = rs.BinaryScores.from_arrays(state, {name: data[1] for name, data in given.items()}, **positive)
    return [curves, folds, {"digits": three_classes()}, rs.preview_fusion(scores)]


def three_classes() -> Any:
    """Errors of three classes at the weights that a search finds, compared with the best of them."""
    rng = np.random.default_rng(12)
    names = np.array(["two", "three", "five"])
    codes = rng.integers(0, 3, 300)
    outputs = rng.random((300, 3)) ** 2 + 0.4 * np.eye(3)[codes]
    weights = rs.search_weights(codes, outputs, rng=1)
    fold = np.arange(300) % 10
    roc = rs.average_roc(names[codes], outputs, fold=fold, classes=names.tolist(), points=weights)
    return roc.compare_to(roc.select())


def opened(browser: Browser, path: Path, width: int, height: int, scheme: Any = "light") -> Page:
    """Return the page in a window of this size."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(path.as_uri())
    page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")
    return page


def show(page: Page, title: str, skip: int = 0) -> str:
    """Scroll to a section and return its identifier."""
    section = page.locator("section", has=page.get_by_role("heading", name=title, exact=True)).first
    section.evaluate("(node, skip) => window.scrollTo(0, node.offsetTop + skip)", skip)
    page.wait_for_timeout(500)  # figures are drawn when they come into sight
    return str(section.get_attribute("id"))


def chosen(page: Page, section: str, state: str) -> None:
    """Show the folds of the first marker in the explorer of a section, in a state."""
    name = f"{MARKERS[0]}, 10 folds"
    page.evaluate("(name) => rocscope.explorer.show(name)", name)
    running = f"[...rocscope.explorer.running].findLast(([key]) => key.startsWith('{section}-'))[1]"
    page.evaluate(f"{running}.store.set({state})")
    page.wait_for_timeout(200)


def taken(page: Page, name: str, title: str, *, first: str = "", last: str = "") -> None:
    """Take a picture of a section in the window, from one of its parts to another."""
    size = page.viewport_size
    assert size is not None
    top = max(0, page.evaluate(EDGES, [title, first])[0] - AROUND)
    bottom = min(size["height"], page.evaluate(EDGES, [title, last])[1] + AROUND)
    clip = {"x": 0, "y": top, "width": size["width"], "height": bottom - top}
    page.screenshot(path=FOLDER / f"report_{name}.png", clip=clip)


def section_pictures(browser: Browser, path: Path) -> None:
    """Take sections as they are: the curves, three classes in light and dark, the fusion of two markers."""
    for name, title, last, scheme in SECTIONS:
        page = opened(browser, path, 1100, 1800, scheme)
        show(page, title)
        taken(page, name, title, last=last)


def explorer_pictures(browser: Browser, path: Path) -> None:
    """Take the explorer with a bound and costs, with a pinned point and those alike, and on a phone."""
    for name, state, first in (("desktop", STATE, ""), ("pinned", PINNED, ".explorer-main")):
        page = opened(browser, path, 1100, 1500)
        chosen(page, show(page, EXPLORER), state)
        taken(page, name, EXPLORER, first=first, last=".explorer-main")
    page = opened(browser, path, 390, 844)
    chosen(page, show(page, EXPLORER, skip=190), STATE)
    page.screenshot(path=FOLDER / "report_phone.png")


def app_picture(browser: Browser) -> None:
    """Take the page of `rocscope app` with its example."""
    with open_server() as (server, listener, address):
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        page.goto(address)
        page.click("#example")
        page.wait_for_selector("#choices:not([hidden])")
        page.screenshot(path=FOLDER / "app.png", full_page=True)
        server.should_exit = True
        thread.join()


def main() -> None:
    """Take all pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = report(*results(), path=Path(folder) / "report.html", title=example.TITLE)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        explorer_pictures(browser, page_file)
        section_pictures(browser, page_file)
        app_picture(browser)
        browser.close()
    for path in sorted(FOLDER.iterdir()):
        sys.stderr.write(f"{path.name}: {path.stat().st_size / 1000:.0f} kB\n")
        if path.stat().st_size > MOST:
            raise SystemExit(f"{path} must be smaller than {MOST} bytes")


if __name__ == "__main__":
    main()
