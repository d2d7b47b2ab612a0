"""`rocscope points`: select an operating point of a ROC curve and see what it means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import auc
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core import formatting
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.plotting import Picture

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


def points(
    file: opt.File,
    /,
    *,
    source: opt.Scored,
    select: opt.Select | None = None,
    rule: Literal["youden", "closest"] | None = None,
    cost: opt.Cost | None = None,
    prevalence: opt.Prevalence | None = None,
    threshold: Annotated[float, opt.text_option(opt.read_threshold, "T")] | None = None,
    threshold_probability: Annotated[float, Parameter(metavar="P")] | None = None,
    interval: Literal["wilson", "exact"] = "wilson",
    level: opt.Level = 0.95,
    bootstrap: opt.Flag = False,
    chance: opt.Chance = opt.Chance(),
    band: opt.Flag = False,
    band_at: Literal["fpr", "threshold"] | None = None,
    simultaneous: opt.Flag = False,
    pr: opt.Flag = False,
    net_benefit: opt.Flag = False,
    save: opt.Path | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Select an operating point and show what it does, each measure with its interval.

    Without options the point of the largest TPR - FPR (Youden's index). With bounds alone: the smallest
    FPR if the TPR is bounded from below, else the largest TPR. Ties go to the smaller FPR.

    A point selected on the same cases looks better than it is; --bootstrap estimates by how much, and how far
    the threshold could have moved. A figure shows the curve with the point, unless --band, --pr or
    --net-benefit say otherwise; with these --out x.csv holds the numbers of that curve, and JSON has them
    beside the point.

    --memory-limit is for files of any size: the point is the same, and exact. Only --bootstrap, --band, --pr
    and --net-benefit need the rows in memory, and are refused where these do not fit.

    Parameters
    ----------
    rule
        Largest TPR - FPR (youden), or closest to the corner FPR 0, TPR 1.
    threshold
        Take this threshold, score >= T.
    threshold_probability
        Probability from which acting pays: gives the net benefit for scores of any kind.
    interval
        Intervals of proportions: Wilson, or Clopper and Pearson (exact).
    bootstrap
        Select again on bootstrap samples: how certain is the threshold?
    band
        Curve: the ROC curve with its band.
    band_at
        Band of the TPR at fixed FPR (fpr, unless given), or of both at thresholds.
    simultaneous
        Band that holds the whole curve, not each point alone.
    pr
        Curve: precision and recall.
    net_benefit
        Curve: net benefit of acting on probabilities.
    save
        Save the point as JSON, for new scores.

    Examples
    --------
    rocscope points scores.csv --label outcome --pos-label ill --score marker
    rocscope points scores.csv --label y --score s --select "tpr>=0.9" --select "fpr<=0.4"
    rocscope points scores.csv --label y --score s --cost 5 --prevalence 0.02 --save point.json
    rocscope points scores.csv --label y --score s --threshold 0.5 --interval exact --out roc.png
    rocscope points scores.csv --label y --score s --bootstrap --seed 1 --band --out band.png
    rocscope points scores.csv --label y --score s --band --band-at threshold --simultaneous --out band.csv
    rocscope points huge.parquet --label y --score s --select "fpr<=0.01" --memory-limit 512MB
    """
    if len(source.score) != 1:
        raise RocUsageError(f"points selects on one curve, got {len(source.score)} scores")
    selection = Selection(
        constraints=tuple(select or ()), rule=rule, cost=cost, prevalence=prevalence, threshold=threshold
    )
    selection.check()
    curves = [kind for kind, shown in (("band", band), ("pr", pr), ("net_benefit", net_benefit)) if shown]
    flags = [f"--{kind.replace('_', '-')}" for kind in curves]
    if len(curves) > 1:
        raise RocUsageError(f"{flags[0]} and {flags[1]} must not come together: --out writes one curve")
    if curves and not output.json and output.out is None:
        raise RocUsageError(f"{flags[0]} needs --out ({', '.join(out.SUFFIXES)}) or --json")
    if not band:
        opt.refuse("belongs to --band", simultaneous=simultaneous, band_at=band_at)
    drawn = bootstrap or pr or (band and band_at != "threshold" and not simultaneous)
    if bootstrap and threshold is not None:
        raise RocUsageError("--bootstrap must come without --threshold: there is no selection to repeat")
    if not drawn:
        owners = "--bootstrap, --pr and --band (pointwise, at fixed FPR)"
        opt.refuse(f"belongs to {owners}", n_boot=chance.n_boot, seed=chance.seed)
    draws = chance.draws(used=drawn)
    output.check(file, save)
    if save is not None:
        out.check_target(save, force=output.force, unlike=(file,))
    (name,) = source.score
    with source.open(file, row_bytes=opt.DRAWN_CURVES) as opened:
        if opened.limits.memory is not None and not bootstrap and not curves:
            from rocscope.io.large import curves_of_file

            data: Any = curves_of_file(opened, **source.columns, keep=selection.candidates)[name]
        else:
            data = source.read(opened)
        described = out.describe(opened)
    point = select_point(
        auc.sample_curve(data),
        selection,
        threshold_probability=threshold_probability,
        interval=interval,
        level=level,
    )
    how: dict[str, Any] = {"level": level} | draws.options
    cut = None
    if bootstrap:  # the same selection on bootstrap samples
        by: dict[str, Any] = {"rule": rule, "cost": cost, "prevalence": prevalence}
        cut = rs.cutpoint(_counts(point.curve), None, *selection.constraints, **by, **how)
    curve: Any = None
    if band:
        curve = rs.roc_band(data, at=band_at or "fpr", simultaneous=simultaneous, **how)
    elif pr:
        curve = rs.precision_recall(data, prevalence=prevalence, **how)
    elif net_benefit:
        curve = rs.net_benefit(data, prevalence=prevalence, level=level)
    output.save(point.point, save)

    def picture() -> Picture:
        from rocscope import plotting

        if curve is None:
            return plotting.curves({name: point.curve}, points={name: [point.index]})
        more: dict[str, Any] = {}
        if band:
            more = {"curve": point.curve, "estimate": rs.auc(data, level=level), "points": [point.index]}
        return plotting.picture(curve, name=name, **more)

    def curve_rows() -> list[dict[str, Any]]:
        """One row per place of the curve, which the first column has; thresholds may be infinite."""
        place, values = next(iter(curve.columns().items()))
        return [row | {place: value} for row, value in zip(out.rows_of(curve), values.tolist(), strict=True)]

    output.deliver(
        out.CommandResult(
            command="points",
            input=described | draws.input,
            results=lambda: [
                {"type": "OperatingPoint", "score": name} | point.to_dict(cut),
                *([] if curve is None else [curve.to_dict()]),
            ],
            rows=lambda: [{"score": name} | point.row(cut)] if curve is None else curve_rows(),
            blocks=lambda: point.blocks(name, cut),
            notes=[*point.notes(cut), *(() if curve is None else curve.warnings), *draws.notes],
            picture=picture,
        )
    )


