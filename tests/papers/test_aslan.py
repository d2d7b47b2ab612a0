"""The study of Aslan et al.: its tasks, and what it counts."""

import json
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from rocscope.algorithms.comparison import CASES, compare_algorithms
from rocscope.core.result import plain
from rocscope.papers import aslan
from rocscope.papers.base import Options
from rocscope.papers.datasets import Dataset
from rocscope.papers.learners import paper_learners
from rocscope.plotting import picture
from rocscope.run.study import seed_of

pytestmark = pytest.mark.slow

QUICK = Options(size="quick")
LEARNERS = ("LP", "k-NN", "NB")


def small_data(name, data=None):
    rng = np.random.default_rng(len(name))
    y = np.repeat([0, 1], [90, 60])
    X = rng.normal(size=(150, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    X = np.column_stack([X, rng.integers(3, size=150)])
    return Dataset(name=name, X=X, y=y, source="made", is_text=np.array([False, False, False, True]))


@pytest.fixture(scope="module")
def small():
    """Two small data sets, three learners, and a pair of these for a figure of the paper."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aslan, "QUICK", ("ada", "wave"))
        patch.setattr(aslan, "LEARNERS", LEARNERS)
        patch.setattr(aslan.datasets, "load_dataset", small_data)
        patch.setitem(aslan.EXAMPLES, "figure_6", ("ada", "LP", "NB", CASES[1]))
        yield


def run(study, start=""):
    """Run tasks here, with results as a journal gives them back."""
    return {task.key: run_one(study, task) for task in study.tasks if task.key.startswith(start)}


def run_one(study, task):
    shared = {name: study.shared[name] for name in task.shared}
    value = task.function(**task.parameters, **shared, seed=seed_of(0, task.key))
    return json.loads(json.dumps(plain(value), allow_nan=False))


@pytest.fixture(scope="module")
def results(small):
    return run(aslan.make(QUICK))


@pytest.fixture(scope="module")
def summary(results):
    return aslan.summarise(results, QUICK)


def table(summary, name):
    return next(one.rows for one in summary.tables if one.name == name)


# ---- Tasks ------------------------------------------------------------------------------------------------


def test_the_study_is_compare_algorithms(results, summary):
    """Under every protocol, with the seed of the study, to the last bit."""
    problems = tuple(aslan.problem_of(name, QUICK) for name in ("ada", "wave"))
    data = {one.name: (one.X, one.labels) for one in problems}
    models = {name: paper_learners()[name] for name in LEARNERS}
    for protocol in aslan.PROTOCOLS:
        ours = aslan.compared_under(protocol, problems, results, QUICK)
        test = aslan.TESTS[protocol][0]["auc"]
        theirs = compare_algorithms(models, data, folds=10, protocol=protocol, test=test, rng=0)
        assert ours == theirs


def test_tasks_train_one_fold_each(small):
    keys = [task.key for task in aslan.make(QUICK).tasks]
    assert len(keys) == 2 * 3 * 3 * 11
    assert keys[0] == "holdout ('ada', 'LP', 0)"


def test_text_is_coded_and_large_data_are_thinned_class_by_class(monkeypatch, small):
    monkeypatch.setattr(aslan, "QUICK_ROWS", 50)
    thin, whole = (aslan.problem_of("ada", options) for options in (QUICK, Options()))
    assert whole.X.shape == (150, 6)
    assert (thin.positive.sum(), len(thin.positive)) == (20, 50)
    rows = {tuple(row) for row in whole.X.tolist()}
    assert all(tuple(row) in rows for row in thin.X.tolist())


# ---- The summary ------------------------------------------------------------------------------------------


def test_cases_of_the_papers_protocol_are_those_of_paired_t_tests(results, summary):
    expected = dict.fromkeys(CASES, 0)
    problems = tuple(aslan.problem_of(name, QUICK) for name in ("ada", "wave"))
    comparison = aslan.compared_under("holdout", problems, results, QUICK)
    for of_data in comparison.records:
        of = dict(zip(LEARNERS, of_data, strict=True))
        for pair in combinations(LEARNERS, 2):
            p = [
                ttest_rel(*([getattr(r, m) for r in of[one]] for one in pair)).pvalue
                for m in ("error", "auc")
            ]
            expected[CASES[2 * (p[0] < 0.05) + (p[1] < 0.05)]] += 1
    rows = [r for r in table(summary, "cases") if (r["protocol"], r["test"]) == ("holdout", "paired-t")]
    assert {row["case"]: row["count"] for row in rows} == expected
    assert [row["paper_count"] for row in rows] == [1, 10, 9, 130]
    assert sum(row["paper"] for row in rows) == pytest.approx(1)


def test_every_test_counts_every_pair_once(summary):
    rows = table(summary, "cases")
    for protocol, tests in aslan.TESTS.items():
        for test in tests:
            words = aslan.title_of(test)
            mine = [row for row in rows if (row["protocol"], row["test"]) == (protocol, words)]
            assert sum(row["count"] + row["undefined"] / 4 for row in mine) == 6
    pairs = table(summary, "pairs")
    assert len(pairs) == 6 * sum(map(len, aslan.TESTS.values()))
    assert {row["conditional"] for row in pairs if row["protocol"] == "kfold"} == {False}
    assert {
        row["conditional"] for row in pairs if row["test"] == "paired-t" and row["protocol"] == "holdout"
    } == {True}


def test_figures_show_the_case_they_are_named_for(results, summary):
    """All pairs are searched; where none is of the case, the README says so."""
    problems = tuple(aslan.problem_of(name, QUICK) for name in ("ada", "wave"))
    comparison = aslan.compared_under("holdout", problems, results, QUICK)
    cases = {row.case for row in comparison.verdicts}
    figures = {one.name: one for one in summary.figures}
    for name, (*own, case) in aslan.EXAMPLES.items():
        assert (name in figures) == (case in cases)
        if name not in figures:
            sentence = (
                f"{name.replace('_', ' ').capitalize()}: none of the 6 pairs here is a case of '{case}'."
            )
            assert sentence in summary.choices
            continue
        drawn = figures[name].result
        assert drawn.verdict.case == case
        assert figures[name].options == ({"show": "intervals"} if name in aslan.INTERVALS else {})
        own_verdicts = [row for row in comparison.verdicts if [row.dataset, row.first, row.second] == own]
        if own_verdicts and own_verdicts[0].case == case:
            assert [drawn.dataset, *drawn.algorithms] == own
    assert all(picture(one.result, **one.options).panels for one in summary.figures)


def test_figure_1_marks_the_losses(summary):
    figure = summary.figures[0]
    assert (figure.name, figure.options) == ("figure_1", {"algorithm": "LP"})
    assert figure.result.lambdas.tolist() == [0.5, 1, 2, 10]
    assert figure.result.thresholds.tolist() == [1 / 3, 1 / 2, 2 / 3, 10 / 11]


def test_what_is_missing_is_said(summary):
    missing = " ".join(summary.missing)
    assert "aibocolor and report" in missing
    assert "Not in this run: caravan, chess" in missing
    assert any("130 of 150" in text for text in summary.findings)


def test_a_learner_that_fails_on_a_fold_is_reported_and_stops_nothing(results):
    failure = {"failure": "ValueError: no such luck", "traceback": None}
    summary = aslan.summarise(results | {"kfold ('wave', 'NB', 3)": failure}, QUICK)
    assert "kfold: NB on wave, in fold 3: ValueError: no such luck." in summary.missing
    rows = [r for r in table(summary, "cases") if (r["protocol"], r["test"]) == ("kfold", "corrected-t")]
    assert {row["undefined"] for row in rows} == {2}
