"""Forest plots: one row per estimate, its interval, and the figures beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from rocscope.bootstrap.estimates import BootstrapAuc, BootstrapEstimate, ErrorEstimates
from rocscope.core import checks, formatting
from rocscope.core.result import Estimate
from rocscope.errors import RocInputError
from rocscope.inference.compare import CurveComparison, PairDifference
from rocscope.inference.multiclass import MulticlassAuc
from rocscope.inference.point_measures import PointMeasures
from rocscope.plotting.marks import Axis, ErrorBars, Mark, Panel, Picture, Points, ReferenceLine, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: its name, its numbers (None where undefined), the text on its right, its colour's series."""

    name: str
    value: float | None
    low: float | None
    high: float | None
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
    for series in sorted({row.series for row in rows}):
        marks += _marks(rows, series)
    names = Axis(
        low=len(rows) - 0.5,
        high=-0.5,
        ticks=tuple(map(float, range(len(rows)))),
        tick_labels=tuple(row.name for row in rows),
        far_labels=tuple(row.figures for row in rows),
        grid=False,
    )
    along = Axis(label=label, low=limits[0], high=limits[1])
    return Picture(panels=(Panel(marks=tuple(marks), x=along, y=names, title=title),))


def _marks(rows: Sequence[Row], series: int) -> list[Mark]:
    """Bars and points of the rows of one colour."""
    kept = [(k, row) for k, row in enumerate(rows) if row.series == series]
    x, low, high = (_column([getattr(row, end) for _, row in kept]) for end in ("value", "low", "high"))
    y = np.array([float(k) for k, _ in kept])
    return [
        ErrorBars(x=x, y=y, x_low=low, x_high=high, role="estimate", series=series),
        Points(x=x, y=y, role="estimate", series=series),
    ]


def _column(values: Sequence[float | None]) -> Values:
    """Numbers for an axis: none where undefined, or finite and beyond what drawing libraries can scale."""
    numbers = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.where(np.isfinite(numbers) & (np.abs(numbers) > 1e300), np.nan, numbers)


# ---- Pictures of estimates: a number with its interval, or several of them --------------------------------

# The value of no information, for the estimates that have one.
REFERENCES = {"AUC": 0.5}


def estimate_picture(estimate: Estimate, *, reference: float | None = None) -> Picture:
    """Show one estimate and its interval; `reference` draws a line to compare with.

    An area is compared with chance, 0.5, unless another reference is given.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = estimate_picture(rs.auc([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9]))
    >>> shown.panels[0].x.label, shown.panels[0].y.far_labels
    ('AUC (95% interval)', ('0.889 (0.581 to 1.000)',))
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
    >>> shown = estimates([rs.auc(y, score, method=m) for m in ("delong", "logit")])
    >>> shown.panels[0].y.tick_labels
    ('AUC, delong', 'AUC, logit')
    """
    rows = list(estimates.values() if isinstance(estimates, Mapping) else estimates)
    if not rows:
        raise RocInputError("must hold at least one estimate, got none", argument="estimates")
    names = list(map(str, estimates)) if isinstance(estimates, Mapping) else _names(rows)
    kinds, intervals = {row.name for row in rows}, {_interval(row) for row in rows}
    kind = rows[0].name if len(kinds) == 1 else "Estimate"
    interval = intervals.pop() if len(intervals) == 1 else None
    return forest(
        [_row(name, row, with_level=interval is None) for name, row in zip(names, rows, strict=True)],
        label=f"{kind} ({interval or 'interval'})",
        reference=REFERENCES.get(kind) if reference is None else reference,
    )


def _names(rows: Sequence[Estimate]) -> list[str]:
    names = [row.name for row in rows]
    return [f"{row.name}, {row.method}" if names.count(row.name) > 1 else row.name for row in rows]


def _interval(row: Estimate) -> str:
    return formatting.interval_name(row.level, row.alternative)


def _row(name: str, row: Estimate, *, with_level: bool) -> Row:
    level = f", {_interval(row)}" if with_level and row.value is not None else ""
    figures = formatting.estimate_figures(row) + level
    return Row(name=name, value=row.value, low=row.low, high=row.high, figures=figures)


# ---- Picture of a comparison of curves: the differences of their areas ------------------------------------


