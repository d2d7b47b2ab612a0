"""Ranks of algorithms over data sets: the result of `compare_ranks`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.algorithms.differences import Floats
from rocscope.core.result import Result, Row, Status, TestResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPair(Row):
    """Two algorithms over all data sets, first minus second.

    Attributes
    ----------
    difference
        Mean difference of their values over the data sets.
    wins, ties, losses
        Data sets on which the first is better, equal, worse.
    p_t, p_wilcoxon
        Paired t and Wilcoxon's signed-rank test over the data sets.
    rank_difference, p_nemenyi, p_holm
        Difference of the average ranks, Nemenyi's p-value for it, and that of its z test after Holm's
        adjustment over all pairs.
    """

    first: str
    second: str
    difference: float
    wins: int
    ties: int
    losses: int
    p_t: float
    p_wilcoxon: float
    rank_difference: float
    p_nemenyi: float
    p_holm: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankComparison(Result):
    """Average ranks of algorithms over data sets, 1 for the best.

    Attributes
    ----------
    algorithms, average_ranks
        Names, and the mean of each one's ranks; equal values share the mean of their ranks.
    n_datasets
        Data sets that count; `left_out` names those on which some algorithm has no value.
    friedman, iman_davenport
        Tests that all algorithms rank equally.
    critical_difference
        Average ranks that differ by more differ at `level`, by Nemenyi's test.
    groups
        Sets of algorithms, from the best rank on, within the critical difference of each other.
    pairs
        A `RankPair` for every pair.
    """

    measure: str
    algorithms: tuple[str, ...]
    average_ranks: Floats | None
    n_datasets: int
    left_out: tuple[str, ...]
    friedman: TestResult | None
    iman_davenport: TestResult | None
    critical_difference: float | None
    groups: tuple[tuple[str, ...], ...]
    pairs: tuple[RankPair, ...]
    level: float
    status: Status = "ok"
    reason: str | None = None

    def columns(self) -> dict[str, Any]:
        """Return one line per algorithm, in the order of their ranks."""
        if self.average_ranks is None:
            return {"algorithm": [], "average_rank": []}
        order = np.argsort(self.average_ranks, kind="stable")
        return {
            "algorithm": [self.algorithms[k] for k in order],
            "average_rank": self.average_ranks[order].tolist(),
        }

    def _summary(self) -> str:
        if self.average_ranks is None:
            return f"ranks by {self.measure} undefined: {self.reason}"
        lines = [f"average ranks by {self.measure} over {self.n_datasets} data sets"]
        found = self.columns()
        lines += [
            f"  {rank:.2f}  {name}"
            for name, rank in zip(found["algorithm"], found["average_rank"], strict=True)
        ]
        lines += [f"critical difference {self.critical_difference:.3f} (Nemenyi)", str(self.friedman)]
        return "\n".join(lines)
