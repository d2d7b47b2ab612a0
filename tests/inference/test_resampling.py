"""The bootstrap engine: draws against a step-by-step twin, replicates against written-out samples."""

import re

import numpy as np
import pytest
from scipy import stats

import rocscope as rs
from reference_cases import RECIPES, load_reference
from rocscope.core import kernels, resampling
from rocscope.core.kernels import draws
from rocscope.core.resampling import Cases, Sampling, plan_chunks
from rocscope.core.resampling.replicates import AREA_CHUNK
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
    result = resampling.bootstrap_areas(data.table(), Sampling(n_boot=100, rng=3))
    pos, neg = np.sort(scores[y == 1])[::-1], np.sort(scores[y == 0])
    expected = []
    for chunk in plan_chunks(100, 3, size=AREA_CHUNK):
        state = chunk.seed.generate_state(4, np.uint64).tolist()
        for _ in chunk.range:
            drawn_neg, drawn_pos = slow.draws(len(neg), state), slow.draws(len(pos), state)
            expected.append(slow.twice_u(pos[drawn_pos], neg[drawn_neg]) / (2 * len(pos) * len(neg)))
    assert result.tolist() == expected


def test_curves_are_those_of_the_samples_written_out():
    y, scores = sample(seed=1)
    data = BinaryScores.from_arrays(y, {"a": scores, "b": -scores})
    pos_rows, neg_rows = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    tpr_a, fpr_a, tpr_b, fpr_b = np.moveaxis(
        resampling.bootstrap_curves(data, corner_rates, Sampling(n_boot=40, rng=5)), 1, 0
    )
    for chunk in plan_chunks(40, 5):
        state = chunk.seed.generate_state(4, np.uint64).tolist()
        negs = [slow.draws(len(neg_rows), state) for _ in chunk.range]
        poss = [slow.draws(len(pos_rows), state) for _ in chunk.range]
        for b, (neg, pos) in enumerate(zip(negs, poss, strict=True), chunk.start):
            for column, tpr, fpr in ((scores, tpr_a, fpr_a), (-scores, tpr_b, fpr_b)):
                cuts = np.unique(column)[::-1]
                # All vertices, by straight lines between the corners: they lose nothing.
                y_all = [0, *(np.mean(column[pos_rows[pos]] >= c) for c in cuts)]
                x_all = [0, *(np.mean(column[neg_rows[neg]] >= c) for c in cuts)]
                along = np.add(x_all, y_all)
                np.testing.assert_allclose(np.interp(GRID, along, y_all), tpr[b], atol=1e-14)
                np.testing.assert_allclose(np.interp(GRID, along, x_all), fpr[b], atol=1e-14)


GRID = np.linspace(0, 2, 41)


def corner_rates(*curves):
    """TPR and FPR at places along FPR + TPR, (replicates, curves x 2, places)."""
    rows = []
    for counts in curves:
        for rates in (counts.tpr, counts.fpr):
            along = counts.tpr + counts.fpr
            rows.append([np.interp(GRID, x, y) for x, y in zip(along, rates, strict=True)])
    return np.moveaxis(np.array(rows), 0, 1)


def test_the_chunk_size_of_large_data_is_part_of_the_data_alone():
    y, scores = sample(300, 400)
    data = BinaryScores.from_arrays(y, scores)
    runs = [
        resampling.bootstrap_curves(data, lambda c: c.tpr, Sampling(n_boot=200, rng=1, n_jobs=n_jobs))
        for n_jobs in (1, 2, 3)
    ]
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[2])


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
    part = rs.partial_auc(y, score, fpr=case["partial"]["fpr"], method="bootstrap", n_boot=20_000, rng=2)
    np.testing.assert_allclose([part.low, part.high], case["partial"]["ends"], atol=0.108 * part.se)
    band = rs.roc_band(
        y, score, x=np.round(case["band"]["fpr"], 12), method="bootstrap", n_boot=20_000, rng=3
    )
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
    replicates = resampling.bootstrap_areas(table, Sampling(n_boot=999, rng=2))
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


@pytest.mark.parametrize("n_boot", [0, 2.5, True, "many"])
def test_refuses_numbers_of_replicates(n_boot):
    with pytest.raises(rs.RocInputError, match="n_boot must be a whole number of at least 1"):
        rs.auc([0, 1, 0, 1], [1, 2, 3, 4], method="bootstrap", n_boot=n_boot)


