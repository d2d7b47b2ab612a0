"""One algorithm on one fold: train a clone, and see what it says of the test cases."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from rocscope.algorithms.fold_tests import Floats
from rocscope.algorithms.protocol import Fold, Problem, take_rows
from rocscope.core import checks, significance
from rocscope.core.resampling import as_generator
from rocscope.core.result import Row
from rocscope.core.scores import BinaryScores
from rocscope.errors import RocInputError
from rocscope.training.fitting import (
    choose_response,
    collected_warnings,
    count_rows,
    seeded_clone,
    soft_outputs,
)

Scorer: TypeAlias = Callable[[Any, Any, Any], float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldRecord(Row):
    """What a trained model says of the test cases of its fold.

    Attributes
    ----------
    positive, score, called
        Truth, soft output for the positive class and decision (`predict`) of each test case.
    auc, error
        Area under the curve, and share of wrong decisions; the area is None without both classes.
    others, failed_scorers
        Values of the further scorers, and the errors of those that have none.
    probability
        Whether the soft outputs are probabilities.
    failure, traceback
        The error that stopped the algorithm on this fold, and where it arose; all else is empty then.
    """

    positive: NDArray[np.bool_]
    score: NDArray[np.float64]
    called: NDArray[np.bool_]
    auc: float | None = None
    error: float | None = None
    others: Mapping[str, float] = field(default_factory=dict)
    failed_scorers: Mapping[str, str] = field(default_factory=dict)
    probability: bool = False
    failure: str | None = None
    traceback: str | None = None
    warnings: tuple[str, ...] = ()

    @classmethod
    def judged(
        cls, positive: NDArray[np.bool_], score: NDArray[np.float64], called: NDArray[np.bool_], **others: Any
    ) -> FoldRecord:
        """The record of outputs and decisions, with the area and the error that follow from them."""
        wrong = float(np.mean(called != positive))
        return cls(
            positive=positive, score=score, called=called, auc=area(positive, score), error=wrong, **others
        )

    @classmethod
    def failed(cls, failure: str, traceback: str | None = None) -> FoldRecord:
        """The record of a fold on which the algorithm stopped with an error."""
        nothing = np.empty(0, dtype=np.bool_)
        return cls(positive=nothing, score=np.empty(0), called=nothing, failure=failure, traceback=traceback)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldJob:
    """All that a fold needs, wherever it runs."""

    estimator: Any
    problem: Problem
    fold: Fold
    seed: SeedSequence
    scorers: Mapping[str, Scorer]


def train_fold(job: FoldJob) -> FoldRecord:
    """Train on the fold's training cases and judge its test cases."""
    problem, test = job.problem, job.fold.test
    with collected_warnings() as told:
        model = seeded_clone(job.estimator, as_generator(job.seed))
        _fit(model, job)
        X = take_rows(problem.X, test)
        response = choose_response(model)
        score = soft_outputs(model, X, problem.classes, response=response)
        called = decisions(model, X, problem.classes)
        others, failed = _score(job.scorers, model, X, problem.labels[test])
    positive = problem.positive[test]
    return FoldRecord.judged(
        positive,
        score,
        called,
        others=others,
        failed_scorers=failed,
        probability=response == "predict_proba",
        warnings=tuple(told),
    )


def decisions(model: Any, X: Any, classes: Any) -> NDArray[np.bool_]:
    """Which cases a trained model decides to be of the second class; other labels are refused.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> model = GaussianNB().fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> decisions(model, [[0.5], [3.5]], (0, 1)).tolist()
    [False, True]
    """
    predicted, n = checks.as_array(model.predict(X), name="predict"), count_rows(X)
    if predicted.size != n or predicted.shape[:1] != (n,):
        raise RocInputError(
            f"must give one label per case ({n}), got shape {predicted.shape}", argument="predict"
        )
    labels = predicted.ravel()
    negative, positive = (np.asarray(labels == name) for name in classes)
    if not (negative | positive).all():
        allowed = " and ".join(checks.show(name) for name in classes)
        other = labels[~(negative | positive)].tolist()[0]
        raise RocInputError(f"must give the labels {allowed}, got {checks.show(other)}", argument="predict")
    return positive


