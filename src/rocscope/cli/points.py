"""`rocscope points`: choose an operating point of a ROC curve and see what it means."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import typer

from rocscope.cli import options
from rocscope.cli.areas import Sample, sample_curve
from rocscope.cli.options import Draws, option_name, read_cost, read_threshold
from rocscope.cli.output import (
    SUFFIXES,
    Answer,
    Output,
    TextTable,
    check_target,
    describe,
    interval_ends,
    number,
    printable,
    rows_of,
    tell,
    write_text,
)
from rocscope.cli.reading import DRAWN_CURVES, is_limited, needing, opened
from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.points import Constraint, Threshold
from rocscope.core.result import Estimate, plain
from rocscope.core.table import ScoreTable
from rocscope.errors import RocUsageError, UndefinedError
from rocscope.inference.counts import plain_threshold
from rocscope.inference.cutpoint import CutPoint, Optimism
from rocscope.inference.point_measures import CHOSEN, PointMeasures, point_measures
from rocscope.io.large import vertex_at

if TYPE_CHECKING:
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


# ---- The operating point a user asks for, and what there is to say about it -------------------------------

MEASURES = {
    "sensitivity": "TPR (sensitivity)",
    "specificity": "TNR (specificity)",
    "ppv": "precision (PPV)",
    "npv": "NPV",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "youden": "TPR - FPR (Youden)",
    "lr_pos": "likelihood ratio +",
    "lr_neg": "likelihood ratio -",
    "net_benefit": "net benefit",
    "expected_cost": "expected cost",
}
# Measures that need an argument: they are left out where it was not given.
OPTIONAL = ("net_benefit", "expected_cost")
RATES = {"tpr": "TPR", "fpr": "FPR", "youden": "TPR - FPR", "cost": "expected cost"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How a point is chosen: by bounds, rule, cost and prevalence, or by its threshold."""

    constraints: tuple[str, ...] = ()
    rule: str | None = None
    cost: float | tuple[float, float] | None = None
    prevalence: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and (self.constraints or self.rule):
            raise RocUsageError("--threshold must come without --select and --rule")
        if self.prevalence is not None:
            checks.check_number(self.prevalence, name="prevalence", low=0, high=1)

    def candidates(self, curve: RocCurve) -> list[int]:
        """Vertices of a stretch of a curve among which the choice on the whole curve is.

        Where none meets the bounds: those that come nearest, each to one bound, to tell how far the
        scores reach.
        """
        if self.threshold is not None:
            return [max(vertex_at(curve, self.threshold), 0)]
        try:
            return [self.select(curve)]
        except UndefinedError:
            return [self._nearest(curve, Constraint.parse(text)) for text in self.constraints]

    def select(self, curve: RocCurve) -> int:
        """The vertex that answers the wish."""
        return curve.select(*self.constraints, rule=self.rule, cost=self.cost, prevalence=self.prevalence)

    def _nearest(self, curve: RocCurve, bound: Constraint) -> int:
        values = curve.measure(bound.measure, prevalence=self.prevalence)
        rising = values if bound.is_floor else -values
        return int(np.argmax(np.where(np.isnan(values), -np.inf, rising)))

    def words(self) -> str:
        """The objective and the bounds, for people."""
        bounds = f" with {', '.join(self.constraints)}" if self.constraints else ""
        return f"{self.objective()}{bounds}"

    def objective(self) -> str:
        """What made the point the best."""
        weighted = self.cost is not None or self.prevalence is not None
        if self.threshold is not None:
            return "as given"
        if self.rule == "closest":
            return "closest to the corner FPR 0, TPR 1" + (", weighted" if weighted else "")
        if weighted:
            return "least expected cost"
        if self.rule == "youden" or not self.constraints:
            return "largest TPR - FPR"
        bounds = [Constraint.parse(text) for text in self.constraints]
        floor = any(b.is_floor and b.measure in ("tpr", "sensitivity", "recall") for b in bounds)
        return "smallest FPR" if floor else "largest TPR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A vertex of a curve, the point that decides like it, its measures, and the wish it answers.

    `cut` is the same choice made again on bootstrap samples, where that was asked for.
    """

    curve: RocCurve
    index: int
    point: Threshold
    wish: Wish
    found: PointMeasures
    cut: CutPoint | None = None

    def counts(self) -> dict[str, int]:
        """The confusion matrix, cell by cell."""
        return {cell: getattr(self.found, cell) for cell in ("tp", "fn", "fp", "tn")}

    def measures(self) -> dict[str, Estimate]:
        """Measures that the data and the options define or leave undefined, by name."""
        found = self.found.estimates
        return {name: found[name] for name in MEASURES if name not in OPTIONAL or found[name].status == "ok"}

    def row(self) -> dict[str, Any]:
        """One row of a table: threshold and counts, and every measure with its error and interval."""
        ends = {"threshold_low": None, "threshold_high": None}
        if self.cut is not None:
            ends = {"threshold_low": self.cut.low, "threshold_high": self.cut.high}
        cells = {"threshold": plain_threshold(self.point.value)} | ends | self.counts()
        for name, estimate in self.found.estimates.items():
            cells |= {name: estimate.value}
            cells |= {f"{name}_{part}": getattr(estimate, part) for part in ("se", "low", "high")}
        return cells

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain Python for JSON; infinite thresholds are text."""
        curve, wish = self.curve, self.wish
        told = {
            "threshold": plain_threshold(self.point.value),
            "objective": wish.objective(),
            "constraints": wish.constraints,
            "cost": wish.cost,
            "prevalence": wish.prevalence,
            "threshold_probability": self.found.threshold_probability,
            "pos_label": curve.pos_label,
            "neg_label": curve.neg_label,
            "n_pos": curve.n_pos,
            "n_neg": curve.n_neg,
            "auc": curve.auc,
            "confusion": self.counts(),
            "measures": self.found.estimates,
            "cutpoint": self.cut,
            "warnings": (*dict.fromkeys((*self._curve_warnings(), *self.found.warnings)),),
        }
        return {name: plain(value) for name, value in told.items()}

    def notes(self) -> list[str]:
        """What a reader should know, and why something is undefined."""
        warned = [text.replace("see cutpoint", "see --bootstrap") for text in self.found.warnings]
        if self.cut is not None:
            warned = [text for text in self.found.warnings if text != CHOSEN] + list(self.cut.warnings)
        undefined = [
            f"{MEASURES[name]}: {estimate.reason}"
            for name, estimate in self.measures().items()
            if estimate.reason
        ]
        return [*self._curve_warnings(), *warned, *undefined]

    def _curve_warnings(self) -> tuple[str, ...]:
        """What a reader should know of the curve on which the point was chosen."""
        from rocscope.bootstrap.areas import BELOW

        return self.curve.warnings if self.curve.auc >= 0.5 else (*self.curve.warnings, BELOW)

    def blocks(self, name: str) -> list[str | TextTable]:
        """The point for people: the rule, the confusion matrix, the measures."""
        positive, negative = self.point.positive, self.point.negative
        n = {cell: str(count) for cell, count in self.counts().items()}
        confusion = TextTable(
            ("true class", f"called {positive}", f"called {negative}"),
            ((str(positive), n["tp"], n["fn"]), (str(negative), n["fp"], n["tn"])),
        )
        rule = printable(f"{self._rule(name)} ({self.wish.words()})")
        return [rule, "", confusion, "", self._measure_table(), *self._assumed(), *self._cut_blocks()]

    def _rule(self, name: str) -> str:
        if self.point.value is None or (self.point.value == math.inf and self.found.tp + self.found.fp == 0):
            return f"Call nothing {self.point.positive}"
        return f"Call {self.point.positive} where {name} >= {_shown(self.point.value)}"

    def _measure_table(self) -> TextTable:
        level = self.found.sensitivity.level
        rows = tuple((MEASURES[name], *_cells(estimate)) for name, estimate in self.measures().items())
        return TextTable(("measure", "value", "se", f"{level * 100:g}% interval", "method"), rows)

    def _assumed(self) -> list[str]:
        """What the measures rest on beside the cases."""
        share, probability = self.wish.prevalence, self.found.threshold_probability
        lines = []
        if share is not None:
            lines += [
                f"Precision, NPV, accuracy, F1, benefit and cost are those at a prevalence of {share:g}."
            ]
        if probability is not None:
            lines += [f"The net benefit is that at a threshold probability of {probability:g}."]
        return ["", *lines] if lines else []

    def _cut_blocks(self) -> list[str | TextTable]:
        """How sure the threshold is, and what the choice is worth on other cases."""
        if self.cut is None:
            return []
        cut = self.cut
        ends = f"no interval: {cut.reason}"
        if cut.low is not None:
            ends = f"{cut.level * 100:g}% interval {_shown(cut.low)} to {_shown(cut.high)}"
        told = f"Chosen again on {cut.n_boot} bootstrap samples: threshold {_shown(cut.threshold)} ({ends})"
        rows = tuple(_optimism(row) for row in cut.measures if row.apparent is not None)
        table = TextTable(("measure", "at the point", "on cases left out", "optimism"), rows)
        return ["", told, "", table]


