"""The random choices of one call: a labelled sample, and arguments in source form that fit to it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import Parameter
from typing import Any

import numpy as np

from stress.namespace import NAMES
from stress.samples import (
    CLASS_LABELS,
    CONTAINERS,
    MATRICES,
    NAMED_LABELS,
    TWO_LABELS,
    Rows,
    draw_codes,
    draw_scores,
)


@dataclass(frozen=True)
class Argument:
    """Source of one argument: text and arrays in turn."""

    pieces: tuple[str | Rows, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.pieces))


def text(*pieces: Any) -> Argument:
    """Join pieces (texts, rows, other arguments, plain values) to one argument."""
    flat: list[str | Rows] = []
    for piece in pieces:
        flat.extend(piece.pieces if isinstance(piece, Argument) else [piece])
    return Argument(tuple(piece if isinstance(piece, Rows) else str(piece) for piece in flat))


class Draw:
    """The random choices of one call: a labelled sample, and values for parameters that fit to it."""

    def __init__(self, rng: np.random.Generator, parameters: Mapping[str, Parameter]) -> None:
        self.rng = rng
        self.tame = bool(rng.random() < 0.5)  # an ordinary call, which gets far
        self.kind = self._kind(set(parameters))
        n_classes = 2 if self.kind == "two" else int(rng.choice([2, 3, 3, 4, 5]))
        self.codes = draw_codes(rng, n_classes, tame=self.tame)
        names = CLASS_LABELS[rng.integers(len(CLASS_LABELS))]
        if self.kind == "two":
            named = NAMED_LABELS if "pos_label" in parameters and rng.random() < 0.3 else TWO_LABELS
            names = named[rng.integers(len(named))]
        self.names = names[:n_classes]
        self.needs_pos_label = self.names in NAMED_LABELS
        # Sometimes one object in the place of the labels holds the scores as well.
        scores = parameters.keys() & {"y_score", "scores", "score_a", "y_pred"}
        may_be_packed = any(parameters[name].default is None for name in scores)
        self.packed = may_be_packed and bool(rng.random() < 0.08)

    def _kind(self, parameters: set[str]) -> str:
        if parameters & {"y_pred", "ordered"}:  # one score for all classes
            return "ordered"
        if "classes" in parameters and ("pos_label" not in parameters or self.rng.random() < 0.6):
            return "classes"
        return "two"

    def pick(self, *values: Any) -> Any:
        return values[self.rng.integers(len(values))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def odd(self, share: float) -> bool:
        """Chance of something strange, which an ordinary call never has."""
        return not self.tame and self.chance(share)

    def usual(self, *values: Any) -> Any:
        """One of the values; of an ordinary call one of the first three."""
        return self.pick(*values[:3] if self.tame else values)

    # ---- arrays that belong to the sample

    def rows(self, values: Any) -> Rows:
        """An array: a list, or any container that takes the values."""
        plain = Rows(tuple(values))
        if not self.odd(0.5):
            return plain
        is_matrix = len(plain.values) > 0 and isinstance(plain.values[0], tuple)
        other = Rows(plain.values, self.pick(*(MATRICES if is_matrix else CONTAINERS)))
        return other if can_be_made(str(other)) else plain

    def table(self, values: np.ndarray) -> Rows:
        """A matrix as rows of rows."""
        return self.rows(map(tuple, values.tolist()))

    def labels(self) -> Rows:
        return self.rows([self.names[code] for code in self.codes])

    def scores(self) -> Rows:
        return self.rows(draw_scores(self.rng, self.codes, tame=self.tame))

    def matrix(self) -> Rows:
        """One output of at least 0 per class, ties and zeros among them; seldom something else."""
        shape = (len(self.codes), len(self.names))
        outputs = np.round(self.rng.random(shape) + 0.7 * np.eye(shape[1])[self.codes], self.pick(1, 6))
        if self.odd(0.4):
            extreme = self.pick(0.0, 1.0, 1e300, 5e-324, math.inf, math.nan, -0.5)
            outputs[self.rng.random(shape) < 0.3] = extreme
        return self.table(outputs)

    def estimates(self) -> Rows:
        """Numbers on the scale of the ordered classes."""
        values = self.codes if isinstance(self.names[0], str) else np.array(self.names)[self.codes]
        noise = self.rng.normal(size=len(self.codes)) * self.pick(0.0, 0.5, 1.0, 3.0)
        return self.scores() if self.odd(0.3) else self.rows(np.round(values + noise, 1).tolist())

    def integers(self, low: int, high: int) -> Rows:
        return self.rows(self.rng.integers(low, high, len(self.codes)).tolist())


def can_be_made(expression: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            eval(expression, NAMES)
    except Exception:
        return False
    return True
