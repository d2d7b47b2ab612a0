"""What one test set can tell: areas with intervals, and tests between curves.

DeLong's variance [1]_ is computed from the midranks of Sun and Xu [2]_, kept as integers:

=====================================  =======================================================
placements, [2] eqs. (4)-(6)           ``core.scores.BinaryScores.doubled_placements``
covariance of areas, [1] eq. (5)       ``area.delong.AreaMatrix``
contrasts of areas, [1] eq. (9)        ``area.compare.contrast_test``
intervals of one area                  ``area.auc.auc``
=====================================  =======================================================

References
----------
.. [1] DeLong, DeLong, Clarke-Pearson: Comparing the areas under two or more correlated receiver
   operating characteristic curves: a nonparametric approach, Biometrics 44, 1988.
.. [2] Sun, Xu: Fast implementation of DeLong's algorithm for comparing the areas under correlated
   receiver operating characteristic curves, IEEE Signal Processing Letters 21, 2014.
"""
