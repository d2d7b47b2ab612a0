from dataclasses import replace

import numpy as np
import pytest

import rocscope as rs
from every_result import readings
from rocscope import plotting


def study(n=3, modalities=("film", "screen"), **options):
    rng = np.random.default_rng(3)
    rows = [(f"r{r:02}", m, c) for r in range(n) for m in modalities for c in range(20)]
    return rs.reader_study(**readings(rows, rng), **options)


def panel_of(result):
    (panel,) = plotting.record(plotting.picture(result))["panels"]
    return panel


def test_one_line_per_reader_and_the_mean_with_its_interval():
    result = study()
    panel = panel_of(result)
    lines = [mark for mark in panel["marks"] if mark["mark"] == "Line"]
    assert [line["label"] for line in lines] == [
        "Reader r00",
        "Reader r01",
        "Reader r02",
        "Mean (95% interval)",
    ]
    assert [line["y"] for line in lines[:3]] == result.auc.T.tolist()
    assert lines[0]["hover"] == ["reader r00, film", "reader r00, screen"]
    (bars,) = [mark for mark in panel["marks"] if mark["mark"] == "ErrorBars"]
    assert bars["y_low"] == [row.low for row in result.means]
    assert bars["y_high"] == [row.high for row in result.means]
    assert panel["x"]["tick_labels"] == ["film", "screen"]
    assert panel["title"] == f"Equal areas: t = {result.statistic:.4g}, df = {result.df:.4g}, p = 0.24"


def test_many_readers_have_one_entry():
    lines = [mark for mark in panel_of(study(12))["marks"] if mark["mark"] == "Line"]
    assert [line["label"] for line in lines if line["label"]] == ["Readers", "Mean (95% interval)"]
    assert len(lines) == 13


@pytest.mark.parametrize(("options", "kind"), [({}, "F"), ({"readers": "fixed"}, "chi2")])
def test_more_modalities(options, kind):
    panel = panel_of(study(modalities=("a", "b", "c"), **options))
    assert panel["title"].startswith(f"Equal areas: {kind} = ")
    assert panel["x"]["tick_labels"] == ["a", "b", "c"]


def test_undefined_means_have_no_bars():
    result = study()
    means = tuple(replace(row, low=None, high=None) for row in result.means)
    result = replace(result, means=means, p_value=None, reason="few cases")
    panel = panel_of(result)
    assert panel["title"] == "Equal areas: no test, few cases"
    assert [mark["label"] for mark in panel["marks"] if mark["label"]][-1] == "Mean"
    result.plot()
