"""Fitted curves, previews of a fusion, learning algorithms, bootstrap estimates, and any other result."""

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from rocscope import plotting
from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.ranks import RankComparison
from rocscope.binormal import curve, fusion, fusion_models
from rocscope.binormal.latent import LatentCurve
from rocscope.binormal.pair import BinormalPair
from rocscope.bootstrap import learning, monte_carlo
from rocscope.bootstrap.estimates import BootstrapAuc
from rocscope.core import formatting
from rocscope.core.result import Result
from rocscope.inference.decision_curve import DecisionCurve, DecisionCurves
from rocscope.plotting.marks import Picture
from rocscope.reporting import sections

WITHOUT_DATA = "The points of the data are not among the saved numbers: the fitted curve is shown alone."


# ---- Fits on ROC and normal-deviate axes ------------------------------------------------------------------


def models_sections(items: Sequence[sections.Item]) -> list[sections.Section]:
    """The binormal fits of several scores of an analysis in one section; every other result alone."""
    fits = [item for item in items if item.analysis is not None and isinstance(item.result, curve.Binormal)]
    if len(fits) < 2:
        return sections.one_by_one(items)
    others = [item for item in items if item not in fits]
    return [fits_section(fits), *sections.one_by_one(others)]


def fits_section(items: Sequence[sections.Item]) -> sections.Section:
    """Fitted curves side by side, and their parameters in one table."""
    panels = [
        replace(panel, title=item.name or "")
        for item in items
        for panel in plotting.picture(item.result, axes="roc", name=item.name).panels
    ]
    figures = ("a", "se_a", "b", "se_b", "auc", "se_auc")
    table = sections.Table(
        caption="Parameters: intercept a and slope b on normal-deviate axes, and the area",
        header=("", "a", "SE", "b", "SE", "AUC", "SE", "data object to the model (p)"),
        rows=[
            (
                str(item.name),
                *(sections.cell(getattr(item.result, name)) for name in figures),
                sections.cell(None if item.result.goodness is None else item.result.goodness.p_value),
            )
            for item in items
        ],
        notes=sections.remarks([(str(item.name), item.result) for item in items]),
    )
    picture = Picture(panels=tuple(panels), columns=min(3, len(panels)))
    reading = "Each curve is fitted by maximum likelihood to the ranks of the scores; dots are the data."
    return sections.Section(
        title="Binormal fits", body=(sections.Plot(picture=picture, reading=reading), table), folded=True
    )


@sections.section_of.register
def fit_section(fit: LatentCurve, item: sections.Item) -> sections.Section:
    """The fitted curve; of a binormal one also its line on deviate axes, its densities and parameters.

    A fit that comes from saved numbers has no data beside it.
    """
    notes, folded = sections.remarks([("", fit)]), item.analysis is not None
    if fit.n_categories is not None and fit.categories is None:
        notes = (*notes, WITHOUT_DATA)
    body: list[sections.Part] = [
        sections.Plot(
            picture=plotting.picture(fit, axes="roc", name=item.name), reading=fit_reading(fit), notes=notes
        )
    ]
    if not isinstance(fit, curve.Binormal):
        return sections.Section(title=item.titled("Fitted curve"), body=tuple(body), folded=folded)
    if fit.auc is not None:
        a, b = fit.parameters()
        se_a, se_b = ("" if se is None else f" (standard error {se:.3f})" for se in (fit.se_a, fit.se_b))
        against = "" if fit.categories is None else " Points of the data far from it speak against the model."
        line = (
            f"On normal-deviate axes the curve is a straight line: intercept {a:.3f}{se_a}, slope "
            f"{b:.3f}{se_b}.{against}"
        )
        densities = fit.densities()
        above, below = formatting.percentage(densities.fpr), formatting.percentage(densities.fnr)
        latent = (
            f"The two latent densities; at the threshold with the largest TPR - FPR, {above} of the "
            f"negatives lie above it and {below} of the positives below."
        )
        for axes, reading in (("deviate", line), ("density", latent)):
            picture = plotting.picture(fit, axes=axes, name=item.name)
            body.append(sections.Plot(picture=picture, reading=reading))
        rows = [
            ("a (intercept)", formatting.table_number(fit.a), sections.cell(fit.se_a)),
            ("b (slope)", formatting.table_number(fit.b), sections.cell(fit.se_b)),
            ("AUC", formatting.table_number(fit.auc), sections.cell(fit.se_auc)),
        ]
        header = ("", "value", "standard error")
        body.append(sections.Table(caption=f"Parameters ({fit.method})", header=header, rows=rows))
    return sections.Section(title=item.titled("Binormal fit"), body=tuple(body), folded=folded)


