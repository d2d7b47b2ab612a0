"""The study of Marrocco et al.: its splits, its printed tables, and what it makes of small data."""

import json
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import rocscope as rs
from data_folder import data_dir
from rocscope.binormal.fusion_parts import WeightGrid
from rocscope.core.result import plain
from rocscope.errors import ResourceError
from rocscope.papers import marrocco
from rocscope.papers.base import Options
from rocscope.plotting import picture
from rocscope.run.study import seed_of

pytestmark = pytest.mark.slow

NAMES = tuple(marrocco.TABLES)


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "printed"),
    # Table 1 of the paper: training, validation, test.
    [(268, 500, [384, 192, 192]), (300, 700, [500, 250, 250]), (844, 629, [737, 368, 368])],
)
def test_splits_have_the_sizes_of_table_1(n_pos, n_neg, printed):
    positive = np.repeat([True, False], [n_pos, n_neg])
    part = marrocco.deal(positive, np.random.default_rng(1))
    assert np.bincount(part).tolist() == printed
    assert np.bincount(part[positive])[0] == -(-n_pos // 2)


@pytest.mark.parametrize("name", NAMES)
def test_printed_empirical_areas_are_equal_for_equal_ratios(name):
    """A slip of the pen in the transcription would show: only the ratio of two weights matters."""
    cells = [(svm / mlp, marrocco.EMPIRICAL[name][row][column]) for row, column, svm, mlp in marrocco.cells()]
    compared = 0
    for (ratio, area), (other, second) in product(cells, cells):
        if ratio == pytest.approx(other) and None not in (area, second):
            assert area == pytest.approx(second, abs=2e-4)
            compared += 1
    assert compared > 25


def small_cases(seed):
    rng = np.random.default_rng(seed)
    positive = np.repeat([True, False], [60, 80])
    return rng.normal(size=(140, 3)) + positive[:, None], positive


@pytest.fixture(scope="module")
def results():
    """Three hold-outs of each of three small data sets, as a journal gives them back."""
    found = {}
    for k, name in enumerate(NAMES):
        for run in range(3):
            key = f"{name}/{run}"
            value = marrocco.hold_out(name, 20, seed_of(0, key), **{name: small_cases(k)})
            found[key] = json.loads(json.dumps(plain(value), allow_nan=False))
    return found


@pytest.fixture(scope="module")
def summary(results):
    return marrocco.summarise(results, Options(size="quick"))


def table(summary, name):
    return next(one.rows for one in summary.tables if one.name == name)


def test_counted_areas_are_those_of_weighted_sums_on_the_test_cases():
    X, positive = small_cases(0)
    part = marrocco.deal(positive, np.random.default_rng(3))
    svm, mlp = X[:, 0] + 0.3 * X[:, 2], np.tanh(X[:, 1])
    found = marrocco.preview(positive, part, svm, mlp, "raw")
    runs = marrocco.Runs(dataset="pima", values=found["values"][None], grid=WeightGrid.of())
    test = part == 2
    for a, b in [(0.2, 0.2), (1.0, 0.3), (0.1, 0.9)]:
        area = roc_auc_score(positive[test], a * svm[test] + b * mlp[test])
        assert runs.at(a, b, "empirical")[0] == pytest.approx(area, abs=1e-12)


def test_tables_hold_means_and_deviations_of_the_runs(results, summary):
    rows = [row for row in table(summary, "table_2") if row["area"] == "empirical"]
    assert len(rows) == 25
    runs = marrocco.runs_of(results, "german", marrocco.MAIN)
    values = runs.at(0.4, 0.8, "empirical")
    row = next(row for row in rows if (row["svm"], row["mlp"]) == (0.4, 0.8))
    assert row["paper"] == 0.7701
    assert row["ours"] == pytest.approx(values.mean())
    assert row["run_sd"] == pytest.approx(values.std(ddof=1))
    assert row["mc_error"] == pytest.approx(values.std(ddof=1) / np.sqrt(3))
    assert row["within_sd"] == (abs(values.mean() - 0.7701) <= values.std(ddof=1))


def test_parametric_areas_are_compared_by_the_same_rule(results, summary):
    rows = [row for row in table(summary, "table_3") if row["area"] == "independent"]
    values = marrocco.runs_of(results, "pima", marrocco.MAIN).at(0.2, 1.0, "independent")
    row = next(row for row in rows if (row["svm"], row["mlp"]) == (0.2, 1.0))
    assert (row["paper"], row["paper_spread"]) == (0.6706, 0.0011)
    assert row["within_sd"] == (abs(values.mean() - 0.6706) <= values.std(ddof=1))
    inside = sum(row["within_sd"] for row in rows)
    assert summary.findings[1].startswith(f"A_p of Pima diabetes: {inside} of 25 areas are within one")


def test_table_1_has_the_printed_sizes(summary):
    rows = {(row["dataset"], row["quantity"]): row for row in table(summary, "table_1")}
    assert len(rows) == 21
    assert rows["pima", "training"]["paper"] == rows["pima", "training"]["ours"] == 384
    assert rows["cmc", "% positive"]["ours"] == pytest.approx(57.3, abs=0.05)
    assert all(abs(row["difference"]) < 0.06 for row in rows.values())


def test_figure_4_shows_the_largest_concavities(results, summary):
    """The area between the points and the hull, by the slopes of all chords."""
    sizes = []
    for name, run, learner in product(NAMES, range(3), ("SVM", "MLP")):
        cases = results[f"{name}/{run}"]["validation"]
        curve = rs.roc_curve(cases["positive"], cases[learner])
        x, y = curve.fpr, curve.tpr
        height = [
            max(
                y[i] if x[i] == x[j] else y[i] + (y[j] - y[i]) * (at - x[i]) / (x[j] - x[i])
                for i in range(len(x))
                for j in range(len(x))
                if x[i] <= at <= x[j]
            )
            for at in x
        ]
        sizes.append(np.trapezoid(np.array(height) - y, x))
    figure = next(one for one in summary.figures if one.name == "figure_4")
    shown = [float(title.split(": ")[1].split()[0]) for title in figure.titles]
    np.testing.assert_allclose(shown, sorted(sizes)[:-3:-1], atol=6e-4)


def test_predictions_with_correlations_have_no_printed_value(summary):
    rows = [row for row in table(summary, "table_4") if row["area"] == "correlated"]
    assert len(rows) == 25
    assert all(row["paper"] is None and row["difference"] is None for row in rows)


def test_predicted_weights_are_counted_by_a_literal_search(results, summary):
    for name, scale in product(NAMES, marrocco.SCALES):
        values = marrocco.runs_of(results, name, marrocco.MAIN, scale).values
        for k, column in enumerate(marrocco.PREDICTED):
            for kind, best in (("best", max), ("worst", min)):
                hits = 0
                for run in values:
                    chosen = best(range(len(run)), key=lambda d: (run[d, k], -d if best is max else d))
                    hits += run[chosen, 2] == best(run[:, 2])
                names = {"dataset": name, "scale": scale, "predicted": column, "weights": kind}
                row = next(r for r in table(summary, "predicted") if names.items() <= r.items())
                assert row["ours"] == hits
                assert row["runs"] == 3


def test_every_reading_of_the_perceptron_is_tabled(summary):
    rows = table(summary, "readings")
    assert {row["mlp"] for row in rows} == {f"{t}, {o}" for t in marrocco.TRAININGS for o in marrocco.OUTPUTS}
    assert marrocco.MAIN in {row["mlp"] for row in rows}
    assert [row["cells"] for row in rows if row["dataset"] == "pima"] == [25, 24] * 6
    assert all(0 <= row["ours"] <= row["cells"] for row in rows)


def test_counts_and_correlations_have_no_printed_value(results, summary):
    rows = table(summary, "correlations")
    assert [(row["dataset"], row["cases"]) for row in rows] == list(
        product(NAMES, ("negatives", "positives"))
    )
    for row in rows:
        place = ("negatives", "positives").index(row["cases"])
        rho = [results[f"{row['dataset']}/{run}"][marrocco.MAIN]["raw"]["rho"][place] for run in range(3)]
        assert row["ours"] == pytest.approx(np.mean(rho))
        assert row["mc_error"] == pytest.approx(np.std(rho, ddof=1) / np.sqrt(3))
        assert row["assumed"] == 0.0
    for row in [*rows, *table(summary, "readings"), *table(summary, "predicted")]:
        assert row["paper"] is None
        assert row["difference"] is None


def test_figures_show_the_means(results, summary):
    figure = next(one for one in summary.figures if one.name == "figure_1")
    runs = marrocco.runs_of(results, "german", marrocco.MAIN)
    np.testing.assert_allclose(figure.result.empirical, runs.values.mean(axis=0)[runs.grid.index, 2])
    assert [one.name for one in summary.figures] == ["figure_1", "figure_2", "figure_3", "figure_4"]
    assert all(picture(one.result, **one.options).panels for one in summary.figures)


def test_an_interrupted_training_is_no_result(monkeypatch):
    model = SimpleNamespace(fit=lambda X, y: None, n_iter_=7, predict_proba=None)
    monkeypatch.setattr(marrocco.learners, "small_mlp", lambda *_, **__: model)
    with pytest.raises(KeyboardInterrupt):
        marrocco.hold_out("pima", 20, seed_of(0, "pima/0"), pima=small_cases(0))


def test_tasks_are_one_for_each_data_set_and_run():
    study = marrocco.make(Options(size="full", data=data_dir()))
    assert len(study.tasks) == 36
    assert {name: positive.sum() for name, (_, positive) in study.shared.items()} == {
        "german": 300,
        "pima": 268,
        "cmc": 844,
    }
    for X, _ in study.shared.values():
        np.testing.assert_allclose([X.mean(axis=0), X.std(axis=0) - 1], 0, atol=1e-9)


def test_without_any_data_set_the_study_says_what_was_tried(monkeypatch, tmp_path):
    monkeypatch.setenv("ROCSCOPE_OFFLINE", "1")
    with pytest.raises(
        ResourceError, match=r"data set 'german_numeric' was not found; tried: .*\n.*pima.*\n.*cmc"
    ):
        marrocco.make(Options(data=tmp_path))
