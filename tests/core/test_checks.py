import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from rocscope import RocInputError
from rocscope.core import checks

LONG = np.longdouble
LONG_IS_LONGER = np.finfo(LONG).nmant > np.finfo(float).nmant
needs_long = pytest.mark.skipif(not LONG_IS_LONGER, reason="longdouble is float64 on this platform")


def message_of(call, *args, **options):
    with pytest.raises(RocInputError) as error:
        call(*args, **options)
    return str(error.value)


# ---- Single arguments -------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0.95, np.float64(0.95), np.float32(0.5), Fraction(1, 2)])
def test_numbers_become_floats(value):
    found = checks.check_level(value)
    assert type(found) is float
    assert found == float(value)


NUMBERS = [
    (95, {"low": 0, "high": 1}, "level must lie between 0 and 1, got 95"),
    (0, {"low": 0, "high": 1}, "level must lie between 0 and 1, got 0"),
    (1.0, {"low": 0, "high": 1}, "level must lie between 0 and 1, got 1.0"),
    (1.5, {"low": 0, "high": 1, "closed": True}, "level must lie between 0 and 1 (both allowed), got 1.5"),
    (math.nan, {"low": 0, "high": 1}, "level must lie between 0 and 1, got nan"),
    (np.float32(2), {"low": 0, "high": 1}, "level must lie between 0 and 1, got 2.0"),
    (0, {"low": 0}, "level must be greater than 0, got 0"),
    (-1, {"low": 0, "closed": True}, "level must be at least 0, got -1"),
    (math.inf, {}, "level must be finite, got inf"),
    (math.nan, {"closed": True}, "level must be a number other than NaN, got nan"),
    ("0.9", {}, "level must be a number, got '0.9'"),
    (None, {}, "level must be a number, got None"),
    (True, {}, "level must be a number, got True"),
    (np.True_, {}, "level must be a number, got True"),
    (1j, {}, "level must be a number, got 1j"),
    ([0.9], {}, "level must be a number, got [0.9]"),
    (np.array([0.9]), {}, "level must be a number, got array([0.9])"),
]


@pytest.mark.parametrize(("value", "range_", "message"), NUMBERS)
def test_refuses_numbers(value, range_, message):
    assert message_of(checks.check_number, value, name="level", **range_) == message


def test_refuses_numbers_too_long_for_a_float():
    assert message_of(checks.check_level, 10**400).startswith("level must lie between 0 and 1, got 1000")


def test_closed_bounds_are_allowed():
    assert checks.check_number(1, name="x", low=0, high=1, closed=True) == 1.0
    assert checks.check_number(-math.inf, name="x", closed=True) == -math.inf


@pytest.mark.parametrize("value", [2, np.int64(2), np.uint8(2)])
def test_whole_numbers_become_ints(value):
    found = checks.check_integer(value, name="n", low=2)
    assert type(found) is int
    assert found == 2


@pytest.mark.parametrize(
    ("value", "shown"), [(1, "1"), (2.0, "2.0"), ("2", "'2'"), (True, "True"), (None, "None"), (-5, "-5")]
)
def test_refuses_other_than_whole_numbers(value, shown):
    expected = f"n must be a whole number of at least 2, got {shown}"
    assert message_of(checks.check_integer, value, name="n", low=2) == expected


CHOICES = [
    ("dlong", "; did you mean 'delong'?"),
    ("bootstrap", ""),
    (None, ""),
    (["delong"], "; did you mean 'delong'?"),
    (3, ""),
]


@pytest.mark.parametrize(("value", "hint"), CHOICES)
def test_refuses_choices(value, hint):
    found = message_of(checks.check_choice, value, ["delong", "wilson"], name="method")
    assert found == f"method must be one of 'delong', 'wilson', got {value!r}{hint}"


def test_refuses_alternatives():
    assert message_of(checks.check_alternative, "two.sided") == (
        "alternative must be one of 'two-sided', 'less', 'greater', got 'two.sided'; "
        "did you mean 'two-sided'?"
    )
    assert checks.check_alternative("less") == "less"


