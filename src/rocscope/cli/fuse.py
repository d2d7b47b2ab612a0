"""`rocscope fuse`: what a weighted sum of two scores is worth, predicted from their curves, and counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.options import Draws, check_jobs, read_cost, read_number, read_range
from rocscope.cli.output import Answer, Output, TextTable, describe, interval_name, number, rows_of
from rocscope.cli.reading import opened
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.binormal.combine import BestWeights
    from rocscope.binormal.fusion import FusionAgreement, FusionChoice, FusionPreview
    from rocscope.core.scores import BinaryScores
    from rocscope.plotting import Picture

EXAMPLES = (
    "rocscope fuse scores.csv --label y --score svm --score mlp",
    "rocscope fuse fit.csv --test test.csv --label y --score svm --score mlp --out maps.png",
    "rocscope fuse scores.csv --label y --score a --score b --scale latent --n-boot 200 --seed 1",
    "rocscope fuse scores.csv --label y --score a --score b --target tpr --fpr 0.1",
    "rocscope fuse scores.csv --label y --score a --score b --target partial-auc --fpr 0,0.2",
    "rocscope fuse scores.csv --label y --score a --score b --weights 1:0,2:1,1:1,1:2,0:1 --out all.csv",
)
NEEDS_FPR = {"tpr": "RATE", "partial-auc": "LOW,HIGH"}


def fuse(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    test: Annotated[
        str | None,
        typer.Option(
            "--test", metavar="FILE", help="Count the sums on these cases; the curves come from FILE."
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            metavar="LIST",
            help="Values that both weights take, 0.5,1,2; or pairs, 1:1,1:2. 0.1 to 1.0 unless given.",
        ),
    ] = None,
    scale: Annotated[
        Literal["raw", "matched", "latent"],
        typer.Option("--scale", help="Add up outputs as they are; the same with scales matched; or mapped."),
    ] = "raw",
    target: Annotated[
        Literal["auc", "partial-auc", "tpr", "cost"], typer.Option("--target", help="What is to be best.")
    ] = "auc",
    fpr: Annotated[
        str | None,
        typer.Option("--fpr", metavar="RATE | LOW,HIGH", help="FPR of target tpr, range of partial-auc."),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option("--cost", metavar="FN | FP,FN", help="Cost of a false negative; of a false positive 1."),
    ] = None,
    prevalence: Annotated[
        float | None, typer.Option("--prevalence", help="Share of positives in use, for target cost.")
    ] = None,
    n_boot: Annotated[
        int | None,
        typer.Option("--n-boot", metavar="N", help="Bootstrap replicates for intervals; none unless given."),
    ] = None,
    level: options.Level = 0.95,
    seed: options.Seed = None,
    n_jobs: options.NJobs = None,
    show: Annotated[
        Literal["maps", "angle"] | None,
        typer.Option("--show", help="Figure: heat maps over both weights, or curves over their angle."),
    ] = None,
    na: options.Na = "error",
    format: options.Format = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Preview the fusion of two scores: which weights are best, and what the sum would be worth.

    For every pair of weights: the value predicted from both binormal curves, taking the scores as
    independent given the class; the same with their fitted correlations; and the value counted on the sums
    themselves. Only the ratio of the weights matters. --out all.csv writes every pair.

    Outputs are added up as they are, or after a map to the latent scale of their curve (--scale latent).
    As they are, a prediction holds only if they already live there: --scale matched stretches the latent
    scales to the spread of the outputs.
    """
    from rocscope.binormal.fusion import preview_fusion

    if len(score) != 2:
        raise RocUsageError(f"fuse needs --score twice, got {len(score)}")
    if target in NEEDS_FPR and fpr is None:
        raise RocUsageError(f"--target {target} needs --fpr {NEEDS_FPR[target]}")
    check_jobs(n_jobs)
    draws = Draws.read(n_boot, seed, used=bool(n_boot))
    ask = {"weights": read_weights(weights), "fpr": read_rate(fpr), "cost": read_cost(cost)}
    output = Output(json, out, force)
    output.check(file, test)
    columns: dict[str, Any] = {"label": label, "score": score, "pos_label": pos_label, "na": na}
    data, described = _read(file, format, temp_limit, columns)
    tested, described_test = None, {}
    if test is not None:
        tested, told = _read(test, format, temp_limit, columns)
        described_test = {f"test_{name}": text for name, text in told.items()}
    result = preview_fusion(
        data,
        test=tested,
        scale=scale,
        target=target,
        prevalence=prevalence,
        level=level,
        n_boot=n_boot or 0,
        rng=draws.seed,
        n_jobs=n_jobs,
        **ask,
    )
    output.deliver(
        Answer(
            command="fuse",
            source=described | described_test | draws.told,
            results=[result.to_dict()],
            rows=rows_of(result),
            blocks=blocks(result),
            notes=_notes(result, draws),
            picture=lambda: _picture(result, show),
        )
    )
    if not result.defined[:, :2].any():
        raise UndefinedError(f"no prediction: {result.reason}")


