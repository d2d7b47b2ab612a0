"""Fits of the binormal curve."""

import csv
import itertools
import json

import numpy as np
import pytest
from scipy import special

from data_folder import data_file
from reference_cases import case_data, load_reference
from rocscope.binormal.fit import fit_binormal, fit_categories, starts
from rocscope.binormal.latent import Categories, ratings, truth_runs
from rocscope.binormal.maximum import BinormalLikelihood
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError
from slow import binormal as slow

REFERENCE = load_reference("binormal")
HANLEY_MCNEIL = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])


def normal_data(seed, n_neg, n_pos, a=1.0, b=0.8, decimals=None):
    rng = np.random.default_rng(seed)
    score = np.concatenate([rng.normal(size=n_neg), (a + rng.normal(size=n_pos)) / b])
    y = np.repeat([0, 1], [n_neg, n_pos])
    return y, score if decimals is None else np.round(score, decimals)


# ---- Values of others -------------------------------------------------------------------------------------


def test_hanley_and_mcneils_ratings():
    """The figures of the manual of Stata's rocfit, to all digits printed there."""
    fit = fit_binormal(HANLEY_MCNEIL)
    assert fit.status == "ok"
    assert fit.a == pytest.approx(1.656782, abs=5e-7)
    assert fit.b == pytest.approx(0.713002, abs=5e-7)
    assert fit.auc == pytest.approx(0.911331, abs=5e-7)
    assert fit.log_likelihood == pytest.approx(-123.64855, abs=5e-6)


def test_the_table_of_classic_values():
    """Observed information, and Pearson's statistic on all categories."""
    with data_file("classic", "expected.json").open(encoding="utf-8") as file:
        required = json.load(file)["hanley_mcneil_1982_ct"]["binormal_ml"]
    fit = fit_binormal(HANLEY_MCNEIL, information="observed", min_expected=0)
    assert [fit.a, fit.b, fit.se_a, fit.se_b, fit.cov[0, 1]] == pytest.approx(
        [required[key] for key in ("a", "b", "se_a", "se_b", "cov_ab")], abs=6e-7
    )
    assert [fit.auc, fit.se_auc, fit.log_likelihood] == pytest.approx(
        [required["Az"], required["se_Az"], required["loglik"]], abs=6e-7
    )
    assert fit.goodness.statistic == pytest.approx(required["pearson_chi2"], abs=5e-5)
    assert fit.goodness.df == required["df"]
    np.testing.assert_allclose(fit.cutpoints, required["cutoffs"], atol=6e-6)


def reference_data(case):
    if "neg" in case:
        return (ScoreTable.from_counts(range(len(case["neg"])), neg=case["neg"], pos=case["pos"]),)
    y, scores = case_data(case)
    return y, scores[case["columns"]["scores"][0]]


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=lambda case: case["name"])
def test_agrees_with_the_optimiser_of_r(case):
    data, tolerance = reference_data(case), REFERENCE["tolerance"]
    expected, observed = (fit_binormal(*data, information=kind) for kind in ("expected", "observed"))
    assert expected.n_categories == case["n_categories"]
    for name in ("a", "b", "auc", "log_likelihood"):
        assert getattr(expected, name) == pytest.approx(case[name], abs=tolerance)
    np.testing.assert_allclose(expected.cutpoints, case["cutpoints"], atol=10 * tolerance)
    for fit, kind in ((expected, "expected"), (observed, "observed")):
        found = fit.cov[[0, 0, 1], [0, 1, 1]]
        np.testing.assert_allclose(found, case[f"cov_{kind}"], rtol=1e-5)
        assert fit.se_auc == pytest.approx(case[f"se_auc_{kind}"], rel=1e-5)


