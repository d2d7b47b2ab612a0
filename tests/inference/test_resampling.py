"""The bootstrap engine: draws against a step-by-step twin, replicates against written-out samples."""

import numpy as np
import pytest
from scipy import stats

import rocscope as rs
from reference_cases import RECIPES, load_reference
from rocscope.core import kernels, resampling
from rocscope.core.kernels import draws
from rocscope.core.resampling import plan_chunks
from rocscope.core.scores import BinaryScores
from slow import bootstrap as slow

# Published test vector of xoshiro256++ from the state 1, 2, 3, 4.
PUBLISHED = [41943041, 58720359, 3588806011781223, 3591011842654386]


def sample(n_pos=7, n_neg=9, seed=0):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [n_pos, n_neg])
    return y, rng.integers(0, 6, n_pos + n_neg) + y


def test_the_twin_gives_the_published_words():
    state = [1, 2, 3, 4]
    assert [slow.next_word(state) for _ in range(4)] == PUBLISHED


def test_words_are_the_published_ones():
    state = (1, 2, 3, 4)
    for expected in PUBLISHED:
        word, *state = draws._next_word(*map(np.uint64, state))
        assert word == expected


@pytest.mark.parametrize("n", [1, 2, 3, 10, 1001])
def test_counts_are_those_of_the_twin(n):
    state = np.array([11, 12, 13, 14], np.uint64)
    result = kernels.draw_counts(n, 3, state)
    slow_state = [11, 12, 13, 14]
    for row in result:
        assert row.tolist() == np.bincount(slow.draws(n, slow_state), minlength=n).tolist()
    assert state.tolist() == slow_state  # a further call continues the stream


def test_words_that_would_favour_some_cases_are_dropped():
    n = 3_000_000_019  # 2^32 mod n is large, so almost every third half-word is dropped
    state, slow_state = (5, 6, 7, 8), [5, 6, 7, 8]
    reject = np.uint64(2**32 % n)
    result = []
    for _ in range(50):
        first, second, *state = draws._next_pair(np.uint64(n), reject, *map(np.uint64, state))
        result += [int(first), int(second)]
    twin = []
    while len(twin) < 100:
        word = slow.next_word(slow_state)
        products = [(word & 0xFFFFFFFF) * n, (word >> 32) * n]
        if all(p % 2**32 >= 2**32 % n for p in products):
            twin += [p >> 32 for p in products]
    assert result == twin


@pytest.mark.parametrize("tied", [True, False])
def test_areas_are_those_of_the_samples_written_out(tied):
    y, scores = sample()
    if not tied:
        scores = scores + np.linspace(0, 0.5, len(scores))
    data = BinaryScores.from_arrays(y, scores)
    result = resampling.bootstrap_areas(data.table(), n_boot=100, rng=3)
    pos, neg = np.sort(scores[y == 1])[::-1], np.sort(scores[y == 0])
    expected = []
    for chunk in plan_chunks(100, 3, size=resampling.AREA_CHUNK):
        state = chunk.seed.generate_state(4, np.uint64).tolist()
        for _ in chunk.range:
            drawn_neg, drawn_pos = slow.draws(len(neg), state), slow.draws(len(pos), state)
            expected.append(slow.twice_u(pos[drawn_pos], neg[drawn_neg]) / (2 * len(pos) * len(neg)))
    assert result.tolist() == expected


def test_curves_are_those_of_the_samples_written_out():
    y, scores = sample(seed=1)
    data = BinaryScores.from_arrays(y, {"a": scores, "b": -scores})
    pos_rows, neg_rows = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    chunks = resampling.bootstrap_curves(data, n_boot=40, rng=5)
    for chunk, curves in zip(plan_chunks(40, 5), chunks, strict=True):
        state = chunk.seed.generate_state(4, np.uint64).tolist()
        negs = [slow.draws(len(neg_rows), state) for _ in chunk.range]
        poss = [slow.draws(len(pos_rows), state) for _ in chunk.range]
        for b, (neg, pos) in enumerate(zip(negs, poss, strict=True)):
            for column, result in zip((scores, -scores), curves, strict=True):
                cuts = np.unique(column)[::-1]
                tpr = [np.mean(column[pos_rows[pos]] >= c) for c in cuts]
                fpr = [np.mean(column[neg_rows[neg]] >= c) for c in cuts]
                np.testing.assert_allclose(result.tpr[b], [0, *tpr], atol=1e-15)
                np.testing.assert_allclose(result.fpr[b], [0, *fpr], atol=1e-15)


