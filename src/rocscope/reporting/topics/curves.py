"""ROC curves with their bands, areas and other estimates, comparisons, and operating points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocscope import plotting
from rocscope.core import formatting
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.errors import UndefinedError
from rocscope.inference import compare, cutpoint, point_measures
from rocscope.inference.bands import TPR, Band, RocBand
from rocscope.plotting.bands import MEASURES
from rocscope.plotting.forest import NAMES, UNBOUNDED
from rocscope.reporting import explorer, sections
from rocscope.reporting.page import curve_note

# So many curves have their operating point marked and described; more texts would hide the curves.
MARKED = 3
BAND_FPR = 0.1  # the false positive rate at which the interval of a band is described


@dataclass(frozen=True, slots=True)
class _CutOff:
    """The vertex of a curve that the page describes, and how it was selected; None is Youden's index."""

    index: int
    rule: str | None

    @property
    def marked(self) -> list[int]:
        """The vertex to mark; none where the best is that nothing tests positive."""
        return [] if self.index == 0 and self.rule is None else [self.index]


def curves_sections(items: Sequence[sections.Item]) -> list[sections.Section]:
    """Curves and bands, the explorer of each curve, and estimates."""
    drawn = [item for item in items if isinstance(item.result, RocCurve)]
    bands = [item for item in items if isinstance(item.result, Band)]
    estimates = [item for item in items if isinstance(item.result, Estimate)]
    # A curve without a name, or with that of another, has a number.
    names = [item.name or ("curve" if len(drawn) == 1 else f"curve {k}") for k, item in enumerate(drawn, 1)]
    names = [f"{name} ({k})" if names.count(name) > 1 else name for k, name in enumerate(names, 1)]
    curves: dict[str, RocCurve] = {name: item.result for name, item in zip(names, drawn, strict=True)}
    cutoffs = {name: _cutoff(item) for name, item in zip(names, drawn, strict=True)}
    shown = [curves_section(curves, bands, estimates, cutoffs)] if curves or bands else []
    for name, item in zip(names, drawn, strict=True):
        title = name if len(curves) > 1 else item.name
        section = explorer.explorer_section(
            curves[name], name=title, start=cutoffs[name].index, select=item.select
        )
        shown += [] if section is None else [section]
    return [*shown, *([estimates_section(estimates)] if estimates else [])]


def _cutoff(item: sections.Item) -> _CutOff:
    """The operating point of the page: that of another result, that of the constraints, else Youden's."""
    curve: RocCurve = item.result
    best = curve.select(rule="youden").index
    index = item.point
    if index is None and item.select:
        try:
            index = curve.select(*item.select).index
        except UndefinedError:  # nothing meets the constraints
            return _CutOff(best, None)
    if index is None or (index == best and not item.select):
        return _CutOff(best, None)
    return _CutOff(index, " and ".join(item.select) or "the operating point below")


# ---- Curves and bands -------------------------------------------------------------------------------------


def curves_section(
    curves: Mapping[str, RocCurve],
    bands: Sequence[sections.Item],
    estimates: Sequence[sections.Item],
    cutoffs: Mapping[str, _CutOff],
) -> sections.Section:
    """All curves in one plot where there are several, and a plot of each band, with the curve it belongs to.

    A band belongs to the curve of its name or to the only one, as does an area.
    """
    one = len(curves) == 1
    areas = dict[str, Estimate]()
    for name in curves:
        for item in estimates:
            if item.result.name == "AUC" and (item.name == name or (one and item.name is None)):
                areas.setdefault(name, item.result)
    plots, alone = list[sections.Plot](), True
    for band in bands:
        owner = next(iter(curves)) if one and band.name is None else band.name
        if owner is None or owner not in curves or not hasattr(band.result, "fpr"):
            picture = plotting.picture(band.result, name=band.name)
            plots.append(
                sections.Plot(picture=picture, reading=band_reading(band.result), notes=band.result.warnings)
            )
            continue
        alone = False
        curve, cutoff, area = curves[owner], cutoffs[owner], areas.get(owner)
        picture = plotting.picture(
            band.result, name=band.name, curve=curve, estimate=area, points=cutoff.marked
        )
        reading = [band_reading(band.result)]
        if one:
            reading[:0] = [_area_reading("The", curve, area, first=True), _point_reading("", curve, cutoff)]
        of_area = area.warnings if one and area is not None else ()
        notes = (*curve_note(curve), *curve.warnings, *of_area, *band.result.warnings)
        plots.append(
            sections.Plot(picture=picture, reading=" ".join(reading), notes=tuple(dict.fromkeys(notes)))
        )
    if curves and (not one or alone):
        plots.insert(0, _curves_plot(curves, areas, cutoffs))
    return sections.Section(
        title="ROC curves" if len(curves) > 1 else "ROC curve" if curves else "Bands", body=tuple(plots)
    )