@pytest.mark.parametrize(
    ("score", "runs", "a", "b", "area", "logl"),
    [
        ("s100b", 31, 0.739066, 0.639206, 0.733265, -338.20943),
        ("ndka", 52, 0.350880, 0.896199, 0.603070, -419.68775),
        ("wfns", 5, 1.540876, 1.139721, 0.845245, -142.48017),
    ],
)
def test_subarachnoid_haemorrhage(score, runs, a, b, area, logl):
    """Values computed by Fisher scoring, before this code was written."""
    with data_file("aSAH", "aSAH.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    y, s = [row["outcome"] for row in rows], [float(row[score]) for row in rows]
    fit = fit_binormal(y, s, pos_label="Poor")
    assert fit.n_categories == runs
    assert [fit.a, fit.b, fit.auc] == pytest.approx([a, b, area], abs=6e-7)
    assert fit.log_likelihood == pytest.approx(logl, abs=6e-6)


# ---- Against a general optimiser --------------------------------------------------------------------------


def gradient_norm(categories):
    point = BinormalLikelihood(categories).maximum(starts(categories), first=True)
    return np.abs(np.append(point.by_cutpoints, point.by_theta)).max()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(50))
def test_agrees_with_a_general_optimiser(seed):
    rng = np.random.default_rng(seed)
    n_neg, n_pos = rng.integers(20, 60, 2)
    a, b, decimals = rng.normal() / 2 + 1, np.exp(rng.normal() / 3), int(rng.integers(0, 3))
    y, score = normal_data(seed, n_neg, n_pos, a=a, b=b, decimals=decimals)
    categories = truth_runs(BinaryScores.from_arrays(y, score))
    assert 3 <= len(categories) <= 100
    fit = fit_binormal(y, score)
    expected_a, expected_b, expected_t = slow.generic_fit(categories.neg, categories.pos)
    best = slow.log_likelihood(expected_a, expected_b, expected_t, categories.neg, categories.pos)
    assert fit.a == pytest.approx(expected_a, abs=1e-6)
    assert fit.b == pytest.approx(expected_b, abs=1e-6)
    assert fit.log_likelihood == pytest.approx(best, abs=1e-8)
    assert gradient_norm(categories) < 1e-8
    written_out = slow.gradient(fit.a, fit.b, fit.cutpoints, categories.neg, categories.pos)
    assert np.abs(written_out).max() < 1e-8


@pytest.mark.parametrize("seed", range(60))
def test_three_starts_find_one_maximum(seed):
    """Small data with ties: the first start does not stop at a lower place than the others."""
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, 20), [0, 1])
    score = np.round(rng.normal(size=22) * (1 + y) + y, int(rng.integers(0, 2)))
    categories = truth_runs(BinaryScores.from_arrays(y, score))
    fit = fit_categories(categories)
    if fit.status != "ok":
        return
    for start in starts(categories):
        point = BinormalLikelihood(categories).maximum([start])
        assert point.log_likelihood == pytest.approx(fit.log_likelihood, abs=1e-9)


def test_every_step_goes_up(monkeypatch):
    y, score = normal_data(5, 300, 200, a=2.0, b=0.3)
    categories = truth_runs(BinaryScores.from_arrays(y, score))
    seen = []
    step = BinormalLikelihood.step
    monkeypatch.setattr(BinormalLikelihood, "step", lambda self, p: seen.append(p) or step(self, p))
    point = BinormalLikelihood(categories).maximum([np.array([-3.0, 8.0])])
    heights = [p.log_likelihood for p in (*seen, point)]
    assert heights[0] < heights[-1] - 1
    assert all(np.diff(heights) > -1e-9)


# ---- What the fit does not depend on ----------------------------------------------------------------------


def test_unmerged_categories_have_the_same_maximum():
    y, score = normal_data(1, 40, 50, decimals=1)
    data = BinaryScores.from_arrays(y, score)
    merged, unmerged = fit_categories(truth_runs(data)), fit_categories(ratings(data))
    assert merged.n_categories < unmerged.n_categories
    assert [merged.a, merged.b] == pytest.approx([unmerged.a, unmerged.b], abs=1e-9)
    assert merged.log_likelihood > unmerged.log_likelihood + 1


