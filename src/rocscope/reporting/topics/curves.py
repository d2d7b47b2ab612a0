"""ROC curves with bands, areas and other estimates, comparisons, reader studies, and operating points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rocscope import plotting
from rocscope.core import formatting
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.inference import compare, cutpoint, grey_zone, point_measures, subgroups
from rocscope.inference.bands import FPR, TPR, Band, RocBand
from rocscope.inference.reader_study import ReaderStudy
from rocscope.plotting.bands import MEASURES
from rocscope.plotting.forest import NAMES, UNBOUNDED
from rocscope.plotting.marks import Panel, Picture
from rocscope.reporting import explorer, sections
from rocscope.reporting.analysis import FIXED
from rocscope.reporting.page import curve_note
from rocscope.reporting.topics import summary

SHOWN_PAIRS = 12  # a comparison of more pairs is folded
BAND_FPR = 0.1  # the false positive rate at which the interval of a band is described


def curves_sections(items: Sequence[sections.Item]) -> list[sections.Section]:
    """The explorer of each curve, its band, and the estimates by every method."""
    bands = [item for item in items if isinstance(item.result, Band)]
    fixed = [
        item
        for item in bands
        if isinstance(item.result, RocBand) and tuple(item.result.x.tolist()) in FIXED.values()
    ]
    bands = [item for item in bands if item not in fixed]
    estimates = [item for item in items if isinstance(item.result, Estimate)]
    drawn = [item for item in items if isinstance(item.result, RocCurve)]
    markers = summary.markers_of(items)
    shown = list[sections.Section]()
    for marker, item in sorted(zip(markers, drawn, strict=True), key=lambda pair: -pair[0].curve.auc):
        section = explorer.explorer_section(
            marker.curve,
            name=marker.name if len(markers) > 1 else item.name,
            start=marker.index,
            select=item.select,
            rule=item.rule,
            cutpoint=item.cutpoint,
        )
        shown += [] if section is None else [section]
    if bands:
        shown.append(bands_section(bands, markers))
    if fixed:
        shown.append(fixed_section(fixed, markers))
    if estimates:
        shown.append(replace(estimates_section(estimates), folded=bool(drawn)))
    return shown


# ---- Bands ------------------------------------------------------------------------------------------------


def fixed_section(items: Sequence[sections.Item], markers: Sequence[summary.Marker]) -> sections.Section:
    """Specificities at fixed sensitivities and the reverse, with intervals and cut-offs, a row per place."""
    named = {marker.name: marker for marker in markers}
    level = f"{100 * items[0].result.level:g}% CI"
    tables = list[sections.Table]()
    for kind, what in ((TPR, ("sensitivity", "specificity")), (FPR, ("specificity", "sensitivity"))):
        rows = list[tuple[str, ...]]()
        for item in items:
            band: RocBand = item.result
            if band.x_label != kind:
                continue
            mean, low, high = band.mean, band.low, band.high
            marker = named.get(item.name or "score")
            if kind == TPR:  # of the FPR, turned round
                mean, low, high = 1 - band.fpr, 1 - band.fpr_high, 1 - band.fpr_low
            for k, x in enumerate(band.x):
                given = f"{100 * (x if kind == TPR else 1 - x):g}%"
                value = f"{100 * mean[k]:.1f}%"
                ends = f"{100 * low[k]:.1f}–{100 * high[k]:.1f}%" if band.defined[k] else "–"
                reached = f"tpr>={x}" if kind == TPR else f"fpr<={x}"
                cut = "–" if marker is None else marker.criterion_at(marker.curve.select(reached).index)
                rows.append((item.name or "score", given, value, ends, cut))
        if rows:
            head = ("", what[0], f"{what[1]}", level, "cut-off")
            tables.append(
                sections.Table(caption=f"{what[1]} at fixed {what[0]}".capitalize(), header=head, rows=rows)
            )
    notes = (
        f"Intervals are by {sections.METHODS.get(items[0].result.method, items[0].result.method)}; the curve "
        "runs straight between its points.",
        "Cut-off: the one that has at least the fixed value, and the most of the other.",
    )
    body: tuple[sections.Part, ...] = (*tables, *(sections.Paragraph(note, "note") for note in notes))
    return sections.Section(title="Sensitivity and specificity at fixed values", body=body, folded=True)


def bands_section(items: Sequence[sections.Item], markers: Sequence[summary.Marker]) -> sections.Section:
    """Every band around its curve, side by side; those of no curve have their own pictures."""
    plots, panels, readings, notes = list[sections.Plot](), list[Panel](), list[str](), list[str]()
    owners = {id(marker.band): marker for marker in markers if marker.band is not None}
    for item in items:
        marker = owners.get(id(item.result))
        if marker is None:
            picture = plotting.picture(item.result, name=item.name)
            reading = band_reading(item.result)
            plots.append(sections.Plot(picture=picture, reading=reading, notes=item.result.warnings))
            continue
        points = [marker.index] if marker.index else []
        picture = plotting.picture(
            item.result, name=item.name, curve=marker.curve, estimate=marker.area, points=points
        )
        panels += [replace(panel, title=marker.name if len(markers) > 1 else "") for panel in picture.panels]
        readings.append(band_reading(item.result))
        notes += [*curve_note(marker.curve, marker.name), *item.result.warnings]
    if panels:
        promise = readings[0] if len(readings) == 1 else readings[0].partition(". ")[0] + "."
        together = Picture(panels=tuple(panels), columns=min(3, len(panels)))
        plots.insert(0, sections.Plot(picture=together, reading=promise, notes=tuple(dict.fromkeys(notes))))
    title = "Bands of the curves" if len(items) > 1 else "Band of the curve"
    return sections.Section(title=title, body=tuple(plots), folded=bool(markers))


def band_reading(band: Band) -> str:
    """Describe what a band promises, and its interval at one place."""
    level = f"{100 * band.level:g}%"
    promise = (
        f"The whole true curve lies inside such a band in {level} of studies."
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
        (one.high - one.low, f"{formatting.span(f'{one.low:.3f}', f'{one.high:.3f}')} ({one.method})")
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
    many = len(result.pairs) > SHOWN_PAIRS
    return sections.Section(title=item.titled("Comparison of markers"), body=(plot, table), folded=many)


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
        texts.append(sections.difference_text(pair, result.level, several=several))
        if pair.equivalent is not None:
            within = "was" if pair.equivalent else "was not"
            texts.append(f"It {within} shown to stay within the margin of {result.margin:g}.")
    return " ".join(texts)


# ---- Reader studies ---------------------------------------------------------------------------------------

FOLDED_READERS = 12  # a table of the areas of more readers is folded
DESIGNS = {
    "crossed": "Every reader read every case in every modality.",
    "nested in readers": "Each reader read cases of their own, the same in every modality.",
    "nested in modalities": "Each modality has cases of its own, which all readers read.",
    "split-plot": "Groups of readers read cases of their own, the same in every modality.",
    "unbalanced": "Not every reader read every case in every modality.",
}
SPEAKS = {
    ("random", "random"): "The result is about readers and cases like these.",
    ("fixed", "random"): "The result is about these readers, and cases like these.",
    ("random", "fixed"): "The result is about readers like these, and these cases.",
}


@sections.section_of.register
def reader_section(result: ReaderStudy, item: sections.Item) -> sections.Section:
    """The lines of the readers, the differences of all pairs of modalities, and each reader's areas."""
    pairs = {f"{row.first} - {row.second}": row for row in result.pairs}
    plot = sections.Plot(
        picture=plotting.picture(result),
        reading=reader_reading(result),
        notes=sections.remarks([("", result), *pairs.items()]),
    )
    differences = sections.row_table(
        result.pairs,
        ("pair", "difference", "se", "df", "interval", "statistic", "p_value", "p_adjusted"),
        caption=f"Differences between modalities, all readers ({result.method})",
    )
    level = f"{100 * result.level:g}% CI"
    rows = [
        (name, *(formatting.with_interval(row.value, row.low, row.high) for row in areas))
        for name, areas, _ in result.by_reader()
    ]
    table = sections.Table(
        caption=f"Areas ({level})",
        header=("reader", *result.modalities),
        rows=rows,
        folded=len(rows) > FOLDED_READERS,
    )
    parts = result.components
    named = {
        "reader": parts.reader,
        "reader by modality": parts.modality_reader,
        "error": parts.error,
        "Cov1 (same reader)": parts.cov1,
        "Cov2 (same modality)": parts.cov2,
        "Cov3 (neither)": parts.cov3,
    }
    components = sections.Table(
        caption="Variance components of an area",
        header=("component", "estimate"),
        rows=[(name, formatting.number(value, ".4g")) for name, value in named.items()],
        folded=True,
    )
    body = (plot, differences, table, components)
    return sections.Section(title=item.titled("Reader study"), body=body)


