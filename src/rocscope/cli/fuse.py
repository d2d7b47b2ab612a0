"""`rocscope fuse`: what a weighted sum of two scores is worth, predicted from their curves, and counted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import rocscope as rs
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.core.formatting import interval_name
from rocscope.errors import RocInputError, RocUsageError, UndefinedError

NEEDS_FPR = {"tpr": "RATE", "partial-auc": "LOW,HIGH"}


def read_weights(text: str) -> Any:
    """Read values that both weights take, or pairs of weights.

    Examples
    --------
    >>> read_weights("0.5,1"), read_weights("1:1, 1:-2")
    ([0.5, 1], [[1, 1], [1, -2]])
    """
    allowed = "numbers 0.5,1,2 or pairs 1:1,1:2"
    try:
        parts = [opt.read_numbers(part.replace(":", ","), allowed) for part in text.split(",")]
    except RocInputError:
        parts = []
    sizes = {len(part) for part in parts}
    if sizes not in ({1}, {2}):
        raise RocInputError(f"must be {allowed}, got {text!r}")
    return parts if sizes == {2} else [part[0] for part in parts]


def read_rate(text: str) -> float | tuple[float, float]:
    """Read one rate, or a range of rates.

    Examples
    --------
    >>> read_rate("0.1"), read_rate("0,0.2")
    (0.1, (0, 0.2))
    """
    return opt.read_one_or_two(text, "a number, or two numbers LOW,HIGH")


def fuse(
    file: opt.File,
    /,
    *,
    source: opt.Scored,
    test: opt.Path | None = None,
    weights: Annotated[Any, opt.text_option(read_weights, "LIST")] = None,
    scale: Literal["raw", "matched", "latent"] = "raw",
    model: Literal["binormal", "proper", "contaminated", "empirical"] = "binormal",
    target: Literal["auc", "partial-auc", "tpr", "cost"] = "auc",
    fpr: Annotated[float | tuple[float, float], opt.text_option(read_rate, "RATE | LOW,HIGH")] | None = None,
    cost: opt.Cost | None = None,
    prevalence: opt.Prevalence | None = None,
    n_boot: opt.Count | None = None,
    level: opt.Level = 0.95,
    seed: opt.Seed | None = None,
    n_jobs: opt.NJobs | None = None,
    show: Literal["maps", "angle", "curves"] | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Preview the fusion of two scores: which weights are best, and what the sum would be worth.

    For every pair of weights: the value predicted from both binormal curves, taking the scores as
    independent given the class; the same with their fitted correlations; and the value counted on the sums
    themselves. Only the ratio of the weights matters. --out all.csv writes every pair.

    --show curves is for one combination: --weights 0.4,0.6 are then the weight of each score (the best
    weights unless given), and its ROC curve is shown, predicted and counted, beside those of both scores
    alone. --out curve.csv writes their points.

    Outputs are added up as they are, or after a map to the latent scale of their curve (--scale latent).
    As they are, a prediction holds only if they already live there: --scale matched stretches the latent
    scales to the spread of the outputs.

    Parameters
    ----------
    test
        Count the sums on the cases of this file; the curves come from FILE.
    weights
        Values that both weights take, 0.5,1,2; or pairs, 1:1,1:2. 0.1 to 1.0 unless given.
    scale
        Add up outputs as they are; the same with scales matched; or mapped.
    model
        How each score is modelled; empirical takes the outputs as they are.
    target
        What is to be best.
    fpr
        FPR of target tpr, range of partial-auc.
    prevalence
        Prevalence of the positive class in use, for target cost.
    n_boot
        Bootstrap replicates for intervals; none unless given.
    show
        Figure: heat maps over both weights, curves over their angle, or the ROC curves of one combination.

    Examples
    --------
    rocscope fuse scores.csv --label y --score svm --score mlp
    rocscope fuse fit.csv --test test.csv --label y --score svm --score mlp --out maps.png
    rocscope fuse scores.csv --label y --score a --score b --scale latent --n-boot 200 --seed 1
    rocscope fuse scores.csv --label y --score a --score b --weights 0.4,0.6 --show curves --out curve.png
    rocscope fuse scores.csv --label y --score a --score b --model proper
    rocscope fuse scores.csv --label y --score a --score b --target tpr --fpr 0.1
    rocscope fuse scores.csv --label y --score a --score b --target partial-auc --fpr 0,0.2
    rocscope fuse scores.csv --label y --score a --score b --weights 1:0,2:1,1:1,1:2,0:1 --out all.csv
    """
    if len(source.score) != 2:
        raise RocUsageError(f"fuse needs --score twice, got {len(source.score)}")
    if target in NEEDS_FPR and fpr is None:
        raise RocUsageError(f"--target {target} needs --fpr {NEEDS_FPR[target]}")
    if show == "curves" and weights is not None:
        if len(weights) == 2 and not isinstance(weights[0], list):
            weights = [weights]  # those of one combination
        if len(weights) != 1:
            raise RocUsageError("--show curves needs --weights of one combination, such as 0.4,0.6 or 2:3")
    draws = opt.Draws.read(seed, used=bool(n_boot))
    output.check(file, test)
    with source.open(file) as opened:
        data, described = source.read(opened), out.describe(opened)
    tested = None
    if test is not None:
        with source.open(test) as opened:
            tested = source.read(opened)
            described |= {f"test_{name}": text for name, text in out.describe(opened).items()}
    result = rs.preview_fusion(
        data,
        test=tested,
        weights=weights,
        scale=scale,
        model=model,
        target=target,
        fpr=fpr,
        cost=cost,
        prevalence=prevalence,
        level=level,
        n_boot=n_boot or 0,
        rng=draws.seed,
        n_jobs=n_jobs,
    )
    curve = None
    if show == "curves":
        best = result.best("correlated" if result.defined[:, 1].all() else "empirical")
        curve = result.curve([best.weight_a, best.weight_b] if weights is None else weights[0])
    reason = [] if result.reason is None else [result.reason]
    output.deliver(
        out.CommandResult(
            command="fuse",
            input=described | draws.input,
            results=lambda: [one.to_dict() for one in (result, curve) if one is not None],
            rows=lambda: out.rows_of(curve or result),
            blocks=lambda: _blocks(result) if curve is None else [*_caution(result), *_curve_blocks(curve)],
            # Text has the caution beside its numbers.
            notes=[
                *result.assumptions,
                *reason,
                *result.warnings,
                *([result.scale_warning] if output.json and result.scale_warning else []),
                *(_validity_notes(result) if target == "auc" and tested is None else []),
                *draws.notes,
            ],
            picture=out.picture_of(result, show=show) if curve is None else out.picture_of(curve),
        )
    )
    if not result.defined[:, :2].any():
        raise UndefinedError(f"no prediction: {result.reason}")