RANGES = [
    (0.5, "fpr must be a pair (low, high), got 0.5"),
    (None, "fpr must be a pair (low, high), got None"),
    ("ab", "fpr must be a pair (low, high), got 'ab'"),
    ((0, 0.5, 1), "fpr must be a pair (low, high), got (0, 0.5, 1)"),
    ((0.5, 0.2), "fpr must be a pair with low < high, got (0.5, 0.2)"),
    ((0.2, 0.2), "fpr must be a pair with low < high, got (0.2, 0.2)"),
    ((-0.1, 1), "fpr[0] must lie between 0 and 1 (both allowed), got -0.1"),
    ((0, 2), "fpr[1] must lie between 0 and 1 (both allowed), got 2"),
    ((0, math.nan), "fpr[1] must lie between 0 and 1 (both allowed), got nan"),
    (("0", 1), "fpr[0] must be a number, got '0'"),
]


@pytest.mark.parametrize(("value", "message"), RANGES)
def test_refuses_ranges(value, message):
    assert message_of(checks.check_range, value, name="fpr") == message


@pytest.mark.parametrize("value", [(0, 1), [0.0, 1.0], np.array([0, 1])])
def test_reads_ranges(value):
    assert checks.check_range(value, name="fpr") == (0.0, 1.0)


# ---- Arrays -----------------------------------------------------------------------------------------------

VECTORS = [
    (None, "y must be a one-dimensional array, got None"),
    ("0011", "y must be a one-dimensional array, got '0011'"),
    (b"01", "y must be a one-dimensional array, got b'01'"),
    (3, "y must be a one-dimensional array, got 3"),
    ({1: 2}, "y must be a one-dimensional array, got {1: 2}"),
    ({1}, "y must be a one-dimensional array, got {1}"),
    ([[1], [2, 3]], "y must be an array, got rows of unequal length"),
    (np.float64(3), "y must be a one-dimensional array, got 3.0"),
    (np.array(3.0), "y must be one-dimensional, got shape ()"),
    (
        np.ones((4, 2)),
        "y must be one-dimensional, got shape (4, 2); of predict_proba pass the column of the positive class",
    ),
    (np.ones((4, 2, 2)), "y must be one-dimensional, got shape (4, 2, 2)"),
    ([], "y must have at least one row, got none"),
]


@pytest.mark.parametrize(("value", "message"), VECTORS)
def test_refuses_other_than_vectors(value, message):
    assert message_of(checks.as_vector, value, name="y") == message


@pytest.mark.parametrize(
    "value",
    [
        [0.5, 1.0],
        (0.5, 1),
        np.array([0.5, 1], np.float16),
        np.array([0.5, 1], np.float32),
        np.array([0.5, 1], LONG),
        np.array([0.5, 1], ">f8"),
        np.array([0.5, 1], object),
        [Fraction(1, 2), 1],
        pd.Series([0.5, 1], index=[7, 7]),
        pd.Series([0.5, 1], dtype="Float64"),
        pd.Series([0.5, 1], dtype="float32"),
        pl.Series([0.5, 1]),
        pl.Series([0.5, 1], dtype=pl.Float32),
    ],
    ids=lambda v: f"{type(v).__name__}-{getattr(v, 'dtype', '')}",
)
def test_reads_scores_of_any_kind(value):
    found = checks.as_scores(value)
    assert found.dtype == np.float64
    assert found.tolist() == [0.5, 1.0]


@pytest.mark.parametrize("value", [[True, False], np.array([1, 0], np.uint8), pl.Series([1, 0]), [1, 0]])
def test_short_integers_become_floats(value):
    found = checks.as_scores(value)
    assert found.dtype == np.float64
    assert found.tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "value",
    [
        [2**53 + 1, 2**53],
        np.array([2**53 + 1, 2**53], np.uint64),
        np.array([2**53 + 1, 2**53], object),
        pd.Series([2**53 + 1, 2**53], dtype="Int64"),
        pl.Series([2**53 + 1, 2**53]),
        np.array([2**53 + 1, 2**53], ">i8"),
    ],
    ids=lambda v: f"{type(v).__name__}-{getattr(v, 'dtype', '')}",
)
def test_long_integers_stay_integers(value):
    found = checks.as_scores(value)
    assert found.dtype == np.int64
    assert found.tolist() == [2**53 + 1, 2**53]


