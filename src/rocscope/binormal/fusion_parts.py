"""Parts of a preview of a fusion: the measure it is judged by, its weights, and the scale of the outputs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.combine import as_weights
from rocscope.binormal.curve import Binormal
from rocscope.binormal.latent import ConcaveCurve, Floats, bivariate_cdf
from rocscope.core import checks, measures
from rocscope.core.curve import RocCurve
from rocscope.core.partial_area import area_inside
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError

TargetName: TypeAlias = Literal["auc", "partial-auc", "tpr", "cost"]
Scale: TypeAlias = Literal["raw", "matched", "latent"]


# ---- The measure a combination is judged by, predicted and counted ----------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One measure of a curve.

    Attributes
    ----------
    name
        "auc", "partial-auc", "tpr" or "cost".
    description
        The measure in words.
    fpr
        Range of FPR of a partial area; both ends are the FPR of a TPR.
    right, alarms, missed
        Of a cost: that of right decisions alone, of all negatives that test positive, and of all positives
        missed, over what right decisions cost.

    Examples
    --------
    >>> target = Target.read("tpr", fpr=0.1)
    >>> target.description, target.predict(np.array([1.0]), np.array([1.0])).round(4).tolist()
    ('TPR at FPR 0.1', [0.3891])
    """

    name: str
    description: str
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
        """Check a target and what belongs to it; class sizes (positives, negatives) give a prevalence."""
        checks.check_choice(target, get_args(TargetName), name="target")
        owners = {
            "fpr": (fpr, ("partial-auc", "tpr")),
            "cost": (cost, ("cost",)),
            "prevalence": (prevalence, ("cost",)),
        }
        for name, (value, targets) in owners.items():
            # What belongs to another target is refused, rather than left unread.
            if value is not None and target not in targets:
                whose = " or ".join(map(repr, targets))
                wrong = f"must be given with target {whose} alone, got target {target!r}"
                raise RocInputError(wrong, argument=name)
        if target == "cost":
            table = measures.cost_matrix(cost)
            share = (
                class_sizes[0] / sum(class_sizes)
                if prevalence is None
                else measures.check_prevalence(prevalence)
            )
            alarms, missed = (1 - share) * (table[0, 1] - table[0, 0]), share * (table[1, 0] - table[1, 1])
            if not (alarms > 0 and missed > 0):
                wrong = f"must be more for wrong than for right decisions, got {checks.show(table.tolist())}"
                raise RocInputError(wrong, argument="cost")
            costs = f"FP {table[0, 1]:g}, FN {table[1, 0]:g}, prevalence {share:.4g}"
            return cls(
                name="cost",
                description=f"expected cost ({costs})",
                right=float((1 - share) * table[0, 0] + share * table[1, 1]),
                alarms=float(alarms),
                missed=float(missed),
            )
        if target == "partial-auc":
            low, high = checks.check_range(fpr, name="fpr")
            return cls(name=target, description=f"partial AUC over FPR {low:g}-{high:g}", fpr=(low, high))
        if target == "tpr":
            at = checks.check_number(fpr, name="fpr", low=0, high=1)
            return cls(name=target, description=f"TPR at FPR {at:g}", fpr=(at, at))
        return cls(name="auc", description="AUC")

    @property
    def sign(self) -> int:
        """1 where more is better, -1 for a cost."""
        return -1 if self.name == "cost" else 1

    def predict(self, a: Floats, b: Floats) -> Floats:
        """The measure of binormal curves."""
        if self.name == "auc":
            return np.asarray(special.ndtr(a / np.hypot(1.0, b)))
        if self.name == "tpr":
            return np.asarray(special.ndtr(a + b * special.ndtri(self.fpr[0])))
        if self.name == "cost":
            return self.right + least_cost(a, b, self.alarms, self.missed)
        s = np.hypot(1.0, b)
        low, high = (bivariate_cdf(a / s, special.ndtri(end), -b / s) for end in self.fpr)
        return high - low

    def count(self, table: ScoreTable) -> float:
        """The measure of counted cases."""
        if self.name == "auc":
            return table.auc
        curve = RocCurve.from_table(table)
        return float(self.of_curves(curve.fpr[np.newaxis], curve.tpr[np.newaxis])[0])

    def of_curves(self, fpr: Floats, tpr: Floats) -> Floats:
        """The measure of empirical curves, one in each row."""
        if self.name == "cost":
            return np.asarray(self.right + (self.alarms * fpr + self.missed * (1 - tpr)).min(axis=-1))
        if self.name == "tpr":
            # Linear between vertices; at a jump the upper end.
            at, rows = self.fpr[0], np.arange(len(fpr))
            after = np.minimum((fpr <= at).sum(axis=-1), fpr.shape[-1] - 1)
            before = after - 1
            width = fpr[rows, after] - fpr[rows, before]
            share = np.divide(at - fpr[rows, before], width, out=np.zeros(len(rows)), where=width > 0)
            return np.asarray(tpr[rows, before] + share * (tpr[rows, after] - tpr[rows, before]))
        return np.asarray(area_inside(fpr, tpr, self.fpr, None))


