import json
import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.averaging import class_weights
from rocscope.averaging import points as points_module
from rocscope.averaging.curves import average_curves
from rocscope.averaging.points import spread_weights
from rocscope.averaging.roc import average_roc
from rocscope.core import kernels
from rocscope.core.points import ClassWeights, Threshold
from rocscope.core.scores import BinaryScores, ClassScores
from rocscope.errors import ResourceError, RocInputError, UndefinedError
from slow import average as slow
from slow import samples

ABS = 1e-12
COST = ((0, 1), (5, 0))


@pytest.fixture(params=["numpy", "compiled"])
def way(request, monkeypatch):
    for module in (points_module, class_weights):
        monkeypatch.setattr(module, "LARGE", {"numpy": 2**62, "compiled": 0}[request.param])
    return request.param


@st.composite
def folds_of(draw, size):
    n_folds = draw(st.integers(2, 4))
    fold = draw(st.lists(st.integers(0, n_folds - 1), min_size=size, max_size=size))
    return np.array(fold if len(set(fold)) > 1 else [1, *[0] * (size - 1)])


@st.composite
def two_classes(draw):
    y, scores = draw(samples.labelled(max_size=20))
    return y, scores, draw(folds_of(len(y)))


@st.composite
def three_classes(draw):
    size = draw(st.integers(6, 18))
    y = np.array([0, 1, 2, *draw(st.lists(st.integers(0, 2), min_size=size - 3, max_size=size - 3))])
    eighths = st.integers(0, 8).map(lambda k: k / 8)
    rows = [draw(st.lists(eighths, min_size=3, max_size=3)) for _ in range(size)]
    # Powers of two keep every product exact, so that ties are ties.
    weight = st.sampled_from([0.0, 0.5, 1.0, 2.0, 4.0])
    weights = [[*draw(st.lists(weight, min_size=2, max_size=2)), 1.0] for _ in range(4)]
    return y, np.array(rows), draw(folds_of(size)), np.array(weights)


def number(value):
    return math.nan if value is None else float(value)


def agrees(found, confusions, measures):
    """Every figure of an averaged ROC against the twin; confusions[point][fold]."""
    for k, matrices in enumerate(confusions):
        assert found.counts[k].tolist() == [list(map(list, matrix)) for matrix in matrices]
        assert found.confusion[k].tolist() == np.sum(matrices, axis=0).tolist()
        for m, measure in enumerate(measures):
            values = [measure(matrix) for matrix in matrices]
            mean, sd, sem, n = slow.moments(values)
            assert found.values[k, m].tolist() == pytest.approx([*map(number, values)], abs=ABS, nan_ok=True)
            assert found.mean[k, m] == pytest.approx(number(mean), abs=ABS, nan_ok=True)
            assert found.sd[k, m] == pytest.approx(number(sd), abs=ABS, nan_ok=True)
            assert found.sem[k, m] == pytest.approx(number(sem), abs=ABS, nan_ok=True)
            assert (found.n_defined[k, m], bool(found.defined[k, m])) == (n, n > 1)
            pooled = tuple(map(tuple, np.sum(matrices, axis=0).tolist()))
            assert found.pooled[k, m] == pytest.approx(number(measure(pooled)), abs=ABS, nan_ok=True)


# ---- Against the twin -------------------------------------------------------------------------------------


@given(data=two_classes(), n=st.integers(1, 30))
def test_thresholds_by_hand(way, data, n):
    y, scores, fold = data
    found = average_roc(y, scores, fold=fold, points=n, measures=[*slow.MEASURES], cost=COST)
    expected = slow.thresholds(scores.tolist(), n)
    assert found.points.tolist() == expected
    assert (found.kind, found.classes, found.folds) == (
        "threshold",
        (0, 1),
        tuple(sorted(set(fold.tolist()))),
    )
    confusions = [
        slow.fold_confusions(y.tolist(), scores.tolist(), fold.tolist(), slow.decide_threshold(t), 2)
        for t in expected
    ]
    agrees(found, confusions, slow.MEASURES.values())


@given(data=three_classes())
def test_class_weights_by_hand(way, data):
    y, scores, fold, weights = data
    found = average_roc(y, scores, fold=fold, points=weights, classes=[0, 1, 2])
    assert found.measures == ("error(0)", "error(1)", "error(2)")
    assert found.points.tolist() == weights.tolist()
    confusions = [
        slow.fold_confusions(y.tolist(), scores.tolist(), fold.tolist(), slow.decide_weights(w), 3)
        for w in weights.tolist()
    ]
    agrees(found, confusions, [slow.class_error(c) for c in range(3)])


