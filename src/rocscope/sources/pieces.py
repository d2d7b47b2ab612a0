"""Scores of both classes in pieces that fit into memory, from the lowest scores to the highest.

The rows are not sorted as a whole. A sample tells where to cut the scores; each pass over the file fetches
the rows between two cuts, which NumPy sorts far faster than a database sorts rows. Where that would take
too many passes, the rows between two cuts are copied to a file first and cut again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core.table import LARGE, PlacementSums, ScoreTable
from rocscope.sources.rows import Rows, Stretch
from rocscope.sources.sums import sorted_sums, tied_sums

SAMPLE_ROWS = 20_000
# Sampled cuts are uneven by about one part in a hundred.
SLACK = 1.15
MOST_PASSES = 16


@dataclass(frozen=True, slots=True)
class SortedPiece:
    """Ascending scores of each class."""

    pos: NDArray[Any]
    neg: NDArray[Any]

    @classmethod
    def from_rows(cls, positive: NDArray[np.bool_], scores: NDArray[Any]) -> SortedPiece:
        """Split rows by class and sort."""
        if scores.size >= LARGE:
            from rocscope.core import kernels

            pos, neg = kernels.split_classes(positive, scores)
        else:
            pos, neg = scores[positive], scores[~positive]
        pos.sort()
        neg.sort()
        return cls(pos, neg)

    def sums(self) -> PlacementSums:
        """Exact placement sums."""
        return sorted_sums(self.pos, self.neg)

    def table(self) -> ScoreTable:
        """Counts of each score."""
        if self.pos.size and self.neg.size:
            return ScoreTable.from_sorted(self.pos, self.neg)
        scores, counts = np.unique(np.concatenate([self.pos, self.neg]), return_counts=True)
        none = np.zeros_like(counts)
        pos, neg = (counts, none) if self.pos.size else (none, counts)
        return ScoreTable(scores=scores[::-1] + scores.dtype.type(0), pos=pos[::-1], neg=neg[::-1])

    def tables(self, step: int) -> Iterator[ScoreTable]:
        """The same in parts, ascending, with at most so many different scores of each class in one."""
        cuts = np.unique(np.concatenate([self.pos[step::step], self.neg[step::step]]))
        parts = (np.split(scores, np.searchsorted(scores, cuts)) for scores in (self.pos, self.neg))
        for pos, neg in zip(*parts, strict=True):
            if pos.size or neg.size:
                yield SortedPiece(pos, neg).table()


@dataclass(frozen=True, slots=True)
class TiedPiece:
    """Cases that all have one score, counted."""

    score: NDArray[Any]
    n_pos: int
    n_neg: int

    def sums(self) -> PlacementSums:
        """Exact placement sums."""
        return tied_sums(self.n_pos, self.n_neg)

    def table(self) -> ScoreTable:
        """Counts of the score."""
        return ScoreTable(
            scores=self.score + self.score.dtype.type(0),
            pos=np.array([self.n_pos]),
            neg=np.array([self.n_neg]),
        )

    def tables(self, step: int) -> Iterator[ScoreTable]:
        """The same table: it has one row."""
        yield self.table()


@dataclass(frozen=True, slots=True)
class CountedPiece:
    """All cases, counted by score where there are few different ones."""

    counts: ScoreTable

    def sums(self) -> PlacementSums:
        """Exact placement sums."""
        return self.counts.sums()

    def table(self) -> ScoreTable:
        """Counts of each score."""
        return self.counts

    def tables(self, step: int) -> Iterator[ScoreTable]:
        """The same table."""
        yield self.counts


Piece: TypeAlias = SortedPiece | TiedPiece | CountedPiece
Result = TypeVar("Result")


def of_pieces(rows: Rows, take: Callable[[Piece], Result]) -> Iterator[Result]:
    """Whatever is to be taken of each piece, from the lowest scores to the highest.

    Only what was taken leaves this function: two pieces at once would need twice the memory.
    """
    needed = math.ceil(SLACK * rows.count / rows.budget) if rows.count > rows.budget else 1
    cuts = _cuts(rows, min(needed, MOST_PASSES) - 1)
    # The cuts themselves are only counted: a score that very many rows share is always one of them.
    tied = [TiedPiece(cuts[k : k + 1], *counts) for k, counts in enumerate(_counts(rows, cuts))]
    ends = [None, *cuts.tolist(), None]
    for k, (low, high) in enumerate(pairwise(ends)):
        doing = f"part {k + 1} of {len(ends) - 1}"
        yield from _between(rows, Stretch(low, high), take, doing, at_once=needed <= MOST_PASSES)
        if high is not None:
            yield take(tied[k])


def _cuts(rows: Rows, number: int) -> NDArray[Any]:
    """At most so many different scores that part the rows about evenly, ascending."""
    if not number:
        return np.empty(0)
    sample = rows.sample(SAMPLE_ROWS)
    places = np.linspace(0, sample.size - 1, number + 2)[1:-1].round().astype(int)
    return np.unique(sample[places])


def _counts(rows: Rows, cuts: NDArray[Any]) -> list[tuple[int, int]]:
    return rows.counts_at(cuts) if cuts.size else []


def _between(
    rows: Rows, stretch: Stretch, take: Callable[[Piece], Result], doing: str, *, at_once: bool
) -> Iterator[Result]:
    """A stretch in one piece, or copied and cut again where it does not fit."""
    found = rows.fetch(stretch, f"sorting {doing}") if at_once else None
    if found is not None:
        yield take(SortedPiece.from_rows(*found))
        return
    with rows.copied(stretch, f"copying {doing}", expected=rows.count // MOST_PASSES) as part:
        yield from of_pieces(part, take)