def fit_reading(fit: Any) -> str:
    """Describe the fitted area, and whether the data object to the model."""
    if fit.auc is None:
        return f"No curve was fitted ({fit.status}): {fit.reason}."
    texts = [f"The area under the fitted curve is {formatting.estimate_phrase(fit.auc_estimate())}."]
    data = getattr(fit, "categories", None)
    if data is not None:
        texts.append(f"That of the data is {data.auc:.3f}.")
    goodness = getattr(fit, "goodness", None)
    if goodness is not None and goodness.p_value is not None:
        objects = "object" if goodness.p_value < 0.05 else "do not object"
        texts.append(
            f"The data {objects} to the model at the 5% level (p = {formatting.p_value(goodness.p_value)})."
        )
    return " ".join(texts)


# ---- Fusion of two classifiers ----------------------------------------------------------------------------


# Positions of the slider: shares of the second score in the weights. A quadrature takes longer.
SHARES, FEWER_SHARES = 20, 10


@sections.section_of.register
def fusion_section(result: fusion.FusionPreview, item: sections.Item) -> sections.Section:
    """The preview of a fusion with its best weights, and the curve of any weights, moved by a slider."""
    notes = list[str]()
    for text in (result.reason, *result.warnings):
        if text:  # the name that a remark begins with goes to its end, where it keeps its letters
            name = next((name for name in result.names if text.startswith(f"{name}: ")), None)
            about = formatting.sentence(text if name is None else text.removeprefix(f"{name}: "))
            notes.append(about if name is None else f"{about} ({name})")
    notes += [f"Taken for granted: {text}" for text in result.assumptions]
    names = {f"weight_{which}": f"weight of {name}" for which, name in zip("ab", result.names, strict=True)}
    names["empirical"] = "counted there"
    body: list[sections.Part] = [
        sections.Plot(picture=plotting.picture(result), reading=fusion_reading(result), notes=tuple(notes)),
        sections.row_table(
            result.choices, _fields(fusion.FusionChoice), caption="Best and worst weights", named=names
        ),
        sections.row_table(
            result.agreement, _fields(fusion.FusionAgreement), caption="How far predictions and counts agree"
        ),
    ]
    title = item.titled(f"Fusion of {result.names[0]} and {result.names[1]}")
    if result.pair is None or not result.defined[:, :2].any():  # means of others, or no prediction
        return sections.Section(title=title, body=tuple(body), folded=item.analysis is not None)
    steps = SHARES if result.model in ("binormal", "empirical") else FEWER_SHARES
    curves = [result.curve([1 - k / steps, k / steps]) for k in range(steps + 1)]
    best = result.best("correlated" if result.defined[:, 1].all() else "independent")
    start = round(steps * float(best.weight_b or 0) / (float(best.weight_a or 0) + float(best.weight_b or 0)))
    start = min(max(start, 0), steps)
    picture, reading = plotting.picture(curves[start]), curve_reading(curves[start])
    body.insert(1, sections.Plot(picture=picture, reading=reading, name="fusion-curve"))
    return sections.Section(
        title=title,
        body=tuple(body),
        kind="fusion",
        folded=item.analysis is not None,
        payload=slider_payload(curves) | {"start": start},
        scripts=("fusion.js",),
        styles=("fusion.css",),
    )


