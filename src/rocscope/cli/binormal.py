"""`rocscope binormal`: binormal ROC curves, fitted by maximum likelihood."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.areas import RowSamples, split
from rocscope.cli.output import Answer, Output, TextTable, describe, interval_ends, interval_name, number
from rocscope.cli.reading import opened
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.core.result import Estimate
    from rocscope.io.local import LocalFile
    from rocscope.plotting import Picture

EXAMPLES = (
    "rocscope binormal scores.csv --label outcome --pos-label ill --score marker",
    "rocscope binormal scores.csv --label y --score a --score b --out fit.png",
    "rocscope binormal scores.csv --label y --score s --proper --at-fpr 0.1",
    "rocscope binormal scores.csv --label y --score s --axes deviate --out line.svg",
)
# Parameters of each model, in the order they are told.
PARAMETERS = {"Binormal": ("a", "b"), "ProperBinormal": ("d_a", "c")}


def binormal(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    proper: Annotated[
        bool, typer.Option("--proper", help="Fit the proper binormal curve, which never dips below chance.")
    ] = False,
    method: Annotated[
        Literal["ml", "least-squares", "moments"] | None,
        typer.Option("--method", help="How the curve is fitted; ml (maximum likelihood) unless given."),
    ] = None,
    at_fpr: Annotated[
        float | None,
        typer.Option("--at-fpr", metavar="RATE", help="Also tell the TPR at this false positive rate."),
    ] = None,
    level: options.Level = 0.95,
    axes: Annotated[
        Literal["roc", "deviate", "density"],
        typer.Option("--axes", help="Figure: ROC axes, normal-deviate axes, or the two latent densities."),
    ] = "roc",
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Fit a binormal ROC curve to each score: parameters, area and goodness of fit.

    The curve is TPR = Phi(a + b Phi^-1(FPR)). Maximum likelihood sees the order of the scores alone, all of
    it, whether they are ratings or continuous. With --na drop each score loses only the rows where its own
    value or the label is missing.
    """
    from rocscope.core.checks import check_level, check_number

    output = Output(json, out, force)
    output.check(file)
    check_level(level)
    if at_fpr is not None:
        check_number(at_fpr, name="--at-fpr", low=0, high=1)
    if proper and (method is not None or axes != "roc"):
        raise RocUsageError("--method and --axes must be left out with --proper")
    with opened(file, format, memory_limit, temp_limit) as source:
        samples = _rows(source, label, score, pos_label, na)
        described = describe(source)
    fits = _fits(samples, proper, method or "ml")
    found = {name: _estimates(fit, at_fpr, level) for name, fit in fits.items()}
    output.deliver(
        Answer(
            command="binormal",
            source=described,
            results=[_result(name, samples, fits[name], found[name]) for name in fits],
            rows=[_row(name, fits[name], found[name]) for name in fits],
            blocks=[_table(samples, fits, found), *_goodness(fits)],
            notes=_notes(samples, fits),
            picture=lambda: _picture(fits, axes, level),
        )
    )
    if all(fit.auc is None for fit in fits.values()):
        raise UndefinedError("; ".join(f"{name}: {fit.status}, {fit.reason}" for name, fit in fits.items()))


def _rows(source: LocalFile, label: str, score: Sequence[str], pos_label: str | None, na: str) -> RowSamples:
    from rocscope.io.files import read_scores

    if na == "error":
        return split(read_scores(source, label=label, score=score, pos_label=pos_label, na=na))
    return {
        name: read_scores(source, label=label, score=[name], pos_label=pos_label, na=na) for name in score
    }


def _fits(samples: RowSamples, proper: bool, method: Any) -> dict[str, Any]:
    from rocscope.binormal.fit import fit_binormal

    if proper:
        return {name: fit_binormal(data, proper=True) for name, data in samples.items()}
    return {name: fit_binormal(data, method=method) for name, data in samples.items()}


