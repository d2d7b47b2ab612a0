"""Picture of a comparison of curves: the differences of their areas."""

from __future__ import annotations

from rocscope.area.compare import CurveComparison, PairDifference
from rocscope.views import words
from rocscope.views.forest import Row, forest
from rocscope.views.marks import Picture


def picture(result: CurveComparison | PairDifference) -> Picture:
    """Show the difference of every pair of areas, or of one, its interval and p-value, around a line at 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]}
    >>> picture(rs.compare_auc(y, scores)).panels[0].y.far_labels
    ('+0.344 (-0.089 to +0.777), p = 0.12',)
    """
    if isinstance(result, PairDifference):
        return forest([_row(result, adjusted=True)], label="Difference (interval)", reference=0.0)
    rows = [_row(pair, adjusted=len(result.pairs) > 1) for pair in result.pairs]
    interval = words.interval_name(result.level, result.alternative)
    return forest(
        rows,
        label=f"Difference of {result.quantity} ({interval}{_margin_words(result)})",
        reference=0.0,
        margins=_margins(result),
        title=_title(result),
    )


def _row(pair: PairDifference, *, adjusted: bool) -> Row:
    return Row(
        name=f"{pair.first} - {pair.second}",
        value=pair.difference,
        low=pair.low,
        high=pair.high,
        figures=_figures(pair, adjusted=adjusted),
    )


def _margins(result: CurveComparison) -> list[float]:
    """The differences that just do not matter, on the sides that the claim is about."""
    if result.margin is None:
        return []
    sides = {"greater": (-1,), "less": (1,)}.get(result.alternative, (-1, 1))
    return [side * result.margin for side in sides]


def _margin_words(result: CurveComparison) -> str:
    return "" if result.margin is None else f", margin {result.margin:g}"


def _figures(pair: PairDifference, *, adjusted: bool) -> str:
    text = words.with_interval(pair.difference, pair.low, pair.high, signed=True)
    if pair.p_value is not None:
        holm = f" (Holm {words.p_value(pair.p_adjusted)})" if adjusted and pair.p_adjusted is not None else ""
        text = f"{text}, p = {words.p_value(pair.p_value)}{holm}"
    if pair.p_equivalence is None:
        return text
    verdict = "within the margin" if pair.equivalent else "not shown within the margin"
    return f"{text}\n{verdict}, p = {words.p_value(pair.p_equivalence)}"


def _title(result: CurveComparison) -> str:
    subject = _subject(result)
    if result.p_value is None:
        return f"{subject}: no test, {result.reason}"
    df = "" if result.df is None else f", df = {result.df:.4g}"
    figures = f"{result.kind} = {result.statistic:.4g}{df}, p = {words.p_value(result.p_value)}"
    return f"{subject}: {figures}" if result.quantity == "AUC" else f"{subject}:\n{figures}"


def _subject(result: CurveComparison) -> str:
    """What the test speaks about: areas, other values, or whole curves."""
    if result.kind == "E":
        return "Equal curves (not areas)"
    if result.hypothesis.startswith("every contrast"):
        return words.sentence(result.hypothesis)
    return "Equal areas" if result.quantity == "AUC" else f"Equal {result.quantity}"
