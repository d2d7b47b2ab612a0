"""Standard errors by the influence function: what an estimate gains from a little more weight on one case.

A replicate with N_i copies of case i becomes likelier by the factor 1 + n_i eps (N_i - 1) as the weight of
the case grows by eps, n_i being the number of cases it is drawn among. An estimate with gradient G_b in the
weight of replicate b, and with a part p_i that belongs to case i, has the influence value
n_i (p_i + sum_b (N_i^b - 1) G_b); the sum of their squares over n_i^2 is its variance. Finitely many
replicates add noise to every value, which is known and taken off: N_i^b - 1 has the variance 1 - 1/n_i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Variances up to this are what rounding leaves of none.
ROUNDING = 1e-24


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Variance of an estimate over data sets, and over repeated bootstraps of the same one.

    `variance` may be negative, where the noise of the replicates hides what there is; `noise` is the variance
    that the replicates add to each of the influence values of the `n_cases`.
    """

    variance: float
    mc_variance: float
    noise: float
    n_cases: int

    @property
    def se(self) -> float | None:
        """Standard error; None where the variance is hidden, or there is none."""
        return float(np.sqrt(self.variance)) if self.variance > ROUNDING else None

    @property
    def doubt(self) -> float:
        """Monte-Carlo error of the standard error, as a share of it; 0 where there is none."""
        if self.variance <= ROUNDING:
            return 0.0
        # Variance of a sum of squares, each of a value with normal noise added.
        of_squares = 4 * self.noise * self.variance + 2 * self.n_cases * self.noise**2
        return float(np.sqrt(of_squares) / (2 * self.variance))

    @property
    def is_flat(self) -> bool:
        """Whether neither cases nor replicates differ."""
        return abs(self.variance) <= ROUNDING and self.mc_variance <= ROUNDING

    @property
    def mc_error(self) -> float:
        """Standard deviation over repeated bootstraps."""
        return float(np.sqrt(self.mc_variance))


def spread(counts: NDArray[np.int32], own: Floats, gradient: Floats, *, strata: int) -> Spread:
    """Variance from influence values, less the noise of the replicates.

    Parameters
    ----------
    counts
        N_i^b, (replicates, cases).
    own
        p_i of each case.
    gradient
        G_b of each replicate; they add up to 0.
    strata
        Number of groups the cases were drawn in: 2 class by class, 1 all together.

    Examples
    --------
    >>> counts = np.array([[2, 0], [0, 2], [1, 1]], np.int32)
    >>> found = spread(counts, np.array([0.3, -0.3]), np.array([0.01, -0.01, 0.0]), strata=1)
    >>> round(found.variance, 4)
    0.2046
    """
    values = own + gradient @ (counts - 1.0)
    squares, n_boot, n_cases = float(gradient @ gradient), len(gradient), len(own)
    return Spread(
        variance=float(values @ values) - (n_cases - strata) * squares,
        mc_variance=squares * n_boot / (n_boot - 1),
        noise=squares,
        n_cases=n_cases,
    )
