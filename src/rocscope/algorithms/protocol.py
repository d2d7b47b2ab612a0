"""Which cases train, which are tested: the same for all algorithms.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, section IV.A.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.resampling import Rng, as_generator, stratified_folds
from rocscope.core.scores import EVIDENT, distinct_labels, read_binary_labels
from rocscope.errors import RocInputError
from rocscope.training.fitting import count_rows, readable_labels

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
        raise RocInputError(
            f"must be None unless protocol='repeated', got {checks.show(repeats)}", argument="repeats"
        )
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


# ---- The data sets of a comparison, each as a two-class problem -------------------------------------------
# References
# ----------
# .. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
#    ROC curve", 2009, section IV.A: of many classes take the two that 1-nearest-neighbour confuses most.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Problem:
    """A two-class data set.

    Attributes
    ----------
    name
        Name of the data set.
    X
        Features, a row per case.
    labels
        Label of each case, as estimators are trained with it.
    positive
        Which cases are of the positive class.
    classes
        Names of the negative and the positive class.
    assumed
        Whether the positive class is the larger label merely because none was named.
    note
        How the two classes were chosen, where there were more; None otherwise.
    """

    name: str
    X: Any
    labels: NDArray[Any]
    positive: NDArray[np.bool_]
    classes: tuple[Any, Any]
    assumed: bool = False
    note: str | None = None


def take_rows(X: Any, rows: NDArray[np.intp]) -> Any:
    """Some rows of features of any kind.

    Examples
    --------
    >>> take_rows([[1.0], [2.0], [3.0]], np.array([0, 2]))
    [[1.0], [3.0]]
    """
    if isinstance(X, np.ndarray):
        return X[rows]  # what scikit-learn does in the end, without asking what it is
    from sklearn.utils import _safe_indexing

    return _safe_indexing(X, rows)


def read_problems(datasets: Any, pos_label: Any) -> tuple[Problem, ...]:
    """Read the data sets: a mapping from names to (X, y), or one pair (X, y).

    Examples
    --------
    >>> problem, = read_problems(([[1.0], [2.0], [3.0]], ["a", "b", "b"]), None)
    >>> problem.name, problem.classes, problem.positive.tolist()
    ('data', ('a', 'b'), [False, True, True])
    """
    if isinstance(datasets, tuple) and len(datasets) == 2:
        datasets = {"data": datasets}
    if not isinstance(datasets, Mapping) or not datasets:
        wanted = "a mapping from names to (X, y), or one (X, y)"
        raise RocInputError(f"must be {wanted}, got {checks.show(datasets)}", argument="datasets")
    names = checks.check_names(map(str, datasets), name="datasets", at_least=1)
    if isinstance(pos_label, Mapping) and (unknown := [name for name in pos_label if str(name) not in names]):
        raise RocInputError(f"must name data sets among {list(names)}, got {unknown}", argument="pos_label")
    return tuple(_read_problem(str(name), data, pos_label) for name, data in datasets.items())


def _read_problem(name: str, data: Any, pos_label: Any) -> Problem:
    X, labels = _read_cases(name, data)
    note = None
    if len(distinct_labels(labels)) > 2:
        X, labels, note = _most_confused(name, X, labels)
    wanted = pos_label.get(name) if isinstance(pos_label, Mapping) else pos_label
    found = distinct_labels(labels)
    # Areas and errors are the same whichever class is positive: only losses need to be told.
    assumed = wanted is None and len(found) == 2 and tuple(found) not in EVIDENT
    wanted = found[1] if assumed else wanted
    positive, negative, chosen = read_binary_labels(labels, wanted, name=f"y of {name!r}")
    return Problem(
        name=name,
        X=X,
        labels=labels,
        positive=positive,
        classes=(negative, chosen),
        assumed=assumed,
        note=note,
    )


def _read_cases(name: str, data: Any) -> tuple[Any, NDArray[Any]]:
    if not isinstance(data, (tuple, list)) or len(data) != 2:
        raise RocInputError(f"datasets[{name!r}] must be a pair (X, y), got {checks.show(data)}")
    X, y = data
    labels = readable_labels(checks.as_vector(y, name=f"y of {name!r}"))
    absent = checks.missing(labels)
    checks.refuse_rows(absent, name=f"y of {name!r}", wanted="a label in every row", got="missing labels")
    if count_rows(X) != len(labels):
        raise RocInputError(
            f"X and y of {name!r} must have the same length: X has {count_rows(X)}, y has {len(labels)}"
        )
    checks.check_same_index((f"X of {name!r}", X), (f"y of {name!r}", y))
    if labels.dtype.kind == "O" and len({type(label) for label in labels.tolist()}) == 1:
        labels = np.array(labels.tolist())  # some estimators refuse whole numbers that are objects
    return X, labels


def _most_confused(name: str, X: Any, labels: NDArray[Any]) -> tuple[Any, NDArray[Any], str]:
    """Keep the two classes that the nearest other case confuses most often ([1] section IV.A)."""
    names = distinct_labels(labels)
    codes = _codes(labels, names)
    nearest = _nearest_others(name, X)
    confusion = np.zeros((len(names), len(names)), dtype=np.int64)
    np.add.at(confusion, (codes, codes[nearest]), 1)
    both_ways = np.triu(confusion + confusion.T, 1)
    first, second = np.unravel_index(int(np.argmax(both_ways)), both_ways.shape)
    rows = np.flatnonzero((codes == first) | (codes == second))
    note = (
        f"classes {checks.show(names[first])} and {checks.show(names[second])} of {len(names)}: "
        f"1-nearest-neighbour confuses them most, {both_ways[first, second]} times"
    )
    return take_rows(X, rows), labels[rows], note


def _nearest_others(name: str, X: Any) -> NDArray[np.intp]:
    """For each case the row of its nearest other one."""
    from sklearn.neighbors import NearestNeighbors

    try:
        # Without cases of its own, kneighbors leaves every training case out of its own neighbours.
        found = NearestNeighbors(n_neighbors=1).fit(X).kneighbors(return_distance=False)
    except (TypeError, ValueError) as error:
        wanted = "finite numbers where two of several classes are chosen by 1-nearest-neighbour"
        raise RocInputError(f"X of {name!r} must hold {wanted}: {error}") from error
    return np.asarray(found).ravel()


def _codes(labels: NDArray[Any], names: list[Any]) -> NDArray[np.int64]:
    code = {name: k for k, name in enumerate(names)}
    return np.array([code[label] for label in labels.tolist()], dtype=np.int64)
