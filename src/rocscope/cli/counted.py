"""What `rocscope auc` does within a limit of memory: it counts, and never holds all rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocscope.cli.areas import Samples
from rocscope.cli.asked import AT_A_THRESHOLD, AskedArea

if TYPE_CHECKING:
    from rocscope.core.result import Estimate
    from rocscope.sources.large import FileSums
    from rocscope.sources.local import LocalFile
    from rocscope.sources.outline import FileCurve

# Methods that need more than the sums of the placements.
FROM_CURVE = ("bamber", AT_A_THRESHOLD)


def counted(source: LocalFile, asked: AskedArea, *, figure: bool, **columns: Any) -> Samples:
    """Exact sums of each score, and its curve where a method or the figure needs it."""
    from rocscope.sources.large import sums_of_file
    from rocscope.sources.outline import curves_of_file, vertex_at

    if not figure and asked.method not in FROM_CURVE:
        return {**sums_of_file(source, **columns)}
    threshold = asked.threshold
    keep = None if threshold is None else lambda stretch: [max(vertex_at(stretch, threshold), 0)]
    return {**curves_of_file(source, **columns, keep=keep)}


def counted_area(data: FileSums, asked: AskedArea) -> Estimate:
    """Area and interval from the counts."""
    from rocscope.area.auc import auc_from_sums
    from rocscope.area.intervals import Counts
    from rocscope.sources.outline import FileCurve

    counts = None
    if isinstance(data, FileCurve):
        counts = Counts(tied_pairs=data.tied_pairs, errors=_errors(data, asked.threshold))
    return auc_from_sums(data.sums, counts=counts, warnings=data.warnings, **asked.how)


def _errors(data: FileCurve, threshold: float | None) -> int | None:
    from rocscope.sources.outline import vertex_at

    if threshold is None:
        return None
    curve, vertex = data.curve, vertex_at(data.curve, threshold)
    return int(curve.fp[vertex] + curve.n_pos - curve.tp[vertex])
