"""The first page of three classes and more: the data, one row per class, decisions, texts for a paper."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rocscope import plotting
from rocscope.averaging.point_tests import PointComparison
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import formatting
from rocscope.core.result import Estimate
from rocscope.errors import UndefinedError
from rocscope.inference.multiclass import MulticlassAuc
from rocscope.reporting import sections
from rocscope.reporting.analysis import Analysis, Rule

FACTS = 6  # so many classes have a fact each
NONE = "–"
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
