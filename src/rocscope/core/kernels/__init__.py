"""The hot loops, compiled by numba; each has a readable twin in tests/slow."""

from rocscope.core.curve import upper_hull
from rocscope.core.kernels.binormal import normal_terms as normal_terms
from rocscope.core.kernels.binormal import solve_row_sums as solve_row_sums
from rocscope.core.kernels.classes import count_few as count_few
from rocscope.core.kernels.classes import count_many as count_many
from rocscope.core.kernels.classes import doubled_placements as doubled_placements
from rocscope.core.kernels.classes import merge_classes as merge_classes
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
from rocscope.core.kernels.trials import cross_areas as cross_areas
from rocscope.core.kernels.trials import run_trials as run_trials

hull_vertices = compiled(upper_hull)
