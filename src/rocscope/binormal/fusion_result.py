"""What a preview of a fusion shows, beside each other: predictions, counts, and how far they agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.curve import Binormal
from rocscope.binormal.joint import Floats
from rocscope.binormal.weights import BestWeights
from rocscope.core import checks
from rocscope.core.result import Result, Row

if TYPE_CHECKING:
    from rocscope.binormal.pair import BinormalPair

COLUMNS = ("independent", "correlated", "empirical")


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionChoice(Row):
    """The best or worst weights by one of the three columns.

    Attributes
    ----------
    by, kind
        The column, and "best" or "worst".
    weight_a, weight_b
        The first pair of weights with this ratio; None where the column is undefined.
    value
        What the column has there.
    empirical
        What was counted there.
    loss
        How much worse that is than the best that was counted; 0 for the empirical best itself.
    n_equal
        Pairs in the grid with the same ratio, which are the same choice.
    share
        Share of the bootstrap replicates that chose this ratio; None without a bootstrap.
    """

    by: str
    kind: str
    weight_a: float | None
    weight_b: float | None
    value: float | None
    empirical: float | None
    loss: float | None
    n_equal: int
    share: float | None

    def _summary(self) -> str:
        if self.weight_a is None:
            return f"{self.kind} by {self.by}: undefined"
        share = "" if self.share is None else f", in {100 * self.share:.0f}% of the replicates"
        counted = f"counted {self.empirical:.4f}, loss {self.loss:.4f}"
        told = f"{self.value:.4f}" if self.by == "empirical" else f"{self.value:.4f} ({counted})"
        return f"{self.kind} by {self.by}: weights {self.weight_a:g}, {self.weight_b:g}: {told}{share}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionAgreement(Row):
    """How far two columns agree.

    Attributes
    ----------
    first, second
        The two columns.
    kendall, spearman
        Rank correlations over the different ratios (pairs of one ratio are one combination).
    mean_error, low, high
        Mean over all pairs of weights of the first less the second, and its bootstrap interval.
    mean_abs_error, max_abs_error
        Of the same differences without their sign.
    reason
        Why a figure is None; empty otherwise.
    """

    first: str
    second: str
    kendall: float | None
    spearman: float | None
    mean_error: float | None
    low: float | None
    high: float | None
    mean_abs_error: float | None
    max_abs_error: float | None
    reason: str | None = None

    def _summary(self) -> str:
        if self.mean_error is None:
            return f"{self.first} - {self.second}: undefined, {self.reason}"
        ends = "" if self.low is None else f" ({self.low:+.4f} to {self.high:+.4f})"
        rank = "" if self.kendall is None else f", Kendall's tau {self.kendall:.3f}"
        return f"{self.first} - {self.second}: {self.mean_error:+.4f}{ends} on average{rank}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FusionPreview(Result):
    """What combinations of two classifiers are worth: predicted from their curves, and counted.

    Attributes
    ----------
    names
        Names of the two scores.
    target, scale
        The figure in words, and on what scale outputs are added up: "raw", "matched" or "latent".
    weights
        Pairs of weights, (m, 2).
    independent, correlated
        Predicted from the two fitted curves: with scores independent given the class, as in the paper,
        and with the fitted correlations.
    empirical
        Counted on the combined scores of the cases (of the test cases, where there are any).
    defined
        Which of the three columns stand, (m, 3); they hold NaN elsewhere.
    se, low, high
        Standard errors and bootstrap intervals of the three columns, (m, 3); NaN without a bootstrap.
    chosen
        Share of the replicates in which each pair's ratio was best, (m, 3); NaN without a bootstrap.
    directions, direction
        The different ratios of weights, (d, 2), and the one of each pair, (m,).
    first, second
        The fitted curves.
    pair
        The fit of both together, with correlations and their standard errors.
    choices, agreement
        Best and worst weights by each column; how far the columns agree.
    optimum_independent, optimum_correlated
        The weights with the largest predicted AUC of all; None where undefined.
    assumptions
        What the predictions take for granted.
    level, n_boot, n_failed
        Level of the intervals, replicates, and those without a prediction of each kind.
    n_pos, n_neg, n_pos_test, n_neg_test
        Cases of the fit, and those that were counted.
    larger_is_better
        False for a cost.
    status, reason
        "ok"; "partial" where a prediction is undefined, with the reason.
    """

    names: tuple[str, str]
    target: str
    scale: str
    weights: Floats
    independent: Floats
    correlated: Floats
    empirical: Floats
    defined: NDArray[np.bool_]
    se: Floats
    low: Floats
    high: Floats
    chosen: Floats
    directions: Floats
    direction: NDArray[np.int64] = field(repr=False)
    first: Binormal
    second: Binormal
    pair: BinormalPair | None
    choices: tuple[FusionChoice, ...]
    agreement: tuple[FusionAgreement, ...]
    optimum_independent: BestWeights | None
    optimum_correlated: BestWeights | None
    assumptions: tuple[str, ...]
    level: float
    n_boot: int
    n_failed: tuple[int, int]
    n_pos: int
    n_neg: int
    n_pos_test: int
    n_neg_test: int
    larger_is_better: bool
    status: str = "ok"
    reason: str | None = None
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.weights)

    def _summary(self) -> str:
        head = f"{self.target} of weighted sums of {self.names[0]} and {self.names[1]} ({self.scale} scale)"
        best = [str(choice) for choice in self.choices if choice.kind == "best"]
        agreement = [str(row) for row in self.agreement if row.second == "empirical"]
        return "\n  ".join([f"{head}, {len(self)} pairs of weights", *best, *agreement])

    def best(self, by: str = "correlated") -> FusionChoice:
        """The best weights by a column: "independent", "correlated" or "empirical"."""
        return self._choice(by, "best")

    def worst(self, by: str = "correlated") -> FusionChoice:
        """The worst weights by a column."""
        return self._choice(by, "worst")

    def _choice(self, by: str, kind: str) -> FusionChoice:
        checks.check_choice(by, COLUMNS, name="by")
        return next(choice for choice in self.choices if (choice.by, choice.kind) == (by, kind))

    def values(self) -> Floats:
        """The three columns side by side, (m, 3)."""
        return np.stack([self.independent, self.correlated, self.empirical], axis=1)

    def columns(self) -> dict[str, Any]:
        """One row per pair of weights."""
        told: dict[str, Any] = {"weight_a": self.weights[:, 0], "weight_b": self.weights[:, 1]}
        for k, name in enumerate(COLUMNS):
            told |= {name: getattr(self, name)}
            told |= {f"{name}_{end}": getattr(self, end)[:, k] for end in ("low", "high")}
        return told
