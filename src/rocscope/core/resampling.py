"""Chance, in one place: random streams, folds, bootstrap replicates, and intervals from these.

Work is cut into chunks at fixed borders and each chunk carries its own seed, so the numbers do
not depend on how many processes share the chunks, nor on which of them comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks
from rocscope.core.scores import MAX_ROWS, BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import ResourceError, RocInputError

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


# ---- Bootstrap of areas and curves: positives and negatives are drawn apart, or all cases together --------

Floats = NDArray[np.float64]
# Numbers that one chunk of resampled curves may hold: 32 MB of float64.
CHUNK_CELLS = 4_000_000
# Replicates of one seed where only areas are kept: a call of the kernel should outweigh its seed.
AREA_CHUNK = 500
AGREE = "all bootstrap replicates agree, so they give no interval"
FEW = "the bootstrap needs two cases in each class"


def draw_cases(
    sizes: Sequence[int], *, n_boot: int, rng: Rng, stratify: bool = True
) -> Iterator[tuple[list[NDArray[np.int32]], Chunk]]:
    """Yield how often each case of each class was drawn, (replicates, cases) per class, chunk by chunk.

    Every class keeps its size. Without `stratify` all cases are drawn together, and a replicate that lacks a
    class is drawn again.
    """
    from rocscope.core import kernels

    n_cases = sum(sizes)
    _check_drawn_cases(n_cases)
    for chunk in plan_chunks(n_boot, rng, size=max(1, min(CHUNK_SIZE, CHUNK_CELLS // n_cases))):
        state = _state(chunk)
        if stratify:
            yield [kernels.draw_counts(size, len(chunk.range), state) for size in sizes], chunk
            continue
        drawn, lacking = np.empty((len(chunk.range), n_cases), np.int32), np.ones(len(chunk.range), bool)
        while lacking.any():
            drawn[lacking] = kernels.draw_counts(n_cases, int(lacking.sum()), state)
            classes = np.split(drawn, np.cumsum(sizes)[:-1], axis=1)
            lacking = np.any([~of_class.any(axis=1) for of_class in classes], axis=0)
        yield classes, chunk


def _check_drawn_cases(n_cases: int) -> None:
    if n_cases > MAX_ROWS:
        raise ResourceError(f"the bootstrap draws every case: at most {MAX_ROWS:,}, got {n_cases:,}")


def _state(chunk: Chunk) -> NDArray[np.uint64]:
    return chunk.seed.generate_state(4, np.uint64).astype(np.uint64)


def bootstrap_areas(table: ScoreTable, *, n_boot: int, rng: Rng, stratify: bool = True) -> Floats:
    """Areas of bootstrap replicates of one classifier."""
    from rocscope.core import kernels

    if not stratify:
        samples = draw_replicates(table, n_boot=n_boot, rng=rng, stratify=False)
        return np.concatenate([sample.drawn().areas() for sample in samples])
    _check_drawn_cases(table.n_pos + table.n_neg)
    not_above = table.n_neg - np.cumsum(table.neg) + table.neg
    below, up_to = (
        np.repeat(counts, table.pos).astype(np.int32) for counts in (not_above - table.neg, not_above)
    )
    twice_u = [
        kernels.bootstrap_twice_u(below, up_to, table.n_neg, len(chunk.range), _state(chunk))
        for chunk in plan_chunks(n_boot, rng, size=AREA_CHUNK)
    ]
    return np.asarray(np.concatenate(twice_u) / (2 * table.n_pos * table.n_neg))


def paired_bootstrap_areas(data: BinaryScores, *, n_boot: int, rng: Rng, stratify: bool = True) -> Floats:
    """Areas of bootstrap replicates, (replicates, classifiers); a replicate draws cases once.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> areas = paired_bootstrap_areas(data, n_boot=100, rng=1)
    >>> areas.shape, float(areas[:, 0].min())
    ((100, 2), 1.0)
    """
    # Negatives by ascending score, and for each positive how many lie below it and not above it.
    orders = []
    for column in range(len(data.columns)):
        pos, neg = data.by_class(column)
        ascending = np.sort(neg)
        places = [np.searchsorted(ascending, pos, side) for side in ("left", "right")]
        orders.append((np.argsort(neg, kind="stable"), *places))
    areas = []
    for (drawn_neg, drawn_pos), _ in _draw_classes(data, n_boot=n_boot, rng=rng, stratify=stratify):
        of_curves = []
        for order, below, not_above in orders:
            beaten = _running(drawn_neg[:, order], np.int32)
            placements = beaten[:, below] + beaten[:, not_above]
            of_curves.append(np.einsum("ij,ij->i", placements, drawn_pos, dtype=np.int64))
        n_neg, n_pos = (drawn.sum(axis=1, dtype=np.int64) for drawn in (drawn_neg, drawn_pos))
        areas.append(np.stack(of_curves, axis=1) / (2 * n_pos * n_neg)[:, np.newaxis])
    return np.concatenate(areas)


def _draw_classes(
    data: BinaryScores | ScoreTable, *, n_boot: int, rng: Rng, stratify: bool
) -> Iterator[tuple[list[NDArray[np.int32]], Chunk]]:
    """`draw_cases` of the negatives and the positives."""
    return draw_cases((data.n_neg, data.n_pos), n_boot=n_boot, rng=rng, stratify=stratify)


def _running(drawn: NDArray[Any], dtype: Any = np.int64) -> NDArray[Any]:
    """Running sums over the cases of each replicate, from 0 on."""
    running = np.zeros((len(drawn), drawn.shape[1] + 1), dtype)
    np.cumsum(drawn, axis=1, out=running[:, 1:])
    return running


@dataclass(frozen=True, slots=True)
class CurveChunk:
    """Rates of a chunk of replicates, (replicates, vertices), from (0, 0) to (1, 1).

    The vertices are those of the original curve: replicates share its thresholds.
    """

    fpr: Floats
    tpr: Floats


def bootstrap_curves(
    data: BinaryScores, *, n_boot: int, rng: Rng, stratify: bool = True
) -> Iterator[list[CurveChunk]]:
    """Yield the resampled curves of each classifier, chunk by chunk; all see the same drawn cases."""
    if len(data.columns) == 1:  # ordered by score, the draws do not depend on the order of the rows
        rows = np.argsort(data.columns[0], kind="stable")
        data = replace(data, positive=data.positive[rows], columns=(data.columns[0][rows],))
    # Cases of each class by descending score, and how many of them lie at or above each vertex.
    orders = []
    for column in range(len(data.columns)):
        (pos, neg), table = data.by_class(column), data.table(column)
        orders.append(
            [
                (np.argsort(pos)[::-1], vertex_counts(table.pos)),
                (np.argsort(neg)[::-1], vertex_counts(table.neg)),
            ]
        )
    for (drawn_neg, drawn_pos), _ in _draw_classes(data, n_boot=n_boot, rng=rng, stratify=stratify):
        yield [
            CurveChunk(
                fpr=_shares_above(drawn_neg[:, neg], neg_above),
                tpr=_shares_above(drawn_pos[:, pos], pos_above),
            )
            for (pos, pos_above), (neg, neg_above) in orders
        ]


def _shares_above(drawn: NDArray[Any], above: NDArray[Any]) -> Floats:
    """Share of the drawn cases at or above each vertex."""
    running = _running(drawn)
    return np.asarray(running[:, above] / running[:, -1:])


def vertex_counts(counts: NDArray[Any]) -> NDArray[Any]:
    """Cases at or above each vertex of a curve, after (0, 0), from those at each score."""
    return np.concatenate([[0], np.cumsum(counts)])


def bootstrap_statistic(
    data: BinaryScores,
    statistic: Callable[..., Floats],
    *,
    n_boot: int,
    rng: Rng,
    stratify: bool = True,
) -> Floats:
    """Values of `statistic(CurveChunk, ...)`, one row per replicate."""
    chunks = bootstrap_curves(data, n_boot=n_boot, rng=rng, stratify=stratify)
    return np.concatenate([statistic(*curves) for curves in chunks])


# ---- Bootstrap samples of a count table: the cases drawn and the cases left out ----------------
# Cases are numbered by descending score, so that the numbers do not depend on the order of the rows.


@dataclass(frozen=True, slots=True)
class VertexCounts:
    """Cases that test positive at every vertex of the original curve, (replicates, vertices).

    `n_pos` and `n_neg` count all cases of each class, with one row per replicate.
    """

    tp: NDArray[np.int64]
    fp: NDArray[np.int64]
    n_pos: NDArray[np.int64]
    n_neg: NDArray[np.int64]

    def areas(self) -> Floats:
        """Area of every replicate."""
        heights = self.tp[:, 1:] + self.tp[:, :-1]
        twice_u = np.einsum("ij,ij->i", np.diff(self.fp, axis=1), heights)
        return np.asarray(twice_u / (2 * self.n_pos * self.n_neg)[:, 0])


@dataclass(frozen=True, slots=True)
class Replicates:
    """How often each case was drawn, one row per replicate.

    Examples
    --------
    >>> table = ScoreTable.from_counts([3, 2, 1], pos=[2, 1, 0], neg=[0, 1, 2])
    >>> sample = next(draw_replicates(table, n_boot=5, rng=7))
    >>> sample.drawn().tp[:, -1].tolist(), sample.left_out().tp.max() < 3
    ([3, 3, 3, 3, 3], np.True_)
    """

    pos: NDArray[np.int32]
    neg: NDArray[np.int32]
    table: ScoreTable
    chunk: Chunk

    def drawn(self) -> VertexCounts:
        """Cases of the samples, as often as they were drawn."""
        return self._counts(self.pos, self.neg)

    def left_out(self) -> VertexCounts:
        """Cases that were not drawn, once each."""
        return self._counts(self.pos == 0, self.neg == 0)

    def _counts(self, pos: NDArray[Any], neg: NDArray[Any]) -> VertexCounts:
        of_pos, of_neg = _running(pos), _running(neg)
        tp, fp = of_pos[:, vertex_counts(self.table.pos)], of_neg[:, vertex_counts(self.table.neg)]
        return VertexCounts(tp, fp, of_pos[:, -1:], of_neg[:, -1:])


def draw_replicates(
    table: ScoreTable, *, n_boot: int, rng: Rng, stratify: bool = True
) -> Iterator[Replicates]:
    """Yield the replicates chunk by chunk; both classes keep their sizes if they are drawn apart."""
    for (neg, pos), chunk in _draw_classes(table, n_boot=n_boot, rng=rng, stratify=stratify):
        yield Replicates(pos, neg, table, chunk)


# ---- Intervals and p-values from replicates ---------------------------------------------------------------


def percentile_interval(
    replicates: Floats,
    *,
    level: float,
    alternative: checks.Alternative = "two-sided",
    bounds: Any = (-np.inf, np.inf),
    value: Any = None,
) -> tuple[Any, Any]:
    """Quantiles of the replicates over the first axis; one-sided intervals end at the bound.

    An interval is widened to hold the estimate, if there is a `value`: replicates of few or tied cases can
    lie on one side of it, and at low levels their median is not the estimate.
    """
    low, high = tail_shares(level, alternative)
    ends = np.quantile(replicates, [low, high], axis=0)
    if value is not None:
        ends = np.stack([np.minimum(ends[0], value), np.maximum(ends[1], value)])
    if alternative == "less":
        ends[0] = bounds[0]
    if alternative == "greater":
        ends[1] = bounds[1]
    return ends[0], ends[1]


def percentile_p(
    replicates: Floats, *, at: float = 0.0, alternative: checks.Alternative = "two-sided"
) -> float:
    """P-value that belongs to `percentile_interval`: intervals of the level 1 - p just reach `at`.

    It is no less than what so many replicates can show, 1 / (n + 1) on a side.

    Examples
    --------
    >>> replicates = np.linspace(-0.1, 0.9, 1001)
    >>> round(percentile_p(replicates), 6), round(percentile_p(replicates, alternative="greater"), 6)
    (0.2, 0.1)
    """
    low, high = _share_up_to(replicates, at), _share_up_to(-replicates, -at)
    if alternative == "two-sided":
        return min(1.0, 2 * min(low, high))
    return low if alternative == "greater" else high


def _share_up_to(replicates: Floats, at: float) -> float:
    """Largest share whose quantile is not above `at`, quantiles being linear between replicates."""
    ascending = np.sort(replicates)
    n = len(ascending)
    known = int(np.searchsorted(ascending, at, "right"))
    if known in (0, n):
        return 1.0 if known else 1 / (n + 1)
    below, above = ascending[known - 1 : known + 1]
    return max(1 / (n + 1), float(known - 1 + (at - below) / (above - below)) / (n - 1))


def tail_shares(level: float, alternative: checks.Alternative) -> tuple[float, float]:
    """Shares of the distribution below the lower and below the upper end."""
    outside = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    return outside, 1 - outside


def bca_interval(
    replicates: Floats,
    value: float,
    influence: Sequence[tuple[Floats, Floats]],
    *,
    level: float,
    alternative: checks.Alternative = "two-sided",
    bounds: tuple[float, float] = (0.0, 1.0),
) -> tuple[float, float]:
    """Efron's bias-corrected and accelerated interval.

    `influence` holds, for each class, the deviations of the placements from their mean and how many
    cases have each. The acceleration is skewness / 6 of the linear part of the statistic, the two
    classes being drawn apart.
    """
    below = float((replicates < value).mean() + (replicates == value).mean() / 2)
    shift = special.ndtri(min(max(below, 0.5 / len(replicates)), 1 - 0.5 / len(replicates)))
    third = sum(float((n * d**3).sum()) / float(n.sum()) ** 3 for d, n in influence)
    second = sum(float((n * d**2).sum()) / float(n.sum()) ** 2 for d, n in influence)
    acceleration = third / (6 * second**1.5) if second > 0 else 0.0

    def end(share: float) -> float:
        z = shift + (special.ndtri(share) if share < 1 else -special.ndtri(low))  # 1 - 1e-17 rounds to 1
        bounded = acceleration * z < 1  # beyond, the correction reaches every replicate
        share = special.ndtr(shift + z / (1 - acceleration * z)) if bounded else float(z > 0)
        return float(np.quantile(replicates, share))

    low, high = tail_shares(level, alternative)
    return (
        bounds[0] if alternative == "less" else min(end(low), value),
        bounds[1] if alternative == "greater" else max(end(high), value),
    )
