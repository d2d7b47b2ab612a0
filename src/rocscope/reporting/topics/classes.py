"""Several classes: areas of pairs or classes, and sets of curves of ordered classes."""

from __future__ import annotations

from collections.abc import Sequence

from rocscope import plotting
from rocscope.core import formatting
from rocscope.inference.compare import CurveComparison, PairDifference
from rocscope.inference.multiclass import MulticlassAuc
from rocscope.ordinal.roc import OrdinalRoc
from rocscope.reporting import tables
from rocscope.reporting.sections import Item, Part, Plot, Section, Table
from rocscope.reporting.tables import estimate_table, interval, number, remarks

TITLES = {"ovo": "Areas of pairs of classes", "ovr": "Areas of each class against the rest"}


def class_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each result."""
    return [_areas(item) if isinstance(item.result, MulticlassAuc) else _ordinal(item) for item in items]


# ---- Areas of pairs or classes ----------------------------------------------------------------------------


def _areas(item: Item) -> Section:
    result: MulticlassAuc = item.result
    rows = {row.label: row for row in result.rows} | {f"{result.average.capitalize()} average": result}
    plot = Plot(picture=plotting.picture(result), reading=multiclass_words(result))
    table = estimate_table(rows, caption="Every area with its interval")
    return Section(title=item.titled(TITLES[result.scheme]), body=(plot, table))


def multiclass_words(result: MulticlassAuc) -> str:
    """Say what is easy and what is hard to tell apart."""
    known = sorted((row for row in result.rows if row.value is not None), key=lambda row: row.value or 0.0)
    what = "pair of classes" if result.scheme == "ovo" else "class against the rest"
    told = [f"The {result.average} average of the areas is {tables.with_interval(result)}."]
    if len(known) > 1:
        worst, best = known[0], known[-1]
        told.append(
            f"The hardest {what} is {worst.label} with {tables.with_interval(worst)}, the easiest "
            f"{best.label} with {tables.with_interval(best)}."
        )
    return " ".join(told)


# ---- Ordered classes --------------------------------------------------------------------------------------


def _ordinal(item: Item) -> Section:
    result: OrdinalRoc = item.result
    body: list[Part] = [
        Plot(
            picture=plotting.picture(result, show="curves"),
            reading=ordinal_words(result),
            notes=result.warnings,
        ),
        Plot(picture=plotting.picture(result, show="youden"), reading=_youden_words(result)),
        _areas_table(result),
        *([] if result.thresholds.value is None else [_decisions(result)]),
    ]
    return Section(title=item.titled("Ordered classes"), body=tuple(body))


def ordinal_words(result: OrdinalRoc) -> str:
    """Say which class is recognised best and worst, and how far the order is kept."""
    known = [(float(result.max_auc[k]), label) for k, label in enumerate(result.labels) if result.defined[k]]
    told = [
        "Each panel shows the curves of one class against all others; a curve keeps one threshold and moves "
        "the other."
    ]
    if len(known) > 1:
        (least, worst), (most, best) = min(known, key=_area), max(known, key=_area)
        told.append(
            f"The largest area is that of class {best}, {most:.3f}; the smallest that of class {worst}, "
            f"{least:.3f}."
        )
    if result.vus is not None:
        told.append(
            f"{tables.share(result.vus)} of all groups with one case of every class are in order; by chance "
            f"it would be {tables.share(result.vus_chance)}."
        )
    if result.kappa is not None:
        told.append(f"Quadratic weighted kappa at the best thresholds is {result.kappa:.3f}.")
    return " ".join(told)


def _area(pair: tuple[float, object]) -> float:
    return pair[0]


def _youden_words(result: OrdinalRoc) -> str:
    told = [
        f"class {one.label}: {one.youden:.3f}"
        for one in result.curves
        if one.status == "ok" and one.youden is not None
    ]
    return f"TPR - FPR over both thresholds of each class, with its best pair. Largest: {', '.join(told)}."


def _areas_table(result: OrdinalRoc) -> Table:
    """MaxAUC, AvgAUC and the figures of all classes together, as far as they are defined."""
    known = {_figure_name(name): found for name, found in result.estimates.items() if found.value is not None}
    return estimate_table(known, caption="Every figure with its interval")


def _figure_name(name: str) -> str:
    if name == "vus":
        return "Volume under the surface (VUS)"
    for written, told in (
        ("max_auc", "MaxAUC"),
        ("avg_auc", "AvgAUC"),
        ("adjacent_auc", "AUC of neighbours"),
    ):
        name = name.replace(written, told)
    return formatting.sentence(name)


def _decisions(result: OrdinalRoc) -> Table:
    found = result.thresholds
    cuts = ", ".join(f"{value:.4g}" for value in found.values)
    header = ("true class", *(f"decided {label}" for label in found.labels))
    rows = [
        (str(label), *(str(count) for count in row))
        for label, row in zip(found.labels, found.confusion.tolist(), strict=True)
    ]
    told = f"Decisions at the thresholds {cuts} (error {number(found.error)})"
    return Table(caption=told, header=header, rows=rows)


# ---- Comparisons of classifiers: differences of their areas, or of whole curves ---------------------------


def comparison_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each comparison."""
    return [_section(item) for item in items]


def _section(item: Item) -> Section:
    result: CurveComparison = item.result
    notes = remarks([("", result), *((f"{pair.first} - {pair.second}", pair) for pair in result.pairs)])
    plot = Plot(picture=plotting.picture(result), reading=comparison_words(result), notes=notes)
    return Section(title=item.titled("Comparison of classifiers"), body=(plot, _pairs(result)))


def comparison_words(result: CurveComparison) -> str:
    """Say which classifier is ahead, and whether the difference can be told from none."""
    what = "area" if result.quantity == "AUC" else result.quantity
    best = int(result.auc.argmax())
    told = [f"Largest {what}: {result.names[best]}, {result.auc[best]:.3f}."]
    if result.p_value is None:
        return f"{told[0]} The curves cannot be tested: {result.reason}."
    if len(result.pairs) > 1:
        test = tables.p_words(result.p_value, result.level)
        told.append(f"All {len(result.names)} together ({result.hypothesis}): {test}.")
    return " ".join([*told, *(_pair_words(pair, result) for pair in result.pairs)])


def _pair_words(pair: PairDifference, result: CurveComparison) -> str:
    adjusted = len(result.pairs) > 1
    p = pair.p_adjusted if adjusted else pair.p_value
    holm = ", adjusted for the number of pairs" if adjusted else ""
    ends = "" if pair.low is None else f" ({interval(pair.low, pair.high, signed=True)})"
    told = f"{pair.first} less {pair.second}: {tables.signed(pair.difference)}{ends}, "
    told += f"{tables.p_words(p, result.level)}{holm}."
    if pair.equivalent is None:
        return told
    within = "was" if pair.equivalent else "was not"
    return f"{told} It {within} shown to stay within the margin of {result.margin:g}."


def _pairs(result: CurveComparison) -> Table:
    header = ("pair", "difference", "standard error", "interval", "statistic", "p", "p (Holm)")
    rows = [
        (
            f"{pair.first} - {pair.second}",
            tables.signed(pair.difference),
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
