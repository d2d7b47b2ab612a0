import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rocscope.averaging.point_tests import hotelling
from rocscope.averaging.roc import average_roc
from rocscope.core.points import Threshold
from rocscope.errors import RocInputError, UndefinedError
from slow import average as slow

METHODS = ("paired-t", "paclik", "corrected")
ABS = 1e-12


@st.composite
def stratified(draw, n_classes=2):
    """Every class in every fold, ties common: codes, eighths as scores, folds."""
    n_folds = draw(st.integers(2, 5))
    cells = [(c, f) for f in range(n_folds) for c in range(n_classes) for _ in range(draw(st.integers(1, 3)))]
    codes, fold = map(np.array, zip(*draw(st.permutations(cells)), strict=True))
    width = 1 if n_classes == 2 else n_classes
    eighth = st.integers(0, 8).map(lambda k: k / 8)
    scores = np.array([draw(st.lists(eighth, min_size=width, max_size=width)) for _ in codes])
    return codes, (scores[:, 0] if width == 1 else scores), fold


def exact_values(roc, measures):
    """Values of the twin, [point][measure][fold], from the counts that other tests verify."""
    return [
        [[measure(tuple(map(tuple, matrix))) for matrix in point] for measure in measures]
        for point in roc.counts.tolist()
    ]


def agrees(found, values, index, method, level):
    for k, rows in enumerate(values):
        tests = [
            slow.point_test(row, reference, method, level)
            for row, reference in zip(rows, values[index], strict=True)
        ]
        for m, test in enumerate(tests):
            assert bool(found.defined[k, m]) == (test is not None)
            for name in ("difference", "low", "high", "statistic", "p_value"):
                expected = math.nan if test is None else test[name]
                approx = pytest.approx(expected, rel=ABS, abs=ABS, nan_ok=True)
                assert getattr(found, name)[k, m] == approx, (name, k, m)
        alike = all(test is not None and test["p_value"] > 1 - level for test in tests)
        assert bool(found.indistinguishable[k]) == alike


def test_any_measure_is_compared():
    y, scores, fold = np.arange(40) % 2, np.random.default_rng(1).integers(0, 9, 40), np.arange(40) // 8
    roc = average_roc(y, scores, fold=fold, points=5)
    alone = average_roc(y, scores, fold=fold, points=5, measures=["tnr"]).compare_to(2)
    np.testing.assert_array_equal(roc.compare_to(2, measures="tnr").p_value, alone.p_value)
    with pytest.raises(RocInputError, match=r"got 'tprr'; did you mean 'tpr'\?"):
        roc.compare_to(2, measures="tprr")


def test_the_joint_test_decides():
    """Where it is undefined, each measure decides."""
    rng = np.random.default_rng(3)
    y, fold = np.arange(200) % 2, np.arange(200) // 20
    roc = average_roc(y, np.round(rng.normal(size=200) + y, 1), fold=fold, points=40)
    joint, each = roc.compare_to(20, by="joint"), roc.compare_to(20, joint=True)
    np.testing.assert_array_equal(joint.joint_p, each.joint_p)
    expected = np.where(each.joint_defined, each.joint_p > 0.05, each.indistinguishable)
    np.testing.assert_array_equal(joint.indistinguishable, expected)
    assert (joint.indistinguishable != each.indistinguishable).any()
    assert str(joint).splitlines()[0].endswith("by tpr and fpr together")


# ---- Against the twin -------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=50)
@given(data=stratified(), index=st.integers(0, 3), level=st.sampled_from([0.9, 0.95]))
def test_two_classes_by_hand(method, data, index, level):
    y, scores, fold = data
    roc = average_roc(y, scores, fold=fold, points=[0.2, 0.4, 0.6, 0.8], measures=["tpr", "fpr", "error"])
    found = roc.compare_to(index, method=method, level=level)
    values = exact_values(roc, [slow.MEASURES[name] for name in roc.measures])
    agrees(found, values, index, method, level)
    assert found.df == (2 if method == "paclik" else 1) * (len(roc.folds) - 1)
    assert found.indistinguishable[index]


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=50)
@given(data=stratified(n_classes=3), index=st.integers(0, 9))
def test_three_classes_by_hand(method, data, index):
    y, scores, fold = data
    roc = average_roc(y, scores, fold=fold, points=10, classes=[0, 1, 2])
    values = exact_values(roc, [slow.class_error(c) for c in range(3)])
    agrees(roc.compare_to(index, method=method), values, index, method, 0.95)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=50)
