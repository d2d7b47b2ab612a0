"""All tests on many pairs of fold vectors at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocscope.algorithms.bayes import correlated_posterior
from rocscope.algorithms.differences import Floats, FoldDifferences
from rocscope.algorithms.five_by_two import F_DF, T_DF, five_by_two_f, five_by_two_t
from rocscope.algorithms.sign_flips import sign_flip_test
from rocscope.algorithms.signed_ranks import sign_test, signed_rank_test
from rocscope.core.checks import Alternative
from rocscope.core.paired import PairedTest, corrected_t, paired_t
from rocscope.core.resample import Rng

# What each test takes for granted, in one line.
ASSUMPTIONS = {
    "paired-t": "normal differences, independent from fold to fold (overlapping training sets are not)",
    "corrected-t": "normal differences, correlated from fold to fold by n_test / n_train",
    "5x2cv-t": "normal differences, independent repeats of two halves; only one difference in the numerator",
    "5x2cv-f": "normal differences, independent repeats of two halves",
    "wilcoxon": "differences symmetric around their median, independent from fold to fold",
    "sign": "differences independent from fold to fold",
    "permutation": "either sign of a difference equally likely, independent from fold to fold",
    "bayes-t": "normal differences, correlated by n_test / (n_train + n_test), flat prior",
}
METHODS = tuple(ASSUMPTIONS)
NEED_SIZES = ("corrected-t", "bayes-t")
NEED_HALVES = ("5x2cv-t", "5x2cv-f")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What the tests need to know besides the differences; no ratio, no corrected tests."""

    test_over_train: float | None = None
    halves: bool = False
    alternative: Alternative = "two-sided"
    level: float = 0.95
    rope: float = 0.0
    rng: Rng = None

    def allows(self, method: str) -> bool:
        """Say whether the method can be asked for."""
        if method in NEED_SIZES and self.test_over_train is None:
            return False
        if method == "5x2cv-f" and self.alternative != "two-sided":
            return False
        return method not in NEED_HALVES or self.halves


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """One test for every pair; NaN where it has none. `df` is a text for F, which has two."""

    statistic: Floats
    p_value: Floats
    df: float | str | None = None
    low: Floats | None = None
    high: Floats | None = None
    posterior: Floats | None = None


def run_battery(
    folds: FoldDifferences, conditions: Conditions, *, only: Sequence[str] = METHODS
) -> dict[str, Outcomes]:
    """Run every test that the conditions allow, or `only` some, on all pairs at once.

    Examples
    --------
    >>> from rocscope.algorithms.differences import fold_differences
    >>> folds = fold_differences([[0.9, 0.8, 0.9, 0.7]], [[0.8, 0.8, 0.7, 0.6]])
    >>> {name: found.p_value.round(4).item() for name, found in run_battery(folds, Conditions()).items()}
    {'paired-t': 0.0917, 'wilcoxon': 0.25, 'sign': 0.25, 'permutation': 0.25}
    """
    with np.errstate(over="ignore"):  # the interval of the largest numbers may have no end in float64
        return {name: RUNNERS[name](folds, conditions) for name in only if conditions.allows(name)}


def _paired_t(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    return _of_t(paired_t(folds.values, alternative=asked.alternative, level=asked.level))


def _corrected_t(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    ratio = asked.test_over_train or 0.0
    return _of_t(
        corrected_t(folds.values, test_over_train=ratio, alternative=asked.alternative, level=asked.level)
    )


def _of_t(test: PairedTest) -> Outcomes:
    return Outcomes(statistic=test.statistic, p_value=test.p_value, df=test.df, low=test.low, high=test.high)


def _five_by_two_t(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    statistic, p = five_by_two_t(folds.values.reshape(-1, 5, 2), asked.alternative)
    return Outcomes(statistic=statistic, p_value=p, df=T_DF)


def _five_by_two_f(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    statistic, p = five_by_two_f(folds.values.reshape(-1, 5, 2))
    return Outcomes(statistic=statistic, p_value=p, df=", ".join(f"{df:g}" for df in F_DF))


def _wilcoxon(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    return _of_steps(*signed_rank_test(folds.steps, asked.alternative), folds.defined)


def _sign(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    return _of_steps(*sign_test(folds.steps, asked.alternative), folds.defined)


def _permutation(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    p = sign_flip_test(folds.steps, asked.alternative, asked.rng)
    return _of_steps(folds.means(), p, folds.defined)


def _of_steps(statistic: Floats, p: Floats, defined: NDArray[np.bool_]) -> Outcomes:
    return Outcomes(statistic=np.where(defined, statistic, np.nan), p_value=np.where(defined, p, np.nan))


def _bayes_t(folds: FoldDifferences, asked: Conditions) -> Outcomes:
    ratio = asked.test_over_train or 0.0
    test = corrected_t(folds.values, test_over_train=ratio, level=asked.level)
    posterior = correlated_posterior(folds.values, test_over_train=ratio, rope=asked.rope)
    undefined = np.full(len(folds.values), np.nan)
    return Outcomes(
        statistic=test.statistic,
        p_value=undefined,
        df=test.df,
        low=test.low,
        high=test.high,
        posterior=posterior,
    )


RUNNERS: dict[str, Callable[[FoldDifferences, Conditions], Outcomes]] = {
    "paired-t": _paired_t,
    "corrected-t": _corrected_t,
    "5x2cv-t": _five_by_two_t,
    "5x2cv-f": _five_by_two_f,
    "wilcoxon": _wilcoxon,
    "sign": _sign,
    "permutation": _permutation,
    "bayes-t": _bayes_t,
}
