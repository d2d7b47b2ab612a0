"""Binormal ROC curves: fits by maximum likelihood, related models, pairs, and combinations of classifiers.

The ROC curve of two normal distributions is a straight line on normal-deviate axes and has two parameters.
From the curves of single classifiers that of their linear combination follows, before it is built: that is
the paper [1]_, which this room also corrects and extends.

=========================================  ==========================================================
in [1]_                                    here
=========================================  ==========================================================
eqs. 3-4, the binormal curve               ``curve.Binormal``, with its closed forms; what all curves
                                           share is in ``latent.LatentCurve``
maximum-likelihood fit, its reference 8    ``fit.fit_binormal``: truth-state runs in ``latent``, the
                                           likelihood and the search in ``maximum``
eqs. 6-7, combination by quadrature        ``quadrature``
eqs. 8-11, combination in closed form      ``combine``, with the best weights
section 3, figures 1-3, tables 2-4         ``fusion.preview_fusion``, with ``fusion_parts``; any model
                                           of each score in ``fusion_models``
the curve of one combination               ``fusion_models.fusion_curve``
figure 4, curves with concavities          ``proper``, ``contaminated``, ``model_choice``
=========================================  ==========================================================

=========================================  ==========================================================
elsewhere                                  here
=========================================  ==========================================================
[2]_ eq. 5, the line from moments          ``fit``, as is the line through the points
[2]_ figures 1-2                           ``curve``: densities with their errors, the line
correlated pairs                           ``pair``, on ``latent.bivariate_cdf``
=========================================  ==========================================================

References
----------
.. [1] C. Marrocco, M. Molinara, F. Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
   ICIAP 2005, LNCS 3617.
.. [2] W. A. Yousef, R. F. Wagner, M. H. Loew: Comparison of non-parametric methods for assessing classifier
   performance in terms of ROC parameters, AIPR 2004.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
