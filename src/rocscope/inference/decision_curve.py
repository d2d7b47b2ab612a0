"""The net benefit of acting on a probability, over all threshold probabilities [1]_.

Who acts from a probability p on holds one missed positive as bad as (1 - p) / p false alarms. In units of
true positives, the net benefit where cases with score >= p test positive is

    NB(p) = TP/N - FP/N p / (1 - p);

without a positive test it is 0, with positive tests alone it is the share of positives minus p / (1 - p)
times the rest. The interval at each p is that of `point_measures` at this threshold.

References
----------
.. [1] Vickers, Elkin: Decision curve analysis: a novel method for evaluating prediction models, Medical
   Decision Making 26, 2006.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.frames import Missing
from rocscope.core.result import CurveResult
from rocscope.errors import RocInputError
from rocscope.inference import bands, proportions

Floats = NDArray[np.float64]
PROBABILITIES = np.arange(1, 100) / 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionCurve(CurveResult):
    """Net benefit over threshold probabilities.

    Attributes
    ----------
    band
        Net benefit with pointwise intervals; `band.x` are the threshold probabilities.
    treat_all, treat_none
        Net benefit where all cases test positive, and where none does.
    tp, fp
        Cases that test positive at each threshold probability, truly and falsely.
    prevalence
        Share of positives in the population, or that of the cases.
    """

    view: ClassVar[str] = "bands.decision_curve_picture"

    band: bands.Band
    treat_all: Floats
    treat_none: Floats
    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    prevalence: float
    n_pos: int
    n_neg: int
    pos_label: Any = 1
    neg_label: Any = 0
    warnings: tuple[str, ...] = ()

    def columns(self) -> dict[str, Any]:
        """One row per threshold probability."""
        named = {"probability": self.band.x, "net_benefit": self.band.mean}
        ends = {"low": self.band.low, "high": self.band.high}
        return named | ends | {"treat_all": self.treat_all, "treat_none": self.treat_none}

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        same = {name: [getattr(self.band, name)] * len(self.band) for name in ("level", "method")}
        return self.columns() | same, {"probability": "Threshold probability"}, []

    def _summary(self) -> str:
        return f"{self.band.summary()}, at prevalence {self.prevalence:.4g}"


@checks.known_arguments
def net_benefit(
    y_true: Any,
    y_score: Any = None,
    *,
    probabilities: Any = None,
    prevalence: float | None = None,
    interval: proportions.IntervalMethod = "wilson",
    level: float = 0.95,
    pos_label: Any = None,
    label: str | None = None,
    score: str | None = None,
    na: Missing = "error",
) -> DecisionCurve:
    """Return the net benefit of acting on probabilities, with pointwise intervals.

    Parameters
    ----------
    y_true
        As in `auc`.
    y_score
        Probabilities of the positive class, from 0 to 1. Other scores are refused: their thresholds
        are not probabilities. Whether the probabilities are right (calibrated) is not checked; wrong
        ones lower the net benefit.
    probabilities
        Threshold probabilities, at least 0 and below 1; without them 0.01, 0.02 to 0.99.
    prevalence
        Share of positives where the scores will be used, taken as known. Without it that of the cases,
        as if they were drawn from that population, with its uncertainty.
    interval
        "wilson" or "exact", the intervals of shares from which those of the net benefit are combined.
    level
        Confidence level.
    pos_label, label, score, na
        As in `auc`.

    Returns
    -------
    DecisionCurve
        With `band`, `treat_all` and `treat_none`.

    Examples
    --------
    >>> y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.4, 0.9]
    >>> curve = net_benefit(y, s, probabilities=[0.25, 0.5])
    >>> curve.band.mean.round(3).tolist(), curve.treat_all.round(3).tolist()
    ([0.222, 0.0], [0.111, -0.333])
    """
    kind = proportions.IntervalKind(interval=interval, level=level)
    prevalence = proportions.read_prevalence(prevalence)
    p = PROBABILITIES
    if probabilities is not None:
        p = checks.as_scores(probabilities, name="probabilities").astype(np.float64)
        if not ((p >= 0) & (p < 1)).all():
            raise RocInputError(
                f"must hold numbers of at least 0 and below 1, got {checks.show(probabilities)}",
                argument="probabilities",
            )
    data = proportions.CountedScores.read(
        y_true, y_score, pos_label=pos_label, label=label, score=score, na=na
    )
    highest, lowest = data.table.scores[0], data.table.scores[-1]
    if lowest < 0 or highest > 1:
        raise RocInputError(
            f"must hold probabilities from 0 to 1, got scores from {lowest:g} to {highest:g}",
            argument="y_score",
        )
    reached = np.searchsorted(-data.table.scores, -p, "right")  # scores that reach p
    tp, fp = (np.concatenate([[0], np.cumsum(c)])[reached] for c in (data.table.pos, data.table.neg))
    counts, odds, share = np.stack([tp, fp]), p / (1 - p), data.share(prevalence)
    if prevalence is None:  # a sum of shares of all cases, or of rates
        sizes = np.full((2, 1), data.n_pos + data.n_neg)
        weights = np.stack([np.ones_like(odds), -odds])
    else:
        sizes = np.array([[data.n_pos], [data.n_neg]])
        weights = np.stack([np.full_like(odds, prevalence), -(1 - prevalence) * odds])
    low, high = kind.sum_ends(weights, counts, sizes, same_cases=prevalence is None)
    mean = (weights * counts / sizes).sum(axis=0)
    band = bands.Band(
        name="net benefit",
        x=p,
        mean=mean,
        low=np.minimum(low, mean),  # roundings must not leave the mean out
        high=np.maximum(high, mean),
        defined=np.ones(len(p), dtype=bool),
        level=level,
        method=f"mover-{interval}",
        x_label="threshold probability",
        y_label="net benefit",
    )
    return DecisionCurve(
        band=band,
        treat_all=share - (1 - share) * odds,
        treat_none=np.zeros_like(p),
        tp=tp,
        fp=fp,
        prevalence=share,
        **data.description,
    )
