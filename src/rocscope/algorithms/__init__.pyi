"""Result classes of this room that `rocscope` itself does not name."""

from .comparison import DatasetRow as DatasetRow
from .comparison import Failure as Failure
from .comparison import Measured as Measured
from .comparison import PairTests as PairTests
from .comparison import Verdict as Verdict
from .decisions import DecisionComparison as DecisionComparison
from .decisions import DecisionPair as DecisionPair
from .distribution import AlgorithmPair as AlgorithmPair
from .distribution import FoldDistribution as FoldDistribution
from .hierarchical import HierarchicalTest as HierarchicalTest
from .losses import BestRange as BestRange
from .losses import LossCurves as LossCurves
from .losses import MeanCrossing as MeanCrossing
from .paired_tests import LearnerTest as LearnerTest
from .paired_tests import LearnerTests as LearnerTests
from .ranks import RankComparison as RankComparison
from .ranks import RankPair as RankPair
from .table import ComparisonTable as ComparisonTable