def _curves_plot(
    curves: Mapping[str, RocCurve], areas: Mapping[str, Estimate], cutoffs: Mapping[str, _CutOff]
) -> sections.Plot:
    one, few = len(curves) == 1, len(curves) <= MARKED
    reading = [
        _area_reading("The" if one else f"{name}: the", curve, areas.get(name), first=k == 0)
        for k, (name, curve) in enumerate(curves.items())
    ]
    if few:
        reading += [
            _point_reading("" if one else f" of {name}", curve, cutoffs[name])
            for name, curve in curves.items()
        ]
    notes = [note for name, curve in curves.items() for note in curve_note(curve, name)]
    # Of an area the warnings alone: why it has no interval stands in the text.
    warned = [*curves.items(), *((name, replace(area, reason=None)) for name, area in areas.items())]
    return sections.Plot(
        picture=plotting.curves(
            curves, estimates=areas, points={name: cutoffs[name].marked for name in curves} if few else {}
        ),
        reading=" ".join(reading),
        notes=(*notes, *sections.remarks(("" if one else name, result) for name, result in warned)),
        name="curves",
    )


def _area_reading(subject: str, curve: RocCurve, area: Estimate | None, *, first: bool) -> str:
    """The area, and for the first curve what it means for a pair of cases."""
    value = f"{curve.auc:.3f}" if area is None else formatting.estimate_phrase(area)
    text = f"{subject} area under the curve is {value}."
    if not first:
        return text
    pos, neg = curve.pos_label, curve.neg_label
    return (
        f"{text} In {formatting.percentage(curve.auc)} of all pairs of a case of class {pos} and one of "
        f"class {neg} the score is higher for class {pos}."
    )


def _point_reading(of: str, curve: RocCurve, cutoff: _CutOff) -> str:
    index = cutoff.index
    if index == 0 and cutoff.rule is not None:
        return f"No case tests positive at the point{of} ({cutoff.rule})."
    if index == 0:
        return f"At no threshold{of} is the TPR above the FPR."
    at = f"the threshold {formatting.threshold(curve.thresholds[index])}"
    rates = f"{formatting.percentage(float(curve.tpr[index]))} and the false positive rate "
    rates += formatting.percentage(float(curve.fpr[index]))
    if cutoff.rule is not None:
        return f"At {at}{of} ({cutoff.rule}) the sensitivity is {rates}."
    return f"TPR - FPR{of} is largest at {at}, where the sensitivity is {rates}."


def band_reading(band: Band) -> str:
    """Describe what a band promises, and its interval at one place."""
    level = f"{100 * band.level:g}%"
    promise = (
        f"The whole true curve lies inside the band with probability {level}."
        if band.simultaneous
        else f"Each interval holds its own point of the true curve with probability {level}; some points of "
        "it will lie outside."
    )
    defined = np.flatnonzero(band.defined & np.isfinite(band.x))
    if not len(defined):
        return "There is no interval at any place."
    mean, low, high, place = band.mean, band.low, band.high, BAND_FPR
    if isinstance(band, RocBand) and band.x_label == TPR:
        mean, low, high, place = band.fpr, band.fpr_low, band.fpr_high, 1 - BAND_FPR
    k = defined[np.argmin(np.abs(band.x[defined] - place))]
    ends = f"{low[k]:.3f} to {high[k]:.3f}"
    return f"{promise} At {band.x_label} {band.x[k]:.4g} it reaches from {ends} around {mean[k]:.3f}."