def slider_payload(curves: Sequence[fusion_models.FusionCurve]) -> dict[str, Any]:
    """The curves of every position of the slider, with their labels and readings."""
    kept = np.unique([*range(0, len(fusion_models.GRID), 2), len(fusion_models.GRID) - 1])
    positions = []
    for one in curves:
        known = [getattr(one, f"auc_{name}") is not None for name in fusion.COLUMNS]
        heights = [
            [round(float(y), 4) for y in getattr(one, name)[kept]] if there else None
            for name, there in zip(fusion.COLUMNS, known, strict=True)
        ]
        drawn = [mark.label for mark in plotting.picture(one).panels[0].marks if mark.role == "curve"]
        labels = iter(drawn)
        positions.append(
            {
                "title": one.title,
                "text": curve_reading(one),
                "curves": heights,
                "labels": [next(labels) if there else None for there in known],
            }
        )
    apart = np.array([one.difference(by) for one in curves for by in fusion_models.PREDICTIONS])
    ends = (0.0, 0.0) if np.isnan(apart).all() else (float(np.nanmin(apart)), float(np.nanmax(apart)))
    margin = 0.05 * max(ends[1] - ends[0], 0.1)
    return {
        "names": curves[0].names,
        "fpr": [float(f"{x:.4g}") for x in fusion_models.GRID[kept]],
        "positions": positions,
        "range": [ends[0] - margin, ends[1] + margin],
    }


@sections.section_of.register
def fusion_curve_section(result: fusion_models.FusionCurve, item: sections.Item) -> sections.Section:
    """The curve of one combination."""
    plot = sections.Plot(
        picture=plotting.picture(result),
        reading=curve_reading(result),
        notes=sections.remarks([("", result)]),
    )
    return sections.Section(title=item.titled(f"ROC curve of {result.title}"), body=(plot,))


def curve_reading(result: fusion_models.FusionCurve) -> str:
    """Describe the areas of one combination, and the largest difference to the counted curve."""
    areas = {
        "predicted for independent scores": result.auc_independent,
        "predicted with their dependence": result.auc_correlated,
        "counted": result.auc_empirical,
    }
    known = [f"{area:.3f} {what}" for what, area in areas.items() if area is not None]
    texts = [f"{result.title}: the area is {formatting.listed(known)}."] if known else []
    error = result.difference("correlated" if result.auc_correlated is not None else "independent")
    if not np.isnan(error).any():
        at = int(np.argmax(np.abs(error)))
        texts.append(
            f"The predicted TPR differs from the counted one by {np.abs(error).mean():.3f} on average, at "
            f"most by {error[at]:+.3f} (at an FPR of {result.fpr[at]:.3g})."
        )
    alone = zip(result.names, (result.auc_first, result.auc_second), strict=True)
    parents = [f"{name} {area:.3f}" for name, area in alone if area is not None]
    return " ".join([*texts, *([f"Alone: {formatting.listed(parents)}."] if parents else [])])


def _fields(row: type) -> list[str]:
    return [name for name in row.__dataclass_fields__ if name not in ("n_equal", "reason")]  # type: ignore[attr-defined]


def fusion_reading(result: fusion.FusionPreview) -> str:
    """Describe the best weights, their predicted value, and the value counted there."""
    texts = [] if result.scale_warning is None else [f"{formatting.sentence(result.scale_warning)}."]
    columns: tuple[tuple[fusion.Column, str], ...] = (
        ("correlated", "predicted with correlations"),
        ("independent", "predicted without them"),
        ("empirical", "as counted"),
    )
    for by, what in columns:
        best = result.best(by)
        if best.weight_a is None:
            continue
        weights = f"{best.weight_a:g} of {result.names[0]} to {best.weight_b:g} of {result.names[1]}"
        if by == "empirical":
            texts.append(f"Best {what}: {weights}, {best.value:.4f}.")
        else:
            texts.append(
                f"Best {what}: {weights}, {result.target} {best.value:.4f}; counted there: "
                f"{best.empirical:.4f}, {best.loss:.4f} from the best that was counted."
            )
    return " ".join(texts) or f"Nothing could be predicted: {result.reason}."


# ---- Learning algorithms: verdicts over data sets and folds, ranks, bootstrap estimates -------------------


