"""Published simulation studies, simulated again: our figures agree with those that are printed."""

import importlib
from pathlib import Path

import numpy as np
import pytest

import rocscope as rs

VALIDATION = Path(__file__).parents[2] / "validation"


@pytest.fixture(scope="module")
def published():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(VALIDATION))
        yield importlib.import_module("atlas_published")


def test_the_simulated_reader_has_the_printed_area(published):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "CASES", 40_000)
        y, scores = published.highest_ratings(0.5, np.random.default_rng(1))
    for one in scores:
        assert rs.auc(y, one).value == pytest.approx(0.80, abs=0.006)  # two digits, and four standard errors


@pytest.mark.parametrize("k", range(3))
def test_sizes_are_the_printed_ones(published, k):
    cell = published.CELLS[k]
    ours, error = published.simulate(cell, 1500)
    assert abs(ours - cell.printed) < 3 * error
    assert error < 0.9


def test_the_coverage_of_a_small_bias_is_the_printed_one(published):
    cell = published.CELLS[3]
    ours, error = published.simulate(cell, 8000)
    assert abs(ours - cell.printed) < 3 * error
    assert error < 0.3
