"""Uncertainty of a preview: fits and counts again on cases drawn with replacement, class by class."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocscope.binormal.fusion_data import fit_both, predict, sums, take
from rocscope.binormal.fusion_target import Target
from rocscope.binormal.normal import Floats
from rocscope.core.execution import Task, run_tasks, values_of
from rocscope.core.resampling import Chunk, Rng, plan_chunks
from rocscope.core.scores import BinaryScores
from rocscope.inference.resampling import percentile_interval

# Replicates of one task: a fit takes long enough for a few to be worth a process.
REPLICATES = 8
# Fewer replicates with a prediction tell no interval.
FEWEST = 50

Drawn = NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resampling:
    """What every replicate needs.

    `fitted` are the cases of the fit, on the scale of the outputs; `counted` those whose sums are counted,
    on the scale on which they are added up. `together` says that both are the same cases, and are drawn so.
    """

    fitted: BinaryScores
    counted: BinaryScores
    together: bool
    directions: Floats
    target: Target
    units: Floats


def replicates(ask: Resampling, *, n_boot: int, rng: Rng, n_jobs: int | None) -> Floats:
    """The three columns of every replicate and direction, (replicates, 3, directions)."""
    if n_boot == 0:
        return np.empty((0, 3, len(ask.directions)))
    tasks = [
        Task(f"replicates {chunk.start}", replicate, (ask, chunk))
        for chunk in plan_chunks(n_boot, rng, size=REPLICATES)
    ]
    return np.concatenate(values_of(run_tasks(tasks, n_jobs=n_jobs)))


def replicate(ask: Resampling, chunk: Chunk) -> Floats:
    """One chunk of replicates."""
    state = chunk.seed.generate_state(4, np.uint64).astype(np.uint64)
    n = len(chunk.range)
    drawn = _draw(ask.fitted, n, state)
    found = np.full((n, 3, len(ask.directions)), np.nan)
    for k in range(n):
        again = take(ask.fitted, np.repeat(np.arange(len(drawn[k])), drawn[k]))
        predictions = predict(fit_both(again), ask.directions, ask.target, ask.units)
        found[k, :2] = [prediction.values for prediction in predictions]
    counted = drawn if ask.together else _draw(ask.counted, n, state)
    for d, direction in enumerate(ask.directions):
        curves = _curves(ask.counted.positive, sums(ask.counted, direction), counted)
        found[:, 2, d] = ask.target.of_curves(*curves)
    return found


def _draw(data: BinaryScores, n: int, state: NDArray[np.uint64]) -> Drawn:
    """How often each case was drawn, (replicates, cases); both classes keep their sizes."""
    from rocscope.core import kernels

    drawn = np.zeros((n, data.positive.size), np.int32)
    drawn[:, ~data.positive] = kernels.draw_counts(data.n_neg, n, state)
    drawn[:, data.positive] = kernels.draw_counts(data.n_pos, n, state)
    return drawn


def _curves(positive: NDArray[np.bool_], scores: Floats, drawn: Drawn) -> tuple[Floats, Floats]:
    """Rates of the replicates at the distinct scores, from (0, 0) to (1, 1)."""
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    tp, fp = (np.cumsum(drawn[:, order] * member[order], axis=1) for member in (positive, ~positive))
    start = np.zeros((len(drawn), 1))
    fpr, tpr = (np.hstack([start, counts[:, last] / counts[:, -1:]]) for counts in (fp, tp))
    return fpr, tpr


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncertainty:
    """Standard errors, interval ends and shares of choices, each (directions, 3)."""

    se: Floats
    low: Floats
    high: Floats
    chosen: Floats
    n_failed: tuple[int, int]


def summarize(found: Floats, *, level: float, sign: int) -> Uncertainty:
    """Uncertainty over the replicates that have a prediction; NaN where they are too few."""
    shape = found.shape[:0:-1]
    se, low, high, chosen = (np.full(shape, np.nan) for _ in range(4))
    known = ~np.isnan(found[:, :, 0])
    for k in range(3):
        values = found[known[:, k], k]
        if len(values) >= FEWEST:
            se[:, k] = values.std(axis=0, ddof=1)
            low[:, k], high[:, k] = percentile_interval(values, level=level)
            best = np.argmax(sign * values, axis=1)
            chosen[:, k] = np.bincount(best, minlength=shape[0]) / len(values)
    failed = (~known).sum(axis=0)
    return Uncertainty(se=se, low=low, high=high, chosen=chosen, n_failed=(int(failed[0]), int(failed[1])))
