"""Where chance comes from: seeds and random streams, chunks of replicates, folds.

Work is cut into chunks at fixed borders and each chunk carries its own seed, so the numbers do
not depend on how many workers share the chunks, nor on which of them comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from rocscope.core import checks
from rocscope.errors import RocInputError

Rng: TypeAlias = int | Generator | SeedSequence | None

# Part of the meaning of a seed: another size gives other, equally good, random numbers.
CHUNK_SIZE = 32
REDRAW_LIMIT = 100


def as_generator(rng: Rng) -> Generator:
    """Turn `rng` into a random generator.

    Parameters
    ----------
    rng : int, Generator, SeedSequence or None
        An int and a SeedSequence give the same numbers at every call; a Generator is returned
        itself and moves on as it is used; None takes fresh entropy.

    Returns
    -------
    Generator

    Examples
    --------
    >>> int(as_generator(7).integers(100)) == int(as_generator(7).integers(100))
    True
    """
    if isinstance(rng, Generator):
        return rng
    if isinstance(rng, SeedSequence):  # a copy, because spawning from it would change the owner's
        state = {"pool_size": rng.pool_size, "n_children_spawned": rng.n_children_spawned}
        return np.random.default_rng(SeedSequence(rng.entropy, spawn_key=rng.spawn_key, **state))
    whole = isinstance(rng, (int, np.integer)) and not isinstance(rng, bool)
    if rng is not None and not (whole and rng >= 0):
        allowed = "None, a whole number of at least 0, a numpy Generator or a SeedSequence"
        raise RocInputError(f"must be {allowed}, got {checks.show(rng)}", argument="rng")
    return np.random.default_rng(rng)


def spawn_streams(rng: Rng, n: int) -> list[Generator]:
    """Make `n` generators that are independent of each other and of `rng`.

    Parameters
    ----------
    rng : int, Generator, SeedSequence or None
        See `as_generator`. A Generator gives new streams at every call.
    n : int
        The number of streams.

    Returns
    -------
    list of Generator

    Examples
    --------
    >>> first, second = spawn_streams(7, 2)
    >>> bool(first.random() == second.random())
    False
    """
    return [np.random.default_rng(seed) for seed in _spawn_seeds(rng, n)]


def _spawn_seeds(rng: Rng, n: int) -> list[SeedSequence]:
    parent = as_generator(rng).bit_generator.seed_seq
    if not isinstance(parent, SeedSequence):
        raise RocInputError(
            "must be able to spawn streams: make it with numpy.random.default_rng", argument="rng"
        )
    return parent.spawn(checks.check_integer(n, name="n", low=0))


@dataclass(frozen=True, slots=True)
class Chunk:
    """The replicates `start` to `stop - 1` and the seed they are drawn from.

    Examples
    --------
    >>> chunk = plan_chunks(10, rng=7)[0]
    >>> len(chunk.range), bool(chunk.stream().random() == chunk.stream().random())
    (10, True)
    """

    start: int
    stop: int
    seed: SeedSequence

    @property
    def range(self) -> range:
        """The numbers of the replicates."""
        return range(self.start, self.stop)

    def stream(self) -> Generator:
        """Return the chunk's generator, at its beginning: a chunk that is run again gives the same."""
        return as_generator(self.seed)

    def state(self) -> NDArray[np.uint64]:
        """Return the state of a compiled generator, at its beginning."""
        return self.seed.generate_state(4, np.uint64).astype(np.uint64)


def plan_chunks(n_replicates: int, rng: Rng, *, size: int = CHUNK_SIZE) -> list[Chunk]:
    """Cut the replicates into chunks whose borders and seeds depend on no number of jobs.

    Parameters
    ----------
    n_replicates : int
        How many replicates there are in all.
    rng : int, Generator, SeedSequence or None
        See `as_generator`.
    size : int
        Replicates per chunk; the last chunk may have fewer.

    Returns
    -------
    list of Chunk
        Small and picklable, in order.

    Examples
    --------
    >>> [(chunk.start, chunk.stop) for chunk in plan_chunks(10, rng=7, size=4)]
    [(0, 4), (4, 8), (8, 10)]
    """
    checks.check_integer(n_replicates, name="n_replicates", low=1)
    starts = range(0, n_replicates, checks.check_integer(size, name="size", low=1))
    seeds = _spawn_seeds(rng, len(starts))
    return [Chunk(i, min(i + size, n_replicates), seed) for i, seed in zip(starts, seeds, strict=True)]


