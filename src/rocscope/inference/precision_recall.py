"""The precision-recall curve with its band, average precision and area.

Precision is not linear between two points of the curve: on the way from one threshold to the next, true and
false positives come in at a fixed ratio, TP and FP grow linearly, and so precision follows

    P(r) = pi r / (pi r + (1 - pi) F(r)),

F(r) being the false positive rate of the ROC polyline at TPR = r, pi the share of positives [1]_. Where the
ROC curve is flat the smallest false positive rate counts. The area below P has a closed form on each segment
[2]_; average precision is the step sum that holds the precision of the lower threshold all the way.

Both are too large in small studies: positives above all negatives have precision 1, whatever negatives were
not seen. Bootstrap samples repeat that error, so that their percentiles are off by twice as much. The
fiducial interval asks instead which true curves fit the ranking. The true FPRs at the scores of the n
negatives are distributed as n ordered uniform numbers, whatever the law of the scores, and so are the true
TPRs at the scores of the m positives. Numbers are drawn for both; a threshold with k negatives and j
positives above it has an FPR between the k-th and the next, and a TPR between the j-th and the next. Where
between them the ranking does not say: thresholds between the same two numbers lie at even distances in half
of the draws, all at the end that is best for precision in a quarter, and all at the other end in a quarter.
The ends of the interval are quantiles of the areas below the curves drawn, whose points are joined by lines.
The scheme is ours.

References
----------
.. [1] Davis, Goadrich: The relationship between precision-recall and ROC curves, ICML 2006.
.. [2] Keilwagen, Grosse, Grau: Area under precision-recall curves for weighted and unweighted data, PLoS ONE
   9, 2014.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, measures, resampling
from rocscope.core.frames import Missing
from rocscope.core.result import CurveResult, Estimate, Result, TwoClassResult, json_thresholds
from rocscope.core.rules import Direction
from rocscope.core.scores import WeightKind
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError
from rocscope.inference import bands
from rocscope.inference.proportions import CountedScores, read_prevalence

Floats = NDArray[np.float64]
PrecisionMethod: TypeAlias = Literal["fiducial", "bootstrap"]
# With more cases of the smaller class the bootstrap is as good, and quicker.
MOST_DRAWN = 5000
# Recalls at which precision has an interval; at 0 it is 0/0.
RECALLS = np.arange(1, 101) / 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionRecall(TwoClassResult, CurveResult):
    """Precision and recall at every threshold, with intervals.

    Attributes
    ----------
    recall, precision, thresholds
        One vertex per distinct score, thresholds descending. Between vertices precision is not linear:
        see `band` for its values there.
    band
        Precision at given recalls with pointwise intervals.
    average_precision
        Sum of precision times the rise of recall over the vertices, as scikit-learn has it.
    area
        Area below the curve between the vertices and at them.
    prevalence
        Share of positives behind the precision, in the population or of the cases; the precision of
        scores that say nothing.
    """

    view: ClassVar[str] = "bands.precision_recall_picture"

    recall: Floats
    precision: Floats
    thresholds: NDArray[Any]
    band: bands.Band
    average_precision: Estimate
    area: Estimate
    prevalence: float

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; infinite thresholds are text."""
        return Result.to_dict(self) | {"thresholds": json_thresholds(self.thresholds)}

    def columns(self) -> dict[str, Any]:
        """One row per vertex."""
        return {"threshold": self.thresholds, "recall": self.recall, "precision": self.precision}

    def _summary(self) -> str:
        head = f"Precision-recall curve ({self._cases}) at prevalence {self.prevalence:.4g}"
        return "\n".join([head, f"  {self.average_precision.summary()}", f"  {self.area.summary()}"])


