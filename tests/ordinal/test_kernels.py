"""The compiled loops against their readable twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.core import kernels
from slow import ordinal as slow

TENTHS = st.lists(st.integers(0, 40).map(lambda k: k / 10), min_size=1, max_size=25)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
@given(labels=st.lists(st.integers(-2, 3), min_size=1, max_size=25))
def test_estimates_are_grouped_in_row_order(dtype, labels):
    rows = np.array(labels, dtype)
    whole, counts = kernels.count_labels(rows, -2, 6)
    assert whole
    assert counts.tolist() == [labels.count(k) for k in range(-2, 4)]
    codes = np.array([0, 0, 1, 2, 2, 2])  # some labels share a class
    sizes = np.bincount(codes, weights=counts, minlength=3).astype(np.int64)
    estimates = np.arange(len(labels)) / 2
    grouped = kernels.group_estimates(rows, -2, codes, np.cumsum(sizes) - sizes, estimates)
    assert grouped.tolist() == slow.group(labels, -2, codes.tolist(), 3, estimates.tolist())


def test_labels_that_are_not_whole_are_told():
    assert not kernels.count_labels(np.array([1.0, 1.5]), 1, 2)[0]
    assert kernels.count_labels(np.array([-1.0, 1.0]), -1, 3)[0]


@given(lower=TENTHS, upper=TENTHS)
def test_below_counts_what_is_less(lower, upper):
    lower, upper = sorted(lower), sorted(upper)
    found = kernels.count_below(np.array(lower), np.array(upper))
    assert found.tolist() == [sum(x < y for x in lower) for y in upper]


@given(lower=TENTHS, upper=TENTHS)
def test_chain_shares_are_running_means(lower, upper):
    lower, upper = sorted(set(lower)), sorted(set(upper))
    share = np.linspace(0, 1, len(lower) + 1)
    found, pairs, tied = kernels.chain_shares(np.array(lower), share, np.array(upper))
    assert tied == bool(set(lower) & set(upper))
    if not tied:
        means, expected = slow.chain_shares(lower, share.tolist(), upper)
        assert found.tolist() == pytest.approx(means, abs=1e-14)
        assert pairs == expected


@given(data=st.data())
def test_best_by_false_positives_looks_at_every_pair(data):
    n_low, n_high = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    steps = [
        data.draw(st.lists(st.integers(0, 3), min_size=n_low + n_high, max_size=n_low + n_high)) for _ in "pn"
    ]
    pos, neg = (np.cumsum(step) for step in steps)
    args = pos[:n_low], neg[:n_low], pos[n_low:], neg[n_low:], int(neg[-1])
    most, low, high = kernels.best_by_false_positives(*args)
    assert most.tolist() == slow.best_by_false_positives(*(a.tolist() for a in args[:4]), args[4])
    reached = np.flatnonzero(most >= 0)
    assert (args[2][high[reached]] - args[0][low[reached]]).tolist() == most[reached].tolist()
    assert (args[3][high[reached]] - args[1][low[reached]]).tolist() == reached.tolist()
