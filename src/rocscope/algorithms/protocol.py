"""Which cases train, which are tested: the same for all algorithms.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, section IV.A.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, resampling
from rocscope.core.scores import EVIDENT, distinct_labels
from rocscope.errors import RocInputError
from rocscope.training.datasets import Dataset, read_names, take_rows
from rocscope.training.splits import Split, stratified_splits

ProtocolName: TypeAlias = Literal["kfold", "repeated", "5x2", "holdout"]
PROTOCOLS = ("kfold", "repeated", "5x2", "holdout")
# [1] sets a third of the cases aside as the common test set.
HELD_OUT = 3


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


def read_protocol(name: ProtocolName, folds: int, repeats: int | None) -> Protocol:
    """Check protocol, folds and repeats.

    Examples
    --------
    >>> read_protocol("5x2", 30, None)
    Protocol(name='5x2', folds=2, repeats=5)
    """
    checks.check_choice(name, PROTOCOLS, name="protocol")
    checks.check_integer(folds, name="folds", low=2)
    if repeats is not None and name != "repeated":
        raise RocInputError(
            f"must be left out unless the protocol is 'repeated', got {checks.show(repeats)}",
            argument="repeats",
        )
    if name == "5x2":
        return Protocol(name="5x2", folds=2, repeats=5)
    passes = checks.check_integer(10 if repeats is None else repeats, name="repeats", low=1)
    return Protocol(name=name, folds=folds, repeats=passes if name == "repeated" else 1)


def plan_folds(protocol: Protocol, codes: NDArray[Any], rng: resampling.Rng) -> list[Split]:
    """Split the cases of one data set, class by class; `codes` holds the class of each case.

    Examples
    --------
    >>> protocol = read_protocol("holdout", 2, None)
    >>> fold = plan_folds(protocol, np.array([True] * 6 + [False] * 6), rng=0)[0]
    >>> len(fold.train), len(fold.validation), len(fold.test)
    (4, 4, 4)
    """
    generator = resampling.as_generator(rng)
    if not protocol.common_test:
        return stratified_splits(codes, protocol.folds, generator, repeats=protocol.repeats)
    held_out = resampling.stratified_folds(codes, HELD_OUT, generator) == 0
    rest, test = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    dealt = stratified_splits(codes[rest], protocol.folds, generator)
    return [Split(rest[split.train], test, split.fold, rest[split.test]) for split in dealt]


def plan_trainings(protocol: Protocol, codes: NDArray[Any], rng: resampling.Rng) -> list[Split]:
    """The folds, and last one training without cross-validation: on two thirds, tested on the third.

    Examples
    --------
    >>> protocol = read_protocol("holdout", 2, None)
    >>> *folds, single = plan_trainings(protocol, np.array([True] * 6 + [False] * 6), rng=0)
    >>> len(folds), len(single.train), bool((single.test == folds[0].test).all())
    (2, 8, True)
    """
    generator = resampling.as_generator(rng)
    folds = plan_folds(protocol, codes, generator)
    if protocol.common_test:
        test = folds[0].test
        return [*folds, Split(np.setdiff1d(np.arange(len(codes)), test), test)]
    return [*folds, stratified_splits(codes, min(HELD_OUT, protocol.folds), generator)[0]]


# ---- The data sets of a comparison, each with two classes -------------------------------------------------
# [1] section IV.A: of many classes take the two that 1-nearest-neighbour confuses most.


def read_datasets(datasets: Any, pos_label: Any) -> tuple[Dataset, ...]:
    """Read the data sets: a mapping from names to (X, y), or one pair (X, y).

    Examples
    --------
    >>> data, = read_datasets(([[1.0], [2.0], [3.0]], ["a", "b", "b"]), None)
    >>> data.name, data.classes, data.positive.tolist()
    ('data', ('a', 'b'), [False, True, True])
    """
    if isinstance(datasets, tuple) and len(datasets) == 2:
        datasets = {"data": datasets}
    if not isinstance(datasets, Mapping) or not datasets:
        allowed = "a mapping from names to (X, y), or one (X, y)"
        raise RocInputError(f"must be {allowed}, got {checks.show(datasets)}", argument="datasets")
    names = checks.check_names(map(str, datasets), name="datasets", at_least=1)
    if isinstance(pos_label, Mapping) and (unknown := [name for name in pos_label if str(name) not in names]):
        raise RocInputError(f"must name data sets among {list(names)}, got {unknown}", argument="pos_label")
    return tuple(_read_dataset(str(name), data, pos_label) for name, data in datasets.items())


def _read_dataset(name: str, pair: Any, pos_label: Any) -> Dataset:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise RocInputError(f"must be a pair (X, y), got {checks.show(pair)}", argument=f"datasets[{name!r}]")
    (X, y), note = pair, None
    labels = read_names(y, f"y of {name!r}", "label")
    if len(distinct_labels(labels)) > 2:
        rows, note = _most_confused(Dataset.read(X, y, name=name))
        X, y = take_rows(X, rows), labels[rows]
        labels = y
    positive = pos_label.get(name) if isinstance(pos_label, Mapping) else pos_label
    classes = distinct_labels(labels)
    # Areas and errors are the same whichever class is positive: only losses need to know.
    assumed = positive is None and len(classes) == 2 and tuple(classes) not in EVIDENT
    data = Dataset.read(X, y, pos_label=classes[1] if assumed else positive, name=name, two_classes=True)
    return replace(data, assumed=assumed, note=note)


def _most_confused(data: Dataset) -> tuple[NDArray[np.intp], str]:
    """Rows of the two classes that the nearest other case confuses most often ([1] section IV.A)."""
    from sklearn.neighbors import NearestNeighbors

    try:
        # Without cases of its own, kneighbors leaves every training case out of its own neighbours.
        nearest = NearestNeighbors(n_neighbors=1).fit(data.X).kneighbors(return_distance=False).ravel()
    except (TypeError, ValueError) as error:
        purpose = "finite numbers where two of several classes are selected by 1-nearest-neighbour"
        raise RocInputError(f"X of {data.name!r} must hold {purpose}: {error}") from error
    codes, names = data.codes, data.classes
    confusion = np.zeros((len(names), len(names)), dtype=np.int64)
    np.add.at(confusion, (codes, codes[nearest]), 1)
    both_ways = np.triu(confusion + confusion.T, 1)
    first, second = np.unravel_index(int(np.argmax(both_ways)), both_ways.shape)
    note = (
        f"classes {checks.show(names[first])} and {checks.show(names[second])} of {len(names)}: "
        f"1-nearest-neighbour confuses them most, {both_ways[first, second]} times"
    )
    return np.flatnonzero((codes == first) | (codes == second)), note
