"""Labelled samples and the containers they come in: ordinary, tied and degenerate data, arrays of every kind.

Everything is drawn as Python source, so that a failing call can be printed and pasted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Values = tuple[Any, ...]


@dataclass(frozen=True)
class Rows:
    """An array in source form: one value per row, and the container around the list of them."""

    values: Values
    container: str = "%s"

    def __str__(self) -> str:
        return self.container % source(self.values)

    def keep(self, rows: Sequence[int]) -> Rows:
        return replace(self, values=tuple(self.values[row] for row in rows))


def source(value: Any) -> str:
    """Python source of a value; lists of a matrix are lists of lists."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(source, value)) + "]"
    return repr(value)


# ---- Scores -----------------------------------


def informative(rng: np.random.Generator, codes: np.ndarray) -> np.ndarray:
    return codes * rng.choice([0.0, 0.5, 1.5]) + rng.normal(size=len(codes))


def one_digit(rng, codes):
    return np.round(informative(rng, codes), 1).tolist()


def continuous(rng, codes):
    return informative(rng, codes).tolist()


def probabilities(rng, codes):
    return (1 / (1 + np.exp(-informative(rng, codes)))).round(rng.choice([1, 3, 15])).tolist()


def ratings(rng, codes):
    return np.clip(np.round(2 + informative(rng, codes)), 1, 5).astype(int).tolist()


def constant(rng, codes):
    return [rng.choice([0.0, 0.5, -3.0, 1e300]).item()] * len(codes)


def perfect(rng, codes):
    return (codes * rng.choice([10.0, -10.0]) + np.round(rng.random(len(codes)), 1)).tolist()


def two_values(rng, codes):
    return rng.integers(0, 2, len(codes)).tolist()


def huge(rng, codes):
    return (informative(rng, codes).clip(-1, 1) * 1.7e308).tolist()


def tiny(rng, codes):
    return (rng.integers(-3, 4, len(codes)) * 5e-324).tolist()


def neighbours(rng, codes):
    return (1 + rng.integers(0, 4, len(codes)) * math.ulp(1)).tolist()


def large_integers(rng, codes):
    return [
        rng.choice([2**53, 2**62, 2**63 - 9]).item() + step
        for step in rng.integers(0, 5, len(codes)).tolist()
    ]


def large_integers_and_a_fraction(rng, codes):
    return [0.5 if row == 0 else value for row, value in enumerate(large_integers(rng, codes))]


def infinite(rng, codes):
    return [rng.choice([math.inf, -math.inf, value]).item() for value in one_digit(rng, codes)]


def missing(rng, codes):
    hole = [math.nan, None][rng.integers(2)]
    return [hole if rng.random() < 0.2 else value for value in one_digit(rng, codes)]


def signed_zeros(rng, codes):
    return rng.choice([0.0, -0.0, 1.0], len(codes)).tolist()


def sentinels(rng, codes):
    return [value if rng.random() < 0.9 else -99.0 for value in one_digit(rng, codes)]


ORDINARY = (one_digit, one_digit, continuous, ratings, probabilities)
DEGENERATE = (
    constant,
    perfect,
    two_values,
    huge,
    tiny,
    neighbours,
    large_integers,
    large_integers_and_a_fraction,
    infinite,
    missing,
    signed_zeros,
    sentinels,
)


# ---- Containers -----------------------------------

CONTAINERS = (
    "tuple(%s)",
    "np.array(%s)",
    "np.array(%s, dtype='float16')",
    "np.array(%s, dtype='float32')",
    "np.array(%s, dtype='longdouble')",
    "np.array(%s, dtype='>f8')",
    "np.array(%s, dtype='int8')",
    "np.array(%s, dtype='int64')",
    "np.array(%s, dtype='uint64')",
    "np.array(%s, dtype='bool')",
    "np.array(%s, dtype='object')",
    "np.array(%s, dtype='str')",
    "np.array(%s, dtype='S')",
    "np.array(%s, dtype='complex128')",
    "np.array(%s, dtype='datetime64[s]')",
    "np.repeat(np.array(%s), 2)[::2]",
    "np.flip(np.flip(np.array(%s)))",
    "np.broadcast_to(*(lambda a: (a, a.shape))(np.array(%s)))",
    "np.array([%s]).T",
    "np.ma.array(%s)",
    "np.ma.masked_equal(%s, 1)",
    "pd.Series(%s)",
    "pd.Series(dict(enumerate(%s, 1)))",  # another index: rows are not matched by position
    "pd.Series(%s, dtype='category')",
    "pd.Index(%s)",
    "pd.Categorical(%s)",
    "pd.array(%s)",
    "pd.array(%s, dtype='Float64')",
    "pd.array(%s, dtype='Int64')",
    "pd.array(%s, dtype='boolean')",
    "pd.Series(%s, dtype='string')",
    "pl.Series(%s)",
    "pl.Series(%s, strict=False)",
    "iter(%s)",
    "dict(enumerate(%s))",
    "memoryview(np.array(%s))",
)
MATRICES = (
    "tuple(%s)",
    "np.array(%s)",
    "np.array(%s, dtype='float32')",
    "np.array(%s, dtype='longdouble')",
    "np.array(%s, dtype='object')",
    "np.asfortranarray(%s)",
    "np.repeat(np.array(%s), 2, axis=0)[::2]",
    "np.ma.array(%s)",
    "pd.DataFrame(%s)",
    "pl.DataFrame(%s, orient='row')",
    "np.array([%s])",
    "np.array(%s).T",
)


# ---- Samples -----------------------------------

TWO_LABELS = ((0, 1), (0, 1), (-1, 1), (False, True), (0.0, 1.0))
# With these the positive class has to be named.
NAMED_LABELS = ((1, 2), ("no", "yes"), ("b", "a"), (5, 3), ("", " "), (2**60, 2**60 + 1))
CLASS_LABELS = (
    (0, 1, 2, 3, 4),
    ("low", "mid", "high", "top", "max"),
    (3, 1, 2, 5, 4),
    (-1.5, 0.0, 2.0, 2.5, 9.0),
)


def draw_codes(rng: np.random.Generator, classes: int, *, tame: bool) -> np.ndarray:
    """Classes of the rows: balanced or rare, one case of a class, one class alone, very few rows."""
    if tame:
        return rng.permutation(np.arange(rng.integers(6 * classes, 50)) % classes)
    n = int(rng.choice([0, 1, 2, 3, 5])) if rng.random() < 0.15 else int(rng.integers(6, 45))
    kind = rng.choice(["random", "in turn", "one case", "one class"], p=[0.6, 0.2, 0.15, 0.05])
    if kind == "in turn":
        return np.arange(n) % classes
    if kind == "one case":
        return np.minimum(np.arange(n), classes - 1)[::-1].copy()
    if kind == "one class":
        return np.full(n, rng.integers(classes))
    return np.searchsorted(np.cumsum(rng.dirichlet(np.full(classes, 3.0)))[:-1], rng.random(n))


def draw_scores(rng: np.random.Generator, codes: np.ndarray, *, tame: bool) -> Values:
    families = ORDINARY if tame or rng.random() < 0.4 else DEGENERATE
    return tuple(families[rng.integers(len(families))](rng, codes))
