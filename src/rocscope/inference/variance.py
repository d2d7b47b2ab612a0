"""Variances of empirical areas, by model and without one, score intervals, and intervals from counts alone.

With phi = 1, 1/2 or 0 for one positive against one negative, m positives, n negatives and A = E[phi],

    m n Var = E[phi^2] - A^2 + (m - 1)(Q1 - A^2) + (n - 1)(Q2 - A^2),

where Q1 is the mean product of phi for two different positives against one negative, Q2 for one positive
against two different negatives [1]_, [2]_. Without ties E[phi^2] = A.

Cortes and Mohri [3]_ know only that k of N = m + n cases were classified wrongly, and take all rankings with
a threshold that make k errors as equally likely. With x false positives there are
C(m-k+2x, x) C(n+k-2x, k-x) of them; mean and variance of the area are those of this mixture over x. Summing
it needs no terms in x. Errors and right decisions, positives and negatives, classes and decisions may change
places; with

    D = |m - n|,  S = |N - 2k|,  d = max(D, S),  c = min(D, S),  K = (N - d) / 2

the weights are C(a+2y, y) C(b+2(K-y), K-y), y = 0..K, for *every* k, where a + b = d and |a - b| = c: the
coefficient of z^K in B(z)^d / (1 - 4z), B the generating function of Catalan's numbers. Its derivatives
bring higher powers of 1 / (1 - 4z), and z = u(1 - u) turns them into moments of the weights

    q_i = 2^i C(N - i, K - i),  i = 0..K,

which fall at least as fast as a geometric series. All moments of q follow from its mean mu. The published
closed form is the case k <= min(m, n), and wrong beyond. Agarwal et al. [4]_ bound the differences that one
case makes.

References
----------
.. [1] Bamber: The area above the ordinal dominance graph and the area below the receiver operating
   characteristic graph, Journal of Mathematical Psychology 12, 1975.
.. [2] Hanley, McNeil: The meaning and use of the area under a receiver operating characteristic (ROC)
   curve, Radiology 143, 1982.
.. [3] Cortes, Mohri: Confidence intervals for the area under the ROC curve, NIPS 17, 2004.
.. [4] Agarwal, Graepel, Herbrich, Har-Peled, Roth: Generalization bounds for the area under the ROC curve,
   Journal of Machine Learning Research 6, 2005.
.. [5] Newcombe: Confidence intervals for an effect size measure based on the Mann-Whitney statistic. Part 2:
   asymptotic methods and evaluation, Statistics in Medicine 25, 2006.
.. [6] Kish: Survey Sampling, Wiley 1965.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocscope.core import checks, significance
from rocscope.core.influence import Design, area_influence
from rocscope.core.scores import BinaryScores
from rocscope.core.table import ClassProducts, Curves, PlacementSums

Reals: TypeAlias = NDArray[np.float64]

FEW = "the variance needs two cases in each class"
FEW_CLUSTERS = "the variance needs two clusters with positives and two with negatives"
NO_VARIANCE = "the areas differ but their difference has no variance"


def hanley_mcneil_variance(area: float, n_pos: float, n_neg: float) -> float:
    """Variance of the area if the scores of both classes are exponential, [2].

    It needs the area alone, and stays the same when the classes change places and the area becomes
    1 - area. The sizes of a study that is planned need not be whole.

    Examples
    --------
    >>> round(hanley_mcneil_variance(0.893171, n_pos=51, n_neg=58) ** 0.5, 6)
    0.032487
    """
    # [2]: Q1 = A / (2 - A), Q2 = 2 A^2 / (1 + A); each minus A^2, with A (1 - A) taken out of all terms.
    two_pos = (n_pos - 1) * (1 - area) / (2 - area)
    two_neg = (n_neg - 1) * area / (1 + area)
    return area * (1 - area) * (1 + two_pos + two_neg) / (n_pos * n_neg)


def misranked(value: float, n_pos: float, n_neg: float) -> float:
    """Misranked cases of the smaller class, which say how far DeLong's variance can be trusted.

    Examples
    --------
    >>> misranked(0.75, 40, 60)
    10.0
    """
    return float(min(value, 1 - value) * min(n_pos, n_neg))


# The variance of the model counts as much as that of so many misranked cases, in `ScoreVariance`.
SHRINKAGE = 2.0
# The logarithm of the parameter t of the model of a partial area lies between these: beyond them the area is
# 0 or the whole.
FARTHEST = 600.0


@dataclass(frozen=True, slots=True)
class ScoreVariance:
    """Variance of an empirical area for every true area A: f V(A).

    V is the variance of the model of exponential scores with both classes of the mean size, Newcombe's
    method 5 [5]_; at A = 1/2 it is that of the Mann-Whitney test. The factor f brings in the estimated
    variance: f = r = variance / V(area) where that is 1 or more, and below it (e r + 2) / (e + 2), where
    e = min(area, 1 - area) times the cases of the smaller class counts the misranked cases. A small estimate
    from hardly any misranked case is thus held back, and one from many of them counts as it is. f = 1, which
    is Newcombe's variance, where there is no estimate, or an area of 0 or 1.
    """

    factor: float
    n_pos: float
    n_neg: float

    @classmethod
    def of(cls, area: float, variance: float | None, n_pos: float, n_neg: float) -> ScoreVariance:
        """By the observed area and the estimate of its variance.

        Examples
        --------
        >>> of = ScoreVariance.of(0.9, 0.05**2, 20, 20)
        >>> round(of.at(0.9) ** 0.5, 4), round(of.at(0.7) ** 0.5, 4)
        (0.0507, 0.0822)
        """
        if variance is None or math.isnan(variance) or area in (0.0, 1.0):
            return cls(1.0, n_pos, n_neg)
        factor = variance / cls(1.0, n_pos, n_neg).at(area)
        if factor < 1:
            errors = misranked(area, n_pos, n_neg)
            factor = (errors * factor + SHRINKAGE) / (errors + SHRINKAGE)
        return cls(factor, n_pos, n_neg)

    def at(self, area: float) -> float:
        """The variance at a true area."""
        size = (self.n_pos + self.n_neg) / 2
        model = hanley_mcneil_variance(area, size, size) * size**2 / (self.n_pos * self.n_neg)
        return self.factor * model


def effective_size(area: float, weight: Reals, influence: Reals) -> float:
    """Cases of equal weight that would show as much of the area as the weighted cases of one class.

    It is 1 / h, h being the mean share that a case has in the weight of its class. A case counts in the mean
    by what it adds to the variance of the placements, so that few heavy cases among the misranked ones count
    as few. Of hardly any misranked cases that mean is not known, and cases with the largest share, not seen
    among them, may be: with e = min(area, 1 - area) times Kish's number [6]_ of cases, h = (e h' + 2 h*) /
    (e + 2), where h' is the mean of the sample and h* the largest share. Kish's number, (sum w)^2 / sum w^2,
    which holds where weights have nothing to do with scores, is the most that it can be.

    Parameters
    ----------
    area
        The weighted area.
    weight, influence
        Of the cases of the class.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1, 1], [1, 3, 2, 4, 5], sample_weight=[1, 1, 3.5, 1, 1])
    >>> area, influence = area_influence(data)
    >>> weight, members = data.weight, data.positive
    >>> round(effective_size(area, weight[members], influence[members]), 4)
    1.7751
    >>> effective_size(area, weight[~members], influence[~members])
    2.0
    """
    weight, influence = weight[weight > 0], influence[weight > 0]
    if weight.min() == weight.max():
        return float(weight.size)
    share = weight / weight.sum()
    kish, squares = 1 / float(np.square(share).sum()), np.square(influence)
    placements = float((squares / share).sum())  # their variance: an influence is share times deviation
    errors = min(area, 1 - area) * kish if placements else 0.0
    mean = float(squares.sum()) / placements if placements else 0.0
    return min(kish, (errors + SHRINKAGE) / (errors * mean + SHRINKAGE * float(share.max())))


def score_interval(
    area: float,
    variance: float | None,
    n_pos: float,
    n_neg: float,
    *,
    level: float,
    alternative: checks.Alternative,
) -> tuple[float, float]:
    """Interval of all areas A that a normal test does not reject, by the `ScoreVariance` at each.

    Examples
    --------
    >>> low, high = score_interval(0.95, 0.03**2, 20, 20, level=0.95, alternative="two-sided")
    >>> round(low, 4), round(high, 4)
    (0.8265, 0.9858)
    """
    if area == 0:  # the model is the same when the classes change places
        turned: checks.Alternative = {"less": "greater", "greater": "less"}.get(alternative, alternative)  # type: ignore[assignment]
        low, high = score_interval(1.0, None, n_neg, n_pos, level=level, alternative=turned)
        return 1 - high, 1 - low
    spread = ScoreVariance.of(area, variance, n_pos, n_neg)
    critical = significance.critical_value(level, alternative=alternative)

    def is_rejected(true: float) -> bool:
        if area == 1:  # divided by 1 - A, which both sides have
            return true < 1 and 1 - true > critical**2 * spread.at(true) / (1 - true)
        return abs(area - true) > critical * math.sqrt(spread.at(true))

    low = 0.0 if alternative == "less" else _edge(is_rejected, 0.0, area)[0]
    high = 1.0 if alternative == "greater" or area == 1 else _edge(is_rejected, 1.0, area)[0]
    return low, high


def _edge(is_rejected: Callable[[float], bool], outside: float, inside: float) -> tuple[float, float]:
    """The last number that is rejected and the first that is not, by halving to the last digit.

    scipy's root finder takes a second to load.
    """
    while (middle := (outside + inside) / 2) not in (outside, inside):
        if is_rejected(middle):
            outside = middle
        else:
            inside = middle
    return outside, inside


def partial_score_interval(
    value: float,
    variance: float,
    limits: tuple[float, float],
    n_up: int,
    n_across: int,
    *,
    level: float,
    alternative: checks.Alternative,
) -> tuple[float, float]:
    """Score interval of the area over a range of the rate across, for so many cases of both classes.

    Notes
    -----
    It holds all areas P that a normal test does not reject, |value - P| <= z sqrt(f V(P)). V is the variance
    of a model with one parameter t whose curve is TPR = FPR^t, Lehmann's alternative of exponential scores,
    as Hanley and McNeil's is for the whole area. With I(k) = (h^(k+1) - l^(k+1)) / (k + 1), the integral of
    f^k over the range from l to h, w = h - l and T(f) = f^t,

        P = I(t),   V(P) = V1 / m + V2 / n,
        V1 = 2 (h I(t) - I(t + 1)) - P^2,
        V2 = l D^2 + w T(h)^2 - 2 T(h) P + I(2t) - (l D + w T(h) - P)^2,   D = T(h) - T(l):

    V1 is the variance of the part of the range to the right of a positive, V2 that of the part of the curve
    that a negative takes away (the placements of `partial_auc`, in the limit). Over a range of TPR the
    classes change places: the curve is that of 1 - TPR on the axis and 1 - FPR upwards.

    The factor f brings in the variance of the placements, as in `ScoreVariance`: its ratio r to V(value)
    where that is 1 or more, and (e r + 2) / (e + 2) below, where e counts the cases that support it: the
    smaller of value / w and 1 - value / w times the smaller of the positives and the negatives in the range.

    Examples
    --------
    >>> side = {"level": 0.95, "alternative": "two-sided"}
    >>> low, high = partial_score_interval(0.08, 0.0002, (0.0, 0.1), 40, 40, **side)
    >>> round(low, 4), round(high, 4)
    (0.0398, 0.0944)
    """
    whole = limits[1] - limits[0]
    at = _log_parameter(value, limits)
    factor = 1.0
    if abs(at) < FARTHEST:
        factor = variance / model_variance(at, limits, n_up, n_across)[1]
        if factor < 1:
            misses = min(value, whole - value) / whole * min(n_up, whole * n_across)
            factor = (misses * factor + SHRINKAGE) / (misses + SHRINKAGE)
    critical = max(significance.critical_value(level, alternative=alternative), 0.0)

    def is_rejected(log_t: float) -> bool:
        area, own = model_variance(log_t, limits, n_up, n_across)
        return abs(value - area) > critical * math.sqrt(factor * own)

    def end(extreme: float) -> float:
        return model_variance(_edge(is_rejected, extreme, at)[1], limits, n_up, n_across)[0]

    low = 0.0 if alternative == "less" or at == FARTHEST else end(FARTHEST)
    high = whole if alternative == "greater" or at == -FARTHEST else end(-FARTHEST)
    return min(low, value), max(high, value)


def model_variance(
    log_t: float, limits: tuple[float, float], n_up: int, n_across: int
) -> tuple[float, float]:
    """Partial area and its variance in the model of curves f^t.

    Examples
    --------
    >>> area, variance = model_variance(0.0, (0.0, 1.0), 50, 50)  # the diagonal
    >>> area, round(variance, 6)
    (0.5, 0.003333)
    """
    t, (low, high) = math.exp(log_t), limits

    def integral(k: float) -> float:
        return float(high ** (k + 1) - low ** (k + 1)) / (k + 1)

    area, whole = integral(t), high - low
    top, drop = high**t, high**t - low**t
    of_up = 2 * (high * area - integral(t + 1)) - area**2
    taken = low * drop + whole * top - area
    of_across = low * drop**2 + whole * top**2 - 2 * top * area + integral(2 * t) - taken**2
    return area, max(of_up, 0.0) / n_up + max(of_across, 0.0) / n_across


def _log_parameter(value: float, limits: tuple[float, float]) -> float:
    """The parameter at which the model has this area; an end of its range where none has."""
    if value <= 0:
        return FARTHEST
    if value >= limits[1] - limits[0]:
        return -FARTHEST
    return _edge(lambda log_t: model_variance(log_t, limits, 1, 1)[0] < value, FARTHEST, -FARTHEST)[1]


def bamber_variance(sums: PlacementSums, *, tied_pairs: int) -> float:
    """Unbiased estimate of the variance of the area, with no model of the scores, [1].

    Products are averaged over different positives and different negatives only, ties count one half in
    each comparison. The estimate is unbiased for every pair of distributions, with ties or without, and
    never negative; it is 0 only where all comparisons agree (area 0, area 1 or all scores equal).
    DeLong's estimate is larger by R / (m n (m - 1)(n - 1)), R being the sum of squares of phi that the
    effects of single cases leave unexplained; so it is biased upwards, unless there are two scores only.

    Parameters
    ----------
    sums
        Exact sums of the placements; two or more cases in each class.
    tied_pairs
        Number of (positive, negative) pairs with one score.

    Examples
    --------
    >>> sums = PlacementSums(n_pos=2, n_neg=2, twice_u=6, squares_pos=20, squares_neg=20)
    >>> bamber_variance(sums, tied_pairs=0)
    0.0625
    """
    m, n = sums.n_pos, sums.n_neg
    # 4 times the sum of phi_ij phi_kl over pairs of pairs that share a case; 4 sum phi^2 = 4 U - tied pairs.
    sharing = sums.squares_pos + sums.squares_neg - (2 * sums.twice_u - tied_pairs)
    # Pairs that share no case have the mean product A^2, so Ahat^2 minus their mean product is unbiased. It
    # is the formula above at the estimates, divided by (m - 1)(n - 1) in place of m n; rounded once.
    surplus = m * n * sharing - (m + n - 1) * sums.twice_u**2
    return surplus / (4 * m**2 * n**2 * (m - 1) * (n - 1))


# ---- DeLong's covariance of the areas of several curves, kept in integers until the last division ---------


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaMatrix:
    """Areas of k curves, their covariance, and the variance of each difference.

    The variance of a difference comes from the integers as well: taken from the rounded covariance it
    would lose its digits where two classifiers are much alike. `interval` names the method, `bound` is the
    largest difference, `undefined` the reason where a variance is NaN and `no_variance` where it is 0.
    `covariance_pos` is the part of the covariance that comes from the positives, where the method knows it.
    `df` are the degrees of freedom of the variance of each difference; None for the normal distribution.
    """

    names: tuple[str, ...]
    areas: NDArray[np.float64]
    covariance: NDArray[np.float64]
    difference_variance: Mapping[tuple[int, int], float]
    sizes: tuple[int, ...]
    smallest_class: int
    differences: Mapping[tuple[int, int], float] | None = None
    step_covariance: NDArray[np.float64] | None = None
    covariance_pos: NDArray[np.float64] | None = None
    df: Mapping[tuple[int, int], float] | None = None
    interval: str = "delong"
    bound: float = 1.0
    undefined: str = FEW
    no_variance: str = NO_VARIANCE

    @classmethod
    def paired(cls, data: BinaryScores) -> AreaMatrix:
        """Areas of curves on the same cases."""
        placements = [data.doubled_placements(column) for column in range(len(data.columns))]
        of_pos = ClassProducts.of_placements([pos for pos, _ in placements], other=data.n_neg)
        of_neg = ClassProducts.of_placements([neg for _, neg in placements], other=data.n_pos)
        return cls.of_products(data.names, of_pos, of_neg)

    @classmethod
    def of_products(cls, names: Sequence[str], of_pos: ClassProducts, of_neg: ClassProducts) -> AreaMatrix:
        """Areas of curves on the same cases, from the sums over their placements."""
        k = len(names)
        pairs = list(combinations(range(k), 2))
        steps = [(i, i + 1) for i in range(k - 1)]
        twice_pairs = 2 * of_pos.size * of_neg.size
        totals, smallest = of_pos.totals, min(of_pos.size, of_neg.size)

        def covariance(first: Curves, second: Curves) -> float:
            return of_pos.covariance(first, second) + of_neg.covariance(first, second)

        return cls(
            names=tuple(names),
            areas=np.array([total / twice_pairs for total in totals]),
            covariance=np.array([[covariance((i,), (j,)) for j in range(k)] for i in range(k)]),
            differences={(i, j): (totals[i] - totals[j]) / twice_pairs for i, j in pairs},
            difference_variance={pair: covariance(pair, pair) for pair in pairs if smallest > 1},
            step_covariance=np.array([[covariance(a, b) for b in steps] for a in steps]),
            covariance_pos=np.array([[of_pos.covariance((i,), (j,)) for j in range(k)] for i in range(k)]),
            sizes=(of_pos.size + of_neg.size,) * k,
            smallest_class=smallest,
        )

    @classmethod
    def designed(cls, data: BinaryScores) -> AreaMatrix:
        """Areas of curves on the same weighted or clustered cases, by the influences of the cases."""
        k, design = len(data.columns), Design.of(data)
        areas, influences = zip(*(area_influence(data, column) for column in range(k)), strict=True)
        # From the differences of the influences, which keep their digits where two curves are much alike.
        differences = {
            (i, j): design.totals((influences[i] - influences[j])[None]) for i, j in combinations(range(k), 2)
        }
        df = {pair: totals.degrees_of_freedom() for pair, totals in differences.items()}
        steps = np.stack([influences[i] - influences[i + 1] for i in range(k - 1)])
        smallest = min(design.n_clusters[:2])
        return cls(
            names=data.names,
            areas=np.array(areas),
            covariance=design.covariance(np.stack(influences)),
            difference_variance={
                pair: totals.variance() for pair, totals in differences.items() if smallest > 1
            },
            df={pair: one for pair, one in df.items() if one is not None} or None,
            step_covariance=design.covariance(steps),
            sizes=(data.positive.size,) * k,
            smallest_class=smallest,
            undefined=FEW if data.groups is None else FEW_CLUSTERS,
        )

    @classmethod
    def unpaired(cls, names: Sequence[str], samples: Sequence[BinaryScores]) -> AreaMatrix:
        """Areas of curves on different cases: their variances add up."""
        if not all(data.is_plain for data in samples):
            return cls._unpaired_designed(names, samples)
        return cls.of_sums(names, [data.sums() for data in samples])

    @classmethod
    def of_sums(cls, names: Sequence[str], sums: Sequence[PlacementSums]) -> AreaMatrix:
        """Areas of curves on different cases, from the sums of their placements."""
        enough = [min(s.n_pos, s.n_neg) > 1 for s in sums]
        terms = [s.delong_terms() if ok else (np.nan, np.nan) for s, ok in zip(sums, enough, strict=True)]
        variances = [sum(both) for both in terms]
        pairs = combinations(range(len(sums)), 2)
        return cls(
            names=tuple(names),
            areas=np.array([s.auc for s in sums]),
            covariance=np.diag(variances),
            covariance_pos=np.diag([of_pos for of_pos, _ in terms]),
            difference_variance={(i, j): variances[i] + variances[j] for i, j in pairs},
            sizes=tuple(s.n_pos + s.n_neg for s in sums),
            smallest_class=min(min(s.n_pos, s.n_neg) for s in sums),
        )

    @classmethod
    def _unpaired_designed(cls, names: Sequence[str], samples: Sequence[BinaryScores]) -> AreaMatrix:
        """Areas of different cases, some of them weighted or clustered."""
        designs = [Design.of(data) for data in samples]
        areas, influences = zip(*map(area_influence, samples), strict=True)
        variances, df = list[float](), list[float]()
        for design, one in zip(designs, influences, strict=True):
            own = design.degrees_of_freedom(one)
            variances.append(design.variance(one))
            df.append(design.n_clusters[2] - 1.0 if own is None else own)
        smallest = min(min(design.n_clusters[:2]) for design in designs)
        pairs = list(combinations(range(len(samples)), 2))
        return cls(
            names=tuple(names),
            areas=np.array(areas),
            covariance=np.diag(variances),
            difference_variance={(i, j): variances[i] + variances[j] for i, j in pairs},
            df={pair: welch([(variances[k], df[k]) for k in pair]) for pair in pairs if smallest > 1},
            sizes=tuple(design.n_clusters[2] for design in designs),
            smallest_class=smallest,
            undefined=FEW_CLUSTERS,
        )

    def difference(self, pair: tuple[int, int]) -> float:
        """First area minus the second, rounded once where it comes from the integers."""
        if self.differences is not None:
            return self.differences[pair]
        return float(self.areas[pair[0]] - self.areas[pair[1]])

    def contrast_covariance(self, contrasts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Covariance of contrasts of the areas, L S L'.

        A row that adds up to 0 is a sum of steps from each curve to the next, whose covariance
        (`step_covariance`) comes from the integers.
        """
        sums = np.cumsum(contrasts, axis=1)
        if self.step_covariance is not None and np.abs(sums[:, -1]).max() == 0:
            return np.asarray(sums[:, :-1] @ self.step_covariance @ sums[:, :-1].T)
        return np.asarray(contrasts @ self.covariance @ contrasts.T)


