import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rocscope as rs
from reference_cases import case_data, load_reference
from rocscope.core import measures
from rocscope.core.result import Result
from rocscope.errors import RocInputError
from rocscope.inference.criterion_table import DEFAULT

REFERENCE = load_reference("points")
Y = [0, 0, 0, 0, 1, 1, 1]
S = [0.1, 0.2, 0.3, 0.7, 0.4, 0.8, 0.9]
# Measures of a point, by their names there; each has an interval.
ESTIMATED = (*DEFAULT, "balanced_accuracy", "f1")


@st.composite
def tied(draw):
    """Both classes, with ties between and within them."""
    score = st.integers(-3, 6).map(float)
    pos, neg = (draw(st.lists(score, min_size=1, max_size=14)) for _ in range(2))
    return [1] * len(pos) + [0] * len(neg), pos + neg


@given(
    tied(),
    st.sampled_from(["wilson", "exact"]),
    st.sampled_from([0.95, 0.8]),
    st.sampled_from([None, 0.03, 0.5]),
)
def test_every_row_is_that_of_the_point(case, interval, level, prevalence):
    """The slow twin: one threshold at a time."""
    y, s = case
    options = {"interval": interval, "level": level, "prevalence": prevalence}
    cuts = [*sorted(set(s)), 1.5, -9.0, 99.0, math.inf, -math.inf]
    table = rs.roc_curve(y, s).coords(cuts, measures=ESTIMATED, **options)
    for k, cut in enumerate(cuts):
        point = rs.point_measures(y, s, threshold=cut, **options)
        assert [table.columns()[cell][k] for cell in ("tp", "fp", "fn", "tn")] == [
            point.tp, point.fp, point.fn, point.tn,
        ]  # fmt: skip
        for row, name in enumerate(ESTIMATED):
            estimate = getattr(point, name)
            is_infinite = estimate.value is None and "infinite" in estimate.reason
            value = math.inf if is_infinite else estimate.value
            for array, number in (
                (table.values, value),
                (table.low, estimate.low),
                (table.high, estimate.high),
            ):
                expected = math.nan if number is None else number
                assert array[row, k] == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True), name


@given(tied(), st.sampled_from([None, 0.03]))
def test_values_are_those_of_the_curve(case, prevalence):
    curve = rs.roc_curve(*case)
    names = [*(name for name in measures.MEASURES if name != "cost"), *measures.ALIASES, "error(0)"]
    bare = curve.coords(measures=names, prevalence=prevalence, intervals=False)
    table = curve.coords(measures=names, prevalence=prevalence)
    assert (bare.interval, np.isnan(bare.low).all(), np.isnan(bare.high).all()) == (None, True, True)
    for row, name in enumerate(names):
        expected = curve.measure(name, prevalence=prevalence)
        assert bare.values[row].tolist() == pytest.approx(expected.tolist(), rel=1e-15, nan_ok=True)
        assert table.values[row].tolist() == pytest.approx(
            expected.tolist(), rel=1e-12, abs=1e-15, nan_ok=True
        )
        assert np.all((table.low[row] <= table.values[row]) | np.isnan(table.low[row]))
        assert np.all((table.high[row] >= table.values[row]) | np.isnan(table.high[row]))


@pytest.mark.parametrize("case", REFERENCE["cases"], ids=[case["name"] for case in REFERENCE["cases"]])
def test_agrees_with_proc(case):
    y, scores = case_data(case)
    cuts = [float(point["threshold"]) for point in case["points"]]
    table = rs.roc_curve(y, scores["a"]).coords(cuts).columns()
    for name in ("tp", "fp", "fn", "tn"):
        assert table[name].tolist() == [point[name] for point in case["points"]]
    for name in ("sensitivity", "specificity", "ppv", "npv", "accuracy"):
        expected = [math.nan if point[name] is None else point[name] for point in case["points"]]
        assert table[name].tolist() == pytest.approx(expected, rel=REFERENCE["tolerance"], nan_ok=True)
    youden = [point["youden"] - 1 for point in case["points"]]  # pROC's criterion is se + sp
    assert table["youden"].tolist() == pytest.approx(youden, rel=REFERENCE["tolerance"], abs=1e-14)


def test_all_thresholds_are_the_vertices():
    curve = rs.roc_curve(Y, S)
    table = curve.coords()
    assert table.measures == DEFAULT
    assert table.thresholds.tolist() == curve.thresholds.tolist()
    assert table.columns()["sensitivity"].tolist() == curve.tpr.tolist()
    assert (table.columns()["ppv"][0], table.columns()["ppv_low"][0]) == (
        pytest.approx(math.nan, nan_ok=True),
        pytest.approx(math.nan, nan_ok=True),
    )
    assert table.columns()["lr_pos"][1] == math.inf


def test_a_number_of_thresholds_is_spread_over_the_vertices():
    curve = rs.roc_curve(Y, S)
    assert curve.coords(1).thresholds.tolist() == [math.inf]
    assert curve.coords(3).thresholds.tolist() == curve.thresholds[[0, 4, 7]].tolist()
    assert curve.coords(99) == curve.coords()


