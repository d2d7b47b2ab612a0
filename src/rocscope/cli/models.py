"""Models for `--model`: a short name, or a dotted path to an estimator."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from rocscope.errors import RocUsageError

DETECTOR = "gaussian-detector"
# Short names, where they live and what they are made with: a full tree would have no scores but 0 and 1.
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "lda": ("sklearn.discriminant_analysis.LinearDiscriminantAnalysis", {}),
    "qda": ("sklearn.discriminant_analysis.QuadraticDiscriminantAnalysis", {}),
    "logistic": ("sklearn.linear_model.LogisticRegression", {"max_iter": 1000}),
    "nb": ("sklearn.naive_bayes.GaussianNB", {}),
    "knn": ("sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 15}),
    "tree": ("sklearn.tree.DecisionTreeClassifier", {"min_samples_leaf": 5}),
    DETECTOR: ("rocscope.sources.detectors.GaussianDetector", {}),
}
# Models that depend on the units of the features.
SCALED = ("logistic", "knn")


def check_model(name: str, *, option: str = "--model") -> None:
    """Refuse a name that is neither known nor a dotted path, before anything is loaded."""
    if name not in MODELS and not all(part.isidentifier() for part in name.split(".")):
        raise _refusal(name, option, "which is no path")
    if name not in MODELS and "." not in name:
        raise _refusal(name, option, "which has no dot")


def make_model(name: str, *, option: str = "--model") -> Any:
    """Make the estimator of a short name, or the one that a dotted path leads to.

    The path names a class or a function, which is called without arguments, or an estimator itself. `option`
    is the one that the name was given by.

    Examples
    --------
    >>> make_model("nb"), make_model("sklearn.naive_bayes.BernoulliNB")
    (GaussianNB(), BernoulliNB())
    """
    check_model(name, option=option)
    path, settings = MODELS.get(name, (name, {}))
    refuse = partial(_refusal, name, option)
    found = _found(path, refuse)
    model = found if _is_estimator(found) else _made(found, settings, refuse)
    if not _is_estimator(model):
        raise refuse(f"which gives a {type(model).__name__} without a method fit")
    return _scaled(model) if name in SCALED else model


def _is_estimator(found: Any) -> bool:
    return hasattr(found, "fit") and not isinstance(found, type)


def _found(path: str, refuse: Callable[[str], RocUsageError]) -> Any:
    module, _, attribute = path.rpartition(".")
    try:
        return getattr(import_module(module), attribute)
    except Exception as error:  # a module of the user may fail in any way
        raise refuse(f"which cannot be imported: {_words(error)}") from error


def _made(found: Callable[..., Any], settings: dict[str, Any], refuse: Callable[[str], RocUsageError]) -> Any:
    try:
        return found(**settings)
    except Exception as error:
        raise refuse(f"which cannot be made without arguments: {_words(error)}") from error


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _refusal(name: str, option: str, why: str) -> RocUsageError:
    known = "one of" if option == "--model" else "names among"
    return RocUsageError(
        f"{option} must be {known} {', '.join(MODELS)} or a dotted path to an estimator, got {name!r}, {why}"
    )


def _scaled(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)
