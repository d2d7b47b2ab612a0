"""Which rows train and which are tested: every way of saying it becomes one list of checked splits."""

from __future__ import annotations

import copy
import numbers
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.resampling import REDRAW_LIMIT, group_leakage, stratified_bootstrap, stratified_folds
from rocscope.core.scores import distinct_labels, read_binary_labels
from rocscope.errors import RocInputError, UndefinedError
from rocscope.training.fitting import count_rows, readable_labels

ALLOWED = (
    "a number of folds, a scikit-learn splitter, pairs (train, test), the fold of each row, "
    'or ("bootstrap", n)'
)


@dataclass(frozen=True, slots=True)
class Split:
    """The rows that train and the rows that are tested, and the name of the fold."""

    fold: Any
    train: Rows
    test: Rows


@dataclass(frozen=True, slots=True)
class Plan:
    """All splits, how many bootstrap replicates were drawn again, and what a splitter warned of."""

    splits: list[Split]
    redrawn: int = 0
    notes: tuple[str, ...] = ()


def plan_splits(cv: Any, cases: Cases, generator: Generator) -> Plan:
    """Read `cv` in any of its forms; whatever cannot be done is refused here, before any training.

    Examples
    --------
    >>> y = np.array([0, 0, 1, 1])
    >>> cases = Cases(X=y, labels=y, codes=y, strata=y, classes=(0, 1), groups=None)
    >>> plan = plan_splits([5, 6, 6, 5], cases, np.random.default_rng(0))
    >>> [(split.fold, split.test.tolist()) for split in plan.splits]
    [(5, [0, 3]), (6, [1, 2])]
    """
    if isinstance(cv, (int, np.integer)):
        return Plan(_stratified(cv, cases, generator))
    if isinstance(cv, tuple) and cv and isinstance(cv[0], str) and cv[0] == "bootstrap":
        return _bootstrap(cv, cases, generator)
    if hasattr(cv, "split") and not isinstance(cv, str):
        return _from_splitter(cv, cases, generator)
    if _are_folds(cv):
        return Plan(_from_folds(cv, len(cases.codes)))
    if isinstance(cv, Iterable) and not isinstance(cv, (str, bytes, dict)):
        return Plan(_from_pairs(cv, len(cases.codes)))
    raise RocInputError(f"must be {ALLOWED}, got {checks.show(cv)}", argument="cv")


def _stratified(cv: Any, cases: Cases, generator: Generator) -> list[Split]:
    n_folds = checks.check_integer(cv, name="cv", low=2)
    size, told = cases.smallest()
    if n_folds > size:
        raise RocInputError(
            f"must be at most the size of the smallest class, {told}, got {n_folds}", argument="cv"
        )
    return _from_folds(stratified_folds(cases.strata, n_folds, generator), len(cases.codes))


def _are_folds(cv: Any) -> bool:
    """Whether `cv` names the fold of each row, rather than listing pairs of row numbers."""
    if isinstance(cv, (list, tuple, range)):
        return len(cv) > 0 and all(isinstance(fold, (numbers.Integral, str)) for fold in cv)
    return hasattr(cv, "__array__")


def _from_folds(folds: Any, n_rows: int) -> list[Split]:
    fold = _fold_names(folds)
    checks.check_same_length(y=np.empty(n_rows), cv=fold)
    names, place = np.unique(fold, return_inverse=True)
    if len(names) < 2:
        raise RocInputError(f"must name two or more folds, got only {checks.show(names[0])}", argument="cv")
    return [
        Split(name, np.flatnonzero(place != k), np.flatnonzero(place == k))
        for k, name in enumerate(names.tolist())
    ]


def _fold_names(folds: Any) -> NDArray[Any]:
    """Folds as integers or as text; of a list that mixes them NumPy would make text."""
    fold = checks.as_vector(folds, name="cv")
    absent = checks.missing(fold)
    checks.refuse_rows(absent, name="cv", wanted="a fold in every row", got="missing folds")
    listed = folds if isinstance(folds, (list, tuple)) else fold.tolist()
    for kind in (numbers.Integral, str):
        if all(isinstance(name, kind) for name in listed):
            return fold if fold.dtype.kind != "O" else np.array(listed)
    raise RocInputError(
        f"must name all folds by whole numbers or all by text, got {checks.show(listed)}", argument="cv"
    )


def _from_pairs(pairs: Iterable[Any], n_rows: int) -> list[Split]:
    splits = []
    for fold, pair in enumerate(pairs):
        if isinstance(pair, str) or not isinstance(pair, Iterable) or len(both := list(pair)) != 2:
            raise RocInputError(f"must be {ALLOWED}, got {checks.show(pair)} among its items", argument="cv")
        train, test = (_row_numbers(rows, n_rows, f"cv[{fold}][{side}]") for side, rows in enumerate(both))
        splits.append(Split(fold, train, _test_rows(train, test, f"cv[{fold}][1]")))
    if not splits:
        raise RocInputError("must have at least one pair (train, test), got none", argument="cv")
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


