"""Decisions of several classifiers on the same cases: McNemar's test of two, Cochran's Q of three or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.algorithms.fold_tests import Floats
from rocscope.algorithms.records import FoldRecord
from rocscope.core import checks, formatting, significance
from rocscope.core.result import Result, Row, Status, TestResult
from rocscope.errors import RocInputError
from rocscope.training.datasets import read_names

Flags = NDArray[np.bool_]

NULL = "all classifiers err equally often"
INDEPENDENT = "cases independent"
POOLED = f"{INDEPENDENT}, each decided by the model of its fold; training sets taken as they are"
SINGLE = f"{INDEPENDENT}, decided after one training without folds; its training set taken as it is"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPair(Row):
    """Two classifiers on the same cases, and McNemar's test that they err equally often.

    Attributes
    ----------
    both_right, only_first, only_second, both_wrong
        Cases that both decide rightly, the first alone, the second alone, and neither.
    difference
        Error of the first minus error of the second.
    statistic, p_chi2
        Chi-square with one degree of freedom and continuity correction.
    p_value, p_holm
        Exact: binomial over the cases that one of the two alone decides rightly; and after Holm's adjustment
        over all pairs.
    """

    view: ClassVar[str] = "algorithms.decisions_picture"

    first: str
    second: str
    both_right: int
    only_first: int
    only_second: int
    both_wrong: int
    difference: float
    statistic: float
    p_chi2: float
    p_value: float
    p_holm: float

    def _summary(self) -> str:
        alone = f"right alone {self.only_first} and {self.only_second} times"
        p = f"McNemar p = {self.p_value:.4g} (Holm {self.p_holm:.4g}; by chi2 {self.p_chi2:.4g})"
        return f"{self.first} - {self.second}: error {self.difference:+.4f}, {alone}; {p}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionComparison(Result):
    """Classifiers compared by their decisions on the same cases.

    Attributes
    ----------
    names, error
        The classifiers, and the share of cases that each decides wrongly.
    n_cases
        Cases that all of them decided.
    pairs
        A `DecisionPair` for every pair.
    cochran
        Cochran's Q: the test that all err equally often; None of two classifiers, whose test is McNemar's.
    assumption
        What the tests take for granted.
    left_out
        Classifiers without decisions on all cases.
    """

    view: ClassVar[str] = "algorithms.decisions_picture"

    names: tuple[str, ...]
    error: Floats
    n_cases: int
    pairs: tuple[DecisionPair, ...] = ()
    cochran: TestResult | None = None
    assumption: str = INDEPENDENT
    left_out: tuple[str, ...] = ()
    status: Status = "ok"
    reason: str | None = None

    def columns(self) -> dict[str, Any]:
        """Return one line per pair."""
        return {one.name: [row[one.name] for row in self.pairs] for one in fields(DecisionPair)}

    def _summary(self) -> str:
        if self.status != "ok":
            return f"decisions undefined: {self.reason}"
        errors = ", ".join(
            f"{name} {error:.4f}" for name, error in zip(self.names, self.error.tolist(), strict=True)
        )
        lines = [f"error on {formatting.counted(self.n_cases, 'case')}: {errors}", *map(str, self.pairs)]
        return "\n".join([*lines, *([] if self.cochran is None else [str(self.cochran)])])


@checks.known_arguments
def compare_decisions(y_true: Any, predictions: Any) -> DecisionComparison:
    """Compare the decisions of two or more classifiers on the same cases, by McNemar's and Cochran's tests.

    Parameters
    ----------
    y_true : array-like
        Label of each case, of two or more classes.
    predictions : mapping or data frame
        Names to the labels that each classifier predicts.

    Returns
    -------
    DecisionComparison
        McNemar's test of every pair [1]_, exact and by chi-square with continuity correction (none where
        both err equally often, as in R); with three or more, Cochran's Q [2]_.

    Notes
    -----
    The tests take the classifiers as they are: they say nothing of other training sets [3]_.

    References
    ----------
    .. [1] Q. McNemar, "Note on the sampling error of the difference between correlated proportions or
       percentages", Psychometrika 12, 1947.
    .. [2] W. G. Cochran, "The comparison of percentages in matched samples", Biometrika 37, 1950.
    .. [3] T. G. Dietterich, "Approximate statistical tests for comparing supervised classification learning
       algorithms", Neural Computation 10, 1998.

    Examples
    --------
    >>> y = ["ill"] * 6 + ["well"] * 6
    >>> a = ["ill"] * 6 + ["well"] * 5 + ["ill"]
    >>> b = ["ill"] * 3 + ["well"] * 3 + ["ill"] * 3 + ["well"] * 3
    >>> print(compare_decisions(y, {"a": a, "b": b}))
    error on 12 cases: a 0.0833, b 0.5000
    a - b: error -0.4167, right alone 6 and 1 times; McNemar p = 0.125 (Holm 0.125; by chi2 0.1306)
    """
    truth = read_names(y_true, "y_true", "label")
    if not isinstance(predictions, Mapping):
        if not hasattr(predictions, "columns"):
            allowed = "a mapping from names to predicted labels, or a data frame of them"
            raise RocInputError(f"must be {allowed}, got {checks.show(predictions)}", argument="predictions")
        predictions = {name: predictions[name] for name in predictions.columns}
    names = checks.check_names(map(str, predictions), name="predictions")
    wrong = []
    for name, column in zip(names, predictions.values(), strict=True):
        argument = f"predictions[{name!r}]"
        labels = read_names(column, argument, "label")
        checks.check_same_length(("y_true", truth), (argument, labels))
        checks.check_same_index(("y_true", y_true), (argument, column))
        if not set(truth.tolist()) & set(labels.tolist()):
            first, other = checks.show(truth[0]), checks.show(labels[0])
            raise RocInputError(
                f"must predict labels of y_true, such as {first}, got {other}", argument=argument
            )
        wrong.append([a != b for a, b in zip(truth.tolist(), labels.tolist(), strict=True)])
    return decision_tests(names, np.array(wrong, dtype=np.bool_))


def decision_tests(
    names: Sequence[str], wrong: Flags, *, assumption: str = INDEPENDENT, left_out: Sequence[str] = ()
) -> DecisionComparison:
    """The tests on decisions that are wrong or not, a row for each classifier.

    Examples
    --------
    >>> wrong = np.array([[0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1]], dtype=bool)
    >>> round(decision_tests(["a", "b", "c"], wrong).cochran.p_value, 4)
    0.097
    """
    counts = [
        (int((a & b).sum()), int((b & ~a).sum()), int((a & ~b).sum())) for a, b in combinations(wrong, 2)
    ]
    exact = np.array([mcnemar_exact(only_first, only_second) for _, only_first, only_second in counts])
    adjusted, n = significance.holm(exact), wrong.shape[1]
    pairs = []
    for (first, second), (both_wrong, only_first, only_second), p, p_holm in zip(
        combinations(names, 2), counts, exact.tolist(), adjusted.tolist(), strict=True
    ):
        statistic, p_chi2 = mcnemar_chi2(only_first, only_second)
        pairs.append(
            DecisionPair(
                first=first,
                second=second,
                both_right=n - both_wrong - only_first - only_second,
                only_first=only_first,
                only_second=only_second,
                both_wrong=both_wrong,
                difference=(only_second - only_first) / n,
                statistic=statistic,
                p_chi2=p_chi2,
                p_value=p,
                p_holm=p_holm,
            )
        )
    return DecisionComparison(
        names=tuple(names),
        error=wrong.mean(axis=1),
        n_cases=n,
        pairs=tuple(pairs),
        cochran=cochran_q(wrong) if len(wrong) > 2 else None,
        assumption=assumption,
        left_out=tuple(left_out),
    )


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided binomial p-value of McNemar's test; 1 where the two never disagree.

    Examples
    --------
    >>> mcnemar_exact(1, 6)
    0.125
    """
    n = only_first + only_second
    return min(1.0, 2 * float(special.bdtr(min(only_first, only_second), n, 0.5))) if n else 1.0


