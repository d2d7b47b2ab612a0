"""The criterion table of a ROC curve: what every threshold is worth, with intervals.

The intervals are those of `point_measures`, made for all thresholds at once: shares and sums of shares as
arrays, quotients one by one from the intervals of their shares.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, formatting, points
from rocscope.core import measures as core_measures
from rocscope.core.curve import RocCurve, vertices_at
from rocscope.core.result import Estimate, Result, json_numbers, json_thresholds
from rocscope.core.rules import Direction
from rocscope.core.scores import BinaryScores
from rocscope.core.table import own_scores
from rocscope.errors import RocInputError
from rocscope.inference import proportions
from rocscope.inference.designed_measures import check_wilson, designed_estimates
from rocscope.inference.point_measures import f1_at, likelihood_ratio, predictive_value
from rocscope.inference.proportions import IntervalKind, ShareRatio, Spread

Floats = NDArray[np.float64]

DEFAULT = ("sensitivity", "specificity", "lr_pos", "lr_neg", "ppv", "npv", "youden", "accuracy")
PRINTED_ROWS = 12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriterionTable(Result):
    """Measures at the thresholds of a ROC curve, one row per threshold.

    Attributes
    ----------
    thresholds
        Cases with score >= threshold test positive. At infinity as the first vertex of a curve no case does.
    tp, fp, fn, tn
        Cases that test positive, truly and falsely, and that test negative, falsely and truly.
    measures
        Names of the measures.
    values, low, high
        Values and ends of their intervals, one row per measure and one column per threshold. A value of 0/0
        is NaN, a likelihood ratio without a false decision below it is infinite; ends are NaN where there
        is no interval.
    interval, level
        Kind of the intervals, None without; confidence level.
    prevalence
        Share of positives in the population; None for that of the cases.
    pos_label, neg_label
        Names of the classes.
    direction
        With "lower" cases with score <= threshold test positive.

    Examples
    --------
    >>> from rocscope import roc_curve
    >>> table = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).coords(measures=["ppv"], intervals=False)
    >>> table.columns()["ppv"].round(3).tolist()
    [nan, 1.0, 0.5, 0.667, 0.5]
    """

    view: ClassVar[str] = "bands.criterion_picture"
    topic: ClassVar[str] = "points"

    thresholds: NDArray[Any]
    tp: NDArray[Any]
    fp: NDArray[Any]
    fn: NDArray[Any]
    tn: NDArray[Any]
    measures: tuple[str, ...]
    values: Floats
    low: Floats
    high: Floats
    interval: str | None
    level: float
    prevalence: float | None
    pos_label: Any = 1
    neg_label: Any = 0
    direction: Direction = "higher"
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.thresholds)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for strict JSON; infinite thresholds and ratios are text."""
        fields = Result.to_dict(self) | {"thresholds": json_thresholds(self.thresholds)}
        return fields | {name: json_numbers(getattr(self, name)) for name in ("values", "low", "high")}

    def columns(self) -> dict[str, Any]:
        """One row per threshold: counts, and each measure with the ends of its interval if it has one."""
        columns: dict[str, Any] = {"threshold": self.thresholds}
        columns |= {name: getattr(self, name) for name in ("tp", "fp", "fn", "tn")}
        for name, *cells in zip(self.measures, self.values, self.low, self.high, strict=True):
            columns[name] = cells[0]
            if self.interval is not None and not np.isnan(cells[1]).all():
                columns |= {f"{name}_low": cells[1], f"{name}_high": cells[2]}
        return columns

    def criteria(self) -> list[str]:
        """Return what tests positive at each threshold, in as many figures as distinguish the thresholds.

        Examples
        --------
        >>> from rocscope import roc_curve
        >>> roc_curve([0, 1, 1], [0.1, 0.4, 0.35]).coords().criteria()
        ['> 0.4', '≥ 0.4', '≥ 0.35', '≥ 0.1']
        """
        lower = self.direction == "lower"
        cuts = self.thresholds
        texts = [
            formatting.deciding_threshold(cut, cuts[max(k - 1, 0) : k + 2], lower=lower).removesuffix(".0")
            for k, cut in enumerate(cuts.tolist())
        ]
        signs = ["≤" if lower else "≥"] * len(self)
        none = self.tp + self.fp == 0
        for k in np.flatnonzero(none & np.array([math.isinf(cut) for cut in cuts.tolist()])):
            if k + 1 < len(self):  # no case tests positive: beyond the most extreme score
                texts[k], signs[k] = texts[k + 1], "<" if lower else ">"
        return [f"{sign} {text}" for sign, text in zip(signs, texts, strict=True)]

    def _paper(self) -> tuple[dict[str, Any], dict[str, str], list[str]]:
        columns = {"criterion": self.criteria()} | self.columns()
        del columns["threshold"]
        return columns, {"criterion": "Criterion"}, []

    def _summary(self) -> str:
        shown = _evenly(len(self), PRINTED_ROWS)
        some = f"{len(shown)} of {len(self)}" if len(shown) < len(self) else str(len(self))
        places = f"{some} threshold{'s' if len(self) > 1 else ''}"
        notes = [] if self.interval is None else [f"{self.level * 100:g}% intervals, {self.interval}"]
        notes += [] if self.prevalence is None else [f"prevalence {self.prevalence:g}"]
        title = f"Criterion table at {places}" + (f" ({'; '.join(notes)})" if notes else "")
        columns = [["threshold", *(formatting.threshold(self.thresholds[k]) for k in shown)]]
        for row, name in enumerate(self.measures):
            cells = (_cell(*(one[row, k] for one in (self.values, self.low, self.high))) for k in shown)
            columns.append([name, *cells])
        widths = [max(map(len, column)) for column in columns]
        lines = [
            "  ".join([line[0].rjust(widths[0]), *map(str.ljust, line[1:], widths[1:])]).rstrip()
            for line in zip(*columns, strict=True)
        ]
        return "\n".join([title, *lines])


