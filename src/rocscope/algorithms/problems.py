"""The data sets of a comparison, each as a two-class problem.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009, section IV.A: of many classes take the two that 1-nearest-neighbour confuses most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.labels import EVIDENT, distinct_labels, read_binary_labels
from rocscope.core.responses import count_rows, readable_labels
from rocscope.errors import RocInputError


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
        raise RocInputError(f"datasets must be {wanted}, got {checks.show(datasets)}")
    names = checks.check_names(map(str, datasets), name="datasets", at_least=1)
    if isinstance(pos_label, Mapping) and (unknown := [name for name in pos_label if str(name) not in names]):
        raise RocInputError(f"pos_label must name data sets among {list(names)}, got {unknown}")
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
