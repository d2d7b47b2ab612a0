"""`rocscope binormal`: binormal ROC curves, fitted by maximum likelihood."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.plotting import Picture

FIELDS = ("log_likelihood", "n_pos", "n_neg", "n_categories", "method", "status", "reason")


def binormal(
    file: opt.File,
    /,
    *,
    source: opt.Scored,
    proper: opt.Flag = False,
    method: Literal["ml", "least-squares", "moments"] | None = None,
    at_fpr: Annotated[float, Parameter(metavar="RATE")] | None = None,
    level: opt.Level = 0.95,
    axes: Literal["roc", "deviate", "density"] = "roc",
    output: out.Output = out.Output(),
) -> None:
    """Fit a binormal ROC curve to each score: parameters, area and goodness of fit.

    The curve is TPR = Phi(a + b Phi^-1(FPR)). Maximum likelihood sees the order of the scores alone, all of
    it, whether they are ratings or continuous. With --na drop each score loses only the rows where its own
    value or the label is missing.

    Parameters
    ----------
    proper
        Fit the proper binormal curve, which never dips below chance.
    method
        How the curve is fitted; ml (maximum likelihood) unless given.
    at_fpr
        Also estimate the TPR at this false positive rate.
    axes
        Figure: ROC axes, normal-deviate axes, or the two latent densities.

    Examples
    --------
    rocscope binormal scores.csv --label outcome --pos-label ill --score marker
    rocscope binormal scores.csv --label y --score a --score b --out fit.png
    rocscope binormal scores.csv --label y --score s --proper --at-fpr 0.1
    rocscope binormal scores.csv --label y --score s --axes deviate --out line.svg
    """
    from rocscope.core.checks import check_level, check_number
    from rocscope.core.result import plain

    output.check(file)
    check_level(level)
    if at_fpr is not None:
        check_number(at_fpr, name="at_fpr", low=0, high=1)
    if proper and (method is not None or axes != "roc"):
        raise RocUsageError("--method and --axes must be left out with --proper")
    with source.open(file) as opened:
        samples = source.samples(opened)
        described = out.describe(opened)
    options: dict[str, Any] = {"proper": True} if proper else {"method": method or "ml"}
    fits: dict[str, Any] = {name: rs.fit_binormal(data, **options) for name, data in samples.items()}
    estimates = {
        name: [fit.auc_estimate(level), *([] if at_fpr is None else [fit.tpr_estimate(at_fpr, level)])]
        for name, fit in fits.items()
    }
    parameters: dict[str, dict[str, tuple[float | None, float | None]]] = {}
    for name, fit in fits.items():  # each parameter with its standard error
        errors = [None if fit.cov is None else math.sqrt(fit.cov[k, k]) for k in range(2)]
        named = zip(fit.PARAMETERS, errors, strict=True)
        parameters[name] = {key: (getattr(fit, key), se) for key, se in named}

    def document(name: str) -> dict[str, Any]:
        data = samples[name]
        labels = {"pos_label": plain(data.pos_label), "neg_label": plain(data.neg_label)}
        fit: dict[str, Any] = fits[name].to_dict()
        found = {"estimates": [one.to_dict() for one in estimates[name]]}
        return {"score": name} | labels | fit | found

    def row(name: str) -> dict[str, Any]:
        cells: dict[str, Any] = {"score": name}
        for key, (value, se) in parameters[name].items():
            cells |= {key: value, f"se_{key}": se}
        for one in estimates[name]:
            cells |= {one.name: one.value} | {f"{one.name} {end}": one[end] for end in ("se", "low", "high")}
        fields = fits[name].to_dict()
        return cells | {field: fields.get(field) for field in FIELDS}

    def table() -> out.TextTable:
        data, first = next(iter(samples.values())), next(iter(samples))
        columns = [
            f"{one.name} ({formatting.interval_name(one.level, 'two-sided')})" for one in estimates[first]
        ]
        classes = [f"positive: {data.pos_label}", f"negative: {data.neg_label}"]
        keys = [f"{key} (se)" for key in parameters[first]]
        rows = []
        for name, fit in fits.items():
            values = [
                formatting.number(value) + ("" if se is None else f" ({se:.4f})")
                for value, se in parameters[name].values()
            ]
            likelihood = "none" if fit.log_likelihood is None else formatting.number(fit.log_likelihood)
            counts = map(str, (fit.n_categories, fit.n_pos, fit.n_neg))
            rows.append((name, *values, *map(out.with_interval, estimates[name]), likelihood, *counts))
        header = ("score", *keys, *columns, "log-likelihood", "categories", *classes)
        return out.TextTable(header, tuple(rows))

    def picture() -> Picture:
        from rocscope import plotting

        view = {"level": level} if axes == "roc" else {"axes": axes}
        pictures = [plotting.picture(fit, name=name, **view) for name, fit in fits.items()]
        panels = tuple(panel for one in pictures for panel in one.panels)
        return plotting.Picture(panels=panels, columns=min(len(panels), 2))

    tests = {name: getattr(fit, "goodness", None) for name, fit in fits.items()}
    output.deliver(
        out.CommandResult(
            command="binormal",
            input=described,
            results=lambda: [document(name) for name in fits],
            rows=lambda: [row(name) for name in fits],
            blocks=lambda: [
                table(),
                *(f"{name}: {test}" for name, test in tests.items() if test is not None),
            ],
            notes=[
                f"{name}: {text}"
                for name, fit in fits.items()
                for text in (*samples[name].warnings, *fit.warnings, fit.reason)
                if text
            ]
            + [note for name, fit in fits.items() for note in _validity_notes(name, fit)],
            picture=picture,
        )
    )
    if all(fit.auc is None for fit in fits.values()):
        raise UndefinedError("; ".join(f"{name}: {fit.status}, {fit.reason}" for name, fit in fits.items()))


def _validity_notes(name: str, fit: Any) -> list[str]:
    """Parameters and areas of a fit whose intervals are known to hold too seldom in so few cases."""
    from rocscope.atlas.results import quantity_notes

    if not isinstance(fit, rs.Binormal) or fit.method not in FAMILIES:
        return []
    family, method = FAMILIES[fit.method]
    values = {"AUC": fit.auc, "a": fit.a, "b": fit.b}
    return quantity_notes(family, fit.n_pos, fit.n_neg, values, method=method, name=name)


# Families of the atlas, and the name of the default there.
FAMILIES = {"ml": ("fit_binormal", "expected"), "moments": ("fit_binormal moments", "moments")}