def _cell(value: float, low: float, high: float) -> str:
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return formatting.infinite(None if math.isnan(low) else low)
    if math.isnan(low):
        return f"{value:.3f}"
    return formatting.with_interval(value, low, high)


def _evenly(n: int, most: int) -> NDArray[np.int64]:
    """At most so many of n places, evenly spaced, with the first and the last."""
    return np.unique(np.round(np.linspace(0, n - 1, min(n, most))).astype(np.int64))


def criterion_table(
    curve: RocCurve,
    thresholds: Any = "all",
    *,
    measures: str | Sequence[str] | None = None,
    intervals: bool = True,
    prevalence: float | None = None,
    interval: proportions.IntervalMethod = "wilson",
    level: float = 0.95,
) -> CriterionTable:
    """Return the criterion table of a curve: `RocCurve.coords`."""
    kind = IntervalKind(interval=interval, level=level)
    checks.check_flag(intervals, name="intervals")
    prevalence = proportions.read_prevalence(prevalence)
    listed = (measures,) if isinstance(measures, str) else DEFAULT if measures is None else measures
    names = checks.check_names(listed, name="measures", at_least=0)
    if not names:
        raise RocInputError("must name at least one measure, got none", argument="measures")
    if intervals and curve.cases is not None:
        check_wilson(interval)
    elif intervals and not (curve.tp.dtype.kind == curve.fp.dtype.kind == "i"):
        raise RocInputError(
            "must be False for fractional weights: intervals count whole cases", argument="intervals"
        )
    elif intervals:
        curve.score_table()  # refuses a curve that has lost its clusters
    cuts, vertices = _read_thresholds(curve, thresholds)
    tp, fp = curve.tp[vertices], curve.fp[vertices]
    confusion = core_measures.confusion_from_counts(tp, fp, curve.n_pos, curve.n_neg)
    classes = (curve.neg_label, curve.pos_label)
    # Thresholds between the same two scores share their numbers.
    distinct, place = np.unique(vertices, return_inverse=True)
    of_points: _Intervals | _DesignedIntervals
    if curve.cases is None:
        counts = curve.tp[distinct], curve.fp[distinct], curve.n_pos, curve.n_neg
        of_points = _Intervals(*counts, kind, prevalence)
    else:
        of_points = _DesignedIntervals(curve, curve.cases, distinct, kind, prevalence)
    shape = (len(names), len(cuts))
    values, low, high = np.empty(shape), np.full(shape, np.nan), np.full(shape, np.nan)
    for row, name in enumerate(names):
        values[row] = core_measures.evaluate(name, confusion, classes=classes, prevalence=prevalence)
        made = of_points.of(core_measures.ALIASES.get(name, name)) if intervals else None
        if made is not None:
            values[row], low[row], high[row] = (column[place] for column in made)
    return CriterionTable(
        thresholds=cuts,
        tp=tp,
        fp=fp,
        fn=curve.n_pos - tp,
        tn=curve.n_neg - fp,
        measures=names,
        values=values,
        low=low,
        high=high,
        interval=interval if intervals else None,
        level=kind.level,
        prevalence=prevalence,
        pos_label=curve.pos_label,
        neg_label=curve.neg_label,
        direction=curve.direction,
        warnings=curve.warnings,
    )


