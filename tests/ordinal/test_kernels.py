"""The compiled loops against their readable twins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.core import kernels
from slow import ordinal as slow

TENTHS = st.lists(st.integers(0, 40).map(lambda k: k / 10), min_size=1, max_size=25)


LABELS = st.lists(st.sampled_from([-3, 0, 1, 2, 7, 2**40, -(2**62)]), min_size=1, max_size=25)


@given(labels=LABELS)
def test_labels_are_numbered_as_they_come(labels):
    codes, found, counts = kernels.code_labels(np.array(labels), 7)
    assert (codes.tolist(), found.tolist(), counts.tolist()) == slow.code(labels)


def test_labels_that_share_a_slot_are_distinguished():
    labels = np.arange(256) * 2**52  # the upper bits of their products are few
    codes, found, counts = kernels.code_labels(np.tile(labels, 2), 256)
    assert codes.tolist() == list(range(256)) * 2
    assert (found.tolist(), set(counts.tolist())) == (labels.tolist(), {2})


def test_too_many_labels_are_reported():
    assert kernels.code_labels(np.arange(5), 4)[1].size == 0
    assert kernels.code_labels(np.arange(4), 4)[1].size == 4


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@given(codes=st.lists(st.integers(0, 3), min_size=1, max_size=25))
def test_estimates_are_grouped_in_row_order(dtype, codes):
    sizes = np.bincount(codes, minlength=4)
    estimates = np.arange(len(codes), dtype=dtype) / 2
    grouped = kernels.group_estimates(np.array(codes, np.uint8), np.cumsum(sizes) - sizes, estimates)
    assert grouped.dtype == dtype
    assert grouped.tolist() == slow.group(codes, 4, estimates.tolist())


@given(lower=st.one_of(TENTHS, st.just([])), upper=TENTHS)
def test_below_counts_what_is_less(lower, upper):
    lower, upper = sorted(lower), sorted(upper)
    assert kernels.count_below(np.array(lower), np.array(upper)).tolist() == slow.count_below(lower, upper)


FEW_TENTHS = st.lists(st.integers(0, 5).map(lambda k: k / 10), min_size=1, max_size=4)


@given(parts=st.lists(FEW_TENTHS, min_size=2, max_size=4), distinct=st.booleans())
def test_chains_are_those_of_all_tuples(parts, distinct):
    """Step by step, from all cases or from distinct estimates with their counts."""
    counted = [_counted(part, distinct) for part in parts]
    share = counted[0][1] / len(parts[0])
    first = np.ones(1), np.zeros(share.size, np.uint32)
    tied, runs = np.empty(0, np.int64), np.empty((0, 0))
    for k in range(1, len(parts)):
        step = kernels.extend_chains(counted[k - 1], share, first, tied, runs, counted[k])
        share, first, tied, runs, twice = step
        values, upper = counted[k][0], sorted(parts[k])
        pairs = [(x, y) for x in parts[k - 1] for y in upper]
        assert twice == sum(2 * (x < y) + (x == y) for x, y in pairs)
        ends = [j for j in range(values.size) if j == 0 or values[j - 1] < values[j]]
        expected = [float(slow.chains(parts[: k + 1], values[j])) for j in ends]
        assert share[ends].tolist() == pytest.approx(expected, abs=1e-14)
        assert share[-1] == pytest.approx(float(slow.chains(parts[: k + 1], np.inf)), abs=1e-14)
        assert values[tied].tolist() == sorted(set(parts[k]) & set(parts[k - 1]))


def _counted(part, distinct):
    if distinct:
        values, counts = np.unique(part, return_counts=True)
        return values, np.append(0, np.cumsum(counts))
    return np.sort(np.array(part)), np.arange(len(part) + 1)


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
