"""`rocscope auc`: the area under each ROC curve, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.areas import Sample, Samples, area, area_notes, area_table, curves_picture, split
from rocscope.cli.asked import AskedArea
from rocscope.cli.classes import AskedClasses, classes_answer, undefined_words
from rocscope.cli.counted import counted, counted_area
from rocscope.cli.output import Answer, Output, describe
from rocscope.cli.reading import is_limited, needing, opened
from rocscope.errors import UndefinedError

if TYPE_CHECKING:
    from rocscope.area.multiclass import MulticlassAuc
    from rocscope.core.result import Estimate
    from rocscope.core.scores import BinaryScores
    from rocscope.sources.local import LocalFile

COLUMNS = ("value", "se", "low", "high", "level", "method", "alternative", "status", "reason")
EXAMPLES = (
    "rocscope auc scores.csv --label outcome --pos-label ill --score marker",
    "rocscope auc scores.csv --label y --score model_a --score model_b --out roc.png",
    "cat scores.csv | rocscope auc - --label y --score model_a --json",
    "rocscope auc huge.parquet --label y --score model_a --memory-limit 512MB",
    "rocscope auc scores.csv --label y --score s --method bootstrap --bootstrap bca --seed 1",
    "rocscope auc scores.csv --label y --score s --fpr 0,0.1 --standardize --seed 1",
    "rocscope auc p.csv --label y --classes a,b,c --score pa --score pb --score pc --scheme ovo",
)
METHODS = "delong, logit, hanley-mcneil, bamber, bootstrap, cortes-mohri or agarwal"


def auc(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    method: Annotated[
        str | None, typer.Option("--method", help=f"Interval: {METHODS}; delong unless given.")
    ] = None,
    level: options.Level = 0.95,
    alternative: options.Alternative = "two-sided",
    threshold: Annotated[
        str | None,
        typer.Option("--threshold", metavar="T", help="For cortes-mohri: errors of score >= T are counted."),
    ] = None,
    n_boot: options.NBoot = None,
    bootstrap: Annotated[
        Literal["percentile", "bca"] | None,
        typer.Option("--bootstrap", help="Interval of the bootstrap; percentile unless given."),
    ] = None,
    seed: options.Seed = None,
    fpr: options.Fpr = None,
    tpr: options.Tpr = None,
    standardize: options.Standardize = False,
    classes: Annotated[
        str | None,
        typer.Option("--classes", metavar="A,B,...", help="Several classes: that of each --score, in order."),
    ] = None,
    scheme: Annotated[
        Literal["ovo", "ovr"] | None,
        typer.Option("--scheme", help="Several classes: all pairs (ovo, unless given), or each against all."),
    ] = None,
    average: Annotated[
        Literal["macro", "weighted"] | None,
        typer.Option("--average", help="Several classes: all count the same (macro), or by their cases."),
    ] = None,
    drop_classes: Annotated[
        bool, typer.Option("--drop-classes", help="Leave out classes of less than two cases.")
    ] = False,
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Area under the ROC curve of each score, with its interval.

    With --fpr or --tpr the area of a part of the curve, with a bootstrap interval. With --classes the areas
    of one classifier of several classes, a score for each, and their average.

    With --na drop each score loses only the rows where its own value or the label is missing.
    --memory-limit is for files of any size: the result is the same, and exact. Only the bootstrap, partial
    areas and --classes need the rows in memory, and are refused where these do not fit.
    """
    output = Output(json, out, force)
    output.check(file)
    asked = AskedArea.read(
        method=method,
        level=level,
        alternative=alternative,
        threshold=threshold,
        n_boot=n_boot,
        bootstrap=bootstrap,
        seed=seed,
        fpr=fpr,
        tpr=tpr,
        standardize=standardize,
    )
    several = AskedClasses.read(
        classes, score, scheme=scheme, average=average, drop=drop_classes, pos_label=pos_label
    )
    if several is None:
        asked.check()
    with opened(file, format, memory_limit, temp_limit) as source:
        if several is not None:
            _deliver_classes(output, *classes_answer(source, label, na, several, asked))
            return
        columns: dict[str, Any] = {"label": label, "score": score, "pos_label": pos_label, "na": na}
        if is_limited(source) and not asked.needs_rows:
            samples = counted(source, asked, figure=output.is_figure, **columns)
        else:
            samples = _rows(needing(source, asked.row_bytes), **columns)
        described = describe(source)
    areas = {name: _area(data, asked) for name, data in samples.items()}
    output.deliver(
        Answer(
            command="auc",
            source=described | asked.draws.told,
            results=[_classes(samples[name]) | areas[name].to_dict() for name in areas],
            rows=[_row(samples[name], areas[name]) for name in areas],
            blocks=[area_table(samples, areas)],
            notes=[*area_notes(areas), *asked.draws.notes],
            picture=lambda: curves_picture(samples, areas),
        )
    )
    if all(estimate.status == "undefined" for estimate in areas.values()):
        raise UndefinedError("; ".join(f"{name}: {found.reason}" for name, found in areas.items()))


def _deliver_classes(output: Output, answer: Answer, result: MulticlassAuc) -> None:
    output.deliver(answer)
    if result.status == "undefined":
        raise UndefinedError(f"no average: {undefined_words(result)}")


def _rows(source: LocalFile, *, score: Sequence[str], na: str, **columns: Any) -> Samples:
    """One sample per score; rows that lack another score say nothing against this one."""
    from rocscope.sources.files import read_scores

    def read(names: Sequence[str]) -> BinaryScores:
        data: BinaryScores = read_scores(source, score=names, na=na, **columns)
        return data

    return {**split(read(score))} if na == "error" else {name: read([name]) for name in score}


def _area(data: Sample, asked: AskedArea) -> Estimate:
    from rocscope.core.scores import BinaryScores

    if not isinstance(data, BinaryScores):
        return counted_area(data, asked)
    return asked.part_of(data) if asked.limits else area(data, **asked.all_options)


def _classes(data: Sample) -> dict[str, Any]:
    from rocscope.core.result import plain

    labels = {"pos_label": plain(data.pos_label), "neg_label": plain(data.neg_label)}
    return {"score": data.names[0], "n_pos": data.n_pos, "n_neg": data.n_neg} | labels


def _row(data: Sample, estimate: Estimate) -> dict[str, Any]:
    return _classes(data) | {field: estimate[field] for field in COLUMNS}
