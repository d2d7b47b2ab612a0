"""Two cut-offs instead of one: scores that rule out, scores that rule in, and a grey zone between them.

The cut-off that rules out has the smallest FPR of those whose sensitivity reaches a bound: below it a case
tests negative. The cut-off that rules in has the largest sensitivity of those whose specificity reaches a
bound: from it on a case tests positive. Cases between the two are left undecided [1]_, [2]_. Where the first
lies at or above the second, one cut-off meets both bounds and there is no grey zone. Each cut-off is a
quantile of one class, and its interval one of order statistics. Both are found again on every bootstrap
sample: it shows how often there is a grey zone, and gives the intervals of cut-offs of clusters.

References
----------
.. [1] Coste, Pouchot: A grey zone for quantitative diagnostic and screening tests, International Journal of
   Epidemiology 32, 2003.
.. [2] Coste, Jourdain, Pouchot: A gray zone assigned to inconclusive results of quantitative diagnostic
   tests, Clinical Chemistry 52, 2006.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, points, resampling
from rocscope.core.curve import RocCurve
from rocscope.core.formatting import counted, threshold
from rocscope.core.frames import Missing
from rocscope.core.influence import Design
from rocscope.core.result import Estimate, Result, Row, Status, TwoClassResult, row_columns
from rocscope.core.rules import Direction
from rocscope.core.table import own_scores
from rocscope.errors import RocInputError
from rocscope.inference import variance
from rocscope.inference.cutpoint import (
    Rate,
    ThresholdMethod,
    open_notes,
    quantile_interval,
    threshold_interval,
)
from rocscope.inference.designed_measures import designed_proportion
from rocscope.inference.proportions import CountedScores, IntervalKind, as_number, plain_threshold

ZONES = ("negative", "undecided", "positive")
# Cases beyond a cut-off of which the bootstrap makes too short an interval, by the atlas.
FEW_WRONG = 5
CHOSEN = (
    "the cut-offs were chosen on these same cases: shares and rates are optimistic, and their intervals do "
    "not know of the choice"
)
THRESHOLDS = ("rule_out", "rule_out_low", "rule_out_high", "rule_in", "rule_in_low", "rule_in_high", "single")


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneShare(Row):
    """Cases of a class, or of both, that fall into a zone.

    Attributes
    ----------
    cases
        Whose share it is: the name of a class, or "all".
    zone
        "negative" (ruled out), "undecided" or "positive" (ruled in).
    count, n
        Cases in the zone, and cases of the class.
    value, low, high
        The share count / n with Wilson's interval.
    """

    cases: str
    zone: str
    count: int
    n: int
    value: float
    low: float
    high: float

    def _summary(self) -> str:
        ends = f"{self.low:.4f}-{self.high:.4f}"
        return f"{self.cases}, {self.zone}: {self.value:.4f} ({ends}), {self.count} of {self.n}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GreyZone(TwoClassResult):
    """Two cut-offs with their intervals, and what falls on either side and between them.

    Attributes
    ----------
    required_sensitivity, required_specificity
        The bounds.
    rule_out, rule_out_low, rule_out_high
        The threshold of the smallest FPR at which the sensitivity reaches its bound, and its interval:
        scores below it test negative (with `direction` "lower": above it). Ends are scores, or infinite where
        the cases are too few for an end. None where undefined, see `reason`; infinite thresholds are text in
        JSON.
    rule_in, rule_in_low, rule_in_high
        The threshold of the largest sensitivity at which the specificity reaches its bound: scores from it on
        test positive. At infinity no case does.
    single
        Where one threshold meets both bounds: the one of them with the largest Youden index, at which all
        cases are decided. None where there is a grey zone.
    sensitivity
        Share of the positives that are not ruled out: at or above `rule_out`, or `single`.
    specificity
        Share of the negatives that are not ruled in: below `rule_in`, or `single`.
    shares
        Shares of the positives, the negatives and all cases that test negative, are undecided, or test
        positive.
    single_share
        Share of the bootstrap samples in which one threshold meets both bounds; None without any sample.
    curve
        The ROC curve, with all thresholds.
    method
        What made the intervals of the cut-offs: "order-statistics" or "bootstrap".
    """

    view: ClassVar[str] = "bands.grey_zone_picture"
    topic: ClassVar[str] = "points"

    required_sensitivity: float
    required_specificity: float
    rule_out: Any
    rule_out_low: Any
    rule_out_high: Any
    rule_in: Any
    rule_in_low: Any
    rule_in_high: Any
    single: Any
    sensitivity: Estimate
    specificity: Estimate
    shares: tuple[ZoneShare, ...]
    single_share: float | None
    curve: RocCurve
    level: float
    method: str
    n_boot: int
    status: Status = "ok"
    reason: str | None = None
    direction: Direction = "higher"

    @property
    def decision(self) -> points.Threshold:
        """The rule for new scores: a `Threshold` that rejects the cases of the grey zone."""
        named: dict[str, Any] = {"positive": self.pos_label, "negative": self.neg_label}
        named["distance"] = self.direction == "lower"
        if self.single is not None:
            return points.Threshold(self.single, **named)
        return points.Threshold(self.rule_in, reject=self.rule_out, **named)

    def share(self, cases: str, zone: str) -> ZoneShare:
        """Return the share of a class ("all" for both) in a zone."""
        for name, value in (("cases", cases), ("zone", zone)):
            known = list(dict.fromkeys(row[name] for row in self.shares))
            checks.check_choice(value, known, name=name)
        return next(row for row in self.shares if (row.cases, row.zone) == (cases, zone))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds are text, since None is an undefined one."""
        return Result.to_dict(self) | {name: plain_threshold(getattr(self, name)) for name in THRESHOLDS}

    def columns(self) -> dict[str, Any]:
        """Return one row per class and zone."""
        return row_columns(self.shares)

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        notes = [f"{line.strip()}." for line in self._heads()]
        return self.columns(), {"value": "Share"}, notes

    @property
    def undecided(self) -> ZoneShare:
        """The share of all cases in the grey zone."""
        return self.share("all", "undecided")

    def _heads(self) -> list[str]:
        """The cut-offs and what they reach."""
        below, above = ("<", ">=") if self.direction == "higher" else (">", "<=")
        if self.single is not None:
            cut = threshold(self.single)
            lines = [f"No grey zone: score {above} {cut} meets both bounds"]
        else:
            lines = [
                f"Negative where score {below} {threshold(self.rule_out)}{self._ends('rule_out')}",
                f"Positive where score {above} {threshold(self.rule_in)}{self._ends('rule_in')}",
                f"Undecided between them: {self.undecided.value:.4f} of all cases "
                f"({self.undecided.low:.4f}-{self.undecided.high:.4f})",
            ]
        return [
            *lines,
            f"{self.sensitivity.summary()}, at least {self.required_sensitivity:g} required",
            f"{self.specificity.summary()}, at least {self.required_specificity:g} required",
        ]

    def _ends(self, name: str) -> str:
        low, high = getattr(self, f"{name}_low"), getattr(self, f"{name}_high")
        if low is None:
            return f" (no interval: {self.reason})"
        return f" ({self.level * 100:g}% interval {threshold(low)} to {threshold(high)})"

    def _summary(self) -> str:
        return "\n".join([*self._heads(), *(f"  {row}" for row in self.shares)])


