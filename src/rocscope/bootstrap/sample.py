"""The one data set: features, labels and which of them are positive, checked once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.labels import distinct_labels, read_binary_labels
from rocscope.core.responses import count_rows
from rocscope.errors import RocInputError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sample:
    """Cases of two classes; `classes` are the negative and the positive one."""

    X: Any
    labels: NDArray[Any]
    positive: NDArray[np.bool_]
    classes: tuple[Any, Any]

    @classmethod
    def read(cls, X: Any, y: Any, *, pos_label: Any) -> Sample:
        """Check labels and the number of rows.

        Examples
        --------
        >>> Sample.read([[1.0], [2.0]], ["ill", "well"], pos_label="ill").classes
        ('well', 'ill')
        """
        labels = _typed(checks.as_vector(y, name="y"))
        positive, negative_label, positive_label = read_binary_labels(labels, pos_label, name="y")
        if (found := count_rows(X)) != len(labels):
            raise RocInputError(f"X and y must have the same length: X has {found}, y has {len(labels)}")
        checks.check_same_index(X=X, y=y)
        own = {name: name for name in distinct_labels(labels)}  # 1 and True are one key: the labels' own type
        return cls(X=X, labels=labels, positive=positive, classes=(own[negative_label], own[positive_label]))

    @property
    def size(self) -> int:
        """Number of cases."""
        return len(self.positive)

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(np.count_nonzero(self.positive))

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return self.size - self.n_pos

    @property
    def smallest(self) -> int:
        """Size of the smaller class."""
        return min(self.n_pos, self.n_neg)

    def smallest_words(self) -> str:
        """Size and name of the smaller class, for messages."""
        name = self.classes[1] if self.n_pos == self.smallest else self.classes[0]
        return f"{self.smallest} (class {checks.show(name)})"

    def holds_both(self, rows: NDArray[np.intp]) -> bool:
        """Whether there is a case of each class among the rows."""
        n_pos = int(np.count_nonzero(self.positive[rows]))
        return 0 < n_pos < len(rows)


def _typed(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels of one plain type as such: scikit-learn reads no numbers from objects."""
    if labels.dtype.kind != "O":
        return labels
    listed = [value.item() if isinstance(value, np.generic) else value for value in labels.tolist()]
    kinds = {type(value) for value in listed}
    return np.array(listed) if len(kinds) == 1 and kinds <= {str, int, float, bool} else labels
