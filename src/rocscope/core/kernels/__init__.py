"""The hot loops, compiled by numba; each has a readable twin in tests/slow."""

from __future__ import annotations

import numpy as np

from rocscope.core.curve import upper_hull
from rocscope.core.kernels.binormal import normal_terms, solve_row_sums
from rocscope.core.kernels.classes import (
    doubled_placements,
    merge_classes,
    placement_sums,
    sort_with_rows,
    split_cells,
    split_classes,
)
from rocscope.core.kernels.compiling import compiled
from rocscope.core.kernels.draws import bootstrap_twice_u, draw_counts
from rocscope.core.kernels.ordinal import (
    best_by_false_positives,
    code_labels,
    count_below,
    extend_chains,
    group_estimates,
)
from rocscope.core.kernels.signs import count_sign_sums
from rocscope.core.kernels.trials import cross_areas, run_trials
from rocscope.core.kernels.weights import count_few, count_many, count_or_reject

__all__ = [
    "best_by_false_positives",
    "bootstrap_twice_u",
    "code_labels",
    "count_below",
    "count_few",
    "count_many",
    "count_or_reject",
    "count_sign_sums",
    "cross_areas",
    "doubled_placements",
    "draw_counts",
    "extend_chains",
    "group_estimates",
    "hull_vertices",
    "merge_classes",
    "normal_terms",
    "placement_sums",
    "run_trials",
    "solve_row_sums",
    "sort_with_rows",
    "split_cells",
    "split_classes",
    "warm_up",
]

hull_vertices = compiled(upper_hull)


def warm_up() -> None:
    """Compile every kernel (or load it from the cache), so that the first real call is quick."""
    for dtype in (np.float64, np.int64):
        pos, neg = np.array([1, 2], dtype), np.array([0, 1], dtype)
        split_classes(np.array([True, False]), pos)
        split_cells(np.array([0, 1]), np.array([0, 1], np.uint8), pos, 2, 2)
        merge_classes(pos, neg)
        placement_sums(pos, neg)
        doubled_placements(*sort_with_rows(pos), *sort_with_rows(neg))
    hull_vertices(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    count_sign_sums(np.ones((1, 2), np.int64), np.ones(1, np.int64))
    state = np.arange(1, 5, dtype=np.uint64)
    draw_counts(2, 1, state)
    bootstrap_twice_u(np.zeros(2, np.int32), np.ones(2, np.int32), 2, 1, state)
    count_few(np.ones((3, 2)), np.ones((1, 3)), (0, 0, 0), 21)
    count_many(np.ones((3, 2)), np.ones((1, 3)))
    one, two = np.array([0, 1]), np.array([0.0, 1.0])
    for estimates in (two, two.astype(np.float32)):
        group_estimates(code_labels(one, 2)[0], one, estimates)
    both = two, np.arange(3)
    extend_chains(both, np.zeros(3), (two, np.zeros(2, np.uint32)), one, np.zeros((2, 1)), both)
    best_by_false_positives(one, one, one + 1, one + 1, 2)
    for counts in (one, two):
        normal_terms(np.array([0.0]), counts, 0.0)
    solve_row_sums(two, two[1:], np.ones((3, 2)))
    means, roots, states = np.zeros((2, 1)), np.ones((2, 1, 1)), state.reshape(1, 4)
    run_trials(0, (2, 2), 1, False, means, roots, 1, state, states)
    cross_areas(0, (2, 2), means, roots, 1, states, states)
