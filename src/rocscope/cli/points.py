"""`rocscope points`: choose an operating point of a ROC curve and see what it means."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.areas import Sample, sample_curve
from rocscope.cli.echo import tell
from rocscope.cli.figures import AskedCurve, BandAt, find_curve
from rocscope.cli.output import Answer, Output, check_target, describe, write_text
from rocscope.cli.parse import Draws, read_cost, read_threshold
from rocscope.cli.reading import DRAWN_CURVES, is_limited, needing, opened
from rocscope.cli.tables import printable
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.cli.chosen import Chosen
    from rocscope.core.scores import BinaryScores
    from rocscope.sources.local import LocalFile
    from rocscope.sources.outline import Keep

EXAMPLES = (
    "rocscope points scores.csv --label outcome --pos-label ill --score marker",
    'rocscope points scores.csv --label y --score s --select "tpr>=0.9" --select "fpr<=0.4"',
    "rocscope points scores.csv --label y --score s --cost 5 --prevalence 0.02 --save point.json",
    "rocscope points scores.csv --label y --score s --threshold 0.5 --interval exact --out roc.png",
    "rocscope points scores.csv --label y --score s --bootstrap --seed 1 --band --out band.png",
    "rocscope points scores.csv --label y --score s --band --band-at threshold --simultaneous --out band.csv",
    'rocscope points huge.parquet --label y --score s --select "fpr<=0.01" --memory-limit 512MB',
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
    threshold_probability: Annotated[
        float | None,
        typer.Option(
            "--threshold-probability",
            metavar="P",
            help="Probability from which acting pays: gives the net benefit for scores of any kind.",
        ),
    ] = None,
    interval: Annotated[
        Literal["wilson", "exact"],
        typer.Option("--interval", help="Intervals of shares of cases: Wilson, or Clopper and Pearson."),
    ] = "wilson",
    level: options.Level = 0.95,
    bootstrap: Annotated[
        bool,
        typer.Option("--bootstrap", help="Choose again on bootstrap samples: how sure is the threshold?"),
    ] = False,
    n_boot: options.NBoot = None,
    seed: options.Seed = None,
    band: Annotated[bool, typer.Option("--band", help="Curve: the ROC curve with its band.")] = False,
    band_at: Annotated[
        BandAt | None,
        typer.Option("--band-at", help="Band of the TPR at fixed FPR (default), or of both at thresholds."),
    ] = None,
    simultaneous: Annotated[
        bool, typer.Option("--simultaneous", help="Band that holds the whole curve, not each point alone.")
    ] = False,
    pr: Annotated[bool, typer.Option("--pr", help="Curve: precision and recall.")] = False,
    net_benefit: Annotated[
        bool, typer.Option("--net-benefit", help="Curve: net benefit of acting on probabilities.")
    ] = False,
    na: options.Na = "error",
    format: options.Format = None,
    memory_limit: options.MemoryLimit = None,
    temp_limit: options.TempLimit = None,
    json: options.Json = False,
    out: options.Out = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="PATH", help="Save the point as JSON, for new scores."),
    ] = None,
    force: options.Force = False,
) -> None:
    """Choose an operating point and show what it does, each measure with its interval.

    Without options the point of the largest TPR - FPR (Youden's index). With bounds alone: the smallest
    FPR if the TPR is bounded from below, else the largest TPR. Ties go to the smaller FPR.

    A point chosen on the same cases looks better than it is; --bootstrap tells by how much, and how far the
    threshold could have moved. A figure shows the curve with the point, unless --band, --pr or --net-benefit
    say otherwise; with these --out x.csv holds the numbers of that curve, and JSON has them beside the point.

    --memory-limit is for files of any size: the point is the same, and exact. Only --bootstrap, --band, --pr
    and --net-benefit need the rows in memory, and are refused where these do not fit.
    """
    from rocscope.cli.chosen import Wish, choose, only_one

    name = only_one(score)
    wish = Wish(
        constraints=tuple(select or ()),
        rule=rule,
        cost=read_cost(cost),
        prevalence=prevalence,
        threshold=read_threshold(threshold),
    )
    asked = AskedCurve.read(
        json or out is not None,
        band_at=band_at,
        simultaneous=simultaneous,
        band=band,
        pr=pr,
        net_benefit=net_benefit,
    )
    by_chance = bootstrap or asked.by_chance
    _check_chance(by_chance, bootstrap and threshold is not None, n_boot=n_boot, seed=seed)
    draws = Draws.read(n_boot, seed, used=by_chance)
    output = Output(json, out, force)
    output.check(file, save)
    if save is not None:
        check_target(save, force=force, unlike=(file,))
    with opened(file, format, memory_limit, temp_limit) as source:
        counted = is_limited(source) and not bootstrap and asked.kind == "roc"
        keep = wish.candidates if counted else None
        data = _sample(source, keep, label, name, pos_label=pos_label, na=na)
        described = describe(source)
    chosen = choose(
        sample_curve(data),
        wish,
        threshold_probability=threshold_probability,
        interval=interval,
        level=level,
    )
    if bootstrap:
        chosen = _chosen_again(chosen, draws)
    curve = find_curve(asked, data, chosen, **draws.options)  # type: ignore[arg-type]
    if save is not None:
        write_text(chosen.point.to_json() + "\n", save, force=force)
        tell(f"wrote {printable(save)}")
    output.deliver(
        Answer(
            command="points",
            source=described | draws.told,
            results=[{"type": "OperatingPoint", "score": name} | chosen.to_dict(), *curve.results],
            rows=curve.rows or [{"score": name} | chosen.row()],
            blocks=chosen.blocks(name),
            notes=[*chosen.notes(), *curve.notes, *draws.notes],
            picture=curve.picture,
        )
    )


def _sample(source: LocalFile, keep: Keep | None, label: str, name: str, **how: Any) -> Sample:
    """All cases; or, with vertices to keep, the curve of a file of any size."""
    if keep is None:
        from rocscope.sources.files import read_scores

        source = needing(source, DRAWN_CURVES)
        rows: BinaryScores = read_scores(source, label=label, score=name, **how)
        return rows
    from rocscope.sources.outline import curves_of_file

    return curves_of_file(source, label=label, score=name, keep=keep, **how)[name]


def _check_chance(by_chance: bool, chosen_by_user: bool, **given: int | None) -> None:
    if chosen_by_user:
        raise RocUsageError("--bootstrap must come without --threshold: there is no choice to make again")
    for name, value in given.items():
        if value is not None and not by_chance:
            owners = "--bootstrap, --pr and --band (pointwise, at fixed FPR)"
            raise RocUsageError(f"--{name.replace('_', '-')} belongs to {owners}")


def _chosen_again(chosen: Chosen, draws: Draws) -> Chosen:
    from rocscope.area.cutpoint import cutpoint
    from rocscope.cli.chosen import table_of

    wish = chosen.wish
    cut = cutpoint(
        table_of(chosen.curve),
        None,
        *wish.constraints,
        rule=wish.rule,
        cost=wish.cost,
        prevalence=wish.prevalence,
        level=chosen.found.sensitivity.level,
        **draws.options,
    )
    return replace(chosen, cut=cut)
