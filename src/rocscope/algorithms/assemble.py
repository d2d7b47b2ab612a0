"""From the records of all folds to the result: values, tests, verdicts, ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from rocscope.algorithms import common_test
from rocscope.algorithms.battery import Conditions, run_battery
from rocscope.algorithms.common_test import AveragedTest
from rocscope.algorithms.comparison import AlgorithmComparison, DatasetRow, Failure, PairTests, Records
from rocscope.algorithms.differences import Floats, fold_differences
from rocscope.algorithms.learner_tests import LearnerTest, first_line, read_tests, undefined_words
from rocscope.algorithms.problems import Problem
from rocscope.algorithms.protocol import Fold, Protocol
from rocscope.algorithms.ranks import compare_ranks
from rocscope.algorithms.training import FoldRecord, number
from rocscope.algorithms.verdicts import Measured, Verdict, adjusted

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
        method = common_test.METHODS[measure]
        return LearnerTest.undefined(method, reason, assumption=common_test.ASSUMPTION)
    ask = common_test.averaged_delong if measure == "auc" else common_test.averaged_error_test
    return _case_row(ask(first, second, level=level))


def _case_row(found: AveragedTest) -> LearnerTest:
    if np.isnan(found.se):
        reason = "a class has one case alone in the test set, which has no variance"
        return LearnerTest.undefined(found.method, reason, assumption=common_test.ASSUMPTION)
    return LearnerTest(
        method=found.method,
        statistic=found.statistic,
        df=found.df,
        p_value=found.p_value,
        difference=found.difference,
        low=found.low,
        high=found.high,
        assumption=common_test.ASSUMPTION,
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
