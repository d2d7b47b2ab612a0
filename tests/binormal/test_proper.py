"""Fits of the proper binormal curve."""

import csv
import math

import numpy as np
import pytest
from scipy import special

from data_folder import data_file
from rocscope.binormal.fit import fit_binormal, fit_categories
from rocscope.binormal.latent import Categories, truth_runs
from rocscope.binormal.proper import (
    ProperBinormal,
    ProperLikelihood,
    ProperShape,
    fit_proper_binormal,
    fit_proper_categories,
    from_pair,
    proper_area,
    proper_starts,
    to_pair,
)
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError
from slow import binormal_models as slow

HANLEY_MCNEIL = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
SLOW_STARTS = [(1.0, -0.2), (1.0, 0.2), (0.2, 0.5)]
SLOW_BOUNDS = [(0, 20), (-0.97, 0.97)]


def counts(neg, pos):
    neg, pos = np.asarray(neg), np.asarray(pos)
    return Categories(neg=neg, pos=pos, boundaries=np.arange(1, len(neg)) - 0.5)


def normal_data(seed, n, a, b):
    rng = np.random.default_rng(seed)
    return np.repeat([0, 1], n), np.concatenate([rng.normal(size=n), (a + rng.normal(size=n)) / b])


# ---- The maximum ------------------------------------------------------------------------------------------


def test_hanley_and_mcneils_ratings():
    """Their hook is out of sight, so the proper curve is that of the manual of Stata's rocfit."""
    fit = fit_proper_binormal(HANLEY_MCNEIL)
    assert (fit.d_a, fit.c) == pytest.approx(from_pair(1.656782, 0.713002), abs=3e-5)
    assert fit.auc == pytest.approx(0.911331, abs=2e-5)
    assert fit.log_likelihood == pytest.approx(-123.64855, abs=5e-6)
    ordinary = fit_binormal(HANLEY_MCNEIL)
    assert fit.se_auc == pytest.approx(ordinary.se_auc, rel=2e-3)
    assert (fit.n_pos, fit.n_neg, fit.n_categories, fit.method) == (51, 58, 5, "ml")


# Ratings whose maxima lie inside, at d_a = 0 and at either sign of c.
RATINGS = [
    ([5, 1, 13, 0, 5, 7], [9, 5, 35, 6, 14, 40], "ok"),
    ([33, 36, 19, 34, 3, 20], [10, 9, 9, 20, 1, 73], "ok"),
    ([17, 77, 11, 13], [4, 51, 24, 51], "ok"),
    ([61, 10, 60, 4], [41, 2, 37, 41], "boundary"),
    ([37, 34, 39], [0, 29, 115], "boundary"),
    ([23, 61, 11, 2, 4], [16, 57, 11, 4, 1], "boundary"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("neg", "pos", "status"), RATINGS)
def test_agrees_with_a_generic_optimiser(neg, pos, status):
    fit = fit_proper_categories(counts(neg, pos))
    assert fit.status == status
    # Where the optimiser stands, our likelihood must be as high; and its formulas must say the same of ours.
    ends = slow.log_likelihood(
        lambda fpr: slow.proper_tpr(fpr, fit.d_a, fit.c), fit_rates(fit), np.array(neg), np.array(pos)
    )
    assert fit.log_likelihood == pytest.approx(ends, abs=1e-8)
    near = [(max(fit.d_a, 0.05), fit.c)]
    found, height = slow.maximum(slow.proper_tpr, neg, pos, starts=near, bounds=SLOW_BOUNDS)
    assert fit.log_likelihood == pytest.approx(height, abs=2e-7)
    assert fit.log_likelihood >= height - 1e-8
    if status == "ok":
        np.testing.assert_allclose([fit.d_a, fit.c], found, atol=1e-5)


def fit_rates(fit):
    return special.ndtr(-fit.cutpoints)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 2])
def test_no_generic_start_leads_higher(seed):
    rng = np.random.default_rng(seed)
    k = rng.integers(4, 7)
    cuts = np.sort(rng.uniform(-1, 2, k - 1))
    a, b = rng.uniform(0, 2), np.exp(0.6 * rng.normal())
    neg = np.bincount(np.searchsorted(cuts, rng.normal(size=80)), minlength=k)
    pos = np.bincount(np.searchsorted(cuts, (a + rng.normal(size=70)) / b), minlength=k)
    assert (neg + pos).all()
    fit = fit_proper_categories(counts(neg, pos))
    _, height = slow.maximum(slow.proper_tpr, neg, pos, starts=SLOW_STARTS, bounds=SLOW_BOUNDS)
    assert fit.log_likelihood >= height - 1e-7


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.5), (1.0, 1.6), (0.3, 0.5), (0.2, 2.0), (1.5, 1.0)])
def test_every_start_leads_to_the_same_maximum(a, b):
    y, score = normal_data(3, 150, a, b)
    fit = fit_proper_binormal(y, score)
    for start in ((0.3, 0.4), (0.3, -0.4), (2.0, 0.1), (2.0, -0.1)):
        other = ProperLikelihood(fit.categories).maximum([np.array(to_pair(*start))])
        assert other is None or other.log_likelihood <= fit.log_likelihood + 1e-7


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_vanishes(seed):
    y, score = normal_data(seed, 60, 1.5, 0.8)
    categories = truth_runs(ScoreTable.from_counts(score, pos=y, neg=1 - y))
    likelihood = ProperLikelihood(categories)
    point = likelihood.maximum(proper_starts(categories))
    free = likelihood.free(point.theta, point.by_theta)
    assert np.abs(np.append(point.by_cutpoints, point.by_theta[free])).max() < 1e-7
    fit = fit_proper_categories(categories)
    # A cut-point or a parameter moved to either side brings the likelihood down.
    rates = fit_rates(fit)
    assert fit.status == "ok"

    def height(d_a, c):
        return slow.log_likelihood(
            lambda fpr: slow.proper_tpr(fpr, d_a, c), rates, categories.neg, categories.pos
        )

    here = height(fit.d_a, fit.c)
    for d_a, c in ((1e-3, 0), (-1e-3, 0), (0, 1e-3), (0, -1e-3)):
        assert height(fit.d_a + d_a, fit.c + c) < here