@given(data=stratified())
def test_measures_that_some_folds_lack_are_not_tested(method, data):
    y, scores, fold = data
    roc = average_roc(y, scores, fold=fold, points=[0.0, 0.5, 0.9], measures=["precision"])
    values = exact_values(roc, [slow.precision()])
    agrees(roc.compare_to(0, method=method), values, 0, method, 0.95)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n_classes", [2, 3])
@settings(max_examples=50)
@given(data=st.data())
def test_joint_test_by_hand(method, n_classes, data):
    y, scores, fold = data.draw(stratified(n_classes=n_classes))
    points = [0.2, 0.4, 0.6, 0.8] if n_classes == 2 else 8
    roc = average_roc(y, scores, fold=fold, points=points, classes=range(n_classes))
    measures = [slow.class_error(c) for c in range(n_classes)]
    if n_classes == 2:
        measures = [slow.MEASURES[name] for name in roc.measures]
    values = exact_values(roc, measures)
    found = roc.compare_to(1, method=method, joint=True)
    n = len(roc.folds)
    factor = Fraction(1, n) + (Fraction(1, n - 1) if method == "corrected" else 0)
    for k, rows in enumerate(values):
        differences = [
            [a - b for a, b in zip(*pair, strict=True)] for pair in zip(rows, values[1], strict=True)
        ]
        test = slow.hotelling(differences, factor, int(found.df))
        assert bool(found.joint_defined[k]) == (test is not None)
        expected = (math.nan, math.nan) if test is None else test
        assert (found.joint_statistic[k], found.joint_p[k]) == pytest.approx(expected, rel=1e-9, nan_ok=True)


def simulated(n_folds=10, size=8, seed=1, shift=1.0, decimals=1):
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1], n_folds * size)
    scores = np.round(rng.normal(size=y.size) + shift * y, decimals)
    return y, scores, np.repeat(np.arange(n_folds), 2 * size)


# ---- Against the paper and SciPy --------------------------------------------------------------------------


def test_equation_3_is_the_paired_t():
    y, scores, fold = simulated()
    roc = average_roc(y, scores, fold=fold)
    values = exact_values(roc, [slow.MEASURES["tpr"], slow.MEASURES["fpr"]])
    for method in ("paired-t", "paclik"):
        found = roc.compare_to(15, method=method)
        for k in range(len(roc)):
            for m in range(2):
                if found.difference[k, m] == 0 or np.ptp(roc.values[k, m] - roc.values[15, m]) == 0:
                    continue
                printed = slow.equation_3(values[k][m], values[15][m])
                assert found.statistic[k, m] == pytest.approx(printed, rel=1e-10)


def test_uncorrelated_folds_give_the_independent_t():
    """With r = 0 eq. 3 is Student's t for independent samples, and 2n - 2 are its degrees of freedom."""
    hits = [(0, 1), (0, 2), (1, 1), (1, 2)]  # of 2 positives in each fold, at the first and the second point
    positives = np.concatenate([[2.0] * a + [1.0] * (b - a) + [0.0] * (2 - b) for a, b in hits])
    y, scores = np.repeat([1, 0], 8), np.concatenate([positives, np.zeros(8)])
    fold = np.tile(np.repeat([0, 1, 2, 3], 2), 2)
    roc = average_roc(y, scores, fold=fold, points=[2.0, 1.0], measures=["tpr"])
    a, b = roc.values[:, 0]
    assert np.cov(a, b)[0, 1] == 0
    compared = roc.compare_to(1, method="paclik")
    expected = stats.ttest_ind(a, b)
    assert compared.statistic[0, 0] == pytest.approx(expected.statistic, rel=1e-14)
    assert compared.p_value[0, 0] == pytest.approx(expected.pvalue, rel=1e-12)
    assert compared.df == expected.df == 6
    exact = exact_values(roc, [slow.MEASURES["tpr"]])
    assert compared.statistic[0, 0] == pytest.approx(slow.independent_t(exact[0][0], exact[1][0]), rel=1e-14)


def test_agrees_with_scipy():
    y, scores, fold = simulated(seed=2)
    roc = average_roc(y, scores, fold=fold)
    found = roc.compare_to(10, level=0.9)
    for k in np.flatnonzero(found.difference[:, 0]):
        expected = stats.ttest_rel(roc.values[k, 0], roc.values[10, 0])
        ends = expected.confidence_interval(0.9)
        assert found.statistic[k, 0] == pytest.approx(expected.statistic, rel=1e-12)
        assert found.p_value[k, 0] == pytest.approx(expected.pvalue, rel=1e-11)
        assert (found.low[k, 0], found.high[k, 0]) == pytest.approx((ends.low, ends.high), rel=1e-12)


