"""Bootstrap estimates of the AUC and error of a classifier, from the one small data set it is trained on.

With a few dozen cases there is none to spare for a test set. Replicates drawn with replacement train the
classifier, and the cases each leaves out test it; the estimates differ in how they put this together. The
paper is [1]_.

====================================  ===================================================================
in [1]_                               here
====================================  ===================================================================
eqs. 2-4 and 8, expected loss         ``point632.LossRule``: four slips of the print are put right there
eq. 10, empirical AUC                 ``core.table.ScoreTable``
eq. 12, .632 of the error             ``point632.point632``
eq. 13, apparent error                ``point632.LossRule.mean_loss``
eq. 14, leave-one-out bootstrap       ``left_out.left_out_loss``
eq. 15, .632+ of the error            ``point632.point632plus_error``, R' as in [2]_
eq. 16, AUC(*)                        ``families.estimate_areas``, from ``left_out.pair_sums``
eq. 17, .632 of the AUC               ``point632.point632``
eqs. 18-19, .632+ of the AUC          ``point632.point632plus_auc``; two rules where AUC(*) is below chance
section 2, figure 3; table 1          ``monte_carlo.monte_carlo``, ``engine``; ``papers.yousef``
section 3, cross-validation           ``cross_validation``
section 4.3, figure 5                 ``learning.learning_curve``
section 4.3, components of variance   ``components.variance_components``, ``difference_components``
====================================  ===================================================================

``estimates.bootstrap_auc`` draws the splits, trains them (``left_out``, by the room ``training``) and puts
the estimates of ``point632`` together with their standard errors.

Beyond [1]_: the leave-pair-out bootstrap and its standard error by the influence function (``left_out``),
which AUC(*), .632 and .632+ borrow, and Monte-Carlo errors of everything. What the estimates are worth is in
docs/bootstrap.md.

References
----------
.. [1] W. A. Yousef, R. F. Wagner, M. H. Loew: Comparison of non-parametric methods for assessing classifier
   performance in terms of ROC parameters, AIPR 2004.
.. [2] B. Efron, R. Tibshirani: Improvements on cross-validation: the .632+ bootstrap method, JASA 92, 1997.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
