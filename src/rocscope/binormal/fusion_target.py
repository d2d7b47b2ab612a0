"""What a combination is judged by: an area, a part of it, a rate, or a cost; predicted and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from rocscope.binormal.normal import Floats, bivariate_cdf
from rocscope.core import checks
from rocscope.core.curve import RocCurve, area_inside
from rocscope.core.measures import check_prevalence, cost_matrix
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError

TARGETS = ("auc", "partial-auc", "tpr", "cost")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One figure of a curve.

    Attributes
    ----------
    name
        "auc", "partial-auc", "tpr" or "cost".
    words
        The figure in words.
    fpr
        Range of FPR of a partial area; both ends are the FPR of a TPR.
    right, alarms, missed
        Of a cost: that of right decisions alone, of all negatives called positive, and of all positives
        missed, over what right decisions cost.

    Examples
    --------
    >>> target = Target.read("tpr", fpr=0.1)
    >>> target.words, target.predict(np.array([1.0]), np.array([1.0])).round(4).tolist()
    ('TPR at FPR 0.1', [0.3891])
    """

    name: str
    words: str
    fpr: tuple[float, float] = (0.0, 1.0)
    right: float = 0.0
    alarms: float = 0.0
    missed: float = 0.0

    @classmethod
    def read(
        cls,
        target: Any = "auc",
        *,
        fpr: Any = None,
        cost: Any = None,
        prevalence: Any = None,
        class_sizes: tuple[int, int] = (1, 1),
    ) -> Target:
        """Check a target and what belongs to it; class sizes (positives, negatives) tell a prevalence."""
        checks.check_choice(target, TARGETS, name="target")
        _refuse_others(target, fpr, cost, prevalence)
        if target == "cost":
            return _cost_target(cost, prevalence, class_sizes)
        if target == "partial-auc":
            low, high = checks.check_range(fpr, name="fpr")
            return cls(name=target, words=f"partial AUC over FPR {low:g}-{high:g}", fpr=(low, high))
        if target == "tpr":
            at = checks.check_number(fpr, name="fpr", low=0, high=1)
            return cls(name=target, words=f"TPR at FPR {at:g}", fpr=(at, at))
        return cls(name="auc", words="AUC")

    @property
    def sign(self) -> int:
        """1 where more is better, -1 for a cost."""
        return -1 if self.name == "cost" else 1

    def predict(self, a: Floats, b: Floats) -> Floats:
        """The figure of binormal curves."""
        if self.name == "auc":
            return np.asarray(special.ndtr(a / np.hypot(1.0, b)))
        if self.name == "tpr":
            return np.asarray(special.ndtr(a + b * special.ndtri(self.fpr[0])))
        if self.name == "cost":
            return self.right + least_cost(a, b, self.alarms, self.missed)
        return _area_up_to(a, b, self.fpr[1]) - _area_up_to(a, b, self.fpr[0])

    def count(self, table: ScoreTable) -> float:
        """The figure of counted cases."""
        if self.name == "auc":
            return table.auc
        curve = RocCurve.from_table(table)
        return float(self.of_curves(curve.fpr[np.newaxis], curve.tpr[np.newaxis])[0])

    def of_curves(self, fpr: Floats, tpr: Floats) -> Floats:
        """The figure of empirical curves, one in each row."""
        if self.name == "cost":
            return np.asarray(self.right + (self.alarms * fpr + self.missed * (1 - tpr)).min(axis=-1))
        if self.name == "tpr":
            return _heights(fpr, tpr, self.fpr[0])
        return np.asarray(area_inside(fpr, tpr, self.fpr, None))


def _refuse_others(target: str, fpr: Any, cost: Any, prevalence: Any) -> None:
    """Refuse what belongs to another target, rather than leave it unread."""
    owners = {
        "fpr": (fpr, ("partial-auc", "tpr")),
        "cost": (cost, ("cost",)),
        "prevalence": (prevalence, ("cost",)),
    }
    for name, (value, targets) in owners.items():
        if value is not None and target not in targets:
            whose = " or ".join(map(repr, targets))
            raise RocInputError(
                f"must be given with target {whose} alone, got target {target!r}", argument=name
            )


def _cost_target(cost: Any, prevalence: Any, class_sizes: tuple[int, int]) -> Target:
    table = cost_matrix(cost)
    share = class_sizes[0] / sum(class_sizes) if prevalence is None else check_prevalence(prevalence)
    alarms, missed = (1 - share) * (table[0, 1] - table[0, 0]), share * (table[1, 0] - table[1, 1])
    if not (alarms > 0 and missed > 0):
        raise RocInputError(
            f"must be more for wrong than for right decisions, got {checks.show(table.tolist())}",
            argument="cost",
        )
    return Target(
        name="cost",
        words=f"expected cost (FP {table[0, 1]:g}, FN {table[1, 0]:g}, prevalence {share:.4g})",
        right=float((1 - share) * table[0, 0] + share * table[1, 1]),
        alarms=float(alarms),
        missed=float(missed),
    )


def least_cost(a: Floats, b: Floats, alarms: float, missed: float) -> Floats:
    """Least alarms * FPR(t) + missed * (1 - TPR(t)) of binormal curves.

    At the best threshold the likelihood ratio b phi(bt - a) / phi(t) is alarms / missed, which is a
    quadratic in t: (1 - b^2) t^2 + 2ab t + 2 log(b missed / alarms) - a^2 = 0. Its roots are compared with
    calling all cases positive, or none.

    Examples
    --------
    >>> least_cost(np.array([2.0]), np.array([1.0]), 0.5, 0.5).round(4).tolist()
    [0.1587]
    """
    square, linear = (1 - b) * (1 + b), a * b
    constant = 2 * np.log(b * (missed / alarms)) - a**2
    inside = linear**2 - square * constant
    root = np.sqrt(np.maximum(inside, 0.0))
    # The sum of two numbers of one sign keeps its digits; the other root follows from the product.
    sure = -(linear + np.where(linear < 0, -root, root))
    with np.errstate(divide="ignore", invalid="ignore"):
        roots = [sure / square, constant / sure]
    costs = [np.where(inside >= 0, _cost_at(t, a, b, alarms, missed), np.inf) for t in roots]
    return np.asarray(np.minimum(np.minimum(*costs), min(alarms, missed)))


def _cost_at(t: Floats, a: Floats, b: Floats, alarms: float, missed: float) -> Floats:
    cost = alarms * special.ndtr(-t) + missed * special.ndtr(b * t - a)
    return np.where(np.isnan(cost), np.inf, cost)


def _area_up_to(a: Floats, b: Floats, fpr: float) -> Floats:
    s = np.hypot(1.0, b)
    return bivariate_cdf(a / s, special.ndtri(fpr), -b / s)


def _heights(fpr: Floats, tpr: Floats, at: float) -> Floats:
    """Heights of rising polylines at one FPR, linear between vertices; at a jump the upper end."""
    rows = np.arange(len(fpr))
    after = np.minimum((fpr <= at).sum(axis=-1), fpr.shape[-1] - 1)
    before = after - 1
    width = fpr[rows, after] - fpr[rows, before]
    share = np.divide(at - fpr[rows, before], width, out=np.zeros(len(rows)), where=width > 0)
    return np.asarray(tpr[rows, before] + share * (tpr[rows, after] - tpr[rows, before]))
