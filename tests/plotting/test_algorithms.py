"""Pictures of compared algorithms hold the numbers of their results."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from rocscope import plotting
from rocscope.algorithms.comparison import compare_algorithms
from rocscope.algorithms.distribution import algorithm_pair, fold_distribution
from rocscope.algorithms.losses import loss_curves
from rocscope.algorithms.paired_tests import paired_tests
from rocscope.errors import RocInputError
from rocscope.inference.proportions import wilson_interval
from rocscope.plotting import layout
from rocscope.plotting.algorithms import distributions
from rocscope.plotting.marks import Bars, ErrorBars, HeatMap, Line, Points, Text


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    data = {
        name: (rng.normal(size=(120, 3)) + shift * y[:, None], y)
        for name, shift in (("one", 0.5), ("two", 1.0))
    }
    learners = {"lda": LinearDiscriminantAnalysis(), "nb": GaussianNB(), "knn": KNeighborsClassifier(3)}
    return compare_algorithms(learners, data, folds=5)


def marks(panel, kind):
    return [mark for mark in panel.marks if type(mark) is kind]


def test_mean_differences_stand_in_their_cells(found):
    auc, error = plotting.picture(found).panels
    for measure, panel, sign in (("auc", auc, 1), ("error", error, -1)):
        (cells,) = marks(panel, HeatMap)
        assert cells.values.shape == (3, 2)
        assert cells.signed
        assert cells.high == -cells.low == np.abs(cells.values).max()
        texts = {(mark.y, mark.x): mark.text for mark in marks(panel, Text)}
        for k, verdict in enumerate(found.verdicts):
            test, (d, pair) = verdict[measure], divmod(k, 3)
            assert cells.values[pair, d] == sign * test.difference
            stars = "*" * (test.rejects + test.rejects_holm)
            assert texts[pair + 0.5, d + 0.5] == f"{test.difference:+.3f}{stars}"
    assert auc.y.tick_labels == ("lda - nb", "lda - knn", "nb - knn")
    with pytest.raises(RocInputError, match="show must be one of"):
        plotting.picture(found, show="everything")


def test_differences_of_the_folds_with_mean_and_interval(found):
    auc, error = plotting.picture(found, show="differences", dataset="two").panels
    for measure, panel in (("auc", auc), ("error", error)):
        values = getattr(found, measure)[1]
        folds, means = marks(panel, Points)[::2], marks(panel, Points)[1::2]
        for row, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
            assert folds[row].x.tolist() == (values[a] - values[b]).tolist()
            assert means[row].x[0] == pytest.approx((values[a] - values[b]).mean())
        test = found.tests_of("two", "lda", "knn", measure).test("corrected-t")
        bar = marks(panel, ErrorBars)[1]
        assert (bar.x_low[0], bar.x_high[0]) == (test.low, test.high)
        assert panel.y.far_labels[1] == f"p = {test.p_value:.3g}"
    with pytest.raises(RocInputError, match="dataset must be one of"):
        plotting.picture(found, show="differences", dataset="three")


def test_pair_with_the_intervals_of_one_training(found):
    pair = algorithm_pair(found, "one", "lda", "knn")
    error, auc = plotting.picture(pair, show="intervals").panels
    for panel, n_intervals in ((error, 2), (auc, 6)):
        assert [mark.length.sum() for mark in marks(panel, Bars)] == [5, 5]
        assert len(marks(panel, ErrorBars)) == n_intervals
    assert marks(auc, Points)[1].x.tolist() == pair.auc[1].values.tolist()
    low, high = wilson_interval(
        round(pair.error[1].single_error * pair.error[1].n_test), pair.error[1].n_test
    )
    assert marks(error, ErrorBars)[1].x_low[0] == pytest.approx(low)
    assert marks(error, ErrorBars)[1].x_high[0] == pytest.approx(high)
    assert marks(error, Points)[3].x[0] == pair.error[1].single_error
    assert f"p = {pair.verdict.error.p_value:.2g}" in error.title


def test_one_curve_with_its_lambdas(found):
    result = loss_curves(found, "one", lambdas=[0.5, 1, 2, 10])
    (panel,) = plotting.picture(result, algorithm="nb").panels
    assert [mark.text for mark in marks(panel, Text)] == ["λ = 0.5", "λ = 1", "λ = 2", "λ = 10"]
    assert marks(panel, Points)[0].x.tolist() == result.marks[1, :, 0].tolist()
    assert marks(panel, Line)[1].y.tolist() == [0.0, *result.tpr[1]]
    with pytest.raises(RocInputError, match="algorithm must be one of"):
        plotting.picture(result, algorithm="tree")


def test_critical_difference_diagram(found):
    panel = plotting.picture(found.ranks["auc"]).panels[0]
    ranks = sorted(float(mark.x[0]) for mark in marks(panel, Points))
    assert ranks == pytest.approx(sorted(found.ranks["auc"].average_ranks))
    ruler = marks(panel, Line)[-1]
    assert ruler.x[1] - ruler.x[0] == pytest.approx(found.ranks["auc"].critical_difference)
    assert len(plotting.picture(found, show="ranks").panels) == 2


def test_the_ruler_of_the_critical_difference_is_seen_whole(found):
    panel = plotting.picture(found.ranks["auc"]).panels[0]
    ruler = marks(panel, Line)[-1]
    assert found.ranks["auc"].critical_difference > 2  # more than the three ranks are apart
    assert panel.x.low < ruler.x[0]
    assert ruler.x[1] < panel.x.high


def test_undefined_ranks_say_why(found):
    one = compare_algorithms({"a": GaussianNB(), "b": KNeighborsClassifier(3)}, _one_set(), folds=3)
    (note,) = plotting.picture(one.ranks["auc"]).panels[0].marks
    assert note.text == one.ranks["auc"].reason


def _one_set():
    rng = np.random.default_rng(1)
    y = np.arange(40) % 2
    return rng.normal(size=(40, 2)) + y[:, None], y


def test_pair_shows_distributions_and_all_fold_curves(found):
    pair = algorithm_pair(found, "two", "lda", "knn")
    error, auc, curves = plotting.picture(pair).panels
    for panel, measure in ((error, "error"), (auc, "auc")):
        bars = marks(panel, Bars)
        assert [mark.length.sum() for mark in bars] == [5, 5]
        assert f"{getattr(pair.verdict, measure).p_value:.2g}" in panel.title
    assert len(marks(curves, Line)) == 1 + 10
    decided = marks(curves, Points)[0]
    record = found.records[1][0][0]
    assert decided.y[0] == pytest.approx(np.mean(record.called[record.positive]))
    assert decided.x[0] == pytest.approx(np.mean(record.called[~record.positive]))


def test_distributions_carry_the_intervals_of_one_training(found):
    both = [fold_distribution(found, "one", name) for name in ("lda", "nb")]
    panel = distributions(both).panels[0]
    bars = marks(panel, ErrorBars)
    assert len(bars) == 6
    assert bars[0].x_low[0] == both[0].single[0].low
    error = fold_distribution(found, "one", "lda", measure="error")
    assert str(error.training_estimates()[0]) in str(error).splitlines()
    assert error.training_estimates()[0].method == "wilson"
    assert len(marks(plotting.picture(both[0]).panels[0], ErrorBars)) == 3
    density = marks(panel, Line)[0]
    assert density.y.max() == pytest.approx(both[0].normal_density(both[0].mean), rel=0.01)


def test_an_interval_much_wider_than_the_folds_is_cut_and_says_so(found):
    one = fold_distribution(found, "one", "lda")
    near, far, middle = one.single
    far = replace(far, low=near.low - 20 * (near.high - near.low), high=near.high)
    panel = distributions([replace(one, single=(near, far, middle))]).panels[0]
    folds, width = one.values, near.high - near.low
    bars, names = marks(panel, ErrorBars), [mark.text.strip() for mark in marks(panel, Text)]
    assert (bars[0].x_low[0], bars[0].x_high[0]) == (near.low, near.high)
    assert far.low < bars[1].x_low[0]
    assert names[:2] == ["hanley-mcneil", f"cortes-mohri, cut: {far.low:.2f}-{far.high:.2f}"]
    assert panel.x.low < folds.min() < folds.max() < panel.x.high
    assert panel.x.high - panel.x.low < 4 * max(width, np.ptp(folds))


def test_losses_and_marks(found):
    result = loss_curves(found, "one")
    curves, losses = plotting.picture(result).panels
    at_one = int(np.argmin(np.abs(result.lambdas - 1)))
    points = marks(curves, Points)[0]
    assert (points.x[1], points.y[1]) == pytest.approx(tuple(result.marks[0, at_one]))
    line = marks(losses, Line)[0]
    assert line.y[at_one] == pytest.approx(result.mean[0, at_one] / 2)


def test_names_of_costs_cover_no_mark(found):
    curves, losses = plotting.picture(loss_curves(found, "one")).panels
    texts, points = marks(curves, Text), marks(curves, Points)
    assert [text.text for text in texts] == ["λ = 0.5", "λ = 1", "λ = 2", "λ = 10"]
    x, y = (np.concatenate([getattr(mark, name) for mark in points]) for name in ("x", "y"))
    for text in texts:
        right = text.x + layout.CHARACTER * len(text.text)
        inside = (text.x < x) & (x < right) & (np.abs(y - text.y) < layout.LINE / 2)
        assert not inside.any()
    assert not losses.title or loss_curves(found, "one").best


@pytest.mark.slow
def test_every_picture_can_be_drawn(found, tmp_path):
    results = [
        found,
        found.ranks["error"],
        algorithm_pair(found, "one", "lda", "nb"),
        loss_curves(found, "two"),
    ]
    for k, result in enumerate(results):
        plotting.save(plotting.picture(result), tmp_path / f"{k}.png")
        assert (tmp_path / f"{k}.png").stat().st_size > 5000


def test_values_beyond_any_axis_are_left_out_of_the_picture():
    tests = paired_tests([0, 0], [-2.7e307, -1.6e307])
    tests.plot().figure.canvas.draw()
