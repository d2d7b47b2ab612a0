"""The result of a comparison of learning algorithms: values of every fold, every test, verdicts, ranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.algorithms.fold_tests import Floats
from rocscope.algorithms.paired_tests import CONDITIONAL, LearnerTest, first_line
from rocscope.algorithms.ranks import RankComparison
from rocscope.algorithms.training import FoldRecord
from rocscope.core import checks
from rocscope.core.result import Result, Row
from rocscope.core.significance import bonferroni, holm
from rocscope.errors import RocInputError

# What every fold of every algorithm on every data set gave.
Records: TypeAlias = tuple[tuple[tuple[FoldRecord, ...], ...], ...]
# Of each test, what the verdict table shows.
SHOWN = (
    "method",
    "difference",
    "p_value",
    "p_holm",
    "p_bonferroni",
    "rejects",
    "winner",
    "conditional",
    "reason",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRow(Row):
    """A data set of the comparison: its size, its two classes, and how they were chosen among more.

    `assumed` tells that no positive class was named and the larger label is taken, which changes no area and
    no error.
    """

    name: str
    n_pos: int
    n_neg: int
    negative: Any
    positive: Any
    n_train: int
    n_test: int
    assumed: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure(Row):
    """An algorithm that stopped with an error, or has no value, on a fold.

    The fold is None for the one training without cross-validation; the traceback, where there is one, says
    where the error arose.
    """

    dataset: str
    algorithm: str
    fold: int | None
    reason: str
    traceback: str | None = None

    def _summary(self) -> str:
        where = "without cross-validation" if self.fold is None else f"in fold {self.fold}"
        return f"{self.algorithm} on {self.dataset}, {where}: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTests(Row):
    """All tests of one measure between two algorithms on one data set, first minus second.

    `frame()` has one row per test.
    """

    view: ClassVar[str] = "algorithms.learner_tests_picture"

    dataset: str
    first: str
    second: str
    measure: str
    tests: tuple[LearnerTest, ...]

    def test(self, method: str) -> LearnerTest:
        """Return the test of that name."""
        names = [row.method for row in self.tests]
        if method not in names:
            raise RocInputError(f"must be one of {names}, got {checks.show(method)}", argument="method")
        return self.tests[names.index(method)]

    def columns(self) -> dict[str, Any]:
        """Return one line per test, with the pair it belongs to."""
        pair = {name: [self[name]] * len(self.tests) for name in ("dataset", "first", "second", "measure")}
        names = [field.name for field in fields(LearnerTest)]
        return pair | {name: [test[name] for test in self.tests] for name in names}

    def _summary(self) -> str:
        head = f"{self.measure} on {self.dataset}, {self.first} minus {self.second}:"
        return "\n  ".join([head, *map(str, self.tests)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AlgorithmComparison(Result):
    """Learning algorithms compared on one or more data sets, by AUC and by error.

    Attributes
    ----------
    algorithms, datasets
        Names of the algorithms; the data sets as `DatasetRow`.
    protocol, folds, repeats
        How the cases were split; see `compare_algorithms`.
    auc, error
        Value of every data set, algorithm and fold; NaN where `defined` is False.
    defined
        Where both values are there.
    scorers, scored
        Names of the further scorers, and their values: one array of that shape for each. `others` gives
        them by name.
    tests
        A `PairTests` for every data set, pair and measure.
    verdicts
        A `Verdict` for every data set and pair, by the test named in `verdict_test`.
    ranks
        `RankComparison` of mean AUC, and of mean error, over the data sets.
    failures
        Folds on which an algorithm has no value, with the reason.
    records, singles
        What the models said of their test cases: of every data set, algorithm and fold; and of one
        training on two thirds of the cases, without cross-validation.
    """

    view: ClassVar[str] = "algorithms.algorithms_picture"
    topic: ClassVar[str] = "learners"

    algorithms: tuple[str, ...]
    datasets: tuple[DatasetRow, ...]
    protocol: str
    folds: int
    repeats: int
    level: float
    auc: Floats
    error: Floats
    defined: NDArray[np.bool_]
    scorers: tuple[str, ...]
    scored: Floats
    tests: tuple[PairTests, ...]
    verdict_test: Mapping[str, str]
    verdicts: tuple[Verdict, ...]
    ranks: Mapping[str, RankComparison]
    failures: tuple[Failure, ...]
    warnings: tuple[str, ...] = ()
    records: Records = field(repr=False, default=())
    singles: tuple[tuple[FoldRecord, ...], ...] = field(repr=False, default=())

    @property
    def others(self) -> dict[str, Floats]:
        """Values of the further scorers by name."""
        return dict(zip(self.scorers, self.scored, strict=True))

    @property
    def conditional(self) -> bool:
        """Whether the verdicts rest on tests over folds that share one test set, and speak of it alone."""
        return any(row.auc.conditional or row.error.conditional for row in self.verdicts)

    def cases(self, adjust: Adjustment = "none") -> dict[str, int]:
        """Count the verdicts: both tests accept, only AUC rejects, only error rejects, both reject."""
        return count_cases(self.verdicts, adjust)

    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of algorithms, in their order."""
        return list(combinations(self.algorithms, 2))

    def tests_of(self, dataset: str, first: str, second: str, measure: str = "auc") -> PairTests:
        """Return all tests of a pair on a data set."""
        wanted = (dataset, first, second, measure)
        for row in self.tests:
            if (row.dataset, row.first, row.second, row.measure) == wanted:
                return row
        raise RocInputError(
            f"dataset, first, second, measure must name a pair of this comparison, in its order; got {wanted}"
        )

    def place(self, dataset: str, algorithm: str) -> tuple[int, int]:
        """Index of a data set and of an algorithm in `auc`, `error` and `records`."""
        names = [row.name for row in self.datasets]
        checks.check_choice(dataset, names, name="dataset")
        checks.check_choice(algorithm, self.algorithms, name="algorithm")
        return names.index(dataset), self.algorithms.index(algorithm)

    def columns(self) -> dict[str, Any]:
        """Return one line per data set and pair: the verdict table."""
        rows = self.verdicts
        return {
            "dataset": [row.dataset for row in rows],
            "first": [row.first for row in rows],
            "second": [row.second for row in rows],
            **{
                f"{measure}_{name}": [row[measure][name] for row in rows]
                for measure in ("auc", "error")
                for name in SHOWN
            },
            "case": [row.case for row in rows],
        }

    def _summary(self) -> str:
        given = f"{self.repeats} x {self.folds}" if self.repeats > 1 else str(self.folds)
        n = len(self.datasets)
        size = f"{len(self.algorithms)} algorithms on {n} data set{'s' * (n > 1)}"
        head = f"{size}, {self.protocol}, {given} folds"
        tests = ", ".join(f"{measure} by {method}" for measure, method in self.verdict_test.items())
        told = f"tests: {tests}{f' ({CONDITIONAL})' if self.conditional else ''}"
        counts = ", ".join(f"{case} {count}" for case, count in self.cases().items() if count)
        n_failed = sum(row.fold is not None for row in self.failures)
        failed = [f"{n_failed} folds without a value"] if n_failed else []
        return "\n".join([head, told, *map(str, self.verdicts), counts, *_causes(self.failures), *failed])


