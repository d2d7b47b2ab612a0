"""Tests between curves by exchanging the classifiers: of areas, and of whole curves.

Under the hypothesis that the classifiers are exchangeable case by case [1]_, every exchange of their ranks
is as likely as what was observed. Few cases need no chance: all exchanges are enumerated. Scores of two
classifiers have no common scale, so each classifier's are ranked first and the ranks are exchanged. Paired
curves exchange the ranks of a case; unpaired curves exchange cases inside a class.

Venkatraman's tests that whole curves are equal, paired [2]_ and unpaired [3]_: at every cut of the ranks the
classifiers make a number of errors; the statistic E adds up how far these numbers are apart. It detects
curves of the same area that cross, which no test of areas does.

Paired: E = sum over k = 1..n of |errors_1(k) - errors_2(k)|, the k lowest ranks being test negative.
Unpaired: with F and G the shares of positives and negatives at or below a cut and q the share of positives
in both samples together, p = q F + (1 - q) G is the share of test negatives and e = q F + (1 - q)(1 - G) the
error; E is the integral of |e_1(p) - e_2(p)|, by trapezoids over the cuts of both curves. (pROC leaves out
the piece before both curves have a cut, and breaks ties by row order.)

Tied scores count as the mean over their orders, so the order of the rows does not matter. Ranks that meet
only because they were exchanged are no ties: at each rank the classifiers come in random order.

References
----------
.. [1] Bandos, Rockette, Gur: A permutation test sensitive to differences in areas for comparing ROC curves
   from a paired design, Statistics in Medicine 24, 2005.
.. [2] Venkatraman, Begg: A distribution-free procedure for comparing receiver operating characteristic
   curves from a paired experiment, Biometrika 83, 1996.
.. [3] Venkatraman: A permutation test to compare receiver operating characteristic curves, Biometrics 56,
   2000.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from rocscope.core import checks, resampling
from rocscope.inference import curve_tests

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

# Areas of equal exchanges may differ by rounding; distinct ones differ by far more. So does E.
ROUNDING = 1e-12
ROUNDING_VENKATRAMAN = 1e-9
# Two curves with no more exchanges than this are enumerated: the p-value is exact.
EXACT_LIMIT = 2**12
# Decimals that distinguish scores on the common scale of unpaired curves.
SCALE_DECIMALS = 12


def permutation_test(
    curves: curve_tests.CurveSamples,
    contrasts: Floats | None,
    beside: curve_tests.CurveTests,
    sampling: resampling.Sampling,
    *,
    alternative: checks.Alternative,
) -> curve_tests.CurveTests:
    """Compare areas by exchanging the classifiers; each pair by itself, then all together.

    Standard errors and intervals beside the tests are those of `beside`, DeLong's.
    """
    *streams, last = resampling.spawn_streams(sampling.rng, len(curves.pairs) + 1)
    pairs, n_exchanges = [], 0
    for pair, test, stream in zip(curves.pairs, beside.pairs, streams, strict=True):
        observed, areas, enumerated = exchanged_areas(curves.only(*pair), replace(sampling, rng=stream))
        n_exchanges = n_exchanges or len(areas)
        difference = float(observed[0] - observed[1])
        exchanged = areas[:, 0] - areas[:, 1]
        extreme = {
            "two-sided": np.abs(exchanged) >= abs(difference) - ROUNDING,
            "greater": exchanged >= difference - ROUNDING,
            "less": exchanged <= difference + ROUNDING,
        }[alternative]
        spread = math.sqrt(float(np.mean(exchanged**2)))
        statistic = difference / spread if spread > ROUNDING else 0.0
        p = exchange_p(extreme, enumerated=enumerated)
        pairs.append(replace(test, statistic=statistic, df=None, p_value=p))
    joint = replace(curve_tests.z_test(pairs), reason=None)
    if contrasts is not None:
        joint = _contrast_test(curves, contrasts, replace(sampling, rng=last))
    return replace(
        beside,
        pairs=pairs,
        joint=joint,
        hypothesis="the curves have the same AUC, their classifiers being exchangeable",
        n_resamples=n_exchanges,
    )


def _contrast_test(
    curves: curve_tests.CurveSamples, contrasts: Floats, sampling: resampling.Sampling
) -> curve_tests.JointTest:
    """Chi-square of the contrasts over their covariance under exchange; its p-value by exchange too."""
    observed, areas, enumerated = exchanged_areas(curves, sampling)
    effect, exchanged = contrasts @ observed, areas @ contrasts.T
    covariance = exchanged.T @ exchanged / len(exchanged)
    inverse = np.linalg.pinv(covariance, rcond=curve_tests.RANK_TOLERANCE, hermitian=True)
    statistic = float(effect @ inverse @ effect)
    others = np.einsum("bi,ij,bj->b", exchanged, inverse, exchanged)
    p = exchange_p(others >= statistic * (1 - ROUNDING) - ROUNDING, enumerated=enumerated)
    tolerance = curve_tests.RANK_TOLERANCE * np.abs(covariance).max()
    rank = int(np.linalg.matrix_rank(covariance, tol=tolerance, hermitian=True))
    return curve_tests.JointTest("chi2", statistic, rank, p)


def exchanged_areas(
    curves: curve_tests.CurveSamples, sampling: resampling.Sampling
) -> tuple[Floats, Floats, bool]:
    """Areas as observed (curves,), areas after exchanges (exchanges, curves), whether these are all.

    Every exchange is made where these are few, else random ones.
    """
    ranks = ranked(curves)
    every = ranks.all_exchanges()
    observed = _areas(ranks.observed())[0]
    if every is not None:
        return observed, _areas(every), True
    return observed, random_exchanges(ranks, lambda arranged, _: _areas(arranged), sampling), False


def _areas(curves: Arrangement) -> Floats:
    """Mean share of the positives above a negative, (exchanges, curves)."""
    areas = []
    for curve in curves:
        positives = positives_up_to(curve)
        before = np.zeros_like(positives)
        before[:, 1:] = positives[:, :-1]
        n_pos = int(curve.positive.sum())
        negatives = 1 - (positives - before)
        above = n_pos - (before + positives) / 2
        areas.append((negatives * above).sum(axis=1) / (n_pos * (curve.positive.size - n_pos)))
    return np.stack(areas, axis=1)


def venkatraman_test(
    curves: curve_tests.CurveSamples,
    contrasts: Floats | None,
    beside: curve_tests.CurveTests,
    sampling: resampling.Sampling,
) -> curve_tests.CurveTests:
    """Test that curves are equal; areas and intervals, DeLong's, stand beside it, untested."""
    *streams, last = resampling.spawn_streams(sampling.rng, len(curves.pairs) + 1)
    tests = [
        curve_test(curves.only(*pair), replace(sampling, rng=stream))
        for pair, stream in zip(curves.pairs, streams, strict=True)
    ]
    pairs = [
        replace(row, statistic=test.statistic, df=None, p_value=test.p_value)
        for row, test in zip(beside.pairs, tests, strict=True)
    ]
    return replace(
        beside,
        pairs=pairs,
        joint=tests[0] if contrasts is None else curve_test(curves, replace(sampling, rng=last)),
        hypothesis="the whole ROC curves are equal; the areas are shown beside this test, not tested",
        n_resamples=sampling.n_boot,
    )


