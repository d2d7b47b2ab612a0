"""Averages over folds, areas of pairs or classes, and sets of curves of ordered classes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rocscope import plotting
from rocscope.averaging import curves, point_tests
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import formatting
from rocscope.errors import UndefinedError
from rocscope.inference.multiclass import MulticlassAuc
from rocscope.ordinal import resampling
from rocscope.ordinal.comparison import OrdinalComparison
from rocscope.ordinal.roc import OrdinalRoc
from rocscope.plotting.marks import Panel3
from rocscope.reporting import analysis, explorer
from rocscope.reporting.sections import (
    Item,
    Part,
    Plot,
    Section,
    Table,
    column_table,
    estimate_table,
    measure_name,
    remarks,
    section_of,
)
from rocscope.reporting.topics.summary import balanced_point, class_summary

TITLES = {
    "ovo": "Areas of pairs of classes",
    "ovr": "Areas of each class against the rest",
    "multilabel": "Areas of each label",
}
ROW_NAMES = {"ovo": "pair of classes", "ovr": "class against the rest", "multilabel": "label"}
KINDS = {"threshold": "thresholds", "weights": "class weights", "rule": "decision rules"}
FIGURES = {"max_auc": "MaxAUC", "avg_auc": "AvgAUC", "adjacent_auc": "AUC of neighbours"}


# ---- Averages over folds: operating points with their variance, and which are indistinguishable -----------


def folds_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each average, and the explorer of its points once."""
    sections, explored = list[Section](), list[AveragedRoc]()
    for item in items:
        if isinstance(item.result, curves.AveragedCurve):
            sections.append(mean_curve_section(item))
            continue
        roc, index = averaged_point(item.result, item.select, item.rule)
        sections.append(average_section(item, roc, index))
        if not any(roc is other for other in explored):
            section = explorer.explorer_section(
                roc, name=item.name, start=index, select=item.select, rule=item.rule
            )
            sections += [] if section is None else [section]
            explored.append(roc)
    return sections


def averaged_point(
    result: AveragedRoc | point_tests.PointComparison | point_tests.IndifferenceRegion,
    select: Sequence[str] = (),
    rule: analysis.Rule | None = None,
) -> tuple[AveragedRoc, int | None]:
    """Return the averaged points behind a result, and the index of the one it is about.

    Without such a point it is the one that the constraints or the rule select; None where there is none.
    """
    if isinstance(result, point_tests.IndifferenceRegion):
        result = result.comparison
    if isinstance(result, point_tests.PointComparison):
        return result.roc, result.index
    try:
        return result, result.select(*select, rule=rule).index if select or rule else None
    except UndefinedError:  # nothing meets the constraints
        return result, None


def average_section(item: Item, roc: AveragedRoc, index: int | None) -> Section:
    """Averaged operating points, the balanced or selected one, and the test between them."""
    several, folds = len(roc.classes) > 2, len(roc.folds)
    at = f"one of {len(roc)} {KINDS[roc.kind]}"
    reading = [
        f"Every point counts all cases at {at}."
        if folds == 1
        else f"Every point is the mean of {folds} folds at {at}."
    ]
    known = roc.sem[np.isfinite(roc.sem)]
    if known.size:
        reading.append(f"The standard errors of the means reach up to {known.max():.3f}.")
    options = dict[str, Any]()
    if several:
        errors = np.stack([roc.measure(f"error({name})") for name in roc.classes], axis=1)
        balanced = balanced_point(roc)
        reading.append(
            f"Of these the largest class error is smallest at point {balanced}, where it errs on "
            f"{_class_errors(roc, errors[balanced])}."
        )
        if index is not None and (item.select or item.rule):
            by = " and ".join(item.select) or item.rule
            reading.append(
                f"Chosen by {by} is point {index}, where it errs on {_class_errors(roc, errors[index])}."
            )
        if item.result is roc:
            options = {"index": balanced if index is None else index}
    comparison = getattr(item.result, "comparison", item.result)
    if isinstance(comparison, point_tests.PointComparison):
        reading.append(comparison_reading(comparison))
    picture = plotting.picture(item.result, **options)
    if any(isinstance(panel, Panel3) for panel in picture.panels):
        reading.append("Drag the box to turn it; click a point to find it again in the other panels.")
    plot = Plot(
        picture=picture,
        reading=" ".join(reading),
        notes=remarks([("", roc)]),
        linked=len(picture.panels) > 1 and roc.thresholds is None,
    )
    first = item.analysis is not None and class_summary(item.analysis) is not None  # page one has the map
    marked, confusion = options.get("index", index), list[Plot]()
    if several and not first and marked is not None:  # what becomes of the cases of each class, as a map
        shares = f"Shares of each true class, by the class that point {marked} decides for."
        confusion = [Plot(picture=plotting.picture(roc.confusion_rates(marked)), reading=shares)]
    table = column_table(roc.columns(), caption="All points", named=measure_name)
    title = "Average over folds"
    if several:
        title = "Errors of every class over folds" if folds > 1 else "Errors of every class"
    return Section(
        title=item.titled(title),
        body=(*confusion, plot, *([] if table is None else [replace(table, folded=True)])),
    )


