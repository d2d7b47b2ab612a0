"""The permutation test of areas: exchange the classifiers and see how often they differ as much.

Under the hypothesis that the classifiers are exchangeable case by case [1]_, every exchange of their ranks
is as likely as what was observed. Few cases need no chance: all exchanges are enumerated.

References
----------
.. [1] Bandos, Rockette, Gur: A permutation test sensitive to differences in areas for comparing ROC curves
   from a paired design, Statistics in Medicine 24, 2005.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from rocscope.area.curve_samples import CurveSamples
from rocscope.area.exchange import (
    Arranged,
    Arrangement,
    Floats,
    exchange_p,
    positives_up_to,
    random_exchanges,
    ranked,
)
from rocscope.area.tests_between import (
    RANK_TOLERANCE,
    Answer,
    JointTest,
    PairTest,
    Question,
    delong_test,
)
from rocscope.core.checks import Alternative
from rocscope.core.resample import Rng, spawn_streams

# Areas of equal exchanges may differ by rounding; distinct ones differ by far more.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ExchangedAreas:
    """Areas as observed (curves,) and after exchanges (exchanges, curves)."""

    observed: Floats
    exchanged: Floats
    enumerated: bool


def permutation_test(question: Question) -> Answer:
    """Compare areas by exchanging the classifiers; each pair by itself, then all together."""
    curves = question.curves
    beside = delong_test(question)
    *streams, last = spawn_streams(question.rng, len(question.pairs) + 1)
    found = [
        exchanged_areas(curves.only(*pair), n=question.n_boot, rng=stream)
        for pair, stream in zip(question.pairs, streams, strict=True)
    ]
    pairs = [
        _pair_test(areas, row, question.alternative) for areas, row in zip(found, beside.pairs, strict=True)
    ]
    joint = JointTest("z", pairs[0].statistic, None, pairs[0].p_value, None)
    if question.is_joint:
        joint = _joint_test(exchanged_areas(curves, n=question.n_boot, rng=last), question.contrast_rows)
    return dataclasses.replace(
        beside,
        pairs=pairs,
        joint=joint,
        hypothesis="the curves have the same AUC, their classifiers being exchangeable",
        n_resamples=len(found[0].exchanged),
    )


def exchanged_areas(curves: CurveSamples, *, n: int, rng: Rng) -> ExchangedAreas:
    """Areas after every exchange where these are few, else after n random ones."""
    ranks = ranked(curves)
    every = ranks.all_exchanges()
    observed = _areas(ranks.observed())[0]
    if every is not None:
        return ExchangedAreas(observed, _areas(every), enumerated=True)
    stacks = [_areas(arranged) for arranged, _ in random_exchanges(ranks, n=n, rng=rng)]
    return ExchangedAreas(observed, np.concatenate(stacks), enumerated=False)


def _areas(curves: Arrangement) -> Floats:
    return np.stack([_area(curve) for curve in curves], axis=1)


def _area(curve: Arranged) -> Floats:
    """Mean share of the positives above a negative; one number for each exchange."""
    positives = positives_up_to(curve)
    before = np.zeros_like(positives)
    before[:, 1:] = positives[:, :-1]
    n_pos = int(curve.positive.sum())
    negatives = 1 - (positives - before)
    above = n_pos - (before + positives) / 2
    return np.asarray((negatives * above).sum(axis=1) / (n_pos * (curve.positive.size - n_pos)))


def _pair_test(areas: ExchangedAreas, beside: PairTest, alternative: Alternative) -> PairTest:
    """Test of two curves; the standard error and interval `beside` it are DeLong's."""
    difference = float(areas.observed[0] - areas.observed[1])
    exchanged = areas.exchanged[:, 0] - areas.exchanged[:, 1]
    extreme = {
        "two-sided": np.abs(exchanged) >= abs(difference) - ROUNDING,
        "greater": exchanged >= difference - ROUNDING,
        "less": exchanged <= difference + ROUNDING,
    }[alternative]
    spread = math.sqrt(float(np.mean(exchanged**2)))
    return dataclasses.replace(
        beside,
        statistic=difference / spread if spread > ROUNDING else 0.0,
        df=None,
        p_value=exchange_p(extreme, enumerated=areas.enumerated),
    )


def _joint_test(areas: ExchangedAreas, contrasts: Floats) -> JointTest:
    """Chi-square of the contrasts over their covariance under exchange; its p-value by exchange too."""
    observed, exchanged = contrasts @ areas.observed, areas.exchanged @ contrasts.T
    covariance = exchanged.T @ exchanged / len(exchanged)
    inverse = np.linalg.pinv(covariance, rcond=RANK_TOLERANCE, hermitian=True)
    statistic = float(observed @ inverse @ observed)
    others = np.einsum("bi,ij,bj->b", exchanged, inverse, exchanged)
    p = exchange_p(others >= statistic * (1 - ROUNDING) - ROUNDING, enumerated=areas.enumerated)
    rank = int(
        np.linalg.matrix_rank(covariance, tol=RANK_TOLERANCE * np.abs(covariance).max(), hermitian=True)
    )
    return JointTest("chi2", statistic, rank, p, None)
