"""Fitted curves on ROC and normal-deviate axes, and the preview of a fusion of two classifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rocscope import plotting
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fusion import FusionAgreement, FusionChoice, FusionPreview
from rocscope.core import formatting
from rocscope.reporting import tables
from rocscope.reporting.sections import Item, Plot, Section, Table
from rocscope.reporting.tables import after_name, cell, number, remarks, rows_table

WITHOUT_DATA = "The points of the data are not among the saved numbers: the fitted curve is shown alone."


def model_sections(items: Sequence[Item]) -> list[Section]:
    """One section for each fit or preview."""
    return [_fusion(item) if isinstance(item.result, FusionPreview) else _fit(item) for item in items]


# ---- Fits -------------------------------------------------------------------------------------------------


def _fit(item: Item) -> Section:
    fit = item.result
    plots = [_plot(item, "roc", fit_words(fit))]
    if isinstance(fit, Binormal) and fit.auc is not None:
        plots.append(_plot(item, "deviate", _deviate_words(fit)))
        plots.append(_plot(item, "density", _density_words(fit)))
    model = "Binormal fit" if isinstance(fit, Binormal) else "Fitted curve"
    return Section(title=item.titled(model), body=(*plots, *_figures(fit)))


def _plot(item: Item, axes: str, told: str) -> Plot:
    picture = plotting.picture(item.result, axes=axes, name=item.name)
    notes = (*remarks([("", item.result)]), *_without_data(item.result)) if axes == "roc" else ()
    return Plot(picture=picture, reading=told, notes=notes)


def _without_data(fit: Any) -> tuple[str, ...]:
    """Say that a fit came back from its saved numbers, among which its cases are not."""
    return (WITHOUT_DATA,) if fit.n_categories is not None and fit.categories is None else ()


def fit_words(fit: Any) -> str:
    """Say what the fit found, and whether the data object to it."""
    if fit.auc is None:
        return f"No curve was fitted ({fit.status}): {fit.reason}."
    told = [f"The area under the fitted curve is {tables.with_interval(fit.auc_estimate())}."]
    data = getattr(fit, "categories", None)
    if data is not None:
        told.append(f"That of the data is {data.auc:.3f}.")
    goodness = getattr(fit, "goodness", None)
    if goodness is not None and goodness.p_value is not None:
        objects = "object" if goodness.p_value < 0.05 else "do not object"
        told.append(
            f"The data {objects} to the model at the 5% level (p = {formatting.p_value(goodness.p_value)})."
        )
    return " ".join(told)


def _deviate_words(fit: Binormal) -> str:
    a, b = fit.parameters()
    against = "" if fit.categories is None else " Points of the data far from it speak against the model."
    return (
        f"On normal-deviate axes the curve is a straight line: intercept {_with_se(a, fit.se_a)}, slope "
        f"{_with_se(b, fit.se_b)}.{against}"
    )


def _with_se(value: float, se: float | None) -> str:
    return f"{value:.3f}" if se is None else f"{value:.3f} (standard error {se:.3f})"


def _density_words(fit: Binormal) -> str:
    shown = fit.densities()
    return (
        f"The two latent densities; at the threshold with the largest TPR - FPR, {tables.share(shown.fpr)} "
        f"of the negatives lie above it and {tables.share(shown.fnr)} of the positives below."
    )


def _figures(fit: Any) -> list[Table]:
    if not isinstance(fit, Binormal) or fit.auc is None:
        return []
    rows = [
        ("a (intercept)", number(fit.a), cell(fit.se_a)),
        ("b (slope)", number(fit.b), cell(fit.se_b)),
        ("AUC", number(fit.auc), cell(fit.se_auc)),
    ]
    return [Table(caption=f"Parameters ({fit.method})", header=("", "value", "standard error"), rows=rows)]


# ---- Fusion -----------------------------------------------------------------------------------------------


def _fusion(item: Item) -> Section:
    result: FusionPreview = item.result
    notes = [after_name(text, result.names) for text in (result.reason, *result.warnings) if text]
    notes += [f"Taken for granted: {text}" for text in result.assumptions]
    weights = {f"weight_{which}": f"weight of {name}" for which, name in zip("ab", result.names, strict=True)}
    weights["empirical"] = "counted there"
    body = (
        Plot(picture=plotting.picture(result), reading=fusion_words(result), notes=tuple(notes)),
        rows_table(result.choices, _fields(FusionChoice), caption="Best and worst weights", named=weights),
        rows_table(
            result.agreement, _fields(FusionAgreement), caption="How far predictions and counts agree"
        ),
    )
    return Section(title=item.titled(f"Fusion of {result.names[0]} and {result.names[1]}"), body=body)


def _fields(row: type) -> list[str]:
    return [name for name in row.__dataclass_fields__ if name not in ("n_equal", "reason")]  # type: ignore[attr-defined]


def fusion_words(result: FusionPreview) -> str:
    """Say what weights to take, what they promise, and what was counted there."""
    told = []
    for by, what in (
        ("correlated", "predicted with correlations"),
        ("independent", "predicted without them"),
    ):
        best = result.best(by)
        if best.weight_a is not None:
            told.append(
                f"Best {what}: {_pair(best, result)}, {result.target} {best.value:.4f}; counted there: "
                f"{best.empirical:.4f}, {best.loss:.4f} from the best that was counted."
            )
    counted = result.best("empirical")
    if counted.weight_a is not None:
        told.append(f"Best as counted: {_pair(counted, result)}, {counted.value:.4f}.")
    return " ".join(told) or f"Nothing could be predicted: {result.reason}."


def _pair(choice: FusionChoice, result: FusionPreview) -> str:
    return f"{choice.weight_a:g} of {result.names[0]} to {choice.weight_b:g} of {result.names[1]}"
