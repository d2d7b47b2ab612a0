"""Picture of a multi-class area: its parts, and their average."""

from __future__ import annotations

from rocscope.area.multiclass import MulticlassAuc
from rocscope.core.result import Estimate
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Picture

AGAINST = {"ovo": "Pairs of classes", "ovr": "Each class against the rest"}


def picture(result: MulticlassAuc) -> Picture:
    """Show the area of every pair or class, and below them the average.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = ["a", "a", "b", "b", "b", "c", "c"]
    >>> p = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]
    >>> picture(rs.multiclass_auc(y, p, classes=["a", "b", "c"])).panels[0].y.tick_labels
    ('a - b', 'a - c', 'b - c', 'Macro average')
    """
    rows = [_row(row.label, row) for row in result.rows]
    rows.append(_row(f"{result.average.capitalize()} average", result, series=1))
    interval = words.interval_name(result.level, result.alternative)
    return forest(rows, label=f"AUC ({interval})", reference=0.5, title=_title(result))


def _row(name: str, row: Estimate, series: int = 0) -> Row:
    figures = words.estimate_figures(row)
    return Row(name=name, value=row.value, low=row.low, high=row.high, figures=figures, series=series)


def _title(result: MulticlassAuc) -> str:
    told = AGAINST[result.scheme]
    return told if result.value is not None else f"{told}: no average, {result.reason}"