@pytest.mark.parametrize("n_boot", [1, 2, 99])
def test_few_replicates_are_warned_of(n_boot):
    y, scores = sample()
    few = f"{n_boot} bootstrap replicates are few: chance moves the interval"
    for result in (
        rs.auc(y, scores, method="bootstrap", n_boot=n_boot, rng=1),
        rs.partial_auc(y, scores, fpr=(0, 0.8), method="bootstrap", n_boot=n_boot, rng=4),
        rs.roc_band(y, scores, method="bootstrap", n_boot=n_boot, rng=1),
        rs.cutpoint(y, scores, n_boot=n_boot, rng=1),
        rs.precision_recall(y, scores, n_boot=n_boot, rng=1).band,
        rs.compare_auc(y, {"a": scores, "b": scores[::-1]}, method="bootstrap", n_boot=n_boot, rng=1),
    ):
        assert any(text.startswith(few) for text in result.warnings) or n_boot == 1


def test_how_far_chance_moves_the_ends():
    """The standard deviation of the ends over many runs, and what one run says of it."""
    rng = np.random.default_rng(1)
    runs = rng.normal(size=(4000, 400))
    ends = np.quantile(runs, [0.05, 0.95], axis=1).std(axis=1)
    said = np.mean([resampling.end_error(run, 0.9) for run in runs])
    assert said == pytest.approx(ends.mean(), rel=0.15)
    y, scores = sample(30, 40)
    few = rs.auc(y, scores, method="bootstrap", n_boot=50, rng=1)
    assert re.search(r"chance moves the interval by about 0\.0\d+$", few.warnings[-1])


# ---- All cases drawn together -----------------------------------------------------------------------------


