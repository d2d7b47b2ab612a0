"""Laws of scores whose true curve is known: what the data sets of the atlas are drawn from.

A law has one parameter, how far the classes are apart, which is solved for so that the area is the one
given; cut into categories it is solved for again, so that the area is that of the categories.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import integrate, optimize, special

Floats = NDArray[np.float64]
LawName: TypeAlias = Literal["normal", "unequal", "exponential", "heavy", "mixture"]
LAWS: tuple[LawName, ...] = get_args(LawName)
ABOUT: dict[LawName, str] = {
    "normal": "both classes normal with equal variance",
    "unequal": "both classes normal, positives with 1.5 times the standard deviation",
    "exponential": "both classes exponential",
    "heavy": "both classes Student's t with 3 degrees of freedom",
    "mixture": "negatives normal, positives of two kinds of which one is three times as far away",
}
RATIO = 1.5  # of standard deviations, "unequal"
DF = 3  # of "heavy"
FAR = 3.0  # "mixture": half of the positives are so many times as far away
# Categories end at these quantiles of the negatives and, mirrored, of the positives: five, none of them rare.
CUT_QUANTILES = (0.4, 0.95)


@dataclass(frozen=True)
class ScoreLaw:
    """Scores of two classes with a given true area.

    Attributes
    ----------
    name
        One of `LAWS`.
    area
        The true area, of the categories where there are any.
    categories
        Whether scores are cut into five categories, so that most of them are tied.

    Examples
    --------
    >>> law = ScoreLaw("normal", 0.9)
    >>> round(law.shift, 4), round(law.true_tpr(0.1), 4), round(law.true_area(0, 0.2), 4)
    (1.8124, 0.7022, 0.1303)
    """

    name: LawName
    area: float
    categories: bool = False

    @cached_property
    def shift(self) -> float:
        """How far the classes are apart: a difference of means; exponential: the logarithm of their ratio."""

        def excess(shift: float) -> float:
            return _area(self.name, shift, self.categories) - self.area

        return float(optimize.brentq(excess, -2.0, 20.0, xtol=1e-13))

    @cached_property
    def cuts(self) -> Floats:
        """Where the categories end; none for continuous scores."""
        return _cuts(self.name, self.shift) if self.categories else np.empty(0)

    def from_normal(self, deviate: Floats, *, positive: bool, far: NDArray[np.bool_] | None = None) -> Floats:
        """Scores of one class from standard normal deviates; `far` says of which kind positives are."""
        scores = _from_normal(self.name, self.shift, deviate, positive=positive, far=far)
        return np.searchsorted(self.cuts, scores).astype(np.float64) if self.categories else scores

    def draw(self, n_pos: int, n_neg: int, rng: Generator) -> tuple[NDArray[np.int64], Floats]:
        """Labels and scores of one data set, positives first."""
        far = rng.random(n_pos) < 0.5 if self.name == "mixture" else None
        pos = self.from_normal(rng.standard_normal(n_pos), positive=True, far=far)
        neg = self.from_normal(rng.standard_normal(n_neg), positive=False)
        return np.repeat([1, 0], [n_pos, n_neg]), np.concatenate([pos, neg])

    def rates(self, threshold: float) -> tuple[float, float]:
        """True FPR and TPR of the decision score >= threshold; of categories, of their numbers from 0 on."""
        if not self.categories:
            return _survival(self.name, self.shift, threshold, 0), _survival(
                self.name, self.shift, threshold, 1
            )
        fpr, tpr = self._corners
        k = int(np.clip(math.ceil(threshold), 0, len(self.cuts) + 1))
        return float(fpr[-1 - k]), float(tpr[-1 - k])

    def true_tpr(self, fpr: float) -> float:
        """The true curve at an FPR; between the corners of categories it runs straight."""
        if self.categories:
            return float(np.interp(fpr, *self._corners))
        if not 0 < fpr < 1:
            return float(fpr)
        return _survival(self.name, self.shift, _quantile(self.name, 1 - fpr), 1)

    def true_area(self, low: float = 0.0, high: float = 1.0) -> float:
        """The area under the true curve between two FPRs."""
        if not self.categories:
            if (low, high) == (0, 1):
                return self.area
            return float(integrate.quad(self.true_tpr, low, high, epsabs=1e-11, limit=200)[0])
        fpr, tpr = self._corners
        inner = (fpr > low) & (fpr < high)
        x = np.concatenate([[low], fpr[inner], [high]])
        y = np.concatenate([[self.true_tpr(low)], tpr[inner], [self.true_tpr(high)]])
        return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)

    def true_fpr(self, tpr: float) -> float:
        """The FPR where the true curve reaches a TPR."""
        if self.categories:
            fprs, tprs = self._corners
            return float(np.interp(tpr, tprs, fprs))
        if not 0 < tpr < 1:
            return float(tpr)
        return _survival(self.name, self.shift, _threshold(self.name, self.shift, tpr), 0)

    def true_area_over_tpr(self, low: float, high: float) -> float:
        """The integral of 1 - FPR between two TPRs: what lies right of the true curve."""
        left, right = self.true_fpr(low), self.true_fpr(high)
        return self.true_area(left, right) - low * (right - left) + (high - low) * (1 - right)

    def threshold_near(self, tpr: float) -> float:
        """The threshold with this true TPR; of categories, the first one of those that come nearest to it."""
        if not self.categories:
            return _threshold(self.name, self.shift, tpr)
        tprs = self._corners[1][-2:0:-1]
        return float(1 + np.argmin(np.abs(tprs - tpr)))

    def threshold_at(self, fpr: float) -> float:
        """The threshold of continuous scores with this true FPR."""
        return _quantile(self.name, 1 - fpr)

    def youden_fpr(self) -> float:
        """The FPR of continuous scores at which TPR - FPR is largest."""
        best = optimize.minimize_scalar(
            lambda fpr: fpr - self.true_tpr(fpr),
            bounds=(0.0, 1.0),
            method="bounded",
            options={"xatol": 1e-12},
        )
        return float(best.x)

    @cached_property
    def _corners(self) -> tuple[Floats, Floats]:
        """FPR and TPR of the true curve of categories, from (0, 0) to (1, 1)."""
        return _corners(self.name, self.shift, self.cuts)


@lru_cache(maxsize=4096)
def score_law(name: LawName, area: float, categories: bool) -> ScoreLaw:
    """A law, solved for its shift once."""
    law = ScoreLaw(name, area, categories)
    _ = law.shift
    return law


def draw_pair(
    first: ScoreLaw, second: ScoreLaw, correlation: float, n_pos: int, n_neg: int, rng: Generator
) -> tuple[NDArray[np.int64], Floats, Floats]:
    """Labels and two scores of the same cases, positives first.

    Inside each class the scores are made of normal deviates with this correlation; of a mixture both scores
    see the same kind of positive.

    Examples
    --------
    >>> law = ScoreLaw("normal", 0.8)
    >>> y, a, b = draw_pair(law, law, 0.5, 4, 5, np.random.default_rng(1))
    >>> y.size, a.size, b.size
    (9, 9, 9)
    """
    far = rng.random(n_pos) < 0.5 if "mixture" in (first.name, second.name) else None
    deviates = rng.standard_normal((2, n_pos + n_neg))
    deviates[1] = correlation * deviates[0] + math.sqrt(1 - correlation**2) * deviates[1]
    scores = [
        np.concatenate(
            [
                law.from_normal(z[:n_pos], positive=True, far=far if law.name == "mixture" else None),
                law.from_normal(z[n_pos:], positive=False),
            ]
        )
        for law, z in zip((first, second), deviates, strict=True)
    ]
    return np.repeat([1, 0], [n_pos, n_neg]), scores[0], scores[1]


def _from_normal(
    name: LawName, shift: float, deviate: Floats, *, positive: bool, far: NDArray[np.bool_] | None = None
) -> Floats:
    if name == "exponential":
        return np.asarray(-special.log_ndtr(-deviate) * (math.exp(shift) if positive else 1.0))
    if name == "heavy":
        deviate = special.stdtrit(DF, special.ndtr(deviate))
    elif name == "unequal" and positive:
        deviate = RATIO * deviate
    if not positive:
        return deviate
    return deviate + (shift if far is None else np.where(far, FAR * shift, shift))


def _survival(name: LawName, shift: float, x: float, positive: int) -> float:
    """P(score > x) in a class."""
    if name == "exponential":
        return math.exp(-max(x, 0.0) / (math.exp(shift) if positive else 1.0))
    if name == "heavy":
        return float(special.stdtr(DF, positive * shift - x))
    if name == "unequal" and positive:
        return float(special.ndtr((shift - x) / RATIO))
    if name == "mixture" and positive:
        return float(special.ndtr(shift - x) + special.ndtr(FAR * shift - x)) / 2
    return float(special.ndtr(positive * shift - x))


def _quantile(name: LawName, p: float) -> float:
    """Quantile of the negatives."""
    if name == "exponential":
        return -math.log1p(-p)
    return float(special.stdtrit(DF, p) if name == "heavy" else special.ndtri(p))


def _threshold(name: LawName, shift: float, tpr: float) -> float:
    """Where positives score higher with probability `tpr`."""
    if name == "exponential":
        return -math.log(tpr) * math.exp(shift)

    def above(x: float) -> float:
        return _survival(name, shift, x, 1) - tpr

    return float(optimize.brentq(above, -100.0, 200.0, xtol=1e-13))


def _cuts(name: LawName, shift: float) -> Floats:
    quantiles = [_quantile(name, p) for p in CUT_QUANTILES]
    return np.sort(np.array(quantiles + [_threshold(name, shift, p) for p in CUT_QUANTILES]))


def _corners(name: LawName, shift: float, cuts: Floats) -> tuple[Floats, Floats]:
    fpr, tpr = (np.array([_survival(name, shift, x, k) for x in cuts[::-1]]) for k in (0, 1))
    return np.concatenate([[0.0], fpr, [1.0]]), np.concatenate([[0.0], tpr, [1.0]])


def _area(name: LawName, shift: float, categories: bool) -> float:
    """The true area as a function of the shift."""
    if categories:
        fpr, tpr = _corners(name, shift, _cuts(name, shift))
        return float(np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1])) / 2)
    if name == "exponential":
        return float(special.expit(shift))
    if name == "heavy":

        def integrand(x: float) -> float:
            return _survival(name, shift, x, 1) * _t_density(x)

        return float(integrate.quad(integrand, -np.inf, np.inf, epsabs=1e-12, limit=300)[0])
    if name == "unequal":
        return float(special.ndtr(shift / math.hypot(1, RATIO)))
    if name == "mixture":
        return float(special.ndtr(shift / math.sqrt(2)) + special.ndtr(FAR * shift / math.sqrt(2))) / 2
    return float(special.ndtr(shift / math.sqrt(2)))


def _t_density(x: float) -> float:
    """Density of Student's t with 3 degrees of freedom."""
    return 6 * math.sqrt(3) / (math.pi * (3 + x * x) ** 2)