@given(data=two_classes(), prevalence=st.sampled_from([0.01, 0.25, 0.5]))
def test_precision_at_a_prevalence_by_hand(data, prevalence):
    y, scores, fold = data
    found = average_roc(y, scores, fold=fold, points=5, measures="precision", prevalence=prevalence)
    confusions = [
        slow.fold_confusions(y.tolist(), scores.tolist(), fold.tolist(), slow.decide_threshold(t), 2)
        for t in found.points.tolist()
    ]
    agrees(found, confusions, [slow.precision(prevalence)])


class Wrapped:
    """A threshold that is not known as one."""

    def __init__(self, rule):
        self.classes, self.decide_codes = rule.classes, rule.decide_codes


@given(data=two_classes())
def test_rules_decide_as_their_thresholds(data):
    y, scores, fold = data
    by_number = average_roc(y, scores, fold=fold, points=5)
    rules = [by_number.point(k) for k in range(len(by_number))]
    by_rule = average_roc(y, scores, fold=fold, points=rules)
    unknown = average_roc(y, scores, fold=fold, points=[Wrapped(rule) for rule in rules])
    for other in (by_rule, unknown):
        assert other.kind == "rule"
        np.testing.assert_array_equal(other.counts, by_number.counts)
    np.testing.assert_array_equal(by_rule.thresholds, by_number.thresholds)
    assert unknown.thresholds is None


@pytest.mark.parametrize("elements", [samples.BIG_INTEGERS, samples.HARD, samples.LEVELS])
@given(data=st.data())
def test_given_thresholds_are_compared_exactly(elements, data):
    y, scores = data.draw(samples.labelled(elements=elements))
    fold = np.arange(len(y)) % 2
    cuts = data.draw(st.lists(st.one_of(samples.BIG_INTEGERS, samples.HARD), min_size=1, max_size=6))
    rules = [Threshold(t) for t in cuts]
    found = average_roc(y, scores, fold=fold, points=rules)
    for k, cut in enumerate(cuts):  # Python compares integers with floats exactly
        called = np.array([score >= cut for score in scores.tolist()])
        assert found.confusion[k, 1, 1] == np.count_nonzero(called & (y == 1))
        assert found.confusion[k, 0, 1] == np.count_nonzero(called & (y == 0))


@given(data=two_classes())
def test_kernel_splits_into_cells(data):
    y, scores, fold = data
    codes = y.astype(np.uint8)
    n_folds = int(fold.max()) + 1
    moved, ends = kernels.split_cells(fold, codes, scores, n_folds, 2)
    expected, expected_ends = slow.split_cells(fold.tolist(), y.tolist(), scores.tolist(), n_folds, 2)
    assert moved.tolist() == expected
    assert ends.tolist() == expected_ends


def test_both_ways_agree_on_many_cases(monkeypatch):
    rng = np.random.default_rng(5)
    y = rng.random(20_000) < 0.3
    scores, fold = np.round(rng.normal(size=y.size) + y, 2), rng.integers(0, 10, y.size)
    small = average_roc(y, scores, fold=fold, points=200)
    monkeypatch.setattr(points_module, "LARGE", 0)
    assert average_roc(y, scores, fold=fold, points=200) == small


# ---- Points -----------------------------------------------------------------------------------------------


class TopShare:
    """A rule of a user's own: the share of the cases of a fold with the largest scores."""

    classes = ("yes", "no")  # in an order of its own

    def __init__(self, share):
        self.share = share

    def decide_codes(self, y_score):
        rank = np.argsort(np.argsort(-np.asarray(y_score)))
        return np.where(rank < self.share * len(y_score), 0, 1)


def test_a_rule_of_ones_own_decides_fold_by_fold():
    y = ["yes", "no", "no", "yes", "no", "yes", "no", "no"]
    score = [0.9, 0.8, 0.2, 0.1, 5.0, 4.0, 3.0, 2.0]
    found = average_roc(
        y, score, fold=[0] * 4 + [1] * 4, points=[TopShare(0.25), TopShare(0.5)], pos_label="yes"
    )
    assert found.classes == ("no", "yes")
    assert found.values[:, 0].tolist() == [[0.5, 0.0], [0.5, 1.0]]
    assert found.values[:, 1].tolist() == [[0.0, 1 / 3], [0.5, 1 / 3]]
    assert isinstance(found.point(1).decision, TopShare)
    assert found.thresholds is None


def test_a_threshold_of_the_other_class_is_refused():
    """A saved point must not be applied the wrong way round; a distance may speak for the other class."""
    y, score, fold = ["ill", "well"] * 2, [2, 1, 4, 3], [0, 0, 1, 1]
    with pytest.raises(RocInputError) as error:
        average_roc(y, score, fold=fold, pos_label="ill", points=[Threshold(2, "well", "ill")])
    assert str(error.value) == (
        "points[0] must be a threshold on the score of class 'ill', got one of 'well'"
    )
    turned = Threshold(1, "well", "ill", distance=True)
    found = average_roc(y, score, fold=fold, pos_label="ill", points=[turned])
    assert found.confusion[0].tolist() == [[1, 1], [0, 2]]