def _class_errors(roc: AveragedRoc, errors: Any) -> str:
    """The share of each class that is decided wrongly."""
    shares = zip(roc.classes, errors, strict=True)
    return formatting.listed(
        [f"{formatting.percentage(float(value))} of class {name}" for name, value in shares]
    )


def comparison_reading(result: point_tests.PointComparison) -> str:
    """Describe how many points are indistinguishable from one."""
    others = int(np.count_nonzero(result.indistinguishable)) - 1
    where = f"point {result.index}"
    if result.roc.kind == "threshold":
        where += f" (threshold {formatting.threshold(result.roc.points[result.index])})"
    how = f"{100 * result.level:g}% ({result.method}, {result.df:g} degrees of freedom)"
    if not others:
        return f"All {len(result) - 1} other points differ from {where} at {how}."
    by = formatting.listed([measure_name(name) for name in result.measures])
    return (
        f"{others} of {formatting.counted(len(result) - 1, 'other point')} {'is' if others == 1 else 'are'} "
        f"indistinguishable from {where} by {by} at {how}: these cases are too few to prefer one of them."
    )


def mean_curve_section(item: Item) -> Section:
    """The mean curve over folds."""
    result: curves.AveragedCurve = item.result
    reading = f"{formatting.sentence(result.estimates)}: the mean of {len(result.folds)} folds."
    defined = np.flatnonzero(result.defined)
    if len(defined):
        k = defined[len(defined) // 2]
        reading += (
            f" At {result.x_label} {float(result.x[k]):.4g} it is {result.mean[k]:.3f} "
            f"({100 * result.level:g}% interval "
            f"{formatting.span(f'{result.low[k]:.3f}', f'{result.high[k]:.3f}')})."
        )
    plot = Plot(picture=plotting.picture(result), reading=reading, notes=result.warnings)
    return Section(title=item.titled("Mean curve over folds"), body=(plot,))


# ---- Several classes --------------------------------------------------------------------------------------


@section_of.register
def areas_section(result: MulticlassAuc, item: Item) -> Section:
    """Areas of pairs of classes, or of each class against the rest."""
    reading = f"The {result.average} average of the areas is {formatting.estimate_phrase(result)}."
    known = sorted((row for row in result.rows if row.value is not None), key=lambda row: row.value or 0.0)
    if len(known) > 1:
        worst, best = known[0], known[-1]
        what = ROW_NAMES[result.scheme]
        reading += (
            f" The hardest {what} is {worst.label} with {formatting.estimate_phrase(worst)}, the easiest "
            f"{best.label} with {formatting.estimate_phrase(best)}."
        )
    rows = {row.label: row for row in result.rows} | {f"{result.average.capitalize()} average": result}
    plot = Plot(picture=plotting.picture(result), reading=reading)
    table = estimate_table(rows, caption="Every area with its interval")
    return Section(title=item.titled(TITLES[result.scheme]), body=(plot, table))


@section_of.register
def ordinal_section(result: OrdinalRoc, item: Item) -> Section:
    """Curves of ordered classes, Youden's index over both thresholds, all figures, and the best decision."""
    youden = [
        f"class {one.label}: {one.youden:.3f}"
        for one in result.curves
        if one.status == "ok" and one.youden is not None
    ]
    named = dict[str, Any]()
    for name, estimate in result.estimates.items():
        if estimate.value is not None:
            for field, figure in FIGURES.items():
                name = name.replace(field, figure)
            named["Volume under the surface (VUS)" if name == "vus" else formatting.sentence(name)] = estimate
    body: list[Part] = [
        Plot(
            picture=plotting.picture(result, show="curves"),
            reading=ordinal_reading(result),
            notes=result.warnings,
        ),
        Plot(
            picture=plotting.picture(result, show="youden"),
            reading="TPR - FPR over both thresholds of each class, with its best pair. Largest: "
            f"{', '.join(youden)}.",
        ),
        estimate_table(named, caption="Every figure with its interval"),
    ]
    decision = result.thresholds
    if decision.value is not None:
        cuts = ", ".join(f"{value:.4g}" for value in decision.values)
        confusion = zip(decision.labels, decision.confusion.tolist(), strict=True)
        table = Table(
            caption=f"Decisions at the thresholds {cuts} (error {formatting.table_number(decision.error)})",
            header=("true class", *(f"decided {label}" for label in decision.labels)),
            rows=[(str(label), *map(str, row)) for label, row in confusion],
        )
        body.append(table)
    return Section(title=item.titled("Ordered classes"), body=tuple(body))


def ordinal_reading(result: OrdinalRoc) -> str:
    """Describe which class is recognised best and worst, and how far the order is kept."""
    texts = [
        "Each panel shows the curves of one class against all others; a curve keeps one threshold and moves "
        "the other."
    ]
    known = [k for k in range(len(result.labels)) if result.defined[k]]
    if len(known) > 1:
        worst, best = min(known, key=lambda k: result.max_auc[k]), max(known, key=lambda k: result.max_auc[k])
        texts.append(
            f"The largest area is that of class {result.labels[best]}, {result.max_auc[best]:.3f}; the "
            f"smallest that of class {result.labels[worst]}, {result.max_auc[worst]:.3f}."
        )
    if result.vus is not None:
        texts.append(
            f"{formatting.percentage(result.vus)} of all groups with one case of every class are in order; "
            f"by chance it would be {formatting.percentage(result.vus_chance)}."
        )
    if result.kappa is not None:
        text = f"Quadratic weighted kappa at the best thresholds is {result.kappa:.3f}"
        texts.append(f"{text} (weights go by the order of the classes).")
    return " ".join(texts)


@section_of.register
def ordinal_comparison_section(result: OrdinalComparison, item: Item) -> Section:
    """The differences of every figure of scores of ordered classes, and which of them are significant."""
    figures = [resampling.figure_title(row.figure) for row in result.differences]
    header = ("pair", "figure", "difference", "interval", "p", "p adjusted (Holm)")
    rows = [
        (
            f"{row.first} - {row.second}",
            figure,
            formatting.table_number(row.difference, signed=True),
            formatting.table_interval(row.low, row.high, signed=True) or "",
            "" if row.p_value is None else formatting.p_value(row.p_value),
            "" if row.p_adjusted is None else formatting.p_value(row.p_adjusted),
        )
        for row, figure in zip(result.differences, figures, strict=True)
    ]
    plot = Plot(
        picture=plotting.picture(result),
        reading=ordinal_comparison_reading(result),
        notes=remarks([("", result), *zip(figures, result.differences, strict=True)]),
    )
    table = Table(caption="Every difference with its interval and test", header=header, rows=rows)
    return Section(title=item.titled("Comparison of ordered classes"), body=(plot, table))


def ordinal_comparison_reading(result: OrdinalComparison) -> str:
    """Describe which score is ahead over all classes, and in how many classes they differ."""
    texts = [
        f"First minus second, from {result.n_boot:,} bootstrap replicates that draw the same cases for all "
        "scores."
    ]
    for first, second in dict.fromkeys((row.first, row.second) for row in result.differences):
        own = {row.figure: row for row in result.differences if (row.first, row.second) == (first, second)}
        total = own["max_auc weighted"]
        pair = f"{first} minus {second}"
        if total.difference is None:
            texts.append(f"{pair}: MaxAUC over all classes is undefined ({total.reason}).")
            continue
        ends = formatting.table_interval(total.low, total.high, signed=True)
        several = len(result.names) > 2
        test = formatting.p_value_phrase(total.p_adjusted if several else total.p_value, result.level)
        texts.append(
            f"{pair}: MaxAUC over all classes, weighted by their cases, "
            f"{formatting.table_number(total.difference, signed=True)} ({ends}), {test}"
            f"{', adjusted for the number of pairs' if several else ''}."
        )
        tested = [
            row for name, row in own.items() if name.startswith("max_auc(") and row.p_adjusted is not None
        ]
        differ = [str(row.label) for row in tested if (row.p_adjusted or 0.0) < 1 - result.level]
        which = f" (class {', '.join(differ)})" if differ else ""
        texts.append(
            f"Of the MaxAUC of {len(tested)} classes {len(differ)} "
            f"{'differs' if len(differ) == 1 else 'differ'}{which} after Holm's adjustment."
        )
    return " ".join(texts)