def least_cost(a: Floats, b: Floats, alarms: float, missed: float) -> Floats:
    """Least alarms * FPR(t) + missed * (1 - TPR(t)) of binormal curves.

    At the best threshold the likelihood ratio b phi(bt - a) / phi(t) is alarms / missed, which is a
    quadratic in t: (1 - b^2) t^2 + 2ab t + 2 log(b missed / alarms) - a^2 = 0. Its roots are compared with
    the cost where all cases test positive, or none.

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
    costs = [alarms * special.ndtr(-t) + missed * special.ndtr(b * t - a) for t in roots]
    first, second = (np.where((inside >= 0) & ~np.isnan(cost), cost, np.inf) for cost in costs)
    return np.asarray(np.minimum(np.minimum(first, second), min(alarms, missed)))


# ---- The weights of a preview, and their ratios, on which alone a combination depends ---------------------

# The paper's grid: both weights from 0.1 to 1.0.
PAPER_GRID = np.arange(1, 11) / 10
# Ratios that differ by less are equal, and those with so small a denominator are taken as fractions.
SAME_RATIO = 1e-12
LARGEST_PART = 1000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightGrid:
    """Pairs of weights, and the different directions among them.

    Attributes
    ----------
    weights
        Those of the call, (m, 2).
    directions
        One row for each different ratio, (d, 2): in the least whole numbers where the ratio is a simple
        fraction, so that sums of whole scores tie exactly as they should.
    index
        Direction of each pair.

    Examples
    --------
    >>> grid = WeightGrid.of([[0.1, 0.2], [0.5, 1.0], [0.3, 0.3]])
    >>> grid.directions.tolist(), grid.index.tolist()
    ([[1.0, 2.0], [1.0, 1.0]], [0, 0, 1])
    """

    weights: Floats
    directions: Floats
    index: NDArray[np.int64]

    @classmethod
    def of(cls, weights: Any = None) -> WeightGrid:
        """Read pairs of weights, or one list of values that both weights take; the paper's where None."""
        values = checks.as_array(PAPER_GRID if weights is None else weights, name="weights")
        read = PAPER_GRID if weights is None else weights
        if values.ndim == 1 and values.dtype.kind in "iuf" and values.any():
            first, second = np.meshgrid(values.astype(np.float64), values.astype(np.float64), indexing="ij")
            grid = np.stack([first.ravel(), second.ravel()], axis=1)
            values = read = grid[(grid != 0).any(axis=1)]
        as_weights(read, 2)  # refuses what are no weights
        pairs = np.atleast_2d(values.astype(np.float64))
        seen: dict[tuple[float, float], int] = {}
        index = [seen.setdefault(_direction(*pair), len(seen)) for pair in as_weights(pairs, 2).tolist()]
        return cls(weights=pairs, directions=np.array(list(seen)), index=np.array(index, dtype=np.int64))


def _direction(first: float, second: float) -> tuple[float, float]:
    """The ratio as a pair of the least whole numbers, or of numbers up to 1 in size."""
    if 0 in (first, second):
        return float(np.sign(first)), float(np.sign(second))
    ratio = second / first
    simple = Fraction(ratio if math.isfinite(ratio) else 0).limit_denominator(LARGEST_PART)
    if abs(simple.numerator) <= LARGEST_PART and math.isclose(float(simple), ratio, rel_tol=SAME_RATIO):
        sign = math.copysign(1, first)
        return sign * simple.denominator, sign * simple.numerator
    digits = 1 - round(math.log10(SAME_RATIO))
    return float(f"{first:.{digits}g}"), float(f"{second:.{digits}g}")


# ---- The scale on which outputs are added up: as they are, or on the latent scale of the fitted curve -----

HALVINGS = 60
# Latent values of all scores lie between these: beyond them is no case of either class.
FARTHEST = (-40.0, 40.0)


