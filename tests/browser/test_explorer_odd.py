"""Explorers of results at the edge: they start, move and answer without an error."""

import numpy as np
import pytest

import rocscope as rs
from browser.explorers import Explorer
from browser.one_set import one_set, together
from rocscope.reporting.explorer import explorer_section
from rocscope.reporting.page import page as html_page


class Odd:
    """A decision rule that rocscope cannot save."""

    classes = (0, 1)

    def __init__(self, cut):
        self.cut = cut

    def decide_codes(self, y_score):
        return (np.abs(y_score) > self.cut).astype(int)


def results():
    rng = np.random.default_rng(1)
    y = np.arange(90) % 2
    score, fold = np.round(rng.normal(size=90) + y, 1), np.arange(90) // 2 % 3
    many = [f"class {k:02d} with a name of many words" for k in range(12)]
    codes = np.arange(240) % 12
    outputs = rng.random((240, 12)) + 0.6 * np.eye(12)[codes]
    weights = [
        rs.ClassWeights([1, k], classes=[0, 1], reject=r) for k, r in ((1, 0.55), (2, None), (0.5, 0.7))
    ]
    pair = np.column_stack([1 - (score + 4) / 9, (score + 4) / 9])
    own = {"ratio": "lr_pos", "nothing": lambda c: np.full(c.shape[:-2], np.nan), "tpr": "tpr"}
    three = ["a", "b", "nobody"]
    few = {"weights": rng.random((8, 3)) + 0.1, "classes": three}
    mine = {"measures": {"mine": lambda c: c[..., 0, 0] / 7, "none": lambda c: np.full(c.shape[:-2], np.nan)}}
    rejecting = rs.average_roc(y, pair, fold=fold, classes=[0, 1], points=weights)
    twelve = rs.average_roc(np.array(many)[codes], outputs, fold=np.arange(240) // 12 % 4, classes=many)
    return {
        "infinite": rs.roc_curve([0, 1, 0, 1], [-np.inf, np.inf, 0.1, 0.7]),
        "integers": rs.roc_curve([0, 1, 0, 1], np.array([2**60, 2**60 + 1, 5, 2**60 + 2])),
        "weighted": rs.roc_curve([0, 0, 1, 1], [1, 2, 2, 3], sample_weight=[0.5, 1.25, 2, 0.75]),
        "constant": rs.roc_curve([0, 1, 1], [3, 3, 3]),
        "perfect": rs.roc_curve([0, 0, 1, 1], [1, 2, 3, 4]),
        "huge": rs.roc_curve([0, 1, 0, 1], [-1.7e308, 1.7e308, 0.0, 5e-324]),
        "two folds": rs.average_roc(y, score, fold=fold > 0),
        "lonely fold": rs.average_roc(y, score, fold=np.where(y == 1, fold % 2, fold)),
        "own measures": rs.average_roc(y, score, fold=fold, measures=own),
        "precision": rs.average_roc(y, score, fold=fold, measures=["tpr", "precision"]),
        "own rules": rs.average_roc(y, score, fold=fold, points=[Odd(0.5), Odd(1.0), Odd(1.5)]),
        "rejecting": rejecting,
        "twelve": twelve,
        "lonely class, no folds": one_set(np.array(["a", "b"])[y], rng.random((90, 3)), **few),
        "own measures, no folds": one_set(
            np.array(three)[np.arange(90) % 3], rng.random((90, 3)), **few, **mine
        ),
        "thresholds, no folds": together(rs.average_roc(y, score, fold=fold)),
        "rejecting, no folds": together(rejecting),
        "twelve, no folds": together(twelve),
    }


RESULTS = results()


@pytest.fixture(scope="module")
def opened(open_page, tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / "odd.html"
    path.write_text(html_page([explorer_section(r, name=n) for n, r in RESULTS.items()], title="Odd"))
    return open_page(path)


@pytest.mark.parametrize("name", RESULTS)
def test_it_answers(opened, name):
    result = RESULTS[name]
    opened.problems.clear()
    explorer = Explorer(opened, f"s{[*RESULTS].index(name) + 1}")
    explorer.press("Home", "p", "ArrowRight", "End", "PageDown", "o")
    explorer.running("x.store.set({cost: x.model.classes.map((_, k) => k + 1), aim: 'cost'});")
    explorer.running("x.store.set({bounds: 'error<=0.9', level: 3});")
    explorer.running("for (const name of x.model.names) x.store.set({x: name, y: x.model.names[0]});")
    explorer.running("x.store.set({point: x.model.size - 1});")
    last = len(result) - 1
    confusion = result.confusion() if isinstance(result, rs.RocCurve) else result.confusion
    assert explorer.point == last
    assert explorer.matrix("confusion") == confusion[last].tolist()
    assert explorer.find(".explorer-compared").is_visible()
    assert "NaN" not in explorer.root.inner_text()
    paths = explorer.find("svg path").evaluate_all("(paths) => paths.map((path) => path.getAttribute('d'))")
    assert not any(d and ("NaN" in d or "Infinity" in d) for d in paths)
    assert opened.problems == []


def test_all_of_it_can_be_printed(opened):
    opened.emulate_media(media="print")
    assert opened.locator(".explorer-controls").first.is_hidden()
    assert opened.locator(".explorer-plot").first.is_visible()
    opened.emulate_media(media="screen")
