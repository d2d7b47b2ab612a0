"""Fit and score: a clone of an estimator is trained on the rows of a split and scores the others."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.core import checks, execution, resampling
from rocscope.core.table import ScoreTable
from rocscope.errors import RocInputError, require
from rocscope.training.datasets import Dataset, Rows, count_rows, take_rows
from rocscope.training.splits import Split

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Response: TypeAlias = Literal["auto", "predict_proba", "decision_function", "score_samples"]
Scorer: TypeAlias = Callable[[Any, Any, Any], float]

RESPONSES = ("predict_proba", "decision_function", "score_samples")
# predict_proba of something without labels is about clusters or components, not about classes.
DETECTOR_RESPONSES = RESPONSES[1:]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FoldScores:
    """What a trained clone gives for the test rows of its split.

    Attributes
    ----------
    scores, response
        Soft outputs, and the method that gave them; None of an estimator that has none.
    positive
        Which rows `predict` classifies as positive; None where that was not requested.
    unseen
        Classes without a training row.
    others, failed_scorers
        Values of further scorers, and the errors of those that have none.
    warnings
        Warnings of training and scoring, each once.
    failure
        The error that stopped it, where failures are collected; all else is empty then.
    """

    scores: Floats | None = None
    response: str | None = None
    positive: Flags | None = None
    unseen: tuple[Any, ...] = ()
    others: Mapping[str, float] = field(default_factory=dict)
    failed_scorers: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    failure: str | None = None


def fit_and_score(
    estimator: Any,
    data: Dataset,
    split: Split,
    rng: resampling.Rng,
    response: str | None = "auto",
    detector: bool = False,
    decide: bool = False,
    scorers: Mapping[str, Scorer] | None = None,
    fit_params: Mapping[str, Any] | None = None,
) -> FoldScores:
    """Train a clone on the training rows and score the test rows.

    Parameters
    ----------
    estimator
        A scikit-learn estimator. One whose `fit` takes `X_val` and `y_val` gets the validation rows.
    data, split
        The cases, and which of them train and are tested.
    rng
        Chance of every `random_state` that the estimator leaves open.
    response
        Method that gives the soft outputs; None for no soft outputs.
    detector
        Whether to train on the rows of the second class alone, without labels.
    decide
        Whether to ask `predict` for decisions between the two classes.
    scorers
        Further scorers, callables (estimator, X, y). One that fails takes nothing from the others.
    fit_params
        Further arguments of `fit`; of those with a value per case the training rows are taken.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = Dataset.read(np.array([[0.0], [1.0], [3.0], [4.0], [2.1]]), [0, 0, 1, 1, 1])
    >>> fold = fit_and_score(GaussianNB(), data, Split(np.arange(4), np.array([4])), 0, decide=True)
    >>> fold.response, fold.positive.tolist()
    ('predict_proba', [True])
    """
    others: dict[str, float] = {}
    failed: dict[str, str] = {}
    positive = scores = None
    with collected_warnings() as messages:
        model = seeded_clone(estimator, resampling.as_generator(rng))
        train = split.train[data.codes[split.train] == 1] if detector else split.train
        labels = () if detector else (data.labels[train],)
        extra = {}
        if split.validation is not None and {"X_val", "y_val"} <= set(
            inspect.signature(model.fit).parameters
        ):
            extra = {"X_val": take_rows(data.X, split.validation), "y_val": data.labels[split.validation]}
        extra |= take_params(fit_params or {}, train, data.size)
        model.fit(take_rows(data.X, train), *labels, **extra)
        X = take_rows(data.X, split.test)
        if response == "auto":  # some show only now what they have
            response = choose_response(model, detector=detector, n_classes=len(data.classes))
        if response is not None:
            scores = soft_outputs(model, X, data.classes, response=response, detector=detector)
        if decide:
            positive = decisions(model, X, data.classes)
        for name, scorer in (scorers or {}).items():
            try:
                value = float(scorer(model, X, data.labels[split.test]))
            except Exception as error:  # a scorer of the user may fail in any way
                failed[name] = f"{type(error).__name__}: {error}"
            else:
                if math.isfinite(value):
                    others[name] = value
                else:
                    failed[name] = f"it gave {value}"
    return FoldScores(
        scores=scores,
        response=response,
        positive=positive,
        unseen=() if detector else unseen_classes(model, data.classes),
        others=others,
        failed_scorers=failed,
        warnings=tuple(messages),
    )


def score_splits(
    estimator: Any,
    data: Dataset,
    splits: Sequence[Split],
    rng: resampling.Rng,
    *,
    response: str,
    detector: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    **running: Any,
) -> list[FoldScores]:
    """Fit and score every split, each a task with a seed of its own; `running` goes to `run_tasks`."""
    further = (False, None, fit_params)
    tasks = [
        execution.Task(
            f"fold {split.fold}",
            fit_and_score,
            (estimator, data, split, chunk.seed, response, detector, *further),
        )
        for split, chunk in zip(splits, resampling.plan_chunks(len(splits), rng, size=1), strict=True)
    ]
    return execution.values_of(execution.run_tasks(tasks, **running))


def seeded_clone(estimator: Any, stream: Generator) -> Any:
    """Clone a scikit-learn estimator and set every random state that was left open, inner ones included.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded_clone(DecisionTreeClassifier(), np.random.default_rng(0)).random_state
    1826701614
    """
    model = require("sklearn.base", "training a model").clone(estimator)
    params = model.get_params()
    names = sorted(name for name in params if name.split("__")[-1] == "random_state")
    drawn = {name: int(stream.integers(2**31 - 1)) for name in names if params[name] is None}
    return model.set_params(**drawn) if drawn else model


def take_params(params: Mapping[str, Any], rows: Rows, size: int) -> dict[str, Any]:
    """Arguments of `fit` for some of `size` rows: those with a value per row lose the others.

    Examples
    --------
    >>> take_params({"sample_weight": [1, 2, 3], "epochs": 5}, np.array([0, 2]), 3)
    {'sample_weight': [1, 3], 'epochs': 5}
    """

    def per_row(value: Any) -> bool:
        is_list = isinstance(value, (list, tuple)) or bool(getattr(value, "shape", ()))
        return is_list and count_rows(value) == size

    return {name: take_rows(value, rows) if per_row(value) else value for name, value in params.items()}


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Catch warnings and list them, each once, when the block has ended; deprecations are left out.

    Examples
    --------
    >>> with collected_warnings() as messages:
    ...     warnings.warn("too few cases", UserWarning)
    >>> messages
    ['UserWarning: too few cases']
    """
    messages: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield messages
    quiet = (DeprecationWarning, PendingDeprecationWarning)
    texts = (
        f"{w.category.__name__}: {' '.join(str(w.message).split())}"
        for w in caught
        if not issubclass(w.category, quiet)
    )
    messages.extend(dict.fromkeys(texts))