def _validity_notes(result: rs.FusionPreview) -> list[str]:
    """Whether intervals of the area of a sum are known to hold it too seldom, at so many cases."""
    from rocscope.atlas.results import LEVEL, quantity_notes

    if not result.n_boot or result.level != LEVEL or result.model != "binormal":
        return []
    columns = {
        "independent": result.independent,
        "correlated": result.correlated,
        "empirical": result.empirical,
    }
    notes = list[str]()
    for k, (name, values) in enumerate(columns.items()):
        areas = values[result.defined[:, k]]
        if areas.size:
            best = float(areas.max())
            how: dict[str, Any] = {"method": "bootstrap", "area": best, "name": "area of a sum"}
            notes += quantity_notes("preview_fusion", result.n_pos, result.n_neg, {name: best}, **how)
    return notes


def _caution(result: rs.FusionPreview) -> list[out.Block]:
    """The warning that comes before all numbers."""
    return [] if result.scale_warning is None else [f"Warning: {result.scale_warning}.", ""]


def _curve_blocks(curve: rs.binormal.FusionCurve) -> list[out.Block]:
    """Areas of all curves, and how far the predicted ones are from the counted one."""
    first, second = curve.names
    names = {
        "independent": "predicted, independent",
        "correlated": "predicted, correlated",
        "empirical": "counted",
        "first": f"{first} alone",
        "second": f"{second} alone",
    }
    rows = []
    for field, name in names.items():
        cells = ["", "", ""]
        if field in ("independent", "correlated") and getattr(curve, f"auc_{field}") is not None:
            error = curve.difference(field)  # type: ignore[arg-type]
            at = int(abs(error).argmax())
            cells = [f"{abs(error).mean():.4f}", f"{error[at]:+.4f}", f"{curve.fpr[at]:.3g}"]
        rows.append((name, formatting.number(getattr(curve, f"auc_{field}")), *cells))
    header = ("curve", "AUC", "TPR - counted, mean size", "largest", "at FPR")
    return [
        f"{curve.title} ({curve.scale} scale, {curve.model} model)",
        "",
        out.TextTable(header, tuple(rows)),
    ]