def test_only_the_order_counts():
    y, score = normal_data(2, 30, 40)
    one, other = fit_binormal(y, score), fit_binormal(y[::-1], np.exp(3 * score[::-1]) - 7)
    assert (one.a, one.b, one.log_likelihood) == (other.a, other.b, other.log_likelihood)


def test_classes_that_change_places_mirror_the_curve():
    y, score = normal_data(3, 60, 45, a=1.2, b=0.6)
    one, other = fit_binormal(y, score), fit_binormal(1 - y, -score)
    assert [other.a, other.b] == pytest.approx([one.a / one.b, 1 / one.b], rel=1e-9)
    assert other.auc == pytest.approx(one.auc, rel=1e-12)
    assert other.se_auc == pytest.approx(one.se_auc, rel=1e-8)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, rel=1e-12)


def test_counts_weights_and_rows_are_the_same():
    rows = fit_binormal([0] * 3 + [1] * 3 + [0, 1] * 2, [1, 2, 2, 2, 3, 3, 4, 5, 2, 1])
    weighted = BinaryScores.from_arrays(
        [0, 0, 1, 1, 0, 1, 1], [1, 2, 2, 3, 4, 5, 1], sample_weight=[1, 3, 1, 2, 1, 1, 1]
    )
    assert fit_binormal(weighted) == rows
    assert fit_binormal(weighted.table()) == rows


def test_the_kernels_give_the_same_fit(monkeypatch):
    y, score = normal_data(7, 3000, 2000)
    plain = fit_binormal(y, score)
    monkeypatch.setattr("rocscope.binormal.maximum.MANY", 100)
    fast = fit_binormal(y, score)
    assert [fast.a, fast.b] == pytest.approx([plain.a, plain.b], abs=1e-9)
    np.testing.assert_allclose(fast.cov, plain.cov, rtol=1e-6)
    np.testing.assert_allclose(fast.cutpoints, plain.cutpoints, atol=1e-8)
    assert fast.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)


def test_a_hundred_thousand_scores_without_thinning():
    y, score = normal_data(8, 50_000, 50_000, a=1.2, b=0.7)
    fit = fit_binormal(y, score)
    assert fit.n_categories > 30_000
    assert abs(fit.a - 1.2) < 4 * fit.se_a < 0.05
    assert abs(fit.b - 0.7) < 4 * fit.se_b < 0.05
    assert abs(fit.auc - special.ndtr(1.2 / np.hypot(1, 0.7))) < 4 * fit.se_auc < 0.01


HARD = {
    "very steep": (2000, 2000, 1.0, 20.0),
    "very flat": (2000, 2000, 1.0, 0.02),
    "almost separated": (3000, 3000, 6.0, 1.0),
    "far below chance": (500, 500, -3.0, 1.0),
    "few positives": (5000, 6, 1.0, 1.0),
    "few negatives": (6, 5000, 1.0, 1.0),
}


@pytest.mark.parametrize("name", HARD)
def test_hard_data_have_a_maximum(name):
    n_neg, n_pos, a, b = HARD[name]
    y, score = normal_data(11, n_neg, n_pos, a=a, b=b)
    fit = fit_binormal(y, score)
    assert fit.status == "ok"
    assert abs(fit.a - a) < 5 * fit.se_a
    assert abs(fit.b - b) < 5 * fit.se_b


def test_one_pair_out_of_order_among_many():
    """Masses close to 1 must keep what they lack: 50,000 cases multiply the rounding of its logarithm."""
    n = 50_000
    categories = Categories(
        neg=np.array([n - 1, 0, 1, 0]), pos=np.array([0, 1, 0, n - 1]), boundaries=np.arange(3)
    )
    fit = fit_categories(categories)
    assert fit.b == pytest.approx(1.0, abs=1e-9)
    assert fit.auc == pytest.approx(1.0, abs=1e-8)


