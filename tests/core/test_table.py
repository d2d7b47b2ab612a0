import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope import BinaryScores, RocCurve, RocInputError, ScoreTable
from rocscope.core.table import exact_dot
from slow import curves, pairs, samples


def same(a, b):
    assert a.scores.dtype == b.scores.dtype
    for name in ("scores", "pos", "neg"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))


def table_of(y, scores):
    return BinaryScores.from_arrays(y, scores).table()


# ---- Making a table ---------------------------------------------------------------------------------------


@given(data=samples.labelled())
def test_counts_every_distinct_score(path, data):
    y, scores = data
    table = table_of(y, scores)
    assert table.scores.tolist() == sorted(set(scores.tolist()), reverse=True)
    assert table.pos.tolist() == [int((scores[y == 1] == s).sum()) for s in table.scores]
    assert table.neg.tolist() == [int((scores[y == 0] == s).sum()) for s in table.scores]
    assert table.is_counted
    assert table.bound == 0


@given(data=samples.labelled(elements=samples.BIG_INTEGERS))
def test_keeps_integers_that_doubles_would_merge(path, data):
    y, scores = data
    table = table_of(y, scores)
    assert [int(s) for s in table.scores] == sorted({int(s) for s in scores}, reverse=True)
    assert Fraction(table.twice_u, 2 * table.n_pos * table.n_neg) == pairs.area(*pairs.split(y, scores))


def test_zeros_of_both_signs_are_one_score(path):
    table = table_of([0, 1, 0, 1], [-0.0, 0.0, 0.0, -0.0])
    assert table.scores.tolist() == [0.0]
    assert not np.signbit(table.scores[0])
    assert (table.pos.tolist(), table.neg.tolist()) == ([2], [2])


def test_from_counts_adds_up_equal_scores_and_drops_empty_ones():
    table = ScoreTable.from_counts([1, 3, 1, 2], pos=[1, 2, 3, 0], neg=[1, 0, 1, 0])
    assert (table.scores.tolist(), table.pos.tolist(), table.neg.tolist()) == ([3, 1], [2, 4], [0, 2])


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (
            {"scores": [1, 2], "pos": [0, 0], "neg": [0, 1]},
            "pos must count at least one case, got none",
        ),
        (
            {"scores": [1, 2], "pos": [0, 1], "neg": [0, 0]},
            "neg must count at least one case, got none",
        ),
        (
            {"scores": [1, 2], "pos": [0, 1, 2], "neg": [0, 1]},
            "scores and pos and neg must have the same length: scores has 2, pos has 3, neg has 2",
        ),
        (
            {"scores": [1, 2], "pos": [-1, 1], "neg": [0, 1]},
            "pos must have weights of at least 0, got negative values in row 0",
        ),
        (
            {"scores": [1, math.nan], "pos": [1, 1], "neg": [0, 1]},
            "scores must have no missing scores, got NaN in row 1",
        ),
    ],
)
def test_from_counts_refuses(counts, message):
    with pytest.raises(RocInputError) as error:
        ScoreTable.from_counts(counts["scores"], pos=counts["pos"], neg=counts["neg"])
    assert str(error.value) == message


# ---- The area ---------------------------------------------------------------------------------------------


@given(data=samples.labelled())
def test_area_is_the_share_of_pairs_rounded_once(path, data):
    y, scores = data
    exact = pairs.area(*pairs.split(y, scores))
    table = table_of(y, scores)
    assert Fraction(table.twice_u, 2 * table.n_pos * table.n_neg) == exact
    assert table.auc == float(exact)


@pytest.mark.parametrize("size", [46_341, 2**27, 2**31, 2**40, 3_037_000_500, 2**51 + 1])
def test_counts_of_any_size_stay_exact(size):
    """The product of the classes leaves 31, 53 and 63 bits behind."""
    pos, neg = [size, 3, size - 7], [5, size + 1, size]
    table = ScoreTable.from_counts([3, 2, 1], pos=pos, neg=neg)
    exact = pairs.table_area(pos, neg)
    assert Fraction(table.twice_u, 2 * table.n_pos * table.n_neg) == exact
    assert table.auc == float(exact)
    assert table.sums().auc == float(exact)


