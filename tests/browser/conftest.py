"""One browser for all tests: chromium, or what ROCSCOPE_CHROMIUM names, driven by playwright.

Chromium's shell without windows is taken where it is installed: pages take two thirds of the time in it.

Without a browser the tests are skipped, unless ROCSCOPE_BROWSER=required says that they must run.
Every test of this folder has the marker `slow`: make check leaves them out.
"""

import os
import shutil
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WAIT = 30_000  # milliseconds: a busy machine must not fail a test


def lacking(what):
    if os.environ.get("ROCSCOPE_BROWSER") == "required":
        pytest.fail(f"ROCSCOPE_BROWSER=required, but there is no {what}", pytrace=False)
    pytest.skip(f"the tests in a real browser need {what}")


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def browser():
    path = os.environ.get("ROCSCOPE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        lacking("chromium (apt-get install chromium)")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        lacking("playwright (pip install playwright)")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def open_page(browser):
    """Open an HTML file in a window of its own; what it requested and complained of comes with it.

    The windows of a module are closed with it: a page with a solid draws it again and again, unseen.
    """
    contexts = []

    def open_one(path, *, fragment="", width=1100, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.requests, page.problems = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda said: page.problems.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: (page.problems.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri() + fragment)
        page.evaluate("document.documentElement.style.scrollBehavior = 'auto'")  # places must not glide away
        return page

    yield open_one
    for context in contexts:
        context.close()
