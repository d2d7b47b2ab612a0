"""Every test on the fold values of two learners, side by side, each with what it takes for granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rocscope.algorithms import fold_tests
from rocscope.algorithms.fold_tests import Floats, FoldDifferences, fold_differences, read_fold_values
from rocscope.core import checks, formatting, resampling, t_tests
from rocscope.core.result import Result, Row, Status, row_columns
from rocscope.errors import RocInputError


@checks.known_arguments
def paired_tests(
    a: ArrayLike,
    b: ArrayLike,
    *,
    n_train: int | None = None,
    n_test: int | None = None,
    common_test: bool = False,
    alternative: checks.Alternative = "two-sided",
    level: float = 0.95,
    rope: float = 0.0,
    rng: resampling.Rng = 0,
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
    ratio = None
    if n_train is not None and n_test is not None:
        sizes = [
            checks.check_integer(n, name=name, low=1)
            for n, name in ((n_test, "n_test"), (n_train, "n_train"))
        ]
        ratio = sizes[0] / sizes[1]
    elif n_train is not None or n_test is not None:
        absent = "n_train" if n_train is None else "n_test"
        raise RocInputError(f"n_train and n_test must be given together, got no {absent}")
    conditions = Conditions(
        test_over_train=ratio,
        halves=first.ndim == 2,
        alternative=checks.check_alternative(alternative),
        level=checks.check_level(level),
        rope=checks.check_number(rope, name="rope", low=0, closed=True),
        rng=rng,
    )
    checks.check_flag(common_test, name="common_test")
    folds = fold_differences(first.reshape(1, -1), second.reshape(1, -1))
    reason = mean = None
    if folds.defined[0]:
        mean = float(folds.means()[0])
    else:
        reason = describe_undefined({"a": first.ravel(), "b": second.ravel()})
    outcomes = run_battery(folds, conditions)
    return LearnerTests(
        rows=read_tests(outcomes, 0, mean=mean, reason=reason, common_test=common_test),
        difference=mean,
        n_folds=folds.n_folds,
        alternative=conditions.alternative,
        level=conditions.level,
        conditional=common_test,
    )


# ---- The rows of a battery: one test between two learners, and all of them side by side -------------------

CONDITIONAL = "conditional on this test set"
NO_P_VALUE = "a Bayesian test has posterior probabilities, and no p-value"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerTest(Row):
    """One test of the mean difference between two learners, first minus second.

    Attributes
    ----------
    statistic, df, p_value
        The test; `df` holds both numbers of an F test as text, the p-value is None for "bayes-t", whose
        `reason` says so although its status is "ok".
    posterior
        For "bayes-t": probabilities that the first learner is worse, practically equal, better.
    difference, low, high
        Mean difference; interval of the t tests, credible interval of "bayes-t".
    assumption
        What the test takes for granted.
    conditional
        True for a test over folds whose models were all tested on the same cases: it speaks of this
        test set alone.
    """

    view: ClassVar[str] = "algorithms.learner_tests_picture"

    method: str
    statistic: float | None = None
    df: float | str | None = None
    p_value: float | None = None
    posterior: tuple[float, float, float] | None = None
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    assumption: str = ""
    conditional: bool = False
    status: Status = "ok"
    reason: str | None = None

    def _summary(self) -> str:
        if self.status != "ok":
            return f"{self.method} undefined: {self.reason}"
        if self.posterior is not None:
            shares = zip(("worse", "equal", "better"), self.posterior, strict=True)
            figures = ", ".join(f"{name} {share:.4f}" for name, share in shares)
        else:
            df = self.df if self.df is None or isinstance(self.df, str) else f"{self.df:g}"
            with_df = f" with {df} df" if df else ""
            figures = f"statistic {self.statistic:.4g}{with_df}, p = {self.p_value:.4g}"
        return f"{self.method}: {figures} ({self.assumption})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LearnerTests(Result):
    """The rows of `paired_tests`; iterate over them, or take one by the name of its method.

    Attributes
    ----------
    rows
        One `LearnerTest` for each method that the data allow.
    difference
        Mean of first minus second over the folds; None when a fold is undefined.
    n_folds
        Number of folds, repeats included.
    alternative, level
        As requested.
    conditional
        True when all folds were tested on the same cases: the tests then speak of this test set alone.
    """

    view: ClassVar[str] = "algorithms.learner_tests_picture"

    rows: tuple[LearnerTest, ...]
    difference: float | None
    n_folds: int
    alternative: str
    level: float
    conditional: bool

    def __iter__(self) -> Iterator[LearnerTest]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, key: int | str) -> LearnerTest:
        if isinstance(key, str):
            names = [row.method for row in self.rows]
            if key not in names:
                raise KeyError(f"{key!r} is none of {names}")
            return self.rows[names.index(key)]
        return self.rows[key]

    def columns(self) -> dict[str, Any]:
        """Return one line per test."""
        return row_columns(self.rows)

    def _summary(self) -> str:
        head = f"mean difference {formatting.number(self.difference)} over {self.n_folds} folds"
        return "\n".join([head, *map(str, self.rows)])


def describe_undefined(values: Mapping[str, Floats], causes: Mapping[str, str] | None = None) -> str:
    """Name the folds of each learner that have no value, and why where the cause is known.

    Examples
    --------
    >>> describe_undefined({"a": np.array([0.5, np.nan]), "b": np.array([0.5, 0.6])})
    'a is undefined in fold 1'
    """
    parts = []
    for name, of_folds in values.items():
        rows = np.flatnonzero(~np.isfinite(of_folds)).tolist()
        first = ", ".join(map(str, rows[: checks.SHOWN_ROWS]))
        more = f" and {len(rows) - checks.SHOWN_ROWS} more" if len(rows) > checks.SHOWN_ROWS else ""
        cause = (causes or {}).get(name)
        if rows:
            why = f": {cause}" if cause else ""
            parts.append(f"{name} is undefined in fold{'s' * (len(rows) > 1)} {first}{more}{why}")
    return "; ".join(parts) or "a difference of the two is larger than any number of float64"


def first_line(text: str) -> str:
    r"""The first line of an error message; those of estimators may go on for paragraphs.

    Examples
    --------
    >>> first_line("ValueError: Input X contains NaN.\nLogisticRegression does not accept ...")
    'ValueError: Input X contains NaN.'
    """
    return text.partition("\n")[0]


def read_tests(
    outcomes: Mapping[str, Outcomes],
    pair: int,
    *,
    mean: float | None,
    reason: str | None,
    common_test: bool,
    sizes: str = "",
) -> tuple[LearnerTest, ...]:
    """Read the rows of one pair; with a reason all are undefined. `sizes` says whose sizes correct a test."""
    rows = []
    for name, test in outcomes.items():
        condition = f"{CONDITIONAL}; " if common_test else ""
        row = LearnerTest(
            method=name,
            assumption=f"{condition}{ASSUMPTIONS[name]}{sizes if name in NEED_SIZES else ''}",
            conditional=common_test,
            status="undefined",
            reason=reason,
        )
        if reason is None and mean is not None:
            posterior = None if test.posterior is None else tuple(test.posterior[pair].tolist())
            row = replace(
                row,
                statistic=float(test.statistic[pair]),
                df=test.df,
                p_value=None if posterior else float(test.p_value[pair]),
                posterior=posterior,
                difference=mean,
                # The test adds in another order: the mean must not lie outside by a unit of its last place.
                low=None if test.low is None else min(float(test.low[pair]), mean),
                high=None if test.high is None else max(float(test.high[pair]), mean),
                status="ok",
                reason=None if posterior is None else NO_P_VALUE,
            )
        rows.append(row)
    return tuple(rows)


# ---- All tests on many pairs of fold vectors at once ------------------------------------------------------

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
    alternative: checks.Alternative = "two-sided"
    level: float = 0.95
    rope: float = 0.0
    rng: resampling.Rng = None

    def allows(self, method: str) -> bool:
        """Whether the method can be run."""
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
    >>> from rocscope.algorithms.fold_tests import fold_differences
    >>> folds = fold_differences([[0.9, 0.8, 0.9, 0.7]], [[0.8, 0.8, 0.7, 0.6]])
    >>> {name: test.p_value.round(4).item() for name, test in run_battery(folds, Conditions()).items()}
    {'paired-t': 0.0917, 'wilcoxon': 0.25, 'sign': 0.25, 'permutation': 0.25}
    """
    with np.errstate(over="ignore"):  # the interval of the largest numbers may have no end in float64
        return {name: _run_test(name, folds, conditions) for name in only if conditions.allows(name)}


