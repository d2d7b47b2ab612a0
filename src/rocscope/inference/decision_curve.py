"""The net benefit of acting on a probability, over all threshold probabilities [1]_.

Who acts from a probability p on holds one missed positive as bad as (1 - p) / p false alarms. In units of
true positives, the net benefit where cases with score >= p test positive is

    NB(p) = TP/N - FP/N p / (1 - p);

without a positive test it is 0, with positive tests alone it is the share of positives minus p / (1 - p)
times the rest. The interval at each p is that of `point_measures` at this threshold.

Against treating all, a model spares interventions. As many net interventions avoided, at the same number of
true positives, as its net benefit is larger in units of interventions [2]_:

    (NB(p) - NB_all(p)) (1 - p) / p = TN/N - FN/N (1 - p) / p,   usually per 100 patients.

References
----------
.. [1] Vickers, Elkin: Decision curve analysis: a novel method for evaluating prediction models, Medical
   Decision Making 26, 2006.
.. [2] Vickers, Cronin, Elkin, Gonen: Extensions to decision curve analysis, a novel method for evaluating
   diagnostic tests, prediction models and molecular markers, BMC Medical Informatics and Decision Making 8,
   2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast, overload

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, frames, significance
from rocscope.core.frames import Missing
from rocscope.core.influence import Design
from rocscope.core.result import CurveResult, Result, TwoClassResult
from rocscope.core.scores import BinaryScores, WeightKind
from rocscope.core.table import check_higher
from rocscope.errors import RocInputError
from rocscope.inference import bands, proportions
from rocscope.inference.designed_measures import check_wilson, mean_worth

Floats = NDArray[np.float64]
PROBABILITIES = np.arange(1, 100) / 100
METHOD = "mover-"  # intervals of sums from those of their parts
NORMAL = "normal"  # by the influences of weighted or clustered cases


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionCurve(TwoClassResult, CurveResult):
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
    cases
        The cases, where they are weighted or clustered, for further intervals; JSON does not hold them.
    """

    view: ClassVar[str] = "bands.decision_curve_picture"

    band: bands.Band
    treat_all: Floats
    treat_none: Floats
    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    prevalence: float
    cases: BinaryScores | None = field(default=None, repr=False)

    def columns(self) -> dict[str, Any]:
        """One row per threshold probability."""
        named = {"probability": self.band.x, "net_benefit": self.band.mean}
        ends = {"low": self.band.low, "high": self.band.high}
        others = {"treat_all": self.treat_all, "treat_none": self.treat_none}
        return named | ends | others | {"interventions_avoided": self.interventions_avoided().mean}

    def interventions_avoided(self, *, per: float = 100) -> bands.Band:
        """Net interventions avoided against treating all, with pointwise intervals.

        Parameters
        ----------
        per
            Number of patients; 100 by default.

        Returns
        -------
        Band
            Over the threshold probabilities; undefined at 0, where a missed positive has no bound on its
            price. The numbers are of interventions at no change in true positives found: negative where
            treating all is better.

        Examples
        --------
        >>> y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.4, 0.9]
        >>> net_benefit(y, s, probabilities=[0.25, 0.5]).interventions_avoided().mean.round(1).tolist()
        [33.3, 33.3]
        """
        checks.check_number(per, name="per", low=0)
        p, n_cases = self.band.x, self.n_pos + self.n_neg
        defined = p > 0
        price = np.divide(1 - p, p, out=np.ones_like(p), where=defined)  # of a missed positive
        if self.band.method == NORMAL:
            return self._designed_interventions(per, defined, price)
        counts = np.stack([self.n_neg - self.fp, self.n_pos - self.tp])
        same_cases = self.prevalence == self.n_pos / n_cases
        if same_cases:
            sizes, weights = np.full((2, 1), n_cases), np.stack([np.ones_like(price), -price])
        else:
            sizes = np.array([[self.n_neg], [self.n_pos]])
            weights = np.stack([np.full_like(price, 1 - self.prevalence), -self.prevalence * price])
        method: Any = self.band.method.removeprefix(METHOD)
        kind = proportions.IntervalKind(interval=method, level=self.band.level)
        low, high = kind.sum_ends(weights, counts, sizes, same_cases=same_cases)
        mean = (weights * counts / sizes).sum(axis=0)
        return self._interventions(per, defined, mean, low, high)

    def _designed_interventions(self, per: float, defined: NDArray[np.bool_], price: Floats) -> bands.Band:
        """The same of weighted or clustered cases; from JSON, without the cases, there are no intervals."""
        mean = (self.band.mean - self.treat_all) * price
        low = high = np.full_like(mean, np.nan)
        if self.cases is not None:
            table = self.cases.table()
            own = float(table.n_pos / (table.n_pos + table.n_neg)) == self.prevalence
            worth = np.stack([np.zeros_like(price), np.zeros_like(price), -price, np.ones_like(price)])
            prevalence = None if own else self.prevalence
            _, low, high = _designed_means(self.cases, self.band.x, worth, prevalence, self.band.level)
        return self._interventions(per, defined, mean, low, high)

    def _interventions(
        self, per: float, defined: NDArray[np.bool_], mean: Floats, low: Floats, high: Floats
    ) -> bands.Band:
        p = self.band.x
        ends: dict[str, Any] = {"mean": mean, "low": np.minimum(low, mean), "high": np.maximum(high, mean)}
        ends = {name: np.where(defined, per * values, np.nan) for name, values in ends.items()}
        return bands.Band(
            name=f"net interventions avoided per {per:g}",
            x=p,
            **ends,
            defined=defined & ~np.isnan(low),
            level=self.band.level,
            method=self.band.method,
            x_label="threshold probability",
            y_label=f"net interventions avoided per {per:g}",
        )

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        same = {name: [getattr(self.band, name)] * len(self.band) for name in ("level", "method")}
        return self.columns() | same, {"probability": "Threshold probability"}, []

    def _summary(self) -> str:
        return f"{self.band.summary()}, at prevalence {self.prevalence:.4g}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionCurves(Result):
    """Net benefit of several models on the same cases.

    Attributes
    ----------
    curves
        The `DecisionCurve` of each model, by its name; `curves["a"]`.
    """

    view: ClassVar[str] = "bands.decision_curves_picture"

    curves: Mapping[str, DecisionCurve]

    @property
    def _first(self) -> DecisionCurve:
        return next(iter(self.curves.values()))

    def best(self) -> list[str]:
        """Name of the model with the largest net benefit at each threshold probability, the first of equals.

        "treat all" or "treat none" where that is better than every model.

        Examples
        --------
        >>> scores = {"a": [0.1, 0.3, 0.7, 0.9], "b": [0.3, 0.2, 0.6, 0.4]}
        >>> net_benefit([0, 0, 1, 1], scores, probabilities=[0.05, 0.2, 0.5]).best()
        ['a', 'a', 'a']
        """
        names = [*self.curves, "treat all", "treat none"]
        benefits = [curve.band.mean for curve in self.curves.values()]
        benefits += [self._first.treat_all, self._first.treat_none]
        return [names[k] for k in np.argmax(np.stack(benefits), axis=0)]

    def interventions_avoided(self, *, per: float = 100) -> dict[str, bands.Band]:
        """Net interventions avoided by each model: `DecisionCurve.interventions_avoided` by its name.

        Examples
        --------
        >>> y, scores = [0, 0, 1, 1], {"a": [0.1, 0.3, 0.7, 0.9], "b": [0.3, 0.2, 0.6, 0.4]}
        >>> avoided = net_benefit(y, scores, probabilities=[0.25]).interventions_avoided()
        >>> {name: band.mean.tolist() for name, band in avoided.items()}
        {'a': [25.0], 'b': [25.0]}
        """
        return {name: curve.interventions_avoided(per=per) for name, curve in self.curves.items()}

    def columns(self) -> dict[str, Any]:
        """One row per model and threshold probability."""
        parts = {name: curve.columns() for name, curve in self.curves.items()}
        names = np.repeat(np.array(list(parts), dtype=object), len(self._first.band))
        return {"model": names.tolist()} | {
            key: np.concatenate([part[key] for part in parts.values()]) for key in self._first.columns()
        }

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        band, columns = self._first.band, self.columns()
        same = {name: [getattr(band, name)] * len(columns["model"]) for name in ("level", "method")}
        return columns | same, {"probability": "Threshold probability"}, []

    def _summary(self) -> str:
        best, first = self.best(), self._first
        lines = [f"{first.band.summary()}, at prevalence {first.prevalence:.4g}"]
        for name in (*self.curves, "treat all", "treat none"):
            lines.append(f"  {name}: largest net benefit at {best.count(name)} of {len(best)}")
        return "\n".join(lines)

    def _notes(self) -> list[str]:
        shared = [
            text for text in self._first.warnings if all(text in c.warnings for c in self.curves.values())
        ]
        own = {name: [t for t in curve.warnings if t not in shared] for name, curve in self.curves.items()}
        return [*shared, *(f"{name}: {text}" for name, texts in own.items() for text in texts)]


