"""The compiled loops against their readable twins in tests/slow, each called directly on small data."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.core import kernels
from slow import pairs, samples

COLUMNS = st.one_of(samples.labelled(), samples.labelled(elements=samples.BIG_INTEGERS))


def sorted_classes(data):
    y, scores = data
    return np.sort(scores[y == 1]), np.sort(scores[y == 0])


@given(data=COLUMNS)
def test_split_keeps_the_row_order(data):
    y, scores = data
    pos, neg = kernels.split_classes(y == 1, scores)
    np.testing.assert_array_equal(pos, scores[y == 1])
    np.testing.assert_array_equal(neg, scores[y == 0])


@given(data=COLUMNS)
def test_merge_counts_every_distinct_score(data):
    pos, neg = sorted_classes(data)
    scores, n_pos, n_neg = kernels.merge_classes(pos, neg)
    assert scores.tolist() == sorted({*pos.tolist(), *neg.tolist()}, reverse=True)
    assert n_pos.tolist() == [pos.tolist().count(s) for s in scores.tolist()]
    assert n_neg.tolist() == [neg.tolist().count(s) for s in scores.tolist()]


@given(data=COLUMNS)
def test_placement_sums_are_those_of_all_pairs(data):
    pos, neg = sorted_classes(data)
    of_pos, of_neg = pairs.placements(pos.tolist(), neg.tolist())
    m, n = len(of_pos), len(of_neg)
    expected = (
        2 * n * sum(of_pos),
        4 * n * n * sum(v * v for v in of_pos),
        4 * m * m * sum(v * v for v in of_neg),
    )
    assert tuple(map(int, kernels.placement_sums(pos, neg))) == expected


@given(data=COLUMNS)
def test_doubled_placements_are_in_row_order(data):
    y, scores = data
    pos, neg = kernels.split_classes(y == 1, scores)
    of_pos, of_neg = kernels.doubled_placements(*kernels.sort_with_rows(pos), *kernels.sort_with_rows(neg))
    exact_pos, exact_neg = pairs.placements(pos.tolist(), neg.tolist())
    assert of_pos.tolist() == [2 * len(neg) * v for v in exact_pos]
    assert of_neg.tolist() == [2 * len(pos) * v for v in exact_neg]


def summed(values, clusters, n_clusters):
    return [sum(v for v, c in zip(values, clusters, strict=True) if c == k) for k in range(n_clusters)]


@given(data=COLUMNS)
def test_placements_are_summed_inside_clusters(data):
    y, scores = data
    groups = np.arange(scores.size, dtype=np.int64) * 7 % 5
    found = kernels.cluster_placements(y == 1, scores, groups, 5)
    if found is None:  # NumPy sorts long integers, and scores whose leading bits are much the same
        return
    pos, neg = scores[y == 1], scores[y == 0]
    exact_pos, exact_neg = pairs.placements(pos.tolist(), neg.tolist())
    of_pos, of_neg = [2 * len(neg) * v for v in exact_pos], [2 * len(pos) * v for v in exact_neg]
    in_pos, in_neg = groups[y == 1].tolist(), groups[y == 0].tolist()
    expected = [summed(of_neg, in_neg, 5), summed(of_pos, in_pos, 5)]
    expected += [[part.count(k) for k in range(5)] for part in (in_neg, in_pos)]
    assert found.T.tolist() == expected


def packed(kind):
    rng = np.random.default_rng(3)
    steps = rng.integers(0, 500, 3000)
    return {
        "random": rng.normal(size=3000),
        "neighbours": 1.0 + steps * sys.float_info.epsilon,  # differ in the bits the row number takes
        "negative neighbours": -1.0 - steps * sys.float_info.epsilon,
        "subnormal": (steps - 250) * 5e-324,
        "few levels": steps % 3 * 1.0,
        "zeros of both signs": np.where(steps % 2, 0.0, -0.0),
        "infinite": np.where(steps % 5 == 0, math.inf, np.where(steps % 5 == 1, -math.inf, steps * 1.0)),
        "largest": np.where(steps % 2, sys.float_info.max, -sys.float_info.max) * (1 - steps * 1e-16),
        "mixed scales": np.ldexp(1.0 + steps * sys.float_info.epsilon, (steps % 7) * 100 - 300),
        "integers": rng.integers(-(2**63), 2**63 - 1, 3000),
        "one": np.array([0.5]),
        "two": np.array([0.5, 0.25]),
    }[kind]


KINDS = [
    "random",
    "neighbours",
    "negative neighbours",
    "subnormal",
    "few levels",
    "zeros of both signs",
    "infinite",
    "largest",
    "mixed scales",
    "integers",
    "one",
    "two",
]


@pytest.mark.parametrize("kind", KINDS)
def test_sorting_carries_the_rows_along(kind):
    scores = packed(kind)
    ascending, rows = kernels.sort_with_rows(scores)
    np.testing.assert_array_equal(ascending, np.sort(scores))
    np.testing.assert_array_equal(ascending, scores[rows])
    assert sorted(rows.tolist()) == list(range(scores.size))


@pytest.mark.parametrize("kind", KINDS[:-2])
def test_sums_of_thousands_agree_with_ranks(kind):
    """The twin is quadratic; on thousands of rows NumPy's searchsorted stands in for it."""
    scores = packed(kind)
    pos, neg = np.sort(scores[::3]), np.sort(np.delete(scores, slice(0, None, 3)))
    of_pos = np.searchsorted(neg, pos, "left") + np.searchsorted(neg, pos, "right")
    of_neg = 2 * pos.size - np.searchsorted(pos, neg, "left") - np.searchsorted(pos, neg, "right")
    expected = (int(of_pos.sum()), int((of_pos**2).sum()), int((of_neg**2).sum()))
    assert tuple(map(int, kernels.placement_sums(pos, neg))) == expected


@pytest.mark.parametrize("kind", KINDS[:-2])
def test_clusters_of_thousands_agree_with_sums_by_row(kind):
    """None where the leading bits of the scores do not sort them: then NumPy does."""
    scores, groups = packed(kind), np.arange(3000) % 71
    positive = np.arange(3000) % 3 == 0
    found = kernels.cluster_placements(positive, scores, groups, 71)
    pos, neg = scores[positive], scores[~positive]
    of_pos, of_neg = kernels.doubled_placements(*kernels.sort_with_rows(pos), *kernels.sort_with_rows(neg))
    if found is None:
        assert kind in (
            "neighbours",
            "negative neighbours",
            "subnormal",
            "mixed scales",
            "largest",
            "integers",
        )
        return
    np.testing.assert_array_equal(found[:, 1], np.bincount(groups[positive], of_pos, 71))
    np.testing.assert_array_equal(found[:, 0], np.bincount(groups[~positive], of_neg, 71))
    np.testing.assert_array_equal(found[:, 3], np.bincount(groups[positive], minlength=71))


@pytest.mark.slow
def test_warm_up_runs():
    kernels.warm_up()
