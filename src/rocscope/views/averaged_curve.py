"""Picture of averaged ROC curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocscope.average.curves import AveragedCurve
from rocscope.views import layout
from rocscope.views.layout import Outline
from rocscope.views.marks import Band, ErrorBars, Line, Mark, Picture
from rocscope.views.roc_space import CHANCE, evenly_along, roc_picture

# So many points have bars.
SHOWN_BARS = 25


def picture(result: AveragedCurve, *, name: str | None = None) -> Picture:
    """Show the mean curve with its intervals, and behind it the curves of the folds where they are known.

    Examples
    --------
    >>> from rocscope.average.curves import average_curves
    >>> y, fold = [0, 0, 1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 2, 2, 2, 2]
    >>> score = [0.1, 0.4, 0.35, 0.8, 0.1, 0.2, 0.3, 0.4]
    >>> shown = picture(average_curves(y, score, fold=fold))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Chance', 'Folds', '95% interval (t over folds)', 'Vertical average of 2 folds']
    """
    order = np.argsort(result.fpr + result.tpr, kind="stable")
    line = Line(
        x=result.fpr[order],
        y=result.tpr[order],
        role="curve",
        label=f"{name or result.name} of {len(result.folds)} folds",
    )
    chance = Line(x=CHANCE.x, y=CHANCE.y, role="chance", label="Chance")
    spread, outlines = _spread(result, order)
    marks: list[Mark] = [chance, *_folds(result), *spread, line]
    legend, _ = layout.place_legend(
        [(line.x, line.y), *outlines], [mark.label for mark in marks if mark.label is not None]
    )
    return roc_picture(marks, positive=[result.pos_label], legend=legend)


def _label(result: AveragedCurve) -> str:
    return f"{result.level * 100:g}% interval ({result.method})"


def _folds(result: AveragedCurve) -> list[Mark]:
    """One thin curve per fold; at thresholds only one rate of each fold is at hand."""
    if result.along == "threshold":
        return []
    lines = [(result.x, row) if result.along == "fpr" else (row, result.x) for row in result.values]
    return [Line(x=x, y=y, role="fold", label=None if k else "Folds") for k, (x, y) in enumerate(lines)]


def _spread(result: AveragedCurve, order: NDArray[np.int64]) -> tuple[list[Mark], list[Outline]]:
    if result.along == "fpr":
        band = Band(x=result.x, low=result.low, high=result.high, role="band", label=_label(result))
        return [band], [(result.x, result.low), (result.x, result.high)]
    at = order
    if len(order) > SHOWN_BARS:
        at = order[evenly_along((result.fpr + result.tpr)[order], SHOWN_BARS)]
    low, high = (result.tpr, result.tpr) if result.along == "tpr" else (result.low, result.high)
    bars = ErrorBars(
        x=result.fpr[at],
        y=result.tpr[at],
        x_low=result.fpr_low[at],
        x_high=result.fpr_high[at],
        y_low=None if result.along == "tpr" else low[at],
        y_high=None if result.along == "tpr" else high[at],
        role="interval",
        label=_label(result),
    )
    return [bars], [(result.fpr_high[order], low[order]), (result.fpr_low[order], high[order])]