@sections.section_of.register
def algorithms_section(result: AlgorithmComparison, item: sections.Item) -> sections.Section:
    """Verdicts of learning algorithms over data sets, and their ranks."""
    tests = [f"{by}.{field}" for by in ("auc", "error") for field in ("difference", "p_value", "p_holm")]
    body: list[sections.Part] = [
        sections.Plot(
            picture=plotting.picture(result),
            reading=verdict_reading(result),
            notes=sections.remarks([("", result)]),
        ),
        sections.row_table(
            result.verdicts,
            ("dataset", "pair", *tests, "case"),
            caption="Verdicts",
            named={"case": "verdict"},
        ),
    ]
    for table in (result.table(measure) for measure in ("auc", "error")):
        header, *rows = table.lines()
        body.append(sections.Table(caption=table.legend(), header=header, rows=rows))
    ranked = [ranks for ranks in result.ranks.values() if ranks.average_ranks is not None]
    if ranked:
        panels = tuple(panel for ranks in ranked for panel in plotting.picture(ranks).panels)
        body.append(
            sections.Plot(picture=Picture(panels=panels), reading=" ".join(map(rank_reading, ranked)))
        )
    return sections.Section(title=item.titled("Learning algorithms"), body=tuple(body))


def verdict_reading(result: AlgorithmComparison) -> str:
    """Count the verdicts of the two tests."""
    how = f"{formatting.counted(result.folds, 'fold')}, {result.protocol}"
    sets = formatting.counted(len(result.datasets), "data set")
    cases = [f"{case} ({n})" for case, n in result.cases().items() if n]
    failed = f" {formatting.counted(len(result.failures), 'fold')} failed." if result.failures else ""
    return (
        f"{formatting.counted(len(result.algorithms), 'algorithm')} on {sets} ({how}), each pair tested by "
        f"AUC ({result.verdict_test['auc']}) and by error ({result.verdict_test['error']}) at "
        f"{100 * result.level:g}%. Verdicts: {formatting.listed(cases)}.{failed}"
    )


def rank_reading(ranks: RankComparison) -> str:
    """Name the best algorithm, and those that are indistinguishable from it."""
    assert ranks.average_ranks is not None
    best = int(np.argmin(ranks.average_ranks))
    name, measure = ranks.algorithms[best], {"auc": "AUC"}.get(ranks.measure, ranks.measure)
    texts = [f"By {measure} {name} has the best average rank, {ranks.average_ranks[best]:.2f}."]
    alike = {other for group in ranks.groups if name in group for other in group} - {name}
    if alike:
        kept = [other for other in ranks.algorithms if other in alike]
        texts.append(
            f"{formatting.listed(kept)} {'is' if len(kept) == 1 else 'are'} indistinguishable from it."
        )
    if ranks.friedman is not None and ranks.friedman.p_value is not None:
        texts.append(f"Friedman's test of equal ranks: p = {formatting.p_value(ranks.friedman.p_value)}.")
    return " ".join(texts)


@sections.section_of.register
def bootstrap_section(result: BootstrapAuc, item: sections.Item) -> sections.Section:
    """Bootstrap estimates of one learning algorithm."""
    families = (result.estimates(), result.error.estimates())
    named = {
        formatting.sentence(estimate.name): estimate for family in families for estimate in family.values()
    }
    plot = sections.Plot(
        picture=plotting.picture(result, show="all"), reading=bootstrap_reading(result), notes=result.warnings
    )
    table = sections.estimate_table(named, caption="Every estimate with its interval")
    return sections.Section(title=item.titled("Bootstrap estimates"), body=(plot, table))


