"""How sure a chosen threshold is, and what it is worth on cases that did not choose it.

A point is chosen again on every stratified bootstrap sample, by the same bounds, rule and costs, and judged
on the cases that the sample left out [1]_. The spread of the chosen thresholds is their uncertainty; the
value at the chosen point less the mean value on cases left out is the optimism of the choice. A sample holds
about 63% of the cases, so the optimism comes out a little too large rather than too small.

References
----------
.. [1] Efron, Tibshirani: Improvements on cross-validation: the .632+ bootstrap method, Journal of the
   American Statistical Association 92, 1997.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, measures
from rocscope.core.curve import RocCurve
from rocscope.core.points import select_point
from rocscope.core.resampling import Rng
from rocscope.core.result import Result, Row, Status
from rocscope.core.table import ScoreTable
from rocscope.errors import UndefinedError
from rocscope.inference.counts import CountedScores, as_number, plain_threshold
from rocscope.inference.resampling import FEW, CalledCases, check_n_boot, draw_replicates

Floats = NDArray[np.float64]


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
    """A chosen threshold with its bootstrap interval and the optimism of the choice.

    Attributes
    ----------
    threshold
        The chosen threshold, decision `score >= threshold`; at infinity nothing is called positive.
    low, high
        Percentile interval of the threshold: at most (1 - level) / 2 of the replicates chose one beyond
        each end.
        The ends are thresholds that were chosen. None where undefined, see `reason`; infinite values are
        text in JSON.
    measures
        TPR, FPR, Youden's index and expected cost, each with its optimism; also `tpr`, `fpr`, `youden`
        and `cost` of this object.
    choices, share
        Thresholds that replicates chose, descending, and the share of the replicates that chose each,
        among those that found a point.
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

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON: infinite thresholds are text, since None is an undefined one."""
        told = Result.to_dict(self)
        told |= {name: plain_threshold(getattr(self, name)) for name in ("threshold", "low", "high")}
        return told | {"choices": [plain_threshold(t) for t in self.choices.tolist()]}

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
        return {name: [row[name] for row in self.measures] for name in self.measures[0].keys()}  # noqa: SIM118

    def _summary(self) -> str:
        interval = f"no interval: {self.reason}"
        if self.low is not None:
            interval = f"{self.level * 100:g}% interval {self.low:.4g} to {self.high:.4g}, {self.method}"
        return "\n".join(
            [f"Threshold {self.threshold:.4g} ({interval})", *(f"  {row}" for row in self.measures)]
        )


def cutpoint(
    y_true: Any,
    y_score: Any = None,
    *constraints: str,
    rule: str | None = None,
    cost: Any = None,
    prevalence: float | None = None,
    n_boot: int = 2000,
    level: float = 0.95,
    rng: Rng = None,
    pos_label: Any = None,
) -> CutPoint:
    """Choose an operating point, and find how sure the choice is and how much it flatters.

    Parameters
    ----------
    y_true
        Labels of two classes. {0, 1}, {-1, 1} and booleans need no `pos_label`. A `BinaryScores` or a
        `ScoreTable` may stand here, with None for `y_score`.
    y_score
        Scores, larger for the positive class.
    *constraints
        Bounds such as "tpr>=0.9", as for `RocCurve.select`.
    rule, cost, prevalence
        What makes a point the best, as for `RocCurve.select`.
    n_boot
        Number of bootstrap replicates, at least 100.
    level
        Confidence level of the interval of the threshold.
    rng
        Seed or generator.
    pos_label
        The label of the positive class.

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
    >>> y = [0] * 6 + [1] * 6
    >>> found = cutpoint(y, [1, 2, 3, 4, 5, 8, 6, 7, 9, 10, 11, 12], rng=7)
    >>> found.threshold, found.low, found.high
    (6.0, 6.0, 10.0)
    >>> print(found.youden)
    youden 0.8333, on cases left out 0.5431 (+0.2902)
    """
    checks.check_level(level)
    check_n_boot(n_boot)
    data = CountedScores.read(y_true, y_score, pos_label)
    curve = data.curve()
    index = curve.select(*constraints, rule=rule, cost=cost, prevalence=prevalence)
    wish = Choice.on(curve, *constraints, rule=rule, cost=cost, prevalence=prevalence)
    found = choose_again(data.table, wish, n_boot=n_boot, rng=rng)
    reason = _why_no_interval(data, found)
    low, high = _interval(curve, index, found, level) if reason is None else (None, None)
    choices, share = _shares(curve, found)
    return CutPoint(
        threshold=as_number(curve.thresholds[index]),
        low=low,
        high=high,
        level=level,
        method="bootstrap",
        measures=_optimism(wish, float(curve.tpr[index]), float(curve.fpr[index]), found),
        choices=choices,
        share=share,
        n_boot=n_boot,
        n_infeasible=int(np.count_nonzero(~found.feasible)),
        n_not_left_out=int(np.count_nonzero(found.feasible & ~found.judged)),
        status="ok" if reason is None else "partial",
        reason=reason,
        warnings=data.warnings + _notes(curve, index, found),
    )


def _why_no_interval(data: CountedScores, found: Choices) -> str | None:
    if data.smallest_class < 2:
        return f"{FEW}, one has {data.smallest_class}"
    return None if found.feasible.any() else "no replicate had a point that meets the bounds"


def _interval(curve: RocCurve, index: int, found: Choices, level: float) -> tuple[Any, Any]:
    """Order statistics of the chosen thresholds: they need no arithmetic, so infinity is no exception."""
    rising = np.sort(-found.vertex[found.feasible])  # thresholds fall along the curve
    outside = int((1 - level) / 2 * len(rising) + 1e-9)  # 0.05 / 2 * 2000 is 50, not a little more
    outside = min(outside, (len(rising) - 1) // 2)  # at low levels both ends are the median, not crossed
    ends = min(rising[outside], -index), max(rising[-1 - outside], -index)  # the choice itself is inside
    low, high = (as_number(curve.thresholds[-end]) for end in ends)
    return low, high


def _shares(curve: RocCurve, found: Choices) -> tuple[NDArray[Any], Floats]:
    vertices, times = np.unique(found.vertex[found.feasible], return_counts=True)
    return curve.thresholds[vertices], times / max(1, times.sum())


def _optimism(wish: Choice, tpr: float, fpr: float, found: Choices) -> tuple[Optimism, ...]:
    judged_tpr, judged_fpr = found.tpr[found.judged], found.fpr[found.judged]
    rows = [
        _row("tpr", tpr, judged_tpr),
        _row("fpr", fpr, judged_fpr),
        _row("youden", tpr - fpr, judged_tpr - judged_fpr),
    ]
    if not wish.has_costs:
        reason = "neither cost nor prevalence was given"
        return (
            *rows,
            Optimism(name="cost", apparent=None, out_of_bag=None, optimism=None, sd=None, reason=reason),
        )
    costs = [wish.expected_cost(*rates) for rates in ((tpr, fpr), (judged_tpr, judged_fpr))]
    return (*rows, _row("cost", float(costs[0]), costs[1]))


def _row(name: str, apparent: float, judged: Floats) -> Optimism:
    if not judged.size:
        reason = "no replicate left out cases of both classes"
        return Optimism(name=name, apparent=apparent, out_of_bag=None, optimism=None, sd=None, reason=reason)
    mean = float(judged.mean())
    sd = float(judged.std(ddof=1)) if judged.size > 1 else None
    return Optimism(name=name, apparent=apparent, out_of_bag=mean, optimism=apparent - mean, sd=sd)


def _notes(curve: RocCurve, index: int, found: Choices) -> tuple[str, ...]:
    size = len(found.feasible)
    lost = [
        (np.count_nonzero(~found.feasible), "had no point that meets the bounds"),
        (np.count_nonzero(found.feasible & ~found.judged), "left no case out of some class"),
    ]
    notes = [f"{count} of {size} replicates {what} and were not used there" for count, what in lost if count]
    if index == 0:
        notes.append("the chosen point calls no case positive")
    return tuple(notes)


# -----------------------------------------------------------------------------------------------------------
# The choice of an operating point, made again on every bootstrap sample and judged on the cases left out

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """How a point is chosen: the arguments of `RocCurve.select`, and what it knows of the data."""

    constraints: tuple[str, ...] = ()
    rule: str | None = None
    cost: Any = None
    prevalence: float | None = None
    sizes: tuple[int, int]
    classes: tuple[Any, Any]

    @classmethod
    def on(cls, curve: RocCurve, *constraints: str, **asked: Any) -> Choice:
        """A choice that can be made again on samples of the cases behind a curve."""
        sizes = (curve.n_pos, curve.n_neg)
        return cls(constraints=constraints, **asked, sizes=sizes, classes=(curve.neg_label, curve.pos_label))

    @property
    def has_costs(self) -> bool:
        """Whether a point has an expected cost."""
        return self.cost is not None or self.prevalence is not None

    def expected_cost(self, tpr: Any, fpr: Any) -> Any:
        """Mean cost of a case at the rates, for the share of positives asked for (or that of the data)."""
        (of_tn, of_fp), (of_fn, of_tp) = measures.cost_matrix(self.cost)[:, :2]
        share = self.sizes[0] / sum(self.sizes) if self.prevalence is None else self.prevalence
        of_negative = of_tn * (1 - fpr) + of_fp * fpr
        return share * (of_fn * (1 - tpr) + of_tp * tpr) + (1 - share) * of_negative

    def choose(self, called: CalledCases) -> NDArray[np.intp]:
        """Vertex chosen in each replicate, -1 where none meets the bounds.

        Vertices at scores that were not drawn repeat the one before them; of equal ones the first is
        chosen, which stands at a score that was drawn.
        """
        of_all = _Measures(called, self)
        return np.array([self._choose(of_all, row) for row in range(len(called.tp))], dtype=np.intp)

    def _choose(self, of_all: _Measures, row: int) -> int:
        try:
            return select_point(
                lambda name: of_all[name][row],
                self.constraints,
                rule=self.rule,
                cost=self.cost,
                prevalence=self.prevalence,
                class_sizes=self.sizes,
            )
        except UndefinedError:
            return -1


class _Measures:
    """Measures of all replicates at all vertices, (replicates, vertices), each computed when asked for."""

    def __init__(self, called: CalledCases, choice: Choice) -> None:
        self.called, self.choice = called, choice
        # Nearly every choice needs these, and they need no confusion matrices, which are large.
        self.found: dict[str, Floats] = {
            "tpr": called.tp / called.n_pos,
            "fpr": called.fp / called.n_neg,
            "fnr": (called.n_pos - called.tp) / called.n_pos,
        }

    def __getitem__(self, name: str) -> Floats:
        if name not in self.found:
            called, choice = self.called, self.choice
            counts = measures.confusion_from_counts(called.tp, called.fp, called.n_pos, called.n_neg)
            self.found[name] = measures.evaluate(
                name, counts, classes=choice.classes, prevalence=choice.prevalence
            )
        return self.found[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The vertex that each replicate chose (-1: none), and its rates on the cases left out (NaN: none)."""

    vertex: NDArray[np.intp]
    tpr: Floats
    fpr: Floats

    @property
    def feasible(self) -> Flags:
        """Replicates with a point that meets the bounds."""
        return self.vertex >= 0

    @property
    def judged(self) -> Flags:
        """Replicates with a point and with cases of both classes left out."""
        return self.feasible & ~np.isnan(self.tpr) & ~np.isnan(self.fpr)


