"""Pictures of bands: a curve with its intervals, in ROC space where it is a ROC curve."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from rocscope.area.band import RocBand
from rocscope.area.band_result import Band
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.errors import RocInputError
from rocscope.views import layout, words
from rocscope.views.layout import Outline, PointLabel
from rocscope.views.marks import Axis, ErrorBars, Line, Mark, Panel, Picture, Points
from rocscope.views.marks import Band as BandMark
from rocscope.views.roc_space import CHANCE, evenly_along, point_texts, roc_picture, thinned

# So few places are points with bars; more are a line with a band.
FEW_PLACES = 12
# So many points of a long curve carry bars at thresholds.
SHOWN_CROSSES = 14
# So many points are named by their thresholds.
NAMED_POINTS = 6


def picture(
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
    >>> shown = picture(rs.roc_band(y, s, rng=1), name="test")
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
        x=Axis(label=words.sentence(band.x_label)),
        y=Axis(label=words.sentence(band.y_label)),
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
    marks = [CHANCE, *spread, *lines]
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
        area = words.area(curve.auc, estimate)
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
    labels = [PointLabel(fpr, tpr, words.operating_point(t, fpr, tpr)) for t, fpr, tpr in rows]
    told = {(one.text, round(one.x, 9), round(one.y, 9)) for one in chosen}
    return [one for one in labels if (one.text, round(one.x, 9), round(one.y, 9)) not in told]


def _selected(curve: RocCurve, points: list[int]) -> list[PointLabel]:
    x, y, cuts = curve.fpr[points], curve.tpr[points], curve.thresholds[points]
    rows = zip(cuts.tolist(), x.tolist(), y.tolist(), strict=True)
    return [PointLabel(fpr, tpr, words.operating_point(t, fpr, tpr), 1) for t, fpr, tpr in rows]


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