@checks.known_arguments
def precision_recall(
    y_true: Any,
    y_score: Any = None,
    *,
    prevalence: float | None = None,
    recall: Any = None,
    method: PrecisionMethod | None = None,
    n_boot: int = 2000,
    level: float = 0.95,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
    direction: Direction = "higher",
) -> PrecisionRecall:
    """Return the precision-recall curve with pointwise intervals, average precision and area.

    Pointwise intervals are percentiles of stratified bootstrap replicates.

    Parameters
    ----------
    y_true, y_score, label, score, na, direction
        As in `auc`.
    prevalence
        Share of positives where the scores will be used, taken as known. Without it that of the cases,
        as if they were drawn from the population in question: it is then drawn anew in each replicate, from
        its binomial distribution, by "fiducial" from the beta distribution of Jeffreys.
    recall
        Recalls at which precision is given an interval, greater than 0 and at most 1; without it 0.01,
        0.02 to 1.
    method
        Interval of average precision and area; the result names the one that was used:

        - "fiducial": quantiles of the areas of true curves that fit the ranking; the one that holds its level
          in small studies, where both are too large (see the atlas); without it where cases are
          independent, and no more than 5000 of the smaller class;
        - "bootstrap": percentiles of the replicates; without it for clusters and larger classes.
    n_boot, level, rng, n_jobs, progress, pos_label
        As in `auc`.
    sample_weight, weight_kind, groups
        Weights and clusters of the cases, as in `auc`: bootstrap samples draw whole clusters. Weights must be
        frequencies: precision at a fixed recall has no derivative by the weight of a case, and bootstrap
        samples draw cases that count the same, so that survey weights are refused.

    Returns
    -------
    PrecisionRecall
        With `recall`, `precision`, `thresholds`, `band`, `average_precision` and `area`, whose standard
        errors are those of the replicates. Where all replicates agree, as at the top of well separated
        scores, they show no uncertainty because they cannot: there is no standard error then, and no interval
        of the band or by the bootstrap.

    Examples
    --------
    >>> curve = precision_recall([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], recall=[0.5, 0.75, 1], rng=7)
    >>> curve.recall.round(2).tolist(), curve.precision.round(2).tolist()
    ([0.5, 0.5, 1.0, 1.0], [1.0, 0.5, 0.67, 0.5])
    >>> curve.band.mean.round(2).tolist()
    [1.0, 0.6, 0.67]
    >>> round(curve.average_precision.value, 4), round(curve.area.value, 4)
    (0.8333, 0.7973)
    """
    checks.check_level(level)
    if method is not None:
        checks.check_choice(method, get_args(PrecisionMethod), name="method")
    sampling = resampling.Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs, progress=progress)
    prevalence = read_prevalence(prevalence)
    recalls = RECALLS
    if recall is not None:
        recalls = checks.as_scores(recall, name="recall").astype(np.float64)
        if not ((recalls > 0) & (recalls <= 1)).all():
            raise RocInputError(
                f"must hold numbers greater than 0 and at most 1, got {checks.show(recall)}",
                argument="recall",
            )
    data = CountedScores.read(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        weight_kind=weight_kind,
        groups=groups,
        label=label,
        score=score,
        na=na,
        direction=direction,
        clustered=True,
    )
    if method == "fiducial" and data.cases is not None:
        raise RocInputError("must be 'bootstrap' for clusters, got 'fiducial'", argument="method")
    if method is None:
        large = data.cases is not None or data.smallest_class > MOST_DRAWN
        method = "bootstrap" if large else "fiducial"
    from rocscope.core import kernels

    whole, curve = PrCurve.of_table(data.table, data.share(prevalence)), data.curve()

    def statistic(draws: resampling.Draws, counts: resampling.VertexCounts) -> tuple[Floats, Floats, Floats]:
        """Precision at the recalls, average precision and area of every replicate."""
        shares = np.full(len(draws), prevalence)
        if data.cases is not None and prevalence is None:
            shares = counts.tp[:, -1] / (counts.tp[:, -1] + counts.fp[:, -1])
        elif prevalence is None:
            shares = _draw_shares(data, draws.chunk)[draws.start : draws.start + len(draws)]
        return kernels.precision_recall_curves(counts.tp, counts.fp, odds_against(shares), recalls)

    precision, average, area = resampling.bootstrap_table(
        data.table, statistic, sampling, along="rises", cases=data.cases
    )
    why_not = agree = "the replicates agree, so they show no uncertainty"
    if data.smallest_class < 2:
        why_not = "the bootstrap needs two cases in each class, one has 1"

    def interval(replicates: Floats, value: Any) -> tuple[Any, Any, Any]:
        """Where the interval is defined, and its ends there."""
        low, high = resampling.percentile_interval(replicates, level=level)
        defined = (low < high) & (data.smallest_class > 1)
        return defined, np.minimum(low, value), np.maximum(high, value)

    drawn = average, area
    if method == "fiducial":
        drawn = fiducial_areas(data.table, prevalence, sampling)

    def estimate(name: str, value: float, replicates: Floats, draws: Floats) -> Estimate:
        known, low, high = interval(replicates, value)
        defined = known
        if method == "fiducial":
            low, high = resampling.percentile_interval(draws, level=level)
            defined, low, high = low < high, min(low, value), max(high, value)
        return Estimate(
            name=name,
            value=float(value),
            se=resampling.standard_error(replicates) if known else None,
            low=float(low) if defined else None,
            high=float(high) if defined else None,
            level=level,
            method=method,
            status="ok" if defined else "partial",
            reason=None if defined else agree if method == "fiducial" else why_not,
        )

    few = tuple[str, ...]()
    if method == "bootstrap" and 1 < data.smallest_class < resampling.SMALL_CLASS:
        few = (resampling.FEW_CASES.format(data.smallest_class, "average precision, and of the area,"),)
    mean = whole.precision_at(recalls)
    defined, low, high = interval(precision, mean)
    undefined = f"at {np.count_nonzero(~defined)} of {len(recalls)} recalls {why_not}"
    band = bands.Band(
        name="precision",
        x=recalls,
        mean=mean,
        low=np.where(defined, low, np.nan),
        high=np.where(defined, high, np.nan),
        defined=defined,
        level=level,
        method="bootstrap",
        x_label="recall",
        y_label="precision",
        warnings=(*(() if defined.all() else (undefined,)), *sampling.warnings()),
    )
    return PrecisionRecall(
        recall=curve.tpr[1:],
        precision=whole.precision()[1:],
        thresholds=curve.thresholds[1:],
        band=band,
        average_precision=estimate("average precision", whole.average_precision(), average, drawn[0]),
        area=estimate("area under the precision-recall curve", whole.area(), area, drawn[1]),
        prevalence=data.share(prevalence),
        **data.description | {"warnings": (*data.warnings, *few, *sampling.warnings())},
    )


