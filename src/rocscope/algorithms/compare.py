"""Compare learning algorithms over the same folds of one or more data sets."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from rocscope.algorithms import training
from rocscope.algorithms.comparison import (
    AlgorithmComparison,
    DatasetRow,
    Failure,
    Measured,
    PairTests,
    Records,
    Verdict,
    adjusted,
)
from rocscope.algorithms.fold_tests import Floats, fold_differences
from rocscope.algorithms.paired_tests import (
    METHODS,
    NEED_HALVES,
    Conditions,
    LearnerTest,
    first_line,
    read_tests,
    run_battery,
    undefined_words,
)
from rocscope.algorithms.protocol import (
    Fold,
    Problem,
    Protocol,
    ProtocolName,
    plan_folds,
    plan_single,
    read_problems,
    read_protocol,
)
from rocscope.algorithms.ranks import compare_ranks
from rocscope.algorithms.training import (
    AveragedTest,
    FoldJob,
    FoldRecord,
    Scorer,
    number,
    read_algorithms,
    read_scorers,
    train_fold,
)
from rocscope.core import checks
from rocscope.core.execution import Executor, Outcome, Progress, Task, run_tasks
from rocscope.core.resampling import Rng, as_generator
from rocscope.errors import RocInputError

# AUCs and errors that differ by less are practically equal.
ROPE = 0.01
# The test behind the verdicts, unless another is asked for: one that held its level in docs/algorithms.md.
DEFAULT_TESTS = {
    "kfold": {"auc": "corrected-t", "error": "corrected-t"},
    "repeated": {"auc": "corrected-t", "error": "corrected-t"},
    "5x2": {"auc": "5x2cv-f", "error": "5x2cv-f"},
    "holdout": training.METHODS,
}


def compare_algorithms(
    algorithms: Mapping[str, Any],
    datasets: Any,
    *,
    folds: int = 30,
    protocol: ProtocolName = "kfold",
    repeats: int | None = None,
    test: str | None = None,
    scorers: Any = None,
    pos_label: Any = None,
    level: float = 0.95,
    rope: float = ROPE,
    rng: Rng = 0,
    n_jobs: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
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
    test : str, optional
        The test behind the verdicts; "paired-t" is that of [1]_. By default "corrected-t" over left-out
        folds, "5x2cv-f" over halves, "delong-averaged" and "case-averaged-t" on a common test set.
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
        Splits and random states that the estimators leave open. Those of a data set and of an algorithm
        depend on their names alone, not on which others are there.
    n_jobs, executor, timeout, progress
        How to run the fits: processes, or an executor of one's own; seconds that one fit may take;
        a function called as ``progress(done, total)``.

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
    >>> found = compare_algorithms(learners, load_breast_cancer(return_X_y=True), folds=10)
    >>> found.verdicts[0].case, found.verdicts[0].auc.winner
    ('error accepts, AUC rejects', 'nb')
    """
    learners, problems = read_algorithms(algorithms), read_problems(datasets, pos_label)
    plan = read_protocol(protocol, folds, repeats)
    further = read_scorers(scorers)
    chosen = _read_test(test, plan)
    base = base_of(rng)
    conditions = _conditions(plan, checks.check_level(level), rope, base)
    splits = [_plan(plan, problem, base) for problem in problems]
    run = partial(run_tasks, n_jobs=n_jobs, executor=executor, timeout=timeout, progress=progress)
    records = _train_all(learners, problems, splits, further, base, run)
    return assemble(learners, problems, plan, splits, records, list(further), chosen, conditions)


def _read_test(test: str | None, plan: Protocol) -> dict[str, str]:
    if test is None:
        return DEFAULT_TESTS[plan.name]
    testing = [
        name for name in METHODS if name != "bayes-t" and (plan.name == "5x2" or name not in NEED_HALVES)
    ]
    if plan.common_test and test in training.METHODS.values():
        return training.METHODS
    checks.check_choice(test, testing, name="test")
    return {"auc": test, "error": test}