def reader_reading(result: ReaderStudy) -> str:
    """Describe the design, whom the result is about, and which differences are significant."""
    best = max(result.means, key=lambda row: row.value)
    texts = [
        f"{len(result.readers)} readers, {len(result.modalities)} modalities, {result.n_pos} positive and "
        f"{result.n_neg} negative cases. {DESIGNS[result.design]} "
        f"{SPEAKS[result.reader_effect, result.case_effect]}",
        f"Largest mean area: {best.modality}, {best.value:.3f}.",
    ]
    if result.p_value is None:
        return " ".join([*texts, f"The modalities cannot be tested: {result.reason}."])
    several = len(result.pairs) > 1
    if several:
        texts.append(f"All together: {formatting.p_value_phrase(result.p_value, result.level)}.")
    known = [pair for pair in result.pairs if pair.difference is not None]
    texts += [sections.difference_text(pair, result.level, several=several) for pair in known]
    return " ".join(texts)


# ---- Subgroups --------------------------------------------------------------------------------------------


@sections.section_of.register
def subgroups_section(result: subgroups.SubgroupAreas, item: sections.Item) -> sections.Section:
    """The area of every group, its difference to the rest, and what the common threshold does in it."""
    plot = sections.Plot(
        picture=plotting.picture(result), reading=subgroups_reading(result), notes=result.warnings
    )
    level = f"{100 * result.level:g}% CI"

    def figures(row: subgroups.SubgroupArea, name: str, *, signed: bool = False) -> str:
        ends = row[f"{name}_low"], row[f"{name}_high"]
        return formatting.table_with_interval(row[name], *ends, signed=signed)

    def p_value(p: float | None) -> str:
        return formatting.UNDEFINED if p is None else formatting.p_value(p)

    body: list[sections.Part] = [plot]
    for test in result.tests:
        rows = result.of(test.by)
        areas = [
            (
                str(row.group),
                str(row.n_pos),
                str(row.n_neg),
                figures(row, "auc"),
                figures(row, "difference", signed=True),
                p_value(row.p_value),
                p_value(row.p_adjusted),
            )
            for row in rows
        ]
        body.append(
            sections.Table(
                caption=f"Areas by {test.by}",
                header=(
                    test.by,
                    f"class {result.pos_label!s}",
                    f"class {result.neg_label!s}",
                    f"AUC ({level})",
                    f"minus the rest ({level})",
                    "p",
                    "p (Holm)",
                ),
                rows=areas,
                notes=sections.remarks([(str(row.group), row) for row in rows]),
                folded=len(areas) > sections.FOLDED_ROWS,
            )
        )
        if result.threshold is not None:
            head = tuple(f"{name.upper()} ({level})" for name in subgroups.RATES)
            rates = [(str(row.group), *(figures(row, name) for name in subgroups.RATES)) for row in rows]
            side = "at least" if result.direction == "higher" else "at most"
            caption = f"By {test.by}, test positive where the score is {side} "
            caption += formatting.threshold(result.threshold)
            body.append(sections.Table(caption=caption, header=(test.by, *head), rows=rates))
    return sections.Section(title=item.titled("Subgroups"), body=tuple(body))


