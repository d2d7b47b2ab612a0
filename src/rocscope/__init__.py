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
    "partial_auc": "rocscope.area.partial",
    "read_scores": "rocscope.sources.files",
    "roc_curve": "rocscope.core.curve",
}
__all__ = [
    "BinaryScores",
    "ClassScores",
    "ClassWeights",
    "CurveComparison",
    "Estimate",
    "OrdinalScores",
    "PairDifference",
    "ResourceError",
    "RocCurve",
    "RocInputError",
    "RocWarning",
    "RocscopeError",
    "ScoreTable",
    "TestResult",
    "Threshold",
    "UndefinedError",
    "__version__",
    "auc",
    "compare_auc",
    "partial_auc",
    "read_scores",
    "roc_curve",
]

if TYPE_CHECKING:
    from rocscope.area.auc import auc as auc
    from rocscope.area.compare import CurveComparison as CurveComparison
    from rocscope.area.compare import PairDifference as PairDifference
    from rocscope.area.compare import compare_auc as compare_auc
    from rocscope.area.partial import partial_auc as partial_auc
    from rocscope.core.curve import RocCurve as RocCurve
    from rocscope.core.curve import roc_curve as roc_curve
    from rocscope.core.points import ClassWeights as ClassWeights
    from rocscope.core.points import Threshold as Threshold
    from rocscope.core.result import Estimate as Estimate
    from rocscope.core.result import TestResult as TestResult
    from rocscope.core.scores import BinaryScores as BinaryScores
    from rocscope.core.scores import ClassScores as ClassScores
    from rocscope.core.scores import OrdinalScores as OrdinalScores
    from rocscope.core.table import ScoreTable as ScoreTable
    from rocscope.errors import ResourceError as ResourceError
    from rocscope.errors import RocInputError as RocInputError
    from rocscope.errors import RocscopeError as RocscopeError
    from rocscope.errors import RocWarning as RocWarning
    from rocscope.errors import UndefinedError as UndefinedError
    from rocscope.sources.files import read_scores as read_scores


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocscope' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
