import dataclasses
import enum
import json
import math
import sys
import types
from typing import Any, get_type_hints

import numpy as np
import pytest
from numpy.typing import NDArray

import rocscope
from every_result import every_result
from rocscope import Estimate, ResourceError, RocInputError, TestResult, UndefinedError
from rocscope.core.result import RESULT_CLASSES, Result, Row, plain

ESTIMATE = Estimate(name="AUC", value=0.8, se=0.05, low=0.7, high=0.9, level=0.95, method="delong")
TEST = TestResult(name="A = B", method="delong", statistic=-2.209, df=None, p_value=0.02718)


class Colour(enum.Enum):
    RED = "red"


PLAIN = [
    (math.nan, None),
    (math.inf, None),
    (-math.inf, None),
    (np.float64("nan"), None),
    (np.float32(0.5), 0.5),
    (np.int64(3), 3),
    (np.True_, True),
    (np.str_("a"), "a"),
    (np.array([[1.0, np.nan], [np.inf, 2]]), [[1.0, None], [None, 2.0]]),
    (np.array([math.inf, 2**60], object), [None, 2**60]),
    (np.array([True, False]), [True, False]),
    ((1, (2, math.nan)), [1, [2, None]]),
    ({1: np.array([1]), "b": {"c": math.inf}}, {"1": [1], "b": {"c": None}}),
    (None, None),
    ("text", "text"),
    (Colour.RED, "red"),
]


@pytest.mark.parametrize(("value", "expected"), PLAIN)
def test_plain_values_are_strict_json(value, expected):
    found = plain(value)
    assert found == expected
    assert json.loads(json.dumps(found, allow_nan=False)) == expected


def test_results_inside_results():
    read = json.loads(json.dumps(plain([ESTIMATE, {"test": TEST}]), allow_nan=False))
    assert read[0]["type"] == "Estimate"
    assert read[1]["test"]["p_value"] == 0.02718


@pytest.mark.parametrize("result", [ESTIMATE, TEST])
def test_dictionaries_hold_every_field(result):
    names = {field.name for field in dataclasses.fields(result)}
    assert set(result.to_dict()) == names | {"type"}
    assert result.to_dict()["type"] == type(result).__name__
    assert json.loads(result.to_json()) == json.loads(result.to_json(indent=2)) == result.to_dict()


def test_json_keeps_text_and_digits():
    named = dataclasses.replace(ESTIMATE, name="Fläche", value=0.1 + 0.2)
    assert "Fläche" in named.to_json()
    assert json.loads(named.to_json())["value"] == 0.1 + 0.2


@pytest.mark.parametrize("result", [ESTIMATE, TEST])
def test_rows_read_like_mappings(result):
    assert dict(result)["method"] == "delong"
    assert result["name"] == result.name
    with pytest.raises(KeyError) as error:
        result["nothing"]
    assert error.value.args == ("nothing",)
    with pytest.raises(KeyError):
        result["to_dict"]


@pytest.mark.parametrize("result", [ESTIMATE, TEST])
def test_results_are_frozen(result):
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.method = "other"
    with pytest.raises((TypeError, AttributeError)):
        result.extra = 1
    assert dataclasses.replace(result) == result
    assert hash(dataclasses.replace(result)) == hash(result)


def test_frames():
    frame = ESTIMATE.frame()
    assert len(frame) == 1
    assert frame.loc[0, "value"] == 0.8
    assert frame.loc[0, "status"] == "ok"
    assert "warnings" not in frame.columns


def test_frames_need_pandas(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ResourceError) as error:
        ESTIMATE.frame()
    assert str(error.value) == "frame() needs pandas: pip install 'rocscope[pandas]'"


TEXTS = [
    (ESTIMATE, "AUC 0.8000 (95% interval 0.7000-0.9000, delong)"),
    (
        dataclasses.replace(ESTIMATE, level=0.999, low=0.65),
        "AUC 0.8000 (99.9% interval 0.6500-0.9000, delong)",
    ),
    (
        dataclasses.replace(ESTIMATE, low=None, high=None, reason="one case"),
        "AUC 0.8000 (no interval: one case)",
    ),
    (dataclasses.replace(ESTIMATE, value=None, reason="no cases"), "AUC undefined: no cases"),
    (TEST, "A = B: statistic -2.209, p = 0.02718 (delong, two-sided)"),
    (
        dataclasses.replace(TEST, df=7.5, alternative="less"),
        "A = B: statistic -2.209 with 7.5 df, p = 0.02718 (delong, less)",
    ),
    (dataclasses.replace(TEST, p_value=None, reason="no variance"), "A = B undefined: no variance"),
]


@pytest.mark.parametrize(("result", "text"), TEXTS)
def test_texts(result, text):
    assert str(result) == text


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Result):
    numbers: Any
    hidden: Any = dataclasses.field(default=None, repr=False)


def test_hidden_fields_stay_out_of_dictionaries():
    assert Sample(numbers=np.array([1, np.nan]), hidden=object()).to_dict() == {
        "type": "Sample",
        "numbers": [1.0, None],
    }


def test_arrays_are_read_back_by_the_type_of_their_field_however_it_is_spelt(monkeypatch):
    aliases = types.SimpleNamespace(Counts=NDArray[np.int64])

    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Spelt(Result):
        by_alias: aliases.Counts
        optional: NDArray[np.float64] | None
        several: tuple[aliases.Counts, ...]
        names: tuple[str, ...]

    monkeypatch.setitem(RESULT_CLASSES, "Spelt", Spelt)
    made = Spelt(
        by_alias=np.array([1, 2]), optional=np.array([0.5]), several=(np.array([3]),), names=("inf", "b")
    )
    again = Result.from_dict(json.loads(made.to_json()))
    assert again == made
    assert isinstance(again.by_alias, np.ndarray)
    assert isinstance(again.several[0], np.ndarray)
    assert again.names == ("inf", "b")