def curve_test(curves: curve_tests.CurveSamples, sampling: resampling.Sampling) -> curve_tests.JointTest:
    """Exchange the classifiers at random; of more than two curves E adds up over all pairs."""
    ranks = ranked(curves)
    statistic = _paired_e if curves.paired else _unpaired_e
    observed = float(statistic(ranks.observed(), resampling.as_generator(0))[0])
    exchanged = random_exchanges(ranks, statistic, sampling)
    p = exchange_p(exchanged >= observed * (1 - ROUNDING_VENKATRAMAN), enumerated=False)
    return curve_tests.JointTest("E", observed, None, p)


def _paired_e(curves: Arrangement, generator: Generator) -> Floats:
    """Sum of absolute differences of errors: n_neg - k + 2 P with P positives among the k lowest."""
    positives = [positives_up_to(curve, _tie_order(curve, len(curves), generator)) for curve in curves]
    parts = [2 * np.abs(a - b).sum(axis=1) for a, b in combinations(positives, 2)]
    return np.asarray(np.sum(parts, axis=0))


def _unpaired_e(curves: Arrangement, generator: Generator) -> Floats:
    """Integral of the absolute difference of the error curves, by trapezoids over the cuts of both."""
    share = sum(int(c.positive.sum()) for c in curves) / sum(c.positive.size for c in curves)
    negative, error = [], []  # share of test negatives and error at every cut, in the whole population
    for curve in curves:
        tie_order = _tie_order(curve, len(curves), generator)
        positives = np.pad(positives_up_to(curve, tie_order), ((0, 0), (1, 0)))
        n_pos = int(curve.positive.sum())
        negatives = np.arange(curve.positive.size + 1) - positives
        missed, passed = positives / n_pos, negatives / (curve.positive.size - n_pos)
        negative.append(share * missed + (1 - share) * passed)
        error.append(share * missed + (1 - share) * (1 - passed))
    parts = np.zeros((math.comb(len(curves), 2), len(curves[0].ranks)))
    for part, (a, b) in zip(parts, combinations(range(len(curves)), 2), strict=True):
        for row in range(len(part)):
            x_a, x_b = negative[a][row], negative[b][row]
            cuts = np.sort(np.concatenate([x_a, x_b]))
            gaps = np.abs(np.interp(cuts, x_a, error[a][row]) - np.interp(cuts, x_b, error[b][row]))
            part[row] = np.trapezoid(gaps, cuts)
    return np.asarray(np.sum(parts, axis=0))


