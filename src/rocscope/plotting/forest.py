"""Forest plots: one row per estimate, its interval, and the figures beside it; else the table of a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from rocscope.bootstrap.estimates import BootstrapAuc, ErrorEstimates
from rocscope.bootstrap.families import BootstrapEstimate
from rocscope.core import checks, formatting
from rocscope.core.result import Estimate, Result
from rocscope.errors import RocInputError
from rocscope.inference import compare, curve_tests, multiclass, point_measures, subgroups
from rocscope.plotting.layout import WRITTEN_CLASSES, category_axis, cell_texts, heat_map
from rocscope.plotting.marks import Axis, ErrorBars, Mark, Panel, Picture, Points, ReferenceLine, Text

MOST_PAIRS = 21  # of more classes than seven the rows would be a page long
SCHEMES = {"ovo": "Pairs of classes", "ovr": "Each class against the rest", "multilabel": "Labels"}
NAMES = {
    "sensitivity": "Sensitivity (TPR)",
    "specificity": "Specificity (1 - FPR)",
    "ppv": "Precision (PPV)",
    "npv": "NPV",
    "accuracy": "Accuracy",
    "balanced_accuracy": "Balanced accuracy",
    "f1": "F1",
    "youden": "Youden's index",
}
# Measures that may lie far outside of 0 to 1: they are written, not drawn.
UNBOUNDED = {
    "lr_pos": "Likelihood ratio +",
    "lr_neg": "Likelihood ratio -",
    "net_benefit": "Net benefit",
    "expected_cost": "Expected cost",
}
Show: TypeAlias = Literal["auc", "error", "loss", "all"]
# Colours of bootstrap estimates: theirs, that of one known to be too good, that of others beside them.
SERIES = {"apparent": 1, "kfold": 2, "leave_one_out": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: its name, its numbers (None where undefined), the text on its right, its colour's series."""

    name: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    figures: str
    series: int = 0


def forest(
    rows: Sequence[Row],
    *,
    label: str,
    reference: float | None,
    title: str = "",
    limits: tuple[float | None, float | None] = (None, None),
    margins: Sequence[float] = (),
) -> Picture:
    """Rows from top to bottom over one axis, with a line at the reference value and at margins around it."""
    marks: list[Mark] = [ReferenceLine(axis="x", at=end, role="interval", series=1) for end in margins]
    if reference is not None:
        marks.append(ReferenceLine(axis="x", at=reference, role="reference"))
    numbers = np.array([(row.value, row.low, row.high) for row in rows], dtype=np.float64)
    # Drawing libraries cannot scale an axis beyond this; an infinite end is drawn to the edge.
    numbers[np.isfinite(numbers) & (np.abs(numbers) > 1e300)] = np.nan
    for series in sorted({row.series for row in rows}):
        at = np.flatnonzero([row.series == series for row in rows])
        y, (x, low, high) = at.astype(np.float64), numbers[at].T
        marks.append(ErrorBars(x=x, y=y, x_low=low, x_high=high, role="estimate", series=series))
        marks.append(Points(x=x, y=y, role="estimate", series=series))
    names, figures = [row.name for row in rows], [row.figures for row in rows]
    along = Axis(label=label, low=limits[0], high=limits[1])
    down = category_axis(names, low=len(rows) - 0.5, high=-0.5, far=figures)
    return Picture(panels=(Panel(marks=tuple(marks), x=along, y=down, title=title),))


def estimate_row(name: str, estimate: Estimate, *, series: int = 0, note: str = "") -> Row:
    """The row of an estimate; a note follows its figures."""
    figures = formatting.estimate_figures(estimate) + note
    return Row(
        name=name, value=estimate.value, low=estimate.low, high=estimate.high, figures=figures, series=series
    )


def mean_row(name: str, mean: float | None, sd: float | None, *, note: str = "") -> Row:
    """The row of a mean, plus and minus a standard deviation where it has one; else a note says why.

    Examples
    --------
    >>> mean_row("AUC", 0.8, 0.05).figures, mean_row("AUC", None, None).figures
    ('0.800 (SD 0.050)', 'undefined')
    """
    if mean is None:
        return Row(name=name, figures=note or "undefined")
    if sd is None:
        return Row(name=name, value=mean, figures=f"{mean:.3f}{note}")
    return Row(name=name, value=mean, low=mean - sd, high=mean + sd, figures=f"{mean:.3f} (SD {sd:.3f})")


