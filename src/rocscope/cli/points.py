"""`rocscope points`: choose an operating point of a ROC curve and see what it means."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from rocscope.cli import options
from rocscope.cli.echo import tell
from rocscope.cli.output import Answer, Output, check_target, describe, write_text
from rocscope.cli.tables import printable

EXAMPLES = (
    "rocscope points scores.csv --label outcome --pos-label ill --score marker",
    'rocscope points scores.csv --label y --score s --select "tpr>=0.9" --select "fpr<=0.4"',
    "rocscope points scores.csv --label y --score s --cost 5 --prevalence 0.02 --save point.json",
    "rocscope points scores.csv --label y --score s --threshold 0.5 --out roc.png",
)


def points(
    file: options.File,
    label: options.Label,
    score: options.Scores,
    pos_label: options.PosLabel = None,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="BOUND", help='A bound such as "tpr>=0.9"; may be repeated.'),
    ] = None,
    rule: Annotated[
        Literal["youden", "closest"] | None,
        typer.Option("--rule", help="Largest TPR - FPR, or closest to the corner FPR 0, TPR 1."),
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option("--cost", metavar="FN | FP,FN", help="Cost of a false negative; of a false positive 1."),
    ] = None,
    prevalence: Annotated[
        float | None, typer.Option("--prevalence", help="Share of positives where the point will be used.")
    ] = None,
    threshold: Annotated[
        str | None, typer.Option("--threshold", metavar="T", help="Take this threshold, score >= T.")
    ] = None,
    na: options.Na = "error",
    json: options.Json = False,
    out: options.Out = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="PATH", help="Save the point as JSON, for new scores."),
    ] = None,
    force: options.Force = False,
) -> None:
    """Choose an operating point and show what it does.

    Without options the point of the largest TPR - FPR (Youden's index). With bounds alone: the smallest
    FPR if the TPR is bounded from below, else the largest TPR. Ties go to the smaller FPR.
    """
    from rocscope.cli.chosen import Wish, choose, only_one, picture, read_cost, read_threshold
    from rocscope.core.curve import curve_of
    from rocscope.sources.files import read_scores
    from rocscope.sources.local import local_file

    name = only_one(score)
    wish = Wish(
        constraints=tuple(select or ()),
        rule=rule,
        cost=read_cost(cost),
        prevalence=prevalence,
        threshold=read_threshold(threshold),
    )
    output = Output(json, out, force)
    output.check()
    if save is not None:
        check_target(save, force=force)
    with local_file(file) as source:
        data = read_scores(source, label=label, score=name, pos_label=pos_label, na=na)
        described = describe(source)
    chosen = choose(curve_of(data), wish)
    if save is not None:
        write_text(chosen.saved() + "\n", save, force=force)
        tell(f"wrote {printable(save)}")
    output.deliver(
        Answer(
            command="points",
            source=described,
            results=[{"type": "OperatingPoint", "score": name} | chosen.to_dict()],
            rows=[{"score": name} | chosen.row()],
            blocks=chosen.blocks(name),
            notes=data.warnings,
            picture=lambda: picture(name, chosen),
        )
    )
