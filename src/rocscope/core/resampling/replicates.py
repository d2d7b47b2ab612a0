"""The engine of every bootstrap: what is drawn, how often, and statistics of the draws.

A plan says what is drawn: the cases of each class (`Cases`), whole clusters (`Clusters`), or the cells of a
count table (`Cells`). A statistic is one function that takes draws, or curves counted at their vertices, and
returns one value or row of values per replicate. Chunks, seeds, workers and progress are the business of
`Sampling` alone. A further design is a further plan.

Cases are numbered by their score, so that the numbers do not depend on the order of the rows; where several
curves share their cases, by their row.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread, current_thread, main_thread
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from rocscope.core import checks, execution
from rocscope.core.progress import shown
from rocscope.core.resampling.streams import CHUNK_SIZE, Chunk, Rng, plan_chunks
from rocscope.core.scores import MAX_ROWS, BinaryScores
from rocscope.core.table import ScoreTable
from rocscope.errors import ResourceError, RocInputError

Floats = NDArray[np.float64]
Counts = NDArray[np.int32]

# Numbers that one chunk of replicates may hold. Part of the meaning of a seed, as CHUNK_SIZE is.
CHUNK_CELLS = 4_000_000
# Replicates of one seed where only areas are kept: a call of the kernel should outweigh its seed.
AREA_CHUNK = 500
# Draws that are worked on at a time: they stay in the cache of a core.
BLOCK = 2**18
AGREE = "all bootstrap replicates agree, so they give no interval"
FEW = "the bootstrap needs two cases in each class"
# Percentiles of a statistic that few cases decide are too close together, by the atlas.
SMALL_CLASS = 50
FEW_CASES = "a class has {} cases: of so few the interval of {} may be too short (docs/atlas.md)"
# Fewer replicates than this give an interval whose ends are left to chance.
FEWEST = 100
KNOWN_ENDS = 50
NO_ORDER: Counts = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How replicates are drawn: how many, from which seed, by how many workers.

    Examples
    --------
    >>> sampling = Sampling(n_boot=1000, rng=7)
    >>> values = np.array([1.0, 2.0, 6.0])
    >>> means = sampling.replicates(Cases((3,)), lambda draws: draws.classes[0] @ values / 3)
    >>> means.shape, bool(abs(means.mean() - 3) < 0.2)
    ((1000,), True)
    """

    n_boot: int
    rng: Rng = None
    stratify: bool = True
    n_jobs: int | None = None
    progress: bool | None = None
    max_points: int | None = None

    def __post_init__(self) -> None:
        checks.check_draws(
            n_boot=self.n_boot,
            stratify=self.stratify,
            n_jobs=self.n_jobs,
            progress=self.progress,
            max_points=self.max_points,
        )

    def warnings(
        self, table: ScoreTable | None = None, replicates: Floats | None = None, level: float = 0.95
    ) -> tuple[str, ...]:
        """What to know of the replicates: that they are few, or those of a thinned table and its bound."""
        notes = []
        if self.n_boot < FEWEST:
            # Of fewer replicates the quantiles beside the ends are not known.
            known = replicates is not None and self.n_boot >= KNOWN_ENDS
            by = f" by about {end_error(replicates, level):.2g}" if replicates is not None and known else ""
            are = "replicates are" if self.n_boot > 1 else "replicate is"
            notes.append(f"{self.n_boot} bootstrap {are} few: chance moves the interval{by}")
        if table is not None and self.thins(table):
            thinned = table.thin(self.max_points or 0)
            notes.append(
                f"the replicates are those of a table thinned to {len(thinned.scores):,} points, whose area "
                f"is within {thinned.bound:.2g} of that of all {len(table.scores):,}"
            )
        return tuple(notes)

    def thins(self, table: ScoreTable) -> bool:
        """Whether replicates are those of a thinned table."""
        return self.max_points is not None and len(table.scores) > self.max_points

    def replicates(self, plan: Plan, statistic: Callable[[Draws], Any]) -> Any:
        """Values of a statistic, one row per replicate; a tuple of arrays if the statistic returns one."""
        n_cases = plan.n_cells
        if n_cases > MAX_ROWS:
            raise ResourceError(f"the bootstrap draws every case: at most {MAX_ROWS:,}, got {n_cases:,}")
        block = max(1, BLOCK // max(1, n_cases))

        def values(chunk: Chunk) -> Iterator[Any]:
            draws = plan.draw(chunk)
            for start in range(0, len(chunk.range), block):
                yield statistic(draws.rows(start, start + block))

        return self.run(values, size=chunk_size(n_cases))

    def run(self, work: Callable[[Chunk], Iterator[Any]], *, size: int) -> Any:
        """Values that `work` yields for each chunk, part after part, joined; one row per replicate.

        Compiled code lets go of the interpreter, so the workers are threads, which share the data. The
        calling thread is one of them and waits for no lock, which Ctrl-C could leave in disorder.
        """
        chunks = plan_chunks(self.n_boot, self.rng, size=size)
        n_workers = min(checks.count_jobs(self.n_jobs), len(chunks))
        places, parts = deque(range(len(chunks))), [list[Any]() for _ in chunks]
        done, failures = [0] * n_workers, list[BaseException]()

        def draw(worker: int, show: Callable[[int], None] | None = None) -> None:
            while places:
                try:
                    place = places.popleft()
                except IndexError:  # another worker took the last one
                    return
                for part in work(chunks[place]):
                    if failures:
                        return
                    if interrupts and worker == 0:
                        raise KeyboardInterrupt
                    parts[place].append(part)
                    done[worker] += len(part[0] if isinstance(part, tuple) else part)
                    if show is not None:
                        show(sum(done))

        def draw_beside(worker: int) -> None:
            try:
                draw(worker)
            except BaseException as error:
                failures.append(error)

        threads = [Thread(target=draw_beside, args=(worker,)) for worker in range(1, n_workers)]
        with shown("bootstrap", self.n_boot, self.progress) as show, _received_interrupts() as interrupts:
            try:
                for thread in threads:
                    thread.start()
                draw(0, show)
                for thread in threads:
                    thread.join()
            except BaseException as error:
                failures.append(error)
                raise
            finally:  # after a failure the others stop at their next part
                for thread in threads:
                    if thread.ident is not None:
                        thread.join()
        if failures:
            raise failures[0]
        return _joined([part for of_chunk in parts for part in of_chunk])

    def run_in_processes(self, work: Callable[..., Any], *arguments: Any, size: int) -> Any:
        """Values of `work(*arguments, chunk)`, joined; for work that Python itself does."""
        chunks = plan_chunks(self.n_boot, self.rng, size=size)
        tasks = [execution.Task(f"replicates {c.start}", work, (*arguments, c)) for c in chunks]
        with shown("bootstrap", len(tasks), self.progress) as show:
            outcomes = execution.run_tasks(tasks, n_jobs=self.n_jobs, progress=lambda done, _: show(done))
        return _joined(execution.values_of(outcomes))


@contextmanager
def _received_interrupts() -> Iterator[list[int]]:
    """Ctrl-C meanwhile, also where Python swallows its exception, as in the callbacks of weak references."""
    received = list[int]()

    def interrupt(number: int, frame: Any) -> None:
        received.append(number)
        signal.default_int_handler(number, frame)

    # A handler of the caller's stays; threads other than the main one cannot set any.
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or current_thread() is not main_thread():
        yield received
        return
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield received
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def chunk_size(n_cells: int) -> int:
    """Replicates of one seed, each holding so many numbers."""
    return max(1, min(CHUNK_SIZE, CHUNK_CELLS // max(1, n_cells)))


def _joined(parts: Sequence[Any]) -> Any:
    if isinstance(parts[0], tuple):
        return tuple(np.concatenate(items) for items in zip(*parts, strict=True))
    return np.concatenate(parts)


# ---- What is drawn ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draws:
    """How often each case of each class was drawn, (replicates, cases).

    Counts have 8 bits: that a case is drawn 256 times in n of n draws has a chance below n / 256!, 1e-500.
    """

    classes: tuple[NDArray[Any], ...]
    chunk: Chunk
    start: int = 0

    def __len__(self) -> int:
        return len(self.classes[0])

    def rows(self, start: int, stop: int) -> Draws:
        """Some of the replicates."""
        return Draws(tuple(drawn[start:stop] for drawn in self.classes), self.chunk, start)


class Plan(Protocol):
    """What is drawn in a replicate."""

    @property
    def n_cells(self) -> int:
        """Numbers that one replicate holds."""

    def draw(self, chunk: Chunk) -> Draws:
        """Draw all replicates of a chunk from its seed."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases of classes of these sizes.

    Every class is drawn apart and keeps its size. Without `stratify` all cases are drawn together, and a
    replicate that lacks a class is drawn again.
    """

    sizes: tuple[int, ...]
    stratify: bool = True

    @property
    def n_cells(self) -> int:
        """Number of cases."""
        return sum(self.sizes)

    def draw(self, chunk: Chunk) -> Draws:
        """Draw class by class, from the first on, or all cases together."""
        from rocscope.core import kernels

        state, n = chunk.state(), len(chunk.range)
        if self.stratify:
            none = np.empty((n, 0), np.uint8)
            return Draws(
                tuple(kernels.draw_counts(size, n, state) if size else none for size in self.sizes), chunk
            )
        ends = np.cumsum(self.sizes)
        members = [slice(end - size, end) for size, end in zip(self.sizes, ends, strict=True)]
        drawn = _drawn_together(self.n_cells, members, chunk)
        return Draws(tuple(np.ascontiguousarray(drawn[:, of_class]) for of_class in members), chunk)


def _drawn_together(n_units: int, classes: Sequence[Any], chunk: Chunk) -> NDArray[np.uint8]:
    """How often each unit is drawn of all together; replicates without a unit of some class are drawn again.

    `classes` select the units that have each class.
    """
    from rocscope.core import kernels

    state, n = chunk.state(), len(chunk.range)
    drawn, lacking = np.empty((n, n_units), np.uint8), np.ones(n, bool)
    while lacking.any():
        drawn[lacking] = kernels.draw_counts(n_units, int(lacking.sum()), state)
        lacking = np.any([~drawn[:, members].any(axis=1) for members in classes], axis=0)
    return drawn


@dataclass(frozen=True, slots=True)
class _TwoClasses:
    """A number for each case, or cell, of either class."""

    neg: NDArray[np.int64]
    pos: NDArray[np.int64]

    @property
    def n_cells(self) -> int:
        """Number of cases, or of cells, of both classes."""
        return self.neg.size + self.pos.size


class Clusters(_TwoClasses):
    """Whole clusters, whatever classes their cases have; a replicate that lacks a class is drawn again.

    `neg` and `pos` are the clusters, numbered from 0 on without a gap, of the cases of each class in the
    order of their rows.
    """

    __slots__ = ()

    def draw(self, chunk: Chunk) -> Draws:
        """Draw clusters, and with them all their cases."""
        n_clusters = 1 + int(max(self.neg.max(), self.pos.max()))
        having = [np.bincount(part, minlength=n_clusters) > 0 for part in (self.neg, self.pos)]
        drawn = _drawn_together(n_clusters, having, chunk)
        return Draws((drawn.take(self.neg, axis=1), drawn.take(self.pos, axis=1)), chunk)


def plan_of(data: BinaryScores, sampling: Sampling) -> Plan:
    """What a replicate of these cases draws, rows in their order: cases, or whole clusters."""
    if data.groups is not None:
        why = "for clusters, which are drawn whole"
        if sampling.max_points is not None:
            raise RocInputError(f"must be None {why}, got {sampling.max_points}", argument="max_points")
        if not sampling.stratify:
            raise RocInputError(f"must be True {why}", argument="stratify")
        places = np.unique(data.groups, return_inverse=True)[1]
        return Clusters(places[~data.positive], places[data.positive])
    return Cases((data.n_neg, data.n_pos), sampling.stratify)


class Cells(_TwoClasses):
    """The cells of a table that was thinned: how many cases fall into each is multinomial, class by class."""

    __slots__ = ()

    def draw(self, chunk: Chunk) -> Draws:
        """Draw the negatives, then the positives; the cells stand by descending score."""
        stream, n = chunk.stream(), len(chunk.range)
        return Draws(
            tuple(
                stream.multinomial(counts.sum(), counts / counts.sum(), size=n).astype(np.int32)
                for counts in (self.neg, self.pos)
            ),
            chunk,
        )


# ---- Curves of replicates, counted at the vertices of the curve of all cases -----------------------------


@dataclass(frozen=True, slots=True)
class VertexCounts:
    """Cases that test positive at every vertex of the original curve, (replicates, vertices).

    The first vertex is (0, 0), the last has all cases of the replicate.
    """

    tp: Counts
    fp: Counts

    @classmethod
    def of_table(cls, table: ScoreTable) -> VertexCounts:
        """The one curve of a table, as a stack of one."""
        return cls(*(vertex_counts(counts)[None] for counts in (table.pos, table.neg)))

    @property
    def tpr(self) -> Floats:
        """True positive rates."""
        return np.asarray(self.tp / self.tp[:, -1:])

    @property
    def fpr(self) -> Floats:
        """False positive rates."""
        return np.asarray(self.fp / self.fp[:, -1:])


def vertex_counts(counts: NDArray[Any]) -> Counts:
    """Cases at or above each vertex of a curve, after (0, 0), from those at each score."""
    above = np.zeros(len(counts) + 1, np.int32)
    np.cumsum(counts, out=above[1:])
    return above


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnCurve:
    """Where the vertices of one curve stand among the cases of each class.

    `neg_above` and `pos_above` count the cases at or above each vertex. Cases are numbered by descending
    score, or by `ascending` score, or stand in the orders, by descending score.
    """

    neg_above: Counts
    pos_above: Counts
    neg_order: Counts = field(default_factory=lambda: NO_ORDER)
    pos_order: Counts = field(default_factory=lambda: NO_ORDER)
    ascending: bool = False

    @classmethod
    def of_table(cls, table: ScoreTable, *, ascending: bool = False, along: str = "all") -> DrawnCurve:
        """The curve of a table.

        `along` leaves out vertices that change nothing: "corners" those on straight parts of the curve,
        "rises" those between negatives alone.
        """
        kept = kept_vertices(table, along)
        neg, pos = (vertex_counts(counts)[kept] for counts in (table.neg, table.pos))
        return cls(neg_above=neg, pos_above=pos, ascending=ascending)

    @classmethod
    def of_column(cls, data: BinaryScores, column: int, along: str = "corners") -> DrawnCurve:
        """The curve of one of several classifiers, whose cases are numbered by their rows."""
        (pos, neg), table = data.by_class(column), data.table(column)
        kept = kept_vertices(table, along)
        return cls(
            neg_above=vertex_counts(table.neg)[kept],
            pos_above=vertex_counts(table.pos)[kept],
            neg_order=np.argsort(neg)[::-1].astype(np.int32),
            pos_order=np.argsort(pos)[::-1].astype(np.int32),
        )

    def counts(self, draws: Draws) -> VertexCounts:
        """Count the drawn cases, (negatives, positives), at every vertex."""
        from rocscope.core import kernels

        neg, pos = draws.classes
        return VertexCounts(
            kernels.count_vertices(pos, self.pos_order, self.pos_above, self.ascending),
            kernels.count_vertices(neg, self.neg_order, self.neg_above, self.ascending),
        )


def kept_vertices(table: ScoreTable, along: str) -> NDArray[np.bool_]:
    """Vertices that remain where those that change nothing are left out, as in `DrawnCurve.of_table`."""
    rises, runs = table.pos > 0, table.neg > 0
    kept = np.ones(len(table.scores) + 1, bool)
    if along != "all":
        only_neg = runs & ~rises
        kept[1:-1] = ~(only_neg[:-1] & only_neg[1:])
    if along == "corners":
        only_pos = rises & ~runs
        kept[1:-1] &= ~(only_pos[:-1] & only_pos[1:])
    return kept


def bootstrap_curves(data: BinaryScores, statistic: Callable[..., Floats], sampling: Sampling) -> Floats:
    """Values of `statistic(VertexCounts, ...)`, one argument per classifier; all see the same drawn cases.

    The vertices are the corners of each curve: what is linear between them loses nothing.
    """
    if len(data.columns) == 1 and data.groups is None:
        if sampling.max_points is not None and sampling.thins(table := data.table()):
            values = bootstrap_table(table, lambda _, counts: statistic(counts), sampling)
            return np.asarray(values)
        curves = [DrawnCurve.of_table(data.table(), ascending=True, along="corners")]
    else:
        curves = [DrawnCurve.of_column(data, column) for column in range(len(data.columns))]
    plan = plan_of(data, sampling)
    values = sampling.replicates(plan, lambda draws: statistic(*(curve.counts(draws) for curve in curves)))
    return np.asarray(values)


def bootstrap_table(
    table: ScoreTable,
    statistic: Callable[[Draws, VertexCounts], Any],
    sampling: Sampling,
    *,
    along: str = "all",
    cases: BinaryScores | None = None,
) -> Any:
    """Values of `statistic(draws, counts)` for replicates of a table, thinned where `max_points` says so.

    With the `cases` of the table, in clusters, replicates draw whole clusters.
    """
    plan: Plan
    if cases is not None:
        cases = cases.counted(clustered=True)
        plan, curve = plan_of(cases, sampling), DrawnCurve.of_column(cases, 0, along=along)
    elif sampling.max_points is not None and sampling.thins(table):
        table = table.thin(sampling.max_points)
        plan, everywhere = Cells(table.neg, table.pos), np.arange(len(table.scores) + 1, dtype=np.int32)
        curve = DrawnCurve(neg_above=everywhere, pos_above=everywhere)
    else:
        plan = Cases((table.n_neg, table.n_pos), sampling.stratify)
        curve = DrawnCurve.of_table(table, along=along)
    return sampling.replicates(plan, lambda draws: statistic(draws, curve.counts(draws)))


# ---- Areas ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ranking:
    """Two classes by ascending score, and where each case of the higher class falls among the lower one.

    The orders number the cases of each class as they are drawn.
    """

    lower: Counts
    higher: Counts
    below: Counts
    not_above: Counts

    @classmethod
    def of(
        cls,
        lower: NDArray[Any],
        higher: NDArray[Any],
        lower_rows: NDArray[Any] | None = None,
        higher_rows: NDArray[Any] | None = None,
    ) -> Ranking:
        """Rank the scores of two classes; rows number them where they are drawn from a larger set."""
        orders = [np.argsort(scores, kind="stable") for scores in (lower, higher)]
        ascending, placed = (scores[order] for scores, order in zip((lower, higher), orders, strict=True))
        rows = (
            order if row is None else row[order]
            for order, row in zip(orders, (lower_rows, higher_rows), strict=True)
        )
        places = (np.searchsorted(ascending, placed, side) for side in ("left", "right"))
        return cls(*(np.ascontiguousarray(part, np.int32) for part in (*rows, *places)))

    def twice_u(self, lower: NDArray[Any], higher: NDArray[Any]) -> NDArray[np.int64]:
        """2U, lower cases and higher cases of every replicate, (replicates, 3)."""
        from rocscope.core import kernels

        return kernels.twice_u(lower, self.lower, higher, self.higher, self.below, self.not_above)

    def areas(self, lower: NDArray[Any], higher: NDArray[Any]) -> Floats:
        """Area of every replicate; NaN where one lacks a class."""
        twice_u, n_lower, n_higher = self.twice_u(lower, higher).T
        with np.errstate(invalid="ignore"):
            return np.asarray(twice_u / (2 * n_lower * n_higher))


def bootstrap_areas(table: ScoreTable, sampling: Sampling) -> Floats:
    """Areas of bootstrap replicates of one classifier."""
    from rocscope.core import kernels

    if sampling.thins(table) or not sampling.stratify:
        return np.asarray(bootstrap_table(table, lambda _, counts: whole_areas(counts), sampling))
    n_cases = table.n_pos + table.n_neg
    if n_cases > MAX_ROWS:
        raise ResourceError(f"the bootstrap draws every case: at most {MAX_ROWS:,}, got {n_cases:,}")
    not_above = table.n_neg - np.cumsum(table.neg) + table.neg
    below, up_to = (
        np.repeat(counts, table.pos).astype(np.int32) for counts in (not_above - table.neg, not_above)
    )
    block = max(1, AREA_DRAWS // n_cases)

    def twice_u(chunk: Chunk) -> Iterator[NDArray[np.int64]]:
        state, n = chunk.state(), len(chunk.range)
        for start in range(0, n, block):  # the state moves on
            yield kernels.bootstrap_twice_u(below, up_to, table.n_neg, min(block, n - start), state)

    return np.asarray(sampling.run(twice_u, size=AREA_CHUNK) / (2 * table.n_pos * table.n_neg))


# Draws between two looks at the progress of areas.
AREA_DRAWS = 50_000_000


def whole_areas(counts: VertexCounts) -> Floats:
    """Area of every replicate, summed in integers."""
    from rocscope.core import kernels

    return kernels.areas_over_x(counts.fp, counts.tp, 0.0, 1.0)


def paired_bootstrap_areas(data: BinaryScores, sampling: Sampling) -> Floats:
    """Areas of bootstrap replicates, (replicates, classifiers); a replicate draws cases once.

    Examples
    --------
    >>> data = BinaryScores.from_arrays([0, 0, 1, 1], {"a": [1, 2, 3, 4], "b": [1, 3, 2, 4]})
    >>> areas = paired_bootstrap_areas(data, Sampling(n_boot=100, rng=1))
    >>> areas.shape, float(areas[:, 0].min())
    ((100, 2), 1.0)
    """
    rankings = [Ranking.of(*data.by_class(column)[::-1]) for column in range(len(data.columns))]

    def areas(draws: Draws) -> Floats:
        return np.stack([ranking.areas(*draws.classes) for ranking in rankings], axis=1)

    return np.asarray(sampling.replicates(plan_of(data, sampling), areas))


# ---- Intervals and p-values from replicates, and how far chance moves them ---------------------------------


def standard_error(replicates: Floats) -> float | None:
    """Standard deviation of the replicates; None of a single one."""
    return float(np.std(replicates, ddof=1)) if len(replicates) > 1 else None


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


def end_error(replicates: Floats, level: float) -> float:
    """Monte-Carlo standard error of the ends of a percentile interval, the mean of both.

    The share of replicates below an end has a binomial standard error; the quantiles one such error to
    both sides show how far it moves the end.

    Examples
    --------
    >>> round(end_error(np.linspace(0, 1, 1001), 0.95), 4)
    0.0049
    """
    share = (1 - level) / 2
    error = np.sqrt(share * (1 - share) / len(replicates))
    shares = np.clip(np.add.outer([share, 1 - share], [-error, error]), 0.0, 1.0)
    return float(np.ptp(np.quantile(replicates, shares), axis=1).mean()) / 2


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
