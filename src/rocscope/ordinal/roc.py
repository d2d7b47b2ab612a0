"""Sets of ROC curves for ordinal classes: the call and its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import factorial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.frames import Missing
from rocscope.core.resampling import Rng, Sampling, as_generator
from rocscope.core.result import Estimate, Result, Row
from rocscope.ordinal import counts, decision, resampling
from rocscope.ordinal.closure import CLOSURES, Closure
from rocscope.ordinal.curves import ClassCurves, ClassFront, curves_of, front_of
from rocscope.ordinal.estimates import ClassEstimates, read_ordinal, read_thresholds
from rocscope.ordinal.scale import SCALES, Scale
from rocscope.ordinal.vus import areas_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class OverallAreas(Row):
    """Averages of MaxAUC and AvgAUC over the classes that are defined; None if none is.

    Attributes
    ----------
    max_macro, avg_macro
        Every class counts the same.
    max_weighted, avg_weighted
        Every class counts by its members.
    n_defined
        Classes behind the averages.
    """

    max_macro: float | None
    max_weighted: float | None
    avg_macro: float | None
    avg_weighted: float | None
    n_defined: int

    def _summary(self) -> str:
        if self.max_macro is None:
            return "Overall undefined: no class has curves"
        macro = f"macro MaxAUC {self.max_macro:.4f}, AvgAUC {self.avg_macro:.4f}"
        weighted = f"weighted MaxAUC {self.max_weighted:.4f}, AvgAUC {self.avg_weighted:.4f}"
        return f"Overall: {macro}; {weighted}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalRoc(Result):
    """Sets of ROC curves of ordered classes.

    Attributes
    ----------
    classes, labels
        The numbers of the classes, ascending, and what they are called.
    curves
        One `ClassCurves` per class: points of every pair of thresholds, curves, every area.
    max_auc, avg_auc
        MaxAUC and AvgAUC of every class; NaN where not `defined`.
    defined
        Which classes have curves; `curves[k].reason` says why one has none.
    overall
        Averages over the classes, plain and by the number of members.
    front
        The Pareto front of every class over all pairs of thresholds.
    thresholds
        The best thresholds of all classes together, for the objective.
    adjacent, adjacent_auc
        Area of every class against the one below it, NaN where one of them has fewer than two members,
        and their mean.
    vus
        Volume under the ROC surface: share of tuples with one case per class that are in order; None
        where a class has fewer than two members.
    kappa
        Quadratic weighted kappa at the best thresholds; its weights go by the order of the classes, (i - j)^2
        for the i-th and the j-th, not by their numbers.
    estimates
        Every figure by name ("max_auc(3)", "avg_auc macro", "vus") with its interval, or the reason why
        it has none.
    folds
        Figures of every fold, with mean and standard deviation.
    fixed, closure, n_boot, scale
        Options of the call.
    warnings
        What a reader should know.
    """

    view: ClassVar[str] = "ordinal.ordinal_picture"
    topic: ClassVar[str] = "classes"

    classes: tuple[float, ...]
    labels: tuple[Any, ...]
    curves: tuple[ClassCurves, ...]
    max_auc: Floats
    avg_auc: Floats
    defined: NDArray[np.bool_]
    overall: OverallAreas
    front: tuple[ClassFront, ...]
    thresholds: decision.OrdinalThresholds
    adjacent: Floats
    adjacent_auc: float | None
    vus: float | None
    kappa: float | None
    estimates: Mapping[str, Estimate]
    folds: resampling.OrdinalFolds
    fixed: counts.Fixed
    closure: Closure
    n_boot: int
    scale: Scale = "raw"
    warnings: tuple[str, ...] = ()

    @property
    def vus_chance(self) -> float:
        """Volume without information, 1 / C!."""
        return 1 / factorial(len(self.classes))

    def columns(self) -> dict[str, Any]:
        """Return one row per class."""
        ends = {
            f"{name}_{end}": [self.estimates[f"{name}({label})"][end] for label in self.labels]
            for name in ("max_auc", "avg_auc")
            for end in ("low", "high")
        }
        of_class = {
            name: [getattr(one, name) for one in self.curves]
            for name in ("label", "value", "n_pos", "max_auc", "max_at", "avg_auc")
        }
        reasons = {name: [getattr(one, name) for one in self.curves] for name in ("status", "reason")}
        return of_class | ends | reasons

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """One row per figure."""
        rows = self.estimates.values()
        fields = ("value", "se", "low", "high", "level", "method", "status", "reason")
        columns = {name: [row[name] for row in rows] for name in fields}
        if all(row.low is None for row in rows):  # the method is that of the intervals
            del columns["method"]
        return {"figure": list(self.estimates)} | columns, {}, []

    def _summary(self) -> str:
        n = sum(one.n_pos for one in self.curves)
        scale = "" if self.scale == "raw" else f", {self.scale} scale"
        options = f"{self.closure} closure, {self.fixed} fixed{scale}"
        lines = [f"{len(self.classes)} ordered classes, {n} cases ({options})"]
        for one in self.curves:
            if one.max_auc is None:
                lines.append(f"  {one}")
                continue
            largest, mean = (self._with_interval(f"{name}({one.label})") for name in ("max_auc", "avg_auc"))
            curves = f"{len(one)} curve{'s' if len(one) > 1 else ''}"
            areas = f"MaxAUC {largest}, AvgAUC {mean}"
            lines.append(f"  Class {one.label}: {areas}, {one.n_pos} cases, {curves}")
        neighbours = f"AUC of neighbours {self._with_interval('adjacent_auc')}"
        volume = f"VUS {self._with_interval('vus')} (chance {self.vus_chance:.2g})"
        return "\n".join([*lines, f"  {self.overall}", f"  {neighbours}, {volume}", f"  {self.thresholds}"])

    def _with_interval(self, name: str) -> str:
        estimate = self.estimates[name]
        if estimate.low is None or estimate.high is None:
            return "undefined" if estimate.value is None else f"{estimate.value:.4f}"
        return f"{estimate.value:.4f} ({estimate.low:.4f}-{estimate.high:.4f})"


@checks.known_arguments
def ordinal_roc(
    y_true: Any,
    y_pred: Any = None,
    *,
    classes: Any = None,
    thresholds: Any = 10,
    closure: Closure = "diagonal",
    fixed: counts.Fixed = "lower",
    fold: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    scale: Scale = "raw",
    objective: decision.Objective = "error",
    cost: Any = None,
    cuts: decision.Cuts = "gaps",
    n_boot: int = 0,
    level: float = 0.95,
    rng: Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> OrdinalRoc:
    """Return the sets of ROC curves of ordered classes, with MaxAUC and AvgAUC of each [1]_.

    For a class c with neighbours c- < c < c+ and thresholds c- < t_a < c < t_b < c+, a case counts as c where
    its estimate e has t_a <= e <= t_b: TP counts the members of c among these, FP the others. One curve joins
    the points of one fixed threshold; the first and the last class have a single curve, from their one
    threshold that can move.

    Parameters
    ----------
    y_true
        True classes: numbers, or labels that `classes` maps to numbers. Or what `ordinal_scores` returns,
        or an `OrdinalScores`, alone: they hold estimates, classes and folds. Of probabilities that
        `cross_scores` gave, the estimate is the expected class, as in `ordinal_scores`.
    y_pred
        An estimate of the number of the class for every case; estimates beyond the classes are legal.
    classes
        All classes, where some may have no case; or a mapping from label to number. Text without such a
        mapping is refused: it has no order of its own.
    thresholds
        How many equidistant thresholds each gap between neighbouring classes has; or the thresholds
        themselves (numbers, or a mapping from (class, next class) to numbers); or "all": every distinct
        estimate inside the gap.
    closure
        How a curve, which seldom reaches the corners, is closed. "diagonal" adds (0, 0) and (1, 1): beyond
        its last point the curve earns what chance would. "flat" adds (0, 0) and (1, TPR of the last point):
        beyond its last point it finds no further member. "flat" is never larger. "none" adds nothing: the
        area between the first and the last threshold alone, 0 for perfect estimates.
    fixed
        Which threshold is fixed in a curve, "lower" or "upper". The points are the same.
    fold
        Fold of each case: every figure is computed in every fold as well, at the same thresholds.
    label, score
        Columns of a data frame in the place of `y_true`: classes and estimates.
    na
        "error" refuses missing values, "drop" leaves out the rows that hold one, with a warning.
    scale
        What to do with estimates that are not numbers of classes, such as a marker. "raw": take them as
        they are. "rank": by their order alone; if the first class has a share p_1 of the cases, the lowest
        p_1 of the estimates come nearest to its number, the next p_2 nearest to the second class, and so
        on. "calibrated": the mean class at that estimate by isotonic regression, each case mapped by the
        regression on the other folds (those of `fold`, else ten that `rng` deals). Higher estimates must
        mean higher classes.
    objective, cost
        What the best thresholds of all classes together make best: "error", "cost" (with a matrix of costs,
        true class by decided class) or "kappa" (quadratic weighted by the order of the classes).
    cuts
        Where they may lie: "gaps", each among the thresholds between its two classes; "range", each among
        the thresholds of all gaps (with "all" among all distinct estimates), in order.
    n_boot, level, rng, n_jobs, progress
        Bootstrap replicates for intervals, none by default; confidence level; seed or generator; processes
        (the numbers do not depend on it); progress bar, as in `auc`.

    Returns
    -------
    OrdinalRoc
        With `curves`, `max_auc`, `avg_auc`, `defined`, `overall`, `front`, `thresholds`, `vus`, `kappa`,
        `estimates` (intervals) and `folds`. A class with fewer than two members has no curves, and its entry
        says so.

    Notes
    -----
    All areas are computed in integers and rounded once. Time is that of sorting, whatever the number of
    thresholds, except for the front, which compares pairs: N^2 / 4 of them at worst with "all". Memory is
    linear in the number of cases; the matrices `curves[k].tp` and `.fp` are made on demand.

    Bootstrap replicates draw every class apart and keep the thresholds, also those of kappa, so that the
    interval of kappa is that of a fixed decision rule. Intervals are bias-corrected percentiles, because
    MaxAUC is a maximum and picks its curve anew in every replicate: it lies above the truth, the more so the
    smaller the class. With 30 cases per class its 95 % interval holds the truth in 85 to 93 of 100 samples,
    those of the other figures in 92 to 95; with 200 in 92 to 94 and 94 to 96 (normal estimates).

    Curves, thresholds and best thresholds are on the scale that `scale` leads to, and replicates keep its
    map. `thresholds.decide` takes estimates as they came; its cut-offs are those of the map of all cases
    together.

    References
    ----------
    .. [1] Winkler, Affenzeller, Wagner: Sets of receiver operating characteristic curves and their use in
       the evaluation of multi-class classification, GECCO 2006.

    Examples
    --------
    >>> y = [1, 1, 1, 2, 2, 2, 3, 3, 3]
    >>> e = [0.7, 1.2, 1.6, 1.4, 2.1, 2.3, 2.4, 3.1, 3.3]
    >>> print(ordinal_roc(y, e, thresholds=3))
    3 ordered classes, 9 cases (diagonal closure, lower fixed)
      Class 1: MaxAUC 0.9444, AvgAUC 0.9444, 3 cases, 1 curve
      Class 2: MaxAUC 0.8611, AvgAUC 0.7685, 3 cases, 3 curves
      Class 3: MaxAUC 0.9722, AvgAUC 0.9722, 3 cases, 1 curve
      Overall: macro MaxAUC 0.9259, AvgAUC 0.8951; weighted MaxAUC 0.9259, AvgAUC 0.8951
      AUC of neighbours 0.9444, VUS 0.8889 (chance 0.17)
      Thresholds 1.25, 2.5: error 0.2222, kappa 0.8000 (best error)
    """
    checks.check_choice(closure, CLOSURES, name="closure")
    checks.check_choice(fixed, counts.FIXED, name="fixed")
    checks.check_choice(cuts, decision.CUTS, name="cuts")
    checks.check_level(level)
    checks.check_n_boot(n_boot, none=True)
    checks.check_choice(scale, SCALES, name="scale")
    if scale == "calibrated":
        rng = as_generator(rng)  # its folds come first, then the replicates
    sample = read_ordinal(
        y_true,
        y_pred,
        classes=classes,
        fold=fold,
        label=label,
        score=score,
        na=na,
        scale=scale,
        rng=rng,
    )
    whole = sample.whole
    costs = decision.read_cost(objective, cost, len(whole.classes))
    gaps = read_thresholds(thresholds, whole)
    at = counts.ThresholdCounts.of(whole, gaps)
    curves = tuple(
        curves_of(code, whole, at, gaps, fixed=fixed, closure=closure) for code in range(len(whole.classes))
    )
    every = isinstance(thresholds, str)
    best = decision.choose_thresholds(
        whole,
        gaps,
        at,
        objective=objective,
        cost=costs,
        cuts=cuts,
        every=every,
        scale_map=sample.scale_map,
    )
    areas = areas_of(whole)
    adjacent = resampling.neighbour_areas(areas.adjacent, whole.sizes)
    volume = float(areas.volume) if whole.sizes.min() >= counts.FEWEST else np.nan
    kappa = np.nan if best.kappa is None else best.kappa
    max_auc, avg_auc = _column(curves, "max_auc"), _column(curves, "avg_auc")
    values = resampling.join_figures(max_auc, avg_auc, whole.sizes, adjacent, volume, kappa)
    names = resampling.figure_names(whole.labels)
    prepare = partial(resampling.SampleCounts.of, gaps=gaps, cuts=best.values, fixed=fixed, closure=closure)
    replicates = None
    if n_boot:
        sampling = Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs, progress=progress)
        replicates = resampling.bootstrap_figures([prepare(whole)], sampling)[:, 0]
    few = "; ".join(filter(None, (counts.few_members(one.label, one.n_pos) for one in curves)))
    reasons = dict.fromkeys(resampling.OVERALL, "no class has curves")
    reasons |= {f"{name}({one.label})": one.reason or "" for one in curves for name in ("max_auc", "avg_auc")}
    reasons |= {"adjacent_auc": few, "vus": few, "kappa": best.reason or ""}
    estimates = resampling.figure_estimates(
        values, names, replicates=replicates, level=level, reasons=reasons
    )
    defined = np.array([one.status == "ok" for one in curves])
    n_defined = int(np.count_nonzero(defined))
    warnings = sample.warnings + (_scale_warnings(whole) if scale == "raw" else ())
    if n_boot:
        warnings += sampling.warnings()
    if 0 < n_defined < len(curves):
        why = "; ".join(dict.fromkeys(one.reason for one in curves if one.reason))
        warnings += (f"overall areas are those of {n_defined} of {len(curves)} classes: {why}",)
    return OrdinalRoc(
        classes=whole.classes,
        labels=whole.labels,
        curves=curves,
        max_auc=max_auc,
        avg_auc=avg_auc,
        defined=defined,
        overall=OverallAreas(
            max_macro=estimates["max_auc macro"].value,
            max_weighted=estimates["max_auc weighted"].value,
            avg_macro=estimates["avg_auc macro"].value,
            avg_weighted=estimates["avg_auc weighted"].value,
            n_defined=n_defined,
        ),
        front=tuple(front_of(one) for one in curves),
        thresholds=best,
        adjacent=adjacent,
        adjacent_auc=estimates["adjacent_auc"].value,
        vus=estimates["vus"].value,
        kappa=best.kappa,
        estimates=estimates,
        folds=resampling.fold_figures(((name, prepare(part)) for name, part in sample.folds()), names),
        fixed=fixed,
        closure=closure,
        n_boot=n_boot,
        scale=scale,
        warnings=warnings,
    )


def _column(curves: tuple[ClassCurves, ...], name: str) -> Floats:
    """A figure of every class; NaN where it is undefined."""
    values = [getattr(one, name) for one in curves]
    return np.array([np.nan if value is None else value for value in values])


def _scale_warnings(whole: ClassEstimates) -> tuple[str, ...]:
    """Say so where the estimates do not look like numbers of classes: thresholds lie between the classes."""
    parts, classes = [part for part in whole.parts if part.size], np.array(whole.classes)
    half = classes[1:] / 2 - classes[:-1] / 2  # halved first: classes may be as far apart as numbers can be
    low, high = min(part[0] for part in parts), max(part[-1] for part in parts)
    first, last = np.searchsorted(classes[:-1] + half, [low, high])
    ends = whole.classes[0] - float(half.min()), whole.classes[-1] + float(half.min())
    inside = sum(
        int(np.searchsorted(part, ends[1], "right") - np.searchsorted(part, ends[0])) for part in parts
    )
    total = sum(part.size for part in parts)
    if first == last:
        where = f"all are nearest to class {whole.labels[int(first)]}"
    elif 2 * inside < total:
        where = f"{total - inside} of {total} lie beyond all classes"
    else:
        return ()
    return (
        f"the estimates, from {low:.4g} to {high:.4g}, do not look like estimates of the classes, "
        f"from {classes[0]:g} to {classes[-1]:g}: {where}; "
        'scale="rank" or scale="calibrated" puts them on the scale of the classes',
    )