def test_rejected_cases_have_a_column_of_their_own():
    y, score, fold = [0, 0, 1, 1] * 2, [0.1, 0.5, 0.5, 0.9] * 2, [0] * 4 + [1] * 4
    points = [Threshold(0.8, reject=0.4), Threshold(0.5)]
    found = average_roc(y, score, fold=fold, points=points, measures=["reject_rate", "error", "tpr"])
    assert found.counts.shape == (2, 2, 2, 3)
    assert found.mean.tolist() == [[0.5, 0.0, 0.5], [0.0, 0.25, 1.0]]


def test_weights_may_reject_too():
    y, fold = ["a", "b", "c"] * 4, [0] * 6 + [1] * 6
    scores = np.tile([[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7]], (4, 1))
    points = [ClassWeights([1, 1, 1], "abc", reject=0.5), ClassWeights([1, 1, 1], "abc")]
    found = average_roc(y, scores, fold=fold, points=points, classes="abc", measures=["reject_rate"])
    assert found.mean[:, 0].tolist() == pytest.approx([1 / 3, 0.0])


def test_weights_of_a_point_are_named():
    y, fold = ["a", "b", "c"] * 4, [0] * 6 + [1] * 6
    scores = np.tile(np.eye(3), (4, 1))
    found = average_roc(y, scores, fold=fold, classes=["a", "b", "c"])
    assert found.points.shape == (30, 3)
    assert found.points[0].tolist() == [1 / 3] * 3
    assert found.point(0).decision == ClassWeights([1 / 3] * 3, classes=["a", "b", "c"])
    assert [*found.columns()][:4] == ["weight(a)", "weight(b)", "weight(c)", "error(a)"]


@pytest.mark.parametrize(("distinct", "n"), [(5, 3), (30, 30), (31, 30), (200, 30), (7, 1), (1000, 999)])
def test_default_points_are_evenly_spaced_ranks(distinct, n):
    """As the documentation says it, on scores with ties."""
    y, fold = np.tile([0, 1, 1, 0], distinct), np.repeat([0, 1, 0, 1], distinct)
    scores = np.random.default_rng(0).permutation(np.repeat(np.arange(distinct) / 8, 4))
    u = np.unique(scores)[::-1]
    expected = u[np.round(np.linspace(0, len(u) - 1, n)).astype(int)]
    assert average_roc(y, scores, fold=fold, points=n).points.tolist() == expected.tolist()


@pytest.mark.parametrize("n", [4, 5, 30, 1000])
def test_of_few_distinct_scores_each_is_a_point_once(n):
    scores = [0.1, 0.1, 0.5, 0.9, 0.5, 0.2, 0.2, 0.9]
    found = average_roc([0, 1] * 4, scores, fold=[0] * 4 + [1] * 4, points=n)
    assert found.points.tolist() == [0.9, 0.5, 0.2, 0.1]


def test_one_distinct_score_is_one_point():
    found = average_roc([0, 1, 0, 1], [3.0] * 4, fold=[0, 0, 1, 1])
    assert (found.points.tolist(), found.mean.tolist()) == ([3.0], [[1.0, 1.0]])
    assert found.compare_to(0).indistinguishable.tolist() == [True]


def test_default_weights_are_spread_and_always_the_same():
    weights = spread_weights(500, 3)
    np.testing.assert_array_equal(weights, spread_weights(500, 3))
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert (weights > 0).all()
    for column in weights.T:  # uniform on the simplex: P(share > x) = (1 - x)^2
        for x in (0.1, 0.3, 0.6, 0.9):
            assert np.mean(column > x) == pytest.approx((1 - x) ** 2, abs=0.03)


def test_points_keep_the_order_they_were_given_in():
    found = average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1], points=[2, 9, -math.inf, math.inf])
    assert found.points.tolist() == [2, 9, -math.inf, math.inf]
    assert found.mean[:, 0].tolist() == [1, 0, 1, 0]
    assert found.to_dict()["points"] == [2.0, 9.0, "-inf", "inf"]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (0, "points must be a whole number of at least 1, got 0"),
        (True, "points must be a whole number of at least 1, got True"),
        (
            0.5,
            "points must be a number of thresholds, 'all', a list of them or a list of decision rules, "
            "got 0.5",
        ),
        ([0.5, math.nan], "points must have no missing scores, got NaN in row 1"),
        ([Threshold(0.5), 0.5], "points must be all decision rules or none, got 0.5"),
        (
            [Threshold(0.5, positive="a", negative="b")],
            "points[0] must decide between [0, 1], got ['b', 'a']",
        ),
    ],
)
def test_refuses_points(points, message):
    with pytest.raises(RocInputError) as error:
        average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1], points=points)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[1, -1]], "points must have weights of at least 0, got negative values in row 0"),
        ([[1, 1], [0, 0]], "points must have a weight greater than 0 in every row, got only 0 in row 1"),
        (
            [[1, 1, 1]],
            "points must have one row per point and one column per class (2), got shape (1, 3)",
        ),
        ([1, 1], "points must have one row per point and one column per class (2), got shape (2,)"),
    ],
)
def test_refuses_weights(points, message):
    with pytest.raises(RocInputError) as error:
        average_roc([0, 1, 0, 1], np.ones((4, 2)), fold=[0, 0, 1, 1], points=points, classes=[0, 1])
    assert str(error.value) == message


