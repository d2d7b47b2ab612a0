"""The call as a whole: bad input, undefined entries, what a result can do."""

import json
import pickle

import numpy as np
import pytest

from rocscope.core.scores import OrdinalScores
from rocscope.errors import ResourceError, RocInputError
from rocscope.ordinal import estimates
from rocscope.ordinal.roc import ordinal_roc

UNKNOWN = "y_true must hold only values in classes [1.0, 3.0], got [2.0]"
Y, E = [1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1]


def sample(n=200, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(1, 5, n)
    return y, y + rng.normal(0, 0.7, n)


# ---- Classes ----------------------------------------------------------------------------------------------


def test_text_needs_an_order():
    with pytest.raises(RocInputError) as error:
        ordinal_roc(["low", "mid", "high"], [1, 2, 3])
    assert str(error.value) == (
        "y_true must hold numbers, got text such as 'low': give its order as classes={label: number, ...}"
    )


def test_text_with_an_order_is_like_numbers():
    names = {1: "low", 2: "mid", 3: "high"}
    named = ordinal_roc([names[y] for y in Y], E, classes={"low": 1, "mid": 2, "high": 3})
    plain = ordinal_roc(Y, E)
    assert named.labels == ("low", "mid", "high")
    assert named.classes == plain.classes == (1.0, 2.0, 3.0)
    assert named.max_auc.tolist() == plain.max_auc.tolist()
    assert "max_auc(mid)" in named.estimates


@pytest.mark.parametrize(
    ("y", "e", "options", "message"),
    [
        ([1, 1], [1, 2], {}, "y_true must hold two or more classes, got only 1"),
        ([1, 1], [1, 2], {"classes": [1, 2]}, "y_true must hold two or more classes, got only 1"),
        (
            [1, 2],
            [1, 2],
            {"classes": [1, 3]},
            "y_true must hold only values in classes [1.0, 3.0], got [2.0]",
        ),
        ([1, 2, 3], [1, 2], {}, "y_true and y_pred must have the same length: y_true has 3, y_pred has 2"),
        ([1, None], [1, 2], {}, "y_true must have a label in every row, got missing labels in row 1"),
        ([1, 2], [1, np.nan], {}, "y_pred must have no missing scores, got NaN in row 1"),
        ([1, 2], [1, np.inf], {}, "y_pred must have finite estimates, got infinite values in row 1"),
        ([1, 2], ["1", "2"], {}, "y_pred must hold numbers, got text: '1'"),
        (
            ["a", "c"],
            [1, 2],
            {"classes": {"a": 1, "b": 2}},
            "y_true must hold only labels in classes ['a', 'b'], got ['c']",
        ),
        (
            [1, 2],
            [1, 2],
            {"closure": "flt"},
            "closure must be one of 'diagonal', 'flat', 'none', got 'flt'; did you mean 'flat'?",
        ),
        (
            [1, 2],
            [1, 2],
            {"fixed": "low"},
            "fixed must be one of 'lower', 'upper', got 'low'; did you mean 'lower'?",
        ),
        ([1, 2], [1, 2], {"level": 95}, "level must lie between 0 and 1, got 95"),
        (
            [2**53, 2**53 + 1],
            [1, 2],
            {},
            "y_true must hold numbers that float64 holds exactly, got longer integers",
        ),
        (
            [1, 2],
            [2**53, 2**53 + 1],
            {},
            "y_pred must hold numbers that float64 holds exactly, got longer integers",
        ),
        (
            [1, 2],
            np.array([[0.9, 0.1], [0.2, 0.8]]),
            {},
            "y_pred must be one number per case, got shape (2, 2); of predict_proba pass the expected class, "
            "probabilities @ classes",
        ),
        (
            [1, 2],
            [1, 2],
            {"classes": [1, 2, np.inf]},
            "classes must have finite numbers, got infinite ones in row 2",
        ),
        (
            ["a", "b"],
            [1, 2],
            {"classes": {"a": 1, "b": "2"}},
            "classes must have numbers, got str such as '2' in row 1",
        ),
        (
            ["a", "b"],
            [1, 2],
            {"classes": {"a": 1, "b": None}},
            "classes must have no missing scores, got missing values in row 1",
        ),
        (
            ["a", "b"],
            [1, 2],
            {"classes": ["a", "b"]},
            "y_true must hold numbers, got text such as 'a': give its order as classes={label: number, ...}",
        ),
    ],
)
def test_refuses(y, e, options, message):
    with pytest.raises(RocInputError) as error:
        ordinal_roc(y, e, **options)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "labels", [np.int64, np.float64, np.float32, np.int8, np.uint64, np.longdouble, ">i4", object]
)
def test_many_rows_pass_the_same_door(path, labels):
    y, e = sample()
    result = ordinal_roc(y.astype(labels), e)
    assert result == ordinal_roc(y.tolist(), e.tolist())


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ">f8"])
@pytest.mark.parametrize("labels", [[0.5, 1, 2, 0.5], [1, 2, 10**6, 1], [-3, 0, 2, 0], [0.0, 1.0, -0.0, 1.0]])
def test_labels_and_estimates_of_any_kind_pass_the_quick_door(path, labels, dtype):
    y = np.array(labels)
    e = np.array([0.75, 1.5, 2.25, 1.125], dtype)
    found, plain = (
        estimates.read_ordinal(kind, values).whole for kind, values in ((y, e), (labels, e.tolist()))
    )
    assert found.classes == plain.classes
    assert found.labels == plain.labels
    assert all(part.dtype == np.float64 for part in found.parts)
    assert all(np.array_equal(a, b) for a, b in zip(found.parts, plain.parts, strict=True))


