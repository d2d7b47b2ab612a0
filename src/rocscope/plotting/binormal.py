"""Pictures of binormal curves, of pairs and of models, and of the fusion of two classifiers."""

from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from rocscope.binormal import combine, curve, fusion, fusion_models, latent, model_choice, quadrature
from rocscope.binormal.pair import BinormalPair, ScoreClass
from rocscope.core import checks, formatting
from rocscope.errors import RocInputError
from rocscope.inference.bands import Band as Intervals
from rocscope.plotting import bands, layout
from rocscope.plotting.marks import Axis, Band, Line, Mark, Panel, Picture, Points, ReferenceLine, Role, Text

Axes: TypeAlias = Literal["roc", "deviate", "density"]
SHOWN_POINTS = 300


def binormal_picture(
    result: latent.LatentCurve | curve.DeviatePlot | curve.Densities | latent.Categories,
    *,
    axes: Axes = "roc",
    name: str | None = None,
    level: float = 0.95,
    band: bool | Intervals | None = None,
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
    band
        False leaves out the intervals; others are drawn in their place.

    Examples
    --------
    >>> from rocscope.binormal.curve import Binormal
    >>> drawn = binormal_picture(Binormal(a=1.5, b=0.8))
    >>> [mark.label for mark in drawn.panels[0].marks]
    ['Chance (AUC = 0.5)', 'Binormal (AUC = 0.88)']
    """
    checks.check_choice(axes, ("roc", "deviate", "density"), name="axes")
    if isinstance(result, latent.Categories):
        line = empirical_line(result, role="curve", name=name or "Empirical")
        dots = Points(x=line.x, y=line.y, role="point")
        return Picture(panels=(layout.roc_panel([layout.chance_line(), line, dots], title=str(result)),))
    if not isinstance(result, (curve.DeviatePlot, curve.Densities)):
        if axes == "roc" or result.auc is None:
            return Picture(panels=(_fit_panel(result, name, level, band),))
        if not isinstance(result, curve.Binormal):
            raise RocInputError(f"must be 'roc' for a {type(result).__name__}, got {axes!r}", argument="axes")
        result = result.deviates() if axes == "deviate" else result.densities()
    panel = (
        _deviate_panel(result, name)
        if isinstance(result, curve.DeviatePlot)
        else _density_panel(result, name)
    )
    return Picture(panels=(panel,))


def empirical_line(
    categories: latent.Categories, *, name: str | None = "Empirical", series: int = 0, role: Role = "hull"
) -> Line:
    """The curve through the points between the categories of a fit."""
    x, y = (np.concatenate([[0.0], rates[::-1], [1.0]]) for rates in categories.rates())
    label = None if name is None else f"{name} ({formatting.area(categories.auc, None)})"
    return layout.curve_line(x, y, label=label, series=series, role=role)


def fitted_line(fit: latent.LatentCurve, label: str, *, series: int = 0) -> Line:
    """The curve of a fit."""
    rates = fit.fpr_grid()
    return Line(x=rates, y=fit.tpr(rates), role="curve", label=label, series=series)


def _fit_panel(fit: latent.LatentCurve, name: str | None, level: float, band: Any) -> Panel:
    """The fitted curve, its intervals and the empirical curve; without a fit the latter, and the reason."""
    data = fit.categories  # a curve that was made alone has none
    if fit.auc is None:
        lines = [] if data is None else [empirical_line(data)]
        return layout.roc_panel([layout.chance_line(), *lines], title=f"No fit ({fit.status}): {fit.reason}")
    own = None if fit.cov is None else fit.band(level=level)
    marks: list[Mark] = [layout.chance_line(), *bands.shown_band(own, band)]
    if data is not None:
        marks.append(empirical_line(data, series=1))
    estimate = fit.auc_estimate(level)
    model = "Binormal" if isinstance(fit, curve.Binormal) else formatting.sentence(estimate.method)
    label = f"{name or model} ({formatting.area(estimate.value or 0.0, estimate)})"
    return layout.roc_panel([*marks, fitted_line(fit, label)])


def _deviate_panel(plot: curve.DeviatePlot, name: str | None) -> Panel:
    """The straight line of a binormal curve where both rates are normal deviates."""
    reach = np.abs(np.concatenate([plot.x, plot.y, [layout.LEAST_REACH]])).max()
    reach = min(float(reach) * 1.05, layout.MOST_REACH)
    ends = np.array([-2 * reach, 2 * reach])
    marks: list[Mark] = [Line(x=ends, y=ends, role="chance", label="Chance")]
    if len(plot.x):
        many = len(plot.x) > SHOWN_POINTS
        kept = layout.evenly_along(-(plot.x + plot.y), SHOWN_POINTS) if many else slice(None)
        marks.append(Points(x=plot.x[kept], y=plot.y[kept], role="point", label="Empirical", series=1))
    label = f"{name or 'Binormal'}: {plot.a:.3f} + {plot.b:.3f} z"
    marks.append(Line(x=ends, y=plot.a + plot.b * ends, role="curve", label=label))
    x, y = (layout.deviate_axis(f"{rate} positive rate", reach) for rate in ("False", "True"))
    panel = Panel(marks=tuple(marks), x=x, y=y, equal_aspect=True)
    return layout.with_legend(panel, ("lower right", "upper left"))


def _density_panel(densities: curve.Densities, name: str | None) -> Panel:
    """Both latent densities; the errors at Youden's threshold are shaded."""
    x, cut, zeros = densities.x, densities.threshold, np.zeros(len(densities.x))
    negatives, positives, above, below = densities.negatives, densities.positives, x >= cut, x <= cut
    fpr = f"False positives ({formatting.rate(densities.fpr)})"
    fnr = f"False negatives ({formatting.rate(densities.fnr)})"
    threshold = f"Threshold {formatting.threshold(cut)}"
    panel = Panel(
        marks=(
            Band(x=x[above], low=zeros[above], high=negatives[above], role="band", label=fpr, series=0),
            Band(x=x[below], low=zeros[below], high=positives[below], role="band", label=fnr, series=1),
            Line(x=x, y=negatives, role="curve", label="Negatives", series=0),
            Line(x=x, y=positives, role="curve", label="Positives", series=1),
            ReferenceLine(axis="x", at=cut, role="reference", label=threshold),
        ),
        x=Axis(label="Latent score (negatives: mean 0, standard deviation 1)"),
        y=Axis(label="Density", low=0.0),
        title=name or "",
    )
    return layout.with_legend(panel, ("upper right", "upper left"))


def binormal_pair_picture(pair: BinormalPair) -> Picture:
    """Show both fitted curves with the empirical ones, and the latent scores of both classes.

    The outlines hold 50 % and 90 % of the scores of a class; they are narrow where both scores agree.

    Examples
    --------
    >>> import numpy as np
    >>> from rocscope.binormal.pair import fit_binormal_pair
    >>> i, y = np.arange(60), np.repeat([0, 1], 30)
    >>> pair = fit_binormal_pair(y, 8 * y + i * 7 % 23, 9 * y + i * 7 % 23 + i * 5 % 13)
    >>> drawn = binormal_pair_picture(pair)
    >>> [mark.label for mark in drawn.panels[1].marks if mark.label]
    ['Negatives (correlation 0.72)', 'Positives (correlation 0.75)']
    """
    lines: list[Mark] = [layout.chance_line()]
    for series, fit in enumerate((pair.first, pair.second)):
        if fit.categories is not None:
            lines.append(empirical_line(fit.categories, name=None, series=series))
        if fit.auc is not None:
            label = f"{pair.names[series]} ({formatting.area(fit.auc, fit.auc_estimate())})"
            lines.append(fitted_line(fit, label, series=series))
    tests = ""
    areas, curves = pair.equal_areas().p_value, pair.equal_curves().p_value
    if areas is not None and curves is not None:
        tests = f"Equal areas: p = {formatting.p_value(areas)}"
        tests = f"{tests}; equal curves: p = {formatting.p_value(curves)}"
    panels = [layout.roc_panel(lines, title=tests)]
    outlines: list[Mark] = []
    correlations: tuple[tuple[ScoreClass, float | None], ...] = (("neg", pair.rho_neg), ("pos", pair.rho_pos))
    for series, (kind, rho) in enumerate(correlations):
        if rho is None:
            continue
        label = f"{('Negatives', 'Positives')[series]} (correlation {rho:.2f})"
        x, y = pair.ellipse(kind, 0.5)
        wide = pair.ellipse(kind, 0.9)
        middle = [np.array([(v[0] + v[len(v) // 2]) / 2]) for v in (x, y)]  # of two opposite places
        outlines += [
            Line(x=x, y=y, role="curve", label=label, series=series),
            Line(x=wide[0], y=wide[1], role="hull", series=series),
            Points(x=middle[0], y=middle[1], role="point", series=series),
        ]
    if outlines:
        panel = Panel(
            marks=tuple(outlines),
            x=Axis(label=f"{pair.names[0]} (latent score)"),
            y=Axis(label=f"{pair.names[1]} (latent score)"),
            title="50 % and 90 % of each class",
        )
        panels.append(layout.with_legend(panel, ("upper left", "lower right")))
    title = "" if pair.status == "ok" else f"{formatting.sentence(pair.status)}: {pair.reason}"
    return Picture(panels=tuple(panels), columns=len(panels), title=title)


def model_choice_picture(choice: model_choice.ModelChoice) -> Picture:
    """Show the curve of every model that has a fit, with its AIC behind the best, and the empirical curve.

    Examples
    --------
    >>> from rocscope import ScoreTable, choose_binormal
    >>> table = ScoreTable.from_counts([1, 2, 3, 4, 5], neg=[33, 6, 6, 11, 2], pos=[3, 2, 2, 11, 33])
    >>> [mark.label for mark in model_choice_picture(choose_binormal(table)).panels[0].marks][2]
    'Equal-variance (AUC = 0.91, best by AIC)'
    """
    data = next(iter(choice.fits.values())).categories
    lines = [layout.chance_line(), *([] if data is None else [empirical_line(data, series=4)])]
    fitted = [row for row in choice.rows if row.behind is not None and row.auc is not None]
    for series, row in enumerate(sorted(fitted, key=lambda row: row.behind or 0.0)):
        rank = "best by AIC" if row.model == choice.best else f"AIC +{row.behind:.1f}"
        label = f"{formatting.sentence(row.model)} ({formatting.area(row.auc or 0.0, None)}, {rank})"
        lines.append(fitted_line(choice.fits[row.model], label, series=series))
    return Picture(panels=(layout.roc_panel(lines, title="" if choice.best else choice.summary()),))


Show: TypeAlias = Literal["maps", "angle"]
Colours: TypeAlias = Literal["common", "own"]


# ---- Fusion: heat maps over both weights, curves over their angle, ROC curves of one combination ----------

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


def fusion_curve_picture(result: fusion_models.FusionCurve) -> Picture:
    """Show the predicted curves of one combination, the counted one, both scores alone, and the differences.

    Examples
    --------
    >>> import rocscope as rs
    >>> a, b = [1, 2, 3, 5, 4, 6, 7, 8], [1, 2, 4, 3, 2, 1, 4, 5]
    >>> preview = rs.preview_fusion([0, 0, 0, 0, 1, 1, 1, 1], a, b)
    >>> drawn = fusion_curve_picture(preview.curve([0.4, 0.6]))
    >>> [len(panel.marks) for panel in drawn.panels]
    [6, 3]
    """
    titles = TITLES | {"first": f"{result.names[0]} alone", "second": f"{result.names[1]} alone"}
    known = {name: getattr(result, f"auc_{name}") for name in fusion_models.CURVES}
    curves, errors = [layout.chance_line()], list[Mark]()
    for series, name in enumerate(fusion_models.CURVES):
        if known[name] is None:
            continue
        y, role = getattr(result, name), "hull" if name in ("first", "second") else "curve"
        label = f"{titles[name]} ({formatting.area(known[name], None)})"
        curves.append(layout.curve_line(result.fpr, y, label=label, series=series, role=role))
        if name in fusion_models.PREDICTIONS and known["empirical"] is not None:
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
        return binormal_picture(result.curve(), name=name)
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
