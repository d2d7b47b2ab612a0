"""The .632 family, for the AUC and for the error rate, and the expected loss at costs.

The functions of the family take numbers or arrays of one shape, so a whole simulation is one call.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, measures
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
Rule: TypeAlias = Literal["yousef", "efron-tibshirani"]
RULES: Final = ("yousef", "efron-tibshirani")

# The shares that [1] and its forerunners print; 1 - exp(-1) = .63212 is what they round.
LEFT_OUT_SHARE: Final = 0.632
APPARENT_SHARE: Final = 0.368
# What an AUC is worth where scores know nothing of the class.
NO_INFORMATION_AUC: Final = 0.5


def point632(apparent: Any, left_out: Any) -> Floats:
    """Return .368 times the apparent value plus .632 times the left-out one ([1] eqs. 12 and 17).

    Examples
    --------
    >>> round(float(point632(0.9, 0.7)), 4)
    0.7736
    """
    return np.asarray(
        APPARENT_SHARE * np.asarray(apparent, np.float64) + LEFT_OUT_SHARE * np.asarray(left_out, np.float64)
    )


def overfitting_auc(
    apparent: Any, star: Any, *, gamma: float = NO_INFORMATION_AUC, rule: Rule = "yousef"
) -> Floats:
    """Return the relative overfitting R' of the AUC, from 0 to 1 ([1] eq. 19).

    Parameters
    ----------
    apparent, star
        Apparent AUC and AUC(*).
    gamma
        AUC where nothing is known.
    rule
        "yousef" follows [1]: R' is 0 unless apparent > star > gamma, so a classifier below chance has no
        overfitting. "efron-tibshirani" mirrors the error rate's rule: below chance R' is 1. The two
        differ only where star <= gamma < apparent; there the first one jumps.

    Returns
    -------
    array
        0 where apparent and star agree, also where both equal gamma (0/0).

    Examples
    --------
    >>> overfitting_auc(0.9, [0.7, 0.9, 0.4]).round(4).tolist()
    [0.5, 0.0, 0.0]
    >>> overfitting_auc(0.9, 0.4, rule="efron-tibshirani").tolist()
    1.0
    """
    checks.check_choice(rule, RULES, name="rule")
    low = gamma if rule == "yousef" else -np.inf
    return _ratio(apparent, star, gamma, (np.asarray(apparent) > star) & (np.asarray(star) > low))


def point632plus_auc(
    apparent: Any, star: Any, *, gamma: float = NO_INFORMATION_AUC, rule: Rule = "yousef"
) -> Floats:
    """Return the .632+ estimate of the AUC ([1] eqs. 18 and 19).

    See `overfitting_auc` for the parameters.

    Examples
    --------
    >>> round(float(point632plus_auc(0.9, 0.7)), 4)
    0.7451
    >>> float(point632plus_auc(0.5, 0.5))
    0.5
    """
    kept = np.maximum(star, gamma)  # AUC(*)' of [1] eq. 19
    rate = overfitting_auc(apparent, star, gamma=gamma, rule=rule)
    return _plus(apparent, star, kept, rate)


def overfitting_error(apparent: Any, left_out: Any, gamma: Any) -> Floats:
    """Return the relative overfitting R' of an error rate or a loss, from 0 to 1 ([1] eq. 15, its [7]).

    0 unless both the left-out error and gamma exceed the apparent error; 1 from gamma on.

    Examples
    --------
    >>> overfitting_error(0.1, [0.3, 0.1, 0.6], 0.5).round(4).tolist()
    [0.5, 0.0, 1.0]
    """
    counts = (np.asarray(left_out) > apparent) & (np.asarray(gamma) > apparent)
    return _ratio(apparent, left_out, gamma, counts)


def point632plus_error(apparent: Any, left_out: Any, gamma: Any) -> Floats:
    """Return the .632+ estimate of an error rate or a loss ([1] eq. 15).

    Parameters
    ----------
    apparent, left_out
        Apparent error and leave-one-out bootstrap error Err(1).
    gamma
        Error of the same decisions where nothing is known of the class.

    Examples
    --------
    >>> round(float(point632plus_error(0.1, 0.3, 0.5)), 4)
    0.2549
    """
    kept = np.minimum(left_out, gamma)
    return _plus(apparent, left_out, kept, overfitting_error(apparent, left_out, gamma))


def plus_slope(rate: Any) -> Floats:
    """Return by how much a .632+ estimate moves with the left-out one, at the overfitting rate R'.

    With R' < 1 the left-out value moves R' as well; at 1 it is held at gamma.

    Examples
    --------
    >>> plus_slope([0.0, 0.5, 1.0]).round(4).tolist()
    [0.632, 0.9492, 0.632]
    """
    rate = np.asarray(rate, np.float64)
    rest = 1 - APPARENT_SHARE * rate
    gained = APPARENT_SHARE * LEFT_OUT_SHARE * (rate / rest + rate / rest**2)
    return np.where(rate < 1, LEFT_OUT_SHARE + gained, LEFT_OUT_SHARE)


def _ratio(apparent: Any, left_out: Any, gamma: Any, counts: Any) -> Floats:
    """Share of the way from the apparent value to gamma that the left-out one has gone, at most all."""
    way = np.where(counts, np.asarray(gamma, np.float64) - apparent, 1.0)
    safe = np.where(way == 0, 1.0, way)
    gone = np.where(counts & (way != 0), np.asarray(left_out, np.float64) - apparent, 0.0) / safe
    return np.asarray(np.clip(gone, 0.0, 1.0))


def _plus(apparent: Any, left_out: Any, kept: Any, rate: Floats) -> Floats:
    """Add the correction for overfitting to the .632 estimate ([1] eqs. 15 and 18)."""
    factor = APPARENT_SHARE * LEFT_OUT_SHARE * rate / (1 - APPARENT_SHARE * rate)
    return np.asarray(point632(apparent, left_out) + (np.asarray(kept, np.float64) - apparent) * factor)


# ---- Expected loss at costs and shares of the classes ([1] eqs. 2, 3, 4 and 8) -----------------------------
# The equations are printed with slips. With c_ij the cost of deciding class i where class j is true, class 1
# the positive one, P_j the share of class j and e_j the share of class j that is decided wrongly:
# - eq. 2: the threshold of the log likelihood ratio is log(P_2 c_12 / (P_1 c_21)); the fraction is printed
#   upside down;
# - eq. 3: the risk is c_21 P_1 e_1 + c_12 P_2 e_2; the two costs are printed exchanged;
# - eq. 8: the estimated risk is c_21 e_1 n_1 / N + c_12 e_2 n_2 / N; c_21 is printed twice;
# - with equal costs and shares the risk is (e_1 + e_2) / 2; the text calls e_1 + e_2 the error rate.


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRule:
    """Costs (true by decided, negatives first) and the share of positives; None where the data's own holds.

    `requested` says whether either was an argument: decisions are then made at the threshold of eq. 2.
    """

    cost: tuple[tuple[float, float], tuple[float, float]]
    prevalence: float | None
    requested: bool

    @classmethod
    def read(cls, cost: Any = None, prevalence: Any = None) -> LossRule:
        """Read costs as `cost_matrix` does, and the share of positives.

        Examples
        --------
        >>> LossRule.read(5).cost
        ((0.0, 1.0), (5.0, 0.0))
        """
        table = measures.cost_matrix(cost)
        if table.shape != (2, 2):
            raise RocInputError(
                f"must be of two decisions, got a matrix of shape {table.shape}", argument="cost"
            )
        if (table[[0, 1], [1, 0]] < table.diagonal()).any():
            raise RocInputError(
                f"must not be less for wrong decisions, got {checks.show(cost)}", argument="cost"
            )
        share = None if prevalence is None else measures.check_prevalence(prevalence)
        if share is not None and np.ndim(share):
            share = float(share[1])
        (a, b), (c, d) = table.tolist()
        requested = cost is not None or prevalence is not None
        return cls(cost=((a, b), (c, d)), prevalence=share, requested=requested)

    def shares(self, positive: NDArray[np.bool_]) -> tuple[float, float]:
        """Shares of the negative and the positive class."""
        share = float(positive.mean()) if self.prevalence is None else self.prevalence
        return 1 - share, share

    def threshold(self, positive: NDArray[np.bool_], trained_share: float) -> float:
        """Probability from which on a case is classified as positive.

        The likelihood ratio is the odds of the probability over the odds of the classes in training, and it
        is compared with P_2 c_12 / (P_1 c_21) ([1] eq. 2, put right).

        Examples
        --------
        >>> LossRule.read({"fp": 1, "fn": 4}).threshold(np.array([True, False]), trained_share=0.5)
        0.2
        """
        (right_neg, false_pos), (false_neg, right_pos) = self.cost
        negatives, positives = self.shares(positive)
        alarm, miss = negatives * (false_pos - right_neg), positives * (false_neg - right_pos)
        odds = trained_share / (1 - trained_share) * alarm
        return odds / (odds + miss) if odds + miss > 0 else math.inf

    def case_losses(self, positive: NDArray[np.bool_], decided: NDArray[Any]) -> Floats:
        """Cost of each decision; `decided` has a column per case."""
        return np.array(self.cost)[positive.astype(np.intp), decided.astype(np.intp)]

    def mean_loss(self, positive: NDArray[np.bool_], decided: NDArray[Any]) -> float:
        """Loss of one decision for every case, from the rates of each class ([1] eq. 8, put right).

        Examples
        --------
        >>> positive, decided = np.array([True, True, False, False]), np.array([True, False, False, False])
        >>> LossRule.read({"fp": 1, "fn": 4}, prevalence=0.1).mean_loss(positive, decided)
        0.2
        """
        rates = np.array([decided[~positive].mean(), decided[positive].mean()])
        per_class = np.array(self.cost) * np.stack([1 - rates, rates], axis=1)
        return float(np.array(self.shares(positive)) @ per_class.sum(axis=1))

    def no_information(self, positive: NDArray[np.bool_], decided: NDArray[Any]) -> float:
        """Loss gamma of the same share of positive decisions where they know nothing of the class."""
        shares = np.array(self.shares(positive))
        decided_share = float(shares @ [decided[~positive].mean(), decided[positive].mean()])
        return float(shares @ np.array(self.cost) @ [1 - decided_share, decided_share])