def test_more_classes_than_a_byte_counts(path):
    y = np.repeat(np.arange(300), 2)
    e = y + np.tile([-0.2, 0.3], 300)
    assert estimates.read_ordinal(y, e).whole.sizes.tolist() == [2] * 300
    few = estimates.read_ordinal(y[:8], e[:8], classes=range(300)).whole
    assert few.sizes.tolist() == [2] * 4 + [0] * 296
    assert few.parts[3].tolist() == sorted(e[6:8])


def test_numbers_may_stand_for_other_numbers(path):
    y, e = sample()
    order = {1: 40, 2: 30, 3: 20, 4: 10}
    turned = ordinal_roc(y, 50 - 10 * e, classes=order)
    assert turned.labels == (4, 3, 2, 1)
    np.testing.assert_allclose(turned.max_auc, ordinal_roc(-y, -e).max_auc, rtol=1e-12)


def test_data_that_passed_the_door_passes_again():
    y, e = sample()
    fold = y % 2
    plain = ordinal_roc(y, e, fold=fold, classes=[1, 2, 3, 4, 5])
    assert ordinal_roc(OrdinalScores.from_arrays(y, e, fold=fold, classes=[1, 2, 3, 4, 5])) == plain
    with pytest.raises(RocInputError) as error:
        ordinal_roc(OrdinalScores.from_arrays(y, e), e)
    assert str(error.value) == "y_pred must be left out where y_true is an OrdinalScores, which holds it"


@pytest.mark.parametrize(
    ("y", "e", "options", "message"),
    [
        ([1.0, np.nan], [1, 2], {}, "y_true must have a label in every row, got missing labels in row 1"),
        ([1.0, np.inf], [1, 2], {}, "y_true must have finite classes, got infinite values in row 1"),
        ([1, 2], [1, np.inf], {}, "y_pred must have finite estimates, got infinite values in row 1"),
        ([1, 2, 2], [1, 2], {}, "y_true and y_pred must have the same length: y_true has 3, y_pred has 2"),
        (
            [1, 2],
            [1, 2],
            {"classes": [1, 3]},
            "y_true must hold only values in classes [1.0, 3.0], got [2.0]",
        ),
        ([2, 2], [1, 2], {}, "y_true must hold two or more classes, got only 2"),
    ],
)
def test_both_doors_refuse_alike(path, y, e, options, message):
    with pytest.raises(RocInputError) as error:
        ordinal_roc(np.array(y), np.array(e), **options)
    assert str(error.value) == message


