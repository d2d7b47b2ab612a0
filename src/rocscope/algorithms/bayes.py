"""The Bayesian correlated t test: how probable is it that one learner is better?

References
----------
.. [1] G. Corani, A. Benavoli, "A Bayesian approach for comparing cross-validated algorithms on
   multiple data sets", Machine Learning 100, 2015.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from rocscope.algorithms.differences import Floats
from rocscope.core.paired import corrected_t


def correlated_posterior(differences: Floats, *, test_over_train: float, rope: float) -> Floats:
    """Return for every row the posterior probability that the mean difference is below, in, above the rope.

    The posterior of the mean difference is Student's t with J - 1 degrees of freedom around the mean,
    with the standard error of the corrected t test [1]_; `rope` is the half-width of the region of
    practical equivalence around zero.

    Examples
    --------
    >>> rows = np.array([[1.0, 2.0, 3.0]])
    >>> correlated_posterior(rows, test_over_train=0.5, rope=0).round(4).tolist()
    [[0.0799, 0.0, 0.9201]]
    """
    test = corrected_t(differences, test_over_train=test_over_train)
    spread = np.where(test.se > 0, test.se, 1.0)
    with np.errstate(over="ignore"):  # beyond all numbers a tail is 0 or 1
        below = special.stdtr(test.df, (-rope - test.mean) / spread)
        above = special.stdtr(test.df, (test.mean - rope) / spread)
    # Without any spread the posterior is a point mass; one that lies on the rope's border belongs to it.
    certain = test.se == 0
    below = np.where(certain, test.mean < -rope, below)
    above = np.where(certain, test.mean > rope, above)
    return np.stack([below, np.clip(1 - below - above, 0, 1), above], axis=-1)