def _estimates(fit: Any, at_fpr: float | None, level: float) -> list[Estimate]:
    area = [fit.auc_estimate(level)]
    return area if at_fpr is None else [*area, fit.tpr_estimate(at_fpr, level)]


def _result(name: str, samples: RowSamples, fit: Any, found: Sequence[Estimate]) -> dict[str, Any]:
    from rocscope.core.result import plain

    data = samples[name]
    labels = {"pos_label": plain(data.pos_label), "neg_label": plain(data.neg_label)}
    told: dict[str, Any] = fit.to_dict()
    return {"score": name} | labels | told | {"estimates": [one.to_dict() for one in found]}


def _row(name: str, fit: Any, found: Sequence[Estimate]) -> dict[str, Any]:
    told = fit.to_dict()
    row: dict[str, Any] = {"score": name}
    for key, (value, se) in _parameters(fit).items():
        row |= {key: value, f"se_{key}": se}
    for one in found:
        row |= {one.name: one.value} | {f"{one.name} {end}": one[end] for end in ("se", "low", "high")}
    more = ("log_likelihood", "n_pos", "n_neg", "n_categories", "method", "status", "reason")
    return row | {field: told.get(field) for field in more}


def _parameters(fit: Any) -> dict[str, tuple[float | None, float | None]]:
    """Each parameter with its standard error."""
    names = PARAMETERS[type(fit).__name__]
    errors = [None] * len(names) if fit.cov is None else [math.sqrt(fit.cov[k, k]) for k in range(len(names))]
    return {name: (getattr(fit, name), se) for name, se in zip(names, errors, strict=True)}


def _table(
    samples: RowSamples, fits: Mapping[str, Any], found: Mapping[str, Sequence[Estimate]]
) -> TextTable:
    data, fit = next(iter(samples.values())), next(iter(fits.values()))
    told = [f"{one.name} ({interval_name(one.level, 'two-sided')})" for one in next(iter(found.values()))]
    parameters = [f"{key} (se)" for key in _parameters(fit)]
    classes = [f"positive: {data.pos_label}", f"negative: {data.neg_label}"]
    header = ("score", *parameters, *told, "log-likelihood", "categories", *classes)
    return TextTable(header, tuple(_cells(name, fits[name], found[name]) for name in fits))


def _cells(name: str, fit: Any, found: Sequence[Estimate]) -> tuple[str, ...]:
    parameters = [_with_se(*both) for both in _parameters(fit).values()]
    estimates = [
        f"{number(one.value)} ({interval_ends(one.low, one.high) or 'no interval'})" for one in found
    ]
    likelihood = number(fit.log_likelihood, ".4f") if fit.log_likelihood is not None else "none"
    return (
        name,
        *parameters,
        *estimates,
        likelihood,
        str(fit.n_categories),
        str(fit.n_pos),
        str(fit.n_neg),
    )


def _with_se(value: float | None, se: float | None) -> str:
    return number(value) if se is None else f"{number(value)} ({se:.4f})"


def _goodness(fits: Mapping[str, Any]) -> list[str]:
    tests = {name: getattr(fit, "goodness", None) for name, fit in fits.items()}
    return [f"{name}: {test}" for name, test in tests.items() if test is not None]


def _notes(samples: RowSamples, fits: Mapping[str, Any]) -> list[str]:
    return [
        f"{name}: {text}"
        for name, fit in fits.items()
        for text in (*samples[name].warnings, *fit.warnings, fit.reason)
        if text
    ]


def _picture(fits: Mapping[str, Any], axes: str, level: float) -> Picture:
    from rocscope import plotting

    options = {"level": level} if axes == "roc" else {"axes": axes}
    pictures = [plotting.picture(fit, name=name, **options) for name, fit in fits.items()]
    panels = tuple(panel for picture in pictures for panel in picture.panels)
    return plotting.Picture(panels=panels, columns=min(len(panels), 2))
