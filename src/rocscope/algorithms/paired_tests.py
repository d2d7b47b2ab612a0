"""Every test on the fold values of two learners, side by side, each with what it takes for granted."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocscope.algorithms.battery import Conditions, run_battery
from rocscope.algorithms.differences import Floats, fold_differences, read_fold_values
from rocscope.algorithms.learner_tests import LearnerTests, read_tests, undefined_words
from rocscope.core import checks
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng
from rocscope.errors import RocInputError


def paired_tests(
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_train: int | None = None,
    n_test: int | None = None,
    common_test: bool = False,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
    rope: float = 0.0,
    rng: Rng = 0,
) -> LearnerTests:
    """Test whether two learners differ, from their values (AUC, error, any score) over the same folds.

    Parameters
    ----------
    a, b : array-like of shape (folds,) or (5, 2)
        Values of the two learners, fold by fold. Shape (5, 2), five repeats of two-fold
        cross-validation, adds the 5x2cv tests.
    n_train, n_test : int, optional
        Cases in the training and test set of a fold; they add "corrected-t" and "bayes-t".
    common_test : bool
        True when every fold's model was tested on one common test set. Every test here is then
        conditional on that set: it says nothing of other cases, and rejects far too often as a
        statement about the learners. Compare them by DeLong's test on placements averaged over the
        fold models instead.
    alternative : {"two-sided", "less", "greater"}
        "greater": the first is larger. One-sided leaves "5x2cv-f" out.
    level : float
        Level of the intervals.
    rope : float
        Half-width of the region of practical equivalence of "bayes-t".
    rng : int, Generator, SeedSequence or None
        For the permutation test with more than 40 folds, which draws sign vectors; up to there it
        counts all of them.

    Returns
    -------
    LearnerTests
        Rows with `method`, `statistic`, `df`, `p_value`, `assumption`. With an undefined fold (NaN)
        every row is undefined and says which fold.

    Notes
    -----
    Differences that agree up to rounding (2^-42 of the values) are ties for "wilcoxon", "sign" and
    "permutation": error rates are fractions, and floats do not keep equal differences equal.

    Examples
    --------
    >>> tests = paired_tests([0.91, 0.88, 0.93, 0.90], [0.89, 0.87, 0.88, 0.88], n_train=75, n_test=25)
    >>> [(row.method, round(row.p_value, 4)) for row in tests if row.p_value is not None][:3]
    [('paired-t', 0.0632), ('corrected-t', 0.1552), ('wilcoxon', 0.125)]
    >>> round(tests["bayes-t"].posterior[2], 4)
    0.9224
    """
    first, second = read_fold_values(a, name="a"), read_fold_values(b, name="b")
    if first.shape != second.shape:
        raise RocInputError(f"a and b must have the same shape: a has {first.shape}, b has {second.shape}")
    checks.check_same_index(a=a, b=b)
    conditions = Conditions(
        test_over_train=read_ratio(n_train, n_test),
        halves=first.ndim == 2,
        alternative=checks.check_alternative(alternative),
        level=checks.check_level(level),
        rope=checks.check_number(rope, name="rope", low=0, closed=True),
        rng=rng,
    )
    common = checks.check_flag(common_test, name="common_test")
    return tests_of_pair(first.ravel(), second.ravel(), conditions, common_test=common)


def read_ratio(n_train: int | None, n_test: int | None) -> float | None:
    """Test cases over training cases of a fold; None when neither is given."""
    if n_train is None and n_test is None:
        return None
    if n_train is None or n_test is None:
        absent = "n_train" if n_train is None else "n_test"
        raise RocInputError(f"n_train and n_test must be given together, got no {absent}")
    return checks.check_integer(n_test, name="n_test", low=1) / checks.check_integer(
        n_train, name="n_train", low=1
    )


def tests_of_pair(
    first: Floats, second: Floats, conditions: Conditions, *, common_test: bool
) -> LearnerTests:
    """Run the battery on one pair and read its rows."""
    folds = fold_differences(first[np.newaxis], second[np.newaxis])
    reason = None if folds.defined[0] else undefined_words({"a": first, "b": second})
    outcomes = run_battery(folds, conditions)
    mean = float(folds.means()[0]) if reason is None else None
    return LearnerTests(
        rows=read_tests(outcomes, 0, mean=mean, reason=reason, common_test=common_test),
        difference=mean,
        n_folds=folds.n_folds,
        alternative=conditions.alternative,
        level=conditions.level,
        conditional=common_test,
    )