def _tie_order(curve: Arranged, k: int, generator: Generator) -> Integers:
    """Random order of the curves of origin, drawn for each exchange and each rank."""
    orders = random_orders(k, (len(curve.ranks), int(curve.ranks.max()) + 1), generator)
    rows = np.arange(len(curve.ranks))[:, None]
    return np.asarray(orders[rows, curve.ranks, curve.origin])


# ---- Exchanging curves at random --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arranged:
    """One curve after a stack of exchanges: ranks of its cases and the curve each came from.

    `ranks` and `origin` are (exchanges, cases), `positive` is (cases,).
    """

    ranks: Integers
    origin: Integers
    positive: NDArray[np.bool_]


Arrangement: TypeAlias = list[Arranged]


@dataclass(frozen=True, slots=True)
class PairedRanks:
    """Ranks of several classifiers on the same cases, (curves, cases)."""

    ranks: Integers
    positive: NDArray[np.bool_]

    def size(self) -> int:
        """Number of cases."""
        return self.positive.size

    def observed(self) -> Arrangement:
        """Every curve with its own ranks."""
        k, n = self.ranks.shape
        return self._arrange(np.broadcast_to(np.arange(k)[:, None], (1, k, n)))

    def at_random(self, n: int, generator: Generator) -> Arrangement:
        """Give the ranks of every case to the curves in random order."""
        k, cases = self.ranks.shape
        return self._arrange(np.moveaxis(random_orders(k, (n, cases), generator), -1, 1))

    def all_exchanges(self) -> Arrangement | None:
        """Every choice of cases whose two ranks change places."""
        k, n = self.ranks.shape
        if k > 2 or 2**n > EXACT_LIMIT:
            return None
        swapped = np.arange(2**n)[:, None] >> np.arange(n) & 1
        return self._arrange(np.stack([swapped, 1 - swapped], axis=1))

    def _arrange(self, origin: Integers) -> Arrangement:
        """Curves from the (exchanges, curves, cases) origins of their ranks."""
        ranks = np.take_along_axis(self.ranks[None], origin, axis=1)
        return [Arranged(ranks[:, c], origin[:, c], self.positive) for c in range(len(self.ranks))]


@dataclass(frozen=True, slots=True)
class UnpairedRanks:
    """Ranks of several samples on a common scale; those of one class make one pool.

    The positives of all samples come first, then the negatives; `owner` is the sample of each case.
    """

    ranks: Integers
    owner: Integers
    positive: NDArray[np.bool_]

    def size(self) -> int:
        """Number of cases of all samples."""
        return self.ranks.size

    def observed(self) -> Arrangement:
        """Every curve with its own ranks."""
        return self._arrange(np.arange(self.ranks.size)[None])

    def at_random(self, n: int, generator: Generator) -> Arrangement:
        """Deal every pool out to the curves at random."""
        pools = [np.flatnonzero(self.positive), np.flatnonzero(~self.positive)]
        dealt = [generator.permuted(np.tile(pool, (n, 1)), axis=1) for pool in pools]
        return self._arrange(np.concatenate(dealt, axis=1))

    def all_exchanges(self) -> Arrangement | None:
        """Every way to deal the two pools out to two curves."""
        pools = [self.owner[self.positive], self.owner[~self.positive]]
        ways = math.prod(math.comb(pool.size, int((pool == 0).sum())) for pool in pools)
        if self.owner.max() > 1 or ways > EXACT_LIMIT:
            return None
        pos, neg = (_all_deals(pool.size, int((pool == 0).sum())) for pool in pools)
        order = np.repeat(pos, len(neg), axis=0), np.tile(neg + pools[0].size, (len(pos), 1))
        return self._arrange(np.concatenate(order, axis=1))

    def _arrange(self, order: Integers) -> Arrangement:
        """Curves from the (exchanges, cases) order in which the pools are dealt out."""
        places = [np.flatnonzero(self.owner == curve) for curve in range(int(self.owner.max()) + 1)]
        return [
            Arranged(self.ranks[order[:, own]], self.owner[order[:, own]], self.positive[own])
            for own in places
        ]


