"""Pictures of bands: a curve with its intervals, in ROC space where it is a ROC curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocscope.core import formatting
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.errors import RocInputError
from rocscope.inference.bands import Band, RocBand
from rocscope.inference.cutpoint import CutPoint, Optimism
from rocscope.inference.decision_curve import DecisionCurve
from rocscope.inference.precision_recall import PrecisionRecall
from rocscope.plotting import layout
from rocscope.plotting.forest import Row, forest
from rocscope.plotting.layout import (
    CHANCE_LINE,
    SHOWN_VERTICES,
    Outline,
    PointLabel,
    evenly_along,
    point_texts,
    rate_axis,
    roc_picture,
    thinned,
)
from rocscope.plotting.marks import Axis, ErrorBars, Line, Mark, Panel, Picture, Points, ReferenceLine
from rocscope.plotting.marks import Band as BandMark

# So few places are points with bars; more are a line with a band.
FEW_PLACES = 12
# So many points of a long curve carry bars at thresholds.
SHOWN_CROSSES = 14
# So many points are named by their thresholds.
NAMED_POINTS = 6


def band_picture(
    band: Band,
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
        The band. At fixed FPR it is shaded; at thresholds the points have bars in both directions, or two
        outlines where the band is simultaneous.
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
    >>> shown = band_picture(rs.roc_band(y, s, rng=1), name="test")
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Chance (AUC = 0.5)', '95% pointwise intervals (bootstrap)', 'test']
    """
    if isinstance(band, RocBand):
        return _roc(band, name, curve, estimate, list(points))
    if curve is not None or estimate is not None:
        raise RocInputError("curve and estimate must be left out for a band that is not of a ROC curve")
    return _plain(band, name)


def band_label(band: Band) -> str:
    """What the shaded area is."""
    kind = "simultaneous band" if band.simultaneous else "pointwise intervals"
    return f"{band.level * 100:g}% {kind} ({band.method})"


def shaded(band: Band, series: int = 0) -> BandMark:
    """The band as a mark; it has gaps where it is undefined."""
    return BandMark(
        x=band.x, low=band.low, high=band.high, role="band", label=band_label(band), series=series
    )


def _plain(band: Band, name: str | None) -> Picture:
    line = Line(x=band.x, y=band.mean, role="curve", label=name or band.name)
    panel = Panel(
        marks=(shaded(band), line),
        x=Axis(label=formatting.sentence(band.x_label)),
        y=Axis(label=formatting.sentence(band.y_label)),
        legend="below",
    )
    return Picture(panels=(panel,))


def _roc(
    band: RocBand,
    name: str | None,
    curve: RocCurve | None,
    estimate: Estimate | None,
    points: list[int],
) -> Picture:
    at_thresholds = band.x_label == "threshold"
    few = len(band) <= FEW_PLACES
    lines = [] if few and curve is None else [_line(band, name, curve, estimate)]
    outlines: list[Outline] = [(line.x, line.y) for line in lines]
    if at_thresholds and band.simultaneous and not few:
        spread: list[Mark] = _outlines(band)
        outlines += [(mark.x, mark.y) for mark in spread if isinstance(mark, Line)]
    elif at_thresholds or few:
        spread = [_bars(band, at_thresholds)]
    else:
        spread = [shaded(band)]
        outlines += [_drawn(band.x, band.low), _drawn(band.x, band.high)]
    outlines = [outline for outline in outlines if len(outline[0])]  # one case in a class: no interval
    marks = [CHANCE_LINE, *spread, *lines]
    legend, taken = layout.place_legend(outlines, [m.label for m in marks if m.label])
    chosen = [] if curve is None else _selected(curve, points)
    places = _places(band, chosen) if few and at_thresholds else []
    boxes = [*taken, *_bar_boxes(band)] if places else taken
    marks += [Points(x=band.fpr, y=band.mean, role="selected")] if few else []
    marks += [_dots(chosen)] if chosen else []
    marks += point_texts([*chosen, *places], outlines, boxes)
    return roc_picture(marks, positive=() if curve is None else [curve.pos_label], legend=legend)


