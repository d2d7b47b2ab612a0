"""Expected loss at given costs and shares of the classes ([1] eqs. 2, 3, 4 and 8).

The equations are printed with slips. With c_ij the cost of deciding class i where class j is true, class 1
the positive one, P_j the share of class j and e_j the share of class j that is decided wrongly:

- eq. 2: the threshold of the log likelihood ratio is log(P_2 c_12 / (P_1 c_21)); the fraction is printed
  upside down;
- eq. 3: the risk is c_21 P_1 e_1 + c_12 P_2 e_2; the two costs are printed exchanged;
- eq. 8: the estimated risk is c_21 e_1 n_1 / N + c_12 e_2 n_2 / N; c_21 is printed twice;
- with equal costs and shares the risk is (e_1 + e_2) / 2; the text calls e_1 + e_2 the error rate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.measures import check_prevalence, cost_matrix
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LossRule:
    """Costs (true by decided, negatives first) and the share of positives; None where the data's own holds.

    `given` says whether either was asked for: decisions are then made at the threshold of eq. 2.
    """

    cost: tuple[tuple[float, float], tuple[float, float]]
    prevalence: float | None
    given: bool

    @classmethod
    def read(cls, cost: Any = None, prevalence: Any = None) -> LossRule:
        """Read costs as `cost_matrix` does, and the share of positives.

        Examples
        --------
        >>> LossRule.read(5).cost
        ((0.0, 1.0), (5.0, 0.0))
        """
        table = cost_matrix(cost)
        if table.shape != (2, 2):
            raise RocInputError(f"cost must be of two decisions, got a matrix of shape {table.shape}")
        if (table[[0, 1], [1, 0]] < table.diagonal()).any():
            raise RocInputError(f"cost must not be less for wrong decisions, got {checks.show(cost)}")
        share = None if prevalence is None else check_prevalence(prevalence)
        if share is not None and np.ndim(share):
            share = float(share[1])
        (a, b), (c, d) = table.tolist()
        given = cost is not None or prevalence is not None
        return cls(cost=((a, b), (c, d)), prevalence=share, given=given)

    def shares(self, positive: NDArray[np.bool_]) -> tuple[float, float]:
        """Shares of the negative and the positive class."""
        share = float(positive.mean()) if self.prevalence is None else self.prevalence
        return 1 - share, share

    def threshold(self, positive: NDArray[np.bool_], trained_share: float) -> float:
        """Probability from which on a case is called positive.

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

    def case_losses(self, positive: NDArray[np.bool_], called: NDArray[Any]) -> Floats:
        """Cost of each decision; `called` has a column per case."""
        table = np.array(self.cost)
        return table[positive.astype(np.intp), called.astype(np.intp)]

    def mean_loss(self, positive: NDArray[np.bool_], called: NDArray[Any]) -> float:
        """Loss of one decision for every case, from the rates of each class ([1] eq. 8, put right).

        Examples
        --------
        >>> positive, called = np.array([True, True, False, False]), np.array([True, False, False, False])
        >>> LossRule.read({"fp": 1, "fn": 4}, prevalence=0.1).mean_loss(positive, called)
        0.2
        """
        rates = np.array([called[~positive].mean(), called[positive].mean()])
        per_class = np.array(self.cost) * np.stack([1 - rates, rates], axis=1)
        return float(np.array(self.shares(positive)) @ per_class.sum(axis=1))

    def no_information(self, positive: NDArray[np.bool_], called: NDArray[Any]) -> float:
        """Loss gamma of the same share of positive decisions where they know nothing of the class."""
        shares = np.array(self.shares(positive))
        called_share = float(shares @ [called[~positive].mean(), called[positive].mean()])
        return float(shares @ np.array(self.cost) @ [1 - called_share, called_share])
