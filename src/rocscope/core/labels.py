"""Which rows are positive: labels are read, never guessed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import RocInputError

# Pairs (negative, positive) that say by themselves which one is positive.
EVIDENT = ((0, 1), (-1, 1))


def read_binary_labels(
    y_true: Any, pos_label: Any, *, name: str = "y_true"
) -> tuple[NDArray[np.bool_], Any, Any]:
    """Return which rows are positive, and the names of the negative and the positive class.

    {0, 1}, {-1, 1} and booleans need no `pos_label`; every other pair of labels does.
    """
    labels = checks.as_vector(y_true, name=name)
    missing = checks.missing(labels)
    checks.refuse_rows(missing, name=name, wanted="a label in every row", got="missing labels")
    if np.ndim(pos_label) != 0 or isinstance(pos_label, (dict, set)):
        raise RocInputError(f"pos_label must be one label, got {checks.show(pos_label)}")
    if pos_label is None:
        return _evident_labels(labels, name)
    positive = _equal(labels, pos_label)
    if not positive.any():
        raise RocInputError(_absent_words(labels, pos_label, name))
    return positive, _the_other(labels, positive, pos_label, name), pos_label


def _evident_labels(labels: NDArray[Any], name: str) -> tuple[NDArray[np.bool_], Any, Any]:
    positive = _equal(labels, 1)
    n_pos = np.count_nonzero(positive)
    for negative, _ in EVIDENT if labels.dtype.kind in "biufO" else ():
        if n_pos + np.count_nonzero(_equal(labels, negative)) == labels.size:
            if n_pos in (0, labels.size):
                _refuse_one_class(labels[0], name)
            is_bool = isinstance(labels[0], (bool, np.bool_))
            return positive, (False if is_bool else negative), (True if is_bool else 1)
    raise RocInputError(_unevident_words(labels, name))


def _the_other(labels: NDArray[Any], positive: NDArray[np.bool_], pos_label: Any, name: str) -> Any:
    """Return the one label besides `pos_label`; one class alone and three labels are refused."""
    if positive.all():
        _refuse_one_class(pos_label, name)
    other = labels[np.argmin(positive)]
    if not (positive | _equal(labels, other)).all():
        raise RocInputError(f"{name} must hold two labels, got {_labels_words(labels)}")
    other = other.item() if isinstance(other, np.generic) else other
    if isinstance(other, str) and other.strip() == str(pos_label).strip():
        raise RocInputError(
            f"{name} must hold two labels, got {checks.show(pos_label)} and {checks.show(other)}, which "
            "differ by blanks alone"
        )
    return other


def _equal(labels: NDArray[Any], value: Any) -> NDArray[np.bool_]:
    """Compare labels with one value; text never equals a number."""
    is_text = labels.dtype.kind in "UST"
    if is_text != isinstance(value, (str, bytes)) and labels.dtype.kind != "O":
        return np.zeros(labels.shape, dtype=bool)
    equal = np.asarray(labels == value)
    return (
        equal.astype(bool, copy=False) if equal.shape == labels.shape else np.zeros(labels.shape, dtype=bool)
    )


def distinct_labels(labels: NDArray[Any]) -> list[Any]:
    """Distinct labels as plain Python, sorted where they can be; for messages and class lists."""
    found = list(dict.fromkeys(labels.tolist()))
    try:
        return sorted(found)
    except TypeError:
        return found


def _labels_words(labels: NDArray[Any]) -> str:
    found = distinct_labels(labels)
    shown = ", ".join(checks.show(label) for label in found[: checks.SHOWN_ROWS])
    more = f" and {len(found) - checks.SHOWN_ROWS} more" if len(found) > checks.SHOWN_ROWS else ""
    return f"{len(found)}: {shown}{more}{_blank_hint(found)}"


def _blank_hint(found: list[Any]) -> str:
    texts = [label for label in found if isinstance(label, str)]
    if len({text.strip() for text in texts}) < len(texts) or any(t != t.strip() for t in texts):
        return " (mind the blanks around them)"
    return ""


def _unevident_words(labels: NDArray[Any], name: str) -> str:
    found = distinct_labels(labels)
    if len(found) == 1:
        return f"{name} must hold two classes, got only {checks.show(found[0])}"
    if len(found) > 2:
        return f"{name} must hold two labels, got {_labels_words(labels)}"
    told = " and ".join(checks.show(label) for label in found)
    return f"pos_label must be given for labels other than 0/1, -1/1 and booleans, got {told}"


def _absent_words(labels: NDArray[Any], pos_label: Any, name: str) -> str:
    found = distinct_labels(labels)
    texts = [label for label in found if isinstance(label, str)]
    near = [t for t in texts if t.strip().lower() == str(pos_label).strip().lower()]
    hint = f"; did you mean {near[0]!r}?" if near else checks.did_you_mean(pos_label, texts)
    if any(str(label) == str(pos_label) for label in found):
        hint = f"; the labels are of type {type(found[0]).__name__}"
    told = f"{name} ({_labels_words(labels)})"
    return f"pos_label must be one of the labels in {told}, got {checks.show(pos_label)}{hint}"


def _refuse_one_class(label: Any, name: str) -> None:
    raise RocInputError(f"{name} must hold two classes, got only {checks.show(label)}")
