"""The operating points that cannot be told apart from a chosen one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.average.point_test import PointComparison
from rocscope.core.result import Result, told_thresholds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IndifferenceRegion(Result):
    """A chosen operating point and those that these cases cannot tell apart from it.

    Attributes
    ----------
    index
        The chosen point.
    indices
        All indistinguishable points, the chosen one among them.
    run
        Those next to the chosen one along the curve, without a gap, by descending threshold; None where the
        points are not thresholds and have no order.
    thresholds
        Thresholds of `run`; None likewise.
    measures, mean
        Names of the measures, and their means at `indices`, [point, measure].
    method, level
        Of the test.
    comparison
        The comparison behind it.
    """

    index: int
    indices: NDArray[np.int64]
    run: NDArray[np.int64] | None
    thresholds: NDArray[Any] | None
    measures: tuple[str, ...]
    mean: NDArray[np.float64]
    method: str
    level: float
    comparison: PointComparison = field(repr=False)

    def __len__(self) -> int:
        return len(self.indices)

    def _summary(self) -> str:
        told = f"{len(self)} of {len(self.comparison)} points cannot be told apart from point {self.index}"
        if self.run is None or self.thresholds is None:
            return f"{told} at {self.level * 100:g}% ({self.method})"
        ends = f"{self.thresholds.min():.4g} to {self.thresholds.max():.4g}"
        beside = f"; those without a gap have thresholds {ends}" if len(self.run) > 1 else ""
        return f"{told} at {self.level * 100:g}% ({self.method}){beside}"

    def columns(self) -> dict[str, Any]:
        """One row per indistinguishable point, with its mean measures."""
        points = self.comparison.roc.point_columns()
        table = {"index": self.indices} | {
            name: np.asarray(column)[self.indices] for name, column in points.items()
        }
        if self.run is not None:
            table["in_run"] = np.isin(self.indices, self.run)
        return table | {name: self.mean[:, k] for k, name in enumerate(self.measures)}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds are text."""
        told = None if self.thresholds is None else told_thresholds(self.thresholds)
        return Result.to_dict(self) | {"thresholds": told, "comparison": self.comparison.to_dict()}


def region_of(comparison: PointComparison) -> IndifferenceRegion:
    """Collect the indistinguishable points of a comparison."""
    roc = comparison.roc
    indices = np.flatnonzero(comparison.indistinguishable)
    thresholds = roc.thresholds
    run = None if thresholds is None else _run(thresholds, comparison)
    return IndifferenceRegion(
        index=comparison.index,
        indices=indices,
        run=run,
        thresholds=None if run is None or thresholds is None else thresholds[run],
        measures=roc.measures,
        mean=roc.mean[indices],
        method=comparison.method,
        level=comparison.level,
        comparison=comparison,
    )


def _run(thresholds: NDArray[Any], comparison: PointComparison) -> NDArray[np.int64]:
    """Walk from the point to both sides, in the order of the thresholds, until a point differs."""
    order = np.argsort(thresholds, kind="stable")[::-1]
    alike = comparison.indistinguishable[order]
    place = int(np.flatnonzero(order == comparison.index)[0])
    gaps = np.flatnonzero(~alike)
    first = int(gaps[gaps < place].max()) + 1 if (gaps < place).any() else 0
    stop = int(gaps[gaps > place].min()) if (gaps > place).any() else len(order)
    return np.asarray(order[first:stop])
