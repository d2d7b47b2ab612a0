"""The first page: the data, one row per marker or class, texts for a paper, curves, 2x2 tables, decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rocscope import plotting
from rocscope.averaging.point_tests import PointComparison
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import formatting
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate, TestResult
from rocscope.errors import UndefinedError
from rocscope.inference.bands import RocBand
from rocscope.inference.compare import CurveComparison
from rocscope.inference.cutpoint import CutPoint
from rocscope.inference.multiclass import MulticlassAuc
from rocscope.inference.point_measures import PointMeasures
from rocscope.reporting import sections
from rocscope.reporting.analysis import Analysis, Rule
from rocscope.reporting.page import curve_note

# So many curves have their operating point marked and described; more texts would hide the curves.
MARKED = 3
COLOURED = 6  # of more curves the best three have a colour
NONE = "–"
NO_INTERVAL = (
    "A cut-off that the mean over folds selects has no confidence interval here: a bootstrap sample of all "
    "cases has no folds that could select it again. The report of the same cases without folds gives the "
    "interval of the cut-off that all cases together select."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """All that a page shows of one score; `whole` is the vertex that all cases select where folds did."""

    name: str
    curve: RocCurve
    index: int
    rule: str
    whole: int | None
    area: Estimate | None
    measures: PointMeasures | None
    cutpoint: CutPoint | None
    band: RocBand | None

    @property
    def test(self) -> TestResult | None:
        """The test of an area of 0.5."""
        return None if self.area is None else self.area.test(0.5)

    @property
    def criterion(self) -> str:
        """The cut-off as people write it."""
        return self.criterion_at(self.index)

    def criterion_at(self, index: int) -> str:
        """The cut-off of any vertex; of the first no case tests positive."""
        if index == 0:
            return "none"
        sign = "≤" if self.curve.direction == "lower" else "≥"
        return f"{sign} {formatting.threshold(self.curve.thresholds[index])}"

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """True and false positives, false and true negatives at the cut-off."""
        (tn, fp), (fn, tp) = self.curve.confusion()[self.index].tolist()
        return tp, fp, fn, tn


def markers_of(items: Sequence[sections.Item]) -> list[Marker]:
    """Return the scores of a page with their curves, areas, points and bands, in the order of the page.

    A curve without a name, or with that of another, has a number. An area or a band belongs to the curve of
    its name, or to the only one.
    """
    drawn = [item for item in items if isinstance(item.result, RocCurve)]
    names = [item.name or ("score" if len(drawn) == 1 else f"score {k}") for k, item in enumerate(drawn, 1)]
    names = [f"{name} ({k})" if names.count(name) > 1 else name for k, name in enumerate(names, 1)]
    alone = len(drawn) == 1
    markers = list[Marker]()
    for name, item in zip(names, drawn, strict=True):
        own = [other.result for other in items if other.name == name or (alone and other.name is None)]
        areas = [one for one in own if isinstance(one, Estimate) and one.name == "AUC"]
        bands = [one for one in own if isinstance(one, RocBand)]
        index, rule = sections.cutoff(item)
        folds = item.analysis is not None and item.analysis.n_folds is not None
        markers.append(
            Marker(
                name=name,
                curve=item.result,
                index=index,
                rule=rule,
                whole=sections.cutoff(replace(item, point=None))[0] if folds else None,
                area=areas[0] if areas else None,
                measures=item.measures,
                cutpoint=item.cutpoint,
                band=bands[0] if bands else None,
            )
        )
    return markers


def summary_sections(items: Sequence[sections.Item]) -> list[sections.Section]:
    """Page one of curves of two classes, and of each analysis of several classes."""
    analyses = {id(item.analysis): item.analysis for item in items if item.analysis is not None}
    several = [section for one in analyses.values() if (section := class_summary(one)) is not None]
    markers = markers_of(items)
    if not markers:
        return several
    analysis = next((item.analysis for item in items if item.analysis is not None), None)
    comparison = next((item.result for item in items if isinstance(item.result, CurveComparison)), None)
    ranked = sorted(markers, key=lambda marker: -marker.curve.auc)
    body: list[sections.Part] = [sections.Facts(facts(markers, analysis))]
    if analysis is not None:
        body += sections.data_notes(analysis)
    body.append(marker_table(ranked))
    body.append(curves_plot(markers, ranked[0]))
    body.append(sections.Quotation("For the results", results_text(ranked, comparison)))
    body.append(sections.Quotation("For the methods", methods_text(ranked, comparison, analysis)))
    return [
        sections.Section(
            title="Summary",
            body=tuple(body),
            kind="summary",
            payload={"markers": [marker.name for marker in ranked]},
            scripts=("summary.js",),
        ),
        *several,
    ]


# ---- The data ---------------------------------------------------------------------------------------------


def facts(markers: Sequence[Marker], analysis: Analysis | None) -> tuple[tuple[str, str], ...]:
    """The file, the cases of both classes and what is missing."""
    sizes = {(marker.curve.n_pos, marker.curve.n_neg) for marker in markers}
    curve = markers[0].curve
    rows = list[tuple[str, str]]()
    if analysis is not None and analysis.source is not None:
        rows.append(("File", analysis.source))
    if len(sizes) == 1:
        cases = curve.n_pos + curve.n_neg
        rows += [
            ("Cases", f"{cases:,.6g}"),
            (f"Positive ({curve.pos_label})", f"{curve.n_pos:,.6g}"),
            (f"Negative ({curve.neg_label})", f"{curve.n_neg:,.6g}"),
            ("Prevalence in the data", formatting.percentage(float(curve.n_pos / cases))),
        ]
    if analysis is not None and analysis.n_missing is not None:
        rows.append(("Rows with missing values", f"{analysis.n_missing:,}"))
    return tuple(rows)


def marker_table(markers: Sequence[Marker]) -> sections.Table:
    """One row per marker, the largest area first: area, test, cut-off and what the cut-off is worth."""
    level = _level(markers)
    header = (
        "Marker",
        f"AUC ({level} CI)",
        "SE",
        "z",
        "P",
        "Cut-off",
        f"Sensitivity, % ({level} CI)",
        f"Specificity, % ({level} CI)",
        "PPV, %",
        "NPV, %",
    )
    rules = dict.fromkeys(marker.rule for marker in markers)
    named = len(markers) > MARKED and len(rules) > 1
    rows = [_marker_row(marker, rule=named) for marker in markers]
    notes = ["Test of an AUC of 0.5: z and P."]
    notes += [f"Cut-off: {rule}." for rule in rules] if not named else []
    choices = [text for marker in markers for text in (*repeated_choice(marker), *other_choice(marker))]
    if len(markers) > MARKED and choices:
        choices = [
            "Intervals of the cut-offs, and their worth on cases left out: Choice of the cut-offs, below."
        ]
        choices = [] if any(marker.whole is not None for marker in markers) else choices
    notes += choices
    if any(marker.whole is not None and marker.index for marker in markers):
        notes.append(NO_INTERVAL)
    warned = [
        (marker.name if len(markers) > 1 else "", one)
        for marker in markers
        for one in (marker.curve, marker.area)
        if one is not None
    ]
    return sections.Table(
        caption="Markers, the largest area first",
        header=header,
        rows=rows,
        notes=(*notes, *sections.remarks(warned)),
        name="markers",
    )


def repeated_choice(marker: Marker) -> list[str]:
    """The interval of the cut-off, and what it is worth on cases that did not select it."""
    cut = marker.cutpoint
    if cut is None or cut.low is None or not marker.index:
        return []
    ends = formatting.span(*map(formatting.threshold, (cut.low, cut.high)))
    how = "order statistics"
    if cut.method == "bootstrap":
        how = f"selected again on {cut.n_boot} bootstrap samples"
    text = f"{100 * cut.level:g}% CI of the cut-off of {marker.name}: {ends} ({how})"
    if cut.tpr.out_of_bag is None or cut.fpr.out_of_bag is None:
        return [f"{text}."]
    tpr, tnr = 100 * cut.tpr.out_of_bag, 100 * (1 - cut.fpr.out_of_bag)
    return [f"{text}; on cases left out sensitivity {tpr:.1f}%, specificity {tnr:.1f}%."]


def other_choice(marker: Marker) -> list[str]:
    """Say where the cut-off that the folds select is not the one that all cases together select."""
    best = marker.whole
    if best is None or best == marker.index:
        return []
    return [
        f"On all cases of {marker.name} together the same rule selects {marker.criterion_at(best)}, where "
        f"sensitivity and specificity are {100 * marker.curve.tpr[best]:.1f}% and "
        f"{100 * (1 - marker.curve.fpr[best]):.1f}%; the mean over folds weighs every fold alike."
    ]


def _level(markers: Sequence[Marker]) -> str:
    levels = [marker.area.level for marker in markers if marker.area is not None]
    levels += [marker.measures.sensitivity.level for marker in markers if marker.measures is not None]
    return f"{100 * (levels[0] if levels else 0.95):g}%"


def _marker_row(marker: Marker, *, rule: bool) -> tuple[str, ...]:
    area, test, measures = marker.area, marker.test, marker.measures
    value = f"{marker.curve.auc:.3f}"
    interval = "" if area is None or area.low is None else f" ({area.low:.3f}–{area.high:.3f})"
    p = NONE if test is None or test.p_value is None else formatting.journal_p_value(test.p_value)
    shares = [NONE] * 4
    if measures is not None:
        shares = [percent(one) for one in (measures.sensitivity, measures.specificity)]
        shares += [percent(one, interval=False) for one in (measures.ppv, measures.npv)]
    elif marker.index:
        shares[:2] = [f"{100 * r[marker.index]:.1f}" for r in (marker.curve.tpr, 1 - marker.curve.fpr)]
    return (
        marker.name,
        value + interval,
        NONE if area is None or area.se is None else f"{area.se:.3f}",
        NONE if test is None or test.statistic is None else f"{test.statistic:.2f}",
        p,
        f"{marker.criterion} ({marker.rule})" if rule else marker.criterion,
        *shares,
    )


def percent(estimate: Estimate, *, interval: bool = True) -> str:
    """Return a share in per cent with its interval.

    Examples
    --------
    >>> share = Estimate(name="TPR", value=0.634, se=0.07, low=0.481, high=0.764, level=0.95, method="wilson")
    >>> percent(share), percent(share, interval=False)
    ('63.4 (48.1–76.4)', '63.4')
    """
    if estimate.value is None:
        return NONE
    text = f"{100 * estimate.value:.1f}"
    if not interval or estimate.low is None or estimate.high is None:
        return text
    return f"{text} ({100 * estimate.low:.1f}–{100 * estimate.high:.1f})"


# ---- Curves and the 2x2 table -----------------------------------------------------------------------------


def curves_plot(markers: Sequence[Marker], best: Marker) -> sections.Plot:
    """All curves with their cut-offs, bands to be switched on, and the 2x2 table of the best marker."""
    one, few = len(markers) == 1, len(markers) <= MARKED
    others = list[str]()
    if len(markers) > COLOURED:  # more colours could not be distinguished
        markers = sorted(markers, key=lambda marker: -marker.curve.auc)
        others = [marker.name for marker in markers[MARKED:]]
    drawn = plotting.curves(
        {marker.name: marker.curve for marker in markers},
        others=others,
        estimates={marker.name: marker.area for marker in markers if marker.area is not None},
        points={marker.name: [marker.index] for marker in markers if marker.index} if few else {},
        bands={marker.name: marker.band for marker in markers if marker.band is not None} if few else {},
    )
    reading = area_reading(best) if not one else f"{area_reading(best)} {point_reading(best)}"
    notes = [note for marker in markers for note in curve_note(marker.curve, "" if one else marker.name)]
    return sections.Plot(
        picture=drawn,
        reading=reading,
        notes=tuple(notes),
        name="curves",
        off=() if one else ("band",),
        aside=sections.two_by_two(
            best.counts,
            classes=(best.curve.pos_label, best.curve.neg_label),
            caption=f"{best.name} at the cut-off {best.criterion}",
            name="two-by-two",
        ),
    )


def area_reading(marker: Marker) -> str:
    """Describe what the area means for a pair of cases."""
    curve = marker.curve
    pos, neg = curve.pos_label, curve.neg_label
    return (
        f"In {formatting.percentage(curve.auc)} of all pairs of a case of class {pos} and one of class "
        f"{neg}, {marker.name} is {marker.curve.direction} for the case of class {pos}."
    )


def point_reading(marker: Marker) -> str:
    """Describe the cut-off of a marker."""
    if marker.index == 0 and marker.rule == sections.RULES["youden"]:
        return "At no cut-off is the sensitivity above 1 - specificity."
    if marker.index == 0:
        return f"No case tests positive ({marker.rule})."
    tpr, fpr = (float(rates[marker.index]) for rates in (marker.curve.tpr, marker.curve.fpr))
    return (
        f"At the cut-off {marker.criterion} ({marker.rule}) the sensitivity is {formatting.percentage(tpr)} "
        f"and the specificity {formatting.percentage(1 - fpr)}."
    )


# ---- Texts for a paper ------------------------------------------------------------------------------------


def results_text(markers: Sequence[Marker], comparison: CurveComparison | None) -> str:
    """Return the sentences of the results: areas, the cut-offs of up to three markers, the comparison."""
    level, texts = _level(markers), list[str]()
    shown = markers[:MARKED]
    for marker in shown:
        area, test = marker.area, marker.test
        figures = list[str]()
        if area is not None and area.low is not None:
            figures.append(f"{level} CI {area.low:.3f}–{area.high:.3f}")
        if test is not None and test.p_value is not None:
            figures.append(_p(test.p_value))
        inside = f" ({'; '.join(figures)})" if figures else ""
        texts.append(f"The AUC of {marker.name} was {marker.curve.auc:.3f}{inside}.")
        if marker.measures is not None and marker.index:
            sens, spec = (
                _phrase(one, level) for one in (marker.measures.sensitivity, marker.measures.specificity)
            )
            texts.append(
                f"At the cut-off {marker.criterion} ({marker.rule}) its sensitivity was {sens} and its "
                f"specificity {spec}."
            )
    if len(markers) > len(shown):
        texts.append(
            f"The AUC of the other {len(markers) - len(shown)} markers was at most "
            f"{markers[len(shown)].curve.auc:.3f}."
        )
    if comparison is not None and comparison.p_value is not None:
        texts.append(_comparison_text(comparison, shown, level))
    return " ".join(texts)


def _comparison_text(comparison: CurveComparison, shown: Sequence[Marker], level: str) -> str:
    names = {marker.name for marker in shown}
    pairs = [pair for pair in comparison.pairs if {pair.first, pair.second} <= names]
    texts = list[str]()
    several = len(comparison.pairs) > 1
    for pair in pairs:
        p = pair.p_adjusted if several else pair.p_value
        if p is None or pair.low is None or pair.high is None:
            continue
        sign = pair.difference >= 0
        first, second = (pair.first, pair.second) if sign else (pair.second, pair.first)
        low, high = sorted((pair.low, pair.high)) if sign else sorted((-pair.low, -pair.high))
        ends = formatting.span(f"{low:.3f}", f"{high:.3f}")
        texts.append(f"{first} minus {second} {abs(pair.difference):.3f} ({level} CI {ends}; {_p(p)})")
    if not texts:
        return ""
    adjusted = " (P adjusted by Holm's method)" if several else ""
    return f"Differences between AUCs were: {'; '.join(texts)}{adjusted}."


def _phrase(estimate: Estimate, level: str) -> str:
    if estimate.value is None:
        return "undefined"
    ends = (
        ""
        if estimate.low is None or estimate.high is None
        else (f" ({level} CI {100 * estimate.low:.1f}–{100 * estimate.high:.1f}%)")
    )
    return f"{100 * estimate.value:.1f}%{ends}"


def _p(p: float) -> str:
    text = formatting.journal_p_value(p)
    return f"P {text[0]} 0{text[1:]}" if text[0] in "<>" else f"P = 0{text}"


def methods_text(
    markers: Sequence[Marker], comparison: CurveComparison | None, analysis: Analysis | None
) -> str:
    """Return the sentences of the methods: estimators, intervals, tests, software and seed."""
    level, first = _level(markers), markers[0]
    side = "Lower" if first.curve.direction == "lower" else "Higher"
    texts = [
        "Receiver operating characteristic (ROC) curves were estimated without a model. "
        f"{side} values stand for {first.curve.pos_label}."
    ]
    areas = {marker.name: marker.area for marker in markers if marker.area is not None}
    methods = {name: area.method for name, area in areas.items() if area.low is not None}
    if methods:
        named = formatting.shared({name: sections.METHODS.get(one, one) for name, one in methods.items()})
        null = ", the SE being that at 0.5 for the score intervals" if "score" in methods.values() else ""
        texts.append(
            f"Areas under the curve (AUC) have {level} confidence intervals (CI) by {named} and were tested "
            f"against 0.5 by z = (AUC - 0.5) / SE{null}."
        )
    rules = dict.fromkeys(marker.rule for marker in markers)
    texts.append(f"Cut-offs were selected on the same cases by {formatting.listed(list(rules))}.")
    if first.measures is not None:
        method = first.measures.sensitivity.method
        named = sections.METHODS.get(method, method)
        texts.append(f"Confidence intervals of sensitivity and specificity are by {named}.")
    if comparison is not None:
        kind, method = "paired" if comparison.paired else "unpaired", comparison.method
        named = sections.METHODS.get(method, method).removeprefix("the method of ").removesuffix(".")
        test = f"the {kind} test of {named}"
        if named.startswith("a "):  # a test has a name of its own
            test = f"a {kind} {named.removeprefix('a ')}"
        texts.append(f"AUCs were compared by {test}.")
    return " ".join([*texts, sections.software_text(analysis)])


# ---- The first page of three classes and more: one row per class, decisions, texts for a paper ------------

FACTS = 6  # so many classes have a fact each
RULES: dict[Rule | None, str] = {"mean-class-error": "the smallest mean class error"}
LARGEST_ERROR = "the smallest largest class error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions:
    """The operating points of several classes, and the one that a page shows."""

    roc: AveragedRoc
    index: int
    rule: str

    @property
    def weights(self) -> str:
        """The class weights of the point, which have the sum 1."""
        weights = np.asarray(self.roc.points[self.index], dtype=np.float64)
        shares = zip(self.roc.classes, (weights / weights.sum()).tolist(), strict=True)
        return ", ".join(f"{name} {share:.3g}" for name, share in shares)

    @property
    def right(self) -> list[float]:
        """The share of each class that is classified as it is."""
        return [1 - float(self.roc.measure(f"error({name})")[self.index]) for name in self.roc.classes]


def balanced_point(roc: AveragedRoc) -> int:
    """Return the point at which the largest class error is smallest, which the explorer begins at too."""
    try:
        return roc.select().index
    except UndefinedError:  # no point has an error of every class
        return 0


def decisions_of(analysis: Analysis) -> Decisions | None:
    """Return the class weights of an analysis and those that its rule selects; None where it has none."""
    for result in analysis.shared:
        roc = result.roc if isinstance(result, PointComparison) else result
        if not isinstance(roc, AveragedRoc) or roc.kind != "weights" or len(roc.classes) < 3:
            continue
        try:
            index = roc.select(*analysis.select, rule=analysis.rule).index
        except UndefinedError:  # nothing meets the constraints
            return Decisions(roc=roc, index=balanced_point(roc), rule=LARGEST_ERROR)
        rule = RULES.get(analysis.rule, LARGEST_ERROR)
        if analysis.select:
            rule += f" with {' and '.join(map(sections.constraint_text, analysis.select))}"
        return Decisions(roc=roc, index=index, rule=rule)
    return None


def class_summary(analysis: Analysis) -> sections.Section | None:
    """Page one of an analysis of several classes; None for other analyses."""
    areas = {one.scheme: one for one in analysis.shared if isinstance(one, MulticlassAuc)}
    decisions = decisions_of(analysis)
    by_class = areas.get("ovr")
    if decisions is None or by_class is None or len(by_class.rows) != len(decisions.roc.classes):
        return None
    body: list[sections.Part] = [
        sections.Facts(class_facts(decisions, analysis)),
        *sections.data_notes(analysis),
        class_table(decisions, by_class, areas.get("ovo")),
        decisions_plot(decisions),
        sections.Quotation("For the results", class_results(decisions, areas)),
        sections.Quotation("For the methods", class_methods(decisions, areas, analysis)),
    ]
    return sections.Section(title="Summary", body=tuple(body), kind="summary")


def class_facts(decisions: Decisions, analysis: Analysis) -> tuple[tuple[str, str], ...]:
    """The file, the cases of every class and what is missing."""
    roc, sizes = decisions.roc, decisions.roc.class_sizes.tolist()
    rows = [] if analysis.source is None else [("File", analysis.source)]
    rows.append(("Cases", f"{sum(sizes):,}"))
    if len(sizes) <= FACTS:
        rows += [(f"Class {name}", f"{n:,}") for name, n in zip(roc.classes, sizes, strict=True)]
    else:
        rows.append(("Classes", f"{len(sizes)}"))
    if len(roc.folds) > 1:
        rows.append(("Folds", f"{len(roc.folds)}"))
    if analysis.n_missing is not None:
        rows.append(("Rows with missing values", f"{analysis.n_missing:,}"))
    return tuple(rows)


def class_table(decisions: Decisions, by_class: MulticlassAuc, pairs: MulticlassAuc | None) -> sections.Table:
    """One row per class: its cases, its area against the rest, and how many of its cases are recognised."""
    level = f"{100 * by_class.level:g}%"
    sizes, right = decisions.roc.class_sizes.tolist(), decisions.right
    rows = [
        (str(name), f"{n:,}", *_area(area), formatting.percentage(share))
        for name, n, area, share in zip(decisions.roc.classes, sizes, by_class.rows, right, strict=True)
    ]
    mean = formatting.percentage(float(np.mean(right)))
    rows.append((f"{by_class.average.capitalize()} average", f"{sum(sizes):,}", *_area(by_class), mean))
    over = f", mean over {len(decisions.roc.folds)} folds" if len(decisions.roc.folds) > 1 else ""
    notes = [f"Classified correctly: at the class weights {decisions.weights} ({decisions.rule}){over}."]
    if pairs is not None and pairs.value is not None:
        notes.append(f"Mean AUC of all pairs of classes: {_area(pairs)[0]}.")
    return sections.Table(
        caption="Classes",
        header=("Class", "Cases", f"AUC against the rest ({level} CI)", "SE", "Classified correctly"),
        rows=rows,
        notes=(*notes, *sections.remarks([("", decisions.roc), ("", by_class)])),
        name="classes",
    )


def _area(area: Estimate) -> tuple[str, str]:
    """An area with its interval, and its standard error."""
    if area.value is None:
        return NONE, NONE
    ends = "" if area.low is None or area.high is None else f" ({area.low:.3f}–{area.high:.3f})"
    return f"{area.value:.3f}{ends}", NONE if area.se is None else f"{area.se:.3f}"


def decisions_plot(decisions: Decisions) -> sections.Plot:
    """What becomes of the cases of each class, as a map, with the counts beside it."""
    roc, index = decisions.roc, decisions.index
    picture = plotting.picture(roc.confusion_rates(index))
    (panel,) = picture.panels
    panel = replace(panel, title="Confusion matrix", x=replace(panel.x, label="Classified as"))
    folds = len(roc.folds)
    shares = f"Means over {folds} folds, ± their standard errors" if folds > 1 else "Shares"
    reading = (
        f"{shares}: of the cases of each true class (rows), the share that is classified as each class "
        "(columns). On the diagonal are the correct ones."
    )
    matrix = zip(roc.classes, roc.confusion[index].tolist(), strict=True)
    counts = sections.Table(
        caption="Numbers of cases",
        header=("", *map(str, roc.classes), "Total"),
        rows=[(str(name), *(f"{n:,}" for n in row), f"{sum(row):,}") for name, row in matrix],
        name="confusion",
    )
    return sections.Plot(
        picture=replace(picture, panels=(panel,)),
        reading=reading,
        name="confusion-matrix",
        aside=counts if len(roc.classes) <= FACTS else None,
    )


def class_results(decisions: Decisions, areas: dict[str, MulticlassAuc]) -> str:
    """Return the sentences of the results: mean areas, and the share of each class that is recognised."""
    texts = list[str]()
    for scheme, what in (("ovo", "all pairs of classes"), ("ovr", "each class against the rest")):
        area = areas.get(scheme)
        if area is not None and area.value is not None:
            level = f"{100 * area.level:g}%"
            ends = "" if area.low is None else f" ({level} CI {area.low:.3f}–{area.high:.3f})"
            texts.append(f"The mean AUC of {what} was {area.value:.3f}{ends}.")
    shares = zip(decisions.right, decisions.roc.classes, strict=True)
    listed = formatting.listed([f"{formatting.percentage(share)} of class {name}" for share, name in shares])
    texts.append(f"{listed} were classified correctly.")
    return " ".join(texts)


def class_methods(decisions: Decisions, areas: dict[str, MulticlassAuc], analysis: Analysis) -> str:
    """Return the sentences of the methods: areas, decisions, software and seed."""
    any_area = next(iter(areas.values()))
    kinds = {"ovo": "pairs of classes (Hand and Till)", "ovr": "each class against the rest"}
    named = formatting.listed([kinds[scheme] for scheme in areas if scheme in kinds])
    folds = len(decisions.roc.folds)
    texts = [
        f"Areas under receiver operating characteristic (ROC) curves (AUC) of {named} have "
        f"{100 * any_area.level:g}% confidence intervals (CI) by "
        f"{sections.METHODS.get(any_area.method, any_area.method).removesuffix('.')}.",
        "A case was classified as the class whose score times its class weight is largest; the weights "
        f"({decisions.weights}) were selected on the same cases by {decisions.rule}.",
    ]
    if folds > 1:
        texts.append(f"Shares are means over {folds} folds.")
    return " ".join([*texts, sections.software_text(analysis)])
