"""The hot loops, compiled by numba; each has a readable twin in tests/slow."""

import numpy as np

from rocscope.core.curve import upper_hull
from rocscope.core.kernels.binormal import normal_terms as normal_terms
from rocscope.core.kernels.binormal import solve_row_sums as solve_row_sums
from rocscope.core.kernels.classes import cluster_placements as cluster_placements
from rocscope.core.kernels.classes import count_few as count_few
from rocscope.core.kernels.classes import count_many as count_many
from rocscope.core.kernels.classes import doubled_placements as doubled_placements
from rocscope.core.kernels.classes import merge_classes as merge_classes
from rocscope.core.kernels.classes import partial_placements as partial_placements
from rocscope.core.kernels.classes import placement_sums as placement_sums
from rocscope.core.kernels.classes import sort_with_rows as sort_with_rows
from rocscope.core.kernels.classes import split_cells as split_cells
from rocscope.core.kernels.classes import split_classes as split_classes
from rocscope.core.kernels.compiling import compiled
from rocscope.core.kernels.draws import bootstrap_twice_u as bootstrap_twice_u
from rocscope.core.kernels.draws import count_sign_sums as count_sign_sums
from rocscope.core.kernels.draws import draw_counts as draw_counts
from rocscope.core.kernels.ordinal import best_by_false_positives as best_by_false_positives
from rocscope.core.kernels.ordinal import code_labels as code_labels
from rocscope.core.kernels.ordinal import count_below as count_below
from rocscope.core.kernels.ordinal import extend_chains as extend_chains
from rocscope.core.kernels.ordinal import group_estimates as group_estimates
from rocscope.core.kernels.replicates import areas_inside as areas_inside
from rocscope.core.kernels.replicates import areas_over_x as areas_over_x
from rocscope.core.kernels.replicates import count_holding as count_holding
from rocscope.core.kernels.replicates import count_left_out as count_left_out
from rocscope.core.kernels.replicates import count_vertices as count_vertices
from rocscope.core.kernels.replicates import expected_positives as expected_positives
from rocscope.core.kernels.replicates import heights_at as heights_at
from rocscope.core.kernels.replicates import precision_recall_curves as precision_recall_curves
from rocscope.core.kernels.replicates import running_counts as running_counts
from rocscope.core.kernels.replicates import select_vertices as select_vertices
from rocscope.core.kernels.replicates import slanted_precision as slanted_precision
from rocscope.core.kernels.replicates import specificities_at as specificities_at
from rocscope.core.kernels.replicates import twice_u as twice_u
from rocscope.core.kernels.trials import cross_areas as cross_areas
from rocscope.core.kernels.trials import run_trials as run_trials

hull_vertices = compiled(upper_hull)


def warm_up() -> None:
    """Compile every kernel (or load it from the cache), so that the first real call is quick."""
    for dtype in (np.float64, np.int64):
        pos, neg = np.array([1, 2], dtype), np.array([0, 1], dtype)
        split_classes(np.array([True, False]), pos)
        split_cells(np.array([0, 1]), np.array([0, 1], np.uint8), pos, 2, 2)
        merge_classes(pos, neg)
        placement_sums(pos, neg)
        partial_placements(pos, neg, (0.0, 1.0, 0.0, 2.0))
        doubled_placements(*sort_with_rows(pos), *sort_with_rows(neg))
        cluster_placements(np.array([True, False]), pos, np.array([0, 0]), 1)
    partial_placements(np.array([1, 1]), np.array([0, 1]), (0.0, 1.0, 0.0, 2.0), counted=True)
    hull_vertices(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    count_sign_sums(np.ones((1, 2), np.int64), np.ones(1, np.int64))
    state = np.arange(1, 5, dtype=np.uint64)
    draw_counts(2, 1, state)
    bootstrap_twice_u(np.zeros(2, np.int32), np.ones(2, np.int32), 2, 1, state)
    count_few(np.ones((3, 2)), np.ones((1, 3)), (0, 0, 0), 21, None)
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
    limits = np.array([[0.0, 0.5]]), np.array([[0.5, 1.0]])
    count_holding(one.reshape(1, 2), one.reshape(1, 2), *limits, *limits, two, two)