def test_counts_that_doubles_cannot_hold_are_exact_or_refused():
    pos, neg = [2**53, 2**53 + 1, 3], [1, 2**53 + 3, 2**53]
    try:
        table = ScoreTable.from_counts([3, 2, 1], pos=pos, neg=neg)
    except RocInputError:
        return
    assert (table.n_pos, table.n_neg) == (sum(pos), sum(neg))
    assert Fraction(table.twice_u) == pairs.table_area(pos, neg) * 2 * sum(pos) * sum(neg)


@given(table=samples.counts())
def test_sums_are_those_of_the_placements(table):
    pos, neg = table
    scores, y = curves.spread_table(range(len(pos), 0, -1), pos, neg)
    sums = ScoreTable.from_counts(range(len(pos), 0, -1), pos=pos, neg=neg).sums()
    of_pos, of_neg = pairs.placements(*pairs.split(y, scores))
    m, n = len(of_pos), len(of_neg)
    assert (sums.n_pos, sums.n_neg) == (m, n)
    assert sums.twice_u == 2 * n * sum(of_pos) == 2 * m * sum(of_neg)
    assert sums.squares_pos == 4 * n * n * sum(v * v for v in of_pos)
    assert sums.squares_neg == 4 * m * m * sum(v * v for v in of_neg)


# ---- Parts of the data ------------------------------------------------------------------------------------


@given(first=samples.labelled(), second=samples.labelled())
def test_tables_of_parts_add_up(path, first, second):
    together = table_of(*(np.concatenate(both) for both in zip(first, second, strict=True)))
    same(table_of(*first).merge(table_of(*second)), together)
    same(table_of(*second).merge(table_of(*first)), together)


@given(
    first=samples.labelled(elements=samples.BIG_INTEGERS),
    second=samples.labelled(elements=st.integers(-5, 5)),
)
def test_tables_of_long_and_short_integers_add_up(path, first, second):
    together = table_of(*(np.concatenate(both) for both in zip(first, second, strict=True)))
    same(table_of(*first).merge(table_of(*second)), together)


def test_merging_refuses_what_would_be_rounded():
    with pytest.raises(RocInputError) as error:
        table_of([0, 1], [2**60, 2**60 + 1]).merge(table_of([0, 1], [0.5, 1.5]))
    expected = "tables must hold scores of one type, got integers beyond 2**53 beside fractions"
    assert str(error.value) == expected


@pytest.mark.parametrize("other", [math.inf, -math.inf, 1e300, 2.0**63])
def test_merging_long_integers_with_numbers_beyond_them_is_exact_or_refused(other):
    long, wide = table_of([0, 1], [2**60, 2**60 + 1]), table_of([0, 1], [1.0, other])
    try:
        merged = long.merge(wide)
    except RocInputError:
        return
    assert [int(n) for n in merged.pos + merged.neg] == [1, 1, 1, 1]
    assert merged.twice_u == (8 if other > 0 else 4)


def test_merging_keeps_fractions_of_weights():
    halves = ScoreTable.from_counts([1, 2], pos=[0.5, 0.25], neg=[1, 0])
    merged = halves.merge(ScoreTable.from_counts([2, 3], pos=[0, 1], neg=[2, 1]))
    assert merged.pos.tolist() == [1.0, 0.25, 0.5]
    assert merged.neg.tolist() == [1, 2, 1]
    assert not merged.is_counted


# ---- Thinning ---------------------------------------------------------------------------------------------