def estimate_picture(estimate: Estimate, *, reference: float | None = None) -> Picture:
    """Show one estimate and its interval; `reference` draws a line to compare with.

    An area is compared with chance, 0.5, unless another reference is given.

    Examples
    --------
    >>> import rocscope as rs
    >>> drawn = estimate_picture(rs.auc([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]))
    >>> drawn.panels[0].x.label, drawn.panels[0].y.far_labels
    ('AUC (95% interval)', ('0.889 (0.391–0.989)',))
    """
    return estimates([estimate], reference=reference)


def estimates(
    estimates: Sequence[Estimate] | Mapping[str, Estimate], *, reference: float | None = None
) -> Picture:
    """Show several estimates below each other.

    Parameters
    ----------
    estimates
        The estimates, or a mapping of row name to estimate. Rows without a name of their own are named
        by the estimate, and by its method where the names are the same.
    reference
        Value to compare with; without it 0.5 if all are areas.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, score = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]
    >>> drawn = estimates([rs.auc(y, score, method=m) for m in ("delong", "logit")])
    >>> drawn.panels[0].y.tick_labels
    ('AUC, delong', 'AUC, logit')
    """
    rows = list(estimates.values() if isinstance(estimates, Mapping) else estimates)
    if not rows:
        raise RocInputError("must hold at least one estimate, got none", argument="estimates")
    kinds = [row.name for row in rows]
    names = [f"{row.name}, {row.method}" if kinds.count(row.name) > 1 else row.name for row in rows]
    if isinstance(estimates, Mapping):
        names = list(map(str, estimates))
    kind = kinds[0] if len(set(kinds)) == 1 else "Estimate"
    intervals = [formatting.interval_name(row.level, row.alternative) for row in rows]
    common = len(set(intervals)) == 1
    return forest(
        [
            estimate_row(name, row, note="" if common or row.value is None else f", {interval}")
            for name, row, interval in zip(names, rows, intervals, strict=True)
        ],
        label=f"{kind} ({intervals[0] if common else 'interval'})",
        reference=0.5 if reference is None and kind == "AUC" else reference,
    )


def comparison_picture(result: compare.CurveComparison | curve_tests.PairDifference) -> Picture:
    """Show the difference of every pair of areas, or of one, its interval and p-value, around a line at 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]}
    >>> comparison_picture(rs.compare_auc(y, scores, method="delong")).panels[0].y.far_labels
    ('+0.344 (-0.089 to +0.777), p = 0.12',)
    """
    if isinstance(result, curve_tests.PairDifference):
        return forest([_difference_row(result, adjusted=True)], label="Difference (interval)", reference=0.0)
    subject = "Equal areas" if result.quantity == "AUC" else f"Equal {result.quantity}"
    if result.kind == "E":
        subject = "Equal curves (not areas)"
    elif result.hypothesis.startswith("every contrast"):
        subject = formatting.sentence(result.hypothesis)
    if result.p_value is None:
        title = f"{subject}: no test, {result.reason}"
    else:
        df = "" if result.df is None else f", df = {result.df:.4g}"
        p = formatting.p_value(result.p_value)
        figures = f"{result.statistic_name} = {result.statistic:.4g}{df}, p = {p}"
        title = f"{subject}: {figures}" if result.quantity == "AUC" else f"{subject}:\n{figures}"
    interval = formatting.interval_name(result.level, result.alternative)
    margins: list[float] = []
    if result.margin is not None:  # on the sides that the claim is about
        interval = f"{interval}, margin {result.margin:g}"
        sides = {"greater": (-1,), "less": (1,)}.get(result.alternative, (-1, 1))
        margins = [side * result.margin for side in sides]
    return forest(
        [_difference_row(pair, adjusted=len(result.pairs) > 1) for pair in result.pairs],
        label=f"Difference of {result.quantity} ({interval})",
        reference=0.0,
        margins=margins,
        title=title,
    )


def _difference_row(pair: curve_tests.PairDifference, *, adjusted: bool) -> Row:
    text = formatting.with_interval(pair.difference, pair.low, pair.high, signed=True)
    if pair.p_value is not None:
        text = f"{text}, p = {formatting.p_value(pair.p_value)}"
        if adjusted and pair.p_adjusted is not None:
            text = f"{text} (Holm {formatting.p_value(pair.p_adjusted)})"
    if pair.p_equivalence is not None:
        verdict = "within the margin" if pair.equivalent else "not shown within the margin"
        text = f"{text}\n{verdict}, p = {formatting.p_value(pair.p_equivalence)}"
    name = f"{pair.first} - {pair.second}"
    return Row(name=name, value=pair.difference, low=pair.low, high=pair.high, figures=text)