def choose_again(table: ScoreTable, choice: Choice, *, n_boot: int, rng: Rng) -> Choices:
    """Choose on every replicate, and judge on the cases it left out.

    Examples
    --------
    >>> from rocscope.core.curve import roc_curve
    >>> y, s = [0, 0, 1, 1], [1, 3, 2, 4]
    >>> choice = Choice.on(roc_curve(y, s), rule="youden")
    >>> table = ScoreTable.from_counts(s, pos=y, neg=[1, 1, 0, 0])
    >>> found = choose_again(table, choice, n_boot=3, rng=2)
    >>> found.vertex.tolist(), found.judged.tolist()
    ([3, 1, 1], [False, True, False])
    """
    chunks = [
        _judge(choice.choose(sample.drawn()), sample.left_out())
        for sample in draw_replicates(table, n_boot=n_boot, rng=rng)
    ]
    return Choices(
        vertex=np.concatenate([chunk.vertex for chunk in chunks]),
        tpr=np.concatenate([chunk.tpr for chunk in chunks]),
        fpr=np.concatenate([chunk.fpr for chunk in chunks]),
    )


def _judge(vertex: NDArray[np.intp], left_out: CalledCases) -> Choices:
    rows = np.arange(len(vertex))
    tpr = measures.ratio(left_out.tp[rows, vertex], left_out.n_pos[:, 0])
    fpr = measures.ratio(left_out.fp[rows, vertex], left_out.n_neg[:, 0])
    return Choices(vertex=vertex, tpr=tpr, fpr=fpr)