def _blocks(result: rs.FusionPreview) -> list[out.Block]:
    """Curves and correlations, the choices of weights, the agreement, and the best weights of all."""
    curves = [
        (
            name,
            *(formatting.number(getattr(fit, parameter)) for parameter in (*fit.PARAMETERS, "auc")),
            "" if fit.status == "ok" else fit.status,
        )
        for name, fit in zip(result.names, (result.first, result.second), strict=True)
    ]
    model = "" if result.model == "binormal" else f", {result.model} model"
    pair = result.pair
    neg, pos = (None, None) if pair is None else (pair.rho_neg, pair.rho_pos)
    tested = "" if (result.n_pos_test, result.n_neg_test) == (result.n_pos, result.n_neg) else ", test cases"
    choices = []
    for row in result.choices:
        ratio = "undefined" if row.weight_a is None else f"{row.weight_a:g} : {row.weight_b:g}"
        share = "" if row.share is None else f"{100 * row.share:.0f}%"
        figures = [formatting.number(value) for value in (row.value, row.empirical, row.loss)]
        mark = ["predicted badly" if row.is_off else ""] if result.scale_warning else []
        choices.append(
            (f"{row.kind} by {row.by}", ratio, *figures, *([share] if result.n_boot else []), *mark)
        )
    again = ["chosen again"] if result.n_boot else []
    again += [""] if result.scale_warning else []
    agreement = []
    for one in result.agreement:
        ends = "" if one.low is None else f" ({one.low:+.4f} to {one.high:+.4f})"
        sizes = [formatting.number(value) for value in (one.mean_abs_error, one.max_abs_error)]
        ranks = [formatting.number(value, ".3f") for value in (one.kendall, one.spearman)]
        agreement.append(
            (f"{one.first} - {one.second}", formatting.number(one.mean_error, "+.4f") + ends, *sizes, *ranks)
        )
    mean = f"mean ({interval_name(result.level, 'two-sided')})" if result.n_boot else "mean"
    blocks: list[out.Block] = [
        *_caution(result),
        out.TextTable((f"{result.first.model} curve", *result.first.PARAMETERS, "AUC", ""), tuple(curves)),
        f"correlation among negatives {formatting.number(neg)}, among positives {formatting.number(pos)}",
        "",
        f"{result.target} of weighted sums ({result.scale} scale{model}{tested}): {len(result)} pairs of "
        f"weights, {len(result.directions)} different ratios",
        "",
        out.TextTable(
            ("choice", f"{result.names[0]} : {result.names[1]}", "its value", "counted", "loss", *again),
            tuple(choices),
        ),
        "",
        out.TextTable(
            ("first - second", mean, "mean size", "largest", "Kendall", "Spearman"), tuple(agreement)
        ),
    ]
    optima = {"independent": result.optimum_independent, "correlated": result.optimum_correlated}
    known = {by: best for by, best in optima.items() if best is not None}
    if result.target != "AUC" or not known:
        return blocks
    blocks.append("")
    for by, best in known.items():
        free, bound = (", ".join(f"{w:.4f}" for w in weights) for weights in (best.free, best.nonnegative))
        text = f"Best of all weights, {by}: {free} (predicted AUC {best.auc_free:.4f})"
        blocks.append(text if free == bound else f"{text}; at least 0: {bound} ({best.auc_nonnegative:.4f})")
    return blocks
