"""The best thresholds of all classes together, what they decide, and the quadratic weighted kappa."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, measures
from rocscope.core.result import Result, Status
from rocscope.errors import RocInputError, UndefinedError
from rocscope.ordinal.counts import ThresholdCounts, confusion_at, counts_below
from rocscope.ordinal.estimates import ClassEstimates, Gaps
from rocscope.ordinal.scale import ScaleMap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalThresholds(Result):
    """One threshold between each two neighbouring classes, best for all classes together.

    An estimate at or above a threshold is decided for the class above it.

    Attributes
    ----------
    labels
        The classes, in order.
    values, cutoffs
        The thresholds, ascending, on the scale of the classes, and on that of the estimates as they came: the
        same unless `ordinal_roc` changed the scale. Empty where undefined.
    objective, value
        What was made best, and its value: the share of wrong decisions ("error"), the mean cost of a case
        ("cost") or the quadratic weighted kappa ("kappa"). On the data that selected them, hence optimistic.
    confusion
        Cases by true class (row) and decided class (column).
    error, kappa
        Share of wrong decisions and quadratic weighted kappa at the thresholds. The weights of kappa go by
        the order of the classes, (i - j)^2 for the i-th and the j-th, whatever numbers the labels are.
    status, reason
        "undefined", and why, where a gap holds no threshold.

    Examples
    --------
    >>> from rocscope.ordinal.roc import ordinal_roc
    >>> roc = ordinal_roc([1, 1, 2, 2, 3, 3], [0.8, 1.2, 1.9, 2.2, 2.6, 3.1], objective="kappa")
    >>> print(roc.thresholds)
    Thresholds 1.455, 2.455: error 0.0000, kappa 1.0000 (best kappa)
    >>> roc.thresholds.decide([1.0, 2.3, 3.2]).tolist()
    [1, 2, 3]
    """

    view: ClassVar[str] = "ordinal.ordinal_thresholds_picture"

    labels: tuple[Any, ...]
    values: NDArray[np.float64]
    cutoffs: NDArray[np.float64]
    objective: Objective
    value: float | None
    confusion: NDArray[np.int64]
    error: float | None
    kappa: float | None
    status: Status = "ok"
    reason: str | None = None

    def decide(self, y_pred: Any) -> NDArray[Any]:
        """Return the class decided for each estimate, on the scale that `ordinal_roc` got it."""
        if self.value is None:
            raise UndefinedError(f"there are no thresholds to decide by: {self.reason}")
        estimates = checks.as_scores(y_pred, name="y_pred")
        return np.asarray(np.array(self.labels)[np.searchsorted(self.cutoffs, estimates, "right")])

    def _summary(self) -> str:
        if self.value is None:
            return f"Thresholds undefined: {self.reason}"
        values = ", ".join(f"{value:.4g}" for value in self.values)
        return f"Thresholds {values}: error {self.error:.4f}, kappa {self.kappa:.4f} (best {self.objective})"

    def columns(self) -> dict[str, Any]:
        """Return one row per threshold."""
        n = len(self.values)
        names = {"below": self.labels[:n], "above": self.labels[1 : n + 1]}
        return names | {"threshold": self.values, "cutoff": self.cutoffs}

    @classmethod
    def _complete(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """Thresholds that were saved without cut-offs are on the scale of the estimates."""
        return {"cutoffs": fields["values"]} | fields


def choose_thresholds(
    estimates: ClassEstimates,
    gaps: Gaps,
    at: ThresholdCounts,
    *,
    objective: Objective,
    cost: NDArray[np.float64] | None,
    cuts: Cuts,
    every: bool,
    scale_map: ScaleMap | None = None,
) -> OrdinalThresholds:
    """Choose one cut per gap; of equally good sets the one nearest to the middles of the gaps.

    A cut is one of the thresholds of its gap ("gaps") or of all gaps ("range"), whose counts are known. With
    `every` all distinct estimates are thresholds, and for "range" also those in no gap.
    """
    n = len(estimates.labels)
    empty = [gap for gap, values in enumerate(gaps) if not values.size]
    if empty and (cuts == "gaps" or len(empty) == len(gaps)):
        below, above = estimates.labels[empty[0] : empty[0] + 2]
        return OrdinalThresholds(
            labels=estimates.labels,
            values=np.empty(0),
            cutoffs=np.empty(0),
            objective=objective,
            value=None,
            confusion=np.zeros((n, n), np.int64),
            error=None,
            kappa=None,
            status="undefined",
            reason=f"no threshold lies between {below} and {above}",
        )
    values = np.array(estimates.classes)
    middles = (values[1:] + values[:-1]) / 2
    candidates = Candidates(gaps, at.below, estimates.sizes, middles)
    if cuts == "range":
        pool = np.unique(np.concatenate(estimates.parts if every else gaps))
        below_pool = counts_below(estimates, pool)
        candidates = Candidates((pool,) * len(gaps), (below_pool,) * len(gaps), estimates.sizes, middles)
    if objective == "kappa":
        best = _best_kappa(candidates)
    else:
        losses = 1 - np.eye(n, dtype=np.int64) if cost is None else cost
        best = _cheapest(candidates, losses)
    confusion = candidates.confusion(best)
    total = int(confusion.sum())
    error = (total - int(np.trace(confusion))) / total
    kappa = float(quadratic_kappa(confusion))
    value = {"error": error, "kappa": kappa}.get(objective)
    if cost is not None:
        value = float((confusion * cost).sum()) / total
    chosen = np.array([cut[k] for cut, k in zip(candidates.cuts, best, strict=True)])
    return OrdinalThresholds(
        labels=estimates.labels,
        values=chosen,
        cutoffs=chosen if scale_map is None else scale_map.cutoffs(chosen),
        objective=objective,
        value=value,
        confusion=confusion,
        error=error,
        kappa=kappa,
    )


# ---- The best thresholds of all classes together, exactly -------------------------------------------------
# A set of cuts t_1 <= ... <= t_{C-1} decides class j for t_{j-1} <= e < t_j. Let b_k(t) = #{e < t} in
# class k. If deciding j for a case of class k costs L[k, j], all cases together cost
#     sum_j sum_k L[k, j] (b_k(t_j) - b_k(t_{j-1})) = const + sum_g w_g(t_g),
#     w_g(t) = sum_k (L[k, g] - L[k, g + 1]) b_k(t):
# a sum of one term per cut. With the order of the cuts as the only bond between them, the cheapest sum is
# found by dynamic programming: the best start for a cut is the best of all that end at or below it. C M steps
# for M candidates, after one sort; every set of cuts is compared, none is guessed.
# Quadratic weighted kappa is no such sum but 1 - N D / E, and both D = sum (k - j)^2 n_kj and
# E = sum_j n_.j s_j, s_j = sum_k n_k. (k - j)^2, are: the row totals do not depend on the cuts. A ratio
# of two sums is made smallest by Dinkelbach's method (`_best_kappa`): On nonlinear fractional programming,
# Management Science 13, 1967.

Objective: TypeAlias = Literal["error", "cost", "kappa"]
Cuts: TypeAlias = Literal["gaps", "range"]
OBJECTIVES: tuple[Objective, ...] = ("error", "cost", "kappa")
CUTS: tuple[Cuts, ...] = ("gaps", "range")
Floats = NDArray[np.float64]
# Costs beyond this are kept as Python integers, which never overflow.
SAFE = 2**62


@dataclass(frozen=True, slots=True)
class Candidates:
    """Cuts that each gap may have, the cases of each class below each, and the middles of the gaps."""

    cuts: tuple[Floats, ...]
    below: tuple[NDArray[np.int64], ...]
    sizes: NDArray[np.int64]
    middles: Floats

    def confusion(self, indices: list[int]) -> NDArray[np.int64]:
        """Confusion matrix of one candidate per gap."""
        cut = np.stack([below[:, k] for below, k in zip(self.below, indices, strict=True)], axis=1)
        return confusion_at(cut, self.sizes)

    def disagreements(self, indices: list[int]) -> tuple[int, int]:
        """D and E of the kappa of one candidate per gap, whole numbers of any size."""
        observed, expected = disagreements(self.confusion(indices).astype(object))
        return int(observed), int(expected)


def _best_kappa(candidates: Candidates) -> list[int]:
    """Make D / E smallest, in whole numbers.

    For a ratio r let F(r) be the least D(t) - r E(t) over all cuts t. E > 0, because two classes have
    members, so F falls strictly, and F(r) = 0 exactly where r is the least ratio: D(t) - r E(t) >= 0 for all
    t says D / E >= r for all, and = 0 for one t says that this t has it. Start from the ratio r of any cuts;
    F(r) <= 0. If F(r) < 0, the cuts that reach it have D < r E, a smaller ratio: go on with it. If
    F(r) = 0, r is the least. There are finitely many cuts and the ratio falls each time, so this ends; it
    takes a handful of rounds. D and E are integers, and so is the scaled sum
    E' D(t) - D' E(t) for r = D'/E': nothing is rounded, and the end is exact.
    """
    best = _cheapest(candidates, quadratic_weights(candidates.sizes.size))
    while True:
        observed, expected = candidates.disagreements(best)
        best = _cheapest(candidates, kappa_losses(candidates.sizes, observed, expected))
        d, e = candidates.disagreements(best)
        if d * expected - observed * e >= 0:
            return best


def kappa_losses(sizes: NDArray[np.int64], observed: int, expected: int) -> NDArray[Any]:
    """Loss of deciding j for class k whose sum is E' D - D' E; Python integers where 64 bits are too few."""
    weights = quadratic_weights(sizes.size).astype(object)
    losses = expected * weights - observed * (sizes.astype(object) @ weights)
    largest = max(abs(loss) for loss in losses.ravel().tolist())
    too_large = 4 * largest * int(sizes.sum()) * sizes.size > SAFE
    return np.asarray(losses if too_large else losses.astype(np.int64))


def _cheapest(candidates: Candidates, losses: NDArray[Any]) -> list[int]:
    """Dynamic programming over the cuts."""
    total: Any = np.zeros(1, losses.dtype)
    distance = np.zeros(1)
    reach: list[NDArray[np.intp]] = []
    previous = np.array([-np.inf])
    for gap, (cuts, below) in enumerate(zip(candidates.cuts, candidates.below, strict=True)):
        own = (losses[:, gap] - losses[:, gap + 1]) @ below
        best = _best_so_far(total, distance)[np.searchsorted(previous, cuts, "right") - 1]
        total = own + total[best]
        distance = np.abs(cuts - candidates.middles[gap]) + distance[best]
        reach.append(best)
        previous = cuts
    indices = [int(_best_so_far(total, distance)[-1])]
    for best in reversed(reach[1:]):
        indices.append(int(best[indices[-1]]))
    return indices[::-1]


def _best_so_far(total: NDArray[Any], distance: Floats) -> NDArray[np.intp]:
    """Index of the least total up to each place; of equal totals the one with the least distance."""
    by_total = np.unique(total, return_inverse=True)[1]
    order = np.lexsort((distance, by_total))
    rank = np.empty(order.size, np.intp)
    rank[order] = np.arange(order.size)
    return order[np.minimum.accumulate(rank)]


def read_cost(objective: Objective, cost: Any, n_classes: int) -> NDArray[np.float64] | None:
    """Check the objective and its costs: a matrix, true class by decided class."""
    checks.check_choice(objective, OBJECTIVES, name="objective")
    if (objective == "cost") != (cost is not None):
        raise RocInputError(
            f"must be given with objective 'cost', and only then, got {checks.show(cost)}", argument="cost"
        )
    if cost is None:
        return None
    table = measures.cost_matrix(cost, n_classes=n_classes)
    if table.shape != (n_classes, n_classes):
        raise RocInputError(
            f"must have one column per class ({n_classes}), got {table.shape[1]}", argument="cost"
        )
    return table


# ---- Cohen's kappa with quadratic weights -----------------------------------------------------------------


def quadratic_weights(n_classes: int) -> NDArray[np.int64]:
    """(i - j)^2 over true and decided class: places in the order count, not the numbers of the classes.

    Examples
    --------
    >>> quadratic_weights(3).tolist()
    [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    """
    place = np.arange(n_classes)
    return np.asarray((place[:, None] - place) ** 2)


def quadratic_kappa(confusion: NDArray[Any]) -> NDArray[np.float64]:
    """Kappa of confusion matrices (..., C, C); NaN where true and decided class are one and the same.

    Kappa is 1 - N D / E with D = sum_ij (i - j)^2 n_ij and E = sum_ij (i - j)^2 n_i. n_.j: one minus the
    observed disagreement over the one expected if the decision knew nothing of the case. Classes are numbered
    by their order, so that labels 1, 2, 10 weigh as 1, 2, 3 do.

    Examples
    --------
    >>> quadratic_kappa(np.array([[4, 1, 0], [1, 3, 1], [0, 1, 4]])).round(6).tolist()
    0.8
    """
    observed, expected = disagreements(confusion)
    total = confusion.sum(axis=(-2, -1))
    return 1.0 - measures.ratio(observed.astype(np.float64) * total, expected)


def disagreements(confusion: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """D and E of `quadratic_kappa`, whole numbers."""
    weights = quadratic_weights(confusion.shape[-1])
    true, decided = confusion.sum(axis=-1), confusion.sum(axis=-2)
    observed = (confusion * weights).sum(axis=(-2, -1))
    expected = (decided * (true @ weights)).sum(axis=-1)
    return np.asarray(observed), np.asarray(expected)
