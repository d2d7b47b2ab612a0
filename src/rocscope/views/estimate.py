"""Pictures of estimates: a number with its interval, or several of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rocscope.core.result import Estimate
from rocscope.errors import RocInputError
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Picture

# The value of no information, for the estimates that have one.
REFERENCES = {"AUC": 0.5}


def picture(estimate: Estimate, *, reference: float | None = None) -> Picture:
    """Show one estimate and its interval; `reference` draws a line to compare with.

    An area is compared with chance, 0.5, unless another reference is given.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = picture(rs.auc([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]))
    >>> shown.panels[0].x.label, shown.panels[0].y.far_labels
    ('AUC (95% interval)', ('0.889 (0.581 to 1.000)',))
    """
    return estimates([estimate], reference=reference)


def estimates(
    estimates: Sequence[Estimate] | Mapping[str, Estimate], *, reference: float | None = None
) -> Picture:
    """Show several estimates below each other.

    Parameters
    ----------
    estimates
        The estimates, or a mapping of row name to estimate. Rows without a name of their own are named
        by the estimate, and by its method where the names are the same.
    reference
        Value to compare with; without it 0.5 if all are areas.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, score = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]
    >>> shown = estimates([rs.auc(y, score, method=m) for m in ("delong", "logit")])
    >>> shown.panels[0].y.tick_labels
    ('AUC, delong', 'AUC, logit')
    """
    rows = list(estimates.values() if isinstance(estimates, Mapping) else estimates)
    if not rows:
        raise RocInputError("estimates must hold at least one estimate, got none")
    names = list(map(str, estimates)) if isinstance(estimates, Mapping) else _names(rows)
    kinds, intervals = {row.name for row in rows}, {_interval(row) for row in rows}
    kind = rows[0].name if len(kinds) == 1 else "Estimate"
    interval = intervals.pop() if len(intervals) == 1 else None
    return forest(
        [_row(name, row, with_level=interval is None) for name, row in zip(names, rows, strict=True)],
        label=f"{kind} ({interval or 'interval'})",
        reference=REFERENCES.get(kind) if reference is None else reference,
    )


def _names(rows: Sequence[Estimate]) -> list[str]:
    names = [row.name for row in rows]
    return [f"{row.name}, {row.method}" if names.count(row.name) > 1 else row.name for row in rows]


def _interval(row: Estimate) -> str:
    return words.interval_name(row.level, row.alternative)


def _row(name: str, row: Estimate, *, with_level: bool) -> Row:
    level = f", {_interval(row)}" if with_level and row.value is not None else ""
    figures = words.estimate_figures(row) + level
    return Row(name=name, value=row.value, low=row.low, high=row.high, figures=figures)
