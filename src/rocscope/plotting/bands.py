"""Pictures of bands: a curve with its intervals, on ROC axes where it is a ROC curve; and of a cut-off."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from rocscope.core import checks, formatting
from rocscope.core import measures as core_measures
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError
from rocscope.inference import (
    bands,
    calibration,
    calibration_comparison,
    criterion_table,
    cutpoint,
    decision_curve,
    grey_zone,
    precision_recall,
)
from rocscope.plotting import layout
from rocscope.plotting.forest import difference_forests, forest, mean_row
from rocscope.plotting.marks import Axis, Bars, ErrorBars, Line, Mark, Panel, Picture, Points, ReferenceLine
from rocscope.plotting.marks import Band as BandMark

FEW_PLACES = 12  # so few places are points with bars; more are a line with a band
SHOWN_CROSSES = 14  # so many points of a long curve have bars at thresholds
NAMED_POINTS = 6  # so many points are named by their thresholds
# What is drawn below a net benefit of 0, as a share of what is above: losses grow without end.
BELOW = 0.15
COUNTS_HEIGHT = 0.18  # of the longest bar of counts below a reliability curve
MEASURES = {"tpr": "TPR", "fpr": "FPR", "youden": "Youden's index", "cost": "Cost"}


def band_picture(
    band: bands.Band,
    *,
    name: str | None = None,
    curve: RocCurve | None = None,
    estimate: Estimate | None = None,
    points: Iterable[int] = (),
) -> Picture:
    """Show a curve with its band.

    Parameters
    ----------
    band
        The band. At fixed FPR it is shaded, at fixed TPR it has two outlines; at thresholds the points have
        bars in both directions, or two outlines where the band is simultaneous.
    name
        Name of the classifier in the legend.
    curve
        The ROC curve behind a ROC band, to be drawn through all its vertices.
    estimate
        The area with its interval, for the legend; it needs the curve.
    points
        Indices of vertices of the curve, as `select` returns them, to mark with threshold and rates.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, s = [0, 0, 0, 0, 1, 1, 1, 1], [0.1, 0.3, 0.4, 0.6, 0.5, 0.7, 0.8, 0.9]
    >>> drawn = band_picture(rs.roc_band(y, s), name="test")
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Chance (AUC = 0.5)', '95% pointwise intervals (fiducial)', 'test']
    """
    if not isinstance(band, bands.RocBand):
        for argument, value in (("curve", curve), ("estimate", estimate)):
            if value is not None:
                required = "must be left out for a band that is not of a ROC curve"
                raise RocInputError(required, argument=argument)
        panel = Panel(
            marks=(shaded(band), Line(x=band.x, y=band.mean, role="curve", label=name or band.name)),
            x=Axis(label=formatting.sentence(band.x_label)),
            y=Axis(label=formatting.sentence(band.y_label)),
            legend="below",
        )
        return Picture(panels=(panel,))
    marked = list(points)
    at_thresholds, few = band.x_label == "threshold", len(band) <= FEW_PLACES
    order = np.argsort(band.fpr + band.mean, kind="stable")
    marks = [layout.chance_line(), *roc_band_marks(band)]
    if curve is not None:
        area = formatting.area(curve.auc, estimate)
        label = area if name is None else f"{name} ({area})"
        marks.append(layout.curve_line(curve.fpr, curve.tpr, label=label, thresholds=curve.thresholds))
    elif not few:
        x, y = (np.concatenate([[0.0], rates[order]]) for rates in (band.fpr, band.mean))  # from (0, 0)
        marks.append(layout.curve_line(x, y, label=name or band.name))
    if few:
        marks.append(Points(x=band.fpr, y=band.mean, role="selected"))
    labels, boxes = list[layout.PointLabel](), list[layout.Box]()
    if curve is not None and marked:
        x, y = curve.fpr[marked], curve.tpr[marked]
        marks.append(Points(x=x, y=y, role="selected", series=1))
        labels = layout.operating_labels(curve.thresholds[marked], x, y, series=1)
    if at_thresholds and len(band) <= NAMED_POINTS:
        named = {(one.text, round(one.x, 9), round(one.y, 9)) for one in labels}
        places = layout.operating_labels(band.x, band.fpr, band.mean)
        places = [one for one in places if (one.text, round(one.x, 9), round(one.y, 9)) not in named]
        labels += places
        width = layout.GAP / 2
        rows = np.stack([band.fpr, band.mean, band.fpr_low, band.fpr_high, band.low, band.high], axis=1)
        for x, y, left, right, low, high in rows.tolist() if places else ():  # texts leave the bars free
            boxes.append(layout.box(left, y - width / 2, right - left, width))
            boxes.append(layout.box(x - width / 2, low, width, high - low))
    positive = () if curve is None else [curve.pos_label]
    return Picture(panels=(layout.roc_panel(marks, labels=labels, taken=boxes, positive=positive),))


def band_label(band: bands.Band) -> str:
    """What the shaded area is."""
    kind = "simultaneous band" if band.simultaneous else "pointwise intervals"
    return f"{band.level * 100:g}% {kind} ({band.method})"


def shaded(band: bands.Band, *, series: int = 0) -> BandMark:
    """The band as a mark; it has gaps where it is undefined."""
    label = band_label(band)
    return BandMark(x=band.x, low=band.low, high=band.high, role="band", label=label, series=series)


def shown_band(own: bands.Band | None, band: Any) -> list[Mark]:
    """The band of a result that has one, unless it is left out; or another one in its place."""
    if isinstance(band, bands.Band):
        return [shaded(band)]
    if band is not None:
        checks.check_flag(band, name="band")
        if band and own is None:
            raise RocInputError("must be left out for a curve without uncertainty, got True", argument="band")
    return [] if own is None or band is False else [shaded(own)]


def band_of_curve(curve: RocCurve, band: Any) -> bands.RocBand | None:
    """Return the band around a ROC curve: the one given; or for True a pointwise one, always the same."""
    if isinstance(band, bands.RocBand) or band is None:
        return band
    if isinstance(band, bands.Band):
        raise RocInputError("must be one of `roc_band` for a ROC curve, got another", argument="band")
    if not checks.check_flag(band, name="band"):
        return None
    pos, neg = (np.diff(counts) for counts in (curve.tp, curve.fp))
    if pos.dtype.kind == "f" or neg.dtype.kind == "f":
        raise RocInputError("must be left out for a curve of fractional weights, got True", argument="band")
    # The ranks of the scores are all that it needs.
    return bands.roc_band(ScoreTable(scores=np.arange(len(pos), 0.0, -1), pos=pos, neg=neg), rng=0)


def roc_band_marks(band: bands.RocBand, *, series: int = 0) -> list[Mark]:
    """The intervals around a ROC curve: shaded, as two outlines, or as bars through points."""
    at_thresholds, few, label = band.x_label == "threshold", len(band) <= FEW_PLACES, band_label(band)
    at_tpr = band.x_label == bands.TPR
    order = np.argsort(band.fpr + band.mean, kind="stable")
    if (at_tpr or (at_thresholds and band.simultaneous)) and not few:
        # The upper left and the lower right corners of the boxes around all points, or ends of bars along the
        # FPR.
        edges = ((band.fpr_low, band.high, label), (band.fpr_high, band.low, None))
        return [
            layout.curve_line(x[order], y[order], label=text, role="interval", series=series)
            for x, y, text in edges
        ]
    if not at_thresholds and not few:
        return [shaded(band, series=series)]
    # Bars along the TPR, and along the FPR where that is uncertain too; of many points only some.
    kept = order if few else order[layout.evenly_along((band.fpr + band.mean)[order], SHOWN_CROSSES)]
    bars = ErrorBars(
        x=band.fpr[kept],
        y=band.mean[kept],
        x_low=band.fpr_low[kept] if at_thresholds or at_tpr else None,
        x_high=band.fpr_high[kept] if at_thresholds or at_tpr else None,
        y_low=None if at_tpr else band.low[kept],
        y_high=None if at_tpr else band.high[kept],
        role="interval",
        label=label,
        series=series,
    )
    return [bars]


def criterion_picture(table: criterion_table.CriterionTable) -> Picture:
    """Show measures over the threshold: sensitivity and specificity, or else the first two.

    Examples
    --------
    >>> import rocscope as rs
    >>> drawn = criterion_picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).coords())
    >>> [mark.label for mark in drawn.panels[0].marks][1::2]
    ['Sensitivity', 'Specificity']
    """
    x = np.asarray(table.thresholds, np.float64)
    finite = np.flatnonzero(np.isfinite(x))
    order = finite[np.argsort(x[finite], kind="stable")]
    if len(order) > layout.SHOWN_VERTICES:
        order = order[np.unique(np.linspace(0, len(order) - 1, layout.SHOWN_VERTICES).astype(int))]
    known = [core_measures.ALIASES.get(name, name) for name in table.measures]
    rates = [known.index(name) for name in ("tpr", "tnr") if name in known]
    marks: list[Mark] = []
    for series, row in enumerate(rates or range(min(2, len(known)))):
        value, low, high = (cells[row][order] for cells in (table.values, table.low, table.high))
        value = np.where(np.isfinite(value), value, np.nan)
        if np.isfinite(low + high).any():
            low, high = (np.where(np.isfinite(low + high), end, np.nan) for end in (low, high))
            text = f"{table.level * 100:g}% pointwise intervals ({table.interval})"
            once = None if marks else text
            marks.append(BandMark(x=x[order], low=low, high=high, role="band", series=series, label=once))
        label = formatting.sentence(table.measures[row].replace("_", " "))
        marks.append(Line(x=x[order], y=value, role="curve", series=series, label=label))
    y = layout.rate_axis("Share of the cases of the class") if rates else Axis(label="Measure")
    panel = Panel(marks=tuple(marks), x=Axis(label="Threshold"), y=y, legend="below")
    return Picture(panels=(panel,))


def precision_recall_picture(
    result: precision_recall.PrecisionRecall,
    *,
    name: str | None = None,
    band: bool | bands.Band | None = None,
    points: Any = (),
) -> Picture:
    """Show precision over recall with its band; the line of no information is the prevalence.

    Between two thresholds the line follows the curve that is reached by mixing them, which is not straight.

    Parameters
    ----------
    result
        The curve.
    name
        Name of the classifier in the legend.
    band
        False leaves out the band; another one is drawn in its place.
    points
        Indices of vertices to mark with their thresholds.

    Examples
    --------
    >>> import rocscope as rs
    >>> curve = rs.precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], rng=1)
    >>> drawn = precision_recall_picture(curve, name="test")
    >>> [mark.label for mark in drawn.panels[0].marks][::2]
    ['No information (precision = 0.50)', 'test (AP = 0.83, 95% CI 0.17–0.99)']
    """
    # Vertices, and between them the places of the band; vertices of one recall keep their order.
    recall = np.concatenate([result.recall, result.band.x])
    order = np.argsort(recall, kind="stable")
    if len(order) > layout.SHOWN_VERTICES:
        order = order[np.unique(np.linspace(0, len(order) - 1, layout.SHOWN_VERTICES).astype(int))]
    precision = np.concatenate([result.precision, result.band.mean])
    area = formatting.estimate_text("AP", result.average_precision)
    chance = f"No information (precision = {formatting.rate(result.prevalence)})"
    marks: list[Mark] = [
        Line(x=np.array([0.0, 1.0]), y=np.full(2, result.prevalence), role="chance", label=chance),
        *shown_band(result.band, band),
        Line(
            x=recall[order],
            y=precision[order],
            role="curve",
            label=area if name is None else f"{name} ({area})",
        ),
    ]
    for k in layout.vertex_indices(points, len(result.recall)):
        x, y, cut = result.recall[k], result.precision[k], formatting.threshold(result.thresholds[k])
        label = f"threshold {cut} (recall {formatting.rate(x)}, precision {formatting.rate(y)})"
        marks.append(Points(x=np.array([x]), y=np.array([y]), role="selected", label=label))
    positive = [str(result.pos_label)]
    panel = Panel(
        marks=tuple(marks),
        x=layout.rate_axis("Recall (sensitivity)", positive),
        y=layout.rate_axis("Precision (positive predictive value)", positive),
        equal_aspect=True,
    )
    return Picture(panels=(layout.with_legend(panel, ("lower left", "upper right")),))


def decision_curve_picture(
    result: decision_curve.DecisionCurve, *, name: str | None = None, band: bool | bands.Band | None = None
) -> Picture:
    """Show the net benefit with its intervals, beside treating all and treating none.

    Parameters
    ----------
    result
        The decision curve.
    name
        Name of the classifier in the legend.
    band
        False leaves out the intervals; others are drawn in their place.

    Examples
    --------
    >>> import rocscope as rs
    >>> benefit = rs.net_benefit([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.9])
    >>> drawn = decision_curve_picture(benefit, name="model")
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Treat none', 'Treat all', '95% pointwise intervals (mover-wilson)', 'model']
    """
    own = result.band
    order = np.argsort(own.x, kind="stable")
    x = own.x[order]
    marks: list[Mark] = [
        Line(x=x, y=result.treat_none[order], role="chance", label="Treat none"),
        Line(x=x, y=result.treat_all[order], role="reference", label="Treat all"),
        *shown_band(own, band),
        Line(x=x, y=own.mean[order], role="curve", label=name or "Acting on the scores"),
    ]
    top = 1.05 * max(float(np.nanmax(values)) for values in (own.high, result.treat_all, own.mean))
    label = f"Net benefit (per case, prevalence {result.prevalence:.3g})"
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Threshold probability", low=0.0, high=float(x[-1]) if len(x) > 1 else 1.0),
        y=Axis(label=label, low=-BELOW * top, high=top),
    )
    return Picture(panels=(layout.with_legend(panel, ("upper right",)),))


def decision_curves_picture(
    result: decision_curve.DecisionCurves, *, band: bool = False, avoided: bool = False
) -> Picture:
    """Show the net benefit of several models, beside treating all and treating none.

    Parameters
    ----------
    result
        The decision curves.
    band
        True draws the intervals of every model.
    avoided
        True shows net interventions avoided per 100 patients in place of the net benefit.

    Examples
    --------
    >>> import rocscope as rs
    >>> scores = {"a": [0.1, 0.2, 0.6, 0.4, 0.9], "b": [0.2, 0.3, 0.1, 0.4, 0.5]}
    >>> drawn = decision_curves_picture(rs.net_benefit([0, 0, 0, 1, 1], scores))
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Treat none', 'Treat all', 'a', 'b']
    """
    first = next(iter(result.curves.values()))
    benefits = {name: curve.band for name, curve in result.curves.items()}
    own = result.interventions_avoided() if avoided else benefits
    order = np.argsort(first.band.x, kind="stable")
    x = first.band.x[order]
    all_, label = np.zeros_like(x), "Net interventions avoided per 100"
    marks: list[Mark] = []
    if not avoided:
        all_ = first.treat_all[order]
        label = f"Net benefit (per case, prevalence {first.prevalence:.3g})"
        marks.append(Line(x=x, y=first.treat_none[order], role="chance", label="Treat none"))
    marks.append(Line(x=x, y=all_, role="reference", label="Treat all"))
    for series, (name, one) in enumerate(own.items()):
        if band:
            marks.append(replace(shaded(one, series=series), label=None))
        marks.append(Line(x=x, y=one.mean[order], role="curve", label=name, series=series))
    ends = [part for one in own.values() for part in ((one.high, one.mean) if band else (one.mean,))]
    top = 1.05 * max(float(np.nanmax(values, initial=0.0)) for values in (all_, *ends)) or 1.0
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Threshold probability", low=0.0, high=float(x[-1]) if len(x) > 1 else 1.0),
        y=Axis(label=label, low=-BELOW * top, high=top),
    )
    return Picture(panels=(layout.with_legend(panel, ("upper left" if avoided else "upper right",)),))


def calibration_picture(result: calibration.Calibration, *, name: str | None = None) -> Picture:
    """Show the reliability curve with its consistency band, the bins with their intervals, and counts below.

    Parameters
    ----------
    result
        The calibration.
    name
        Name of the classifier in the legend.

    Examples
    --------
    >>> import rocscope as rs
    >>> found = rs.calibration([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9], bins=2, rng=1)
    >>> drawn = calibration_picture(found, name="model")
    >>> [mark.label for mark in drawn.panels[0].marks][:3]
    ['Calibrated', '95% consistency band (calibrated probabilities)', 'model']
    """
    columns = {key: np.asarray(values, np.float64) for key, values in result.columns().items()}
    percent = f"{result.level * 100:g}%"
    most = int(result.histogram.max())
    edges = np.linspace(0, 1, len(result.histogram) + 1)
    marks: list[Mark] = [
        layout.chance_line("Calibrated"),
        BandMark(
            x=result.band_x,
            low=result.band_low,
            high=result.band_high,
            role="band",
            label=f"{percent} consistency band (calibrated probabilities)",
        ),
        layout.curve_line(result.x, result.recalibrated, label=name or "Reliability curve (isotonic)"),
        ErrorBars(
            x=columns["predicted"],
            y=columns["observed"],
            y_low=columns["low"],
            y_high=columns["high"],
            role="interval",
            series=1,
            label=f"{formatting.counted(len(result.bins), 'bin')} with {percent} intervals (wilson)",
        ),
        Points(x=columns["predicted"], y=columns["observed"], role="point", series=1),
        Bars(
            low=edges[:-1],
            high=edges[1:],
            length=-COUNTS_HEIGHT * result.histogram / most,
            role="count",
            label=f"Cases (longest bar: {most})",
        ),
    ]
    positive = [str(result.pos_label)]
    y = layout.rate_axis("Share of positives", positive)
    panel = Panel(
        marks=tuple(marks),
        x=layout.rate_axis("Predicted probability", positive),
        y=replace(y, low=-COUNTS_HEIGHT - 0.02),
        legend="below",
    )
    return Picture(panels=(panel,))


def calibration_comparison_picture(
    result: calibration_comparison.CalibrationComparison | calibration_comparison.CalibrationDifference,
) -> Picture:
    """Show the difference of every measure of two models, its interval and p-value, around a line at 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> y, a, b = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9], [0.3, 0.4, 0.5, 0.5, 0.6, 0.4]
    >>> drawn = calibration_comparison_picture(rs.compare_calibration(y, {"a": a, "b": b}, rng=1))
    >>> drawn.panels[0].title, drawn.panels[0].y.tick_labels
    ('a - b', ('Brier score', 'Log score', 'Miscalibration'))
    """
    return difference_forests(
        result, name=lambda one: formatting.sentence(one.measure), note="; below 0 the first is better"
    )


def cutpoint_picture(result: cutpoint.CutPoint | cutpoint.Optimism, *, name: str = "score") -> Picture:
    """Show how often each threshold was selected, the one selected on all cases, and its interval.

    The title has the measures at the point, and their values on cases left out of the selection.

    Parameters
    ----------
    result
        The selected threshold; or one measure at it, on the cases that selected it and on those left out.
    name
        Name of the score.

    Examples
    --------
    >>> import rocscope as rs
    >>> drawn = cutpoint_picture(rs.cutpoint([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], rng=1))
    >>> drawn.panels[0].marks[-1].label
    'Chosen on all cases: 5'
    """
    if isinstance(result, cutpoint.Optimism):
        rows = [
            mean_row("On the cases that chose it", result.apparent, None),
            mean_row("On cases left out", result.out_of_bag, result.sd),
        ]
        label = f"{MEASURES.get(result.name, result.name)} (plus and minus a standard deviation)"
        return forest(rows, label=label, reference=None)
    finite = np.isfinite(result.choices.astype(np.float64))
    x, share = result.choices[finite].astype(np.float64), result.share[finite]
    threshold, top = np.array([float(result.threshold)]), float(share.max(initial=0.0)) or 1.0
    label = "Chosen by bootstrap samples"
    marks: list[Mark] = [
        ErrorBars(x=x, y=share, y_low=np.zeros_like(share), y_high=share, role="estimate", label=label)
    ]
    if result.low is not None:
        figures = formatting.digits_apart(result.low, result.high, least=4, form="g")
        low, high = (formatting.threshold(end, figures=figures) for end in (result.low, result.high))
        interval = ErrorBars(
            x=threshold,
            y=np.array([1.08 * top]),
            x_low=np.array([float(result.low)]),
            x_high=np.array([float(result.high)]),
            role="selected",
            series=1,
            label=f"{formatting.interval_name(result.level, 'two-sided')} {formatting.span(low, high)}",
        )
        marks.append(interval)
    if np.isfinite(threshold[0]):
        label = f"Chosen on all cases: {formatting.threshold(result.threshold)}"
        marks.append(ReferenceLine(axis="x", at=float(threshold[0]), role="reference", label=label))
    outside = float(result.share[~finite].sum())  # of thresholds that cannot be drawn
    beyond = f"\n(infinite in {outside * 100:.2g}% of the samples)" if outside else ""
    title = [
        f"{MEASURES[row.name]} {row.apparent:.3f}"
        + ("" if row.out_of_bag is None else f", on cases left out {row.out_of_bag:.3f}")
        for row in result.measures
        if row.apparent is not None
    ]
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label=f"Threshold of {name}{beyond}"),
        y=Axis(label="Share of the samples", low=0.0, high=1.18 * top),
        title="\n".join(title),
        legend="below",
    )
    return Picture(panels=(panel,))


def grey_zone_picture(result: grey_zone.GreyZone, *, name: str = "score") -> Picture:
    """Show sensitivity and specificity over the thresholds, the two cut-offs, and the zone between them.

    Parameters
    ----------
    result
        The two cut-offs.
    name
        Name of the score.

    Examples
    --------
    >>> import rocscope as rs
    >>> zone = rs.grey_zone([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], sensitivity=0.9, specificity=0.9, rng=1)
    >>> [mark.label for mark in grey_zone_picture(zone).panels[0].marks][:3]
    ['Undecided: 33.3% of all cases', 'Sensitivity', 'Specificity']
    """
    curve = result.curve
    thresholds = curve.thresholds.astype(np.float64)
    finite = np.isfinite(thresholds)
    order = np.flatnonzero(finite)[:: 1 if curve.direction == "lower" else -1]  # along the axis
    x, sensitivity, specificity = thresholds[order], curve.tpr[order], 1 - curve.fpr[order]
    ends = (float(x.min()), float(x.max())) if x.size else (0.0, 1.0)
    cuts = [float(np.clip(float(cut), *ends)) for cut in (result.rule_out, result.rule_in)]
    marks: list[Mark] = []
    if result.single is None:
        label = f"Undecided: {formatting.percentage(result.undecided.value)} of all cases"
        whole = {"low": np.zeros(2), "high": np.ones(2)}
        marks.append(BandMark(x=np.sort(np.array(cuts)), **whole, role="band", series=2, label=label))
    for values, label, series in ((sensitivity, "Sensitivity", 0), (specificity, "Specificity", 1)):
        line = layout.thinned(x, values)
        marks.append(Line(x=line[0], y=line[1], role="curve", series=series, label=label))
    side = "below" if curve.direction == "higher" else "above"
    rows = [
        (
            f"Negative {side}",
            result.rule_out,
            (result.rule_out_low, result.rule_out_high),
            result.sensitivity,
            0,
        ),
        ("Positive from", result.rule_in, (result.rule_in_low, result.rule_in_high), result.specificity, 1),
    ]
    if result.single is not None:
        rows = [("One cut-off for both:", result.single, (None, None), result.sensitivity, 0)]
    for text, cut, (low, high), rate, series in rows:
        if not np.isfinite(float(cut)):
            continue
        label = f"{text} {formatting.threshold(cut)}"
        if low is not None:
            label += f" ({formatting.threshold(low)} to {formatting.threshold(high)})"
        at, reached = np.array([float(cut)]), np.array([rate.value], np.float64)
        if low is not None:
            left, right = np.array([float(low)]), np.array([float(high)])
            marks.append(ErrorBars(x=at, y=reached, x_low=left, x_high=right, role="interval", series=series))
        marks.append(ReferenceLine(axis="x", at=float(cut), role="interval", series=series))
        marks.append(Points(x=at, y=reached, role="selected", series=series, label=label))
    for bound in dict.fromkeys((result.required_sensitivity, result.required_specificity)):
        marks.append(ReferenceLine(axis="y", at=bound, role="reference"))
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label=f"Threshold of {name}"),
        y=Axis(label="Rate", low=-0.02, high=1.02),
        title=f"Rule out: sensitivity {result.required_sensitivity:g}; rule in: specificity "
        f"{result.required_specificity:g}",
        legend="below",
    )
    return Picture(panels=(panel,))
