"""Results come back from their JSON with the picture and the text they had."""

import json
import math
import subprocess
import sys

import numpy as np
import pytest

import rocscope as rs
from every_result import every_result
from report_pages import Parsed
from rocscope import plotting
from rocscope.core.result import RESULT_CLASSES, Result, as_array
from rocscope.errors import RocInputError
from rocscope.reporting.page import page
from rocscope.reporting.saved import saved_results, saved_sections

# Types whose pictures show cases that are not saved, and what is left of them.
WITHOUT_CASES = {"binormal", "proper", "binormal pair", "model choice"}


def through_json(result):
    return json.loads(result.to_json())


@pytest.mark.parametrize("name", sorted(every_result()))
def test_a_saved_result_has_its_text_and_its_picture_again(name):
    result = every_result()[name]
    back = Result.from_dict(through_json(result))
    assert type(back) is type(result)
    assert str(back) == str(result)
    if name not in WITHOUT_CASES:
        assert plotting.record(plotting.picture(back)) == plotting.record(plotting.picture(result))


@pytest.mark.parametrize("name", sorted(every_result()))
def test_every_saved_result_has_a_section_with_a_reading(name):
    found = Parsed(page(saved_sections(saved_results(through_json(every_result()[name]))), title="t"))
    assert found.titles
    heads = " ".join(one.text for one in found.all("th", scope="col"))
    heads = heads.replace("score_a", "").replace("score_b", "")  # the names of the scores
    assert "_" not in heads
    assert all(len(reading) > 30 for reading in found.readings)
    assert found.readings
    assert found.data["s1-figures-data"]


def test_a_choice_of_a_model_comes_back_with_its_curves():
    result = every_result()["model choice"]
    back = Result.from_dict(through_json(result))
    assert back.rows == result.rows
    assert {name: type(fit) for name, fit in back.fits.items()} == {
        name: type(fit) for name, fit in result.fits.items()
    }
    shown, before = ([mark.label for mark in plotting.picture(one).panels[0].marks] for one in (back, result))
    assert shown == [label for label in before if not label.startswith("Empirical")]  # cases are not saved


def test_a_fit_says_that_its_cases_are_not_saved():
    found = Parsed(page(saved_sections(saved_results(through_json(every_result()["binormal"]))), title="t"))
    assert any("points of the data are not among the saved numbers" in note for note in found.notes)
    alone = Parsed(
        page(saved_sections(saved_results(through_json(every_result()["binormal alone"]))), title="t")
    )
    assert not any("not among the saved" in note for note in alone.notes)


@pytest.mark.slow
def test_a_type_that_is_not_imported_yet_is_found():
    code = (
        "from rocscope.core.result import Result\n"
        "import sys; assert 'rocscope.inference' not in sys.modules\n"
        "fields = {'type': 'CurveCrossings', 'dominant': 'equal'}\n"
        "fields |= dict.fromkeys(('fpr', 'tpr', 'first_above', 'second_above', 'equal'), [])\n"
        "print(Result.from_dict(fields))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("The curves are equal\n", "")


def test_a_class_reads_its_own_kind_alone():
    area = rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    assert rs.Estimate.from_dict(area.to_dict()) == area
    with pytest.raises(RocInputError) as error:
        rs.RocCurve.from_dict(area.to_dict())
    assert str(error.value) == "type must name a result type of rocscope, got 'AreaEstimate'"


def test_classes_of_others_are_not_registered():
    class Foreign(Result):
        pass

    assert "Foreign" not in RESULT_CLASSES
    assert all(kind.__module__.startswith("rocscope.") for kind in RESULT_CLASSES.values())


def test_missing_fields_are_named():
    with pytest.raises(RocInputError, match=r"^fields must be those of a saved Estimate: 'low'$"):
        Result.from_dict({"type": "Estimate", "value": 0.5})


def test_infinite_thresholds_and_rules_come_back():
    y, score = [0, 0, 1, 1] * 3, [-np.inf, 1.0, 2.0, np.inf] * 3
    roc = rs.average_roc(y, score, fold=[0] * 4 + [1] * 4 + [2] * 4, points=[np.inf, 1.5, -np.inf])
    assert Result.from_dict(through_json(roc)) == roc
    curve = rs.roc_curve(y, score)
    assert Result.from_dict(through_json(curve)) == curve
    point = rs.point_measures(y, score, threshold=np.inf)
    assert Result.from_dict(through_json(point)).threshold == np.inf
    ruled = every_result()["average of rules"]
    assert Result.from_dict(through_json(ruled)).points == ruled.points


def test_the_area_at_the_boundary_keeps_its_error():
    fit = rs.fit_binormal([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], proper=True)
    assert fit.status == "boundary"
    assert Result.from_dict(through_json(fit)).se_auc == fit.se_auc


def test_arrays_keep_their_kind():
    assert as_array([True, False]).dtype.kind == "b"
    assert as_array([1, 2]).dtype.kind == "i"
    assert as_array([[1, None]]).dtype.kind == "f"
    assert as_array(["1", "2"]).tolist() == ["1", "2"]
    assert as_array(["inf", "-inf"]).tolist() == [np.inf, -np.inf]


@pytest.mark.parametrize("kind", ["os", "Result", "Row", "__class__", "", None, ["Estimate"], {"a": 1}, 7])
def test_only_our_own_types_are_made(kind):
    with pytest.raises(RocInputError, match=r"^type must name a result type"):
        Result.from_dict({"type": kind, "name": "x"})


def test_thresholds_beyond_2_to_the_53_stay_integers():
    y, s = [0, 1] * 6, [2**60 + k * 3 % 7 for k in range(12)]
    fold = [0] * 6 + [1] * 6
    draws = {"n_boot": 100, "rng": 1}
    for result in (
        rs.roc_curve(y, s),
        rs.roc_curve(y, s).hull(),
        rs.roc_band(y, s, at="threshold"),
        rs.point_measures(y, s, threshold=2**60 + 2),
        rs.precision_recall(y, s, **draws),
        rs.cutpoint(y, s, **draws),
        rs.average_roc(y, s, fold=fold),
        rs.average_curves(y, s, fold=fold, along="threshold"),
    ):
        assert Result.from_dict(through_json(result)) == result
    point = Result.from_dict(through_json(rs.roc_curve(y, s))).point(1)
    assert point.threshold == 2**60 + 6
    assert type(point.threshold) is int


def test_an_interval_that_is_open_at_one_end_stays_so():
    point = rs.point_measures([0, 0, 1, 1], [1, 2, 3, 4], threshold=2, alternative="greater")
    assert point.lr_pos.high == math.inf
    again = Result.from_dict(through_json(point))
    assert again == point
    assert str(again.lr_pos) == str(point.lr_pos)


def test_a_curve_of_fractional_weights_keeps_its_sums():
    curve = rs.roc_curve([0, 0, 1, 1], [1, 2, 2, 3], sample_weight=[0.5, 1.5, 0.25, 0.5])
    again = Result.from_dict(through_json(curve))
    np.testing.assert_allclose(again.confusion(), curve.confusion(), rtol=1e-15)
