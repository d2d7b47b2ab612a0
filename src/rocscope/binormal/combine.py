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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.binormal.curve import Binormal
from rocscope.binormal.latent import Floats, normal_density
from rocscope.core import checks
from rocscope.core.result import Result
from rocscope.errors import RocInputError, UndefinedError


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CombinedScore(Result):
    """The combined latent score z: a normal distribution in each class.

    Attributes
    ----------
    weights
        Those of the call.
    mean_pos
        Mean of the positives; that of the negatives is 0.
    sd_neg, sd_pos
        Standard deviations.
    """

    view: ClassVar[str] = "binormal.combined_picture"

    weights: Floats
    mean_pos: float
    sd_neg: float
    sd_pos: float

    def _summary(self) -> str:
        weights = ", ".join(f"{weight:g}" for weight in self.weights)
        return f"combined score, weights {weights}: AUC {self.auc:.4f}"

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

    def density(self, t: Any, *, of: Literal["neg", "pos"] = "pos") -> Floats:
        """Density of z in the class `of`, "pos" or "neg": [1] eq. (9), with the square it lacks in print."""
        positive = checks.check_choice(of, ("neg", "pos"), name="of") == "pos"
        mean, sd = (self.mean_pos, self.sd_pos) if positive else (0.0, self.sd_neg)
        return normal_density((_numbers(t, "t") - mean) / sd) / sd

    def curve(self) -> Binormal:
        """The binormal curve of z: a = mean / sd_pos, b = sd_neg / sd_pos."""
        return Binormal(a=self.mean_pos / self.sd_pos, b=self.sd_neg / self.sd_pos, method="combined")