def test_many_categories():
    """One start is enough there, and the curve is the one that was drawn."""
    y, score = normal_data(11, 4000, 1.2, 0.8)
    fit = fit_proper_binormal(y, score)
    assert fit.n_categories > 2000
    assert fit.d_a == pytest.approx(from_pair(1.2, 0.8)[0], abs=4 * fit.cov[0, 0] ** 0.5)
    assert fit.c == pytest.approx(from_pair(1.2, 0.8)[1], abs=4 * fit.cov[1, 1] ** 0.5)


def test_the_likelihood_is_comparable_with_the_binormal_one():
    """Where the hook is far out both models are one; elsewhere the curves differ."""
    y, score = normal_data(5, 200, 2.0, 0.95)
    proper, ordinary = fit_proper_binormal(y, score), fit_binormal(y, score)
    assert proper.log_likelihood == pytest.approx(ordinary.log_likelihood, abs=1e-4)
    assert proper.n_categories == ordinary.n_categories


# ---- Standard errors --------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("d_a", "c"), [(1.2, -0.3), (1.2, 0.3)])
def test_standard_errors_are_the_spread(d_a, c):
    """Of the areas: d_a and c trade places, and a quarter of the fits end at the boundary."""
    a, b = to_pair(d_a, c)
    rng = np.random.default_rng(1)
    found = []
    for _ in range(40):
        # Cases ranked by their likelihood ratio follow the proper curve.
        x = np.concatenate([rng.normal(size=150), (a + rng.normal(size=150)) / b])
        fit = fit_proper_binormal(np.repeat([0, 1], 150), (x**2 - (b * x - a) ** 2) / 2)
        part = fit.partial_auc_estimate(fpr=(0, 0.2))
        found.append([fit.status == "ok", fit.auc, part.value, fit.se_auc, part.se])
    inside, values, errors = np.array(found)[:, 0], np.array(found)[:, 1:3], np.array(found)[:, 3:]
    assert 0.5 < inside.mean() < 1
    np.testing.assert_allclose(errors.mean(axis=0), values.std(axis=0, ddof=1), rtol=0.35)
    truth = ProperBinormal(d_a=d_a, c=c)
    expected = [truth.auc, truth.partial_auc(fpr=(0, 0.2))]
    assert (np.abs(values.mean(axis=0) - expected) < 4 * errors.mean(axis=0) / math.sqrt(40)).all()


# ---- Boundaries and data without a curve ------------------------------------------------------------------


def test_chance():
    fit = fit_proper_binormal(
        [0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0], [9, 1, 8, 2, 7, 3, 4, 6, 5, 2.5, 6.5, 1.5]
    )
    assert (fit.status, fit.d_a, fit.c, fit.auc) == ("chance", 0, 0, 0.5)
    assert fit.cov is None
    estimate = fit.auc_estimate()
    assert (estimate.status, estimate.value, estimate.se) == ("partial", 0.5, None)
    assert estimate.reason == fit.reason
    assert "diagonal" in fit.reason
    assert fit.tpr(0.3) == pytest.approx(0.3)


def test_boundary():
    fit = fit_proper_categories(counts([61, 10, 60, 4], [41, 2, 37, 41]))
    assert (fit.status, fit.d_a, fit.cov) == ("boundary", 0, None)
    reason = "d_a = 0 is on the boundary of the model: errors are those of neighbouring curves"
    assert fit.reason == reason
    area = fit.auc_estimate()
    assert (area.status, area.value, area.warnings) == ("ok", fit.auc, (reason,))
    # The errors of the areas change little from one neighbour to the next.
    for d_a in (0.1, 0.3):
        shape = ProperShape(*to_pair(d_a, fit.c))
        cov = ProperLikelihood(fit.categories).covariance(shape, fit.cutpoints)
        gradient = differences(shape)
        assert area.se == pytest.approx(math.sqrt(gradient @ cov @ gradient), rel=0.05)


