import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import rocscope as rs
from rocscope.binormal.combine import best_weights, combine_binormals, predicted_auc
from rocscope.binormal.fusion import (
    COLUMNS,
    Resampling,
    preview_fusion,
    replicate,
    summarize,
)
from rocscope.binormal.fusion_models import Margins
from rocscope.binormal.fusion_parts import Target, WeightGrid
from rocscope.binormal.pair import fit_binormal_pair, read_pair
from rocscope.core import kernels
from rocscope.core.resampling import Sampling, plan_chunks
from rocscope.errors import RocInputError, UndefinedError
from slow import fusion


def simulated(n, seed=1, rho=0.64, shifts=(1.0, 1.4)):
    """Two correlated normal scores, each N(0, 1) among the negatives."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    shared = rng.normal(size=n)
    a, b = (math.sqrt(rho) * shared + math.sqrt(1 - rho) * rng.normal(size=n) + shift * y for shift in shifts)
    return y, a, b


@pytest.fixture(scope="module")
def cases():
    return simulated(400)


@pytest.fixture(scope="module")
def preview(cases):
    return preview_fusion(*cases)


# ---- The three columns ------------------------------------------------------------------------------------


def test_predictions_are_those_of_the_fitted_pair(cases, preview):
    pair = fit_binormal_pair(*cases)
    fits = [pair.first, pair.second]
    np.testing.assert_allclose(preview.independent, predicted_auc(fits, preview.weights), rtol=1e-12)
    expected = predicted_auc(fits, preview.weights, corr_neg=pair.rho_neg, corr_pos=pair.rho_pos)
    np.testing.assert_allclose(preview.correlated, expected, rtol=1e-12)
    assert (preview.pair.rho_neg, preview.pair.rho_pos) == pytest.approx((pair.rho_neg, pair.rho_pos))
    one = combine_binormals(fits, preview.weights[17])
    assert preview.independent[17] == pytest.approx(one.auc, rel=1e-12)


def test_counted_areas_are_those_of_the_sums(cases, preview):
    y, a, b = cases
    for k in (0, 17, 55, 99):
        u, v = preview.weights[k]
        assert preview.empirical[k] == pytest.approx(rs.roc_curve(y, u * a + v * b).auc, abs=1e-12)


LARGEST = 2.0**1023


@pytest.mark.parametrize("scale", ["raw", "matched", "latent"])
@pytest.mark.parametrize("apart", [False, True])
def test_the_size_of_the_scores_does_not_matter(scale, apart):
    """Up to the largest numbers: sums and standard deviations of these are no numbers themselves."""
    y, a, b = simulated(40)
    scores = np.ldexp([a, b], -np.frexp(np.abs([a, b]).max())[1])  # below 1 in size, every digit kept
    other = None if not apart else (y, *(scores[:, ::-1] * 0.75))
    times = None if other is None else (y, *(other[k] * LARGEST for k in (1, 2)))
    plain = preview_fusion(y, *scores, scale=scale, test=other)
    found = preview_fusion(y, *(scores * LARGEST), scale=scale, test=times)
    for name in ("independent", "correlated", "empirical"):
        np.testing.assert_array_equal(getattr(found, name), getattr(plain, name))


@pytest.mark.slow
def test_replicates_of_the_largest_scores():
    y, a, b = simulated(40)
    scores = np.ldexp([a, b], -np.frexp(np.abs([a, b]).max())[1])
    how = {"weights": [[1, 1], [3, 1]], "n_boot": 100, "rng": 1}
    found, plain = (preview_fusion(y, *(scores * size), **how) for size in (LARGEST, 1.0))
    np.testing.assert_array_equal(found.se, plain.se)


def test_a_spread_beyond_all_numbers_is_infinite():
    ends = np.array([-1.0, 1.0, 1.0, 1.0, -1.0, 0.0]) * 1.7e308
    found = preview_fusion([0, 0, 1, 1, 0, 1], ends, ends * [1, 1, -1, 1, -1, 1], scale="matched")
    assert found.assumptions[1].endswith("(here inf and inf)")
    assert found.empirical[0] == rs.roc_curve([0, 0, 1, 1, 0, 1], [-2, 2, 0, 2, 0, 0]).auc


def test_weights_of_any_ratio():
    found = preview_fusion(*simulated(40), weights=[[1e-320, 1], [0, 1], [1, -1e-320]])
    assert found.empirical[0] == found.empirical[1]
    assert found.directions[2].tolist() == [1, -1e-320]


def test_ties_of_sums_are_exact():
    """Whole scores: 0.1 a + 0.3 b rounds, 1 a + 3 b does not, and equal sums must tie."""
    rng = np.random.default_rng(4)
    y, a, b = rng.integers(0, 2, 80), *rng.integers(0, 6, (2, 80))
    a, b = a + 2 * y, b + y
    found = preview_fusion(y, a, b)
    for pair in ((0.1, 0.3), (0.7, 0.2), (0.9, 0.9), (0.3, 1.0)):
        at = np.flatnonzero((np.abs(found.weights - pair) < 1e-9).all(axis=1))[0]
        whole = [round(10 * w) for w in pair]
        expected = fusion.empirical_area(y.tolist(), a.tolist(), b.tolist(), whole)
        assert found.empirical[at] == float(expected)


def test_only_the_ratio_matters(preview):
    for at in range(len(preview.directions)):
        same = preview.direction == at
        for name in COLUMNS:
            assert len(set(getattr(preview, name)[same])) == 1
    assert len(preview) == 100
    assert len(preview.directions) == 63


def test_correlated_prediction_is_nearer_where_scores_are_correlated():
    """A large sample: the independent prediction is off by 0.04, the correlated one by next to nothing."""
    found = preview_fusion(*simulated(6000, seed=3))
    independent, correlated, _ = found.agreement
    assert independent.mean_error > 0.03
    assert abs(correlated.mean_error) < 0.004
    assert correlated.kendall > 0.9 > independent.kendall
    assert found.best("correlated").loss < found.best("independent").loss


def test_independent_prediction_is_right_where_scores_are_independent():
    found = preview_fusion(*simulated(6000, seed=3, rho=0.0))
    assert abs(found.agreement[0].mean_error) < 0.004
    assert abs(found.pair.rho_neg) < 0.05


# ---- Test cases, scales -----------------------------------------------------------------------------------


def test_fitted_on_one_set_and_counted_on_another(cases, preview):
    test = simulated(300, seed=2)
    found = preview_fusion(*cases, test=test)
    np.testing.assert_array_equal(found.independent, preview.independent)
    alone = preview_fusion(*test)
    np.testing.assert_array_equal(found.empirical, alone.empirical)
    assert (found.n_pos, found.n_neg) == (preview.n_pos, preview.n_neg)
    assert (found.n_pos_test, found.n_neg_test) == (alone.n_pos, alone.n_neg)


def test_data_that_passed_the_door(cases, preview):
    y, a, b = cases
    data = rs.BinaryScores.from_arrays(y, {"svm": a, "mlp": b})
    found = preview_fusion(data, test=data)
    assert found.names == ("svm", "mlp")
    np.testing.assert_array_equal(found.values(), preview.values())
    counted = rs.BinaryScores.from_arrays(y, {"a": a, "b": b}, sample_weight=np.full(len(y), 2))
    np.testing.assert_array_equal(preview_fusion(counted).empirical, preview.empirical)


def test_a_latent_scale_sees_ranks_alone(cases):
    y, a, b = cases
    base = preview_fusion(y, a, b, scale="latent")
    bent = preview_fusion(y, np.exp(a), b**3, scale="latent")
    np.testing.assert_array_equal(bent.values(), base.values())
    raw = preview_fusion(y, np.exp(a), b**3)
    assert np.abs(raw.empirical - base.empirical).max() > 0.005
    np.testing.assert_array_equal(raw.independent, base.independent)


def test_a_matched_scale_follows_the_spread_of_the_outputs(cases):
    """Outputs times ten: raw sums forget the first score, and the matched prediction knows it."""
    y, a, b = cases
    raw, matched = (preview_fusion(y, a, 10 * b, scale=scale) for scale in ("raw", "matched"))
    np.testing.assert_array_equal(raw.empirical, matched.empirical)
    assert matched.agreement[1].mean_abs_error < 0.5 * raw.agreement[1].mean_abs_error
    assert matched.agreement[1].kendall > 0.7
    units = np.array([np.std(s[y == 0], ddof=1) for s in (a, 10 * b)])
    fits, rho = [matched.first, matched.second], (matched.pair.rho_neg, matched.pair.rho_pos)
    expected = predicted_auc(fits, matched.weights * units, corr_neg=rho[0], corr_pos=rho[1])
    np.testing.assert_allclose(matched.correlated, expected, rtol=1e-12)
    best = best_weights(fits, corr_neg=rho[0], corr_pos=rho[1]).free / units
    np.testing.assert_allclose(matched.optimum_correlated.free, best / np.abs(best).sum(), rtol=1e-10)


@pytest.mark.parametrize("sizes", [(1e300, 1e-300), (1e-310, 1e3), (1e154, 1e-154)])
def test_a_matched_scale_of_scores_of_any_size(cases, sizes):
    """Only the ratio of the units matters, and predictions are those of weights times units."""
    y, a, b = cases
    a, b = np.round(a, 2) * sizes[0], np.round(b, 2) * sizes[1]
    weights = [[1, 0], [0, 1], [1, 1], [2, 1]]
    found = preview_fusion(y, a, b, scale="matched", weights=weights)
    assert found.status == "ok"
    small = int(np.argmin(sizes))
    areas = found.first.auc, found.second.auc
    # Every sum that holds the large score is that score alone, as far as its digits go.
    expected = [areas[0], areas[1], *[areas[1 - small]] * 2]
    for values in (found.independent, found.correlated):
        np.testing.assert_allclose(values, expected, rtol=1e-12)
    best = best_weights([found.first, found.second], corr_neg=found.pair.rho_neg, corr_pos=found.pair.rho_pos)
    assert found.optimum_correlated.auc_free == best.auc_free
    assert np.abs(found.optimum_correlated.free).sum() == pytest.approx(1)
    assert abs(found.optimum_correlated.free[small]) == pytest.approx(1)


def test_a_preview_of_ratings_whose_correlation_is_at_its_limit():
    """The pair of curves has one table of ratings that used to stop the whole preview."""
    from binormal.test_pair import FLAT_TOWARDS_THE_LIMIT

    for ratings in FLAT_TOWARDS_THE_LIMIT.values():
        for scale in ("raw", "matched", "latent"):
            found = preview_fusion(*ratings, scale=scale, weights=[[1, 1], [1, 2]])
            assert found.status == "partial"
            assert found.reason.startswith("corr_neg is singular (condition number inf)")
            assert np.isfinite(found.independent).all()
            assert not found.defined[:, 1].any()


def test_assumptions_are_reported(cases):
    y, a, b = cases
    result = {scale: preview_fusion(y, a, b, scale=scale).assumptions for scale in ("raw", "latent")}
    assert result["raw"][0].startswith(
        "independent: the two scores say nothing about each other once the class"
    )
    assert "fitted correlations 0.6" in result["raw"][0]
    assert result["raw"][1].startswith("raw scale: outputs are added up as they are, and taken to live on")
    assert "(here " in result["raw"][1]
    assert result["latent"][1] == (
        "latent scale: outputs are mapped to it by the fitted curve before they are added up"
    )


# ---- Targets and choices ----------------------------------------------------------------------------------


def test_other_targets(cases):
    y, a, b = cases
    tpr = preview_fusion(y, a, b, target="tpr", fpr=0.1)
    partial = preview_fusion(y, a, b, target="partial-auc", fpr=(0, 0.2))
    cost = preview_fusion(y, a, b, target="cost", cost=(1, 5), prevalence=0.2)
    curve = rs.roc_curve(y, 0.3 * a + 0.8 * b)
    at = np.flatnonzero((np.abs(tpr.weights - (0.3, 0.8)) < 1e-9).all(axis=1))[0]
    assert tpr.empirical[at] == pytest.approx(curve.tpr_at(0.1), abs=1e-12)
    assert partial.empirical[at] == pytest.approx(curve.partial_auc(fpr=(0, 0.2)).value, abs=1e-12)
    assert cost.empirical[at] == pytest.approx(
        curve.measure("cost", cost=(1, 5), prevalence=0.2).min(), abs=1e-12
    )
    joined = combine_binormals(
        [tpr.first, tpr.second], (0.3, 0.8), corr_neg=tpr.pair.rho_neg, corr_pos=tpr.pair.rho_pos
    )
    assert tpr.correlated[at] == pytest.approx(joined.tpr(0.1), rel=1e-10)
    assert partial.correlated[at] == pytest.approx(joined.partial_auc(fpr=(0, 0.2)), rel=1e-10)
    assert tpr.target == "TPR at FPR 0.1"
    assert (tpr.larger_is_better, cost.larger_is_better) == (True, False)
    assert cost.best("empirical").value == cost.empirical.min()
    assert cost.worst("correlated").value == cost.correlated.max()
    assert all(choice.loss >= 0 for choice in cost.choices)


def test_choices(preview):
    for by in COLUMNS:
        values = getattr(preview, by)
        best, worst = preview.best(by), preview.worst(by)
        assert (best.value, worst.value) == (values.max(), values.min())
        at = np.flatnonzero((preview.weights == (best.weight_a, best.weight_b)).all(axis=1))[0]
        assert values[at] == best.value
        assert best.empirical == preview.empirical[at]
        assert best.loss == pytest.approx(preview.empirical.max() - preview.empirical[at])
        assert best.n_equal == (preview.direction == preview.direction[at]).sum()
        assert best.share is None
    with pytest.raises(RocInputError, match="by must be one of 'independent', 'correlated', 'empirical'"):
        preview.best("both")


def test_the_best_of_all_weights_is_no_worse_than_the_grid(preview):
    assert preview.optimum_correlated.auc_nonnegative >= preview.correlated.max()
    assert preview.optimum_independent.auc_free >= preview.independent.max()


def test_agreement_over_ratios(preview):
    _, firsts = np.unique(preview.direction, return_index=True)
    row = preview.agreement[1]
    assert (row.first, row.second) == ("correlated", "empirical")
    assert row.kendall == pytest.approx(fusion.kendall(preview.correlated[firsts], preview.empirical[firsts]))
    error = preview.correlated - preview.empirical
    assert row.mean_error == pytest.approx(error.mean())
    assert row.mean_abs_error == pytest.approx(np.abs(error).mean())
    assert row.max_abs_error == pytest.approx(np.abs(error).max())
    assert (row.low, row.high) == (None, None)


def test_weights_of_any_kind(cases):
    y, a, b = cases
    found = preview_fusion(y, a, b, weights=[[1, 0], [0, 1], [1, -1], [2, 2]])
    assert found.empirical[0] == rs.roc_curve(y, a).auc
    assert found.independent[1] == pytest.approx(found.second.auc)
    assert found.empirical[2] == pytest.approx(rs.roc_curve(y, a - b).auc)
    one = preview_fusion(y, a, b, weights=[[1, 1]])
    assert one.agreement[0].kendall is None
    assert one.agreement[0].mean_error == pytest.approx(one.independent[0] - one.empirical[0])


# ---- Uncertainty ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def drawn():
    return preview_fusion(*simulated(120, seed=6), weights=[0.2, 1.0], n_boot=100, rng=3)


@pytest.mark.slow
def test_intervals(drawn):
    values = drawn.values()
    assert ((drawn.low < values) & (values < drawn.high)).mean() > 0.9
    assert (drawn.se > 0.005).all()
    assert (drawn.se < 0.08).all()
    _, firsts = np.unique(drawn.direction, return_index=True)
    np.testing.assert_allclose(drawn.best_share[firsts].sum(axis=0), 1)
    assert drawn.n_failed == (0, 0)
    low, high = drawn.agreement[1].low, drawn.agreement[1].high
    assert low < drawn.agreement[1].mean_error < high
    at = drawn.best("correlated")
    assert 0 < at.share <= 1


def test_standard_error_of_the_counted_area_is_delongs(drawn):
    y, a, b = simulated(120, seed=6)
    expected = rs.auc(y, 0.2 * a + 0.2 * b).se
    assert drawn.se[0, 2] == pytest.approx(expected, rel=0.3)


def resampling(y, a, b, together=True):
    data = read_pair(y, a, b, pos_label=None)
    grid = WeightGrid.of([0.2, 1.0])
    return Resampling(
        margins=Margins.fit(data, "binormal", np.ones(2)),
        counted=data,
        together=together,
        directions=grid.directions,
        target=Target.read("auc"),
    )


def replicates(cases, *, n_boot, rng, n_jobs):
    sampling = Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs)
    return sampling.run_in_processes(replicate, cases, size=8)


@pytest.mark.slow
def test_same_numbers_for_any_number_of_jobs_and_order_of_rows():
    y, a, b = simulated(120, seed=6)
    rows = np.random.default_rng(1).permutation(len(y))
    one = replicates(resampling(y, a, b), n_boot=20, rng=3, n_jobs=1)
    two = replicates(resampling(y[rows], a[rows], b[rows]), n_boot=20, rng=3, n_jobs=2)
    np.testing.assert_array_equal(one, two)
    other = replicates(resampling(y, a, b), n_boot=8, rng=4, n_jobs=1)
    assert (other != one[:8]).all()


def test_replicates_are_fits_and_counts_of_drawn_cases():
    """The first chunk drawn by hand: rows repeated, fitted and counted one replicate at a time."""
    y, a, b = simulated(60, seed=6)
    cases = resampling(y, a, b)
    found = replicates(cases, n_boot=3, rng=5, n_jobs=1)
    state = plan_chunks(3, 5, size=8)[0].seed.generate_state(4, np.uint64)
    neg, pos = (
        kernels.draw_counts(n, 3, state) for n in (cases.margins.cases.n_neg, cases.margins.cases.n_pos)
    )
    y, (a, b) = cases.margins.cases.positive, cases.margins.cases.columns
    for k in range(3):
        times = np.zeros(60, int)
        times[~y], times[y] = neg[k], pos[k]
        again = [np.repeat(column, times) for column in (y, a, b)]
        expected = preview_fusion(*again, weights=cases.directions)
        np.testing.assert_allclose(found[k].T, expected.values(), rtol=1e-10)


@pytest.mark.slow
def test_test_cases_are_drawn_apart():
    """Predictions vary with the cases of the fit, counts with the test cases: their errors do not cancel."""
    fit, test = simulated(120, seed=6), simulated(120, seed=7)
    found = preview_fusion(*fit, test=test, weights=[[1, 1]], n_boot=100, rng=3)
    row = found.agreement[1]
    spread = (row.high - row.low) / (2 * 1.96)
    assert spread == pytest.approx(math.hypot(found.se[0, 1], found.se[0, 2]), rel=0.35)


def test_failed_replicates_are_left_out_and_counted():
    rng = np.random.default_rng(1)
    found = rng.normal(0.8, 0.02, (200, 3, 4))
    found[::4, 1] = np.nan
    found[:, 0] = np.nan
    summed, n_failed = summarize(found, level=0.9, sign=1)
    assert n_failed == (200, 50)
    assert np.isnan(summed["low"][:, 0]).all()
    kept = found[~np.isnan(found[:, 1, 0]), 1]
    np.testing.assert_allclose(summed["se"][:, 1], kept.std(axis=0, ddof=1))
    np.testing.assert_allclose(summed["low"][:, 1], np.quantile(kept, 0.05, axis=0))
    best = np.bincount(kept.argmax(axis=1), minlength=4) / 150
    np.testing.assert_allclose(summed["best_share"][:, 1], best)


# ---- What is undefined, and what is refused ---------------------------------------------------------------


def test_a_perfect_classifier_leaves_the_counts(cases):
    y, a, _ = cases
    found = preview_fusion(y, a, 10 * y + a / 100)
    assert found.status == "partial"
    assert found.reason.startswith("fits[1] has no curve to combine (perfect): ")
    assert not found.defined[:, :2].any()
    assert found.defined[:, 2].all()
    assert found.best("correlated").weight_a is None
    assert str(found.best("correlated")) == "best by correlated: undefined"
    assert found.best("empirical").value > 0.99
    assert found.agreement[0].mean_error is None
    assert found.optimum_independent is None
    found.to_json()
    with pytest.raises(UndefinedError) as error:
        preview_fusion(y, a, 10 * y + a / 100, scale="latent")
    assert str(error.value).startswith("score_b has no latent scale (perfect): ")


def test_the_same_classifier_twice(cases):
    y, a, _ = cases
    found = preview_fusion(y, a, 2 * a)
    assert found.reason == (
        "corr_neg is singular (condition number inf): classifiers 0 and 1 have correlation 1, so that "
        "weights can cancel; leave one of them out"
    )
    assert found.defined.all(axis=0).tolist() == [True, False, True]
    assert (found.empirical == rs.roc_curve(y, a).auc).all()
    assert found.agreement[0].kendall is None  # all counted areas are one
    assert found.optimum_independent is not None
    assert found.optimum_correlated is None


def test_negatives_without_spread():
    y = np.repeat([0, 1], 20)
    s = np.arange(40.0)
    with pytest.raises(UndefinedError) as error:
        preview_fusion(y, s % 7, np.where(y == 0, 1.0, s % 3), scale="matched")
    assert str(error.value) == ("score_b has no variance among the negatives: the scales cannot be matched")


GOOD = {"y_true": [0, 0, 1, 1], "score_a": [1, 2, 1.5, 3], "score_b": [1, 3, 2, 4]}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"score_b": None}, "score_b must be a one-dimensional array, got None"),
        ({"score_a": [1, 2, np.inf, 3]}, "score_a must have finite scores, got infinite values in row 2"),
        ({"score_a": [1, 2, 3]}, "y_true and scores['score_a'] must have the same length"),
        ({"scale": "log"}, "scale must be one of 'raw', 'matched', 'latent', got 'log'"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
        ({"n_boot": -1}, "n_boot must be a whole number of at least 0, got -1"),
        ({"weights": [[0, 0]]}, "weights must have a weight other than 0, got only 0 in row 0"),
        ({"target": "gini"}, "target must be one of 'auc', 'partial-auc', 'tpr', 'cost', got 'gini'"),
        ({"test": 3}, "test must be (y_true, score_a, score_b), BinaryScores or a frame, got 3"),
        (
            {"test": ([0, 1], [1, 2], [np.inf, 1])},
            "test score_b must have finite scores, got infinite values in row 0",
        ),
    ],
)
def test_wrong_arguments(changed, message):
    with pytest.raises(RocInputError) as error:
        preview_fusion(**(GOOD | changed))
    assert str(error.value).startswith(message)


def test_three_scores():
    data = rs.BinaryScores.from_arrays([0, 1], {"a": [1, 2], "b": [1, 2], "c": [1, 2]})
    with pytest.raises(RocInputError) as error:
        preview_fusion(data)
    assert str(error.value) == "y_true must come with two scores, got ['a', 'b', 'c']"


# ---- As a result ------------------------------------------------------------------------------------------


def test_as_text_table_and_json(preview):
    text = str(preview).splitlines()
    assert text[0] == "AUC of weighted sums of score_a and score_b (raw scale), 100 pairs of weights"
    assert text[1].startswith("  best by independent: weights ")
    assert text[-1].startswith("  correlated - empirical: ")
    frame = preview.frame()
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns[:3]) == ["weight_a", "weight_b", "independent"]
    assert len(frame) == 100
    document = preview.to_dict()
    assert document["scale"] == "raw"
    assert document["choices"][0]["by"] == "independent"
    assert document["low"][0] == [None, None, None]
    with pytest.raises(ValueError, match="read-only"):
        preview.weights[0] = 0
    assert replace(preview) == preview


def test_labels_of_any_kind(cases, preview):
    y, a, b = cases
    named = pd.Series(np.where(y == 1, "ill", "well"))
    found = preview_fusion(named, pd.Series(a), list(b), pos_label="ill", test=(named, a, b))
    np.testing.assert_array_equal(found.values(), preview.values())


def test_an_agreement_without_a_figure_says_why():
    found = preview_fusion([0, 1], [0, 1], [1, 0], rng=1)
    without = [row for row in found.agreement if row.low is None or row.kendall is None]
    assert without
    assert all(row.reason for row in without)
