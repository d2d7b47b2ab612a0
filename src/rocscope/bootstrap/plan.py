"""Which rows train and which are tested: bootstrap replicates, folds, and every case by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.bootstrap.sample import Sample
from rocscope.core.resample import REDRAW_LIMIT, stratified_bootstrap, stratified_folds
from rocscope.errors import UndefinedError

Rows = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Split:
    """Rows that train, as often as drawn, and rows that are tested."""

    train: Rows
    test: Rows


@dataclass(frozen=True, slots=True)
class Replicates:
    """Bootstrap replicates, and how many were drawn again because one side lacked a class."""

    splits: list[Split]
    redrawn: int

    def counts(self, n_cases: int) -> NDArray[np.int32]:
        """How often each case is in each replicate, (replicates, cases)."""
        counts = [np.bincount(split.train, minlength=n_cases) for split in self.splits]
        return np.array(counts, np.int32).reshape(len(counts), n_cases)


def draw_replicates(sample: Sample, n_boot: int, *, stratify: bool, stream: Generator) -> Replicates:
    """Draw replicates, tested on the rows they leave out; both sides of each hold both classes.

    Examples
    --------
    >>> sample = Sample.read(np.zeros((6, 1)), [0, 0, 0, 1, 1, 1], pos_label=None)
    >>> drawn = draw_replicates(sample, 4, stratify=True, stream=np.random.default_rng(0))
    >>> [len(split.train) for split in drawn.splits], all(len(split.test) > 1 for split in drawn.splits)
    ([6, 6, 6, 6], True)
    """
    if sample.smallest < 2:
        return Replicates([], 0)  # its one case cannot both train and be tested
    drawn = [_draw(sample, stratify, stream) for _ in range(n_boot)]
    return Replicates([split for split, _ in drawn], sum(again for _, again in drawn))


def _draw(sample: Sample, stratify: bool, stream: Generator) -> tuple[Split, int]:
    n = sample.size
    for again in range(REDRAW_LIMIT + 1):
        train = stratified_bootstrap(sample.positive, stream) if stratify else stream.integers(0, n, n)
        test = np.flatnonzero(np.bincount(train, minlength=n) == 0)
        if sample.holds_both(train) and sample.holds_both(test):
            return Split(train, test), again
    raise UndefinedError(
        f"each of {REDRAW_LIMIT + 1} bootstrap draws lacked a class in training or among the left-out rows; "
        f"the smallest class has {sample.smallest_words()}"
    )


def whole(sample: Sample) -> Split:
    """Train and test on all rows: the apparent performance."""
    rows = np.arange(sample.size)
    return Split(rows, rows)


def fold_splits(sample: Sample, n_folds: int, repeats: int, stream: Generator) -> list[list[Split]]:
    """Stratified folds, dealt anew in every repeat."""
    return [
        [
            Split(np.flatnonzero(fold != k), np.flatnonzero(fold == k))
            for fold in [stratified_folds(sample.positive, n_folds, stream)]
            for k in range(n_folds)
        ]
        for _ in range(repeats)
    ]


def leave_one_out_splits(sample: Sample) -> list[Split]:
    """Every case tested by the model that all others train."""
    rows = np.arange(sample.size)
    return [Split(np.delete(rows, k), rows[k : k + 1]) for k in rows]