def test_the_chunk_size_of_large_data_is_part_of_the_data_alone():
    y, scores = sample(300, 400)
    data = BinaryScores.from_arrays(y, scores)
    runs = [
        np.concatenate([c.tpr for (c,) in resampling.bootstrap_curves(data, n_boot=50, rng=1)])
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*runs)


@pytest.mark.parametrize("case", load_reference("bootstrap")["cases"], ids=lambda case: case["recipe"])
def test_the_distribution_is_that_of_proc(case):
    """Percentile ends from 20,000 replicates each.

    The 2.5 % quantile of N normal draws has the standard error sqrt(p (1 - p) / N) / density = 0.019 sd;
    the difference of two has 0.027 sd, and four of those are allowed.
    """
    y, scores = RECIPES[case["recipe"]]()
    score = scores[case["classifier"]]
    area = rs.auc(y, score, method="bootstrap", n_boot=20_000, rng=1)
    np.testing.assert_allclose([area.low, area.high], case["area"], atol=0.108 * area.se)
    part = rs.partial_auc(y, score, fpr=case["partial"]["fpr"], n_boot=20_000, rng=2)
    np.testing.assert_allclose([part.low, part.high], case["partial"]["ends"], atol=0.108 * part.se)
    band = rs.roc_band(y, score, x=np.round(case["band"]["fpr"], 12), n_boot=20_000, rng=3)
    step = 1 / (y == 1).sum()  # a quantile of a discrete rate may move by one case
    np.testing.assert_allclose(np.stack([band.low, band.high], 1), case["band"]["ends"], atol=1.001 * step)


def test_bca_moves_towards_the_skewed_side():
    y, scores = np.repeat([0, 1], 25), np.r_[np.arange(25), np.arange(25) + 20]
    plain, bca = (rs.auc(y, scores, method="bootstrap", bootstrap=b, rng=1) for b in ("percentile", "bca"))
    assert bca.low < plain.low
    assert bca.high < plain.high
    assert bca.se == plain.se


def test_bca_is_the_percentile_interval_without_bias_and_skewness():
    replicates = np.linspace(0, 1, 2001)
    none = [(np.array([-1.0, 1.0]), np.array([5, 5]))]
    result = resampling.bca_interval(replicates, 0.5, none, level=0.9)
    np.testing.assert_allclose(result, [0.05, 0.95], atol=1e-12)


@pytest.mark.parametrize(("level", "alternative"), [(0.95, "two-sided"), (0.8, "greater"), (0.9, "less")])
def test_bca_is_efrons_formula_with_the_acceleration_of_the_jackknife(level, alternative):
    """Literal twin, on tied scores: every case is left out in turn, and the area of the others counted."""
    neg, pos = np.array([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 8]), np.array([2, 5, 5, 6, 6, 7, 7, 8, 8])

    def area(neg, pos):
        return np.mean([(p > n) + (p == n) / 2 for p in pos for n in neg])

    value = area(neg, pos)
    left_out = [
        [(len(neg) - 1) * (value - area(np.delete(neg, i), pos)) / len(neg) for i in range(len(neg))],
        [(len(pos) - 1) * (value - area(neg, np.delete(pos, i))) / len(pos) for i in range(len(pos))],
    ]
    influence = np.concatenate(left_out)
    a = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    labels, scores = np.repeat([0, 1], [len(neg), len(pos)]), np.r_[neg, pos]
    table = BinaryScores.from_arrays(labels, scores).table()
    replicates = resampling.bootstrap_areas(table, n_boot=999, rng=2)
    z0 = stats.norm.ppf((np.sum(replicates < value) + np.sum(replicates == value) / 2) / 999)
    shares = {
        "two-sided": ((1 - level) / 2, (1 + level) / 2),
        "greater": (1 - level, None),
        "less": (None, level),
    }
    expected = []
    for share, bound in zip(shares[alternative], (0.0, 1.0), strict=True):
        if share is None:
            expected.append(bound)
            continue
        z = z0 + stats.norm.ppf(share)
        expected.append(np.quantile(replicates, stats.norm.cdf(z0 + z / (1 - a * z))))
    result = resampling.bca_interval(
        replicates, value, table.placement_deviations(), level=level, alternative=alternative
    )
    assert abs(a) > 0.02  # else the acceleration would not matter
    np.testing.assert_allclose(result, expected, rtol=1e-12)


@pytest.mark.parametrize("n_boot", [99, 2.5, True, "many"])
def test_refuses_numbers_of_replicates(n_boot):
    with pytest.raises(rs.RocInputError, match="n_boot must be a whole number of at least 100"):
        rs.auc([0, 1, 0, 1], [1, 2, 3, 4], method="bootstrap", n_boot=n_boot)
