"""What one test set can say: areas with intervals, operating points, bands, tests between curves, power.

Where things are:

=========================================  ==========================================================
placements, [2] eqs. (4)-(6), as integers  ``core.scores.BinaryScores.doubled_placements``
covariance of areas, [1] eq. (5)           ``variance.AreaMatrix``
contrasts of areas, [1] eq. (9)            ``curve_tests.contrast_test``
intervals of one area                      ``auc``, with ``variance``
partial areas                              ``auc.partial_auc``
areas over folds                           ``cross_auc``
multi-class areas [3]                      ``multiclass``; ``multilabel``
bootstrap, stratified, of clusters         ``core.resampling``
clusters and weights                       ``core.influence``; ``designed_measures`` for points
tests between curves                       ``compare``, with ``curve_tests``, ``permutation``;
                                           ``crossings`` for dominance
readers, modalities and cases              ``reader_study``, with ``reader_areas`` (areas of readers and
                                           their covariance) and ``reader_variance``
areas of subgroups                         ``subgroups``
what a point is worth                      ``point_measures``, ``proportions``; ``criterion_table`` for
                                           all thresholds
uncertainty of a chosen cut-off            ``cutpoint``; ``grey_zone`` for two
bands and other curves                     ``bands``, ``precision_recall``, ``decision_curve``;
                                           ``smoothing`` by kernels
calibration of probabilities               ``calibration``, ``calibration_comparison``
planning a study                           ``power``, with ``planned_variance``
figures as scorers of scikit-learn         ``scorers``
=========================================  ==========================================================

References
----------
.. [1] DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated receiver
   operating characteristic curves: a nonparametric approach, Biometrics 44, 1988.
.. [2] Sun, Xu: Fast implementation of DeLong's algorithm for comparing the areas under correlated
   receiver operating characteristic curves, IEEE Signal Processing Letters 21, 2014.
.. [3] Hand, Till: A simple generalisation of the area under the ROC curve for multiple class
   classification problems, Machine Learning 45, 2001.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
