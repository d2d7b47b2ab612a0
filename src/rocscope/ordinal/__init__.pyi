"""Result classes of this room that `rocscope` itself does not name."""

from .comparison import FigureDifference as FigureDifference
from .comparison import OrdinalComparison as OrdinalComparison
from .curves import ClassCurves as ClassCurves
from .curves import ClassFront as ClassFront
from .curves import OrdinalCurve as OrdinalCurve
from .decision import OrdinalThresholds as OrdinalThresholds
from .resampling import OrdinalFolds as OrdinalFolds
from .roc import OverallAreas as OverallAreas
