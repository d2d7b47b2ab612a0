"""The ROC curve of a linear combination of classifiers, from their binormal curves alone.

With z = w_1 y_1 + ... + w_k y_k of latent scores, both classes of z are normal again:

- negatives: mean 0, variance w' R_N w;
- positives: mean sum w_i a_i / b_i, variance w' D R_P D w with D = diag(1 / b_i),

where R_N and R_P are the correlations inside the classes; [1] has two classifiers and R = I.

References
----------
.. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
   ICIAP 2005, LNCS 3617.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.joint import Floats, JointScores, as_weights
from rocscope.binormal.latent import normal_density
from rocscope.core import checks
from rocscope.core.result import Result
from rocscope.errors import RocInputError

CLASSES = ("neg", "pos")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinedScore(Result):
    """The combined latent score z: a normal distribution in each class.

    Attributes
    ----------
    weights
        As they were given.
    mean_pos
        Mean of the positives; that of the negatives is 0.
    sd_neg, sd_pos
        Standard deviations.
    """

    weights: Floats
    mean_pos: float
    sd_neg: float
    sd_pos: float

    def _summary(self) -> str:
        told = ", ".join(f"{weight:g}" for weight in self.weights)
        return f"combined score, weights {told}: AUC {self.auc:.4f}"

    @property
    def auc(self) -> float:
        """Area under the curve, Phi(mean / sqrt(var_neg + var_pos))."""
        return float(special.ndtr(self.mean_pos / np.hypot(self.sd_neg, self.sd_pos)))

    def fpr(self, t: Any) -> Floats:
        """Rate of negatives with z >= t: [1] eq. (11), first line."""
        return np.asarray(special.ndtr(-_numbers(t, "t") / self.sd_neg))

    def tpr(self, t: Any) -> Floats:
        """Rate of positives with z >= t: [1] eq. (11), second line, with 1/2 for the printed 1/(2b)."""
        return np.asarray(special.ndtr((self.mean_pos - _numbers(t, "t")) / self.sd_pos))

    def density(self, t: Any, *, of: str = "pos") -> Floats:
        """Density of z in the class `of`, "pos" or "neg": [1] eq. (9), with the square it lacks in print."""
        positive = checks.check_choice(of, CLASSES, name="of") == "pos"
        mean, sd = (self.mean_pos, self.sd_pos) if positive else (0.0, self.sd_neg)
        return normal_density((_numbers(t, "t") - mean) / sd) / sd

    def curve(self) -> Binormal:
        """The binormal curve of z: a = mean / sd_pos, b = sd_neg / sd_pos."""
        return Binormal(a=self.mean_pos / self.sd_pos, b=self.sd_neg / self.sd_pos, method="combined")


def combined_score(fits: Any, weights: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> CombinedScore:
    """Return the distribution of a weighted sum of latent scores; parameters as in `combine_binormals`.

    Examples
    --------
    >>> z = combined_score([Binormal(a=1.0, b=1.0), Binormal(a=2.0, b=0.5)], [0.5, 0.5])
    >>> z.fpr([0, 1]).round(4).tolist(), z.tpr([0, 1]).round(4).tolist()
    ([0.5, 0.0786], [0.9873, 0.9101])
    """
    joint = JointScores.of(fits, corr_neg=corr_neg, corr_pos=corr_pos)
    given = _one_combination(weights, len(joint))
    scale = float(np.abs(np.asarray(weights, dtype=np.float64)).max())
    mean, sd_neg, sd_pos = (float(value) * scale for value in _moments(joint, given))
    if not (max(abs(mean), sd_neg, sd_pos) < np.inf and min(sd_neg, sd_pos) >= np.finfo(np.float64).tiny):
        told = "be of a size that float64 holds the combined score in; combine_binormals takes any size"
        raise RocInputError(f"weights must {told}, got {checks.show(weights)}")
    return CombinedScore(weights=given * scale, mean_pos=mean, sd_neg=sd_neg, sd_pos=sd_pos)


def combine_binormals(fits: Any, weights: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> Binormal:
    """Predict the ROC curve of a weighted sum of classifiers from their binormal curves.

    The combination need not be built, nor any case evaluated. The sum is one of latent scores, on which
    the negatives of each classifier are N(0, 1); raw outputs live there only if each classifier's
    negatives are normal with one common spread.

    Parameters
    ----------
    fits
        List of `Binormal` curves, one per classifier.
    weights
        One weight per classifier; negative ones are allowed, and the scale does not matter.
    corr_neg, corr_pos
        Correlations of the latent scores among the negatives and among the positives: matrices, or for
        two classifiers one number each. Without them the classifiers are independent given the class,
        as [1] assumes; real ones seldom are (`fit_binormal_pair` estimates the correlations).

    Returns
    -------
    Binormal
        The combined curve; `combined_score` has its thresholds and densities too.

    Raises
    ------
    RocInputError
        If all weights are 0, or a matrix is no correlation matrix.
    UndefinedError
        If a fit has no curve, or a correlation is 1 or -1: the weights may cancel then, and the message
        has the condition number.

    Notes
    -----
    For two independent classifiers this is eq. (11) of [1], corrected. The factor 1/(2b) before the
    positives' distribution in eqs. (10) and (11) is a misprint of 1/2 (the distribution would end at 1/b,
    of a b that is nowhere defined), and the last exponent of eq. (9) lacks the square of its numerator.

    References
    ----------
    .. [1] Marrocco, Molinara, Tortorella: Estimating the ROC curve of linearly combined dichotomizers,
       ICIAP 2005, LNCS 3617.

    Examples
    --------
    >>> first, second = Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8)
    >>> round(combine_binormals([first, second], [0.5, 0.5]).auc, 4)
    0.8791
    >>> round(combine_binormals([first, second], [0.5, 0.5], corr_neg=0.9, corr_pos=0.9).auc, 4)
    0.8029
    """
    joint = JointScores.of(fits, corr_neg=corr_neg, corr_pos=corr_pos)
    a, b = combined_parameters(joint, _one_combination(weights, len(joint)))
    return Binormal(a=float(a), b=float(b), method="combined")


def predicted_auc(fits: Any, weights: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> Floats:
    """Predict the areas of many combinations at once.

    Parameters
    ----------
    fits, corr_neg, corr_pos
        Curves and correlations, as in `combine_binormals`.
    weights
        One combination per row, (m, k).

    Returns
    -------
    array
        The m predicted areas.

    Examples
    --------
    >>> fits = [Binormal(a=1.0, b=1.0), Binormal(a=1.2, b=0.8)]
    >>> predicted_auc(fits, [[1, 0], [1, 1], [0, 1]]).round(4).tolist()
    [0.7602, 0.8791, 0.8256]
    """
    joint = JointScores.of(fits, corr_neg=corr_neg, corr_pos=corr_pos)
    rows = np.atleast_2d(as_weights(weights, len(joint)))
    return combined_areas(joint, rows)


def combined_areas(joint: JointScores, weights: Floats) -> Floats:
    """Areas of the combinations in the rows of checked weights."""
    spread = ((weights @ joint.cov_sum) * weights).sum(axis=-1)
    return np.asarray(special.ndtr((weights @ joint.mean_pos) / np.sqrt(spread)))


def combined_parameters(joint: JointScores, weights: Floats) -> tuple[Floats, Floats]:
    """The a and b of the combinations in the rows of checked weights."""
    mean, sd_neg, sd_pos = _moments(joint, weights)
    return mean / sd_pos, sd_neg / sd_pos


def _moments(joint: JointScores, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean of the positives and both standard deviations of z."""
    of_neg, of_pos = (((weights @ cov) * weights).sum(axis=-1) for cov in (joint.cov_neg, joint.cov_pos))
    return np.asarray(weights @ joint.mean_pos), np.sqrt(of_neg), np.sqrt(of_pos)


def _one_combination(weights: Any, k: int) -> Floats:
    given = as_weights(weights, k)
    if given.ndim != 1:
        raise RocInputError(f"weights must be those of one combination, got shape {given.shape}")
    return given


def _numbers(values: Any, name: str) -> NDArray[np.float64]:
    numbers = checks.as_array(values, name=name)
    if numbers.dtype.kind not in "iuf":
        raise RocInputError(f"{name} must hold numbers, got {checks.show(values)}")
    return numbers.astype(np.float64)