def _test_rows(train: Rows, test: Rows, name: str) -> Rows:
    """Test rows in order; one that trained, or that comes twice, would be no test."""
    if (both := np.intersect1d(train, test)).size:
        raise RocInputError(
            f"must hold rows that did not train, got {checks.rows_words(both)}", argument=name
        )
    rows, times = np.unique(test, return_counts=True)
    if (times > 1).any():
        raise RocInputError(
            f"must hold each row once, got twice {checks.rows_words(rows[times > 1])}", argument=name
        )
    return rows


def _from_splitter(splitter: Any, cases: Cases, generator: Generator) -> Plan:
    seeded = _seeded(splitter, generator)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            pairs = list(seeded.split(cases.X, cases.labels, cases.groups))
        except (TypeError, ValueError) as error:
            raise RocInputError(
                f"must be able to split these rows, got from it: {error}", argument="cv"
            ) from error
    plan = Plan(_from_pairs(pairs, len(cases.codes)), notes=tuple(str(w.message) for w in caught))
    _refuse_too_many_folds(splitter, plan, cases)
    return plan


def _seeded(splitter: Any, generator: Generator) -> Any:
    """Copy a splitter that leaves its seed open, and give the copy one; a seed of its own is kept."""
    if isinstance(splitter, type):
        raise RocInputError(f"must be a splitter object, got the class {splitter.__name__}", argument="cv")
    if getattr(splitter, "random_state", 0) is not None:
        return splitter
    seeded = copy.copy(splitter)
    seeded.random_state = int(generator.integers(2**31 - 1))
    return seeded


def _refuse_too_many_folds(splitter: Any, plan: Plan, cases: Cases) -> None:
    """Refuse what scikit-learn only warns of: stratified folds more than the smallest class can fill."""
    from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold

    stratified = isinstance(splitter, (StratifiedKFold, RepeatedStratifiedKFold))
    if stratified and any(cases.lacking(split.test) for split in plan.splits):
        told = f"the smallest class, {cases.smallest()[1]}"
        raise RocInputError(
            f"must have at most as many folds as {told}, got {checks.show(splitter)}", argument="cv"
        )


def _bootstrap(cv: tuple[Any, ...], cases: Cases, generator: Generator) -> Plan:
    """Draw stratified replicates; those that leave no row of some class to be tested are drawn again."""
    if len(cv) != 2:
        raise RocInputError(
            f'must be ("bootstrap", n) with one number n, got {checks.show(cv)}', argument="cv"
        )
    size, told = cases.smallest()
    if size < 2:
        raise RocInputError(
            f"must leave out rows of every class; the smallest class has only {told}", argument="cv"
        )
    splits, redrawn = [], 0
    for fold in range(checks.check_integer(cv[1], name="cv[1]", low=1)):
        train, test, again = _replicate(cases, generator)
        splits.append(Split(fold, train, test))
        redrawn += again
    return Plan(splits, redrawn)


def _replicate(cases: Cases, generator: Generator) -> tuple[Rows, Rows, int]:
    for redrawn in range(REDRAW_LIMIT + 1):
        train = stratified_bootstrap(cases.strata, generator)
        test = np.setdiff1d(np.arange(len(cases.codes)), train)
        if not cases.lacking(test):
            return train, test, redrawn
    told = f"the smallest class has {cases.smallest()[1]}"
    raise UndefinedError(f"each of {REDRAW_LIMIT + 1} bootstrap draws left out no row of some class; {told}")


def split_warnings(plan: Plan, cases: Cases) -> tuple[str, ...]:
    """Say what a reader of the scores should know of the splits."""
    found = list(plan.notes)
    for code, name in enumerate(cases.classes):
        folds = [split.fold for split in plan.splits if code in cases.lacking(split.test)]
        if folds:
            found.append(f"{folds_words(folds)} no row of class {checks.show(name)} to test")
    tested = np.unique(np.concatenate([split.test for split in plan.splits]))
    if untested := len(cases.codes) - len(tested):
        found.append(f"{untested} of {len(cases.codes)} rows are in no test set")
    if cases.groups is not None and (leaking := _leaking_groups(plan.splits, cases.groups)):
        shown = ", ".join(map(checks.show, leaking[: checks.SHOWN_ROWS]))
        found.append(f"groups lie in training and test rows of one fold: {len(leaking)}, such as {shown}")
    return tuple(found)


def folds_words(folds: list[Any]) -> str:
    """Begin a sentence about some folds.

    Examples
    --------
    >>> folds_words([3, 8])
    'folds 3, 8 have'
    """
    shown = ", ".join(str(fold) for fold in folds[: checks.SHOWN_ROWS])
    more = f" and {len(folds) - checks.SHOWN_ROWS} more" if len(folds) > checks.SHOWN_ROWS else ""
    return f"folds {shown}{more} have" if len(folds) > 1 else f"fold {shown} has"


