"""The explorer of many classes: the confusion matrix as a map of shares with standard errors."""

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import Explorer

NAMES = [f"class {k}" for k in range(6)]


def averaged():
    rng = np.random.default_rng(5)
    codes = np.arange(240) % 6
    scores = np.round(rng.random((240, 6)) + 0.7 * np.eye(6)[codes], 2)
    labels = np.array(NAMES)[codes]
    return rs.average_roc(labels, scores, fold=np.arange(240) // 48, classes=NAMES, points=12)


ROC = averaged()


@pytest.fixture(scope="module")
def explorer(open_page, tmp_path_factory):
    file = tmp_path_factory.mktemp("map") / "r.html"
    rs.report(ROC, path=file)
    page = open_page(file)
    (section,) = page.evaluate("[...rocscope.explorer.running.keys()]")
    yield Explorer(page, section)
    assert page.problems == []


def texts(rates, sign):
    """Whole per cent with the standard error below; nothing where it rounds to 0."""
    shown = []
    for value, se in zip(100 * rates.value.ravel(), 100 * rates.se.ravel(), strict=True):
        whole = int(np.floor(value + 0.5))  # as the page rounds
        text = f"{'+' if sign and whole > 0 else ''}{whole}".replace("-", "\u2212")
        shown.append(f"{text}\n\u00b1{int(np.floor(se + 0.5))}" if whole else "")
    return shown


def cells(explorer, kind):
    return explorer.find(f".explorer-{kind} td").evaluate_all("(cells) => cells.map((c) => c.textContent)")


def test_shares_with_standard_errors(explorer):
    explorer.running("x.store.set({point: 4, pin: null});")
    assert cells(explorer, "confusion") == texts(ROC.confusion_rates(4), sign=False)
    assert explorer.matrix("confusion") == ROC.confusion[4].tolist()
    colours = explorer.find(".explorer-confusion td").evaluate_all(
        "(cells) => cells.map((cell) => cell.style.background)"
    )
    assert all("color-mix" in colour for colour in colours)


def test_differences_from_the_pinned_point(explorer):
    explorer.running("x.store.set({point: 7, pin: 2});")
    assert cells(explorer, "difference") == texts(ROC.confusion_rates(7, minus=2), sign=True)
    assert explorer.matrix("difference") == (ROC.confusion[7] - ROC.confusion[2]).tolist()
