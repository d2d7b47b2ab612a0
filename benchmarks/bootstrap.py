"""Bootstrap of partial areas, bands, cut-points and comparisons against pROC, and of precision-recall."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import rocscope as rs
from benchmarks import proc
from benchmarks.area import scores
from benchmarks.ordinal import in_turn
from benchmarks.timing import Ratio, best_of

# Replicates of ours, and of pROC's, whose time is scaled up: it is proportional to them.
REPLICATES = 500
THEIRS = {10_000: 40, 100_000: 8}
SIZE = 100_000

# Calls of pROC, each with its number of replicates `b`; two curves are r and s.
PROC = {
    "partial area": 'ci.auc(r, partial.auc = c(1, 0.9), method = "bootstrap", boot.n = b, progress = "none")',
    "band at 101 FPRs": 'ci.se(r, specificities = seq(0, 1, 0.01), boot.n = b, progress = "none")',
    "cut-point": 'ci.coords(r, x = "best", best.policy = "random", boot.n = b, progress = "none")',
    "two areas": 'roc.test(r, s, method = "bootstrap", paired = TRUE, boot.n = b, progress = "none")',
}
REQUIRED = {"partial area": 60.0, "band at 101 FPRs": 60.0, "cut-point": 60.0, "two areas": 150.0}


def calls(y: Any, a: Any, b: Any, **how: Any) -> dict[str, Callable[[], Any]]:
    """Our calls of the same tasks."""
    return {
        "partial area": lambda: rs.partial_auc(y, a, fpr=(0, 0.1), method="bootstrap", **how),
        "band at 101 FPRs": lambda: rs.roc_band(y, a, **how, method="bootstrap"),
        "cut-point": lambda: rs.cutpoint(y, a, **how),
        "two areas": lambda: rs.compare_auc(y, {"a": a, "b": b}, method="bootstrap", **how),
    }


def ratios() -> Iterator[Ratio]:
    """Yield one ratio per task and size; one core on both sides."""
    how = {"n_boot": REPLICATES, "rng": 1}
    for n, theirs in THEIRS.items() if proc.available() else ():
        y, a, b = scores(n)
        seconds = proc.bootstrap_times(y, a, b, PROC, replicates=theirs)
        for task, call in calls(y, a, b, **how).items():
            required = 60.0 if n == SIZE else REQUIRED[task]
            name = f"{task}, {REPLICATES} replicates, n = {n:,}"
            yield Ratio(name, "pROC", best_of(call, repeats=3), seconds[task] * REPLICATES / theirs, required)
    y, a, b = scores(SIZE)
    area = best_of(lambda: rs.auc(y, a, method="bootstrap", **how), repeats=5)
    curve = best_of(lambda: rs.precision_recall(y, a, **how), repeats=3)
    yield Ratio(
        f"precision-recall, {REPLICATES} replicates, n = {SIZE:,}",
        "our bootstrap of the area",
        curve,
        area,
        1 / 8,
    )
    # What two cores give to work that shares nothing: the bound of the rows after it.
    together, apart = in_turn(_two_threads, lambda: (_alone(), _alone()), rounds=8)
    yield Ratio("two sorts in two threads", "one after the other", together, apart)
    how["n_boot"] = 4 * REPLICATES
    for task, call in calls(y, a, b, **how).items():
        two = calls(y, a, b, n_jobs=2, **how)[task]
        name = f"{task}, {4 * REPLICATES} replicates, n = {SIZE:,}, two workers"
        yield Ratio(name, "one worker", *in_turn(two, call, rounds=5), 1.7)


def _alone() -> None:
    for seed in range(8):
        np.random.default_rng(seed).random(300_000).sort()


def _two_threads() -> None:
    threads = [threading.Thread(target=_alone) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def large(n: int = 5_000_000) -> str:
    """Seconds of single calls on large data, beside the sort of the same scores."""
    y, a, _ = scores(n)
    rs.partial_auc(y[:1000], a[:1000], fpr=(0, 0.1), method="delong")
    rs.roc_band(y[:1000], a[:1000], n_boot=100, rng=1, method="bootstrap")
    lines = [f"| n = {n:,} | seconds | sorts of the scores |", "|---|--:|--:|"]
    for task, call in {
        "partial area by DeLong's method": lambda: rs.partial_auc(y, a, fpr=(0, 0.1), method="delong"),
        "band, 200 replicates": lambda: rs.roc_band(y, a, n_boot=200, rng=1, method="bootstrap"),
        "band, 200 replicates of 10,000 points": lambda: rs.roc_band(
            y, a, n_boot=200, max_points=10_000, rng=1
        ),
    }.items():
        if "DeLong" in task:
            seconds, sort = in_turn(call, lambda: np.sort(a), rounds=10)
        else:
            start = time.perf_counter()
            call()
            seconds = time.perf_counter() - start
        lines.append(f"| {task} | {seconds:.2f} | {seconds / sort:.1f} |")
    return "\n".join(lines)
