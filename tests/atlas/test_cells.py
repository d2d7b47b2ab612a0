"""The simulation of a cell: what it counts, when it stops, and what makes it run again."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.random import SeedSequence

import rocscope as rs
from rocscope.atlas import cells
from rocscope.atlas.cells import Cell, Counts, Limits, families, find_family, fingerprint, simulate_cell
from rocscope.atlas.results import Atlas, load, summary_rows
from rocscope.papers.atlas import make
from rocscope.papers.base import Options
from rocscope.run.study import run_study, seed_of

FEW = Limits(least=60, most=60, by_name=60, batch=30)


def test_counts_are_those_of_a_plain_loop():
    cell = Cell("exponential", 0.9, 12, 15)
    rng = np.random.default_rng(seed_of(3, f"data of auc/{cell.key}"))
    below = above = hits = 0
    widths = []
    for _ in range(60):
        y, s = cell.score_law.draw(12, 15, rng)
        one = rs.auc(y, s, method="logit")
        below += one.low > 0.9
        above += one.high < 0.9
        hits += one.low <= 0.9 <= one.high
        widths.append(one.high - one.low)
    [counts] = simulate_cell("auc", "logit", cell, FEW, 3, SeedSequence(0))
    assert counts[:5] == [60, hits, below, above, 0]
    assert counts[5] == pytest.approx(np.mean(widths))


def test_methods_of_a_cell_see_the_same_data():
    cell = Cell("normal", 0.8, 10, 10)
    seen = {name: [] for name in ("delong", "logit")}
    family = families()["auc"]

    def spy(name):
        def method(data, rng):
            seen[name].append(data[1].tolist())
            return [(0.0, 1.0)]

        return method

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(cells.FAMILIES, "auc", replace(family, methods={name: spy(name) for name in seen}))
        for seed, name in enumerate(seen):
            simulate_cell("auc", name, cell, FEW, 0, SeedSequence(seed))
    assert seen["delong"] == seen["logit"]
    assert len(seen["delong"]) == 60


def test_families_come_module_after_module(monkeypatch):
    expected = list(families())
    monkeypatch.setattr(cells, "FAMILIES", dict(reversed(cells.FAMILIES.items())))
    modules = [one.truth.__module__.rpartition(".")[2] for one in families().values()]
    assert modules == sorted(modules, key=cells.MODULES.index)
    assert set(families()) == set(expected)


def test_data_sets_are_kept_as_far_as_they_fit(monkeypatch):
    cell = Cell("normal", 0.8, 10, 10)
    plain = np.random.default_rng(seed_of(0, f"data of auc/{cell.key}"))
    expected = [cell.score_law.draw(10, 10, plain)[1].tolist() for _ in range(9)]
    monkeypatch.setattr(cells, "KEPT_CASES", 100)  # five data sets
    drawn = cells.DataSets("auc", cell, 0)
    for many in (3, 9, 9, 7):
        assert [scores.tolist() for _, (_, scores) in zip(range(many), drawn, strict=False)] == expected[
            :many
        ]
    assert len(drawn.kept) == 5


def test_the_time_of_a_study_is_that_of_its_data_sets(monkeypatch):
    monkeypatch.setattr(cells, "seconds", lambda family, method, size: 2.0 if method == "dkw" else 0.5)
    assert cells.estimated_hours("quick", ["roc_band simultaneous"]) == 3.0 * 20 / 3600
    # 300 data sets at most, in the quick form a batch; without such a bound 0.6 of 3,000 for the default.
    assert cells.estimated_hours("full", ["roc_band simultaneous"]) == 3.0 * 300 / 3600
    assert cells.estimated_hours("full", ["calibration"]) == 0.5 * 0.6 * 3000 / 3600


def test_a_cell_stops_when_its_rate_is_settled():
    assert Counts(n=2000, hits=1910).is_settled("interval")
    assert not Counts(n=1000, hits=935).is_settled("interval")
    assert Counts(n=1000, hits=700).is_settled("interval")
    assert Counts(n=2000, hits=60).is_settled("test")
    assert not Counts(n=1000, hits=55).is_settled("test")
    assert Counts(n=10, undefined=10).is_settled("interval")


def test_what_is_undefined_and_missed():
    counts = Counts()
    counts.add_interval(np.nan, np.nan, 0.5)
    counts.add_interval(0.6, 0.7, 0.5)
    counts.add_interval(0.1, 0.2, 0.5)
    counts.add_interval(0.5, 1.0, 0.5)
    assert (counts.n, counts.undefined, counts.below, counts.above, counts.hits) == (4, 1, 1, 1, 1)
    test = Counts()
    for p_value in (np.nan, 0.01, 0.05, 0.5):
        test.add_p_value(p_value)
    assert (test.n, test.undefined, test.hits) == (4, 1, 2)


def test_a_changed_method_alone_is_measured_again(tmp_path, monkeypatch):
    monkeypatch.setattr(cells, "families", lambda: {"auc": cells.FAMILIES["auc"]})
    family = replace(
        families()["auc"],
        methods={name: families()["auc"].methods[name] for name in ("delong", "logit")},
        cells=lambda size: (Cell("normal", 0.7, 10, 10), Cell("normal", 0.9, 10, 10)),
    )
    monkeypatch.setitem(cells.FAMILIES, "auc", family)
    fingerprint.cache_clear()
    options = Options(size="quick")
    first = make(options)
    assert run_study(first, tmp_path, n_jobs=1).done == 4

    logit = family.methods["logit"]

    def wider(data, rng):
        return [(low - 0.001, high) for low, high in logit(data, rng)]

    changed = replace(family, methods=family.methods | {"logit": wider})
    monkeypatch.setitem(cells.FAMILIES, "auc", changed)
    fingerprint.cache_clear()
    second, ran = make(options), []
    before = {task.key for task in first.tasks}
    again = [task.key for task in second.tasks if task.key not in before]
    assert again == [f"auc/logit/normal {area} 10+10@{fingerprint('auc', 'logit')}" for area in (0.7, 0.9)]
    status = run_study(second, tmp_path, n_jobs=1, progress=lambda done, total: ran.append((done, total)))
    assert ran == [(2, 4), (3, 4), (4, 4)]
    assert (status.total, status.done) == (4, 4)
    fingerprint.cache_clear()


def test_the_table_survives_csv(tmp_path):
    rows = load().cells
    path = tmp_path / "atlas.csv"
    import csv

    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(dict(rows[0])))
        writer.writeheader()
        writer.writerows(Atlas(cells=rows[:50]).to_rows())
    with path.open() as lines:
        assert Atlas.read(lines).cells == rows[:50]


def test_summary_counts_cells():
    [logit] = [
        row for row in summary_rows(load().select(family="auc", quantity="AUC")) if row["method"] == "logit"
    ]
    rates = [row.rate for row in load().select(family="auc", method="logit").cells]
    assert logit["cells"] == len(rates)
    assert logit["lowest"] == min(rates)
    assert logit["highest"] == max(rates)


@pytest.mark.slow
@pytest.mark.parametrize("name", families())
def test_the_table_is_that_of_the_methods(name):
    """A method that answers otherwise is measured again: validation/make_atlas.py."""
    own = load(name)
    for method in find_family(name).methods:
        assert set(own.select(method=method).values("fingerprint")) <= {fingerprint(name, method)}
    assert own.select(method=find_family(name).default).cells
