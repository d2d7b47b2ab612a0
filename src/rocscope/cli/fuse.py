"""`rocscope fuse`: what a weighted sum of two scores is worth, predicted from their curves, and counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.fused import blocks
from rocscope.cli.output import Answer, Output, describe, rows_of
from rocscope.cli.parse import Draws, check_jobs, read_cost, read_number, read_range
from rocscope.cli.reading import opened
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.binormal.fusion_result import FusionPreview
    from rocscope.core.scores import BinaryScores
    from rocscope.views import Picture

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
    from rocscope.sources.files import read_scores

    with opened(file, format, temp_limit=temp_limit) as source:
        data: BinaryScores = read_scores(source, **columns)
        return data, describe(source)


def _notes(result: FusionPreview, draws: Draws) -> list[str]:
    reason = [] if result.reason is None else [result.reason]
    return [*result.assumptions, *reason, *result.warnings, *draws.notes]


def _picture(result: FusionPreview, show: Literal["maps", "angle"] | None) -> Picture:
    from rocscope.views import fusion as view

    return view.picture(result, show=show)
