"""How sure a chosen threshold is, and what it is worth on cases that did not choose it.

A point is chosen again on every bootstrap sample, by the same bounds, rule and costs, and judged
on the cases that the sample left out [1]_. The value at the chosen point minus the mean value on cases left
out is the optimism of the choice. A sample holds about 63% of the cases, so the optimism comes out a little
too large rather than too small.

The spread of the thresholds chosen again is their uncertainty, with one exception: a threshold that keeps a
TPR, or an FPR, is a quantile of one class alone, and has an interval of order statistics that needs no
draws [2]_, [3]_.

References
----------
.. [1] Efron, Tibshirani: Improvements on cross-validation: the .632+ bootstrap method, Journal of the
   American Statistical Association 92, 1997.
.. [2] Thompson: On confidence ranges for the median and other expectation distributions for populations of
   unknown distribution form, Annals of Mathematical Statistics 7, 1936.
.. [3] Hutson: Calculating nonparametric confidence intervals for quantiles using fractional order statistics,
   Journal of Applied Statistics 26, 1999.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from rocscope.core import checks, measures, points, resampling
from rocscope.core.curve import RocCurve, equal_note
from rocscope.core.formatting import counted
from rocscope.core.frames import Missing
from rocscope.core.result import Result, Row, Status, row_columns
from rocscope.core.rules import Direction
from rocscope.core.table import ScoreTable
from rocscope.core.tables import heading
from rocscope.errors import RocInputError, UndefinedError
from rocscope.inference.proportions import CountedScores, as_number, plain_threshold

Floats = NDArray[np.float64]
Rate: TypeAlias = Literal["tpr", "fpr"]
ThresholdMethod: TypeAlias = Literal["auto", "order-statistics", "bootstrap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimism(Row):
    """One measure at the chosen point: on the cases that chose it, and on cases left out.

    `optimism` is apparent - out_of_bag: above 0 it flatters a TPR or Youden's index, below 0 an FPR or a
    cost. `sd` is the standard deviation of the value on cases left out, over the replicates.
    """

    view: ClassVar[str] = "bands.cutpoint_picture"

    name: str
    apparent: float | None
    out_of_bag: float | None
    optimism: float | None
    sd: float | None
    reason: str | None = None

    def _summary(self) -> str:
        if self.apparent is None:
            return f"{self.name} undefined: {self.reason}"
        if self.out_of_bag is None:
            return f"{self.name} {self.apparent:.4f} (not judged: {self.reason})"
        return (
            f"{self.name} {self.apparent:.4f}, on cases left out {self.out_of_bag:.4f} ({self.optimism:+.4f})"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutPoint(Result):
    """A chosen threshold with its interval and the optimism of the choice.

    Attributes
    ----------
    threshold
        The chosen threshold, decision `score >= threshold`, with `direction` "lower" `score <= threshold`; at
        infinity no case tests positive.
    low, high
        Interval of the threshold; its ends are scores, or infinite where the cases are too few for an end.
        None where undefined, see `reason`; infinite values are text in JSON.
    method
        "order-statistics" where the interval is that of a quantile of one class; "bootstrap" where it is the
        percentile interval: at most (1 - level) / 2 of the replicates chose a threshold beyond each end.
    measures
        TPR, FPR, Youden's index and expected cost, each with its optimism; also `tpr`, `fpr`, `youden`
        and `cost` of this object.
    choices, share
        Thresholds that replicates chose, in the order of the curve, and the share of the replicates that
        chose each, among those that have a point.
    n_boot, n_infeasible, n_not_left_out
        Replicates in all; those in which no point met the bounds; those with a point that left no case
        out of some class, and so could not judge it.
    """

    view: ClassVar[str] = "bands.cutpoint_picture"
    topic: ClassVar[str] = "points"

    threshold: Any
    low: Any
    high: Any
    level: float
    method: str
    measures: tuple[Optimism, ...]
    choices: NDArray[Any]
    share: Floats
    n_boot: int
    n_infeasible: int
    n_not_left_out: int
    status: Status = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()
    direction: Direction = "higher"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds are text, since None is an undefined one."""
        fields = Result.to_dict(self)
        fields |= {name: plain_threshold(getattr(self, name)) for name in ("threshold", "low", "high")}
        return fields | {"choices": [plain_threshold(t) for t in self.choices.tolist()]}

    def _measure(self, name: str) -> Optimism:
        return next(row for row in self.measures if row.name == name)

    @property
    def tpr(self) -> Optimism:
        """Optimism of the true positive rate."""
        return self._measure("tpr")

    @property
    def fpr(self) -> Optimism:
        """Optimism of the false positive rate."""
        return self._measure("fpr")

    @property
    def youden(self) -> Optimism:
        """Optimism of Youden's index."""
        return self._measure("youden")

    @property
    def cost(self) -> Optimism:
        """Optimism of the expected cost."""
        return self._measure("cost")

    def columns(self) -> dict[str, Any]:
        """One row per measure."""
        return row_columns(self.measures)

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        columns = self.columns() | {"name": [heading(row.name) for row in self.measures]}
        return columns, {"name": "Measure"}, [f"{self.summary().splitlines()[0]}."]

    def _summary(self) -> str:
        interval = f"no interval: {self.reason}"
        if self.low is not None:
            interval = f"{self.level * 100:g}% interval {self.low:.4g} to {self.high:.4g}, {self.method}"
        return "\n".join(
            [f"Threshold {self.threshold:.4g} ({interval})", *(f"  {row}" for row in self.measures)]
        )