def test_the_types_of_all_fields_are_known():
    with pytest.raises(RocInputError, match="must name a result type"):
        Result.from_dict({"type": "none of them"})  # imports every room
    for kind in RESULT_CLASSES.values():
        assert get_type_hints(kind, localns=RESULT_CLASSES)


def test_rows_are_results():
    assert issubclass(Row, Result)


# ---- Warnings ---------------------------------------------------------------------------------------------


def test_warnings_are_notes_of_the_text():
    below = rocscope.auc([1, 1, 0, 0], [1, 2, 3, 2.5])
    assert below.warnings
    assert str(below).splitlines() == [below.summary(), *(f"note: {text}" for text in below.warnings)]
    assert "note" not in below.summary()


@pytest.mark.parametrize("call", ["roc_curve", "auc", "net_benefit", "roc_band", "precision_recall"])
def test_infinite_scores_are_a_note_of_every_text(call):
    options = {"at": "threshold"} if call == "roc_band" else {}
    scores = [0.1, 0.9, 0.2, 0.8] if call == "net_benefit" else [0.1, math.inf, 0.2, 0.8]
    result = getattr(rocscope, call)([0, 1, 0, 1], scores, **options)
    text = "note: infinite scores were ranked above or below all others"
    assert str(result).splitlines().count(text) == (call != "net_benefit")


def test_warnings_of_parts_are_notes_with_the_names_of_the_parts():
    y, scores = [0, 0, 1, 1, 2, 2], [[3, 1, 0], [3, 2, 0], [1, 3, 0], [2, 3, 0], [0, 1, 3], [0, 2, 3]]
    areas = rocscope.multiclass_auc(y, scores, classes=[0, 1, 2])
    separated = "the classes are separated: the interval is the exact bound for an area of 1"
    assert [line for line in str(areas).splitlines() if "note" in line] == [f"note: {separated}"]
    point = rocscope.point_measures([0, 0, 1, 1], [1, 2, 3, 4], threshold=3, ratio_interval="log")
    (note,) = (line for line in str(point).splitlines() if line.startswith("note: LR"))
    assert note.startswith("note: LR+, LR-: the interval is combined from those of the two shares")


def test_no_warning_is_reported_twice():
    for name, result in every_result().items():
        notes = [line for line in str(result).splitlines() if line.startswith("note: ")]
        assert len(set(notes)) == len(notes), name
        for text in getattr(result, "warnings", ()):
            assert str(result).count(text) == 1, name


def subclasses(kind):
    for one in kind.__subclasses__():
        yield from (one, *subclasses(one))


def test_every_type_leaves_the_notes_to_the_base_class():
    every_result()  # loads the types
    assert not [kind for kind in subclasses(Result) if "__str__" in vars(kind)]


# ---- Labels of every type ---------------------------------------------------------------------------------


def test_labels_of_long_doubles_are_numbers_in_json():
    y = np.array([1, 1, 2, 2], dtype=np.longdouble)
    curve = rocscope.roc_curve(y, [1, 2, 3, 1.5], pos_label=np.longdouble(2))
    read = json.loads(curve.to_json())
    assert (read["neg_label"], read["pos_label"]) == (1.0, 2.0)
    point = curve.point(1)
    assert rocscope.Threshold.from_json(point.to_json()) == point.decision
    assert plain(np.array([0.5], np.longdouble)) == [0.5]
    assert plain(np.clongdouble(1j)) == "1j"


# ---- An estimate as a number ------------------------------------------------------------------------------

UNDEFINED = dataclasses.replace(
    ESTIMATE, value=None, se=None, low=None, high=None, status="undefined", reason="no cases"
)


def test_an_estimate_is_its_value_as_a_number():
    assert float(ESTIMATE) == 0.8
    assert (f"{ESTIMATE:.2f}", f"{ESTIMATE:8.1%}", f"{ESTIMATE}") == ("0.80", "   80.0%", str(ESTIMATE))
    assert np.asarray([ESTIMATE, ESTIMATE], dtype=float).tolist() == [0.8, 0.8]
    assert max([ESTIMATE, dataclasses.replace(ESTIMATE, value=0.9)], key=float).value == 0.9


@pytest.mark.parametrize(
    "number", [int, float, np.float64, np.int64, lambda x: dataclasses.replace(ESTIMATE, value=x)]
)
def test_estimates_are_ordered_by_value(number):
    area = ESTIMATE
    low, high = number(0), number(1)
    assert low < area < high
    assert low <= area <= high
    assert high > area > low
    assert high >= area >= low
    assert not area < low
    assert not area > high
    assert area <= area
    assert not area < area
    assert area != 0.8  # equality is that of all fields
    assert sorted([UNDEFINED, area], key=lambda one: one.value is None) == [area, UNDEFINED]


def test_an_undefined_estimate_is_no_number():
    area = ESTIMATE
    for use in (
        float,
        lambda e: f"{e:.2f}",
        lambda e: e < 1,
        lambda e: e >= area,
        lambda e: area > e,
    ):
        with pytest.raises(UndefinedError) as error:
            use(UNDEFINED)
        assert str(error.value) == "AUC undefined: no cases"
    assert f"{UNDEFINED}" == "AUC undefined: no cases"
    for other in ("0.5", None, 1j):
        with pytest.raises(TypeError, match="not supported between instances"):
            assert area < other