def written_out(sizes, n_boot, rng):
    """Counts of negatives and positives, drawn step by step; a sample without a class is drawn again."""
    n_cases = sum(sizes)
    for chunk in plan_chunks(n_boot, rng, size=max(1, min(32, 4_000_000 // n_cases))):
        state = chunk.seed.generate_state(4, np.uint64).tolist()
        samples = [slow.draws(n_cases, state) for _ in chunk.range]
        while lacking := [k for k, drawn in enumerate(samples) if len({i < sizes[0] for i in drawn}) < 2]:
            for k in lacking:
                samples[k] = slow.draws(n_cases, state)
        for drawn in samples:
            counts = np.bincount(drawn, minlength=n_cases)
            yield counts[: sizes[0]], counts[sizes[0] :]


def test_all_cases_are_drawn_together():
    sizes = (3, 2)
    expected = [np.concatenate(both) for both in written_out(sizes, 100, 5)]
    result = Sampling(n_boot=100, rng=5).replicates(
        Cases(sizes, stratify=False), lambda draws: np.concatenate(draws.classes, axis=1)
    )
    assert result.tolist() == np.array(expected).tolist()
    assert (result.sum(axis=1) == 5).all()
    positives = result[:, 3:].sum(axis=1)
    assert set(positives.tolist()) == {1, 2, 3, 4}


@pytest.mark.parametrize("seed", range(4))
def test_unstratified_figures_are_those_of_the_samples_written_out(seed):
    """Every replicate as a sample of its own: its area, partial area and curve, tied scores included."""
    y, scores = sample(4, 6, seed)
    other = scores[::-1].copy()
    data = BinaryScores.from_arrays(y, {"a": scores, "b": other})
    rows = {name: np.flatnonzero(y == code) for name, code in (("neg", 0), ("pos", 1))}
    areas, parts = [], []
    for of_neg, of_pos in written_out((6, 4), 100, 3):
        drawn = np.concatenate([np.repeat(rows["neg"], of_neg), np.repeat(rows["pos"], of_pos)])
        curves = [rs.roc_curve(y[drawn], s[drawn]) for s in (scores, other)]
        areas.append([curve.auc for curve in curves])
        parts.append([curve.partial_auc(fpr=(0, 0.4)).value for curve in curves])
    how = Sampling(n_boot=100, rng=3, stratify=False)
    result = resampling.paired_bootstrap_areas(data, how)
    np.testing.assert_allclose(result, areas, atol=1e-15)

    def both(*chunks):
        values = [
            rs.core.partial_area.counted_areas(counts, ((0, 0.4), None), standardize=False)
            for counts in chunks
        ]
        return np.stack(values, axis=1)

    np.testing.assert_allclose(resampling.bootstrap_curves(data, both, how), parts, atol=1e-14)


def test_unstratified_areas_of_a_table_are_those_of_its_cases():
    y, scores = sample(5, 8, 1)
    table = BinaryScores.from_arrays(y, scores).table()
    pos, neg = np.sort(scores[y == 1])[::-1], np.sort(scores[y == 0])[::-1]
    expected = [
        slow.twice_u(np.repeat(pos, of_pos), np.repeat(neg, of_neg)) / (2 * of_pos.sum() * of_neg.sum())
        for of_neg, of_pos in written_out((8, 5), 200, 9)
    ]
    assert resampling.bootstrap_areas(table, Sampling(n_boot=200, rng=9, stratify=False)).tolist() == expected


UNSTRATIFIED = load_reference("unstratified")["cases"]


@pytest.mark.parametrize("case", UNSTRATIFIED, ids=lambda case: case["recipe"])
def test_the_unstratified_distribution_is_that_of_proc(case):
    """Percentile ends from 10,000 replicates each, as for stratified ones: 0.027 sd becomes 0.038.

    pROC leaves out samples without a class, we draw them again.
    """
    y, scores = RECIPES[case["recipe"]]()
    how = {"n_boot": 10_000, "stratify": False}
    area = rs.auc(y, scores["a"], method="bootstrap", rng=1, **how)
    np.testing.assert_allclose([area.low, area.high], case["area"], atol=0.153 * area.se)
    part = rs.partial_auc(y, scores["a"], fpr=case["partial"]["fpr"], method="bootstrap", rng=2, **how)
    np.testing.assert_allclose([part.low, part.high], case["partial"]["ends"], atol=0.153 * part.se)
    two = rs.compare_auc(y, {"a": scores["a"], "b": scores["b"]}, method="bootstrap", rng=3, **how)
    # A standard deviation of 10,000 draws has the error 0.7 %, the ratio of two 1 %; four of those.
    if case["difference_se"] is None:  # pROC has the difference over it alone, and the difference is 0
        assert two.pairs[0].difference == 0
    else:
        assert two.pairs[0].se == pytest.approx(case["difference_se"], rel=0.04)


def test_every_function_that_draws_can_draw_all_cases_together():
    y, scores = sample(15, 25, 2)
    for call in (
        lambda **how: rs.auc(y, scores, method="bootstrap", **how),
        lambda **how: rs.auc(y, scores, method="bootstrap", bootstrap="bca", **how),
        lambda **how: rs.partial_auc(y, scores, fpr=(0, 0.3), method="bootstrap", **how),
        lambda **how: rs.compare_auc(y, {"a": scores, "b": scores[::-1]}, method="bootstrap", **how),
        lambda **how: rs.compare_auc(
            y, {"a": scores, "b": scores[::-1]}, method="sensitivity", at=0.2, **how
        ),
        lambda **how: rs.roc_band(y, scores, method="bootstrap", **how),
        lambda **how: rs.roc_band(y, scores, method="bootstrap", at="tpr", **how),
        lambda **how: rs.cutpoint(y, scores, **how),
    ):
        apart, together = (call(rng=1, n_boot=200, stratify=stratify) for stratify in (True, False))
        assert apart == call(rng=1, n_boot=200)
        assert apart != together
        assert together == call(rng=1, n_boot=200, stratify=False)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: rs.auc([0, 1], [1, 2], stratify=False),
            "stratify must be True for method 'auto', which draws nothing",
        ),
        (lambda: rs.auc([0, 1], [1, 2], stratify=1), "stratify must be True or False, got 1"),
        (lambda: rs.partial_auc([0, 1], [1, 2], stratify="no"), "stratify must be True or False, got 'no'"),
        (
            lambda: rs.roc_band([0, 1], [1, 2], at="threshold", stratify=False),
            "stratify must be True for method 'wilson', which draws nothing",
        ),
        (lambda: rs.cutpoint([0, 1], [1, 2], stratify=None), "stratify must be True or False, got None"),
        (
            lambda: rs.compare_auc([0, 1], {"a": [1, 2], "b": [2, 1]}, stratify=False),
            "stratify must be left out for method 'auto' "
            "(it belongs to 'bootstrap', 'sensitivity', 'specificity'), got False",
        ),
    ],
)
def test_nothing_is_drawn_from_all_cases_where_nothing_is_drawn(call, message):
    with pytest.raises(rs.RocInputError) as error:
        call()
    assert str(error.value) == message
