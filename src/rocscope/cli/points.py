"""`rocscope points`: choose an operating point of a ROC curve and see what it means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from rocscope.cli import options
from rocscope.cli.areas import Sample, sample_curve
from rocscope.cli.options import Draws, option_name, read_cost, read_threshold
from rocscope.cli.output import (
    SUFFIXES,
    Answer,
    Output,
    check_target,
    describe,
    printable,
    rows_of,
    tell,
    write_text,
)
from rocscope.cli.reading import DRAWN_CURVES, is_limited, needing, opened
from rocscope.errors import RocUsageError

if TYPE_CHECKING:
    from rocscope.cli._selection import Chosen
    from rocscope.core.scores import BinaryScores
    from rocscope.inference.bands import RocBand
    from rocscope.inference.decision_curve import DecisionCurve
    from rocscope.inference.precision_recall import PrecisionRecall
    from rocscope.io.large import Keep
    from rocscope.io.local import LocalFile
    from rocscope.plotting import Picture

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
    from rocscope.cli._selection import Wish, choose, only_one

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
        from rocscope.io.files import read_scores

        source = needing(source, DRAWN_CURVES)
        rows: BinaryScores = read_scores(source, label=label, score=name, **how)
        return rows
    from rocscope.io.large import curves_of_file

    return curves_of_file(source, label=label, score=name, keep=keep, **how)[name]


def _check_chance(by_chance: bool, chosen_by_user: bool, **given: int | None) -> None:
    if chosen_by_user:
        raise RocUsageError("--bootstrap must come without --threshold: there is no choice to make again")
    for name, value in given.items():
        if value is not None and not by_chance:
            owners = "--bootstrap, --pr and --band (pointwise, at fixed FPR)"
            raise RocUsageError(f"--{name.replace('_', '-')} belongs to {owners}")


def _chosen_again(chosen: Chosen, draws: Draws) -> Chosen:
    from rocscope.cli._selection import table_of
    from rocscope.inference.cutpoint import cutpoint

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


# ---- The curve beside an operating point: the ROC curve, or one that shows it in another light ------------

BandAt = Literal["fpr", "threshold"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCurve:
    """The one curve that is wanted, and what kind of band; "roc" is the curve on which the point lies."""

    kind: str
    band: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(
        cls, somewhere: bool, *, band_at: BandAt | None, simultaneous: bool, **wanted: bool
    ) -> AskedCurve:
        """Read the options; `somewhere` says whether there is a place for the curve to go to."""
        names = [name for name, is_wanted in wanted.items() if is_wanted]
        options = [option_name(name) for name in names]
        if len(names) > 1:
            raise RocUsageError(
                f"{options[0]} and {options[1]} must not come together: --out writes one curve"
            )
        if names and not somewhere:
            raise RocUsageError(f"{options[0]} needs --out ({', '.join(SUFFIXES)}) or --json")
        if "band" not in names and (simultaneous or band_at is not None):
            raise RocUsageError(f"{'--simultaneous' if simultaneous else '--band-at'} belongs to --band")
        band = {"at": band_at or "fpr", "simultaneous": simultaneous} if "band" in names else {}
        return cls(kind=names[0] if names else "roc", band=band)

    @property
    def by_chance(self) -> bool:
        """Whether bootstrap samples are drawn: of the bands only by the pointwise one at fixed FPR."""
        return self.kind == "pr" or self.band == {"at": "fpr", "simultaneous": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCurve:
    """The numbers of a curve, and how to draw it; of the ROC curve itself no numbers are told."""

    picture: Callable[[], Picture]
    result: RocBand | PrecisionRecall | DecisionCurve | None = None

    @property
    def results(self) -> list[dict[str, Any]]:
        """The curve for JSON."""
        return [] if self.result is None else [self.result.to_dict()]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per place of the curve, which the first column has; thresholds may be infinite."""
        if self.result is None:
            return []
        place, values = next(iter(self.result.columns().items()))
        rows = zip(rows_of(self.result), values.tolist(), strict=True)
        return [row | {place: value} for row, value in rows]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the curve should know."""
        return () if self.result is None else self.result.warnings


def find_curve(asked: AskedCurve, data: BinaryScores, chosen: Chosen, **draws: Any) -> FoundCurve:
    """Compute the curve; `draws` are the number of replicates and their seed."""
    from rocscope import plotting

    name = data.names[0]
    if asked.kind == "roc":
        return FoundCurve(
            picture=lambda: plotting.curves({name: chosen.curve}, points={name: [chosen.index]})
        )
    how: dict[str, Any] = {"level": chosen.found.sensitivity.level}
    if asked.kind == "band":
        return _band(name, data, chosen, how | asked.band | draws)
    how["prevalence"] = chosen.wish.prevalence
    return _precision_recall(name, data, how | draws) if asked.kind == "pr" else _net_benefit(name, data, how)


def _band(name: str, data: BinaryScores, chosen: Chosen, how: dict[str, Any]) -> FoundCurve:
    from rocscope import plotting
    from rocscope.inference.auc import auc
    from rocscope.inference.bands import roc_band

    band = roc_band(data, **how)

    def picture() -> Picture:
        area = auc(data, level=band.level)
        return plotting.picture(band, name=name, curve=chosen.curve, estimate=area, points=[chosen.index])

    return FoundCurve(picture=picture, result=band)


def _precision_recall(name: str, data: BinaryScores, how: dict[str, Any]) -> FoundCurve:
    from rocscope import plotting
    from rocscope.inference.precision_recall import precision_recall

    found = precision_recall(data, **how)
    return FoundCurve(picture=lambda: plotting.picture(found, name=name), result=found)


def _net_benefit(name: str, data: BinaryScores, how: dict[str, Any]) -> FoundCurve:
    from rocscope import plotting
    from rocscope.inference.decision_curve import net_benefit

    found = net_benefit(data, **how)
    return FoundCurve(picture=lambda: plotting.picture(found, name=name), result=found)