def difference_forests(result: Any, *, name: Callable[[Any], str], note: str = "") -> Picture:
    """Show every difference with its interval and p-value around a line at 0, one panel per pair.

    Parameters
    ----------
    result
        A comparison with `differences`, or one row of it.
    name
        The name of a difference beside its interval.
    note
        Words after the label of the axis.
    """
    interval = "interval"
    if hasattr(result, "differences"):
        interval = formatting.interval_name(result.level, result.alternative)
    pairs: dict[str, list[Row]] = {}
    for one in getattr(result, "differences", (result,)):
        figures = f"undefined: {one.reason}"
        if one.difference is not None:
            figures = formatting.with_interval(one.difference, one.low, one.high, signed=True)
            figures += "" if one.p_value is None else f", p = {formatting.p_value(one.p_value)}"
        row = Row(name=name(one), value=one.difference, low=one.low, high=one.high, figures=figures)
        pairs.setdefault(f"{one.first} - {one.second}", []).append(row)
    label = f"Difference ({interval}){note}"
    panels = [
        forest(rows, label=label, reference=0.0, title=title).panels[0] for title, rows in pairs.items()
    ]
    return Picture(panels=tuple(panels), columns=1)


def subgroups_picture(result: subgroups.SubgroupAreas) -> Picture:
    """Show the area of every group around that of all cases, one panel per column; beside it the p-value of
    the difference to the rest.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, s = [0, 0, 0, 1, 1, 1] * 2, [1, 2, 4, 3, 5, 6, 1, 3, 5, 2, 4, 6]
    >>> drawn = subgroups_picture(rs.auc_by(y, s, by={"site": ["North"] * 6 + ["South"] * 6}))
    >>> drawn.panels[0].title, drawn.panels[0].y.tick_labels
    ('site: Q = 0.5096, df = 1, p = 0.475', ('North (3 + 3)', 'South (3 + 3)', 'All cases (6 + 6)'))
    """
    everyone = f"All cases ({result.n_pos} + {result.n_neg})"
    panels = list[Panel]()
    for test in result.tests:
        rows = [_group_row(row, several=len(result.of(test.by)) > 2) for row in result.of(test.by)]
        rows.append(estimate_row(everyone, result.overall, series=1))
        title = f"{test.by}: no test, {test.reason}"
        if test.p_value is not None:
            title = f"{test.by}: Q = {test.statistic:.4g}, df = {test.df}"
            title += f", p = {formatting.p_value(test.p_value)}"
            if len(result.tests) > 1 and test.p_adjusted is not None:
                title += f" (Holm {formatting.p_value(test.p_adjusted)})"
        label = f"AUC ({formatting.interval_name(result.level, 'two-sided')})"
        panels += forest(rows, label=label, reference=result.overall.value, title=title).panels
    return Picture(panels=tuple(panels), columns=1)


def _group_row(row: subgroups.SubgroupArea, *, several: bool) -> Row:
    """The row of a group: its area, and the p-value of its difference to the rest."""
    name = f"{row.group} ({row.n_pos} + {row.n_neg})"
    if row.auc is None:
        return Row(name=name, figures="no area")
    figures = formatting.with_interval(row.auc, row.auc_low, row.auc_high)
    if row.status != "ok":
        figures += ", not tested"
    elif row.p_value is not None and row.p_adjusted is not None:
        figures += f", p = {formatting.p_value(row.p_value)}"
        figures += f" (Holm {formatting.p_value(row.p_adjusted)})" if several else ""
    return Row(name=name, value=row.auc, low=row.auc_low, high=row.auc_high, figures=figures)


