import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocscope.core.significance import holm
from slow import pairs

P_VALUES = st.lists(st.none() | st.floats(0, 1) | st.sampled_from([0.01, 0.02, 0.5]), max_size=8)


@given(p_values=P_VALUES)
def test_holm_is_that_of_the_definition(p_values):
    found = holm([math.nan if p is None else p for p in p_values])
    for value, expected in zip(found, pairs.holm(p_values), strict=True):
        assert math.isnan(value) if expected is None else value == expected


@given(p_values=P_VALUES.filter(lambda ps: None not in ps), order=st.randoms(use_true_random=False))
def test_holm_does_not_depend_on_the_order(p_values, order):
    rows = list(range(len(p_values)))
    order.shuffle(rows)
    shuffled = holm([p_values[i] for i in rows])
    np.testing.assert_array_equal(shuffled, holm(p_values)[rows])


@pytest.mark.parametrize(
    ("p_values", "adjusted"),
    [([], []), ([0.2], [0.2]), ([0.5, 0.5], [1, 1]), ([0.01, math.nan, 0.04], [0.02, math.nan, 0.04])],
)
def test_holm_at_its_ends(p_values, adjusted):
    np.testing.assert_array_equal(holm(p_values), adjusted)


def test_leaves_its_input_alone():
    p_values = np.array([0.03, 0.01])
    holm(p_values)
    assert p_values.tolist() == [0.03, 0.01]
