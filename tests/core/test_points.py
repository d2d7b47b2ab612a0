import dataclasses
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rocscope
from rocscope import ClassWeights, RocCurve, RocInputError, ScoreTable, Threshold, UndefinedError, roc_curve
from rocscope.core.checks import show
from rocscope.core.points import RULES, WEIGHING, Constraint, select_point
from slow import decisions, samples


def message_of(call, *args, **options):
    with pytest.raises(RocInputError) as error:
        call(*args, **options)
    return str(error.value)


# ---- Thresholds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "decided"),
    [
        (Threshold(2), [0, 1, 1]),
        (Threshold(2, distance=True), [1, 1, 0]),
        (Threshold(3, reject=2), [0, None, 1]),
        (Threshold(1, reject=2, distance=True), [1, None, 0]),
        (Threshold(None), [0, 0, 0]),
        (Threshold(math.inf), [0, 0, 0]),
        (Threshold(-math.inf), [1, 1, 1]),
        (Threshold(None, distance=True), [0, 0, 0]),
        (Threshold(math.inf, distance=True), [1, 1, 1]),
        (Threshold(2, positive="ill", negative="well"), ["well", "ill", "ill"]),
        (Threshold(2, positive=True, negative=False), [False, True, True]),
    ],
)
def test_decides(point, decided):
    assert point.decide([1, 2, 3]).tolist() == decided


def test_decides_on_infinite_scores():
    assert Threshold(0.0).decide([-math.inf, math.inf]).tolist() == [0, 1]
    assert Threshold(-math.inf).decide([-math.inf, math.inf]).tolist() == [1, 1]
    assert Threshold(None).decide([-math.inf, math.inf]).tolist() == [0, 0]


def test_rejects_below_an_infinite_threshold():
    """reject <= score < value: nothing is called positive, but the upper part stays undecided."""
    assert Threshold(None, reject=0.5).decide([0.2, 0.7]).tolist() == [0, None]
    assert Threshold(None, reject=0.5, distance=True).decide([0.2, 0.7]).tolist() == [None, 0]


@pytest.mark.parametrize(("negative", "positive"), [(0, "ill"), (1, "1"), (None, "ill"), (0.5, True)])
def test_class_names_come_back_as_they_were(negative, positive):
    decided = Threshold(0.5, positive=positive, negative=negative).decide([0.2, 0.7])
    assert list(decided) == [negative, positive]


@pytest.mark.parametrize("cut", [2**53 + 1, np.int64(2**53 + 1)])
def test_long_integers_are_compared_exactly(cut):
    assert Threshold(cut).decide([2**53, 2**53 + 1, 2**53 + 2]).tolist() == [0, 1, 1]
    assert Threshold(cut).decide([2.0**53, 2.0**53 + 2, math.inf]).tolist() == [0, 1, 1]
    assert Threshold(cut, distance=True).decide([2.0**53, 2.0**53 + 2]).tolist() == [1, 0]


def test_floats_cut_long_integers_exactly():
    assert Threshold(2.0**60).decide([2**60 - 1, 2**60, 2**60 + 1]).tolist() == [0, 1, 1]
    assert Threshold(2.0**60, distance=True).decide([2**60 - 1, 2**60, 2**60 + 1]).tolist() == [1, 1, 0]
    assert Threshold(0.5).decide([2**60, 0, 1]).tolist() == [1, 0, 1]
    assert Threshold(1e300).decide([2**60, 2**60 + 1]).tolist() == [0, 0]
    assert Threshold(-math.inf).decide([2**60, -(2**60) - 1]).tolist() == [1, 1]


