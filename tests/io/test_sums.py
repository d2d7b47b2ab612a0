"""Sums of stretches add up to the sums of all: integers, equal to what pair counting gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.core import table as score_table
from rocscope.core.table import NOTHING, PlacementSums, ScoreTable, sorted_sums, stacked_sums, tied_sums
from slow import pairs


def counted(pos, neg):
    """Placement sums by looking at every pair."""
    of_pos = [2 * sum(pairs.kernel(x, y) for y in neg) for x in pos]
    of_neg = [2 * sum(pairs.kernel(x, y) for x in pos) for y in neg]
    return PlacementSums(
        n_pos=len(pos),
        n_neg=len(neg),
        twice_u=int(sum(of_pos)),
        squares_pos=int(sum(d * d for d in of_pos)),
        squares_neg=int(sum(d * d for d in of_neg)),
    )


SCORES = st.lists(st.integers(0, 8), max_size=12)


@given(pos=SCORES, neg=SCORES, cut=st.integers(0, 9))
def test_two_stretches(pos, neg, cut):
    below = counted([x for x in pos if x < cut], [y for y in neg if y < cut])
    above = counted([x for x in pos if x >= cut], [y for y in neg if y >= cut])
    assert stacked_sums(below, above) == counted(pos, neg)


@given(m=st.integers(0, 6), n=st.integers(0, 6))
def test_ties(m, n):
    assert tied_sums(m, n) == counted([1] * m, [1] * n)
    assert stacked_sums(NOTHING, tied_sums(m, n)) == stacked_sums(tied_sums(m, n), NOTHING) == tied_sums(m, n)


@pytest.mark.parametrize("large", [0, 2**62])
@pytest.mark.parametrize("most", [2**63 - 1, 3000, 1])
@given(pos=SCORES, neg=SCORES)
def test_sorted_scores(pos, neg, most, large):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_table, "INT64_MAX", most)  # cut again and again, down to single scores
        patch.setattr(score_table, "LARGE", large)
        found = sorted_sums(np.sort(np.array(pos, float)), np.sort(np.array(neg, float)))
    assert found == counted(pos, neg)
    assert all(type(value) is int for value in (found.twice_u, found.squares_pos, found.squares_neg))


@pytest.mark.slow
def test_sums_beyond_64_bits():
    """Three million cases of each class: the squares are beyond 64 bits, the pieces are not."""
    rng = np.random.default_rng(1)
    pos, neg = (np.sort(rng.integers(0, 10**6, 3_000_000)).astype(float) for _ in range(2))
    found = sorted_sums(pos, neg)
    assert found == ScoreTable.from_sorted(pos, neg).sums()
    assert found.squares_pos > 2**63
