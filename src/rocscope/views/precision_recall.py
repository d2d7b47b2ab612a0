"""Picture of a precision-recall curve."""

from __future__ import annotations

import numpy as np

from rocscope.area.precision_recall import PrecisionRecall
from rocscope.views import layout, words
from rocscope.views.band import shaded
from rocscope.views.layout import Outline
from rocscope.views.marks import Line, Mark, Panel, Picture
from rocscope.views.roc_space import SHOWN_VERTICES, rate_axis

SHORT = "AP"


def picture(result: PrecisionRecall, *, name: str | None = None) -> Picture:
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
    >>> shown = picture(rs.precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], rng=1), name="test")
    >>> [mark.label for mark in shown.panels[0].marks][::2]
    ['No information (precision = 0.50)', 'test (AP = 0.83, 95% CI 0.40-1.00)']
    """
    x, y = _line(result)
    area = words.estimate_text(SHORT, result.average_precision)
    share = np.array([result.prevalence, result.prevalence])
    chance = f"No information (precision = {words.rate(result.prevalence)})"
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


def _line(result: PrecisionRecall) -> Outline:
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
