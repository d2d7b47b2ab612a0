import dataclasses
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope import (
    BinaryScores,
    ClassScores,
    OrdinalScores,
    RocInputError,
    auc,
    partial_auc,
    preview_fusion,
    roc_band,
    roc_curve,
)
from slow import pairs, samples

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def message_of(call, *args, **options):
    with pytest.raises(RocInputError) as error:
        call(*args, **options)
    return str(error.value)


# ---- Two classes ------------------------------------------------------------------------------------------


@given(data=samples.labelled(min_each=2))
def test_variance_is_that_of_all_pairs(path, data):
    y, scores = data
    sums = BinaryScores.from_arrays(y, scores).sums()
    exact = pairs.delong_variance(y, scores)
    assert sums.auc == float(pairs.area(*pairs.split(y, scores)))
    assert abs(sums.delong_variance() - float(exact)) <= np.spacing(float(exact))


@given(data=samples.labelled(elements=samples.BIG_INTEGERS, min_each=2))
def test_variance_of_long_integers(path, data):
    y, scores = data
    sums = BinaryScores.from_arrays(y, scores).sums()
    exact = pairs.delong_variance(y, scores)
    assert sums.auc == float(pairs.area(*pairs.split(y, scores)))
    assert abs(sums.delong_variance() - float(exact)) <= np.spacing(float(exact))


@given(data=st.one_of(samples.labelled(), samples.labelled(elements=samples.BIG_INTEGERS)))
def test_placements_are_in_row_order(path, data):
    y, scores = data
    of_pos, of_neg = BinaryScores.from_arrays(y, scores).doubled_placements()
    exact_pos, exact_neg = pairs.placements(*pairs.split(y, scores))
    assert of_pos.tolist() == [2 * len(exact_neg) * v for v in exact_pos]
    assert of_neg.tolist() == [2 * len(exact_pos) * v for v in exact_neg]


def test_sums_beyond_64_bits_are_exact(path, monkeypatch):
    """The kernel's sums fit 64 bits only up to 4 m n max(m, n): beyond, Python's integers take over."""
    from rocscope.core import scores as module

    y, s = np.array([0, 0, 0, 1, 1]), np.array([1.0, 2, 3, 2, 4])
    expected = BinaryScores.from_arrays(y, s).sums()
    monkeypatch.setattr(module, "INT64_MAX", 4 * 2 * 3 * 3 - 1)
    assert BinaryScores.from_arrays(y, s).sums() == expected


@pytest.mark.parametrize("make", [lambda a: a[::2], lambda a: a[::-1], lambda a: a.astype(">f8")])
def test_any_memory_layout(path, make):
    y, s = np.array([0, 1, 0, 1, 1, 0]), np.array([1.0, 5, 3, 2, 4, 3])
    layout, labels = make(s), make(y.astype(float)).astype(int)
    expected = float(pairs.area(*pairs.split(labels.tolist(), layout.tolist())))
    assert BinaryScores.from_arrays(labels, layout).sums().auc == expected


def test_read_only_arrays(path):
    y, s = np.array(Y), np.array(S)
    y.flags.writeable = s.flags.writeable = False
    assert BinaryScores.from_arrays(y, s).sums().auc == 0.75
    assert BinaryScores.from_arrays(y, s).table().auc == 0.75
    assert BinaryScores.from_arrays(y, s).doubled_placements()[0].tolist() == [2, 4]


def test_inputs_are_left_as_they_were(path):
    y, s, w = np.array(Y), np.array(S), np.array([1.0, 2.0, 3.0, 0.5])
    data = BinaryScores.from_arrays(y, s, sample_weight=w)
    data.table(), data.doubled_placements()
    BinaryScores.from_arrays(y, s).sums()
    assert (y.tolist(), s.tolist(), w.tolist()) == (Y, S, [1.0, 2.0, 3.0, 0.5])