def welch(parts: Sequence[tuple[float, float]]) -> float:
    """Welch's degrees of freedom of a sum of independent variances, each with its own.

    Examples
    --------
    >>> welch([(1.0, 10), (1.0, 10)]), welch([(1.0, 10), (0.0, 5)])
    (20.0, 10.0)
    """
    terms = sum(variance**2 / df for variance, df in parts)
    return float(sum(variance for variance, _ in parts) ** 2 / terms) if terms else min(d for _, d in parts)


# ---- Intervals from counts alone --------------------------------------------------------------------------

Interval: TypeAlias = tuple[float, float]
Share: TypeAlias = Literal["split", "level"]

# Cases from which [3] takes the error count as normal; below, Chebyshev's inequality.
NORMAL_FROM = 100
# Terms of q whose share is below exp(-42) < 2^-60 cannot be seen in a double.
INVISIBLE = 42.0
# Error counts handled at once: the memory of the search is that of a few such rows.
BLOCK = 4096


def agarwal_interval(
    auc: float, n_pos: int, n_neg: int, level: float = 0.95, alternative: checks.Alternative = "two-sided"
) -> Interval:
    """Interval from the bounded differences of the area, [4]; it holds for every distribution.

    One positive moves the area by at most 1 / m, one negative by at most 1 / n, ties or not. The interval
    is wide, and as wide at an area of 0 or 1 as in the middle.

    Parameters
    ----------
    auc
        The empirical area, from 0 to 1.
    n_pos, n_neg
        Cases of each class.
    level
        Confidence level.
    alternative
        "two-sided"; "greater" for a lower bound alone, "less" for an upper bound alone.

    Examples
    --------
    >>> low, high = agarwal_interval(0.8, n_pos=100, n_neg=100)
    >>> round(low, 4), round(high, 4)
    (0.6079, 0.9921)
    """
    sides = 2 if alternative == "two-sided" else 1
    # [4]: P(A^ - A >= e) <= exp(-2 m n e^2 / (m + n)), and twice that for both sides.
    reach = math.sqrt((n_pos + n_neg) * math.log(sides / (1 - level)) / (2 * n_pos * n_neg))
    return _one_sided((auc - reach, auc + reach), alternative)


