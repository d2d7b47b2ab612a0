"""The .632 family: apparent and left-out performance put together, for the AUC and for the error rate.

Every function takes numbers or arrays of one shape, so a whole simulation is one call.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks

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


def no_information_error(true_share: Any, called_share: Any) -> Floats:
    """Return the error rate gamma of decisions that know nothing of the class.

    Parameters
    ----------
    true_share
        Share of the cases that are positive.
    called_share
        Share of the cases that are called positive.

    Examples
    --------
    >>> float(no_information_error(0.5, 0.3))
    0.5
    >>> round(float(no_information_error(0.2, 0.1)), 4)
    0.26
    """
    p, q = np.asarray(true_share, np.float64), np.asarray(called_share, np.float64)
    return np.asarray(p * (1 - q) + (1 - p) * q)


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
        Error where nothing is known, see `no_information_error`.

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