def _line(band: RocBand, name: str | None, curve: RocCurve | None, estimate: Estimate | None) -> Line:
    """The curve itself, or the line through the places of the band."""
    if curve is not None:
        area = formatting.area(curve.auc, estimate)
        x, y = thinned(curve.fpr, curve.tpr)
        return Line(x=x, y=y, role="curve", label=area if name is None else f"{name} ({area})")
    order = np.argsort(band.fpr + band.mean, kind="stable")
    x, y = (
        np.concatenate([[0.0], rates[order]]) for rates in (band.fpr, band.mean)
    )  # every curve has (0, 0)
    x, y = thinned(x, y)
    return Line(x=x, y=y, role="curve", label=name or band.name)


def _drawn(x: Any, y: Any) -> Outline:
    kept = ~np.isnan(y)
    return x[kept], y[kept]


def _outlines(band: RocBand) -> list[Mark]:
    """The upper left and the lower right corners of the boxes around all points."""
    order = np.argsort(band.fpr + band.mean, kind="stable")
    upper = thinned(band.fpr_low[order], band.high[order])
    lower = thinned(band.fpr_high[order], band.low[order])
    return [
        Line(x=upper[0], y=upper[1], role="interval", label=band_label(band)),
        Line(x=lower[0], y=lower[1], role="interval"),
    ]


def _bars(band: RocBand, at_thresholds: bool) -> Mark:
    """Bars along the TPR, and along the FPR where that is uncertain too; of many points only some."""
    order = np.argsort(band.fpr + band.mean, kind="stable")
    along = (band.fpr + band.mean)[order]
    kept = order[evenly_along(along, SHOWN_CROSSES)] if len(band) > FEW_PLACES else order
    return ErrorBars(
        x=band.fpr[kept],
        y=band.mean[kept],
        x_low=band.fpr_low[kept] if at_thresholds else None,
        x_high=band.fpr_high[kept] if at_thresholds else None,
        y_low=band.low[kept],
        y_high=band.high[kept],
        role="interval",
        label=band_label(band),
    )


def _places(band: RocBand, chosen: list[PointLabel]) -> list[PointLabel]:
    """Names of the points of a band at few thresholds, but for those that are named already."""
    if len(band) > NAMED_POINTS:
        return []
    rows = zip(band.x.tolist(), band.fpr.tolist(), band.mean.tolist(), strict=True)
    labels = [PointLabel(fpr, tpr, formatting.operating_point(t, fpr, tpr)) for t, fpr, tpr in rows]
    told = {(one.text, round(one.x, 9), round(one.y, 9)) for one in chosen}
    return [one for one in labels if (one.text, round(one.x, 9), round(one.y, 9)) not in told]


def _selected(curve: RocCurve, points: list[int]) -> list[PointLabel]:
    x, y, cuts = curve.fpr[points], curve.tpr[points], curve.thresholds[points]
    rows = zip(cuts.tolist(), x.tolist(), y.tolist(), strict=True)
    return [PointLabel(fpr, tpr, formatting.operating_point(t, fpr, tpr), 1) for t, fpr, tpr in rows]


def _dots(labels: list[PointLabel]) -> Points:
    x, y = (np.array([getattr(one, name) for one in labels]) for name in ("x", "y"))
    return Points(x=x, y=y, role="selected", series=1)


def _bar_boxes(band: RocBand) -> list[layout.Box]:
    """The places of the bars, which a text should leave free."""
    width = layout.GAP / 2
    rows = np.stack([band.fpr, band.mean, band.fpr_low, band.fpr_high, band.low, band.high], axis=1)
    boxes = []
    for x, y, left, right, low, high in rows.tolist():
        boxes.append(layout.box(left, y - width / 2, right - left, width))
        boxes.append(layout.box(x - width / 2, low, width, high - low))
    return boxes


# ---- Picture of a precision-recall curve ------------------------------------------------------------------

SHORT = "AP"


