"""One classifier of a pair: its fit, and what every case contributes to it.

A maximum-likelihood estimate is, but for terms of higher order, the truth plus the sum over the cases of
I^-1 times the case's own score (the derivatives of the log probability of its category). These influences
of two classifiers on the same cases give the covariance between their estimates.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.categories import truth_runs
from rocscope.binormal.concave import name_zero_variance
from rocscope.binormal.curve import Binormal
from rocscope.binormal.fit import fit_categories
from rocscope.binormal.information import Arrow, expected_information, inner, solve_tridiagonal
from rocscope.binormal.likelihood import Floats, categories_between
from rocscope.core.scores import BinaryScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """A fitted classifier with the category of every case.

    `lower` and `upper` are the derivatives of the log probability of each category by its ends, on the scale
    where the class is standard normal; the first row is of the negatives, the second of the positives.
    """

    fit: Binormal
    category: NDArray[np.int64]
    arrow: Arrow
    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, fit: Binormal, scores: NDArray[np.float64]) -> Margin:
        """Take a fit apart; it must have the status "ok"."""
        a, b = fit.parameters()
        assert fit.cutpoints is not None
        assert fit.categories is not None
        cuts, data = fit.cutpoints, fit.categories
        inside = [categories_between(x, np.arange(len(data))) for x in (cuts, b * cuts - a)]
        return cls(
            fit=fit,
            category=np.searchsorted(data.boundaries, scores, side="right"),
            arrow=expected_information(cuts, a, b, data.n_neg, data.n_pos),
            lower=np.stack([terms.lower for terms in inside]),
            upper=np.stack([terms.upper for terms in inside]),
        )

    def deviates(self, kind: int) -> Floats:
        """The cut-points on the scale where a class (0: negatives, 1: positives) is standard normal."""
        a, b = self.fit.parameters()
        cuts = self._cutpoints()
        return b * cuts - a if kind else cuts

    def _cutpoints(self) -> Floats:
        assert self.fit.cutpoints is not None
        return self.fit.cutpoints

    def curve_influence(self) -> Floats:
        """Influence of the cases of each category on a and b: (class, parameter, category)."""
        cuts = self._cutpoints()
        _, border, schur = self.arrow.eliminate(np.zeros(len(cuts)))
        own = np.zeros((2, 2, len(cuts) + 1))
        ends = np.concatenate([[0.0], cuts, [0.0]])
        own[1] = [self.lower[1] - self.upper[1], ends[1:] * self.upper[1] - ends[:-1] * self.lower[1]]
        alone = np.stack([self._through_cutpoints(row) for row in border], axis=1)
        return np.asarray(np.einsum("pq,kqj->kpj", np.linalg.inv(schur), own - alone))

    def cutpoint_influence(self, weights: Floats, curve: Floats, of_curve: Floats) -> Floats:
        """Influence on a weighted sum of cut-points and of (a, b): (class, category)."""
        solved = solve_tridiagonal(self.arrow.excess, self.arrow.coupling, weights[np.newaxis])[0]
        rest = curve - inner(self.arrow.border, solved)
        return np.asarray(self._through_cutpoints(solved) + np.einsum("p,kpj->kj", rest, of_curve))

    def _through_cutpoints(self, row: Floats) -> Floats:
        """Product of a row with the scores by the cut-points of the cases of each category."""
        _, b = self.fit.parameters()
        ends = np.concatenate([[0.0], row, [0.0]])
        return np.asarray((ends[1:] * self.upper - ends[:-1] * self.lower) * np.array([[1.0], [b]]))

    def of_cases(self, by_category: Floats, positive: NDArray[np.bool_]) -> Floats:
        """From values for (class, ..., category) to values for (..., case)."""
        return np.asarray(
            np.where(positive, by_category[1][..., self.category], by_category[0][..., self.category])
        )


def fit_margin(data: BinaryScores, column: int) -> Binormal:
    """Fit one of the classifiers."""
    single = replace(data, columns=(data.columns[column],), names=(data.names[column],))
    table = single.table()
    return name_zero_variance(fit_categories(truth_runs(table)), table)