def comparison_picture(result: CurveComparison | PairDifference) -> Picture:
    """Show the difference of every pair of areas, or of one, its interval and p-value, around a line at 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"a": [1, 2, 3, 5, 4, 6, 7, 8], "b": [1, 2, 4, 3, 2, 1, 4, 5]}
    >>> comparison_picture(rs.compare_auc(y, scores)).panels[0].y.far_labels
    ('+0.344 (-0.089 to +0.777), p = 0.12',)
    """
    if isinstance(result, PairDifference):
        return forest([_row_comparison(result, adjusted=True)], label="Difference (interval)", reference=0.0)
    rows = [_row_comparison(pair, adjusted=len(result.pairs) > 1) for pair in result.pairs]
    interval = formatting.interval_name(result.level, result.alternative)
    return forest(
        rows,
        label=f"Difference of {result.quantity} ({interval}{_margin_words(result)})",
        reference=0.0,
        margins=_margins(result),
        title=_title(result),
    )


def _row_comparison(pair: PairDifference, *, adjusted: bool) -> Row:
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
    text = formatting.with_interval(pair.difference, pair.low, pair.high, signed=True)
    if pair.p_value is not None:
        holm = (
            f" (Holm {formatting.p_value(pair.p_adjusted)})"
            if adjusted and pair.p_adjusted is not None
            else ""
        )
        text = f"{text}, p = {formatting.p_value(pair.p_value)}{holm}"
    if pair.p_equivalence is None:
        return text
    verdict = "within the margin" if pair.equivalent else "not shown within the margin"
    return f"{text}\n{verdict}, p = {formatting.p_value(pair.p_equivalence)}"


def _title(result: CurveComparison) -> str:
    subject = _subject(result)
    if result.p_value is None:
        return f"{subject}: no test, {result.reason}"
    df = "" if result.df is None else f", df = {result.df:.4g}"
    figures = f"{result.kind} = {result.statistic:.4g}{df}, p = {formatting.p_value(result.p_value)}"
    return f"{subject}: {figures}" if result.quantity == "AUC" else f"{subject}:\n{figures}"


def _subject(result: CurveComparison) -> str:
    """What the test speaks about: areas, other values, or whole curves."""
    if result.kind == "E":
        return "Equal curves (not areas)"
    if result.hypothesis.startswith("every contrast"):
        return formatting.sentence(result.hypothesis)
    return "Equal areas" if result.quantity == "AUC" else f"Equal {result.quantity}"


# ---- Picture of a multi-class area: its parts, and their average ------------------------------------------

AGAINST = {"ovo": "Pairs of classes", "ovr": "Each class against the rest"}


def multiclass_picture(result: MulticlassAuc) -> Picture:
    """Show the area of every pair or class, and below them the average.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = ["a", "a", "b", "b", "b", "c", "c"]
    >>> p = [[8, 1, 1], [4, 5, 1], [5, 4, 1], [1, 8, 1], [2, 6, 2], [1, 1, 8], [2, 3, 5]]
    >>> multiclass_picture(rs.multiclass_auc(y, p, classes=["a", "b", "c"])).panels[0].y.tick_labels
    ('a - b', 'a - c', 'b - c', 'Macro average')
    """
    rows = [_row_multiclass(row.label, row) for row in result.rows]
    rows.append(_row_multiclass(f"{result.average.capitalize()} average", result, series=1))
    interval = formatting.interval_name(result.level, result.alternative)
    return forest(rows, label=f"AUC ({interval})", reference=0.5, title=_title_multiclass(result))


def _row_multiclass(name: str, row: Estimate, series: int = 0) -> Row:
    figures = formatting.estimate_figures(row)
    return Row(name=name, value=row.value, low=row.low, high=row.high, figures=figures, series=series)


def _title_multiclass(result: MulticlassAuc) -> str:
    told = AGAINST[result.scheme]
    return told if result.value is not None else f"{told}: no average, {result.reason}"


# ---- Picture of one operating point: its measures below each other ----------------------------------------

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
# Numbers that may lie far outside of 0 to 1: they are told, not drawn.
TOLD = {
    "lr_pos": "Likelihood ratio +",
    "lr_neg": "Likelihood ratio -",
    "net_benefit": "Net benefit",
    "expected_cost": "Expected cost",
}


