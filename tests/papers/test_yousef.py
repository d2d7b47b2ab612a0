"""The study of Yousef et al.: its tasks, and that table 1 is reported as it was computed."""

import math

import numpy as np
import pytest
from scipy import special

from rocscope import plotting
from rocscope.papers import yousef
from rocscope.papers.base import Options
from rocscope.papers.yousef import PRINTED
from rocscope.run.journal import Journal
from rocscope.run.study import run_study, seed_of

QUICK = Options(size="quick", seed=4)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("yousef")
    status = run_study(yousef.make(QUICK), folder)
    assert status.failed == 0
    return dict(Journal.look(folder / "journal.jsonl").results())


def test_full_form_has_the_papers_sizes_and_trials():
    parts = yousef.table_parts(Options(size="full"))
    assert [part.n for part in parts] == [20, 40, 100, 200]
    assert all(part.trials >= 1000 and part.n_boot == 100 and part.common_test for part in parts)
    keys = [task.key for task in yousef.make(Options(size="full")).tasks]
    assert len(keys) == len(set(keys))


@pytest.mark.slow
def test_table_1_holds_the_papers_numbers_and_ours(results):
    summary = yousef.summarise(results, QUICK)
    table = {(r["n"], r["estimator"], r["figure"]): r for r in summary.tables[0].rows}
    assert len(table) == 60
    for n, estimators in PRINTED.items():
        for name, (mean, sd, rms) in estimators.items():
            assert [table[n, name, f]["paper"] for f in ("mean", "sd", "rms")] == [mean, sd, rms]
    # By hand from the journal: the first columns are the true, the apparent area and AUC(*) of every trial.
    values = np.array([row for k in range(2) for row in results[f"table/40/{k}"]["values"]], float)
    assert len(values) == 200
    for column, name in enumerate(("true", "apparent", "star")):
        assert table[40, name, "mean"]["ours"] == pytest.approx(values[:, column].mean())
        assert table[40, name, "sd"]["ours"] == pytest.approx(values[:, column].std(ddof=1))
    assert table[40, "star", "mean"]["difference"] == pytest.approx(values[:, 2].mean() - 0.6244)


def test_ours_agrees_with_the_paper(results):
    rows = yousef.summarise(results, QUICK).tables[0].rows
    exact = [row["z"] for row in rows if row["test_set_error"] == 0]
    assert len(exact) == 32
    assert max(map(abs, exact)) < 4


def test_rms_around_the_papers_own_truth(results):
    summary = yousef.summarise(results, QUICK)
    row = next(r for r in summary.tables[1].rows if (r["n"], r["estimator"]) == (200, "star"))
    values = np.array([one for k in range(2) for one in results[f"table/200/{k}"]["values"]], float)[:, 2]
    assert row["ours"] == pytest.approx(math.hypot(values.std(ddof=1), values.mean() - 0.7141))
    assert row["paper"] == 0.0334
    assert abs(row["difference"]) < 4 * row["mc_error"]


def test_all_sizes_share_one_test_set():
    tests = [task.parameters["test"] for task in yousef.make(QUICK).tasks if task.key.startswith("table")]
    assert all(np.array_equal(test, tests[0]) for test in tests)
    part = yousef.table_parts(QUICK)[0]
    seed = seed_of(4, "table/20/0")
    one = yousef.run_trials(part, 0, tests[0], seed)["values"]
    two = yousef.run_trials(part, 0, tests[0] + np.uint64(1), seed)["values"]
    assert np.array_equal(one[:, 1:3], two[:, 1:3], equal_nan=True)
    assert not np.array_equal(one[:, 0], two[:, 0])


def test_figures_and_words(results):
    summary = yousef.summarise(results, QUICK)
    names = [figure.name for figure in summary.figures]
    assert names == [*(f"figure_{k}" for k in range(1, 6)), "components"]
    assert [one.dimension for one in (summary.figures[2].result, *summary.figures[2].beside)] == [2, 5, 10]
    assert summary.findings[0].startswith("Table 1: the 32 means and SDs of the estimators are within")
    assert any("200 of ours" in line for line in summary.choices)


def test_figures_1_and_2_are_of_the_ratios_of_one_classifier(results):
    """By hand: the log ratio of the normal densities of the training cases, drawn again from the seed."""
    rng, shift = np.random.default_rng(seed_of(4, "ratios")), np.full(5, 0.4 / 2)
    training = [mean + rng.normal(size=(200, 5)) for mean in (-shift, shift)]
    test = [mean + rng.normal(size=(1000, 5)) for mean in (-shift, shift)]

    def distances(cases, own):
        away = cases - own.mean(axis=0)
        return (away @ np.linalg.inv(np.cov(own.T)) * away).sum(axis=1) + np.log(np.linalg.det(np.cov(own.T)))

    negatives, positives = ((distances(one, training[0]) - distances(one, training[1])) / 2 for one in test)
    assert results["ratios"]["negatives"] == pytest.approx(negatives.tolist())
    assert results["ratios"]["positives"] == pytest.approx(positives.tolist())
    line = yousef.summarise(results, QUICK).figures[0].result
    assert (line.n_neg, line.n_pos) == (1000, 1000)
    # A straight line through the normal deviates of the counted rates is about the fitted one.
    rates = np.array(
        [[(one >= cut).mean() for one in (negatives, positives)] for cut in np.linspace(-2, 2, 41)]
    )
    slope, intercept = np.polyfit(*special.ndtri(rates).T, 1)
    assert (line.a, line.b) == pytest.approx((intercept, slope), abs=0.1)
    assert line.a == pytest.approx(0.8**0.5, abs=0.2)


def test_figure_5_has_all_its_curves_at_every_size(results):
    figure = next(one for one in yousef.summarise(results, QUICK).figures if one.name == "figure_5")
    panel = plotting.picture(figure.result, **figure.options).panels[0]
    assert (panel.x.tick_labels[0], panel.x.tick_labels[-1]) == ("20", "200")
    for mark in panel.marks:
        if mark.role == "curve":
            assert mark.x.min() <= np.log2(20)
            assert mark.x.max() >= np.log2(199.5)