def thinned_case(rng, kind):
    rows = int(rng.integers(3, 60))
    pos, neg = rng.integers(0, 5, rows), rng.integers(0, 5, rows)
    if kind == "rare":
        pos = (rng.random(rows) < 0.05).astype(int)
    elif kind == "saturated":  # nearly all cases share the two end scores
        pos, neg = np.minimum(pos, 1), np.minimum(neg, 1)
        pos[0], neg[-1] = 10_000, 10_000
    elif kind == "separated":
        pos[: rows // 2], neg[rows // 2 :] = 0, 0
    pos[rng.integers(rows)] += 1
    neg[rng.integers(rows)] += 1
    return ScoreTable.from_counts(np.arange(rows), pos=pos, neg=neg), int(rng.integers(2, 20))


@pytest.mark.parametrize("kind", ["mixed", "rare", "saturated", "separated"])
def test_thin_keeps_exact_rates_and_bounds_the_area(kind):
    rng = np.random.default_rng(8)
    for _ in range(200):
        table, most = thinned_case(rng, kind)
        thin = table.thin(most)
        assert len(thin.scores) <= most
        assert (thin.n_pos, thin.n_neg) == (table.n_pos, table.n_neg)
        kept = np.searchsorted(-table.scores, -thin.scores)
        np.testing.assert_array_equal(np.cumsum(thin.pos), np.cumsum(table.pos)[kept])
        np.testing.assert_array_equal(np.cumsum(thin.neg), np.cumsum(table.neg)[kept])
        off = abs(
            pairs.table_area(thin.pos.tolist(), thin.neg.tolist())
            - pairs.table_area(table.pos.tolist(), table.neg.tolist())
        )
        assert float(off) <= thin.bound * (1 + 1e-12)


def test_thin_never_understates_its_bound():
    """All of a bin's pairs may be on one side: then the bound is reached and must not be rounded down."""
    rng = np.random.default_rng(8)
    for _ in range(400):
        table, most = thinned_case(rng, "separated")
        thin = table.thin(most)
        off = abs(
            pairs.table_area(thin.pos.tolist(), thin.neg.tolist())
            - pairs.table_area(table.pos.tolist(), table.neg.tolist())
        )
        assert off <= Fraction(thin.bound)


def test_thin_leaves_short_tables_alone():
    table = ScoreTable.from_counts([1, 2, 3], pos=[1, 1, 0], neg=[0, 1, 1])
    assert table.thin(3) is table


def test_thin_twice_adds_the_bounds():
    table = ScoreTable.from_counts(np.arange(100), pos=[1] * 100, neg=[2] * 100)
    once, twice = table.thin(20), table.thin(20).thin(5)
    assert once.bound < twice.bound
    assert abs(twice.auc - table.auc) <= twice.bound


def test_thin_keeps_rates_where_the_last_rows_weigh_almost_nothing():
    table = ScoreTable.from_counts([5, 4, 3, 2, 1], pos=[10**13, 0, 0, 0, 1], neg=[10**13, 1, 1, 1, 1])
    thin = table.thin(2)
    kept = np.searchsorted(-table.scores, -thin.scores)
    np.testing.assert_array_equal(np.cumsum(thin.pos), np.cumsum(table.pos)[kept])
    np.testing.assert_array_equal(np.cumsum(thin.neg), np.cumsum(table.neg)[kept])


def test_merging_thinned_tables_keeps_a_true_bound_or_refuses():
    """A bin of positives alone is sure inside its own table, but not against the negatives of another."""
    first = ScoreTable.from_counts([4, 3, 2, 1, 0], pos=[1, 1, 1, 1, 0], neg=[0, 0, 0, 0, 1])
    second = ScoreTable.from_counts([2.5, 2.4], pos=[0, 1], neg=[100, 0])
    try:
        merged = first.thin(2).merge(second)
    except RocInputError:
        return
    assert abs(merged.auc - first.merge(second).auc) <= merged.bound


@pytest.mark.parametrize("wrong", [1, 0, -3, 2.5, "9", True, None])
def test_thin_refuses(wrong):
    with pytest.raises(RocInputError) as error:
        ScoreTable.from_counts([1, 2], pos=[1, 0], neg=[0, 1]).thin(wrong)
    assert str(error.value) == f"max_rows must be a whole number of at least 2, got {wrong!r}"


# ---- Whole sums -------------------------------------------------------------------------------------------


@given(
    columns=st.integers(1, 6).flatmap(
        lambda size: st.lists(
            st.lists(st.integers(-(2**53), 2**53), min_size=size, max_size=size), min_size=1, max_size=3
        )
    )
)
def test_exact_dot_is_exact(columns):
    expected = sum(math.prod(row) for row in zip(*columns, strict=True))
    assert exact_dot(*(np.array(c, np.int64) for c in columns)) == expected


def test_exact_dot_cuts_long_sums_before_they_overflow():
    ones = np.full(1000, 2**31 - 1, np.int64)
    assert exact_dot(ones, ones) == 1000 * (2**31 - 1) ** 2


@pytest.mark.parametrize("bits", [31, 49, 51, 53])
def test_confusion_counts_survive_the_way_through_rates(bits):
    rng = np.random.default_rng(5)
    for top, rest in rng.integers(1, 2 ** (bits - 1), (300, 2)).tolist():
        table = ScoreTable.from_counts([2, 1], pos=[top, rest], neg=[rest, top])
        assert RocCurve.from_table(table).confusion()[1].tolist() == [[top, rest], [rest, top]]