# ---- Selection of an operating point ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """How a point is selected: by constraints, rule, cost and prevalence, or by its threshold."""

    constraints: tuple[str, ...] = ()
    rule: Any = None
    cost: float | tuple[float, float] | None = None
    prevalence: float | None = None
    threshold: float | None = None

    def check(self) -> None:
        """Refuse options that do not go together, before a long file is read."""
        from rocscope.core import checks

        if self.threshold is not None and (self.constraints or self.rule):
            raise RocUsageError("--threshold must come without --select and --rule")
        if self.prevalence is not None:
            checks.check_number(self.prevalence, name="prevalence", low=0, high=1)

    def index(self, curve: rs.RocCurve) -> int:
        """The vertex of the curve that is selected."""
        return curve.select(*self.constraints, rule=self.rule, cost=self.cost, prevalence=self.prevalence)

    def candidates(self, curve: rs.RocCurve) -> list[int]:
        """Vertices of a stretch of a curve among which the one of the whole curve is.

        Where none meets the constraints: those that come nearest, each to one constraint, to say how far the
        scores reach.
        """
        import numpy as np

        from rocscope.core.points import Constraint
        from rocscope.io.large import vertex_at

        if self.threshold is not None:
            return [max(vertex_at(curve, self.threshold), 0)]
        try:
            return [self.index(curve)]
        except UndefinedError:
            nearest = []
            for bound in map(Constraint.parse, self.constraints):
                values = curve.measure(bound.measure, prevalence=self.prevalence)
                rising = values if bound.is_floor else -values
                nearest.append(int(np.argmax(np.where(np.isnan(values), -np.inf, rising))))
            return nearest

    def objective(self) -> str:
        """What makes the point the best."""
        from rocscope.core.points import Constraint

        weighted = self.cost is not None or self.prevalence is not None
        if self.threshold is not None:
            return "as given"
        if self.rule == "closest":
            return "closest to the corner FPR 0, TPR 1" + (", weighted" if weighted else "")
        if weighted:
            return "least expected cost"
        if self.rule == "youden" or not self.constraints:
            return "largest TPR - FPR"
        bounds = map(Constraint.parse, self.constraints)
        floor = any(b.is_floor and b.measure in ("tpr", "sensitivity", "recall") for b in bounds)
        return "smallest FPR" if floor else "largest TPR"

    def __str__(self) -> str:
        return self.objective() + (f" with {', '.join(self.constraints)}" if self.constraints else "")