@pytest.mark.parametrize(
    ("theta", "previous", "reached"),
    [
        ((-0.1, 0.9), (0.5, 1.2), (0.0, 1.0)),  # b = 1 lies on the way
        ((-0.1, 0.9), (0.5, 0.8), (0.0, 0.9)),
        ((-0.1, 1.1), (0.5, 1.2), (0.0, 1.1)),
        ((0.3, 0.1), (0.5, 0.8), (0.3, 0.4)),
    ],
)
def test_steps_stop_at_the_boundary_and_at_chance(theta, previous, reached):
    likelihood = ProperLikelihood(counts([61, 10, 60, 4], [41, 2, 37, 41]))
    assert likelihood.project(np.array(theta), np.array(previous)).tolist() == list(reached)


def differences(shape, step=1e-4):
    """Derivatives of the area by a and b."""
    areas = [proper_area(*from_pair(shape.a + da, shape.b + db)) for da, db in step * np.array(MOVES)]
    return np.array([areas[0] - areas[1], areas[2] - areas[3]]) / (2 * step)


MOVES = [(1, 0), (-1, 0), (0, 1), (0, -1)]


UNDEFINED = {
    "perfect": ([5, 0], [0, 5], "all positives have higher scores than all negatives"),
    "perverse": ([0, 5], [5, 0], "all positives have lower scores than all negatives"),
    "undetermined": (
        [5, 3],
        [2, 4],
        "the ROC curve has one point between its ends, and many curves pass through it",
    ),
    "degenerate": ([3, 3, 0], [0, 3, 3], "the perfect curve passes through all ROC points"),
}


@pytest.mark.parametrize("status", UNDEFINED)
def test_data_without_a_curve(status):
    neg, pos, reason = UNDEFINED[status]
    fit = fit_proper_binormal(ScoreTable.from_counts(np.arange(len(neg)), neg=neg, pos=pos))
    assert (fit.status, fit.reason, fit.d_a, fit.c, fit.auc) == (status, reason, None, None, None)


def test_constant_scores():
    fit = fit_proper_binormal([0, 1, 0, 1], [3, 3, 3, 3])
    assert fit.status == "undetermined"
    assert fit.reason.startswith("all scores are equal")


def test_a_class_without_variance_is_named():
    fit = fit_proper_binormal([0, 0, 0, 0, 1, 1], [1, 2, 3, 4, 2.5, 2.5])
    assert fit.status == "degenerate"
    assert fit.reason.startswith("the positives have zero variance: all have the score 2.5")


def test_what_the_binormal_model_cannot_fit_the_proper_one_can():
    categories = counts([10, 0, 3], [0, 5, 4])
    assert fit_categories(categories).status == "degenerate"
    assert fit_proper_categories(categories).status == "boundary"


def test_a_search_that_fails_gives_no_last_step(monkeypatch):
    monkeypatch.setattr(ProperLikelihood, "max_steps", 1)
    fit = fit_proper_binormal(HANLEY_MCNEIL)
    assert (fit.status, fit.d_a, fit.log_likelihood) == ("not-converged", None, None)
    assert fit.reason == "1 Newton steps from several starts did not reach a maximum of the likelihood"


def test_a_search_that_leaves_for_a_limit_ends_there():
    """Nearly separated classes with many cases: no maximum inside, and the diagonal is far less likely."""
    table = ScoreTable.from_counts([1, 2, 3], neg=[2**40, 1, 3], pos=[0, 10**9, 2**40])
    fit = fit_proper_binormal(table)
    assert (fit.status, fit.d_a) == ("degenerate", None)
    assert fit.reason == "the likelihood rises towards c = 1"


# ---- Doors ------------------------------------------------------------------------------------------------


def test_the_door_of_fit_binormal():
    assert fit_binormal(HANLEY_MCNEIL, proper=True) == fit_proper_binormal(HANLEY_MCNEIL)


def test_bad_data():
    with pytest.raises(RocInputError, match="y_score must be finite for a fit, got infinite values"):
        fit_proper_binormal([0, 1, 0, 1], [1, 2, 3, np.inf])
    with pytest.raises(RocInputError, match="y_score must have no missing scores, got NaN in row 1"):
        fit_proper_binormal([0, 1, 0, 1], [1, np.nan, 3, 4])
    with pytest.raises(RocInputError, match="y_score must be left out where y_true is a ScoreTable"):
        fit_proper_binormal(HANLEY_MCNEIL, [1, 2])


def test_real_markers():
    """aSAH: the proper curves have no hook and lie near the empirical areas."""
    with data_file("aSAH", "aSAH.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    y = [row["outcome"] == "Poor" for row in rows]
    for name, ordinary in (("s100b", 0.733265), ("ndka", 0.603070), ("wfns", 0.845245)):
        fit = fit_proper_binormal(y, [float(row[name]) for row in rows])
        assert fit.status in ("ok", "boundary")
        assert fit.auc == pytest.approx(ordinary, abs=0.03)
        assert fit.tpr(0.001) >= 0.001