def test_one_measure_jointly_is_the_t_test():
    y, scores, fold = simulated(seed=3)
    roc = average_roc(y, scores, fold=fold)
    for method in METHODS:
        found = roc.compare_to(10, measures="fpr", method=method, joint=True)
        kept = found.joint_defined
        assert np.count_nonzero(kept) > 5
        np.testing.assert_allclose(found.joint_statistic[kept], found.statistic[kept, 0] ** 2, rtol=1e-9)
        np.testing.assert_allclose(found.joint_p[kept], found.p_value[kept, 0], rtol=1e-9, atol=1e-300)


def test_hotelling_does_not_depend_on_the_scale_of_a_measure():
    rng = np.random.default_rng(4)
    differences = rng.normal(size=(6, 3, 12)) + 0.3
    found = hotelling(differences, factor=1 / 12, df=11)
    mixed = np.array([[1e8, 0, 0], [1e-3, 1e-6, 0], [1, 2, 3]]) @ differences
    turned = hotelling(mixed, factor=1 / 12, df=11)
    np.testing.assert_allclose(turned.statistic, found.statistic, rtol=1e-6)


def test_the_size_of_the_tests_under_no_difference():
    """Two points between which no more cases lie in expectation than the other way round."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=(4000, 2, 10))
    found = hotelling(values, factor=1 / 10, df=9)
    assert np.mean(found.p_value < 0.05) == pytest.approx(0.05, abs=0.011)


# ---- Edges ------------------------------------------------------------------------------------------------


def test_identical_points_have_p_1():
    y, scores, fold = simulated()
    roc = average_roc(y, scores, fold=fold, points=[0.5, 0.5, 0.49999, 9.0])
    for method in METHODS:
        found = roc.compare_to(0, method=method, joint=True)
        assert found.p_value[:3].tolist() == [[1.0, 1.0]] * 3
        assert found.statistic[:3].tolist() == [[0.0, 0.0]] * 3
        assert found.joint_p[:3].tolist() == [1.0] * 3
        assert found.low[:3].tolist() == found.high[:3].tolist() == [[0.0, 0.0]] * 3
        assert found.indistinguishable.tolist() == [True, True, True, False]


def test_equal_differences_have_no_variance():
    """0.8 - 0.6 and 1 - 0.8 differ by rounding alone: the variance is 0, not 1e-33."""
    hits = {0: (3, 4), 1: (4, 5)}
    rows = [(1, f, 2.0 if k < a else 1.0 if k < b else 0.0) for f, (a, b) in hits.items() for k in range(5)]
    rows += [(0, f, 0.0) for f in hits]
    y, fold, scores = zip(*rows, strict=True)
    roc = average_roc(y, scores, fold=fold, points=[1.0, 2.0], measures=["tpr"])
    assert roc.values[:, 0].tolist() == [[0.8, 1.0], [0.6, 0.8]]
    found = roc.compare_to(1)
    assert (found.statistic[0, 0], found.p_value[0, 0]) == (math.inf, 0.0)
    assert found.low[0, 0] == found.high[0, 0] == pytest.approx(0.2)


def test_a_fold_without_a_class_has_no_test():
    roc = average_roc([0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 0], fold=[0, 0, 1, 1, 2, 2])
    with pytest.raises(UndefinedError) as error:
        roc.compare_to(0)
    assert str(error.value) == (
        "the test needs fpr in every fold, and there is none at any point in fold 2: it lacks a class, or "
        "decisions of a kind"
    )
    assert roc.compare_to(0, measures="tpr").defined.all()


def test_a_point_of_interest_without_a_value_has_no_test():
    y, scores, fold = simulated()
    roc = average_roc(y, scores, fold=fold, measures=["precision"])
    with pytest.raises(UndefinedError) as error:
        roc.compare_to(0)
    assert str(error.value).startswith(
        "the test needs precision in every fold, and there is none at this point in"
    )
    found = roc.compare_to(20)
    assert not found.defined[0, 0]
    assert not found.indistinguishable[0]
    assert " no value in some fold: not tested" in str(found)


def test_singular_measures_have_no_joint_test():
    y, scores, fold = simulated()
    roc = average_roc(y, scores, fold=fold, measures=["tpr", "fnr"])
    found = roc.compare_to(10, joint=True)
    changed = found.difference[:, 0] != 0
    assert not found.joint_defined[changed].any()
    assert np.isnan(found.joint_p[changed]).all()
    assert found.joint_defined[10]


def test_the_shape_does_not_depend_on_the_flag():
    y, scores, fold = simulated()
    roc = average_roc(y, scores, fold=fold)
    without, with_joint = roc.compare_to(5), roc.compare_to(5, joint=True)
    assert without.joint_p.shape == with_joint.joint_p.shape == (len(roc),)
    assert np.isnan(without.joint_p).all()
    assert not without.joint_defined.any()
    assert without.joint_df == with_joint.joint_df == (2.0, 8.0)
    assert without.to_dict().keys() == with_joint.to_dict().keys()
    json.dumps(with_joint.to_dict(), allow_nan=False)


def test_corrected_takes_the_ratio_of_other_protocols():
    y, scores, fold = simulated()
    roc = average_roc(y, scores, fold=fold)
    found = roc.compare_to(5, method="corrected", test_over_train=0.0001)
    np.testing.assert_allclose(found.statistic, roc.compare_to(5).statistic, rtol=1e-3)
    by_default = roc.compare_to(5, method="corrected")
    assert by_default == roc.compare_to(5, method="corrected", test_over_train=1 / 9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "t"}, "method must be one of 'paired-t', 'paclik', 'corrected', got 't'"),
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
        ({"by": "all"}, "by must be one of 'each', 'joint', got 'all'"),
        ({"measures": []}, "measures must hold at least one name, got none"),
        ({"measures": ["tpr", "tpr"]}, "measures must hold different names, got ['tpr', 'tpr']"),
        ({"test_over_train": 1}, "test_over_train must go with method 'corrected', got it with 'paired-t'"),
        (
            {"test_over_train": -1, "method": "corrected"},
            "test_over_train must be greater than 0, got -1",
        ),
        ({"index": 30}, "index must be one of the 30 points, 0 to 29, got 30"),
    ],
)
def test_refuses_options(options, message):
    roc = average_roc(*simulated()[:2], fold=simulated()[2])
    with pytest.raises(RocInputError) as error:
        roc.compare_to(**({"index": 3} | options))
    assert str(error.value) == message


# ---- The region -------------------------------------------------------------------------------------------


def test_region_is_the_run_around_the_point_and_the_whole_set():
    y, scores, fold = simulated(size=10, decimals=3)
    roc = average_roc(y, scores, fold=fold)
    index = roc.select("tpr>=0.9").index
    compared = roc.compare_to(index, measures="fpr")
    found = roc.indifference_region(index, measures="fpr")
    assert found.indices.tolist() == np.flatnonzero(compared.indistinguishable).tolist()
    alike = compared.indistinguishable.tolist()
    first, stop = index, index
    while first > 0 and alike[first - 1]:
        first -= 1
    while stop < len(alike) - 1 and alike[stop + 1]:
        stop += 1
    assert found.run.tolist() == [*range(first, stop + 1)]
    assert found.thresholds.tolist() == roc.points[first : stop + 1].tolist()
    np.testing.assert_array_equal(found.mean, roc.mean[found.indices])
    columns = found.columns()
    assert [*columns] == ["index", "threshold", "in_run", "tpr", "fpr"]
    assert {len(column) for column in columns.values()} == {len(found)}
    assert str(found).startswith(f"{len(found)} of 30 points are indistinguishable from point {index} at 95%")


def test_the_run_follows_the_thresholds_not_the_order_given():
    y, scores, fold = simulated(size=10, decimals=3)
    roc = average_roc(y, scores, fold=fold)
    shuffled = np.random.default_rng(0).permutation(len(roc))
    mixed = average_roc(y, scores, fold=fold, points=roc.points[shuffled])
    index = roc.select("tpr>=0.9")
    found = mixed.indifference_region(int(np.flatnonzero(shuffled == index)[0]))
    assert shuffled[found.run].tolist() == roc.indifference_region(index).run.tolist()
    rules = average_roc(y, scores, fold=fold, points=[Threshold(t) for t in roc.points])
    assert rules.indifference_region(index).run.tolist() == roc.indifference_region(index).run.tolist()


def test_class_weights_have_no_run():
    rng = np.random.default_rng(1)
    y, fold = np.tile([0, 1, 2], 20), np.repeat([0, 1, 2], 20)
    scores = rng.dirichlet([1, 1, 1], y.size) + 0.3 * np.eye(3)[y]
    found = average_roc(y, scores, fold=fold, classes=[0, 1, 2]).indifference_region(0)
    assert found.run is None
    assert found.thresholds is None
    assert [*found.columns()][:4] == ["index", "weight(0)", "weight(1)", "weight(2)"]
    json.dumps(found.to_dict(), allow_nan=False)


def test_more_data_tell_more_points_apart():
    regions = []
    for size in (5, 20, 80):
        y, scores, fold = simulated(size=size, decimals=6)
        roc = average_roc(y, scores, fold=fold)
        regions.append(len(roc.indifference_region(roc.select("tpr>=0.9"))))
    assert regions[0] > regions[1] >= regions[2]