# ---- Data without a fit -----------------------------------------------------------------------------------

WITHOUT = {
    "perfect": ([0, 0, 1, 1], [1, 2, 3, 4], "all positives have higher scores than all negatives"),
    "perverse": ([1, 1, 0, 0], [1, 2, 3, 4], "all positives have lower scores than all negatives"),
    "constant": ([0, 0, 1, 1], [5, 5, 5, 5], "all scores are equal, so the ROC curve has no point inside"),
    "one point": (
        [0, 0, 1, 1],
        [1, 2, 2, 1],
        "the ROC curve has one point between its ends, and many curves pass through it",
    ),
    "constant negatives": (
        [1, 0, 0, 1, 1],
        [1, 2, 2, 3, 2],
        "the negatives have zero variance: all have the score 2.0; "
        "a curve of slope 0 (constant TPR) fits the ROC points exactly",
    ),
    "constant positives": (
        [0, 1, 1, 0],
        [1, 2, 2, 3],
        "the positives have zero variance: all have the score 2.0; "
        "a curve of slope infinity (constant FPR) fits the ROC points exactly",
    ),
    "horizontal": (
        [1, 0, 1, 0, 0, 1, 0, 1],
        [1, 2, 2, 3, 4, 5, 5, 6],
        "a curve of slope 0 (constant TPR) fits the ROC points exactly",
    ),
    "vertical": (
        [0, 1, 1, 0],
        [1, 2, 3, 4],
        "a curve of slope infinity (constant FPR) fits the ROC points exactly",
    ),
}
STATUS = {
    "perfect": "perfect",
    "perverse": "perverse",
    "constant": "undetermined",
    "one point": "undetermined",
    "constant negatives": "degenerate",
    "constant positives": "degenerate",
    "horizontal": "degenerate",
    "vertical": "degenerate",
}


@pytest.mark.parametrize("method", ["ml", "least-squares"])
@pytest.mark.parametrize("name", WITHOUT)
def test_data_that_determine_no_curve(name, method):
    y, score, reason = WITHOUT[name]
    fit = fit_binormal(y, score, method=method)
    assert (fit.status, fit.reason) == (STATUS[name], reason)
    assert (fit.a, fit.b, fit.cov, fit.auc, fit.log_likelihood, fit.goodness) == (None,) * 6
    assert fit.n_pos == sum(y)
    assert fit.auc_estimate().status == "undefined"
    json.dumps(fit.to_dict(), allow_nan=False)


@pytest.mark.parametrize("seed", range(60))
def test_exactly_the_degenerate_data_have_no_maximum(seed):
    """Along a limit curve the likelihood of degenerate data comes up to that of the saturated model."""
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(0, 2, 7), [0, 1])
    score = rng.integers(0, 4, 9)
    categories = truth_runs(BinaryScores.from_arrays(y, score))
    neg, pos = categories.neg, categories.pos
    saturated = sum(float((n * np.log(np.maximum(n, 1) / n.sum())).sum()) for n in (neg, pos))
    fit = fit_binormal(y, score)
    if fit.status == "ok":
        assert fit.log_likelihood <= saturated + 1e-9
        assert gradient_norm(categories) < 1e-8
    elif fit.status == "degenerate":
        counts = (neg, pos) if "slope 0" in fit.reason else (pos[::-1], neg[::-1])  # mirrored
        assert flat_likelihood(*counts) == pytest.approx(saturated, abs=1e-3)


