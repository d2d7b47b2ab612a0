"""The paired permutation test: every difference could as well have had the other sign."""

from __future__ import annotations

import numpy as np

from rocscope.algorithms.differences import Floats, Wholes
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng, plan_chunks

# Up to here all 2^J sign vectors are counted, as pairs of two halves with 2^(J/2) sums each.
EXACT_UP_TO = 40
DRAWS = 9_999
DRAWN_AT_ONCE = 1_000
# From here on the kernel is worth its loading.
MANY_SUMS = 1_000_000


def sign_flip_test(steps: Wholes, alternative: Alternative, rng: Rng) -> Floats:
    """Return the p-value of every row: the share of sign vectors with a sum at least as extreme.

    Exact up to 40 folds; beyond that by 9,999 random sign vectors, the same for every row.

    Examples
    --------
    >>> sign_flip_test(1000 * np.array([[1, 2, 3, -4, 5, 6]]), "two-sided", None).item()
    0.21875
    """
    # "less" is "greater" with all signs turned.
    turned = -steps if alternative == "less" else steps
    total = turned.sum(axis=-1)
    # Every difference was rounded to a whole step: sums that are equal may differ by a step per fold.
    bar = (np.abs(total) if alternative == "two-sided" else total) - steps.shape[-1]
    if steps.shape[-1] > EXACT_UP_TO:
        share = _drawn_share(turned, bar, alternative, rng)
    else:
        share = _exact_share(turned, bar) * (2 if alternative == "two-sided" else 1)
    # No difference at all supports no alternative.
    return np.where((steps == 0).all(axis=-1), 1.0, np.minimum(1.0, share))


def _exact_share(steps: Wholes, bar: Wholes) -> Floats:
    n_half = steps.shape[-1] // 2
    if len(steps) << n_half >= MANY_SUMS:
        from rocscope.core import kernels

        counts = kernels.count_sign_sums(steps, bar)
    else:
        pairs = zip(steps, bar.tolist(), strict=True)
        counts = np.array([_count_reaching(row, least) for row, least in pairs], dtype=np.float64)
    return np.asarray(np.ldexp(counts, -steps.shape[-1]))


def _count_reaching(row: Wholes, bar: int) -> int:
    """Count the sign vectors whose sum reaches `bar`: a half-sum x needs one of bar - x from the other."""
    half = len(row) // 2
    first, second = _signed_sums(row[:half]), np.sort(_signed_sums(row[half:]))
    return int(len(second) * len(first) - np.searchsorted(second, bar - first, side="left").sum())


def _signed_sums(values: Wholes) -> Wholes:
    sums = np.zeros(1, dtype=np.int64)
    for value in values:
        sums = np.concatenate([sums - value, sums + value])
    return sums


def _drawn_share(steps: Wholes, bar: Wholes, alternative: Alternative, rng: Rng) -> Floats:
    reached = np.ones(len(steps))  # the observed signs are one of the possible ones
    for chunk in plan_chunks(DRAWS, rng, size=DRAWN_AT_ONCE):
        signs = 2 * chunk.stream().integers(0, 2, (steps.shape[-1], len(chunk.range))) - 1
        sums = steps @ signs
        sums = np.abs(sums) if alternative == "two-sided" else sums
        reached += (sums >= bar[:, np.newaxis]).sum(axis=-1)
    return reached / (DRAWS + 1)
