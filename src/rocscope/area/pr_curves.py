"""Precision-recall curves of many samples at once, from their counts at the vertices of one ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.area.replicates import CalledCases
from rocscope.core.measures import ratio
from rocscope.core.table import ScoreTable

Floats = NDArray[np.float64]
# A recall times the number of positives that is this close to a whole number is that number.
WHOLE = 1e-9
# Odds beyond which no precision is seen: products of larger ones would overflow.
LARGEST = 1e150


@dataclass(frozen=True, slots=True)
class PrCurves:
    """True positives and rates at every vertex, (samples, vertices), from (0, 0) on.

    `odds` is (1 - share) / share of the positives, one row per sample: with it
    precision = TPR / (TPR + odds FPR).
    """

    tp: NDArray[np.int64]
    tpr: Floats
    fpr: Floats
    odds: Floats

    @classmethod
    def of_called(cls, called: CalledCases, share: Any) -> PrCurves:
        """Curves of samples, for one share of positives or one for each."""
        shares = np.broadcast_to(np.asarray(share, np.float64), len(called.tp))[:, None]
        tpr, fpr = called.tp / called.n_pos, called.fp / called.n_neg
        with np.errstate(over="ignore"):  # a share next to nothing: precision 0
            odds = np.minimum((1 - shares) / shares, LARGEST)
        return cls(called.tp, tpr, fpr, odds)

    @classmethod
    def of_table(cls, table: ScoreTable, share: float) -> PrCurves:
        """The one curve of a table.

        Examples
        --------
        >>> table = ScoreTable.from_counts([4, 3, 2, 1], pos=[1, 0, 1, 0], neg=[0, 1, 0, 1])
        >>> PrCurves.of_table(table, 0.5).precision_at(np.array([0.5, 0.75])).round(4).tolist()
        [[1.0, 0.6]]
        """
        tp, fp = (np.concatenate([[0], np.cumsum(counts)])[None] for counts in (table.pos, table.neg))
        return cls.of_called(CalledCases(tp, fp, tp[:, -1:], fp[:, -1:]), share)

    def precision(self) -> Floats:
        """Precision at every vertex; NaN where no case is called positive."""
        return ratio(self.tpr, self.tpr + self.odds * self.fpr)

    def precision_at(self, recalls: Floats) -> Floats:
        """Precision at recalls greater than 0, (samples, recalls)."""
        wanted = recalls * self.tp[0, -1]
        wanted = np.where(np.abs(wanted - np.rint(wanted)) < WHOLE, np.rint(wanted), wanted)
        # The first vertex that reaches the recall ends the segment; the one before does not reach it.
        end = np.stack([np.searchsorted(tp, wanted, "left") for tp in self.tp])
        tp0, tp1 = (np.take_along_axis(self.tp, vertex, axis=1) for vertex in (end - 1, end))
        fpr0, fpr1 = (np.take_along_axis(self.fpr, vertex, axis=1) for vertex in (end - 1, end))
        fpr = fpr0 + (wanted - tp0) / (tp1 - tp0) * (fpr1 - fpr0)
        tpr = wanted / self.tp[0, -1]
        return np.asarray(tpr / (tpr + self.odds * fpr))

    def average_precision(self) -> Floats:
        """Sum of precision times the rise of recall, one per sample."""
        rise = np.diff(self.tpr, axis=1)
        return np.asarray(np.where(rise > 0, rise * self.precision()[:, 1:], 0.0).sum(axis=1))

    def area(self) -> Floats:
        """Integral of precision over recall, one per sample.

        Along a segment TPR + odds FPR = a t + b, with t the recall, and the integral of t / (a t + b) is
        [t - (b / a) log(a t + b)] / a.
        """
        t0, f0 = self.tpr[:, :-1], self.fpr[:, :-1]
        rise = np.diff(self.tpr, axis=1)
        slope = np.divide(np.diff(self.fpr, axis=1), rise, out=np.zeros_like(rise), where=rise > 0)
        a = 1 + self.odds * slope
        b = self.odds * (f0 - slope * t0)
        start = t0 + self.odds * f0
        growth = np.divide(a * rise, start, out=np.zeros_like(rise), where=start > 0)  # from (0, 0): b is 0
        return np.asarray(((rise - b / a * np.log1p(growth)) / a).sum(axis=1))
