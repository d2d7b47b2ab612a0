"""All figures of one sample in one row: what folds and bootstrap replicates are compared by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.ordinal.areas import Closure, Fixed, side_fixed, twice_areas
from rocscope.ordinal.counts import FEWEST, Counter, Counts, Places, confusion_at, places, sides_of, whole
from rocscope.ordinal.data import ClassEstimates
from rocscope.ordinal.kappa import quadratic_kappa
from rocscope.ordinal.thresholds import Gaps
from rocscope.ordinal.vus import Ranked, ordered_areas, rank_classes

Floats = NDArray[np.float64]
OVERALL = ("max_auc macro", "max_auc weighted", "avg_auc macro", "avg_auc weighted")
LAST = ("adjacent_auc", "vus", "kappa")


def figure_names(labels: Sequence[Any]) -> tuple[str, ...]:
    """Names of the figures, in order.

    Examples
    --------
    >>> figure_names([1, 2])[:5]
    ('max_auc(1)', 'max_auc(2)', 'avg_auc(1)', 'avg_auc(2)', 'max_auc macro')
    """
    of_classes = [f"{name}({label})" for name in ("max_auc", "avg_auc") for label in labels]
    return (*of_classes, *OVERALL, *LAST)


def join_figures(
    max_auc: Floats, avg_auc: Floats, sizes: Counts, adjacent: Any, volume: Any, kappa: Any
) -> Floats:
    """Put figures in the order of `figure_names`, with the averages over the classes that are defined."""
    parts = [max_auc, avg_auc]
    for areas in (max_auc, avg_auc):
        parts += [_mean(areas, np.ones(sizes.size))[..., None], _mean(areas, sizes)[..., None]]
    parts.append(_mean(adjacent, np.ones(sizes.size - 1))[..., None])
    parts += [np.asarray(volume)[..., None], np.asarray(kappa)[..., None]]
    return np.concatenate(parts, axis=-1)


def _mean(values: Floats, weights: NDArray[Any]) -> Floats:
    """Weighted mean over the last axis of the values that are defined; NaN if none is."""
    defined = ~np.isnan(values)
    total = (defined * weights).sum(axis=-1)
    found = (np.where(defined, values, 0.0) * weights).sum(axis=-1)
    out = np.full(np.shape(found), np.nan)
    return np.asarray(np.divide(found, total, out=out, where=total > 0))


def neighbour_areas(areas: Sequence[Any], sizes: Counts) -> Floats:
    """Areas of neighbouring classes; NaN where one of the two has fewer than two members."""
    small = np.minimum(sizes[1:], sizes[:-1]) < FEWEST
    return np.where(small, np.nan, np.stack(areas, axis=-1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked of every sample: the thresholds, the kind of curve, and the cuts that decide."""

    gaps: Gaps
    fixed: Fixed
    closure: Closure
    cuts: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A sample with all look-ups done, so that a replicate of it needs sums alone."""

    question: Question
    found: Places
    cut: Counts
    ranked: list[Ranked]

    @classmethod
    def of(cls, estimates: ClassEstimates, question: Question) -> Prepared:
        """Look up thresholds, cuts and ranks."""
        return cls(
            question=question,
            found=Places.of(estimates, question.gaps),
            cut=places(estimates, question.cuts),
            ranked=rank_classes(estimates),
        )

    def figures(self, count: Counter = whole, shape: tuple[int, ...] = ()) -> Floats:
        """Figures of all cases, or of replicates of the given shape that `count` counts."""
        sizes = self.found.sizes
        areas = [self._class_areas(code, count, shape) for code in range(sizes.size)]
        ordered = ordered_areas(self.ranked, count)
        return join_figures(
            np.stack([area[0] for area in areas], axis=-1),
            np.stack([area[1] for area in areas], axis=-1),
            sizes,
            neighbour_areas(ordered.adjacent, sizes),
            np.full(shape, np.nan) if sizes.min() < FEWEST else ordered.volume,
            self._kappa(count, shape),
        )

    def _class_areas(self, code: int, count: Counter, shape: tuple[int, ...]) -> tuple[Floats, Floats]:
        """Largest and mean area of a class; NaN where it has none."""
        sides = sides_of(self.found, code, count)
        if sides.n_pos < FEWEST or not sides.n_neg or not (sides.pos_below.size and sides.pos_upto.size):
            return np.full(shape, np.nan), np.full(shape, np.nan)
        fixed = side_fixed(code, self.found.sizes.size, self.question.fixed)
        twice = twice_areas(sides, fixed, self.question.closure)
        scale = 2 * sides.n_pos * sides.n_neg
        return twice.max(axis=-1) / scale, twice.mean(axis=-1) / scale

    def _kappa(self, count: Counter, shape: tuple[int, ...]) -> Floats:
        if self.question.cuts.size < len(self.question.gaps):
            return np.full(shape, np.nan)
        return quadratic_kappa(confusion_at(self.cut, self.found.sizes, count))