def mcnemar_chi2(only_first: int, only_second: int) -> tuple[float, float]:
    """Statistic and p-value of McNemar's test with continuity correction.

    Examples
    --------
    >>> [round(value, 4) for value in mcnemar_chi2(1, 6)]
    [2.2857, 0.1306]
    """
    gap = max(0, abs(only_first - only_second) - 1)  # [1]; nothing to correct where the counts are equal
    statistic = gap**2 / (only_first + only_second) if gap else 0.0
    return statistic, float(special.chdtrc(1, statistic))


def cochran_q(wrong: Flags) -> TestResult:
    """Cochran's Q of decisions that are wrong or not, a row for each classifier.

    Examples
    --------
    >>> print(cochran_q(np.array([[0, 0, 0, 1], [0, 1, 1, 1], [1, 1, 1, 1]], dtype=bool)))
    all classifiers err equally often: statistic 4.667 with 2 df, p = 0.09697 (cochran-q, two-sided)
    """
    k = len(wrong)
    of_classifier, of_case = wrong.sum(axis=1), wrong.sum(axis=0)
    # [2]: in whole numbers, so that equal errors give exactly 0; cases on which all agree drop out.
    above = (k - 1) * int(k * np.square(of_classifier).sum() - of_classifier.sum() ** 2)
    below = int((of_case * (k - of_case)).sum())
    statistic = above / below if below else 0.0
    p = float(special.chdtrc(k - 1, statistic))
    return TestResult(name=NULL, method="cochran-q", statistic=statistic, df=k - 1.0, p_value=p)


def compare_records(
    names: Sequence[str], folds: Sequence[Sequence[FoldRecord]], singles: Sequence[FoldRecord]
) -> DecisionComparison:
    """Compare algorithms by the decisions of their fold models, or of one training where these repeat cases.

    Parameters
    ----------
    names
        The algorithms.
    folds
        Records of the folds of each, over the same folds.
    singles
        The record of one training without folds, of each.
    """
    rows = np.concatenate([record.rows for record in folds[0]])
    once = len(np.unique(rows)) == len(rows)
    records = folds if once else [[single] for single in singles]
    left_out = [
        name
        for name, of_name in zip(names, records, strict=True)
        if any(record.failure is not None for record in of_name)
    ]
    wrong = [
        np.concatenate([record.called != record.positive for record in of_name])
        for name, of_name in zip(names, records, strict=True)
        if name not in left_out
    ]
    kept = [name for name in names if name not in left_out]
    assumption = POOLED if once else SINGLE
    if len(kept) < 2:
        return DecisionComparison(
            names=tuple(kept),
            error=np.array([one.mean() for one in wrong]),
            n_cases=len(wrong[0]) if wrong else 0,
            assumption=assumption,
            left_out=tuple(left_out),
            status="undefined",
            reason=f"fewer than two algorithms decided all cases; without: {', '.join(left_out)}",
        )
    return decision_tests(kept, np.array(wrong), assumption=assumption, left_out=left_out)
