"""`rocscope points`: select an operating point of a ROC curve and see what it means."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

import rocscope as rs
from rocscope.cli import auc
from rocscope.cli import options as opt
from rocscope.cli import output as out
from rocscope.core.rules import Rule
from rocscope.errors import RocUsageError, UndefinedError

if TYPE_CHECKING:
    from rocscope.plotting import Picture

# Measures that need an argument: they are left out where it was not given.
OPTIONAL = ("net_benefit", "expected_cost")
CRITERIA = ("sensitivity", "specificity", "lr_pos", "lr_neg", "ppv", "npv")  # of --all, in the order of print


def points(
    file: opt.File,
    /,
    *,
    source: opt.TwoClasses,
    score: Annotated[str, Parameter(metavar="COLUMN")],
    design: opt.Design = opt.Design(),
    select: opt.Select | None = None,
    rule: Rule | None = None,
    cost: opt.Cost | None = None,
    prevalence: opt.Prevalence | None = None,
    threshold: Annotated[float, opt.text_option(opt.read_threshold, "T")] | None = None,
    threshold_probability: Annotated[float, Parameter(metavar="P")] | None = None,
    interval: Literal["wilson", "exact", "modified-wilson"] = "wilson",
    level: opt.Level = 0.95,
    bootstrap: opt.Flag = False,
    chance: opt.Chance = opt.Chance(),
    band: opt.Flag = False,
    band_at: Literal["fpr", "tpr", "threshold"] | None = None,
    simultaneous: opt.Flag = False,
    pr: opt.Flag = False,
    smooth: opt.Flag = False,
    net_benefit: opt.Flag = False,
    all: opt.Flag = False,
    grey_zone: Annotated[tuple[float, float], opt.text_option(opt.read_bounds, "SENS,SPEC")] | None = None,
    by: opt.By | None = None,
    save: opt.Path | None = None,
    output: out.Output = out.Output(),
) -> None:
    """Select an operating point and show what it does, each measure with its interval.

    Without options the point of the largest TPR - FPR (Youden's index). With bounds alone: the smallest
    FPR if the TPR is bounded from below, else the largest TPR. Ties go to the smaller FPR.

    A point selected on the same cases looks better than it is; --bootstrap estimates by how much, and how far
    the threshold could have moved. A figure shows the curve with the point, unless --band, --pr, --smooth,
    --net-benefit, --grey-zone or --all say otherwise; with these --out x.csv holds the numbers of that curve,
    and JSON has them beside the point. With --by the point is shown in every group as well.

    --memory-limit is for files of any size: the point is the same, and exact. Only --bootstrap, --band, --pr,
    --smooth, --net-benefit, --grey-zone, --all and --by need the rows in memory, and are refused where these
    do not fit. --groups and --weight make the intervals those of clusters and of weights; what takes cases as
    independent is refused with them.

    Parameters
    ----------
    score
        Column of scores.
    rule
        Largest TPR - FPR (youden), closest to the corner FPR 0, TPR 1, sensitivity nearest to specificity
        (se=sp), their largest product, the largest accuracy, F1, kappa or PPV, the smallest p-value (min-p).
    threshold
        Take this threshold, score >= T.
    threshold_probability
        Probability from which acting pays: gives the net benefit for scores of any kind.
    interval
        Intervals of proportions: Wilson, Clopper and Pearson (exact), or Wilson with better ends for counts
        of 1 to 3 (modified-wilson).
    bootstrap
        Select again on bootstrap samples: how certain is the threshold? One bound on TPR or FPR alone has an
        interval of order statistics instead of theirs.
    band
        Curve: the ROC curve with its band.
    band_at
        Band of the TPR at fixed FPR (fpr, unless given), of the FPR at fixed TPR, or of both at thresholds.
    simultaneous
        Band that holds the whole curve, not each point alone.
    pr
        Curve: precision and recall.
    smooth
        Curve: the ROC curve smoothed by kernels, with its area; the point stays that of the cases.
    net_benefit
        Curve: net benefit of acting on probabilities.
    all
        The criterion table: sensitivity, specificity, likelihood ratios and predictive values of every
        threshold with their intervals; --out x.xlsx or x.docx writes it for Excel or Word.
    grey_zone
        Two cut-offs: one that rules out at this sensitivity, one that rules in at this specificity, and the
        share of cases between them.
    save
        Save the point as JSON, for new scores.

    Examples
    --------
    rocscope points scores.csv --label outcome --pos-label ill --score marker
    rocscope points scores.csv --label y --score s --select "tpr>=0.9" --select "fpr<=0.4"
    rocscope points scores.csv --label y --score s --cost 5 --prevalence 0.02 --save point.json
    rocscope points scores.csv --label y --score s --threshold 0.5 --interval exact --out roc.png
    rocscope points scores.csv --label y --score s --bootstrap --seed 1 --band --out band.png
    rocscope points scores.csv --label y --score s --smooth --out smooth.png
    rocscope points scores.csv --label y --score s --all --prevalence 0.1 --out cutoffs.xlsx
    rocscope points scores.csv --label y --score s --band --band-at threshold --simultaneous --out band.csv
    rocscope points scores.csv --label y --score s --grey-zone 0.95,0.95 --seed 1 --out zone.png
    rocscope points scores.csv --label y --score s --select "tpr>=0.9" --by site
    rocscope points lesions.csv --label malignant --score model --groups patient --threshold 0.5
    rocscope points huge.parquet --label y --score s --select "fpr<=0.01" --memory-limit 512MB
    """
    import numpy as np

    from rocscope.atlas.results import LEVEL
    from rocscope.core.curve import CLUSTERED
    from rocscope.core.result import plain
    from rocscope.core.table import below_note, own_scores
    from rocscope.inference.point_measures import CHOSEN
    from rocscope.inference.proportions import plain_threshold
    from rocscope.io.large import vertex_at

    selection = Selection(
        constraints=tuple(select or ()), rule=rule, cost=cost, prevalence=prevalence, threshold=threshold
    )
    curves = [shown for shown in (band, pr, smooth, net_benefit, grey_zone, all) if shown]
    if len(curves) > 1:
        raise RocUsageError(
            "--band, --pr, --smooth, --net-benefit, --grey-zone and --all must not come together: --out "
            "writes one curve"
        )
    if not band:
        opt.refuse("belongs to --band", simultaneous=simultaneous, band_at=band_at)
    drawn = bootstrap or pr or grey_zone is not None or (band and band_at != "threshold" and not simultaneous)
    if threshold is not None:
        opt.refuse("must be left out with --threshold", select=select, rule=rule, bootstrap=bootstrap)
    if not drawn:
        owners = "--bootstrap, --pr, --grey-zone and --band (pointwise, at fixed FPR)"
        opt.refuse(f"belongs to {owners}", n_boot=chance.n_boot, seed=chance.seed, n_jobs=chance.n_jobs)
    columns_of_design = design.beside(source.label, score)
    designed = any(columns_of_design.values())
    if designed:
        why = f"must be left out with {'--groups' if design.groups else '--weight'}, "
        opt.refuse(f"{why}since it takes all cases as independent", bootstrap=bootstrap, smooth=smooth)
        opt.refuse(f"{why}for which no such band is known", simultaneous=simultaneous)
        if columns_of_design.get("weight_kind") == "survey":
            opt.refuse("must be left out with survey weights: it draws cases", pr=pr, grey_zone=grey_zone)
        opt.refuse("must be left out with --weight", count=source.count if design.weight else None)
    draws = chance.draws(used=drawn)
    output.check(file, save, table=all)
    if save is not None:
        out.check_target(save, force=output.force, unlike=(file,))
    data: Any
    with source.open(file, row_bytes=opt.DRAWN_CURVES) as opened:
        groups: dict[str, Any] = {}
        if source.counts is not None:
            opt.refuse("must be left out with --counts", by=by, **columns_of_design)
            data = source.counted(opened)
        elif by:
            data, groups = source.grouped(opened, [score], by, **columns_of_design)
        elif opened.limits.memory is not None and not (bootstrap or curves or source.count or designed):
            from rocscope.io.large import curves_of_file

            positive = opt.positive_class(source.pos_label)
            columns: dict[str, Any] = {"label": source.label, "pos_label": positive, "na": source.na}
            columns["direction"] = source.side
            data = curves_of_file(opened, score=score, **columns, keep=selection.candidates)[score]
        else:
            data = source.two_classes(opened, [score], **columns_of_design)
        described = out.describe(opened)
    roc = auc.sample_curve(data)
    scores = own_scores(roc.thresholds[1:], roc.direction)
    counts: Any = data
    if not designed:
        counts = rs.ScoreTable.from_counts(scores, pos=np.diff(roc.tp), neg=np.diff(roc.fp))
        counts = dataclasses.replace(counts, direction=roc.direction)
    weighing: dict[str, Any] = {"cost": cost, "prevalence": prevalence}
    how: dict[str, Any] = {"level": level} | draws.options
    options: dict[str, Any] = {
        "threshold_probability": threshold_probability,
        "interval": interval,
        "level": level,
    }
    if threshold is None:
        index = selection.point(roc).index
        point = roc.decision(index)
        measures = rs.point_measures(counts, select=selection.constraints, rule=rule, **weighing, **options)
    else:
        index = vertex_at(roc, threshold)
        lower = roc.direction == "lower"
        point = rs.Threshold(threshold, positive=roc.pos_label, negative=roc.neg_label, distance=lower)
        measures = rs.point_measures(counts, threshold=threshold, **weighing, **options)
    cut = None  # the same selection on bootstrap samples
    if bootstrap:
        cut = rs.cutpoint(counts, None, *selection.constraints, rule=rule, **weighing, **how)
    curve: Any = None
    if band:
        survey = isinstance(data, rs.BinaryScores) and data.is_survey  # nothing is drawn
        how_band = {"level": level} if survey else how
        curve = rs.roc_band(data, at=band_at or "fpr", simultaneous=simultaneous, **how_band)
    elif pr:
        curve = rs.precision_recall(data, prevalence=prevalence, **how)
    elif smooth:
        curve = rs.smooth_roc(data, level=level)
    elif net_benefit:
        curve = rs.net_benefit(data, prevalence=prevalence, level=level)
    elif grey_zone is not None:
        curve = rs.grey_zone(data, sensitivity=grey_zone[0], specificity=grey_zone[1], **how)
    elif all:
        curve = roc.coords(measures=CRITERIA, prevalence=prevalence, interval=interval, level=level)
    grouped = rs.auc_by(data, by=groups, threshold=point, level=level) if by else None
    output.save(point, save)
    confusion = {cell: getattr(measures, cell) for cell in ("tp", "fn", "fp", "tn")}
    shown = {
        name: estimate
        for name, estimate in measures.estimates.items()
        if name not in OPTIONAL or estimate.status == "ok"
    }
    warnings = [*roc.warnings, *(below_note(roc.auc, roc.direction))]

    def document() -> dict[str, Any]:
        """The point and all that follows from it; an infinite threshold is text."""
        fields = {
            "type": "OperatingPoint",
            "score": score,
            "threshold": plain_threshold(point.value),
            "objective": selection.objective(),
            "constraints": selection.constraints,
            "direction": roc.direction,
            **weighing,
            "threshold_probability": measures.threshold_probability,
            **{name: getattr(roc, name) for name in ("pos_label", "neg_label", "n_pos", "n_neg", "auc")},
            "confusion": confusion,
            "measures": measures.estimates,
            "cutpoint": cut,
            "warnings": [*dict.fromkeys([*warnings, *measures.warnings])],
        }
        return {name: plain(value) for name, value in fields.items()}

    def rows() -> list[dict[str, Any]]:
        """One row of the point with every measure, or one row per place of the curve beside it."""
        if curve is not None:  # an infinite threshold or ratio is one, unlike what is undefined
            columns = {name: np.asarray(values).tolist() for name, values in curve.columns().items()}
            if all:
                signs = {"≥": ">=", "≤": "<="}
                texts = [text.partition(" ") for text in curve.criteria()]
                columns = {"criterion": [f"{signs.get(s, s)} {cut}" for s, _, cut in texts]} | columns
            kept = {name: [None if x != x else x for x in values] for name, values in columns.items()}
            return [dict(zip(kept, line, strict=True)) for line in zip(*kept.values(), strict=True)]
        row: dict[str, Any] = {"score": score, "threshold": plain_threshold(point.value)}
        row |= {f"threshold_{end}": None if cut is None else getattr(cut, end) for end in ("low", "high")}
        row |= confusion
        for name, estimate in measures.estimates.items():
            row[name] = estimate.value
            row |= {f"{name}_{part}": getattr(estimate, part) for part in ("se", "low", "high")}
        return [row]

    def blocks() -> list[out.Block]:
        """The selection, the confusion matrix, the measures, and what they are on cases left out."""
        # Of a file that was not held in memory not all scores are known on which fewer figures might decide.
        whole = isinstance(data, rs.BinaryScores) and measures.threshold_text
        value = (whole or repr(point.value)).removesuffix(".0")
        cases = f"Classify as {point.positive} where {score} {measures.sign} {value}"
        if point.value is None or (math.isinf(point.value) and measures.tp + measures.fp == 0):
            cases = f"Classify nothing as {point.positive}"
        use = "" if prevalence is None else f", at a prevalence of {prevalence:g}"
        lines: list[out.Block] = [
            f"{cases} ({selection}{use})",
            "{tp} true and {fp} false positives, {tn} true and {fn} false negatives".format(**confusion),
            *(f"  {estimate.summary()}" for estimate in shown.values()),
        ]
        if cut is not None:
            judged = f"On {cut.n_boot} bootstrap samples:"
            if cut.method != "bootstrap":
                judged = f"The cut-off, and its measures on {cut.n_boot} bootstrap samples:"
            lines += ["", judged, cut.summary()]
        if grouped is not None:
            lines += ["", *auc.group_blocks(grouped)]
        if all:
            table = curve.table()
            return [*lines, "", *out.TextTable(table.columns, table.rows).parts(), *table.notes]
        return lines if curve is None else [*lines, "", curve.summary()]

    def picture() -> Picture:
        from rocscope import plotting

        if curve is None or all:
            return plotting.curves({score: roc}, points={score: [index]})
        more = {"curve": roc, "estimate": rs.auc(data, level=level), "points": [index]} if band else {}
        return plotting.picture(curve, name=score, **more)

    chosen = CHOSEN.replace("see cutpoint", "see --bootstrap")
    known = [text.replace(CHOSEN, "" if bootstrap else chosen) for text in measures.warnings]
    undefined = [f"{estimate.name}: {estimate.reason}" for estimate in shown.values() if estimate.reason]
    clusters = opt.cluster_notes(data, design.groups) if isinstance(data, rs.BinaryScores) else []
    warnings = [text for text in warnings if text != CLUSTERED]
    notes = [*clusters, *warnings, *filter(None, known), *(cut.warnings if cut else ()), *undefined]
    if not designed and level == LEVEL:
        notes += measure_notes(measures, roc, interval) if threshold is not None else []
        notes += band_notes(curve, roc, band_at or "fpr") if band else []
        notes += drawn_notes(roc, cut if cost is prevalence is None else None, selection, curve)
    output.deliver(
        out.CommandResult(
            command="points",
            input=described | draws.input,
            results=lambda: [
                document(),
                *([] if grouped is None else [{"score": score} | grouped.to_dict()]),
                *([] if curve is None else [({"score": score} if grey_zone else {}) | curve.to_dict()]),
            ],
            rows=rows,
            blocks=blocks,
            notes=[
                *notes,
                *(() if grouped is None else grouped.warnings),
                *(() if curve is None else curve.warnings),
                *draws.notes,
            ],
            picture=picture,
            table=curve.table if all else None,
        )
    )


# ---- What simulated studies say of the intervals ----------------------------------------------------------


def measure_notes(measures: Any, roc: rs.RocCurve, interval: str) -> list[str]:
    """Measures at a fixed threshold whose intervals are known to hold too seldom, or to be too wide."""
    from rocscope.atlas.results import measure_name, quantity_notes

    values = {}
    for name, one in measures.estimates.items():
        at = "" if measures.prevalence is None or name in FIXED else f" at prevalence {measures.prevalence:g}"
        if one.low is not None and name not in OPTIONAL:
            values[measure_name(name) + at] = one.value
    return quantity_notes("point_measures", roc.n_pos, roc.n_neg, values, method=interval)


# These do not depend on the prevalence.
# Precision was simulated at a prevalence of 0.1 alone; that of these is much alike.
NEAR_TENTH = (0.07, 0.14)
FIXED = ("sensitivity", "specificity", "lr_pos", "lr_neg", "balanced_accuracy", "youden")


def band_notes(band: Any, roc: rs.RocCurve, at: str) -> list[str]:
    """Rates at which a pointwise band is known to hold too seldom; or the band of the whole curve."""
    from rocscope.atlas.results import load, quantity_notes

    if at != "fpr":
        return []
    if band.simultaneous:
        whole = {"whole curve": roc.auc}
        how: dict[str, Any] = {"method": band.method, "area": roc.auc}
        return quantity_notes("roc_band simultaneous", roc.n_pos, roc.n_neg, whole, **how)
    rates = dict(zip((f"TPR at FPR {x:g}" for x in band.x.tolist()), band.mean.tolist(), strict=True))
    values = {name: rates[name] for name in load("roc_band").values("quantity") if name in rates}
    return quantity_notes("roc_band", roc.n_pos, roc.n_neg, values, method=band.method)


def drawn_notes(roc: rs.RocCurve, cut: Any, selection: Selection, curve: Any) -> list[str]:
    """Selected cut-offs, grey zones and precision whose intervals are known to hold too seldom, or too often.

    `cut` is None where no interval of the cut-off is requested, or none like it was simulated.
    """
    from rocscope.atlas.results import quantity_notes
    from rocscope.inference.cutpoint import quantile_of
    from rocscope.inference.grey_zone import GreyZone
    from rocscope.inference.precision_recall import PrecisionRecall

    family, method, names, name = "cutpoint", "bootstrap", list[str](), ""
    if cut is not None and not selection.constraints and selection.rule in (None, "youden"):
        names = ["largest Youden index"]
    elif cut is not None and selection.rule is None and quantile_of(selection.constraints) == ("tpr", 0.9):
        names, method = ["sensitivity of at least 0.9"], cut.method
    elif isinstance(curve, GreyZone):
        family, method = "grey_zone", curve.method
        names = [
            f"rule out at sensitivity {curve.required_sensitivity:g}",
            f"rule in at specificity {curve.required_specificity:g}",
        ]
    elif isinstance(curve, PrecisionRecall):
        family, name, method = "precision_recall", "at prevalence 0.1", curve.average_precision.method
        names = ["average precision", "area"] if NEAR_TENTH[0] <= curve.prevalence <= NEAR_TENTH[1] else []
    how: dict[str, Any] = {"method": method, "area": roc.auc, "name": name}
    return quantity_notes(family, roc.n_pos, roc.n_neg, dict.fromkeys(names, 0.0), **how)


# ---- Selection of an operating point ----------------------------------------------------------------------


OBJECTIVES = {
    "se=sp": "sensitivity nearest to specificity",
    "max-product": "largest sensitivity times specificity",
    "max-accuracy": "largest accuracy",
    "max-f1": "largest F1",
    "max-kappa": "largest kappa",
    "max-ppv": "largest PPV",
    "min-p": "smallest p-value of chi-square",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """How a point is selected: by constraints, rule, cost and prevalence, or by its threshold."""

    constraints: tuple[str, ...] = ()
    rule: Any = None
    cost: float | tuple[float, float] | None = None
    prevalence: float | None = None
    threshold: float | None = None

    def point(self, curve: rs.RocCurve) -> rs.OperatingPoint:
        """The point of the curve that is selected."""
        options = {"rule": self.rule, "cost": self.cost, "prevalence": self.prevalence}
        return curve.select(*self.constraints, **options)

    def candidates(self, curve: rs.RocCurve) -> list[int]:
        """Vertices of a stretch of a curve among which the one of the whole curve is, and those as good.

        Where none meets the constraints: those that come nearest, each to one constraint, to say how far the
        scores reach.
        """
        import numpy as np

        from rocscope.core.curve import equal_points
        from rocscope.core.points import Constraint
        from rocscope.io.large import vertex_at

        if self.threshold is not None:
            return [max(vertex_at(curve, self.threshold), 0)]
        try:
            point = self.point(curve)
            return [point.index, *equal_points(curve, point)]
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
        if self.rule in OBJECTIVES:
            return OBJECTIVES[self.rule]
        if weighted:
            return "least expected cost"
        if self.rule == "youden" or not self.constraints:
            return "largest TPR - FPR"
        bounds = map(Constraint.parse, self.constraints)
        floor = any(b.is_floor and b.measure in ("tpr", "sensitivity", "recall") for b in bounds)
        return "smallest FPR" if floor else "largest TPR"

    def __str__(self) -> str:
        return self.objective() + (f" with {', '.join(self.constraints)}" if self.constraints else "")