def test_classes_are_counted_and_named():
    data = BinaryScores.from_arrays(["ill", "well", "ill"], [3, 2, 1], pos_label="ill")
    assert (data.n_pos, data.n_neg, data.pos_label, data.neg_label) == (2, 1, "ill", "well")
    assert (data.names, data.warnings) == (("y_score",), ())


def test_infinite_scores_leave_a_warning():
    data = BinaryScores.from_arrays(Y, [0.1, -np.inf, 0.3, np.inf])
    assert data.warnings == ("infinite scores were ranked above or below all others",)


def test_several_classifiers():
    data = BinaryScores.from_arrays(Y, {"a": S, "b": [1, 2, 3, 4]})
    assert data.names == ("a", "b")
    assert (data.table(0).auc, data.table(1).auc) == (0.75, 1.0)


@pytest.mark.parametrize("weights", [[1, 2, 0, 3], [0.5, 0.25, 1.5, 1.0]])
def test_weights_count_rows(path, weights):
    table = BinaryScores.from_arrays(Y, S, sample_weight=weights).table()
    assert table.is_counted == all(isinstance(w, int) for w in weights)
    assert table.auc == float(pairs.weighted_area(Y, S, weights))
    assert table.scores.tolist() == sorted((s for s, w in zip(S, weights, strict=True) if w), reverse=True)


@given(
    data=samples.labelled(max_size=12).flatmap(
        lambda d: st.tuples(st.just(d), st.lists(st.integers(0, 3), min_size=d[0].size, max_size=d[0].size))
    )
)
def test_whole_weights_are_repetitions(path, data):
    (y, scores), weights = data
    repeated = np.repeat(y, weights)
    if len(set(repeated.tolist())) < 2:
        return
    one = BinaryScores.from_arrays(y, scores, sample_weight=weights)
    other = BinaryScores.from_arrays(repeated, np.repeat(scores, weights))
    assert one.sums() == other.sums()


def test_fractional_weights_have_no_placement_sums():
    """The sums are integers that count cases; with fractions of cases DeLong's variance has no meaning."""
    data = BinaryScores.from_arrays(Y, S, sample_weight=[0.5, 1, 1, 1])
    with pytest.raises(RocInputError):
        data.sums()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"y_true": [0, 1, 0]},
            "y_true and y_score must have the same length: y_true has 3, y_score has 4",
        ),
        (
            {"sample_weight": [1, 2]},
            "y_true and sample_weight must have the same length: y_true has 4, sample_weight has 2",
        ),
        (
            {"fold": [1, 2, 3]},
            "y_true and fold must have the same length: y_true has 4, fold has 3",
        ),
        (
            {"y_score": {"a": S, "b": [1, 2, 3]}},
            "y_true and scores['b'] must have the same length: y_true has 4, scores['b'] has 3",
        ),
        (
            {"y_score": {"a": S, "b": [1, 2, 3, None]}},
            "scores['b'] must have no missing scores, got missing values in row 3",
        ),
        (
            {"sample_weight": [1, 2, 0, 0]},
            "sample_weight must leave cases in both classes, got only 0 for the positive one",
        ),
        (
            {"sample_weight": [0, 0, 1, 0.5]},
            "sample_weight must leave cases in both classes, got only 0 for the negative one",
        ),
    ],
)
def test_refuses(options, message):
    options = {"y_true": Y, "y_score": S} | options
    y, s = options.pop("y_true"), options.pop("y_score")
    assert message_of(BinaryScores.from_arrays, y, s, **options) == message


@pytest.mark.parametrize("name", ["y_true", "sample_weight", "fold"])
def test_a_classifier_may_have_the_name_of_an_argument(name):
    found = message_of(BinaryScores.from_arrays, Y, {name: [1, 2, 3], "b": S})
    assert "must have the same length" in found


def test_names_that_read_the_same_are_refused():
    assert "names" in message_of(BinaryScores.from_arrays, Y, {1: S, "1": S})