def precision_recall_picture(result: PrecisionRecall, *, name: str | None = None) -> Picture:
    """Show precision over recall with its band; the line of no information is the share of positives.

    Between two thresholds the line follows the curve that is reached by mixing them, which is not straight.

    Parameters
    ----------
    result
        The curve.
    name
        Name of the classifier in the legend.

    Examples
    --------
    >>> import rocscope as rs
    >>> curve = rs.precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], rng=1)
    >>> shown = precision_recall_picture(curve, name="test")
    >>> [mark.label for mark in shown.panels[0].marks][::2]
    ['No information (precision = 0.50)', 'test (AP = 0.83, 95% CI 0.40-1.00)']
    """
    x, y = _line_precision_recall(result)
    area = formatting.estimate_text(SHORT, result.average_precision)
    share = np.array([result.prevalence, result.prevalence])
    chance = f"No information (precision = {formatting.rate(result.prevalence)})"
    marks: list[Mark] = [
        Line(x=np.array([0.0, 1.0]), y=share, role="chance", label=chance),
        shaded(result.band),
        Line(x=x, y=y, role="curve", label=area if name is None else f"{name} ({area})"),
    ]
    seen = [(x, y), (np.array([0.0, 1.0]), share), *_edges(result)]
    legend = layout.free_corner(
        seen, [mark.label for mark in marks if mark.label], corners=("lower left", "upper right")
    )
    positive = [str(result.pos_label)]
    panel = Panel(
        marks=tuple(marks),
        x=rate_axis("Recall (sensitivity)", positive),
        y=rate_axis("Precision (positive predictive value)", positive),
        equal_aspect=True,
        legend=legend,
    )
    return Picture(panels=(panel,))


def _line_precision_recall(result: PrecisionRecall) -> Outline:
    """Vertices, and between them the places of the band; a long curve is thinned."""
    recall = np.concatenate([result.recall, result.band.x])
    precision = np.concatenate([result.precision, result.band.mean])
    order = np.argsort(recall, kind="stable")  # vertices of one recall keep their order
    x, y = recall[order], precision[order]
    if len(x) > SHOWN_VERTICES:
        kept = np.unique(np.linspace(0, len(x) - 1, SHOWN_VERTICES).astype(int))
        x, y = x[kept], y[kept]
    return x, y


def _edges(result: PrecisionRecall) -> list[Outline]:
    band, kept = result.band, result.band.defined
    return [(band.x[kept], edge[kept]) for edge in (band.low, band.high) if kept.any()]


# ---- Picture of a decision curve: the net benefit over threshold probabilities ----------------------------

# What is shown below a net benefit of 0, as a share of what is above: losses grow without end.
BELOW = 0.15


def decision_curve_picture(result: DecisionCurve, *, name: str | None = None) -> Picture:
    """Show the net benefit with its intervals, beside treating all and treating none.

    Parameters
    ----------
    result
        The decision curve.
    name
        Name of the classifier in the legend.

    Examples
    --------
    >>> import rocscope as rs
    >>> benefit = rs.net_benefit([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.9])
    >>> shown = decision_curve_picture(benefit, name="model")
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Treat none', 'Treat all', '95% pointwise intervals (mover-wilson)', 'model']
    """
    band = result.band
    order = np.argsort(band.x, kind="stable")
    x = band.x[order]
    lines = [
        Line(x=x, y=result.treat_none[order], role="chance", label="Treat none"),
        Line(x=x, y=result.treat_all[order], role="reference", label="Treat all"),
        Line(x=x, y=band.mean[order], role="curve", label=name or "Acting on the scores"),
    ]
    marks: list[Mark] = [*lines[:2], shaded(band), lines[2]]
    top = 1.05 * max(float(np.nanmax(values)) for values in (band.high, result.treat_all, band.mean))
    low, high = -BELOW * top, top
    seen = [(line.x, ((line.y - low) / (high - low)).clip(0, 1)) for line in lines]
    seen.append((x, ((band.high[order] - low) / (high - low)).clip(0, 1)))
    legend = layout.free_corner(
        seen, [mark.label for mark in marks if mark.label], corners=("upper right",), size=layout.WIDE
    )
    label = f"Net benefit (per case, prevalence {result.prevalence:.3g})"
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Threshold probability", low=0.0, high=float(x[-1]) if len(x) > 1 else 1.0),
        y=Axis(label=label, low=low, high=high),
        legend=legend,
    )
    return Picture(panels=(panel,))


