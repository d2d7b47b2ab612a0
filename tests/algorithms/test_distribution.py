"""Fold distributions and losses: intervals of one training, correlations, losses written out case by case."""

import numpy as np
import pytest
from scipy import stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from rocscope.algorithms.comparison import compare_algorithms
from rocscope.algorithms.distribution import fold_distribution
from rocscope.algorithms.losses import loss_curves, loss_threshold
from rocscope.core.curve import roc_curve
from rocscope.core.t_tests import paired_t
from rocscope.errors import RocInputError
from rocscope.inference.variance import cortes_mohri_interval

LEARNERS = {
    "lda": LinearDiscriminantAnalysis(),
    "stump": DecisionTreeClassifier(max_depth=1),
    "svm": LinearSVC(),
}


def cases(n=240, seed=0):
    """Normal cases with overlap; labels are texts."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 4)) + 0.6 * y[:, None], np.array(["no", "yes"])[y]


@pytest.fixture(scope="module")
def left_out():
    return compare_algorithms(LEARNERS, {"made": cases()}, folds=8, rng=1)


@pytest.fixture(scope="module")
def held_out():
    return compare_algorithms(LEARNERS, {"made": cases()}, folds=8, protocol="holdout", rng=1)


def test_fitted_normal_and_its_test(left_out):
    found = fold_distribution(left_out, "made", "stump")
    values = left_out.auc[0, 1]
    assert (found.mean, found.sd) == pytest.approx((values.mean(), values.std(ddof=1)), rel=1e-12)
    theirs = stats.shapiro(values)
    assert (found.normality.statistic, found.normality.p_value) == pytest.approx(tuple(theirs), rel=1e-12)
    assert found.frame()["auc"].tolist() == values.tolist()


def test_intervals_come_from_one_training_without_folds(held_out):
    X, y = cases()
    record = held_out.records[0][0][0]
    found = fold_distribution(held_out, "made", "lda", measure="error")
    once = held_out.singles[0][0]
    assert (once.positive == record.positive).all()
    assert found.n_test == 80
    assert found.single_error == np.mean(once.called != once.positive)
    by_method = {estimate.method: estimate for estimate in found.single}
    assert list(by_method) == ["hanley-mcneil", "cortes-mohri", "agarwal"]
    wrong = int((once.called != once.positive).sum())
    assert (by_method["cortes-mohri"].low, by_method["cortes-mohri"].high) == cortes_mohri_interval(
        wrong, 40, 40
    )
    assert by_method["agarwal"].high - by_method["agarwal"].low > (
        by_method["hanley-mcneil"].high - by_method["hanley-mcneil"].low
    )
    assert all(estimate.value == once.auc for estimate in found.single)
    assert len(X) == len(y)


def test_correlation_of_folds_on_a_common_test_set(held_out):
    """The mean over pairs of DeLong's covariances, over the mean variance: written out pair by pair."""
    records = held_out.records[0][1]
    placements = []
    for record in records:
        pos, neg = record.score[record.positive], record.score[~record.positive]
        beats = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
        placements.append((beats.mean(axis=1), beats.mean(axis=0)))
    by_pos, by_neg = (np.cov(np.array([p[k] for p in placements])) for k in (0, 1))
    cov = by_pos / len(placements[0][0]) + by_neg / len(placements[0][1])
    n = len(records)
    expected = (cov.sum() - np.trace(cov)) / (n * (n - 1)) / (np.trace(cov) / n)
    found = fold_distribution(held_out, "made", "stump").fold_correlation
    assert found.value == pytest.approx(expected, rel=1e-9)
    assert found.status == "partial"
    wrong = np.array([record.called != record.positive for record in records], dtype=float)
    cov = np.cov(wrong)
    expected = (cov.sum() - np.trace(cov)) / (n * (n - 1)) / (np.trace(cov) / n)
    by_error = fold_distribution(held_out, "made", "stump", measure="error").fold_correlation
    assert by_error.value == pytest.approx(expected, rel=1e-9)


def test_one_pass_of_folds_shows_no_correlation(left_out):
    found = fold_distribution(left_out, "made", "lda").fold_correlation
    assert found.value is None
    assert found.reason == "one pass of left-out folds does not show it: repeat, or use a common test set"


def test_intraclass_correlation_over_repeats():
    pair = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}
    found = compare_algorithms(pair, {"made": cases(60)}, folds=3, protocol="repeated", repeats=4)
    values = found.auc[0, 0].reshape(4, 3)
    between = 3 * values.mean(axis=1).var(ddof=1)
    within = values.var(axis=1, ddof=1).mean()
    ours = fold_distribution(found, "made", "lda").fold_correlation
    assert ours.value == pytest.approx((between - within) / (between + 2 * within), rel=1e-10)


def test_constant_values_have_no_normality():
    y = np.arange(40) % 2
    perfect = compare_algorithms(
        {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()},
        (np.column_stack([y * 10.0, np.arange(40)]) + np.random.default_rng(0).normal(size=(40, 2)) * 0.1, y),
        folds=4,
    )
    found = fold_distribution(perfect, "data", "lda")
    assert found.normality.p_value is None
    assert found.normality.reason == "the values are all equal"
    assert "undefined" in str(found)


