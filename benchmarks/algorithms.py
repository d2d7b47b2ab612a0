"""Tests on many pairs of fold vectors against scipy pair by pair; and what a comparison adds to its fits."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin

from benchmarks.timing import Ratio, best_of
from rocscope.algorithms.comparison import compare_algorithms
from rocscope.algorithms.fold_tests import fold_differences
from rocscope.algorithms.paired_tests import METHODS, Conditions, run_battery

N_PAIRS, N_FOLDS = 10_000, 30
# scipy's times are those of fewer pairs, scaled up: each takes the same.
FEW_PAIRS, FEW_PERMUTED = 200, 5
N_FITS, REPEATS = 200, 5
REQUIRED_OVERHEAD = 5e-3


def scipy_tests(a: NDArray[Any], b: NDArray[Any]) -> None:
    """The paired tests that scipy has, on one pair after another; the permutation test apart."""
    for first, second in zip(a[:FEW_PAIRS], b[:FEW_PAIRS], strict=True):
        stats.ttest_rel(first, second)
        stats.wilcoxon(first, second)
        stats.binomtest(int((first > second).sum()), N_FOLDS)


def scipy_permutations(a: NDArray[Any], b: NDArray[Any]) -> None:
    """Paired permutation test of scipy with its default number of random permutations, pair by pair."""
    for first, second in zip(a[:FEW_PERMUTED], b[:FEW_PERMUTED], strict=True):
        stats.permutation_test((first, second), _mean_difference, permutation_type="samples", vectorized=True)


def _mean_difference(x: NDArray[Any], y: NDArray[Any], axis: int) -> Any:
    return np.mean(x - y, axis=axis)


def ratios() -> Iterator[Ratio]:
    """Yield the whole battery against all of scipy's tests, and the battery without permutations."""
    a, b = np.random.default_rng(1).normal(size=(2, N_PAIRS, N_FOLDS))
    folds = fold_differences(a, b)
    conditions = Conditions(test_over_train=1 / (N_FOLDS - 1))
    quick = [name for name in METHODS if name != "permutation"]
    short = N_PAIRS / FEW_PAIRS * best_of(lambda: scipy_tests(a, b), repeats=3)
    permuted = N_PAIRS / FEW_PERMUTED * best_of(lambda: scipy_permutations(a, b), repeats=2)
    ours = best_of(lambda: run_battery(folds, conditions), repeats=2)
    task = f"{N_PAIRS:,} pairs of {N_FOLDS} folds"
    yield Ratio(
        f"all tests between learners (every one of 2^{N_FOLDS} sign vectors counted), {task}",
        "scipy ttest_rel, wilcoxon, binomtest, permutation_test (9,999 drawn)",
        ours,
        short + permuted,
        50,
    )
    yield Ratio(
        f"the same without permutations, {task}",
        "scipy ttest_rel, wilcoxon, binomtest",
        best_of(lambda: run_battery(folds, conditions, only=quick), repeats=3),
        short,
        50,
    )


class Nothing(ClassifierMixin, BaseEstimator):
    """Learns nothing, and costs nothing: what is left is the comparison itself."""

    def fit(self, X: Any, y: Any) -> Nothing:
        """Remember the classes."""
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Return the first two features as probabilities."""
        return np.asarray(X)[:, :2]

    def predict(self, X: Any) -> NDArray[Any]:
        """Decide by the second feature."""
        return np.asarray(self.classes_[(np.asarray(X)[:, 1] >= 0.5).astype(int)])


def overhead() -> str:
    """Milliseconds that a comparison adds to a fit, tests and splits included.

    On a machine that others use as well most of the time is waiting; the time of the processor is not.
    """
    rng = np.random.default_rng(2)
    share = rng.random(3000)
    X, y = np.column_stack([1 - share, share]), (rng.random(3000) < share).astype(int)
    folds = N_FITS // 2
    learners = {"one": Nothing(), "two": Nothing()}
    computing = time.process_time()
    seconds = best_of(lambda: compare_algorithms(learners, (X, y), folds=folds), repeats=REPEATS)
    computing = (time.process_time() - computing) / (REPEATS + 1)  # the first call warms up
    wall, processor = (f"{1e3 * total / N_FITS:.2f} ms" for total in (seconds, computing))
    required = f"required: below {REQUIRED_OVERHEAD * 1e3:g} ms"
    return f"overhead of compare_algorithms per fit: {wall}, {processor} of the processor ({required})"


if __name__ == "__main__":
    from benchmarks.timing import markdown

    print(markdown(list(ratios())))
    print()
    print(overhead())
