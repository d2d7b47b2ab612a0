"""Picture of a learning curve: AUC against training size, and AUC(*) of data sets said to be worth it."""

from __future__ import annotations

import numpy as np

from rocscope.bootstrap.learning_result import LearningCurve
from rocscope.core import wald
from rocscope.views import layout
from rocscope.views.layout import Outline
from rocscope.views.marks import Axis, ErrorBars, Legend, Line, Mark, Panel, Picture, Points

LABELS = {
    "auc": "AUC of n training cases",
    "apparent": "Apparent AUC",
    "star632": "AUC(*) of n / .632 cases",
    "star500": "AUC(*) of n / .5 cases",
}
CORNERS: tuple[Legend, ...] = ("upper right", "lower right", "upper left", "lower left")
ROOM = 0.06


def picture(result: LearningCurve) -> Picture:
    """Show all curves with 95 % intervals of their Monte-Carlo errors.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from rocscope.bootstrap.learning import learning_curve
    >>> X, y = np.arange(40.0)[:, np.newaxis] % 7, np.repeat([0, 1], 20)
    >>> shown = picture(learning_curve(GaussianNB(), X, y, sizes=[10, 20], n_boot=5, rng=1))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label][:2]
    ['AUC of n training cases', 'Apparent AUC']
    """
    marks: list[Mark] = []
    outlines: list[Outline] = []
    for series, name in enumerate(result.estimates):
        defined = result.defined[:, series]
        if not defined.any():
            continue
        x, y = result.sizes[defined].astype(np.float64), result.values[defined, series]
        reach = wald.quantile(0.95) * result.mc_error[defined, series]
        marks += [
            ErrorBars(x=x, y=y, y_low=y - reach, y_high=y + reach, role="interval", series=series),
            Line(x=x, y=y, role="curve", series=series, label=LABELS[name]),
            Points(x=x, y=y, role="point", series=series),
        ]
        outlines += [(x, y - reach), (x, y + reach)]
    panel = Panel(
        marks=tuple(marks),
        x=Axis(label="Training cases, n"),
        y=Axis(label="AUC"),
        title=f"{result.n_boot} replicates for each point",
        legend=_legend(outlines, [mark.label for mark in marks if mark.label is not None]),
    )
    return Picture(panels=(panel,))


def _legend(outlines: list[Outline], entries: list[str]) -> Legend:
    """A corner that no curve crosses; the plot reaches a little beyond its outlines."""
    if not outlines:
        return "below"
    x, y = (np.concatenate([outline[k] for outline in outlines]) for k in (0, 1))
    spans = [(v.min(), max(v.max() - v.min(), 1e-9)) for v in (x, y)]
    scaled = [
        tuple(ROOM / 2 + (1 - ROOM) * (v - low) / span for v, (low, span) in zip(outline, spans, strict=True))
        for outline in outlines
    ]
    return layout.free_corner([(a, b) for a, b in scaled], entries, corners=CORNERS, size=layout.WIDE)
