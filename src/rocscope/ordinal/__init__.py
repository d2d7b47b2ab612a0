"""Sets of ROC curves for ordinal classes [1].

A model estimates a number whose neighbourhood is the class. Every class has its own set of ROC curves, over
pairs of thresholds around its value, and two figures: how exactly it can be separated (MaxAUC), and how
clearly, whatever the thresholds (AvgAUC).

=========================================  ==========================================================
the paper, section 2                       here
=========================================  ==========================================================
ordered classes as real numbers            ``estimates.read_ordinal`` (with ``core.scores.OrdinalScores``)
thresholds t_a, t_b between neighbours     ``estimates.read_thresholds``
TP(t_a, t_b), FP(t_a, t_b)                 ``counts.ClassCounts.tp``, ``counts.ClassCounts.fp``
the matrix of (FP, TP)                     ``curves.ClassCurves.fp``, ``.tp``, ``.fpr``, ``.tpr``
one curve per fixed t_a (or t_b)           ``curves.OrdinalCurve``; ``counts.twice_areas``
c_1 and c_n: simple curves                 ``counts.ClassCounts``, whose outer threshold is infinite
MaxAUC = max AUC(ROC_i)                    ``curves.ClassCurves.max_auc``
AvgAUC = sum AUC(ROC_i) / m                ``curves.ClassCurves.avg_auc``
=========================================  ==========================================================

What the paper leaves open is a choice here: the closing of a curve (``closure``), which threshold is fixed
(``fixed``). Beside it stand the Pareto front over all pairs (``curves``), the best thresholds of all classes
together (``decision``), the volume under the ROC surface (``vus``) and the quadratic weighted kappa
(``decision``); ``resampling`` gives intervals and folds, ``roc`` the call, ``comparison`` the differences
between several scores.

References
----------
.. [1] Winkler, Affenzeller, Wagner: Sets of receiver operating characteristic curves and their use in the
   evaluation of multi-class classification, GECCO 2006.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
