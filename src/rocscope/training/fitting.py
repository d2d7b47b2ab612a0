"""A clone of an estimator that is trained: its random states set, its warnings collected."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.resampling import as_generator
from rocscope.errors import RocInputError, require


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


@contextmanager
def collected_warnings() -> Iterator[list[str]]:
    """Catch warnings and tell them, each once, when the block has ended; deprecations are left out.

    Examples
    --------
    >>> with collected_warnings() as told:
    ...     warnings.warn("too few cases", UserWarning)
    >>> told
    ['UserWarning: too few cases']
    """
    told: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield told
    quiet = (DeprecationWarning, PendingDeprecationWarning)
    shown = [w for w in caught if not issubclass(w.category, quiet)]
    texts = (f"{w.category.__name__}: {' '.join(str(w.message).split())}" for w in shown)
    told.extend(dict.fromkeys(texts))


# -----------------------------------------------------------------------------------------------------------
# Soft outputs of an estimator: the method that gives them, their columns in the order of known classes

Floats = NDArray[np.float64]

RESPONSES = ("predict_proba", "decision_function", "score_samples")
# predict_proba of something without labels is about clusters or components, not about classes.
DETECTOR_RESPONSES = RESPONSES[1:]


def choose_response(
    estimator: Any, response: str = "auto", *, detector: bool = False, n_classes: int = 2
) -> str:
    """Return the method that gives the soft outputs; an estimator without any is refused by name.

    A classifier that shows no method at all before it is fitted, as one that hands on those of a final
    estimator, is judged later: for it the answer is "auto".

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
    _check_estimator(estimator, detector)
    allowed = DETECTOR_RESPONSES if detector else RESPONSES
    if response != "auto" and response not in allowed:
        raise RocInputError(
            f"must be one of {allowed} where target is given, got {response!r}", argument="response"
        )
    name = type(estimator).__name__
    having = [method for method in allowed if hasattr(estimator, method)]
    if not having:
        if not detector and not hasattr(estimator, "predict") and _is_classifier(estimator):
            return response
        raise _without_response(estimator, allowed)
    if response != "auto" and response not in having:
        raise RocInputError(f"estimator {name} must have the response {response!r}, got {having}")
    method = having[0] if response == "auto" else response
    if n_classes > 2:
        _refuse_one_column(estimator, method)
    return method


def _without_response(estimator: Any, allowed: Sequence[str]) -> RocInputError:
    only = ", got one with predict only: hard labels are no scores" if hasattr(estimator, "predict") else ""
    return RocInputError(f"estimator {type(estimator).__name__} must have one of {', '.join(allowed)}{only}")


def _is_classifier(estimator: Any) -> bool:
    from sklearn.base import is_classifier

    return hasattr(estimator, "__sklearn_tags__") and bool(is_classifier(estimator))


def _check_estimator(estimator: Any, detector: bool) -> None:
    if isinstance(estimator, type):
        raise RocInputError(f"must be an object, got the class {estimator.__name__}", argument="estimator")
    if not all(hasattr(estimator, method) for method in ("fit", "get_params")):
        raise RocInputError(
            f"must be a scikit-learn estimator, got {checks.show(estimator)}", argument="estimator"
        )
    if detector and _is_classifier(estimator):
        name = type(estimator).__name__
        raise RocInputError(
            f"must be a detector where target is given, got the classifier {name}", argument="estimator"
        )