@overload
def net_benefit(
    y_true: Any,
    y_score: Mapping[str, Any],
    *,
    probabilities: Any = ...,
    prevalence: float | None = ...,
    interval: proportions.IntervalMethod = ...,
    level: float = ...,
    sample_weight: Any = ...,
    weight_kind: WeightKind = ...,
    groups: Any = ...,
    pos_label: Any = ...,
    na: Missing = ...,
) -> DecisionCurves: ...
@overload
def net_benefit(
    y_true: Any,
    y_score: None = ...,
    *,
    probabilities: Any = ...,
    prevalence: float | None = ...,
    interval: proportions.IntervalMethod = ...,
    level: float = ...,
    sample_weight: Any = ...,
    weight_kind: WeightKind = ...,
    groups: Any = ...,
    pos_label: Any = ...,
    label: str,
    score: list[str] | tuple[str, ...],
    na: Missing = ...,
) -> DecisionCurves: ...
@overload
def net_benefit(
    y_true: Any,
    y_score: Any = ...,
    *,
    probabilities: Any = ...,
    prevalence: float | None = ...,
    interval: proportions.IntervalMethod = ...,
    level: float = ...,
    sample_weight: Any = ...,
    weight_kind: WeightKind = ...,
    groups: Any = ...,
    pos_label: Any = ...,
    label: str | None = ...,
    score: str | None = ...,
    na: Missing = ...,
) -> DecisionCurve: ...
@checks.known_arguments
def net_benefit(
    y_true: Any,
    y_score: Any = None,
    *,
    probabilities: Any = None,
    prevalence: float | None = None,
    interval: proportions.IntervalMethod = "wilson",
    level: float = 0.95,
    sample_weight: Any = None,
    weight_kind: WeightKind = "survey",
    groups: Any = None,
    pos_label: Any = None,
    label: str | None = None,
    score: str | Sequence[str] | None = None,
    na: Missing = "error",
) -> DecisionCurve | DecisionCurves:
    """Return the net benefit of acting on probabilities, with pointwise intervals.

    Parameters
    ----------
    y_true
        As in `auc`.
    y_score
        Probabilities of the positive class, from 0 to 1. Other scores are refused: their thresholds
        are not probabilities. Whether the probabilities are right (calibrated) is not checked; wrong
        ones lower the net benefit. A mapping of names to probabilities, or a data frame of them, compares
        several models on the same cases; each has the curve that it has alone.
    probabilities
        Threshold probabilities, at least 0 and below 1; without them 0.01, 0.02 to 0.99.
    prevalence
        Share of positives where the scores will be used, taken as known. Without it that of the cases,
        as if they were drawn from that population, with its uncertainty.
    interval
        "wilson", "exact" or "modified-wilson", the intervals of shares from which those of the net benefit
        are combined.
    level
        Confidence level.
    sample_weight, weight_kind, groups
        Weights and clusters of the cases, as in `auc`. Intervals are then normal, by the influences of the
        cases; `tp fp n_pos n_neg` count the rows.
    pos_label, label, score, na
        As in `auc`; `score` may be a list of several.

    Returns
    -------
    DecisionCurve
        With `band`, `treat_all` and `treat_none`; `interventions_avoided()` are net interventions avoided
        per 100 patients. Of several models a `DecisionCurves` with the curve of each.

    Examples
    --------
    >>> y, s = [0, 0, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.4, 0.9]
    >>> curve = net_benefit(y, s, probabilities=[0.25, 0.5])
    >>> curve.band.mean.round(3).tolist(), curve.treat_all.round(3).tolist()
    ([0.222, 0.0], [0.111, -0.333])

    Several models:

    >>> models = net_benefit(y, {"a": s, "b": [0.3, 0.1, 0.2, 0.4, 0.6, 0.5]}, probabilities=[0.25, 0.5])
    >>> models.curves["b"].band.mean.round(3).tolist(), models.best()
    ([0.222, 0.333], ['a', 'b'])
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
    several = isinstance(y_score, Mapping) or frames.as_frame(y_score) is not None
    several = several or not isinstance(score, (str, type(None)))
    several = several or (isinstance(y_true, BinaryScores) and len(y_true.columns) > 1)
    about: dict[str, Any] = {"sample_weight": sample_weight, "weight_kind": weight_kind, "groups": groups}
    about |= {"pos_label": pos_label, "label": label, "na": na, "clustered": True}
    if not several:
        name = cast("str | None", score)
        data = proportions.CountedScores.read(y_true, y_score, score=name, weighted=True, **about)
        return _decision_curve(data, p, prevalence, kind, argument="y_score")
    models = BinaryScores.from_arrays(y_true, y_score, score=score, **about)
    return DecisionCurves(
        curves={
            name: _decision_curve(
                proportions.CountedScores.read(one, clustered=True, weighted=True),
                p,
                prevalence,
                kind,
                argument=f"scores[{name!r}]",
            )
            for name, one in models.each().items()
        }
    )


def _decision_curve(
    data: proportions.CountedScores,
    p: Floats,
    prevalence: float | None,
    kind: proportions.IntervalKind,
    *,
    argument: str,
) -> DecisionCurve:
    """The curve of one model at the threshold probabilities p."""
    check_higher(data.table.direction, "net benefit")
    highest, lowest = data.table.scores[0], data.table.scores[-1]
    if lowest < 0 or highest > 1:
        raise RocInputError(
            f"must hold probabilities from 0 to 1, got scores from {lowest:g} to {highest:g}",
            argument=argument,
        )
    reached = np.searchsorted(-data.table.scores, -p, "right")  # scores that reach p
    tp, fp = (np.concatenate([[0], np.cumsum(c)])[reached] for c in (data.table.pos, data.table.neg))
    counts, odds, share = np.stack([tp, fp]), p / (1 - p), data.share(prevalence)
    method = f"{METHOD}{kind.interval}"
    if data.cases is not None:
        check_wilson(kind.interval)
        method, cases = NORMAL, data.cases
        worth = np.stack([np.ones_like(odds), -odds, np.zeros_like(odds), np.zeros_like(odds)])
        mean, low, high = _designed_means(cases, p, worth, prevalence, kind.level)
        classes = (cases.columns[0][cases.positive], cases.columns[0][~cases.positive])
        tp, fp = (np.array([np.count_nonzero(scores >= one) for one in p]) for scores in classes)
    else:
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
        defined=~np.isnan(low),
        level=kind.level,
        method=method,
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
        cases=data.cases,
        **data.description,
    )


def _designed_means(
    cases: BinaryScores, p: Floats, worth: Floats, prevalence: float | None, level: float
) -> tuple[Floats, Floats, Floats]:
    """Means of what the outcomes are worth, (outcomes, places), at each threshold, and their intervals."""
    design, z = Design.of(cases), significance.critical_value(level)
    found = [
        mean_worth(cases, design, cases.columns[0] >= cut, column, prevalence)
        for cut, column in zip(p, worth.T.tolist(), strict=True)
    ]
    mean, squared = np.array(found).T
    return mean, mean - z * np.sqrt(squared), mean + z * np.sqrt(squared)