def subgroups_reading(result: subgroups.SubgroupAreas) -> str:
    """Describe the range of the areas of each column, its test, and the groups that differ from the rest."""
    texts = []
    for test in result.tests:
        known = [row for row in result.of(test.by) if row.status == "ok" and row.auc is not None]
        if test.p_value is None or not known:
            texts.append(f"By {test.by} there is no test: {test.reason}.")
            continue
        areas = {row.group: float(row.auc or 0) for row in known}
        least, most = min(areas, key=areas.__getitem__), max(areas, key=areas.__getitem__)
        p = test.p_value if len(result.tests) == 1 or test.p_adjusted is None else test.p_adjusted
        adjusted = ", adjusted for the number of columns" if len(result.tests) > 1 else ""
        texts.append(
            f"By {test.by} the areas reach from {areas[least]:.3f} ({least}) to {areas[most]:.3f} ({most}); "
            f"that all are equal: {formatting.p_value_phrase(p, result.level)}{adjusted}."
        )
        apart = [row for row in known if row.p_adjusted is not None and row.p_adjusted < 1 - result.level]
        if apart:
            listed = formatting.listed([str(row.group) for row in apart])
            texts.append(f"Significantly different from the rest after Holm's adjustment: {listed}.")
    return " ".join(texts)


# ---- Operating points: what one threshold does, and how stable its choice is ------------------------------


