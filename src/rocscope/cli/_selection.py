"""The operating point a user asks for, and what there is to say about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.cli.output import TextTable, interval_ends, number, printable
from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.points import Constraint, Threshold
from rocscope.core.result import Estimate, plain
from rocscope.core.table import ScoreTable
from rocscope.errors import RocUsageError, UndefinedError
from rocscope.inference.counts import plain_threshold
from rocscope.inference.cutpoint import CutPoint, Optimism
from rocscope.inference.point_measures import CHOSEN, PointMeasures, point_measures
from rocscope.io.large import vertex_at

MEASURES = {
    "sensitivity": "TPR (sensitivity)",
    "specificity": "TNR (specificity)",
    "ppv": "precision (PPV)",
    "npv": "NPV",
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "youden": "TPR - FPR (Youden)",
    "lr_pos": "likelihood ratio +",
    "lr_neg": "likelihood ratio -",
    "net_benefit": "net benefit",
    "expected_cost": "expected cost",
}
# Measures that need an argument: they are left out where it was not given.
OPTIONAL = ("net_benefit", "expected_cost")
RATES = {"tpr": "TPR", "fpr": "FPR", "youden": "TPR - FPR", "cost": "expected cost"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How a point is chosen: by bounds, rule, cost and prevalence, or by its threshold."""

    constraints: tuple[str, ...] = ()
    rule: Any = None
    cost: float | tuple[float, float] | None = None
    prevalence: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and (self.constraints or self.rule):
            raise RocUsageError("--threshold must come without --select and --rule")
        if self.prevalence is not None:
            checks.check_number(self.prevalence, name="prevalence", low=0, high=1)

    def candidates(self, curve: RocCurve) -> list[int]:
        """Vertices of a stretch of a curve among which the choice on the whole curve is.

        Where none meets the bounds: those that come nearest, each to one bound, to tell how far the
        scores reach.
        """
        if self.threshold is not None:
            return [max(vertex_at(curve, self.threshold), 0)]
        try:
            return [self.select(curve)]
        except UndefinedError:
            return [self._nearest(curve, Constraint.parse(text)) for text in self.constraints]

    def select(self, curve: RocCurve) -> int:
        """The vertex that answers the wish."""
        return curve.select(*self.constraints, rule=self.rule, cost=self.cost, prevalence=self.prevalence)

    def _nearest(self, curve: RocCurve, bound: Constraint) -> int:
        values = curve.measure(bound.measure, prevalence=self.prevalence)
        rising = values if bound.is_floor else -values
        return int(np.argmax(np.where(np.isnan(values), -np.inf, rising)))

    def words(self) -> str:
        """The objective and the bounds, for people."""
        bounds = f" with {', '.join(self.constraints)}" if self.constraints else ""
        return f"{self.objective()}{bounds}"

    def objective(self) -> str:
        """What made the point the best."""
        weighted = self.cost is not None or self.prevalence is not None
        if self.threshold is not None:
            return "as given"
        if self.rule == "closest":
            return "closest to the corner FPR 0, TPR 1" + (", weighted" if weighted else "")
        if weighted:
            return "least expected cost"
        if self.rule == "youden" or not self.constraints:
            return "largest TPR - FPR"
        bounds = [Constraint.parse(text) for text in self.constraints]
        floor = any(b.is_floor and b.measure in ("tpr", "sensitivity", "recall") for b in bounds)
        return "smallest FPR" if floor else "largest TPR"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A vertex of a curve, the point that decides like it, its measures, and the wish it answers.

    `cut` is the same choice made again on bootstrap samples, where that was asked for.
    """

    curve: RocCurve
    index: int
    point: Threshold
    wish: Wish
    found: PointMeasures
    cut: CutPoint | None = None

    def counts(self) -> dict[str, int]:
        """The confusion matrix, cell by cell."""
        return {cell: getattr(self.found, cell) for cell in ("tp", "fn", "fp", "tn")}

    def measures(self) -> dict[str, Estimate]:
        """Measures that the data and the options define or leave undefined, by name."""
        found = self.found.estimates
        return {name: found[name] for name in MEASURES if name not in OPTIONAL or found[name].status == "ok"}

    def row(self) -> dict[str, Any]:
        """One row of a table: threshold and counts, and every measure with its error and interval."""
        ends = {"threshold_low": None, "threshold_high": None}
        if self.cut is not None:
            ends = {"threshold_low": self.cut.low, "threshold_high": self.cut.high}
        cells = {"threshold": plain_threshold(self.point.value)} | ends | self.counts()
        for name, estimate in self.found.estimates.items():
            cells |= {name: estimate.value}
            cells |= {f"{name}_{part}": getattr(estimate, part) for part in ("se", "low", "high")}
        return cells

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain Python for JSON; infinite thresholds are text."""
        curve, wish = self.curve, self.wish
        told = {
            "threshold": plain_threshold(self.point.value),
            "objective": wish.objective(),
            "constraints": wish.constraints,
            "cost": wish.cost,
            "prevalence": wish.prevalence,
            "threshold_probability": self.found.threshold_probability,
            "pos_label": curve.pos_label,
            "neg_label": curve.neg_label,
            "n_pos": curve.n_pos,
            "n_neg": curve.n_neg,
            "auc": curve.auc,
            "confusion": self.counts(),
            "measures": self.found.estimates,
            "cutpoint": self.cut,
            "warnings": (*dict.fromkeys((*self._curve_warnings(), *self.found.warnings)),),
        }
        return {name: plain(value) for name, value in told.items()}

    def notes(self) -> list[str]:
        """What a reader should know, and why something is undefined."""
        warned = [text.replace("see cutpoint", "see --bootstrap") for text in self.found.warnings]
        if self.cut is not None:
            warned = [text for text in self.found.warnings if text != CHOSEN] + list(self.cut.warnings)
        undefined = [
            f"{MEASURES[name]}: {estimate.reason}"
            for name, estimate in self.measures().items()
            if estimate.reason
        ]
        return [*self._curve_warnings(), *warned, *undefined]

    def _curve_warnings(self) -> tuple[str, ...]:
        """What a reader should know of the curve on which the point was chosen."""
        from rocscope.bootstrap.estimates import BELOW

        return self.curve.warnings if self.curve.auc >= 0.5 else (*self.curve.warnings, BELOW)

    def blocks(self, name: str) -> list[str | TextTable]:
        """The point for people: the rule, the confusion matrix, the measures."""
        positive, negative = self.point.positive, self.point.negative
        n = {cell: str(count) for cell, count in self.counts().items()}
        confusion = TextTable(
            ("true class", f"called {positive}", f"called {negative}"),
            ((str(positive), n["tp"], n["fn"]), (str(negative), n["fp"], n["tn"])),
        )
        rule = printable(f"{self._rule(name)} ({self.wish.words()})")
        return [rule, "", confusion, "", self._measure_table(), *self._assumed(), *self._cut_blocks()]

    def _rule(self, name: str) -> str:
        if self.point.value is None or (self.point.value == math.inf and self.found.tp + self.found.fp == 0):
            return f"Call nothing {self.point.positive}"
        return f"Call {self.point.positive} where {name} >= {_shown(self.point.value)}"

    def _measure_table(self) -> TextTable:
        level = self.found.sensitivity.level
        rows = tuple((MEASURES[name], *_cells(estimate)) for name, estimate in self.measures().items())
        return TextTable(("measure", "value", "se", f"{level * 100:g}% interval", "method"), rows)

    def _assumed(self) -> list[str]:
        """What the measures rest on beside the cases."""
        share, probability = self.wish.prevalence, self.found.threshold_probability
        lines = []
        if share is not None:
            lines += [
                f"Precision, NPV, accuracy, F1, benefit and cost are those at a prevalence of {share:g}."
            ]
        if probability is not None:
            lines += [f"The net benefit is that at a threshold probability of {probability:g}."]
        return ["", *lines] if lines else []

    def _cut_blocks(self) -> list[str | TextTable]:
        """How sure the threshold is, and what the choice is worth on other cases."""
        if self.cut is None:
            return []
        cut = self.cut
        ends = f"no interval: {cut.reason}"
        if cut.low is not None:
            ends = f"{cut.level * 100:g}% interval {_shown(cut.low)} to {_shown(cut.high)}"
        told = f"Chosen again on {cut.n_boot} bootstrap samples: threshold {_shown(cut.threshold)} ({ends})"
        rows = tuple(_optimism(row) for row in cut.measures if row.apparent is not None)
        table = TextTable(("measure", "at the point", "on cases left out", "optimism"), rows)
        return ["", told, "", table]