@given(
    scores=st.lists(samples.SCORES, min_size=1, max_size=8),
    cut=st.one_of(st.none(), samples.SCORES, samples.BIG_INTEGERS),
    distance=st.booleans(),
    half=st.none() | st.floats(0, 10),
)
def test_a_saved_point_decides_the_same(scores, cut, distance, half):
    reject = None if half is None or cut is None or math.isinf(cut) else cut + half * (1 if distance else -1)
    if reject is not None and math.isinf(reject):
        reject = None
    point = Threshold(cut, distance=distance, reject=reject)
    text = point.to_json()
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert Threshold.from_json(text) == point
    assert Threshold.from_json(text).decide(scores).tolist() == point.decide(scores).tolist()


THRESHOLD_ERRORS = [
    (("0.5",), {}, "value must be a number, got '0.5'"),
    ((True,), {}, "value must be a number, got True"),
    ((math.nan,), {}, "value must be a number other than NaN, got nan"),
    ((0.5,), {"positive": 1, "negative": 1}, "positive and negative must differ, got 1 for both"),
    ((0.5,), {"reject": 0.6}, "reject must lie below the threshold 0.5, got 0.6"),
    ((0.5,), {"reject": 0.4, "distance": True}, "reject must lie above the threshold 0.5, got 0.4"),
    ((0.5,), {"reject": math.nan}, "reject must be finite, got nan"),
    ((0.5,), {"reject": "low"}, "reject must be a number, got 'low'"),
]


@pytest.mark.parametrize(("args", "options", "message"), THRESHOLD_ERRORS)
def test_refuses_thresholds(args, options, message):
    assert message_of(Threshold, *args, **options) == message


def test_refuses_thresholds_too_long_for_a_float():
    message_of(Threshold, 10**400)


def test_decide_checks_its_scores():
    assert message_of(Threshold(0.5).decide, [0.1, math.nan]) == (
        "y_score must have no missing scores, got NaN in row 1"
    )


@pytest.mark.parametrize(
    "text",
    [
        "nope",
        "[]",
        "3",
        '{"type": "Threshold"}',
        '{"type": "Threshold", "x": 1}',
        '{"type": "Threshold", "value": "high"}',
    ],
)
def test_refuses_text_that_is_no_saved_point(text):
    assert message_of(Threshold.from_json, text) == f"text must be the JSON of a Threshold, got {text!r}"


def test_refuses_the_json_of_another_point():
    text = ClassWeights([1, 2], classes=["a", "b"]).to_json()
    assert message_of(Threshold.from_json, text) == f"text must be the JSON of a Threshold, got {show(text)}"


def test_refuses_to_save_odd_class_names():
    point = Threshold(0.5, positive=b"a", negative=b"b")
    assert message_of(point.to_json) == (
        "class names must be text, numbers or booleans to be saved, got b'a'"
    )


def test_points_are_frozen():
    point = Threshold(0.5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.value = 0.6
    assert hash(point) == hash(Threshold(0.5))


# ---- Class weights ----------------------------------------------------------------------------------------


def test_class_weights_decide():
    point = ClassWeights([1, 3], classes=["a", "b"])
    assert point.decide([[0.7, 0.3], [0.8, 0.2]]).tolist() == ["b", "a"]
    assert point.decide_codes([[0.75, 0.25]]).tolist() == [0]  # equal: the first class


@given(
    scores=st.lists(st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=1, max_size=5),
    weights=st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any),
    factor=st.sampled_from([0.5, 4, 1024]),
)
def test_only_the_ratios_of_weights_matter(scores, weights, factor):
    one = ClassWeights(weights, classes="abc").decide(scores)
    other = ClassWeights([w * factor for w in weights], classes="abc").decide(scores)
    assert one.tolist() == other.tolist()
    by_hand = ["abc"[max(range(3), key=lambda c: weights[c] * row[c])] for row in scores]
    assert one.tolist() == by_hand


def test_class_weights_reject_small_shares():
    point = ClassWeights([1, 1], classes=["a", "b"], reject=0.75)
    assert point.decide([[3, 1], [2, 1], [0, 1]]).tolist() == ["a", None, "b"]