def test_points_stand_for_their_thresholds():
    curve = rs.roc_curve(Y, S)
    point = curve.select("tpr>=0.9")
    assert curve.coords(point).thresholds.tolist() == [point.threshold]
    assert curve.coords([point, 0.5, rs.Threshold(0.2)]).thresholds.tolist() == [point.threshold, 0.5, 0.2]


def test_one_measure_and_exact_long_integers():
    curve = rs.roc_curve([0, 1, 1], [2**60, 2**60 + 1, 2**60 + 2])
    table = curve.coords([2**60 + 1, 2**60 + 2], measures="tpr")
    assert (table.measures, table.values.tolist()) == (("tpr",), [[1.0, 0.5]])


def test_infinite_scores_differ_from_no_case_at_all():
    curve = rs.roc_curve([0, 1, 1], [0.0, 1.0, math.inf])
    assert curve.coords(measures="tpr").values.tolist() == [[0.0, 0.5, 1.0, 1.0]]
    assert curve.coords([math.inf], measures="tpr").values.tolist() == [[0.5]]


def test_criteria_say_which_side_tests_positive():
    low = rs.roc_curve(Y, S, direction="lower").coords()
    assert low.criteria()[:2] == [f"< {min(S):g}", f"≤ {min(S):g}"]
    assert (low.table().columns[0], low.table().rows[1][0]) == ("Criterion", f"≤ {min(S):g}")
    near = rs.roc_curve([0, 1, 1], [0.12345671, 0.12345672, 0.12345673]).coords().criteria()
    assert near == ["> 0.12345673", "≥ 0.12345673", "≥ 0.12345672", "≥ 0.123456"]


def test_it_is_saved_and_read():
    table = rs.roc_curve(Y, S).coords([math.inf, 0.75, 0.5, -math.inf], prevalence=0.1)
    fields = json.loads(table.to_json())
    assert fields["thresholds"] == ["inf", 0.75, 0.5, "-inf"]
    assert fields["values"][2][:3] == [None, "inf", float(Fraction(8, 3))]
    assert Result.from_dict(fields) == table


def test_the_text_is_a_table():
    table = rs.roc_curve(Y, S).coords([0.75, 0.5], measures=["tpr", "lr_pos", "ppv"], prevalence=0.1)
    assert str(table) == (
        "Criterion table at 2 thresholds (95% intervals, wilson; prevalence 0.1)\n"
        "threshold  tpr                  lr_pos                     ppv\n"
        "     0.75  0.667 (0.208–0.939)  infinite (at least 0.987)  1.000 (0.099–1.000)\n"
        "      0.5  0.667 (0.208–0.939)  2.667 (0.567–14.890)       0.229 (0.059–0.623)"
    )
    many = rs.roc_curve(np.arange(100) % 2, np.arange(100)).coords(measures="tpr", intervals=False)
    assert str(many).startswith("Criterion table at 12 of 101 thresholds\nthreshold  tpr\n      inf  0.000\n")


def test_fractional_counts_have_values_alone():
    curve = rs.roc_curve(rs.ScoreTable.from_counts([0.1, 0.2, 0.3], pos=[0, 1.5, 1.0], neg=[0.5, 0, 0]))
    with pytest.raises(RocInputError, match=r"^intervals must be False for fractional weights: intervals "):
        curve.coords()
    assert curve.coords(measures="tpr", intervals=False).values.tolist() == [[0.0, 0.4, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"thresholds": "some"}, "thresholds must be one of 'all', got 'some'"),
        ({"thresholds": 0}, "thresholds must be a whole number of at least 1, got 0"),
        ({"thresholds": [math.nan]}, "thresholds must have no missing scores, got NaN in row 0"),
        ({"measures": ()}, "measures must name at least one measure, got none"),
        ({"measures": "tprr"}, "measure must be one of tpr"),
        ({"intervals": "no"}, "intervals must be True or False, got 'no'"),
        ({"prevalence": 2}, "prevalence must"),
        ({"interval": "wald"}, "interval must be one of 'wilson', 'exact', 'modified-wilson', got 'wald'"),
        ({"level": 95}, "level must"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(RocInputError) as refused:
        rs.roc_curve(Y, S).coords(**options)
    assert str(refused.value).startswith(message)


def test_the_picture_shows_both_rates():
    picture = rs.plotting.picture(rs.roc_curve(Y, S).coords())
    lines = [mark for mark in rs.plotting.record(picture)["panels"][0]["marks"] if mark["mark"] == "Line"]
    assert [line["label"] for line in lines] == ["Sensitivity", "Specificity"]
    assert lines[0]["x"] == sorted(S)
    other = rs.plotting.picture(rs.roc_curve(Y, S).coords(measures=["lr_pos", "ppv", "npv"], intervals=False))
    marks = rs.plotting.record(other)["panels"][0]["marks"]
    assert [mark["label"] for mark in marks] == ["Lr pos", "Ppv"]


def test_a_single_number_is_a_threshold():
    curve = rs.roc_curve(Y, S)
    assert curve.coords(0.22) == curve.coords([0.22])
    assert curve.coords(np.float64(0.5)) == curve.coords([0.5])
    cut = rs.cutpoint(Y, S, n_boot=100, rng=0)
    assert curve.coords(cut) == curve.coords([cut.threshold])