def cortes_mohri_interval(
    n_errors: int,
    n_pos: int,
    n_neg: int,
    level: float = 0.95,
    alternative: checks.Alternative = "two-sided",
    *,
    chebyshev: Share = "split",
) -> Interval:
    """Interval of the area from the number of errors alone, [3].

    The error count is placed in a range first, then for each count of the range the area lies around its
    mean by Chebyshev's inequality; the interval covers all of these. Each step holds with probability
    sqrt(level), the two together with `level`. One-sided bounds let the range run to its end (no errors
    for a lower bound) and use Cantelli's one-sided inequality.

    The level is kept only if all rankings with these errors are equally likely. Normal scores have larger
    areas than that: one standard deviation apart, 2000 cases in each class, the interval misses the area.

    Parameters
    ----------
    n_errors
        Wrongly classified cases at some threshold.
    n_pos, n_neg, level, alternative
        As in `agarwal_interval`.
    chebyshev
        Probability left to the second step: "split", 1 - sqrt(level), as the product needs it; or
        "level", 1 - level, the narrower interval of public transcriptions, which does not keep the level.

    Examples
    --------
    >>> low, high = cortes_mohri_interval(30, n_pos=100, n_neg=100)
    >>> round(low, 4), round(high, 4)
    (0.6649, 0.9936)
    """
    share = (1 - level) / (1 + math.sqrt(level))  # 1 - sqrt(level), never 0
    # Error counts that cannot be ruled out: the standard deviation of a count is at most sqrt(N) / 2.
    total = n_pos + n_neg
    if total >= NORMAL_FROM:
        spread = significance.quantile(1 - share, alternative=alternative)
    else:
        spread = _moment_quantile(share, alternative)
    beyond = min(max(0.0, spread * math.sqrt(total) / 2), total)
    first = 0 if alternative == "greater" else max(0, math.ceil(n_errors - beyond))
    last = total if alternative == "less" else min(total, math.floor(n_errors + beyond))
    reach = _moment_quantile(share if chebyshev == "split" else 1 - level, alternative)
    return _one_sided(_cover((first, last), n_pos, n_neg, reach), alternative)