def select_point(curve: rs.RocCurve, selection: Selection, **options: Any) -> SelectedPoint:
    """Select a vertex of the curve; the options are those of `point_measures`."""
    from rocscope.io.large import vertex_at

    how: dict[str, Any] = {"cost": selection.cost, "prevalence": selection.prevalence}
    if selection.threshold is None:
        index = selection.index(curve)
        point = curve.operating_point(index)
        how |= {"select": selection.constraints, "rule": selection.rule}
    else:
        index = vertex_at(curve, selection.threshold)
        point = rs.Threshold(selection.threshold, positive=curve.pos_label, negative=curve.neg_label)
        how |= {"threshold": selection.threshold}
    measures = rs.point_measures(_counts(curve), **how, **options)
    return SelectedPoint(curve=curve, index=index, point=point, selection=selection, measures=measures)


def _counts(curve: rs.RocCurve) -> rs.ScoreTable:
    """The counts behind a curve."""
    import numpy as np

    return rs.ScoreTable.from_counts(curve.thresholds[1:], pos=np.diff(curve.tp), neg=np.diff(curve.fp))


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectedPoint:
    """A vertex of a curve, the decision rule with the same decisions, and its measures.

    The methods take `cut`, the same selection on bootstrap samples, where there is one.
    """

    curve: rs.RocCurve
    index: int
    point: rs.Threshold
    selection: Selection
    measures: rs.inference.PointMeasures

    def counts(self) -> dict[str, int]:
        """The confusion matrix, cell by cell."""
        return {cell: getattr(self.measures, cell) for cell in ("tp", "fn", "fp", "tn")}

    def estimates(self) -> dict[str, rs.Estimate]:
        """Measures that the data and the options define or leave undefined, by name."""
        found = self.measures.estimates
        return {name: found[name] for name in MEASURES if name not in OPTIONAL or found[name].status == "ok"}

    def row(self, cut: rs.inference.CutPoint | None) -> dict[str, Any]:
        """One row of a table: threshold and counts, and every measure with its error and interval."""
        from rocscope.inference.counts import plain_threshold

        cells: dict[str, Any] = {"threshold": plain_threshold(self.point.value)}
        cells |= {f"threshold_{end}": None if cut is None else getattr(cut, end) for end in ("low", "high")}
        cells |= self.counts()
        for name, estimate in self.measures.estimates.items():
            cells |= {name: estimate.value}
            cells |= {f"{name}_{part}": getattr(estimate, part) for part in ("se", "low", "high")}
        return cells

    def to_dict(self, cut: rs.inference.CutPoint | None) -> dict[str, Any]:
        """Everything, as plain Python for JSON; infinite thresholds are text."""
        from rocscope.core.result import plain
        from rocscope.inference.counts import plain_threshold

        curve, selection = self.curve, self.selection
        document = {
            "threshold": plain_threshold(self.point.value),
            "objective": selection.objective(),
            "constraints": selection.constraints,
            "cost": selection.cost,
            "prevalence": selection.prevalence,
            "threshold_probability": self.measures.threshold_probability,
            "pos_label": curve.pos_label,
            "neg_label": curve.neg_label,
            "n_pos": curve.n_pos,
            "n_neg": curve.n_neg,
            "auc": curve.auc,
            "confusion": self.counts(),
            "measures": self.measures.estimates,
            "cutpoint": cut,
            "warnings": (*dict.fromkeys((*self._curve_warnings(), *self.measures.warnings)),),
        }
        return {name: plain(value) for name, value in document.items()}

    def notes(self, cut: rs.inference.CutPoint | None) -> list[str]:
        """What a reader should know, and why something is undefined."""
        from rocscope.inference.point_measures import CHOSEN

        seen = CHOSEN.replace("see cutpoint", "see --bootstrap") if cut is None else ""
        warnings = [seen if text == CHOSEN else text for text in self.measures.warnings]
        undefined = [
            f"{MEASURES[name]}: {estimate.reason}"
            for name, estimate in self.estimates().items()
            if estimate.reason
        ]
        warnings += () if cut is None else cut.warnings
        return [*self._curve_warnings(), *filter(None, warnings), *undefined]

    def _curve_warnings(self) -> tuple[str, ...]:
        from rocscope.bootstrap.families import BELOW

        return self.curve.warnings if self.curve.auc >= 0.5 else (*self.curve.warnings, BELOW)

    def blocks(self, name: str, cut: rs.inference.CutPoint | None = None) -> list[out.Block]:
        """The point for people: the rule, the confusion matrix, the measures, and their optimism."""
        positive, negative, value = self.point.positive, self.point.negative, self.point.value
        n = {cell: str(count) for cell, count in self.counts().items()}
        confusion = out.TextTable(
            ("true class", f"classified as {positive}", f"classified as {negative}"),
            ((str(positive), n["tp"], n["fn"]), (str(negative), n["fp"], n["tn"])),
        )
        rule = f"Classify as {positive} where {name} >= {_threshold_text(value)}"
        if value is None or (value == math.inf and self.measures.tp + self.measures.fp == 0):
            rule = f"Classify nothing as {positive}"
        rows = tuple((MEASURES[name], *_cells(estimate)) for name, estimate in self.estimates().items())
        level, assumptions = self.measures.sensitivity.level, []
        if (prevalence := self.selection.prevalence) is not None:
            assumptions += [
                f"Precision, NPV, accuracy, F1, benefit and cost are those at a prevalence of {prevalence:g}."
            ]
        if (probability := self.measures.threshold_probability) is not None:
            assumptions += [f"The net benefit is that at a threshold probability of {probability:g}."]
        return [
            out.printable(f"{rule} ({self.selection})"),
            "",
            confusion,
            "",
            out.TextTable(("measure", "value", "se", f"{level * 100:g}% interval", "method"), rows),
            *(["", *assumptions] if assumptions else []),
            *([] if cut is None else _cut_blocks(cut)),
        ]