def points_sections(items: Sequence[sections.Item]) -> list[sections.Section]:
    """All measures of the points that page one and the explorer show, in one table; the others one by one."""
    explored = [item for item in items if item.explored]
    shown = [item for item in explored if isinstance(item.result, point_measures.PointMeasures)]
    choices = [item for item in explored if isinstance(item.result, cutpoint.CutPoint)]
    made = [measures_table(shown)] if shown else []
    if len(choices) > 1:
        made.append(choices_section(choices))
    for item in items:
        if item in shown or (item in choices and len(choices) > 1):
            continue
        section = sections.section_of(item.result, item)
        made.append(replace(section, folded=section.folded or item.explored))
    return made


def choices_section(items: Sequence[sections.Item]) -> sections.Section:
    """The repeated choices of several cut-offs in one table."""
    rows = []
    for item in items:
        one: cutpoint.CutPoint = item.result
        ends = "–" if one.low is None else formatting.span(*map(formatting.threshold, (one.low, one.high)))
        kept = [
            f"{formatting.table_number(row.apparent)} → {formatting.table_number(row.out_of_bag)}"
            for row in (one.tpr, one.fpr, one.youden)
        ]
        rows.append((str(item.name), formatting.threshold(one.threshold), ends, *kept))
    first: cutpoint.CutPoint = items[0].result
    table = sections.Table(
        caption=f"Cut-offs selected again on {first.n_boot} bootstrap samples",
        header=("", "cut-off", f"{100 * first.level:g}% CI", "TPR", "FPR", "Youden's index"),
        rows=rows,
        notes=(
            "TPR, FPR and Youden's index: on the cases that selected the cut-off → on cases left out.",
            *(["CI by order statistics."] if first.method == "order-statistics" else []),
            *sections.remarks([(str(item.name), item.result) for item in items]),
        ),
    )
    return sections.Section(title="Choice of the cut-offs", body=(table,), folded=True)


def measures_table(items: Sequence[sections.Item]) -> sections.Section:
    """Every measure of each marker at its cut-off, one column per marker."""
    names = NAMES | UNBOUNDED
    kept = [
        key
        for key in point_measures.MEASURES
        if any(item.result.estimates[key].value is not None for item in items)
    ]
    columns = [item.name or "value" for item in items]
    rows = list[tuple[str, ...]]()
    for key in kept:
        found = [item.result.estimates[key] for item in items]
        texts = [formatting.table_with_interval(one.value, one.low, one.high) for one in found]
        rows.append((formatting.sentence(names.get(key, key)), *texts))
    level = f"{100 * items[0].result.sensitivity.level:g}%"
    cutoffs = [_bound(item.result) for item in items]
    table = sections.Table(
        caption=f"Measures at the cut-off, with {level} confidence intervals",
        header=("", *columns),
        rows=(("Cut-off", *cutoffs), *rows),
        notes=sections.remarks([("", item.result) for item in items]),
    )
    return sections.Section(title="All measures at the cut-off", body=(table,), folded=True)


@sections.section_of.register
def measures_section(result: point_measures.PointMeasures, item: sections.Item) -> sections.Section:
    """An operating point with its 2x2 table and every measure."""
    names = NAMES | UNBOUNDED
    known = {
        names.get(key, key): one
        for key, one in result.estimates.items()
        if one.value is not None or one.low is not None
    }
    counts = sections.two_by_two(
        [result.tp, result.fp, result.fn, result.tn],
        classes=(result.pos_label, result.neg_label),
        caption=f"Test positive where the score is {_bound(result)}",
    )
    plot = sections.Plot(
        picture=plotting.picture(result, name=item.name or "score"),
        reading=measure_reading(result),
        notes=result.warnings,
    )
    table = sections.estimate_table(known, caption="Every measure with its interval")
    return sections.Section(title=item.titled("Operating point"), body=(plot, counts, table))