def test_class_weights_are_saved():
    point = ClassWeights(np.array([1, 2]), classes=np.array([3, 4]), reject=0.5)
    assert ClassWeights.from_json(point.to_json()) == point
    assert point.to_json() == (
        '{"type": "ClassWeights", "values": [1.0, 2.0], "classes": [3, 4], "reject": 0.5}'
    )


CLASS_WEIGHT_ERRORS = [
    (([1, -1], "ab"), {}, "values must have weights of at least 0, got negative values in row 1"),
    (([0, 0], "ab"), {}, "values must hold at least one weight greater than 0, got only 0"),
    (
        ([0, 1], "a"),
        {},
        "values must hold one weight per class ['a'], got 2",
    ),
    (
        ([0, 1], "aa"),
        {},
        "classes must hold different names, got ['a', 'a']",
    ),
    (([1, 1], "ab"), {"reject": 1.2}, "reject must lie between 0 and 1 (both allowed), got 1.2"),
]


@pytest.mark.parametrize(("args", "options", "message"), CLASS_WEIGHT_ERRORS)
def test_refuses_class_weights(args, options, message):
    assert message_of(ClassWeights, args[0], classes=args[1], **options) == message


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1, 2], "y_score must have one column per class (2), got shape (2,)"),
        ([[1, 2, 3]], "y_score must have one column per class (2), got shape (1, 3)"),
        ([["a", "b"]], "y_score must hold numbers, got text"),
        ([[1, 2], [math.nan, 1]], "y_score must have finite outputs, got NaN or infinite values in row 1"),
        ([[1, 2], [-1, 1]], "y_score must have outputs of at least 0, got negative values in row 1"),
    ],
)
def test_class_weights_check_their_scores(scores, message):
    assert message_of(ClassWeights([1, 2], classes="ab").decide, scores) == message


def test_class_weights_refuse_rows_of_unequal_length():
    message_of(ClassWeights([1, 2], classes="ab").decide, [[1, 2], [1]])


def test_class_weights_refuse_names_that_are_alike():
    message_of(ClassWeights, [1, 2], classes=[["a"], ["b"]])


def test_class_weights_survive_large_outputs():
    """Densities are legal outputs: their products may leave the range of doubles, their order may not."""
    point = ClassWeights([1e300, 1], classes="ab")
    assert point.decide([[1e300, 1], [1e-300, 1e300]]).tolist() == ["a", "b"]


def test_class_weights_keep_the_types_of_names():
    decided = ClassWeights([1, 2], classes=["a", 1]).decide([[1, 0], [0, 1]])
    assert list(decided) == ["a", 1]


# ---- Constraints ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("tpr>=0.9", ("tpr", ">=", 0.9)),
        (" fpr < .2 ", ("fpr", "<", 0.2)),
        ("error(a b)<=1e-1", ("error(a b)", "<=", 0.1)),
        ("max-class-error>0", ("max-class-error", ">", 0.0)),
    ],
)
def test_reads_constraints(text, parts):
    found = Constraint.parse(text)
    assert (found.measure, found.relation, found.bound) == parts


@pytest.mark.parametrize("text", ["tpr=0.9", "tpr", ">=0.9", "tpr>=", "tpr>=high", 0.9, None, "tpr>=nan"])
def test_refuses_constraints(text):
    assert message_of(Constraint.parse, text) == f"a constraint must read like 'tpr>=0.9', got {text!r}"


@pytest.mark.parametrize(
    ("relation", "held"),
    [
        (">=", [False, True, True]),
        (">", [False, False, True]),
        ("<=", [True, True, False]),
        ("<", [True, False, False]),
    ],
)
def test_constraints_hold(relation, held):
    found = Constraint("tpr", relation, 0.5).holds(np.array([0.25, 0.5, 0.75, math.nan]))
    assert found.tolist() == [*held, False]


# ---- Choosing a point -------------------------------------------------------------------------------------