def _conditions(plan: Protocol, level: float, rope: float, base: int) -> Conditions:
    return Conditions(
        test_over_train=plan.test_over_train,
        halves=plan.name == "5x2",
        level=level,
        rope=checks.check_number(rope, name="rope", low=0, closed=True),
        rng=base,
    )


def _plan(plan: Protocol, problem: Problem, base: int) -> list[Fold]:
    """The folds of a data set, and last the one training without cross-validation."""
    generator = as_generator(named_seed(base, problem.name))
    try:
        found = plan_folds(plan, problem.positive, generator)
        return [*found, plan_single(plan, found, problem.positive, generator)]
    except RocInputError:
        raise RocInputError(_too_few_words(plan, problem)) from None


def _too_few_words(plan: Protocol, problem: Problem) -> str:
    n_pos = int(problem.positive.sum())
    size, name = min((len(problem.positive) - n_pos, 0), (n_pos, 1))
    apart = ", a third of them set aside for the test" if plan.common_test else ""
    has = f"data set {problem.name!r} has {size} of class {checks.show(problem.classes[name])}{apart}"
    return f"folds must be at most the number of cases of each class that they deal: {has}, got {plan.folds}"


def _train_all(
    learners: Mapping[str, Any],
    problems: Sequence[Problem],
    splits: Sequence[Sequence[Fold]],
    scorers: Mapping[str, Scorer],
    base: int,
    run: Callable[[list[Task]], list[Outcome]],
) -> Records:
    jobs = {
        (problem.name, name, k): FoldJob(
            estimator=estimator,
            problem=problem,
            fold=fold,
            seed=named_seed(base, problem.name, name, k),
            scorers=scorers,
        )
        for problem, of_problem in zip(problems, splits, strict=True)
        for name, estimator in learners.items()
        for k, fold in enumerate(of_problem)
    }
    outcomes = run([Task(repr(key), train_fold, (job,)) for key, job in jobs.items()])
    found = map(_record, outcomes)
    return tuple(tuple(tuple(next(found) for _ in of_problem) for _ in learners) for of_problem in splits)


def _record(outcome: Outcome) -> FoldRecord:
    """What a task found; one that failed becomes a record that says why."""
    return outcome.value if outcome.ok else FoldRecord.failed(str(outcome.error), outcome.traceback)


# ---- From the records of all folds to the result: values, tests, verdicts, ranks --------------------------

ONE_CLASS = "the test cases are of one class"


def assemble(
    learners: Mapping[str, Any],
    problems: Sequence[Problem],
    plan: Protocol,
    splits: Sequence[Sequence[Fold]],
    records: Records,
    further: Sequence[str],
    chosen: Mapping[str, str],
    conditions: Conditions,
) -> AlgorithmComparison:
    """Put the result together; `chosen` names the test behind the verdicts on each measure."""
    names, level = tuple(learners), conditions.level
    # The last training of each is the one without cross-validation.
    singles = tuple(tuple(folds[-1] for folds in of_problem) for of_problem in records)
    records = tuple(tuple(folds[:-1] for folds in of_problem) for of_problem in records)
    values = {measure: _values(records, measure) for measure in ("auc", "error")}
    others = {name: _values(records, name) for name in further}
    tests = [
        row
        for d, problem in enumerate(problems)
        for measure, table in (values | others).items()
        for row in _pair_tests(problem, names, measure, table[d], records[d], plan, conditions)
    ]
    return AlgorithmComparison(
        algorithms=names,
        datasets=tuple(
            _dataset_row(problem, folds[0]) for problem, folds in zip(problems, splits, strict=True)
        ),
        protocol=plan.name,
        folds=plan.folds,
        repeats=plan.repeats,
        level=level,
        auc=values["auc"],
        error=values["error"],
        defined=np.isfinite(values["auc"]) & np.isfinite(values["error"]),
        scorers=tuple(others),
        scored=np.array(list(others.values())).reshape(-1, *values["auc"].shape),
        tests=tuple(tests),
        verdict_test=chosen,
        verdicts=_verdicts(problems, names, tests, chosen, level),
        ranks={
            measure: compare_ranks(
                table.mean(axis=-1),
                names,
                datasets=[problem.name for problem in problems],
                larger_is_better=measure == "auc",
                measure=measure,
                level=level,
            )
            for measure, table in values.items()
        },
        failures=_failures(problems, names, records, singles),
        warnings=_warnings(problems, names, records),
        records=records,
        singles=singles,
    )


