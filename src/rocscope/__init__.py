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
    "AlgorithmPair": "rocscope.algorithms.pair",
    "AveragedCurve": "rocscope.average.curves",
    "AveragedRoc": "rocscope.average.averaged",
    "Band": "rocscope.area.band_result",
    "BestWeights": "rocscope.binormal.weights",
    "BinaryScores": "rocscope.core.scores",
    "Binormal": "rocscope.binormal.curve",
    "BinormalPair": "rocscope.binormal.pair",
    "BootstrapAuc": "rocscope.bootstrap.result",
    "BootstrapEstimate": "rocscope.bootstrap.result",
    "ClassArea": "rocscope.area.multiclass.rows",
    "ClassCurves": "rocscope.ordinal.curves",
    "ClassScores": "rocscope.core.scores",
    "ClassWeights": "rocscope.core.points",
    "CombinedCurve": "rocscope.binormal.quadrature",
    "CombinedScore": "rocscope.binormal.combine",
    "ContaminatedBinormal": "rocscope.binormal.contaminated",
    "CrossScores": "rocscope.sources.estimators",
    "CurveComparison": "rocscope.area.compare",
    "CurveCrossings": "rocscope.area.crossing",
    "CutPoint": "rocscope.area.cutpoint",
    "DecisionCurve": "rocscope.area.decision_curves",
    "ErrorEstimates": "rocscope.bootstrap.result",
    "Estimate": "rocscope.core.result",
    "FoldDistribution": "rocscope.algorithms.distribution",
    "FusionPreview": "rocscope.binormal.fusion_result",
    "GaussianDetector": "rocscope.sources.detectors",
    "IndifferenceRegion": "rocscope.average.region",
    "LearnerTest": "rocscope.algorithms.learner_tests",
    "LearnerTests": "rocscope.algorithms.learner_tests",
    "LearningCurve": "rocscope.bootstrap.learning_result",
    "LossCurves": "rocscope.algorithms.loss_result",
    "ModelChoice": "rocscope.binormal.model_choice",
    "ModelFit": "rocscope.binormal.model_choice",
    "MonteCarlo": "rocscope.bootstrap.monte_carlo_result",
    "MonteCarloRow": "rocscope.bootstrap.summary",
    "MulticlassAuc": "rocscope.area.multiclass",
    "OperatingPointClassifier": "rocscope.average.deploy",
    "OrdinalCurve": "rocscope.ordinal.curves",
    "OrdinalEstimates": "rocscope.sources.ordinal",
    "OrdinalRoc": "rocscope.ordinal.result",
    "OrdinalScores": "rocscope.core.scores",
    "OrdinalThresholds": "rocscope.ordinal.decision",
    "PairArea": "rocscope.area.multiclass.rows",
    "PairDifference": "rocscope.area.compare",
    "PartlyFailedError": "rocscope.errors",
    "PointComparison": "rocscope.average.point_test",
    "PointMeasures": "rocscope.area.point_measures",
    "PrecisionRecall": "rocscope.area.precision_recall",
    "ProperBinormal": "rocscope.binormal.proper_curve",
    "RankComparison": "rocscope.algorithms.rank_result",
    "RankPair": "rocscope.algorithms.rank_result",
    "ResourceError": "rocscope.errors",
    "RocBand": "rocscope.area.band",
    "RocCurve": "rocscope.core.curve",
    "RocInputError": "rocscope.errors",
    "RocWarning": "rocscope.errors",
    "RocscopeError": "rocscope.errors",
    "ScoreTable": "rocscope.core.table",
    "StudyPlan": "rocscope.area.power.plan",
    "TestResult": "rocscope.core.result",
    "Threshold": "rocscope.core.points",
    "UndefinedError": "rocscope.errors",
    "VarianceComponent": "rocscope.bootstrap.components",
    "VarianceComponents": "rocscope.bootstrap.components",
    "Verdict": "rocscope.algorithms.verdicts",
    "algorithm_pair": "rocscope.algorithms.pair",
    "auc": "rocscope.area.auc",
    "average_curves": "rocscope.average.curves",
    "average_roc": "rocscope.average.roc",
    "best_weights": "rocscope.binormal.weights",
    "bootstrap_auc": "rocscope.bootstrap.estimates",
    "choose_binormal": "rocscope.binormal.model_choice",
    "choose_reject": "rocscope.average.reject",
    "combine_binormals": "rocscope.binormal.combine",
    "combine_curves": "rocscope.binormal.quadrature",
    "combined_score": "rocscope.binormal.combine",
    "compare_algorithms": "rocscope.algorithms.compare",
    "compare_auc": "rocscope.area.compare",
    "compare_ranks": "rocscope.algorithms.ranks",
    "cross_scores": "rocscope.sources.estimators",
    "crossings": "rocscope.area.crossing",
    "cutpoint": "rocscope.area.cutpoint",
    "fit_binormal": "rocscope.binormal.fit",
    "fit_binormal_pair": "rocscope.binormal.pair",
    "fit_contaminated": "rocscope.binormal.contaminated",
    "fold_distribution": "rocscope.algorithms.distribution",
    "learning_curve": "rocscope.bootstrap.learning",
    "loss_curves": "rocscope.algorithms.losses",
    "monte_carlo": "rocscope.bootstrap.monte_carlo",
    "multiclass_auc": "rocscope.area.multiclass",
    "net_benefit": "rocscope.area.decision_curves",
    "ordinal_roc": "rocscope.ordinal.roc",
    "ordinal_scores": "rocscope.sources.ordinal",
    "paired_tests": "rocscope.algorithms.paired_tests",
    "partial_auc": "rocscope.area.partial",
    "point_measures": "rocscope.area.point_measures",
    "power": "rocscope.area.power",
    "precision_recall": "rocscope.area.precision_recall",
    "predicted_auc": "rocscope.binormal.combine",
    "preview_fusion": "rocscope.binormal.fusion",
    "read_scores": "rocscope.sources.files",
    "report": "rocscope.report",
    "roc_band": "rocscope.area.band",
    "roc_curve": "rocscope.core.curve",
    "sample_size": "rocscope.area.power",
    "search_weights": "rocscope.average.search",
    "sweep_weights": "rocscope.average.sweep",
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
    from rocscope.algorithms.distribution import FoldDistribution as FoldDistribution
    from rocscope.algorithms.distribution import fold_distribution as fold_distribution
    from rocscope.algorithms.learner_tests import LearnerTest as LearnerTest
    from rocscope.algorithms.learner_tests import LearnerTests as LearnerTests
    from rocscope.algorithms.loss_result import LossCurves as LossCurves
    from rocscope.algorithms.losses import loss_curves as loss_curves
    from rocscope.algorithms.pair import AlgorithmPair as AlgorithmPair
    from rocscope.algorithms.pair import algorithm_pair as algorithm_pair
    from rocscope.algorithms.paired_tests import paired_tests as paired_tests
    from rocscope.algorithms.rank_result import RankComparison as RankComparison
    from rocscope.algorithms.rank_result import RankPair as RankPair
    from rocscope.algorithms.ranks import compare_ranks as compare_ranks
    from rocscope.algorithms.verdicts import Verdict as Verdict
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
    from rocscope.area.multiclass.rows import ClassArea as ClassArea
    from rocscope.area.multiclass.rows import PairArea as PairArea
    from rocscope.area.partial import partial_auc as partial_auc
    from rocscope.area.point_measures import PointMeasures as PointMeasures
    from rocscope.area.point_measures import point_measures as point_measures
    from rocscope.area.power import power as power
    from rocscope.area.power import sample_size as sample_size
    from rocscope.area.power.plan import StudyPlan as StudyPlan
    from rocscope.area.precision_recall import PrecisionRecall as PrecisionRecall
    from rocscope.area.precision_recall import precision_recall as precision_recall
    from rocscope.average.averaged import AveragedRoc as AveragedRoc
    from rocscope.average.curves import AveragedCurve as AveragedCurve
    from rocscope.average.curves import average_curves as average_curves
    from rocscope.average.deploy import OperatingPointClassifier as OperatingPointClassifier
    from rocscope.average.point_test import PointComparison as PointComparison
    from rocscope.average.region import IndifferenceRegion as IndifferenceRegion
    from rocscope.average.reject import choose_reject as choose_reject
    from rocscope.average.roc import average_roc as average_roc
    from rocscope.average.search import search_weights as search_weights
    from rocscope.average.sweep import sweep_weights as sweep_weights
    from rocscope.binormal.combine import CombinedScore as CombinedScore
    from rocscope.binormal.combine import combine_binormals as combine_binormals
    from rocscope.binormal.combine import combined_score as combined_score
    from rocscope.binormal.combine import predicted_auc as predicted_auc
    from rocscope.binormal.contaminated import ContaminatedBinormal as ContaminatedBinormal
    from rocscope.binormal.contaminated import fit_contaminated as fit_contaminated
    from rocscope.binormal.curve import Binormal as Binormal
    from rocscope.binormal.fit import fit_binormal as fit_binormal
    from rocscope.binormal.fusion import preview_fusion as preview_fusion
    from rocscope.binormal.fusion_result import FusionPreview as FusionPreview
    from rocscope.binormal.model_choice import ModelChoice as ModelChoice
    from rocscope.binormal.model_choice import ModelFit as ModelFit
    from rocscope.binormal.model_choice import choose_binormal as choose_binormal
    from rocscope.binormal.pair import BinormalPair as BinormalPair
    from rocscope.binormal.pair import fit_binormal_pair as fit_binormal_pair
    from rocscope.binormal.proper_curve import ProperBinormal as ProperBinormal
    from rocscope.binormal.quadrature import CombinedCurve as CombinedCurve
    from rocscope.binormal.quadrature import combine_curves as combine_curves
    from rocscope.binormal.weights import BestWeights as BestWeights
    from rocscope.binormal.weights import best_weights as best_weights
    from rocscope.bootstrap.components import VarianceComponent as VarianceComponent
    from rocscope.bootstrap.components import VarianceComponents as VarianceComponents
    from rocscope.bootstrap.components import variance_components as variance_components
    from rocscope.bootstrap.estimates import bootstrap_auc as bootstrap_auc
    from rocscope.bootstrap.learning import learning_curve as learning_curve
    from rocscope.bootstrap.learning_result import LearningCurve as LearningCurve
    from rocscope.bootstrap.monte_carlo import monte_carlo as monte_carlo
    from rocscope.bootstrap.monte_carlo_result import MonteCarlo as MonteCarlo
    from rocscope.bootstrap.result import BootstrapAuc as BootstrapAuc
    from rocscope.bootstrap.result import BootstrapEstimate as BootstrapEstimate
    from rocscope.bootstrap.result import ErrorEstimates as ErrorEstimates
    from rocscope.bootstrap.summary import MonteCarloRow as MonteCarloRow
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
    from rocscope.ordinal.curves import ClassCurves as ClassCurves
    from rocscope.ordinal.curves import OrdinalCurve as OrdinalCurve
    from rocscope.ordinal.decision import OrdinalThresholds as OrdinalThresholds
    from rocscope.ordinal.result import OrdinalRoc as OrdinalRoc
    from rocscope.ordinal.roc import ordinal_roc as ordinal_roc
    from rocscope.report import report as report
    from rocscope.sources.detectors import GaussianDetector as GaussianDetector
    from rocscope.sources.estimators import CrossScores as CrossScores
    from rocscope.sources.estimators import cross_scores as cross_scores
    from rocscope.sources.files import read_scores as read_scores
    from rocscope.sources.ordinal import OrdinalEstimates as OrdinalEstimates
    from rocscope.sources.ordinal import ordinal_scores as ordinal_scores


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rocscope' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