def _fit(model: Any, job: FoldJob) -> None:
    """Train; an estimator whose `fit` takes X_val and y_val tunes itself on the validation cases."""
    problem, fold = job.problem, job.fold
    extra = {}
    if len(fold.validation) and {"X_val", "y_val"} <= set(inspect.signature(model.fit).parameters):
        extra = {
            "X_val": take_rows(problem.X, fold.validation),
            "y_val": problem.labels[fold.validation],
        }
    model.fit(take_rows(problem.X, fold.train), problem.labels[fold.train], **extra)


def _score(
    scorers: Mapping[str, Scorer], model: Any, X: Any, labels: NDArray[Any]
) -> tuple[dict[str, float], dict[str, str]]:
    """Ask the further scorers; one that fails, or gives no number, takes nothing from the others."""
    values: dict[str, float] = {}
    failed: dict[str, str] = {}
    for name, scorer in scorers.items():
        try:
            value = float(scorer(model, X, labels))
        except Exception as error:  # a scorer of the user may fail in any way
            failed[name] = f"{type(error).__name__}: {error}"
        else:
            if math.isfinite(value):
                values[name] = value
            else:
                failed[name] = f"it gave {value}"
    return values, failed


def area(positive: NDArray[np.bool_], score: NDArray[np.float64]) -> float | None:
    """Area under the curve; None where a class has no case.

    Examples
    --------
    >>> area(np.array([True, False]), np.array([0.9, 0.1])), area(np.array([True]), np.array([0.9]))
    (1.0, None)
    """
    if positive.all() or not positive.any():
        return None
    return BinaryScores.from_arrays(positive, score).sums().auc


def read_algorithms(algorithms: Any) -> dict[str, Any]:
    """Check the algorithms: a mapping from names to scikit-learn estimators, at least two.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> list(read_algorithms({"nb": GaussianNB(), "tree": DecisionTreeClassifier()}))
    ['nb', 'tree']
    """
    if not isinstance(algorithms, Mapping):
        raise RocInputError(
            f"must be a mapping from names to estimators, got {checks.show(algorithms)}",
            argument="algorithms",
        )
    if len(algorithms) < 2:
        raise RocInputError(f"must hold at least 2 estimators, got {len(algorithms)}", argument="algorithms")
    for name, estimator in algorithms.items():
        try:
            choose_response(estimator)
        except RocInputError as error:
            raise RocInputError(f"algorithms[{name!r}]: {error}") from None
        if not hasattr(estimator, "predict"):
            raise RocInputError(f"algorithms[{name!r}] must be a classifier with predict, got one without")
    checks.check_names(map(str, algorithms), name="algorithms")
    return {str(name): estimator for name, estimator in algorithms.items()}


def read_scorers(scorers: Any) -> dict[str, Scorer]:
    """Check the further scorers: names that scikit-learn knows, or a mapping to callables.

    Examples
    --------
    >>> list(read_scorers(["neg_log_loss"]))
    ['neg_log_loss']
    """
    if scorers is None:
        return {}
    given = scorers if isinstance(scorers, Mapping) else {name: name for name in _names(scorers)}
    found = {str(name): _scorer(name, scorer) for name, scorer in given.items()}
    if taken := {"auc", "error"} & set(found):
        raise RocInputError(
            f"must have names other than auc and error, got {sorted(taken)}", argument="scorers"
        )
    return found


def _names(scorers: Any) -> list[Any]:
    if isinstance(scorers, str) or not isinstance(scorers, (list, tuple)):
        wanted = "a list of names, or a mapping from names to callables"
        raise RocInputError(f"must be {wanted}, got {checks.show(scorers)}", argument="scorers")
    return list(scorers)


