"""From a result to a picture of plain marks: nothing is drawn here, and nothing computed.

`draw` makes figures of pictures. A further result type gets a picture by one line in `_VIEWS`; without it the
table of the result is shown.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rocscope.errors import RocInputError
from rocscope.views.curve import curves
from rocscope.views.estimate import estimates
from rocscope.views.marks import Picture

__all__ = ["Picture", "curves", "estimates", "is_table", "picture"]

TABLE = "rocscope.views.table"

# The module whose `picture` shows a result type; it is loaded when the first such result comes.
_VIEWS = {
    "rocscope.algorithms.comparison.AlgorithmComparison": "rocscope.views.algorithms",
    "rocscope.algorithms.comparison.PairTests": "rocscope.views.learner_tests",
    "rocscope.algorithms.distribution.FoldDistribution": "rocscope.views.algorithms",
    "rocscope.algorithms.learner_tests.LearnerTest": "rocscope.views.learner_tests",
    "rocscope.algorithms.learner_tests.LearnerTests": "rocscope.views.learner_tests",
    "rocscope.algorithms.loss_result.LossCurves": "rocscope.views.algorithms",
    "rocscope.algorithms.pair.AlgorithmPair": "rocscope.views.algorithms",
    "rocscope.algorithms.rank_result.RankComparison": "rocscope.views.algorithms",
    "rocscope.area.band_result.Band": "rocscope.views.band",
    "rocscope.area.compare.CurveComparison": "rocscope.views.comparison",
    "rocscope.area.compare.PairDifference": "rocscope.views.comparison",
    "rocscope.area.crossing.CurveCrossings": "rocscope.views.crossings",
    "rocscope.area.cutpoint.CutPoint": "rocscope.views.cutpoint",
    "rocscope.area.cutpoint.Optimism": "rocscope.views.cutpoint",
    "rocscope.area.decision_curves.DecisionCurve": "rocscope.views.decision_curve",
    "rocscope.area.multiclass.MulticlassAuc": "rocscope.views.multiclass",
    "rocscope.area.point_measures.PointMeasures": "rocscope.views.point_measures",
    "rocscope.area.precision_recall.PrecisionRecall": "rocscope.views.precision_recall",
    "rocscope.average.averaged.AveragedRoc": "rocscope.views.average",
    "rocscope.average.curves.AveragedCurve": "rocscope.views.averaged_curve",
    "rocscope.average.point_test.PointComparison": "rocscope.views.average",
    "rocscope.average.region.IndifferenceRegion": "rocscope.views.average",
    "rocscope.binormal.categories.Categories": "rocscope.views.binormal",
    "rocscope.binormal.combine.CombinedScore": "rocscope.views.combined",
    "rocscope.binormal.curve.Binormal": "rocscope.views.binormal",
    "rocscope.binormal.displays.Densities": "rocscope.views.binormal",
    "rocscope.binormal.displays.DeviatePlot": "rocscope.views.binormal",
    "rocscope.binormal.fusion_result.FusionPreview": "rocscope.views.fusion",
    "rocscope.binormal.latent_curve.LatentCurve": "rocscope.views.binormal",
    "rocscope.binormal.model_choice.ModelChoice": "rocscope.views.model_choice",
    "rocscope.binormal.pair.BinormalPair": "rocscope.views.binormal_pair",
    "rocscope.binormal.quadrature.CombinedCurve": "rocscope.views.combined",
    "rocscope.binormal.weights.BestWeights": "rocscope.views.combined",
    "rocscope.bootstrap.components.VarianceComponents": "rocscope.views.components",
    "rocscope.bootstrap.learning_result.LearningCurve": "rocscope.views.learning_curve",
    "rocscope.bootstrap.monte_carlo_result.MonteCarlo": "rocscope.views.monte_carlo",
    "rocscope.bootstrap.result.BootstrapAuc": "rocscope.views.bootstrap",
    "rocscope.bootstrap.result.ErrorEstimates": "rocscope.views.bootstrap",
    "rocscope.core.curve.RocCurve": "rocscope.views.curve",
    "rocscope.core.result.Estimate": "rocscope.views.estimate",
    "rocscope.core.result.Result": TABLE,
    "rocscope.ordinal.curves.ClassCurves": "rocscope.views.ordinal_parts",
    "rocscope.ordinal.curves.OrdinalCurve": "rocscope.views.ordinal_parts",
    "rocscope.ordinal.decision.OrdinalThresholds": "rocscope.views.ordinal_parts",
    "rocscope.ordinal.front.ClassFront": "rocscope.views.ordinal_parts",
    "rocscope.ordinal.resampling.OrdinalFolds": "rocscope.views.ordinal_parts",
    "rocscope.ordinal.result.OrdinalRoc": "rocscope.views.ordinal",
    "rocscope.sources.estimators.CrossScores": "rocscope.views.cross_scores",
    "rocscope.sources.ordinal.OrdinalEstimates": "rocscope.views.ordinal_parts",
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
    home = _home(result)
    if home is None:
        raise RocInputError(f"result must be a result of rocscope, got {type(result).__name__}")
    shown: Picture = import_module(home).picture(result, **options)
    return shown


def is_table(result: Any) -> bool:
    """Whether a result has no picture but its table.

    Examples
    --------
    >>> import rocscope as rs
    >>> is_table(rs.power(0.8, n_pos=20, n_neg=20)), is_table(rs.auc([0, 0, 1, 1], [1, 3, 2, 4]))
    (True, False)
    """
    return _home(result) == TABLE


def _home(result: Any) -> str | None:
    names = (f"{cls.__module__}.{cls.__qualname__}" for cls in type(result).__mro__)
    return next((_VIEWS[name] for name in names if name in _VIEWS), None)