def _run_test(name: str, folds: FoldDifferences, conditions: Conditions) -> Outcomes:
    """One test on all pairs."""
    values, alternative, level = folds.values, conditions.alternative, conditions.level
    ratio = conditions.test_over_train or 0.0
    if name in ("paired-t", "corrected-t"):
        if name == "paired-t":
            test = t_tests.paired_t(values, alternative=alternative, level=level)
        else:
            test = t_tests.paired_t(values, test_over_train=ratio, alternative=alternative, level=level)
        return Outcomes(
            statistic=test.statistic, p_value=test.p_value, df=test.df, low=test.low, high=test.high
        )
    if name == "bayes-t":
        test = t_tests.paired_t(values, test_over_train=ratio, level=level)
        return Outcomes(
            statistic=test.statistic,
            p_value=np.full(len(values), np.nan),
            df=test.df,
            low=test.low,
            high=test.high,
            posterior=fold_tests.correlated_posterior(values, test_over_train=ratio, rope=conditions.rope),
        )
    if name == "5x2cv-t":
        statistic, p = fold_tests.five_by_two_t(values.reshape(-1, 5, 2), alternative)
        return Outcomes(statistic=statistic, p_value=p, df=fold_tests.T_DF)
    if name == "5x2cv-f":
        statistic, p = fold_tests.five_by_two_f(values.reshape(-1, 5, 2))
        return Outcomes(statistic=statistic, p_value=p, df=", ".join(f"{df:g}" for df in fold_tests.F_DF))
    if name == "wilcoxon":
        statistic, p = fold_tests.signed_rank_test(folds.steps, alternative)
    elif name == "sign":
        statistic, p = fold_tests.sign_test(folds.steps, alternative)
    else:
        statistic, p = folds.means(), fold_tests.sign_flip_test(folds.steps, alternative, conditions.rng)
    # Steps are zero where a fold is undefined.
    return Outcomes(
        statistic=np.where(folds.defined, statistic, np.nan), p_value=np.where(folds.defined, p, np.nan)
    )
