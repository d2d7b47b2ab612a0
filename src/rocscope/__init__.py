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
    "AlgorithmComparison": "rocscope.algorithms.comparison",
    "AlgorithmPair": "rocscope.algorithms.distribution",
    "AveragedCurve": "rocscope.averaging.curves",
    "AveragedRoc": "rocscope.averaging.roc",
    "Band": "rocscope.inference.bands",
    "BestWeights": "rocscope.binormal.combine",
    "BinaryScores": "rocscope.core.scores",
    "Binormal": "rocscope.binormal.curve",
    "BinormalPair": "rocscope.binormal.pair",
    "BootstrapAuc": "rocscope.bootstrap.result",
    "BootstrapEstimate": "rocscope.bootstrap.result",
    "ClassArea": "rocscope.inference.multiclass",
    "ClassCurves": "rocscope.ordinal.curves",
    "ClassScores": "rocscope.core.scores",
    "ClassWeights": "rocscope.core.points",
    "CombinedCurve": "rocscope.binormal.quadrature",
    "CombinedScore": "rocscope.binormal.combine",
    "ContaminatedBinormal": "rocscope.binormal.contaminated",
    "CrossScores": "rocscope.training.cross_scores",
    "CurveComparison": "rocscope.inference.compare",
    "CurveCrossings": "rocscope.inference.crossings",
    "CutPoint": "rocscope.inference.cutpoint",
    "DecisionCurve": "rocscope.inference.decision_curve",
    "ErrorEstimates": "rocscope.bootstrap.result",
    "Estimate": "rocscope.core.result",
    "FoldDistribution": "rocscope.algorithms.distribution",
    "FusionPreview": "rocscope.binormal.fusion",
    "GaussianDetector": "rocscope.training.detectors",
    "IndifferenceRegion": "rocscope.averaging.point_tests",
    "LearnerTest": "rocscope.algorithms.paired_tests",
    "LearnerTests": "rocscope.algorithms.paired_tests",
    "LearningCurve": "rocscope.bootstrap.learning",
    "LossCurves": "rocscope.algorithms.losses",
    "ModelChoice": "rocscope.binormal.model_choice",
    "ModelFit": "rocscope.binormal.model_choice",
    "MonteCarlo": "rocscope.bootstrap.monte_carlo",
    "MonteCarloRow": "rocscope.bootstrap.monte_carlo",
    "MulticlassAuc": "rocscope.inference.multiclass",
    "OperatingPointClassifier": "rocscope.training.deployment",
    "OrdinalCurve": "rocscope.ordinal.curves",
    "OrdinalEstimates": "rocscope.training.ordinal_scores",
    "OrdinalRoc": "rocscope.ordinal.roc",
    "OrdinalScores": "rocscope.core.scores",
    "OrdinalThresholds": "rocscope.ordinal.decision",
    "PairArea": "rocscope.inference.multiclass",
    "PairDifference": "rocscope.inference.compare",
    "PartlyFailedError": "rocscope.errors",
    "PointComparison": "rocscope.averaging.point_tests",
    "PointMeasures": "rocscope.inference.point_measures",
    "PrecisionRecall": "rocscope.inference.precision_recall",
    "ProperBinormal": "rocscope.binormal.proper",
    "RankComparison": "rocscope.algorithms.ranks",
    "RankPair": "rocscope.algorithms.ranks",
    "ResourceError": "rocscope.errors",
    "RocBand": "rocscope.inference.bands",
    "RocCurve": "rocscope.core.curve",
    "RocInputError": "rocscope.errors",
    "RocWarning": "rocscope.errors",
    "RocscopeError": "rocscope.errors",
    "ScoreTable": "rocscope.core.table",
    "StudyPlan": "rocscope.inference.power",
    "TestResult": "rocscope.core.result",
    "Threshold": "rocscope.core.points",
    "UndefinedError": "rocscope.errors",
    "VarianceComponent": "rocscope.bootstrap.components",
    "VarianceComponents": "rocscope.bootstrap.components",
    "Verdict": "rocscope.algorithms.comparison",
    "algorithm_pair": "rocscope.algorithms.distribution",
    "analyse": "rocscope.reporting.analysis",
    "auc": "rocscope.inference.auc",
    "average_curves": "rocscope.averaging.curves",
    "average_roc": "rocscope.averaging.roc",
    "best_weights": "rocscope.binormal.combine",
    "bootstrap_auc": "rocscope.bootstrap.estimates",
    "choose_binormal": "rocscope.binormal.model_choice",
    "choose_reject": "rocscope.averaging.reject",
    "combine_binormals": "rocscope.binormal.combine",
    "combine_curves": "rocscope.binormal.quadrature",
    "combined_score": "rocscope.binormal.combine",
    "compare_algorithms": "rocscope.algorithms.compare",
    "compare_auc": "rocscope.inference.compare",
    "compare_ranks": "rocscope.algorithms.ranks",
    "cross_scores": "rocscope.training.cross_scores",
    "crossings": "rocscope.inference.crossings",
    "cutpoint": "rocscope.inference.cutpoint",
    "fit_binormal": "rocscope.binormal.fit",
    "fit_binormal_pair": "rocscope.binormal.pair",
    "fit_contaminated": "rocscope.binormal.contaminated",
    "fold_distribution": "rocscope.algorithms.distribution",
    "learning_curve": "rocscope.bootstrap.learning",
    "loss_curves": "rocscope.algorithms.losses",
    "monte_carlo": "rocscope.bootstrap.monte_carlo",
    "multiclass_auc": "rocscope.inference.multiclass",
    "net_benefit": "rocscope.inference.decision_curve",
    "ordinal_roc": "rocscope.ordinal.roc",
    "ordinal_scores": "rocscope.training.ordinal_scores",
    "paired_tests": "rocscope.algorithms.paired_tests",
    "partial_auc": "rocscope.inference.partial",
    "point_measures": "rocscope.inference.point_measures",
    "power": "rocscope.inference.power",
    "precision_recall": "rocscope.inference.precision_recall",
    "predicted_auc": "rocscope.binormal.combine",
    "preview_fusion": "rocscope.binormal.fusion",
    "read_scores": "rocscope.io.files",
    "report": "rocscope.reporting.page",
    "roc_band": "rocscope.inference.bands",
    "roc_curve": "rocscope.core.curve",
    "sample_size": "rocscope.inference.power",
    "search_weights": "rocscope.averaging.search",
    "sweep_weights": "rocscope.averaging.search",
    "variance_components": "rocscope.bootstrap.components",
}
__all__ = [
    "AlgorithmComparison",
    "AlgorithmPair",
    "AveragedCurve",
    "AveragedRoc",
    "Band",
    "BestWeights",
    "BinaryScores",
    "Binormal",
    "BinormalPair",
    "BootstrapAuc",
    "BootstrapEstimate",
    "ClassArea",
    "ClassCurves",
    "ClassScores",
    "ClassWeights",
    "CombinedCurve",
    "CombinedScore",
    "ContaminatedBinormal",
    "CrossScores",
    "CurveComparison",
    "CurveCrossings",
    "CutPoint",
    "DecisionCurve",
    "ErrorEstimates",
    "Estimate",
    "FoldDistribution",
    "FusionPreview",
    "GaussianDetector",
    "IndifferenceRegion",
    "LearnerTest",
    "LearnerTests",
    "LearningCurve",
    "LossCurves",
    "ModelChoice",
    "ModelFit",
    "MonteCarlo",
    "MonteCarloRow",
    "MulticlassAuc",
    "OperatingPointClassifier",
    "OrdinalCurve",
    "OrdinalEstimates",
    "OrdinalRoc",
    "OrdinalScores",
    "OrdinalThresholds",
    "PairArea",
    "PairDifference",
    "PartlyFailedError",
    "PointComparison",
    "PointMeasures",
    "PrecisionRecall",
    "ProperBinormal",
    "RankComparison",
    "RankPair",
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
    "VarianceComponent",
    "VarianceComponents",
    "Verdict",
    "__version__",
    "algorithm_pair",
    "analyse",
    "auc",
    "average_curves",
    "average_roc",
    "best_weights",
    "bootstrap_auc",
    "choose_binormal",
    "choose_reject",
    "combine_binormals",
    "combine_curves",
    "combined_score",
    "compare_algorithms",
    "compare_auc",
    "compare_ranks",
    "cross_scores",
    "crossings",
    "cutpoint",
    "fit_binormal",
    "fit_binormal_pair",
    "fit_contaminated",
    "fold_distribution",
    "learning_curve",
    "loss_curves",
    "monte_carlo",
    "multiclass_auc",
    "net_benefit",
    "ordinal_roc",
    "ordinal_scores",
    "paired_tests",
    "partial_auc",
    "point_measures",
    "power",
    "precision_recall",
    "predicted_auc",
    "preview_fusion",
    "read_scores",
    "report",
    "roc_band",
    "roc_curve",
    "sample_size",
    "search_weights",
    "sweep_weights",
    "variance_components",
]

