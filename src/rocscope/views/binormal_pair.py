"""Picture of two binormal curves on the same cases: the curves, and the latent scores together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rocscope.binormal.curve import Binormal
from rocscope.binormal.displays import shown_rates
from rocscope.binormal.pair import BinormalPair
from rocscope.core.result import TestResult
from rocscope.views import layout, words
from rocscope.views.marks import Axis, Legend, Line, Mark, Panel, Picture, Points
from rocscope.views.roc_space import CHANCE, rate_axis, thinned

SHARES = (0.5, 0.9)
CLASSES = (("neg", "Negatives"), ("pos", "Positives"))


def picture(pair: BinormalPair) -> Picture:
    """Show both fitted curves with the empirical ones, and the latent scores of both classes.

    The outlines hold 50 % and 90 % of the scores of a class; they are narrow where both scores agree.

    Examples
    --------
    >>> import numpy as np
    >>> from rocscope.binormal.pair import fit_binormal_pair
    >>> i, y = np.arange(60), np.repeat([0, 1], 30)
    >>> shown = picture(fit_binormal_pair(y, 8 * y + i * 7 % 23, 9 * y + i * 7 % 23 + i * 5 % 13))
    >>> [mark.label for mark in shown.panels[1].marks if mark.label]
    ['Negatives (correlation 0.72)', 'Positives (correlation 0.75)']
    """
    panels = [_curves(pair)]
    if pair.rho_neg is not None or pair.rho_pos is not None:
        panels.append(_scores(pair))
    title = "" if pair.status == "ok" else f"{words.sentence(pair.status)}: {pair.reason}"
    return Picture(panels=tuple(panels), columns=len(panels), title=title)


def _curves(pair: BinormalPair) -> Panel:
    fits = (pair.first, pair.second)
    lines = [line for k, fit in enumerate(fits) for line in _lines(fit, pair.names[k], k)]
    outlines = [(line.x, line.y) for line in lines]
    legend, _ = layout.place_legend(outlines, [line.label for line in (CHANCE, *lines) if line.label])
    return Panel(
        marks=(CHANCE, *lines),
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
        rates = shown_rates(fit)
        label = f"{name} ({words.area(fit.auc, fit.auc_estimate())})"
        lines.append(Line(x=rates, y=fit.tpr(rates), role="curve", label=label, series=series))
    return lines


def _tests(areas: TestResult, curves: TestResult) -> str:
    if areas.p_value is None or curves.p_value is None:
        return ""
    told = (words.p_value(test.p_value) for test in (areas, curves) if test.p_value is not None)
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