def flat_likelihood(neg, pos, b=1e-7):
    """Log-likelihood of an almost flat curve through the points inside, the others far out on its ends."""
    fpr, tpr = (np.cumsum(counts[::-1])[-2::-1] / counts.sum() for counts in (neg, pos))
    inside = (fpr > 0) & (fpr < 1)
    left, right = tpr[fpr == 0].max(initial=0.0), tpr[fpr == 1].min(initial=1.0)
    height = tpr[inside][0] if inside.any() else (left + right) / 2
    a, z = (special.ndtri(np.clip(rates, 1e-9, 1 - 1e-9)) for rates in (height, tpr))
    t = np.where(inside, -special.ndtri(np.clip(fpr, 1e-9, 1 - 1e-9)), (a - z) / b + 100 * (0.5 - fpr))
    return slow.log_likelihood(a, b, t, neg, pos)


def test_ratings_that_share_one_category_alone_tend_to_the_perfect_curve():
    """Negatives below the shared category, positives above it: the limit is area 1, not a flat curve."""
    neg, pos = [44, 21, 4, 0, 0], [0, 0, 1, 6, 38]
    table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=neg, pos=pos)
    for fit in (fit_binormal(table), fit_binormal(table, method="least-squares")):
        assert (fit.status, fit.auc) == ("degenerate", None)
        assert fit.reason == "the perfect curve passes through all ROC points"
        assert fit.auc_estimate().reason == fit.reason
    perverse = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=neg[::-1], pos=pos[::-1])
    assert fit_binormal(perverse).reason == "the perverse curve passes through all ROC points"


def patterns(size):
    """Counts of all patterns of pure and shared categories, with neighbouring runs of one class merged."""
    rng = np.random.default_rng(size)
    for kinds in itertools.product("NPM", repeat=size):
        if any(one == other != "M" for one, other in itertools.pairwise(kinds)):
            continue
        neg, pos = (np.where([k == pure for k in kinds], 0, rng.integers(1, 6, size)) for pure in "PN")
        if neg.any() and pos.any():
            yield "".join(kinds), neg, pos


@pytest.mark.parametrize("size", [3, 4, 5])
def test_every_limit_is_named_by_the_curve_it_leads_to(size):
    """Towards the named limit the likelihood comes up to that of the observed shares; else it stays below."""
    seen = set()
    for kinds, neg, pos in patterns(size):
        fit = fit_categories(Categories(neg=neg, pos=pos, boundaries=np.arange(size - 1)))
        best = slow.saturated(neg, pos)
        if fit.reason == "the perfect curve passes through all ROC points":
            assert far_likelihood(neg, pos) == pytest.approx(best, abs=1e-6)
        elif fit.reason == "the perverse curve passes through all ROC points":
            assert far_likelihood(neg[::-1], pos[::-1]) == pytest.approx(best, abs=1e-6)
        elif fit.reason is not None and "slope 0 (constant TPR)" in fit.reason:
            assert flat_likelihood(neg, pos) == pytest.approx(best, abs=1e-3)
        elif fit.reason is not None and "slope infinity (constant FPR)" in fit.reason:
            assert flat_likelihood(pos[::-1], neg[::-1]) == pytest.approx(best, abs=1e-3)
        elif fit.status == "ok":
            assert np.abs(slow.gradient(fit.a, fit.b, fit.cutpoints, neg, pos)).max() < 1e-8
        else:
            assert fit.status in ("perfect", "perverse")
        seen |= {(kinds, "perfect" in (fit.reason or ""))}
    assert {kinds for kinds, perfect in seen if perfect} == ({"NMP"} if size == 3 else set())


def far_likelihood(neg, pos, a=60.0):
    """Log-likelihood of a curve next to the perfect one: each cut-point has its share of one class."""
    fpr, tpr = (np.cumsum(counts[::-1])[-2::-1] / counts.sum() for counts in (neg, pos))
    with np.errstate(divide="ignore"):
        t = np.where((fpr > 0) & (fpr < 1), -special.ndtri(fpr), a - special.ndtri(tpr))
    return slow.log_likelihood(a, 1.0, t, neg, pos)


