"""Pictures of ROC curves: one or several, where two cross, curves of folds, and averages of them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocscope.averaging.curves import AveragedCurve
from rocscope.core import checks, formatting
from rocscope.core.curve import RocCurve
from rocscope.core.result import Estimate
from rocscope.errors import RocInputError
from rocscope.inference.bands import RocBand
from rocscope.inference.crossings import CurveCrossings
from rocscope.inference.smoothing import SmoothRoc
from rocscope.plotting import bands, layout
from rocscope.plotting.marks import Band, ErrorBars, Line, Mark, Outline, Picture, Points

NAMED_CROSSINGS = 6  # at most so many crossings are named by their rates
SHOWN_CLASSES = 9  # so many classes have a panel, of more the first ones
SHOWN_FOLDS = 100  # so many folds have a line of their own
SHOWN_BARS = 25  # so many points of an average have bars
Axes: TypeAlias = Literal["roc", "det"]


def curve_picture(
    curve: RocCurve,
    *,
    name: str | None = None,
    estimate: Estimate | None = None,
    points: Any = (),
    hull: bool = False,
    band: bool | RocBand | None = None,
    axes: Axes = "roc",
) -> Picture:
    """Show one ROC curve with the chance diagonal.

    Parameters
    ----------
    curve
        The curve. Beyond 2000 vertices it is thinned for display, which moves it by 0.001 or so.
    name
        Name of the classifier in the legend.
    estimate
        The area with an interval, as `auc` returns it, for the legend.
    points
        Vertices to mark with their threshold and rates: indices, points as `select` returns them, or rules
        such as "tpr>=0.9" and "youden"; one or several.
    hull
        Whether to show the convex hull.
    band
        What `roc_band` returns; or True for its pointwise intervals.
    axes
        "roc"; or "det": the false negative rate over the false positive rate, both on normal-deviate axes.

    Examples
    --------
    >>> import rocscope as rs
    >>> drawn = curve_picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="test")
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Chance (AUC = 0.5)', 'test (AUC = 0.75)']
    """
    area = formatting.area(curve.auc, estimate)
    label = area if name is None else f"{name} ({area})"
    return _curves([(curve, label, points, bands.band_of_curve(curve, band))], hull, axes)


def curves(
    curves: Mapping[str, RocCurve],
    *,
    estimates: Mapping[str, Estimate] | None = None,
    points: Mapping[str, Any] | None = None,
    hull: bool = False,
    bands: Mapping[str, RocBand | None] | None = None,
    others: Collection[str] = (),
    axes: Axes = "roc",
) -> Picture:
    """Show several ROC curves in one plot.

    Parameters
    ----------
    curves
        Mapping of name to curve, in the order of the legend.
    estimates
        Mapping of name to the area with its interval, for all curves or some.
    points
        Mapping of name to the vertices to mark, as for one curve.
    hull
        Whether to show the convex hulls.
    bands
        Mapping of name to the band of a curve.
    others
        Names of curves in the background, grey and with one legend entry.
    axes
        As for one curve.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [0, 0, 1, 1]
    >>> drawn = curves({"a": rs.roc_curve(y, [1, 3, 2, 4]), "b": rs.roc_curve(y, [1, 2, 3, 4])})
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Chance (AUC = 0.5)', 'a (AUC = 0.75)', 'b (AUC = 1.00)']
    """
    if not curves:
        raise RocInputError("must map at least one name to a curve, got none", argument="curves")
    estimates, points, bands = estimates or {}, points or {}, bands or {}
    for argument, names in (
        ("estimates", estimates),
        ("points", points),
        ("bands", bands),
        ("others", others),
    ):
        for name in names:
            checks.check_choice(name, list(curves), name=f"a name in {argument}")
    rows = list[Row]()
    for name, curve in curves.items():
        label = f"{name} ({formatting.area(curve.auc, estimates.get(name))})"
        if name not in others:
            rows.append((curve, label, points.get(name, ()), bands.get(name)))
    entry = formatting.counted(len(others), "other curve")
    behind = list[Line]()  # each says its name where it is pointed at
    for name, curve in curves.items():
        if name in others:
            line = layout.curve_line(curve.fpr, curve.tpr, label=entry, series=0, thresholds=curve.thresholds)
            title = f"{name} ({formatting.area(curve.auc, None)})"
            texts = (f"{title}{', ' if at else ''}{at}" for at in line.hover or ("",) * len(line.x))
            behind.append(replace(line, role="other", hover=tuple(texts)))
    return _curves(rows, hull, axes, behind)


def analysis_picture(result: Any) -> Picture:
    """Show the curves of all scores of an analysis; of several classes the first result.

    Examples
    --------
    >>> import rocscope as rs
    >>> analysis = rs.analyse([0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.5, 0.4, 0.7, 0.9], n_boot=100, rng=1)
    >>> [mark.label for mark in analysis_picture(analysis).panels[0].marks]
    ['Chance (AUC = 0.5)', 'y_score (AUC = 0.89)']
    """
    from rocscope.plotting import picture

    known = {name: own[0] for name, own in result.results.items() if isinstance(own[0], RocCurve)}
    return curves(known) if known else picture(result.shared[0])


# A curve, its legend entry, its marked vertices and its band.
Row: TypeAlias = tuple[RocCurve, str, Any, RocBand | None]


def _curves(rows: Sequence[Row], hull: bool, axes: Axes, behind: Sequence[Line] = ()) -> Picture:
    """The picture of curves; labels of points know of all of them."""
    checks.check_choice(axes, ("roc", "det"), name="axes")
    marks: list[Mark] = [layout.chance_line(), *behind]
    dots, labels = list[Points](), list[layout.PointLabel]()
    for series, (_, _, _, band) in enumerate(rows):
        marks += [] if band is None else bands.roc_band_marks(band, series=series)
    for series, (curve, label, points, _) in enumerate(rows):
        at = layout.point_indices(curve, points)
        marks.append(
            layout.curve_line(curve.fpr, curve.tpr, label=label, series=series, thresholds=curve.thresholds)
        )
        if hull:
            outer = curve.hull()
            label = f"Convex hull (AUC = {formatting.rate(outer.auc)})"
            marks.append(layout.curve_line(outer.fpr, outer.tpr, label=label, series=series, role="hull"))
        if at:
            dots.append(Points(x=curve.fpr[at], y=curve.tpr[at], role="selected", series=series))
            labels += layout.operating_labels(
                curve.thresholds[at], curve.fpr[at], curve.tpr[at], series=series
            )
    if axes == "det":
        # A text beside a point would hide the steps of the curve: the legend says what the points are.
        dots = [
            Points(
                x=np.array([one.x]), y=np.array([one.y]), role="selected", series=one.series, label=one.text
            )
            for one in labels
        ]
        rates = [rate for curve, *_ in rows for rate in (curve.fpr, 1 - curve.tpr)]
        return Picture(panels=(layout.det_panel([*marks, *dots], rates),))
    positive = [curve.pos_label for curve, *_ in rows]
    return Picture(panels=(layout.roc_panel([*marks, *dots], labels=labels, positive=positive),))


def smooth_picture(curve: SmoothRoc, *, name: str | None = None) -> Picture:
    """Show a smoothed ROC curve with the chance diagonal.

    Parameters
    ----------
    curve
        The curve.
    name
        Name of the classifier in the legend.

    Examples
    --------
    >>> import rocscope as rs
    >>> drawn = smooth_picture(rs.smooth_roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bandwidth=0.1), name="test")
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Chance (AUC = 0.5)', 'test, smoothed (AUC = 0.83, 95% CI 0.39–1.00)']
    """
    area = formatting.estimate_text("AUC", curve.area)
    label = f"Smoothed ({area})" if name is None else f"{name}, smoothed ({area})"
    marks: list[Mark] = [layout.chance_line(), layout.curve_line(curve.fpr, curve.tpr, label=label)]
    return Picture(panels=(layout.roc_panel(marks, positive=[curve.pos_label]),))


def crossings_picture(
    result: CurveCrossings,
    *,
    first: RocCurve | None = None,
    second: RocCurve | None = None,
    names: tuple[str, str] = ("First", "Second"),
) -> Picture:
    """Show the crossings, and shade the false positive rates where each curve lies above.

    Parameters
    ----------
    result
        The crossings. They hold no curves:
    first, second
        give the two curves to see them as well.
    names
        Names of the curves in the legend.

    Examples
    --------
    >>> import rocscope as rs
    >>> y = [1, 0, 1, 0]
    >>> a, b = rs.roc_curve(y, [4, 3, 2, 1]), rs.roc_curve(y, [2, 2, 2, 1])
    >>> drawn = crossings_picture(rs.crossings(a, b), first=a, second=b, names=("a", "b"))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label]
    ['Chance (AUC = 0.5)', 'a above', 'b above', 'a (AUC = 0.75)', 'b (AUC = 0.75)', 'Crossing']
    """
    if (first is None) != (second is None):
        raise RocInputError("must be given together with first, got one of them", argument="second")
    curves = [curve for curve in (first, second) if curve is not None]
    marks: list[Mark] = [layout.chance_line()]
    for series, intervals in enumerate((result.first_above, result.second_above)):
        for k, strip in enumerate(intervals[intervals[:, 1] > intervals[:, 0]]):
            label = None if k else f"{names[series]} above"
            marks.append(
                Band(x=strip, low=np.zeros(2), high=np.ones(2), role="band", series=series, label=label)
            )
    lines = [
        layout.curve_line(
            curve.fpr,
            curve.tpr,
            label=f"{name} ({formatting.area(curve.auc, None)})",
            series=series,
            thresholds=curve.thresholds,
        )
        for series, (curve, name) in enumerate(zip(curves, names, strict=False))
    ]
    marks += lines
    n, labels = len(result.fpr), list[layout.PointLabel]()
    if n:
        entry = "Crossing" if n == 1 else "Crossings"
        marks.append(Points(x=result.fpr, y=result.tpr, role="selected", series=2, label=entry))
    if n <= NAMED_CROSSINGS:
        labels = [
            layout.PointLabel(x, y, f"FPR {formatting.rate(x)}, TPR {formatting.rate(y)}", 2)
            for x, y in zip(result.fpr.tolist(), result.tpr.tolist(), strict=True)
        ]
    times = {1: "once", 2: "twice"}.get(n, f"{n} times")
    title = f"The curves cross {times}"
    if result.dominant == "equal":
        title = "The curves are equal"
    elif result.dominant is not None:
        above, below = names if result.dominant == "first" else names[::-1]
        title = f"{above} is nowhere below {below}"
    outlines = [(line.x, line.y) for line in lines]
    positive = [curve.pos_label for curve in curves]
    panel = layout.roc_panel(marks, labels=labels, outlines=outlines, positive=positive, title=title)
    return Picture(panels=(panel,))


def cross_scores_picture(result: Any) -> Picture:
    """Show the ROC curve of every fold and that of all scores together; a panel per class of three or more.

    Examples
    --------
    >>> from rocscope.training.detectors import GaussianDetector
    >>> from rocscope.training.cross_scores import cross_scores
    >>> X, y = [[float(x)] for x in range(12)], [1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0]
    >>> drawn = cross_scores_picture(cross_scores(GaussianDetector(), X, y, cv=3, target=1, rng=0))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label]
    ['Chance', '3 folds (AUC 0.50 to 1.00)', 'All folds stacked (AUC = 0.75)']
    """
    n, two = len(result.classes), len(result.classes) == 2
    panels = []
    for name in [result.pos_label] if two else result.classes[:SHOWN_CLASSES]:
        folds, stacked = list(result.fold_curves(name).values()), result.curve(name)
        low, high = (edge((curve.auc for curve in folds), default=0.0) for edge in (min, max))
        decimals = formatting.digits_apart(low, high)
        span = " to ".join(formatting.rate(end, decimals=decimals) for end in (low, high))
        part = f", {SHOWN_FOLDS} of them shown" if len(folds) > SHOWN_FOLDS else ""
        label = f"{len(folds)} fold{'s' if len(folds) > 1 else ''} (AUC {span}){part}"
        lines = [
            layout.curve_line(curve.fpr, curve.tpr, label=None if k else label, role="fold")
            for k, curve in enumerate(folds[:SHOWN_FOLDS])
        ]
        label = f"All folds stacked ({formatting.area(stacked.auc, None)})"
        marks = [
            layout.chance_line("Chance"),
            *lines,
            layout.curve_line(stacked.fpr, stacked.tpr, label=label, thresholds=stacked.thresholds),
        ]
        title = "" if two else f"Class {name} against all others"
        panels.append(layout.roc_panel(marks, positive=[name], title=title))
    title = f"The first {SHOWN_CLASSES} of {n} classes" if n > SHOWN_CLASSES else ""
    return Picture(panels=tuple(panels), columns=min(3, len(panels)), title=title)


def averaged_curve_picture(
    result: AveragedCurve, *, name: str | None = None, band: bool | None = None
) -> Picture:
    """Show the mean curve with its intervals, and behind it the curves of the folds where they are known.

    Parameters
    ----------
    result
        The average.
    name
        Name of the classifier in the legend.
    band
        False leaves out the intervals and the folds.

    Examples
    --------
    >>> from rocscope.averaging.curves import average_curves
    >>> y, fold = [0, 0, 1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.4, 0.35, 0.8, 0.1, 0.2, 0.3, 0.4]
    >>> drawn = averaged_curve_picture(average_curves(y, score, fold=fold))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label]
    ['Chance', 'Folds', '95% interval (t over folds)', 'Vertical average of 2 folds']
    """
    if band is not None:
        checks.check_flag(band, name="band")
    along = result.fpr + result.tpr
    order = np.argsort(along, kind="stable")
    label = f"{result.name} of {len(result.folds)} folds"
    label = label if name is None else f"{name}: {label[0].lower()}{label[1:]}"
    line = Line(x=result.fpr[order], y=result.tpr[order], role="curve", label=label)
    label = f"{formatting.interval_name(result.level, 'two-sided')} ({result.method})"
    outlines: list[Outline] = [(line.x, line.y)]
    spread: Mark
    if result.along == "fpr":
        spread = Band(x=result.x, low=result.low, high=result.high, role="band", label=label)
        outlines += [(result.x, result.low), (result.x, result.high)]
    else:
        at = order[layout.evenly_along(along[order], SHOWN_BARS)] if len(order) > SHOWN_BARS else order
        by_tpr = result.along == "tpr"  # the TPR of a horizontal average has no error
        low, high = (result.tpr, result.tpr) if by_tpr else (result.low, result.high)
        spread = ErrorBars(
            x=result.fpr[at],
            y=result.tpr[at],
            x_low=result.fpr_low[at],
            x_high=result.fpr_high[at],
            y_low=None if by_tpr else low[at],
            y_high=None if by_tpr else high[at],
            role="interval",
            label=label,
        )
        outlines += [(result.fpr_high[order], low[order]), (result.fpr_low[order], high[order])]
    # At thresholds only one rate of each fold is known.
    rows = [] if result.along == "threshold" else list(result.values)
    folds = [(result.x, row) if result.along == "fpr" else (row, result.x) for row in rows]
    behind = [Line(x=x, y=y, role="fold", label=None if k else "Folds") for k, (x, y) in enumerate(folds)]
    around = [] if band is False else [*behind, spread]
    outlines = outlines[:1] if band is False else outlines
    marks = [layout.chance_line("Chance"), *around, line]
    return Picture(panels=(layout.roc_panel(marks, outlines=outlines, positive=[result.pos_label]),))