@pytest.mark.parametrize("value", [[-(2**53), 2**53], [2**53, 0]])
def test_integers_that_doubles_hold_become_floats(value):
    assert checks.as_scores(value).dtype == np.float64


@pytest.mark.parametrize("value", [[-(2**53) - 1, 0], [2**63 - 1, -(2**63)]])
def test_integers_at_both_ends(value):
    found = checks.as_scores(value)
    assert found.dtype == np.int64
    assert found.tolist() == value


@pytest.mark.parametrize(
    "value",
    [
        [2**60, 2**60 + 1, 0.5],  # NumPy reads such a list as floats
        [np.int64(2**60), np.int64(2**60 + 1), 0.5],
        [-1, 2**63, 2**63 - 1],
        np.array([2**60, 2**60 + 1, 0.5], object),
        np.array([-1, 2**63 - 1, 2**63], object),
        [Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**20)],
        pytest.param(np.array([LONG(1) / 3, 1 / 3], object), marks=needs_long),
    ],
    ids=["floats", "NumPy integers", "signs", "object floats", "object signs", "fractions", "longdoubles"],
)
def test_numbers_are_never_rounded_silently(value):
    """Different scores stay different, or the column is refused."""
    try:
        found = checks.as_scores(value)
    except RocInputError:
        return
    assert len(set(found.tolist())) == len(set(value))


SCORES = [
    (["0.1", "0.2"], "y_score must hold numbers, got text: '0.1'"),
    ([0.1, "0.2"], "y_score must hold numbers, got text: '0.1'"),
    (np.array([0.1, "0.2", "x"], object), "y_score must have numbers, got str such as '0.2' in rows 1, 2"),
    ([b"1", b"2"], "y_score must hold numbers, got bytes: b'1'"),
    ([1j, 2], "y_score must hold numbers, got complex numbers: 1j"),
    (np.array([1j, 2], object), "y_score must have numbers, got complex such as 1j in row 0"),
    (np.array(["2020-01-01"], "M8[D]"), "y_score must hold numbers, got dates: datetime.date(2020, 1, 1)"),
    (np.array([1], "m8[D]"), "y_score must hold numbers, got durations: datetime.timedelta(days=1)"),
    (np.array(["0.1"], np.dtypes.StringDType()), "y_score must hold numbers, got text: '0.1'"),
    ([Decimal("0.1")], "y_score must have numbers, got Decimal such as Decimal('0.1') in row 0"),
    ([0.1, math.nan, 0.2, math.nan], "y_score must have no missing scores, got NaN in rows 1, 3"),
    ([math.nan] * 7, "y_score must have no missing scores, got NaN in rows 0, 1, 2, 3, 4 and 2 more"),
    ([0.1, None], "y_score must have no missing scores, got missing values in row 1"),
    (
        np.array([0.1, pd.NA, pd.NaT, math.nan], object),
        "y_score must have no missing scores, got missing values in rows 1, 2, 3",
    ),
    (pl.Series([1, None]), "y_score must have no missing scores, got NaN in row 1"),
    (np.array([2**63, 1], np.uint64), "y_score must hold integers below 2**63, got 9223372036854775808"),
    (
        np.array([0.5, 10**400], object),
        "y_score must hold numbers that fit 64 bits, got longer ones",
    ),
    (np.array([2**70, 1], object), "y_score must hold numbers that fit 64 bits, got longer ones"),
    ([2**70, 1], "y_score must hold numbers that fit 64 bits, got longer ones"),
]


@pytest.mark.parametrize(("value", "message"), SCORES)
def test_refuses_scores(value, message):
    assert message_of(checks.as_scores, value) == message


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "float64", "object"])
def test_refuses_missing_values_of_pandas(dtype):
    """Whether they arrive as NA or as NaN depends on the version of pandas."""
    found = message_of(checks.as_scores, pd.Series([1, None], dtype=dtype))
    assert found.startswith("y_score must have no missing scores, got ")
    assert found.endswith(" in row 1")


@needs_long
def test_longdoubles_must_fit_exactly():
    third = np.array([0.5, LONG(1) / 3], LONG)
    expected = "y_score must have scores that float64 holds exactly, got longer ones in row 1"
    assert message_of(checks.as_scores, third) == expected