def _shown(threshold: Any) -> str:
    return repr(threshold).removesuffix(".0")


def _cells(estimate: Estimate) -> tuple[str, str, str, str]:
    """Value, standard error, interval and method; an infinite ratio has a lower bound at best."""
    if estimate.value is None and estimate.low is not None:
        return "infinite", "", f">= {estimate.low:.4f}", estimate.method
    ends = interval_ends(estimate.low, estimate.high, estimate.alternative)
    se = "" if estimate.se is None else number(estimate.se)
    return number(estimate.value), se, ends, estimate.method if ends else ""


def _optimism(row: Optimism) -> tuple[str, str, str, str]:
    judged = "not judged" if row.out_of_bag is None else number(row.out_of_bag)
    optimism = "" if row.optimism is None else number(row.optimism, "+.4f")
    return RATES[row.name], number(row.apparent), judged, optimism


def choose(curve: RocCurve, wish: Wish, **how_judged: Any) -> Chosen:
    """Find the vertex that answers the wish, and what it is worth; `how_judged` as in point_measures."""
    how: dict[str, Any] = {"cost": wish.cost, "prevalence": wish.prevalence}
    table = table_of(curve)
    if wish.threshold is not None:
        index = vertex_at(curve, wish.threshold)
        point = Threshold(wish.threshold, positive=curve.pos_label, negative=curve.neg_label)
        asked: dict[str, Any] = {"threshold": wish.threshold}
    else:
        index = wish.select(curve)
        point = curve.operating_point(index)
        asked = {"select": wish.constraints, "rule": wish.rule}
    found = point_measures(table, **asked, **how, **how_judged)
    return Chosen(curve=curve, index=index, point=point, wish=wish, found=found)


def table_of(curve: RocCurve) -> ScoreTable:
    """The counts behind a curve."""
    return ScoreTable.from_counts(curve.thresholds[1:], pos=np.diff(curve.tp), neg=np.diff(curve.fp))


def only_one(score: Sequence[str]) -> str:
    """The name of the score; a point belongs to one curve."""
    if len(score) != 1:
        raise RocUsageError(f"points chooses on one curve, got {len(score)} scores")
    return score[0]