def _leaking_groups(splits: list[Split], groups: NDArray[Any]) -> list[Any]:
    names, codes = np.unique(groups, return_inverse=True)
    leaking: set[int] = set()
    for split in splits:
        side = np.repeat([0, 1], [len(split.train), len(split.test)])
        leaking.update(group_leakage(codes[np.concatenate([split.train, split.test])], side).tolist())
    return [name for code, name in enumerate(names.tolist()) if code in leaking]


# ---- The cases behind cross-validation: labels of any kind with their codes, features, groups -------------

Rows: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cases:
    """What the rows are, as far as splitting them needs to know.

    `codes` count the classes in the order of `classes`; `strata` in sorted order, so that folds do not
    depend on which class is positive.
    """

    X: Any
    labels: NDArray[Any]
    codes: NDArray[np.int64]
    strata: NDArray[np.int64]
    classes: tuple[Any, ...]
    groups: NDArray[Any] | None

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Number of rows of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))

    def smallest(self) -> tuple[int, str]:
        """Size of the smallest class, and the words for it."""
        least = int(np.argmin(self.sizes))
        return int(self.sizes[least]), f"{self.sizes[least]} (class {checks.show(self.classes[least])})"

    def lacking(self, rows: Rows) -> tuple[int, ...]:
        """Codes of the classes that have none of these rows."""
        counts = np.bincount(self.codes[rows], minlength=len(self.classes))
        return tuple(np.flatnonzero(counts == 0).tolist())


def read_cases(X: Any, y: Any, *, groups: Any, target: Any, pos_label: Any) -> Cases:
    """Check labels, groups and the number of rows.

    Examples
    --------
    >>> cases = read_cases([[1], [2], [3]], ["b", "a", "b"], groups=None, target="a", pos_label=None)
    >>> cases.classes, cases.codes.tolist()
    (('b', 'a'), [0, 1, 0])
    """
    labels = _read_names(y, "y", "label")
    if target is not None:
        pos_label = _positive_target(labels, target, pos_label)
    classes = _class_names(labels, pos_label)
    _check_rows(X, len(labels))
    read_groups = None if groups is None else _read_names(groups, "groups", "group")
    checks.check_same_length(y=labels, groups=read_groups)
    return Cases(
        X=X,
        labels=labels,
        codes=_codes(labels, classes),
        strata=_codes(labels, distinct_labels(labels)),
        classes=classes,
        groups=read_groups,
    )


def _codes(labels: NDArray[Any], names: Sequence[Any]) -> NDArray[np.int64]:
    code = {name: k for k, name in enumerate(names)}
    return np.fromiter((code[label] for label in labels.tolist()), np.int64, len(labels))


def _read_names(values: Any, name: str, what: str) -> NDArray[Any]:
    """Names as a typed array where all are of one kind: scikit-learn reads no numbers from objects."""
    array = checks.as_vector(values, name=name)
    absent = checks.missing(array)
    checks.refuse_rows(absent, name=name, wanted=f"a {what} in every row", got=f"missing {what}s")
    if array.dtype.kind != "O":
        return readable_labels(array)
    listed = [value.item() if isinstance(value, np.generic) else value for value in array.tolist()]
    one_kind = len({type(value) for value in listed}) == 1 and isinstance(listed[0], (str, int, float))
    return np.array(listed) if one_kind else array


def _class_names(labels: NDArray[Any], pos_label: Any) -> tuple[Any, ...]:
    """Two classes as (negative, positive), more in sorted order; the labels' own type, 1 is not True."""
    found = distinct_labels(labels)
    if len(found) > 2 and pos_label is None:
        return tuple(found)
    _, *pair = read_binary_labels(labels, pos_label, name="y")
    return tuple(next(name for name in found if name == given) for given in pair)


def _positive_target(labels: NDArray[Any], target: Any, pos_label: Any) -> Any:
    found = distinct_labels(labels)
    if target not in found:
        raise RocInputError(
            f"must be one of the labels {found[:10]}, got {checks.show(target)}", argument="target"
        )
    if pos_label is not None and pos_label != target:
        raise RocInputError(
            f"must be the target {target!r} or None, got {checks.show(pos_label)}", argument="pos_label"
        )
    if len(found) > 2:
        raise RocInputError(
            f"must hold two labels where target is given, got {len(found)}: give y == {target!r} "
            "and target=True to set one class against all others",
            argument="y",
        )
    return target


def _check_rows(X: Any, n_rows: int) -> None:
    if (found := count_rows(X)) != n_rows:
        raise RocInputError(f"X and y must have the same length: X has {found}, y has {n_rows}")