def _bound(result: point_measures.PointMeasures) -> str:
    """The scores that test positive."""
    side = "at most" if result.direction == "lower" else "at least"
    return f"{side} {formatting.threshold(result.threshold)}"


def measure_reading(result: point_measures.PointMeasures) -> str:
    """Describe what happens to the cases of each class."""
    pos, neg = result.pos_label, result.neg_label
    at = f"Cases with a score of {_bound(result)} are classified as {pos}"
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
    return sections.Section(title=item.titled("Choice of the cut-off"), body=(plot, table))


def cutpoint_reading(result: cutpoint.CutPoint) -> str:
    """Describe how stable the threshold is, and how much of its quality comes from the choice."""
    texts = [f"The chosen threshold is {formatting.threshold(result.threshold)}."]
    if result.low is not None:
        low, high = formatting.threshold(result.low), formatting.threshold(result.high)
        if result.method == "bootstrap":
            texts.append(
                f"Chosen again on {result.n_boot} bootstrap samples it lay between {low} and {high} in "
                f"{100 * result.level:g}% of them."
            )
        else:
            texts.append(f"Its {100 * result.level:g}% CI by order statistics is {low} to {high}.")
    youden = result.youden
    if youden.apparent is not None and youden.out_of_bag is not None:
        texts.append(
            f"TPR - FPR is {youden.apparent:.3f} on the cases that chose the point and "
            f"{youden.out_of_bag:.3f} on cases left out: a difference of "
            f"{formatting.table_number(youden.optimism, signed=True)} comes from the choice."
        )
    return " ".join(texts)


@sections.section_of.register
def grey_zone_section(result: grey_zone.GreyZone, item: sections.Item) -> sections.Section:
    """The two cut-offs and the share of cases on either side and between them."""
    zones = {"negative": "test negative", "undecided": "undecided", "positive": "test positive"}
    rows = []
    for cases in dict.fromkeys(row.cases for row in result.shares):
        own = [row for row in result.shares if row.cases == cases]
        name = "all cases" if cases == "all" else f"class {cases}"
        texts = (
            f"{formatting.percentage(row.value)} ({100 * row.low:.1f} to {100 * row.high:.1f}), {row.count}"
            for row in own
        )
        rows.append((name, *texts))
    table = sections.Table(
        caption=f"Shares of cases in percent with {100 * result.level:g}% confidence intervals, and cases",
        header=("", *zones.values()),
        rows=rows,
    )
    plot = sections.Plot(
        picture=plotting.picture(result, name=item.name or "score"),
        reading=grey_zone_reading(result),
        notes=(*([result.reason] if result.reason else []), *result.warnings),
    )
    return sections.Section(title=item.titled("Grey zone"), body=(plot, table))


def grey_zone_reading(result: grey_zone.GreyZone) -> str:
    """Describe which scores rule out and rule in, and how many cases stay undecided."""
    below, above = ("below", "of at least") if result.direction == "higher" else ("above", "of at most")
    rates = (
        f"Sensitivity {formatting.estimate_phrase(result.sensitivity)}, specificity "
        f"{formatting.estimate_phrase(result.specificity)}."
    )
    if result.single is not None:
        cut = formatting.threshold(result.single)
        return (
            f"There is no grey zone: one cut-off, a score {above} {cut}, keeps both a sensitivity of "
            f"{result.required_sensitivity:g} and a specificity of {result.required_specificity:g}. {rates}"
        )

    def cut_off(name: str) -> str:
        text = formatting.threshold(getattr(result, name))
        low, high = getattr(result, f"{name}_low"), getattr(result, f"{name}_high")
        if low is None:
            return text
        ends = f"{formatting.threshold(low)} to {formatting.threshold(high)}"
        return f"{text} ({100 * result.level:g}% CI {ends})"

    return (
        f"A score {below} {cut_off('rule_out')} rules class {result.pos_label!s} out, a score {above} "
        f"{cut_off('rule_in')} rules it in; {formatting.percentage(result.undecided.value)} of all cases lie "
        f"between the two and stay undecided. {rates}"
    )
