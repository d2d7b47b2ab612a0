"""Picture of a choice between models: all fitted curves, the best one first."""

from __future__ import annotations

import numpy as np

from rocscope.binormal.displays import shown_rates
from rocscope.binormal.model_choice import ModelChoice
from rocscope.views import layout, words
from rocscope.views.marks import Line, Picture
from rocscope.views.roc_space import CHANCE, roc_picture, thinned


def picture(choice: ModelChoice) -> Picture:
    """Show the curve of every model that has a fit, with its AIC behind the best, and the empirical curve.

    Examples
    --------
    >>> from rocscope import ScoreTable, choose_binormal
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> [mark.label for mark in picture(choose_binormal(table)).panels[0].marks][2]
    'Equal-variance (AUC = 0.91, best by AIC)'
    """
    lines = [*_empirical(choice), *_fitted(choice)]
    outlines = [(line.x, line.y) for line in lines]
    legend, _ = layout.place_legend(outlines, [line.label or "" for line in (CHANCE, *lines)])
    return roc_picture([CHANCE, *lines], legend=legend, title="" if choice.best else choice.summary())


def _fitted(choice: ModelChoice) -> list[Line]:
    found = [row for row in choice.rows if row.behind is not None and row.auc is not None]
    lines = []
    for series, row in enumerate(sorted(found, key=lambda row: row.behind or 0.0)):
        fit = choice.fits[row.model]
        rates = shown_rates(fit)
        told = "best by AIC" if row.model == choice.best else f"AIC +{row.behind:.1f}"
        label = f"{words.sentence(row.model)} ({words.area(row.auc or 0.0, None)}, {told})"
        lines.append(Line(x=rates, y=fit.tpr(rates), role="curve", label=label, series=series))
    return lines


def _empirical(choice: ModelChoice) -> list[Line]:
    categories = next(iter(choice.fits.values())).categories
    if categories is None:
        return []
    fpr, tpr = (np.concatenate([[0.0], rates[::-1], [1.0]]) for rates in categories.rates())
    x, y = thinned(fpr, tpr)
    label = f"Empirical ({words.area(categories.auc, None)})"
    return [Line(x=x, y=y, role="hull", label=label, series=4)]
