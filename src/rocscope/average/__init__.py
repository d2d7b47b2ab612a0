"""Operating-point averaging: means and variances at identical points, tests between them, class weights.

An averaged AUC says nothing about the variation at the one point where a classifier will be operated. So
every fold decides at the same operating points, and each measure has a mean and a variance at each of them;
then the points that cannot be told apart from the chosen one are found. The paper is [1]_.

=========================================  ==========================================================
in [1]_                                    here
=========================================  ==========================================================
eq. 1, threshold on a scalar output        ``core.points.Threshold``, counted by ``folded``
eq. 2, arg max of weighted outputs         ``core.points.ClassWeights``, counted by ``weighted``
Algorithm 1, steps 3-4 (stacked points)    ``given``: the default points
Algorithm 1, steps 5-12                    ``roc.average_roc``, into ``averaged.AveragedRoc``
eq. 3, t test between two points           ``point_test.compare_points`` (``AveragedRoc.compare_to``),
                                           on ``core.paired``; ``joint`` tests all measures at once
circles of figures 2 and 3                 ``point_test.PointComparison.indistinguishable``,
                                           ``region.IndifferenceRegion``
section 4.3, greedy search for weights     ``search``
the averages that [1]_ argues against      ``curves.average_curves``: vertical, horizontal, threshold
=========================================  ==========================================================

How many cases it takes to separate two operating points is answered by ``area.power.sample_size``.

References
----------
.. [1] P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin: Variance estimation for two-class and multi-class ROC
   analysis using operating point averaging, ICPR 2008.
"""
