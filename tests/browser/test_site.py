"""The built site in a browser: `make docs` builds it and runs these tests, which are skipped elsewhere."""

import os
import re
from pathlib import Path

import pytest

from browser.axe import violations

SITE = Path(os.environ.get("ROCSCOPE_SITE", "."))
PAGES = ("index", "decision", "how_good", "methods", "api/generated/rocscope.auc")
# Pages that another page or a file of the repository is shown on, or that list what lies elsewhere.
WITHOUT_PICTURE = {"changelog", "contributing", "architecture", "genindex", "search", "py-modindex"}
pytestmark = pytest.mark.skipif(
    "ROCSCOPE_SITE" not in os.environ, reason="make docs builds the site, and tests it"
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_no_barriers(open_page, name, scheme):
    page = open_page(SITE / f"{name}.html", color_scheme=scheme)
    assert violations(page) == []


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_requested_from_elsewhere(open_page, name):
    page = open_page(SITE / f"{name}.html")
    page.wait_for_load_state("networkidle")
    assert page.requests
    assert all(url.startswith(("file:", "data:", "blob:")) for url in page.requests)


@pytest.mark.parametrize("name", [*PAGES, "coming_from", "coverage", "findings"])
def test_a_phone_does_not_scroll_sideways(open_page, name):
    page = open_page(SITE / f"{name}.html", width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_search_finds_a_page(open_page):
    page = open_page(SITE / "search.html", fragment="?q=logit")
    page.wait_for_selector("ul.search li a")
    assert "results_json" not in page.locator("ul.search li a").first.get_attribute("href")


def test_every_page_has_a_picture():
    without = [
        path.stem
        for path in sorted(SITE.glob("*.html"))
        if path.stem not in WITHOUT_PICTURE
        and not re.search(
            r'<article.*?(<img (?!class="only-)[^>]*src="_images|<svg class="wide")',
            path.read_text("utf-8"),
            re.S,
        )
    ]
    assert without == []
