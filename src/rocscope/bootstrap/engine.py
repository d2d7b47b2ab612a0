"""Compiled Monte-Carlo trials, cut into tasks: the same numbers for any number of jobs.

A singular covariance, of a bootstrap replicate with too few distinct cases say, gets 1e-6 of the mean
variance of the class's training cases on its diagonal, so that every training has a score; such cases are
counted. A class of which a replicate leaves out no case is drawn again, and counted too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.random import SeedSequence
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, execution, resampling
from rocscope.errors import ResourceError, RocInputError

Floats = NDArray[np.float64]
LearnerName: TypeAlias = Literal["nearest-mean", "lda", "qda", "1nn"]
# In the order of the kernels' codes.
LEARNERS: Final = ("nearest-mean", "lda", "qda", "1nn")
# Part of the meaning of a seed, as the size of every chunk.
TRIALS_PER_TASK: Final = 50
# Numbers that one trial may hold at once: 1.6 GB.
MOST_CELLS: Final = 200_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is the same in every trial; with `pairs` the leave-pair-out bootstrap is computed too."""

    learner: str
    population: Population
    n_boot: int
    n_test: int
    common_test: bool
    pairs: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """What the trials of one size gave; each array has an entry per trial, NaN where not requested.

    Attributes
    ----------
    true
        Area on the test set of the learner trained on the trial's training set.
    apparent, star
        Area on the training set itself; AUC(*), the mean over replicates of the area on left-out cases.
    leave_pair_out, variance, noise
        Leave-pair-out bootstrap, the sum of its squared influence values, and what the finite number of
        replicates adds to this sum on average.
    redrawn, singular, dropped
        Draws of a class that were repeated, singular covariances, pairs never left out together.
    """

    true: Floats
    apparent: Floats
    star: Floats
    leave_pair_out: Floats
    variance: Floats
    noise: Floats
    redrawn: NDArray[np.int64]
    singular: NDArray[np.int64]
    dropped: NDArray[np.int64]

    def standard_errors(self) -> Floats:
        """Standard error of leave-pair-out in each trial; NaN where the noise is all there is."""
        rest = self.variance - self.noise
        return np.sqrt(np.where(rest > 0, rest, np.nan))


def run_sizes(
    experiment: Experiment,
    sizes: Sequence[int],
    *,
    trials: int,
    rng: Any,
    n_jobs: int | None = None,
    progress: execution.Progress | None = None,
) -> list[Trials]:
    """Run the trials of every size, in cases per class.

    The test set that all trials share, of all sizes, is drawn first, then the seeds of the trials.
    """
    check_cells(experiment, sizes)
    generator = resampling.as_generator(rng)
    test = np.empty(0, np.uint64)
    if experiment.common_test:
        test = states_of(resampling.plan_chunks(1, generator)[0].seed, 1)[0]
    tasks = [
        execution.Task(
            f"n = {n}, number {number}, trials {chunk.start}", run_chunk, (experiment, n, test, chunk)
        )
        for number, n in enumerate(sizes)
        for chunk in resampling.plan_chunks(trials, generator, size=TRIALS_PER_TASK)
    ]
    chunks = execution.values_of(execution.run_tasks(tasks, n_jobs=n_jobs, progress=progress))
    per_size = len(tasks) // len(sizes)
    return [joined(chunks[k : k + per_size]) for k in range(0, len(chunks), per_size)]


def run_chunk(experiment: Experiment, n: int, test: NDArray[np.uint64], chunk: resampling.Chunk) -> Any:
    """Run the trials of one chunk: an array of values and one of counters."""
    from rocscope.core import kernels

    return kernels.run_trials(
        LEARNERS.index(experiment.learner),
        (n, n),
        experiment.n_boot,
        experiment.pairs,
        experiment.population.means,
        experiment.population.roots,
        experiment.n_test,
        test,
        states_of(chunk.seed, len(chunk.range)),
    )


def joined(chunks: Sequence[tuple[Floats, NDArray[np.int64]]]) -> Trials:
    """Put chunks together, in their order."""
    values = np.concatenate([values for values, _ in chunks]).T
    counters = np.concatenate([counters for _, counters in chunks]).T
    names = ("true", "apparent", "star", "leave_pair_out", "variance", "noise")
    counted = ("redrawn", "singular", "dropped")
    return Trials(**dict(zip(names, values, strict=True)), **dict(zip(counted, counters, strict=True)))


def states_of(seed: SeedSequence, n: int) -> NDArray[np.uint64]:
    """States of n random streams of the kernels, (n, 4)."""
    return seed.generate_state(4 * n, np.uint64).reshape(n, 4).astype(np.uint64)


def check_cells(experiment: Experiment, sizes: Sequence[int]) -> None:
    """Refuse a trial that would not fit into memory."""
    p, n = experiment.population.dimension, 2 * max(sizes)
    terms = p + p * (p + 1) // 2
    square = n * n if experiment.pairs or experiment.learner == "1nn" else 0
    cells = 2 * n * experiment.n_boot + terms * (2 * n + 4 * experiment.n_test) + square
    if cells > MOST_CELLS:
        raise ResourceError(
            f"one trial would hold {cells:,} numbers, at most {MOST_CELLS:,}: "
            "take smaller n, n_boot, n_test or dimension"
        )