@pytest.mark.parametrize("weight", [1e308, 5e-324, 1e-200])
def test_extreme_weights_are_relative_weights_or_refused(weight):
    try:
        table = BinaryScores.from_arrays(Y, S, sample_weight=[weight] * 4).table()
    except RocInputError:
        return
    assert table.auc == 0.75


def test_is_frozen():
    data = BinaryScores.from_arrays(Y, S)
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.names = ("b",)


# ---- Data that was checked before -------------------------------------------------------------------------


def test_checked_data_passes_again():
    data = BinaryScores.from_arrays(Y, S, sample_weight=[1, 2, 1, 1])
    assert BinaryScores.from_arrays(data, None) is data
    assert BinaryScores.from_arrays(data, None, pos_label=1) is data
    assert roc_curve(data).auc == roc_curve(Y, S, sample_weight=[1, 2, 1, 1]).auc


@pytest.mark.parametrize(
    "more", [{"y_score": S}, {"pos_label": 0}, {"sample_weight": [1, 1, 1, 5]}, {"fold": [1, 1, 2, 2]}]
)
def test_nothing_is_ignored_beside_checked_data(more):
    data = BinaryScores.from_arrays(Y, S)
    message_of(BinaryScores.from_arrays, data, **({"y_score": None} | more))


def test_one_curve_is_not_taken_silently_from_several_classifiers():
    data = BinaryScores.from_arrays(Y, {"a": S, "b": Y})
    for function in (roc_curve, auc):
        message_of(function, data)


@pytest.mark.parametrize("weights", [[0.5, 1, 1, 2], [0.5, 0.5, 1, 1]])
def test_fractional_weights_are_those_of_a_survey(weights):
    found = auc(BinaryScores.from_arrays(Y, S, sample_weight=weights))
    assert found.value == float(pairs.weighted_area(Y, S, weights))
    assert found == auc(Y, S, sample_weight=weights)
    # A table of weights no longer knows of the single cases.
    counted = auc(BinaryScores.from_arrays(Y, S, sample_weight=weights).table())
    assert (counted.value, counted.se) == (found.value, None)
    assert "weight" in counted.reason


def test_whole_weights_count_in_every_function():
    weights = [5, 1, 1, 5]
    data = BinaryScores.from_arrays(Y, S, sample_weight=weights)
    repeated = BinaryScores.from_arrays(np.repeat(Y, weights), np.repeat(S, weights))
    assert auc(data) == auc(repeated)
    one, other = (partial_auc(d, fpr=(0, 0.5), n_boot=100, rng=1) for d in (data, repeated))
    assert one.value == other.value


# ---- More classes -----------------------------------------------------------------------------------------


def test_class_scores_code_the_labels_in_the_order_of_the_columns():
    data = ClassScores.from_arrays(["b", "a", "c"], np.eye(3), classes=["c", "b", "a"], fold=[1, 1, 2])
    assert (data.codes.tolist(), data.classes) == ([1, 2, 0], ("c", "b", "a"))
    assert data.scores.dtype == np.float64
    assert data.fold.tolist() == [1, 1, 2]


def test_class_scores_need_not_sum_to_one():
    data = ClassScores.from_arrays([0, 1], [[5, 0], [0.1, 0.1]], classes=[0, 1])
    assert data.scores.tolist() == [[5, 0], [0.1, 0.1]]


