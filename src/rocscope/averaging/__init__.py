"""Operating-point averaging: means and variances at identical points, tests between them, class weights.

An averaged AUC says nothing about the variation at the one point where a classifier will be operated. So
every fold decides at the same operating points, and each measure has a mean and a variance at each of them;
then the points that are indistinguishable from the selected one are found. The paper is [1]_.

=========================================  ==============================================================
in [1]_                                    here
=========================================  ==============================================================
section 2, decision rule and its point     ``core.points.DecisionRule``: the protocol of all points
eq. 1, threshold on a scalar output        ``core.points.Threshold``, counted by ``points``
eq. 2, arg max of weighted outputs         ``core.points.ClassWeights``, counted by ``class_weights``
section 2, other measures                  ``core.measures``, read by ``points``
Algorithm 1, steps 2-3 (stacked outputs)   ``training.cross_scores``; arrays are read by ``points``
Algorithm 1, step 4 (operating points)     ``points``: the default points, or those of the user
Algorithm 1, steps 5-12                    ``roc.average_roc``, into ``roc.AveragedRoc``
section 4.1, Gaussian detector             ``training.detectors.GaussianDetector``
section 4.2, the point at TPR >= 0.9       ``roc`` (``AveragedRoc.select``)
eq. 3, t test between two points           ``point_tests.compare_points`` (``AveragedRoc.compare_to``),
                                           on ``core.t_tests``; with all measures at once
circles of figures 2 and 3                 ``point_tests.PointComparison.indistinguishable``,
                                           ``point_tests.IndifferenceRegion``
section 4.3, greedy search for weights     ``search.search_weights``; ``search.Goal``: what is better
reference 5, many classes decomposed       ``neighbourhood``: decisions, one-class and pairwise views
section 1, comparison of classifiers       ``pairs.compare_classifiers`` (``AveragedRoc.compare_with``)
the averages that [1]_ argues against      ``curves.average_curves``: vertical, horizontal, threshold
=========================================  ==============================================================

Beyond [1]_: ``search.sweep_weights`` gives each class its best weight exactly, ``search.front_weights`` has
weights for every trade-off,
``class_weights.choose_reject`` leaves cases undecided, and ``training.deployment.OperatingPointClassifier``
decides at a point inside scikit-learn. What the tests find and cost is in docs/averaging.md.

How many cases it takes to separate two operating points: ``inference.power.sample_size``.

References
----------
.. [1] P. Paclik, C. Lai, J. Novovicova, R. P. W. Duin: Variance estimation for two-class and multi-class ROC
   analysis using operating point averaging, ICPR 2008.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
