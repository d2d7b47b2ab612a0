"""The operating point a user asks for, and what there is to say about it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocscope.cli.tables import TextTable, number, printable
from rocscope.core import checks
from rocscope.core.curve import RocCurve
from rocscope.core.points import Constraint, Threshold
from rocscope.core.result import plain
from rocscope.errors import RocUsageError, UndefinedError
from rocscope.views import Picture

MEASURES = {
    "tpr": "TPR (sensitivity)",
    "fpr": "FPR (1 - specificity)",
    "precision": "precision (PPV)",
    "npv": "NPV",
    "accuracy": "accuracy",
    "lr_pos": "likelihood ratio +",
    "lr_neg": "likelihood ratio -",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How a point is chosen: by bounds, rule, cost and prevalence, or by its threshold."""

    constraints: tuple[str, ...] = ()
    rule: str | None = None
    cost: float | tuple[float, float] | None = None
    prevalence: float | None = None
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and (self.constraints or self.rule or self.cost is not None):
            raise RocUsageError("--threshold must come without --select, --rule and --cost")
        if self.prevalence is not None:
            checks.check_number(self.prevalence, name="prevalence", low=0, high=1)

    def words(self) -> str:
        """The objective and the bounds, for people."""
        bounds = f" with {', '.join(self.constraints)}" if self.constraints else ""
        return f"{self._objective()}{bounds}"

    def _objective(self) -> str:
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
    """A vertex of a curve, the point that decides like it, and the wish it answers."""

    curve: RocCurve
    index: int
    point: Threshold
    wish: Wish

    def counts(self) -> dict[str, int]:
        """The confusion matrix, cell by cell."""
        (tn, fp), (fn, tp) = self.curve.confusion()[self.index].tolist()
        return {"tp": tp, "fn": fn, "fp": fp, "tn": tn}

    def measures(self) -> dict[str, float | None]:
        """Values of the measures; None where they are 0/0."""
        values = {
            name: float(self.curve.measure(name, prevalence=self.wish.prevalence)[self.index])
            for name in MEASURES
        }
        return {name: None if math.isnan(value) else value for name, value in values.items()}

    def row(self) -> dict[str, Any]:
        """One row of a table: threshold, counts and measures."""
        return {"threshold": self.point.value} | self.counts() | self.measures()

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain Python for JSON."""
        curve, wish = self.curve, self.wish
        found = {
            "threshold": self.point.value,
            "objective": wish._objective(),
            "constraints": wish.constraints,
            "cost": wish.cost,
            "prevalence": wish.prevalence,
            "pos_label": curve.pos_label,
            "neg_label": curve.neg_label,
            "n_pos": curve.n_pos,
            "n_neg": curve.n_neg,
            "auc": curve.auc,
            "confusion": self.counts(),
            "measures": self.measures(),
            "warnings": curve.warnings,
        }
        return {name: plain(value) for name, value in found.items()}

    def saved(self) -> str:
        """The point as JSON, to decide on new scores."""
        if self.point.cut == -math.inf:
            raise UndefinedError("the threshold of the point is minus infinity, which JSON cannot hold")
        return self.point.to_json()

    def blocks(self, name: str) -> list[str | TextTable]:
        """The point for people: the rule, the confusion matrix, the measures."""
        positive, negative = self.point.positive, self.point.negative
        rule = f"Call {positive} where {name} >= {repr(self.point.value).removesuffix('.0')}"
        if self.point.value is None:
            rule = f"Call nothing {positive}"
        n = {cell: str(count) for cell, count in self.counts().items()}
        confusion = TextTable(
            ("true class", f"called {positive}", f"called {negative}"),
            ((str(positive), n["tp"], n["fn"]), (str(negative), n["fp"], n["tn"])),
        )
        values = TextTable(
            ("measure", "value"),
            tuple((MEASURES[key], number(value)) for key, value in self.measures().items()),
        )
        return [printable(f"{rule} ({self.wish.words()})"), "", confusion, "", values, *self._at_prevalence()]

    def _at_prevalence(self) -> list[str]:
        share = self.wish.prevalence
        return [] if share is None else ["", f"Precision, NPV and accuracy at a prevalence of {share:g}."]


def choose(curve: RocCurve, wish: Wish) -> Chosen:
    """Find the vertex that answers the wish."""
    if wish.threshold is not None:
        # Every case at or above T is at or above the lowest observed score that T does not exceed.
        index = int(np.count_nonzero(curve.thresholds.astype(object) >= wish.threshold)) - 1
        point = Threshold(wish.threshold, positive=curve.pos_label, negative=curve.neg_label)
    else:
        index = curve.select(*wish.constraints, rule=wish.rule, cost=wish.cost, prevalence=wish.prevalence)
        point = curve.operating_point(index)
    return Chosen(curve=curve, index=index, point=point, wish=wish)


def picture(name: str, chosen: Chosen) -> Picture:
    """The curve with the chosen point."""
    from rocscope import views

    return views.curves({name: chosen.curve}, points={name: [chosen.index]})


def only_one(score: Sequence[str]) -> str:
    """The name of the score; a point belongs to one curve."""
    if len(score) != 1:
        raise RocUsageError(f"points chooses on one curve, got {len(score)} scores")
    return score[0]


def read_cost(text: str | None) -> float | tuple[float, float] | None:
    """Read "FN", or "FP,FN".

    Examples
    --------
    >>> read_cost("5"), read_cost("1,5")
    (5.0, (1.0, 5.0))
    """
    if text is None:
        return None
    costs = [_number(part) for part in text.split(",")]
    if None in costs or len(costs) > 2:
        raise RocUsageError(f"--cost must be one number (FN) or two (FP,FN), got {text!r}")
    return _pair(costs)


def _pair(costs: Sequence[Any]) -> float | tuple[float, float]:
    return float(costs[0]) if len(costs) == 1 else (float(costs[0]), float(costs[1]))


def read_threshold(text: str | None) -> float | None:
    """Read a threshold; whole numbers stay exact at any size.

    Examples
    --------
    >>> read_threshold("9007199254740993"), read_threshold("0.5")
    (9007199254740993, 0.5)
    """
    if text is None:
        return None
    value = _number(text)
    if value is None or math.isnan(value):
        raise RocUsageError(f"--threshold must be a number, got {text!r}")
    return value


def _number(text: str) -> float | None:
    if re.fullmatch(r"\s*[+-]?[0-9]+\s*", text):
        return int(text)
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None
