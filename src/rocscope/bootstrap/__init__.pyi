"""Result classes of this room that `rocscope` itself does not name."""

from .components import DifferenceComponents as DifferenceComponents
from .components import VarianceComponent as VarianceComponent
from .components import VarianceComponents as VarianceComponents
from .estimates import ErrorEstimates as ErrorEstimates
from .families import BootstrapEstimate as BootstrapEstimate
from .learning import LearningCurve as LearningCurve
from .learning import LearningCurves as LearningCurves
from .monte_carlo import MonteCarlo as MonteCarlo
from .monte_carlo import MonteCarloRow as MonteCarloRow
