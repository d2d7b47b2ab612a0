"""Picture of a comparison of curves: the differences of their areas."""

from __future__ import annotations

from rocscope.area.compare import CurveComparison, PairDifference
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Picture


def picture(result: CurveComparison) -> Picture:
    """Show the difference of every pair of areas, its interval and p-value, around a line at 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]}
    >>> picture(rs.compare_auc(y, scores)).panels[0].y.far_labels
    ('+0.344 (-0.089 to +0.777), p = 0.12',)
    """
    several = len(result.pairs) > 1
    rows = [
        Row(
            name=f"{pair.first} - {pair.second}",
            value=pair.difference,
            low=pair.low,
            high=pair.high,
            figures=_figures(pair, adjusted=several),
        )
        for pair in result.pairs
    ]
    interval = words.interval_name(result.level, result.alternative)
    return forest(rows, label=f"Difference of AUC ({interval})", reference=0.0, title=_title(result))


def _figures(pair: PairDifference, *, adjusted: bool) -> str:
    text = words.with_interval(pair.difference, pair.low, pair.high, signed=True)
    if pair.p_value is None:
        return text
    holm = f" (Holm {words.p_value(pair.p_adjusted)})" if adjusted and pair.p_adjusted is not None else ""
    return f"{text}, p = {words.p_value(pair.p_value)}{holm}"


def _title(result: CurveComparison) -> str:
    if result.p_value is None:
        return f"Equal areas: no test, {result.reason}"
    df = "" if result.df is None else f", df = {result.df:.4g}"
    return f"Equal areas: {result.kind} = {result.statistic:.4g}{df}, p = {words.p_value(result.p_value)}"
