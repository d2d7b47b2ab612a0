"""Pictures of combined scores, of the parts of ordered classes and of tests between learners."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import rocscope as rs
from rocscope import plotting
from rocscope.plotting.marks import Bars, ErrorBars, HeatMap, Line, Points, Text

FITS = [rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8)]
RNG = np.random.default_rng(1)
CLASSES = np.arange(60) % 3 + 1
ORDERED = rs.ordinal_roc(CLASSES, CLASSES + RNG.normal(size=60), thresholds=3, fold=np.arange(60) // 12)


def marks(result, kind):
    return [mark for mark in plotting.picture(result).panels[0].marks if type(mark) is kind]


def test_a_combined_curve_runs_from_corner_to_corner():
    curve = rs.combine_curves(*FITS, [0.5, 0.25])
    _, line = marks(curve, Line)
    np.testing.assert_array_equal(line.x[1:-1], curve.fpr)
    np.testing.assert_array_equal(line.y[1:-1], curve.tpr)
    assert (line.x[0], line.y[0], line.x[-1], line.y[-1]) == (0, 0, 1, 1)
    assert line.label == f"Weights 0.5, 0.25 (AUC = {curve.auc:.2f})"


def test_a_combined_score_shows_its_curve():
    score = rs.combined_score(FITS, [0.5, 0.25])
    _, line = marks(score, Line)
    np.testing.assert_array_equal(line.y, score.curve().tpr(line.x))
    assert line.label == f"Weights 0.5, 0.25 (AUC = {score.auc:.2f})"


def test_best_weights_are_bars():
    best = rs.best_weights(FITS)
    free, bounded = marks(best, Bars)
    np.testing.assert_array_equal(free.length, best.free)
    np.testing.assert_array_equal(bounded.length, best.nonnegative)
    assert (
        plotting.picture(best).panels[0].x.tick_labels[0] == f"Classifier 1\nAUC = {best.auc_single[0]:.2f}"
    )


def test_curves_of_one_class():
    curves = ORDERED.curves[1]
    panel = plotting.picture(curves).panels[0]
    assert panel.title == f"Class 2 (20 cases)\nMaxAUC {curves.max_auc:.3f}, AvgAUC {curves.avg_auc:.3f}"
    assert len(panel.marks) == 1 + len(curves)
    _, line = marks(curves[0], Line)
    np.testing.assert_array_equal([line.x, line.y], [curves[0].fpr, curves[0].tpr])
    assert line.label == f"Class 2, t_a = {curves[0].at:.3g} (AUC = {curves[0].auc:.2f})"


def test_a_class_without_curves_says_why():
    lonely = rs.ordinal_roc([1, 1, 2, 3, 3], [1.0, 1.2, 2.0, 2.9, 3.1]).curves[1]
    (note,) = plotting.picture(lonely).panels[0].marks
    assert note.text == lonely.reason


def test_the_front_of_a_class():
    front = ORDERED.front[1]
    (dots,) = marks(front, Points)
    np.testing.assert_array_equal([dots.x, dots.y], [front.fpr, front.tpr])


def test_thresholds_show_who_is_decided_for_what():
    found = ORDERED.thresholds
    (cells,) = marks(found, HeatMap)
    np.testing.assert_array_equal(cells.values, found.confusion)
    texts = {(mark.y, mark.x): int(mark.text) for mark in marks(found, Text)}
    assert all(texts[place] == count for place, count in np.ndenumerate(found.confusion))


def test_figures_of_folds_have_their_spread():
    (bars,) = marks(ORDERED.folds, ErrorBars)
    np.testing.assert_allclose(bars.x_high - bars.x_low, 2 * ORDERED.folds.sd)
    assert plotting.picture(ORDERED.folds).panels[0].y.tick_labels == ORDERED.folds.names


def test_estimates_stand_over_their_classes():
    found = rs.ordinal_scores(LinearRegression(), RNG.normal(size=(60, 2)), CLASSES, cv=3, rng=1)
    (dots,) = marks(found, Points)
    np.testing.assert_array_equal([dots.x, dots.y], [found.y_true, found.y_pred])
    assert dots.label == "60 cases"


def test_tests_between_learners_are_rows():
    tests = rs.paired_tests([0.8, 0.7, 0.9, 0.8], [0.7, 0.7, 0.8, 0.6], n_train=30, n_test=10)
    panel = plotting.picture(tests).panels[0]
    assert panel.y.tick_labels == tuple(row.method for row in tests)
    (bars,) = marks(tests, ErrorBars)
    np.testing.assert_array_equal(bars.x, [row.difference for row in tests])
    low = [np.nan if row.low is None else row.low for row in tests]
    np.testing.assert_array_equal(bars.x_low, low)
    (alone,) = plotting.picture(tests["sign"]).panels[0].y.far_labels
    assert alone == f"p = {tests['sign'].p_value:.3g}"
    assert plotting.picture(tests["bayes-t"]).panels[0].y.far_labels[0].count("better") == 1


def test_one_difference_of_a_comparison():
    y, score = np.arange(40) % 2, RNG.normal(size=40)
    (pair,) = rs.compare_auc(y, {"a": score + y, "b": score}).pairs
    (bars,) = marks(pair, ErrorBars)
    assert (bars.x[0], bars.x_low[0], bars.x_high[0]) == (pair.difference, pair.low, pair.high)
    assert plotting.picture(pair).panels[0].y.tick_labels == ("a - b",)


def test_optimism_is_seen_between_two_rows():
    y, score = np.arange(40) % 2, RNG.normal(size=40)
    measure = rs.cutpoint(y, score + y, n_boot=100, rng=1).measures[0]
    (dots,) = marks(measure, Points)
    assert dots.x.tolist() == [measure.apparent, measure.out_of_bag]


def test_categories_are_their_empirical_curve():
    y, score = np.arange(40) % 2, RNG.normal(size=40)
    categories = rs.fit_binormal(y, score + y).categories
    _, line = marks(categories, Line)
    fpr, tpr = categories.rates()
    np.testing.assert_array_equal(line.x[1:-1], fpr[::-1])
    assert line.y[1:-1].tolist() == pytest.approx(tpr[::-1])
