"""Differences of two learners over the same folds, as numbers and as whole steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from rocscope.core import checks, resampling, significance, t_tests
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]
Wholes = NDArray[np.int64]

# One step is 2^-42 of the larger values: above their rounding errors, below any difference of interest.
STEP_BITS = 42


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldDifferences:
    """First minus second, one row per pair of learners and one column per fold.

    Attributes
    ----------
    values
        The differences, NaN where either learner has none, and exactly zero where they are less than
        half a step.
    steps
        The same in whole steps. 3/30 - 2/30 and 5/30 - 4/30 differ in their last bits; as steps they
        are equal, so that ties and zeros are seen, and sums of them are exact.
    defined
        False for a row with an undefined fold; its steps are zero.
    """

    values: Floats
    steps: Wholes
    defined: NDArray[np.bool_]

    def means(self) -> Floats:
        """Mean difference of every row, to the last bit that of the t tests, whose intervals hold it."""
        with np.errstate(over="ignore"):  # of the interval, which is not used
            return t_tests.paired_t(self.values).mean

    @property
    def n_folds(self) -> int:
        """Number of folds, repeats included."""
        return int(self.values.shape[-1])


def fold_differences(first: ArrayLike, second: ArrayLike) -> FoldDifferences:
    """Take the differences of two tables of fold values, shape (pairs, folds) each.

    Examples
    --------
    >>> folds = fold_differences([[3 / 30, 0.5]], [[2 / 30, 0.5]])
    >>> folds.steps[0, 1].item(), bool(folds.defined[0])
    (0, True)
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):  # infinite values are undefined
        values = a - b
    defined = np.asarray(np.isfinite(values).all(axis=-1))
    largest = np.maximum(np.abs(a), np.abs(b)).max(axis=-1, keepdims=True)
    _, exponent = np.frexp(np.where(defined[:, np.newaxis], largest, 1.0))
    scaled = np.ldexp(np.where(defined[:, np.newaxis], values, 0.0), STEP_BITS - exponent)
    steps = np.rint(scaled).astype(np.int64)
    # What rounding left of no difference would have a variance, and a t statistic, of its own.
    values = np.where(
        defined[:, np.newaxis] & (steps == 0), 0.0, np.where(np.isfinite(values), values, np.nan)
    )
    return FoldDifferences(values=values, steps=steps, defined=defined)


def read_fold_values(values: ArrayLike, *, name: str) -> Floats:
    """Check the values of one learner: one per fold, or five repeats of two folds.

    Examples
    --------
    >>> read_fold_values([0.8, 0.9], name="a").shape
    (2,)
    """
    array = checks.as_array(values, name=name)
    if array.dtype.kind not in "biuf":
        raise RocInputError(f"must hold numbers, got {checks.show(values)}", argument=name)
    if array.ndim not in (1, 2) or (array.ndim == 2 and array.shape != (5, 2)):
        raise RocInputError(
            f"must have one value per fold, or shape (5, 2), got shape {array.shape}", argument=name
        )
    if array.size < 2:
        raise RocInputError(f"must hold at least 2 folds, got {array.size}", argument=name)
    return array.astype(np.float64)


# ---- The Bayesian correlated t test: how probable is it that one learner is better? -----------------------
# References
# ----------
# .. [1] G. Corani, A. Benavoli, "A Bayesian approach for comparing cross-validated algorithms on
#    multiple data sets", Machine Learning 100, 2015.


def correlated_posterior(differences: Floats, *, test_over_train: float, rope: float) -> Floats:
    """Return for every row the posterior probability that the mean difference is below, in, above the rope.

    The posterior of the mean difference is Student's t with J - 1 degrees of freedom around the mean,
    with the standard error of the corrected t test [1]_; `rope` is the half-width of the region of
    practical equivalence around zero.

    Examples
    --------
    >>> rows = np.array([[1.0, 2.0, 3.0]])
    >>> correlated_posterior(rows, test_over_train=0.5, rope=0).round(4).tolist()
    [[0.0799, 0.0, 0.9201]]
    """
    test = t_tests.paired_t(differences, test_over_train=test_over_train)
    spread = np.where(test.se > 0, test.se, 1.0)
    with np.errstate(over="ignore"):  # beyond all numbers a tail is 0 or 1
        below = special.stdtr(test.df, (-rope - test.mean) / spread)
        above = special.stdtr(test.df, (test.mean - rope) / spread)
    # Without any spread the posterior is a point mass; one that lies on the rope's border belongs to it.
    certain = test.se == 0
    below = np.where(certain, test.mean < -rope, below)
    above = np.where(certain, test.mean > rope, above)
    return np.stack([below, np.clip(1 - below - above, 0, 1), above], axis=-1)


