"""P-values adjusted for the number of tests made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def holm(p_values: Any) -> NDArray[np.float64]:
    """Holm's step-down adjustment; undefined p-values (NaN) stay so and do not count as tests.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    steps = p[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps))
    return adjusted


def bonferroni(p_values: Any) -> NDArray[np.float64]:
    """Bonferroni's adjustment: times the number of tests; undefined p-values (NaN) do not count as tests.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.5]).tolist()
    [0.03, 0.12, 1.0]
    """
    p = np.asarray(p_values, dtype=np.float64)
    return np.asarray(np.minimum(1.0, p * np.count_nonzero(~np.isnan(p))))
