"""Pictures of operating-point averaging: means with bars, one point and those indistinguishable from it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.averaging.neighbourhood import ConfusionRates, WeightNeighbourhood
from rocscope.averaging.pairs import ClassifierDifference
from rocscope.averaging.point_tests import IndifferenceRegion, PointComparison
from rocscope.averaging.roc import AveragedRoc
from rocscope.core import checks, formatting
from rocscope.errors import RocInputError
from rocscope.plotting import layout, marks
from rocscope.plotting.forest import Row, forest

SHOWN_MEASURES = 4  # pairs of so many measures are shown, six panels; more share one panel, side by side
SIDEWAYS = 0.18  # circles stand beside the dots of all points
SHOWN_BARS = 40  # so many points of a curve have bars and dots
LABELS = {
    "tpr": "True positive rate (sensitivity)",
    "fpr": "False positive rate (1 - specificity)",
    "recall": "Recall (sensitivity)",
    "sensitivity": "Sensitivity (true positive rate)",
    "precision": "Precision (positive predictive value)",
    "ppv": "Positive predictive value (precision)",
    "tnr": "True negative rate (specificity)",
    "fnr": "False negative rate (1 - sensitivity)",
    "max-class-error": "Largest class error",
    "mean-class-error": "Mean class error",
}
# Pairs (across, up) that are shown by themselves where both were averaged.
PLANES = (("fpr", "tpr"), ("tpr", "precision"), ("recall", "precision"), ("sensitivity", "ppv"))


def average_picture(
    result: AveragedRoc | PointComparison | IndifferenceRegion,
    *,
    measures: str | Sequence[str] | None = None,
    index: int | None = None,
    name: str | None = None,
    band: bool | None = None,
    points: Any = (),
) -> marks.Picture:
    """Show an averaged ROC, or a comparison of its points.

    Parameters
    ----------
    result
        An average, or the comparison of one of its points with the others.
    measures
        Names of the measures on the axes; three make a picture in perspective.
    index
        For an `AveragedRoc`, a point to mark with a cross; a comparison has its own.
    name
        Name of the classifier in the legend.
    band
        False leaves out the bars of standard errors.
    points
        Further points to mark: indices, points as `select` returns them, or rules such as "tpr>=0.9".

    Examples
    --------
    >>> import rocscope as rs
    >>> y, fold = [0, 1] * 6, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.8, 0.0, 0.7, 0.35, 0.45]
    >>> roc = rs.average_roc(y, score, fold=fold, points=[0.7, 0.5, 0.4, 0.2])
    >>> drawn = average_picture(roc.compare_to(1))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label]
    ['Chance', 'Mean of 3 folds, bars: standard error', '2 points indistinguishable (paired-t, 95%)',
     'Point 1: threshold 0.5 (FPR 0.17, TPR 0.67)']
    """
    comparison = result.comparison if isinstance(result, IndifferenceRegion) else result
    if isinstance(comparison, AveragedRoc):
        average = _Average(comparison, None if index is None else comparison.check_index(index))
    elif index is not None:
        raise RocInputError("must be left out for a comparison, which has its own point", argument="index")
    else:
        average = _Average(comparison.roc, comparison.index, comparison)
    average.name, average.bars = name, band is None or checks.check_flag(band, name="band")
    for k in layout.point_indices(average.roc, points):
        average.marked.append((np.array([k]), "selected", average.point_label(k)))
    names = _measures(average.roc, measures)
    if len(names) == 1:
        return marks.Picture(panels=(average.over_thresholds(names[0]),))
    if len(names) > SHOWN_MEASURES:
        return marks.Picture(panels=(average.strips(names),))
    panels = [
        average.solid(plane) if len(plane) == 3 else average.plane(plane[0], plane[1], legend=k == 0)
        for k, plane in enumerate(_planes(names))
    ]
    columns = 1 if len(panels) == 1 else 2 if len(panels) <= 4 else 3
    return marks.Picture(panels=tuple(panels), columns=columns)


def classifier_difference_picture(result: ClassifierDifference) -> marks.Picture:
    """Show two classifiers at the places where they are compared, and the differences with their intervals.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, fold = [0, 1] * 6, [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> a = [0.1, 0.9, 0.4, 0.6, 0.2, 0.3, 0.5, 0.8, 0.0, 0.7, 0.35, 0.45]
    >>> b = [0.3, 0.5, 0.4, 0.2, 0.2, 0.1, 0.5, 0.8, 0.6, 0.7, 0.35, 0.1]
    >>> first, second = (rs.average_roc(y, score, fold=fold, points="all") for score in (a, b))
    >>> curves, differences = classifier_difference_picture(first.compare_with(second, at="tpr=0.8")).panels
    >>> differences.y.tick_labels
    ('tpr at tpr=0.8', 'fpr at tpr=0.8')
    """
    rows = []
    for k, place in enumerate(result.places):
        for m, measure in enumerate(result.measures):
            name, ends = f"{measure} at {place}", (result.low[k, m], result.high[k, m])
            if not result.defined[k, m]:
                rows.append(Row(name=name, figures="not tested: no value in some fold"))
                continue
            value, figures = float(result.difference[k, m]), result.figures(k, m).replace(" (Holm", "\n(Holm")
            rows.append(Row(name=name, value=value, low=ends[0], high=ends[1], figures=figures))
    interval = formatting.interval_name(result.level, "two-sided")
    label = f"{result.names[0]} minus {result.names[1]} ({interval}, {result.method})"
    differences = forest(rows, label=label, reference=0.0).panels[0]
    pair = (result.first, result.second)
    plane = next((p for p in PLANES if all(set(p) <= set(roc.measures) for roc in pair)), None)
    if plane is None or any(roc.thresholds is None for roc in pair):
        return marks.Picture(panels=(differences,))
    drawn: list[marks.Mark] = [layout.chance_line("Chance")] if plane == ("fpr", "tpr") else []
    for series, (name, roc) in enumerate(zip(result.names, pair, strict=True)):
        average = _Average(roc, None)
        (x, dx), (y, dy) = (average.column(measure) for measure in plane)
        order, at = average.order, np.unique(result.indices[:, series])
        drawn.append(marks.Line(x=x[order], y=y[order], role="curve", series=series, label=name))
        drawn.append(
            marks.ErrorBars(
                x=x[at],
                y=y[at],
                x_low=x[at] - dx[at],
                x_high=x[at] + dx[at],
                y_low=y[at] - dy[at],
                y_high=y[at] + dy[at],
                role="interval",
                series=series,
            )
        )
        shown = None if series else "Compared points, bars: standard error"
        drawn.append(marks.Points(x=x[at], y=y[at], role="selected", series=series, label=shown))
    axes = [
        layout.rate_axis(_Average(pair[0], None).axis(measure).label, [str(pair[0].classes[1])])
        for measure in plane
    ]
    corners: tuple[Any, ...] = ("lower right", "upper left")
    curves = layout.with_legend(
        marks.Panel(marks=tuple(drawn), x=axes[0], y=axes[1], equal_aspect=True), corners
    )
    return marks.Picture(panels=(curves, differences), columns=2)


def rates_picture(result: ConfusionRates) -> marks.Picture:
    r"""Show the rate of every decision in every class as a heat map, with standard errors.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, p = ["a", "b", "c"] * 4, [[5, 4, 1], [1, 8, 1], [2, 4, 4], [4, 5, 1], [2, 7, 1], [1, 5, 4]] * 2
    >>> roc = rs.average_roc(y, p, fold=[0] * 6 + [1] * 6, classes=["a", "b", "c"], points=2)
    >>> [mark.text for mark in rates_picture(roc.confusion_rates(0)).panels[0].marks[1:3]]
    ['0.50\n±0.00', '0.50\n±0.00']
    """
    return marks.Picture(panels=(_rates_panel(result),))


def _rates_panel(result: ConfusionRates) -> marks.Panel:
    what = "Difference of rates" if result.is_difference else "Share of the true class"
    title = f"Differences, {result.name}" if result.is_difference else f"Decisions at {result.name}"
    return _matrix_panel(
        result.value,
        result.se,
        (list(map(str, result.classes)), "True class"),
        (list(map(str, result.decisions)), "Decided class"),
        label=what,
        title=f"{title}: mean ± standard error" if result.folds > 1 else title,
        signed=result.is_difference,
    )


def _matrix_panel(
    values: marks.Values,
    errors: marks.Values,
    down: tuple[list[str], str],
    across: tuple[list[str], str],
    *,
    label: str,
    title: str,
    signed: bool,
) -> marks.Panel:
    """A heat map with names on both sides; numbers that are not 0 stand in the cells of a small one."""
    x, y = (np.arange(len(names), dtype=np.float64) for names, _ in (across, down))
    far = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0  # equally far on either side of 0
    low, high = (-far, far) if signed else (0.0, 1.0)
    cells = layout.heat_map(x, y, values, label, low=low, high=high, signed=signed)
    drawn: list[marks.Mark] = [cells]
    if max(values.shape) <= layout.WRITTEN_CLASSES:
        sign = "+" if signed else ""
        texts = [
            [
                ""
                if abs(value) < 0.005 or value != value
                else f"{value:{sign}.2f}" + (f"\n±{error:.2f}" if error == error else "")
                for value, error in zip(row, row_errors, strict=True)
            ]
            for row, row_errors in zip(values, errors, strict=True)
        ]
        drawn += layout.cell_texts(cells, texts)
    names, top = down[0], len(down[0]) - 0.5
    return marks.Panel(
        marks=tuple(drawn),
        x=layout.category_axis(across[0], label=across[1], low=-0.5, high=len(across[0]) - 0.5),
        y=layout.category_axis(names, label=down[1], low=top, high=-0.5),
        title=title,
        equal_aspect=True,
    )


def neighbourhood_picture(result: WeightNeighbourhood, *, show: Any = None) -> marks.Picture:
    """Show the decisions at class weights and what each class loses to each other one, as two heat maps.

    Parameters
    ----------
    result
        What `weight_neighbourhood` returns.
    show
        A class: the errors of all classes along its weight, in place of the maps.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, p = ["a", "b", "c"] * 4, [[5, 4, 1], [1, 8, 1], [2, 4, 4], [4, 5, 1], [2, 7, 1], [1, 5, 4]] * 2
    >>> found = rs.weight_neighbourhood(y, p, fold=[0] * 6 + [1] * 6, classes=["a", "b", "c"])
    >>> [panel.x.label for panel in neighbourhood_picture(found).panels]
    ['Decided class', 'Class whose weight is multiplied by 2']
    >>> neighbourhood_picture(found, show="b").panels[0].x.label
    'Weight of class b, multiplied by'
    """
    names = list(map(str, result.classes))
    if show is None:
        changes = _matrix_panel(
            result.change,
            result.change_se,
            (names, "Class that errs"),
            (names, f"Class whose weight is multiplied by {result.step:g}"),
            label="Change of its error",
            title="What each class loses to each other one",
            signed=True,
        )
        return marks.Picture(panels=(_rates_panel(result.rates), changes), columns=2)
    checks.check_choice(str(show), names, name="show")
    c, x = names.index(str(show)), np.log(result.factors)
    drawn: list[marks.Mark] = []
    for k in [c, *(k for k in range(len(names)) if k != c)]:
        y, error = result.errors[c, :, k], np.nan_to_num(result.errors_se[c, :, k])
        moves = np.ptp(y) >= result.least  # those that hardly move are drawn thin
        label = f"Error of {names[k]}" if moves else None
        drawn.append(marks.Line(x=x, y=y, role="curve" if moves else "fold", series=k, label=label))
        if k == c:
            bars = marks.ErrorBars(x=x, y=y, y_low=y - error, y_high=y + error, role="interval", series=k)
            drawn.append(bars)
    across = marks.Axis(
        label=f"Weight of class {show}, multiplied by",
        ticks=tuple(x.tolist()),
        tick_labels=tuple(f"{factor:.3g}" for factor in result.factors),
    )
    errors = marks.Axis(label=f"Error of a class (bars of {show}: standard error)", low=0.0)
    panel = marks.Panel(marks=tuple(drawn), x=across, y=errors, legend="below")
    return marks.Picture(panels=(panel,))


def panel_measures(roc: AveragedRoc) -> tuple[tuple[str, ...], ...]:
    """The measures on the axes of each panel of the picture of an average, in the order of the panels.

    Examples
    --------
    >>> from rocscope.averaging.roc import average_roc
    >>> roc = average_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], fold=[0, 1, 0, 1])
    >>> panel_measures(roc)
    (('fpr', 'tpr'),)
    """
    return _planes(_measures(roc, None))


def _planes(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """All pairs, and of three measures all of them first; a known pair is drawn in its own order.

    None of more measures than are shown so.
    """
    if len(names) > SHOWN_MEASURES:
        return ()
    pairs = combinations(names, 2)
    planes = tuple(pair[::-1] if pair[::-1] in PLANES else pair for pair in pairs)
    return (tuple(names), *planes) if len(names) == 3 else planes


def _measures(roc: AveragedRoc, measures: str | Sequence[str] | None) -> tuple[str, ...]:
    """Measures to show: those of the request, else the plane of the curve, else all."""
    if measures is None:
        return next((plane for plane in PLANES if set(plane) <= set(roc.measures)), roc.measures)
    listed = [measures] if isinstance(measures, str) else measures
    names = checks.check_names(listed, name="measures", at_least=1)
    for name in names:
        checks.check_choice(name, roc.measures, name="measures")
    return names


class _Average:
    """The panels of an averaged ROC, on which a point and those indistinguishable from it may be marked."""

    def __init__(
        self, roc: AveragedRoc, index: int | None, comparison: PointComparison | None = None
    ) -> None:
        self.roc, self.index = roc, index
        self.name: str | None = None
        self.bars = True
        self.marked: list[tuple[NDArray[np.int64], Any, str]] = []  # indices, role and label
        if comparison is not None:
            others = np.flatnonzero(comparison.indistinguishable)
            others = others[others != index]
            test = f"({comparison.method}, {comparison.level * 100:g}%)"
            if comparison.criterion != " and ".join(roc.measures):
                test = f"by {comparison.criterion} {test}"
            label = f"{len(others)} point{'s' if len(others) > 1 else ''} indistinguishable {test}"
            self.marked += [(others, "indistinguishable", label)] if len(others) else []
        if index is not None:
            self.marked.append((np.array([index]), "operating-point", self.point_label(index)))
        # Points along their curve; None where they have no order.
        self.order: NDArray[np.int64] | None = None
        if roc.thresholds is not None:
            self.order = np.argsort(-roc.thresholds.astype(np.float64), kind="stable")

    def column(self, name: str) -> tuple[marks.Values, marks.Values]:
        """The means of a measure and their standard errors, 0 where there is none to be shown."""
        k = self.roc.measures.index(name)
        return self.roc.mean[:, k], np.nan_to_num(self.roc.sem[:, k])

    def point_label(self, k: int) -> str:
        """Name a point by its threshold and rates, or by its weights."""
        if self.roc.kind == "weights":
            shares = self.roc.points[k] / self.roc.points[k].sum()
            return f"Point {k}: weights " + ", ".join(f"{share:.2g}" for share in shares)
        if self.roc.thresholds is None:
            return f"Point {k}"
        cut = self.roc.thresholds[k]
        if not {"fpr", "tpr"} <= set(self.roc.measures):
            return f"Point {k}: threshold {formatting.threshold(cut)}"
        fpr, tpr = (float(self.column(name)[0][k]) for name in ("fpr", "tpr"))
        return f"Point {k}: threshold {formatting.operating_point(cut, fpr, tpr)}"

    def mean_label(self) -> str:
        """What the line and the bars are."""
        bars = ", bars: standard error" if self.bars else ""
        return self.named(f"Mean of {len(self.roc.folds)} folds{bars}")

    def named(self, text: str) -> str:
        """A legend entry, after the name of the classifier where it has one."""
        return text if self.name is None else f"{self.name}: {text[0].lower()}{text[1:]}"

    def cloud_label(self) -> str:
        """What points without an order are."""
        if len(self.roc.folds) == 1:
            return self.named(f"{len(self.roc)} points, all cases together")
        bars = "" if self.index is None or not self.bars else "; bars: standard error"
        return self.named(f"{len(self.roc)} points, mean of {len(self.roc.folds)} folds{bars}")

    def axis(self, name: str) -> marks.Axis:
        """Axis of a measure, without ends."""
        if name.startswith("error(") and name.endswith(")"):
            return marks.Axis(label=f"Error of class {name[6:-1]}")
        return marks.Axis(label=LABELS.get(name, formatting.sentence(name.replace("_", " "))))

    def plane(self, across: str, up: str, *, legend: bool) -> marks.Panel:
        """Two measures: a curve with bars, or a cloud of points of which the marked one has bars."""
        (x, dx), (y, dy), order = self.column(across), self.column(up), self.order
        drawn: list[marks.Mark] = [layout.chance_line("Chance")] if (across, up) == ("fpr", "tpr") else []
        if order is None:
            at = np.array([] if self.index is None else [self.index], dtype=np.int64)
        elif len(order) <= SHOWN_BARS:
            at = order
        else:  # those at even steps along the curve
            steps = sum(np.abs(np.diff(v[order], prepend=v[order[0]])) for v in (x, y))
            at = order[layout.evenly_along(np.cumsum(np.nan_to_num(steps)), SHOWN_BARS)]
        (left, right), (low, high) = ((v[at] - dv[at], v[at] + dv[at]) for v, dv in ((x, dx), (y, dy)))
        bars = marks.ErrorBars(
            x=x[at], y=y[at], x_low=left, x_high=right, y_low=low, y_high=high, role="interval"
        )
        drawn += [bars] if self.bars else []
        if order is None:
            drawn.append(marks.Points(x=x, y=y, role="point", label=self.cloud_label()))
        else:
            drawn.append(marks.Line(x=x[order], y=y[order], role="curve", label=self.mean_label()))
            if len(order) <= SHOWN_BARS:  # more dots would only thicken the line
                drawn.append(marks.Points(x=x[order], y=y[order], role="point"))
        drawn += [marks.Points(x=x[k], y=y[k], role=role, label=label) for k, role, label in self.marked]
        rates = (across, up) in PLANES
        axes = [self.axis(name) for name in (across, up)]
        if rates:
            axes = [layout.rate_axis(axis.label, [str(self.roc.classes[1])]) for axis in axes]
        panel = marks.Panel(marks=tuple(drawn), x=axes[0], y=axes[1], equal_aspect=rates)
        if not legend:
            return panel
        if order is None or not rates:
            return replace(panel, legend="below")
        if across == "fpr":
            return layout.with_legend(panel, ("lower right", "upper left"))
        return layout.with_legend(panel, ("lower left", "upper right"))

    def over_thresholds(self, name: str) -> marks.Panel:
        """One measure over the thresholds, or over the numbers of points that have none."""
        (y, dy), thresholds = self.column(name), self.roc.thresholds
        x = np.arange(len(y), dtype=np.float64) if thresholds is None else thresholds.astype(np.float64)
        at = np.arange(len(y)) if self.order is None else self.order
        at = at[np.isfinite(x[at])]
        bars = marks.ErrorBars(x=x[at], y=y[at], y_low=(y - dy)[at], y_high=(y + dy)[at], role="interval")
        drawn: list[marks.Mark] = [
            *([bars] if self.bars else []),
            *([] if self.order is None else [marks.Line(x=x[at], y=y[at], role="curve")]),
            marks.Points(x=x[at], y=y[at], role="point", label=self.mean_label()),
            *(marks.Points(x=x[k], y=y[k], role=role, label=label) for k, role, label in self.marked),
        ]
        label = "Operating point" if thresholds is None else "Threshold"
        return marks.Panel(marks=tuple(drawn), x=marks.Axis(label=label), y=self.axis(name), legend="below")

    def strips(self, names: Sequence[str]) -> marks.Panel:
        """Many measures side by side, all points above the name of each; a line joins those of the point."""
        errors = all(name.startswith("error(") and name.endswith(")") for name in names)
        means, sems = (np.stack(values) for values in zip(*map(self.column, names), strict=True))
        x = np.arange(len(names), dtype=np.float64)
        drawn: list[marks.Mark] = []
        groups: list[tuple[Any, Any, str]] = [(np.arange(len(self.roc)), "point", self.cloud_label())]
        for k, role, label in groups + self.marked:
            if role == "operating-point":
                at, sem = means[:, k[0]], sems[:, k[0]]
                drawn.append(
                    marks.ErrorBars(x=x, y=at, y_low=at - sem, y_high=at + sem, role="interval", series=1)
                )
                drawn.append(marks.Line(x=x, y=at, role="leader", series=1))
            place = np.repeat(x, len(k)) + (SIDEWAYS if role == "indistinguishable" else 0.0)
            drawn.append(marks.Points(x=place, y=means[:, k].ravel(), role=role, label=label))
        texts = [name[6:-1] if errors else name for name in names]
        across = layout.category_axis(
            texts, label="Class" if errors else "Measure", low=-0.5, high=len(names) - 0.5
        )
        return marks.Panel(
            marks=tuple(drawn), x=across, y=marks.Axis(label="Error" if errors else "Mean"), legend="below"
        )

    def solid(self, names: Sequence[str]) -> marks.Panel3:
        """Three measures in perspective, as figure 3 of the paper."""
        x, y, z = (self.column(name)[0] for name in names)
        drawn = [marks.Points3(x=x, y=y, z=z, role="point", label=self.cloud_label())]
        drawn += [
            marks.Points3(x=x[k], y=y[k], z=z[k], role=role, label=label) for k, role, label in self.marked
        ]
        first, second, third = map(self.axis, names)
        return marks.Panel3(marks=tuple(drawn), x=first, y=second, z=third, legend="below", equal_aspect=True)
