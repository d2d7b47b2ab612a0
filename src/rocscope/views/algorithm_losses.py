"""Pictures of expected losses: mean curves with the thresholds that costs ask for, and loss against cost."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rocscope.algorithms.loss_result import LossCurves
from rocscope.views import layout
from rocscope.views.layout import PointLabel
from rocscope.views.legend import with_legend
from rocscope.views.marks import Axis, Line, Mark, Panel, Picture, Points, ReferenceLine
from rocscope.views.roc_space import CHANCE, point_texts, rate_axis, thinned

# Costs of a false positive whose thresholds are marked on the mean curves, as in figure 1 of the paper.
MARKED = (0.5, 1.0, 2.0, 10.0)


def losses(result: LossCurves) -> Picture:
    """Show the mean ROC curves with the thresholds that some costs ask for, and the loss at every cost."""
    return Picture(panels=(_mean_curves(result), _loss_panel(result)), columns=2, title=result.dataset)


def _mean_curves(result: LossCurves) -> Panel:
    marks: list[Mark] = [Line(x=CHANCE.x, y=CHANCE.y, role="chance")]
    at = [int(np.argmin(np.abs(result.lambdas - lam))) for lam in MARKED]
    for series, name in enumerate(result.algorithms):
        marks.append(Line(x=result.fpr, y=result.tpr[series], role="curve", series=series, label=name))
        points = result.marks[series, at]
        marks.append(Points(x=points[:, 0], y=points[:, 1], role="selected", series=series))
    panel = Panel(
        marks=tuple(marks),
        x=rate_axis("False positive rate"),
        y=rate_axis("True positive rate"),
        title="Mean curves, decisions at λ/(1 + λ)",
        equal_aspect=True,
    )
    return with_legend(replace(panel, marks=(*marks, *_cost_names(result, at))))


def _cost_names(result: LossCurves, at: list[int]) -> list[Mark]:
    """The costs beside the marks of one algorithm, where they hide no curve and no mark."""
    rows = zip(*result.marks[_roomiest(result, at), at].T, result.lambdas[at], strict=True)
    labels = [PointLabel(float(x), float(y), f"λ = {lam:.2g}") for x, y, lam in rows]
    outlines = [thinned(result.fpr, tpr) for tpr in result.tpr]
    size = 2 * layout.GAP
    taken = [
        layout.box(x - size / 2, y - size / 2, size, size)
        for x, y in result.marks[:, at].reshape(-1, 2).tolist()
    ]
    return point_texts(labels, outlines, taken)


def _roomiest(result: LossCurves, at: list[int]) -> int:
    """The algorithm whose marks are farthest apart: their names do not run over each other there."""
    gaps = np.linalg.norm(np.diff(result.marks[:, at], axis=1), axis=2)
    return int(np.argmax(gaps.min(axis=1)))


def _loss_panel(result: LossCurves) -> Panel:
    """Loss over the harmonic scale 1 + lambda, so that cheap and dear false positives share one axis."""
    along = np.log10(result.lambdas)
    scale = 1 + result.lambdas
    marks: list[Mark] = [
        Line(x=along, y=row / scale, role="curve", series=series, label=name)
        for series, (name, row) in enumerate(zip(result.algorithms, result.mean, strict=True))
    ]
    top = float((result.mean / scale).max())
    for row in result.best:
        x = np.log10([row.low, row.high])
        y = np.full(2, -0.04 * top)
        marks.append(Line(x=x, y=y, role="curve", series=result.algorithms.index(row.algorithm)))
    marks.append(ReferenceLine(axis="x", at=0.0, role="reference"))
    whole = range(math.ceil(along[0] - 1e-9), math.floor(along[-1] + 1e-9) + 1)
    panel = Panel(
        marks=tuple(marks),
        x=Axis(
            label="λ: cost of a false positive, a false negative costs 1",
            ticks=tuple(map(float, whole)),
            tick_labels=tuple(f"{10.0**k:g}" for k in whole),
        ),
        y=Axis(label="Expected loss / (1 + λ)", low=-0.08 * top),
        title="Bars below: significantly the best" if result.best else "",
    )
    return with_legend(panel, first=("upper right",))
