"""The data of a fit: how many negatives and positives fall between neighbouring cut-points.

A curve model sees scores only through their order. Between neighbouring distinct scores a cut-point matters
unless both hold cases of one and the same class: such pure runs merge, which changes the likelihood by a
constant factor and leaves its maximum where it is (LABROC4, [1]_ section 2). No other cut-point is dropped.

References
----------
.. [1] C. E. Metz, B. A. Herman, J.-H. Shen: Maximum likelihood estimation of receiver operating
   characteristic (ROC) curves from continuously-distributed data, Statistics in Medicine 17, 1998.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core.result import Result
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Categories(Result):
    """Counts of both classes in K categories of rising score.

    Attributes
    ----------
    neg, pos
        Cases of each class in every category, int64.
    boundaries
        The K - 1 score values between the categories: midpoints, and never a score of the lower one.
    warnings
        What a reader should know about the data behind the counts.

    Examples
    --------
    >>> found = truth_runs(ScoreTable.from_counts([1, 2, 3, 4], pos=[0, 0, 1, 1], neg=[2, 1, 1, 0]))
    >>> found.neg.tolist(), found.pos.tolist(), found.boundaries.tolist()
    ([3, 1, 0], [0, 1, 1], [2.5, 3.5])
    """

    neg: NDArray[np.int64]
    pos: NDArray[np.int64]
    boundaries: NDArray[Any]
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.neg)

    def _summary(self) -> str:
        return f"{len(self)} categories of {self.n_pos} positives and {self.n_neg} negatives"

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(self.pos.sum())

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return int(self.neg.sum())

    def rates(self) -> tuple[Floats, Floats]:
        """FPR and TPR at every cut-point, from the lowest one on: both fall."""
        return _above(self.neg), _above(self.pos)

    @property
    def auc(self) -> float:
        """Area under the polyline through the points; merged runs of one class leave it as it was."""
        places = np.arange(len(self), 0, -1)
        return ScoreTable(scores=places, pos=self.pos[::-1], neg=self.neg[::-1]).auc

    def columns(self) -> dict[str, Any]:
        """One row per category, with the value from which on its scores lie."""
        return {"from": [None, *self.boundaries.tolist()], "negatives": self.neg, "positives": self.pos}


def truth_runs(data: ScoreTable | BinaryScores) -> Categories:
    """Categories of a fit to scores: pure runs of one class merged, all other cut-points kept."""
    table, warnings = _counted(data)
    neg, pos = table.neg[::-1], table.pos[::-1]
    has_neg, has_pos = neg > 0, pos > 0
    changed = (has_neg[1:] ^ has_neg[:-1]) | (has_pos[1:] ^ has_pos[:-1])
    first = np.flatnonzero(changed | (has_neg & has_pos)[1:]) + 1
    starts = np.concatenate([[0], first])
    return Categories(
        neg=np.add.reduceat(neg, starts),
        pos=np.add.reduceat(pos, starts),
        boundaries=_between(table.scores[::-1], first),
        warnings=warnings,
    )


def ratings(data: ScoreTable | BinaryScores) -> Categories:
    """Every distinct score as a category of its own."""
    table, warnings = _counted(data)
    scores = table.scores[::-1]
    boundaries = _between(scores, np.arange(1, len(scores)))
    return Categories(neg=table.neg[::-1], pos=table.pos[::-1], boundaries=boundaries, warnings=warnings)


def _counted(data: ScoreTable | BinaryScores) -> tuple[ScoreTable, tuple[str, ...]]:
    """The table of whole cases with finite scores; what a fit cannot use is refused."""
    table = data if isinstance(data, ScoreTable) else data.single().table()
    if not table.is_counted:
        raise RocInputError("sample_weight must count whole cases for a fit, got fractions")
    if not np.isfinite(table.scores[[0, -1]].astype(np.float64)).all():
        raise RocInputError("y_score must be finite for a fit, got infinite values")
    thinned = ("the table was thinned: scores inside a bin are taken as equal",) if table.thinned else ()
    return table, thinned


def _above(counts: NDArray[np.int64]) -> Floats:
    """Share of the cases above each cut-point."""
    return np.asarray(np.cumsum(counts[::-1])[-2::-1] / counts.sum())


def _between(ascending: NDArray[Any], first: NDArray[np.int64]) -> NDArray[Any]:
    """Midpoints below the scores at `first`; where a midpoint rounds onto the lower score, the upper one."""
    low, high = ascending[first - 1], ascending[first]
    if ascending.dtype.kind == "i":  # halves first, as a sum may overflow
        middle = low // 2 + high // 2 + (low % 2 + high % 2) // 2
    else:
        middle = low / 2 + high / 2
    return np.where(middle > low, middle, high)