def bootstrap_reading(result: BootstrapAuc) -> str:
    """Describe what is to be expected on new cases, and the optimism of the training cases."""
    texts = [
        f"A classifier trained on these {result.n_pos + result.n_neg} cases is expected to have an AUC of "
        f"{formatting.estimate_phrase(result.point632plus)} on new ones (.632+)."
    ]
    apparent, star = result.apparent.value, result.star.value
    if apparent is not None and star is not None:
        texts.append(
            f"On the training cases themselves it has {apparent:.3f}, on cases left out {star:.3f}: a "
            f"difference of {apparent - star:+.3f}."
        )
    error = result.error.point632plus
    if error.value is not None:
        texts.append(f"Its error rate is expected to be {formatting.estimate_phrase(error)}.")
    texts.append(
        f"{result.n_boot} replicates were drawn, {result.redrawn} of them again for lack of a class."
    )
    return " ".join(texts)


# ---- Any other result: its picture where it has one, its text, its numbers --------------------------------


@sections.section_of.register
def plain_section(result: Result, item: sections.Item) -> sections.Section:
    """The section of any other class; a table of one row has its columns below each other."""
    reading, notes = plain_reading(result), sections.remarks([("", result)])
    body: list[sections.Part] = [
        sections.Paragraph(reading, "reading"),
        *(sections.Paragraph(note, "note") for note in notes),
    ]
    if not plotting.is_table(result):
        body = [sections.Plot(picture=plotting.picture(result), reading=reading, notes=notes)]
    table = sections.column_table(result.columns())
    if table is not None and len(table.rows) == 1:
        rows = tuple(zip(table.header, table.rows[0], strict=True))
        table = replace(table, header=("", "value"), rows=rows)
    title = item.titled(sections.type_name(type(result).__name__))
    return sections.Section(title=title, body=(*body, *([] if table is None else [table])))


def plain_reading(result: Result) -> str:
    """Return the text of a result without what is set like a table, and a sentence about its numbers.

    Examples
    --------
    >>> import rocscope as rs
    >>> plain_reading(rs.net_benefit([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))[:60]
    'net benefit at 99 places of threshold probability, 95% point'
    """
    lines = [line.strip() for line in result.summary().splitlines() if not sections.TABULAR.search(line)]
    return "\n".join([*lines, *filter(None, [_conclusion(result)])])


@singledispatch
def _conclusion(result: Result) -> str | None:
    """What the text of a result does not say in a sentence."""
    return None


@_conclusion.register
def _(result: BinormalPair) -> str | None:
    if result.rho_neg is None or result.rho_pos is None:
        return None
    return (
        f"Once the class is known, the two scores correlate by {result.rho_neg:.3f} among the negatives and "
        f"by {result.rho_pos:.3f} among the positives."
    )


@_conclusion.register
def _(result: DecisionCurve) -> str | None:
    columns = {name: np.asarray(values, dtype=np.float64) for name, values in result.columns().items()}
    others = np.maximum(columns["treat_all"], columns["treat_none"])
    better = columns["probability"][columns["net_benefit"] > others]
    if not len(better):
        return "Nowhere is the score worth more than treating all or none."
    return (
        f"The score is worth more than treating all or none at {len(better)} of {len(others)} threshold "
        f"probabilities, between {better.min():.2f} and {better.max():.2f}."
    )


@_conclusion.register
def _(result: learning.LearningCurve) -> str | None:
    columns = result.columns()
    areas = zip(columns["size"], columns["auc"], strict=True)
    known = [f"{area:.3f} with {size}" for size, area in areas if area is not None]
    return f"Mean AUC by the number of training cases: {formatting.listed(known)}." if known else None


@_conclusion.register
def _(result: DecisionCurves | learning.LearningCurves) -> str | None:
    texts = {name: _conclusion(curve) for name, curve in result.curves.items()}
    return "\n".join(f"{name}: {text}" for name, text in texts.items() if text is not None) or None


@_conclusion.register
def _(result: monte_carlo.MonteCarlo) -> str | None:
    best = list[str]()
    for n in result.n:
        rows = [row for row in result.rows if row.n == n and row.estimator != "true" and row.rms is not None]
        if rows:
            row = min(rows, key=lambda row: row.rms or 0.0)
            name = monte_carlo.TITLES.get(row.estimator, row.estimator)
            best.append(f"{name} with {n} training cases of each class (RMS {row.rms:.4f})")
    return f"Nearest to the truth: {formatting.listed(best)}." if best else None