def curve_and_points(table):
    pos, neg = table
    curve = RocCurve.from_table(ScoreTable.from_counts(range(len(pos), 0, -1), pos=pos, neg=neg))
    counts = curve.confusion()[:, :, 1].tolist()
    return curve, [(Fraction(fp, sum(neg)), Fraction(tp, sum(pos))) for fp, tp in counts]


@given(table=samples.counts())
def test_rules_choose_the_exact_best(table):
    curve, points = curve_and_points(table)
    assert curve.select() == decisions.select(points, decisions.youden_loss())
    assert curve.select(rule="youden") == decisions.select(points, decisions.youden_loss())
    assert curve.select(rule="closest") == decisions.select(points, decisions.corner_loss())


@given(
    table=samples.counts(),
    cost=st.sampled_from([1, 2, 0.5, (3, 1), {"fp": 1, "fn": 4}, (0, 1), (1, 0)]),
    prevalence=st.sampled_from([None, 0.5, 0.25, 0.125]),
)
def test_least_expected_cost(table, cost, prevalence):
    curve, points = curve_and_points(table)
    fp, fn = (
        {"fp": 1, "fn": 4}.values()
        if isinstance(cost, dict)
        else cost
        if isinstance(cost, tuple)
        else (1, cost)
    )
    share = Fraction(curve.n_pos, curve.n_pos + curve.n_neg) if prevalence is None else prevalence
    loss = decisions.expected_cost([[0, fp], [fn, 0]], share)
    assert curve.select(cost=cost, prevalence=prevalence) == decisions.select(points, loss)


@pytest.mark.parametrize(
    ("pos", "neg"),
    [([10_002, 3, 2, 3], [0, 1, 0, 3]), ([100_001, 2], [3, 2]), ([0, 1, 0, 3], [3, 2, 3, 10_002])],
    ids=["few negatives", "two thresholds", "few positives"],
)
def test_costs_of_unequal_classes_tie_exactly(pos, neg):
    """At the prevalence of the data the cost is a sum of counted errors: ties are exact, whatever it is."""
    curve, points = curve_and_points((pos, neg))
    share = Fraction(sum(pos), sum(pos) + sum(neg))
    for cost in (1, (2, 3), (3, 1)):
        fp, fn = cost if isinstance(cost, tuple) else (1, cost)
        loss = decisions.expected_cost([[0, fp], [fn, 0]], share)
        assert curve.select(cost=cost) == decisions.select(points, loss)


@given(table=samples.counts(), diagonal=st.sampled_from([(0, 0), (1, 0), (0, 1.5), (0.5, 0.5)]))
def test_costs_of_right_decisions_count_too(table, diagonal):
    curve, points = curve_and_points(table)
    cost = [[diagonal[0], 1], [2, diagonal[1]]]
    share = Fraction(curve.n_pos, curve.n_pos + curve.n_neg)
    best = decisions.best_points(points, decisions.expected_cost(cost, share))
    assert curve.select(cost=cost) in best
    values = curve.measure("cost", cost=cost)
    assert values[curve.select(cost=cost)] == pytest.approx(values.min(), abs=1e-12)


@given(table=samples.counts(), prevalence=st.sampled_from([0.5, 0.25, 0.125]))
def test_weighted_rules(table, prevalence):
    """With a prevalence the rules weigh false positives by (1 - p) / p, as pROC's best.weights do."""
    curve, points = curve_and_points(table)
    weight = (1 - Fraction(prevalence)) / Fraction(prevalence)
    found = curve.select(rule="youden", prevalence=prevalence)
    assert found == decisions.select(points, decisions.youden_loss(weight))
    found = curve.select(rule="closest", prevalence=prevalence)
    assert found == decisions.select(points, decisions.corner_loss(weight))