# ---- Dietterich's 5x2cv t test and Alpaydin's combined 5x2cv F test ---------------------------------------
# References
# ----------
# .. [1] T. G. Dietterich, "Approximate statistical tests for comparing supervised classification learning
#    algorithms", Neural Computation 10, 1998.
# .. [2] E. Alpaydin, "Combined 5x2 cv F test for comparing supervised classification learning
#    algorithms", Neural Computation 11, 1999.

T_DF = 5.0
F_DF = (10.0, 5.0)


def five_by_two_t(differences: Floats, alternative: checks.Alternative) -> tuple[Floats, Floats]:
    """Return statistic and p-value of every row, shape (rows, 5, 2).

    Only the first difference of the first repeat stands in the numerator [1]_, so the order of the
    repeats matters; `five_by_two_f` does without that.

    Examples
    --------
    >>> folds = np.array([[[0.1, 0.3], [0.2, 0.2], [0.1, 0.2], [0.3, 0.1], [0.0, 0.2]]])
    >>> statistic, p = five_by_two_t(folds, "two-sided")
    >>> round(statistic.item(), 4), round(p.item(), 4)
    (0.8771, 0.4206)
    """
    differences = _scaled(differences)
    statistic = _divide(differences[:, 0, 0], np.sqrt(_variances(differences).mean(axis=-1)))
    p = np.asarray(significance.p_value(statistic, alternative=alternative, df=T_DF))
    return statistic, np.where((differences == 0).all(axis=(-2, -1)), 1.0, p)


def five_by_two_f(differences: Floats) -> tuple[Floats, Floats]:
    """Return statistic and p-value of every row, shape (rows, 5, 2); two-sided by its nature.

    Examples
    --------
    >>> folds = np.array([[[0.1, 0.3], [0.2, 0.2], [0.1, 0.2], [0.3, 0.1], [0.0, 0.2]]])
    >>> statistic, p = five_by_two_f(folds)
    >>> round(statistic.item(), 4), round(p.item(), 4)
    (2.8462, 0.1299)
    """
    differences = _scaled(differences)
    squares = np.square(differences).sum(axis=(-2, -1))
    statistic = _divide(squares, 2 * _variances(differences).sum(axis=-1))
    return statistic, np.where(squares == 0, 1.0, special.fdtrc(*F_DF, statistic))


def _scaled(differences: Floats) -> Floats:
    """Differences times a power of two, which no statistic depends on: squares do not overflow or vanish."""
    _, exponent = np.frexp(np.abs(differences).max(axis=(-2, -1), keepdims=True))
    return np.asarray(np.ldexp(differences, -exponent))


def _variances(differences: Floats) -> Floats:
    """Sum of squared deviations of the two folds of every repeat."""
    return np.square(differences[..., 0] - differences[..., 1]) / 2


def _divide(above: Floats, below: Floats) -> Floats:
    """Ratio; without any variance its limit, and 0 when there is nothing above either."""
    limit = np.where(above == 0, 0.0, np.copysign(np.inf, above))
    return np.divide(above, below, out=limit, where=below != 0)


# ---- The paired permutation test: every difference could as well have had the other sign ------------------

# Up to here all 2^J sign vectors are counted, as pairs of two halves with 2^(J/2) sums each.
EXACT_UP_TO = 40
DRAWS = 9_999
DRAWN_AT_ONCE = 1_000
# From here on the kernel is worth its loading.
MANY_SUMS = 1_000_000