@dataclass(frozen=True, slots=True)
class LatentMap:
    """The rising map from scores to the latent scale of a fitted curve, where negatives are N(0, 1).

    A score goes to the t at which the fitted curve expects as many cases above as there are: n_neg FPR(t) +
    n_pos TPR(t) = cases above + half of those tied. Both classes determine t, so that scores above all
    negatives differ too. Straight lines join the scores of the fit; beyond them the line between
    the two ends goes on.

    Examples
    --------
    >>> table = ScoreTable.from_counts([1, 2, 3], pos=[1, 2, 4], neg=[4, 2, 1])
    >>> LatentMap.of(table, Binormal(a=1.0, b=1.0)).apply(np.array([1, 2, 3, 4])).round(3).tolist()
    [-0.538, 0.5, 1.538, 2.577]
    """

    scores: NDArray[Any]
    latent: Floats

    @classmethod
    def of(cls, table: ScoreTable, fit: Binormal | ConcaveCurve) -> LatentMap:
        """Fit the map to counted scores."""
        both = table.pos + table.neg
        above = np.cumsum(both) - both / 2
        n_neg, n_pos = table.n_neg, table.n_pos
        if isinstance(fit, Binormal):
            a, b = fit.parameters()
            # One class alone would have its t on either side of the solution.
            deviate = special.ndtri(above / (n_neg + n_pos))
            ends = -deviate, (a - deviate) / b
            low, high = np.minimum(*ends), np.maximum(*ends)
        else:
            low, high = (np.full(len(above), end) for end in FARTHEST)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            tpr = special.ndtr(a - b * middle) if isinstance(fit, Binormal) else fit.shape().tails(middle)[1]
            more = n_neg * special.ndtr(-middle) + n_pos * tpr > above
            low, high = np.where(more, middle, low), np.where(more, high, middle)
        latent = np.asarray((low + high) / 2)
        return cls(table.scores[::-1], latent[::-1])

    def apply(self, scores: NDArray[Any]) -> Floats:
        """Latent values of scores, of the fit or of other cases."""
        place = np.searchsorted(self.scores, scores).clip(max=len(self.scores) - 1)
        known, values = self.scores.astype(np.float64), scores.astype(np.float64)
        low, high = known[0] / 2, known[-1] / 2  # halves, whose difference cannot overflow
        beyond = np.minimum(values / 2 - low, 0.0) + np.maximum(values / 2 - high, 0.0)
        share = np.divide(beyond, high - low, out=np.zeros(len(values)), where=beyond != 0)
        inside = np.interp(values / 2, known / 2, self.latent)
        # A score of the fit has its own value: no map of numbers stands between, however long they are.
        between = inside + share * (self.latent[-1] - self.latent[0])
        return np.asarray(np.where(self.scores[place] == scores, self.latent[place], between))


def spread_of_negatives(table: ScoreTable, *, per: float = 1.0) -> float:
    """Standard deviation of the negatives' scores: the unit of the latent scale, on that of the outputs.

    It is divided by `per`: of the largest numbers it may be no number itself (infinite), but a quarter is.
    """
    scores, n = table.scores.astype(np.float64), table.n_neg
    size = float(np.abs(scores).max()) or 1.0  # no square overflows
    mean = float(scores / size @ table.neg) / n
    squares = float((scores / size - mean) ** 2 @ table.neg)
    return size / per * math.sqrt(squares / max(n - 1, 1))


# ---- How far two rankings agree ---------------------------------------------------------------------------


def kendall(x: Floats, y: Floats) -> float | None:
    """Kendall's tau-b; None where all values of one are equal.

    Examples
    --------
    >>> kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    0.3333333333333333
    """
    agree = untied_x = untied_y = 0
    for k in range(len(x) - 1):
        dx, dy = np.sign(x[k + 1 :] - x[k]), np.sign(y[k + 1 :] - y[k])
        agree += int(dx @ dy)
        untied_x += int(dx @ dx)
        untied_y += int(dy @ dy)
    return agree / math.sqrt(untied_x * untied_y) if untied_x and untied_y else None


def spearman(x: Floats, y: Floats) -> float | None:
    """Spearman's correlation of midranks; None where all values of one are equal.

    Examples
    --------
    >>> spearman(np.array([1.0, 2.0, 2.0, 3.0]), np.array([10.0, 20.0, 20.0, 40.0]))
    1.0
    """
    centred = []
    for values in (x, y):
        below, up_to = (np.searchsorted(np.sort(values), values, side) for side in ("left", "right"))
        centred.append((below + up_to - 1) / 2 - (len(values) - 1) / 2)
    a, b = centred
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 0 else None