@given(table=samples.counts(), bound=st.integers(0, 10), strict=st.booleans())
def test_constraints_choose_the_exact_best(table, bound, strict):
    curve, points = curve_and_points(table)
    bound = Fraction(bound, 10)

    def meets(value):
        return value > bound if strict else value >= bound

    relation, other = (">", "<") if strict else (">=", "<=")
    cases = [
        (f"tpr{relation}{float(bound)}", lambda p: p[0], lambda p: meets(p[1])),
        (f"sensitivity{relation}{float(bound)}", lambda p: p[0], lambda p: meets(p[1])),
        (f"tnr{relation}{float(bound)}", lambda p: 1 - p[1], lambda p: meets(1 - p[0])),
        (
            f"fpr{other}{float(bound)}",
            lambda p: 1 - p[1],
            lambda p: p[0] < bound if strict else p[0] <= bound,
        ),
    ]
    for text, loss, feasible in cases:
        expected = decisions.select(points, loss, feasible)
        if expected is None:
            with pytest.raises(UndefinedError):
                curve.select(text)
        else:
            assert curve.select(text) == expected


@given(table=samples.counts(), bounds=st.tuples(st.integers(0, 10), st.integers(0, 10)))
def test_several_constraints_with_a_rule(table, bounds):
    curve, points = curve_and_points(table)
    tpr, fpr = Fraction(bounds[0], 10), Fraction(bounds[1], 10)
    expected = decisions.select(points, decisions.corner_loss(), lambda p: p[1] >= tpr and p[0] <= fpr)
    texts = f"tpr>={float(tpr)}", f"fpr<={float(fpr)}"
    if expected is None:
        with pytest.raises(UndefinedError):
            curve.select(*texts, rule="closest")
    else:
        assert curve.select(*texts, rule="closest") == expected


def exact_loss(rule, n_pos, n_neg, prevalence=None):
    """Each rule by the measure that it is named for, exactly."""
    share = Fraction(n_pos, n_pos + n_neg)

    def loss(point):
        fpr, tpr = point
        tp, fp = n_pos * tpr, n_neg * fpr
        values = decisions.measures(((int(n_neg - fp), int(fp)), (int(n_pos - tp), int(tp))), prevalence)
        positive = share * tpr + (1 - share) * fpr
        chi_square = (tpr - fpr) ** 2 / (positive * (1 - positive)) if 0 < positive < 1 else Fraction(0)
        return {
            "se=sp": abs((1 - tpr) - fpr),
            "max-product": -tpr * (1 - fpr),
            "max-accuracy": -values["accuracy"],
            "max-f1": -values["f1"],
            "max-kappa": -values["kappa"],
            "max-ppv": math.inf if values["precision"] is None else -values["precision"],
            "min-p": -chi_square,
        }[rule]

    return loss


@pytest.mark.parametrize("rule", sorted(set(RULES) - set(WEIGHING)))
@given(table=samples.counts(), prevalence=st.sampled_from([None, 0.25]))
def test_other_rules_choose_the_exact_best(rule, table, prevalence):
    curve, points = curve_and_points(table)
    loss = exact_loss(rule, sum(table[0]), sum(table[1]), prevalence)
    found = curve.select(rule=rule, prevalence=prevalence)
    best = decisions.best_points(points, loss)
    if prevalence is None:
        assert found == decisions.select(points, loss)
        assert {found.index, *found.equal} == set(best)
    else:  # shares round, and so may ties
        assert min(float(loss(points[k])) for k in best) == pytest.approx(float(loss(points[found.index])))


def test_the_smallest_p_value_is_that_of_chi_square():
    curve = RocCurve.from_table(
        ScoreTable.from_counts([5, 4, 3, 2, 1], pos=[3, 9, 8, 4, 1], neg=[1, 4, 6, 11, 18])
    )
    p = [stats.chi2_contingency(cells, correction=False).pvalue for cells in curve.confusion()[1:-1]]
    assert curve.select(rule="min-p") == 1 + int(np.argmin(p))
    kappa = [kappa_of(cells) for cells in curve.confusion()]
    assert curve.select(rule="max-kappa") == int(np.argmax(kappa))