# ---- Soft outputs of an estimator: the method that gives them, their columns in the order of known classes


def choose_response(
    estimator: Any, response: str = "auto", *, detector: bool = False, n_classes: int = 2
) -> str:
    """Return the method that gives the soft outputs; an estimator without any is refused by name.

    A classifier that shows no method at all before it is fitted, as one that hands on those of a final
    estimator, is judged later: for it the result is "auto".

    Parameters
    ----------
    estimator
        A scikit-learn estimator, fitted or not.
    response
        "auto" for the first of `RESPONSES` that it has, or the name of one.
    detector
        Whether it is trained on one class alone, without labels.
    n_classes
        How many classes there are: more than two need one output each.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> choose_response(LinearSVC())
    'decision_function'
    """
    checks.check_choice(response, ("auto", *RESPONSES), name="response")
    refuse = partial(RocInputError, argument="estimator")
    name = type(estimator).__name__
    if isinstance(estimator, type):
        raise refuse(f"must be an object, got the class {estimator.__name__}")
    if not all(hasattr(estimator, method) for method in ("fit", "get_params")):
        raise refuse(f"must be a scikit-learn estimator, got {checks.show(estimator)}")
    if detector and _is_classifier(estimator):
        raise refuse(f"must be a detector where target is given, got the classifier {name}")
    allowed = DETECTOR_RESPONSES if detector else RESPONSES
    if response != "auto" and response not in allowed:
        raise RocInputError(
            f"must be one of {allowed} where target is given, got {response!r}", argument="response"
        )
    methods = [method for method in allowed if hasattr(estimator, method)]
    if not methods:
        if not detector and not hasattr(estimator, "predict") and _is_classifier(estimator):
            return response
        raise _without_response(estimator, allowed)
    if response != "auto" and response not in methods:
        raise refuse(f"{name} must have the response {response!r}, got {methods}")
    method = methods[0] if response == "auto" else response
    if n_classes > 2 and method == "score_samples":
        raise refuse(f"{name} must score each of more than two classes, got score_samples")
    if n_classes > 2 and method == "decision_function":
        # The outputs of three pairs of three classes would pass for a column each.
        for option, value in estimator.get_params().items():
            if option.endswith("decision_function_shape") and value == "ovo":
                raise refuse(f"must have one output per class, got one per pair: set {option}='ovr'")
    return method


def _is_classifier(estimator: Any) -> bool:
    from sklearn.base import is_classifier

    return hasattr(estimator, "__sklearn_tags__") and bool(is_classifier(estimator))


