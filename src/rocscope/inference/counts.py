"""The door of the methods that count cases at thresholds: arrays, checked scores or a count table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.frames import Missing
from rocscope.core.scores import BinaryScores, check_alone
from rocscope.core.table import ScoreTable, table_labels
from rocscope.errors import RocInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedScores:
    """An exact table of whole cases, and the names of its classes.

    Examples
    --------
    >>> CountedScores.read([0, 1, 1], [0.2, 0.2, 0.7]).table.pos.tolist()
    [1, 1]
    """

    table: ScoreTable
    pos_label: Any = 1
    neg_label: Any = 0
    warnings: tuple[str, ...] = ()

    @classmethod
    def read(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        pos_label: Any = None,
        label: str | None = None,
        score: str | None = None,
        na: Missing = "error",
    ) -> CountedScores:
        """Check labels and scores, as `BinaryScores.from_arrays` does; a table stays one."""
        if isinstance(y_true, ScoreTable):
            check_alone(y_true, y_score=y_score, pos_label=pos_label, label=label, score=score)
            return cls(table=_check(y_true), **table_labels(y_true))
        data = BinaryScores.from_arrays(
            y_true, y_score, pos_label=pos_label, label=label, score=score, na=na
        ).single()
        return cls(
            table=_check(data.table()),
            pos_label=data.pos_label,
            neg_label=data.neg_label,
            warnings=data.warnings,
        )

    @property
    def n_pos(self) -> int:
        """Number of positives."""
        return int(self.table.n_pos)

    @property
    def n_neg(self) -> int:
        """Number of negatives."""
        return int(self.table.n_neg)

    @property
    def smallest_class(self) -> int:
        """Number of cases in the smaller class."""
        return min(self.n_pos, self.n_neg)

    def share(self, prevalence: float | None) -> float:
        """Share of positives in the population, or that of the cases."""
        return self.n_pos / (self.n_pos + self.n_neg) if prevalence is None else prevalence

    @property
    def description(self) -> dict[str, Any]:
        """Fields of a result that describe the data."""
        classes = {"pos_label": self.pos_label, "neg_label": self.neg_label}
        return {"n_pos": self.n_pos, "n_neg": self.n_neg, **classes, "warnings": self.warnings}

    def curve(self) -> RocCurve:
        """The ROC curve."""
        return RocCurve.from_table(
            self.table, pos_label=self.pos_label, neg_label=self.neg_label, warnings=self.warnings
        )


def _check(table: ScoreTable) -> ScoreTable:
    if not table.is_counted:
        raise RocInputError(
            "must count whole cases for an interval, got fractional weights", argument="y_true"
        )
    if table.bound > 0:
        raise RocInputError(
            "must be an exact table, got a thinned one, whose thresholds are gone", argument="y_true"
        )
    return table


def read_prevalence(prevalence: Any) -> float | None:
    """The share of positives where a point is used, if one was given."""
    if prevalence is None:
        return None
    return checks.check_number(prevalence, name="prevalence", low=0, high=1)


def as_number(threshold: Any) -> Any:
    """A threshold of a curve as a plain number; integers beyond 2**53 stay integers."""
    return threshold.item() if isinstance(threshold, np.generic) else threshold


def plain_threshold(threshold: Any) -> Any:
    """A threshold as strict JSON can hold it: infinity is text, None stays.

    Examples
    --------
    >>> plain_threshold(-math.inf), plain_threshold(0.5)
    ('-inf', 0.5)
    """
    return str(threshold) if isinstance(threshold, float) and math.isinf(threshold) else threshold
