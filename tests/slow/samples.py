"""Random two-class data for the tests: always both classes, often ties, sometimes extreme scores."""

import math
import sys

import numpy as np
from hypothesis import strategies as st

LEVELS = st.integers(-2, 2).map(float)
NEAR_ONE = st.integers(0, 4).map(lambda k: 1.0 + k * sys.float_info.epsilon)
HARD = st.sampled_from(
    [
        *(0.0, -0.0, 5e-324, -5e-324, 1e-320, sys.float_info.min),
        *(1.0, math.nextafter(1.0, 2.0), 0.1 + 0.2, 0.3),
        *(-sys.float_info.max, sys.float_info.max, -math.inf, math.inf),
    ]
)
FLOATS = st.floats(-1e6, 1e6)
SCORES = st.one_of(LEVELS, NEAR_ONE, HARD, FLOATS)
BIG_INTEGERS = st.one_of(st.integers(2**53 - 2, 2**53 + 3), st.integers(-(2**63), 2**63 - 1))


@st.composite
def labelled(draw, elements=None, columns=1, min_each=1, max_size=24):
    """Labels and score columns; each column draws from one kind of scores, so that ties are common."""
    size = draw(st.integers(2 * min_each, max_size))
    n_pos = draw(st.integers(min_each, size - min_each))
    y = np.array(draw(st.permutations([1] * n_pos + [0] * (size - n_pos))))
    kinds = [elements] if elements is not None else [LEVELS, NEAR_ONE, HARD, FLOATS]
    made = [
        np.array(draw(st.lists(draw(st.sampled_from(kinds)), min_size=size, max_size=size)))
        for _ in range(columns)
    ]
    return y, (made[0] if columns == 1 else made)


@st.composite
def counts(draw, max_rows=12):
    """Counts per score of each class, best score first; both classes are there, no row is empty."""
    size = draw(st.integers(1, max_rows))
    cell = st.sampled_from([(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (2, 1), (1, 3), (5, 2), (0, 6)])
    rows = [list(row) for row in draw(st.lists(cell, min_size=size, max_size=size))]
    for of_class in (0, 1):
        if not any(row[of_class] for row in rows):
            rows[draw(st.integers(0, size - 1))][of_class] += 1
    return [pos for pos, _ in rows], [neg for _, neg in rows]
