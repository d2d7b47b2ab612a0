"""rocscope: a laboratory for ROC analysis, each answer with its uncertainty.

>>> import rocscope as rs
>>> print(rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], method="logit"))
AUC 0.7500 (95% interval 0.1471-0.9812, logit)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where each public name lives; a module is loaded when its first name is used.
_HOMES = {
    "BinaryScores": "rocscope.core.scores",
    "ClassScores": "rocscope.core.scores",
    "ClassWeights": "rocscope.core.points",
    "CurveComparison": "rocscope.area.compare",
    "Estimate": "rocscope.core.result",
    "OrdinalScores": "rocscope.core.scores",
    "PairDifference": "rocscope.area.compare",
    "ResourceError": "rocscope.errors",
    "RocCurve": "rocscope.core.curve",
    "RocInputError": "rocscope.errors",
    "RocWarning": "rocscope.errors",
    "RocscopeError": "rocscope.errors",
    "ScoreTable": "rocscope.core.table",
    "TestResult": "rocscope.core.result",
    "Threshold": "rocscope.core.points",
    "UndefinedError": "rocscope.errors",
    "auc": "rocscope.area.auc",
    "compare_auc": "rocscope.area.compare",
    "roc_curve": "rocscope.core.curve",
}
__all__ = ["__version__", *sorted(_HOMES)]

if TYPE_CHECKING:
    from rocscope.area.auc import auc
    from rocscope.area.compare import CurveComparison, PairDifference, compare_auc
    from rocscope.core.curve import RocCurve, roc_curve
    from rocscope.core.points import ClassWeights, Threshold
    from rocscope.core.result import Estimate, TestResult
    from rocscope.core.scores import BinaryScores, ClassScores, OrdinalScores
    from rocscope.core.table import ScoreTable
    from rocscope.errors import ResourceError, RocInputError, RocscopeError, RocWarning, UndefinedError


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocscope' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
