"""Result classes of this room that `rocscope` itself does not name."""

from .bands import RocBand as RocBand
from .calibration import Calibration as Calibration
from .calibration import CalibrationBin as CalibrationBin
from .calibration import ScoreDecomposition as ScoreDecomposition
from .calibration_comparison import CalibrationComparison as CalibrationComparison
from .calibration_comparison import CalibrationDifference as CalibrationDifference
from .criterion_table import CriterionTable as CriterionTable
from .crossings import CurveCrossings as CurveCrossings
from .curve_tests import PairDifference as PairDifference
from .cutpoint import CutPoint as CutPoint
from .cutpoint import Optimism as Optimism
from .decision_curve import DecisionCurve as DecisionCurve
from .decision_curve import DecisionCurves as DecisionCurves
from .multiclass import ClassArea as ClassArea
from .multiclass import DirectedArea as DirectedArea
from .multiclass import LabelArea as LabelArea
from .multiclass import MulticlassAuc as MulticlassAuc
from .multiclass import PairArea as PairArea
from .point_measures import PointMeasures as PointMeasures
from .power import StudyPlan as StudyPlan
from .precision_recall import PrecisionRecall as PrecisionRecall
from .smoothing import SmoothRoc as SmoothRoc
from .subgroups import HomogeneityTest as HomogeneityTest
from .subgroups import SubgroupArea as SubgroupArea
from .subgroups import SubgroupAreas as SubgroupAreas