class Careless:
    classes = (0, 1)

    def __init__(self, answer):
        self.answer = answer

    def decide_codes(self, y_score):
        return np.array(self.answer)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (
            [0],
            "decide_codes of points[0] must return one whole number per case (2), got shape (1,) of int64",
        ),
        (
            [0.0, 1.0],
            "decide_codes of points[0] must return one whole number per case (2), got shape (2,) of float64",
        ),
        ([0, 2], "decide_codes of points[0] must return codes from -1 to 1, got 0 to 2"),
    ],
)
def test_refuses_what_a_rule_returns(answer, message):
    with pytest.raises(RocInputError) as error:
        average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1], points=[Careless(answer)])
    assert str(error.value) == message


# ---- Measures ---------------------------------------------------------------------------------------------


def test_measures_of_ones_own():
    def alarms(confusion):
        return confusion[..., 0, 1]

    def share(confusion):  # 0/0 where nothing is called positive
        return confusion[..., 1, 1] / confusion[..., :, 1].sum(axis=-1)

    found = average_roc(
        [0, 1, 0, 1],
        [1, 2, 3, 4],
        fold=[0, 0, 1, 1],
        points=[3, 2],
        measures={"alarms": alarms, "share": share, "hits": "tpr"},
    )
    assert found.measures == ("alarms", "share", "hits")
    assert found.mean[:, 0].tolist() == [0.5, 0.5]
    assert found.values[:, 1].tolist() == [[pytest.approx(math.nan, nan_ok=True), 0.5], [1.0, 0.5]]
    assert found.defined.tolist() == [[True, False, True], [True, True, True]]
    assert found.mean[0].tolist() == [0.5, 0.5, 0.5]
    assert found.pooled[0, 0] == 1


def hits(confusion):
    return confusion[..., 1, 1]


def test_functions_are_measures_under_their_own_names():
    y, score, fold = ten_folds()
    found = average_roc(y, score, fold=fold, measures=["tpr", hits])
    assert found.measures == ("tpr", "hits")
    np.testing.assert_array_equal(found.values[:, 1], found.counts[..., 1, 1])
    alone = average_roc(y, score, fold=fold, measures=hits)
    named = average_roc(y, score, fold=fold, measures={"found": hits, "recall": "tpr"})
    assert (alone.measures, named.measures) == (("hits",), ("found", "recall"))
    np.testing.assert_array_equal(named.mean[:, 0], alone.mean[:, 0])
    assert found.compare_to(5, measures="hits").p_value[5, 0] == 1


def test_infinite_ratios_have_no_deviation():
    found = average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1], points=[2], measures=["lr_pos"])
    assert found.values[0, 0].tolist() == [math.inf, 1.0]
    assert found.mean[0, 0] == math.inf
    assert math.isnan(found.sd[0, 0])
    assert not found.defined[0, 0]
    assert found.to_dict()["mean"] == [["inf"]]


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ([], "measures must hold at least one name, got none"),
        (["tpr", "tpr"], "measures must hold different names, got ['tpr', 'tpr']"),
        (
            {"f": lambda c: 1.0},
            "measures['f'] must return one number per confusion matrix, shape (2, 2), got shape ()",
        ),
        (
            [lambda c: c[..., 0, 0], lambda c: c[..., 1, 1]],
            "measures must hold different names, got ['<lambda>', '<lambda>']",
        ),
        (["error(2)"], "error(class) must name one of ['0', '1'], got '2'"),
    ],
)
def test_refuses_measures(measures, message):
    with pytest.raises(RocInputError) as error:
        average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1], points=[2, 3], measures=measures)
    assert str(error.value) == message


def test_one_share_is_not_enough_for_three_classes():
    with pytest.raises(RocInputError) as error:
        average_roc([0, 1, 2] * 2, np.ones((6, 3)), fold=[0] * 3 + [1] * 3, classes=[0, 1, 2], prevalence=0.1)
    assert str(error.value) == "prevalence must hold one share per class (3), got 0.1"


# ---- Folds ------------------------------------------------------------------------------------------------


