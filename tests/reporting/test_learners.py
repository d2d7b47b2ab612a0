"""What a report says of trained models: verdicts, ranks, and bootstrap estimates."""

import dataclasses

import pytest

from every_result import every_result
from report_pages import EVIL, Parsed
from rocscope.reporting import report_html


@pytest.fixture(scope="module")
def algorithms():
    return every_result()["algorithms"]


@pytest.fixture(scope="module")
def bootstrap():
    return every_result()["bootstrap"]


def cells(found):
    return [one.text for one in found.all("td")]


# ---- Algorithms -------------------------------------------------------------------------------------------


def test_verdicts_are_counted_and_listed(algorithms):
    found = Parsed(report_html(algorithms))
    assert found.titles == ["Learning algorithms"]
    reading = found.readings[0]
    assert reading.startswith("2 algorithms on 2 data sets (4 folds, kfold), each pair tested by AUC")
    for case, n in algorithms.cases().items():
        assert (f"{case} ({n})" in reading) == (n > 0)
    for row in algorithms.verdicts:
        assert row.case in cells(found)
        assert f"{row.auc.difference:+.4f}" in cells(found)


def test_differences_are_drawn_as_cells_and_ranks_as_a_diagram(algorithms):
    found = Parsed(report_html(algorithms))
    auc, error, *ranks = found.figures()
    for figure, measure in ((auc, "auc"), (error, "error")):
        texts = [mark["text"].rstrip("*") for mark in figure["marks"] if mark["kind"] == "text"]
        for row in algorithms.verdicts:
            assert f"{row[measure].difference:+.3f}" in texts
    assert len(ranks) == sum(found.average_ranks is not None for found in algorithms.ranks.values()) == 2
    rank = algorithms.ranks["auc"]
    best = rank.algorithms[int(rank.average_ranks.argmin())]
    assert f"By AUC {best} has the best average rank, {rank.average_ranks.min():.2f}." in found.readings[1]


def test_one_data_set_has_no_ranks(algorithms):
    undefined = {name: dataclasses.replace(one, average_ranks=None) for name, one in algorithms.ranks.items()}
    found = Parsed(report_html(dataclasses.replace(algorithms, ranks=undefined)))
    assert len(found.figures()) == 2
    assert len(found.readings) == 1


def test_names_of_data_sets_are_text(algorithms):
    rows = tuple(dataclasses.replace(row, dataset=EVIL) for row in algorithms.verdicts[:1])
    sets = (dataclasses.replace(algorithms.datasets[0], name=EVIL),)
    values = {name: getattr(algorithms, name)[:1] for name in ("auc", "error", "defined")}
    found = Parsed(report_html(dataclasses.replace(algorithms, verdicts=rows, datasets=sets, **values)))
    assert not found.all("img")
    assert EVIL in [one.text for one in found.all("th")]


# ---- Bootstrap --------------------------------------------------------------------------------------------


def test_bootstrap_estimates_are_read_and_listed(bootstrap):
    found = Parsed(report_html({"nb": bootstrap}))
    assert found.titles == ["Bootstrap estimates: nb"]
    (reading,) = found.readings
    plus, apparent, star = bootstrap.point632plus, bootstrap.apparent.value, bootstrap.star.value
    assert reading.startswith("A classifier trained on these 60 cases is expected to have an AUC of ")
    assert f"{plus.value:.3f} (95% interval {plus.low:.3f}–{plus.high:.3f}) on new ones (.632+)" in reading
    assert (
        f"has {apparent:.3f}, on cases left out {star:.3f}: a difference of {apparent - star:+.3f}" in reading
    )
    assert f"{bootstrap.n_boot} replicates were drawn" in reading
    for one in (*bootstrap.estimates().values(), *bootstrap.error.estimates().values()):
        if one.low is not None:
            assert f"{one.low:.4f}–{one.high:.4f}" in cells(found)


def test_bootstrap_estimates_are_drawn_for_areas_and_errors(bootstrap):
    areas, errors = Parsed(report_html(bootstrap)).figures()
    for figure, family in ((areas, bootstrap), (errors, bootstrap.error)):
        known = [one.value for one in family.estimates().values() if one.value is not None]
        drawn = [x for mark in figure["marks"] if mark["kind"] == "points" for x in mark["x"]]
        for value in known:
            assert any(abs(value - x) < 1e-4 for x in drawn if x is not None)


# ---- Studies ----------------------------------------------------------------------------------------------


def test_tables_of_text_are_described_in_sentences():
    study = every_result()["monte carlo"]
    nearest = min((row for row in study.rows if row.estimator != "true"), key=lambda row: row.rms)
    reading = Parsed(report_html(study)).readings[0]
    assert f"(RMS {nearest.rms:.4f})" in reading
    assert "  " not in reading
    curve = every_result()["learning curve"]
    assert f"{curve.columns()['auc'][0]:.3f} with 20" in Parsed(report_html(curve)).readings[0]
    benefit = every_result()["benefit"]
    assert "The score is worth more than treating all or none at" in Parsed(report_html(benefit)).readings[0]
