"""Arguments of other kinds end in an error of ours that names them, wherever they enter."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import rocscope as rs

X, Y = [[2], [0], [3], [1]], [1, 0, 1, 0]
CURVE = rs.roc_curve([0, 1], [0, 1])
TABLE = rs.ScoreTable.from_counts([5, 8], pos=[3, 3], neg=[0, 1])
HUGE = rs.ScoreTable.from_counts([1, 2, 3], pos=[0, 10**9, 2**40], neg=[2**40, 1, 3])
COMBINED = rs.combined_score([rs.Binormal(a=3, b=1), rs.Binormal(a=1.2, b=2)], [1, 0])
CALLS = {
    "first must be a RocCurve, got -1": lambda: rs.crossings(-1, CURVE),
    "comparison must be an AlgorithmComparison, got 5": lambda: rs.loss_curves(5, "one"),
    "weights must be two numbers, got [[0, 1], [1, 0]]": lambda: rs.combine_curves(
        rs.Binormal(a=1, b=1), rs.Binormal(a=2, b=1), [[0, 1], [1, 0]]
    ),
    "name must be a str, got ('error',)": lambda: rs.average_roc(Y, [3, 0, 1, 2], fold=[0, 0, 1, 1]).measure(
        ("error",)
    ),
    "path must be the path of a file, got []": lambda: rs.read_scores([[]], label="y", score="s"),
    "path must be the path of a file, got -1": lambda: rs.report(CURVE, path=-1),
    "t must hold numbers, got NaN": lambda: COMBINED.fpr(np.nan),
    "name must be one of 'auc', 'apparent', 'star632', 'star500', got '?'": lambda: rs.learning_curve(
        GaussianNB(), X, Y, sizes=[2], n_boot=3
    ).column("?"),
    "n must be one of 4, got array([], dtype=float64)": lambda: rs.monte_carlo(
        n=4, trials=2, n_boot=0, n_test=5, rng=1
    ).row(np.array([]), "true"),
    "threshold must be a number, got []": lambda: TABLE.errors_at([]),
    "other must be a ScoreTable, got 1j": lambda: TABLE.merge(1j),
    "positive must be a label, got nan": lambda: rs.Threshold(1, np.nan),
    "points must be a number of thresholds, 'all', a list of them or a list of decision rules, "
    "got array(None, dtype=object)": lambda: rs.average_roc(
        [0, 1], [1, 2], fold=[0, 1], points=np.array(None)
    ),
    "select must be a list of constraints, got True": lambda: rs.analyse([0, 1], [1, 2], select=True),
    "progress must be a function of two numbers, got inf": lambda: rs.bootstrap_auc(
        GaussianNB(), X, Y, n_boot=8, progress=np.inf
    ),
    "prevalence must be one number here, got array([0.2, 0.8])": lambda: CURVE.select(
        "tpr>=0.5", prevalence=[0.2, 0.8]
    ),
    "the bootstrap draws every case: at most 500,000,000, got 2,200,023,255,556": lambda: rs.precision_recall(
        HUGE, n_boot=100, rng=1
    ),
    "pos_label must be one of the labels in y_true (1: True), got 1180591620717411303424": lambda: (
        rs.BinaryScores.from_arrays([True], [0], pos_label=2**70)
    ),
    "rho must be a pair (negatives, positives), got [0.5]": lambda: rs.Binormal(a=1, b=2).combine(
        rs.Binormal(a=1, b=1), (1, 1), rho=[0.5]
    ),
    "target must be a label, got array([], shape=(0, 2), dtype=float64)": lambda: rs.OperatingPointClassifier(
        GaussianNB(), rs.Threshold(0.5), target=np.empty((0, 2))
    ).fit(X, Y),
    "X must be a table of features, got {}": lambda: rs.OperatingPointClassifier(
        GaussianNB(), rs.Threshold(0.5)
    ).fit({}, Y),
    "classes must be a list of names, got inf": lambda: rs.ordinal_scores(
        GaussianNB(), [[0], [1]], [1, 2], classes=np.inf
    ),
    "X must have one row per case, got array(0.5)": lambda: rs.ordinal_scores(
        GaussianNB(), np.array(0.5), [2, 3, 2, 3], cv=2
    ),
    "classes must hold no missing name, got ['a', None]": lambda: rs.weight_neighbourhood(
        ["a", "a"], [[1, 2], [2, 1]], classes=["a", None]
    ),
    "factor must leave weights finite after 2 steps, got 1e+300": lambda: rs.weight_neighbourhood(
        [0, 1], [[1, 2], [2, 1]], factor=1e300, steps=2
    ),
    "index must be one of the 2 points, 0 to 1, got 9": lambda: rs.average_roc(
        [0, 1], [1, 2], fold=[0, 1]
    ).point_name(9),
    "also must have at least one row, got none": lambda: rs.average_roc([0, 1], [1, 2], fold=[0, 1], also=[]),
    "progress must be a function, got nan": lambda: rs.analyse([0, 1], [1, 2], progress=np.nan),
    "rng must be None, a whole number of at least 0, a numpy Generator or a SeedSequence, got 'a'": lambda: (
        rs.analyse([0, 1], [1, 2], rng="a")
    ),
    "score must be a list of names, got None": lambda: rs.read_scores("x.csv", label="y", score=None),
    "label must be a str, got {}": lambda: rs.read_scores("x.csv", label={}, score="s"),
    "the parts of the mixture lie too far apart to be tabulated": lambda: rs.binormal.ContaminatedBinormal(
        alpha=0.1, mu=2**70
    ).fpr([0]),
}


@pytest.mark.parametrize("message", CALLS)
def test_the_error_names_the_argument(message):
    with pytest.raises(rs.RocscopeError) as caught:
        CALLS[message]()
    assert str(caught.value) == message


def test_a_label_is_compared_by_its_value():
    with pytest.raises(rs.RocInputError, match="negative must be a label, got <object object"):
        rs.Threshold(0.5, positive=1, negative=object())


def test_densities_of_a_slope_of_any_size():
    densities = rs.Binormal(a=40.0, b=1e308).densities()
    # phi(t) = b phi(b t - a) where (b t - a)^2 = 2 log b, as t is next to 0.
    assert densities.threshold * 1e308 == pytest.approx(40 - np.sqrt(2 * np.log(1e308)))
    assert densities.fpr == 0.5
    assert np.isfinite(densities.positives).all()


def test_a_detector_of_features_of_any_size_has_no_foreign_warning():
    X = np.random.default_rng(0).normal(size=(15, 3)) * [1, 1, 1e300]
    assert np.isfinite(rs.GaussianDetector(log=True).fit(X).score_samples(X)).all()


def test_partial_areas_stay_within_their_range():
    """Sums round: the area was one unit in the last place above the largest one, or below 0."""
    y, s = [1, 1, 1, 1, 0, 0], [5, 3, 4, 0, 1, 2]
    area = rs.partial_auc(y, s, tpr=(1e-09, 0.5), alternative="greater", n_boot=100, rng=2)
    assert area.value <= 0.5 - 1e-09
    y, s = [0, 1, 0, 0, 1, 0, 0, 0, 0], [8, 1, 4, 0, 2, 3, 5, 6, 7]
    area = rs.partial_auc(y, s, fpr=(0.5, 1.0), tpr=(0.999999999, 1.0), n_boot=120, rng=1)
    assert 0 <= area.low <= area.value <= area.high


def test_predictive_values_at_the_smallest_prevalence():
    """Bayes: nobody who is well tests positive, so the PPV is 1 at every prevalence, however small."""
    measures = rs.point_measures([2, 1, 2], [2, 1, 0], threshold=2, prevalence=5e-324, pos_label=2)
    assert measures.ppv.value == 1
    assert rs.point_measures([0, 1], [0, 1], prevalence=5e-324).f1.se == 0


def test_a_class_without_cases_is_named_so():
    """Its error is 0/0; what the others lose to it is known."""
    text = str(rs.weight_neighbourhood([0, 1, 1], [[9, 1, 2], [1, 3, 2], [2, 5, 4]], classes=[0, 1, 2]))
    assert "2: no cases; most of all 1 loses +1.0000" in text
    assert "nan" not in text


def test_the_average_of_an_analysis_needs_no_case_that_tests_positive():
    """The point of the report is none of its thresholds where nobody tests positive."""
    analysis = rs.analyse([1, 1, 0, 0], [0, 1, 3, 2], fold=[0, 1, 1, 0], n_boot=100, rng=1)
    assert not [note for note in analysis.notes if "average" in note]


def test_an_array_without_dimensions_is_no_list_of_measures():
    with pytest.raises(rs.RocInputError, match=r"measure must be one of tpr, .*, got array\(0.5\)"):
        rs.average_roc([0, 1], [1, 2], fold=[0, 1], measures=np.array(0.5))


def test_an_array_without_dimensions_names_no_classes():
    with pytest.raises(rs.RocInputError, match=r"^classes must be a list of names, got array\(0.5\)$"):
        rs.multiclass_auc([0], [[2, 3, 0, 1]], classes=np.array(0.5))


def test_a_number_names_no_data_sets():
    with pytest.raises(rs.RocInputError, match=r"^datasets must be a list of names, got 7$"):
        rs.compare_ranks([[0, 1, 0]], ["a", "b", "c"], datasets=7)


@pytest.mark.parametrize(
    ("function", "argument", "hint"),
    [
        ("auc", "random_state", "; did you mean 'rng'?"),
        ("auc", "alpha", "; did you mean 'level'?"),
        ("roc_band", "n_bootstraps", "; did you mean 'n_boot'?"),
        ("auc", "metod", "; did you mean 'method'?"),
        ("read_scores", "Label", "; did you mean 'label'?"),
        ("crossings", "xyz", ""),
    ],
)
def test_arguments_that_are_not_there_are_hinted_at(function, argument, hint):
    with pytest.raises(TypeError) as error:
        getattr(rs, function)(**{argument: 1})
    assert isinstance(error.value, rs.RocInputError)
    assert str(error.value) == f"{function} has no argument {argument!r}{hint}"


@pytest.mark.parametrize("index", [1.0, 99, "a", None])
def test_a_decision_is_that_of_a_point(index):
    y, s = [0, 1, 0, 1], [1, 2, 3, 4]
    for curve in (rs.roc_curve(y, s), rs.average_roc(y, s, fold=[0, 0, 1, 1])):
        with pytest.raises(rs.RocInputError, match="index must be"):
            curve.decision(index)


def test_a_part_of_a_contaminated_curve_at_one_rate():
    curve = rs.binormal.ContaminatedBinormal(alpha=0.5, mu=40.0)
    assert curve.partial_auc() == pytest.approx(curve.auc, abs=1e-9)


def test_the_interval_of_a_fitted_rate_holds_it_at_the_smallest_fpr():
    fit = rs.fit_contaminated([0, 1, 1, 0, 0, 0], [2, 3, 5, 4, 0, 1])
    rate = fit.tpr_estimate(5e-324)
    assert rate.low <= rate.value <= rate.high


def test_a_density_far_outside_is_0_without_a_warning():
    fits = [rs.Binormal(a=0.5, b=2.0), rs.Binormal(a=0.5, b=1.0)]
    assert not np.any(rs.combined_score(fits, [0, 1]).density(1e308))


def test_a_measure_of_ranks_is_a_name():
    with pytest.raises(rs.RocInputError, match="measure must be a str"):
        rs.compare_ranks([[0, 2, 1]], ["a", "b", "c"], measure=object())


def test_a_number_names_no_measures_of_a_criterion_table():
    with pytest.raises(rs.RocInputError, match="measures must be a list of names, got 5"):
        rs.roc_curve([1, 0], [0, 1]).coords(measures=5)


def test_arrays_and_objects_are_no_flags_and_no_labels():
    with pytest.raises(rs.RocInputError, match="standardize must be"):
        rs.compare_auc([1, 0], {"a": [0, 1], "b": [1, 0]}, standardize=np.empty((0, 2)))
    with pytest.raises(rs.RocInputError, match="pos_label must be a label"):
        rs.scorer("partial_auc", pos_label=object())


def test_a_positive_label_beyond_the_type_of_the_labels_is_none_of_them():
    with pytest.raises(rs.RocInputError, match="pos_label"):
        rs.auc(np.array([0, 1], dtype="float32"), [0, 1], pos_label=1e308)


def test_what_a_fitted_estimator_cannot_take_is_named():
    model = GaussianNB().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    with pytest.raises(rs.RocInputError, match="X must be features that GaussianNB takes"):
        rs.RocDisplay.from_estimator(model, np.nan, [0, 1])