def stratified_folds(
    codes: NDArray[Any], n_folds: int, rng: Rng, *, every_class: bool = True, name: str = "n_folds"
) -> NDArray[np.intp]:
    """Deal the cases into folds, every class and the whole as evenly as can be.

    Parameters
    ----------
    codes : array
        The class of each case, as a code or as its label.
    n_folds : int
        At least 2, at most the size of the smallest class, or of the largest.
    rng : int, Generator, SeedSequence or None
        See `as_generator`.
    every_class : bool
        Whether every fold must hold every class; otherwise the largest class alone must fill the folds.
    name : str
        What the number of folds is called in errors.

    Returns
    -------
    array of int
        The fold of each case, 0 to ``n_folds - 1``, in row order. Two folds differ by at most
        one case in each class, and by at most one case in all.

    Examples
    --------
    >>> import numpy as np
    >>> fold = stratified_folds(np.array([0, 0, 0, 1, 1, 1, 1]), 3, rng=7)
    >>> np.bincount(fold).tolist()
    [3, 2, 2]
    """
    checks.check_integer(n_folds, name=name, low=2)
    classes, inverse, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    limit, which = (int(np.argmin(sizes)), "smallest") if every_class else (int(np.argmax(sizes)), "largest")
    if n_folds > sizes[limit]:
        size, label = sizes[limit], checks.show(classes[limit])
        raise RocInputError(
            f"must be at most the size of the {which} class, {size} (class {label}), got {n_folds}",
            argument=name,
            data_dependent=True,
        )
    generator = as_generator(rng)
    shuffled = generator.permutation(len(inverse))
    by_class = shuffled[np.argsort(inverse[shuffled], kind="stable")]
    fold = np.empty(len(inverse), dtype=np.intp)
    # Each class goes on where the last one stopped; were each to begin at fold 0, it would swell.
    fold[by_class] = np.arange(len(inverse)) % n_folds
    return fold


def stratified_bootstrap(codes: NDArray[Any], rng: Rng) -> NDArray[np.intp]:
    """Draw one bootstrap replicate class by class, so every class keeps its size.

    Parameters
    ----------
    codes : array
        The class of each case.
    rng : int, Generator, SeedSequence or None
        See `as_generator`; one generator for many replicates.

    Returns
    -------
    array of int
        Row numbers, the classes one after another.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 1, 0, 1, 1])
    >>> np.bincount(codes[stratified_bootstrap(codes, rng=7)]).tolist()
    [2, 3]
    """
    generator = as_generator(rng)
    classes = [np.flatnonzero(codes == name) for name in np.unique(codes)]
    return np.concatenate([rows[generator.integers(0, len(rows), len(rows))] for rows in classes])


def group_leakage(groups: NDArray[Any], fold: NDArray[Any]) -> NDArray[Any]:
    """Find the groups (patients, say) whose cases lie in more than one fold.

    Parameters
    ----------
    groups : array
        The group of each case.
    fold : array
        The fold of each case.

    Returns
    -------
    array
        The groups that leak, sorted; empty when none does.

    Examples
    --------
    >>> import numpy as np
    >>> group_leakage(np.array(["ann", "ann", "bob", "bob"]), np.array([0, 1, 1, 1])).tolist()
    ['ann']
    """
    checks.check_same_length(groups=groups, fold=fold)
    names, group = np.unique(groups, return_inverse=True)
    folds, place = np.unique(fold, return_inverse=True)
    pairs = np.unique(group * len(folds) + place)
    return names[np.bincount(pairs // max(len(folds), 1), minlength=len(names)) > 1]
