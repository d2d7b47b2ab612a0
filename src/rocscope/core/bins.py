"""Count tables of bins: small whatever the data, with bounds of what the bins hide.

A bin is a cell [low, low + width) whose width is a power of two and whose edges are its multiples. So the
cell of a score depends on the score alone, the cells of half the width lie within those of the width, and
tables of parts of the data add up. Multiplying by a power of two and rounding down is exact in every
machine and every database, so all of them agree on the cells.

In a bin of p_i positives and n_i negatives the table takes all pairs as tied. The scores may have each of
these pairs in either order, so of P N pairs in all

    |A - A_table| <= sum_i p_i n_i / (2 P N).

A placement V of a positive in the bin is wrong by at most n_i / (2 N), one of a negative by at most
p_i / (2 P). DeLong's standard error is the length of the vector of all placements minus their means, in
which a positive has the weight 1 / (P (P - 1)) and a negative 1 / (N (N - 1)). Taking means away makes no
vector longer, and lengths obey the triangle inequality:

    |SE - SE_table|^2 <= sum_i p_i n_i^2 / (4 N^2 P (P - 1)) + sum_i n_i p_i^2 / (4 P^2 N (N - 1)).

Bins whose cases have one score hide nothing and are left out of both sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores
from rocscope.core.table import FIELDS, THINNED, LabelledTable, ScoreTable, exact_dot, own_scores
from rocscope.errors import RocInputError

# From this size on every double is a whole number.
EXACT = 2.0**53
STEEPEST = 512  # of the exponent of a width, either sign
COARSE = 8  # cells of the first of two passes, as a part of those that may come out
PASSES = 12  # over the cells, each time narrower ones
ROUNDING = 1 + 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BinnedTable(LabelledTable):
    """Counts in bins, descending: `scores` are the lowest score of each bin, at which the counts are exact.

    Attributes
    ----------
    highest
        The highest score of each bin.
    single
        Bins whose cases all have one score.
    low, width
        The cells; infinite scores have cells of their own, of width 0.
    """

    highest: NDArray[np.float64]
    single: NDArray[np.bool_]
    low: NDArray[np.float64]
    width: NDArray[np.float64]

    def __reduce__(self) -> Any:
        return partial(BinnedTable, **{field.name: getattr(self, field.name) for field in fields(self)}), ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BinnedTable):
            return NotImplemented
        arrays = (*FIELDS, "highest", "single", "low", "width")
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_bins(
        cls,
        *,
        scores: Any,
        highest: Any,
        single: Any,
        low: Any,
        width: Any,
        pos: Any,
        neg: Any,
        direction: Direction = "higher",
        **labels: Any,
    ) -> BinnedTable:
        """Make a table from counts in cells, in any order; equal cells are added up, others must not overlap.

        Examples
        --------
        >>> cells = {"low": [0.5, 0, 0.5], "width": [0.5, 0.5, 0.5], "pos": [2, 1, 1], "neg": [0, 3, 1]}
        >>> ends = {"scores": [0.6, 0.1, 0.5], "highest": [0.9, 0.4, 0.5], "single": [False, False, True]}
        >>> table = BinnedTable.from_bins(**cells, **ends)
        >>> table.scores, table.pos, table.neg, round(table.bound, 4)
        (array([0.5, 0.1]), array([3, 1]), array([1, 3]), 0.1875)
        """
        columns = [np.asarray(values, dtype=np.float64) for values in (scores, highest, low, width)]
        alone = np.asarray(single, dtype=bool)
        counts = [np.asarray(values, dtype=np.int64) for values in (pos, neg)]
        if direction == "lower":  # the cells of the scores with the opposite sign
            scores_, highest_, low_, width_ = columns
            columns = [0 - highest_, 0 - scores_, 0 - (low_ + width_), width_]
        order = np.lexsort((columns[3], columns[2]))
        columns = [values[order] for values in columns]
        alone, counts = alone[order], [values[order] for values in counts]
        least, most, low_, width_ = columns
        width_ = np.where(np.isinf(low_), 0.0, width_)
        if low_.size == 0:
            raise RocInputError("must be counts of one or more bins, got none")
        new = np.append(True, (low_[1:] != low_[:-1]) | (width_[1:] != width_[:-1]))
        first = np.flatnonzero(new)
        cells = low_[first], width_[first]
        over = np.flatnonzero(cells[0][1:] < cells[0][:-1] + cells[1][:-1])
        if over.size:
            a, b = (f"[{cells[0][k]:g}, {cells[0][k] + cells[1][k]:g})" for k in (over[0], over[0] + 1))
            raise RocInputError(f"bins must come from one grid, got {a} and {b}, which overlap")
        least, most = np.minimum.reduceat(least, first), np.maximum.reduceat(most, first)
        alone = np.logical_and.reduceat(alone, first) & (least == most)
        p, n = (np.add.reduceat(values, first) for values in counts)
        held = (p > 0) | (n > 0)
        down = np.flatnonzero(held)[::-1]
        p, n, alone = p[down], n[down], alone[down]
        mixed = ~alone
        n_pos, n_neg = int(p.sum()), int(n.sum())
        hidden = exact_dot(p[mixed], n[mixed]) if mixed.any() and n_pos and n_neg else 0
        bound = hidden / (2 * n_pos * n_neg) * ROUNDING if hidden else 0.0
        return cls(
            scores=least[down] + 0.0,  # -0.0 becomes 0.0
            pos=p,
            neg=n,
            bound=bound,
            thinned=bool(bound),
            direction=direction,
            highest=most[down] + 0.0,
            single=alone,
            low=cells[0][down] + 0.0,
            width=cells[1][down],
            **({"pos_label": 1, "neg_label": 0} | labels),
        )

    @property
    def hidden(self) -> NDArray[np.float64]:
        """Pairs of a positive and a negative in each bin whose order the bin hides, about."""
        return np.where(self.single, 0.0, self.pos.astype(np.float64) * self.neg)

    @property
    def se_bound(self) -> float:
        """How far DeLong's standard error may be from that of the scores; both classes need two members."""
        m, n, mixed = self.n_pos, self.n_neg, ~self.single
        if min(m, n) < 2 or not self.bound:
            return 0.0
        p_i, n_i = self.pos[mixed], self.neg[mixed]
        squared = exact_dot(p_i, n_i, n_i) / (4 * n * n * m * (m - 1))
        squared += exact_dot(n_i, p_i, p_i) / (4 * m * m * n * (n - 1))
        return math.sqrt(squared) * ROUNDING

    def thinning_text(self) -> str:
        """Say what the bins may hide."""
        return (
            f"{THINNED} to {len(self.scores):,} bins: the area of the scores themselves is within "
            f"{self.bound:.2g} of this one, its standard error within {self.se_bound:.2g}"
        )

    def merge(self, other: ScoreTable) -> BinnedTable:
        """Add up two tables of bins of one grid; bins that overlap without being equal are refused."""
        checks.check_instance(other, BinnedTable, name="other")
        assert isinstance(other, BinnedTable)
        if self.direction != other.direction:
            raise RocInputError("must have one direction, got both", argument="tables")
        names = ("low", "width", "single", "pos", "neg")
        both = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in names}
        ends = [
            np.concatenate([getattr(one, name) for one in (self, other)]) for name in ("scores", "highest")
        ]
        if self.direction == "lower":
            ends = [0 - ends[1], 0 - ends[0]]
            both["low"] = 0 - (both["low"] + both["width"])
        labels = {"name": self.name, "pos_label": self.pos_label, "neg_label": self.neg_label}
        return BinnedTable.from_bins(
            scores=ends[0], highest=ends[1], direction=self.direction, **both, **labels
        )

    def halvings(self, bins: int) -> NDArray[np.int64]:
        """How often to halve the cell of each bin, so that about `bins` bins have the least bound.

        Cells of a smooth curve are best where sqrt(p_i n_i) is the same in all of them.
        """
        weight = np.sqrt(self.hidden)
        busy = weight > 0
        if not busy.any():
            return np.zeros(weight.size, dtype=np.int64)
        room = max(bins - np.count_nonzero(~busy), 1)
        sizes = np.log2(weight[busy])
        low, high = float(sizes.min()) - 64, float(sizes.max())
        for _ in range(60):  # the size of cells that makes about so many
            middle = (low + high) / 2
            times = np.clip(np.ceil(sizes - middle), 0, 52)
            low, high = (middle, high) if np.exp2(times).sum() > room else (low, middle)
        every = np.zeros(weight.size, dtype=np.int64)
        every[busy] = np.clip(np.ceil(sizes - high), 0, 52).astype(np.int64)
        return every