@needs_long
def test_longdoubles_beyond_the_largest_double_are_refused():
    huge = np.array([LONG(2) ** 2000, LONG(2) ** 1999], LONG)
    expected = "y_score must have scores that float64 holds exactly, got longer ones in rows 0, 1"
    assert message_of(checks.as_scores, huge) == expected


def test_float32_and_float64_of_one_number_differ():
    """Widening keeps the float32 exactly; it is not the decimal number it was made from."""
    assert checks.as_scores(np.array([0.1], np.float32))[0] == np.float64(np.float32(0.1)) != 0.1


@pytest.mark.parametrize("masked", [[0, 1, 0], [1, 0, 0]])
def test_masked_values_are_missing_values(masked):
    values = np.ma.array([0.1, 0.2, 0.3], mask=masked)
    assert message_of(checks.as_scores, values).endswith(f"in row {masked.index(1)}")


def test_arrays_that_numpy_cannot_read_are_refused():
    message_of(checks.as_scores, pl.Series([1, 2**100], dtype=pl.Int128))


def test_an_unmasked_array_is_read():
    assert checks.as_scores(np.ma.array([0.5, 1.0])).tolist() == [0.5, 1.0]


# ---- Weights ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "kind"),
    [([1, 2], "i"), ([1.0, 2.0], "i"), ([True, False], "i"), ([0.5, 1], "f"), ([0, 0], "i")],
)
def test_whole_weights_are_integers(value, kind):
    found = checks.as_weights(value)
    assert found.dtype.kind == kind
    assert found.tolist() == value


WEIGHTS = [
    ([1, -1, -2], "sample_weight must have weights of at least 0, got negative values in rows 1, 2"),
    (
        [1, math.nan, math.inf],
        "sample_weight must have finite weights, got NaN or infinite values in rows 1, 2",
    ),
    (["a", "b"], "sample_weight must hold numbers, got text: 'a'"),
    (1, "sample_weight must be a one-dimensional array, got 1"),
    ([1j], "sample_weight must hold numbers, got complex numbers: 1j"),
]


@pytest.mark.parametrize(("value", "message"), WEIGHTS)
def test_refuses_weights(value, message):
    assert message_of(checks.as_weights, value) == message


def test_missing_weights_are_called_weights():
    found = message_of(checks.as_weights, [1, None, 2])
    assert found == "sample_weight must have no missing weights, got missing values in row 1"


# ---- Words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([4], "row 4"),
        ([4, 9], "rows 4, 9"),
        (range(5), "rows 0, 1, 2, 3, 4"),
        (range(6), "rows 0, 1, 2, 3, 4 and 1 more"),
    ],
)
def test_rows_are_listed_briefly(rows, words):
    assert checks.row_list(np.array(rows)) == words


def test_long_values_are_cut():
    assert checks.show("x" * 100) == "'" + "x" * 56 + "..."
    assert checks.show(np.int64(3)) == "3"


@pytest.mark.parametrize(
    ("array", "marked"),
    [
        (np.array([1.0, math.nan]), [False, True]),
        (np.array(["NaT", "2020-01-01"], "M8[D]"), [True, False]),
        (np.array([1, 2]), [False, False]),
        (
            np.array([None, math.nan, np.float32("nan"), pd.NA, pd.NaT, "", 0], object),
            [True] * 5 + [False] * 2,
        ),
    ],
)
def test_marks_what_is_missing(array, marked):
    assert checks.missing(array).tolist() == marked


def test_marks_missing_text():
    text = np.array(["a", None], np.dtypes.StringDType(na_object=None))
    assert checks.missing(text).tolist() == [False, True]


def test_weights_of_half_precision_overflow_nowhere():
    assert checks.as_weights(np.array([0, 3], dtype=np.float16), name="w").tolist() == [0, 3]


@pytest.mark.parametrize("value", [0.5, np.array(0.5), "ab", None, [0.1], (0.1, 0.2, 0.3)])
def test_a_range_is_a_pair(value):
    with pytest.raises(RocInputError, match=r"^fpr must be a pair \(low, high\), got "):
        checks.check_range(value, name="fpr")
