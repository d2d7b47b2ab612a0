"""What is called: every public function, the classes that users make, and the methods of results."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from functools import cache
from typing import Any

import rocscope as rs
from rocscope.core.result import Row

# Classes that users make themselves; all others are made by functions.
ESTIMATORS = {"GaussianDetector", "OperatingPointClassifier"}
MODELS = {"Binormal", "binormal.ContaminatedBinormal", "binormal.ProperBinormal"}
RULES = {"ClassWeights", "Threshold"}
# Fields of a model beside those of its curve: a fit fills them in.
FIT_FIELDS = {
    "cov", "auc", "log_likelihood", "status", "reason", "method", "n_pos", "n_neg", "n_categories",
    "categories", "cutpoints", "goodness", "warnings", "near_cov",
}  # fmt: skip
# Methods between our own modules: they take what was checked before.
INTERNAL = {
    "AveragedRoc.check_index", "AveragedRoc.from_counts", "AveragedRoc.point_columns",
    "BinaryScores.by_class", "BinaryScores.doubled_placements", "BinaryScores.from_table",
    "BinaryScores.sums", "BinaryScores.table", "ClassCurves.point_columns", "ClassWeights.decide_codes",
    "LearnerTest.undefined", "OperatingPoint.of",
    "OperatingPointClassifier.get_metadata_routing", "RocCurve.from_table", "ScoreTable.from_sorted",
    "ScoreTable.placement_deviations", "Threshold.decide_codes",
}  # fmt: skip
# What every result has; invariants.py tries it on each.
OF_EVERY_RESULT = set(dir(Row))


@cache
def public_calls() -> dict[str, Callable[..., Any]]:
    """Every public function, the classes that users make, and the class methods that make one."""
    calls: dict[str, Callable[..., Any]] = {}
    rooms = [room for room in rs.__all__ if inspect.ismodule(getattr(rs, room)) and room != "plotting"]
    names = [*rs.__all__, *(f"{room}.{name}" for room in rooms for name in getattr(rs, room).__all__)]
    for name in names:
        thing = operator.attrgetter(name)(rs)
        if not callable(thing) or (inspect.isclass(thing) and issubclass(thing, Exception)):
            continue
        if not inspect.isclass(thing) or name in ESTIMATORS | MODELS | RULES:
            calls[name] = thing
        if inspect.isclass(thing):
            for method, door in methods(thing, of_class=True).items():
                calls[f"{name}.{method}"] = door
    return calls


def methods(owner: Any, *, of_class: bool) -> dict[str, Callable[..., Any]]:
    """Public methods of rocscope's own: those of a class, or those of an object."""
    kind = owner if of_class else type(owner)
    known = {}
    for name in dir(kind):
        static = inspect.getattr_static(kind, name)
        is_class_method = isinstance(static, classmethod | staticmethod)
        if name.startswith("_") or name in OF_EVERY_RESULT or f"{kind.__name__}.{name}" in INTERNAL:
            continue
        if is_class_method == of_class and (is_class_method or inspect.isfunction(static)):
            method = getattr(owner, name)
            if method.__module__.startswith("rocscope"):
                known[name] = method
    return known


def is_for_callers(function: str, parameter: inspect.Parameter) -> bool:
    """Whether users pass a parameter, and not only the functions that make such an object."""
    is_fit_field = function in MODELS and parameter.name in FIT_FIELDS
    return parameter.kind is not parameter.VAR_KEYWORD and not is_fit_field
