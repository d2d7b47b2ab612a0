"""A data set of two or more classes, read and checked once; everything that is trained is trained on one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.scores import distinct_labels, read_binary_labels
from rocscope.errors import RocInputError

Rows: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Dataset:
    """Features and labels of cases.

    Attributes
    ----------
    X
        Features, a row per case, of whatever kind the estimators take.
    labels
        Label of each case, as estimators are trained with it.
    codes
        Class of each case, counted in the order of `classes`.
    classes
        Names of the classes: the negative and the positive one, or all in sorted order.
    groups
        Group (patient, say) of each case, where there are groups.
    name
        Name of the data set.
    assumed
        Whether the positive class is the larger label merely because none was named.
    note
        How the two classes were selected, where there were more; None otherwise.
    """

    X: Any
    labels: NDArray[Any]
    codes: NDArray[np.int64]
    classes: tuple[Any, ...]
    groups: NDArray[Any] | None = None
    name: str = "data"
    assumed: bool = False
    note: str | None = None

    @classmethod
    def read(
        cls,
        X: Any,
        y: Any,
        *,
        pos_label: Any = None,
        target: Any = None,
        groups: Any = None,
        name: str | None = None,
        two_classes: bool = False,
    ) -> Self:
        """Check labels, groups and the number of rows.

        Parameters
        ----------
        X, y
            Features and labels.
        pos_label
            The positive one of two classes; {0, 1}, {-1, 1} and booleans need none.
        target
            The class that a detector is trained on: it is the positive one.
        groups
            Group of each row.
        name
            Name of one of several data sets, for messages.
        two_classes
            Whether more than two classes are refused.

        Examples
        --------
        >>> data = Dataset.read([[1], [2], [3]], ["b", "a", "b"], target="a")
        >>> data.classes, data.codes.tolist()
        (('b', 'a'), [0, 1, 0])
        """
        y_name, X_name = ("y", "X") if name is None else (f"y of {name!r}", f"X of {name!r}")
        labels = read_names(y, y_name, "label")
        classes = distinct_labels(labels)
        if target is not None:
            _check_target(target, classes, pos_label)
            pos_label = target
        if two_classes or len(classes) <= 2 or pos_label is not None:
            _, *pair = read_binary_labels(labels, pos_label, name=y_name)
            # The labels' own type: 1 is not True.
            classes = [next(own for own in classes if own == label) for label in pair]
        if (n_rows := count_rows(X)) != len(labels):
            raise RocInputError(
                f"X and {y_name} must have the same length: X has {n_rows}, y has {len(labels)}"
            )
        group_names = None if groups is None else read_names(groups, "groups", "group")
        checks.check_same_length(y=labels, groups=group_names)
        checks.check_same_index((X_name, X), (y_name, y), ("groups", groups))
        code = {label: k for k, label in enumerate(classes)}
        return cls(
            X=X,
            labels=labels,
            codes=np.fromiter((code[label] for label in labels.tolist()), np.int64, len(labels)),
            classes=tuple(classes),
            groups=group_names,
            name="data" if name is None else name,
        )

    @property
    def size(self) -> int:
        """Number of cases."""
        return len(self.codes)

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Number of cases of each class."""
        return np.bincount(self.codes, minlength=len(self.classes))

    @property
    def positive(self) -> NDArray[np.bool_]:
        """Which cases are of the second of two classes."""
        return np.asarray(self.codes == 1)

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(self.sizes[1])

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return int(self.sizes[0])

    @property
    def smallest(self) -> int:
        """Size of the smallest class."""
        return int(self.sizes.min())

    @property
    def smallest_class(self) -> str:
        """Size and name of the smallest class, for messages."""
        return f"{self.smallest} (class {checks.show(self.classes[int(np.argmin(self.sizes))])})"

    @property
    def strata(self) -> NDArray[np.int64]:
        """Class of each case in sorted order: folds do not depend on which class is positive."""
        order = distinct_labels(self.labels)
        return np.array([order.index(label) for label in self.classes])[self.codes]

    def lacking(self, rows: Rows) -> tuple[int, ...]:
        """Codes of the classes that have none of these rows."""
        counts = np.bincount(self.codes[rows], minlength=len(self.classes))
        return tuple(np.flatnonzero(counts == 0).tolist())


def read_names(values: Any, name: str, what: str) -> NDArray[Any]:
    """Names as a typed array where all are of one kind: scikit-learn reads no numbers from objects."""
    array = checks.as_vector(values, name=name)
    absent = checks.missing(array)
    checks.refuse_rows(absent, name=name, required=f"a {what} in every row", got=f"missing {what}s")
    if array.dtype.kind != "O":
        return readable_labels(array)
    listed = [value.item() if isinstance(value, np.generic) else value for value in array.tolist()]
    one_kind = len({type(value) for value in listed}) == 1 and isinstance(listed[0], (str, int, float))
    return np.array(listed) if one_kind else array


def readable_labels(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels as scikit-learn reads them: it knows text of fixed length, not NumPy's newer kind.

    Examples
    --------
    >>> readable_labels(np.array(["ill", "well"], dtype=np.dtypes.StringDType())).dtype
    dtype('<U4')
    """
    return np.array(labels.tolist()) if labels.dtype.kind == "T" else labels


def _check_target(target: Any, classes: list[Any], pos_label: Any) -> None:
    if target not in classes:
        raise RocInputError(
            f"must be one of the labels {classes[:10]}, got {checks.show(target)}",
            argument="target",
            data_dependent=True,
        )
    if pos_label is not None and pos_label != target:
        raise RocInputError(
            f"must be the target {target!r} or None, got {checks.show(pos_label)}", argument="pos_label"
        )
    if len(classes) > 2:
        raise RocInputError(
            f"must hold two labels where target is given, got {len(classes)}: give y == {target!r} "
            "and target=True to set one class against all others",
            argument="y",
        )


def count_rows(X: Any) -> int:
    """Number of rows of features of any kind.

    Examples
    --------
    >>> count_rows([[1.0, 2.0], [3.0, 4.0]])
    2
    """
    checks.refuse_dask(X, name="X")
    shape = getattr(X, "shape", None)
    if shape is None:
        shape = (len(X),) if hasattr(X, "__len__") else checks.as_array(X, name="X").shape
    if not shape:
        raise RocInputError(f"must have one row per case, got {checks.show(X)}", argument="X")
    return int(shape[0])


def take_rows(X: Any, rows: Rows) -> Any:
    """Some rows of features of any kind.

    Examples
    --------
    >>> take_rows([[1.0], [2.0], [3.0]], np.array([0, 2]))
    [[1.0], [3.0]]
    """
    if isinstance(X, np.ndarray):
        return X[rows]  # what scikit-learn does in the end, without its checks
    from sklearn.utils import _safe_indexing, indexable

    return _safe_indexing(indexable(X)[0], rows)  # sparse matrices of other kinds have no rows