# ---- Two normal classes: the population of a Monte-Carlo study --------------------------------------------

DIMENSION = 5
SEPARATION = 0.8
MOST_SEPARATION = 1e6
# Products of four features neither overflow nor vanish inside this range.
VARIANCES = (1e-50, 1e50)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """Two normal classes with the origin half-way between their means; no learner sees where it is.

    Attributes
    ----------
    mean
        Mean of the positives minus that of the negatives.
    covariances
        Of the negatives and of the positives, (2, p, p).
    """

    mean: Floats
    covariances: Floats

    @property
    def dimension(self) -> int:
        """Number of features."""
        return self.mean.size

    @property
    def separation(self) -> float:
        """Squared Mahalanobis distance between the means, by the mean of the two covariances."""
        return float(self.mean @ np.linalg.solve(self.covariances.mean(axis=0), self.mean))

    @property
    def ideal_auc(self) -> float | None:
        """Area of the ideal classifier; None where the covariances differ, so that it is not linear."""
        if not np.array_equal(*self.covariances):
            return None
        return float(special.ndtr(np.sqrt(self.separation / 2)))

    @property
    def means(self) -> Floats:
        """Means of the negatives and of the positives, (2, p)."""
        return np.stack([-self.mean / 2, self.mean / 2])

    @property
    def roots(self) -> Floats:
        """Lower triangles whose squares are the covariances, (2, p, p)."""
        return np.asarray(np.linalg.cholesky(self.covariances), np.float64)


def normal_population(
    *,
    dimension: int | None = None,
    separation: float | None = None,
    mean: Any = None,
    covariance: Any = None,
) -> Population:
    """Return the population that the arguments of `monte_carlo` describe.

    Examples
    --------
    >>> population = normal_population(dimension=5, separation=0.8)
    >>> population.mean.round(4).tolist(), round(population.ideal_auc, 4)
    ([0.4, 0.4, 0.4, 0.4, 0.4], 0.7365)
    >>> normal_population(covariance=([[1, 0], [0, 1]], [[4, 0], [0, 4]])).ideal_auc is None
    True
    """
    shift = None
    if mean is not None:
        shift = np.asarray(checks.as_scores(mean, name="mean"), np.float64)
        if not np.isfinite(shift).all():
            raise RocInputError(
                f"must hold finite numbers, got {checks.show(shift.tolist())}", argument="mean"
            )
    covariances = None if covariance is None else _read_covariances(covariance)
    features = {
        "dimension": None if dimension is None else checks.check_integer(dimension, name="dimension", low=1),
        "mean": None if shift is None else shift.size,
        "covariance": None if covariances is None else covariances.shape[1],
    }
    sizes = {name: p for name, p in features.items() if p is not None}
    if len(set(sizes.values())) > 1:
        counts = ", ".join(f"{name} has {p}" for name, p in sizes.items())
        raise RocInputError(f"{' and '.join(sizes)} must have the same number of features: {counts}")
    p = next(iter(sizes.values()), DIMENSION)
    if covariances is None:
        covariances = np.stack([np.eye(p)] * 2)
    if shift is not None and separation is not None:
        raise RocInputError(
            "must be left out where mean is given, which says it already", argument="separation"
        )
    if shift is None:
        squared = checks.check_number(
            SEPARATION if separation is None else separation,
            name="separation",
            low=0,
            high=MOST_SEPARATION,
            closed=True,
        )
        # The same difference in every feature, so large that the squared distance is the separation.
        one = np.ones(p)
        shift = one * np.sqrt(squared / (one @ np.linalg.solve(covariances.mean(axis=0), one)))
    population = Population(mean=shift, covariances=covariances)
    if not population.separation <= MOST_SEPARATION * (1 + 1e-9):
        far = f"{population.separation:.3g}"
        raise RocInputError(
            f"must be at a squared distance of at most {MOST_SEPARATION:g}, got {far}", argument="mean"
        )
    return population


def _read_covariances(covariance: Any) -> Floats:
    """One matrix for both classes, or one for each."""
    array = checks.as_array(covariance, name="covariance")
    refuse = partial(RocInputError, argument="covariance")
    square = array.ndim in (2, 3) and array.shape[-1] == array.shape[-2] > 0
    if not square or array.dtype.kind not in "iuf" or (array.ndim == 3 and len(array) != 2):
        allowed = "a square matrix, or two of them (negatives, positives)"
        raise refuse(f"must be {allowed}, got shape {array.shape} of {array.dtype}")
    both = np.broadcast_to(array.astype(np.float64), (2, *array.shape[-2:])).copy()
    symmetric = np.array_equal(both, both.swapaxes(1, 2))
    if not symmetric or not np.isfinite(both).all() or np.linalg.eigvalsh(both).min() <= 0:
        raise refuse("must be symmetric and positive definite, got one that is not")
    variances = np.diagonal(both, axis1=1, axis2=2)
    if variances.min() < VARIANCES[0] or variances.max() > VARIANCES[1]:
        raise refuse("must have variances between 1e-50 and 1e50, got others")
    return both
