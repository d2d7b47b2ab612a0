"""Result classes of this room that `rocscope` itself does not name."""

from .combine import BestWeights as BestWeights
from .combine import CombinedScore as CombinedScore
from .contaminated import ContaminatedBinormal as ContaminatedBinormal
from .curve import Densities as Densities
from .curve import DeviatePlot as DeviatePlot
from .fusion import FusionAgreement as FusionAgreement
from .fusion import FusionChoice as FusionChoice
from .fusion_models import FusionCurve as FusionCurve
from .model_choice import ModelChoice as ModelChoice
from .model_choice import ModelFit as ModelFit
from .proper import ProperBinormal as ProperBinormal
from .quadrature import CombinedCurve as CombinedCurve