# ---- Estimates --------------------------------------------------------------------------------------------


def estimates_section(items: Sequence[sections.Item]) -> sections.Section:
    """Every estimate in a row named by classifier, quantity and method, as far as they differ."""
    quantities = {item.result.name for item in items}
    rows, groups = dict[str, Estimate](), dict[tuple[str | None, str], list[Estimate]]()
    for item in items:
        one: Estimate = item.result
        groups.setdefault((item.name, one.name), []).append(one)
        quantity = one.name if len(quantities) > 1 or item.name is None else None
        name = ", ".join(part for part in (item.name, quantity, one.method) if part)
        while name in rows:
            name += "'"
        rows[name] = one
    readings = [
        estimates_reading(quantity if name is None else f"{quantity} of {name}", group)
        for (name, quantity), group in groups.items()
    ]
    body = (
        sections.Plot(picture=plotting.estimates(rows), reading=" ".join(readings)),
        sections.estimate_table(rows, caption="Every estimate with its interval"),
    )
    title = "Estimates" if len(quantities) > 1 else "Areas" if "AUC" in quantities else items[0].result.name
    return sections.Section(title=formatting.sentence(title), body=body)


def estimates_reading(quantity: str, estimates: Sequence[Estimate]) -> str:
    """The value of one quantity, and how far the intervals of its methods agree."""
    first = estimates[0]
    if len(estimates) == 1:
        return f"{quantity}: {formatting.estimate_phrase(first)}, by {first.method}."
    value = "undefined" if first.value is None else f"{first.value:.3f}"
    known = [
        (one.high - one.low, f"{one.low:.3f} to {one.high:.3f} ({one.method})")
        for one in estimates
        if one.low is not None and one.high is not None
    ]
    if not known:
        return f"{quantity}: {value}, without an interval by any of {len(estimates)} methods."
    widths = [width for width, _ in known]
    narrowest, widest = known[int(np.argmin(widths))][1], known[int(np.argmax(widths))][1]
    return (
        f"{quantity}: {value}. Of {formatting.counted(len(known), 'interval')} the narrowest is {narrowest}, "
        f"the widest {widest}."
    )


# ---- Comparisons of classifiers: differences of their areas, or of whole curves ---------------------------


@sections.section_of.register
def comparison_section(result: compare.CurveComparison, item: sections.Item) -> sections.Section:
    """The differences of all pairs, and which of them are significant."""
    pairs = {f"{pair.first} - {pair.second}": pair for pair in result.pairs}
    notes = sections.remarks([("", result), *pairs.items()])
    table = sections.row_table(
        result.pairs,
        ("pair", "difference", "se", "interval", "statistic", "p_value", "p_adjusted"),
        caption=f"Differences of {result.quantity} "
        f"({'paired' if result.paired else 'unpaired'}, {result.method})",
    )
    plot = sections.Plot(picture=plotting.picture(result), reading=comparison_reading(result), notes=notes)
    return sections.Section(title=item.titled("Comparison of classifiers"), body=(plot, table))


def comparison_reading(result: compare.CurveComparison) -> str:
    """Describe which classifier is ahead, and which differences are significant."""
    what = "area" if result.quantity == "AUC" else result.quantity
    best = int(result.auc.argmax())
    texts = [f"Largest {what}: {result.names[best]}, {result.auc[best]:.3f}."]
    if result.p_value is None:
        return f"{texts[0]} The curves cannot be tested: {result.reason}."
    several = len(result.pairs) > 1
    if several:
        test = formatting.p_value_phrase(result.p_value, result.level)
        texts.append(f"All {len(result.names)} together ({result.hypothesis}): {test}.")
    for pair in result.pairs:
        ends = "" if pair.low is None else f" ({formatting.table_interval(pair.low, pair.high, signed=True)})"
        test = formatting.p_value_phrase(pair.p_adjusted if several else pair.p_value, result.level)
        holm = ", adjusted for the number of pairs" if several else ""
        difference = formatting.table_number(pair.difference, signed=True)
        texts.append(f"{pair.first} minus {pair.second}: {difference}{ends}, {test}{holm}.")
        if pair.equivalent is not None:
            within = "was" if pair.equivalent else "was not"
            texts.append(f"It {within} shown to stay within the margin of {result.margin:g}.")
    return " ".join(texts)


