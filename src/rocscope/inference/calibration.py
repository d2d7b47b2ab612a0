"""Whether probabilities are right: of the cases given p, a share p should be positive.

The reliability curve is the isotonic regression of the outcomes on the probabilities, by pooling adjacent
violators [1]_; it needs no bins. Its consistency band [4]_ holds what the curve would be were the
probabilities calibrated: outcomes are drawn anew from Bernoulli(p), the probabilities stay. With S the mean
score of the probabilities, C that of the isotonic values and R that of the share of positives,

    S = miscalibration (S - C) - discrimination (R - C) + uncertainty (R).

Intercept and slope are those of Cox [2]_: logit P(y = 1) = a + b logit(p), a with b fixed at 1.

References
----------
.. [1] Dimitriadis, Gneiting, Jordan: Stable reliability diagrams for probabilistic classifiers, PNAS 118,
   2021.
.. [2] Cox: Two further applications of a model for binary regression, Biometrika 45, 1958.
.. [3] Spiegelhalter: Probabilistic prediction in patient management and clinical trials, Statistics in
   Medicine 5, 1986.
.. [4] Bröcker, Smith: Increasing the reliability of reliability diagrams, Weather and Forecasting 22, 2007.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, formatting, resampling, significance
from rocscope.core.frames import Missing
from rocscope.core.result import Estimate, Row, Status, TestResult, TwoClassResult
from rocscope.core.table import check_higher
from rocscope.errors import RocInputError
from rocscope.inference.proportions import CountedScores, wilson_interval

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
BinStrategy: TypeAlias = Literal["quantile", "uniform"]

BAND_PLACES = 200  # so many distinct probabilities have an interval of the band; of more, evenly spaced ones
MOST_BINS = 1000
HISTOGRAM = 20  # intervals of equal width in which the cases are counted
EQUAL_LOSSES = "all cases have the same loss, which shows no uncertainty"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin(Row):
    """Cases of similar probabilities.

    Attributes
    ----------
    smallest, largest
        The probabilities of the bin lie between these two, which are among them.
    n, n_pos
        Number of cases, and of positives.
    predicted
        Mean probability.
    observed, low, high
        Share of positives with Wilson's interval.
    """

    smallest: float
    largest: float
    n: int
    n_pos: int
    predicted: float
    observed: float
    low: float
    high: float


BIN_COLUMNS = tuple(field.name for field in fields(CalibrationBin))


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDecomposition(Row):
    """A mean score in its parts: score = miscalibration - discrimination + uncertainty.

    `skill` is 1 - score / uncertainty: 0 for the share of positives as everybody's probability, 1 at best.
    """

    name: str
    score: float | None
    miscalibration: float | None
    discrimination: float
    uncertainty: float
    skill: float | None
    status: Status = "ok"
    reason: str | None = None

    def _summary(self) -> str:
        parts = f"discrimination {self.discrimination:.4f} + uncertainty {self.uncertainty:.4f}"
        if self.score is None:
            return f"{self.name} undefined ({self.reason}): {parts.replace(' +', ',')}"
        head = f"{self.name} {self.score:.4f} = miscalibration {self.miscalibration:.4f}"
        return f"{head} - {parts}; skill {self.skill:.4f}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration(TwoClassResult):
    """How well probabilities agree with what happens.

    Attributes
    ----------
    bins
        Cases by their probabilities, each bin with its share of positives; no bin is empty.
    x, recalibrated
        The reliability curve, isotonic: both ends of every stretch on which it is constant; between two
        stretches it is linear.
    band_x, band_low, band_high
        Pointwise consistency band at `level`: where the curve lies if the probabilities are calibrated.
    intercept, slope
        Calibration intercept, with the slope fixed at 1, and slope; 0 and 1 for calibrated probabilities.
    ratio
        Expected over observed number of positives.
    brier, log_score
        Mean squared error of the probabilities and mean of -log of the probability of what happened.
    decomposition
        Both scores in their parts.
    ece, ece_calibrated
        Expected calibration error, the mean over the cases of |observed - predicted| of their bin; and what
        calibrated probabilities would have on average with these bins. The first is biased upwards by about
        the second.
    tests
        Intercept 0 and slope 1 (likelihood ratio); Spiegelhalter's; the ECE against those of calibrated
        probabilities.
    histogram
        Number of cases in 20 intervals of equal width.
    """

    view: ClassVar[str] = "bands.calibration_picture"

    bins: tuple[CalibrationBin, ...]
    strategy: str
    x: Floats
    recalibrated: Floats
    band_x: Floats
    band_low: Floats
    band_high: Floats
    intercept: Estimate
    slope: Estimate
    ratio: Estimate
    brier: Estimate
    log_score: Estimate
    decomposition: tuple[ScoreDecomposition, ...]
    ece: float
    ece_calibrated: float
    tests: tuple[TestResult, ...]
    histogram: Integers
    level: float
    n_boot: int

    def columns(self) -> dict[str, Any]:
        """One row per bin."""
        return {name: [row[name] for row in self.bins] for name in BIN_COLUMNS}

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        """Intercept, slope, ratio and scores with their intervals, then the positives of each bin."""
        figures = (self.intercept, self.slope, self.ratio, self.brier, self.log_score)
        shares = [f"Positives, probabilities {b.smallest:.3g} to {b.largest:.3g}" for b in self.bins]
        empty = [None] * (len(figures) + 1)
        columns: dict[str, Any] = {
            "measure": [*(formatting.sentence(one.name) for one in figures), "ECE", *shares],
            "value": [*(one.value for one in figures), self.ece, *(b.observed for b in self.bins)],
            "low": [*(one.low for one in figures), None, *(b.low for b in self.bins)],
            "high": [*(one.high for one in figures), None, *(b.high for b in self.bins)],
            "predicted": [*empty, *(b.predicted for b in self.bins)],
            "n": [*empty, *(b.n for b in self.bins)],
            "reason": [*(one.reason for one in figures), None, *([None] * len(self.bins))],
        }
        note = f"Calibrated probabilities have an ECE of {self.ece_calibrated:.3g} on average."
        return columns, {"value": "Value"}, [note]

    def _summary(self) -> str:
        estimates = (self.intercept, self.slope, self.ratio, self.brier, self.log_score)
        bins = formatting.counted(len(self.bins), "bin")
        chance = f"calibrated probabilities have {self.ece_calibrated:.4f} on average"
        ece = f"ECE {self.ece:.4f} with {bins}; {chance}"
        rows = [row.summary() for row in (*estimates, *self.decomposition, *self.tests)]
        return "\n  ".join([f"Calibration ({self._cases})", *rows, ece])


@checks.known_arguments
def calibration(
    y_true: Any,
    y_prob: Any = None,
    *,
    bins: int = 10,
    strategy: BinStrategy = "quantile",
    n_boot: int = 1000,
    level: float = 0.95,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> Calibration:
    """Return the reliability curve of probabilities, calibration intercept and slope, and proper scores.

    Parameters
    ----------
    y_true
        As in `auc`.
    y_prob
        Probabilities of the positive class, from 0 to 1. Nothing is cut off: cases of probability 0 or 1 for
        which this came true say nothing of intercept and slope and are left out there, with a warning;
        one for which it did not makes them and the log score undefined.
    bins
        Number of bins, from 1 to 1000. Equal probabilities stay together and empty bins are left out, so
        that there may be fewer.
    strategy
        "quantile" for bins of about as many cases, "uniform" for bins of equal width.
    n_boot
        How often outcomes are drawn from the probabilities, for the consistency band and the ECE of
        calibrated probabilities.
    level, rng, n_jobs, progress, pos_label, label, score, na
        As in `auc`.

    Returns
    -------
    Calibration
        With `bins`, the reliability curve and its band, `intercept`, `slope`, `brier`, `log_score`, their
        `decomposition`, `ece` and `tests`.

    Examples
    --------
    >>> y = [0, 0, 1, 0, 1, 0, 1, 1]
    >>> p = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9]
    >>> found = calibration(y, p, bins=2, rng=1)
    >>> [(row.n, round(row.predicted, 2), row.observed) for row in found.bins]
    [(4, 0.25, 0.25), (4, 0.7, 0.75)]
    >>> print(found.brier)
    Brier score 0.1700 (95% interval 0.0444-0.2956, standard error of the mean)
    >>> print(found.decomposition[0])
    Brier score 0.1700 = miscalibration 0.0450 - discrimination 0.1250 + uncertainty 0.2500; skill 0.3200
    >>> round(found.slope.value, 3), round(found.intercept.value, 3)
    (1.244, 0.138)
    """
    checks.check_level(level)
    sampling = resampling.Sampling(n_boot=n_boot, rng=rng, n_jobs=n_jobs, progress=progress)
    if checks.check_integer(bins, name="bins", low=1) > MOST_BINS:
        raise RocInputError(f"must be at most {MOST_BINS}, got {bins}", argument="bins")
    checks.check_choice(strategy, get_args(BinStrategy), name="strategy")
    data = read_probabilities(y_true, y_prob, pos_label=pos_label, label=label, score=score, na=na)
    cells = Cells.of(data)
    starts = cells.bin_starts(bins, strategy)
    n, n_pos, expected = (np.add.reduceat(v, starts) for v in (cells.n, cells.pos, cells.n * cells.p))
    low, high = wilson_interval(n_pos, n, level=level)
    ends = np.append(starts[1:], len(cells.p)) - 1
    smallest, largest = cells.p[starts], cells.p[ends]
    columns = (
        smallest,
        largest,
        n,
        n_pos,
        np.clip(expected / n, smallest, largest),  # roundings
        n_pos / n,
        low,
        high,
    )
    rows = zip(*(values.tolist() for values in columns), strict=True)
    block, values = isotonic(cells)
    edges = np.stack([block, np.append(block[1:], len(cells.p)) - 1], axis=1)
    alone = edges[:, 0] == edges[:, 1]
    vertices = edges.ravel()[np.stack([np.ones_like(alone), ~alone], axis=1).ravel()]
    places = np.unique(np.linspace(0, len(cells.p) - 1, min(len(cells.p), BAND_PLACES)).round().astype(int))
    curves, errors = _draw_calibrated(cells, starts, expected, places, sampling)
    band_low, band_high = resampling.percentile_interval(curves, level=level)
    ece = float(np.abs(n_pos - expected).sum() / cells.size)
    reached = (1 + np.count_nonzero(errors >= ece * (1 - 1e-12))) / (n_boot + 1)  # equal ones may round apart
    of_ece = TestResult(
        name="ECE = that of calibrated probabilities",
        method="resampling",
        statistic=ece,
        df=None,
        p_value=float(reached),
        alternative="greater",
    )
    place = np.minimum((cells.p * HISTOGRAM).astype(np.int64), HISTOGRAM - 1)
    histogram = np.zeros(HISTOGRAM, dtype=np.int64)
    np.add.at(histogram, place, cells.n)
    intercept, slope, joint, warnings = cox(cells, level=level)
    brier, log_score = (mean_loss(name, cells, level=level) for name in LOSSES)
    described = data.description
    if data.smallest_class < resampling.SMALL_CLASS:
        warnings += (resampling.FEW_CASES.format(data.smallest_class, "the Brier score"),)
    return Calibration(
        bins=tuple(CalibrationBin(**dict(zip(BIN_COLUMNS, row, strict=True))) for row in rows),
        strategy=strategy,
        x=cells.p[vertices],
        recalibrated=np.repeat(values, np.where(alone, 1, 2)),
        band_x=cells.p[places],
        band_low=band_low,
        band_high=band_high,
        intercept=intercept,
        slope=slope,
        ratio=_ratio(cells, level=level),
        brier=brier,
        log_score=log_score,
        decomposition=tuple(
            decompose(one, cells, isotonic_loss(one.name, cells)) for one in (brier, log_score)
        ),
        ece=ece,
        ece_calibrated=float(errors.mean()),
        tests=(joint, _spiegelhalter(cells), of_ece),
        histogram=histogram,
        level=level,
        n_boot=n_boot,
        **described | {"warnings": (*described["warnings"], *warnings, *sampling.warnings())},
    )


def read_probabilities(y_true: Any, y_prob: Any, **door: Any) -> CountedScores:
    """Labels and probabilities, counted; errors speak of `y_prob`."""
    try:
        data = CountedScores.read(y_true, y_prob, **door)
    except RocInputError as error:
        if not isinstance(error.argument, str) or "y_score" not in error.argument:
            raise
        raise RocInputError(
            error.message.replace("y_score has", "y_prob has"),
            argument=error.argument.replace("y_score", "y_prob"),
            data_dependent=error.data_dependent,
            remedy=error.remedy,
        ) from None
    check_higher(data.table.direction, "probabilities")
    check_probabilities(data.table.scores, name="y_prob")
    return data


def check_probabilities(p: NDArray[Any], *, name: str) -> None:
    """Refuse numbers outside of 0 to 1."""
    lowest, highest = p.min(), p.max()
    if lowest < 0 or highest > 1:
        raise RocInputError(
            f"must hold probabilities from 0 to 1, got numbers from {lowest:g} to {highest:g}", argument=name
        )


@dataclass(frozen=True, slots=True)
class Cells:
    """Distinct probabilities, ascending, with the number of cases and of positives at each."""

    p: Floats
    n: Integers
    pos: Integers

    @classmethod
    def of(cls, data: CountedScores) -> Cells:
        """The counts of a table, whose scores descend."""
        pos, neg = (np.asarray(counts[::-1], np.int64) for counts in (data.table.pos, data.table.neg))
        return cls(np.abs(data.table.scores[::-1].astype(np.float64)), pos + neg, pos)  # -0.0 is 0

    @property
    def neg(self) -> Integers:
        """Number of negatives at each probability."""
        return self.n - self.pos

    @property
    def size(self) -> int:
        """Number of cases."""
        return int(self.n.sum())

    @property
    def share(self) -> float:
        """Share of positives."""
        return int(self.pos.sum()) / self.size

    def draw(self, stream: np.random.Generator, times: int) -> Integers:
        """Numbers of positives of calibrated probabilities, (times, cells)."""
        pos = np.empty((times, len(self.p)), np.int64)
        alone = self.n == 1  # a uniform number costs a twentieth of a binomial one
        pos[:, alone] = stream.random((times, np.count_nonzero(alone))) < self.p[alone]
        pos[:, ~alone] = stream.binomial(self.n[~alone], self.p[~alone], (times, np.count_nonzero(~alone)))
        return pos

    def bin_starts(self, bins: int, strategy: BinStrategy) -> NDArray[np.intp]:
        """First cell of every bin that is not empty; a probability on an edge belongs to the lower bin.

        Examples
        --------
        >>> cells = Cells(np.array([0.1, 0.2, 0.5, 0.9]), np.array([1, 1, 3, 1]), np.array([0, 0, 1, 1]))
        >>> cells.bin_starts(2, "quantile").tolist(), cells.bin_starts(5, "uniform").tolist()
        ([0, 3], [0, 2, 3])
        """
        if strategy == "uniform":
            edges = np.linspace(0, 1, bins + 1)[1:-1]
        else:  # the probabilities of the cases of these ranks
            below = np.cumsum(self.n)
            most = min(bins, self.size)
            ranks = [(self.size - 1) * k // most for k in range(1, most)]
            edges = self.p[np.searchsorted(below, ranks, "right")]
        return np.unique(np.searchsorted(edges, self.p, "left"), return_index=True)[1]


def isotonic(cells: Cells) -> tuple[NDArray[np.intp], Floats]:
    """First cell of every block on which the isotonic regression is constant, and its value there.

    Examples
    --------
    >>> cells = Cells(np.array([0.1, 0.2, 0.5, 0.9]), np.array([2, 2, 2, 1]), np.array([0, 2, 1, 1]))
    >>> start, value = isotonic(cells)
    >>> start.tolist(), value.tolist()
    ([0, 1, 3], [0.0, 0.75, 1.0])
    """
    from scipy.optimize import isotonic_regression

    start = isotonic_regression(cells.pos / cells.n, weights=cells.n).blocks[:-1]
    return start, np.add.reduceat(cells.pos, start) / np.add.reduceat(cells.n, start)


def _draw_calibrated(
    cells: Cells,
    starts: NDArray[np.intp],
    expected: Floats,
    places: NDArray[np.intp],
    sampling: resampling.Sampling,
) -> tuple[Floats, Floats]:
    """Isotonic curves at some cells, (draws, places), and ECE, of outcomes drawn anew."""
    from scipy.optimize import isotonic_regression

    def draw(chunk: resampling.Chunk) -> Iterator[tuple[Floats, Floats]]:
        pos = cells.draw(chunk.stream(), len(chunk.range))
        curves = [isotonic_regression(row, weights=cells.n).x[places] for row in pos / cells.n]
        errors = np.abs(np.add.reduceat(pos, starts, axis=1) - expected).sum(axis=1) / cells.size
        yield np.stack(curves), errors

    curves, errors = sampling.run(draw, size=resampling.chunk_size(len(cells.p)))
    return np.clip(curves, 0.0, 1.0), errors


# ---- Scores -----------------------------------------------------------------------------------------------

BRIER, LOG = "Brier score", "log score"
LOSSES = (BRIER, LOG)


def case_losses(name: str, p: Floats) -> tuple[Floats, Floats]:
    """Loss of a positive and of a negative case at each probability; the log score may be infinite."""
    if name == BRIER:
        return (1 - p) ** 2, p**2
    with np.errstate(divide="ignore"):
        return -np.log(p), -np.log1p(-p)


def total_loss(of_pos: Floats, of_neg: Floats, cells: Cells) -> float:
    """Sum over the cases; infinite losses of no case do not count."""
    parts = ((of_pos, cells.pos), (of_neg, cells.neg))
    return float(sum(np.where(counts > 0, loss, 0.0) * counts for loss, counts in parts).sum())  # type: ignore[union-attr]


def mean_loss(name: str, cells: Cells, *, level: float) -> Estimate:
    """A score with the standard error of a mean."""
    of_pos, of_neg = case_losses(name, cells.p)
    value = total_loss(of_pos, of_neg, cells) / cells.size
    about: dict[str, Any] = {"name": name, "level": level, "method": "standard error of the mean"}
    nothing: dict[str, Any] = {"se": None, "low": None, "high": None}
    if math.isinf(value):
        reason = f"infinite: {wrong_certainty(cells)}"
        return Estimate(**about, value=None, **nothing, status="undefined", reason=reason)
    square = total_loss((of_pos - value) ** 2, (of_neg - value) ** 2, cells)
    se = math.sqrt(square / (cells.size - 1) / cells.size)
    if se <= 1e-15 * value or se == 0:
        return Estimate(**about, value=value, **nothing, status="partial", reason=EQUAL_LOSSES)
    low, high = significance.interval(
        value, se, level=level, bounds=(0.0, 1.0 if name == BRIER else math.inf)
    )
    return Estimate(**about, value=value, se=se, low=low, high=high)


def wrong_certainty(cells: Cells) -> str | None:
    """How many cases had no chance to be what they are; None if there are none."""
    of_pos, of_neg = int(cells.pos[cells.p == 0].sum()), int(cells.neg[cells.p == 1].sum())
    parts = [
        f"{formatting.counted(n, f'{kind} case')} of probability {p}"
        for n, kind, p in ((of_pos, "positive", 0), (of_neg, "negative", 1))
        if n
    ]
    return " and ".join(parts) or None


def isotonic_loss(name: str, cells: Cells) -> float:
    """Mean loss of the isotonic values, which are the best of all that rise with the probabilities."""
    start, value = isotonic(cells)
    pooled = Cells(value, np.add.reduceat(cells.n, start), np.add.reduceat(cells.pos, start))
    return total_loss(*case_losses(name, value), pooled) / cells.size


def decompose(score: Estimate, cells: Cells, recalibrated: float) -> ScoreDecomposition:
    """A mean score in its parts, [1]; `recalibrated` is that of the isotonic values."""
    constant = Cells(np.array([cells.share]), cells.n.sum(keepdims=True), cells.pos.sum(keepdims=True))
    uncertainty = total_loss(*case_losses(score.name, constant.p), constant) / cells.size
    value = score.value
    return ScoreDecomposition(
        name=score.name,
        score=value,
        miscalibration=None if value is None else max(value - recalibrated, 0.0),
        discrimination=max(uncertainty - recalibrated, 0.0),
        uncertainty=uncertainty,
        skill=None if value is None else 1 - value / uncertainty,
        status="ok" if value is not None else "partial",
        reason=score.reason if value is None else None,
    )


def _ratio(cells: Cells, *, level: float) -> Estimate:
    """Expected over observed positives; the interval is that of the logarithm, expected ones as known."""
    expected, observed = float((cells.n * cells.p).sum()), int(cells.pos.sum())
    value = expected / observed
    about: dict[str, Any] = {
        "name": "expected over observed",
        "value": value,
        "level": level,
        "method": "log",
    }
    if expected == 0:
        reason = "all probabilities are 0"
        return Estimate(**about, se=None, low=None, high=None, status="partial", reason=reason)
    relative = math.sqrt((1 - observed / cells.size) / observed)
    reach = significance.quantile(level) * relative
    return Estimate(**about, se=value * relative, low=value * math.exp(-reach), high=value * math.exp(reach))


def _spiegelhalter(cells: Cells) -> TestResult:
    """Test of the Brier score against its expectation under calibration, [3]."""
    p, tilt = cells.p, 1 - 2 * cells.p
    variance = float((cells.n * tilt**2 * p * (1 - p)).sum())
    about: dict[str, Any] = {
        "name": "Brier score = its expectation if calibrated",
        "method": "spiegelhalter",
        "df": None,
    }
    if variance == 0:
        reason = "all probabilities are 0, 1/2 or 1, so that the Brier score of calibrated ones does not vary"
        return TestResult(**about, statistic=None, p_value=None, status="undefined", reason=reason)
    excess = (cells.pos * (1 - p) - cells.neg * p) * tilt
    z = float(excess.sum()) / math.sqrt(variance)
    return TestResult(**about, statistic=z, p_value=significance.p_value(z))


# ---- Intercept and slope, by maximum likelihood -----------------------------------------------------------

STEPS, HALVINGS = 200, 60


def cox(cells: Cells, *, level: float) -> tuple[Estimate, Estimate, TestResult, tuple[str, ...]]:
    """Intercept with the slope fixed at 1, slope, likelihood-ratio test of 0 and 1, and warnings, [2]."""
    names = ("calibration intercept", "calibration slope")
    test: dict[str, Any] = {"name": "intercept = 0, slope = 1", "method": "likelihood ratio", "df": 2.0}
    inside = (cells.p > 0) & (cells.p < 1)
    outside = int(cells.n[~inside].sum())
    warnings: tuple[str, ...] = ()
    kept = Cells(cells.p[inside], cells.n[inside], cells.pos[inside])
    wrong = wrong_certainty(cells)
    one_class = kept.pos.sum() == 0 or kept.neg.sum() == 0
    if wrong is not None:
        reason = f"no intercept makes up for {wrong}"
    elif one_class:
        reason = "the cases of probabilities between 0 and 1 are of one class"
    else:
        reason = ""
        if outside:
            warnings = (
                f"intercept and slope leave out {formatting.counted(outside, 'case')} of probability 0 or 1, "
                "for which this came true",
            )
    if reason:
        empty = (_wald(name, None, None, level, reason) for name in names)
        none = TestResult(**test, statistic=None, p_value=None, status="undefined", reason=reason)
        return next(empty), next(empty), none, warnings
    logits = np.log(kept.p) - np.log1p(-kept.p)
    intercept = _wald(names[0], *_fit_intercept(logits, kept), level)
    lowest = [float(logits[counts > 0][0]) for counts in (kept.pos, kept.neg)]
    highest = [float(logits[counts > 0][-1]) for counts in (kept.pos, kept.neg)]
    if len(logits) == 1:
        reason = "all probabilities are equal"
    elif lowest[0] >= highest[1] or lowest[1] >= highest[0]:
        sign = "" if lowest[0] >= highest[1] else "minus "
        reason = f"the classes do not overlap, and the likelihood grows with a slope towards {sign}infinity"
    else:
        fitted = _fit_line(logits, kept)
        if fitted is not None:
            slope, se, gain = fitted
            p_value = math.exp(-gain)  # chi-squared with 2 degrees of freedom, at twice the gain
            tested = TestResult(**test, statistic=2 * gain, p_value=p_value)
            return intercept, _wald(names[1], slope, se, level), tested, warnings
        reason = "the likelihood has no maximum that can be computed"
    none = TestResult(**test, statistic=None, p_value=None, status="undefined", reason=reason)
    return intercept, _wald(names[1], None, None, level, reason), none, warnings


def _wald(
    name: str, value: float | None, se: float | None, level: float, reason: str | None = None
) -> Estimate:
    about: dict[str, Any] = {"name": name, "level": level, "method": "wald"}
    if value is None or se is None:
        empty: dict[str, Any] = {"value": None, "se": None, "low": None, "high": None}
        return Estimate(**about, **empty, status="undefined", reason=reason)
    low, high = significance.interval(value, se, level=level)
    return Estimate(**about, value=value, se=se, low=low, high=high)


def _fit_intercept(logits: Floats, cells: Cells) -> tuple[float, float]:
    """Root of the score of the intercept, with the standard error from the information."""
    from scipy.optimize import brentq

    pos, neg = cells.pos, cells.neg

    def derivative(a: float) -> float:
        z = a + logits
        return float((pos * special.expit(-z) - neg * special.expit(z)).sum())

    # Were all logits as large as the largest one, the root would be the lower end.
    middle = math.log(int(pos.sum()) / int(neg.sum()))
    low, high = middle - float(logits[-1]) - 1e-9, middle - float(logits[0]) + 1e-9
    root = float(brentq(derivative, low, high, xtol=1e-14, rtol=1e-15, maxiter=10_000))
    z = root + logits
    information = float((cells.n * special.expit(z) * special.expit(-z)).sum())
    step = derivative(root) / information
    return root + (step if abs(step) < 1e-9 else 0.0), 1 / math.sqrt(information)


def _fit_line(logits: Floats, cells: Cells) -> tuple[float, float, float] | None:
    """Slope, its standard error, and the gain of log likelihood over intercept 0 and slope 1.

    Newton's steps, halved where the likelihood would fall; it is concave. None where they do not end.
    """
    pos, neg, n = cells.pos, cells.neg, cells.n
    centre = float((n * logits).sum() / cells.size)
    scale = math.sqrt(float((n * (logits - centre) ** 2).sum() / cells.size))
    u = (logits - centre) / scale

    def likelihood(z: Floats) -> float:
        return -float((pos * np.logaddexp(0, -z) + neg * np.logaddexp(0, z)).sum())

    a, b = math.log(int(pos.sum()) / int(neg.sum())), 0.0
    best = likelihood(a + b * u)
    for _ in range(STEPS):
        z = a + b * u
        slack = pos * special.expit(-z) - neg * special.expit(z)
        weight = n * special.expit(z) * special.expit(-z)
        g0, g1 = float(slack.sum()), float((slack * u).sum())
        h0, h1, h2 = (float((weight * power).sum()) for power in (np.ones_like(u), u, u * u))
        determinant = h0 * h2 - h1 * h1
        if not determinant > 0 or not math.isfinite(determinant):
            return None
        da, db = (h2 * g0 - h1 * g1) / determinant, (h0 * g1 - h1 * g0) / determinant
        rise = g0 * da + g1 * db  # twice what the step gains
        for halving in range(HALVINGS):
            t = 0.5**halving
            found = likelihood(a + t * da + (b + t * db) * u)
            if found >= best - 1e-13 * abs(best):
                break
        a, b, best = a + t * da, b + t * db, found
        if rise <= 1e-16 * max(1.0, cells.size / 1e6):
            with np.errstate(divide="ignore"):
                null = float((special.xlogy(pos, cells.p) + special.xlog1py(neg, -cells.p)).sum())
            return b / scale, math.sqrt(h0 / determinant) / scale, max(best - null, 0.0)
    return None
