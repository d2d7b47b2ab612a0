"""rocscope: a laboratory for ROC analysis, each answer with its uncertainty.

>>> import rocscope as rs
>>> print(rs.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], method="logit"))
AUC 0.7500 (95% interval 0.0693-0.9918, logit)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where each public name lives; a module is loaded when its first name is used.
_HOMES = {
    "AveragedCurve": "rocscope.average.curves",
    "AveragedRoc": "rocscope.average.averaged",
    "Band": "rocscope.area.band_result",
    "BinaryScores": "rocscope.core.scores",
    "ClassArea": "rocscope.area.multiclass_rows",
    "ClassScores": "rocscope.core.scores",
    "ClassWeights": "rocscope.core.points",
    "CrossScores": "rocscope.sources.estimators",
    "CurveComparison": "rocscope.area.compare",
    "CurveCrossings": "rocscope.area.crossing",
    "CutPoint": "rocscope.area.cutpoint",
    "DecisionCurve": "rocscope.area.decision_curves",
    "Estimate": "rocscope.core.result",
    "GaussianDetector": "rocscope.sources.detectors",
    "IndifferenceRegion": "rocscope.average.region",
    "MulticlassAuc": "rocscope.area.multiclass",
    "OperatingPointClassifier": "rocscope.average.deploy",
    "OrdinalScores": "rocscope.core.scores",
    "PairArea": "rocscope.area.multiclass_rows",
    "PairDifference": "rocscope.area.compare",
    "PointComparison": "rocscope.average.point_test",
    "PointMeasures": "rocscope.area.point_measures",
    "PrecisionRecall": "rocscope.area.precision_recall",
    "ResourceError": "rocscope.errors",
    "RocBand": "rocscope.area.band",
    "RocCurve": "rocscope.core.curve",
    "RocInputError": "rocscope.errors",
    "RocWarning": "rocscope.errors",
    "RocscopeError": "rocscope.errors",
    "ScoreTable": "rocscope.core.table",
    "StudyPlan": "rocscope.area.power_plan",
    "TestResult": "rocscope.core.result",
    "Threshold": "rocscope.core.points",
    "UndefinedError": "rocscope.errors",
    "auc": "rocscope.area.auc",
    "average_curves": "rocscope.average.curves",
    "average_roc": "rocscope.average.roc",
    "compare_auc": "rocscope.area.compare",
    "cross_scores": "rocscope.sources.estimators",
    "crossings": "rocscope.area.crossing",
    "cutpoint": "rocscope.area.cutpoint",
    "multiclass_auc": "rocscope.area.multiclass",
    "net_benefit": "rocscope.area.decision_curves",
    "partial_auc": "rocscope.area.partial",
    "point_measures": "rocscope.area.point_measures",
    "power": "rocscope.area.power",
    "precision_recall": "rocscope.area.precision_recall",
    "read_scores": "rocscope.sources.files",
    "roc_band": "rocscope.area.band",
    "roc_curve": "rocscope.core.curve",
    "sample_size": "rocscope.area.power",
    "search_weights": "rocscope.average.search",
}
__all__ = [
    "AveragedCurve",
    "AveragedRoc",
    "Band",
    "BinaryScores",
    "ClassArea",
    "ClassScores",
    "ClassWeights",
    "CrossScores",
    "CurveComparison",
    "CurveCrossings",
    "CutPoint",
    "DecisionCurve",
    "Estimate",
    "GaussianDetector",
    "IndifferenceRegion",
    "MulticlassAuc",
    "OperatingPointClassifier",
    "OrdinalScores",
    "PairArea",
    "PairDifference",
    "PointComparison",
    "PointMeasures",
    "PrecisionRecall",
    "ResourceError",
    "RocBand",
    "RocCurve",
    "RocInputError",
    "RocWarning",
    "RocscopeError",
    "ScoreTable",
    "StudyPlan",
    "TestResult",
    "Threshold",
    "UndefinedError",
    "__version__",
    "auc",
    "average_curves",
    "average_roc",
    "compare_auc",
    "cross_scores",
    "crossings",
    "cutpoint",
    "multiclass_auc",
    "net_benefit",
    "partial_auc",
    "point_measures",
    "power",
    "precision_recall",
    "read_scores",
    "roc_band",
    "roc_curve",
    "sample_size",
    "search_weights",
]

if TYPE_CHECKING:
    from rocscope.area.auc import auc as auc
    from rocscope.area.band import RocBand as RocBand
    from rocscope.area.band import roc_band as roc_band
    from rocscope.area.band_result import Band as Band
    from rocscope.area.compare import CurveComparison as CurveComparison
    from rocscope.area.compare import PairDifference as PairDifference
    from rocscope.area.compare import compare_auc as compare_auc
    from rocscope.area.crossing import CurveCrossings as CurveCrossings
    from rocscope.area.crossing import crossings as crossings
    from rocscope.area.cutpoint import CutPoint as CutPoint
    from rocscope.area.cutpoint import cutpoint as cutpoint
    from rocscope.area.decision_curves import DecisionCurve as DecisionCurve
    from rocscope.area.decision_curves import net_benefit as net_benefit
    from rocscope.area.multiclass import MulticlassAuc as MulticlassAuc
    from rocscope.area.multiclass import multiclass_auc as multiclass_auc
    from rocscope.area.multiclass_rows import ClassArea as ClassArea
    from rocscope.area.multiclass_rows import PairArea as PairArea
    from rocscope.area.partial import partial_auc as partial_auc
    from rocscope.area.point_measures import PointMeasures as PointMeasures
    from rocscope.area.point_measures import point_measures as point_measures
    from rocscope.area.power import power as power
    from rocscope.area.power import sample_size as sample_size
    from rocscope.area.power_plan import StudyPlan as StudyPlan
    from rocscope.area.precision_recall import PrecisionRecall as PrecisionRecall
    from rocscope.area.precision_recall import precision_recall as precision_recall
    from rocscope.average.averaged import AveragedRoc as AveragedRoc
    from rocscope.average.curves import AveragedCurve as AveragedCurve
    from rocscope.average.curves import average_curves as average_curves
    from rocscope.average.deploy import OperatingPointClassifier as OperatingPointClassifier
    from rocscope.average.point_test import PointComparison as PointComparison
    from rocscope.average.region import IndifferenceRegion as IndifferenceRegion
    from rocscope.average.roc import average_roc as average_roc
    from rocscope.average.search import search_weights as search_weights
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
    from rocscope.sources.detectors import GaussianDetector as GaussianDetector
    from rocscope.sources.estimators import CrossScores as CrossScores
    from rocscope.sources.estimators import cross_scores as cross_scores
    from rocscope.sources.files import read_scores as read_scores


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocscope' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