def test_a_search_that_fails_gives_no_iterate(monkeypatch):
    monkeypatch.setattr(BinormalLikelihood, "max_steps", 1)
    fit = fit_binormal(*normal_data(1, 30, 30))
    assert fit.status == "not-converged"
    assert fit.reason == "1 Newton steps from three starts did not reach a maximum of the likelihood"
    assert (fit.a, fit.b, fit.cov, fit.auc, fit.cutpoints) == (None,) * 5


def test_no_start_at_all_is_not_converged(monkeypatch):
    monkeypatch.setattr(BinormalLikelihood, "at", lambda *arguments: None)
    assert fit_binormal(*normal_data(1, 30, 30)).status == "not-converged"


# ---- Warnings ---------------------------------------------------------------------------------------------


def test_a_hook_is_named_with_its_range():
    y, score = normal_data(4, 4000, 4000, a=1.0, b=2.0)
    fit = fit_binormal(y, score)
    low, high = fit.hook
    assert low == 0
    assert high == pytest.approx(special.ndtr(-1.0), abs=0.01)
    message = f"the fitted curve lies below chance for FPR from 0 to {high:.4f} (a hook: b is not 1)"
    assert fit.warnings == (message,)
    inside = np.linspace(0.001, high - 0.001, 50)
    assert (fit.tpr(inside) < inside).all()
    assert fit.tpr(high + 0.001) > high + 0.001


def test_an_invisible_hook_is_no_warning():
    fit = fit_binormal(HANLEY_MCNEIL)
    assert fit.warnings == ()
    assert 0.9999999 < fit.hook[0] < 1.0


# ---- Other methods ----------------------------------------------------------------------------------------


def test_least_squares_is_the_line_through_the_deviates():
    y, score = normal_data(5, 80, 70)
    fit = fit_binormal(y, score, method="least-squares")
    fpr, tpr = fit.categories.rates()
    inside = (fpr > 0) & (fpr < 1) & (tpr > 0) & (tpr < 1)
    slope, intercept = np.polyfit(special.ndtri(fpr[inside]), special.ndtri(tpr[inside]), 1)
    assert [fit.a, fit.b] == pytest.approx([intercept, slope], rel=1e-9)
    assert (fit.cov, fit.log_likelihood, fit.goodness, fit.method) == (None, None, None, "least-squares")
    estimate = fit.auc_estimate()
    assert estimate.status == "partial"
    assert estimate.reason == "a curve by method 'least-squares' has no covariance"


def test_least_squares_leaves_out_points_without_finite_deviates():
    """Of four points one has the FPR 0; the line goes through the other three."""
    table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[23, 24, 15, 7, 0], pos=[1, 0, 6, 5, 33])
    fit = fit_binormal(table, method="least-squares")
    assert (round(fit.a, 4), round(fit.b, 4)) == (1.9285, 0.5731)
    # FPR and TPR of 7, 22, 46 of 69 negatives and of 38, 44, 44 of 45 positives.
    x, y = special.ndtri(np.array([7, 22, 46]) / 69), special.ndtri(np.array([38, 44, 44]) / 45)
    slope, intercept = np.polyfit(x, y, 1)
    assert [fit.a, fit.b] == pytest.approx([intercept, slope], rel=1e-12)
    shown = fit.deviates()
    assert (len(shown.x), shown.n_left_out) == (3, 1)