def cortes_mohri_moments(k: Reals, m: int, n: int) -> tuple[Reals, Reals]:
    """Mean and variance of the area over all rankings with a threshold that make k errors, [3].

    `k` holds counts from 0 to m + n, for m positives and n negatives; exact but for rounding.

    Examples
    --------
    >>> mean, variance = cortes_mohri_moments(np.array([0.0, 1.0, 2.0]), 3, 4)
    >>> mean.round(4)
    array([1.    , 0.8519, 0.7027])
    """
    _, _, K = _shape(k, m, n)
    return _area_moments(k, m, n, *_q_moments(float(m + n), K))


def _shape(k: Reals, m: int, n: int) -> tuple[Reals, Reals, Reals]:
    """The numbers d, c and K of the module's head."""
    D, S = float(abs(m - n)), np.abs(m + n - 2 * k)
    d, c = np.maximum(D, S), np.minimum(D, S)
    return d, c, (m + n - d) / 2


def _area_moments(k: Reals, m: int, n: int, mu: Reals, gap: Reals) -> tuple[Reals, Reals]:
    """Mean and variance of the area from those of q; no large terms are left to cancel."""
    N, D = float(m + n), float(abs(m - n))
    d, c, K = _shape(k, m, n)
    # E[A|x] is linear in the number of test positives, whose mean is N/2 +- c (1 + mu) / 2.
    loss = (2 * K * (N + D - c) + D * c * mu) / (8.0 * m * n)  # 1 - E[A] up to k = N/2, E[A] beyond
    mean = np.where(2 * k <= N, 1 - loss, loss)
    # Variance of the number of test positives.
    spread = mu * (mu + 1) * (mu + 2) * (2 * mu + d + 2) / 4 + gap**2 / 2
    spread = spread - gap * (c**2 + d * (mu + 1) + 4 * mu**2 + 8 * mu + 2) / 4
    # E[Var[A|x]] is quadratic in the number of test positives; Var[E[A|x]] is D^2 / (4mn)^2 of its variance.
    within = K * (N + 2) * (N + d) / 2 + c**2 * (4 * K + mu * (6 * N + 4 - 2 * d + (3 * N + 2) * mu)) / 4
    return mean, (within + (3 * N + 2 + 3 * D**2) * spread) / (48.0 * (float(m) * n) ** 2)