def test_a_fold_without_a_class_is_marked_and_counted():
    y, score, fold = [0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 0], ["a", "a", "b", "b", "c", "c"]
    found = average_roc(y, score, fold=fold, points=[3], measures=["tpr", "fpr", "error"])
    assert found.values[0, 0].tolist() == [0.0, 1.0, 0.5]
    assert found.values[0, 1, :2].tolist() == [0.0, 1.0]
    assert math.isnan(found.values[0, 1, 2])
    assert found.n_defined.tolist() == [[3, 2, 3]]
    assert found.mean[0].tolist() == [0.5, 0.5, 0.5]
    assert found.defined.all()
    assert found.warnings == (
        "1 of 3 folds have no case of class 0 (c): measures that need one are undefined there and left out "
        "of the means",
    )


@pytest.mark.parametrize(
    "fold",
    [
        np.array([3, 3, 7, 7]),
        np.array([3, 3, 7, 7], np.uint8),
        np.array([-5, -5, 2**40, 2**40]),
        ["x", "x", "y", "y"],
        [1.5, 1.5, 2.5, 2.5],
        [False, False, True, True],
        np.array(["x", "x", "y", "y"], dtype=object),
    ],
)
def test_folds_may_have_any_names(fold):
    found = average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=fold, points=[2, 3])
    assert found.folds == tuple(dict.fromkeys(np.asarray(fold).tolist()))
    assert found.mean.tolist() == [[1.0, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("fold", "message"),
    [
        (None, "fold must give the fold of every case, got None"),
        ([0, 0, 0, 0], "fold must name two folds or more, got only 0"),
        ([0, None, 1, 1], "fold must have a fold in every row, got missing folds in row 1"),
        ([0, 1], "y_true and fold must have the same length: y_true has 4, fold has 2"),
    ],
)
def test_refuses_folds(fold, message):
    with pytest.raises(RocInputError) as error:
        average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=fold)
    assert str(error.value) == message


# ---- Data -------------------------------------------------------------------------------------------------


def test_checked_data_pass_as_they_are():
    y, score, fold = [0, 1, 0, 1], [1, 2, 3, 4], [0, 0, 1, 1]
    expected = average_roc(y, score, fold=fold)
    assert average_roc(BinaryScores.from_arrays(y, score, fold=fold)) == expected
    scores = np.column_stack([5 - np.array(score), score])
    rows = average_roc(y, scores, fold=fold, classes=[0, 1], points=[[1, 1]])
    assert average_roc(ClassScores.from_arrays(y, scores, classes=[0, 1], fold=fold), points=[[1, 1]]) == rows
    assert rows.measures == ("tpr", "fpr")


@dataclass
class Stacked:
    """What cross_scores returns, as far as an average needs it."""

    y_true: Any
    y_score: Any
    fold: Any
    classes: Any
    warnings: tuple[str, ...] = ()
    test_over_train: float = 1 / 9
    row: Any = ()


def test_stacked_scores_pass_as_they_are():
    y, score, fold = ten_folds()
    stacked = Stacked(y, score, fold, (0, 1), ("two patients are in several folds",))
    found = average_roc(stacked)
    assert found.warnings == stacked.warnings
    assert replace(found, warnings=()) == average_roc(y, score, fold=fold)
    assert found.test_over_train == pytest.approx(1 / 9, rel=1e-15)
    with pytest.raises(RocInputError) as error:
        average_roc(stacked, fold=fold)
    assert str(error.value) == "fold must be left out where y_true is a Stacked, which holds it"


def test_repeated_folds_overlap_as_much_as_single_ones():
    """Three repeats of ten folds are thirty folds of a tenth of the cases, not of a thirtieth."""
    y, score, fold = ten_folds()
    folds = np.concatenate([fold, fold + 10, fold + 20])
    repeats = Stacked(np.tile(y, 3), np.tile(score, 3), folds, (0, 1))
    roc = average_roc(repeats)
    assert roc.test_over_train == 1 / 9
    index = roc.select("tpr>=0.9")
    result = average_roc(repeats.y_true, repeats.y_score, fold=folds)
    assert result.test_over_train == pytest.approx(1 / 29)
    expected = result.compare_to(index, method="corrected", test_over_train=1 / 9)
    np.testing.assert_array_equal(roc.compare_to(index, method="corrected").p_value, expected.p_value)