CLASS_ERRORS = [
    (
        (["a", "b"], np.eye(2), {}),
        "classes must name the class of each score column, in order; y_true holds ['a', 'b']",
    ),
    (
        (["a", "b"], np.eye(2), {"classes": ["a", "a"]}),
        "classes must hold two or more different names, got ['a', 'a']",
    ),
    (
        (["a", "a"], [[1], [1]], {"classes": ["a"]}),
        "classes must hold two or more different names, got ['a']",
    ),
    (
        (["a", "c"], np.eye(2), {"classes": ["a", "b"]}),
        "y_true must hold only labels in classes ['a', 'b'], got ['c']",
    ),
    (
        (["a", None], np.eye(2), {"classes": ["a", "b"]}),
        "y_true must have a label in every row, got missing labels in row 1",
    ),
    (
        (["a", "b"], np.ones((2, 3)), {"classes": ["a", "b"]}),
        "y_score must have one column per class (2), got shape (2, 3)",
    ),
    (
        (["a", "b"], [1, 2], {"classes": ["a", "b"]}),
        "y_score must have one column per class (2), got shape (2,)",
    ),
    (
        (["a", "b"], [["1", "2"], ["3", "4"]], {"classes": ["a", "b"]}),
        "y_score must hold numbers, got text",
    ),
    (
        (["a", "b"], [[0, 1], [np.nan, np.inf]], {"classes": ["a", "b"]}),
        "y_score must have finite outputs, got NaN or infinite values in row 1",
    ),
    (
        (["a", "b"], [[-1, 1], [0, 1]], {"classes": ["a", "b"]}),
        "y_score must have outputs of at least 0, got negative values in row 0",
    ),
    (
        (["a", "b", "a"], np.eye(2), {"classes": ["a", "b"]}),
        "y_true and y_score must have the same length: y_true has 3, y_score has 2",
    ),
]


@pytest.mark.parametrize(("given", "message"), CLASS_ERRORS)
def test_class_scores_refuse(given, message):
    assert message_of(ClassScores.from_arrays, given[0], given[1], **given[2]) == message


def test_class_scores_refuse_named_columns_in_another_order():
    import pandas as pd

    frame = pd.DataFrame({"b": [0.3, 0.6], "a": [0.7, 0.4]})
    expected = "y_score must have its columns in the order of classes ['a', 'b'], got ['b', 'a']"
    assert message_of(ClassScores.from_arrays, ["a", "b"], frame, classes=["a", "b"]) == expected
    assert ClassScores.from_arrays(["a", "b"], frame[["a", "b"]], classes=["a", "b"]).scores[0, 0] == 0.7


@pytest.mark.parametrize(
    ("y", "scores", "classes"),
    [
        (["a", "b"], [[1, 2], [3]], ["a", "b"]),
        (["a", "b"], np.eye(2), 5),
        (["a", "b"], np.eye(2), [["a"], ["b"]]),
    ],
)
def test_class_scores_refuse_in_their_own_words(y, scores, classes):
    message_of(ClassScores.from_arrays, y, scores, classes=classes)


# ---- Ordered classes --------------------------------------------------------------------------------------


def test_ordinal_scores_of_text_need_its_order():
    order = {"low": 1, "mid": 2, "high": 4}
    data = OrdinalScores.from_arrays(["high", "low"], [3.5, 1], classes=order)
    assert (data.values.tolist(), data.classes) == ([4.0, 1.0], (1.0, 2.0, 4.0))


ORDINAL_ERRORS = [
    (
        (["low", "high"], [1, 2], {}),
        "y_true must hold numbers, got text such as 'low': give its order as classes={label: number, ...}",
    ),
    (
        (["low", "top"], [1, 2], {"classes": {"low": 1, "high": 2}}),
        "y_true must hold only labels in classes ['low', 'high'], got ['top']",
    ),
    (([1, 2], [1, np.inf], {}), "y_pred must have finite estimates, got infinite values in row 1"),
    (([1, 2], [1, np.nan], {}), "y_pred must have no missing scores, got NaN in row 1"),
    (([1, np.inf], [1, 2], {}), "y_true must have finite classes, got infinite values in row 1"),
    (([1, 3], [1, 2], {"classes": [1, 2]}), "y_true must hold only values in classes [1.0, 2.0], got [3.0]"),
    (
        ([1, 2, 3], [1, 2], {}),
        "y_true and y_pred must have the same length: y_true has 3, y_pred has 2",
    ),
]