def point_measures_picture(result: PointMeasures, *, name: str = "score") -> Picture:
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
    >>> found = rs.point_measures([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9], threshold=0.5)
    >>> shown = point_measures_picture(found)
    >>> shown.panels[0].y.tick_labels[:2], shown.panels[0].y.far_labels[0]
    (('Sensitivity (TPR)', 'Specificity (1 - FPR)'), '0.667 (0.208 to 0.939)')
    """
    found = result.estimates
    rows = [_row_point_measures(NAMES[key], found[key], drawn=True) for key in NAMES]
    rows += [
        _row_point_measures(TOLD[key], found[key], drawn=False) for key in TOLD if _has_figures(found[key])
    ]
    first = result.sensitivity
    interval = formatting.interval_name(first.level, first.alternative)
    ends = [end for row in rows for end in (row.value, row.low) if end is not None]
    return forest(
        rows,
        label=f"Value ({interval})",
        reference=None,
        title=_title_point_measures(result, name),
        limits=(min(-0.02, *ends), 1.02),
    )


def _has_figures(estimate: Estimate) -> bool:
    return estimate.value is not None or estimate.low is not None


def _row_point_measures(name: str, estimate: Estimate, *, drawn: bool) -> Row:
    figures = formatting.estimate_figures(estimate)
    if not drawn or estimate.value is None:
        return Row(name=name, value=None, low=None, high=None, figures=figures)
    return Row(name=name, value=estimate.value, low=estimate.low, high=estimate.high, figures=figures)


def _title_point_measures(result: PointMeasures, name: str) -> str:
    counts = f"TP {result.tp}, FP {result.fp}, FN {result.fn}, TN {result.tn}"
    chosen = ", chosen on these cases" if result.chosen else ""
    return f"{result.pos_label} where {name} >= {formatting.threshold(result.threshold)}{chosen}\n{counts}"


# ---- Pictures of bootstrap estimates: one row for each ----------------------------------------------------

Show: TypeAlias = Literal["auc", "error", "loss", "all"]
SHOWN = ("auc", "error", "loss", "all")
# Colours: what the bootstrap says, what is known to be too good, what stands there for comparison.
SERIES = {"apparent": 1, "kfold": 2, "leave_one_out": 2}


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
    >>> found = rs.bootstrap_auc(GaussianNB(), X, y, n_boot=20, rng=1)
    >>> bootstrap_picture(found).panels[0].y.tick_labels[:3]
    ('Apparent', 'Leave-pair-out', 'AUC(*)')
    >>> [panel.title for panel in bootstrap_picture(found, show="all").panels]
    ['AUC: 8 positives, 8 negatives, 20 replicates', 'Error rate']
    """
    checks.check_choice(show, SHOWN, name="show")
    if isinstance(result, ErrorEstimates):
        is_loss = result.apparent.name.endswith("expected loss")
        return Picture(panels=(_errors(result, "Expected loss" if is_loss else "Error rate"),))
    head = f"AUC: {result.n_pos} positives, {result.n_neg} negatives, {result.n_boot} replicates"
    panels = {
        "auc": _panel(result.estimates(), "AUC", head, reference=0.5),
        "error": _errors(result.error, "Error rate"),
        "loss": _errors(result.loss, "Expected loss"),
    }
    if show == "all":
        repeated = result.loss == result.error
        return Picture(panels=tuple(p for name, p in panels.items() if name != "loss" or not repeated))
    return Picture(panels=(panels[show],))


def _errors(family: ErrorEstimates, title: str) -> Panel:
    """The line is the error where nothing is known."""
    return _panel(family.estimates(), title, title, reference=family.gamma)


def _panel(
    estimates: Mapping[str, BootstrapEstimate], what: str, title: str, *, reference: float | None
) -> Panel:
    rows = [_row_bootstrap(key, estimate) for key, estimate in estimates.items()]
    level = next(iter(estimates.values())).level
    label = f"{what} ({formatting.interval_name(level, 'two-sided')})"
    return forest(rows, label=label, reference=reference, title=title).panels[0]


def _row_bootstrap(key: str, estimate: BootstrapEstimate) -> Row:
    return Row(
        name=_name(estimate.name),
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        figures=formatting.estimate_figures(estimate),
        series=SERIES.get(key, 0),
    )


def _name(name: str) -> str:
    """Name of the estimate without what all rows of a panel have in common."""
    for what in (" AUC", " error rate", " expected loss"):
        name = name.removesuffix(what)
    return formatting.sentence(name)