def _refuse_one_column(estimator: Any, method: str) -> None:
    """More than two classes need a column each; three pairs of three classes would pass for that."""
    if method == "score_samples":
        name = type(estimator).__name__
        raise RocInputError(f"estimator {name} must score each of more than two classes, got score_samples")
    shapes = {k: v for k, v in estimator.get_params().items() if k.endswith("decision_function_shape")}
    pairwise = [name for name, value in shapes.items() if value == "ovo"]
    if method == "decision_function" and pairwise:
        raise RocInputError(
            f"must have one output per class, got one per pair: set {pairwise[0]}='ovr'", argument="estimator"
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
        Names of the classes in the wanted order; of two the second is the positive one.
    response
        Method that gives the outputs, or "auto"; see `choose_response`.
    detector
        Whether the estimator knows no classes: its one score then speaks for the positive one. One without
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
    raw, two = _raw_outputs(model, X, response), len(classes) == 2
    if detector or not hasattr(model, "classes_"):
        scores = _detector_scores(raw, model, response, len(classes))
    else:
        scores = _class_scores(raw, model, response, classes)
    if scores.ndim == 2:
        return scores[:, 1] if two and not columns else scores
    if columns:
        raise RocInputError(f"{response} must give one output per class to be weighted, got one per case")
    return scores


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


def count_rows(X: Any) -> int:
    """Number of rows of features of any kind.

    Examples
    --------
    >>> count_rows([[1.0, 2.0], [3.0, 4.0]])
    2
    """
    shape = getattr(X, "shape", None)
    if not shape:
        shape = (len(X),) if hasattr(X, "__len__") else checks.as_array(X, name="X").shape
    if not shape:
        raise RocInputError(f"must have one row per case, got {checks.show(X)}", argument="X")
    return int(shape[0])


def readable_labels(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels as scikit-learn reads them: it knows text of fixed length, not NumPy's newer kind.

    Examples
    --------
    >>> readable_labels(np.array(["ill", "well"], dtype=np.dtypes.StringDType())).dtype
    dtype('<U4')
    """
    return np.array(labels.tolist()) if labels.dtype.kind == "T" else labels


def _raw_outputs(model: Any, X: Any, method: str) -> Floats:
    raw, n = checks.as_array(getattr(model, method)(X), name=method), count_rows(X)
    if raw.dtype.kind not in "biuf":
        raise RocInputError(f"{method} must give numbers, got {raw.dtype}")
    if raw.shape[:1] != (n,):
        raise RocInputError(f"{method} must give one row per case ({n}), got shape {raw.shape}")
    raw = raw.astype(np.float64)
    checks.refuse_rows(np.isnan(raw), name=method, wanted="no missing outputs", got="NaN")
    return raw


def _detector_scores(raw: Floats, model: Any, response: str, n_classes: int) -> Floats:
    name = type(model).__name__
    if response == "predict_proba":
        raise RocInputError(f"predict_proba of {name} must be that of classes, got an estimator without any")
    if n_classes > 2:
        raise RocInputError(f"estimator {name} must score every class where there are more than two")
    if raw.size != len(raw):
        raise RocInputError(f"{response} must give one score per case, got shape {raw.shape}")
    return raw.ravel()


def _class_scores(raw: Floats, model: Any, response: str, classes: Sequence[Any]) -> Floats:
    """One signed column of a decision function between two classes, else a column for each of `classes`."""
    seen, wanted = np.asarray(model.classes_).tolist(), list(classes)
    if unknown := [name for name in seen if name not in wanted]:
        raise RocInputError(f"must be among the labels {wanted}, got {unknown}", argument="classes_")
    if response == "decision_function" and raw.size == len(raw) and len(seen) == len(wanted) == 2:
        # One column speaks for the last class the estimator knows; turned round it speaks for the other.
        return np.asarray(raw.ravel() if seen[1] == wanted[1] else -raw.ravel())
    if raw.ndim != 2 or raw.shape[1] != len(seen):
        raise RocInputError(f"{response} must give one column per class {seen}, got shape {raw.shape}")
    matrix = np.zeros((len(raw), len(wanted)))
    matrix[:, [wanted.index(name) for name in seen]] = raw
    return matrix


# ---- One fold: train a clone of the estimator, and read its soft outputs ----------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What every fold is asked for: the outputs of one method, for these classes."""

    method: str
    classes: tuple[Any, ...]
    detector: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldJob:
    """All that a fold needs, wherever it runs; without labels the estimator is trained without them."""

    estimator: Any
    X: Any
    labels: NDArray[Any] | None
    train: NDArray[np.intp]
    test: NDArray[np.intp]
    seed: SeedSequence
    question: Question


@dataclass(frozen=True, slots=True)
class FoldScores:
    """Outputs for the test rows, their method, classes not seen in training, and what was warned of."""

    scores: Floats
    response: str
    unseen: tuple[Any, ...]
    warnings: tuple[str, ...]


def score_fold(job: FoldJob) -> FoldScores:
    """Train on the training rows, and score the test rows."""
    from sklearn.utils import _safe_indexing

    with collected_warnings() as told:
        model = seeded_clone(job.estimator, as_generator(job.seed))
        known = () if job.labels is None else (job.labels[job.train],)
        model.fit(_safe_indexing(job.X, job.train), *known)
        asked, tested = job.question, _safe_indexing(job.X, job.test)
        method = asked.method
        if method == "auto":  # what it has shows only now
            method = choose_response(model, n_classes=len(asked.classes))
        scores = soft_outputs(model, tested, asked.classes, response=method, detector=asked.detector)
    unseen = () if asked.detector else unseen_classes(model, asked.classes)
    return FoldScores(scores, method, unseen, tuple(told))
