"""Standard normal numbers inside compiled code."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rocscope.core.kernels.compiling import compiled
from rocscope.core.kernels.draws import _next_word, word

# One word has 64 bits, of which a number from -1 to 1 takes the upper 53.
STEP = 2.0**-52


@compiled
def draw_normals(n: int, state: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Draw n standard normals by Marsaglia's polar method; `state` of xoshiro256++ moves on.

    A point in the unit disc gives two of them; the second of the last pair is dropped where n is odd.
    """
    values = np.empty(n)
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    for place in range(0, n, 2):
        x, y, square = 0.0, 0.0, 0.0
        while square >= 1.0 or square == 0.0:
            first, s0, s1, s2, s3 = _next_word(s0, s1, s2, s3)
            second, s0, s1, s2, s3 = _next_word(s0, s1, s2, s3)
            x = float(first >> word(11)) * STEP - 1.0
            y = float(second >> word(11)) * STEP - 1.0
            square = x * x + y * y
        scale = math.sqrt(-2.0 * math.log(square) / square)
        values[place] = x * scale
        if place + 1 < n:
            values[place + 1] = y * scale
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return values


@compiled
def draw_cases(
    n: int, mean: NDArray[np.float64], root: NDArray[np.float64], state: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Draw n cases of a normal class, (cases, p); the covariance is the square of the triangle `root`."""
    p = mean.size
    noise = draw_normals(n * p, state)
    cases = np.empty((n, p))
    for i in range(n):
        for k in range(p):
            value = mean[k]
            for j in range(k + 1):
                value += root[k, j] * noise[i * p + j]
            cases[i, k] = value
    return cases
