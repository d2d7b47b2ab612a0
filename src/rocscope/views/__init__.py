"""From a result to a picture of plain marks: nothing is drawn here, and nothing computed.

`draw` makes figures of pictures. A further result type gets a picture by one line in `_VIEWS`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rocscope.errors import RocInputError
from rocscope.views.curve import curves
from rocscope.views.estimate import estimates
from rocscope.views.marks import Picture

__all__ = ["Picture", "curves", "estimates", "picture"]

# The module whose `picture` shows a result type; it is loaded when the first such result comes.
_VIEWS = {
    "rocscope.algorithms.comparison.AlgorithmComparison": "rocscope.views.algorithms",
    "rocscope.algorithms.distribution.FoldDistribution": "rocscope.views.algorithms",
    "rocscope.algorithms.loss_result.LossCurves": "rocscope.views.algorithms",
    "rocscope.algorithms.pair.AlgorithmPair": "rocscope.views.algorithms",
    "rocscope.algorithms.rank_result.RankComparison": "rocscope.views.algorithms",
    "rocscope.area.band_result.Band": "rocscope.views.band",
    "rocscope.area.compare.CurveComparison": "rocscope.views.comparison",
    "rocscope.area.crossing.CurveCrossings": "rocscope.views.crossings",
    "rocscope.area.cutpoint.CutPoint": "rocscope.views.cutpoint",
    "rocscope.area.decision_curves.DecisionCurve": "rocscope.views.decision_curve",
    "rocscope.area.multiclass.MulticlassAuc": "rocscope.views.multiclass",
    "rocscope.area.point_measures.PointMeasures": "rocscope.views.point_measures",
    "rocscope.area.precision_recall.PrecisionRecall": "rocscope.views.precision_recall",
    "rocscope.average.averaged.AveragedRoc": "rocscope.views.average",
    "rocscope.average.curves.AveragedCurve": "rocscope.views.averaged_curve",
    "rocscope.average.point_test.PointComparison": "rocscope.views.average",
    "rocscope.average.region.IndifferenceRegion": "rocscope.views.average",
    "rocscope.bootstrap.components.VarianceComponents": "rocscope.views.components",
    "rocscope.bootstrap.learning_result.LearningCurve": "rocscope.views.learning_curve",
    "rocscope.bootstrap.monte_carlo_result.MonteCarlo": "rocscope.views.monte_carlo",
    "rocscope.bootstrap.result.BootstrapAuc": "rocscope.views.bootstrap",
    "rocscope.binormal.curve.Binormal": "rocscope.views.binormal",
    "rocscope.binormal.displays.Densities": "rocscope.views.binormal",
    "rocscope.binormal.displays.DeviatePlot": "rocscope.views.binormal",
    "rocscope.binormal.fusion_result.FusionPreview": "rocscope.views.fusion",
    "rocscope.binormal.latent_curve.LatentCurve": "rocscope.views.binormal",
    "rocscope.binormal.model_choice.ModelChoice": "rocscope.views.model_choice",
    "rocscope.binormal.pair.BinormalPair": "rocscope.views.binormal_pair",
    "rocscope.core.curve.RocCurve": "rocscope.views.curve",
    "rocscope.core.result.Estimate": "rocscope.views.estimate",
    "rocscope.ordinal.result.OrdinalRoc": "rocscope.views.ordinal",
    "rocscope.sources.estimators.CrossScores": "rocscope.views.cross_scores",
}


def picture(result: Any, **options: Any) -> Picture:
    """Return the picture of a result.

    Parameters
    ----------
    result
        A result of rocscope.
    **options
        Options of the result's own view, such as `points` and `hull` of a ROC curve.

    Returns
    -------
    Picture
        Plain marks, for `draw.matplotlib`, `draw.save` or `draw.record`.

    Examples
    --------
    >>> import rocscope as rs
    >>> shown = picture(rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), name="test")
    >>> shown.panels[0].marks[1].label
    'test (AUC = 0.75)'
    """
    for cls in type(result).__mro__:
        home = _VIEWS.get(f"{cls.__module__}.{cls.__qualname__}")
        if home is not None:
            shown: Picture = import_module(home).picture(result, **options)
            return shown
    known = ", ".join(name.rpartition(".")[2] for name in _VIEWS)
    raise RocInputError(f"result must be of a type that has a picture ({known}), got {type(result).__name__}")
