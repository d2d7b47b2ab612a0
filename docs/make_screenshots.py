"""Make the screenshots of the report in docs/screenshots: desktop, phone, dark.

Needs chromium and playwright. Run from anywhere: .venv/bin/python docs/make_screenshots.py
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

import rocscope as rs
from rocscope.cli.demo import MARKERS, made_up_cases
from rocscope.report import report

FOLDER = Path(__file__).resolve().parent / "screenshots"
# A software renderer, so that the turning 3-D plots are drawn without a graphics card.
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
MOST = 300_000  # bytes of a picture
# Where the curve and the tables beside it end.
BOTTOM = """(title) => [...document.querySelectorAll("section")]
  .find((section) => section.querySelector("h2").textContent === title)
  .querySelector(".explorer-main").getBoundingClientRect().bottom + 12"""


def results() -> list[Any]:
    """The made-up markers of the demo, and a classifier of three classes."""
    cases = made_up_cases(1)
    state, fold = ([case[name] for case in cases] for name in ("state", "fold"))
    given = {name: (state, [case[name] for case in cases]) for name in MARKERS}
    curves = {
        name: [
            rs.roc_curve(*data, pos_label="ill"),
            rs.auc(*data, pos_label="ill"),
            rs.roc_band(*data, pos_label="ill", rng=1),
        ]
        for name, data in given.items()
    }
    folds = {MARKERS[0]: rs.average_roc(*given[MARKERS[0]], fold=fold, pos_label="ill", points=100)}
    return [curves, folds, {"digits": three_classes()}]


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
    page.wait_for_timeout(2500)  # figures are drawn when they come into sight
    return str(section.get_attribute("id"))


def chosen(page: Page, section: str, state: str) -> None:
    """Put the explorer of a section into a state."""
    page.evaluate(f"rocscope.explorer.running.get('{section}').store.set({state})")
    page.wait_for_timeout(200)


def main() -> None:
    """Take all pictures anew."""
    FOLDER.mkdir(exist_ok=True)
    explorer = f"Choose an operating point of {MARKERS[0]} by its folds"
    state = "{point: 52, pin: 61, bounds: 'TPR >= 0.6', cost: [1, 2], prevalence: 0.35, aim: 'cost'}"
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = report(*results(), path=Path(folder) / "report.html", title="Two markers of an illness")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = opened(browser, page_file, 1100, 1500)
        chosen(page, show(page, explorer), state)
        bottom = page.evaluate(BOTTOM, explorer)
        page.screenshot(
            path=FOLDER / "report_desktop.png", clip={"x": 0, "y": 0, "width": 1100, "height": bottom}
        )
        page = opened(browser, page_file, 1100, 900, "dark")
        show(page, "Errors of every class over folds: digits")
        page.screenshot(path=FOLDER / "report_dark.png")
        page = opened(browser, page_file, 390, 844)
        chosen(page, show(page, explorer, skip=190), state)
        page.screenshot(path=FOLDER / "report_phone.png")
        browser.close()
    for path in sorted(FOLDER.iterdir()):
        sys.stderr.write(f"{path.name}: {path.stat().st_size / 1000:.0f} kB\n")
        if path.stat().st_size > MOST:
            raise SystemExit(f"{path} must be smaller than {MOST} bytes")


if __name__ == "__main__":
    main()
