"""The thresholds of the gaps: given in any form, or refused."""

import math

import numpy as np
import pytest

from rocscope.errors import RocInputError
from rocscope.ordinal.roc import ordinal_roc

Y, E = [1, 1, 2, 2, 3, 3], [0.8, 1.6, 1.4, 2.2, 2.4, 3.1]


@pytest.mark.parametrize(
    "thresholds",
    [
        [1.25, 1.5, 1.75, 2.25, 2.5, 2.75],
        [[1.25, 1.5, 1.75], [2.25, 2.5, 2.75]],
        [[1.75, 1.25, 1.5], 2.25, (2.5, 2.75)],
        np.array([2.75, 1.25, 1.5, 1.75, 2.25, 2.5]),
        np.array([[1.25, 1.5, 1.75], [2.25, 2.5, 2.75]]),
        {(1, 2): [1.25, 1.5, 1.75], (2, 3): [2.25, 2.5, 2.75]},
    ],
)
def test_given_thresholds_find_their_gap(thresholds):
    assert ordinal_roc(Y, E, thresholds=thresholds) == ordinal_roc(Y, E, thresholds=3)


def test_gaps_may_be_named_by_labels():
    named = {"y_true": list("aabbcc"), "classes": {"a": 1, "b": 2, "c": 3}, "y_pred": E}
    found = ordinal_roc(**named, thresholds={("a", "b"): [1.5], ("b", "c"): 2.5})
    assert found == ordinal_roc(**named, thresholds={(1, 2): 1.5, (2, 3): 2.5})


def test_one_threshold_of_a_gap_may_stand_alone():
    assert ordinal_roc(Y, E, thresholds={(1, 2): 1.5, (2, 3): 2.5}) == ordinal_roc(Y, E, thresholds=1)


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        (0, "thresholds must be a whole number of at least 1, got 0"),
        (2.5, "thresholds must be a whole number of at least 1, got 2.5"),
        (None, "thresholds must be a whole number of at least 1, got None"),
        (
            "every",
            'thresholds must be a number of thresholds per gap, "all", thresholds, or a mapping '
            "(class, next class) -> thresholds, got 'every'",
        ),
        ([], "thresholds must hold at least one number, got none"),
        ([[], []], "thresholds must hold at least one number, got none"),
        ([1.5, 2], "thresholds must lie strictly between two neighbouring classes, got 2.0"),
        ([0.5], "thresholds must lie strictly between two neighbouring classes, got 0.5"),
        ([1.5, np.inf], "thresholds must lie strictly between two neighbouring classes, got inf"),
        ([1.5, 1.5], "thresholds must be different, got 1.5 twice"),
        (["a"], "thresholds must hold numbers, got text: 'a'"),
        ({(1, 3): [1.5]}, "thresholds must be of neighbouring classes such as (1, 2), got (1, 3)"),
        ({(1, 2): [2.5]}, "thresholds of the gap (1, 2) must lie inside it, got 2.5"),
        ({(1, 2): "x"}, "thresholds must hold numbers, got text: 'x'"),
        ({}, "thresholds must hold at least one number, got none"),
        (10**12, 'thresholds must be at most 1,000,000 per gap, or "all", got 1,000,000,000,000'),
    ],
)
def test_refuses_thresholds(thresholds, message):
    with pytest.raises(RocInputError) as error:
        ordinal_roc(Y, E, thresholds=thresholds)
    assert str(error.value) == message


def test_refuses_classes_too_close_for_thresholds():
    close = math.nextafter(1.0, 2.0)
    with pytest.raises(RocInputError) as error:
        ordinal_roc([1.0, close], [1, 2])
    assert str(error.value) == f"classes must lie further apart for 10 thresholds, got 1.0 and {close!r}"


@pytest.mark.parametrize("far", [-1e308, 0.0])
def test_refuses_classes_too_far_apart_for_thresholds(far):
    with pytest.raises(RocInputError) as error:
        ordinal_roc([far, far, 1e308, 1e308], [far, 1, 2, 1e308])
    assert str(error.value) == (f"classes must lie nearer together for 10 thresholds, got {far!r} and 1e+308")
    assert ordinal_roc([far, far, 1e308, 1e308], [far, 1, 2, 1e308], thresholds=[1.5]).vus == 1
