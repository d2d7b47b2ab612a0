"""Which rows train and which are tested: every form of `cv` becomes one list of checked splits."""

from __future__ import annotations

import copy
import numbers
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.core import checks, resampling
from rocscope.errors import RocInputError, UndefinedError
from rocscope.training.datasets import Dataset, Rows

_refuse = partial(RocInputError, argument="cv")
ALLOWED = (
    "a number of folds, a scikit-learn splitter, pairs (train, test), the fold of each row, "
    'or ("bootstrap", n)'
)


@dataclass(frozen=True, slots=True)
class Split:
    """The rows that train, as often as drawn, and the rows that are tested.

    `fold` names the split. `validation` are rows that an estimator may tune itself on; mostly there are none.
    """

    train: Rows
    test: Rows
    fold: Any = 0
    validation: Rows | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """All splits, how many bootstrap replicates were drawn again, and the warnings of a splitter."""

    splits: list[Split]
    redrawn: int = 0
    notes: tuple[str, ...] = ()


def plan_splits(cv: Any, data: Dataset, generator: Generator) -> Plan:
    """Read `cv` in any of its forms; whatever cannot be done is refused here, before any training.

    Examples
    --------
    >>> data = Dataset.read([[1], [2], [3], [4]], [0, 0, 1, 1])
    >>> plan = plan_splits([5, 6, 6, 5], data, np.random.default_rng(0))
    >>> [(split.fold, split.test.tolist()) for split in plan.splits]
    [(5, [0, 3]), (6, [1, 2])]
    """
    if isinstance(cv, (int, np.integer)):
        n_folds = checks.check_integer(cv, name="cv", low=2)
        if n_folds > data.smallest:
            raise _refuse(
                f"must be at most the size of the smallest class, {data.smallest_class}, got {n_folds}",
                data_dependent=True,
            )
        return Plan(stratified_splits(data.strata, n_folds, generator))
    if isinstance(cv, tuple) and cv and isinstance(cv[0], str) and cv[0] == "bootstrap":
        if len(cv) != 2:
            raise _refuse(f'must be ("bootstrap", n) with one number n, got {checks.show(cv)}')
        if data.smallest < 2:
            raise _refuse(
                f"must leave out rows of every class; the smallest class has only {data.smallest_class}",
                data_dependent=True,
            )
        n_boot = checks.check_integer(cv[1], name="cv[1]", low=1)
        return bootstrap_splits(data, n_boot, generator, strata=data.strata)
    if hasattr(cv, "split") and not isinstance(cv, str):
        return _from_splitter(cv, data, generator)
    listed = isinstance(cv, (list, tuple, range))
    names = len(cv) > 0 and all(isinstance(fold, (numbers.Integral, str)) for fold in cv) if listed else False
    if names or (not listed and hasattr(cv, "__array__")):
        return Plan(_from_folds(cv, data.size))
    if isinstance(cv, Iterable) and not isinstance(cv, (str, bytes, dict)):
        return Plan(_from_pairs(cv, data.size))
    raise _refuse(f"must be {ALLOWED}, got {checks.show(cv)}")


def stratified_splits(
    codes: NDArray[Any], n_folds: int, rng: resampling.Rng, *, repeats: int = 1
) -> list[Split]:
    """Stratified folds, dealt anew in every repeat and counted through.

    Examples
    --------
    >>> splits = stratified_splits(np.array([0, 0, 1, 1]), 2, 7, repeats=2)
    >>> [split.fold for split in splits], [len(split.test) for split in splits]
    ([0, 1, 2, 3], [2, 2, 2, 2])
    """
    generator = resampling.as_generator(rng)
    splits: list[Split] = []
    for _ in range(repeats):
        fold = resampling.stratified_folds(codes, n_folds, generator)
        for k in range(n_folds):
            splits.append(Split(np.flatnonzero(fold != k), np.flatnonzero(fold == k), len(splits)))
    return splits


def bootstrap_splits(
    data: Dataset, n_boot: int, stream: Generator, *, strata: NDArray[Any] | None = None
) -> Plan:
    """Bootstrap replicates, tested on the rows they leave out; drawn again until both sides hold every class.

    Parameters
    ----------
    data
        Cases of which every class has two at least.
    n_boot
        Number of replicates.
    stream
        Generator of the draws.
    strata
        Class of each case, to draw class by class; None draws from all cases together.

    Examples
    --------
    >>> data = Dataset.read(np.zeros((6, 1)), [0, 0, 0, 1, 1, 1])
    >>> plan = bootstrap_splits(data, 4, np.random.default_rng(0), strata=data.codes)
    >>> [len(split.train) for split in plan.splits], all(len(split.test) > 1 for split in plan.splits)
    ([6, 6, 6, 6], True)
    """
    n, splits, redrawn = data.size, [], 0
    for fold in range(n_boot):
        for _ in range(resampling.REDRAW_LIMIT + 1):
            train = (
                stream.integers(0, n, n)
                if strata is None
                else resampling.stratified_bootstrap(strata, stream)
            )
            test = np.flatnonzero(np.bincount(train, minlength=n) == 0)
            if not data.lacking(train) and not data.lacking(test):
                break
            redrawn += 1
        else:
            raise UndefinedError(
                f"each of {resampling.REDRAW_LIMIT + 1} bootstrap draws lacked a class in training or among "
                f"the left-out rows; the smallest class has {data.smallest_class}"
            )
        splits.append(Split(train, test, fold))
    return Plan(splits, redrawn)