def _q_moments(N: float, K: Reals) -> tuple[Reals, Reals]:
    """Mean mu of q, and gap = mu^2 - E[i(i - 1) / 2], which is 0 for a geometric series.

    q without its first i terms is the q of (N - i, K - i), whose mean mu_i therefore obeys
    mu_i = 2(K-i)(1 + mu_{i+1}) / (N-i+2 + mu_{i+1}). Run backwards, with the same for the steps
    fall_i = mu_i - mu_{i+1} and for gap_i, this adds, multiplies and divides positive numbers only, and
    forgets its start as fast as q falls: all figures are good to a few units in the last place.
    """
    # As many terms of q as a double can see: the ratios 2(K-i)/(N-i) are <= 2K/N and <= exp(-i/N).
    most = float(K.max(initial=0))
    geometric = INVISIBLE / -math.log(2 * most / N) if 0 < 2 * most < N else math.inf
    terms = math.ceil(min(most, geometric, math.sqrt(2 * INVISIBLE * N) + 1))
    mu = fall = gap = np.zeros_like(K)
    for i in reversed(range(terms)):
        wrong, cases = np.maximum(K - i, 0), N - i
        beyond, width = mu - fall, mu + (cases + 2)
        share = 2 * wrong / width  # of q beyond its i-th term
        fall = wrong * cases * fall + (1 + beyond) * (width - wrong)
        fall = 2 * fall / (width * (beyond + (cases + 1)))
        mu = share * (1 + mu)
        gap = mu * fall + share * gap
    return mu, gap