def _shown(threshold: Any) -> str:
    return repr(threshold).removesuffix(".0")


def _cells(estimate: Estimate) -> tuple[str, str, str, str]:
    """Value, standard error, interval and method; an infinite ratio has a lower bound at best."""
    if estimate.value is None and estimate.low is not None:
        return "infinite", "", f">= {estimate.low:.4f}", estimate.method
    ends = interval_ends(estimate.low, estimate.high, estimate.alternative)
    se = "" if estimate.se is None else number(estimate.se)
    return number(estimate.value), se, ends, estimate.method if ends else ""


def _optimism(row: Optimism) -> tuple[str, str, str, str]:
    judged = "not judged" if row.out_of_bag is None else number(row.out_of_bag)
    optimism = "" if row.optimism is None else number(row.optimism, "+.4f")
    return RATES[row.name], number(row.apparent), judged, optimism


def choose(curve: RocCurve, wish: Wish, **how_judged: Any) -> Chosen:
    """Find the vertex that answers the wish, and what it is worth; `how_judged` as in point_measures."""
    how: dict[str, Any] = {"cost": wish.cost, "prevalence": wish.prevalence}
    table = table_of(curve)
    if wish.threshold is not None:
        index = vertex_at(curve, wish.threshold)
        point = Threshold(wish.threshold, positive=curve.pos_label, negative=curve.neg_label)
        asked: dict[str, Any] = {"threshold": wish.threshold}
    else:
        index = wish.select(curve)
        point = curve.operating_point(index)
        asked = {"select": wish.constraints, "rule": wish.rule}
    found = point_measures(table, **asked, **how, **how_judged)
    return Chosen(curve=curve, index=index, point=point, wish=wish, found=found)


def table_of(curve: RocCurve) -> ScoreTable:
    """The counts behind a curve."""
    return ScoreTable.from_counts(curve.thresholds[1:], pos=np.diff(curve.tp), neg=np.diff(curve.fp))


def only_one(score: Sequence[str]) -> str:
    """The name of the score; a point belongs to one curve."""
    if len(score) != 1:
        raise RocUsageError(f"points chooses on one curve, got {len(score)} scores")
    return score[0]


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
