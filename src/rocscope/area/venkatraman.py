"""Venkatraman's tests that two whole ROC curves are equal: paired [1]_ and unpaired [2]_.

At every cut of the ranks the classifiers make a number of errors; the statistic E adds up how far these
numbers are apart. Curves of the same area that cross are told apart, which no test of areas does. The
p-value comes from exchanging the classifiers.

Paired: E = sum over k = 1..n of |errors_1(k) - errors_2(k)|, the k lowest ranks being called negative.
Unpaired: with F and G the shares of positives and negatives at or below a cut and q the share of positives
in both samples together, p = q F + (1 - q) G is the share called negative and e = q F + (1 - q)(1 - G) the
error; E is the integral of |e_1(p) - e_2(p)|, by trapezoids over the cuts of both curves. (pROC leaves out
the piece before both curves have a cut, and breaks ties by row order.)

Tied scores count as the mean over their orders, so the order of the rows does not matter. Ranks that meet
only because they were exchanged are no ties: at each rank the classifiers come in random order.

References
----------
.. [1] Venkatraman, Begg: A distribution-free procedure for comparing receiver operating characteristic
   curves from a paired experiment, Biometrika 83, 1996.
.. [2] Venkatraman: A permutation test to compare receiver operating characteristic curves, Biometrics 56,
   2000.
"""

from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
from numpy.random import Generator

from rocscope.area.curve_samples import CurveSamples
from rocscope.area.exchange import (
    Arranged,
    Arrangement,
    Floats,
    Integers,
    exchange_p,
    positives_up_to,
    random_exchanges,
    random_orders,
    ranked,
)
from rocscope.area.tests_between import Answer, JointTest, Question, delong_test
from rocscope.core.resample import Rng, as_generator, spawn_streams

# E of equal exchanges may differ by rounding; distinct ones differ by far more.
ROUNDING = 1e-9


def venkatraman_test(question: Question) -> Answer:
    """Test that curves are equal; the areas and DeLong's interval stand beside it, untested."""
    curves, n = question.curves, question.n_boot
    beside = delong_test(question)
    *streams, last = spawn_streams(question.rng, len(question.pairs) + 1)
    found = [
        curve_test(curves.only(*pair), n=n, rng=stream)
        for pair, stream in zip(question.pairs, streams, strict=True)
    ]
    pairs = [
        dataclasses.replace(row, statistic=test.statistic, df=None, p_value=test.p_value)
        for row, test in zip(beside.pairs, found, strict=True)
    ]
    return dataclasses.replace(
        beside,
        pairs=pairs,
        joint=curve_test(curves, n=n, rng=last) if question.is_joint else found[0],
        hypothesis="the whole ROC curves are equal; the areas are shown beside this test, not tested",
        n_resamples=n,
    )


def curve_test(curves: CurveSamples, *, n: int, rng: Rng) -> JointTest:
    """Exchange the classifiers n times; of more than two curves E adds up over all pairs."""
    ranks = ranked(curves)
    statistic = _paired_e if curves.paired else _unpaired_e
    observed = float(statistic(ranks.observed(), as_generator(0))[0])
    exchanged = np.concatenate(
        [statistic(arranged, generator) for arranged, generator in random_exchanges(ranks, n=n, rng=rng)]
    )
    p = exchange_p(exchanged >= observed * (1 - ROUNDING), enumerated=False)
    return JointTest("E", observed, None, p, None)


def _paired_e(curves: Arrangement, generator: Generator) -> Floats:
    """Sum of absolute differences of errors; calling the k lowest negative errs n_neg - k + 2 positives."""
    positives = [positives_up_to(curve, _tie_order(curve, len(curves), generator)) for curve in curves]
    parts = [2 * np.abs(a - b).sum(axis=1) for a, b in combinations(positives, 2)]
    return np.asarray(np.sum(parts, axis=0))


def _unpaired_e(curves: Arrangement, generator: Generator) -> Floats:
    """Integral of the absolute difference of the error curves."""
    share = sum(int(c.positive.sum()) for c in curves) / sum(c.positive.size for c in curves)
    errors = [_error_curves(curve, share, _tie_order(curve, len(curves), generator)) for curve in curves]
    rows = range(len(curves[0].ranks))
    parts = [
        [_between(a[0][row], a[1][row], b[0][row], b[1][row]) for row in rows]
        for a, b in combinations(errors, 2)
    ]
    return np.asarray(np.sum(parts, axis=0))


def _error_curves(curve: Arranged, share: float, tie_order: Integers) -> tuple[Floats, Floats]:
    """Share called negative and error at every cut, in a population with the given share of positives."""
    positives = np.pad(positives_up_to(curve, tie_order), ((0, 0), (1, 0)))
    n_pos = int(curve.positive.sum())
    negatives = np.arange(curve.positive.size + 1) - positives
    missed, passed = positives / n_pos, negatives / (curve.positive.size - n_pos)
    called = share * missed + (1 - share) * passed
    return called, share * missed + (1 - share) * (1 - passed)


def _between(called_a: Floats, error_a: Floats, called_b: Floats, error_b: Floats) -> float:
    """Trapezoids over the cuts of both curves."""
    cuts = np.sort(np.concatenate([called_a, called_b]))
    gaps = np.abs(np.interp(cuts, called_a, error_a) - np.interp(cuts, called_b, error_b))
    return float(np.trapezoid(gaps, cuts))


def _tie_order(curve: Arranged, k: int, generator: Generator) -> Integers:
    """Random order of the curves of origin, drawn for each exchange and each rank."""
    orders = random_orders(k, (len(curve.ranks), int(curve.ranks.max()) + 1), generator)
    rows = np.arange(len(curve.ranks))[:, None]
    return np.asarray(orders[rows, curve.ranks, curve.origin])