def test_folds_that_test_a_case_again_are_noted():
    y, score, fold = ten_folds()
    rows, folds = np.tile(np.arange(len(y)), 2), np.concatenate([fold, fold + 10])
    once = average_roc(Stacked(y, score, fold, (0, 1), row=np.arange(len(y))))
    roc = average_roc(Stacked(np.tile(y, 2), np.tile(score, 2), folds, (0, 1), row=rows))
    note = (
        "cases that were tested several times count as new ones in every fold: standard errors over folds "
        'are too small; compare points by compare_to(..., method="corrected")'
    )
    assert once.warnings == ()
    assert roc.warnings == (note,)
    assert "standard errors over folds are too small" in roc._repr_html_()
    np.testing.assert_array_equal(roc.mean, average_roc(np.tile(y, 2), np.tile(score, 2), fold=folds).mean)
    for compare in (lambda of, **how: of.compare_to(3, **how), lambda of, **how: of.compare_with(of, **how)):
        assert str(compare(roc)).endswith(f"\nnote: {note}")
        assert "note" not in str(compare(roc, method="corrected")) + str(compare(once))
    outputs = np.column_stack([np.exp(-score), np.exp(score)])
    classes = Stacked(np.tile(y, 2), np.tile(outputs, (2, 1)), folds, (0, 1), row=rows)
    assert average_roc(classes).warnings == (note,)
    stacked = Stacked(np.tile(y, 2), np.tile(score, 2), folds, (0, 1), row=rows)
    assert average_curves(stacked, along="threshold").warnings == (note,)


def test_whole_weights_count_rows():
    data = BinaryScores.from_arrays([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1], sample_weight=[2, 1, 1, 3])
    repeated = [0, 0, 1, 0, 1, 1, 1], [1, 1, 2, 3, 4, 4, 4], [0, 0, 0, 1, 1, 1, 1]
    assert average_roc(data) == average_roc(*repeated[:2], fold=repeated[2])


def test_two_named_classes_say_which_is_positive():
    y, score, fold = ["ill", "well"] * 2, [2, 1, 4, 3], [0, 0, 1, 1]
    found = average_roc(y, score, fold=fold, classes=["well", "ill"])
    assert found.classes == ("well", "ill")
    assert found == average_roc(y, score, fold=fold, pos_label="ill")
    assert found == average_roc(y, score, fold=fold, classes=["ill", "well"], pos_label="ill")


def test_infinite_scores_are_extreme_ranks():
    found = average_roc([0, 1, 0, 1], [-math.inf, 2, 3, math.inf], fold=[0, 0, 1, 1])
    assert found.points.tolist() == [math.inf, 3, 2, -math.inf]
    assert found.warnings == ("infinite scores were ranked above or below all others",)
    assert found.values[:, 0].tolist() == [[0, 1], [0, 1], [1, 1], [1, 1]]
    assert found.values[:, 1].tolist() == [[0, 0], [0, 1], [0, 1], [1, 1]]


def test_infinite_scores_rank_as_the_largest_numbers_do(way):
    rng = np.random.default_rng(2)
    y, fold = np.tile([0, 1], 40), np.repeat(range(8), 10)
    scores = np.round(rng.normal(size=80) + y, 1)
    extreme = np.where(scores == scores.max(), math.inf, np.where(scores == scores.min(), -math.inf, scores))
    plain, found = average_roc(y, scores, fold=fold), average_roc(y, extreme, fold=fold)
    np.testing.assert_array_equal(found.counts, plain.counts)
    assert found.to_dict()["points"][:: len(found) - 1] == ["inf", "-inf"]
    for index in (0, len(found) - 1, found.select("tpr>=0.9")):
        np.testing.assert_array_equal(found.compare_to(index).p_value, plain.compare_to(index).p_value)
        saved = Threshold.from_json(found.point(index).to_json())
        np.testing.assert_array_equal(saved.decide(extreme), plain.point(index).decide(scores))
    region = found.indifference_region(0)
    assert json.loads(region.to_json())["thresholds"][0] == "inf"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"y_true": ["a", "b", "a", "b"]},
            "pos_label must be given for labels other than 0/1, -1/1 and booleans, got 'a' and 'b'",
        ),
        ({"y_true": [0, 0, 0, 0]}, "y_true must hold two classes, got only 0"),
        ({"y_score": [1, math.nan, 2, 3]}, "y_score must have no missing scores, got NaN in row 1"),
        (
            {"classes": [0, 1, 2]},
            "classes must name two classes where a case has one score, got [0, 1, 2]",
        ),
        ({"classes": [0, 1], "pos_label": 2}, "pos_label must be one of classes [0, 1], got 2"),
        ({"classes": [2, 1]}, "y_true must hold the labels in classes [2, 1], got [0, 1]"),
        (
            {"y_score": np.ones((4, 2)), "y_true": ["a", "b", "a", "b"]},
            "classes must name the class of each score column, in order; y_true holds ['a', 'b']",
        ),
        (
            {"y_score": -np.ones((4, 2)), "classes": [0, 1]},
            "y_score must have outputs of at least 0, got negative values in rows 0, 1, 2, 3",
        ),
        (
            {"y_score": np.ones((4, 2)), "classes": [0, 1], "y_true": [1] * 4},
            "y_true must hold two classes, got only 1",
        ),
        (
            {"y_score": np.ones((4, 2)), "classes": [0, 1], "pos_label": 0},
            "pos_label must be the second of two classes where scores have one column per class, "
            "got 0 for [0, 1]",
        ),
    ],
)
def test_refuses_data(arguments, message):
    call = {"y_true": [0, 1, 0, 1], "y_score": [1, 2, 3, 4], "fold": [0, 0, 1, 1]} | arguments
    with pytest.raises(RocInputError) as error:
        average_roc(**call)
    assert str(error.value) == message