def _read_thresholds(curve: RocCurve, thresholds: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Thresholds and the vertices they lead to."""
    if isinstance(thresholds, str):
        checks.check_choice(thresholds, ["all"], name="thresholds")
        return curve.thresholds, np.arange(len(curve))
    cut = points.cut_of(thresholds, curve.direction)
    is_threshold = isinstance(cut, numbers.Real) and not isinstance(cut, numbers.Integral)
    if cut is thresholds and np.ndim(thresholds) == 0 and not is_threshold:
        n = checks.check_integer(thresholds, name="thresholds", low=1)
        vertices = _evenly(len(curve), n)
        return curve.thresholds[vertices], vertices
    each = [cut] if np.ndim(cut) == 0 else cut
    if isinstance(each, (list, tuple)):
        each = [points.cut_of(one, curve.direction) for one in each]
    cuts = checks.as_scores(each, name="thresholds")
    return cuts, vertices_at(curve, cuts)


@dataclass(frozen=True, slots=True)
class _Intervals:
    """Values and intervals of the measures of many confusion matrices of the same cases."""

    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    m: int
    n: int
    kind: IntervalKind
    prevalence: float | None

    def of(self, name: str) -> tuple[Floats, Floats, Floats] | None:
        """Values, lower and upper ends of one measure; None where it has no interval."""
        tp, fp, m, n, p = self.tp, self.fp, self.m, self.n, self.prevalence
        fn, tn = m - tp, n - fp
        shares: dict[str, tuple[Any, Any]] = {
            "tpr": (tp, m),
            "fnr": (fn, m),
            "tnr": (tn, n),
            "fpr": (fp, n),
        }
        sums: dict[str, tuple[Any, Any, Any]] = {
            "youden": ([1.0, -1.0], [tp, fp], [m, n]),
            "balanced_accuracy": ([0.5, 0.5], [tn, tp], [n, m]),
        }
        if p is None:
            shares |= {"precision": (tp, tp + fp), "npv": (tn, tn + fn)}
            shares |= {"accuracy": (tp + tn, m + n), "error": (fp + fn, m + n)}
        else:
            sums |= {"accuracy": ([1 - p, p], [tn, tp], [n, m]), "error": ([1 - p, p], [fp, fn], [n, m])}
        if name in shares:
            return self._shares(*shares[name])
        if name in sums:
            return self._sums(*sums[name])
        if name == "f1" and p is None:  # rises with the share of true positives among all but true negatives
            return tuple(2 * j / (1 + j) for j in self._shares(tp, m + fp))  # type: ignore[return-value]
        if name == "f1" and p is not None:
            rates = zip(*(Spread.of_shares(*of, self.kind) for of in ((tp, m), (fp, n))), strict=True)
            return _columns(f1_at(p, tpr, m, fpr, n, self.kind) for tpr, fpr in rates)
        if name in ("lr_pos", "lr_neg"):
            test, above, below = ("positive", tp, fp) if name == "lr_pos" else ("negative", fn, tn)
            ratios = self._ratios(above, m, below, n)
            return _columns(likelihood_ratio(name, one, test, self.kind) for one in ratios)
        if name == "precision" and p is not None:
            return self._predictive(self._ratios(tp, m, fp, n), (p, 1 - p))
        if name == "npv" and p is not None:
            return self._predictive(self._ratios(tn, n, fn, m), (1 - p, p))
        return None

    def _shares(self, counts: Any, sizes: Any) -> tuple[Floats, Floats, Floats]:
        sizes = np.broadcast_to(sizes, counts.shape)
        some = np.maximum(sizes, 1)  # 0 of 0 has no interval
        columns = (counts / some, *self.kind.ends(counts, some))
        value, low, high = (np.where(sizes > 0, column, np.nan) for column in columns)
        return value, low, high

    def _sums(self, weights: Any, counts: Any, sizes: Any) -> tuple[Floats, Floats, Floats]:
        w, size = (np.asarray(one, np.float64)[:, np.newaxis] for one in (weights, sizes))
        value = (w * (np.array(counts) / size)).sum(axis=0)
        low, high = self.kind.sum_ends(w, counts, size, same_cases=False)
        return value, np.minimum(low, value), np.maximum(high, value)

    def _ratios(self, a: NDArray[Any], m: int, b: NDArray[Any], n: int) -> list[ShareRatio]:
        above, below = Spread.of_shares(a, m, self.kind), Spread.of_shares(b, n, self.kind)
        rows = zip(a.tolist(), b.tolist(), above, below, strict=True)
        return [ShareRatio.of(x, m, y, n, self.kind, shares) for x, y, *shares in rows]  # type: ignore[arg-type]

    def _predictive(
        self, ratios: list[ShareRatio], shares: tuple[float, float]
    ) -> tuple[Floats, Floats, Floats]:
        value, low, high = _columns(predictive_value("", one, shares, self.kind) for one in ratios)
        none = np.array([one.a == one.b == 0 for one in ratios])  # no case tests so
        return np.where(none, np.nan, value), np.where(none, np.nan, low), np.where(none, np.nan, high)


class _DesignedIntervals:
    """The same of cases that are weighted or clustered, vertex after vertex."""

    def __init__(
        self,
        curve: RocCurve,
        cases: BinaryScores,
        vertices: NDArray[np.int64],
        kind: IntervalKind,
        prevalence: float | None,
    ) -> None:
        scores, lower = own_scores(cases.columns[0], curve.direction), curve.direction == "lower"
        self.estimates = [
            designed_estimates(
                cases,
                np.zeros(scores.size, bool) if k == 0 else points.reaches(scores, curve.thresholds[k], lower),
                kind,
                prevalence=prevalence,
            )
            for k in vertices.tolist()
        ]

    def of(self, name: str) -> tuple[Floats, Floats, Floats] | None:
        """Values, lower and upper ends of one measure; None where it has no interval."""
        turned = {"fnr": "sensitivity", "fpr": "specificity", "error": "accuracy"}
        known = {"tpr": "sensitivity", "tnr": "specificity", "precision": "ppv"} | turned
        field = known.get(name, name)
        if field not in self.estimates[0]:
            return None
        value, low, high = _columns(found[field] for found in self.estimates)
        return (1 - value, 1 - high, 1 - low) if name in turned else (value, low, high)


def _columns(estimates: Iterable[Estimate]) -> tuple[Floats, Floats, Floats]:
    """Values and ends of estimates; NaN where there are none."""
    value, low, high = np.array([(one.value, one.low, one.high) for one in estimates], np.float64).T
    return value, low, high