def multiclass_picture(result: multiclass.MulticlassAuc) -> Picture:
    """Show the area of every pair or class, and below them the average; of many pairs a heat map.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = ["a", "a", "b", "b", "b", "c", "c"]
    >>> p = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]
    >>> multiclass_picture(rs.multiclass_auc(y, p, classes=["a", "b", "c"])).panels[0].y.tick_labels
    ('a - b', 'a - c', 'b - c', 'Macro average')
    """
    average = f"{result.average.capitalize()} average"
    title = SCHEMES[result.scheme]
    if result.value is None:
        title = f"{title}: no average, {result.reason}"
    pairs = [row for row in result.rows if isinstance(row, multiclass.ClassPair)]
    if len(pairs) <= MOST_PAIRS:
        rows = [estimate_row(row.label, row) for row in result.rows]
        rows.append(estimate_row(average, result, series=1))
        interval = formatting.interval_name(result.level, result.alternative)
        return forest(rows, label=f"AUC ({interval})", reference=0.5, title=title)
    # The areas of all pairs of classes, in rows and columns.
    title = title if result.value is None else f"{average}: {formatting.estimate_figures(result)}"
    names = list(dict.fromkeys(str(name) for row in pairs for name in (row.first, row.second)))
    areas = np.full((len(names), len(names)), np.nan)
    for row in pairs:
        i, j = names.index(str(row.first)), names.index(str(row.second))
        areas[i, j] = areas[j, i] = np.nan if row.value is None else row.value
    places = np.arange(len(names), dtype=np.float64)
    low = min(0.5, float(np.nanmin(areas, initial=1.0)))
    cells = heat_map(places, places, areas, "AUC of the pair", low=low, high=1.0)
    marks: list[Mark] = [cells]
    if len(names) <= WRITTEN_CLASSES:
        texts = [["" if np.isnan(area) else f"{area:.2f}" for area in line] for line in areas]
        marks += cell_texts(cells, texts)
    last = len(names) - 0.5
    panel = Panel(
        marks=tuple(marks),
        x=category_axis(names, label="Class", low=-0.5, high=last),
        y=category_axis(names, label="Other class", low=last, high=-0.5),
        title=f"{SCHEMES['ovo']}\n{title}",
        equal_aspect=True,
    )
    return Picture(panels=(panel,))


def point_measures_picture(result: point_measures.PointMeasures, *, name: str = "score") -> Picture:
    """Show the measures of a point with their intervals; ratios, benefit and cost as text.

    Parameters
    ----------
    result
        The measures.
    name
        Name of the score in the title.

    Examples
    --------
    >>> import rocscope as rs
    >>> measures = rs.point_measures([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9], threshold=0.5)
    >>> rows = point_measures_picture(measures).panels[0].y
    >>> rows.tick_labels[:2], rows.far_labels[0]
    (('Sensitivity (TPR)', 'Specificity (1 - FPR)'), '0.667 (0.208–0.939)')
    """
    rows = []
    for key, label in (NAMES | UNBOUNDED).items():
        estimate = result.estimates[key]
        if key in NAMES and estimate.value is not None:
            rows.append(estimate_row(label, estimate))
        elif key in NAMES or estimate.value is not None or estimate.low is not None:
            rows.append(Row(name=label, figures=formatting.estimate_figures(estimate)))
    first = result.sensitivity
    ends = [end for row in rows for end in (row.value, row.low) if end is not None]
    selected = ", chosen on these cases" if result.chosen else ""
    rule = f"{result.pos_label} where {name} {result.sign} {formatting.threshold(result.threshold)}{selected}"
    return forest(
        rows,
        label=f"Value ({formatting.interval_name(first.level, first.alternative)})",
        reference=None,
        title=f"{rule}\nTP {result.tp}, FP {result.fp}, FN {result.fn}, TN {result.tn}",
        limits=(min([-0.02, *ends]), 1.02),
    )


