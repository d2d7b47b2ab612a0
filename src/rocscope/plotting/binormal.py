"""Pictures of binormal curves: on ROC axes, on normal-deviate axes, and as two densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocscope.binormal.curve import Binormal, Densities, DeviatePlot, curve_rates, tpr_band
from rocscope.binormal.latent import Categories, LatentCurve
from rocscope.binormal.model_choice import ModelChoice
from rocscope.binormal.pair import BinormalPair
from rocscope.core import checks, formatting
from rocscope.core.result import TestResult
from rocscope.errors import RocInputError
from rocscope.plotting import layout
from rocscope.plotting.bands import shaded
from rocscope.plotting.layout import CHANCE_LINE, Outline, evenly_along, rate_axis, roc_picture, thinned
from rocscope.plotting.marks import (
    Axis,
    Band,
    Legend,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    ReferenceLine,
    Role,
)

AXES = ("roc", "deviate", "density")
# Rates with a tick on a normal-deviate axis and their deviates; on a long axis some would run together.
TICKS = {
    0.001: -3.09023,
    0.01: -2.32635,
    0.05: -1.64485,
    0.1: -1.28155,
    0.2: -0.84162,
    0.5: 0.0,
    0.8: 0.84162,
    0.9: 1.28155,
    0.95: 1.64485,
    0.99: 2.32635,
    0.999: 3.09023,
}
CLOSE = (0.05, 0.2, 0.8, 0.95)
LONG_REACH = 2.8
LEAST_REACH = 2.4
MOST_REACH = 4.0
SHOWN_POINTS = 300


def binormal_picture(
    result: LatentCurve | DeviatePlot | Densities | Categories,
    *,
    axes: str = "roc",
    name: str | None = None,
    level: float = 0.95,
) -> Picture:
    """Show a fitted curve.

    Parameters
    ----------
    result
        A `Binormal`, or what its `deviates()` or `densities()` returned; a fit of a related model, on ROC
        axes; or the categories behind a fit.
    axes
        "roc": with the empirical curve and, where the fit has a covariance, its pointwise intervals;
        "deviate": a straight line through the points of the data; "density": the two latent densities with
        the errors at Youden's threshold.
    name
        Name of the classifier in the legend.
    level
        Confidence level of the intervals.

    Examples
    --------
    >>> from rocscope.binormal.curve import Binormal
    >>> shown = binormal_picture(Binormal(a=1.5, b=0.8))
    >>> [mark.label for mark in shown.panels[0].marks]
    ['Chance (AUC = 0.5)', 'Binormal (AUC = 0.88)']
    """
    checks.check_choice(axes, AXES, name="axes")
    if isinstance(result, Categories):
        return _empirical(result, name)
    if isinstance(result, DeviatePlot):
        return _deviate(result, name)
    if isinstance(result, Densities):
        return _density(result, name)
    if axes == "roc" or result.auc is None:
        return _roc(result, name, level)
    if not isinstance(result, Binormal):
        raise RocInputError(f"must be 'roc' for a {type(result).__name__}, got {axes!r}", argument="axes")
    return _deviate(result.deviates(), name) if axes == "deviate" else _density(result.densities(), name)


def _data(fit: LatentCurve, *, series: int) -> list[Line]:
    """The empirical curve behind a fit; a curve that was made alone has none."""
    categories: Categories | None = getattr(fit, "categories", None)
    return [] if categories is None else [_empirical_line(categories, "hull", series, "Empirical")]


def _empirical_line(categories: Categories, role: Role, series: int, name: str) -> Line:
    fpr, tpr = (np.concatenate([[0.0], rates[::-1], [1.0]]) for rates in categories.rates())
    x, y = thinned(fpr, tpr)
    return Line(x=x, y=y, role=role, label=f"{name} ({formatting.area(categories.auc, None)})", series=series)


def _empirical(categories: Categories, name: str | None) -> Picture:
    """The curve through the points between the categories."""
    line = _empirical_line(categories, "curve", 0, name or "Empirical")
    dots = Points(x=line.x, y=line.y, role="point")
    legend, _ = layout.place_legend([(line.x, line.y)], [CHANCE_LINE.label or "", line.label or ""])
    return roc_picture([CHANCE_LINE, line, dots], legend=legend, title=str(categories))


def _roc(fit: LatentCurve, name: str | None, level: float) -> Picture:
    if fit.auc is None:
        return _without_fit(fit)
    band = tpr_band(fit, level=level) if fit.cov is not None else None
    rates = curve_rates(fit)
    fitted = Line(x=rates, y=fit.tpr(rates), role="curve", label=_label(fit, name, level))
    behind: list[Mark] = [] if band is None else [shaded(band)]
    data = _data(fit, series=1)
    outlines: list[Outline] = [(line.x, line.y) for line in (fitted, *data)]
    if band is not None:
        outlines += [(band.x, band.low), (band.x, band.high)]
    marks = [CHANCE_LINE, *behind, *data, fitted]
    legend, _ = layout.place_legend(outlines, [mark.label for mark in marks if mark.label])
    return roc_picture(marks, legend=legend)


def _without_fit(fit: LatentCurve) -> Picture:
    """The empirical curve alone, under the reason why it has no fit."""
    data = _data(fit, series=0)
    legend, _ = layout.place_legend(
        [(line.x, line.y) for line in data], [CHANCE_LINE.label or "", "Empirical (AUC)"]
    )
    return roc_picture([CHANCE_LINE, *data], legend=legend, title=f"No fit ({fit.status}): {fit.reason}")


def _label(fit: LatentCurve, name: str | None, level: float) -> str:
    estimate = fit.auc_estimate(level)
    model = "Binormal" if isinstance(fit, Binormal) else formatting.sentence(estimate.method)
    return f"{name or model} ({formatting.area(estimate.value or 0.0, estimate)})"


# ---- Normal-deviate axes ----------------------------------------------------------------------------------


def _deviate(plot: DeviatePlot, name: str | None) -> Picture:
    kept = _spread_out(plot)
    found = np.abs(np.concatenate([plot.x, plot.y, [LEAST_REACH]]))
    reach = min(float(found.max()) * 1.05, MOST_REACH)
    ends = np.array([-2 * reach, 2 * reach])
    text = f"{name or 'Binormal'}: {plot.a:.3f} + {plot.b:.3f} z"
    marks: list[Mark] = [
        Line(x=ends, y=ends, role="chance", label="Chance"),
        Points(x=plot.x[kept], y=plot.y[kept], role="point", label="Empirical", series=1),
        Line(x=ends, y=plot.a + plot.b * ends, role="curve", label=text),
    ]
    marks = [mark for mark in marks if not isinstance(mark, Points) or len(mark.x)]
    panel = Panel(
        marks=tuple(marks),
        x=_deviate_axis("False positive rate (normal-deviate scale)", reach),
        y=_deviate_axis("True positive rate (normal-deviate scale)", reach),
        equal_aspect=True,
        legend=_deviate_corner(marks, reach),
    )
    return Picture(panels=(panel,))


def _spread_out(plot: DeviatePlot) -> Any:
    """Of very many points as many as can be told apart."""
    if len(plot.x) <= SHOWN_POINTS:
        return slice(None)
    return evenly_along(-(plot.x + plot.y), SHOWN_POINTS)


def _deviate_axis(label: str, reach: float) -> Axis:
    shown = {
        rate: z for rate, z in TICKS.items() if abs(z) < reach and (reach < LONG_REACH or rate not in CLOSE)
    }
    names = tuple(f"{rate:g}" for rate in shown)
    return Axis(label=label, low=-reach, high=reach, ticks=tuple(shown.values()), tick_labels=names)


def _deviate_corner(marks: Sequence[Mark], reach: float) -> Any:
    """A corner without a point or a line, as shares of the panel."""
    outlines = [
        ((mark.x + reach) / (2 * reach), (mark.y + reach) / (2 * reach))
        for mark in marks
        if isinstance(mark, (Line, Points))
    ]
    entries = [mark.label for mark in marks if mark.label]
    return layout.free_corner(outlines, entries, corners=("lower right", "upper left"))


# ---- Densities --------------------------------------------------------------------------------------------


def _density(shown: Densities, name: str | None) -> Picture:
    above, below = shown.x >= shown.threshold, shown.x <= shown.threshold
    threshold = f"Threshold {formatting.threshold(shown.threshold)}"
    marks: list[Mark] = [
        _area(shown.x[above], shown.negatives[above], f"False positives ({formatting.rate(shown.fpr)})", 0),
        _area(shown.x[below], shown.positives[below], f"False negatives ({formatting.rate(shown.fnr)})", 1),
        Line(x=shown.x, y=shown.negatives, role="curve", label="Negatives", series=0),
        Line(x=shown.x, y=shown.positives, role="curve", label="Positives", series=1),
        ReferenceLine(axis="x", at=shown.threshold, role="reference", label=threshold),
    ]
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Latent score (negatives: mean 0, standard deviation 1)"),
        y=Axis(label="Density", low=0.0),
        legend=_density_corner(shown, [mark.label or "" for mark in marks]),
        title=name or "",
    )
    return Picture(panels=(panel,))


def _density_corner(shown: Densities, entries: list[str]) -> Any:
    left, width = shown.x[0], shown.x[-1] - shown.x[0]
    top = max(shown.negatives.max(), shown.positives.max())
    outlines = [
        (0.05 + 0.9 * (shown.x - left) / width, y / top / 1.05) for y in (shown.negatives, shown.positives)
    ]
    return layout.free_corner(outlines, entries, corners=("upper right", "upper left"), size=layout.WIDE)


def _area(x: Any, height: Any, label: str, series: int) -> Mark:
    return Band(x=x, low=np.zeros(len(x)), high=height, role="band", label=label, series=series)


# ---- Picture of two binormal curves on the same cases: the curves, and the latent scores together ---------

SHARES = (0.5, 0.9)
CLASSES = (("neg", "Negatives"), ("pos", "Positives"))


def binormal_pair_picture(pair: BinormalPair) -> Picture:
    """Show both fitted curves with the empirical ones, and the latent scores of both classes.

    The outlines hold 50 % and 90 % of the scores of a class; they are narrow where both scores agree.

    Examples
    --------
    >>> import numpy as np
    >>> from rocscope.binormal.pair import fit_binormal_pair
    >>> i, y = np.arange(60), np.repeat([0, 1], 30)
    >>> pair = fit_binormal_pair(y, 8 * y + i * 7 % 23, 9 * y + i * 7 % 23 + i * 5 % 13)
    >>> shown = binormal_pair_picture(pair)
    >>> [mark.label for mark in shown.panels[1].marks if mark.label]
    ['Negatives (correlation 0.72)', 'Positives (correlation 0.75)']
    """
    panels = [_curves(pair)]
    if pair.rho_neg is not None or pair.rho_pos is not None:
        panels.append(_scores(pair))
    title = "" if pair.status == "ok" else f"{formatting.sentence(pair.status)}: {pair.reason}"
    return Picture(panels=tuple(panels), columns=len(panels), title=title)


def _curves(pair: BinormalPair) -> Panel:
    fits = (pair.first, pair.second)
    lines = [line for k, fit in enumerate(fits) for line in _lines(fit, pair.names[k], k)]
    outlines = [(line.x, line.y) for line in lines]
    legend, _ = layout.place_legend(outlines, [line.label for line in (CHANCE_LINE, *lines) if line.label])
    return Panel(
        marks=(CHANCE_LINE, *lines),
        x=rate_axis("False positive rate (1 - specificity)"),
        y=rate_axis("True positive rate (sensitivity)"),
        equal_aspect=True,
        legend=legend,
        title=_tests(pair.equal_areas(), pair.equal_curves()),
    )


def _lines(fit: Binormal, name: str, series: int) -> list[Line]:
    """The empirical curve, and the fitted one if there is one."""
    lines = []
    if fit.categories is not None:
        fpr, tpr = (np.concatenate([[0.0], rates[::-1], [1.0]]) for rates in fit.categories.rates())
        x, y = thinned(fpr, tpr)
        lines.append(Line(x=x, y=y, role="hull", series=series))
    if fit.auc is not None:
        rates = curve_rates(fit)
        label = f"{name} ({formatting.area(fit.auc, fit.auc_estimate())})"
        lines.append(Line(x=rates, y=fit.tpr(rates), role="curve", label=label, series=series))
    return lines


def _tests(areas: TestResult, curves: TestResult) -> str:
    if areas.p_value is None or curves.p_value is None:
        return ""
    told = (formatting.p_value(test.p_value) for test in (areas, curves) if test.p_value is not None)
    first, second = told
    return f"Equal areas: p = {first}; equal curves: p = {second}"


def _scores(pair: BinormalPair) -> Panel:
    marks: list[Mark] = []
    outlines = []
    for series, (kind, name) in enumerate(CLASSES):
        rho = pair.rho_neg if kind == "neg" else pair.rho_pos
        if rho is None:
            continue
        shown = [pair.ellipse(kind, share) for share in SHARES]
        label = f"{name} (correlation {rho:.2f})"
        marks += [
            Line(x=x, y=y, role="curve" if k == 0 else "hull", label=label if k == 0 else None, series=series)
            for k, (x, y) in enumerate(shown)
        ]
        marks.append(_middle(shown[0], series))
        outlines.append(shown[-1])
    return Panel(
        marks=tuple(marks),
        x=Axis(label=f"{pair.names[0]} (latent score)"),
        y=Axis(label=f"{pair.names[1]} (latent score)"),
        legend=_corner(outlines, [mark.label for mark in marks if mark.label]),
        title="50 % and 90 % of each class",
    )


def _middle(outline: layout.Outline, series: int) -> Points:
    """The mean of a class, midway between two opposite places of its outline."""
    x, y = ((values[0] + values[len(values) // 2]) / 2 for values in outline)
    return Points(x=np.array([x]), y=np.array([y]), role="point", series=series)


def _corner(outlines: Sequence[layout.Outline], entries: Sequence[str]) -> Legend:
    """A corner of the panel that no outline reaches, as shares of its sides."""
    low, high = (
        [edge(np.concatenate([outline[axis] for outline in outlines])) for axis in (0, 1)]
        for edge in (np.min, np.max)
    )
    scaled = [
        tuple(0.05 + 0.9 * (outline[axis] - low[axis]) / (high[axis] - low[axis]) for axis in (0, 1))
        for outline in outlines
    ]
    return layout.free_corner(scaled, entries, corners=("upper left", "lower right"))


# ---- Picture of a choice between models: all fitted curves, the best one first ----------------------------


def model_choice_picture(choice: ModelChoice) -> Picture:
    """Show the curve of every model that has a fit, with its AIC behind the best, and the empirical curve.

    Examples
    --------
    >>> from rocscope import ScoreTable, choose_binormal
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> [mark.label for mark in model_choice_picture(choose_binormal(table)).panels[0].marks][2]
    'Equal-variance (AUC = 0.91, best by AIC)'
    """
    lines = [*_empirical_model_choice(choice), *_fitted(choice)]
    outlines = [(line.x, line.y) for line in lines]
    legend, _ = layout.place_legend(outlines, [line.label or "" for line in (CHANCE_LINE, *lines)])
    return roc_picture([CHANCE_LINE, *lines], legend=legend, title="" if choice.best else choice.summary())


def _fitted(choice: ModelChoice) -> list[Line]:
    found = [row for row in choice.rows if row.behind is not None and row.auc is not None]
    lines = []
    for series, row in enumerate(sorted(found, key=lambda row: row.behind or 0.0)):
        fit = choice.fits[row.model]
        rates = curve_rates(fit)
        told = "best by AIC" if row.model == choice.best else f"AIC +{row.behind:.1f}"
        label = f"{formatting.sentence(row.model)} ({formatting.area(row.auc or 0.0, None)}, {told})"
        lines.append(Line(x=rates, y=fit.tpr(rates), role="curve", label=label, series=series))
    return lines


def _empirical_model_choice(choice: ModelChoice) -> list[Line]:
    categories = next(iter(choice.fits.values())).categories
    if categories is None:
        return []
    fpr, tpr = (np.concatenate([[0.0], rates[::-1], [1.0]]) for rates in categories.rates())
    x, y = thinned(fpr, tpr)
    label = f"Empirical ({formatting.area(categories.auc, None)})"
    return [Line(x=x, y=y, role="hull", label=label, series=4)]