def read_weights(text: str | None) -> Any:
    """Read values that both weights take, or pairs of weights.

    Examples
    --------
    >>> read_weights("0.5,1"), read_weights("1:1, 1:-2")
    ([0.5, 1], [[1, 1], [1, -2]])
    """
    if text is None:
        return None
    parts = [[read_number(value) for value in part.split(":")] for part in text.split(",")]
    sizes = {len(part) for part in parts}
    if sizes not in ({1}, {2}) or any(value is None for part in parts for value in part):
        raise RocUsageError(f"--weights must be numbers 0.5,1,2 or pairs 1:1,1:2, got {text!r}")
    return parts if sizes == {2} else [part[0] for part in parts]


def read_rate(text: str | None) -> Any:
    """Read one rate, or a range of rates.

    Examples
    --------
    >>> read_rate("0.1"), read_rate("0,0.2")
    (0.1, (0, 0.2))
    """
    if text is None or "," in text:
        return read_range(text, "--fpr")
    rate = read_number(text)
    if rate is None:
        raise RocUsageError(f"--fpr must be a number, or two numbers LOW,HIGH, got {text!r}")
    return rate


def _read(
    file: str, format: str | None, temp_limit: str | None, columns: Mapping[str, Any]
) -> tuple[BinaryScores, dict[str, str]]:
    from rocscope.io.files import read_scores

    with opened(file, format, temp_limit=temp_limit) as source:
        data: BinaryScores = read_scores(source, **columns)
        return data, describe(source)


def _notes(result: FusionPreview, draws: Draws) -> list[str]:
    reason = [] if result.reason is None else [result.reason]
    return [*result.assumptions, *reason, *result.warnings, *draws.notes]


def _picture(result: FusionPreview, show: Literal["maps", "angle"] | None) -> Picture:
    from rocscope.plotting import fusion as view

    return view.fusion_picture(result, show=show)


# ---- A preview of a fusion as lines and tables for people -------------------------------------------------


def blocks(result: FusionPreview) -> list[str | TextTable]:
    """Curves and correlations, the choices of weights, the agreement, and the best weights of all."""
    tables: list[str | TextTable] = [_curves(result), _correlations(result), "", _head(result), ""]
    return [*tables, _choices(result), "", _agreement(result), *_optima(result)]


def _head(result: FusionPreview) -> str:
    ratios = len(result.directions)
    tested = "" if (result.n_pos_test, result.n_neg_test) == (result.n_pos, result.n_neg) else ", test cases"
    what = f"{result.target} of weighted sums ({result.scale} scale{tested})"
    return f"{what}: {len(result)} pairs of weights, {ratios} different ratios"


def _curves(result: FusionPreview) -> TextTable:
    fits = zip(result.names, (result.first, result.second), strict=True)
    cells = [
        (name, number(fit.a), number(fit.b), number(fit.auc), "" if fit.status == "ok" else fit.status)
        for name, fit in fits
    ]
    return TextTable(("binormal curve", "a", "b", "AUC", ""), tuple(cells))


def _correlations(result: FusionPreview) -> str:
    pair = result.pair
    neg, pos = (None, None) if pair is None else (pair.rho_neg, pair.rho_pos)
    return f"correlation among negatives {number(neg)}, among positives {number(pos)}"


def _choices(result: FusionPreview) -> TextTable:
    header = ["choice", f"{result.names[0]} : {result.names[1]}", "its value", "counted", "loss"]
    if result.n_boot:
        header.append("chosen again")
    return TextTable(tuple(header), tuple(_choice(row, bool(result.n_boot)) for row in result.choices))


def _choice(row: FusionChoice, drawn: bool) -> tuple[str, ...]:
    weights = "undefined" if row.weight_a is None else f"{row.weight_a:g} : {row.weight_b:g}"
    figures = [number(value) for value in (row.value, row.empirical, row.loss)]
    share = "" if row.share is None else f"{100 * row.share:.0f}%"
    return (f"{row.kind} by {row.by}", weights, *figures, *([share] if drawn else []))


def _agreement(result: FusionPreview) -> TextTable:
    interval = f" ({interval_name(result.level, 'two-sided')})" if result.n_boot else ""
    header = ("first - second", f"mean{interval}", "mean size", "largest", "Kendall", "Spearman")
    return TextTable(header, tuple(_agreeing(row) for row in result.agreement))


def _agreeing(row: FusionAgreement) -> tuple[str, ...]:
    ends = "" if row.low is None else f" ({row.low:+.4f} to {row.high:+.4f})"
    sizes = [number(value) for value in (row.mean_abs_error, row.max_abs_error)]
    ranks = [number(value, ".3f") for value in (row.kendall, row.spearman)]
    return (f"{row.first} - {row.second}", number(row.mean_error, "+.4f") + ends, *sizes, *ranks)


def _optima(result: FusionPreview) -> list[str]:
    """The best of all weights, in the grid or not, where the target is the AUC they are best for."""
    found = (("independent", result.optimum_independent), ("correlated", result.optimum_correlated))
    if result.target != "AUC" or all(best is None for _, best in found):
        return []
    return ["", *(f"Best of all weights, {by}: {_best(best)}" for by, best in found if best is not None)]


def _best(best: BestWeights) -> str:
    free, bound = (", ".join(f"{w:.4f}" for w in weights) for weights in (best.free, best.nonnegative))
    text = f"{free} (predicted AUC {best.auc_free:.4f})"
    return text if free == bound else f"{text}; at least 0: {bound} ({best.auc_nonnegative:.4f})"
