"""A clone of an estimator that is trained: its random states set, its warnings collected."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numpy.random import Generator


def seeded_clone(estimator: Any, stream: Generator) -> Any:
    """Clone a scikit-learn estimator and set every random state that was left open, inner ones included.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> seeded_clone(DecisionTreeClassifier(), np.random.default_rng(0)).random_state
    1826701614
    """
    from sklearn.base import clone

    model = clone(estimator)
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