def _moment_quantile(share: float, alternative: checks.Alternative) -> float:
    """Standard deviations that no distribution exceeds with more than this probability."""
    if alternative == "two-sided":
        return math.sqrt(1 / share)  # Chebyshev
    return math.sqrt(1 / share - 1)  # Cantelli: P(X - E[X] >= t) <= s^2 / (s^2 + t^2), which grows with s


def _cover(counts: tuple[int, int], m: int, n: int, reach: float) -> Interval:
    """Least and largest end of mean -+ reach standard deviations over a range of error counts.

    The ends need not be monotone in the count, so none is left out unseen; but counts that bounds of
    their moments exclude are not worked out.
    """
    low, high = _ends(cortes_mohri_moments(np.array(counts, dtype=np.float64), m, n), reach)
    for start in range(counts[0], counts[1] + 1, BLOCK):
        k = np.arange(start, min(start + BLOCK, counts[1] + 1), dtype=np.float64)
        lowest, highest = _envelope(k, m, n, reach)
        k = k[(lowest < low) | (highest > high)]
        if k.size:
            ends = _ends(cortes_mohri_moments(k, m, n), reach)
            low, high = min(low, ends[0]), max(high, ends[1])
    return low, high


def _ends(moments: tuple[Reals, Reals], reach: float) -> Interval:
    distance = reach * np.sqrt(moments[1])
    return float((moments[0] - distance).min()), float((moments[0] + distance).max())


