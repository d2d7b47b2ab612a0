"""Predicted areas of many combinations of two classifiers, against counting them one by one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from benchmarks.area import scores
from benchmarks.timing import Ratio, best_of
from rocscope.binormal.combine import predicted_auc
from rocscope.binormal.fusion import preview_fusion
from rocscope.binormal.pair import BinormalPair, fit_binormal_pair

CASES, PAIRS = 1000, 10_000
# Pairs of weights whose areas scikit-learn counts; the rest takes as long each.
TIMED_PAIRS = 100


def ratios() -> Iterator[Ratio]:
    """Yield one ratio per task and peer."""
    from sklearn.metrics import roc_auc_score

    y, a, b = scores(CASES)
    weights = np.random.default_rng(1).uniform(0.1, 1.0, (PAIRS, 2))
    pair = fit_binormal_pair(y, a, b)

    def one_by_one() -> None:
        for u, v in weights[:TIMED_PAIRS]:
            roc_auc_score(y, u * a + v * b)

    peer = f"sklearn roc_auc_score one by one ({TIMED_PAIRS} timed)"
    each = best_of(one_by_one, repeats=3) / TIMED_PAIRS
    ours = best_of(lambda: predicted(pair, weights), repeats=15)
    yield Ratio(f"predicted areas of {PAIRS:,} weight pairs, n = {CASES:,}", peer, ours, each * PAIRS, 1000)
    ours = best_of(lambda: predicted(fit_binormal_pair(y, a, b), weights), repeats=3)
    yield Ratio(f"both fits, correlations, and these areas, n = {CASES:,}", peer, ours, each * PAIRS)
    ours = best_of(lambda: preview_fusion(y, a, b), repeats=3)
    yield Ratio(f"preview_fusion, all columns, 100 weight pairs, n = {CASES:,}", peer, ours, each * 100)


def predicted(pair: BinormalPair, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Areas with the fitted correlations."""
    return predicted_auc([pair.first, pair.second], weights, corr_neg=pair.rho_neg, corr_pos=pair.rho_pos)
