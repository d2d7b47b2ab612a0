"""The scale on which outputs are added up: as they are, or on the latent scale of the fitted curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.joint import Floats
from rocscope.core.table import ScoreTable

SCALES = ("raw", "matched", "latent")
HALVINGS = 60


@dataclass(frozen=True, slots=True)
class LatentMap:
    """The rising map from scores to the latent scale of a fitted curve, where negatives are N(0, 1).

    A score goes to the t at which the fitted curve expects as many cases above as there are: n_neg FPR(t) +
    n_pos TPR(t) = cases above + half of those tied. Both classes tell where t is, so that scores above all
    negatives are told apart too. Straight lines join the scores of the fit; beyond them the line between
    the two ends goes on.

    Examples
    --------
    >>> table = ScoreTable.from_counts([1, 2, 3], pos=[1, 2, 4], neg=[4, 2, 1])
    >>> LatentMap.of(table, Binormal(a=1.0, b=1.0)).apply(np.array([1, 2, 3, 4])).round(3).tolist()
    [-0.538, 0.5, 1.538, 2.577]
    """

    scores: NDArray[Any]
    latent: Floats

    @classmethod
    def of(cls, table: ScoreTable, fit: Binormal) -> LatentMap:
        """Fit the map to counted scores."""
        both = table.pos + table.neg
        above = np.cumsum(both) - both / 2
        latent = _latent_values(above, table.n_neg, table.n_pos, *fit.parameters())
        return cls(table.scores[::-1], latent[::-1])

    def apply(self, scores: NDArray[Any]) -> Floats:
        """Latent values of scores, of the fit or of other cases."""
        place = np.searchsorted(self.scores, scores).clip(max=len(self.scores) - 1)
        # A score of the fit has its own value: no map of numbers stands between, however long they are.
        return np.where(self.scores[place] == scores, self.latent[place], self._between(scores))

    def _between(self, scores: NDArray[Any]) -> Floats:
        known, values = self.scores.astype(np.float64), scores.astype(np.float64)
        low, high = known[0] / 2, known[-1] / 2  # halves, whose difference cannot overflow
        beyond = np.minimum(values / 2 - low, 0.0) + np.maximum(values / 2 - high, 0.0)
        share = np.divide(beyond, high - low, out=np.zeros(len(values)), where=beyond != 0)
        inside = np.interp(values / 2, known / 2, self.latent)
        return np.asarray(inside + share * (self.latent[-1] - self.latent[0]))


def _latent_values(above: Floats, n_neg: int, n_pos: int, a: float, b: float) -> Floats:
    """Solve n_neg FPR(t) + n_pos TPR(t) = above; one class alone would have its t on either side."""
    deviate = special.ndtri(above / (n_neg + n_pos))
    ends = -deviate, (a - deviate) / b
    low, high = np.minimum(*ends), np.maximum(*ends)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        more = n_neg * special.ndtr(-middle) + n_pos * special.ndtr(a - b * middle) > above
        low, high = np.where(more, middle, low), np.where(more, high, middle)
    return np.asarray((low + high) / 2)


def spread_of_negatives(table: ScoreTable, *, per: float = 1.0) -> float:
    """Standard deviation of the negatives' scores: the unit of the latent scale, on that of the outputs.

    It is divided by `per`: of the largest numbers it may be no number itself (infinite), but a quarter is.
    """
    scores, n = table.scores.astype(np.float64), table.n_neg
    size = float(np.abs(scores).max()) or 1.0  # no square overflows
    mean = float(scores / size @ table.neg) / n
    squares = float((scores / size - mean) ** 2 @ table.neg)
    return size / per * math.sqrt(squares / max(n - 1, 1))
