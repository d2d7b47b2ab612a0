"""AUC with its interval, the curve, and the paired comparison, against scikit-learn and pROC."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rocscope as rs
from benchmarks import proc
from benchmarks.timing import Ratio, best_of

SIZES = (10_000, 100_000, 1_000_000)
# Cases: (repeats, times faster required); pROC's time is that of fewer replicates, scaled up.
BOOTSTRAPS = {10_000: (5, 200.0), 100_000: (2, 150.0)}


def scores(n: int, seed: int = 1) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Labels, half of them positive, and two correlated continuous scores."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.5).astype(np.int64)
    a = rng.normal(size=n) + y
    return y, a, a + rng.normal(size=n)


def ratios() -> Iterator[Ratio]:
    """Yield one ratio per task, size and peer."""
    from sklearn import metrics

    has_proc = proc.available()
    for n in SIZES:
        y, a, b = scores(n)
        required = (20, 40, 20) if n == 1_000_000 else (None, None, None)
        repeats = 5 if n == 1_000_000 else 15
        area = best_of(lambda y=y, a=a: rs.auc(y, a), repeats=3 * repeats)
        peer = best_of(lambda y=y, a=a: metrics.roc_auc_score(y, a), repeats=repeats)
        yield Ratio(f"AUC and DeLong interval, n = {n:,}", "sklearn roc_auc_score", area, peer, required[0])
        if has_proc:
            theirs = proc.times(y, a, b, repeats=repeats)
            name = f"pROC {theirs['version']}"
            yield Ratio(
                f"AUC and DeLong interval, n = {n:,}",
                f"{name} roc + ci.auc",
                area,
                theirs["area"],
                required[1],
            )
            pair = best_of(lambda y=y, a=a, b=b: rs.compare_auc(y, {"a": a, "b": b}), repeats=3 * repeats)
            yield Ratio(
                f"two curves, paired DeLong, n = {n:,}",
                f"{name} roc.test",
                pair,
                theirs["paired"],
                required[2],
            )
        if has_proc and n in BOOTSTRAPS:
            repeats, wanted_ratio = BOOTSTRAPS[n]
            ours = best_of(
                lambda y=y, a=a: rs.auc(y, a, method="bootstrap", n_boot=2000, rng=1), repeats=repeats
            )
            task = f"stratified bootstrap, 2,000 replicates, n = {n:,}"
            yield Ratio(task, f"{name} ci.auc", ours, 2000 * theirs["replicate"], wanted_ratio)
        if n == 1_000_000:
            groups = np.random.default_rng(2).integers(0, n // 10, n)
            ours = best_of(lambda y=y, a=a, g=groups: rs.auc(y, a, groups=g), repeats=3 * repeats)
            yield Ratio(f"AUC of {n // 10:,} clusters, n = {n:,}", "independent cases", ours, area, 0.25)
        curve = best_of(lambda y=y, a=a: rs.roc_curve(y, a), repeats=repeats)
        peer = best_of(lambda y=y, a=a: metrics.roc_curve(y, a, drop_intermediate=False), repeats=repeats)
        yield Ratio(f"ROC curve, every vertex, n = {n:,}", "sklearn roc_curve", curve, peer)
