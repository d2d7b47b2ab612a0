import dataclasses
import enum
import json
import math
import sys
from typing import Any

import numpy as np
import pytest

from rocscope import Estimate, ResourceError, TestResult
from rocscope.core.result import Result, Row, plain

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


def test_rows_are_results():
    assert issubclass(Row, Result)
