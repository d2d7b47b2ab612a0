"""Compiled Monte-Carlo trials, cut into tasks: the same numbers for any number of jobs.

A singular covariance, of a bootstrap replicate with too few distinct cases say, gets 1e-6 of the mean
variance of the class's training cases on its diagonal, so that every training has a score; such cases are
counted. A class of which a replicate leaves out no case is drawn again, and counted too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rocscope.bootstrap.population import Population
from rocscope.core import checks
from rocscope.core.execute import Progress, run_tasks, values_of
from rocscope.core.resample import Chunk, as_generator, plan_chunks
from rocscope.core.workers import Task
from rocscope.errors import ResourceError

Floats = NDArray[np.float64]
# In the order of the kernels' codes.
LEARNERS: Final = ("nearest-mean", "lda", "qda", "1nn")
# Part of the meaning of a seed, as the size of every chunk.
TRIALS_PER_TASK: Final = 50
# Numbers that one trial may hold at once: 1.6 GB.
MOST_CELLS: Final = 200_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """What is the same in every trial; `pairs` asks for the leave-pair-out bootstrap too."""

    learner: str
    population: Population
    n_boot: int
    n_test: int
    common_test: bool
    pairs: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trials:
    """What the trials of one size gave; each array has an entry per trial, NaN where not asked for.

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
    progress: Progress | None = None,
) -> list[Trials]:
    """Run the trials of every size, given in cases per class.

    The test set that all trials share, of all sizes, is drawn first, then the seeds of the trials.
    """
    check_cells(experiment, sizes)
    generator = as_generator(rng)
    test = one_state(generator) if experiment.common_test else np.empty(0, np.uint64)
    tasks = [
        Task(f"n = {n}, number {number}, trials {chunk.start}", run_chunk, (experiment, n, test, chunk))
        for number, n in enumerate(sizes)
        for chunk in plan_chunks(trials, generator, size=TRIALS_PER_TASK)
    ]
    found = values_of(run_tasks(tasks, n_jobs=n_jobs, progress=progress))
    per_size = len(tasks) // len(sizes)
    return [joined(found[k : k + per_size]) for k in range(0, len(found), per_size)]


def run_chunk(experiment: Experiment, n: int, test: NDArray[np.uint64], chunk: Chunk) -> Any:
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


def joined(found: Sequence[tuple[Floats, NDArray[np.int64]]]) -> Trials:
    """Put chunks together, in their order."""
    values = np.concatenate([values for values, _ in found]).T
    counters = np.concatenate([counters for _, counters in found]).T
    names = ("true", "apparent", "star", "leave_pair_out", "variance", "noise")
    counted = ("redrawn", "singular", "dropped")
    return Trials(**dict(zip(names, values, strict=True)), **dict(zip(counted, counters, strict=True)))


def states_of(seed: SeedSequence, n: int) -> NDArray[np.uint64]:
    """States of n random streams of the kernels, (n, 4)."""
    return seed.generate_state(4 * n, np.uint64).reshape(n, 4).astype(np.uint64)


def one_state(generator: Generator) -> NDArray[np.uint64]:
    """State of a further stream."""
    return np.asarray(states_of(plan_chunks(1, generator)[0].seed, 1)[0])


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


def check_learner(learner: Any) -> str:
    """Return the learner's name if it is known."""
    return checks.check_choice(learner, LEARNERS, name="learner")
