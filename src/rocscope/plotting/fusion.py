"""Pictures of a preview of a fusion: heat maps over both weights, or curves over their angle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from rocscope.binormal.combine import BestWeights, CombinedScore
from rocscope.binormal.fusion import COLUMNS, FusionChoice, FusionPreview
from rocscope.binormal.quadrature import CombinedCurve
from rocscope.core import checks, formatting
from rocscope.errors import RocInputError
from rocscope.plotting import binormal, layout
from rocscope.plotting.layout import CHANCE_LINE, cell_edges, roc_picture, thinned, with_legend
from rocscope.plotting.marks import (
    Axis,
    Band,
    Bars,
    HeatMap,
    Line,
    Mark,
    Panel,
    Picture,
    Points,
    ReferenceLine,
    Role,
    Text,
    Values,
)

Show = Literal["maps", "angle"]
Colours = Literal["common", "own"]
TITLES = {
    "independent": "Predicted, independent",
    "correlated": "Predicted, correlated",
    "empirical": "Counted",
}


def fusion_picture(
    result: FusionPreview, *, show: Show | None = None, colours: Colours = "common"
) -> Picture:
    """Show what the weights are worth: predicted without and with correlations, and counted.

    Parameters
    ----------
    result
        What `preview_fusion` returns.
    show
        "maps": three heat maps over both weights, with the best and the worst ratio of each; "angle": three
        curves over the angle of the weights, on which alone a combination depends. By default maps where
        the weights make a full grid of at least two by two.
    colours
        One "common" scale of colours for the three maps, so that errors of the predictions are seen; or
        each its "own", so that their shapes are.

    Examples
    --------
    >>> import numpy as np
    >>> from rocscope.binormal.fusion import preview_fusion
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 100)
    >>> result = preview_fusion(y, y + rng.normal(size=200), y + rng.normal(size=200))
    >>> [panel.title.splitlines()[0] for panel in fusion_picture(result).panels]
    ['Predicted, independent', 'Predicted, correlated', 'Counted']
    """
    axes = _grid(result)
    if show is None:
        show = "angle" if axes is None else "maps"
    checks.check_choice(show, ("maps", "angle"), name="show")
    checks.check_choice(colours, ("common", "own"), name="colours")
    if show == "angle":
        return Picture(panels=(_angles(result),))
    if axes is None:
        raise RocInputError("must be 'angle' for weights that make no full grid, got 'maps'", argument="show")
    ends = _ends(result) if colours == "common" else (None, None)
    panels = tuple(_map(result, k, axes, ends) for k in range(3))
    return Picture(panels=panels, columns=3, title=_title(result))


def _title(result: FusionPreview) -> str:
    kind = {
        "raw": "raw outputs",
        "matched": "raw outputs, scales matched",
        "latent": "outputs on the latent scale",
    }
    return f"{formatting.sentence(result.target)} of weighted sums, {kind[result.scale]}"


def _grid(result: FusionPreview) -> tuple[Values, Values] | None:
    """Both lists of weights, where every pair of them is there (but for two zeros)."""
    first, second = (np.unique(result.weights[:, k]) for k in range(2))
    full = len(first) * len(second) - (0 in first and 0 in second)
    distinct = len(np.unique(result.weights, axis=0))
    return (first, second) if min(len(first), len(second)) > 1 and full == distinct else None


def _ends(result: FusionPreview) -> tuple[float, float]:
    shown = result.values()[result.defined]
    return float(shown.min()), float(shown.max())


# ---- Heat maps --------------------------------------------------------------------------------------------


def _map(
    result: FusionPreview, k: int, axes: tuple[Values, Values], ends: tuple[float | None, float | None]
) -> Panel:
    by, values = COLUMNS[k], result.values()[:, k]
    labels = [Axis(label=f"Weight of {name}", grid=False) for name in result.names]
    if not result.defined[:, k].all():
        note = Text(x=0.5, y=0.5, text=formatting.sentence(_reason(result)), role="note", horizontal="center")
        return Panel(marks=(note,), x=labels[0], y=labels[1], title=TITLES[by], equal_aspect=True)
    cells = np.full((len(axes[1]), len(axes[0])), np.nan)
    place = [np.searchsorted(axis, result.weights[:, i]) for i, axis in enumerate(axes)]
    cells[place[1], place[0]] = values
    heat = HeatMap(
        x_edges=cell_edges(axes[0]),
        y_edges=cell_edges(axes[1]),
        values=cells,
        low=ends[0],
        high=ends[1],
        role="cells",
        label=formatting.sentence(result.target),
    )
    best, worst = result.best(by), result.worst(by)
    title = f"{TITLES[by]}\nbest {_told(best)} (cross)\nworst {_told(worst)} (circle)"
    marks = heat, _ratio(result, best, "chosen"), _ratio(result, worst, "indistinguishable")
    return Panel(marks=marks, x=labels[0], y=labels[1], title=title, equal_aspect=True)


def _reason(result: FusionPreview) -> str:
    return "undefined" if result.reason is None else result.reason


def _ratio(result: FusionPreview, choice: FusionChoice, role: Role) -> Points:
    """All pairs with the ratio of a choice: they are one and the same combination."""
    pair = (result.weights[:, 0] == choice.weight_a) & (result.weights[:, 1] == choice.weight_b)
    same = result.direction == result.direction[np.argmax(pair)]
    x, y = result.weights[same].T
    return Points(x=x, y=y, role=role, series=1)


def _told(choice: FusionChoice) -> str:
    return f"{choice.value:.4f} at {choice.weight_a:g} : {choice.weight_b:g}"


# ---- Curves over the angle --------------------------------------------------------------------------------


def _angles(result: FusionPreview) -> Panel:
    """The three columns over the angle of the weights, with their intervals where there are any."""
    degrees = np.degrees(np.arctan2(result.weights[:, 1], result.weights[:, 0]))
    _, firsts = np.unique(result.direction, return_index=True)
    order = firsts[np.argsort(degrees[firsts], kind="stable")]
    values, marks = result.values()[order], list[Mark]()
    for k, by in enumerate(COLUMNS):
        if not result.defined[:, k].all():
            continue
        if result.n_boot:
            low, high = result.low[order, k], result.high[order, k]
            marks.append(Band(x=degrees[order], low=low, high=high, role="band", series=k))
        marks.append(
            Line(x=degrees[order], y=values[:, k], role="curve", series=k, label=_line_label(result, by))
        )
        at = int(np.argmax(values[:, k] * (1 if result.larger_is_better else -1)))
        x, y = degrees[order][[at]], values[[at], k]
        marks.append(Points(x=x, y=y, role="selected", series=k))
    interval = (
        f"bands: {formatting.interval_name(result.level, 'two-sided')}, bootstrap" if result.n_boot else ""
    )
    names = f"0: {result.names[0]} alone, 90: {result.names[1]} alone"
    return Panel(
        marks=tuple(marks),
        x=Axis(label=f"Angle of the weights in degrees ({names})"),
        y=Axis(label=formatting.sentence(result.target)),
        title=f"{_title(result)}\n{interval}",
        legend="below",
    )


def _line_label(result: FusionPreview, by: str) -> str:
    return f"{TITLES[by]}: best {_told(result.best(by))}"


# ---- Pictures of combined scores: the curve of a weighted sum, and the best weights -----------------------

WIDTH = 0.35


def combined_picture(result: Any, **options: Any) -> Picture:
    """Show the curve of a combined score, or the best weights."""
    views: dict[type, Callable[..., Picture]] = {
        CombinedCurve: curve,
        CombinedScore: score,
        BestWeights: weights,
    }
    return views[type(result)](result, **options)


def curve(result: CombinedCurve, *, name: str | None = None) -> Picture:
    """Show the curve of a weighted sum of two scores.

    Examples
    --------
    >>> import rocscope as rs
    >>> found = rs.combine_curves(rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8), [0.5, 0.5])
    >>> [mark.label for mark in curve(found).panels[0].marks]
    ['Chance (AUC = 0.5)', 'Weights 0.5, 0.5 (AUC = 0.88)']
    """
    x, y = (np.concatenate([[0.0], rates, [1.0]]) for rates in (result.fpr, result.tpr))
    x, y = thinned(x, y)
    label = f"{name or _weights(result)} ({formatting.area(result.auc, None)})"
    line = Line(x=x, y=y, role="curve", label=label)
    legend, _ = layout.place_legend([(x, y)], [CHANCE_LINE.label or "", label])
    return roc_picture([CHANCE_LINE, line], legend=legend)


def score(result: CombinedScore, *, name: str | None = None) -> Picture:
    """Show the binormal curve of a combined latent score.

    Examples
    --------
    >>> import rocscope as rs
    >>> found = rs.combined_score([rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8)], [0.5, 0.5])
    >>> [mark.label for mark in score(found).panels[0].marks]
    ['Chance (AUC = 0.5)', 'Weights 0.5, 0.5 (AUC = 0.88)']
    """
    return binormal.binormal_picture(result.curve(), name=name or _weights(result))


def _weights(result: CombinedCurve | CombinedScore) -> str:
    return "Weights " + ", ".join(f"{weight:.3g}" for weight in result.weights)


def weights(result: BestWeights) -> Picture:
    """Show the best weights of every classifier, free and at least 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = weights(rs.best_weights([rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8)]))
    >>> [mark.label for mark in shown.panels[0].marks if mark.label]
    ['Free (AUC = 0.88)', 'At least 0 (AUC = 0.88)']
    """
    middle = np.arange(len(result.free), dtype=np.float64)
    kinds = (
        ("Free", result.free, result.auc_free),
        ("At least 0", result.nonnegative, result.auc_nonnegative),
    )
    bars = [
        Bars(
            low=middle + (series - 1) * WIDTH,
            high=middle + series * WIDTH,
            length=values,
            role="count",
            series=series,
            label=f"{kind} ({formatting.area(area, None)})",
        )
        for series, (kind, values, area) in enumerate(kinds)
    ]
    panel = Panel(
        marks=(*bars, ReferenceLine(axis="y", at=0.0, role="reference")),
        x=Axis(
            ticks=tuple(middle.tolist()),
            tick_labels=tuple(
                f"Classifier {k + 1}\nAUC = {formatting.rate(area)}"
                for k, area in enumerate(result.auc_single)
            ),
            grid=False,
        ),
        y=Axis(label="Best weight"),
    )
    return Picture(panels=(with_legend(panel),))
