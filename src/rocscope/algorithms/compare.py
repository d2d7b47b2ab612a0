"""Compare learning algorithms over the same folds of one or more data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rocscope.algorithms import common_test
from rocscope.algorithms.assemble import assemble
from rocscope.algorithms.battery import METHODS, NEED_HALVES, Conditions
from rocscope.algorithms.comparison import AlgorithmComparison, Records
from rocscope.algorithms.problems import Problem, read_problems
from rocscope.algorithms.protocol import Fold, Protocol, ProtocolName, plan_folds, plan_single, read_protocol
from rocscope.algorithms.seeds import base_of, named_seed
from rocscope.algorithms.training import (
    FoldJob,
    FoldRecord,
    Scorer,
    read_algorithms,
    read_scorers,
    train_fold,
)
from rocscope.core import checks
from rocscope.core.execute import Executor, Progress, run_tasks
from rocscope.core.resample import Rng, as_generator
from rocscope.core.workers import Outcome, Task
from rocscope.errors import RocInputError

# AUCs and errors that differ by less are practically equal.
ROPE = 0.01
# The test behind the verdicts, unless another is asked for: one that held its level in docs/algorithms.md.
DEFAULT_TESTS = {
    "kfold": {"auc": "corrected-t", "error": "corrected-t"},
    "repeated": {"auc": "corrected-t", "error": "corrected-t"},
    "5x2": {"auc": "5x2cv-f", "error": "5x2cv-f"},
    "holdout": common_test.METHODS,
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
    if plan.common_test and test in common_test.METHODS.values():
        return common_test.METHODS
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