# ---- Choice of a point ------------------------------------------------------------------------------------


def ten_folds(n=5, seed=0, shift=1.5):
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1], 10 * n)
    return y, rng.normal(size=y.size) + shift * y, np.repeat(np.arange(10), 2 * n)


@pytest.mark.parametrize("seed", range(20))
def test_a_bound_that_is_just_met_is_met(seed):
    """The mean of ten rates that add up to 9 may be rounded below 0.9."""
    y, score, fold = ten_folds(seed=seed)
    found = average_roc(y, score, fold=fold, points=200)
    hits = found.counts[:, :, 1, 1].sum(axis=1)  # of 50: folds of equal size have the pooled rate as mean
    alarms = found.counts[:, :, 0, 1].sum(axis=1)
    index = found.select("tpr>=0.9")
    assert hits[index] >= 45
    assert alarms[index] == alarms[hits >= 45].min()


def test_selects_by_measures_that_were_not_averaged():
    y, score, fold = ten_folds()
    found = average_roc(y, score, fold=fold, measures=["error"])
    assert found.select("tpr>=0.9") == average_roc(y, score, fold=fold).select("tpr>=0.9").index
    index = found.select("precision>=0.8", prevalence=0.5)
    assert found.measure("precision", prevalence=0.5)[index] >= 0.8
    for cost in (
        {"fp": 1, "fn": 100},
        (3, 2),
        0.1,
    ):  # folds of equal make-up: means of costs are costs of means
        paid = found.measure("cost", cost=cost)
        assert paid[found.select(cost=cost)] == pytest.approx(paid.min(), abs=1e-12)


def test_the_known_prevalence_goes_with_costs():
    y, score, fold = ten_folds()
    rare = average_roc(y, score, fold=fold, prevalence=0.001)
    common = average_roc(y, score, fold=fold)
    assert rare.select(cost=10) == common.select(cost=10, prevalence=0.001)
    assert rare.select() == common.select()


PLACES = {
    "constraint": ("tpr>=0.9", {"constraints": ["tpr>=0.9"]}),
    "constraints": (("tpr>=0.6", "fpr<=0.3"), {"constraints": ["tpr>=0.6", "fpr<=0.3"]}),
    "rule": ("youden", {"rule": "youden"}),
    "function": (lambda roc: roc.select(cost=(1, 7)), {"cost": (1, 7)}),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("seed", range(3))
def test_a_place_joins_the_points_with_the_best_of_all_thresholds(name, seed):
    """A few points miss the best one; with the place among `also`, `select` returns the best of all."""
    y, score, fold = ten_folds(seed=seed, shift=1)
    place, selection = PLACES[name]
    rule = {key: value for key, value in selection.items() if key != "constraints"}
    bounds = selection.get("constraints", ())
    few, whole = (average_roc(y, score, fold=fold, points=points) for points in (2, "all"))
    found = average_roc(y, score, fold=fold, points=2, also=place)
    best = whole.points[whole.select(*bounds, **rule)]
    assert best not in few.points
    assert found.points.tolist() == sorted({*few.points.tolist(), best}, reverse=True)
    assert found.points[found.select(*bounds, **rule)] == best


def test_places_and_thresholds_join_together():
    y, score, fold = ten_folds(seed=1)
    whole = average_roc(y, score, fold=fold, points="all")
    found = average_roc(y, score, fold=fold, points=2, also=["fpr=0.2", 0.3, "threshold=0.25"])
    expected = {score.max(), score.min(), whole.points[whole.locate("fpr=0.2")], 0.3, 0.25}
    assert found.points.tolist() == sorted(expected, reverse=True)


def test_refuses_places():
    y, score, fold = ten_folds()
    with pytest.raises(RocInputError, match=r"^place must be one of tpr, fpr, .*, got 'sharpness'$"):
        average_roc(y, score, fold=fold, also="sharpness=0.5")
    none = r"^none of the 100 operating points shown has tpr>=1 and fpr<=0;"
    with pytest.raises(UndefinedError, match=none):
        average_roc(y, score, fold=fold, also=("tpr>=1", "fpr<=0"))
    outputs = np.column_stack([1 - y, y]) * 0.5 + 0.1
    with pytest.raises(RocInputError) as error:
        average_roc(y, outputs, fold=fold, classes=[0, 1], also="tpr>=0.9")
    assert str(error.value) == (
        "also must hold class weights or decision rules, got 'tpr>=0.9': "
        "a place belongs to one score per case"
    )


def test_selects_among_three_classes():
    y, fold = np.tile([0, 1, 2], 20), np.repeat([0, 1, 2], 20)
    rng = np.random.default_rng(3)
    scores = rng.dirichlet([1, 1, 1], y.size) + np.eye(3)[y] * 0.4
    found = average_roc(y, scores, fold=fold, points=50, classes=[0, 1, 2])
    worst = found.mean.max(axis=1)
    assert worst[found.select()] == worst.min()
    assert found.select(rule="mean-class-error") == found.mean.mean(axis=1).argmin()
    index = found.select("error(0)<=0.1")
    allowed = np.flatnonzero(found.mean[:, 0] <= 0.1)
    assert index in allowed
    assert worst[index] == worst[allowed].min()
    cost = [[0, 9, 9], [1, 0, 1], [1, 1, 0]]
    assert found.select(cost=cost) == found.measure("cost", cost=cost).argmin()
    with pytest.raises(UndefinedError) as error:
        found.select("error(0)<=0.1", "error(1)<0")
    assert str(error.value) == "none of the 50 operating points shown has error(0)<=0.1 and error(1)<0"
    with pytest.raises(RocInputError) as error:
        found.select(rule="youden")
    assert str(error.value) == "rule must be one of 'max-class-error', 'mean-class-error', got 'youden'"


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (4, "index must be one of the 4 points, 0 to 3, got 4"),
        (-1, "index must be a whole number of at least 0, got -1"),
        (1.0, "index must be a whole number of at least 0, got 1.0"),
    ],
)
def test_refuses_an_index(index, message):
    found = average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1])
    with pytest.raises(RocInputError) as error:
        found.point(index)
    assert str(error.value) == message