@checks.known_arguments
def grey_zone(
    y_true: Any,
    y_score: Any = None,
    *,
    sensitivity: float,
    specificity: float,
    level: float = 0.95,
    method: ThresholdMethod = "auto",
    n_boot: int = 2000,
    stratify: bool = True,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> GreyZone:
    """Return the two cut-offs that keep a sensitivity and a specificity, and the grey zone between them.

    Parameters
    ----------
    y_true, y_score, pos_label, label, score, na, direction
        Labels and scores, as in `auc`.
    sensitivity
        The sensitivity that ruling out must keep, between 0 and 1: at most 1 - sensitivity of the positives
        test negative.
    specificity
        The specificity that ruling in must keep: at most 1 - specificity of the negatives test positive.
    level
        Confidence level of all intervals.
    method
        How the intervals of the cut-offs are made: "order-statistics" of the class whose rate is bounded, for
        scores of any law, as in `cutpoint`; or "bootstrap", percentiles of the cut-offs of the samples.
        "auto" takes order statistics, and the bootstrap of clusters.
    n_boot, stratify, rng, n_jobs, progress
        The bootstrap, as in `auc`.
    groups
        Cluster of every case, as in `auc`: bootstrap samples draw whole clusters, and shares have the
        intervals of `point_measures`. Survey weights are refused, as bootstrap samples draw cases that count
        the same.

    Returns
    -------
    GreyZone
        With `rule_out` and `rule_in`, their intervals, the achieved `sensitivity` and `specificity`, and
        `shares`. Where one cut-off meets both bounds there is no grey zone, and `single` has it.

    Notes
    -----
    Of cut-offs with the same FPR the one that rules out has the largest sensitivity, and of those with the
    same sensitivity the one that rules in has the smallest FPR.

    The grey zone is the reject option for one score. `GreyZone.decision` is a `Threshold` with a `reject`
    threshold, whose `decide` names no class for cases between the two. `choose_reject` rejects where the
    largest weighted output of a case has too small a share of all of them: for two classes that is a zone on
    both sides of one threshold, as wide as the error of all decided cases together requires. Here each side
    has a bound of its own.

    Examples
    --------
    >>> y = [0] * 10 + [1] * 10
    >>> s = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 6, 8, 10, 11, 13, 14, 15, 16, 17, 18]
    >>> zone = grey_zone(y, s, sensitivity=0.9, specificity=0.9, rng=1)
    >>> zone.rule_out, zone.rule_in
    (8.0, 10.0)
    >>> print(zone.undecided)
    all, undecided: 0.1500 (0.0524-0.3604), 3 of 20
    >>> zone.decision.decide([5, 9, 10]).tolist()
    [0, None, 1]
    """
    required = (
        checks.check_number(sensitivity, name="sensitivity", low=0, high=1),
        checks.check_number(specificity, name="specificity", low=0, high=1),
    )
    kind = IntervalKind(level=checks.check_level(level))
    checks.check_choice(method, get_args(ThresholdMethod), name="method")
    sampling = resampling.Sampling(
        n_boot=n_boot, rng=rng, stratify=stratify, n_jobs=n_jobs, progress=progress
    )
    data = CountedScores.read(
        y_true,
        y_score,
        pos_label=pos_label,
        groups=groups,
        label=label,
        score=score,
        na=na,
        direction=direction,
        clustered=True,
    )
    cases = None if data.cases is None else data.cases.counted(clustered=True)
    if method == "order-statistics" and cases is not None:
        raise RocInputError(
            f"must not be {method!r} with groups, whose cases are dependent", argument="method"
        )
    ranked = method != "bootstrap" and cases is None
    curve = data.curve()
    m, n = int(curve.n_pos), int(curve.n_neg)
    # Not 1 - specificity: 1 - 0.9 is less than 0.1 in floating point.
    n_kept, n_spared = int(_least_count(m, required[0])), int(_least_count(n, required[1]))
    out, into = (int(k[0]) for k in zone_vertices(curve.tp[None], curve.fp[None], [n_kept], [n - n_spared]))
    single, cells, ends = None, _cells(curve, out, into), (out, into)
    if out <= into:  # thresholds fall along the curve
        between = np.arange(out, into + 1)
        best = int(between[np.argmax(curve.tpr[between] - curve.fpr[between])])
        single, cells, ends = as_number(curve.thresholds[best]), _cells(curve, best, best), (best, best)
    limits: dict[str, Any] = {"rule_out": as_number(curve.thresholds[out])}
    limits |= {"rule_in": as_number(curve.thresholds[into]), "single": single}
    reason = single_share = None
    if data.smallest_class < 2:
        reason = f"{resampling.FEW}, one has {data.smallest_class}"
    elif cases is not None and min(Design.of(cases).n_clusters[:2]) < 2:
        reason = variance.FEW_CLUSTERS
    drawn: Any = None
    if reason is None:

        def vertices(_: resampling.Draws, counts: resampling.VertexCounts) -> tuple[Any, Any]:
            """Vertices of the whole curve at which every replicate has its two cut-offs."""
            tp, fp = counts.tp, counts.fp
            kept, spared = _least_count(tp[:, -1], required[0]), _least_count(fp[:, -1], required[1])
            return zone_vertices(tp, fp, kept, fp[:, -1] - spared)

        drawn = resampling.bootstrap_table(data.table, vertices, sampling, cases=data.cases)
        single_share = float(np.mean(drawn[0] <= drawn[1]))
    notes = list[str]()
    quantiles: tuple[tuple[str, int, Rate, float], ...] = (
        ("rule_out", out, "tpr", required[0]),
        ("rule_in", into, "fpr", 1 - required[1]),
    )
    for k, (cut, vertex, rate, bound) in enumerate(quantiles):
        low = high = None
        if ranked:
            low, high = quantile_interval(curve, vertex, rate, bound, level)
            notes += open_notes(curve, rate, bound, level, f"the cut-off that {cut.replace('_', 's ')}")
        elif drawn is not None:
            low, high = threshold_interval(curve, vertex, drawn[k], level)
        limits |= {f"{cut}_low": low, f"{cut}_high": high}
    if not cells[:, 0].any():
        notes.append(f"no case is ruled out: no negative is below a cut-off of sensitivity {required[0]:g}")
    if not cells[:, 2].any():
        notes.append(f"no case is ruled in: no positive reaches a cut-off of specificity {required[1]:g}")
    for name, size, least in (("sensitivity", m, n_kept), ("specificity", n, n_spared)):
        if least == size:
            all_right = counted(size, "case")
            notes.append(
                f"the {name} lets none of {all_right} be wrong: see its interval for what that shows"
            )
        elif size - least < FEW_WRONG and reason is None and not ranked:
            notes.append(
                f"the {name} lets {size - least} of {counted(size, 'case')} be wrong: of so few the interval "
                "of the cut-off is too short (docs/atlas.md)"
            )
    rates = [
        kind.proportion("sensitivity", m - int(cells[0, 0]), m),
        kind.proportion("specificity", n - int(cells[1, 2]), n),
    ]
    members = zones = None
    if cases is not None:
        cuts = own_scores(curve.thresholds, curve.direction)
        reached = [(cases.columns[0] >= cuts[k]) & (k > 0) for k in ends]  # none at the first vertex
        zones = [~reached[0], reached[0] & ~reached[1], reached[1]]
        members = [cases.positive, ~cases.positive, np.ones_like(cases.positive)]
        rates = [
            designed_proportion("sensitivity", cases, reached[0], cases.positive, kind),
            designed_proportion("specificity", cases, ~reached[1], ~cases.positive, kind),
        ]
    rows = {str(data.pos_label): (cells[0], m), str(data.neg_label): (cells[1], n)}
    rows["all"] = (cells.sum(axis=0), m + n)
    shares = []
    for k, (whose, (counts, total)) in enumerate(rows.items()):
        for j, (zone, count) in enumerate(zip(ZONES, counts.tolist(), strict=True)):
            low, high = kind.ends(count, total)
            if cases is not None and zones is not None and members is not None:
                found = designed_proportion(zone, cases, zones[j], members[k], kind)
                low, high = (math.nan if end is None else end for end in (found.low, found.high))
            row = {"count": count, "n": total, "value": count / total, "low": low, "high": high}
            shares.append(ZoneShare(cases=whose, zone=zone, **row))
    return GreyZone(
        required_sensitivity=required[0],
        required_specificity=required[1],
        **limits,
        sensitivity=rates[0],
        specificity=rates[1],
        shares=tuple(shares),
        single_share=single_share,
        curve=curve,
        level=level,
        method="order-statistics" if ranked else "bootstrap",
        n_boot=n_boot,
        status="ok" if reason is None else "partial",
        reason=reason,
        direction=curve.direction,
        n_pos=m,
        n_neg=n,
        pos_label=data.pos_label,
        neg_label=data.neg_label,
        warnings=(*data.warnings, CHOSEN, *notes, *(() if ranked else sampling.warnings())),
    )


def zone_vertices(
    tp: NDArray[Any], fp: NDArray[Any], n_kept: Any, n_called: Any
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Vertices of the cut-offs that rule out and rule in, of a stack of curves (curves, vertices).

    Ruling out keeps at least `n_kept` positives, ruling in calls at most `n_called` negatives positive. Of
    vertices with the same counts, at scores that a sample does not hold, the first is taken.

    Examples
    --------
    >>> tp, fp = np.array([[0, 1, 1, 2, 3, 3]]), np.array([[0, 0, 1, 1, 1, 2]])
    >>> [vertex.tolist() for vertex in zone_vertices(tp, fp, [2], [0])]
    [[4], [1]]
    """
    each = np.arange(len(tp))
    first = np.argmax(tp >= np.asarray(n_kept)[:, None], axis=1)
    last = np.count_nonzero(fp <= fp[each, first][:, None], axis=1) - 1  # as many negatives, more positives
    out = np.argmax(tp >= tp[each, last][:, None], axis=1)
    last = np.count_nonzero(fp <= np.asarray(n_called)[:, None], axis=1) - 1
    into = np.argmax(tp >= tp[each, last][:, None], axis=1)  # as many positives, fewer negatives
    return out, into


def _least_count(n: Any, share: float) -> NDArray[np.int64]:
    """The least number of n cases that is at least the share of them, as floating point has the quotient."""
    count = np.maximum((np.asarray(n) * share).astype(np.int64) - 1, 0)
    for _ in range(3):
        count += count / n < share
    return count


def _cells(curve: RocCurve, out: int, into: int) -> NDArray[np.int64]:
    """Cases of the positive and the negative class that test negative, are undecided, test positive."""
    rows = []
    for above, n in ((curve.tp, curve.n_pos), (curve.fp, curve.n_neg)):
        kept, called = int(above[out]), int(above[into])
        rows.append((int(n) - kept, kept - called, called))
    return np.array(rows, np.int64)
