"""Which options go with which method of comparing curves, and their checks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.errors import RocInputError

POINT_METHODS = ("sensitivity", "specificity")
# What the replicates of a bootstrap make: a standard error with the normal distribution, or quantiles.
BOOTSTRAPS = ("normal", "percentile")
# Methods that an option belongs to; those not named here go with all.
OWNERS = {
    "margin": ("delong", "bootstrap", "hanley-mcneil", *POINT_METHODS),
    "contrasts": ("delong", "bootstrap", "hanley-mcneil", "permutation", *POINT_METHODS),
    "fpr": ("bootstrap",),
    "tpr": ("bootstrap",),
    "standardize": ("bootstrap",),
    "at": POINT_METHODS,
    "bootstrap": ("bootstrap", *POINT_METHODS),
}


def check_options(method: str, given: dict[str, Any]) -> None:
    """Refuse options that the method would ignore; None is passed over."""
    for name, value in given.items():
        if value is not None and method not in OWNERS[name]:
            owners = ", ".join(map(repr, OWNERS[name]))
            wanted = f"be left out for method {method!r} (it belongs to {owners})"
            raise RocInputError(f"{name} must {wanted}, got {checks.show(value)}")


def check_rate(at: Any) -> float:
    """Return the fixed rate, 0 to 1."""
    return checks.check_number(at, name="at", low=0, high=1, closed=True)


def check_side(alternative: Any, method: str, *, joint: bool) -> Alternative:
    """Return the alternative; a joint test and a test of whole curves have no sides."""
    checked = checks.check_alternative(alternative)
    if checked != "two-sided" and joint:
        raise RocInputError(f"alternative must be 'two-sided' for a joint test, got {checked!r}")
    if checked != "two-sided" and method == "venkatraman":
        raise RocInputError(f"alternative must be 'two-sided' for method 'venkatraman', got {checked!r}")
    return checked


def check_contrasts(contrasts: Any, k: int) -> NDArray[np.float64]:
    """Return contrasts as rows whose largest entry is 1 or -1: their scale must not matter.

    Examples
    --------
    >>> check_contrasts([2, -1, -1], 3).tolist()
    [[1.0, -0.5, -0.5]]
    """
    try:
        rows = np.atleast_2d(np.asarray(contrasts, dtype=np.float64))
    except (TypeError, ValueError):
        rows = np.empty((0, 0))
    if rows.ndim != 2 or rows.shape[1] != k or not np.isfinite(rows).all() or not rows.any(axis=1).all():
        raise RocInputError(
            f"contrasts must hold finite rows of {k} numbers, none all 0, got {checks.show(contrasts)}"
        )
    return np.asarray(rows / np.abs(rows).max(axis=1, keepdims=True))
