"""The pages of the atlas: made from the table, one for each family and question, and nothing left out."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from rocscope.atlas.cells import families
from rocscope.atlas.results import GOOD, KNOWN, load, wilson

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def maker():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS / "_ext"))
        pytest.importorskip("sphinx")
        yield importlib.import_module("atlas_pages")
    sys.modules.pop("atlas_pages", None)


@pytest.fixture(scope="module")
def pages(maker):
    return maker.pages()


def test_every_measured_family_has_its_page(maker, pages):
    measured = load().values("family")
    assert {f"family-{maker.slug(name)}" for name in measured} == {
        p for p in pages if p.startswith("family-")
    }
    assert {p for p in pages if p.startswith("question-")} == {f"question-{name}" for name in maker.QUESTIONS}
    for name in families():
        assert families()[name].title in pages["overview"]
    text = (DOCS / "atlas.md").read_text(encoding="utf-8")
    assert set(re.findall(r"atlas/([\w-]+)\.md", text)) == {
        "overview",
        *(f"question-{q}" for q in maker.QUESTIONS),
    }


def test_all_exceptions_of_defaults_are_listed(pages):
    listed = re.findall(r"(\d+) of (\d+) cells, the worst first", pages["question-which-default"])
    counted = []
    for name in dict.fromkeys(load().values("family")):
        family = families()[name]
        rows = [cell for cell in load(name).cells if cell.method == family.default and cell.defined]
        rows = [cell for cell in rows if family.kind == "interval" or cell.truth == 1]
        low, high = GOOD[family.kind]
        spans = [wilson(cell.hits, cell.defined, KNOWN) for cell in rows]
        outside = sum(ends[1] < low or ends[0] > high for ends in spans)
        if outside:
            counted.append((str(outside), str(len(rows))))
    assert listed == counted
    body = re.findall(r"<tr><th scope=\"row\">\d+ \+ \d+</th>", pages["question-which-default"])
    assert len(body) == sum(int(one) for one, _ in counted)


def test_a_map_shows_the_worst_cell_with_its_error(maker, pages):
    cells = load().select(family="auc", method="delong", n_pos=20, n_neg=20, area=0.9).cells
    worst = min(cells, key=lambda cell: cell.rate)
    field = f"{100 * worst.rate:.1f} ± {100 * worst.error:.1f} % ({worst.law}"
    assert field in pages["family-auc"]
    assert worst.error == pytest.approx((worst.rate * (1 - worst.rate) / worst.simulations) ** 0.5)


def test_methods_that_hold_are_named_where_they_hold(maker):
    atlas = load().select(family="auc", n_pos=1000, n_neg=1000, area=0.7)
    text = maker.holding(families()["auc"], atlas)
    assert "delong" in text
    assert "agarwal" not in text  # it holds always, which is more than 96 %


def test_the_explorer_has_every_cell_and_asks_nobody():
    from rocscope.reporting.page import report_html
    from rocscope.reporting.topics.atlas import explorer_payload

    families_of = explorer_payload(load())["families"]
    assert sum(len(one["rows"]) for one in families_of) == len(load().cells)
    own = next(one for one in families_of if one["name"] == "auc")
    cell = load("auc").cells[7]
    row = own["rows"][7]
    assert own["lists"]["method"][row[1]] == cell.method
    assert (row[5], row[6], row[7]) == (cell.area, cell.n_pos, cell.n_neg)
    assert row[9] == pytest.approx(cell.rate, abs=5e-5)
    assert row[12] == cell.simulations
    html = report_html(load("auc").select(method=("delong", "score")), title="Atlas explorer")
    assert not re.search(r"(src|href)=\"(https?:)?//", html)
    assert "plotly" not in html
    assert "atlas-map" in html