@checks.known_arguments
def combined_score(fits: Any, weights: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> CombinedScore:
    """Return the distribution of a weighted sum of latent scores; parameters as in `combine_binormals`.

    Examples
    --------
    >>> z = combined_score([Binormal(a=1.0, b=1.0), Binormal(a=2.0, b=0.5)], [0.5, 0.5])
    >>> z.fpr([0, 1]).round(4).tolist(), z.tpr([0, 1]).round(4).tolist()
    ([0.5, 0.0786], [0.9873, 0.9101])
    """
    joint = JointScores.of(fits, corr_neg=corr_neg, corr_pos=corr_pos)
    scaled = _one_combination(weights, len(joint))
    scale = float(np.abs(np.asarray(weights, dtype=np.float64)).max())
    mean, sd_neg, sd_pos = (float(value) * scale for value in _moments(joint, scaled))
    if not (max(abs(mean), sd_neg, sd_pos) < np.inf and min(sd_neg, sd_pos) >= np.finfo(np.float64).tiny):
        allowed = "be of a size that float64 holds the combined score in; combine_binormals takes any size"
        raise RocInputError(f"must {allowed}, got {checks.show(weights)}", argument="weights")
    return CombinedScore(weights=scaled * scale, mean_pos=mean, sd_neg=sd_neg, sd_pos=sd_pos)


@checks.known_arguments
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


@checks.known_arguments
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
    return combined_areas(joint, np.atleast_2d(as_weights(weights, len(joint))))


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
    scaled = as_weights(weights, k)
    if scaled.ndim != 1:
        raise RocInputError(f"must be those of one combination, got shape {scaled.shape}", argument="weights")
    return scaled


def _numbers(values: Any, name: str) -> NDArray[np.float64]:
    numbers = checks.as_array(values, name=name)
    if numbers.dtype.kind not in "iuf":
        raise RocInputError(f"must hold numbers, got {checks.show(values)}", argument=name)
    numbers = numbers.astype(np.float64)
    if np.isnan(numbers).any():
        raise RocInputError("must hold numbers, got NaN", argument=name)
    return numbers


# ---- Latent scores of several classifiers together: means and covariances in each class, checked once -----
# On the latent scale of a binormal curve the negatives are N(0, 1) and the positives N(a / b, 1 / b^2).

# Eigenvalues and asymmetries of a correlation matrix below this are rounding.
ROUNDING = 1e-10
# Beyond this condition number a combination whose weights cancel has too few digits left.
WORST_CONDITION = 1e10
# Slopes b beyond these ends leave one class without variance, in floating point.
WIDEST = (1e-50, 1e50)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointScores:
    """Latent scores of k classifiers: the mean of the positives, and a covariance matrix in each class.

    Examples
    --------
    >>> joint = JointScores.of([Binormal(a=1.0, b=1.0), Binormal(a=2.0, b=0.5)], corr_pos=0.5)
    >>> joint.mean_pos.tolist(), joint.cov_pos.tolist()
    ([1.0, 4.0], [[1.0, 1.0], [1.0, 4.0]])
    """

    mean_pos: Floats
    cov_neg: Floats
    cov_pos: Floats

    @classmethod
    def of(cls, fits: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> JointScores:
        """Check fitted curves and correlations; without correlations the scores are independent."""
        curves = as_binormals(fits)
        a, b = (np.array([getattr(curve, name) for curve in curves]) for name in ("a", "b"))
        neg, pos = (
            as_correlation(corr, len(curves), name=name)
            for name, corr in (("corr_neg", corr_neg), ("corr_pos", corr_pos))
        )
        # Slopes so far from 1 that a class has no variance beside the other's.
        low, high = WIDEST
        wrong = ~((b >= low) & (b <= high) & (np.abs(a) <= high))
        if wrong.any():
            place = int(np.argmax(wrong))
            raise UndefinedError(
                f"fits[{place}] has no variance in one of its classes: a = {a[place]:g}, b = {b[place]:g}"
            )
        return cls(mean_pos=a / b, cov_neg=neg, cov_pos=pos / np.outer(b, b))

    def __len__(self) -> int:
        return len(self.mean_pos)

    @property
    def cov_sum(self) -> Floats:
        """Covariance of a positive's scores minus a negative's."""
        return self.cov_neg + self.cov_pos


def as_binormals(fits: Any) -> Sequence[Binormal]:
    """Return the fitted curves, each of which must have its a and b."""
    curves = list(fits) if isinstance(fits, Sequence) else None
    if not curves or not all(isinstance(fit, Binormal) for fit in curves):
        kinds = checks.show(fits) if curves is None else str([type(fit).__name__ for fit in curves])
        raise RocInputError(
            f"must be a list of Binormal curves, got {kinds}; combine_curves takes any two curves",
            argument="fits",
        )
    for place, fit in enumerate(curves):
        if fit.a is None or fit.b is None:
            raise UndefinedError(f"fits[{place}] has no curve to combine ({fit.status}): {fit.reason}")
    return curves


def as_correlation(corr: Any, k: int, *, name: str) -> Floats:
    """Return a k by k correlation matrix; None is independence, a number the one correlation of two.

    Raises
    ------
    RocInputError
        If it is no correlation matrix.
    UndefinedError
        If it is singular, as with a correlation of 1 or -1: such classifiers are copies of each other.
    """
    if corr is None:
        return np.eye(k)
    array = checks.as_array(corr, name=name)
    if array.ndim == 0 and k == 2 and array.dtype.kind in "iuf":
        array = np.array([[1.0, array], [array, 1.0]], dtype=np.float64)
    if array.shape != (k, k) or array.dtype.kind not in "iuf":
        allowed = f"be a {k} by {k} matrix of numbers" + (" or one correlation" if k == 2 else "")
        raise RocInputError(f"must {allowed}, got {checks.show(corr)}", argument=name)
    matrix = array.astype(np.float64)
    diagonal = np.diagonal(matrix)
    if not bool((np.abs(matrix) <= 1).all()):
        worst = matrix.flat[np.argmax(np.where(np.isnan(matrix), np.inf, np.abs(matrix)))]
        raise RocInputError(f"must hold correlations from -1 to 1, got {checks.show(worst)}", argument=name)
    if not bool((diagonal == 1).all()):
        raise RocInputError(f"must have 1 along its diagonal, got {diagonal.tolist()}", argument=name)
    if np.abs(matrix - matrix.T).max() > ROUNDING:
        raise RocInputError(f"must be symmetric, got {checks.show(matrix.tolist())}", argument=name)
    spread = np.linalg.eigvalsh(matrix)
    if spread[0] < -ROUNDING:
        wrong = f"must be positive semidefinite, got a smallest eigenvalue of {spread[0]:.3g}"
        raise RocInputError(wrong, argument=name)
    condition = spread[-1] / spread[0] if spread[0] > 0 else np.inf
    if condition > WORST_CONDITION:
        off = np.abs(matrix - np.diag(diagonal))
        i, j = divmod(int(np.argmax(off)), k)
        copies = f"classifiers {i} and {j} have correlation {matrix[i, j]:g}"
        if off[i, j] < 1 - 2 / WORST_CONDITION:
            copies = "a classifier is a sum of others"
        raise UndefinedError(
            f"{name} is singular (condition number {condition:.3g}): {copies}, so that weights can "
            "cancel; leave one of them out"
        )
    return matrix


def as_weights(combination: Any, k: int) -> Floats:
    """Return weights, (k,) or (m, k), scaled so that the largest of each combination is 1 or -1.

    Curves do not depend on the scale of the weights, and squares of scaled ones cannot overflow.
    """
    weights = checks.as_array(combination, name="weights")
    if weights.ndim not in (1, 2) or weights.shape[-1] != k or weights.dtype.kind not in "iuf":
        raise RocInputError(
            f"must hold one number per classifier ({k}), got {checks.show(combination)}", argument="weights"
        )
    weights = weights.astype(np.float64)
    rows = np.atleast_2d(weights)
    checks.refuse_rows(~np.isfinite(rows), name="weights", required="finite numbers", got="NaN or infinite")
    largest = np.abs(rows).max(axis=1, initial=0.0)
    checks.refuse_rows(largest == 0, name="weights", required="a weight other than 0", got="only 0")
    return np.asarray((rows / largest[:, np.newaxis]).reshape(weights.shape))


def times_units(weights: Floats, units: Floats, *, power: int = 1) -> Floats:
    """Weights, (k,) or (m, k), times the power 1 or -1 of a positive unit per classifier, up to a scale.

    Curves do not depend on the scale of the weights. Here it is a power of two that brings the largest near
    1, so that squares of weights keep their digits whatever the size of the units.

    Examples
    --------
    >>> times_units(np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([1e200, 1e-200])).round(4).tolist()
    [[0.3266, 0.0], [0.0, 0.5741]]
    """
    (share, exponent), (unit, size) = np.frexp(weights), np.frexp(units)
    product, total = share * unit**power, exponent + size * power
    largest = np.where(product == 0, total.min(), total).max(axis=-1, keepdims=True)
    return np.asarray(np.ldexp(product, total - largest))


# ---- The weights with the largest predicted area: free, and none of them negative -------------------------

# A weight below this share of the largest one is 0, but for rounding.
NOTHING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestWeights(Result):
    """Weights of the largest predicted area, scaled so that their sizes add up to 1.

    Attributes
    ----------
    free, auc_free
        The best of all weights and its area. A classifier that repeats what a better one says, with
        noise, gets a negative weight.
    nonnegative, auc_nonnegative
        The best weights of at least 0; a classifier of weight 0 is of no use then.
    auc_single
        Area of each classifier alone.
    """

    view: ClassVar[str] = "binormal.best_weights_picture"

    free: Floats
    auc_free: float
    nonnegative: Floats
    auc_nonnegative: float
    auc_single: Floats

    def _summary(self) -> str:
        free, nonnegative, alone = (
            ", ".join(f"{value:.4f}" for value in values)
            for values in (self.free, self.nonnegative, self.auc_single)
        )
        return (
            f"free         {free}: AUC {self.auc_free:.4f}\n"
            f"non-negative {nonnegative}: AUC {self.auc_nonnegative:.4f}\n"
            f"alone        AUC {alone}"
        )

    def columns(self) -> dict[str, Any]:
        """Return one row per classifier."""
        return {"free": self.free, "nonnegative": self.nonnegative, "auc_single": self.auc_single}


@checks.known_arguments
def best_weights(fits: Any, *, corr_neg: Any = None, corr_pos: Any = None) -> BestWeights:
    """Return the weights that make the predicted area of a combination largest.

    Parameters
    ----------
    fits, corr_neg, corr_pos
        Curves and correlations, as in `combine_binormals`.

    Returns
    -------
    BestWeights
        With `free`, `nonnegative` and their areas.

    Raises
    ------
    UndefinedError
        If every curve lies on the diagonal in area (a = 0): all weights are then as good.

    Notes
    -----
    The area is Phi(w'm / sqrt(w'Sw)), with m the mean of the positives and S the sum of the covariances
    of both classes, so the free weights are S^-1 m (Su and Liu, 1993); for independent classifiers
    a_i b_i / (1 + b_i^2). The non-negative ones minimise w'Sw / 2 - w'm, a convex problem that an active
    set solves exactly. Where no classifier is better than chance that gives nothing, and the best is
    the least bad classifier alone.

    Examples
    --------
    >>> from rocscope.binormal.curve import Binormal
    >>> best = best_weights([Binormal(a=1.5, b=1), Binormal(a=0.9, b=1)], corr_neg=0.9, corr_pos=0.9)
    >>> print(best)
    free         0.6053, -0.3947: AUC 0.9011
    non-negative 1.0000, 0.0000: AUC 0.8556
    alone        AUC 0.8556, 0.7377
    """
    return best_of(JointScores.of(fits, corr_neg=corr_neg, corr_pos=corr_pos))


def best_of(joint: JointScores, units: Floats | None = None) -> BestWeights:
    """Best weights of checked scores, for sums in which each latent score is multiplied by its unit."""
    if not joint.mean_pos.any():
        raise UndefinedError("no weights are best: every curve has a = 0, so that all of them give area 0.5")
    latent = np.stack(
        [
            np.linalg.solve(joint.cov_sum, joint.mean_pos),
            nonnegative_weights(joint.cov_sum, joint.mean_pos),
        ]
    )
    areas = combined_areas(joint, _scaled(latent)).tolist()
    alone = special.ndtr(joint.mean_pos / np.sqrt(np.diagonal(joint.cov_sum)))
    free, nonnegative = _scaled(latent if units is None else times_units(latent, units, power=-1))
    return BestWeights(
        free=free, auc_free=areas[0], nonnegative=nonnegative, auc_nonnegative=areas[1], auc_single=alone
    )


def nonnegative_weights(covariance: Floats, mean: Floats) -> Floats:
    """Weights of at least 0 with the largest w'm / sqrt(w'Sw)."""
    from scipy.optimize import nnls  # heavy, and only needed here

    alone = mean / np.sqrt(np.diagonal(covariance))
    if alone.max() > 0:
        scale = 1 / np.sqrt(np.diagonal(covariance))  # classifiers with much spread must not drown the others
        root = np.linalg.cholesky(covariance * np.outer(scale, scale))
        weights = nnls(root.T, np.linalg.solve(root, mean * scale))[0] * scale
        if weights.any():  # an area of 0.5 but for a rounding can leave none
            # Solve anew on the classifiers in use: their weights then have all their digits.
            used = weights > NOTHING * weights.max()
            exact = np.zeros(len(mean))
            exact[used] = np.linalg.solve(covariance[np.ix_(used, used)], mean[used])
            return exact
    # Up to 0 the quotient is quasi-convex: its largest value is at a corner.
    return np.asarray(np.arange(len(mean)) == alone.argmax(), dtype=np.float64)


def _scaled(weights: NDArray[Any]) -> Floats:
    return np.asarray(weights / np.abs(weights).sum(axis=-1, keepdims=True))