def kappa_of(cells):
    from sklearn.metrics import cohen_kappa_score

    decided = np.repeat([0, 1, 0, 1], cells.ravel())
    return cohen_kappa_score(np.repeat([0, 0, 1, 1], cells.ravel()), decided)


def test_equal_points_of_a_rule_are_listed():
    curve = RocCurve.from_table(ScoreTable.from_counts([3, 2, 1], pos=[5, 0, 5], neg=[0, 5, 5]))
    point = curve.select(rule="se=sp")
    assert (point.index, point.equal) == (2, ())
    assert curve.select(rule="max-ppv").measures["precision"] == 1


@pytest.mark.parametrize("rule", sorted(set(RULES) - set(WEIGHING)))
def test_rules_that_weigh_no_errors_take_no_costs(rule):
    curve = RocCurve.from_table(ScoreTable.from_counts([2, 1], pos=[1, 1], neg=[1, 2]))
    with pytest.raises(RocInputError) as error:
        curve.select(rule=rule, cost=5)
    assert str(error.value) == f"cost must be left out with the rule {rule!r}, which weighs no errors, got 5"


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_selects_wherever_a_rule_does(rule):
    import rocscope as rs

    rng = np.random.default_rng(2)
    y = np.arange(60) % 2
    s = np.round(y + rng.normal(size=60), 1)
    threshold = rs.roc_curve(y, s).select(rule=rule).threshold
    assert rs.point_measures(y, s, rule=rule).threshold == threshold
    assert rs.cutpoint(y, s, rule=rule, n_boot=100, rng=1).threshold == threshold
    roc = rs.average_roc(y, s, fold=np.arange(60) // 2 % 3, points=10)
    assert roc.locate(rule) == roc.select(rule=rule)


def test_a_prevalence_does_not_change_what_a_constraint_asks_for():
    """Without a rule or costs "tpr>=0.9" requests the smallest FPR; a prevalence is for precision and NPV."""
    table = ScoreTable.from_counts([4, 3, 2, 1], pos=[90, 10, 0, 0], neg=[100, 5, 100, 795])
    curve = RocCurve.from_table(table)
    assert curve.select("tpr>=0.9") == 1
    assert curve.select("tpr>=0.9", prevalence=0.1) == 1


@pytest.mark.parametrize("rule", ["youden", "closest"])
def test_ties_go_to_the_smaller_false_positive_rate(rule):
    curve = RocCurve.from_table(ScoreTable.from_counts([4, 3, 2, 1], pos=[5, 3, 1, 1], neg=[1, 3, 3, 3]))
    points = curve_and_points(([5, 3, 1, 1], [1, 3, 3, 3]))[1]
    loss = {"youden": decisions.youden_loss(), "closest": decisions.corner_loss()}[rule]
    assert curve.select(rule=rule) == decisions.select(points, loss)


@pytest.mark.parametrize(
    ("rule", "missed", "alarms", "n_pos", "n_neg"),
    [
        ("youden", (1, 0), (0, 1), 20_000_000, 20_000_001),
        ("closest", (3, 2), (0, 2), 20_000_000, 20_000_000),
    ],
)
def test_points_of_large_data_that_nearly_tie_are_distinguished(rule, missed, alarms, n_pos, n_neg):
    """Counts are whole, so the better of two points can be known exactly: here it is the second."""
    pos = [n_pos - missed[0], missed[0] - missed[1], missed[1]]
    neg = [alarms[0], alarms[1] - alarms[0], n_neg - alarms[1]]
    curve = RocCurve.from_table(ScoreTable.from_counts([3, 2, 1], pos=pos, neg=neg))
    points = [(Fraction(fp, n_neg), 1 - Fraction(fn, n_pos)) for fn, fp in zip(missed, alarms, strict=True)]
    loss = {"youden": decisions.youden_loss(), "closest": decisions.corner_loss()}[rule]
    assert decisions.best_points(points, loss) == [1]
    assert curve.select(rule=rule) == 2


INFEASIBLE = [
    (["tpr>=2"], "no operating point has tpr>=2; alone, tpr reaches 1"),
    (
        ["tpr>=0.9", "fpr<=0.1"],
        "no operating point has tpr>=0.9 and fpr<=0.1; alone, tpr reaches 1, fpr reaches 0",
    ),
    (["precision<0.1"], "no operating point has precision<0.1; alone, precision reaches 0.5"),
]


@pytest.mark.parametrize(("constraints", "message"), INFEASIBLE)
def test_says_what_can_be_reached(constraints, message):
    with pytest.raises(UndefinedError) as error:
        roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).select(*constraints)
    assert str(error.value) == message


