"""Reports under axe-core, with every section open: no serious or critical violation, light or dark."""

import numpy as np
import pytest

import rocscope as rs
from browser.axe import violations
from browser.explorers import until
from rocscope.reporting import report
from rocscope.reporting.page import page_of
from rocscope.reporting.sections import Paragraph, Section

RNG = np.random.default_rng(19)
Y = np.arange(150) % 3
LOOKS = {"wide": (1300, "light"), "narrow": (390, "dark")}


def two_markers():
    scores = {
        name: RNG.normal(size=150) + shift * (Y == 2) for name, shift in (("weak", 0.6), ("strong", 1.4))
    }
    return rs.analyse(np.where(Y == 2, "ill", "well"), scores, pos_label="ill", n_boot=100, rng=1)


def many_markers():
    scores = {f"marker {k}": RNG.normal(size=150) + k / 8 * (Y == 2) for k in range(8)}
    return rs.analyse(Y == 2, scores, n_boot=100, rng=1)


def classes():
    output = RNG.random((150, 3)) + 0.6 * np.eye(3)[Y]
    return rs.analyse(np.array(["a", "b", "c"])[Y], output, classes=["a", "b", "c"], rng=1)


def classes_with_folds():
    output = RNG.random((150, 3)) + 0.6 * np.eye(3)[Y]
    return rs.analyse(Y, output, classes=[0, 1, 2], fold=np.arange(150) // 30, rng=1)


def ordered_classes():
    return rs.analyse(Y, Y + RNG.normal(size=150), classes=[0, 1, 2], ordinal=True, n_boot=100, rng=1)


PAGES = [
    (two_markers, "wide"),
    (two_markers, "narrow"),
    (many_markers, "wide"),
    (classes, "wide"),
    (classes_with_folds, "narrow"),
    (ordered_classes, "narrow"),
]


@pytest.mark.parametrize(("make", "look"), PAGES, ids=[f"{make.__name__}-{look}" for make, look in PAGES])
def test_nobody_is_shut_out(open_page, tmp_path, make, look):
    width, scheme = LOOKS[look]
    page = open_page(report(make(), path=tmp_path / "page.html"), width=width, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true; })")
    for place in page.locator("[data-figure]").all():  # figures are drawn when they come into sight
        place.scroll_into_view_if_needed()
    assert violations(page) == []
    assert page.problems == []
    page.context.close()


def test_a_long_text_is_scrolled_by_keys(open_page, tmp_path):
    body = (Paragraph("a long text " * 2000, "reading"), Paragraph("a short one", "reading"))
    path = tmp_path / "long.html"
    path.write_text(page_of([Section(title="A", body=body)], title=None, made=""), encoding="utf-8")
    page = open_page(path)
    long = page.locator(".reading").first
    page.wait_for_selector(".reading[tabindex]")
    long.focus()
    page.keyboard.press("End")
    until(page, "document.querySelector('.reading').scrollTop > 0")
    assert page.locator(".reading[tabindex]").count() == 1
    assert violations(page) == []