def _envelope(k: Reals, m: int, n: int, reach: float) -> tuple[Reals, Reals]:
    """Bounds of mean -+ reach standard deviations that need no recursion.

    E[i(i + 3)] = 2K - d mu holds exactly. As E[i^2] >= mu^2, mu is at most the root of mu^2 + (d+3) mu =
    2K; as gap >= 0, at least that of 2 mu^2 + (d+4) mu = 2K. The variance grows with mu and falls with gap.
    """
    d, _, K = _shape(k, m, n)
    least = 4 * K / (d + 4 + np.sqrt((d + 4) ** 2 + 16 * K))
    most = 4 * K / (d + 3 + np.sqrt((d + 3) ** 2 + 8 * K))
    nothing = np.zeros_like(K)
    one, _ = _area_moments(k, m, n, least, nothing)
    other, variance = _area_moments(k, m, n, most, nothing)
    distance = reach * np.sqrt(variance)
    return np.minimum(one, other) - distance, np.maximum(one, other) + distance


def _one_sided(ends: Interval, alternative: checks.Alternative) -> Interval:
    """Cut at 0 and 1; a bound alone leaves the other end there."""
    low = 0.0 if alternative == "less" else max(0.0, ends[0])
    return low, 1.0 if alternative == "greater" else min(1.0, ends[1])