def _causes(failures: Sequence[Failure]) -> list[str]:
    """Why folds have no value: each cause once for an algorithm on a data set, with the number of folds."""
    folds = [row for row in failures if row.fold is not None]  # not the one training without folds
    counts = Counter((row.algorithm, row.dataset, first_line(row.reason)) for row in folds)
    return [
        f"{algorithm} on {dataset}, {n} fold{'s' * (n > 1)} without a value: {cause}"
        for (algorithm, dataset, cause), n in counts.items()
    ]


# ---- For every pair of algorithms: what the AUC test says, what the error test says, and who wins ---------
# References
# ----------
# .. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
#    ROC curve", 2009, section IV.B.

Adjustment: TypeAlias = Literal["none", "holm", "bonferroni"]
ADJUSTMENTS = ("none", "holm", "bonferroni")

# [1] section IV.B, in its order: error test, then AUC test.
CASES = (
    "both accept",
    "error accepts, AUC rejects",
    "error rejects, AUC accepts",
    "both reject",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Row):
    """The test of one measure for one pair on one data set, first minus second.

    Attributes
    ----------
    p_value, p_holm, p_bonferroni
        As tested, and adjusted over the pairs of this data set; None with the `reason` where the test is
        undefined.
    rejects, rejects_holm, rejects_bonferroni
        Whether each is below one minus the level; None where undefined.
    winner
        The algorithm with the better mean where the plain test rejects, None otherwise.
    conditional
        True for a test over folds that share one test set: it speaks of that set alone.
    """

    method: str
    difference: float | None
    p_value: float | None
    p_holm: float | None = None
    p_bonferroni: float | None = None
    rejects: bool | None = None
    rejects_holm: bool | None = None
    rejects_bonferroni: bool | None = None
    winner: str | None = None
    conditional: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Row):
    """AUC test and error test for one pair of algorithms on one data set."""

    dataset: str
    first: str
    second: str
    auc: Measured
    error: Measured

    @property
    def case(self) -> str | None:
        """Which of the four `CASES` of [1]_ it is; None where a test is undefined."""
        return self.case_of("none")

    def case_of(self, adjust: Adjustment) -> str | None:
        """Which of the four `CASES` it is, with p-values adjusted over the pairs of the data set."""
        name = "rejects" if adjust == "none" else f"rejects_{adjust}"
        by_error, by_auc = getattr(self.error, name), getattr(self.auc, name)
        return None if by_error is None or by_auc is None else CASES[2 * by_error + by_auc]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the case as plain Python."""
        return Row.to_dict(self) | {"case": self.case}

    def _summary(self) -> str:
        told = ", ".join(
            f"{name} p = {_figure(test.p_value)}" for name, test in (("AUC", self.auc), ("error", self.error))
        )
        winner = f"; {self.auc.winner} has the larger AUC" if self.auc.winner else ""
        given = f" ({CONDITIONAL})" if self.auc.conditional or self.error.conditional else ""
        case = self.case or "undefined"
        return f"{self.dataset}: {self.first} - {self.second}: {told}: {case}{winner}{given}"


def _figure(p: float | None) -> str:
    return "undefined" if p is None else f"{p:.4g}"


def adjusted(
    tests: Sequence[Measured], pairs: Sequence[tuple[str, str]], *, larger_is_better: bool, level: float
) -> list[Measured]:
    """Adjust the tests of one measure over the pairs of a data set, and name the winners."""
    p_values = [float("nan") if test.p_value is None else test.p_value for test in tests]
    steps, times = holm(p_values).tolist(), bonferroni(p_values).tolist()
    return [
        test
        if test.p_value is None
        else _settled(test, pair, p_holm, p_bonferroni, larger_is_better=larger_is_better, alpha=1 - level)
        for test, pair, p_holm, p_bonferroni in zip(tests, pairs, steps, times, strict=True)
    ]


def _settled(
    test: Measured,
    pair: tuple[str, str],
    p_holm: float,
    p_bonferroni: float,
    *,
    larger_is_better: bool,
    alpha: float,
) -> Measured:
    rejects, difference = test.p_value is not None and test.p_value < alpha, test.difference or 0.0
    better = pair[0] if (difference > 0) == larger_is_better else pair[1]
    return replace(
        test,
        p_holm=p_holm,
        p_bonferroni=p_bonferroni,
        rejects=rejects,
        rejects_holm=p_holm < alpha,
        rejects_bonferroni=p_bonferroni < alpha,
        winner=better if rejects and difference else None,
    )


def count_cases(verdicts: Sequence[Verdict], adjust: Adjustment = "none") -> dict[str, int]:
    """Count the four cases of [1]_, and the pairs for which a test is undefined."""
    checks.check_choice(adjust, ADJUSTMENTS, name="adjust")
    found = [verdict.case_of(adjust) for verdict in verdicts]
    return {case: found.count(case) for case in CASES} | {"undefined": found.count(None)}