def _cut_blocks(cut: rs.inference.CutPoint) -> list[out.Block]:
    """How certain the threshold is, and what the selection is worth on other cases."""
    ends = f"no interval: {cut.reason}"
    if cut.low is not None:
        ends = f"{cut.level * 100:g}% interval {_threshold_text(cut.low)} to {_threshold_text(cut.high)}"
    head = f"Chosen again on {cut.n_boot} bootstrap samples: threshold {_threshold_text(cut.threshold)}"
    rows = tuple(
        (
            RATES[row.name],
            formatting.number(row.apparent),
            "not judged" if row.out_of_bag is None else formatting.number(row.out_of_bag),
            "" if row.optimism is None else formatting.number(row.optimism, "+.4f"),
        )
        for row in cut.measures
        if row.apparent is not None
    )
    table = out.TextTable(("measure", "at the point", "on cases left out", "optimism"), rows)
    return ["", f"{head} ({ends})", "", table]


def _threshold_text(threshold: Any) -> str:
    return repr(threshold).removesuffix(".0")


def _cells(estimate: rs.Estimate) -> tuple[str, str, str, str]:
    """Value, standard error, interval and method; an infinite ratio has a lower bound at best."""
    if estimate.value is None and estimate.low is not None:
        return "infinite", "", f">= {estimate.low:.4f}", estimate.method
    ends = formatting.interval_ends(estimate.low, estimate.high, estimate.alternative)
    se = "" if estimate.se is None else formatting.number(estimate.se)
    return formatting.number(estimate.value), se, ends, estimate.method if ends else ""