def test_estimates_beyond_the_classes_are_legal():
    result = ordinal_roc([1, 1, 2, 2, 3, 3], [-100, 0.5, 2, 2, 50, 1e300])
    assert result.max_auc.tolist() == [1, 1, 1]


def test_order_of_rows_and_shift_of_scale_do_not_matter():
    y, e = sample()
    plain = ordinal_roc(y, e, thresholds="all")
    order = np.random.default_rng(2).permutation(y.size)
    assert ordinal_roc(y[order], e[order], thresholds="all") == plain
    doubled = ordinal_roc(2 * y, 2 * e, thresholds="all")
    assert doubled.max_auc.tolist() == plain.max_auc.tolist()
    assert (doubled.vus, doubled.kappa) == (plain.vus, plain.kappa)


def test_reversed_scale_turns_the_classes_round():
    y, e = sample()
    plain = ordinal_roc(y, e, thresholds=7, fixed="lower")
    turned = ordinal_roc(-y, -e, thresholds=7, fixed="upper")
    np.testing.assert_allclose(turned.max_auc[::-1], plain.max_auc, rtol=1e-12)
    np.testing.assert_allclose(turned.avg_auc[::-1], plain.avg_auc, rtol=1e-12)
    assert turned.vus == pytest.approx(plain.vus, rel=1e-12)


# ---- Undefined entries ------------------------------------------------------------------------------------


def test_small_classes_have_an_undefined_entry():
    result = ordinal_roc([1, 1, 2, 3, 3, 5, 5], [1, 1.2, 2.1, 2.9, 3, 5, 5], classes=[1, 2, 3, 4, 5])
    assert result.defined.tolist() == [True, False, True, False, True]
    assert (
        np.isnan(result.max_auc).tolist() == np.isnan(result.avg_auc).tolist() == (~result.defined).tolist()
    )
    assert [one.reason for one in result.curves] == [
        None,
        "class 2 has one member, not two",
        None,
        "class 4 has no member",
        None,
    ]
    assert (len(result.curves[1]), result.curves[1].max_auc, len(result.front[1])) == (0, None, 0)
    assert result.vus is None
    assert result.estimates["vus"].reason == "class 2 has one member, not two; class 4 has no member"
    assert np.isnan(result.adjacent).all()
    assert result.adjacent_auc is None
    assert result.overall.n_defined == 3
    assert result.warnings == (
        "overall areas are those of 3 of 5 classes: class 2 has one member, not two; class 4 has no member",
    )
    assert "Class 2 undefined: class 2 has one member, not two" in str(result)


def test_a_gap_without_a_threshold_leaves_no_curve():
    result = ordinal_roc(Y, E, thresholds=[2.5])
    assert result.defined.tolist() == [False, False, True]
    assert result.curves[0].reason == "no threshold lies between 1 and 2"
    (warning,) = result.warnings
    assert warning == "overall areas are those of 1 of 3 classes: no threshold lies between 1 and 2"
    assert (result.curves[0].best, result.curves[2].best) == (None, result.curves[2][0])
    alone = ordinal_roc([1, 1, 2, 2], [1, 1, 2, 2], thresholds="all")
    assert not alone.defined.any()
    assert alone.overall.max_macro is None
    assert alone.estimates["max_auc macro"].reason == "no class has curves"
    assert str(alone.overall) == "Overall undefined: no class has curves"
    assert alone.vus == 1


