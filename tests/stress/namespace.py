"""The names that the source of a call may use, and the lines that define them for whoever pastes it."""

from __future__ import annotations

import re
from typing import Any

IMPORTS = """\
import gzip, tempfile
import numpy as np, pandas as pd, polars as pl, rocscope as rs
from matplotlib.figure import Figure
from numpy import inf, nan
from pathlib import Path
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
"""
# Objects that take long to make are made once.
OBJECTS = {
    "features": "np.round(np.random.default_rng(4).normal(size=(60, 2)), 1) + np.arange(60)[:, None] % 2",
    "truth": "np.arange(60) % 2",
    "comparison": "rs.compare_algorithms({'lda': LinearDiscriminantAnalysis(), 'nb': GaussianNB()}, "
    "{'one': (features, truth), 'two': (features[:, ::-1] + 1, truth)}, folds=4)",
    "fitted_folds": "cross_validate(GaussianNB(), features, truth, cv=4, return_estimator=True, "
    "return_indices=True)",
    "cross": "rs.cross_scores(GaussianNB(), features, truth, cv=4)",
}


class _Names(dict[str, Any]):
    """Globals of the calls; the objects are made when they are first used."""

    def __missing__(self, name: str) -> Any:
        if name not in OBJECTS:
            raise KeyError(name)
        self[name] = eval(OBJECTS[name], self)
        return self[name]


NAMES = _Names()
exec(IMPORTS, NAMES)


def pasteable(expression: str) -> str:
    """The expression with the lines that it needs before it."""

    def used(name: str, source: str) -> bool:
        return re.search(rf"(?<![\w'.]){name}\b(?!')", source) is not None

    definitions: list[str] = []
    needed = expression
    for name in reversed(OBJECTS):
        if used(name, needed):
            definitions.insert(0, f"{name} = {OBJECTS[name]}")
            needed += OBJECTS[name]
    lines = [line for line in IMPORTS.splitlines() if _imports_any(line, needed, used)]
    return "\n".join([*lines, *definitions, expression])


def _imports_any(line: str, source: str, used: Any) -> bool:
    names = re.sub(r"^from \S+ import |^import |\S+ as ", "", line)
    return any(used(name.strip(), source) for name in names.split(","))
