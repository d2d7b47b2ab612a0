"""Pictures of fusion: heat maps over both weights, curves over their angle, ROC curves of one combination."""

from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from rocscope.binormal import combine, fusion, fusion_curve, quadrature
from rocscope.core import checks, formatting
from rocscope.errors import RocInputError
from rocscope.plotting import binormal, layout
from rocscope.plotting.marks import Axis, Band, Line, Mark, Panel, Picture, Points, ReferenceLine, Role, Text

Show: TypeAlias = Literal["maps", "angle"]
Colours: TypeAlias = Literal["common", "own"]
TITLES = {
    "independent": "Predicted, independent",
    "correlated": "Predicted, correlated",
    "empirical": "Counted",
}
SCALES = {
    "raw": "raw outputs",
    "matched": "raw outputs, scales matched",
    "latent": "outputs on the latent scale",
}


def fusion_picture(
    result: fusion.FusionPreview, *, show: Show | None = None, colours: Colours = "common"
) -> Picture:
    """Show the value of the weights: predicted without and with correlations, and counted.

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
    # A full grid has every pair of both lists of weights, but for two zeros.
    first, second = (np.unique(result.weights[:, k]) for k in range(2))
    full = len(first) * len(second) - (0 in first and 0 in second)
    grid = min(len(first), len(second)) > 1 and full == len(np.unique(result.weights, axis=0))
    if show is None:
        show = "maps" if grid else "angle"
    checks.check_choice(show, ("maps", "angle"), name="show")
    checks.check_choice(colours, ("common", "own"), name="colours")
    title = f"{formatting.sentence(result.target)} of weighted sums, {SCALES[result.scale]}"
    if show == "angle":
        return Picture(panels=(_angle_panel(result, title),))
    if not grid:
        message = "must be 'angle' for weights that make no full grid, got 'maps'"
        raise RocInputError(message, argument="show", data_dependent=True)
    defined = result.values()[result.defined]
    low, high = (float(defined.min()), float(defined.max())) if colours == "common" else (None, None)
    panels = []
    for k, by in enumerate(fusion.COLUMNS):
        x, y = (Axis(label=f"Weight of {name}", grid=False) for name in result.names)
        marks: list[Mark]
        if result.defined[:, k].all():
            cells = np.full((len(second), len(first)), np.nan)
            across = np.searchsorted(first, result.weights[:, 0])
            cells[np.searchsorted(second, result.weights[:, 1]), across] = result.values()[:, k]
            label = formatting.sentence(result.target)
            marks, text = [layout.heat_map(first, second, cells, label, low=low, high=high)], TITLES[by]
            ends: list[tuple[fusion.FusionChoice, Role, str]] = [
                (result.best(by), "operating-point", "best {} (cross)"),
                (result.worst(by), "indistinguishable", "worst {} (circle)"),
            ]
            for choice, role, name in ends:
                # All pairs with the ratio of a choice are one and the same combination.
                pair = (result.weights[:, 0] == choice.weight_a) & (result.weights[:, 1] == choice.weight_b)
                ratio = result.weights[result.direction == result.direction[np.argmax(pair)]]
                marks.append(Points(x=ratio[:, 0], y=ratio[:, 1], role=role, series=1))
                text += "\n" + name.format(_choice_text(choice))
        else:
            reason = formatting.sentence(result.reason or "undefined")
            marks, text = [Text(x=0.5, y=0.5, text=reason, role="note", horizontal="center")], TITLES[by]
        panels.append(Panel(marks=tuple(marks), x=x, y=y, title=text, equal_aspect=True))
    return Picture(panels=tuple(panels), columns=3, title=title)


def _choice_text(choice: fusion.FusionChoice) -> str:
    return f"{choice.value:.4f} at {choice.weight_a:g} : {choice.weight_b:g}"


def _angle_panel(result: fusion.FusionPreview, title: str) -> Panel:
    """The three columns over the angle of the weights, with their intervals where there are any."""
    degrees = np.degrees(np.arctan2(result.weights[:, 1], result.weights[:, 0]))
    _, firsts = np.unique(result.direction, return_index=True)
    order = firsts[np.argsort(degrees[firsts], kind="stable")]
    x, marks = degrees[order], list[Mark]()
    for k, by in enumerate(fusion.COLUMNS):
        if not result.defined[:, k].all():
            continue
        if result.n_boot:
            low, high = result.low[order, k], result.high[order, k]
            marks.append(Band(x=x, low=low, high=high, role="band", series=k))
        y = result.values()[order, k]
        label = f"{TITLES[by]}: best {_choice_text(result.best(by))}"
        marks.append(Line(x=x, y=y, role="curve", series=k, label=label))
        best = [int(np.argmax(y if result.larger_is_better else -y))]
        marks.append(Points(x=x[best], y=y[best], role="selected", series=k))
    interval = formatting.interval_name(result.level, "two-sided")
    names = f"0: {result.names[0]} alone, 90: {result.names[1]} alone"
    return Panel(
        marks=tuple(marks),
        x=Axis(label=f"Angle of the weights in degrees ({names})"),
        y=Axis(label=formatting.sentence(result.target)),
        title=f"{title}\nbands: {interval}, bootstrap" if result.n_boot else f"{title}\n",
        legend="below",
    )


def fusion_curve_picture(result: fusion_curve.FusionCurve) -> Picture:
    """Show the predicted curves of one combination, the counted one, both scores alone, and the differences.

    Examples
    --------
    >>> import numpy as np
    >>> from rocscope.binormal.fusion import preview_fusion
    >>> rng = np.random.default_rng(1)
    >>> y = np.repeat([0, 1], 100)
    >>> preview = preview_fusion(y, y + rng.normal(size=200), y + rng.normal(size=200))
    >>> drawn = fusion_curve_picture(preview.curve([0.4, 0.6]))
    >>> [len(panel.marks) for panel in drawn.panels]
    [6, 3]
    """
    titles = TITLES | {"first": f"{result.names[0]} alone", "second": f"{result.names[1]} alone"}
    known = {name: getattr(result, f"auc_{name}") for name in fusion_curve.CURVES}
    curves, errors = [layout.chance_line()], list[Mark]()
    for series, name in enumerate(fusion_curve.CURVES):
        if known[name] is None:
            continue
        y, role = getattr(result, name), "hull" if name in ("first", "second") else "curve"
        label = f"{titles[name]} ({formatting.area(known[name], None)})"
        curves.append(layout.curve_line(result.fpr, y, label=label, series=series, role=role))
        if name in fusion_curve.PREDICTIONS and known["empirical"] is not None:
            line = layout.curve_line(result.fpr, y - result.empirical, label=titles[name], series=series)
            errors.append(line)
    roc = replace(layout.roc_panel(curves), title=f"{result.title}, {SCALES[result.scale]}", legend="below")
    if not errors:
        return Picture(panels=(roc,))
    apart = Panel(
        marks=(ReferenceLine(axis="y", at=0.0, role="reference"), *errors),
        x=layout.rate_axis("False positive rate"),
        y=Axis(label="Predicted minus counted TPR"),
        title="Difference to the counted curve",
        legend="below",
    )
    return Picture(panels=(roc, apart), columns=2)


def combined_picture(
    result: quadrature.CombinedCurve | combine.CombinedScore, *, name: str | None = None
) -> Picture:
    """Show the curve of a weighted sum of scores, of which a latent one is binormal.

    Examples
    --------
    >>> import rocscope as rs
    >>> result = rs.combine_curves(rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8), [0.5, 0.5])
    >>> [mark.label for mark in combined_picture(result).panels[0].marks]
    ['Chance (AUC = 0.5)', 'Weights 0.5, 0.5 (AUC = 0.88)']
    """
    name = name or "Weights " + ", ".join(f"{weight:.3g}" for weight in result.weights)
    if isinstance(result, combine.CombinedScore):
        return binormal.binormal_picture(result.curve(), name=name)
    x, y = (np.concatenate([[0.0], rates, [1.0]]) for rates in (result.fpr, result.tpr))
    line = layout.curve_line(x, y, label=f"{name} ({formatting.area(result.auc, None)})")
    return Picture(panels=(layout.roc_panel([layout.chance_line(), line]),))


def best_weights_picture(result: combine.BestWeights) -> Picture:
    """Show the best weights of every classifier, free and at least 0.

    Examples
    --------
    >>> import rocscope as rs
    >>> drawn = best_weights_picture(rs.best_weights([rs.Binormal(a=1.0, b=1.0), rs.Binormal(a=1.2, b=0.8)]))
    >>> [mark.label for mark in drawn.panels[0].marks if mark.label]
    ['Free (AUC = 0.88)', 'At least 0 (AUC = 0.88)']
    """
    groups = {
        f"Free ({formatting.area(result.auc_free, None)})": result.free,
        f"At least 0 ({formatting.area(result.auc_nonnegative, None)})": result.nonnegative,
    }
    areas = [f"AUC = {formatting.rate(area)}" for area in result.auc_single]
    names = [f"Classifier {k}\n{area}" for k, area in enumerate(areas, start=1)]
    bars, axis = layout.group_bars(groups, names, width=0.35)
    marks = (*bars, ReferenceLine(axis="y", at=0.0, role="reference"))
    return Picture(panels=(layout.with_legend(Panel(marks=marks, x=axis, y=Axis(label="Best weight"))),))