def bootstrap_picture(result: BootstrapAuc | ErrorEstimates, *, show: Show = "auc") -> Picture:
    """Show every estimate of the AUC with its interval, cross-validation below.

    Parameters
    ----------
    result
        What `bootstrap_auc` returns; or its error rate or loss alone, which need no `show`.
    show
        "auc"; "error" for the error rate, "loss" for the expected loss; "all" for one panel of each, the
        loss only where it is not the error rate.

    Examples
    --------
    >>> import numpy as np
    >>> import rocscope as rs
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = np.arange(16.0)[:, np.newaxis] % 5, np.repeat([0, 1], 8)
    >>> result = rs.bootstrap_auc(GaussianNB(), X, y, n_boot=20, rng=1)
    >>> bootstrap_picture(result).panels[0].y.tick_labels[:3]
    ('Apparent', 'Leave-pair-out', 'AUC(*)')
    >>> [panel.title for panel in bootstrap_picture(result, show="all").panels]
    ['AUC: 8 positives, 8 negatives, 20 replicates', 'Error rate']
    """
    checks.check_choice(show, ("auc", "error", "loss", "all"), name="show")
    if isinstance(result, ErrorEstimates):
        is_loss = result.apparent.name.endswith("expected loss")
        return Picture(panels=(_error_panel(result, "Expected loss" if is_loss else "Error rate"),))
    title = f"AUC: {result.n_pos} positives, {result.n_neg} negatives, {result.n_boot} replicates"
    panels = {
        "auc": _bootstrap_panel(result.estimates(), "AUC", title, reference=0.5),
        "error": _error_panel(result.error, "Error rate"),
        "loss": _error_panel(result.loss, "Expected loss"),
    }
    if show != "all":
        return Picture(panels=(panels[show],))
    if result.loss == result.error:
        del panels["loss"]
    return Picture(panels=tuple(panels.values()))


def _error_panel(family: ErrorEstimates, title: str) -> Panel:
    """The line is the error where nothing is known."""
    return _bootstrap_panel(family.estimates(), title, title, reference=family.gamma)


def _bootstrap_panel(
    estimates: Mapping[str, BootstrapEstimate], quantity: str, title: str, *, reference: float | None
) -> Panel:
    rows = []
    for key, estimate in estimates.items():
        name = estimate.name
        for common in (" AUC", " error rate", " expected loss"):
            name = name.removesuffix(common)
        rows.append(estimate_row(formatting.sentence(name), estimate, series=SERIES.get(key, 0)))
    level = next(iter(estimates.values())).level
    label = f"{quantity} ({formatting.interval_name(level, 'two-sided')})"
    return forest(rows, label=label, reference=reference, title=title).panels[0]


# ---- A result that has only numbers to show: its table ----------------------------------------------------

SHOWN_ROWS = 20
MOST_CHARACTERS = 48  # longer texts lose their middle
GAP = 3  # characters between two columns


def table_picture(result: Result) -> Picture:
    """Show the rows of `columns()`; a single row stands upright, one line for each value it has.

    Columns are as wide as their longest text; the x axis counts characters.

    Examples
    --------
    >>> import rocscope as rs
    >>> panel = table_picture(rs.power(0.8, n_pos=20, n_neg=20)).panels[0]
    >>> panel.title, panel.y.tick_labels[:2], [mark.text for mark in panel.marks[:2]]
    ('Study plan', ('question', 'n pos'), ['one area', '20'])
    """
    columns = {str(name): list(values) for name, values in result.columns().items()}
    header = [name.replace("_", " ") for name in columns]
    rows = list(zip(*columns.values(), strict=True))
    title = formatting.class_title(type(result))
    first = -1  # the header stands above the first row
    if len(rows) == 1:
        first = 0
        lines = [[name, cell(v)] for name, v in zip(header, rows[0], strict=True) if v is not None]
    else:
        if len(rows) > SHOWN_ROWS:
            title = f"{title}: the first {SHOWN_ROWS} of {len(rows)} rows"
        lines = [header, *([cell(value) for value in row] for row in rows[:SHOWN_ROWS])]
    names, *texts = zip(*lines, strict=True)
    places = np.cumsum([0.0, *(max(map(len, column)) + GAP for column in texts)]).tolist()
    at = tuple(float(row + first) for row in range(len(lines)))
    panel = Panel(
        marks=tuple(
            Text(x=x, y=y, text=text, role="note")
            for y, line in zip(at, lines, strict=True)
            for x, text in zip(places[:-1], line[1:], strict=True)
        ),
        x=Axis(low=0.0, high=places[-1], ticks=(), grid=False),
        y=Axis(low=at[-1] + 0.5, high=first - 0.5, ticks=at, tick_labels=names, grid=False),
        title=title,
    )
    return Picture(panels=(panel,))


def cell(value: Any) -> str:
    """A value of a table as a short text.

    Examples
    --------
    >>> [cell(value) for value in (0.123456, None, True, 20, "a name")]
    ['0.1235', '-', 'yes', '20', 'a name']
    """
    if value is None:
        return "-"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    text = f"{value:.4g}" if isinstance(value, (float, np.floating)) else " ".join(str(value).split())
    return formatting.shortened(text, MOST_CHARACTERS)