def _values(records: Records, measure: str) -> Floats:
    """One array (data set, algorithm, fold) of a measure, NaN where a fold has none."""

    def value(record: FoldRecord) -> float:
        if measure in ("auc", "error"):
            return number(getattr(record, measure))
        return number(record.others.get(measure))

    return np.array([[[value(r) for r in folds] for folds in of_problem] for of_problem in records])


def _dataset_row(problem: Problem, fold: Fold) -> DatasetRow:
    n_pos = int(problem.positive.sum())
    return DatasetRow(
        name=problem.name,
        n_pos=n_pos,
        n_neg=len(problem.positive) - n_pos,
        negative=problem.classes[0],
        positive=problem.classes[1],
        n_train=len(fold.train),
        n_test=len(fold.test),
        assumed=problem.assumed,
        note=problem.note,
    )


def _pair_tests(
    problem: Problem,
    names: tuple[str, ...],
    measure: str,
    values: Floats,
    records: tuple[tuple[FoldRecord, ...], ...],
    plan: Protocol,
    conditions: Conditions,
) -> list[PairTests]:
    """All tests of one measure on one data set: the battery on all pairs at once, then its rows."""
    index = list(combinations(range(len(names)), 2))
    first, second = (values[list(side)] for side in zip(*index, strict=True))
    folds = fold_differences(first, second)
    outcomes = run_battery(folds, conditions)
    causes = {
        name: cause
        for name, of_folds in zip(names, records, strict=True)
        if (cause := _cause(of_folds, measure)) is not None
    }
    rows = []
    for p, (i, j) in enumerate(index):
        reason = None
        if not folds.defined[p]:
            reason = undefined_words({names[i]: values[i], names[j]: values[j]}, causes)
        mean = None if reason else float(folds.means()[p])
        tests = read_tests(outcomes, p, mean=mean, reason=reason, common_test=plan.common_test)
        if plan.common_test and measure in ("auc", "error"):
            tests += (_over_cases(measure, records[i], records[j], reason, conditions.level),)
        rows.append(
            PairTests(dataset=problem.name, first=names[i], second=names[j], measure=measure, tests=tests)
        )
    return rows


def _cause(records: Sequence[FoldRecord], measure: str) -> str | None:
    """Why folds of an algorithm have no value of a measure: the first cause, and the number of others."""
    lacking = [_lack(record, measure) for record in records]
    found = list(dict.fromkeys(first_line(cause) for cause in lacking if cause is not None))
    if not found:
        return None
    others = len(found) - 1
    return found[0] + (f" (and {others} other cause{'s' * (others > 1)})" if others else "")


def _lack(record: FoldRecord, measure: str) -> str | None:
    """Why a record has no value of a measure; None where it has one."""
    if record.failure is not None:
        return record.failure
    if measure == "auc" and record.auc is None:
        return ONE_CLASS
    return record.failed_scorers.get(measure)


def _over_cases(
    measure: str,
    first: tuple[FoldRecord, ...],
    second: tuple[FoldRecord, ...],
    reason: str | None,
    level: float,
) -> LearnerTest:
    """The test that a common test set allows: over its cases, averaged over the fold models."""
    if reason is not None:
        method = training.METHODS[measure]
        return LearnerTest.undefined(method, reason, assumption=training.ASSUMPTION)
    ask = training.averaged_delong if measure == "auc" else training.averaged_error_test
    return _case_row(ask(first, second, level=level))