def _scorer(name: Any, scorer: Any) -> Scorer:
    if callable(scorer):
        return scorer  # type: ignore[no-any-return]
    from sklearn.metrics import get_scorer, get_scorer_names

    if scorer not in get_scorer_names():
        hint = checks.did_you_mean(scorer, get_scorer_names())
        raise RocInputError(
            f"scorers[{name!r}] must be a callable (estimator, X, y) or a name that "
            f"scikit-learn knows, got {checks.show(scorer)}{hint}"
        )
    return get_scorer(scorer)  # type: ignore[no-any-return]


def number(value: float | None) -> float:
    """NaN for None, for arrays of values."""
    return math.nan if value is None else value


# ---- Tests that are valid when all fold models were tested on one common test set -------------------------
# The fold models differ far less than the luck of the test set, so the differences between folds say
# nothing of it; the test cases do. Both tests average over the fold models first, case by case, and
# take their standard error over the cases: DeLong's from averaged placements for areas, the usual one
# of a mean of paired differences for errors.
# References
# ----------
# .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson, "Comparing the areas under two or more
#    correlated receiver operating characteristic curves", Biometrics 44, 1988.

METHODS = {"auc": "delong-averaged", "error": "case-averaged-t"}
ASSUMPTION = "test cases independent; averages over the fold models, which share most training cases"


@dataclass(frozen=True, slots=True, kw_only=True)
class AveragedTest:
    """Difference of two algorithms averaged over fold models: first minus second, over the test cases."""

    method: str
    difference: float
    se: float
    low: float
    high: float
    statistic: float
    p_value: float
    df: float | None = None


def averaged_delong(
    first: Sequence[FoldRecord], second: Sequence[FoldRecord], *, level: float
) -> AveragedTest:
    """Compare areas by DeLong's test on placements averaged over the fold models [1]_."""
    pos, neg = (a - b for a, b in zip(averaged_placements(first), averaged_placements(second), strict=True))
    se = float(np.sqrt(variance_of_mean(pos) + variance_of_mean(neg)))
    return _wald(METHODS["auc"], float(pos.mean()), se, level, None)


def averaged_error_test(
    first: Sequence[FoldRecord], second: Sequence[FoldRecord], *, level: float
) -> AveragedTest:
    """Compare errors by a paired t test over the test cases, on losses averaged over the fold models."""
    difference = averaged_losses(first) - averaged_losses(second)
    se = float(np.sqrt(variance_of_mean(difference)))
    return _wald(METHODS["error"], float(difference.mean()), se, level, len(difference) - 1.0)


def averaged_placements(records: Sequence[FoldRecord]) -> tuple[Floats, Floats]:
    """Share of the other class that each positive, then each negative, beats; mean over the models."""
    found = [_placements(record) for record in records]
    return np.mean([pos for pos, _ in found], axis=0), np.mean([neg for _, neg in found], axis=0)


def _placements(record: FoldRecord) -> tuple[Floats, Floats]:
    data = BinaryScores.from_arrays(record.positive, record.score)
    pos, neg = data.doubled_placements()
    return pos / (2 * data.n_neg), neg / (2 * data.n_pos)


def averaged_losses(records: Sequence[FoldRecord]) -> Floats:
    """Share of the fold models that decide wrongly on each test case."""
    wrong = [record.called != record.positive for record in records]
    return np.asarray(np.mean(wrong, axis=0, dtype=np.float64))


def variance_of_mean(values: Floats) -> float:
    """Squared standard error of the mean; NaN of one value alone."""
    return float(values.var(ddof=1)) / len(values) if len(values) > 1 else np.nan


def _wald(method: str, difference: float, se: float, level: float, df: float | None) -> AveragedTest:
    if se == 0:  # the two agree on every case, or differ by the same on each
        statistic = 0.0 if difference == 0 else float(np.copysign(np.inf, difference))
    else:
        statistic = difference / se
    low, high = significance.interval(difference, se, level=level, df=df)
    p = 1.0 if difference == 0 and se == 0 else float(significance.p_value(statistic, df=df))
    return AveragedTest(
        method=method, difference=difference, se=se, low=low, high=high, statistic=statistic, p_value=p, df=df
    )