def test_losses_are_counted_case_by_case(left_out):
    found = loss_curves(left_out, "made", lambdas=[0.5, 3.0])
    assert found.algorithms == ("lda", "stump")
    assert (found.positive, found.negative) == ("yes", "no")
    assert found.warnings == ("'yes' is taken as the positive class, as none was named",)
    assert found.left_out == ("svm",)
    for a, folds in enumerate(left_out.records[0][:2]):
        for k, lam in enumerate((0.5, 3.0)):
            per_fold = []
            for record in folds:
                losses = []
                for positive, score in zip(record.positive, record.score, strict=True):
                    called = score >= lam / (1 + lam)
                    losses.append(1.0 if positive and not called else lam if called and not positive else 0.0)
                per_fold.append(np.mean(losses))
            assert found.mean[a, k] == pytest.approx(np.mean(per_fold), rel=1e-12)
            assert found.sd[a, k] == pytest.approx(np.std(per_fold, ddof=1), rel=1e-9)


def test_lambda_one_is_the_error(left_out):
    found = loss_curves(left_out, "made", lambdas=[1])
    assert found.thresholds.tolist() == [0.5]
    assert found.mean[0, 0] == pytest.approx(left_out.error[0, 0].mean(), abs=1e-12)


def test_significantly_best_ranges(left_out):
    found = loss_curves(left_out, "made")
    best = {name: [row for row in found.best if row.algorithm == name] for name in found.algorithms}
    inside = np.zeros(len(found.lambdas), dtype=bool)
    for row in best["lda"]:
        inside |= (found.lambdas >= row.low) & (found.lambdas <= row.high)
    differences = []
    for lda, stump in zip(*left_out.records[0][:2], strict=True):
        fold = []
        for lam in found.lambdas:
            loss = [
                np.where(
                    r.positive, ~(r.score >= loss_threshold(lam)), lam * (r.score >= loss_threshold(lam))
                )
                for r in (lda, stump)
            ]
            fold.append(loss[0].mean() - loss[1].mean())
        differences.append(fold)
    test = paired_t(np.transpose(differences), test_over_train=1 / 7)
    assert inside.tolist() == ((test.p_value < 0.05) & (test.mean < 0)).tolist()
    assert best["lda"]


def test_losses_on_a_common_test_set_are_tested_over_its_cases(held_out):
    """Loss of every case written out, averaged over the models, and tested by scipy."""
    found = loss_curves(held_out, "made")
    assert found.method.startswith("case-averaged-t")
    inside = np.zeros(len(found.lambdas), dtype=bool)
    for row in found.best:
        assert row.algorithm == "lda"
        inside |= (found.lambdas >= row.low) & (found.lambdas <= row.high)
    for k, lam in enumerate(found.lambdas):
        by_learner = []
        for folds in held_out.records[0][:2]:
            losses = [
                np.where(r.positive, r.score < lam / (1 + lam), lam * (r.score >= lam / (1 + lam)))
                for r in folds
            ]
            by_learner.append(np.mean(losses, axis=0))
        difference = by_learner[0] - by_learner[1]
        same = np.ptp(difference) < 1e-12
        p = 1.0 if same else stats.ttest_1samp(difference, 0).pvalue
        assert inside[k] == (p < 0.05 and difference.mean() < 0)


def test_equal_decisions_have_equal_losses_to_the_last_bit():
    """Two names of one learner: no cost makes either of them the best."""
    twins = {"a": GaussianNB(), "b": GaussianNB()}
    for protocol in ("kfold", "holdout"):
        found = loss_curves(compare_algorithms(twins, cases(90), folds=6, protocol=protocol), "data")
        assert found.best == ()
        assert found.mean[0].tolist() == found.mean[1].tolist()
        assert found.crossings[0].dominant is None


def test_named_positive_class_is_not_warned_of():
    pair = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB()}
    found = loss_curves(compare_algorithms(pair, cases(60), folds=3, pos_label="no"), "data")
    assert (found.positive, found.warnings) == ("no", ())


def test_mean_curves_cross_where_their_difference_changes_sign(left_out):
    found = loss_curves(left_out, "made")
    grid = found.fpr
    mean = np.mean([roc_curve(r.positive, r.score).tpr_at(grid) for r in left_out.records[0][0]], axis=0)
    assert found.tpr[0] == pytest.approx(mean, abs=1e-12)
    gap = found.tpr[0] - found.tpr[1]
    (row,) = found.crossings
    for fpr in row.fpr:
        assert np.interp(fpr, grid, gap) == pytest.approx(0, abs=1e-12)
    if row.dominant == "lda":
        assert (gap >= -1e-12).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: fold_distribution(c, "maid", "lda"), "dataset must be one of 'made', got 'maid'"),
        (lambda c: fold_distribution(c, "made", "lba"), "algorithm must be one of"),
        (lambda c: fold_distribution(c, "made", "lda", measure="loss"), "measure must be one of"),
        (lambda c: loss_curves(c, "made", lambdas=[0, 1]), "lambdas must be finite numbers greater than 0"),
        (lambda c: loss_curves(c, "made", lambdas=["x"]), "lambdas must be finite numbers greater than 0"),
    ],
)
def test_refused(left_out, call, message):
    with pytest.raises(RocInputError) as caught:
        call(left_out)
    assert message in str(caught.value)