@pytest.mark.parametrize("seed", range(40))
def test_least_squares_agrees_with_its_literal_twin_on_tied_data(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 60))
    y = np.append(rng.integers(0, 2, n), [0, 1])
    score = np.round(rng.normal(size=n + 2) * 2 + y, int(rng.integers(0, 2)))
    fit = fit_binormal(y, score, method="least-squares")
    if fit.status != "ok":
        assert fit.reason
        return
    expected = slow.least_squares_line(y.tolist(), score.tolist())
    assert [fit.a, fit.b] == pytest.approx(expected, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(
    ("neg", "pos", "status", "reason"),
    [
        (
            [0, 1, 0, 1],
            [1, 0, 1, 0],
            "undetermined",
            "only one ROC point has finite normal deviates, and a line needs two",
        ),
        (
            [0, 1, 0, 1],
            [1, 0, 1, 1],
            "degenerate",
            "the line through the ROC points with finite deviates has slope infinity (constant FPR)",
        ),
        (
            [1, 0, 1, 1],
            [0, 1, 0, 1],
            "degenerate",
            "the line through the ROC points with finite deviates has slope 0 (constant TPR)",
        ),
    ],
)
def test_least_squares_without_two_points_that_rise(neg, pos, status, reason):
    """The likelihood of these data has a maximum, but no line rises through their finite points."""
    table = ScoreTable.from_counts(range(4), neg=neg, pos=pos)
    fit = fit_binormal(table, method="least-squares")
    assert (fit.status, fit.reason, fit.a, fit.b) == (status, reason, None, None)
    assert fit_binormal(table).status == "ok"


def test_moments_are_means_and_deviations():
    """Yousef et al., eq. 5."""
    y, score = normal_data(6, 50, 40, decimals=1)
    fit = fit_binormal(y, score, method="moments")
    neg, pos = score[y == 0], score[y == 1]
    sd_neg, sd_pos = neg.std(ddof=1), pos.std(ddof=1)
    assert fit.a == pytest.approx((pos.mean() - neg.mean()) / sd_pos, rel=1e-10)
    assert fit.b == pytest.approx(sd_neg / sd_pos, rel=1e-10)
    assert fit.log_likelihood is None


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_moments_do_not_overflow(scale):
    y, score = normal_data(6, 20, 20)
    one, other = (fit_binormal(y, s, method="moments") for s in (score, score * scale))
    assert [other.a, other.b] == pytest.approx([one.a, one.b], rel=1e-9)


def test_moments_have_the_spread_they_claim():
    rng = np.random.default_rng(1)
    neg, pos = rng.normal(size=(4000, 30)), (1.2 + rng.normal(size=(4000, 40))) / 0.7
    y = np.repeat([0, 1], [30, 40])
    fits = [fit_binormal(y, np.concatenate(s), method="moments") for s in zip(neg[:400], pos, strict=False)]
    claimed = np.mean([fit.cov for fit in fits], axis=0)
    sd_neg, sd_pos = neg.std(ddof=1, axis=1), pos.std(ddof=1, axis=1)
    spread = np.cov((pos.mean(axis=1) - neg.mean(axis=1)) / sd_pos, sd_neg / sd_pos)
    np.testing.assert_allclose(claimed, spread, rtol=0.15)


def test_moments_without_a_variance():
    flat = fit_binormal([0, 0, 1, 1], [1, 1, 2, 3], method="moments")
    assert flat.status == "degenerate"
    assert flat.reason == "the negatives have zero variance: all have the score 1.0"
    single = fit_binormal([0, 0, 1], [1, 2, 3], method="moments")
    assert single.status == "undetermined"
    assert single.reason == "a standard deviation needs two cases in each class, the positives are one"


def test_moments_of_separated_classes_exist():
    assert fit_binormal([0, 0, 1, 1], [1, 2, 3, 4], method="moments").status == "ok"


# ---- Goodness of fit --------------------------------------------------------------------------------------


def test_pools_expect_enough():
    y, score = normal_data(9, 200, 150)
    from rocscope.binormal.fit import expected_counts, pooled

    fit = fit_binormal(y, score)
    pools = pooled(ratings(BinaryScores.from_arrays(y, score)), fit.a, fit.b, 5.0)
    again = fit_categories(pools)
    assert (pools.n_neg, pools.n_pos) == (200, 150)
    assert expected_counts(pools, again.cutpoints, again.a, again.b).min() > 3
    assert fit.goodness.df == len(pools) - 3
    expected = np.stack(
        [
            200 * slow.masses(again.cutpoints),
            150 * slow.masses(again.b * again.cutpoints - again.a),
        ]
    )
    required = ((np.stack([pools.neg, pools.pos]) - expected) ** 2 / expected).sum()
    assert fit.goodness.statistic == pytest.approx(required, rel=1e-9)
    assert fit.goodness.p_value == pytest.approx(
        special.gammaincc(fit.goodness.df / 2, required / 2), rel=1e-9
    )


def test_a_curve_that_is_not_binormal_is_found_out():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 1000)
    pos = np.where(rng.random(1000) < 0.5, -3, 3) + rng.normal(size=1000)
    assert fit_binormal(y, np.concatenate([rng.normal(size=1000), pos])).goodness.p_value < 1e-6


