"""The study of Paclik et al.: counts as computed by hand, and the digits where they can be had."""

from pathlib import Path

import numpy as np
import pytest

from data_folder import data_file
from rocscope.averaging.roc import average_roc
from rocscope.core.resampling import spawn_streams
from rocscope.papers import paclik
from rocscope.papers.base import Options
from rocscope.papers.datasets import Dataset
from rocscope.run.journal import Journal
from rocscope.run.study import run_study, seed_of
from rocscope.training.cross_scores import cross_scores
from rocscope.training.detectors import GaussianDetector


def finished(options, folder):
    study = paclik.make(options)
    assert run_study(study, folder).failed == 0
    return dict(Journal.look(folder / "journal.jsonl").results())


@pytest.fixture
def offline(monkeypatch):
    monkeypatch.delenv("ROCSCOPE_DATA", raising=False)
    monkeypatch.setenv("ROCSCOPE_OFFLINE", "1")


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(paclik, "CHUNK", 2)


def test_without_the_digits_the_rest_is_done(offline, few, tmp_path):
    options = Options(size="quick", seed=2)
    (note,) = paclik.make(options).notes
    assert note.startswith("figure 3 is left out: data set 'mfeat_mor' was not found; tried: ")
    results = finished(options, tmp_path)
    summary = paclik.summarise(results, options)
    assert [figure.name for figure in summary.figures] == ["figure_1", "figure_2"]
    assert any("mfeat_mor was not found" in line for line in summary.missing)
    assert summary.figures[1].titles == ("50 cases of each class", "200 cases of each class")
    rows = summary.tables[0].rows
    assert len(rows) == 18
    assert {row["seeds"] for row in rows} == {4}
    # The paper prints no count: none is invented, and the row says why.
    assert {(row["paper"], row["difference"]) for row in rows} == {(None, None)}
    assert {row["why_no_paper"] for row in rows} == {"the paper draws the points and prints no number"}
    column = [one[0] for k in range(2) for one in results[f"counts/50/{k}"]]
    assert rows[0]["ours"] == np.mean(column)
    assert rows[0]["mc_error"] == pytest.approx(np.std(column, ddof=1) / 2)


def test_counts_by_hand(few):
    seed = seed_of(0, "counts/50/0")
    rng = spawn_streams(seed, 2)[0]
    X, y = paclik.highleyman(50, rng)
    roc = average_roc(cross_scores(GaussianDetector(log=True), X, y, target="class 1", rng=rng))
    chosen = roc.select("tpr>=0.9")
    fpr = roc.values[:, roc.measures.index("fpr"), :]
    differences = fpr - fpr[chosen]
    alike = 0
    for k, d in enumerate(differences):
        spread = d.std(ddof=1) / np.sqrt(10)
        # 2.101 is the two-sided 5 % point of t with 2 * 10 - 2 degrees of freedom.
        same = d.mean() == 0 if spread == 0 else abs(d.mean() / spread) <= 2.10092204
        alike += same and k != chosen
    assert paclik.count_points(50, seed)[0][0] == alike


def test_larger_samples_tell_more_points_apart(few):
    small, large = (np.mean(paclik.count_points(n, seed_of(1, "a")), axis=0) for n in (50, 200))
    assert (large < small).all()


def test_highleyman_has_the_papers_moments():
    X, y = paclik.highleyman(40_000, np.random.default_rng(1))
    first, second = X[y == "class 1"], X[y == "class 2"]
    assert np.allclose(first.mean(axis=0), [1, 1], atol=0.02)
    assert np.allclose(second.mean(axis=0), [2, 0], atol=0.04)
    assert np.allclose(np.cov(first.T), [[1, 0], [0, 0.25]], atol=0.03)
    assert np.allclose(np.cov(second.T), [[0.01, 0], [0, 4]], atol=0.1)


@pytest.mark.parametrize("labels", [np.arange(10), np.array([str(d + 1) for d in range(10)])])
def test_digits_are_taken_by_their_order(monkeypatch, labels):
    X = np.arange(20.0)[:, np.newaxis]
    found = Dataset(name="d", X=X, y=np.repeat(labels, 2), source="", is_text=np.array([False]))
    monkeypatch.setattr(paclik.datasets, "load_dataset", lambda name, data: found)
    (rows, y), notes = paclik.load_digits(Options())
    assert notes == ()
    assert rows.ravel().tolist() == [4, 5, 6, 7, 10, 11]
    assert y.tolist() == [2, 2, 3, 3, 5, 5]


@pytest.mark.slow
def test_digits_of_the_paper(few, tmp_path):
    folder = Path(data_file("mfeat_mor/mfeat_mor.csv")).parents[1]
    options = Options(size="quick", data=folder)
    summary = paclik.summarise(finished(options, tmp_path), options)
    assert [figure.name for figure in summary.figures] == ["figure_1", "figure_2", "figure_3"]
    rows = {(r["features"], r["method"] or r["count"]): r for r in summary.tables[1].rows}
    assert len(rows) == 8
    assert 0.2 < rows["raw", "largest class error"]["ours"] < 0.4
    assert rows["raw", "paclik"]["ours"] <= rows["raw", "corrected"]["ours"]