if TYPE_CHECKING:
    from rocscope.algorithms.compare import compare_algorithms as compare_algorithms
    from rocscope.algorithms.comparison import AlgorithmComparison as AlgorithmComparison
    from rocscope.algorithms.comparison import Verdict as Verdict
    from rocscope.algorithms.distribution import AlgorithmPair as AlgorithmPair
    from rocscope.algorithms.distribution import FoldDistribution as FoldDistribution
    from rocscope.algorithms.distribution import algorithm_pair as algorithm_pair
    from rocscope.algorithms.distribution import fold_distribution as fold_distribution
    from rocscope.algorithms.losses import LossCurves as LossCurves
    from rocscope.algorithms.losses import loss_curves as loss_curves
    from rocscope.algorithms.paired_tests import LearnerTest as LearnerTest
    from rocscope.algorithms.paired_tests import LearnerTests as LearnerTests
    from rocscope.algorithms.paired_tests import paired_tests as paired_tests
    from rocscope.algorithms.ranks import RankComparison as RankComparison
    from rocscope.algorithms.ranks import RankPair as RankPair
    from rocscope.algorithms.ranks import compare_ranks as compare_ranks
    from rocscope.averaging.curves import AveragedCurve as AveragedCurve
    from rocscope.averaging.curves import average_curves as average_curves
    from rocscope.averaging.point_tests import IndifferenceRegion as IndifferenceRegion
    from rocscope.averaging.point_tests import PointComparison as PointComparison
    from rocscope.averaging.reject import choose_reject as choose_reject
    from rocscope.averaging.roc import AveragedRoc as AveragedRoc
    from rocscope.averaging.roc import average_roc as average_roc
    from rocscope.averaging.search import search_weights as search_weights
    from rocscope.averaging.search import sweep_weights as sweep_weights
    from rocscope.binormal.combine import BestWeights as BestWeights
    from rocscope.binormal.combine import CombinedScore as CombinedScore
    from rocscope.binormal.combine import best_weights as best_weights
    from rocscope.binormal.combine import combine_binormals as combine_binormals
    from rocscope.binormal.combine import combined_score as combined_score
    from rocscope.binormal.combine import predicted_auc as predicted_auc
    from rocscope.binormal.contaminated import ContaminatedBinormal as ContaminatedBinormal
    from rocscope.binormal.contaminated import fit_contaminated as fit_contaminated
    from rocscope.binormal.curve import Binormal as Binormal
    from rocscope.binormal.fit import fit_binormal as fit_binormal
    from rocscope.binormal.fusion import FusionPreview as FusionPreview
    from rocscope.binormal.fusion import preview_fusion as preview_fusion
    from rocscope.binormal.model_choice import ModelChoice as ModelChoice
    from rocscope.binormal.model_choice import ModelFit as ModelFit
    from rocscope.binormal.model_choice import choose_binormal as choose_binormal
    from rocscope.binormal.pair import BinormalPair as BinormalPair
    from rocscope.binormal.pair import fit_binormal_pair as fit_binormal_pair
    from rocscope.binormal.proper import ProperBinormal as ProperBinormal
    from rocscope.binormal.quadrature import CombinedCurve as CombinedCurve
    from rocscope.binormal.quadrature import combine_curves as combine_curves
    from rocscope.bootstrap.components import VarianceComponent as VarianceComponent
    from rocscope.bootstrap.components import VarianceComponents as VarianceComponents
    from rocscope.bootstrap.components import variance_components as variance_components
    from rocscope.bootstrap.estimates import bootstrap_auc as bootstrap_auc
    from rocscope.bootstrap.learning import LearningCurve as LearningCurve
    from rocscope.bootstrap.learning import learning_curve as learning_curve
    from rocscope.bootstrap.monte_carlo import MonteCarlo as MonteCarlo
    from rocscope.bootstrap.monte_carlo import MonteCarloRow as MonteCarloRow
    from rocscope.bootstrap.monte_carlo import monte_carlo as monte_carlo
    from rocscope.bootstrap.result import BootstrapAuc as BootstrapAuc
    from rocscope.bootstrap.result import BootstrapEstimate as BootstrapEstimate
    from rocscope.bootstrap.result import ErrorEstimates as ErrorEstimates
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
    from rocscope.errors import PartlyFailedError as PartlyFailedError
    from rocscope.errors import ResourceError as ResourceError
    from rocscope.errors import RocInputError as RocInputError
    from rocscope.errors import RocscopeError as RocscopeError
    from rocscope.errors import RocWarning as RocWarning
    from rocscope.errors import UndefinedError as UndefinedError
    from rocscope.inference.auc import auc as auc
    from rocscope.inference.bands import Band as Band
    from rocscope.inference.bands import RocBand as RocBand
    from rocscope.inference.bands import roc_band as roc_band
    from rocscope.inference.compare import CurveComparison as CurveComparison
    from rocscope.inference.compare import PairDifference as PairDifference
    from rocscope.inference.compare import compare_auc as compare_auc
    from rocscope.inference.crossings import CurveCrossings as CurveCrossings
    from rocscope.inference.crossings import crossings as crossings
    from rocscope.inference.cutpoint import CutPoint as CutPoint
    from rocscope.inference.cutpoint import cutpoint as cutpoint
    from rocscope.inference.decision_curve import DecisionCurve as DecisionCurve
    from rocscope.inference.decision_curve import net_benefit as net_benefit
    from rocscope.inference.multiclass import ClassArea as ClassArea
    from rocscope.inference.multiclass import MulticlassAuc as MulticlassAuc
    from rocscope.inference.multiclass import PairArea as PairArea
    from rocscope.inference.multiclass import multiclass_auc as multiclass_auc
    from rocscope.inference.partial import partial_auc as partial_auc
    from rocscope.inference.point_measures import PointMeasures as PointMeasures
    from rocscope.inference.point_measures import point_measures as point_measures
    from rocscope.inference.power import StudyPlan as StudyPlan
    from rocscope.inference.power import power as power
    from rocscope.inference.power import sample_size as sample_size
    from rocscope.inference.precision_recall import PrecisionRecall as PrecisionRecall
    from rocscope.inference.precision_recall import precision_recall as precision_recall
    from rocscope.io.files import read_scores as read_scores
    from rocscope.ordinal.curves import ClassCurves as ClassCurves
    from rocscope.ordinal.curves import OrdinalCurve as OrdinalCurve
    from rocscope.ordinal.decision import OrdinalThresholds as OrdinalThresholds
    from rocscope.ordinal.roc import OrdinalRoc as OrdinalRoc
    from rocscope.ordinal.roc import ordinal_roc as ordinal_roc
    from rocscope.reporting.analysis import analyse as analyse
    from rocscope.reporting.page import report as report
    from rocscope.training.cross_scores import CrossScores as CrossScores
    from rocscope.training.cross_scores import cross_scores as cross_scores
    from rocscope.training.deployment import OperatingPointClassifier as OperatingPointClassifier
    from rocscope.training.detectors import GaussianDetector as GaussianDetector
    from rocscope.training.ordinal_scores import OrdinalEstimates as OrdinalEstimates
    from rocscope.training.ordinal_scores import ordinal_scores as ordinal_scores


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocscope' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
