"""The measures of an average: which are wanted, their values in every fold, and their moments over folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.core.measures import check_prevalence, evaluate
from rocscope.errors import RocInputError

Floats: TypeAlias = NDArray[np.float64]
Measure: TypeAlias = Callable[[NDArray[Any]], Floats]
ROC_MEASURES = ("tpr", "fpr")


def read_measures(
    measures: Any, classes: tuple[Any, ...], *, prevalence: Any = None, cost: Any = None
) -> dict[str, Measure]:
    """Read names of measures and functions of confusion matrices, or a mapping of names to either."""
    if prevalence is not None:
        prevalence = check_shares(prevalence, len(classes))
    if measures is None:
        measures = ROC_MEASURES if len(classes) == 2 else [f"error({name})" for name in classes]
    return {
        name: _from_function(name, what) if callable(what) else _from_name(what, classes, prevalence, cost)
        for name, what in _named(measures).items()
    }


def _named(measures: Any) -> dict[str, Any]:
    """Measures by their names; a function that was given none has its own."""
    if isinstance(measures, Mapping):
        named = {str(name): what for name, what in measures.items()}
    else:
        several = isinstance(measures, Iterable) and not isinstance(measures, str)
        listed = list(measures) if several else [measures]
        names = [_own_name(what) for what in listed]
        checks.check_names(names, name="measures", at_least=0)
        named = dict(zip(names, listed, strict=True))
    if not named:
        raise RocInputError("measures must hold at least one name, got none")
    return named


def _own_name(what: Any) -> str:
    return str(getattr(what, "__name__", type(what).__name__) if callable(what) else what)


def check_shares(prevalence: Any, n_classes: int) -> Any:
    """Return the share of positives, or one share per class: of three classes one share is not enough."""
    shares = check_prevalence(prevalence, n_classes=n_classes)
    if n_classes > 2 and np.ndim(shares) == 0:
        raise RocInputError(f"prevalence must hold one share per class ({n_classes}), got {shares:g}")
    return shares


def _from_name(what: Any, classes: tuple[Any, ...], prevalence: Any, cost: Any) -> Measure:
    def measure(confusion: NDArray[Any]) -> Floats:
        return evaluate(what, confusion, classes=classes, prevalence=prevalence, cost=cost)

    return measure


def _from_function(name: Any, function: Callable[..., Any]) -> Measure:
    def measure(confusion: NDArray[Any]) -> Floats:
        with np.errstate(all="ignore"):  # 0/0 in a fold is no error: it is marked undefined
            found = np.asarray(function(confusion), dtype=np.float64)
        if found.shape != confusion.shape[:-2]:
            raise RocInputError(
                f"measures[{name!r}] must return one value per confusion matrix, shape "
                f"{confusion.shape[:-2]}, got shape {found.shape}"
            )
        return found

    return measure


def moments(values: Floats) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Mean and standard deviation over the last axis without its NaN, and how many numbers there were.

    The mean of nothing is NaN, as is the deviation of fewer than two numbers or of infinite ones. Equal
    numbers have a deviation of exactly 0.

    Examples
    --------
    >>> mean, sd, n = moments(np.array([[0.1, 0.1, 0.1], [0.0, 1.0, np.nan]]))
    >>> mean.tolist(), sd.round(4).tolist(), n.tolist()
    ([0.1, 0.5], [0.0, 0.7071], [3, 2])
    """
    known = ~np.isnan(values)
    n = np.count_nonzero(known, axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        # Centred on their first number, equal numbers are all 0; centred on a rounded mean they are not.
        first = np.take_along_axis(values, np.argmax(known, axis=-1)[..., np.newaxis], axis=-1)
        centre = np.where(np.isfinite(first), first, 0.0)
        centred = np.where(known, values - centre, 0.0)
        shift = centred.sum(axis=-1, keepdims=True) / n[..., np.newaxis]
        squares = np.where(known, (centred - shift) ** 2, 0.0).sum(axis=-1)
        sd = np.sqrt(squares / np.where(n > 1, n - 1, np.nan))
        mean = np.where(n > 0, (centre + shift)[..., 0], np.nan)
    return mean, sd, n
