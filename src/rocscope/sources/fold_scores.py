"""One fold: train a clone of the estimator, and read its soft outputs as columns of known classes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.resample import as_generator
from rocscope.errors import RocInputError

Floats = NDArray[np.float64]

RESPONSES = ("predict_proba", "decision_function", "score_samples")
# predict_proba of something without labels is about clusters or components, not about classes.
DETECTOR_RESPONSES = RESPONSES[1:]


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
    """Outputs for the test rows, classes that the estimator has not seen, and what it warned of."""

    scores: Floats
    unseen: tuple[Any, ...]
    warnings: tuple[str, ...]


def choose_response(estimator: Any, response: str, *, detector: bool, n_classes: int) -> str:
    """Return the method that gives the soft outputs; an estimator without any is refused by name.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> choose_response(LinearSVC(), "auto", detector=False, n_classes=2)
    'decision_function'
    """
    checks.check_choice(response, ("auto", *RESPONSES), name="response")
    _check_estimator(estimator, detector)
    allowed = DETECTOR_RESPONSES if detector else RESPONSES
    if response != "auto" and response not in allowed:
        raise RocInputError(f"response must be one of {allowed} where target is given, got {response!r}")
    name = type(estimator).__name__
    having = [method for method in allowed if hasattr(estimator, method)]
    if not having:
        only = (
            ", got one with predict only: hard labels are no scores" if hasattr(estimator, "predict") else ""
        )
        raise RocInputError(f"estimator {name} must have one of {', '.join(allowed)}{only}")
    if response != "auto" and response not in having:
        raise RocInputError(f"estimator {name} must have the response {response!r}, got {having}")
    method = having[0] if response == "auto" else response
    if n_classes > 2:
        _refuse_one_column(estimator, method)
    return method


def _check_estimator(estimator: Any, detector: bool) -> None:
    if isinstance(estimator, type):
        raise RocInputError(f"estimator must be an object, got the class {estimator.__name__}")
    if not all(hasattr(estimator, method) for method in ("fit", "get_params")):
        raise RocInputError(f"estimator must be a scikit-learn estimator, got {checks.show(estimator)}")
    from sklearn.base import is_classifier

    if detector and hasattr(estimator, "__sklearn_tags__") and is_classifier(estimator):
        name = type(estimator).__name__
        raise RocInputError(f"estimator must be a detector where target is given, got the classifier {name}")


def _refuse_one_column(estimator: Any, method: str) -> None:
    """More than two classes need a column each; three pairs of three classes would pass for that."""
    if method == "score_samples":
        name = type(estimator).__name__
        raise RocInputError(f"estimator {name} must score each of more than two classes, got score_samples")
    shapes = {k: v for k, v in estimator.get_params().items() if k.endswith("decision_function_shape")}
    pairwise = [name for name, value in shapes.items() if value == "ovo"]
    if method == "decision_function" and pairwise:
        raise RocInputError(
            f"estimator must have one output per class, got one per pair: set {pairwise[0]}='ovr'"
        )


def score_fold(job: FoldJob) -> FoldScores:
    """Train on the training rows, and score the test rows."""
    from sklearn.base import clone
    from sklearn.utils import _safe_indexing

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = _seeded(clone(job.estimator), job.seed)
        known = () if job.labels is None else (job.labels[job.train],)
        model.fit(_safe_indexing(job.X, job.train), *known)
        scores, unseen = soft_outputs(model, _safe_indexing(job.X, job.test), job.question)
    if len(scores) != len(job.test):
        raise RocInputError(
            f"{job.question.method} must give one row per case ({len(job.test)}), got {len(scores)}"
        )
    return FoldScores(scores, unseen, _told(caught))


def _seeded(model: Any, seed: SeedSequence) -> Any:
    """Set every random state that was left open, inner ones included."""
    stream = as_generator(seed)
    params = model.get_params()
    names = sorted(name for name in params if name.split("__")[-1] == "random_state")
    drawn = {name: int(stream.integers(2**31 - 1)) for name in names if params[name] is None}
    return model.set_params(**drawn) if drawn else model


def _told(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    shown = [w for w in caught if not issubclass(w.category, (DeprecationWarning, PendingDeprecationWarning))]
    texts = (f"{w.category.__name__}: {' '.join(str(w.message).split())}" for w in shown)
    return tuple(dict.fromkeys(texts))


def soft_outputs(model: Any, X: Any, question: Question) -> tuple[Floats, tuple[Any, ...]]:
    """Return the score of the positive one of two classes, or a column per class; and classes not seen."""
    raw = _raw_outputs(model, X, question.method)
    if question.detector or not hasattr(model, "classes_"):
        return _detector_scores(raw, model, question), ()
    seen = np.asarray(model.classes_).tolist()
    if question.method == "decision_function" and raw.size == len(raw) and len(seen) == 2:
        return _signed(raw.ravel(), seen, question), ()
    if raw.ndim != 2 or raw.shape[1] != len(seen):
        raise RocInputError(f"{question.method} must give one column per class {seen}, got shape {raw.shape}")
    matrix = _place_columns(raw, seen, question.classes)
    unseen = tuple(name for name in question.classes if name not in seen)
    return (matrix[:, 1] if len(question.classes) == 2 else matrix), unseen


def _raw_outputs(model: Any, X: Any, method: str) -> NDArray[Any]:
    raw = checks.as_array(getattr(model, method)(X), name=method)
    if raw.dtype.kind not in "biuf":
        raise RocInputError(f"{method} must give numbers, got {raw.dtype}")
    raw = raw.astype(np.float64)
    checks.refuse_rows(np.isnan(raw), name=method, wanted="no missing outputs", got="NaN")
    return raw


def _detector_scores(raw: Floats, model: Any, question: Question) -> Floats:
    name = type(model).__name__
    if question.method == "predict_proba":
        raise RocInputError(f"predict_proba of {name} must be that of classes, got an estimator without any")
    if len(question.classes) > 2:
        raise RocInputError(f"estimator {name} must score every class where there are more than two")
    if raw.size != len(raw):
        raise RocInputError(f"{question.method} must give one score per case, got shape {raw.shape}")
    return raw.ravel()


def _signed(score: Floats, seen: list[Any], question: Question) -> Floats:
    """One column speaks for the last class the estimator knows; turned round it speaks for the other."""
    if set(seen) != set(question.classes):
        raise RocInputError(f"classes_ must be among the labels {list(question.classes)}, got {seen}")
    return score if seen[1] == question.classes[1] else -score


def _place_columns(raw: Floats, seen: list[Any], classes: tuple[Any, ...]) -> Floats:
    if unknown := [name for name in seen if name not in classes]:
        raise RocInputError(f"classes_ must be among the labels {list(classes)}, got {unknown}")
    matrix = np.zeros((len(raw), len(classes)))
    matrix[:, [classes.index(name) for name in seen]] = raw
    return matrix
