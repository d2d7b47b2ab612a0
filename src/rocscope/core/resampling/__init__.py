"""Chance, in one place: `streams` (seeds, chunks, folds), `replicates` (every bootstrap, its intervals).

The other rooms see this module alone.
"""

from rocscope.core.resampling.replicates import AGREE as AGREE
from rocscope.core.resampling.replicates import FEW as FEW
from rocscope.core.resampling.replicates import FEW_CASES as FEW_CASES
from rocscope.core.resampling.replicates import NO_ORDER as NO_ORDER
from rocscope.core.resampling.replicates import SMALL_CLASS as SMALL_CLASS
from rocscope.core.resampling.replicates import Cases as Cases
from rocscope.core.resampling.replicates import Cells as Cells
from rocscope.core.resampling.replicates import DrawnCurve as DrawnCurve
from rocscope.core.resampling.replicates import Draws as Draws
from rocscope.core.resampling.replicates import Ranking as Ranking
from rocscope.core.resampling.replicates import Sampling as Sampling
from rocscope.core.resampling.replicates import VertexCounts as VertexCounts
from rocscope.core.resampling.replicates import bca_interval as bca_interval
from rocscope.core.resampling.replicates import bootstrap_areas as bootstrap_areas
from rocscope.core.resampling.replicates import bootstrap_curves as bootstrap_curves
from rocscope.core.resampling.replicates import bootstrap_table as bootstrap_table
from rocscope.core.resampling.replicates import chunk_size as chunk_size
from rocscope.core.resampling.replicates import end_error as end_error
from rocscope.core.resampling.replicates import kept_vertices as kept_vertices
from rocscope.core.resampling.replicates import paired_bootstrap_areas as paired_bootstrap_areas
from rocscope.core.resampling.replicates import percentile_interval as percentile_interval
from rocscope.core.resampling.replicates import percentile_p as percentile_p
from rocscope.core.resampling.replicates import plan_of as plan_of
from rocscope.core.resampling.replicates import standard_error as standard_error
from rocscope.core.resampling.replicates import tail_shares as tail_shares
from rocscope.core.resampling.replicates import vertex_counts as vertex_counts
from rocscope.core.resampling.streams import REDRAW_LIMIT as REDRAW_LIMIT
from rocscope.core.resampling.streams import Chunk as Chunk
from rocscope.core.resampling.streams import Rng as Rng
from rocscope.core.resampling.streams import as_generator as as_generator
from rocscope.core.resampling.streams import group_leakage as group_leakage
from rocscope.core.resampling.streams import plan_chunks as plan_chunks
from rocscope.core.resampling.streams import spawn_streams as spawn_streams
from rocscope.core.resampling.streams import stratified_bootstrap as stratified_bootstrap
from rocscope.core.resampling.streams import stratified_folds as stratified_folds