def _case_row(found: AveragedTest) -> LearnerTest:
    if np.isnan(found.se):
        reason = "a class has one case alone in the test set, which has no variance"
        return LearnerTest.undefined(found.method, reason, assumption=training.ASSUMPTION)
    return LearnerTest(
        method=found.method,
        statistic=found.statistic,
        df=found.df,
        p_value=found.p_value,
        difference=found.difference,
        low=found.low,
        high=found.high,
        assumption=training.ASSUMPTION,
    )


def _verdicts(
    problems: Sequence[Problem],
    names: tuple[str, ...],
    tests: Sequence[PairTests],
    chosen: Mapping[str, str],
    level: float,
) -> tuple[Verdict, ...]:
    pairs = list(combinations(names, 2))
    verdicts = []
    for problem in problems:
        settled = {
            measure: adjusted(
                [
                    _measured(row, chosen[measure])
                    for row in tests
                    if row.dataset == problem.name and row.measure == measure
                ],
                pairs,
                larger_is_better=measure == "auc",
                level=level,
            )
            for measure in ("auc", "error")
        }
        verdicts += [
            Verdict(dataset=problem.name, first=first, second=second, auc=auc, error=error)
            for (first, second), auc, error in zip(pairs, settled["auc"], settled["error"], strict=True)
        ]
    return tuple(verdicts)


def _measured(row: PairTests, method: str) -> Measured:
    test = row.test(method)
    return Measured(
        method=method,
        difference=test.difference,
        p_value=test.p_value,
        conditional=test.conditional,
        reason=test.reason,
    )


def _failures(
    problems: Sequence[Problem],
    names: tuple[str, ...],
    records: Records,
    singles: Sequence[Sequence[FoldRecord]],
) -> tuple[Failure, ...]:
    found = []
    for problem, of_problem, once in zip(problems, records, singles, strict=True):
        for name, folds, single in zip(names, of_problem, once, strict=True):
            for k, record in [*enumerate(folds), (None, single)]:
                found += [
                    Failure(
                        dataset=problem.name,
                        algorithm=name,
                        fold=k,
                        reason=reason,
                        traceback=record.traceback,
                    )
                    for reason in _reasons(record)
                ]
    return tuple(found)


def _reasons(record: FoldRecord) -> list[str]:
    """Why a record lacks a value, for each that it lacks."""
    if record.failure is not None:
        return [record.failure]
    one_class = [f"AUC undefined: {ONE_CLASS}"] if record.auc is None else []
    return one_class + [f"scorer {name}: {error}" for name, error in record.failed_scorers.items()]


def _warnings(problems: Sequence[Problem], names: tuple[str, ...], records: Records) -> tuple[str, ...]:
    """What the estimators warned of, each once for an algorithm on a data set, with the number of folds."""
    told: dict[str, int] = {}
    for problem, of_problem in zip(problems, records, strict=True):
        for name, folds in zip(names, of_problem, strict=True):
            for text in (text for record in folds for text in record.warnings):
                key = f"{name} on {problem.name}: {text}"
                told[key] = told.get(key, 0) + 1
    return tuple(f"{text} ({count} folds)" for text, count in told.items())


# -----------------------------------------------------------------------------------------------------------
# Seeds by name: what one algorithm or data set gets does not depend on which others are compared with it


def base_of(rng: Rng) -> int:
    """Draw the number that all seeds of a comparison are made from.

    Examples
    --------
    >>> base_of(0) == base_of(0)
    True
    """
    return int(as_generator(rng).integers(2**63))


def named_seed(base: int, *names: object) -> SeedSequence:
    """Return the seed of a name, the same wherever and whenever it is asked for.

    Examples
    --------
    >>> first, again, other = (named_seed(7, "iris", k) for k in (0, 0, 1))
    >>> first.entropy == again.entropy, first.entropy == other.entropy
    (True, False)
    """
    digest = hashlib.sha256(repr(names).encode("utf-8", "surrogatepass")).digest()
    return SeedSequence([base, *np.frombuffer(digest, dtype="<u4").tolist()])