def _from_folds(folds: Any, n_rows: int) -> list[Split]:
    """Splits by the fold of each row, integers or text; of a list that mixes them NumPy would make text."""
    fold = checks.as_vector(folds, name="cv")
    absent = checks.missing(fold)
    checks.refuse_rows(absent, name="cv", required="a fold in every row", got="missing folds")
    listed = folds if isinstance(folds, (list, tuple)) else fold.tolist()
    if not any(all(isinstance(name, kind) for name in listed) for kind in (numbers.Integral, str)):
        raise _refuse(f"must name all folds by whole numbers or all by text, got {checks.show(listed)}")
    if fold.dtype.kind == "O":
        fold = np.array(listed)
    checks.check_same_length(y=np.empty(n_rows), cv=fold)
    names, place = np.unique(fold, return_inverse=True)
    if len(names) < 2:
        raise _refuse(f"must name two or more folds, got only {checks.show(names[0])}")
    return [
        Split(np.flatnonzero(place != k), np.flatnonzero(place == k), name)
        for k, name in enumerate(names.tolist())
    ]


def _from_pairs(pairs: Iterable[Any], n_rows: int) -> list[Split]:
    """Splits by pairs of row numbers; a test row that trained, or that comes twice, is refused."""
    splits = []
    for fold, pair in enumerate(pairs):
        if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := list(pair)) != 2:
            raise _refuse(f"must be {ALLOWED}, got {checks.show(pair)} among its items")
        train, test = (_row_numbers(rows, n_rows, f"cv[{fold}][{side}]") for side, rows in enumerate(both))
        if (shared := np.intersect1d(train, test)).size:
            raise RocInputError(
                f"must hold rows that did not train, got {checks.row_list(shared)}",
                argument=f"cv[{fold}][1]",
            )
        test, times = np.unique(test, return_counts=True)
        if (times > 1).any():
            raise RocInputError(
                f"must hold each row once, got twice {checks.row_list(test[times > 1])}",
                argument=f"cv[{fold}][1]",
            )
        splits.append(Split(train, test, fold))
    if not splits:
        raise _refuse("must have at least one pair (train, test), got none")
    return splits


def _row_numbers(rows: Any, n_rows: int, name: str) -> Rows:
    array = checks.as_vector(rows, name=name)
    if array.dtype.kind == "b" and len(array) == n_rows and array.any():
        return np.flatnonzero(array)
    if array.dtype.kind not in "iu" or array.min() < 0 or array.max() >= n_rows:
        raise RocInputError(
            f"must hold row numbers from 0 to {n_rows - 1}, got {checks.show(rows)}", argument=name
        )
    return array.astype(np.intp)


def _from_splitter(splitter: Any, data: Dataset, generator: Generator) -> Plan:
    """Splits of a scikit-learn splitter; a copy of one that leaves its seed open gets one."""
    from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold

    if isinstance(splitter, type):
        raise _refuse(f"must be a splitter object, got the class {splitter.__name__}")
    seeded = splitter
    if getattr(splitter, "random_state", 0) is None:
        seeded = copy.copy(splitter)
        seeded.random_state = int(generator.integers(2**31 - 1))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            pairs = list(seeded.split(data.X, data.labels, data.groups))
        except (TypeError, ValueError) as error:
            raise _refuse(f"must be able to split these rows, got from it: {error}") from error
    splits = _from_pairs(pairs, data.size)
    # What scikit-learn only warns of: more stratified folds than the smallest class can fill.
    stratified = isinstance(splitter, (StratifiedKFold, RepeatedStratifiedKFold))
    if stratified and any(data.lacking(split.test) for split in splits):
        raise _refuse(
            f"must have at most as many folds as the smallest class, {data.smallest_class}, "
            f"got {checks.show(splitter)}",
            data_dependent=True,
        )
    return Plan(splits, notes=tuple(str(w.message) for w in caught))


def split_warnings(plan: Plan, data: Dataset) -> tuple[str, ...]:
    """What a reader of the scores should know of the splits."""
    messages = list(plan.notes)
    for code, name in enumerate(data.classes):
        folds = [split.fold for split in plan.splits if code in data.lacking(split.test)]
        if folds:
            messages.append(f"{describe_folds(folds)} no row of class {checks.show(name)} to test")
    tested = np.unique(np.concatenate([split.test for split in plan.splits]))
    if untested := data.size - len(tested):
        messages.append(f"{untested} of {data.size} rows are in no test set")
    if data.groups is not None:
        names, codes = np.unique(data.groups, return_inverse=True)
        leaking: set[int] = set()
        for split in plan.splits:
            side = np.repeat([0, 1], [len(split.train), len(split.test)])
            leaking.update(
                resampling.group_leakage(codes[np.concatenate([split.train, split.test])], side).tolist()
            )
        if leaking:
            first = ", ".join(checks.show(names[code]) for code in sorted(leaking)[: checks.SHOWN_ROWS])
            messages.append(
                f"groups lie in training and test rows of one fold: {len(leaking)}, such as {first}"
            )
    return tuple(messages)


def describe_folds(folds: list[Any]) -> str:
    """Begin a sentence about some folds.

    Examples
    --------
    >>> describe_folds([3, 8])
    'folds 3, 8 have'
    """
    first = ", ".join(str(fold) for fold in folds[: checks.SHOWN_ROWS])
    more = f" and {len(folds) - checks.SHOWN_ROWS} more" if len(folds) > checks.SHOWN_ROWS else ""
    return f"folds {first}{more} have" if len(folds) > 1 else f"fold {first} has"
