"""Comparisons of classifiers: differences of their areas, or of whole curves."""

from __future__ import annotations

from collections.abc import Sequence

from rocscope import views
from rocscope.area.compare import CurveComparison, PairDifference
from rocscope.report import reading
from rocscope.report.items import Item
from rocscope.report.sections import Plot, Section, Table
from rocscope.report.tables import interval, number, remarks


def sections(items: Sequence[Item]) -> list[Section]:
    """One section for each comparison."""
    return [_section(item) for item in items]


def _section(item: Item) -> Section:
    result: CurveComparison = item.result
    notes = remarks([("", result), *((f"{pair.first} - {pair.second}", pair) for pair in result.pairs)])
    plot = Plot(picture=views.picture(result), reading=comparison_words(result), notes=notes)
    return Section(title=item.titled("Comparison of classifiers"), body=(plot, _pairs(result)))


def comparison_words(result: CurveComparison) -> str:
    """Say which classifier is ahead, and whether the difference can be told from none."""
    what = "area" if result.quantity == "AUC" else result.quantity
    best = int(result.auc.argmax())
    told = [f"Largest {what}: {result.names[best]}, {result.auc[best]:.3f}."]
    if result.p_value is None:
        return f"{told[0]} The curves cannot be tested: {result.reason}."
    if len(result.pairs) > 1:
        test = reading.p_words(result.p_value, result.level)
        told.append(f"All {len(result.names)} together ({result.hypothesis}): {test}.")
    return " ".join([*told, *(_pair_words(pair, result) for pair in result.pairs)])


def _pair_words(pair: PairDifference, result: CurveComparison) -> str:
    adjusted = len(result.pairs) > 1
    p = pair.p_adjusted if adjusted else pair.p_value
    holm = ", adjusted for the number of pairs" if adjusted else ""
    ends = "" if pair.low is None else f" ({interval(pair.low, pair.high, signed=True)})"
    told = f"{pair.first} less {pair.second}: {reading.signed(pair.difference)}{ends}, "
    told += f"{reading.p_words(p, result.level)}{holm}."
    if pair.equivalent is None:
        return told
    within = "was" if pair.equivalent else "was not"
    return f"{told} It {within} shown to stay within the margin of {result.margin:g}."


def _pairs(result: CurveComparison) -> Table:
    header = ("pair", "difference", "standard error", "interval", "statistic", "p", "p (Holm)")
    rows = [
        (
            f"{pair.first} - {pair.second}",
            reading.signed(pair.difference),
            number(pair.se),
            interval(pair.low, pair.high, signed=True),
            number(pair.statistic),
            number(pair.p_value),
            number(pair.p_adjusted),
        )
        for pair in result.pairs
    ]
    how = "paired" if result.paired else "unpaired"
    return Table(
        caption=f"Differences of {result.quantity} ({how}, {result.method})", header=header, rows=rows
    )