@pytest.mark.parametrize(("given", "message"), ORDINAL_ERRORS)
def test_ordinal_scores_refuse(given, message):
    assert message_of(OrdinalScores.from_arrays, given[0], given[1], **given[2]) == message


@pytest.mark.parametrize("classes", [["low", "high"], 5, {"a": 1, "b": 1}])
def test_ordinal_scores_refuse_classes_that_are_no_order(classes):
    y = ["a", "b"] if isinstance(classes, dict) else [1, 2]
    assert message_of(OrdinalScores.from_arrays, y, [1, 2], classes=classes).startswith("classes must")


def test_missing_ordinal_labels_are_called_labels():
    expected = "y_true must have a label in every row, got missing labels in row 1"
    assert message_of(OrdinalScores.from_arrays, [1.0, np.nan], [1, 2]) == expected


def test_placement_sums_of_a_fraction():
    sums = BinaryScores.from_arrays(Y, S).sums()
    assert Fraction(sums.twice_u, 2 * sums.n_pos * sums.n_neg) == Fraction(3, 4)


# ---- Codes for missing values -----------------------------------------------------------------------------


def scored(values, codes=()):
    """Warnings of scores with codes put in place of some of them, but for one of their order."""
    values = np.array(values, dtype=np.float64)
    values[: len(codes)] = codes
    y = np.arange(len(values)) % 2
    found = tuple(text for text in roc_curve(y, values).warnings if "below 0.5" not in text)
    assert auc(y, values).warnings[: len(found)] == found
    return found


@pytest.mark.parametrize("code", [-9, -99, -999, -9999, 99, 999, 9999, 99999, 888, -77])
def test_codes_far_outside_are_reported(code):
    p = np.random.default_rng(0).random(50).round(2)
    words = f"hold {code} in 3 rows, far outside all others ({p[3:].min():g} to {p[3:].max():g})"
    advice = f"if it means missing, say so (see missing {code})"
    assert scored(p, [code] * 3) == (f"the scores {words}: {advice}",)


def test_codes_on_both_sides_and_several_on_one_are_reported():
    found = scored(np.linspace(0, 1, 40), [-99, -99, -88, -88, 999, 999])
    assert [text.split()[3] for text in found] == ["-99", "-88", "999"]
    of_ratings = scored(np.arange(40) % 5 + 1, [-99, -99])
    assert [text.split()[3] for text in of_ratings] == ["-99"]
    of_integers = scored(np.arange(101), [999, 999])
    assert [text.split()[3] for text in of_integers] == ["999"]


def test_codes_are_reported_with_the_name_of_their_score():
    y, p = np.arange(10) % 2, np.arange(10) / 10
    data = BinaryScores.from_arrays(y, {"a": p, "b": np.where(p < 0.2, -99, p)})
    (found,) = data.warnings
    assert found.startswith("the scores of 'b' hold -99 in 2 rows, far outside all others (0.2 to 0.9)")


def test_what_may_be_a_score_is_no_code():
    rng = np.random.default_rng(1)
    n = 500
    usual = {
        "uniform": rng.random(n),
        "normal": rng.normal(size=n),
        "lognormal": np.exp(3 * rng.normal(size=n)),
        "heavy tails": rng.standard_cauchy(n),
        "heavier tails": rng.standard_cauchy(n) ** 3,
        "whole heavy tails": np.round(rng.standard_cauchy(n)),
        "whole lognormal": np.round(np.exp(2 * rng.normal(size=n))),
        "counts": rng.poisson(3, n),
        "ratings": rng.integers(1, 6, n),
        "ratings to 9": rng.integers(1, 10, n),
        "per cent": rng.integers(0, 101, n),
        "up to 99": rng.integers(0, 100, n),
        "up to 999": rng.integers(0, 1000, n),
        "from -9 to 9": rng.integers(-9, 10, n),
        "two values": np.where(rng.random(n) < 0.5, 0, 99),
        "constant": np.full(n, 99.0),
        "codes alone": np.where(rng.random(n) < 0.5, -99, 99),
        "one extreme": np.append(rng.random(n - 1), 999),
        "another number": np.append(rng.random(n - 2), [500, 500]),
    }
    for name, values in usual.items():
        assert scored(values) == (), name
    for seed in range(200):  # whole numbers with few distinct values and a long tail
        rng = np.random.default_rng(seed)
        assert scored(np.round(rng.standard_cauchy(60) * 3)) == ()


