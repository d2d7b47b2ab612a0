"""The cases behind cross-validation: labels of any kind with their codes, features, groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.labels import distinct_labels, read_binary_labels
from rocscope.core.responses import count_rows, readable_labels
from rocscope.errors import RocInputError

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
        raise RocInputError(f"target must be one of the labels {found[:10]}, got {checks.show(target)}")
    if pos_label is not None and pos_label != target:
        raise RocInputError(f"pos_label must be the target {target!r} or None, got {checks.show(pos_label)}")
    if len(found) > 2:
        raise RocInputError(
            f"y must hold two labels where target is given, got {len(found)}: give y == {target!r} "
            "and target=True to set one class against all others"
        )
    return target


def _check_rows(X: Any, n_rows: int) -> None:
    if (found := count_rows(X)) != n_rows:
        raise RocInputError(f"X and y must have the same length: X has {found}, y has {n_rows}")
