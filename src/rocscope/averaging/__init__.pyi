"""Result classes of this room that `rocscope` itself does not name."""

from .curves import AveragedCurve as AveragedCurve
from .neighbourhood import ConfusionRates as ConfusionRates
from .neighbourhood import WeightNeighbourhood as WeightNeighbourhood
from .pairs import ClassifierDifference as ClassifierDifference
from .point_tests import IndifferenceRegion as IndifferenceRegion