# ---- Picture of a chosen threshold: where the bootstrap samples put it ------------------------------------

SHOWN = {"tpr": "TPR", "fpr": "FPR", "youden": "Youden's index", "cost": "Cost"}


def cutpoint_picture(result: CutPoint | Optimism, *, name: str = "score") -> Picture:
    """Show how often each threshold was chosen, the one chosen on all cases, and its interval.

    The title tells the measures at the point, and what they are worth on cases left out of the choice.

    Parameters
    ----------
    result
        The chosen threshold; or one measure at it, on the cases that chose it and on those left out.
    name
        Name of the score.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = cutpoint_picture(rs.cutpoint([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], rng=1))
    >>> shown.panels[0].marks[-1].label
    'Chosen on all cases: 5'
    """
    if isinstance(result, Optimism):
        return _measure(result)
    finite = np.isfinite(result.choices.astype(np.float64))
    x, share = result.choices[finite].astype(np.float64), result.share[finite]
    top = float(share.max(initial=0.0)) or 1.0
    marks: list[Mark] = [
        ErrorBars(
            x=x,
            y=share,
            y_low=np.zeros_like(share),
            y_high=share,
            role="estimate",
            label="Chosen by bootstrap samples",
        )
    ]
    marks += _interval(result, 1.08 * top)
    if np.isfinite(float(result.threshold)):
        label = f"Chosen on all cases: {formatting.threshold(result.threshold)}"
        marks.append(ReferenceLine(axis="x", at=float(result.threshold), role="reference", label=label))
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label=f"Threshold of {name}" + _beyond(result, finite)),
        y=Axis(label="Share of the samples", low=0.0, high=1.18 * top),
        title=_title(result),
        legend="below",
    )
    return Picture(panels=(panel,))


def _measure(row: Optimism) -> Picture:
    kinds = {
        "On the cases that chose it": (row.apparent, None),
        "On cases left out": (row.out_of_bag, row.sd),
    }
    rows = [_value_row(kind, value, sd) for kind, (value, sd) in kinds.items()]
    return forest(
        rows, label=f"{SHOWN.get(row.name, row.name)} (plus and minus a standard deviation)", reference=None
    )


def _value_row(kind: str, value: float | None, sd: float | None) -> Row:
    if value is None:
        return Row(name=kind, value=None, low=None, high=None, figures="undefined")
    if sd is None:
        return Row(name=kind, value=value, low=None, high=None, figures=f"{value:.3f}")
    return Row(name=kind, value=value, low=value - sd, high=value + sd, figures=f"{value:.3f} (SD {sd:.3f})")


def _interval(result: CutPoint, height: float) -> list[Mark]:
    if result.low is None:
        return []
    figures = formatting.digits_apart(result.low, result.high, least=4, form="g")
    ends = [formatting.threshold(end, figures=figures) for end in (result.low, result.high)]
    one = np.array([float(result.threshold)])
    return [
        ErrorBars(
            x=one,
            y=np.array([height]),
            x_low=np.array([float(result.low)]),
            x_high=np.array([float(result.high)]),
            role="selected",
            series=1,
            label=f"{result.level * 100:g}% interval {ends[0]} to {ends[1]}",
        )
    ]


def _beyond(result: CutPoint, finite: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> str:
    """Say how often a threshold that cannot be shown was chosen."""
    outside = float(result.share[~finite].sum())
    return f"\n(infinite in {outside * 100:.2g}% of the samples)" if outside else ""


def _title(result: CutPoint) -> str:
    return "\n".join(_words(row) for row in result.measures if row.apparent is not None)


def _words(row: Optimism) -> str:
    told = f"{SHOWN[row.name]} {row.apparent:.3f}"
    return told if row.out_of_bag is None else f"{told}, on cases left out {row.out_of_bag:.3f}"
