"""Pictures of binormal curves: on ROC axes, on normal-deviate axes, and as two densities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocscope.binormal.categories import Categories
from rocscope.binormal.curve import Binormal
from rocscope.binormal.displays import Densities, DeviatePlot, shown_rates, tpr_band
from rocscope.binormal.latent_curve import LatentCurve
from rocscope.core import checks
from rocscope.errors import RocInputError
from rocscope.views import layout, words
from rocscope.views.band import shaded
from rocscope.views.layout import Outline
from rocscope.views.marks import Axis, Band, Line, Mark, Panel, Picture, Points, ReferenceLine, Role
from rocscope.views.roc_space import CHANCE, evenly_along, roc_picture, thinned

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


def picture(
    result: Binormal | LatentCurve | DeviatePlot | Densities | Categories,
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
    >>> shown = picture(Binormal(a=1.5, b=0.8))
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
        raise RocInputError(f"axes must be 'roc' for a {type(result).__name__}, got {axes!r}")
    return _deviate(result.deviates(), name) if axes == "deviate" else _density(result.densities(), name)


def _data(fit: Binormal | LatentCurve, *, series: int) -> list[Line]:
    """The empirical curve behind a fit; a curve that was made alone has none."""
    categories: Categories | None = getattr(fit, "categories", None)
    return [] if categories is None else [_empirical_line(categories, "hull", series, "Empirical")]


def _empirical_line(categories: Categories, role: Role, series: int, name: str) -> Line:
    fpr, tpr = (np.concatenate([[0.0], rates[::-1], [1.0]]) for rates in categories.rates())
    x, y = thinned(fpr, tpr)
    return Line(x=x, y=y, role=role, label=f"{name} ({words.area(categories.auc, None)})", series=series)


def _empirical(categories: Categories, name: str | None) -> Picture:
    """The curve through the points between the categories."""
    line = _empirical_line(categories, "curve", 0, name or "Empirical")
    dots = Points(x=line.x, y=line.y, role="point")
    legend, _ = layout.place_legend([(line.x, line.y)], [CHANCE.label or "", line.label or ""])
    return roc_picture([CHANCE, line, dots], legend=legend, title=str(categories))


def _roc(fit: Binormal | LatentCurve, name: str | None, level: float) -> Picture:
    if fit.auc is None:
        return _without_fit(fit)
    band = tpr_band(fit, level=level) if fit.cov is not None else None
    rates = shown_rates(fit)
    fitted = Line(x=rates, y=fit.tpr(rates), role="curve", label=_label(fit, name, level))
    behind: list[Mark] = [] if band is None else [shaded(band)]
    data = _data(fit, series=1)
    outlines: list[Outline] = [(line.x, line.y) for line in (fitted, *data)]
    if band is not None:
        outlines += [(band.x, band.low), (band.x, band.high)]
    marks = [CHANCE, *behind, *data, fitted]
    legend, _ = layout.place_legend(outlines, [mark.label for mark in marks if mark.label])
    return roc_picture(marks, legend=legend)


def _without_fit(fit: Binormal | LatentCurve) -> Picture:
    """The empirical curve alone, under the reason why it has no fit."""
    data = _data(fit, series=0)
    legend, _ = layout.place_legend(
        [(line.x, line.y) for line in data], [CHANCE.label or "", "Empirical (AUC)"]
    )
    return roc_picture([CHANCE, *data], legend=legend, title=f"No fit ({fit.status}): {fit.reason}")


def _label(fit: Binormal | LatentCurve, name: str | None, level: float) -> str:
    estimate = fit.auc_estimate(level)
    model = "Binormal" if isinstance(fit, Binormal) else words.sentence(estimate.method)
    return f"{name or model} ({words.area(estimate.value or 0.0, estimate)})"


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
    threshold = f"Threshold {words.threshold(shown.threshold)}"
    marks: list[Mark] = [
        _area(shown.x[above], shown.negatives[above], f"False positives ({words.rate(shown.fpr)})", 0),
        _area(shown.x[below], shown.positives[below], f"False negatives ({words.rate(shown.fnr)})", 1),
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
