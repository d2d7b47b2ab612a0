"""Learning algorithms compared over the same folds of one or more data sets, by AUC and by error.

References
----------
.. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under the
   ROC curve", 2009.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.algorithms import paired_tests
from rocscope.algorithms.decisions import DecisionComparison, compare_records
from rocscope.algorithms.fold_tests import Floats, fold_differences
from rocscope.algorithms.hierarchical import HierarchicalTest, hierarchical_posterior
from rocscope.algorithms.protocol import (
    REPLACED,
    OwnFolds,
    Protocol,
    ProtocolName,
    kept_rows,
    read_datasets,
    read_own_folds,
    read_protocol,
)
from rocscope.algorithms.ranks import RankComparison, compare_ranks, mean_ranks
from rocscope.algorithms.records import ASSUMPTION, OVER_CASES, FoldRecord, compare_over_cases
from rocscope.algorithms.table import ComparisonTable
from rocscope.algorithms.trainings import (
    Records,
    Trainings,
    base_of,
    progress_bar,
    read_algorithms,
    read_scorers,
)
from rocscope.core import checks, execution, resampling, significance
from rocscope.core.result import Result, Row
from rocscope.core.tables import CI_STYLE
from rocscope.core.tracking import flat_metrics
from rocscope.errors import RocInputError, UndefinedError, require

if TYPE_CHECKING:
    import pandas as pd

Adjustment: TypeAlias = Literal["none", "holm", "bonferroni"]
VerdictTest: TypeAlias = Literal[
    "paired-t",
    "corrected-t",
    "5x2cv-t",
    "5x2cv-f",
    "wilcoxon",
    "sign",
    "permutation",
    "delong-averaged",
    "case-averaged-t",
]
ADJUSTMENTS = ("none", "holm", "bonferroni")
# [1] section IV.B, in its order: error test, then AUC test.
CASES = (
    "both accept",
    "error accepts, AUC rejects",
    "error rejects, AUC accepts",
    "both reject",
)
# AUCs and errors that differ by less are practically equal.
ROPE = 0.01
OWN_SIZES = "; sizes averaged over these folds"


@checks.known_arguments
def compare_algorithms(
    algorithms: Mapping[str, Any],
    datasets: Any,
    *,
    folds: int = 30,
    protocol: ProtocolName = "kfold",
    repeats: int | None = None,
    cv: Any = None,
    test: VerdictTest | None = None,
    scorers: Any = None,
    pos_label: Any = None,
    level: float = 0.95,
    rope: float = ROPE,
    rng: resampling.Rng = 0,
    n_jobs: int | None = None,
    executor: execution.Executor | None = None,
    timeout: float | None = None,
    progress: execution.Progress | bool | None = None,
    folder: str | Path | None = None,
) -> AlgorithmComparison:
    """Train algorithms on the same folds and test their differences in AUC and in error.

    Parameters
    ----------
    algorithms : mapping
        Names to scikit-learn classifiers, two or more. One whose ``fit`` takes ``X_val`` and ``y_val``
        gets the validation cases of protocol "holdout" to tune itself on.
    datasets : mapping or pair
        Names to (X, y), or one (X, y). Of more than two classes the two that 1-nearest-neighbour
        confuses most are kept [1]_, and the result says which.
    folds : int
        Number of folds.
    protocol : {"kfold", "repeated", "5x2", "holdout"}
        "kfold": every left-out fold is a test set. "repeated": `repeats` times that. "5x2": five times
        two halves. "holdout": the protocol of [1]_, a third of the cases is one common test set, the
        others are cut into folds, each fold's model is tested on the common set, and the left-out fold
        serves for validation. Tests over folds are then conditional on this test set, and say so; the
        verdicts use tests over its cases instead.
    repeats : int, optional
        For "repeated"; 10 by default.
    cv : splitter, pairs, fold of each row, or mapping, optional
        Folds of one's own in place of `folds`, `protocol` and `repeats`, as in `cross_scores`: a splitter of
        scikit-learn, pairs (train, test) of row numbers, or the fold of each row; by data set where there
        are several, with as many folds on each. Every training and test set needs both classes. Folds that
        share one test set are treated as "holdout", five times two halves as "5x2"; of all others the
        corrected tests assume that the differences of two folds correlate by the mean of n_test / n_train.
    test : str, optional
        The test behind the verdicts; "paired-t" is that of [1]_. By default "corrected-t" over left-out
        folds and halves, "delong-averaged" and "case-averaged-t" on a common test set: those that held their
        level best in simulated studies (the 5x2cv tests reject up to 26 % of true nulls of few cases).
    scorers : list or mapping, optional
        Further measures: names that scikit-learn knows, or names to callables (estimator, X, y).
    pos_label : label or mapping, optional
        The positive class, for all or by data set; by default the larger label. It matters for losses
        only, not for areas and errors.
    level : float
        Level of intervals; verdicts reject below ``1 - level``.
    rope : float
        Half-width of the region of practical equivalence of "bayes-t".
    rng : int, Generator, SeedSequence or None
        Folds, and random states that the estimators leave open. The folds of a data set follow from this
        and its labels, the random state of a training from this and the number of its fold: no name, and
        no other data set or algorithm, changes them.
    n_jobs, executor, timeout, progress
        How to run the fits: processes, or an executor of one's own; seconds that one fit may take;
        a function called as ``progress(done, total)``, or True for a bar.
    folder : path, optional
        Keep every training in a journal there as it ends. The same call goes on where it was, whatever
        ended it; one with other data, algorithms or folds is refused. What was given up (time, memory, a
        missing package) is tried again; an error of the algorithm itself stays. Needs a seed.

    Returns
    -------
    AlgorithmComparison
        An algorithm that fails on a fold is recorded in `failures` and does not stop the others; its
        tests are undefined and say why.

    References
    ----------
    .. [1] O. Aslan, O. T. Yildiz, E. Alpaydin, "Statistical comparison of classifiers using area under
       the ROC curve", 2009.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier()}
    >>> comparison = compare_algorithms(learners, load_breast_cancer(return_X_y=True), folds=10)
    >>> comparison.verdicts[0].case, comparison.verdicts[0].auc.winner
    ('error accepts, AUC rejects', 'nb')
    """
    learners, data = read_algorithms(algorithms), read_datasets(datasets, pos_label)
    base = base_of(rng)
    if cv is None:
        plan = read_protocol(protocol, folds, repeats)
    else:
        for name, value in {"folds": folds, "protocol": protocol, "repeats": repeats}.items():
            if value != REPLACED[name]:
                raise RocInputError(
                    f"must be left out where cv is given, got {checks.show(value)}", argument=name
                )
        plan = read_own_folds(cv, datasets, data, np.random.SeedSequence([base]))
    pairs = {"data": datasets} if isinstance(datasets, tuple) else datasets
    trainings = Trainings(
        algorithms=learners,
        data=data,
        plan=plan,
        base=base,
        scorers=read_scorers(scorers),
        rows={
            one.name: kept_rows(y, one) for one, (_, y) in zip(data, pairs.values(), strict=True) if one.note
        },
    )
    verdict_test = _verdict_test(test, plan)
    level = checks.check_level(level)
    rope = checks.check_number(rope, name="rope", low=0, closed=True)
    if folder is not None and rng is None:
        raise RocInputError("must be a seed where a folder is given, got None", argument="rng")
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise RocInputError(
            f"must be a function of two numbers, got {checks.show(progress)}", argument="progress"
        )
    with progress_bar() if progress is True else nullcontext(progress or None) as show:
        running: dict[str, Any] = {
            "n_jobs": n_jobs, "executor": executor, "timeout": timeout, "progress": show
        }  # fmt: skip
        if folder is None:
            records = trainings.run(**running)
        else:
            seed = int(rng) if isinstance(rng, Integral) else None
            records = trainings.run_in(folder, seed=seed, **running)
    return assemble(trainings, records, verdict_test, level=level, rope=rope)


def _verdict_test(test: str | None, plan: Protocol) -> Mapping[str, str]:
    """The test behind the verdicts on each measure; one that the folds do not allow is refused."""
    if test is None:
        return OVER_CASES if plan.common_test else {"auc": "corrected-t", "error": "corrected-t"}
    if plan.common_test and test in OVER_CASES.values():
        return OVER_CASES
    needs_halves = paired_tests.NEED_HALVES
    if isinstance(plan, OwnFolds) and test in needs_halves and not plan.halves:
        need = "must be a test that these folds allow: {} needs five times two halves, got {} folds of cv"
        raise RocInputError(need.format(test, plan.n_values), argument="test", data_dependent=True)
    allowed = [
        name
        for name in paired_tests.METHODS
        if name != "bayes-t" and (plan.halves or name not in needs_halves)
    ]
    checks.check_choice(test, allowed, name="test")
    return {"auc": test, "error": test}


# ---- The result -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetRow(Row):
    """A data set of the comparison: its size, its two classes, and how they were selected among more.

    `assumed`: no positive class was named and the larger label is taken, which changes no area and no error.
    `test_over_train`: mean of n_test / n_train over the folds, for the tests that are corrected by it.
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
    test_over_train: float | None = None


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
    tests: tuple[paired_tests.LearnerTest, ...]

    def test(self, method: str) -> paired_tests.LearnerTest:
        """Return the test of that name."""
        names = [row.method for row in self.tests]
        if method not in names:
            raise RocInputError(f"must be one of {names}, got {checks.show(method)}", argument="method")
        return self.tests[names.index(method)]

    def columns(self) -> dict[str, Any]:
        """Return one line per test, with the pair it belongs to."""
        pair = {name: [self[name]] * len(self.tests) for name in ("dataset", "first", "second", "measure")}
        names = [field.name for field in fields(paired_tests.LearnerTest)]
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
        How the cases were split; see `compare_algorithms`. The protocol of folds of one's own is "cv".
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
    decisions
        `DecisionComparison` of each data set by its name: McNemar's tests and Cochran's Q over its cases, as
        the models of the folds decide them, or those of one training where a case comes in several folds.
    failures
        Folds on which an algorithm has no value, with the reason.
    records, singles
        What the models said of their test cases: of every data set, algorithm and fold; and of one
        training on two thirds of the cases, without cross-validation. `predictions()` has the former as a
        frame. Neither is saved as JSON.
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
    decisions: Mapping[str, DecisionComparison] = field(default_factory=dict)
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

    @property
    def common_test(self) -> bool:
        """Whether the models of all folds were tested on the same cases."""
        return any(test.conditional for row in self.tests for test in row.tests)

    def predictions(self) -> pd.DataFrame:
        """Return what every fold model said of every test case, with the case's row number.

        Returns
        -------
        DataFrame
            Columns `dataset`, `algorithm`, `fold`, `row` (in the data as they were given), `positive`
            (truth), `score`, `called` (decision); none for folds on which an algorithm stopped.
        """
        pandas = require("pandas", "predictions()")
        if not self.records:
            raise UndefinedError("the predictions are not saved with the result: compare again")
        frames = [
            pandas.DataFrame(
                {"dataset": one.name, "algorithm": name, "fold": k, **record.columns()},
                index=range(len(record.score)),
            )
            for one, of_data in zip(self.datasets, self.records, strict=True)
            for name, folds in zip(self.algorithms, of_data, strict=True)
            for k, record in enumerate(folds)
        ]
        return pandas.concat(frames, ignore_index=True)

    def cases(self, adjust: Adjustment = "none") -> dict[str, int]:
        """Count the verdicts: both tests accept, only AUC rejects, only error rejects, both reject."""
        checks.check_choice(adjust, ADJUSTMENTS, name="adjust")
        cases = [verdict.case_of(adjust) for verdict in self.verdicts]
        return {case: cases.count(case) for case in CASES} | {"undefined": cases.count(None)}

    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of algorithms, in their order."""
        return list(combinations(self.algorithms, 2))

    def log_metrics(self, prefix: str = "") -> dict[str, float]:
        """Return the mean of every measure over the folds as "measure/data set/algorithm"."""
        values = {"auc": self.auc, "error": self.error, **self.others}
        datasets = [row.name for row in self.datasets]
        means = {
            measure: {
                name: dict(zip(self.algorithms, row, strict=True))
                for name, row in zip(datasets, folds.mean(axis=-1).tolist(), strict=True)
            }
            for measure, folds in values.items()
        }
        return flat_metrics(means, prefix)

    def table(  # type: ignore[override]  # a table that is a result, and itself has a `table()`
        self, measure: str = "auc", *, digits: int = 3, ci: str = CI_STYLE
    ) -> ComparisonTable:
        """Mean and standard deviation of every algorithm on every data set, with the best and the ranks.

        Parameters
        ----------
        measure : str
            "auc", "error", or the name of a further scorer.
        digits : int
            Decimals of its texts.
        ci : str
            Not used: the cells have standard deviations, no intervals.

        Returns
        -------
        ComparisonTable
            It prints itself, and has `to_latex()`, `to_html()` and what every result has.
        """
        values = {"auc": self.auc, "error": self.error, **self.others}
        checks.check_choice(measure, tuple(values), name="measure")
        mean, sd = values[measure].mean(axis=-1), values[measure].std(axis=-1, ddof=1)
        signed = -mean if measure == "error" else mean
        known = np.isfinite(mean)
        best, ranks = np.zeros(mean.shape, dtype=np.bool_), np.full(mean.shape, np.nan)
        for d, of_row in enumerate(known):
            if of_row.any():
                own = mean_ranks(signed[np.newaxis, d, of_row])[0]
                best[d, of_row] = own == own.min()
                ranks[d] = own if of_row.all() else np.nan
        worse, whole = np.zeros(mean.shape, dtype=np.bool_), known.all(axis=1)
        for verdict in self.verdicts if measure in self.verdict_test else ():
            d, leader = self.place(verdict.dataset, verdict.first)[0], verdict[measure].winner
            if verdict[measure].rejects_holm and leader == self.algorithms[int(np.argmax(best[d]))]:
                loser = verdict.second if leader == verdict.first else verdict.first
                worse[d, self.algorithms.index(loser)] = True
        return ComparisonTable(
            measure=measure,
            algorithms=self.algorithms,
            datasets=tuple(row.name for row in self.datasets),
            mean=mean,
            sd=sd,
            best=best,
            worse=worse,
            method=self.verdict_test.get(measure),
            ranks=ranks,
            average_ranks=ranks[whole].mean(axis=0) if whole.sum() > 1 else None,
            digits=checks.check_integer(digits, name="digits", low=0),
        )

    def differences(self, dataset: str, first: str, second: str, measure: str = "auc") -> Floats:
        """Return the differences of two algorithms, first minus second, fold by fold.

        Parameters
        ----------
        dataset, first, second : str
            Which ones, in any order.
        measure : str
            "auc", "error", or the name of a further scorer.

        Returns
        -------
        array
            NaN where either has no value.
        """
        values = {"auc": self.auc, "error": self.error, **self.others}
        checks.check_choice(measure, tuple(values), name="measure")
        (d, a), (_, b) = self.place(dataset, first), self.place(dataset, second)
        return np.asarray(values[measure][d, a] - values[measure][d, b])

    def hierarchical(
        self, first: str, second: str, measure: str = "auc", *, rope: float = ROPE
    ) -> HierarchicalTest:
        """Compare two algorithms over all data sets by the hierarchical Bayesian test.

        Parameters
        ----------
        first, second : str
            Which ones, in any order.
        measure : str
            "auc", "error", or the name of a further scorer.
        rope : float
            Half-width of the region of practical equivalence.

        Returns
        -------
        HierarchicalTest
            As by `hierarchical_test`, over the data sets on which both have a value in every fold. Undefined
            where folds share one test set, which says nothing of other cases.
        """
        rope = checks.check_number(rope, name="rope", low=0, closed=True)
        values = {"auc": self.auc, "error": self.error, **self.others}
        checks.check_choice(measure, tuple(values), name="measure")
        a, b = (self.place(self.datasets[0].name, name)[1] for name in (first, second))
        folds = fold_differences(values[measure][:, a], values[measure][:, b])
        ratios = np.array([row.test_over_train or 0.0 for row in self.datasets])[folds.defined]
        found = hierarchical_posterior(
            folds.values[folds.defined],
            rho=ratios / (1 + ratios),
            rope=rope,
            level=self.level,
            reason="the folds of a data set share one test set" if self.common_test else None,
        )
        return replace(found, first=first, second=second, measure=measure)

    def tests_of(self, dataset: str, first: str, second: str, measure: str = "auc") -> PairTests:
        """Return all tests of a pair on a data set."""
        names = (dataset, first, second, measure)
        for row in self.tests:
            if (row.dataset, row.first, row.second, row.measure) == names:
                return row
        raise RocInputError(
            f"dataset, first, second, measure must name a pair of this comparison, in its order; got {names}"
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
        names = [one.name for one in fields(Measured) if not one.name.startswith("rejects_")]
        return {
            **{name: [row[name] for row in rows] for name in ("dataset", "first", "second")},
            **{f"{m}_{name}": [row[m][name] for row in rows] for m in ("auc", "error") for name in names},
            "case": [row.case for row in rows],
        }

    def _summary(self) -> str:
        n_folds = f"{self.repeats} x {self.folds}" if self.repeats > 1 else str(self.folds)
        n = len(self.datasets)
        size = f"{len(self.algorithms)} algorithms on {n} data set{'s' * (n > 1)}"
        head = f"{size}, {self.protocol}, {n_folds} folds"
        tests = ", ".join(f"{measure} by {method}" for measure, method in self.verdict_test.items())
        by = f"tests: {tests}{f' ({paired_tests.CONDITIONAL})' if self.conditional else ''}"
        counts = ", ".join(f"{case} {count}" for case, count in self.cases().items() if count)
        # Every cause once for an algorithm on a data set; not of the one training without folds.
        failed = [row for row in self.failures if row.fold is not None]
        causes = Counter((row.algorithm, row.dataset, paired_tests.first_line(row.reason)) for row in failed)
        lines = [
            f"{algorithm} on {dataset}, {n} fold{'s' * (n > 1)} without a value: {cause}"
            for (algorithm, dataset, cause), n in causes.items()
        ]
        lines += [f"{len(failed)} folds without a value"] if failed else []
        return "\n".join([head, by, *map(str, self.verdicts), counts, *lines])


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
        head = f"{self.dataset}: {self.first} - {self.second}:"
        if self.case is None:
            return f"{head} undefined: {self.auc.reason or self.error.reason}"
        p_values = ", ".join(
            f"{name} p = {test.p_value:.4g} (Holm {test.p_holm:.4g})"
            for name, test in (("AUC", self.auc), ("error", self.error))
        )
        adjusted = self.case_of("holm")
        after = f", after Holm's adjustment {adjusted}" if adjusted != self.case else ""
        winner = f"; {self.auc.winner} has the larger AUC" if self.auc.winner else ""
        condition = f" ({paired_tests.CONDITIONAL})" if self.auc.conditional or self.error.conditional else ""
        return f"{head} {p_values}: {self.case}{after}{winner}{condition}"


# ---- From the records of all folds to the result: values, tests, verdicts, ranks --------------------------


def assemble(
    trainings: Trainings, records: Records, verdict_test: Mapping[str, str], *, level: float, rope: float
) -> AlgorithmComparison:
    """Put the result together; `verdict_test` names the test behind the verdicts on each measure."""
    names, data, plan = tuple(trainings.algorithms), trainings.data, trainings.plan
    scorers = tuple(trainings.scorers)
    conditions = {
        one.name: paired_tests.Conditions(
            test_over_train=plan.test_over_train(one.name),
            halves=plan.halves,
            level=level,
            rope=rope,
            rng=trainings.base,
        )
        for one in data
    }
    # The last training of each is the one without cross-validation.
    singles = tuple(tuple(folds[-1] for folds in of_data) for of_data in records)
    records = tuple(tuple(folds[:-1] for folds in of_data) for of_data in records)

    def values_of(measure: str) -> Floats:
        """One array (data set, algorithm, fold) of a measure, NaN where a fold has none."""
        own = measure in ("auc", "error")
        return np.array(
            [
                [[getattr(r, measure) if own else r.others.get(measure) for r in folds] for folds in of_data]
                for of_data in records
            ],
            dtype=np.float64,
        )

    values = {measure: values_of(measure) for measure in ("auc", "error", *scorers)}
    tests = [
        row
        for d, one in enumerate(data)
        for measure, table in values.items()
        for row in _pair_tests(one.name, names, measure, table[d], records[d], plan, conditions[one.name])
    ]
    training_warnings = Counter(
        f"{name} on {one.name}: {text}"
        for one, of_data in zip(data, records, strict=True)
        for name, folds in zip(names, of_data, strict=True)
        for record in folds
        for text in record.warnings
    )
    return AlgorithmComparison(
        algorithms=names,
        datasets=tuple(
            DatasetRow(
                name=one.name,
                n_pos=one.n_pos,
                n_neg=one.n_neg,
                negative=one.classes[0],
                positive=one.classes[1],
                n_train=len(folds[0].train),
                n_test=len(folds[0].test),
                assumed=one.assumed,
                note=one.note,
                test_over_train=plan.test_over_train(one.name),
            )
            for one, folds in zip(data, trainings.splits(), strict=True)
        ),
        protocol=plan.name,
        folds=plan.folds,
        repeats=plan.repeats,
        level=level,
        auc=values["auc"],
        error=values["error"],
        defined=np.isfinite(values["auc"]) & np.isfinite(values["error"]),
        scorers=scorers,
        scored=np.array([values[name] for name in scorers]).reshape(-1, *values["auc"].shape),
        tests=tuple(tests),
        verdict_test=verdict_test,
        verdicts=tuple(
            verdict for one in data for verdict in _verdicts(one.name, names, tests, verdict_test, level)
        ),
        ranks={
            measure: compare_ranks(
                values[measure].mean(axis=-1),
                names,
                datasets=[one.name for one in data],
                larger_is_better=measure == "auc",
                measure=measure,
                level=level,
            )
            for measure in ("auc", "error")
        },
        failures=tuple(
            Failure(dataset=one.name, algorithm=name, fold=k, reason=reason, traceback=record.traceback)
            for one, of_data, once in zip(data, records, singles, strict=True)
            for name, folds, single in zip(names, of_data, once, strict=True)
            for k, record in [*enumerate(folds), (None, single)]
            for reason in record.reasons
        ),
        warnings=(
            *(plan.notes if isinstance(plan, OwnFolds) else ()),
            *(f"{text} ({count} folds)" for text, count in training_warnings.items()),
        ),
        decisions={
            one.name: compare_records(names, of_data, once)
            for one, of_data, once in zip(data, records, singles, strict=True)
        },
        records=records,
        singles=singles,
    )


def _pair_tests(
    dataset: str,
    names: tuple[str, ...],
    measure: str,
    values: Floats,
    records: tuple[tuple[FoldRecord, ...], ...],
    plan: Protocol,
    conditions: paired_tests.Conditions,
) -> list[PairTests]:
    """All tests of one measure on one data set: the battery on all pairs at once, then its rows."""
    index = list(combinations(range(len(names)), 2))
    first, second = (values[list(side)] for side in zip(*index, strict=True))
    folds = fold_differences(first, second)
    outcomes = paired_tests.run_battery(folds, conditions)
    causes = {name: _causes(of_folds, measure) for name, of_folds in zip(names, records, strict=True)}
    rows = []
    for p, (i, j) in enumerate(index):
        reason = None
        if not folds.defined[p]:
            reason = paired_tests.describe_undefined({names[i]: values[i], names[j]: values[j]}, causes)
        mean = None if reason else float(folds.means()[p])
        tests = paired_tests.read_tests(
            outcomes,
            p,
            mean=mean,
            reason=reason,
            common_test=plan.common_test,
            sizes=OWN_SIZES if isinstance(plan, OwnFolds) else "",
        )
        if plan.common_test and measure in OVER_CASES:
            if reason is None:
                over = compare_over_cases(measure, records[i], records[j], level=conditions.level)
            else:
                over = paired_tests.LearnerTest(
                    method=OVER_CASES[measure], assumption=ASSUMPTION, status="undefined", reason=reason
                )
            tests += (over,)
        rows.append(PairTests(dataset=dataset, first=names[i], second=names[j], measure=measure, tests=tests))
    return rows


def _causes(records: Sequence[FoldRecord], measure: str) -> str:
    """Why folds of an algorithm have no value of a measure: the first cause, and the number of others."""
    lines: dict[str, None] = {}
    for record in records:
        if (cause := record.cause(measure)) is not None:
            lines[paired_tests.first_line(cause)] = None
    others = len(lines) - 1
    return next(iter(lines), "") + (f" (and {others} other cause{'s' * (others > 1)})" if others > 0 else "")


def _verdicts(
    dataset: str,
    names: tuple[str, ...],
    tests: Sequence[PairTests],
    verdict_test: Mapping[str, str],
    level: float,
) -> list[Verdict]:
    """What the two tests behind the verdicts say of every pair of algorithms on one data set."""
    pairs = list(combinations(names, 2))
    by_measure = {
        measure: adjusted(
            [
                row.test(verdict_test[measure])
                for row in tests
                if row.dataset == dataset and row.measure == measure
            ],
            pairs,
            larger_is_better=measure == "auc",
            level=level,
        )
        for measure in ("auc", "error")
    }
    return [
        Verdict(dataset=dataset, first=first, second=second, auc=auc, error=error)
        for (first, second), auc, error in zip(pairs, by_measure["auc"], by_measure["error"], strict=True)
    ]


def adjusted(
    tests: Sequence[paired_tests.LearnerTest],
    pairs: Sequence[tuple[str, str]],
    *,
    larger_is_better: bool,
    level: float,
) -> list[Measured]:
    """Adjust the tests of one measure over the pairs of a data set, and name the winners."""
    p_values = [math.nan if test.p_value is None else test.p_value for test in tests]
    adjustments = (significance.holm(p_values).tolist(), significance.bonferroni(p_values).tolist())
    rows = []
    for test, (first, second), *adjusted_p in zip(tests, pairs, *adjustments, strict=True):
        p = [None if test.p_value is None else one for one in (test.p_value, *adjusted_p)]
        rejects = [None if one is None else one < 1 - level for one in p]
        difference = test.difference or 0.0
        better = first if (difference > 0) == larger_is_better else second
        rows.append(
            Measured(
                method=test.method,
                difference=test.difference,
                p_value=p[0],
                p_holm=p[1],
                p_bonferroni=p[2],
                rejects=rejects[0],
                rejects_holm=rejects[1],
                rejects_bonferroni=rejects[2],
                winner=better if rejects[0] and difference else None,
                conditional=test.conditional,
                reason=test.reason,
            )
        )
    return rows
