"""Counts between cut-points."""

from itertools import pairwise

import numpy as np
import pytest

from rocscope.binormal.latent import Categories, ratings, truth_runs
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError
from slow import binormal as slow


def data(y, score, **options):
    return BinaryScores.from_arrays(y, score, **options)


@pytest.mark.parametrize("seed", range(20))
def test_runs_are_those_of_a_walk(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 60))
    y = np.append(rng.integers(0, 2, n), [0, 1])
    score = np.round(rng.normal(size=n + 2) + y, int(rng.integers(0, 3)))
    found = truth_runs(data(y, score))
    neg, pos, scores = slow.runs(y.tolist(), score.tolist())
    assert found.neg.tolist() == neg
    assert found.pos.tolist() == pos
    assert found.boundaries.tolist() == [
        pytest.approx((low[-1] + high[0]) / 2) for low, high in pairwise(scores)
    ]


def test_pure_runs_merge_and_mixed_values_stay():
    found = truth_runs(data([0, 0, 1, 1, 0, 1, 1, 0, 1], [1, 2, 3, 4, 5, 5, 6, 7, 7]))
    assert found.neg.tolist() == [2, 0, 1, 0, 1]
    assert found.pos.tolist() == [0, 2, 1, 1, 1]
    assert found.boundaries.tolist() == [2.5, 4.5, 5.5, 6.5]
    assert str(found) == "5 categories of 5 positives and 4 negatives"


def test_ratings_keep_every_value():
    found = ratings(data([0, 0, 1, 1], [1, 2, 3, 4]))
    assert found.neg.tolist() == [1, 1, 0, 0]
    assert found.boundaries.tolist() == [1.5, 2.5, 3.5]
    assert found.columns()["from"] == [None, 1.5, 2.5, 3.5]


def test_rates_fall_and_the_area_is_that_of_the_curve():
    table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    found = truth_runs(table)
    fpr, tpr = found.rates()
    np.testing.assert_allclose(fpr, np.array([25, 19, 13, 2]) / 58)
    np.testing.assert_allclose(tpr, np.array([48, 46, 44, 33]) / 51)
    assert found.auc == table.auc


@pytest.mark.parametrize("seed", range(5))
def test_merging_leaves_the_area(seed):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, 40), [0, 1])
    score = np.round(rng.normal(size=42) + y, 1)
    sample = data(y, score)
    assert truth_runs(sample).auc == ratings(sample).auc == sample.table().auc


def test_a_boundary_is_never_a_score_of_the_lower_category():
    next_up = np.nextafter(1.0, 2.0)
    assert truth_runs(data([0, 1], [1.0, next_up])).boundaries.tolist() == [next_up]
    huge = np.finfo(np.float64).max
    assert truth_runs(data([0, 1], [-huge, huge])).boundaries.tolist() == [0.0]
    long = 2**60
    assert truth_runs(data([0, 1], np.array([long, long + 1]))).boundaries.tolist() == [long + 1]
    assert truth_runs(data([0, 1], np.array([-(2**62), 2**62 + 2]))).boundaries.tolist() == [1]


@pytest.mark.parametrize("low", [2**60, 2**60 + 1, -(2**60), 1 - 2**60])
@pytest.mark.parametrize("gap", [2, 3, 2**59, 2**61 + 1])
def test_a_boundary_of_long_integers_is_their_midpoint_rounded_down(low, gap):
    found = truth_runs(data([0, 1], np.array([low, low + gap])))
    assert found.boundaries.tolist() == [(2 * low + gap) // 2]


def test_counts_and_whole_weights_are_cases():
    by_weight = truth_runs(data([0, 1, 0], [1, 2, 3], sample_weight=[2, 3, 1]))
    by_rows = truth_runs(data([0, 0, 1, 1, 1, 0], [1, 1, 2, 2, 2, 3]))
    assert by_weight == by_rows


def test_fractions_are_refused():
    with pytest.raises(RocInputError) as error:
        truth_runs(data([0, 1], [1, 2], sample_weight=[0.5, 1]))
    assert str(error.value) == "sample_weight must count whole cases for a fit, got fractions"


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_scores_are_refused(value):
    with pytest.raises(RocInputError) as error:
        truth_runs(data([0, 1, 0, 1], [1, 2, 3, value]))
    assert str(error.value) == "y_score must be finite for a fit, got infinite values"


def test_two_classifiers_are_refused():
    with pytest.raises(RocInputError, match="y_score must be of one classifier"):
        truth_runs(data([0, 1], {"a": [1, 2], "b": [2, 1]}))


def test_a_thinned_table_is_reported():
    table = ScoreTable.from_counts(np.arange(100), neg=np.ones(100), pos=np.ones(100)).thin(10)
    assert truth_runs(table).warnings == ("the table was thinned: scores inside a bin are taken as equal",)


def test_arrays_are_frozen():
    found = truth_runs(data([0, 1], [1, 2]))
    assert isinstance(found, Categories)
    with pytest.raises(ValueError, match="read-only"):
        found.neg[0] = 5
