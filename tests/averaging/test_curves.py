import json
import math
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from rocscope.averaging.curves import average_curves
from rocscope.averaging.roc import average_roc
from rocscope.core.curve import roc_curve
from rocscope.core.scores import ClassScores
from rocscope.errors import RocInputError, UndefinedError
from slow import average as slow

PLACES = [0.0, 0.25, 0.5, 0.75, 1.0]


@st.composite
def stratified(draw):
    """Both classes in every fold, ties common."""
    n_folds = draw(st.integers(2, 4))
    cells = [(c, f) for f in range(n_folds) for c in range(2) for _ in range(draw(st.integers(1, 4)))]
    y, fold = map(np.array, zip(*draw(st.permutations(cells)), strict=True))
    return y, np.array([draw(st.integers(0, 4)) / 4 for _ in y]), fold


def simulated(n=40, seed=0):
    rng = np.random.default_rng(seed)
    y = np.tile([0, 1], n)
    return y, rng.normal(size=2 * n) + y, np.repeat(np.arange(4), n // 2)


@pytest.mark.parametrize("along", ["fpr", "tpr"])
@given(data=stratified(), level=st.sampled_from([0.8, 0.95]))
def test_curves_by_hand(along, data, level):
    y, scores, fold = data
    found = average_curves(y, scores, fold=fold, along=along, x=PLACES, level=level)
    for k, x in enumerate(PLACES):
        values = slow.curve_mean(y.tolist(), scores.tolist(), fold.tolist(), x, along)
        assert found.values[:, k].tolist() == pytest.approx([*map(float, values)], abs=1e-12)
        assert found.mean[k] == pytest.approx(float(mean(values)), abs=1e-12)
        _, _, sem, n = slow.moments(values)
        reach = stats.t.ppf((1 + level) / 2, n - 1) * sem
        assert found.low[k] == pytest.approx(max(float(mean(values)) - reach, 0), abs=1e-12)
        assert found.high[k] == pytest.approx(min(float(mean(values)) + reach, 1), abs=1e-12)


@given(data=stratified())
def test_threshold_average_is_operating_point_averaging(data):
    y, scores, fold = data
    roc = average_roc(y, scores, fold=fold, points=101)
    found = average_curves(y, scores, fold=fold, along="threshold")
    np.testing.assert_array_equal(found.x, roc.points)
    np.testing.assert_array_equal(found.mean, roc.mean[:, 0])
    np.testing.assert_array_equal(found.fpr, roc.mean[:, 1])
    reach = stats.t.ppf(0.975, len(roc.folds) - 1) * roc.sem
    np.testing.assert_allclose(found.fpr_high, np.minimum(roc.mean + reach, 1)[:, 1], atol=1e-12)
    np.testing.assert_allclose(found.low, np.maximum(roc.mean - reach, 0)[:, 0], atol=1e-12)


def test_equal_folds_have_their_own_curve_as_mean():
    y, scores, _ = simulated()
    twice = average_curves(np.tile(y, 2), np.tile(scores, 2), fold=np.repeat([0, 1], len(y)))
    curve = roc_curve(y, scores)
    np.testing.assert_array_equal(twice.mean, curve.tpr_at(twice.x))
    np.testing.assert_array_equal(twice.low, twice.mean)
    left = average_curves(np.tile(y, 2), np.tile(scores, 2), fold=np.repeat([0, 1], len(y)), along="tpr")
    np.testing.assert_array_equal(left.mean, curve.fpr_at(left.x))
    np.testing.assert_array_equal(left.tpr, left.x)
    np.testing.assert_array_equal(left.fpr, left.mean)


def test_scores_on_other_scales_part_the_averages():
    """A fold whose scores are shifted keeps its curve, but not its rates at a threshold."""
    y, scores, fold = simulated()
    shifted = scores + 5.0 * fold
    before, after = (average_curves(y, s, fold=fold, x=PLACES) for s in (scores, shifted))
    np.testing.assert_array_equal(before.mean, after.mean)
    by_threshold = [average_curves(y, s, fold=fold, along="threshold", x=[0.5]) for s in (scores, shifted)]
    assert by_threshold[0].fpr[0] < 0.6
    assert by_threshold[1].fpr[0] > 0.75


def test_each_says_what_it_estimates():
    y, scores, fold = simulated()
    result = {
        along: average_curves(y, scores, fold=fold, along=along) for along in ("fpr", "tpr", "threshold")
    }
    assert len({curve.estimates for curve in result.values()}) == 3
    assert result["threshold"].estimates == (
        "the mean TPR and FPR of models that are all operated at this very threshold; the scores of folds "
        "must have one meaning"
    )
    text = str(result["fpr"]).splitlines()
    assert text[0] == (
        "Vertical average of 4 folds at 101 places of false positive rate, "
        "95% pointwise intervals (t over folds)"
    )
    assert text[1] == f"estimates {result['fpr'].estimates}"
    json.dumps([curve.to_dict() for curve in result.values()], allow_nan=False)
    assert [*result["tpr"].columns()] == ["x", "mean", "low", "high", "fpr", "fpr_low", "fpr_high"]


def test_a_fold_without_a_class_is_left_out_and_named():
    y, scores, fold = simulated()
    fold = np.append(fold, [7])
    found = average_curves(np.append(y, 1), np.append(scores, 0.5), fold=fold)
    assert found.folds == (0, 1, 2, 3)
    steps = "a fold has few steps: the interval may miss the mean curve of the models (docs/atlas.md)"
    assert found.warnings == ("1 of 5 folds lack a class and have no curve (7)", steps)
    np.testing.assert_array_equal(found.mean, average_curves(y, scores, fold=fold[:-1]).mean)


def test_two_folds_must_have_both_classes():
    with pytest.raises(UndefinedError) as error:
        average_curves([0, 1, 1], [1, 2, 3], fold=[0, 0, 1])
    assert str(error.value) == "an average of curves needs two folds that have both classes"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"along": "x"}, "along must be one of 'fpr', 'tpr', 'threshold', got 'x'"),
        ({"x": [0.5, 2]}, "x must hold rates from 0 to 1, got [0.5, 2]"),
        (
            {"x": [math.nan], "along": "threshold"},
            "x must have no missing scores, got NaN in row 0",
        ),
        ({"level": 1}, "level must lie between 0 and 1, got 1"),
        (
            {"y_score": np.ones((4, 2))},
            "y_score must be one-dimensional, got shape (4, 2)"
            "; of predict_proba pass the column of the positive class",
        ),
    ],
)
def test_refuses(options, message):
    call = {"y_true": [0, 1, 0, 1], "y_score": [1, 2, 3, 4], "fold": [0, 0, 1, 1]} | options
    with pytest.raises(RocInputError) as error:
        average_curves(**call)
    assert str(error.value) == message


def test_infinite_thresholds_are_distinguished_in_json():
    y, scores, fold = simulated()
    found = average_curves(
        y, np.where(scores > 1, np.inf, scores), fold=fold, along="threshold", x=[np.inf, 0, -np.inf]
    )
    assert json.loads(found.to_json())["x"] == ["inf", 0.0, "-inf"]
    assert found.warnings == ("infinite scores were ranked above or below all others",)


def test_scores_of_every_class_are_no_curve():
    data = ClassScores.from_arrays([0, 1, 0, 1], np.ones((4, 2)), classes=[0, 1], fold=[0, 0, 1, 1])
    with pytest.raises(RocInputError) as error:
        average_curves(data)
    assert str(error.value) == (
        "y_true must hold one score per case of two classes, got one for each of [0, 1]"
    )


def test_one_place_may_be_a_number():
    y, scores, fold = simulated()
    assert average_curves(y, scores, fold=fold, x=0.5).mean.shape == (1,)
    assert average_curves(y, scores, fold=fold, x=0.5, along="threshold").mean.shape == (1,)
