"""Intervals by a stratified bootstrap, and the figures of every fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import wald
from rocscope.core.execute import run_tasks, values_of
from rocscope.core.resample import CHUNK_SIZE, Chunk, Rng, plan_chunks
from rocscope.core.result import Estimate, Result, Status
from rocscope.core.workers import Task
from rocscope.ordinal.counts import Counts
from rocscope.ordinal.data import ClassEstimates
from rocscope.ordinal.figures import Prepared, Question

Floats = NDArray[np.float64]
# Numbers that one chunk of replicates may hold: 32 MB of float64.
CHUNK_CELLS = 4_000_000
NOT_ASKED = "no interval was asked for (n_boot=0)"
ALL_EQUAL = "all bootstrap replicates agree, so they give no interval"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OrdinalFolds(Result):
    """The figures of every fold, at the thresholds of all cases together.

    Attributes
    ----------
    folds
        Names of the folds; none where no fold column was given.
    names
        Names of the figures.
    values, defined
        Figures, (folds, figures); NaN where not defined: a class has fewer than two members in the fold.
    n, mean, sd
        Over the folds in which a figure is defined: their number, mean and standard deviation. NaN
        where there are too few (one for the mean, two for the standard deviation).
    """

    folds: tuple[Any, ...]
    names: tuple[str, ...]
    values: Floats
    defined: NDArray[np.bool_]
    n: Counts
    mean: Floats
    sd: Floats

    def _summary(self) -> str:
        lines = [f"{len(self.folds)} folds"]
        for name, n, mean, sd in zip(self.names, self.n, self.mean, self.sd, strict=True):
            told = f"mean {mean:.4f}, sd {sd:.4f}" if n > 1 else "too few folds"
            lines.append(f"  {name}: {told} ({n} folds)")
        return "\n".join(lines)

    def columns(self) -> dict[str, Any]:
        """Return one row per figure."""
        return {"figure": self.names, "n": self.n, "mean": self.mean, "sd": self.sd}


def fold_figures(
    folds: Iterable[tuple[Any, ClassEstimates]], names: tuple[str, ...], question: Question
) -> OrdinalFolds:
    """Figures of every fold with mean and standard deviation."""
    found = [(name, Prepared.of(estimates, question).figures()) for name, estimates in folds]
    values = np.array([row for _, row in found]).reshape(len(found), len(names))
    defined = ~np.isnan(values)
    n = defined.sum(axis=0)
    mean = _quotient(np.where(defined, values, 0.0).sum(axis=0), n)
    squares = (np.where(defined, values - mean, 0.0) ** 2).sum(axis=0)
    return OrdinalFolds(
        folds=tuple(name for name, _ in found),
        names=names,
        values=values,
        defined=defined,
        n=n,
        mean=mean,
        sd=np.sqrt(_quotient(squares, n - 1)),
    )


def _quotient(above: Floats, below: Counts) -> Floats:
    return np.asarray(np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0))


def bootstrap_figures(prepared: Prepared, *, n_boot: int, rng: Rng, n_jobs: int | None) -> Floats:
    """Figures of replicates, (replicates, figures); every class is drawn apart and keeps its size.

    Thresholds and cuts stay those of the data. Each chunk has its own seed: any number of jobs gives the
    same numbers.
    """
    found = prepared.found
    held = int(found.sizes.sum()) + 2 * sum(gap.size for gap in found.below)
    size = max(1, min(CHUNK_SIZE, CHUNK_CELLS // held))
    tasks = [
        Task(f"replicates {chunk.start}", replicate_figures, (prepared, chunk))
        for chunk in plan_chunks(n_boot, rng, size=size)
    ]
    return np.concatenate(values_of(run_tasks(tasks, n_jobs=n_jobs)))


def replicate_figures(prepared: Prepared, chunk: Chunk) -> Floats:
    """Figures of one chunk of replicates."""
    from rocscope.core import kernels

    state = chunk.seed.generate_state(4, np.uint64).astype(np.uint64)
    n = len(chunk.range)
    before = []
    for size in prepared.found.sizes.tolist():
        running = np.zeros((n, size + 1), np.int64)
        if size:
            np.cumsum(kernels.draw_counts(size, n, state), axis=1, out=running[:, 1:])
        before.append(running)

    def count(code: int, place: Counts) -> Counts:
        return np.asarray(before[code][:, place])

    return prepared.figures(count, (n,))


def no_intervals(values: Floats, names: tuple[str, ...], level: float, reasons: Mapping[str, str]) -> Any:
    """Estimates without an interval, because none was asked for."""
    return {
        name: _estimate(name, value, level, None, reasons.get(name))
        for name, value in zip(names, values.tolist(), strict=True)
    }


def intervals(
    values: Floats, replicates: Floats, names: tuple[str, ...], level: float, reasons: Mapping[str, str]
) -> dict[str, Estimate]:
    """Intervals of the figures from their replicates."""
    return {
        name: _estimate(name, value, level, replicates[:, k], reasons.get(name))
        for k, (name, value) in enumerate(zip(names, values.tolist(), strict=True))
    }


def bias_corrected(replicates: Floats, value: float, level: float) -> tuple[float, float]:
    """Efron's bias-corrected percentile interval, widened to hold the value.

    MaxAUC is a maximum: it lies above the truth, and its replicates above it again. Plain percentiles
    would count this bias twice; here the share of replicates below the value moves them back.

    Examples
    --------
    >>> replicates = np.arange(101) / 100
    >>> [round(end, 3) for end in bias_corrected(replicates, 0.5, 0.9)]
    [0.05, 0.95]
    >>> [round(end, 3) for end in bias_corrected(replicates, 0.3, 0.9)]
    [0.004, 0.728]
    """
    n = len(replicates)
    below = (replicates < value).mean() + (replicates == value).mean() / 2
    shift = special.ndtri(min(max(below, 0.5 / n), 1 - 0.5 / n))
    reach = wald.quantile(level)
    low, high = np.quantile(replicates, special.ndtr([2 * shift - reach, 2 * shift + reach]))
    return min(float(low), value), max(float(high), value)


def _estimate(
    name: str, value: float, level: float, replicates: Floats | None, undefined: str | None
) -> Estimate:
    se = low = high = reason = None
    status: Status = "partial"
    if np.isnan(value):
        status, reason = "undefined", undefined
    elif replicates is None:
        reason = NOT_ASKED
    elif (replicates == replicates[0]).all():
        se, reason = 0.0, ALL_EQUAL
    else:
        se = float(replicates.std(ddof=1))
        low, high = bias_corrected(replicates, value, level)
        status = "ok"
    return Estimate(
        name=name,
        value=None if np.isnan(value) else value,
        se=se,
        low=low,
        high=high,
        level=level,
        method="bootstrap",
        status=status,
        reason=reason,
    )
