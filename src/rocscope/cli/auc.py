"""`rocscope auc`: the area under each ROC curve, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rocscope.cli import options
from rocscope.cli.areas import area, area_notes, area_table, curves_picture, split
from rocscope.cli.output import Answer, Output, describe
from rocscope.errors import UndefinedError

if TYPE_CHECKING:
    from rocscope.core.result import Estimate
    from rocscope.core.scores import BinaryScores
    from rocscope.sources.local import LocalFile

COLUMNS = ("value", "se", "low", "high", "level", "method", "alternative", "status", "reason")
EXAMPLES = (
    "rocscope auc scores.csv --label outcome --pos-label ill --score marker",
    "rocscope auc scores.csv --label y --score model_a --score model_b --out roc.png",
    "cat scores.csv | rocscope auc - --label y --score model_a --json",
)


def auc(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    method: Annotated[str, typer.Option("--method", help="Interval: delong or logit.")] = "delong",
    level: options.Level = 0.95,
    alternative: options.Alternative = "two-sided",
    na: options.Na = "error",
    json: options.Json = False,
    out: options.Out = None,
    force: options.Force = False,
) -> None:
    """Area under the ROC curve of each score, with its interval.

    With --na drop each score loses only the rows where its own value or the label is missing.
    """
    from rocscope.sources.local import local_file

    output = Output(json, out, force)
    output.check()
    with local_file(file) as source:
        samples = _read(source, label, score, pos_label, na)
        described = describe(source)
    areas = {
        name: area(data, method=method, level=level, alternative=alternative)
        for name, data in samples.items()
    }
    output.deliver(
        Answer(
            command="auc",
            source=described,
            results=[_classes(samples[name]) | areas[name].to_dict() for name in areas],
            rows=[_row(samples[name], areas[name]) for name in areas],
            blocks=[area_table(samples, areas)],
            notes=area_notes(areas),
            picture=lambda: curves_picture(samples, areas),
        )
    )
    if all(estimate.status == "undefined" for estimate in areas.values()):
        raise UndefinedError("; ".join(f"{name}: {found.reason}" for name, found in areas.items()))


def _read(
    source: LocalFile, label: str, score: Sequence[str], pos_label: str | None, na: str
) -> dict[str, BinaryScores]:
    """One sample per score; rows that lack another score say nothing against this one."""
    from rocscope.sources.files import read_scores

    def read(columns: Sequence[str]) -> BinaryScores:
        return read_scores(source, label=label, score=columns, pos_label=pos_label, na=na)

    return split(read(score)) if na == "error" else {name: read([name]) for name in score}


def _classes(data: BinaryScores) -> dict[str, Any]:
    from rocscope.core.result import plain

    labels = {"pos_label": plain(data.pos_label), "neg_label": plain(data.neg_label)}
    return {"score": data.names[0], "n_pos": data.n_pos, "n_neg": data.n_neg} | labels


def _row(data: BinaryScores, estimate: Estimate) -> dict[str, Any]:
    return _classes(data) | {field: estimate[field] for field in COLUMNS}