def test_a_saved_point_decides_as_the_fold_did():
    y, score, fold = ten_folds(seed=4)
    found = average_roc(y, score, fold=fold)
    index = found.select("tpr>=0.9")
    point = Threshold.from_json(found.point(index).to_json())
    decided = point.decide(score)
    assert np.count_nonzero((decided == 1) & (y == 1)) == found.confusion[index, 1, 1]


# ---- The result -------------------------------------------------------------------------------------------


def test_text():
    y, score, fold = ten_folds(seed=4)
    text = str(average_roc(y, score, fold=fold))
    assert text.startswith(
        "Mean over 10 folds at 30 thresholds (50 of class 0, 50 of class 1): tpr 0.02 to 1 (sem up to "
    )


def test_json_and_frame():
    y, score, fold = ten_folds(seed=4)
    found = average_roc(y, score, fold=fold, points=[Threshold(0.5), Threshold(None)])
    document = json.loads(found.to_json())
    assert document["points"][1] == {
        "type": "Threshold",
        "value": None,
        "positive": 1,
        "negative": 0,
        "distance": False,
        "reject": None,
    }
    frame = found.frame()
    assert [*frame] == [
        "point",
        "tpr",
        "tpr sd",
        "tpr sem",
        "tpr folds",
        "fpr",
        "fpr sd",
        "fpr sem",
        "fpr folds",
    ]
    assert frame["tpr"].tolist() == found.mean[:, 0].tolist()


def test_arrays_are_read_only():
    found = average_roc([0, 1, 0, 1], [1, 2, 3, 4], fold=[0, 0, 1, 1])
    for name in ("points", "values", "mean", "counts"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(found, name)[0] = 0


def test_more_counts_than_memory_holds_are_refused_before_the_work():
    n = 2000
    y, scores = np.repeat(np.arange(n), 2), np.broadcast_to(np.float32(1), (2 * n, n))
    with pytest.raises(ResourceError) as error:
        average_roc(y, scores, fold=np.arange(2 * n) % 4, classes=range(n), points=np.ones((30, n)))
    assert str(error.value) == (
        "every point has a confusion matrix in every fold, at most 400,000,000 counts, got 480,000,000 "
        "for 30 points, 4 folds and 2,000 classes: take fewer of them"
    )


def test_rules_of_several_classes_stand_among_the_constraints():
    rng = np.random.default_rng(2)
    y = np.arange(90) % 3
    scores = rng.dirichlet([1, 1, 1], size=90) + np.eye(3)[y] * 0.4
    roc = average_roc(y, scores, fold=np.arange(90) % 5, classes=[0, 1, 2])
    assert roc.select("mean-class-error") == roc.select(rule="mean-class-error")
    assert roc.select("max-class-error") == roc.select()
    assert roc.select("mean-class-error", "error(1)<=0.9") == roc.select(
        "error(1)<=0.9", rule="mean-class-error"
    )
    assert roc.locate("mean-class-error") == roc.select(rule="mean-class-error")
    with pytest.raises(RocInputError, match="rule must be one, got 'max-class-error' and 'mean-class-error'"):
        roc.select("mean-class-error", rule="max-class-error")
    with pytest.raises(RocInputError, match=r"rule must be one of .* did you mean 'mean-class-error'"):
        roc.select("mean-class-eror")
