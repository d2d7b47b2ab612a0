"""Cross-validated estimates of ordered classes: of a regressor, or expected classes of a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.execution import Executor, Progress, Task, run_tasks, values_of
from rocscope.core.resampling import Rng, as_generator, plan_chunks
from rocscope.core.result import Result
from rocscope.core.scores import OrdinalScores
from rocscope.errors import RocInputError
from rocscope.training.cross_scores import cross_scores
from rocscope.training.fitting import FoldJob, Question, score_fold
from rocscope.training.splits import Cases, Plan, Split, plan_splits, read_cases, split_warnings

Floats = NDArray[np.float64]
# A regressor is trained on the numbers of the classes, and asked for one number per case.
REGRESSION = Question(method="predict", classes=(), detector=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalEstimates(Result):
    """Estimates for cases that did not train the estimator which gave them, sorted by row.

    Attributes
    ----------
    y_true
        The number of the true class of each entry.
    y_pred
        The estimate of this number.
    fold, row
        Fold of each entry, and the row of X behind it.
    classes, labels
        The numbers of all classes, ascending, and what they are called.
    response
        "predict" of a regressor, or "predict_proba" of a classifier.
    warnings
        What a reader should know although the estimates stand.
    """

    view: ClassVar[str] = "ordinal.ordinal_parts_picture"

    y_true: Floats
    y_pred: Floats
    fold: NDArray[Any]
    row: NDArray[np.intp]
    classes: tuple[float, ...]
    labels: tuple[Any, ...]
    response: str
    warnings: tuple[str, ...] = ()

    def columns(self) -> dict[str, Any]:
        """Return one line per entry."""
        return {name: getattr(self, name) for name in ("row", "fold", "y_true", "y_pred")}

    def _summary(self) -> str:
        folds = len(np.unique(self.fold))
        return f"{self.row.size} estimates in {folds} folds, {len(self.classes)} classes ({self.response})"


def ordinal_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 10,
    classes: Any = None,
    groups: Any = None,
    rng: Rng = None,
    n_jobs: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> OrdinalEstimates:
    """Train on some rows and estimate the class of the others, for `ordinal_roc`.

    Parameters
    ----------
    estimator
        A scikit-learn regressor, trained on the numbers of the classes; or a classifier with
        `predict_proba`, whose estimate is the expected class, the mean of the numbers weighted with their
        probabilities. Every fold trains a clone; each `random_state` left at None is set from `rng`.
    X
        Features, a row per case.
    y
        True classes: numbers, or labels that `classes` maps to numbers.
    cv
        A number of folds, at most the size of the largest class; or whatever else `cross_scores` takes
        (of splitters `LeaveOneOut()`, say). Each class is dealt over the folds as evenly as can be. Unlike in
        `cross_scores` a class may have fewer members than there are folds, as the outer ones of ordered
        classes often do: the folds that cannot test it are named in a warning.
    classes
        All classes, or a mapping from label to number, as for `ordinal_roc`.
    groups, n_jobs, executor, progress
        As for `cross_scores`.
    rng
        Seed or generator for folds and estimators; any number of jobs gives the same estimates.

    Returns
    -------
    OrdinalEstimates
        With `y_true`, `y_pred`, `fold`, `row`, `classes` and `labels`; `ordinal_roc` takes it as it is.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat([1, 2, 3], 20)
    >>> found = ordinal_scores(LinearRegression(), y[:, None] + rng.normal(size=(60, 2)), y, cv=5, rng=1)
    >>> print(found)
    60 estimates in 5 folds, 3 classes (predict)
    """
    classifies = _is_classifier(estimator)
    found = _read(y, classes)
    checks.check_same_index(X=X, y=y, groups=groups, cv=cv)
    generator = as_generator(rng)
    folds = _deal(found.values, cv, generator) if isinstance(cv, (int, np.integer)) else cv
    how: dict[str, Any] = {"n_jobs": n_jobs, "executor": executor, "progress": progress}
    if classifies:
        return _expected_classes(estimator, X, found, folds, groups, generator, how)
    cases = read_cases(X, found.names, groups=groups, target=None, pos_label=found.positive)
    plan = plan_splits(folds, cases, generator)
    scores = values_of(run_tasks(_tasks(estimator, plan, cases, found.values, generator), **how))
    rows = np.concatenate([split.test for split in plan.splits])
    place = np.repeat(np.arange(len(plan.splits)), [len(split.test) for split in plan.splits])
    order = np.lexsort((place, rows))
    told = dict.fromkeys(text for fold in scores for text in fold.warnings)
    return OrdinalEstimates(
        y_true=found.values[rows[order]],
        y_pred=np.concatenate([fold.scores for fold in scores])[order],
        fold=np.array([split.fold for split in plan.splits])[place[order]],
        row=rows[order],
        classes=found.data.classes,
        labels=found.data.labels,
        response="predict",
        warnings=(*split_warnings(plan, cases), *told, *_repeated_words(rows)),
    )


@dataclass(frozen=True, slots=True)
class _Classes:
    """The true class of each row as a number, and by the name that a classifier is trained on."""

    values: Floats
    names: NDArray[Any]
    data: OrdinalScores

    @property
    def numbers(self) -> dict[Any, float]:
        """Number of each name."""
        return dict(zip(self.names.tolist(), self.values.tolist(), strict=True))

    @property
    def positive(self) -> Any:
        """Name of the higher of two classes; more need no positive one."""
        found = sorted(self.numbers, key=self.numbers.__getitem__)
        return found[-1] if len(found) == 2 else None


def _read(y: Any, classes: Any) -> _Classes:
    """Check the true classes at the same door as estimates."""
    labels = checks.as_vector(y, name="y")
    names = classes if isinstance(classes, Mapping) or classes is None else list(classes)
    try:
        data = OrdinalScores.from_arrays(labels, np.zeros(labels.size), classes=names)
    except RocInputError as error:  # the door calls them y_true
        raise RocInputError(str(error).replace("y_true", "y", 1)) from None
    if not isinstance(classes, Mapping):
        whole = all(number.is_integer() for number in data.classes)
        # scikit-learn takes fractions for something to regress on.
        texts = [] if whole else [str(value + 0.0) for value in data.values.tolist()]
        labels = data.values.astype(np.int64) if whole else np.array(texts)
    return _Classes(data.values, labels, data)


def _repeated_words(rows: NDArray[np.intp]) -> tuple[str, ...]:
    """Say that rows were tested several times: an interval would take their estimates for different cases."""
    cases = np.unique(rows).size
    return (f"{rows.size} estimates are of {cases} cases",) if rows.size > cases else ()


def _is_classifier(estimator: Any) -> bool:
    if isinstance(estimator, type):
        raise RocInputError(f"must be an object, got the class {estimator.__name__}", argument="estimator")
    if not all(hasattr(estimator, method) for method in ("fit", "get_params", "predict")):
        raise RocInputError(
            f"must be a regressor or a classifier, got {checks.show(estimator)}", argument="estimator"
        )
    from sklearn.base import is_classifier

    return bool(is_classifier(estimator))


def _deal(values: Floats, cv: Any, generator: Generator) -> NDArray[np.int64]:
    """Fold of each row: shuffled, then dealt class by class, going on where the last class stopped."""
    n_folds = checks.check_integer(cv, name="cv", low=2)
    if n_folds > values.size:
        raise RocInputError(
            f"must be at most the number of cases, {values.size}, got {n_folds}", argument="cv"
        )
    largest = int(np.unique(values, return_counts=True)[1].max())
    if n_folds > largest:
        raise RocInputError(
            f"must be at most the size of the largest class, {largest}, got {n_folds}", argument="cv"
        )
    shuffled = generator.permutation(values.size)
    by_class = shuffled[np.argsort(values[shuffled], kind="stable")]
    fold = np.empty(values.size, np.int64)
    fold[by_class] = np.arange(values.size) % n_folds
    return fold


def _tasks(estimator: Any, plan: Plan, cases: Cases, values: Floats, generator: Generator) -> list[Task]:
    chunks = plan_chunks(len(plan.splits), generator, size=1)
    return [
        Task(f"fold {split.fold}", score_fold, (_job(estimator, cases, values, split, chunk.seed),))
        for split, chunk in zip(plan.splits, chunks, strict=True)
    ]


def _job(estimator: Any, cases: Cases, values: Floats, split: Split, seed: SeedSequence) -> FoldJob:
    return FoldJob(
        estimator=estimator,
        X=cases.X,
        labels=values,
        train=split.train,
        test=split.test,
        seed=seed,
        question=REGRESSION,
    )


def _expected_classes(
    estimator: Any,
    X: Any,
    known: _Classes,
    folds: Any,
    groups: Any,
    generator: Generator,
    how: dict[str, Any],
) -> OrdinalEstimates:
    found = cross_scores(
        estimator,
        X,
        known.names,
        cv=folds,
        groups=groups,
        response="predict_proba",
        rng=generator,
        pos_label=known.positive,
        **how,
    )
    shares = found.y_score
    if shares.ndim == 1:
        shares = np.column_stack([1 - shares, shares])
    return OrdinalEstimates(
        y_true=known.values[found.row],
        y_pred=shares @ np.array([known.numbers[name] for name in found.classes]),
        fold=found.fold,
        row=found.row,
        classes=known.data.classes,
        labels=known.data.labels,
        response="predict_proba",
        warnings=(*found.warnings, *_repeated_words(found.row)),
    )