def test_few_categories_leave_no_degree_of_freedom():
    found = fit_binormal(HANLEY_MCNEIL).goodness
    assert (found.status, found.statistic) == ("undefined", None)
    assert found.reason == "2 pooled categories leave no degree of freedom"


def test_very_many_scores_are_pooled_to_a_hundred_at_most():
    fit = fit_binormal(*normal_data(2, 20_000, 20_000))
    assert 30 < fit.goodness.df < 100
    assert fit.goodness.p_value > 0.001


@pytest.mark.slow
def test_the_test_has_its_size_and_the_errors_their_spread():
    fits = [fit_binormal(*normal_data(seed, 150, 150, a=1.0, b=0.7)) for seed in range(400)]
    rejected = np.mean([fit.goodness.p_value < 0.05 for fit in fits])
    assert 0.02 < rejected < 0.085  # four standard errors around 0.05
    for name, spread in (("a", "se_a"), ("b", "se_b"), ("auc", "se_auc")):
        values = [getattr(fit, name) for fit in fits]
        claimed = np.mean([getattr(fit, spread) for fit in fits])
        assert claimed == pytest.approx(np.std(values, ddof=1), rel=0.15)
    area = special.ndtr(1 / np.hypot(1, 0.7))
    covered = np.mean([fit.auc_estimate().low < area < fit.auc_estimate().high for fit in fits])
    assert 0.91 < covered < 0.99


# ---- The door ---------------------------------------------------------------------------------------------


def test_wrong_arguments_are_named():
    y, score = [0, 1, 0, 1], [1, 2, 3, 4]
    wrong = [
        ({"method": "mle"}, "method must be one of 'ml', 'least-squares', 'moments', got 'mle'"),
        ({"information": "fisher"}, "information must be one of 'expected', 'observed', got 'fisher'"),
        ({"min_expected": -1}, "min_expected must be at least 0, got -1"),
        ({"proper": "no"}, "proper must be True or False, got 'no'"),
    ]
    for options, words in wrong:
        with pytest.raises(RocInputError) as error:
            fit_binormal(y, score, **options)
        assert str(error.value).startswith(words)


def test_labels_that_are_not_evident_need_a_name():
    with pytest.raises(RocInputError, match="pos_label must be given"):
        fit_binormal(["ill", "well", "ill"], [1, 2, 3])


def test_infinite_scores_are_refused():
    with pytest.raises(RocInputError, match="y_score must be finite for a fit, got infinite values"):
        fit_binormal([0, 1, 0, 1], [1, 2, 3, np.inf])


def test_a_table_stands_alone():
    with pytest.raises(RocInputError) as error:
        fit_binormal(HANLEY_MCNEIL, [1, 2, 3])
    expected = "y_score must be left out where y_true is a ScoreTable, which holds it"
    assert str(error.value) == expected
    assert error.value.argument == "y_score"


def test_proper_goes_to_its_own_fit():
    fit = fit_binormal(HANLEY_MCNEIL, proper=True)
    assert type(fit).__name__ == "ProperBinormal"
    with pytest.raises(RocInputError, match="method must be 'ml' where proper is True, got 'moments'"):
        fit_binormal(HANLEY_MCNEIL, proper=True, method="moments")