def _all_deals(n: int, first: int) -> Integers:
    """Every choice of `first` of n, followed by the rest: one row each."""
    choices = [list(choice) for choice in combinations(range(n), first)]
    return np.array([c + [i for i in range(n) if i not in set(c)] for c in choices])


def random_orders(k: int, shape: tuple[int, ...], generator: Generator) -> Integers:
    """Random orders of 0..k-1 along a new last axis."""
    if k == 2:  # one coin each
        first = generator.integers(0, 2, shape, dtype=np.int8).astype(np.int64)
        return np.stack([first, 1 - first], axis=-1)
    return np.asarray(generator.random((*shape, k)).argsort(axis=-1))


def ranked(curves: curve_tests.CurveSamples) -> PairedRanks | UnpairedRanks:
    """Rank the scores of every classifier so that ranks of different ones can be exchanged.

    Unpaired scores are placed in a population with the share of positives of all samples, from 0 to 1. If
    two ROC curves are the same, so are the distributions on this scale, class by class, whatever the sizes
    of the samples; plain ranks are comparable only where samples have the same composition.
    """
    samples = curves.samples
    if curves.paired:
        midranks = []
        for column in samples[0].columns:
            _, inverse, counts = np.unique(column, return_inverse=True, return_counts=True)
            midranks.append((2 * np.cumsum(counts) - counts + 1)[inverse])
        return PairedRanks(np.stack(_coded(midranks)), samples[0].positive)
    sizes = np.array([(data.n_pos, data.n_neg) for data in samples])
    share = int(sizes[:, 0].sum()) / int(sizes.sum())
    places = []
    for data in samples:
        scores = data.columns[0]
        place = np.zeros(scores.size)
        for weight, members in zip((share, 1 - share), data.by_class(), strict=True):
            ordered = np.sort(members)
            below, not_above = (np.searchsorted(ordered, scores, side) for side in ("left", "right"))
            place += weight * (below + not_above) / (2 * members.size)
        places.append(np.round(place, SCALE_DECIMALS))
    codes = list(zip(_coded(places), samples, strict=True))
    return UnpairedRanks(
        ranks=np.concatenate([c[d.positive] for c, d in codes] + [c[~d.positive] for c, d in codes]),
        owner=np.concatenate([np.repeat(np.arange(len(samples)), n) for n in sizes.T]),
        positive=np.repeat([True, False], sizes.sum(axis=0)),
    )


def _coded(columns: list[NDArray[Any]]) -> list[Integers]:
    """Whole numbers from 0 without gaps, in the order of the values of all columns."""
    codes = np.unique(np.concatenate(columns), return_inverse=True)[1]
    return np.split(codes, np.cumsum([column.size for column in columns])[:-1])


def random_exchanges(
    curves: PairedRanks | UnpairedRanks,
    statistic: Callable[[Arrangement, Generator], Floats],
    sampling: resampling.Sampling,
) -> Floats:
    """Values of a statistic of random exchanges; the generator serves what else is left to chance."""

    def values(chunk: resampling.Chunk) -> Iterator[Floats]:
        generator = chunk.stream()
        yield statistic(curves.at_random(len(chunk.range), generator), generator)

    return np.asarray(sampling.run(values, size=resampling.chunk_size(curves.size())))


def positives_up_to(curve: Arranged, tie_order: Integers | None = None) -> Floats:
    """Expected number of positives among the k lowest ranks, k = 1, 2, ..., for each exchange.

    Tied cases rise together, so the number grows linearly over them. `tie_order` (exchanges, cases)
    separates equal ranks: where it differs too they are no ties.
    """
    from rocscope.core import kernels

    groups = curve.ranks if tie_order is None else curve.ranks * (tie_order.max() + 1) + tie_order
    return kernels.expected_positives(np.ascontiguousarray(groups), curve.positive)


def exchange_p(extreme: NDArray[np.bool_], *, enumerated: bool) -> float:
    """Share of exchanges at least as extreme as the observed one, which is counted as one of them."""
    return float(extreme.mean()) if enumerated else (1 + int(extreme.sum())) / (1 + extreme.size)