def test_overall_areas_are_averages():
    y, e = sample()
    result = ordinal_roc(y, e)
    sizes = np.bincount(y)[1:]
    assert result.overall.max_macro == pytest.approx(result.max_auc.mean())
    assert result.overall.avg_weighted == pytest.approx(np.average(result.avg_auc, weights=sizes))
    assert result.overall["max_weighted"] == pytest.approx(np.average(result.max_auc, weights=sizes))


# ---- The result -------------------------------------------------------------------------------------------


def test_result_is_strict_json_and_a_frame():
    y, e = sample()
    result = ordinal_roc(y, e, fold=y % 2, n_boot=100, rng=1)
    document = json.loads(result.to_json())
    assert document["curves"][0]["lower"] == [None]
    assert document["estimates"]["vus"]["value"] == result.vus
    frame = result.frame()
    assert frame["max_auc"].tolist() == result.max_auc.tolist()
    assert frame["label"].tolist() == [1, 2, 3, 4]
    for part in (*result.curves, *result.front, result.thresholds, result.folds, result.curves[1][0]):
        json.loads(part.to_json())
        assert len(part.frame()) >= 1
        assert str(part)


def test_curves_are_a_sequence():
    one = ordinal_roc(*sample()).curves[1]
    assert len(list(one)) == len(one) == 10
    assert one[-1] == one[9]
    assert one[3].auc == one.auc[3]
    assert (one[3].side, one[3].at) == ("lower", one.lower[3])
    assert (one.best.auc, one.best.at) == (one.max_auc, one.max_at)
    with pytest.raises(IndexError):
        one[10]


def test_result_survives_pickling():
    result = ordinal_roc(*sample(), fold=sample()[0] % 2, n_boot=100, rng=1)
    assert pickle.loads(pickle.dumps(result)) == result


def test_points_can_be_had_from_the_json():
    one = ordinal_roc(*sample()).curves[1]
    document = json.loads(one.to_json())
    assert np.subtract.outer(document["pos_upto"], document["pos_below"]).T.tolist() == one.tp.tolist()


def test_results_are_read_only():
    result = ordinal_roc(Y, E)
    with pytest.raises(ValueError, match="read-only"):
        result.max_auc[0] = 1


def test_more_places_than_memory_holds_are_refused_before_the_work():
    y = np.arange(10_000)
    with pytest.raises(ResourceError) as error:
        ordinal_roc(y, y + 0.5)
    assert str(error.value) == (
        "thresholds must be few enough to look up each in every class, at most 50,000,000 places, got "
        "999,900,000 for 99,990 thresholds and 10,000 classes"
    )


@pytest.mark.parametrize(
    ("scale", "where"),
    [
        (0.1, "all are nearest to class 1"),
        (100, "all are nearest to class 3"),
        (2, "5 of 9 lie beyond all classes"),
        (1.5, None),
        (1, None),
    ],
)
def test_estimates_that_are_not_on_the_scale_of_the_classes(scale, where):
    """Every threshold lies between two classes, so that such estimates say nothing."""
    y = [1, 1, 1, 2, 2, 2, 3, 3, 3]
    estimates = scale * np.array([0.7, 1.2, 1.6, 1.4, 2.1, 2.3, 2.4, 3.1, 3.3])
    found = ordinal_roc(y, estimates).warnings
    if where is None:
        assert found == ()
    else:
        low, high = estimates.min(), estimates.max()
        assert found == (
            f"the estimates, from {low:.4g} to {high:.4g}, do not look like estimates of the classes, "
            f"from 1 to 3: {where}; "
            'scale="rank" or scale="calibrated" puts them on the scale of the classes',
        )


def test_a_wide_gap_at_one_end_hides_no_foreign_scale():
    """Classes 1, 3, 4, 5 and estimates near 0.2: half of the first gap would still hold them."""
    estimates = np.linspace(0.03, 0.45, 40)
    found = ordinal_roc(np.tile([1, 3, 4, 5], 10), np.append(estimates[:-1], 2.07))
    assert "from 1 to 5: 39 of 40 lie beyond all classes" in found.warnings[0]
