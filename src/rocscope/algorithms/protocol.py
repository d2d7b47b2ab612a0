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
from rocscope.training.splits import Split, plan_splits, split_warnings, stratified_splits

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

    name: str
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
    def halves(self) -> bool:
        """Whether the folds are five times two halves."""
        return self.name == "5x2"

    def test_over_train(self, dataset: str) -> float:
        """Test cases over training cases of a fold of a data set."""
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


# ---- Folds of the user's own ------------------------------------------------------------------------------

# The names of the arguments that such folds take the place of, and their defaults.
REPLACED = {"folds": 30, "protocol": "kfold", "repeats": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFolds(Protocol):
    """Folds that the user has made, for each data set, and what they are known to be.

    Attributes
    ----------
    splits
        The folds of each data set, all of the same number.
    notes
        What a reader should know of them.
    """

    splits: Mapping[str, tuple[Split, ...]]
    notes: tuple[str, ...] = ()

    @property
    def common_test(self) -> bool:
        """Whether all models of a data set are tested on the same cases."""
        return all(_one_test_set(splits) for splits in self.splits.values())

    @property
    def halves(self) -> bool:
        """Whether the folds are five times two halves, each of which trains for the other."""
        return (self.folds, self.repeats) == (2, 5) and all(
            np.array_equal(np.sort(a.train), b.test) and np.array_equal(np.sort(b.train), a.test)
            for splits in self.splits.values()
            for a, b in zip(splits[::2], splits[1::2], strict=True)
        )

    def test_over_train(self, dataset: str) -> float:
        """Test cases over training cases, the mean over the folds of a data set."""
        ratios = [len(split.test) / len(np.unique(split.train)) for split in self.splits[dataset]]
        return float(np.mean(ratios))

    def trainings(self, dataset: str) -> list[Split]:
        """The folds of a data set, and last one training without cross-validation.

        It is that of the first fold; on a common test set it takes what any of the folds trains on.
        """
        splits = self.splits[dataset]
        sides = [split.train for split in splits] if self.common_test else [splits[0].train]
        return [*splits, Split(np.unique(np.concatenate(sides)), splits[0].test)]


def read_own_folds(cv: Any, datasets: Any, data: tuple[Dataset, ...], rng: resampling.Rng) -> OwnFolds:
    """Check folds of the user's own: for one data set, or by the name of each; a splitter serves for all.

    Examples
    --------
    >>> pair = ([[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1])
    >>> own = read_own_folds([0, 0, 1, 1], pair, read_datasets(pair, None), rng=0)
    >>> own.folds, own.splits["data"][0].test.tolist()
    (2, [0, 1])
    """
    names = [one.name for one in data]
    if isinstance(cv, Mapping):
        if (given := sorted(map(str, cv))) != sorted(names):
            raise RocInputError(f"must name the data sets {names}, got {given}", argument="cv")
        by_name = {str(name): of_data for name, of_data in cv.items()}
    elif hasattr(cv, "split") and not isinstance(cv, str):
        by_name = dict.fromkeys(names, cv)
    elif len(names) > 1:
        raise RocInputError(
            f"must be a splitter, or a mapping from the names of the data sets {names} to their folds, "
            f"got {checks.show(cv)}",
            argument="cv",
        )
    else:
        by_name = {names[0]: cv}
    pairs = {"data": datasets} if isinstance(datasets, tuple) else {str(k): v for k, v in datasets.items()}
    splits, notes = {}, list[str]()
    for one in data:
        X, y = pairs[one.name]
        own, more = _own_splits(by_name[one.name], X, y, one, resampling.as_generator(rng))
        splits[one.name] = own
        notes += [f"{one.name}: {text}" for text in more]
    sizes = {name: len(own) for name, own in splits.items()}
    if len(set(sizes.values())) > 1:
        raise RocInputError(f"must hold as many folds for every data set, got {sizes}", argument="cv")
    common = {name: _one_test_set(own) for name, own in splits.items()}
    if len(set(common.values())) > 1:
        (*_, alone) = [name for name, shared in common.items() if shared]
        raise RocInputError(
            f"must have one common test set on every data set or on none, got one on {alone!r}", argument="cv"
        )
    passes = {_passes(own, one.size) for one, own in zip(data, splits.values(), strict=True)}
    repeats = passes.pop() if len(passes) == 1 else 1
    return OwnFolds(
        name="cv",
        folds=next(iter(sizes.values())) // repeats,
        repeats=repeats,
        splits=splits,
        notes=() if all(common.values()) else tuple(notes),
    )


def _own_splits(
    cv: Any, X: Any, y: Any, data: Dataset, generator: np.random.Generator
) -> tuple[tuple[Split, ...], tuple[str, ...]]:
    """The folds of one data set. They are folds of all rows, of which those of other classes are left out."""
    name = data.name
    drawn = isinstance(cv, tuple) and cv and isinstance(cv[0], str) and cv[0] == "bootstrap"
    if drawn or isinstance(cv, (int, np.integer)):
        allowed = "a scikit-learn splitter, pairs (train, test), or the fold of each row"
        raise RocInputError(
            f"must be {allowed}, got {checks.show(cv)}; a number of folds goes by the name `folds`",
            argument="cv",
        )
    checks.check_same_index((f"X of {name!r}", X), (f"y of {name!r}", y), ("cv", cv))
    rows = kept_rows(y, data)
    whole = data if data.note is None else Dataset.read(X, y, name=name)
    try:
        plan = plan_splits(cv, whole, generator)
    except RocInputError as error:
        raise RocInputError(
            f"{error.message} (data set {name!r})",
            argument=error.argument,
            data_dependent=error.data_dependent,
        ) from error
    place = np.full(whole.size, -1)
    place[rows] = np.arange(len(rows))
    splits = []
    for k, split in enumerate(plan.splits):
        train, test = (side[side >= 0] for side in (place[split.train], place[split.test]))
        for side, what in ((train, "training"), (test, "test")):
            if lacking := data.lacking(side):
                raise RocInputError(
                    f"must have cases of both classes in every training and test set, got none of class "
                    f"{checks.show(data.classes[lacking[0]])} in the {what} set of fold {k} "
                    f"(data set {name!r})",
                    argument="cv",
                    data_dependent=True,
                )
        splits.append(Split(train, np.sort(test), k))
    if len(splits) < 2:
        raise RocInputError(f"must hold at least 2 folds, got {len(splits)}", argument="cv")
    return tuple(splits), split_warnings(replace(plan, splits=splits), data)


def kept_rows(y: Any, data: Dataset) -> NDArray[np.intp]:
    """Row numbers, among all rows of a data set, of the cases that are compared.

    Examples
    --------
    >>> kept_rows([0, 1, 1], *read_datasets(([[1.0], [2.0], [3.0]], [0, 1, 1]), None)).tolist()
    [0, 1, 2]
    """
    if data.note is None:
        return np.arange(data.size)
    labels = read_names(y, f"y of {data.name!r}", "label").tolist()
    return np.flatnonzero([label in data.classes for label in labels])


def _one_test_set(splits: tuple[Split, ...]) -> bool:
    return all(np.array_equal(split.test, splits[0].test) for split in splits)


def _passes(splits: tuple[Split, ...], n_rows: int) -> int:
    """How many times the folds, in their order, test every row once; 1 where they do not."""
    tested, ends = np.zeros(n_rows, dtype=np.intp), list[int]()
    for k, split in enumerate(splits):
        tested[split.test] += 1
        if (tested == len(ends) + 1).all():
            ends.append(k + 1)
        elif tested.max() > len(ends) + 1:
            return 1
    even = ends == [len(splits) // max(1, len(ends)) * (k + 1) for k in range(len(ends))]
    return len(ends) if ends and even and ends[-1] == len(splits) else 1


# ---- The folds of a protocol ------------------------------------------------------------------------------


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
