"""`analyse`: what a report consists of, from Python."""

import numpy as np
import pytest

import rocscope as rs
from rocscope.core.scores import ClassScores
from rocscope.errors import RocInputError
from rocscope.reporting import analysis
from rocscope.reporting.page import report_html

Y = np.arange(60) % 2
SCORE = np.round(Y + np.random.default_rng(3).normal(size=60), 2)
QUICK = {"n_boot": 100, "rng": 1}


def kinds(results):
    return [type(result).__name__ for result in results]


def test_the_results_are_those_of_the_functions():
    found = rs.analyse(Y, {"marker": SCORE}, select="tpr>=0.8", level=0.9, **QUICK).results["marker"]
    expected = ["RocCurve", *["RocBand"] * 3, *["AreaEstimate"] * 7, "PointMeasures", "CutPoint", "Binormal"]
    assert kinds(found) == expected
    for one, (at, x) in zip(found[2:4], analysis.FIXED.items(), strict=True):
        assert one.to_dict() == rs.roc_band(Y, SCORE, at=at, x=x, level=0.9, **QUICK).to_dict()
    found = [*found[:2], *found[4:]]
    assert found[2].to_dict() == rs.auc(Y, SCORE, level=0.9).to_dict()
    methods = ["score", "delong", "logit", "hanley-mcneil", "bamber", "agarwal", "bootstrap"]
    assert [area.method for area in found[2:9]] == methods  # the default first
    assert found[8].to_dict() == rs.auc(Y, SCORE, method="bootstrap", level=0.9, **QUICK).to_dict()
    assert found[9].to_dict() == rs.point_measures(Y, SCORE, select="tpr>=0.8", level=0.9).to_dict()
    assert found[10].to_dict() == rs.cutpoint(Y, SCORE, "tpr>=0.8", level=0.9, **QUICK).to_dict()


def test_several_scores_are_compared_and_fused():
    found = rs.analyse(Y, {"a": SCORE, "b": np.roll(SCORE, 2)}, fold=np.arange(60) // 15, **QUICK)
    assert list(found.results) == ["a", "b"]
    assert kinds(found.shared) == ["CurveComparison", "FusionPreview"]
    assert kinds(found.results["b"])[-1] == "PointComparison"
    assert [one.needs for one in found.omissions] == ["training"]


def test_other_kinds_of_classes():
    y, rng = np.arange(60) % 3, np.random.default_rng(2)
    outputs = rng.random((60, 3)) + np.eye(3)[y]
    found = rs.analyse(y, outputs, classes=[0, 1, 2], rng=1)
    assert kinds(found.shared) == ["MulticlassAuc", "MulticlassAuc", "AveragedRoc"]
    again = rs.analyse(ClassScores.from_arrays(y, outputs, classes=[0, 1, 2]), rng=1)
    assert str(again) == str(found)
    ordered = rs.analyse(y, y + rng.normal(size=60), ordinal=True, **QUICK)
    assert kinds(ordered.shared) == ["OrdinalRoc"]
    assert [one.needs for one in ordered.omissions] == ["fold", "training"]


def test_scores_of_ordered_classes_are_compared():
    y, rng = np.arange(60) % 3, np.random.default_rng(2)
    names = np.array(["low", "middle", "high"])
    scores = {"a": y + rng.normal(size=60), "b": y + 2 * rng.normal(size=60)}
    numbers = {"low": 0, "middle": 1, "high": 2}
    found = rs.analyse(names[y], scores, ordinal=True, classes=numbers, fold=np.arange(60) // 15, **QUICK)
    assert {name: kinds(own) for name, own in found.results.items()} == {
        "a": ["OrdinalRoc"],
        "b": ["OrdinalRoc"],
    }
    (compared,) = found.shared
    assert compared.to_dict() == rs.compare_ordinal(names[y], scores, classes=numbers, **QUICK).to_dict()
    assert [one.needs for one in found.omissions] == ["training"]
    assert found.results["b"][0].folds.folds == (0, 1, 2, 3)
    alone = rs.analyse(y, {"a": scores["a"]}, ordinal=True, **QUICK)
    assert (kinds(alone.results["a"]), alone.shared) == (["OrdinalRoc"], ())
    assert [one.needs for one in alone.omissions] == ["fold", "score", "training"]
    with pytest.raises(RocInputError, match="y_score must hold the estimates of one score or more, got none"):
        rs.analyse(y, {}, ordinal=True)


def test_the_rule_selects_the_point_of_the_page(parsed):
    y, rng = np.arange(60) % 3, np.random.default_rng(2)
    found = rs.analyse(
        y, rng.random((60, 3)) + np.eye(3)[y], classes=[0, 1, 2], rng=1, rule="mean-class-error"
    )
    index = found.shared[-1].select(rule="mean-class-error").index
    assert f"Chosen by mean-class-error is point {index}," in " ".join(parsed(report_html(found)).readings)
    point = rs.analyse(Y, SCORE, rule="closest", **QUICK).results["y_score"][11]
    assert point.threshold == rs.point_measures(Y, SCORE, rule="closest").threshold


def test_what_is_not_allowed_leaves_a_note_and_a_line_on_the_page(parsed):
    found = rs.analyse(Y, SCORE, select=["tpr>=1", "fpr<=0"], **QUICK)
    note, choice = found.notes
    assert choice.startswith("left out: the choice of the cut-off of y_score: no operating point has tpr>=1")
    assert note.startswith("left out: the point of y_score: no operating point has tpr>=1 and fpr<=0")
    page = parsed(report_html(found))
    assert page.titles[-1] == "What this report does not show, and why"
    lines = [one.text for one in page.all("li")]
    assert f"L{note[1:]}" in lines
    assert {str(one) for one in found.omissions} <= set(lines)
    assert not any("--" in line for line in lines)


def test_a_method_that_fails_costs_no_other(monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("rocscope.reporting.analysis.fit_binormal", broken)
    found = rs.analyse(Y, SCORE, **QUICK)
    assert kinds(found.results["y_score"])[-1] == "CutPoint"
    assert found.notes == (
        "left out: the binormal fit of y_score: a fault of rocscope itself, ZeroDivisionError: division by "
        "zero",
    )


def test_progress_names_each_step():
    steps = []
    rs.analyse(Y, SCORE, progress=lambda step, share: steps.append((step, share)), **QUICK)
    assert steps[0] == ("the band of y_score", 0.0)
    assert [share for _, share in steps] == sorted(share for _, share in steps)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "level must lie between 0 and 1, got 95"),
        ({"n_boot": 0}, "n_boot must be a whole number of at least 1, got 0"),
        ({"ordinal": True, "select": "tpr>=0.9"}, "select must be empty where classes are ordered"),
        ({"ordinal": True, "pos_label": 1}, "pos_label must be left out unless there are two classes"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(rs.RocInputError) as caught:
        rs.analyse(Y, SCORE, **options)
    assert str(caught.value).startswith(message)