# ---- Operating points: what one threshold does, and how stable its choice is ------------------------------


@sections.section_of.register
def measures_section(result: point_measures.PointMeasures, item: sections.Item) -> sections.Section:
    """An operating point with its confusion matrix and every measure."""
    names = NAMES | UNBOUNDED
    known = {
        names.get(key, key): one
        for key, one in result.estimates.items()
        if one.value is not None or one.low is not None
    }
    pos, neg = str(result.pos_label), str(result.neg_label)
    confusion = sections.Table(
        caption="Confusion matrix",
        header=("true class", f"classified as {pos}", f"classified as {neg}"),
        rows=((pos, str(result.tp), str(result.fn)), (neg, str(result.fp), str(result.tn))),
    )
    plot = sections.Plot(
        picture=plotting.picture(result, name=item.name or "score"),
        reading=measure_reading(result),
        notes=result.warnings,
    )
    table = sections.estimate_table(known, caption="Every measure with its interval")
    return sections.Section(title=item.titled("Operating point"), body=(plot, confusion, table))


def measure_reading(result: point_measures.PointMeasures) -> str:
    """Describe what happens to the cases of each class."""
    pos, neg = result.pos_label, result.neg_label
    at = f"Cases with a score of at least {formatting.threshold(result.threshold)} are classified as {pos}"
    if result.tp + result.fp == 0:
        at = f"No case is classified as {pos}"
    text = (
        f"{at}: {result.tp} of {result.tp + result.fn} cases of class {pos}, a sensitivity of "
        f"{formatting.estimate_phrase(result.sensitivity)}, and {result.fp} of {result.fp + result.tn} "
        f"cases of class {neg}, a specificity of {formatting.estimate_phrase(result.specificity)}."
    )
    if result.ppv.value is None:
        return text
    ppv = formatting.estimate_phrase(result.ppv)
    return f"{text} Of the cases classified as {pos}, {ppv} are of class {pos}."


@sections.section_of.register
def cutpoint_section(result: cutpoint.CutPoint, item: sections.Item) -> sections.Section:
    """The choice of a threshold, repeated on bootstrap samples."""
    rows = [
        (
            MEASURES.get(row.name, row.name),
            formatting.table_number(row.apparent),
            formatting.table_number(row.out_of_bag),
            formatting.table_number(row.optimism, signed=True),
            formatting.table_number(row.sd),
        )
        for row in result.measures
        if row.apparent is not None
    ]
    table = sections.Table(
        caption="What the point promises, and what it keeps",
        header=("measure", "where it was chosen", "on cases left out", "optimism", "sd"),
        rows=rows,
    )
    plot = sections.Plot(
        picture=plotting.picture(result, name=item.name or "score"),
        reading=cutpoint_reading(result),
        notes=(*([result.reason] if result.reason else []), *result.warnings),
    )
    return sections.Section(title=item.titled("Choice of the threshold"), body=(plot, table))


def cutpoint_reading(result: cutpoint.CutPoint) -> str:
    """Describe how stable the threshold is, and how much of its quality comes from the choice."""
    texts = [f"The chosen threshold is {formatting.threshold(result.threshold)}."]
    if result.low is not None:
        texts.append(
            f"Chosen again on {result.n_boot} bootstrap samples it lay between "
            f"{formatting.threshold(result.low)} and {formatting.threshold(result.high)} in "
            f"{100 * result.level:g}% of them."
        )
    youden = result.youden
    if youden.apparent is not None and youden.out_of_bag is not None:
        texts.append(
            f"TPR - FPR is {youden.apparent:.3f} on the cases that chose the point and "
            f"{youden.out_of_bag:.3f} on cases left out: a difference of "
            f"{formatting.table_number(youden.optimism, signed=True)} comes from the choice."
        )
    return " ".join(texts)
