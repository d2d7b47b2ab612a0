"""Cross-validated estimates of ordered classes: of a regressor, or expected classes of a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, execution, resampling
from rocscope.core.result import Result
from rocscope.core.scores import OrdinalScores
from rocscope.errors import RocInputError, require
from rocscope.training import datasets, fitting, splits
from rocscope.training.cross_scores import cross_scores, stack_folds

Floats = NDArray[np.float64]


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

    view: ClassVar[str] = "ordinal.ordinal_scores_picture"

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


@checks.known_arguments
def ordinal_scores(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 10,
    classes: Any = None,
    groups: Any = None,
    rng: resampling.Rng = None,
    n_jobs: int | None = None,
    executor: execution.Executor | None = None,
    progress: execution.Progress | None = None,
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
    >>> scores = ordinal_scores(LinearRegression(), y[:, None] + rng.normal(size=(60, 2)), y, cv=5, rng=1)
    >>> print(scores)
    60 estimates in 5 folds, 3 classes (predict)
    """
    if isinstance(estimator, type):
        raise RocInputError(f"must be an object, got the class {estimator.__name__}", argument="estimator")
    if not all(hasattr(estimator, method) for method in ("fit", "get_params", "predict")):
        raise RocInputError(
            f"must be a regressor or a classifier, got {checks.show(estimator)}", argument="estimator"
        )
    from sklearn.base import is_classifier

    truth, names = _read_classes(y, classes)
    checks.check_same_index(X=X, y=y, groups=groups, cv=cv)
    number = dict(zip(names.tolist(), truth.values.tolist(), strict=True))
    # Of two classes the higher one is positive; more need none.
    positive = max(number, key=number.__getitem__) if len(number) == 2 else None
    generator = resampling.as_generator(rng)
    folds = cv
    if isinstance(cv, (int, np.integer)):
        folds = resampling.stratified_folds(truth.values, int(cv), generator, every_class=False, name="cv")
    running: dict[str, Any] = {"n_jobs": n_jobs, "executor": executor, "progress": progress}
    if is_classifier(estimator):
        response = "predict_proba"
        scores = cross_scores(
            estimator,
            X,
            names,
            cv=folds,
            groups=groups,
            response="predict_proba",
            rng=generator,
            pos_label=positive,
            **running,
        )
        row, fold, messages, shares = scores.row, scores.fold, scores.warnings, scores.y_score
        if shares.ndim == 1:
            shares = np.column_stack([1 - shares, shares])
        y_pred = shares @ np.array([number[name] for name in scores.classes])
    else:
        response = "predict"
        data = datasets.Dataset.read(X, names, groups=groups, pos_label=positive)
        plan = splits.plan_splits(folds, data, generator)
        # A regressor is trained on the numbers of the classes, and gives one number per case.
        numbers = replace(data, labels=truth.values, classes=())
        results = fitting.score_splits(
            estimator, numbers, plan.splits, generator, response=response, **running
        )
        y_pred, row, fold = stack_folds(plan, results)
        messages = (
            *splits.split_warnings(plan, data),
            *dict.fromkeys(t for one in results for t in one.warnings),
        )
    # An interval would take several estimates of one case for those of different cases.
    if row.size > (n_cases := np.unique(row).size):
        messages = (*messages, f"{row.size} estimates are of {n_cases} cases")
    return OrdinalEstimates(
        y_true=truth.values[row],
        y_pred=y_pred,
        fold=fold,
        row=row,
        classes=truth.classes,
        labels=truth.labels,
        response=response,
        warnings=messages,
    )


def _read_classes(y: Any, classes: Any) -> tuple[OrdinalScores, NDArray[Any]]:
    """The true classes as numbers, and by the names that a classifier is trained on."""
    labels = checks.as_vector(y, name="y")
    mapped = isinstance(classes, Mapping)
    try:
        truth = OrdinalScores.from_arrays(labels, np.zeros(labels.size), classes=classes)
    except RocInputError as error:  # from_arrays calls them y_true
        raise RocInputError(str(error).replace("y_true", "y", 1)) from None
    if mapped:
        return truth, labels
    if all(number.is_integer() for number in truth.classes):
        return truth, truth.values.astype(np.int64)
    # scikit-learn takes fractions for something to regress on.
    return truth, np.array([str(value + 0.0) for value in truth.values.tolist()])


def evolved_formula(*, population: int = 500, generations: int = 10) -> Any:
    """Make a regressor whose estimate is a formula of the features, evolved by genetic programming (gplearn).

    Formulas of sums, differences and products of the standardised features are bred for their correlation
    with the class; the best one is put on the scale of the classes by linear regression, so that evolution
    need not find slope and intercept.

    Parameters
    ----------
    population, generations
        Formulas in each generation, and the number of generations.

    Examples
    --------
    >>> evolved_formula(population=100)  # doctest: +SKIP
    Pipeline(steps=[('standardscaler', ...), ('symbolictransformer', ...), ('linearregression', ...)])
    """
    genetic = require("gplearn.genetic", "genetic programming")
    from sklearn.linear_model import LinearRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    # Small tournaments and much mutation: with gplearn's own settings some runs end early in a poor optimum.
    formula = genetic.SymbolicTransformer(
        population_size=population,
        generations=generations,
        tournament_size=5,
        metric="pearson",
        stopping_criteria=1.0,
        function_set=("add", "sub", "mul"),
        init_depth=(1, 3),
        parsimony_coefficient=0.0002,
        p_crossover=0.6,
        p_subtree_mutation=0.2,
        p_hoist_mutation=0.05,
        p_point_mutation=0.1,
        hall_of_fame=10,
        n_components=1,
    )
    return make_pipeline(StandardScaler(), formula, LinearRegression())
