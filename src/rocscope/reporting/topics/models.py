"""Fitted curves, previews of a fusion, learning algorithms, and bootstrap estimates of one of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocscope import plotting
from rocscope.algorithms.comparison import AlgorithmComparison
from rocscope.algorithms.ranks import RankComparison
from rocscope.binormal import curve, fusion
from rocscope.binormal.latent import LatentCurve
from rocscope.bootstrap.estimates import BootstrapAuc
from rocscope.core import formatting
from rocscope.plotting.marks import Picture
from rocscope.reporting.sections import (
    Item,
    Part,
    Plot,
    Section,
    Table,
    cell,
    estimate_table,
    remarks,
    row_table,
    section_of,
)

WITHOUT_DATA = "The points of the data are not among the saved numbers: the fitted curve is shown alone."


# ---- Fits on ROC and normal-deviate axes ------------------------------------------------------------------


@section_of.register
def fit_section(fit: LatentCurve, item: Item) -> Section:
    """The fitted curve; of a binormal one also its line on deviate axes, its densities and parameters.

    A fit that comes from saved numbers has no data beside it.
    """
    notes = remarks([("", fit)])
    if fit.n_categories is not None and fit.categories is None:
        notes = (*notes, WITHOUT_DATA)
    body: list[Part] = [
        Plot(picture=plotting.picture(fit, axes="roc", name=item.name), reading=fit_reading(fit), notes=notes)
    ]
    if not isinstance(fit, curve.Binormal):
        return Section(title=item.titled("Fitted curve"), body=tuple(body))
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
            body.append(Plot(picture=picture, reading=reading))
        rows = [
            ("a (intercept)", formatting.table_number(fit.a), cell(fit.se_a)),
            ("b (slope)", formatting.table_number(fit.b), cell(fit.se_b)),
            ("AUC", formatting.table_number(fit.auc), cell(fit.se_auc)),
        ]
        header = ("", "value", "standard error")
        body.append(Table(caption=f"Parameters ({fit.method})", header=header, rows=rows))
    return Section(title=item.titled("Binormal fit"), body=tuple(body))


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


@section_of.register
def fusion_section(result: fusion.FusionPreview, item: Item) -> Section:
    """The preview of a fusion with its best weights."""
    notes = list[str]()
    for text in (result.reason, *result.warnings):
        if text:  # the name that a remark begins with goes to its end, where it keeps its letters
            name = next((name for name in result.names if text.startswith(f"{name}: ")), None)
            about = formatting.sentence(text if name is None else text.removeprefix(f"{name}: "))
            notes.append(about if name is None else f"{about} ({name})")
    notes += [f"Taken for granted: {text}" for text in result.assumptions]
    names = {f"weight_{which}": f"weight of {name}" for which, name in zip("ab", result.names, strict=True)}
    names["empirical"] = "counted there"
    body = (
        Plot(picture=plotting.picture(result), reading=fusion_reading(result), notes=tuple(notes)),
        row_table(
            result.choices, _fields(fusion.FusionChoice), caption="Best and worst weights", named=names
        ),
        row_table(
            result.agreement, _fields(fusion.FusionAgreement), caption="How far predictions and counts agree"
        ),
    )
    return Section(title=item.titled(f"Fusion of {result.names[0]} and {result.names[1]}"), body=body)


def _fields(row: type) -> list[str]:
    return [name for name in row.__dataclass_fields__ if name not in ("n_equal", "reason")]  # type: ignore[attr-defined]


def fusion_reading(result: fusion.FusionPreview) -> str:
    """Describe the best weights, their predicted value, and the value counted there."""
    texts = list[str]()
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


@section_of.register
def algorithms_section(result: AlgorithmComparison, item: Item) -> Section:
    """Verdicts of learning algorithms over data sets, and their ranks."""
    tests = [f"{by}.{field}" for by in ("auc", "error") for field in ("difference", "p_value", "p_holm")]
    body: list[Part] = [
        Plot(
            picture=plotting.picture(result), reading=verdict_reading(result), notes=remarks([("", result)])
        ),
        row_table(
            result.verdicts,
            ("dataset", "pair", *tests, "case"),
            caption="Verdicts",
            named={"case": "verdict"},
        ),
    ]
    ranked = [ranks for ranks in result.ranks.values() if ranks.average_ranks is not None]
    if ranked:
        panels = tuple(panel for ranks in ranked for panel in plotting.picture(ranks).panels)
        body.append(Plot(picture=Picture(panels=panels), reading=" ".join(map(rank_reading, ranked))))
    return Section(title=item.titled("Learning algorithms"), body=tuple(body))


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


@section_of.register
def bootstrap_section(result: BootstrapAuc, item: Item) -> Section:
    """Bootstrap estimates of one learning algorithm."""
    families = (result.estimates(), result.error.estimates())
    named = {
        formatting.sentence(estimate.name): estimate for family in families for estimate in family.values()
    }
    plot = Plot(
        picture=plotting.picture(result, show="all"), reading=bootstrap_reading(result), notes=result.warnings
    )
    table = estimate_table(named, caption="Every estimate with its interval")
    return Section(title=item.titled("Bootstrap estimates"), body=(plot, table))


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
