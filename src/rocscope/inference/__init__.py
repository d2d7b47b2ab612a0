"""What one test set can tell: areas with intervals, operating points, bands, tests between curves, power.

Where things are:

=========================================  ==========================================================
placements, [2] eqs. (4)-(6), as integers  ``core.scores.BinaryScores.doubled_placements``
covariance of areas, [1] eq. (5)           ``delong.AreaMatrix``
contrasts of areas, [1] eq. (9)            ``tests_between.contrast_test``
intervals of one area                      ``auc``, with ``intervals``, ``variance``, ``bounds``
partial areas                              ``partial``
multi-class areas [3]                      ``multiclass``, a folder
stratified bootstrap                       ``resampled``, ``paired_bootstrap``, ``replicates``
tests between curves                       ``compare``, with ``tests_between``, ``bootstrap_test``,
                                           ``hanley_mcneil``, ``permutation``, ``venkatraman``,
                                           ``equivalence``; ``crossing`` for dominance
what a point is worth                      ``point_measures``, ``point_estimates``, ``binomial``,
                                           ``quotients``; of more classes ``class_estimates``
how sure a chosen cut-point is             ``cutpoint``, ``repeated_choice``
bands and other curves                     ``band``, ``precision_recall``, ``decision_curves``
planning a study                           ``power``, a folder
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