@checks.known_arguments
def cutpoint(
    y_true: Any,
    y_score: Any = None,
    *constraints: str,
    rule: points.Rule | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    n_boot: int = 2000,
    level: float = 0.95,
    method: ThresholdMethod = "auto",
    stratify: bool = True,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> CutPoint:
    """Choose an operating point, with the uncertainty of the choice and its optimism.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. All that
        `auc` takes may stand here alone, the constraints after it.
    y_score
        Scores, larger for the positive class.
    *constraints
        Bounds such as "tpr>=0.9", as for `RocCurve.select`.
    rule, cost, prevalence
        What makes a point the best, as for `RocCurve.select`.
    level
        Confidence level of the interval of the threshold.
    method
        How the interval is made. "order-statistics" is for a threshold that keeps a bound on one class and is
        selected by nothing else: "tpr>=0.9", "fpr<=0.1" or "tnr>=0.9", without rule and cost. It is a
        quantile of that class, whose ranks give an interval for scores of any law. "bootstrap": percentiles
        of the thresholds that the replicates chose. "auto" takes order statistics where they apply.
    n_boot, stratify, rng, n_jobs, progress
        The bootstrap, as in `auc`.
    pos_label, label, score, na, direction
        As in `auc`.

    Returns
    -------
    CutPoint
        With `threshold`, `low`, `high`, and the optimism of `tpr`, `fpr`, `youden` and `cost`.

    Raises
    ------
    UndefinedError
        If no point of the whole data meets the bounds.

    Examples
    --------
    >>> y, s = [0] * 6 + [1] * 6, [1, 2, 3, 4, 5, 8, 6, 7, 9, 10, 11, 12]
    >>> cut = cutpoint(y, s, rng=7)
    >>> cut.threshold, cut.low, cut.high
    (6.0, 6.0, 10.0)
    >>> print(cut.youden)
    youden 0.8333, on cases left out 0.5431 (+0.2902)
    >>> kept = cutpoint(y, s, "fpr<=0.2", rng=7)
    >>> kept.threshold, kept.low, kept.high, kept.method
    (6.0, 3.0, inf, 'order-statistics')
    """
    checks.check_level(level)
    checks.check_choice(method, get_args(ThresholdMethod), name="method")
    sampling = resampling.Sampling(
        n_boot=n_boot, rng=rng, stratify=stratify, n_jobs=n_jobs, progress=progress
    )
    if isinstance(y_score, str):  # the scores are in `y_true`
        y_score, constraints = None, (y_score, *constraints)
    data = CountedScores.read(
        y_true, y_score, pos_label=pos_label, label=label, score=score, na=na, direction=direction
    )
    curve = data.curve()
    options: dict[str, Any] = {"rule": rule, "cost": cost, "prevalence": prevalence}
    point = curve.select(*constraints, **options)
    index = point.index
    quantile = None if method == "bootstrap" else quantile_of(constraints, rule=rule, cost=cost)
    if method == "order-statistics" and quantile is None:
        raise RocInputError(
            f"must not be {method!r} but for one bound such as 'tpr>=0.9' or 'fpr<=0.1' alone, got "
            f"{checks.show([*constraints, *filter(None, [rule])])}",
            argument="method",
        )
    choices = resampled_choices(data.table, curve, constraints, sampling=sampling, **options)
    chosen = choices.vertex[choices.feasible]
    reason = low = high = None
    if quantile is not None:
        low, high = quantile_interval(curve, index, *quantile, level)
    elif data.smallest_class < 2:
        reason = f"{resampling.FEW}, one has {data.smallest_class}"
    elif not chosen.size:
        reason = "no replicate had a point that meets the bounds"
    else:
        low, high = threshold_interval(curve, index, chosen, level)
    vertices, times = np.unique(chosen, return_counts=True)
    n_infeasible = n_boot - len(chosen)
    n_not_left_out = int(np.count_nonzero(choices.feasible & ~choices.judged))
    losses = (
        (n_infeasible, "had no point that meets the bounds"),
        (n_not_left_out, "left no case out of some class"),
    )
    notes = [f"{n} of {n_boot} replicates {what} and were not used there" for n, what in losses if n]
    if index == 0:
        notes.append("no case tests positive at the chosen point")
    if quantile is not None:
        notes += open_notes(curve, *quantile, level)
    elif reason is None and data.smallest_class < resampling.SMALL_CLASS:
        notes.append(resampling.FEW_CASES.format(data.smallest_class, "a selected cut-off"))
    return CutPoint(
        threshold=as_number(curve.thresholds[index]),
        low=low,
        high=high,
        level=level,
        method="bootstrap" if quantile is None else "order-statistics",
        measures=_optimism(curve, index, choices, cost, prevalence),
        choices=curve.thresholds[vertices],
        share=times / max(1, times.sum()),
        n_boot=n_boot,
        n_infeasible=n_infeasible,
        n_not_left_out=n_not_left_out,
        status="ok" if reason is None else "partial",
        reason=reason,
        warnings=(
            *data.warnings,
            *notes,
            *equal_note(curve, point),
            *(sampling.warnings() if quantile is None else ()),
        ),
        direction=curve.direction,
    )


def threshold_interval(
    curve: RocCurve, vertex: int, chosen: NDArray[np.intp], level: float
) -> tuple[Any, Any]:
    """Percentile interval of the threshold of a vertex, from the vertices that the replicates chose.

    Order statistics need no arithmetic, so infinity is no exception.
    """
    rising = np.sort(-chosen)  # thresholds fall along the curve
    outside = int((1 - level) / 2 * len(rising) + 1e-9)  # 0.05 / 2 * 2000 is 50, not a little more
    outside = min(outside, (len(rising) - 1) // 2)  # at low levels both ends are the median, not crossed
    ends = min(rising[outside], -vertex), max(rising[-1 - outside], -vertex)  # the vertex itself is inside
    low, high = (as_number(curve.thresholds[-end]) for end in ends)
    return (low, high) if curve.direction == "higher" else (high, low)


def quantile_of(
    constraints: Sequence[str], *, rule: points.Rule | None = None, cost: Any = None
) -> tuple[Rate, float] | None:
    """The rate, and its bound, of a selection whose threshold is a quantile of one class; None of others.

    A bound such as "fnr<=0.1" is none of these: by it the largest TPR is selected, which is 1.

    Examples
    --------
    >>> quantile_of(["specificity>=0.75"]), quantile_of(["tpr>=0.9", "fpr<=0.2"]), quantile_of(["fnr<=0.1"])
    (('fpr', 0.25), None, None)
    """
    name, bounds = points.split_rule(constraints, rule, points.RULES)
    if name is not None or cost is not None or len(bounds) != 1:
        return None
    bound = bounds[0].bound
    selects = measures.ALIASES.get(bounds[0].measure, bounds[0].measure) + bounds[0].relation
    # Bounds that every threshold meets select by the rates of both classes.
    if selects == "tpr>=" and 0 < bound <= 1:
        return "tpr", bound
    if selects == "tnr>=" and 0 < bound <= 1:
        return "fpr", 1 - bound
    return ("fpr", bound) if selects == "fpr<=" and 0 <= bound < 1 else None


def quantile_interval(
    curve: RocCurve, vertex: int, rate: Rate, bound: float, level: float
) -> tuple[Any, Any]:
    """Interval of the threshold at which a rate of one class is `bound`, from the ranks of its scores.

    Of the n cases of the class as many score higher than the true threshold as a binomial variable of n and
    `bound` says, whatever the law of the scores [2]_. The threshold lies below the score of rank u, counted
    from the highest one, with probability I(bound; u, n + 1 - u): the incomplete beta function is the
    binomial probability at whole ranks and continues it between them [3]_. The ends have the ranks at which
    this is (1 + level) / 2 and (1 - level) / 2.

    Between two cases of the class an end is a score of the other class, as far along as the rank is; where
    none lies there, it is the outer one of the two. So all ends are scores, and increasing maps of the scores
    move the interval with them. Where negatives are tied at the upper end, that is the next score above: the
    threshold that spares them.

    An end is infinite where even the highest or lowest score would err more often than (1 - level) / 2. It
    cannot err, so the other end takes the whole error: 10 positives and a TPR of 0.95 have an interval that
    holds in 95 % of studies that way, and in 97.5 % otherwise.

    The threshold of `vertex` is always inside.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> curve = roc_curve([0] * 30 + [1] * 30, [*range(0, 60, 2), *range(21, 81, 2)])
    >>> point = curve.select("tpr>=0.8")
    >>> point.threshold, quantile_interval(curve, point, "tpr", 0.8, 0.95)
    (33.0, (24.0, 42.0))
    >>> quantile_interval(curve, curve.select("tpr>=0.95"), "tpr", 0.95, 0.95)
    (-inf, 28.0)
    """
    reached, n = (curve.tp, int(curve.n_pos)) if rate == "tpr" else (curve.fp, int(curve.n_neg))
    error, (open_top, open_bottom) = 1 - level, open_ends(n, bound, level)

    def end(probability: float, outwards: Callable[[float], int]) -> int:
        """The vertex of the rank that lies above the threshold with this probability."""
        rank = _rank(bound, n, probability)
        whole = math.floor(rank)
        first, second = np.searchsorted(reached, [whole, math.ceil(rank)]).tolist()
        return outwards(first + (rank - whole) * (second - first))

    top = 0 if open_top else end(1 - (error if open_bottom else error / 2), math.floor)
    if rate == "fpr" and top > 0 and reached[top] - reached[top - 1] > 1:
        top -= 1
    high = as_number(curve.thresholds[min(top, vertex)])
    low = -as_number(curve.thresholds[0])
    if not open_bottom:
        low = as_number(curve.thresholds[max(end(error if open_top else error / 2, math.ceil), vertex)])
    return (low, high) if curve.direction == "higher" else (high, low)


def _rank(bound: float, n: int, probability: float) -> float:
    """The rank, 1 to n from the highest score, that lies above the threshold with this probability."""

    def excess(rank: float) -> float:
        return float(special.betainc(rank, n + 1 - rank, bound)) - probability

    if excess(1) <= 0:
        return 1.0
    return float(n) if excess(n) >= 0 else float(optimize.brentq(excess, 1, n))


def open_ends(n: int, bound: float, level: float) -> tuple[bool, bool]:
    """Whether the highest and the lowest of n cases would err too often as the ends of an interval.

    Examples
    --------
    >>> open_ends(10, 0.95, 0.95), open_ends(72, 0.95, 0.95)
    ((False, True), (False, False))
    """
    return (1 - bound) ** n > (1 - level) / 2, bound**n > (1 - level) / 2


def open_notes(
    curve: RocCurve, rate: Rate, bound: float, level: float, cut: str = "the cut-off"
) -> list[str]:
    """Say which ends of an interval are infinite, since the class has too few cases for them."""
    n, name = (curve.n_pos, "positive") if rate == "tpr" else (curve.n_neg, "negative")
    sides = ("upper", "lower") if curve.direction == "higher" else ("lower", "upper")
    ends = [side for side, is_open in zip(sides, open_ends(int(n), bound, level), strict=True) if is_open]
    cases = counted(int(n), name)
    return [f"the interval of {cut} has no {end} end: {cases} do not bound it" for end in ends]


def _optimism(
    curve: RocCurve, index: int, choices: Choices, cost: Any, prevalence: float | None
) -> tuple[Optimism, ...]:
    """TPR, FPR, Youden's index and cost at the chosen point, and their means on cases left out."""
    apparent = float(curve.tpr[index]), float(curve.fpr[index])
    left_out = choices.tpr[choices.judged], choices.fpr[choices.judged]
    values = {name: (apparent[i], left_out[i]) for i, name in enumerate(("tpr", "fpr"))}
    values["youden"] = apparent[0] - apparent[1], left_out[0] - left_out[1]
    if cost is not None or prevalence is not None:
        (of_tn, of_fp), (of_fn, of_tp) = measures.cost_matrix(cost)[:, :2]
        share = curve.n_pos / (curve.n_pos + curve.n_neg) if prevalence is None else prevalence

        def expected_cost(tpr: Any, fpr: Any) -> Any:
            """Mean cost of a case at the rates."""
            of_negative = of_tn * (1 - fpr) + of_fp * fpr
            return share * (of_fn * (1 - tpr) + of_tp * tpr) + (1 - share) * of_negative

        values["cost"] = float(expected_cost(*apparent)), expected_cost(*left_out)
    rows = []
    none: dict[str, Any] = {"out_of_bag": None, "optimism": None, "sd": None}
    for name, (value, judged) in values.items():
        if not judged.size:
            reason = "no replicate left out cases of both classes"
            rows.append(Optimism(name=name, apparent=value, reason=reason, **none))
            continue
        mean = float(judged.mean())
        sd = float(judged.std(ddof=1)) if judged.size > 1 else None
        rows.append(Optimism(name=name, apparent=value, out_of_bag=mean, optimism=value - mean, sd=sd))
    if "cost" not in values:
        reason = "neither cost nor prevalence was given"
        rows.append(Optimism(name="cost", apparent=None, reason=reason, **none))
    return tuple(rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The vertex that each replicate chose (-1: none), and its rates on the cases left out (NaN: none)."""

    vertex: NDArray[np.intp]
    tpr: Floats
    fpr: Floats

    @property
    def feasible(self) -> NDArray[np.bool_]:
        """Replicates with a point that meets the bounds."""
        return self.vertex >= 0

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Replicates with a point and with cases of both classes left out."""
        return self.feasible & ~np.isnan(self.tpr) & ~np.isnan(self.fpr)


def resampled_choices(
    table: ScoreTable,
    curve: RocCurve,
    constraints: Sequence[str] = (),
    *,
    sampling: resampling.Sampling,
    cost: Any = None,
    prevalence: float | None = None,
    rule: points.Rule | None = None,
) -> Choices:
    """Select a point on every replicate, as `RocCurve.select` does, and judge it on the cases left out.

    Vertices at scores that were not drawn repeat the one before them; of equal ones the first is
    chosen, which stands at a score that was drawn.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> y, s = [0, 0, 1, 1], [1, 3, 2, 4]
    >>> table = ScoreTable.from_counts(s, pos=y, neg=[1, 1, 0, 0])
    >>> sampling = resampling.Sampling(n_boot=3, rng=2)
    >>> choices = resampled_choices(table, roc_curve(y, s), rule="youden", sampling=sampling)
    >>> choices.vertex.tolist(), choices.judged.tolist()
    ([3, 1, 1], [False, True, False])
    """
    from rocscope.core import kernels

    options: dict[str, Any] = {"rule": rule, "cost": cost, "prevalence": prevalence}
    options["class_sizes"] = curve.n_pos, curve.n_neg
    quick = points.monotone_choice(constraints, **options)
    # Between negatives alone the FPR grows for nothing: what wants errors to be few never ends there.
    along = "rises" if quick is not None and points.wants_few_errors(*quick[:2]) else "all"
    kept = np.flatnonzero(resampling.kept_vertices(table, along))
    above = [resampling.vertex_counts(counts)[kept] for counts in (table.neg, table.pos)]

    def choose(draws: resampling.Draws, counts: resampling.VertexCounts) -> tuple[Any, Any, Any]:
        """The vertex of every replicate, and its rates on the cases left out."""
        if quick is not None:
            vertex = kernels.select_vertices(counts.tp, counts.fp, *quick)
        else:
            drawn = _Measures(counts, curve, prevalence)
            rows = (drawn.select(row, constraints, options) for row in range(len(draws)))
            vertex = np.fromiter(rows, np.int64)
        left_out = (
            kernels.count_left_out(drawn, of_class, vertex)
            for drawn, of_class in zip(draws.classes, above, strict=True)
        )
        fpr, tpr = (measures.ratio(counts[:, 0], counts[:, 1]) for counts in left_out)
        return vertex, tpr, fpr

    vertex, tpr, fpr = resampling.bootstrap_table(table, choose, sampling, along=along)
    return Choices(vertex=np.where(vertex < 0, -1, kept[vertex]), tpr=tpr, fpr=fpr)


class _Measures:
    """Measures of all replicates at all vertices, (replicates, vertices), each computed when it is needed."""

    def __init__(self, counts: resampling.VertexCounts, curve: RocCurve, prevalence: float | None) -> None:
        self.tp, self.fp = counts.tp.astype(np.int64), counts.fp.astype(np.int64)
        self.n_pos, self.n_neg = self.tp[:, -1:], self.fp[:, -1:]
        self.prevalence, self.classes = prevalence, (curve.neg_label, curve.pos_label)
        # Nearly every choice needs these, and they need no confusion matrices, which are large.
        self.values: dict[str, Floats] = {
            "tpr": counts.tpr,
            "fpr": counts.fpr,
            "fnr": (self.n_pos - self.tp) / self.n_pos,
        }

    def __getitem__(self, name: str) -> Floats:
        if name not in self.values:
            confusion = measures.confusion_from_counts(self.tp, self.fp, self.n_pos, self.n_neg)
            self.values[name] = measures.evaluate(
                name, confusion, classes=self.classes, prevalence=self.prevalence
            )
        return self.values[name]

    def select(self, row: int, constraints: Sequence[str], options: dict[str, Any]) -> int:
        """Vertex chosen in one replicate, -1 where none meets the bounds."""
        try:
            return points.select_point(lambda name: self[name][row], constraints, **options)[0]
        except UndefinedError:
            return -1