def _draw_shares(data: CountedScores, chunk: resampling.Chunk) -> Floats:
    """Shares of positives in samples of all cases; samples without one of the classes are drawn again."""
    # A stream beside that of the cases, the same at every call.
    beside = np.random.SeedSequence(chunk.seed.entropy, spawn_key=(*chunk.seed.spawn_key, 0))
    stream, size = np.random.default_rng(beside), len(chunk.range)
    n = data.n_pos + data.n_neg
    counts = stream.binomial(n, data.n_pos / n, size)
    while (lacking := (counts == 0) | (counts == n)).any():
        counts[lacking] = stream.binomial(n, data.n_pos / n, np.count_nonzero(lacking))
    return counts / n


# ---- Curves that fit a ranking ----------------------------------------------------------------------------


def fiducial_areas(
    table: ScoreTable, prevalence: float | None, sampling: resampling.Sampling
) -> tuple[Floats, Floats]:
    """Average precisions and areas of curves drawn for the ranking of a table; see the head of the module.

    Without a prevalence the share of positives is drawn from the beta distribution of Jeffreys. Thresholds
    inside a run of one class are passed over: between its ends the curve is all but straight.

    Examples
    --------
    >>> table = ScoreTable.from_counts([4, 3, 2, 1], pos=[1, 0, 1, 0], neg=[0, 1, 0, 1])
    >>> average, area = fiducial_areas(table, 0.5, resampling.Sampling(n_boot=2000, rng=1))
    >>> bool((average == area).all()), area.shape, bool(0.5 < area.mean() < 0.8)
    (True, (2000,), True)
    """
    from rocscope.core import kernels

    pos, neg = (counts.astype(np.int64) for counts in (table.pos, table.neg))
    above = [np.cumsum(counts)[:-1] for counts in (pos, neg)]  # of every threshold between two scores
    alone = (neg == 0) & (pos == 1)
    inside_run = ((pos[:-1] == 0) & (pos[1:] == 0)) | (alone[:-1] & alone[1:])
    inside_run[:1] = inside_run[-1:] = False  # next to the corners the curve bends
    kept = np.flatnonzero(~inside_run)
    even = [_even_places(counts)[kept] for counts in above]
    above = [counts[kept] for counts in above]
    # A step that is one score of several cases: runs that were passed over are steps of several scores.
    ends = np.append(kept, len(pos) - 1)
    tied = (np.diff(ends, prepend=-1) == 1) & ((pos + neg)[ends] > 1)
    block = max(1, BLOCK // (kept.size + 1))

    def draw(chunk: resampling.Chunk) -> Any:
        beside = np.random.SeedSequence(chunk.seed.entropy, spawn_key=(*chunk.seed.spawn_key, 1))
        stream = np.random.default_rng(beside)
        for start in range(chunk.start, chunk.stop, block):
            number = np.arange(start, min(start + block, chunk.stop))[:, None]
            best, worst = number % 4 == 0, number % 4 == 1
            rates = []
            for counts, n, places, upper in zip(
                above, (pos.sum(), neg.sum()), even, ((best, worst), (worst, best)), strict=True
            ):
                low, gap = _ordered_uniform(stream, len(number), counts, int(n))
                inside = low + gap * np.where(upper[0], 1.0, np.where(upper[1], 0.0, places))
                rates.append(np.pad(inside, ((0, 0), (1, 1)), constant_values=(0.0, 1.0)))
            share = np.full(len(number), prevalence)
            if prevalence is None:
                share = stream.beta(pos.sum() + 0.5, neg.sum() + 0.5, len(number))
            tpr, fpr = rates
            yield kernels.slanted_precision(tpr, fpr, odds_against(share), tied)

    size = resampling.chunk_size(kept.size + 1)
    average, area = sampling.run(draw, size=size)
    return average, area


def _even_places(counts: NDArray[Any]) -> Floats:
    """Where thresholds with the same count lie between two cases: at even distances."""
    _, first, place, size = np.unique(counts, return_index=True, return_inverse=True, return_counts=True)
    return np.asarray((np.arange(counts.size) - first[place] + 1) / (size[place] + 1))


def _ordered_uniform(
    stream: np.random.Generator, rows: int, counts: NDArray[Any], n: int
) -> tuple[Floats, Floats]:
    """Of n ordered uniform numbers those with these ranks, and the gaps up to the next ones, in every row.

    The n + 1 gaps are exponential numbers, divided by their sum; a sum of k of them is a gamma number.
    """
    ranks, place = np.unique(counts, return_inverse=True)
    gaps = stream.standard_exponential((rows, ranks.size))
    others = np.diff(ranks, prepend=-1, append=n + 1) - 1  # gaps before the first rank, between, beyond
    between = stream.standard_gamma(others, (rows, others.size))
    ends = np.cumsum(between[:, :-1] + gaps, axis=1)
    whole = ends[:, -1:] + between[:, -1:] if ranks.size else between
    return ((ends - gaps) / whole)[:, place], (gaps / whole)[:, place]


# ---- One precision-recall curve, from its counts at the vertices of the ROC curve ------------------------

# Rates held at once, of drawn curves.
BLOCK = 2**18
# A recall times the number of positives that is this close to a whole number is that number.
WHOLE = 1e-9
# Odds beyond which no precision is seen: products of larger ones would overflow.
LARGEST = 1e150


def odds_against(share: Any) -> Any:
    """(1 - share) / share of the positives: precision = TPR / (TPR + odds FPR)."""
    with np.errstate(over="ignore"):  # a share next to nothing: precision 0
        return np.minimum((1 - share) / share, LARGEST)


@dataclass(frozen=True, slots=True)
class PrCurve:
    """True positives and rates at every vertex, from (0, 0) on, and the odds against a positive."""

    tp: NDArray[Any]
    tpr: Floats
    fpr: Floats
    odds: Any

    @classmethod
    def of_table(cls, table: ScoreTable, share: float) -> PrCurve:
        """The curve of a table, for a share of positives.

        Examples
        --------
        >>> table = ScoreTable.from_counts([4, 3, 2, 1], pos=[1, 0, 1, 0], neg=[0, 1, 0, 1])
        >>> PrCurve.of_table(table, 0.5).precision_at(np.array([0.5, 0.75])).round(4).tolist()
        [1.0, 0.6]
        """
        tp, fp = (np.concatenate([[0], np.cumsum(counts)]) for counts in (table.pos, table.neg))
        return cls(tp, tp / tp[-1], fp / fp[-1], odds_against(np.float64(share)))

    def precision(self) -> Floats:
        """Precision at every vertex; NaN where no case tests positive."""
        return measures.ratio(self.tpr, self.tpr + self.odds * self.fpr)

    def precision_at(self, recalls: Floats) -> Floats:
        """Precision at recalls greater than 0."""
        hits = recalls * self.tp[-1]
        hits = np.where(np.abs(hits - np.rint(hits)) < WHOLE, np.rint(hits), hits)  # rounding
        # The first vertex that reaches the recall ends the segment; the one before does not reach it.
        end = np.searchsorted(self.tp, hits, "left")
        share = (hits - self.tp[end - 1]) / (self.tp[end] - self.tp[end - 1])
        fpr = self.fpr[end - 1] + share * (self.fpr[end] - self.fpr[end - 1])
        tpr = hits / self.tp[-1]
        return np.asarray(tpr / (tpr + self.odds * fpr))

    def average_precision(self) -> float:
        """Sum of precision times the rise of recall."""
        rise = np.diff(self.tpr)
        return float(np.where(rise > 0, rise * self.precision()[1:], 0.0).sum())

    def area(self) -> float:
        """Integral of precision over recall.

        Along a segment TPR + odds FPR = a t + b, with t the recall, and the integral of t / (a t + b) is
        [t - (b / a) log(a t + b)] / a.
        """
        t0, f0 = self.tpr[:-1], self.fpr[:-1]
        rise = np.diff(self.tpr)
        slope = np.divide(np.diff(self.fpr), rise, out=np.zeros_like(rise), where=rise > 0)
        a = 1 + self.odds * slope
        b = self.odds * (f0 - slope * t0)
        start = t0 + self.odds * f0
        growth = np.divide(a * rise, start, out=np.zeros_like(rise), where=start > 0)  # from (0, 0): b is 0
        return float(((rise - b / a * np.log1p(growth)) / a).sum())
