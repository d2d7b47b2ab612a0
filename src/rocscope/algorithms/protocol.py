"""Which cases train, which are tested: the same for all algorithms.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, section IV.A.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.resample import Rng, as_generator, stratified_folds
from rocscope.errors import RocInputError

Rows: TypeAlias = NDArray[np.intp]
ProtocolName: TypeAlias = Literal["kfold", "repeated", "5x2", "holdout"]
PROTOCOLS = ("kfold", "repeated", "5x2", "holdout")
# [1] sets a third of the cases aside as the common test set.
HELD_OUT = 3


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows that train, rows that are tested, and rows an estimator may tune itself on (empty: none)."""

    train: Rows
    test: Rows
    validation: Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How the cases are split.

    Attributes
    ----------
    name
        "kfold": each left-out fold is a test set. "repeated": the same, several times. "5x2": five times
        two halves. "holdout": a third is one common test set, the rest is cut into folds, and each
        left-out fold is a validation set [1]_.
    folds, repeats
        Folds of one pass, and passes.
    """

    name: ProtocolName
    folds: int
    repeats: int

    @property
    def n_values(self) -> int:
        """Number of values that every algorithm gets."""
        return self.folds * self.repeats

    @property
    def common_test(self) -> bool:
        """Whether all models are tested on the same cases."""
        return self.name == "holdout"

    @property
    def test_over_train(self) -> float:
        """Test cases over training cases of a fold."""
        if self.common_test:  # a third of all over the rest but one fold
            return self.folds / ((HELD_OUT - 1) * (self.folds - 1))
        return 1 / (self.folds - 1)


def read_protocol(name: str, folds: int, repeats: int | None) -> Protocol:
    """Check protocol, folds and repeats.

    Examples
    --------
    >>> read_protocol("5x2", 30, None)
    Protocol(name='5x2', folds=2, repeats=5)
    """
    checks.check_choice(name, PROTOCOLS, name="protocol")
    checks.check_integer(folds, name="folds", low=2)
    if repeats is not None and name != "repeated":
        raise RocInputError(f"repeats must be None unless protocol='repeated', got {checks.show(repeats)}")
    if name == "5x2":
        return Protocol(name="5x2", folds=2, repeats=5)
    passes = checks.check_integer(10 if repeats is None else repeats, name="repeats", low=1)
    return Protocol(name=name, folds=folds, repeats=passes if name == "repeated" else 1)  # type: ignore[arg-type]


def plan_folds(protocol: Protocol, positive: NDArray[np.bool_], rng: Rng) -> list[Fold]:
    """Split the cases of one data set, class by class.

    Examples
    --------
    >>> protocol = read_protocol("holdout", 2, None)
    >>> fold = plan_folds(protocol, np.array([True] * 6 + [False] * 6), rng=0)[0]
    >>> len(fold.train), len(fold.validation), len(fold.test)
    (4, 4, 4)
    """
    generator = as_generator(rng)
    if protocol.common_test:
        return _with_common_test(protocol, positive, generator)
    passes = [stratified_folds(positive, protocol.folds, generator) for _ in range(protocol.repeats)]
    return [
        Fold(np.flatnonzero(dealt != k), np.flatnonzero(dealt == k), np.empty(0, np.intp))
        for dealt in passes
        for k in range(protocol.folds)
    ]


def plan_single(protocol: Protocol, folds: list[Fold], positive: NDArray[np.bool_], rng: Rng) -> Fold:
    """One training without cross-validation: on two thirds of the cases, tested on the third.

    Examples
    --------
    >>> positive = np.array([True] * 6 + [False] * 6)
    >>> protocol = read_protocol("holdout", 2, None)
    >>> folds = plan_folds(protocol, positive, rng=0)
    >>> single = plan_single(protocol, folds, positive, rng=0)
    >>> len(single.train), bool((single.test == folds[0].test).all())
    (8, True)
    """
    nothing = np.empty(0, np.intp)
    if protocol.common_test:
        return Fold(np.sort(np.concatenate([folds[0].train, folds[0].validation])), folds[0].test, nothing)
    held_out = stratified_folds(positive, min(HELD_OUT, protocol.folds), rng) == 0
    return Fold(np.flatnonzero(~held_out), np.flatnonzero(held_out), nothing)


def _with_common_test(
    protocol: Protocol, positive: NDArray[np.bool_], generator: np.random.Generator
) -> list[Fold]:
    held_out = stratified_folds(positive, HELD_OUT, generator) == 0
    rest, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    dealt = stratified_folds(positive[rest], protocol.folds, generator)
    return [Fold(rest[dealt != k], test, rest[dealt == k]) for k in range(protocol.folds)]