def check_step(step: Any) -> float:
    """Return the width of cells, which must be a power of two.

    Examples
    --------
    >>> check_step(0.25)
    0.25
    >>> check_step(0.1)
    Traceback (most recent call last):
    rocscope.errors.RocInputError: step must be a power of two from 2**-512 to 2**512, got 0.1
    """
    number = checks.check_number(step, name="step", low=0)
    mantissa, exponent = math.frexp(number)
    if mantissa != 0.5 or abs(exponent - 1) > STEEPEST:
        raise RocInputError(
            f"must be a power of two from 2**-{STEEPEST} to 2**{STEEPEST}, got {number!r}", argument="step"
        )
    return number


def step_for(low: float, high: float, bins: int) -> float:
    """The power of two of which about `bins` and no more than twice as many steps make a range.

    Examples
    --------
    >>> step_for(0.0, 1.0, 4096) == 1 / 4096, step_for(3.0, 3.0, 10)
    (True, 1.0)
    """
    span = high / bins - low / bins
    if not span > 0:
        return 1.0
    if math.isinf(span):
        return 2.0**STEEPEST
    return 2.0 ** min(max(math.floor(math.log2(span)), -STEEPEST), STEEPEST)


def lower_edges(scores: NDArray[np.float64], step: Any) -> NDArray[np.float64]:
    """The lower edge of the cell of each score; what has no neighbours within a step is its own edge.

    Examples
    --------
    >>> lower_edges(np.array([0.3, -0.3, np.inf]), 0.25)
    array([ 0.25, -0.5 ,   inf])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        edges = np.floor(scores / step) * step
    return np.where(np.abs(scores) >= EXACT * step, scores, edges) + 0.0


def binned_table(
    y_true: Any, y_score: Any, *, bins: int, step: float | None, pos_label: Any, direction: Direction
) -> BinnedTable:
    """Count cases in bins; `ScoreTable.binned` is the door."""
    checks.check_integer(bins, name="bins", low=1)
    data = BinaryScores.from_arrays(y_true, y_score, pos_label=pos_label, direction=direction).single()
    if not data.is_plain:
        raise RocInputError("must be plain cases without weights and clusters", argument="y_true")
    if data.columns[0].dtype.kind == "i":
        largest = int(np.abs(data.columns[0].astype(object)).max())
        if largest > checks.EXACT_FLOAT_INTEGERS:
            raise RocInputError("must be numbers that float64 holds exactly", argument="y_score")
    exact = data.table()
    scores = own_scores(exact.scores, direction).astype(np.float64)
    labels = {"name": data.names[0], "pos_label": data.pos_label, "neg_label": data.neg_label}
    labels |= {"warnings": data.warnings}
    if step is not None:
        return _counted(exact, scores, np.full(scores.size, check_step(step)), labels)
    finite = scores[np.isfinite(scores)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    coarse = step_for(*ends, max(bins // COARSE, 1))
    step_of = np.full(scores.size, coarse)
    table = _counted(exact, scores, step_of, labels)
    for done in range(PASSES):  # one, unless a few scores lie far from the others
        times = table.halvings(bins)
        if times.max() <= min(done, 1):
            break
        low = lower_edges(scores, step_of)
        starts = np.append(True, (low[1:] != low[:-1]) | (step_of[1:] != step_of[:-1]))
        step_of = step_of / np.exp2(times)[np.cumsum(starts) - 1]
        table = _counted(exact, scores, step_of, labels)
    return table


def _counted(
    exact: ScoreTable, scores: NDArray[np.float64], step: NDArray[np.float64], labels: dict[str, Any]
) -> BinnedTable:
    """Bins of an exact table, each score in a cell of its step."""
    low = lower_edges(scores, step)
    counts = {"pos": exact.pos, "neg": exact.neg, "single": np.ones(scores.size, dtype=bool)}
    width = np.where(np.isinf(low), 0.0, step)
    return BinnedTable.from_bins(
        scores=scores, highest=scores, low=low, width=width, direction=exact.direction, **counts, **labels
    )