def sign_flip_test(steps: Wholes, alternative: checks.Alternative, rng: resampling.Rng) -> Floats:
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
    n_folds = steps.shape[-1]
    if n_folds > EXACT_UP_TO:
        reached = np.ones(len(steps))  # the observed signs are one of the possible ones
        for chunk in resampling.plan_chunks(DRAWS, rng, size=DRAWN_AT_ONCE):
            signs = 2 * chunk.stream().integers(0, 2, (n_folds, len(chunk.range))) - 1
            sums = turned @ signs
            sums = np.abs(sums) if alternative == "two-sided" else sums
            reached += (sums >= bar[:, np.newaxis]).sum(axis=-1)
        share = reached / (DRAWS + 1)
    else:
        if len(steps) << (n_folds // 2) >= MANY_SUMS:
            from rocscope.core import kernels

            counts = kernels.count_sign_sums(turned, bar)
        else:
            pairs = zip(turned, bar.tolist(), strict=True)
            counts = np.array([_count_reaching(row, least) for row, least in pairs], dtype=np.float64)
        share = np.ldexp(counts, -n_folds) * (2 if alternative == "two-sided" else 1)
    # No difference at all supports no alternative.
    return np.where((steps == 0).all(axis=-1), 1.0, np.minimum(1.0, share))


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


# ---- Wilcoxon's signed-rank test and the sign test, exact under ties and zeros ----------------------------
# References
# ----------
# .. [1] F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1, 1945.

# Up to here probabilities are multiples of 2^-50, so floats add them exactly.
EXACT_UP_TO_SIGNED_RANKS = 50
COMPARED_AT_ONCE = 4_000_000


def signed_rank_test(steps: Wholes, alternative: checks.Alternative) -> tuple[Floats, Floats]:
    """Return statistic and p-value of every row; zeros are dropped, ties share their mean rank.

    The statistic is the smaller of the two rank sums, or the sum of the positive ranks when one-sided.
    With up to 50 differences other than zero the p-value is exact given the ranks, ties included;
    beyond that it is the normal approximation.

    Examples
    --------
    >>> statistic, p = signed_rank_test(np.array([[1, 2, 3, -4, 5, 6]]), "two-sided")
    >>> statistic.item(), p.item()
    (4.0, 0.21875)
    """
    sizes = np.abs(steps)
    ranks = np.empty_like(sizes)  # twice the mean rank among the sizes of the row other than zero
    width = max(1, COMPARED_AT_ONCE // sizes.shape[-1] ** 2)
    for start in range(0, len(sizes), width):
        rows = sizes[start : start + width]
        mine, others = rows[:, :, np.newaxis], rows[:, np.newaxis, :]
        smaller = ((others < mine) & (others != 0)).sum(axis=-1)
        ranks[start : start + width] = 2 * smaller + (others == mine).sum(axis=-1) + 1
    ranks = np.where(sizes == 0, 0, ranks)
    positive = (ranks * (steps > 0)).sum(axis=-1)
    ordered = np.sort(ranks, axis=-1)
    p = np.empty(len(ranks))
    # Most rows have neither ties nor zeros and share one distribution; np.unique is for the others.
    plain = (ordered == 2 * np.arange(1, ranks.shape[-1] + 1)).all(axis=-1)
    rest = np.flatnonzero(~plain)
    _, pattern = np.unique(ordered[rest], axis=0, return_inverse=True)
    by_pattern = rest[np.argsort(pattern.ravel(), kind="stable")]
    alike = np.split(by_pattern, np.cumsum(np.bincount(pattern.ravel()))[:-1])
    for group in (np.flatnonzero(plain), *alike):
        if len(group):
            own = ordered[group[0]]
            p[group] = _signed_rank_p(tuple(own[own > 0].tolist()), positive[group], alternative)
    two_sided = np.minimum(positive, ranks.sum(axis=-1) - positive)
    return (two_sided if alternative == "two-sided" else positive) / 2, p


def _signed_rank_p(ranks: tuple[int, ...], positive: Wholes, alternative: checks.Alternative) -> Floats:
    if len(ranks) > EXACT_UP_TO_SIGNED_RANKS:
        squares = np.square(np.array(ranks, dtype=np.float64)).sum()
        z = (positive - sum(ranks) / 2) / np.sqrt(squares / 4)
        return np.asarray(significance.p_value(z, alternative=alternative))
    shares = _rank_sum_shares(ranks)
    at_most: Floats = np.cumsum(shares)[positive]
    return _combine(at_most, 1 - at_most + shares[positive], alternative)


def _combine(at_most: Floats, at_least: Floats, alternative: checks.Alternative) -> Floats:
    if alternative == "two-sided":
        return np.asarray(np.minimum(1.0, 2 * np.minimum(at_most, at_least)))
    return at_least if alternative == "greater" else at_most


@lru_cache(maxsize=64)
def _rank_sum_shares(ranks: tuple[int, ...]) -> NDArray[np.float64]:
    """Null distribution of the positive rank sum: every rank has either sign with probability 1/2."""
    shares = np.zeros(sum(ranks) + 1)
    shares[0] = 1.0
    reach = 1
    for rank in ranks:
        shares[: reach + rank] *= 0.5
        shares[rank : reach + rank] += shares[:reach].copy()
        reach += rank
    return shares


def sign_test(steps: Wholes, alternative: checks.Alternative) -> tuple[Floats, Floats]:
    """Return the number of positive differences in every row and its binomial p-value; zeros are dropped.

    Examples
    --------
    >>> count, p = sign_test(np.array([[1, 2, 3, -4, 5, 6]]), "two-sided")
    >>> count.item(), round(p.item(), 6)
    (5.0, 0.21875)
    """
    positive, negative = (steps > 0).sum(axis=-1), (steps < 0).sum(axis=-1)
    n = positive + negative
    at_most = special.bdtr(positive, n, 0.5)
    at_least = special.bdtr(negative, n, 0.5)
    return positive.astype(np.float64), _combine(at_most, at_least, alternative)