def test_long_integers_and_infinite_scores_have_no_codes():
    y = [0, 1] * 3
    assert roc_curve(y, [2**60 + k for k in range(6)]).warnings == ()
    infinite = roc_curve(y, [-np.inf, -99, -99, 0.1, 0.2, 0.3]).warnings
    assert infinite == ("infinite scores were ranked above or below all others",)


# ---- Integers beyond 2**53 --------------------------------------------------------------------------------

LONG = 2**60


@pytest.mark.parametrize(
    "matrix",
    [
        [[LONG + 1, 0.5], [LONG + 2, 0.5]],
        pd.DataFrame({"a": [LONG + 1, LONG + 2], "b": [0.5, 0.5]}),
        np.array([[LONG + 1, 1], [LONG + 2, 1]]),
    ],
    ids=["lists", "frame", "array"],
)
def test_long_integers_beside_fractions_are_not_rounded_in_silence(matrix):
    words = "y_score must hold numbers that float64 holds exactly, got longer ones"
    assert message_of(ClassScores.from_arrays, [0, 1], matrix, classes=[0, 1]) == words


def test_long_floats_beside_fractions_are_exact():
    found = ClassScores.from_arrays([0, 1], [[2.0**60, 0.5], [2.0**61, 0.5]], classes=[0, 1])
    assert found.scores.tolist() == [[2.0**60, 0.5], [2.0**61, 0.5]]


def test_thresholds_are_compared_with_long_integers_exactly():
    floats = roc_band([0, 1, 1], [2.0**60, 2.0**60, 2.0**61], at="threshold", x=[LONG, LONG + 1])
    assert floats.mean.tolist() == [1.0, 0.5]
    integers = roc_band([0, 1, 1], [LONG, LONG + 1, LONG + 3], at="threshold", x=[LONG + 1, LONG + 2])
    assert integers.mean.tolist() == [1.0, 0.5]
    table = BinaryScores.from_arrays([0, 1, 1, 0], [LONG, LONG + 1, LONG + 2, LONG + 3]).table()
    assert [table.errors_at(cut) for cut in (LONG + 1, LONG + 2, float(LONG), 0.5)] == [1, 2, 2, 2]


def test_sums_of_long_integers_are_refused():
    scores = [LONG, LONG + 1, LONG + 2, LONG + 3]
    assert message_of(preview_fusion, [0, 0, 1, 1], scores, [1.0, 3.0, 2.0, 4.0]) == (
        "score_a must hold numbers that float64 holds exactly to be added up as they are, got longer "
        "integers; scale 'latent' takes them as ranks"
    )


@pytest.mark.parametrize(
    ("values", "code"),
    [
        (np.exp(np.linspace(1, 6, 60)), -99),  # 2.7 to 403, as concentrations are
        (np.linspace(4.5, 338, 60), -999),
        (np.linspace(0, 60, 61), -9),
        (np.linspace(1, 4, 60), 9),  # ratings and the code beside them
    ],
)
def test_codes_beside_skewed_values_are_reported(values, code):
    (found,) = scored(values, [code] * 2)
    assert f"hold {code} in 2 rows" in found


def test_one_negative_code_among_positive_values_is_reported():
    (found,) = scored(np.linspace(1, 400, 50), [-99])
    assert "hold -99 in 1 row, far outside" in found
    assert scored(np.linspace(-50, 400, 50), [-99]) == ()