def test_says_when_a_bounded_measure_is_nowhere_defined():
    undefined = {"fpr": [0.0, 1.0], "tpr": [0.0, 1.0], "npv": [math.nan, math.nan]}
    with pytest.raises(UndefinedError) as error:
        select_point(lambda name: np.array(undefined[name]), ["npv>=0.5"])
    assert not str(error.value).endswith("alone, ")


SELECT_ERRORS = [
    (
        {"rule": "yoden"},
        "rule must be one of 'youden', 'closest', 'se=sp', 'max-product', 'max-accuracy', 'max-f1', "
        "'max-kappa', 'max-ppv', 'min-p', got 'yoden'; did you mean 'youden'?",
    ),
    ({"prevalence": 1.5}, "prevalence must lie between 0 and 1, got 1.5"),
    ({"prevalence": 0}, "prevalence must lie between 0 and 1, got 0"),
    ({"cost": {"fp": 1}}, "cost must name fp and fn, got {'fp': 1}"),
    ({"cost": -1}, "cost must hold finite costs of at least 0, not all 0, got -1"),
]


@pytest.mark.parametrize(("options", "message"), SELECT_ERRORS)
def test_refuses_selections(options, message):
    assert message_of(roc_curve([0, 1], [1, 2]).select, **options) == message


def test_costs_need_a_prevalence():
    rates = {"fpr": np.array([0.0, 1.0]), "tpr": np.array([0.0, 1.0])}
    found = message_of(select_point, rates.__getitem__, cost=2)
    assert found == "prevalence must be given with cost, got None"


def test_long_integers_stay_integers_in_json():
    long = 2**60
    for point in (
        Threshold(long + 1, reject=long - 1),
        Threshold(np.int64(long + 1)),
        Threshold(-long - 1, distance=True, reject=-long + 1),
    ):
        read = Threshold.from_json(point.to_json())
        assert read == point
        assert type(read.value) is int
    assert "got 1152921504606846977" in message_of(Threshold, long, reject=long + 1)
    curve = roc_curve([0, 1, 1], [long, long + 1, long + 3])
    assert json.loads(curve.to_json())["thresholds"] == [None, long + 3, long + 1, long]


def test_the_name_of_a_rule_stands_among_the_constraints():
    y, score = [0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.3]
    curve = rocscope.roc_curve(y, score)
    assert curve.select("youden") == curve.select(rule="youden")
    assert curve.select("tpr>=0.5", "closest") == curve.select("tpr>=0.5", rule="closest")
    assert rocscope.cutpoint(y, score, "youden", n_boot=100, rng=1).threshold == curve.select().threshold
    average = rocscope.average_roc(y, score, fold=[0, 1, 0, 1, 1, 0])
    assert average.select("youden").index == average.select(rule="youden").index
    assert curve.select("youden>=0.1").measures["tpr"] > 0  # a bound on the measure of this name
    with pytest.raises(RocInputError, match="did you mean 'youden'"):
        curve.select("yuden")
    with pytest.raises(RocInputError, match="rule must be one, got 'closest' and 'youden'"):
        curve.select("youden", rule="closest")