def _without_response(estimator: Any, allowed: Sequence[str]) -> RocInputError:
    only = ", got one with predict only: hard labels are no scores" if hasattr(estimator, "predict") else ""
    return RocInputError(
        f"{type(estimator).__name__} must have one of {', '.join(allowed)}{only}",
        argument="estimator",
        data_dependent=True,
    )


def soft_outputs(
    model: Any,
    X: Any,
    classes: Sequence[Any],
    *,
    response: str = "auto",
    detector: bool = False,
    columns: bool = False,
) -> Floats:
    """Return the soft outputs of a fitted estimator for known classes.

    Parameters
    ----------
    model
        The fitted estimator.
    X
        Features, a row per case.
    classes
        Names of the classes in the order of the result; of two the second is the positive one. None of a
        regressor, whose `response` is "predict".
    response
        Method that gives the outputs, or "auto"; see `choose_response`.
    detector
        Whether the estimator knows no classes: its one score is then that of the positive one. One without
        `classes_` is always read so.
    columns
        Whether two classes have a column each as well, to be weighted.

    Returns
    -------
    array, shape (cases,) or (cases, classes)
        The score of the positive one of two classes: its column, or the decision function with the sign that
        makes it large for that class. Otherwise a column per class, 0 for one that was not seen in training.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    >>> soft_outputs(GaussianNB().fit(X, y), [[0.0], [2.0]], ("b", "a")).round(4).tolist()
    [1.0, 0.5]
    """
    if response == "auto":
        response = choose_response(model, detector=detector, n_classes=len(classes))
    if not hasattr(model, response):
        raise _without_response(model, RESPONSES)
    raw = checks.as_array(getattr(model, response)(X), name=response)
    n, name = count_rows(X), type(model).__name__
    refuse = partial(RocInputError, argument=response)
    if raw.dtype.kind not in "biuf":
        raise refuse(f"must give numbers, got {raw.dtype}")
    if raw.shape[:1] != (n,):
        raise refuse(f"must give one row per case ({n}), got shape {raw.shape}")
    raw = raw.astype(np.float64)
    checks.refuse_rows(np.isnan(raw), name=response, required="no missing outputs", got="NaN")
    if detector or not classes or not hasattr(model, "classes_"):
        if response == "predict_proba":
            raise refuse(f"of {name} must be that of classes, got an estimator without any")
        if len(classes) > 2:
            raise RocInputError(
                f"{name} must score every class where there are more than two", argument="estimator"
            )
        if raw.size != len(raw):
            raise refuse(f"must give one score per case, got shape {raw.shape}")
        scores = raw.ravel()
    else:
        scores = _class_scores(raw, np.asarray(model.classes_).tolist(), response, list(classes))
    if scores.ndim == 2:
        return scores[:, 1] if len(classes) == 2 and not columns else scores
    if columns:
        raise refuse("must give one output per class to be weighted, got one per case")
    return scores


def _class_scores(raw: Floats, seen: list[Any], response: str, classes: list[Any]) -> Floats:
    """One signed column of a decision function between two classes, else a column for each of `classes`."""
    if unknown := [name for name in seen if name not in classes]:
        raise RocInputError(f"must be among the labels {classes}, got {unknown}", argument="classes_")
    if response == "decision_function" and raw.size == len(raw) and len(seen) == len(classes) == 2:
        # One column speaks for the last class the estimator knows; turned round it speaks for the other.
        return np.asarray(raw.ravel() if seen[1] == classes[1] else -raw.ravel())
    if raw.ndim != 2 or raw.shape[1] != len(seen):
        raise RocInputError(
            f"must give one column per class {seen}, got shape {raw.shape}", argument=response
        )
    matrix = np.zeros((len(raw), len(classes)))
    matrix[:, [classes.index(name) for name in seen]] = raw
    return matrix


def unseen_classes(model: Any, classes: Sequence[Any]) -> tuple[Any, ...]:
    """Classes that a fitted estimator has not been trained on; one that knows no classes lacks none.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> unseen_classes(GaussianNB().fit([[0.0], [1.0]], ["a", "b"]), ("a", "b", "c"))
    ('c',)
    """
    if not hasattr(model, "classes_"):
        return ()
    seen = np.asarray(model.classes_).tolist()
    return tuple(name for name in classes if name not in seen)


def decisions(model: Any, X: Any, classes: Sequence[Any]) -> Flags:
    """Which cases a trained model classifies as the second class; other labels are refused.

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


def area(scores: Floats, positive: Flags) -> float:
    """AUC of scores, ties one half; both classes must be there.

    Examples
    --------
    >>> area(np.array([0.1, 0.4, 0.35, 0.8]), np.array([False, False, True, True]))
    0.75
    """
    return ScoreTable.from_sorted(np.sort(scores[positive]), np.sort(scores[~positive])).auc
