"""The table of a comparison against its definition, and its texts."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from algorithms.bad_learners import NoNumbers
from rocscope.algorithms.comparison import compare_algorithms
from rocscope.core.result import Result
from rocscope.errors import RocInputError

LEARNERS = {
    "stump": DecisionTreeClassifier(max_depth=1),
    "again": DecisionTreeClassifier(max_depth=1),
    "nb": GaussianNB(),
    "knn_5%": KNeighborsClassifier(),
}


@pytest.fixture(scope="module")
def compared():
    """Two equal learners, and features with few values: means and ranks are tied."""
    rng = np.random.default_rng(5)
    y = np.arange(160) % 2
    data = {
        name: (np.round(rng.normal(size=(160, 3)) + shift * y[:, None]), y)
        for name, shift in (("one_a", 0.4), ("two", 1.0), ("three", 1.5))
    }
    return compare_algorithms(LEARNERS, data, folds=8, scorers=["neg_log_loss"])


@pytest.mark.parametrize("measure", ["auc", "error", "neg_log_loss"])
def test_the_table_written_out(compared, measure):
    table = compared.table(measure)
    values = {"auc": compared.auc, "error": compared.error}.get(measure, compared.others.get(measure))
    for d in range(3):
        means = [float(np.mean(values[d, a])) for a in range(4)]
        for a in range(4):
            assert table.mean[d, a] == pytest.approx(means[a], rel=1e-14)
            assert table.sd[d, a] == pytest.approx(np.std(values[d, a], ddof=1), rel=1e-12)
        good = [-m if measure == "error" else m for m in means]
        ranks = stats.rankdata(-np.round(good, 12))
        assert table.ranks[d].tolist() == ranks.tolist()
        assert table.best[d].tolist() == [m == max(np.round(good, 12)) for m in np.round(good, 12)]
    assert table.average_ranks.tolist() == pytest.approx(table.ranks.mean(axis=0).tolist())
    if measure != "neg_log_loss":
        assert table.average_ranks.tolist() == pytest.approx(compared.ranks[measure].average_ranks.tolist())


def test_worse_is_what_the_test_says_after_holms_adjustment(compared):
    for measure in ("auc", "error"):
        table = compared.table(measure)
        for d, name in enumerate(table.datasets):
            p = {
                pair: compared.tests_of(name, *pair, measure).test("corrected-t").p_value
                for pair in combinations(compared.algorithms, 2)
            }
            adjusted, running = {}, 0.0
            for step, pair in enumerate(sorted(p, key=p.get)):
                running = max(running, (len(p) - step) * p[pair])
                adjusted[pair] = min(1.0, running)
            best = compared.algorithms[int(np.argmax(table.best[d]))]
            for a, other in enumerate(compared.algorithms):
                pair = tuple(sorted((best, other), key=compared.algorithms.index))
                assert table.worse[d, a] == (other != best and adjusted[pair] < 0.05)
    assert compared.table("auc").worse.any()


def test_texts(compared):
    table = compared.table(digits=2)
    lines = str(table).splitlines()
    assert lines[0] == (
        "AUC, mean ± SD over the folds; * best, - significantly worse than the best (corrected-t, Holm)"
    )
    assert lines[-1].split()[2:] == [f"{rank:.2f}" for rank in table.average_ranks]
    cell = f"{table.mean[1, 2]:.2f} ± {table.sd[1, 2]:.2f}"
    assert cell in lines[3]
    latex, html = table.to_latex(), table.to_html()
    assert latex.splitlines()[0].startswith("% AUC, mean ± SD over the folds; bold best, dagger")
    assert latex.splitlines()[3] == r"& stump & again & nb & knn\_5\% \\"
    assert r"one\_a & " in latex
    best = int(np.argmax(table.best[1]))
    bold = f"{table.mean[1, best]:.2f} $\\pm$ {table.sd[1, best]:.2f}"
    assert rf"\textbf{{{bold}}}" in latex
    assert latex.count(r"\dagger") == html.count("<sup>†</sup>") == table.worse.sum()
    assert html.count("<b>") == latex.count(r"\textbf") == table.best.sum()
    assert table._repr_html_() == html
    assert len(table.frame()) == 12
    assert Result.from_dict(table.to_dict()) == table


def test_an_algorithm_without_values_has_no_rank():
    y = np.arange(40) % 2
    X = np.random.default_rng(0).normal(size=(40, 2)) + y[:, None]
    learners = {"nb": GaussianNB(), "none": NoNumbers(), "knn": KNeighborsClassifier(3)}
    table = compare_algorithms(learners, (X, y), folds=3).table()
    assert table.average_ranks is None
    assert table.cells()[0][1] == "undefined"
    assert table.best[0].sum() == 1
    assert np.isnan(table.ranks).all()
    assert "average rank" not in str(table) + table.to_latex() + table.to_html()


def test_names_in_html_are_escaped(compared):
    y = np.arange(30) % 2
    learners = {"<b>": GaussianNB(), "&": KNeighborsClassifier(3)}
    page = compare_algorithms(learners, {"<script>": (y[:, None] + 0.0, y)}, folds=2).table().to_html()
    assert "<script>" not in page
    assert "<th>&lt;b&gt;</th><th>&amp;</th>" in page


def test_unknown_measures_are_refused(compared):
    with pytest.raises(RocInputError, match="measure must be one of"):
        compared.table("accuracy")
    with pytest.raises(RocInputError, match="digits must be"):
        compared.table(digits=-1)
